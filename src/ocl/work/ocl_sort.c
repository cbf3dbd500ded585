/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Kernels over many items in the two shapes of launch, exclusive prefix sums, and the sorting
 * of keys by the digits of a radix sort, the lowest first: in each pass the device counts the
 * digits, part by part, sums the counts up to places, and moves the keys there. */

#include "ocl_sort.h"
#include <assert.h>
#include <stdio.h>

extern const rugi_ocl_source rugi_cl_ocl_scan;
extern const rugi_ocl_source rugi_cl_ocl_scan_chunks;
extern const rugi_ocl_source rugi_cl_ocl_sort_wide;
extern const rugi_ocl_source rugi_cl_ocl_sort_chunks;

/* Of ocl_sort_wide.cl, and of a chunk: the lines that it writes to, one for each digit, stay
 * in the nearest cache. */
#define WIDE_DIGIT_BITS  8
#define CHUNK_DIGIT_BITS 9

extern const rugi_ocl_family rugi_cl_ocl_scan_family;
const rugi_ocl_family rugi_cl_ocl_scan_family = {
    .sources = {&rugi_cl_ocl_group, &rugi_cl_ocl_scan},
    .kernels = {"sum_blocks", "scan_blocks"},
    .is_grouped = 1};

extern const rugi_ocl_family rugi_cl_ocl_scan_chunks_family;
const rugi_ocl_family rugi_cl_ocl_scan_chunks_family = {
    .sources = {&rugi_cl_ocl_scan_chunks}, .kernels = {"sum_chunks", "scan_chunks"}};

extern const rugi_ocl_family rugi_cl_ocl_sort_wide_family;
const rugi_ocl_family rugi_cl_ocl_sort_wide_family = {
    .sources = {&rugi_cl_ocl_group, &rugi_cl_ocl_sort_wide},
    .kernels = {"count_tiles", "scatter_tiles"},
    .options = {{"KEY_BYTES", 2, {4, 8}}, {"DIGITS", 1, {1 << WIDE_DIGIT_BITS}}},
    .is_grouped = 1};

extern const rugi_ocl_family rugi_cl_ocl_sort_chunks_family;
const rugi_ocl_family rugi_cl_ocl_sort_chunks_family = {
    .sources = {&rugi_cl_ocl_sort_chunks},
    .kernels = {"count_chunks", "scatter_chunks"},
    .options = {{"KEY_BYTES", 2, {4, 8}}, {"DIGITS", 1, {1 << CHUNK_DIGIT_BITS}}}};

/* ---- Shapes of launch ---- */

/* What kernels are written for; smaller groups do more rounds. */
#define ITEMS 256

/* Compilers for processors vectorise across the items of a group, and have compiled kernels
 * with private arrays and barriers wrongly. There only tests use groups. */
#define PLAIN "-cl-opt-disable "

rugi_ocl_shape rugi_ocl_shape_resolve(const rugi_ocl *device, rugi_ocl_shape shape)
{
    if (shape != RUGI_OCL_SHAPE_DEVICE)
        return shape;
    return rugi_ocl_facts(device)->type == RUG_DEVICE_CPU ? RUGI_OCL_SHAPE_CHUNKS
                                                          : RUGI_OCL_SHAPE_WIDE;
}

rug_status rugi_ocl_grouped_get(rug_context *ctx, rugi_ocl *device, rugi_ocl_grouped *out,
                                const rugi_ocl_family *family, const int *values,
                                const char *name)
{
    int is_cpu = rugi_ocl_facts(device)->type == RUG_DEVICE_CPU;
    for (size_t items = ITEMS; items > 0; items /= 2) {
        char first[48], text[RUGI_OCL_FAMILY_TEXT];
        if (items > rugi_ocl_group_max(device))
            continue;
        snprintf(first, sizeof first, "%s-DITEMS=%zu ", is_cpu ? PLAIN : "", items);
        rugi_ocl_build build;
        rug_status status =
            rugi_ocl_family_program(ctx, &build, family, values, name, first, text);
        if (status != RUG_OK)
            return status;
        status = rugi_ocl_kernel_get(ctx, device, &out->kernel, &build, name);
        out->items = items;
        if (status != RUG_OK || rugi_ocl_kernel_group_max(out->kernel) >= items)
            return status;
    }
    return rug_context_fail(ctx, RUG_E_DEVICE,
                            "%s: kernel %s needs work groups of one item at least, and "
                            "this device has none; use device 'cpu'",
                            rugi_ocl_facts(device)->name, name);
}

rug_status rugi_ocl_grouped_run(rug_context *ctx, rugi_ocl *device,
                                const rugi_ocl_grouped *grouped, const rugi_ocl_arg *args,
                                size_t n_args, size_t n_groups)
{
    size_t n_items = n_groups * grouped->items;
    return rugi_ocl_run(ctx, device, grouped->kernel, args, n_args, 1, &n_items,
                        &grouped->items);
}

/* ---- Prefix sums: sums of blocks, the prefix sums of these by the same means, then the
 * numbers of each block ---- */

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
    rug_status status = rugi_ocl_grouped_get(
        ctx, device, &s.sum, &rugi_cl_ocl_scan_family, NULL, "sum_blocks");
    if (status == RUG_OK)
        status = rugi_ocl_grouped_get(ctx, device, &s.scan, &rugi_cl_ocl_scan_family,
                                      NULL, "scan_blocks");
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
    const rugi_ocl_family *family = &rugi_cl_ocl_scan_chunks_family;
    const size_t n_chunks = rugi_ocl_n_chunks(device, n), one = 1;
    const uint64_t n_numbers = n;
    rugi_ocl_kernel *sum_kernel, *scan_kernel;
    rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(numbers), RUGI_OCL_ARG(n_numbers),
                           rugi_ocl_arg_buffer(scratch)};
    rug_status status =
        rugi_ocl_family_get(ctx, device, &sum_kernel, family, NULL, "sum_chunks");
    if (status == RUG_OK)
        status =
            rugi_ocl_family_get(ctx, device, &scan_kernel, family, NULL, "scan_chunks");
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

/* ---- Sorting ---- */

/* Of ocl_sort_wide.cl. */
#define TILE(key_bytes) ((size_t)((key_bytes) == 4 ? 3840 : 1792))

struct rugi_ocl_sorter {
    rug_context *ctx;
    rugi_ocl *device;
    rugi_ocl_shape shape;
    size_t n_max, key_bytes;
    rugi_ocl_grouped count, scatter;
    rugi_ocl_buffer *counts; /* [digit][part] */
    rugi_ocl_buffer *scratch;
};

static unsigned digit_bits(rugi_ocl_shape shape)
{
    return shape == RUGI_OCL_SHAPE_WIDE ? WIDE_DIGIT_BITS : CHUNK_DIGIT_BITS;
}

/* Tiles or chunks of n keys. */
static size_t parts_of(const rugi_ocl *device, rugi_ocl_shape shape, size_t n,
                       size_t key_bytes)
{
    return shape == RUGI_OCL_SHAPE_WIDE ? (n + TILE(key_bytes) - 1) / TILE(key_bytes)
                                        : rugi_ocl_n_chunks(device, n);
}

/* The most numbers of counts. */
static size_t counts_of(const rugi_ocl *device, rugi_ocl_shape shape, size_t n_max,
                        size_t key_bytes)
{
    return parts_of(device, shape, n_max, key_bytes) << digit_bits(shape);
}

uint64_t rugi_ocl_sorter_bytes(const rugi_ocl *device, size_t n_max, size_t key_bytes,
                               rugi_ocl_shape shape)
{
    shape = rugi_ocl_shape_resolve(device, shape);
    size_t n = counts_of(device, shape, n_max, key_bytes);
    return (n + rugi_ocl_scan_scratch(n)) * (uint64_t)sizeof(uint32_t);
}

static rug_status get_kernels(rug_context *ctx, rugi_ocl_sorter *s)
{
    const rugi_ocl_family *wide = &rugi_cl_ocl_sort_wide_family;
    const rugi_ocl_family *chunks = &rugi_cl_ocl_sort_chunks_family;
    const int values[] = {(int)s->key_bytes, 1 << digit_bits(s->shape)};
    rug_status status;
    if (s->shape == RUGI_OCL_SHAPE_WIDE) {
        status =
            rugi_ocl_grouped_get(ctx, s->device, &s->count, wide, values, "count_tiles");
        return status != RUG_OK ? status
                                : rugi_ocl_grouped_get(ctx, s->device, &s->scatter, wide,
                                                       values, "scatter_tiles");
    }
    s->count.items = s->scatter.items = 1;
    status = rugi_ocl_family_get(ctx, s->device, &s->count.kernel, chunks, values,
                                 "count_chunks");
    return status != RUG_OK ? status
                            : rugi_ocl_family_get(ctx, s->device, &s->scatter.kernel,
                                                  chunks, values, "scatter_chunks");
}

static rug_status make_buffers(rug_context *ctx, rugi_ocl_sorter *s)
{
    size_t n = counts_of(s->device, s->shape, s->n_max, s->key_bytes);
    rug_status status =
        rugi_ocl_buffer_new(ctx, s->device, &s->counts, n, sizeof(uint32_t),
                            RUGI_OCL_READ_WRITE, "counts of digits");
    if (status == RUG_OK)
        status =
            rugi_ocl_buffer_new(ctx, s->device, &s->scratch, rugi_ocl_scan_scratch(n),
                                sizeof(uint32_t), RUGI_OCL_READ_WRITE, "sums of counts");
    return status;
}

rug_status rugi_ocl_sorter_new(rug_context *ctx, rugi_ocl *device, rugi_ocl_sorter **out,
                               size_t n_max, size_t key_bytes, rugi_ocl_shape shape)
{
    assert(n_max > 0 && (key_bytes == 4 || key_bytes == 8));
    *out = NULL;
    if (n_max > UINT32_MAX)
        return rug_context_fail(ctx, RUG_E_DEVICE,
                                "%zu keys to sort on %s, which takes at most %lu; use "
                                "device 'cpu'",
                                n_max, rugi_ocl_facts(device)->name,
                                (unsigned long)UINT32_MAX);
    rugi_ocl_sorter *s = rug_context_allocate(ctx, 1, sizeof *s, "sorter");
    if (s == NULL)
        return RUG_E_NOMEM;
    *s = (rugi_ocl_sorter){.ctx = ctx,
                           .device = device,
                           .shape = rugi_ocl_shape_resolve(device, shape),
                           .n_max = n_max,
                           .key_bytes = key_bytes};
    rug_status status = get_kernels(ctx, s);
    if (status == RUG_OK)
        status = make_buffers(ctx, s);
    if (status == RUG_OK)
        *out = s;
    else
        rugi_ocl_sorter_free(s);
    return status;
}

void rugi_ocl_sorter_free(rugi_ocl_sorter *sorter)
{
    if (sorter == NULL)
        return;
    rugi_ocl_buffer_free(sorter->device, sorter->scratch);
    rugi_ocl_buffer_free(sorter->device, sorter->counts);
    rug_context_release(sorter->ctx, sorter);
}

/* One pass, by the digit of `width` bits at `shift`. */
static rug_status move_keys(rug_context *ctx, rugi_ocl_sorter *s, rugi_ocl_buffer *from,
                            rugi_ocl_buffer *to, uint32_t n, uint32_t shift,
                            unsigned width)
{
    size_t n_parts = parts_of(s->device, s->shape, n, s->key_bytes);
    uint32_t mask = (1U << width) - 1;
    rugi_ocl_arg count[] = {rugi_ocl_arg_buffer(from), RUGI_OCL_ARG(n),
                            RUGI_OCL_ARG(shift), RUGI_OCL_ARG(mask),
                            rugi_ocl_arg_buffer(s->counts)};
    rugi_ocl_arg scatter[] = {rugi_ocl_arg_buffer(from), rugi_ocl_arg_buffer(to),
                              RUGI_OCL_ARG(n),           RUGI_OCL_ARG(shift),
                              RUGI_OCL_ARG(mask),        rugi_ocl_arg_buffer(s->counts)};
    rug_status status =
        rugi_ocl_grouped_run(ctx, s->device, &s->count, count, 5, n_parts);
    if (status == RUG_OK)
        status = rugi_ocl_scan_u32(ctx, s->device, s->counts, n_parts << width,
                                   s->scratch, s->shape);
    if (status == RUG_OK)
        status = rugi_ocl_grouped_run(ctx, s->device, &s->scatter, scatter, 6, n_parts);
    return status;
}

rug_status rugi_ocl_sort(rug_context *ctx, rugi_ocl_sorter *sorter,
                         rugi_ocl_buffer **keys, rugi_ocl_buffer **other, size_t n,
                         unsigned bits)
{
    assert(n <= sorter->n_max && bits <= 8 * sorter->key_bytes);
    if (n < 2)
        return RUG_OK;
    unsigned most = digit_bits(sorter->shape), width;
    for (unsigned shift = 0; shift < bits; shift += width) {
        unsigned n_left = (bits - shift - 1) / most + 1; /* passes, of equal widths */
        width = (bits - shift - 1) / n_left + 1;
        rug_status status =
            move_keys(ctx, sorter, *keys, *other, (uint32_t)n, shift, width);
        if (status != RUG_OK)
            return status;
        rugi_ocl_buffer *sorted = *other;
        *other = *keys;
        *keys = sorted;
    }
    return RUG_OK;
}
