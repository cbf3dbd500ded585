/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What is kept of the counts of all grid positions. The order in which they come never
 * matters, so tasks may run in any. */

#include "boxcount_window_plan.h"
#include <string.h>

static int is_before(const size_t a[3], const size_t b[3])
{
    for (int i = 0; i < 3; i++)
        if (a[i] != b[i])
            return a[i] < b[i];
    return 0;
}

static void note_least(rugi_window_sums *sums, uint64_t n, const size_t position[3])
{
    if (n > sums->least || (n == sums->least && !is_before(position, sums->best)))
        return;
    sums->least = n;
    memcpy(sums->best, position, sizeof sums->best);
}

uint64_t rugi_window_sums_limit(const rugi_window_sums *sums, size_t z, size_t y)
{
    int is_tie_news = sums->least < UINT64_MAX &&
                      (z < sums->best[0] || (z == sums->best[0] && y < sums->best[1]));
    return sums->least + (is_tie_news ? 1 : 0);
}

void rugi_window_sums_add(rugi_window_sums *sums, uint64_t sum, uint64_t first, size_t z,
                          size_t y)
{
    int class = (z == 0 ? 1 : 0) | (y == 0 ? 2 : 0);
    sums->nonempty[class] += sum - first;
    sums->nonempty[class | 4] += first;
}

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
    note_least(sums, least, (size_t[3]){z, y, n - 1 - e});
}

void rugi_window_sums_start(rugi_window_sums *sums)
{
    memset(sums, 0, sizeof *sums);
    sums->least = UINT64_MAX;
    for (int a = 0; a < 3; a++)
        sums->best[a] = SIZE_MAX;
}

void rugi_window_sums_merge(rugi_window_sums *all, const rugi_window_sums *one)
{
    all->most = one->most > all->most ? one->most : all->most;
    all->black += one->black;
    for (int c = 0; c < 8; c++)
        all->nonempty[c] += one->nonempty[c];
    note_least(all, one->least, one->best);
}
