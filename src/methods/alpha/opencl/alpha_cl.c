/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL engine of maps of alpha: slices of a volume, or rows of an image, go to the
 * device piece by piece with those that windows reach; one kernel turns pixels into what
 * windows are made of, another one makes the map. */

#include "alpha_opencl.h"
#include "core/context/small.h"
#include "core/image/image_internal.h"
#include "ocl/work/ocl_family.h"
#include "ocl/work/ocl_pieces.h"
#include <string.h>

extern const rugi_ocl_source rugi_cl_alpha;

/* By the values of PIXEL, MEASURE and WIDE, and of MEASURE, WIDE and WINDOWS. */
static int has_load(const int *values)
{
    const int is_long = values[0] == RUG_U64 || values[0] == RUG_I64;
    const int is_sum = values[1] == RUG_ALPHA_SUM || values[1] == RUG_ALPHA_ISO;
    return values[2] == (is_long && is_sum);
}

static int has_slope(const int *values)
{
    return !values[1] || values[0] == RUG_ALPHA_SUM || values[0] == RUG_ALPHA_ISO;
}

#define MEASURES                                                       \
    {                                                                  \
        "MEASURE", 4,                                                  \
        {                                                              \
            RUG_ALPHA_MAX, RUG_ALPHA_MIN, RUG_ALPHA_SUM, RUG_ALPHA_ISO \
        }                                                              \
    }

extern const rugi_ocl_family rugi_cl_alpha_load_family;
const rugi_ocl_family rugi_cl_alpha_load_family = {
    .sources = {&rugi_cl_alpha},
    .kernels = {"alpha_load"},
    .options = {{"PIXEL",
                 10,
                 {RUG_U8, RUG_I8, RUG_U16, RUG_I16, RUG_U32, RUG_I32, RUG_U64, RUG_I64,
                  RUG_F32, RUG_F64}},
                MEASURES,
                {"WIDE", 2, {0, 1}}},
    .has = has_load,
    .no_contract = 1};

extern const rugi_ocl_family rugi_cl_alpha_slope_family;
const rugi_ocl_family rugi_cl_alpha_slope_family = {
    .sources = {&rugi_cl_alpha},
    .kernels = {"alpha_slope"},
    .options = {MEASURES,
                {"WIDE", 2, {0, 1}},
                {"WINDOWS", 15, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}}},
    .has = has_slope,
    .no_contract = 1};

/* Items of a group at most. */
#define GROUP_ITEMS 64

/* Of alpha.cl. */
typedef struct slices {
    uint64_t nz, ny, nx;
    uint64_t first, n;
    uint64_t whole_tolerance;
    double tolerance;
} slices;

typedef struct work {
    rugi_ocl *device;
    const rugi_alpha_job *job;
    rug_dtype dtype;        /* of pixels on the device */
    size_t reach, slice;    /* pixels of a slice */
    size_t n_parts;         /* numbers of a pixel's value */
    rugi_ocl_pieces pieces; /* slices */
    rugi_ocl_kernel *load, *slope;
    rugi_ocl_buffer *values, *weights, *map;
    void *scratch; /* a segment of the mask */
} work;

static rug_status check_double(rug_context *ctx, rugi_ocl *device)
{
    const rug_device *facts = rugi_ocl_facts(device);
    if (facts->has_fp64)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_DEVICE,
                            "%s does not compute in double precision, which alpha needs; "
                            "use device 'cpu'",
                            facts->name);
}

/* As many slices as a piece may have. */
static rug_status make_pieces(rug_context *ctx, work *w, size_t most_bytes)
{
    const rug_image *volume = &w->job->volume;
    const size_t *shape = volume->shape;
    size_t size = sizeof(double) * w->n_parts;
    uint64_t one = rugi_ocl_facts(w->device)->max_allocation;
    size_t capacity = rugi_ocl_piece_max(w->device, 3, 0);
    capacity = one < capacity ? (size_t)one : capacity;
    size_t most = capacity / size / w->slice, wanted = most_bytes / size / w->slice;
    size_t around = rugi_smaller(2 * w->reach, shape[0] - 1);
    if (most <= around)
        return rug_context_fail(
            ctx, RUG_E_DEVICE,
            "%s: its memory does not hold the %zu slices of %zu pixels that windows reach; "
            "use smaller windows or device 'cpu'",
            rugi_ocl_facts(w->device)->name, around + 1, w->slice);
    wanted = rugi_smaller(wanted > around ? wanted - around : 1, most - around);
    w->pieces =
        (rugi_ocl_pieces){.device = w->device,
                          .source = volume,
                          .dtype = w->dtype,
                          .first = {w->job->first, 0, 0},
                          .end = {w->job->first + w->job->n, shape[1], shape[2]},
                          .side = {rugi_smaller(wanted, w->job->n), shape[1], shape[2]},
                          .halo = {{w->reach, w->reach}},
                          .what = "pixels"};
    return rugi_ocl_pieces_new(ctx, &w->pieces);
}

static rug_status get_kernels(rug_context *ctx, work *w)
{
    const rugi_alpha_plan *plan = w->job->plan;
    const int is_wide = rugi_alpha_is_wide(plan, w->dtype);
    const int loading[] = {(int)w->dtype, (int)plan->measure, is_wide};
    const int windows[] = {(int)plan->measure, is_wide, plan->n_windows};
    rug_status status = rugi_ocl_family_get(
        ctx, w->device, &w->load, &rugi_cl_alpha_load_family, loading, "alpha_load");
    if (status == RUG_OK)
        status = rugi_ocl_family_get(ctx, w->device, &w->slope,
                                     &rugi_cl_alpha_slope_family, windows, "alpha_slope");
    return status;
}

static rug_status make_buffers(rug_context *ctx, work *w)
{
    size_t side = w->pieces.side[0];
    size_t n = rugi_smaller(side + 2 * w->reach, w->job->volume.shape[0]) * w->slice;
    const rugi_alpha_plan *plan = w->job->plan;
    w->scratch = rug_context_allocate(ctx, RUGI_SEGMENT_PIXELS, sizeof(uint64_t),
                                      "a segment of pixels");
    if (w->scratch == NULL)
        return RUG_E_NOMEM;
    rug_status status =
        rugi_ocl_buffer_new(ctx, w->device, &w->values, n, w->n_parts * sizeof(double),
                            RUGI_OCL_READ_WRITE, "values of pixels");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, w->device, &w->map, side * w->slice,
                                     sizeof(float), RUGI_OCL_WRITE, "alpha");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, w->device, &w->weights, 1, sizeof plan->weight,
                                     RUGI_OCL_READ, "weights");
    if (status == RUG_OK)
        status = rugi_ocl_write(ctx, w->device, w->weights, 0, plan->weight,
                                sizeof plan->weight);
    return status;
}

/* @param first, end  slices of the map */
static void drop_outside(const work *w, size_t first, size_t end)
{
    const size_t *shape = w->job->volume.shape;
    for (size_t z = first; z < end && w->job->mask.data != NULL; z++)
        for (size_t y = 0; y < shape[1]; y++)
            for (size_t x = 0, n; x < shape[2]; x += n) {
                n = rugi_smaller(shape[2] - x, RUGI_SEGMENT_PIXELS);
                const void *mask =
                    rugi_image_segment(&w->job->mask, (size_t[]){z, y, x}, n, w->scratch);
                rugi_alpha_drop_outside(w->job->out + (z * shape[1] + y) * shape[2] + x,
                                        mask, rugi_segment_dtype(w->job->mask.dtype), n);
            }
}

static rug_status run(rug_context *ctx, const work *w, rugi_ocl_kernel *kernel,
                      const rugi_ocl_arg *args, size_t n_args, uint64_t n)
{
    size_t group = rugi_smaller(rugi_ocl_kernel_group_max(kernel), GROUP_ITEMS);
    size_t items = ((size_t)n + group - 1) / group * group;
    return rugi_ocl_run(ctx, w->device, kernel, args, n_args, 1, &items, &group);
}

static rug_status map_slices(rug_context *ctx, void *user, const rugi_ocl_piece *piece)
{
    const work *w = user;
    const size_t *shape = piece->read_shape;
    size_t first = piece->first[0], to = first - w->job->first;
    uint64_t n = shape[0] * w->slice;
    const slices t = {.nz = shape[0],
                      .ny = shape[1],
                      .nx = shape[2],
                      .first = first - piece->read_first[0],
                      .n = piece->shape[0] * w->slice,
                      .whole_tolerance = w->job->plan->whole_tolerance,
                      .tolerance = w->job->plan->tolerance};
    const rugi_ocl_arg load[] = {rugi_ocl_arg_buffer(w->pieces.pixels[0]),
                                 rugi_ocl_arg_buffer(w->values), RUGI_OCL_ARG(n)};
    const rugi_ocl_arg slope[] = {rugi_ocl_arg_buffer(w->values), RUGI_OCL_ARG(t),
                                  rugi_ocl_arg_buffer(w->weights),
                                  rugi_ocl_arg_buffer(w->map)};
    rug_status status = run(ctx, w, w->load, load, 3, n);
    if (status == RUG_OK)
        status = run(ctx, w, w->slope, slope, 4, t.n);
    if (status == RUG_OK)
        status = rugi_ocl_read(ctx, w->device, w->map, 0, w->job->out + to * w->slice,
                               (size_t)t.n * sizeof(float));
    if (status == RUG_OK)
        drop_outside(w, to, to + piece->shape[0]);
    return status;
}

static void prepare(work *w, const rugi_alpha_job *job, rugi_ocl *device)
{
    memset(w, 0, sizeof *w);
    w->device = device;
    w->job = job;
    w->dtype = rugi_segment_dtype(job->volume.dtype);
    w->reach = (size_t)job->plan->reach;
    w->slice = job->volume.shape[1] * job->volume.shape[2];
    w->n_parts =
        job->plan->measure == RUG_ALPHA_SUM && rugi_alpha_is_wide(job->plan, w->dtype)
            ? 2
            : 1;
}

rug_status rugi_alpha_opencl_by(rug_context *ctx, rugi_alpha_job *job, size_t most_bytes)
{
    work w;
    rugi_ocl *device;
    rug_status status = rugi_ocl_open(ctx, &device);
    if (status != RUG_OK)
        return status;
    prepare(&w, job, device);
    status = check_double(ctx, device);
    if (status == RUG_OK)
        status = get_kernels(ctx, &w);
    if (status == RUG_OK)
        status = make_pieces(ctx, &w, most_bytes);
    if (status == RUG_OK)
        status = make_buffers(ctx, &w);
    if (status == RUG_OK)
        status = rugi_ocl_pieces_each(ctx, &w.pieces, map_slices, &w);
    rugi_ocl_pieces_free(ctx, &w.pieces);
    rugi_ocl_buffer_free(device, w.values);
    rugi_ocl_buffer_free(device, w.map);
    rugi_ocl_buffer_free(device, w.weights);
    rug_context_release(ctx, w.scratch);
    if (status == RUG_OK)
        job->engine = rugi_ocl_engine_name(device);
    return status;
}

rug_status rugi_alpha_opencl(rug_context *ctx, void *job)
{
    return rugi_alpha_opencl_by(ctx, job, RUGI_ALPHA_OPENCL_BYTES);
}
