/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels to masses: of a whole image, or of one label in its bounding box. */

#include "lacunarity_plane.h"
#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "lacunarity_kernels.h"
#include <string.h>

/* Pixels whose masses are made at once. */
#define BLOCK 4096

/* Rows of a task hold about so many pixels. */
#define TASK_PIXELS ((size_t)1 << 19)

/* ---- Rows of numbers ---- */

size_t rugi_lacunarity_row_bytes(size_t n, unsigned type)
{
    size_t line = RUGI_LACUNARITY_PAD;
    return ((n << type) + line - 1) / line * line + 2 * line;
}

/* The narrowest type that holds a mass. */
static unsigned type_of(uint64_t largest)
{
    return largest <= UINT8_MAX    ? 0
           : largest <= UINT16_MAX ? 1
           : largest <= UINT32_MAX ? 2
                                   : 3;
}

rug_status rugi_lacunarity_rows_new(rug_context *ctx, rugi_lacunarity_rows *out,
                                    size_t n_rows, size_t n, unsigned type)
{
    if (n > SIZE_MAX / 64)
        return rug_context_fail(ctx, RUG_E_NOMEM,
                                "masses: rows of %zu pixels do not fit in memory", n);
    out->type = type;
    out->row_bytes = rugi_lacunarity_row_bytes(n, type);
    out->data = rug_context_allocate(ctx, n_rows, out->row_bytes, "masses");
    if (out->data == NULL)
        return RUG_E_NOMEM;
    size_t used = n << type;
    for (size_t y = 0; y < n_rows; y++)
        memset(out->data + y * out->row_bytes + used, 0, out->row_bytes - used);
    return RUG_OK;
}

/* ---- What pixels weigh ---- */

/* ---- Segments of rows ---- */

/* What a thread counts. */
typedef struct counts {
    uint64_t n_pixels, n_set, n_left_out;
} counts;

typedef struct work {
    const rugi_mass *mass;
    rug_image pixels, inside; /* z y x; data NULL: no mask */
    size_t first[3];          /* the plane's first pixel in the image */
    rugi_lacunarity_plane *out;
    size_t rows_per_task;
    counts *counts; /* [threads] */
} work;

static work work_of(const rugi_mass *mass, const rug_image *image, const rug_image *mask,
                    rugi_lacunarity_plane *out)
{
    work w = {.mass = mass, .pixels = rugi_image_with_z(image), .out = out};
    if (mask != NULL)
        w.inside = rugi_image_with_z(mask);
    return w;
}

/* Makes the memory of a plane whose shape is set. */
static rug_status make_rows_of(rug_context *ctx, rugi_lacunarity_plane *plane,
                               int has_mask)
{
    size_t n_rows = plane->n[0] * plane->n[1];
    rug_status status = rugi_lacunarity_rows_new(ctx, &plane->masses, n_rows, plane->n[2],
                                                 type_of(plane->largest));
    if (status == RUG_OK && has_mask)
        status = rugi_lacunarity_rows_new(ctx, &plane->inside, n_rows, plane->n[2], 0);
    return status;
}

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
    uint64_t count = 0, words = n / 8;
    for (uint64_t w = 0; w < words;) {
        uint64_t lanes = 0, end = words - w < 255 ? words : w + 255;
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

/* The place in some rows of the plane of a pixel of the image. */
static char *place_of(const work *w, const rugi_lacunarity_rows *rows, const size_t at[3])
{
    size_t row = (at[0] - w->first[0]) * w->out->n[1] + (at[1] - w->first[1]);
    return rows->data + row * rows->row_bytes + ((at[2] - w->first[2]) << rows->type);
}

/* Which of n <= BLOCK pixels that lie side by side are inside the mask; NULL without one. */
static const uint8_t *flag_segment(const work *w, const size_t at[3], size_t n)
{
    _Alignas(8) char pixels[BLOCK * sizeof(uint64_t)];
    if (w->inside.data == NULL)
        return NULL;
    uint8_t *inside = (uint8_t *)place_of(w, &w->out->inside, at);
    return rugi_mask_flags(&w->inside, at, n, inside, pixels);
}

/* The masses of n <= BLOCK pixels that lie side by side. */
static void make_segment(const work *w, const size_t at[3], size_t n, counts *c)
{
    _Alignas(8) char pixels[BLOCK * sizeof(uint64_t)];
    uint64_t masses[BLOCK];
    const uint8_t *inside = flag_segment(w, at, n);
    const void *v = rugi_image_segment(&w->pixels, at, n, pixels);
    char *to = place_of(w, &w->out->masses, at);
    rug_dtype dtype = rugi_segment_dtype(w->mass->dtype);
    c->n_pixels += n;
    for (size_t i = 0; inside != NULL && i < n; i++)
        c->n_pixels -= inside[i] == 0;
    c->n_left_out += rugi_mass_count_left_out(w->mass, v, n, inside);
    if (w->mass->is_binary || dtype == RUG_U8) {
        c->n_set += make_bytes(w->mass, (uint8_t *)to, v, n, inside);
        return;
    }
    rugi_mass_of_pixels(w->mass, masses, v, n, inside);
    c->n_set += narrow(to, w->out->masses.type, masses, n);
}

/* ---- The plane of an image ---- */

static void make_rows(void *shared, size_t task, int thread)
{
    const work *w = shared;
    const size_t *n = w->out->n;
    size_t end = (task + 1) * w->rows_per_task;
    for (size_t row = task * w->rows_per_task; row < end && row < n[0] * n[1]; row++)
        for (size_t x = 0; x < n[2]; x += BLOCK) {
            size_t at[3] = {row / n[1], row % n[1], x};
            make_segment(w, at, rugi_smaller(n[2] - x, BLOCK), &w->counts[thread]);
        }
}

static rug_status make_image(rug_context *ctx, work *w)
{
    size_t n_rows = w->out->n[0] * w->out->n[1];
    size_t n_threads = (size_t)rug_context_threads(ctx);
    w->rows_per_task = 1 + TASK_PIXELS / w->out->n[2];
    w->counts =
        rug_context_allocate(ctx, n_threads, sizeof *w->counts, "counts of pixels");
    if (w->counts == NULL)
        return RUG_E_NOMEM;
    memset(w->counts, 0, n_threads * sizeof *w->counts);
    rug_status status =
        rugi_parallel_for(ctx, (n_rows - 1) / w->rows_per_task + 1, make_rows, w);
    for (size_t t = 0; t < n_threads; t++) {
        w->out->n_pixels += w->counts[t].n_pixels;
        w->out->n_set += w->counts[t].n_set;
        w->out->n_left_out += w->counts[t].n_left_out;
    }
    rug_context_release(ctx, w->counts);
    return status;
}

/* ---- The plane of a label ---- */

static void add_run(const work *w, rug_region_run run, counts *c)
{
    for (size_t done = 0; done < run.n; done += BLOCK) {
        const size_t at[3] = {run.z, run.y, run.x + done};
        make_segment(w, at, rugi_smaller(run.n - done, BLOCK), c);
    }
}

/* The mask in the whole bounding box. */
static void add_mask(const work *w)
{
    const size_t *n = w->out->n, *first = w->first;
    for (size_t row = 0; row < n[0] * n[1]; row++)
        for (size_t x = 0; x < n[2]; x += BLOCK) {
            const size_t at[3] = {first[0] + row / n[1], first[1] + row % n[1],
                                  first[2] + x};
            (void)flag_segment(w, at, rugi_smaller(n[2] - x, BLOCK));
        }
}

/* Nothing but the label has a mass; labels come one by one, so this is not shared among
 * threads. */
static void make_label(work *w, const rug_regions *regions, size_t label)
{
    rugi_lacunarity_plane *out = w->out;
    size_t n_runs;
    const rug_region_run *runs = rug_regions_runs(regions, label, &n_runs);
    counts c = {0};
    memset(out->masses.data, 0, out->n[0] * out->n[1] * out->masses.row_bytes);
    for (size_t k = 0; k < n_runs; k++)
        add_run(w, runs[k], &c);
    if (w->inside.data != NULL)
        add_mask(w);
    out->n_pixels = c.n_pixels;
    out->n_set = c.n_set;
    out->n_left_out = c.n_left_out;
}

/* ---- Planes ---- */

rug_status rugi_lacunarity_plane_new(rug_context *ctx, rugi_lacunarity_plane *out,
                                     const rugi_mass *mass, const rugi_mass_facts *facts,
                                     const rug_image *image, const rug_image *mask,
                                     const rug_regions *regions, size_t label)
{
    const rug_region *region = regions != NULL ? rug_regions_at(regions, label) : NULL;
    *out = (rugi_lacunarity_plane){.total = facts->total, .largest = facts->largest};
    work w = work_of(mass, image, mask, out);
    memcpy(out->n, region != NULL ? region->shape : w.pixels.shape, sizeof out->n);
    if (region != NULL)
        memcpy(w.first, region->first, sizeof w.first);
    rug_status status = make_rows_of(ctx, out, mask != NULL);
    if (status == RUG_OK && region != NULL)
        make_label(&w, regions, label);
    else if (status == RUG_OK)
        status = make_image(ctx, &w);
    if (mass->is_binary && region == NULL) {
        out->total = out->n_set;
        out->largest = 1;
    }
    return status;
}
