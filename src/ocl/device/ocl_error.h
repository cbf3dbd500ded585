/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Errors of OpenCL as texts. */

#ifndef RUGI_OCL_ERROR_H
#define RUGI_OCL_ERROR_H

#include <rugose/context.h>

/** "CL_OUT_OF_RESOURCES" …; "an unknown error" for numbers without a name. Static text. */
const char *rugi_ocl_error_name(int code);

/** Keeps "doing X: CL_NAME (number)" as the error text. @return RUG_E_DEVICE */
rug_status rugi_ocl_fail(rug_context *ctx, int code, const char *doing, ...)
    RUG_PRINTF(3, 4);

#endif
