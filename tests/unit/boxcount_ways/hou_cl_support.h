/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts of sparse sets on an OpenCL device, in both shapes of launch, against those
 * of the CPU. Include it after support.h. */

#ifndef RUGOSE_HOU_CL_SUPPORT_H
#define RUGOSE_HOU_CL_SUPPORT_H

#include "boxcount/hou/boxcount_hou.h"
#include "boxcount/opencl/boxcount_hou_device.h"
#include "boxcount_support.h"
#include "core/points/quantise.h"
#include <string.h>

static const rugi_ocl_shape hou_shapes[] = {RUGI_OCL_SHAPE_WIDE, RUGI_OCL_SHAPE_CHUNKS};

/* Counts points of at least one cell in a shape; only nonempty and black are set. */
static inline rug_status hou_in_shape(rug_context *device, test_counts *out,
                                      const rug_points *p,
                                      const rug_boxcount_points_options *opts,
                                      rugi_ocl_shape shape)
{
    rugi_quantiser quantiser;
    rugi_cells cells;
    rugi_key_layout layout;
    rug_status status =
        rugi_quantise(device, &quantiser, &cells, p, opts->spacing, opts->resolution);
    if (status != RUG_OK)
        return status;
    rugi_key_layout_make(&layout, &cells.range);
    rug_boxcount_result view = result_view(out);
    rugi_hou_call call = {&view, &cells, &layout};
    status = rugi_boxcount_hou_on_device(device, &call, shape, NULL);
    keep_facts(out, &view);
    return status;
}

/* The same of an image, whose cells go there as packed bits. */
static inline rug_status hou_image_in_shape(rug_context *device, test_counts *out,
                                            const rug_image *img, rug_foreground rule,
                                            rugi_ocl_shape shape)
{
    rugi_packed_cells packed;
    rugi_key_layout layout;
    rugi_predicate predicate = rugi_predicate_make(img->dtype, rule);
    rug_status status = rugi_packed_cells_new(device, &packed, img, &predicate);
    if (status != RUG_OK)
        return status;
    rugi_key_layout_make(&layout, &packed.cells.range);
    rug_boxcount_result view = result_view(out);
    rugi_hou_call call = {&view, &packed.cells, &layout};
    status = rugi_boxcount_hou_on_device(device, &call, shape, NULL);
    keep_facts(out, &view);
    rugi_packed_cells_free(device, &packed);
    return status;
}

/* Counts that no size can have. */
static inline void spoil_boxes(test_counts *r)
{
    for (uint32_t k = 0; k < r->n_sizes; k++)
        r->counts[k].nonempty = r->counts[k].black = 12345;
}

static inline void assert_same_boxes(const test_counts *got, const test_counts *expected,
                                     const char *what)
{
    for (uint32_t i = 0; i < expected->n_sizes; i++) {
        const rug_box_count *a = &got->counts[i], *b = &expected->counts[i];
        if (a->size != b->size || a->nonempty != b->nonempty || a->black != b->black)
            fail_msg("%s, size %llu: %llu boxes, %llu black; %llu and %llu expected",
                     what, (unsigned long long)b->size, (unsigned long long)a->nonempty,
                     (unsigned long long)a->black, (unsigned long long)b->nonempty,
                     (unsigned long long)b->black);
    }
    assert_int_equal(got->n_set, expected->n_set);
}

/* The public call, and both shapes below it. */
static inline void check_points_on_device(rug_context *device, rug_context *cpu,
                                          const rug_points *p,
                                          const rug_boxcount_points_options *opts,
                                          const char *what)
{
    static test_counts expected, got;
    if (test_boxcount_points(cpu, &expected, p, opts) != RUG_OK)
        fail_msg("%s: %s", what, rug_context_error(cpu));
    if (test_boxcount_points(device, &got, p, opts) != RUG_OK)
        fail_msg("%s: %s", what, rug_context_error(device));
    test_assert_counts_equal(&got, &expected, what);
    assert_int_equal(got.n_set, expected.n_set);
    assert_string_equal(got.engine, "opencl:0");
    assert_string_equal(expected.engine, "cpu");
    for (int i = 0; i < 2 && p->n > 0; i++) {
        memcpy(&got, &expected, sizeof got);
        spoil_boxes(&got);
        if (hou_in_shape(device, &got, p, opts, hou_shapes[i]) != RUG_OK)
            fail_msg("%s: %s", what, rug_context_error(device));
        assert_same_boxes(&got, &expected, what);
    }
}

#endif
