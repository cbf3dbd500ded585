/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Maps of alpha: the operations of alpha_log.h, alpha_kernels.h and alpha_cpu.c in the same
 * order, one item for each pixel. Built with
 *   MEASURE  0 largest, 1 least, 2 sum, 3 pixels that are alike
 *   WIDE     1: 64-bit integers of which the measure needs all bits
 * and either
 *   PIXEL    the dtype of a pixel in memory, of rug_dtype: kernel alpha_load, which turns
 *            pixels into what windows are made of
 *   WINDOWS  how many: kernel alpha_slope, which does the rest */

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#ifdef PIXEL
#if PIXEL == 1
typedef uchar pixel;
#elif PIXEL == 2
typedef char pixel;
#elif PIXEL == 3
typedef ushort pixel;
#elif PIXEL == 4
typedef short pixel;
#elif PIXEL == 5
typedef uint pixel;
#elif PIXEL == 6
typedef int pixel;
#elif PIXEL == 7
typedef ulong pixel;
#elif PIXEL == 8
typedef long pixel;
#elif PIXEL == 9
typedef float pixel;
#else
typedef double pixel;
#endif
#endif

#define MAX 0
#define MIN 1
#define SUM 2
#define ISO 3

#if MEASURE == MAX
#define NOTHING      (-INFINITY)
#define BAD          INFINITY
#define FOLD(a, b)   ((a) > (b) ? (a) : (b))
#elif MEASURE == MIN
#define NOTHING      INFINITY
#define BAD          (-INFINITY)
#define FOLD(a, b)   ((a) < (b) ? (a) : (b))
#else
#define NOTHING      0.0
#define FOLD(a, b)   ((a) + (b))
#endif

#if MEASURE == SUM && WIDE
#define N_PARTS 2
#else
#define N_PARTS 1
#endif

#if MEASURE == ISO && WIDE
typedef ulong value;
#else
typedef double value;
#endif

static double not_a_number(void)
{
    return as_double(0x7ff8000000000000UL);
}

static double alpha_log(double x)
{
    const ulong one = 0x3ffUL << 52, root = 0x3fe6a09e667f3bcdUL;
    double factor = x < 2.2250738585072014e-308 ? 18014398509481984.0 : 1.0;
    ulong bits = as_ulong(x * factor);
    ulong biased = (bits + (one - root)) >> 52;
    double m = as_double(bits + one - (biased << 52));
    double e = as_double(0x4330000000000000UL | biased) - (4503599627370496.0 + 1023.0);
    e -= x < 2.2250738585072014e-308 ? 54.0 : 0.0;
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
    ln_x = x > 0.0 ? ln_x : -INFINITY;
    return x < INFINITY ? ln_x : x;
}

#ifdef PIXEL

__kernel void alpha_load(__global const pixel *pixels, __global value *out, ulong n)
{
    ulong i = get_global_id(0);
    if (i >= n)
        return;
#if WIDE && MEASURE == ISO
    out[i] = (ulong)pixels[i] ^ (PIXEL == 8 ? 1UL << 63 : 0UL);
#elif WIDE
    ulong c = (ulong)pixels[i];
    int is_negative = PIXEL == 8 && c >> 63 != 0;
    out[i] = is_negative ? not_a_number() : (double)(c >> 32);
    out[n + i] = (double)(uint)c;
#else
    double x = (double)pixels[i];
#if MEASURE == ISO
    out[i] = fabs(x) < INFINITY ? x : not_a_number();
#elif MEASURE == SUM
    out[i] = x >= 0.0 && x < INFINITY ? x : not_a_number();
#else
    out[i] = x >= 0.0 && x < INFINITY ? alpha_log(x) : (double)BAD;
#endif
#endif
}

#else

/* Where the pixels of a piece lie: [nz][ny][nx], with all that windows reach. */
typedef struct piece {
    ulong nz, ny, nx;
    ulong first; /* the first slice that has a map */
    ulong n;     /* pixels of the map */
    ulong whole_tolerance;
    double tolerance;
} piece;

#if MEASURE != ISO

/* Loops over windows are unrolled, and those over neighbours are not: then arrays of windows
 * are registers, not memory, and few enough. */

/* Windows along x. */
static void windows_x(double *r, __global const double *row, ulong x, ulong nx)
{
    r[0] = row[x];
#pragma unroll
    for (uint k = 1; k < WINDOWS; k++) {
        double a = x >= k ? row[x - k] : NOTHING;
        double b = x + k < nx ? row[x + k] : NOTHING;
        r[k] = FOLD(r[k - 1], FOLD(a, b));
    }
}

/* Adds the windows d before and behind the middle, those that are there. */
static void add_pair(double *to, const double *a, const double *b, uint d, int has_a,
                     int has_b)
{
#pragma unroll
    for (uint k = 1; k < WINDOWS; k++) {
        double pair = FOLD(a[k], b[k]);
        double other = has_a && has_b ? pair : has_a ? a[k] : b[k];
        to[k] = k >= d && (has_a || has_b) ? FOLD(to[k], other) : to[k];
    }
}

/* Windows along x and y in a slice. */
static void windows_y(double *p, __global const double *slice, const piece *t, ulong y,
                      ulong x)
{
    windows_x(p, slice + y * t->nx, x, t->nx);
#pragma unroll 1
    for (uint d = 1; d < WINDOWS; d++) {
        double a[WINDOWS], b[WINDOWS];
        int has_a = y >= d, has_b = y + d < t->ny;
        windows_x(a, slice + (has_a ? y - d : y) * t->nx, x, t->nx);
        windows_x(b, slice + (has_b ? y + d : y) * t->nx, x, t->nx);
        add_pair(p, a, b, d, has_a, has_b);
    }
}

static void windows_z(double *mu, __global const double *pixels, const piece *t, ulong z,
                      ulong y, ulong x)
{
    ulong slice = t->ny * t->nx;
    windows_y(mu, pixels + z * slice, t, y, x);
#pragma unroll 1
    for (uint d = 1; d < WINDOWS; d++) {
        double a[WINDOWS], b[WINDOWS];
        int has_a = z >= d, has_b = z + d < t->nz;
        windows_y(a, pixels + (has_a ? z - d : z) * slice, t, y, x);
        windows_y(b, pixels + (has_b ? z + d : z) * slice, t, y, x);
        add_pair(mu, a, b, d, has_a, has_b);
    }
}

static void measure(double *mu, __global const value *pixels, const piece *t, ulong z,
                    ulong y, ulong x)
{
    windows_z(mu, pixels, t, z, y, x);
#if N_PARTS == 2
    double lower[WINDOWS];
    windows_z(lower, pixels + t->nz * t->ny * t->nx, t, z, y, x);
#pragma unroll
    for (uint k = 0; k < WINDOWS; k++)
        mu[k] = mu[k] * 4294967296.0 + lower[k];
#endif
}

#else

/* How much a pixel adds to the number of those that are like the centre. */
static double likeness(value a, value b, const piece *t)
{
#if WIDE
    return (a > b ? a - b : b - a) <= t->whole_tolerance ? 1.0 : 0.0;
#else
    double d = a - b;
    return d == d ? (fabs(d) <= t->tolerance ? 1.0 : 0.0) : d;
#endif
}

static void measure(double *mu, __global const value *pixels, const piece *t, ulong z,
                    ulong y, ulong x)
{
    const int reach = WINDOWS - 1;
    value centre = pixels[(z * t->ny + y) * t->nx + x];
#pragma unroll
    for (uint k = 0; k < WINDOWS; k++)
        mu[k] = 0.0;
    for (int dz = -reach; dz <= reach; dz++)
        for (int dy = -reach; dy <= reach; dy++)
            for (int dx = -reach; dx <= reach; dx++) {
                ulong oz = z + (ulong)(long)dz, oy = y + (ulong)(long)dy;
                ulong ox = x + (ulong)(long)dx;
                if (oz >= t->nz || oy >= t->ny || ox >= t->nx)
                    continue; /* also before the first */
                uint ring = max(max(abs(dz), abs(dy)), abs(dx));
                double like =
                    likeness(pixels[(oz * t->ny + oy) * t->nx + ox], centre, t);
#pragma unroll
                for (uint k = 0; k < WINDOWS; k++)
                    mu[k] += ring <= k ? like : 0.0; /* no index that varies: registers */
            }
}

#endif

__kernel void alpha_slope(__global const value *pixels, piece t,
                          __constant double *weights, __global float *out)
{
    ulong i = get_global_id(0);
    if (i >= t.n)
        return;
    double mu[WINDOWS], sum = 0.0;
    measure(mu, pixels, &t, t.first + i / t.nx / t.ny, i / t.nx % t.ny, i % t.nx);
#if MEASURE == SUM || MEASURE == ISO
#pragma unroll
    for (uint k = 0; k < WINDOWS; k++)
        mu[k] = alpha_log(mu[k]);
#endif
#pragma unroll
    for (uint k = 1; k < WINDOWS; k++)
        sum += weights[k] * (mu[k] - mu[0]);
    out[i] = fabs(sum) < INFINITY ? (float)sum : as_float(0x7fc00000);
}

#endif
