/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of patches, the same text for each level: the compiler makes of it what the
 * level has. */

#include "ifs_patch_kernels.h"
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* A call for each usual side, so that loops have lengths that the compiler knows. */
#define FOR_SIDE(n, call)         \
    do {                          \
        switch (n) {              \
        case 4: call(4); break;   \
        case 8: call(8); break;   \
        case 16: call(16); break; \
        case 32: call(32); break; \
        default: call(n); break;  \
        }                         \
    } while (0)

/* ---- Edges continued ---- */

/* Weights of 64 of four samples, by the place between the middle ones in 1/32: cubics through all of
 * them (Catmull and Rom 1974). */
static const int8_t cubics[32][4] = {
    {0, 64, 0, 0},    {-1, 64, 1, 0},   {-2, 64, 2, 0},   {-2, 62, 4, 0},
    {-3, 61, 6, 0},   {-4, 61, 8, -1},  {-4, 59, 10, -1}, {-4, 57, 12, -1},
    {-4, 56, 14, -2}, {-5, 54, 17, -2}, {-5, 51, 20, -2}, {-5, 49, 22, -2},
    {-5, 47, 25, -3}, {-5, 44, 28, -3}, {-4, 41, 30, -3}, {-4, 39, 33, -4},
    {-4, 36, 36, -4}, {-4, 33, 39, -4}, {-3, 30, 41, -4}, {-3, 28, 44, -5},
    {-3, 25, 47, -5}, {-2, 22, 49, -5}, {-2, 20, 51, -5}, {-2, 17, 54, -5},
    {-2, 14, 56, -4}, {-1, 12, 57, -4}, {-1, 10, 59, -4}, {-1, 8, 61, -4},
    {0, 6, 61, -3},   {0, 4, 62, -2},   {0, 2, 64, -2},   {0, 1, 64, -1}};

/* A row between samples. */
INLINE void project_sharp(int16_t *row, const int16_t *from, uint32_t n, int32_t part)
{
    const int8_t *w = cubics[part];
    for (uint32_t x = 0; x < n; x++)
        row[x] = rugi_ifs_clip((w[0] * from[(ptrdiff_t)x - 1] + w[1] * from[x] +
                                w[2] * from[x + 1] + w[3] * from[x + 2] + 32) >>
                               6);
}

INLINE void project_n(int16_t *out, const int16_t *edge, uint32_t n, int slope,
                      int is_sharp)
{
    for (uint32_t y = 0; y < n; y++) {
        int32_t at = (int32_t)(y + 1) * slope;
        int32_t part = at & 31;
        const int16_t *from = edge + (at >> 5) + 1;
        int16_t *row = out + y * n;
        if (part == 0)
            for (uint32_t x = 0; x < n; x++)
                row[x] = from[x];
        else if (is_sharp)
            project_sharp(row, from, n, part);
        else
            for (uint32_t x = 0; x < n; x++)
                row[x] =
                    (int16_t)(((32 - part) * from[x] + part * from[x + 1] + 16) >> 5);
    }
}

static void project(int16_t *out, const int16_t *edge, uint32_t n, int slope,
                    int is_sharp)
{
#define CALL(n) project_n(out, edge, n, slope, is_sharp)
    FOR_SIDE(n, CALL);
#undef CALL
}

INLINE void planar_n(int16_t *out, const int16_t *corner, uint32_t n)
{
    int32_t right = corner[n + 1], below = corner[-(int32_t)n - 1];
    unsigned shift = 1 + 31u - (unsigned)__builtin_clz(n);
    for (uint32_t y = 0; y < n; y++) {
        int32_t left = corner[-(int32_t)y - 1];
        int32_t up = (int32_t)(n - 1 - y), down = (int32_t)(y + 1) * below + (int32_t)n;
        for (uint32_t x = 0; x < n; x++)
            out[y * n + x] =
                (int16_t)(((int32_t)(n - 1 - x) * left + (int32_t)(x + 1) * right +
                           up * corner[x + 1] + down) >>
                          shift);
    }
}

static void planar(int16_t *out, const int16_t *corner, uint32_t n)
{
#define CALL(n) planar_n(out, corner, n)
    FOR_SIDE(n, CALL);
#undef CALL
}

static void median(int16_t *out, const int16_t *corner, uint32_t n)
{
    for (uint32_t y = 0; y < n; y++) {
        int32_t left = corner[-(int32_t)y - 1];
        for (uint32_t x = 0; x < n; x++) {
            int32_t above = corner[x + 1], both = left + above - corner[0];
            int32_t low = left < above ? left : above, high = left < above ? above : left;
            out[y * n + x] = (int16_t)(both < low ? low : both > high ? high : both);
        }
    }
}

INLINE void pull_n(int16_t *out, const int16_t *corner, uint32_t n, const int16_t *left,
                   const int16_t *above, int is_straight)
{
    for (uint32_t y = 0; y < n; y++) {
        int32_t beside = corner[-(int32_t)y - 1], weight = above[y];
        for (uint32_t x = 0; x < n; x++) {
            int32_t value = out[y * n + x], change = is_straight ? corner[0] : value;
            int32_t sum =
                left[x] * (beside - change) + weight * (corner[x + 1] - change) + 32;
            out[y * n + x] = rugi_ifs_clip(value + (sum >> 6));
        }
    }
}

static void pull(int16_t *out, const int16_t *corner, uint32_t n, const int16_t *left,
                 const int16_t *above, int is_straight)
{
#define CALL(n) pull_n(out, corner, n, left, above, is_straight)
    FOR_SIDE(n, CALL);
#undef CALL
}

/* ---- Copies ---- */

/* Sums of 2 x 2 samples are copied: k / 8 of a mean is k / 32 of a sum. */
#define COPY_SHIFT 5

/* @return their sum */
INLINE int64_t read_source(int32_t *out, const rugi_ifs_source *s, uint32_t n)
{
    int64_t total = 0;
    for (uint32_t y = 0; y < n; y++) {
        const int16_t *a = s->from + 2 * y * s->pitch, *b = a + s->pitch;
        int32_t *row = out + y * n, sum = 0;
        for (uint32_t x = 0; x < n; x++)
            row[x] = a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1];
        for (uint32_t x = 0; x < n; x++)
            sum += row[x];
        total += sum;
    }
    return total;
}

static int32_t mean_of(int64_t sum, uint32_t n)
{
    unsigned shift = 2 * (31u - (unsigned)__builtin_clz(n));
    return (int32_t)((sum + ((int64_t)1 << shift >> 1)) >> shift);
}

static int16_t copied(int32_t value, int32_t middle, int32_t mean, int32_t k)
{
    return rugi_ifs_clip(
        mean + ((k * (value - middle) + (1 << (COPY_SHIFT - 1))) >> COPY_SHIFT));
}

/* Of patches that are larger than coded: too large to be kept. */
static void copy_large(int16_t *out, const rugi_ifs_source *s, uint32_t n, int32_t mean,
                       int32_t k, unsigned symmetry)
{
    int64_t sum = 0;
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++)
            sum += rugi_ifs_source_at(s, y, x);
    int32_t middle = mean_of(sum, n);
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++) {
            size_t at = rugi_ifs_isometry_place(symmetry, n, y, x);
            out[(size_t)y * n + x] =
                copied(rugi_ifs_source_at(s, at / n, at % n), middle, mean, k);
        }
}

INLINE void copy_n(int16_t *out, const rugi_ifs_source *s, uint32_t n, int32_t mean,
                   int32_t k, unsigned symmetry)
{
    int32_t block[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK];
    int32_t middle = mean_of(read_source(block, s, n), n);
    rugi_ifs_isometry walk = rugi_ifs_isometry_of(symmetry, n, n);
    for (uint32_t y = 0; y < n; y++) {
        const int32_t *from = block + walk.start + (ptrdiff_t)y * walk.row;
        int16_t *row = out + y * n;
        if (walk.column == 1)
            for (uint32_t x = 0; x < n; x++)
                row[x] = copied(from[x], middle, mean, k);
        else
            for (uint32_t x = 0; x < n; x++)
                row[x] = copied(from[(ptrdiff_t)x * walk.column], middle, mean, k);
    }
}

static void copy(int16_t *out, const rugi_ifs_source *s, uint32_t n, int32_t mean,
                 int32_t k, unsigned symmetry)
{
    switch (n) {
    case 4: copy_n(out, s, 4, mean, k, symmetry); break;
    case 8: copy_n(out, s, 8, mean, k, symmetry); break;
    case 16: copy_n(out, s, 16, mean, k, symmetry); break;
    case 32: copy_n(out, s, 32, mean, k, symmetry); break;
    default: copy_large(out, s, n, mean, k, symmetry); break;
    }
}

INLINE void follow_n(int16_t *restrict out, const rugi_ifs_source *s, uint32_t n,
                     rugi_ifs_line line)
{
    const int32_t half = 1 << (line.shift - 1);
    for (uint32_t y = 0; y < n; y++) {
        const int16_t *a = s->from + (size_t)y * (1 + s->halved) * s->pitch;
        const int16_t *b = a + s->pitch;
        int16_t *row = out + (size_t)y * n;
        for (uint32_t x = 0; x < n; x++) {
            int32_t value =
                s->halved ? a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1] : a[x];
            int32_t rest = line.slope * (value - line.middle);
            row[x] = rugi_ifs_clip(line.mean + ((rest + half) >> line.shift));
        }
    }
}

static void follow(int16_t *out, const rugi_ifs_source *s, uint32_t n,
                   const rugi_ifs_line *line)
{
#define CALL(n) follow_n(out, s, n, *line)
    FOR_SIDE(n, CALL);
#undef CALL
}

/* ---- Residuals ---- */

/* Coefficients that are not 0, in 1/4 of their share of a sample. */
typedef struct coefs {
    uint32_t n;
    int32_t values[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK];
    uint8_t y[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK], x[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK];
} coefs;

#define LIMIT (1 << 18)

static void dequantise(coefs *c, const rugi_ifs_rest *rest)
{
    const unsigned log2_side = 31u - (unsigned)__builtin_clz(rest->side);
    c->n = 0;
    for (uint32_t i = 0; i < rest->n_places; i++) {
        uint32_t at = rest->places[i];
        int32_t q = rest->coefs[at];
        if (q == 0)
            continue;
        int64_t value = rugi_ifs_shift((int64_t)q * rest->delta, rest->shift);
        c->values[c->n] = (int32_t)(value < -LIMIT  ? -LIMIT
                                    : value > LIMIT ? LIMIT
                                                    : value);
        c->y[c->n] = (uint8_t)(at >> log2_side);
        c->x[c->n++] = (uint8_t)(at & (rest->side - 1));
    }
}

/* Columns of the inverse transform, some vectors of them at once. Compilers do not keep sums of plain
 * loops in registers here. Products and their sums are modulo 2^32: those of a picture never come
 * near it. */
#define LANES   8
#define VECTORS 4
typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t signed_lanes __attribute__((vector_size(4 * LANES)));
typedef int16_t short_lanes __attribute__((vector_size(2 * LANES)));

/* @param width  numbers in a vector, LANES or fewer */
INLINE void load(lanes *out, const int16_t *from, uint32_t width)
{
    short_lanes in = {0};
    memcpy(&in, from, width * sizeof *from);
    *out = (lanes) __builtin_convertvector(in, signed_lanes);
}

/* The sum of a prediction and a residual. */
INLINE void put(int16_t *out, const int16_t *prediction, const lanes *sum, uint32_t width)
{
    lanes loaded;
    load(&loaded, prediction, width);
    signed_lanes value = (signed_lanes)loaded + ((signed_lanes)*sum >> 14);
    signed_lanes most = value - value + RUGI_IFS_SAMPLE_MOST,
                 least = value - value + RUGI_IFS_SAMPLE_LEAST;
    signed_lanes is_more = value > most, is_less = value < least;
    value = (is_more & most) | (is_less & least) | (~(is_more | is_less) & value);
    short_lanes samples = __builtin_convertvector(value, short_lanes);
    memcpy(out, &samples, width * sizeof *out);
}

/* Some columns of a patch whose rows of coefficients are transformed: those that are not all 0. Rows
 * [0] are added to a row of samples and to its mirror image, rows [1] to it and taken from that;
 * without symmetry all are in [0]. */
typedef struct halfway {
    lanes t[RUGI_IFS_BLOCK][VECTORS];
    uint8_t rows[2][RUGI_IFS_BLOCK];
    uint32_t n_rows[2];
} halfway;

INLINE void transform_rows(halfway *h, const coefs *c, const rugi_ifs_rest *rest,
                           uint32_t from, uint32_t vectors, uint32_t width)
{
    uint32_t begun = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const int16_t *function = rest->basis + (size_t)c->x[i] * rest->n + from;
        lanes *t = h->t[c->y[i]], loaded;
        for (uint32_t k = 0; k < vectors && !(begun >> c->y[i] & 1); k++)
            t[k] = (lanes){0} + (1u << 11);
        begun |= 1u << c->y[i];
        for (uint32_t k = 0; k < vectors; k++) {
            load(&loaded, function + k * LANES, width);
            t[k] += loaded * (uint32_t)c->values[i];
        }
    }
    h->n_rows[0] = h->n_rows[1] = 0;
    for (; begun != 0; begun &= begun - 1) {
        uint32_t y = (uint32_t)__builtin_ctz(begun);
        unsigned half = rest->is_symmetric ? y & 1 : 0;
        h->rows[half][h->n_rows[half]++] = (uint8_t)y;
        for (uint32_t k = 0; k < vectors; k++)
            h->t[y][k] = (lanes)((signed_lanes)h->t[y][k] >> 12);
    }
}

INLINE void sum_rows(lanes *sum, const halfway *h, unsigned half,
                     const rugi_ifs_rest *rest, uint32_t j, uint32_t vectors)
{
    for (uint32_t r = 0; r < h->n_rows[half]; r++) {
        uint32_t y = h->rows[half][r];
        uint32_t weight = (uint32_t)rest->basis[(size_t)y * rest->n + j];
        for (uint32_t k = 0; k < vectors; k++)
            sum[k] += h->t[y][k] * weight;
    }
}

INLINE void transform(int16_t *out, size_t pitch, const int16_t *prediction,
                      const coefs *c, const rugi_ifs_rest *rest, uint32_t from,
                      uint32_t vectors, uint32_t width)
{
    halfway h;
    uint32_t n = rest->n;
    transform_rows(&h, c, rest, from, vectors, width);
    for (uint32_t j = 0; j < (rest->is_symmetric ? n / 2 : n); j++) {
        lanes same[VECTORS], other[VECTORS];
        for (uint32_t k = 0; k < vectors; k++) {
            same[k] = (lanes){0} + (1u << 13);
            other[k] = (lanes){0};
        }
        sum_rows(same, &h, 0, rest, j, vectors);
        sum_rows(other, &h, 1, rest, j, vectors);
        for (uint32_t k = 0; k < vectors; k++) {
            size_t at = from + k * LANES, mirror = n - 1 - j;
            lanes sum = same[k] + other[k];
            put(out + j * pitch + at, prediction + (size_t)j * n + at, &sum, width);
            if (rest->is_symmetric) {
                sum = same[k] - other[k];
                put(out + mirror * pitch + at, prediction + mirror * n + at, &sum, width);
            }
        }
    }
}

/* The first function of cosines is 1. */
static void add_mean(int16_t *out, size_t pitch, const int16_t *prediction, uint32_t n,
                     int32_t value)
{
    int32_t change = (4096 * value + (1 << 13)) >> 14;
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++)
            out[y * pitch + x] = rugi_ifs_clip(prediction[y * n + x] + change);
}

static void add(int16_t *out, size_t pitch, const int16_t *prediction,
                const rugi_ifs_rest *rest)
{
    coefs c;
    dequantise(&c, rest);
    if (c.n == 1 && c.y[0] == 0 && c.x[0] == 0 && rest->is_symmetric)
        add_mean(out, pitch, prediction, rest->n, c.values[0]);
    else if (rest->n == 4)
        transform(out, pitch, prediction, &c, rest, 0, 1, 4);
    else if (rest->n == 8)
        transform(out, pitch, prediction, &c, rest, 0, 1, LANES);
    else if (rest->n == 16)
        transform(out, pitch, prediction, &c, rest, 0, 2, LANES);
    else
        for (uint32_t from = 0; from < rest->n; from += VECTORS * LANES)
            transform(out, pitch, prediction, &c, rest, from, VECTORS, LANES);
}

/* ---- Pixels ---- */

INLINE void pixels_of(int32_t *samples, size_t n, const rugi_ifs_levels *l)
{
    int32_t *planes[3] = {samples, samples + n, samples + 2 * n};
    for (size_t x = 0; x < n && !l->is_colour; x++) {
        int32_t value = rugi_ifs_value_of(samples[x], l->depth) + l->minimum;
        samples[x] = value > l->most ? l->most : value;
    }
    for (size_t x = 0; x < n && l->is_colour; x++) {
        int32_t c[3] = {planes[0][x], planes[1][x], planes[2][x]};
        rugi_ifs_colour_of_samples(c, l->depth);
        for (int i = 0; i < 3; i++) {
            int32_t value = c[i] + l->minimum;
            planes[i][x] = value > l->most ? l->most : value;
        }
    }
}

/* Depths are known to the compiler where they are usual. */
static void pixels(int32_t *samples, size_t n, const rugi_ifs_levels *levels)
{
    rugi_ifs_levels l = *levels;
    if (l.depth == 8) {
        l.depth = 8;
        pixels_of(samples, n, &l);
    } else
        pixels_of(samples, n, &l);
}

static void narrow(uint8_t *restrict out, const int32_t *restrict in, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)in[i];
}

void RUGI_AT_LEVEL(rugi_ifs_set_patch_kernels)(rugi_ifs_patch_kernels *kernels)
{
    *kernels = (rugi_ifs_patch_kernels){project, planar, median, pull,  copy,
                                        follow,  add,    pixels, narrow};
}
