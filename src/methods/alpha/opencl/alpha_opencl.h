/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Maps of alpha on an OpenCL device. Built only where there are headers of OpenCL. */

#ifndef RUGI_ALPHA_OPENCL_H
#define RUGI_ALPHA_OPENCL_H

#include "alpha/map/alpha_plan.h"

/** Bytes of the values of a piece, about, where nothing else is asked for. */
#define RUGI_ALPHA_OPENCL_BYTES ((size_t)1 << 28)

/** The engine `opencl`. */
rug_status rugi_alpha_opencl(rug_context *ctx, void *job);

/** rugi_alpha_opencl() in pieces: slices (of an image rows) with what windows reach.
 *  @param most_bytes  of the values of a piece; one has a slice at least */
rug_status rugi_alpha_opencl_by(rug_context *ctx, rugi_alpha_job *job, size_t most_bytes);

#endif
