/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Cells as benchmarks of co-occurrence see them: a smooth surface with noise, and labelled
 * discs. */

#ifndef BENCH_CELLS_H
#define BENCH_CELLS_H

#include <stddef.h>
#include <stdint.h>

/** A surface of 0..scale and noise of 0..grain, as 16 bits. Calls go on with the noise of
 *  the last one.
 *  @return [ny][nx]; free() it */
uint16_t *bench_draw_surface(size_t ny, size_t nx, double scale, double grain);

/** The height of the surface at one place, with noise. */
double bench_surface(size_t y, size_t x, double scale, double grain);

/** Discs of a radius on a grid, labelled from 1 on.
 *  @return [ny][nx]; free() it */
uint16_t *bench_draw_discs(size_t ny, size_t nx, size_t rows, size_t columns,
                           double radius);

#endif
