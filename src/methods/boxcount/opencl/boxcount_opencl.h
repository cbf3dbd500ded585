/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counting on an OpenCL device: the engine of the pyramid, and the kernels of Mukundan
 * (2015). Built only where there are headers of OpenCL. */

#ifndef RUGI_BOXCOUNT_OPENCL_H
#define RUGI_BOXCOUNT_OPENCL_H

#include "boxcount/pyramid/boxcount_pyramid.h"
#include <rugose/boxcount.h>

/** The OpenCL engine of the pyramid; job is a rugi_pyramid_job. */
rug_status rugi_boxcount_opencl(rug_context *ctx, void *job);

/** The same in parts that are brought to the device one after the other.
 *  @param most_bytes  of a part; one has 64 pixels along each axis at least */
rug_status rugi_boxcount_opencl_bricks(rug_context *ctx, const rugi_pyramid_job *job,
                                       size_t most_bytes);

/** Counts all levels of an image by a kernel of Mukundan.
 *  @param method      RUG_BOXCOUNT_ATOMIC or RUG_BOXCOUNT_LOCAL
 *  @param levels      filled on RUG_OK
 *  @param most_bytes  as above
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_boxcount_mukundan(rug_context *ctx, rugi_boxcount_levels *levels,
                                  const rug_image *image, const rugi_predicate *predicate,
                                  rug_boxcount_method method, size_t most_bytes);

/** Bytes of a part where nothing else is asked for. */
#define RUGI_OPENCL_BYTES ((size_t)1 << 30)

#endif
