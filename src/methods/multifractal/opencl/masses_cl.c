/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL engine of box masses: whole blocks of a part, in bricks. The processor makes
 * rows of masses of their pixels, the device joins and counts them level by level. */

#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "masses_opencl.h"
#include "multifractal/masses/masses_state.h"
#include "ocl/work/ocl_pieces.h"
#include "ocl/work/ocl_sort.h"
#include <string.h>

extern const rugi_ocl_source rugi_cl_masses;

static int has_sizes(const int *values)
{
    return (values[0] == 8) == (values[1] == 8);
}

extern const rugi_ocl_family rugi_cl_masses_family;
const rugi_ocl_family rugi_cl_masses_family = {
    .sources = {&rugi_cl_masses},
    .kernels = {"masses_join", "masses_count"},
    .options = {{"IN_BYTES", 4, {1, 2, 4, 8}}, {"OUT_BYTES", 2, {4, 8}}},
    .has = has_sizes};

extern const rugi_ocl_family rugi_cl_masses_local_family;
const rugi_ocl_family rugi_cl_masses_local_family = {
    .sources = {&rugi_cl_ocl_group, &rugi_cl_masses},
    .kernels = {"masses_count_local"},
    .options = {{"IN_BYTES", 4, {1, 2, 4, 8}}, {"OUT_BYTES", 2, {4, 8}}},
    .has = has_sizes,
    .is_grouped = 1};

/* Bytes of the pixels of a brick where nothing else is asked for, and its most pixels. */
#define BRICK_BYTES  ((size_t)64 << 20)
#define BRICK_PIXELS ((size_t)1 << 30)

/* Bytes of a table in local memory: so few that a unit has room for several groups. */
#define TABLE_BYTES ((size_t)1 << 14)

/* Items of a group without local memory, at most. */
#define GROUP_ITEMS 64

/* The most copies of a table in local memory: one for each bank. */
#define COPIES_MAX 32

/* How masses of a size are worked on. */
typedef struct kernels {
    size_t size; /* bytes of a mass that comes in */
    rugi_ocl_kernel *join, *count;
    rugi_ocl_grouped count_local; /* where local_entries > 0 */
} kernels;

/* The device at work on a job. */
typedef struct work {
    const rugi_masses_job *job;
    const rugi_masses_plan *plan;
    rugi_ocl *device;
    kernels of_pixels, of_sums;
    size_t local_entries;     /* of a table in local memory, at most */
    rugi_ocl_pieces bricks;   /* of whole blocks */
    rugi_ocl_buffer *sums[2]; /* of odd and of even levels */
    rugi_ocl_buffer *counts;  /* [plan->n_counts] */
    uint64_t n_counted;       /* pixels since counts were 0 */
    void *boxes;              /* of a level that is read */
    uint32_t *host_counts;    /* [plan->n_counts] */
    /* Results, until all bricks are done. */
    uint64_t *tables; /* [plan->n_counts] */
    uint64_t *blocks; /* of the job, x fastest */
    rugi_mass_list lists[RUGI_MASSES_FINE];
} work;

static size_t product(const size_t n[3])
{
    return n[0] * n[1] * n[2];
}

/* ---- Bricks ---- */

/* A row of masses; 0 where the image has no pixels. */
static void make_row(const void *user, const rugi_ocl_row *row)
{
    const work *w = user;
    const rugi_masses_plan *p = w->plan;
    size_t size = w->of_pixels.size, at[3] = {row->at[0], row->at[1], row->at[2]};
    char *to = row->out[0];
    if (at[0] >= p->shape[0] || at[1] >= p->shape[1]) {
        memset(to, 0, row->n * size);
        return;
    }
    for (size_t x = 0, n_row; x < row->n; x += n_row, to += n_row * size) {
        n_row = rugi_smaller(row->n - x, RUGI_MASSES_ROW);
        at[2] = row->at[2] + x;
        size_t n = rugi_smaller(p->shape[2] - at[2], n_row);
        const void *masses = rugi_masses_row(&w->job->masses->mass, p->kind, w->job->part,
                                             at, n, n_row, to, row->scratch);
        if (masses != to)
            memcpy(to, masses, n_row * size);
    }
}

static size_t boxes_of(const rugi_masses_plan *p, const size_t pixels[3], unsigned level)
{
    return product(pixels) >> (unsigned)p->n_axes * level;
}

/* One item for each of n boxes. */
static rug_status run(rug_context *ctx, work *w, rugi_ocl_kernel *kernel,
                      const rugi_ocl_arg *args, size_t n_args, size_t n)
{
    size_t group = rugi_smaller(rugi_ocl_kernel_group_max(kernel), GROUP_ITEMS);
    size_t items = (n + group - 1) / group * group;
    return rugi_ocl_run(ctx, w->device, kernel, args, n_args, 1, &items, &group);
}

static rug_status count_in_table(rug_context *ctx, work *w, const kernels *k,
                                 const rugi_masses_table *table,
                                 const rugi_ocl_buffer *boxes, size_t n_boxes)
{
    uint32_t n = (uint32_t)n_boxes, at = (uint32_t)table->counts_at, copies = 1;
    uint32_t size = (uint32_t)table->size;
    if (size > w->local_entries) {
        const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(boxes), RUGI_OCL_ARG(n),
                                     rugi_ocl_arg_buffer(w->counts), RUGI_OCL_ARG(at)};
        return run(ctx, w, k->count, args, 4, n_boxes);
    }
    while (copies < COPIES_MAX && (size_t)size * copies * 2 <= w->local_entries)
        copies *= 2;
    const rugi_ocl_arg args[] = {
        rugi_ocl_arg_buffer(boxes),
        RUGI_OCL_ARG(n),
        rugi_ocl_arg_buffer(w->counts),
        RUGI_OCL_ARG(at),
        RUGI_OCL_ARG(size),
        RUGI_OCL_ARG(copies),
        rugi_ocl_arg_local((size_t)size * copies * sizeof(uint32_t))};
    return rugi_ocl_grouped_run(ctx, w->device, &k->count_local, args, 7,
                                rugi_ocl_n_chunks(w->device, n_boxes));
}

static void widen(uint64_t *out, const void *masses, size_t size, size_t n)
{
    if (size == 8)
        memcpy(out, masses, n * sizeof *out);
    else
        for (size_t i = 0; i < n; i++)
            out[i] = size == 1   ? ((const uint8_t *)masses)[i]
                     : size == 2 ? ((const uint16_t *)masses)[i]
                                 : ((const uint32_t *)masses)[i];
}

/* Puts boxes on the list of their level. */
static rug_status take_list(rug_context *ctx, work *w, unsigned level,
                            rugi_ocl_buffer *boxes, size_t n)
{
    size_t size = level > 0 ? w->of_sums.size : w->of_pixels.size;
    rug_status status = rugi_mass_list_reserve(ctx, &w->lists[level], n);
    if (status == RUG_OK && level > 0)
        status = rugi_ocl_read(ctx, w->device, boxes, 0, w->boxes, n * size);
    if (status == RUG_OK)
        widen(rugi_mass_list_take(&w->lists[level], n),
              level > 0 ? w->boxes : w->bricks.staging, size, n);
    return status;
}

/* Counts the boxes of a level, and joins them to those of the next one. */
static rug_status do_level(rug_context *ctx, work *w, const size_t pixels[3],
                           unsigned level)
{
    const rugi_masses_plan *p = w->plan;
    const kernels *k = level > 0 ? &w->of_sums : &w->of_pixels;
    rugi_ocl_buffer *boxes = level > 0 ? w->sums[level % 2] : w->bricks.pixels[0];
    size_t n = boxes_of(p, pixels, level), n_made = boxes_of(p, pixels, level + 1);
    rug_status status = RUG_OK;
    if (p->tables[level].size > 0)
        status = count_in_table(ctx, w, k, &p->tables[level], boxes, n);
    else if (rugi_masses_has_list(p, level))
        status = take_list(ctx, w, level, boxes, n);
    uint32_t made[4] = {(uint32_t)(pixels[2] >> (level + 1)),
                        (uint32_t)(pixels[1] >> (level + 1)), p->n_axes == 3 ? 2 : 1,
                        (uint32_t)n_made};
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(boxes), RUGI_OCL_ARG(made),
                                 rugi_ocl_arg_buffer(w->sums[(level + 1) % 2])};
    return status == RUG_OK ? run(ctx, w, k->join, args, 3, n_made) : status;
}

/* Reads the masses of blocks to their places in those of the job. */
static rug_status take_blocks(rug_context *ctx, work *w, const rugi_ocl_piece *brick)
{
    const unsigned *bits = w->plan->block_bits;
    size_t first[3], n[3];
    for (int a = 0; a < 3; a++) {
        first[a] = brick->first[a] >> bits[a];
        n[a] = brick->shape[a] >> bits[a];
    }
    const rugi_box *all = &w->job->blocks;
    size_t size = w->of_sums.size, n_rows = n[0] * n[1];
    size_t n_y = all->end[1] - all->first[1], n_x = all->end[2] - all->first[2];
    rug_status status = rugi_ocl_read(ctx, w->device, w->sums[w->plan->block_level % 2],
                                      0, w->boxes, n_rows * n[2] * size);
    for (size_t i = 0; i < n_rows && status == RUG_OK; i++) {
        size_t z = first[0] - all->first[0] + i / n[1];
        size_t y = first[1] - all->first[1] + i % n[1];
        widen(w->blocks + (z * n_y + y) * n_x + first[2] - all->first[2],
              (const char *)w->boxes + i * n[2] * size, size, n[2]);
    }
    return status;
}

/* Adds to tables what counts hold, and empties them. */
static rug_status drain(rug_context *ctx, work *w)
{
    size_t n = w->plan->n_counts, n_bytes = n * sizeof *w->host_counts;
    if (n == 0)
        return RUG_OK;
    rug_status status =
        rugi_ocl_read(ctx, w->device, w->counts, 0, w->host_counts, n_bytes);
    if (status == RUG_OK)
        status = rugi_ocl_zero(ctx, w->device, w->counts, 0, n_bytes);
    for (size_t i = 0; i < n && status == RUG_OK; i++)
        w->tables[i] += w->host_counts[i];
    w->n_counted = 0;
    return status;
}

/* Measures a brick that is on the device. */
static rug_status measure_brick(rug_context *ctx, void *user, const rugi_ocl_piece *brick)
{
    work *w = user;
    const rugi_masses_plan *p = w->plan;
    size_t n_pixels = product(brick->shape);
    rug_status status = RUG_OK;
    if (w->n_counted + n_pixels > UINT32_MAX)
        status = drain(ctx, w);
    w->n_counted += n_pixels;
    for (unsigned level = 0; level < p->block_level && status == RUG_OK; level++)
        status = do_level(ctx, w, brick->shape, level);
    return status == RUG_OK ? take_blocks(ctx, w, brick) : status;
}

/* ---- The engine ---- */

/* Whole blocks, halved along the longest side until they fit. */
static rug_status make_bricks(rug_context *ctx, work *w, size_t most_bytes)
{
    const unsigned *bits = w->plan->block_bits;
    const rugi_box *all = &w->job->blocks;
    rugi_ocl_pieces *b = &w->bricks;
    size_t unit[3];
    *b = (rugi_ocl_pieces){.device = w->device,
                           .make_row = make_row,
                           .user = w,
                           .pixel_bytes = w->of_pixels.size,
                           .scratch_bytes = RUGI_MASSES_SCRATCH,
                           .what = "masses"};
    for (int a = 0; a < 3; a++) {
        unit[a] = (size_t)1 << bits[a];
        b->first[a] = (size_t)all->first[a] << bits[a];
        b->end[a] = (size_t)all->end[a] << bits[a];
        b->side[a] = b->end[a] - b->first[a];
    }
    rugi_ocl_halve_sides(b->side, unit,
                         rugi_smaller(most_bytes / b->pixel_bytes, BRICK_PIXELS));
    return rugi_ocl_pieces_new(ctx, b);
}

/* The first level whose boxes are read. Level 0 never is: the processor has the pixels. */
static unsigned first_read(const rugi_masses_plan *plan)
{
    unsigned level = 1;
    while (level < plan->block_level && !rugi_masses_has_list(plan, level))
        level++;
    return level;
}

static rug_status get_kernels(rug_context *ctx, work *w, kernels *k, size_t size)
{
    const rugi_ocl_family *family = &rugi_cl_masses_family;
    const int values[] = {(int)size, (int)w->of_sums.size};
    k->size = size;
    rug_status status =
        rugi_ocl_family_get(ctx, w->device, &k->join, family, values, "masses_join");
    if (status == RUG_OK)
        status = rugi_ocl_family_get(ctx, w->device, &k->count, family, values,
                                     "masses_count");
    if (status == RUG_OK && w->local_entries > 0)
        status = rugi_ocl_grouped_get(ctx, w->device, &k->count_local,
                                      &rugi_cl_masses_local_family, values,
                                      "masses_count_local");
    return status;
}

static rug_status make_host_memory(rug_context *ctx, work *w)
{
    const rugi_masses_plan *p = w->plan;
    const rugi_box *all = &w->job->blocks;
    size_t n = product(w->bricks.side);
    size_t n_read = n >> (unsigned)p->n_axes * first_read(p);
    size_t n_blocks[3];
    for (int a = 0; a < 3; a++)
        n_blocks[a] = all->end[a] - all->first[a];
    w->boxes = rug_context_allocate(ctx, n_read, w->of_sums.size, "boxes of a brick");
    w->host_counts =
        rug_context_allocate(ctx, p->n_counts, sizeof *w->host_counts, "tables");
    w->tables = rug_context_allocate(ctx, p->n_counts, sizeof *w->tables, "tables");
    w->blocks = rug_context_allocate(ctx, product(n_blocks), sizeof *w->blocks,
                                     "masses of blocks");
    if (w->boxes == NULL || w->host_counts == NULL || w->tables == NULL ||
        w->blocks == NULL)
        return RUG_E_NOMEM;
    memset(w->tables, 0, p->n_counts * sizeof *w->tables);
    return RUG_OK;
}

static rug_status make_device_memory(rug_context *ctx, work *w)
{
    const rugi_masses_plan *p = w->plan;
    size_t n = product(w->bricks.side);
    rug_status status = RUG_OK;
    for (unsigned level = 1; level <= 2 && status == RUG_OK; level++)
        status = rugi_ocl_buffer_new(ctx, w->device, &w->sums[level % 2],
                                     n >> (unsigned)p->n_axes * level, w->of_sums.size,
                                     RUGI_OCL_READ_WRITE, "masses of boxes");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, w->device, &w->counts, p->n_counts,
                                     sizeof(uint32_t), RUGI_OCL_READ_WRITE, "tables");
    if (status == RUG_OK && p->n_counts > 0)
        status =
            rugi_ocl_zero(ctx, w->device, w->counts, 0, p->n_counts * sizeof(uint32_t));
    return status;
}

static void free_memory(rug_context *ctx, work *w)
{
    rugi_ocl_pieces_free(ctx, &w->bricks);
    rugi_ocl_buffer_free(w->device, w->sums[0]);
    rugi_ocl_buffer_free(w->device, w->sums[1]);
    rugi_ocl_buffer_free(w->device, w->counts);
    for (unsigned level = 0; level < RUGI_MASSES_FINE; level++)
        rugi_mass_list_free(ctx, &w->lists[level]);
    rug_context_release(ctx, w->boxes);
    rug_context_release(ctx, w->host_counts);
    rug_context_release(ctx, w->tables);
    rug_context_release(ctx, w->blocks);
}

/* An empty list becomes the other one, which is no copy. */
static rug_status hand_over(rug_context *ctx, rugi_mass_list *to, rugi_mass_list *from)
{
    if (to->boxes != NULL || to->waiting != NULL)
        return rugi_mass_list_add(ctx, to, from);
    *to = *from;
    memset(from, 0, sizeof *from);
    return RUG_OK;
}

/* Hands the results over, when the device cannot fail any more. */
static rug_status take_results(rug_context *ctx, work *w)
{
    rug_masses *m = w->job->masses;
    const rugi_masses_plan *p = w->plan;
    for (unsigned level = 0; level < RUGI_MASSES_FINE; level++) {
        rug_status status = hand_over(ctx, &m->lists[level], &w->lists[level]);
        if (status != RUG_OK)
            return status;
    }
    for (size_t i = 0; i < p->n_counts; i++)
        m->counts[i] += w->tables[i];
    m->engine = rugi_ocl_engine_name(w->device);
    return rugi_sparse_put(ctx, &m->blocks, &w->job->blocks, w->blocks);
}

/* What is known of a device when it is open. */
static rug_status prepare(rug_context *ctx, work *w, size_t most_bytes,
                          size_t table_bytes)
{
    static const size_t sizes[RUGI_MASSES_KINDS] = {1, 1, 2, 8};
    uint64_t local = rugi_ocl_facts(w->device)->local_memory / 2;
    size_t size = sizes[w->plan->kind], n_bytes = w->plan->n_counts * sizeof(uint32_t);
    if (table_bytes == RUGI_MASSES_TABLE_AUTO)
        table_bytes = rugi_ocl_facts(w->device)->type == RUG_DEVICE_CPU ? 0 : TABLE_BYTES;
    w->local_entries =
        (size_t)(local < table_bytes ? local : table_bytes) / sizeof(uint32_t);
    w->of_sums.size = size == 8 ? 8 : 4;
    rug_status status = get_kernels(ctx, w, &w->of_pixels, size);
    if (status == RUG_OK)
        status = get_kernels(ctx, w, &w->of_sums, w->of_sums.size);
    most_bytes = rugi_smaller(most_bytes, rugi_ocl_piece_max(w->device, 3, n_bytes));
    return status == RUG_OK ? make_bricks(ctx, w, most_bytes) : status;
}

rug_status rugi_masses_opencl_bricks(rug_context *ctx, rugi_masses_job *job,
                                     size_t most_bytes, size_t table_bytes)
{
    work w = {.job = job, .plan = &job->masses->plan};
    rug_status status = rugi_ocl_open(ctx, &w.device);
    if (status == RUG_OK)
        status = prepare(ctx, &w, most_bytes, table_bytes);
    if (status != RUG_OK)
        return status;
    status = make_host_memory(ctx, &w);
    if (status == RUG_OK)
        status = make_device_memory(ctx, &w);
    if (status == RUG_OK)
        status = rugi_ocl_pieces_each(ctx, &w.bricks, measure_brick, &w);
    if (status == RUG_OK)
        status = drain(ctx, &w);
    if (status == RUG_OK)
        status = take_results(ctx, &w);
    free_memory(ctx, &w);
    return status;
}

rug_status rugi_masses_opencl(rug_context *ctx, void *job)
{
    return rugi_masses_opencl_bricks(ctx, job, BRICK_BYTES, RUGI_MASSES_TABLE_AUTO);
}
