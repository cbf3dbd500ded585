/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Rows as bytes, for another process of the same program on a machine of the same kind. */

#ifndef TABLES_RECORD_BYTES_H
#define TABLES_RECORD_BYTES_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/** Bytes that are taken one after the other. */
typedef struct cli_bytes {
    const unsigned char *at, *end;
    int is_short; /**< more were asked for than there are */
} cli_bytes;

/** Takes n bytes; 0 instead of those that are not there. */
static inline void cli_take_bytes(cli_bytes *bytes, void *out, size_t n)
{
    bytes->is_short |= (size_t)(bytes->end - bytes->at) < n;
    if (bytes->is_short) {
        memset(out, 0, n);
        return;
    }
    memcpy(out, bytes->at, n);
    bytes->at += n;
}

typedef struct json_object json_object;

/** Writes a value with all that it holds, to a stream in memory. */
void cli_save_value(FILE *out, json_object *value);

/** Makes such a value, owned by the caller.
 *  @return NULL for null, and where there is no memory, which is a short value, too */
json_object *cli_load_value(cli_bytes *bytes);

#endif
