/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The filters of a plane: what their design needs is measured root by root, and then which
 * roots gain by them. Where many do not, filters are designed for the others again. */

#include "ifs_filter_find.h"
#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include "ifs_filter_design.h"

#define BLOCK   RUGI_IFS_BLOCK
#define CLASSES RUGI_IFS_FILTER_CLASSES
#define VALUES  (RUGI_IFS_FILTER_TAPS + 1)

/* Rows of roots are measured in at most so many bands, whatever the threads are: each has
 * sums of its own. */
#define BANDS 64

/* Limit² of lambda: a third of the quantiser's step, whose square is 10 lambda. */
#define LIMIT2 0.9

/* Filters are designed again when so many of the roots are not filtered. */
#define SHARE_OFF 16

static const char what[] = "filters of a plane";

typedef struct finder {
    rug_context *ctx;
    rugi_ifs_filter_kernels kernels;
    const rugi_ifs_unfiltered *decoded;
    const int16_t *original;
    uint32_t used_x, used_y;
    size_t n_x, n_y; /* roots */
    double lambda;
    int32_t limit;
    uint8_t *on;
    size_t n_bands, rows_of_band;
    rugi_ifs_filter_moments (*bands)[CLASSES]; /* [n_bands] */
    rugi_ifs_filter_sums *sums;                /* [threads][kinds] */
    rugi_ifs_filter_table table;
    int64_t *changes; /* of roots: of the squared error by the filters */
} finder;

/* A root that is looked at. */
typedef struct view {
    uint32_t x, y, used_x, used_y; /* of its pixels, those that count */
    uint8_t kinds[RUGI_IFS_FILTER_SQUARES];
    rugi_ifs_filter_window window;
} view;

static uint32_t within(uint32_t at, uint32_t used)
{
    return used - at < BLOCK ? used - at : BLOCK;
}

static void look(const finder *f, view *v, size_t row, size_t column)
{
    v->x = (uint32_t)column * BLOCK;
    v->y = (uint32_t)row * BLOCK;
    v->used_x = within(v->x, f->used_x);
    v->used_y = within(v->y, f->used_y);
    rugi_ifs_filter_window_of(v->window, f->decoded, v->x, v->y);
    f->kernels.classify(v->kinds, v->window, f->limit);
}

static const int16_t *original_row(const finder *f, const view *v, uint32_t y)
{
    return f->original + (size_t)(v->y + y) * f->decoded->pitch + v->x;
}

static int32_t decoded_pixel(const view *v, uint32_t y, uint32_t x)
{
    return v->window[y + RUGI_IFS_FILTER_EDGE][x + RUGI_IFS_FILTER_EDGE];
}

/* ---- What a design needs ---- */

static void measure_root(const finder *f, rugi_ifs_filter_sums *sums, size_t row,
                         size_t column)
{
    view v;
    rugi_ifs_filter_root error = {{0}};
    look(f, &v, row, column);
    for (uint32_t y = 0; y < v.used_y; y++) {
        const int16_t *original = original_row(f, &v, y);
        for (uint32_t x = 0; x < v.used_x; x++)
            error[y][x] = original[x] - decoded_pixel(&v, y, x);
    }
    f->kernels.measure(sums, v.window, error, v.kinds, f->limit, v.used_x, v.used_y);
}

/* The sums of a kind become those of its class, each tap in the place of the one that it
 * stands in for. */
static void add_kind(double *moments, rugi_ifs_filter_sums sums, unsigned orientation)
{
    unsigned taps[VALUES] = {0};
    for (unsigned t = 0; t < RUGI_IFS_FILTER_TAPS; t++)
        taps[t] = rugi_ifs_filter_tap(t, orientation);
    taps[RUGI_IFS_FILTER_TAPS] = RUGI_IFS_FILTER_TAPS;
    for (unsigned k = 0; k < VALUES; k++)
        for (unsigned l = 0; l <= k; l++) {
            unsigned a = taps[k], b = taps[l];
            *moments++ += a > b ? sums[a][b] : sums[b][a];
        }
}

static void measure_band(void *shared, size_t band, int thread)
{
    finder *f = shared;
    rugi_ifs_filter_sums *sums = f->sums + (size_t)thread * RUGI_IFS_FILTER_KINDS;
    size_t end = (band + 1) * f->rows_of_band;
    memset(sums, 0, RUGI_IFS_FILTER_KINDS * sizeof *sums);
    memset(f->bands[band], 0, sizeof f->bands[band]);
    for (size_t row = band * f->rows_of_band; row < f->n_y && row < end; row++)
        for (size_t column = 0; column < f->n_x; column++)
            if (f->on[row * f->n_x + column])
                measure_root(f, sums, row, column);
    for (unsigned kind = 0; kind < RUGI_IFS_FILTER_KINDS; kind++)
        add_kind(f->bands[band][kind / RUGI_IFS_FILTER_ORIENTATIONS], sums[kind],
                 kind % RUGI_IFS_FILTER_ORIENTATIONS);
}

/* Measures all bands; the first becomes the sum of them. */
static rug_status measure(finder *f)
{
    rug_status status = rugi_parallel_for(f->ctx, f->n_bands, measure_band, f);
    if (status != RUG_OK)
        return status;
    double *out = f->bands[0][0];
    for (size_t band = 1; band < f->n_bands; band++) {
        const double *more = f->bands[band][0];
        for (size_t i = 0; i < sizeof f->bands[0] / sizeof *out; i++)
            out[i] += more[i];
    }
    return RUG_OK;
}

/* ---- Which roots ---- */

static int64_t change_of(const finder *f, const view *v, rugi_ifs_filter_root filtered)
{
    int64_t change = 0;
    for (uint32_t y = 0; y < v->used_y; y++) {
        const int16_t *original = original_row(f, v, y);
        for (uint32_t x = 0; x < v->used_x; x++) {
            int64_t before = original[x] - decoded_pixel(v, y, x);
            int64_t after = original[x] - filtered[y][x];
            change += after * after - before * before;
        }
    }
    return change;
}

static void try_row(void *shared, size_t row, int thread)
{
    (void)thread;
    finder *f = shared;
    for (size_t column = 0; column < f->n_x; column++) {
        view v;
        rugi_ifs_filter_root filtered;
        look(f, &v, row, column);
        f->kernels.apply(filtered, v.window, v.kinds, f->table, f->limit,
                         f->decoded->least, f->decoded->most);
        f->changes[row * f->n_x + column] = change_of(f, &v, filtered);
    }
}

/* The price of a decision that is 1 n of all times. */
static double price(size_t n, size_t all)
{
    uint32_t p = (uint32_t)((double)(n + 1) / (double)(all + 2) * 65536);
    return (double)rugi_ifs_price_of(p > 64 ? p : 64) / (1 << RUGI_IFS_PRICE_BITS);
}

/* Decides what is on. @return what that gains and costs: error */
static double choose(finder *f)
{
    size_t n = f->n_x * f->n_y, n_on = n / 2;
    double all = 0, some = 0;
    for (int i = 0; i < 2; i++) {
        double on = f->lambda * price(n_on, n), off = f->lambda * price(n - n_on, n);
        n_on = 0;
        all = some = 0;
        for (size_t r = 0; r < n; r++) {
            double change = (double)f->changes[r];
            f->on[r] = change + on < off;
            n_on += f->on[r];
            all += change;
            some += f->on[r] ? change + on : off;
        }
    }
    if (all <= some)
        memset(f->on, 1, n);
    return all <= some ? all : some;
}

/* ---- All of it ---- */

/* Designs filters for what is on, and decides that anew. @return RUG_OK, RUG_E_NOMEM,
 * RUG_E_CANCELLED */
static rug_status find_once(finder *f, rugi_ifs_filters *filters, double *cost)
{
    double bits;
    rug_status status = measure(f);
    if (status == RUG_OK)
        status = rugi_ifs_design_filters(f->ctx, filters, &bits, f->bands[0], f->lambda);
    if (status != RUG_OK || filters->n_filters == 0) {
        *cost = 0;
        return status;
    }
    rugi_ifs_filter_table_of(f->table, filters);
    status = rugi_parallel_for(f->ctx, f->n_y, try_row, f);
    if (status == RUG_OK)
        *cost = choose(f) + f->lambda * bits;
    return status;
}

static size_t count_on(const finder *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n_x * f->n_y; i++)
        n += f->on[i];
    return n;
}

static rug_status find(finder *f, rugi_ifs_filters *out, uint8_t *on)
{
    size_t n = f->n_x * f->n_y;
    double least = 0;
    memset(on, 0, n);
    memset(f->on, 1, n);
    for (int i = 0; i < 2; i++) {
        rugi_ifs_filters filters;
        double cost;
        rug_status status = find_once(f, &filters, &cost);
        if (status != RUG_OK)
            return status;
        size_t n_on = count_on(f);
        if (cost < least && n_on > 0) {
            least = cost;
            filters.limit = out->limit;
            *out = filters;
            memcpy(on, f->on, n);
        }
        if (filters.n_filters == 0 || n_on == 0 || (n - n_on) * SHARE_OFF < n)
            break;
    }
    if (out->n_filters == 0)
        memset(out, 0, sizeof *out);
    return RUG_OK;
}

/* The choice that is nearest to the limit that pays. */
static uint8_t limit_of(double lambda)
{
    unsigned limit = 0;
    for (double nearest = 1.414; limit + 1 < RUGI_IFS_FILTER_LIMITS; nearest *= 2) {
        if (nearest >= LIMIT2 * lambda)
            break;
        limit++;
    }
    return (uint8_t)limit;
}

rug_status rugi_ifs_find_filters(rug_context *ctx, rugi_ifs_filters *out, uint8_t *on,
                                 const rugi_ifs_unfiltered *decoded,
                                 const int16_t *original, uint32_t used_x,
                                 uint32_t used_y, double lambda)
{
    finder f = {.ctx = ctx,
                .decoded = decoded,
                .original = original,
                .used_x = used_x,
                .used_y = used_y,
                .n_x = decoded->nx / BLOCK,
                .n_y = decoded->ny / BLOCK,
                .lambda = lambda};
    memset(out, 0, sizeof *out);
    out->limit = limit_of(lambda);
    f.limit = rugi_ifs_filter_limit(out->limit);
    f.rows_of_band = (f.n_y + BANDS - 1) / BANDS;
    f.n_bands = (f.n_y + f.rows_of_band - 1) / f.rows_of_band;
    rugi_ifs_set_filter_kernels(&f.kernels, rug_context_cpu_level(ctx));
    size_t n = f.n_x * f.n_y, n_threads = (size_t)rugi_loop_threads(ctx, f.n_bands);
    f.on = rug_context_allocate(ctx, n, sizeof *f.on, what);
    f.changes = rug_context_allocate(ctx, n, sizeof *f.changes, what);
    f.bands = rug_context_allocate(ctx, f.n_bands, sizeof *f.bands, what);
    f.sums = rug_context_allocate(ctx, n_threads, RUGI_IFS_FILTER_KINDS * sizeof *f.sums,
                                  what);
    rug_status status = RUG_E_NOMEM;
    if (f.on != NULL && f.changes != NULL && f.bands != NULL && f.sums != NULL)
        status = find(&f, out, on);
    rug_context_release(ctx, f.on);
    rug_context_release(ctx, f.changes);
    rug_context_release(ctx, f.bands);
    rug_context_release(ctx, f.sums);
    return status;
}
