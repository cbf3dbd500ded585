/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Opens and closes the device of a context. */

#include "ocl_room.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* "opencl:0" …: results name the engine by a text that outlives the context. */
#define NAME(n) "opencl:" #n
#define TEN(n)                                                                          \
    NAME(n##0), NAME(n##1), NAME(n##2), NAME(n##3), NAME(n##4), NAME(n##5), NAME(n##6), \
        NAME(n##7), NAME(n##8), NAME(n##9)
static const char *const engine_names[] = {TEN(), TEN(1), TEN(2), TEN(3)};
#define N_NAMES (sizeof engine_names / sizeof engine_names[0])

const rug_device *rugi_ocl_facts(const rugi_ocl *device)
{
    return &device->entry->facts;
}

const char *rugi_ocl_engine_name(const rugi_ocl *device)
{
    size_t i = (size_t)(device->entry - device->list->entries);
    return i < N_NAMES ? engine_names[i] : "opencl";
}

size_t rugi_ocl_group_max(const rugi_ocl *device)
{
    return device->group_max;
}

int rugi_ocl_is_unified(const rugi_ocl *device)
{
    return device->is_unified;
}

int rugi_ocl_has_extension(const rugi_ocl *device, const char *name)
{
    size_t n = strlen(name);
    const char *at = device->extensions;
    while ((at = strstr(at, name)) != NULL) {
        int begins = at == device->extensions || at[-1] == ' ';
        if (begins && (at[n] == ' ' || at[n] == '\0'))
            return 1;
        at += n;
    }
    return 0;
}

const rug_device_times *rugi_ocl_times(const rugi_ocl *device)
{
    return &device->room->times;
}

void rugi_ocl_take_times(rug_context *ctx, rug_device_times *out)
{
    *out = (rug_device_times){0};
    if (ctx->ocl == NULL)
        return;
    *out = ctx->ocl->times;
    ctx->ocl->times = (rug_device_times){0};
}

void rugi_ocl_close(rugi_ocl *device)
{
    if (device == NULL)
        return;
    if (device->queue != NULL)
        device->cl->clFinish(device->queue);
    rugi_ocl_drop_pending(device);
    rugi_ocl_free_programs(device);
    if (device->queue != NULL)
        device->cl->clReleaseCommandQueue(device->queue);
    if (device->context != NULL)
        device->cl->clReleaseContext(device->context);
    rug_context_release(device->ctx, device->extensions);
    rug_devices_free(device->list);
    rug_context_release(device->ctx, device);
}

static void free_room(rug_context *ctx, struct rugi_ocl_room *room)
{
    rugi_ocl_close(room->open);
    rug_context_release(ctx, room);
}

static struct rugi_ocl_room *enter_room(rug_context *ctx)
{
    if (ctx->ocl != NULL)
        return ctx->ocl;
    struct rugi_ocl_room *room = rug_context_allocate(ctx, 1, sizeof *room, "OpenCL");
    if (room == NULL)
        return NULL;
    memset(room, 0, sizeof *room);
    ctx->ocl = room;
    ctx->free_ocl = free_room;
    return room;
}

static rug_status ask_extensions(rug_context *ctx, rugi_ocl *d)
{
    size_t n = 0;
    if (d->cl->clGetDeviceInfo(d->id, CL_DEVICE_EXTENSIONS, 0, NULL, &n) != CL_SUCCESS)
        n = 0;
    d->extensions = rug_context_allocate(ctx, n + 1, 1, "names of extensions");
    if (d->extensions == NULL)
        return RUG_E_NOMEM;
    if (n > 0)
        d->cl->clGetDeviceInfo(d->id, CL_DEVICE_EXTENSIONS, n, d->extensions, NULL);
    d->extensions[n] = '\0';
    return RUG_OK;
}

static rug_status open_queue(rug_context *ctx, rugi_ocl *d)
{
    cl_int code = CL_SUCCESS;
    cl_bool unified = CL_FALSE;
    d->context = d->cl->clCreateContext(NULL, 1, &d->id, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return rugi_ocl_fail(ctx, code, "opening %s", d->entry->name);
    d->queue =
        d->cl->clCreateCommandQueue(d->context, d->id, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code != CL_SUCCESS)
        return rugi_ocl_fail(ctx, code, "making a queue of %s", d->entry->name);
    code = d->cl->clGetDeviceInfo(d->id, CL_DEVICE_MAX_WORK_GROUP_SIZE,
                                  sizeof d->group_max, &d->group_max, NULL);
    if (code != CL_SUCCESS || d->group_max == 0)
        return rugi_ocl_fail(ctx, code, "asking %s for its work groups", d->entry->name);
    if (d->cl->clGetDeviceInfo(d->id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified,
                               &unified, NULL) == CL_SUCCESS)
        d->is_unified = unified != CL_FALSE;
    return ask_extensions(ctx, d);
}

/* @param list  taken over */
static rug_status open_entry(rug_context *ctx, rugi_ocl **out, struct rugi_ocl_room *room,
                             rug_devices *list, const rug_device *facts)
{
    rugi_ocl *d = rug_context_allocate(ctx, 1, sizeof *d, "device");
    if (d == NULL) {
        rug_devices_free(list);
        return RUG_E_NOMEM;
    }
    *d = (rugi_ocl){.ctx = ctx, .cl = &room->library, .room = room, .list = list};
    for (size_t i = 0; i < list->n; i++)
        if (&list->entries[i].facts == facts)
            d->entry = &list->entries[i];
    d->id = d->entry->id;
    rug_status status = open_queue(ctx, d);
    if (status == RUG_OK)
        *out = d;
    else
        rugi_ocl_close(d);
    return status;
}

static rug_status open_choice(rug_context *ctx, struct rugi_ocl_room *room)
{
    rug_devices *list = NULL;
    const rug_device *facts = NULL;
    rug_status status = rug_devices_list(ctx, &list);
    if (status == RUG_OK)
        status = rug_devices_choose(ctx, &facts, list);
    if (status == RUG_OK && facts == NULL)
        status = rug_context_fail(ctx, RUG_E_DEVICE, "%s",
                                  list->n > 0 ? "no usable GPU is there" : list->reason);
    if (status == RUG_OK &&
        !rugi_ocl_load(&room->library, room->refusal, sizeof room->refusal))
        status = rug_context_fail(ctx, RUG_E_DEVICE, "%s", room->refusal);
    if (status == RUG_OK)
        return open_entry(ctx, &room->open, room, list, facts);
    rug_devices_free(list);
    return status;
}

/* `auto` does not ask again and again for what has failed. */
static void refuse(rug_context *ctx, struct rugi_ocl_room *room)
{
    room->is_refused = 1;
    memcpy(room->refusal, ctx->error, sizeof room->refusal);
}

rug_status rugi_ocl_break(rug_context *ctx, rugi_ocl *device, int code, const char *doing)
{
    device->cl->clFinish(device->queue);
    rugi_ocl_drop_pending(device);
    device->is_broken = 1;
    rugi_ocl_fail(ctx, code, "%s on %s", doing, device->entry->name);
    if (ctx->device == RUGI_DEVICE_AUTO)
        refuse(ctx, device->room);
    return RUG_E_DEVICE;
}

rug_status rugi_ocl_open(rug_context *ctx, rugi_ocl **out)
{
    assert(ctx != NULL && out != NULL);
    *out = NULL;
    if (ctx->device == RUGI_DEVICE_CPU)
        return rug_context_fail(ctx, RUG_E_DEVICE, "device 'cpu' is no OpenCL device");
    struct rugi_ocl_room *room = enter_room(ctx);
    if (room == NULL)
        return RUG_E_NOMEM;
    int is_same =
        room->device == ctx->device && room->opencl_number == ctx->opencl_number;
    if (is_same && room->is_refused)
        return rug_context_fail(ctx, RUG_E_DEVICE, "%s", room->refusal);
    if (!is_same || (room->open != NULL && room->open->is_broken)) {
        rugi_ocl_close(room->open);
        room->open = NULL;
        room->is_refused = 0;
    }
    room->device = ctx->device;
    room->opencl_number = ctx->opencl_number;
    rug_status status = room->open != NULL ? RUG_OK : open_choice(ctx, room);
    if (status == RUG_E_DEVICE && ctx->device == RUGI_DEVICE_AUTO)
        refuse(ctx, room);
    *out = room->open;
    return status;
}
