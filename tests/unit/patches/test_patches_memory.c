/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The memory that coding and decoding take, in bytes of the image. */

#include "support.h"

#include "../ifs/ifs_compress_support.h"
#include "patches_support.h"

/* The most memory of a call but for what does not grow, as a multiple of the image. */
static double taken(const counted *memory, const picture *p, int lossless)
{
    double fixed = lossless ? 9e6 : 0.5e6;
    return ((double)atomic_load(&memory->most) - fixed) /
           (double)(p->nx * p->ny * (size_t)(p->n_planes * p->depth / 8));
}

static void check(int n_planes, int depth, int lossless, double coding, double decoding)
{
    const size_t side = TEST_RACES(256, 512);
    rug_context *ctx = small_context();
    counted memory = {.limit = 0};
    picture p = picture_of(EDGES, side, side, n_planes, depth);
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    opts.effort = lossless ? 0 : 1;
    opts.lossless = lossless;
    counted_hook(ctx, &memory);
    rug_ifs_stream s = must_compress(ctx, &p, &opts);
    double coded = taken(&memory, &p, lossless);
    atomic_store(&memory.most, atomic_load(&memory.now));
    rug_ifs_picture got = must_decompress(ctx, &s);
    double decoded = taken(&memory, &p, lossless);
    if (coded > coding || decoded > decoding)
        fail_msg("%d planes of %d bits: %.1f of %g, %.1f of %g", n_planes, depth, coded,
                 coding, decoded, decoding);
    rug_ifs_picture_free(ctx, &got);
    rug_ifs_stream_free(ctx, &s);
    assert_int_equal(atomic_load(&memory.now), 0);
    picture_free(&p);
    rug_context_free(ctx);
}

static void a_few_times_the_image(void **state)
{
    (void)state;
    check(1, 8, 0, 11, 5);
    check(3, 8, 0, 7, 4);
    check(1, 16, 0, 6, 3);
    check(3, 8, 1, 7, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_times_the_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
