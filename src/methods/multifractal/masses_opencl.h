/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box masses on an OpenCL device. Built only where there are headers of OpenCL. */

#ifndef RUGI_MASSES_OPENCL_H
#define RUGI_MASSES_OPENCL_H

#include "masses_state.h"

/** The engine; job is a rugi_masses_job. */
rug_status rugi_masses_opencl(rug_context *ctx, void *job);

/** The same in bricks of whole blocks that are brought to the device one after the other.
 *  @param most_bytes  of the cells of a brick; one has one block at least */
rug_status rugi_masses_opencl_bricks(rug_context *ctx, rugi_masses_job *job,
                                     size_t most_bytes);

#endif
