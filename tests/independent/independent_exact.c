/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* FORMAT.md, section 13: exact planes. */

#include "independent_exact.h"
#include <stdlib.h>

enum {
    N_INPUTS = 6,
    N_NODES = 64,
    N_ROWS = 33 /* of weights */
};

typedef struct weights {
    int64_t w[N_INPUTS + 1], count;
} weights;

/* Decisions that six contexts foretell together. */
typedef struct mixer {
    ind_slot (*slots[N_INPUTS])[N_NODES]; /* [values of the context][N_NODES]; owned */
    weights weights[N_ROWS][N_NODES];
    int64_t contexts[N_INPUTS]; /* of the pixel */
    int64_t row;
} mixer;

/* What lengths in lists of values are read with. */
typedef struct list_contexts {
    ind_context again, number[IND_NUMBER(4)];
} list_contexts;

typedef struct frame {
    ind_coder coder;
    int64_t squash[1537], stretch[4096];
    ind_exact planes[4];
    int n;
} frame;

/* ---- Decisions ---- */

static int chance(frame *f, int64_t p)
{
    return ind_decide(&f->coder, 65536 - ind_limit(p, 16, 65520));
}

static void learn(ind_slot *s, int v)
{
    int64_t r = (655360 / (10 * s->seen + 16)) >> 1;
    int64_t change = ((v ? 32767 - s->c : s->c + 32768) * r + 32767) >> 15;
    s->c = (int16_t)(v ? s->c + change : s->c - change);
    if (s->seen < 255)
        s->seen++;
}

static int slot(frame *f, ind_slot *s)
{
    int v = chance(f, s->c + 32768);
    learn(s, v);
    return v;
}

static void make_tables(frame *f)
{
    uint64_t e = (uint64_t)1 << 32;
    for (int i = 0; i <= 768; i++) {
        uint64_t p = ((uint64_t)1 << 48) / (((uint64_t)1 << 32) + e);
        f->squash[768 + i] = p < 65535 ? (int64_t)p : 65535;
        f->squash[768 - i] = 65536 - f->squash[768 + i];
        e = (e * 4228380000u) >> 32;
    }
    for (int i = 0, k = 0; i < 4096; i++) {
        while (k < 1535 && f->squash[k] < 16 * i + 8)
            k++;
        f->stretch[i] = 4 * (k - 768);
    }
}

static mixer *new_mixer(void)
{
    static const size_t n_values[N_INPUTS] = {256, 1028, 4096, 16384, 4096, 5632};
    mixer *m = ind_alloc(1, sizeof *m);
    for (int j = 0; j < N_INPUTS; j++)
        m->slots[j] = ind_alloc(n_values[j], sizeof *m->slots[j]);
    for (int row = 0; row < N_ROWS; row++)
        for (int node = 0; node < N_NODES; node++)
            for (int j = 0; j < N_INPUTS; j++)
                m->weights[row][node].w[j] = 16000;
    return m;
}

static void free_mixer(mixer *m)
{
    for (int j = 0; m && j < N_INPUTS; j++)
        free(m->slots[j]);
    free(m);
}

static int mix(frame *f, mixer *m, int64_t node)
{
    weights *w = &m->weights[m->row][node];
    int64_t in[N_INPUTS + 1], odds = 0;
    for (int j = 0; j < N_INPUTS; j++) {
        const ind_slot *s = &m->slots[j][m->contexts[j]][node];
        int64_t t = s->seen < 8 ? (s->seen + 2) * 128 / 10 : 128;
        in[j] = ind_floor(f->stretch[(s->c + 32768) >> 4] * t, 128);
    }
    in[N_INPUTS] = 256;
    for (int j = 0; j <= N_INPUTS; j++)
        odds += w->w[j] * in[j];
    odds = ind_limit(ind_floor(odds, 65536), -3071, 3071);
    int64_t p = f->squash[(odds + 3072) >> 2];
    int v = chance(f, p), h = w->count < 600 ? 14 : w->count < 8000 ? 15 : 16;
    for (int j = 0; j <= N_INPUTS; j++)
        w->w[j] = ind_limit(w->w[j] + ind_round(in[j] * (65536 * v - p), h), -(1 << 24),
                            1 << 24);
    if (w->count < 8000)
        w->count++;
    for (int j = 0; j < N_INPUTS; j++)
        learn(&m->slots[j][m->contexts[j]][node], v);
    return v;
}

/* ---- Values ---- */

static void read_list(ind_exact *e, ind_coder *coder, int64_t low, int64_t high)
{
    list_contexts contexts[2];
    int64_t before[2] = {0, 0}, n = 0;
    ind_begin_contexts(contexts, sizeof contexts);
    for (int unused = 0; low <= high && !coder->damaged; unused = !unused) {
        list_contexts *c = &contexts[unused];
        if (!ind_bit(coder, &c->again))
            before[unused] = ind_number(coder, c->number, 4);
        int64_t end = low + before[unused] + 1;
        if (end > high + 1) {
            coder->damaged = "a list of values goes beyond its end";
            return;
        }
        for (; low < end; low++)
            if (!unused)
                e->values[n++] = low;
    }
    e->max = n - 1;
}

static void read_values(ind_exact *e, ind_coder *coder, int depth)
{
    int64_t most = (int64_t)1 << depth;
    int64_t low = ind_uniform(coder, most);
    int64_t high = low + ind_uniform(coder, most - low);
    e->values = ind_alloc((size_t)(high - low + 1), sizeof *e->values);
    e->max = high - low;
    for (int64_t i = 0; i <= e->max; i++)
        e->values[i] = low + i;
    if (high - low >= 2 && ind_raw(coder, 1))
        read_list(e, coder, low, high);
    while (e->max >> e->coarse > 255)
        e->coarse++;
}

/* ---- Pixels ---- */

int64_t ind_around_at(const ind_plane *plane, int64_t y, int64_t x)
{
    if (y < 0)
        return 0;
    if (x < 0)
        return ind_around_at(plane, y - 1, 0);
    return *ind_at(plane, y, x < plane->nx ? x : plane->nx - 1);
}

int ind_log2(int64_t v)
{
    return v < 2 ? 0 : 1 + ind_log2(v / 2);
}

int64_t ind_quarters(int64_t v)
{
    int t = ind_log2(v);
    return v < 4 ? v : 4 * (t - 1) + ((v >> (t - 2)) & 3);
}

int64_t ind_signed(int64_t v)
{
    if (v < 0)
        return -ind_signed(-v);
    int bits = v == 0 ? 0 : 1 + ind_log2(v);
    return bits < 5 ? bits : 5;
}

int64_t ind_pattern(const ind_around *a, int64_t v)
{
    int64_t all[] = {
        a->n, a->w, a->nw, a->ne, a->ww, a->nn, 2 * a->n - a->nn, 2 * a->w - a->ww};
    int64_t pattern = 0;
    for (int i = 0; i < 8; i++)
        pattern += (int64_t)(all[i] > v) << i;
    return pattern;
}

static void look_around(ind_around *a, const ind_exact *e, int64_t y, int64_t x)
{
    const ind_plane *p = &e->pixels, *o = &e->errors;
    *a = (ind_around){.y = y, .x = x};
    a->w = ind_around_at(p, y, x - 1);
    a->nw = ind_around_at(p, y - 1, x - 1);
    a->n = ind_around_at(p, y - 1, x);
    a->ne = ind_around_at(p, y - 1, x + 1);
    a->ww = ind_around_at(p, y, x - 2);
    a->nn = ind_around_at(p, y - 2, x);
    a->nne = ind_around_at(p, y - 2, x + 1);
    a->nee = ind_around_at(p, y - 1, x + 2);
    a->e_w = ind_around_at(o, y, x - 1);
    a->e_nw = ind_around_at(o, y - 1, x - 1);
    a->e_n = ind_around_at(o, y - 1, x);
    a->e_ne = ind_around_at(o, y - 1, x + 1);
    a->e_ww = ind_around_at(o, y, x - 2);
    a->e_nn = ind_around_at(o, y - 2, x);
    a->energy = 2 * llabs(a->e_w) + 2 * llabs(a->e_n) + llabs(a->e_nw) + llabs(a->e_ne) +
                llabs(a->e_ww) + llabs(a->e_nn);
}

static int64_t equal(const ind_around *a)
{
    int64_t all[][2] = {{a->w, a->n},  {a->w, a->nw}, {a->n, a->ne},   {a->n, a->nw},
                        {a->w, a->ww}, {a->n, a->nn}, {a->ne, a->nne}, {a->ne, a->nee}};
    int64_t bits = 0;
    for (int i = 0; i < 8; i++)
        bits += (int64_t)(all[i][0] == all[i][1]) << i;
    return bits;
}

static int64_t median(int64_t a, int64_t b, int64_t c)
{
    return a > b ? median(b, a, c) : c < a ? a : c > b ? b : c;
}

static uint32_t scramble(uint32_t h)
{
    return (h ^ (h >> 15)) * 0x2c1b3c6du;
}

/* A hash with n further pixels. */
static uint32_t hash(uint32_t h, const int64_t *pixels, int n)
{
    return n == 0 ? h : hash(scramble(h + (uint32_t)pixels[0]), pixels + 1, n - 1);
}

static void set_match_contexts(ind_exact *e, const ind_around *a, int64_t q)
{
    const ind_plane *p = &e->pixels;
    int64_t y = a->y, x = a->x, *c = e->match->contexts;
    int64_t second[] = {a->nw, a->ne}, third[] = {a->ww, a->nn, a->nne, a->nee};
    int64_t last[] = {ind_around_at(p, y, x - 3),     ind_around_at(p, y - 1, x - 2),
                      ind_around_at(p, y - 2, x - 1), ind_around_at(p, y - 1, x + 3),
                      ind_around_at(p, y - 2, x + 2), ind_around_at(p, y - 3, x)};
    uint32_t h1 = scramble(0x9e3779b1u * (uint32_t)a->w + (uint32_t)a->n);
    uint32_t h2 = hash(h1, second, 2), h8 = hash(h2, third, 4), h3 = hash(h8, last, 6);
    int64_t energy = ind_quarters(a->energy >> 2);
    c[0] = energy < 63 ? energy : 63;
    if (e->before) {
        const ind_plane *b = &e->before->pixels;
        int64_t here = *ind_at(b, y, x);
        c[0] = (here == ind_around_at(b, y, x - 1)) +
               2 * (here == ind_around_at(b, y - 1, x)) +
               4 * (here == ind_around_at(b, y - 1, x + 1)) + 8 * (q & 31);
    }
    c[1] = q;
    c[2] = h1 >> 20;
    c[3] = h3 >> 18;
    c[4] = h2 >> 20;
    c[5] = h8 >> 20;
    e->match->row = q == 256 ? 32 : q & 31;
}

/* Whether the pixel is one of those around; then *value is it. */
static bool read_match(frame *f, ind_exact *e, const ind_around *a, int64_t q,
                       int64_t *value)
{
    int64_t asked[] = {a->w, a->n, a->ne, a->nw};
    set_match_contexts(e, a, q);
    for (int i = q == 256 ? 1 : 0; i < 4; i++) {
        bool is_new = true;
        for (int j = 0; j < i; j++)
            is_new = is_new && asked[j] != asked[i];
        if (is_new && mix(f, e->match, i)) {
            *value = asked[i];
            return true;
        }
    }
    return false;
}

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t size_class(int64_t n)
{
    return n <= 2 ? n : 2 + ind_log2(n - 1);
}

static int64_t least_of_class(int64_t c)
{
    return c <= 2 ? c : ((int64_t)1 << (c - 2)) + 1;
}

static int64_t sixth_context(const ind_exact *e, const ind_around *a, bool turned,
                             int64_t level)
{
    int64_t unit = (int64_t)1 << e->noise;
    if (!e->before) {
        int64_t v = ind_quarters(llabs(a->w - a->nw) / unit);
        int64_t w = ind_quarters(llabs(a->n - a->ne) / unit);
        int64_t z = ind_quarters(llabs(a->n - a->nw) / unit);
        return 100 * least_of(9, v / 2) + 10 * least_of(9, w / 2) + least_of(9, z / 2);
    }
    int64_t far = 0;
    int64_t near =
        ind_floor(*ind_at(&e->before->errors, a->y, a->x), 8 << e->before->noise);
    if (e->second)
        far = ind_floor(*ind_at(&e->second->errors, a->y, a->x), 16 << e->second->noise);
    if (turned) {
        near = -near;
        far = -far;
    }
    int64_t third = e->second ? ind_signed(far) + 5 : 0;
    int64_t first = 2 * least_of(15, ind_quarters(llabs(near)) / 2) + (near < 0);
    return (first * 11 + third) * 8 + least_of(7, level);
}

static void set_residual_contexts(ind_exact *e, const ind_around *a, int64_t q, int64_t m,
                                  bool turned)
{
    int64_t unit = (int64_t)1 << e->noise, *c = e->residual->contexts;
    int64_t energy = least_of(63, ind_quarters(a->energy >> 2));
    int64_t off = least_of(3, llabs(a->p - 16 * m) >> 1);
    int64_t level = ind_quarters(a->energy / (16 * unit)) / 4;
    int64_t w = turned ? m - a->w : a->w - m, n = turned ? m - a->n : a->n - m;
    c[0] = 4 * energy + off;
    c[1] = 4 * q + off;
    c[2] = 8 * (turned ? 255 - a->pattern : a->pattern) + least_of(7, level);
    c[3] = 4 * (m >> e->coarse) + least_of(3, level / 2);
    c[4] = 32 * (ind_floor(w, unit) & 31) + (ind_floor(n, unit) & 31);
    c[5] = sixth_context(e, a, turned, level);
    e->residual->row = q == 256 ? 32 : energy >> 1;
}

static int64_t node_of(int kind, int64_t c)
{
    return 4 * (least_of(c, 13) - 1) + kind;
}

/* The class of the residual's size. */
static int64_t read_class(frame *f, mixer *r, int64_t energy, int64_t most)
{
    int64_t top = size_class(most);
    int64_t k = ind_limit(size_class(13 * energy >> 11), 1, top);
    if (mix(f, r, node_of(0, k))) {
        while (k < top && mix(f, r, node_of(1, k + 1)))
            k++;
        return k;
    }
    do
        k--;
    while (k > 0 && !mix(f, r, node_of(2, k)));
    return k;
}

/* A size of class c. */
static int64_t read_size(frame *f, ind_exact *e, int64_t c)
{
    if (c <= 2)
        return c;
    int64_t bits = c - 2, t = 1, low = 0;
    int64_t known = least_of(bits, 3);
    for (int64_t i = 0; i < known; i++) {
        int bit = i == 0 ? mix(f, e->residual, 52 + least_of(c - 3, 11))
                         : slot(f, &e->bits[c][t]);
        t = 2 * t + bit;
    }
    low = (t - ((int64_t)1 << known)) << (bits - known);
    return least_of_class(c) + low + ind_raw(&f->coder, (int)(bits - known));
}

static int64_t read_residual(frame *f, ind_exact *e, const ind_around *a, int64_t q)
{
    int64_t m = (a->p + 8) >> 4, above = e->max - m;
    bool turned = a->p < 16 * m;
    set_residual_contexts(e, a, q, m, turned);
    int64_t c = read_class(f, e->residual, a->energy, m > above ? m : above);
    if (c == 0)
        return m;
    bool negative = least_of_class(c) > above;
    if (!negative && least_of_class(c) <= m)
        negative = mix(f, e->residual, node_of(3, c)) != turned;
    int64_t size = least_of(read_size(f, e, c), negative ? m : above);
    return negative ? m - size : m + size;
}

static void read_pixel(frame *f, ind_exact *e, int64_t y, int64_t x, bool broken)
{
    ind_around a;
    int64_t value;
    look_around(&a, e, y, x);
    int64_t q = broken ? 256 : equal(&a);
    if (e->is_match) {
        int64_t m = median(a.w, a.n, a.w + a.n - a.nw);
        a.p = 16 * m;
        a.pattern = ind_pattern(&a, m);
        if (!read_match(f, e, &a, q, &value))
            value = read_residual(f, e, &a, q);
    } else {
        ind_predict_smooth(e, &a);
        value = read_residual(f, e, &a, q);
        ind_learn_smooth(e, &a, value);
    }
    *ind_at(&e->pixels, y, x) = value;
    *ind_at(&e->errors, y, x) = 16 * value - a.p;
}

/* The longest run that may begin at a pixel. */
static int64_t longest_run(const ind_exact *e, int64_t y, int64_t x)
{
    ind_around a;
    int64_t n = 0;
    look_around(&a, e, y, x);
    if (a.w != a.nw || a.w != a.n || a.w != a.ne || a.w != a.nn)
        return 0;
    for (int64_t i = 2; i <= 8; i++)
        if (ind_around_at(&e->pixels, y, x - i) != a.w)
            return 0;
    while (x + n + 1 <= e->pixels.nx &&
           ind_around_at(&e->pixels, y - 1, x + n + 1) == a.w)
        n++;
    return n;
}

/* A run of n pixels. */
static void repeat(ind_exact *e, int64_t y, int64_t x, int64_t n)
{
    int64_t w = ind_around_at(&e->pixels, y, x - 1);
    for (int64_t i = x; i < x + n; i++) {
        *ind_at(&e->pixels, y, i) = w;
        *ind_at(&e->errors, y, i) = 0;
        if (e->smooth)
            ind_skip_smooth(e->smooth, y, i);
    }
}

static void read_row(frame *f, ind_exact *e, int64_t y)
{
    int64_t nx = e->pixels.nx;
    if (e->smooth)
        ind_begin_row(e->smooth);
    for (int64_t x = 0; x < nx && !f->coder.damaged; x++) {
        int64_t length = longest_run(e, y, x);
        bool broken = false;
        if (length >= 32) {
            int held = slot(f, &e->held[ind_log2(length)][e->last_held]);
            int64_t n = held ? length : ind_uniform(&f->coder, length);
            e->last_held = held;
            repeat(e, y, x, n);
            x += n;
            broken = n < length;
        }
        if (x < nx)
            read_pixel(f, e, y, x, broken);
    }
}

/* ---- Planes ---- */

static void begin_plane(frame *f, int plane, int64_t ny, int64_t nx)
{
    ind_exact *e = &f->planes[plane];
    e->pixels = ind_new_plane(nx, ny);
    e->errors = ind_new_plane(nx, ny);
    e->last_held = 1;
    if (f->n >= 3 && plane == 1)
        e->before = &f->planes[0];
    if (f->n >= 3 && plane == 2) {
        e->before = &f->planes[1];
        e->second = &f->planes[0];
    }
    if (e->max == 0)
        return;
    e->is_match = ind_raw(&f->coder, 1);
    e->noise = (int)ind_uniform(&f->coder, 9);
    e->residual = new_mixer();
    if (e->is_match)
        e->match = new_mixer();
    else
        e->smooth = ind_begin_smooth(ny, nx);
}

static void end_plane(ind_exact *e)
{
    free(e->values);
    free(e->pixels.v);
    free(e->errors.v);
    ind_free_smooth(e->smooth);
    free_mixer(e->match);
    free_mixer(e->residual);
}

const char *ind_decode_exact(ind_plane *out, int n_planes, const int *depths, int64_t ny,
                             int64_t nx, ind_bytes bytes)
{
    frame *f = ind_alloc(1, sizeof *f);
    f->n = n_planes;
    make_tables(f);
    ind_begin(&f->coder, bytes.bytes, bytes.size);
    for (int p = 0; p < n_planes; p++)
        read_values(&f->planes[p], &f->coder, depths[p]);
    for (int p = 0; p < n_planes; p++)
        begin_plane(f, p, ny, nx);
    for (int64_t y = 0; y < ny; y++)
        for (int p = 0; p < n_planes; p++)
            if (f->planes[p].max > 0)
                read_row(f, &f->planes[p], y);
    const char *damaged = f->coder.damaged;
    for (int p = 0; p < n_planes && !damaged; p++) {
        out[p] = ind_new_plane(nx, ny);
        for (int64_t i = 0; i < nx * ny; i++)
            out[p].v[i] = f->planes[p].values[f->planes[p].pixels.v[i]];
    }
    for (int p = 0; p < n_planes; p++)
        end_plane(&f->planes[p]);
    free(f);
    return damaged;
}
