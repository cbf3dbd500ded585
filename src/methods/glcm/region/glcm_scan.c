/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Scans the pixels of a region twice: first which are inside and what range their values
 * have, then their levels. Regions go by their runs, a whole image by rows on all
 * threads. */

#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include "glcm_region.h"
#include <math.h>
#include <string.h>

/* Pixels that make another thread worthwhile. */
#define PIXELS_PER_THREAD ((size_t)1 << 17)

/* ---- Values ---- */

static void scan_integers(rugi_glcm_values *values, const int64_t *v,
                          const uint8_t *inside, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!inside[i])
            continue;
        values->n++;
        values->least = v[i] < values->least ? v[i] : values->least;
        values->most = v[i] > values->most ? v[i] : values->most;
    }
}

static void scan_doubles(rugi_glcm_values *values, const double *v, uint8_t *inside,
                         size_t n, double lo, double hi)
{
    for (size_t i = 0; i < n; i++) {
        if (!inside[i])
            continue;
        int finite = isfinite(v[i]) != 0;
        inside[i] = (uint8_t)finite;
        values->n_nan += !finite;
        if (!finite)
            continue;
        values->n++;
        values->lo = v[i] < values->lo ? v[i] : values->lo;
        values->hi = v[i] > values->hi ? v[i] : values->hi;
        values->n_clamped += v[i] < lo || v[i] > hi;
        if (v[i] > floor(v[i])) {
            values->n_parts++;
            values->part = v[i];
        }
    }
}

static int is_clamped(const rugi_glcm_plan *plan)
{
    return isfinite(plan->clamp_lo) || isfinite(plan->clamp_hi);
}

static void count_clamped(rugi_glcm_values *values, const rugi_glcm_plan *plan,
                          const int64_t *v, const uint8_t *inside, size_t n)
{
    int is_shifted = plan->image.dtype == RUG_U64;
    for (size_t i = 0; i < n; i++) {
        double x = rugi_glcm_to_double(v[i], is_shifted);
        values->n_clamped += inside[i] && (x < plan->clamp_lo || x > plan->clamp_hi);
    }
}

/* Ends a scan: the range of integers as doubles. */
static void finish_values(rugi_glcm_values *values, const rugi_glcm_plan *plan)
{
    if (plan->is_float || values->n == 0)
        return;
    values->lo = rugi_glcm_to_double(values->least, plan->image.dtype == RUG_U64);
    values->hi = rugi_glcm_to_double(values->most, plan->image.dtype == RUG_U64);
}

/* Scans the loaded pixels whose bytes in `inside` are set; clears those of pixels that
 * are not finite. */
static void scan_values(rugi_glcm_values *values, const rugi_glcm_plan *plan,
                        const void *loaded, uint8_t *inside, size_t n)
{
    if (!plan->is_float) {
        scan_integers(values, loaded, inside, n);
        if (is_clamped(plan))
            count_clamped(values, plan, loaded, inside, n);
    } else
        scan_doubles(values, loaded, inside, n, plan->clamp_lo, plan->clamp_hi);
}

/* ---- Pixels ---- */

/* Where the pixels of the region are. */
typedef struct view {
    rug_image image, mask;      /* with z; mask.data NULL: there is none */
    size_t first[3];            /* of their first pixel */
    const rugi_glcm_kept *kept; /* instead of them, or NULL */
} view;

/* A box of pixels, in which there are none when hi < lo. */
typedef struct box {
    size_t lo[3], hi[3];
} box;

/* What a thread scans with. */
typedef struct scanner {
    RUGI_OWN_LINES const view *from;
    box left; /* what mask and re-segmentation leave */
    uint32_t histogram[RUG_GLCM_MAX_SPAN];
    rugi_glcm_values values;
    uint64_t loaded[RUGI_SEGMENT_PIXELS];
    uint64_t gathered[RUGI_SEGMENT_PIXELS];
    uint8_t inside[RUGI_SEGMENT_PIXELS];
    uint16_t level[RUGI_SEGMENT_PIXELS];
    size_t n_seen, n_kept;             /* scattered pixels */
    uint16_t table[RUG_GLCM_MAX_SPAN]; /* of the first thread: levels by value */
} scanner;

/* Pixels of one row that follow one another. */
typedef struct stretch {
    size_t at[3]; /* of the image */
    size_t n;     /* at most RUGI_SEGMENT_PIXELS */
    size_t row;   /* of the tile */
    size_t x;
    size_t number; /* of its first pixel, among those of the region */
} stretch;

typedef void (*stretch_fn)(rugi_glcm_region *r, const rugi_glcm_plan *plan, scanner *own,
                           stretch pixels);

/* The pixels of a stretch, contiguous: of the image or of the mask. */
static const void *pixels_of(scanner *own, const rug_image *image, const char *kept,
                             const stretch *c)
{
    const view *v = own->from;
    if (v->kept != NULL)
        return kept + c->number * rug_dtype_size(rugi_segment_dtype(image->dtype));
    const size_t at[3] = {c->at[0] - v->first[0], c->at[1] - v->first[1], c->at[2]};
    return rugi_image_segment(image, at, c->n, own->gathered);
}

static const void *image_pixels(scanner *own, const stretch *c)
{
    const view *v = own->from;
    return pixels_of(own, &v->image, v->kept != NULL ? v->kept->pixels : NULL, c);
}

static const void *load(const rugi_glcm_plan *plan, scanner *own, const stretch *c)
{
    const void *pixels = image_pixels(own, c);
    rugi_glcm_load(own->loaded, pixels, c->n, rugi_segment_dtype(plan->image.dtype),
                   !plan->is_float);
    return own->loaded;
}

/* Widens the box of what is left by a stretch of which some pixels are inside. */
static void widen(box *left, const uint8_t *inside, const stretch *c)
{
    size_t begin = 0, end = c->n;
    while (begin < end && !inside[begin])
        begin++;
    if (begin == end)
        return;
    while (!inside[end - 1])
        end--;
    const size_t lo[3] = {c->at[0], c->at[1], c->at[2] + begin};
    const size_t hi[3] = {c->at[0], c->at[1], c->at[2] + end - 1};
    for (int a = 0; a < 3; a++) {
        left->lo[a] = rugi_smaller(left->lo[a], lo[a]);
        left->hi[a] = rugi_larger(left->hi[a], hi[a]);
    }
}

/* Which pixels the mask lets in. */
static void find_inside(const rugi_glcm_plan *plan, scanner *own, const stretch *c)
{
    const view *v = own->from;
    memset(own->inside, 1, c->n);
    if (!plan->with_mask)
        return;
    const void *pixels =
        pixels_of(own, &v->mask, v->kept != NULL ? v->kept->mask : NULL, c);
    rugi_glcm_load(own->loaded, pixels, c->n, rugi_segment_dtype(v->mask.dtype), 0);
    const double *m = (const double *)(const void *)own->loaded;
    for (size_t i = 0; i < c->n; i++)
        own->inside[i] = m[i] < 0 || m[i] > 0;
}

/* Finds which pixels are inside, and scans their values. */
static void scan_stretch(const rugi_glcm_plan *plan, scanner *own, const stretch *c)
{
    find_inside(plan, own, c);
    const void *loaded = load(plan, own, c);
    if (plan->is_resegmented)
        own->values.n_outside += rugi_glcm_leave_out(own->inside, plan, loaded, c->n);
    if (plan->with_mask || plan->is_resegmented)
        widen(&own->left, own->inside, c);
    scan_values(&own->values, plan, loaded, own->inside, c->n);
}

/* Grey values of 8 and 16 bits that are all inside are not converted to integers of 64 bits,
 * which would take as long as counting the pairs of a direction. */
static int is_short(const rugi_glcm_plan *plan)
{
    return rugi_glcm_is_exact(plan) && !plan->with_mask && !plan->is_resegmented &&
           !is_clamped(plan) &&
           (plan->image.dtype == RUG_U8 || plan->image.dtype == RUG_U16);
}

static void set_bits(uint64_t *mask, size_t x, size_t n)
{
    for (size_t end = x + n; x < end; x = (x / 64 + 1) * 64) {
        size_t left = 64 - x % 64;
        left = left < end - x ? left : end - x;
        mask[x / 64] |= UINT64_MAX >> (64 - left) << x % 64;
    }
}

static void scan_short(rugi_glcm_region *r, const rugi_glcm_plan *plan, scanner *own,
                       stretch c)
{
    const void *pixels = image_pixels(own, &c);
    uint32_t ends[2] = {UINT32_MAX, 0};
    if (plan->image.dtype == RUG_U8)
        plan->kernels.bytes->extremes8(ends, pixels, c.n);
    else
        plan->kernels.bytes->extremes16(ends, pixels, c.n);
    own->values.n += c.n;
    own->values.least = ends[0] < own->values.least ? ends[0] : own->values.least;
    own->values.most = ends[1] > own->values.most ? ends[1] : own->values.most;
    set_bits(r->mask + c.row * r->tile.n_words, c.x, c.n);
}

static void bin_short(rugi_glcm_region *r, const rugi_glcm_plan *plan, scanner *own,
                      stretch c)
{
    uint16_t *level = r->level + c.row * r->tile.n_words * 64 + c.x;
    uint16_t base = (uint16_t)r->binning.base;
    const void *pixels = image_pixels(own, &c);
    int is_byte = plan->image.dtype == RUG_U8, is_sparse = rugi_glcm_is_sparse(r);
    for (size_t i = 0; i < c.n && is_byte; i++)
        level[i] = (uint16_t)(((const uint8_t *)pixels)[i] - base);
    for (size_t i = 0; i < c.n && !is_byte; i++)
        level[i] = (uint16_t)(((const uint16_t *)pixels)[i] - base);
    for (size_t i = 0; i < c.n && !is_sparse; i++)
        own->histogram[level[i]]++;
}

static void scan_pixels(rugi_glcm_region *r, const rugi_glcm_plan *plan, scanner *own,
                        stretch c)
{
    if (is_short(plan)) {
        scan_short(r, plan, own, c);
        return;
    }
    scan_stretch(plan, own, &c);
    uint64_t *mask = r->mask + c.row * r->tile.n_words;
    for (size_t i = 0; i < c.n; i++)
        mask[(c.x + i) / 64] |= (uint64_t)own->inside[i] << (c.x + i) % 64;
}

static void bin(rugi_glcm_region *r, const rugi_glcm_plan *plan, scanner *own, stretch c)
{
    uint16_t *level = r->level + c.row * r->tile.n_words * 64 + c.x;
    const uint64_t *mask = r->mask + c.row * r->tile.n_words;
    int is_sparse = rugi_glcm_is_sparse(r);
    if (is_short(plan)) {
        bin_short(r, plan, own, c);
        return;
    }
    rugi_glcm_bin(level, &r->binning, load(plan, own, &c), c.n);
    for (size_t i = 0; i < c.n && !is_sparse; i++)
        if (mask[(c.x + i) / 64] >> (c.x + i) % 64 & 1)
            own->histogram[level[i]]++;
}

/* The same of scattered pixels: those that are inside are kept, in their order. */
static void scan_scattered(rugi_glcm_region *r, const rugi_glcm_plan *plan, scanner *own,
                           stretch c)
{
    rugi_glcm_tile *t = &r->tile;
    int64_t z = (int64_t)(c.row / t->ny), y = (int64_t)(c.row % t->ny);
    scan_stretch(plan, own, &c);
    memcpy(r->is_inside + own->n_seen, own->inside, c.n);
    own->n_seen += c.n;
    for (size_t i = 0; i < c.n; i++)
        if (own->inside[i]) {
            r->pixel_row[t->n_pixels] = z * ((int64_t)t->ny + RUGI_GLCM_ROW_GAP) + y;
            r->pixel_x[t->n_pixels++] = (int64_t)(c.x + i);
        }
}

static void bin_scattered(rugi_glcm_region *r, const rugi_glcm_plan *plan, scanner *own,
                          stretch c)
{
    int is_sparse = rugi_glcm_is_sparse(r);
    rugi_glcm_bin(own->level, &r->binning, load(plan, own, &c), c.n);
    for (size_t i = 0; i < c.n; i++, own->n_seen++) {
        if (!r->is_inside[own->n_seen])
            continue;
        r->level[own->n_kept++] = own->level[i];
        if (!is_sparse)
            own->histogram[own->level[i]]++;
    }
}

static void for_run(rugi_glcm_region *r, const rugi_glcm_plan *plan, scanner *own,
                    const size_t first[3], const size_t at[3], size_t n, size_t number,
                    stretch_fn fn)
{
    size_t row = (at[0] - first[0]) * r->tile.ny + at[1] - first[1];
    for (size_t i = 0; i < n; i += RUGI_SEGMENT_PIXELS) {
        size_t left = n - i;
        stretch c = {{at[0], at[1], at[2] + i},
                     left < RUGI_SEGMENT_PIXELS ? left : RUGI_SEGMENT_PIXELS,
                     row,
                     at[2] - first[2] + i,
                     number + i};
        fn(r, plan, own, c);
    }
}

/* A walk over all pixels of the region, or of the image. */
typedef struct walk {
    rugi_glcm_region *r;
    const rugi_glcm_plan *plan;
    scanner *scanners;
    size_t n_threads;
    stretch_fn fn;
    view from;
    double begin, end; /* progress, where it is read slab by slab */
} walk;

/* Runs of a region between two looks for cancellation. */
#define LOOK_RUNS 256

/* All rows of what is in view. */
static void image_task(void *shared, size_t task, int thread)
{
    static const size_t origin[3] = {0, 0, 0};
    const walk *w = shared;
    const size_t *first = w->from.first;
    size_t ny = w->from.image.shape[1], n_rows = w->from.image.shape[0] * ny;
    (void)thread;
    size_t end = n_rows * (task + 1) / w->n_threads;
    for (size_t row = n_rows * task / w->n_threads; row < end && !rugi_must_stop();
         row++) {
        const size_t at[3] = {first[0] + row / ny, first[1] + row % ny, 0};
        for_run(w->r, w->plan, &w->scanners[task], origin, at, w->r->tile.nx, 0, w->fn);
    }
}

static rug_status walk_slab(rug_context *ctx, void *user, const rug_image *slab,
                            const rug_image *mask, size_t first)
{
    walk *w = user;
    w->from.image = rugi_image_with_z(slab);
    if (mask != NULL)
        w->from.mask = rugi_image_with_z(mask);
    w->from.first[slab->ndim == 2] = first;
    return rugi_parallel_for(ctx, w->n_threads, image_task, w);
}

static rug_status for_pixels(rug_context *ctx, walk *w, size_t i)
{
    const rug_regions *regions = w->plan->regions;
    if (regions == NULL && rugi_glcm_is_streamed(w->plan))
        return rugi_glcm_for_slabs(ctx, w->plan, w->begin, w->end, walk_slab, w);
    if (regions == NULL)
        return rugi_parallel_for(ctx, w->n_threads, image_task, w);
    size_t n, number = 0;
    const size_t *first = rug_regions_at(regions, i)->first;
    const rug_region_run *run = rug_regions_runs(regions, i, &n);
    rug_status status = RUG_OK;
    for (size_t k = 0; k < n && status == RUG_OK; number += run[k].n, k++) {
        const size_t at[3] = {run[k].z, run[k].y, run[k].x};
        for_run(w->r, w->plan, w->scanners, first, at, run[k].n, number, w->fn);
        if (k % LOOK_RUNS == LOOK_RUNS - 1)
            status = rugi_look(ctx);
    }
    return status;
}

static void join_values(rugi_glcm_region *r, const walk *w)
{
    r->values = w->scanners[0].values;
    for (size_t t = 1; t < w->n_threads; t++) {
        const rugi_glcm_values *v = &w->scanners[t].values;
        r->values.n += v->n;
        r->values.n_nan += v->n_nan;
        r->values.n_clamped += v->n_clamped;
        r->values.n_outside += v->n_outside;
        r->values.part = r->values.n_parts > 0 ? r->values.part : v->part;
        r->values.n_parts += v->n_parts;
        r->values.least = v->least < r->values.least ? v->least : r->values.least;
        r->values.most = v->most > r->values.most ? v->most : r->values.most;
        r->values.lo = v->lo < r->values.lo ? v->lo : r->values.lo;
        r->values.hi = v->hi > r->values.hi ? v->hi : r->values.hi;
    }
    finish_values(&r->values, w->plan);
}

/* The box of what mask and re-segmentation leave. */
static void join_boxes(rugi_glcm_region *r, const walk *w)
{
    box left = w->scanners[0].left;
    for (size_t t = 1; t < w->n_threads; t++)
        for (int a = 0; a < 3; a++) {
            left.lo[a] = rugi_smaller(left.lo[a], w->scanners[t].left.lo[a]);
            left.hi[a] = rugi_larger(left.hi[a], w->scanners[t].left.hi[a]);
        }
    for (int a = 0; a < 3 && left.lo[0] <= left.hi[0]; a++) {
        r->first[a] = left.lo[a];
        r->shape[a] = left.hi[a] - left.lo[a] + 1;
    }
}

static void join_histograms(rugi_glcm_region *r, const walk *w)
{
    r->histogram = w->scanners[0].histogram;
    for (size_t t = 1; t < w->n_threads; t++)
        for (size_t k = 0; k < r->binning.span; k++)
            r->histogram[k] += w->scanners[t].histogram[k];
}

static size_t choose_threads(const rug_context *ctx, const rugi_glcm_region *r,
                             const rugi_glcm_plan *plan)
{
    size_t most = (size_t)rug_context_threads(ctx);
    size_t n = r->tile.nz * r->tile.ny * r->tile.nx / PIXELS_PER_THREAD + 1;
    return plan->regions != NULL ? 1 : rugi_smaller(n, most);
}

rug_status rugi_glcm_scan(rug_context *ctx, rugi_glcm_region *r,
                          const rugi_glcm_plan *plan, size_t i)
{
    int is_scattered = r->tile.pixel_row != NULL;
    walk w = {.r = r,
              .plan = plan,
              .fn = is_scattered ? scan_scattered : scan_pixels,
              .from = {plan->image, plan->mask, {0, 0, 0}, NULL},
              .begin = RUGI_GLCM_RANGE_SHARE,
              .end = RUGI_GLCM_FIRST_SHARE};
    if (plan->kept != NULL) {
        w.from.kept = &plan->kept[i];
        w.from.mask.dtype = plan->with_mask ? plan->mask_source->dtype : RUG_U8;
    }
    w.n_threads = choose_threads(ctx, r, plan);
    w.scanners = rugi_glcm_grow(ctx, &r->scanner_scratch, w.n_threads, sizeof *w.scanners,
                                "pixels of a region");
    if (w.scanners == NULL)
        return RUG_E_NOMEM;
    for (size_t t = 0; t < w.n_threads; t++) {
        w.scanners[t].from = &w.from;
        w.scanners[t].left = (box){{SIZE_MAX, SIZE_MAX, SIZE_MAX}, {0, 0, 0}};
        w.scanners[t].values = (rugi_glcm_values){
            .least = INT64_MAX, .most = INT64_MIN, .lo = INFINITY, .hi = -INFINITY};
    }
    w.scanners[0].n_seen = 0;
    rug_status status = for_pixels(ctx, &w, i);
    if (status != RUG_OK)
        return status;
    join_values(r, &w);
    join_boxes(r, &w);
    status = rugi_glcm_binning_new(ctx, &r->binning, plan, &r->values, r->label,
                                   w.scanners->table);
    if (status != RUG_OK)
        return status;
    for (size_t t = 0; t < w.n_threads && !rugi_glcm_is_sparse(r); t++)
        memset(w.scanners[t].histogram, 0, r->binning.span * sizeof(uint32_t));
    w.fn = is_scattered ? bin_scattered : bin;
    w.begin = RUGI_GLCM_FIRST_SHARE;
    w.end = RUGI_GLCM_SLABS_SHARE;
    w.scanners[0].n_seen = w.scanners[0].n_kept = 0;
    if (r->values.n > 0)
        status = for_pixels(ctx, &w, i);
    if (rugi_glcm_is_sparse(r))
        w.n_threads = 1; /* no histogram of others */
    join_histograms(r, &w);
    return status;
}
