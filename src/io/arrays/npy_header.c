/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A strict parser of the one Python literal that .npy files begin with. It looks at no
 * byte beyond the text it is given and takes no memory. What the fields mean is not its
 * business. */

#include "npy_header.h"
#include <string.h>

/** A place in the text. */
typedef struct cursor {
    const char *at;
    const char *end;
} cursor;

static void skip_blanks(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t'))
        c->at++;
}

/** Takes one character after blanks. */
static int take(cursor *c, char wanted)
{
    skip_blanks(c);
    if (c->at == c->end || *c->at != wanted)
        return 0;
    c->at++;
    return 1;
}

/** Takes a word as it stands. */
static int take_word(cursor *c, const char *word)
{
    size_t n = strlen(word);
    skip_blanks(c);
    if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n) != 0)
        return 0;
    c->at += n;
    return 1;
}

/** Takes a quoted text without escapes into `out` of `size` bytes. */
static int take_text(cursor *c, char *out, size_t size)
{
    skip_blanks(c);
    if (c->at == c->end || (*c->at != '\'' && *c->at != '"'))
        return 0;
    char quote = *c->at++;
    const char *begin = c->at;
    while (c->at < c->end && *c->at != quote && *c->at != '\\' && *c->at != '\0')
        c->at++;
    size_t n = (size_t)(c->at - begin);
    if (c->at == c->end || *c->at != quote || n >= size)
        return 0;
    memcpy(out, begin, n);
    out[n] = '\0';
    c->at++;
    return 1;
}

static int take_number(cursor *c, uint64_t *out)
{
    skip_blanks(c);
    const char *begin = c->at;
    uint64_t value = 0;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        uint64_t digit = (uint64_t)(*c->at - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return 0;
        value = value * 10 + digit;
    }
    if (c->at == begin)
        return 0;
    if (c->at < c->end && *c->at == 'L') /* as Python 2 wrote them */
        c->at++;
    *out = value;
    return 1;
}

static const char *parse_shape(cursor *c, rugi_npy_header *out)
{
    if (!take(c, '('))
        return "shape is no tuple";
    out->ndim = 0;
    while (!take(c, ')')) {
        uint64_t size;
        if (!take_number(c, &size))
            return "shape holds something else than sizes";
        if (out->ndim == RUGI_NPY_AXES)
            return "shape has more than 32 axes";
        out->shape[out->ndim++] = size;
        if (take(c, ','))
            continue;
        if (!take(c, ')') || out->ndim == 1) /* (5) is no tuple, (5,) is */
            return "shape is no tuple";
        break;
    }
    return NULL;
}

/** A type is a text; a list of fields is skipped to its closing bracket. */
static const char *parse_descr(cursor *c, rugi_npy_header *out)
{
    if (take_text(c, out->descr, sizeof out->descr))
        return NULL;
    if (!take(c, '['))
        return "descr is neither a text nor a list";
    out->descr[0] = '\0';
    for (int depth = 1; depth > 0; c->at++) {
        if (c->at == c->end)
            return "descr is a list without an end";
        depth += *c->at == '[' ? 1 : *c->at == ']' ? -1 : 0;
    }
    return NULL;
}

static const char *parse_order(cursor *c, rugi_npy_header *out)
{
    out->fortran_order = take_word(c, "True");
    if (!out->fortran_order && !take_word(c, "False"))
        return "fortran_order is neither True nor False";
    return NULL;
}

/** Parses one `key: value`.
 *  @param seen  one flag per key */
static const char *parse_item(cursor *c, rugi_npy_header *out, int seen[3])
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    static const char *(*const parse[])(cursor *, rugi_npy_header *) = {
        parse_descr, parse_order, parse_shape};
    char key[16];
    if (!take_text(c, key, sizeof key) || !take(c, ':'))
        return "a key is expected";
    for (int i = 0; i < 3; i++)
        if (strcmp(key, keys[i]) == 0) {
            if (seen[i]++)
                return "a key stands twice";
            return parse[i](c, out);
        }
    return "a key is neither descr, fortran_order nor shape";
}

const char *rugi_npy_parse(rugi_npy_header *out, const char *text, size_t n)
{
    cursor c = {text, text + n};
    int seen[3] = {0};
    memset(out, 0, sizeof *out);
    if (!take(&c, '{'))
        return "no dictionary";
    while (!take(&c, '}')) {
        const char *wrong = parse_item(&c, out, seen);
        if (wrong != NULL)
            return wrong;
        if (take(&c, ','))
            continue;
        if (!take(&c, '}'))
            return "the dictionary has no end";
        break;
    }
    skip_blanks(&c);
    if (c.at != c.end)
        return "text stands behind the dictionary";
    if (!seen[0] || !seen[1] || !seen[2])
        return "descr, fortran_order or shape is missing";
    return NULL;
}
