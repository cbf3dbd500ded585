/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counts the pixels of an overlay again, by their colours:
 *
 *     recount OVERLAY.png [COUNTED.nii|Y,X ...]
 *
 * prints its size, how many pixels say that they were counted, how many are outlines and how many are not
 * grey. With what --save-volume wrote it prints at how many pixels the picture differs from that; a volume is
 * compared by its three slices, where they stand side by side, turned so that a body has its front and its head
 * above. Y,X prints the colour of a pixel. */

#include <math.h>
#include <rugose/io.h>
#include <stdio.h>
#include <stdlib.h>

#define GAP 8

typedef struct overlay {
    size_t height, width;
    rug_image planes[3];
} overlay;

static rug_context *ctx;

static void must(rug_status status)
{
    if (status == RUG_OK)
        return;
    fprintf(stderr, "recount: %s\n", rug_context_error(ctx));
    exit(1);
}

static uint8_t sample(const overlay *o, int plane, size_t y, size_t x)
{
    const rug_image *p = &o->planes[plane];
    return ((const uint8_t *)
                p->data)[(ptrdiff_t)y * p->stride[0] + (ptrdiff_t)x * p->stride[1]];
}

static int is(const overlay *o, size_t y, size_t x, int red, int green, int blue)
{
    return sample(o, 0, y, x) == red && sample(o, 1, y, x) == green &&
           sample(o, 2, y, x) == blue;
}

static int is_counted(const overlay *o, size_t y, size_t x)
{
    return sample(o, 0, y, x) > sample(o, 2, y, x) || is(o, y, x, 86, 180, 255);
}

/* Whether a voxel was counted. */
static int is_set(const rug_image *set, size_t z, size_t y, size_t x)
{
    const char *at = set->data;
    int a = 0;
    if (set->ndim == 3)
        at += (ptrdiff_t)z * set->stride[a++];
    return at[(ptrdiff_t)y * set->stride[a] + (ptrdiff_t)x * set->stride[a + 1]] != 0;
}

/* Whether an axis runs to the front of a body, or up, more than to its side. */
static int runs_up(const rug_file *file, int axis)
{
    const rug_file_facts *f = rug_file_get_facts(file);
    int most = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(f->affine[i][axis]) > fabs(f->affine[most][axis]))
            most = i;
    return f->located_by != NULL && most > 0 && f->affine[most][axis] > 0;
}

/* Pixels of a slice across an axis that differ from the picture from `left` on. */
static size_t compare(const overlay *o, const rug_file *file, int across, size_t left)
{
    const rug_image *set = rug_file_image(file);
    const int first = set->ndim - 3, down = across == 0 ? 1 : 0;
    const int is_turned = set->ndim == 3 && set->shape[0] > 1 && runs_up(file, down);
    size_t shape[3] = {1, set->shape[1 + first], set->shape[2 + first]}, n = 0;
    if (set->ndim == 3)
        shape[0] = set->shape[0];
    size_t begin[3] = {0, 0, 0}, end[3] = {shape[0], shape[1], shape[2]};
    begin[across] = shape[across] / 2;
    end[across] = begin[across] + 1;
    for (size_t z = begin[0]; z < end[0]; z++)
        for (size_t y = begin[1]; y < end[1]; y++)
            for (size_t x = begin[2]; x < end[2]; x++) {
                size_t row = across == 0 ? y : z, column = left + (across == 2 ? y : x);
                if (is_turned)
                    row = shape[down] - 1 - row;
                n += row >= o->height || column >= o->width ||
                     is_counted(o, row, column) != is_set(set, z, y, x);
            }
    return n;
}

static void compare_all(const overlay *o, const char *path)
{
    rug_file *file;
    must(rug_file_read(ctx, &file, path, NULL));
    const rug_image *set = rug_file_image(file);
    size_t n = compare(o, file, 0, 0);
    if (set->ndim == 3 && set->shape[0] > 1) {
        n += compare(o, file, 1, set->shape[2] + GAP);
        n += compare(o, file, 2, 2 * (set->shape[2] + GAP));
    }
    printf("differs from what was counted at %zu pixels\n", n);
    rug_file_free(file);
}

static void count(const overlay *o)
{
    size_t n_counted = 0, n_coloured = 0, n_outline = 0;
    for (size_t y = 0; y < o->height; y++)
        for (size_t x = 0; x < o->width; x++) {
            n_counted += (size_t)is_counted(o, y, x);
            n_outline += (size_t)(is(o, y, x, 86, 180, 255) || is(o, y, x, 0, 90, 200));
            n_coloured += sample(o, 0, y, x) != sample(o, 1, y, x) ||
                          sample(o, 1, y, x) != sample(o, 2, y, x);
        }
    printf("%zux%zu: %zu counted, %zu outline, %zu not grey\n", o->height, o->width,
           n_counted, n_outline, n_coloured);
}

/* "Y,X": the colour of a pixel. @return 0: the word is none */
static int print_pixel(const overlay *o, const char *word)
{
    size_t y, x;
    if (sscanf(word, "%zu,%zu", &y, &x) != 2 || y >= o->height || x >= o->width)
        return 0;
    printf("%s: %d %d %d\n", word, sample(o, 0, y, x), sample(o, 1, y, x),
           sample(o, 2, y, x));
    return 1;
}

int main(int argc, char **argv)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    rug_file *file;
    overlay o;
    if (argc < 2 || rug_context_new(&ctx) != RUG_OK)
        return 2;
    opts.planes = 1;
    must(rug_file_read(ctx, &file, argv[1], &opts));
    for (int i = 0; i < 3; i++)
        o.planes[i] =
            rug_file_plane(file, rug_file_get_facts(file)->n_planes == 3 ? i : 0);
    o.height = o.planes[0].shape[0];
    o.width = o.planes[0].shape[1];
    count(&o);
    for (int i = 2; i < argc; i++)
        if (!print_pixel(&o, argv[i]))
            compare_all(&o, argv[i]);
    rug_file_free(file);
    rug_context_free(ctx);
    return 0;
}
