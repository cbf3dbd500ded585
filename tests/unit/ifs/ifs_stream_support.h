/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Random trees and blocks, and streams of them. */

#ifndef RUGOSE_IFS_STREAM_SUPPORT_H
#define RUGOSE_IFS_STREAM_SUPPORT_H

#include "core/context/crc.h"
#include "ifs/stream/ifs_container.h"
#include "ifs/stream/ifs_planes.h"
#include <stdlib.h>
#include <string.h>

/* What a random tree is like. */
typedef struct tree_rule {
    rugi_ifs_frame frame;
    unsigned split;   /* chance of a split, of 16 */
    unsigned domains; /* chance of a domain, of 16 */
    unsigned coefs;   /* chance of coefficients, of 16 */
    uint32_t size;    /* largest coefficient */
    uint64_t seed;
} tree_rule;

static inline void random_coefs(rugi_ifs_tree *tree, rugi_ifs_leaf *leaf, uint64_t *state,
                                const tree_rule *rule, size_t *n_coefs)
{
    unsigned side = (unsigned)RUGI_IFS_SIDE(leaf->level), n = side * side;
    leaf->coefs = tree->coefs + *n_coefs;
    *n_coefs += n;
    leaf->n_coefs = (uint16_t)(1 + test_below(state, test_below(state, n - 1) + 1));
    for (unsigned i = 1; i <= leaf->n_coefs; i++) {
        int32_t size = (int32_t)test_below(state, rule->size + 1);
        if (i < leaf->n_coefs && test_below(state, 3) > 0)
            size = 0;
        if (i == leaf->n_coefs && size == 0)
            size = 1;
        leaf->coefs[i - 1] = test_below(state, 2) ? -size : size;
    }
}

static inline void random_domain(rugi_ifs_leaf *leaf, const rugi_ifs_frame *frame,
                                 uint64_t *state)
{
    uint32_t side = 2 * (uint32_t)RUGI_IFS_SIDE(leaf->level);
    leaf->zone = (uint8_t)(1 + test_below(state, 3));
    leaf->symmetry = (uint8_t)test_below(state, 8);
    leaf->near = leaf->zone == RUGI_IFS_NEAR ? (uint8_t)test_below(state, 64) : 0;
    leaf->k = (int8_t)(1 + test_below(state, 8));
    if (test_below(state, 2))
        leaf->k = (int8_t)-leaf->k;
    uint32_t step = frame->step;
    leaf->domain_x = (uint32_t)test_below(state, (frame->nx - side) / step + 1) * step;
    leaf->domain_y = (uint32_t)test_below(state, (frame->ny - side) / step + 1) * step;
    rugi_ifs_place_domain(frame, leaf);
}

static inline void random_block(rugi_ifs_tree *tree, const tree_rule *rule,
                                uint64_t *state, size_t *n_coefs, uint32_t x, uint32_t y,
                                unsigned level)
{
    const rugi_ifs_frame *frame = &tree->frame;
    uint32_t side = (uint32_t)RUGI_IFS_SIDE(level);
    if (level < RUGI_IFS_LEVELS - 1 && test_below(state, 16) < rule->split) {
        for (uint32_t i = 0; i < 4; i++)
            random_block(tree, rule, state, n_coefs, x + i % 2 * side / 2,
                         y + i / 2 * side / 2, level + 1);
        return;
    }
    rugi_ifs_leaf *leaf = &tree->leaves[tree->n_leaves++];
    leaf->x = x;
    leaf->y = y;
    leaf->level = (uint8_t)level;
    if (2 * side <= frame->nx && 2 * side <= frame->ny &&
        test_below(state, 16) < rule->domains)
        random_domain(leaf, frame, state);
    int32_t step = rugi_ifs_mean_step(frame, level);
    leaf->mean = (int32_t)test_below(state, ((uint64_t)64 << frame->depth)) / step;
    if (frame->has_residual && test_below(state, 16) < rule->coefs)
        random_coefs(tree, leaf, state, rule, n_coefs);
}

/* A tree by a rule; free it with free_random_tree(). */
static inline void random_tree(rugi_ifs_tree *tree, const tree_rule *rule)
{
    uint64_t state = rule->seed;
    size_t n_pixels = (size_t)rule->frame.nx * rule->frame.ny, n_coefs = 0;
    memset(tree, 0, sizeof *tree);
    tree->frame = rule->frame;
    tree->leaves = calloc(n_pixels / 16, sizeof *tree->leaves);
    tree->coefs = calloc(n_pixels, sizeof *tree->coefs);
    assert_true(tree->leaves != NULL && tree->coefs != NULL);
    for (uint32_t y = 0; y < rule->frame.ny; y += RUGI_IFS_BLOCK)
        for (uint32_t x = 0; x < rule->frame.nx; x += RUGI_IFS_BLOCK)
            random_block(tree, rule, &state, &n_coefs, x, y, 0);
}

static inline void free_random_tree(rugi_ifs_tree *tree)
{
    free(tree->leaves);
    free(tree->coefs);
}

/* The rules of the tests: sizes without domains, one row of blocks, no residual, extreme
 * depths and steps. */
#define N_TREE_RULES 8
static inline tree_rule tree_rule_of(unsigned i)
{
    static const tree_rule rules[N_TREE_RULES] = {
        {{96, 64, 4, 160, 1, 8, 128}, 8, 8, 8, 3, 1},
        {{32, 32, 4, 1, 1, 8, 128}, 8, 8, 8, 900, 2},
        {{160, 32, 8, 20, 1, 8, 128}, 10, 12, 4, 40, 3},
        {{32, 160, 4, 64, 0, 8, 128}, 4, 16, 0, 0, 4},
        {{64, 64, 1024, 1u << 20, 1, 16, 32768}, 8, 8, 16, 1u << 28, 5},
        {{128, 96, 12, 1, 1, 17, 65536}, 14, 8, 8, 1u << 20, 6},
        {{192, 160, 4, 320, 1, 9, 256}, 3, 2, 2, 2, 7},
        {{64, 96, 4, 32, 1, 8, 128}, 16, 16, 16, 7, 8},
    };
    return rules[i];
}

static inline void assert_same_leaf(const rugi_ifs_leaf *a, const rugi_ifs_leaf *b,
                                    const char *rule)
{
    int same = a->x == b->x && a->y == b->y && a->level == b->level &&
               a->zone == b->zone && a->k == b->k && a->mean == b->mean &&
               a->n_coefs == b->n_coefs;
    if (same && a->zone != RUGI_IFS_FLAT)
        same = a->symmetry == b->symmetry && a->near == b->near &&
               a->domain_x == b->domain_x && a->domain_y == b->domain_y;
    if (same && a->n_coefs > 0)
        same = memcmp(a->coefs, b->coefs, a->n_coefs * sizeof *a->coefs) == 0;
    if (!same)
        fail_msg("rule %s: the leaf at %u, %u differs", rule, a->x, a->y);
}

/* ---- Streams, made without an encoder ---- */

/* Random blocks; free them with rugi_ifs_blocks_free(). */
static inline void random_blocks(rug_context *ctx, rugi_ifs_blocks *b,
                                 const rugi_ifs_block_frame *f, uint64_t *state)
{
    assert_int_equal(rugi_ifs_blocks_new(ctx, b, f), RUG_OK);
    int fits = 2 * f->size <= f->nx && 2 * f->size <= f->ny;
    for (size_t i = 0; i < b->n; i++) {
        rugi_ifs_block *block = &b->blocks[i];
        block->mean = (int32_t)test_below(state, (4u << f->depth) - 3);
        if (!fits || test_below(state, 4) == 0)
            continue;
        block->k = (int8_t)((int)test_below(state, 129) - 64);
        if (block->k == 0)
            continue;
        block->symmetry = (uint8_t)test_below(state, 8);
        uint32_t n_x = rugi_ifs_domain_places(f, f->nx);
        uint32_t n_y = rugi_ifs_domain_places(f, f->ny);
        block->domain_x = (uint32_t)test_below(state, n_x) * f->step;
        block->domain_y = (uint32_t)test_below(state, n_y) * f->step;
    }
}

static inline void write_random_plane(rug_context *ctx, rugi_ifs_coder *c,
                                      const rugi_ifs_header *h, int plane,
                                      uint64_t *state)
{
    rugi_ifs_write_begin(c, ctx);
    if (h->partition == RUG_IFS_QUADTREE) {
        tree_rule rule = {rugi_ifs_frame_of(h, plane), 9, 8, 6, 4, test_random(state)};
        rugi_ifs_tree tree;
        random_tree(&tree, &rule);
        assert_int_equal(rugi_ifs_write_tree(ctx, c, &tree), RUG_OK);
        free_random_tree(&tree);
    } else {
        rugi_ifs_block_frame frame = rugi_ifs_block_frame_of(h, plane);
        rugi_ifs_blocks blocks;
        random_blocks(ctx, &blocks, &frame, state);
        rugi_ifs_write_blocks(c, &blocks);
        rugi_ifs_blocks_free(ctx, &blocks);
    }
    rugi_ifs_write_end(c);
    assert_false(c->failed);
}

/* Free it with rug_ifs_stream_free(). */
static inline rug_ifs_stream random_stream(rug_context *ctx, const rugi_ifs_header *h,
                                           uint64_t seed)
{
    rug_ifs_stream out;
    rugi_ifs_coder c[RUG_IFS_PLANES_MAX];
    rugi_ifs_part parts[RUG_IFS_PLANES_MAX];
    size_t n[RUG_IFS_PLANES_MAX] = {0};
    for (int i = 0; i < h->n_planes; i++) {
        write_random_plane(ctx, &c[i], h, i, &seed);
        parts[i] = (rugi_ifs_part){c[i].bytes, c[i].n_bytes, 0, 0};
        n[i] = c[i].n_bytes;
    }
    assert_int_equal(rugi_ifs_container_write(ctx, &out, h, parts), RUG_OK);
    assert_int_equal(out.size, rugi_ifs_container_size(h, n));
    for (int i = 0; i < h->n_planes; i++)
        rug_context_release(ctx, c[i].bytes);
    return out;
}

/* Headers of all kinds. */
#define N_HEADERS 11
static inline rugi_ifs_header header_of(unsigned i)
{
    static const rugi_ifs_header headers[N_HEADERS] = {
        {RUG_IFS_QUADTREE, 1, 8, 0, 1, 70, 45, 0, 4, 5, 4, {160}, 0},
        {RUG_IFS_QUADTREE, 3, 8, 1, 1, 64, 64, 0, 8, 3, 0, {160, 320, 320}, 0},
        {RUG_IFS_QUADTREE, 1, 16, 0, 0, 1, 1, 0, 1024, 1, 15, {1 << 20}, 0},
        {RUG_IFS_QUADTREE, 3, 16, 1, 1, 33, 1, 0, 4, 2, 2, {4000, 1, 9000}, 0},
        {RUG_IFS_QUADTREE, 3, 8, 0, 0, 17, 96, 0, 12, 64, 0, {33, 34, 35}, 0},
        {RUG_IFS_FIXED, 1, 8, 0, 0, 61, 37, 8, 1, 4, 0, {1}, 0},
        {RUG_IFS_OVERLAP, 1, 8, 0, 0, 40, 30, 6, 3, 3, 0, {1}, 0},
        {RUG_IFS_FIXED, 3, 16, 1, 0, 7, 5, 3, 1024, 2, 0, {1, 1, 1}, 0},
        {RUG_IFS_OVERLAP, 3, 8, 1, 0, 64, 65, 32, 5, 6, 0, {1, 1, 1}, 0},
        {RUG_IFS_FIXED, 1, 8, 0, 0, 61, 37, 8, 3, 4, 0, {1}, 1},
        {RUG_IFS_OVERLAP, 1, 16, 0, 0, 21, 17, 4, 1, 3, 0, {1}, 1},
    };
    return headers[i];
}

/* A picture's checksum. */
static inline uint32_t crc_of(const rug_ifs_picture *p)
{
    return rugi_crc(p->pixels, (size_t)p->nx * p->ny * (size_t)p->n_planes *
                                   (p->dtype == RUG_U16 ? 2 : 1));
}

/* Puts right checksums into a stream that was changed on purpose. */
static inline void mend_stream(uint8_t *bytes, size_t size)
{
    size_t n_planes = bytes[5] & 4 ? 3 : 1, at = 17 + 11 * n_planes + 4;
    for (size_t i = 0; i < n_planes; i++) {
        uint8_t *plane = bytes + 17 + 11 * i;
        size_t n = plane[3] | (size_t)plane[4] << 8 | (size_t)plane[5] << 16;
        if (plane[6] != 0 || at + n > size)
            break;
        uint32_t crc = rugi_crc(bytes + at, n);
        for (int k = 0; k < 4; k++)
            plane[7 + k] = (uint8_t)(crc >> 8 * k);
        at += n;
    }
    uint8_t *end = bytes + 17 + 11 * n_planes;
    if (17 + 11 * n_planes + 4 > size)
        return;
    uint32_t crc = rugi_crc(bytes, (size_t)(end - bytes));
    for (int k = 0; k < 4; k++)
        end[k] = (uint8_t)(crc >> 8 * k);
}

#endif
