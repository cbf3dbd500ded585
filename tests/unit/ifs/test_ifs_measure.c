/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The errors of a stream's transforms against the image that was coded: by the definition, pixel by
 * pixel, and beside those of the best transforms before they are quantised. */

#include "support.h"

#include "ifs_compress_support.h"
#include <rugose/ifs_paper.h>

/* Transforms of a stream, kept as they come. */
typedef struct list {
    rug_ifs_transform *at;
    size_t n;
} list;

static rug_status keep(void *user, const rug_ifs_transform *t)
{
    list *l = user;
    l->at = realloc(l->at, (l->n + 1) * sizeof *l->at);
    assert_non_null(l->at);
    l->at[l->n++] = *t;
    return RUG_OK;
}

static list must_measure(rug_context *ctx, const rug_ifs_stream *s, const picture *p)
{
    list l = {NULL, 0}, plain = l;
    if (rug_ifs_measure_transforms(ctx, s->bytes, s->size, 0, p->views, p->n_planes, keep,
                                   &l) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_int_equal(rug_ifs_read_transforms(ctx, s->bytes, s->size, 0, keep, &plain),
                     RUG_OK);
    assert_int_equal(l.n, plain.n);
    for (size_t i = 0; i < l.n; i++) {
        const rug_ifs_transform *a = &l.at[i], *b = &plain.at[i];
        assert_true(isnan(b->error));
        assert_true(a->plane == b->plane && a->range_x == b->range_x &&
                    a->range_y == b->range_y && a->size == b->size &&
                    a->domain_x == b->domain_x && a->domain_y == b->domain_y &&
                    a->symmetry == b->symmetry && a->has_domain == b->has_domain &&
                    fabs(a->s - b->s) <= 0 && fabs(a->mean - b->mean) <= 0);
    }
    free(plain.at);
    return l;
}

/* ---- By the definition ---- */

/* A plane as it is coded, of whole blocks; what lies outside of the image goes on as its edge. */
typedef struct whole {
    size_t ny, nx;
    double *at;
} whole;

static whole whole_of(const picture *p, int plane, int is_ycocg, size_t block)
{
    whole w = {(p->ny + block - 1) / block * block, (p->nx + block - 1) / block * block,
               NULL};
    w.at = calloc(w.ny * w.nx, sizeof *w.at);
    assert_non_null(w.at);
    for (size_t y = 0; y < w.ny; y++)
        for (size_t x = 0; x < w.nx; x++) {
            double c[3] = {0, 0, 0}, top = picture_peak(p) + 1;
            for (int k = 0; k < p->n_planes; k++)
                c[k] = (double)test_pixel(&p->views[k], 0, y < p->ny ? y : p->ny - 1,
                                          x < p->nx ? x : p->nx - 1);
            double co = c[0] - c[2], t = c[2] + floor(co / 2), cg = c[1] - t;
            const double coded[3] = {t + floor(cg / 2), co + top, cg + top};
            w.at[y * w.nx + x] = is_ycocg ? coded[plane] : c[plane];
        }
    return w;
}

static double domain_pixel(const whole *w, const rug_ifs_transform *t, size_t y, size_t x)
{
    double sum = 0;
    for (size_t k = 0; k < 4; k++)
        sum += w->at[(t->domain_y + 2 * y + k / 2) % w->ny * w->nx +
                     (t->domain_x + 2 * x + k % 2) % w->nx];
    return sum / 4;
}

/* Of a block that is turned or mirrored. */
static double turned_pixel(const whole *w, const rug_ifs_transform *t, size_t y, size_t x)
{
    size_t last = t->size - 1;
    switch (t->symmetry) {
    case 1: return domain_pixel(w, t, x, last - y);
    case 2: return domain_pixel(w, t, last - y, last - x);
    case 3: return domain_pixel(w, t, last - x, y);
    case 4: return domain_pixel(w, t, y, last - x);
    case 5: return domain_pixel(w, t, last - y, x);
    case 6: return domain_pixel(w, t, x, y);
    case 7: return domain_pixel(w, t, last - x, last - y);
    default: return domain_pixel(w, t, y, x);
    }
}

static double naive_error(const whole *w, const picture *p, const rug_ifs_transform *t)
{
    double mean = 0, error = 0;
    size_t n = t->size, n_inside = 0;
    for (size_t i = 0; i < n * n && t->has_domain; i++)
        mean += domain_pixel(w, t, i / n, i % n) / (double)(n * n);
    for (size_t i = 0; i < n * n; i++) {
        size_t y = (t->range_y + i / n) % w->ny, x = (t->range_x + i % n) % w->nx;
        double made = t->mean;
        if (t->has_domain)
            made += t->s * (turned_pixel(w, t, i / n, i % n) - mean);
        if (y < p->ny && x < p->nx) {
            n_inside++;
            error += (w->at[y * w->nx + x] - made) * (w->at[y * w->nx + x] - made);
        }
    }
    return n_inside > 0 ? error : (double)NAN;
}

/* @return how many transforms have a domain, and of which symmetries, as bits */
static size_t assert_as_defined(rug_context *ctx, const picture *p,
                                const rug_ifs_options *opts, unsigned *symmetries)
{
    size_t block = opts->partition == RUG_IFS_QUADTREE ? 32 : opts->range_size;
    int is_ycocg = opts->partition == RUG_IFS_QUADTREE && p->n_planes == 3;
    size_t n_domains = 0;
    rug_ifs_stream s = must_compress(ctx, p, opts);
    list l = must_measure(ctx, &s, p);
    whole planes[3] = {{0, 0, NULL}, {0, 0, NULL}, {0, 0, NULL}};
    for (int k = 0; k < p->n_planes; k++)
        planes[k] = whole_of(p, k, is_ycocg, block);
    for (size_t i = 0; i < l.n; i++) {
        const rug_ifs_transform *t = &l.at[i];
        double expected = naive_error(&planes[t->plane], p, t);
        n_domains += t->has_domain;
        *symmetries |= t->has_domain ? 1U << t->symmetry : 0;
        if (!(fabs(t->error - expected) <= 1e-9 * (1 + expected)) &&
            !(isnan(t->error) && isnan(expected)))
            fail_msg("%zu x %zu, transform %zu of plane %u at (%u, %u): %g, not %g",
                     p->nx, p->ny, i, t->plane, t->range_y, t->range_x, t->error,
                     expected);
    }
    for (int k = 0; k < 3; k++)
        free(planes[k].at);
    free(l.at);
    rug_ifs_stream_free(ctx, &s);
    return n_domains;
}

static void by_the_definition(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{64, 64}, {45, 37}, {3, 70}, {1, 1}};
    static const uint32_t ranges[][2] = {{0, 0}, {5, 4}, {6, 2}};
    rug_context *ctx = small_context();
    size_t n_domains[3] = {0, 0, 0};
    unsigned symmetries = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int partition = 0; partition < 3; partition++)
            for (int is_colour = 0; is_colour < 2; is_colour++) {
                rug_ifs_options o = RUG_IFS_OPTIONS_INIT;
                picture p = picture_of(WEDGES + (int)i % 2, sizes[i][0], sizes[i][1],
                                       is_colour ? 3 : 1, (i + 1) % 3 == 0 ? 16 : 8);
                o.partition = (rug_ifs_partition)partition;
                o.range_size = ranges[partition][0];
                o.domain_step = ranges[partition][1];
                o.without_residual = partition == 0 && i == 0;
                n_domains[partition] += assert_as_defined(ctx, &p, &o, &symmetries);
                picture_free(&p);
            }
    for (int partition = 0; partition < 3; partition++)
        assert_true(n_domains[partition] > 20);
    assert_int_equal(symmetries, 255);
    rug_context_free(ctx);
}

/* No transform of a stream is better than the best there is, and quantising costs little: s is off
 * by at most 1 / 128, the mean by 1 / 8. */
static void beside_the_best(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    picture p = picture_of(EDGES, 64, 48, 1, 8);
    rug_ifs_options o = RUG_IFS_OPTIONS_INIT;
    rug_ifs_code *code;
    double sum = 0;
    o.partition = RUG_IFS_FIXED;
    o.range_size = 4;
    o.domain_step = 4;
    o.scale_max = 0.5;
    assert_int_equal(rug_ifs_find(ctx, &code, &p.views[0], &o), RUG_OK);
    rug_ifs_stream s = must_compress(ctx, &p, &o);
    list l = must_measure(ctx, &s, &p);
    assert_int_equal(l.n, rug_ifs_code_count(code));
    for (size_t i = 0; i < l.n; i++) {
        double best = sqrt(rug_ifs_code_at(code, i)->error), root = sqrt(l.at[i].error);
        assert_true(root >= best - 1e-6 && root <= best + 4 / 8.0 + 4 * 128 / 128.0);
        sum += l.at[i].error;
    }
    assert_true(sum > 0);
    free(l.at);
    rug_ifs_stream_free(ctx, &s);
    rug_ifs_code_free(code);
    picture_free(&p);
    rug_context_free(ctx);
}

/* ---- Calls ---- */

static rug_status stop(void *user, const rug_ifs_transform *t)
{
    (void)t;
    return --*(int *)user > 0 ? RUG_OK : RUG_E_CANCELLED;
}

static void refused(rug_context *ctx, const rug_ifs_stream *s, const picture *p, int n,
                    const char *why)
{
    list l = {NULL, 0};
    rug_status status = rug_ifs_measure_transforms(
        ctx, s->bytes, s->size, 0, p != NULL ? p->views : NULL, n, keep, &l);
    assert_int_equal(status, RUG_E_ARG);
    assert_int_equal(l.n, 0);
    if (strstr(rug_context_error(ctx), why) == NULL)
        fail_msg("'%s' does not say '%s'", rug_context_error(ctx), why);
}

static void bad_calls(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    picture p = picture_of(EDGES, 40, 33, 3, 8), small = picture_of(EDGES, 33, 40, 3, 8),
            deep = picture_of(EDGES, 40, 33, 3, 16);
    rug_ifs_stream s = must_compress(ctx, &p, NULL);
    int left = 3;
    refused(ctx, &s, &p, 1, "the original has 1 plane, the stream 3");
    refused(ctx, &s, &p, 0, "0 planes");
    refused(ctx, &s, &small, 3, "the original has 40x33 pixels, the image 33x40");
    refused(ctx, &s, &deep, 3, "the original is of u16, the stream of u8");
    refused(ctx, &s, NULL, 3, "NULL");
    assert_int_equal(
        rug_ifs_measure_transforms(ctx, s.bytes, s.size, 0, p.views, 3, stop, &left),
        RUG_E_CANCELLED);
    assert_int_equal(left, 0);
    assert_int_equal(
        rug_ifs_measure_transforms(ctx, s.bytes, s.size, 9, p.views, 3, stop, &left),
        RUG_E_ARG);
    assert_int_equal(
        rug_ifs_measure_transforms(ctx, s.bytes, s.size - 1, 0, p.views, 3, stop, &left),
        RUG_E_FORMAT);
    assert_int_equal(
        rug_ifs_measure_transforms(NULL, s.bytes, s.size, 0, p.views, 3, stop, &left),
        RUG_E_ARG);
    rug_ifs_stream_free(ctx, &s);
    picture_free(&p);
    picture_free(&small);
    picture_free(&deep);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_the_definition),
        cmocka_unit_test(beside_the_best),
        cmocka_unit_test(bad_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
