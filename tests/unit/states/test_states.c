/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* States as bytes: damaged, cut, and made by someone else they are refused or are states that
 * save and load; those of a small part of a huge image are small; what does not go together is
 * told apart. That they give the numbers of the whole is tested where parts are. */

#include "support.h"

#include "core/context/crc.h"
#include "core/state/state.h"
#include "memory_support.h"
#include "states_support.h"
#include <stdio.h>

#define N_CHANGED TEST_CASES(1300)

enum { HEAD = 40, CRC = 4 };

/* ---- Any order ---- */

#define N_CELLS 30

/* A ragged grid of an image and one of a volume. */
static const size_t cuts[2][3][7] = {
    {{0, 1}, {0, 7, 64, 70, 129, 150}, {0, 1, 60, 64, 100, 128, 140}},
    {{0, 4, 9, 20}, {0, 30, 70}, {0, 1, 64, 66}},
};
static const size_t n_cells[2][3] = {{1, 5, 6}, {3, 2, 3}};

/* Adds a cell.
 *  @param c  its number, x fastest */
static void add_cell(rug_context *ctx, state *s, const kind *k, size_t c)
{
    size_t first[3] = {0, 0, 0}, part[3] = {0, 0, 0};
    for (int a = 2; a >= 3 - k->ndim; a--) {
        size_t n = n_cells[k->ndim - 2][a], i = c % n;
        const size_t *at = &cuts[k->ndim - 2][a][i];
        first[a - 3 + k->ndim] = at[0];
        part[a - 3 + k->ndim] = at[1] - at[0];
        c /= n;
    }
    add(ctx, s, k, part, first);
}

/* Adds cells to two states in any order, and merges these.
 *  @return the bytes */
static uint8_t *add_cells(rug_context *ctx, size_t *n, const kind *k,
                          const uint8_t *chosen, uint64_t *rng)
{
    static const size_t shapes[2][3] = {{150, 140, 0}, {20, 70, 66}};
    const size_t *grid = n_cells[k->ndim - 2], *shape = shapes[k->ndim - 2];
    size_t order[N_CELLS], n_all = grid[0] * grid[1] * grid[2];
    state s[2] = {begin(ctx, k, shape), begin(ctx, k, shape)};
    uint8_t *bytes;
    for (size_t i = 0; i < n_all; i++) {
        size_t j = test_below(rng, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < n_all; i++)
        if (chosen[order[i]])
            add_cell(ctx, &s[test_below(rng, 2)], k, order[i]);
    must(ctx, merge(ctx, &s[0], &s[1]));
    must(ctx, save(ctx, &bytes, n, &s[0]));
    drop(&s[0]);
    drop(&s[1]);
    return bytes;
}

static void any_order(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    uint64_t rng = 3;
    for (int i = 0; i < TEST_CASES(4) * N_STATES; i++) {
        const kind *k = &kinds[i % N_STATES];
        uint8_t chosen[N_CELLS];
        size_t n[2];
        for (size_t c = 0; c < N_CELLS; c++)
            chosen[c] = test_below(&rng, 3) > 0;
        uint8_t *a = add_cells(ctx, &n[0], k, chosen, &rng);
        uint8_t *b = add_cells(ctx, &n[1], k, chosen, &rng);
        assert_int_equal(n[0], n[1]);
        assert_memory_equal(a, b, n[0]);
        rug_context_release(ctx, a);
        rug_context_release(ctx, b);
    }
    rug_context_free(ctx);
}

/* ---- Bytes that are none ---- */

static void assert_refused(rug_context *ctx, const uint8_t *bytes, size_t n,
                           const char *what, size_t at)
{
    state s;
    rug_status status = load(ctx, &s, bytes, n);
    if (status != RUG_E_FORMAT || rug_context_error(ctx)[0] == '\0')
        fail_msg("%s at %zu: status %d, %s", what, at, (int)status,
                 rug_context_error(ctx));
    assert_true(is_none(&s));
}

static void damaged(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    uint64_t rng = 1;
    for (int i = 0; i < N_STATES; i++) {
        size_t n, step;
        uint8_t *bytes = some_state(ctx, &n, i);
        step = 1 + n / (20 + 2000000 / n); /* fewer of long ones */
        for (size_t at = 0; at < n; at += at < 2 * HEAD ? 1 : step) {
            uint8_t was = bytes[at];
            bytes[at] ^= (uint8_t)(1 + test_below(&rng, 255));
            assert_refused(ctx, bytes, n, "changed byte", at);
            bytes[at] = was;
        }
        for (size_t end = 0; end < n; end += end < 2 * HEAD ? 1 : step) {
            uint8_t *cut = malloc(end + 1); /* for the address checker */
            assert_non_null(cut);
            memcpy(cut, bytes, end);
            assert_refused(ctx, cut, end, "cut", end);
            free(cut);
        }
        rug_context_release(ctx, bytes);
    }
    rug_context_free(ctx);
}

/* Puts length and checksum right. */
static void mend(uint8_t *bytes, size_t n)
{
    for (int i = 0; i < 8; i++)
        bytes[16 + i] = (uint8_t)((uint64_t)n >> 8 * i);
    uint32_t crc = rugi_crc(bytes, n - CRC);
    for (int i = 0; i < CRC; i++)
        bytes[n - CRC + (size_t)i] = (uint8_t)(crc >> 8 * i);
}

/* What was accepted is a state: it saves, loads and saves to the same bytes, and cannot be added
 * to itself, unless nothing has come. */
static void assert_sound(rug_context *ctx, state *s)
{
    uint8_t *bytes, *again;
    size_t n, n_again;
    must(ctx, save(ctx, &bytes, &n, s));
    rug_status status = merge(ctx, s, s);
    assert_true(status == RUG_OK || status == RUG_E_ARG);
    if (s->masses != NULL)
        assert_non_null(rug_masses_get_facts(s->masses));
    drop(s);
    must(ctx, load(ctx, s, bytes, n));
    must(ctx, save(ctx, &again, &n_again, s));
    assert_int_equal(n, n_again);
    assert_memory_equal(bytes, again, n);
    rug_context_release(ctx, bytes);
    rug_context_release(ctx, again);
}

/* Changes a few bytes, and takes some away or puts some in. @return the new length */
static size_t change(uint8_t *bytes, size_t n, uint64_t *rng)
{
    for (uint64_t i = 1 + test_below(rng, 3); i > 0; i--) {
        /* The first bytes say the most. */
        size_t span = test_below(rng, 2) == 0 ? 60 : n - HEAD - CRC;
        size_t at = HEAD + test_below(rng, span < n - HEAD - CRC ? span : n - HEAD - CRC);
        bytes[at] = (uint8_t)(test_below(rng, 3) > 0 ? bytes[at] + test_below(rng, 3) - 1
                                                     : test_below(rng, 256));
    }
    if (test_below(rng, 4) > 0 || n < HEAD + CRC + 9)
        return n;
    size_t at = HEAD + test_below(rng, n - HEAD - CRC - 8), k = 1 + test_below(rng, 4);
    memmove(bytes + at, bytes + at + k, n - at - k);
    return n - k;
}

static void changed_by_others(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    uint64_t rng = 2;
    int n_accepted = 0;
    for (int i = 0; i < N_STATES; i++) {
        size_t n;
        uint8_t *bytes = some_state(ctx, &n, i);
        for (int k = 0; k < N_CHANGED / N_STATES; k++) {
            state s;
            uint8_t *copy = malloc(n);
            assert_non_null(copy);
            memcpy(copy, bytes, n);
            size_t n_copy = change(copy, n, &rng);
            mend(copy, n_copy);
            rug_status status = load(ctx, &s, copy, n_copy);
            if (status != RUG_OK && status != RUG_E_FORMAT)
                fail_msg("state %d, change %d: %s", i, k, rug_context_error(ctx));
            if (status == RUG_OK) {
                assert_sound(ctx, &s);
                n_accepted++;
            }
            drop(&s);
            free(copy);
        }
        rug_context_release(ctx, bytes);
    }
    assert_in_range(n_accepted, 1, N_CHANGED / 2);
    rug_context_free(ctx);
}

/* ---- A small part of a huge image ---- */

/* An allocator that notes its largest block. */
static void *note_largest(void *user, size_t n_bytes, size_t alignment)
{
    size_t *largest = user;
    *largest = n_bytes > *largest ? n_bytes : *largest;
    return aligned_alloc(alignment, (n_bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *block)
{
    (void)user;
    free(block);
}

/* States are as large as their parts, in memory and as bytes: the image has 2^62 pixels. */
static void huge_images(void **unused)
{
    (void)unused;
    static const size_t shape[2][3] = {
        {(size_t)1 << 31, (size_t)1 << 31, 0},
        {(size_t)1 << 20, (size_t)1 << 21, (size_t)1 << 21}};
    static const size_t part[2][3] = {{100, 130, 0}, {10, 40, 33}};
    static const size_t first[2][3] = {{((size_t)1 << 31) - 100, 777, 0},
                                       {99999, 64, ((size_t)1 << 21) - 33}};
    static const size_t n_pixels = 10 * 40 * 33;
    for (int i = 0; i < N_STATES; i++) {
        rug_context *ctx = test_context();
        size_t largest = 0, n;
        const rug_allocator noting = {note_largest, release, &largest};
        rug_context_set_allocator(ctx, &noting);
        const kind *k = &kinds[i];
        int volume = k->ndim == 3;
        uint8_t *bytes;
        state s = begin(ctx, k, shape[volume]);
        add(ctx, &s, k, part[volume], first[volume]);
        must(ctx, save(ctx, &bytes, &n, &s));
        assert_in_range(
            n, 1, 200 + n_pixels / 4 + (k->of != BOXES ? 9 * n_pixels : n_pixels / 4));
        drop(&s);
        must(ctx, load(ctx, &s, bytes, n));
        assert_sound(ctx, &s);
        drop(&s);
        assert_in_range(largest, 1, 16 << 20);
        rug_context_release(ctx, bytes);
        rug_context_free(ctx);
    }
}

/* A state says what it is of before it says how much. */
static void huge_claims(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    size_t n, largest = 0;
    const rug_allocator noting = {note_largest, release, &largest};
    uint8_t *bytes = some_state(ctx, &n, 0), *claim = calloc(1, 100);
    assert_non_null(claim);
    memcpy(claim, bytes, HEAD);
    rug_context_release(ctx, bytes);
    rug_context_set_allocator(ctx, &noting);
    for (unsigned at = HEAD; at < 96; at++) {
        /* 2 axes of 2^28 pixels, pyramid, nonzero, one size; then 0xff wherever it can be */
        static const uint8_t options[] = {
            2, 0x80, 0x80, 0x80, 0x80, 1, 0x80, 0x80, 0x80, 0x80, 1,    1,   0,
            0, 1,    0,    0,    1,    1, 1,    0,    0xff, 0xff, 0xff, 0xff};
        memcpy(claim + HEAD, options, sizeof options);
        memset(claim + at, 0xff, 96 - at);
        mend(claim, 100);
        assert_refused(ctx, claim, 100, "claim", at);
    }
    assert_in_range(largest, 0, 1 << 20);
    free(claim);
    rug_context_free(ctx);
}

static void refused(rug_context *ctx, rug_status status, rug_status expected,
                    const char *text)
{
    assert_int_equal(status, expected);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text,
                 rug_context_error(ctx));
}

/* Box counts of a square image, of which these boxes claim to be the parts.
 *  @return the bytes */
static uint8_t *claimed_parts(rug_context *ctx, size_t *n, rugi_box *boxes,
                              size_t n_boxes)
{
    const size_t shape[3] = {1, 1 << 20, 1 << 20};
    static const uint64_t options[] = {1, 0, 0, 1, 0, 0, 1, 1}; /* one size */
    const rugi_cover cover = {.boxes = boxes, .n = n_boxes};
    rugi_state_writer w = rugi_state_begin(ctx, RUGI_STATE_BOXCOUNT);
    rugi_state_put_shape(&w, 2, shape);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        rugi_state_put(&w, options[i]);
    rugi_state_put_cover(&w, 2, &cover);
    uint8_t *bytes;
    must(ctx, rugi_state_end(&w, &bytes, n));
    return bytes;
}

/* A comb: columns beside rows, which only so many boxes as columns times rows would make, were they
 * sorted. */
static void huge_combs(void **unused)
{
    (void)unused;
    enum { N = 1500 };
    rug_context *ctx = test_context();
    size_t largest = 0, n;
    const rug_allocator noting = {note_largest, release, &largest};
    rug_context_set_allocator(ctx, &noting);
    static rugi_box boxes[2 * N];
    for (size_t i = 0; i < N; i++) {
        boxes[i] = (rugi_box){{0, 0, 2 * i}, {1, 1 << 20, 2 * i + 1}};
        boxes[N + i] = (rugi_box){{0, 2 * i, 4 * N}, {1, 2 * i + 1, 4 * N + 1}};
    }
    uint8_t *bytes = claimed_parts(ctx, &n, boxes, 2 * N);
    rug_boxcount_parts *p;
    refused(ctx, rug_boxcount_parts_load(ctx, &p, bytes, n), RUG_E_FORMAT,
            "the parts are not sorted");
    assert_in_range(largest, 1, 1 << 20);
    rug_context_release(ctx, bytes);
    rug_context_free(ctx);
}

/* Columns that begin one below the other: in each row there are more of them. */
static void staircase(void **unused)
{
    (void)unused;
    enum { N = 30000 };
    rug_context *ctx = test_context();
    size_t n;
    static rugi_box boxes[N];
    for (size_t i = 0; i < N; i++)
        boxes[i] = (rugi_box){{0, i, i}, {1, N, i + 1}};
    uint8_t *bytes = claimed_parts(ctx, &n, boxes, N);
    rug_boxcount_parts *p;
    refused(ctx, rug_boxcount_parts_load(ctx, &p, bytes, n), RUG_E_FORMAT,
            "the parts are not sorted");
    rug_context_release(ctx, bytes);
    rug_context_free(ctx);
}

/* Boxes in boxes: the first two tell that these are no parts. */
static void nested_boxes(void **unused)
{
    (void)unused;
    enum { N = 1500 };
    rug_context *ctx = test_context();
    size_t n;
    static rugi_box boxes[N];
    for (size_t i = 0; i < N; i++)
        boxes[i] = (rugi_box){{0, i, i}, {1, 2 * N - i, 2 * N - i}};
    uint8_t *bytes = claimed_parts(ctx, &n, boxes, N);
    rug_boxcount_parts *p;
    refused(ctx, rug_boxcount_parts_load(ctx, &p, bytes, n), RUG_E_FORMAT,
            "the parts are not sorted");
    rug_context_release(ctx, bytes);
    rug_context_free(ctx);
}

/* ---- What does not go together ---- */

/* Merges a state of other kind and shape. */
static void refused_merge(rug_context *ctx, kind a, kind b, const size_t *shape_b,
                          const char *text)
{
    static const size_t shape[3] = {10, 20, 30};
    state x = begin(ctx, &a, shape), y = begin(ctx, &b, shape_b);
    refused(ctx, merge(ctx, &x, &y), RUG_E_ARG, text);
    drop(&x);
    drop(&y);
}

static void other_options(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    static const size_t shape[3] = {10, 20, 30}, longer[3] = {10, 21, 30};
    const kind boxes = kinds[0], masses = kinds[4];
    kind k = boxes;
    refused_merge(ctx, boxes, k, longer, "image of 10x21 given, 10x20 expected");
    k.ndim = 3;
    refused_merge(ctx, boxes, k, shape, "image of 10x20x30 given, 10x20 expected");
    k = boxes;
    k.has_mask = 1;
    refused_merge(ctx, boxes, k, shape, "mask: one given, none expected");
    k = boxes;
    k.grid = RUG_BOXCOUNT_GRID_MIN;
    refused_merge(ctx, boxes, k, shape, "method window given, pyramid expected");
    refused_merge(ctx, k, kinds[3], shape, "grid mean given, min expected");
    kind other = k;
    other.n_sizes = 2;
    refused_merge(ctx, k, other, shape, "number of sizes 2 given, 6 expected");
    k.n_sizes = 3;
    refused_merge(ctx, k, other, shape, "number of sizes 2 given, 3 expected");
    k = masses;
    k.dtype = RUG_U16;
    refused_merge(ctx, masses, k, shape, "dtype u16 given, u8 expected");
    k = masses;
    k.mass = RUG_MASS_OF_FOREGROUND;
    refused_merge(ctx, masses, k, shape, "foreground above=3 given, nonzero expected");
    rug_context_free(ctx);
}

static void other_states(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    size_t n, n_masses;
    uint8_t *bytes = some_state(ctx, &n, 0), *masses = some_state(ctx, &n_masses, 4);
    rug_boxcount_parts *p;
    rug_masses *m;
    refused(ctx, rug_masses_load(ctx, &m, bytes, n), RUG_E_FORMAT,
            "state of box counts given, of masses expected");
    refused(ctx, rug_boxcount_parts_load(ctx, &p, masses, n_masses), RUG_E_FORMAT,
            "state of masses given, of box counts expected");
    bytes[8] = 2;
    mend(bytes, n);
    refused(ctx, rug_boxcount_parts_load(ctx, &p, bytes, n), RUG_E_FORMAT,
            "format 2 given, 1 expected");
    bytes[8] = 1;
    bytes[40] = 4;
    mend(bytes, n);
    refused(ctx, rug_boxcount_parts_load(ctx, &p, bytes, n), RUG_E_FORMAT,
            "number of axes 4 given, at most 3 expected");
    refused(ctx, rug_boxcount_parts_load(ctx, &p, bytes, n - 1), RUG_E_FORMAT,
            "bytes given");
    refused(ctx, rug_boxcount_parts_load(ctx, &p, (const uint8_t *)"P5 1 1 255 ", 11),
            RUG_E_FORMAT, "the bytes are not a state");
    refused(ctx, rug_boxcount_parts_load(ctx, &p, NULL, 0), RUG_E_ARG, "NULL");
    refused(ctx, rug_masses_load(ctx, &m, NULL, 0), RUG_E_ARG, "NULL");
    rug_context_release(ctx, bytes);
    refused(ctx, rug_boxcount_parts_save(ctx, &bytes, &n, NULL), RUG_E_ARG, "NULL");
    assert_null(bytes);
    rug_context_release(ctx, masses);
    rug_context_free(ctx);
}

static void points(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    static const double places[4] = {0, 0, 1, 1};
    const rug_points p = {places, RUG_F64, 2, 2, {2 * sizeof *places, sizeof *places}};
    rug_masses *m, *image;
    uint8_t *bytes;
    size_t n;
    const size_t shape[2] = {4, 4};
    must(ctx, rug_masses_measure_points(ctx, &m, &p, NULL));
    refused(ctx, rug_masses_save(ctx, &bytes, &n, m), RUG_E_ARG,
            "masses of points given");
    must(ctx, rug_masses_new(ctx, &image, RUG_U8, 2, shape, 0, NULL));
    refused(ctx, rug_masses_merge(ctx, image, m), RUG_E_ARG, "masses of points given");
    rug_masses_free(m);
    rug_masses_free(image);
    rug_context_free(ctx);
}

/* Every allocation of saving and loading fails once; nothing is lost and nothing leaks. */
static void failing_memory(void **unused)
{
    (void)unused;
    for (int i = 0; i < N_STATES; i++) {
        rug_context *ctx = test_context();
        size_t n;
        uint8_t *bytes = some_state(ctx, &n, i);
        rug_status status = RUG_E_NOMEM;
        for (size_t k = 1; status == RUG_E_NOMEM; k++) {
            rug_context *hooked = test_context();
            memory m = {.fail_at = k};
            state s;
            uint8_t *again = NULL;
            size_t n_again;
            memory_hook(hooked, &m);
            status = load(hooked, &s, bytes, n);
            if (status == RUG_OK)
                status = save(hooked, &again, &n_again, &s);
            drop(&s);
            rug_context_release(hooked, again);
            rug_context_free(hooked);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            assert_true(status == RUG_OK || status == RUG_E_NOMEM);
            assert_true(k < 400);
        }
        rug_context_release(ctx, bytes);
        rug_context_free(ctx);
    }
}

/* Cancels from the time on that `left` is 0. */
static int countdown(void *user)
{
    int *left = user;
    return *left == 0 || --*left == 0;
}

/* Loading and saving stop whenever they look, and leave nothing behind. */
static void cancelled(void **unused)
{
    (void)unused;
    for (int i = 0; i < N_STATES; i++) {
        rug_context *ctx = test_context();
        size_t n, n_again;
        uint8_t *bytes = some_state(ctx, &n, i);
        rug_status status = RUG_E_CANCELLED;
        int k = 0;
        for (; status == RUG_E_CANCELLED; k++) {
            int left = k + 1;
            state s;
            uint8_t *again = NULL;
            rug_context_set_cancel(ctx, countdown, &left);
            status = load(ctx, &s, bytes, n);
            if (status == RUG_OK)
                status = save(ctx, &again, &n_again, &s);
            drop(&s);
            rug_context_release(ctx, again);
        }
        assert_int_equal(status, RUG_OK);
        assert_in_range(k, 4, 400);
        rug_context_release(ctx, bytes);
        rug_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order),
        cmocka_unit_test(damaged),
        cmocka_unit_test(changed_by_others),
        cmocka_unit_test(huge_images),
        cmocka_unit_test(huge_claims),
        cmocka_unit_test(huge_combs),
        cmocka_unit_test(staircase),
        cmocka_unit_test(nested_boxes),
        cmocka_unit_test(other_options),
        cmocka_unit_test(other_states),
        cmocka_unit_test(points),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
