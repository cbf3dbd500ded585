/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The result of lacunarity, which callers see through functions only, and its options. */

#ifndef RUGI_LACUNARITY_RESULT_H
#define RUGI_LACUNARITY_RESULT_H

#include <rugose/lacunarity.h>

struct rug_lacunarity_result {
    rug_context *ctx; /* whose memory it is */
    rug_lacunarity_facts facts;
    rug_lacunarity_size sizes[]; /* [facts.n_sizes] */
};

/** Takes the options of a caller, and checks them.
 *  @param own  the defaults, to be set to what the caller gives
 *  @return RUG_OK, RUG_E_ARG, RUG_E_DEVICE */
rug_status rugi_lacunarity_take(rug_context *ctx, rug_lacunarity_options *own,
                                const rug_lacunarity_options *given);

#endif
