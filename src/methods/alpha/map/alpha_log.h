/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The natural logarithm that alpha is made of: the same bits on every machine, CPU level
 * and device, since each step is one that IEEE 754 rounds in one way only. The library's
 * own logarithm differs between systems, and compilers have vectors of others.
 *
 * x = 2^e m with m in [sqrt(1/2), sqrt(2)), and with s = (m - 1) / (m + 1), z = s^2
 *
 *     ln x = e ln 2 + (2 s + s (z (2/3 + z (2/5 + … + z 2/19))))
 *
 * s is below 0.1716, so that what is cut off is below 3e-17 of the rest; roundings add up
 * to less than 1e-15 of the result. */

#ifndef RUGI_ALPHA_LOG_H
#define RUGI_ALPHA_LOG_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static inline double rugi_alpha_double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t rugi_alpha_bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* if_true or if_false, without a branch: so compilers make vectors of it. */
static inline double rugi_alpha_pick(int is_true, double if_true, double if_false)
{
    uint64_t mask = (uint64_t)0 - (uint64_t)is_true;
    return rugi_alpha_double_of((rugi_alpha_bits_of(if_true) & mask) |
                                (rugi_alpha_bits_of(if_false) & ~mask));
}

/** ln x of a finite x above 0; -infinity of 0 and below; infinity and NaN of
 *  themselves. */
static inline double rugi_alpha_log(double x)
{
    const uint64_t one = UINT64_C(0x3ff) << 52, root = UINT64_C(0x3fe6a09e667f3bcd);
    double factor = rugi_alpha_pick(x < DBL_MIN, 18014398509481984.0, 1.0);
    uint64_t bits = rugi_alpha_bits_of(x * factor);
    uint64_t biased = (bits + (one - root)) >> 52; /* e + 1023 */
    double m = rugi_alpha_double_of(bits + one - (biased << 52));
    /* 2^52 + biased is a double with `biased` for its last bits. */
    double e = rugi_alpha_double_of(UINT64_C(0x4330000000000000) | biased) -
               (4503599627370496.0 + 1023.0);
    e -= rugi_alpha_pick(x < DBL_MIN, 54.0, 0.0);
    double s = (m - 1.0) / (m + 1.0);
    double z = s * s;
    double p = 2.0 / 17.0 + z * (2.0 / 19.0);
    p = 2.0 / 15.0 + z * p;
    p = 2.0 / 13.0 + z * p;
    p = 2.0 / 11.0 + z * p;
    p = 2.0 / 9.0 + z * p;
    p = 2.0 / 7.0 + z * p;
    p = 2.0 / 5.0 + z * p;
    p = 2.0 / 3.0 + z * p;
    double ln_m = 2.0 * s + s * (z * p);
    double ln_x = e * 0.69314718055994530942 + ln_m;
    ln_x = rugi_alpha_pick(x > 0.0, ln_x, -INFINITY);
    return rugi_alpha_pick(x < INFINITY, ln_x, x);
}

#endif
