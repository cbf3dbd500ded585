/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What readers note of a file besides its pixels. */

#ifndef RUGI_FILE_NOTES_H
#define RUGI_FILE_NOTES_H

#include "reader.h"

/** Keeps a copy of a colour profile, where notes are wanted. One that is too large is left out, which
 *  a warning says.
 *  @param n  its bytes; of 0 nothing is kept
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_keep_profile(rug_context *ctx, rug_file *file, const void *bytes,
                             size_t n);

/** Warns of a profile that is left out. @param why  such as "damaged" */
void rugi_warn_of_profile(rug_context *ctx, const rug_file *file, const char *why);

/** Notes a resolution, which is no distance that anything is measured with.
 *  @param rows, columns  pixels in a unit; not above 0: not known
 *  @param unit           as in rug_file_notes, static text */
void rugi_note_resolution(rug_file *file, double rows, double columns, const char *unit);

/** Millimetres of a unit as rug_file_notes has it; 0: it is none. */
double rugi_mm_of(const char *unit);

#endif
