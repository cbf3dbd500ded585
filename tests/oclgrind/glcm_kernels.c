/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Each kernel of co-occurrence on small regions: pairs inside, in order and in frames. */

#include "kernels.h"

#include "glcm/glcm_support.h"

#include "glcm/glcm_cl_support.h"
#include "sample_support.h"

/* Matrices in local memory, by runs and by pixels in global memory, each with pairs inside, in
 * order, and in a frame. */
void run_kernels(rug_context *device)
{
    static uint16_t pixels[2 * 14 * 21], labels[2 * 14 * 21];
    static const uint32_t most_slots[] = {8192, 64, 64};
    static const uint64_t n_levels[] = {40, 40, 1500};
    static const size_t shape[3] = {2, 14, 21};
    rug_context *cpu = test_context();
    uint64_t rng = 4;
    for (size_t i = 0; i < 2 * 14 * 21; i++)
        labels[i] = (uint16_t)(i % 21 / 11 + i / 21 % 14 / 7 * 2);
    for (size_t k = 0; k < 9; k++) {
        rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
        rug_image img, twin;
        int ndim = k == 4 ? 3 : 2;
        for (size_t i = 0; i < 2 * 14 * 21; i++)
            pixels[i] = (uint16_t)(i + test_below(&rng, n_levels[k / 3]));
        assert_int_equal(
            rug_image_view(cpu, &img, pixels, RUG_U16, ndim, shape + 3 - ndim), RUG_OK);
        assert_int_equal(
            rug_image_view(cpu, &twin, labels, RUG_U16, ndim, shape + 3 - ndim), RUG_OK);
        opts.labels = k < 6 ? glcm_source(&twin) : NULL;
        opts.features = k % 3 == 0 ? RUG_GLCM_FEATURES_13 : RUG_GLCM_FEATURES_ALL;
        opts.asymmetric = k % 3 == 1;
        opts.pairs = k % 3 == 2 ? RUG_GLCM_PAIRS_FRAME : RUG_GLCM_PAIRS_INSIDE;
        check_in_pieces(device, cpu, &img, &opts, 1 << 20, most_slots[k / 3]);
    }
    rug_context_free(cpu);
}
