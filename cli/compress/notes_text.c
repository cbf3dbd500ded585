/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What goes with a picture besides its pixels, told: in lines and in a table. */

#include "notes_text.h"
#include "core/image/number.h"
#include <stdio.h>
#include <string.h>

/* ---- The name of a profile ----
 *
 * Its description (ICC.1:2022, 9.2.41): a table of tags behind the header leads to 'desc', a text of
 * ASCII in profiles of version 2, of UTF-16 in several languages in those of version 4. Nothing is
 * believed: what lies outside of the profile is no name. */

/* Bytes of a name with its end; longer ones are cut. */
#define PROFILE_NAME_MAX 80

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
static void take(char name[PROFILE_NAME_MAX], const uint8_t *text, size_t n, size_t step)
{
    size_t k = 0;
    for (size_t i = 0; i + step <= n && k + 1 < PROFILE_NAME_MAX; i += step) {
        uint8_t letter = text[i + step - 1];
        int is_plain = (step == 1 || text[i] == 0) && letter > 31 && letter < 127;
        if (letter == 0 && (step == 1 || text[i] == 0))
            break;
        name[k++] = (char)(is_plain ? letter : '?');
    }
    name[k] = '\0';
}

/* @param n  bytes of the tag, as far as the profile has them */
static void take_tag(char name[PROFILE_NAME_MAX], const uint8_t *tag, size_t n)
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

/* In ASCII, with '?' for other letters. @param name  "" where there is none */
static void profile_name(char name[PROFILE_NAME_MAX], const uint8_t *icc, size_t n)
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

/* ---- Lines ---- */

static void add(char text[CLI_NOTES_TEXT_MAX], const char *more)
{
    size_t n = strlen(text);
    snprintf(text + n, CLI_NOTES_TEXT_MAX - n, "%s%s", n > 0 ? ", " : "", more);
}

/* "0.25x0.5", or once where both are one. */
static void format_pair(char text[2 * RUGI_REAL_TEXT_MAX], double rows, double columns)
{
    char other[RUGI_REAL_TEXT_MAX];
    rugi_format_real_short(text, rows);
    rugi_format_real_short(other, columns);
    if (strcmp(text, other) != 0)
        snprintf(text + strlen(text), RUGI_REAL_TEXT_MAX + 1, "x%s", other);
}

static void add_spacing(char text[CLI_NOTES_TEXT_MAX], const rug_ifs_notes *notes)
{
    char pair[2 * RUGI_REAL_TEXT_MAX], whole[2 * RUGI_REAL_TEXT_MAX + 40];
    const double *s = notes->spacing;
    if (!(s[0] > 0 && s[1] > 0))
        return;
    int is_inch = strcmp(notes->unit, "in") == 0;
    if (is_inch)
        format_pair(pair, 1 / s[0], 1 / s[1]);
    else if (notes->unit[0] != '\0')
        format_pair(pair, s[0], s[1]);
    else
        rugi_format_real_short(pair, s[0] / s[1]);
    if (notes->unit[0] == '\0')
        snprintf(whole, sizeof whole, "pixels %s times as high as wide", pair);
    else if (is_inch)
        snprintf(whole, sizeof whole, "%s dpi", pair);
    else
        snprintf(whole, sizeof whole, "spacing %s %s", pair, notes->unit);
    if (notes->unit[0] != '\0' || s[0] < s[1] || s[0] > s[1])
        add(text, whole);
}

void cli_notes_text(char text[CLI_NOTES_TEXT_MAX], const rug_ifs_notes *notes, int keeps,
                    int spacing)
{
    char name[PROFILE_NAME_MAX], part[PROFILE_NAME_MAX + 80];
    text[0] = '\0';
    if (notes->orientation > 1) {
        snprintf(part, sizeof part, "orientation %d%s", notes->orientation,
                 keeps ? " (kept)" : "");
        add(text, part);
    }
    if (notes->premultiplied)
        add(text, "colours multiplied by alpha");
    if (notes->icc_size > 0) {
        profile_name(name, notes->icc, notes->icc_size);
        snprintf(part, sizeof part, "profile%s%s%s of %zu bytes",
                 name[0] != '\0' ? " '" : "", name, name[0] != '\0' ? "'" : "",
                 notes->icc_size);
        add(text, part);
    }
    if (spacing)
        add_spacing(text, notes);
}

/* ---- The table ---- */

const char *const cli_notes_columns[] = {
    "image",      "format", "shape",   "orientation",   "alpha",
    "pixel_size", "unit",   "profile", "profile_bytes", NULL};

void cli_set_notes(cli_record *row, const rug_ifs_notes *notes, rug_alpha alpha)
{
    char text[PROFILE_NAME_MAX + 2 * RUGI_REAL_TEXT_MAX];
    int has_spacing = notes->spacing[0] > 0 && notes->spacing[1] > 0;
    cli_record_set_signed(row, "orientation",
                          notes->orientation > 0 ? notes->orientation : 1);
    cli_record_set_text(row, "alpha", rug_alpha_name(alpha));
    if (has_spacing) {
        rugi_format_real_short(text, notes->spacing[0]);
        strcat(text, "x");
        rugi_format_real_short(text + strlen(text), notes->spacing[1]);
    }
    cli_record_set_text(row, "pixel_size", has_spacing ? text : NULL);
    cli_record_set_text(row, "unit", notes->unit[0] != '\0' ? notes->unit : NULL);
    profile_name(text, notes->icc, notes->icc_size);
    cli_record_set_text(row, "profile", text[0] != '\0' ? text : NULL);
    cli_record_set_integer(row, "profile_bytes", notes->icc_size);
}
