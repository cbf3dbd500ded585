/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counts the samples of PNM files before libvips reads them: it takes missing ones of
 * text and of one-bit files for 0 in silence (checked with 8.14). The samples themselves
 * are not looked at. */

#include "pnm_check.h"
#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/** What the header says. */
typedef struct pnm_header {
    char kind; /* '1' to '6', 'f', 'F' */
    uint64_t width;
    uint64_t height;
    uint64_t max; /* largest value; 1 where the kind has none */
    uint64_t n_bands;
} pnm_header;

/** Takes a word after blanks and comments, and the one character behind it.
 *  @return nonzero when there is a word that fits */
static int take_word(FILE *in, char *word, size_t size)
{
    int c = getc(in);
    size_t n = 0;
    while (c == '#' || (c != EOF && g_ascii_isspace((char)c))) {
        while (c == '#' && (c = getc(in)) != EOF && c != '\n')
            c = '#';
        c = getc(in);
    }
    for (; c != EOF && !g_ascii_isspace((char)c) && n + 1 < size; c = getc(in))
        word[n++] = (char)c;
    word[n] = '\0';
    return n > 0 && (c == EOF || g_ascii_isspace((char)c));
}

static int take_number(FILE *in, uint64_t *number)
{
    char word[16];
    return take_word(in, word, sizeof word) && word[strspn(word, "0123456789")] == '\0' &&
           g_ascii_string_to_unsigned(word, 10, 1, G_MAXUINT32, number, NULL);
}

static int take_header(FILE *in, pnm_header *h)
{
    char scale[32];
    if (getc(in) != 'P')
        return 0;
    h->kind = (char)getc(in);
    h->max = 1;
    h->n_bands = h->kind == '3' || h->kind == '6' || h->kind == 'F' ? 3 : 1;
    if (!take_number(in, &h->width) || !take_number(in, &h->height))
        return 0;
    if (h->kind == 'f' || h->kind == 'F')
        return take_word(in, scale, sizeof scale);
    return h->kind == '1' || h->kind == '4' || take_number(in, &h->max);
}

/** How many bytes (of binary kinds) or numbers (of text kinds) the header asks for. */
static int count_needed(const pnm_header *h, uint64_t *needed)
{
    uint64_t row = h->width * h->n_bands;
    if (h->kind == '4')
        row = (h->width + 7) / 8;
    else if (h->kind == 'f' || h->kind == 'F')
        row *= 4;
    else if (h->kind >= '5')
        row *= h->max > 65535 ? 4 : h->max > 255 ? 2 : 1;
    return rugi_multiply(needed, row, h->height);
}

/** How many numbers follow, as far as they are needed. */
static uint64_t count_numbers(FILE *in, uint64_t needed)
{
    char word[32];
    uint64_t n = 0;
    while (n < needed && take_word(in, word, sizeof word))
        n++;
    return n;
}

static rug_status check_stream(rug_context *ctx, const rug_file *file, FILE *in)
{
    pnm_header h;
    uint64_t needed;
    if (!take_header(in, &h) || !count_needed(&h, &needed))
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: the PNM header is no valid one: width, height and largest "
            "value of 1 or more expected",
            file->path);
    int is_text = h.kind >= '1' && h.kind <= '3';
    uint64_t there =
        is_text ? count_numbers(in, needed) : file->n_bytes - (uint64_t)ftell(in);
    if (there < needed)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: cut off: %" PRIu64 " of %" PRIu64
                                " %s of pixels are there",
                                file->path, there, needed, is_text ? "numbers" : "bytes");
    return RUG_OK;
}

rug_status rugi_check_pnm(rug_context *ctx, const rug_file *file)
{
    FILE *in = fopen(file->path, "rb");
    if (in == NULL)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", file->path,
                                g_strerror(errno));
    rug_status status = check_stream(ctx, file, in);
    fclose(in);
    return status;
}
