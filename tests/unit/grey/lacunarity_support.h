/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lacunarity straight from its definition, and results as plain structs. Include it after
 * support.h. */

#ifndef RUGOSE_LACUNARITY_SUPPORT_H
#define RUGOSE_LACUNARITY_SUPPORT_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A copy of a result. */
typedef struct lacunarity {
    rug_lacunarity_facts facts;
    rug_lacunarity_size sizes[RUG_LACUNARITY_MAX_SIZES];
} lacunarity;

static inline void copy_lacunarity(lacunarity *out, const rug_lacunarity_result *r)
{
    out->facts = *rug_lacunarity_get_facts(r);
    for (uint32_t i = 0; i < out->facts.n_sizes; i++)
        out->sizes[i] = *rug_lacunarity_at(r, i);
    assert_null(rug_lacunarity_at(r, out->facts.n_sizes));
}

/* Copies what a call has found, and frees it; all 0 where it failed. */
static inline rug_status keep_lacunarity(lacunarity *out, rug_status status,
                                         rug_lacunarity_result *r)
{
    memset(out, 0, sizeof *out);
    assert_int_equal(status == RUG_OK, r != NULL);
    if (r != NULL)
        copy_lacunarity(out, r);
    rug_lacunarity_free(r);
    return status;
}

static inline rug_status find_lacunarity(rug_context *ctx, lacunarity *out,
                                         const rug_image *img,
                                         const rug_lacunarity_options *opts)
{
    rug_lacunarity_result *r = (void *)out;
    rug_status status = rug_lacunarity(ctx, &r, img, opts);
    return keep_lacunarity(out, status, r);
}

/* Masses that are whole numbers, z y x, and what the mask holds. */
typedef struct naive_masses {
    size_t n[3];
    long double *mass;
    unsigned char *inside;
    uint64_t n_pixels, n_set;
} naive_masses;

/* Of an image; labels NULL: of all pixels. */
static inline naive_masses read_masses(const rug_image *img, const rug_image *mask,
                                       int is_gray, rug_foreground rule)
{
    naive_masses m = {.n = {1, 1, 1}};
    for (int a = 0; a < img->ndim; a++)
        m.n[3 - img->ndim + a] = img->shape[a];
    size_t n = m.n[0] * m.n[1] * m.n[2], i = 0;
    m.mass = calloc(n, sizeof *m.mass);
    m.inside = calloc(n, 1);
    assert_true(m.mass != NULL && m.inside != NULL);
    for (size_t z = 0; z < m.n[0]; z++)
        for (size_t y = 0; y < m.n[1]; y++)
            for (size_t x = 0; x < m.n[2]; x++, i++) {
                long double v = test_pixel(img, z, y, x);
                long double k = mask != NULL ? test_pixel(mask, z, y, x) : 1;
                m.inside[i] = !isnan(k) && k != 0;
                if (!m.inside[i])
                    continue;
                if (is_gray)
                    m.mass[i] = isfinite(v) ? v : 0;
                else
                    m.mass[i] = test_is_set(rule, v);
                m.n_pixels++;
                m.n_set += m.mass[i] > 0;
            }
    return m;
}

static inline void free_masses(naive_masses *m)
{
    free(m->mass);
    free(m->inside);
}

/* The mass of a box; -1 when the mask cuts it. */
static inline long double naive_box(const naive_masses *m, const size_t at[3],
                                    const size_t e[3])
{
    long double sum = 0;
    for (size_t z = at[0]; z < at[0] + e[0]; z++)
        for (size_t y = at[1]; y < at[1] + e[1]; y++)
            for (size_t x = at[2]; x < at[2] + e[2]; x++) {
                size_t i = (z * m->n[1] + y) * m->n[2] + x;
                if (!m->inside[i])
                    return -1;
                sum += m->mass[i];
            }
    return sum;
}

/* Moments of the masses of boxes of one size, as E[(M - mean)^2], in long double. */
static inline rug_lacunarity_size naive_size(const naive_masses *m, uint64_t size,
                                             int is_fixed)
{
    rug_lacunarity_size out = {size, NAN, NAN, NAN, 0, RUG_LACUNARITY_NO_BOXES};
    size_t e[3], step[3];
    if (size > 1 && m->n[0] * m->n[1] * m->n[2] == 1)
        return out;
    for (int a = 0; a < 3; a++) {
        if (m->n[a] > 1 && size > m->n[a])
            return out;
        e[a] = m->n[a] > 1 ? (size_t)size : 1;
        step[a] = is_fixed ? e[a] : 1;
    }
    long double sum = 0, squares = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t z = 0; z + e[0] <= m->n[0]; z += step[0])
            for (size_t y = 0; y + e[1] <= m->n[1]; y += step[1])
                for (size_t x = 0; x + e[2] <= m->n[2]; x += step[2]) {
                    const size_t at[3] = {z, y, x};
                    long double mass = naive_box(m, at, e);
                    if (mass < 0)
                        continue;
                    if (pass == 0) {
                        out.positions++;
                        sum += mass;
                    } else {
                        long double d = mass - sum / (long double)out.positions;
                        squares += d * d;
                    }
                }
    if (out.positions == 0)
        return out;
    long double mean = sum / (long double)out.positions;
    long double variance = squares / (long double)out.positions;
    out.mean = (double)mean;
    out.variance = (double)variance;
    out.status = mean > 0 ? RUG_LACUNARITY_OK : RUG_LACUNARITY_EMPTY;
    if (mean > 0)
        out.lacunarity = (double)(1 + variance / (mean * mean));
    return out;
}

static inline int is_close(double a, double b, double tolerance)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= tolerance * fmax(1, fabs(b));
}

static inline void assert_size_equal(const rug_lacunarity_size *a,
                                     const rug_lacunarity_size *b, const char *what)
{
    if (a->size != b->size || a->positions != b->positions || a->status != b->status ||
        !is_close(a->lacunarity, b->lacunarity, 1e-12) ||
        !is_close(a->mean, b->mean, 1e-13) || !is_close(a->variance, b->variance, 1e-12))
        fail_msg(
            "%s: size %llu: %llu boxes, lacunarity %.17g mean %.17g variance %.17g %s; "
            "%llu boxes, %.17g %.17g %.17g %s expected",
            what, (unsigned long long)a->size, (unsigned long long)a->positions,
            a->lacunarity, a->mean, a->variance, rug_lacunarity_status_name(a->status),
            (unsigned long long)b->positions, b->lacunarity, b->mean, b->variance,
            rug_lacunarity_status_name(b->status));
}

#endif
