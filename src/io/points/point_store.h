/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Points of unknown number, gathered block by block: whole numbers as long as all are
 * whole, else doubles. */

#ifndef RUGI_POINT_STORE_H
#define RUGI_POINT_STORE_H

#include "point_number.h"
#include <rugose/context.h>
#include <stddef.h>

/** A stored coordinate. */
typedef union rugi_coordinate {
    int64_t whole;
    double real;
} rugi_coordinate;

typedef struct rugi_point_block rugi_point_block;

/** What was gathered. */
typedef struct rugi_point_store {
    rug_context *ctx;
    const char *path; /* for error texts */
    int ndim;         /* 1..RUG_POINTS_MAX_AXES, set before the first point */
    int is_real;      /* coordinates are doubles */
    uint64_t n;       /* points */
    rugi_point_block *first;
    rugi_point_block *last;
} rugi_point_store;

/** Adds a point.
 *  @param numbers  ndim of them
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_store_add(rugi_point_store *store, const rugi_number *numbers);

/** Puts all points into one array, row after row, and empties the store. While it does,
 *  the points are in memory twice.
 *  @return the array, to be released with the context; NULL when memory is out */
rugi_coordinate *rugi_store_join(rugi_point_store *store);

/** Frees the blocks. */
void rugi_store_free(rugi_point_store *store);

#endif
