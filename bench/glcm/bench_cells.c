/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Cells to measure; see bench_cells.h. */

#include "bench_cells.h"
#include "bench.h"
#include <math.h>

static uint64_t state = 1;

static uint32_t noise(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

double bench_surface(size_t y, size_t x, double scale, double grain)
{
    double v =
        sin((double)x * 0.043) * cos((double)y * 0.037) + sin((double)(x + y) * 0.013);
    return scale * (0.5 + v / 4) + grain * ((double)noise() / 2147483648.0);
}

uint16_t *bench_draw_surface(size_t ny, size_t nx, double scale, double grain)
{
    uint16_t *cells = bench_allocate(ny * nx * sizeof *cells);
    for (size_t y = 0; y < ny; y++)
        for (size_t x = 0; x < nx; x++)
            cells[y * nx + x] = (uint16_t)bench_surface(y, x, scale, grain);
    return cells;
}

uint16_t *bench_draw_discs(size_t ny, size_t nx, size_t rows, size_t columns,
                           double radius)
{
    uint16_t *cells = bench_allocate(ny * nx * sizeof *cells);
    for (size_t y = 0; y < ny; y++)
        for (size_t x = 0; x < nx; x++) {
            size_t row = y * rows / ny, column = x * columns / nx;
            double v = (double)y - ((double)row + 0.5) * (double)ny / (double)rows;
            double u = (double)x - ((double)column + 0.5) * (double)nx / (double)columns;
            if (u * u + v * v < radius * radius)
                cells[y * nx + x] = (uint16_t)(row * columns + column + 1);
        }
    return cells;
}
