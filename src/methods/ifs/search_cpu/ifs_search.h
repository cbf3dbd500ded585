/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The exact search, on whichever engine. */

#ifndef RUGI_IFS_SEARCH_H
#define RUGI_IFS_SEARCH_H

#include "ifs/search/ifs_search_plan.h"

/** Runs a search on the engine that the context chooses: the same matches on every engine, CPU level and number of threads. Ties go to the lowest domain, then symmetry.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_ifs_search(rug_context *ctx, rugi_ifs_search_job *job);

#endif
