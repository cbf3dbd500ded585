/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pictures of decoded planes, and what is freed of fractal coding. */

#include "ifs_picture.h"
#include "ifs_decode.h"
#include "threads.h"
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
    rug_context_release(ctx, picture->cells);
    memset(picture, 0, sizeof *picture);
}

rug_status rugi_ifs_picture_new(rug_context *ctx, rug_ifs_picture *picture,
                                const rugi_ifs_header *header, uint32_t nx, uint32_t ny)
{
    memset(picture, 0, sizeof *picture);
    picture->cells = rug_context_allocate(
        ctx, (size_t)nx * ny, (header->depth / 8) * (size_t)header->n_planes, "picture");
    if (picture->cells == NULL)
        return RUG_E_NOMEM;
    picture->dtype = header->depth == 16 ? RUG_U16 : RUG_U8;
    picture->n_planes = header->n_planes;
    picture->nx = nx;
    picture->ny = ny;
    return RUG_OK;
}

typedef struct filling {
    rug_ifs_picture *picture;
    const rugi_ifs_header *header;
    int32_t *const *planes;
} filling;

static void put(const filling *f, int plane, size_t at, int32_t grey)
{
    const rug_ifs_picture *p = f->picture;
    size_t cell = (size_t)plane * p->nx * p->ny + at;
    if (p->dtype == RUG_U16)
        ((uint16_t *)p->cells)[cell] = (uint16_t)grey;
    else
        ((uint8_t *)p->cells)[cell] = (uint8_t)grey;
}

static void put_colour(const filling *f, size_t at)
{
    unsigned depth = f->header->depth;
    int32_t c[3], most = (1 << depth) - 1;
    for (int i = 0; i < 3; i++)
        c[i] = rugi_ifs_grey(f->planes[i][at], depth + (i > 0));
    rugi_ifs_from_ycocg(c, depth);
    for (int i = 0; i < 3; i++)
        put(f, i, at, c[i] < 0 ? 0 : c[i] > most ? most : c[i]);
}

static void fill_row(void *shared, size_t y, int thread)
{
    const filling *f = shared;
    size_t nx = f->picture->nx, at = y * nx, to = at + nx;
    (void)thread;
    if (f->header->is_ycocg) {
        for (; at < to; at++)
            put_colour(f, at);
        return;
    }
    for (int plane = 0; plane < f->header->n_planes; plane++)
        for (size_t i = at; i < to; i++)
            put(f, plane, i, rugi_ifs_grey(f->planes[plane][i], f->header->depth));
}

rug_status rugi_ifs_picture_fill(rug_context *ctx, rug_ifs_picture *picture,
                                 const rugi_ifs_header *header, int32_t *const *planes)
{
    filling f = {picture, header, planes};
    return rugi_parallel_for(ctx, picture->ny, fill_row, &f);
}
