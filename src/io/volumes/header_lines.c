/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lines of headers, words and numbers. It knows no format. */

#include "header_lines.h"
#include "core/image/number.h"
#include "io/base/disk.h"
#include "io/base/text.h"
#include <errno.h>
#include <math.h>
#include <string.h>

/* Bytes that a header may have: enough for the names of many files. */
#define HEADER_MAX ((uint64_t)64 << 20)

/* Bytes of a number with its end. */
#define NUMBER_MAX 128

rug_status rugi_lines_open(rug_context *ctx, rugi_lines *lines, const char *path)
{
    uint64_t n_bytes;
    *lines = (rugi_lines){.path = path, .n_max = HEADER_MAX};
    rug_status status = rugi_open_regular(ctx, path, &lines->in, &n_bytes);
    if (status != RUG_OK)
        return status;
    lines->line = rug_context_allocate(ctx, RUGI_LINE_MAX, 1, path);
    return lines->line != NULL ? RUG_OK : RUG_E_NOMEM;
}

void rugi_lines_close(rug_context *ctx, rugi_lines *lines)
{
    if (lines->in != NULL)
        fclose(lines->in);
    rug_context_release(ctx, lines->line);
    lines->in = NULL;
    lines->line = NULL;
}

rug_status rugi_lines_next(rug_context *ctx, rugi_lines *lines, int *got)
{
    size_t n = 0;
    int c;
    lines->is_cut = 0;
    while ((c = getc(lines->in)) != EOF && c != '\n' && lines->at < lines->n_max) {
        lines->at++;
        if (n + 1 < RUGI_LINE_MAX)
            lines->line[n++] = (char)c;
        else
            lines->is_cut = 1;
    }
    if (c != EOF && lines->at >= lines->n_max)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: its header does not end in %zu MiB", lines->path,
                                (size_t)(lines->n_max >> 20));
    if (ferror(lines->in))
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", lines->path,
                                strerror(errno));
    *got = c != EOF || n > 0;
    lines->at += c != EOF;
    lines->number += *got != 0;
    while (n > 0 && strchr(RUGI_BLANKS, lines->line[n - 1]) != NULL)
        n--;
    lines->line[n] = '\0';
    return RUG_OK;
}

/* Copies what stands behind blanks, up to what ends a number. @return where that is, or NULL */
static const char *copy_number(char number[NUMBER_MAX], const char *text)
{
    text += strspn(text, RUGI_BLANKS);
    size_t n = strcspn(text, RUGI_BLANKS ",()\"");
    if (n == 0 || n >= NUMBER_MAX)
        return NULL;
    memcpy(number, text, n);
    number[n] = '\0';
    return text + n;
}

int rugi_take_real(const char **at, double *value)
{
    static const struct {
        const char *name;
        double value;
    } names[] = {
        {"nan", (double)NAN}, {"inf", (double)INFINITY}, {"infinity", (double)INFINITY}};
    char number[NUMBER_MAX];
    const char *end = copy_number(number, *at);
    if (end == NULL)
        return 0;
    const char *word = number + (number[0] == '-' || number[0] == '+');
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (rugi_same_word(word, names[i].name)) {
            *value = number[0] == '-' ? -names[i].value : names[i].value;
            *at = end;
            return 1;
        }
    if (!rugi_parse_real(value, number[0] == '+' ? number + 1 : number))
        return 0;
    *at = end;
    return 1;
}

int rugi_take_integer(const char **at, int64_t *value)
{
    char number[NUMBER_MAX];
    const char *end = copy_number(number, *at), *c = number;
    uint64_t size = 0, most = INT64_MAX;
    if (end == NULL)
        return 0;
    c += *c == '-' || *c == '+';
    for (; *c >= '0' && *c <= '9' && size <= most / 10; c++)
        size = 10 * size + (uint64_t)(*c - '0');
    if (*c != '\0' || size > most || c == number || c[-1] < '0')
        return 0;
    *value = number[0] == '-' ? -(int64_t)size : (int64_t)size;
    *at = end;
    return 1;
}

int rugi_same_word(const char *a, const char *b)
{
    return rugi_same_letters(a, b, strlen(a) + 1);
}
