/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A frame: the values and the mode of each plane, then rows, of all planes by turns. */

#include "ifs_exact.h"
#include "core/context/context_internal.h"
#include "ifs_exact_row.h"
#include <string.h>

/* ---- Values: those that a plane never has cost nothing ---- */

typedef struct value_list {
    int32_t low, high; /* the least and the largest */
    int32_t n;         /* how many have numbers */
    int32_t *of;       /* [n] the value of a number; NULL: low + number */
    int32_t
        *number; /* [high - low + 1] of value - low, when writing; NULL: value - low */
} value_list;

static const char what_values[] = "values of an exact plane of fractal coding";

/* A gap costs about as much as so many pixels gain whose value is beside it. */
#define GAP_PAYS 12

static void free_values(rug_context *ctx, value_list *v)
{
    rug_context_release(ctx, v->of);
    rug_context_release(ctx, v->number);
    memset(v, 0, sizeof *v);
}

/* Whether it pays to leave out the values that are not used. Of a gap those pixels gain that
 * are as near to it as their values are to each other otherwise. */
static int gaps_pay(const uint32_t *counts, int32_t n)
{
    uint64_t gain = 0, gaps = 0;
    for (int32_t i = 1; i < n; i++) {
        if (counts[i] == 0 || counts[i - 1] != 0)
            continue;
        int32_t k = i - 1;
        while (counts[k] == 0)
            k--;
        gain += (uint64_t)counts[i] + counts[k];
        gaps++;
    }
    return gain > 2 * GAP_PAYS * gaps + 64;
}

static rug_status number_values(rug_context *ctx, value_list *v, const uint32_t *counts)
{
    const size_t span = (size_t)(v->high - v->low) + 1;
    v->of = rug_context_allocate(ctx, span, sizeof *v->of, what_values);
    v->number = rug_context_allocate(ctx, span, sizeof *v->number, what_values);
    if (v->of == NULL || v->number == NULL)
        return RUG_E_NOMEM;
    v->n = 0;
    for (size_t i = 0; i < span; i++) {
        v->number[i] = v->n;
        if (counts[i] > 0)
            v->of[v->n++] = v->low + (int32_t)i;
    }
    return RUG_OK;
}

/* Counts values of n pixels, each 0..2^depth - 1.
 * @return RUG_OK, RUG_E_NOMEM, both with a result to be freed */
static rug_status count_values(rug_context *ctx, value_list *out, const int32_t *pixels,
                               size_t n, unsigned depth)
{
    rug_status status = RUG_OK;
    memset(out, 0, sizeof *out);
    uint32_t *counts =
        rugi_allocate_zeros(ctx, (size_t)1 << depth, sizeof *counts, what_values);
    if (counts == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < n; i++)
        counts[pixels[i]]++;
    out->high = (1 << depth) - 1;
    while (counts[out->low] == 0)
        out->low++;
    while (counts[out->high] == 0)
        out->high--;
    out->n = out->high - out->low + 1;
    if (gaps_pay(counts + out->low, out->n))
        status = number_values(ctx, out, counts + out->low);
    rug_context_release(ctx, counts);
    return status;
}

/* Whether value low + at is used, when writing. */
static int is_used(const value_list *v, int32_t at)
{
    return v->of[v->number[at]] == v->low + at;
}

/* Lengths of one kind: values that are used, or those that are not. */
typedef struct lengths {
    rugi_ifs_bit again, number[4 + RUGI_IFS_GOLOMB];
    uint32_t last;
} lengths;

static uint32_t code_again(lengths *l, rugi_ifs_coder *coder, uint32_t length)
{
    if (rugi_ifs_code_bit(coder, &l->again, length == l->last))
        return l->last;
    return rugi_ifs_code_number(coder, l->number, 4, length);
}

/* A length from 0 on; what is priced teaches, too. */
static uint32_t code_length(lengths *l, rugi_ifs_coder *coder, uint32_t length)
{
    rugi_ifs_coder learn = {.coding = RUGI_IFS_LEARN};
    length = code_again(l, coder, length);
    if (coder->coding == RUGI_IFS_PRICE)
        (void)code_again(l, &learn, length);
    l->last = length;
    return length;
}

static void code_list(value_list *v, rugi_ifs_coder *coder)
{
    lengths kinds[2] = {0};
    const int reads = coder->coding == RUGI_IFS_READ;
    const int32_t span = v->high - v->low + 1;
    int32_t n = 0;
    for (int i = 0; i < 2; i++) {
        rugi_ifs_bits_begin(&kinds[i].again, 1);
        rugi_ifs_bits_begin(kinds[i].number, 4 + RUGI_IFS_GOLOMB);
    }
    for (int32_t at = 0, used = 1; at < span; used = !used) {
        int32_t length = 1;
        while (!reads && at + length < span && is_used(v, at + length) == used)
            length++;
        const uint32_t more = code_length(&kinds[used], coder, (uint32_t)length - 1);
        if (more >= (uint32_t)(span - at))
            coder->failed = 1;
        length = coder->failed ? span - at : (int32_t)more + 1;
        for (int32_t i = 0; reads && used && i < length; i++)
            v->of[n++] = v->low + at + i;
        at += length;
    }
    v->n = reads ? n : v->n;
}

/* Writes or reads them; read ones are within 0..2^depth - 1, or the coder has failed.
 * @return RUG_OK, RUG_E_NOMEM, both with a result to be freed */
static rug_status code_values(rug_context *ctx, value_list *v, rugi_ifs_coder *coder,
                              unsigned depth)
{
    const uint32_t all = 1u << depth;
    v->low = (int32_t)rugi_ifs_code_uniform(coder, all, (uint32_t)v->low);
    v->high = v->low + (int32_t)rugi_ifs_code_uniform(coder, all - (uint32_t)v->low,
                                                      (uint32_t)(v->high - v->low));
    const uint32_t span = (uint32_t)(v->high - v->low) + 1;
    const int has_list = span > 2 && rugi_ifs_code_raw(coder, 1, v->of != NULL) == 1;
    if (coder->coding == RUGI_IFS_READ) {
        v->n = (int32_t)span;
        if (has_list)
            v->of = rug_context_allocate(ctx, span, sizeof *v->of, what_values);
        if (has_list && v->of == NULL)
            return RUG_E_NOMEM;
    }
    if (has_list)
        code_list(v, coder);
    return RUG_OK;
}

/* ---- The memory of a plane, in one block, and its rows ---- */

static const uint32_t exact_contexts[RUGI_IFS_MIX] = {64 * 4,  257 * 4, 256 * 8,
                                                      256 * 4, 32 * 32, 2816};
static const uint32_t match_contexts[RUGI_IFS_MIX] = {256, 257, 4096, 16384, 4096, 4096};
static const uint32_t bias_contexts[RUGI_IFS_BIASES] = {256 * 8, 1331, 1331};

#define LOW_SLOTS (20 * 8)

/* Hands out pieces of a block; without one it adds up what they need. */
typedef struct pieces {
    unsigned char *block;
    size_t used;
} pieces;

static void *take(pieces *p, size_t n, size_t size)
{
    void *at = p->block != NULL ? p->block + p->used : NULL;
    p->used += (n * size + 63) / 64 * 64;
    return at;
}

static int32_t *take_row(pieces *p, uint32_t nx)
{
    int32_t *row = take(p, (size_t)nx + (size_t)2 * RUGI_IFS_MARGIN, sizeof *row);
    return row != NULL ? row + RUGI_IFS_MARGIN : NULL;
}

static void take_rows(pieces *p, rugi_ifs_exact_plane *plane)
{
    for (int i = 0; i < 4; i++)
        plane->row[i] = take_row(p, plane->nx);
    for (int i = 0; i < 3; i++) {
        plane->error[i] = take_row(p, plane->nx);
        for (int k = 0; k < RUGI_IFS_GUESSES && plane->mode == RUGI_IFS_SMOOTH; k++)
            plane->off[i][k] = take_row(p, plane->nx);
    }
}

static void take_all(pieces *p, rugi_ifs_exact_plane *plane)
{
    const size_t weights = RUGI_IFS_MIX_SETS * (size_t)RUGI_IFS_MIX_WEIGHTS;
    take_rows(p, plane);
    for (int i = 0; i < RUGI_IFS_MIX; i++)
        plane->slots[i] =
            take(p, (size_t)exact_contexts[i] * RUGI_IFS_NODES, sizeof(rugi_ifs_slot));
    plane->mix_weights = take(p, weights * RUGI_IFS_NODES, sizeof(int32_t));
    plane->low = take(p, LOW_SLOTS, sizeof *plane->low);
    if (plane->mode == RUGI_IFS_MATCH) {
        for (int i = 0; i < RUGI_IFS_MIX; i++)
            plane->matches[i] = take(p, (size_t)match_contexts[i] * RUGI_IFS_MATCHES,
                                     sizeof(rugi_ifs_slot));
        plane->match_weights = take(p, weights * RUGI_IFS_MATCHES, sizeof(int32_t));
        return;
    }
    plane->columns = take(p, (size_t)plane->nx * plane->n_sums, sizeof(int32_t));
    plane->right = take(p, (RUGI_IFS_CHUNK + RUGI_IFS_AHEAD + 1) * (size_t)plane->n_sums,
                        sizeof(int32_t));
    for (int i = 0; i < RUGI_IFS_BIASES; i++)
        plane->bias[i] = take(p, bias_contexts[i], sizeof(rugi_ifs_bias));
}

/* Reserves memory of about (90 + 4 n_sums) bytes a column and 2 to 3 megabytes. nx, max,
 * noise, mode, before and n_before are set; the rest is made.
 * @return RUG_OK, RUG_E_NOMEM with nothing to free */
static rug_status begin_plane(rug_context *ctx, rugi_ifs_exact_plane *plane,
                              const rugi_ifs_mix_tables *tables)
{
    static const unsigned more[] = {0, 3, 5};
    pieces p = {NULL, 0};
    plane->n_steps = RUGI_IFS_STEPS + more[plane->n_before];
    plane->n_sums = RUGI_IFS_SUMS(plane->n_steps);
    plane->coarse = 0;
    while (plane->max >> plane->coarse > 255)
        plane->coarse++;
    take_all(&p, plane);
    plane->memory = rugi_allocate_zeros(ctx, p.used, 1, "exact plane of fractal coding");
    if (plane->memory == NULL)
        return RUG_E_NOMEM;
    p = (pieces){plane->memory, 0};
    take_all(&p, plane);
    rugi_ifs_mix_weights_begin(plane->mix_weights, RUGI_IFS_MIX_SETS * RUGI_IFS_NODES);
    if (plane->mode == RUGI_IFS_MATCH)
        rugi_ifs_mix_weights_begin(plane->match_weights,
                                   RUGI_IFS_MIX_SETS * RUGI_IFS_MATCHES);
    plane->mix.tables = tables;
    memset(plane->run, 0, sizeof plane->run);
    plane->run_held = 1;
    memset(plane->weights, 0, sizeof plane->weights);
    plane->weights[0] = plane->weights[1] = 32768;
    return RUG_OK;
}

static void end_plane(rug_context *ctx, rugi_ifs_exact_plane *plane)
{
    rug_context_release(ctx, plane->memory);
    plane->memory = NULL;
}

static void turn(int32_t **rows, int n)
{
    int32_t *last = rows[n - 1];
    memmove(rows + 1, rows, (size_t)(n - 1) * sizeof *rows);
    rows[0] = last;
}

static void begin_row(rugi_ifs_exact_plane *plane)
{
    turn(plane->row, 4);
    turn(plane->error, 3);
    for (int i = 1; i <= RUGI_IFS_MARGIN; i++) {
        plane->row[0][-i] = plane->row[1][0];
        plane->error[0][-i] = plane->error[1][0];
    }
    if (plane->mode == RUGI_IFS_MATCH)
        return;
    plane->chunk = UINT32_MAX;
    memset(plane->left, 0, sizeof plane->left);
    for (int k = 0; k < RUGI_IFS_GUESSES; k++) {
        int32_t *rows[3] = {plane->off[0][k], plane->off[1][k], plane->off[2][k]};
        turn(rows, 3);
        for (int i = 0; i < 3; i++)
            plane->off[i][k] = rows[i];
        for (int i = 1; i <= RUGI_IFS_MARGIN; i++)
            rows[0][-i] = rows[1][0];
    }
}

static void extend(int32_t *row, uint32_t nx)
{
    for (uint32_t i = 0; i < RUGI_IFS_MARGIN; i++)
        row[nx + i] = row[nx - 1];
}

static void end_row(rugi_ifs_exact_plane *plane)
{
    extend(plane->row[0], plane->nx);
    extend(plane->error[0], plane->nx);
    for (int k = 0; k < RUGI_IFS_GUESSES && plane->mode == RUGI_IFS_SMOOTH; k++)
        extend(plane->off[0][k], plane->nx);
}

/* ---- A frame ---- */

typedef struct job {
    rug_context *ctx;
    int32_t *const *pixels;
    int n_planes;
    const rugi_ifs_exact_frame *frame;
    value_list values[RUGI_IFS_EXACT_PLANES];
    rugi_ifs_exact_plane planes[RUGI_IFS_EXACT_PLANES];
    rugi_ifs_mix_tables tables;
    uint64_t price[RUGI_IFS_EXACT_PLANES]; /* of a trial */
} job;

static rug_status check(rug_context *ctx, int n_planes, const rugi_ifs_exact_frame *f)
{
    if (n_planes < 1 || n_planes > RUGI_IFS_EXACT_PLANES)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "exact coding: %d planes given, 1..4 expected", n_planes);
    if (f->nx < 1 || f->nx > 65535 || f->ny < 1 || f->ny > 65535)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "exact coding: %u x %u pixels given, sides of 1..65535 expected", f->nx,
            f->ny);
    for (int i = 0; i < n_planes; i++)
        if (f->depth[i] < 1 || f->depth[i] > RUGI_IFS_EXACT_DEPTH_MAX)
            return rug_context_fail(
                ctx, RUG_E_ARG, "exact coding: a plane of %u bits given, 1..17 expected",
                f->depth[i]);
    return RUG_OK;
}

/* ---- Rows ---- */

static void number_row(const job *j, int i, uint32_t y)
{
    const value_list *v = &j->values[i];
    const int32_t *pixels = j->pixels[i] + (size_t)y * j->frame->nx;
    int32_t *row = j->planes[i].row[0];
    for (uint32_t x = 0; x < j->frame->nx; x++)
        row[x] = v->number != NULL ? v->number[pixels[x] - v->low] : pixels[x] - v->low;
}

static void restore_row(const job *j, int i, uint32_t y)
{
    const value_list *v = &j->values[i];
    int32_t *pixels = j->pixels[i] + (size_t)y * j->frame->nx;
    const int32_t *row = j->planes[i].row[0];
    for (uint32_t x = 0; x < j->frame->nx; x++)
        pixels[x] = v->of != NULL ? v->of[row[x]] : row[x] + v->low;
}

static void code_row(job *j, rugi_ifs_coder *coder, int i, uint32_t y)
{
    const uint64_t before = coder->price;
    begin_row(&j->planes[i]);
    if (coder->coding != RUGI_IFS_READ)
        number_row(j, i, y);
    if (j->planes[i].max > 0)
        rugi_ifs_exact_row_code(&j->planes[i], coder);
    else
        memset(j->planes[i].row[0], 0, j->frame->nx * sizeof(int32_t));
    end_row(&j->planes[i]);
    if (coder->coding == RUGI_IFS_READ)
        restore_row(j, i, y);
    j->price[i] += coder->price - before;
}

/* Of every `period` rows the first `n`. */
static rug_status code_rows(job *j, rugi_ifs_coder *coder, uint32_t period, uint32_t n)
{
    rug_status status = RUG_OK;
    int n_begun = 0;
    memset(j->price, 0, sizeof j->price);
    while (status == RUG_OK && n_begun < j->n_planes) {
        status = begin_plane(j->ctx, &j->planes[n_begun], &j->tables);
        n_begun += status == RUG_OK;
    }
    for (uint32_t y = 0; status == RUG_OK && y < j->frame->ny && !coder->failed; y++)
        for (int i = 0; y % period < n && i < j->n_planes; i++)
            code_row(j, coder, i, y);
    for (int i = 0; i < n_begun; i++)
        end_plane(j->ctx, &j->planes[i]);
    return status;
}

/* ---- Modes ---- */

/* How many of 256 pixels are equal to one of the four neighbours before them. */
static uint32_t share_of_matches(const job *j, int i)
{
    const uint32_t nx = j->frame->nx, ny = j->frame->ny;
    uint64_t n = 0, all = (uint64_t)nx * ny;
    for (uint32_t y = 0; y < ny; y++) {
        const int32_t *p = j->pixels[i] + (size_t)y * nx, *above = y > 0 ? p - nx : p;
        for (uint32_t x = 1; x + 1 < nx; x++)
            n += p[x] == p[x - 1] ||
                 (y > 0 &&
                  (p[x] == above[x] || p[x] == above[x + 1] || p[x] == above[x - 1]));
    }
    return (uint32_t)(n * 256 / all);
}

/* The mean difference of pixels side by side decides what is noise. */
static unsigned find_noise(const job *j, int i)
{
    const uint32_t nx = j->frame->nx;
    const size_t n = (size_t)nx * j->frame->ny;
    const value_list *v = &j->values[i];
    uint64_t sum = 0;
    unsigned noise = 0;
    for (size_t k = 1; k < n; k++) {
        const int32_t a = j->pixels[i][k - 1] - v->low, b = j->pixels[i][k] - v->low;
        const int32_t d = v->number != NULL ? v->number[a] - v->number[b] : a - b;
        sum += (uint32_t)(d < 0 ? -d : d);
    }
    while (noise < 8 && (sum >> noise) / n > 31)
        noise++;
    return noise;
}

/* Planes of few matches are smooth, of nearly all are not; of others a quarter of the rows
 * is priced both ways. */
static rug_status choose_modes(job *j)
{
    uint64_t smooth[RUGI_IFS_EXACT_PLANES];
    rugi_ifs_coder trial;
    int is_open[RUGI_IFS_EXACT_PLANES], n_open = 0;
    for (int i = 0; i < j->n_planes; i++) {
        const uint32_t share = share_of_matches(j, i);
        is_open[i] = share >= 154 && share < 250;
        n_open += is_open[i];
        j->planes[i].mode = share >= 250 ? RUGI_IFS_MATCH : RUGI_IFS_SMOOTH;
        j->planes[i].noise = find_noise(j, i);
    }
    if (n_open == 0)
        return RUG_OK;
    rugi_ifs_price_begin(&trial);
    rug_status status = code_rows(j, &trial, 64, 16);
    memcpy(smooth, j->price, sizeof smooth);
    for (int i = 0; i < j->n_planes; i++)
        j->planes[i].mode = is_open[i] ? RUGI_IFS_MATCH : j->planes[i].mode;
    if (status == RUG_OK)
        status = code_rows(j, &trial, 64, 16);
    for (int i = 0; i < j->n_planes; i++)
        if (is_open[i] && smooth[i] <= j->price[i])
            j->planes[i].mode = RUGI_IFS_SMOOTH;
    return status;
}

/* ---- The frame ---- */

static void begin_planes(job *j)
{
    for (int i = 0; i < j->n_planes; i++) {
        rugi_ifs_exact_plane *p = &j->planes[i];
        const int is_colour = j->n_planes >= 3 && i < 3;
        p->nx = j->frame->nx;
        p->max = j->values[i].n - 1;
        p->n_before = is_colour ? i : 0;
        for (int k = 0; k < p->n_before; k++)
            p->before[k] = &j->planes[i - 1 - k];
    }
}

static rug_status find_values(job *j, rugi_ifs_coder *coder)
{
    const size_t n = (size_t)j->frame->nx * j->frame->ny;
    rug_status status = RUG_OK;
    for (int i = 0; i < j->n_planes && status == RUG_OK; i++) {
        const unsigned depth = j->frame->depth[i];
        if (coder->coding != RUGI_IFS_READ)
            status = count_values(j->ctx, &j->values[i], j->pixels[i], n, depth);
        if (status == RUG_OK)
            status = code_values(j->ctx, &j->values[i], coder, depth);
    }
    return status;
}

static rug_status code_frame(job *j, rugi_ifs_coder *coder)
{
    rug_status status = find_values(j, coder);
    if (status != RUG_OK || coder->failed)
        return status;
    begin_planes(j);
    if (coder->coding != RUGI_IFS_READ)
        status = choose_modes(j);
    for (int i = 0; i < j->n_planes && status == RUG_OK; i++) {
        rugi_ifs_exact_plane *p = &j->planes[i];
        if (p->max == 0)
            continue;
        p->mode = rugi_ifs_code_raw(coder, 1, p->mode == RUGI_IFS_MATCH)
                      ? RUGI_IFS_MATCH
                      : RUGI_IFS_SMOOTH;
        p->noise = rugi_ifs_code_uniform(coder, 9, p->noise);
    }
    return status == RUG_OK ? code_rows(j, coder, 1, 1) : status;
}

rug_status rugi_ifs_code_exact(rug_context *ctx, rugi_ifs_coder *coder,
                               int32_t *const *planes, int n_planes,
                               const rugi_ifs_exact_frame *frame)
{
    rug_status status = check(ctx, n_planes, frame);
    if (status != RUG_OK)
        return status;
    job *j = rugi_allocate_zeros(ctx, 1, sizeof *j, "exact coding");
    if (j == NULL)
        return RUG_E_NOMEM;
    j->ctx = ctx;
    j->pixels = planes;
    j->n_planes = n_planes;
    j->frame = frame;
    rugi_ifs_mix_tables_begin(&j->tables);
    status = code_frame(j, coder);
    for (int i = 0; i < n_planes; i++)
        free_values(ctx, &j->values[i]);
    rug_context_release(ctx, j);
    if (status == RUG_OK && coder->failed && coder->coding == RUGI_IFS_READ)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "exact planes: the stream is damaged or cut off");
    return status;
}
