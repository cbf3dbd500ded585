/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counts in parts against the count of the whole: random trees of splits into tiles and
 * slabs, added in any order, to one state or to several that are merged. */

#include "support.h"

#include "boxcount_support.h"
#include "memory_support.h"

#define N_TREES TEST_CASES(1000)

#define MAX_PARTS  64
#define MAX_STATES 4

/* A part of the whole, slowest axis first. */
typedef struct part {
    size_t first[3], shape[3];
} part;

typedef struct tree {
    part parts[MAX_PARTS];
    size_t n;
} tree;

/* Splits a part in two at a random place, often one that is no multiple of 64. */
static void split(tree *t, uint64_t *rng, int ndim)
{
    part *a = &t->parts[test_below(rng, t->n)];
    int axis = (int)test_below(rng, (uint64_t)ndim);
    if (a->shape[axis] < 2 || t->n == MAX_PARTS)
        return;
    size_t at = 1 + test_below(rng, a->shape[axis] - 1);
    if (test_below(rng, 2) == 0) {
        size_t aligned = (a->first[axis] + at) / 64 * 64;
        if (aligned > a->first[axis])
            at = aligned - a->first[axis];
    }
    part *b = &t->parts[t->n++];
    *b = *a;
    a->shape[axis] = at;
    b->first[axis] += at;
    b->shape[axis] -= at;
}

static void shuffle(tree *t, uint64_t *rng)
{
    for (size_t i = t->n; i > 1; i--) {
        size_t j = test_below(rng, i);
        part p = t->parts[i - 1];
        t->parts[i - 1] = t->parts[j];
        t->parts[j] = p;
    }
}

static void fill(uint64_t *rng, uint8_t *pixels, size_t n)
{
    uint64_t style = test_below(rng, 4), run = 0;
    uint8_t value = 0;
    for (size_t i = 0; i < n; i++) {
        if (run-- == 0) {
            run = style == 0 ? test_below(rng, 400) : style == 1 ? 0 : test_below(rng, 9);
            value =
                (uint8_t)(style == 3 ? test_below(rng, 200) != 0 : test_below(rng, 2));
        }
        pixels[i] = value;
    }
}

static rug_image view_of(const rug_image *whole, const part *p)
{
    rug_image v = *whole;
    ptrdiff_t offset = 0;
    for (int a = 0; a < v.ndim; a++) {
        v.shape[a] = p->shape[a];
        offset += (ptrdiff_t)p->first[a] * v.stride[a];
    }
    v.data = (const char *)v.data + offset;
    return v;
}

/* The pixels of a part as packed bits, which must begin at a byte. */
static rug_image packed_of(rug_context *ctx, const rug_image *img, uint8_t *bytes)
{
    rug_image v;
    assert_int_equal(rug_image_view(ctx, &v, bytes, RUG_BIT, img->ndim, img->shape),
                     RUG_OK);
    size_t nx = img->shape[img->ndim - 1], ny = img->shape[img->ndim - 2];
    size_t nz = img->ndim == 3 ? img->shape[0] : 1;
    memset(bytes, 0, nz * ny * ((nx + 7) / 8));
    for (size_t z = 0; z < nz; z++)
        for (size_t y = 0; y < ny; y++, bytes += (nx + 7) / 8)
            for (size_t x = 0; x < nx; x++)
                if (test_pixel(img, z, y, x) != 0)
                    bytes[x / 8] = (uint8_t)(bytes[x / 8] | 1 << x % 8);
    return v;
}

typedef struct scene {
    rug_image whole, mask; /* mask.data NULL: none */
    rug_boxcount_options opts;
} scene;

static void must(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

static void add_part(rug_context *ctx, rug_boxcount_parts *state, const scene *s,
                     const part *p, int as_bits)
{
    rug_image img = view_of(&s->whole, p), mask;
    uint8_t *bytes = NULL;
    if (s->mask.data != NULL)
        mask = view_of(&s->mask, p);
    if (as_bits) {
        bytes =
            malloc(img.shape[0] * img.shape[1] * (img.ndim == 3 ? img.shape[2] : 1) + 8);
        assert_non_null(bytes);
        img = packed_of(ctx, &img, bytes);
    }
    must(ctx, rug_boxcount_parts_add(ctx, state, &img,
                                     s->mask.data != NULL ? &mask : NULL, p->first));
    free(bytes);
}

/* The bytes of a state. */
static uint8_t *save(rug_context *ctx, const rug_boxcount_parts *state, size_t *n)
{
    uint8_t *bytes;
    must(ctx, rug_boxcount_parts_save(ctx, &bytes, n, state));
    return bytes;
}

/* Puts a state in the place of one that is saved and loaded, and saves to the same bytes. */
static void travel(rug_context *ctx, rug_boxcount_parts **state)
{
    size_t n, n_again;
    uint8_t *bytes = save(ctx, *state, &n);
    rug_boxcount_parts_free(*state);
    must(ctx, rug_boxcount_parts_load(ctx, state, bytes, n));
    uint8_t *again = save(ctx, *state, &n_again);
    assert_int_equal(n_again, n);
    assert_memory_equal(again, bytes, n);
    rug_context_release(ctx, again);
    rug_context_release(ctx, bytes);
}

/* A state of all parts has the bytes of one to which the whole was added. */
static void assert_saves_as_whole(rug_context *ctx, const rug_boxcount_parts *state,
                                  const scene *s)
{
    rug_boxcount_parts *whole;
    size_t n, n_whole;
    part all = {{0, 0, 0}, {0}};
    memcpy(all.shape, s->whole.shape, sizeof all.shape);
    must(ctx,
         rug_boxcount_parts_new(ctx, &whole, s->whole.ndim, s->whole.shape, &s->opts));
    add_part(ctx, whole, s, &all, 0);
    uint8_t *bytes = save(ctx, state, &n), *expected = save(ctx, whole, &n_whole);
    assert_int_equal(n, n_whole);
    assert_memory_equal(bytes, expected, n);
    rug_context_release(ctx, bytes);
    rug_context_release(ctx, expected);
    rug_boxcount_parts_free(whole);
}

/* Adds the parts to random states and merges these in a random order; some are saved and loaded
 * on the way. */
static void count_tree(rug_context *ctx, test_counts *out, const scene *s, const tree *t,
                       uint64_t *rng)
{
    rug_boxcount_parts *states[MAX_STATES];
    size_t n_states = 1 + test_below(rng, MAX_STATES);
    for (size_t i = 0; i < n_states; i++)
        must(ctx, rug_boxcount_parts_new(ctx, &states[i], s->whole.ndim, s->whole.shape,
                                         &s->opts));
    for (size_t i = 0; i < t->n; i++) {
        size_t to = test_below(rng, n_states);
        add_part(ctx, states[to], s, &t->parts[i], test_below(rng, 3) == 0);
        if (test_below(rng, 8) == 0)
            travel(ctx, &states[to]);
    }
    for (; n_states > 1; n_states--) {
        size_t into = test_below(rng, n_states - 1);
        if (test_below(rng, 2) == 0)
            travel(ctx, &states[n_states - 1]);
        if (test_below(rng, 2) == 0)
            travel(ctx, &states[into]);
        must(ctx, rug_boxcount_merge(ctx, states[into], states[n_states - 1]));
        rug_boxcount_parts_free(states[n_states - 1]);
    }
    assert_saves_as_whole(ctx, states[0], s);
    must(ctx, test_boxcount_parts_finish(ctx, out, states[0]));
    rug_boxcount_parts_free(states[0]);
}

static void assert_same(const test_counts *a, const test_counts *b, const char *what)
{
    test_assert_counts_equal(a, b, what);
    assert_string_equal(a->method, b->method);
    assert_memory_equal(a->positions, b->positions, sizeof a->positions);
    assert_int_equal(a->foreground.kind, b->foreground.kind);
}

/* A rule that sets 0 or 1 or both, and a way to count. */
static void random_options(uint64_t *rng, rug_boxcount_options *opts)
{
    static const uint64_t sizes[3] = {1, 3, 10};
    opts->foreground =
        (rug_foreground){(rug_foreground_kind)(RUG_FOREGROUND_ABOVE + test_below(rng, 3)),
                         (double)test_below(rng, 2), 0};
    if (test_below(rng, 2) == 0)
        opts->foreground.kind = RUG_FOREGROUND_NONZERO;
    if (test_below(rng, 6) == 0)
        opts->method = RUG_BOXCOUNT_WINDOW;
    if (test_below(rng, 6) > 0)
        return;
    opts->method = RUG_BOXCOUNT_AUTO;
    opts->grid = (rug_boxcount_grid)test_below(rng, 3);
    opts->sizes = sizes;
    opts->n_sizes = 3;
}

static void random_trees(void **state)
{
    (void)state;
    static test_counts whole, parts;
    rug_context *ctx = test_context();
    uint64_t rng = 11;
    for (int k = 0; k < N_TREES; k++) {
        int ndim = 2 + (int)test_below(&rng, 2);
        size_t longest = ndim == 2 ? 300 : 90, n[3];
        for (int a = 0; a < 3; a++)
            n[a] = 1 + test_below(&rng, test_below(&rng, 2) == 0 ? longest : 70);
        size_t nz = ndim == 3 ? n[0] : 0, n_pixels = (nz > 0 ? nz : 1) * n[1] * n[2];
        uint8_t *pixels = malloc(2 * n_pixels), *mask = pixels + n_pixels;
        assert_non_null(pixels);
        fill(&rng, pixels, n_pixels);
        fill(&rng, mask, n_pixels);
        scene s = {test_u8(pixels, nz, n[1], n[2]), {0}, RUG_BOXCOUNT_OPTIONS_INIT};
        s.opts.foreground.kind = RUG_FOREGROUND_NONZERO;
        if (test_below(&rng, 4) == 0)
            s.mask = test_u8(mask, nz, n[1], n[2]);
        rug_source mask_source = source_of_image(&s.mask);
        s.opts.mask = s.mask.data != NULL ? &mask_source : NULL;
        random_options(&rng, &s.opts);
        tree t = {.n = 1};
        memcpy(t.parts[0].shape, s.whole.shape, sizeof t.parts[0].shape);
        for (uint64_t i = test_below(&rng, 20); i > 0; i--)
            split(&t, &rng, ndim);
        shuffle(&t, &rng);
        rug_context_set_threads(ctx, 1 + (int)test_below(&rng, 4));
        must(ctx, test_boxcount(ctx, &whole, &s.whole, &s.opts));
        count_tree(ctx, &parts, &s, &t, &rng);
        char what[64];
        snprintf(what, sizeof what, "tree %d of %zu parts", k, t.n);
        assert_same(&parts, &whole, what);
        free(pixels);
    }
    rug_context_free(ctx);
}

/* Two states that have nothing in common but the shape. */
static void refused(rug_context *ctx, rug_status status, const char *text)
{
    assert_int_equal(status, RUG_E_ARG);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text,
                 rug_context_error(ctx));
}

static void bad_parts(void **state)
{
    (void)state;
    static test_counts out;
    rug_context *ctx = test_context();
    static const uint8_t pixels[6] = {1, 0, 1, 0, 1, 1};
    rug_image img = test_u8(pixels, 0, 2, 3), volume = test_u8(pixels, 1, 2, 3);
    const size_t shape[2] = {4, 3}, origin[3] = {0, 0, 0}, below[2] = {2, 0};
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    rug_boxcount_parts *p, *q;
    refused(ctx, rug_boxcount_parts_new(ctx, &p, 2, shape, &opts), "resolve");
    assert_null(p);
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    opts.method = RUG_BOXCOUNT_HOU;
    refused(ctx, rug_boxcount_parts_new(ctx, &p, 2, shape, &opts), "hou");
    opts.method = RUG_BOXCOUNT_AUTO;
    refused(ctx, rug_boxcount_parts_new(ctx, &p, 4, shape, &opts), "4 axes");
    refused(ctx, rug_boxcount_parts_new(ctx, &p, 2, NULL, &opts), "NULL");
    must(ctx, rug_boxcount_parts_new(ctx, &p, 2, shape, &opts));
    refused(ctx, rug_boxcount_parts_add(ctx, p, &volume, NULL, origin), "3 axes");
    refused(ctx, rug_boxcount_parts_add(ctx, p, &img, NULL, (size_t[2]){3, 0}),
            "from pixel 3 on along axis 0");
    refused(ctx, rug_boxcount_parts_add(ctx, p, &img, NULL, (size_t[2]){SIZE_MAX, 0}),
            "but the image has 4");
    refused(ctx, rug_boxcount_parts_add(ctx, p, &img, &img, origin), "none expected");
    must(ctx, rug_boxcount_parts_add(ctx, p, &img, NULL, origin));
    refused(ctx, test_boxcount_parts_finish(ctx, &out, p), "6 of 12 pixels");
    refused(ctx, rug_boxcount_parts_add(ctx, p, &img, NULL, (size_t[2]){1, 0}),
            "pixel 0,1,0");
    opts.foreground = (rug_foreground){RUG_FOREGROUND_ABOVE, 1, 0};
    must(ctx, rug_boxcount_parts_new(ctx, &q, 2, shape, &opts));
    refused(ctx, rug_boxcount_merge(ctx, p, q), "same");
    rug_boxcount_parts_free(q);
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    must(ctx, rug_boxcount_parts_new(ctx, &q, 2, shape, &opts));
    must(ctx, rug_boxcount_parts_add(ctx, q, &img, NULL, origin));
    rug_boxcount_parts *r;
    must(ctx, rug_boxcount_parts_new(ctx, &r, 2, shape, &opts));
    must(ctx, rug_boxcount_parts_add(ctx, r, &img, NULL, below));
    must(ctx, rug_boxcount_merge(ctx, q, r));
    must(ctx, test_boxcount_parts_finish(ctx, &out, q));
    assert_int_equal(out.counts[0].nonempty, 8);
    refused(ctx, rug_boxcount_merge(ctx, q, r), "was added before");
    rug_boxcount_parts_free(r);
    rug_boxcount_parts_free(q);
    rug_boxcount_parts_free(p);
    rug_boxcount_parts_free(NULL);
    rug_context_free(ctx);
}

/* Every allocation fails once; nothing is lost and nothing leaks. */
static void failing_memory(void **state)
{
    (void)state;
    static test_counts out;
    static uint8_t pixels[100 * 150];
    uint64_t rng = 5;
    fill(&rng, pixels, sizeof pixels);
    rug_image whole = test_u8(pixels, 0, 100, 150);
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    const part halves[2] = {{{0, 0, 0}, {100, 70, 0}}, {{0, 70, 0}, {100, 80, 0}}};
    for (int masked = 0; masked < 2; masked++) {
        rug_status status = RUG_E_NOMEM;
        rug_source mask = source_of_image(&whole);
        opts.mask = masked ? &mask : NULL;
        for (size_t k = 1; status == RUG_E_NOMEM; k++) {
            rug_context *ctx = test_context();
            memory m = {.fail_at = k};
            rug_boxcount_parts *p = NULL, *q = NULL;
            memory_hook(ctx, &m);
            status = rug_boxcount_parts_new(ctx, &p, 2, whole.shape, &opts);
            if (status == RUG_OK)
                status = rug_boxcount_parts_new(ctx, &q, 2, whole.shape, &opts);
            for (int i = 0; i < 2 && status == RUG_OK; i++) {
                rug_image v = view_of(&whole, &halves[i]);
                status = rug_boxcount_parts_add(ctx, i == 0 ? p : q, &v,
                                                masked ? &v : NULL, halves[i].first);
            }
            if (status == RUG_OK)
                status = rug_boxcount_merge(ctx, p, q);
            if (status == RUG_OK)
                status = test_boxcount_parts_finish(ctx, &out, p);
            rug_boxcount_parts_free(p);
            rug_boxcount_parts_free(q);
            rug_context_free(ctx);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            assert_true(status == RUG_OK || status == RUG_E_NOMEM);
            assert_true(status == RUG_OK || k < 200);
        }
        assert_int_equal(status, RUG_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trees),
        cmocka_unit_test(bad_parts),
        cmocka_unit_test(failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
