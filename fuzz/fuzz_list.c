/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: lists of images. Every row of a list that is accepted has an image. */

#include "fuzz_file.h"
#include "tables/list.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    rug_context *ctx = fuzz_context();
    cli_list *list;
    size_t n_bytes = 0;
    if (cli_list_read(ctx, &list, fuzz_write(data, n), 1) == RUG_OK) {
        for (size_t i = 0; i < list->n_rows; i++) {
            const cli_list_row *row = &list->rows[i];
            n_bytes += strlen(row->image) + (row->mask != NULL ? strlen(row->mask) : 0) +
                       (row->labels != NULL ? strlen(row->labels) : 0) +
                       (row->class_name != NULL ? strlen(row->class_name) : 0);
            for (size_t c = 0; c < list->n_carried; c++)
                n_bytes += strlen(list->carried[c]) + strlen(row->carried[c]);
        }
        if (n_bytes == 0)
            abort();
        cli_list_free(list);
    } else if (rug_context_error(ctx)[0] == '\0')
        abort();
    return 0;
}
