/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One tile of layers, by one thread. */

#ifndef RUGI_DBC_TILE_H
#define RUGI_DBC_TILE_H

#include "dbc_job.h"

/** What is kept of layers whose neighbour has yet to come: of each level an even and an odd
 *  one. */
typedef struct rugi_dbc_worker {
    rugi_dbc_job *job;
    const rugi_dbc_kernels *kernels;
    char *lo[RUGI_DBC_BLOCK_LEVEL + 1][2]; /* [level][parity of the layer] */
    char *hi[RUGI_DBC_BLOCK_LEVEL + 1][2];
    char *scratch; /* a row of pixels, of the mask, and its flags */
    rugi_dbc_tally tally[RUGI_DBC_BLOCK_LEVEL + 1];
    rugi_dbc_pixels pixels;
} rugi_dbc_worker;

/** Bytes of memory that a worker needs. */
size_t rugi_dbc_worker_bytes(const rugi_dbc_job *job);

/** @param memory  rugi_dbc_worker_bytes(), aligned for vectors */
void rugi_dbc_worker_init(rugi_dbc_worker *w, rugi_dbc_job *job,
                          const rugi_dbc_kernels *kernels, char *memory);

/** Joins layers from .. to - 1 of the slab's tile. Where a call ends within a block of layers, the
 *  next one of this worker goes on with the same tile. */
void rugi_dbc_worker_add(rugi_dbc_worker *w, size_t tile, size_t from, size_t to);

#endif
