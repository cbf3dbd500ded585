/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Alpha for tests: pixel by pixel from the definition. Include it after support.h. */

#ifndef RUGOSE_ALPHA_SUPPORT_H
#define RUGOSE_ALPHA_SUPPORT_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline float *must_map(rug_context *ctx, const rug_image *img,
                              const rug_alpha_options *opts)
{
    float *out = malloc(rug_image_pixels(img) * sizeof *out);
    assert_non_null(out);
    if (rug_alpha_map(ctx, out, img, opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return out;
}

/* The source of an image in memory that does not say so. Reads that are not one behind the
 * other fail the test. */
typedef struct layers_source {
    rug_image image;
    size_t at;       /* of the next read, unless that begins anew */
    size_t most;     /* layers of a read */
    size_t fails_at; /* reads from this layer on fail; 0: none does */
} layers_source;

static inline rug_status read_layers_source(rug_context *ctx, void *user, rug_image *out,
                                            size_t first, size_t n)
{
    layers_source *s = user;
    assert_true(first == s->at || first == 0);
    assert_true(n > 0 && first + n <= s->image.shape[0]);
    s->at = first + n;
    s->most = n > s->most ? n : s->most;
    if (s->fails_at > 0 && first + n > s->fails_at)
        return rug_context_fail(ctx, RUG_E_IO, "no more");
    *out = s->image;
    out->shape[0] = n;
    out->data = (const char *)s->image.data + (ptrdiff_t)first * s->image.stride[0];
    return RUG_OK;
}

static inline rug_source source_of_layers(layers_source *s, const rug_image *image)
{
    *s = (layers_source){.image = *image};
    rug_source source = source_of_image(image);
    source.read = read_layers_source;
    source.user = s;
    return source;
}

/* A window, cut at the edges: first pixel and the one behind the last along an axis. */
static inline void naive_window(size_t centre, size_t reach, size_t n, size_t *from,
                                size_t *to)
{
    *from = centre > reach ? centre - reach : 0;
    *to = centre + reach + 1 < n ? centre + reach + 1 : n;
}

static inline int naive_is_bad(long double pixel, rug_alpha_measure measure)
{
    return !isfinite(pixel) || (measure != RUG_ALPHA_ISO && pixel < 0);
}

/* The measure of one window; NaN where a pixel is bad. */
static inline long double naive_measure(const rug_image *img, const size_t at[3],
                                        size_t reach, const rug_alpha_options *o)
{
    size_t shape[3] = {1, img->shape[0], img->shape[1]}, from[3], to[3];
    for (int a = 0; a < 3 && img->ndim == 3; a++)
        shape[a] = img->shape[a];
    for (int a = 0; a < 3; a++)
        naive_window(at[a], reach, shape[a], &from[a], &to[a]);
    long double centre = test_pixel(img, at[0], at[1], at[2]), sum = 0, like = 0;
    long double max = centre, min = centre;
    for (size_t z = from[0]; z < to[0]; z++)
        for (size_t y = from[1]; y < to[1]; y++)
            for (size_t x = from[2]; x < to[2]; x++) {
                long double c = test_pixel(img, z, y, x);
                if (naive_is_bad(c, o->measure))
                    return (long double)NAN;
                sum += c;
                max = c > max ? c : max;
                min = c < min ? c : min;
                like += fabsl(c - centre) <= (long double)o->iso_tolerance;
            }
    const long double all[] = {max, min, sum, like};
    return all[o->measure];
}

/* The textbook's slope of n points. */
static inline long double naive_slope(uint32_t n, const long double *x,
                                      const long double *y)
{
    long double sx = 0, sy = 0, xx = 0, xy = 0;
    for (uint32_t i = 0; i < n; i++) {
        sx += x[i];
        sy += y[i];
        xx += x[i] * x[i];
        xy += x[i] * y[i];
    }
    return (n * xy - sx * sy) / (n * xx - sx * sx);
}

static inline double naive_alpha(const rug_image *img, size_t z, size_t y, size_t x,
                                 const rug_alpha_options *o)
{
    long double ln_w[RUG_ALPHA_MAX_WINDOWS], ln_mu[RUG_ALPHA_MAX_WINDOWS];
    const size_t at[3] = {z, y, x};
    for (uint32_t k = 0; k < o->n_windows; k++) {
        long double mu = naive_measure(img, at, k, o);
        if (!(mu > 0))
            return (double)NAN;
        ln_w[k] = logl(2 * (long double)k + 1);
        ln_mu[k] = logl(mu);
    }
    return (double)naive_slope(o->n_windows, ln_w, ln_mu);
}

#endif
