/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Roots in turn, and lists of what is chosen of them. */

#include "ifs_wave.h"
#include "core/context/context_internal.h"
#include <string.h>

rug_status rugi_ifs_wave_begin(rug_context *ctx, rugi_ifs_wave *wave)
{
    wave->rows = rug_context_allocate(ctx, wave->n_rows, sizeof *wave->rows,
                                      "rows of fractal coding");
    for (uint32_t i = 0; wave->rows != NULL && i < wave->n_rows; i++)
        atomic_init(&wave->rows[i].state, 0);
    return wave->rows != NULL ? RUG_OK : RUG_E_NOMEM;
}

void rugi_ifs_wave_end(rug_context *ctx, rugi_ifs_wave *wave)
{
    rug_context_release(ctx, wave->rows);
    wave->rows = NULL;
}

static int take(rugi_ifs_wave *wave, uint32_t *column, uint32_t *row)
{
    unsigned above = 2 * wave->n_columns;
    for (*row = 0; *row < wave->n_rows && above > 0; ++*row) {
        atomic_uint *here = &wave->rows[*row].state;
        unsigned state = atomic_load_explicit(here, memory_order_acquire);
        *column = state / 2;
        uint32_t needed = *column + RUGI_IFS_WAVE_LAG < wave->n_columns
                              ? *column + RUGI_IFS_WAVE_LAG
                              : wave->n_columns;
        if (state % 2 == 0 && *column < wave->n_columns && above / 2 >= needed &&
            atomic_compare_exchange_strong(here, &state, state + 1))
            return 1;
        above = state;
    }
    return 0;
}

void rugi_ifs_wave_take(rugi_ifs_wave *wave, uint32_t *column, uint32_t *row)
{
    while (!take(wave, column, row))
        rugi_yield();
}

void *rugi_ifs_reserve(rug_context *ctx, void *items, size_t n, size_t more, size_t least,
                       size_t *capacity, size_t size)
{
    const rug_allocator *a = &ctx->allocator;
    if (n + more <= *capacity)
        return items;
    size_t wanted = n + more + n / 4 + least;
    void *block = a->allocate(a->user, wanted * size, RUGI_ALIGNMENT);
    if (block == NULL)
        return NULL;
    if (n > 0)
        memcpy(block, items, n * size);
    rug_context_release(ctx, items);
    *capacity = wanted;
    return block;
}
