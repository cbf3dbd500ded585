/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pictures of decoded planes, and what is freed of fractal coding. */

#include "ifs_picture.h"
#include "core/context/threads.h"
#include "ifs_decode.h"
#include <string.h>

void rug_ifs_stream_free(rug_context *ctx, rug_ifs_stream *stream)
{
    if (stream == NULL)
        return;
    rug_context_release(ctx, stream->bytes);
    memset(stream, 0, sizeof *stream);
}

void rug_ifs_picture_free(rug_context *ctx, rug_ifs_picture *picture)
{
    if (picture == NULL)
        return;
    rug_context_release(ctx, picture->pixels);
    memset(picture, 0, sizeof *picture);
}

rug_status rugi_ifs_picture_new(rug_context *ctx, rug_ifs_picture *picture,
                                const rugi_ifs_header *header, uint32_t nx, uint32_t ny)
{
    memset(picture, 0, sizeof *picture);
    picture->pixels = rug_context_allocate(
        ctx, (size_t)nx * ny, (header->depth / 8) * (size_t)header->n_planes, "picture");
    if (picture->pixels == NULL)
        return RUG_E_NOMEM;
    picture->dtype = header->depth == 16 ? RUG_U16 : RUG_U8;
    picture->n_planes = header->n_planes;
    picture->nx = nx;
    picture->ny = ny;
    return RUG_OK;
}

/* Rows that are a task. */
#define TASK 32

typedef struct filling {
    rug_ifs_picture *picture;
    const rugi_ifs_header *header;
    const rugi_ifs_view *planes;
} filling;

static void put(const filling *f, int plane, size_t y, size_t x, int32_t gray)
{
    const rug_ifs_picture *p = f->picture;
    size_t pixel = ((size_t)plane * p->ny + y) * p->nx + x;
    if (p->dtype == RUG_U16)
        ((uint16_t *)p->pixels)[pixel] = (uint16_t)gray;
    else
        ((uint8_t *)p->pixels)[pixel] = (uint8_t)gray;
}

static void put_colours(const filling *f, size_t y)
{
    unsigned depth = f->header->depth;
    int32_t c[3], most = (1 << depth) - 1;
    for (size_t x = 0; x < f->picture->nx; x++) {
        for (int i = 0; i < 3; i++)
            c[i] = rugi_ifs_gray(f->planes[i].pixels[y * f->planes[i].pitch + x],
                                 depth + (i > 0));
        rugi_ifs_from_ycocg(c, depth);
        for (int i = 0; i < 3; i++)
            put(f, i, y, x, c[i] < 0 ? 0 : c[i] > most ? most : c[i]);
    }
}

static void put_grays(const filling *f, int plane, size_t y)
{
    const rug_ifs_picture *p = f->picture;
    const int32_t *values = f->planes[plane].pixels + y * f->planes[plane].pitch;
    size_t at = ((size_t)plane * p->ny + y) * p->nx, n = p->nx;
    unsigned depth = f->header->depth;
    if (p->dtype == RUG_U16)
        for (size_t i = 0; i < n; i++)
            ((uint16_t *)p->pixels)[at + i] = (uint16_t)rugi_ifs_gray(values[i], depth);
    else
        for (size_t i = 0; i < n; i++)
            ((uint8_t *)p->pixels)[at + i] = (uint8_t)rugi_ifs_gray(values[i], depth);
}

static void fill_rows(void *shared, size_t task, int thread)
{
    const filling *f = shared;
    size_t ny = f->picture->ny, y = task * TASK, to = ny - y < TASK ? ny : y + TASK;
    (void)thread;
    for (; y < to; y++)
        if (f->header->is_ycocg)
            put_colours(f, y);
        else
            for (int plane = 0; plane < f->header->n_planes; plane++)
                put_grays(f, plane, y);
}

rug_status rugi_ifs_picture_fill(rug_context *ctx, rug_ifs_picture *picture,
                                 const rugi_ifs_header *header,
                                 const rugi_ifs_view *planes)
{
    filling f = {picture, header, planes};
    return rugi_parallel_for(ctx, (picture->ny + TASK - 1) / TASK, fill_rows, &f);
}
