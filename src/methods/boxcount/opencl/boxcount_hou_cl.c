/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL engine of the method HOU, the pipeline of Jimenez and Ruiz de Miras (2013),
 * "Box-counting algorithm on GPU and multi-core CPU: an OpenCL cross-platform study",
 * Journal of Supercomputing 65: bits are interleaved, keys sorted, and counted; here all
 * sizes in one scan. Only counters come back. */

#include "boxcount_hou_keys_cl.h"
#include "core/context/small.h"
#include <string.h>

extern const rugi_ocl_source rugi_cl_boxcount_hou;

extern const rugi_ocl_family rugi_cl_boxcount_hou_family;
const rugi_ocl_family rugi_cl_boxcount_hou_family = {
    .sources = {&rugi_cl_boxcount_hou},
    .kernels = {"hou_keys", "hou_count_cells", "hou_cells", "hou_scan", "hou_flag_runs",
                "hou_take_runs", "hou_boxes"},
    .options = {
        {"KEY_BITS", 2, {32, 64}}, {"PLACE_BITS", 2, {32, 64}}, {"IS_WIDE", 2, {0, 1}}}};

/* Items of a group where it is wide. */
#define WIDE_ITEMS 256

/* ---- Kernels and memory, scans and selections ---- */

static size_t tallies_of(const rugi_hou_device *d)
{
    return 8 * d->key_bytes + RUGI_HOU_FULL;
}

static rug_status get_kernels(rugi_hou_device *d)
{
    const rugi_ocl_family *family = &rugi_cl_boxcount_hou_family;
    const int values[] = {8 * (int)d->key_bytes, 8 * (int)d->place_bytes,
                          d->shape == RUGI_OCL_SHAPE_WIDE};
    rug_status status = RUG_OK;
    d->group = d->shape == RUGI_OCL_SHAPE_WIDE ? WIDE_ITEMS : 1;
    for (int i = 0; i < RUGI_HOU_STEPS && status == RUG_OK; i++) {
        status = rugi_ocl_family_get(d->ctx, d->ocl, &d->kernels[i], family, values,
                                     family->kernels[i]);
        if (status == RUG_OK)
            d->group = rugi_smaller(d->group, rugi_ocl_kernel_group_max(d->kernels[i]));
    }
    return status;
}

static rug_status make_small_buffers(rugi_hou_device *d)
{
    size_t n_groups = rugi_hou_groups(d, RUGI_HOU_SCAN, d->n);
    d->host_counts = rug_context_allocate(
        d->ctx, n_groups, tallies_of(d) * sizeof *d->host_counts, "counts of keys");
    d->host_tables = rug_context_allocate(d->ctx, rugi_hou_table_keys(d), d->key_bytes,
                                          "tables of keys");
    if (d->host_counts == NULL || d->host_tables == NULL)
        return RUG_E_NOMEM;
    memset(d->host_counts, 0, n_groups * tallies_of(d) * sizeof *d->host_counts);
    rug_status status = rugi_ocl_buffer_new(d->ctx, d->ocl, &d->counts, n_groups,
                                            tallies_of(d) * sizeof *d->host_counts,
                                            RUGI_OCL_WRITE, "counts of keys");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(d->ctx, d->ocl, &d->layouts, 2 * d->axes,
                                     sizeof d->host_layouts[0][0], RUGI_OCL_READ,
                                     "layouts of keys");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(d->ctx, d->ocl, &d->tables, rugi_hou_table_keys(d),
                                     d->key_bytes, RUGI_OCL_READ, "tables of keys");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(d->ctx, d->ocl, &d->bases, d->axes,
                                     sizeof d->host_bases[0], RUGI_OCL_READ,
                                     "bases of places");
    return status;
}

/* Gets the kernels and makes all buffers but those of runs; the fields down to place_bytes are
 * set, all others are 0.
 * @param n_key_buffers  2, or 3 for sizes with an odd part */
static rug_status make_device(rugi_hou_device *d, size_t n_key_buffers)
{
    rugi_ocl_buffer **const keys[] = {&d->keys, &d->other, &d->third};
    d->n = (size_t)d->cells->n;
    d->kernel_seconds = rugi_ocl_times(d->ocl)->kernel_seconds;
    rug_status status = get_kernels(d);
    if (status == RUG_OK)
        status = make_small_buffers(d);
    for (size_t i = 0; i < n_key_buffers && status == RUG_OK; i++)
        status = rugi_ocl_buffer_new(d->ctx, d->ocl, keys[i], d->n, d->key_bytes,
                                     RUGI_OCL_READ_WRITE, "Morton keys");
    if (status == RUG_OK)
        status =
            rugi_ocl_sorter_new(d->ctx, d->ocl, &d->sorter, d->n, d->key_bytes, d->shape);
    return status;
}

static void free_device(rugi_hou_device *d)
{
    rugi_ocl_buffer *const buffers[] = {d->keys,   d->other,       d->third,
                                        d->sums,   d->sum_scratch, d->layouts,
                                        d->tables, d->bases,       d->counts};
    rugi_ocl_sorter_free(d->sorter);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        rugi_ocl_buffer_free(d->ocl, buffers[i]);
    rug_context_release(d->ctx, d->host_tables);
    rug_context_release(d->ctx, d->host_counts);
}

/* Waits, and adds the time of the kernels since the last stage to this one. */
static rug_status end_stage(rugi_hou_device *d, double *stage)
{
    rug_status status = rugi_ocl_wait(d->ctx, d->ocl);
    if (status != RUG_OK)
        return status;
    double seconds = rugi_ocl_times(d->ocl)->kernel_seconds;
    *stage += seconds - d->kernel_seconds;
    d->kernel_seconds = seconds;
    return RUG_OK;
}

/* There is one set more than there are keys that begin another. */
static void collect(const rugi_hou_device *d, rugi_key_counts *out, size_t n_groups)
{
    size_t key_bits = 8 * d->key_bytes;
    uint64_t begun = 1, full = 0;
    out->nonempty[key_bits] = begun;
    for (size_t b = key_bits; b-- > 0;) {
        for (size_t g = 0; g < n_groups; g++) {
            const uint32_t *counts = d->host_counts + g * tallies_of(d);
            begun += counts[b];
            full += b > 0 && b < RUGI_HOU_FULL ? counts[key_bits + b] : 0;
        }
        out->nonempty[b] = begun;
        out->full[b] = full;
    }
    out->full[0] = begun;
}

/* Counts sets of sorted keys: nonempty ones of all bits, and full ones of axes, 2 axes …
 * most_bits bits, for which keys must be distinct. */
static rug_status scan_keys(rugi_hou_device *d, rugi_key_counts *out,
                            const rugi_ocl_buffer *keys, size_t n, unsigned most_bits)
{
    uint64_t n_keys = n;
    uint32_t most = most_bits < RUGI_HOU_FULL ? most_bits : RUGI_HOU_FULL - 1;
    memset(out, 0, sizeof *out);
    if (n == 0)
        return RUG_OK;
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(keys), RUGI_OCL_ARG(n_keys),
                                 RUGI_OCL_ARG(d->axes), RUGI_OCL_ARG(most),
                                 rugi_ocl_arg_buffer(d->counts)};
    size_t n_groups = rugi_hou_groups(d, RUGI_HOU_SCAN, n);
    rug_status status = rugi_hou_run(d, RUGI_HOU_SCAN, args, 5, n);
    if (status == RUG_OK)
        status = rugi_ocl_read(d->ctx, d->ocl, d->counts, 0, d->host_counts,
                               n_groups * tallies_of(d) * sizeof *d->host_counts);
    if (status == RUG_OK)
        collect(d, out, n_groups);
    return status;
}

static rug_status make_sums(rugi_hou_device *d)
{
    size_t n = (size_t)d->cells->n + 1;
    rug_status status = RUG_OK;
    if (d->sums == NULL)
        status = rugi_ocl_buffer_new(d->ctx, d->ocl, &d->sums, n, sizeof(uint32_t),
                                     RUGI_OCL_READ_WRITE, "places of runs");
    if (status == RUG_OK && d->sum_scratch == NULL)
        status =
            rugi_ocl_buffer_new(d->ctx, d->ocl, &d->sum_scratch, rugi_ocl_scan_scratch(n),
                                sizeof(uint32_t), RUGI_OCL_READ_WRITE, "sums of runs");
    return status;
}

static rug_status fail_counts(rugi_hou_device *d)
{
    return rug_context_fail(d->ctx, RUG_E_DEVICE,
                            "OpenCL device %s (%s) does not compute as it should: its "
                            "counts contradict each other; use device 'cpu'",
                            rugi_ocl_engine_name(d->ocl), rugi_ocl_facts(d->ocl)->name);
}

/* Writes the first key of each run of `length` equal keys, or more.
 * @param to          has space for all
 * @param n_selected  how many runs there are */
static rug_status select_runs(rugi_hou_device *d, rugi_ocl_buffer *to, size_t *n_selected,
                              const rugi_ocl_buffer *from, size_t n, uint64_t length)
{
    uint64_t n_keys = n;
    uint32_t found = 0;
    rug_status status = make_sums(d);
    if (status != RUG_OK)
        return status;
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(from), RUGI_OCL_ARG(n_keys),
                                 RUGI_OCL_ARG(length), rugi_ocl_arg_buffer(d->sums),
                                 rugi_ocl_arg_buffer(to)};
    status = rugi_hou_run(d, RUGI_HOU_FLAG_RUNS, args, 4, n + 1);
    if (status == RUG_OK)
        status =
            rugi_ocl_scan_u32(d->ctx, d->ocl, d->sums, n + 1, d->sum_scratch, d->shape);
    if (status == RUG_OK)
        status = rugi_hou_run(d, RUGI_HOU_TAKE_RUNS, args, 5, n);
    if (status == RUG_OK)
        status = rugi_ocl_read(d->ctx, d->ocl, d->sums, n * sizeof found, &found,
                               sizeof found);
    if (status == RUG_OK && found > n)
        status = fail_counts(d);
    *n_selected = found;
    return status;
}

/* ---- The pipeline ---- */

static rug_status check_bits(rug_context *ctx, const rugi_key_layout *layout)
{
    if (layout->bits <= RUGI_HOU_DEVICE_BITS)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_DEVICE,
        "pixels or lattice cells on %d axes given, whose coordinates have %u bits together, "
        "at most %d expected on OpenCL devices; use device 'cpu', which takes %d, or larger "
        "lattice cells",
        layout->axes, layout->bits, RUGI_HOU_DEVICE_BITS, RUGI_KEY_BITS);
}

/* Sums of runs have 32 bits. */
#define CELLS_MAX (UINT32_MAX - 1)

/* Keys, the sorter, cells on their way and what selects runs must fit together. */
static rug_status check_memory(rugi_hou_device *d, size_t n_key_buffers)
{
    uint64_t n = d->cells->n;
    if (n > CELLS_MAX)
        return rug_context_fail(d->ctx, RUG_E_DEVICE,
                                "%llu pixels or lattice cells given, at most %lu "
                                "expected on OpenCL devices; use device 'cpu'",
                                (unsigned long long)n, (unsigned long)CELLS_MAX);
    size_t n_sums = (size_t)n + 1 + rugi_ocl_scan_scratch((size_t)n + 1);
    uint64_t other = rugi_hou_piece_bytes(d) + n_sums * sizeof(uint32_t) +
                     rugi_ocl_sorter_bytes(d->ocl, (size_t)n, d->key_bytes, d->shape);
    if (n <= rugi_ocl_piece_max(d->ocl, n_key_buffers, other) / d->key_bytes)
        return RUG_OK;
    return rug_context_fail(
        d->ctx, RUG_E_DEVICE,
        "%llu pixels or lattice cells given, whose keys take %zu times %zu bytes each: more "
        "than fits in the memory of OpenCL device %s, %llu bytes, beside what sorts them; "
        "use device 'cpu'",
        (unsigned long long)n, n_key_buffers, d->key_bytes, rugi_ocl_engine_name(d->ocl),
        (unsigned long long)rugi_ocl_facts(d->ocl)->memory);
}

/* The bits of the largest sets of keys that are boxes of 2^m cells a side: beyond them an
 * axis is too short for a full box. */
static unsigned box_bits_max(const rugi_key_layout *layout)
{
    unsigned m = 0, axes = (unsigned)layout->axes;
    while (m + 1 < RUGI_LEVELS && layout->box_bits[m + 1] == (m + 1) * axes)
        m++;
    return m * axes;
}

static void swap(rugi_ocl_buffer **a, rugi_ocl_buffer **b)
{
    rugi_ocl_buffer *kept = *a;
    *a = *b;
    *b = kept;
}

/* Scans all keys. When some come more than once, each is kept once and the full sets are
 * counted again. */
static rug_status count_powers_of_two(rugi_hou_device *d, rug_boxcount_result *result)
{
    rugi_key_counts counts, distinct;
    unsigned most = box_bits_max(d->layout);
    size_t n = 0;
    rug_status status = scan_keys(d, &counts, d->keys, d->n, most);
    if (status == RUG_OK && counts.nonempty[0] != d->n) {
        status = select_runs(d, d->other, &n, d->keys, d->n, 1);
        if (status == RUG_OK && n != counts.nonempty[0])
            status = fail_counts(d);
        if (status == RUG_OK)
            status = scan_keys(d, &distinct, d->other, n, most);
        if (status != RUG_OK)
            return status;
        swap(&d->keys, &d->other);
        d->n = n;
        memcpy(counts.full, distinct.full, sizeof counts.full);
    }
    if (status == RUG_OK)
        status = end_stage(d, &d->stages.scan);
    if (status != RUG_OK)
        return status;
    rugi_hou_fill_sizes(result, 1, d->layout, counts.nonempty, counts.full);
    result->facts.n_set = counts.nonempty[0];
    return rug_context_step(d->ctx, 1);
}

/* The boxes of an odd size take the place of cells; as in the engine of the processor. */
static rug_status count_odd(rugi_hou_device *d, rug_boxcount_result *result, uint64_t odd)
{
    rugi_key_layout boxes;
    rugi_key_counts counts, black = {0};
    size_t n_black = 0, n = d->n;
    rugi_hou_box_layout(&boxes, &d->cells->range, odd);
    size_t length = rugi_hou_cells_of_box(odd, boxes.axes, n);
    rug_status status = rugi_hou_device_boxes(d, d->other, odd, &boxes);
    if (status == RUG_OK)
        status = end_stage(d, &d->stages.keys);
    if (status == RUG_OK)
        status = rugi_ocl_sort(d->ctx, d->sorter, &d->other, &d->third, n, boxes.bits);
    if (status == RUG_OK)
        status = end_stage(d, &d->stages.sort);
    if (status == RUG_OK)
        status = scan_keys(d, &counts, d->other, n, 0);
    if (status == RUG_OK && length != SIZE_MAX) {
        status = select_runs(d, d->third, &n_black, d->other, n, length);
        if (status == RUG_OK)
            status = scan_keys(d, &black, d->third, n_black, box_bits_max(&boxes));
    }
    if (status == RUG_OK)
        status = end_stage(d, &d->stages.scan);
    if (status == RUG_OK)
        rugi_hou_fill_sizes(result, odd, &boxes, counts.nonempty, black.full);
    return status == RUG_OK ? rug_context_step(d->ctx, 1) : status;
}

static rug_status sort_keys(rugi_hou_device *d)
{
    rug_status status =
        rugi_ocl_sort(d->ctx, d->sorter, &d->keys, &d->other, d->n, d->layout->bits);
    if (status == RUG_OK)
        status = end_stage(d, &d->stages.sort);
    return status == RUG_OK ? rug_context_step(d->ctx, 1) : status;
}

static rug_status count(rugi_hou_device *d, rug_boxcount_result *result)
{
    rug_status status = RUG_OK;
    double share = d->third == NULL ? 1 : 0.3, n_sizes = result->facts.n_sizes;
    RUGI_PHASE(d->ctx, 0, 0.5 * share, status, rugi_hou_device_keys(d));
    if (status == RUG_OK)
        status = end_stage(d, &d->stages.keys);
    RUGI_PHASE(d->ctx, 0.5 * share, 0.9 * share, status, sort_keys(d));
    RUGI_PHASE(d->ctx, 0.9 * share, share, status, count_powers_of_two(d, result));
    for (uint32_t i = 0; i < result->facts.n_sizes; i++) {
        uint64_t odd;
        if (rugi_hou_is_new_odd(result, i, &odd))
            RUGI_PHASE(d->ctx, share + (1 - share) * i / n_sizes,
                       share + (1 - share) * (i + 1) / n_sizes, status,
                       count_odd(d, result, odd));
    }
    return status;
}

static size_t key_buffers(const rug_boxcount_result *result)
{
    uint64_t odd;
    for (uint32_t i = 0; i < result->facts.n_sizes; i++)
        if (rugi_hou_is_new_odd(result, i, &odd))
            return 3;
    return 2;
}

static size_t place_bytes(const rugi_key_layout *layout)
{
    for (int a = 0; a < layout->axes; a++)
        if (layout->n_bits[a] > 32)
            return sizeof(uint64_t);
    return sizeof(uint32_t);
}

/* There is a cell, and a device. */
static rug_status count_cells(rugi_hou_device *d, rug_boxcount_result *result,
                              rugi_hou_stages *stages)
{
    const rug_device_times *times = rugi_ocl_times(d->ocl);
    double uploaded = times->upload_seconds, downloaded = times->download_seconds;
    size_t n_key_buffers = key_buffers(result);
    rug_status status = check_memory(d, n_key_buffers);
    if (status == RUG_OK)
        status = make_device(d, n_key_buffers);
    if (status == RUG_OK)
        status = count(d, result);
    if (status == RUG_OK && stages != NULL) {
        *stages = d->stages;
        stages->upload = times->upload_seconds - uploaded;
        stages->download = times->download_seconds - downloaded;
    }
    if (status != RUG_OK && status != RUG_E_DEVICE)
        (void)rugi_ocl_wait(d->ctx, d->ocl); /* it reads what is freed next */
    free_device(d);
    return status;
}

rug_status rugi_boxcount_hou_on_device(rug_context *ctx, const rugi_hou_call *call,
                                       rugi_ocl_shape shape, rugi_hou_stages *stages)
{
    rugi_ocl *ocl;
    rug_status status = check_bits(ctx, call->layout);
    if (status == RUG_OK)
        status = rugi_ocl_open(ctx, &ocl);
    if (status != RUG_OK)
        return status;
    rugi_hou_device *d = rug_context_allocate(ctx, 1, sizeof *d, "a count on a device");
    status = d != NULL ? RUG_OK : RUG_E_NOMEM;
    if (status == RUG_OK) {
        *d = (rugi_hou_device){.ctx = ctx,
                               .ocl = ocl,
                               .shape = rugi_ocl_shape_resolve(ocl, shape),
                               .cells = call->cells,
                               .layout = call->layout,
                               .axes = (uint32_t)call->layout->axes,
                               .key_bytes = call->layout->bits <= 32 ? 4 : 8,
                               .place_bytes = place_bytes(call->layout)};
        if (call->cells->n > 0)
            status = count_cells(d, call->result, stages);
    }
    if (status == RUG_OK)
        call->result->facts.engine = rugi_ocl_engine_name(ocl);
    rug_context_release(ctx, d);
    return status;
}

rug_status rugi_boxcount_hou_opencl(rug_context *ctx, void *call)
{
    return rugi_boxcount_hou_on_device(ctx, call, RUGI_OCL_SHAPE_DEVICE, NULL);
}
