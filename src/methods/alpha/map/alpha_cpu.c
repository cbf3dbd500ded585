/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A map of alpha on the processor, tile by tile: a tile is a band of rows, some columns
 * wide, that goes through the slices of a volume one by one.
 *
 * The largest, the least and the sum of a window are put together along x, then along y,
 * then along z (van Herk's and sliding sums would cost less for large windows, but a
 * sliding sum of floats depends on where it began): a row of the window k along x is the
 * one of k - 1 and the pixels k to the left and right; a window along y is its middle
 * row, then the rows 1 above and below, 2 above and below, … This order is that of sums
 * of floats. Of the slices that windows reach, what came out of x and y is kept in a
 * ring. How many pixels are like their centre cannot be put together: the ring has
 * pixels then. */

#include "alpha_kernels.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include "core/image/predicate.h"
#include <math.h>
#include <string.h>

/* ---- Outside of a mask ---- */

/* Pixels of the mask that are checked together. */
#define MASK_PIECE 1024

size_t rugi_alpha_drop_outside(float *alpha, const void *mask, rug_dtype dtype, size_t n)
{
    const rugi_predicate is_inside = rugi_predicate_of_mask(dtype);
    const char *pixels = mask;
    uint8_t inside[MASK_PIECE];
    size_t n_outside = 0;
    for (size_t x = 0; x < n; x += MASK_PIECE) {
        size_t m = n - x < MASK_PIECE ? n - x : MASK_PIECE;
        rugi_predicate_flags(&is_inside, dtype, inside,
                             pixels + x * rug_dtype_size(dtype), m);
        for (size_t i = 0; i < m; i++) {
            alpha[x + i] = inside[i] ? alpha[x + i] : (float)NAN;
            n_outside += !inside[i];
        }
    }
    return n_outside;
}

/* ---- Tiles ---- */

/* Columns of a tile at most. */
#define COLUMNS 512

/* What all threads share. */
typedef struct work {
    rugi_alpha_kernels kernels;
    const rugi_alpha_job *job;
    int reach, n_windows, n_parts, is_wide;
    size_t depth;  /* slices that the largest window reaches: 2 reach + 1 */
    size_t n_rows; /* of a band and of what windows reach above and below it, at most */
    size_t row;    /* doubles of a row with what windows reach to its left and right */
    size_t columns, band, run;         /* columns, rows and slices of a tile */
    size_t n_columns, n_bands, n_runs; /* tiles along each axis */
} work;

/* A tile at work. */
typedef struct tile {
    const work *work;
    const rugi_alpha_kernels *kernels;
    rug_alpha_measure measure;
    size_t x, y, z;     /* first pixel */
    size_t nx, ny, nz;  /* pixels */
    size_t top, n_rows; /* rows that windows reach */
    size_t left, right; /* columns that windows reach beyond the tile, of the image */
    double *ring;       /* [depth] slices */
    size_t slot;        /* doubles of a slice in it */
    double *rows;       /* [n_windows][parts][n_rows] of a slice, along x */
    double *pixels[RUGI_ALPHA_MAX_PARTS]; /* a row with what windows reach */
    double *mu[RUGI_ALPHA_MAX_PARTS];
    double *ln_centre, *ln_mu, *sum;
    void *scratch;
} tile;

/* Rows of a slice in the ring: windows of each part and row of the band, or rows of
 * pixels. */
static size_t slot_rows(const work *w)
{
    if (w->job->plan->measure == RUG_ALPHA_ISO)
        return w->n_rows;
    return (size_t)w->n_windows * (size_t)w->n_parts * w->band;
}

static size_t between_rows(const work *w)
{
    if (w->job->plan->measure == RUG_ALPHA_ISO || w->job->volume.shape[1] == 1)
        return 0;
    return (size_t)w->n_windows * (size_t)w->n_parts * w->n_rows;
}

/* Rows of pixels, measures, logarithms, sum and scratch. */
#define ROWS_OF_A_TILE (2 * RUGI_ALPHA_MAX_PARTS + 4)

/* Doubles of memory that a thread needs. */
static size_t tile_doubles(const work *w)
{
    return w->row * (w->depth * slot_rows(w) + between_rows(w) + ROWS_OF_A_TILE);
}

static void place_memory(tile *t, double *memory)
{
    const work *w = t->work;
    t->slot = w->row * slot_rows(w);
    t->ring = memory;
    memory += w->depth * t->slot;
    t->rows = memory;
    memory += w->row * between_rows(w);
    double **const row[] = {&t->pixels[0], &t->pixels[1], &t->mu[0], &t->mu[1],
                            &t->ln_mu,     &t->ln_centre, &t->sum};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++, memory += w->row)
        *row[i] = memory;
    t->scratch = memory;
}

static tile tile_at(const work *w, size_t index, double *memory)
{
    const size_t *shape = w->job->volume.shape, reach = (size_t)w->reach;
    tile t = {.work = w, .kernels = &w->kernels, .measure = w->job->plan->measure};
    t.x = index % w->n_columns * w->columns;
    t.y = index / w->n_columns % w->n_bands * w->band;
    t.z = w->job->first + index / w->n_columns / w->n_bands * w->run;
    t.nx = rugi_smaller(w->columns, shape[2] - t.x);
    t.ny = rugi_smaller(w->band, shape[1] - t.y);
    t.nz = rugi_smaller(w->run, w->job->first + w->job->n - t.z);
    t.top = t.y - rugi_smaller(t.y, reach);
    t.n_rows = rugi_smaller(t.y + t.ny + reach, shape[1]) - t.top;
    t.left = rugi_smaller(t.x, reach);
    t.right = rugi_smaller(shape[2] - t.x - t.nx, reach);
    place_memory(&t, memory);
    return t;
}

/* A row of the band in a slice of the ring, of window k. */
static double *ring_row(const tile *t, size_t z, int k, int part, size_t row)
{
    const work *w = t->work;
    size_t i = ((size_t)k * (size_t)w->n_parts + (size_t)part) * w->band + row;
    return t->ring + z % w->depth * t->slot + i * w->row;
}

/* A row of pixels in a slice of the ring; rows count from t->top, columns from t->x. */
static double *ring_pixels(const tile *t, size_t z, size_t row)
{
    return t->ring + z % t->work->depth * t->slot + row * t->work->row + t->work->reach;
}

static double *between_row(const tile *t, int k, int part, size_t row)
{
    const work *w = t->work;
    size_t i = ((size_t)k * (size_t)w->n_parts + (size_t)part) * w->n_rows + row;
    return t->rows + i * w->row;
}

/* The pixels of a row, from reach to the left of the tile on; outside of the image there
 * is what changes nothing. */
static void load_row(const tile *t, size_t z, size_t y, double *const to[2])
{
    static const double nothing[] = {-INFINITY, INFINITY, 0, 0};
    size_t n = t->left + t->nx + t->right, at[3] = {z, y, t->x - t->left};
    size_t reach = (size_t)t->work->reach, skip = reach - t->left;
    const rug_image *volume = &t->work->job->volume;
    const void *pixels = rugi_image_segment(volume, at, n, t->scratch);
    double *const first[2] = {to[0] + skip, to[1] + skip};
    t->kernels->load(first, pixels, rugi_segment_dtype(volume->dtype), n, t->measure,
                     t->work->is_wide);
    for (int p = 0; p < t->work->n_parts; p++) {
        for (size_t i = 0; i < skip; i++)
            to[p][i] = nothing[t->measure];
        for (size_t i = skip + n; i < t->nx + 2 * reach; i++)
            to[p][i] = nothing[t->measure];
    }
}

/* Windows along x of the pixels of a row. */
static void fold_x(const tile *t, size_t row, size_t z)
{
    int is_flat = t->work->job->volume.shape[1] == 1;
    for (int p = 0; p < t->work->n_parts; p++) {
        const double *middle = t->pixels[p] + t->work->reach, *before = NULL;
        for (int k = 0; k < t->work->n_windows; k++) {
            double *to = is_flat ? ring_row(t, z, k, p, 0) : between_row(t, k, p, row);
            if (k == 0)
                memcpy(to, middle, t->nx * sizeof *to);
            else
                t->kernels->fold[t->measure](to, before, middle - k, middle + k, t->nx);
            before = to;
        }
    }
}

/* Adds to a window the d-th rows before and behind its middle, those that are there. */
static void fold_pair(const tile *t, double *to, const double *from, const double *a,
                      const double *b)
{
    if (a != NULL && b != NULL) {
        t->kernels->fold[t->measure](to, from, a, b, t->nx);
        return;
    }
    if (to != from)
        memcpy(to, from, t->nx * sizeof *to);
    if (a != NULL || b != NULL)
        t->kernels->fold_one[t->measure](to, a != NULL ? a : b, t->nx);
}

/* Windows along y of a slice. */
static void fold_y(const tile *t, size_t z)
{
    for (int k = 0; k < t->work->n_windows; k++)
        for (int p = 0; p < t->work->n_parts; p++)
            for (size_t i = 0; i < t->ny; i++) {
                size_t at = t->y - t->top + i;
                double *to = ring_row(t, z, k, p, i);
                const double *from = between_row(t, k, p, at);
                if (k == 0)
                    memcpy(to, from, t->nx * sizeof *to);
                for (size_t d = 1; d <= (size_t)k; d++, from = to)
                    fold_pair(t, to, from, at >= d ? between_row(t, k, p, at - d) : NULL,
                              at + d < t->n_rows ? between_row(t, k, p, at + d) : NULL);
            }
}

static void load_slice(const tile *t, size_t z)
{
    for (size_t row = 0; row < t->n_rows; row++) {
        if (t->measure == RUG_ALPHA_ISO) {
            double *to = ring_pixels(t, z, row) - t->work->reach;
            load_row(t, z, t->top + row, (double *const[2]){to, to});
        } else {
            load_row(t, z, t->top + row, t->pixels);
            fold_x(t, row, z);
        }
    }
    if (t->measure != RUG_ALPHA_ISO && t->work->job->volume.shape[1] > 1)
        fold_y(t, z);
}

/* The measure of window k: along z. @return where it is */
static const double *fold_z(const tile *t, size_t z, size_t row, int k)
{
    for (int p = 0; p < t->work->n_parts; p++) {
        const double *from = ring_row(t, z, k, p, row);
        if (k == 0)
            memcpy(t->mu[p], from, t->nx * sizeof *from);
        for (size_t d = 1; d <= (size_t)k; d++, from = t->mu[p])
            fold_pair(t, t->mu[p], from, z >= d ? ring_row(t, z - d, k, p, row) : NULL,
                      z + d < t->work->job->volume.shape[0]
                          ? ring_row(t, z + d, k, p, row)
                          : NULL);
    }
    if (t->work->n_parts == 2)
        t->kernels->join(t->mu[0], t->mu[1], t->nx);
    return t->mu[0];
}

/* Counts the pixels of one row that lie dx beside their centres and are like them. */
static void count_like(const tile *t, const double *pixels, const double *centres, int dx)
{
    size_t step = (size_t)(dx < 0 ? -dx : dx), first = 0, end = t->nx;
    if (dx < 0 && t->left < step)
        first = rugi_smaller(step - t->left, t->nx);
    if (dx > 0 && t->right < step)
        end = step - t->right < t->nx ? t->nx - (step - t->right) : 0;
    if (first >= end)
        return;
    const rugi_alpha_plan *plan = t->work->job->plan;
    const double *from = pixels + (ptrdiff_t)first + dx;
    double *mu = t->mu[0] + first;
    if (t->work->is_wide)
        t->kernels->iso_wide(mu, (const void *)from, (const void *)(centres + first),
                             plan->whole_tolerance, end - first);
    else
        t->kernels->iso(mu, from, centres + first, plan->tolerance, end - first);
}

/* Adds to the count of window k - 1 the pixels that window k has more. */
static const double *count_ring(const tile *t, size_t z, size_t row, int k)
{
    size_t at = t->y - t->top + row;
    const double *centres = ring_pixels(t, z, at);
    for (size_t i = 0; k == 0 && i < t->nx; i++)
        t->mu[0][i] = 0;
    for (int dz = -k; dz <= k; dz++)
        for (int dy = -k; dy <= k; dy++) {
            size_t other = z + (size_t)(ptrdiff_t)dz, line = at + (size_t)(ptrdiff_t)dy;
            if (other >= t->work->job->volume.shape[0] || line >= t->n_rows)
                continue; /* also before the first */
            int is_face = dz == -k || dz == k || dy == -k || dy == k;
            int step = is_face || k == 0 ? 1 : 2 * k;
            for (int dx = -k; dx <= k; dx += step)
                count_like(t, ring_pixels(t, other, line), centres, dx);
        }
    return t->mu[0];
}

static void fill_row(const tile *t, size_t z, size_t row)
{
    const work *w = t->work;
    int has_logs = t->measure == RUG_ALPHA_MAX || t->measure == RUG_ALPHA_MIN;
    for (int k = 0; k < w->n_windows; k++) {
        const double *mu =
            t->measure == RUG_ALPHA_ISO ? count_ring(t, z, row, k) : fold_z(t, z, row, k);
        double *ln = k == 0 ? t->ln_centre : t->ln_mu;
        if (has_logs)
            memcpy(ln, mu, t->nx * sizeof *ln);
        else
            t->kernels->log(ln, mu, t->nx);
        for (size_t i = 0; k == 0 && i < t->nx; i++)
            t->sum[i] = 0;
        if (k > 0)
            t->kernels->add(t->sum, ln, t->ln_centre, w->job->plan->weight[k], t->nx);
    }
    const size_t *shape = w->job->volume.shape;
    const size_t at[3] = {z - w->job->first, t->y + row, t->x};
    float *out = w->job->out + (at[0] * shape[1] + at[1]) * shape[2] + t->x;
    t->kernels->finish(out, t->sum, t->nx);
    if (w->job->mask.data != NULL)
        rugi_alpha_drop_outside(out,
                                rugi_image_segment(&w->job->mask, at, t->nx, t->scratch),
                                rugi_segment_dtype(w->job->mask.dtype), t->nx);
}

/* Fills a tile of the map.
 *  @param memory  tile_doubles(), aligned, of this thread alone */
static void fill_tile(const work *w, size_t index, double *memory)
{
    tile t = tile_at(w, index, memory);
    size_t reach = (size_t)w->reach, n = w->job->volume.shape[0];
    size_t loaded = t.z - rugi_smaller(t.z, reach);
    for (size_t z = t.z; z < t.z + t.nz; z++) {
        for (; loaded < n && loaded <= z + reach; loaded++)
            load_slice(&t, loaded);
        for (size_t row = 0; row < t.ny; row++)
            fill_row(&t, z, row);
    }
}

/* ---- Tiles to threads ---- */

/* Columns and rows of a tile of a volume, so that all that its windows reach stays in the
 * second-level cache. */
#define COLUMNS_3D 128
#define BAND_3D    16

/* Slices of a tile, per slice that windows reach, at least: those are read once more. */
#define RUN_PER_REACH 16

/* Sums or comparisons of a tile at most, but for what RUN_PER_REACH asks: a call that is cancelled
 * waits for its tiles. */
#define TILE_STEPS 0x1p27

/* Tasks per thread from which on threads end at about the same time. */
#define TASKS_PER_THREAD 4

/* Slices of a tile at most. */
static size_t longest_run(const work *w)
{
    double windows = w->n_windows, side = 2 * windows - 1, steps = windows * windows;
    size_t least = (size_t)w->reach * RUN_PER_REACH;
    if (w->job->plan->measure == RUG_ALPHA_ISO) { /* reads hardly cost anything */
        steps = side * side * (w->job->volume.shape[1] == 1 ? 1 : side);
        least = 1;
    }
    double most = TILE_STEPS / (steps * (double)w->columns * (double)w->band);
    return most > (double)least ? (size_t)most : least;
}

static void choose_tiles(rug_context *ctx, work *w)
{
    const size_t *shape = w->job->volume.shape;
    int is_flat = shape[1] == 1;
    w->columns = rugi_smaller(shape[2], is_flat ? COLUMNS : COLUMNS_3D);
    w->band = rugi_smaller(shape[1], BAND_3D);
    w->n_columns = (shape[2] - 1) / w->columns + 1;
    w->n_bands = (shape[1] - 1) / w->band + 1;
    size_t wanted = TASKS_PER_THREAD * (size_t)rug_context_threads(ctx);
    size_t runs = (wanted - 1) / (w->n_columns * w->n_bands) + 1;
    w->run = rugi_larger((w->job->n - 1) / runs + 1, (size_t)w->reach * RUN_PER_REACH);
    w->run = rugi_smaller(w->run, longest_run(w));
    w->n_runs = (w->job->n - 1) / w->run + 1;
}

static void prepare(rug_context *ctx, work *w, const rugi_alpha_job *job)
{
    memset(w, 0, sizeof *w);
    rugi_alpha_set_kernels(&w->kernels, rug_context_cpu_level(ctx));
    w->job = job;
    w->reach = job->plan->reach;
    w->n_windows = job->plan->n_windows;
    w->is_wide = rugi_alpha_is_wide(job->plan, job->volume.dtype);
    w->n_parts = w->is_wide && job->plan->measure == RUG_ALPHA_SUM ? 2 : 1;
    choose_tiles(ctx, w);
    size_t reach = (size_t)w->reach;
    w->depth = 2 * reach + 1;
    w->n_rows = rugi_smaller(w->band + 2 * reach, job->volume.shape[1]);
    w->row = (w->columns + 2 * reach + 7) / 8 * 8;
}

typedef struct loop {
    const work *work;
    double *memory;
    size_t n_doubles; /* of a thread */
} loop;

static void tile_task(void *shared, size_t task, int thread)
{
    const loop *l = shared;
    fill_tile(l->work, task, l->memory + (size_t)thread * l->n_doubles);
}

static rug_status run(rug_context *ctx, rugi_alpha_job *j)
{
    work w;
    prepare(ctx, &w, j);
    size_t n_tasks = w.n_columns * w.n_bands * w.n_runs;
    loop l = {&w, NULL, tile_doubles(&w)};
    l.memory = rug_context_allocate(ctx, (size_t)rugi_loop_threads(ctx, n_tasks),
                                    l.n_doubles * sizeof(double), "rows of alpha");
    if (l.memory == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_parallel_for(ctx, n_tasks, tile_task, &l);
    rug_context_release(ctx, l.memory);
    j->engine = w.kernels.name;
    return status;
}

/* Nanoseconds of work for each pixel and window. */
#define PIXEL_WORK 1.0

rug_status rugi_alpha_cpu(rug_context *ctx, void *job)
{
    rugi_alpha_job *j = job;
    const size_t *shape = j->volume.shape;
    double pixels = (double)j->n * (double)shape[1] * (double)shape[2];
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, PIXEL_WORK * pixels * (double)j->plan->n_windows, status, run(ctx, j));
    return status;
}
