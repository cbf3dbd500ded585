/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The decoder of a tree: iterations at a quarter of the coded size, where a domain is
 * shrunk to its range, and one pass for each octave up, where the domain at half the
 * size already is what it shrinks to. The base of each size is made where it is needed,
 * in the plane that the pass fills. */

#include "core/context/small.h"
#include "core/context/threads.h"
#include "ifs/stream/ifs_model.h"
#include "ifs_bands.h"
#include "ifs_picture.h"
#include <stdatomic.h>
#include <string.h>

/* ---- The basis of the inverse transform: FORMAT.md, "Residual" ---- */

/* 2^14 cos(pi j / 1024), rounded. */
static const int16_t quarter[513] = {
    16384, 16384, 16384, 16383, 16383, 16382, 16381, 16380, 16379, 16378, 16376, 16375,
    16373, 16371, 16369, 16367, 16364, 16362, 16359, 16356, 16353, 16350, 16347, 16343,
    16340, 16336, 16332, 16328, 16324, 16319, 16315, 16310, 16305, 16300, 16295, 16290,
    16284, 16279, 16273, 16267, 16261, 16255, 16248, 16242, 16235, 16228, 16221, 16214,
    16207, 16199, 16192, 16184, 16176, 16168, 16160, 16151, 16143, 16134, 16125, 16116,
    16107, 16098, 16088, 16079, 16069, 16059, 16049, 16039, 16029, 16018, 16008, 15997,
    15986, 15975, 15964, 15952, 15941, 15929, 15917, 15905, 15893, 15881, 15868, 15856,
    15843, 15830, 15817, 15804, 15791, 15777, 15763, 15750, 15736, 15722, 15707, 15693,
    15679, 15664, 15649, 15634, 15619, 15604, 15588, 15573, 15557, 15541, 15525, 15509,
    15493, 15476, 15460, 15443, 15426, 15409, 15392, 15375, 15357, 15340, 15322, 15304,
    15286, 15268, 15250, 15231, 15213, 15194, 15175, 15156, 15137, 15118, 15098, 15078,
    15059, 15039, 15019, 14999, 14978, 14958, 14937, 14917, 14896, 14875, 14854, 14832,
    14811, 14789, 14768, 14746, 14724, 14702, 14680, 14657, 14635, 14612, 14589, 14566,
    14543, 14520, 14497, 14473, 14449, 14426, 14402, 14378, 14354, 14329, 14305, 14280,
    14256, 14231, 14206, 14181, 14155, 14130, 14104, 14079, 14053, 14027, 14001, 13975,
    13949, 13922, 13896, 13869, 13842, 13815, 13788, 13761, 13733, 13706, 13678, 13651,
    13623, 13595, 13567, 13538, 13510, 13482, 13453, 13424, 13395, 13366, 13337, 13308,
    13279, 13249, 13219, 13190, 13160, 13130, 13100, 13069, 13039, 13008, 12978, 12947,
    12916, 12885, 12854, 12823, 12792, 12760, 12729, 12697, 12665, 12633, 12601, 12569,
    12537, 12504, 12472, 12439, 12406, 12373, 12340, 12307, 12274, 12240, 12207, 12173,
    12140, 12106, 12072, 12038, 12004, 11970, 11935, 11901, 11866, 11831, 11797, 11762,
    11727, 11691, 11656, 11621, 11585, 11550, 11514, 11478, 11442, 11406, 11370, 11334,
    11297, 11261, 11224, 11188, 11151, 11114, 11077, 11040, 11003, 10966, 10928, 10891,
    10853, 10815, 10778, 10740, 10702, 10663, 10625, 10587, 10549, 10510, 10471, 10433,
    10394, 10355, 10316, 10277, 10238, 10198, 10159, 10120, 10080, 10040, 10001, 9961,
    9921,  9881,  9841,  9800,  9760,  9720,  9679,  9638,  9598,  9557,  9516,  9475,
    9434,  9393,  9352,  9310,  9269,  9227,  9186,  9144,  9102,  9061,  9019,  8977,
    8935,  8892,  8850,  8808,  8765,  8723,  8680,  8638,  8595,  8552,  8509,  8466,
    8423,  8380,  8337,  8293,  8250,  8207,  8163,  8119,  8076,  8032,  7988,  7944,
    7900,  7856,  7812,  7768,  7723,  7679,  7635,  7590,  7545,  7501,  7456,  7411,
    7366,  7321,  7276,  7231,  7186,  7141,  7096,  7050,  7005,  6960,  6914,  6868,
    6823,  6777,  6731,  6685,  6639,  6593,  6547,  6501,  6455,  6409,  6363,  6316,
    6270,  6223,  6177,  6130,  6084,  6037,  5990,  5943,  5897,  5850,  5803,  5756,
    5708,  5661,  5614,  5567,  5520,  5472,  5425,  5377,  5330,  5282,  5235,  5187,
    5139,  5092,  5044,  4996,  4948,  4900,  4852,  4804,  4756,  4708,  4660,  4612,
    4563,  4515,  4467,  4418,  4370,  4321,  4273,  4224,  4176,  4127,  4078,  4030,
    3981,  3932,  3883,  3835,  3786,  3737,  3688,  3639,  3590,  3541,  3492,  3442,
    3393,  3344,  3295,  3246,  3196,  3147,  3098,  3048,  2999,  2949,  2900,  2851,
    2801,  2752,  2702,  2652,  2603,  2553,  2503,  2454,  2404,  2354,  2305,  2255,
    2205,  2155,  2105,  2055,  2006,  1956,  1906,  1856,  1806,  1756,  1706,  1656,
    1606,  1556,  1506,  1456,  1406,  1356,  1306,  1255,  1205,  1155,  1105,  1055,
    1005,  955,   904,   854,   804,   754,   704,   653,   603,   553,   503,   452,
    402,   352,   302,   251,   201,   151,   101,   50,    0,
};

/* The cosine of j / 2048 of a full circle. */
static int32_t cosine_of(uint32_t j)
{
    j &= 2047;
    if (j > 1024)
        j = 2048 - j;
    return j > 512 ? -quarter[1024 - j] : quarter[j];
}

static void make_basis(int32_t *basis, uint32_t side, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        basis[i] = cosine_of(256);
    for (uint32_t k = 1; k < side; k++)
        for (uint32_t i = 0; i < n; i++)
            basis[(size_t)k * n + i] = cosine_of((2 * i + 1) * k * (512 / n));
}

/* ---- The decoder ---- */

static const char what[] = "decoder of fractal coding";

static rug_status make_bases(rug_context *ctx, rugi_ifs_bases *b, unsigned octave)
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
        make_basis(at, side, side << octave);
        b->of[level] = at;
        at += (size_t)side * side << octave;
    }
    return RUG_OK;
}

/* coefs: [side²] row by row, or NULL. */
static rugi_ifs_base base_of(const rugi_ifs_frame *frame, const rugi_ifs_leaf *leaf,
                             const int32_t *coefs, const int32_t *basis, unsigned octave)
{
    uint32_t side = rugi_ifs_side(leaf->level);
    return (rugi_ifs_base){
        .side = side,
        .n = side << octave,
        .coefs = leaf->n_coefs > 0 ? coefs : NULL,
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
                           const rugi_ifs_leaf *leaf, unsigned octave, int32_t *basis)
{
    rugi_ifs_decode_kernels kernels;
    rugi_ifs_set_decode_kernels(&kernels, RUG_CPU_REF);
    rugi_ifs_base base = base_of(frame, leaf, leaf->coefs, basis, octave);
    if (base.coefs != NULL)
        make_basis(basis, base.side, base.n);
    kernels.base(out, base.n, &base);
}

/* A loop over leaves. */
typedef struct leaf_loop {
    const rugi_ifs_decoder *decoder;
    const rugi_ifs_bases *bases;
    unsigned octave;                   /* of out, where it is above the coded size */
    unsigned shrink;                   /* where it is below: halvings */
    const rugi_ifs_field *base, *from; /* base: may be out */
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
    *to = rugi_smaller(n, *from + loop->n_leaves);
}

/* Halves a block of n x n pixels in place. */
static void halve_block(const rugi_ifs_decode_kernels *kernels, int32_t *block,
                        uint32_t n)
{
    int32_t half[RUGI_IFS_BLOCK / 2];
    for (uint32_t y = 0; y < n / 2; y++) {
        const int32_t *row = block + 2 * y * n;
        kernels->halve(half, row, row + n, n / 2);
        memcpy(block + y * (n / 2), half, n / 2 * sizeof *half);
    }
}

/* The base of a leaf where the coded size is halved. */
static void put_halved(const leaf_loop *loop, const rugi_ifs_leaf *leaf,
                       const rugi_ifs_base *base)
{
    int32_t block[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK];
    const rugi_ifs_decode_kernels *kernels = &loop->decoder->kernels;
    uint32_t n = base->n;
    kernels->base(block, n, base);
    for (unsigned i = 0; i < loop->shrink; i++, n /= 2)
        halve_block(kernels, block, n);
    int32_t *out = loop->out.pixels + (leaf->y >> loop->shrink) * loop->out.nx +
                   (leaf->x >> loop->shrink);
    for (uint32_t y = 0; y < n; y++)
        memcpy(out + y * loop->out.nx, block + y * n, n * sizeof *block);
}

static void base_task(void *shared, size_t task, int thread)
{
    const leaf_loop *loop = shared;
    const rugi_ifs_tree *tree = loop->decoder->tree;
    int32_t coefs[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK] = {0};
    size_t i, to;
    (void)thread;
    for (leaves_of_task(loop, task, &i, &to); i < to; i++) {
        const rugi_ifs_leaf *leaf = &tree->leaves[i];
        rugi_ifs_unpack_coefs(coefs, leaf);
        rugi_ifs_base base = base_of(&tree->frame, leaf, coefs,
                                     loop->bases->of[leaf->level], loop->octave);
        size_t y = (size_t)leaf->y << loop->octave, x = (size_t)leaf->x << loop->octave;
        if (loop->shrink > 0)
            put_halved(loop, leaf, &base);
        else
            loop->decoder->kernels.base(loop->out.pixels + y * loop->out.nx + x,
                                        loop->out.nx, &base);
    }
}

rug_status rugi_ifs_decoder_base(rug_context *ctx, const rugi_ifs_decoder *d,
                                 rugi_ifs_field *out, unsigned octave, unsigned shrink)
{
    rugi_ifs_bases b = {0};
    rug_status status = make_bases(ctx, &b, octave);
    leaf_loop loop = {
        .decoder = d, .bases = &b, .octave = octave, .shrink = shrink, .out = *out};
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
    if (changed && !atomic_load_explicit(&loop->changed, memory_order_relaxed))
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

rug_status rugi_ifs_decoder_begin(rug_context *ctx, rugi_ifs_decoder *d,
                                  const rugi_ifs_tree *tree)
{
    size_t nx = tree->frame.nx, ny = tree->frame.ny;
    memset(d, 0, sizeof *d);
    d->tree = tree;
    rugi_ifs_set_decode_kernels(&d->kernels, rug_context_cpu_level(ctx));
    rug_status status = new_field(ctx, &d->base, nx / 4, ny / 4);
    if (status == RUG_OK)
        status = new_field(ctx, &d->state, nx / 4, ny / 4);
    if (status == RUG_OK)
        status = new_field(ctx, &d->next, nx / 4, ny / 4);
    if (status == RUG_OK)
        status = rugi_ifs_decoder_base(ctx, d, &d->base, 0, 2);
    if (status == RUG_OK)
        memcpy(d->state.pixels, d->base.pixels, (nx / 4) * (ny / 4) * sizeof(int32_t));
    return status;
}

void rugi_ifs_decoder_end(rug_context *ctx, rugi_ifs_decoder *d)
{
    rug_context_release(ctx, d->base.pixels);
    rug_context_release(ctx, d->state.pixels);
    rug_context_release(ctx, d->next.pixels);
    memset(d, 0, sizeof *d);
}

rug_status rugi_ifs_decoder_iterate(rug_context *ctx, rugi_ifs_decoder *d)
{
    leaf_loop loop = {.decoder = d, .base = &d->base, .from = &d->state, .out = d->next};
    if (d->converged) /* the fixed point: nothing changes any more */
        return RUG_OK;
    rug_status status = for_leaves(ctx, &loop, iterate_task);
    if (status != RUG_OK)
        return status;
    d->next = d->state;
    d->state = loop.out;
    d->converged = !loop.changed;
    return RUG_OK;
}

/* A size from one of half of it: 2^octave times the coded size, halved `shrink` times. */
static rug_status double_up(rug_context *ctx, const rugi_ifs_decoder *d,
                            rugi_ifs_field *out, const rugi_ifs_field *from,
                            unsigned octave, unsigned shrink)
{
    leaf_loop loop = {.decoder = d,
                      .octave = octave,
                      .shrink = shrink,
                      .base = out,
                      .from = from,
                      .out = *out};
    rug_status status = rugi_ifs_decoder_base(ctx, d, out, octave, shrink);
    return status == RUG_OK ? for_leaves(ctx, &loop, copy_task) : status;
}

/* From the quarter to a half of the coded size. */
static rug_status make_half(rug_context *ctx, const rugi_ifs_decoder *d,
                            rugi_ifs_field *half)
{
    const rugi_ifs_frame *frame = &d->tree->frame;
    rug_status status = new_field(ctx, half, frame->nx / 2, frame->ny / 2);
    return status == RUG_OK ? double_up(ctx, d, half, &d->state, 0, 1) : status;
}

rug_status rugi_ifs_decoder_finish(rug_context *ctx, const rugi_ifs_decoder *d,
                                   int32_t *out, unsigned octave, int deblock)
{
    size_t nx = d->tree->frame.nx, ny = d->tree->frame.ny;
    rugi_ifs_field from, to;
    rug_status status = make_half(ctx, d, &to);
    for (unsigned i = 0; i <= octave; i++) {
        from = to;
        to = (rugi_ifs_field){i == octave ? out : NULL, nx << i, ny << i};
        if (status == RUG_OK && i < octave)
            status = new_field(ctx, &to, nx << i, ny << i);
        if (status == RUG_OK)
            status = double_up(ctx, d, &to, &from, i, 0);
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
    for (uint32_t i = 0; i < decoding->iterations && !d.converged && status == RUG_OK;
         i++)
        status = rugi_ifs_decoder_iterate(ctx, &d);
    if (status == RUG_OK)
        status =
            rugi_ifs_decoder_finish(ctx, &d, out, decoding->octave, decoding->deblock);
    rugi_ifs_decoder_end(ctx, &d);
    return status;
}

/* ---- Bands ---- */

/* One block at the coded size.
 * @param out  its first pixel */
static void decode_leaf_at(const rugi_ifs_bands *b, int32_t *out,
                           const rugi_ifs_leaf *leaf)
{
    const rugi_ifs_frame *frame = &b->tree->frame;
    int32_t coefs[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK] = {0};
    rugi_ifs_unpack_coefs(coefs, leaf);
    rugi_ifs_base base = base_of(frame, leaf, coefs, b->bases.of[leaf->level], 0);
    b->kernels.base(out, frame->nx, &base);
    if (leaf->zone == RUGI_IFS_FLAT)
        return;
    rugi_ifs_copy copy = {
        .base = out,
        .base_pitch = frame->nx,
        .from = b->half.pixels + leaf->domain_y / 2 * b->half.nx + leaf->domain_x / 2,
        .from_pitch = b->half.nx,
        .n = base.side,
        .log2_n = base.log2_side,
        .symmetry = leaf->symmetry,
        .k = leaf->k,
        .least = base.least,
        .most = base.most,
    };
    b->kernels.copy(out, frame->nx, &copy);
}

/* Leaves come root by root, row by row. */
static void find_rows(rugi_ifs_bands *b)
{
    const rugi_ifs_tree *tree = b->tree;
    size_t n_rows = tree->frame.ny / RUGI_IFS_BLOCK, row = 0;
    for (size_t i = 0; i < tree->n_leaves; i++)
        while (row <= tree->leaves[i].y / RUGI_IFS_BLOCK)
            b->first[row++] = i;
    while (row <= n_rows)
        b->first[row++] = tree->n_leaves;
}

static rug_status allocate_bands(rug_context *ctx, rugi_ifs_bands *b)
{
    const rugi_ifs_frame *frame = &b->tree->frame;
    b->first =
        rug_context_allocate(ctx, frame->ny / RUGI_IFS_BLOCK + 1, sizeof *b->first, what);
    b->levels = rug_context_allocate(ctx, frame->nx / RUGI_IFS_LEAST,
                                     frame->ny / RUGI_IFS_LEAST, what);
    return b->first != NULL && b->levels != NULL ? RUG_OK : RUG_E_NOMEM;
}

static rug_status make_band_source(rug_context *ctx, rugi_ifs_bands *b,
                                   uint32_t iterations)
{
    rugi_ifs_decoder d;
    rug_status status = rugi_ifs_decoder_begin(ctx, &d, b->tree);
    for (uint32_t i = 0; i < iterations && !d.converged && status == RUG_OK; i++)
        status = rugi_ifs_decoder_iterate(ctx, &d);
    if (status == RUG_OK)
        status = make_half(ctx, &d, &b->half);
    rugi_ifs_decoder_end(ctx, &d);
    return status;
}

rug_status rugi_ifs_bands_begin(rug_context *ctx, rugi_ifs_bands *b,
                                const rugi_ifs_tree *tree, uint32_t iterations)
{
    memset(b, 0, sizeof *b);
    b->tree = tree;
    rugi_ifs_set_decode_kernels(&b->kernels, rug_context_cpu_level(ctx));
    rug_status status = allocate_bands(ctx, b);
    if (status == RUG_OK)
        status = make_bases(ctx, &b->bases, 0);
    if (status != RUG_OK)
        return status;
    find_rows(b);
    rugi_ifs_fill_levels(b->levels, tree);
    return make_band_source(ctx, b, iterations);
}

void rugi_ifs_bands_end(rug_context *ctx, rugi_ifs_bands *b)
{
    rug_context_release(ctx, b->half.pixels);
    rug_context_release(ctx, b->bases.all);
    rug_context_release(ctx, b->levels);
    rug_context_release(ctx, b->first);
    memset(b, 0, sizeof *b);
}

/* @param top  the row of pixels of the plane at which out begins; may be 32 above it */
static void decode_leaf(const rugi_ifs_bands *b, int32_t *out, const rugi_ifs_leaf *leaf,
                        ptrdiff_t top)
{
    ptrdiff_t nx = (ptrdiff_t)b->tree->frame.nx;
    decode_leaf_at(b, out + ((ptrdiff_t)leaf->y - top) * nx + leaf->x, leaf);
}

void rugi_ifs_decode_band(const rugi_ifs_bands *b, int32_t *out, size_t from, size_t to,
                          int around)
{
    size_t n_rows = b->tree->frame.ny / RUGI_IFS_BLOCK;
    size_t i = b->first[around && from > 0 ? from - 1 : from];
    size_t end = b->first[around && to < n_rows ? to + 1 : to];
    ptrdiff_t top = (ptrdiff_t)(from * RUGI_IFS_BLOCK) - (around ? RUGI_IFS_BLOCK : 0);
    for (; i < end; i++)
        if (rugi_ifs_touches_band(&b->tree->leaves[i], from, to))
            decode_leaf(b, out, &b->tree->leaves[i], top);
}
