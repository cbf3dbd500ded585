/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The second library, librugose-io: images and points in; tables, JSON and plots out. It
 * depends on librugose, libvips, libtiff, zlib, nifti_clib, libcsv and json-c; plots are
 * drawn by the program gnuplot.
 *
 * Images:  rug_file_read() → rug_file_image() → any method → rug_file_free()
 * Images larger than memory:
 *          rug_file_open() → rug_file_source() → any method → rug_file_free()
 * Points:  rug_point_file_read() → rug_point_file_points() → … → rug_point_file_free()
 * Tables:  rug_record (one row) → rug_report (many rows) → rug_report_write()
 *
 * Pictures and maps are written by <rugose/picture.h> and <rugose/image_writer.h>, texture
 * models by <rugose/lbp_file.h>. Call this library from one thread at a time. */

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

/* ---- Reading ---- */

/** How a file is to be read. */
typedef struct rug_read_options {
    size_t struct_size; /**< sizeof(rug_read_options); set by the INIT macro */
    /** Page of a multi-page image, or volume of a 4D NIfTI file, from 0; -1 = the first
     *  (default). */
    int page;
    /** Nonzero: all pages of a TIFF file are the slices of one volume; not together with a
     *  page. Default 0. */
    int volume;
    /** Channel of a colour or multi-channel image, from 0; -1 = Rec. 601 luma of a colour
     *  image (default). */
    int channel;
    /** Resolution level of a pyramid, 0 = full (default). */
    int level;
    /** Nonzero: red, green and blue of a colour image are kept, as planes [3][ny][nx] for
     *  rug_file_plane(); other images are read as without it. Not together with a channel or
     *  a volume. Default 0. */
    int planes;
} rug_read_options;

/** The defaults. */
#define RUG_READ_OPTIONS_INIT                     \
    {                                             \
        sizeof(rug_read_options), -1, 0, -1, 0, 0 \
    }

/** What a file holds and how it was read. */
typedef struct rug_file_facts {
    const char *format; /**< "tiff", "png", "nifti", "npy" …; static text */
    int n_pages;        /**< pages that are not reduced copies; 1 for a single image */
    int page;           /**< the page that was read; -1 when all became a volume */
    int n_levels;       /**< resolution levels of a pyramid; 1 for none */
    int level;          /**< the level that was read */
    int n_channels;     /**< channels that are data; alpha is not counted */
    int channel; /**< the channel that was read, 0 if there is but one; -1 = luma of
                             three, or all three where n_planes is 3 */
    int equal_channels; /**< 1: all three colour channels were equal everywhere; known
                             once all pixels have been read, 0 before */
    int dropped_alpha;  /**< 1: an alpha channel was left out */
    int white_is_zero;  /**< 1: the file stores white as 0; values were inverted */
    double slope;       /**< values were multiplied by this; 1 = kept as stored */
    double intercept;   /**< then this was added; 0 = kept as stored */
    int n_planes;       /**< 3: red, green and blue were kept; else 1 */
} rug_file_facts;

/** An opened file. Opaque, owned by the caller. */
typedef struct rug_file rug_file;

/** Opens a file, to find out what it holds; its pixels are read later, by rug_file_load()
 *  or slab by slab through rug_file_source(). Refuses what rug_file_read() refuses, except
 *  for faults that show only while pixels are decoded. Arguments and errors are those of
 *  rug_file_read(). */
RUG_API rug_status rug_file_open(rug_context *ctx, rug_file **out, const char *path,
                                 const rug_read_options *opts);

/** Decodes all pixels of an opened file, so that rug_file_image() has data; does nothing if
 *  it has. The last slab of rug_file_source() is no longer valid.
 *  @param ctx  the context that opened the file
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT, RUG_E_CANCELLED; after
 *          a failure the file is open as before */
RUG_API rug_status rug_file_load(rug_context *ctx, rug_file *file);

/** Reads a file, as rug_file_open() and rug_file_load() do: PNG, JPEG, TIFF (also BigTIFF
 *  and OME-TIFF), PNM, whole slides and everything else that libvips reads; NIfTI-1 and -2
 *  (.nii, .nii.gz); NumPy .npy (2 or 3 axes, any order and byte order). The content decides,
 *  not the name. Values are kept as stored: 12 bits in 16 stay 0..4095, signed stay signed,
 *  float stay float; half floats become f32.
 *  @param out   the file; NULL on failure
 *  @param path  UTF-8 or whatever bytes the file system uses
 *  @param opts  NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (also an option that does not fit the file: a page, level or
 *          channel that it does not have, or a channel that has to be chosen), RUG_E_NOMEM,
 *          RUG_E_IO, RUG_E_FORMAT, RUG_E_UNSUPPORTED, RUG_E_CANCELLED; the error text
 *          names the file */
RUG_API rug_status rug_file_read(rug_context *ctx, rug_file **out, const char *path,
                                 const rug_read_options *opts);

/** Frees a file and its pixels; before its context. NULL is allowed. */
RUG_API void rug_file_free(rug_file *file);

/** The pixels; valid as long as the file. The view's data is NULL until the file is loaded;
 *  everything else is known once it is open. */
RUG_API const rug_image *rug_file_image(const rug_file *file);

/** One plane, [ny][nx], of a file whose colours were kept: 0 red, 1 green, 2 blue. Plane 0
 *  of any other file is its image. Valid as long as the file.
 *  @param plane  below n_planes of its facts */
RUG_API rug_image rug_file_plane(const rug_file *file, int plane);

/** How many bytes the decoded pixels take. */
RUG_API uint64_t rug_file_bytes(const rug_file *file);

/** The pixels slab by slab, for a file that is larger than memory; valid as long as the
 *  file, and read with the context that opened it. Each pass decodes the file again until it
 *  is loaded; from then on slabs are views of the pixels in memory. The first read loads a
 *  .npy file in Fortran order, whose slowest axis is its last, and colours that are kept. A
 *  failed read ends the pass: the next one begins at layer 0.
 *
 *  Memory in addition to the slab: about 1 MB for npy and NIfTI; two or three rows of tiles
 *  or strips for images, or the whole image where libvips cannot decode a part (interlaced
 *  PNG, HEIF). */
RUG_API const rug_source *rug_file_source(rug_file *file);

/** How it was read; valid as long as the file. */
RUG_API const rug_file_facts *rug_file_get_facts(const rug_file *file);

/** A one-line summary of what was read, such as `read nuclei.tif: 1024x1344 u16, range
 *  12..4031, spacing 0.65x0.65 um, foreground 12.4 % (otsu 803)`
 *  @param range  of this image; NULL leaves it out
 *  @param extra  appended after a comma, such as the foreground; NULL leaves it out
 *  @return text to free with free(); NULL when memory ran out */
RUG_API char *rug_file_read_line(const rug_file *file, const rug_image_range *range,
                                 const char *extra);

/** What a file of points holds and how it was read. */
typedef struct rug_point_facts {
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
} rug_point_facts;

/** A set of points in memory. Opaque, owned by the caller. */
typedef struct rug_point_file rug_point_file;

/** Whether a name's ending says that a file holds points: .csv, .tsv, .txt, .xyz, in any
 *  case. A .npy file may hold an image or points, and only its owner knows. Looks at no
 *  file; 0 for NULL. */
RUG_API int rug_path_is_points(const char *path);

/** Reads points: a NumPy array of N rows and 1..10 columns, or of N numbers (any numeric
 *  type, order and byte order; half floats become f32), or text. The content decides
 *  between the two, not the name.
 *
 *  Text is ASCII or UTF-8, with or without a byte-order mark, in lines of at most 65535
 *  bytes that end in LF or CRLF. Each line is a point of 1..10 finite decimal numbers
 *  (decimal point in any locale). All lines have the number of fields and the separator of
 *  the first one: a semicolon, a comma or a tab with blanks around it, or blanks alone.
 *  Blank lines, lines that begin with # and one header are skipped; a header is a first line
 *  of names, none of them nan, inf or the like. A molecule in the XYZ form is recognised by
 *  its first lines: a count N, a comment, then N lines of an element symbol and three
 *  numbers.
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

/** Frees points; before their context. NULL is allowed. */
RUG_API void rug_point_file_free(rug_point_file *file);

/** The points; valid as long as the file. */
RUG_API const rug_points *rug_point_file_points(const rug_point_file *file);

/** How they were read; valid as long as the file. */
RUG_API const rug_point_facts *rug_point_file_facts(const rug_point_file *file);

/** A one-line summary of what was read, such as `read coast.tsv: 3698 points in 2D f64,
 *  x -3.57743..1.0149, y 49.9588..58.6769, 1 comment line`
 *  @param extra  appended after a comma; NULL leaves it out
 *  @return text to free with free(); NULL when memory ran out */
RUG_API char *rug_point_file_read_line(const rug_point_file *file, const char *extra);

/** The formats that rug_file_read() and rug_point_file_read() know, one line of text
 *  each, ended by NULL. */
RUG_API const char *const *rug_file_formats(void);

/** Bytes of a SHA-256 in hexadecimal with its end. */
#define RUG_SHA256_TEXT_MAX 65

/** The SHA-256 of a file's bytes, as 64 hexadecimal digits.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_IO, RUG_E_CANCELLED */
RUG_API rug_status rug_file_sha256(rug_context *ctx, char out[RUG_SHA256_TEXT_MAX],
                                   const char *path);

/* ---- Lists ---- */

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

/* ---- Writing ---- */

/** Output forms. */
typedef enum rug_report_format {
    RUG_REPORT_TEXT = 0, /**< columns aligned for people */
    RUG_REPORT_CSV = 1,  /**< quoted as in RFC 4180, lines end in a line feed; an empty
                              text is "", a value that is undefined, missing or nested is
                              `nan` */
    RUG_REPORT_JSON = 2  /**< one document; undefined numbers are null */
} rug_report_format;

/** One row or one nested object: names with values, in the order in which they were set.
 *  Setting a name again replaces its value. Owned by the caller until it is added to
 *  something. Memory failures are remembered and reported when the report is written. A NULL
 *  record is ignored by every function here. */
typedef struct rug_record rug_record;

/** Makes an empty record; NULL when memory ran out. */
RUG_API rug_record *rug_record_new(void);

/** Frees a record. NULL is allowed. */
RUG_API void rug_record_free(rug_record *record);

/** Sets a text. A value of NULL is undefined: `nan` in tables, null in JSON. */
RUG_API void rug_record_set_text(rug_record *record, const char *name, const char *value);

/** Sets a whole number, unsigned or signed, or a truth value. */
RUG_API void rug_record_set_integer(rug_record *record, const char *name, uint64_t value);
RUG_API void rug_record_set_signed(rug_record *record, const char *name, int64_t value);
RUG_API void rug_record_set_bool(rug_record *record, const char *name, int value);

/** Sets a number. NaN and infinities become `nan` in tables and null in JSON. */
RUG_API void rug_record_set_real(rug_record *record, const char *name, double value);

/** Sets a list of n numbers, for JSON; in tables it is `nan`, like everything nested. */
RUG_API void rug_record_set_integers(rug_record *record, const char *name,
                                     const uint64_t *values, size_t n);
RUG_API void rug_record_set_reals(rug_record *record, const char *name,
                                  const double *values, size_t n);

/** Puts a child under a name; takes it over (also when it is NULL). */
RUG_API void rug_record_set_record(rug_record *record, const char *name,
                                   rug_record *child);

/** Appends a child to the list under a name; takes it over (also when it is NULL). */
RUG_API void rug_record_append(rug_record *record, const char *name, rug_record *child);

/** Rows with the same columns, and a head for JSON. Opaque, owned by the caller. */
typedef struct rug_report rug_report;

/** Makes an empty report.
 *  @param columns  names, in order, ended by NULL; copied. Text and CSV show only these,
 *                  JSON shows everything that the rows hold
 *  @return NULL when memory ran out */
RUG_API rug_report *rug_report_new(const char *const *columns);

/** Frees a report and its rows. NULL is allowed. */
RUG_API void rug_report_free(rug_report *report);

/** The head of the JSON document, to be filled by the caller; owned by the report. */
RUG_API rug_record *rug_report_head(rug_report *report);

/** Adds a row and takes it over (a NULL row marks the report as incomplete). A column that
 *  the row lacks is `nan`. */
RUG_API void rug_report_add(rug_report *report, rug_record *row);

/** The number of rows. */
RUG_API size_t rug_report_rows(const rug_report *report);

/** Writes a report.
 *  @param path  a file, written beside its final name and renamed when whole; NULL =
 *               stdout
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO */
RUG_API rug_status rug_report_write(rug_context *ctx, const rug_report *report,
                                    const char *path, rug_report_format format);

/** The form that belongs to a file's ending: .csv, .json, .txt (any case).
 *  @param out   the form; zeroed on failure
 *  @return RUG_OK, RUG_E_ARG (another ending) */
RUG_API rug_status rug_report_format_of(rug_context *ctx, rug_report_format *out,
                                        const char *path);

/** A file that appears under its name only when whole. Opaque. */
typedef struct rug_output rug_output;

/** Opens a temporary file beside `path`. Something that exists and is no regular file (a
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

/* ---- Plots ---- */

/** How a series is drawn. */
typedef enum rug_plot_style {
    RUG_PLOT_POINTS = 0,      /**< filled points */
    RUG_PLOT_OPEN_POINTS = 1, /**< hollow points: shown, but not used */
    RUG_PLOT_LINE = 2,
    RUG_PLOT_LINE_POINTS = 3
} rug_plot_style;

/** One series. Points with a NaN, an infinity or a magnitude above 1e250 are left out, as
 *  are those below 1e-250 on a logarithmic axis. */
typedef struct rug_plot_series {
    const char *title; /**< for the key; NULL = none */
    rug_plot_style style;
    size_t n;        /**< points */
    const double *x; /**< [n] */
    const double *y; /**< [n] */
} rug_plot_series;

/** One pair of axes; panels are drawn one below the other. */
typedef struct rug_plot_panel {
    const char *x_label;
    const char *y_label;
    int log_x; /**< nonzero: logarithmic */
    int log_y;
    size_t n_series;
    const rug_plot_series *series;
} rug_plot_panel;

/** Checks that a name has an ending that rug_plot_write() knows.
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
