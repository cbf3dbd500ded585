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

/* A cell is left where at most one of its coordinates has the middle digit, in base 3. */
static int is_menger(unsigned z, unsigned y, unsigned x)
{
    int is_set = 1;
    for (unsigned p = 1; p < 243; p *= 3)
        is_set &= (z / p % 3 == 1) + (y / p % 3 == 1) + (x / p % 3 == 1) < 2;
    return is_set;
}

rug_image bench_menger(rug_context *ctx)
{
    const size_t shape[3] = {243, 243, 243};
    rug_image volume;
    uint8_t *cells = bench_allocate(shape[0] * shape[1] * shape[2]), *at = cells;
    for (unsigned z = 0; z < 243; z++)
        for (unsigned y = 0; y < 243; y++)
            for (unsigned x = 0; x < 243; x++)
                *at++ = (uint8_t)is_menger(z, y, x);
    if (rug_image_view(ctx, &volume, cells, RUG_U8, 3, shape) != RUG_OK)
        bench_fail(rug_context_error(ctx));
    return volume;
}

void bench_model_make(bench_model *m, rug_context *ctx, const char *name,
                      const rug_image *volume)
{
    rug_foreground rule = {RUG_FOREGROUND_NONZERO, 0, 0};
    rugi_predicate is_set = rugi_predicate_make(volume->dtype, rule);
    memset(m, 0, sizeof *m);
    snprintf(m->name, sizeof m->name, "%s", name);
    m->volume = *volume;
    if (rugi_packed_cells_new(ctx, &m->packed, volume, &is_set) != RUG_OK)
        bench_fail(rug_context_error(ctx));
    m->n = (size_t)m->packed.cells.n;
    if (m->n == 0)
        bench_fail("a volume without foreground");
    m->keys = bench_allocate(m->n * sizeof *m->keys);
    m->scratch = bench_allocate(m->n * sizeof *m->scratch);
    rugi_key_layout_make(&m->layout, &m->packed.cells.range);
    m->kernels = rugi_key_kernels_choose(ctx);
}

void bench_model_free(bench_model *m, rug_context *ctx)
{
    rugi_packed_cells_free(ctx, &m->packed);
    free(m->keys);
    free(m->scratch);
}

void bench_model_name(char name[BENCH_NAME], const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(name, BENCH_NAME, "%s", slash != NULL ? slash + 1 : path);
    name[strcspn(name, ".")] = '\0';
}
