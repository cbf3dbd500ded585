/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Shrunk blocks, for a first screen that few domains pass. A block whose sides are halved
 * is made of every 2 x 2 pixels' sum, by 2 so that the basis stays orthonormal: some of its
 * coefficients. Of the rest the norm of each kind is kept: the product of a range and a
 * domain under an isometry is at most that of the shrunk ones and, by Cauchy and Schwarz,
 * the products of the norms of what each halving left out. */

#ifndef RUGI_IFS_SHRINK_H
#define RUGI_IFS_SHRINK_H

#include "ifs/search/ifs_search_plan.h"

/** What a halving leaves out has so many norms: of the kinds A1, B1, B2, A2 and pairs. */
#define RUGI_IFS_KINDS 5

/** Forms of a block at most: whole, and shrunk. */
#define RUGI_IFS_FORMS 3

/** One form of blocks: coefficients, then norms of all that was left out. */
typedef struct rugi_ifs_form {
    rugi_ifs_basis basis;
    uint32_t n_rests; /* norms: RUGI_IFS_KINDS of each halving, the last one first */
    uint32_t rows;    /* of both */
    uint32_t at;      /* rows of the forms before */
} rugi_ifs_form;

/** The forms of a size, the smallest first, the whole one last. */
typedef struct rugi_ifs_forms {
    int n;
    uint32_t rows; /* of all but the whole one */
    rugi_ifs_form form[RUGI_IFS_FORMS];
} rugi_ifs_forms;

/** Shrunk blocks have at least this side: smaller ones rule hardly any domain out. */
#define RUGI_IFS_SHRUNK_LEAST 8

static inline int rugi_ifs_halvings_of(uint32_t size)
{
    int n = 0;
    for (; size % 4 == 0 && size / 2 >= RUGI_IFS_SHRUNK_LEAST && n < RUGI_IFS_FORMS - 1;
         n++)
        size /= 2;
    return n;
}

static inline rugi_ifs_forms rugi_ifs_forms_of(uint32_t size)
{
    const int n = rugi_ifs_halvings_of(size);
    rugi_ifs_forms forms = {.n = n + 1};
    for (int i = 0; i <= n; i++) {
        rugi_ifs_form *f = &forms.form[i];
        f->basis = rugi_ifs_basis_of(size >> (n - i));
        f->n_rests = (uint32_t)(n - i) * RUGI_IFS_KINDS;
        f->rows = f->basis.n + f->n_rests;
        f->at = forms.rows;
        forms.rows += i < n ? f->rows : 0;
    }
    return forms;
}

#endif
