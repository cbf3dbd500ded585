/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One plane to its tree. Each root needs those to the left and above, and rows of roots
 * follow each other LAG apart, so that threads work on as many rows as there are. Prices
 * come from a model for each row, which begins as the one above was when its first roots
 * were decided. So what is chosen does not depend on the threads. */

#include "ifs_encode.h"
#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include <string.h>

/* Roots by which a row follows the one above. */
#define LAG 2

/* Bits of pixels on which near domains are chosen. */
#define SHORT_BITS 10

static const char what[] = "encoder of fractal coding";

void rugi_ifs_tables_make(rug_context *ctx, rugi_ifs_tables *tables)
{
    rugi_ifs_cosines_make(&tables->cosines);
    rugi_ifs_scan_make(&tables->scan);
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++) {
        size_t side = rugi_ifs_side(level);
        for (unsigned g = 0; g < RUGI_IFS_TURNS; g++)
            for (size_t i = 0; i < side * side; i++)
                tables->place[level][g][i] =
                    (uint16_t)rugi_ifs_turned(g, side, i / side, i % side);
    }
    rugi_ifs_forward_kernels_ref(&tables->kernels);
#ifdef RUGI_HAVE_X86_KERNELS
    if (rug_context_cpu_level(ctx) >= RUG_CPU_AVX2)
        rugi_ifs_forward_kernels_avx2(&tables->kernels);
#else
    (void)ctx;
#endif
}

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
    size_t n = (size_t)e->frame.nx * e->frame.ny, n_roots = n / RUGI_IFS_PIXELS;
    int failed = 0;
    e->half = allocate(e, n / 4, sizeof *e->half, &failed);
    e->half_short = allocate(e, n / 4, sizeof *e->half_short, &failed);
    e->short_pixels = allocate(e, n, sizeof *e->short_pixels, &failed);
    e->k_caps = allocate(e, n / 16, sizeof *e->k_caps, &failed);
    e->slots = allocate(e, n_roots, RUGI_IFS_LEAVES * sizeof *e->slots, &failed);
    e->rows = allocate(e, e->frame.ny / RUGI_IFS_BLOCK, sizeof *e->rows, &failed);
    e->n_slots = allocate(e, n_roots, sizeof *e->n_slots, &failed);
    e->coefs = allocate(e, n, sizeof *e->coefs, &failed);
    e->work = allocate(e, (size_t)rug_context_threads(e->ctx), sizeof *e->work, &failed);
    if (failed)
        return RUG_E_NOMEM;
    for (int i = 0; i < rug_context_threads(e->ctx); i++)
        memset(e->work[i].magnitudes, 0, sizeof e->work[i].magnitudes);
    rug_status status = make_models(e);
    return status == RUG_OK ? rugi_ifs_map_new(e->ctx, &e->map, &e->frame) : status;
}

static void free_memory(rugi_ifs_encoder *e)
{
    rug_context_release(e->ctx, e->half);
    rug_context_release(e->ctx, e->half_short);
    rug_context_release(e->ctx, e->short_pixels);
    rug_context_release(e->ctx, e->k_caps);
    rug_context_release(e->ctx, e->slots);
    rug_context_release(e->ctx, e->rows);
    rug_context_release(e->ctx, e->n_slots);
    rug_context_release(e->ctx, e->coefs);
    rug_context_release(e->ctx, e->work);
    for (size_t i = 0; e->models != NULL && i < e->frame.ny / RUGI_IFS_BLOCK; i++)
        rugi_ifs_model_free(e->ctx, e->models[i]);
    rug_context_release(e->ctx, e->models);
    rugi_ifs_map_free(e->ctx, &e->map);
    rugi_ifs_grid_free(e);
}

/* The image and the source of domains in the forms that are looked at. */
typedef struct preparing {
    rugi_ifs_encoder *e;
    const int32_t *source;
    unsigned fraction; /* bits of the source below a grey level */
    unsigned shift;    /* that leaves SHORT_BITS */
} preparing;

static int16_t to_short(int64_t value, unsigned shift)
{
    int64_t most = (1 << SHORT_BITS) - 1, v = value < 0 ? 0 : value >> shift;
    return (int16_t)(v > most ? most : v);
}

static void prepare_row(void *shared, size_t row, int thread)
{
    const preparing *p = shared;
    rugi_ifs_encoder *e = p->e;
    size_t nx = e->image->nx;
    const int32_t *pixels = e->image->pixels + 2 * row * nx,
                  *from = p->source + 2 * row * nx;
    float scale = 0.25f / (float)(1u << p->fraction);
    int64_t least = (int64_t)e->image->min << (p->fraction + 2);
    (void)thread;
    for (size_t x = 0; x < 2 * nx; x++)
        e->short_pixels[2 * row * nx + x] = to_short(pixels[x] - e->image->min, p->shift);
    for (size_t x = 0; x < nx / 2; x++) {
        int64_t sum = (int64_t)from[2 * x] + from[2 * x + 1] + from[nx + 2 * x] +
                      from[nx + 2 * x + 1];
        e->half[row * (nx / 2) + x] = (float)sum * scale;
        e->half_short[row * (nx / 2) + x] =
            to_short(sum - least, p->shift + p->fraction + 2);
    }
}

static rug_status prepare(rugi_ifs_encoder *e, const int32_t *source, unsigned fraction)
{
    preparing p = {e, source, fraction, 0};
    while (((int64_t)e->image->max - e->image->min) >> p.shift >> SHORT_BITS != 0)
        p.shift++;
    return rugi_parallel_for(e->ctx, e->frame.ny / 2, prepare_row, &p);
}

/* Whether a root may be decided, and by whom: a thread takes the next one of the first row
 * where that can be. */
static int take_root(rugi_ifs_encoder *e, uint32_t *column, uint32_t *row)
{
    uint32_t n_columns = e->frame.nx / RUGI_IFS_BLOCK,
             n_rows = e->frame.ny / RUGI_IFS_BLOCK;
    unsigned above = 2 * n_columns;
    for (*row = 0; *row < n_rows && above > 0; ++*row) {
        unsigned state = atomic_load_explicit(&e->rows[*row], memory_order_acquire);
        *column = state / 2;
        uint32_t needed = *column + LAG < n_columns ? *column + LAG : n_columns;
        if (state % 2 == 0 && *column < n_columns && above / 2 >= needed &&
            atomic_compare_exchange_strong(&e->rows[*row], &state, state + 1))
            return 1;
        above = state;
    }
    return 0;
}

/* Roots that are not taken by now become free when others are done, so waiting ends. */
static void choose_task(void *shared, size_t task, int thread)
{
    rugi_ifs_encoder *e = shared;
    uint32_t n_columns = e->frame.nx / RUGI_IFS_BLOCK, column, row;
    (void)task;
    while (!take_root(e, &column, &row))
        rugi_yield();
    rugi_ifs_choose_root(e, &e->work[thread], column, row);
    uint32_t n_begun = LAG < n_columns ? LAG : n_columns;
    if (column + 1 == n_begun && row + 1 < e->frame.ny / RUGI_IFS_BLOCK)
        rugi_ifs_model_copy(e->models[row + 1], e->models[row]);
    atomic_store_explicit(&e->rows[row], 2 * (column + 1), memory_order_release);
}

static rug_status choose_all(rugi_ifs_encoder *e)
{
    uint32_t n_rows = e->frame.ny / RUGI_IFS_BLOCK;
    rugi_ifs_map_begin(&e->map, &e->frame);
    rugi_ifs_model_begin(e->models[0]);
    for (uint32_t i = 0; i < n_rows; i++)
        atomic_init(&e->rows[i], 0);
    return rugi_parallel_for(e->ctx, (size_t)e->frame.nx * e->frame.ny / RUGI_IFS_PIXELS,
                             choose_task, e);
}

/* The tree as it is: its coefficients stay the encoder's. */
static rug_status make_tree(rugi_ifs_encoder *e, rugi_ifs_tree *tree)
{
    size_t n_roots = (size_t)e->frame.nx * e->frame.ny / RUGI_IFS_PIXELS;
    rug_context_release(e->ctx, tree->leaves);
    *tree = (rugi_ifs_tree){.frame = e->frame};
    for (size_t i = 0; i < n_roots; i++)
        tree->n_leaves += e->n_slots[i];
    tree->leaves =
        rug_context_allocate(e->ctx, tree->n_leaves, sizeof *tree->leaves, what);
    if (tree->leaves == NULL)
        return RUG_E_NOMEM;
    size_t n = 0;
    for (size_t i = 0; i < n_roots; i++) {
        memcpy(tree->leaves + n, e->slots + i * RUGI_IFS_LEAVES,
               e->n_slots[i] * sizeof *tree->leaves);
        n += e->n_slots[i];
    }
    return RUG_OK;
}

/* Means of ranges and domains are taken away, so that with |s| up to 3 / 8 differences
 * shrink in any case. */
#define K_SAFE 3

/* Rounds after which no block may have more than that. */
#define ROUNDS 5

static void set_caps(rugi_ifs_encoder *e, int16_t k)
{
    for (size_t i = 0; i < (size_t)e->frame.nx * e->frame.ny / 16; i++)
        e->k_caps[i] = k < e->k_caps[i] ? k : e->k_caps[i];
}

/* Chooses until iterations come to rest. */
static rug_status choose_settled(rugi_ifs_encoder *e, rugi_ifs_tree *tree,
                                 uint32_t *iterations)
{
    rugi_ifs_settling settling = {.k_caps = e->k_caps};
    double left = 1; /* nearly always once is enough */
    for (int round = 0;; round++, left *= 0.1) {
        rugi_phase outer = rugi_phase_enter(e->ctx, 1 - left, 1 - 0.1 * left);
        rug_status status = choose_all(e);
        rugi_phase_leave(e->ctx, outer);
        outer = rugi_ifs_quiet(e->ctx, 1 - 0.1 * left);
        if (status == RUG_OK)
            status = make_tree(e, tree);
        if (status == RUG_OK)
            status = rugi_ifs_settle(e->ctx, &settling, tree);
        rugi_phase_leave(e->ctx, outer);
        *iterations = settling.iterations;
        if (status != RUG_OK || settling.n_moving == 0)
            return status;
        if (round >= ROUNDS)
            set_caps(e, round > ROUNDS ? 0 : K_SAFE);
    }
}

/* Pixels that nobody sees become what the decoder makes of them anyway: then they cost
 * nothing. */
static void pad_decoded(const rugi_ifs_encoder *e, const int32_t *decoded)
{
    const rugi_ifs_pixels *image = e->image;
    for (size_t y = 0; y < image->ny; y++)
        for (size_t x = y < image->used_y ? image->used_x : 0; x < image->nx; x++) {
            size_t at = y * image->nx + x;
            int32_t gray = (decoded[at] + 32) >> 6;
            image->pixels[at] = gray < image->min   ? image->min
                                : gray > image->max ? image->max
                                                    : gray;
        }
}

/* What will be decoded becomes the source of domains. */
static rug_status prepare_decoded(rugi_ifs_encoder *e, const rugi_ifs_tree *tree,
                                  uint32_t iterations)
{
    size_t n = (size_t)e->frame.nx * e->frame.ny;
    int32_t *decoded = rug_context_allocate(e->ctx, n, sizeof *decoded, what);
    if (decoded == NULL)
        return RUG_E_NOMEM;
    rugi_ifs_decoding decoding = {.iterations = iterations};
    rug_status status = rugi_ifs_decode_tree(e->ctx, decoded, tree, &decoding);
    if (status == RUG_OK) {
        pad_decoded(e, decoded);
        status = prepare(e, decoded, 6);
    }
    rug_context_release(e->ctx, decoded);
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
    if (e->effort.with_grid) {
        rugi_phase outer = rugi_phase_enter(e->ctx, 0, searched);
        status = rugi_ifs_grid_search(e);
        rugi_phase_leave(e->ctx, outer);
    }
    int n = e->effort.n_passes;
    for (int i = 0; i < n && status == RUG_OK; i++) {
        rugi_phase outer = rugi_phase_enter(e->ctx, searched + (1 - searched) * i / n,
                                            searched + (1 - searched) * (i + 1) / n);
        rugi_phase whole = rugi_ifs_quiet(e->ctx, 0);
        status = i == 0 ? prepare(e, e->image->pixels, 0)
                        : prepare_decoded(e, tree, *iterations);
        rugi_phase_leave(e->ctx, whole);
        if (status == RUG_OK)
            status = choose_settled(e, tree, iterations);
        rugi_phase_leave(e->ctx, outer);
    }
    return status;
}

rug_status rugi_ifs_encode(rug_context *ctx, rugi_ifs_tree *tree, uint32_t *iterations,
                           const rugi_ifs_tables *tables, const rugi_ifs_pixels *image,
                           const rugi_ifs_frame *frame, const rugi_ifs_effort *effort)
{
    double delta = (double)frame->delta / 16;
    rugi_ifs_encoder e = {.ctx = ctx,
                          .tables = tables,
                          .image = image,
                          .frame = *frame,
                          .effort = *effort,
                          .lambda = effort->lambda_factor * delta * delta};
    memset(tree, 0, sizeof *tree);
    rug_status status = run(&e, tree, iterations);
    if (status == RUG_OK) {
        tree->coefs = e.coefs;
        e.coefs = NULL;
    } else
        rugi_ifs_tree_free(ctx, tree);
    free_memory(&e);
    return status;
}
