/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Maps of alpha by a device and by the processor. Include it after support.h. */

#ifndef RUGOSE_ALPHA_CL_SUPPORT_H
#define RUGOSE_ALPHA_CL_SUPPORT_H

#include "alpha/opencl/alpha_opencl.h"
#include <stdlib.h>
#include <string.h>

static inline rugi_alpha_job alpha_job(const rugi_alpha_plan *plan, const rug_image *img,
                                       const rug_image *mask, float *out)
{
    rugi_alpha_job job = {.plan = plan, .volume = rugi_alpha_view(img), .out = out};
    job.n = job.volume.shape[0];
    if (mask != NULL)
        job.mask = rugi_alpha_view(mask);
    return job;
}

/* Both maps must have the same bits.
 * @param mask  or NULL; that of the options is not used */
static inline void assert_same_map(rug_context *device, const rug_image *img,
                                   const rug_image *mask, const rug_alpha_options *opts,
                                   size_t most_bytes, const char *what)
{
    rug_context *cpu = test_context();
    size_t n_bytes = (size_t)rug_image_pixels(img) * sizeof(float);
    float *got = malloc(n_bytes), *expected = malloc(n_bytes);
    assert_true(got != NULL && expected != NULL);
    rugi_alpha_plan plan;
    rug_alpha_options o;
    assert_int_equal(rugi_alpha_take(cpu, &o, opts), RUG_OK);
    rugi_alpha_plan_make(&plan, &o);
    rugi_alpha_job job = alpha_job(&plan, img, mask, got);
    rugi_alpha_job by_cpu = alpha_job(&plan, img, mask, expected);
    if (rugi_alpha_opencl_by(device, &job, most_bytes) != RUG_OK)
        fail_msg("%s: %s", what, rug_context_error(device));
    assert_int_equal(rugi_alpha_cpu(cpu, &by_cpu), RUG_OK);
    for (size_t i = 0; i < n_bytes / sizeof(float); i++)
        if (memcmp(&got[i], &expected[i], sizeof(float)) != 0)
            fail_msg("%s: pixel %zu has %.9g, not %.9g", what, i, (double)got[i],
                     (double)expected[i]);
    free(got);
    free(expected);
    rug_context_free(cpu);
}

#endif
