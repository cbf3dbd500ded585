/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The sets of cells that bench_hou_study.c counts; see bench_hou_models.h. */

#include "bench_hou_models.h"
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_fail(const char *what)
{
    fprintf(stderr, "bench_hou_study: %s\n", what);
    exit(1);
}

static void load_block(const void *user, size_t block, uint64_t *places)
{
    const bench_model *m = user;
    size_t first = block * RUGI_CELLS_BLOCK;
    for (size_t i = 0; i < RUGI_CELLS_BLOCK && first + i < m->n; i++)
        for (int a = 0; a < 3; a++)
            places[(size_t)a * RUGI_CELLS_BLOCK + i] = m->at[first + i][a];
}

/* Keeps a cell, or counts it where there is no room yet. */
static void add_cell(bench_model *m, size_t z, size_t y, size_t x)
{
    if (m->at != NULL)
        for (int a = 0; a < 3; a++)
            m->at[m->n][a] = (uint32_t)(a == 0 ? z : a == 1 ? y : x);
    m->n++;
}

/* A cell is left where at most one of its coordinates has the middle digit, in base 3. */
static void add_menger(bench_model *m)
{
    for (unsigned z = 0; z < 243; z++)
        for (unsigned y = 0; y < 243; y++)
            for (unsigned x = 0; x < 243; x++) {
                int is_set = 1;
                for (unsigned p = 1; p < 243; p *= 3)
                    is_set &= (z / p % 3 == 1) + (y / p % 3 == 1) + (x / p % 3 == 1) < 2;
                if (is_set)
                    add_cell(m, z, y, x);
            }
}

static void add_image(bench_model *m, const rug_image *img)
{
    const char *cells = img->data;
    for (size_t z = 0; z < img->shape[0]; z++)
        for (size_t y = 0; y < img->shape[1]; y++)
            for (size_t x = 0; x < img->shape[2]; x++)
                if (cells[(ptrdiff_t)z * img->stride[0] + (ptrdiff_t)y * img->stride[1] +
                          (ptrdiff_t)x * img->stride[2]] != 0)
                    add_cell(m, z, y, x);
}

static void add_all(bench_model *m, const rug_image *img)
{
    m->n = 0;
    if (img != NULL)
        add_image(m, img);
    else
        add_menger(m);
}

static void set_range(bench_model *m)
{
    for (int a = 0; a < 3; a++)
        m->cells.range.least[a] = UINT64_MAX;
    for (size_t i = 0; i < m->n; i++)
        for (int a = 0; a < 3; a++) {
            uint64_t v = m->at[i][a];
            if (v < m->cells.range.least[a])
                m->cells.range.least[a] = v;
            if (v > m->cells.range.most[a])
                m->cells.range.most[a] = v;
        }
}

void bench_model_make(bench_model *m, rug_context *ctx, const char *name,
                      const rug_image *img)
{
    memset(m, 0, sizeof *m);
    snprintf(m->name, sizeof m->name, "%s", name);
    add_all(m, img);
    if (m->n == 0)
        bench_fail("a volume without foreground");
    m->at = bench_allocate(m->n * sizeof *m->at);
    m->keys = bench_allocate(m->n * sizeof *m->keys);
    m->scratch = bench_allocate(m->n * sizeof *m->scratch);
    add_all(m, img);
    m->cells = (rugi_cells){.range = {.axes = 3},
                            .n = m->n,
                            .n_blocks = (m->n - 1) / RUGI_CELLS_BLOCK + 1,
                            .load = load_block,
                            .user = m};
    set_range(m);
    rugi_key_layout_make(&m->layout, &m->cells.range);
    m->leaf = rugi_key_leaf_choose(ctx);
}

void bench_model_free(bench_model *m)
{
    free(m->at);
    free(m->keys);
    free(m->scratch);
}

void bench_model_name(char name[BENCH_NAME], const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(name, BENCH_NAME, "%s", slash != NULL ? slash + 1 : path);
    name[strcspn(name, ".")] = '\0';
}
