/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What goes with a picture besides its pixels, as text. */

#ifndef CLI_NOTES_TEXT_H
#define CLI_NOTES_TEXT_H

#include "tables/report.h"
#include <rugose/file.h>
#include <rugose/ifs.h>

/** Says what there is, for lines about files: "orientation 6 (kept), profile 'sRGB' of 3144 bytes, 300
 *  dpi"; "" where there is nothing.
 *  @param keeps    the orientation is "(kept)"
 *  @param spacing  whether the distance of pixels is among it */
#define CLI_NOTES_TEXT_MAX 240
void cli_notes_text(char text[CLI_NOTES_TEXT_MAX], const rug_ifs_notes *notes, int keeps,
                    int spacing);

/** The columns of a table of it, and their values but for `image`, `format` and `shape`. */
extern const char *const cli_notes_columns[];
void cli_set_notes(cli_record *row, const rug_ifs_notes *notes, rug_alpha alpha);

#endif
