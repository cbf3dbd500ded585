/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Exclusive prefix sums on OpenCL devices: sums of blocks, the prefix sums of these by the
 * same means, then the numbers of each block. */

#include "ocl_shape.h"

extern const rugi_ocl_source rugi_cl_ocl_scan;
extern const rugi_ocl_source rugi_cl_ocl_scan_chunks;

/* Of ocl_scan.cl: numbers that a group scans. */
#define BLOCK 2048

/* Sums of sums: 2048^6 numbers fit no memory. */
#define LEVELS_MAX 6

/* Numbers of each level: those of the caller, then sums of blocks of the level before,
 * which lie behind each other in the scratch. */
typedef struct levels {
    uint64_t n[LEVELS_MAX], first[LEVELS_MAX];
    int n_levels;
} levels;

static levels levels_of(size_t n)
{
    levels l = {.n = {n}, .n_levels = 1};
    for (int i = 1; l.n[i - 1] > BLOCK; i++) {
        l.n[i] = (l.n[i - 1] - 1) / BLOCK + 1;
        l.first[i] = i == 1 ? 0 : l.first[i - 1] + l.n[i - 1];
        l.n_levels++;
    }
    return l;
}

size_t rugi_ocl_scan_scratch(size_t n)
{
    levels l = levels_of(n);
    size_t sum = 0;
    for (int i = 1; i < l.n_levels; i++)
        sum += (size_t)l.n[i];
    return sum > RUGI_OCL_CHUNKS_MAX ? sum : RUGI_OCL_CHUNKS_MAX;
}

/* What scan_by_blocks() works with. */
typedef struct scan {
    rugi_ocl *device;
    rugi_ocl_buffer *numbers, *scratch;
    levels levels;
    rugi_ocl_grouped sum, scan;
} scan;

static size_t groups_of(const scan *s, int level)
{
    return (size_t)((s->levels.n[level] - 1) / BLOCK + 1);
}

static rug_status sum_level(rug_context *ctx, const scan *s, int level)
{
    const levels *l = &s->levels;
    rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(level == 0 ? s->numbers : s->scratch),
                           RUGI_OCL_ARG(l->first[level]), RUGI_OCL_ARG(l->n[level]),
                           rugi_ocl_arg_buffer(s->scratch),
                           RUGI_OCL_ARG(l->first[level + 1])};
    return rugi_ocl_grouped_run(ctx, s->device, &s->sum, args, 5, groups_of(s, level));
}

static rug_status scan_level(rug_context *ctx, const scan *s, int level)
{
    const levels *l = &s->levels;
    uint32_t has_sums = level + 1 < l->n_levels;
    uint64_t sums_first = has_sums ? l->first[level + 1] : 0;
    rugi_ocl_arg args[] = {
        rugi_ocl_arg_buffer(level == 0 ? s->numbers : s->scratch),
        RUGI_OCL_ARG(l->first[level]),
        RUGI_OCL_ARG(l->n[level]),
        rugi_ocl_arg_buffer(s->scratch),
        RUGI_OCL_ARG(sums_first),
        RUGI_OCL_ARG(has_sums),
    };
    return rugi_ocl_grouped_run(ctx, s->device, &s->scan, args, 6, groups_of(s, level));
}

static rug_status scan_by_blocks(rug_context *ctx, rugi_ocl *device,
                                 rugi_ocl_buffer *numbers, size_t n,
                                 rugi_ocl_buffer *scratch)
{
    scan s = {device, numbers, scratch, levels_of(n), {0}, {0}};
    rug_status status =
        rugi_ocl_grouped_get(ctx, device, &s.sum, &rugi_cl_ocl_scan, "", "sum_blocks");
    if (status == RUG_OK)
        status = rugi_ocl_grouped_get(ctx, device, &s.scan, &rugi_cl_ocl_scan, "",
                                      "scan_blocks");
    for (int i = 0; i + 1 < s.levels.n_levels && status == RUG_OK; i++)
        status = sum_level(ctx, &s, i);
    for (int i = s.levels.n_levels - 1; i >= 0 && status == RUG_OK; i--)
        status = scan_level(ctx, &s, i);
    return status;
}

static rug_status scan_by_chunks(rug_context *ctx, rugi_ocl *device,
                                 rugi_ocl_buffer *numbers, size_t n,
                                 rugi_ocl_buffer *scratch)
{
    static const rugi_ocl_source *const sources[] = {&rugi_cl_ocl_scan_chunks};
    const rugi_ocl_build build = {.sources = sources, .n_sources = 1};
    const size_t n_chunks = rugi_ocl_n_chunks(device, n), one = 1;
    const uint64_t n_numbers = n;
    rugi_ocl_kernel *sum_kernel, *scan_kernel;
    rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(numbers), RUGI_OCL_ARG(n_numbers),
                           rugi_ocl_arg_buffer(scratch)};
    rug_status status =
        rugi_ocl_kernel_get(ctx, device, &sum_kernel, &build, "sum_chunks");
    if (status == RUG_OK)
        status = rugi_ocl_kernel_get(ctx, device, &scan_kernel, &build, "scan_chunks");
    if (status == RUG_OK && n_chunks > 1)
        status = rugi_ocl_run(ctx, device, sum_kernel, args, 3, 1, &n_chunks, &one);
    if (status == RUG_OK)
        status = rugi_ocl_run(ctx, device, scan_kernel, args, 3, 1, &n_chunks, &one);
    return status;
}

rug_status rugi_ocl_scan_u32(rug_context *ctx, rugi_ocl *device, rugi_ocl_buffer *numbers,
                             size_t n, rugi_ocl_buffer *scratch, rugi_ocl_shape shape)
{
    if (rugi_ocl_shape_resolve(device, shape) == RUGI_OCL_SHAPE_WIDE)
        return scan_by_blocks(ctx, device, numbers, n, scratch);
    return scan_by_chunks(ctx, device, numbers, n, scratch);
}
