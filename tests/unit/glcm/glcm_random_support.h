/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Random jobs of co-occurrence: images and volumes of every dtype, with odd strides and shapes,
 * labels, masks and options. Include it after support.h, glcm_support.h, labels_support.h and
 * naive_glcm.h. */

#ifndef RUGOSE_GLCM_RANDOM_SUPPORT_H
#define RUGOSE_GLCM_RANDOM_SUPPORT_H

#define MAX_PIXELS 4096

/* One random job. */
typedef struct job {
    uint64_t seed, rng;
    size_t nz, ny, nx, n;
    double value[MAX_PIXELS];
    uint64_t label[MAX_PIXELS];
    uint8_t inside[MAX_PIXELS];
    uint8_t kept[MAX_PIXELS]; /* inside, and not left out by re-segmentation */
    stored image, labels, mask;
    int has_labels, has_mask;
    int is_far; /* from 0, which has no place in the naive matrix then */
    uint32_t distances[3];
    rug_glcm_options opts;
    naive_pixels pixels;
} job;

static inline void random_shape(job *j)
{
    j->nz = test_below(&j->rng, 3) == 0 ? 1 + test_below(&j->rng, 5) : 0;
    size_t most = j->nz > 0 ? 12 : test_below(&j->rng, 4) == 0 ? 200 : 24;
    j->nx = 1 + test_below(&j->rng, most);
    j->ny = 1 + test_below(&j->rng, most == 200 ? 20 : most);
    j->n = (j->nz > 0 ? j->nz : 1) * j->ny * j->nx;
}

/* Values of few or many levels, some far from 0. */
static inline double random_value(job *j, rug_dtype dtype, uint64_t n_levels, double base)
{
    double v = (double)test_below(&j->rng, n_levels);
    switch (dtype) {
    case RUG_BIT: return (double)((uint64_t)v & 1);
    case RUG_U8: return (double)((uint64_t)v & 255);
    case RUG_I8: return (double)((uint64_t)v & 255) - 128;
    case RUG_U16: return v;
    case RUG_I16: return v - 32768;
    case RUG_U32:
    case RUG_U64: return v + base;
    case RUG_I32:
    case RUG_I64: return v - base;
    default:
        if (test_below(&j->rng, 20) == 0)
            return test_below(&j->rng, 2) ? NAN : INFINITY;
        return (v - base) / 8;
    }
}

static inline void store_double(unsigned char *to, rug_dtype dtype, double v)
{
    if (dtype == RUG_F32) {
        float f = (float)v;
        memcpy(to, &f, sizeof f);
    } else {
        memcpy(to, &v, sizeof v);
    }
}

/* Values as an image with odd strides. */
static inline stored store_values(job *j, rug_dtype dtype, int odd)
{
    static uint64_t numbers[MAX_PIXELS];
    for (size_t i = 0; i < j->n; i++)
        numbers[i] = dtype >= RUG_F32 ? 0 : (uint64_t)(int64_t)j->value[i];
    stored s = store_numbers(numbers, dtype, j->nz, j->ny, j->nx, odd);
    for (size_t i = 0; i < j->n && dtype >= RUG_F32; i++) {
        const size_t at[3] = {i / (j->ny * j->nx), i / j->nx % j->ny, i % j->nx};
        unsigned char *to = (unsigned char *)(uintptr_t)s.img.data;
        for (int a = 0; a < s.img.ndim; a++)
            to += (ptrdiff_t)at[a + 3 - s.img.ndim] * s.img.stride[a];
        store_double(to, dtype, j->value[i]);
    }
    return s;
}

static inline void random_image(job *j)
{
    static const uint64_t levels[] = {1, 2, 3, 8, 20, 40, 256};
    rug_dtype dtype = (rug_dtype)test_below(&j->rng, RUG_N_DTYPES);
    uint64_t n_levels = levels[test_below(&j->rng, 7)];
    double base = (double)test_below(&j->rng, 100000);
    j->is_far = test_below(&j->rng, 2) != 0;
    base = j->is_far ? base : (double)(uint64_t)(base / 1000);
    for (size_t i = 0; i < j->n; i++) {
        double v = random_value(j, dtype, n_levels, base);
        j->value[i] = dtype == RUG_F32 ? (double)(float)v : v;
    }
    j->image = store_values(j, dtype, (int)test_below(&j->rng, 4));
}

static inline void random_twins(job *j)
{
    static const rug_dtype types[] = {RUG_U8, RUG_U16, RUG_I32, RUG_F64};
    static uint64_t numbers[MAX_PIXELS];
    j->has_labels = test_below(&j->rng, 2) != 0;
    j->has_mask = test_below(&j->rng, 4) == 0;
    int is_noise = test_below(&j->rng, 4) == 0; /* labels are scattered */
    for (size_t i = 0; i < j->n; i++) {
        size_t x = i % j->nx, y = i / j->nx % j->ny;
        uint64_t block = 1 + 3 * (x / 9 + 2 * (y / 7)), place = test_below(&j->rng, 50);
        j->label[i] = test_below(&j->rng, 6) == 0 ? 0 : is_noise ? 1 + place : block;
        j->inside[i] = test_below(&j->rng, 5) != 0;
        numbers[i] = j->inside[i];
    }
    rug_dtype type = types[test_below(&j->rng, 4)];
    j->labels =
        store_numbers(j->label, type, j->nz, j->ny, j->nx, (int)test_below(&j->rng, 4));
    j->mask = store_numbers(numbers, types[test_below(&j->rng, 4)], j->nz, j->ny, j->nx,
                            (int)test_below(&j->rng, 4));
}

static inline void random_bins(job *j)
{
    rug_glcm_options *o = &j->opts;
    int is_float = j->image.img.dtype >= RUG_F32;
    uint64_t kind = test_below(&j->rng, 4);
    if (kind < 2 && (kind == 0 || is_float))
        return;
    if (kind == 1) {
        o->levels = RUG_GLCM_LEVELS_EXACT;
        return;
    }
    o->levels = kind == 2 ? RUG_GLCM_LEVELS_COUNT : RUG_GLCM_LEVELS_WIDTH;
    o->n_levels = kind == 2 ? 2 + (uint32_t)test_below(&j->rng, 40) : 0;
    o->bin_width = kind == 3 ? 0.5 + (double)test_below(&j->rng, 40) : 0;
    o->range = (rug_glcm_range)test_below(&j->rng, 5);
    if (o->range == RUG_GLCM_RANGE_TYPE && (is_float || j->image.img.dtype >= RUG_I16))
        o->range = RUG_GLCM_RANGE_ROI;
    if (o->range == RUG_GLCM_RANGE_GIVEN) {
        o->range_lo = j->value[0] > -1e9 && j->value[0] < 1e9 ? j->value[0] - 3 : -2;
        o->range_hi = o->range_lo + 1 + (double)test_below(&j->rng, 30);
    }
}

static inline void random_origin(job *j)
{
    rug_glcm_options *o = &j->opts;
    if (o->levels != RUG_GLCM_LEVELS_WIDTH)
        return;
    o->origin = (rug_glcm_origin)test_below(&j->rng, 4);
    if (o->origin == RUG_GLCM_ORIGIN_GIVEN)
        o->bin_origin = isfinite(j->value[0]) ? j->value[0] - 7 : 0;
}

static inline void random_resegment(job *j)
{
    rug_glcm_options *o = &j->opts;
    o->resegment = test_below(&j->rng, 3) == 0;
    double middle = isfinite(j->value[j->n / 2]) ? j->value[j->n / 2] : 1;
    if (o->resegment) {
        o->resegment_lo = middle - (double)test_below(&j->rng, 90);
        o->resegment_hi = middle + 0.5 + (double)test_below(&j->rng, 90);
        uint64_t open = test_below(&j->rng, 4);
        o->resegment_lo = open == 0 ? -HUGE_VAL : o->resegment_lo;
        o->resegment_hi = open == 1 ? HUGE_VAL : o->resegment_hi;
    }
    for (size_t i = 0; i < j->n; i++) {
        double v = j->value[i];
        int is_out =
            o->resegment && isfinite(v) && (v < o->resegment_lo || v > o->resegment_hi);
        j->kept[i] = (!j->has_mask || j->inside[i]) && !is_out;
    }
}

/* A frame by each distance, or by the largest or more for all. */
static inline void random_frame(job *j, uint32_t most)
{
    j->opts.pairs = RUG_GLCM_PAIRS_FRAME;
    if (test_below(&j->rng, 2) == 0)
        j->opts.frame = most + (uint32_t)test_below(&j->rng, 3);
}

static inline void random_options(job *j)
{
    rug_glcm_options *o = &j->opts;
    *o = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    o->labels = j->has_labels ? glcm_source(&j->labels.img) : NULL;
    o->mask = j->has_mask ? glcm_source(&j->mask.img) : NULL;
    uint32_t d = 1 + (uint32_t)test_below(&j->rng, 2);
    for (int i = 0; i < 3; i++, d += 1 + (uint32_t)test_below(&j->rng, 4))
        j->distances[i] = d;
    o->n_distances = (uint32_t)test_below(&j->rng, 4);
    o->distances = o->n_distances > 0 ? j->distances : NULL;
    o->asymmetric = test_below(&j->rng, 3) == 0;
    if (test_below(&j->rng, 5) == 0 && !j->is_far && j->image.img.dtype != RUG_I16)
        random_frame(j, d);
    o->aggregate = (rug_glcm_aggregate)test_below(&j->rng, 4);
    o->slices =
        j->nz > 0 ? (rug_glcm_slices)test_below(&j->rng, 3) : RUG_GLCM_SLICES_NONE;
    int flat = j->nz == 0 || o->slices != RUG_GLCM_SLICES_NONE;
    if (test_below(&j->rng, 3) == 0)
        o->directions = 1 + (uint32_t)test_below(&j->rng, flat ? 15 : 8191);
    o->features = (rug_glcm_features)test_below(&j->rng, 3);
    o->log_base = test_below(&j->rng, 2) ? 2.0 : 2.718281828459045;
    random_bins(j);
    random_origin(j);
    random_resegment(j);
}

static inline void make_job(job *j, uint64_t seed)
{
    *j = (job){.seed = seed, .rng = seed};
    random_shape(j);
    random_image(j);
    random_twins(j);
    random_options(j);
    j->pixels = (naive_pixels){.nz = j->nz > 0 ? j->nz : 1,
                               .ny = j->ny,
                               .nx = j->nx,
                               .ndim = j->nz > 0 ? 3 : 2,
                               .value = j->value,
                               .label = j->has_labels ? j->label : NULL,
                               .inside = j->kept,
                               .dtype = j->image.img.dtype};
}

static inline void free_job(job *j)
{
    free(j->image.buffer);
    free(j->labels.buffer);
    free(j->mask.buffer);
}

#endif
