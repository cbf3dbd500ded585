/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Random trees of fractal coding, and how they are compared. Include it after support.h. */

#ifndef RUGOSE_IFS_TREE_SUPPORT_H
#define RUGOSE_IFS_TREE_SUPPORT_H

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
        leaf->coefs[rugi_ifs_zigzag(leaf->level)[i]] =
            test_below(state, 2) ? -size : size;
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
    size_t side = (size_t)RUGI_IFS_SIDE(a->level);
    int same = a->x == b->x && a->y == b->y && a->level == b->level &&
               a->zone == b->zone && a->k == b->k && a->mean == b->mean &&
               a->n_coefs == b->n_coefs;
    if (same && a->zone != RUGI_IFS_FLAT)
        same = a->symmetry == b->symmetry && a->near == b->near &&
               a->domain_x == b->domain_x && a->domain_y == b->domain_y;
    if (same && a->n_coefs > 0)
        same = memcmp(a->coefs, b->coefs, side * side * sizeof *a->coefs) == 0;
    if (!same)
        fail_msg("rule %s: the leaf at %u, %u differs", rule, a->x, a->y);
}

#endif
