/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The loop over the words of a bitmap, compiled for AVX2. */

#include "boxcount_bitmap_tmpl.h"

void rugi_bitmap_count_avx2(rugi_bitmap_words *words)
{
    rugi_bitmap_count(words);
}
