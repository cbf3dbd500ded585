/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A build without OpenCL: there are no devices, and the reason says why. */

#include "device_list.h"
#include <stdio.h>

int rugi_ocl_is_built_in(void)
{
    return 0;
}

rug_status rugi_ocl_find_devices(rug_context *ctx, rug_devices *list)
{
    (void)ctx;
    snprintf(list->reason, sizeof list->reason,
             "built without OpenCL: its headers were not there");
    return RUG_OK;
}

void rugi_ocl_take_times(rug_context *ctx, rug_device_times *out)
{
    (void)ctx;
    *out = (rug_device_times){0};
}
