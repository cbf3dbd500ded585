/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Calls of the paper's modes: frames, what is refused and how, failing memory, cancelling. */

#include "support.h"

#include "ifs_paper_support.h"
#include "memory_support.h"

typedef struct frames {
    uint32_t next, n_pixels, stop_at;
    int first, last; /* a pixel at the start and at the end */
} frames;

static rug_status see_frame(void *user, uint32_t iteration, const rug_ifs_picture *p)
{
    frames *f = user;
    assert_int_equal(iteration, f->next++);
    assert_int_equal(p->nx * p->ny, f->n_pixels);
    if (iteration == 0)
        f->first = ((const uint8_t *)p->pixels)[5];
    f->last = ((const uint8_t *)p->pixels)[5];
    return f->stop_at != 0 && iteration == f->stop_at ? RUG_E_IO : RUG_OK;
}

static void seeing_frames(void **state)
{
    (void)state;
    uint64_t rng = 45;
    rug_context *ctx = test_context();
    gray g = random_gray(&rng, 20, 24);
    rug_ifs_code *code = must_find(ctx, &g.img, NULL);
    frames f = {.n_pixels = 4 * 20 * 24};
    rug_ifs_picture p;
    assert_int_equal(rug_ifs_iterate(ctx, code, &p, 2, 6, see_frame, &f), RUG_OK);
    assert_int_equal(f.next, 7);
    assert_int_equal(f.first, 128);
    assert_int_equal(f.last, ((uint8_t *)p.pixels)[5]);
    rug_context_release(ctx, p.pixels);
    f = (frames){.n_pixels = 4 * 20 * 24, .stop_at = 3};
    assert_int_equal(rug_ifs_iterate(ctx, code, &p, 2, 6, see_frame, &f), RUG_E_IO);
    assert_int_equal(f.next, 4);
    assert_null(p.pixels);
    rug_ifs_code_free(code);
    free(g.pixels);
    rug_context_free(ctx);
}

static void refused(rug_context *ctx, const rug_image *img, const rug_ifs_options *opts,
                    const char *why)
{
    rug_ifs_code *code = (rug_ifs_code *)(uintptr_t)why;
    assert_int_equal(rug_ifs_find(ctx, &code, img, opts), RUG_E_ARG);
    assert_null(code);
    if (strstr(rug_context_error(ctx), why) == NULL)
        fail_msg("'%s' does not say '%s'", rug_context_error(ctx), why);
}

static void bad_calls(void **state)
{
    (void)state;
    uint64_t rng = 46;
    rug_context *ctx = test_context();
    gray g = random_gray(&rng, 20, 24);
    rug_image bad = g.img;
    rug_ifs_options good = paper_options(RUG_IFS_FIXED, 4, 4), o = good;
    refused(ctx, NULL, &good, "NULL");
    bad.dtype = RUG_F32;
    refused(ctx, &bad, &good, "f32");
    bad = test_u8(g.pixels, 2, 10, 24);
    refused(ctx, &bad, &good, "volume");
    bad = g.img;
    bad.shape[0] = 65536;
    bad.stride[0] = 0;
    refused(ctx, &bad, &good, "65536");
    o.partition = RUG_IFS_QUADTREE;
    refused(ctx, &g.img, &o, "partition");
    o = good, o.struct_size = 8;
    refused(ctx, &g.img, &o, "rug_ifs_options");
    o = good, o.search = RUG_IFS_SEARCH_FAST;
    refused(ctx, &g.img, &o, "search");
    o = good, o.range_size = 1;
    refused(ctx, &g.img, &o, "range size 1");
    o = good, o.range_size = 33;
    refused(ctx, &g.img, &o, "range size 33");
    o = good, o.range_size = 5, o.partition = RUG_IFS_OVERLAP;
    refused(ctx, &g.img, &o, "even");
    o = good, o.domain_step = 1025;
    refused(ctx, &g.img, &o, "domain step 1025");
    static const double scales[] = {-1, 1.5, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        o = good, o.scale_max = scales[i];
        refused(ctx, &g.img, &o, "scale");
    }
    rug_ifs_code *code = must_find(ctx, &g.img, &good);
    rug_ifs_picture p;
    static const uint32_t bad_scales[] = {0, 3, 32, 1U << 31};
    for (int i = 0; i < 4; i++)
        assert_int_equal(rug_ifs_iterate(ctx, code, &p, bad_scales[i], 1, NULL, NULL),
                         RUG_E_ARG);
    assert_int_equal(rug_ifs_iterate(ctx, code, &p, 1, 0, NULL, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_iterate(ctx, code, &p, 1, 65, NULL, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_iterate(ctx, NULL, &p, 1, 1, NULL, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_iterate(ctx, code, NULL, 1, 1, NULL, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_iterate(NULL, code, &p, 1, 1, NULL, NULL), RUG_E_ARG);
    assert_null(p.pixels);
    rug_ifs_code_free(code);
    assert_int_equal(rug_ifs_find(NULL, &code, &g.img, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_find(ctx, NULL, &g.img, NULL), RUG_E_ARG);
    rug_ifs_code_free(NULL);
    size_t n = 9;
    assert_null(rug_ifs_code_transforms(NULL, &n));
    assert_int_equal(n, 0);
    free(g.pixels);
    rug_context_free(ctx);
}

/* All of it, with the k-th allocation failing, or cancelled at the k-th step. */
static rug_status whole(rug_context *ctx, const gray *g)
{
    rug_ifs_options opts = paper_options(RUG_IFS_OVERLAP, 4, 2);
    rug_ifs_code *code;
    rug_ifs_picture p;
    rug_status status = rug_ifs_find(ctx, &code, &g->img, &opts);
    if (status != RUG_OK) {
        assert_null(code);
        return status;
    }
    status = rug_ifs_iterate(ctx, code, &p, 2, 4, NULL, NULL);
    assert_true((p.pixels == NULL) == (status != RUG_OK));
    rug_context_release(ctx, p.pixels);
    rug_ifs_code_free(code);
    return status;
}

static void failing_memory(void **state)
{
    (void)state;
    uint64_t rng = 47;
    gray g = random_gray(&rng, 20, 24);
    rug_status status = RUG_E_NOMEM;
    size_t n_fails = 0;
    while (status != RUG_OK) {
        memory m = {.fail_at = n_fails + 1};
        rug_context *ctx = test_context();
        memory_hook(ctx, &m);
        status = whole(ctx, &g);
        if (status != RUG_OK) {
            assert_int_equal(status, RUG_E_NOMEM);
            assert_string_not_equal(rug_context_error(ctx), "");
            n_fails++;
        }
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        rug_context_free(ctx);
    }
    assert_in_range(n_fails, 15, 100);
    free(g.pixels);
}

static int count_down(void *user)
{
    int *left = user;
    return (*left)-- <= 0;
}

static void cancelling(void **state)
{
    (void)state;
    uint64_t rng = 48;
    gray g = random_gray(&rng, 20, 24);
    rug_status status = RUG_E_CANCELLED;
    int n = 0;
    while (status != RUG_OK) {
        rug_context *ctx = test_context();
        int left = n;
        rug_context_set_cancel(ctx, count_down, &left);
        status = whole(ctx, &g);
        assert_true(status == RUG_OK || status == RUG_E_CANCELLED);
        n++;
        rug_context_free(ctx);
    }
    assert_in_range(n, 10, 1000);
    free(g.pixels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeing_frames),
        cmocka_unit_test(bad_calls),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(cancelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
