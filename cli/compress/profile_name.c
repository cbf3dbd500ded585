/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The description of a colour profile (ICC.1:2022, 9.2.41): a table of tags behind the header leads to
 * 'desc', a text of ASCII in profiles of version 2, of UTF-16 in several languages in those of
 * version 4. Nothing is believed: what lies outside of the profile is no name. */

#include "profile_name.h"
#include <string.h>

#define HEADER_BYTES 128
#define TAG_BYTES    12
#define TAGS_MAX     100

/* Of 'desc' and 'mluc': where the text or the first record begins, and the length of that. */
#define ASCII_BEGIN   12
#define RECORD_BEGIN  16
#define RECORD_BYTES  12
#define LENGTH_OF_REC 4
#define OFFSET_OF_REC 8

static uint32_t get(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* @param step  bytes of a letter, whose last one is taken where the others are 0 */
static void take(char name[CLI_PROFILE_NAME_MAX], const uint8_t *text, size_t n,
                 size_t step)
{
    size_t k = 0;
    for (size_t i = 0; i + step <= n && k + 1 < CLI_PROFILE_NAME_MAX; i += step) {
        uint8_t letter = text[i + step - 1];
        int is_plain = (step == 1 || text[i] == 0) && letter > 31 && letter < 127;
        if (letter == 0 && (step == 1 || text[i] == 0))
            break;
        name[k++] = (char)(is_plain ? letter : '?');
    }
    name[k] = '\0';
}

/* @param n  bytes of the tag, as far as the profile has them */
static void take_tag(char name[CLI_PROFILE_NAME_MAX], const uint8_t *tag, size_t n)
{
    if (n >= ASCII_BEGIN && memcmp(tag, "desc", 4) == 0) {
        size_t length = get(tag + 8);
        take(name, tag + ASCII_BEGIN, length < n - ASCII_BEGIN ? length : n - ASCII_BEGIN,
             1);
    } else if (n >= RECORD_BEGIN + RECORD_BYTES && memcmp(tag, "mluc", 4) == 0) {
        size_t length = get(tag + RECORD_BEGIN + LENGTH_OF_REC);
        size_t at = get(tag + RECORD_BEGIN + OFFSET_OF_REC);
        if (at < n)
            take(name, tag + at, length < n - at ? length : n - at, 2);
    }
}

void cli_profile_name(char name[CLI_PROFILE_NAME_MAX], const uint8_t *icc, size_t n)
{
    name[0] = '\0';
    if (icc == NULL || n < HEADER_BYTES + 4)
        return;
    uint32_t n_tags = get(icc + HEADER_BYTES);
    const uint8_t *entry = icc + HEADER_BYTES + 4;
    size_t left = n - HEADER_BYTES - 4;
    for (uint32_t i = 0; i < n_tags && i < TAGS_MAX && left >= TAG_BYTES;
         i++, entry += TAG_BYTES, left -= TAG_BYTES) {
        size_t at = get(entry + 4), size = get(entry + 8);
        if (memcmp(entry, "desc", 4) != 0 || at >= n)
            continue;
        take_tag(name, icc + at, size < n - at ? size : n - at);
        return;
    }
}
