/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: TIFF files as a page, as a volume, and a page with a level. What does not
 * begin like one is left alone, so that the other readers do not take the time. */

#include "fuzz_file.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    if (n < 8 || (memcmp(data, "II", 2) != 0 && memcmp(data, "MM", 2) != 0))
        return 0;
    fuzz_read(data, n, &opts);
    opts.volume = 1;
    fuzz_read(data, n, &opts);
    opts.channel = 0;
    fuzz_read(data, n, &opts);
    opts.volume = 0;
    opts.page = opts.level = 1;
    fuzz_read(data, n, &opts);
    return 0;
}
