/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels that pack pixels to bits, pixel i of 64 to bit i of a word. All levels give
 * the same words. */

#ifndef RUGI_BOXCOUNT_PACK_H
#define RUGI_BOXCOUNT_PACK_H

#include "boxcount_prefetch.h"
#include "core/context/levels.h"
#include "core/image/predicate.h"
#include <rugose/image.h>
#include <stddef.h>
#include <stdint.h>

/** Packs 64 * n_words contiguous pixels, at any address. */
typedef void (*rugi_pack_fn)(uint64_t *words, const void *pixels, size_t n_words,
                             const rugi_predicate *predicate);

/** One set of kernels. */
typedef struct rugi_pack_kernels {
    rugi_pack_fn pack[RUG_N_DTYPES];
} rugi_pack_kernels;

RUGI_KERNEL_LEVELS_X86(rugi_pack_set_kernels, rugi_pack_kernels)

/** A pack_NAME() of a loop over word_NAME(), which packs the 64 pixels at an address. */
#define RUGI_DEFINE_PACK(name, n_bytes)                                           \
    static void pack_##name(uint64_t *words, const void *pixels, size_t n_words,  \
                            const rugi_predicate *predicate)                      \
    {                                                                             \
        const rugi_predicate p = *predicate; /* a copy that no store can alias */ \
        const char *at = pixels;                                                  \
        for (size_t i = 0; i < n_words; i++, at += (n_bytes)) {                   \
            words[i] = word_##name(at, &p);                                       \
            if ((n_bytes) >= 64)                                                  \
                rugi_prefetch(at, RUGI_BYTES_AHEAD, n_bytes);                     \
        }                                                                         \
    }

/** All of them but that of RUG_BIT, which has nothing to gain from a CPU level. */
#define RUGI_DEFINE_ALL_PACKS  \
    RUGI_DEFINE_PACK(8, 64)    \
    RUGI_DEFINE_PACK(16, 128)  \
    RUGI_DEFINE_PACK(32, 256)  \
    RUGI_DEFINE_PACK(64, 512)  \
    RUGI_DEFINE_PACK(f32, 256) \
    RUGI_DEFINE_PACK(f64, 512)

/** Sets the table to them. */
static inline void rugi_pack_fill(rugi_pack_kernels *kernels,
                                  const rugi_pack_fn integer[4], rugi_pack_fn f32,
                                  rugi_pack_fn f64)
{
    static const rug_dtype dtypes[4][2] = {
        {RUG_U8, RUG_I8}, {RUG_U16, RUG_I16}, {RUG_U32, RUG_I32}, {RUG_U64, RUG_I64}};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            kernels->pack[dtypes[i][k]] = integer[i];
    kernels->pack[RUG_F32] = f32;
    kernels->pack[RUG_F64] = f64;
}

#endif
