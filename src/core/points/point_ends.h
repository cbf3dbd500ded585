/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What is to be known of coordinates before they become cells. */

#ifndef RUGI_POINT_ENDS_H
#define RUGI_POINT_ENDS_H

#include <rugose/points.h>

/** What a thread has seen of the coordinates. */
typedef struct rugi_ends {
    uint64_t least_place[RUG_POINTS_MAX_AXES]; /* of integers: their sign turned round, */
    uint64_t most_place[RUG_POINTS_MAX_AXES];  /* as in morton.h */
    double least[RUG_POINTS_MAX_AXES], most[RUG_POINTS_MAX_AXES]; /* of floats */
    int is_broken;      /* a coordinate is not a whole number */
    uint64_t bad_point; /* the first that is not finite; UINT64_MAX when all are */
} rugi_ends;

/** Takes in points first .. first + n - 1, n > 0, if they lie one behind the other, are
 *  finite, and of a type and a number of axes that fit the kernel's registers.
 *  @return whether it did */
int rugi_ends_see_avx2(rugi_ends *ends, const rug_points *points, uint64_t first,
                       uint64_t n);

#endif
