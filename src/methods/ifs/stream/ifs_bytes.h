/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Numbers in a stream, the lowest byte first, and how streams begin. */

#ifndef RUGI_IFS_BYTES_H
#define RUGI_IFS_BYTES_H

#include <stdint.h>

/** The bytes that all streams begin with; the next one is the version. */
#define RUGI_IFS_MAGIC_BYTES 4
static const uint8_t rugi_ifs_magic[RUGI_IFS_MAGIC_BYTES] = {0x8a, 'R', 'F', 'I'};

/** @param n  bytes, 0..8 */
static inline void rugi_ifs_put_bytes(uint8_t *at, uint64_t value, int n)
{
    for (int i = 0; i < n; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}
static inline uint64_t rugi_ifs_get_bytes(const uint8_t *at, int n)
{
    uint64_t value = 0;
    for (int i = 0; i < n; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}
/** Of at most 4 bytes. */
static inline uint32_t rugi_ifs_get_word(const uint8_t *at, int n)
{
    return (uint32_t)rugi_ifs_get_bytes(at, n);
}

#endif
