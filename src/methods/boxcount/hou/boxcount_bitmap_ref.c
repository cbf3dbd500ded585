/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The loop over the words of a bitmap in portable C. */

#include "boxcount_bitmap_tmpl.h"

void rugi_bitmap_count_ref(rugi_bitmap_words *words)
{
    rugi_bitmap_count(words);
}
