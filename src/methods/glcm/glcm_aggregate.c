/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Directions and slices of a region: their matrices, and the means, ranges and sums that
 * become rows. */

#include "glcm_aggregate.h"
#include <math.h>
#include <string.h>

static int is_merged(const rugi_glcm_plan *plan)
{
    return plan->opts->aggregate == RUG_GLCM_AGGREGATE_MERGED;
}

rugi_glcm_matrices rugi_glcm_matrices_of(const rugi_glcm_plan *plan,
                                         const rugi_glcm_region *r)
{
    return (rugi_glcm_matrices){
        .n_directions = is_merged(plan) ? 1 : plan->n_directions,
        .n_slices = plan->opts->slices == RUG_GLCM_SLICES_MEAN ? r->tile.nz : 1};
}

/* Offsets of a matrix that fit into the tile. @return how many */
static uint32_t find_offsets(int offsets[][3], const rugi_glcm_plan *plan,
                             const rugi_glcm_tile *tile, uint32_t distance,
                             uint32_t direction)
{
    const size_t shape[3] = {tile->nz, tile->ny, tile->nx};
    uint32_t n = 0, first = is_merged(plan) ? 0 : direction;
    uint32_t end = is_merged(plan) ? plan->n_directions : direction + 1;
    for (uint32_t i = first; i < end; i++) {
        int *o = offsets[n], fits = 1;
        rugi_glcm_offset(plan, o, i, distance);
        for (int a = 0; a < 3; a++)
            fits = fits && (size_t)(o[a] < 0 ? -o[a] : o[a]) < shape[a];
        n += fits || plan->is_frame;
    }
    return n;
}

rug_status rugi_glcm_matrix_of(rug_context *ctx, rugi_glcm_counting *c,
                               rugi_glcm_place *place, const rugi_glcm_plan *plan,
                               const rugi_glcm_region *r, uint32_t distance,
                               size_t matrix)
{
    rugi_glcm_matrices all = rugi_glcm_matrices_of(plan, r);
    place->tile = r->tile;
    if (plan->opts->slices == RUG_GLCM_SLICES_MEAN) {
        uint32_t *count = rugi_glcm_room(ctx, &c->slice_count,
                                         (size_t)r->tile.n_ranks + RUGI_GLCM_SLACK,
                                         sizeof *count, "the levels of a slice");
        if (count == NULL)
            return RUG_E_NOMEM;
        place->tile = rugi_glcm_slice(&r->tile, matrix / all.n_directions, count);
    }
    uint32_t n = find_offsets(place->offset, plan, &place->tile, distance,
                              (uint32_t)(matrix % all.n_directions));
    int flat = plan->ndim == 2 || plan->opts->slices != RUG_GLCM_SLICES_NONE;
    place->matrix = (rugi_glcm_matrix){.plan = plan,
                                       .tile = &place->tile,
                                       .offset = (const int(*)[3])place->offset,
                                       .n_offsets = n,
                                       .first = is_merged(plan) ? 0 : (uint32_t)matrix,
                                       .whole = r->whole,
                                       .n_gray = r->binning.largest,
                                       .n_most = r->n_most,
                                       .background = r->background,
                                       .reach = distance,
                                       .frame_axes = flat ? 2 : 3};
    return RUG_OK;
}

void rugi_glcm_finish(rugi_glcm_measured *out, const rugi_glcm_sums *sums,
                      const rugi_glcm_plan *plan, const rugi_glcm_region *r)
{
    out->pairs = sums->pairs;
    out->is_flat = rugi_glcm_is_flat(sums);
    rugi_glcm_features(out->features, sums, plan, r->binning.true_base);
}

rug_status rugi_glcm_measure(rug_context *ctx, rugi_glcm_counting *c,
                             rugi_glcm_measured *out, const rugi_glcm_plan *plan,
                             const rugi_glcm_region *r, uint32_t distance, size_t matrix)
{
    rugi_glcm_place place;
    rugi_glcm_sums sums = {0};
    rug_status status = rugi_glcm_matrix_of(ctx, c, &place, plan, r, distance, matrix);
    if (status == RUG_OK && place.matrix.n_offsets > 0)
        status = rugi_glcm_count(ctx, c, &sums, &place.matrix);
    if (status == RUG_OK)
        rugi_glcm_finish(out, &sums, plan, r);
    return status;
}

/* The mean, or the range, of those that have pairs: n of them, `step` apart. */
static rugi_glcm_measured join(const rugi_glcm_measured *all, size_t n, size_t step,
                               int is_range)
{
    rugi_glcm_measured out = {.pairs = 0};
    double n_joined = 0, least[RUG_GLCM_N_FEATURES];
    for (int f = 0; f < RUG_GLCM_N_FEATURES; f++)
        out.features[f] = least[f] = NAN;
    for (size_t i = 0; i < n; i++) {
        const rugi_glcm_measured *one = &all[i * step];
        if (one->pairs == 0)
            continue;
        for (int f = 0; f < RUG_GLCM_N_FEATURES; f++) {
            double v = one->features[f], *sum = &out.features[f];
            if (n_joined == 0)
                *sum = least[f] = v;
            else if (!is_range)
                *sum += v;
            else {
                *sum = v > *sum || isnan(v) ? v : *sum;
                least[f] = v < least[f] || isnan(v) ? v : least[f];
            }
        }
        n_joined++;
        out.pairs += one->pairs;
        out.is_flat = out.is_flat || one->is_flat;
    }
    for (int f = 0; f < RUG_GLCM_N_FEATURES && n_joined > 0; f++)
        out.features[f] =
            is_range ? out.features[f] - least[f] : out.features[f] / n_joined;
    return out;
}

static rug_glcm_row make_row(const rugi_glcm_plan *plan, const rugi_glcm_region *r,
                             uint32_t distance, int direction,
                             const rugi_glcm_measured *measured)
{
    const rugi_glcm_tile *t = &r->tile;
    rug_glcm_row row = {.label = r->label,
                        .first = {r->first[0], r->first[1], r->first[2]},
                        .shape = {t->nz, t->ny, t->nx},
                        .area = r->values.n,
                        .n_nan = r->values.n_nan,
                        .n_clamped = r->values.n_clamped,
                        .distance = distance,
                        .direction = direction,
                        .pairs = measured->pairs,
                        .levels = r->n_levels,
                        .bin_origin = r->binning.bin_origin,
                        .bin_width = r->binning.bin_width,
                        .status = measured->pairs == 0 ? "no pairs"
                                  : measured->is_flat  ? "flat"
                                                       : "ok",
                        .engine = plan->kernels.name};
    memcpy(row.features, measured->features, sizeof row.features);
    return row;
}

void rugi_glcm_rows(rug_glcm_row *rows, rugi_glcm_measured *measured,
                    const rugi_glcm_plan *plan, const rugi_glcm_region *r,
                    uint32_t distance)
{
    rugi_glcm_matrices all = rugi_glcm_matrices_of(plan, r);
    rug_glcm_aggregate aggregate = plan->opts->aggregate;
    for (uint32_t k = 0; k < all.n_directions; k++)
        measured[k] = join(measured + k, all.n_slices, all.n_directions, 0);
    if (aggregate == RUG_GLCM_AGGREGATE_NONE) {
        for (uint32_t k = 0; k < all.n_directions; k++)
            rows[k] = make_row(plan, r, distance, (int)plan->direction[k], &measured[k]);
        return;
    }
    rugi_glcm_measured joined =
        join(measured, all.n_directions, 1, aggregate == RUG_GLCM_AGGREGATE_RANGE);
    rows[0] = make_row(plan, r, distance, -1, &joined);
}
