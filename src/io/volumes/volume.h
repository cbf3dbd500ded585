/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the headers of volumes become: axes, the type of the values, where the volume lies in
 * space and which files hold its values. */

#ifndef RUGI_VOLUME_H
#define RUGI_VOLUME_H

#include "header_lines.h"
#include "io/arrays/pixel_stream.h"
#include "io/base/bands.h"

/** Axes of a file. */
#define RUGI_VOLUME_AXES 16

/** What an axis is. */
typedef enum rugi_axis_kind {
    RUGI_AXIS_SPACE,
    RUGI_AXIS_CHANNELS, /**< values of one pixel */
    RUGI_AXIS_PAGES /**< times, or others of a list: pages when it is the slowest axis */
} rugi_axis_kind;

typedef struct rugi_volume_axis {
    uint64_t size; /**< at least 1 */
    rugi_axis_kind kind;
    double spacing; /**< 0 = not known */
    double step
        [3]; /**< from one pixel to the next in x, y, z, of a volume that is located */
} rugi_volume_axis;

/** The files that hold the values, one behind the other in the order of the file's axes. In each
 *  of them come, in this order, what is skipped as it is stored, lines that are skipped, the
 *  packed values, and in these what is skipped. */
typedef struct rugi_volume_files {
    char *names; /**< one text behind the other, each with its end; owned */
    size_t *at;  /**< where they begin; owned. NULL where there are none */
    size_t n;    /**< of files that were added */
    size_t room; /**< bytes of names, */
    size_t used; /**< and those that are taken */
    rugi_packing packing;
    int is_text;       /**< numbers in decimals, not packed */
    uint64_t n_before; /**< bytes */
    uint64_t n_lines;
    uint64_t n_unpacked; /**< bytes */
    int are_others;      /**< they are not the volume's own file */
    int from_end; /**< plain: the values end n_unpacked bytes before the file does */
} rugi_volume_files;

/** A header that was read. */
typedef struct rugi_volume {
    rugi_volume_axis axis[RUGI_VOLUME_AXES]; /**< fastest first */
    int n_axes;
    int is_colour; /**< channels are red, green and blue, */
    int n_alpha;   /**< 1: and alpha */
    rugi_pixel_coding coding;
    const char *unit;        /**< of the spacing; NULL = not said */
    const char *located_by;  /**< as in rug_file_facts; NULL: it does not say */
    const char *affine_unit; /**< likewise */
    double origin[3];        /**< the centre of the first pixel */
    rugi_volume_files files;
} rugi_volume;

/** Takes what a header says of the files of values: the name of one; or a name with one number, its
 *  first and last values and its step, such as "slice%03d.raw 1 20 1"; or "LIST", and names on the
 *  lines that follow. A number behind these, of axes that a file has, is not used: it follows from
 *  their number. Names are relative to the header's folder.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT, RUG_E_UNSUPPORTED (too many files) */
rug_status rugi_volume_name_files(rug_context *ctx, rugi_volume_files *files,
                                  rugi_lines *lines, const char *value);

/** Releases what a volume owns. */
void rugi_volume_free(rug_context *ctx, rugi_volume *volume);

/** Fills an opened file from a header: checks what is asked, and that all files of values are
 *  there and long enough.
 *  @return as rugi_reader.open */
rug_status rugi_volume_open(rug_context *ctx, rug_file *file,
                            const rug_read_options *opts, rugi_volume *volume);

/** Which of the stored values become pixels. */
typedef struct rugi_volume_part {
    uint64_t n_stored; /**< in all files */
    uint64_t first;    /**< before the page that is read */
    uint64_t block;    /**< values of one channel that follow each other */
    rugi_bands bands;  /**< of a pixel */
} rugi_volume_part;

/** Makes the slabs of a file whose view is set come from the files of a volume, which it takes
 *  over, after it has seen that all are there and long enough.
 *  @param part  its values are divided among the files
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT */
rug_status rugi_volume_stream(rug_context *ctx, rug_file *file, rugi_volume *volume,
                              const rugi_volume_part *part);

#endif
