/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sliding windows over lines (van Herk 1992; Gil and Werman 1993): windows that lie close
 * together share a core, and differ by the end of a run before it and the beginning of a
 * run behind it. */

#include "boxcount_window_slide.h"
#include <string.h>

#define LINES_A_LOOK 16

/* Line number at - before, which may lie outside. */
static const uint64_t *line_at(const rugi_lines *lines, size_t at, size_t before)
{
    size_t k = at - before;
    return at < before || k >= lines->n ? lines->empty : lines->words + k * lines->stride;
}

/* Joins lines with a look now and then whether there is still something to lose. Returns
 * whether something is set. */
static int join_all_of(const rugi_window_leaf *leaf, uint64_t *dst, uint64_t *scratch,
                       const uint64_t *from, size_t n_lines, const rugi_lines *lines)
{
    for (size_t k = 0; k < n_lines; k += LINES_A_LOOK) {
        size_t n = n_lines - k < LINES_A_LOOK ? n_lines - k : LINES_A_LOOK;
        leaf->join_lines[RUGI_ALL](k == 0 ? dst : scratch, from + k * lines->stride, n,
                                   lines->stride, lines->n_words);
        if (k > 0)
            leaf->join_pair[RUGI_ALL](dst, dst, scratch, lines->n_words);
        if (leaf->is_zero(dst, lines->n_words))
            return 0;
    }
    return 1;
}

/* The lines that all windows have: from the first of the last window to the last of the
 * first window. Returns 0 when no window can have a bit. */
static int join_core(const rugi_window_leaf *leaf, int join, uint64_t *dst,
                     uint64_t *scratch, const rugi_lines *lines, rugi_slide s)
{
    size_t before = s.window - s.n, end = s.last + 1 < lines->n ? s.last + 1 : lines->n;
    size_t first = s.last > before ? s.last - before : 0;
    const uint64_t *from = lines->words + first * lines->stride;
    if (join == RUGI_ALL)
        return s.last >= before && s.last < lines->n &&
               join_all_of(leaf, dst, scratch, from, end - first, lines);
    if (first >= end)
        memset(dst, 0, lines->n_words * sizeof *dst);
    else
        leaf->join_lines[RUGI_ANY](dst, from, end - first, lines->stride, lines->n_words);
    return 1;
}

int rugi_slide_lines(const rugi_window_leaf *leaf, int join, uint64_t *dst,
                     uint64_t *prefix, const rugi_lines *lines, rugi_slide s)
{
    uint64_t *at = dst + (s.n - 1) * s.stride;
    if (!join_core(leaf, join, at, prefix, lines, s))
        return 0;
    for (size_t k = s.n - 1; k > 0; k--, at -= s.stride)
        leaf->join_pair[join](at - s.stride, at, line_at(lines, s.last + k, s.window),
                              lines->n_words);
    memset(prefix, join == RUGI_ALL ? 0xff : 0, lines->n_words * sizeof *prefix);
    for (size_t k = 1; k < s.n; k++)
        leaf->join_prefix[join](prefix, dst + k * s.stride, line_at(lines, s.last + k, 0),
                                lines->n_words);
    return 1;
}
