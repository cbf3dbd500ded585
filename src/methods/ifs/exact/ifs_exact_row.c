/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A row is runs, where all around is equal, and pixels: first whether it is equal to a
 * neighbour (MATCH), then its residual, as a class of sizes, a sign and the bits below. */

#include "ifs_exact_row.h"
#include "ifs_exact_predict.h"
#include <string.h>

/* ---- Sizes ---- */

/* Classes of sizes are 0, 1, 2, 3..4, 5..8, ...; nodes are those of a search among them, which
 * begins where the energy suggests, and of signs. Classes from 13 on share nodes. */
enum { FIRST, UP, DOWN, SIGN, KINDS, CLASSES = 13, TOPS = 12 };

static inline unsigned class_of(uint32_t size)
{
    return size <= 2 ? size : 33u - (unsigned)__builtin_clz(size - 1);
}

static inline uint32_t least_of(unsigned c)
{
    return c <= 2 ? c : (1u << (c - 2)) + 1;
}

static inline unsigned node_of(unsigned kind, unsigned c)
{
    return ((c < CLASSES ? c : CLASSES) - 1) * KINDS + kind;
}

static inline unsigned top_node_of(unsigned c)
{
    return CLASSES * KINDS + (c - 3 < TOPS ? c - 3 : TOPS - 1);
}

/* A class from 0 to `most`, which is not 0. */
static unsigned code_class(const rugi_ifs_mix *m, rugi_ifs_coder *coder, unsigned start,
                           unsigned most, unsigned c)
{
    unsigned k = start > most ? most : start < 1 ? 1 : start;
    if (rugi_ifs_mix_code(m, coder, node_of(FIRST, k), c >= k)) {
        while (k < most && rugi_ifs_mix_code(m, coder, node_of(UP, k + 1), c > k))
            k++;
        return k;
    }
    while (--k > 0 && !rugi_ifs_mix_code(m, coder, node_of(DOWN, k), c >= k))
        continue;
    return k;
}

/* The place of a size within a class from 3 on: the first bit mixed, two more each in one
 * context, the others as they are. */
static uint32_t code_place(rugi_ifs_exact_plane *p, rugi_ifs_coder *coder, unsigned c,
                           uint32_t place)
{
    unsigned n = c - 3;
    unsigned node =
        (unsigned)rugi_ifs_mix_code(&p->mix, coder, top_node_of(c), place >> n & 1);
    uint32_t out = node;
    rugi_ifs_slot *low = p->low + (size_t)c * 8;
    for (node += 2; n > 0 && node < 8; out = out << 1 | (node & 1)) {
        n--;
        node = node << 1 | (unsigned)rugi_ifs_slot_code(p->mix.tables, coder, &low[node],
                                                        place >> n & 1);
    }
    return n > 0 ? out << n | rugi_ifs_code_raw(coder, n, place & ((1u << n) - 1)) : out;
}

/* The value, of which `middle` is expected; `turned`: its sign is coded the other way. */
static int32_t code_residual(rugi_ifs_exact_plane *p, rugi_ifs_coder *coder,
                             unsigned start, int32_t middle, int turned, int32_t value)
{
    const uint32_t below = (uint32_t)middle, above = (uint32_t)(p->max - middle);
    const uint32_t size = rugi_ifs_size(value - middle);
    const unsigned most = class_of(below > above ? below : above);
    const unsigned c = code_class(&p->mix, coder, start, most, class_of(size));
    const uint32_t least = least_of(c);
    int negative = below >= least;
    if (c == 0)
        return middle;
    if (negative && above >= least)
        negative = turned ^ rugi_ifs_mix_code(&p->mix, coder, node_of(SIGN, c),
                                              turned ^ (value < middle));
    uint32_t n = least;
    if (c > 2)
        n += code_place(p, coder, c, size - least);
    const uint32_t room = negative ? below : above;
    n = n < room ? n : room;
    return negative ? middle - (int32_t)n : middle + (int32_t)n;
}

/* ---- Contexts ---- */

/* Which neighbours are equal. */
static inline uint32_t equals(const rugi_ifs_near *s)
{
    return (uint32_t)(s->w == s->n) | (uint32_t)(s->w == s->nw) << 1 |
           (uint32_t)(s->n == s->ne) << 2 | (uint32_t)(s->n == s->nw) << 3 |
           (uint32_t)(s->w == s->ww) << 4 | (uint32_t)(s->n == s->nn) << 5 |
           (uint32_t)(s->ne == s->nne) << 6 | (uint32_t)(s->ne == s->nee) << 7;
}

static inline uint32_t limit(uint32_t v, uint32_t most)
{
    return v < most ? v : most;
}

/* The context of planes before, or else of the differences around. */
static uint32_t other_context(const rugi_ifs_exact_plane *p, uint32_t x,
                              const rugi_ifs_near *s, int turned, uint32_t energy)
{
    if (p->n_before == 0) {
        const uint32_t w = rugi_ifs_quarters(rugi_ifs_size(s->w - s->nw) >> p->noise);
        const uint32_t ne = rugi_ifs_quarters(rugi_ifs_size(s->n - s->ne) >> p->noise);
        const uint32_t n = rugi_ifs_quarters(rugi_ifs_size(s->n - s->nw) >> p->noise);
        return (limit(w / 2, 9) * 10 + limit(ne / 2, 9)) * 10 + limit(n / 2, 9);
    }
    const int32_t e = p->before[0]->error[0][x] >> (3 + p->before[0]->noise);
    int second = 0;
    if (p->n_before > 1) {
        const int32_t f = p->before[1]->error[0][x] >> (4 + p->before[1]->noise);
        second = rugi_ifs_signed_class(turned ? -f : f) + 5;
    }
    const uint32_t size = limit(rugi_ifs_quarters(rugi_ifs_size(e)) / 2, 15);
    const uint32_t negative = (turned ? -e : e) < 0;
    return ((size * 2 + negative) * 11 + (uint32_t)second) * 8 + energy;
}

static void set_contexts(rugi_ifs_exact_plane *p, uint32_t x, const rugi_ifs_near *s,
                         const rugi_ifs_guess *g, int32_t middle, int broken)
{
    const int32_t part = g->value - 16 * middle; /* -8..7 */
    const int turned = part < 0;
    const uint32_t fine = limit(rugi_ifs_size(part) >> 1, 3);
    const uint32_t energy = limit(rugi_ifs_quarters(s->energy >> 2), 63);
    const uint32_t coarse = rugi_ifs_quarters(s->energy >> (4 + p->noise)) / 4;
    const uint32_t pattern = (uint32_t)(turned ? ~g->pattern & 255 : g->pattern);
    const int32_t w = turned ? middle - s->w : s->w - middle;
    const int32_t n = turned ? middle - s->n : s->n - middle;
    const uint32_t at[RUGI_IFS_MIX] = {
        energy * 4 + fine,
        (broken ? 256 : equals(s)) * 4 + fine,
        pattern * 8 + limit(coarse, 7),
        (uint32_t)(middle >> p->coarse) * 4 + limit(coarse / 2, 3),
        (uint32_t)(w >> p->noise & 31) * 32 + (uint32_t)(n >> p->noise & 31),
        other_context(p, x, s, turned, limit(coarse, 7)),
    };
    for (int i = 0; i < RUGI_IFS_MIX; i++)
        p->mix.at[i] = p->slots[i] + (size_t)at[i] * RUGI_IFS_NODES;
    p->mix.weights = p->mix_weights + (size_t)(broken ? 32 : energy / 2) *
                                          RUGI_IFS_NODES * RUGI_IFS_MIX_WEIGHTS;
}

/* ---- Equal neighbours ---- */

static inline uint32_t scatter(uint32_t h)
{
    h ^= h >> 15;
    return h * 0x2c1b3c6du;
}

/* Numbers of values around, ever more of them. */
static void set_match_contexts(rugi_ifs_exact_plane *p, uint32_t x,
                               const rugi_ifs_near *s, int broken)
{
    const int32_t *row = p->row[0] + x, *n = p->row[1] + x, *nn = p->row[2] + x;
    const uint32_t equal = broken ? 256 : equals(s);
    uint32_t at[RUGI_IFS_MIX] = {limit(rugi_ifs_quarters(s->energy >> 2), 63), equal};
    if (p->n_before > 0) {
        const int32_t *b = p->before[0]->row[0] + x, *above = p->before[0]->row[1] + x;
        at[0] = (uint32_t)(b[0] == b[-1]) | (uint32_t)(b[0] == above[0]) << 1 |
                (uint32_t)(b[0] == above[1]) << 2 | (equal & 31) << 3;
    }
    uint32_t h = scatter((uint32_t)s->w * 0x9e3779b1u + (uint32_t)s->n);
    at[2] = h >> 20;
    h = scatter(scatter(h + (uint32_t)s->nw) + (uint32_t)s->ne);
    at[4] = h >> 20;
    h = scatter(scatter(h + (uint32_t)s->ww) + (uint32_t)s->nn);
    h = scatter(scatter(h + (uint32_t)s->nne) + (uint32_t)s->nee);
    at[5] = h >> 20;
    h = scatter(scatter(h + (uint32_t)row[-3]) + (uint32_t)n[-2]);
    h = scatter(scatter(h + (uint32_t)nn[-1]) + (uint32_t)n[3]);
    h = scatter(scatter(h + (uint32_t)nn[2]) + (uint32_t)p->row[3][x]);
    at[3] = h >> 18;
    for (int i = 0; i < RUGI_IFS_MIX; i++)
        p->mix.at[i] = p->matches[i] + (size_t)at[i] * RUGI_IFS_MATCHES;
    p->mix.weights = p->match_weights + (size_t)(broken ? 32 : equal & 31) *
                                            RUGI_IFS_MATCHES * RUGI_IFS_MIX_WEIGHTS;
}

/* Whether the value is one of four neighbours, `*value` then. */
static int code_match(rugi_ifs_exact_plane *p, rugi_ifs_coder *coder, uint32_t x,
                      const rugi_ifs_near *s, int broken, int32_t *value)
{
    const int32_t candidates[RUGI_IFS_MATCHES] = {s->w, s->n, s->ne, s->nw};
    set_match_contexts(p, x, s, broken);
    for (unsigned i = (unsigned)broken; i < RUGI_IFS_MATCHES; i++) {
        int is_new = 1;
        for (unsigned k = 0; k < i; k++)
            is_new &= candidates[k] != candidates[i];
        if (is_new && rugi_ifs_mix_code(&p->mix, coder, i, *value == candidates[i])) {
            *value = candidates[i];
            return 1;
        }
    }
    return 0;
}

/* ---- Pixels ---- */

static rugi_ifs_near look(const rugi_ifs_exact_plane *p, uint32_t x)
{
    const int32_t *row = p->row[0] + x, *n = p->row[1] + x, *nn = p->row[2] + x;
    const int32_t *e = p->error[0] + x, *above = p->error[1] + x;
    return (rugi_ifs_near){row[-1],
                           n[-1],
                           n[0],
                           n[1],
                           row[-2],
                           nn[0],
                           nn[1],
                           n[2],
                           2 * rugi_ifs_size(e[-1]) + 2 * rugi_ifs_size(above[0]) +
                               rugi_ifs_size(above[-1]) + rugi_ifs_size(above[1]) +
                               rugi_ifs_size(e[-2]) + rugi_ifs_size(p->error[2][x])};
}

/* `broken`: a run ends here, so that the pixel is not like the one before. */
static void code_pixel(rugi_ifs_exact_plane *p, rugi_ifs_coder *coder, uint32_t x,
                       int broken)
{
    const rugi_ifs_near near = look(p, x);
    rugi_ifs_guess guess;
    int32_t value = coder->coding == RUGI_IFS_READ ? 0 : p->row[0][x];
    rugi_ifs_exact_predict(p, x, &near, &guess);
    if (p->mode != RUGI_IFS_MATCH || !code_match(p, coder, x, &near, broken, &value)) {
        const int32_t middle = (guess.value + 8) >> 4;
        set_contexts(p, x, &near, &guess, middle, broken);
        value = code_residual(p, coder, class_of(near.energy * 13 >> 11), middle,
                              guess.value < 16 * middle, value);
    }
    p->row[0][x] = value;
    rugi_ifs_predict_learn(p, x, &near, &guess);
}

/* ---- Runs ---- */

#define RUN_LEAST 32

/* How many pixels from x on have nothing but one value around them. */
static uint32_t run_at(const rugi_ifs_exact_plane *p, uint32_t x)
{
    const int32_t *row = p->row[0] + x, *n = p->row[1] + x, v = row[-1];
    uint32_t length = 0;
    if (n[-1] != v || n[0] != v || n[1] != v || p->row[2][x] != v)
        return 0;
    for (int i = 2; i <= RUGI_IFS_MARGIN; i++)
        if (row[-i] != v)
            return 0;
    while (x + length < p->nx && n[length + 1] == v)
        length++;
    return length;
}

/* Codes how many pixels of a run of that length are equal indeed, and sets them. */
static uint32_t code_run(rugi_ifs_exact_plane *p, rugi_ifs_coder *coder, uint32_t x,
                         uint32_t length)
{
    const unsigned log2 = 31u - (unsigned)__builtin_clz(length);
    int32_t *row = p->row[0] + x;
    const int32_t v = row[-1];
    uint32_t n = 0;
    while (coder->coding != RUGI_IFS_READ && n < length && row[n] == v)
        n++;
    p->run_held =
        rugi_ifs_slot_code(p->mix.tables, coder, &p->run[log2][p->run_held], n == length);
    n = p->run_held ? length : rugi_ifs_code_uniform(coder, length, n);
    for (uint32_t i = 0; i < n; i++) {
        row[i] = v;
        p->error[0][x + i] = 0;
    }
    for (int k = 0; k < RUGI_IFS_GUESSES && p->mode == RUGI_IFS_SMOOTH; k++)
        memset(p->off[0][k] + x, 0, n * sizeof(int32_t));
    return n;
}

void rugi_ifs_exact_row_code(rugi_ifs_exact_plane *p, rugi_ifs_coder *coder)
{
    for (uint32_t x = 0; x < p->nx; x++) {
        int broken = 0;
        const uint32_t length = run_at(p, x);
        if (length >= RUN_LEAST) {
            const uint32_t n = code_run(p, coder, x, length);
            broken = n < length;
            x += n;
        }
        if (x < p->nx)
            code_pixel(p, coder, x, broken);
    }
}
