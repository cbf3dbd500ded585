/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counting on an OpenCL device. Built only where there are headers of
 * OpenCL. */

#ifndef RUGI_DBC_OPENCL_H
#define RUGI_DBC_OPENCL_H

#include "dbc_job.h"

/** The engine; job is a rugi_dbc_job. RUG_E_DEVICE also where keys have 64 bits and where
 *  slabs end within blocks of layers. */
rug_status rugi_dbc_opencl(rug_context *ctx, void *job);

/** The same in parts that are brought to the device one after the other.
 *  @param most_bytes  of the keys of a part; one has 64 pixels along each axis at least */
rug_status rugi_dbc_opencl_parts(rug_context *ctx, rugi_dbc_job *job, size_t most_bytes);

#endif
