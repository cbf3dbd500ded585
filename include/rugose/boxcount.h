/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counting: how many boxes of each size hold foreground, and the fractal dimension
 * that follows.
 *
 * A box of size s is *black* when all its s^D pixels are foreground, *white* when none is,
 * and *grey* otherwise (Mukundan 2015). The grid begins at the first pixel of every axis, or
 * at the best of all s^D positions. Pixels outside the image are background, so a box that
 * the edge cuts off is never black.
 *
 * With a mask, pixels outside it are neither foreground nor background: a box that holds no
 * pixel of the mask is not counted, a box without foreground inside the mask is white, and
 * a box that the mask cuts is never black, as at the edge of the image.
 *
 *     rug_boxcount_result *counts;
 *     rug_status status = rug_boxcount(ctx, &counts, &image, NULL);
 *     for (uint32_t i = 0; i < 3 && status == RUG_OK; i++) {
 *         const rug_box_count *c = rug_boxcount_at(counts, i);
 *         printf("size %d: %d of %d boxes\n", (int)c->size, (int)c->nonempty, (int)c->total);
 *     }
 *     rug_fit fit = RUG_FIT_INIT;
 *     if (status == RUG_OK)
 *         status = rug_boxcount_fit(ctx, &fit, counts, RUG_BOXCOUNT_OF_NONEMPTY, NULL);
 *     if (status == RUG_OK)
 *         printf("D = %.4f +- %.4f\n", fit.slope, fit.std_error);
 *     rug_boxcount_free(counts);
 *     // prints: size 1: 6561 of 65536 boxes
 *     // prints: size 2: 2187 of 16384 boxes
 *     // prints: size 4: 729 of 4096 boxes
 *     // prints: D = 1.5850 +- 0.0000
 */

#ifndef RUGOSE_BOXCOUNT_H
#define RUGOSE_BOXCOUNT_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/fit.h>
#include <rugose/foreground.h>
#include <rugose/image.h>
#include <rugose/points.h>
#include <rugose/source.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Box sizes in one result at most. */
#define RUG_BOXCOUNT_MAX_SIZES 1024

/** The largest box size. */
#define RUG_BOXCOUNT_SIZE_MAX ((uint64_t)1 << 63)

/** Stands for a number of boxes that does not fit 64 bits: `total` and `white` of points
 *  with many axes. */
#define RUG_BOXCOUNT_TOO_MANY UINT64_MAX

/** The boxes of one size. total = white + grey + black; nonempty = grey + black. */
typedef struct rug_box_count {
    uint64_t size;     /**< side of the box in pixels, or in the unit of pixel_size */
    uint64_t total;    /**< boxes that hold a pixel of the image: the product of
                            ceil((n + shift) / size) over the axes, with pixel_size of
                            floor((n - 1) * pixel_size / size) + 1; with a mask, boxes
                            that hold a pixel of the mask */
    uint64_t nonempty; /**< boxes with at least one foreground pixel */
    uint64_t black;    /**< boxes with foreground pixels only */
    uint64_t gray;     /**< nonempty, but not black */
    uint64_t white;    /**< boxes without a foreground pixel */
} rug_box_count;

/** How to count. All methods give the same counts. The values of these constants never
 *  change. */
typedef enum rug_boxcount_method {
    RUG_BOXCOUNT_AUTO = 0,    /**< the fastest for this input */
    RUG_BOXCOUNT_PYRAMID = 1, /**< dense: every pixel read once, all sizes in one pass;
                                   powers of two, grid ORIGIN */
    RUG_BOXCOUNT_WINDOW = 2,  /**< packed bits, a sliding window per size: any size, any
                                   grid */
    RUG_BOXCOUNT_HOU = 3,     /**< sparse: the foreground as sorted Morton keys (Hou,
                                   Gilmore, Mindlin and Solari 1990); any size, grid
                                   ORIGIN; on OpenCL devices keys of up to 64 bits */
    /* For comparison; only on OpenCL devices, and for images and volumes in memory:
     * powers of two, grid ORIGIN. */
    RUG_BOXCOUNT_ATOMIC = 4, /**< kernel 1 of Mukundan (2015): a status per box in global
                                  memory, one launch per size */
    RUG_BOXCOUNT_LOCAL = 5   /**< kernel 2 of Mukundan: small boxes in local memory */
} rug_boxcount_method;

/** "auto", "pyramid", "window", "hou", "atomic" or "local"; "?" for other numbers. Static
 *  text. */
RUG_API const char *rug_boxcount_method_name(rug_boxcount_method method);

/** Where the grid of boxes lies. A grid with `shift` begins that many pixels before the
 *  first pixel of the axis. The values of these constants never change. */
typedef enum rug_boxcount_grid {
    RUG_BOXCOUNT_GRID_ORIGIN = 0, /**< at the first pixel of every axis: shift 0 */
    RUG_BOXCOUNT_GRID_MIN = 1,    /**< of all size^D positions, the one with the fewest
                                       nonempty boxes; the first in the order of shift */
    RUG_BOXCOUNT_GRID_MEAN = 2    /**< the mean over all size^D positions */
} rug_boxcount_grid;

/** "origin", "min" or "mean"; "?" for other numbers. Static text. */
RUG_API const char *rug_boxcount_grid_name(rug_boxcount_grid grid);

/** Options of rug_boxcount(). */
typedef struct rug_boxcount_options {
    size_t struct_size;        /**< sizeof(rug_boxcount_options); set by the INIT macro */
    rug_foreground foreground; /**< which pixels are set (default AUTO) */
    rug_boxcount_method method; /**< default AUTO */
    rug_boxcount_grid grid;     /**< default ORIGIN */
    const uint64_t *sizes; /**< box sizes in pixels, ascending, 1..RUG_BOXCOUNT_SIZE_MAX;
                                NULL (default): 1, 2, 4 … up to the first that is >= the
                                longest axis */
    uint32_t n_sizes;      /**< number of sizes, at most RUG_BOXCOUNT_MAX_SIZES */
    /** Of the image's shape, any dtype; pixels that are 0 or NaN are outside. NULL (default):
     *  all pixels are inside. */
    const rug_source *mask;
    /** Sides of a pixel along each axis, slowest first, for boxes that are cubes in space
     *  where pixels are not: whole numbers in a unit of the caller's choice, such as 4000,
     *  1000, 1000 nanometres. Box sizes are in the same unit then, and none may be smaller
     *  than a side of a pixel. Pixel i of an axis lies in box floor(i * pixel_size / size), as
     *  its first corner does. Default sizes are 1, 2, 4 … times the largest side of a pixel,
     *  up to the first that is >= the longest axis. For grid ORIGIN and the methods AUTO and
     *  WINDOW; pixels times side at most 2^62 on each axis. All 0 (default): sizes are in
     *  pixels */
    uint64_t pixel_size[RUG_MAX_AXES];
} rug_boxcount_options;

/** The defaults. */
#define RUG_BOXCOUNT_OPTIONS_INIT                                             \
    {                                                                         \
        sizeof(rug_boxcount_options), RUG_FOREGROUND_INIT, RUG_BOXCOUNT_AUTO, \
            RUG_BOXCOUNT_GRID_ORIGIN, NULL, 0, NULL,                          \
        {                                                                     \
            0, 0, 0                                                           \
        }                                                                     \
    }

/** All grid positions of one size. */
typedef struct rug_box_positions {
    uint64_t shift[RUG_MAX_AXES]; /**< of the grid with the fewest nonempty boxes, each
                                       below the size, slowest axis first */
    uint64_t least, most; /**< nonempty boxes at the best and at the worst position */
    double mean_total, mean_nonempty, mean_black; /**< over all positions */
} rug_box_positions;

/** What holds for all sizes of a result. */
typedef struct rug_boxcount_facts {
    int ndim; /**< axes of the image or of the points */
    /** Pixels per axis, slowest first. */
    uint64_t shape[RUG_POINTS_MAX_AXES];
    /** Pixels of the image, or inside the mask; RUG_BOXCOUNT_TOO_MANY if the number does
     *  not fit 64 bits. */
    uint64_t n_pixels;
    uint64_t n_set;             /**< foreground pixels among them */
    rug_foreground foreground;  /**< the rule in force, resolved: never AUTO or OTSU */
    rug_boxcount_method method; /**< in force, never AUTO */
    rug_boxcount_grid grid;     /**< as in the options */
    uint32_t n_sizes;           /**< how many sizes were counted */
    const char *engine; /**< what ran, such as "cpu-avx512" or "opencl:0"; static text */
    /** HOU on the processor: processor time, in seconds, of the thread with the least
     *  work and of the one with the most; otherwise 0. */
    double busy_least, busy_most;
    uint64_t pixel_size[RUG_MAX_AXES]; /**< as in the options */
} rug_boxcount_facts;

/** The result of rug_boxcount(). Opaque, owned by the caller. */
typedef struct rug_boxcount_result rug_boxcount_result;

/** Counts the boxes of every size (Mukundan 2015; Jimenez and Ruiz de Miras 2013).
 *  @param ctx    threads, device, error text; one per calling thread
 *  @param out    the result; NULL on failure; free it with rug_boxcount_free(), before its
 *                context
 *  @param image  [ny][nx] or [nz][ny][nx], any dtype and byte strides; borrowed, never
 *                written
 *  @param opts   NULL = defaults
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED, or what the mask
 *          returns */
RUG_API rug_status rug_boxcount(rug_context *ctx, rug_boxcount_result **out,
                                const rug_image *image, const rug_boxcount_options *opts);

/** Frees a result. NULL is allowed. */
RUG_API void rug_boxcount_free(rug_boxcount_result *result);

/** What holds for all sizes; lent until the result is freed. */
RUG_API const rug_boxcount_facts *
rug_boxcount_get_facts(const rug_boxcount_result *result);

/** The boxes of size i, sizes ascending; NULL unless i < n_sizes. Grids ORIGIN and MEAN: of
 *  the grid at the first pixel; MIN: of the grid with the fewest nonempty boxes. Lent. */
RUG_API const rug_box_count *rug_boxcount_at(const rug_boxcount_result *result, size_t i);

/** All grid positions of size i; NULL with grid ORIGIN, and unless i < n_sizes. Lent. */
RUG_API const rug_box_positions *
rug_boxcount_positions_at(const rug_boxcount_result *result, size_t i);

/** Checks options before there is an image: that they go together, and that the method
 *  runs on the device chosen in the context. The mask and the threshold, which need the
 *  image, are not checked, and no device is opened.
 *  @param opts  NULL = defaults
 *  @return RUG_OK, RUG_E_ARG, RUG_E_DEVICE */
RUG_API rug_status rug_boxcount_check_options(rug_context *ctx,
                                              const rug_boxcount_options *opts);

/** Options of rug_boxcount_points(). */
typedef struct rug_boxcount_points_options {
    size_t struct_size; /**< sizeof(rug_boxcount_points_options); set by the INIT macro */
    double spacing;     /**< side of a lattice cell, in the unit of the coordinates: its
                              place is floor(coordinate / spacing), so the lattice passes
                              through 0. 0 = not given */
    uint64_t resolution; /**< lattice cells along the bounding box's longest side: the
                              place is floor((coordinate - least) / longest *
                              resolution), the last edge inclusive. 0 = not given. If
                              neither is given: spacing 1 for integer dtypes and whenever
                              all coordinates are whole numbers, otherwise resolution
                              1024 */
    /** AUTO (default); HOU with grid ORIGIN; WINDOW, on a packed image of the bounding
     *  box, with grid MIN or MEAN and 2 or 3 axes. */
    rug_boxcount_method method;
    rug_boxcount_grid grid; /**< default ORIGIN */
    const uint64_t *sizes;  /**< as in rug_boxcount_options */
    uint32_t n_sizes;
} rug_boxcount_points_options;

/** The defaults. */
#define RUG_BOXCOUNT_POINTS_OPTIONS_INIT                              \
    {                                                                 \
        sizeof(rug_boxcount_points_options), 0, 0, RUG_BOXCOUNT_AUTO, \
            RUG_BOXCOUNT_GRID_ORIGIN, NULL, 0                         \
    }

/** Counts the boxes of a set of points (Hou, Gilmore, Mindlin and Solari 1990): every
 *  lattice cell that holds at least one point counts as a foreground pixel. Its box on axis
 *  a is floor(place / size), for negative places too; with MIN and MEAN, grids begin at the
 *  least place of every axis. `total` is the number of boxes that hold a lattice cell of
 *  the bounding box.
 *
 *  Takes memory for two keys per point, or three if a size is not a power of two. A key
 *  has 8 bytes, or 16 if the place of a lattice cell has more than 64 bits on all axes. An
 *  OpenCL device chosen by name works with grid ORIGIN and keys of up to 64 bits, and
 *  must hold as many keys, of 4 bytes each up to 32 bits.
 *  @param out     the result; NULL on failure; free it with rug_boxcount_free(), before its
 *                 context. Its shape is in the order of the axes, first axis first
 *  @param points  1..RUG_POINTS_MAX_AXES axes; no coordinate NaN or infinite
 *  @param opts    NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (also if the place of a lattice cell needs more than 128 bits
 *          on all axes, or the bounding box is too large for WINDOW), RUG_E_NOMEM,
 *          RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_boxcount_points(rug_context *ctx, rug_boxcount_result **out,
                                       const rug_points *points,
                                       const rug_boxcount_points_options *opts);

/** Which boxes the dimension is computed from. The values of these constants never
 *  change. */
typedef enum rug_boxcount_of {
    RUG_BOXCOUNT_OF_NONEMPTY = 0, /**< grey + black: the set itself */
    RUG_BOXCOUNT_OF_BLACK = 1,    /**< the inside */
    RUG_BOXCOUNT_OF_GRAY = 2,     /**< the border; no box of size 1 is grey */
    RUG_BOXCOUNT_OF_WHITE = 3     /**< the complement */
} rug_boxcount_of;

/** "nonempty", "black", "gray" or "white"; "?" for other numbers. Static text. */
RUG_API const char *rug_boxcount_of_name(rug_boxcount_of of);

/** The number of boxes of a kind at size i, as it is fitted and plotted: with grid MEAN, the
 *  mean over all positions. NaN if the number does not fit 64 bits, and unless i < n_sizes. */
RUG_API double rug_boxcount_boxes(const rug_boxcount_result *counts, size_t i,
                                  rug_boxcount_of of);

/** Fits the fractal dimension, the slope. Without foreground its status is
 *  RUG_FIT_EMPTY, unless white boxes are fitted. With pixel_size all sizes, also those of
 *  opts, are in its unit.
 *  @param out     begun with RUG_FIT_INIT; filled on RUG_OK, zeroed otherwise
 *  @param opts    NULL = defaults
 *  @return RUG_OK (also when the dimension is undefined: see status), RUG_E_ARG,
 *          RUG_E_NOMEM */
RUG_API rug_status rug_boxcount_fit(rug_context *ctx, rug_fit *out,
                                    const rug_boxcount_result *counts, rug_boxcount_of of,
                                    const rug_fit_options *opts);

#ifdef __cplusplus
}
#endif

#endif
