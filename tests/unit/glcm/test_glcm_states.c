/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence in parts: random images, labels, masks and options, cut anywhere, added in any order
 * to states that are saved, loaded and merged, against the whole. */

#include "support.h"

#include "glcm_support.h"
#include "labels_support.h"
#include <stdio.h>

#include "glcm_random_support.h"

#define SEED   19730611
#define N_JOBS TEST_CASES(200)

static void must(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

static void refused(rug_context *ctx, rug_status status, const char *text)
{
    assert_int_equal(status, RUG_E_ARG);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text,
                 rug_context_error(ctx));
}

static rug_image cut(const rug_image *img, const size_t *first, const size_t *end)
{
    rug_image v = *img;
    const char *data = img->data;
    for (int a = 0; a < img->ndim; a++) {
        int is_bits = img->dtype == RUG_BIT && a == img->ndim - 1;
        v.shape[a] = end[a] - first[a];
        data +=
            is_bits ? (ptrdiff_t)(first[a] / 8) : (ptrdiff_t)first[a] * img->stride[a];
    }
    v.data = data;
    return v;
}

/* Puts a state in the place of one that is saved and loaded, and saves to the same bytes. */
static void travel(rug_context *ctx, rug_glcm_parts **p)
{
    uint8_t *bytes, *again;
    size_t n, n_again;
    must(ctx, rug_glcm_parts_save(ctx, &bytes, &n, *p));
    rug_glcm_parts_free(*p);
    must(ctx, rug_glcm_parts_load(ctx, p, bytes, n));
    must(ctx, rug_glcm_parts_save(ctx, &again, &n_again, *p));
    assert_int_equal(n_again, n);
    assert_memory_equal(again, bytes, n);
    rug_context_release(ctx, again);
    rug_context_release(ctx, bytes);
}

/* Adds a box with what is around it, and sometimes more. */
static rug_status add_part(rug_context *ctx, job *j, rug_glcm_parts *p,
                           const size_t *first, const size_t *end)
{
    const rug_image *img = &j->image.img;
    size_t from[3], to[3], shape[3], reach = rug_glcm_reach(&j->opts);
    for (int a = 0; a < img->ndim; a++) {
        size_t more = reach + test_below(&j->rng, 3);
        if (a == 0 && j->opts.slices != RUG_GLCM_SLICES_NONE && test_below(&j->rng, 2))
            more = 0;
        from[a] = first[a] > more ? first[a] - more : 0;
        to[a] = img->shape[a] - end[a] > more ? end[a] + more : img->shape[a];
        shape[a] = end[a] - first[a];
        if (img->dtype == RUG_BIT && a == img->ndim - 1)
            from[a] -= from[a] % 8;
    }
    rug_image part = cut(img, from, to), mask = cut(&j->mask.img, from, to);
    rug_image labels = cut(&j->labels.img, from, to);
    return rug_glcm_parts_add(ctx, p, &part, j->has_mask ? &mask : NULL,
                              j->has_labels ? &labels : NULL, from, first, shape);
}

/* Cuts a box at random places, and adds all of it to two states in any order. */
static rug_status add_random_parts(rug_context *ctx, job *j, rug_glcm_parts *p[2],
                                   const size_t *first, const size_t *end)
{
    int axis = (int)test_below(&j->rng, (uint64_t)j->image.img.ndim);
    size_t n = end[axis] - first[axis], middle[3], later[3];
    if (n < 2 || test_below(&j->rng, 3) == 0) {
        size_t to = test_below(&j->rng, 2);
        rug_status status = add_part(ctx, j, p[to], first, end);
        if (status == RUG_OK && test_below(&j->rng, 4) == 0)
            travel(ctx, &p[to]);
        return status;
    }
    memcpy(middle, end, sizeof middle);
    memcpy(later, first, sizeof later);
    later[axis] = middle[axis] = first[axis] + 1 + test_below(&j->rng, n - 1);
    int turned = (int)test_below(&j->rng, 2);
    rug_status status =
        add_random_parts(ctx, j, p, turned ? later : first, turned ? end : middle);
    return status == RUG_OK ? add_random_parts(ctx, j, p, turned ? first : later,
                                               turned ? middle : end)
                            : status;
}

/* The range of the values that count. */
static rug_image_range range_of(const job *j)
{
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    range.min = range.max = NAN;
    for (size_t i = 0; i < j->n; i++)
        if (j->kept[i] && isfinite(j->value[i])) {
            range.min = fmin(range.min, j->value[i]);
            range.max = fmax(range.max, j->value[i]);
        }
    return range;
}

/* Begins two states. @return whether that is possible */
static int begin(rug_context *ctx, job *j, rug_glcm_parts *p[2])
{
    const rug_image *img = &j->image.img;
    const rug_image_range range = range_of(j);
    const rug_image_range *given = test_below(&j->rng, 2) == 0 ? &range : NULL;
    rug_status status = rug_glcm_parts_new(ctx, &p[0], img->dtype, img->ndim, img->shape,
                                           &j->opts, given);
    if (status != RUG_OK && given == NULL) {
        given = &range;
        status = rug_glcm_parts_new(ctx, &p[0], img->dtype, img->ndim, img->shape,
                                    &j->opts, given);
    }
    if (status != RUG_OK) {
        refused(ctx, status, "which are too many to be kept");
        assert_true(img->dtype >= RUG_F32);
        return 0;
    }
    must(ctx, rug_glcm_parts_new(ctx, &p[1], img->dtype, img->ndim, img->shape, &j->opts,
                                 given));
    return 1;
}

/* @return whether rows were compared */
static int check_job(rug_context *ctx, job *j)
{
    const rug_image *img = &j->image.img;
    const size_t zero[3] = {0, 0, 0};
    glcm_rows whole = {0}, rows = {0};
    rug_glcm_parts *p[2];
    if (!begin(ctx, j, p))
        return 0;
    rug_status expected = rug_glcm(ctx, img, &j->opts, glcm_keep, &whole);
    rug_status status = add_random_parts(ctx, j, p, zero, img->shape);
    if (status == RUG_OK)
        status = rug_glcm_merge(ctx, p[0], p[1]);
    if (status == RUG_OK) {
        travel(ctx, &p[0]);
        status = rug_glcm_parts_finish(ctx, p[0], glcm_keep, &rows);
    }
    if (status != expected)
        fail_msg("seed %llu: %s", (unsigned long long)j->seed, rug_context_error(ctx));
    if (status == RUG_OK)
        assert_same_rows(&rows, &whole);
    free(rows.row);
    free(whole.row);
    rug_glcm_parts_free(p[0]);
    rug_glcm_parts_free(p[1]);
    return status == RUG_OK;
}

static void random_jobs(void **state)
{
    (void)state;
    static job j;
    rug_context *ctx = test_context();
    uint64_t seed = test_seed(ctx, SEED, N_JOBS);
    int n_compared = 0;
    for (int i = 0; i < N_JOBS; i++) {
        rug_context *own = test_context();
        rug_context_set_threads(own, 1 + i % 3);
        rug_context_set_cpu_level(own, (rug_cpu_level)(i % (RUG_CPU_MAX + 1)));
        make_job(&j, seed + (uint64_t)i);
        j.opts.pairs = RUG_GLCM_PAIRS_INSIDE;
        j.opts.frame = 0;
        n_compared += check_job(own, &j);
        free_job(&j);
        rug_context_free(own);
    }
    assert_in_range(n_compared, N_JOBS / 2, N_JOBS);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
