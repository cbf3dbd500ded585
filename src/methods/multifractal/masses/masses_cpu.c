/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box masses on the processor. Pixels of any dtype become rows of masses, for devices
 * too. Rows come in, and the boxes of four levels come out while they are in the
 * first-level cache. Rows of whole blocks, cut in pieces, go to threads; blocks that
 * parts cut follow one by one when they are whole. */

#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include "masses_kernels.h"
#include "masses_state.h"
#include <string.h>

/* ---- Pixels to rows of masses ---- */

/* Copies pixels to the slot, as masses. */
static void convert(const rugi_mass *mass, rugi_masses_kind kind, const void *pixels,
                    size_t n, void *slot)
{
    if (kind == RUGI_MASSES_WIDE) {
        rugi_mass_of_pixels(mass, slot, pixels, n, NULL);
    } else if (kind == RUGI_MASSES_FLAGS) {
        rugi_predicate gray = {0};
        if (!mass->is_binary)
            gray = rugi_predicate_of_mask(RUG_BIT);
        rugi_predicate_flags(mass->is_binary ? &mass->predicate : &gray, mass->dtype,
                             slot, pixels, n);
    } else {
        memcpy(slot, pixels, n * rug_dtype_size(mass->dtype));
    }
}

#define CLEAR(type)                \
    for (size_t i = 0; i < n; i++) \
    ((type *)slot)[i] = inside[i] ? ((type *)slot)[i] : 0

/* Takes the mass from pixels outside of the mask. */
static void apply_mask(const rug_image *mask, const size_t at[3], size_t n, size_t size,
                       void *slot, char *scratch)
{
    uint8_t *inside = (uint8_t *)scratch + RUGI_MASSES_ROW * sizeof(uint64_t);
    rugi_mask_flags(mask, at, n, inside, scratch);
    switch (size) {
    case 1: CLEAR(uint8_t); break;
    case 2: CLEAR(uint16_t); break;
    default: CLEAR(uint64_t); break;
    }
}

const void *rugi_masses_row(const rugi_mass *mass, rugi_masses_kind kind,
                            const rugi_masses_part *part, const size_t at[3], size_t n,
                            size_t n_row, void *slot, void *scratch)
{
    size_t local[3], size = rugi_masses_kind_size(kind);
    for (int a = 0; a < 3; a++)
        local[a] = at[a] - part->place.first[a];
    const void *pixels = rugi_image_segment(&part->pixels, local, n, scratch);
    int is_plain = kind == RUGI_MASSES_U8 || kind == RUGI_MASSES_U16;
    if (is_plain && pixels != scratch && n == n_row && part->mask.data == NULL)
        return pixels;
    convert(mass, kind, pixels, n, slot);
    if (part->mask.data != NULL)
        apply_mask(&part->mask, local, n, size, slot,
                   (char *)scratch + RUGI_MASSES_ROW * sizeof(uint64_t));
    memset((char *)slot + n * size, 0, (n_row - n) * size);
    return slot;
}

/* Makes tables for all threads of the context. */
static rug_status make_tables(rug_context *ctx, rug_masses *m)
{
    size_t n = (size_t)rug_context_threads(ctx), n_entries = m->plan.n_entries;
    if (m->n_tables >= n)
        return RUG_OK;
    rugi_masses_drain(m);
    rug_context_release(m->ctx, m->tables);
    m->n_tables = 0;
    m->tables = rug_context_allocate(ctx, n, n_entries * sizeof *m->tables, "tables");
    if (m->tables == NULL)
        return RUG_E_NOMEM;
    memset(m->tables, 0, n * n_entries * sizeof *m->tables);
    m->n_tables = n;
    return RUG_OK;
}

/* ---- A row of blocks ---- */

/* Where the masses of a thread go. */
typedef struct sink {
    uint32_t *tables;      /* [plan->n_entries] of this thread */
    rugi_mass_list *lists; /* [RUGI_MASSES_FINE], of enough capacity */
} sink;

/* A row of blocks at work. Rows wait at each level for the others of their boxes, as the
 * digits of a counter do. */
typedef struct tile {
    const rugi_masses_plan *plan;
    const rugi_masses_kernels *kernels;
    sink sink;
    uint64_t *last;               /* the masses of the blocks */
    size_t n;                     /* pixels of a row, a multiple of those of a block */
    char *rows[RUGI_MASSES_FINE]; /* [plan->group] rows of each level above 0 */
    const void *waiting[RUGI_MASSES_FINE][4];
    int n_waiting[RUGI_MASSES_FINE];
} tile;

static size_t row_bytes(const rugi_masses_kernels *kernels, size_t n, unsigned level)
{
    return ((n >> level) * kernels->sum_size + 63) / 64 * 64;
}

/* Bytes that a tile of rows of n pixels needs. */
static size_t tile_bytes(const rugi_masses_plan *plan, const rugi_masses_kernels *kernels,
                         size_t n)
{
    size_t bytes = 0;
    for (unsigned level = 1; level < plan->block_level; level++)
        bytes += (size_t)plan->group * row_bytes(kernels, n, level);
    return bytes;
}

/* Begins a row of blocks.
 *  @param memory  tile_bytes() of these n pixels, 64-byte aligned */
static void tile_begin(tile *t, const rugi_masses_plan *plan,
                       const rugi_masses_kernels *kernels, void *memory, size_t n,
                       sink to, uint64_t *last)
{
    memset(t, 0, sizeof *t);
    t->plan = plan;
    t->kernels = kernels;
    t->sink = to;
    t->last = last;
    t->n = n;
    char *at = memory;
    for (unsigned level = 1; level < plan->block_level; level++) {
        t->rows[level] = at;
        at += (size_t)plan->group * row_bytes(kernels, n, level);
    }
}

/* Rows of a row of blocks. */
static size_t tile_rows(const rugi_masses_plan *plan)
{
    return (size_t)1 << (plan->block_bits[0] + plan->block_bits[1]);
}

/* The k-th row that tile_add() wants: those that are joined come one after the other. */
static void tile_row(const rugi_masses_plan *plan, size_t k, size_t *z, size_t *y)
{
    *z = 0;
    *y = k;
    if (plan->n_axes == 2)
        return;
    *y = 0;
    for (unsigned bit = 0; bit < plan->block_level; bit++) {
        *y |= (k >> 2 * bit & 1) << bit;
        *z |= (k >> (2 * bit + 1) & 1) << bit;
    }
}

/* Counts the boxes of a row. */
static void count_row(tile *t, unsigned level, const void *row, size_t n)
{
    const rugi_masses_table *table = &t->plan->tables[level];
    const rugi_masses_kernels *kernels = t->kernels;
    rugi_masses_count_fn count = level > 0 ? kernels->count_sums : kernels->count_pixels;
    if (table->is_paired && kernels->count_pairs != NULL)
        count = kernels->count_pairs;
    if (table->size > 0)
        count(t->sink.tables + table->at, table->size, table->step, row, n);
    else if (rugi_masses_has_list(t->plan, level))
        (level == 0 ? kernels->widen_pixels : kernels->widen_sums)(
            rugi_mass_list_take(&t->sink.lists[level], n), row, n);
}

/* Takes in a row of pixels. It must stay until plan->group of them have come. */
static void tile_add(tile *t, const void *row)
{
    const rugi_masses_kernels *kernels = t->kernels;
    int group = t->plan->group;
    for (unsigned level = 0;; level++) {
        size_t n = t->n >> level;
        count_row(t, level, row, n);
        t->waiting[level][t->n_waiting[level]++] = row;
        if (t->n_waiting[level] < group)
            return;
        t->n_waiting[level] = 0;
        if (level + 1 == t->plan->block_level) {
            kernels->join_last(t->last, t->waiting[level], group, n / 2);
            return;
        }
        size_t slot = (size_t)t->n_waiting[level + 1];
        char *joined = t->rows[level + 1] + slot * row_bytes(kernels, t->n, level + 1);
        (level == 0 ? kernels->join_pixels
                    : kernels->join_sums)(joined, t->waiting[level], group, n / 2);
        row = joined;
    }
}

/* ---- Whole blocks ---- */

/* Pixels of one parallel loop: as many as lists take at once, or as tables of 32 bits can
 * count. */
#define LIST_PIXELS  ((uint64_t)1 << 22)
#define TABLE_PIXELS ((uint64_t)1 << 31)

/* Work of the threads. */
typedef struct cpu_job {
    rug_masses *masses;
    const rugi_masses_part *part;
    rugi_masses_kernels kernels;
    rugi_box blocks;
    size_t first_task;
    size_t n_whole;  /* pixels of a row in whole blocks */
    size_t n_ragged; /* pixels of a row behind them, in a block that the edge cuts */
    uint64_t *last;  /* masses of the blocks, x fastest */
    size_t n_pieces, widest; /* of a row, and the pixels of the widest, in whole blocks */
    char *memory;            /* of the threads */
    size_t thread_bytes, slots, zero,
        scratch; /* of one thread, and what lies where in them */
} cpu_job;

/* The pixels along x of a task. @return its first */
static size_t piece_of(const cpu_job *j, size_t task, size_t *n)
{
    const rugi_masses_plan *p = &j->masses->plan;
    size_t first = j->blocks.first[2] << p->block_bits[2];
    size_t at = task % j->n_pieces * p->piece;
    if (at >= j->n_whole) {
        *n = j->n_ragged;
        return first + j->n_whole;
    }
    *n = j->n_whole - at < p->piece ? j->n_whole - at : p->piece;
    return first + at;
}

static size_t to_blocks(const rugi_masses_plan *p, size_t n)
{
    size_t block = (size_t)1 << p->block_level;
    return (n + block - 1) / block * block;
}

static void run_task(void *shared, size_t task, int thread)
{
    const cpu_job *j = shared;
    rug_masses *m = j->masses;
    const rugi_masses_plan *p = &m->plan;
    char *memory = j->memory + (size_t)thread * j->thread_bytes;
    size_t n, index = task + j->first_task, x = piece_of(j, index, &n);
    size_t n_row = to_blocks(p, n), n_y = j->blocks.end[1] - j->blocks.first[1];
    size_t row = index / j->n_pieces, n_x = j->blocks.end[2] - j->blocks.first[2];
    size_t block_y = j->blocks.first[1] + row % n_y;
    size_t block_z = j->blocks.first[0] + row / n_y;
    sink to = {m->tables + (size_t)thread * p->n_entries, m->lists};
    tile t;
    tile_begin(&t, p, &j->kernels, memory, n_row, to,
               j->last + row * n_x + (x >> p->block_bits[2]) - j->blocks.first[2]);
    for (size_t k = 0; k < tile_rows(p); k++) {
        size_t z, y;
        tile_row(p, k, &z, &y);
        size_t at[3] = {(block_z << p->block_bits[0]) + z,
                        (block_y << p->block_bits[1]) + y, x};
        char *slot =
            memory + j->slots + k % (size_t)p->group * p->piece * j->kernels.pixel_size;
        int is_inside = at[0] < p->shape[0] && at[1] < p->shape[1];
        tile_add(&t, is_inside ? rugi_masses_row(&m->mass, p->kind, j->part, at, n, n_row,
                                                 slot, memory + j->scratch)
                               : memory + j->zero);
    }
}

static rug_status make_memory(rug_context *ctx, cpu_job *j)
{
    const rugi_masses_plan *p = &j->masses->plan;
    size_t n_blocks = (size_t)rugi_box_pixels(&j->blocks);
    j->last = rug_context_allocate(ctx, n_blocks, sizeof *j->last, "masses of blocks");
    if (j->last == NULL)
        return RUG_E_NOMEM;
    size_t row = p->piece * j->kernels.pixel_size, n = (size_t)rug_context_threads(ctx);
    j->slots = tile_bytes(p, &j->kernels, p->piece);
    j->zero = j->slots + (size_t)p->group * row;
    j->scratch = j->zero + row;
    j->thread_bytes = j->scratch + RUGI_MASSES_SCRATCH;
    j->memory = rug_context_allocate(ctx, n, j->thread_bytes, "rows of masses");
    if (j->memory == NULL)
        return RUG_E_NOMEM;
    for (size_t t = 0; t < n; t++)
        memset(j->memory + t * j->thread_bytes + j->zero, 0, row);
    return RUG_OK;
}

/* Makes lists long enough for what n tasks put there. */
static rug_status reserve(rug_context *ctx, const cpu_job *j, size_t n_tasks)
{
    rug_masses *m = j->masses;
    const rugi_masses_plan *p = &m->plan;
    rug_status status = RUG_OK;
    for (unsigned level = 0; level < p->block_level && status == RUG_OK; level++) {
        size_t boxes = tile_rows(p) * j->widest >> (unsigned)p->n_axes * level;
        if (rugi_masses_has_list(p, level))
            status = rugi_mass_list_reserve(ctx, &m->lists[level], n_tasks * boxes);
    }
    return status;
}

static int has_lists(const rugi_masses_plan *p)
{
    for (unsigned level = 0; level < p->block_level; level++)
        if (rugi_masses_has_list(p, level))
            return 1;
    return 0;
}

/* Nanoseconds of work for each pixel. */
#define PIXEL_WORK 0.5

static rug_status run_tasks(rug_context *ctx, cpu_job *j, size_t n_tasks)
{
    rug_masses *m = j->masses;
    uint64_t task_pixels = tile_rows(&m->plan) * j->widest;
    uint64_t most = (has_lists(&m->plan) ? LIST_PIXELS : TABLE_PIXELS) / task_pixels;
    size_t chunk = most > 0 ? (size_t)most : 1;
    rug_status status = RUG_OK;
    for (size_t first = 0; first < n_tasks && status == RUG_OK; first += chunk) {
        size_t n = n_tasks - first < chunk ? n_tasks - first : chunk;
        double all = (double)n_tasks;
        if (m->n_tabled + n * task_pixels > UINT32_MAX)
            rugi_masses_drain(m);
        m->n_tabled += n * task_pixels;
        status = reserve(ctx, j, n);
        j->first_task = first;
        RUGI_PHASE(ctx, (double)first / all, (double)(first + n) / all, status,
                   rugi_parallel_for(ctx, n, run_task, j));
    }
    return status;
}

rug_status rugi_masses_cpu(rug_context *ctx, void *job)
{
    static const char *const names[] = {"cpu-ref", "cpu-avx2", "cpu-avx512"};
    rugi_masses_job *given = job;
    rug_masses *m = given->masses;
    const rugi_masses_plan *p = &m->plan;
    rug_cpu_level level = rug_context_cpu_level(ctx);
    cpu_job j = {.masses = m, .part = given->part, .blocks = given->blocks};
    j.kernels.kind = p->kind;
    rugi_masses_set_kernels(&j.kernels, level);
    size_t block = (size_t)1 << p->block_level, x_end = j.blocks.end[2] * block;
    size_t n_x = (x_end < p->shape[2] ? x_end : p->shape[2]) - j.blocks.first[2] * block;
    j.n_ragged = n_x % block;
    j.n_whole = n_x - j.n_ragged;
    j.n_pieces = (j.n_whole + p->piece - 1) / p->piece + (j.n_ragged > 0);
    j.widest = j.n_whole == 0 ? block : j.n_whole < p->piece ? j.n_whole : p->piece;
    m->engine = names[level];
    rug_status status = make_tables(ctx, m);
    if (status == RUG_OK)
        status = make_memory(ctx, &j);
    size_t n_tasks = (j.blocks.end[0] - j.blocks.first[0]) *
                     (j.blocks.end[1] - j.blocks.first[1]) * j.n_pieces;
    RUGI_WORK(ctx, PIXEL_WORK * (double)n_tasks * (double)(tile_rows(p) * j.widest),
              status, run_tasks(ctx, &j, n_tasks));
    if (status == RUG_OK)
        status = rugi_sparse_put(ctx, &m->blocks, &j.blocks, j.last);
    rug_context_release(ctx, j.last);
    rug_context_release(ctx, j.memory);
    return status;
}

/* ---- Blocks that parts cut ---- */

/* A part, or the blocks of another state. */
typedef struct partial_job {
    rug_masses *masses;
    const rugi_masses_part *part;
    rugi_masses_run_fn *run;
    rugi_masses_kernels kernels;
    char *memory; /* of a tile, behind it the scratch of a row; NULL: not needed so far */
    size_t scratch;
} partial_job;

static rug_status run_whole(rug_context *ctx, void *job, const rugi_box *blocks)
{
    partial_job *j = job;
    rugi_masses_job whole = {.masses = j->masses, .part = j->part, .blocks = *blocks};
    return j->run(ctx, &whole);
}

static rug_status begin_partial(rug_context *ctx, void *job, const rugi_box *rest)
{
    partial_job *j = job;
    const rugi_masses_plan *p = &j->masses->plan;
    (void)rest;
    if (j->memory != NULL)
        return RUG_OK;
    j->kernels.kind = RUGI_MASSES_WIDE;
    rugi_masses_set_kernels(&j->kernels, RUG_CPU_REF);
    j->scratch = tile_bytes(p, &j->kernels, (size_t)1 << p->block_level);
    j->memory =
        rug_context_allocate(ctx, 1, j->scratch + RUGI_MASSES_SCRATCH, "rows of masses");
    return j->memory != NULL ? make_tables(ctx, j->masses) : RUG_E_NOMEM;
}

/* The masses of a block, x fastest. */
static void fill_partial(void *job, uint64_t *words, const size_t first[3],
                         const rugi_box *pixels)
{
    const partial_job *j = job;
    const rugi_masses_plan *p = &j->masses->plan;
    size_t n = pixels->end[2] - pixels->first[2], x = pixels->first[2] - first[2];
    for (size_t z = pixels->first[0]; z < pixels->end[0]; z++)
        for (size_t y = pixels->first[1]; y < pixels->end[1]; y++) {
            size_t at[3] = {z, y, pixels->first[2]};
            size_t row = ((z - first[0]) << p->block_bits[1]) + y - first[1];
            rugi_masses_row(&j->masses->mass, RUGI_MASSES_WIDE, j->part, at, n, n,
                            words + (row << p->block_bits[2]) + x,
                            j->memory + j->scratch);
        }
}

/* Counts the boxes of a block. */
static rug_status count_partial(rug_context *ctx, void *job, const size_t at[3],
                                uint64_t *words)
{
    const partial_job *j = job;
    rug_masses *m = j->masses;
    const rugi_masses_plan *p = &m->plan;
    size_t n_pixels = m->partial.n_words;
    for (unsigned level = 0; level < p->block_level; level++)
        if (rugi_masses_has_list(p, level)) {
            rug_status status = rugi_mass_list_reserve(
                ctx, &m->lists[level], n_pixels >> (unsigned)p->n_axes * level);
            if (status != RUG_OK)
                return status;
        }
    if (m->n_tabled + n_pixels > UINT32_MAX)
        rugi_masses_drain(m);
    m->n_tabled += n_pixels;
    sink to = {m->tables, m->lists};
    tile t;
    uint64_t mass = 0;
    const rugi_box place = {{at[0], at[1], at[2]}, {at[0] + 1, at[1] + 1, at[2] + 1}};
    tile_begin(&t, p, &j->kernels, j->memory, (size_t)1 << p->block_level, to, &mass);
    for (size_t k = 0; k < tile_rows(p); k++) {
        size_t z, y;
        tile_row(p, k, &z, &y);
        tile_add(&t, words + (((z << p->block_bits[1]) + y) << p->block_bits[2]));
    }
    return rugi_sparse_put(ctx, &m->blocks, &place, &mass);
}

static const rugi_block_counter counter = {run_whole, begin_partial, fill_partial,
                                           count_partial};

rug_status rugi_masses_add_part(rug_context *ctx, rug_masses *masses,
                                const rugi_masses_part *part, rugi_masses_run_fn *run)
{
    partial_job j = {.masses = masses, .part = part, .run = run};
    rug_status status =
        rugi_partial_blocks_add(ctx, &masses->partial, &part->place, &counter, &j);
    int has_rest = j.memory != NULL;
    rug_context_release(ctx, j.memory);
    return status == RUG_OK && has_rest ? rug_context_step(ctx, 1) : status;
}

rug_status rugi_masses_merge_partial(rug_context *ctx, rug_masses *masses,
                                     const rug_masses *other)
{
    partial_job j = {.masses = masses};
    if (masses->partial.waiting.n_used == 0 && other->partial.waiting.n_used == 0)
        return RUG_OK;
    rug_status status = begin_partial(ctx, &j, NULL);
    if (status == RUG_OK)
        status = rugi_partial_blocks_merge(ctx, &masses->partial, &other->partial,
                                           &counter, &j);
    rug_context_release(ctx, j.memory);
    return status;
}
