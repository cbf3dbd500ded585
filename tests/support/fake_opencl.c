/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A library of OpenCL without any device behind it, for tests of what no test machine has:
 * several platforms, GPUs, old and broken drivers. Buffers are memory of the process; a
 * program is its source; a kernel does nothing. From the environment, at each call:
 *
 *   FAKE_OPENCL       devices: platforms separated by ';', devices by ',', each
 *                     TYPE:MIB[:old|:off], such as "cpu:4096;gpu:512,gpu:81920"
 *   FAKE_OPENCL_FAIL  FUNCTION=CODE: the function that fails, such as clCreateBuffer=-4;
 *                     `event` is the end of a command
 *   FAKE_OPENCL_ARGS  arguments of kernels by name, such as "boxes_local=8"; 1 of others
 *   FAKE_OPENCL_GROUP items of a work group of a kernel (64)
 *   FAKE_OPENCL_IMAGE rows and columns of the largest image (0: there are none) */

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PLATFORMS 4
#define MAX_DEVICES   8
#define MIB           ((cl_ulong)1 << 20)
#define LOG_BYTES     100000

struct _cl_device_id {
    cl_device_type type;
    cl_ulong memory;
    int is_old, is_off;
    int number;
};

struct _cl_platform_id {
    cl_uint n;
    struct _cl_device_id devices[MAX_DEVICES];
};

struct _cl_program {
    size_t n_bytes;
    unsigned char bytes[];
};

struct _cl_kernel {
    cl_uint n_args;
};

static struct _cl_platform_id platforms[MAX_PLATFORMS];

/* The code that a function is to fail with; CL_SUCCESS: it is not. */
static cl_int failure(const char *function)
{
    const char *wish = getenv("FAKE_OPENCL_FAIL");
    size_t n = strlen(function);
    if (wish == NULL || strncmp(wish, function, n) != 0 || wish[n] != '=')
        return CL_SUCCESS;
    return atoi(wish + n + 1);
}

static cl_int answer(size_t room, void *to, size_t *n_used, const void *value, size_t n)
{
    if (n_used != NULL)
        *n_used = n;
    if (to == NULL)
        return CL_SUCCESS;
    if (room < n)
        return CL_INVALID_VALUE;
    memcpy(to, value, n);
    return CL_SUCCESS;
}

static cl_int answer_text(size_t room, void *to, size_t *n_used, const char *text)
{
    return answer(room, to, n_used, text, strlen(text) + 1);
}

static cl_int answer_uint(size_t room, void *to, size_t *n_used, cl_uint value)
{
    return answer(room, to, n_used, &value, sizeof value);
}

static cl_int answer_ulong(size_t room, void *to, size_t *n_used, cl_ulong value)
{
    return answer(room, to, n_used, &value, sizeof value);
}

/* Reads FAKE_OPENCL. @return platforms */
static cl_uint describe(void)
{
    const char *at = getenv("FAKE_OPENCL");
    cl_uint p = 0;
    memset(platforms, 0, sizeof platforms);
    if (at == NULL)
        return 0;
    for (;;) {
        char type[8] = "", flag[8] = "";
        unsigned long mib = 0;
        struct _cl_platform_id *platform = &platforms[p];
        if (sscanf(at, "%7[a-z]:%lu:%7[a-z]", type, &mib, flag) >= 2)
            platform->devices[platform->n++] = (struct _cl_device_id){
                .type = strcmp(type, "gpu") == 0   ? CL_DEVICE_TYPE_GPU
                        : strcmp(type, "acc") == 0 ? CL_DEVICE_TYPE_ACCELERATOR
                                                   : CL_DEVICE_TYPE_CPU,
                .memory = mib * MIB,
                .is_old = strcmp(flag, "old") == 0,
                .is_off = strcmp(flag, "off") == 0,
                .number = (int)(10 * p + platform->n),
            };
        at += strcspn(at, ",;");
        p += *at != ',';
        if (*at == '\0')
            return p;
        at++;
    }
}

cl_int clGetPlatformIDs(cl_uint n, cl_platform_id *out, cl_uint *n_found)
{
    cl_uint there = describe();
    if (failure("clGetPlatformIDs") != CL_SUCCESS)
        return failure("clGetPlatformIDs");
    for (cl_uint i = 0; out != NULL && i < n && i < there; i++)
        out[i] = &platforms[i];
    if (n_found != NULL)
        *n_found = there;
    return CL_SUCCESS;
}

cl_int clGetPlatformInfo(cl_platform_id id, cl_platform_info what, size_t room, void *to,
                         size_t *n)
{
    char text[32];
    snprintf(text, sizeof text, what == CL_PLATFORM_NAME ? "Fake %d" : "OpenCL 1.2 (%d)",
             (int)(id - platforms));
    return answer_text(room, to, n, text);
}

cl_int clGetDeviceIDs(cl_platform_id id, cl_device_type type, cl_uint n,
                      cl_device_id *out, cl_uint *n_found)
{
    (void)type;
    if (failure("clGetDeviceIDs") != CL_SUCCESS && id == &platforms[0])
        return failure("clGetDeviceIDs");
    if (id->n == 0)
        return CL_DEVICE_NOT_FOUND;
    for (cl_uint i = 0; i < n && i < id->n; i++)
        out[i] = &id->devices[i];
    *n_found = id->n;
    return CL_SUCCESS;
}

static size_t image_side(void)
{
    const char *wish = getenv("FAKE_OPENCL_IMAGE");
    return wish != NULL ? strtoul(wish, NULL, 10) : 0;
}

/* The name has what names of real devices have: spaces around, and worse. */
cl_int clGetDeviceInfo(cl_device_id d, cl_device_info what, size_t room, void *to,
                       size_t *n)
{
    char name[64];
    snprintf(name, sizeof name, "  Model\t%d\n ", d->number);
    switch (what) {
    case CL_DEVICE_NAME: return answer_text(room, to, n, name);
    case CL_DRIVER_VERSION: return answer_text(room, to, n, "1.0");
    case CL_DEVICE_EXTENSIONS: return answer_text(room, to, n, "cl_a cl_b_long cl_b");
    case CL_DEVICE_VERSION:
        return answer_text(room, to, n, d->is_old ? "OpenCL 1.1 x" : "OpenCL 1.2 x");
    case CL_DEVICE_TYPE: return answer_ulong(room, to, n, d->type);
    case CL_DEVICE_GLOBAL_MEM_SIZE: return answer_ulong(room, to, n, d->memory);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return answer_ulong(room, to, n, d->memory / 4);
    case CL_DEVICE_LOCAL_MEM_SIZE: return answer_ulong(room, to, n, 32768);
    case CL_DEVICE_DOUBLE_FP_CONFIG:
        return answer_ulong(room, to, n, d->type == CL_DEVICE_TYPE_CPU ? 0 : 63);
    case CL_DEVICE_AVAILABLE: return answer_uint(room, to, n, !d->is_off);
    case CL_DEVICE_COMPILER_AVAILABLE: return answer_uint(room, to, n, 1);
    case CL_DEVICE_HOST_UNIFIED_MEMORY: return answer_uint(room, to, n, 0);
    case CL_DEVICE_MAX_COMPUTE_UNITS: return answer_uint(room, to, n, 8);
    case CL_DEVICE_MAX_CLOCK_FREQUENCY: return answer_uint(room, to, n, 1500);
    case CL_DEVICE_IMAGE_SUPPORT: return answer_uint(room, to, n, image_side() > 0);
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
        return answer(room, to, n, &(size_t){image_side()}, sizeof(size_t));
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return answer(room, to, n, &(size_t){256}, sizeof(size_t));
    default: return CL_INVALID_VALUE;
    }
}

/* What is not looked into is its own address. */
static char anything;

#define MAKE(function, type, value)   \
    cl_int code_ = failure(function); \
    if (code != NULL)                 \
        *code = code_;                \
    return code_ == CL_SUCCESS ? (type)(value) : NULL

cl_context clCreateContext(const cl_context_properties *properties, cl_uint n,
                           const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t,
                                                     void *),
                           void *user, cl_int *code)
{
    (void)properties, (void)n, (void)devices, (void)notify, (void)user;
    MAKE("clCreateContext", cl_context, &anything);
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties,
                                      cl_int *code)
{
    (void)context, (void)device, (void)properties;
    MAKE("clCreateCommandQueue", cl_command_queue, &anything);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t n, void *data,
                      cl_int *code)
{
    (void)context, (void)flags, (void)data;
    MAKE("clCreateBuffer", cl_mem, calloc(1, n));
}

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                  cl_mem_object_type type, cl_uint n,
                                  cl_image_format *out, cl_uint *n_found)
{
    static const cl_image_format formats[] = {
        {CL_RGBA, CL_FLOAT}, {CL_R, CL_UNSIGNED_INT8}, {CL_R, CL_UNORM_INT8}};
    (void)context, (void)flags, (void)type;
    for (cl_uint i = 0; out != NULL && i < n && i < 3; i++)
        out[i] = formats[i];
    if (n_found != NULL)
        *n_found = 3;
    return failure("clGetSupportedImageFormats");
}

cl_mem clCreateImage(cl_context context, cl_mem_flags flags,
                     const cl_image_format *format, const cl_image_desc *desc, void *data,
                     cl_int *code)
{
    (void)context, (void)flags, (void)format, (void)data;
    MAKE("clCreateImage", cl_mem, calloc(desc->image_width, desc->image_height));
}

static cl_program make_program(const void *bytes, size_t n)
{
    cl_program program = malloc(sizeof *program + n);
    program->n_bytes = n;
    memcpy(program->bytes, bytes, n);
    return program;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint n, const char **texts,
                                     const size_t *sizes, cl_int *code)
{
    (void)context;
    MAKE("clCreateProgramWithSource", cl_program,
         make_program(texts[n - 1], sizes[n - 1]));
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint n,
                                     const cl_device_id *devices, const size_t *sizes,
                                     const unsigned char **bytes, cl_int *taken,
                                     cl_int *code)
{
    (void)context, (void)n, (void)devices;
    *taken = CL_SUCCESS;
    MAKE("clCreateProgramWithBinary", cl_program, make_program(bytes[0], sizes[0]));
}

cl_int clBuildProgram(cl_program program, cl_uint n, const cl_device_id *devices,
                      const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                      void *user)
{
    (void)program, (void)n, (void)devices, (void)options, (void)notify, (void)user;
    return failure("clBuildProgram");
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device,
                             cl_program_build_info what, size_t room, void *to, size_t *n)
{
    static char log[LOG_BYTES];
    (void)program, (void)device, (void)what;
    memset(log, 'x', sizeof log - 1);
    return answer_text(room, to, n, log);
}

cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t room, void *to,
                        size_t *n)
{
    if (what == CL_PROGRAM_BINARY_SIZES)
        return answer(room, to, n, &program->n_bytes, sizeof program->n_bytes);
    memcpy(*(unsigned char **)to, program->bytes, program->n_bytes);
    return CL_SUCCESS;
}

static cl_uint args_of(const char *name)
{
    const char *all = getenv("FAKE_OPENCL_ARGS");
    const char *at = all != NULL ? strstr(all, name) : NULL;
    return at != NULL ? (cl_uint)strtoul(at + strlen(name) + 1, NULL, 10) : 1;
}

static cl_kernel make_kernel(const char *name)
{
    cl_kernel kernel = calloc(1, sizeof(struct _cl_kernel));
    if (kernel != NULL)
        kernel->n_args = args_of(name);
    return kernel;
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    (void)program;
    MAKE("clCreateKernel", cl_kernel, make_kernel(name));
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info what, size_t room, void *to,
                       size_t *n)
{
    (void)what;
    return answer_uint(room, to, n, kernel->n_args);
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info what, size_t room, void *to,
                                size_t *n)
{
    (void)kernel, (void)device, (void)what;
    const char *wish = getenv("FAKE_OPENCL_GROUP");
    size_t items = wish != NULL ? strtoul(wish, NULL, 10) : 64;
    return answer(room, to, n, &items, sizeof items);
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint i, size_t n, const void *value)
{
    (void)kernel, (void)i, (void)n, (void)value;
    return failure("clSetKernelArg");
}

static cl_int enqueue(const char *function, cl_event *event)
{
    if (event != NULL)
        *event = (cl_event)&anything;
    return failure(function);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool wait,
                            size_t offset, size_t n, const void *data, cl_uint n_events,
                            const cl_event *events, cl_event *event)
{
    (void)queue, (void)wait, (void)n_events, (void)events;
    memcpy((char *)mem + offset, data, n);
    return enqueue("clEnqueueWriteBuffer", event);
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem mem, cl_bool wait,
                                const size_t *to, const size_t *from,
                                const size_t *region, size_t row, size_t slice,
                                size_t host_row, size_t host_slice, const void *data,
                                cl_uint n_events, const cl_event *events, cl_event *event)
{
    (void)queue, (void)mem, (void)wait, (void)to, (void)from, (void)region, (void)row;
    (void)slice, (void)host_row, (void)host_slice, (void)data, (void)n_events;
    (void)events;
    return enqueue("clEnqueueWriteBufferRect", event);
}

cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem mem, cl_bool wait,
                           const size_t *origin, const size_t *region, size_t row,
                           size_t slice, const void *data, cl_uint n_events,
                           const cl_event *events, cl_event *event)
{
    (void)queue, (void)mem, (void)wait, (void)origin, (void)region, (void)row;
    (void)slice, (void)data, (void)n_events, (void)events;
    return enqueue("clEnqueueWriteImage", event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool wait,
                           size_t offset, size_t n, void *data, cl_uint n_events,
                           const cl_event *events, cl_event *event)
{
    (void)queue, (void)wait, (void)n_events, (void)events;
    memcpy(data, (char *)mem + offset, n);
    return enqueue("clEnqueueReadBuffer", event);
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem, const void *pattern,
                           size_t n_pattern, size_t offset, size_t n, cl_uint n_events,
                           const cl_event *events, cl_event *event)
{
    (void)queue, (void)mem, (void)pattern, (void)n_pattern, (void)offset, (void)n;
    (void)n_events, (void)events;
    return enqueue("clEnqueueFillBuffer", event);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint n_dims,
                              const size_t *offset, const size_t *global,
                              const size_t *local, cl_uint n_events,
                              const cl_event *events, cl_event *event)
{
    (void)queue, (void)kernel, (void)n_dims, (void)offset, (void)global, (void)local;
    (void)n_events, (void)events;
    return enqueue("clEnqueueNDRangeKernel", event);
}

cl_int clFinish(cl_command_queue queue)
{
    (void)queue;
    return failure("clFinish");
}

cl_int clWaitForEvents(cl_uint n, const cl_event *events)
{
    (void)n, (void)events;
    return failure("clWaitForEvents");
}

cl_int clGetEventInfo(cl_event event, cl_event_info what, size_t room, void *to,
                      size_t *n)
{
    (void)event, (void)what;
    cl_int state = failure("event");
    return answer(room, to, n, &state, sizeof state);
}

/* Every command takes a microsecond. */
cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t room,
                               void *to, size_t *n)
{
    (void)event;
    if (failure("clGetEventProfilingInfo") != CL_SUCCESS)
        return failure("clGetEventProfilingInfo");
    return answer_ulong(room, to, n, what == CL_PROFILING_COMMAND_END ? 1000 : 0);
}

/* Functions of one argument. */
#define TAKE(function, type, end) \
    cl_int function(type it)      \
    {                             \
        end;                      \
        return CL_SUCCESS;        \
    }
TAKE(clFlush, cl_command_queue, (void)it)
TAKE(clReleaseContext, cl_context, (void)it)
TAKE(clReleaseCommandQueue, cl_command_queue, (void)it)
TAKE(clReleaseEvent, cl_event, (void)it)
TAKE(clReleaseMemObject, cl_mem, free(it))
TAKE(clReleaseProgram, cl_program, free(it))
TAKE(clReleaseKernel, cl_kernel, free(it))
