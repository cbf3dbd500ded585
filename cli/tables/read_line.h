/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The lines that tell people what was read. */

#ifndef TABLES_READ_LINE_H
#define TABLES_READ_LINE_H

#include "core/image/number.h"
#include <rugose/file.h>
#include <rugose/image.h>
#include <rugose/point_file.h>

/** A one-line summary of what was read, such as `read nuclei.tif: 1024x1344 u16, range
 *  12..4031, spacing 0.65x0.65 um, foreground 12.4 % (otsu 803)`
 *  @param facts  of the file, or what is known better
 *  @param name   of the file; NULL = its path
 *  @param range  of this image; NULL leaves it out
 *  @param extra  appended after a comma, such as the foreground; NULL leaves it out
 *  @return text to free with free(); NULL when memory ran out */
char *cli_file_read_line(const rug_file *file, const rug_file_facts *facts,
                         const char *name, const rug_image_range *range,
                         const char *extra);

/** Bytes of a text of values that hold no data, with its end. */
#define CLI_NODATA_MAX (2 * RUGI_REAL_TEXT_MAX + 2)

/** The value of pixels that hold no data, such as "-9999", or all of a range, "-2000..-1900". */
void cli_nodata_text(char text[CLI_NODATA_MAX], const rug_file_facts *f);

/** A one-line summary of what was read, such as `read coast.tsv: 3698 points in 2D f64,
 *  x -3.57743..1.0149, y 49.9588..58.6769, 1 comment line`
 *  @param name   of the file; NULL = its path
 *  @param extra  appended after a comma; NULL leaves it out
 *  @return text to free with free(); NULL when memory ran out */
char *cli_point_file_read_line(const rug_point_file *file, const char *name,
                               const char *extra);

#endif
