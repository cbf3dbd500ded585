/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Looks for the OpenCL devices of the machine. */

#include "device_list.h"
#include "ocl_library.h"
#include <stdio.h>
#include <string.h>

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
