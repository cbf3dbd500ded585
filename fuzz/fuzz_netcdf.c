/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: classic NetCDF, whose length is checked before GDAL reads it. What does not begin like one is
 * left alone. */

#include "fuzz_file.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n >= 4 && memcmp(data, "CDF", 3) == 0)
        fuzz_read(data, n, NULL);
    return 0;
}
