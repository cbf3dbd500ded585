/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The parts of the radix sort that see keys, for one type of key: KEY is the type,
 * KEYED(name) names a function of it. Included by radix_sort.c once for each type. */

static inline unsigned KEYED(digit_of)(KEY key, unsigned shift, size_t mask)
{
    return (unsigned)((size_t)(key >> shift) & mask);
}

static void KEYED(insert)(KEY *keys, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        KEY key = keys[i];
        size_t j = i;
        for (; j > 0 && keys[j - 1] > key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

/* The lower of two digits, and the upper one, counted in one reading, which fetches the
 * memory where keys will go in no order. Returns whether all keys have the same upper
 * digit. */
static int KEYED(count_digits)(const KEY *keys, const KEY *target, size_t n,
                               const digits *d, uint32_t *lower, uint32_t *upper)
{
    memset(lower, 0, (d->lower_mask + 1) * sizeof *lower);
    memset(upper, 0, (d->upper_mask + 1) * sizeof *upper);
    for (size_t i = 0; i < n; i++) {
        lower[KEYED(digit_of)(keys[i], d->lower_shift, d->lower_mask)]++;
        upper[KEYED(digit_of)(keys[i], d->upper_shift, d->upper_mask)]++;
        __builtin_prefetch(target + i, 1);
    }
    return upper[KEYED(digit_of)(keys[0], d->upper_shift, d->upper_mask)] == n;
}

static void KEYED(move)(KEY *to, const KEY *from, size_t n, unsigned shift, size_t mask,
                        uint32_t *first)
{
    for (size_t i = 0; i < n; i++)
        to[first[KEYED(digit_of)(from[i], shift, mask)]++] = from[i];
}

static void KEYED(sort_range)(KEY *keys, KEY *scratch, size_t n, unsigned bits,
                              uint32_t *counts);

/* Sorts the groups that agree in all but the lowest bits, and so still have no order. */
static void KEYED(finish)(KEY *keys, KEY *scratch, size_t n, unsigned bits,
                          uint32_t *counts)
{
    for (size_t i = 0; bits > 0 && i < n;) {
        size_t end = i + 1;
        KEY group = keys[i] >> bits;
        while (end < n && keys[end] >> bits == group)
            end++;
        if (end - i > 1)
            KEYED(sort_range)(keys + i, scratch + i, end - i, bits, counts);
        i = end;
    }
}

/* Sorts keys that agree above `bits`: by the two upper digits, the lower of them first,
 * so that most groups are single keys; then what has the same digits.
 * @param counts  [2][DIGITS_MAX] to work in, which is free again when what has the same digits is
 *                sorted */
static void KEYED(sort_range)(KEY *keys, KEY *scratch, size_t n, unsigned bits,
                              uint32_t *counts)
{
    uint32_t *lower = counts, *upper = counts + DIGITS_MAX;
    while (bits > 0 && n > INSERT_MAX) {
        digits d = choose_digits(n, bits);
        if (KEYED(count_digits)(keys, scratch, n, &d, lower, upper)) {
            bits = d.upper_shift;
            continue;
        }
        counts_to_firsts(lower, d.lower_mask + 1);
        counts_to_firsts(upper, d.upper_mask + 1);
        KEYED(move)(scratch, keys, n, d.lower_shift, d.lower_mask, lower);
        KEYED(move)(keys, scratch, n, d.upper_shift, d.upper_mask, upper);
        KEYED(finish)(keys, scratch, n, d.lower_shift, counts);
        return;
    }
    if (bits > 0)
        KEYED(insert)(keys, n);
}

static void KEYED(ranges_task)(void *shared, size_t task, int thread)
{
    const sorting *s = shared;
    uint32_t *counts = s->counts + (size_t)thread * 2 * DIGITS_MAX;
    for (size_t i = s->task_first[task]; i < s->task_first[task + 1]; i++) {
        const range *r = &s->ranges[i];
        KEY *keys = (KEY *)s->keys + r->first, *scratch = (KEY *)s->scratch + r->first;
        if (!r->in_scratch) {
            KEYED(sort_range)(keys, scratch, r->n, r->bits, counts);
            continue;
        }
        KEYED(sort_range)(scratch, keys, r->n, r->bits, counts);
        memcpy(keys, scratch, r->n * sizeof(KEY));
    }
}

static void KEYED(count_task)(void *shared, size_t part, int thread)
{
    const split *s = shared;
    (void)thread;
    const KEY *keys = s->from;
    size_t *count = s->first + part * s->n_digits, mask = s->n_digits - 1;
    size_t end = part_begin(s, part + 1);
    unsigned shift = s->shift;
    memset(count, 0, s->n_digits * sizeof *count);
    for (size_t i = part_begin(s, part); i < end; i++)
        count[KEYED(digit_of)(keys[i], shift, mask)]++;
}

/* Keys gather in a line of the cache for each digit, and go to memory by lines. */
static void KEYED(scatter_task)(void *shared, size_t part, int thread)
{
    enum { PER_LINE = LINE / sizeof(KEY) };
    const split *s = shared;
    const KEY *from = s->from;
    KEY *to = s->to, *lines = (KEY *)(s->lines + (size_t)thread * s->n_digits * LINE);
    size_t *next = s->first + part * s->n_digits;
    size_t *begin = s->begin + (size_t)thread * s->n_digits;
    size_t part_end = part_begin(s, part + 1), mask = s->n_digits - 1;
    unsigned shift = s->shift;
    memcpy(begin, next, s->n_digits * sizeof *next);
    for (size_t i = part_begin(s, part); i < part_end; i++) {
        KEY key = from[i];
        size_t digit = KEYED(digit_of)(key, shift, mask);
        size_t at = next[digit]++;
        KEY *line = lines + digit * PER_LINE;
        line[at % PER_LINE] = key;
        if (at % PER_LINE < PER_LINE - 1)
            continue;
        size_t line_begin = at - (PER_LINE - 1);
        if (line_begin >= begin[digit])
            write_line(to + line_begin, line);
        else
            for (size_t j = begin[digit]; j <= at; j++)
                to[j] = line[j % PER_LINE];
    }
    for (size_t digit = 0; digit <= mask; digit++) {
        size_t end = next[digit], j = end / PER_LINE * PER_LINE;
        for (j = j > begin[digit] ? j : begin[digit]; j < end; j++)
            to[j] = lines[digit * PER_LINE + j % PER_LINE];
    }
    end_of_lines();
}
