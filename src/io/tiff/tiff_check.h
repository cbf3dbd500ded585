/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Refusing TIFF pages before any pixels are read. */

#ifndef RUGI_TIFF_CHECK_H
#define RUGI_TIFF_CHECK_H

#include "tiff_facts.h"

/** Fails when a page cannot be read: samples or a compression that are not supported, or more pixels
 *  than the file can hold.
 *  @param n_pages  how many pages like this one the file is to hold
 *  @return RUG_OK, RUG_E_FORMAT, RUG_E_UNSUPPORTED */
rug_status rugi_tiff_check_page(rug_context *ctx, const rug_file *file,
                                const rugi_tiff_page *page, size_t n_pages);

#endif
