/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Predictions and residuals of patches against the formulas of FORMAT.md, at the coded size and larger
 * ones, on every CPU level. */

#include "support.h"

#include "patches_support.h"
#include <math.h>

#define ROOTS 3
#define SIDE  (32 * ROOTS)
#define MOST  (SIDE * 4) /* of two octaves */

static int16_t samples[MOST * MOST], luma[4 * MOST * MOST];
static int order[SIDE / 4][SIDE / 4]; /* of decoding, of squares */

static void number_block(int x, int y, int side, int *next)
{
    if (side == 4) {
        order[y / 4][x / 4] = (*next)++;
        return;
    }
    for (int i = 0; i < 4; i++)
        number_block(x + i % 2 * side / 2, y + i / 2 * side / 2, side / 2, next);
}

/* A patch with all that its formulas speak of. */
typedef struct scene {
    rugi_ifs_patch_plane plane;
    rugi_ifs_patch patch;
    int octave, u, n, side;
    int x, y; /* of its first sample at the octave */
    uint64_t rng;
} scene;

static int at(const scene *s, int y, int x)
{
    return s->plane.samples[(size_t)(s->y + y) * s->plane.pitch + (size_t)(s->x + x)];
}

/* Whether the square at a place relative to the patch, as coded, lies in the plane and was before. */
static int is_there(const scene *s, int dy, int dx)
{
    int y = (int)s->patch.y + dy, x = (int)s->patch.x + dx;
    return x >= 0 && y >= 0 && x < SIDE && y < SIDE &&
           order[y / 4][x / 4] < order[s->patch.y / 4][s->patch.x / 4];
}

static int edge_left(const scene *s, int i);

static int edge_above(const scene *s, int i)
{
    if (s->y == 0)
        return s->x == 0 ? 0 : edge_left(s, 0);
    if (i >= s->n && !is_there(s, -1, s->side))
        i = s->n - 1;
    return at(s, -1, i);
}

static int edge_left(const scene *s, int i)
{
    if (s->x == 0)
        return s->y == 0 ? 0 : edge_above(s, 0);
    if (i >= s->n && !is_there(s, s->side, -1))
        i = s->n - 1;
    return at(s, i, -1);
}

/* E(i), i = -2 N .. 2 N. */
static int edge(const scene *s, int i)
{
    if (i > 0)
        return edge_above(s, i - 1);
    if (i < 0)
        return edge_left(s, -i - 1);
    return s->x > 0 && s->y > 0 ? at(s, -1, -1)
           : s->x > 0           ? edge_left(s, 0)
           : s->y > 0           ? edge_above(s, 0)
                                : 0;
}

static int smooth(const scene *s, int i)
{
    int least = i - s->u < -2 * s->n ? -2 * s->n : i - s->u;
    int most = i + s->u > 2 * s->n ? 2 * s->n : i + s->u;
    return (int)floor((edge(s, least) + 2 * edge(s, i) + edge(s, most) + 2) / 4.0);
}

static int mean_of_edges(const scene *s)
{
    int sum = 0;
    for (int i = 0; i < s->n; i++)
        sum += edge_above(s, i) + edge_left(s, i);
    return (int)floor((sum + s->n) / (2.0 * s->n));
}

static int limited(double v)
{
    return (int)fmin(16383, fmax(-16384, v));
}

/* ---- Predictions ---- */

/* The share of 64 of an edge in a sample so far behind it. */
static int weight(const scene *s, int distance)
{
    int halves = (int)floor(distance / s->u * 2.0 /
                            (s->side == 32  ? 4
                             : s->side == 4 ? 1
                                            : 2));
    return halves < 6 ? 32 >> halves : 0;
}

static int drawn(const scene *s, int value, int y, int x, int from_left, int from_above)
{
    int by = from_left && from_above ? value : edge(s, 0);
    double sum = from_left ? (double)weight(s, x) * (edge_left(s, y) - by) : 0;
    sum += from_above ? (double)weight(s, y) * (edge_above(s, x) - by) : 0;
    return limited(value + floor((sum + 32) / 64));
}

static int planar_at(const scene *s, int y, int x)
{
    int n = s->n, e[4];
    const int places[4] = {-y - 1, n + 1, x + 1, -n - 1};
    for (int i = 0; i < 4; i++)
        e[i] = s->side == 4 ? edge(s, places[i]) : smooth(s, places[i]);
    double sum = (n - 1.0 - x) * e[0] + (x + 1.0) * e[1] + (n - 1.0 - y) * e[2] +
                 (y + 1.0) * e[3] + n;
    return (int)floor(sum / (2.0 * n));
}

static int median_at(const scene *s, int y, int x)
{
    int a = edge_left(s, y), b = edge_above(s, x), c = a + b - edge(s, 0);
    int low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

static const int slopes[] = {26,  21,  17,  13,  9,   5,   2,   0,   -2,  -5, -9,
                             -13, -17, -21, -26, -32, -26, -21, -17, -13, -9, -5,
                             -2,  0,   2,   5,   9,   13,  17,  21,  26,  32};

static int takes_smooth(const scene *s)
{
    int a = s->patch.angle, left = abs(a - 7), up = abs(a - 23),
        near = left < up ? left : up;
    return s->side != 4 && near > (s->side == 32 ? 0 : s->side == 16 ? 1 : 7);
}

/* D(i) of a direction; beyond its ends they go on. */
static int line(const scene *s, int i)
{
    int w = s->patch.angle < 15 ? -1 : 1, slope = slopes[s->patch.angle];
    int least = slope < 0 ? -(-s->n * slope / 32) : -1;
    i = i > 2 * s->n ? 2 * s->n : i < least ? least : i;
    if (i < 0 && slope < 0)
        i = -(int)floor((-i * floor((8192 + floor(-slope / 2.0)) / -slope) + 128) / 256);
    return takes_smooth(s) ? smooth(s, w * i) : edge(s, w * i);
}

/* Weights of cubics in 1/64 for places 0 .. 16 of 32; behind them they are mirrored. */
static const int cubics[17][4] = {{0, 64, 0, 0},    {-1, 64, 1, 0},   {-2, 64, 2, 0},
                                  {-2, 62, 4, 0},   {-3, 61, 6, 0},   {-4, 61, 8, -1},
                                  {-4, 59, 10, -1}, {-4, 57, 12, -1}, {-4, 56, 14, -2},
                                  {-5, 54, 17, -2}, {-5, 51, 20, -2}, {-5, 49, 22, -2},
                                  {-5, 47, 25, -3}, {-5, 44, 28, -3}, {-4, 41, 30, -3},
                                  {-4, 39, 33, -4}, {-4, 36, 36, -4}};

static int cubic(const scene *s, int i, int f)
{
    double sum = 32;
    for (int k = 0; k < 4; k++)
        sum +=
            (f <= 16 ? cubics[f][k] : cubics[32 - f][3 - k]) * (double)line(s, i - 1 + k);
    return limited(floor(sum / 64));
}

static int angle_at(const scene *s, int y, int x)
{
    int slope = slopes[s->patch.angle];
    if (s->patch.angle < 15) {
        int swap = x;
        x = y;
        y = swap;
    }
    int j = (y + 1) * slope, b = (int)floor(j / 32.0) + 1, f = j - 32 * (b - 1);
    if (f == 0)
        return line(s, b + x);
    if (!takes_smooth(s))
        return cubic(s, b + x, f);
    return (int)floor(((32 - f) * line(s, b + x) + f * line(s, b + x + 1) + 16) / 32.0);
}

/* A domain under an isometry. */
static int domain_at(const scene *s, int y, int x)
{
    int n = s->n, m = n - 1, sum = 0;
    const int places[8][2] = {{y, x},     {x, m - y}, {m - y, m - x}, {m - x, y},
                              {y, m - x}, {m - y, x}, {x, y},         {m - x, m - y}};
    const int *place = places[s->patch.symmetry];
    int y0 = (int)s->patch.domain_y * s->u + 2 * place[0];
    int x0 = (int)s->patch.domain_x * s->u + 2 * place[1];
    for (int i = 0; i < 4; i++)
        sum += s->plane
                   .samples[(size_t)(y0 + i / 2) * s->plane.pitch + (size_t)(x0 + i % 2)];
    return sum;
}

/* Luma beside (y, x) of the patch: a sample, or the sum of 2 x 2. */
static int luma_at(const scene *s, int y, int x)
{
    const rugi_ifs_patch_plane *p = &s->plane;
    int by = p->frame.halved ? 2 : 1, sum = 0;
    for (int i = 0; i < by * by; i++)
        sum += p->luma[(size_t)(by * (s->y + y) + i / by) * p->luma_pitch +
                       (size_t)(by * (s->x + x) + i % by)];
    return sum;
}

/* a / b to the nearest, halves up. */
static int64_t nearest(int64_t a, int64_t b)
{
    int64_t twice = 2 * a + b, quotient = twice / (2 * b);
    return quotient - (twice % (2 * b) < 0);
}

/* What a copy is made of: value(y, x) and the mean that it is about, what the result is about, and the
 * scale as a whole number of 1 / by. */
typedef struct copy {
    int64_t middle, mean, scale, by;
} copy;

static copy copy_of_domain(const scene *s)
{
    int64_t sum = 0;
    for (int i = 0; i < s->n * s->n; i++)
        sum += domain_at(s, i / s->n, i % s->n);
    return (copy){nearest(sum, (int64_t)s->n * s->n), mean_of_edges(s), s->patch.k, 32};
}

static copy copy_of_luma(const scene *s)
{
    int64_t n = 0, c = 0, l = 0, both = 0, square = 0, whole = 0;
    int64_t unit = s->plane.frame.halved ? 4 : 1;
    for (int i = 0; i < 2 * s->n; i++) {
        int is_left = i < s->n, k = i % s->n;
        if (is_left ? s->x == 0 : s->y == 0)
            continue;
        int64_t a = is_left ? edge_left(s, k) : edge_above(s, k);
        int64_t b = is_left ? luma_at(s, k, -1) : luma_at(s, -1, k);
        n++;
        c += a;
        l += b;
        both += a * b;
        square += b * b;
    }
    int64_t below = n * (square + n * 4096 * unit * unit) - l * l;
    int64_t fit = n > 0 ? nearest((n * both - c * l) * 256 * unit, below) : 0;
    fit = fit < -512 ? -512 : fit > 512 ? 512 : fit;
    for (int i = 0; i < s->n * s->n && n == 0; i++)
        whole += luma_at(s, i / s->n, i % s->n);
    return (copy){n > 0 ? nearest(l, n) : nearest(whole, (int64_t)s->n * s->n),
                  n > 0 ? nearest(c, n) : mean_of_edges(s),
                  s->patch.k == 0 ? fit : 32 * s->patch.k, 256 * unit};
}

static int copy_at(const scene *s, int y, int x)
{
    static copy c;
    int is_luma = s->patch.kind == RUGI_IFS_LUMA;
    if (y == 0 && x == 0)
        c = is_luma ? copy_of_luma(s) : copy_of_domain(s);
    int64_t value = is_luma ? luma_at(s, y, x) : domain_at(s, y, x);
    return limited((double)(c.mean + nearest(c.scale * (value - c.middle), c.by)));
}

static int prediction_at(const scene *s, int y, int x)
{
    switch (s->patch.kind) {
    case RUGI_IFS_PLANAR: return drawn(s, planar_at(s, y, x), y, x, 1, 1);
    case RUGI_IFS_MEDIAN: return median_at(s, y, x);
    case RUGI_IFS_ANGLE:
        if (s->patch.angle == 7 || s->patch.angle == 23)
            return drawn(s, angle_at(s, y, x), y, x, s->patch.angle == 23,
                         s->patch.angle == 7);
        return angle_at(s, y, x);
    case RUGI_IFS_DOMAIN:
    case RUGI_IFS_LUMA: return copy_at(s, y, x);
    default: return drawn(s, mean_of_edges(s), y, x, 1, 1);
    }
}

/* ---- Residuals ---- */

static int32_t function_at(const scene *s, int k, int i)
{
    double p = (i + 0.5) / s->u, b = s->side, pi = acos(-1), value;
    int has_sines =
        b < 32 && s->patch.kind >= RUGI_IFS_PLANAR && s->patch.kind <= RUGI_IFS_ANGLE;
    if (has_sines)
        value =
            sqrt(4 * b / (2 * b + 1)) * sin(pi * (2 * k + 1) * (p + 0.5) / (2 * b + 1));
    else
        value = k == 0 ? 1 : sqrt(2) * cos(pi * k * p / b);
    return (int32_t)floor(4096 * value + 0.5);
}

static int32_t coefficient(const scene *s, int y, int x, uint32_t delta)
{
    int log2 = 5 - s->patch.level, by = 15 - (int)s->plane.frame.depth - 3 - log2;
    double q = s->patch.coefs[y * s->side + x];
    double c = by >= 0 ? ldexp(q * delta, by) : floor(ldexp(q * delta, by) + 0.5);
    return (int32_t)fmin(1 << 18, fmax(-(1 << 18), c));
}

/* The residual [n][n] of a patch. Sums are modulo 2^32. */
static void make_residual(const scene *s, uint32_t delta, int *out)
{
    static int32_t basis[32][128], rows[32][128];
    for (int k = 0; k < s->side; k++)
        for (int i = 0; i < s->n; i++)
            basis[k][i] = function_at(s, k, i);
    for (int y = 0; y < s->side; y++)
        for (int i = 0; i < s->n; i++) {
            uint32_t t = 1u << 11;
            for (int x = 0; x < s->side; x++)
                t += (uint32_t)coefficient(s, y, x, delta) * (uint32_t)basis[x][i];
            rows[y][i] = (int32_t)floor((int32_t)t / 4096.0);
        }
    for (int at = 0; at < s->n * s->n; at++) {
        uint32_t sum = 1u << 13;
        for (int y = 0; y < s->side; y++)
            sum += (uint32_t)rows[y][at % s->n] * (uint32_t)basis[y][at / s->n];
        out[at] = (int)floor((int32_t)sum / 16384.0);
    }
}

/* ---- Scenes ---- */

static void fill(int16_t *out, size_t n, uint64_t *rng)
{
    int way = (int)test_below(rng, 3);
    for (size_t i = 0; i < n; i++)
        out[i] = (int16_t)(way == 0   ? (int)test_below(rng, 32768) - 16384
                           : way == 1 ? (test_below(rng, 2) ? 16383 : -16384)
                                      : (int)(i % 300) * 20 - 3000);
}

static void choose_domain(scene *s)
{
    rugi_ifs_patch *c = &s->patch;
    for (int i = 0; i < 100; i++) {
        int x = (int)test_below(&s->rng, SIDE / 2) * 2,
            y = (int)test_below(&s->rng, SIDE / 2) * 2;
        int last_x = x + 2 * s->side - 1, last_y = y + 2 * s->side - 1;
        int fits = last_x < SIDE && last_y < SIDE &&
                   is_there(s, last_y - (int)c->y, last_x - (int)c->x);
        assert_int_equal(fits, rugi_ifs_is_decoded(&s->plane.frame, c, x, y));
        c->domain_x = (uint32_t)x;
        c->domain_y = (uint32_t)y;
        if (fits)
            return;
    }
    c->kind = RUGI_IFS_FLAT_KIND;
}

static void choose_patch(scene *s, int32_t *coefs)
{
    rugi_ifs_patch *c = &s->patch;
    unsigned level = (unsigned)test_below(&s->rng, 4);
    s->side = 32 >> level;
    s->n = s->side * s->u;
    *c = (rugi_ifs_patch){.level = (uint8_t)level, .coefs = coefs};
    c->x = (uint32_t)test_below(&s->rng, (uint64_t)(SIDE / s->side)) * (uint32_t)s->side;
    c->y = (uint32_t)test_below(&s->rng, (uint64_t)(SIDE / s->side)) * (uint32_t)s->side;
    s->x = (int)c->x * s->u;
    s->y = (int)c->y * s->u;
    c->kind = (uint8_t)test_below(&s->rng, s->plane.luma != NULL ? 6 : 5);
    c->angle = (uint8_t)test_below(&s->rng, 32);
    c->symmetry = (uint8_t)test_below(&s->rng, 8);
    c->k = (int8_t)(1 + test_below(&s->rng, 8));
    if (test_below(&s->rng, 2))
        c->k = (int8_t)-c->k;
    if (c->kind == RUGI_IFS_LUMA && test_below(&s->rng, 2))
        c->k = 0;
    if (c->kind == RUGI_IFS_DOMAIN)
        choose_domain(s);
    int32_t most = test_below(&s->rng, 8) == 0 ? 1 << 27 : 30;
    memset(coefs, 0, sizeof(int32_t) * RUGI_IFS_PIXELS);
    c->n_coefs = (uint16_t)test_below(
        &s->rng, 1 + test_below(&s->rng, (uint64_t)(s->side * s->side)));
    for (unsigned i = 0; i < c->n_coefs; i++)
        if (i + 1 == c->n_coefs || test_below(&s->rng, 8) == 0)
            coefs[rugi_ifs_zigzag(level)[i]] =
                i + 1 == c->n_coefs
                    ? most
                    : (int32_t)test_below(&s->rng, 2 * (uint64_t)most + 1) - most;
}

static scene scene_of(uint64_t seed, int octave)
{
    static const unsigned depths[] = {8, 9, 1, 12, 17, 16};
    scene s = {.octave = octave, .u = 1 << octave, .rng = seed};
    rugi_ifs_patch_plane *p = &s.plane;
    p->frame = (rugi_ifs_patch_frame){.nx = SIDE, .ny = SIDE, .delta = 1};
    p->frame.depth = depths[test_below(&s.rng, 6)];
    p->samples = samples;
    p->pitch = MOST;
    fill(samples, (size_t)MOST * MOST, &s.rng);
    if (seed % 2 == 0) {
        p->frame.has_luma = 1;
        p->frame.halved = (unsigned)test_below(&s.rng, 2);
        p->luma = luma;
        p->luma_pitch = 2 * MOST;
        fill(luma, sizeof luma / sizeof luma[0], &s.rng);
    }
    return s;
}

/* What the library makes of a patch, twice: predicted, and put into the plane. */
static void check(const scene *s, rug_context *ctx, uint32_t delta, const int *expected)
{
    static rugi_ifs_edges edges;
    static int16_t prediction[128 * 128], scratch[128 * 128], kept[MOST * MOST];
    rugi_ifs_patch_tools tools;
    memcpy(kept, samples, sizeof kept);
    assert_int_equal(rugi_ifs_patch_tools_new(ctx, &tools, (unsigned)s->octave), RUG_OK);
    rugi_ifs_read_edges(&edges, &s->plane, (unsigned)s->octave, s->patch.x, s->patch.y,
                        s->patch.level);
    rugi_ifs_predict(prediction, scratch, &tools, &s->plane, &edges, &s->patch);
    rugi_ifs_finish_patch(&tools, &s->plane, &s->patch, prediction, delta);
    for (int i = 0; i < s->n * s->n; i++) {
        int got = at(s, i / s->n, i % s->n);
        if (prediction[i] != expected[2 * i] || got != expected[2 * i + 1])
            fail_msg("kind %d, level %d, octave %d, %d: %d, %d expected; %d, %d expected",
                     s->patch.kind, s->patch.level, s->octave, i, prediction[i],
                     expected[2 * i], got, expected[2 * i + 1]);
    }
    rugi_ifs_patch_tools_free(ctx, &tools);
    memcpy(samples, kept, sizeof kept);
}

static void formulas(void **state)
{
    (void)state;
    static int expected[2 * 128 * 128], residual[128 * 128];
    static int32_t coefs[RUGI_IFS_PIXELS];
    rug_context *ctx = test_context();
    rug_cpu_level most = rug_context_cpu_level(ctx);
    int next = 0;
    for (int i = 0; i < ROOTS * ROOTS; i++)
        number_block(i % ROOTS * 32, i / ROOTS * 32, 32, &next);
    for (uint64_t seed = 1; seed <= (uint64_t)TEST_CASES(400); seed++) {
        scene s = scene_of(seed, (int)(seed % 8 < 5 ? 0 : seed % 8 < 7 ? 1 : 2));
        choose_patch(&s, coefs);
        uint32_t delta =
            1 + (uint32_t)test_below(&s.rng, 1 + test_below(&s.rng, 1u << 20));
        make_residual(&s, delta, residual);
        for (int i = 0; i < s.n * s.n; i++) {
            int p = prediction_at(&s, i / s.n, i % s.n);
            expected[2 * i] = p;
            expected[2 * i + 1] = s.patch.n_coefs > 0 ? limited(p + residual[i]) : p;
        }
        for (rug_cpu_level level = RUG_CPU_REF; level <= most; level++) {
            assert_int_equal(rug_context_set_cpu_level(ctx, level), RUG_OK);
            check(&s, ctx, delta, expected);
        }
    }
    rug_context_free(ctx);
}

/* Δ' of FORMAT.md: a sixth of an octave each. */
static void steps_of_roots(void **state)
{
    (void)state;
    static const uint32_t deltas[] = {1, 7, 160, 416, 1u << 20};
    for (int i = 0; i < 5; i++)
        for (int offset = -18; offset <= 18; offset++) {
            double expected = deltas[i] * pow(2, offset / 6.0);
            double got = rugi_ifs_root_delta(deltas[i], offset);
            assert_true(got >= 1 &&
                        fabs(got - fmax(1, expected)) <= 0.501 + expected * 2e-4);
        }
    assert_int_equal(rugi_ifs_root_delta(77, 0), 77);
    assert_int_equal(rugi_ifs_root_delta(160, 6), 320);
    assert_int_equal(rugi_ifs_root_delta(160, -12), 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas),
        cmocka_unit_test(steps_of_roots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
