/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The portable kernels: the truth for the others. */

#include "lacunarity_loops_tmpl.h"

#define DEFINE_PAIR(pixels, sums, pixel, number)                                   \
    RUGI_LACUNARITY_DEFINE_ACCUMULATE(accumulate_##pixels##_##sums, pixel, number) \
    RUGI_LACUNARITY_DEFINE_SLIDE(slide_##pixels##_##sums, pixel, number)

DEFINE_PAIR(0, 1, uint8_t, uint16_t)
DEFINE_PAIR(0, 2, uint8_t, uint32_t)
DEFINE_PAIR(0, 3, uint8_t, uint64_t)
DEFINE_PAIR(1, 1, uint16_t, uint16_t)
DEFINE_PAIR(1, 2, uint16_t, uint32_t)
DEFINE_PAIR(1, 3, uint16_t, uint64_t)
DEFINE_PAIR(2, 2, uint32_t, uint32_t)
DEFINE_PAIR(2, 3, uint32_t, uint64_t)
DEFINE_PAIR(3, 3, uint64_t, uint64_t)

RUGI_LACUNARITY_DEFINE_SUM(sum_from_1, uint16_t)
RUGI_LACUNARITY_DEFINE_SUM(sum_from_2, uint32_t)

static void sum_1(const rugi_lacunarity_row *row, rugi_lacunarity_sums *out)
{
    sum_from_1(row, out, row->e - 1);
}

static void sum_2(const rugi_lacunarity_row *row, rugi_lacunarity_sums *out)
{
    sum_from_2(row, out, row->e - 1);
}

static void add(rugi_lacunarity_sums *out, uint64_t mass)
{
    out->positions++;
    out->mass += mass;
    rugi_lacunarity_add_square(out, (rugi_lacunarity_u128)mass * mass);
}

static void sum_3(const rugi_lacunarity_row *row, rugi_lacunarity_sums *out)
{
    for (size_t x = row->e - 1; x < row->n; x++)
        add(out, RUGI_LACUNARITY_MASS(uint64_t, row, x));
}

#define DEFINE_REST(type, number)                                                       \
    static void sum_full_##type(const rugi_lacunarity_row *row,                         \
                                const rugi_lacunarity_row *count, uint64_t full,        \
                                rugi_lacunarity_sums *out)                              \
    {                                                                                   \
        for (size_t x = row->e - 1; x < row->n; x++)                                    \
            if (RUGI_LACUNARITY_MASS(number, count, x) == full)                         \
                add(out, RUGI_LACUNARITY_MASS(number, row, x));                         \
    }                                                                                   \
                                                                                        \
    static void fixed_##type(const void *column, const void *count, size_t n, size_t e, \
                             uint64_t full, rugi_lacunarity_sums *out)                  \
    {                                                                                   \
        const number *c = column, *k = count;                                           \
        rugi_lacunarity_sums sums = {0};                                                \
        for (size_t x = 0; n - x >= e && x < n; x += e) {                               \
            number mass = 0, pixels = 0;                                                \
            for (size_t i = x; i < x + e; i++)                                          \
                mass = (number)(mass + c[i]);                                           \
            for (size_t i = x; k != NULL && i < x + e; i++)                             \
                pixels = (number)(pixels + k[i]);                                       \
            if (k == NULL || pixels == full)                                            \
                add(&sums, mass);                                                       \
        }                                                                               \
        out->positions += sums.positions;                                               \
        out->mass += sums.mass;                                                         \
        rugi_lacunarity_add_square(out, sums.square);                                   \
        out->square_high += sums.square_high;                                           \
    }

DEFINE_REST(1, uint16_t)
DEFINE_REST(2, uint32_t)
DEFINE_REST(3, uint64_t)

#define SET_PAIR(pixels, sums)                                        \
    kernels->accumulate[pixels][sums] = accumulate_##pixels##_##sums; \
    kernels->slide[pixels][sums] = slide_##pixels##_##sums

#define SET_TYPE(type)                         \
    kernels->sum[type] = sum_##type;           \
    kernels->sum_full[type] = sum_full_##type; \
    kernels->fixed[type] = fixed_##type

void rugi_lacunarity_kernels_ref(rugi_lacunarity_kernels *kernels)
{
    *kernels = (rugi_lacunarity_kernels){.name = "cpu-ref"};
    SET_PAIR(0, 1);
    SET_PAIR(0, 2);
    SET_PAIR(0, 3);
    SET_PAIR(1, 1);
    SET_PAIR(1, 2);
    SET_PAIR(1, 3);
    SET_PAIR(2, 2);
    SET_PAIR(2, 3);
    SET_PAIR(3, 3);
    SET_TYPE(1);
    SET_TYPE(2);
    SET_TYPE(3);
}
