/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a stream carries besides pixels: a block of chunks. FORMAT.md is its specification; where the
 * block stands, and its checksum, the container knows. */

#ifndef RUGI_IFS_NOTES_H
#define RUGI_IFS_NOTES_H

#include <rugose/ifs.h>

/** Checks what a caller tells. @return RUG_OK, RUG_E_ARG */
rug_status rugi_ifs_notes_check(rug_context *ctx, const rug_ifs_notes *notes);

/** The bytes of the block, at most RUG_IFS_PROFILE_MAX and 64; 0: nothing is known, and there is
 *  none.
 *  @param notes  checked; NULL: nothing */
size_t rugi_ifs_notes_size(const rug_ifs_notes *notes);

/** Writes the block. @param to  rugi_ifs_notes_size() bytes */
void rugi_ifs_notes_write(uint8_t *to, const rug_ifs_notes *notes);

/** Reads a block. Chunks that this version does not know are passed over.
 *  @param out  all but its size is set; its profile points into the bytes
 *  @param n    any number; of 0 nothing is known
 *  @return RUG_OK, RUG_E_FORMAT */
rug_status rugi_ifs_notes_read(rug_context *ctx, rug_ifs_notes *out, const uint8_t *bytes,
                               size_t n);

#endif
