/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels to masses, band by band: of an image, or of one label in its bounding box. */

#include "lacunarity_window.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include <string.h>

/* Pixels whose masses are made at once. */
#define BLOCK 4096

/* Rows of a task hold about so many pixels. */
#define TASK_PIXELS ((size_t)1 << 17)

/* ---- Segments of rows ---- */

/* What a thread counts. */
typedef struct counts {
    uint64_t n_pixels, n_set, n_left_out;
} counts;

typedef struct work {
    rugi_lacunarity_window *window;
    const rugi_lacunarity_pixels *from;
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

/* The place of pixel x of a row of the band. */
static char *place_of(const rugi_lacunarity_window *w, const rugi_lacunarity_rows *rows,
                      size_t row, size_t x)
{
    return rows->data + (row - w->first) * rows->row_bytes + (x << rows->type);
}

/* Where pixel x of a row lies in the image. */
static void find_pixel(size_t at[3], const work *w, size_t row, size_t x)
{
    const ptrdiff_t *origin = w->from->origin;
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
    return rugi_mask_flags(&w->from->inside, at, n, inside, pixels);
}

/* The masses of n <= BLOCK pixels of a row. */
static void make_segment(const work *w, size_t row, size_t x, size_t n, counts *c)
{
    _Alignas(8) char pixels[BLOCK * sizeof(uint64_t)];
    uint64_t masses[BLOCK];
    size_t at[3];
    find_pixel(at, w, row, x);
    const rugi_mass *mass = w->from->mass;
    const uint8_t *inside = flag_segment(w, row, x, n);
    const void *v = rugi_image_segment(&w->from->pixels, at, n, pixels);
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

/* Keeps a row for when boxes have left it behind. */
static void keep_row(const rugi_lacunarity_window *w, const rugi_lacunarity_rows *rows,
                     size_t row)
{
    if (rows->past == NULL)
        return;
    char *to = rows->past + row % w->past_rows * rows->past_row_bytes;
    const char *from = place_of(w, rows, row, 0);
    if (rows->is_bits)
        rugi_lacunarity_pack(to, from, w->n[2]);
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
static size_t row_of_run(const rugi_lacunarity_window *w,
                         const rugi_lacunarity_pixels *from, const rug_region_run *run)
{
    size_t z = run->z - (size_t)from->origin[0], y = run->y - (size_t)from->origin[1];
    return z * w->n[1] + y;
}

/* Labels come one by one, so this is not shared among threads. */
static void make_label(work *w, rugi_lacunarity_pixels *from)
{
    rugi_lacunarity_window *window = w->window;
    size_t end = window->first + window->n_rows, nx = window->n[2];
    counts c = {0};
    memset(window->masses.data, 0, window->n_rows * window->masses.row_bytes);
    for (; from->n_runs > 0; from->runs++, from->n_runs--) {
        size_t row = row_of_run(window, from, from->runs);
        size_t x = from->runs->x - (size_t)from->origin[2], n = from->runs->n;
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

rug_status rugi_lacunarity_make_band(rug_context *ctx, rugi_lacunarity_window *window,
                                     rugi_lacunarity_pixels *pixels)
{
    work w = {.window = window, .from = pixels};
    if (!pixels->is_label)
        return make_image(ctx, &w);
    make_label(&w, pixels);
    return RUG_OK;
}
