/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Trees of fractal coding through the coder and back. */

#include "support.h"

#include "ifs/stream/ifs_model.h"
#include "ifs_stream_support.h"
#include "memory_support.h"
#include <math.h>
#include <stdio.h>

static rugi_ifs_coder write(rug_context *ctx, const rugi_ifs_tree *tree)
{
    rugi_ifs_coder c;
    rugi_ifs_write_begin(&c, ctx);
    assert_int_equal(rugi_ifs_write_tree(ctx, &c, tree), RUG_OK);
    rugi_ifs_write_end(&c);
    assert_false(c.failed);
    return c;
}

static void test_round_trip(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    for (unsigned i = 0; i < N_TREE_RULES; i++) {
        tree_rule rule = tree_rule_of(i);
        char name[16];
        snprintf(name, sizeof name, "%u", i);
        rugi_ifs_tree tree, back;
        random_tree(&tree, &rule);
        rugi_ifs_coder c = write(ctx, &tree);
        assert_int_equal(
            rugi_ifs_read_tree(ctx, &back, &tree.frame, c.bytes, c.n_bytes, SIZE_MAX),
            RUG_OK);
        assert_int_equal(back.n_leaves, tree.n_leaves);
        for (size_t k = 0; k < tree.n_leaves; k++)
            assert_same_leaf(&tree.leaves[k], &back.leaves[k], name);
        rugi_ifs_tree_free(ctx, &back);
        free_random_tree(&tree);
        rug_context_release(ctx, c.bytes);
    }
    rug_context_free(ctx);
}

/* As an encoder does: prices of splits and leaves against the state they will be written
 * in. */
typedef struct pricing {
    rugi_ifs_coder *write;
    rugi_ifs_model *model, *copy;
    rugi_ifs_map map;
    rugi_ifs_tree *tree;
    size_t next;
    uint64_t price;
} pricing;

static void price_block(pricing *p, uint32_t x, uint32_t y, unsigned level)
{
    rugi_ifs_coder price;
    rugi_ifs_leaf *leaf = &p->tree->leaves[p->next];
    int split = leaf->level > level;
    rugi_ifs_price_begin(&price);
    rugi_ifs_code_split(&price, p->model, &p->map, x, y, level, split);
    rugi_ifs_code_split(p->write, p->model, &p->map, x, y, level, split);
    p->price += price.price;
    if (split) {
        uint32_t half = (uint32_t)RUGI_IFS_SIDE(level) / 2;
        for (uint32_t i = 0; i < 4; i++)
            price_block(p, x + i % 2 * half, y + i / 2 * half, level + 1);
        return;
    }
    int32_t coefs[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK];
    rugi_ifs_leaf before = *leaf;
    int32_t *packed = leaf->coefs;
    rugi_ifs_unpack_coefs(coefs, leaf);
    leaf->coefs = coefs;
    before.coefs = coefs;
    *p->copy = *p->model;
    rugi_ifs_price_begin(&price);
    rugi_ifs_code_leaf(&price, p->copy, &p->map, &p->tree->frame, leaf);
    assert_same_leaf(&before, leaf, "priced");
    p->price += price.price;
    rugi_ifs_code_leaf(p->write, p->model, &p->map, &p->tree->frame, leaf);
    assert_same_leaf(&before, leaf, "written");
    rugi_ifs_map_enter(&p->map, &p->tree->frame, leaf);
    leaf->coefs = packed;
    p->next++;
}

static void test_price_is_size(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    for (unsigned i = 0; i < N_TREE_RULES; i++) {
        tree_rule rule = tree_rule_of(i);
        rugi_ifs_tree tree;
        rugi_ifs_coder c, whole;
        random_tree(&tree, &rule);
        pricing p = {&c, rugi_ifs_model_new(ctx), rugi_ifs_model_new(ctx), {0}, &tree, 0,
                     0};
        assert_int_equal(rugi_ifs_map_new(ctx, &p.map, &tree.frame), RUG_OK);
        rugi_ifs_write_begin(&c, ctx);
        for (uint32_t y = 0; y < tree.frame.ny; y += RUGI_IFS_BLOCK)
            for (uint32_t x = 0; x < tree.frame.nx; x += RUGI_IFS_BLOCK)
                price_block(&p, x, y, 0);
        rugi_ifs_write_end(&c);
        double priced = (double)p.price / 65536 / 8;
        /* within a leaf the writer learns, so large ones with rare values cost less */
        double off = (double)c.n_bytes - priced;
        assert_true(i == 7 ? fabs(off) < 0.01 * priced
                           : off < 4 + 0.05 * priced && off > -4 - 0.3 * priced);
        whole = write(ctx, &tree); /* the same decisions */
        assert_int_equal(whole.n_bytes, c.n_bytes);
        assert_memory_equal(whole.bytes, c.bytes, c.n_bytes);
        rugi_ifs_map_free(ctx, &p.map);
        rugi_ifs_model_free(ctx, p.model);
        rugi_ifs_model_free(ctx, p.copy);
        free_random_tree(&tree);
        rug_context_release(ctx, c.bytes);
        rug_context_release(ctx, whole.bytes);
    }
    rug_context_free(ctx);
}

static void test_places(void **unused)
{
    (void)unused;
    rugi_ifs_frame frame = {128, 96, 4, 160, 1, 8, 128};
    rugi_ifs_leaf leaf = {.x = 64, .y = 32, .level = 1, .zone = RUGI_IFS_OVER};
    rugi_ifs_place_domain(&frame, &leaf);
    assert_int_equal(leaf.domain_x, 56);
    assert_int_equal(leaf.domain_y, 24);
    leaf.zone = RUGI_IFS_NEAR;
    leaf.near = 7; /* 3 steps of 4 to the right, 4 up */
    rugi_ifs_place_domain(&frame, &leaf);
    assert_int_equal(leaf.domain_x, 68);
    assert_int_equal(leaf.domain_y, 8);
    leaf =
        (rugi_ifs_leaf){.x = 96, .y = 64, .level = 0, .zone = RUGI_IFS_NEAR, .near = 63};
    rugi_ifs_place_domain(&frame, &leaf);
    assert_int_equal(leaf.domain_x, 64);
    assert_int_equal(leaf.domain_y, 32);
    leaf = (rugi_ifs_leaf){.x = 0, .y = 4, .level = 3, .zone = RUGI_IFS_OVER};
    rugi_ifs_place_domain(&frame, &leaf);
    assert_int_equal(leaf.domain_x, 0);
    assert_int_equal(leaf.domain_y, 0);
}

static void test_zigzag(void **unused)
{
    (void)unused;
    static const uint16_t first[] = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12};
    assert_memory_equal(rugi_ifs_zigzag(3), first, sizeof first);
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++) {
        unsigned n = 1024u >> 2 * level;
        char there[1024] = {0};
        for (unsigned i = 0; i < n; i++)
            there[rugi_ifs_zigzag(level)[i]]++;
        for (unsigned i = 0; i < n; i++)
            assert_int_equal(there[i], 1);
    }
}

/* Every cut, and bytes inverted: an error with a text, or a tree within bounds. */
static void check_damaged(rug_context *ctx, const rugi_ifs_frame *frame,
                          const uint8_t *bytes, size_t n)
{
    rugi_ifs_tree tree;
    rug_status status = rugi_ifs_read_tree(ctx, &tree, frame, bytes, n, SIZE_MAX);
    if (status != RUG_OK) {
        assert_int_equal(status, RUG_E_FORMAT);
        assert_null(tree.leaves);
        return;
    }
    for (size_t i = 0; i < tree.n_leaves; i++) {
        const rugi_ifs_leaf *leaf = &tree.leaves[i];
        uint32_t side = 2 * (uint32_t)RUGI_IFS_SIDE(leaf->level);
        if (leaf->zone != RUGI_IFS_FLAT)
            assert_true(leaf->domain_x + side <= frame->nx && leaf->domain_x % 4 == 0 &&
                        leaf->domain_y + side <= frame->ny && leaf->domain_y % 4 == 0);
        assert_true(leaf->n_coefs < side * side / 4);
    }
    rugi_ifs_tree_free(ctx, &tree);
}

static void test_damage(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    for (unsigned i = 0; i < N_TREE_RULES; i++) {
        tree_rule rule = tree_rule_of(i);
        rugi_ifs_tree tree;
        random_tree(&tree, &rule);
        rugi_ifs_coder c = write(ctx, &tree);
        for (size_t k = 0; k < c.n_bytes; k += 1 + c.n_bytes / 200) {
            check_damaged(ctx, &rule.frame, c.bytes, k);
            c.bytes[k] ^= 0xff;
            check_damaged(ctx, &rule.frame, c.bytes, c.n_bytes);
            c.bytes[k] ^= 0xff;
        }
        rugi_ifs_tree back; /* nothing at all: it ends long before the tree does */
        if (i == 5) {
            assert_int_equal(
                rugi_ifs_read_tree(ctx, &back, &rule.frame, c.bytes, 40, SIZE_MAX),
                RUG_E_FORMAT);
            assert_non_null(strstr(rug_context_error(ctx), "128 x 96"));
        }
        free_random_tree(&tree);
        rug_context_release(ctx, c.bytes);
    }
    rug_context_free(ctx);
}

/* A tree takes the memory that it is allowed, and not a leaf more. */
static void test_room(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    tree_rule rule = tree_rule_of(0);
    rugi_ifs_tree tree, back;
    random_tree(&tree, &rule);
    rugi_ifs_coder c = write(ctx, &tree);
    size_t room = tree.n_leaves * sizeof *tree.leaves;
    for (size_t i = 0; i < tree.n_leaves; i++)
        room += tree.leaves[i].n_coefs * sizeof *tree.coefs;
    assert_int_equal(
        rugi_ifs_read_tree(ctx, &back, &rule.frame, c.bytes, c.n_bytes, room), RUG_OK);
    rugi_ifs_tree_free(ctx, &back);
    assert_int_equal(
        rugi_ifs_read_tree(ctx, &back, &rule.frame, c.bytes, c.n_bytes, room / 2),
        RUG_E_ARG);
    assert_null(back.leaves);
    assert_non_null(strstr(rug_context_error(ctx), "--max-pixels"));
    free_random_tree(&tree);
    rug_context_release(ctx, c.bytes);
    rug_context_free(ctx);
}

static void test_no_memory(void **unused)
{
    (void)unused;
    tree_rule rule = tree_rule_of(0);
    rugi_ifs_tree tree, back;
    random_tree(&tree, &rule);
    rug_context *plain = test_context();
    rugi_ifs_coder c = write(plain, &tree);
    rug_status status = RUG_E_NOMEM;
    for (size_t fail_at = 1; status != RUG_OK; fail_at++) {
        memory m = {.fail_at = fail_at};
        rug_context *ctx = test_context();
        memory_hook(ctx, &m);
        status =
            rugi_ifs_read_tree(ctx, &back, &rule.frame, c.bytes, c.n_bytes, SIZE_MAX);
        assert_true(status == RUG_OK || status == RUG_E_NOMEM);
        assert_true(fail_at > 4 || status == RUG_E_NOMEM);
        rugi_ifs_tree_free(ctx, &back);
        rugi_ifs_coder again;
        rugi_ifs_write_begin(&again, ctx);
        rugi_ifs_write_tree(ctx, &again, &tree);
        rug_context_release(ctx, again.bytes);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        rug_context_free(ctx);
    }
    free_random_tree(&tree);
    rug_context_release(plain, c.bytes);
    rug_context_free(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_price_is_size),
        cmocka_unit_test(test_places),     cmocka_unit_test(test_zigzag),
        cmocka_unit_test(test_damage),     cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
