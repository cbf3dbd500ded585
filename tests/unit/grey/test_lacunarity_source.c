/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lacunarity band by band and slab by slab: images and volumes of several bands against tables of
 * sums, sources in slabs against the same pixels in memory, to the last bit, and in how much
 * memory. */

#include "support.h"

#include "lacunarity_support.h"
#include "sample_support.h"
#include <stdatomic.h>
#include <stdio.h>

static lacunarity got, expected;

static void must(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

/* ---- Tables of sums ---- */

/* Of masses, and of pixels inside: entry (z, y, x) is over all before these. */
typedef struct table {
    size_t n[3];
    uint64_t *mass, *inside;
} table;

static size_t entry(const table *t, size_t z, size_t y, size_t x)
{
    return (z * (t->n[1] + 1) + y) * (t->n[2] + 1) + x;
}

static void sum_up(const table *t, uint64_t *sums)
{
    for (size_t z = 1; z <= t->n[0]; z++)
        for (size_t y = 1; y <= t->n[1]; y++) {
            uint64_t run = 0;
            for (size_t x = 1; x <= t->n[2]; x++) {
                run += sums[entry(t, z, y, x)];
                sums[entry(t, z, y, x)] = run + sums[entry(t, z - 1, y, x)] +
                                          sums[entry(t, z, y - 1, x)] -
                                          sums[entry(t, z - 1, y - 1, x)];
            }
        }
}

/* @param masks  flags in C order, or NULL */
static table make_table(const size_t n[3], const uint16_t *masses, const uint8_t *mask)
{
    table t = {.n = {n[0], n[1], n[2]}};
    size_t n_entries = entry(&t, n[0] + 1, 0, 0), i = 0;
    t.mass = calloc(n_entries, sizeof *t.mass);
    t.inside = calloc(n_entries, sizeof *t.inside);
    assert_true(t.mass != NULL && t.inside != NULL);
    for (size_t z = 1; z <= n[0]; z++)
        for (size_t y = 1; y <= n[1]; y++)
            for (size_t x = 1; x <= n[2]; x++, i++) {
                t.inside[entry(&t, z, y, x)] = mask == NULL || mask[i];
                t.mass[entry(&t, z, y, x)] = mask == NULL || mask[i] ? masses[i] : 0;
            }
    sum_up(&t, t.mass);
    sum_up(&t, t.inside);
    return t;
}

static uint64_t in_box(const table *t, const uint64_t *sums, const size_t to[3],
                       const size_t e[3])
{
    uint64_t m = 0;
    for (int k = 0; k < 8; k++) {
        uint64_t v =
            sums[entry(t, k & 1 ? to[0] - e[0] : to[0], k & 2 ? to[1] - e[1] : to[1],
                       k & 4 ? to[2] - e[2] : to[2])];
        m = (k ^ k >> 1 ^ k >> 2) & 1 ? m - v : m + v;
    }
    return m;
}

static rug_lacunarity_size size_of_table(const table *t, uint64_t size, int is_fixed)
{
    rug_lacunarity_size out = {size, NAN, NAN, NAN, 0, RUG_LACUNARITY_NO_BOXES};
    size_t e[3], step[3], to[3];
    uint64_t full = 1;
    long double sum = 0, squares = 0; /* whole numbers below 2^64 */
    for (int a = 0; a < 3; a++) {
        e[a] = t->n[a] > 1 ? (size_t)size : 1;
        step[a] = is_fixed ? e[a] : 1;
        full *= e[a];
    }
    for (to[0] = e[0]; to[0] <= t->n[0]; to[0] += step[0])
        for (to[1] = e[1]; to[1] <= t->n[1]; to[1] += step[1])
            for (to[2] = e[2]; to[2] <= t->n[2]; to[2] += step[2]) {
                if (in_box(t, t->inside, to, e) != full)
                    continue;
                long double m = in_box(t, t->mass, to, e);
                out.positions++;
                sum += m;
                squares += m * m;
            }
    if (out.positions == 0)
        return out;
    long double p = (long double)out.positions;
    out.mean = (double)(sum / p);
    out.variance = (double)((squares - sum * sum / p) / p);
    out.lacunarity = (double)(squares * p / (sum * sum));
    out.status = RUG_LACUNARITY_OK;
    return out;
}

/* ---- Several bands ---- */

/* Pixels of one image or volume, as the tests see them. */
typedef struct pixels {
    size_t n[3];
    int ndim;
    size_t count;
    uint16_t *values, *flags; /* flags: 1 where a value is at least 100 */
    uint8_t *mask;
} pixels;

static pixels make_pixels(int ndim, size_t nz, size_t ny, size_t nx)
{
    pixels p = {.n = {nz, ny, nx}, .ndim = ndim, .count = nz * ny * nx};
    p.values = malloc(p.count * sizeof *p.values);
    p.flags = malloc(p.count * sizeof *p.flags);
    p.mask = malloc(p.count);
    assert_true(p.values != NULL && p.flags != NULL && p.mask != NULL);
    uint64_t rng = 5;
    for (size_t i = 0; i < p.count; i++) {
        uint64_t random = test_random(&rng);
        p.values[i] = (uint16_t)(random % 251);
        p.flags[i] = p.values[i] >= 100;
        p.mask[i] = (random >> 20) % (p.count / 10) > 0; /* ten holes, about */
    }
    return p;
}

static void free_pixels(const pixels *p)
{
    free(p->values);
    free(p->flags);
    free(p->mask);
}

static rug_image view(const void *data, rug_dtype dtype, const pixels *p)
{
    rug_image img;
    assert_int_equal(rug_image_view(NULL, &img, data, dtype, p->ndim, p->n + 3 - p->ndim),
                     RUG_OK);
    return img;
}

static const uint64_t sizes[] = {1, 2, 7, 40, 90, 91, 300, 1200, 1400};

static void check_bands(rug_context *ctx, const pixels *p, int is_gray, int is_fixed,
                        int is_masked)
{
    rug_image img = view(p->values, RUG_U16, p), mask = view(p->mask, RUG_U8, p);
    rug_source inside = source_of_image(&mask);
    rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
    opts.foreground = (rug_foreground){RUG_FOREGROUND_ABOVE, 100, 0};
    opts.is_gray = is_gray;
    opts.boxes = is_fixed ? RUG_LACUNARITY_FIXED : RUG_LACUNARITY_GLIDING;
    opts.mask = is_masked ? &inside : NULL;
    opts.sizes = sizes;
    opts.n_sizes = 9;
    must(ctx, find_lacunarity(ctx, &got, &img, &opts));
    table t =
        make_table(p->n, is_gray ? p->values : p->flags, is_masked ? p->mask : NULL);
    char what[100];
    snprintf(what, sizeof what, "%zux%zux%zu%s%s%s", p->n[0], p->n[1], p->n[2],
             is_gray ? " grey" : "", is_fixed ? " fixed" : "",
             is_masked ? " masked" : "");
    for (uint32_t i = 0; i < got.facts.n_sizes; i += TEST_STEP(3)) {
        rug_lacunarity_size size = size_of_table(&t, sizes[i], is_fixed);
        /* the variance is a small difference of large sums here */
        if (fabs(got.sizes[i].variance - size.variance) > 1e-9 * size.mean * size.mean)
            fail_msg("%s, size %llu: variance %.17g, %.17g expected", what,
                     (unsigned long long)sizes[i], got.sizes[i].variance, size.variance);
        size.variance = got.sizes[i].variance;
        assert_size_equal(&got.sizes[i], &size, what);
    }
    free(t.mass);
    free(t.inside);
}

static void several_bands(void **state)
{
    (void)state;
    static const size_t shapes[][4] = {
        {2, 1, 1400, 1700}, {3, 130, 95, 170}, {3, 2100, 1, 900}};
    rug_context *ctx = test_context();
    for (size_t i = 0; i < 3; i++) {
        pixels p =
            make_pixels((int)shapes[i][0], shapes[i][1], shapes[i][2], shapes[i][3]);
        for (int k = TEST_RACES(7, (int)i); k < 8; k += 3 * TEST_STEP(3)) {
            rug_context_set_threads(ctx, 1 + k % 5);
            rug_context_set_cpu_level(ctx, (rug_cpu_level)(k % (RUG_CPU_MAX + 1)));
            check_bands(ctx, &p, k & 1, k >> 1 & 1, k >> 2);
        }
        free_pixels(&p);
    }
    rug_context_free(ctx);
}

static rug_status keep_label(void *user, const rug_region *region,
                             const rug_lacunarity_result *r)
{
    assert_int_equal(region->label, 7);
    copy_lacunarity(user, r);
    return RUG_OK;
}

/* A label all over an image of several bands: the pixels of the label alone. */
static void label_of_several_bands(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    pixels p = make_pixels(2, 1, 1400, 1700);
    uint8_t *ids = malloc(p.count);
    assert_non_null(ids);
    for (int k = 0; k < 4; k += TEST_STEP(TEST_RACES(4, 3))) {
        rug_image img = view(p.values, RUG_U16, &p), mask = view(p.mask, RUG_U8, &p),
                  labels = view(ids, RUG_U8, &p), own = view(p.flags, RUG_U16, &p);
        rug_source inside = source_of_image(&mask), regions = source_of_image(&labels);
        rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
        opts.foreground = (rug_foreground){RUG_FOREGROUND_ABOVE, 100, 0};
        opts.is_gray = k & 1;
        opts.mask = k & 2 ? &inside : NULL;
        for (size_t i = 0; i < p.count; i++) {
            ids[i] = i % 3 == 1 ? 0 : 7;
            p.flags[i] = ids[i] ? p.values[i] : 0;
        }
        must(ctx, find_lacunarity(ctx, &expected, &own, &opts));
        must(ctx, rug_lacunarity_labels(ctx, &img, &regions, &opts, keep_label, &got));
        assert_int_equal(got.facts.n_sizes, 11);
        assert_memory_equal(got.sizes, expected.sizes, 11 * sizeof got.sizes[0]);
        assert_int_equal(got.facts.n_set, expected.facts.n_set);
    }
    free(ids);
    free_pixels(&p);
    rug_context_free(ctx);
}

/* ---- Slabs ---- */

/* An allocator that knows how much there is at most. Blocks begin with their size. */
typedef struct meter {
    atomic_size_t live, most;
} meter;

static void *meter_allocate(void *user, size_t n_bytes, size_t alignment)
{
    meter *m = user;
    size_t whole = (n_bytes + 2 * alignment - 1) / alignment * alignment;
    char *block = aligned_alloc(alignment, whole);
    if (block == NULL)
        return NULL;
    memcpy(block, &n_bytes, sizeof n_bytes);
    size_t live = atomic_fetch_add(&m->live, n_bytes) + n_bytes;
    if (live > m->most)
        m->most = live;
    assert_int_equal(alignment, 64);
    return block + alignment;
}

static void meter_release(void *user, void *block)
{
    meter *m = user;
    size_t n_bytes;
    memcpy(&n_bytes, (char *)block - 64, sizeof n_bytes);
    atomic_fetch_sub(&m->live, n_bytes);
    free((char *)block - 64);
}

/* A source that is not in memory, as far as the library can see. */
typedef struct tape {
    rug_image img;
    size_t next, n_slabs;
} tape;

static rug_status read_tape(rug_context *ctx, void *user, rug_image *out, size_t first,
                            size_t n)
{
    tape *t = user;
    (void)ctx;
    assert_true(first == t->next || first == 0);
    t->next = first + n;
    t->n_slabs += n < t->img.shape[0];
    *out = t->img;
    out->shape[0] = n;
    out->data = (const char *)t->img.data + (ptrdiff_t)first * t->img.stride[0];
    return RUG_OK;
}

static rug_source source_of_tape(tape *t, const rug_image *img)
{
    *t = (tape){.img = *img};
    rug_source s = source_of_image(img);
    s.read = read_tape;
    s.user = t;
    return s;
}

static rug_status find_on_tape(rug_context *ctx, lacunarity *out, const rug_source *s,
                               const rug_lacunarity_options *opts)
{
    rug_lacunarity_result *r = NULL;
    rug_status status = rug_lacunarity_source(ctx, &r, s, opts);
    return keep_lacunarity(out, status, r);
}

static void assert_same(const char *what)
{
    const rug_lacunarity_facts *a = &got.facts, *b = &expected.facts;
    if (a->n_sizes != b->n_sizes || a->n_pixels != b->n_pixels || a->n_set != b->n_set ||
        a->n_left_out != b->n_left_out || a->unit_exponent != b->unit_exponent ||
        a->ndim != b->ndim || memcmp(a->shape, b->shape, sizeof a->shape) != 0 ||
        a->foreground.kind != b->foreground.kind || a->engine != b->engine)
        fail_msg("%s: other facts", what);
    for (uint32_t i = 0; i < a->n_sizes; i++) {
        const rug_lacunarity_size *p = &got.sizes[i], *q = &expected.sizes[i];
        if (p->size != q->size || p->positions != q->positions ||
            p->status != q->status || memcmp(&p->mean, &q->mean, sizeof p->mean) != 0 ||
            memcmp(&p->variance, &q->variance, sizeof p->mean) != 0 ||
            memcmp(&p->lacunarity, &q->lacunarity, sizeof p->mean) != 0)
            fail_msg("%s: other numbers at size %llu", what, (unsigned long long)p->size);
    }
}

/* Pixels of a few thousand doubles over and over: each row begins a few after the one before.
 * Several slabs, which takes megabytes, not hundreds of them. */
static void slabs(void **state)
{
    (void)state;
    enum { N = 40000 };
    static double numbers[N];
    static float inside[N];
    static const size_t shapes[][4] = {{2, 5000, 4096, 0}, {3, 4500, 64, 64}};
    static const uint64_t some[] = {2, 15, 60, 64, 2000};
    uint64_t rng = 77;
    for (size_t i = 0; i < N; i++) {
        numbers[i] = (double)test_below(&rng, 1000);
        inside[i] = test_below(&rng, 3000) ? 1 : test_below(&rng, 2) ? NAN : 0;
        if (i % 1001 == 7)
            numbers[i] = i % 2 ? NAN : INFINITY;
    }
    for (int k = TEST_RACES(9, 0); k < 16; k += 3 * TEST_STEP(3)) {
        const size_t *shape = shapes[k & 1];
        rug_image img = {.data = numbers, .dtype = RUG_F64, .ndim = (int)shape[0]}, mask;
        for (int a = img.ndim - 1; a >= 0; a--) {
            img.shape[a] = shape[a + 1];
            img.stride[a] = a == img.ndim - 1 ? 8 : a > 0 ? 512 : 24;
        }
        mask = img;
        mask.data = inside;
        mask.dtype = RUG_F32;
        for (int a = 0; a < img.ndim; a++)
            mask.stride[a] /= 2;
        tape t, mask_tape;
        rug_source s = source_of_tape(&t, &img), in_memory = source_of_image(&mask),
                   on_tape = source_of_tape(&mask_tape, &mask);
        rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
        opts.is_gray = k >> 1 & 1;
        opts.foreground.kind = k & 8 ? RUG_FOREGROUND_OTSU : RUG_FOREGROUND_NONZERO;
        opts.boxes = (rug_lacunarity_boxes)(k >> 2 & 1);
        opts.sizes = some;
        opts.n_sizes = 5;
        meter m = {0};
        const rug_allocator allocator = {meter_allocate, meter_release, &m};
        rug_context *ctx = test_context();
        rug_context_set_allocator(ctx, &allocator);
        rug_context_set_threads(ctx, 2);
        opts.mask = k & 8 ? &in_memory : NULL;
        must(ctx, find_lacunarity(ctx, &expected, &img, &opts));
        opts.mask = k & 8 ? &on_tape : NULL;
        m.most = 0;
        must(ctx, find_on_tape(ctx, &got, &s, &opts));
        char what[40];
        snprintf(what, sizeof what, "case %d", k);
        assert_same(what);
        assert_true(t.n_slabs > 1);
        /* of 20 million pixels, gliding boxes keep 2000 rows, or 64 slices: as whole numbers
         * of 2 bytes */
        if (m.most > ((size_t)(opts.is_gray && !opts.boxes ? 26 : 8) << 20))
            fail_msg("%s: %zu bytes", what, m.most);
        rug_context_free(ctx);
        assert_int_equal(m.live, 0);
    }
}

/* Any pixels and masks, on a tape. */
static void random_sources(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const int n_cases = TEST_CASES(1000);
    uint64_t seed = test_seed(ctx, 4711, n_cases);
    for (int i = 0; i < n_cases; i++) {
        uint64_t rng = seed + (uint64_t)i;
        sample a = random_sample(&rng);
        uint8_t *flags = calloc((size_t)rug_image_pixels(&a.img), 1);
        assert_non_null(flags);
        for (uint64_t k = 0; k < rug_image_pixels(&a.img); k++)
            flags[k] = test_below(&rng, 20) > 0;
        rug_image mask;
        must(ctx, rug_image_view(ctx, &mask, flags, RUG_U8, a.img.ndim, a.img.shape));
        tape t, mask_tape;
        rug_source s = source_of_tape(&t, &a.img), on_tape,
                   in_memory = source_of_image(&mask);
        on_tape = source_of_tape(&mask_tape, &mask);
        int is_masked = test_below(&rng, 2) > 0;
        rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
        opts.foreground = a.rule;
        opts.is_gray = test_below(&rng, 2) > 0;
        opts.boxes = (rug_lacunarity_boxes)test_below(&rng, 2);
        opts.mask = is_masked ? &in_memory : NULL;
        rug_status status = find_lacunarity(ctx, &expected, &a.img, &opts);
        opts.mask = is_masked ? &on_tape : NULL;
        assert_int_equal(find_on_tape(ctx, &got, &s, &opts), status);
        char what[40];
        snprintf(what, sizeof what, "case %d", i);
        assert_same(what);
        free(flags);
        free_sample(&a);
    }
    rug_context_free(ctx);
}

static rug_status torn(rug_context *ctx, void *user, rug_image *out, size_t first,
                       size_t n)
{
    (void)user;
    (void)out;
    return rug_context_fail(ctx, RUG_E_IO, "no %zu layers from %zu on", n, first);
}

static void sources_that_fail(void **state)
{
    (void)state;
    static uint8_t bytes[60];
    rug_context *ctx = test_context();
    rug_image img = test_u8(bytes, 0, 6, 10), other = test_u8(bytes, 0, 6, 9);
    rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
    rug_source good = source_of_image(&img), bad = good, wide = source_of_image(&other);
    bad.read = torn;
    assert_int_equal(find_on_tape(ctx, &got, &bad, NULL), RUG_E_IO);
    opts.mask = &bad;
    assert_int_equal(find_on_tape(ctx, &got, &good, &opts), RUG_E_IO);
    opts.mask = &wide;
    assert_int_equal(find_on_tape(ctx, &got, &good, &opts), RUG_E_ARG);
    assert_int_equal(find_on_tape(ctx, &got, NULL, NULL), RUG_E_ARG);
    opts.mask = NULL;
    assert_int_equal(rug_lacunarity_labels(ctx, &img, &bad, &opts, keep_label, &got),
                     RUG_E_IO);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_bands),
        cmocka_unit_test(label_of_several_bands),
        cmocka_unit_test(slabs),
        cmocka_unit_test(random_sources),
        cmocka_unit_test(sources_that_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
