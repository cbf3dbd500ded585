/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The values of an image in parts as bytes: docs/states.md. A value is its key, of 64 bits. */

#include "core/context/context_internal.h"
#include "core/state/state.h"
#include "values_state.h"
#include <stdint.h>
#include <string.h>

/* ---- Saving ---- */

/* The value of a key; of more than 16 bits. */
static rugi_exact exact_of_key(uint64_t key, rug_dtype dtype)
{
    rugi_exact e = {0, 0};
    rugi_whole whole = dtype == RUG_I32 || dtype == RUG_I64
                           ? rugi_whole_signed((int64_t)key)
                           : rugi_whole_unsigned(key);
    if (rugi_values_is_real(dtype))
        memcpy(&e.value, &key, sizeof key);
    else
        e.value = rugi_whole_split(whole, &e.rest);
    return e;
}

static void put_exact(rugi_state_writer *w, const rug_values *v, rugi_exact e)
{
    rugi_state_put_bytes(w, rugi_key_of(e, v->dtype), 8);
}

static void put_facts(rugi_state_writer *w, const rug_values *v)
{
    const rugi_distinct *d = &v->facts.distinct;
    uint64_t next = 0;
    if (rugi_values_is_real(v->dtype)) {
        rugi_state_put(w, v->facts.n_nan);
        rugi_state_put(w, v->facts.n_infinite);
    }
    rugi_state_put(w, d->overflow ? RUG_DISTINCT_MAX + 1 : d->n);
    for (uint32_t i = 0; !d->overflow && i < d->n; i++) {
        rugi_state_put(w, d->key[i] - next);
        next = d->key[i] + 1;
    }
    if (d->overflow) {
        put_exact(w, v, v->facts.min);
        put_exact(w, v, v->facts.max);
    }
}

static void put_histogram(rugi_state_writer *w, const rug_values *v)
{
    const rugi_histogram *h = &v->histogram;
    size_t n = 0, next = 0;
    if (rugi_values_is_real(v->dtype))
        rugi_state_put(w, h->has_parts ? 1 : 0);
    for (size_t bin = 0; bin < h->n_bins; bin++)
        n += rugi_histogram_at(h, bin) > 0;
    rugi_state_put(w, n);
    for (size_t bin = 0; bin < h->n_bins; bin++) {
        if (rugi_histogram_at(h, bin) == 0)
            continue;
        rugi_state_put(w, bin - next);
        rugi_state_put(w, rugi_histogram_at(h, bin));
        if (h->lowest != NULL)
            put_exact(w, v, h->lowest[bin]);
        next = bin + 1;
    }
}

static void put_octaves(rugi_state_writer *w, const rugi_octaves *o)
{
    size_t n = 0, next = 0;
    rugi_state_put(w, o->has_fraction ? 1 : 0);
    for (size_t key = 0; key < RUGI_OCTAVES; key++)
        n += o->n[key] > 0;
    rugi_state_put(w, n);
    for (size_t key = 0; key < RUGI_OCTAVES; key++) {
        if (o->n[key] == 0)
            continue;
        rugi_state_put(w, key - next);
        rugi_state_put(w, o->n[key]);
        next = key + 1;
    }
}

rug_status rug_values_save(rug_context *ctx, uint8_t **out, size_t *n,
                           const rug_values *v)
{
    if (out != NULL)
        *out = NULL;
    if (n != NULL)
        *n = 0;
    if (ctx == NULL || out == NULL || n == NULL || v == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_values_save: NULL given");
    rugi_cover cover;
    rug_status status = rugi_cover_sorted(ctx, &cover, &v->cover, SIZE_MAX);
    if (status == RUG_OK) {
        rugi_state_writer w = rugi_state_begin(ctx, RUGI_STATE_VALUES);
        rugi_state_put_shape(&w, v->ndim, v->shape);
        rugi_state_put(&w, v->dtype);
        rugi_state_put(&w, v->has_mask ? 1 : 0);
        rugi_state_put(&w, v->has_range ? 1 : 0);
        if (v->has_range) {
            put_exact(&w, v, (rugi_exact){v->range.min, v->range.min_rest});
            put_exact(&w, v, (rugi_exact){v->range.max, v->range.max_rest});
        }
        rugi_state_put_cover(&w, v->ndim, &cover);
        if (!rugi_values_is_narrow(v->dtype))
            put_facts(&w, v);
        if (v->octaves != NULL)
            put_octaves(&w, v->octaves);
        if (rugi_values_has_histogram(v))
            put_histogram(&w, v);
        status = rugi_state_end(&w, out, n);
    }
    rugi_cover_free(ctx, &cover);
    return status;
}

/* ---- Loading ---- */

/* A value that pixels can have. */
static rugi_exact check_exact(rugi_state_reader *r, rug_dtype dtype, uint64_t key)
{
    rugi_exact e = exact_of_key(key, dtype);
    if (!rugi_values_is_possible(dtype, e) || rugi_key_of(e, dtype) != key)
        rugi_state_refuse(r, "a value is none of its type");
    return e;
}

static rugi_exact get_exact(rugi_state_reader *r, rug_dtype dtype)
{
    return check_exact(r, dtype, rugi_state_get_bytes(r, 8));
}

static rug_values *get_options(rugi_state_reader *r)
{
    rug_values_options o = RUG_VALUES_OPTIONS_INIT;
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    rug_values *v = NULL;
    size_t shape[3];
    int ndim = rugi_state_get_shape(r, shape);
    rug_dtype dtype = (rug_dtype)rugi_state_get_below(r, RUG_N_DTYPES - 1, "dtype");
    o.has_mask = (uint32_t)rugi_state_get_below(r, 1, "mask");
    if (rugi_state_get_below(r, 1, "range") == 1) {
        rugi_exact min = get_exact(r, dtype), max = get_exact(r, dtype);
        if (rugi_values_is_narrow(dtype) || !rugi_exact_is_less(min, max))
            rugi_state_refuse(r, "the range is none");
        range.min = min.value;
        range.min_rest = min.rest;
        range.max = max.value;
        range.max_rest = max.rest;
        o.range = &range;
    }
    if (r->status == RUG_OK)
        rugi_state_note(r, rug_values_new(r->ctx, &v, dtype, ndim, shape, &o));
    return v;
}

static void get_facts(rugi_state_reader *r, rug_values *v)
{
    uint64_t left = v->cover.n_pixels, next = 0;
    rugi_range_facts *f = &v->facts;
    if (rugi_values_is_real(v->dtype)) {
        f->n_nan = rugi_state_get_below(r, left, "pixels that are NaN");
        left -= f->n_nan;
        f->n_infinite = rugi_state_get_below(r, left, "pixels that are infinite");
        left -= f->n_infinite;
    }
    uint64_t most = left < RUG_DISTINCT_MAX ? left : RUG_DISTINCT_MAX + 1;
    uint32_t n = (uint32_t)rugi_state_get_below(r, most, "number of values");
    if (n > RUG_DISTINCT_MAX) {
        f->min = get_exact(r, v->dtype);
        f->max = get_exact(r, v->dtype);
        f->distinct.overflow = 1;
        if (!rugi_exact_is_less(f->min, f->max))
            rugi_state_refuse(r, "the least value is not the least");
        return;
    }
    for (uint32_t i = 0; i < n && r->status == RUG_OK; i++) {
        if (i > 0 && next == 0)
            rugi_state_refuse(r, "a value follows the last one");
        uint64_t key = next + rugi_state_get_below(r, UINT64_MAX - next, "value");
        rugi_exact e = check_exact(r, v->dtype, key);
        const rugi_range_facts one = {e, e, 0, 0, {1, 0, {key}}};
        rugi_range_merge(f, &one);
        next = key + 1;
    }
}

static void get_octaves(rugi_state_reader *r, rug_values *v)
{
    uint64_t left = v->cover.n_pixels;
    size_t key = 0;
    v->octaves->has_fraction = (int)rugi_state_get_below(r, 1, "fractions");
    size_t n = (size_t)rugi_state_get_below(r, RUGI_OCTAVES, "number of octaves");
    for (size_t i = 0; i < n && r->status == RUG_OK; i++) {
        if (key == RUGI_OCTAVES)
            rugi_state_refuse(r, "more octaves are listed than there are");
        else
            key += (size_t)rugi_state_get_below(r, RUGI_OCTAVES - key - 1, "octave");
        uint64_t count = rugi_state_get_below(r, left, "pixels of an octave");
        if (count == 0)
            rugi_state_refuse(r, "an octave has no pixels");
        if (r->status == RUG_OK)
            v->octaves->n[key++] = count;
        left -= count;
    }
}

static void get_bin(rugi_state_reader *r, rug_values *v, size_t bin, uint64_t left)
{
    rugi_histogram *h = &v->histogram;
    uint64_t count = rugi_state_get_below(r, left, "pixels of a level");
    if (count == 0)
        rugi_state_refuse(r, "a level has no pixels");
    atomic_store_explicit(&h->counts[bin], count, memory_order_relaxed);
    if (h->lowest == NULL)
        return;
    h->lowest[bin] = get_exact(r, v->dtype);
    if (r->status == RUG_OK && rugi_bin_of(&h->bins, h->lowest[bin].value) != bin)
        rugi_state_refuse(r, "a value is not in its bin");
}

static void get_histogram(rugi_state_reader *r, rug_values *v)
{
    rugi_histogram *h = &v->histogram;
    uint64_t left = v->cover.n_pixels - v->facts.n_nan - v->facts.n_infinite;
    size_t bin = 0;
    if (rugi_values_is_real(v->dtype))
        h->has_parts = (int)rugi_state_get_below(r, 1, "fractions");
    size_t n = (size_t)rugi_state_get_below(r, h->n_bins, "number of levels");
    for (size_t i = 0; i < n && r->status == RUG_OK; i++) {
        if (bin == h->n_bins)
            rugi_state_refuse(r, "more levels are listed than there are");
        else
            bin += (size_t)rugi_state_get_below(r, h->n_bins - bin - 1, "level");
        if (r->status == RUG_OK) {
            get_bin(r, v, bin, left);
            left -= rugi_histogram_at(h, bin++);
        }
    }
    if (rugi_values_is_narrow(v->dtype) && !v->has_mask && left > 0)
        rugi_state_refuse(r, "pixels have no level");
}

rug_status rug_values_load(rug_context *ctx, rug_values **out, const uint8_t *bytes,
                           size_t n)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || bytes == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_values_load: NULL given");
    rugi_state_reader r = rugi_state_open(ctx, bytes, n, RUGI_STATE_VALUES);
    rug_values *v = get_options(&r);
    if (v != NULL) {
        rugi_state_get_cover(&r, v->ndim, v->shape, &v->cover);
        if (!rugi_values_is_narrow(v->dtype))
            get_facts(&r, v);
        if (v->octaves != NULL && r.status == RUG_OK)
            get_octaves(&r, v);
        if (rugi_values_has_histogram(v) && r.status == RUG_OK)
            get_histogram(&r, v);
    }
    rug_status status = rugi_state_close(&r);
    if (status == RUG_OK)
        *out = v;
    else
        rug_values_free(v);
    return status;
}
