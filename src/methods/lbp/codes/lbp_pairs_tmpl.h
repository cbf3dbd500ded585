/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The left and right neighbours of the pixels of a block, for levels at which each is loaded by itself. The
 * includer has the vectors `doubles` and `floats`. */

#include <string.h>

typedef struct doubles_pair {
    const double *left, *right;
} doubles_pair;

typedef struct floats_pair {
    const float *left, *right;
} floats_pair;

static inline doubles_pair begin_doubles(const double *left, const double *right)
{
    return (doubles_pair){left, right};
}

static inline void next_doubles(doubles_pair *p, size_t at, doubles *l, doubles *r)
{
    memcpy(l, p->left + at, sizeof *l);
    memcpy(r, p->right + at, sizeof *r);
}

static inline floats_pair begin_floats(const float *left, const float *right)
{
    return (floats_pair){left, right};
}

static inline void next_floats(floats_pair *p, size_t at, floats *l, floats *r)
{
    memcpy(l, p->left + at, sizeof *l);
    memcpy(r, p->right + at, sizeof *r);
}
