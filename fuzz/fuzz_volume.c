/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: NRRD, MetaImage and MRC files. What does not begin like one is left alone, so
 * that the other readers do not take the time. */

#include "fuzz_file.h"
#include <string.h>

/* The words that texts begin with, the gzip magic, or a header as long as that of MRC. */
static int begins(const uint8_t *data, size_t n)
{
    static const char *const heads[] = {"NRRD000", "ObjectType", "NDims", "Comment",
                                        "\x1f\x8b"};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        if (n >= strlen(heads[i]) && memcmp(data, heads[i], strlen(heads[i])) == 0)
            return 1;
    return n >= 1024;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    if (!begins(data, n))
        return 0;
    uint32_t choice = fuzz_choice(data, n) / 3;
    opts.page = choice % 3 == 0 ? 1 : -1;
    opts.channel = choice / 3 % 3 == 0 ? 1 : choice / 3 % 3 == 1 ? 0 : -1;
    opts.volume = choice / 9 % 2 == 0;
    fuzz_read(data, n, &opts);
    return 0;
}
