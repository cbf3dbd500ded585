/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_CONTEXT_H
#define RUGOSE_CONTEXT_H

#include <rugose/export.h>
#include <rugose/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rug_context rug_context;

RUG_API rug_status rug_context_new(rug_context **out);

RUG_API void rug_context_free(rug_context *ctx);

RUG_API const char *rug_context_error(const rug_context *ctx);

RUG_API rug_status rug_context_set_threads(rug_context *ctx, int n_threads);

RUG_API int rug_context_threads(const rug_context *ctx);

RUG_API rug_status rug_context_set_device(rug_context *ctx, const char *device);

RUG_API rug_status rug_context_set_cache_folder(rug_context *ctx, const char *path);

RUG_API const char *rug_context_engine(const rug_context *ctx);

typedef enum rug_cpu_level {
    RUG_CPU_REF = 0,
    RUG_CPU_AVX2 = 1,
    RUG_CPU_AVX512 = 2,
    RUG_CPU_WASM = 1,
    RUG_CPU_MAX = RUG_CPU_AVX512
} rug_cpu_level;

RUG_API rug_status rug_context_set_cpu_level(rug_context *ctx, rug_cpu_level max);

RUG_API rug_cpu_level rug_context_cpu_level(const rug_context *ctx);

RUG_API const char *rug_cpu_level_name(rug_cpu_level level);

typedef void (*rug_progress_fn)(void *user, double share);

typedef int (*rug_cancel_fn)(void *user);

RUG_API void rug_context_set_progress(rug_context *ctx, rug_progress_fn progress,
                                      void *user);

RUG_API void rug_context_set_cancel(rug_context *ctx, rug_cancel_fn cancel, void *user);

typedef void (*rug_warn_fn)(void *user, const char *text);

RUG_API void rug_context_set_warn(rug_context *ctx, rug_warn_fn warn, void *user);

typedef struct rug_allocator {

    void *(*allocate)(void *user, size_t n_bytes, size_t alignment);
    void (*release)(void *user, void *block);
    void *user;
} rug_allocator;

RUG_API void rug_context_set_allocator(rug_context *ctx, const rug_allocator *allocator);

RUG_API rug_status rug_context_fail(rug_context *ctx, rug_status status,
                                    const char *format, ...) RUG_PRINTF(3, 4);

RUG_API void rug_context_warn(rug_context *ctx, const char *format, ...) RUG_PRINTF(2, 3);

RUG_API rug_status rug_context_step(rug_context *ctx, double share);

RUG_API void *rug_context_allocate(rug_context *ctx, size_t n_items, size_t item_size,
                                   const char *what);

RUG_API void rug_context_release(rug_context *ctx, void *block);

#ifdef __cplusplus
}
#endif

#endif
