/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Chooses and builds the kernel of each operator, makes its tables, and runs it. */

#include "lbp_kit.h"
#include <stdio.h>

extern const rugi_ocl_source rugi_cl_lbp_pixels;
extern const rugi_ocl_source rugi_cl_lbp_codes;
extern const rugi_ocl_source rugi_cl_lbp;

/* Of lbp_pixels.cl. */
enum { SKIMAGE, DECIMAL_INTEGER, DECIMAL_REAL, FLOAT, NEAREST };

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

static int is_integer(rug_dtype device_dtype)
{
    return device_dtype != RUG_F32 && device_dtype != RUG_F64;
}

static int rule_of(const rugi_lbp_plan *plan, rug_dtype device_dtype)
{
    if (plan->is_nearest)
        return NEAREST;
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
static size_t value_bytes(const rugi_lbp_kit *kit)
{
    switch (kit->rule) {
    case SKIMAGE:
    case DECIMAL_REAL: return sizeof(double);
    case NEAREST: return kit->dtype == RUG_F64 ? sizeof(double) : sizeof(int32_t);
    default: return sizeof(int32_t);
    }
}

static rug_status check_double(rug_context *ctx, const rugi_lbp_kit *kit,
                               const rugi_lbp_plan *plan)
{
    const rug_device *facts = rugi_ocl_facts(kit->device);
    int needs =
        kit->rule == SKIMAGE || kit->rule == DECIMAL_REAL || kit->dtype == RUG_F64;
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
static rugi_lbp_picture choose_picture(const rugi_lbp_kit *kit, rugi_lbp_picture picture)
{
    const size_t least = 2 * (2 * RUG_LBP_MAX_RADIUS + 1);
    size_t most[2];
    if (picture == RUGI_LBP_PICTURE_PIXELS)
        return picture;
    if (picture != RUGI_LBP_PICTURE_IMAGE)
        return RUGI_LBP_PICTURE_TILE;
    rugi_ocl_image_max(kit->device, most, kit->dtype);
    return most[0] >= least && most[1] >= least ? picture : RUGI_LBP_PICTURE_TILE;
}

static uint32_t outputs_of(const rugi_lbp_kit *kit, const rugi_lbp_job *job, uint32_t op)
{
    size_t tally = job->plan->op[op].n_bins * sizeof(uint32_t);
    int is_tallied = job->plan->op[op].n_bins <= MOST_TALLIES &&
                     tally <= rugi_ocl_facts(kit->device)->local_memory / 2;
    uint32_t outputs = job->codes[op] != NULL ? OUTPUT_CODES : 0;
    outputs |= job->bins[op] != NULL ? OUTPUT_BINS : 0;
    if (job->counts[op] != NULL)
        outputs |= is_tallied ? OUTPUT_TALLY : OUTPUT_COUNT;
    return outputs;
}

static size_t tile_bytes(const rugi_lbp_kit *kit, const rugi_lbp_operator *op,
                         const rugi_lbp_tool *tool)
{
    size_t columns = tool->group[0] + op->before + op->behind;
    size_t rows = tool->group[1] * tool->rows_each + op->above + op->below;
    return columns * rows * value_bytes(kit);
}

/* Two groups to a compute unit where that can be, or one with fewer rows.
 * @return 0: a tile does not fit */
static int fit_tile(const rugi_lbp_kit *kit, const rugi_lbp_operator *op,
                    rugi_lbp_tool *tool)
{
    size_t room = rugi_ocl_facts(kit->device)->local_memory - tool->tally_bytes;
    for (; tool->rows_each > 1; tool->rows_each /= 2)
        if (tile_bytes(kit, op, tool) <= room / 2)
            break;
    tool->tile_bytes = tile_bytes(kit, op, tool);
    return tool->tile_bytes <= room;
}

static void set_group(rugi_lbp_tool *tool, size_t most_items)
{
    size_t items = most_items < GROUP_ITEMS ? most_items : GROUP_ITEMS;
    tool->group[0] = items < GROUP_COLUMNS ? items : GROUP_COLUMNS;
    tool->group[1] = items / tool->group[0];
}

static rug_status get_kernel(rug_context *ctx, const rugi_lbp_kit *kit,
                             rugi_lbp_tool *tool, const rugi_lbp_plan *plan, uint32_t op,
                             rugi_lbp_picture picture)
{
    static const rugi_ocl_source *const sources[] = {&rugi_cl_lbp_pixels,
                                                     &rugi_cl_lbp_codes, &rugi_cl_lbp};
    char options[96];
    snprintf(options, sizeof options, "-DPICTURE=%d -DCELL=%d -DRULE=%d -DVARIANCE=%d",
             (int)picture, (int)kit->dtype, kit->rule, needs_variance(plan, op));
    rugi_ocl_build build = {
        .sources = sources, .n_sources = 3, .options = options, .no_contract = 1};
    rug_status status =
        rugi_ocl_kernel_get(ctx, kit->device, &tool->kernel, &build, "lbp");
    if (status == RUG_OK)
        set_group(tool, rugi_ocl_kernel_group_max(tool->kernel));
    return status;
}

/* A device may allow fewer items to a kernel than to others: a tile that fits has but
 * grown smaller by then. */
static rug_status choose_kernel(rug_context *ctx, const rugi_lbp_kit *kit,
                                rugi_lbp_tool *tool, const rugi_lbp_plan *plan,
                                uint32_t op)
{
    rugi_lbp_picture picture = kit->picture;
    tool->rows_each = MOST_ROWS;
    tool->tally_bytes = sizeof(uint32_t);
    if (tool->outputs & OUTPUT_TALLY)
        tool->tally_bytes = plan->op[op].n_bins * sizeof(uint32_t);
    set_group(tool, rugi_ocl_group_max(kit->device));
    if (picture == RUGI_LBP_PICTURE_TILE && !fit_tile(kit, &plan->op[op], tool))
        picture = RUGI_LBP_PICTURE_PIXELS;
    rug_status status = get_kernel(ctx, kit, tool, plan, op, picture);
    if (picture == RUGI_LBP_PICTURE_TILE) {
        tool->tile_bytes = tile_bytes(kit, &plan->op[op], tool);
        return status;
    }
    tool->rows_each = MOST_ROWS;
    tool->tile_bytes = value_bytes(kit);
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

static rug_status make_circle(rug_context *ctx, const rugi_lbp_kit *kit,
                              rugi_lbp_tool *tool, const rugi_lbp_operator *op)
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
            real[i][a] = kit->rule == DECIMAL_REAL ? w[a] : offset[a];
        }
    }
    if (kit->rule == FLOAT) {
        weights = single;
    } else if (value_bytes(kit) == sizeof(double)) {
        weights = real;
        size = sizeof real[0];
    }
    rug_status status = make_table(ctx, kit->device, &tool->around, around, op->points,
                                   sizeof around[0], "points of a circle");
    if (status == RUG_OK)
        status = make_table(ctx, kit->device, &tool->weights, weights, op->points, size,
                            "weights of a circle");
    return status;
}

static rug_status make_tool(rug_context *ctx, rugi_lbp_kit *kit, const rugi_lbp_job *job,
                            uint32_t i)
{
    const rugi_lbp_operator *op = &job->plan->op[i];
    rugi_lbp_tool *tool = &kit->tool[i];
    tool->outputs = outputs_of(kit, job, i);
    tool->first_bin = kit->n_bins;
    if (tool->outputs == 0)
        return RUG_OK;
    if (job->counts[i] != NULL)
        kit->n_bins += op->n_bins;
    rug_status status = choose_kernel(ctx, kit, tool, job->plan, i);
    if (status == RUG_OK)
        status = make_circle(ctx, kit, tool, op);
    if (status == RUG_OK && op->n_cuts > 0)
        status = make_table(ctx, kit->device, &tool->cuts, op->cuts, op->n_cuts,
                            sizeof *op->cuts, "cuts of the variance");
    if (status == RUG_OK && op->table.rank != NULL)
        status =
            make_table(ctx, kit->device, &tool->ranks, op->table.rank,
                       (size_t)op->n_codes, sizeof *op->table.rank, "bins of rotations");
    return status;
}

rug_status rugi_lbp_kit_new(rug_context *ctx, rugi_lbp_kit *kit, rugi_ocl *device,
                            const rugi_lbp_job *job, rugi_lbp_picture picture)
{
    int is_single = job->plan->exact == RUG_LBP_EXACT_FLOAT;
    *kit = (rugi_lbp_kit){.device = device};
    kit->dtype = rugi_lbp_device_dtype(job->rows.dtype, is_single);
    kit->rule = rule_of(job->plan, kit->dtype);
    kit->picture = choose_picture(kit, picture);
    rug_status status = check_double(ctx, kit, job->plan);
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, device, &kit->nothing, 0, 1, RUGI_OCL_READ,
                                     "no table");
    for (uint32_t i = 0; i < job->plan->n_operators && status == RUG_OK; i++)
        status = make_tool(ctx, kit, job, i);
    if (status != RUG_OK)
        rugi_lbp_kit_free(ctx, kit);
    return status;
}

void rugi_lbp_kit_free(rug_context *ctx, rugi_lbp_kit *kit)
{
    (void)ctx;
    for (uint32_t i = 0; i < RUG_LBP_MAX_OPERATORS; i++) {
        rugi_ocl_buffer_free(kit->device, kit->tool[i].around);
        rugi_ocl_buffer_free(kit->device, kit->tool[i].weights);
        rugi_ocl_buffer_free(kit->device, kit->tool[i].cuts);
        rugi_ocl_buffer_free(kit->device, kit->tool[i].ranks);
    }
    rugi_ocl_buffer_free(kit->device, kit->nothing);
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

static task make_task(const rugi_lbp_kit *kit, const rugi_lbp_job *job,
                      const rugi_lbp_piece *piece, uint32_t i)
{
    const rugi_lbp_operator *op = &job->plan->op[i];
    const rugi_lbp_tool *tool = &kit->tool[i];
    task t = {
        .rows = (int32_t)(piece->pixels_end[0] - piece->pixels_first[0]),
        .columns = (int32_t)(piece->pixels_end[1] - piece->pixels_first[1]),
        .y = (int32_t)(piece->first[0] - piece->pixels_first[0]),
        .x = (int32_t)(piece->first[1] - piece->pixels_first[1]),
        .height = (int32_t)(piece->end[0] - piece->first[0]),
        .width = (int32_t)(piece->end[1] - piece->first[1]),
        .before = (int32_t)op->before,
        .behind = (int32_t)op->behind,
        .above = (int32_t)op->above,
        .below = (int32_t)op->below,
        .rows_each = (int32_t)tool->rows_each,
        .points = op->points,
        .method = (uint32_t)job->plan->method,
        .outputs = tool->outputs,
        .code_bytes = (uint32_t)rug_dtype_size(op->code_dtype),
        .no_code = (uint32_t)op->no_code,
        .n_cuts = op->n_cuts,
        .n_bins = op->n_bins,
        .first_bin = (uint32_t)tool->first_bin,
    };
    clip(&t.first_y, &t.end_y, rugi_lbp_coded_rows(job->plan, i, job->ny),
         piece->first[0], piece->end[0]);
    clip(&t.first_x, &t.end_x, rugi_lbp_coded_columns(job->plan, i, job->rows.shape[1]),
         piece->first[1], piece->end[1]);
    return t;
}

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static const rugi_ocl_buffer *or_nothing(const rugi_lbp_kit *kit,
                                         const rugi_ocl_buffer *buffer)
{
    return buffer != NULL ? buffer : kit->nothing;
}

rug_status rugi_lbp_kit_run(rug_context *ctx, const rugi_lbp_kit *kit,
                            const rugi_lbp_job *job, const rugi_lbp_piece *piece,
                            uint32_t op, const rugi_lbp_buffers *buffers)
{
    const rugi_lbp_tool *tool = &kit->tool[op];
    const task t = make_task(kit, job, piece, op);
    const uint64_t origin[2] = {piece->pixels_first[1], piece->pixels_first[0]};
    const rugi_ocl_arg args[] = {
        rugi_ocl_arg_buffer(buffers->pixels),
        RUGI_OCL_ARG(t),
        RUGI_OCL_ARG(origin),
        rugi_ocl_arg_buffer(tool->around),
        rugi_ocl_arg_buffer(tool->weights),
        rugi_ocl_arg_buffer(or_nothing(kit, tool->ranks)),
        rugi_ocl_arg_buffer(or_nothing(kit, tool->cuts)),
        rugi_ocl_arg_buffer(buffers->codes),
        rugi_ocl_arg_buffer(buffers->bins),
        rugi_ocl_arg_buffer(buffers->counts),
        rugi_ocl_arg_local(tool->tally_bytes),
        rugi_ocl_arg_local(tool->tile_bytes),
    };
    const size_t n_rows = round_up((size_t)t.height, tool->group[1] * tool->rows_each);
    const size_t items[2] = {round_up((size_t)t.width, tool->group[0]),
                             n_rows / tool->rows_each};
    return rugi_ocl_run(ctx, kit->device, tool->kernel, args,
                        sizeof args / sizeof args[0], 2, items, tool->group);
}
