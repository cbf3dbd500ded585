/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Asks rugose-dicom, which is started when it is needed and waits for the next file. */

#ifndef RUGI_DICOM_CLIENT_H
#define RUGI_DICOM_CLIENT_H

#include "dicom_protocol.h"
#include <rugose/context.h>

/** Asks about a file. Any thread may call it; a program that has ended over the file is started anew
 *  for the next one.
 *  @param what   RUGI_DICOM_HEAD, FRAMES, PIXELS
 *  @param to     n times size bytes
 *  @param share  of the caller's work that is done, for progress meanwhile
 *  @return RUG_OK, RUG_E_UNSUPPORTED (there is no such program, or it does not know the coding of the
 *          pixels), RUG_E_FORMAT, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_dicom_ask(rug_context *ctx, uint32_t what, const char *path, void *to,
                          uint64_t n, size_t size, double share);

#endif
