/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The walk over a method's engine table. */

#include "engine.h"

rug_status rugi_engine_run(rug_context *ctx, const rugi_engine *table, size_t n_rows,
                           void *job)
{
    rug_status status = RUG_E_DEVICE;
    for (size_t i = 0; i < n_rows; i++) {
        if (ctx->device != RUGI_DEVICE_AUTO && ctx->device != table[i].device)
            continue;
        status = table[i].run(ctx, job);
        if (status != RUG_E_DEVICE || ctx->device != RUGI_DEVICE_AUTO)
            return status;
        if (i + 1 < n_rows)
            rug_context_warn(ctx, "engine %s failed (%s); going on with %s",
                             table[i].name, ctx->error, table[i + 1].name);
    }
    return status;
}
