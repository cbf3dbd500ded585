/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of box masses on small images, with masses of each width: tables in local and
 * in global memory, and lists. */

#include "kernels.h"

#include "multifractal/masses_cl_support.h"
#include "multifractal/masses_support.h"

void run_kernels(rug_context *device)
{
    static const rug_dtype dtypes[] = {RUG_BIT, RUG_U8, RUG_U16, RUG_U32};
    static uint32_t pixels[9 * 19 * 150];
    static const size_t flat[2] = {70, 150}, deep[3] = {9, 19, 150};
    rug_context *cpu = test_context();
    uint64_t rng = 4;
    for (size_t i = 0; i < sizeof pixels / sizeof pixels[0]; i++)
        pixels[i] = (uint32_t)test_below(&rng, 1 << 18);
    for (int d = 0; d < 4; d++)
        for (int ndim = 2; ndim <= 3; ndim++) {
            rug_image img;
            assert_int_equal(rug_image_view(device, &img, pixels, dtypes[d], ndim,
                                            ndim == 3 ? deep : flat),
                             RUG_OK);
            rug_masses *expected = must_measure(cpu, &img, NULL);
            for (size_t table = 0; table <= 1 << 13; table += 1 << 13) {
                rug_masses *got = masses_by_bricks(device, &img, NULL, 1 << 13, table);
                assert_same_masses(device, got, cpu, expected, rug_dtype_name(dtypes[d]));
                rug_masses_free(got);
            }
            rug_masses_free(expected);
        }
    rug_context_free(cpu);
}
