/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The context: threads, device, memory, callbacks and the error text of the last failed
 * call.
 *
 * A program makes one context per thread that calls the library, and may use any number
 * of them at once. Nothing is global: the library never reads the environment, never
 * prints, never exits.
 *
 *     rug_context *mine;
 *     rug_status status = rug_context_new(&mine);
 *     if (status != RUG_OK)
 *         return status;
 *     status = rug_context_set_threads(mine, -4);
 *     printf("%s: %s\n", rug_status_name(status), rug_context_error(mine));
 *     rug_context_free(mine);
 *     // prints: RUG_E_ARG: threads: -4 given, 1..4096 or 0 for all processors expected
 */

#ifndef RUGOSE_CONTEXT_H
#define RUGOSE_CONTEXT_H

#include <rugose/export.h>
#include <rugose/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Opaque; made by rug_context_new(), owned by the caller. */
typedef struct rug_context rug_context;

/** Makes a context with the defaults: all processors, device "cpu", every CPU level,
 *  malloc.
 *  @param out  the new context, NULL on failure; free it with rug_context_free()
 *  @return RUG_OK, RUG_E_ARG (out is NULL), RUG_E_NOMEM */
RUG_API rug_status rug_context_new(rug_context **out);

/** Frees a context. NULL is allowed. */
RUG_API void rug_context_free(rug_context *ctx);

/** The text of the last failed call with this context: what was given, what was expected,
 *  what to do. "" when no call has failed yet. Valid until the next failing call or the
 *  context's end. */
RUG_API const char *rug_context_error(const rug_context *ctx);

/** How many threads a call may use. Results never depend on it.
 *  @param n_threads  1..4096, or 0 for all processors (the default)
 *  @return RUG_OK, RUG_E_ARG */
RUG_API rug_status rug_context_set_threads(rug_context *ctx, int n_threads);

/** The number of threads in force, at least 1. */
RUG_API int rug_context_threads(const rug_context *ctx);

/** Which device does the work.
 *  @param device  "cpu" (default); "auto": the fastest for the work, with the processor to
 *                 fall back on; "opencl" or "opencl:N", N 0..9999: that device or a failure
 *                 (<rugose/devices.h> lists them). Whether the device exists is found out
 *                 when it is used, or by rug_devices_choose()
 *  @return RUG_OK, RUG_E_ARG (none of these) */
RUG_API rug_status rug_context_set_device(rug_context *ctx, const char *device);

/** Where compiled OpenCL programs are kept from one process to the next, so that they need
 *  not be compiled again. A file there that is damaged or from another version is made anew;
 *  a folder that cannot be written to costs time only.
 *  @param path  a folder, made when needed; copied; NULL = keep nothing (the default)
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM */
RUG_API rug_status rug_context_set_cache_folder(rug_context *ctx, const char *path);

/** The engine that ran in the last call that measured something: "cpu-avx512", "opencl:0",
 *  "cpu"; "" before the first. Static text. */
RUG_API const char *rug_context_engine(const rug_context *ctx);

/** CPU levels above the portable code. Levels that the processor lacks are never used. */
typedef enum rug_cpu_level {
    RUG_CPU_REF = 0,    /**< portable C */
    RUG_CPU_AVX2 = 1,   /**< x86 AVX2, BMI2 and POPCNT */
    RUG_CPU_AVX512 = 2, /**< x86 AVX-512 F, BW, CD, DQ, VL, VBMI2, VPOPCNTDQ */
    RUG_CPU_WASM = 1,   /**< in WebAssembly: vectors of 128 bits */
    RUG_CPU_MAX = RUG_CPU_AVX512
} rug_cpu_level;

/** Caps the CPU level, so that a test or a comparison can run each of them. Results never
 *  depend on it.
 *  @param max  the highest level that may be used (default RUG_CPU_MAX)
 *  @return RUG_OK, RUG_E_ARG */
RUG_API rug_status rug_context_set_cpu_level(rug_context *ctx, rug_cpu_level max);

/** The level in force: the lower of the cap and what this processor has. */
RUG_API rug_cpu_level rug_context_cpu_level(const rug_context *ctx);

/** "ref", "avx2" or "avx512"; in WebAssembly "ref" or "wasm". Static text. */
RUG_API const char *rug_cpu_level_name(rug_cpu_level level);

/** Called on the calling thread now and then while a call works, with the share that is done,
 *  0..1. */
typedef void (*rug_progress_fn)(void *user, double share);

/** Called on the calling thread now and then; a nonzero answer makes the running call
 *  stop and return RUG_E_CANCELLED. */
typedef int (*rug_cancel_fn)(void *user);

/** Sets the progress callback; NULL removes it (the default). */
RUG_API void rug_context_set_progress(rug_context *ctx, rug_progress_fn progress,
                                      void *user);

/** Sets the cancel callback; NULL removes it (the default). */
RUG_API void rug_context_set_cancel(rug_context *ctx, rug_cancel_fn cancel, void *user);

/** Called on the calling thread with one line of text (no newline) when a result deserves a
 *  warning: an image that is nearly all foreground, an engine that failed in "auto". */
typedef void (*rug_warn_fn)(void *user, const char *text);

/** Sets the warning callback; NULL drops warnings (the default). */
RUG_API void rug_context_set_warn(rug_context *ctx, rug_warn_fn warn, void *user);

/** Where the library's memory comes from. Both functions are called on any thread. */
typedef struct rug_allocator {
    /** @param n_bytes   at least 1
     *  @param alignment a power of two, at least sizeof(void *)
     *  @return the block, or NULL */
    void *(*allocate)(void *user, size_t n_bytes, size_t alignment);
    void (*release)(void *user, void *block); /**< never called with NULL */
    void *user;
} rug_allocator;

/** Replaces malloc, of which the context keeps one large block for the next image until it is freed.
 *  Call it before anything else is done with the context.
 *  @param allocator  copied; NULL = malloc again */
RUG_API void rug_context_set_allocator(rug_context *ctx, const rug_allocator *allocator);

/* For libraries built upon this one, so that their failures, warnings and progress go the
 * same way. None of them is needed to use the library. */

/** Keeps a formatted error text in the context and returns the status, so that a function
 *  can end with `return rug_context_fail(ctx, RUG_E_IO, "…", …)`. ctx may be NULL. */
RUG_API rug_status rug_context_fail(rug_context *ctx, rug_status status,
                                    const char *format, ...) RUG_PRINTF(3, 4);

/** Hands a formatted warning to the warning callback. */
RUG_API void rug_context_warn(rug_context *ctx, const char *format, ...) RUG_PRINTF(2, 3);

/** Reports progress and asks for cancellation. Only on the calling thread.
 *  @param share  0..1
 *  @return RUG_OK, RUG_E_CANCELLED (with an error text) */
RUG_API rug_status rug_context_step(rug_context *ctx, double share);

/** Memory from the context's allocator for n_items * item_size bytes, not initialised.
 *  @param what  what it is for, in the error text
 *  @return the block (64-byte aligned; free it with rug_context_release()); NULL with an
 *          error text when the product does not fit an address or memory ran out. A size
 *          of 0 gives a valid block. */
RUG_API void *rug_context_allocate(rug_context *ctx, size_t n_items, size_t item_size,
                                   const char *what);

/** Frees a block of rug_context_allocate(). NULL is allowed. */
RUG_API void rug_context_release(rug_context *ctx, void *block);

#ifdef __cplusplus
}
#endif

#endif
