/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What is known of an opened device, the times of its work, and its end after a failure. */

#include "ocl_state.h"
#include "core/context/sized.h"
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
    return &device->state->times;
}

rug_status rug_devices_take_times(rug_context *ctx, rug_device_times *out)
{
    rug_status status = rugi_clear(ctx, out, "rug_device_times");
    if (status == RUG_OK && ctx == NULL)
        return RUG_E_ARG;
    if (status == RUG_OK && ctx->ocl != NULL) {
        RUGI_GIVE(out, &ctx->ocl->times);
        ctx->ocl->times = (rug_device_times)RUG_DEVICE_TIMES_INIT;
    }
    return status;
}

void rugi_ocl_drop_pending(rugi_ocl *device, size_t n)
{
    for (size_t i = 0; i < n; i++)
        device->cl->clReleaseEvent(device->pending[i]);
    device->n_pending -= n;
    device->n_taken += n;
    memmove(device->pending, device->pending + n,
            device->n_pending * sizeof device->pending[0]);
    memmove(device->kinds, device->kinds + n,
            device->n_pending * sizeof device->kinds[0]);
}

void rugi_ocl_refuse(rug_context *ctx, struct rugi_ocl_state *state)
{
    state->is_refused = 1;
    memcpy(state->refusal, ctx->error, sizeof state->refusal);
}
