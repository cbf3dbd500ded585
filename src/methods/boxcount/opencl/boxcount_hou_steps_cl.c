/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The steps of the method HOU on an OpenCL device: kernels and buffers, and the scan and
 * the selection of sorted keys. */

#include "boxcount_hou_steps.h"
#include <stdio.h>
#include <string.h>

extern const rugi_ocl_source rugi_cl_boxcount_hou;

/* Wide: items of a group, keys that an item scans at least, and groups of a launch, of a
 * scan for each compute unit and at least. */
#define WIDE_ITEMS       256
#define WIDE_SCAN_KEYS   16
#define WIDE_GROUPS      ((size_t)1 << 20)
#define WIDE_SCAN_GROUPS 8
#define WIDE_SCAN_LEAST  1024

/* In chunks: groups of one item for each compute unit, so that one which starts late
 * leaves its share of them to others, and things that are worth a group. */
#define CHUNK_GROUPS 4
#define CHUNK_LEAST  1024

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t tallies_of(const rugi_hou_device *d)
{
    return 8 * d->key_bytes + RUGI_HOU_FULL;
}

static int is_wide(const rugi_hou_device *d)
{
    return d->shape == RUGI_OCL_SHAPE_WIDE;
}

static size_t groups_for(const rugi_hou_device *d, rugi_hou_step step, size_t n)
{
    size_t units = rugi_ocl_facts(d->ocl)->compute_units;
    size_t each = CHUNK_LEAST, most = CHUNK_GROUPS * (units > 0 ? units : 1);
    if (is_wide(d)) {
        each = d->group * (step == RUGI_HOU_SCAN ? WIDE_SCAN_KEYS : 1);
        most = WIDE_SCAN_GROUPS * units;
        most = most > WIDE_SCAN_LEAST ? most : WIDE_SCAN_LEAST;
        most = step == RUGI_HOU_SCAN ? most : WIDE_GROUPS;
    }
    return smaller((n - 1) / each + 1, most);
}

rug_status rugi_hou_run(rugi_hou_device *d, rugi_hou_step step, const rugi_ocl_arg *args,
                        size_t n_args, size_t n)
{
    size_t items = groups_for(d, step, n) * d->group;
    return rugi_ocl_run(d->ctx, d->ocl, d->kernels[step], args, n_args, 1, &items,
                        &d->group);
}

#define RUN(d, step, args, n) \
    rugi_hou_run(d, step, args, sizeof(args) / sizeof((args)[0]), n)

static rug_status get_kernels(rugi_hou_device *d)
{
    static const char *const names[RUGI_HOU_STEPS] = {
        "hou_keys",      "hou_count_cells", "hou_cells", "hou_scan",
        "hou_flag_runs", "hou_take_runs",   "hou_boxes"};
    static const rugi_ocl_source *const sources[] = {&rugi_cl_boxcount_hou};
    char options[80];
    snprintf(options, sizeof options, "-DKEY_BITS=%d -DPLACE_BITS=%d -DIS_WIDE=%d",
             8 * (int)d->key_bytes, 8 * (int)d->place_bytes, is_wide(d));
    const rugi_ocl_build build = {.sources = sources, .n_sources = 1, .options = options};
    rug_status status = RUG_OK;
    d->group = is_wide(d) ? WIDE_ITEMS : 1;
    for (int i = 0; i < RUGI_HOU_STEPS && status == RUG_OK; i++) {
        status = rugi_ocl_kernel_get(d->ctx, d->ocl, &d->kernels[i], &build, names[i]);
        if (status == RUG_OK)
            d->group = smaller(d->group, rugi_ocl_kernel_group_max(d->kernels[i]));
    }
    return status;
}

static rug_status make_small_buffers(rugi_hou_device *d)
{
    size_t n_groups = groups_for(d, RUGI_HOU_SCAN, d->n);
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

rug_status rugi_hou_device_new(rugi_hou_device *d, size_t n_key_buffers)
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

void rugi_hou_device_free(rugi_hou_device *d)
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

rug_status rugi_hou_stage(rugi_hou_device *d, double *stage)
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

rug_status rugi_hou_device_scan(rugi_hou_device *d, rugi_key_counts *out,
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
    size_t n_groups = groups_for(d, RUGI_HOU_SCAN, n);
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

rug_status rugi_hou_nonsense(rugi_hou_device *d)
{
    return rug_context_fail(d->ctx, RUG_E_DEVICE,
                            "OpenCL device %s (%s) does not compute as it should: its "
                            "counts contradict each other; use device 'cpu'",
                            rugi_ocl_engine_name(d->ocl), rugi_ocl_facts(d->ocl)->name);
}

rug_status rugi_hou_device_select(rugi_hou_device *d, rugi_ocl_buffer *to,
                                  size_t *n_selected, const rugi_ocl_buffer *from,
                                  size_t n, uint64_t length)
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
        status = rugi_hou_nonsense(d);
    *n_selected = found;
    return status;
}
