/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One plane of a tile to its bytes. Roots are decided in a wave (ifs_wave.h). Prices come from a
 * model for each row, which begins as the one above was when its first roots were decided. So what is
 * chosen does not depend on the threads. The bytes are written in order, by one model. */

#include "ifs_patch_encode.h"
#include "ifs/stream/ifs_isometry.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "encoder of patches";

rugi_ifs_patch_effort rugi_ifs_patch_effort_of(unsigned level)
{
    static const rugi_ifs_patch_effort efforts[] = {
        {.n_estimated = 1, .n_tried = 1, .n_angles = 4},
        {.n_estimated = 3, .n_tried = 1, .n_angles = 8},
        {.n_estimated = 6, .n_tried = 1, .n_angles = 8},
        {.n_estimated = 5, .n_tried = 2, .n_angles = 8},
        {.n_estimated = 8, .n_tried = 2, .n_angles = 8},
        {.n_estimated = 10, .n_tried = 3, .n_angles = 8},
        {.n_estimated = 12,
         .n_tried = 4,
         .n_angles = 16,
         .n_domains = 1,
         .domain_reach = 4},
        {.n_estimated = 16,
         .n_tried = 5,
         .n_angles = 32,
         .n_domains = 2,
         .domain_reach = 8},
        {.n_estimated = 24,
         .n_tried = 10,
         .n_angles = 32,
         .n_domains = 4,
         .domain_reach = 24},
    };
    return efforts[level - 1];
}

/* ---- Tables ---- */

static void make_functions(rugi_ifs_cosines *out,
                           double (*function)(unsigned, unsigned, double), unsigned level)
{
    unsigned n = rugi_ifs_side(level);
    double norm = sqrt(n);
    for (unsigned k = 0; k < n; k++)
        for (unsigned i = 0; i < n; i++) {
            float value = (float)(function(n, k, i + 0.5) / norm);
            out->basis[level][k * n + i] = value;
            out->transposed[level][i * n + k] = value;
        }
}

rug_status rugi_ifs_patch_tables_new(rug_context *ctx, rugi_ifs_patch_tables **out)
{
    rugi_ifs_patch_tables *t = rugi_allocate_zeros(ctx, 1, sizeof *t, what);
    *out = t;
    if (t == NULL)
        return RUG_E_NOMEM;
    rugi_ifs_patch_scan_make(&t->scan);
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++) {
        size_t side = rugi_ifs_side(level);
        make_functions(&t->cosines, rugi_ifs_cosine, level);
        if (rugi_ifs_has_sines(RUGI_IFS_ANGLE, level))
            make_functions(&t->sines, rugi_ifs_sine, level);
        for (unsigned g = 0; g < RUGI_IFS_ISOMETRIES; g++)
            for (size_t i = 0; i < side * side; i++)
                t->place[level][g][i] =
                    (uint16_t)rugi_ifs_isometry_place(g, side, i / side, i % side);
    }
    rugi_ifs_set_forward_kernels(&t->forward, rug_context_cpu_level(ctx));
    rugi_ifs_set_distance_kernels(&t->distance, rug_context_cpu_level(ctx));
    return rugi_ifs_patch_tools_new(ctx, &t->tools, 0);
}

void rugi_ifs_patch_tables_free(rug_context *ctx, rugi_ifs_patch_tables *tables)
{
    if (tables != NULL)
        rugi_ifs_patch_tools_free(ctx, &tables->tools);
    rug_context_release(ctx, tables);
}

/* ---- Rows of roots ---- */

/* Appends the patches of a root to its row. @return 0: out of memory */
static int append(rugi_ifs_patch_encoder *e, rugi_ifs_patch_row *row,
                  const rugi_ifs_patch *patches, size_t n)
{
    size_t n_coefs = 0;
    for (size_t i = 0; i < n; i++)
        n_coefs += patches[i].n_coefs;
    void *to = rugi_ifs_reserve(e->ctx, row->patches, row->n_patches, n, RUGI_IFS_PATCHES,
                                &row->patch_capacity, sizeof *row->patches);
    row->patches = to != NULL ? to : row->patches;
    void *coefs =
        rugi_ifs_reserve(e->ctx, row->coefs, row->n_coefs, n_coefs, RUGI_IFS_PATCHES,
                         &row->coef_capacity, sizeof *row->coefs);
    row->coefs = coefs != NULL ? coefs : row->coefs;
    if (to == NULL || (coefs == NULL && n_coefs > 0))
        return 0;
    memcpy(row->patches + row->n_patches, patches, n * sizeof *patches);
    row->n_patches += n;
    for (size_t i = 0; i < n; i++) {
        const uint16_t *zigzag = rugi_ifs_zigzag(patches[i].level);
        for (unsigned k = 0; k < patches[i].n_coefs; k++)
            row->coefs[row->n_coefs++] = patches[i].coefs[zigzag[k]];
    }
    return 1;
}

/* ---- Writing ---- */

/* The rows, which are written in their order by whichever thread has decided one, and then let go, so
 * that few of them are held. */
struct rugi_ifs_patch_writing {
    rugi_ifs_patch_coding coding;
    rugi_ifs_patch_model *model;
    atomic_uint n_rows;  /* that are written */
    atomic_int is_taken; /* 1: a thread is writing */
    const rugi_ifs_patch_row *row;
    size_t patch, coef; /* the next ones */
    int32_t coefs[RUGI_IFS_PIXELS];
};
typedef struct rugi_ifs_patch_writing writing;

static void write_patch(writing *w)
{
    rugi_ifs_patch patch = w->row->patches[w->patch++];
    const uint16_t *zigzag = rugi_ifs_zigzag(patch.level);
    size_t side = rugi_ifs_side(patch.level);
    patch.coefs = w->coefs;
    if (patch.n_coefs > 0)
        memset(w->coefs, 0, side * side * sizeof *w->coefs);
    for (unsigned i = 0; i < patch.n_coefs; i++)
        w->coefs[zigzag[i]] = w->row->coefs[w->coef++];
    rugi_ifs_code_patch(&w->coding, &patch);
}

static void write_block(writing *w, uint32_t x, uint32_t y, unsigned level)
{
    int split = w->row->patches[w->patch].level > level;
    uint32_t half = rugi_ifs_side(level) / 2;
    if (level < RUGI_IFS_LEVELS - 1)
        rugi_ifs_code_patch_split(&w->coding, x, y, level, split);
    if (!split) {
        write_patch(w);
        return;
    }
    for (unsigned quarter = 0; quarter < 4; quarter++)
        write_block(w, x + (quarter & 1) * half, y + (quarter >> 1) * half, level + 1);
}

static void write_row(rugi_ifs_patch_encoder *e, uint32_t row)
{
    writing *w = e->writing;
    const rugi_ifs_patch_frame *frame = &e->plane.frame;
    w->row = &e->rows[row];
    w->patch = w->coef = 0;
    for (uint32_t column = 0; column < frame->nx / RUGI_IFS_BLOCK; column++) {
        if (frame->has_offsets)
            rugi_ifs_code_offset(&w->coding, column, row,
                                 e->map.offsets[row * (e->map.pitch / 8) + column]);
        write_block(w, column * RUGI_IFS_BLOCK, row * RUGI_IFS_BLOCK, 0);
    }
}

static void free_row(rugi_ifs_patch_encoder *e, uint32_t row)
{
    rug_context_release(e->ctx, e->rows[row].patches);
    rug_context_release(e->ctx, e->rows[row].coefs);
    memset(&e->rows[row], 0, sizeof e->rows[row]);
}

/* Whether the next row is there, whole. */
static int can_write(rugi_ifs_patch_encoder *e)
{
    unsigned next = atomic_load(&e->writing->n_rows);
    return next < e->wave.n_rows && rugi_ifs_wave_is_done(&e->wave, next) &&
           !atomic_load_explicit(&e->failed, memory_order_relaxed);
}

/* What becomes ready while another thread writes, that one writes too: it looks again after it has given
 * the rows back. */
static void write_rows(rugi_ifs_patch_encoder *e)
{
    writing *w = e->writing;
    while (can_write(e) && !atomic_exchange(&w->is_taken, 1)) {
        while (can_write(e)) {
            unsigned next = atomic_load(&w->n_rows);
            write_row(e, next);
            free_row(e, next);
            atomic_store(&w->n_rows, next + 1);
        }
        atomic_exchange(&w->is_taken, 0);
    }
}

/* ---- Deciding ---- */

static void choose_task(void *shared, size_t task, int thread)
{
    rugi_ifs_patch_encoder *e = shared;
    uint32_t column, row;
    rugi_ifs_patch *patches;
    (void)task;
    rugi_ifs_wave_take(&e->wave, &column, &row);
    size_t n = rugi_ifs_choose_patches(e, e->work[thread], column, row, &patches);
    if (!append(e, &e->rows[row], patches, n))
        atomic_store_explicit(&e->failed, 1, memory_order_relaxed);
    if (rugi_ifs_wave_begins_row(&e->wave, column, row))
        memcpy(e->models[row + 1], e->models[row], rugi_ifs_patch_model_bytes());
    rugi_ifs_wave_done(&e->wave, column, row);
    if (rugi_ifs_wave_is_done(&e->wave, row))
        write_rows(e);
}

static rug_status code_all(rugi_ifs_patch_encoder *e, rugi_ifs_coder *coder)
{
    const rugi_ifs_patch_frame *frame = &e->plane.frame;
    writing *w = e->writing;
    rugi_ifs_patch_model_begin(e->models[0], frame->has_luma);
    rugi_ifs_patch_model_begin(w->model, frame->has_luma);
    w->coding = (rugi_ifs_patch_coding){coder, w->model, &e->map, e->before, frame};
    atomic_init(&w->n_rows, 0);
    atomic_init(&w->is_taken, 0);
    atomic_init(&e->failed, 0);
    e->wave = (rugi_ifs_wave){.n_columns = frame->nx / RUGI_IFS_BLOCK,
                              .n_rows = frame->ny / RUGI_IFS_BLOCK};
    rug_status status = rugi_ifs_wave_begin(e->ctx, &e->wave);
    if (status == RUG_OK)
        status = rugi_parallel_for(
            e->ctx, (size_t)frame->nx * frame->ny / RUGI_IFS_PIXELS, choose_task, e);
    if (status == RUG_OK && (e->failed || coder->failed))
        status = rug_context_fail(e->ctx, RUG_E_NOMEM, "%s: not enough memory", what);
    rugi_ifs_wave_end(e->ctx, &e->wave);
    return status;
}

/* ---- The plane ---- */

static rug_status make_memory(rugi_ifs_patch_encoder *e)
{
    size_t n_rows = e->plane.frame.ny / RUGI_IFS_BLOCK,
           n_threads = (size_t)rug_context_threads(e->ctx);
    e->rows = rugi_allocate_zeros(e->ctx, n_rows, sizeof *e->rows, what);
    e->models = rugi_allocate_zeros(e->ctx, n_rows, sizeof *e->models, what);
    e->work = rugi_allocate_zeros(e->ctx, n_threads, sizeof *e->work, what);
    e->writing = rugi_allocate_zeros(e->ctx, 1, sizeof *e->writing, what);
    if (e->rows == NULL || e->models == NULL || e->work == NULL || e->writing == NULL)
        return RUG_E_NOMEM;
    e->writing->model =
        rug_context_allocate(e->ctx, 1, rugi_ifs_patch_model_bytes(), what);
    if (e->writing->model == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < n_rows; i++)
        if ((e->models[i] = rug_context_allocate(e->ctx, 1, rugi_ifs_patch_model_bytes(),
                                                 what)) == NULL)
            return RUG_E_NOMEM;
    for (size_t i = 0; i < n_threads; i++)
        if ((e->work[i] = rugi_ifs_patch_work_new(e->ctx)) == NULL)
            return RUG_E_NOMEM;
    return RUG_OK;
}

static void free_memory(rugi_ifs_patch_encoder *e)
{
    for (uint32_t i = 0; i < e->plane.frame.ny / RUGI_IFS_BLOCK; i++) {
        if (e->rows != NULL)
            free_row(e, i);
        if (e->models != NULL)
            rug_context_release(e->ctx, e->models[i]);
    }
    for (size_t i = 0; e->work != NULL && i < (size_t)rug_context_threads(e->ctx); i++)
        rug_context_release(e->ctx, e->work[i]);
    rug_context_release(e->ctx, e->rows);
    rug_context_release(e->ctx, e->models);
    rug_context_release(e->ctx, e->work);
    if (e->writing != NULL)
        rug_context_release(e->ctx, e->writing->model);
    rug_context_release(e->ctx, e->writing);
    e->rows = NULL;
    e->models = NULL;
    e->work = NULL;
    e->writing = NULL;
}

rug_status rugi_ifs_write_patches(rugi_ifs_patch_encoder *e, rugi_ifs_coder *coder)
{
    rug_status status = make_memory(e);
    if (status == RUG_OK)
        status = code_all(e, coder);
    free_memory(e);
    return status;
}
