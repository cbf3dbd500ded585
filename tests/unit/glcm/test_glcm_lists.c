/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lists of pairs and keys of rows of bytes, which kernels of co-occurrence make, by
 * themselves at every CPU level against their description, in their order. */

#include "support.h"
/* support.h brings cmocka, which these use */
#include "glcm_kernels_support.h"

#define N_CASES TEST_CASES(300)

typedef struct box {
    rugi_glcm_tile tile;
    uint64_t *mask;
    uint16_t *rank, *level;
} box;

/* Masks that are full, empty, sparse, dense, or runs. */
static uint64_t random_word(uint64_t *seed, int kind)
{
    uint64_t a = test_random(seed), b = test_random(seed), c = test_random(seed);
    switch (kind) {
    case 0: return UINT64_MAX;
    case 1: return 0;
    case 2: return a & b & c & test_random(seed);
    case 3: return a | b | c;
    case 4: return UINT64_MAX << a % 64 & UINT64_MAX >> b % 64;
    default: return a;
    }
}

static box random_box(uint64_t *seed)
{
    static const uint32_t spans[] = {1, 2, 16, 300, 32768, 65536};
    box b = {.tile = {.nz = 1 + test_below(seed, 3),
                      .ny = 1 + test_below(seed, 9),
                      .nx = 1 + test_below(seed, 150),
                      .span = spans[test_below(seed, 6)]}};
    rugi_glcm_tile *t = &b.tile;
    t->n_words = (t->nx - 1) / 64 + 1;
    size_t n_words = t->nz * t->ny * t->n_words, n = 64 * n_words + 2 * RUGI_GLCM_MARGIN;
    b.mask = room(n_words, sizeof *b.mask);
    b.rank = room(n, sizeof *b.rank);
    b.level = room(n, sizeof *b.level);
    int kind = (int)test_below(seed, 6), same = test_below(seed, 3) == 0;
    for (size_t i = 0; i < n_words; i++) {
        size_t left = t->nx - i % t->n_words * 64;
        b.mask[i] = random_word(seed, kind);
        b.mask[i] &= left < 64 ? ((uint64_t)1 << left) - 1 : UINT64_MAX;
    }
    for (size_t i = 0; i < n; i++) {
        b.rank[i] = random_level(seed, t->span);
        b.level[i] = random_level(seed, t->span);
    }
    t->n_ranks = t->span;
    t->mask = b.mask;
    t->rank = b.rank + RUGI_GLCM_MARGIN;
    t->level = same ? t->rank : b.level + RUGI_GLCM_MARGIN;
    return b;
}

static void free_box(box *b)
{
    free(b->mask);
    free(b->rank);
    free(b->level);
}

static int is_inside(const rugi_glcm_tile *t, ptrdiff_t z, ptrdiff_t y, ptrdiff_t x)
{
    if (z < 0 || y < 0 || x < 0 || z >= (ptrdiff_t)t->nz || y >= (ptrdiff_t)t->ny ||
        x >= (ptrdiff_t)t->nx)
        return 0;
    size_t word = ((size_t)z * t->ny + (size_t)y) * t->n_words + (size_t)x / 64;
    return (int)(t->mask[word] >> (size_t)x % 64 & 1);
}

static uint32_t naive_key(rugi_glcm_keys keys, uint32_t a, uint32_t b, uint32_t n)
{
    uint32_t lo = a < b ? a : b, hi = a < b ? b : a;
    return keys == RUGI_GLCM_TRIANGLE ? (uint32_t)((uint64_t)hi * (hi + 1) / 2) + lo
           : keys == RUGI_GLCM_SQUARE ? a * n + b
           : keys == RUGI_GLCM_SORTED ? hi * 65536 + lo
                                      : a * 65536 + b;
}

static void list_pixel(rugi_glcm_lists *out, const rugi_glcm_tile *t,
                       const rugi_glcm_wanted *w, ptrdiff_t z, ptrdiff_t y, ptrdiff_t x)
{
    const int *o = w->offset;
    ptrdiff_t ny = (ptrdiff_t)t->ny, pitch = 64 * (ptrdiff_t)t->n_words;
    ptrdiff_t p = (z * ny + y) * pitch + x;
    ptrdiff_t q = ((z + o[0]) * ny + y + o[1]) * pitch + x + o[2];
    if (!is_inside(t, z, y, x))
        return;
    if (is_inside(t, z + o[0], y + o[1], x + o[2])) {
        int a = t->level[p], b = t->level[q];
        out->key[out->n_pairs] = naive_key(w->keys, t->rank[p], t->rank[q], t->n_ranks);
        out->difference[out->n_pairs] = (uint16_t)abs(a - b);
        out->sum[out->n_pairs++] = (uint16_t)(a + b);
    } else {
        out->no_next[out->n_no_next++] = t->rank[p];
    }
    if (!is_inside(t, z - o[0], y - o[1], x - o[2]))
        out->no_last[out->n_no_last++] = t->rank[p];
}

static rugi_glcm_wanted random_wanted(uint64_t *seed, const rugi_glcm_tile *t)
{
    rugi_glcm_wanted w = {.keys = (rugi_glcm_keys)test_below(seed, 4),
                          .with_levels = test_below(seed, 2) == 0,
                          .with_borders = test_below(seed, 2) == 0};
    const size_t shape[3] = {t->nz, t->ny, t->nx};
    for (int a = 0; a < 3; a++)
        w.offset[a] = (int)test_below(seed, 2 * shape[a] - 1) - (int)(shape[a] - 1);
    if (test_below(seed, 3) > 0)
        for (int a = 0; a < 3; a++)
            w.offset[a] = w.offset[a] > 0 ? 1 : w.offset[a] < 0 ? -1 : 0;
    w.first_row = test_below(seed, t->nz * t->ny);
    w.end_row = w.first_row + test_below(seed, t->nz * t->ny - w.first_row + 1);
    return w;
}

static void assert_same_lists(const rugi_glcm_lists *a, const rugi_glcm_lists *b,
                              const rugi_glcm_wanted *w)
{
    assert_int_equal(a->n_pairs, b->n_pairs);
    assert_memory_equal(a->key, b->key, b->n_pairs * sizeof *a->key);
    if (w->with_levels) {
        assert_memory_equal(a->difference, b->difference, b->n_pairs * 2);
        assert_memory_equal(a->sum, b->sum, b->n_pairs * 2);
    }
    assert_int_equal(a->n_no_next, w->with_borders ? b->n_no_next : 1);
    assert_int_equal(a->n_no_last, w->with_borders ? b->n_no_last : 1);
    assert_memory_equal(a->no_next, b->no_next, a->n_no_next * 2);
    assert_memory_equal(a->no_last, b->no_last, a->n_no_last * 2);
}

/* Appended to lists of one entry: those of any mask, offset and kind of key. */
static void lists(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t seed = 81;
    for (int k = 0; k < N_CASES; k++) {
        box b = random_box(&seed);
        const rugi_glcm_tile *t = &b.tile;
        rugi_glcm_wanted w = random_wanted(&seed, t);
        size_t n_pixels = (w.end_row - w.first_row) * t->nx + 1;
        rugi_glcm_lists expected = new_lists(n_pixels);
        expected.n_pairs = expected.n_no_next = expected.n_no_last = 1;
        for (size_t r = w.first_row; r < w.end_row; r++)
            for (size_t x = 0; x < t->nx; x++)
                list_pixel(&expected, t, &w, (ptrdiff_t)(r / t->ny),
                           (ptrdiff_t)(r % t->ny), (ptrdiff_t)x);
        for (int level = 0; level < n_kernels(ctx); level++) {
            rugi_glcm_lists got = new_lists(n_pixels);
            got.n_pairs = got.n_no_next = got.n_no_last = 1;
            kernels_of(level).list(&got, t, &w);
            assert_same_lists(&got, &expected, &w);
            free_lists(&got, n_pixels);
        }
        free_lists(&expected, n_pixels);
        free_box(&b);
    }
    rug_context_free(ctx);
}

/* Rows of bytes of any base; what they are taken from may wrap. */
typedef struct rows {
    size_t n, d;
    uint8_t base, *top, *bottom;
} rows;

static rows random_rows(uint64_t *seed, uint32_t n_levels)
{
    rows r = {.n = test_below(seed, 200), .d = 1 + test_below(seed, 70)};
    r.base = (uint8_t)test_below(seed, 256);
    r.top = room(r.n + r.d, 1);
    r.bottom = room(r.n + r.d, 1);
    for (size_t x = 0; x < r.n + r.d; x++) {
        r.top[x] = (uint8_t)(r.base + test_below(seed, n_levels));
        r.bottom[x] = (uint8_t)(r.base + test_below(seed, n_levels));
    }
    return r;
}

static void free_rows(rows *r)
{
    free(r->top);
    free(r->bottom);
}

static unsigned level_at(const rows *r, const uint8_t *row, size_t x)
{
    return (uint8_t)(row[x] - r->base);
}

static void tuples(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t seed = 91;
    for (int k = 0; k < N_CASES; k++)
        for (int level = 0; level < n_kernels(ctx); level++) {
            int few = k % 2;
            rows r = random_rows(&seed, few ? 16 : 32);
            const rugi_glcm_bytes_kernels *kernels = kernels_of(level).bytes;
            uint16_t *key = guarded_room(r.n, 2), *other = guarded_room(r.n, 2);
            if (few)
                kernels->corners(key, r.top, r.bottom, r.n, r.d, r.base);
            else
                kernels->triples(key, other, r.top, r.bottom, r.n, r.d, r.base);
            for (size_t x = 0; x < r.n; x++) {
                unsigned a = level_at(&r, r.top, x), b = level_at(&r, r.top, x + r.d);
                unsigned c = level_at(&r, r.bottom, x);
                unsigned e = level_at(&r, r.bottom, x + r.d);
                assert_int_equal(key[x], few ? a * 4096 + b * 256 + c * 16 + e
                                             : a * 1024 + b * 32 + e);
                if (!few)
                    assert_int_equal(other[x], c * 256 + b);
            }
            assert_guarded(key, r.n, 2);
            assert_guarded(other, r.n, 2);
            free(key);
            free(other);
            free_rows(&r);
        }
    rug_context_free(ctx);
}

static void pairs(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t seed = 92;
    for (int k = 0; k < N_CASES; k++)
        for (int level = 0; level < n_kernels(ctx); level++) {
            rows r = random_rows(&seed, 256);
            uint16_t *key = guarded_room(r.n, 2);
            kernels_of(level).bytes->pairs(key, r.top, r.bottom, r.n, k % 2);
            for (size_t x = 0; x < r.n; x++) {
                unsigned a = r.top[x], b = r.bottom[x];
                assert_int_equal(key[x], k % 2 && a < b ? b * 256 + a : a * 256 + b);
            }
            assert_guarded(key, r.n, 2);
            free(key);
            free_rows(&r);
        }
    rug_context_free(ctx);
}

static void extremes(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t seed = 93;
    for (int k = 0; k < N_CASES; k++) {
        size_t n = test_below(&seed, 200);
        uint32_t least[2] = {UINT32_MAX, UINT32_MAX}, most[2] = {0, 0};
        uint8_t *bytes = room(n + 1, 1);
        uint16_t *words = room(n + 1, 2);
        for (size_t i = 0; i < n; i++) {
            uint32_t v = bytes[i] = (uint8_t)test_below(&seed, 256);
            uint32_t w = words[i] = (uint16_t)test_below(&seed, 65536);
            least[0] = v < least[0] ? v : least[0];
            least[1] = w < least[1] ? w : least[1];
            most[0] = v > most[0] ? v : most[0];
            most[1] = w > most[1] ? w : most[1];
        }
        for (int level = 0; level < n_kernels(ctx) && n > 0; level++) {
            uint32_t got[2] = {UINT32_MAX, 0};
            kernels_of(level).bytes->extremes8(got, bytes, n);
            assert_true(got[0] == least[0] && got[1] == most[0]);
            got[0] = UINT32_MAX, got[1] = 0;
            kernels_of(level).bytes->extremes16(got, words, n);
            assert_true(got[0] == least[1] && got[1] == most[1]);
            got[0] = 0, got[1] = 65535;
            kernels_of(level).bytes->extremes16(got, words, n);
            assert_true(got[0] == 0 && got[1] == 65535);
        }
        free(bytes);
        free(words);
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists), cmocka_unit_test(tuples),
                                       cmocka_unit_test(pairs),
                                       cmocka_unit_test(extremes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
