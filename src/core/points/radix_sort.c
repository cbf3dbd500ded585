/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A radix sort from the top: keys are split by their upper bits into ranges that fit the
 * cache, in parallel and by whole lines of memory; ranges that stay too large for one
 * thread are split again; then threads sort ranges. */

#include "radix_sort.h"
#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Bits of a digit of a split: more lines than this leave the second-level cache. */
#define SPLIT_BITS 11
/* Keys that are not worth a split. */
#define SPLIT_MIN ((size_t)1 << 13)
/* Keys of a range that one thread sorts: they fit its cache. */
#define RANGE_MAX ((size_t)1 << 17)
/* Ranges of the average split. */
#define RANGE_KEYS 4096
/* Keys of the ranges that a thread takes at once. */
#define TASK_KEYS ((size_t)1 << 15)
/* Keys that are sorted by insertion. */
#define INSERT_MAX 24
/* Digits inside of a range. */
#define DIGIT_BITS_MAX 12
#define DIGITS_MAX     ((size_t)1 << DIGIT_BITS_MAX)
#define LINE           64

/* Keys that agree above `bits`. */
typedef struct range {
    size_t first, n;
    unsigned bits;
    int in_scratch;
} range;

typedef struct sorting {
    rug_context *ctx;
    void *keys, *scratch;
    rugi_task_fn ranges_task, count_task, scatter_task;
    double *seconds;
    size_t n_large; /* larger ranges are split */
    range *ranges;
    size_t n_ranges, max_ranges;
    size_t *task_first; /* ranges of each task; one more than there are tasks */
    uint32_t *counts;   /* [threads][2][DIGITS_MAX]: too much for a stack */
    double share;       /* of the work that is done, for progress */
} sorting;

/* A range that is being split by the digit key >> shift % n_digits. */
typedef struct split {
    const void *from;
    void *to;
    size_t range_first, range_n, n_parts;
    unsigned shift;
    size_t n_digits;
    size_t *first; /* [n_parts][n_digits]: counts, then where the next key goes */
    size_t *begin; /* [threads][n_digits] */
    char *lines;   /* [threads][n_digits][LINE] */
} split;

/* The two upper digits of keys of a range. */
typedef struct digits {
    unsigned lower_shift, upper_shift;
    size_t lower_mask, upper_mask;
} digits;

static size_t part_begin(const split *s, size_t part)
{
    size_t share = s->range_n / s->n_parts, rest = s->range_n % s->n_parts;
    return s->range_first + part * share + rugi_smaller(part, rest);
}

static unsigned log2_of(size_t n)
{
    unsigned k = 0;
    while (n >>= 1)
        k++;
    return k;
}

/* Together so wide that some hundred pairs of digits are there for each key: most of them do
 * not occur where keys are those of a fractal. */
static digits choose_digits(size_t n, unsigned bits)
{
    unsigned width = (log2_of(n) + 9) / 2;
    width = width < DIGIT_BITS_MAX ? width : DIGIT_BITS_MAX;
    width = width < bits ? width : bits;
    digits d = {.upper_shift = bits - width, .upper_mask = ((size_t)1 << width) - 1};
    unsigned lower = width < d.upper_shift ? width : d.upper_shift;
    d.lower_shift = d.upper_shift - lower;
    d.lower_mask = ((size_t)1 << lower) - 1;
    return d;
}

static void counts_to_firsts(uint32_t *counts, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
}

/* Past the cache, where lines of the target would only be read to be overwritten. */
static inline void write_line(void *to, const void *line)
{
#ifdef __SSE2__
    for (int i = 0; i < LINE / 16; i++)
        _mm_stream_si128((__m128i *)to + i, _mm_load_si128((const __m128i *)line + i));
#else
    memcpy(to, line, LINE);
#endif
}

static inline void end_of_lines(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

#define KEY         uint64_t
#define KEYED(name) name##_u64
#include "radix_sort_tmpl.h"
#undef KEY
#undef KEYED
#define KEY         rugi_u128
#define KEYED(name) name##_u128
#include "radix_sort_tmpl.h"
#undef KEY
#undef KEYED

static rug_status add_range(sorting *s, range r)
{
    if (s->n_ranges == s->max_ranges) {
        size_t n = s->max_ranges == 0 ? 4096 : 2 * s->max_ranges;
        range *more = rug_context_allocate(s->ctx, n, sizeof *more, "ranges of a sort");
        if (more == NULL)
            return RUG_E_NOMEM;
        if (s->n_ranges > 0)
            memcpy(more, s->ranges, s->n_ranges * sizeof *more);
        rug_context_release(s->ctx, s->ranges);
        s->ranges = more;
        s->max_ranges = n;
    }
    s->ranges[s->n_ranges++] = r;
    return RUG_OK;
}

/* Turns counts to places, digit by digit and within a digit part by part, and adds the
 * ranges. Returns through `single` whether one digit has all keys. */
static rug_status place(sorting *s, split *sp, range r, int *single)
{
    size_t at = r.first;
    *single = 0;
    for (size_t digit = 0; digit < sp->n_digits; digit++) {
        size_t begin = at;
        for (size_t part = 0; part < sp->n_parts; part++) {
            size_t *first = &sp->first[part * sp->n_digits + digit], count = *first;
            *first = at;
            at += count;
        }
        *single = at - begin == r.n;
        range sub = {begin, at - begin, sp->shift,
                     *single ? r.in_scratch : !r.in_scratch};
        if (sub.n > 0 && add_range(s, sub) != RUG_OK)
            return RUG_E_NOMEM;
        if (*single)
            return RUG_OK;
    }
    return RUG_OK;
}

/* A loop of the splits. Nobody knows how many will come, so each takes a quarter of what
 * they have left of the first half of the progress. */
static rug_status split_loop(sorting *s, size_t n_tasks, rugi_task_fn task, split *sp)
{
    double end = s->share + (0.5 - s->share) / 4;
    rug_status status = RUG_OK;
    RUGI_PHASE(s->ctx, s->share, end, status,
               rugi_parallel_for_timed(s->ctx, n_tasks, task, sp, s->seconds));
    s->share = end;
    return status;
}

static rug_status split_range(sorting *s, range r)
{
    unsigned wanted = log2_of(r.n / RANGE_KEYS) + 1;
    unsigned width = wanted < SPLIT_BITS ? wanted : SPLIT_BITS;
    width = width < r.bits ? width : r.bits;
    size_t n_threads = (size_t)rug_context_threads(s->ctx);
    size_t n_parts = r.n >> 16 < 4 * n_threads ? (r.n >> 16) + 1 : 4 * n_threads;
    size_t n_digits = (size_t)1 << width;
    split sp = {.from = r.in_scratch ? s->scratch : s->keys,
                .to = r.in_scratch ? s->keys : s->scratch,
                .range_first = r.first,
                .range_n = r.n,
                .n_parts = n_parts,
                .shift = r.bits - width,
                .n_digits = n_digits};
    sp.first = rug_context_allocate(s->ctx, (n_parts + n_threads) * n_digits,
                                    sizeof *sp.first, "digits of a sort");
    sp.lines =
        rug_context_allocate(s->ctx, n_threads * n_digits, LINE, "lines of a sort");
    rug_status status = RUG_E_NOMEM;
    if (sp.first != NULL && sp.lines != NULL) {
        int single;
        sp.begin = sp.first + n_parts * n_digits;
        status = split_loop(s, n_parts, s->count_task, &sp);
        if (status == RUG_OK)
            status = place(s, &sp, r, &single);
        if (status == RUG_OK && !single)
            status = split_loop(s, n_parts, s->scatter_task, &sp);
    }
    rug_context_release(s->ctx, sp.lines);
    rug_context_release(s->ctx, sp.first);
    return status;
}

/* Puts ranges together so that tasks hold about the same number of keys. */
static size_t make_tasks(sorting *s)
{
    size_t n_tasks = 0, n_keys = 0;
    s->task_first[0] = 0;
    for (size_t i = 0; i < s->n_ranges; i++) {
        n_keys += s->ranges[i].n;
        if (n_keys >= TASK_KEYS || i + 1 == s->n_ranges) {
            s->task_first[++n_tasks] = i + 1;
            n_keys = 0;
        }
    }
    return n_tasks;
}

static int is_large(const sorting *s, const range *r)
{
    return r->bits > 0 && r->n > (s->n_ranges == 1 ? SPLIT_MIN : s->n_large);
}

static rug_status run(sorting *s, size_t n, unsigned bits)
{
    size_t fair = n / 16 / (size_t)rug_context_threads(s->ctx);
    s->n_large = fair > RANGE_MAX ? fair : RANGE_MAX;
    rug_status status = add_range(s, (range){0, n, bits, 0});
    for (size_t i = 0; status == RUG_OK && i < s->n_ranges; i++) {
        range r = s->ranges[i];
        if (!is_large(s, &r))
            continue;
        s->ranges[i].n = 0; /* its parts take its place */
        status = split_range(s, r);
    }
    if (status != RUG_OK)
        return status;
    s->task_first = rug_context_allocate(s->ctx, s->n_ranges + 1, sizeof *s->task_first,
                                         "tasks of a sort");
    if (s->task_first == NULL)
        return RUG_E_NOMEM;
    const size_t n_tasks = make_tasks(s);
    s->counts =
        rug_context_allocate(s->ctx, (size_t)rugi_loop_threads(s->ctx, n_tasks),
                             2 * DIGITS_MAX * sizeof *s->counts, "digits of a sort");
    if (s->counts == NULL)
        return RUG_E_NOMEM;
    RUGI_PHASE(s->ctx, 0.5, 1, status,
               rugi_parallel_for_timed(s->ctx, n_tasks, s->ranges_task, s, s->seconds));
    return status;
}

static rug_status sort(sorting s, size_t n, unsigned bits)
{
    rug_status status = n < 2 || bits == 0 ? RUG_OK : run(&s, n, bits);
    rug_context_release(s.ctx, s.counts);
    rug_context_release(s.ctx, s.task_first);
    rug_context_release(s.ctx, s.ranges);
    return status;
}

rug_status rugi_sort_u64(rug_context *ctx, uint64_t *keys, uint64_t *scratch, size_t n,
                         unsigned bits, double *seconds)
{
    sorting s = {.ctx = ctx,
                 .keys = keys,
                 .scratch = scratch,
                 .ranges_task = ranges_task_u64,
                 .count_task = count_task_u64,
                 .scatter_task = scatter_task_u64,
                 .seconds = seconds};
    return sort(s, n, bits);
}

rug_status rugi_sort_u128(rug_context *ctx, rugi_u128 *keys, rugi_u128 *scratch, size_t n,
                          unsigned bits, double *seconds)
{
    sorting s = {.ctx = ctx,
                 .keys = keys,
                 .scratch = scratch,
                 .ranges_task = ranges_task_u128,
                 .count_task = count_task_u128,
                 .scatter_task = scatter_task_u128,
                 .seconds = seconds};
    return sort(s, n, bits);
}
