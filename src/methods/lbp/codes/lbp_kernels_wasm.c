/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The WebAssembly kernel of local binary patterns: a block is 8 pixels. */

#include "lbp_kernels.h"
#include <wasm_simd128.h>

#define RUGI_LBP_LANES 2

#define N_doubles 4
#define N_floats  2
typedef double doubles __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));

#include "lbp_pairs_tmpl.h"

/* Whether four numbers are at least their centres: lanes of 32 bits. */
static inline v128_t reached_doubles(const doubles *v, const double *centre)
{
    v128_t low = wasm_f64x2_ge((v128_t)v[0], wasm_v128_load(centre));
    v128_t high = wasm_f64x2_ge((v128_t)v[1], wasm_v128_load(centre + 2));
    return wasm_i32x4_shuffle(low, high, 0, 2, 4, 6);
}

static inline void put(uint8_t *bits, v128_t low, v128_t high)
{
    v128_t both = wasm_i16x8_narrow_i32x4(low, high);
    *bits = (uint8_t)wasm_i16x8_bitmask(both);
}

static inline void put_doubles(uint8_t *bits, const doubles *v, const double *centre)
{
    put(bits, reached_doubles(v, centre), reached_doubles(v + 2, centre + 4));
}

static inline void put_floats(uint8_t *bits, const floats *v, const float *centre)
{
    put(bits, wasm_f32x4_ge((v128_t)v[0], wasm_v128_load(centre)),
        wasm_f32x4_ge((v128_t)v[1], wasm_v128_load(centre + 4)));
}

/* Each byte of 16 gets the byte of the bits that holds its own. */
static inline v128_t repeat_bits(uint16_t bits)
{
    v128_t all = wasm_i16x8_splat((int16_t)bits);
    return wasm_i8x16_shuffle(all, all, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
}

static void spread(uint8_t *bytes, const uint64_t (*planes)[RUGI_LBP_WORDS],
                   uint32_t n_planes)
{
    const v128_t own = wasm_i64x2_splat((int64_t)0x8040201008040201);
    for (int at = 0; at < RUGI_LBP_TILE; at += 16) {
        v128_t sum = wasm_i64x2_const(0, 0);
        for (uint32_t k = 0; k < n_planes; k++) {
            v128_t bits = repeat_bits((uint16_t)(planes[k][at / 64] >> at % 64));
            v128_t is_set = wasm_i8x16_eq(wasm_v128_and(bits, own), own);
            v128_t bit = wasm_i8x16_splat((int8_t)(1 << k));
            sum = wasm_v128_or(sum, wasm_v128_and(is_set, bit));
        }
        wasm_v128_store(bytes + at, sum);
    }
}

#include "lbp_column_tmpl.h"

static inline void count_bits(uint64_t *counts, const uint64_t *bits)
{
    plain_count_bits(counts, bits);
}

void rugi_lbp_set_kernels_wasm(rugi_lbp_kernels *kernels)
{
    *kernels = (rugi_lbp_kernels)RUGI_LBP_KERNELS("wasm");
}
