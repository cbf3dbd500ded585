/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels to masses, band by band: of an image, or of one label in its bounding box. */

#include "lacunarity_window.h"
#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/image/source_internal.h"
#include <string.h>

/* Pixels whose masses are made at once. */
#define BLOCK 2048

/* Bytes of the masses of a band, about: they stay in the cache while all sizes use them. */
#define BAND_BYTES ((size_t)1 << 20)

/* The part of the work on a band that making the masses is, for progress. */
#define MASS_SHARE 0.3

/* Rows of a task hold about so many pixels. */
#define TASK_PIXELS ((size_t)1 << 17)

/* ---- Segments of rows ---- */

/* What a thread counts. */
typedef struct counts {
    RUGI_OWN_LINES uint64_t n_pixels, n_set, n_left_out;
} counts;

typedef struct work {
    rugi_lacunarity_window *window;
    const rugi_mass *mass;
    rug_image pixels, inside;   /* z y x: slabs, or a whole image; data NULL: no mask */
    ptrdiff_t origin[3];        /* the pixel that is the window's first */
    const rug_region_run *runs; /* labels: nothing else has a mass; those to come */
    size_t n_runs;
    size_t n_all, band_rows; /* rows of all; of a band at most */
    size_t rows_per_task;
    counts *counts; /* [threads] */
    rugi_lacunarity_band_fn fn;
    void *user;
} work;

static uint64_t narrow(void *to, unsigned type, const uint64_t *masses, size_t n)
{
    uint64_t n_set = 0;
    for (size_t i = 0; i < n; i++) {
        n_set += masses[i] > 0;
        switch (type) {
        case 0: ((uint8_t *)to)[i] = (uint8_t)masses[i]; break;
        case 1: ((uint16_t *)to)[i] = (uint16_t)masses[i]; break;
        case 2: ((uint32_t *)to)[i] = (uint32_t)masses[i]; break;
        default: ((uint64_t *)to)[i] = masses[i]; break;
        }
    }
    return n_set;
}

/* How many bytes are not 0, eight at a time: those of a word become 1 or 0, and words are
 * added before a byte can overflow. */
static uint64_t count_bytes(const uint8_t *bytes, size_t n)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu, pairs = 0x00ff00ff00ff00ffu;
    uint64_t count = 0;
    const size_t words = n / 8;
    for (size_t w = 0; w < words;) {
        uint64_t lanes = 0;
        const size_t end = words - w < 255 ? words : w + 255;
        for (; w < end; w++) {
            uint64_t v;
            memcpy(&v, bytes + 8 * w, sizeof v);
            lanes += (((v & low) + low) | v) >> 7 & 0x0101010101010101u;
        }
        lanes = (lanes & pairs) + (lanes >> 8 & pairs);
        count += lanes * 0x0001000100010001u >> 48;
    }
    for (size_t i = 8 * words; i < n; i++)
        count += bytes[i] != 0;
    return count;
}

/* Bytes are masses as they are, and flags. */
static uint64_t make_bytes(const rugi_mass *mass, uint8_t *to, const void *pixels,
                           size_t n, const uint8_t *inside)
{
    if (mass->is_binary)
        rugi_predicate_flags(&mass->predicate, mass->dtype, to, pixels, n);
    else
        memcpy(to, pixels, n);
    for (size_t i = 0; inside != NULL && i < n; i++)
        to[i] = inside[i] ? to[i] : 0;
    return count_bytes(to, n);
}

/* The place of pixel x of a row of the band. */
static char *place_of(const rugi_lacunarity_window *w, const rugi_lacunarity_rows *rows,
                      size_t row, size_t x)
{
    return rows->data + (row - w->first) * rows->row_bytes + (x << rows->type);
}

/* Where pixel x of a row lies in the image. */
static void find_pixel(size_t at[3], const work *w, size_t row, size_t x)
{
    const ptrdiff_t *origin = w->origin;
    size_t ny = w->window->n[1];
    at[0] = (size_t)((ptrdiff_t)(row / ny) + origin[0]);
    at[1] = (size_t)((ptrdiff_t)(row % ny) + origin[1]);
    at[2] = (size_t)((ptrdiff_t)x + origin[2]);
}

/* Which of n <= BLOCK pixels of a row are inside the mask; NULL without one. */
static const uint8_t *flag_segment(const work *w, size_t row, size_t x, size_t n)
{
    _Alignas(8) char pixels[BLOCK * sizeof(uint64_t)];
    size_t at[3];
    if (w->window->inside.data == NULL)
        return NULL;
    find_pixel(at, w, row, x);
    uint8_t *inside = (uint8_t *)place_of(w->window, &w->window->inside, row, x);
    return rugi_mask_flags(&w->inside, at, n, inside, pixels);
}

/* The masses of n <= BLOCK pixels of a row. */
static void make_segment(const work *w, size_t row, size_t x, size_t n, counts *c)
{
    _Alignas(8) char pixels[BLOCK * sizeof(uint64_t)];
    uint64_t masses[BLOCK];
    size_t at[3];
    find_pixel(at, w, row, x);
    const rugi_mass *mass = w->mass;
    const uint8_t *inside = flag_segment(w, row, x, n);
    const void *v = rugi_image_segment(&w->pixels, at, n, pixels);
    char *to = place_of(w->window, &w->window->masses, row, x);
    c->n_pixels += n;
    for (size_t i = 0; inside != NULL && i < n; i++)
        c->n_pixels -= inside[i] == 0;
    c->n_left_out += rugi_mass_count_left_out(mass, v, n, inside);
    if (mass->is_binary || rugi_segment_dtype(mass->dtype) == RUG_U8) {
        c->n_set += make_bytes(mass, (uint8_t *)to, v, n, inside);
        return;
    }
    rugi_mass_of_pixels(mass, masses, v, n, inside);
    c->n_set += narrow(to, w->window->masses.type, masses, n);
}

/* ---- Bands ---- */

/* Flags of 0 or 1 to bits, eight by eight; up to 7 more than n are read. */
static void pack(char *bits, const char *flags, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        uint64_t v;
        memcpy(&v, flags + i, sizeof v);
        bits[i / 8] = (char)(v * 0x0102040810204080u >> 56);
    }
}

/* Keeps a row for when boxes have left it behind. */
static void keep_row(const rugi_lacunarity_window *w, const rugi_lacunarity_rows *rows,
                     size_t row)
{
    if (rows->past == NULL)
        return;
    char *to = rows->past + row % w->past_rows * rows->past_row_bytes;
    const char *from = place_of(w, rows, row, 0);
    if (rows->is_bits)
        pack(to, from, w->n[2]);
    else
        memcpy(to, from, w->n[2] << rows->type);
}

static void keep(const rugi_lacunarity_window *w, size_t row)
{
    keep_row(w, &w->masses, row);
    keep_row(w, &w->inside, row);
}

static void make_rows(void *shared, size_t task, int thread)
{
    const work *w = shared;
    size_t nx = w->window->n[2], row = w->window->first + task * w->rows_per_task,
           end =
               rugi_smaller(row + w->rows_per_task, w->window->first + w->window->n_rows);
    for (; row < end; row++) {
        for (size_t x = 0; x < nx; x += BLOCK)
            make_segment(w, row, x, rugi_smaller(nx - x, BLOCK), &w->counts[thread]);
        keep(w->window, row);
    }
}

static void add_counts(rugi_lacunarity_window *w, const counts *c)
{
    w->n_pixels += c->n_pixels;
    w->n_set += c->n_set;
    w->n_left_out += c->n_left_out;
}

static rug_status make_image(rug_context *ctx, work *w)
{
    size_t n_threads = (size_t)rug_context_threads(ctx);
    w->rows_per_task = 1 + TASK_PIXELS / w->window->n[2];
    w->counts =
        rugi_allocate_zeros(ctx, n_threads, sizeof *w->counts, "counts of pixels");
    if (w->counts == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_parallel_for(
        ctx, (w->window->n_rows - 1) / w->rows_per_task + 1, make_rows, w);
    for (size_t t = 0; t < n_threads; t++)
        add_counts(w->window, &w->counts[t]);
    rug_context_release(ctx, w->counts);
    return status;
}

/* The row of the window that a run of a label lies in. */
static size_t row_of_run(const work *w, const rug_region_run *run)
{
    size_t z = run->z - (size_t)w->origin[0], y = run->y - (size_t)w->origin[1];
    return z * w->window->n[1] + y;
}

/* Labels come one by one, so this is not shared among threads. */
static void make_label(work *w)
{
    rugi_lacunarity_window *window = w->window;
    size_t end = window->first + window->n_rows, nx = window->n[2];
    counts c = {0};
    memset(window->masses.data, 0, window->n_rows * window->masses.row_bytes);
    for (; w->n_runs > 0; w->runs++, w->n_runs--) {
        size_t row = row_of_run(w, w->runs);
        size_t x = w->runs->x - (size_t)w->origin[2], n = w->runs->n;
        if (row >= end)
            break;
        for (size_t done = 0; done < n; done += BLOCK)
            make_segment(w, row, x + done, rugi_smaller(n - done, BLOCK), &c);
    }
    for (size_t row = window->first; row < end; row++) {
        for (size_t x = 0; x < nx; x += BLOCK) /* the mask, around the label too */
            (void)flag_segment(w, row, x, rugi_smaller(nx - x, BLOCK));
        keep(window, row);
    }
    add_counts(window, &c);
}

/* ---- All bands ---- */

static rug_status make_band(rug_context *ctx, work *w)
{
    if (w->runs == NULL)
        return make_image(ctx, w);
    make_label(w);
    return RUG_OK;
}

static rug_status do_band(rug_context *ctx, work *w)
{
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, MASS_SHARE, status, make_band(ctx, w));
    RUGI_PHASE(ctx, MASS_SHARE, 1, status, w->fn(ctx, w->user));
    return status;
}

/* Rows first .. end - 1, whole layers. */
static rug_status do_rows(rug_context *ctx, work *w, size_t first, size_t end)
{
    rug_status status = RUG_OK;
    double n = (double)(end - first);
    for (size_t row = first; row < end && status == RUG_OK; row += w->window->n_rows) {
        w->window->first = row;
        w->window->n_rows = rugi_smaller(w->band_rows, end - row);
        RUGI_PHASE(ctx, (double)(row - first) / n,
                   (double)(row - first + w->window->n_rows) / n, status,
                   do_band(ctx, w));
    }
    return status;
}

/* A slab of a source: rows of an image, slices of a volume, or all of a single slice. */
static rug_status do_slab(rug_context *ctx, void *user, const rug_image *slab,
                          const rug_image *mask, size_t first)
{
    work *w = user;
    rug_image v = rugi_image_with_z(slab);
    size_t row = slab->ndim == 3 ? first * v.shape[1] : first;
    w->pixels = v;
    if (mask != NULL)
        w->inside = rugi_image_with_z(mask);
    memset(w->origin, 0, sizeof w->origin);
    w->origin[3 - slab->ndim] = -(ptrdiff_t)first;
    return do_rows(ctx, w, row, row + v.shape[0] * v.shape[1]);
}

static rug_status do_label(rug_context *ctx, work *w, const rugi_lacunarity_input *input)
{
    const rug_region *region = rug_regions_at(input->regions, input->label);
    w->pixels = rugi_image_with_z(input->source->user);
    if (input->mask != NULL)
        w->inside = rugi_image_with_z(input->mask->user);
    for (int a = 0; a < 3; a++)
        w->origin[a] = (ptrdiff_t)region->first[a];
    w->runs = rug_regions_runs(input->regions, input->label, &w->n_runs);
    return do_rows(ctx, w, 0, w->n_all);
}

/* ---- The window ---- */

/* Rows for the band, and for what boxes reach. */
static rug_status allocate(rug_context *ctx, const work *w, rugi_lacunarity_rows *rows,
                           unsigned type, int is_bits)
{
    size_t nx = w->window->n[2];
    rows->type = type;
    rows->is_bits = is_bits;
    rows->row_bytes = rugi_lacunarity_row_bytes(nx, type);
    rows->past_row_bytes = is_bits ? (nx + 7) / 8 : rows->row_bytes;
    rows->data = rugi_allocate_zeros(ctx, w->band_rows, rows->row_bytes, "masses");
    if (rows->data != NULL && w->window->past_rows > 0)
        rows->past = rugi_allocate_zeros(ctx, w->window->past_rows, rows->past_row_bytes,
                                         "masses of past rows");
    return rows->data != NULL && (rows->past != NULL || w->window->past_rows == 0)
               ? RUG_OK
               : RUG_E_NOMEM;
}

/* The layers that the largest box still needs when it has left them behind. */
static size_t reach_of(const rugi_lacunarity_plan *plan)
{
    int slow = plan->n[0] > 1 ? 0 : 1;
    size_t reach = 0;
    for (size_t k = 0; k < plan->n_boxes && !plan->is_fixed; k++) {
        const rugi_lacunarity_box *box = &plan->boxes[k];
        if ((!box->is_ring || plan->has_mask) && box->e[slow] < plan->n[slow])
            reach = rugi_larger(reach, box->e[slow]);
    }
    return reach;
}

static rug_status make_window(rug_context *ctx, work *w, const rugi_lacunarity_plan *plan)
{
    rugi_lacunarity_window *window = w->window;
    *window = (rugi_lacunarity_window){.layer_rows = plan->n[0] > 1 ? plan->n[1] : 1};
    memcpy(window->n, plan->n, sizeof window->n);
    size_t reach = reach_of(plan) * window->layer_rows,
           row_bytes = rugi_lacunarity_row_bytes(plan->n[2], plan->mass_type),
           n_layers = BAND_BYTES / row_bytes / window->layer_rows;
    w->n_all = plan->n[0] * plan->n[1];
    w->band_rows = rugi_smaller(w->n_all, rugi_larger(n_layers, 1) * window->layer_rows);
    window->past_rows = reach > 0 ? rugi_smaller(w->n_all, reach + w->band_rows) : 0;
    rug_status status =
        allocate(ctx, w, &window->masses, plan->mass_type, plan->is_binary);
    if (status == RUG_OK && plan->has_mask)
        status = allocate(ctx, w, &window->inside, 0, 1);
    return status;
}

static void release(rug_context *ctx, rugi_lacunarity_rows *rows)
{
    rug_context_release(ctx, rows->past);
    rug_context_release(ctx, rows->data);
    rows->past = rows->data = NULL;
}

rug_status rugi_lacunarity_for_bands(rug_context *ctx, rugi_lacunarity_window *window,
                                     const rugi_lacunarity_plan *plan,
                                     const rugi_lacunarity_input *input,
                                     rugi_lacunarity_band_fn fn, void *user)
{
    work w = {.window = window, .mass = input->mass, .fn = fn, .user = user};
    rug_status status = make_window(ctx, &w, plan);
    if (status == RUG_OK && input->regions != NULL)
        status = do_label(ctx, &w, input);
    else if (status == RUG_OK)
        status = rugi_source_for_slabs(ctx, input->source, input->mask, do_slab, &w);
    release(ctx, &window->inside);
    release(ctx, &window->masses);
    return status;
}
