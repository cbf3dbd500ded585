/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* An allocator that counts, fills its blocks with rubbish, checks what it is asked for,
 * and fails at the k-th call. Include it after support.h. */

#ifndef RUGOSE_MEMORY_SUPPORT_H
#define RUGOSE_MEMORY_SUPPORT_H

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* All zero: never fails. */
typedef struct memory {
    atomic_size_t n_calls; /* of allocate */
    atomic_size_t n_live;  /* blocks not yet released */
    atomic_size_t n_wrong; /* calls that break the allocator's contract */
    size_t fail_at;        /* the call, from 1, that gets nothing; 0 = none */
} memory;

static inline void *memory_allocate(void *user, size_t n_bytes, size_t alignment)
{
    memory *m = user;
    if (n_bytes == 0 || alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0)
        atomic_fetch_add(&m->n_wrong, 1);
    if (atomic_fetch_add(&m->n_calls, 1) + 1 == m->fail_at)
        return NULL;
    size_t whole = (n_bytes + alignment - 1) / alignment * alignment;
    void *block = aligned_alloc(alignment, whole);
    if (block == NULL)
        return NULL;
    memset(block, 0xa5, whole);
    atomic_fetch_add(&m->n_live, 1);
    return block;
}

static inline void memory_release(void *user, void *block)
{
    memory *m = user;
    if (block == NULL)
        atomic_fetch_add(&m->n_wrong, 1);
    atomic_fetch_sub(&m->n_live, 1);
    free(block);
}

/* Makes a context take its memory from m. */
static inline void memory_hook(rug_context *ctx, memory *m)
{
    rug_allocator allocator = {memory_allocate, memory_release, m};
    rug_context_set_allocator(ctx, &allocator);
}

#endif
