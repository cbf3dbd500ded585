/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The scan of sorted keys, for one type of key: KEY is the type, KEYED(name) names a
 * function of it. Included by boxcount_scan.c once for each type. */

/* A part of the keys, without those that equal the last one of the part before. */
typedef struct KEYED(part) {
    int is_empty;
    KEY before; /* the key before the first */
    KEY first;
    KEY first_run; /* the last key of the run of consecutive keys that begins with first */
    KEY last_run;  /* the first key of the run that ends with last */
    KEY last;
} KEYED(part);

typedef struct KEYED(scan) {
    const KEY *keys;
    size_t n, n_parts;
    KEY low; /* the bits of a set of least_bits */
    /* The kernels, as in rugi_scan_kernels; NULL: none. */
    void (*count_levels)(uint64_t *begun, const uint64_t *largest, int n_levels,
                         const KEY *keys, size_t n);
    void (*find_runs)(uint64_t *breaks, uint64_t *ends, const KEY *keys, KEY low);
    scan_levels levels; /* of count_levels(); none where it is of no use */
    tally *tallies;
    KEYED(part) * parts;
} KEYED(scan);

/* The largest full set that ends with a key and lies in the run from run_begin on. */
static inline unsigned KEYED(full_bits)(KEY key, KEY run_begin)
{
    unsigned ones = KEYED(lowest_bit)(~key);
    unsigned length = KEYED(highest_bit)(key - run_begin + 1);
    return ones < length ? ones : length;
}

/* Sets of b bits begin where a key differs from the one before in bit b or above (Hou et
 * al.). */
static void KEYED(count_begins)(tally *t, const KEY *keys, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        KEY differ = keys[i] ^ keys[i - 1];
        if (differ != 0)
            t->begins[i % LANES][KEYED(highest_bit)(differ)]++;
    }
}

/* As find_runs() of the kernels, for up to 64 keys after the first. */
static void KEYED(find_runs)(uint64_t *breaks, uint64_t *ends, const KEY *keys, size_t n,
                             KEY low)
{
    *breaks = *ends = 0;
    for (size_t i = 0; i < n; i++) {
        KEY key = keys[i + 1], step = key - keys[i];
        *breaks |= (uint64_t)(step > 1) << i;
        *ends |= (uint64_t)(((step ^ 1) | (~key & low)) == 0) << i;
    }
}

/* A full set ends where all its low bits are set and a run of consecutive keys is long
 * enough. Returns where the run that ends with the last of n keys after the first begins,
 * given that of the first one. */
static KEY KEYED(count_full)(const KEYED(scan) * s, tally *t, const KEY *keys, size_t n,
                             KEY run)
{
    for (size_t i = 0; i < n; i += 64) {
        uint64_t breaks, ends;
        if (s->find_runs != NULL && n - i >= 64)
            s->find_runs(&breaks, &ends, keys + i, s->low);
        else
            KEYED(find_runs)(&breaks, &ends, keys + i, rugi_smaller(n - i, 64), s->low);
        for (; ends != 0; ends &= ends - 1) {
            unsigned at = lowest_bit_u64(ends);
            uint64_t before = breaks << (63 - at);
            KEY key = keys[i + at + 1], begin = run;
            if (before != 0)
                begin = keys[i + at + 1 - (63 - highest_bit_u64(before))];
            t->full[KEYED(full_bits)(key, begin)]++;
        }
        if (breaks != 0)
            run = keys[i + 1 + highest_bit_u64(breaks)];
    }
    return run;
}

/* Counts a part as if nothing were before it. */
static void KEYED(scan_task)(void *shared, size_t task, int thread)
{
    const KEYED(scan) *s = shared;
    tally *t = &s->tallies[thread];
    KEYED(part) *p = &s->parts[task];
    const KEY *keys = s->keys;
    size_t i = rugi_share_begin(s->n, s->n_parts, task);
    size_t end = rugi_share_begin(s->n, s->n_parts, task + 1);
    while (i > 0 && i < end && keys[i] == keys[i - 1])
        i++;
    p->is_empty = i == end;
    if (p->is_empty)
        return;
    size_t j = i;
    while (j + 1 < end && keys[j + 1] - keys[j] <= 1)
        j++;
    KEY run = keys[i];
    p->before = i > 0 ? keys[i - 1] : 0;
    p->first = run;
    p->first_run = keys[j];
    if (i > 0)
        t->begins[0][KEYED(highest_bit)(run ^ p->before)]++;
    for (; i + 1 < end; i += BLOCK_KEYS) { /* blocks share a key */
        size_t n = end - i <= BLOCK_KEYS ? end - i : BLOCK_KEYS + 1;
        if (s->levels.n > 0)
            s->count_levels(t->begun, s->levels.largest, s->levels.n, keys + i, n);
        else
            KEYED(count_begins)(t, keys + i, n);
        run = KEYED(count_full)(s, t, keys + i, n - 1, run);
    }
    p->last_run = run;
    p->last = keys[end - 1];
}

/* Corrects the full sets of a part whose first run goes on from the part before: sets
 * that reach over its begin end with a key that is the last of an aligned set, the first
 * such in the part. */
static void KEYED(join)(const KEYED(scan) * s, const KEYED(part) * p, KEY run,
                        uint64_t *full)
{
    KEY last_end = p->first - 1;
    for (unsigned b = 0; b < sizeof(KEY) * 8; b++) {
        KEY end = p->first | (((KEY)1 << b) - 1);
        if (end > p->first_run)
            break;
        if (end == last_end || (end & s->low) != s->low)
            continue;
        last_end = end;
        full[KEYED(full_bits)(end, p->first)]--;
        full[KEYED(full_bits)(end, run)]++;
    }
}

static void KEYED(join_parts)(const KEYED(scan) * s, uint64_t *full)
{
    KEY run = 0; /* the begin of the run that the last part ended with */
    for (size_t i = 0; i < s->n_parts; i++) {
        const KEYED(part) *p = &s->parts[i];
        if (p->is_empty)
            continue;
        int goes_on = i > 0 && p->first - p->before == 1;
        if (goes_on)
            KEYED(join)(s, p, run, full);
        run = goes_on && p->last_run == p->first ? run : p->last_run;
    }
}
