/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The portable kernel of slices of alpha: the truth for the others. */

#include "alpha_slice_kernels.h"

#define N_LANES 1
typedef uint64_t words;

static inline words load_words(const uint64_t *from)
{
    return *from;
}

static inline void store_words(uint64_t *to, words v)
{
    *to = v;
}

static inline words no_words(void)
{
    return 0;
}

static inline words or_words(words a, words b)
{
    return a | b;
}

/* Leaves the sum in *sum. @return the carry */
static inline words add_words(words *sum, words a, words b)
{
    words odd = a ^ b, carry = (a & b) | (odd & *sum);
    *sum ^= odd;
    return carry;
}

static inline words pairs_of(words a, words b)
{
    return a | b;
}

static inline words sets_of(const uint16_t *slice, uint32_t first)
{
    uint32_t bit = *slice - first;
    return bit < 64 ? (uint64_t)1 << bit : 0;
}

#include "alpha_slice_tmpl.h"

void rugi_alpha_set_slice_kernels_ref(rugi_alpha_slice_kernels *kernels)
{
    set_kernels(kernels, "cpu-ref", find_one_by_one);
}
