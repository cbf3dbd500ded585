/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Splits and leaves through the coder, but for their coefficients. */

#include "ifs_model.h"

/* Offsets of a near domain. */
#define NEAR_SIDE (1 << RUGI_IFS_NEAR_BITS / 2)

/* |k| is at most this. */
#define SCALE_MAX (1 << (RUGI_IFS_SCALE_BITS - 1))

int32_t rugi_ifs_mean_step(const rugi_ifs_frame *frame, unsigned level)
{
    uint32_t side = rugi_ifs_side(level);
    uint32_t step = (4 * frame->delta + side / 2) / side;
    uint32_t most = 2u << frame->depth;
    return (int32_t)(step < 2 ? 2 : step > most ? most : step);
}

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

/* Whether the plane is large enough to have domains of a level. */
static int has_domains(const rugi_ifs_frame *frame, unsigned level)
{
    uint32_t side = 2 * rugi_ifs_side(level);
    return side <= frame->nx && side <= frame->ny;
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

static void code_mean(rugi_ifs_coder *coder, rugi_ifs_model *model,
                      const rugi_ifs_frame *frame, const rugi_ifs_around *around,
                      rugi_ifs_leaf *leaf)
{
    int32_t step = rugi_ifs_mean_step(frame, leaf->level);
    int32_t expected = rugi_ifs_floor(around->mean + step / 2, step);
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
    if (has_domains(frame, leaf->level))
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
