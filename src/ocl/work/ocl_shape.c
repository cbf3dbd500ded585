/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The two shapes of launch: sizes of groups, numbers of chunks. */

#include "ocl_shape.h"
#include <stdio.h>

extern const rugi_ocl_source rugi_cl_ocl_group;

/* What kernels are written for; smaller groups do more rounds. */
#define ITEMS 256

/* Compilers for processors vectorise across the items of a group, and have got kernels with
 * private arrays and barriers wrong. There groups are no use but to tests. */
#define PLAIN "-cl-opt-disable "

/* Chunks for each compute unit: some end early, others are held up. */
#define CHUNKS_PER_UNIT 4
/* A chunk's counts are to be few beside its pixels. */
#define CHUNK_MIN ((size_t)1 << 14)

rugi_ocl_shape rugi_ocl_shape_resolve(const rugi_ocl *device, rugi_ocl_shape shape)
{
    if (shape != RUGI_OCL_SHAPE_DEVICE)
        return shape;
    return rugi_ocl_facts(device)->type == RUG_DEVICE_CPU ? RUGI_OCL_SHAPE_CHUNKS
                                                          : RUGI_OCL_SHAPE_WIDE;
}

rug_status rugi_ocl_grouped_get(rug_context *ctx, rugi_ocl *device, rugi_ocl_grouped *out,
                                const rugi_ocl_source *source, const char *options,
                                const char *name)
{
    const rugi_ocl_source *const sources[] = {&rugi_cl_ocl_group, source};
    int is_cpu = rugi_ocl_facts(device)->type == RUG_DEVICE_CPU;
    for (size_t items = ITEMS; items > 0; items /= 2) {
        char all[128];
        if (items > rugi_ocl_group_max(device))
            continue;
        snprintf(all, sizeof all, "%s-DITEMS=%zu %s", is_cpu ? PLAIN : "", items,
                 options);
        rugi_ocl_build build = {.sources = sources, .n_sources = 2, .options = all};
        rug_status status = rugi_ocl_kernel_get(ctx, device, &out->kernel, &build, name);
        out->items = items;
        if (status != RUG_OK || rugi_ocl_kernel_group_max(out->kernel) >= items)
            return status;
    }
    return rug_context_fail(ctx, RUG_E_DEVICE,
                            "%s: kernel %s needs work groups of one item at least, and "
                            "this device has none; use device 'cpu'",
                            rugi_ocl_facts(device)->name, name);
}

rug_status rugi_ocl_grouped_run(rug_context *ctx, rugi_ocl *device,
                                const rugi_ocl_grouped *grouped, const rugi_ocl_arg *args,
                                size_t n_args, size_t n_groups)
{
    size_t n_items = n_groups * grouped->items;
    return rugi_ocl_run(ctx, device, grouped->kernel, args, n_args, 1, &n_items,
                        &grouped->items);
}

size_t rugi_ocl_n_chunks(const rugi_ocl *device, size_t n)
{
    size_t most = (size_t)rugi_ocl_facts(device)->compute_units * CHUNKS_PER_UNIT;
    size_t wanted = n / CHUNK_MIN;
    if (most > RUGI_OCL_CHUNKS_MAX)
        most = RUGI_OCL_CHUNKS_MAX;
    if (wanted > most)
        wanted = most;
    return wanted > 0 ? wanted : 1;
}
