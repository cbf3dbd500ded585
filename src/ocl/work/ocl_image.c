/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images of a device: one value for each pixel. OpenCL 1.2 promises none of one channel, so
 * the driver is asked. */

#include "ocl/device/ocl_room.h"
#include <assert.h>
#include <stdint.h>

/** Formats that are looked through; drivers have about a hundred. */
#define FORMATS_MAX 512

/* @return the channel of a dtype, or 0 */
static cl_channel_type channel_of(rug_dtype dtype)
{
    switch (dtype) {
    case RUG_U8: return CL_UNSIGNED_INT8;
    case RUG_U16: return CL_UNSIGNED_INT16;
    case RUG_I16: return CL_SIGNED_INT16;
    case RUG_F32: return CL_FLOAT;
    default: return 0;
    }
}

static int has_format(const rugi_ocl *device, cl_channel_type channel)
{
    cl_image_format formats[FORMATS_MAX];
    cl_uint n = 0;
    if (device->cl->clGetSupportedImageFormats(device->context, CL_MEM_READ_ONLY,
                                               CL_MEM_OBJECT_IMAGE2D, FORMATS_MAX,
                                               formats, &n) != CL_SUCCESS)
        return 0;
    for (cl_uint i = 0; i < n && i < FORMATS_MAX; i++)
        if (formats[i].image_channel_order == CL_R &&
            formats[i].image_channel_data_type == channel)
            return 1;
    return 0;
}

static size_t size_fact(const rugi_ocl *device, cl_device_info what)
{
    size_t n = 0;
    return device->cl->clGetDeviceInfo(device->id, what, sizeof n, &n, NULL) == CL_SUCCESS
               ? n
               : 0;
}

void rugi_ocl_image_max(const rugi_ocl *device, size_t most[2], rug_dtype dtype)
{
    cl_bool has_images = CL_FALSE;
    cl_channel_type channel = channel_of(dtype);
    most[0] = most[1] = 0;
    if (channel == 0 ||
        device->cl->clGetDeviceInfo(device->id, CL_DEVICE_IMAGE_SUPPORT,
                                    sizeof has_images, &has_images, NULL) != CL_SUCCESS ||
        !has_images || !has_format(device, channel))
        return;
    size_t rows = size_fact(device, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
    size_t columns = size_fact(device, CL_DEVICE_IMAGE2D_MAX_WIDTH);
    if (rows == 0 || columns == 0)
        return;
    most[0] = rows;
    most[1] = columns;
}

rug_status rugi_ocl_image_new(rug_context *ctx, rugi_ocl *device, rugi_ocl_buffer **out,
                              const size_t shape[2], rug_dtype dtype, const char *what)
{
    size_t most[2], size = rug_dtype_size(dtype);
    assert(shape[0] > 0 && shape[1] > 0);
    *out = NULL;
    rugi_ocl_image_max(device, most, dtype);
    if (shape[0] > most[0] || shape[1] > most[1])
        return rug_context_fail(ctx, RUG_E_DEVICE,
                                "%s: an image of %zux%zu %s; %s takes at most %zux%zu",
                                what, shape[0], shape[1], rug_dtype_name(dtype),
                                device->entry->name, most[0], most[1]);
    size_t n_bytes = shape[0] > PTRDIFF_MAX / size / shape[1]
                         ? (size_t)PTRDIFF_MAX
                         : shape[0] * shape[1] * size;
    rug_status status = rugi_ocl_check_room(ctx, device, n_bytes, what);
    if (status != RUG_OK)
        return status;
    rugi_ocl_buffer *image = rug_context_allocate(ctx, 1, sizeof *image, what);
    if (image == NULL)
        return RUG_E_NOMEM;
    *image = (rugi_ocl_buffer){
        .n_bytes = n_bytes, .shape = {shape[0], shape[1]}, .pixel_size = size};
    const cl_image_format format = {CL_R, channel_of(dtype)};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = shape[1],
                                .image_height = shape[0]};
    cl_int code = CL_SUCCESS;
    image->id = device->cl->clCreateImage(device->context, CL_MEM_READ_ONLY, &format,
                                          &desc, NULL, &code);
    if (code != CL_SUCCESS) {
        rug_context_release(ctx, image);
        return rugi_ocl_fail(ctx, code, "making an image of %zux%zu for %s on %s",
                             shape[0], shape[1], what, device->entry->name);
    }
    device->in_use += n_bytes;
    *out = image;
    return RUG_OK;
}
