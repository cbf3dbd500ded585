/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A mesh that lies in a cube of voxels, and what its slices share. Coordinates are whole numbers of
 * units, 2^30 or fewer along a side; all comparisons of them are exact. Axes: 0 is x, the
 * fastest, 2 is z. */

#ifndef RUGI_MESH_VOXELS_H
#define RUGI_MESH_VOXELS_H

#include "core/context/threads.h"
#include "mesh.h"

/** Voxels a side at least and at most: one stays free on each side of the mesh. */
#define RUGI_VOXELS_MIN 3
#define RUGI_VOXELS_MAX ((size_t)1 << 20)

__extension__ typedef __int128 rugi_int128;

/** Voxels begin .. end - 1 of a row. */
typedef struct rugi_span {
    int64_t begin, end;
} rugi_span;

/** Planes of bits of one thread: which voxels of a slice are inside by rays along x and y. */
typedef struct rugi_rays {
    RUGI_OWN_LINES unsigned char *along[2];
    unsigned char *row;  /* of rays along y, as they come out of the slice */
    uint64_t n_doubtful; /* voxels about which the rays did not agree */
} rugi_rays;

/** Heights of triangles, in slices, as powers of two. */
#define RUGI_HEIGHTS 22

typedef struct rugi_voxels {
    size_t side;      /**< voxels a side */
    int64_t unit;     /**< of a voxel; a power of two, at least 2^10 */
    size_t row_bytes; /**< of bits */
    int is_solid;
    size_t n_triangles;
    int32_t (*corners)[3];    /**< places of vertices, in units */
    uint32_t (*triangles)[3]; /**< numbers of them */
    /** Triangles by height and first slice: 2^57 height + 2^32 slice + number. */
    uint64_t *order;
    size_t heights[RUGI_HEIGHTS + 1]; /**< where in it those of a height begin */
    double origin[3], pitch; /**< of the corner of the first voxel, and a voxel's side */
    /* Of a solid: */
    unsigned char *before, *through; /**< planes of bits: rays along z that are inside
                                          behind the last slice; that stay so to the
                                          end, and do not count */
    rugi_rays *rays;                 /**< [n_rays] */
    int n_rays;
    uint64_t n_doubtful; /**< voxels of this pass about which rays did not agree */
    int is_told;         /**< nothing more is to be said of them */
} rugi_voxels;

/** A walk through the triangles that may meet a slice or the one before. */
typedef struct rugi_walk {
    const rugi_voxels *v;
    size_t z, height, at, end;
} rugi_walk;

/** Begins a walk. */
static inline rugi_walk rugi_walk_begin(const rugi_voxels *v, size_t z)
{
    return (rugi_walk){v, z, 0, 0, 0};
}

/** The corners of the next triangle. @return 0: there are no more */
int rugi_walk_next(rugi_walk *walk, const int32_t *t[3]);

/** For qsort(): by value. */
int rugi_compare_u64(const void *a, const void *b);

/** The corners of a triangle. */
static inline void rugi_voxels_triangle(const rugi_voxels *v, size_t triangle,
                                        const int32_t *t[3])
{
    for (int k = 0; k < 3; k++)
        t[k] = v->corners[v->triangles[triangle][k]];
}

/** The least and the largest coordinate of a triangle along an axis. */
static inline int64_t rugi_least(const int32_t *const t[3], int axis)
{
    int32_t a = t[0][axis] < t[1][axis] ? t[0][axis] : t[1][axis];
    return a < t[2][axis] ? a : t[2][axis];
}
static inline int64_t rugi_largest(const int32_t *const t[3], int axis)
{
    int32_t a = t[0][axis] > t[1][axis] ? t[0][axis] : t[1][axis];
    return a > t[2][axis] ? a : t[2][axis];
}

/** a / b, rounded up. @param b  above 0 */
static inline rugi_int128 rugi_divide_up(rugi_int128 a, rugi_int128 b)
{
    return a / b + (a % b > 0);
}

/** Keeps the voxels i of a span with factor * i >= least. */
static inline void rugi_keep(rugi_span *span, rugi_int128 factor, rugi_int128 least)
{
    if (factor == 0 && least > 0)
        span->end = span->begin;
    if (span->end - span->begin <= 4) { /* to divide takes longer */
        while (span->begin < span->end && factor * span->begin < least &&
               factor * (span->end - 1) >= least)
            span->begin++;
        while (span->begin < span->end && factor * (span->end - 1) < least)
            span->end--;
        return;
    }
    if (factor > 0) {
        rugi_int128 first = rugi_divide_up(least, factor);
        if (first > span->begin)
            span->begin = first < span->end ? (int64_t)first : span->end;
    } else if (factor < 0) {
        rugi_int128 end = 1 - rugi_divide_up(least, -factor);
        if (end < span->end)
            span->end = end > span->begin ? (int64_t)end : span->begin;
    }
}

/** What rugi_set_bits() does to them. */
enum { RUGI_SET, RUGI_TURN };

/** Sets or turns the bits of a span. */
static inline void rugi_set_bits(unsigned char *row, rugi_span span, int how)
{
    for (int64_t at = span.begin; at < span.end;) {
        int64_t end = (at | 7) + 1 < span.end ? (at | 7) + 1 : span.end;
        unsigned bits = (0xffu << (at & 7)) & (0xffu >> (7 - ((end - 1) & 7)));
        row[at >> 3] =
            (unsigned char)(how == RUGI_SET ? row[at >> 3] | bits : row[at >> 3] ^ bits);
        at = end;
    }
}

/** Places a mesh, whose numbers of vertices are right, in a cube of voxels; its triangles become
 *  those of the voxels.
 *  @param v  zeroed but for side and is_solid; what it holds is freed by the caller, also after
 *            a failure
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_FORMAT (no extent) */
rug_status rugi_voxels_place(rugi_mesh *mesh, rugi_voxels *v);

/** Sets the voxels of a slice, all 0, that triangles touch: those whose closed cube has a point of
 *  one. */
void rugi_surface_slice(const rugi_voxels *v, unsigned char *slice, size_t z);

/** Finds whether a mesh is closed: warns of edges that an odd number of triangles have. @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_solid_check(rug_context *ctx, rugi_voxels *v, const char *path);

/** Frees what is only a solid's. */
void rugi_solid_close(rug_context *ctx, rugi_voxels *v);

/** Sets the voxels of n slices from z on that are inside. Slices come in order.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_solid_slices(rug_context *ctx, rugi_voxels *v, unsigned char *slices,
                             size_t z, size_t n, const char *path);

#endif
