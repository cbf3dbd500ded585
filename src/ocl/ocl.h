/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* OpenCL for methods: open the device, get kernels from embedded .cl files, move data, run.
 * Needs no OpenCL headers. Every failure of OpenCL is RUG_E_DEVICE with a text, after which
 * `auto` may go on with the CPU: a method must not have touched its results by then.
 *
 *     extern const rugi_ocl_source rugi_cl_boxcount_pyramid;   // boxcount_pyramid.cl
 *
 *     rugi_ocl *device;
 *     status = rugi_ocl_open(ctx, &device);                    // kept in the context
 *     static const rugi_ocl_source *const sources[] = {&rugi_cl_boxcount_pyramid};
 *     rugi_ocl_build build = {.sources = sources, .n_sources = 1, .options = "-DTILE=64"};
 *     rugi_ocl_kernel *kernel;
 *     status = rugi_ocl_kernel_get(ctx, device, &kernel, &build, "count");  // kept too
 *     status = rugi_ocl_buffer_new(ctx, device, &pixels, n, 1, RUGI_OCL_READ, "pixels");
 *     status = rugi_ocl_write(ctx, device, pixels, 0, data, n);
 *     rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(pixels), RUGI_OCL_ARG(n_rows),
 *                            rugi_ocl_arg_local(4096)};
 *     status = rugi_ocl_run(ctx, device, kernel, args, 3, 1, &n_items, &n_group);
 *     status = rugi_ocl_read(ctx, device, counts, 0, out, sizeof out);      // waits
 *     rugi_ocl_buffer_free(device, pixels);
 *
 * All work of a device is done in the order in which it was enqueued. A context, and so
 * its device, serves one thread at a time. */

#ifndef RUGI_OCL_H
#define RUGI_OCL_H

#include "core/context/context_internal.h"
#include <rugose/devices.h>
#include <rugose/image.h>

/** An opened device. Owned by the context; valid until the next rugi_ocl_open() or the
 *  context's end. */
typedef struct rugi_ocl rugi_ocl;

/** Opens the device of the context's choice, or gives the one that is open. After a
 *  failure of the device the next call opens it anew.
 *  @param out  NULL on failure
 *  @return RUG_OK, RUG_E_DEVICE (none, "cpu" was chosen, or it cannot be opened; the error
 *          text lists the devices), RUG_E_NOMEM */
rug_status rugi_ocl_open(rug_context *ctx, rugi_ocl **out);

/** Name, type, memory … of an opened device. */
const rug_device *rugi_ocl_facts(const rugi_ocl *device);

/** "opencl:N", the engine's name in results. Static text. */
const char *rugi_ocl_engine_name(const rugi_ocl *device);

/** The most work items of a work group, by the device; rugi_ocl_kernel_group_max() may be
 *  less. */
size_t rugi_ocl_group_max(const rugi_ocl *device);

/** Nonzero when the device shares the processor's memory, so that rugi_ocl_buffer_wrap()
 *  copies nothing. */
int rugi_ocl_is_unified(const rugi_ocl *device);

/** Nonzero when it has an extension such as "cl_khr_int64_base_atomics". */
int rugi_ocl_has_extension(const rugi_ocl *device, const char *name);

/* ---- Programs ---- */

/** A .cl file, made part of the library: `rugose_embed_cl()` of CMake turns NAME.cl of a
 *  method's folder into `const rugi_ocl_source rugi_cl_NAME`. */
typedef struct rugi_ocl_source {
    const char *name; /**< of the file, for messages of the compiler */
    const char *text; /**< n_bytes, no end mark */
    size_t n_bytes;
} rugi_ocl_source;

/** What a program is built of. */
typedef struct rugi_ocl_build {
    const rugi_ocl_source *const *sources; /**< compiled as one text, in this order */
    size_t n_sources;
    const char *options; /**< of the compiler, such as "-DTILE=64"; NULL = none. OpenCL C
                              1.2 is set already */
    int no_contract;     /**< nonzero: a * b + c is never fused (FP_CONTRACT OFF) */
} rugi_ocl_build;

/** The most sources of one program. */
#define RUGI_OCL_SOURCES_MAX 8

/** The text of a program, as a device gets it: n pieces, one behind the other. */
typedef struct rugi_ocl_text {
    const char *pieces[1 + 2 * RUGI_OCL_SOURCES_MAX];
    size_t sizes[1 + 2 * RUGI_OCL_SOURCES_MAX]; /**< bytes of each, no end mark */
    unsigned n;
    char lines[RUGI_OCL_SOURCES_MAX][128]; /**< which name the files */
} rugi_ocl_text;

/** Makes the text, which is valid while `text` and the build are. */
void rugi_ocl_build_text(rugi_ocl_text *text, const rugi_ocl_build *build);

/** A kernel. Owned by the device. */
typedef struct rugi_ocl_kernel rugi_ocl_kernel;

/** A kernel of a program, which is built when it is asked for first, or taken from the
 *  cache folder of the context. Both are kept in the device.
 *  @param out  NULL on failure
 *  @return RUG_OK, RUG_E_DEVICE (with the compiler's messages), RUG_E_NOMEM */
rug_status rugi_ocl_kernel_get(rug_context *ctx, rugi_ocl *device, rugi_ocl_kernel **out,
                               const rugi_ocl_build *build, const char *name);

/** The most work items of a work group of this kernel. */
size_t rugi_ocl_kernel_group_max(const rugi_ocl_kernel *kernel);

/* ---- Buffers ---- */

/** What kernels do with a buffer. */
typedef enum rugi_ocl_access {
    RUGI_OCL_READ,
    RUGI_OCL_WRITE,
    RUGI_OCL_READ_WRITE
} rugi_ocl_access;

/** Memory of a device. Owned by the caller. */
typedef struct rugi_ocl_buffer rugi_ocl_buffer;

/** Makes a buffer of n_items * item_size bytes, not initialised.
 *  @param out   NULL on failure; free it with rugi_ocl_buffer_free()
 *  @param what  what it is for, in error texts; static text
 *  @return RUG_OK, RUG_E_DEVICE (the product does not fit, is larger than the device's
 *          largest buffer, or its memory is full), RUG_E_NOMEM; a size of 0 makes a buffer
 *          of one byte */
rug_status rugi_ocl_buffer_new(rug_context *ctx, rugi_ocl *device, rugi_ocl_buffer **out,
                               size_t n_items, size_t item_size, rugi_ocl_access access,
                               const char *what);

/** A read-only buffer over memory of the processor, which must stay and not change until
 *  the buffer is freed. Where rugi_ocl_is_unified() no copy is made; elsewhere use
 *  rugi_ocl_buffer_new() and rugi_ocl_write(). Arguments else as rugi_ocl_buffer_new(). */
rug_status rugi_ocl_buffer_wrap(rug_context *ctx, rugi_ocl *device, rugi_ocl_buffer **out,
                                const void *data, size_t n_items, size_t item_size,
                                const char *what);

/** Frees a buffer or an image, when the work that uses it is done. NULL is allowed. */
void rugi_ocl_buffer_free(rugi_ocl *device, rugi_ocl_buffer *buffer);

/** How many bytes a buffer of an input may have, so that `n_buffers` of them and
 *  `other_bytes` of other buffers, yet to be made, fit beside those that are there. A
 *  larger input is uploaded piece by piece. A quarter of the device's memory is left
 *  alone. @return a multiple of 4096, or 0 when nothing fits */
size_t rugi_ocl_piece_max(const rugi_ocl *device, size_t n_buffers, uint64_t other_bytes);

/* ---- Images ---- */

/** The largest image of one value for each pixel that kernels can read as an `image2d_t`.
 *  @param most   rows and columns; 0 and 0 when there are no such images
 *  @param dtype  RUG_U8, RUG_U16 (read_imageui), RUG_I16 (read_imagei) or RUG_F32
 *                (read_imagef); there are none of others
 *  @param is_filtered  nonzero: read_imagef may interpolate, for which integers stand for
 *                0..1 (RUG_U8, RUG_U16; there are none of RUG_I16) */
void rugi_ocl_image_max(const rugi_ocl *device, size_t most[2], rug_dtype dtype,
                        int is_filtered);

/** Makes an image, not initialised, that kernels read. It is an argument like a buffer,
 *  and is written by rugi_ocl_write_image() alone.
 *  @param out    NULL on failure; free it with rugi_ocl_buffer_free()
 *  @param shape  rows and columns, each at least 1
 *  @param dtype, is_filtered  as above
 *  @param what   what it is for, in error texts; static text
 *  @return RUG_OK, RUG_E_DEVICE (no such images, too large, device memory is full),
 *          RUG_E_NOMEM */
rug_status rugi_ocl_image_new(rug_context *ctx, rugi_ocl *device, rugi_ocl_buffer **out,
                              const size_t shape[2], rug_dtype dtype, int is_filtered,
                              const char *what);

/* ---- Work ---- */

/** Writes bytes into a buffer; may return before it is done: `data` must stay as it is
 *  until rugi_ocl_read() or rugi_ocl_wait() has returned, or any command has failed.
 *  @param offset  bytes; offset + n_bytes must fit the buffer
 *  @return RUG_OK, RUG_E_DEVICE */
rug_status rugi_ocl_write(rug_context *ctx, rugi_ocl *device, rugi_ocl_buffer *buffer,
                          size_t offset, const void *data, size_t n_bytes);

/** Writes rows that lie `stride` bytes apart one behind the other. Else as
 *  rugi_ocl_write().
 *  @param row_bytes  of a row, at least 1
 *  @param stride     at least row_bytes */
rug_status rugi_ocl_write_rows(rug_context *ctx, rugi_ocl *device,
                               rugi_ocl_buffer *buffer, size_t offset, const void *data,
                               size_t n_rows, size_t row_bytes, size_t stride);

/** Writes a whole image from rows that lie `stride` bytes apart. Else as
 *  rugi_ocl_write(). */
rug_status rugi_ocl_write_image(rug_context *ctx, rugi_ocl *device,
                                rugi_ocl_buffer *image, const void *data, size_t stride);

/** Sets bytes of a buffer to 0. offset and n_bytes are multiples of 4. */
rug_status rugi_ocl_zero(rug_context *ctx, rugi_ocl *device, rugi_ocl_buffer *buffer,
                         size_t offset, size_t n_bytes);

/** Reads bytes of a buffer, when all that was enqueued before is done. */
rug_status rugi_ocl_read(rug_context *ctx, rugi_ocl *device, rugi_ocl_buffer *buffer,
                         size_t offset, void *data, size_t n_bytes);

/** Reads bytes of a buffer as rugi_ocl_read() does, but may return before it is done:
 *  `data` is filled, and must stay, until rugi_ocl_wait_for() or rugi_ocl_wait() has
 *  returned, or any command has failed. */
rug_status rugi_ocl_read_later(rug_context *ctx, rugi_ocl *device,
                               rugi_ocl_buffer *buffer, size_t offset, void *data,
                               size_t n_bytes);

/** Waits until all that was enqueued is done. */
rug_status rugi_ocl_wait(rug_context *ctx, rugi_ocl *device);

/** A mark behind all that was enqueued so far. */
uint64_t rugi_ocl_mark(const rugi_ocl *device);

/** Waits until all that was enqueued before a mark is done, while what was enqueued behind it
 *  goes on. */
rug_status rugi_ocl_wait_for(rug_context *ctx, rugi_ocl *device, uint64_t mark);

/** One argument of a kernel. */
typedef struct rugi_ocl_arg {
    const rugi_ocl_buffer *buffer; /**< NULL: a value or local memory */
    const void *value;             /**< NULL: local memory */
    size_t n_bytes;                /**< of the value or the local memory */
} rugi_ocl_arg;

/** A value: a variable whose type is as large as the kernel's (uint32_t for uint …). */
#define RUGI_OCL_ARG(variable) ((rugi_ocl_arg){NULL, &(variable), sizeof(variable)})

static inline rugi_ocl_arg rugi_ocl_arg_buffer(const rugi_ocl_buffer *buffer)
{
    return (rugi_ocl_arg){buffer, NULL, 0};
}

/** Local memory for a `__local T *` argument. */
static inline rugi_ocl_arg rugi_ocl_arg_local(size_t n_bytes)
{
    return (rugi_ocl_arg){NULL, NULL, n_bytes};
}

/** Runs a kernel; returns before it is done.
 *  @param args    all of them; values are copied
 *  @param n_dims  1..3
 *  @param global  [n_dims] work items, x first; a multiple of local; at least 1
 *  @param local   [n_dims] of a work group; NULL: OpenCL chooses
 *  @return RUG_OK, RUG_E_DEVICE */
rug_status rugi_ocl_run(rug_context *ctx, rugi_ocl *device, rugi_ocl_kernel *kernel,
                        const rugi_ocl_arg *args, size_t n_args, int n_dims,
                        const size_t *global, const size_t *local);

/** Work done since the device was opened, or rug_devices_take_times() was called; complete
 *  after rugi_ocl_read() or rugi_ocl_wait(). */
const rug_device_times *rugi_ocl_times(const rugi_ocl *device);

#endif
