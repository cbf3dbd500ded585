/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_DEVICES_H
#define RUGOSE_DEVICES_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rug_device_type {
    RUG_DEVICE_CPU = 0,
    RUG_DEVICE_GPU = 1,
    RUG_DEVICE_ACCELERATOR = 2,
    RUG_DEVICE_OTHER = 3
} rug_device_type;

RUG_API const char *rug_device_type_name(rug_device_type type);

#define RUG_DEVICE_AUTO_MEMORY ((uint64_t)1 << 30)

typedef struct rug_device {
    const char *name;
    const char *platform;
    const char *driver;
    const char *version;
    rug_device_type type;
    int is_auto;
    int is_usable;
    int has_fp64;
    uint64_t memory;
    uint64_t max_allocation;
    uint64_t local_memory;
    uint32_t compute_units;
    uint32_t clock_mhz;
} rug_device;

RUG_API int rug_devices_built_in(void);

typedef struct rug_devices rug_devices;

RUG_API rug_status rug_devices_list(rug_context *ctx, rug_devices **out);

RUG_API void rug_devices_free(rug_devices *devices);

RUG_API size_t rug_devices_count(const rug_devices *devices);

RUG_API const rug_device *rug_devices_at(const rug_devices *devices, size_t i);

RUG_API const char *rug_devices_reason(const rug_devices *devices);

RUG_API rug_status rug_devices_choose(rug_context *ctx, const rug_device **out,
                                      const rug_devices *devices);

typedef struct rug_device_times {
    size_t struct_size;
    double upload_seconds;
    double kernel_seconds;
    double download_seconds;
    uint64_t upload_bytes;
    uint64_t download_bytes;
} rug_device_times;

#define RUG_DEVICE_TIMES_INIT                             {                                                     sizeof(rug_device_times), 0.0, 0.0, 0.0, 0, 0 }

RUG_API rug_status rug_devices_take_times(rug_context *ctx, rug_device_times *out);

#ifdef __cplusplus
}
#endif

#endif
