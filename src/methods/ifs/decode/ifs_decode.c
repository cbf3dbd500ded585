/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The decoder of a tree: its base at the coded size, a half and a quarter, iterations at a
 * quarter, where a domain is shrunk to its range, and one pass for each octave up, where
 * the domain at half the size already is what it shrinks to. */

#include "core/context/threads.h"
#include "ifs/stream/ifs_model.h"
#include "ifs_decoder.h"
#include <stdatomic.h>
#include <string.h>

static const char what[] = "decoder of fractal coding";

void rugi_ifs_decode_kernels_of(const rug_context *ctx, rugi_ifs_decode_kernels *kernels)
{
    rugi_ifs_decode_kernels_ref(kernels);
#ifdef RUGI_HAVE_X86_KERNELS
    rug_cpu_level level = rug_context_cpu_level(ctx);
    if (level >= RUG_CPU_AVX512)
        rugi_ifs_decode_kernels_avx512(kernels);
    else if (level >= RUG_CPU_AVX2)
        rugi_ifs_decode_kernels_avx2(kernels);
#else
    (void)ctx;
#endif
}

/* Bases of all levels at an octave, one behind the other. */
typedef struct bases {
    int32_t *all;
    const int32_t *of[RUGI_IFS_LEVELS];
} bases;

static rug_status make_bases(rug_context *ctx, bases *b, unsigned octave)
{
    size_t n = 0;
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++)
        n += (size_t)rugi_ifs_side(level) * rugi_ifs_side(level) << octave;
    b->all = rug_context_allocate(ctx, n, sizeof *b->all, what);
    if (b->all == NULL)
        return RUG_E_NOMEM;
    int32_t *at = b->all;
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++) {
        uint32_t side = rugi_ifs_side(level);
        rugi_ifs_decode_basis(at, side, side << octave);
        b->of[level] = at;
        at += (size_t)side * side << octave;
    }
    return RUG_OK;
}

static rugi_ifs_base base_of(const rugi_ifs_frame *frame, const rugi_ifs_leaf *leaf,
                             const int32_t *basis, unsigned octave)
{
    uint32_t side = rugi_ifs_side(leaf->level);
    return (rugi_ifs_base){
        .side = side,
        .n = side << octave,
        .coefs = leaf->n_coefs > 0 ? leaf->coefs : NULL,
        .basis = basis,
        .delta = (int32_t)frame->delta,
        .log2_side = 5 - leaf->level,
        .depth = frame->depth,
        .mean = leaf->mean * rugi_ifs_mean_step(frame, leaf->level),
        .least = rugi_ifs_least(frame->depth),
        .most = rugi_ifs_most(frame->depth),
    };
}

void rugi_ifs_base_of_leaf(int32_t *out, const rugi_ifs_frame *frame,
                           const rugi_ifs_leaf *leaf, unsigned octave)
{
    int32_t basis[RUGI_IFS_BLOCK * (RUGI_IFS_BLOCK << RUGI_IFS_OCTAVE_MAX)];
    rugi_ifs_decode_kernels kernels;
    rugi_ifs_decode_kernels_ref(&kernels);
    rugi_ifs_base base = base_of(frame, leaf, basis, octave);
    if (base.coefs != NULL)
        rugi_ifs_decode_basis(basis, base.side, base.n);
    kernels.base(out, base.n, &base);
}

/* A loop over leaves. */
typedef struct leaf_loop {
    const rugi_ifs_decoder *decoder;
    const bases *bases;
    unsigned octave; /* of out, where it is above the coded size */
    unsigned shrink; /* where it is below: halvings */
    const rugi_ifs_field *base, *from;
    rugi_ifs_field out;
    size_t n_leaves; /* of a task */
    atomic_int changed;
} leaf_loop;

/* Small planes are a task for one thread: a team would cost more than they do. */
#define PIXELS_OF_TASK 65536

static rug_status for_leaves(rug_context *ctx, leaf_loop *loop, rugi_task_fn task)
{
    size_t n = loop->decoder->tree->n_leaves;
    size_t n_tasks = loop->out.nx * loop->out.ny / PIXELS_OF_TASK + 1;
    loop->n_leaves = (n + n_tasks - 1) / n_tasks;
    return rugi_parallel_for(ctx, (n + loop->n_leaves - 1) / loop->n_leaves, task, loop);
}

static void leaves_of_task(const leaf_loop *loop, size_t task, size_t *from, size_t *to)
{
    size_t n = loop->decoder->tree->n_leaves;
    *from = task * loop->n_leaves;
    *to = n - *from < loop->n_leaves ? n : *from + loop->n_leaves;
}

static void base_task(void *shared, size_t task, int thread)
{
    const leaf_loop *loop = shared;
    const rugi_ifs_tree *tree = loop->decoder->tree;
    size_t i, to;
    (void)thread;
    for (leaves_of_task(loop, task, &i, &to); i < to; i++) {
        const rugi_ifs_leaf *leaf = &tree->leaves[i];
        rugi_ifs_base base =
            base_of(&tree->frame, leaf, loop->bases->of[leaf->level], loop->octave);
        size_t y = (size_t)leaf->y << loop->octave, x = (size_t)leaf->x << loop->octave;
        loop->decoder->kernels.base(loop->out.pixels + y * loop->out.nx + x, loop->out.nx,
                                    &base);
    }
}

rug_status rugi_ifs_decoder_base(rug_context *ctx, const rugi_ifs_decoder *d,
                                 rugi_ifs_field *out, unsigned octave)
{
    bases b = {0};
    rug_status status = make_bases(ctx, &b, octave);
    leaf_loop loop = {.decoder = d, .bases = &b, .octave = octave, .out = *out};
    if (status == RUG_OK)
        status = for_leaves(ctx, &loop, base_task);
    rug_context_release(ctx, b.all);
    return status;
}

static void keep_base(rugi_ifs_field *out, const rugi_ifs_field *base, size_t at,
                      uint32_t n)
{
    if (out->pixels != base->pixels)
        for (uint32_t y = 0; y < n; y++)
            memcpy(out->pixels + at + y * out->nx, base->pixels + at + y * base->nx,
                   n * sizeof *out->pixels);
}

/* One leaf at the size of out, from a plane of half that size: the domain is there as it
 * is shrunk. A block of one pixel is its mean, whatever its domain. */
static void copy_task(void *shared, size_t task, int thread)
{
    leaf_loop *loop = shared;
    const rugi_ifs_tree *tree = loop->decoder->tree;
    size_t i, to;
    (void)thread;
    for (leaves_of_task(loop, task, &i, &to); i < to; i++) {
        const rugi_ifs_leaf *leaf = &tree->leaves[i];
        unsigned up = loop->octave, down = loop->shrink;
        uint32_t n = rugi_ifs_side(leaf->level) << up >> down;
        size_t y = (size_t)leaf->y << up >> down, x = (size_t)leaf->x << up >> down;
        size_t at = y * loop->out.nx + x;
        size_t dy = (size_t)leaf->domain_y << up >> (down + 1);
        size_t dx = (size_t)leaf->domain_x << up >> (down + 1);
        if (leaf->zone == RUGI_IFS_FLAT || n == 1) {
            keep_base(&loop->out, loop->base, at, n);
            continue;
        }
        rugi_ifs_copy copy = {
            .base = loop->base->pixels + at,
            .base_pitch = loop->base->nx,
            .from = loop->from->pixels + dy * loop->from->nx + dx,
            .from_pitch = loop->from->nx,
            .n = n,
            .log2_n = 5u - leaf->level + up - down,
            .symmetry = leaf->symmetry,
            .k = leaf->k,
            .least = rugi_ifs_least(tree->frame.depth),
            .most = rugi_ifs_most(tree->frame.depth),
        };
        loop->decoder->kernels.copy(loop->out.pixels + at, loop->out.nx, &copy);
    }
}

static int differ(const rugi_ifs_field *a, const rugi_ifs_field *b, size_t at, uint32_t n)
{
    int different = 0;
    for (uint32_t y = 0; y < n && !different; y++)
        different = memcmp(a->pixels + at + y * a->nx, b->pixels + at + y * b->nx,
                           n * sizeof *a->pixels) != 0;
    return different;
}

/* One leaf of an iteration at a quarter of the size. */
static void iterate_task(void *shared, size_t task, int thread)
{
    leaf_loop *loop = shared;
    const rugi_ifs_tree *tree = loop->decoder->tree;
    size_t i, to;
    int changed = 0;
    (void)thread;
    for (leaves_of_task(loop, task, &i, &to); i < to; i++) {
        const rugi_ifs_leaf *leaf = &tree->leaves[i];
        uint32_t n = rugi_ifs_side(leaf->level) / 4;
        size_t at = (size_t)(leaf->y / 4) * loop->out.nx + leaf->x / 4;
        if (leaf->zone == RUGI_IFS_FLAT || n == 1) {
            keep_base(&loop->out, loop->base, at, n);
            continue;
        }
        size_t from = (size_t)(leaf->domain_y / 4) * loop->from->nx + leaf->domain_x / 4;
        rugi_ifs_copy copy = {
            .base = loop->base->pixels + at,
            .base_pitch = loop->base->nx,
            .from = loop->from->pixels + from,
            .from_pitch = loop->from->nx,
            .n = n,
            .log2_n = 3u - leaf->level,
            .symmetry = leaf->symmetry,
            .k = leaf->k,
            .least = rugi_ifs_least(tree->frame.depth),
            .most = rugi_ifs_most(tree->frame.depth),
        };
        loop->decoder->kernels.shrink(loop->out.pixels + at, loop->out.nx, &copy);
        changed |= differ(&loop->out, loop->from, at, n);
    }
    if (changed)
        atomic_store_explicit(&loop->changed, 1, memory_order_relaxed);
}

static rug_status new_field(rug_context *ctx, rugi_ifs_field *field, size_t nx, size_t ny)
{
    field->nx = nx;
    field->ny = ny;
    field->pixels = NULL;
    if (ny == 0 || nx <= SIZE_MAX / ny)
        field->pixels = rug_context_allocate(ctx, nx * ny, sizeof *field->pixels, what);
    return field->pixels != NULL ? RUG_OK : RUG_E_NOMEM;
}

/* A loop over rows. */
typedef struct halving {
    const rugi_ifs_decode_kernels *kernels;
    const rugi_ifs_field *from;
    rugi_ifs_field *to;
} halving;

#define HALVE_ROWS 64

static void halve_task(void *shared, size_t task, int thread)
{
    halving *h = shared;
    size_t y = task * HALVE_ROWS, to = y + HALVE_ROWS;
    (void)thread;
    for (to = to < h->to->ny ? to : h->to->ny; y < to; y++) {
        const int32_t *row = h->from->pixels + 2 * y * h->from->nx;
        h->kernels->halve(h->to->pixels + y * h->to->nx, row, row + h->from->nx,
                          h->to->nx);
    }
}

static rug_status halve(rug_context *ctx, const rugi_ifs_decoder *d, rugi_ifs_field *to,
                        const rugi_ifs_field *from)
{
    halving h = {&d->kernels, from, to};
    return rugi_parallel_for(ctx, (to->ny + HALVE_ROWS - 1) / HALVE_ROWS, halve_task, &h);
}

rug_status rugi_ifs_decoder_begin(rug_context *ctx, rugi_ifs_decoder *d,
                                  const rugi_ifs_tree *tree)
{
    size_t nx = tree->frame.nx, ny = tree->frame.ny;
    memset(d, 0, sizeof *d);
    d->tree = tree;
    rugi_ifs_decode_kernels_of(ctx, &d->kernels);
    rug_status status = RUG_OK;
    for (int i = 0; i < 3 && status == RUG_OK; i++)
        status = new_field(ctx, &d->base[i], nx >> i, ny >> i);
    if (status == RUG_OK)
        status = new_field(ctx, &d->state, nx / 4, ny / 4);
    if (status == RUG_OK)
        status = new_field(ctx, &d->next, nx / 4, ny / 4);
    if (status == RUG_OK)
        status = rugi_ifs_decoder_base(ctx, d, &d->base[0], 0);
    for (int i = 1; i < 3 && status == RUG_OK; i++)
        status = halve(ctx, d, &d->base[i], &d->base[i - 1]);
    if (status == RUG_OK)
        memcpy(d->state.pixels, d->base[2].pixels, (nx / 4) * (ny / 4) * sizeof(int32_t));
    return status;
}

void rugi_ifs_decoder_end(rug_context *ctx, rugi_ifs_decoder *d)
{
    for (int i = 0; i < 3; i++)
        rug_context_release(ctx, d->base[i].pixels);
    rug_context_release(ctx, d->state.pixels);
    rug_context_release(ctx, d->next.pixels);
    memset(d, 0, sizeof *d);
}

rug_status rugi_ifs_decoder_iterate(rug_context *ctx, rugi_ifs_decoder *d)
{
    leaf_loop loop = {
        .decoder = d, .base = &d->base[2], .from = &d->state, .out = d->next};
    if (d->settled) /* the fixed point: nothing changes any more */
        return RUG_OK;
    rug_status status = for_leaves(ctx, &loop, iterate_task);
    if (status != RUG_OK)
        return status;
    d->next = d->state;
    d->state = loop.out;
    d->settled = !loop.changed;
    return RUG_OK;
}

static rug_status pass(rug_context *ctx, const rugi_ifs_decoder *d, rugi_ifs_field *out,
                       const rugi_ifs_field *base, const rugi_ifs_field *from,
                       unsigned octave, unsigned shrink)
{
    leaf_loop loop = {.decoder = d,
                      .octave = octave,
                      .shrink = shrink,
                      .base = base,
                      .from = from,
                      .out = *out};
    return for_leaves(ctx, &loop, copy_task);
}

/* From one size above the coded one to the next. */
static rug_status double_up(rug_context *ctx, const rugi_ifs_decoder *d,
                            rugi_ifs_field *out, const rugi_ifs_field *from,
                            unsigned octave)
{
    rug_status status = rugi_ifs_decoder_base(ctx, d, out, octave);
    return status == RUG_OK ? pass(ctx, d, out, out, from, octave, 0) : status;
}

rug_status rugi_ifs_decoder_finish(rug_context *ctx, rugi_ifs_decoder *d, int32_t *out,
                                   unsigned octave, int deblock)
{
    size_t nx = d->tree->frame.nx, ny = d->tree->frame.ny;
    rugi_ifs_field half, from, to = {octave == 0 ? out : NULL, nx, ny};
    rug_status status = new_field(ctx, &half, nx / 2, ny / 2);
    if (status == RUG_OK && octave > 0)
        status = new_field(ctx, &to, nx, ny);
    if (status == RUG_OK)
        status = pass(ctx, d, &half, &d->base[1], &d->state, 0, 1);
    if (status == RUG_OK)
        status = pass(ctx, d, &to, &d->base[0], &half, 0, 0);
    rug_context_release(ctx, half.pixels);
    for (unsigned i = 1; i <= octave; i++) {
        from = to;
        to = (rugi_ifs_field){i == octave ? out : NULL, nx << i, ny << i};
        if (status == RUG_OK && i < octave)
            status = new_field(ctx, &to, nx << i, ny << i);
        if (status == RUG_OK)
            status = double_up(ctx, d, &to, &from, i);
        rug_context_release(ctx, from.pixels);
    }
    if (status == RUG_OK && deblock > 0)
        status = rugi_ifs_deblock(ctx, out, d->tree, octave, deblock);
    return status;
}

rug_status rugi_ifs_decode_tree(rug_context *ctx, int32_t *out, const rugi_ifs_tree *tree,
                                const rugi_ifs_decoding *decoding)
{
    rugi_ifs_decoder d;
    rug_status status = rugi_ifs_decoder_begin(ctx, &d, tree);
    for (uint32_t i = 0; i < decoding->iterations && !d.settled && status == RUG_OK; i++)
        status = rugi_ifs_decoder_iterate(ctx, &d);
    if (status == RUG_OK)
        status =
            rugi_ifs_decoder_finish(ctx, &d, out, decoding->octave, decoding->deblock);
    rugi_ifs_decoder_end(ctx, &d);
    return status;
}
