/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The list of devices, and errors of OpenCL as texts. Needs no OpenCL headers. */

#ifndef RUGI_DEVICE_LIST_H
#define RUGI_DEVICE_LIST_H

#include "core/context/context_internal.h"
#include <rugose/devices.h>

/** Bytes kept of a name or a version, the end included. */
#define RUGI_DEVICE_TEXT_MAX 256

/** One device, with the texts that its facts point to. */
typedef struct rugi_device_entry {
    rug_device facts;
    void *id; /* cl_device_id */
    char name[RUGI_DEVICE_TEXT_MAX];
    char platform[RUGI_DEVICE_TEXT_MAX];
    char driver[RUGI_DEVICE_TEXT_MAX];
    char version[RUGI_DEVICE_TEXT_MAX];
    char platform_version[RUGI_DEVICE_TEXT_MAX];
} rugi_device_entry;

struct rug_devices {
    rug_context *ctx;
    size_t n;
    rugi_device_entry *entries; /* their texts are pointed to: they never move */
    char reason[RUGI_ERROR_MAX / 2];
};

/** Fills a zeroed list; is_auto is left to the caller.
 *  @return RUG_OK (with a reason when it stays empty), RUG_E_NOMEM */
rug_status rugi_ocl_find_devices(rug_context *ctx, rug_devices *list);

/** "CL_OUT_OF_RESOURCES" …; "an unknown error" for numbers without a name. Static text. */
const char *rugi_ocl_error_name(int code);

/** Keeps "doing X: CL_NAME (number)" as the error text. @return RUG_E_DEVICE */
rug_status rugi_ocl_fail(rug_context *ctx, int code, const char *doing, ...)
    RUG_PRINTF(3, 4);

#endif
