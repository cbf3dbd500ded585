/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL library of the machine, the names of its errors, and the devices that it knows. */

#define _GNU_SOURCE /* RTLD_NODELETE */
#include "device_list.h"
#include "ocl_library.h"
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- The library ---- */

#define LIBRARY "libOpenCL.so.1"

/* What dlopen() says may hold a path and a newline; one line is kept. */
static void keep_reason(char *reason, size_t n_reason, const char *text)
{
    snprintf(reason, n_reason, "no OpenCL library: %s", text != NULL ? text : LIBRARY);
    reason[strcspn(reason, "\n")] = '\0';
}

int rugi_ocl_load(rugi_ocl_library *out, char *reason, size_t n_reason)
{
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == NULL) {
        keep_reason(reason, n_reason, dlerror());
        return 0;
    }
    const char *missing = NULL;
    void *found;
#define FIND(name)                             \
    found = dlsym(handle, #name);              \
    missing = found == NULL ? #name : missing; \
    memcpy(&out->name, &found, sizeof out->name);
    RUGI_OCL_FUNCTIONS(FIND)
#undef FIND
    dlclose(handle);
    if (missing == NULL)
        return 1;
    snprintf(reason, n_reason, "no OpenCL 1.2: %s lacks %s", LIBRARY, missing);
    return 0;
}

/* ---- Errors ---- */

typedef struct error_name {
    int code;
    const char *name;
} error_name;

#define NAMED(code) \
    {               \
        code, #code \
    }

/* The last ones belong to extensions, whose headers need not be there. */
static const error_name names[] = {
    NAMED(CL_SUCCESS),
    NAMED(CL_DEVICE_NOT_FOUND),
    NAMED(CL_DEVICE_NOT_AVAILABLE),
    NAMED(CL_COMPILER_NOT_AVAILABLE),
    NAMED(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    NAMED(CL_OUT_OF_RESOURCES),
    NAMED(CL_OUT_OF_HOST_MEMORY),
    NAMED(CL_PROFILING_INFO_NOT_AVAILABLE),
    NAMED(CL_MEM_COPY_OVERLAP),
    NAMED(CL_IMAGE_FORMAT_MISMATCH),
    NAMED(CL_IMAGE_FORMAT_NOT_SUPPORTED),
    NAMED(CL_BUILD_PROGRAM_FAILURE),
    NAMED(CL_MAP_FAILURE),
    NAMED(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    NAMED(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    NAMED(CL_COMPILE_PROGRAM_FAILURE),
    NAMED(CL_LINKER_NOT_AVAILABLE),
    NAMED(CL_LINK_PROGRAM_FAILURE),
    NAMED(CL_DEVICE_PARTITION_FAILED),
    NAMED(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
    NAMED(CL_INVALID_VALUE),
    NAMED(CL_INVALID_DEVICE_TYPE),
    NAMED(CL_INVALID_PLATFORM),
    NAMED(CL_INVALID_DEVICE),
    NAMED(CL_INVALID_CONTEXT),
    NAMED(CL_INVALID_QUEUE_PROPERTIES),
    NAMED(CL_INVALID_COMMAND_QUEUE),
    NAMED(CL_INVALID_HOST_PTR),
    NAMED(CL_INVALID_MEM_OBJECT),
    NAMED(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR),
    NAMED(CL_INVALID_IMAGE_SIZE),
    NAMED(CL_INVALID_SAMPLER),
    NAMED(CL_INVALID_BINARY),
    NAMED(CL_INVALID_BUILD_OPTIONS),
    NAMED(CL_INVALID_PROGRAM),
    NAMED(CL_INVALID_PROGRAM_EXECUTABLE),
    NAMED(CL_INVALID_KERNEL_NAME),
    NAMED(CL_INVALID_KERNEL_DEFINITION),
    NAMED(CL_INVALID_KERNEL),
    NAMED(CL_INVALID_ARG_INDEX),
    NAMED(CL_INVALID_ARG_VALUE),
    NAMED(CL_INVALID_ARG_SIZE),
    NAMED(CL_INVALID_KERNEL_ARGS),
    NAMED(CL_INVALID_WORK_DIMENSION),
    NAMED(CL_INVALID_WORK_GROUP_SIZE),
    NAMED(CL_INVALID_WORK_ITEM_SIZE),
    NAMED(CL_INVALID_GLOBAL_OFFSET),
    NAMED(CL_INVALID_EVENT_WAIT_LIST),
    NAMED(CL_INVALID_EVENT),
    NAMED(CL_INVALID_OPERATION),
    NAMED(CL_INVALID_GL_OBJECT),
    NAMED(CL_INVALID_BUFFER_SIZE),
    NAMED(CL_INVALID_MIP_LEVEL),
    NAMED(CL_INVALID_GLOBAL_WORK_SIZE),
    NAMED(CL_INVALID_PROPERTY),
    NAMED(CL_INVALID_IMAGE_DESCRIPTOR),
    NAMED(CL_INVALID_COMPILER_OPTIONS),
    NAMED(CL_INVALID_LINKER_OPTIONS),
    NAMED(CL_INVALID_DEVICE_PARTITION_COUNT),
    {-69, "CL_INVALID_PIPE_SIZE"},
    {-70, "CL_INVALID_DEVICE_QUEUE"},
    {-71, "CL_INVALID_SPEC_ID"},
    {-72, "CL_MAX_SIZE_RESTRICTION_EXCEEDED"},
    {-1000, "CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR"},
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
    {-1057, "CL_DEVICE_PARTITION_FAILED_EXT"},
    {-1058, "CL_INVALID_PARTITION_COUNT_EXT"},
    {-1059, "CL_INVALID_PARTITION_NAME_EXT"},
    {-9999, "illegal access to memory by a kernel"},
};

const char *rugi_ocl_error_name(int code)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].code == code)
            return names[i].name;
    return "an unknown error";
}

rug_status rugi_ocl_fail(rug_context *ctx, int code, const char *doing, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, doing);
    vsnprintf(text, sizeof text, doing, arguments);
    va_end(arguments);
    return rug_context_fail(ctx, RUG_E_DEVICE, "%s: %s (%d)", text,
                            rugi_ocl_error_name(code), code);
}

/* ---- Devices ---- */

/* Said by the loader where no driver is installed (cl_khr_icd). */
#define PLATFORM_NOT_FOUND (-1001)

/** More than any machine has; what a broken driver may claim is cut there. */
#define MAX_PLATFORMS 32
#define MAX_DEVICES   64

/** Bytes that the answer to a question about a device may have. */
#define ANSWER_MAX 2048

typedef struct search {
    const rugi_ocl_library *cl;
    cl_uint n_platforms;
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint n[MAX_PLATFORMS]; /* devices of each */
    cl_device_id devices[MAX_PLATFORMS][MAX_DEVICES];
    rug_devices *list;
} search;

/* Keeps an answer without spaces at its ends and without control characters, which would
 * break a table. */
static void keep_text(char out[RUGI_DEVICE_TEXT_MAX], const char *answer)
{
    size_t n = 0;
    answer += strspn(answer, " ");
    for (; answer[n] != '\0' && n < RUGI_DEVICE_TEXT_MAX - 1; n++)
        out[n] = (unsigned char)answer[n] < ' ' ? ' ' : answer[n];
    while (n > 0 && out[n - 1] == ' ')
        n--;
    out[n] = '\0';
}

static void ask_platform(const search *s, cl_platform_id id, cl_platform_info question,
                         char out[RUGI_DEVICE_TEXT_MAX])
{
    char answer[ANSWER_MAX] = "";
    if (s->cl->clGetPlatformInfo(id, question, sizeof answer - 1, answer, NULL) !=
        CL_SUCCESS)
        answer[0] = '\0';
    keep_text(out, answer);
}

static void ask_text(const search *s, cl_device_id id, cl_device_info question,
                     char out[RUGI_DEVICE_TEXT_MAX])
{
    char answer[ANSWER_MAX] = "";
    if (s->cl->clGetDeviceInfo(id, question, sizeof answer - 1, answer, NULL) !=
        CL_SUCCESS)
        answer[0] = '\0';
    keep_text(out, answer);
}

/* A number of any of OpenCL's widths; 0 when the device does not answer. */
static uint64_t ask_number(const search *s, cl_device_id id, cl_device_info question)
{
    uint64_t wide = 0;
    uint32_t narrow = 0;
    size_t n = 0;
    if (s->cl->clGetDeviceInfo(id, question, sizeof wide, &wide, &n) != CL_SUCCESS)
        return 0;
    if (n != sizeof narrow)
        return wide;
    memcpy(&narrow, &wide, sizeof narrow);
    return narrow;
}

static rug_device_type type_of(cl_device_type type)
{
    if (type & CL_DEVICE_TYPE_GPU)
        return RUG_DEVICE_GPU;
    if (type & CL_DEVICE_TYPE_ACCELERATOR)
        return RUG_DEVICE_ACCELERATOR;
    return type & CL_DEVICE_TYPE_CPU ? RUG_DEVICE_CPU : RUG_DEVICE_OTHER;
}

/* Kernels are written in OpenCL C 1.2. */
static int offers_1_2(const char *version)
{
    int major = 0, minor = 0;
    return sscanf(version, "OpenCL %d.%d", &major, &minor) == 2 &&
           (major > 1 || (major == 1 && minor >= 2));
}

static void describe_device(const search *s, rugi_device_entry *e, cl_device_id id,
                            cl_platform_id platform)
{
    e->id = id;
    ask_platform(s, platform, CL_PLATFORM_NAME, e->platform);
    ask_platform(s, platform, CL_PLATFORM_VERSION, e->platform_version);
    ask_text(s, id, CL_DEVICE_NAME, e->name);
    ask_text(s, id, CL_DRIVER_VERSION, e->driver);
    ask_text(s, id, CL_DEVICE_VERSION, e->version);
    rug_device *f = &e->facts;
    f->name = e->name;
    f->platform = e->platform;
    f->driver = e->driver;
    f->version = e->version;
    f->type = type_of(ask_number(s, id, CL_DEVICE_TYPE));
    f->has_fp64 = ask_number(s, id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
    f->memory = ask_number(s, id, CL_DEVICE_GLOBAL_MEM_SIZE);
    f->max_allocation = ask_number(s, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    f->local_memory = ask_number(s, id, CL_DEVICE_LOCAL_MEM_SIZE);
    f->compute_units = (uint32_t)ask_number(s, id, CL_DEVICE_MAX_COMPUTE_UNITS);
    f->clock_mhz = (uint32_t)ask_number(s, id, CL_DEVICE_MAX_CLOCK_FREQUENCY);
    f->is_usable = offers_1_2(e->version) && ask_number(s, id, CL_DEVICE_AVAILABLE) &&
                   ask_number(s, id, CL_DEVICE_COMPILER_AVAILABLE);
}

static void give_reason(search *s, int code, const char *doing)
{
    snprintf(s->list->reason, sizeof s->list->reason, "no OpenCL device: %s: %s (%d)",
             doing, rugi_ocl_error_name(code), code);
}

/* A platform that fails has no devices; the others go on. @return devices of all */
static size_t count_devices(search *s)
{
    size_t n = 0;
    give_reason(s, CL_DEVICE_NOT_FOUND, "asking for devices");
    for (cl_uint p = 0; p < s->n_platforms; p++) {
        cl_int code = s->cl->clGetDeviceIDs(s->platforms[p], CL_DEVICE_TYPE_ALL,
                                            MAX_DEVICES, s->devices[p], &s->n[p]);
        if (code != CL_SUCCESS) {
            s->n[p] = 0;
            give_reason(s, code, "asking for devices");
        }
        if (s->n[p] > MAX_DEVICES)
            s->n[p] = MAX_DEVICES;
        n += s->n[p];
    }
    return n;
}

static rug_status fill(rug_context *ctx, search *s, size_t n)
{
    rugi_device_entry *entries = rug_context_allocate(ctx, n, sizeof *entries, "devices");
    if (entries == NULL)
        return RUG_E_NOMEM;
    memset(entries, 0, n * sizeof *entries);
    s->list->entries = entries;
    for (cl_uint p = 0; p < s->n_platforms; p++)
        for (cl_uint d = 0; d < s->n[p]; d++)
            describe_device(s, &entries[s->list->n++], s->devices[p][d], s->platforms[p]);
    s->list->reason[0] = '\0';
    return RUG_OK;
}

rug_status rugi_ocl_find_devices(rug_context *ctx, rug_devices *list)
{
    rugi_ocl_library cl;
    if (!rugi_ocl_load(&cl, list->reason, sizeof list->reason))
        return RUG_OK;
    search *s = rug_context_allocate(ctx, 1, sizeof *s, "search for devices");
    if (s == NULL)
        return RUG_E_NOMEM;
    memset(s, 0, sizeof *s);
    s->cl = &cl;
    s->list = list;
    cl_int code = cl.clGetPlatformIDs(MAX_PLATFORMS, s->platforms, &s->n_platforms);
    rug_status status = RUG_OK;
    if (code == PLATFORM_NOT_FOUND || (code == CL_SUCCESS && s->n_platforms == 0)) {
        snprintf(list->reason, sizeof list->reason,
                 "no OpenCL device: no OpenCL driver is installed");
    } else if (code != CL_SUCCESS) {
        give_reason(s, code, "asking for drivers");
    } else {
        if (s->n_platforms > MAX_PLATFORMS)
            s->n_platforms = MAX_PLATFORMS;
        size_t n = count_devices(s);
        if (n > 0)
            status = fill(ctx, s, n);
    }
    rug_context_release(ctx, s);
    return status;
}
