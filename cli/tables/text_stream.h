/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Streams of open_memstream(). */

#ifndef TABLES_TEXT_STREAM_H
#define TABLES_TEXT_STREAM_H

#include <stdio.h>
#include <stdlib.h>

/** Closes such a stream. The C library may lose the text when memory runs out at the very end, and yet
 *  say that all went well.
 *  @param text  what the stream wrote to; NULL after a failure
 *  @return nonzero when all of the text is there */
static inline int cli_end_text(FILE *out, char **text)
{
    if (fclose(out) == 0 && *text != NULL)
        return 1;
    free(*text);
    *text = NULL;
    return 0;
}

#endif
