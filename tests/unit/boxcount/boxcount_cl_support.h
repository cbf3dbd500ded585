/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts on an OpenCL device against those of the CPU. Include it after support.h. */

#ifndef RUGOSE_BOXCOUNT_CL_SUPPORT_H
#define RUGOSE_BOXCOUNT_CL_SUPPORT_H

#include <stdio.h>
#include <string.h>

static const rug_boxcount_method cl_methods[] = {RUG_BOXCOUNT_PYRAMID,
                                                 RUG_BOXCOUNT_ATOMIC, RUG_BOXCOUNT_LOCAL};
#define N_CL_METHODS 3

/* Counts on the device by every method, which must give what the CPU gives. */
static inline void check_on_device(rug_context *device, rug_context *cpu,
                                   const rug_image *img, const rug_boxcount_options *opts,
                                   const char *what)
{
    static test_counts expected, got;
    rug_boxcount_options o = *opts;
    o.method = RUG_BOXCOUNT_AUTO;
    if (test_boxcount(cpu, &expected, img, &o) != RUG_OK)
        fail_msg("%s: %s", what, rug_context_error(cpu));
    for (int i = 0; i < N_CL_METHODS; i++) {
        o.method = cl_methods[i];
        if (test_boxcount(device, &got, img, &o) != RUG_OK)
            fail_msg("%s: %s", what, rug_context_error(device));
        char where[200];
        snprintf(where, sizeof where, "%s, method %s", what, got.method);
        test_assert_counts_equal(&got, &expected, where);
        assert_int_equal(got.n_set, expected.n_set);
        assert_string_equal(got.engine, "opencl:0");
        assert_true(strncmp(expected.engine, "cpu-", 4) == 0);
    }
}

#endif
