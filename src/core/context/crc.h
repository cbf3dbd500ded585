/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Checksums. */

#ifndef RUGI_CRC_H
#define RUGI_CRC_H

#include <stddef.h>
#include <stdint.h>

/** CRC-32 of ISO 3309, as in zlib and PNG. */
uint32_t rugi_crc(const uint8_t *bytes, size_t n);

#endif
