/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL engine of the method HOU, the pipeline of Jimenez and Ruiz de Miras (2013),
 * "Box-counting algorithm on GPU and multi-core CPU: an OpenCL cross-platform study",
 * Journal of Supercomputing 65: bits are interleaved, keys sorted, and counted; here all
 * sizes in one scan. Only counters come back. */

#include "boxcount_hou_steps.h"
#include <string.h>

static rug_status check_bits(rug_context *ctx, const rugi_key_layout *layout)
{
    if (layout->bits <= RUGI_HOU_DEVICE_BITS)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_DEVICE,
        "cells whose coordinates on %d axes have %u bits together given, at most %d "
        "expected on OpenCL devices; use device 'cpu', which takes %d, or larger cells",
        layout->axes, layout->bits, RUGI_HOU_DEVICE_BITS, RUGI_KEY_BITS);
}

/* Sums of runs have 32 bits. */
#define CELLS_MAX (UINT32_MAX - 1)

/* Keys, the sorter, cells on their way and what selects runs must fit together. */
static rug_status check_room(rugi_hou_device *d, size_t n_key_buffers)
{
    uint64_t n = d->cells->n;
    if (n > CELLS_MAX)
        return rug_context_fail(d->ctx, RUG_E_DEVICE,
                                "%llu cells given, at most %lu expected on OpenCL "
                                "devices; use device 'cpu'",
                                (unsigned long long)n, (unsigned long)CELLS_MAX);
    size_t n_sums = (size_t)n + 1 + rugi_ocl_scan_scratch((size_t)n + 1);
    uint64_t other = rugi_hou_piece_bytes(d) + n_sums * sizeof(uint32_t) +
                     rugi_ocl_sorter_bytes(d->ocl, (size_t)n, d->key_bytes, d->shape);
    if (n <= rugi_ocl_piece_max(d->ocl, n_key_buffers, other) / d->key_bytes)
        return RUG_OK;
    return rug_context_fail(
        d->ctx, RUG_E_DEVICE,
        "%llu cells given, whose keys take %zu times %zu bytes each: more than the "
        "memory of OpenCL device %s, %llu bytes, holds beside what sorts them; use "
        "device 'cpu'",
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
    rug_status status = rugi_hou_device_scan(d, &counts, d->keys, d->n, most);
    if (status == RUG_OK && counts.nonempty[0] != d->n) {
        status = rugi_hou_device_select(d, d->other, &n, d->keys, d->n, 1);
        if (status == RUG_OK && n != counts.nonempty[0])
            status = rugi_hou_nonsense(d);
        if (status == RUG_OK)
            status = rugi_hou_device_scan(d, &distinct, d->other, n, most);
        if (status != RUG_OK)
            return status;
        swap(&d->keys, &d->other);
        d->n = n;
        memcpy(counts.full, distinct.full, sizeof counts.full);
    }
    if (status == RUG_OK)
        status = rugi_hou_stage(d, &d->stages.scan);
    if (status != RUG_OK)
        return status;
    rugi_hou_fill_sizes(result, 1, d->layout, counts.nonempty, counts.full);
    result->n_set = counts.nonempty[0];
    return rug_context_step(d->ctx, 1);
}

/* The boxes of an odd size take the place of cells; see boxcount_hou_sizes.c. */
static rug_status count_odd(rugi_hou_device *d, rug_boxcount_result *result, uint64_t odd)
{
    rugi_key_layout boxes;
    rugi_key_counts counts, black = {0};
    size_t n_black = 0, n = d->n;
    rugi_hou_box_layout(&boxes, &d->cells->range, odd);
    size_t length = rugi_hou_cells_of_box(odd, boxes.axes, n);
    rug_status status = rugi_hou_device_boxes(d, d->other, odd, &boxes);
    if (status == RUG_OK)
        status = rugi_hou_stage(d, &d->stages.keys);
    if (status == RUG_OK)
        status = rugi_ocl_sort(d->ctx, d->sorter, &d->other, &d->third, n, boxes.bits);
    if (status == RUG_OK)
        status = rugi_hou_stage(d, &d->stages.sort);
    if (status == RUG_OK)
        status = rugi_hou_device_scan(d, &counts, d->other, n, 0);
    if (status == RUG_OK && length != SIZE_MAX) {
        status = rugi_hou_device_select(d, d->third, &n_black, d->other, n, length);
        if (status == RUG_OK)
            status =
                rugi_hou_device_scan(d, &black, d->third, n_black, box_bits_max(&boxes));
    }
    if (status == RUG_OK)
        status = rugi_hou_stage(d, &d->stages.scan);
    if (status == RUG_OK)
        rugi_hou_fill_sizes(result, odd, &boxes, counts.nonempty, black.full);
    return status == RUG_OK ? rug_context_step(d->ctx, 1) : status;
}

static rug_status sort_keys(rugi_hou_device *d)
{
    rug_status status =
        rugi_ocl_sort(d->ctx, d->sorter, &d->keys, &d->other, d->n, d->layout->bits);
    if (status == RUG_OK)
        status = rugi_hou_stage(d, &d->stages.sort);
    return status == RUG_OK ? rug_context_step(d->ctx, 1) : status;
}

static rug_status count(rugi_hou_device *d, rug_boxcount_result *result)
{
    rug_status status = RUG_OK;
    double share = d->third == NULL ? 1 : 0.3, n_sizes = result->n_sizes;
    RUGI_PHASE(d->ctx, 0, 0.5 * share, status,
               d->cells->bits != NULL ? rugi_hou_device_keys_of_bits(d)
                                      : rugi_hou_device_keys(d));
    if (status == RUG_OK)
        status = rugi_hou_stage(d, &d->stages.keys);
    RUGI_PHASE(d->ctx, 0.5 * share, 0.9 * share, status, sort_keys(d));
    RUGI_PHASE(d->ctx, 0.9 * share, share, status, count_powers_of_two(d, result));
    for (uint32_t i = 0; i < result->n_sizes; i++) {
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
    for (uint32_t i = 0; i < result->n_sizes; i++)
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
    rug_status status = check_room(d, n_key_buffers);
    if (status == RUG_OK)
        status = rugi_hou_device_new(d, n_key_buffers);
    if (status == RUG_OK)
        status = count(d, result);
    if (status == RUG_OK && stages != NULL) {
        *stages = d->stages;
        stages->upload = times->upload_seconds - uploaded;
        stages->download = times->download_seconds - downloaded;
    }
    if (status != RUG_OK && status != RUG_E_DEVICE)
        (void)rugi_ocl_wait(d->ctx, d->ocl); /* it reads what is freed next */
    rugi_hou_device_free(d);
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
    rug_boxcount_result *result =
        rug_context_allocate(ctx, 1, sizeof *result, "counts of a device");
    status = d != NULL && result != NULL ? RUG_OK : RUG_E_NOMEM;
    if (status == RUG_OK) {
        *d = (rugi_hou_device){.ctx = ctx,
                               .ocl = ocl,
                               .shape = rugi_ocl_shape_resolve(ocl, shape),
                               .cells = call->cells,
                               .layout = call->layout,
                               .axes = (uint32_t)call->layout->axes,
                               .key_bytes = call->layout->bits <= 32 ? 4 : 8,
                               .place_bytes = place_bytes(call->layout)};
        memcpy(result, call->result, sizeof *result);
        if (call->cells->n > 0)
            status = count_cells(d, result, stages);
    }
    if (status == RUG_OK) {
        result->engine = rugi_ocl_engine_name(ocl);
        memcpy(call->result, result, sizeof *result);
    }
    rug_context_release(ctx, result);
    rug_context_release(ctx, d);
    return status;
}

rug_status rugi_boxcount_hou_opencl(rug_context *ctx, void *call)
{
    return rugi_boxcount_hou_on_device(ctx, call, RUGI_OCL_SHAPE_DEVICE, NULL);
}
