/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The steps of the method HOU on an OpenCL device: places go there piece by piece and
 * become keys; sorted keys are scanned, selected, and turned to keys of boxes. */

#include "boxcount_hou_steps.h"
#include "threads.h"
#include <stdio.h>
#include <string.h>

extern const rugi_ocl_source rugi_cl_boxcount_hou;

/* Cells that are brought there at once. */
#define PIECE_CELLS ((size_t)1 << 20)

/* Wide: items of a group, keys that an item scans at least, and groups of a launch, of a
 * scan for each compute unit and at least. */
#define WIDE_ITEMS       256
#define WIDE_SCAN_KEYS   16
#define WIDE_GROUPS      ((size_t)1 << 20)
#define WIDE_SCAN_GROUPS 8
#define WIDE_SCAN_LEAST  1024

/* In chunks: groups of one item for each compute unit, so that one which starts late
 * leaves its share of them to others, and things that are worth a group. */
#define CHUNK_GROUPS 4
#define CHUNK_LEAST  1024

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t tallies_of(const rugi_hou_device *d)
{
    return 8 * d->key_bytes + RUGI_HOU_FULL;
}

static int is_wide(const rugi_hou_device *d)
{
    return d->shape == RUGI_OCL_SHAPE_WIDE;
}

static size_t groups_for(const rugi_hou_device *d, rugi_hou_step step, size_t n)
{
    size_t units = rugi_ocl_facts(d->ocl)->compute_units;
    size_t each = CHUNK_LEAST, most = CHUNK_GROUPS * (units > 0 ? units : 1);
    if (is_wide(d)) {
        each = d->group * (step == RUGI_HOU_SCAN ? WIDE_SCAN_KEYS : 1);
        most = WIDE_SCAN_GROUPS * units;
        most = most > WIDE_SCAN_LEAST ? most : WIDE_SCAN_LEAST;
        most = step == RUGI_HOU_SCAN ? most : WIDE_GROUPS;
    }
    return smaller((n - 1) / each + 1, most);
}

/* @param n  things to go through, at least 1 */
static rug_status run_step(rugi_hou_device *d, rugi_hou_step step,
                           const rugi_ocl_arg *args, size_t n_args, size_t n)
{
    size_t items = groups_for(d, step, n) * d->group;
    return rugi_ocl_run(d->ctx, d->ocl, d->kernels[step], args, n_args, 1, &items,
                        &d->group);
}

#define RUN(d, step, args, n) run_step(d, step, args, sizeof(args) / sizeof((args)[0]), n)

static rug_status get_kernels(rugi_hou_device *d)
{
    static const char *const names[RUGI_HOU_STEPS] = {
        "hou_keys", "hou_scan", "hou_flag_runs", "hou_take_runs", "hou_boxes"};
    static const rugi_ocl_source *const sources[] = {&rugi_cl_boxcount_hou};
    char options[80];
    snprintf(options, sizeof options, "-DKEY_BITS=%d -DPLACE_BITS=%d -DIS_WIDE=%d",
             8 * (int)d->key_bytes, 8 * (int)d->place_bytes, is_wide(d));
    const rugi_ocl_build build = {.sources = sources, .n_sources = 1, .options = options};
    rug_status status = RUG_OK;
    d->group = is_wide(d) ? WIDE_ITEMS : 1;
    for (int i = 0; i < RUGI_HOU_STEPS && status == RUG_OK; i++) {
        status = rugi_ocl_kernel_get(d->ctx, d->ocl, &d->kernels[i], &build, names[i]);
        if (status == RUG_OK)
            d->group = smaller(d->group, rugi_ocl_kernel_group_max(d->kernels[i]));
    }
    return status;
}

static void flatten(uint8_t (*flat)[RUGI_HOU_LAYOUT_AXIS], const rugi_key_layout *layout)
{
    for (int a = 0; a < layout->axes; a++) {
        flat[a][0] = (uint8_t)layout->n_bits[a];
        memcpy(flat[a] + 1, layout->key_bit[a], sizeof layout->key_bit[a]);
    }
}

static rug_status write_layout(rugi_hou_device *d, size_t which,
                               const rugi_key_layout *layout)
{
    size_t n_bytes = d->axes * sizeof d->host_layouts[0][0];
    flatten(d->host_layouts[which], layout);
    return rugi_ocl_write(d->ctx, d->ocl, d->layouts, which * n_bytes,
                          d->host_layouts[which], n_bytes);
}

static rug_status make_small_buffers(rugi_hou_device *d)
{
    size_t n_groups = groups_for(d, RUGI_HOU_SCAN, d->n);
    d->host_counts = rug_context_allocate(
        d->ctx, n_groups, tallies_of(d) * sizeof *d->host_counts, "counts of keys");
    if (d->host_counts == NULL)
        return RUG_E_NOMEM;
    memset(d->host_counts, 0, n_groups * tallies_of(d) * sizeof *d->host_counts);
    rug_status status = rugi_ocl_buffer_new(d->ctx, d->ocl, &d->counts, n_groups,
                                            tallies_of(d) * sizeof *d->host_counts,
                                            RUGI_OCL_WRITE, "counts of keys");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(d->ctx, d->ocl, &d->layouts, 2 * d->axes,
                                     sizeof d->host_layouts[0][0], RUGI_OCL_READ,
                                     "layouts of keys");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(d->ctx, d->ocl, &d->bases, d->axes,
                                     sizeof d->host_bases[0], RUGI_OCL_READ,
                                     "bases of places");
    return status;
}

rug_status rugi_hou_device_new(rugi_hou_device *d, size_t n_key_buffers)
{
    rugi_ocl_buffer **const keys[] = {&d->keys, &d->other, &d->third};
    d->n = (size_t)d->cells->n;
    d->kernel_seconds = rugi_ocl_times(d->ocl)->kernel_seconds;
    rug_status status = get_kernels(d);
    if (status == RUG_OK)
        status = make_small_buffers(d);
    for (size_t i = 0; i < n_key_buffers && status == RUG_OK; i++)
        status = rugi_ocl_buffer_new(d->ctx, d->ocl, keys[i], d->n, d->key_bytes,
                                     RUGI_OCL_READ_WRITE, "Morton keys");
    if (status == RUG_OK)
        status =
            rugi_ocl_sorter_new(d->ctx, d->ocl, &d->sorter, d->n, d->key_bytes, d->shape);
    return status;
}

void rugi_hou_device_free(rugi_hou_device *d)
{
    rugi_ocl_buffer *const buffers[] = {d->keys,        d->other,   d->third, d->sums,
                                        d->sum_scratch, d->layouts, d->bases, d->counts};
    rugi_ocl_sorter_free(d->sorter);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        rugi_ocl_buffer_free(d->ocl, buffers[i]);
    rug_context_release(d->ctx, d->host_counts);
}

rug_status rugi_hou_stage(rugi_hou_device *d, double *stage)
{
    rug_status status = rugi_ocl_wait(d->ctx, d->ocl);
    if (status != RUG_OK)
        return status;
    double seconds = rugi_ocl_times(d->ocl)->kernel_seconds;
    *stage += seconds - d->kernel_seconds;
    d->kernel_seconds = seconds;
    return RUG_OK;
}

/* ---- Keys ---- */

/* Cells of some blocks, on their way to the device. */
typedef struct piece {
    const rugi_hou_device *d;
    size_t first_block, n_blocks, n;
    uint64_t *places; /* of a block, per thread */
    void *staged;     /* [axis][n], from the base of the axis, of place_bytes */
    rugi_ocl_buffer *buffer;
} piece;

static void stage_task(void *shared, size_t task, int thread)
{
    const piece *p = shared;
    const rugi_hou_device *d = p->d;
    const rugi_cells *cells = d->cells;
    uint64_t *places = p->places + (size_t)thread * d->axes * RUGI_CELLS_BLOCK;
    size_t block = p->first_block + task;
    uint64_t before = rugi_cells_before(cells, block);
    size_t n = (size_t)(rugi_cells_before(cells, block + 1) - before);
    size_t at = (size_t)(before - rugi_cells_before(cells, p->first_block));
    if (n == 0)
        return;
    cells->load(cells->user, block, places);
    for (uint32_t a = 0; a < d->axes; a++, at += p->n, places += RUGI_CELLS_BLOCK)
        for (size_t i = 0; i < n; i++) {
            uint64_t v = places[i] - d->layout->base[a];
            if (d->place_bytes == sizeof v)
                ((uint64_t *)p->staged)[at + i] = v;
            else
                ((uint32_t *)p->staged)[at + i] = (uint32_t)v;
        }
}

/* As many blocks as fit a piece. */
static void choose_blocks(piece *p)
{
    const rugi_cells *cells = p->d->cells;
    uint64_t before = rugi_cells_before(cells, p->first_block);
    size_t end = p->first_block;
    while (end < cells->n_blocks &&
           rugi_cells_before(cells, end + 1) - before <= PIECE_CELLS)
        end++;
    p->n_blocks = end - p->first_block;
    p->n = (size_t)(rugi_cells_before(cells, end) - before);
}

/* What is staged is written anew for the next piece, so the device must have read it. */
static rug_status send_piece(rugi_hou_device *d, piece *p)
{
    uint64_t n = p->n, first = rugi_cells_before(d->cells, p->first_block);
    rug_status status = rugi_parallel_for(d->ctx, p->n_blocks, stage_task, p);
    if (status != RUG_OK || n == 0)
        return status;
    status = rugi_ocl_write(d->ctx, d->ocl, p->buffer, 0, p->staged,
                            p->n * d->axes * d->place_bytes);
    const rugi_ocl_arg args[] = {
        rugi_ocl_arg_buffer(p->buffer), RUGI_OCL_ARG(n),
        RUGI_OCL_ARG(d->axes),          rugi_ocl_arg_buffer(d->layouts),
        rugi_ocl_arg_buffer(d->keys),   RUGI_OCL_ARG(first)};
    if (status == RUG_OK)
        status = RUN(d, RUGI_HOU_KEYS, args, p->n);
    return status == RUG_OK ? rugi_ocl_wait(d->ctx, d->ocl) : status;
}

static rug_status send_pieces(rugi_hou_device *d, piece *p)
{
    const rugi_cells *cells = d->cells;
    rug_status status = write_layout(d, 0, d->layout);
    for (; status == RUG_OK && p->first_block < cells->n_blocks;
         p->first_block += p->n_blocks) {
        choose_blocks(p);
        double done = (double)rugi_cells_before(cells, p->first_block);
        double all = (double)cells->n;
        rugi_phase outer =
            rugi_phase_enter(d->ctx, done / all, (done + (double)p->n) / all);
        status = send_piece(d, p);
        rugi_phase_leave(d->ctx, outer);
    }
    return status;
}

rug_status rugi_hou_device_keys(rugi_hou_device *d)
{
    piece p = {.d = d};
    size_t room = smaller(d->n, PIECE_CELLS);
    size_t n_threads = (size_t)rug_context_threads(d->ctx);
    p.places =
        rug_context_allocate(d->ctx, n_threads * d->axes,
                             RUGI_CELLS_BLOCK * sizeof *p.places, "cells of a block");
    p.staged = rug_context_allocate(d->ctx, room * d->axes, d->place_bytes,
                                    "cells for the device");
    rug_status status = RUG_E_NOMEM;
    if (p.places != NULL && p.staged != NULL)
        status = rugi_ocl_buffer_new(d->ctx, d->ocl, &p.buffer, room * d->axes,
                                     d->place_bytes, RUGI_OCL_READ, "cells");
    if (status == RUG_OK)
        status = send_pieces(d, &p);
    rugi_ocl_buffer_free(d->ocl, p.buffer);
    rug_context_release(d->ctx, p.staged);
    rug_context_release(d->ctx, p.places);
    return status;
}

/* ---- Sorted keys ---- */

/* There is one set more than there are keys that begin another. */
static void collect(const rugi_hou_device *d, rugi_key_counts *out, size_t n_groups)
{
    size_t key_bits = 8 * d->key_bytes;
    uint64_t begun = 1, full = 0;
    out->nonempty[key_bits] = begun;
    for (size_t b = key_bits; b-- > 0;) {
        for (size_t g = 0; g < n_groups; g++) {
            const uint32_t *counts = d->host_counts + g * tallies_of(d);
            begun += counts[b];
            full += b > 0 && b < RUGI_HOU_FULL ? counts[key_bits + b] : 0;
        }
        out->nonempty[b] = begun;
        out->full[b] = full;
    }
    out->full[0] = begun;
}

rug_status rugi_hou_device_scan(rugi_hou_device *d, rugi_key_counts *out,
                                const rugi_ocl_buffer *keys, size_t n, unsigned most_bits)
{
    uint64_t n_keys = n;
    uint32_t most = most_bits < RUGI_HOU_FULL ? most_bits : RUGI_HOU_FULL - 1;
    memset(out, 0, sizeof *out);
    if (n == 0)
        return RUG_OK;
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(keys), RUGI_OCL_ARG(n_keys),
                                 RUGI_OCL_ARG(d->axes), RUGI_OCL_ARG(most),
                                 rugi_ocl_arg_buffer(d->counts)};
    size_t n_groups = groups_for(d, RUGI_HOU_SCAN, n);
    rug_status status = RUN(d, RUGI_HOU_SCAN, args, n);
    if (status == RUG_OK)
        status = rugi_ocl_read(d->ctx, d->ocl, d->counts, 0, d->host_counts,
                               n_groups * tallies_of(d) * sizeof *d->host_counts);
    if (status == RUG_OK)
        collect(d, out, n_groups);
    return status;
}

static rug_status make_sums(rugi_hou_device *d)
{
    size_t n = (size_t)d->cells->n + 1;
    rug_status status = RUG_OK;
    if (d->sums == NULL)
        status = rugi_ocl_buffer_new(d->ctx, d->ocl, &d->sums, n, sizeof(uint32_t),
                                     RUGI_OCL_READ_WRITE, "places of runs");
    if (status == RUG_OK && d->sum_scratch == NULL)
        status =
            rugi_ocl_buffer_new(d->ctx, d->ocl, &d->sum_scratch, rugi_ocl_scan_scratch(n),
                                sizeof(uint32_t), RUGI_OCL_READ_WRITE, "sums of runs");
    return status;
}

rug_status rugi_hou_device_select(rugi_hou_device *d, rugi_ocl_buffer *to,
                                  size_t *n_selected, const rugi_ocl_buffer *from,
                                  size_t n, uint64_t length)
{
    uint64_t n_keys = n;
    uint32_t found = 0;
    rug_status status = make_sums(d);
    if (status != RUG_OK)
        return status;
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(from), RUGI_OCL_ARG(n_keys),
                                 RUGI_OCL_ARG(length), rugi_ocl_arg_buffer(d->sums),
                                 rugi_ocl_arg_buffer(to)};
    status = run_step(d, RUGI_HOU_FLAG_RUNS, args, 4, n + 1);
    if (status == RUG_OK)
        status =
            rugi_ocl_scan_u32(d->ctx, d->ocl, d->sums, n + 1, d->sum_scratch, d->shape);
    if (status == RUG_OK)
        status = run_step(d, RUGI_HOU_TAKE_RUNS, args, 5, n);
    if (status == RUG_OK)
        status = rugi_ocl_read(d->ctx, d->ocl, d->sums, n * sizeof found, &found,
                               sizeof found);
    if (status == RUG_OK && found > n)
        status = rug_context_fail(d->ctx, RUG_E_DEVICE,
                                  "OpenCL device %s found %u runs in %zu keys: it does "
                                  "not compute as it should; use device 'cpu'",
                                  rugi_ocl_engine_name(d->ocl), found, n);
    *n_selected = found;
    return status;
}

rug_status rugi_hou_device_boxes(rugi_hou_device *d, rugi_ocl_buffer *to, uint64_t size,
                                 const rugi_key_layout *boxes)
{
    uint64_t n = d->n, zero = d->cells->range.zero;
    for (uint32_t a = 0; a < d->axes; a++) {
        d->host_bases[a][0] = d->layout->base[a];
        d->host_bases[a][1] = boxes->base[a];
    }
    rug_status status = write_layout(d, 1, boxes);
    if (status == RUG_OK)
        status = rugi_ocl_write(d->ctx, d->ocl, d->bases, 0, d->host_bases,
                                d->axes * sizeof d->host_bases[0]);
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(d->keys),
                                 RUGI_OCL_ARG(n),
                                 RUGI_OCL_ARG(d->axes),
                                 rugi_ocl_arg_buffer(d->layouts),
                                 rugi_ocl_arg_buffer(d->bases),
                                 RUGI_OCL_ARG(zero),
                                 RUGI_OCL_ARG(size),
                                 rugi_ocl_arg_buffer(to)};
    return status == RUG_OK ? RUN(d, RUGI_HOU_BOXES, args, d->n) : status;
}
