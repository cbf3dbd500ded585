/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How the pieces of ocl_sort.h are launched. */

#ifndef RUGI_OCL_SHAPE_H
#define RUGI_OCL_SHAPE_H

#include "ocl_sort.h"

/** A kernel and the work items of its groups. */
typedef struct rugi_ocl_grouped {
    rugi_ocl_kernel *kernel;
    size_t items; /**< a power of two, 256 where the device allows it */
} rugi_ocl_grouped;

/** Builds a kernel with as large groups as the device allows, which its source knows as
 *  ITEMS. On processors it is not optimised.
 *  @param source   compiled behind ocl_group.cl
 *  @param options  of the compiler, besides ITEMS; "" = none
 *  @return RUG_OK, RUG_E_DEVICE, RUG_E_NOMEM */
rug_status rugi_ocl_grouped_get(rug_context *ctx, rugi_ocl *device, rugi_ocl_grouped *out,
                                const rugi_ocl_source *source, const char *options,
                                const char *name);

/** Runs n_groups groups of a kernel. */
rug_status rugi_ocl_grouped_run(rug_context *ctx, rugi_ocl *device,
                                const rugi_ocl_grouped *grouped, const rugi_ocl_arg *args,
                                size_t n_args, size_t n_groups);

/** The most chunks that CHUNKS makes. */
#define RUGI_OCL_CHUNKS_MAX 1024

/** Chunks that n pixels are cut into: a few for each compute unit, none of them tiny. At
 *  least 1. */
size_t rugi_ocl_n_chunks(const rugi_ocl *device, size_t n);

#endif
