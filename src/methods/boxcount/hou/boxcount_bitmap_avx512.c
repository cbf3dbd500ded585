/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The loop over the words of a bitmap, compiled for AVX-512, which counts the ones of words
 * side by side. */

#include "boxcount_bitmap_tmpl.h"

void rugi_bitmap_count_avx512(rugi_bitmap_words *words)
{
    rugi_bitmap_count(words);
}
