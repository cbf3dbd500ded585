/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Whether iterations of a tree come to rest. Means of 2 x 2 pixels, and scales up to 1,
 * nearly always see to that, but do not have to: a block whose domain is made of blocks that
 * look back at it can swing. */

#include "ifs/encode/ifs_encode.h"
#include "ifs_decoder.h"
#include <stdlib.h>
#include <string.h>

/* Iterations after which everything is looked at, and the most that a stream asks for. */
#define LONG_RUN 64
#define MOST     40

/* Differences that are none, in 1/64 of a grey level of 8 bits: the passes that follow can
 * make four times as much of them. */
#define NOTHING 8

static int32_t largest_difference(const rugi_ifs_field *a, const int32_t *b)
{
    int32_t largest = 0;
    for (size_t i = 0; i < a->nx * a->ny; i++) {
        int32_t difference = abs(a->pixels[i] - b[i]);
        largest = difference > largest ? difference : largest;
    }
    return largest;
}

static int is_moving(const rugi_ifs_field *a, const int32_t *b, const rugi_ifs_leaf *leaf,
                     int32_t nothing)
{
    uint32_t n = rugi_ifs_side(leaf->level) / 4;
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++) {
            size_t at = (leaf->y / 4 + y) * a->nx + leaf->x / 4 + x;
            if (abs(a->pixels[at] - b[at]) > nothing)
                return 1;
        }
    return 0;
}

/* Blocks that move may have less of their domain. @return how many there are */
static size_t cap(const rugi_ifs_tree *tree, const rugi_ifs_field *state,
                  const int32_t *end, int16_t *k_caps, int32_t nothing)
{
    size_t n_moving = 0, nx = tree->frame.nx / RUGI_IFS_LEAST;
    for (size_t i = 0; i < tree->n_leaves; i++) {
        const rugi_ifs_leaf *leaf = &tree->leaves[i];
        if (leaf->k == 0 || !is_moving(state, end, leaf, nothing))
            continue;
        n_moving++;
        int16_t k = (int16_t)(abs(leaf->k) > 2 ? abs(leaf->k) - 2 : 0);
        uint32_t n = rugi_ifs_side(leaf->level) / RUGI_IFS_LEAST;
        for (uint32_t y = 0; y < n; y++)
            for (uint32_t x = 0; x < n; x++)
                k_caps[(leaf->y / RUGI_IFS_LEAST + y) * nx + leaf->x / RUGI_IFS_LEAST +
                       x] = k;
    }
    return n_moving;
}

static rug_status run(rug_context *ctx, rugi_ifs_decoder *d, uint32_t n)
{
    rug_status status = RUG_OK;
    for (uint32_t i = 0; i < n && !d->settled && status == RUG_OK; i++)
        status = rugi_ifs_decoder_iterate(ctx, d);
    return status;
}

static void restart(rugi_ifs_decoder *d)
{
    memcpy(d->state.pixels, d->base[2].pixels,
           d->state.nx * d->state.ny * sizeof(int32_t));
    d->settled = 0;
}

/* Where the long run ended is where all have to be: how many iterations that takes. */
static rug_status count(rug_context *ctx, rugi_ifs_decoder *d, const int32_t *end,
                        int32_t nothing, uint32_t *iterations)
{
    rug_status status = RUG_OK;
    restart(d);
    for (*iterations = 0; *iterations < MOST && status == RUG_OK; ++*iterations) {
        if (largest_difference(&d->state, end) <= nothing)
            return RUG_OK;
        status = rugi_ifs_decoder_iterate(ctx, d);
    }
    return status;
}

static rug_status look(rug_context *ctx, rugi_ifs_decoder *d, int32_t *end,
                       rugi_ifs_settling *out)
{
    int32_t nothing =
        NOTHING << (d->tree->frame.depth > 8 ? d->tree->frame.depth - 8 : 0);
    size_t n = d->state.nx * d->state.ny * sizeof *end;
    rug_status status = run(ctx, d, LONG_RUN);
    memcpy(end, d->state.pixels, n);
    if (status == RUG_OK)
        status = run(ctx, d, 1);
    if (status != RUG_OK)
        return status;
    if (largest_difference(&d->state, end) > nothing / 4) {
        out->n_moving = cap(d->tree, &d->state, end, out->k_caps, nothing / 4);
        return RUG_OK;
    }
    status = count(ctx, d, end, nothing, &out->iterations);
    if (status == RUG_OK && largest_difference(&d->state, end) > nothing)
        out->n_moving = cap(d->tree, &d->state, end, out->k_caps, nothing);
    return status;
}

rug_status rugi_ifs_settle(rug_context *ctx, rugi_ifs_settling *out,
                           const rugi_ifs_tree *tree)
{
    rugi_ifs_decoder d;
    out->n_moving = 0;
    out->iterations = 0;
    rug_status status = rugi_ifs_decoder_begin(ctx, &d, tree);
    int32_t *end = NULL;
    if (status == RUG_OK) {
        end = rug_context_allocate(ctx, d.state.nx * d.state.ny, sizeof *end,
                                   "iterations of fractal coding");
        status = end != NULL ? look(ctx, &d, end, out) : RUG_E_NOMEM;
    }
    rug_context_release(ctx, end);
    rugi_ifs_decoder_end(ctx, &d);
    return status;
}
