/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The quadtree of a root, by rate and distortion: a block is one leaf, or four blocks,
 * whichever has the least D + lambda R (Sullivan and Baker 1994), with rates in the
 * present state of the coder. */

#include "ifs_encode.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A candidate whose gain is worth fewer bits than this is not tried: a domain takes
 * more. */
#define LEAST_BITS 6

/* Blocks whose squared deviation is worth fewer bits have no candidates. */
#define FLAT_BITS 12

/* A domain to be tried. */
typedef struct candidate {
    uint8_t zone, symmetry, near;
    uint32_t x, y;
} candidate;

/* ---- Domains worth trying ---- */

/* One over the block, one near it, and that of the grid. Which one is near enough is
 * decided on pixels of 10 bits, in whole numbers; what it is worth is computed from
 * the pixels themselves later. */

/* A range under all isometries, and the best domain so far. */
typedef struct trial {
    const rugi_ifs_encoder *e;
    rugi_ifs_work *work;
    unsigned level;
    size_t n;    /* pixels */
    int64_t sum; /* of the range */
    double s_max, best;
    candidate *out;
} trial;

/* Domains lie as they are, and the range is mapped the other way. */
static void map_range(trial *t, uint32_t x, uint32_t y)
{
    const rugi_ifs_encoder *e = t->e;
    unsigned side = rugi_ifs_side(t->level);
    int16_t *piece = t->work->piece;
    t->sum = 0;
    for (unsigned row = 0; row < side; row++)
        for (unsigned col = 0; col < side; col++) {
            size_t at = (size_t)(y + row) * e->frame.nx + x + col;
            int16_t v = rugi_ifs_short_of(rugi_ifs_pixel_at(e->plane, at) - e->plane->min,
                                          e->short_shift);
            piece[row * side + col] = v;
            t->sum += v;
        }
    for (unsigned g = 0; g < RUGI_IFS_ISOMETRIES; g++) {
        const uint16_t *place = e->tables->place[t->level][g];
        int16_t *mapped = t->work->ranges + g * t->n;
        for (size_t i = 0; i < t->n; i++)
            mapped[place[i]] = piece[i];
    }
}

static void read_short_domain(trial *t, uint32_t x, uint32_t y, int64_t *sum,
                              int64_t *norm2)
{
    unsigned side = rugi_ifs_side(t->level);
    size_t stride = t->e->frame.nx / 2;
    int32_t total = 0, squares = 0;
    for (unsigned row = 0; row < side; row++) {
        const int16_t *from = t->e->half_short + (y / 2 + row) * stride + x / 2;
        int16_t *to = t->work->piece + row * side;
        for (unsigned col = 0; col < side; col++) {
            to[col] = from[col];
            total += from[col];
            squares += from[col] * from[col];
        }
    }
    *sum = total;
    *norm2 = (int64_t)t->n * squares - (int64_t)total * total;
}

/* How much of the range's squared deviation goes, up to a factor that all share. */
static double gain_of(double cross, double norm2, double s_max)
{
    if (cross >= s_max * norm2)
        return s_max * (2 * cross - s_max * norm2);
    return cross * cross / norm2;
}

static void try_domain(trial *t, const candidate *c)
{
    int64_t sum, norm2;
    int32_t products[RUGI_IFS_ISOMETRIES];
    read_short_domain(t, c->x, c->y, &sum, &norm2);
    if (norm2 == 0)
        return;
    t->e->tables->kernels.cross(products, t->work->ranges, t->work->piece, t->n);
    int64_t best = 0;
    unsigned symmetry = 0;
    for (unsigned g = 0; g < RUGI_IFS_ISOMETRIES; g++) {
        int64_t cross = llabs((int64_t)t->n * products[g] - t->sum * sum);
        if (cross > best) {
            best = cross;
            symmetry = g;
        }
    }
    double gain = gain_of((double)best, (double)norm2, t->s_max);
    if (gain > t->best) {
        t->best = gain;
        *t->out = *c;
        t->out->symmetry = (uint8_t)symmetry;
    }
}

static void try_zone(trial *t, uint32_t x, uint32_t y, rugi_ifs_zone zone, unsigned near)
{
    rugi_ifs_leaf leaf = {.x = x,
                          .y = y,
                          .level = (uint8_t)t->level,
                          .zone = (uint8_t)zone,
                          .near = (uint8_t)near};
    rugi_ifs_place_domain(&t->e->frame, &leaf);
    const candidate c = {(uint8_t)zone, 0, (uint8_t)near, leaf.domain_x, leaf.domain_y};
    try_domain(t, &c);
}

static int grid_candidate(const rugi_ifs_encoder *e, uint32_t x, uint32_t y,
                          unsigned level, candidate *out)
{
    if (e->grid[level] == NULL)
        return 0;
    unsigned side = rugi_ifs_side(level);
    uint32_t d = e->grid[level][(size_t)(y / side) * (e->frame.nx / side) + x / side];
    if (d == 0)
        return 0;
    *out = (candidate){RUGI_IFS_GRID, d >> 28 & 7, 0, RUGI_IFS_LEAST * (d & 0x3fff),
                       RUGI_IFS_LEAST * (d >> 14 & 0x3fff)};
    return 1;
}

/* @return how many, up to 3 */
static int find_candidates(const rugi_ifs_encoder *e, rugi_ifs_work *work, uint32_t x,
                           uint32_t y, unsigned level, candidate out[3])
{
    unsigned side = rugi_ifs_side(level);
    trial t = {.e = e,
               .work = work,
               .level = level,
               .n = (size_t)side * side,
               .s_max = (double)e->effort.k_max / RUGI_IFS_K_MAX};
    map_range(&t, x, y);
    int n = 0;
    t.out = &out[n];
    try_zone(&t, x, y, RUGI_IFS_OVER, 0);
    n += t.best > 0;
    t.best = 0;
    t.out = &out[n];
    for (unsigned near = 0; near < 64; near++)
        try_zone(&t, x, y, RUGI_IFS_NEAR, near);
    n += t.best > 0;
    return n + grid_candidate(e, x, y, level, &out[n]);
}

/* ---- The quadtree of a root ---- */

/* One root at work. */
typedef struct root {
    rugi_ifs_encoder *e;
    rugi_ifs_work *work;
    rugi_ifs_model *model;
    rugi_ifs_quantiser quantiser;
    double lambda; /* distortion that is worth a bit */
    rugi_ifs_leaf *leaves;
    int32_t *coefs;
    uint32_t n;
} root;

/* A block at work. */
typedef struct block {
    rugi_ifs_leaf best;
    double cost, distortion, mean_error, energy;
} block;

static double price_of_leaf(const root *r, rugi_ifs_leaf *leaf)
{
    rugi_ifs_coder coder;
    rugi_ifs_price_begin(&coder);
    rugi_ifs_code_leaf(&coder, r->model, &r->e->map, &r->e->frame, leaf);
    return r->quantiser.lambda * (double)coder.price;
}

static double price_of_split(const root *r, uint32_t x, uint32_t y, unsigned level,
                             int split)
{
    if (level == RUGI_IFS_LEVELS - 1)
        return 0;
    rugi_ifs_coder coder;
    rugi_ifs_price_begin(&coder);
    rugi_ifs_code_split(&coder, r->model, &r->e->map, x, y, level, split);
    return r->quantiser.lambda * (double)coder.price;
}

static void to_zigzag(const root *r, float *out, const float *in, unsigned level)
{
    const uint16_t *zigzag = r->e->tables->scan.zigzag[level];
    size_t n = (size_t)rugi_ifs_side(level) * rugi_ifs_side(level);
    for (size_t i = 0; i < n; i++)
        out[i] = in[zigzag[i]];
}

/* The range about its mean, transformed, and its quantised mean. */
static void read_range(root *r, rugi_ifs_leaf *leaf, block *b)
{
    const rugi_ifs_encoder *e = r->e;
    unsigned side = rugi_ifs_side(leaf->level), n = side * side;
    size_t from = (size_t)leaf->y * e->plane->nx + leaf->x;
    int64_t sum = 0, step = rugi_ifs_mean_step(&e->frame, leaf->level);
    for (unsigned y = 0; y < side; y++)
        for (unsigned x = 0; x < side; x++)
            sum += rugi_ifs_pixel_at(e->plane, from + (size_t)y * e->plane->nx + x);
    float mean = (float)((double)sum / n);
    for (unsigned y = 0; y < side; y++)
        for (unsigned x = 0; x < side; x++) {
            size_t at = from + (size_t)y * e->plane->nx + x;
            r->work->range_pixels[y * side + x] =
                (float)rugi_ifs_pixel_at(e->plane, at) - mean;
        }
    e->tables->kernels.forward(r->work->natural, r->work->range_pixels,
                               &e->tables->cosines, leaf->level);
    to_zigzag(r, r->work->range, r->work->natural, leaf->level);
    leaf->mean = (int32_t)rugi_ifs_floor_div(128 * sum + step * n, 2 * step * n);
    double error = (double)sum / n - (double)(leaf->mean * step) / 64;
    b->mean_error = error * error * n;
    b->energy = 0;
    for (unsigned i = 1; i < n; i++)
        b->energy += (double)r->work->range[i] * (double)r->work->range[i];
}

/* Exchanging left and right changes the sign of functions that are odd along x; a
 * quarter of a turn is transposing and exchanging. */
void rugi_ifs_map_coefs(float *out, const float *in, unsigned symmetry, size_t side)
{
    static const struct {
        unsigned is_transposed, x, y; /* x, y: odd functions change sign */
    } isometry[RUGI_IFS_ISOMETRIES] = {{0, 0, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 0},
                                       {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {1, 1, 1}};
    size_t dx = isometry[symmetry].is_transposed ? side : 1,
           dy = isometry[symmetry].is_transposed ? 1 : side;
    for (size_t y = 0; y < side; y++)
        for (size_t x = 0; x < side; x++) {
            float value = in[y * dy + x * dx];
            int is_odd = ((x & isometry[symmetry].x) ^ (y & isometry[symmetry].y)) & 1;
            out[y * side + x] = is_odd ? -value : value;
        }
}

/* The domain in the same way. @return its squared deviation */
static double read_domain(root *r, const candidate *c, unsigned level)
{
    const rugi_ifs_encoder *e = r->e;
    unsigned side = rugi_ifs_side(level), n = side * side;
    size_t stride = e->frame.nx / 2;
    double sum = 0, norm2 = 0;
    for (unsigned y = 0; y < side; y++) {
        const float *from = e->half + (c->y / 2 + y) * stride + c->x / 2;
        for (unsigned x = 0; x < side; x++) {
            r->work->domain_pixels[y * side + x] = from[x];
            sum += (double)from[x];
        }
    }
    float mean = (float)(sum / n);
    for (unsigned i = 0; i < n; i++)
        r->work->domain_pixels[i] -= mean;
    e->tables->kernels.forward(r->work->natural, r->work->domain_pixels,
                               &e->tables->cosines, level);
    rugi_ifs_map_coefs(r->work->mapped, r->work->natural, c->symmetry, side);
    to_zigzag(r, r->work->domain, r->work->mapped, level);
    for (unsigned i = 1; i < n; i++)
        norm2 += (double)r->work->domain[i] * (double)r->work->domain[i];
    return norm2;
}

/* Keeps a leaf whose coefs are the trial's, when it costs less. */
static void keep(root *r, block *b, rugi_ifs_leaf *leaf, double distortion)
{
    double cost = distortion + price_of_leaf(r, leaf);
    if (!(cost < b->cost))
        return;
    unsigned side = rugi_ifs_side(leaf->level);
    b->best = *leaf;
    b->best.coefs = r->work->best[leaf->level];
    if (leaf->n_coefs > 0)
        memcpy(b->best.coefs, r->work->trial, sizeof *leaf->coefs * side * side);
    b->cost = cost;
    b->distortion = distortion;
}

static double code_rest(root *r, rugi_ifs_leaf *leaf, const float *x, size_t n)
{
    rugi_ifs_around around;
    rugi_ifs_look_around(&around, &r->e->map, leaf->x, leaf->y, leaf->level);
    return rugi_ifs_quantise(&r->quantiser, leaf, &r->work->prices[leaf->level],
                             around.coded, x, r->e->frame.has_residual ? n : 0);
}

static void try_flat(root *r, block *b, rugi_ifs_leaf leaf)
{
    unsigned side = rugi_ifs_side(leaf.level);
    size_t n = (size_t)side * side;
    while (n > 1 && fabsf(r->work->range[n - 1]) < 0.5f * r->quantiser.delta)
        n--;
    keep(r, b, &leaf, code_rest(r, &leaf, r->work->range, n) + b->mean_error);
}

static int k_cap_of(const rugi_ifs_encoder *e, const rugi_ifs_leaf *leaf)
{
    unsigned n = rugi_ifs_side(leaf->level) / RUGI_IFS_LEAST;
    size_t stride = e->frame.nx / RUGI_IFS_LEAST;
    const int8_t *caps =
        e->k_caps + leaf->y / RUGI_IFS_LEAST * stride + leaf->x / RUGI_IFS_LEAST;
    int cap = e->effort.k_max;
    for (unsigned y = 0; y < n; y++)
        for (unsigned x = 0; x < n; x++)
            cap = caps[y * stride + x] < cap ? caps[y * stride + x] : cap;
    return cap;
}

/* Whether what is left of the range is within what the decoder can hold, so that it is
 * not cut off where the domain is added again. */
static int is_held(const root *r, const rugi_ifs_leaf *leaf)
{
    const rugi_ifs_frame *frame = &r->e->frame;
    size_t n = (size_t)rugi_ifs_side(leaf->level) * rugi_ifs_side(leaf->level);
    const uint16_t *place = r->e->tables->place[leaf->level][leaf->symmetry];
    float mean = (float)leaf->mean * (float)rugi_ifs_mean_step(frame, leaf->level) / 64;
    float least = (float)rugi_ifs_least(frame->depth) / 64 - mean,
          most = (float)rugi_ifs_most(frame->depth) / 64 - mean;
    float s = (float)leaf->k / RUGI_IFS_K_MAX;
    for (size_t i = 0; i < n; i++) {
        float rest = r->work->range_pixels[i] - s * r->work->domain_pixels[place[i]];
        if (rest < least || rest > most)
            return 0;
    }
    return 1;
}

/* Tries the two scales about the best one. */
static void try_candidate(root *r, block *b, rugi_ifs_leaf leaf, const candidate *c,
                          int cap)
{
    size_t n = (size_t)rugi_ifs_side(leaf.level) * rugi_ifs_side(leaf.level);
    double norm2 = read_domain(r, c, leaf.level), cross = 0;
    for (size_t i = 1; i < n; i++)
        cross += (double)r->work->range[i] * (double)r->work->domain[i];
    if (!(norm2 > 0) || cross * cross < LEAST_BITS * r->lambda * norm2)
        return;
    double s = fabs(cross) / norm2 * RUGI_IFS_K_MAX;
    int nearest = (int)(s > cap ? cap : s + 0.5), around = r->e->effort.with_all ? 2 : 0;
    int top = nearest + around / 2 < cap ? nearest + around / 2 : cap;
    leaf.zone = c->zone;
    leaf.symmetry = c->symmetry;
    leaf.near = c->near;
    leaf.domain_x = c->x;
    leaf.domain_y = c->y;
    for (int k = top; k >= 1 && k >= nearest - 1 - around; k--) {
        leaf.k = (int8_t)(cross < 0 ? -k : k);
        if (!is_held(r, &leaf))
            continue;
        size_t last = r->e->tables->kernels.residual(
            r->work->rest, r->work->range, r->work->domain,
            (float)leaf.k / RUGI_IFS_K_MAX, 0.5f * r->quantiser.delta, n);
        keep(r, b, &leaf, code_rest(r, &leaf, r->work->rest, last) + b->mean_error);
    }
}

static void evaluate(root *r, uint32_t x, uint32_t y, unsigned level, block *b)
{
    rugi_ifs_leaf leaf = {
        .x = x, .y = y, .level = (uint8_t)level, .coefs = r->work->trial};
    candidate candidates[3];
    b->cost = HUGE_VAL;
    read_range(r, &leaf, b);
    try_flat(r, b, leaf);
    int cap = k_cap_of(r->e, &leaf);
    if (cap == 0 || !rugi_ifs_has_domains(&r->e->frame, level) ||
        (!r->e->effort.with_all && b->energy <= FLAT_BITS * r->lambda))
        return;
    int n = find_candidates(r->e, r->work, x, y, level, candidates);
    for (int i = 0; i < n; i++)
        try_candidate(r, b, leaf, &candidates[i], cap);
}

/* Where the coefficients of a block lie in its root's: blocks of one level never
 * overlap, and a block's part begins with that of its first quarter. */
static size_t part_of(uint32_t x, uint32_t y)
{
    size_t part = 0;
    for (unsigned bit = 0; bit < 3; bit++)
        part |= (size_t)(x / RUGI_IFS_LEAST >> bit & 1) << 2 * bit |
                (size_t)(y / RUGI_IFS_LEAST >> bit & 1) << (2 * bit + 1);
    return part * RUGI_IFS_LEAST * RUGI_IFS_LEAST;
}

static void take(root *r, const block *b)
{
    rugi_ifs_leaf *leaf = &r->leaves[r->n++];
    *leaf = b->best;
    unsigned side = rugi_ifs_side(leaf->level);
    leaf->coefs = r->coefs + part_of(leaf->x, leaf->y);
    if (leaf->n_coefs > 0)
        memcpy(leaf->coefs, b->best.coefs, sizeof *leaf->coefs * side * side);
    rugi_ifs_map_enter(&r->e->map, &r->e->frame, leaf);
}

/* @return the cost of the block, its leaves being taken */
static double decide(root *r, uint32_t x, uint32_t y, unsigned level)
{
    block b;
    uint32_t n = r->n, half = rugi_ifs_side(level) / 2;
    evaluate(r, x, y, level, &b);
    double whole = b.cost + price_of_split(r, x, y, level, 0);
    /* four leaves take more bits than that even if they left no error */
    if (level == RUGI_IFS_LEVELS - 1 || whole <= 4 * r->lambda) {
        take(r, &b);
        return whole;
    }
    double split = price_of_split(r, x, y, level, 1);
    for (unsigned quarter = 0; quarter < 4; quarter++)
        split +=
            decide(r, x + (quarter & 1) * half, y + (quarter >> 1) * half, level + 1);
    if (split < whole)
        return split;
    r->n = n;
    take(r, &b);
    return whole;
}

/* The model sees the root as the coder will. */
static void learn(root *r, uint32_t x, uint32_t y, unsigned level, uint32_t *next)
{
    rugi_ifs_coder coder = {.coding = RUGI_IFS_LEARN};
    rugi_ifs_leaf *leaf = &r->leaves[*next];
    uint32_t half = rugi_ifs_side(level) / 2;
    int split = leaf->level > level;
    if (level < RUGI_IFS_LEVELS - 1)
        rugi_ifs_code_split(&coder, r->model, &r->e->map, x, y, level, split);
    if (split) {
        for (unsigned quarter = 0; quarter < 4; quarter++)
            learn(r, x + (quarter & 1) * half, y + (quarter >> 1) * half, level + 1,
                  next);
        return;
    }
    rugi_ifs_code_leaf(&coder, r->model, &r->e->map, &r->e->frame, leaf);
    rugi_ifs_map_enter(&r->e->map, &r->e->frame, leaf);
    ++*next;
}

/* The error of a block is spread over its pixels. Where one or two rows of them belong
 * to the image, less of it is allowed, so that the border is not worse than the inside. */
static double lambda_of(const rugi_ifs_encoder *e, uint32_t x, uint32_t y)
{
    uint32_t nx = e->plane->used_x - x, ny = e->plane->used_y - y;
    double share = (double)(nx < RUGI_IFS_BLOCK ? nx : RUGI_IFS_BLOCK) *
                   (double)(ny < RUGI_IFS_BLOCK ? ny : RUGI_IFS_BLOCK) / RUGI_IFS_PIXELS;
    return share < 0.07 ? e->lambda * share : e->lambda;
}

size_t rugi_ifs_choose_root(rugi_ifs_encoder *e, rugi_ifs_work *work, uint32_t column,
                            uint32_t row)
{
    double lambda = lambda_of(e, column * RUGI_IFS_BLOCK, row * RUGI_IFS_BLOCK);
    root r = {.e = e,
              .work = work,
              .model = e->models[row],
              .lambda = lambda,
              .quantiser = {.delta = (float)e->frame.delta / 16,
                            .lambda = lambda / (1 << RUGI_IFS_PRICE_BITS),
                            .scan = &e->tables->scan,
                            .magnitudes = work->magnitudes,
                            .set = work->set},
              .leaves = work->leaves,
              .coefs = work->coefs};
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++)
        rugi_ifs_prices_make(&work->prices[level], r.model, level);
    uint32_t x = column * RUGI_IFS_BLOCK, y = row * RUGI_IFS_BLOCK, next = 0;
    decide(&r, x, y, 0);
    learn(&r, x, y, 0, &next);
    return r.n;
}
