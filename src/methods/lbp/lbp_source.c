/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns of a source: slabs of rows, each read once. Rows that circles reach
 * across the border of two slabs are copied together; all others are coded where they
 * lie. */

#include "lbp_run.h"
#include "source_internal.h"
#include <string.h>

/* The last rows that have been read, of the image or of the mask, and the first of the slab
 * at hand. */
typedef struct seam {
    rug_image rows; /* its cells are owned */
    size_t row_bytes;
} seam;

/* What the slabs of a source make. */
typedef struct stream {
    rugi_lbp_run run;
    size_t reach; /* rows above and below of a centre */
    size_t first; /* row of the image that is the first of the seams */
    size_t n;     /* rows of the seams */
    size_t next;  /* row that is to be coded next */
    seam image, mask;
} stream;

static rug_status make_seam(rug_context *ctx, seam *s, const rug_source *source,
                            size_t reach)
{
    size_t size = rug_dtype_size(source->dtype), nx = source->shape[1];
    s->row_bytes = source->dtype == RUG_BIT ? (nx + 7) / 8 : nx * size;
    void *cells =
        rug_context_allocate(ctx, 2 * reach + 1, s->row_bytes, "rows between slabs");
    s->rows = (rug_image){.data = cells,
                          .dtype = source->dtype,
                          .ndim = 2,
                          .shape = {0, nx},
                          .stride = {(ptrdiff_t)s->row_bytes, (ptrdiff_t)size}};
    return cells != NULL ? RUG_OK : RUG_E_NOMEM;
}

static char *cells_of(const seam *s, size_t row)
{
    return (char *)(uintptr_t)s->rows.data + row * s->row_bytes;
}

/* Copies rows of a slab behind the first `at` of a seam. */
static void append(seam *s, size_t at, const rug_image *slab, size_t first, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *row =
            (const char *)slab->data + (ptrdiff_t)(first + i) * slab->stride[0];
        if (slab->dtype == RUG_BIT)
            memcpy(cells_of(s, at + i), row, s->row_bytes);
        else
            rugi_gather(cells_of(s, at + i), row, slab->shape[1], slab->stride[1],
                        rug_dtype_size(slab->dtype));
    }
}

/* Codes all rows that can be, when rows first .. end - 1 of the image are at hand. */
static rug_status code_rows(rug_context *ctx, stream *s, const rug_image *rows,
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
static void keep_last(const stream *s, seam *m, size_t n, const rug_image *slab)
{
    if (slab->shape[0] >= s->reach)
        append(m, 0, slab, slab->shape[0] - s->reach, s->reach);
    else if (n > s->reach)
        memmove(cells_of(m, 0), cells_of(m, n - s->reach), s->reach * m->row_bytes);
}

static void join(stream *s, const rug_image *slab, const rug_image *mask, size_t n)
{
    append(&s->image, s->n, slab, 0, n);
    if (s->run.has_mask)
        append(&s->mask, s->n, mask, 0, n);
    s->n += n;
}

/* Coded are first the rows about the border of the slab before and this one, then those
 * inside of this one. */
static rug_status add_slab(rug_context *ctx, void *user, const rug_image *slab,
                           const rug_image *mask, size_t first)
{
    stream *s = user;
    size_t n = slab->shape[0], head = n < s->reach ? n : s->reach;
    rugi_phase outer = rugi_phase_enter(ctx, 0, n > head ? 0.1 : 1);
    join(s, slab, mask, head);
    rug_status status =
        code_rows(ctx, s, &s->image.rows, &s->mask.rows, s->first, s->first + s->n);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, 0.1, 1);
    if (status == RUG_OK && n > head)
        status = code_rows(ctx, s, slab, mask, first, first + n);
    rugi_phase_leave(ctx, outer);
    keep_last(s, &s->image, s->n, slab);
    if (s->run.has_mask)
        keep_last(s, &s->mask, s->n, mask);
    size_t end = first + n;
    s->n = end < s->reach ? end : s->reach;
    s->first = end - s->n;
    return status;
}

static rug_status run_source(rug_context *ctx, rug_lbp_result **out,
                             const rug_source *source, const rug_source *mask,
                             const rug_lbp_options *opts)
{
    stream s = {.run = {.opts = opts,
                        .nx = source->shape[1],
                        .ny = source->shape[0],
                        .has_mask = mask != NULL}};
    rug_status status = rugi_lbp_run_begin(ctx, &s.run);
    s.reach = s.run.plan.above + s.run.plan.below;
    if (status == RUG_OK)
        status = make_seam(ctx, &s.image, source, s.reach);
    if (status == RUG_OK && mask != NULL)
        status = make_seam(ctx, &s.mask, mask, s.reach);
    if (status == RUG_OK)
        status = rugi_source_for_slabs(ctx, source, mask, add_slab, &s);
    if (status == RUG_OK) {
        rugi_lbp_result_close(s.run.result);
        *out = s.run.result;
    } else {
        rug_lbp_free(s.run.result);
    }
    rug_context_release(ctx, (void *)(uintptr_t)s.mask.rows.data);
    rug_context_release(ctx, (void *)(uintptr_t)s.image.rows.data);
    rugi_lbp_run_end(ctx, &s.run);
    return status;
}

static rug_status check(rug_context *ctx, const rug_source *source,
                        const rug_source *mask, const rug_lbp_options *opts)
{
    rug_status status = rugi_source_check(ctx, source, mask);
    if (status == RUG_OK)
        status = rug_lbp_check_options(ctx, opts);
    if (status != RUG_OK)
        return status;
    if (source->ndim != 2 || opts->planes != RUG_LBP_PLANES_NONE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "planes of a volume are coded when it is in memory: read "
                                "it whole, and its mask");
    if (opts->labels != NULL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "labels are counted when the image is in memory: read it "
                                "whole, and its mask");
    return RUG_OK;
}

rug_status rug_lbp_source(rug_context *ctx, rug_lbp_result **out,
                          const rug_source *source, const rug_source *mask,
                          const rug_lbp_options *opts)
{
    static const rug_lbp_options defaults = RUG_LBP_OPTIONS_INIT;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || source == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_source: NULL given");
    if (opts == NULL)
        opts = &defaults;
    if (!rugi_options_fit(ctx, opts->struct_size, sizeof *opts, "rug_lbp_options"))
        return RUG_E_ARG;
    rug_lbp_options o = *opts;
    o.mask = NULL;
    if (rugi_source_is_memory(source) && (mask == NULL || rugi_source_is_memory(mask))) {
        o.mask = mask != NULL ? mask->user : NULL;
        return rug_lbp(ctx, out, source->user, &o);
    }
    rug_status status = check(ctx, source, mask, &o);
    return status == RUG_OK ? run_source(ctx, out, source, mask, &o) : status;
}
