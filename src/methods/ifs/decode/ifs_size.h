/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The size of a picture that is asked for. */

#ifndef RUGI_IFS_SIZE_H
#define RUGI_IFS_SIZE_H

#include <rugose/ifs.h>

/** What is decoded. */
typedef struct rugi_ifs_wanted {
    uint32_t nx, ny;           /* pixels as coded */
    uint32_t from_nx, from_ny; /* of the planes that they are a part of */
    uint32_t unit;             /* planes are whole numbers of it */
    int n_planes;
} rugi_ifs_wanted;

/** Options that do not depend on the stream. @return RUG_OK, RUG_E_ARG */
rug_status rugi_ifs_check_decode_options(rug_context *ctx,
                                         const rug_ifs_decode_options *opts);

/** The wanted size, and the least octave that is large enough for it.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM (more than the address space) */
rug_status rugi_ifs_choose_size(rug_context *ctx, const rugi_ifs_wanted *wanted,
                                const rug_ifs_decode_options *opts, uint32_t *nx,
                                uint32_t *ny, unsigned *octave);

/** The region of a stream that is asked for, all of it by default.
 *  @param nx, ny  of the coded image
 *  @param crop    is set: x, y, nx, ny
 *  @return RUG_OK, RUG_E_ARG */
rug_status rugi_ifs_choose_crop(rug_context *ctx, const rug_ifs_decode_options *opts,
                                uint32_t nx, uint32_t ny, uint32_t crop[4]);

#endif
