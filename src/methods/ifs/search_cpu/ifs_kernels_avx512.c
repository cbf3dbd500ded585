/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX-512 kernel of the exact search: a tile is one vector. */

#include <immintrin.h>

#define VEC_LANES             16
#define vec_load              _mm512_load_ps
#define vec_store             _mm512_storeu_ps
#define vec_splat             _mm512_set1_ps
#define vec_add               _mm512_add_ps
#define vec_sub               _mm512_sub_ps
#define vec_mul               _mm512_mul_ps
#define vec_madd              _mm512_fmadd_ps
#define vec_abs               _mm512_abs_ps
#define vec_max               _mm512_max_ps
#define vec_min               _mm512_min_ps
#define vec_any_reaches(a, b) (_mm512_cmp_ps_mask(a, b, _CMP_GE_OQ))
typedef __m512 vec;

#include "ifs_kernels_tmpl.h"
#include "ifs_shrink_tmpl.h"

void rugi_ifs_set_kernels_avx512(rugi_ifs_kernels *kernels)
{
    *kernels = (rugi_ifs_kernels){"cpu-avx512", screen, shrink};
}
