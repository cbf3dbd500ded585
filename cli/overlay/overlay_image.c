/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Overlays of images: reads pixels once, slab by slab, into the cells of a picture. Of a volume only the
 * three slices through its middle are kept. */

#include "overlay.h"
#include "overlay_picture.h"
#include <math.h>
#include <string.h>

#define SLAB_BYTES ((size_t)4 << 20)
/* Pixels that are looked at in one go. */
#define BLOCK_PIXELS ((size_t)1 << 18)
/* A spacing that is larger than another by more is not shown as it is. */
#define MOST_UNEQUAL 20.0
/* What rounding may take from a side. */
#define ROUNDING 1e-6

/* ---- Pixels of any kind ---- */

static int bit_at(const rug_image *rows, size_t y, size_t x)
{
    const uint8_t *row = (const uint8_t *)rows->data + (ptrdiff_t)y * rows->stride[0];
    return row[x / 8] >> (x % 8) & 1;
}

static const char *pixel_at(const rug_image *rows, size_t y, size_t x)
{
    return (const char *)rows->data + (ptrdiff_t)y * rows->stride[0] +
           (ptrdiff_t)x * rows->stride[1];
}

/* A row of pixels as doubles. */
static void take_row(double *out, const rug_image *rows, size_t y)
{
    for (size_t x = 0; rows->dtype == RUG_BIT && x < rows->shape[1]; x++)
        out[x] = bit_at(rows, y, x);
    cli_take_values(out, pixel_at(rows, y, 0), rows->shape[1], rows->stride[1],
                    rows->dtype);
}

/* A label, of which 64-bit integers have all digits. */
static uint64_t label_at(const rug_image *rows, size_t y, size_t x)
{
    double value = 0;
    uint64_t whole;
    if (rows->dtype == RUG_BIT)
        return (uint64_t)bit_at(rows, y, x);
    const char *at = pixel_at(rows, y, x);
    if (rows->dtype == RUG_U64 || rows->dtype == RUG_I64) {
        memcpy(&whole, at, sizeof whole);
        return whole;
    }
    cli_take_values(&value, at, 1, 0, rows->dtype);
    return value > 0 ? (uint64_t)value : 0;
}

/* ---- Rows into cells ---- */

/* What of an image is read, and a row of cells in work. */
typedef struct reading {
    cli_run *run;
    const cli_shown *shown;
    const rug_file_facts *facts;
    rug_source image, mask, labels; /* mask and labels: without a shape there are none */
    rug_image slab, mask_slab, labels_slab;
    uint8_t *set, *inside, *labelled; /* flags of a block of pixels; owned */
    size_t n_flags;                   /* that there is room for */
    uint8_t *columns;                 /* of bits as bytes; owned */
    double *row;                      /* of values; owned */
    cli_picture *picture;
} reading;

/* A plane and the pixels that it is made of. */
typedef struct filling {
    cli_plane *plane;
    size_t n_rows, n_columns; /* of pixels */
    size_t next;              /* row */
    int is_reversed;          /* rows of cells go upwards */
    size_t *begin; /* pixels where columns of cells begin, and the end; owned */
    /* Of the row of cells in work: */
    double *sum; /* owned, with all that follow */
    uint64_t *n, *n_set, *n_inside, *n_all;
} filling;

static void clear_cells(const filling *f)
{
    memset(f->sum, 0, 5 * f->plane->n_columns * sizeof *f->sum);
}

/* Begins to fill the next plane of a picture. */
static rug_status begin_filling(cli_run *run, filling *f, cli_plane *plane, size_t n_rows,
                                size_t n_columns)
{
    const size_t n = plane->n_columns;
    *f = (filling){.plane = plane, .n_rows = n_rows, .n_columns = n_columns};
    f->begin = rug_context_allocate(run->ctx, n + 1, sizeof *f->begin, "an overlay");
    f->sum = rug_context_allocate(run->ctx, 5 * n, sizeof *f->sum, "an overlay");
    if (f->begin == NULL || f->sum == NULL)
        return RUG_E_NOMEM;
    f->n = (uint64_t *)(f->sum + n);
    f->n_set = f->n + n;
    f->n_inside = f->n_set + n;
    f->n_all = f->n_inside + n;
    for (size_t c = 0; c <= n; c++)
        f->begin[c] = cli_first_pixel(c, n, n_columns);
    clear_cells(f);
    return RUG_OK;
}

static void end_filling(cli_run *run, filling *f)
{
    rug_context_release(run->ctx, f->begin);
    rug_context_release(run->ctx, f->sum);
}

/* A share as 0..255, 0 and 255 only where it is none and all. */
static uint8_t share_of(uint64_t n, uint64_t all)
{
    if (n == 0 || n >= all)
        return n == 0 ? 0 : 255;
    double share = 255 * (double)n / (double)all + 0.5;
    return share < 1 ? 1 : share > 254 ? 254 : (uint8_t)share;
}

/* Where a row of cells is in its plane. */
static size_t place_of(const filling *f, size_t row)
{
    return f->is_reversed ? f->plane->n_rows - 1 - row : row;
}

static void end_cells(const filling *f, size_t row)
{
    cli_plane *p = f->plane;
    for (size_t c = 0; c < p->n_columns; c++) {
        size_t cell = place_of(f, row) * p->n_columns + c;
        p->value[cell] = f->n[c] > 0 ? f->sum[c] / (double)f->n[c] : (double)NAN;
        if (p->set != NULL)
            p->set[cell] = share_of(f->n_set[c], f->n_all[c]);
        if (p->inside != NULL)
            p->inside[cell] = share_of(f->n_inside[c], f->n_all[c]);
    }
    clear_cells(f);
}

/* Adds a row of pixels to the cells in work.
 *  @param set, inside  flags of its pixels; NULL: not known */
static void add_row(const filling *f, const double *row, const uint8_t *set,
                    const uint8_t *inside)
{
    for (size_t c = 0; c < f->plane->n_columns; c++) {
        size_t begin = f->begin[c], end = f->begin[c + 1];
        double sum = 0;
        uint64_t n = 0, n_set = 0, n_inside = 0;
        for (size_t x = begin; x < end; x++) {
            sum += isnan(row[x]) ? 0 : row[x];
            n += isnan(row[x]) ? 0 : 1;
        }
        for (size_t x = begin; set != NULL && x < end; x++)
            n_set += set[x];
        for (size_t x = begin; inside != NULL && x < end; x++)
            n_inside += inside[x];
        f->sum[c] += sum;
        f->n[c] += n;
        f->n_set[c] += n_set;
        f->n_inside[c] += n_inside;
        f->n_all[c] += end - begin;
    }
}

/* Keeps the labels of the pixels in the middle of cells, where a row is that of them. */
static void take_labels(const filling *f, const rug_image *labels, size_t y)
{
    cli_plane *p = f->plane;
    size_t row = f->next * p->n_rows / f->n_rows;
    size_t middle = (cli_first_pixel(row, p->n_rows, f->n_rows) +
                     cli_first_pixel(row + 1, p->n_rows, f->n_rows)) /
                    2;
    for (size_t c = 0; f->next == middle && c < p->n_columns; c++)
        p->label[place_of(f, row) * p->n_columns + c] =
            label_at(labels, y, (f->begin[c] + f->begin[c + 1]) / 2);
}

/* ---- Blocks of pixels ---- */

/* Rows first .. first + n - 1. */
static rug_image rows_of(const rug_image *rows, size_t first, size_t n)
{
    rug_image out = *rows;
    out.data = pixel_at(rows, first, 0);
    out.shape[0] = n;
    return out;
}

/* Finds out which pixels of a block are set, inside and labelled. */
static rug_status find_flags(reading *r, const rug_image *rows, const rug_image *mask,
                             const rug_image *labels)
{
    static const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0, 0};
    rug_context *ctx = r->run->ctx;
    const rug_foreground *rule = r->shown->foreground;
    rug_status status = RUG_OK;
    if (rule != NULL)
        status = rug_foreground_flags(ctx, r->set, rows, mask, *rule);
    if (status == RUG_OK && mask != NULL)
        status = rug_foreground_flags(ctx, r->inside, mask, NULL, nonzero);
    if (status != RUG_OK || rule == NULL || labels == NULL)
        return status;
    status = rug_foreground_flags(ctx, r->labelled, labels, NULL, nonzero);
    for (size_t i = 0; status == RUG_OK && i < rows->shape[0] * rows->shape[1]; i++)
        r->set[i] &= r->labelled[i];
    return status;
}

/* Fills in the next rows of a plane.
 *  @param mask, labels  of the same pixels, or NULL */
static rug_status fill_block(reading *r, filling *f, const rug_image *rows,
                             const rug_image *mask, const rug_image *labels)
{
    rug_status status = find_flags(r, rows, mask, labels);
    for (size_t y = 0; y < rows->shape[0] && status == RUG_OK; y++, f->next++) {
        size_t row = f->next * f->plane->n_rows / f->n_rows, at = y * f->n_columns;
        take_row(r->row, rows, y);
        add_row(f, r->row, r->shown->foreground != NULL ? r->set + at : NULL,
                mask != NULL ? r->inside + at : NULL);
        if (labels != NULL)
            take_labels(f, labels, y);
        if ((f->next + 1) * f->plane->n_rows / f->n_rows != row)
            end_cells(f, row);
    }
    return status == RUG_OK ? rug_context_step(r->run->ctx, 1) : status;
}

static rug_status fill(reading *r, filling *f, const rug_image *rows,
                       const rug_image *mask, const rug_image *labels)
{
    size_t step = r->n_flags / rows->shape[1], n = rows->shape[0];
    rug_status status = RUG_OK;
    for (size_t y = 0; y < n && status == RUG_OK; y += step) {
        size_t k = n - y < step ? n - y : step;
        rug_image block[3] = {rows_of(rows, y, k)};
        if (mask != NULL)
            block[1] = rows_of(mask, y, k);
        if (labels != NULL)
            block[2] = rows_of(labels, y, k);
        status = fill_block(r, f, &block[0], mask != NULL ? &block[1] : NULL,
                            labels != NULL ? &block[2] : NULL);
    }
    return status;
}

/* ---- Slabs ---- */

static rug_status read_one(reading *r, const rug_source *source, rug_image *slab,
                           size_t first, size_t n)
{
    return source->ndim > 0 ? source->read(r->run->ctx, source->user, slab, first, n)
                            : RUG_OK;
}

static rug_status read_slab(reading *r, size_t first, size_t n)
{
    rug_status status = read_one(r, &r->image, &r->slab, first, n);
    if (status == RUG_OK)
        status = read_one(r, &r->mask, &r->mask_slab, first, n);
    if (status == RUG_OK)
        status = read_one(r, &r->labels, &r->labels_slab, first, n);
    return status;
}

/* The slice of a slab at one place of an axis. Columns of bits become bytes, as they have no stride.
 *  @param bytes  room for them, a part of r->columns */
static rug_image slice_of(const rug_image *slab, int axis, size_t at, uint8_t *bytes)
{
    rug_image out = *slab;
    const int axes[3][2] = {{1, 2}, {0, 2}, {0, 1}};
    out.ndim = 2;
    for (int a = 0; a < 2; a++) {
        out.shape[a] = slab->shape[axes[axis][a]];
        out.stride[a] = slab->stride[axes[axis][a]];
    }
    if (axis < 2 || slab->dtype != RUG_BIT) {
        out.data = (const char *)slab->data + (ptrdiff_t)at * slab->stride[axis];
        return out;
    }
    for (size_t z = 0; z < out.shape[0]; z++)
        for (size_t y = 0; y < out.shape[1]; y++) {
            const uint8_t *row = (const uint8_t *)slab->data +
                                 (ptrdiff_t)z * slab->stride[0] +
                                 (ptrdiff_t)y * slab->stride[1];
            bytes[z * out.shape[1] + y] = row[at / 8] >> (at % 8) & 1;
        }
    out.data = bytes;
    out.dtype = RUG_U8;
    out.stride[0] = (ptrdiff_t)out.shape[1];
    out.stride[1] = 1;
    return out;
}

/* Fills in what a slab has of the slice at one place of an axis. */
static rug_status fill_slice(reading *r, filling *f, int axis, size_t at)
{
    const rug_image *slabs[3] = {&r->slab, &r->mask_slab, &r->labels_slab};
    const rug_source *sources[3] = {&r->image, &r->mask, &r->labels};
    const rug_image *given[3] = {NULL, NULL, NULL};
    rug_image slices[3];
    const size_t n_bytes = r->slab.shape[0] * r->slab.shape[1];
    for (int i = 0; i < 3; i++)
        if (sources[i]->ndim > 0) {
            slices[i] = slice_of(slabs[i], axis, at, r->columns + (size_t)i * n_bytes);
            given[i] = &slices[i];
        }
    return fill(r, f, given[0], given[1], given[2]);
}

static rug_status fill_slab(reading *r, filling *f, size_t first, size_t n)
{
    const rug_source *s = &r->image;
    if (s->ndim == 2)
        return fill(r, &f[0], &r->slab, r->mask.ndim > 0 ? &r->mask_slab : NULL,
                    r->labels.ndim > 0 ? &r->labels_slab : NULL);
    rug_status status = RUG_OK;
    size_t middle = s->shape[0] / 2;
    if (middle >= first && middle < first + n)
        status = fill_slice(r, &f[0], 0, middle - first);
    if (status == RUG_OK)
        status = fill_slice(r, &f[1], 1, s->shape[1] / 2);
    return status == RUG_OK ? fill_slice(r, &f[2], 2, s->shape[2] / 2) : status;
}

/* ---- The planes of a picture ---- */

/* Sizes of a plane: of pixels, and of it in the picture where a pixel of the shortest spacing is one. */
typedef struct extent {
    size_t pixels[2];
    double length[2];
} extent;

/* How long an axis is in pixels of the shortest spacing. */
static double length_of(const rug_image *img, int axis)
{
    double lo, hi, n = (double)img->shape[axis];
    if (img->ndim == 2 || !cli_is_unequal(&lo, &hi, img, CLI_ALL_AXES))
        return n;
    return n * fmin(img->spacing[axis] / lo, MOST_UNEQUAL);
}

/* @return how many planes there are */
static size_t find_extents(extent extents[CLI_MAX_PLANES], const rug_image *img)
{
    static const int axes[][2] = {{1, 2}, {0, 2}, {0, 1}};
    size_t n = img->ndim == 2 ? 1 : 3;
    for (size_t i = 0; i < n; i++)
        for (int a = 0; a < 2; a++) {
            int axis = n == 1 ? a : axes[i][a];
            extents[i].pixels[a] = img->shape[axis];
            extents[i].length[a] = length_of(img, axis);
        }
    return n;
}

/* By how much all planes are reduced, so that no side of the picture is above the limit; at most 1. */
static double find_scale(const extent *extents, size_t n, size_t limit)
{
    double height = 0, width = 0, room = (double)limit;
    for (size_t i = 0; i < n; i++) {
        height = fmax(height, extents[i].length[0]);
        width += extents[i].length[1];
    }
    double room_in_width = n > 1 ? fmax(room - 2 * CLI_PLANE_GAP, 3) : room;
    return fmin(1, fmin(room / height, room_in_width / width));
}

static size_t scaled(double length, double scale)
{
    double side = floor(scale < 1 ? length * scale + ROUNDING : length + 0.5);
    return side > 1 ? (size_t)side : 1;
}

/* Whether the first row along an axis belongs below: the axis goes mostly to the front or up, in the space
 * of formats whose axes go to the right, to the front and up. */
static int goes_up(const rug_file_facts *facts, int axis)
{
    static const char *const bodies[] = {"sform", "qform", "DICOM", "NRRD", "MetaImage"};
    const double front = facts->affine[1][axis], up = facts->affine[2][axis];
    int is_of_body = 0;
    for (size_t i = 0; facts->located_by != NULL && i < sizeof bodies / sizeof *bodies;
         i++)
        is_of_body |= strcmp(facts->located_by, bodies[i]) == 0;
    return is_of_body &&
           (fabs(up) > fabs(front) ? up : front) > fabs(facts->affine[0][axis]);
}

/* Adds the planes and begins to fill them.
 *  @param f  [CLI_MAX_PLANES], to be ended also after a failure */
static rug_status begin_planes(reading *r, filling *f, const rug_image *img, size_t limit)
{
    extent extents[CLI_MAX_PLANES];
    size_t n = find_extents(extents, img);
    double scale = find_scale(extents, n, limit);
    unsigned parts = (r->shown->foreground != NULL ? CLI_PLANE_SET : 0) |
                     (r->mask.ndim > 0 ? CLI_PLANE_INSIDE : 0) |
                     (r->labels.ndim > 0 ? CLI_PLANE_LABEL : 0);
    rug_status status = RUG_OK;
    for (size_t i = 0; i < n && status == RUG_OK; i++) {
        const extent *e = &extents[i];
        cli_plane shape = {.height = scaled(e->length[0], scale),
                           .width = scaled(e->length[1], scale)};
        shape.n_rows = e->pixels[0] < shape.height ? e->pixels[0] : shape.height;
        shape.n_columns = e->pixels[1] < shape.width ? e->pixels[1] : shape.width;
        status = cli_add_plane(r->run, r->picture, &shape, parts);
        if (status == RUG_OK)
            status = begin_filling(r->run, &f[i], &r->picture->planes[i], e->pixels[0],
                                   e->pixels[1]);
        f[i].is_reversed = n > 1 && goes_up(r->facts, i == 0 ? 1 : 0);
    }
    return status;
}

/* ---- Reading ---- */

/* Room for what is read of a slab of n layers. */
static rug_status allocate(reading *r, size_t n)
{
    const rug_source *s = &r->image;
    rug_context *ctx = r->run->ctx;
    size_t longest = s->shape[s->ndim - 1];
    if (s->ndim == 3 && s->shape[1] > longest)
        longest = s->shape[1];
    r->n_flags = longest > BLOCK_PIXELS ? longest : BLOCK_PIXELS;
    r->set = rug_context_allocate(ctx, r->n_flags, 1, "an overlay");
    r->inside = rug_context_allocate(ctx, r->n_flags, 1, "an overlay");
    r->labelled = rug_context_allocate(ctx, r->n_flags, 1, "an overlay");
    r->row = rug_context_allocate(ctx, longest, sizeof *r->row, "an overlay");
    r->columns =
        rug_context_allocate(ctx, s->ndim == 3 ? n : 0, 3 * s->shape[1], "an overlay");
    return r->set != NULL && r->inside != NULL && r->labelled != NULL && r->row != NULL &&
                   r->columns != NULL
               ? RUG_OK
               : RUG_E_NOMEM;
}

static void release(reading *r)
{
    rug_context *ctx = r->run->ctx;
    rug_context_release(ctx, r->set);
    rug_context_release(ctx, r->inside);
    rug_context_release(ctx, r->labelled);
    rug_context_release(ctx, r->row);
    rug_context_release(ctx, r->columns);
}

static rug_status read_all(reading *r, filling *f)
{
    size_t layers = rug_source_layers(&r->image, SLAB_BYTES), n = r->image.shape[0];
    rug_status status = allocate(r, layers);
    for (size_t z = 0; z < n && status == RUG_OK; z += layers) {
        size_t k = n - z < layers ? n - z : layers;
        status = read_slab(r, z, k);
        if (status == RUG_OK)
            status = fill_slab(r, f, z, k);
    }
    release(r);
    return status;
}

/* The coarsest level of a pyramid that is not below the limit, where an image is not in memory and goes
 * alone: a mask and labels are those of the level that was measured.
 *  @param out  to be freed; NULL: there is none that serves */
static void find_level(cli_run *run, rug_file **out, const cli_image *image,
                       const cli_shown *shown, size_t limit)
{
    const rug_image *img = image->pixels;
    int longest = img->shape[0] < img->shape[1];
    *out = NULL;
    if (img->ndim != 2 || img->data != NULL || image->mask_path != NULL ||
        shown->labels != NULL)
        return;
    for (int level = image->facts->n_levels - 1; level > image->facts->level; level--) {
        if (cli_open_level(run, out, image, level) != RUG_OK)
            continue;
        const rug_image *small = rug_file_image(*out);
        if (small->ndim == 2 && small->shape[longest] >= limit)
            return;
        rug_file_free(*out);
        *out = NULL;
    }
}

static rug_status show(cli_run *run, const cli_image *image, const cli_shown *shown,
                       size_t limit, const cli_picture_end *end)
{
    cli_picture picture = {.n_planes = 0};
    filling f[CLI_MAX_PLANES] = {{.plane = NULL}};
    reading r = {.run = run,
                 .shown = shown,
                 .facts = image->facts,
                 .image = image->source,
                 .picture = &picture};
    rug_file *level;
    find_level(run, &level, image, shown, limit);
    if (level != NULL)
        r.image = *rug_file_source(level);
    if (image->mask_path != NULL)
        r.mask = image->mask;
    if (shown->labels != NULL)
        r.labels = *shown->labels;
    if (image->pixels->dtype == RUG_BIT) {
        picture.has_range = 1;
        picture.white = 1;
    }
    rug_status status =
        begin_planes(&r, f, level != NULL ? rug_file_image(level) : image->pixels, limit);
    if (status == RUG_OK)
        status = read_all(&r, f);
    if (status == RUG_OK)
        status = cli_end_picture(run, &picture, end);
    for (int i = 0; i < CLI_MAX_PLANES; i++)
        end_filling(run, &f[i]);
    cli_free_picture(run, &picture);
    rug_file_free(level);
    return status;
}

/* ---- The page ---- */

/* Pixels in memory that may be read some times. */
#define CHEAP_PIXELS ((uint64_t)1 << 24)

/* What is shown. */
typedef struct view {
    const cli_image *image;
    const cli_shown *shown;
} view;

static rug_status encode(cli_run *run, const void *of, size_t limit, unsigned char **png,
                         size_t *n)
{
    const view *v = of;
    return show(run, v->image, v->shown, limit, &(cli_picture_end){.png = png, .n = n});
}

static rug_status show_on_page(cli_run *run, const cli_image *image,
                               const cli_shown *shown)
{
    const view v = {image, shown};
    char alt[120];
    snprintf(alt, sizeof alt, "the %s in grey%s%s%s",
             image->pixels->ndim == 2 ? "image" : "middle slices of the volume",
             shown->foreground != NULL ? ", what was counted in colour" : "",
             shown->labels != NULL ? ", labels outlined" : "",
             image->mask_path != NULL ? ", darker outside of the mask" : "");
    int is_cheap =
        image->pixels->data != NULL && rug_image_pixels(image->pixels) <= CHEAP_PIXELS;
    const cli_making page = {image->name, alt, encode, &v, !is_cheap, 0, 1};
    return cli_fit_picture(run, &page);
}

rug_status cli_show_image(cli_run *run, const cli_image *image, const cli_shown *shown)
{
    const cli_picture_end end = {.name = image->name};
    rug_status status = RUG_OK;
    if (run->common.overlay == NULL && run->html == NULL)
        return RUG_OK;
    cli_phase(run, 1);
    if (run->common.overlay != NULL)
        status = show(run, image, shown, CLI_OVERLAY_LIMIT, &end);
    return status == RUG_OK ? show_on_page(run, image, shown) : status;
}
