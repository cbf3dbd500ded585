/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Chooses and builds the kernel of each operator, makes its tables, and runs it. */

#include "lbp_device_kernels.h"
#include "ocl/work/ocl_family.h"

#include <math.h>

extern const rugi_ocl_source rugi_cl_lbp_pixels;
extern const rugi_ocl_source rugi_cl_lbp_codes;
extern const rugi_ocl_source rugi_cl_lbp;

/* Of lbp_pixels.cl. */
enum { SKIMAGE, DECIMAL_INTEGER, DECIMAL_REAL, FLOAT, NEAREST, HARDWARE };

static int has_values(const int *values)
{
    const int dtype = values[1], rule = values[2];
    const int is_wide = dtype == RUG_F64, is_real = is_wide || dtype == RUG_F32;
    if (values[0] == RUGI_LBP_PICTURE_IMAGE && is_wide)
        return 0;
    if (rule == HARDWARE) /* which alone has filter_quarters */
        return values[0] == RUGI_LBP_PICTURE_IMAGE && dtype != RUG_I16 && values[3] == 0;
    return rule == DECIMAL_INTEGER ? !is_real
           : rule == DECIMAL_REAL  ? is_real
                                   : rule != FLOAT || !is_wide;
}

extern const rugi_ocl_family rugi_cl_lbp_family;
const rugi_ocl_family rugi_cl_lbp_family = {
    .sources = {&rugi_cl_lbp_pixels, &rugi_cl_lbp_codes, &rugi_cl_lbp},
    .kernels = {"lbp", "filter_quarters"},
    .options =
        {{"PICTURE",
          3,
          {RUGI_LBP_PICTURE_TILE, RUGI_LBP_PICTURE_PIXELS, RUGI_LBP_PICTURE_IMAGE}},
         {"PIXEL", 5, {RUG_U8, RUG_U16, RUG_I16, RUG_F32, RUG_F64}},
         {"RULE", 6, {SKIMAGE, DECIMAL_INTEGER, DECIMAL_REAL, FLOAT, NEAREST, HARDWARE}},
         {"VARIANCE", 2, {0, 1}}},
    .has = has_values,
    .no_contract = 1};

/* Of lbp.cl. */
enum { OUTPUT_CODES = 1, OUTPUT_BINS = 2, OUTPUT_COUNT = 4, OUTPUT_TALLY = 8 };

/* Items of a group, and the rows of pixels of an item: more of them share what is around
 * them, and the bins of the group. */
#define GROUP_ITEMS   256
#define GROUP_COLUMNS 64
#define MOST_ROWS     4

/* Groups with more bins than this have fewer pixels than bins. */
#define MOST_TALLIES 4096

/* What a kernel is to do; the struct of lbp_pixels.cl. */
typedef struct task {
    int32_t columns, rows;
    int32_t x, y, width, height;
    int32_t first_x, end_x, first_y, end_y;
    int32_t before, behind, above, below;
    int32_t rows_each;
    uint32_t points, method;
    uint32_t outputs, code_bytes, no_code;
    uint32_t n_cuts, n_bins, first_bin;
} task;

/* The dtype that pixels have on a device: that of the image, or a wider one that holds all
 * its values. 64-bit integers are rounded to double.
 * @param is_single  nonzero: F32 does for what is wider than 16 bits */
static rug_dtype device_dtype_of(rug_dtype dtype, int is_single)
{
    switch (dtype) {
    case RUG_BIT:
    case RUG_U8: return RUG_U8;
    case RUG_I8:
    case RUG_I16: return RUG_I16;
    case RUG_U16: return RUG_U16;
    case RUG_F32: return RUG_F32;
    default: return is_single ? RUG_F32 : RUG_F64;
    }
}

/* The dtype of image objects that hardware interpolates: a float has all values of signed
 * pixels. @return RUG_F64 where there is none */
static rug_dtype filtered_dtype_of(rug_dtype dtype)
{
    switch (dtype) {
    case RUG_BIT:
    case RUG_U8: return RUG_U8;
    case RUG_U16: return RUG_U16;
    case RUG_I8:
    case RUG_I16:
    case RUG_F32: return RUG_F32;
    default: return RUG_F64;
    }
}

static int is_integer(rug_dtype device_dtype)
{
    return device_dtype != RUG_F32 && device_dtype != RUG_F64;
}

static int rule_of(const rugi_lbp_plan *plan, rug_dtype device_dtype)
{
    if (plan->is_nearest)
        return NEAREST;
    if (plan->is_filtered)
        return HARDWARE;
    if (plan->exact == RUG_LBP_EXACT_FLOAT)
        return FLOAT;
    if (plan->exact == RUG_LBP_EXACT_SKIMAGE)
        return SKIMAGE;
    return is_integer(device_dtype) ? DECIMAL_INTEGER : DECIMAL_REAL;
}

static int needs_variance(const rugi_lbp_plan *plan, uint32_t op)
{
    return plan->method == RUG_LBP_VAR || plan->op[op].n_cuts > 0;
}

/* Bytes of a pixel in a tile. */
static size_t value_bytes(const rugi_lbp_device_kernels *kernels)
{
    switch (kernels->rule) {
    case SKIMAGE:
    case DECIMAL_REAL: return sizeof(double);
    case NEAREST: return kernels->dtype == RUG_F64 ? sizeof(double) : sizeof(int32_t);
    default: return sizeof(int32_t);
    }
}

static rug_status check_double(rug_context *ctx, const rugi_lbp_device_kernels *kernels,
                               const rugi_lbp_plan *plan)
{
    const rug_device *facts = rugi_ocl_facts(kernels->device);
    int needs = kernels->rule == SKIMAGE || kernels->rule == DECIMAL_REAL ||
                kernels->dtype == RUG_F64;
    for (uint32_t i = 0; i < plan->n_operators; i++)
        needs |= needs_variance(plan, i);
    if (!needs || facts->has_fp64)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_DEVICE,
                            "%s does not compute in double precision, which these codes "
                            "need; use device 'cpu', or the rule of exactness 'decimal' "
                            "(of integers of up to 16 bits) or 'float'",
                            facts->name);
}

/* Image objects, if the device has any that are larger than what circles reach. */
static rugi_lbp_picture choose_picture(const rugi_lbp_device_kernels *kernels,
                                       rugi_lbp_picture picture)
{
    const size_t least = 2 * (2 * RUG_LBP_MAX_RADIUS + 1);
    size_t most[2];
    if (kernels->rule == HARDWARE)
        return RUGI_LBP_PICTURE_IMAGE;
    if (picture == RUGI_LBP_PICTURE_PIXELS)
        return picture;
    if (picture != RUGI_LBP_PICTURE_IMAGE)
        return RUGI_LBP_PICTURE_TILE;
    rugi_ocl_image_max(kernels->device, most, kernels->dtype, 0);
    return most[0] >= least && most[1] >= least ? picture : RUGI_LBP_PICTURE_TILE;
}

static uint32_t outputs_of(const rugi_lbp_device_kernels *kernels,
                           const rugi_lbp_job *job, uint32_t op)
{
    size_t tally = job->plan->op[op].n_bins * sizeof(uint32_t);
    int is_tallied = job->plan->op[op].n_bins <= MOST_TALLIES &&
                     tally <= rugi_ocl_facts(kernels->device)->local_memory / 2;
    uint32_t outputs = job->codes[op] != NULL ? OUTPUT_CODES : 0;
    outputs |= job->bins[op] != NULL ? OUTPUT_BINS : 0;
    if (job->counts[op] != NULL)
        outputs |= is_tallied ? OUTPUT_TALLY : OUTPUT_COUNT;
    return outputs;
}

static size_t tile_bytes(const rugi_lbp_device_kernels *kernels,
                         const rugi_lbp_operator *op, const rugi_lbp_device_kernel *own)
{
    size_t columns = own->group[0] + op->before + op->behind;
    size_t rows = own->group[1] * own->rows_each + op->above + op->below;
    return columns * rows * value_bytes(kernels);
}

/* Two groups to a compute unit where that can be, or one with fewer rows.
 * @return 0: a tile does not fit */
static int fit_tile(const rugi_lbp_device_kernels *kernels, const rugi_lbp_operator *op,
                    rugi_lbp_device_kernel *own)
{
    size_t local = rugi_ocl_facts(kernels->device)->local_memory - own->tally_bytes;
    for (; own->rows_each > 1; own->rows_each /= 2)
        if (tile_bytes(kernels, op, own) <= local / 2)
            break;
    own->tile_bytes = tile_bytes(kernels, op, own);
    return own->tile_bytes <= local;
}

static void set_group(const rugi_lbp_device_kernels *kernels, rugi_lbp_device_kernel *own,
                      size_t most_items)
{
    size_t items = most_items < GROUP_ITEMS ? most_items : GROUP_ITEMS;
    own->group[0] = items < GROUP_COLUMNS ? items : GROUP_COLUMNS;
    own->group[1] = items / own->group[0];
    if (kernels->group[0] == 0)
        return;
    own->group[0] = kernels->group[0];
    own->group[1] = kernels->group[1];
    while (own->group[0] * own->group[1] > most_items)
        own->group[own->group[0] < own->group[1]] /= 2;
}

static rug_status get_by_name(rug_context *ctx, const rugi_lbp_device_kernels *kernels,
                              rugi_ocl_kernel **kernel, rugi_lbp_picture picture,
                              int has_variance, const char *name)
{
    const int values[] = {(int)picture, (int)kernels->dtype, kernels->rule, has_variance};
    return rugi_ocl_family_get(ctx, kernels->device, kernel, &rugi_cl_lbp_family, values,
                               name);
}

static rug_status get_kernel(rug_context *ctx, const rugi_lbp_device_kernels *kernels,
                             rugi_lbp_device_kernel *own, const rugi_lbp_plan *plan,
                             uint32_t op, rugi_lbp_picture picture)
{
    rug_status status =
        get_by_name(ctx, kernels, &own->kernel, picture, needs_variance(plan, op), "lbp");
    if (status == RUG_OK)
        set_group(kernels, own, rugi_ocl_kernel_group_max(own->kernel));
    return status;
}

/* A device may allow fewer items to one kernel than to others: a tile that fits only becomes
 * smaller by that. */
static rug_status choose_kernel(rug_context *ctx, const rugi_lbp_device_kernels *kernels,
                                rugi_lbp_device_kernel *own, const rugi_lbp_plan *plan,
                                uint32_t op)
{
    rugi_lbp_picture picture = kernels->picture;
    own->rows_each = MOST_ROWS;
    own->tally_bytes = sizeof(uint32_t);
    if (own->outputs & OUTPUT_TALLY)
        own->tally_bytes = plan->op[op].n_bins * sizeof(uint32_t);
    set_group(kernels, own, rugi_ocl_group_max(kernels->device));
    if (picture == RUGI_LBP_PICTURE_TILE && !fit_tile(kernels, &plan->op[op], own))
        picture = RUGI_LBP_PICTURE_PIXELS;
    rug_status status = get_kernel(ctx, kernels, own, plan, op, picture);
    if (picture == RUGI_LBP_PICTURE_TILE) {
        own->tile_bytes = tile_bytes(kernels, &plan->op[op], own);
        return status;
    }
    own->rows_each = MOST_ROWS;
    own->tile_bytes = value_bytes(kernels);
    return status;
}

/* Makes a buffer with a table in it, which need not stay. */
static rug_status make_table(rug_context *ctx, rugi_ocl *device, rugi_ocl_buffer **out,
                             const void *table, size_t n_items, size_t item_size,
                             const char *what)
{
    rug_status status =
        rugi_ocl_buffer_new(ctx, device, out, n_items, item_size, RUGI_OCL_READ, what);
    if (status == RUG_OK)
        status = rugi_ocl_write(ctx, device, *out, 0, table, n_items * item_size);
    return status == RUG_OK ? rugi_ocl_wait(ctx, device) : status;
}

static rug_status make_circle(rug_context *ctx, const rugi_lbp_device_kernels *kernels,
                              rugi_lbp_device_kernel *own, const rugi_lbp_operator *op)
{
    int32_t around[RUG_LBP_MAX_POINTS][4], whole[RUG_LBP_MAX_POINTS][2];
    float single[RUG_LBP_MAX_POINTS][2];
    double real[RUG_LBP_MAX_POINTS][2];
    const void *weights = whole;
    size_t size = sizeof whole[0];
    for (uint32_t i = 0; i < op->points; i++) {
        const rugi_lbp_point *p = &op->point[i];
        const int32_t w[2] = {p->row_weight, p->col_weight};
        const double offset[2] = {p->row, p->col};
        around[i][0] = p->top;
        around[i][1] = p->bottom;
        around[i][2] = p->left;
        around[i][3] = p->right;
        for (int a = 0; a < 2; a++) {
            whole[i][a] = w[a];
            single[i][a] = rugi_lbp_float_weight(w[a]);
            real[i][a] = kernels->rule == DECIMAL_REAL ? w[a] : offset[a];
            if (kernels->rule == HARDWARE)
                single[i][a] = (float)(rint(offset[a] * 256) / 256);
        }
    }
    if (kernels->rule == FLOAT || kernels->rule == HARDWARE) {
        weights = single;
    } else if (value_bytes(kernels) == sizeof(double)) {
        weights = real;
        size = sizeof real[0];
    }
    rug_status status = make_table(ctx, kernels->device, &own->around, around, op->points,
                                   sizeof around[0], "points of a circle");
    if (status == RUG_OK)
        status = make_table(ctx, kernels->device, &own->weights, weights, op->points,
                            size, "weights of a circle");
    return status;
}

/* ---- Interpolation by hardware ---- */

/* What samples of two pixels may differ from their mean, and more: hardware takes 8 bits. */
#define FILTER_ERROR 0.01f

/* Samples at each quarter of the way from a pixel of 0 to one of 1.
 * @param image  1 x 2 pixels */
static rug_status read_quarters(rug_context *ctx, const rugi_lbp_device_kernels *kernels,
                                rugi_ocl_kernel *kernel, const rugi_ocl_buffer *image,
                                float got[5])
{
    const size_t n_items = 5, n_bytes = 5 * sizeof *got;
    rugi_ocl_buffer *out;
    rug_status status = rugi_ocl_buffer_new(ctx, kernels->device, &out, n_bytes, 1,
                                            RUGI_OCL_WRITE, "samples");
    if (status != RUG_OK)
        return status;
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(image), rugi_ocl_arg_buffer(out)};
    status = rugi_ocl_run(ctx, kernels->device, kernel, args, 2, 1, &n_items, NULL);
    if (status == RUG_OK)
        status = rugi_ocl_read(ctx, kernels->device, out, 0, got, n_bytes);
    rugi_ocl_buffer_free(kernels->device, out);
    return status;
}

static rug_status try_filter(rug_context *ctx, const rugi_lbp_device_kernels *kernels,
                             float got[5])
{
    static const uint8_t bytes[] = {0, UINT8_MAX};
    static const uint16_t words[] = {0, UINT16_MAX};
    static const float reals[] = {0, 1};
    const void *pixels = kernels->dtype == RUG_U8    ? (const void *)bytes
                         : kernels->dtype == RUG_U16 ? (const void *)words
                                                     : reals;
    const size_t shape[2] = {1, 2};
    rugi_ocl_kernel *kernel;
    rugi_ocl_buffer *image = NULL;
    rug_status status =
        get_by_name(ctx, kernels, &kernel, RUGI_LBP_PICTURE_IMAGE, 0, "filter_quarters");
    if (status == RUG_OK)
        status = rugi_ocl_image_new(ctx, kernels->device, &image, shape, kernels->dtype,
                                    1, "two pixels");
    if (status == RUG_OK)
        status = rugi_ocl_write_image(ctx, kernels->device, image, pixels,
                                      2 * rug_dtype_size(kernels->dtype));
    if (status == RUG_OK)
        status = read_quarters(ctx, kernels, kernel, image, got);
    rugi_ocl_buffer_free(kernels->device, image);
    return status;
}

/* Drivers allow the filter for formats that their devices do not interpolate, so it is tried. */
static rug_status check_filter(rug_context *ctx, const rugi_lbp_device_kernels *kernels,
                               rug_dtype dtype)
{
    const char *name = rugi_ocl_facts(kernels->device)->name;
    size_t most[2];
    float got[5] = {0};
    if (kernels->dtype == RUG_F64)
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                "hardware interpolates pixels of up to 16 bits and f32, "
                                "not %s: use the interpolation 'bilinear'",
                                rug_dtype_name(dtype));
    rugi_ocl_image_max(kernels->device, most, kernels->dtype, 1);
    if (most[0] == 0)
        return rug_context_fail(ctx, RUG_E_DEVICE,
                                "%s has no image objects of %s that it interpolates: use "
                                "the interpolation 'bilinear'",
                                name, rug_dtype_name(kernels->dtype));
    rug_status status = try_filter(ctx, kernels, got);
    for (int i = 0; i < 5 && status == RUG_OK; i++)
        if (!(fabsf(got[i] - 0.25f * (float)i) < FILTER_ERROR))
            status = rug_context_fail(
                ctx, RUG_E_DEVICE,
                "%s does not interpolate image objects of %s (%g where %g is expected): "
                "use the interpolation 'bilinear'",
                name, rug_dtype_name(kernels->dtype), (double)got[i], 0.25 * i);
    return status;
}

static rug_status make_kernel(rug_context *ctx, rugi_lbp_device_kernels *kernels,
                              const rugi_lbp_job *job, uint32_t i)
{
    const rugi_lbp_operator *op = &job->plan->op[i];
    rugi_lbp_device_kernel *own = &kernels->of[i];
    own->outputs = outputs_of(kernels, job, i);
    own->first_bin = kernels->n_bins;
    if (own->outputs == 0)
        return RUG_OK;
    if (job->counts[i] != NULL)
        kernels->n_bins += op->n_bins;
    rug_status status = choose_kernel(ctx, kernels, own, job->plan, i);
    if (status == RUG_OK)
        status = make_circle(ctx, kernels, own, op);
    if (status == RUG_OK && op->n_cuts > 0)
        status = make_table(ctx, kernels->device, &own->cuts, op->cuts, op->n_cuts,
                            sizeof *op->cuts, "cuts of the variance");
    if (status == RUG_OK && op->table.rank != NULL)
        status =
            make_table(ctx, kernels->device, &own->ranks, op->table.rank,
                       (size_t)op->n_codes, sizeof *op->table.rank, "bins of rotations");
    return status;
}

rug_status rugi_lbp_device_kernels_new(rug_context *ctx, rugi_lbp_device_kernels *kernels,
                                       rugi_ocl *device, const rugi_lbp_job *job,
                                       const rugi_lbp_way *way)
{
    int is_single = job->plan->exact == RUG_LBP_EXACT_FLOAT;
    *kernels = (rugi_lbp_device_kernels){.device = device,
                                         .group = {way->group[0], way->group[1]}};
    kernels->dtype = job->plan->is_filtered ? filtered_dtype_of(job->rows.dtype)
                                            : device_dtype_of(job->rows.dtype, is_single);
    kernels->rule = rule_of(job->plan, kernels->dtype);
    kernels->picture = choose_picture(kernels, way->picture);
    kernels->is_filtered = kernels->rule == HARDWARE;
    rug_status status = kernels->is_filtered ? check_filter(ctx, kernels, job->rows.dtype)
                                             : check_double(ctx, kernels, job->plan);
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, device, &kernels->nothing, 0, 1, RUGI_OCL_READ,
                                     "no table");
    for (uint32_t i = 0; i < job->plan->n_operators && status == RUG_OK; i++)
        status = make_kernel(ctx, kernels, job, i);
    if (status != RUG_OK)
        rugi_lbp_device_kernels_free(ctx, kernels);
    return status;
}

void rugi_lbp_device_kernels_free(rug_context *ctx, rugi_lbp_device_kernels *kernels)
{
    (void)ctx;
    for (uint32_t i = 0; i < RUG_LBP_MAX_OPERATORS; i++) {
        rugi_ocl_buffer_free(kernels->device, kernels->of[i].around);
        rugi_ocl_buffer_free(kernels->device, kernels->of[i].weights);
        rugi_ocl_buffer_free(kernels->device, kernels->of[i].cuts);
        rugi_ocl_buffer_free(kernels->device, kernels->of[i].ranks);
    }
    rugi_ocl_buffer_free(kernels->device, kernels->nothing);
}

/* The part of a run of pixels that lies in a span, counted from the run's begin. */
static void clip(int32_t *first, int32_t *end, rugi_lbp_span span, size_t begin,
                 size_t until)
{
    size_t lo = span.first > begin ? span.first : begin;
    size_t hi = span.end < until ? span.end : until;
    *first = *end = 0;
    if (lo >= hi)
        return;
    *first = (int32_t)(lo - begin);
    *end = (int32_t)(hi - begin);
}

static task make_task(const rugi_lbp_device_kernels *kernels, const rugi_lbp_job *job,
                      const rugi_ocl_piece *piece, uint32_t i)
{
    const rugi_lbp_operator *op = &job->plan->op[i];
    const rugi_lbp_device_kernel *own = &kernels->of[i];
    task t = {
        .rows = (int32_t)piece->read_shape[1],
        .columns = (int32_t)piece->read_shape[2],
        .y = (int32_t)(piece->first[1] - piece->read_first[1]),
        .x = (int32_t)(piece->first[2] - piece->read_first[2]),
        .height = (int32_t)piece->shape[1],
        .width = (int32_t)piece->shape[2],
        .before = (int32_t)op->before,
        .behind = (int32_t)op->behind,
        .above = (int32_t)op->above,
        .below = (int32_t)op->below,
        .rows_each = (int32_t)own->rows_each,
        .points = op->points,
        .method = (uint32_t)job->plan->method,
        .outputs = own->outputs,
        .code_bytes = (uint32_t)rug_dtype_size(op->code_dtype),
        .no_code = (uint32_t)op->no_code,
        .n_cuts = op->n_cuts,
        .n_bins = op->n_bins,
        .first_bin = (uint32_t)own->first_bin,
    };
    size_t y = job->first_row + piece->first[1], x = piece->first[2];
    clip(&t.first_y, &t.end_y, rugi_lbp_coded_rows(job->plan, i, job->ny), y,
         y + piece->shape[1]);
    clip(&t.first_x, &t.end_x, rugi_lbp_coded_columns(job->plan, i, job->rows.shape[1]),
         x, x + piece->shape[2]);
    return t;
}

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static const rugi_ocl_buffer *or_nothing(const rugi_lbp_device_kernels *kernels,
                                         const rugi_ocl_buffer *buffer)
{
    return buffer != NULL ? buffer : kernels->nothing;
}

rug_status rugi_lbp_device_kernels_run(rug_context *ctx,
                                       const rugi_lbp_device_kernels *kernels,
                                       const rugi_lbp_job *job,
                                       const rugi_ocl_piece *piece, uint32_t op,
                                       const rugi_lbp_buffers *buffers)
{
    const rugi_lbp_device_kernel *own = &kernels->of[op];
    const task t = make_task(kernels, job, piece, op);
    const uint64_t *outer = job->plan->origin;
    const uint64_t origin[2] = {outer[1] + piece->read_first[2],
                                outer[0] + job->first_row + piece->read_first[1]};
    const rugi_ocl_arg args[] = {
        rugi_ocl_arg_buffer(buffers->pixels),
        RUGI_OCL_ARG(t),
        RUGI_OCL_ARG(origin),
        rugi_ocl_arg_buffer(own->around),
        rugi_ocl_arg_buffer(own->weights),
        rugi_ocl_arg_buffer(or_nothing(kernels, own->ranks)),
        rugi_ocl_arg_buffer(or_nothing(kernels, own->cuts)),
        rugi_ocl_arg_buffer(buffers->codes),
        rugi_ocl_arg_buffer(buffers->bins),
        rugi_ocl_arg_buffer(buffers->counts),
        rugi_ocl_arg_local(own->tally_bytes),
        rugi_ocl_arg_local(own->tile_bytes),
    };
    const size_t n_rows = round_up((size_t)t.height, own->group[1] * own->rows_each);
    const size_t items[2] = {round_up((size_t)t.width, own->group[0]),
                             n_rows / own->rows_each};
    return rugi_ocl_run(ctx, kernels->device, own->kernel, args,
                        sizeof args / sizeof args[0], 2, items, own->group);
}
