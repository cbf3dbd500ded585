/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Each kernel of box counting on small images, for every dtype and number of axes, and on a
 * few points. */

#include "kernels.h"

#include "boxcount/boxcount_cl_support.h"
#include "boxcount_ways/hou_cl_support.h"
#include "sample_support.h"
#include <stdio.h>

/* Crosses borders of blocks and tiles with few cells, which the simulator is slow for. */
static const size_t shapes[][3] = {{1, 66, 17}, {1, 2, 300}, {66, 2, 17}, {2, 17, 66}};

/* Cells of any bits, floats that are no numbers among them. */
static void fill(uint64_t *rng, uint64_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        words[i] = test_below(rng, 4) == 0 ? 0 : test_random(rng) >> test_below(rng, 64);
}

static void count_all(rug_context *device)
{
    static uint64_t words[66 * 70];
    rug_context *cpu = test_context();
    uint64_t rng = 3;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (int dtype = 0; dtype < RUG_N_DTYPES; dtype++) {
            if (dtype == RUG_I8 || dtype == RUG_I16 || dtype == RUG_I32 ||
                dtype == RUG_I64)
                continue; /* the kernels of their unsigned kin */
            if ((s + (size_t)dtype / 2) % 2 != 0)
                continue; /* one image and one volume of each */
            char what[64];
            rug_image img;
            rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
            int ndim = shapes[s][0] == 1 ? 2 : 3;
            fill(&rng, words, sizeof words / sizeof words[0]);
            assert_int_equal(rug_image_view(cpu, &img, words, (rug_dtype)dtype, ndim,
                                            shapes[s] + 3 - ndim),
                             RUG_OK);
            opts.foreground.kind =
                (rug_foreground_kind)(RUG_FOREGROUND_ABOVE + test_below(&rng, 2));
            opts.foreground.value = 1;
            snprintf(what, sizeof what, "shape %zu, %s", s, rug_dtype_name(img.dtype));
            check_on_device(device, cpu, &img, &opts, what);
        }
    rug_context_free(cpu);
}

/* The method HOU in both shapes: keys and places of 32 and of 64 bits, full boxes, points
 * that come twice, sizes with an odd part. */
static void count_points(rug_context *device)
{
    static const uint64_t sizes[] = {1, 2, 3, 4, 6};
    static const uint64_t far[] = {0, 20, (uint64_t)1 << 40};
    static int64_t at[400][2];
    rug_context *cpu = test_context();
    uint64_t rng = 5;
    rug_boxcount_points_options o = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    o.sizes = sizes;
    o.n_sizes = sizeof sizes / sizeof sizes[0];
    for (int k = 0; k < 3; k++) {
        rug_points p = {at, RUG_I64, 400, 2, {sizeof at[0], sizeof at[0][0]}};
        for (size_t i = 0; i < 400; i++) {
            at[i][0] = (int64_t)(i / 16 % 20);
            at[i][1] = (int64_t)(i % 16);
            if (i >= 360)
                at[i][0] += (int64_t)(far[k] + test_below(&rng, 20)) * (i % 2 ? 1 : -1);
        }
        p.n = k == 1 ? 320 : 400; /* each once, or some twice */
        check_points_on_device(device, cpu, &p, &o, "points");
    }
    rug_context_free(cpu);
}

/* The same of packed images. */
static void count_packed(rug_context *device)
{
    static uint8_t cells[3 * 9 * 70];
    static rug_boxcount_result expected, got;
    rug_context *cpu = test_context();
    uint64_t rng = 6;
    rug_foreground rule = {RUG_FOREGROUND_NONZERO, 0, 0};
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground = rule;
    for (size_t i = 0; i < sizeof cells; i++)
        cells[i] = i < 300 || test_below(&rng, 9) == 0;
    for (size_t k = 0; k < 4; k++) {
        rug_image img = test_u8(cells, k < 2 ? 0 : 3, k < 2 ? 27 : 9, 70);
        assert_int_equal(rug_boxcount(cpu, &expected, &img, &opts), RUG_OK);
        got = expected;
        spoil_boxes(&got);
        assert_int_equal(hou_image_in_shape(device, &got, &img, rule, hou_shapes[k % 2]),
                         RUG_OK);
        assert_same_boxes(&got, &expected, "a packed image");
    }
    rug_context_free(cpu);
}

void run_kernels(rug_context *device)
{
    count_all(device);
    count_points(device);
    count_packed(device);
}
