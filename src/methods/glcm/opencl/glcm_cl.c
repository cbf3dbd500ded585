/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL engine of co-occurrence: its kernels, and which region goes which way. */

#include "core/context/small.h"
#include "glcm_opencl.h"
#include "ocl/work/ocl_family.h"
#include <string.h>

extern const rugi_ocl_source rugi_cl_glcm, rugi_cl_glcm_sums;

extern const rugi_ocl_family rugi_cl_glcm_family;
const rugi_ocl_family rugi_cl_glcm_family = {
    .sources = {&rugi_cl_glcm, &rugi_cl_glcm_sums},
    .kernels = {"glcm_sums", "glcm_small", "glcm_runs", "glcm_pixels", "glcm_take"},
    .options = {{"SYMMETRIC", 2, {0, 1}}, {"FRAME", 2, {0, 1}}}};

/* Items of a work group; smaller groups do more rounds. */
#define ITEMS 128

/* Bytes of pixels or entries of a launch at most, and slots of local memory. */
#define MOST_BYTES ((size_t)1 << 27)
#define MOST_SLOTS ((uint32_t)1 << 14)

/* Pixels of a small region at most. */
#define SMALL_AREA ((uint64_t)1 << 14)

/* Local memory that is left to kernels for other things. */
#define OTHER_LOCAL 1024

static rug_status get_kernel(rug_context *ctx, rugi_glcm_cl *cl, rugi_glcm_cl_kernel *out,
                             const char *name)
{
    const rugi_glcm_plan *p = cl->job->plan;
    const int values[] = {p->is_symmetric != 0, p->is_frame != 0};
    rug_status status = rugi_ocl_family_get(ctx, cl->device, &out->kernel,
                                            &rugi_cl_glcm_family, values, name);
    if (status != RUG_OK)
        return status;
    out->items = ITEMS;
    while (out->items > rugi_ocl_kernel_group_max(out->kernel) && out->items > 1)
        out->items /= 2;
    return RUG_OK;
}

static rug_status make_workers(rug_context *ctx, rugi_glcm_cl *cl)
{
    cl->n_workers = (size_t)rug_context_threads(ctx);
    cl->workers = rug_context_allocate(ctx, cl->n_workers, sizeof *cl->workers,
                                       "workers that finish features");
    if (cl->workers == NULL)
        return RUG_E_NOMEM;
    memset(cl->workers, 0, cl->n_workers * sizeof *cl->workers);
    for (size_t t = 0; t < cl->n_workers; t++)
        cl->workers[t].ctx = rugi_context_for_worker(ctx);
    return RUG_OK;
}

static rug_status begin(rug_context *ctx, rugi_glcm_cl *cl)
{
    rug_status status = rugi_ocl_open(ctx, &cl->device);
    if (status == RUG_OK)
        status =
            get_kernel(ctx, cl, &cl->small, cl->with_sums ? "glcm_sums" : "glcm_small");
    if (status == RUG_OK)
        status = get_kernel(ctx, cl, &cl->runs, "glcm_runs");
    if (status == RUG_OK)
        status = get_kernel(ctx, cl, &cl->pixels, "glcm_pixels");
    if (status == RUG_OK)
        status = get_kernel(ctx, cl, &cl->take, "glcm_take");
    if (status != RUG_OK)
        return status;
    uint64_t local = rugi_ocl_facts(cl->device)->local_memory;
    uint64_t slots = local > OTHER_LOCAL ? (local - OTHER_LOCAL) / 4 : 0;
    if (slots < cl->most_slots)
        cl->most_slots = (uint32_t)slots;
    if (cl->most_slots < RUGI_GLCM_CL_LEAST_SLOTS)
        return rug_context_fail(ctx, RUG_E_DEVICE,
                                "%s: co-occurrence needs %d bytes of local memory, and "
                                "this device has %llu; use device 'cpu'",
                                rugi_ocl_facts(cl->device)->name,
                                4 * RUGI_GLCM_CL_LEAST_SLOTS + OTHER_LOCAL,
                                (unsigned long long)local);
    cl->most_bytes = rugi_smaller(cl->most_bytes, rugi_ocl_piece_max(cl->device, 4, 0));
    return make_workers(ctx, cl);
}

static void end(rug_context *ctx, rugi_glcm_cl *cl)
{
    for (size_t t = 0; t < cl->n_workers && cl->workers != NULL; t++) {
        rugi_glcm_region_free(ctx, &cl->workers[t].region);
        rugi_glcm_counting_free(ctx, &cl->workers[t].counting);
        rugi_glcm_scratch_free(ctx, &cl->workers[t].measured);
    }
    rugi_glcm_scratch_free(ctx, &cl->mask_scratch);
    rugi_glcm_scratch_free(ctx, &cl->rank_scratch);
    rug_context_release(ctx, cl->workers);
}

/* Bytes of the pixels of a region on the device. */
static uint64_t pixel_bytes(const rugi_glcm_cl *cl, size_t i)
{
    uint64_t word = 64 * sizeof(uint16_t) + sizeof(uint64_t);
    return word * rugi_glcm_cl_words(cl->job, cl->job->first + i);
}

/* Whether a region may fit local memory: what its levels are is not known yet. Labels that
 * lie about in the image have a wide box around few pixels. */
static int is_small(const rugi_glcm_cl *cl, size_t i)
{
    const rugi_glcm_job *job = cl->job;
    uint64_t area = rugi_glcm_area(job->plan, job->first + i);
    return area <= SMALL_AREA &&
           rugi_glcm_cl_words(job, job->first + i) <= RUGI_GLCM_CL_SMALL_WORDS &&
           pixel_bytes(cl, i) <= cl->most_bytes / 16;
}

static rug_status measure(rug_context *ctx, rugi_glcm_cl *cl)
{
    const rugi_glcm_job *job = cl->job;
    rug_status status = RUG_OK;
    for (size_t i = 0, n; i < job->n && status == RUG_OK; i += n) {
        uint64_t bytes = 0;
        for (n = 0; i + n < job->n && is_small(cl, i + n); n++) {
            bytes += pixel_bytes(cl, i + n);
            if (bytes > cl->most_bytes)
                break;
        }
        int is_large = n == 0;
        n = is_large ? 1 : n;
        RUGI_PHASE(ctx, (double)i / (double)job->n, (double)(i + n) / (double)job->n,
                   status,
                   is_large ? rugi_glcm_cl_large(ctx, cl, job->first + i,
                                                 job->rows + i * job->plan->n_rows)
                            : rugi_glcm_cl_small(ctx, cl, i, n));
    }
    return status;
}

rug_status rugi_glcm_opencl_pieces(rug_context *ctx, const rugi_glcm_job *job,
                                   size_t most_bytes, uint32_t most_slots, int with_sums)
{
    const rugi_glcm_plan *p = job->plan;
    int can_sum = p->is_symmetric && !p->is_frame && !p->with_entries;
    rugi_glcm_cl cl = {.job = job,
                       .with_sums = with_sums && can_sum,
                       .most_bytes = most_bytes,
                       .most_slots = most_slots};
    rug_status status = begin(ctx, &cl);
    if (status == RUG_OK)
        status = measure(ctx, &cl);
    end(ctx, &cl);
    return status;
}

/* Summing on the device takes four counts of each pair instead of one. That costs a GPU less
 * than it costs the processor to read the entries; a device that is the processor itself gains
 * nothing. */
rug_status rugi_glcm_opencl(rug_context *ctx, void *job)
{
    rugi_ocl *device;
    rug_status status = rugi_ocl_open(ctx, &device);
    if (status != RUG_OK)
        return status;
    int is_cpu = rugi_ocl_facts(device)->type == RUG_DEVICE_CPU;
    return rugi_glcm_opencl_pieces(ctx, job, MOST_BYTES, MOST_SLOTS, !is_cpu);
}
