/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX2 kernel of the exact search: a tile is two vectors. The level does not
 * promise fused multiply-adds. */

#include <immintrin.h>

#define VEC_LANES             8
#define vec_load              _mm256_load_ps
#define vec_store             _mm256_storeu_ps
#define vec_splat             _mm256_set1_ps
#define vec_add               _mm256_add_ps
#define vec_sub               _mm256_sub_ps
#define vec_mul               _mm256_mul_ps
#define vec_madd(a, b, c)     _mm256_add_ps(_mm256_mul_ps(a, b), c)
#define vec_abs(a)            _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a)
#define vec_max               _mm256_max_ps
#define vec_min               _mm256_min_ps
#define vec_any_reaches(a, b) (_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GE_OQ)))
typedef __m256 vec;

#include "ifs_kernels_tmpl.h"
#include "ifs_shrink_tmpl.h"

void rugi_ifs_set_kernels_avx2(rugi_ifs_kernels *kernels)
{
    *kernels = (rugi_ifs_kernels){"cpu-avx2", screen, shrink};
}
