/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One plane to its tree. Roots are decided in a wave (ifs_wave.h). Prices come from a model for
 * each row, which begins as the one above was when its first roots were decided, so that what is
 * chosen does not depend on the threads. */

#include "ifs_encode.h"
#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include "ifs/decode/ifs_bands.h"
#include "ifs/decode/ifs_decode.h"
#include <stdlib.h>
#include <string.h>

static const char what[] = "encoder of fractal coding";

/* ---- Convergence ---- */

/* Means of 2 x 2 pixels, and scales up to 1, nearly always make iterations of a tree
 * converge, but do not have to: a block whose domain is made of blocks that look back
 * at it can swing. */

/* Iterations of a test, and the most that a stream asks for. */
#define LONG_RUN 64
#define MOST     40

/* Differences that are none, in 1/64 of a grey level of 8 bits: the passes that follow
 * can make four times as much of them. */
#define NOTHING 8

static int32_t largest_change(const rugi_ifs_field *a, const int32_t *b)
{
    return rugi_ifs_largest_change(a->pixels, b, a->nx * a->ny);
}

static int is_moving(const rugi_ifs_field *a, const int32_t *b, const rugi_ifs_leaf *leaf,
                     int32_t nothing)
{
    uint32_t n = rugi_ifs_side(leaf->level) / 4;
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++) {
            size_t at = (leaf->y / 4 + y) * a->nx + leaf->x / 4 + x;
            if (abs(a->pixels[at] - b[at]) > nothing)
                return 1;
        }
    return 0;
}

/* Blocks that move may have less of their domain. @return how many there are */
static size_t cap(const rugi_ifs_tree *tree, const rugi_ifs_field *state,
                  const int32_t *end, int8_t *k_caps, int32_t nothing)
{
    size_t n_moving = 0, nx = tree->frame.nx / RUGI_IFS_LEAST;
    for (size_t i = 0; i < tree->n_leaves; i++) {
        const rugi_ifs_leaf *leaf = &tree->leaves[i];
        if (leaf->k == 0 || !is_moving(state, end, leaf, nothing))
            continue;
        n_moving++;
        int8_t k = (int8_t)(abs(leaf->k) > 2 ? abs(leaf->k) - 2 : 0);
        uint32_t n = rugi_ifs_side(leaf->level) / RUGI_IFS_LEAST;
        for (uint32_t y = 0; y < n; y++)
            for (uint32_t x = 0; x < n; x++)
                k_caps[(leaf->y / RUGI_IFS_LEAST + y) * nx + leaf->x / RUGI_IFS_LEAST +
                       x] = k;
    }
    return n_moving;
}

static rug_status iterate(rug_context *ctx, rugi_ifs_decoder *d, uint32_t n)
{
    rug_status status = RUG_OK;
    for (uint32_t i = 0; i < n && !d->converged && status == RUG_OK; i++)
        status = rugi_ifs_decoder_iterate(ctx, d);
    return status;
}

static void restart(rugi_ifs_decoder *d)
{
    memcpy(d->state.pixels, d->base.pixels, d->state.nx * d->state.ny * sizeof(int32_t));
    d->converged = 0;
}

/* Where the long run ended is where all have to be: how many iterations that takes. */
static rug_status count(rug_context *ctx, rugi_ifs_decoder *d, const int32_t *end,
                        int32_t nothing, uint32_t *iterations)
{
    rug_status status = RUG_OK;
    restart(d);
    for (*iterations = 0; *iterations < MOST && status == RUG_OK; ++*iterations) {
        if (largest_change(&d->state, end) <= nothing)
            return RUG_OK;
        status = rugi_ifs_decoder_iterate(ctx, d);
    }
    return status;
}

static rug_status follow(rug_context *ctx, rugi_ifs_decoder *d, int32_t *end,
                         rugi_ifs_convergence *out)
{
    int32_t nothing =
        NOTHING << (d->tree->frame.depth > 8 ? d->tree->frame.depth - 8 : 0);
    size_t n = d->state.nx * d->state.ny * sizeof *end;
    rug_status status = iterate(ctx, d, LONG_RUN);
    memcpy(end, d->state.pixels, n);
    if (status == RUG_OK)
        status = iterate(ctx, d, 1);
    if (status != RUG_OK)
        return status;
    if (largest_change(&d->state, end) > nothing / 4) {
        out->n_moving = cap(d->tree, &d->state, end, out->k_caps, nothing / 4);
        return RUG_OK;
    }
    status = count(ctx, d, end, nothing, &out->iterations);
    if (status == RUG_OK && largest_change(&d->state, end) > nothing)
        out->n_moving = cap(d->tree, &d->state, end, out->k_caps, nothing);
    return status;
}

rug_status rugi_ifs_converge(rug_context *ctx, rugi_ifs_convergence *out,
                             const rugi_ifs_tree *tree)
{
    rugi_ifs_decoder d;
    out->n_moving = 0;
    out->iterations = 0;
    rug_status status = rugi_ifs_decoder_begin(ctx, &d, tree);
    int32_t *end = NULL;
    if (status == RUG_OK) {
        end = rug_context_allocate(ctx, d.state.nx * d.state.ny, sizeof *end,
                                   "iterations of fractal coding");
        status = end != NULL ? follow(ctx, &d, end, out) : RUG_E_NOMEM;
    }
    rug_context_release(ctx, end);
    rugi_ifs_decoder_end(ctx, &d);
    return status;
}

/* ---- Rows of roots ---- */

static void free_row(rugi_ifs_encoder *e, rugi_ifs_row *row)
{
    rug_context_release(e->ctx, row->leaves);
    rug_context_release(e->ctx, row->coefs);
    row->leaves = NULL;
    row->coefs = NULL;
    row->n_leaves = row->n_coefs = row->leaf_capacity = row->coef_capacity = 0;
}

/* Appends the leaves of a root to its row. @return 0: out of memory */
static int append(rugi_ifs_encoder *e, rugi_ifs_row *row, const rugi_ifs_work *work,
                  size_t n)
{
    size_t n_coefs = 0;
    for (size_t i = 0; i < n; i++)
        n_coefs += work->leaves[i].n_coefs;
    void *leaves =
        rugi_ifs_reserve(e->ctx, row->leaves, row->n_leaves, n, RUGI_IFS_LEAVES,
                         &row->leaf_capacity, sizeof *row->leaves);
    row->leaves = leaves != NULL ? leaves : row->leaves;
    void *coefs =
        rugi_ifs_reserve(e->ctx, row->coefs, row->n_coefs, n_coefs, RUGI_IFS_LEAVES,
                         &row->coef_capacity, sizeof *row->coefs);
    row->coefs = coefs != NULL ? coefs : row->coefs;
    if (leaves == NULL || (coefs == NULL && n_coefs > 0))
        return 0;
    memcpy(row->leaves + row->n_leaves, work->leaves, n * sizeof *work->leaves);
    row->n_leaves += n;
    for (size_t i = 0; i < n; i++) {
        /* there may be no coefficients at all yet, and no memory for them */
        if (work->leaves[i].n_coefs > 0)
            rugi_ifs_pack_coefs(row->coefs + row->n_coefs, &work->leaves[i]);
        row->n_coefs += work->leaves[i].n_coefs;
    }
    return 1;
}

/* Moves a row behind the leaves and the n_coefs coefficients of a tree, which has room. */
static void move_row(rugi_ifs_encoder *e, rugi_ifs_tree *tree, rugi_ifs_row *row,
                     size_t *n_coefs)
{
    for (size_t i = 0; i < row->n_leaves; i++) {
        rugi_ifs_leaf *leaf = &tree->leaves[tree->n_leaves++];
        *leaf = row->leaves[i];
        leaf->coefs = leaf->n_coefs > 0 ? tree->coefs + *n_coefs : NULL;
        *n_coefs += leaf->n_coefs;
    }
    if (row->n_coefs > 0)
        memcpy(tree->coefs + *n_coefs - row->n_coefs, row->coefs,
               row->n_coefs * sizeof *row->coefs);
    free_row(e, row);
}

/* The tree of what was chosen. */
static rug_status make_tree(rugi_ifs_encoder *e, rugi_ifs_tree *tree)
{
    size_t n_rows = e->frame.ny / RUGI_IFS_BLOCK, n_leaves = 0, n_coefs = 0;
    *tree = (rugi_ifs_tree){.frame = e->frame};
    for (size_t i = 0; i < n_rows; i++) {
        n_leaves += e->rows[i].n_leaves;
        n_coefs += e->rows[i].n_coefs;
    }
    tree->leaves = rug_context_allocate(e->ctx, n_leaves, sizeof *tree->leaves, what);
    tree->coefs = rug_context_allocate(e->ctx, n_coefs, sizeof *tree->coefs, what);
    if (tree->leaves == NULL || tree->coefs == NULL)
        return RUG_E_NOMEM;
    n_coefs = 0;
    for (size_t i = 0; i < n_rows; i++)
        move_row(e, tree, &e->rows[i], &n_coefs);
    return RUG_OK;
}

/* ---- The plane ---- */

static void *allocate(rugi_ifs_encoder *e, size_t n, size_t size, int *failed)
{
    void *block = *failed ? NULL : rug_context_allocate(e->ctx, n, size, what);
    *failed |= block == NULL;
    return block;
}

static rug_status make_models(rugi_ifs_encoder *e)
{
    size_t n = e->frame.ny / RUGI_IFS_BLOCK;
    e->models = rug_context_allocate(e->ctx, n, sizeof *e->models, what);
    if (e->models == NULL)
        return RUG_E_NOMEM;
    memset(e->models, 0, n * sizeof *e->models);
    for (size_t i = 0; i < n; i++) {
        e->models[i] = rugi_ifs_model_new(e->ctx);
        if (e->models[i] == NULL)
            return RUG_E_NOMEM;
    }
    return RUG_OK;
}

static rug_status make_memory(rugi_ifs_encoder *e)
{
    size_t n = (size_t)e->frame.nx * e->frame.ny, n_rows = e->frame.ny / RUGI_IFS_BLOCK;
    int failed = 0;
    e->half = allocate(e, n / 4, sizeof *e->half, &failed);
    e->half_short = allocate(e, n / 4, sizeof *e->half_short, &failed);
    e->k_caps = allocate(e, n / 16, sizeof *e->k_caps, &failed);
    e->rows = allocate(e, n_rows, sizeof *e->rows, &failed);
    e->work = allocate(e, (size_t)rug_context_threads(e->ctx), sizeof *e->work, &failed);
    if (e->rows != NULL)
        memset(e->rows, 0, n_rows * sizeof *e->rows);
    if (failed)
        return RUG_E_NOMEM;
    for (int i = 0; i < rug_context_threads(e->ctx); i++)
        memset(e->work[i].magnitudes, 0, sizeof e->work[i].magnitudes);
    rug_status status = make_models(e);
    return status == RUG_OK ? rugi_ifs_map_new(e->ctx, &e->map, &e->frame) : status;
}

static void free_rows(rugi_ifs_encoder *e)
{
    for (size_t i = 0; e->rows != NULL && i < e->frame.ny / RUGI_IFS_BLOCK; i++)
        free_row(e, &e->rows[i]);
    rug_context_release(e->ctx, e->rows);
}

static void free_memory(rugi_ifs_encoder *e)
{
    rug_context_release(e->ctx, e->half);
    rug_context_release(e->ctx, e->half_short);
    rug_context_release(e->ctx, e->k_caps);
    free_rows(e);
    rug_context_release(e->ctx, e->work);
    for (size_t i = 0; e->models != NULL && i < e->frame.ny / RUGI_IFS_BLOCK; i++)
        rugi_ifs_model_free(e->ctx, e->models[i]);
    rug_context_release(e->ctx, e->models);
    rugi_ifs_map_free(e->ctx, &e->map);
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++)
        rug_context_release(e->ctx, e->grid[level]);
}

/* ---- The source of domains ---- */

/* A mean of 2 x 2 pixels, in both of its forms.
 * @param sum       of the pixels
 * @param fraction  bits of them below a grey level */
static void put_half(rugi_ifs_encoder *e, size_t at, int64_t sum, unsigned fraction)
{
    int64_t least = e->plane->min * ((int64_t)1 << (fraction + 2)); /* below 0, too */
    e->half[at] = (float)sum * (0.25f / (float)(1u << fraction));
    e->half_short[at] = rugi_ifs_short_of(sum - least, e->short_shift + fraction + 2);
}

static void prepare_row(void *shared, size_t row, int thread)
{
    rugi_ifs_encoder *e = shared;
    const rugi_ifs_pixels *p = e->plane;
    size_t nx = p->nx, from = 2 * row * nx;
    (void)thread;
    for (size_t x = 0; x < nx; x += 2) {
        int64_t sum =
            (int64_t)rugi_ifs_pixel_at(p, from + x) + rugi_ifs_pixel_at(p, from + x + 1) +
            rugi_ifs_pixel_at(p, from + nx + x) + rugi_ifs_pixel_at(p, from + nx + x + 1);
        put_half(e, (from / 2 + x) / 2, sum, 0);
    }
}

/* Domains are cut out of the image. */
static rug_status prepare(rugi_ifs_encoder *e)
{
    e->short_shift = 0;
    while (((int64_t)e->plane->max - e->plane->min) >> e->short_shift >
           RUGI_IFS_SHORT_MAX)
        e->short_shift++;
    return rugi_parallel_for(e->ctx, e->frame.ny / 2, prepare_row, e);
}

static void choose_task(void *shared, size_t task, int thread)
{
    rugi_ifs_encoder *e = shared;
    uint32_t column, row;
    (void)task;
    rugi_ifs_wave_take(&e->wave, &column, &row);
    size_t n = rugi_ifs_choose_root(e, &e->work[thread], column, row);
    if (!append(e, &e->rows[row], &e->work[thread], n))
        atomic_store_explicit(&e->failed, 1, memory_order_relaxed);
    if (rugi_ifs_wave_begins_row(&e->wave, column, row))
        *e->models[row + 1] = *e->models[row];
    rugi_ifs_wave_done(&e->wave, column, row);
}

static rug_status choose_all(rugi_ifs_encoder *e)
{
    rugi_ifs_map_begin(&e->map, &e->frame);
    rugi_ifs_model_begin(e->models[0]);
    atomic_init(&e->failed, 0);
    e->wave = (rugi_ifs_wave){.n_columns = e->frame.nx / RUGI_IFS_BLOCK,
                              .n_rows = e->frame.ny / RUGI_IFS_BLOCK};
    rug_status status = rugi_ifs_wave_begin(e->ctx, &e->wave);
    if (status == RUG_OK)
        status = rugi_parallel_for(
            e->ctx, (size_t)e->frame.nx * e->frame.ny / RUGI_IFS_PIXELS, choose_task, e);
    if (status == RUG_OK && e->failed)
        status = rug_context_fail(e->ctx, RUG_E_NOMEM, "%s: not enough memory", what);
    rugi_ifs_wave_end(e->ctx, &e->wave);
    return status;
}

/* Means of ranges and domains are taken away, so that with |s| up to 3 / 8 differences
 * shrink in any case. */
#define K_SAFE 3

/* Rounds after which no block may have more than that. */
#define ROUNDS 5

static void set_caps(rugi_ifs_encoder *e, int8_t k)
{
    for (size_t i = 0; i < (size_t)e->frame.nx * e->frame.ny / 16; i++)
        e->k_caps[i] = k < e->k_caps[i] ? k : e->k_caps[i];
}

/* Chooses until iterations converge. */
static rug_status choose_until_convergence(rugi_ifs_encoder *e, rugi_ifs_tree *tree,
                                           uint32_t *iterations)
{
    rugi_ifs_convergence convergence = {.k_caps = e->k_caps};
    double left = 1; /* nearly always once is enough */
    for (int round = 0;; round++, left *= 0.1) {
        rug_status status = RUG_OK;
        rugi_ifs_tree_free(e->ctx, tree);
        RUGI_PHASE(e->ctx, 1 - left, 1 - 0.1 * left, status, choose_all(e));
        rugi_phase outer = rugi_ifs_quiet(e->ctx, 1 - 0.1 * left);
        if (status == RUG_OK)
            status = make_tree(e, tree);
        if (status == RUG_OK)
            status = rugi_ifs_converge(e->ctx, &convergence, tree);
        rugi_phase_leave(e->ctx, outer);
        *iterations = convergence.iterations;
        if (status != RUG_OK || convergence.n_moving == 0)
            return status;
        if (round >= ROUNDS)
            set_caps(e, round > ROUNDS ? 0 : K_SAFE);
    }
}

/* Pixels that nobody sees become what the decoder makes of them anyway: then they cost
 * nothing. */
static void pad_decoded(const rugi_ifs_pixels *plane, size_t y, const int32_t *decoded)
{
    for (size_t x = y < plane->used_y ? plane->used_x : 0; x < plane->nx; x++) {
        int32_t gray = (decoded[x] + 32) >> 6;
        rugi_ifs_put_pixel(plane, y * plane->nx + x,
                           gray < plane->min   ? plane->min
                           : gray > plane->max ? plane->max
                                               : gray);
    }
}

/* A row of roots as it will be decoded. */
typedef struct decoded_rows {
    rugi_ifs_encoder *e;
    const rugi_ifs_bands *bands;
    int32_t *pixels; /* [threads][RUGI_IFS_BLOCK][nx] */
} decoded_rows;

static void prepare_decoded_row(void *shared, size_t row, int thread)
{
    const decoded_rows *d = shared;
    rugi_ifs_encoder *e = d->e;
    size_t nx = e->frame.nx, first = row * RUGI_IFS_BLOCK;
    int32_t *pixels = d->pixels + (size_t)thread * RUGI_IFS_BLOCK * nx;
    rugi_ifs_decode_band(d->bands, pixels, row, row + 1, 0);
    for (size_t y = 0; y < RUGI_IFS_BLOCK; y++)
        pad_decoded(e->plane, first + y, pixels + y * nx);
    for (size_t y = 0; y < RUGI_IFS_BLOCK; y += 2)
        for (size_t x = 0; x < nx; x += 2) {
            const int32_t *at = pixels + y * nx + x;
            int64_t sum = (int64_t)at[0] + at[1] + at[nx] + at[nx + 1];
            put_half(e, (first + y) / 2 * (nx / 2) + x / 2, sum, 6);
        }
}

/* What will be decoded becomes the source of domains. */
static rug_status prepare_decoded(rugi_ifs_encoder *e, const rugi_ifs_tree *tree,
                                  uint32_t iterations)
{
    rugi_ifs_bands bands;
    size_t n_rows = e->frame.ny / RUGI_IFS_BLOCK;
    size_t n_threads = (size_t)rugi_loop_threads(e->ctx, n_rows);
    decoded_rows d = {.e = e, .bands = &bands};
    rug_status status = rugi_ifs_bands_begin(e->ctx, &bands, tree, iterations);
    if (status == RUG_OK) {
        d.pixels = rug_context_allocate(e->ctx, n_threads * e->frame.nx,
                                        RUGI_IFS_BLOCK * sizeof *d.pixels, what);
        status = d.pixels != NULL
                     ? rugi_parallel_for(e->ctx, n_rows, prepare_decoded_row, &d)
                     : RUG_E_NOMEM;
    }
    rug_context_release(e->ctx, d.pixels);
    rugi_ifs_bands_end(e->ctx, &bands);
    return status;
}

static rug_status run(rugi_ifs_encoder *e, rugi_ifs_tree *tree, uint32_t *iterations)
{
    rug_status status = make_memory(e);
    if (status != RUG_OK)
        return status;
    for (size_t i = 0; i < (size_t)e->frame.nx * e->frame.ny / 16; i++)
        e->k_caps[i] = RUGI_IFS_K_MAX;
    double searched = e->effort.with_grid ? 0.5 : 0;
    if (e->effort.with_grid)
        RUGI_PHASE(e->ctx, 0, searched, status, rugi_ifs_search_grid(e));
    int n = e->effort.n_passes;
    for (int i = 0; i < n && status == RUG_OK; i++) {
        rugi_phase outer = rugi_phase_enter(e->ctx, searched + (1 - searched) * i / n,
                                            searched + (1 - searched) * (i + 1) / n);
        rugi_phase whole = rugi_ifs_quiet(e->ctx, 0);
        status = i == 0 ? prepare(e) : prepare_decoded(e, tree, *iterations);
        rugi_phase_leave(e->ctx, whole);
        if (status == RUG_OK)
            status = choose_until_convergence(e, tree, iterations);
        rugi_phase_leave(e->ctx, outer);
    }
    return status;
}

rug_status rugi_ifs_encode(rug_context *ctx, rugi_ifs_tree *tree, uint32_t *iterations,
                           const rugi_ifs_tables *tables, const rugi_ifs_pixels *plane,
                           const rugi_ifs_frame *frame, const rugi_ifs_effort *effort)
{
    double delta = (double)frame->delta / 16;
    rugi_ifs_encoder e = {.ctx = ctx,
                          .tables = tables,
                          .plane = plane,
                          .frame = *frame,
                          .effort = *effort,
                          .lambda = effort->lambda_factor * delta * delta};
    memset(tree, 0, sizeof *tree);
    rug_status status = run(&e, tree, iterations);
    if (status != RUG_OK)
        rugi_ifs_tree_free(ctx, tree);
    free_memory(&e);
    return status;
}
