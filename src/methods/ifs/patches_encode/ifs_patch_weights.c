/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The structural similarity (Wang et al. 2004) divides a squared error by the variance around it. A
 * weight does so by less than half a power of it, 3/4 of that of the mean of 1 / deviation over the
 * squares of 8 x 8 samples of a root: a whole power costs more of the PSNR than it gains. */

#include "ifs_patch_weights.h"
#include "core/context/threads.h"
#include <math.h>

#define SQUARE 8

/* A weight is at most this, and at least its inverse. */
#define MOST 3.0f

/* What is added to a variance, as in that measure: (0.03 of the range)², in samples. */
#define LEAST_VARIANCE \
    (0.0009 * (double)(1 << RUGI_IFS_SAMPLE_BITS) * (double)(1 << RUGI_IFS_SAMPLE_BITS))

typedef struct weighing {
    float *out;
    const rugi_ifs_region_plane *plane;
    const int16_t *samples;
} weighing;

static double variance_of(const int16_t *samples, size_t pitch)
{
    int64_t sum = 0, squares = 0, n = SQUARE * SQUARE;
    for (size_t y = 0; y < SQUARE; y++)
        for (size_t x = 0; x < SQUARE; x++) {
            int32_t v = samples[y * pitch + x];
            sum += v;
            squares += (int64_t)v * v;
        }
    return (double)(n * squares - sum * sum) / (double)(n * n);
}

static void weigh_row(void *shared, size_t row, int thread)
{
    const weighing *w = shared;
    size_t pitch = w->plane->pitch, nx = w->plane->nx / RUGI_IFS_BLOCK;
    (void)thread;
    for (size_t column = 0; column < nx; column++) {
        const int16_t *root =
            w->samples + row * RUGI_IFS_BLOCK * pitch + column * RUGI_IFS_BLOCK;
        double sum = 0;
        for (size_t y = 0; y < RUGI_IFS_BLOCK; y += SQUARE)
            for (size_t x = 0; x < RUGI_IFS_BLOCK; x += SQUARE)
                sum +=
                    1 / sqrt(variance_of(root + y * pitch + x, pitch) + LEAST_VARIANCE);
        w->out[row * nx + column] = (float)(sqrt(sum) * sqrt(sqrt(sum)));
    }
}

/* Weights are 1 on average, and within bounds. */
static void normalise(float *weights, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)weights[i];
    float factor = sum > 0 ? (float)((double)n / sum) : 1;
    for (size_t i = 0; i < n; i++) {
        float weight = weights[i] * factor;
        weights[i] = weight > MOST ? MOST : weight < 1 / MOST ? 1 / MOST : weight;
    }
}

rug_status rugi_ifs_find_weights(rug_context *ctx, float *out,
                                 const rugi_ifs_region_plane *plane,
                                 const int16_t *samples)
{
    weighing w = {out, plane, samples};
    size_t n_rows = plane->ny / RUGI_IFS_BLOCK;
    rug_status status = rugi_parallel_for(ctx, n_rows, weigh_row, &w);
    if (status == RUG_OK)
        normalise(out, n_rows * (plane->nx / RUGI_IFS_BLOCK));
    return status;
}

/* Where an error weighs w, a step that is 1 / sqrt(w) as large suits the same lambda. Two sixths of an
 * octave of the step are this much of a weight, and half of that. */
#define THIRD      1.5874010519681996f
#define HALF_THIRD 1.2599210498948732f

static int offset_of(float weight)
{
    int offset = 0;
    for (; weight > HALF_THIRD; weight /= THIRD)
        offset -= 2;
    for (; weight < 1 / HALF_THIRD; weight *= THIRD)
        offset += 2;
    return offset;
}

void rugi_ifs_find_offsets(rugi_ifs_patch_map *map, const float *weights, size_t pitch)
{
    for (size_t y = 0; y < map->ny / 8; y++)
        for (size_t x = 0; x < map->nx / 8; x++)
            map->offsets[y * (map->pitch / 8) + x] =
                (int8_t)offset_of(weights[y * pitch + x]);
}
