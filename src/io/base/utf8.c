/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads and writes single UTF-8 characters by RFC 3629: no overlong forms, no surrogates.
 * It knows nothing of display width or of other encodings. */

#include "utf8.h"
#include <string.h>

/* The bytes that a first byte announces and the bits that it holds; 0 for no first
 * byte. */
static size_t read_head(unsigned char head, uint32_t *bits)
{
    static const struct {
        unsigned char mask, mark;
    } forms[] = {{0x80, 0x00}, {0xE0, 0xC0}, {0xF0, 0xE0}, {0xF8, 0xF0}};

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if ((head & forms[i].mask) == forms[i].mark) {
            *bits = head & (unsigned char)~forms[i].mask;
            return i + 1;
        }
    }
    return 0;
}

static int is_valid(uint32_t code, size_t n_bytes)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};

    return code >= least[n_bytes] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

size_t rugi_utf8_next(uint32_t *code, const char *text)
{
    uint32_t bits = 0;
    size_t n_bytes = read_head((unsigned char)text[0], &bits);

    *code = RUGI_UTF8_REPLACEMENT;
    for (size_t i = 1; i < n_bytes; i++) {
        unsigned char byte = (unsigned char)text[i];

        if ((byte & 0xC0) != 0x80)
            return 1;
        bits = bits << 6 | (byte & 0x3F);
    }
    if (n_bytes == 0 || !is_valid(bits, n_bytes))
        return 1;
    *code = bits;
    return n_bytes;
}

void rugi_utf8_put(FILE *stream, uint32_t code)
{
    if (code < 0x80) {
        fputc((int)code, stream);
    } else if (code < 0x800) {
        fputc((int)(0xC0 | code >> 6), stream);
    } else if (code < 0x10000) {
        fputc((int)(0xE0 | code >> 12), stream);
        fputc((int)(0x80 | (code >> 6 & 0x3F)), stream);
    } else {
        fputc((int)(0xF0 | code >> 18), stream);
        fputc((int)(0x80 | (code >> 12 & 0x3F)), stream);
        fputc((int)(0x80 | (code >> 6 & 0x3F)), stream);
    }
    if (code >= 0x80)
        fputc((int)(0x80 | (code & 0x3F)), stream);
}

int rugi_utf8_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

/* Unicode's ends of lines, and the marks that turn the direction of writing: with these the end
 * of a name would stand before its beginning. */
static int is_mark(uint32_t code)
{
    return code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

/* The escape of a character that does not show. */
static void format_escape(char text[8], uint32_t code)
{
    static const char short_ones[] = "\tt\nn\rr";

    for (const char *at = short_ones; *at != '\0'; at += 2)
        if ((uint32_t)*at == code) {
            snprintf(text, 8, "\\%c", at[1]);
            return;
        }
    snprintf(text, 8, code < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)(code & 0xFFFF));
}

size_t rugi_utf8_show(FILE *stream, const char *text)
{
    size_t width = 0;

    while (*text != '\0') {
        uint32_t code;
        size_t n = rugi_utf8_next(&code, text);
        int is_stray = n == 1 && (unsigned char)*text >= 0x80;
        char escape[8] = "";

        if (is_stray)
            snprintf(escape, sizeof escape, "\\x%02x", (unsigned)(unsigned char)*text);
        else if (rugi_utf8_is_control(code) || is_mark(code))
            format_escape(escape, code);
        if (stream != NULL && escape[0] == '\0')
            rugi_utf8_put(stream, code);
        else if (stream != NULL)
            fputs(escape, stream);
        width += escape[0] == '\0' ? 1 : strlen(escape);
        text += n;
    }
    return width;
}
