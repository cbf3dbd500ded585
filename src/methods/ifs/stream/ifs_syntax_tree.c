/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A plane's whole tree, written and read: blocks of 32 pixels row by row, each split into
 * four as far as it is, top left, top right, bottom left, bottom right. */

#include "ifs_model.h"
#include <string.h>

static const char what[] = "tree of fractal coding";

/* A walk over the blocks. */
typedef struct walk {
    rug_context *ctx;
    rugi_ifs_coder *coder;
    rugi_ifs_model *model;
    rugi_ifs_map map;
    rugi_ifs_tree *tree;
    size_t next;          /* leaf to be written */
    size_t leaf_room;     /* of tree->leaves, when reading */
    size_t n_coefs, room; /* of tree->coefs, when reading */
    rug_status status;
} walk;

void rugi_ifs_tree_free(rug_context *ctx, rugi_ifs_tree *tree)
{
    rug_context_release(ctx, tree->leaves);
    rug_context_release(ctx, tree->coefs);
    memset(tree, 0, sizeof *tree);
}

/* Makes room for `more` items behind n; NULL with an error text. */
static void *make_room(rug_context *ctx, void *items, size_t n, size_t more, size_t *room,
                       size_t item_size)
{
    if (n + more <= *room)
        return items;
    size_t wanted = *room + *room / 2;
    wanted = wanted < n + more + 256 ? n + more + 256 : wanted;
    void *block = rug_context_allocate(ctx, wanted, item_size, what);
    if (block == NULL)
        return NULL;
    if (n > 0)
        memcpy(block, items, n * item_size);
    rug_context_release(ctx, items);
    *room = wanted;
    return block;
}

/* Room for one more leaf and its coefficients. The leaves' pointers are set when all have
 * been read, since their memory moves. */
static int make_leaf(walk *w)
{
    rugi_ifs_tree *tree = w->tree;
    void *leaves = make_room(w->ctx, tree->leaves, tree->n_leaves, 1, &w->leaf_room,
                             sizeof *tree->leaves);
    if (leaves != NULL)
        tree->leaves = leaves;
    void *coefs = tree->coefs;
    if (leaves != NULL && tree->frame.has_residual) {
        coefs = make_room(w->ctx, coefs, w->n_coefs, RUGI_IFS_BLOCK * RUGI_IFS_BLOCK,
                          &w->room, sizeof *tree->coefs);
        if (coefs != NULL)
            tree->coefs = coefs;
    }
    int made = leaves != NULL && (coefs != NULL || !tree->frame.has_residual);
    if (!made)
        w->status = RUG_E_NOMEM;
    return made;
}

static void read_leaf(walk *w, uint32_t x, uint32_t y, unsigned level)
{
    rugi_ifs_tree *tree = w->tree;
    size_t side = rugi_ifs_side(level);
    if (!make_leaf(w))
        return;
    rugi_ifs_leaf *leaf = &tree->leaves[tree->n_leaves++];
    memset(leaf, 0, sizeof *leaf);
    leaf->x = x;
    leaf->y = y;
    leaf->level = (uint8_t)level;
    if (tree->frame.has_residual)
        leaf->coefs = tree->coefs + w->n_coefs;
    rugi_ifs_code_leaf(w->coder, w->model, &w->map, &tree->frame, leaf);
    leaf->coefs = NULL;
    if (leaf->n_coefs > 0)
        w->n_coefs += side * side;
    rugi_ifs_map_enter(&w->map, &tree->frame, leaf);
    if (w->coder->failed)
        w->status = RUG_E_FORMAT;
}

static void write_leaf(walk *w)
{
    rugi_ifs_leaf leaf = w->tree->leaves[w->next++];
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
        size_t side = rugi_ifs_side(leaf->level);
        leaf->coefs = leaf->n_coefs > 0 ? tree->coefs + at : NULL;
        at += leaf->n_coefs > 0 ? side * side : 0;
    }
}

rug_status rugi_ifs_read_tree(rug_context *ctx, rugi_ifs_tree *tree,
                              const rugi_ifs_frame *frame, const uint8_t *bytes, size_t n)
{
    rugi_ifs_coder coder;
    memset(tree, 0, sizeof *tree);
    tree->frame = *frame;
    rugi_ifs_read_begin(&coder, bytes, n);
    walk w = {.ctx = ctx, .coder = &coder, .tree = tree};
    rug_status status = code_tree(&w);
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
