/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernel of the moments, for vectors of each level. Vectors are those of the
 * compiler (gcc and clang), so that one text is the arithmetic of all levels. */

#include "moments_kernels.h"
#include <stdint.h>

/* Doubles of a vector. */
enum { DOUBLES_ref = 2, DOUBLES_avx2 = 4, DOUBLES_avx512 = 8 };
#define WIDTH RUGI_AT_LEVEL(DOUBLES)

typedef double vec __attribute__((vector_size(WIDTH * sizeof(double))));
typedef uint64_t bits __attribute__((vector_size(WIDTH * sizeof(uint64_t))));

#define N_VECS (RUGI_MOMENT_LANES / WIDTH)

/* Below this e^x is no longer a normal number, and taken as 0. */
#define LEAST_X (-708.0)

/* Adding this leaves a whole number in the low bits. */
#define TO_WHOLE 0x1.8p52

/* ln 2 in two parts; the first has 32 low bits of 0, so that its multiples are exact. */
#define LN2_HIGH 0x1.62e42feep-1
#define LN2_LOW  0x1.a39ef35793c76p-33
#define LOG2_E   0x1.71547652b82fep+0

/* e^x, x <= 0, less than one unit in the last place off: e^x = 2^k e^r with
 * |r| <= ln 2 / 2, and e^r = 1 + r + r^2 P(r), where P interpolates at ten Chebyshev
 * nodes, which is 2e-17 off. */
static inline void exp_of(vec *x)
{
    static const double p_of_r[] = {0x1.af390ba7e6f47p-26, 0x1.2891d4ffbb0f9p-22,
                                    0x1.71de0d85293b8p-19, 0x1.a019b8ca26fcfp-16,
                                    0x1.a01a01a7cebcdp-13, 0x1.6c16c1789d1d7p-10,
                                    0x1.11111111109a6p-7,  0x1.5555555553d37p-5,
                                    0x1.5555555555556p-3,  0x1.0000000000001p-1};
    bits keep = (bits)(*x >= LEAST_X);
    vec shifted = *x * LOG2_E + TO_WHOLE;
    vec k = shifted - TO_WHOLE;
    vec r = (*x - k * LN2_HIGH) - k * LN2_LOW;
    vec p = r * p_of_r[0] + p_of_r[1];
    for (int i = 2; i < 10; i++)
        p = p * r + p_of_r[i];
    vec e = 1.0 + (r + r * r * p);
    bits exponent = ((bits)shifted << 52) + 0x3ff0000000000000u;
    *x = (vec)((bits)(e * (vec)exponent) & keep);
}

/* The lanes by halves, in a fixed order. */
static inline double sum_of_lanes(const vec *v)
{
    double lane[RUGI_MOMENT_LANES];
    for (int i = 0; i < RUGI_MOMENT_LANES; i++)
        lane[i] = v[i / WIDTH][i % WIDTH];
    for (int n = RUGI_MOMENT_LANES / 2; n > 0; n /= 2)
        for (int i = 0; i < n; i++)
            lane[i] += lane[i + n];
    return lane[0];
}

static rugi_moment_sums sums(const double *log_p, const double *boxes, size_t n, double q,
                             double reference)
{
    vec w[N_VECS] = {{0}}, w_u[N_VECS] = {{0}};
    for (size_t at = 0; at < n; at += RUGI_MOMENT_LANES)
        for (int i = 0; i < N_VECS; i++) {
            vec u = *(const vec *)(log_p + at + (size_t)i * WIDTH) - reference;
            vec e = u * q;
            exp_of(&e);
            e *= *(const vec *)(boxes + at + (size_t)i * WIDTH);
            w[i] += e;
            w_u[i] += e * u;
        }
    return (rugi_moment_sums){sum_of_lanes(w), sum_of_lanes(w_u)};
}

void RUGI_AT_LEVEL(rugi_moments_set_kernel)(rugi_moment_fn *kernel)
{
    *kernel = sums;
}
