/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The pixels of one row of a plane, written or read. */

#ifndef RUGI_IFS_EXACT_ROW_H
#define RUGI_IFS_EXACT_ROW_H

#include "ifs_exact_plane.h"

/** Codes plane->row[0], whose values are 0..max; read ones are, whatever the bytes. */
void rugi_ifs_exact_row_code(rugi_ifs_exact_plane *plane, rugi_ifs_coder *coder);

#endif
