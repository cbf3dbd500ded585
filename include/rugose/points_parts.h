/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Points that come in parts: rows of a table in any order, files of one survey, what several
 * processes have. A state keeps the lattice cells that points lie in, and how many lie in each;
 * states merge, and the results are those of rug_boxcount_points() and
 * rug_masses_measure_points() of all points, bit for bit.
 *
 *     static const double rows[4][2] = {{0.5, 1}, {2, 2}, {2.5, 2}, {9, 7}};
 *     rug_points_parts_options opts = RUG_POINTS_PARTS_OPTIONS_INIT;
 *     opts.spacing = 1;
 *     opts.n_points = 4;
 *     rug_points_parts *parts;
 *     rug_boxcount_result *counts = NULL;
 *     rug_status status = rug_points_parts_new(ctx, &parts, RUG_F64, 2, &opts);
 *     for (uint64_t first = 0; first < 4 && status == RUG_OK; first += 2) {
 *         rug_points part = {rows[first], RUG_F64, 2, 2, {sizeof rows[0], sizeof rows[0][0]}};
 *         status = rug_points_parts_add(ctx, parts, &part, first);
 *     }
 *     uint8_t *bytes = NULL; // for a file, or another process
 *     size_t n;
 *     if (status == RUG_OK)
 *         status = rug_points_parts_save(ctx, &bytes, &n, parts);
 *     rug_points_parts_free(parts);
 *     parts = NULL;
 *     if (status == RUG_OK)
 *         status = rug_points_parts_load(ctx, &parts, bytes, n);
 *     rug_context_release(ctx, bytes);
 *     if (status == RUG_OK)
 *         status = rug_points_parts_boxcount(ctx, &counts, parts, NULL);
 *     if (status == RUG_OK)
 *         printf("%d lattice cells\n", (int)rug_boxcount_at(counts, 0)->nonempty);
 *     rug_boxcount_free(counts);
 *     rug_points_parts_free(parts);
 *     // prints: 3 lattice cells
 */

#ifndef RUGOSE_POINTS_PARTS_H
#define RUGOSE_POINTS_PARTS_H

#include <rugose/boxcount.h>
#include <rugose/multifractal.h>
#include <rugose/points.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where points lie. */
typedef struct rug_points_range {
    size_t struct_size; /**< sizeof(rug_points_range); set by the INIT macro */
    uint64_t n_points;  /**< how many there are; 0: the rest says nothing */
    uint32_t ndim;      /**< coordinates of a point */
    uint32_t is_broken; /**< 1: some coordinate is not a whole number */
    /** Least and largest coordinate on each axis, of 64-bit integers the nearest doubles; 0
     *  behind the last axis. */
    double least[RUG_POINTS_MAX_AXES], most[RUG_POINTS_MAX_AXES];
} rug_points_range;

/** A range of no points, to be measured. */
#define RUG_POINTS_RANGE_INIT                   \
    {                                           \
        sizeof(rug_points_range), 0, 0, 0, {0}, \
        {                                       \
            0                                   \
        }                                       \
    }

/** Measures where points lie. Reads them once.
 *  @param out     begun with RUG_POINTS_RANGE_INIT; filled on RUG_OK, zeroed otherwise
 *  @param points  1..RUG_POINTS_MAX_AXES axes; no coordinate NaN or infinite
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_points_measure_range(rug_context *ctx, rug_points_range *out,
                                            const rug_points *points);

/** Makes a range that of its points and of others.
 *  @param range  changed on RUG_OK only
 *  @return RUG_OK, RUG_E_ARG (points of other axes, or numbers that are not a range) */
RUG_API rug_status rug_points_join_ranges(rug_context *ctx, rug_points_range *range,
                                          const rug_points_range *other);

/** Options of rug_points_parts_new(). */
typedef struct rug_points_parts_options {
    size_t struct_size;  /**< sizeof(rug_points_parts_options); set by the INIT macro */
    double spacing;      /**< as in rug_boxcount_points_options */
    uint64_t resolution; /**< as in rug_boxcount_points_options; needs the range */
    /** Of all points. Needed with a resolution, and for floats with neither spacing nor resolution:
     *  their lattice depends on all coordinates. With a resolution all points must lie in it.
     *  Borrowed for the call. NULL (default): not known. */
    const rug_points_range *range;
    /** The number of points in all parts. Points are numbered then: rug_points_parts_add() is told
     *  the number of a part's first one, a point that comes twice is refused, and so is a result
     *  before all have come. 0 (default): points have no numbers, and every part counts. */
    uint64_t n_points;
} rug_points_parts_options;

/** The defaults. */
#define RUG_POINTS_PARTS_OPTIONS_INIT                   \
    {                                                   \
        sizeof(rug_points_parts_options), 0, 0, NULL, 0 \
    }

/** The state of points in parts. Opaque, owned by the caller. It takes a few bytes for each
 *  lattice cell that points lie in, however many there are. */
typedef struct rug_points_parts rug_points_parts;

/** Begins a state.
 *  @param out    NULL on failure; free it with rug_points_parts_free(), before its context
 *  @param dtype  of all parts; not RUG_BIT
 *  @param ndim   of all parts, 1..RUG_POINTS_MAX_AXES
 *  @param opts   NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (also where the lattice depends on a range that is not given),
 *          RUG_E_NOMEM */
RUG_API rug_status rug_points_parts_new(rug_context *ctx, rug_points_parts **out,
                                        rug_dtype dtype, int ndim,
                                        const rug_points_parts_options *opts);

/** Frees a state. NULL is allowed. */
RUG_API void rug_points_parts_free(rug_points_parts *parts);

/** Adds a part. Takes 32 bytes for each of its points for the time of the call.
 *  @param part   borrowed for the call; it may have no points
 *  @param first  the number of its first point among all points, from 0; 0 where points have
 *                no numbers
 *  @return RUG_OK, RUG_E_ARG (also a point that is not finite, lies outside of the range, or was
 *          added before, and lattice cells whose places need more than 128 bits on all axes),
 *          RUG_E_NOMEM, RUG_E_CANCELLED. After a failure the state can only be freed */
RUG_API rug_status rug_points_parts_add(rug_context *ctx, rug_points_parts *parts,
                                        const rug_points *part, uint64_t first);

/** Adds all parts of another state, which is not changed.
 *  @param parts  of the same axes, dtype and options as `other`
 *  @return RUG_OK, RUG_E_ARG (also a point that both have), RUG_E_NOMEM, RUG_E_CANCELLED. After a
 *          failure `parts` can only be freed */
RUG_API rug_status rug_points_parts_merge(rug_context *ctx, rug_points_parts *parts,
                                          const rug_points_parts *other);

/** The state as bytes, for a file or another process: docs/states.md has their format. They are
 *  the same in whatever order parts were added and merged.
 *  @param out  NULL on failure; to be released with rug_context_release()
 *  @param n    the number of bytes; 0 on failure
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_points_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                                         const rug_points_parts *parts);

/** A state from its bytes, which may come from anywhere: all of them are checked, and memory is
 *  taken for what is there only. What is added and merged from then on, and all results, are as
 *  if it had never been saved.
 *  @param out    NULL on failure; free it with rug_points_parts_free(), before its context
 *  @param bytes  borrowed for the call
 *  @return RUG_OK, RUG_E_FORMAT (the bytes are not a state of points, damaged, or of another
 *          format), RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_points_parts_load(rug_context *ctx, rug_points_parts **out,
                                         const uint8_t *bytes, size_t n);

/** The box counts: the result of rug_boxcount_points() for all points, but for the times among its
 *  facts. Takes memory for their lattice cells, not for the points.
 *  @param out    NULL on failure; free it with rug_boxcount_free(), before its context. The
 *                state stays as it is
 *  @param opts   spacing and resolution are those of the state, or 0. NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (also when points are missing), RUG_E_NOMEM, RUG_E_DEVICE,
 *          RUG_E_CANCELLED */
RUG_API rug_status rug_points_parts_boxcount(rug_context *ctx, rug_boxcount_result **out,
                                             const rug_points_parts *parts,
                                             const rug_boxcount_points_options *opts);

/** The masses of boxes: the result of rug_masses_measure_points() for all points. Takes memory for
 *  their lattice cells, not for the points.
 *  @param out    NULL on failure; free it with rug_masses_free(), before its context. The state
 *                stays as it is
 *  @return RUG_OK, RUG_E_ARG (points are missing), RUG_E_NOMEM, RUG_E_DEVICE (a device was asked
 *          for by name), RUG_E_CANCELLED */
RUG_API rug_status rug_points_parts_masses(rug_context *ctx, rug_masses **out,
                                           const rug_points_parts *parts);

#ifdef __cplusplus
}
#endif

#endif
