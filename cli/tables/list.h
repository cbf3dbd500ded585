/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lists of images: CSV files with the columns image[,mask][,labels][,class]. */

#ifndef TABLES_LIST_H
#define TABLES_LIST_H

#include <rugose/context.h>
#include <stddef.h>

/** One row of a list of images. Absent columns and empty fields are NULL. */
typedef struct cli_list_row {
    char *image;  /**< path, relative ones joined to the list's folder; never NULL */
    char *mask;   /**< likewise */
    char *labels; /**< likewise */
    char *class_name;
} cli_list_row;

/** A list of images. Owned by the caller; read only. */
typedef struct cli_list {
    cli_list_row *rows; /**< [n_rows] */
    size_t n_rows;
    size_t capacity; /**< of rows, while they are read */
} cli_list;

/** Reads a CSV file with the columns image[,mask][,labels][,class].
 *  @param out  the list; NULL on failure
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT (no column `image`, an
 *          unknown column, a row of another length, no rows); the text names the line */
rug_status cli_list_read(rug_context *ctx, cli_list **out, const char *path);

/** Frees a list. NULL is allowed. */
void cli_list_free(cli_list *list);

#endif
