/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The encoder of a plane of patches: what is fixed while it is coded, what a thread works with, and
 * its stages. */

#ifndef RUGI_IFS_PATCH_ENCODE_H
#define RUGI_IFS_PATCH_ENCODE_H

#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include "ifs/encode/ifs_wave.h"
#include "ifs/patches/ifs_patch_predict.h"
#include "ifs_patch_distance.h"
#include "ifs_patch_quantise.h"

/** The most patches of a block of 32 x 32. */
#define RUGI_IFS_PATCHES 64

/** How hard the encoder tries. */
typedef struct rugi_ifs_patch_effort {
    int n_estimated;  /* predictions that are transformed, of all that are looked at */
    int n_tried;      /* of these, those that are tried in full */
    int n_angles;     /* directions of the first look, a divisor of 32 */
    int n_domains;    /* domains that are tried; 0: none */
    int domain_reach; /* how far domains are looked for, in their units */
} rugi_ifs_patch_effort;

/** @param level  1..RUG_IFS_EFFORT_MAX */
rugi_ifs_patch_effort rugi_ifs_patch_effort_of(unsigned level);

/** What all planes of an image share. */
typedef struct rugi_ifs_patch_tables {
    rugi_ifs_patch_tools tools;
    rugi_ifs_patch_scan scan;
    rugi_ifs_cosines cosines, sines;
    rugi_ifs_forward_kernels forward;
    rugi_ifs_distance_kernels distance;
    uint16_t place[RUGI_IFS_LEVELS][RUGI_IFS_ISOMETRIES][RUGI_IFS_PIXELS];
} rugi_ifs_patch_tables;

rug_status rugi_ifs_patch_tables_new(rug_context *ctx, rugi_ifs_patch_tables **tables);
void rugi_ifs_patch_tables_free(rug_context *ctx, rugi_ifs_patch_tables *tables);

/** What is chosen of a row of roots. */
typedef struct rugi_ifs_patch_row {
    RUGI_OWN_LINES rugi_ifs_patch *patches;
    int32_t *coefs; /* of the patches, each [n_coefs] in zigzag order */
    size_t n_patches, n_coefs, patch_capacity, coef_capacity;
} rugi_ifs_patch_row;

/** What a thread works with. */
typedef struct rugi_ifs_patch_work rugi_ifs_patch_work;

/** A plane of a tile at work. */
typedef struct rugi_ifs_patch_encoder {
    rug_context *ctx;
    const rugi_ifs_patch_tables *tables;
    rugi_ifs_patch_plane plane; /* its samples become what a decoder makes */
    const int16_t *original;    /* of the same pitch */
    rugi_ifs_patch_map map;     /* of the tile, filled */
    const rugi_ifs_patch_map *before;
    const float *weights; /* of the squared errors of roots; NULL: 1 */
    size_t weights_pitch; /* from a row of roots to the next */
    rugi_ifs_patch_effort effort;
    double lambda_factor; /* lambda = factor delta² */

    rugi_ifs_patch_model **models; /* of each row of roots */
    rugi_ifs_patch_row *rows;
    rugi_ifs_wave wave;
    atomic_int failed; /* a row could not grow */
    rugi_ifs_patch_work **work;
    struct rugi_ifs_patch_writing *writing;
} rugi_ifs_patch_encoder;

/** Codes a plane of a tile: its bytes go through `coder`, which writes.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_write_patches(rugi_ifs_patch_encoder *encoder, rugi_ifs_coder *coder);

/* ---- Stages ---- */

rugi_ifs_patch_work *rugi_ifs_patch_work_new(rug_context *ctx);
/** Decides one root, puts it into the plane and the map, and teaches the model of its row.
 *  @param patches  is set: what was chosen, valid until the next root
 *  @return how many patches there are */
size_t rugi_ifs_choose_patches(rugi_ifs_patch_encoder *e, rugi_ifs_patch_work *work,
                               uint32_t column, uint32_t row, rugi_ifs_patch **patches);

#endif
