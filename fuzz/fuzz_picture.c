/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: PNG and PNM files as luma, as planes and as a channel. What does not begin like one is
 * left alone, so that the other readers do not take the time. */

#include "fuzz_file.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    int is_png = n >= 8 && memcmp(data, "\x89PNG", 4) == 0;
    int is_pnm = n >= 2 && data[0] == 'P' && memchr("123456fF", data[1], 8) != NULL;
    if (!is_png && !is_pnm)
        return 0;
    fuzz_read(data, n, &opts);
    opts.planes = 1;
    fuzz_read(data, n, &opts);
    opts.planes = 0;
    opts.channel = 0;
    fuzz_read(data, n, &opts);
    return 0;
}
