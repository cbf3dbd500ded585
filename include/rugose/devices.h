/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL devices of this machine. OpenCL is loaded when one of these functions, or a
 * method on a device other than "cpu", is called; a machine without it is not an error.
 *
 *     rug_devices *devices;
 *     const rug_device *chosen;
 *     rug_status status = rug_context_set_device(ctx, "cpu");
 *     if (status == RUG_OK)
 *         status = rug_devices_list(ctx, &devices);
 *     if (status != RUG_OK)
 *         return status;
 *     for (size_t i = 0; i < rug_devices_count(devices); i++)
 *         fprintf(stderr, "opencl:%zu %s\n", i, rug_devices_at(devices, i)->name);
 *     if (rug_devices_count(devices) == 0)
 *         fprintf(stderr, "%s\n", rug_devices_reason(devices));
 *     status = rug_devices_choose(ctx, &chosen, devices);
 *     if (status == RUG_OK)
 *         puts(chosen != NULL ? chosen->name : "the processor");
 *     rug_devices_free(devices);
 *     // prints: the processor
 */

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

/** What a device is. The numbers are never changed. */
typedef enum rug_device_type {
    RUG_DEVICE_CPU = 0,
    RUG_DEVICE_GPU = 1,
    RUG_DEVICE_ACCELERATOR = 2,
    RUG_DEVICE_OTHER = 3
} rug_device_type;

/** "cpu", "gpu", "accelerator" or "other"; "?" for other numbers. Static text. */
RUG_API const char *rug_device_type_name(rug_device_type type);

/** The least memory of a GPU that device "auto" selects: 1 GiB. */
#define RUG_DEVICE_AUTO_MEMORY ((uint64_t)1 << 30)

/** One device. Texts belong to the list. */
typedef struct rug_device {
    const char *name;
    const char *platform; /**< name of its OpenCL platform */
    const char *driver;   /**< version of its driver */
    const char *version;  /**< version of OpenCL that it supports, "OpenCL 3.0 …" */
    rug_device_type type;
    int is_auto;             /**< nonzero for the one that device "auto" selects */
    int is_usable;           /**< nonzero when it has OpenCL 1.2 and a compiler */
    int has_fp64;            /**< nonzero when it computes in double precision */
    uint64_t memory;         /**< bytes */
    uint64_t max_allocation; /**< bytes of the largest single buffer */
    uint64_t local_memory;   /**< bytes shared by a work group */
    uint32_t compute_units;
    uint32_t clock_mhz; /**< maximum */
} rug_device;

/** Nonzero when this library was built with OpenCL, whether or not there is a device. */
RUG_API int rug_devices_built_in(void);

/** The devices that were found. Opaque, owned by the caller. */
typedef struct rug_devices rug_devices;

/** Lists the OpenCL devices of all platforms; the i-th is "opencl:i".
 *  @param out  the list, which may be empty; NULL on failure; free it with
 *              rug_devices_free(), before its context
 *  @return RUG_OK (also without OpenCL or any device), RUG_E_ARG, RUG_E_NOMEM */
RUG_API rug_status rug_devices_list(rug_context *ctx, rug_devices **out);

/** Frees a list. NULL is allowed. */
RUG_API void rug_devices_free(rug_devices *devices);

/** The number of devices. */
RUG_API size_t rug_devices_count(const rug_devices *devices);

/** Device i, 0 .. count - 1, which is "opencl:i". Valid as long as the list.
 *  @return NULL when there is no device i */
RUG_API const rug_device *rug_devices_at(const rug_devices *devices, size_t i);

/** Why a list is empty: not built in, no OpenCL library, no driver, no device. "" when
 *  there is a device. Valid as long as the list. */
RUG_API const char *rug_devices_reason(const rug_devices *devices);

/** The device that the context's choice (rug_context_set_device()) selects: for "cpu" none;
 *  for "auto" the first usable GPU with RUG_DEVICE_AUTO_MEMORY, or none; for "opencl" that
 *  GPU, or else the first usable device; for "opencl:N" device N. No device is opened, so
 *  that a program can fail before it reads its input.
 *  @param out      NULL: the CPU engine; valid as long as the list
 *  @param devices  from rug_devices_list()
 *  @return RUG_OK, RUG_E_ARG, RUG_E_DEVICE (the device named does not exist or is not
 *          usable; the error text lists those that are) */
RUG_API rug_status rug_devices_choose(rug_context *ctx, const rug_device **out,
                                      const rug_devices *devices);

/** Work done by OpenCL devices for a context, timed by the devices' own clocks. */
typedef struct rug_device_times {
    size_t struct_size; /**< sizeof(rug_device_times); set by the INIT macro */
    double upload_seconds;
    double kernel_seconds;
    double download_seconds;
    uint64_t upload_bytes;
    uint64_t download_bytes;
    uint64_t n_kernels; /**< kernels that have run */
} rug_device_times;

/** Times to be filled. */
#define RUG_DEVICE_TIMES_INIT                            \
    {                                                    \
        sizeof(rug_device_times), 0.0, 0.0, 0.0, 0, 0, 0 \
    }

/** The times since the last call; counting starts again at zero.
 *  @param out  begun with RUG_DEVICE_TIMES_INIT; all zero when no device has done any work
 *  @return RUG_OK, RUG_E_ARG */
RUG_API rug_status rug_devices_take_times(rug_context *ctx, rug_device_times *out);

#ifdef __cplusplus
}
#endif

#endif
