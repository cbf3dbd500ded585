/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The pyramid: its plan (levels, blocks and tiles), the engine `cpu`, which counts levels
 * 0..6 by the kernels.
 *
 * Reading the pixels is what takes the time, so the order in which they are read comes
 * first. It is that in which they lie in memory as far as possible: an image row by row,
 * a volume two slices at a time, in turns of a page of each. The first-level cache then
 * still holds the boxes that wait for the second slice. What is to be read a page later is
 * prefetched, by its true address: the next turn of the same slice, and at its end the
 * next slices' first one. Processors differ in what they would foresee by themselves; many
 * follow no stream across the end of a page, and rows and slices whose distance is a power
 * of two fall into the same few sets of the first-level cache, which is why there are two
 * streams of a page each and not more: with the pages prefetched they take 4 of the 8 or
 * 12 ways. */

#include "boxcount_pyramid.h"
#include "boxcount/bits/boxcount_prefetch.h"
#include "boxcount_kernels.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/fit/scaling.h"
#include <string.h>

/* ---- The plan ---- */

/* Widest tiles in words, so that a thread's rows of all levels stay in its second-level
 * cache. */
#define TILE_WORDS_2D 512
#define TILE_WORDS_3D 64

/* Groups of blocks in a tile of a volume, for the same reason: 3.5 KB each. */
#define TILE_GROUPS_3D 32

/* Tiles for each thread, so that none waits long for the last one. */
#define TILES_PER_THREAD 4

static size_t ceil_div(size_t n, size_t d)
{
    return (n - 1) / d + 1;
}

uint32_t rugi_boxcount_n_levels(int ndim, const size_t *shape)
{
    size_t longest = 1;
    for (int a = 0; a < ndim; a++)
        longest = rugi_larger(shape[a], longest);
    return rugi_scaling_n_dyadic(longest);
}

static size_t groups_of(size_t n_blocks)
{
    return (n_blocks + RUGI_GROUP - 1) / RUGI_GROUP;
}

/* Bytes of n pixels of a row. */
static size_t row_bytes(rug_dtype dtype, size_t n)
{
    return dtype == RUG_BIT ? (n + 7) / 8 : n * rug_dtype_size(dtype);
}

/* Whether the pixels of a row are not side by side. */
static int is_strided(const rug_image *volume)
{
    size_t size = rug_dtype_size(volume->dtype);
    return size > 0 && volume->stride[2] != (ptrdiff_t)size;
}

/* The fewest parts of a row that fill four fifths of its groups, or else those that fill
 * most of them. */
static size_t choose_parts(const rugi_boxcount_plan *plan)
{
    size_t most = rugi_smaller(RUGI_GROUP, plan->blocks[1]);
    size_t n = plan->tile_words, best = 1, groups = groups_of(n);
    if (plan->tiles_x > 1 || is_strided(&plan->volume))
        return 1;
    for (size_t k = 2; k <= most && 5 * best * n < 4 * RUGI_GROUP * groups; k++)
        if (k * groups > best * groups_of(k * n)) {
            best = k;
            groups = groups_of(k * n);
        }
    return best;
}

static void set_tile_bands(rugi_boxcount_plan *plan, size_t n)
{
    plan->tile_rows = n * plan->n_parts;
    plan->tiles_y = ceil_div(plan->blocks[1], plan->tile_rows);
    plan->n_tiles = plan->blocks[0] * plan->tiles_y * plan->tiles_x;
}

/* A tile reads its part of slice after slice: the higher it is, the fewer the gaps
 * between what it reads, each of which stops the processor's prefetching. */
static void plan_tiles(rug_context *ctx, rugi_boxcount_plan *plan)
{
    int is_image = plan->box_axes == 2;
    for (int a = 0; a < 3; a++)
        plan->blocks[a] = ceil_div(plan->volume.shape[a], RUGI_BLOCK);
    size_t widest = is_image ? TILE_WORDS_2D : TILE_WORDS_3D;
    plan->tile_words = rugi_smaller(plan->blocks[2], widest);
    plan->tiles_x = ceil_div(plan->blocks[2], plan->tile_words);
    plan->n_parts = choose_parts(plan);
    size_t n_groups = groups_of(plan->n_parts * plan->tile_words);
    size_t highest = is_image ? 1 : ceil_div(TILE_GROUPS_3D, n_groups);
    size_t n = rugi_smaller(ceil_div(plan->blocks[1], plan->n_parts), highest);
    set_tile_bands(plan, n);
    size_t wanted = TILES_PER_THREAD * (size_t)rug_context_threads(ctx);
    while (n > 1 && plan->n_tiles < wanted) {
        n = ceil_div(n, 2);
        set_tile_bands(plan, n);
    }
}

void rugi_boxcount_make_plan(rug_context *ctx, rugi_boxcount_plan *plan,
                             const rug_image *volume, int box_axes,
                             const rugi_predicate *predicate, uint32_t n_levels)
{
    memset(plan, 0, sizeof *plan);
    plan->volume = *volume;
    plan->box_axes = box_axes;
    plan->predicate = *predicate;
    plan->n_levels = n_levels;
    plan_tiles(ctx, plan);
}

/* ---- One tile ---- */

/* Bytes of a slice to read before the other one's turn, small compared with the first-level
 * cache. */
#define TURN_BYTES RUGI_BYTES_AHEAD

/* A tile's place. Its *lines* are rows of groups: 64 a band, of as many parts as the image
 * has there. */
typedef struct tile {
    size_t bz, by, bx;      /* its first block */
    size_t n_rows, n_words; /* blocks along y and x */
    size_t n_groups;        /* of a line */
    size_t nz, ny, nx;      /* pixels inside the image */
    size_t n_lines;         /* with pixels */
} tile;

/* What one thread works with. */
typedef struct worker {
    RUGI_OWN_LINES const rugi_boxcount_plan *plan;
    const rugi_boxcount_kernels *kernels;
    const rugi_layout *layouts; /* see lay_out_rows() */
    uint8_t *blocks; /* [bz][by][bx] of RUGI_BLOCK_ANY | RUGI_BLOCK_ALL; shared, but each
                        tile has its own */
    rugi_boxcount_tally tally;
    uint64_t *slab_words;                 /* memory of the slabs */
    uint64_t *slab[RUGI_BLOCK_LEVEL + 2]; /* of the current tile, see rugi_rise */
    char *gathered;    /* strided pixels, made contiguous; NULL: they are */
    const char *limit; /* see rugi_rows */
} worker;

static tile tile_at(const rugi_boxcount_plan *plan, size_t index)
{
    tile t = {.bx = index % plan->tiles_x * plan->tile_words,
              .by = index / plan->tiles_x % plan->tiles_y * plan->tile_rows,
              .bz = index / plan->tiles_x / plan->tiles_y};
    const size_t *shape = plan->volume.shape;
    t.n_words = rugi_smaller(plan->blocks[2] - t.bx, plan->tile_words);
    t.n_rows = rugi_smaller(plan->blocks[1] - t.by, plan->tile_rows);
    t.n_groups = groups_of(plan->n_parts * t.n_words);
    t.nz = rugi_smaller(shape[0] - t.bz * RUGI_BLOCK, RUGI_BLOCK);
    t.ny = rugi_smaller(shape[1] - t.by * RUGI_BLOCK, t.n_rows * RUGI_BLOCK);
    t.nx = rugi_smaller(shape[2] - t.bx * RUGI_BLOCK, t.n_words * RUGI_BLOCK);
    size_t above = (t.n_rows - 1) / plan->n_parts; /* bands above the last one */
    size_t rest = t.ny - above * plan->n_parts * RUGI_BLOCK;
    t.n_lines = above * RUGI_BLOCK + rugi_smaller(rest, RUGI_BLOCK);
    return t;
}

/* ---- How the groups of a line lie ---- */

/* Group g of a line of n_blocks blocks. */
static void set_scattered(const rugi_boxcount_plan *plan, const rugi_layout *l,
                          size_t n_blocks, size_t g, rugi_scattered *s)
{
    size_t first = g * RUGI_GROUP, n = l->part_blocks;
    unsigned whole = 0, end = 0; /* which blocks of the group */
    memset(s, 0, sizeof *s);
    if (first < n_blocks)
        s->n_blocks = rugi_smaller(n_blocks - first, RUGI_GROUP);
    s->first_end = n - 1 - first % n;
    const size_t block = row_bytes(plan->volume.dtype, RUGI_BLOCK);
    for (size_t k = 0; k < s->n_blocks; k++) {
        size_t part = (first + k) / n, x = (first + k) % n;
        s->at[k] = (ptrdiff_t)(part * RUGI_BLOCK) * plan->volume.stride[1] +
                   (ptrdiff_t)(x * block);
        if (x < n - 1 || l->n_end == 0) {
            whole |= (unsigned)RUGI_BLOCK_BIT(k);
        } else {
            end |= (unsigned)RUGI_BLOCK_BIT(k);
            s->end_of_end = s->at[k] + (ptrdiff_t)block;
        }
    }
    for (size_t k = s->n_blocks; k < RUGI_GROUP; k++)
        s->at[k] = s->at[0];
    const uint64_t each_byte = 0x0101010101010101u;
    for (size_t i = 0; i < RUGI_GROUP; i++) { /* eight pixels of each block */
        size_t n_in = rugi_smaller(l->n_end - rugi_smaller(l->n_end, 8 * i), 8);
        uint64_t in = n_in < 8 ? ((uint64_t)1 << 8 * n_in) - 1 : UINT64_MAX;
        s->inside[i] = whole * each_byte | (end * each_byte & in);
    }
}

/* A line of n_parts parts of n pixels.
 *  @return the end of `scattered` */
static rugi_scattered *lay_out_line(const rugi_boxcount_plan *plan, rugi_layout *l,
                                    size_t n_parts, size_t n, rugi_scattered *scattered)
{
    *l = (rugi_layout){.part_blocks = ceil_div(n, RUGI_BLOCK), .n_end = n % RUGI_BLOCK};
    l->n_groups = groups_of(plan->n_parts * l->part_blocks);
    l->n_whole = plan->n_parts == 1 ? n / RUGI_GROUP_PIXELS : 0;
    l->scattered = scattered;
    for (size_t g = l->n_whole; g < l->n_groups; g++)
        set_scattered(plan, l, n_parts * l->part_blocks, g, scattered++);
    return scattered;
}

/* Layouts of a plan, at most. */
#define MAX_LAYOUTS RUGI_GROUP

/* Scattered groups in them, at most. */
static size_t n_scattered(const rugi_boxcount_plan *plan)
{
    size_t n_groups = groups_of(plan->n_parts * plan->tile_words);
    return plan->n_parts == 1 ? 2 : plan->n_parts * n_groups;
}

/* All layouts: [k] of k + 1 parts; of one part, [0] of the tiles before the last one along
 * x and [1] of the last one. */
static void lay_out_lines(const rugi_boxcount_plan *plan,
                          rugi_layout layouts[MAX_LAYOUTS], rugi_scattered *scattered)
{
    size_t width = plan->tile_words * RUGI_BLOCK, nx = plan->volume.shape[2];
    if (plan->n_parts == 1) {
        size_t last = nx - (plan->tiles_x - 1) * width;
        scattered =
            lay_out_line(plan, &layouts[0], 1, rugi_smaller(nx, width), scattered);
        lay_out_line(plan, &layouts[1], 1, last, scattered);
    } else {
        for (size_t k = 0; k < plan->n_parts; k++)
            scattered = lay_out_line(plan, &layouts[k], k + 1, nx, scattered);
    }
}

/* The lines from y on that have one layout. */
static rugi_lines lines_at(const worker *w, const tile *t, size_t y)
{
    const rugi_boxcount_plan *plan = w->plan;
    size_t n_parts = plan->n_parts, band = y / RUGI_BLOCK, line = y % RUGI_BLOCK;
    if (n_parts == 1) {
        int is_last = t->bx + t->n_words == plan->blocks[2];
        return (rugi_lines){.layout = &w->layouts[is_last], .n = t->n_lines - y};
    }
    /* Rows of the image from the band on: parts of every line, lines with one more. */
    size_t rows = t->ny - band * n_parts * RUGI_BLOCK;
    size_t have = rugi_smaller(rows / RUGI_BLOCK, n_parts);
    size_t more = have < n_parts ? rows % RUGI_BLOCK : 0;
    size_t end = line < more ? more : RUGI_BLOCK;
    have += line < more;
    return (rugi_lines){.layout = &w->layouts[have - 1], .n = end - line};
}

/* The address of the first pixel of line y of slice z, all relative to the tile. */
static const char *pixel_at(const worker *w, const tile *t, size_t z, size_t y)
{
    const rug_image *v = &w->plan->volume;
    size_t row = y / RUGI_BLOCK * RUGI_BLOCK * w->plan->n_parts + y % RUGI_BLOCK;
    const char *pixels =
        rugi_image_row(v, t->bz * RUGI_BLOCK + z, t->by * RUGI_BLOCK + row);
    size_t x = t->bx * RUGI_BLOCK;
    return v->dtype == RUG_BIT ? pixels + x / 8 : pixels + (ptrdiff_t)x * v->stride[2];
}

/* Where a line of pixels or boxes goes whose last pixels are line y of slice z. */
static rugi_rise rise_at(const worker *w, const tile *t, size_t z, size_t y)
{
    if (w->plan->box_axes == 3)
        return (rugi_rise){w->slab, t->n_groups, z, y};
    return (rugi_rise){w->slab, 0, RUGI_BLOCK - 1, y};
}

/* Adds lines of slice z, and if there are two of z + 1. */
static void add_lines(worker *w, const tile *t, size_t z, size_t y, rugi_lines *lines)
{
    const rug_image *v = &w->plan->volume;
    const rugi_predicate *p = &w->plan->predicate;
    rugi_lines_fn add = w->kernels->lines[v->dtype];
    lines->stride = v->stride[1];
    lines->slice = v->stride[0];
    lines->limit = w->limit;
    lines->pixels = pixel_at(w, t, z, y);
    if (w->gathered == NULL) {
        add(rise_at(w, t, z, y), lines, p, &w->tally);
        return;
    }
    rugi_lines one = *lines;
    one.pixels = w->gathered;
    one.n = one.n_slices = 1;
    for (size_t k = 0; k < lines->n_slices; k++)
        for (size_t i = 0; i < lines->n; i++) {
            rugi_gather(w->gathered, pixel_at(w, t, z + k, y + i), t->nx, v->stride[2],
                        rug_dtype_size(v->dtype));
            add(rise_at(w, t, z + k, y + i), &one, p, &w->tally);
        }
}

static void add_empty_row(worker *w, const tile *t, size_t z, size_t y, int level)
{
    w->kernels->empty_row(rise_at(w, t, z, y), level, t->n_groups, &w->tally);
}

/* The largest level whose boxes can begin at pixel n > 0 of an axis. */
static int level_of(size_t n)
{
    int level = 0;
    while ((n >> level & 1) == 0)
        level++;
    return level;
}

/* Adds what is missing in the image from line y on, as empty boxes, the largest that fit.
 * Boxes that do not end with slice z are added with a later one. */
static void add_missing_rows(worker *w, const tile *t, size_t z, size_t y)
{
    while (y % RUGI_BLOCK > 0) {
        int level = level_of(y);
        y += (size_t)1 << level;
        if ((z + 1) >> level << level == z + 1)
            add_empty_row(w, t, z, y - 1, level);
    }
}

/* Adds empty boxes of a level, which end with slice z. */
static void add_missing_slices(worker *w, const tile *t, size_t z, int level)
{
    size_t y = 0, size = (size_t)1 << level;
    for (; y < t->n_lines; y += size)
        add_empty_row(w, t, z, y + size - 1, level);
    add_missing_rows(w, t, z, y);
}

/* Bytes of a line, at most. */
static size_t line_bytes(const worker *w, const tile *t)
{
    return w->plan->n_parts * row_bytes(w->plan->volume.dtype, t->nx);
}

/* Lines of a page, or of two where several parts share it; made even. */
static size_t lines_of_turn(const worker *w, const tile *t)
{
    size_t n_bytes = w->plan->n_parts > 1 ? 2 * TURN_BYTES : TURN_BYTES;
    return (ceil_div(n_bytes, line_bytes(w, t)) + 1) / 2 * 2;
}

/* What is prefetched: the next turn of the same slice, at the end the first one of the
 * lines from y on, or of the slice after next; in long lines the next page.
 *  @param lines  from `from` on */
static void look_ahead(const worker *w, const tile *t, rugi_lines *lines, size_t z,
                       size_t from, size_t y)
{
    ptrdiff_t stride = w->plan->volume.stride[1];
    lines->ahead = lines->ahead_at_end = TURN_BYTES;
    if (line_bytes(w, t) > TURN_BYTES && w->plan->n_parts == 1)
        return;
    lines->ahead = (ptrdiff_t)lines->turn * stride;
    const char *last =
        pixel_at(w, t, z, from + (lines->n - 1) / lines->turn * lines->turn);
    if (y < t->n_lines)
        lines->ahead_at_end = pixel_at(w, t, z, y) - last;
    else if (z + 2 < t->nz)
        lines->ahead_at_end = pixel_at(w, t, z + 2, 0) - last;
}

static void count_two_slices(worker *w, const tile *t, size_t z)
{
    size_t n_slices = rugi_smaller(2, t->nz - z);
    for (size_t y = 0; y < t->n_lines;) {
        rugi_lines lines = lines_at(w, t, y);
        lines.n_slices = n_slices;
        lines.turn = lines_of_turn(w, t);
        look_ahead(w, t, &lines, z, y, y + lines.n);
        add_lines(w, t, z, y, &lines);
        y += lines.n;
    }
    for (size_t k = 0; k < n_slices; k++)
        add_missing_rows(w, t, z + k, t->n_lines);
}

static void count_slices(worker *w, const tile *t)
{
    for (size_t z = 0; z < t->nz; z += 2)
        count_two_slices(w, t, z);
    for (size_t z = t->nz; z % RUGI_BLOCK > 0;) {
        int level = level_of(z);
        z += (size_t)1 << level;
        add_missing_slices(w, t, z - 1, level);
    }
}

static void count_rows(worker *w, const tile *t)
{
    ptrdiff_t stride = w->plan->volume.stride[1], ahead = TURN_BYTES;
    if (line_bytes(w, t) < TURN_BYTES || w->plan->n_parts > 1)
        ahead = stride * (ptrdiff_t)ceil_div(TURN_BYTES, line_bytes(w, t));
    for (size_t y = 0; y < t->n_lines;) {
        rugi_lines lines = lines_at(w, t, y);
        lines.n_slices = 1;
        lines.turn = lines.n;
        lines.ahead = lines.ahead_at_end = ahead;
        add_lines(w, t, 0, y, &lines);
        y += lines.n;
    }
    add_missing_rows(w, t, RUGI_BLOCK - 1, t->n_lines);
}

/* The tile's 64-blocks, from the boxes of the last level. */
static void store_blocks(const worker *w, const tile *t)
{
    const size_t *n = w->plan->blocks;
    uint8_t *blocks = w->blocks + (t->bz * n[1] + t->by) * n[2] + t->bx;
    rugi_rise to = rise_at(w, t, RUGI_BLOCK - 1, RUGI_BLOCK - 1);
    for (size_t y = 0; y < t->n_rows; y++, blocks += n[2]) {
        size_t part = y % w->plan->n_parts * t->n_words;
        to.y = y / w->plan->n_parts * RUGI_BLOCK + RUGI_BLOCK - 1;
        for (size_t x = 0; x < t->n_words; x++) {
            size_t g = (part + x) / RUGI_GROUP, k = (part + x) % RUGI_GROUP;
            unsigned field = (unsigned)*rugi_waiting(&to, RUGI_BLOCK_LEVEL + 1, g);
            unsigned any = field & RUGI_BLOCK_BIT(k);
            unsigned all = field >> 8 & RUGI_BLOCK_BIT(k);
            blocks[x] =
                (uint8_t)((any ? RUGI_BLOCK_ANY : 0) | (all ? RUGI_BLOCK_ALL : 0));
        }
    }
}

/* Words of a slab of n_bands bands. */
static size_t slab_words(const rugi_boxcount_plan *plan, size_t n_bands, size_t n_groups,
                         int level)
{
    size_t n = plan->box_axes == 3 ? n_bands * RUGI_BLOCK >> rugi_slab_shift(level) : 1;
    return n * n_groups * rugi_slab_words(level);
}

/* Gives out the memory of the slabs. */
static void lay_out_slabs(worker *w, const tile *t)
{
    uint64_t *words = w->slab_words;
    size_t n_bands = ceil_div(t->n_rows, w->plan->n_parts);
    for (int level = 1; level <= RUGI_BLOCK_LEVEL + 1; level++) {
        w->slab[level] = words;
        words += slab_words(w->plan, n_bands, t->n_groups, level);
    }
}

static void count_tile(worker *w, size_t index)
{
    tile t = tile_at(w->plan, index);
    lay_out_slabs(w, &t);
    if (w->plan->box_axes == 3)
        count_slices(w, &t);
    else
        count_rows(w, &t);
    store_blocks(w, &t);
}

static size_t round_up(size_t n_bytes)
{
    return (n_bytes + RUGI_ALIGNMENT - 1) / RUGI_ALIGNMENT * RUGI_ALIGNMENT;
}

static size_t slabs_bytes(const rugi_boxcount_plan *plan)
{
    size_t n_words = 0, n_bands = plan->tile_rows / plan->n_parts;
    size_t n_groups = groups_of(plan->n_parts * plan->tile_words);
    for (int level = 1; level <= RUGI_BLOCK_LEVEL + 1; level++)
        n_words += slab_words(plan, n_bands, n_groups, level);
    return round_up(n_words * sizeof(uint64_t));
}

static size_t gathered_bytes(const rugi_boxcount_plan *plan)
{
    return is_strided(&plan->volume)
               ? round_up(row_bytes(plan->volume.dtype, plan->tile_words * RUGI_BLOCK))
               : 0;
}

/* Bytes of memory that init_worker() hands out. */
static size_t worker_bytes(const rugi_boxcount_plan *plan)
{
    return slabs_bytes(plan) + gathered_bytes(plan);
}

/* The end of pixels that lie in memory without gaps, row after row; NULL if they do not. */
static const char *end_of_dense(const rug_image *v)
{
    size_t row = row_bytes(v->dtype, v->shape[2]), slice = v->shape[1] * row;
    int is_dense = !is_strided(v) && v->stride[1] == (ptrdiff_t)row &&
                   (v->shape[0] == 1 || v->stride[0] == (ptrdiff_t)slice);
    return is_dense ? (const char *)v->data + v->shape[0] * slice : NULL;
}

/* @param memory  worker_bytes(), aligned to RUGI_ALIGNMENT */
static void init_worker(worker *w, const rugi_pyramid_job *job,
                        const rugi_boxcount_kernels *kernels, const rugi_layout *layouts,
                        void *memory)
{
    memset(w, 0, sizeof *w);
    w->plan = job->plan;
    w->kernels = kernels;
    w->layouts = layouts;
    w->limit = end_of_dense(&job->plan->volume);
    w->blocks = job->blocks;
    w->slab_words = memory;
    if (gathered_bytes(job->plan) > 0)
        w->gathered = (char *)memory + slabs_bytes(job->plan);
}

/* ---- Tiles to threads ---- */

static void tile_task(void *workers, size_t task, int thread)
{
    count_tile((worker *)workers + thread, task);
}

static uint64_t sum_lanes(const uint64_t lanes[RUGI_TALLY_LANES])
{
    uint64_t sum = 0;
    for (int i = 0; i < RUGI_TALLY_LANES; i++)
        sum += lanes[i];
    return sum;
}

static void add_tallies(const rugi_boxcount_plan *plan, const worker *workers,
                        size_t n_workers, rugi_boxcount_levels *levels)
{
    for (uint32_t m = 0; m < plan->n_levels && m <= RUGI_BLOCK_LEVEL; m++)
        for (size_t t = 0; t < n_workers; t++) {
            levels->nonempty[m] += sum_lanes(workers[t].tally.nonempty[m]);
            levels->black[m] += sum_lanes(workers[t].tally.black[m]);
        }
    levels->black[0] = levels->nonempty[0];
}

rug_status rugi_boxcount_cpu(rug_context *ctx, void *job)
{
    const rugi_pyramid_job *j = job;
    const rugi_boxcount_plan *plan = j->plan;
    rugi_boxcount_kernels kernels;
    rugi_boxcount_set_kernels(&kernels, rug_context_cpu_level(ctx));
    rugi_layout layouts[MAX_LAYOUTS];
    size_t n_workers = (size_t)rugi_loop_threads(ctx, plan->n_tiles);
    size_t n_bytes = worker_bytes(plan);
    rug_status status = RUG_E_NOMEM;
    worker *workers =
        rug_context_allocate(ctx, n_workers, sizeof *workers, "box counting workers");
    char *memory = rug_context_allocate(ctx, n_workers, n_bytes, "packed rows");
    rugi_scattered *scattered = rug_context_allocate(
        ctx, n_scattered(plan), sizeof *scattered, "places of blocks");
    if (workers == NULL || memory == NULL || scattered == NULL)
        goto done;
    lay_out_lines(plan, layouts, scattered);
    for (size_t t = 0; t < n_workers; t++)
        init_worker(&workers[t], j, &kernels, layouts, memory + t * n_bytes);
    status = rugi_parallel_for(ctx, plan->n_tiles, tile_task, workers);
    if (status == RUG_OK) {
        add_tallies(plan, workers, n_workers, j->levels);
        j->levels->engine = kernels.name;
    }
done:
    rug_context_release(ctx, scattered);
    rug_context_release(ctx, memory);
    rug_context_release(ctx, workers);
    return status;
}
