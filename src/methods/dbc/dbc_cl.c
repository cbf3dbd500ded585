/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL engine of differential box counting: the processor makes keys, the device joins
 * them level by level and counts. */

#include "core/context/small.h"
#include "core/image/predicate.h"
#include "dbc_opencl.h"
#include "ocl/work/ocl_family.h"
#include "ocl/work/ocl_pieces.h"
#include <string.h>

extern const rugi_ocl_source rugi_cl_dbc;

extern const rugi_ocl_family rugi_cl_dbc_family;
const rugi_ocl_family rugi_cl_dbc_family = {.sources = {&rugi_cl_dbc},
                                            .kernels = {"dbc_join"},
                                            .options = {{"KEY_BYTES", 3, {1, 2, 4}}}};

/* Of dbc.cl. */
#define ITEMS       64
#define BY_SHIFT    0
#define BY_FACTOR   1
#define BY_QUOTIENT 2

/* Bytes of a part where nothing else is asked for. */
#define PART_BYTES ((size_t)256 << 20)

typedef struct engine {
    rugi_dbc_job *job;
    rugi_ocl *device;
    rugi_ocl_kernel *kernel;
    rugi_ocl_pieces parts; /* keys: lo and hi, the same where no pixel is left out */
    char *tops[2];         /* lo and hi of the blocks of a part */
    uint64_t *host_sums;
    rugi_ocl_buffer *level[2][2]; /* [parity of the level][lo, hi] */
    rugi_ocl_buffer *sums;
    /* Results, until all parts are done. */
    rugi_dbc_block *blocks;
    rugi_dbc_tallies tally;
} engine;

/* What a thread makes keys with. */
typedef struct scratch {
    rugi_dbc_seen seen;
    uint64_t pixels[RUGI_SEGMENT_PIXELS], mask[RUGI_SEGMENT_PIXELS];
    uint8_t flags[RUGI_SEGMENT_PIXELS];
} scratch;

static size_t pixels_of(const size_t n[3])
{
    return n[0] * n[1] * n[2];
}

static size_t groups_of(size_t n)
{
    return (n + ITEMS - 1) / ITEMS;
}

static void halve(size_t n[3])
{
    for (int a = 0; a < 3; a++)
        n[a] = (n[a] + 1) / 2;
}

/* Whether this engine can do the job, with a text that says why not. */
static rug_status check(rug_context *ctx, const rugi_dbc_job *job)
{
    const rugi_dbc_plan *p = job->plan;
    size_t n = job->slab.shape[0];
    if (p->key_bytes > 4 || (!p->is_real && !p->is_short))
        return rug_context_fail(
            ctx, RUG_E_DEVICE,
            "differential box counting on a device takes values of up "
            "to 32 bits; use device 'cpu'");
    if (job->first % RUGI_DBC_BLOCK > 0 ||
        (n % RUGI_DBC_BLOCK > 0 && job->first + n < p->shape[0]))
        return rug_context_fail(ctx, RUG_E_DEVICE,
                                "differential box counting on a device takes slabs of 64 "
                                "slices, and these are too large to come in so many; use "
                                "device 'cpu'");
    return RUG_OK;
}

static rug_status new_buffer(rug_context *ctx, engine *e, rugi_ocl_buffer **out, size_t n,
                             size_t size, rugi_ocl_access access, const char *what)
{
    return rugi_ocl_buffer_new(ctx, e->device, out, n, size, access, what);
}

static rug_status make_device_memory(rug_context *ctx, engine *e)
{
    const size_t *side = e->parts.side;
    size_t n[3] = {side[0], side[1], side[2]}, size = e->job->plan->key_bytes;
    rug_status status = RUG_OK;
    for (int k = 0; k < 2 && status == RUG_OK; k++) {
        halve(n);
        for (int end = 0; end < 2 && status == RUG_OK; end++)
            status = new_buffer(ctx, e, &e->level[k][end], pixels_of(n), size,
                                RUGI_OCL_READ_WRITE, "blocks");
        if (k == 0 && status == RUG_OK)
            status = new_buffer(ctx, e, &e->sums, groups_of(pixels_of(n)),
                                2 * sizeof(uint64_t), RUGI_OCL_WRITE, "sums");
    }
    return status;
}

static rug_status make_memory(rug_context *ctx, engine *e)
{
    const rugi_dbc_plan *p = e->job->plan;
    size_t n[3] = {e->parts.side[0], e->parts.side[1], e->parts.side[2]};
    halve(n);
    e->host_sums =
        rug_context_allocate(ctx, groups_of(pixels_of(n)), 2 * sizeof(uint64_t), "sums");
    for (int a = 0; a < 3; a++)
        n[a] = (e->parts.side[a] - 1) / RUGI_DBC_BLOCK + 1;
    for (int end = 0; end < 2; end++)
        e->tops[end] =
            rug_context_allocate(ctx, pixels_of(n), p->key_bytes, "blocks of a part");
    e->blocks =
        rug_context_allocate(ctx, p->n_blocks, sizeof *e->blocks, "blocks of pixels");
    if (e->host_sums == NULL || e->blocks == NULL || e->tops[0] == NULL ||
        e->tops[1] == NULL)
        return RUG_E_NOMEM;
    memcpy(e->blocks, e->job->blocks, p->n_blocks * sizeof *e->blocks);
    return make_device_memory(ctx, e);
}

static void free_memory(rug_context *ctx, engine *e)
{
    rugi_ocl_pieces_free(ctx, &e->parts);
    for (int k = 0; k < 2; k++) {
        rugi_ocl_buffer_free(e->device, e->level[k][0]);
        rugi_ocl_buffer_free(e->device, e->level[k][1]);
    }
    rugi_ocl_buffer_free(e->device, e->sums);
    rug_context_release(ctx, e->blocks);
    rug_context_release(ctx, e->host_sums);
    rug_context_release(ctx, e->tops[0]);
    rug_context_release(ctx, e->tops[1]);
}

/* The keys of a row of a part. */
static void make_keys(const void *user, const rugi_ocl_row *row)
{
    const rugi_dbc_job *job = user;
    unsigned size = job->plan->key_bytes;
    scratch *own = row->scratch;
    char *lo = row->out[0], *hi = row->out[job->plan->may_be_empty ? 1 : 0];
    for (size_t x = 0; x < row->n; x += RUGI_SEGMENT_PIXELS) {
        const size_t at[3] = {row->at[0], row->at[1], row->at[2] + x};
        size_t m = rugi_smaller(row->n - x, RUGI_SEGMENT_PIXELS);
        const uint8_t *inside = NULL;
        if (job->mask.data != NULL)
            inside = rugi_mask_flags(&job->mask, at, m, own->flags, own->mask);
        rugi_dbc_keys(job->plan, lo + x * size, hi + x * size,
                      rugi_image_segment(&job->slab, at, m, own->pixels), m, inside,
                      &own->seen);
    }
}

static rug_status make_parts(rug_context *ctx, engine *e, size_t most_bytes)
{
    static const size_t unit[3] = {RUGI_DBC_BLOCK, RUGI_DBC_BLOCK, RUGI_DBC_BLOCK};
    const rugi_dbc_plan *p = e->job->plan;
    rugi_ocl_pieces *parts = &e->parts;
    *parts = (rugi_ocl_pieces){.device = e->device,
                               .make_row = make_keys,
                               .user = e->job,
                               .pixel_bytes = p->key_bytes,
                               .n_planes = p->may_be_empty ? 2 : 1,
                               .scratch_bytes = sizeof(scratch),
                               .end = {e->job->slab.shape[0], p->shape[1], p->shape[2]},
                               .what = "keys"};
    memcpy(parts->side, parts->end, sizeof parts->side);
    most_bytes = rugi_smaller(most_bytes, rugi_ocl_piece_max(e->device, 4, 0));
    rugi_ocl_halve_sides(parts->side, unit, most_bytes / p->key_bytes);
    return rugi_ocl_pieces_new(ctx, parts);
}

/* How keys become numbers of boxes: rugi_dbc_box() as numbers. */
static void set_rule(uint64_t rule[4], const rugi_dbc_plan *p, uint32_t level)
{
    const rugi_dbc_height *h = &p->height[level];
    rule[0] = p->is_real ? BY_SHIFT : p->key_bytes <= 2 ? BY_FACTOR : BY_QUOTIENT;
    rule[1] = p->base;
    rule[2] = h->factor;
    rule[3] = p->is_real ? level : 16 * (uint64_t)p->key_bytes;
    if (h->is_unit && !p->is_real) {
        rule[0] = BY_FACTOR;
        rule[2] = 1;
        rule[3] = 0;
    } else if (rule[0] == BY_QUOTIENT) {
        rule[2] = p->longest;
        rule[3] = (uint64_t)(p->levels << level);
    }
}

/* The blocks of a level in a part that are of one class, as a box. */
typedef struct box {
    size_t first[3], n[3];
} box;

/* @param shape  of the part, in pixels; only where the image ends it ends within a block */
static box box_of(const rugi_dbc_plan *plan, const size_t shape[3], uint32_t level,
                  unsigned class)
{
    box b;
    for (int a = 0; a < 3; a++) {
        int is_cut = plan->edge[a] > 0 && shape[a] % ((size_t)1 << level) > 0;
        size_t n_whole = plan->edge[a] > 0 ? shape[a] >> level : 1;
        int is_last = (class & (4u >> a)) > 0;
        b.first[a] = is_last ? n_whole : 0;
        b.n[a] = is_last ? (size_t)is_cut : n_whole;
    }
    return b;
}

/* Joins the blocks below, n along each axis, to those of a box of a level. */
static rug_status join_box(rug_context *ctx, engine *e, const size_t n[3], uint32_t level,
                           const box *b, rugi_dbc_tally *tally)
{
    rugi_ocl_buffer *const *to = e->level[(level - 1) % 2];
    rugi_ocl_buffer *const *from = level > 1 ? e->level[level % 2] : e->parts.pixels;
    uint64_t shape[4] = {n[2], n[1], n[0], 0}, rule[4];
    uint64_t first[4] = {b->first[2], b->first[1], b->first[0], 0};
    uint64_t made[4] = {b->n[2], b->n[1], b->n[0], pixels_of(b->n)};
    set_rule(rule, e->job->plan, level);
    rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(from[0]),
                           rugi_ocl_arg_buffer(from[1] != NULL ? from[1] : from[0]),
                           RUGI_OCL_ARG(shape),
                           RUGI_OCL_ARG(first),
                           RUGI_OCL_ARG(made),
                           RUGI_OCL_ARG(rule),
                           rugi_ocl_arg_buffer(to[0]),
                           rugi_ocl_arg_buffer(to[1]),
                           rugi_ocl_arg_buffer(e->sums)};
    size_t n_groups = groups_of(pixels_of(b->n)), items = n_groups * ITEMS, group = ITEMS;
    rug_status status = rugi_ocl_run(ctx, e->device, e->kernel, args,
                                     sizeof args / sizeof args[0], 1, &items, &group);
    if (status == RUG_OK)
        status = rugi_ocl_read(ctx, e->device, e->sums, 0, e->host_sums,
                               n_groups * 2 * sizeof(uint64_t));
    for (size_t g = 0; g < n_groups && status == RUG_OK; g++) {
        tally->blocks += e->host_sums[2 * g];
        tally->beyond += e->host_sums[2 * g + 1];
    }
    return status;
}

/* Joins the blocks below, n along each axis, to those of a level. */
static rug_status join(rug_context *ctx, engine *e, const size_t shape[3], size_t n[3],
                       uint32_t level)
{
    rug_status status = RUG_OK;
    for (unsigned c = 0; c < RUGI_DBC_CLASSES && status == RUG_OK; c++) {
        box b = box_of(e->job->plan, shape, level, c);
        if (pixels_of(b.n) > 0)
            status = join_box(ctx, e, n, level, &b, &e->tally.at[level][c]);
    }
    halve(n);
    return status;
}

/* Reads the blocks of the last level to their places. */
static rug_status take_blocks(rug_context *ctx, engine *e, const rugi_ocl_piece *part,
                              const size_t n[3])
{
    const rugi_dbc_plan *plan = e->job->plan;
    size_t n_bytes = pixels_of(n) * plan->key_bytes, i = 0;
    rugi_ocl_buffer *const *from = e->level[(RUGI_DBC_BLOCK_LEVEL - 1) % 2];
    rug_status status = rugi_ocl_read(ctx, e->device, from[0], 0, e->tops[0], n_bytes);
    if (status == RUG_OK)
        status = rugi_ocl_read(ctx, e->device, from[1], 0, e->tops[1], n_bytes);
    size_t first[3];
    for (int a = 0; a < 3; a++)
        first[a] = ((a == 0 ? e->job->first : 0) + part->first[a]) / RUGI_DBC_BLOCK;
    for (size_t z = 0; z < n[0] && status == RUG_OK; z++)
        for (size_t y = 0; y < n[1]; y++)
            for (size_t x = 0; x < n[2]; x++, i++) {
                size_t row = (first[0] + z) * plan->blocks[1] + first[1] + y;
                e->blocks[row * plan->blocks[2] + first[2] + x] =
                    (rugi_dbc_block){rugi_dbc_key_at(e->tops[0], plan->key_bytes, i),
                                     rugi_dbc_key_at(e->tops[1], plan->key_bytes, i)};
            }
    return status;
}

static rug_status count_part(rug_context *ctx, void *user, const rugi_ocl_piece *part)
{
    engine *e = user;
    size_t n[3] = {part->shape[0], part->shape[1], part->shape[2]};
    rug_status status = RUG_OK;
    for (uint32_t m = 1; m <= RUGI_DBC_BLOCK_LEVEL && status == RUG_OK; m++)
        status = join(ctx, e, part->shape, n, m);
    return status == RUG_OK ? take_blocks(ctx, e, part, n) : status;
}

static rug_status get_kernel(rug_context *ctx, engine *e)
{
    const int values[] = {(int)e->job->plan->key_bytes};
    rug_status status = rugi_ocl_family_get(ctx, e->device, &e->kernel,
                                            &rugi_cl_dbc_family, values, "dbc_join");
    if (status != RUG_OK || rugi_ocl_kernel_group_max(e->kernel) >= ITEMS)
        return status;
    return rug_context_fail(
        ctx, RUG_E_DEVICE,
        "%s: differential box counting needs work groups of %d items, "
        "and this device has %zu; use device 'cpu'",
        rugi_ocl_facts(e->device)->name, ITEMS, rugi_ocl_kernel_group_max(e->kernel));
}

/* Results are handed over when nothing can fail any more. */
static void take_results(const rug_context *ctx, rugi_dbc_job *job, const engine *e)
{
    memcpy(job->blocks, e->blocks, job->plan->n_blocks * sizeof *e->blocks);
    rugi_dbc_add_tallies(&job->tally, &e->tally);
    for (int t = 0; t < rug_context_threads(ctx); t++) {
        const scratch *own = rugi_ocl_pieces_scratch(&e->parts, t);
        job->seen.n_pixels += own->seen.n_pixels;
        job->seen.n_left_out += own->seen.n_left_out;
    }
    job->engine = rugi_ocl_engine_name(e->device);
}

rug_status rugi_dbc_opencl_parts(rug_context *ctx, rugi_dbc_job *job, size_t most_bytes)
{
    engine e = {.job = job};
    rug_status status = check(ctx, job);
    if (status == RUG_OK)
        status = rugi_ocl_open(ctx, &e.device);
    if (status == RUG_OK)
        status = get_kernel(ctx, &e);
    if (status != RUG_OK)
        return status;
    status = make_parts(ctx, &e, most_bytes);
    if (status == RUG_OK)
        status = make_memory(ctx, &e);
    if (status == RUG_OK)
        status = rugi_ocl_pieces_each(ctx, &e.parts, count_part, &e);
    if (status == RUG_OK)
        take_results(ctx, job, &e);
    free_memory(ctx, &e);
    return status;
}

rug_status rugi_dbc_opencl(rug_context *ctx, void *job)
{
    return rugi_dbc_opencl_parts(ctx, job, PART_BYTES);
}
