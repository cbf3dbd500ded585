/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The boxes of all positions of the grid at once. Every window of the box's size that
 * meets the image is a box of just one position: of that whose boxes end where the window
 * does. So windows slide over slices, rows and pixels; those that end `window` rows apart
 * are of the same position along y, and are added up column by column in counters of
 * sliced bits; columns `window` pixels apart belong to the same position along x.
 *
 * A task has a run of positions along the slowest axis that counts, and all of the
 * others. Of what it finds only the least, the most and sums are kept, so memory never
 * grows with the number of positions. Where these are few, and so are tasks, tasks have a
 * part of the image too, and add to a table of all positions.
 *
 * Windows that lie close together share a core, and differ by the end of a run before it
 * and the beginning of a run behind it (van Herk 1992; Gil and Werman 1993). Cores of
 * many lines are made of blocks of lines, joined once before. */

#include "boxcount_window_plan.h"
#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include <stdatomic.h>
#include <string.h>

/* ---- Windows that slide over lines ---- */

#define BLOCK_LINES  8 /* joined once for all windows */
#define LINES_A_LOOK 16
#define PART_WORDS   512 /* of lines that are joined in the first cache */

/* Lines one behind another: the rows of a slice, or the slices of a volume. Those before
 *  the first and behind the last are empty. */
typedef struct line_stack {
    const uint64_t *words;
    size_t n, stride; /* lines; words from line to line */
    size_t n_words;   /* of a line */
    /* Joins of the lines from every BLOCK_LINES-th on, as many, `stride` words from
     *  one to the next; NULL: none. */
    const uint64_t *blocks[RUGI_N_JOINS];
} line_stack;

/* At most n words of each line, from word `at` on. */
static line_stack part_of_lines(const line_stack *lines, size_t at, size_t n)
{
    line_stack part = *lines;
    part.words += at;
    part.n_words = rugi_smaller(lines->n_words - at, n);
    for (int join = 0; join < RUGI_N_JOINS; join++)
        if (part.blocks[join] != NULL)
            part.blocks[join] += at;
    return part;
}

/* The most lines from `first` on that can be joined at once. */
typedef struct piece {
    const uint64_t *from;
    size_t n, n_lines; /* of those to join, of the image */
} piece;

static piece piece_at(const line_stack *lines, int join, size_t first, size_t end)
{
    const uint64_t *blocks = lines->blocks[join];
    size_t left = end - first, in_block = first % BLOCK_LINES;
    if (blocks != NULL && in_block == 0 && left >= BLOCK_LINES) {
        size_t n = left / BLOCK_LINES;
        const uint64_t *from = blocks + first / BLOCK_LINES * lines->stride;
        return (piece){from, n, n * BLOCK_LINES};
    }
    if (blocks != NULL && in_block > 0 && left > BLOCK_LINES - in_block)
        left = BLOCK_LINES - in_block;
    else if (join == RUGI_ALL && left > LINES_A_LOOK)
        left = LINES_A_LOOK;
    return (piece){lines->words + first * lines->stride, left, left};
}

/* Joins lines, of which there is one at least. Returns whether there is still something
 * to lose: "all" is mostly nothing after a few. */
static int join_range(const rugi_window_kernels *kernels, int join, uint64_t *dst,
                      uint64_t *scratch, const line_stack *lines, size_t first,
                      size_t end)
{
    for (size_t at = first; at < end;) {
        piece p = piece_at(lines, join, at, end);
        kernels->join_lines[join](at == first ? dst : scratch, p.from, p.n, lines->stride,
                                  lines->n_words);
        if (at > first)
            kernels->join_pair[join](dst, dst, scratch, lines->n_words);
        if (join == RUGI_ALL && kernels->is_zero(dst, lines->n_words))
            return 0;
        at += p.n_lines;
    }
    return 1;
}

/* Windows of `window` lines each, the first of which ends at line `last`. */
typedef struct slide {
    size_t last, window;
    size_t n;      /* windows, at most `window` */
    size_t stride; /* words from one to the next in dst */
} slide;

/* The lines that all windows have: from the first of the last window to the last of the
 * first window. Returns 0 when no window can have a bit. */
static int join_core(const rugi_window_kernels *kernels, int join, uint64_t *dst,
                     uint64_t *scratch, const line_stack *lines, slide s)
{
    size_t before = s.window - s.n, end = rugi_smaller(s.last + 1, lines->n);
    size_t first = s.last > before ? s.last - before : 0;
    if (join == RUGI_ALL && (s.last < before || s.last >= lines->n))
        return 0;
    if (first < end)
        return join_range(kernels, join, dst, scratch, lines, first, end);
    memset(dst, 0, lines->n_words * sizeof *dst);
    return 1;
}

/* Joins the lines of every window.
 *  @param join    RUGI_ANY or RUGI_ALL
 *  @param dst     s.n lines
 *  @param core    a line, to work with
 *  @return 0 when no window has a bit; dst is not set then */
static int slide_lines(const rugi_window_kernels *kernels, int join, uint64_t *dst,
                       uint64_t *core, const line_stack *lines, slide s)
{
    if (!join_core(kernels, join, core, dst, lines, s))
        return 0;
    rugi_sliding sliding = {.core = core,
                            .lines = lines->words,
                            .stride = lines->stride,
                            .n_lines = lines->n,
                            .older = s.last - s.window,
                            .newer = s.last,
                            .n = s.n,
                            .n_words = lines->n_words};
    kernels->slide[join](dst, s.stride, &sliding);
    return 1;
}

typedef struct line_blocks {
    const rugi_window_kernels *kernels;
    const line_stack *lines;
    uint64_t *out;
    size_t n;
} line_blocks;

static void join_block(void *shared, size_t task, int thread)
{
    (void)thread;
    const line_blocks *b = shared;
    size_t first = task * BLOCK_LINES, left = b->lines->n - first;
    size_t stride = b->lines->stride;
    for (size_t at = 0; at < b->lines->n_words; at += PART_WORDS) {
        line_stack part = part_of_lines(b->lines, at, PART_WORDS);
        rugi_box_rows rows = {part.words + first * stride, 1,
                              rugi_smaller(left, BLOCK_LINES), 0, stride};
        uint64_t *any = b->out + task * stride + at;
        b->kernels->join_box(any, any + b->n * stride, rows, part.n_words);
    }
}

/* Sets what the blocks of lines point to. Of a last block that is cut off, the lines that
 * there are.
 *  @param out  [ceil(lines->n / BLOCK_LINES)][stride] any, then as much all
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
static rug_status join_blocks(rug_context *ctx, uint64_t *out,
                              const rugi_window_kernels *kernels, const line_stack *lines)
{
    line_blocks b = {kernels, lines, out, (lines->n - 1) / BLOCK_LINES + 1};
    return rugi_parallel_for(ctx, b.n, join_block, &b);
}

/* ---- All positions of the grid ---- */

#define CHUNK_WORDS     512   /* of a stream, that go through all steps in the cache */
#define SLICE_GAP       8     /* words, or slices would compete for cache lines */
#define TABLE_POSITIONS 65536 /* at most in a table */

/* Positions of a task along z or y, or this share of all, if larger. Up to MAX_TWO_RUNS
 * positions along y, one or two threads take half of them: that needs more cache, but
 * reads less. */
#define RUN_Z        8
#define RUN_Y        64
#define RUN_SHARE    32
#define MAX_TWO_RUNS 256

#define MIN_PERIODS    16  /* of a task with a part of the image */
#define MIN_CORE_READS 3   /* of the image, that are worth joining blocks of lines */
#define BLOCKS_SHARE   0.1 /* of the time */

/* How the work is cut. Axis `slow` is the slowest that counts: 0, or 1 in 2D. */
typedef struct all_grids {
    const rugi_window_plan *plan;
    int slow;
    size_t run;      /* positions of a task along the slow axis */
    size_t n_runs;   /* tasks by position */
    size_t n_parts;  /* tasks by part of the image; above 1 there is a table */
    size_t run_y;    /* positions along y that are counted together */
    size_t n_stream; /* words of windows of run_y rows */
    size_t n_chunk;  /* words */
    size_t n_slices; /* words from slice to slice of windows: 0 in 2D */
    rugi_fold fold;
    line_stack lines;        /* along the slow axis */
    _Atomic uint64_t *table; /* [z][y][x], nonempty boxes by position; NULL: none */
    struct worker *workers;  /* per thread */
} all_grids;

/* What one thread works with. */
typedef struct worker {
    RUGI_OWN_LINES const all_grids *g;
    uint64_t *slices[RUGI_N_JOINS]; /* [run] windows along z */
    uint64_t *rows[RUGI_N_JOINS];   /* streams of windows along y */
    uint64_t *core, *chunk, *scratch;
    uint64_t *planes; /* [run along z] counters */
    rugi_folding folding;
    rugi_window_sums found;
} worker;

/* How many windows along an axis, one of them at `first`, end within reach. */
static size_t n_periods(const rugi_window_plan *p, int axis, size_t first)
{
    size_t w = p->window[axis], n_ends = p->pixels->shape[axis] + w - 1;
    return first < n_ends ? (n_ends - 1 - first) / w + 1 : 0;
}

/* Memory that is handed out piece by piece; without `words`, only measured. */
typedef struct arena {
    uint64_t *words;
    size_t used;
    size_t n_clear; /* of the words, that have to be 0 */
} arena;

/* n_words behind a margin. */
static uint64_t *take(arena *a, size_t margin, size_t n_words)
{
    size_t at = a->used + margin;
    a->used = at + rugi_round_words(n_words);
    return a->words != NULL ? a->words + at : NULL;
}

/* Hands out the memory of a worker. The products cannot overflow: all are a few times
 * what the packed pixels occupy. */
static void hand_out(worker *w, const all_grids *g, arena *a)
{
    const rugi_window_plan *p = g->plan;
    size_t margin = p->reach + RUGI_STREAM_VECTOR, n_z = g->slow == 0 ? g->run : 1;
    size_t n_core = rugi_larger(p->n_words, CHUNK_WORDS);
    w->g = g;
    for (int join = 0; join < RUGI_N_JOINS; join++) {
        w->slices[join] = take(a, 0, g->n_slices * g->run);
        w->rows[join] = take(a, margin, g->n_stream);
    }
    w->core = take(a, 0, n_core);
    w->chunk = take(a, 0, g->n_chunk);
    w->scratch = take(a, 0, g->n_chunk + 2 * p->reach);
    uint64_t *folding = take(a, 0, rugi_folding_words(&g->fold));
    if (folding != NULL)
        w->folding = rugi_folding_make(&g->fold, folding);
    a->n_clear = a->used;
    size_t n_planes = n_z * 2 * (size_t)g->fold.n_planes[0];
    w->planes = take(a, 0, n_planes * g->n_stream + RUGI_STREAM_VECTOR); /* read behind */
}

static rugi_counter counter_of(const worker *w, size_t z, size_t n_added)
{
    const all_grids *g = w->g;
    size_t n = (size_t)g->fold.n_planes[0] * g->n_stream;
    uint64_t *sums = w->planes + z * 2 * n;
    return (rugi_counter){sums, sums + n, g->n_stream, g->fold.n_planes[0], n_added};
}

/* Windows along x of the rows in n_words of the streams: those with a set pixel to the
 * counter, those with nothing else to the sum. */
static void add_rows(worker *w, const rugi_counter *c, size_t n_words, int has_all)
{
    const all_grids *g = w->g;
    const rugi_window_plan *p = g->plan;
    size_t window = p->window[2];
    for (size_t at = 0; at < n_words; at += g->n_chunk) {
        size_t n = rugi_smaller(n_words - at, g->n_chunk);
        const uint64_t *all = w->rows[RUGI_ALL] + at;
        int is_held = c->n_added % 2 == 0; /* then adding would only copy */
        uint64_t *bits = is_held ? c->held + at : w->chunk;
        p->kernels.windows[RUGI_ANY](bits, w->scratch, w->rows[RUGI_ANY] + at, n, window);
        if (!is_held)
            p->kernels.add(c, at, bits, n);
        if (!has_all || p->kernels.is_zero(all, n))
            continue;
        p->kernels.windows[RUGI_ALL](w->chunk, w->scratch, all, n, window);
        w->found.black += p->kernels.count(w->chunk, w->chunk, n);
    }
}

/* Slides over the rows of one slice: windows that end at `first`, a window behind it, and
 * so on, and at the n - 1 rows behind each of these.
 *  @param slice   any and all; the second NULL: none of it counts
 *  @param period  the first, and the one behind the last */
static void add_slice(worker *w, rugi_counter *c, const uint64_t *const slice[2],
                      size_t first, size_t n, const size_t period[2])
{
    const rugi_window_plan *p = w->g->plan;
    line_stack lines = w->g->lines;
    if (w->g->slow == 0)
        lines = (line_stack){.n = p->pixels->shape[1],
                             .stride = p->pixels->row_words,
                             .n_words = p->n_words};
    size_t n_used = n * p->pitch, n_words = rugi_round_words(n_used);
    for (int join = 0; join < RUGI_N_JOINS;
         join++) /* an earlier task may have had more */
        memset(w->rows[join] + n_used, 0, (n_words - n_used) * sizeof *w->rows[join]);
    for (size_t k = period[0]; k < period[1]; k++, c->n_added++) {
        slide s = {first + k * p->window[1], p->window[1], n, p->pitch};
        int has[RUGI_N_JOINS] = {0};
        for (int join = 0; join < RUGI_N_JOINS; join++) {
            lines.words = slice[join];
            if (slice[join] != NULL)
                has[join] =
                    slide_lines(&p->kernels, join, w->rows[join], w->core, &lines, s);
        }
        add_rows(w, c, n_words, has[RUGI_ALL]);
    }
}

/* Notes what the counters of place z hold: windows that end at rows first … of every
 * window. Positions rise, so that one that only equals an earlier one changes nothing. */
static void flush(worker *w, const rugi_counter *c, size_t z, size_t first, size_t n)
{
    const all_grids *g = w->g;
    const rugi_window_plan *p = g->plan;
    size_t wx = p->window[2], wy = p->window[1];
    for (size_t k = n; k-- > 0;) {
        size_t y = wy - 1 - (first + k);
        if (g->table == NULL) {
            rugi_folding_note(&w->folding, &p->kernels, c, k * p->pitch, &w->found, z, y);
            continue;
        }
        rugi_folding_count(&w->folding, &p->kernels, c, k * p->pitch);
        _Atomic uint64_t *row = g->table + (z * wy + y) * wx;
        for (size_t e = 0; e < wx; e++)
            atomic_fetch_add_explicit(&row[e], w->folding.counts[e],
                                      memory_order_relaxed);
    }
}

/* A task of an image: positions along y. */
static void count_image(worker *w, size_t first, size_t n, const size_t period[2])
{
    const uint64_t *pixels = w->g->plan->pixels->words;
    const uint64_t *slice[2] = {pixels, w->g->plan->can_be_black ? pixels : NULL};
    rugi_counter c = counter_of(w, 0, 0);
    add_slice(w, &c, slice, first, n, period);
    flush(w, &c, 0, first, n);
}

/* One window along z for each of n positions. Returns whether any is "all". */
static int slide_slices(worker *w, size_t last, size_t n)
{
    const all_grids *g = w->g;
    const rugi_window_plan *p = g->plan;
    slide s = {last, p->window[0], n, g->n_slices};
    int has_all = 0;
    for (size_t at = 0; at < p->slice_words; at += CHUNK_WORDS) {
        line_stack lines = part_of_lines(&g->lines, at, CHUNK_WORDS);
        uint64_t *all = w->slices[RUGI_ALL] + at;
        slide_lines(&p->kernels, RUGI_ANY, w->slices[RUGI_ANY] + at, w->core, &lines, s);
        if (!p->can_be_black)
            continue;
        if (slide_lines(&p->kernels, RUGI_ALL, all, w->core, &lines, s))
            has_all = 1;
        else
            for (size_t k = 0; k < n; k++)
                memset(all + k * g->n_slices, 0, lines.n_words * sizeof *all);
    }
    return has_all;
}

/* A task of a volume: positions along z. */
static void count_volume(worker *w, size_t first, size_t n, const size_t period[2])
{
    const all_grids *g = w->g;
    const rugi_window_plan *p = g->plan;
    size_t wy = p->window[1], of_rows[2] = {0, n_periods(p, 1, 0)};
    for (size_t k = period[0]; k < period[1]; k++) {
        int some_all = slide_slices(w, first + k * p->window[0], n);
        for (size_t i = 0; i < n; i++) {
            const uint64_t *any = w->slices[RUGI_ANY] + i * g->n_slices;
            const uint64_t *all = w->slices[RUGI_ALL] + i * g->n_slices;
            int has_all = some_all && !p->kernels.is_zero(all, p->slice_words);
            rugi_counter c = counter_of(w, i, (k - period[0]) * of_rows[1]);
            add_slice(w, &c, (const uint64_t *[2]){any, has_all ? all : NULL}, 0, wy,
                      of_rows);
        }
    }
    for (size_t i = n; i-- > 0;) {
        rugi_counter c = counter_of(w, i, (period[1] - period[0]) * of_rows[1]);
        flush(w, &c, p->window[0] - 1 - (first + i), 0, wy);
    }
}

static void all_grids_task(void *shared, size_t task, int thread)
{
    const all_grids *g = shared;
    worker *w = &g->workers[thread];
    size_t window = g->plan->window[g->slow];
    size_t first = (g->n_runs - 1 - task / g->n_parts) * g->run;
    size_t n = rugi_smaller(window - first, g->run);
    size_t n_all = n_periods(g->plan, g->slow, first), part = task % g->n_parts;
    size_t period[2] = {n_all * part / g->n_parts, n_all * (part + 1) / g->n_parts};
    if (g->slow == 0)
        count_volume(w, first, n, period);
    else
        count_image(w, first, n, period);
}

/* Tasks: by position, and by part of the image where there would be too few. */
static void cut(all_grids *g, int n_threads)
{
    const rugi_window_plan *p = g->plan;
    g->slow = p->pixels->box_axes == 3 ? 0 : 1;
    size_t window = p->window[g->slow], least = g->slow == 0 ? RUN_Z : RUN_Y;
    size_t most = rugi_larger(window / RUN_SHARE, least);
    if (g->slow == 1 && n_threads <= 2 && window <= MAX_TWO_RUNS && most < window / 2 + 1)
        most = window / 2 + 1;
    g->n_runs = (window - 1) / most + 1;
    g->run = (window - 1) / g->n_runs + 1;
    g->n_runs = (window - 1) / g->run + 1;
    g->n_parts = 1;
    size_t n_tasks = 4 * (size_t)n_threads,
           n_most = n_periods(p, g->slow, 0) / MIN_PERIODS;
    size_t n_positions = p->window[0] * p->window[1];
    if (n_threads == 1 || g->n_runs >= n_tasks || n_positions > TABLE_POSITIONS ||
        n_positions * p->window[2] > TABLE_POSITIONS)
        return;
    size_t n_wanted = n_tasks / g->n_runs + 1;
    if (n_most > 1)
        g->n_parts = rugi_smaller(n_wanted, n_most);
}

static void lay_out(all_grids *g)
{
    const rugi_window_plan *p = g->plan;
    g->run_y = g->slow == 0 ? p->window[1] : g->run;
    g->n_stream = rugi_round_words(g->run_y * p->pitch);
    g->n_chunk = rugi_smaller(rugi_larger(4 * p->reach, CHUNK_WORDS), g->n_stream);
    g->n_slices = g->slow == 0 ? p->slice_words + SLICE_GAP : 0;
    g->fold =
        rugi_fold_make(p->pitch, p->window[2], n_periods(p, 0, 0) * n_periods(p, 1, 0));
    size_t n_words = g->slow == 0 ? p->slice_words : p->n_words;
    size_t stride = g->slow == 0 ? p->slice_words : p->pixels->row_words;
    g->lines = (line_stack){.words = p->pixels->words,
                            .n = p->pixels->shape[g->slow],
                            .stride = stride,
                            .n_words = n_words};
}

static void note_table(const all_grids *g, rugi_window_sums *sums, uint64_t *fold)
{
    const size_t *w = g->plan->window;
    for (size_t z = 0; z < w[0]; z++)
        for (size_t y = 0; y < w[1]; y++) {
            for (size_t e = 0; e < w[2]; e++)
                fold[e] = g->table[(z * w[1] + y) * w[2] + e];
            rugi_window_sums_note(sums, fold, w[2], z, y);
        }
}

static rug_status run_tasks(rug_context *ctx, all_grids *g, rugi_window_sums *out,
                            size_t n_threads)
{
    rug_status status = rugi_parallel_for(ctx, g->n_runs * g->n_parts, all_grids_task, g);
    rugi_window_sums_start(out);
    for (size_t t = 0; t < n_threads; t++)
        rugi_window_sums_merge(out, &g->workers[t].found);
    if (g->table != NULL)
        note_table(g, out, g->workers[0].folding.counts);
    return status;
}

/* Blocks are joined where the cores of all runs together are several images. */
static size_t n_block_words(const all_grids *g)
{
    size_t core = g->plan->window[g->slow] - g->run;
    if (g->n_runs < MIN_CORE_READS || core < 2 * BLOCK_LINES)
        return 0;
    return ((g->lines.n - 1) / BLOCK_LINES + 1) * g->lines.stride;
}

/* Joins blocks into [2][n_blocks] words, and counts. */
static rug_status run_all(rug_context *ctx, all_grids *g, rugi_window_sums *out,
                          size_t n_threads, uint64_t *blocks, size_t n_blocks)
{
    rug_status status = RUG_OK;
    double share = n_blocks > 0 ? BLOCKS_SHARE : 0;
    if (n_blocks > 0) {
        RUGI_PHASE(ctx, 0, share, status,
                   join_blocks(ctx, blocks, &g->plan->kernels, &g->lines));
        g->lines.blocks[RUGI_ANY] = blocks;
        g->lines.blocks[RUGI_ALL] = blocks + n_blocks;
    }
    RUGI_PHASE(ctx, share, 1, status, run_tasks(ctx, g, out, n_threads));
    return status;
}

rug_status rugi_window_all(rug_context *ctx, rugi_window_sums *out,
                           const rugi_window_plan *plan)
{
    all_grids g = {.plan = plan};
    cut(&g, rug_context_threads(ctx));
    lay_out(&g);
    worker measured;
    arena measure = {NULL, 0, 0};
    hand_out(&measured, &g, &measure);
    size_t per_thread = measure.used;
    size_t n_threads = (size_t)rugi_loop_threads(ctx, g.n_runs * g.n_parts);
    size_t n_blocks = n_block_words(&g);
    size_t n_table =
        g.n_parts > 1 ? plan->window[0] * plan->window[1] * plan->window[2] : 1;
    rug_status status = RUG_E_NOMEM;
    uint64_t *memory = rug_context_allocate(ctx, n_threads, per_thread * sizeof *memory,
                                            "windows of all grid positions");
    uint64_t *blocks = rug_context_allocate(ctx, n_blocks > 0 ? 2 * n_blocks : 1,
                                            sizeof *blocks, "joined slices");
    g.workers =
        rug_context_allocate(ctx, n_threads, sizeof *g.workers, "box counting workers");
    _Atomic uint64_t *table =
        rug_context_allocate(ctx, n_table, sizeof *table, "boxes by grid position");
    if (memory == NULL || blocks == NULL || g.workers == NULL || table == NULL)
        goto done;
    for (size_t i = 0; i < n_table; i++)
        atomic_init(&table[i], 0);
    g.table = g.n_parts > 1 ? table : NULL;
    for (size_t t = 0; t < n_threads; t++) {
        arena mine = {memory + t * per_thread, 0, 0};
        memset(mine.words, 0, measure.n_clear * sizeof *mine.words);
        hand_out(&g.workers[t], &g, &mine);
        rugi_window_sums_start(&g.workers[t].found);
    }
    status = run_all(ctx, &g, out, n_threads, blocks, n_blocks);
done:
    rug_context_release(ctx, table);
    rug_context_release(ctx, g.workers);
    rug_context_release(ctx, blocks);
    rug_context_release(ctx, memory);
    return status;
}
