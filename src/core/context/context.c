/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The context: settings, callbacks, memory, error text, the CPU levels of this processor, and
 * the choice of an engine. It does no work of its own. */

#define _GNU_SOURCE /* madvise */
#include "context_internal.h"
#include "engine.h"
#include "threads.h"
#include <rugose/version.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

/* Pages of the system that are asked for where a block is as large as two of them: half
 * the time of a large sort went into small pages. */
#define LARGE_PAGE  ((size_t)2 << 20)
#define LARGE_BLOCK (2 * LARGE_PAGE)

#define TEXT_OF(x)  #x
#define TEXT_OF_(x) TEXT_OF(x)

/* Aligned blocks. posix_memalign() asks for more than it keeps, so that no block fits where an
 * equal one was released: in a batch each image took more memory. So what malloc() gave is kept in
 * front of the block, and its size; but the address sanitizer then could not see a byte too many, nor
 * the use of a released block that is kept. */
#ifdef __SANITIZE_ADDRESS__

static void *allocate_aligned(size_t n_bytes, size_t alignment)
{
    void *block = NULL;
    return posix_memalign(&block, alignment, n_bytes) == 0 ? block : NULL;
}

static void release_aligned(void *block)
{
    free(block);
}

static size_t block_bytes(const void *block)
{
    (void)block;
    return 0;
}

#else

/* What stands in front of a block. */
typedef struct block_head {
    void *whole; /* what malloc() gave */
    size_t n_bytes;
} block_head;

static void *allocate_aligned(size_t n_bytes, size_t alignment)
{
    size_t more = alignment + sizeof(block_head);
    char *whole = n_bytes <= SIZE_MAX - more ? malloc(n_bytes + more) : NULL;
    if (whole == NULL)
        return NULL;
    block_head head = {whole, n_bytes};
    char *block = whole + sizeof head;
    block += (alignment - (uintptr_t)block % alignment) % alignment;
    memcpy(block - sizeof head, &head, sizeof head);
    return block;
}

static block_head head_of(const void *block)
{
    block_head head;
    memcpy(&head, (const char *)block - sizeof head, sizeof head);
    return head;
}

static void release_aligned(void *block)
{
    if (block != NULL)
        free(head_of(block).whole);
}

static size_t block_bytes(const void *block)
{
    return block != NULL ? head_of(block).n_bytes : 0;
}

#endif

/* The system clears pages as it hands them out, which takes longer than to read a file into them. So the
 * large block that was released last waits for the next image of a batch. It goes when a large block is
 * asked for that it does not fit: memory never holds more than without it, but for one that waits. */

/* The kept block, if it fits. What does not is released. */
static void *take_kept(rugi_kept_block *kept, size_t n_bytes, size_t alignment)
{
    void *block = atomic_exchange(&kept->block, NULL);
    size_t size = block_bytes(block);
    if (block != NULL && n_bytes <= size && n_bytes >= size / 2 &&
        (uintptr_t)block % alignment == 0)
        return block;
    release_aligned(block);
    return NULL;
}

/* Keeps a block in place of a smaller one. @return what is to be released, or NULL */
static void *keep(rugi_kept_block *kept, void *block)
{
    void *other = atomic_exchange(&kept->block, block);
    if (block_bytes(other) > block_bytes(block))
        other = atomic_exchange(&kept->block, other);
    return other;
}

static void *default_allocate(void *user, size_t n_bytes, size_t alignment)
{
    if (n_bytes < LARGE_BLOCK)
        return allocate_aligned(n_bytes, alignment);
    if (alignment < LARGE_PAGE)
        alignment = LARGE_PAGE;
    void *block = take_kept(user, n_bytes, alignment);
    if (block != NULL)
        return block;
    block = allocate_aligned(n_bytes, alignment);
#ifdef MADV_HUGEPAGE
    if (block != NULL) /* a request: else memory is only slower */
        madvise(block, n_bytes, MADV_HUGEPAGE);
#endif
    return block;
}

static void default_release(void *user, void *block)
{
    release_aligned(block_bytes(block) >= LARGE_BLOCK ? keep(user, block) : block);
}

const char *rug_version(void)
{
    return TEXT_OF_(RUG_VERSION_MAJOR) "." TEXT_OF_(RUG_VERSION_MINOR) "." TEXT_OF_(
        RUG_VERSION_PATCH);
}

const char *rug_status_name(rug_status status)
{
    switch (status) {
    case RUG_OK: return "RUG_OK";
    case RUG_E_ARG: return "RUG_E_ARG";
    case RUG_E_NOMEM: return "RUG_E_NOMEM";
    case RUG_E_DEVICE: return "RUG_E_DEVICE";
    case RUG_E_IO: return "RUG_E_IO";
    case RUG_E_FORMAT: return "RUG_E_FORMAT";
    case RUG_E_UNSUPPORTED: return "RUG_E_UNSUPPORTED";
    case RUG_E_CANCELLED: return "RUG_E_CANCELLED";
    }
    return "RUG_E_?";
}

rug_status rug_context_new(rug_context **out)
{
    if (out == NULL)
        return RUG_E_ARG;
    rug_context *ctx = calloc(1, sizeof *ctx);
    *out = ctx;
    if (ctx == NULL)
        return RUG_E_NOMEM;
    ctx->n_threads = rugi_processors();
    ctx->thread_work = RUGI_WORK_OF_A_THREAD;
    ctx->device = RUGI_DEVICE_CPU;
    ctx->cpu_level = rugi_cpu_level();
    ctx->phase_to = 1;
    ctx->kept = calloc(1, sizeof *ctx->kept);
    if (ctx->kept == NULL) {
        free(ctx);
        *out = NULL;
        return RUG_E_NOMEM;
    }
    rug_context_set_allocator(ctx, NULL);
    return RUG_OK;
}

void rug_context_free(rug_context *ctx)
{
    if (ctx == NULL)
        return;
    if (ctx->free_ocl != NULL)
        ctx->free_ocl(ctx, ctx->ocl);
    rug_context_release(ctx, ctx->cache_folder);
    release_aligned(atomic_exchange(&ctx->kept->block, NULL));
    free(ctx->kept);
    free(ctx);
}

const char *rug_context_error(const rug_context *ctx)
{
    return ctx != NULL ? ctx->error : "no context: rug_context_new() has not succeeded";
}

rug_status rug_context_set_threads(rug_context *ctx, int n_threads)
{
    if (ctx == NULL)
        return RUG_E_ARG;
    if (n_threads < 0 || n_threads > RUGI_MAX_THREADS)
        return rug_context_fail(
            ctx, RUG_E_ARG, "threads: %d given, 1..%d or 0 for all processors expected",
            n_threads, RUGI_MAX_THREADS);
    ctx->n_threads = n_threads == 0 ? rugi_processors() : n_threads;
    return RUG_OK;
}

int rug_context_threads(const rug_context *ctx)
{
    return ctx != NULL ? ctx->n_threads : 1;
}

/* "opencl", or "opencl:" and a number of up to four digits.
 * @return the number, RUGI_OPENCL_ANY, or -2 for any other text */
static int opencl_number(const char *device)
{
    if (strncmp(device, "opencl", 6) != 0)
        return -2;
    if (device[6] == '\0')
        return RUGI_OPENCL_ANY;
    if (device[6] != ':')
        return -2;
    size_t n_digits = strspn(device + 7, "0123456789");
    int is_one = n_digits >= 1 && n_digits <= 4 && device[7 + n_digits] == '\0';
    return is_one ? (int)strtol(device + 7, NULL, 10) : -2;
}

rug_status rug_context_set_device(rug_context *ctx, const char *device)
{
    if (ctx == NULL || device == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "device: NULL given");
    int number = opencl_number(device);
    if (number >= RUGI_OPENCL_ANY)
        ctx->device = RUGI_DEVICE_OPENCL;
    else if (strcmp(device, "cpu") == 0)
        ctx->device = RUGI_DEVICE_CPU;
    else if (strcmp(device, "auto") == 0)
        ctx->device = RUGI_DEVICE_AUTO;
    else
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "device '%s' given, 'cpu', 'auto', 'opencl' or 'opencl:N' expected", device);
    ctx->opencl_number = number;
    ctx->has_warned_fallback = 0;
    return RUG_OK;
}

rug_status rug_context_set_cache_folder(rug_context *ctx, const char *path)
{
    if (ctx == NULL)
        return RUG_E_ARG;
    char *copy = NULL;
    if (path != NULL) {
        size_t n = strlen(path) + 1;
        copy = rug_context_allocate(ctx, n, 1, "name of the cache folder");
        if (copy == NULL)
            return RUG_E_NOMEM;
        memcpy(copy, path, n);
    }
    rug_context_release(ctx, ctx->cache_folder);
    ctx->cache_folder = copy;
    return RUG_OK;
}

rug_status rug_context_set_cpu_level(rug_context *ctx, rug_cpu_level max)
{
    if (ctx == NULL)
        return RUG_E_ARG;
    if ((int)max < RUG_CPU_REF || max > RUG_CPU_MAX)
        return rug_context_fail(ctx, RUG_E_ARG, "CPU level %d given, %d..%d expected",
                                (int)max, RUG_CPU_REF, RUG_CPU_MAX);
    rug_cpu_level there = rugi_cpu_level();
    ctx->cpu_level = max < there ? max : there;
    return RUG_OK;
}

rug_cpu_level rug_context_cpu_level(const rug_context *ctx)
{
    return ctx != NULL ? ctx->cpu_level : RUG_CPU_REF;
}

void rug_context_set_progress(rug_context *ctx, rug_progress_fn progress, void *user)
{
    if (ctx == NULL)
        return;
    ctx->progress = progress;
    ctx->progress_user = user;
}

void rug_context_set_cancel(rug_context *ctx, rug_cancel_fn cancel, void *user)
{
    if (ctx == NULL)
        return;
    ctx->cancel = cancel;
    ctx->cancel_user = user;
}

void rug_context_set_warn(rug_context *ctx, rug_warn_fn warn, void *user)
{
    if (ctx == NULL)
        return;
    ctx->warn = warn;
    ctx->warn_user = user;
}

void rug_context_set_allocator(rug_context *ctx, const rug_allocator *allocator)
{
    if (ctx == NULL)
        return;
    ctx->allocator = (rug_allocator){default_allocate, default_release, ctx->kept};
    if (allocator != NULL)
        ctx->allocator = *allocator;
}

rug_status rug_context_fail(rug_context *ctx, rug_status status, const char *format, ...)
{
    if (ctx == NULL)
        return status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(ctx->error, sizeof ctx->error, format, arguments);
    va_end(arguments);
    return status;
}

void rug_context_warn(rug_context *ctx, const char *format, ...)
{
    if (ctx == NULL || ctx->warn == NULL)
        return;
    char text[RUGI_ERROR_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ctx->warn(ctx->warn_user, text);
}

rug_status rugi_context_look(rug_context *ctx)
{
    if (ctx->cancel != NULL && ctx->cancel(ctx->cancel_user) != 0)
        return rug_context_fail(ctx, RUG_E_CANCELLED, "cancelled");
    return RUG_OK;
}

rug_status rug_context_step(rug_context *ctx, double share)
{
    if (ctx == NULL)
        return RUG_OK;
    if (ctx->progress != NULL)
        ctx->progress(ctx->progress_user,
                      ctx->phase_from + (ctx->phase_to - ctx->phase_from) * share);
    return rugi_context_look(ctx);
}

void *rug_context_allocate(rug_context *ctx, size_t n_items, size_t item_size,
                           const char *what)
{
    if (ctx == NULL)
        return NULL;
    if (item_size != 0 && n_items > (size_t)PTRDIFF_MAX / item_size) {
        rug_context_fail(ctx, RUG_E_NOMEM,
                         "%s: %zu items of %zu bytes do not fit the address space", what,
                         n_items, item_size);
        return NULL;
    }
    size_t n_bytes = n_items * item_size;
    void *block = ctx->allocator.allocate(ctx->allocator.user, n_bytes != 0 ? n_bytes : 1,
                                          RUGI_ALIGNMENT);
    if (block == NULL)
        rug_context_fail(ctx, RUG_E_NOMEM, "%s: not enough memory for %zu bytes", what,
                         n_bytes);
    return block;
}

void rug_context_release(rug_context *ctx, void *block)
{
    if (block != NULL)
        ctx->allocator.release(ctx->allocator.user, block);
}

int rugi_threads_enter(rug_context *ctx, double nanoseconds)
{
    int outer = ctx->n_threads;
    double paid = 1 + nanoseconds / ctx->thread_work;
    if (paid < outer)
        ctx->n_threads = (int)paid;
    return outer;
}

void rugi_threads_leave(rug_context *ctx, int outer)
{
    ctx->n_threads = outer;
}

rugi_phase rugi_phase_enter(rug_context *ctx, double from, double to)
{
    rugi_phase outer = {ctx->phase_from, ctx->phase_to};
    ctx->phase_from = outer.from + (outer.to - outer.from) * from;
    ctx->phase_to = outer.from + (outer.to - outer.from) * to;
    return outer;
}

void rugi_phase_leave(rug_context *ctx, rugi_phase outer)
{
    ctx->phase_from = outer.from;
    ctx->phase_to = outer.to;
}

void *rugi_allocate_zeros(rug_context *ctx, size_t n_items, size_t item_bytes,
                          const char *what)
{
    void *block = rug_context_allocate(ctx, n_items, item_bytes, what);
    return block != NULL ? memset(block, 0, n_items * item_bytes) : NULL;
}

rug_context rugi_context_quiet(const rug_context *ctx)
{
    rug_context own = *ctx;
    rug_context_set_progress(&own, NULL, NULL);
    own.error[0] = '\0';
    return own;
}

rug_context rugi_context_for_worker(const rug_context *ctx)
{
    rug_context own = rugi_context_quiet(ctx);
    own.n_threads = 1;
    own.device = RUGI_DEVICE_CPU; /* a device serves one thread */
    rug_context_set_cancel(&own, NULL, NULL);
    rug_context_set_warn(&own, NULL, NULL);
    return own;
}

void rugi_context_set_engine(rug_context *ctx, const char *engine)
{
    ctx->engine = engine;
}

const char *rug_context_engine(const rug_context *ctx)
{
    return ctx != NULL && ctx->engine != NULL ? ctx->engine : "";
}

/* ---- Engines ---- */

/* Whether the device choice allows a row to do the job. */
static int is_chosen(rug_context *ctx, const rugi_engine *row, const void *job)
{
    if (ctx->device != RUGI_DEVICE_AUTO)
        return row->device == ctx->device;
    return row->pays == NULL || row->pays(ctx, job);
}

/* Once: a batch of thousands would repeat it for each image. */
static void warn_fallback(rug_context *ctx, const rugi_engine *failed,
                          const rugi_engine *next)
{
    if (!ctx->has_warned_fallback)
        rug_context_warn(ctx, "engine %s failed (%s); going on with %s", failed->name,
                         ctx->error, next->name);
    ctx->has_warned_fallback = 1;
}

int rugi_engine_only_by_name(rug_context *ctx, const void *job)
{
    (void)ctx;
    (void)job;
    return 0;
}

rug_status rugi_engine_run(rug_context *ctx, const rugi_engine *table, size_t n_rows,
                           void *job)
{
    const rugi_engine *failed = NULL;
    rug_status status = RUG_E_DEVICE;
    for (size_t i = 0; i < n_rows; i++) {
        if (!is_chosen(ctx, &table[i], job))
            continue;
        if (failed != NULL)
            warn_fallback(ctx, failed, &table[i]);
        status = table[i].run(ctx, job);
        if (status != RUG_E_DEVICE)
            return status;
        failed = &table[i];
    }
    return failed != NULL ? status : rugi_engine_cpu_only(ctx, "this work");
}

rug_status rugi_engine_cpu_only(rug_context *ctx, const char *what)
{
    if (ctx->device != RUGI_DEVICE_OPENCL)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_DEVICE,
        "device 'opencl': %s has no OpenCL engine; use 'cpu' or 'auto'", what);
}
