/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Decimals to values of every type, exactly or not at all. */

#include "text_values.h"
#include "header_lines.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Bytes of a number with its end. */
#define NUMBER_MAX 128

static int is_separator(int c)
{
    return c == ' ' || c == ',' || (c >= '\t' && c <= '\r');
}

/** Takes the next word. @return its length; NUMBER_MAX: it is too long; 0: there is none */
static size_t take_word(FILE *in, char word[NUMBER_MAX])
{
    size_t n = 0;
    int c = getc(in);
    while (is_separator(c))
        c = getc(in);
    for (; c != EOF && !is_separator(c); c = getc(in))
        if (n < NUMBER_MAX)
            word[n++] = (char)c;
    word[n < NUMBER_MAX ? n : NUMBER_MAX - 1] = '\0';
    return n;
}

/** Takes a whole number. @return 0: it is none, or too large for 64 bits */
static int take_whole(const char *word, int *is_negative, uint64_t *size)
{
    const char *c = word + (*word == '-' || *word == '+');
    const char *first = c;
    double real;
    *is_negative = *word == '-';
    for (*size = 0; *c >= '0' && *c <= '9'; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        if (*size > (UINT64_MAX - digit) / 10)
            return 0;
        *size = 10 * *size + digit;
    }
    if (*c == '\0' && c > first)
        return 1;
    const char *at = word;
    if (!rugi_take_real(&at, &real) || *at != '\0' || !(fabs(real) < 0x1p64) ||
        real > floor(real))
        return 0;
    *size = (uint64_t)fabs(real);
    return 1;
}

#define PUT(type, value)                                \
    do {                                                \
        const type stored = (type)(value);              \
        memcpy((type *)to + i, &stored, sizeof stored); \
    } while (0)

/** Puts a whole number in place i. @return 0: the type has no such value */
static int put_whole(void *to, uint64_t i, rug_dtype dtype, int is_negative,
                     uint64_t size)
{
    const size_t bits = 8 * rug_dtype_size(dtype);
    const int is_signed =
        dtype == RUG_I8 || dtype == RUG_I16 || dtype == RUG_I32 || dtype == RUG_I64;
    const uint64_t most = UINT64_MAX >> (64 - bits + (is_signed ? 1 : 0));
    if (size > most + (is_signed && is_negative) ||
        (is_negative && !is_signed && size > 0))
        return 0;
    const uint64_t v = is_negative ? 0 - size : size;
    switch (bits) {
    case 8: PUT(uint8_t, v); break;
    case 16: PUT(uint16_t, v); break;
    case 32: PUT(uint32_t, v); break;
    default: PUT(uint64_t, v); break;
    }
    return 1;
}

/** Puts the number that a word stands for in place i. @return 0: it is none of the type */
static int put_word(void *to, uint64_t i, rug_dtype dtype, const char *word)
{
    const char *at = word;
    int is_negative;
    uint64_t size;
    double real;
    if (dtype != RUG_F32 && dtype != RUG_F64)
        return take_whole(word, &is_negative, &size) &&
               put_whole(to, i, dtype, is_negative, size);
    if (!rugi_take_real(&at, &real) || *at != '\0')
        return 0;
    if (dtype == RUG_F32)
        PUT(float, real);
    else
        PUT(double, real);
    return 1;
}

rug_status rugi_text_values_read(rug_context *ctx, FILE *in, const char *path,
                                 rug_dtype dtype, void *to, uint64_t n, uint64_t before)
{
    char word[NUMBER_MAX];
    for (uint64_t i = 0; i < n; i++) {
        size_t length = take_word(in, word);
        if (length == 0 && ferror(in))
            return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", path,
                                    strerror(errno));
        if (length == 0)
            return rug_context_fail(
                ctx, RUG_E_FORMAT, "%s: cut off: its text ends behind %" PRIu64 " values",
                path, before + i);
        if (length >= NUMBER_MAX || !put_word(to, i, dtype, word))
            return rug_context_fail(
                ctx, RUG_E_FORMAT, "%s: value %" PRIu64 " of its text, '%.40s', is no %s",
                path, before + i + 1, word, rug_dtype_name(dtype));
    }
    return RUG_OK;
}
