/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a header says. */

#include "ifs_container.h"
#include <string.h>

rug_status rug_ifs_read_info(rug_context *ctx, rug_ifs_info *out, const uint8_t *bytes,
                             size_t size)
{
    rugi_ifs_header h;
    rugi_ifs_part parts[RUG_IFS_PLANES_MAX];
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (ctx == NULL || out == NULL || (bytes == NULL && size > 0))
        return rug_context_fail(ctx, RUG_E_ARG, "rug_ifs_read_info: NULL given");
    rug_status status = rugi_ifs_container_read(ctx, &h, parts, bytes, size);
    if (status != RUG_OK)
        return status;
    int is_tree = h.partition == RUG_IFS_QUADTREE;
    *out = (rug_ifs_info){
        .version = bytes[4],
        .nx = h.nx,
        .ny = h.ny,
        .n_planes = h.n_planes,
        .depth = (int)h.depth,
        .partition = h.partition,
        .range_min = is_tree ? RUGI_IFS_LEAST : h.range_size,
        .range_max = is_tree ? RUGI_IFS_BLOCK : h.range_size,
        .domain_step = h.step,
        .has_residual = h.has_residual,
        .quantiser_step = h.has_residual ? h.delta[0] / 16.0 : 0,
        .iterations = h.iterations,
        .is_deblocked = h.deblock > 0,
        .bytes = size,
    };
    return RUG_OK;
}
