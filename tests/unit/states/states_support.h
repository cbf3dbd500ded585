/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* States of every method, for tests of all of them. Include it after support.h. */

#ifndef RUGOSE_STATES_SUPPORT_H
#define RUGOSE_STATES_SUPPORT_H

#include <rugose/alpha_parts.h>
#include <rugose/boxcount_parts.h>
#include <rugose/dbc_parts.h>
#include <rugose/glcm_parts.h>
#include <rugose/lacunarity_parts.h>
#include <rugose/lbp_parts.h>
#include <rugose/multifractal.h>
#include <rugose/values.h>
#include <stdlib.h>
#include <string.h>

/* A state of one method; the others are NULL. */
typedef struct state {
    rug_boxcount_parts *boxes;
    rug_masses *masses;
    rug_lacunarity_parts *lacunarity;
    rug_lbp_parts *patterns;
    rug_alpha_parts *alpha;
    rug_glcm_parts *pairs;
    rug_values *values;
    rug_dbc_parts *grey;
    size_t reach;        /* pixels that a part brings about it */
    const size_t *whole; /* shape of the image, where it reaches anywhere */
} state;

static inline rug_status load(rug_context *ctx, state *out, const uint8_t *bytes,
                              size_t n)
{
    *out = (state){.reach = 0};
    switch (n > 12 ? bytes[12] : 0) {
    case 2: return rug_masses_load(ctx, &out->masses, bytes, n);
    case 3: return rug_lacunarity_parts_load(ctx, &out->lacunarity, bytes, n);
    case 4: return rug_values_load(ctx, &out->values, bytes, n);
    case 5: return rug_dbc_parts_load(ctx, &out->grey, bytes, n);
    case 6: return rug_lbp_parts_load(ctx, &out->patterns, bytes, n);
    case 7: return rug_glcm_parts_load(ctx, &out->pairs, bytes, n);
    case 8: return rug_alpha_parts_load(ctx, &out->alpha, bytes, n);
    default: return rug_boxcount_parts_load(ctx, &out->boxes, bytes, n);
    }
}

static inline rug_status save(rug_context *ctx, uint8_t **bytes, size_t *n,
                              const state *s)
{
    if (s->masses != NULL)
        return rug_masses_save(ctx, bytes, n, s->masses);
    if (s->patterns != NULL)
        return rug_lbp_parts_save(ctx, bytes, n, s->patterns);
    if (s->alpha != NULL)
        return rug_alpha_parts_save(ctx, bytes, n, s->alpha);
    if (s->pairs != NULL)
        return rug_glcm_parts_save(ctx, bytes, n, s->pairs);
    if (s->values != NULL)
        return rug_values_save(ctx, bytes, n, s->values);
    if (s->grey != NULL)
        return rug_dbc_parts_save(ctx, bytes, n, s->grey);
    return s->boxes != NULL ? rug_boxcount_parts_save(ctx, bytes, n, s->boxes)
                            : rug_lacunarity_parts_save(ctx, bytes, n, s->lacunarity);
}

static inline rug_status merge(rug_context *ctx, const state *s, const state *other)
{
    if (s->masses != NULL)
        return rug_masses_merge(ctx, s->masses, other->masses);
    if (s->patterns != NULL)
        return rug_lbp_merge(ctx, s->patterns, other->patterns);
    if (s->alpha != NULL)
        return rug_alpha_merge(ctx, s->alpha, other->alpha);
    if (s->pairs != NULL)
        return rug_glcm_merge(ctx, s->pairs, other->pairs);
    if (s->values != NULL)
        return rug_values_merge(ctx, s->values, other->values);
    if (s->grey != NULL)
        return rug_dbc_merge(ctx, s->grey, other->grey);
    return s->boxes != NULL ? rug_boxcount_merge(ctx, s->boxes, other->boxes)
                            : rug_lacunarity_merge(ctx, s->lacunarity, other->lacunarity);
}

static inline int is_none(const state *s)
{
    return s->boxes == NULL && s->masses == NULL && s->lacunarity == NULL &&
           s->patterns == NULL && s->alpha == NULL && s->pairs == NULL &&
           s->values == NULL && s->grey == NULL;
}

static inline void drop(state *s)
{
    rug_boxcount_parts_free(s->boxes);
    rug_masses_free(s->masses);
    rug_lacunarity_parts_free(s->lacunarity);
    rug_lbp_parts_free(s->patterns);
    rug_alpha_parts_free(s->alpha);
    rug_glcm_parts_free(s->pairs);
    rug_values_free(s->values);
    rug_dbc_parts_free(s->grey);
    *s = (state){.reach = 0};
}

static inline void must(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

/* ---- States to begin with ---- */

#define N_STATES 26

static const uint64_t some_sizes[] = {1, 3, 9};

typedef enum method {
    BOXES,
    MASSES,
    LACUNARITY,
    PATTERNS,
    ALPHA,
    PAIRS,
    VALUES,
    GREY
} method;

/* Which state is what. */
typedef struct kind {
    method of;
    int has_mask, ndim;
    rug_dtype dtype; /* RUG_F32 has the values of RUG_U8 */
    rug_boxcount_grid grid;
    uint32_t n_sizes; /* of pairs, more than 0: with labels; of values: with a range */
    rug_mass_of mass;
    int has_labels;
} kind;

static const kind kinds[N_STATES] = {
    {BOXES, 0, 2, RUG_U8, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {BOXES, 0, 3, RUG_U8, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {BOXES, 1, 2, RUG_U8, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {BOXES, 0, 2, RUG_U8, RUG_BOXCOUNT_GRID_MEAN, 3, RUG_MASS_OF_GRAY, 0},
    {MASSES, 0, 2, RUG_U8, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {MASSES, 0, 3, RUG_U16, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {MASSES, 1, 2, RUG_F32, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {MASSES, 0, 2, RUG_U8, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_FOREGROUND, 0},
    {MASSES, 0, 2, RUG_I8, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {MASSES, 0, 2, RUG_U64, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {LACUNARITY, 1, 2, RUG_F32, RUG_BOXCOUNT_GRID_ORIGIN, 3, RUG_MASS_OF_FOREGROUND, 0},
    {LACUNARITY, 0, 3, RUG_U16, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {LACUNARITY, 0, 2, RUG_U64, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {PATTERNS, 1, 2, RUG_F32, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {PATTERNS, 0, 3, RUG_U8, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 1},
    {ALPHA, 1, 2, RUG_U16, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {ALPHA, 0, 2, RUG_F32, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {PAIRS, 0, 2, RUG_U8, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {PAIRS, 1, 3, RUG_F32, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {PAIRS, 0, 2, RUG_U64, RUG_BOXCOUNT_GRID_ORIGIN, 3, RUG_MASS_OF_GRAY, 0},
    {VALUES, 0, 2, RUG_U16, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {VALUES, 1, 2, RUG_F32, RUG_BOXCOUNT_GRID_ORIGIN, 1, RUG_MASS_OF_GRAY, 0},
    {VALUES, 0, 3, RUG_U64, RUG_BOXCOUNT_GRID_ORIGIN, 1, RUG_MASS_OF_GRAY, 0},
    {GREY, 0, 2, RUG_U8, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {GREY, 1, 3, RUG_F32, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
    {GREY, 0, 2, RUG_U16, RUG_BOXCOUNT_GRID_ORIGIN, 0, RUG_MASS_OF_GRAY, 0},
};

static inline void begin_patterns(rug_context *ctx, state *s, const kind *k,
                                  const size_t *shape)
{
    static const rug_source some;
    static const double cuts[] = {0.5, 4};
    static const rug_lbp_operator operators[] = {{8, 1, NULL, 0}, {5, 2, cuts, 2}};
    rug_lbp_options o = RUG_LBP_OPTIONS_INIT;
    o.operators = operators;
    o.n_operators = 2;
    o.method = RUG_LBP_ROR;
    o.planes = k->ndim == 3 ? RUG_LBP_PLANES_XZ : RUG_LBP_PLANES_NONE;
    o.mask = k->has_mask ? &some : NULL;
    o.labels = k->has_labels ? &some : NULL;
    must(ctx, rug_lbp_parts_new(ctx, &s->patterns, k->dtype, k->ndim, shape, &o));
    s->reach = rug_lbp_reach(&o);
}

static inline void begin_alpha(rug_context *ctx, state *s, const kind *k,
                               const size_t *shape)
{
    static const rug_source some;
    rug_alpha_options o = RUG_ALPHA_OPTIONS_INIT;
    o.mask = k->has_mask ? &some : NULL;
    must(ctx, rug_alpha_parts_new(ctx, &s->alpha, k->dtype, k->ndim, shape, &o));
    s->reach = rug_alpha_reach(&o);
}

static inline void begin_pairs(rug_context *ctx, state *s, const kind *k,
                               const size_t *shape)
{
    static const rug_source some;
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.mask = k->has_mask ? &some : NULL;
    o.labels = k->n_sizes > 0 ? &some : NULL;
    o.levels = RUG_GLCM_LEVELS_EXACT;
    must(ctx, rug_glcm_parts_new(ctx, &s->pairs, k->dtype, k->ndim, shape, &o, NULL));
    s->reach = rug_glcm_reach(&o);
}

static inline void begin_values(rug_context *ctx, state *s, const kind *k,
                                const size_t *shape)
{
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    rug_values_options o = RUG_VALUES_OPTIONS_INIT;
    range.max = 6;
    o.has_mask = k->has_mask != 0;
    o.range = k->n_sizes > 0 ? &range : NULL;
    must(ctx, rug_values_new(ctx, &s->values, k->dtype, k->ndim, shape, &o));
}

static inline void begin_grey(rug_context *ctx, state *s, const kind *k,
                              const size_t *shape)
{
    static const rug_source some_mask;
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    rug_dbc_options o = RUG_DBC_OPTIONS_INIT;
    range.max = 6;
    o.mask = k->has_mask ? &some_mask : NULL;
    must(ctx, rug_dbc_parts_new(ctx, &s->grey, k->dtype, k->ndim, shape, &o, &range));
}

/* @param shape  stays until the state is dropped */
static inline state begin(rug_context *ctx, const kind *k, const size_t *shape)
{
    static const rug_source some_mask;
    const rug_foreground rule = {RUG_FOREGROUND_ABOVE, 3, 0};
    state s = {.whole = shape};
    if (k->of == PATTERNS) {
        begin_patterns(ctx, &s, k, shape);
    } else if (k->of == ALPHA) {
        begin_alpha(ctx, &s, k, shape);
    } else if (k->of == VALUES) {
        begin_values(ctx, &s, k, shape);
    } else if (k->of == GREY) {
        begin_grey(ctx, &s, k, shape);
    } else if (k->of == LACUNARITY) {
        rug_lacunarity_options o = RUG_LACUNARITY_OPTIONS_INIT;
        o.is_gray = k->mass == RUG_MASS_OF_GRAY;
        o.foreground = rule;
        o.sizes = k->n_sizes > 0 ? some_sizes : NULL;
        o.n_sizes = k->n_sizes;
        o.mask = k->has_mask ? &some_mask : NULL;
        must(ctx,
             rug_lacunarity_parts_new(ctx, &s.lacunarity, k->dtype, k->ndim, shape, &o));
    } else if (k->of == PAIRS) {
        begin_pairs(ctx, &s, k, shape);
    } else if (k->of == MASSES) {
        rug_masses_options o = RUG_MASSES_OPTIONS_INIT;
        o.of = k->mass;
        o.foreground = rule;
        o.mask = k->has_mask ? &some_mask : NULL;
        must(ctx, rug_masses_new(ctx, &s.masses, k->dtype, k->ndim, shape,
                                 k->dtype == RUG_F32 ? -1 : 0, &o));
    } else {
        rug_boxcount_options o = RUG_BOXCOUNT_OPTIONS_INIT;
        o.foreground = rule;
        o.grid = k->grid;
        o.sizes = k->n_sizes > 0 ? some_sizes : NULL;
        o.n_sizes = k->n_sizes;
        o.mask = k->has_mask ? &some_mask : NULL;
        must(ctx, rug_boxcount_parts_new(ctx, &s.boxes, k->ndim, shape, &o));
    }
    return s;
}

/* Pixels 0 to 6, seldom above 0. */
static inline uint8_t *some_pixels(const kind *k, size_t n, uint64_t rng)
{
    static const uint16_t one = 1;
    size_t size = rug_dtype_size(k->dtype);
    size_t low =
        *(const uint8_t *)&one ? 0 : size - 1; /* byte of the value in a number */
    uint8_t *pixels = calloc(n, 8);
    assert_non_null(pixels);
    for (size_t i = 0; i < n; i++) {
        uint8_t value = (uint8_t)(test_below(&rng, 3) == 0 ? test_below(&rng, 7) : 0);
        float real = value;
        if (k->dtype == RUG_F32)
            memcpy(pixels + i * size, &real, size);
        else
            pixels[i * size + low] = value;
    }
    return pixels;
}

/* Adds a part, with what the state wants about it. */
static inline void add(rug_context *ctx, const state *s, const kind *k,
                       const size_t *shape, const size_t *first)
{
    static const uint8_t inside = 1;
    size_t n = 1, all[3] = {0, 0, 0}, from[3] = {0, 0, 0};
    for (int a = 0; a < k->ndim; a++) {
        size_t end = first[a] + shape[a], more = s->reach;
        from[a] = first[a] < more ? 0 : first[a] - more;
        all[a] = (s->whole[a] - end < more ? s->whole[a] : end + more) - from[a];
        n *= all[a];
    }
    uint8_t *pixels = some_pixels(k, n, n + first[0]);
    rug_image part, mask;
    must(ctx, rug_image_view(ctx, &part, pixels, k->dtype, k->ndim, all));
    must(ctx, rug_image_view(ctx, &mask, &inside, RUG_U8, k->ndim, all));
    memset(mask.stride, 0, sizeof mask.stride);
    const rug_image *m = k->has_mask ? &mask : NULL;
    if (s->masses != NULL)
        must(ctx, rug_masses_add(ctx, s->masses, &part, m, first));
    else if (s->values != NULL)
        must(ctx, rug_values_add(ctx, s->values, &part, m, first));
    else if (s->grey != NULL)
        must(ctx, rug_dbc_parts_add(ctx, s->grey, &part, m, first));
    else if (s->boxes != NULL)
        must(ctx, rug_boxcount_parts_add(ctx, s->boxes, &part, m, first));
    else if (s->patterns != NULL)
        must(ctx, rug_lbp_parts_add(ctx, s->patterns, &part, m,
                                    k->has_labels ? &part : NULL, from, first, shape));
    else if (s->alpha != NULL)
        must(ctx, rug_alpha_parts_add(ctx, s->alpha, &part, m, from, first, shape));
    else if (s->pairs != NULL)
        must(ctx, rug_glcm_parts_add(ctx, s->pairs, &part, m,
                                     k->n_sizes > 0 ? &mask : NULL, from, first, shape));
    else
        must(ctx, rug_lacunarity_parts_add(ctx, s->lacunarity, &part, m, first));
    free(pixels);
}

/* A state of two parts that lie beside each other, or nearly.
 *  @return its bytes */
static inline uint8_t *some_state(rug_context *ctx, size_t *n, int i)
{
    static const size_t shape[2][3] = {{150, 140, 0}, {70, 66, 65}};
    static const size_t part[2][2][3] = {{{70, 80, 0}, {30, 140, 0}},
                                         {{66, 64, 65}, {2, 9, 8}}};
    static const size_t first[2][2][3] = {{{0, 60, 0}, {71, 0, 0}},
                                          {{0, 0, 0}, {67, 3, 50}}};
    const kind *k = &kinds[i];
    int volume = k->ndim == 3;
    uint8_t *bytes;
    state s = begin(ctx, k, shape[volume]);
    for (int p = 0; p < 2; p++)
        add(ctx, &s, k, part[volume][p], first[volume][p]);
    must(ctx, save(ctx, &bytes, n, &s));
    drop(&s);
    return bytes;
}

#endif
