/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Words and numbers in the texts of files, read the same in every locale. */

#ifndef RUGI_TEXT_H
#define RUGI_TEXT_H

#include <stddef.h>

/** What stands between words. */
#define RUGI_BLANKS " \t\n\f\r"

/** Whether n bytes are the same but for the case of the letters A to Z. Both have that many, or end
 *  before in a 0. */
int rugi_same_letters(const char *a, const char *b, size_t n);

/** The finite decimal number that a text begins with, behind blanks; 0 when there is none. */
double rugi_leading_real(const char *text);

#endif
