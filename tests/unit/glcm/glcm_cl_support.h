/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence on an OpenCL device against that of the CPU, also in small pieces, below the
 * public call. Include it after support.h and glcm_support.h. */

#ifndef RUGOSE_GLCM_CL_SUPPORT_H
#define RUGOSE_GLCM_CL_SUPPORT_H

#include "glcm/measure/glcm_measure.h"
#include <stdlib.h>
#include <string.h>

/* Measures by both, which must give the same rows to the last bit. */
static inline void check_glcm_on_device(rug_context *device, rug_context *cpu,
                                        const rug_image *img,
                                        const rug_glcm_options *opts, const char *what)
{
    glcm_rows expected = {0}, got = {0};
    if (rug_glcm(cpu, img, opts, glcm_keep, &expected) != RUG_OK)
        fail_msg("%s: %s", what, rug_context_error(cpu));
    if (rug_glcm(device, img, opts, glcm_keep, &got) != RUG_OK)
        fail_msg("%s: %s", what, rug_context_error(device));
    assert_same_rows(&got, &expected);
    for (size_t i = 0; i < got.n; i++) {
        if (strcmp(got.row[i].engine, "opencl:0") != 0)
            fail_msg("%s: the engine is %s", what, got.row[i].engine);
        assert_true(strncmp(expected.row[i].engine, "cpu-", 4) == 0);
    }
    free(expected.row);
    free(got.row);
}

/* Rows of all regions by a few bytes of pixels and entries and a few slots at once. Fewer than
 * are needed send regions through global memory. */
static inline glcm_rows measure_in_pieces(rug_context *device, const rug_image *img,
                                          const rug_glcm_options *opts, size_t most_bytes,
                                          uint32_t most_slots, int with_sums)
{
    rugi_glcm_plan plan;
    glcm_rows rows = {0};
    rug_status status = rugi_glcm_plan_new(device, &plan, glcm_source(img), opts, 4096);
    assert_int_equal(status, RUG_OK);
    rugi_glcm_job job = {.plan = &plan, .n = plan.n_regions};
    rows.n = job.n * plan.n_rows;
    rows.row = calloc(rows.n + 1, sizeof *rows.row);
    job.rows = calloc(rows.n + 1, sizeof *job.rows);
    assert_non_null(rows.row);
    assert_non_null(job.rows);
    if (job.n > 0)
        status = rugi_glcm_opencl_pieces(device, &job, most_bytes, most_slots, with_sums);
    if (status != RUG_OK)
        fail_msg("%s", rug_context_error(device));
    for (size_t i = 0; i < rows.n; i++) {
        job.rows[i].row.features = job.rows[i].features;
        glcm_copy_row(&rows.row[i], &job.rows[i].row);
    }
    free(job.rows);
    rugi_glcm_plan_free(device, &plan);
    return rows;
}

/* The same as the CPU, from entries and from sums. */
static inline void check_in_pieces(rug_context *device, rug_context *cpu,
                                   const rug_image *img, const rug_glcm_options *opts,
                                   size_t most_bytes, uint32_t most_slots)
{
    glcm_rows expected = must_measure(cpu, img, opts);
    int n_ways = opts->features == RUG_GLCM_FEATURES_13 ? 2 : 1;
    for (int with_sums = 0; with_sums < n_ways; with_sums++) {
        glcm_rows got =
            measure_in_pieces(device, img, opts, most_bytes, most_slots, with_sums);
        assert_same_rows(&got, &expected);
        for (size_t i = 0; i < got.n; i++)
            assert_string_equal(got.row[i].engine, "opencl:0");
        free(got.row);
    }
    free(expected.row);
}

#endif
