/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The bytes of states (docs/states.md): of 4096 x 4096 random pixels in 64 parts, and of 2^20 random
 * points in 64 parts. Prints for each kind the bytes of the smallest and the largest part, of all
 * together, and of all merged, which 0 says were not. Argument: a text that the printed cases must
 * contain (default all). */

#include "bench.h"
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE    ((size_t)4096)
#define N_SIDE  8 /* parts along an axis */
#define N_PARTS (N_SIDE * N_SIDE)

static const size_t shape[2] = {SIDE, SIDE};

typedef struct bench_case bench_case;

/* A part: its pixels and those about them. */
typedef struct part {
    rug_image pixels, mask, labels;
    size_t from[2], first[2], own[2];
} part;

typedef struct method {
    rug_status (*begin)(rug_context *ctx, void **state, const bench_case *c);
    rug_status (*add)(rug_context *ctx, void *state, const bench_case *c, const part *p);
    rug_status (*merge)(rug_context *ctx, void *state, const void *other);
    rug_status (*save)(rug_context *ctx, uint8_t **out, size_t *n, const void *state);
    void (*free)(void *state);
} method;

struct bench_case {
    const char *name;
    const method *method;
    rug_dtype dtype;
    size_t before; /* pixels from cuts to multiples of 64 */
    int variant;
    int has_mask;
    size_t labels; /* side of their squares; 0: none */
    size_t reach;
};

static const rug_source some; /* there is a mask, or labels */
static rug_image_range range = RUG_IMAGE_RANGE_INIT;
static const rug_foreground above = {RUG_FOREGROUND_ABOVE, 127, 0}; /* half of them */

static void check(rug_context *ctx, rug_status status)
{
    if (status == RUG_OK)
        return;
    fprintf(stderr, "bench_states: %s\n", rug_context_error(ctx));
    exit(1);
}

/* ---- Methods ---- */

#define MASK_OF(c, p)   ((c)->has_mask ? &(p)->mask : NULL)
#define LABELS_OF(c, p) ((c)->labels > 0 ? &(p)->labels : NULL)

/* A method whose functions have a prefix, but for the one that merges. */
#define DEFINE_METHOD(name, prefix, merger, ...)                                     \
    static rug_status add_##name(rug_context *ctx, void *s, const bench_case *c,     \
                                 const part *p)                                      \
    {                                                                                \
        (void)c;                                                                     \
        return prefix##_add(ctx, s, &p->pixels, __VA_ARGS__);                        \
    }                                                                                \
    static rug_status merge_##name(rug_context *ctx, void *s, const void *other)     \
    {                                                                                \
        return merger(ctx, s, other);                                                \
    }                                                                                \
    static rug_status save_##name(rug_context *ctx, uint8_t **out, size_t *n,        \
                                  const void *s)                                     \
    {                                                                                \
        return prefix##_save(ctx, out, n, s);                                        \
    }                                                                                \
    static void free_##name(void *s)                                                 \
    {                                                                                \
        prefix##_free(s);                                                            \
    }                                                                                \
    static const method name = {begin_##name, add_##name, merge_##name, save_##name, \
                                free_##name};

#define BEGIN(name) \
    static rug_status begin_##name(rug_context *ctx, void **state, const bench_case *c)

BEGIN(boxes)
{
    static const uint64_t sizes[] = {3, 9, 27};
    rug_boxcount_options o = RUG_BOXCOUNT_OPTIONS_INIT;
    o.foreground = above;
    o.sizes = c->variant > 0 ? sizes : NULL;
    o.n_sizes = c->variant > 0 ? 3 : 0;
    o.mask = c->has_mask ? &some : NULL;
    return rug_boxcount_parts_new(ctx, (rug_boxcount_parts **)state, 2, shape, &o);
}
DEFINE_METHOD(boxes, rug_boxcount_parts, rug_boxcount_merge, MASK_OF(c, p), p->first)

BEGIN(masses)
{
    rug_masses_options o = RUG_MASSES_OPTIONS_INIT;
    o.of = c->variant > 0 ? RUG_MASS_OF_FOREGROUND : RUG_MASS_OF_GRAY;
    o.foreground = above;
    int unit = c->dtype == RUG_F32 ? -38 : 0; /* 2^24 pixels below 1 */
    return rug_masses_new(ctx, (rug_masses **)state, c->dtype, 2, shape, unit, &o);
}
DEFINE_METHOD(masses, rug_masses, rug_masses_merge, MASK_OF(c, p), p->first)

BEGIN(lacunarity)
{
    rug_lacunarity_options o = RUG_LACUNARITY_OPTIONS_INIT;
    o.is_gray = c->variant;
    o.foreground = above;
    return rug_lacunarity_parts_new(ctx, (rug_lacunarity_parts **)state, c->dtype, 2,
                                    shape, &o);
}
DEFINE_METHOD(lacunarity, rug_lacunarity_parts, rug_lacunarity_merge, MASK_OF(c, p),
              p->first)

/* The variant is the number of operators of riu2; those of the default patterns are below 0. */
BEGIN(patterns)
{
    static const rug_lbp_operator operators[] = {
        {8, 1, NULL, 0}, {16, 2, NULL, 0}, {24, 3, NULL, 0}};
    rug_lbp_options o = RUG_LBP_OPTIONS_INIT;
    o.operators = c->variant > 0 ? operators : &operators[-c->variant - 1];
    o.n_operators = c->variant > 0 ? (uint32_t)c->variant : 1;
    o.method = c->variant > 0 ? RUG_LBP_RIU2 : RUG_LBP_DEFAULT;
    o.labels = c->labels > 0 ? &some : NULL;
    return rug_lbp_parts_new(ctx, (rug_lbp_parts **)state, c->dtype, 2, shape, &o);
}
DEFINE_METHOD(patterns, rug_lbp_parts, rug_lbp_merge, MASK_OF(c, p), LABELS_OF(c, p),
              p->from, p->first, p->own)

BEGIN(alpha)
{
    rug_alpha_options o = RUG_ALPHA_OPTIONS_INIT;
    o.mask = c->has_mask ? &some : NULL;
    return rug_alpha_parts_new(ctx, (rug_alpha_parts **)state, c->dtype, 2, shape, &o);
}
DEFINE_METHOD(alpha, rug_alpha_parts, rug_alpha_merge, MASK_OF(c, p), p->from, p->first,
              p->own)

BEGIN(grey)
{
    rug_dbc_options o = RUG_DBC_OPTIONS_INIT;
    const rug_image_range *known = c->dtype == RUG_F32 ? &range : NULL;
    return rug_dbc_parts_new(ctx, (rug_dbc_parts **)state, c->dtype, 2, shape, &o, known);
}
DEFINE_METHOD(grey, rug_dbc_parts, rug_dbc_merge, MASK_OF(c, p), p->first)

BEGIN(values)
{
    rug_values_options o = RUG_VALUES_OPTIONS_INIT;
    o.range = c->variant > 0 ? &range : NULL;
    return rug_values_new(ctx, (rug_values **)state, c->dtype, 2, shape, &o);
}
DEFINE_METHOD(values, rug_values, rug_values_merge, MASK_OF(c, p), p->first)

/* Variants: bins, every level, and these with directions merged. */
BEGIN(pairs)
{
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.labels = c->labels > 0 ? &some : NULL;
    o.levels = c->variant == 0 ? RUG_GLCM_LEVELS_COUNT : RUG_GLCM_LEVELS_EXACT;
    o.n_levels = c->variant == 0 ? 32 : 0;
    o.range = c->variant == 0 ? RUG_GLCM_RANGE_GIVEN : RUG_GLCM_RANGE_AUTO;
    o.range_hi = c->variant == 0 ? 255 : 0;
    o.aggregate = c->variant == 2 ? RUG_GLCM_AGGREGATE_MERGED : RUG_GLCM_AGGREGATE_MEAN;
    return rug_glcm_parts_new(ctx, (rug_glcm_parts **)state, c->dtype, 2, shape, &o,
                              NULL);
}
DEFINE_METHOD(pairs, rug_glcm_parts, rug_glcm_merge, MASK_OF(c, p), LABELS_OF(c, p),
              p->from, p->first, p->own)

static const bench_case cases[] = {
    {"box counts, powers of two", &boxes, RUG_U8, 0, 0, 0, 0, 0},
    {"box counts, powers of two, cuts 12 pixels before", &boxes, RUG_U8, 12, 0, 0, 0, 0},
    {"box counts, other sizes", &boxes, RUG_U8, 0, 1, 0, 0, 0},
    {"box counts, mask", &boxes, RUG_U8, 0, 0, 1, 0, 0},
    {"masses, foreground", &masses, RUG_U8, 0, 1, 0, 0, 0},
    {"masses, u8", &masses, RUG_U8, 0, 0, 0, 0, 0},
    {"masses, u8, cuts 12 pixels before", &masses, RUG_U8, 12, 0, 0, 0, 0},
    {"masses, u16", &masses, RUG_U16, 0, 0, 0, 0, 0},
    {"masses, f32", &masses, RUG_F32, 0, 0, 0, 0, 0},
    {"lacunarity, set", &lacunarity, RUG_U8, 0, 0, 0, 0, 0},
    {"lacunarity, u8", &lacunarity, RUG_U8, 0, 1, 0, 0, 0},
    {"patterns, riu2 (8, 1)", &patterns, RUG_U8, 0, 1, 0, 0, 1},
    {"patterns, riu2 (8, 1) (16, 2) (24, 3)", &patterns, RUG_U8, 0, 3, 0, 0, 3},
    {"patterns, riu2 (8, 1), labels", &patterns, RUG_U8, 0, 1, 0, 40, 1},
    {"patterns, default (8, 1)", &patterns, RUG_U8, 0, -1, 0, 0, 1},
    {"patterns, default (16, 2)", &patterns, RUG_U8, 0, -2, 0, 0, 2},
    {"alpha", &alpha, RUG_U8, 0, 0, 0, 0, 3},
    {"alpha, mask", &alpha, RUG_U8, 0, 0, 1, 0, 3},
    {"differential box counts, u8", &grey, RUG_U8, 0, 0, 0, 0, 0},
    {"differential box counts, u8, cuts 12 pixels before", &grey, RUG_U8, 12, 0, 0, 0, 0},
    {"differential box counts, f32", &grey, RUG_F32, 0, 0, 0, 0, 0},
    {"differential box counts, f32, cuts 12 pixels before", &grey, RUG_F32, 12, 0, 0, 0,
     0},
    {"values, u8", &values, RUG_U8, 0, 0, 0, 0, 0},
    {"values, u16", &values, RUG_U16, 0, 0, 0, 0, 0},
    {"values, f32", &values, RUG_F32, 0, 0, 0, 0, 0},
    {"values, f32, second round", &values, RUG_F32, 0, 1, 0, 0, 0},
    {"co-occurrence, 32 bins", &pairs, RUG_U8, 0, 0, 0, 0, 1},
    {"co-occurrence, u8", &pairs, RUG_U8, 0, 1, 0, 0, 1},
    {"co-occurrence, u8, directions merged", &pairs, RUG_U8, 0, 2, 0, 0, 1},
    {"co-occurrence, u8, directions merged, labels", &pairs, RUG_U8, 0, 2, 0, 50, 1},
    {"co-occurrence, u16", &pairs, RUG_U16, 0, 1, 0, 0, 1},
};

/* ---- Pixels ---- */

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Any number of the type; floats from 0 up to 1. */
static void fill_random(void *pixels, rug_dtype dtype)
{
    uint64_t rng = 1;
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        uint64_t v = next_random(&rng);
        if (dtype == RUG_F32)
            ((float *)pixels)[i] = (float)(v >> 40) / (1 << 24);
        else if (dtype == RUG_U16)
            ((uint16_t *)pixels)[i] = (uint16_t)v;
        else
            ((uint8_t *)pixels)[i] = (uint8_t)v;
    }
}

static void fill_labels(uint32_t *labels, size_t side)
{
    size_t n = SIDE / side + 1;
    for (size_t i = 0; i < SIDE * SIDE; i++)
        labels[i] = (uint32_t)(1 + i / SIDE / side * n + i % SIDE / side);
}

/* Pixels of the image from `from` on. */
static rug_image view_of(rug_context *ctx, const void *pixels, rug_dtype dtype,
                         const size_t from[2], const size_t end[2])
{
    rug_image v;
    const size_t n[2] = {end[0] - from[0], end[1] - from[1]},
                 size = rug_dtype_size(dtype);
    check(ctx, rug_image_view(ctx, &v,
                              (const char *)pixels + (from[0] * SIDE + from[1]) * size,
                              dtype, 2, n));
    v.stride[0] = (ptrdiff_t)(SIDE * size);
    return v;
}

typedef struct memory {
    void *pixels;
    uint8_t *mask;
    uint32_t *labels;
} memory;

/* Part (y, x) of a case. */
static part part_of(rug_context *ctx, const memory *m, const bench_case *c,
                    const size_t at[2])
{
    part p;
    size_t end[2];
    for (int a = 0; a < 2; a++) {
        size_t step = SIDE / N_SIDE, last = (at[a] + 1) * step - c->before;
        p.first[a] = at[a] > 0 ? at[a] * step - c->before : 0;
        end[a] = at[a] + 1 < N_SIDE ? last : SIDE;
        p.own[a] = end[a] - p.first[a];
        p.from[a] = p.first[a] < c->reach ? 0 : p.first[a] - c->reach;
        end[a] = SIDE - end[a] < c->reach ? SIDE : end[a] + c->reach;
    }
    p.pixels = view_of(ctx, m->pixels, c->dtype, p.from, end);
    p.mask = view_of(ctx, m->mask, RUG_U8, p.from, end);
    p.labels = view_of(ctx, m->labels, RUG_U32, p.from, end);
    return p;
}

/* ---- States ---- */

typedef struct bytes {
    size_t least, most, all, merged;
} bytes;

static void take(bytes *b, size_t n)
{
    b->least = b->least == 0 || n < b->least ? n : b->least;
    b->most = n > b->most ? n : b->most;
    b->all += n;
}

static void print(const char *name, const bytes *b)
{
    printf("%s\t%zu\t%zu\t%zu\t%zu\n", name, b->least, b->most, b->all, b->merged);
    fflush(stdout);
}

static size_t size_of(rug_context *ctx, const method *m, const void *state)
{
    uint8_t *saved;
    size_t n;
    check(ctx, m->save(ctx, &saved, &n, state));
    rug_context_release(ctx, saved);
    return n;
}

static void run(rug_context *ctx, const memory *m, const bench_case *c)
{
    bytes b = {0, 0, 0, 0};
    void *whole = NULL, *state;
    int merges = c->method != &pairs || c->dtype == RUG_U8; /* gigabytes */
    for (size_t i = 0; i < N_PARTS; i++) {
        part p = part_of(ctx, m, c, (const size_t[2]){i / N_SIDE, i % N_SIDE});
        check(ctx, c->method->begin(ctx, &state, c));
        check(ctx, c->method->add(ctx, state, c, &p));
        take(&b, size_of(ctx, c->method, state));
        if (whole == NULL) {
            whole = state;
            continue;
        }
        if (merges)
            check(ctx, c->method->merge(ctx, whole, state));
        c->method->free(state);
    }
    if (merges)
        b.merged = size_of(ctx, c->method, whole);
    c->method->free(whole);
    print(c->name, &b);
}

/* ---- Points ---- */

#define N_POINTS ((size_t)1 << 20)

static size_t size_of_points(rug_context *ctx, const rug_points_parts *state)
{
    uint8_t *saved;
    size_t n;
    check(ctx, rug_points_parts_save(ctx, &saved, &n, state));
    rug_context_release(ctx, saved);
    return n;
}

static void run_points(rug_context *ctx, const char *name, int ndim, uint64_t resolution,
                       const double *coordinates)
{
    rug_points all = {coordinates, RUG_F64, N_POINTS, ndim, {8 * (ptrdiff_t)ndim, 8}};
    rug_points_range whole = RUG_POINTS_RANGE_INIT;
    rug_points_parts_options o = RUG_POINTS_PARTS_OPTIONS_INIT;
    rug_points_parts *merged, *state;
    bytes b = {0, 0, 0, 0};
    check(ctx, rug_points_measure_range(ctx, &whole, &all));
    o.resolution = resolution;
    o.range = &whole;
    check(ctx, rug_points_parts_new(ctx, &merged, RUG_F64, ndim, &o));
    for (size_t i = 0; i < N_PARTS; i++) {
        rug_points p = all;
        p.n = N_POINTS / N_PARTS;
        p.data = coordinates + i * p.n * (size_t)ndim;
        check(ctx, rug_points_parts_new(ctx, &state, RUG_F64, ndim, &o));
        check(ctx, rug_points_parts_add(ctx, state, &p, 0));
        take(&b, size_of_points(ctx, state));
        check(ctx, rug_points_parts_merge(ctx, merged, state));
        rug_points_parts_free(state);
    }
    b.merged = size_of_points(ctx, merged);
    rug_points_parts_free(merged);
    print(name, &b);
}

static void all_points(rug_context *ctx, double *coordinates, const char *only)
{
    static const struct {
        const char *name;
        int ndim;
        uint64_t resolution;
    } lattices[] = {
        {"points, 256^2 cells", 2, 256},    {"points, 1024^2 cells", 2, 1024},
        {"points, 2^40 cells", 2, 1 << 20}, {"points, 64^3 cells", 3, 64},
        {"points, 1024^3 cells", 3, 1024},  {"points, 2^60 cells", 3, 1 << 20}};
    uint64_t rng = 2;
    for (size_t i = 0; i < 3 * N_POINTS; i++)
        coordinates[i] = (double)(next_random(&rng) >> 11) / ((uint64_t)1 << 53);
    for (size_t i = 0; i < sizeof lattices / sizeof *lattices; i++)
        if (strstr(lattices[i].name, only) != NULL)
            run_points(ctx, lattices[i].name, lattices[i].ndim, lattices[i].resolution,
                       coordinates);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    const size_t n = SIDE * SIDE;
    rug_context *ctx;
    if (rug_context_new(&ctx) != RUG_OK)
        return 1;
    memory m = {bench_allocate(4 * n), bench_allocate(n), bench_allocate(4 * n)};
    memset(m.mask, 1, n);
    range.max = 1;
    printf("state\tleast\tmost\tall\tmerged\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (strstr(cases[i].name, only) == NULL)
            continue;
        fill_random(m.pixels, cases[i].dtype);
        if (cases[i].labels > 0)
            fill_labels(m.labels, cases[i].labels);
        run(ctx, &m, &cases[i]);
    }
    all_points(ctx, m.pixels, only);
    rug_context_free(ctx);
    return 0;
}
