/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A decoder of blocks and resampling straight from FORMAT.md. Include it after
 * ifs_tree_support.h. */

#ifndef RUGOSE_IFS_NAIVE_BLOCKS_SUPPORT_H
#define RUGOSE_IFS_NAIVE_BLOCKS_SUPPORT_H

#include "ifs/stream/ifs_planes.h"
#include "ifs_naive_support.h"

/* One iteration of blocks at the coded size (octave 0), or one pass to an octave; from
 * NULL: the means. Straight from FORMAT.md. */
static inline naive_plane naive_blocks(const rugi_ifs_blocks *b, const naive_plane *from,
                                       int octave)
{
    const rugi_ifs_block_frame *f = &b->frame;
    naive_plane out = naive_new((int)f->nx << octave, (int)f->ny << octave);
    int n = (int)f->size << octave, grids = f->overlaps ? 4 : 1;
    int w = octave > 0 ? 1 : 2, scale = octave > 0 ? 1 << (octave - 1) : 1;
    memset(out.at, 0, sizeof(int32_t) * (size_t)out.nx * (size_t)out.ny);
    int64_t *d = malloc(sizeof *d * (size_t)n * (size_t)n);
    for (size_t k = 0; k < b->n; k++) {
        const rugi_ifs_block *block = &b->blocks[k];
        int64_t sum = 0, mean;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                d[j * n + i] = 0;
                for (int c = 0; from != NULL && block->k != 0 && c < w * w; c++)
                    d[j * n + i] +=
                        from->at[((int)block->domain_y * scale + w * j + c / 2) *
                                     from->nx +
                                 (int)block->domain_x * scale + w * i + c % 2];
                sum += d[j * n + i];
            }
        mean = naive_floor(sum + n * n / 2, (int64_t)n * n);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                int y = j, x = i, by = 64 * w * w;
                naive_isometry(block->symmetry, n, &y, &x);
                int64_t v = 16 * (int64_t)block->mean +
                            naive_floor(block->k * (d[y * n + x] - mean) + by / 2, by);
                out.at[(((int)block->y << octave) + j) % out.ny * out.nx +
                       (((int)block->x << octave) + i) % out.nx] +=
                    naive_clamp(v, f->depth);
            }
    }
    for (int i = 0; i < out.nx * out.ny && grids == 4; i++)
        out.at[i] = (int32_t)naive_floor(out.at[i] + 2, 4);
    free(d);
    return out;
}

static inline naive_plane naive_blocks_decode(const rugi_ifs_blocks *b, int iterations,
                                              int octave)
{
    naive_plane state = naive_blocks(b, NULL, 0);
    for (int i = 0; i < iterations + octave; i++) {
        naive_plane next =
            naive_blocks(b, &state, i < iterations ? 0 : i - iterations + 1);
        free(state.at);
        state = next;
    }
    return state;
}

static inline int32_t naive_mean(const int64_t *pixels, const int64_t *weights, int n,
                                 int64_t all)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += pixels[i] * weights[i];
    return (int32_t)naive_floor(sum + all / 2, all);
}

/* Pixel i of n_out covers part of pixel j of n. */
static inline int64_t naive_overlap(int64_t i, int64_t n_out, int64_t j, int64_t n)
{
    int64_t from = i * n > j * n_out ? i * n : j * n_out;
    int64_t to = (i + 1) * n < (j + 1) * n_out ? (i + 1) * n : (j + 1) * n_out;
    return to > from ? to - from : 0;
}

static inline void naive_resize(int32_t *out, int nx, int ny, const int32_t *in,
                                int pitch, int from_x, int from_y)
{
    int most = from_x > from_y ? from_x : from_y;
    int64_t *pixels = malloc(sizeof *pixels * (size_t)most);
    int64_t *weights = malloc(sizeof *weights * (size_t)most);
    int32_t *rows = malloc(sizeof *rows * (size_t)(nx * from_y));
    for (int y = 0; y < from_y; y++)
        for (int x = 0; x < nx; x++) {
            for (int j = 0; j < from_x; j++) {
                pixels[j] = in[y * pitch + j];
                weights[j] = naive_overlap(x, nx, j, from_x);
            }
            rows[y * nx + x] = naive_mean(pixels, weights, from_x, from_x);
        }
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            for (int j = 0; j < from_y; j++) {
                pixels[j] = rows[j * nx + x];
                weights[j] = naive_overlap(y, ny, j, from_y);
            }
            out[y * nx + x] = naive_mean(pixels, weights, from_y, from_y);
        }
    free(pixels);
    free(weights);
    free(rows);
}

#endif
