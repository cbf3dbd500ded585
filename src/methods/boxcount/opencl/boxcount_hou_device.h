/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL engine of the method HOU. Built only where there are headers of OpenCL. */

#ifndef RUGI_BOXCOUNT_HOU_DEVICE_H
#define RUGI_BOXCOUNT_HOU_DEVICE_H

#include "boxcount/hou/boxcount_hou.h"
#include "ocl/work/ocl_sort.h"

/** The most bits of a key on a device. */
#define RUGI_HOU_DEVICE_BITS 64

/** Seconds of a count by the device's clock. */
typedef struct rugi_hou_stages {
    double upload, keys, sort, scan, download;
} rugi_hou_stages;

/** Counts on the device of the context's choice, in the shape that suits it.
 *  @param call  a rugi_hou_call, whose result stays as it is but on RUG_OK
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED, RUG_E_DEVICE (keys of more than
 *          RUGI_HOU_DEVICE_BITS or more of them than fit the device, among others) */
rug_status rugi_boxcount_hou_opencl(rug_context *ctx, void *call);

/** The same in a shape, and with its times.
 *  @param stages  NULL = not wanted */
rug_status rugi_boxcount_hou_on_device(rug_context *ctx, const rugi_hou_call *call,
                                       rugi_ocl_shape shape, rugi_hou_stages *stages);

#endif
