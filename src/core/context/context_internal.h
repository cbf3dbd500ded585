/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Internals of the context, for the library's own files. Public functions are in the
 * header <rugose/context.h>; nothing here is exported. */

#ifndef RUGI_CONTEXT_INTERNAL_H
#define RUGI_CONTEXT_INTERNAL_H

#include <rugose/context.h>
#include <stdatomic.h>

/** Bytes kept of an error text, its end included. */
#define RUGI_ERROR_MAX 1024

/** The device choice. */
typedef enum rugi_device {
    RUGI_DEVICE_CPU,
    RUGI_DEVICE_AUTO,
    RUGI_DEVICE_OPENCL,
} rugi_device;

/** The device number of "opencl" without one. */
#define RUGI_OPENCL_ANY (-1)

/** A block that was released and may be used again; any thread takes it, whole. */
typedef struct rugi_kept_block {
    _Atomic(void *) block; /* NULL: none */
} rugi_kept_block;

struct rug_context {
    int n_threads; /* as resolved, at least 1; in a call, those that its work pays for */
    double thread_work; /* nanoseconds of work that pay for a thread more */
    rugi_device device;
    int opencl_number;          /* N of "opencl:N", or RUGI_OPENCL_ANY */
    int has_warned_fallback;    /* `auto` has warned that an engine failed */
    char *cache_folder;         /* NULL: nothing is cached; owned */
    struct rugi_ocl_state *ocl; /* what src/ocl keeps; NULL: not asked for yet */
    void (*free_ocl)(rug_context *ctx, struct rugi_ocl_state *state);
    rug_cpu_level cpu_level; /* already capped by what the processor has */
    rug_allocator allocator;
    rugi_kept_block *kept; /* of the usual allocator; owned */
    rug_progress_fn progress;
    void *progress_user;
    double phase_from, phase_to; /* the part of the call that is being done */
    rug_cancel_fn cancel;
    void *cancel_user;
    rug_warn_fn warn;
    void *warn_user;
    const char *engine; /* that ran in the last call; static text */
    char error[RUGI_ERROR_MAX];
};

/** Keeps the name of the engine that ran, for rug_context_engine(). Static text. */
void rugi_context_set_engine(rug_context *ctx, const char *engine);

/** Looks whether the call is to stop, in a step that is too short for progress. On the calling
 *  thread only.
 *  @return RUG_OK, RUG_E_CANCELLED */
rug_status rugi_context_look(rug_context *ctx);

/** Items of a list between two looks: some milliseconds of work. */
#define RUGI_LOOK_ITEMS ((size_t)1 << 20)

/** The end of the items from `first` on that come before the next look. */
static inline size_t rugi_look_end(size_t first, size_t n)
{
    return n - first > RUGI_LOOK_ITEMS ? first + RUGI_LOOK_ITEMS : n;
}

/** The part of a call that a phase covers. */
typedef struct rugi_phase {
    double from, to;
} rugi_phase;

/** Until the phase is left, progress from 0 to 1 means from..to of what it meant before, so
 *  that the passes of one call make one progress. @return for rugi_phase_leave() */
rugi_phase rugi_phase_enter(rug_context *ctx, double from, double to);
void rugi_phase_leave(rug_context *ctx, rugi_phase outer);

/** Does a step of a call as the phase from..to, unless an earlier step has failed. */
#define RUGI_PHASE(ctx, from, to, status, call)                 \
    do {                                                        \
        if ((status) == RUG_OK) {                               \
            rugi_phase outer = rugi_phase_enter(ctx, from, to); \
            (status) = (call);                                  \
            rugi_phase_leave(ctx, outer);                       \
        }                                                       \
    } while (0)

/** The highest level of kernels that this processor can run. */
rug_cpu_level rugi_cpu_level(void);

/** As rug_context_allocate(), all 0. */
void *rugi_allocate_zeros(rug_context *ctx, size_t n_items, size_t item_bytes,
                          const char *what);

/** A context for a part of a call, which reports no progress and has an error text of its own.
 *  It borrows what the other one owns and is not freed. */
rug_context rugi_context_quiet(const rug_context *ctx);

/** The same for a worker of a parallel loop: one thread, no device, no callbacks. */
rug_context rugi_context_for_worker(const rug_context *ctx);

#endif
