/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Circles that touch a pixel that is NaN: whatever the engine made of them, their centres have no
 * code. */

#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include "lbp_run.h"
#include <math.h>
#include <string.h>

/* Rows of flags, with columns beside the image in which none is set. */
typedef struct flags {
    const rugi_lbp_run *run;
    const rugi_lbp_part *part;
    size_t from, to;   /* rows whose codes are at hand */
    size_t first, end; /* rows of flags: those that circles reach from there */
    size_t margin, width;
    uint8_t *flags;   /* [end - first][width] */
    uint8_t *any;     /* [end - first] whether one is set */
    uint8_t *touched; /* [threads][nx] */
    char *scratch;    /* [threads][RUGI_SEGMENT_PIXELS] of any dtype */
    int is_any;
} flags;

static uint8_t mark_nan(uint8_t *out, const void *pixels, rug_dtype dtype, size_t n)
{
    const float *f = pixels;
    const double *d = pixels;
    uint8_t any = 0;
    for (size_t i = 0; i < n; i++) {
        out[i] = (uint8_t)(dtype == RUG_F32 ? isnan(f[i]) != 0 : isnan(d[i]) != 0);
        any |= out[i];
    }
    return any;
}

static void flag_task(void *shared, size_t task, int thread)
{
    flags *s = shared;
    const rug_image rows = rugi_image_with_z(&s->part->rows);
    uint8_t *out = s->flags + task * s->width;
    void *scratch = s->scratch + (size_t)thread * RUGI_SEGMENT_PIXELS * sizeof(uint64_t);
    memset(out, 0, s->width);
    s->any[task] = 0;
    for (size_t x = 0; x < s->run->nx; x += RUGI_SEGMENT_PIXELS) {
        size_t n = rugi_smaller(s->run->nx - x, RUGI_SEGMENT_PIXELS);
        const size_t at[3] = {0, s->first + task - s->part->first_row, x};
        s->any[task] |=
            mark_nan(out + s->margin + x, rugi_image_segment(&rows, at, n, scratch),
                     rows.dtype, n);
    }
}

/* Adds the pixels of a row that lies so many rows and columns beside the centres. */
static void touch(const flags *s, uint8_t *touched, size_t y, int dy, int dx)
{
    ptrdiff_t row = (ptrdiff_t)y + dy - (ptrdiff_t)s->first;
    if (row < 0 || (size_t)row >= s->end - s->first || !s->any[row])
        return;
    const uint8_t *flag = s->flags + (size_t)row * s->width + s->margin + dx;
    for (size_t x = 0; x < s->run->nx; x++)
        touched[x] |= flag[x];
}

#define CLEAR(type, none)          \
    for (size_t x = 0; x < n; x++) \
        if (touched[x])            \
    ((type *)codes)[x] = (type)(none)

static void clear_codes(const rugi_lbp_operator *op, void *codes, const uint8_t *touched,
                        size_t n)
{
    switch (op->code_dtype) {
    case RUG_U8: CLEAR(uint8_t, op->no_code); break;
    case RUG_U16: CLEAR(uint16_t, op->no_code); break;
    case RUG_U32: CLEAR(uint32_t, op->no_code); break;
    default: CLEAR(double, NAN); break;
    }
}

static void clear_task(void *shared, size_t task, int thread)
{
    const flags *s = shared;
    const rugi_lbp_run *run = s->run;
    size_t nx = run->nx, y = s->from + task;
    uint8_t *touched = s->touched + (size_t)thread * nx;
    for (uint32_t i = 0; i < run->plan.n_operators; i++) {
        const rugi_lbp_operator *op = &run->plan.op[i];
        memset(touched, 0, nx);
        touch(s, touched, y, 0, 0);
        for (uint32_t k = 0; k < op->points; k++) {
            const rugi_lbp_point *p = &op->point[k];
            touch(s, touched, y, p->top, p->left);
            touch(s, touched, y, p->top, p->right);
            touch(s, touched, y, p->bottom, p->left);
            touch(s, touched, y, p->bottom, p->right);
        }
        for (size_t x = 0; x < nx && run->bins[i] != NULL; x++)
            if (touched[x])
                run->bins[i][task * nx + x] = RUGI_LBP_NO_BIN;
        if (run->codes[i] != NULL)
            clear_codes(
                op, (char *)run->codes[i] + task * nx * rug_dtype_size(op->code_dtype),
                touched, nx);
    }
}

static rug_status clear(rug_context *ctx, flags *s)
{
    size_t n = s->end - s->first;
    rug_status status = rugi_parallel_for(ctx, n, flag_task, s);
    for (size_t i = 0; i < n; i++)
        s->is_any |= s->any[i];
    return status == RUG_OK && s->is_any
               ? rugi_parallel_for(ctx, s->to - s->from, clear_task, s)
               : status;
}

rug_status rugi_lbp_leave_out_nan(rug_context *ctx, const rugi_lbp_run *run,
                                  const rugi_lbp_part *part, size_t from, size_t to)
{
    rug_dtype dtype = part->rows.dtype;
    size_t n_threads = (size_t)rug_context_threads(ctx);
    flags s = {.run = run, .part = part, .from = from, .to = to};
    if (dtype != RUG_F32 && dtype != RUG_F64)
        return RUG_OK;
    s.first = from > run->plan.above ? from - run->plan.above : 0;
    s.end = rugi_smaller(to + run->plan.below, run->ny);
    for (uint32_t i = 0; i < run->plan.n_operators; i++)
        s.margin = rugi_larger(
            s.margin, rugi_larger(run->plan.op[i].before, run->plan.op[i].behind));
    s.width = run->nx + 2 * s.margin;
    s.flags = rug_context_allocate(ctx, s.end - s.first, s.width, "flags of NaN");
    s.any = rug_context_allocate(ctx, s.end - s.first, 1, "flags of NaN");
    s.touched = rug_context_allocate(ctx, n_threads, run->nx, "flags of circles");
    s.scratch = rug_context_allocate(
        ctx, n_threads, RUGI_SEGMENT_PIXELS * sizeof(uint64_t), "rows of pixels");
    rug_status status =
        s.flags != NULL && s.any != NULL && s.touched != NULL && s.scratch != NULL
            ? clear(ctx, &s)
            : RUG_E_NOMEM;
    rug_context_release(ctx, s.scratch);
    rug_context_release(ctx, s.touched);
    rug_context_release(ctx, s.any);
    rug_context_release(ctx, s.flags);
    return status;
}
