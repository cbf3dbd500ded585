/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: meshes of all three formats, as surfaces and solids of a few voxels. What is none of
 * them is left alone, so that the other readers do not take the time. */

#include "fuzz_file.h"
#include <string.h>

/* Whether an input begins as a mesh, or is as long as one of STL. */
static int may_be_mesh(const uint8_t *data, size_t n)
{
    if (n >= 84 && (n - 84) % 50 == 0)
        return 1;
    return n >= 6 && (memcmp(data, "ply", 3) == 0 || memcmp(data, "solid", 5) == 0 ||
                      memchr("v#go", data[0], 4) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const uint64_t resolutions[] = {3, 8, 13, 32};
    uint32_t choice = fuzz_choice(data, n);
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.resolution = resolutions[choice / 8 % 4];
    opts.solid = choice / 32 % 2;
    if (may_be_mesh(data, n))
        fuzz_read(data, n, &opts);
    return 0;
}
