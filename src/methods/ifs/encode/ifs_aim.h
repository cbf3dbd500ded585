/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The quantiser step that meets a target. */

#ifndef RUGI_IFS_AIM_H
#define RUGI_IFS_AIM_H

#include "ifs_job.h"

/** Δ of a quality in 1/16 of a grey level, of pixels whose values need so many bits. */
uint32_t rugi_ifs_delta_of_quality(double quality, unsigned bits);

/** What is known of a coding. */
typedef struct rugi_ifs_measured {
    uint64_t n_bytes;     /* of the whole stream */
    double squared_error; /* of all pixels of the decoded image */
} rugi_ifs_measured;

/** How a step is looked for. */
typedef struct rugi_ifs_aim {
    const rugi_ifs_job *job; /* its target is RATE or PSNR */
    uint32_t most;           /* the coarsest Δ */
    /** Codes with a Δ, and measures it; what was coded before and not kept is forgotten. */
    rug_status (*try_delta)(void *user, uint32_t delta, rugi_ifs_measured *measured);
    void (*keep)(void *user); /* what was coded last is the best so far */
    void *user;
} rugi_ifs_aim;

/** Looks for Δ from `delta` on, until the best is near the goal or no Δ is left to try.
 *  @param delta  from where; is set to the last one
 *  @param best   is set: of what was kept last
 *  @return RUG_OK, what try_delta() returned */
rug_status rugi_ifs_find_delta(rug_context *ctx, const rugi_ifs_aim *aim, uint32_t *delta,
                               rugi_ifs_measured *best);

/** @return RUG_OK, RUG_E_ARG (the target is not met: the text says what can be) */
rug_status rugi_ifs_check_target(rug_context *ctx, const rugi_ifs_job *job,
                                 const rugi_ifs_measured *measured);

#endif
