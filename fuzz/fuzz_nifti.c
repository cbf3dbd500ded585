/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: NIfTI files, plain and gzipped. What does not begin like one is left
 * alone, so that the other readers do not take the time. */

#include "fuzz_file.h"
#include <string.h>

/* The size of the header in either byte order, or the gzip magic. */
static int begins(const uint8_t *data, size_t n)
{
    static const uint8_t heads[][4] = {
        {92, 1, 0, 0}, {0, 0, 1, 92}, {28, 2, 0, 0}, {0, 0, 2, 28}};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        if (n >= 4 && memcmp(data, heads[i], 4) == 0)
            return 1;
    return n >= 2 && data[0] == 0x1f && data[1] == 0x8b;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    if (!begins(data, n))
        return 0;
    uint32_t choice = fuzz_choice(data, n) / 3;
    opts.page = choice % 3 == 0 ? 1 : -1;
    opts.volume = choice / 3 % 2 == 0;
    fuzz_read(data, n, &opts);
    return 0;
}
