/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: NumPy arrays. What does not begin like one is left alone, so that the
 * other readers do not take the time. */

#include "fuzz_file.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n >= 6 && memcmp(data, "\x93NUMPY", 6) == 0)
        fuzz_read(data, n, NULL);
    return 0;
}
