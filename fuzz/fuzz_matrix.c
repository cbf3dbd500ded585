/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: what only the caller can say of a file. An input that begins with "raw " has the layout
 * of raw pixels up to the end of its first line, and these behind it; any other is a text matrix. What
 * does not begin as a text is left alone, so that the other readers do not take the time. */

#include "fuzz_file.h"
#include <string.h>

static void read_raw(const uint8_t *data, size_t n)
{
    static char layout[256];
    const uint8_t *end = memchr(data, '\n', n);
    size_t length = end != NULL ? (size_t)(end - data) : n;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    rug_image image;
    if (length >= sizeof layout)
        return;
    memcpy(layout, data, length);
    layout[length] = '\0';
    opts.raw = layout;
    fuzz_check_error(fuzz_context(), rug_raw_parse(fuzz_context(), &image, layout));
    length += end != NULL;
    fuzz_read(data + length, n - length, &opts);
}

/* Whether bytes begin as a text of numbers or names does. */
static int begins_as_text(const uint8_t *data, size_t n)
{
    static const char first[] = " \t\r\n#\"+-.,;0123456789acinxy\xef\xff";
    return n > 1 && data[0] != 0 && strchr(first, data[0]) != NULL && data[1] != '?' &&
           (data[0] != 0xff || data[1] == 0xfe);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.matrix = 1;
    if (n > 4 && memcmp(data, "raw ", 4) == 0)
        read_raw(data + 4, n - 4);
    else if (begins_as_text(data, n))
        fuzz_read(data, n, &opts);
    return 0;
}
