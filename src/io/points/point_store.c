/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Gathers points in a chain of blocks, which never move, so that growing copies nothing
 * and the points are in memory twice at most, at the end. */

#include "point_store.h"
#include <string.h>

/** Coordinates of a block. */
#define BLOCK ((size_t)1 << 16)

struct rugi_point_block {
    rugi_point_block *next;
    size_t n; /* coordinates that are used */
    rugi_coordinate at[BLOCK];
};

static rug_status grow(rugi_point_store *store)
{
    rugi_point_block *block =
        rug_context_allocate(store->ctx, 1, sizeof *block, store->path);
    if (block == NULL)
        return RUG_E_NOMEM;
    block->next = NULL;
    block->n = 0;
    if (store->last != NULL)
        store->last->next = block;
    else
        store->first = block;
    store->last = block;
    return RUG_OK;
}

/** Whole numbers become the nearest doubles. */
static void make_real(rugi_point_store *store)
{
    for (rugi_point_block *b = store->first; b != NULL; b = b->next)
        for (size_t i = 0; i < b->n; i++)
            b->at[i].real = (double)b->at[i].whole;
    store->is_real = 1;
}

rug_status rugi_store_add(rugi_point_store *store, const rugi_number *numbers)
{
    size_t ndim = (size_t)store->ndim;
    if (store->last == NULL || store->last->n + ndim > BLOCK) {
        rug_status status = grow(store);
        if (status != RUG_OK)
            return status;
    }
    int all_whole = 1;
    for (size_t a = 0; a < ndim; a++)
        all_whole = all_whole && numbers[a].is_whole;
    if (!all_whole && !store->is_real)
        make_real(store);
    rugi_coordinate *row = store->last->at + store->last->n;
    for (size_t a = 0; a < ndim; a++)
        if (store->is_real)
            row[a].real = numbers[a].value;
        else
            row[a].whole = numbers[a].whole;
    store->last->n += ndim;
    store->n++;
    return RUG_OK;
}

rugi_coordinate *rugi_store_join(rugi_point_store *store)
{
    rugi_coordinate *all = rug_context_allocate(
        store->ctx, (size_t)store->n, (size_t)store->ndim * sizeof *all, store->path);
    rugi_coordinate *to = all;
    for (rugi_point_block *b = store->first; all != NULL && b != NULL; b = b->next) {
        memcpy(to, b->at, b->n * sizeof *to);
        to += b->n;
    }
    rugi_store_free(store);
    return all;
}

void rugi_store_free(rugi_point_store *store)
{
    while (store->first != NULL) {
        rugi_point_block *next = store->first->next;
        rug_context_release(store->ctx, store->first);
        store->first = next;
    }
    store->last = NULL;
}
