/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which columns of a file of points are coordinates: those that were asked for, those that a
 * header calls x, y, z, or all. */

#ifndef RUGI_POINT_COLUMNS_H
#define RUGI_POINT_COLUMNS_H

#include "point_fields.h"
#include "point_store.h"

/** What is known of the columns of a file. */
typedef struct rugi_column_facts {
    size_t n;           /* fields of a point */
    const char *header; /* the line of names; NULL: none */
    int is_comment; /* it is the comment before the points, which need not have names */
    uint64_t line;  /* of the first point, from 1; 0 for npy */
    rugi_separator separator;
} rugi_column_facts;

/** Finds the columns of the coordinates, and names them and the others in the facts of the
 *  file.
 *  @param asked  as in rug_point_file_options; NULL: nothing
 *  @return RUG_OK, RUG_E_ARG (of what was asked), RUG_E_FORMAT (the file does not say which
 *          columns are coordinates) */
rug_status rugi_columns_find(rug_context *ctx, rugi_columns *out, rug_point_file *file,
                             const rugi_column_facts *given, const char *asked);

#endif
