/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The engines of the exact search. */

#ifndef RUGI_IFS_SEARCH_ENGINE_H
#define RUGI_IFS_SEARCH_ENGINE_H

#include "ifs_search_plan.h"

/** A job with its plan, as engines are given it. Each fills best, and engine. */
typedef struct rugi_ifs_search_task {
    const rugi_ifs_search_plan *plan;
    struct rugi_ifs_best *best; /* [plan n_ranges], of found = 0 when an engine begins */
    const char *engine;         /* what ran */
} rugi_ifs_search_task;

/** The processor's engine; task is a rugi_ifs_search_task. The plan has domains and ranges.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_search_cpu(rug_context *ctx, void *task);

/** The OpenCL engine: where there are no headers of OpenCL, it is not there. Its best are as
 *  before unless it succeeds.
 *  @return RUG_OK, RUG_E_DEVICE, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_search_opencl(rug_context *ctx, void *task);

#endif
