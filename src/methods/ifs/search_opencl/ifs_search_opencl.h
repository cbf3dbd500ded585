/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The exact search on an OpenCL device: its engine, and the kernels and buffers that it
 * works with. Built only where there are headers of OpenCL. */

#ifndef RUGI_IFS_SEARCH_OPENCL_H
#define RUGI_IFS_SEARCH_OPENCL_H

#include "ifs/search/ifs_search_engine.h"
#include "ocl/work/ocl_sort.h"

/** Ranges of a group. */
#define RUGI_IFS_FOUR 4

/** The most chunks of a block. */
#define RUGI_IFS_CHUNKS 16

/** How the work is cut; 0: as it is best. */
typedef struct rugi_ifs_search_cut {
    size_t block_bytes; /* of domains that are on the device at once */
    size_t most_groups; /* of ranges in a batch */
    size_t most_hits;   /* of a scan for all good domains; at least those of a chunk */
} rugi_ifs_search_cut;

/** A block of domains: [n_domains, up to whole tiles]. */
typedef struct rugi_ifs_search_block {
    rugi_ocl_buffer *tiles, *caps;
    float *host_tiles; /* as of rugi_ifs_screen */
    size_t first;      /* in the plan's list */
    size_t n_domains;
} rugi_ifs_search_block;

/** A batch of groups of ranges against a block. */
typedef struct rugi_ifs_search_batch {
    const rugi_ifs_search_block *block;
    size_t first, n_groups, n_chunks;
    uint64_t mark;  /* when it is done */
    double seconds; /* that it took; below 0: not waited for */
} rugi_ifs_search_batch;

/** What a batch in flight needs, by its parity. */
typedef struct rugi_ifs_search_slot {
    rugi_ocl_buffer *ranges, *needs, *scores, *numbers;
    float *host_needs;      /* [group][4] */
    float *host_scores;     /* [chunk][group][2][4] */
    uint32_t *host_numbers; /* [chunk][group][4] */
} rugi_ifs_search_slot;

/** Scans for all good domains, each of four ranges in a chunk. */
typedef struct rugi_ifs_search_scans {
    rugi_ocl_buffer *ranges, *floors, *chunks, *hits, *n_hits;
    float *host_ranges, *host_floors; /* [scan][n][4], [scan][4] */
    uint32_t *host_chunks;            /* [scan] */
    uint32_t (*host_hits)[2]; /* [most_hits] 4 scan + range, domain of the block */
    size_t most, most_hits;
} rugi_ifs_search_scans;

typedef struct rugi_ifs_device_kernels {
    rugi_ocl *device;
    rugi_ocl_grouped screen, collect;
    size_t n; /* coefficients */
    uint32_t counts[8];
    size_t block_domains, chunk; /* domains */
    size_t most_groups;          /* of a batch */
    rugi_ifs_search_block blocks[2];
    rugi_ifs_search_slot slots[2];
    rugi_ifs_search_scans scans;
} rugi_ifs_device_kernels;

/** rugi_ifs_search_opencl() with the work cut otherwise. */
rug_status rugi_ifs_search_opencl_by(rug_context *ctx, rugi_ifs_search_task *task,
                                     const rugi_ifs_search_cut *cut);

/** Kernels and memory; freed by rugi_ifs_device_kernels_free() in all cases. */
rug_status rugi_ifs_device_kernels_new(rug_context *ctx, rugi_ifs_device_kernels *kernels,
                                       const rugi_ifs_search_plan *plan,
                                       const rugi_ifs_search_cut *cut);
void rugi_ifs_device_kernels_free(rug_context *ctx, rugi_ifs_device_kernels *kernels);

/** Brings a block whose host_tiles are filled to the device. */
rug_status rugi_ifs_device_upload(rug_context *ctx,
                                  const rugi_ifs_device_kernels *kernels,
                                  const rugi_ifs_search_plan *plan,
                                  const rugi_ifs_search_block *block);

/** Begins a batch: fills its mark.
 *  @param ranges  of all groups: [group][n][4] */
rug_status rugi_ifs_device_begin(rug_context *ctx, const rugi_ifs_device_kernels *kernels,
                                 const rugi_ifs_search_slot *slot,
                                 rugi_ifs_search_batch *batch, const float *ranges);

/** Runs scans first .. first + n - 1 and waits for them.
 *  @param n_hits  also those that found no room */
rug_status rugi_ifs_device_scan(rug_context *ctx, const rugi_ifs_device_kernels *kernels,
                                const rugi_ifs_search_block *block, size_t first,
                                size_t n, uint32_t *n_hits);

#endif
