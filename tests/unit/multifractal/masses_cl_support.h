/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box masses on a device, and of two engines compared. Include it after support.h. */

#ifndef RUGOSE_MASSES_CL_SUPPORT_H
#define RUGOSE_MASSES_CL_SUPPORT_H

#include "multifractal/opencl/masses_opencl.h"
#include <string.h>

/* Masses of a whole image without a mask, in bricks on a device. */
static inline rug_masses *masses_by_bricks(rug_context *device, const rug_image *img,
                                           const rug_masses_options *opts,
                                           size_t most_bytes, size_t table_bytes)
{
    rug_masses *m;
    assert_int_equal(
        rug_masses_new(device, &m, img->dtype, img->ndim, img->shape, 0, opts), RUG_OK);
    rugi_masses_part part = {.pixels = *img};
    rugi_masses_job job = {.masses = m, .part = &part};
    part.pixels.ndim = 3;
    for (int a = 0; a < 3; a++) {
        int from = a - (3 - img->ndim);
        part.pixels.shape[a] = from >= 0 ? img->shape[from] : 1;
        part.pixels.stride[a] = from >= 0 ? img->stride[from] : 0;
        part.place.end[a] = m->plan.shape[a];
        job.blocks.end[a] = m->plan.n_blocks[a];
    }
    if (rugi_masses_opencl_bricks(device, &job, most_bytes, table_bytes) != RUG_OK)
        fail_msg("%s", rug_context_error(device));
    assert_int_equal(rugi_cover_add(device, &m->cover, part.place), RUG_OK);
    return m;
}

static inline const char *masses_engine(rug_masses *masses)
{
    return rug_masses_get_facts(masses)->engine;
}

/* Fails when a list or a fact differs, but for the engine. */
static inline void assert_same_masses(rug_context *ctx_a, rug_masses *a,
                                      rug_context *ctx_b, rug_masses *b, const char *what)
{
    rug_masses_facts facts_a = *rug_masses_get_facts(a);
    rug_masses_facts facts_b = *rug_masses_get_facts(b);
    assert_int_equal(facts_a.n_sizes, facts_b.n_sizes);
    for (uint32_t level = 0; level < facts_a.n_sizes; level++) {
        size_t n_a, n_b;
        const rug_mass_boxes *boxes_a = rug_masses_boxes(ctx_a, a, level, &n_a);
        const rug_mass_boxes *boxes_b = rug_masses_boxes(ctx_b, b, level, &n_b);
        if (n_a != n_b)
            fail_msg("%s, level %u: %zu masses, %zu expected", what, level, n_a, n_b);
        for (size_t i = 0; i < n_a; i++)
            if (boxes_a[i].mass != boxes_b[i].mass ||
                boxes_a[i].boxes != boxes_b[i].boxes)
                fail_msg("%s, level %u: %llu boxes of mass %llu, %llu of %llu expected",
                         what, level, (unsigned long long)boxes_a[i].boxes,
                         (unsigned long long)boxes_a[i].mass,
                         (unsigned long long)boxes_b[i].boxes,
                         (unsigned long long)boxes_b[i].mass);
    }
    assert_true(facts_a.total == facts_b.total && facts_a.n_set == facts_b.n_set);
    assert_true(facts_a.n_pixels == facts_b.n_pixels &&
                facts_a.is_whole == facts_b.is_whole);
    assert_true(facts_a.n_left_out == facts_b.n_left_out &&
                facts_a.n_lost == facts_b.n_lost);
    assert_int_equal(facts_a.unit_exponent, facts_b.unit_exponent);
}

#endif
