/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Prefix sums and sorting, in both shapes of launch. */

#include "kernels.h"

#include "ocl/ocl_sort_support.h"
#include "sample_support.h"

/* Two tiles of a sort, three blocks of sums, two chunks. */
void run_kernels(rug_context *device)
{
    static uint64_t keys[32768];
    static uint32_t numbers[32769];
    uint64_t rng = 4;
    for (int s = 0; s < 2; s++) {
        size_t n = sort_shapes[s] == RUGI_OCL_SHAPE_WIDE ? 4100 : 32768;
        for (size_t key_bytes = 4; key_bytes <= 8; key_bytes += 4) {
            unsigned bits = key_bytes == 4 ? 7 : 16;
            size_t n_keys = key_bytes == 8 && n < 5000 ? n / 2 : n;
            rugi_ocl_sorter *sorter =
                new_sorter(device, n_keys, key_bytes, sort_shapes[s]);
            for (size_t i = 0; i < n_keys; i++)
                keys[i] = test_random(&rng) & sort_mask(bits);
            check_sorter(device, sorter, keys, n_keys, key_bytes, bits, "sort");
            rugi_ocl_sorter_free(sorter);
        }
        for (size_t i = 0; i <= n; i++)
            numbers[i] = (uint32_t)test_random(&rng);
        check_scan(device, numbers, n, sort_shapes[s]);
    }
}
