/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The decoder of version 3: patches are read and put into the plane one after the other. */

#include "ifs_patch_decode.h"
#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include <string.h>

/* One plane at work. */
typedef struct reader {
    rugi_ifs_patch_reading *r;
    rugi_ifs_patch_coding coding;
    rugi_ifs_coder coder;
    rugi_ifs_patch_map *map;
    rugi_ifs_edges edges;
    int32_t coefs[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK];
    uint16_t places[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK];
    int32_t missing[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK];
    int16_t *prediction, *scratch; /* [n][n] of the largest patch */
    uint32_t delta;                /* of the root */
    rug_status status;             /* what fn returned */
} reader;

/* What ends the decoding of a plane before its time. */
static int is_over(const reader *r)
{
    return r->coder.failed || r->status != RUG_OK ||
           (r->r->is_partial && r->coder.n_bytes > r->coder.capacity);
}

static void forget_coefs(reader *r, const rugi_ifs_patch *patch)
{
    for (unsigned i = 0; i < patch->n_places; i++)
        r->coefs[patch->places[i]] = 0;
}

/* ---- Patches that are larger than coded ---- */

/* What is predicted at a larger size is not quite what the encoder saw, and errors would grow from
 * patch to patch. So each patch is moved to where its means are those of the patch as coded: what is
 * missing of them is added, interpolated between their centres. */

#define CORRECTIONS 2

/* What is missing of the means of a patch, in side² numbers. */
static void compare(const reader *r, const rugi_ifs_patch *patch, const int16_t *large,
                    int32_t *missing)
{
    const rugi_ifs_patch_plane *plane = r->r->plane, *coded = r->r->coded;
    unsigned octave = r->r->tools->octave;
    size_t side = rugi_ifs_side(patch->level), unit = (size_t)1 << octave;
    const int16_t *from = coded->samples + patch->y * coded->pitch + patch->x;
    for (size_t y = 0; y < side; y++)
        for (size_t x = 0; x < side; x++) {
            const int16_t *at = large + y * unit * plane->pitch + x * unit;
            int32_t sum = 1 << (2 * octave - 1);
            for (size_t j = 0; j < unit; j++)
                for (size_t i = 0; i < unit; i++)
                    sum += at[j * plane->pitch + i];
            missing[y * side + x] = from[y * coded->pitch + x] - (sum >> 2 * octave);
        }
}

/* The two numbers that a place lies between, of `side`, and how far behind the first one, in
 * 1 / (2 unit). */
typedef struct place {
    size_t first, second;
    int32_t part;
} place;

static place place_of(size_t at, size_t side, size_t unit)
{
    ptrdiff_t from = 2 * (ptrdiff_t)at + 1 - (ptrdiff_t)unit;
    size_t twice = 2 * unit, first = from < 0 ? 0 : (size_t)from / twice;
    return (place){first, first + 1 < side ? first + 1 : first,
                   from < 0 ? 0 : (int32_t)((size_t)from % twice)};
}

static void add_missing(const reader *r, const rugi_ifs_patch *patch, int16_t *large,
                        const int32_t *missing)
{
    unsigned octave = r->r->tools->octave;
    size_t side = rugi_ifs_side(patch->level), unit = (size_t)1 << octave;
    int32_t all = (int32_t)(2 * unit);
    for (size_t y = 0; y < side * unit; y++) {
        place v = place_of(y, side, unit);
        const int32_t *a = missing + v.first * side, *b = missing + v.second * side;
        for (size_t x = 0; x < side * unit; x++) {
            place h = place_of(x, side, unit);
            int64_t upper =
                (int64_t)a[h.first] * (all - h.part) + (int64_t)a[h.second] * h.part;
            int64_t lower =
                (int64_t)b[h.first] * (all - h.part) + (int64_t)b[h.second] * h.part;
            int64_t sum = upper * (all - v.part) + lower * v.part;
            int16_t *to = large + y * r->r->plane->pitch + x;
            *to =
                rugi_ifs_clip(*to + (int32_t)rugi_ifs_shift(sum, -2 * ((int)octave + 1)));
        }
    }
}

static void correct(reader *r, const rugi_ifs_patch *patch)
{
    const rugi_ifs_patch_plane *plane = r->r->plane;
    unsigned octave = r->r->tools->octave;
    int16_t *large = plane->samples + ((size_t)patch->y << octave) * plane->pitch +
                     ((size_t)patch->x << octave);
    for (int i = 0; i < CORRECTIONS; i++) {
        compare(r, patch, large, r->missing);
        add_missing(r, patch, large, r->missing);
    }
}

/* ---- Patches ---- */

static void read_patch(reader *r, uint32_t x, uint32_t y, unsigned level)
{
    const rugi_ifs_patch_reading *reading = r->r;
    rugi_ifs_patch patch = {
        .x = x, .y = y, .level = (uint8_t)level, .coefs = r->coefs, .places = r->places};
    rugi_ifs_code_patch(&r->coding, &patch);
    if (!is_over(r)) {
        rugi_ifs_read_edges(&r->edges, reading->plane, reading->tools->octave, x, y,
                            level);
        rugi_ifs_predict(r->prediction, r->scratch, reading->tools, reading->plane,
                         &r->edges, &patch);
        rugi_ifs_finish_patch(reading->tools, reading->plane, &patch, r->prediction,
                              r->delta);
        if (reading->coded != NULL)
            correct(r, &patch);
        rugi_ifs_patch_enter(r->map, &patch);
        if (reading->watch != NULL)
            r->status = reading->watch->fn(reading->watch->user, reading->index,
                                           reading->plane, &patch);
    }
    forget_coefs(r, &patch);
}

static void read_block(reader *r, uint32_t x, uint32_t y, unsigned level)
{
    if (level == RUGI_IFS_LEVELS - 1 ||
        !rugi_ifs_code_patch_split(&r->coding, x, y, level, 0)) {
        read_patch(r, x, y, level);
        return;
    }
    uint32_t half = rugi_ifs_side(level) / 2;
    for (unsigned quarter = 0; quarter < 4 && !is_over(r); quarter++)
        read_block(r, x + (quarter & 1) * half, y + (quarter >> 1) * half, level + 1);
}

static void read_root(reader *r, uint32_t column, uint32_t row)
{
    const rugi_ifs_patch_frame *frame = &r->r->plane->frame;
    int offset = 0;
    if (frame->has_offsets) {
        offset = rugi_ifs_code_offset(&r->coding, column, row, 0);
        r->map->offsets[row * (r->map->pitch / 8) + column] = (int8_t)offset;
    }
    r->delta = rugi_ifs_root_delta(frame->delta, offset);
    read_block(r, column * RUGI_IFS_BLOCK, row * RUGI_IFS_BLOCK, 0);
}

static rug_status read_roots(rug_context *ctx, reader *r)
{
    uint32_t nx = r->r->plane->frame.nx / RUGI_IFS_BLOCK,
             ny = r->r->plane->frame.ny / RUGI_IFS_BLOCK;
    rug_status status = RUG_OK;
    for (uint32_t row = 0; row < ny && !is_over(r) && status == RUG_OK; row++) {
        for (uint32_t column = 0; column < nx && !is_over(r); column++) {
            read_root(r, column, row);
            r->r->n_roots += !is_over(r);
        }
        status = rugi_look(ctx);
    }
    if (status == RUG_OK)
        status = r->status;
    if (status == RUG_OK && r->coder.failed && !r->r->is_partial)
        status = rug_context_fail(ctx, RUG_E_FORMAT,
                                  "the stream has patches that cannot be: it is damaged");
    return status;
}

rug_status rugi_ifs_read_patches(rug_context *ctx, rugi_ifs_patch_reading *reading)
{
    static const char what[] = "decoder of patches";
    size_t n = (size_t)RUGI_IFS_BLOCK << reading->tools->octave;
    reader *r = rugi_allocate_zeros(ctx, 1, sizeof *r, what);
    rug_status status = RUG_E_NOMEM;
    reading->n_roots = 0;
    if (r == NULL)
        return RUG_E_NOMEM;
    r->r = reading;
    r->map = reading->map;
    r->prediction = rug_context_allocate(ctx, 2 * n * n, sizeof *r->prediction, what);
    rugi_ifs_patch_model *model =
        rug_context_allocate(ctx, 1, rugi_ifs_patch_model_bytes(), what);
    if (r->prediction != NULL && model != NULL) {
        r->scratch = r->prediction + n * n;
        rugi_ifs_patch_model_begin(model, reading->plane->frame.has_luma);
        rugi_ifs_read_begin(&r->coder, reading->bytes, reading->n_bytes);
        r->coding = (rugi_ifs_patch_coding){&r->coder, model, reading->map,
                                            reading->before, &reading->plane->frame};
        status = read_roots(ctx, r);
    }
    rug_context_release(ctx, model);
    rug_context_release(ctx, r->prediction);
    rug_context_release(ctx, r);
    return status;
}
