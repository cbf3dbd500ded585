/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Splits, leaves and their coefficients through the coder. */

#include "ifs_model.h"
#include <string.h>

/* ---- Coefficients ---- */

/* How many, then from the last to the first whether each is 0, 1 or more, in the
 * context of those after it. */

static unsigned seen(const int32_t *coefs, unsigned side, unsigned y, unsigned x)
{
    if (y >= side || x >= side)
        return 0;
    int32_t q = coefs[y * side + x];
    uint32_t size = q < 0 ? (uint32_t)-q : (uint32_t)q;
    return size < RUGI_IFS_SIZE_SEEN ? size : RUGI_IFS_SIZE_SEEN;
}

/* How large the coefficients of higher frequencies about one are. */
static unsigned sum_around(const int32_t *coefs, unsigned side, unsigned y, unsigned x)
{
    return 2 * (seen(coefs, side, y, x + 1) + seen(coefs, side, y + 1, x)) +
           seen(coefs, side, y + 1, x + 1) + seen(coefs, side, y, x + 2) +
           seen(coefs, side, y + 2, x);
}

static int32_t code_coef(rugi_ifs_coder *coder, rugi_ifs_model *model, unsigned i,
                         unsigned sum, int32_t q)
{
    unsigned band = rugi_ifs_wide_band(i);
    rugi_ifs_sum_class class = rugi_ifs_sum_classes[sum];
    uint32_t size = q < 0 ? (uint32_t)-q : (uint32_t)q;
    if (rugi_ifs_code_bit(coder, &model->is_not_1[band][class.of_1], size > 1))
        size = 2 + rugi_ifs_code_number(coder, model->size[band][class.of_size],
                                        RUGI_IFS_SIZE_UNARY, size - 2);
    else
        size = 1;
    return rugi_ifs_code_raw(coder, 1, q < 0) ? -(int32_t)size : (int32_t)size;
}

static unsigned code_last(rugi_ifs_coder *coder, rugi_ifs_model *model, unsigned level,
                          int has_domain, unsigned n_coefs)
{
    unsigned side = rugi_ifs_side(level), most = side * side - 1;
    n_coefs = 1 + rugi_ifs_code_number(coder, model->last[level][has_domain],
                                       RUGI_IFS_LAST_UNARY, n_coefs - 1);
    if (n_coefs > most) {
        coder->failed = 1;
        n_coefs = most;
    }
    return n_coefs;
}

void rugi_ifs_code_coefs(rugi_ifs_coder *coder, rugi_ifs_model *model,
                         const rugi_ifs_around *around, rugi_ifs_leaf *leaf)
{
    unsigned level = leaf->level, side = rugi_ifs_side(level);
    int has_domain = leaf->zone != RUGI_IFS_FLAT, reads = coder->coding == RUGI_IFS_READ;
    rugi_ifs_bit *has_coefs = &model->has_coefs[level][has_domain][around->coded];
    if (!rugi_ifs_code_bit(coder, has_coefs, leaf->n_coefs > 0)) {
        leaf->n_coefs = 0;
        return;
    }
    leaf->n_coefs = (uint16_t)code_last(coder, model, level, has_domain, leaf->n_coefs);
    if (reads)
        memset(leaf->coefs, 0, sizeof *leaf->coefs * side * side);
    const uint16_t *place = rugi_ifs_zigzag(level);
    for (unsigned i = leaf->n_coefs; i >= 1; i--) {
        int32_t *q = &leaf->coefs[place[i]];
        unsigned sum = sum_around(leaf->coefs, side, place[i] / side, place[i] % side);
        rugi_ifs_bit *is_not_0 =
            &model->is_not_0[level / 2][rugi_ifs_band(i)][rugi_ifs_sum_classes[sum].of_0];
        if (i < leaf->n_coefs && !rugi_ifs_code_bit(coder, is_not_0, *q != 0))
            continue;
        int32_t value = code_coef(coder, model, i, sum, *q);
        if (reads)
            *q = value;
    }
}

/* ---- Splits and leaves ---- */

/* Offsets of a near domain. */
#define NEAR_SIDE (1 << RUGI_IFS_NEAR_BITS / 2)

/* |k| is at most this. */
#define SCALE_MAX (1 << (RUGI_IFS_SCALE_BITS - 1))

int rugi_ifs_code_split(rugi_ifs_coder *coder, rugi_ifs_model *model,
                        const rugi_ifs_map *map, uint32_t x, uint32_t y, unsigned level,
                        int split)
{
    if (level == RUGI_IFS_LEVELS - 1)
        return 0;
    rugi_ifs_around around;
    rugi_ifs_look_around(&around, map, x, y, level);
    return rugi_ifs_code_bit(coder, &model->split[level][around.finer], split);
}

/* One coordinate of a domain `offset` pixels from the place that is centred over the
 * block. */
static uint32_t place(uint32_t at, int32_t offset, uint32_t side, uint32_t n)
{
    int64_t p = (int64_t)at - side / 2 + offset, last = (int64_t)n - 2 * side;
    p = p < 0 ? 0 : p > last ? last : p;
    return (uint32_t)p & ~3u;
}

void rugi_ifs_place_domain(const rugi_ifs_frame *frame, rugi_ifs_leaf *leaf)
{
    uint32_t side = rugi_ifs_side(leaf->level);
    int32_t step = side / 4 > 4 ? (int32_t)side / 4 : 4, row = 0, column = 0;
    if (leaf->zone == RUGI_IFS_NEAR) {
        row = (leaf->near / NEAR_SIDE - NEAR_SIDE / 2) * step;
        column = (leaf->near % NEAR_SIDE - NEAR_SIDE / 2) * step;
    } else if (leaf->zone != RUGI_IFS_OVER)
        return;
    leaf->domain_x = place(leaf->x, column, side, frame->nx);
    leaf->domain_y = place(leaf->y, row, side, frame->ny);
}

/* A coordinate on the grid. */
static uint32_t code_on_grid(rugi_ifs_coder *coder, const rugi_ifs_frame *frame,
                             uint32_t side, uint32_t n, uint32_t at)
{
    uint32_t n_places = (n - 2 * side) / frame->step + 1;
    return rugi_ifs_code_uniform(coder, n_places, at / frame->step) * frame->step;
}

static void code_zone(rugi_ifs_coder *coder, rugi_ifs_model *model,
                      const rugi_ifs_frame *frame, rugi_ifs_leaf *leaf)
{
    unsigned level = leaf->level;
    uint32_t side = rugi_ifs_side(level);
    int zone = leaf->zone;
    if (!rugi_ifs_code_bit(coder, &model->zone[level][0], zone != RUGI_IFS_OVER))
        zone = RUGI_IFS_OVER;
    else
        zone = rugi_ifs_code_bit(coder, &model->zone[level][1], zone == RUGI_IFS_GRID)
                   ? RUGI_IFS_GRID
                   : RUGI_IFS_NEAR;
    leaf->zone = (uint8_t)zone;
    if (zone == RUGI_IFS_NEAR)
        leaf->near = (uint8_t)rugi_ifs_code_tree(coder, model->near[level],
                                                 RUGI_IFS_NEAR_BITS, leaf->near);
    if (zone == RUGI_IFS_GRID) {
        leaf->domain_x = code_on_grid(coder, frame, side, frame->nx, leaf->domain_x);
        leaf->domain_y = code_on_grid(coder, frame, side, frame->ny, leaf->domain_y);
    } else
        rugi_ifs_place_domain(frame, leaf);
}

static void code_domain(rugi_ifs_coder *coder, rugi_ifs_model *model,
                        const rugi_ifs_frame *frame, rugi_ifs_leaf *leaf)
{
    code_zone(coder, model, frame, leaf);
    unsigned zone = leaf->zone - 1u;
    leaf->symmetry =
        (uint8_t)rugi_ifs_code_tree(coder, model->symmetry[zone], 3, leaf->symmetry);
    int k = leaf->k > 0 ? leaf->k - 1 : SCALE_MAX - 1 - leaf->k;
    k = (int)rugi_ifs_code_tree(coder, model->scale[leaf->level][zone],
                                RUGI_IFS_SCALE_BITS, (uint32_t)k);
    leaf->k = (int8_t)(k < SCALE_MAX ? k + 1 : SCALE_MAX - 1 - k);
}

/* How different the means around a block are, in its steps. */
static unsigned activity_of(const rugi_ifs_around *around, int32_t step)
{
    int32_t n = around->contrast / step;
    return n < 1 ? 0 : n < 3 ? 1 : n < 9 ? 2 : 3;
}

/* a / b rounded down, b > 0. */
static int32_t floor_of(int32_t a, int32_t b)
{
    return a / b - (a % b < 0);
}

static void code_mean(rugi_ifs_coder *coder, rugi_ifs_model *model,
                      const rugi_ifs_frame *frame, const rugi_ifs_around *around,
                      rugi_ifs_leaf *leaf)
{
    int32_t step = rugi_ifs_mean_step(frame, leaf->level);
    int32_t expected = floor_of(around->mean + step / 2, step);
    int64_t rest = leaf->mean - (int64_t)expected;
    uint32_t size = (uint32_t)(rest < 0 ? -rest : rest);
    rugi_ifs_bit *bits = model->mean[leaf->level / 2][activity_of(around, step)];
    size = rugi_ifs_code_number(coder, bits, RUGI_IFS_MEAN_UNARY, size);
    if (size != 0)
        rest = rugi_ifs_code_raw(coder, 1, rest < 0) ? -(int64_t)size : (int64_t)size;
    else
        rest = 0;
    int64_t mean = (expected + rest) * step;
    if (mean < rugi_ifs_least(frame->depth) || mean > rugi_ifs_most(frame->depth)) {
        coder->failed = 1;
        rest = 0;
    }
    leaf->mean = (int32_t)(expected + rest);
}

void rugi_ifs_code_leaf(rugi_ifs_coder *coder, rugi_ifs_model *model,
                        const rugi_ifs_map *map, const rugi_ifs_frame *frame,
                        rugi_ifs_leaf *leaf)
{
    rugi_ifs_around around;
    rugi_ifs_look_around(&around, map, leaf->x, leaf->y, leaf->level);
    int has_domain = 0;
    if (rugi_ifs_has_domains(frame, leaf->level))
        has_domain =
            rugi_ifs_code_bit(coder, &model->has_domain[leaf->level][around.fractal],
                              leaf->zone != RUGI_IFS_FLAT);
    if (has_domain)
        code_domain(coder, model, frame, leaf);
    else {
        leaf->zone = RUGI_IFS_FLAT;
        leaf->k = 0;
    }
    code_mean(coder, model, frame, &around, leaf);
    if (frame->has_residual)
        rugi_ifs_code_coefs(coder, model, &around, leaf);
    else
        leaf->n_coefs = 0;
}
