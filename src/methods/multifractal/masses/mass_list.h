/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The masses of boxes of one size: pairs of mass and number, sorted, and masses that wait
 * to be sorted in. */

#ifndef RUGI_MASS_LIST_H
#define RUGI_MASS_LIST_H

#include <rugose/multifractal.h>
#include <stdatomic.h>

/** Empty when zeroed. */
typedef struct rugi_mass_list {
    rug_mass_boxes *boxes; /* [n], by mass, ascending */
    size_t n;
    uint64_t *waiting; /* [capacity]; 0 is no mass */
    atomic_size_t n_waiting;
    size_t capacity;
} rugi_mass_list;

/** Makes sure that `more` masses can be taken.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_mass_list_reserve(rug_context *ctx, rugi_mass_list *list, size_t more);

/** Takes n places among the masses that wait, within the capacity. On any thread. */
uint64_t *rugi_mass_list_take(rugi_mass_list *list, size_t n);

/** Sorts in all masses that wait. */
rug_status rugi_mass_list_sort(rug_context *ctx, rugi_mass_list *list);

/** Adds the masses of another list, which is not changed; those that wait there wait
 *  here. */
rug_status rugi_mass_list_add(rug_context *ctx, rugi_mass_list *list,
                              const rugi_mass_list *other);

/** The pairs of n masses in any order, which are overwritten.
 *  @param out  NULL when none is above 0; else owned by the caller */
rug_status rugi_mass_list_of(rug_context *ctx, rug_mass_boxes **out, size_t *n_out,
                             uint64_t *masses, size_t n);

/** The number of boxes that have a mass. */
uint64_t rugi_mass_list_boxes(const rugi_mass_list *list);

void rugi_mass_list_free(rug_context *ctx, rugi_mass_list *list);

#endif
