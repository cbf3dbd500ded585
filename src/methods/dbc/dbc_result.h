/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The result of differential box counting, which callers see through functions only, and how it
 * is come to, in one go or in parts. */

#ifndef RUGI_DBC_RESULT_H
#define RUGI_DBC_RESULT_H

#include "dbc_job.h"
#include <rugose/dbc.h>

struct rug_dbc_result {
    rug_context *ctx; /* whose memory it is */
    rug_dbc_facts facts;
    rug_dbc_size sizes[RUG_DBC_MAX_SIZES]; /* facts.n_sizes of them */
};

/** Takes the options of a caller, checked. @return RUG_OK, RUG_E_ARG */
rug_status rugi_dbc_take(rug_context *ctx, rug_dbc_options *own,
                         const rug_dbc_options *given);

/** Gives a slab to an engine, a rugi_slab_fn. @param user  the rugi_dbc_job */
rug_status rugi_dbc_add_slab(rug_context *ctx, void *user, const rug_image *slab,
                             const rug_image *mask, size_t first);

/** Fills in a result, once all of the image has been counted.
 *  @param job    its blocks become those of larger ones
 *  @param shape  [ndim]
 *  @return RUG_OK, RUG_E_ARG (there are too many boxes) */
rug_status rugi_dbc_fill(rug_context *ctx, rug_dbc_result *out, rugi_dbc_job *job,
                         int ndim, const size_t *shape);

#endif
