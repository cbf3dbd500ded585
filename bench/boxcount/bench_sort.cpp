/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* std::sort, to be called from C. */

#include <algorithm>
#include <cstddef>
#include <cstdint>

extern "C" void bench_std_sort(std::uint64_t *keys, std::size_t n)
{
    std::sort(keys, keys + n);
}
