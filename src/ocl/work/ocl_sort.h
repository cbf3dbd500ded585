/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Kernels over many items on OpenCL devices: how they are launched, prefix sums, and the
 * sorting of integer keys. Results are the same on every device and in either shape of
 * launch.
 *
 *     rugi_ocl_sorter *sorter;
 *     status = rugi_ocl_sorter_new(ctx, device, &sorter, n, 8, RUGI_OCL_SHAPE_DEVICE);
 *     status = rugi_ocl_sort(ctx, sorter, &keys, &other, n, 63);   // keys holds them sorted
 *     rugi_ocl_sorter_free(sorter);
 */

#ifndef RUGI_OCL_SORT_H
#define RUGI_OCL_SORT_H

#include "ocl/work/ocl_family.h"

/** How a kernel over many items is launched. */
typedef enum rugi_ocl_shape {
    RUGI_OCL_SHAPE_DEVICE =
        0, /**< what suits the device: WIDE for GPUs, CHUNKS for CPUs */
    RUGI_OCL_SHAPE_WIDE =
        1, /**< many work groups, neighbours read neighbouring numbers */
    RUGI_OCL_SHAPE_CHUNKS = 2 /**< a few items, each with one run of all the data, as
                                    Jimenez and Ruiz de Miras (2013) found necessary on
                                    processors */
} rugi_ocl_shape;

/** WIDE or CHUNKS: DEVICE is resolved by the type of the device. */
rugi_ocl_shape rugi_ocl_shape_resolve(const rugi_ocl *device, rugi_ocl_shape shape);

/** A kernel and the work items of its groups. */
typedef struct rugi_ocl_grouped {
    rugi_ocl_kernel *kernel;
    size_t items; /**< a power of two, 256 where the device allows it */
} rugi_ocl_grouped;

/** The first source of a family whose kernels are grouped. */
extern const rugi_ocl_source rugi_cl_ocl_group;

/** Builds a kernel with as large groups as the device allows, which its source knows as
 *  ITEMS. On processors it is not optimised. Else as rugi_ocl_family_get().
 *  @param family  whose sources begin with rugi_cl_ocl_group */
rug_status rugi_ocl_grouped_get(rug_context *ctx, rugi_ocl *device, rugi_ocl_grouped *out,
                                const rugi_ocl_family *family, const int *values,
                                const char *name);

/** Runs n_groups groups of a kernel. */
rug_status rugi_ocl_grouped_run(rug_context *ctx, rugi_ocl *device,
                                const rugi_ocl_grouped *grouped, const rugi_ocl_arg *args,
                                size_t n_args, size_t n_groups);

/** The most chunks that CHUNKS makes. */
#define RUGI_OCL_CHUNKS_MAX 1024

/** Chunks for each compute unit: some end early, others are held up. */
#define RUGI_OCL_CHUNKS_PER_UNIT 4
/** A chunk should have far more numbers than counts. */
#define RUGI_OCL_CHUNK_MIN ((size_t)1 << 14)

/** Chunks that n numbers are cut into: a few for each compute unit, none of them tiny. At
 *  least 1. */
static inline size_t rugi_ocl_n_chunks(const rugi_ocl *device, size_t n)
{
    size_t most =
        (size_t)rugi_ocl_facts(device)->compute_units * RUGI_OCL_CHUNKS_PER_UNIT;
    size_t wanted = n / RUGI_OCL_CHUNK_MIN;
    if (most > RUGI_OCL_CHUNKS_MAX)
        most = RUGI_OCL_CHUNKS_MAX;
    if (wanted > most)
        wanted = most;
    return wanted > 0 ? wanted : 1;
}

/** Turns numbers into sums of all numbers before them (an exclusive prefix sum), in place.
 *  @param numbers  n of 32 bits
 *  @param n        at least 1
 *  @param scratch  rugi_ocl_scan_scratch(n) numbers of 32 bits; undefined afterwards
 *  @param shape    as resolved or not. Sums are taken modulo 2^32
 *  @return RUG_OK, RUG_E_DEVICE, RUG_E_NOMEM */
rug_status rugi_ocl_scan_u32(rug_context *ctx, rugi_ocl *device, rugi_ocl_buffer *numbers,
                             size_t n, rugi_ocl_buffer *scratch, rugi_ocl_shape shape);

/** Numbers of scratch that a prefix sum of n needs, at least 1. */
size_t rugi_ocl_scan_scratch(size_t n);

/** What the sort needs beside its keys. Owned by the caller. */
typedef struct rugi_ocl_sorter rugi_ocl_sorter;

/** Makes a sorter.
 *  @param out        NULL on failure
 *  @param n_max      the most keys, 1..2^32 - 1
 *  @param key_bytes  4 or 8
 *  @return RUG_OK, RUG_E_DEVICE (too many keys among others), RUG_E_NOMEM */
rug_status rugi_ocl_sorter_new(rug_context *ctx, rugi_ocl *device, rugi_ocl_sorter **out,
                               size_t n_max, size_t key_bytes, rugi_ocl_shape shape);

/** Frees a sorter. NULL is allowed. */
void rugi_ocl_sorter_free(rugi_ocl_sorter *sorter);

/** Bytes of device memory that a sorter takes, for rugi_ocl_piece_max(). */
uint64_t rugi_ocl_sorter_bytes(const rugi_ocl *device, size_t n_max, size_t key_bytes,
                               rugi_ocl_shape shape);

/** Sorts keys, the least first. Returns before it is done.
 *  @param keys   n keys; after the call the buffer that holds them in order
 *  @param other  as large; after the call the other buffer, whose contents are undefined
 *  @param n      0..n_max
 *  @param bits   all keys are below 2^bits; 0..8 * key_bytes
 *  @return RUG_OK, RUG_E_DEVICE */
rug_status rugi_ocl_sort(rug_context *ctx, rugi_ocl_sorter *sorter,
                         rugi_ocl_buffer **keys, rugi_ocl_buffer **other, size_t n,
                         unsigned bits);

#endif
