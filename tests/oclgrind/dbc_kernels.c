/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernel of differential box counting on small images, with keys of each width. */

#include "kernels.h"

#include "grey/dbc_support.h"

void run_kernels(rug_context *device)
{
    static const rug_dtype dtypes[] = {RUG_U8, RUG_I16, RUG_U32, RUG_F32};
    static float pixels[5 * 19 * 33];
    static const size_t shape[3] = {5, 19, 33};
    uint64_t rng = 4;
    for (size_t i = 0; i < sizeof pixels / sizeof pixels[0]; i++)
        pixels[i] = (float)test_below(&rng, 1000);
    for (int d = 0; d < 4; d++)
        for (int ndim = 2; ndim <= 3; ndim++) {
            rug_image img;
            assert_int_equal(
                rug_image_view(device, &img, pixels, dtypes[d], ndim, shape + 3 - ndim),
                RUG_OK);
            dbc_counts expected = dbc_naive(&img, NULL, 0), got;
            if (dbc_count(device, &got, &img, NULL) != RUG_OK)
                fail_msg("%s", rug_context_error(device));
            dbc_assert_equal(&got, &expected, rug_dtype_name(dtypes[d]));
        }
}
