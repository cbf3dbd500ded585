/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: PNG and PNM files as luma, as planes, with alpha or without, or as a channel; and what goes with them. What does not begin like one is
 * left alone, so that the other readers do not take the time. Chunks of PNG get the lengths and
 * checksums that they should have. */

#include "fuzz_file.h"
#include <string.h>

static uint32_t long_at(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void put_long(uint8_t *at, size_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* A chunk is its length, four letters, its bytes and their checksum. */
static void mend(uint8_t *bytes, size_t n)
{
    enum { SIGNATURE = 8, AROUND = 12 };
    if (n < SIGNATURE || memcmp(bytes, "\x89PNG", 4) != 0)
        return;
    memcpy(bytes, "\x89PNG\r\n\x1a\n", SIGNATURE);
    for (size_t at = SIGNATURE, length; n - at >= AROUND; at += AROUND + length) {
        length = long_at(bytes + at);
        if (length > n - at - AROUND)
            put_long(bytes + at, length = n - at - AROUND);
        put_long(bytes + at + 8 + length, fuzz_crc(bytes + at + 4, length + 4));
    }
}

FUZZ_MENDED_BY(mend)

/* With its checksums as they are, and mended where that changes them. */
static void read_twice(const uint8_t *data, size_t n, const rug_read_options *opts)
{
    uint8_t *copy = malloc(n);
    if (copy == NULL)
        abort();
    memcpy(copy, data, n);
    fuzz_read(copy, n, opts);
    mend(copy, n);
    if (memcmp(copy, data, n) != 0)
        fuzz_read(copy, n, opts);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    int is_png = n >= 8 && memcmp(data, "\x89PNG", 4) == 0;
    int is_pnm = n >= 2 && data[0] == 'P' && memchr("123456fF", data[1], 8) != NULL;
    if (!is_png && !is_pnm)
        return 0;
    uint32_t choice = fuzz_choice(data, n) / 3;
    opts.planes = choice % 3 == 0;
    opts.alpha = choice % 2 == 0;
    opts.notes = 1;
    opts.channel = choice % 3 == 1 ? (int)(choice / 3 % 3) : -1;
    read_twice(data, n, &opts);
    return 0;
}
