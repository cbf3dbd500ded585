/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The encoder of a plane of cells: what is fixed while it is coded, what a thread works with, and
 * its stages. */

#ifndef RUGI_IFS_CELL_ENCODE_H
#define RUGI_IFS_CELL_ENCODE_H

#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include "ifs/cells/ifs_cell_predict.h"
#include "ifs_cell_distance.h"
#include "ifs_cell_quantise.h"
#include <stdatomic.h>

/** The most cells of a block of 32 x 32. */
#define RUGI_IFS_CELLS 64

/** Roots by which a row follows the one above. */
#define RUGI_IFS_ROOT_LAG 2

/** How hard the encoder tries. */
typedef struct rugi_ifs_cell_effort {
    int n_estimated;  /* predictions that are transformed, of all that are looked at */
    int n_tried;      /* of these, those that are tried in full */
    int n_angles;     /* directions of the first look: 32 / step */
    int n_domains;    /* domains that are tried; 0: none */
    int domain_reach; /* how far domains are looked for, in their units */
} rugi_ifs_cell_effort;

/** @param level  1..RUG_IFS_EFFORT_MAX */
rugi_ifs_cell_effort rugi_ifs_cell_effort_of(unsigned level);

/** What all planes of an image share. */
typedef struct rugi_ifs_cell_tables {
    rugi_ifs_cell_tools tools;
    rugi_ifs_cell_scan scan;
    rugi_ifs_cosines cosines, sines;
    rugi_ifs_forward_kernels forward;
    rugi_ifs_distance_kernels distance;
    uint16_t place[RUGI_IFS_LEVELS][RUGI_IFS_ISOMETRIES][RUGI_IFS_PIXELS];
} rugi_ifs_cell_tables;

rug_status rugi_ifs_cell_tables_new(rug_context *ctx, rugi_ifs_cell_tables **tables);
void rugi_ifs_cell_tables_free(rug_context *ctx, rugi_ifs_cell_tables *tables);

/** What is chosen of a row of roots. */
typedef struct rugi_ifs_cell_row {
    RUGI_OWN_LINES rugi_ifs_cell *cells;
    int32_t *coefs; /* of the cells, each [n_coefs] in zigzag order */
    size_t n_cells, n_coefs, cell_capacity, coef_capacity;
    atomic_uint state; /* 2 * roots that are done, 1 while one is at work */
} rugi_ifs_cell_row;

/** What a thread works with. */
typedef struct rugi_ifs_cell_work rugi_ifs_cell_work;

/** A plane of a tile at work. */
typedef struct rugi_ifs_cell_encoder {
    rug_context *ctx;
    const rugi_ifs_cell_tables *tables;
    rugi_ifs_cell_plane plane; /* its samples become what a decoder makes */
    const int16_t *original;   /* of the same pitch */
    rugi_ifs_cell_map map;     /* of the tile, filled */
    const rugi_ifs_cell_map *before;
    const float *weights; /* of the squared errors of roots; NULL: 1 */
    size_t weights_pitch; /* from a row of roots to the next */
    rugi_ifs_cell_effort effort;
    double lambda_factor; /* lambda = factor delta² */

    rugi_ifs_cell_model **models; /* of each row of roots */
    rugi_ifs_cell_row *rows;
    atomic_int failed; /* a row could not grow */
    rugi_ifs_cell_work **work;
} rugi_ifs_cell_encoder;

/** Codes a plane of a tile: its bytes go through `coder`, which writes.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_write_cells(rugi_ifs_cell_encoder *encoder, rugi_ifs_coder *coder);

/* ---- Stages ---- */

rugi_ifs_cell_work *rugi_ifs_cell_work_new(rug_context *ctx);
/** Decides one root, puts it into the plane and the map, and teaches the model of its row.
 *  @param cells  is set: what was chosen, valid until the next root
 *  @return how many cells there are */
size_t rugi_ifs_choose_cells(rugi_ifs_cell_encoder *e, rugi_ifs_cell_work *work,
                             uint32_t column, uint32_t row, rugi_ifs_cell **cells);

#endif
