/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Patches of every kind through the coder: what is read is what was written, costs what was said, and
 * rubbish gives patches that may be decoded or a failure. */

#include "support.h"

#include "patches_support.h"

/* A plane of random patches, in the order of the stream. */
typedef struct scene {
    rugi_ifs_patch_frame frame;
    uint64_t rng;
    uint32_t largest; /* magnitude */
    unsigned split;   /* chance of it, of 16 */
    int32_t coefs[RUGI_IFS_PIXELS];
    rugi_ifs_patch patches[6 * 64 * 2];
    int32_t *kept[6 * 64 * 2];
    int offsets[6 * 2];
    size_t n_patches, next;
} scene;

static int32_t random_value(scene *s, unsigned state, int may_be_0)
{
    uint32_t size = (uint32_t)test_below(&s->rng, s->largest + (uint64_t)may_be_0);
    size += !may_be_0;
    if (size == 0)
        return 0;
    int32_t value = (int32_t)(2 * size - state % 2);
    return test_below(&s->rng, 2) ? -value : value;
}

/* Values are odd in odd states, or 0. */
static void random_coefs(scene *s, rugi_ifs_patch *patch)
{
    static const unsigned even[] = {0, 5, 1, 6, 2, 4, 3, 7},
                          odd[] = {2, 7, 3, 4, 0, 6, 1, 5};
    unsigned side = rugi_ifs_side(patch->level), state = 0;
    unsigned n = (unsigned)test_below(&s->rng, test_below(&s->rng, side * side) + 1);
    memset(s->coefs, 0, sizeof s->coefs);
    patch->n_coefs = (uint16_t)n;
    for (unsigned i = n; i-- > 0;) {
        int is_0 = i + 1 < n && test_below(&s->rng, 3) > 0;
        int32_t value = is_0 ? 0 : random_value(s, state, i + 1 < n);
        uint32_t magnitude = ((uint32_t)abs(value) + 1) / 2;
        s->coefs[rugi_ifs_zigzag(patch->level)[i]] = value;
        state = magnitude % 2 ? odd[state] : even[state];
    }
}

static void random_domain(scene *s, rugi_ifs_patch *patch)
{
    for (int i = 0; i < 60; i++) {
        uint32_t x = (uint32_t)test_below(&s->rng, s->frame.nx / 2) * 2;
        uint32_t y = (uint32_t)test_below(&s->rng, patch->y + 1) / 2 * 2;
        if (!rugi_ifs_is_decoded(&s->frame, patch, x, y))
            continue;
        patch->domain_x = x;
        patch->domain_y = y;
        return;
    }
    patch->kind = RUGI_IFS_FLAT_KIND;
}

static rugi_ifs_patch random_patch(scene *s, uint32_t x, uint32_t y, unsigned level)
{
    rugi_ifs_patch patch = {.x = x, .y = y, .level = (uint8_t)level, .coefs = s->coefs};
    patch.kind = (uint8_t)test_below(&s->rng, s->frame.has_luma ? 6 : 5);
    patch.angle = patch.kind == RUGI_IFS_ANGLE ? (uint8_t)test_below(&s->rng, 32) : 0;
    if (patch.kind == RUGI_IFS_DOMAIN)
        random_domain(s, &patch);
    if (patch.kind >= RUGI_IFS_DOMAIN)
        patch.k = (int8_t)((int)test_below(&s->rng, 8) + 1);
    if (patch.kind >= RUGI_IFS_DOMAIN && test_below(&s->rng, 2))
        patch.k = (int8_t)-patch.k;
    if (patch.kind == RUGI_IFS_LUMA && test_below(&s->rng, 3) == 0)
        patch.k = 0;
    if (patch.kind == RUGI_IFS_DOMAIN)
        patch.symmetry = (uint8_t)test_below(&s->rng, 8);
    random_coefs(s, &patch);
    return patch;
}

/* Keeps a patch that is written, or compares one that is read. */
static void keep_or_compare(scene *s, const rugi_ifs_patch *patch, int is_read)
{
    size_t n = (size_t)rugi_ifs_side(patch->level) * rugi_ifs_side(patch->level);
    if (!is_read) {
        s->kept[s->n_patches] = malloc(n * sizeof(int32_t));
        assert_non_null(s->kept[s->n_patches]);
        memcpy(s->kept[s->n_patches], patch->coefs, n * sizeof(int32_t));
        s->patches[s->n_patches++] = *patch;
        return;
    }
    const rugi_ifs_patch *a = &s->patches[s->next];
    assert_true(s->next < s->n_patches);
    if (a->x != patch->x || a->y != patch->y || a->level != patch->level ||
        a->kind != patch->kind || a->angle != patch->angle || a->k != patch->k ||
        a->symmetry != patch->symmetry || a->domain_x != patch->domain_x ||
        a->domain_y != patch->domain_y || a->n_coefs != patch->n_coefs)
        fail_msg("patch %zu at %u, %u of kind %d is another one", s->next, a->x, a->y,
                 a->kind);
    assert_memory_equal(s->kept[s->next], patch->coefs, n * sizeof(int32_t));
    s->next++;
}

static void code_block(scene *s, const rugi_ifs_patch_coding *c, uint32_t x, uint32_t y,
                       unsigned level)
{
    int is_read = c->coder->coding == RUGI_IFS_READ;
    int split = !is_read && test_below(&s->rng, 16) < s->split;
    if (level < RUGI_IFS_LEVELS - 1)
        split = rugi_ifs_code_patch_split(c, x, y, level, split);
    if (level < RUGI_IFS_LEVELS - 1 && split) {
        uint32_t half = rugi_ifs_side(level) / 2;
        for (uint32_t i = 0; i < 4; i++)
            code_block(s, c, x + i % 2 * half, y + i / 2 * half, level + 1);
        return;
    }
    rugi_ifs_patch patch = {.x = x, .y = y, .level = (uint8_t)level, .coefs = s->coefs};
    memset(s->coefs, 0, sizeof s->coefs);
    if (!is_read)
        patch = random_patch(s, x, y, level);
    rugi_ifs_code_patch(c, &patch);
    keep_or_compare(s, &patch, is_read);
    rugi_ifs_patch_enter((rugi_ifs_patch_map *)(uintptr_t)c->map, &patch);
}

static void code_roots(scene *s, const rugi_ifs_patch_coding *c)
{
    uint32_t nx = s->frame.nx / 32, ny = s->frame.ny / 32;
    for (uint32_t i = 0; i < nx * ny; i++) {
        if (s->frame.has_offsets) {
            int is_read = c->coder->coding == RUGI_IFS_READ;
            int offset = is_read ? 0 : (int)test_below(&s->rng, 37) - 18;
            offset = rugi_ifs_code_offset(c, i % nx, i / nx, offset);
            c->map->offsets[i] = (int8_t)offset;
            if (is_read)
                assert_int_equal(offset, s->offsets[i]);
            s->offsets[i] = offset;
        }
        code_block(s, c, i % nx * 32, i / nx * 32, 0);
    }
}

/* Writes a scene and reads it. @return the map, which belongs to the caller */
static rugi_ifs_patch_map there_and_back(rug_context *ctx, scene *s,
                                         const rugi_ifs_patch_map *before)
{
    rugi_ifs_patch_map maps[2];
    rugi_ifs_coder write, read;
    rugi_ifs_patch_model *model = malloc(rugi_ifs_patch_model_bytes());
    assert_non_null(model);
    for (int i = 0; i < 2; i++) {
        rugi_ifs_patch_coding c = {i == 0 ? &write : &read, model, &maps[i], before,
                                   &s->frame};
        assert_int_equal(rugi_ifs_patch_map_new(ctx, &maps[i], s->frame.nx, s->frame.ny),
                         RUG_OK);
        rugi_ifs_patch_model_begin(model, s->frame.has_luma);
        if (i == 0)
            rugi_ifs_write_begin(&write, ctx);
        else
            rugi_ifs_read_begin(&read, write.bytes, write.n_bytes);
        code_roots(s, &c);
        if (i == 0)
            rugi_ifs_write_end(&write);
        assert_false(c.coder->failed);
    }
    assert_int_equal(s->next, s->n_patches);
    assert_memory_equal(maps[0].squares, maps[1].squares,
                        sizeof(rugi_ifs_patch_square) * maps[0].nx * maps[0].ny);
    for (size_t i = 0; i < s->n_patches; i++)
        free(s->kept[i]);
    rug_context_release(ctx, write.bytes);
    rugi_ifs_patch_map_free(ctx, &maps[0]);
    free(model);
    return maps[1];
}

static scene scene_of(uint32_t nx, uint32_t ny, unsigned split, uint32_t largest,
                      uint64_t seed)
{
    return (scene){.frame = {.nx = nx, .ny = ny, .depth = 8, .delta = 160},
                   .split = split,
                   .largest = largest,
                   .rng = seed};
}

static void what_is_read_was_written(void **state)
{
    (void)state;
    static scene luma, chroma;
    rug_context *ctx = test_context();
    for (uint64_t seed = 1; seed <= (uint64_t)TEST_CASES(20); seed++) {
        unsigned split = (unsigned)(4 + seed % 3 * 5), halved = seed % 2 == 0;
        luma = scene_of(96, 64, split, seed % 4 == 0 ? 1u << 27 : 20, seed);
        luma.frame.has_offsets = seed % 3 == 0;
        rugi_ifs_patch_map before = there_and_back(ctx, &luma, NULL);
        chroma = scene_of(halved ? 64 : 96, halved ? 32 : 64, split, 3, seed);
        chroma.frame.has_luma = 1;
        chroma.frame.halved = halved;
        rugi_ifs_patch_map map = there_and_back(ctx, &chroma, &before);
        rugi_ifs_patch_map_free(ctx, &map);
        rugi_ifs_patch_map_free(ctx, &before);
    }
    rug_context_free(ctx);
}

/* ---- Rubbish ---- */

static void check_patch(const scene *s, const rugi_ifs_patch *patch)
{
    unsigned side = rugi_ifs_side(patch->level);
    assert_true(patch->n_coefs <= side * side && patch->angle < 32 &&
                patch->symmetry < 8);
    assert_true(patch->kind < (s->frame.has_luma ? 6 : 5));
    if (patch->kind == RUGI_IFS_DOMAIN)
        assert_true(
            rugi_ifs_is_decoded(&s->frame, patch, patch->domain_x, patch->domain_y));
    if (patch->kind >= RUGI_IFS_DOMAIN)
        assert_true(patch->k >= -8 && patch->k <= 8 &&
                    (patch->k != 0 || patch->kind == RUGI_IFS_LUMA));
}

static void read_block(scene *s, const rugi_ifs_patch_coding *c, uint32_t x, uint32_t y,
                       unsigned level)
{
    if (level < RUGI_IFS_LEVELS - 1 && rugi_ifs_code_patch_split(c, x, y, level, 0)) {
        uint32_t half = rugi_ifs_side(level) / 2;
        for (uint32_t i = 0; i < 4; i++)
            read_block(s, c, x + i % 2 * half, y + i / 2 * half, level + 1);
        return;
    }
    rugi_ifs_patch patch = {.x = x, .y = y, .level = (uint8_t)level, .coefs = s->coefs};
    memset(s->coefs, 0, sizeof s->coefs);
    rugi_ifs_code_patch(c, &patch);
    check_patch(s, &patch);
    rugi_ifs_patch_enter((rugi_ifs_patch_map *)(uintptr_t)c->map, &patch);
}

/* Whatever the bytes are, also behind a failure, patches are ones that can be. */
static void rubbish_gives_patches(void **state)
{
    (void)state;
    static scene s;
    rug_context *ctx = test_context();
    rugi_ifs_patch_model *model = malloc(rugi_ifs_patch_model_bytes());
    assert_non_null(model);
    int n_failed = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)TEST_CASES(60); seed++) {
        uint8_t bytes[300];
        rugi_ifs_coder coder;
        rugi_ifs_patch_map map;
        s = scene_of(96, 64, 0, 0, seed);
        s.frame.has_offsets = seed % 2 == 0;
        s.frame.has_luma = seed % 3 == 0;
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)test_below(&s.rng, 256);
        assert_int_equal(rugi_ifs_patch_map_new(ctx, &map, 96, 64), RUG_OK);
        rugi_ifs_patch_model_begin(model, s.frame.has_luma);
        rugi_ifs_read_begin(&coder, bytes, sizeof bytes);
        rugi_ifs_patch_coding c = {&coder, model, &map, NULL, &s.frame};
        for (uint32_t i = 0; i < 6; i++) {
            int offset =
                s.frame.has_offsets ? rugi_ifs_code_offset(&c, i % 3, i / 3, 0) : 0;
            assert_in_range(offset + 18, 0, 36);
            map.offsets[i] = (int8_t)offset;
            read_block(&s, &c, i % 3 * 32, i / 3 * 32, 0);
        }
        n_failed += coder.failed != 0;
        rugi_ifs_patch_map_free(ctx, &map);
    }
    assert_true(n_failed > 0);
    free(model);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_was_written),
        cmocka_unit_test(rubbish_gives_patches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
