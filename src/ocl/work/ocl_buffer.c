/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Memory of a device: sizes are checked before OpenCL is asked, because drivers promise
 * memory that they do not have and fail much later. */

#include "ocl/device/ocl_room.h"
#include <assert.h>
#include <stdint.h>

/** Pieces are multiples of this, so that their parts are aligned for any type. */
#define PIECE_UNIT 4096

rug_status rugi_ocl_check_room(rug_context *ctx, const rugi_ocl *device, size_t n_bytes,
                               const char *what)
{
    const rug_device *f = rugi_ocl_facts(device);
    if (n_bytes > f->max_allocation)
        return rug_context_fail(
            ctx, RUG_E_DEVICE, "%s: %zu bytes; %s takes buffers of at most %llu bytes",
            what, n_bytes, f->name, (unsigned long long)f->max_allocation);
    if (device->in_use > f->memory || n_bytes > f->memory - device->in_use)
        return rug_context_fail(ctx, RUG_E_DEVICE,
                                "%s: %zu bytes; %s has %llu bytes, %llu of them in use",
                                what, n_bytes, f->name, (unsigned long long)f->memory,
                                (unsigned long long)device->in_use);
    return RUG_OK;
}

/* @return RUG_OK and the bytes of a buffer, at least 1 */
static rug_status check_size(rug_context *ctx, const rugi_ocl *device, size_t *n_bytes,
                             size_t n_items, size_t item_size, const char *what)
{
    if (item_size != 0 && n_items > (size_t)PTRDIFF_MAX / item_size)
        return rug_context_fail(ctx, RUG_E_DEVICE,
                                "%s: %zu items of %zu bytes do not fit the address space",
                                what, n_items, item_size);
    *n_bytes = n_items * item_size > 0 ? n_items * item_size : 1;
    return rugi_ocl_check_room(ctx, device, *n_bytes, what);
}

static rug_status make(rug_context *ctx, rugi_ocl *device, rugi_ocl_buffer **out,
                       size_t n_bytes, cl_mem_flags flags, void *data, const char *what)
{
    rugi_ocl_buffer *buffer = rug_context_allocate(ctx, 1, sizeof *buffer, what);
    if (buffer == NULL)
        return RUG_E_NOMEM;
    cl_int code = CL_SUCCESS;
    *buffer = (rugi_ocl_buffer){.n_bytes = n_bytes};
    buffer->id = device->cl->clCreateBuffer(device->context, flags, n_bytes, data, &code);
    if (code != CL_SUCCESS) {
        rug_context_release(ctx, buffer);
        return rugi_ocl_fail(ctx, code, "making a buffer of %zu bytes for %s on %s",
                             n_bytes, what, device->entry->name);
    }
    device->in_use += n_bytes;
    *out = buffer;
    return RUG_OK;
}

rug_status rugi_ocl_buffer_new(rug_context *ctx, rugi_ocl *device, rugi_ocl_buffer **out,
                               size_t n_items, size_t item_size, rugi_ocl_access access,
                               const char *what)
{
    static const cl_mem_flags flags[] = {
        [RUGI_OCL_READ] = CL_MEM_READ_ONLY,
        [RUGI_OCL_WRITE] = CL_MEM_WRITE_ONLY,
        [RUGI_OCL_READ_WRITE] = CL_MEM_READ_WRITE,
    };
    assert(access <= RUGI_OCL_READ_WRITE);
    *out = NULL;
    size_t n_bytes = 0;
    rug_status status = check_size(ctx, device, &n_bytes, n_items, item_size, what);
    return status == RUG_OK ? make(ctx, device, out, n_bytes, flags[access], NULL, what)
                            : status;
}

rug_status rugi_ocl_buffer_wrap(rug_context *ctx, rugi_ocl *device, rugi_ocl_buffer **out,
                                const void *data, size_t n_items, size_t item_size,
                                const char *what)
{
    *out = NULL;
    assert(data != NULL && n_items > 0 && item_size > 0);
    size_t n_bytes = 0;
    rug_status status = check_size(ctx, device, &n_bytes, n_items, item_size, what);
    if (status != RUG_OK)
        return status;
    void *unchanged = (void *)(uintptr_t)data; /* OpenCL has no type for it */
    return make(ctx, device, out, n_bytes, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR,
                unchanged, what);
}

void rugi_ocl_buffer_free(rugi_ocl *device, rugi_ocl_buffer *buffer)
{
    if (buffer == NULL)
        return;
    device->in_use -= buffer->n_bytes;
    device->cl->clReleaseMemObject(buffer->id);
    rug_context_release(device->ctx, buffer);
}

size_t rugi_ocl_piece_max(const rugi_ocl *device, size_t n_buffers, uint64_t other_bytes)
{
    const rug_device *f = rugi_ocl_facts(device);
    uint64_t room = f->memory / 4 * 3;
    assert(n_buffers > 0);
    if (device->in_use > room || other_bytes > room - device->in_use)
        return 0;
    uint64_t n = (room - device->in_use - other_bytes) / n_buffers;
    if (n > f->max_allocation)
        n = f->max_allocation;
    if (n > PTRDIFF_MAX)
        n = PTRDIFF_MAX;
    return (size_t)(n / PIECE_UNIT * PIECE_UNIT);
}
