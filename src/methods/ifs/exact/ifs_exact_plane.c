/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The memory of a plane, in one block, and its rows. */

#include "ifs_exact_plane.h"
#include "core/context/context_internal.h"
#include <string.h>

const uint32_t rugi_ifs_exact_contexts[RUGI_IFS_MIX] = {64 * 4,  257 * 4, 256 * 8,
                                                        256 * 4, 32 * 32, 2816};
const uint32_t rugi_ifs_match_contexts[RUGI_IFS_MIX] = {256,   257,  4096,
                                                        16384, 4096, 4096};
const uint32_t rugi_ifs_bias_contexts[RUGI_IFS_BIASES] = {256 * 8, 1331, 1331};

#define LOW_SLOTS (20 * 8)

/* Hands out pieces of a block; without one it adds up what they need. */
typedef struct pieces {
    unsigned char *block;
    size_t used;
} pieces;

static void *take(pieces *p, size_t n, size_t size)
{
    void *at = p->block != NULL ? p->block + p->used : NULL;
    p->used += (n * size + 63) / 64 * 64;
    return at;
}

static int32_t *take_row(pieces *p, uint32_t nx)
{
    int32_t *row = take(p, (size_t)nx + (size_t)2 * RUGI_IFS_MARGIN, sizeof *row);
    return row != NULL ? row + RUGI_IFS_MARGIN : NULL;
}

static void take_rows(pieces *p, rugi_ifs_exact_plane *plane)
{
    for (int i = 0; i < 4; i++)
        plane->row[i] = take_row(p, plane->nx);
    for (int i = 0; i < 3; i++) {
        plane->error[i] = take_row(p, plane->nx);
        for (int k = 0; k < RUGI_IFS_GUESSES && plane->mode == RUGI_IFS_SMOOTH; k++)
            plane->off[i][k] = take_row(p, plane->nx);
    }
}

static void take_all(pieces *p, rugi_ifs_exact_plane *plane)
{
    const size_t weights = RUGI_IFS_MIX_SETS * (size_t)RUGI_IFS_MIX_WEIGHTS;
    take_rows(p, plane);
    for (int i = 0; i < RUGI_IFS_MIX; i++)
        plane->slots[i] = take(p, (size_t)rugi_ifs_exact_contexts[i] * RUGI_IFS_NODES,
                               sizeof(rugi_ifs_slot));
    plane->mix_weights = take(p, weights * RUGI_IFS_NODES, sizeof(int32_t));
    plane->low = take(p, LOW_SLOTS, sizeof *plane->low);
    if (plane->mode == RUGI_IFS_MATCH) {
        for (int i = 0; i < RUGI_IFS_MIX; i++)
            plane->matches[i] =
                take(p, (size_t)rugi_ifs_match_contexts[i] * RUGI_IFS_MATCHES,
                     sizeof(rugi_ifs_slot));
        plane->match_weights = take(p, weights * RUGI_IFS_MATCHES, sizeof(int32_t));
        return;
    }
    plane->columns = take(p, (size_t)plane->nx * plane->n_sums, sizeof(int32_t));
    plane->right = take(p, (RUGI_IFS_CHUNK + RUGI_IFS_AHEAD + 1) * (size_t)plane->n_sums,
                        sizeof(int32_t));
    for (int i = 0; i < RUGI_IFS_BIASES; i++)
        plane->bias[i] = take(p, rugi_ifs_bias_contexts[i], sizeof(rugi_ifs_bias));
}

rug_status rugi_ifs_exact_plane_begin(rug_context *ctx, rugi_ifs_exact_plane *plane,
                                      const rugi_ifs_mix_tables *tables)
{
    static const unsigned more[] = {0, 3, 5};
    pieces p = {NULL, 0};
    plane->n_steps = RUGI_IFS_STEPS + more[plane->n_before];
    plane->n_sums = RUGI_IFS_SUMS(plane->n_steps);
    plane->coarse = 0;
    while (plane->max >> plane->coarse > 255)
        plane->coarse++;
    take_all(&p, plane);
    plane->memory = rugi_allocate_zeros(ctx, p.used, 1, "exact plane of fractal coding");
    if (plane->memory == NULL)
        return RUG_E_NOMEM;
    p = (pieces){plane->memory, 0};
    take_all(&p, plane);
    rugi_ifs_mix_weights_begin(plane->mix_weights, RUGI_IFS_MIX_SETS * RUGI_IFS_NODES);
    if (plane->mode == RUGI_IFS_MATCH)
        rugi_ifs_mix_weights_begin(plane->match_weights,
                                   RUGI_IFS_MIX_SETS * RUGI_IFS_MATCHES);
    plane->mix.tables = tables;
    memset(plane->run, 0, sizeof plane->run);
    plane->run_held = 1;
    memset(plane->weights, 0, sizeof plane->weights);
    plane->weights[0] = plane->weights[1] = 32768;
    return RUG_OK;
}

void rugi_ifs_exact_plane_end(rug_context *ctx, rugi_ifs_exact_plane *plane)
{
    rug_context_release(ctx, plane->memory);
    plane->memory = NULL;
}

static void turn(int32_t **rows, int n)
{
    int32_t *last = rows[n - 1];
    memmove(rows + 1, rows, (size_t)(n - 1) * sizeof *rows);
    rows[0] = last;
}

void rugi_ifs_exact_row_begin(rugi_ifs_exact_plane *plane)
{
    turn(plane->row, 4);
    turn(plane->error, 3);
    for (int i = 1; i <= RUGI_IFS_MARGIN; i++) {
        plane->row[0][-i] = plane->row[1][0];
        plane->error[0][-i] = plane->error[1][0];
    }
    if (plane->mode == RUGI_IFS_MATCH)
        return;
    plane->chunk = UINT32_MAX;
    memset(plane->left, 0, sizeof plane->left);
    for (int k = 0; k < RUGI_IFS_GUESSES; k++) {
        int32_t *rows[3] = {plane->off[0][k], plane->off[1][k], plane->off[2][k]};
        turn(rows, 3);
        for (int i = 0; i < 3; i++)
            plane->off[i][k] = rows[i];
        for (int i = 1; i <= RUGI_IFS_MARGIN; i++)
            rows[0][-i] = rows[1][0];
    }
}

static void extend(int32_t *row, uint32_t nx)
{
    for (uint32_t i = 0; i < RUGI_IFS_MARGIN; i++)
        row[nx + i] = row[nx - 1];
}

void rugi_ifs_exact_row_end(rugi_ifs_exact_plane *plane)
{
    extend(plane->row[0], plane->nx);
    extend(plane->error[0], plane->nx);
    for (int k = 0; k < RUGI_IFS_GUESSES && plane->mode == RUGI_IFS_SMOOTH; k++)
        extend(plane->off[0][k], plane->nx);
}
