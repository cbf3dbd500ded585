/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The quadtree of a root, by rate and distortion: a block is one patch, or four blocks, whichever
 * has the least D + lambda R (Sullivan and Baker 1994), with rates in the present state of the
 * coder. Predictions are told apart by their Hadamard transforms first; the most promising ones are
 * tried in full. */

#include "ifs_patch_domains.h"
#include <math.h>
#include <string.h>

/* Predictions of a patch, with what they promise. */
#define MOST_TRIED 24
typedef struct candidate {
    rugi_ifs_patch patch;
    float cost;
} candidate;

struct rugi_ifs_patch_work {
    RUGI_OWN_LINES rugi_ifs_patch_prices prices[RUGI_IFS_LEVELS];
    rugi_ifs_size_prices sizes;
    rugi_ifs_patch_path paths[2][RUGI_IFS_STATES];
    rugi_ifs_patch_step steps[RUGI_IFS_PIXELS][RUGI_IFS_STATES];
    rugi_ifs_edges edges;
    int16_t original[RUGI_IFS_PIXELS], prediction[RUGI_IFS_PIXELS],
        scratch[RUGI_IFS_PIXELS];
    float rest[RUGI_IFS_PIXELS], natural[RUGI_IFS_PIXELS], scaled[RUGI_IFS_PIXELS];
    int32_t trial[RUGI_IFS_PIXELS];
    int16_t best_prediction[RUGI_IFS_LEVELS][RUGI_IFS_PIXELS];
    int32_t best[RUGI_IFS_LEVELS][RUGI_IFS_PIXELS];
    rugi_ifs_domain_work domains;
    rugi_ifs_patch patches[RUGI_IFS_PATCHES]; /* of the root */
    int32_t coefs[RUGI_IFS_PIXELS];           /* of its patches */
};

/* One root at work. */
typedef struct root {
    rugi_ifs_patch_encoder *e;
    rugi_ifs_patch_work *work;
    rugi_ifs_patch_coding coding;
    rugi_ifs_coder pricing;
    rugi_ifs_patch_quantiser quantiser;
    uint32_t delta;  /* of the root, in 1/16 of a grey level */
    float step;      /* the same in samples */
    float bit;       /* squared steps that are worth a bit */
    float quick_bit; /* Hadamard distance that is worth a bit */
    uint32_t n;      /* patches so far */
} root;

/* A block at work. Costs are in squared steps. */
typedef struct block {
    rugi_ifs_patch best;
    float cost;
} block;

rugi_ifs_patch_work *rugi_ifs_patch_work_new(rug_context *ctx)
{
    rugi_ifs_patch_work *work =
        rug_context_allocate(ctx, 1, sizeof *work, "encoder of patches");
    if (work != NULL)
        memset(work->paths, 0, sizeof work->paths);
    return work;
}

/* ---- Prices ---- */

static float in_bits(uint64_t price)
{
    return (float)price / (float)(1 << RUGI_IFS_PRICE_BITS);
}

/* Bits of a patch's prediction: of all that is coded of a patch without coefficients, but that it has
 * none. */
static float price_prediction(root *r, const rugi_ifs_patch *patch, uint32_t has_no_coefs)
{
    rugi_ifs_patch bare = *patch;
    bare.n_coefs = 0;
    r->pricing.price = 0;
    rugi_ifs_code_patch(&r->coding, &bare);
    return in_bits(r->pricing.price - has_no_coefs);
}

static float price_split(root *r, uint32_t x, uint32_t y, unsigned level, int split)
{
    if (level == RUGI_IFS_LEVELS - 1)
        return 0;
    r->pricing.price = 0;
    rugi_ifs_code_patch_split(&r->coding, x, y, level, split);
    return in_bits(r->pricing.price) * r->bit;
}

static const uint32_t *has_coefs_of(const root *r, const rugi_ifs_patch_around *around,
                                    const rugi_ifs_patch *patch)
{
    unsigned before = around->before != NULL && around->before->is_coded;
    return r->work->prices[patch->level]
        .has_coefs[rugi_ifs_is_copied(patch->kind)][around->coded][before];
}

/* ---- A first look ---- */

static void read_original(root *r, uint32_t x, uint32_t y, uint32_t n)
{
    const rugi_ifs_patch_plane *plane = &r->e->plane;
    const int16_t *from = r->e->original + (size_t)y * plane->pitch + x;
    for (uint32_t i = 0; i < n; i++)
        memcpy(r->work->original + i * n, from + i * plane->pitch, n * sizeof *from);
}

/* The candidates of a block, the best first. */
typedef struct candidates {
    candidate list[MOST_TRIED];
    int n, most;
} candidates;

static void offer(candidates *c, const rugi_ifs_patch *patch, float cost)
{
    int at = c->n < c->most ? c->n++ : c->most;
    if (at == c->most && !(cost < c->list[--at].cost))
        return;
    for (; at > 0 && cost < c->list[at - 1].cost; at--)
        c->list[at] = c->list[at - 1];
    c->list[at] = (candidate){*patch, cost};
}

static void look_at(root *r, candidates *c, const rugi_ifs_patch_around *around,
                    const rugi_ifs_patch *patch)
{
    rugi_ifs_patch_work *w = r->work;
    uint32_t n = rugi_ifs_side(patch->level);
    rugi_ifs_predict(w->prediction, w->scratch, &r->e->tables->tools, &r->e->plane,
                     &w->edges, patch);
    float distance =
        (float)r->e->tables->distance.hadamard(w->original, w->prediction, n);
    float bits = price_prediction(r, patch, has_coefs_of(r, around, patch)[0]);
    offer(c, patch, distance + r->quick_bit * bits);
}

static void look_at_angle(root *r, candidates *c, const rugi_ifs_patch_around *around,
                          rugi_ifs_patch *patch, int angle, uint32_t *seen)
{
    if (angle < 0 || angle >= RUGI_IFS_ANGLES || (*seen >> angle & 1) != 0)
        return;
    *seen |= 1u << angle;
    patch->angle = (uint8_t)angle;
    look_at(r, c, around, patch);
}

/* The best direction so far; -1: none. */
static int best_angle(const candidates *c)
{
    for (int i = 0; i < c->n; i++)
        if (c->list[i].patch.kind == RUGI_IFS_ANGLE)
            return c->list[i].patch.angle;
    return -1;
}

static void look_at_angles(root *r, candidates *c, const rugi_ifs_patch_around *around,
                           rugi_ifs_patch *patch)
{
    uint32_t seen = 0;
    patch->kind = RUGI_IFS_ANGLE;
    const rugi_ifs_patch_square *beside[2] = {around->left, around->above};
    for (int i = 0; i < 2; i++)
        if (beside[i] != NULL && beside[i]->kind == RUGI_IFS_ANGLE)
            look_at_angle(r, c, around, patch, beside[i]->angle, &seen);
    int step = RUGI_IFS_ANGLES / r->e->effort.n_angles;
    for (int angle = RUGI_IFS_HORIZONTAL % step; angle < RUGI_IFS_ANGLES; angle += step)
        look_at_angle(r, c, around, patch, angle, &seen);
    for (step /= 2; step >= 1; step /= 2) {
        int best = best_angle(c);
        if (best < 0)
            return;
        look_at_angle(r, c, around, patch, best - step, &seen);
        look_at_angle(r, c, around, patch, best + step, &seen);
    }
}

/* Luma by the slope of the edges, and by the scales that leave least: two of them. */
static void look_at_luma(root *r, candidates *c, const rugi_ifs_patch_around *around,
                         rugi_ifs_patch *patch)
{
    rugi_ifs_patch_work *w = r->work;
    uint32_t n = rugi_ifs_side(patch->level);
    int64_t cross = 0, square = 0, sum = 0, luma_sum = 0;
    patch->kind = RUGI_IFS_LUMA;
    patch->k = 0;
    look_at(r, c, around, patch);
    patch->k = 8; /* luma itself, about the mean */
    rugi_ifs_predict(w->prediction, w->scratch, &r->e->tables->tools, &r->e->plane,
                     &w->edges, patch);
    for (uint32_t i = 0; i < n * n; i++) {
        int32_t luma = w->prediction[i] - w->edges.mean;
        luma_sum += luma;
        sum += w->original[i];
        cross += luma * w->original[i];
        square += luma * luma;
    }
    cross = cross * n * n - sum * luma_sum;
    square = square * n * n - luma_sum * luma_sum;
    if (square <= 0)
        return;
    double best = 8 * (double)cross / (double)square;
    int k = (int)floor(best + 0.5);
    for (int i = -1; i <= 1; i++) {
        int tried = k + i < -8 ? -8 : k + i > 8 ? 8 : k + i;
        if (tried == 0 || (i != 0 && (tried != k + i || fabs(best - tried) > 1)))
            continue;
        patch->k = (int8_t)tried;
        look_at(r, c, around, patch);
    }
}

static void look_at_domains(root *r, candidates *c, const rugi_ifs_patch_around *around,
                            const rugi_ifs_patch *begun)
{
    rugi_ifs_patch found[RUGI_IFS_DOMAINS_FOUND];
    int n = rugi_ifs_find_domains(r->e, &r->work->domains, r->work->original, begun,
                                  found, r->e->effort.n_domains);
    for (int i = 0; i < n; i++)
        look_at(r, c, around, &found[i]);
}

static void look(root *r, candidates *c, const rugi_ifs_patch_around *around,
                 const rugi_ifs_patch *begun)
{
    static const uint8_t simple[] = {RUGI_IFS_FLAT_KIND, RUGI_IFS_PLANAR,
                                     RUGI_IFS_MEDIAN};
    rugi_ifs_patch patch = *begun;
    for (int i = 0; i < 3; i++) {
        patch.kind = simple[i];
        look_at(r, c, around, &patch);
    }
    look_at_angles(r, c, around, &patch);
    if (r->e->effort.n_domains > 0 && begun->level > 0)
        look_at_domains(r, c, around, begun);
    if (r->e->plane.frame.has_luma)
        look_at_luma(r, c, around, &patch);
}

/* ---- A patch in full ---- */

static void to_steps(const root *r, float *out, const float *in, unsigned level)
{
    const uint16_t *zigzag = r->e->tables->scan.zigzag[level];
    size_t n = (size_t)rugi_ifs_side(level) * rugi_ifs_side(level);
    float factor = 1 / r->step;
    for (size_t i = 0; i < n; i++)
        out[i] = factor * in[zigzag[i]];
}

/* The residual that a patch's prediction leaves, transformed. */
static void transform(root *r, const rugi_ifs_patch *patch)
{
    rugi_ifs_patch_work *w = r->work;
    const rugi_ifs_patch_tables *t = r->e->tables;
    unsigned level = patch->level, n = rugi_ifs_side(level);
    rugi_ifs_predict(w->prediction, w->scratch, &t->tools, &r->e->plane, &w->edges,
                     patch);
    t->distance.subtract(w->rest, w->original, w->prediction, (size_t)n * n);
    t->forward.forward(w->natural, w->rest,
                       rugi_ifs_has_sines(patch->kind, level) ? &t->sines : &t->cosines,
                       level);
}

/* Predictions anew in the order of what they would cost by an estimate. */
static void estimate(root *r, candidates *c, const rugi_ifs_patch_around *around,
                     int most)
{
    candidates sorted = {.most = most};
    for (int i = 0; i < c->n; i++) {
        const rugi_ifs_patch *patch = &c->list[i].patch;
        size_t side = rugi_ifs_side(patch->level);
        transform(r, patch);
        float bits = price_prediction(r, patch, has_coefs_of(r, around, patch)[0]);
        offer(&sorted, patch,
              bits * r->bit + r->e->tables->distance.estimate(
                                  r->work->natural, 1 / r->step, r->bit, side * side));
    }
    *c = sorted;
}

static void try_candidate(root *r, block *b, const rugi_ifs_patch_around *around,
                          const rugi_ifs_patch *tried)
{
    rugi_ifs_patch_work *w = r->work;
    rugi_ifs_patch patch = *tried;
    unsigned level = patch.level, n = rugi_ifs_side(level);
    const uint32_t *has_coefs = has_coefs_of(r, around, &patch);
    float bits = price_prediction(r, &patch, has_coefs[0]), price;
    if (!(bits * r->bit < b->cost))
        return;
    transform(r, &patch);
    to_steps(r, w->scaled, w->natural, level);
    patch.coefs = w->trial;
    float error = rugi_ifs_patch_quantise(&r->quantiser, &patch, &w->prices[level],
                                          has_coefs, w->scaled, &price);
    float cost = error + price + bits * r->bit;
    if (!(cost < b->cost))
        return;
    b->cost = cost;
    b->best = patch;
    b->best.coefs = w->best[level];
    memcpy(w->best_prediction[level], w->prediction, sizeof(int16_t) * n * n);
    if (patch.n_coefs > 0)
        memcpy(w->best[level], w->trial, sizeof(int32_t) * n * n);
}

static void evaluate(root *r, uint32_t x, uint32_t y, unsigned level, block *b)
{
    const rugi_ifs_patch_effort *effort = &r->e->effort;
    rugi_ifs_patch patch = {.x = x, .y = y, .level = (uint8_t)level};
    rugi_ifs_patch_around around;
    candidates c = {.most = effort->n_estimated};
    b->cost = HUGE_VALF;
    rugi_ifs_patch_look_around(&around, &r->coding, x, y, level);
    rugi_ifs_read_edges(&r->work->edges, &r->e->plane, 0, x, y, level);
    read_original(r, x, y, rugi_ifs_side(level));
    look(r, &c, &around, &patch);
    if (c.n > effort->n_tried)
        estimate(r, &c, &around, effort->n_tried);
    for (int i = 0; i < c.n; i++)
        try_candidate(r, b, &around, &c.list[i].patch);
}

/* ---- The quadtree ---- */

/* Where the coefficients of a patch lie in its root's: blocks of one level never overlap, and
 * a block's part begins with that of its first quarter. */
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
    rugi_ifs_patch *patch = &r->work->patches[r->n++];
    *patch = b->best;
    unsigned side = rugi_ifs_side(patch->level);
    patch->coefs = r->work->coefs + part_of(patch->x, patch->y);
    if (patch->n_coefs > 0)
        memcpy(patch->coefs, b->best.coefs, sizeof *patch->coefs * side * side);
    rugi_ifs_finish_patch(&r->e->tables->tools, &r->e->plane, patch,
                          r->work->best_prediction[patch->level], r->delta);
    rugi_ifs_patch_enter(&r->e->map, patch);
}

/* Bits of a block below which it is not split. */
#define LEAST_SPLIT 20

/* @param most  what the block may cost to be of use
 *  @return its cost, its patches being taken; infinite where it is not split and costs `most` or more */
static float decide(root *r, uint32_t x, uint32_t y, unsigned level, float most)
{
    block b;
    uint32_t n = r->n, half = rugi_ifs_side(level) / 2;
    evaluate(r, x, y, level, &b);
    float whole = b.cost + price_split(r, x, y, level, 0);
    /* four patches take about as many bits as that even if they left no error */
    if (level == RUGI_IFS_LEVELS - 1 || whole <= LEAST_SPLIT * r->bit) {
        take(r, &b);
        return whole;
    }
    float split = price_split(r, x, y, level, 1), bound = whole < most ? whole : most;
    for (unsigned quarter = 0; quarter < 4 && split < bound; quarter++)
        split += decide(r, x + (quarter & 1) * half, y + (quarter >> 1) * half, level + 1,
                        bound - split);
    if (split < bound)
        return split;
    if (!(whole < most))
        return HUGE_VALF;
    r->n = n;
    take(r, &b);
    return whole;
}

/* The model sees the root as the coder will. */
static void learn(root *r, uint32_t x, uint32_t y, unsigned level, uint32_t *next)
{
    rugi_ifs_patch *patch = &r->work->patches[*next];
    uint32_t half = rugi_ifs_side(level) / 2;
    int split = patch->level > level;
    if (level < RUGI_IFS_LEVELS - 1)
        rugi_ifs_code_patch_split(&r->coding, x, y, level, split);
    if (split) {
        for (unsigned quarter = 0; quarter < 4; quarter++)
            learn(r, x + (quarter & 1) * half, y + (quarter >> 1) * half, level + 1,
                  next);
        return;
    }
    rugi_ifs_code_patch(&r->coding, patch);
    ++*next;
}

/* How much Hadamard distance is worth a bit, in square roots of lambda. */
#define QUICK_BIT 0.6f

size_t rugi_ifs_choose_patches(rugi_ifs_patch_encoder *e, rugi_ifs_patch_work *work,
                               uint32_t column, uint32_t row, rugi_ifs_patch **patches)
{
    int offset = e->map.offsets[row * (e->map.pitch / 8) + column];
    float weight = e->weights != NULL ? e->weights[row * e->weights_pitch + column] : 1;
    root r = {
        .e = e, .work = work, .delta = rugi_ifs_root_delta(e->plane.frame.delta, offset)};
    r.step =
        (float)r.delta / 16 * ldexpf(1, RUGI_IFS_SAMPLE_BITS - (int)e->plane.frame.depth);
    float finer = (float)e->plane.frame.delta / (float)r.delta;
    r.bit = (float)e->lambda_factor * finer * finer / weight;
    r.quick_bit = QUICK_BIT * r.step * sqrtf(r.bit);
    rugi_ifs_price_begin(&r.pricing);
    r.coding = (rugi_ifs_patch_coding){&r.pricing, e->models[row], &e->map, e->before,
                                       &e->plane.frame};
    r.quantiser = (rugi_ifs_patch_quantiser){r.bit / (1 << RUGI_IFS_PRICE_BITS),
                                             &e->tables->scan, work->paths, work->steps};
    rugi_ifs_patch_prices_make(work->prices, &work->sizes, r.coding.model,
                               r.quantiser.lambda);
    uint32_t x = column * RUGI_IFS_BLOCK, y = row * RUGI_IFS_BLOCK, next = 0;
    decide(&r, x, y, 0, HUGE_VALF);
    r.pricing.coding = RUGI_IFS_LEARN;
    learn(&r, x, y, 0, &next);
    *patches = work->patches;
    return r.n;
}
