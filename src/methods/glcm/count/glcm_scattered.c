/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pairs of a region whose pixels are scattered, as labels in no order are: a tile of its
 * bounding box would be empty but for a few pixels, so that many of them would cost the image
 * times their number. Pixels in the order of z, y, x keep it when they move by an offset, so
 * partners are found like equal numbers in two sorted lists. */

#include "glcm_count.h"

/* Whether pixel i is before the place, at it (0), or behind. */
static int compare(const rugi_glcm_tile *t, size_t i, int64_t row, int64_t x)
{
    if (t->pixel_row[i] != row)
        return t->pixel_row[i] < row ? -1 : 1;
    return t->pixel_x[i] < x ? -1 : t->pixel_x[i] > x;
}

/* The first pixel that is not before the place. */
static size_t find(const rugi_glcm_tile *t, int64_t row, int64_t x)
{
    size_t lo = 0, hi = t->n_pixels;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (compare(t, middle, row, x) < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

static uint32_t make_key(rugi_glcm_keys keys, uint32_t a, uint32_t b, uint32_t n_ranks)
{
    uint32_t lo = a < b ? a : b, hi = a < b ? b : a;
    switch (keys) {
    case RUGI_GLCM_TRIANGLE: return hi * (hi + 1) / 2 + lo;
    case RUGI_GLCM_SQUARE: return a * n_ranks + b;
    case RUGI_GLCM_SORTED: return hi << 16 | lo;
    default: return a << 16 | b;
    }
}

static void add_pair(rugi_glcm_lists *out, const rugi_glcm_tile *t,
                     const rugi_glcm_wanted *w, size_t i, size_t j)
{
    size_t n = out->n_pairs++;
    uint16_t a = t->level[i], b = t->level[j];
    out->key[n] = make_key(w->keys, t->rank[i], t->rank[j], t->n_ranks);
    if (!w->with_levels)
        return;
    out->difference[n] = (uint16_t)(a > b ? a - b : b - a);
    out->sum[n] = (uint16_t)(a + b);
}

static void list_pixels(rugi_glcm_lists *out, const rugi_glcm_tile *t,
                        const rugi_glcm_wanted *w)
{
    int64_t stride = (int64_t)t->ny + RUGI_GLCM_ROW_GAP, x = w->offset[2];
    int64_t row = w->offset[0] * stride + w->offset[1];
    size_t first = w->first_row;
    if (first >= w->end_row)
        return;
    size_t next = find(t, t->pixel_row[first] + row, t->pixel_x[first] + x);
    size_t last = find(t, t->pixel_row[first] - row, t->pixel_x[first] - x);
    for (size_t i = first; i < w->end_row; i++) {
        int64_t at_row = t->pixel_row[i], at_x = t->pixel_x[i];
        while (next < t->n_pixels && compare(t, next, at_row + row, at_x + x) < 0)
            next++;
        while (last < t->n_pixels && compare(t, last, at_row - row, at_x - x) < 0)
            last++;
        if (next < t->n_pixels && compare(t, next, at_row + row, at_x + x) == 0)
            add_pair(out, t, w, i, next);
        else if (w->with_borders)
            out->no_next[out->n_no_next++] = t->rank[i];
        if (w->with_borders &&
            !(last < t->n_pixels && compare(t, last, at_row - row, at_x - x) == 0))
            out->no_last[out->n_no_last++] = t->rank[i];
    }
}

void rugi_glcm_list(rugi_glcm_lists *out, const rugi_glcm_matrix *m,
                    const rugi_glcm_wanted *wanted)
{
    if (m->tile->pixel_row != NULL)
        list_pixels(out, m->tile, wanted);
    else
        m->plan->kernels.list(out, m->tile, wanted);
}

size_t rugi_glcm_list_rows(const rugi_glcm_tile *t)
{
    return t->pixel_row != NULL ? t->n_pixels : t->nz * t->ny;
}
