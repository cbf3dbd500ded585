/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A count of the method HOU on an OpenCL device, and how cells become keys there. */

#ifndef RUGI_BOXCOUNT_HOU_KEYS_CL_H
#define RUGI_BOXCOUNT_HOU_KEYS_CL_H

#include "boxcount/hou/boxcount_scan.h"
#include "boxcount_hou_device.h"
#include "core/context/small.h"

/* Of boxcount_hou.cl: numbers of a layout for each axis, and counters of full sets. */
#define RUGI_HOU_LAYOUT_AXIS 65
#define RUGI_HOU_FULL        32

typedef enum rugi_hou_step {
    RUGI_HOU_KEYS,
    RUGI_HOU_COUNT_CELLS,
    RUGI_HOU_CELLS,
    RUGI_HOU_SCAN,
    RUGI_HOU_FLAG_RUNS,
    RUGI_HOU_TAKE_RUNS,
    RUGI_HOU_BOXES,
    RUGI_HOU_STEPS
} rugi_hou_step;

/** What a count has on the device. */
typedef struct rugi_hou_device {
    rug_context *ctx;
    rugi_ocl *ocl;
    rugi_ocl_shape shape; /* WIDE or CHUNKS */
    const rugi_cells *cells;
    const rugi_key_layout *layout;
    uint32_t axes;
    size_t key_bytes, place_bytes;
    size_t group; /* items */
    rugi_ocl_kernel *kernels[RUGI_HOU_STEPS];
    rugi_ocl_sorter *sorter;
    size_t n;                            /* keys in hand */
    rugi_ocl_buffer *keys, *other;       /* room for those of all cells */
    rugi_ocl_buffer *third;              /* NULL: all sizes are powers of two */
    rugi_ocl_buffer *sums, *sum_scratch; /* NULL until runs are selected */
    rugi_ocl_buffer *layouts, *tables, *bases, *counts;
    uint32_t *host_counts; /* [group][tally] of a scan */
    void *host_tables;     /* [axis][byte of a place][256] */
    /* of cells, and of the boxes of an odd size: how many bits an axis has, and which bit
       of a key each is */
    uint8_t host_layouts[2][RUG_POINTS_MAX_AXES][RUGI_HOU_LAYOUT_AXIS];
    uint64_t host_bases[RUG_POINTS_MAX_AXES][2];
    double kernel_seconds; /* of the device, up to the last stage */
    rugi_hou_stages stages;
} rugi_hou_device;

/* Wide: items of a group, keys that an item scans at least, and groups of a launch, of a
 * scan for each compute unit and at least. */
#define RUGI_HOU_WIDE_SCAN_KEYS   16
#define RUGI_HOU_WIDE_GROUPS      ((size_t)1 << 20)
#define RUGI_HOU_WIDE_SCAN_GROUPS 8
#define RUGI_HOU_WIDE_SCAN_LEAST  1024

/* In chunks: groups of one item for each compute unit, so that one which starts late
 * leaves its share of them to others, and things that are worth a group. */
#define RUGI_HOU_CHUNK_GROUPS 4
#define RUGI_HOU_CHUNK_LEAST  1024

/** Groups of a launch over n things, at least 1. */
static inline size_t rugi_hou_groups(const rugi_hou_device *d, rugi_hou_step step,
                                     size_t n)
{
    size_t units = rugi_ocl_facts(d->ocl)->compute_units;
    size_t each = RUGI_HOU_CHUNK_LEAST,
           most = RUGI_HOU_CHUNK_GROUPS * (units > 0 ? units : 1);
    if (d->shape == RUGI_OCL_SHAPE_WIDE) {
        each = d->group * (step == RUGI_HOU_SCAN ? RUGI_HOU_WIDE_SCAN_KEYS : 1);
        most = RUGI_HOU_WIDE_SCAN_GROUPS * units;
        most = most > RUGI_HOU_WIDE_SCAN_LEAST ? most : RUGI_HOU_WIDE_SCAN_LEAST;
        most = step == RUGI_HOU_SCAN ? most : RUGI_HOU_WIDE_GROUPS;
    }
    return rugi_smaller((n - 1) / each + 1, most);
}

/** Runs a kernel over n things, at least 1. */
static inline rug_status rugi_hou_run(rugi_hou_device *d, rugi_hou_step step,
                                      const rugi_ocl_arg *args, size_t n_args, size_t n)
{
    size_t items = rugi_hou_groups(d, step, n) * d->group;
    return rugi_ocl_run(d->ctx, d->ocl, d->kernels[step], args, n_args, 1, &items,
                        &d->group);
}

/** Keys of all tables. */
static inline size_t rugi_hou_table_keys(const rugi_hou_device *d)
{
    return d->axes * d->place_bytes * 256;
}

/** Makes the keys of all cells, n of them, from their places or from packed bits. */
rug_status rugi_hou_device_keys(rugi_hou_device *d);

/** Bytes of device memory that cells take until they are keys. */
uint64_t rugi_hou_piece_bytes(const rugi_hou_device *d);

/** Writes the keys of the boxes of an odd size that hold the cells in hand. */
rug_status rugi_hou_device_boxes(rugi_hou_device *d, rugi_ocl_buffer *to, uint64_t size,
                                 const rugi_key_layout *boxes);

#endif
