/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Text from outside (file names above all) made safe for what is written: any bytes go
 * in, valid UTF-8 comes out. */

#ifndef RUGOSE_UTF8_H
#define RUGOSE_UTF8_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Stands for bytes that are no UTF-8. */
#define RUGI_UTF8_REPLACEMENT 0xFFFDu

/** Reads one character.
 *  @param code  its code point; RUGI_UTF8_REPLACEMENT for a byte that is no UTF-8
 *  @param text  terminated, not empty
 *  @return how many bytes it takes, 1..4 */
size_t rugi_utf8_next(uint32_t *code, const char *text);

/** Writes one code point. */
void rugi_utf8_put(FILE *stream, uint32_t code);

/** Whether a code point is a control character, which could move a terminal's cursor. */
int rugi_utf8_is_control(uint32_t code);

/** Writes a text for people: printable characters as they are, what would move the cursor, end
 *  the line or turn the direction of writing as \n, \t, \r, \x1b or \u009b, and bytes that are no
 *  UTF-8 as \xff. A backslash is not doubled.
 *  @param stream  NULL: the text is only measured
 *  @return how many characters it takes */
size_t rugi_utf8_show(FILE *stream, const char *text);

#endif
