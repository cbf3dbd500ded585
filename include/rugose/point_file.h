/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Points from files: text and NumPy arrays. Part of librugose-io.
 *
 *     char name[512];
 *     snprintf(name, sizeof name, "%s.csv", out_path);
 *     const char text[] = "x,y\n1.5,2\n3,4\n";
 *     rug_status status =
 *         rug_bytes_write(ctx, name, (const uint8_t *)text, sizeof text - 1);
 *     rug_point_file *file = NULL;
 *     if (status == RUG_OK)
 *         status = rug_point_file_read(ctx, &file, name);
 *     if (status != RUG_OK)
 *         return status;
 *     const rug_points *read = rug_point_file_points(file);
 *     const rug_point_facts *facts = rug_point_file_get_facts(file);
 *     printf("%d points in %dD, x %g..%g\n", (int)read->n, read->ndim, facts->min[0],
 *            facts->max[0]);
 *     rug_point_file_free(file);
 *     // prints: 2 points in 2D, x 1.5..3
 */

#ifndef RUGOSE_POINT_FILE_H
#define RUGOSE_POINT_FILE_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/points.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a file of points holds and how it was read. */
typedef struct rug_point_facts {
    const char *path;         /**< as it was given */
    const char *format;       /**< "text" or "npy"; static text */
    uint64_t n_lines;         /**< lines of a text, of any kind; 0 for npy */
    uint64_t n_comment_lines; /**< of them, comments; they were skipped */
    int has_header;           /**< 1: a line of names was skipped */
    int has_elements;         /**< 1: a molecule (XYZ); count, comment and symbols were
                                   skipped */
    char separator;           /**< of the fields: ',', ';', a tab, ' ' for any number of
                                   blanks; 0 when a point is one number, and for npy */
    /** Least and largest coordinate on each axis, as the nearest doubles; 0 behind the last
     *  axis. */
    double min[RUG_POINTS_MAX_AXES], max[RUG_POINTS_MAX_AXES];
    int all_whole; /**< 1: every coordinate is a whole number, of whatever dtype */
    /** Names of the columns that are coordinates, such as "x [nm], y [nm]", their numbers
     *  where they have none; NULL when all columns are, in their order. Control
     *  characters are replaced, and long lists end with "...". */
    const char *columns;
    const char *left_out; /**< likewise the other columns; NULL: none */
} rug_point_facts;

/** Which parts of a file are points. */
typedef struct rug_point_file_options {
    size_t struct_size; /**< sizeof(rug_point_file_options); set by the INIT macro */
    /** The columns of the coordinates, by name or number (from 1), separated by commas, such as
     *  "x,y" or "2,3"; a name may lack the unit that the header has. NULL (default): those that
     *  the header calls x, y, z, else all, if they are at most three. */
    const char *columns;
    uint64_t skip_rows; /**< first lines of a text that are passed over; default 0 */
} rug_point_file_options;

/** The defaults. */
#define RUG_POINT_FILE_OPTIONS_INIT          \
    {                                        \
        sizeof(rug_point_file_options), 0, 0 \
    }

/** A set of points in memory. Opaque, owned by the caller. */
typedef struct rug_point_file rug_point_file;

/** Reads points: a NumPy array of N rows, or of N numbers (any numeric type, order and byte
 *  order; half floats become f32), or text. The content decides between the two, not the
 *  name.
 *
 *  Text is ASCII or UTF-8, with or without a byte-order mark, in lines of at most 65535
 *  bytes that end in LF or CRLF. Each line is a point; its coordinates are finite decimal
 *  numbers (decimal point in any locale). All lines have the number of fields and the
 *  separator of the first one: a semicolon, a comma or a tab with blanks around it, or blanks
 *  alone. Blank lines, lines that begin with # and one header are skipped; a header is a
 *  first line of names, none of them nan, inf or the like. A molecule in the XYZ form is
 *  recognised by its first lines: a count N, a comment, then N lines of an element symbol
 *  and three numbers.
 *
 *  The columns that a header calls x, y, z (in any case, in quotes, with a unit in brackets;
 *  where there are none, also x_nm, Position X and the like) are the coordinates, the others are
 *  left out, and the facts name them; there has to be an x. The comment before the first point
 *  may be the header. Where no header says so, all columns are coordinates, with a warning when
 *  the first one numbers the points; more than three are refused, and need
 *  rug_point_file_open().
 *
 *  The points of a text are RUG_F64, each coordinate the double nearest to what is
 *  written; or RUG_I64, exact, when all of them are written as integers of 64 bits,
 *  without point or exponent. While it is being read a text takes twice the memory of its
 *  points.
 *  @param out   the points, at least one, all coordinates finite; NULL on failure
 *  @param path  UTF-8 or whatever bytes the file system uses
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT (the text names the
 *          line, what it holds and what was expected), RUG_E_UNSUPPORTED (npy of another
 *          shape or type), RUG_E_CANCELLED */
RUG_API rug_status rug_point_file_read(rug_context *ctx, rug_point_file **out,
                                       const char *path);

/** rug_point_file_read() with options. Fields of columns that are left out may be any text.
 *  @param opts  NULL: the defaults
 *  @return also RUG_E_ARG (columns that the file does not have, or one of them twice; more
 *          than 10; more rows to skip than there
 *          are; columns of a molecule, rows to skip of an npy array) */
RUG_API rug_status rug_point_file_open(rug_context *ctx, rug_point_file **out,
                                       const char *path,
                                       const rug_point_file_options *opts);

/** Frees points; before their context. NULL is allowed. */
RUG_API void rug_point_file_free(rug_point_file *file);

/** The points; valid as long as the file. */
RUG_API const rug_points *rug_point_file_points(const rug_point_file *file);

/** How they were read; valid as long as the file. */
RUG_API const rug_point_facts *rug_point_file_get_facts(const rug_point_file *file);

#ifdef __cplusplus
}
#endif

#endif
