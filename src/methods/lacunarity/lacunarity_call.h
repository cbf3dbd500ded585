/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What calls of lacunarity share. */

#ifndef RUGI_LACUNARITY_CALL_H
#define RUGI_LACUNARITY_CALL_H

#include "lacunarity_plan.h"

/** RUG_OK, or RUG_E_ARG with a text. */
rug_status rugi_lacunarity_check(rug_context *ctx, const rug_image *img,
                                 const rug_lacunarity_options *opts);

/** How the pixels of an image become masses: resolves the rule, too. */
rug_status rugi_lacunarity_masses(rug_context *ctx, rugi_mass *mass,
                                  rugi_mass_facts *facts, rug_foreground *rule,
                                  const rug_image *img,
                                  const rug_lacunarity_options *opts);

/** Memory of calls that follow one another. */
typedef struct rugi_lacunarity_room {
    rugi_lacunarity_plan plan;
    rugi_lacunarity_sums sums[RUG_LACUNARITY_MAX_SIZES];
    uint64_t sizes[RUG_LACUNARITY_MAX_SIZES];
} rugi_lacunarity_room;

/** Measures masses that are there. Everything of the result is set but ndim, shape and the
 *  rule. */
rug_status rugi_lacunarity_measure(rug_context *ctx, rug_lacunarity_result *out,
                                   rugi_lacunarity_room *room,
                                   const rugi_lacunarity_plane *plane,
                                   const rug_lacunarity_options *opts, int unit_exponent);

#endif
