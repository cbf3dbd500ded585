/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Kernels and memory of the exact search on a device, and how the kernels are run. */

#include "core/context/small.h"
#include "ifs_search_opencl.h"

extern const rugi_ocl_source rugi_cl_ifs_search;

extern const rugi_ocl_family rugi_cl_ifs_search_family;
const rugi_ocl_family rugi_cl_ifs_search_family = {
    .sources = {&rugi_cl_ocl_group, &rugi_cl_ifs_search},
    .kernels = {"ifs_screen", "ifs_collect"},
    .options = {{"SIZE", 5, {0, 2, 4, 8, 16}}},
    .is_grouped = 1};

#define LANES RUGI_IFS_LANES
#define FOUR  RUGI_IFS_FOUR

/* Bytes of domains that are on the device at once, twice; of ranges of a batch. */
#define BLOCK_BYTES ((size_t)16 << 20)
#define BATCH_BYTES ((size_t)16 << 20)

#define MOST_GROUPS 8192
#define MOST_SCANS  4096
#define MOST_HITS   ((size_t)1 << 18)

static const char what[] = "search for domains";

static size_t whole_tiles(size_t n_domains)
{
    return (n_domains - 1) / LANES + 1;
}

static void choose_numbers(rugi_ifs_device_kernels *kernels,
                           const rugi_ifs_search_plan *plan,
                           const rugi_ifs_search_cut *cut)
{
    const size_t n = plan->basis.n, items = kernels->screen.items;
    const size_t block_bytes = cut->block_bytes > 0 ? cut->block_bytes : BLOCK_BYTES;
    const size_t most_groups = cut->most_groups > 0 ? cut->most_groups : MOST_GROUPS;
    const size_t tiles = rugi_larger(block_bytes / (n * LANES * sizeof(float)), 1);
    const size_t n_groups = (plan->n_ranges - 1) / FOUR + 1;
    const size_t in_bytes = BATCH_BYTES / (n * FOUR * sizeof(float));
    kernels->block_domains = rugi_smaller(tiles, whole_tiles(plan->n_domains)) * LANES;
    kernels->chunk = (kernels->block_domains - 1) / RUGI_IFS_CHUNKS + 1;
    kernels->chunk = rugi_larger((kernels->chunk - 1) / items + 1, 1) * items;
    kernels->most_groups = rugi_smaller(rugi_smaller(in_bytes, most_groups), n_groups);
    kernels->scans.most = rugi_smaller(rugi_smaller(in_bytes, MOST_SCANS),
                                       n_groups * FOUR * RUGI_IFS_CHUNKS);
    kernels->scans.most_hits = rugi_larger(
        FOUR * kernels->chunk, cut->most_hits > 0 ? cut->most_hits : MOST_HITS);
}

static rug_status get_kernels(rug_context *ctx, rugi_ifs_device_kernels *kernels,
                              const rugi_ifs_basis *basis)
{
    const rugi_ocl_family *family = &rugi_cl_ifs_search_family;
    const uint32_t size = basis->size;
    const int is_constant = size == 2 || size == 4 || size == 8 || size == 16;
    const int values[] = {is_constant ? (int)size : 0};
    rug_status status = rugi_ocl_grouped_get(ctx, kernels->device, &kernels->screen,
                                             family, values, "ifs_screen");
    if (status == RUG_OK)
        status = rugi_ocl_grouped_get(ctx, kernels->device, &kernels->collect, family,
                                      values, "ifs_collect");
    return status;
}

/* Local memory that a group of the screen takes: the ranges, and three numbers for each item
 * and range, and for each of sixteen parts. */
static rug_status check_local(rug_context *ctx, const rugi_ifs_device_kernels *kernels)
{
    const rug_device *facts = rugi_ocl_facts(kernels->device);
    const size_t n_bytes = FOUR * (kernels->n * sizeof(float) +
                                   3 * (kernels->screen.items + 16) * sizeof(uint32_t));
    if (n_bytes <= facts->local_memory)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_DEVICE,
                            "%s: %zu bytes of local memory expected, and this device has "
                            "%llu; use device 'cpu'",
                            facts->name, n_bytes,
                            (unsigned long long)facts->local_memory);
}

/* A buffer of a device, made unless the status is a failure already. */
static void make(rug_context *ctx, const rugi_ifs_device_kernels *kernels,
                 rug_status *status, rugi_ocl_buffer **out, size_t n, size_t size,
                 rugi_ocl_access access)
{
    if (*status == RUG_OK)
        *status = rugi_ocl_buffer_new(ctx, kernels->device, out, n, size, access, what);
}

/* The same of memory of the processor. */
static void *allocate(rug_context *ctx, rug_status *status, size_t n, size_t size)
{
    void *out = *status == RUG_OK ? rug_context_allocate(ctx, n, size, what) : NULL;
    if (out == NULL && *status == RUG_OK)
        *status = RUG_E_NOMEM;
    return out;
}

static rug_status make_block(rug_context *ctx, const rugi_ifs_device_kernels *kernels,
                             rugi_ifs_search_block *block)
{
    const size_t n = kernels->block_domains;
    rug_status status = RUG_OK;
    block->host_tiles = allocate(ctx, &status, n, kernels->n * sizeof(float));
    make(ctx, kernels, &status, &block->tiles, n, kernels->n * sizeof(float),
         RUGI_OCL_READ);
    make(ctx, kernels, &status, &block->caps, n, sizeof(float), RUGI_OCL_READ);
    return status;
}

static rug_status make_slot(rug_context *ctx, const rugi_ifs_device_kernels *kernels,
                            rugi_ifs_search_slot *slot)
{
    const size_t n = kernels->most_groups, four = FOUR * sizeof(float);
    const size_t n_chunks = (kernels->block_domains - 1) / kernels->chunk + 1;
    rug_status status = RUG_OK;
    slot->host_needs = allocate(ctx, &status, n, four);
    slot->host_scores = allocate(ctx, &status, n, n_chunks * 2 * four);
    slot->host_numbers = allocate(ctx, &status, n, n_chunks * four);
    make(ctx, kernels, &status, &slot->ranges, n, kernels->n * four, RUGI_OCL_READ);
    make(ctx, kernels, &status, &slot->needs, n, four, RUGI_OCL_READ);
    make(ctx, kernels, &status, &slot->scores, n, n_chunks * 2 * four, RUGI_OCL_WRITE);
    make(ctx, kernels, &status, &slot->numbers, n, n_chunks * four, RUGI_OCL_WRITE);
    return status;
}

static rug_status make_scans(rug_context *ctx, const rugi_ifs_device_kernels *kernels,
                             rugi_ifs_search_scans *scans)
{
    const size_t n = scans->most, four = FOUR * sizeof(float);
    rug_status status = RUG_OK;
    scans->host_ranges = allocate(ctx, &status, n, kernels->n * four);
    scans->host_floors = allocate(ctx, &status, n, four);
    scans->host_chunks = allocate(ctx, &status, n, sizeof *scans->host_chunks);
    scans->host_hits = allocate(ctx, &status, scans->most_hits, sizeof *scans->host_hits);
    make(ctx, kernels, &status, &scans->ranges, n, kernels->n * four, RUGI_OCL_READ);
    make(ctx, kernels, &status, &scans->floors, n, four, RUGI_OCL_READ);
    make(ctx, kernels, &status, &scans->chunks, n, sizeof *scans->host_chunks,
         RUGI_OCL_READ);
    make(ctx, kernels, &status, &scans->hits, scans->most_hits, sizeof *scans->host_hits,
         RUGI_OCL_WRITE);
    make(ctx, kernels, &status, &scans->n_hits, 1, sizeof(uint32_t), RUGI_OCL_READ_WRITE);
    return status;
}

rug_status rugi_ifs_device_kernels_new(rug_context *ctx, rugi_ifs_device_kernels *kernels,
                                       const rugi_ifs_search_plan *plan,
                                       const rugi_ifs_search_cut *cut)
{
    const rugi_ifs_basis *b = &plan->basis;
    *kernels = (rugi_ifs_device_kernels){.n = b->n};
    kernels->counts[0] = b->n_a1;
    kernels->counts[1] = b->n_b1;
    kernels->counts[2] = b->n_b2;
    kernels->counts[3] = b->n_a2;
    kernels->counts[4] = b->n_pairs;
    rug_status status = rugi_ocl_open(ctx, &kernels->device);
    if (status == RUG_OK)
        status = get_kernels(ctx, kernels, b);
    if (status == RUG_OK)
        status = check_local(ctx, kernels);
    if (status != RUG_OK)
        return status;
    choose_numbers(kernels, plan, cut);
    for (int i = 0; i < 2 && status == RUG_OK; i++) {
        status = make_block(ctx, kernels, &kernels->blocks[i]);
        if (status == RUG_OK)
            status = make_slot(ctx, kernels, &kernels->slots[i]);
    }
    return status == RUG_OK ? make_scans(ctx, kernels, &kernels->scans) : status;
}

static void free_slot(rug_context *ctx, rugi_ocl *device, rugi_ifs_search_slot *slot)
{
    rugi_ocl_buffer_free(device, slot->numbers);
    rugi_ocl_buffer_free(device, slot->scores);
    rugi_ocl_buffer_free(device, slot->needs);
    rugi_ocl_buffer_free(device, slot->ranges);
    rug_context_release(ctx, slot->host_numbers);
    rug_context_release(ctx, slot->host_scores);
    rug_context_release(ctx, slot->host_needs);
}

void rugi_ifs_device_kernels_free(rug_context *ctx, rugi_ifs_device_kernels *kernels)
{
    const rugi_ifs_search_scans *scans = &kernels->scans;
    rugi_ocl_buffer *const buffers[] = {scans->ranges, scans->floors, scans->chunks,
                                        scans->hits, scans->n_hits};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        rugi_ocl_buffer_free(kernels->device, buffers[i]);
    rug_context_release(ctx, scans->host_hits);
    rug_context_release(ctx, scans->host_chunks);
    rug_context_release(ctx, scans->host_floors);
    rug_context_release(ctx, scans->host_ranges);
    for (int i = 0; i < 2; i++) {
        free_slot(ctx, kernels->device, &kernels->slots[i]);
        rugi_ocl_buffer_free(kernels->device, kernels->blocks[i].caps);
        rugi_ocl_buffer_free(kernels->device, kernels->blocks[i].tiles);
        rug_context_release(ctx, kernels->blocks[i].host_tiles);
    }
}

rug_status rugi_ifs_device_upload(rug_context *ctx,
                                  const rugi_ifs_device_kernels *kernels,
                                  const rugi_ifs_search_plan *plan,
                                  const rugi_ifs_search_block *block)
{
    const size_t n_bytes =
        whole_tiles(block->n_domains) * LANES * kernels->n * sizeof(float);
    rug_status status =
        rugi_ocl_write(ctx, kernels->device, block->tiles, 0, block->host_tiles, n_bytes);
    if (status == RUG_OK)
        status =
            rugi_ocl_write(ctx, kernels->device, block->caps, 0,
                           plan->caps + block->first, block->n_domains * sizeof(float));
    return status;
}

static rug_status read_results(rug_context *ctx, const rugi_ifs_device_kernels *kernels,
                               const rugi_ifs_search_slot *slot, size_t n)
{
    const size_t four = FOUR * sizeof(float);
    rug_status status = rugi_ocl_read_later(ctx, kernels->device, slot->scores, 0,
                                            slot->host_scores, n * 2 * four);
    if (status == RUG_OK)
        status = rugi_ocl_read_later(ctx, kernels->device, slot->numbers, 0,
                                     slot->host_numbers, n * four);
    return status;
}

rug_status rugi_ifs_device_begin(rug_context *ctx, const rugi_ifs_device_kernels *kernels,
                                 const rugi_ifs_search_slot *slot,
                                 rugi_ifs_search_batch *batch, const float *ranges)
{
    const rugi_ifs_search_block *block = batch->block;
    const size_t four = FOUR * sizeof(float);
    const uint32_t n[4] = {(uint32_t)batch->n_groups, (uint32_t)block->n_domains,
                           (uint32_t)kernels->chunk, (uint32_t)kernels->n};
    rug_status status = rugi_ocl_write(ctx, kernels->device, slot->ranges, 0,
                                       ranges + batch->first * kernels->n * FOUR,
                                       batch->n_groups * kernels->n * four);
    if (status == RUG_OK)
        status = rugi_ocl_write(ctx, kernels->device, slot->needs, 0, slot->host_needs,
                                batch->n_groups * four);
    const rugi_ocl_arg args[] = {
        rugi_ocl_arg_buffer(block->tiles),
        rugi_ocl_arg_buffer(block->caps),
        rugi_ocl_arg_buffer(slot->ranges),
        rugi_ocl_arg_buffer(slot->needs),
        RUGI_OCL_ARG(n),
        RUGI_OCL_ARG(kernels->counts),
        rugi_ocl_arg_local(kernels->n * four),
        rugi_ocl_arg_buffer(slot->scores),
        rugi_ocl_arg_buffer(slot->numbers),
    };
    if (status == RUG_OK)
        status = rugi_ocl_grouped_run(ctx, kernels->device, &kernels->screen, args,
                                      sizeof args / sizeof args[0],
                                      batch->n_groups * batch->n_chunks);
    if (status == RUG_OK)
        status = read_results(ctx, kernels, slot, batch->n_groups * batch->n_chunks);
    batch->mark = rugi_ocl_mark(kernels->device);
    return status;
}

static rug_status write_scans(rug_context *ctx, const rugi_ifs_device_kernels *kernels,
                              size_t first, size_t n)
{
    const rugi_ifs_search_scans *scans = &kernels->scans;
    const size_t four = FOUR * sizeof(float);
    rug_status status = rugi_ocl_write(ctx, kernels->device, scans->ranges, 0,
                                       scans->host_ranges + first * kernels->n * FOUR,
                                       n * kernels->n * four);
    if (status == RUG_OK)
        status = rugi_ocl_write(ctx, kernels->device, scans->floors, 0,
                                scans->host_floors + first * FOUR, n * four);
    if (status == RUG_OK)
        status = rugi_ocl_write(ctx, kernels->device, scans->chunks, 0,
                                scans->host_chunks + first, n * sizeof(uint32_t));
    if (status == RUG_OK)
        status = rugi_ocl_zero(ctx, kernels->device, scans->n_hits, 0, sizeof(uint32_t));
    return status;
}

rug_status rugi_ifs_device_scan(rug_context *ctx, const rugi_ifs_device_kernels *kernels,
                                const rugi_ifs_search_block *block, size_t first,
                                size_t n, uint32_t *n_hits)
{
    const rugi_ifs_search_scans *scans = &kernels->scans;
    const size_t four = FOUR * sizeof(float);
    const uint32_t numbers[4] = {(uint32_t)scans->most_hits, (uint32_t)block->n_domains,
                                 (uint32_t)kernels->chunk, (uint32_t)kernels->n};
    const rugi_ocl_arg args[] = {
        rugi_ocl_arg_buffer(block->tiles),  rugi_ocl_arg_buffer(block->caps),
        rugi_ocl_arg_buffer(scans->ranges), rugi_ocl_arg_buffer(scans->floors),
        rugi_ocl_arg_buffer(scans->chunks), RUGI_OCL_ARG(numbers),
        RUGI_OCL_ARG(kernels->counts),      rugi_ocl_arg_local(kernels->n * four),
        rugi_ocl_arg_buffer(scans->hits),   rugi_ocl_arg_buffer(scans->n_hits),
    };
    *n_hits = 0;
    rug_status status = write_scans(ctx, kernels, first, n);
    if (status == RUG_OK)
        status = rugi_ocl_grouped_run(ctx, kernels->device, &kernels->collect, args,
                                      sizeof args / sizeof args[0], n);
    if (status == RUG_OK)
        status =
            rugi_ocl_read(ctx, kernels->device, scans->n_hits, 0, n_hits, sizeof *n_hits);
    if (status == RUG_OK && *n_hits > 0 && *n_hits <= scans->most_hits)
        status = rugi_ocl_read(ctx, kernels->device, scans->hits, 0, scans->host_hits,
                               *n_hits * sizeof *scans->host_hits);
    return status;
}
