/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL devices of this machine. OpenCL is looked for when one of these functions, or
 * a method on a device other than "cpu", is called; a machine without it is no error.
 *
 *     rug_devices *devices;
 *     rug_devices_list(ctx, &devices);
 *     for (size_t i = 0; i < rug_devices_count(devices); i++)
 *         printf("opencl:%zu %s\n", i, rug_devices_at(devices, i)->name);
 *     if (rug_devices_count(devices) == 0)
 *         printf("%s\n", rug_devices_reason(devices));
 *     rug_devices_free(devices);
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

/** What a device is. */
typedef enum rug_device_type {
    RUG_DEVICE_CPU = 0,
    RUG_DEVICE_GPU = 1,
    RUG_DEVICE_ACCELERATOR = 2,
    RUG_DEVICE_OTHER = 3
} rug_device_type;

/** "cpu", "gpu", "accelerator" or "other". Static text. */
RUG_API const char *rug_device_type_name(rug_device_type type);

/** The least memory of a GPU that device "auto" takes, 1 GiB. */
#define RUG_DEVICE_AUTO_MEMORY ((uint64_t)1 << 30)

/** One device. Texts belong to the list. */
typedef struct rug_device {
    const char *name;
    const char *platform; /**< the name of the OpenCL platform that it belongs to */
    const char *driver;   /**< version of its driver */
    const char *version;  /**< version of OpenCL that it offers, "OpenCL 3.0 …" */
    rug_device_type type;
    int is_auto;             /**< nonzero for the one that device "auto" takes */
    int is_usable;           /**< nonzero when it offers OpenCL 1.2 and a compiler */
    int has_fp64;            /**< nonzero when it computes in double */
    uint64_t memory;         /**< bytes */
    uint64_t max_allocation; /**< bytes of the largest single buffer */
    uint64_t local_memory;   /**< bytes that a work group shares */
    uint32_t compute_units;
    uint32_t clock_mhz; /**< the highest */
} rug_device;

/** Nonzero when this library was built with OpenCL. Whether there is a device is another
 *  question. */
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

/** How many there are. */
RUG_API size_t rug_devices_count(const rug_devices *devices);

/** Device i, 0 .. count - 1; it is "opencl:i". Valid as long as the list.
 *  @return NULL when there is no device i */
RUG_API const rug_device *rug_devices_at(const rug_devices *devices, size_t i);

/** Why a list is empty: not built in, no OpenCL library, no driver, no device. "" when
 *  there is a device. Valid as long as the list. */
RUG_API const char *rug_devices_reason(const rug_devices *devices);

/** Which device the context's choice (rug_context_set_device()) leads to: of "cpu" none;
 *  of "auto" the first usable GPU with RUG_DEVICE_AUTO_MEMORY, or none; of "opencl" that
 *  GPU or else the first usable device; of "opencl:N" device N. Nothing is opened, so that
 *  a program can fail before it reads its input.
 *  @param out      NULL: the CPU engine; valid as long as the list
 *  @param devices  as listed
 *  @return RUG_OK, RUG_E_ARG, RUG_E_DEVICE (a device that was asked for by name is not
 *          there or not usable; the error text lists those that are) */
RUG_API rug_status rug_devices_choose(rug_context *ctx, const rug_device **out,
                                      const rug_devices *devices);

/** What OpenCL devices have done for a context, as their own clocks have it. */
typedef struct rug_device_times {
    double upload_seconds;
    double kernel_seconds;
    double download_seconds;
    uint64_t upload_bytes;
    uint64_t download_bytes;
    uint64_t n_kernels; /**< kernels that were run */
} rug_device_times;

/** Tells the times since the last call, and begins anew.
 *  @param out  all zero when no device has worked */
RUG_API void rug_devices_take_times(rug_context *ctx, rug_device_times *out);

#ifdef __cplusplus
}
#endif

#endif
