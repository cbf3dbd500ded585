/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Meshes as volumes of cells, for bench_hou_study.c. The longest side of a mesh is as long as that
 * of the volume; along the other axes it lies in the middle. Vertices are rounded to 1/1024 of a
 * cell; all comparisons are of whole numbers, and exact. */

#ifndef BENCH_VOXELS_H
#define BENCH_VOXELS_H

#include "bench_mesh.h"

/** The most cells a side. */
#define BENCH_VOXELS_SIDE 1024

/** Sets the cells whose centres are inside: along each axis a ray through the centre crosses an odd
 *  number of triangles before it. The majority of the three rays decides; a ray that crosses an
 *  odd number in all, through a hole, has no vote. A ray through an edge or a vertex counts as
 *  one a little beside it, always on the same side.
 *  @param cells  [side][side][side], z slowest: 1 or 0
 *  @param side   1 .. BENCH_VOXELS_SIDE
 *  @return 1; 0: the mesh has no extent, or there is no memory */
int bench_voxels_solid(uint8_t *cells, size_t side, const bench_mesh *mesh);

/** Sets the cells, borders included, that a triangle meets (the separating axes of
 *  Akenine-Moller 2001, "Fast 3D triangle-box overlap testing", Journal of Graphics Tools 6(1)). */
int bench_voxels_surface(uint8_t *cells, size_t side, const bench_mesh *mesh);

#endif
