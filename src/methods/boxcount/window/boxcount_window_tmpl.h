/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The bodies of the kernels of counting boxes of any size, in terms of a vector of a few
 * words. A kernel defines RUGI_LANES, includes this, and defines
 *
 *     lanes word_counts(lanes x)   the number of set bits of each word
 *     lanes below_last(lanes x)    the bits below the last set bit of each word
 *     uint64_t sum_of_lanes(lanes x)
 *     int has_bits(lanes x)        whether any is set
 *     columns(...)                 see the kernels
 *
 * or takes plain ones, by the same names behind "plain_". */

#ifndef RUGI_BOXCOUNT_WINDOW_TMPL_H
#define RUGI_BOXCOUNT_WINDOW_TMPL_H

#include "boxcount_window_kernels.h"
#include <string.h>

/* Vectors of lines that slide together. */
#define STRIP 4

/* Words of a window that are better joined by doubling. */
#define MANY_WORDS 10

#if RUGI_LANES > 1
typedef uint64_t lanes __attribute__((vector_size(8 * RUGI_LANES)));
#else
typedef uint64_t lanes;
#endif

static inline lanes word_counts(lanes x);
static inline lanes below_last(lanes x);
static inline uint64_t sum_of_lanes(lanes x);
static inline int has_bits(lanes x);

static inline lanes load_lanes(const uint64_t *p)
{
    lanes v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void store_lanes(uint64_t *p, lanes v)
{
    memcpy(p, &v, sizeof v);
}

static inline lanes plain_below_last(lanes x)
{
    for (int by = 1; by < 64; by *= 2)
        x |= x >> by;
    return x >> 1;
}

static inline uint64_t plain_sum_of_lanes(lanes x)
{
    uint64_t word[RUGI_LANES], sum = 0;
    memcpy(word, &x, sizeof x);
    for (int i = 0; i < RUGI_LANES; i++)
        sum += word[i];
    return sum;
}

static inline int plain_has_bits(lanes x)
{
    uint64_t word[RUGI_LANES], any = 0;
    memcpy(word, &x, sizeof x);
    for (int i = 0; i < RUGI_LANES; i++)
        any |= word[i];
    return any != 0;
}

/* `all` is a constant wherever these are inlined. */
#define JOIN(all, a, b) ((all) ? (a) & (b) : (a) | (b))

/* Four lines at a time, so that what is joined is loaded and stored once for them; a line
 * that is missing is another one twice. */
static inline void join_four(uint64_t *dst, const uint64_t *had,
                             const uint64_t *const line[4], size_t n, int all)
{
    const uint64_t *a = line[0], *b = line[1], *c = line[2], *d = line[3];
    size_t i = 0;
    for (; i + RUGI_LANES <= n; i += RUGI_LANES) {
        lanes ab = JOIN(all, load_lanes(a + i), load_lanes(b + i));
        lanes cd = JOIN(all, load_lanes(c + i), load_lanes(d + i));
        store_lanes(dst + i, JOIN(all, load_lanes(had + i), JOIN(all, ab, cd)));
    }
    for (; i < n; i++)
        dst[i] =
            JOIN(all, JOIN(all, had[i], JOIN(all, a[i], b[i])), JOIN(all, c[i], d[i]));
}

static inline void join_lines(uint64_t *dst, const uint64_t *lines, size_t n_lines,
                              size_t stride, size_t n, int all)
{
    const uint64_t *had = lines;
    for (size_t k = 0; k < n_lines; k += 4, had = dst) {
        const uint64_t *four[4];
        for (size_t j = 0; j < 4; j++)
            four[j] = lines + (k + j < n_lines ? k + j : k) * stride;
        join_four(dst, had, four, n, all);
    }
}

static inline void join_pair(uint64_t *dst, const uint64_t *a, const uint64_t *b,
                             size_t n, int all)
{
    size_t i = 0;
    for (; i + RUGI_LANES <= n; i += RUGI_LANES)
        store_lanes(dst + i, JOIN(all, load_lanes(a + i), load_lanes(b + i)));
    for (; i < n; i++)
        dst[i] = JOIN(all, a[i], b[i]);
}

/* Both joins of four rows, which are loaded once. */
static inline void join_four_both(uint64_t *any, uint64_t *all, const uint64_t *had_any,
                                  const uint64_t *had_all, const uint64_t *const row[4],
                                  size_t n)
{
    const uint64_t *a = row[0], *b = row[1], *c = row[2], *d = row[3];
    size_t i = 0;
    for (; i + RUGI_LANES <= n; i += RUGI_LANES) {
        lanes va = load_lanes(a + i), vb = load_lanes(b + i);
        lanes vc = load_lanes(c + i), vd = load_lanes(d + i);
        lanes v_any = load_lanes(had_any + i), v_all = load_lanes(had_all + i);
        store_lanes(any + i, v_any | va | vb | vc | vd);
        store_lanes(all + i, v_all & va & vb & vc & vd);
    }
    for (; i < n; i++) {
        uint64_t w_any = had_any[i], w_all = had_all[i];
        any[i] = w_any | a[i] | b[i] | c[i] | d[i];
        all[i] = w_all & a[i] & b[i] & c[i] & d[i];
    }
}

static void join_box(uint64_t *any, uint64_t *all, rugi_box_rows rows, size_t n)
{
    const uint64_t *had_any = rows.words, *had_all = rows.words;
    for (size_t z = 0; z < rows.n_z; z++)
        for (size_t y = 0; y < rows.n_y; y += 4) {
            const uint64_t *slice = rows.words + z * rows.stride_z, *four[4];
            for (size_t j = 0; j < 4; j++)
                four[j] = slice + (y + j < rows.n_y ? y + j : y) * rows.stride_y;
            join_four_both(any, all, had_any, had_all, four, n);
            had_any = any;
            had_all = all;
        }
}

/* A vector at word `at` of a line. */
static inline lanes load_line(const rugi_sliding *s, size_t line, size_t at)
{
    lanes empty = {0};
    return line < s->n_lines ? load_lanes(s->lines + line * s->stride + at) : empty;
}

/* The strip of n_strip vectors at word `at` of all windows, which stays in registers. */
static inline void slide_strip(uint64_t *dst, size_t stride_dst, const rugi_sliding *s,
                               size_t at, size_t n_strip, int all)
{
    lanes v[STRIP], none = {0};
    uint64_t *last = dst + (s->n - 1) * stride_dst;
    for (size_t i = 0; i < n_strip; i++) {
        v[i] = load_lanes(s->core + at + i * RUGI_LANES);
        store_lanes(last + at + i * RUGI_LANES, v[i]);
    }
    for (size_t k = s->n - 1; k > 0; k--)
        for (size_t i = 0; i < n_strip; i++) {
            size_t x = at + i * RUGI_LANES;
            v[i] = JOIN(all, v[i], load_line(s, s->older + k, x));
            store_lanes(dst + (k - 1) * stride_dst + x, v[i]);
        }
    for (size_t i = 0; i < n_strip; i++)
        v[i] = all ? ~none : none;
    for (size_t k = 1; k < s->n; k++)
        for (size_t i = 0; i < n_strip; i++) {
            size_t x = at + i * RUGI_LANES;
            uint64_t *to = dst + k * stride_dst + x;
            v[i] = JOIN(all, v[i], load_line(s, s->newer + k, x));
            store_lanes(to, JOIN(all, load_lanes(to), v[i]));
        }
}

static inline uint64_t word_of_line(const rugi_sliding *s, size_t line, size_t at)
{
    return line < s->n_lines ? s->lines[line * s->stride + at] : 0;
}

/* One word of all windows. */
static inline void slide_word(uint64_t *dst, size_t stride_dst, const rugi_sliding *s,
                              size_t at, int all)
{
    uint64_t v = s->core[at];
    dst[(s->n - 1) * stride_dst + at] = v;
    for (size_t k = s->n - 1; k > 0; k--) {
        v = JOIN(all, v, word_of_line(s, s->older + k, at));
        dst[(k - 1) * stride_dst + at] = v;
    }
    v = all ? UINT64_MAX : 0;
    for (size_t k = 1; k < s->n; k++) {
        uint64_t *to = &dst[k * stride_dst + at];
        v = JOIN(all, v, word_of_line(s, s->newer + k, at));
        *to = JOIN(all, *to, v);
    }
}

/* A last vector that is cut off is one that overlaps with that before. */
static inline void slide(uint64_t *dst, size_t stride_dst, const rugi_sliding *s, int all)
{
    size_t at = 0, n = s->n_words;
    for (; at + STRIP * RUGI_LANES <= n; at += STRIP * RUGI_LANES)
        slide_strip(dst, stride_dst, s, at, STRIP, all);
    for (; at + RUGI_LANES <= n; at += RUGI_LANES)
        slide_strip(dst, stride_dst, s, at, 1, all);
    if (at < n && n >= RUGI_LANES)
        slide_strip(dst, stride_dst, s, n - RUGI_LANES, 1, all);
    for (; at < n && n < RUGI_LANES; at++)
        slide_word(dst, stride_dst, s, at, all);
}

/* Windows of 2^doublings + rest < 64 pixels. A word needs its left neighbour only, whose
 * own windows are right where they are needed: in as many of its last bits as remain. */
static inline void near_windows(uint64_t *dst, const uint64_t *src, size_t n,
                                int doublings, uint64_t rest, int all)
{
    uint64_t back = (64 - rest) % 64;
    for (size_t i = 0; i < n; i += RUGI_LANES) {
        lanes v = load_lanes(src + i), left = load_lanes(src + i - 1);
        for (int k = 0; k < doublings; k++) {
            uint64_t by = (uint64_t)1 << k;
            v = JOIN(all, v, v << by | left >> (64 - by));
            left = JOIN(all, left, left << by);
        }
        if (rest > 0)
            v = JOIN(all, v, v << rest | left >> back);
        store_lanes(dst + i, v);
    }
}

/* From the first set bit of each word on. */
static inline lanes from_first(lanes x)
{
    return x | -x;
}

static inline lanes load_flipped(const uint64_t *p, int flip)
{
    lanes v = load_lanes(p);
    return flip ? ~v : v;
}

/* Windows of w >= 64 pixels: their last word up to the bit, whole words, and a window of
 * 64 pixels at the other end. That one is a word up to the bit and its left neighbour
 * behind the bit, and so has a set bit from the first of the word on, and up to the last
 * of the neighbour. For "all", of pixels that are not set. */
static inline void word_windows(uint64_t *dst, const uint64_t *src, size_t n, size_t w,
                                int all)
{
    size_t whole = w / 64, shift = w % 64, back = (64 - shift) % 64;
    for (size_t i = 0; i < n; i += RUGI_LANES) {
        const uint64_t *left = src + i - whole;
        lanes v = from_first(load_flipped(src + i, all));
        lanes end = below_last(load_flipped(left, all)), middle = {0};
        for (size_t k = 1; k < whole; k++)
            middle |= load_flipped(left + k, all);
        v |= end | -(from_first(middle) >> 63);
        if (shift > 0) {
            lanes near = end | from_first(load_flipped(left + 1, all));
            lanes far = from_first(load_flipped(left, all)) |
                        below_last(load_flipped(left - 1, all));
            v |= near << shift | far >> back;
        }
        store_lanes(dst + i, all ? ~v : v);
    }
}

/* The number of doublings as a constant: shifts by constants, in a loop laid out flat. */
static inline void windows_to_64(uint64_t *dst, const uint64_t *src, size_t n, size_t w,
                                 int all)
{
    int k = 0;
    while ((size_t)2 << k <= w)
        k++;
    uint64_t rest = w - ((uint64_t)1 << k);
    switch (k) {
    case 0: near_windows(dst, src, n, 0, rest, all); break;
    case 1: near_windows(dst, src, n, 1, rest, all); break;
    case 2: near_windows(dst, src, n, 2, rest, all); break;
    case 3: near_windows(dst, src, n, 3, rest, all); break;
    case 4: near_windows(dst, src, n, 4, rest, all); break;
    case 5: near_windows(dst, src, n, 5, rest, all); break;
    default: word_windows(dst, src, n, 64, all); break;
    }
}

/* Those of many words: windows of 64 pixels, doubled by whole words in place, from the
 * end on, and two of those that overlap. Words further left than a window reaches may be
 * anything. */
static inline void windows(uint64_t *dst, uint64_t *scratch, const uint64_t *src,
                           size_t n, size_t w, int all)
{
    if (w <= 64) {
        windows_to_64(dst, src, n, w, all);
        return;
    }
    if (w < 64 * MANY_WORDS) {
        word_windows(dst, src, n, w, all);
        return;
    }
    size_t reach = rugi_window_reach(w), whole = 1;
    uint64_t *v = scratch + reach;
    word_windows(v, src - reach, n + reach, 64, all);
    for (; 128 * whole < w; whole *= 2)
        for (size_t i = n + reach; i > 0; i -= RUGI_LANES) {
            uint64_t *at = v + i - RUGI_LANES;
            store_lanes(at, JOIN(all, load_lanes(at), load_lanes(at - whole)));
        }
    size_t rest = w - 64 * whole;
    uint64_t shift = rest % 64, back = (64 - shift) % 64;
    v += reach;
    for (size_t i = 0; i < n; i += RUGI_LANES) {
        const uint64_t *from = v + i - rest / 64;
        lanes moved = load_lanes(from);
        if (shift > 0)
            moved = moved << shift | load_lanes(from - 1) >> back;
        store_lanes(dst + i, JOIN(all, load_lanes(v + i), moved));
    }
}

static uint64_t count(const uint64_t *src, const uint64_t *mask, size_t n)
{
    lanes sum = {0};
    for (size_t i = 0; i < n; i += RUGI_LANES)
        sum += word_counts(load_lanes(src + i) & load_lanes(mask + i));
    return sum_of_lanes(sum);
}

static int is_zero(const uint64_t *src, size_t n)
{
    lanes any = {0};
    size_t i = 0;
    for (; i + RUGI_LANES <= n; i += RUGI_LANES)
        any |= load_lanes(src + i);
    uint64_t rest = 0;
    for (; i < n; i++)
        rest |= src[i];
    return rest == 0 && !has_bits(any);
}

#define RUGI_DEFINE_JOINS(name, all)                                                    \
    static void join_lines_##name(uint64_t *dst, const uint64_t *lines, size_t n_lines, \
                                  size_t stride, size_t n)                              \
    {                                                                                   \
        join_lines(dst, lines, n_lines, stride, n, all);                                \
    }                                                                                   \
    static void join_pair_##name(uint64_t *dst, const uint64_t *a, const uint64_t *b,   \
                                 size_t n)                                              \
    {                                                                                   \
        join_pair(dst, a, b, n, all);                                                   \
    }                                                                                   \
    static void slide_##name(uint64_t *dst, size_t stride_dst, const rugi_sliding *s)   \
    {                                                                                   \
        slide(dst, stride_dst, s, all);                                                 \
    }                                                                                   \
    static void windows_##name(uint64_t *dst, uint64_t *scratch, const uint64_t *src,   \
                               size_t n, size_t w)                                      \
    {                                                                                   \
        windows(dst, scratch, src, n, w, all);                                          \
    }

RUGI_DEFINE_JOINS(any, 0)
RUGI_DEFINE_JOINS(all, 1)

#endif
