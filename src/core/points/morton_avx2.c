/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Cells to Morton keys and back with the instructions of BMI2 that deal out the bits of a
 * number, and collect them. */

#include "morton.h"
#include <immintrin.h>
#include <string.h>

/* Where the bits of an axis go in the two words of a key; the lower ones come first. */
typedef struct axis_masks {
    uint64_t low, high;
    unsigned n_low;
} axis_masks;

static axis_masks masks_of(const rugi_key_layout *l, int axis)
{
    axis_masks m = {0, 0, 0};
    for (unsigned b = 0; b < l->n_bits[axis]; b++) {
        unsigned at = l->key_bit[axis][b];
        if (at < 64) {
            m.low |= (uint64_t)1 << at;
            m.n_low++;
        } else {
            m.high |= (uint64_t)1 << (at - 64);
        }
    }
    return m;
}

/* v without its n lowest bits; n may be 64. */
static inline uint64_t without_low(uint64_t v, unsigned n)
{
    return n < 64 ? v >> n : 0;
}

/* The common case, in one pass. */
static void encode_three(const rugi_key_layout *l, const uint64_t *places, size_t n,
                         uint64_t *keys)
{
    uint64_t m[3];
    for (int a = 0; a < 3; a++)
        m[a] = masks_of(l, a).low;
    const uint64_t *p[3] = {places, places + RUGI_CELLS_BLOCK,
                            places + 2 * RUGI_CELLS_BLOCK};
    for (size_t i = 0; i < n; i++)
        keys[i] = _pdep_u64(p[0][i] - l->base[0], m[0]) |
                  _pdep_u64(p[1][i] - l->base[1], m[1]) |
                  _pdep_u64(p[2][i] - l->base[2], m[2]);
}

static void encode_u64(const rugi_key_layout *l, const uint64_t *places, size_t n,
                       uint64_t *keys)
{
    if (l->axes == 3) {
        encode_three(l, places, n, keys);
        return;
    }
    memset(keys, 0, n * sizeof *keys);
    for (int a = 0; a < l->axes; a++, places += RUGI_CELLS_BLOCK) {
        axis_masks m = masks_of(l, a);
        for (size_t i = 0; i < n; i++)
            keys[i] |= _pdep_u64(places[i] - l->base[a], m.low);
    }
}

static void encode_u128(const rugi_key_layout *l, const uint64_t *places, size_t n,
                        rugi_u128 *keys)
{
    memset(keys, 0, n * sizeof *keys);
    for (int a = 0; a < l->axes; a++, places += RUGI_CELLS_BLOCK) {
        axis_masks m = masks_of(l, a);
        for (size_t i = 0; i < n; i++) {
            uint64_t v = places[i] - l->base[a];
            uint64_t high = _pdep_u64(without_low(v, m.n_low), m.high);
            keys[i] |= (rugi_u128)high << 64 | _pdep_u64(v, m.low);
        }
    }
}

static void decode_u64(const rugi_key_layout *l, const uint64_t *keys, size_t n,
                       uint64_t *places)
{
    for (int a = 0; a < l->axes; a++, places += RUGI_CELLS_BLOCK) {
        axis_masks m = masks_of(l, a);
        for (size_t i = 0; i < n; i++)
            places[i] = l->base[a] + _pext_u64(keys[i], m.low);
    }
}

static void decode_u128(const rugi_key_layout *l, const rugi_u128 *keys, size_t n,
                        uint64_t *places)
{
    for (int a = 0; a < l->axes; a++, places += RUGI_CELLS_BLOCK) {
        axis_masks m = masks_of(l, a);
        for (size_t i = 0; i < n; i++) {
            uint64_t high = _pext_u64((uint64_t)(keys[i] >> 64), m.high);
            uint64_t low = _pext_u64((uint64_t)keys[i], m.low);
            places[i] = l->base[a] + low + (m.n_low < 64 ? high << m.n_low : 0);
        }
    }
}

void rugi_key_kernels_avx2(rugi_key_kernels *kernels)
{
    kernels->encode_u64 = encode_u64;
    kernels->encode_u128 = encode_u128;
    kernels->decode_u64 = decode_u64;
    kernels->decode_u128 = decode_u128;
}
