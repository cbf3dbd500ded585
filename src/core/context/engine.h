/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The choice of a method's engine: the device that was requested, or in `auto` the first that
 * pays and works. */

#ifndef RUGI_ENGINE_H
#define RUGI_ENGINE_H

#include "context_internal.h"

/** One row of a method's engine table, best first. */
typedef struct rugi_engine {
    const char *name;
    rugi_device device;
    /** Does the job. RUG_E_DEVICE lets `auto` try the next row, so a job that fails this way
     *  must leave its input and its results as they were. */
    rug_status (*run)(rug_context *ctx, void *job);
    /** Whether `auto` should use it for this job; NULL = always. Must not be costly. */
    int (*pays)(rug_context *ctx, const void *job);
} rugi_engine;

/** `pays` of an engine that `auto` never takes, because it has not been measured to be faster;
 *  it runs when it is requested by name. */
int rugi_engine_only_by_name(rug_context *ctx, const void *job);

/** Runs a job on the engine that the context's device choice picks. */
rug_status rugi_engine_run(rug_context *ctx, const rugi_engine *table, size_t n_rows,
                           void *job);

/** For work that has no engine but the processor: RUG_OK, or RUG_E_DEVICE when another one
 *  was requested by name.
 *  @param what  the work, in the error text */
rug_status rugi_engine_cpu_only(rug_context *ctx, const char *what);

#endif
