/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of maps of alpha on small volumes, by each measure, of narrow and wide
 * pixels. */

#include "kernels.h"

#include "grey/alpha_cl_support.h"

void run_kernels(rug_context *device)
{
    static const rug_dtype dtypes[] = {RUG_U8, RUG_F32, RUG_I64};
    static const size_t shape[3] = {4, 3, 7};
    static uint64_t words[4 * 3 * 7];
    uint64_t rng = 4;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        words[i] = test_random(&rng) >> 2;
    for (int m = RUG_ALPHA_MAX; m <= RUG_ALPHA_ISO; m++)
        for (int i = 0; i < 3; i++) {
            rug_image img;
            rug_alpha_options opts = RUG_ALPHA_OPTIONS_INIT;
            opts.measure = (rug_alpha_measure)m;
            opts.n_windows = 3;
            opts.iso_tolerance = 20;
            assert_int_equal(rug_image_view(device, &img, words, dtypes[i], 3, shape),
                             RUG_OK);
            assert_same_map(device, &img, NULL, &opts, 1, rug_dtype_name(dtypes[i]));
        }
}
