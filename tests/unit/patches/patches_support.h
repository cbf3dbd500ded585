/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Streams of version 3, taken apart by FORMAT.md. Include it after support.h. */

#ifndef RUGOSE_PATCHES_SUPPORT_H
#define RUGOSE_PATCHES_SUPPORT_H

#include "core/context/crc.h"
#include "ifs/encode/ifs_forward.h"
#include "ifs/patches/ifs_patch_model.h"
#include "ifs/patches/ifs_patch_predict.h"
#include "ifs/patches/ifs_tiles.h"
#include "ifs/stream/ifs_syntax.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static inline size_t get_number(const uint8_t *at, int n)
{
    size_t value = 0;
    for (int i = 0; i < n; i++)
        value |= (size_t)at[i] << 8 * i;
    return value;
}

static inline void put_number(uint8_t *at, size_t value, int n)
{
    for (int i = 0; i < n; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Where the parts of a header are told, and how many there are. */
static inline size_t parts_of_header(const uint8_t *bytes, size_t *at)
{
    size_t nx = get_number(bytes + 8, 2), ny = get_number(bytes + 10, 2);
    size_t side = 64 * get_number(bytes + 12, 2), flags = bytes[5];
    *at = 16 + 4 * (size_t)(flags & 1 ? 0 : flags & 4 ? 3 : 1);
    side = side > 0 ? side : 1;
    return (flags >> 5 & 1) + (flags >> 6 & 1) + (flags >> 7 & 1) +
           ((nx + side - 1) / side) * ((ny + side - 1) / side);
}

/* Puts right checksums into a stream that was changed on purpose, as far as it goes, and into its
 * small picture. */
static inline void mend_patches(uint8_t *bytes, size_t size)
{
    size_t at, n = size >= 16 ? parts_of_header(bytes, &at) : 0;
    if (n == 0 || at + 8 * n + 4 > size)
        return;
    size_t from = at + 8 * n + 4,
           preview = (size_t)(bytes[5] >> 6 & 1) + (bytes[5] >> 7 & 1);
    for (size_t i = 0; i < n; i++, at += 8) {
        size_t part = get_number(bytes + at, 4);
        if (part > size - from)
            break;
        if (i == preview && (bytes[5] & 32) != 0)
            mend_patches(bytes + from, part);
        put_number(bytes + at + 4, rugi_crc(bytes + from, part), 4);
        from += part;
    }
    parts_of_header(bytes, &at);
    at += 8 * n;
    put_number(bytes + at, rugi_crc(bytes, at), 4);
}

/* An allocator that counts bytes, and gives none beyond a limit. */
typedef struct counted {
    atomic_size_t now, most;
    size_t limit; /* 0: none */
} counted;

static inline void *counted_allocate(void *user, size_t n, size_t alignment)
{
    counted *c = user;
    size_t before = alignment < 64 ? 64 : alignment;
    size_t whole = (n + 2 * before - 1) / before * before;
    size_t now = atomic_fetch_add(&c->now, n) + n, most = atomic_load(&c->most);
    while (now > most && !atomic_compare_exchange_weak(&c->most, &most, now))
        ;
    uint8_t *block = c->limit > 0 && now > c->limit ? NULL : aligned_alloc(before, whole);
    if (block == NULL) {
        atomic_fetch_sub(&c->now, n);
        return NULL;
    }
    memcpy(block + before - 16, &n, sizeof n);
    memcpy(block + before - 8, &before, sizeof before);
    return block + before;
}

static inline void counted_release(void *user, void *block)
{
    counted *c = user;
    size_t n, before;
    memcpy(&n, (uint8_t *)block - 16, sizeof n);
    memcpy(&before, (uint8_t *)block - 8, sizeof before);
    atomic_fetch_sub(&c->now, n);
    free((uint8_t *)block - before);
}

/* Makes a context take its memory from c. */
static inline void counted_hook(rug_context *ctx, counted *c)
{
    rug_allocator allocator = {counted_allocate, counted_release, c};
    rug_context_set_allocator(ctx, &allocator);
}

#endif
