/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Opens and closes the device of a context. */

#include "ocl_state.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

static void close_device(rugi_ocl *device)
{
    if (device == NULL)
        return;
    if (device->queue != NULL)
        device->cl->clFinish(device->queue);
    rugi_ocl_drop_pending(device, device->n_pending);
    rugi_ocl_free_programs(device);
    if (device->queue != NULL)
        device->cl->clReleaseCommandQueue(device->queue);
    if (device->context != NULL)
        device->cl->clReleaseContext(device->context);
    rug_context_release(device->ctx, device->extensions);
    rug_devices_free(device->list);
    rug_context_release(device->ctx, device);
}

static void free_state(rug_context *ctx, struct rugi_ocl_state *state)
{
    close_device(state->open);
    rug_context_release(ctx, state);
}

static struct rugi_ocl_state *state_of(rug_context *ctx)
{
    if (ctx->ocl != NULL)
        return ctx->ocl;
    struct rugi_ocl_state *state = rug_context_allocate(ctx, 1, sizeof *state, "OpenCL");
    if (state == NULL)
        return NULL;
    memset(state, 0, sizeof *state);
    state->times.struct_size = sizeof state->times;
    ctx->ocl = state;
    ctx->free_ocl = free_state;
    return state;
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
static rug_status open_entry(rug_context *ctx, rugi_ocl **out,
                             struct rugi_ocl_state *state, rug_devices *list,
                             const rug_device *facts)
{
    rugi_ocl *d = rug_context_allocate(ctx, 1, sizeof *d, "device");
    if (d == NULL) {
        rug_devices_free(list);
        return RUG_E_NOMEM;
    }
    *d = (rugi_ocl){.ctx = ctx, .cl = &state->library, .state = state, .list = list};
    for (size_t i = 0; i < list->n; i++)
        if (&list->entries[i].facts == facts)
            d->entry = &list->entries[i];
    d->id = d->entry->id;
    rug_status status = open_queue(ctx, d);
    if (status == RUG_OK)
        *out = d;
    else
        close_device(d);
    return status;
}

static rug_status open_choice(rug_context *ctx, struct rugi_ocl_state *state)
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
        !rugi_ocl_load(&state->library, state->refusal, sizeof state->refusal))
        status = rug_context_fail(ctx, RUG_E_DEVICE, "%s", state->refusal);
    if (status == RUG_OK)
        return open_entry(ctx, &state->open, state, list, facts);
    rug_devices_free(list);
    return status;
}

rug_status rugi_ocl_open(rug_context *ctx, rugi_ocl **out)
{
    assert(ctx != NULL && out != NULL);
    *out = NULL;
    if (ctx->device == RUGI_DEVICE_CPU)
        return rug_context_fail(ctx, RUG_E_DEVICE, "device 'cpu' is no OpenCL device");
    struct rugi_ocl_state *state = state_of(ctx);
    if (state == NULL)
        return RUG_E_NOMEM;
    int is_same =
        state->device == ctx->device && state->opencl_number == ctx->opencl_number;
    if (is_same && state->is_refused)
        return rug_context_fail(ctx, RUG_E_DEVICE, "%s", state->refusal);
    if (!is_same || (state->open != NULL && state->open->is_broken)) {
        close_device(state->open);
        state->open = NULL;
        state->is_refused = 0;
    }
    state->device = ctx->device;
    state->opencl_number = ctx->opencl_number;
    rug_status status = state->open != NULL ? RUG_OK : open_choice(ctx, state);
    if (status == RUG_E_DEVICE && ctx->device == RUGI_DEVICE_AUTO)
        rugi_ocl_refuse(ctx, state);
    *out = state->open;
    return status;
}
