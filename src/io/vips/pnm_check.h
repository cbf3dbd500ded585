/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Whether a PNM file is whole. */

#ifndef RUGI_PNM_CHECK_H
#define RUGI_PNM_CHECK_H

#include "io/files/reader.h"

/** Checks the header of a PBM, PGM, PPM or PFM file, and that all its samples are there.
 *  @return RUG_OK, RUG_E_IO, RUG_E_FORMAT */
rug_status rugi_check_pnm(rug_context *ctx, const rug_file *file);

#endif
