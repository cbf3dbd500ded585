/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The options of the encoder, checked, and numbers derived from them. */

#ifndef RUGI_IFS_PLAN_H
#define RUGI_IFS_PLAN_H

#include "ifs_encode.h"
#include <rugose/ifs.h>

/** Largest Δ, in 1/16 of a grey level, as a multiple of 2^depth: nothing but means is
 *  left. */
#define RUGI_IFS_DELTA_MOST 8

/** What a call is to do. */
typedef struct rugi_ifs_plan {
    rug_ifs_partition partition;
    rug_ifs_target target;
    double target_value;
    uint32_t range_size, domain_step; /* as given, 0: by default */
    int has_residual;
    rugi_ifs_effort effort;
    double scale_max;
} rugi_ifs_plan;

/** @return RUG_OK, RUG_E_ARG with an error text */
rug_status rugi_ifs_plan_make(rug_context *ctx, rugi_ifs_plan *plan,
                              const rug_ifs_options *opts);

/** The step of the grid for a padded plane. */
uint32_t rugi_ifs_plan_step(const rugi_ifs_plan *plan, uint32_t nx, uint32_t ny);

/** Δ of a quality in 1/16 of a grey level, of pixels whose values need so many bits. */
uint32_t rugi_ifs_delta_of_quality(double quality, unsigned bits);

/** Δ of a plane of a colour image: planes of chroma weigh less. */
uint32_t rugi_ifs_delta_of_plane(uint32_t delta, int n_planes, int plane);

/** 2^x, in arithmetic that no library's rounding changes; |x| up to 1000. */
double rugi_ifs_power_of_2(double x);

#endif
