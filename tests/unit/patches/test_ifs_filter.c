/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Filters of decoded planes: against a naive one at every CPU level, through the coder, and
 * found by the encoder. */

#include "support.h"

#include "ifs/filter/ifs_filter_find.h"
#include "memory_support.h"
#include <math.h>

#define CLASSES RUGI_IFS_FILTER_CLASSES
#define TAPS    RUGI_IFS_FILTER_TAPS

static rugi_ifs_filters random_filters(uint64_t *state)
{
    rugi_ifs_filters f = {.n_filters = (uint8_t)(1 + test_below(state, 32)),
                          .limit = (uint8_t)test_below(state, 32)};
    unsigned most = test_below(state, 2) ? 127 : 9,
             share = 1 + (unsigned)test_below(state, 4);
    for (int c = 0; c < CLASSES; c++)
        f.of_class[c] = c > 0 && test_below(state, share)
                            ? f.of_class[c - 1]
                            : (uint8_t)test_below(state, f.n_filters + 1u);
    for (int i = 0; i < f.n_filters; i++)
        for (int t = 0; t < TAPS; t++)
            f.taps[i][t] = (int8_t)((int)test_below(state, most) - (int)most / 2);
    return f;
}

/* ---- Naive ---- */

/* Pixel (y, x), or the nearest one; of the plane at its coded size, of means. */
static int pixel_of(const rugi_ifs_unfiltered *p, int y, int x)
{
    int nx = (int)p->nx, ny = (int)p->ny;
    y = y < 0 ? 0 : y >= ny ? ny - 1 : y;
    x = x < 0 ? 0 : x >= nx ? nx - 1 : x;
    return p->pixels[(size_t)y * p->pitch + (size_t)x];
}

static int small_of(const rugi_ifs_unfiltered *p, int y, int x)
{
    int n = 1 << p->octave, nx = (int)p->nx / n, ny = (int)p->ny / n, sum = 0;
    y = y < 0 ? 0 : y >= ny ? ny - 1 : y;
    x = x < 0 ? 0 : x >= nx ? nx - 1 : x;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            sum += pixel_of(p, n * y + j, n * x + i);
    return (int)floor((sum + n * n / 2) / (double)(n * n));
}

/* The sum of second differences along (dy, dx) about the square of 4 x 4 at (y, x). */
static double slope(const rugi_ifs_unfiltered *p, int y, int x, int dy, int dx)
{
    double sum = 0;
    for (int j = y - 2; j < y + 6; j++)
        for (int i = x - 2; i < x + 6; i++)
            sum += abs(2 * small_of(p, j, i) - small_of(p, j - dy, i - dx) -
                       small_of(p, j + dy, i + dx));
    return sum;
}

typedef struct naive_kind {
    int class_of, turned, mirrored;
} naive_kind;

static naive_kind naive_kind_of(const rugi_ifs_unfiltered *p, int y, int x, double limit)
{
    double h = slope(p, y, x, 0, 1), v = slope(p, y, x, 1, 0);
    double f = slope(p, y, x, 1, 1), r = slope(p, y, x, 1, -1);
    naive_kind k = {0, v > h, r > f};
    double most = fmax(h, v), least = fmin(h, v), activity = (h + v) / (24 * limit);
    int is_diagonal = fmax(f, r) * least > most * fmin(f, r);
    if (is_diagonal) {
        most = fmax(f, r);
        least = fmin(f, r);
    }
    int direction = most > 4 * least ? 2 : most > 1.5 * least ? 1 : 0;
    if (direction > 0 && !is_diagonal)
        direction += 2;
    while (k.class_of < 7 && activity > pow(2, k.class_of))
        k.class_of++;
    k.class_of = 5 * k.class_of + direction;
    return k;
}

static int naive_pixel(const rugi_ifs_unfiltered *p, const int8_t *taps, naive_kind k,
                       int limit, int y, int x)
{
    static const int pairs[TAPS][2] = {{0, 1}, {1, 0},  {1, 1}, {1, -1}, {0, 2},
                                       {2, 0}, {0, 3},  {3, 0}, {0, 1},  {1, 0},
                                       {1, 1}, {1, -1}, {0, 2}, {2, 0}};
    int here = pixel_of(p, y, x), sum = 0, n = 1 << p->octave;
    for (int t = 0; t < TAPS; t++) {
        int dy = n * pairs[t][0], dx = n * pairs[t][1];
        int most = t < 8 ? 1 << 20 : t < 12 ? limit : limit / 2;
        if (k.turned) {
            int swap = dy;
            dy = dx;
            dx = swap;
        }
        if (k.mirrored)
            dx = -dx;
        for (int side = -1; side <= 1; side += 2) {
            int d = pixel_of(p, y + side * dy, x + side * dx) - here;
            sum += taps[t] * (d > most ? most : d < -most ? -most : d);
        }
    }
    int value = here + (int)floor((sum + 32) / 64.0);
    return value < p->least ? p->least : value > p->most ? p->most : value;
}

static void naive_filter(int16_t *out, const rugi_ifs_unfiltered *p,
                         const rugi_ifs_filters *f, const uint8_t *on)
{
    int n = 1 << p->octave, side = 4 * n, limit = (int)floor(pow(2, f->limit / 2.0));
    for (int y = 0; y < (int)p->ny; y += side)
        for (int x = 0; x < (int)p->nx; x += side) {
            naive_kind k = naive_kind_of(p, y / n, x / n, limit);
            int filter = f->of_class[k.class_of];
            if (!on[y / (32 * n) * ((int)p->nx / (32 * n)) + x / (32 * n)])
                filter = 0;
            for (int j = y; j < y + side; j++)
                for (int i = x; i < x + side; i++)
                    out[(size_t)j * p->pitch + (size_t)i] =
                        (int16_t)(filter == 0 ? pixel_of(p, j, i)
                                              : naive_pixel(p, f->taps[filter - 1], k,
                                                            limit, j, i));
        }
}

/* Noise about waves whose direction and height vary, or extremes; where it is `faint`, sums are
 * often just at the bounds of classes. */
static void random_plane(int16_t *out, const rugi_ifs_unfiltered *p, int faint,
                         uint64_t *state)
{
    int rule = (int)test_below(state, 4);
    double a = (double)test_below(state, 100) / 80,
           b = (double)test_below(state, 100) / 80;
    uint64_t noise = (uint64_t)1 << test_below(state, faint ? 3 : 12);
    for (size_t i = 0; i < p->ny * p->pitch; i++) {
        double y = (double)(i / p->pitch), x = (double)(i % p->pitch);
        double wave = (faint ? 0 : 40) * x * sin(a * y + b * x);
        if (rule == 0 && !faint)
            out[i] = (int16_t)(test_below(state, 2) ? p->most : p->least);
        else
            out[i] = (int16_t)fmax(fmin(wave + (double)test_below(state, noise), p->most),
                                   p->least);
    }
}

/* At every level, whole and in bands. */
static void check_levels(rug_context *ctx, const rugi_ifs_unfiltered *p,
                         const rugi_ifs_filters *f, const uint8_t *on)
{
    size_t n = p->ny * p->pitch;
    int16_t *expected = calloc(n, sizeof *expected), *out = calloc(n, sizeof *out);
    naive_filter(expected, p, f, on);
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        rugi_ifs_filter_kernels kernels;
        rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
        rugi_ifs_set_filter_kernels(&kernels, rug_context_cpu_level(ctx));
        rugi_ifs_filter_rows(&kernels, out, p, 0, p->ny, f, on);
        assert_memory_equal(out, expected, n * sizeof *out);
        memset(out, 0, n * sizeof *out);
        uint32_t side = 32u << p->octave;
        for (uint32_t y = 0; y < p->ny; y += side)
            rugi_ifs_filter_rows(&kernels, out, p, y, y + side, f, on);
        assert_memory_equal(out, expected, n * sizeof *out);
        memset(out, 0, n * sizeof *out);
    }
    free(expected);
    free(out);
}

static void test_naive(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    const int n_cases = TEST_CASES(60);
    uint64_t state = test_seed(ctx, 5, n_cases);
    for (int i = 0; i < n_cases; i++) {
        unsigned octave = i % 4 == 3 ? 1 + (unsigned)i / 4 % 2 : 0;
        rugi_ifs_unfiltered p = {
            .octave = octave,
            .nx = (uint32_t)(1 + test_below(&state, 4)) << (5 + octave),
            .ny = (uint32_t)(1 + test_below(&state, 2)) << (5 + octave),
            .least = i % 2 ? -16384 : INT16_MIN,
            .most = i % 2 ? 16383 : INT16_MAX};
        p.pitch = p.nx + test_below(&state, 3);
        size_t n = p.ny * p.pitch;
        int16_t *pixels = calloc(n, sizeof *pixels);
        int faint = i % 3 == 1;
        random_plane(pixels, &p, faint, &state);
        p.pixels = pixels;
        rugi_ifs_filters f = random_filters(&state);
        if (faint)
            f.limit %= 3;
        uint8_t on[8];
        for (int r = 0; r < 8; r++)
            on[r] = test_below(&state, 4) > 0;
        check_levels(ctx, &p, &f, on);
        free(pixels);
    }
    rug_context_free(ctx);
}

/* ---- Syntax ---- */

static void test_round_trip(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    const int n_cases = TEST_CASES(300);
    uint64_t state = test_seed(ctx, 6, n_cases);
    for (int i = 0; i < n_cases; i++) {
        rugi_ifs_filters f = random_filters(&state), read, kept;
        uint8_t on[35] = {0}, on_read[35], on_kept[35];
        if (i % 10 == 0)
            memset(&f, 0, sizeof f);
        for (int r = 0; r < 35 && f.n_filters > 0; r++)
            on[r] = i % 3 == 0 || test_below(&state, 5) > 0;
        kept = f;
        memcpy(on_kept, on, sizeof on);
        rugi_ifs_coder c;
        rugi_ifs_price_begin(&c);
        rugi_ifs_code_filters(&c, &f, on, 7, 5);
        assert_true(c.price > 0);
        rugi_ifs_write_begin(&c, ctx);
        rugi_ifs_code_filters(&c, &f, on, 7, 5);
        rugi_ifs_code_raw(&c, 16, 0xabcd); /* what follows is read where it stands */
        rugi_ifs_write_end(&c);
        assert_false(c.failed);
        assert_memory_equal(&f, &kept, sizeof f);
        assert_memory_equal(on, on_kept, sizeof on);
        rugi_ifs_coder r;
        rugi_ifs_read_begin(&r, c.bytes, c.n_bytes);
        rugi_ifs_code_filters(&r, &read, on_read, 7, 5);
        assert_int_equal(rugi_ifs_code_raw(&r, 16, 0), 0xabcd);
        assert_false(r.failed);
        assert_memory_equal(&read, &f, sizeof f);
        assert_memory_equal(on_read, on, sizeof on);
        rug_context_release(ctx, c.bytes);
    }
    rug_context_free(ctx);
}

/* Whatever the bytes are, what is read is valid. */
static void test_hostile(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    const int n_cases = TEST_CASES(2000);
    uint64_t state = test_seed(ctx, 7, n_cases);
    int n_failed = 0, n_filtered = 0;
    for (int i = 0; i < n_cases; i++) {
        uint8_t bytes[64], on[12];
        size_t n = test_below(&state, sizeof bytes + 1);
        for (size_t b = 0; b < n; b++)
            bytes[b] = i % 3 == 0 ? 0xff : (uint8_t)test_below(&state, 256);
        bytes[0] |= 0x80; /* filters are there */
        rugi_ifs_filters f;
        memset(&f, 0xa5, sizeof f);
        memset(on, 0xa5, sizeof on);
        rugi_ifs_coder c;
        rugi_ifs_read_begin(&c, bytes, n);
        rugi_ifs_code_filters(&c, &f, on, 4, 3);
        n_failed += c.failed;
        n_filtered += f.n_filters > 0;
        assert_true(f.n_filters <= RUGI_IFS_FILTERS_MAX);
        assert_true(f.limit < RUGI_IFS_FILTER_LIMITS);
        for (int k = 0; k < CLASSES; k++)
            assert_true(f.of_class[k] <= f.n_filters);
        for (int k = 0; k < RUGI_IFS_FILTERS_MAX * TAPS; k++)
            assert_true(abs(f.taps[k / TAPS][k % TAPS]) <= RUGI_IFS_FILTER_TAP_MAX);
        for (int k = 0; k < 12; k++)
            assert_true(on[k] <= 1);
    }
    assert_true(n_failed > n_cases / 10 && n_filtered > n_cases / 2);
    rug_context_free(ctx);
}

/* ---- Finding ---- */

#define N      128
#define USED_X 113
#define USED_Y 121

/* Edges of many directions; blurred and with noise it is what was decoded. Where `half`, only
 * the left half is blurred. */
static void make_planes(int16_t *decoded, int16_t *original, int half)
{
    uint64_t state = 8;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            double r = hypot(y - 64.2, x - 40.7);
            original[y * N + x] = (int16_t)(sin(r * r / 90) > 0 ? 5000 : -5000);
        }
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            int sum = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++)
                    sum += original[((y + j) & (N - 1)) * N + ((x + i) & (N - 1))];
            int blurred = !half || x < N / 2 ? sum / 9 : original[y * N + x];
            int noise = half && x >= N / 2 ? 0 : (int)test_below(&state, 600);
            decoded[y * N + x] = (int16_t)(blurred + noise - 300);
        }
    for (int i = 0; i < N * N; i++) /* nobody reads what is not used */
        if (i / N >= USED_Y || i % N >= USED_X)
            original[i] = (int16_t)test_random(&state);
}

static double error_of(const int16_t *a, const int16_t *b)
{
    double sum = 0;
    for (int i = 0; i < N * N; i++)
        if (i / N < USED_Y && i % N < USED_X)
            sum += (double)(a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

typedef struct found {
    rugi_ifs_filters filters;
    uint8_t on[16];
} found;

static rug_status find(rug_context *ctx, found *out, const int16_t *decoded,
                       const int16_t *original, double lambda)
{
    rugi_ifs_unfiltered p = {decoded, N, N, N, 0, -16384, 16383};
    return rugi_ifs_find_filters(ctx, &out->filters, out->on, &p, original, USED_X,
                                 USED_Y, lambda);
}

static double error_after(rug_context *ctx, const found *f, const int16_t *decoded,
                          const int16_t *original)
{
    static int16_t out[N * N];
    rugi_ifs_unfiltered p = {decoded, N, N, N, 0, -16384, 16383};
    rugi_ifs_filter_kernels kernels;
    rugi_ifs_set_filter_kernels(&kernels, rug_context_cpu_level(ctx));
    rugi_ifs_filter_rows(&kernels, out, &p, 0, N, &f->filters, f->on);
    return error_of(out, original);
}

static int16_t decoded[N * N], original[N * N];

/* Blur is taken back, by the same filters at all levels and with any number of threads. */
static void test_find(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    found first, other;
    memset(&first, 0, sizeof first);
    make_planes(decoded, original, 0);
    assert_int_equal(find(ctx, &first, decoded, original, 1e5), RUG_OK);
    assert_true(first.filters.n_filters > 1);
    double before = error_of(decoded, original);
    assert_true(error_after(ctx, &first, decoded, original) < 0.5 * before);
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++)
        for (int threads = 1; threads <= 4; threads += 3) {
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            rug_context_set_threads(ctx, threads);
            memset(&other, 0, sizeof other);
            assert_int_equal(find(ctx, &other, decoded, original, 1e5), RUG_OK);
            assert_memory_equal(&other, &first, sizeof first);
        }
    rug_context_free(ctx);
}

/* The more a bit is worth the fewer filters there are; what is exact is left alone. */
static void test_price(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    found f;
    uint8_t none[sizeof f] = {0};
    make_planes(decoded, original, 0);
    assert_int_equal(find(ctx, &f, decoded, original, 1e4), RUG_OK);
    unsigned n = f.filters.n_filters;
    assert_int_equal(find(ctx, &f, decoded, original, 1e7), RUG_OK);
    assert_true(f.filters.n_filters > 0 && f.filters.n_filters < n);
    assert_int_equal(find(ctx, &f, decoded, original, 1e12), RUG_OK);
    assert_memory_equal(&f, none, sizeof f);
    memcpy(decoded, original, sizeof decoded);
    assert_int_equal(find(ctx, &f, decoded, original, 1), RUG_OK);
    assert_memory_equal(&f, none, sizeof f);
    memset(decoded, 0, sizeof decoded); /* flat: there is nothing to filter with */
    assert_int_equal(find(ctx, &f, decoded, original, 1), RUG_OK);
    assert_memory_equal(&f, none, sizeof f);
    rug_context_free(ctx);
}

/* Roots that do not gain are off. */
static void test_on(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    found f;
    make_planes(decoded, original, 1);
    assert_int_equal(find(ctx, &f, decoded, original, 1e5), RUG_OK);
    assert_true(f.filters.n_filters > 0);
    for (int r = 0; r < 16; r++)
        if (r % 4 != 2) /* it sees the border of the halves */
            assert_int_equal(f.on[r], r % 4 < 2);
    double before = error_of(decoded, original);
    assert_true(error_after(ctx, &f, decoded, original) < 0.6 * before);
    rug_context_free(ctx);
}

static int cancel_at_once(void *user)
{
    (void)user;
    return 1;
}

static void test_failures(void **unused)
{
    (void)unused;
    found f;
    rug_status status = RUG_E_NOMEM;
    size_t fail_at = 1;
    make_planes(decoded, original, 1);
    for (; status != RUG_OK && fail_at < 100; fail_at++) {
        memory m = {.fail_at = fail_at};
        rug_context *ctx = test_context();
        memory_hook(ctx, &m);
        status = find(ctx, &f, decoded, original, 1e5);
        assert_true(status == RUG_OK || status == RUG_E_NOMEM);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        rug_context_free(ctx);
    }
    assert_true(status == RUG_OK && fail_at > 6);
    rug_context *ctx = test_context();
    rug_context_set_cancel(ctx, cancel_at_once, NULL);
    assert_int_equal(find(ctx, &f, decoded, original, 1e5), RUG_E_CANCELLED);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_naive),    cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_hostile),  cmocka_unit_test(test_find),
        cmocka_unit_test(test_price),    cmocka_unit_test(test_on),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
