/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The second library, librugose-io: images and points in; tables, JSON and plots out. It
 * depends on librugose, libvips, libtiff, zlib, nifti_clib, libcsv and json-c; plots are
 * drawn by the program gnuplot.
 *
 * Reading:  rug_file_read() → rug_file_image() → any method → rug_file_free()
 *           rug_point_file_read() → rug_point_file_points() → … → rug_point_file_free()
 *           rug_file_open() → rug_file_source() → any method → rug_file_free(), when the
 *           pixels take more memory than there is
 * Writing:  rug_record (one row) → rug_report (many rows) → rug_report_write()
 *
 * Call everything here from one thread at a time. */

#ifndef RUGOSE_IO_H
#define RUGOSE_IO_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/foreground.h>
#include <rugose/image.h>
#include <rugose/number.h>
#include <rugose/points.h>
#include <rugose/source.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Reading
 * ---------------------------------------------------------------------------- */

/** How a file is to be read. */
typedef struct rug_read_options {
    size_t struct_size; /**< sizeof(rug_read_options); set by the INIT macro */
    int page;    /**< page of a multi-page image, volume of a 4D NIfTI file, from 0;
                      -1 = the first (default) */
    int volume;  /**< nonzero: the pages of a TIFF file are the slices of a volume; takes
                    all  of them, so that a page cannot be asked as well */
    int channel; /**< channel of a colour or multi-channel image, from 0; -1 = Rec. 601
                    luma of a colour image (default) */
    int level;   /**< resolution level of a pyramid, 0 = full (default) */
    int planes;  /**< nonzero: red, green and blue of a colour image are kept, as planes
                    [3][ny][nx] for rug_file_plane(); whatever else there is, is read as
                    without it. Not with a channel or a volume. 0 = default */
} rug_read_options;

/** The defaults. */
#define RUG_READ_OPTIONS_INIT                     \
    {                                             \
        sizeof(rug_read_options), -1, 0, -1, 0, 0 \
    }

/** What a file holds and how it was read. */
typedef struct rug_file_facts {
    const char *format; /**< "tiff", "png", "nifti", "npy" …; static text */
    int n_pages;    /**< pages of the file that are not reduced copies; 1 for one image */
    int page;       /**< the page that was read; -1 when all became a volume */
    int n_levels;   /**< resolution levels of a pyramid; 1 for none */
    int level;      /**< the level that was read */
    int n_channels; /**< channels that are data; alpha is not counted */
    int channel;    /**< the channel that was read, 0 of one; -1 = luma of three, or
                         all three where n_planes is 3 */
    int equal_channels; /**< 1: all three colour channels were equal everywhere; known
                             once all pixels have been read, 0 before */
    int dropped_alpha;  /**< 1: an alpha channel was left out */
    int white_is_zero;  /**< 1: the file stores white as 0; values were inverted */
    double slope;       /**< values were multiplied by this; 1 = kept as stored */
    double intercept;   /**< and this was added; 0 = kept as stored */
    int n_planes;       /**< 3: red, green and blue were kept; else 1 */
} rug_file_facts;

/** An opened file. Opaque, owned by the caller. */
typedef struct rug_file rug_file;

/** Opens a file, to find out what it holds; its pixels are read later, by rug_file_load()
 *  or slab by slab through rug_file_source(). Refuses what rug_file_read() refuses, but
 *  for what is seen only while pixels are decoded. Arguments and errors are those of
 *  rug_file_read(). */
RUG_API rug_status rug_file_open(rug_context *ctx, rug_file **out, const char *path,
                                 const rug_read_options *opts);

/** Decodes all pixels of an opened file, so that rug_file_image() has data; does nothing
 *  when they are there. What rug_file_source() showed last is no longer valid.
 *  @param ctx  the context that opened the file
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT, RUG_E_CANCELLED; after
 *          a failure the file is opened as before */
RUG_API rug_status rug_file_load(rug_context *ctx, rug_file *file);

/** Reads a file, as rug_file_open() and rug_file_load() do: PNG, JPEG, TIFF (also BigTIFF, OME-TIFF), PNM, whole slides and all else
 *  that libvips reads; NIfTI-1 and -2 (.nii, .nii.gz); NumPy .npy (2 or 3 axes, any order
 *  and byte order). The content decides, not the name. Values are kept as stored: 12 bits
 *  in 16 stay 0..4095, signed stay signed, float stay float; half floats become f32.
 *  @param out   the file; NULL on failure
 *  @param path  UTF-8 or whatever bytes the file system uses
 *  @param opts  NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (also an option that does not fit the file: a page, level or
 *          channel that it does not have, a channel that must be chosen), RUG_E_NOMEM,
 *          RUG_E_IO, RUG_E_FORMAT, RUG_E_UNSUPPORTED, RUG_E_CANCELLED; the error text
 *          names the file */
RUG_API rug_status rug_file_read(rug_context *ctx, rug_file **out, const char *path,
                                 const rug_read_options *opts);

/** Frees a file and its pixels; before its context. NULL is allowed. */
RUG_API void rug_file_free(rug_file *file);

/** The pixels; valid as long as the file. Its data is NULL until the file is loaded; all
 *  else is known when it is opened. */
RUG_API const rug_image *rug_file_image(const rug_file *file);

/** One plane, [ny][nx], of a file whose colours were kept: 0 red, 1 green, 2 blue. Of any
 *  other file plane 0 is its image. Valid as long as the file.
 *  @param plane  below n_planes of its facts */
RUG_API rug_image rug_file_plane(const rug_file *file, int plane);

/** How many bytes the decoded pixels take. */
RUG_API uint64_t rug_file_bytes(const rug_file *file);

/** The pixels slab by slab, for a file that is larger than memory; valid as long as the
 *  file, to be read with the context that opened it. Each pass decodes the file again,
 *  until it is loaded: from then on slabs are views of the pixels in memory. A .npy file in
 *  Fortran order, whose slowest axis is its last, and colours that are kept are loaded by
 *  the first read. A failed
 *  read ends the pass: the next one begins at layer 0.
 *
 *  Memory beside the slab: about 1 MB for npy and NIfTI; for images two or three rows of
 *  tiles or strips. What libvips cannot decode in part (interlaced PNG, HEIF) takes the
 *  whole. */
RUG_API const rug_source *rug_file_source(rug_file *file);

/** How it was read; valid as long as the file. */
RUG_API const rug_file_facts *rug_file_get_facts(const rug_file *file);

/** The one-line summary of what was read, such as `read cell.tif: 1024x1344 u16, range
 *  12..4031, spacing 0.65x0.65 um, foreground 12.4 % (otsu 803)`
 *  @param range  of this image; NULL leaves it out
 *  @param extra  appended after a comma, such as the foreground; NULL leaves it out
 *  @return text to free with free(); NULL when memory is out */
RUG_API char *rug_file_read_line(const rug_file *file, const rug_image_range *range,
                                 const char *extra);

/** What a file of points holds and how it was read. */
typedef struct rug_point_facts {
    const char *format;       /**< "text" or "npy"; static text */
    uint64_t n_lines;         /**< lines of a text, of any kind; 0 for npy */
    uint64_t n_comment_lines; /**< of them, comments; they were skipped */
    int has_header;           /**< 1: a line of names was skipped */
    int has_elements; /**< 1: a molecule (XYZ); count, comment and symbols were skipped */
    char separator;   /**< of the fields: ',', ';', a tab, ' ' for any number of blanks;
                         0 when a point is one number, and for npy */
    double min[RUG_POINTS_MAX_AXES]; /**< least coordinate of each axis, to the nearest
                                        double; 0 behind the last axis */
    double max[RUG_POINTS_MAX_AXES]; /**< largest, likewise */
    int all_whole; /**< 1: every coordinate is a whole number, of whatever dtype */
} rug_point_facts;

/** A set of points in memory. Opaque, owned by the caller. */
typedef struct rug_point_file rug_point_file;

/** Whether a name's ending says that a file holds points: .csv, .tsv, .txt, .xyz, in any
 *  case. A .npy file may hold an image or points, and only its owner knows. Looks at no
 *  file; NULL is no such name. */
RUG_API int rug_path_is_points(const char *path);

/** Reads points: a NumPy array of N rows and 1..10 columns, or of N numbers (any numeric
 *  type, order and byte order; half floats become f32), or text. The content decides
 *  between the two, not the name.
 *
 *  Text is ASCII or UTF-8, a mark before it allowed, with lines of at most 65535 bytes
 *  that end in LF or CRLF. Each line is a point of 1..10 finite decimal numbers (decimal
 *  point in any locale), all of them with the same number of fields and the separator of
 *  the first one: a semicolon, a comma or a tab with blanks around it, or blanks alone.
 *  Skipped are blank lines, lines that begin with #, and one header: a first line of
 *  names, none of them nan, inf or the like. A molecule in the XYZ form is told by its
 *  first lines: a count N, a comment, then N lines of an element symbol and three
 *  numbers.
 *
 *  The points of a text are RUG_F64, each coordinate the double nearest to what is
 *  written; or RUG_I64, exact, when every one is written as an integer of 64 bits,
 *  without point or exponent. While it is read a text takes twice the memory of its
 *  points.
 *  @param out   the points, at least one, all coordinates finite; NULL on failure
 *  @param path  UTF-8 or whatever bytes the file system uses
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT (the text names the
 *          line, what it holds and what was expected), RUG_E_UNSUPPORTED (npy of another
 *          shape or type), RUG_E_CANCELLED */
RUG_API rug_status rug_point_file_read(rug_context *ctx, rug_point_file **out,
                                       const char *path);

/** Frees points; before their context. NULL is allowed. */
RUG_API void rug_point_file_free(rug_point_file *file);

/** The points; valid as long as the file. */
RUG_API const rug_points *rug_point_file_points(const rug_point_file *file);

/** How they were read; valid as long as the file. */
RUG_API const rug_point_facts *rug_point_file_facts(const rug_point_file *file);

/** The one-line summary of what was read, such as `read coast.tsv: 3698 points in 2D f64,
 *  x -3.57743..1.0149, y 49.9588..58.6769, 1 comment line`
 *  @param extra  appended after a comma; NULL leaves it out
 *  @return text to free with free(); NULL when memory is out */
RUG_API char *rug_point_file_read_line(const rug_point_file *file, const char *extra);

/** The formats that rug_file_read() and rug_point_file_read() know, one line of text
 *  each, ended by a NULL entry. */
RUG_API const char *const *rug_file_formats(void);

/** Bytes of a SHA-256 in hexadecimal with its end. */
#define RUG_SHA256_TEXT_MAX 65

/** The SHA-256 of a file's bytes, as 64 hexadecimal digits.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_IO, RUG_E_CANCELLED */
RUG_API rug_status rug_file_sha256(rug_context *ctx, char out[RUG_SHA256_TEXT_MAX],
                                   const char *path);

/* ---- Lists
 * ------------------------------------------------------------------------------ */

/** One row of a list of images. Absent columns and empty fields are NULL. */
typedef struct rug_list_row {
    char *image; /**< path, relative ones joined to the list's folder; never NULL */
    char *mask;  /**< likewise */
    char *class_name;
} rug_list_row;

/** A list of images. Opaque, owned by the caller. */
typedef struct rug_list rug_list;

/** Reads a CSV file with the columns image[,mask][,class].
 *  @param out  the list; NULL on failure
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT (no column `image`, an
 *          unknown column, a row of another length, no rows); the text names the line */
RUG_API rug_status rug_list_read(rug_context *ctx, rug_list **out, const char *path);

/** Frees a list. NULL is allowed. */
RUG_API void rug_list_free(rug_list *list);

/** The number of rows. */
RUG_API size_t rug_list_rows(const rug_list *list);

/** Row i < rug_list_rows(); valid as long as the list. */
RUG_API const rug_list_row *rug_list_row_at(const rug_list *list, size_t i);

/* ---- Writing
 * ---------------------------------------------------------------------------- */

/** Output forms. */
typedef enum rug_report_format {
    RUG_REPORT_TEXT = 0, /**< columns aligned for people */
    RUG_REPORT_CSV = 1,  /**< quoted as RFC 4180 says, lines end in a line feed; an empty
                            text is "",  what is undefined, missing or nested is `nan` */
    RUG_REPORT_JSON = 2  /**< one document; undefined numbers are null */
} rug_report_format;

/** One row or one nested object: names with values, in the order they were set. Setting a
 *  name again replaces its value. Owned by the caller until it is added to something.
 *  Memory failures are kept inside and reported when the report is written. */
typedef struct rug_record rug_record;

RUG_API rug_record *rug_record_new(void);         /**< NULL when memory is out */
RUG_API void rug_record_free(rug_record *record); /**< NULL is allowed */
/* A NULL record is ignored by all of these. */
/** NULL is undefined: `nan`, null. */
RUG_API void rug_record_set_text(rug_record *record, const char *name, const char *value);
RUG_API void rug_record_set_integer(rug_record *record, const char *name, uint64_t value);
RUG_API void rug_record_set_signed(rug_record *record, const char *name, int64_t value);
RUG_API void rug_record_set_bool(rug_record *record, const char *name, int value);
/** NaN and infinities become `nan` in tables and null in JSON. */
RUG_API void rug_record_set_real(rug_record *record, const char *name, double value);
/** Lists of n numbers, for JSON; in tables they are `nan`, as all that is nested. */
RUG_API void rug_record_set_integers(rug_record *record, const char *name,
                                     const uint64_t *values, size_t n);
RUG_API void rug_record_set_reals(rug_record *record, const char *name,
                                  const double *values, size_t n);
/** Puts a child under a name; takes it over (also when it is NULL). */
RUG_API void rug_record_set_record(rug_record *record, const char *name,
                                   rug_record *child);
/** Appends a child to the list under a name; takes it over (also when it is NULL). */
RUG_API void rug_record_append(rug_record *record, const char *name, rug_record *child);

/** Rows with the same columns, and a head for JSON. */
typedef struct rug_report rug_report;

/** Makes an empty report.
 *  @param columns  names, in order, ended by NULL; copied. Text and CSV show these only,
 *                  JSON shows everything that the rows hold
 *  @return NULL when memory is out */
RUG_API rug_report *rug_report_new(const char *const *columns);

/** Frees a report and its rows. NULL is allowed. */
RUG_API void rug_report_free(rug_report *report);

/** The head of the JSON document, to be filled by the caller; owned by the report. */
RUG_API rug_record *rug_report_head(rug_report *report);

/** Adds a row; takes it over (also when it is NULL). A column that it lacks is `nan`. */
RUG_API void rug_report_add(rug_report *report, rug_record *row);

/** The number of rows. */
RUG_API size_t rug_report_rows(const rug_report *report);

/** Writes a report.
 *  @param path  a file, written beside its final name and renamed when whole; NULL =
 *               stdout
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO */
RUG_API rug_status rug_report_write(rug_context *ctx, const rug_report *report,
                                    const char *path, rug_report_format format);

/** The form that a file's ending asks for: .csv, .json, .txt (any case).
 *  @param out   the form; zeroed on failure
 *  @return RUG_OK, RUG_E_ARG (another ending) */
RUG_API rug_status rug_report_format_of(rug_context *ctx, rug_report_format *out,
                                        const char *path);

/** A file that appears under its name only when whole. Opaque. */
typedef struct rug_output rug_output;

/** Opens a temporary file beside `path`. A path that is there and is no regular file (a
 *  pipe, a device) is written directly.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO; *out is NULL on failure */
RUG_API rug_status rug_output_open(rug_context *ctx, rug_output **out, const char *path);

/** Where to write; owned by the output. */
RUG_API FILE *rug_output_stream(rug_output *output);

/** Gives the file its name and frees the output. On failure the temporary file is
 *  removed.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO (also when an earlier write failed) */
RUG_API rug_status rug_output_commit(rug_context *ctx, rug_output *output);

/** Removes the temporary file and frees the output. NULL is allowed. */
RUG_API void rug_output_discard(rug_output *output);

/* ---- Plots
 * ------------------------------------------------------------------------------ */

/** How a series is drawn. */
typedef enum rug_plot_style {
    RUG_PLOT_POINTS = 0,      /**< filled points */
    RUG_PLOT_OPEN_POINTS = 1, /**< hollow points: shown, but not used */
    RUG_PLOT_LINE = 2,
    RUG_PLOT_LINE_POINTS = 3
} rug_plot_style;

/** One series. Points with a NaN, an infinity or a magnitude above 1e250 are left out,
 *  and on a logarithmic axis those below 1e-250. */
typedef struct rug_plot_series {
    const char *title; /**< for the key; NULL = none */
    rug_plot_style style;
    size_t n;
    const double *x;
    const double *y;
} rug_plot_series;

/** One pair of axes; panels stand below each other. */
typedef struct rug_plot_panel {
    const char *x_label;
    const char *y_label;
    int log_x; /**< nonzero: logarithmic */
    int log_y;
    size_t n_series;
    const rug_plot_series *series;
} rug_plot_panel;

/** Checks that a name's ending is one that rug_plot_write() knows.
 *  @return RUG_OK, RUG_E_ARG */
RUG_API rug_status rug_plot_check_name(rug_context *ctx, const char *path);

/** Draws a plot with gnuplot.
 *  @param path   .svg or .png; .gp keeps the gnuplot script instead (and needs no
 *                gnuplot)
 *  @param title  above the first panel; borrowed, like all else
 *  @return RUG_OK, RUG_E_ARG (ending), RUG_E_NOMEM, RUG_E_IO (gnuplot is missing or
 *          failed) */
RUG_API rug_status rug_plot_write(rug_context *ctx, const char *path, const char *title,
                                  size_t n_panels, const rug_plot_panel *panels);

#ifdef __cplusplus
}
#endif

#endif
