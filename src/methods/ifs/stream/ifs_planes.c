/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Whole planes written and read: the tree of QUADTREE, and the blocks of one size of
 * FIXED and OVERLAP. */

#include "ifs_planes.h"
#include "ifs_model.h"
#include <string.h>

/* ---- Trees ---- */

static const char tree_name[] = "tree of fractal coding";

/* A walk over the blocks of a plane: those of 32 pixels row by row, each split into
 * four as far as it is, top left, top right, bottom left, bottom right. */
typedef struct walk {
    rug_context *ctx;
    rugi_ifs_coder *coder;
    rugi_ifs_model *model;
    rugi_ifs_map map;
    rugi_ifs_tree *tree;
    size_t next;                                    /* leaf to be written */
    size_t leaf_capacity;                           /* of tree->leaves, when reading */
    size_t n_coefs, coef_capacity;                  /* of tree->coefs, when reading */
    size_t room;                                    /* bytes for both, when reading */
    int32_t coefs[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK]; /* of a leaf, row by row */
    rug_status status;
} walk;

void rugi_ifs_tree_free(rug_context *ctx, rugi_ifs_tree *tree)
{
    rug_context_release(ctx, tree->leaves);
    rug_context_release(ctx, tree->coefs);
    memset(tree, 0, sizeof *tree);
}

/* Reserves memory for `more` items behind n; NULL with an error text. */
static void *reserve(rug_context *ctx, void *items, size_t n, size_t more,
                     size_t *capacity, size_t item_size)
{
    if (n + more <= *capacity)
        return items;
    size_t wanted = *capacity + *capacity / 2;
    wanted = wanted < n + more + 256 ? n + more + 256 : wanted;
    void *block = rug_context_allocate(ctx, wanted, item_size, tree_name);
    if (block == NULL)
        return NULL;
    if (n > 0)
        memcpy(block, items, n * item_size);
    rug_context_release(ctx, items);
    *capacity = wanted;
    return block;
}

/* Whether leaves and coefficients stay within the room for them. */
static int has_room(walk *w)
{
    size_t n_bytes =
        w->tree->n_leaves * sizeof *w->tree->leaves + w->n_coefs * sizeof *w->tree->coefs;
    if (n_bytes > w->room)
        w->status = RUG_E_ARG;
    return n_bytes <= w->room;
}

/* Makes room for one more leaf. The leaves' pointers are set when all have been read,
 * since their memory moves. */
static int make_leaf(walk *w)
{
    rugi_ifs_tree *tree = w->tree;
    void *leaves = reserve(w->ctx, tree->leaves, tree->n_leaves, 1, &w->leaf_capacity,
                           sizeof *tree->leaves);
    if (leaves == NULL)
        w->status = RUG_E_NOMEM;
    else
        tree->leaves = leaves;
    return leaves != NULL;
}

static void keep_coefs(walk *w, const rugi_ifs_leaf *leaf)
{
    rugi_ifs_tree *tree = w->tree;
    void *coefs = reserve(w->ctx, tree->coefs, w->n_coefs, leaf->n_coefs,
                          &w->coef_capacity, sizeof *tree->coefs);
    if (coefs == NULL) {
        w->status = RUG_E_NOMEM;
        return;
    }
    tree->coefs = coefs;
    rugi_ifs_pack_coefs(tree->coefs + w->n_coefs, leaf);
    w->n_coefs += leaf->n_coefs;
}

static void read_leaf(walk *w, uint32_t x, uint32_t y, unsigned level)
{
    rugi_ifs_tree *tree = w->tree;
    if (!has_room(w) || !make_leaf(w))
        return;
    rugi_ifs_leaf *leaf = &tree->leaves[tree->n_leaves++];
    memset(leaf, 0, sizeof *leaf);
    leaf->x = x;
    leaf->y = y;
    leaf->level = (uint8_t)level;
    leaf->coefs = w->coefs;
    rugi_ifs_code_leaf(w->coder, w->model, &w->map, &tree->frame, leaf);
    if (leaf->n_coefs > 0)
        keep_coefs(w, leaf);
    leaf->coefs = NULL;
    rugi_ifs_map_enter(&w->map, &tree->frame, leaf);
    if (w->coder->failed && w->status == RUG_OK)
        w->status = RUG_E_FORMAT;
}

static void write_leaf(walk *w)
{
    rugi_ifs_leaf leaf = w->tree->leaves[w->next++];
    rugi_ifs_unpack_coefs(w->coefs, &leaf);
    leaf.coefs = w->coefs;
    rugi_ifs_code_leaf(w->coder, w->model, &w->map, &w->tree->frame, &leaf);
    rugi_ifs_map_enter(&w->map, &w->tree->frame, &leaf);
}

static void code_block(walk *w, uint32_t x, uint32_t y, unsigned level)
{
    if (w->status != RUG_OK)
        return;
    int writes = w->coder->coding == RUGI_IFS_WRITE;
    int split = writes && w->tree->leaves[w->next].level > level;
    if (rugi_ifs_code_split(w->coder, w->model, &w->map, x, y, level, split)) {
        uint32_t half = rugi_ifs_side(level) / 2;
        for (uint32_t i = 0; i < 4; i++)
            code_block(w, x + i % 2 * half, y + i / 2 * half, level + 1);
    } else if (writes)
        write_leaf(w);
    else
        read_leaf(w, x, y, level);
}

static rug_status code_tree(walk *w)
{
    const rugi_ifs_frame *frame = &w->tree->frame;
    w->model = rugi_ifs_model_new(w->ctx);
    w->status = w->model != NULL ? rugi_ifs_map_new(w->ctx, &w->map, frame) : RUG_E_NOMEM;
    for (uint32_t y = 0; y < frame->ny && w->status == RUG_OK; y += RUGI_IFS_BLOCK) {
        for (uint32_t x = 0; x < frame->nx; x += RUGI_IFS_BLOCK)
            code_block(w, x, y, 0);
        if (w->status == RUG_OK)
            w->status = rug_context_step(w->ctx, (double)y / frame->ny);
    }
    rugi_ifs_map_free(w->ctx, &w->map);
    rugi_ifs_model_free(w->ctx, w->model);
    return w->status;
}

rug_status rugi_ifs_write_tree(rug_context *ctx, rugi_ifs_coder *coder,
                               const rugi_ifs_tree *tree)
{
    rugi_ifs_tree written = *tree;
    walk w = {.ctx = ctx, .coder = coder, .tree = &written};
    rug_status status = code_tree(&w);
    return status == RUG_OK && coder->failed ? RUG_E_NOMEM : status;
}

/* Leaves that were read get their coefficients, which lie in the same order. */
static void point_at_coefs(rugi_ifs_tree *tree)
{
    size_t at = 0;
    for (size_t i = 0; i < tree->n_leaves; i++) {
        rugi_ifs_leaf *leaf = &tree->leaves[i];
        leaf->coefs = leaf->n_coefs > 0 ? tree->coefs + at : NULL;
        at += leaf->n_coefs;
    }
}

rug_status rugi_ifs_read_tree(rug_context *ctx, rugi_ifs_tree *tree,
                              const rugi_ifs_frame *frame, const uint8_t *bytes, size_t n,
                              size_t room)
{
    rugi_ifs_coder coder;
    memset(tree, 0, sizeof *tree);
    tree->frame = *frame;
    rugi_ifs_read_begin(&coder, bytes, n);
    walk w = {.ctx = ctx, .coder = &coder, .tree = tree, .room = room};
    rug_status status = code_tree(&w);
    if (status == RUG_E_ARG)
        rug_context_fail(
            ctx, status,
            "a plane of %u x %u pixels in %zu bytes has more than %zu blocks, "
            "which take more than %zu bytes of memory: more than such a plane is "
            "trusted with, unless a number of pixels is allowed (pixels_max, "
            "--max-pixels)",
            frame->nx, frame->ny, n, tree->n_leaves, room);
    if (status == RUG_E_FORMAT)
        rug_context_fail(ctx, status,
                         "a plane of %u x %u pixels in %zu bytes is damaged after %zu "
                         "blocks: the stream cannot be read, make it again",
                         frame->nx, frame->ny, n, tree->n_leaves);
    if (status != RUG_OK)
        rugi_ifs_tree_free(ctx, tree);
    else
        point_at_coefs(tree);
    return status;
}

/* ---- Blocks of one size ---- */

#define SCALE_BITS 6 /* of |k| - 1 */

/* Blocks between questions for cancellation. */
#define STRIDE 4096

static const char blocks_name[] = "blocks of fractal coding";

typedef struct block_model {
    rugi_ifs_bit has_domain[2]; /* by that of the block before */
    rugi_ifs_bit sign, scale[1 << SCALE_BITS];
} block_model;

static void place(rugi_ifs_blocks *b)
{
    const rugi_ifs_block_frame *f = &b->frame;
    size_t at = 0;
    for (uint32_t grid = 0; grid < rugi_ifs_block_grids(f); grid++)
        for (uint32_t y = 0; y < f->ny; y += f->size)
            for (uint32_t x = 0; x < f->nx; x += f->size) {
                b->blocks[at].x = x + grid % 2 * f->size / 2;
                b->blocks[at++].y = y + grid / 2 * f->size / 2;
            }
}

rug_status rugi_ifs_blocks_new(rug_context *ctx, rugi_ifs_blocks *b,
                               const rugi_ifs_block_frame *frame)
{
    memset(b, 0, sizeof *b);
    b->frame = *frame;
    b->n = rugi_ifs_blocks_of_grid(frame) * rugi_ifs_block_grids(frame);
    b->blocks = rug_context_allocate(ctx, b->n, sizeof *b->blocks, blocks_name);
    if (b->blocks == NULL) {
        memset(b, 0, sizeof *b);
        return RUG_E_NOMEM;
    }
    memset(b->blocks, 0, b->n * sizeof *b->blocks);
    place(b);
    return RUG_OK;
}

void rugi_ifs_blocks_free(rug_context *ctx, rugi_ifs_blocks *b)
{
    rug_context_release(ctx, b->blocks);
    memset(b, 0, sizeof *b);
}

static void code_domain(rugi_ifs_coder *c, block_model *m, const rugi_ifs_block_frame *f,
                        rugi_ifs_block *b)
{
    uint32_t places_x = rugi_ifs_domain_places(f, f->nx);
    uint32_t places_y = rugi_ifs_domain_places(f, f->ny);
    b->domain_x = rugi_ifs_code_uniform(c, places_x, b->domain_x / f->step) * f->step;
    b->domain_y = rugi_ifs_code_uniform(c, places_y, b->domain_y / f->step) * f->step;
    b->symmetry = (uint8_t)rugi_ifs_code_raw(c, 3, b->symmetry);
    int is_negative = rugi_ifs_code_bit(c, &m->sign, b->k < 0);
    uint32_t size = (uint32_t)(b->k < 0 ? -b->k : b->k) - 1;
    size = rugi_ifs_code_tree(c, m->scale, SCALE_BITS, size) + 1;
    b->k = (int8_t)(is_negative ? -(int)size : (int)size);
}

static void code_one_block(rugi_ifs_coder *c, block_model *m,
                           const rugi_ifs_block_frame *f, rugi_ifs_block *b, int *before)
{
    int has_domain = 0;
    if (2 * f->size <= f->nx && 2 * f->size <= f->ny)
        has_domain = rugi_ifs_code_bit(c, &m->has_domain[*before], b->k != 0);
    *before = has_domain;
    if (has_domain)
        code_domain(c, m, f, b);
    uint32_t n_means = RUGI_IFS_BLOCK_MEANS * ((1u << f->depth) - 1) + 1;
    b->mean = (int32_t)rugi_ifs_code_uniform(c, n_means, (uint32_t)b->mean);
}

static void begin(block_model *m)
{
    rugi_ifs_bits_begin((rugi_ifs_bit *)(void *)m, sizeof *m / sizeof(rugi_ifs_bit));
}

void rugi_ifs_write_blocks(rugi_ifs_coder *c, const rugi_ifs_blocks *b)
{
    block_model m;
    int before = 0;
    begin(&m);
    for (size_t i = 0; i < b->n; i++) {
        rugi_ifs_block block = b->blocks[i];
        code_one_block(c, &m, &b->frame, &block, &before);
    }
}

rug_status rugi_ifs_read_blocks(rug_context *ctx, rugi_ifs_blocks *b,
                                const rugi_ifs_block_frame *frame, const uint8_t *bytes,
                                size_t n)
{
    rugi_ifs_coder c;
    block_model m;
    int before = 0;
    rug_status status = rugi_ifs_blocks_new(ctx, b, frame);
    size_t i = 0;
    begin(&m);
    rugi_ifs_read_begin(&c, bytes, n);
    for (; i < b->n && status == RUG_OK && !c.failed; i++) {
        code_one_block(&c, &m, frame, &b->blocks[i], &before);
        if (i % STRIDE == STRIDE - 1)
            status = rug_context_step(ctx, (double)i / (double)b->n);
    }
    if (status == RUG_OK && c.failed)
        status =
            rug_context_fail(ctx, RUG_E_FORMAT,
                             "a plane of %u x %u pixels in %zu bytes is damaged after "
                             "%zu of %zu blocks: the stream cannot be read, make it "
                             "again",
                             frame->nx, frame->ny, n, i, b->n);
    if (status != RUG_OK)
        rugi_ifs_blocks_free(ctx, b);
    return status;
}
