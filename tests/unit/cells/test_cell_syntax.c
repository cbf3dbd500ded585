/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Cells of every kind through the coder: what is read is what was written, costs what was said, and
 * rubbish gives cells that may be decoded or a failure. */

#include "support.h"

#include "cells_support.h"

/* A plane of random cells, in the order of the stream. */
typedef struct scene {
    rugi_ifs_cell_frame frame;
    uint64_t rng;
    uint32_t largest; /* magnitude */
    unsigned split;   /* chance of it, of 16 */
    int32_t coefs[RUGI_IFS_PIXELS];
    rugi_ifs_cell cells[6 * 64 * 2];
    int32_t *kept[6 * 64 * 2];
    int offsets[6 * 2];
    size_t n_cells, next;
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
static void random_coefs(scene *s, rugi_ifs_cell *cell)
{
    static const unsigned even[] = {0, 5, 1, 6, 2, 4, 3, 7},
                          odd[] = {2, 7, 3, 4, 0, 6, 1, 5};
    unsigned side = rugi_ifs_side(cell->level), state = 0;
    unsigned n = (unsigned)test_below(&s->rng, test_below(&s->rng, side * side) + 1);
    memset(s->coefs, 0, sizeof s->coefs);
    cell->n_coefs = (uint16_t)n;
    for (unsigned i = n; i-- > 0;) {
        int is_0 = i + 1 < n && test_below(&s->rng, 3) > 0;
        int32_t value = is_0 ? 0 : random_value(s, state, i + 1 < n);
        uint32_t magnitude = ((uint32_t)abs(value) + 1) / 2;
        s->coefs[rugi_ifs_zigzag(cell->level)[i]] = value;
        state = magnitude % 2 ? odd[state] : even[state];
    }
}

static void random_domain(scene *s, rugi_ifs_cell *cell)
{
    for (int i = 0; i < 60; i++) {
        uint32_t x = (uint32_t)test_below(&s->rng, s->frame.nx / 2) * 2;
        uint32_t y = (uint32_t)test_below(&s->rng, cell->y + 1) / 2 * 2;
        if (!rugi_ifs_is_decoded(&s->frame, cell, x, y))
            continue;
        cell->domain_x = x;
        cell->domain_y = y;
        return;
    }
    cell->kind = RUGI_IFS_FLAT_KIND;
}

static rugi_ifs_cell random_cell(scene *s, uint32_t x, uint32_t y, unsigned level)
{
    rugi_ifs_cell cell = {.x = x, .y = y, .level = (uint8_t)level, .coefs = s->coefs};
    cell.kind = (uint8_t)test_below(&s->rng, s->frame.has_luma ? 6 : 5);
    cell.angle = cell.kind == RUGI_IFS_ANGLE ? (uint8_t)test_below(&s->rng, 32) : 0;
    if (cell.kind == RUGI_IFS_DOMAIN)
        random_domain(s, &cell);
    if (cell.kind >= RUGI_IFS_DOMAIN)
        cell.k = (int8_t)((int)test_below(&s->rng, 8) + 1);
    if (cell.kind >= RUGI_IFS_DOMAIN && test_below(&s->rng, 2))
        cell.k = (int8_t)-cell.k;
    if (cell.kind == RUGI_IFS_LUMA && test_below(&s->rng, 3) == 0)
        cell.k = 0;
    if (cell.kind == RUGI_IFS_DOMAIN)
        cell.symmetry = (uint8_t)test_below(&s->rng, 8);
    random_coefs(s, &cell);
    return cell;
}

/* Keeps a cell that is written, or compares one that is read. */
static void keep_or_compare(scene *s, const rugi_ifs_cell *cell, int is_read)
{
    size_t n = (size_t)rugi_ifs_side(cell->level) * rugi_ifs_side(cell->level);
    if (!is_read) {
        s->kept[s->n_cells] = malloc(n * sizeof(int32_t));
        assert_non_null(s->kept[s->n_cells]);
        memcpy(s->kept[s->n_cells], cell->coefs, n * sizeof(int32_t));
        s->cells[s->n_cells++] = *cell;
        return;
    }
    const rugi_ifs_cell *a = &s->cells[s->next];
    assert_true(s->next < s->n_cells);
    if (a->x != cell->x || a->y != cell->y || a->level != cell->level ||
        a->kind != cell->kind || a->angle != cell->angle || a->k != cell->k ||
        a->symmetry != cell->symmetry || a->domain_x != cell->domain_x ||
        a->domain_y != cell->domain_y || a->n_coefs != cell->n_coefs)
        fail_msg("cell %zu at %u, %u of kind %d is another one", s->next, a->x, a->y,
                 a->kind);
    assert_memory_equal(s->kept[s->next], cell->coefs, n * sizeof(int32_t));
    s->next++;
}

static void code_block(scene *s, const rugi_ifs_cell_coding *c, uint32_t x, uint32_t y,
                       unsigned level)
{
    int is_read = c->coder->coding == RUGI_IFS_READ;
    int split = !is_read && test_below(&s->rng, 16) < s->split;
    if (level < RUGI_IFS_LEVELS - 1)
        split = rugi_ifs_code_cell_split(c, x, y, level, split);
    if (level < RUGI_IFS_LEVELS - 1 && split) {
        uint32_t half = rugi_ifs_side(level) / 2;
        for (uint32_t i = 0; i < 4; i++)
            code_block(s, c, x + i % 2 * half, y + i / 2 * half, level + 1);
        return;
    }
    rugi_ifs_cell cell = {.x = x, .y = y, .level = (uint8_t)level, .coefs = s->coefs};
    memset(s->coefs, 0, sizeof s->coefs);
    if (!is_read)
        cell = random_cell(s, x, y, level);
    rugi_ifs_code_cell(c, &cell);
    keep_or_compare(s, &cell, is_read);
    rugi_ifs_cell_enter((rugi_ifs_cell_map *)(uintptr_t)c->map, &cell);
}

static void code_roots(scene *s, const rugi_ifs_cell_coding *c)
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
static rugi_ifs_cell_map there_and_back(rug_context *ctx, scene *s,
                                        const rugi_ifs_cell_map *before)
{
    rugi_ifs_cell_map maps[2];
    rugi_ifs_coder write, read;
    rugi_ifs_cell_model *model = malloc(rugi_ifs_cell_model_bytes());
    assert_non_null(model);
    for (int i = 0; i < 2; i++) {
        rugi_ifs_cell_coding c = {i == 0 ? &write : &read, model, &maps[i], before,
                                  &s->frame};
        assert_int_equal(rugi_ifs_cell_map_new(ctx, &maps[i], s->frame.nx, s->frame.ny),
                         RUG_OK);
        rugi_ifs_cell_model_begin(model, s->frame.has_luma);
        if (i == 0)
            rugi_ifs_write_begin(&write, ctx);
        else
            rugi_ifs_read_begin(&read, write.bytes, write.n_bytes);
        code_roots(s, &c);
        if (i == 0)
            rugi_ifs_write_end(&write);
        assert_false(c.coder->failed);
    }
    assert_int_equal(s->next, s->n_cells);
    assert_memory_equal(maps[0].squares, maps[1].squares,
                        sizeof(rugi_ifs_cell_square) * maps[0].nx * maps[0].ny);
    for (size_t i = 0; i < s->n_cells; i++)
        free(s->kept[i]);
    rug_context_release(ctx, write.bytes);
    rugi_ifs_cell_map_free(ctx, &maps[0]);
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
        rugi_ifs_cell_map before = there_and_back(ctx, &luma, NULL);
        chroma = scene_of(halved ? 64 : 96, halved ? 32 : 64, split, 3, seed);
        chroma.frame.has_luma = 1;
        chroma.frame.halved = halved;
        rugi_ifs_cell_map map = there_and_back(ctx, &chroma, &before);
        rugi_ifs_cell_map_free(ctx, &map);
        rugi_ifs_cell_map_free(ctx, &before);
    }
    rug_context_free(ctx);
}

/* ---- Rubbish ---- */

static void check_cell(const scene *s, const rugi_ifs_cell *cell)
{
    unsigned side = rugi_ifs_side(cell->level);
    assert_true(cell->n_coefs <= side * side && cell->angle < 32 && cell->symmetry < 8);
    assert_true(cell->kind < (s->frame.has_luma ? 6 : 5));
    if (cell->kind == RUGI_IFS_DOMAIN)
        assert_true(rugi_ifs_is_decoded(&s->frame, cell, cell->domain_x, cell->domain_y));
    if (cell->kind >= RUGI_IFS_DOMAIN)
        assert_true(cell->k >= -8 && cell->k <= 8 &&
                    (cell->k != 0 || cell->kind == RUGI_IFS_LUMA));
}

static void read_block(scene *s, const rugi_ifs_cell_coding *c, uint32_t x, uint32_t y,
                       unsigned level)
{
    if (level < RUGI_IFS_LEVELS - 1 && rugi_ifs_code_cell_split(c, x, y, level, 0)) {
        uint32_t half = rugi_ifs_side(level) / 2;
        for (uint32_t i = 0; i < 4; i++)
            read_block(s, c, x + i % 2 * half, y + i / 2 * half, level + 1);
        return;
    }
    rugi_ifs_cell cell = {.x = x, .y = y, .level = (uint8_t)level, .coefs = s->coefs};
    memset(s->coefs, 0, sizeof s->coefs);
    rugi_ifs_code_cell(c, &cell);
    check_cell(s, &cell);
    rugi_ifs_cell_enter((rugi_ifs_cell_map *)(uintptr_t)c->map, &cell);
}

/* Whatever the bytes are, also behind a failure, cells are ones that can be. */
static void rubbish_gives_cells(void **state)
{
    (void)state;
    static scene s;
    rug_context *ctx = test_context();
    rugi_ifs_cell_model *model = malloc(rugi_ifs_cell_model_bytes());
    assert_non_null(model);
    int n_failed = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)TEST_CASES(60); seed++) {
        uint8_t bytes[300];
        rugi_ifs_coder coder;
        rugi_ifs_cell_map map;
        s = scene_of(96, 64, 0, 0, seed);
        s.frame.has_offsets = seed % 2 == 0;
        s.frame.has_luma = seed % 3 == 0;
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)test_below(&s.rng, 256);
        assert_int_equal(rugi_ifs_cell_map_new(ctx, &map, 96, 64), RUG_OK);
        rugi_ifs_cell_model_begin(model, s.frame.has_luma);
        rugi_ifs_read_begin(&coder, bytes, sizeof bytes);
        rugi_ifs_cell_coding c = {&coder, model, &map, NULL, &s.frame};
        for (uint32_t i = 0; i < 6; i++) {
            int offset =
                s.frame.has_offsets ? rugi_ifs_code_offset(&c, i % 3, i / 3, 0) : 0;
            assert_in_range(offset + 18, 0, 36);
            map.offsets[i] = (int8_t)offset;
            read_block(&s, &c, i % 3 * 32, i / 3 * 32, 0);
        }
        n_failed += coder.failed != 0;
        rugi_ifs_cell_map_free(ctx, &map);
    }
    assert_true(n_failed > 0);
    free(model);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_was_written),
        cmocka_unit_test(rubbish_gives_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
