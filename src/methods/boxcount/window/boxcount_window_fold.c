/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What is kept of the counts of all grid positions, and how columns that are still sliced
 * are folded to it. The order in which counts come never matters, so tasks may run in
 * any. */

#include "boxcount_window_plan.h"
#include "core/context/small.h"
#include <string.h>

void rugi_window_sums_note(rugi_window_sums *sums, const uint64_t *fold, size_t n,
                           size_t z, size_t y)
{
    uint64_t least = fold[0], most = fold[0], sum = 0;
    for (size_t e = 0; e < n; e++) {
        least = fold[e] < least ? fold[e] : least;
        most = fold[e] > most ? fold[e] : most;
        sum += fold[e];
    }
    rugi_window_sums_add(sums, sum, fold[n - 1], z, y);
    sums->most = most > sums->most ? most : sums->most;
    if (least > sums->least)
        return;
    size_t e = n - 1;
    while (fold[e] != least)
        e--;
    rugi_window_sums_least(sums, least, (size_t[3]){z, y, n - 1 - e});
}

/* ---- Folding columns ---- */

#define WIDE       512 /* columns of a vector of any level */
#define FEW_PIECES 8   /* of less than a vector: not worth a step of their own */

static int bits_of(uint64_t n)
{
    int bits = 1;
    while (bits < 64 && n >> bits > 0)
        bits++;
    return bits;
}

static size_t words_of(size_t n_columns)
{
    return rugi_round_words((n_columns - 1) / 64 + 1);
}

/* A row is folded to a multiple of the window of about a vector, and that to one of a
 * word at least. */
rugi_fold rugi_fold_make(size_t n_words, size_t window, uint64_t n_rows)
{
    rugi_fold f = {.window = window, .n_words = n_words};
    size_t narrow = window * (63 / window + 1), n = n_words * 64;
    if (2 * narrow <= WIDE && n / narrow > FEW_PIECES)
        f.period[f.n_steps++] = WIDE / narrow * narrow;
    f.period[f.n_steps++] = narrow;
    f.stride[0] = rugi_round_words(n_words);
    f.n_planes[0] = bits_of(n_rows);
    for (int i = 0; i < f.n_steps; i++, n = f.period[i - 1]) {
        f.n_pieces[i] = (n - 1) / f.period[i] + 1;
        f.stride[i + 1] = words_of(f.period[i]);
        size_t n_read = (f.n_pieces[i] - 1) * f.period[i] / 64 + f.stride[i + 1] + 1;
        f.stride[i] = rugi_round_words(rugi_larger(n_read, f.stride[i]));
        n_rows *= f.n_pieces[i];
        f.n_planes[i + 1] = bits_of(n_rows);
    }
    return f;
}

rugi_folding rugi_folding_make(const rugi_fold *f, uint64_t *memory)
{
    rugi_folding made = {.fold = f, .mask = memory};
    memory += f->stride[f->n_steps];
    made.counts = memory;
    memory += f->stride[f->n_steps] * 64;
    for (size_t x = 0; x < f->window; x++)
        made.mask[x / 64] |= (uint64_t)1 << x % 64;
    for (int i = 0; i <= f->n_steps; i++) {
        made.stage[i] = (rugi_planes){memory, f->stride[i], f->n_planes[i]};
        memory += (size_t)f->n_planes[i] * f->stride[i];
    }
    return made;
}

static void fold_row(rugi_folding *f, const rugi_window_kernels *kernels,
                     const rugi_counter *c, size_t at)
{
    kernels->read_counter(f->stage[0], c, at, f->fold->n_words);
    for (int i = 0; i < f->fold->n_steps; i++)
        kernels->fold(f->stage[i + 1], f->stage[i], f->fold->n_pieces[i],
                      f->fold->period[i]);
}

/* Sets f->counts from the row that was folded. */
static void count_columns(rugi_folding *f, const rugi_window_kernels *kernels)
{
    size_t window = f->fold->window, n = f->fold->period[f->fold->n_steps - 1];
    kernels->columns(f->counts, f->stage[f->fold->n_steps], (n - 1) / 64 + 1);
    for (size_t x = window; x < n; x++)
        f->counts[x % window] += f->counts[x];
}

void rugi_folding_count(rugi_folding *f, const rugi_window_kernels *kernels,
                        const rugi_counter *c, size_t at)
{
    fold_row(f, kernels, c, at);
    count_columns(f, kernels);
}

void rugi_folding_note(rugi_folding *f, const rugi_window_kernels *kernels,
                       const rugi_counter *c, size_t at, rugi_window_sums *sums, size_t z,
                       size_t y)
{
    fold_row(f, kernels, c, at);
    rugi_planes p = f->stage[f->fold->n_steps];
    uint64_t range[2] = {rugi_window_sums_limit(sums, z, y), sums->most};
    int is_news = f->fold->period[f->fold->n_steps - 1] > f->fold->window ||
                  range[0] >> (p.n_planes - 1) > 1;
    if (!is_news) {
        uint64_t most = UINT64_MAX >> (64 - p.n_planes), first = 0;
        size_t last = f->fold->window - 1;
        range[1] = range[1] < most ? range[1] : most;
        uint64_t sum = kernels->survey(&is_news, p, f->mask, range);
        for (int l = 0; l < p.n_planes; l++)
            first += (p.words[(size_t)l * p.stride + last / 64] >> last % 64 & 1) << l;
        if (!is_news)
            rugi_window_sums_add(sums, sum, first, z, y);
    }
    if (is_news) {
        count_columns(f, kernels);
        rugi_window_sums_note(sums, f->counts, f->fold->window, z, y);
    }
}
