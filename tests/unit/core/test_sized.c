/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Structs that cross the interface with their size: shorter ones, longer ones, and wrong sizes. */

#include "core/context/sized.h"
#include "support.h"
#include <stdlib.h>
#include <string.h>

/* What a library has, what a caller of an older version has, and one of a newer. */
typedef struct sized {
    size_t struct_size;
    int32_t level;
    int32_t kind;
    double width;
} sized;

typedef struct older {
    size_t struct_size;
    int32_t level;
    int32_t kind;
} older;

typedef struct newer {
    sized known;
    uint64_t more;
} newer;

static const sized defaults = {sizeof(sized), 7, 1, 0.5};

/* Each struct of a caller stands in a block of its own size, for the address sanitizer. */
static void *block_of(const void *bytes, size_t size)
{
    void *block = malloc(size);
    assert_non_null(block);
    memcpy(block, bytes, size);
    return block;
}

static void assert_refused(rug_context *ctx, rug_status status, const char *text)
{
    assert_int_equal(status, RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), text));
}

static void test_take_of_null(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    sized own = defaults;
    assert_int_equal(RUGI_TAKE(ctx, &own, NULL, "sized"), RUG_OK);
    assert_memory_equal(&own, &defaults, sizeof own);
    rug_context_free(ctx);
}

static void test_take_of_lengths(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    sized own = defaults;
    const sized same = {sizeof same, 1, 2, 3};
    assert_int_equal(RUGI_TAKE(ctx, &own, &same, "sized"), RUG_OK);
    assert_memory_equal(&own, &same, sizeof own);

    own = defaults;
    older *shorter = block_of(&(older){sizeof(older), 4, 5}, sizeof *shorter);
    assert_int_equal(RUGI_TAKE(ctx, &own, shorter, "sized"), RUG_OK);
    assert_int_equal(own.level, 4);
    assert_int_equal(own.kind, 5);
    assert_true(own.width == defaults.width);
    assert_int_equal(own.struct_size, sizeof own);
    free(shorter);

    own = defaults;
    newer *longer = block_of(&(newer){{sizeof(newer), 6, 7, 8}, 0}, sizeof *longer);
    assert_int_equal(RUGI_TAKE(ctx, &own, longer, "sized"), RUG_OK);
    assert_int_equal(own.level, 6);
    assert_true(own.width == 8);
    assert_int_equal(own.struct_size, sizeof own);

    own = defaults;
    for (size_t i = sizeof own; i < sizeof *longer; i++) {
        ((unsigned char *)longer)[i] = 1;
        assert_refused(ctx, RUGI_TAKE(ctx, &own, longer, "sized"), "sized: byte");
        ((unsigned char *)longer)[i] = 0;
    }
    assert_memory_equal(&own, &defaults, sizeof own);
    free(longer);
    rug_context_free(ctx);
}

static void test_wrong_sizes(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const size_t wrong[] = {0, 1, sizeof(size_t), (size_t)1 << 20, SIZE_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        size_t *block = block_of(&wrong[i], sizeof *block);
        sized own = defaults;
        assert_refused(ctx, RUGI_TAKE(ctx, &own, block, "sized"), "sized.struct_size");
        assert_memory_equal(&own, &defaults, sizeof own);
        assert_refused(ctx, rugi_clear(ctx, block, "sized"), "sized.struct_size");
        assert_int_equal(*block, wrong[i]);
        free(block);
    }
    assert_refused(ctx, rugi_clear(ctx, NULL, "sized"), "sized");
    rug_context_free(ctx);
}

static void test_clear_and_give(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const sized found = {sizeof found, 1, 2, 3};
    const size_t sizes[] = {sizeof(older), sizeof(sized), sizeof(newer)};
    for (size_t i = 0; i < 3; i++) {
        unsigned char rubbish[sizeof(newer)];
        memset(rubbish, 0xA5, sizeof rubbish);
        memcpy(rubbish, &sizes[i], sizeof sizes[i]);
        unsigned char *block = block_of(rubbish, sizes[i]);
        assert_int_equal(rugi_clear(ctx, block, "sized"), RUG_OK);
        for (size_t k = sizeof(size_t); k < sizes[i]; k++)
            assert_int_equal(block[k], 0);
        RUGI_GIVE(block, &found);
        assert_memory_equal(block, &sizes[i], sizeof sizes[i]);
        size_t common = sizes[i] < sizeof found ? sizes[i] : sizeof found;
        assert_memory_equal(block + sizeof(size_t), (const char *)&found + sizeof(size_t),
                            common - sizeof(size_t));
        for (size_t k = common; k < sizes[i]; k++)
            assert_int_equal(block[k], 0);
        free(block);
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_take_of_null),
        cmocka_unit_test(test_take_of_lengths),
        cmocka_unit_test(test_wrong_sizes),
        cmocka_unit_test(test_clear_and_give),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
