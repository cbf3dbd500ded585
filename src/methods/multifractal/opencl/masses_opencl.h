/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box masses on an OpenCL device. Built only where there are headers of OpenCL. */

#ifndef RUGI_MASSES_OPENCL_H
#define RUGI_MASSES_OPENCL_H

#include "multifractal/masses/masses_state.h"

/** The engine; job is a rugi_masses_job. */
rug_status rugi_masses_opencl(rug_context *ctx, void *job);

/** As the device has it: none on processors, where local memory is as far as any other. */
#define RUGI_MASSES_TABLE_AUTO SIZE_MAX

/** The same in bricks of whole blocks that are brought to the device one after the other.
 *  @param most_bytes   of the pixels of a brick; one has one block at least
 *  @param table_bytes  of a table in local memory, at most, and of half of that memory; or
 *                      RUGI_MASSES_TABLE_AUTO */
rug_status rugi_masses_opencl_bricks(rug_context *ctx, rugi_masses_job *job,
                                     size_t most_bytes, size_t table_bytes);

#endif
