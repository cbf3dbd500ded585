/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: TIFF files as a page, as planes, as a volume, as what they seem to be, with a channel or
 * a level, with alpha or without. What does not begin like one is left alone, so that the other readers do not take the time. */

#include "fuzz_file.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    if (n < 8 || (memcmp(data, "II", 2) != 0 && memcmp(data, "MM", 2) != 0))
        return 0;
    uint32_t choice = fuzz_choice(data, n) / 3;
    opts.volume = (int)(choice % 4 % 3); /* 0 twice as often */
    opts.channel = (int)(choice / 4 % 4) - 1;
    opts.level = choice / 16 % 4 == 0;
    opts.page = opts.volume != 1 ? (int)(choice / 64 % 4) - 1 : -1;
    opts.planes = choice / 256 % 4 == 0 && opts.channel < 0 && opts.volume != 1;
    opts.alpha = choice / 1024 % 2 == 0;
    opts.notes = 1;
    fuzz_read(data, n, &opts);
    return 0;
}
