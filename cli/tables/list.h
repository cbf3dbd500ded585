/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lists of images: CSV files with the columns image[,mask][,labels][,class], and any others, which
 * are carried to the tables. */

#ifndef TABLES_LIST_H
#define TABLES_LIST_H

#include <rugose/context.h>
#include <stddef.h>

/** One row of a list of images. Absent columns and empty fields are NULL; nothing is joined to the
 *  list's folder. */
typedef struct cli_list_row {
    char *image; /**< never NULL */
    char *mask;
    char *labels;
    char *class_name; /**< NULL too where classes are carried */
    char **carried;   /**< [n_carried], "" where a field is empty */
} cli_list_row;

/** A list of images. Owned by the caller; read only. */
typedef struct cli_list {
    char *folder; /**< of the list, with its slash, to be put before relative paths; "" */
    char **carried; /**< [n_carried] names of the other columns, in order */
    size_t n_carried;
    cli_list_row *rows; /**< [n_rows] */
    size_t n_rows;
    size_t capacity; /**< of rows, while they are read */
} cli_list;

/** Reads a CSV file with the columns image[,mask][,labels][,class], and others.
 *  @param out   the list; NULL on failure
 *  @param path  "-" = standard input
 *  @param takes_classes  0: the column `class` is carried as any other
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT (no column `image`, a name that
 *          is empty, occurs twice or is nearly one of those above, a row of another length, no
 *          rows); the text names the line */
rug_status cli_list_read(rug_context *ctx, cli_list **out, const char *path,
                         int takes_classes);

/** Frees a list. NULL is allowed. */
void cli_list_free(cli_list *list);

#endif
