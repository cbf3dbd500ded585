/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Slabs of rows, each seen once. Rows that circles reach across the border of two slabs are
 * copied together; all others are coded where they lie. */

#include "lbp_stream.h"
#include "core/context/small.h"
#include "core/image/source_internal.h"
#include <string.h>

static rug_status make_seam(rug_context *ctx, rugi_lbp_seam *s, const rug_source *source,
                            size_t reach)
{
    const size_t size = rug_dtype_size(source->dtype), nx = source->shape[1];
    const size_t n_units = source->dtype == RUG_BIT ? (nx + 7) / 8 : nx;
    const size_t unit = source->dtype == RUG_BIT ? 1 : size;
    void *pixels =
        rug_context_allocate(ctx, n_units, (2 * reach + 1) * unit, "rows between slabs");
    s->row_bytes = n_units * unit;
    s->rows = (rug_image){.data = pixels,
                          .dtype = source->dtype,
                          .ndim = 2,
                          .shape = {0, nx},
                          .stride = {(ptrdiff_t)s->row_bytes, (ptrdiff_t)size}};
    return pixels != NULL ? RUG_OK : RUG_E_NOMEM;
}

static char *pixels_of(const rugi_lbp_seam *s, size_t row)
{
    return (char *)(uintptr_t)s->rows.data + row * s->row_bytes;
}

/* Copies n rows of a slab to a seam, after its first `at`. */
static void append(rugi_lbp_seam *s, size_t at, const rug_image *slab, size_t first,
                   size_t n)
{
    rug_image rows = *slab;
    rows.data = (const char *)slab->data + (ptrdiff_t)first * slab->stride[0];
    rows.shape[0] = n;
    if (n > 0)
        rugi_slab_copy(pixels_of(s, at), &rows);
}

/* Codes all rows that can be, when rows first .. end - 1 of the image are at hand. */
static rug_status code_rows(rug_context *ctx, rugi_lbp_stream *s, const rug_image *rows,
                            const rug_image *mask, size_t first, size_t end)
{
    rugi_lbp_part part = {.rows = *rows, .first_row = first, .from = s->next, .to = end};
    size_t below = s->run.plan.below;
    if (end < s->run.ny)
        part.to = end > below ? end - below : 0;
    if (part.to <= part.from)
        return RUG_OK;
    part.rows.shape[0] = end - first;
    if (s->run.has_mask) {
        part.mask = *mask;
        part.mask.shape[0] = end - first;
    }
    s->next = part.to;
    return rugi_lbp_run_part(ctx, &s->run, &part);
}

/* Keeps the last rows, for the next slab: of a seam that holds n rows by now. */
static void keep_last(const rugi_lbp_stream *s, rugi_lbp_seam *m, size_t n,
                      const rug_image *slab)
{
    if (slab->shape[0] >= s->reach)
        append(m, 0, slab, slab->shape[0] - s->reach, s->reach);
    else if (n > s->reach)
        memmove(pixels_of(m, 0), pixels_of(m, n - s->reach), s->reach * m->row_bytes);
}

static void join(rugi_lbp_stream *s, const rug_image *slab, const rug_image *mask,
                 size_t n)
{
    append(&s->image, s->n, slab, 0, n);
    if (s->run.has_mask)
        append(&s->mask, s->n, mask, 0, n);
    s->n += n;
}

/* Coded are first the rows about the border of the slab before and this one, then those
 * inside this one. */
rug_status rugi_lbp_stream_add(rug_context *ctx, void *stream, const rug_image *slab,
                               const rug_image *mask, size_t first)
{
    rugi_lbp_stream *s = stream;
    size_t n = slab->shape[0], head = rugi_smaller(n, s->reach);
    rug_status status = RUG_OK;
    join(s, slab, mask, head);
    RUGI_PHASE(
        ctx, 0, n > head ? 0.1 : 1, status,
        code_rows(ctx, s, &s->image.rows, &s->mask.rows, s->first, s->first + s->n));
    if (n > head)
        RUGI_PHASE(ctx, 0.1, 1, status, code_rows(ctx, s, slab, mask, first, first + n));
    keep_last(s, &s->image, s->n, slab);
    if (s->run.has_mask)
        keep_last(s, &s->mask, s->n, mask);
    size_t end = first + n;
    s->n = rugi_smaller(end, s->reach);
    s->first = end - s->n;
    return status;
}

rug_status rugi_lbp_stream_begin(rug_context *ctx, rugi_lbp_stream *stream,
                                 const rug_source *source, const rug_source *mask,
                                 const rug_regions *regions, const rug_lbp_options *opts)
{
    *stream = (rugi_lbp_stream){.run = {.opts = opts,
                                        .nx = source->shape[1],
                                        .ny = source->shape[0],
                                        .has_mask = mask != NULL,
                                        .regions = regions}};
    rug_status status = rugi_lbp_run_begin(ctx, &stream->run);
    stream->reach = stream->run.plan.above + stream->run.plan.below;
    if (status == RUG_OK)
        status = make_seam(ctx, &stream->image, source, stream->reach);
    if (status == RUG_OK && mask != NULL)
        status = make_seam(ctx, &stream->mask, mask, stream->reach);
    return status;
}

void rugi_lbp_stream_end(rug_context *ctx, rugi_lbp_stream *stream)
{
    rug_context_release(ctx, (void *)(uintptr_t)stream->mask.rows.data);
    rug_context_release(ctx, (void *)(uintptr_t)stream->image.rows.data);
    rugi_lbp_run_end(ctx, &stream->run);
}

rug_status rugi_lbp_run_source(rug_context *ctx, rug_lbp_result **out,
                               const rug_source *source, const rug_source *mask,
                               const rug_regions *regions, const rug_lbp_options *opts)
{
    rugi_lbp_stream s;
    rug_status status = rugi_lbp_stream_begin(ctx, &s, source, mask, regions, opts);
    if (status == RUG_OK)
        status = rugi_source_for_slabs(ctx, source, mask, rugi_lbp_stream_add, &s);
    if (status == RUG_OK) {
        rugi_lbp_result_close(s.run.result);
        *out = s.run.result;
    } else {
        rug_lbp_free(s.run.result);
    }
    rugi_lbp_stream_end(ctx, &s);
    return status;
}
