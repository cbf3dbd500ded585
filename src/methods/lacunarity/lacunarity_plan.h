/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plan of lacunarity: which boxes of which sizes, and in how many bits their masses are
 * kept. Made by lacunarity.c. */

#ifndef RUGI_LACUNARITY_PLAN_H
#define RUGI_LACUNARITY_PLAN_H

#include "core/image/mass.h"
#include "lacunarity_kernels.h"
#include <rugose/lacunarity.h>
#include <rugose/regions.h>
#include <rugose/source.h>

/** The box of a size that fits the image. */
typedef struct rugi_lacunarity_box {
    uint32_t index; /* into the sizes of the call */
    size_t e[3];    /* its sides in pixels, z y x */
    uint64_t full;  /* its pixels */
    uint64_t most;  /* no position has a larger mass */
    unsigned type;  /* of its sums: 1, 2 or 3 */
    int is_ring; /* masses are differences of rows of sums over all pixels above, which sizes
                    share; else this size has sums over its own rows, which slide along */
} rugi_lacunarity_box;

typedef struct rugi_lacunarity_plan {
    size_t n[3]; /* pixels of the image, z y x */
    int is_fixed;
    int is_binary; /* masses are 0 and 1 */
    int has_mask;
    unsigned mass_type; /* numbers of 2^mass_type bytes hold each mass */
    size_t n_boxes;     /* one for each size that fits */
    size_t ring_rows[RUGI_LACUNARITY_TYPES];    /* [type] rows of shared sums; 0: none */
    size_t ring_columns[RUGI_LACUNARITY_TYPES]; /* [type] of the largest box of these */
    rugi_lacunarity_box boxes[RUG_LACUNARITY_MAX_SIZES];
} rugi_lacunarity_plan;

/** What is measured: a source, or a label of an image in memory. */
typedef struct rugi_lacunarity_input {
    const rugi_mass *mass;
    const rug_source *source, *mask; /* mask NULL: there is none */
    const rug_regions *regions;      /* NULL: the whole source */
    size_t label;                    /* index into the regions */
} rugi_lacunarity_input;

/** What the processor found. */
typedef struct rugi_lacunarity_found {
    rugi_lacunarity_sums sums[RUG_LACUNARITY_MAX_SIZES]; /* [plan->n_boxes] */
    uint64_t n_pixels, n_set, n_left_out;
    const char *engine; /* static text */
} rugi_lacunarity_found;

/** Adds up the boxes of all sizes that fit, on the processor. Reads the source once.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED, what the source returns */
rug_status rugi_lacunarity_cpu(rug_context *ctx, rugi_lacunarity_found *out,
                               const rugi_lacunarity_plan *plan,
                               const rugi_lacunarity_input *input);

#endif
