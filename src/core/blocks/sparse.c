/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Tiles in a table by their numbers, with linear probing. A tile that is closed keeps its
 * place until the table grows. */

#include "sparse.h"
#include <stdlib.h>
#include <string.h>

/* log2 of the items of a tile along an axis. */
static unsigned bits_along(const rugi_sparse *s, int axis)
{
    return axis > 0 ? s->bits : 0;
}

void rugi_sparse_begin(rugi_sparse *s, const size_t n_items[3], unsigned bits,
                       size_t item_bytes)
{
    *s = (rugi_sparse){.item_bytes = item_bytes, .bits = bits};
    for (int a = 0; a < 3; a++) {
        s->n_items[a] = n_items[a];
        s->n_tiles[a] = ((n_items[a] - 1) >> bits_along(s, a)) + 1;
    }
}

void rugi_sparse_free(rug_context *ctx, rugi_sparse *s)
{
    for (size_t i = 0; i < s->capacity; i++)
        rug_context_release(ctx, s->slots[i].items);
    rug_context_release(ctx, s->slots);
    s->slots = NULL;
    s->n_used = s->capacity = 0;
}

/* The slot of a tile, or the free one where it belongs. */
static rugi_sparse_slot *slot_of(const rugi_sparse *s, size_t tile)
{
    uint64_t hash = (uint64_t)tile * 0x9e3779b97f4a7c15u;
    size_t i = (size_t)(hash ^ hash >> 32) & (s->capacity - 1);
    while (s->slots[i].key != 0 && s->slots[i].key != tile + 1)
        i = (i + 1) & (s->capacity - 1);
    return &s->slots[i];
}

void *rugi_sparse_find(const rugi_sparse *s, size_t tile)
{
    return s->capacity > 0 ? slot_of(s, tile)->items : NULL;
}

/* A table in which another tile has a place. */
static rug_status grow(rug_context *ctx, rugi_sparse *s)
{
    if (s->n_used < s->capacity / 2)
        return RUG_OK;
    rugi_sparse next = *s;
    next.capacity = 8;
    next.n_used = 0;
    for (size_t i = 0; i < s->capacity; i++)
        next.n_used += s->slots[i].items != NULL;
    while (next.n_used >= next.capacity / 4)
        next.capacity *= 2;
    next.slots =
        rug_context_allocate(ctx, next.capacity, sizeof *next.slots, "table of tiles");
    if (next.slots == NULL)
        return RUG_E_NOMEM;
    memset(next.slots, 0, next.capacity * sizeof *next.slots);
    for (size_t i = 0; i < s->capacity; i++)
        if (s->slots[i].items != NULL)
            *slot_of(&next, s->slots[i].key - 1) = s->slots[i];
    rug_context_release(ctx, s->slots);
    *s = next;
    return RUG_OK;
}

static size_t tile_bytes(const rugi_sparse *s)
{
    return s->item_bytes << 2 * s->bits;
}

void *rugi_sparse_open(rug_context *ctx, rugi_sparse *s, size_t tile)
{
    void *items = rugi_sparse_find(s, tile);
    if (items != NULL || grow(ctx, s) != RUG_OK)
        return items;
    items = rug_context_allocate(ctx, 1, tile_bytes(s), "tile");
    if (items == NULL)
        return NULL;
    memset(items, 0, tile_bytes(s));
    rugi_sparse_slot *slot = slot_of(s, tile);
    s->n_used += slot->key == 0;
    *slot = (rugi_sparse_slot){tile + 1, items};
    return items;
}

void rugi_sparse_close(rug_context *ctx, rugi_sparse *s, size_t tile)
{
    if (rugi_sparse_find(s, tile) == NULL)
        return;
    rug_context_release(ctx, slot_of(s, tile)->items);
    slot_of(s, tile)->items = NULL;
}

static int by_number(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

rug_status rugi_sparse_list(rug_context *ctx, size_t **out, size_t *n,
                            const rugi_sparse *s)
{
    *n = 0;
    *out = rug_context_allocate(ctx, s->n_used, sizeof **out, "list of tiles");
    if (*out == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < s->capacity; i++)
        if (s->slots[i].items != NULL)
            (*out)[(*n)++] = s->slots[i].key - 1;
    qsort(*out, *n, sizeof **out, by_number);
    return RUG_OK;
}

/* ---- Rows of items ---- */

/* Where an item lies in its tile. */
static size_t offset_of(const rugi_sparse *s, size_t y, size_t x)
{
    size_t mask = ((size_t)1 << s->bits) - 1;
    return (((y & mask) << s->bits) + (x & mask)) * s->item_bytes;
}

/* The items of a tile that the grid has. */
static rugi_box items_of(const rugi_sparse *s, size_t tile)
{
    rugi_box box;
    size_t at[3];
    rugi_sparse_place(s, tile, at);
    for (int a = 0; a < 3; a++) {
        unsigned bits = bits_along(s, a);
        box.first[a] = at[a] << bits;
        box.end[a] = at[a] + 1 < s->n_tiles[a] ? (at[a] + 1) << bits : s->n_items[a];
    }
    return box;
}

static int is_zero(const char *bytes, size_t n)
{
    size_t i = 0;
    while (i < n && bytes[i] == 0)
        i++;
    return i == n;
}

/* The items of a box that lie in one tile, which is there once one of them is not 0. */
static rug_status put_tile(rug_context *ctx, rugi_sparse *s, const rugi_box *box,
                           size_t tile, const char *items)
{
    rugi_box all = items_of(s, tile), part;
    char *to = NULL;
    rugi_box_intersect(&part, &all, box);
    size_t n_y = box->end[1] - box->first[1], n_x = box->end[2] - box->first[2];
    size_t n_bytes = (part.end[2] - part.first[2]) * s->item_bytes;
    for (size_t y = part.first[1]; y < part.end[1]; y++) {
        size_t row = (part.first[0] - box->first[0]) * n_y + y - box->first[1];
        const char *from =
            items + (row * n_x + part.first[2] - box->first[2]) * s->item_bytes;
        if (is_zero(from, n_bytes))
            continue;
        if (to == NULL)
            to = rugi_sparse_open(ctx, s, tile);
        if (to == NULL)
            return RUG_E_NOMEM;
        memcpy(to + offset_of(s, y, part.first[2]), from, n_bytes);
    }
    return RUG_OK;
}

rug_status rugi_sparse_put(rug_context *ctx, rugi_sparse *s, const rugi_box *box,
                           const void *items)
{
    rug_status status = RUG_OK;
    size_t at[3], bits = s->bits;
    for (at[0] = box->first[0]; at[0] < box->end[0]; at[0]++)
        for (at[1] = box->first[1] >> bits; at[1] <= (box->end[1] - 1) >> bits; at[1]++)
            for (at[2] = box->first[2] >> bits; at[2] <= (box->end[2] - 1) >> bits;
                 at[2]++)
                if (status == RUG_OK)
                    status = put_tile(ctx, s, box, rugi_sparse_tile(s, at), items);
    return status;
}

void rugi_sparse_get(const rugi_sparse *s, void *items)
{
    const size_t *n = s->n_items;
    memset(items, 0, n[0] * n[1] * n[2] * s->item_bytes);
    for (size_t i = 0; i < s->capacity; i++) {
        if (s->slots[i].items == NULL)
            continue;
        rugi_box box = items_of(s, s->slots[i].key - 1);
        for (size_t y = box.first[1]; y < box.end[1]; y++) {
            size_t first = (box.first[0] * n[1] + y) * n[2] + box.first[2];
            memcpy((char *)items + first * s->item_bytes,
                   (const char *)s->slots[i].items + offset_of(s, y, box.first[2]),
                   (box.end[2] - box.first[2]) * s->item_bytes);
        }
    }
}

rug_status rugi_sparse_merge(rug_context *ctx, rugi_sparse *s, const rugi_sparse *other)
{
    for (size_t i = 0; i < other->capacity; i++) {
        const uint8_t *from = other->slots[i].items;
        if (from == NULL)
            continue;
        uint8_t *to = rugi_sparse_open(ctx, s, other->slots[i].key - 1);
        if (to == NULL)
            return RUG_E_NOMEM;
        for (size_t k = 0; k < tile_bytes(s); k++)
            to[k] |= from[k];
    }
    return RUG_OK;
}

/* Rows of the n tiles of one row of tiles, one behind the other. */
static void each_of_row(const rugi_sparse *s, const size_t *tiles, size_t n,
                        rugi_sparse_fn *fn, void *user)
{
    rugi_box box = items_of(s, tiles[0]);
    for (size_t y = box.first[1]; y < box.end[1]; y++)
        for (size_t i = 0; i < n; i++) {
            rugi_box part = items_of(s, tiles[i]);
            size_t x = part.first[2];
            const char *items = rugi_sparse_find(s, tiles[i]);
            fn(user, (box.first[0] * s->n_items[1] + y) * s->n_items[2] + x,
               items + offset_of(s, y, x), part.end[2] - x);
        }
}

rug_status rugi_sparse_each(rug_context *ctx, const rugi_sparse *s, rugi_sparse_fn *fn,
                            void *user)
{
    size_t *tiles, n, end;
    rug_status status = rugi_sparse_list(ctx, &tiles, &n, s);
    if (status != RUG_OK)
        return status;
    for (size_t first = 0; first < n; first = end) {
        size_t row = tiles[first] / s->n_tiles[2];
        for (end = first + 1; end < n && tiles[end] / s->n_tiles[2] == row; end++)
            ;
        each_of_row(s, tiles + first, end - first, fn, user);
    }
    rug_context_release(ctx, tiles);
    return RUG_OK;
}
