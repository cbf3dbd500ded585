/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Work of a device: commands go to one queue that runs them in order, and leave events
 * behind, from which the times are taken. */

#include "ocl/device/ocl_state.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* After a command has failed: waits until no command uses the caller's memory and keeps
 * the device from being used again; keeps "doing X: CL_NAME (number)".
 * @return RUG_E_DEVICE */
static rug_status break_off(rug_context *ctx, rugi_ocl *device, int code,
                            const char *doing)
{
    device->cl->clFinish(device->queue);
    rugi_ocl_drop_pending(device, device->n_pending);
    device->is_broken = 1;
    rugi_ocl_fail(ctx, code, "%s on %s", doing, device->entry->name);
    if (ctx->device == RUGI_DEVICE_AUTO)
        rugi_ocl_refuse(ctx, device->state);
    return RUG_E_DEVICE;
}

/* Adds the time of a command that is done.
 * @return CL_SUCCESS, or the error that it ended with */
static cl_int take_time(rugi_ocl *device, cl_event event, rugi_ocl_kind kind)
{
    rug_device_times *t = &device->state->times;
    cl_int state = CL_COMPLETE;
    cl_ulong start = 0, end = 0;
    device->cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state,
                               &state, NULL);
    if (state < 0)
        return state;
    if (device->cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
                                            sizeof start, &start, NULL) != CL_SUCCESS ||
        device->cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end,
                                            &end, NULL) != CL_SUCCESS ||
        end < start)
        return CL_SUCCESS; /* it worked; only its time is not known */
    double seconds = (double)(end - start) * 1e-9;
    t->upload_seconds += kind == RUGI_OCL_UPLOAD ? seconds : 0;
    t->kernel_seconds += kind == RUGI_OCL_KERNEL ? seconds : 0;
    t->download_seconds += kind == RUGI_OCL_DOWNLOAD ? seconds : 0;
    return CL_SUCCESS;
}

/* After waiting with `code` for the first n commands. */
static rug_status take(rug_context *ctx, rugi_ocl *device, cl_int code, size_t n)
{
    static const char *const doing[] = {"writing to a buffer", "running a kernel",
                                        "reading a buffer"};
    if (code != CL_SUCCESS)
        return break_off(ctx, device, code, "waiting for the work");
    for (size_t i = 0; i < n; i++) {
        code = take_time(device, device->pending[i], device->kinds[i]);
        if (code != CL_SUCCESS)
            return break_off(ctx, device, code, doing[device->kinds[i]]);
    }
    rugi_ocl_drop_pending(device, n);
    return RUG_OK;
}

rug_status rugi_ocl_wait(rug_context *ctx, rugi_ocl *device)
{
    return take(ctx, device, device->cl->clFinish(device->queue), device->n_pending);
}

uint64_t rugi_ocl_mark(const rugi_ocl *device)
{
    return device->n_taken + device->n_pending;
}

rug_status rugi_ocl_wait_for(rug_context *ctx, rugi_ocl *device, uint64_t mark)
{
    if (mark <= device->n_taken)
        return RUG_OK;
    size_t n = (size_t)(mark - device->n_taken);
    return take(ctx, device, device->cl->clWaitForEvents(1, &device->pending[n - 1]), n);
}

/* Keeps a command's event. */
static rug_status keep(rug_context *ctx, rugi_ocl *device, cl_event event,
                       rugi_ocl_kind kind)
{
    device->kinds[device->n_pending] = kind;
    device->pending[device->n_pending++] = event;
    return device->n_pending == RUGI_OCL_PENDING_MAX ? rugi_ocl_wait(ctx, device)
                                                     : RUG_OK;
}

/* Drivers do not all look, and write elsewhere. */
static rug_status check_place(rug_context *ctx, const rugi_ocl_buffer *buffer,
                              size_t offset, size_t n_items, size_t item_size)
{
    size_t space = offset <= buffer->n_bytes ? buffer->n_bytes - offset : 0;
    if (offset <= buffer->n_bytes && n_items <= space / item_size)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_DEVICE,
        "%zu items of %zu bytes at %zu do not fit a buffer of %zu bytes", n_items,
        item_size, offset, buffer->n_bytes);
}

rug_status rugi_ocl_write(rug_context *ctx, rugi_ocl *device, rugi_ocl_buffer *buffer,
                          size_t offset, const void *data, size_t n_bytes)
{
    rug_status status = check_place(ctx, buffer, offset, n_bytes, 1);
    if (status != RUG_OK || n_bytes == 0)
        return status;
    cl_event event = NULL;
    cl_int code = device->cl->clEnqueueWriteBuffer(
        device->queue, buffer->id, CL_FALSE, offset, n_bytes, data, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return break_off(ctx, device, code, "writing to a buffer");
    device->state->times.upload_bytes += n_bytes;
    return keep(ctx, device, event, RUGI_OCL_UPLOAD);
}

rug_status rugi_ocl_write_rows(rug_context *ctx, rugi_ocl *device,
                               rugi_ocl_buffer *buffer, size_t offset, const void *data,
                               size_t n_rows, size_t row_bytes, size_t stride)
{
    assert(row_bytes > 0 && stride >= row_bytes);
    rug_status status = check_place(ctx, buffer, offset, n_rows, row_bytes);
    if (status != RUG_OK)
        return status;
    if (stride == row_bytes || n_rows < 2)
        return rugi_ocl_write(ctx, device, buffer, offset, data, n_rows * row_bytes);
    const size_t to[3] = {offset, 0, 0}, from[3] = {0, 0, 0};
    const size_t region[3] = {row_bytes, n_rows, 1};
    cl_event event = NULL;
    cl_int code = device->cl->clEnqueueWriteBufferRect(
        device->queue, buffer->id, CL_FALSE, to, from, region, row_bytes, 0, stride, 0,
        data, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return break_off(ctx, device, code, "writing rows to a buffer");
    device->state->times.upload_bytes += n_rows * row_bytes;
    return keep(ctx, device, event, RUGI_OCL_UPLOAD);
}

rug_status rugi_ocl_write_image(rug_context *ctx, rugi_ocl *device,
                                rugi_ocl_buffer *image, const void *data, size_t stride)
{
    assert(image->pixel_size > 0 && stride >= image->shape[1] * image->pixel_size);
    const size_t origin[3] = {0, 0, 0}, region[3] = {image->shape[1], image->shape[0], 1};
    size_t pitch =
        image->shape[0] > 1 ? stride : 0; /* drivers check it against the row */
    cl_event event = NULL;
    cl_int code =
        device->cl->clEnqueueWriteImage(device->queue, image->id, CL_FALSE, origin,
                                        region, pitch, 0, data, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return break_off(ctx, device, code, "writing an image");
    device->state->times.upload_bytes += image->n_bytes;
    return keep(ctx, device, event, RUGI_OCL_UPLOAD);
}

rug_status rugi_ocl_zero(rug_context *ctx, rugi_ocl *device, rugi_ocl_buffer *buffer,
                         size_t offset, size_t n_bytes)
{
    static const cl_uint zero = 0;
    rug_status status = check_place(ctx, buffer, offset, n_bytes, 1);
    assert(offset % sizeof zero == 0 && n_bytes % sizeof zero == 0);
    if (status != RUG_OK || n_bytes == 0)
        return status;
    cl_int code = device->cl->clEnqueueFillBuffer(
        device->queue, buffer->id, &zero, sizeof zero, offset, n_bytes, 0, NULL, NULL);
    return code == CL_SUCCESS ? RUG_OK
                              : break_off(ctx, device, code, "clearing a buffer");
}

rug_status rugi_ocl_read_later(rug_context *ctx, rugi_ocl *device,
                               rugi_ocl_buffer *buffer, size_t offset, void *data,
                               size_t n_bytes)
{
    rug_status status = check_place(ctx, buffer, offset, n_bytes, 1);
    if (status != RUG_OK || n_bytes == 0)
        return status;
    cl_event event = NULL;
    cl_int code = device->cl->clEnqueueReadBuffer(device->queue, buffer->id, CL_FALSE,
                                                  offset, n_bytes, data, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return break_off(ctx, device, code, "reading a buffer");
    device->state->times.download_bytes += n_bytes;
    device->cl->clFlush(device->queue);
    return keep(ctx, device, event, RUGI_OCL_DOWNLOAD);
}

rug_status rugi_ocl_read(rug_context *ctx, rugi_ocl *device, rugi_ocl_buffer *buffer,
                         size_t offset, void *data, size_t n_bytes)
{
    rug_status status = rugi_ocl_read_later(ctx, device, buffer, offset, data, n_bytes);
    return status == RUG_OK ? rugi_ocl_wait(ctx, device) : status;
}

static cl_int set_arg(const rugi_ocl *device, const rugi_ocl_kernel *kernel, cl_uint i,
                      const rugi_ocl_arg *arg)
{
    if (arg->buffer != NULL)
        return device->cl->clSetKernelArg(kernel->id, i, sizeof arg->buffer->id,
                                          &arg->buffer->id);
    return device->cl->clSetKernelArg(kernel->id, i, arg->n_bytes, arg->value);
}

rug_status rugi_ocl_run(rug_context *ctx, rugi_ocl *device, rugi_ocl_kernel *kernel,
                        const rugi_ocl_arg *args, size_t n_args, int n_dims,
                        const size_t *global, const size_t *local)
{
    char doing[128];
    cl_int code = n_args == kernel->n_args ? CL_SUCCESS : CL_INVALID_KERNEL_ARGS;
    cl_event event = NULL;
    assert(n_dims >= 1 && n_dims <= 3);
    snprintf(doing, sizeof doing, "running kernel %s", kernel->name);
    for (size_t i = 0; code == CL_SUCCESS && i < n_args; i++)
        code = set_arg(device, kernel, (cl_uint)i, &args[i]);
    if (code == CL_SUCCESS)
        code =
            device->cl->clEnqueueNDRangeKernel(device->queue, kernel->id, (cl_uint)n_dims,
                                               NULL, global, local, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return break_off(ctx, device, code, doing);
    device->state->times.n_kernels++;
    device->cl->clFlush(device->queue); /* begin now, not when the host waits */
    return keep(ctx, device, event, RUGI_OCL_KERNEL);
}
