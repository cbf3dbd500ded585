/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The public list of devices, and which of them a choice leads to. Needs no OpenCL headers;
 * without them the list is empty, and says why. */

#include "core/context/names.h"
#include "core/context/sized.h"
#include "device_list.h"
#include <stdio.h>
#include <string.h>

const char *rug_device_type_name(rug_device_type type)
{
    static const char *const names[] = {"cpu", "gpu", "accelerator", "other"};
    return RUGI_NAME(names, type);
}

int rug_devices_built_in(void)
{
#ifdef RUGI_HAVE_OPENCL
    return 1;
#else
    return 0;
#endif
}

/* Device "auto" takes the first GPU that can do real work. */
static void mark_auto(rug_devices *list)
{
    for (size_t i = 0; i < list->n; i++) {
        rug_device *d = &list->entries[i].facts;
        d->is_auto = d->type == RUG_DEVICE_GPU && d->is_usable &&
                     d->memory >= RUG_DEVICE_AUTO_MEMORY;
        if (d->is_auto)
            return;
    }
}

rug_status rug_devices_list(rug_context *ctx, rug_devices **out)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_devices_list: NULL given");
    rug_devices *list = rug_context_allocate(ctx, 1, sizeof *list, "list of devices");
    if (list == NULL)
        return RUG_E_NOMEM;
    *list = (rug_devices){.ctx = ctx};
    rug_status status = rugi_ocl_find_devices(ctx, list);
    if (status != RUG_OK) {
        rug_devices_free(list);
        return status;
    }
    mark_auto(list);
    *out = list;
    return RUG_OK;
}

void rug_devices_free(rug_devices *devices)
{
    if (devices == NULL)
        return;
    rug_context_release(devices->ctx, devices->entries);
    rug_context_release(devices->ctx, devices);
}

size_t rug_devices_count(const rug_devices *devices)
{
    return devices->n;
}

const rug_device *rug_devices_at(const rug_devices *devices, size_t i)
{
    return i < devices->n ? &devices->entries[i].facts : NULL;
}

const char *rug_devices_reason(const rug_devices *devices)
{
    return devices->reason;
}

/* "opencl:0 NAME (gpu), opencl:1 NAME (cpu)", cut where it does not fit. */
static void describe(char *text, size_t n_text, const rug_devices *list)
{
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < list->n && n < n_text; i++) {
        const rug_device *d = &list->entries[i].facts;
        n += (size_t)snprintf(
            text + n, n_text - n, "%sopencl:%zu %s (%s%s)", i > 0 ? ", " : "", i, d->name,
            rug_device_type_name(d->type), d->is_usable ? "" : ", not usable");
    }
}

static rug_status fail_choice(rug_context *ctx, const rug_devices *list, const char *why)
{
    char number[16] = "", found[RUGI_ERROR_MAX / 2];
    if (ctx->opencl_number >= 0)
        snprintf(number, sizeof number, ":%d", ctx->opencl_number);
    describe(found, sizeof found, list);
    return rug_context_fail(ctx, RUG_E_DEVICE, "device 'opencl%s' %s; %s%s", number, why,
                            list->n > 0 ? "found: " : "",
                            list->n > 0 ? found : list->reason);
}

/* The one that `auto` takes, or else the first usable one. */
static const rug_device *find_any(const rug_devices *list)
{
    const rug_device *first = NULL;
    for (size_t i = 0; i < list->n; i++) {
        const rug_device *d = &list->entries[i].facts;
        if (d->is_auto)
            return d;
        if (first == NULL && d->is_usable)
            first = d;
    }
    return first;
}

static const rug_device *find_auto(const rug_devices *list)
{
    const rug_device *d = find_any(list);
    return d != NULL && d->is_auto ? d : NULL;
}

rug_status rug_devices_choose(rug_context *ctx, const rug_device **out,
                              const rug_devices *devices)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || devices == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_devices_choose: NULL given");
    if (ctx->device == RUGI_DEVICE_CPU)
        return RUG_OK;
    if (ctx->device == RUGI_DEVICE_AUTO) {
        *out = find_auto(devices);
        return RUG_OK;
    }
    const rug_device *d = ctx->opencl_number >= 0
                              ? rug_devices_at(devices, (size_t)ctx->opencl_number)
                              : find_any(devices);
    if (d == NULL)
        return fail_choice(ctx, devices, "is not there");
    if (!d->is_usable)
        return fail_choice(ctx, devices, "lacks OpenCL 1.2 or a compiler");
    *out = d;
    return RUG_OK;
}

#ifndef RUGI_HAVE_OPENCL
rug_status rugi_ocl_find_devices(rug_context *ctx, rug_devices *list)
{
    (void)ctx;
    snprintf(list->reason, sizeof list->reason,
             "built without OpenCL: its headers were not there");
    return RUG_OK;
}

rug_status rug_devices_take_times(rug_context *ctx, rug_device_times *out)
{
    return rugi_clear(ctx, out, "rug_device_times");
}
#endif
