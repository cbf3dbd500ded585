/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Predictions of patches: planar and angular ones as in HEVC (Lainema et al. 2012), the median
 * as in LOCO-I, copies of larger blocks (Jacquin 1992), and chroma from luma (Trudeau et al.
 * 2018). Residuals by cosines, or by the sines that suit what edges predict (Han et al. 2012). */

#include "ifs_patch_predict.h"
#include "core/context/context_internal.h"
#include "ifs/stream/ifs_pixel.h"
#include <string.h>

/* ---- The functions of the transforms ---- */

/* sin(pi x / 2) for x in 0..1, in arithmetic that no library's rounding changes. */
static double quarter_sine(double x)
{
    double angle = x * 1.5707963267948966, square = angle * angle, term = angle,
           sum = angle;
    for (int i = 2; i < 24; i += 2) {
        term = -term * square / (i * (i + 1));
        sum += term;
    }
    return sum;
}

/* sin(pi x / 2), x >= 0. */
static double sine_of(double x)
{
    double whole = (double)(int64_t)(x / 4) * 4, rest = x - whole;
    if (rest >= 2)
        return -sine_of(rest - 2);
    return quarter_sine(rest > 1 ? 2 - rest : rest);
}

double rugi_ifs_cosine(unsigned side, unsigned k, double place)
{
    return k == 0 ? 1 : 1.4142135623730951 * sine_of(1 + 2 * k * place / side);
}

double rugi_ifs_sine(unsigned side, unsigned k, double place)
{
    /* sqrt(4 side / (2 side + 1)) for the sides that have sines */
    double norm = side == 4   ? 1.3333333333333333
                  : side == 8 ? 1.3719886811400708
                              : 1.3926212476455828;
    return norm * sine_of(2 * (2 * k + 1) * (place + 0.5) / (2 * side + 1));
}

static int16_t *make_functions(rug_context *ctx, unsigned side, unsigned octave,
                               double (*function)(unsigned, unsigned, double))
{
    size_t n = (size_t)side << octave;
    int16_t *out =
        rug_context_allocate(ctx, side * n, sizeof *out, "functions of transforms");
    for (unsigned k = 0; k < side && out != NULL; k++)
        for (size_t i = 0; i < n; i++) {
            double value =
                4096 * function(side, k, ((double)i + 0.5) / (double)(1u << octave));
            out[k * n + i] = (int16_t)(value < 0 ? value - 0.5 : value + 0.5);
        }
    return out;
}

rug_status rugi_ifs_patch_tools_new(rug_context *ctx, rugi_ifs_patch_tools *tools,
                                    unsigned octave)
{
    memset(tools, 0, sizeof *tools);
    tools->octave = octave;
    rugi_ifs_set_patch_kernels(&tools->kernels, rug_context_cpu_level(ctx));
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++) {
        unsigned side = rugi_ifs_side(level);
        tools->cosines[level] = make_functions(ctx, side, octave, rugi_ifs_cosine);
        if (tools->cosines[level] == NULL)
            return RUG_E_NOMEM;
        if (!rugi_ifs_has_sines(RUGI_IFS_ANGLE, level))
            continue;
        tools->sines[level] = make_functions(ctx, side, octave, rugi_ifs_sine);
        if (tools->sines[level] == NULL)
            return RUG_E_NOMEM;
    }
    return RUG_OK;
}

void rugi_ifs_patch_tools_free(rug_context *ctx, rugi_ifs_patch_tools *tools)
{
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++) {
        rug_context_release(ctx, tools->cosines[level]);
        rug_context_release(ctx, tools->sines[level]);
    }
    memset(tools, 0, sizeof *tools);
}

/* ---- Edges ---- */

/* What is missing of an edge goes on as its last sample. */
static void read_above(int16_t *corner, const int16_t *here, size_t pitch, size_t n,
                       int has_more)
{
    const int16_t *from = here - pitch;
    memcpy(corner + 1, from, (has_more ? 2 * n : n) * sizeof *from);
    for (size_t i = n; !has_more && i < 2 * n; i++)
        corner[i + 1] = from[n - 1];
}

static void read_left(int16_t *corner, const int16_t *here, size_t pitch, size_t n,
                      int has_more)
{
    const int16_t *from = here - 1;
    for (size_t i = 0; i < (has_more ? 2 * n : n); i++, from += pitch)
        corner[-(ptrdiff_t)i - 1] = *from;
    for (size_t i = n; !has_more && i < 2 * n; i++)
        corner[-(ptrdiff_t)i - 1] = corner[-(ptrdiff_t)n];
}

static void fill(int16_t *out, size_t n, int16_t value)
{
    for (size_t i = 0; i < n; i++)
        out[i] = value;
}

static inline int16_t mean_of_three(const int16_t *s, size_t before, size_t here,
                                    size_t behind)
{
    return (int16_t)((s[before] + 2 * s[here] + s[behind] + 2) >> 2);
}

/* Means of three samples `step` apart with weights 1, 2, 1; the ends go on. */
static void smooth_edges(rugi_ifs_edges *e, size_t n, size_t step)
{
    const int16_t *s = e->samples;
    int16_t *out = e->smooth;
    size_t last = 4 * n;
    for (size_t i = 0; i < step; i++) {
        out[i] = mean_of_three(s, 0, i, i + step);
        out[last - i] = mean_of_three(s, last - i - step, last - i, last);
    }
    for (size_t i = step; i <= last - step; i++)
        out[i] = mean_of_three(s, i - step, i, i + step);
}

void rugi_ifs_read_edges(rugi_ifs_edges *e, const rugi_ifs_patch_plane *plane,
                         unsigned octave, uint32_t x, uint32_t y, unsigned level)
{
    const rugi_ifs_patch_frame *f = &plane->frame;
    uint32_t side = rugi_ifs_side(level);
    size_t n = (size_t)side << octave;
    const int16_t *here =
        plane->samples + ((size_t)y << octave) * plane->pitch + ((size_t)x << octave);
    int16_t *corner = e->samples + 2 * n;
    uint64_t order = rugi_ifs_order(f, x, y);
    int has_right =
        y > 0 && x + side < f->nx && rugi_ifs_order(f, x + side, y - 1) < order;
    int has_below =
        x > 0 && y + side < f->ny && rugi_ifs_order(f, x - 1, y + side) < order;
    if (y > 0)
        read_above(corner, here, plane->pitch, n, has_right);
    if (x > 0)
        read_left(corner, here, plane->pitch, n, has_below);
    if (y == 0)
        fill(corner + 1, 2 * n, x > 0 ? corner[-1] : 0);
    if (x == 0)
        fill(corner - 2 * n, 2 * n, y > 0 ? corner[1] : 0);
    corner[0] = x > 0 && y > 0 ? here[-(ptrdiff_t)plane->pitch - 1]
                : x > 0        ? corner[-1]
                : y > 0        ? corner[1]
                               : 0;
    int64_t sum = (int64_t)n;
    for (size_t i = 1; i <= n; i++)
        sum += corner[i] + corner[-(ptrdiff_t)i];
    e->mean = (int32_t)(sum >> (32u - (unsigned)__builtin_clz((unsigned)n)));
    if (level < RUGI_IFS_LEVELS - 1)
        smooth_edges(e, n, (size_t)1 << octave);
}

/* ---- Predictions ---- */

/* Slopes of the directions on the left, from below up, in 1/32; those from above are the same,
 * mirrored. */
static const int8_t slopes[RUGI_IFS_ANGLES] = {
    26,  21,  17,  13,  9,  5,  2,  0, -2, -5, -9, -13, -17, -21, -26, -32,
    -26, -21, -17, -13, -9, -5, -2, 0, 2,  5,  9,  13,  17,  21,  26,  32};

/* 8192 / slope of a falling one, rounded. */
static int32_t inverse_of(int slope)
{
    return (8192 + -slope / 2) / -slope;
}

/* Directions that are this near to straight ones take edges as they are. */
static int takes_smooth(unsigned angle, unsigned level)
{
    static const int least[RUGI_IFS_LEVELS] = {0, 1, 7, 99};
    int a = (int)angle - RUGI_IFS_HORIZONTAL, b = (int)angle - RUGI_IFS_VERTICAL;
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    return (a < b ? a : b) > least[level];
}

static void predict_angle(int16_t *out, int16_t *scratch,
                          const rugi_ifs_patch_tools *tools, const rugi_ifs_edges *edges,
                          uint32_t n, unsigned angle, unsigned level)
{
    int16_t line[3 * RUGI_IFS_PATCH_MOST + 4], *zero = line + n + 1;
    int is_left = angle < RUGI_IFS_TURN, slope = slopes[angle];
    int is_smooth = takes_smooth(angle, level);
    const int16_t *corner = (is_smooth ? edges->smooth : edges->samples) + 2 * n;
    ptrdiff_t way = is_left ? -1 : 1;
    for (ptrdiff_t i = 0; i <= 2 * (ptrdiff_t)n; i++)
        zero[i] = corner[i * way];
    zero[2 * n + 1] = zero[2 * n + 2] = zero[2 * n];
    if (slope < 0) {
        int32_t n_before = (int32_t)n * -slope >> 5;
        int32_t inverse = inverse_of(slope);
        for (int32_t i = 1; i <= n_before; i++)
            zero[-i] = corner[-way * ((i * inverse + 128) >> 8)];
        zero[-n_before - 1] = zero[-n_before];
    }
    if (!is_left) {
        tools->kernels.project(out, zero, n, slope, !is_smooth);
        return;
    }
    tools->kernels.project(scratch, zero, n, slope, !is_smooth);
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++)
            out[y * n + x] = scratch[x * n + y];
}

static void predict_copy(int16_t *out, const rugi_ifs_patch_tools *tools,
                         const rugi_ifs_patch_plane *plane, const rugi_ifs_edges *edges,
                         const rugi_ifs_patch *patch, uint32_t n)
{
    rugi_ifs_source source = {plane->samples, plane->pitch, 1};
    source.from += ((size_t)patch->domain_y << tools->octave) * source.pitch +
                   ((size_t)patch->domain_x << tools->octave);
    tools->kernels.copy(out, &source, n, edges->mean, patch->k, patch->symmetry);
}

/* The shares of 64 that an edge has in samples by their distance, 32 beside it and less behind it. */
static void set_weights(int16_t *weights, uint32_t n, unsigned octave, unsigned level,
                        int is_drawn)
{
    static const unsigned shifts[RUGI_IFS_LEVELS] = {2, 1, 1, 0};
    for (uint32_t distance = 0; distance < n; distance++) {
        uint32_t halves = 2 * (distance >> octave) >> shifts[level];
        weights[distance] = is_drawn && halves < 6 ? (int16_t)(32 >> halves) : 0;
    }
}

/* Draws a prediction to its edges where they are near (Said et al. 2016): a flat or planar one to
 * both, a straight one to that beside it, which tells how it changes. */
static void pull(int16_t *out, const rugi_ifs_patch_tools *tools, const int16_t *corner,
                 uint32_t n, unsigned level, int to_left, int to_above)
{
    int16_t left[RUGI_IFS_PATCH_MOST], above[RUGI_IFS_PATCH_MOST];
    set_weights(left, n, tools->octave, level, to_left);
    set_weights(above, n, tools->octave, level, to_above);
    tools->kernels.pull(out, corner, n, left, above, !to_left || !to_above);
}

/* ---- Chroma from luma ---- */

/* Along a line: mean + slope (luma - its mean), with means along the edges of the patch. The slope is
 * coded (Trudeau et al. 2018), or that of the least squares along the edges (Zhang et al. 2018). */

/* Slopes are in 1/256 of a chroma sample for one of luma. */
#define SLOPE_BITS 8
#define SLOPE_MOST 512

/* What is added to the variance of luma along edges, so that noise has no slope: that of 64. */
#define NOISE (64 * 64)

/* Sums over the edges of a patch. Of halved planes a value of luma is the sum of 2 x 2. */
typedef struct edge_sums {
    int64_t n, chroma, luma, both, square;
} edge_sums;

/* Adds n samples of an edge.
 *  @param s  of luma where the edge begins
 *  @param is_left  it goes down, else to the right
 *  @param corner  of the edges of chroma */
static void add_edge(edge_sums *sums, const rugi_ifs_source *s, int is_left,
                     const int16_t *corner, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        int64_t luma =
            is_left ? rugi_ifs_source_at(s, i, 0) : rugi_ifs_source_at(s, 0, i);
        int64_t chroma = corner[is_left ? -(ptrdiff_t)i - 1 : (ptrdiff_t)i + 1];
        sums->chroma += chroma;
        sums->luma += luma;
        sums->both += chroma * luma;
        sums->square += luma * luma;
    }
    sums->n += n;
}

static edge_sums sum_edges(const rugi_ifs_source *s, const rugi_ifs_patch *patch,
                           const int16_t *corner, uint32_t n)
{
    edge_sums sums = {0};
    rugi_ifs_source edge = *s;
    if (patch->x > 0) {
        edge.from = s->from - 1 - s->halved;
        add_edge(&sums, &edge, 1, corner, n);
    }
    if (patch->y > 0) {
        edge.from = s->from - (s->pitch << s->halved);
        add_edge(&sums, &edge, 0, corner, n);
    }
    return sums;
}

/* a / b rounded to the nearest, halves up. */
static int64_t divide(int64_t a, int64_t b)
{
    return rugi_ifs_floor_div(2 * a + b, 2 * b);
}

/* Of values of luma whose unit is 2^-unit. */
static int32_t fit_slope(const edge_sums *e, unsigned unit)
{
    int64_t cross = e->n * e->both - e->chroma * e->luma;
    int64_t square = e->n * (e->square + (e->n * NOISE << 2 * unit)) - e->luma * e->luma;
    int64_t slope =
        e->n > 0 ? divide(cross * ((int64_t)1 << (SLOPE_BITS + unit)), square) : 0;
    return (int32_t)(slope < -SLOPE_MOST  ? -SLOPE_MOST
                     : slope > SLOPE_MOST ? SLOPE_MOST
                                          : slope);
}

static int32_t mean_luma(const rugi_ifs_source *s, uint32_t n)
{
    int64_t sum = 0;
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++)
            sum += rugi_ifs_source_at(s, y, x);
    return (int32_t)divide(sum, (int64_t)n * n);
}

static void predict_luma(int16_t *out, const rugi_ifs_patch_tools *tools,
                         const rugi_ifs_patch_plane *plane, const rugi_ifs_edges *edges,
                         const rugi_ifs_patch *patch)
{
    uint32_t n = rugi_ifs_side(patch->level) << tools->octave;
    rugi_ifs_source s = {plane->luma, plane->luma_pitch, plane->frame.halved};
    unsigned unit = 2 * s.halved, shift = SLOPE_BITS + unit, octave = tools->octave;
    s.from += (((size_t)patch->y << s.halved) << octave) * s.pitch +
              (((size_t)patch->x << s.halved) << octave);
    edge_sums sums = sum_edges(&s, patch, edges->samples + 2 * n, n);
    int32_t slope =
        patch->k == 0 ? fit_slope(&sums, unit) : patch->k * (1 << (SLOPE_BITS - 3));
    int32_t mean = edges->mean, middle;
    if (sums.n > 0) {
        mean = (int32_t)divide(sums.chroma, sums.n);
        middle = (int32_t)divide(sums.luma, sums.n);
    } else
        middle = mean_luma(&s, n);
    const rugi_ifs_line line = {mean, middle, slope, shift};
    tools->kernels.follow(out, &s, n, &line);
}

/* ---- The prediction of a patch ---- */

void rugi_ifs_predict(int16_t *out, int16_t *scratch, const rugi_ifs_patch_tools *tools,
                      const rugi_ifs_patch_plane *plane, const rugi_ifs_edges *edges,
                      const rugi_ifs_patch *patch)
{
    uint32_t n = rugi_ifs_side(patch->level) << tools->octave;
    const int16_t *corner = edges->samples + 2 * n;
    switch (patch->kind) {
    case RUGI_IFS_PLANAR:
        tools->kernels.planar(
            out, patch->level < RUGI_IFS_LEVELS - 1 ? edges->smooth + 2 * n : corner, n);
        break;
    case RUGI_IFS_MEDIAN: tools->kernels.median(out, corner, n); break;
    case RUGI_IFS_ANGLE:
        predict_angle(out, scratch, tools, edges, n, patch->angle, patch->level);
        break;
    case RUGI_IFS_DOMAIN: predict_copy(out, tools, plane, edges, patch, n); break;
    case RUGI_IFS_LUMA: predict_luma(out, tools, plane, edges, patch); break;
    default: fill(out, (size_t)n * n, (int16_t)edges->mean); break;
    }
    int is_even = patch->kind == RUGI_IFS_FLAT_KIND || patch->kind == RUGI_IFS_PLANAR;
    int is_left = patch->kind == RUGI_IFS_ANGLE && patch->angle == RUGI_IFS_HORIZONTAL;
    int is_above = patch->kind == RUGI_IFS_ANGLE && patch->angle == RUGI_IFS_VERTICAL;
    if (is_even || is_left || is_above)
        pull(out, tools, corner, n, patch->level, !is_left, !is_above);
}

/* ---- Residuals ---- */

uint32_t rugi_ifs_root_delta(uint32_t delta, int offset)
{
    static const uint32_t sixths[6] = {4096, 4598, 5161, 5793, 6502, 7298};
    int whole = (offset + 600) / 6 - 100;
    int64_t value =
        rugi_ifs_shift((int64_t)delta * sixths[(unsigned)(offset + 600) % 6], whole - 12);
    return value < 1 ? 1 : (uint32_t)value;
}

void rugi_ifs_finish_patch(const rugi_ifs_patch_tools *tools,
                           const rugi_ifs_patch_plane *plane, const rugi_ifs_patch *patch,
                           const int16_t *prediction, uint32_t delta)
{
    unsigned level = patch->level, log2_side = 5 - level;
    int has_sines = rugi_ifs_has_sines(patch->kind, level);
    uint32_t n = rugi_ifs_side(level) << tools->octave;
    int16_t *out = plane->samples + ((size_t)patch->y << tools->octave) * plane->pitch +
                   ((size_t)patch->x << tools->octave);
    if (patch->n_coefs == 0) {
        for (size_t y = 0; y < n; y++)
            memcpy(out + y * plane->pitch, prediction + y * n, n * sizeof *out);
        return;
    }
    const rugi_ifs_rest rest = {
        .coefs = patch->coefs,
        .places = patch->places != NULL ? patch->places : rugi_ifs_zigzag(level),
        .n_places = patch->places != NULL ? patch->n_places : patch->n_coefs,
        .side = rugi_ifs_side(level),
        .n = n,
        .is_symmetric = !has_sines,
        .basis = has_sines ? tools->sines[level] : tools->cosines[level],
        .delta = (int32_t)delta,
        .shift = RUGI_IFS_SAMPLE_BITS - (int)plane->frame.depth - 3 - (int)log2_side,
    };
    tools->kernels.add(out, plane->pitch, prediction, &rest);
}
