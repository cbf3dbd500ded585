/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels to masses. */

#include "lacunarity_plane.h"
#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include "lacunarity_kernels.h"
#include <string.h>

/* Pixels whose masses are made at once. */
#define BLOCK 4096

/* Rows of a task hold about so many pixels. */
#define TASK_PIXELS ((size_t)1 << 19)

size_t rugi_lacunarity_row_bytes(size_t n, unsigned type)
{
    size_t line = RUGI_LACUNARITY_PAD;
    return ((n << type) + line - 1) / line * line + 2 * line;
}

unsigned rugi_lacunarity_type_of(uint64_t largest)
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
                                "masses: rows of %zu pixels do not fit an address", n);
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

/* The largest mass of a dtype whose pixels need not be looked at; 0: they must. */
static uint64_t largest_of(rug_dtype dtype, int is_binary)
{
    if (is_binary || dtype == RUG_BIT)
        return 1;
    return dtype == RUG_U8 ? UINT8_MAX : dtype == RUG_U16 ? UINT16_MAX : 0;
}

rug_status rugi_lacunarity_resolve(rug_context *ctx, rugi_mass *mass,
                                   rugi_mass_facts *facts, const rug_image *img,
                                   const rug_image *mask, int is_gray,
                                   rug_foreground rule)
{
    uint64_t pixels = rug_image_pixels(img), largest = largest_of(img->dtype, !is_gray);
    if (largest > 0 && pixels <= RUGI_MASS_MAX / largest) {
        *mass = rugi_mass_make(img->dtype, !is_gray, rule, 0);
        *facts = (rugi_mass_facts){.total = pixels * largest, .largest = largest};
        return RUG_OK;
    }
    rug_source source = rug_source_of_image(img), inside;
    if (mask != NULL)
        inside = rug_source_of_image(mask);
    return rugi_mass_resolve(ctx, mass, facts, &source, mask != NULL ? &inside : NULL,
                             !is_gray, rule);
}

/* What a thread counts. */
typedef struct counts {
    uint64_t n_pixels, n_set, n_left_out;
} counts;

typedef struct work {
    const rugi_mass *mass;
    rug_image pixels, inside; /* z y x; data NULL: no mask */
    rugi_predicate is_inside;
    rugi_lacunarity_plane *out;
    size_t rows_per_task;
    counts *counts; /* [threads] */
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

/* How many bytes are not 0, eight at a time: those of a word become 1 or 0, and words are added
 * before a byte can overflow. */
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

static void make_segment(const work *w, const size_t at[3], size_t n, counts *c)
{
    _Alignas(8) char pixels[BLOCK * sizeof(uint64_t)];
    uint64_t masses[BLOCK];
    rugi_lacunarity_plane *p = w->out;
    size_t row = at[0] * p->n[1] + at[1];
    uint8_t *inside = NULL;
    if (w->inside.data != NULL) {
        inside = (uint8_t *)p->inside.data + row * p->inside.row_bytes + at[2];
        rugi_predicate_flags(&w->is_inside, w->inside.dtype, inside,
                             rugi_image_segment(&w->inside, at, n, pixels), n);
        for (size_t i = 0; i < n; i++)
            c->n_pixels += inside[i];
    } else {
        c->n_pixels += n;
    }
    const void *v = rugi_image_segment(&w->pixels, at, n, pixels);
    char *to = p->masses.data + row * p->masses.row_bytes + (at[2] << p->masses.type);
    rug_dtype dtype = rugi_segment_dtype(w->mass->dtype);
    c->n_left_out += rugi_mass_count_left_out(w->mass, v, n, inside);
    if (w->mass->is_binary || dtype == RUG_U8) {
        c->n_set += make_bytes(w->mass, (uint8_t *)to, v, n, inside);
        return;
    }
    rugi_mass_of_pixels(w->mass, masses, v, n, inside);
    c->n_set += narrow(to, p->masses.type, masses, n);
}

static void make_rows(void *shared, size_t task, int thread)
{
    const work *w = shared;
    const size_t *n = w->out->n;
    size_t end = (task + 1) * w->rows_per_task;
    for (size_t row = task * w->rows_per_task; row < end && row < n[0] * n[1]; row++)
        for (size_t x = 0; x < n[2]; x += BLOCK) {
            size_t at[3] = {row / n[1], row % n[1], x};
            make_segment(w, at, n[2] - x < BLOCK ? n[2] - x : BLOCK, &w->counts[thread]);
        }
}

static rug_status make(rug_context *ctx, work *w)
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

rug_status rugi_lacunarity_plane_new(rug_context *ctx, rugi_lacunarity_plane *out,
                                     const rugi_mass *mass, const rugi_mass_facts *facts,
                                     const rug_image *img, const rug_image *mask)
{
    static const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0};
    *out = (rugi_lacunarity_plane){.total = facts->total, .largest = facts->largest};
    work w = {.mass = mass, .pixels = rugi_image_with_z(img), .out = out};
    memcpy(out->n, w.pixels.shape, sizeof out->n);
    size_t n_rows = out->n[0] * out->n[1];
    rug_status status = rugi_lacunarity_rows_new(ctx, &out->masses, n_rows, out->n[2],
                                                 rugi_lacunarity_type_of(facts->largest));
    if (status == RUG_OK && mask != NULL) {
        w.inside = rugi_image_with_z(mask);
        w.is_inside = rugi_predicate_make(mask->dtype, nonzero);
        status = rugi_lacunarity_rows_new(ctx, &out->inside, n_rows, out->n[2], 0);
    }
    if (status == RUG_OK)
        status = make(ctx, &w);
    if (mass->is_binary) {
        out->total = out->n_set;
        out->largest = 1;
    }
    return status;
}

void rugi_lacunarity_plane_free(rug_context *ctx, rugi_lacunarity_plane *plane)
{
    rug_context_release(ctx, plane->masses.data);
    rug_context_release(ctx, plane->inside.data);
    plane->masses.data = plane->inside.data = NULL;
}
