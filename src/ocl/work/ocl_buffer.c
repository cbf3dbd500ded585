/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Memory of a device, buffers and images: sizes are checked before OpenCL is asked, because
 * drivers promise memory that they do not have and fail much later. */

#include "ocl/device/ocl_state.h"
#include <assert.h>
#include <stdint.h>

/** Pieces are multiples of this, so that their parts are aligned for any type. */
#define PIECE_UNIT 4096

/* Whether n_bytes for `what` fit the device beside what is in use. */
static rug_status check_space(rug_context *ctx, const rugi_ocl *device, size_t n_bytes,
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
    return check_space(ctx, device, *n_bytes, what);
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
    uint64_t most = f->memory / 4 * 3;
    assert(n_buffers > 0);
    if (device->in_use > most || other_bytes > most - device->in_use)
        return 0;
    uint64_t n = (most - device->in_use - other_bytes) / n_buffers;
    if (n > f->max_allocation)
        n = f->max_allocation;
    if (n > PTRDIFF_MAX)
        n = PTRDIFF_MAX;
    return (size_t)(n / PIECE_UNIT * PIECE_UNIT);
}

/* ---- Images: one value for each pixel. OpenCL 1.2 promises none of one channel, so the
 * driver is asked. ---- */

/** Formats that are looked through; drivers have about a hundred. */
#define FORMATS_MAX 512

/* @return the channel of a dtype, or 0. Integers are filtered as fractions; of signed ones
 * two values would be one. */
static cl_channel_type channel_of(rug_dtype dtype, int is_filtered)
{
    switch (dtype) {
    case RUG_U8: return is_filtered ? CL_UNORM_INT8 : CL_UNSIGNED_INT8;
    case RUG_U16: return is_filtered ? CL_UNORM_INT16 : CL_UNSIGNED_INT16;
    case RUG_I16: return is_filtered ? 0 : CL_SIGNED_INT16;
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

void rugi_ocl_image_max(const rugi_ocl *device, size_t most[2], rug_dtype dtype,
                        int is_filtered)
{
    cl_bool has_images = CL_FALSE;
    cl_channel_type channel = channel_of(dtype, is_filtered);
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
                              const size_t shape[2], rug_dtype dtype, int is_filtered,
                              const char *what)
{
    size_t most[2], size = rug_dtype_size(dtype);
    assert(shape[0] > 0 && shape[1] > 0);
    *out = NULL;
    rugi_ocl_image_max(device, most, dtype, is_filtered);
    if (shape[0] > most[0] || shape[1] > most[1])
        return rug_context_fail(ctx, RUG_E_DEVICE,
                                "%s: an image of %zux%zu %s; %s takes at most %zux%zu",
                                what, shape[0], shape[1], rug_dtype_name(dtype),
                                device->entry->name, most[0], most[1]);
    size_t n_bytes = shape[0] > PTRDIFF_MAX / size / shape[1]
                         ? (size_t)PTRDIFF_MAX
                         : shape[0] * shape[1] * size;
    rug_status status = check_space(ctx, device, n_bytes, what);
    if (status != RUG_OK)
        return status;
    rugi_ocl_buffer *image = rug_context_allocate(ctx, 1, sizeof *image, what);
    if (image == NULL)
        return RUG_E_NOMEM;
    *image = (rugi_ocl_buffer){
        .n_bytes = n_bytes, .shape = {shape[0], shape[1]}, .pixel_size = size};
    const cl_image_format format = {CL_R, channel_of(dtype, is_filtered)};
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
