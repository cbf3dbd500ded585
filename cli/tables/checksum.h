/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* SHA-256 of files. */

#ifndef TABLES_CHECKSUM_H
#define TABLES_CHECKSUM_H

#include <rugose/context.h>

/** Bytes of a SHA-256 in hexadecimal with its end. */
#define CLI_SHA256_TEXT_MAX 65

/** The SHA-256 of the bytes of n files, one after the other, as 64 hexadecimal digits.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO, RUG_E_UNSUPPORTED (no OpenSSL), RUG_E_CANCELLED */
rug_status cli_file_sha256(rug_context *ctx, char out[CLI_SHA256_TEXT_MAX],
                           const char *const *paths, size_t n);

#endif
