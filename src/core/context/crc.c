/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#include "crc.h"

/* Tables for this many bytes at a time. */
#define LANES 8

/* Bytes that are worth tables. */
#define MANY 4096

/* Four bits at a time. */
static uint32_t go_on(uint32_t crc, const uint8_t *bytes, size_t n)
{
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                       0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                       0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return crc;
}

/* Table k has what a byte becomes that k more bytes follow. */
static void fill(uint32_t table[LANES][256])
{
    for (unsigned byte = 0; byte < 256; byte++)
        table[0][byte] = go_on(0, (const uint8_t[]){(uint8_t)byte}, 1);
    for (int k = 1; k < LANES; k++)
        for (unsigned byte = 0; byte < 256; byte++) {
            uint32_t last = table[k - 1][byte];
            table[k][byte] = last >> 8 ^ table[0][last & 255];
        }
}

uint32_t rugi_crc(const uint8_t *bytes, size_t n)
{
    uint32_t crc = UINT32_MAX, table[LANES][256];
    if (n >= MANY) {
        fill(table);
        for (; n >= LANES; bytes += LANES, n -= LANES) {
            uint32_t next = 0;
            for (unsigned i = 0; i < 4; i++)
                next ^= table[7 - i][(bytes[i] ^ crc >> 8 * i) & 255] ^
                        table[3 - i][bytes[4 + i]];
            crc = next;
        }
    }
    return ~go_on(crc, bytes, n);
}
