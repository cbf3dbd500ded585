/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What is kept of box masses, and the steps that fill it. A part becomes rows of masses;
 * rows are joined and counted in tables and lists; tables, lists and blocks become
 * levels. */

#ifndef RUGI_MASSES_STATE_H
#define RUGI_MASSES_STATE_H

#include "core/blocks/partial_blocks.h"
#include "masses_plan.h"
#include <rugose/multifractal.h>
#include <stdatomic.h>
#include <string.h>

/** The masses of boxes of one size: pairs of mass and number, sorted, and masses that wait
 *  to be sorted in. Empty when zeroed. */
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

/** Sorts in all masses that wait.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED; after a failure all wait as before */
rug_status rugi_mass_list_sort(rug_context *ctx, rugi_mass_list *list);

/** Adds the masses of another list, which is not changed; those that wait there wait
 *  here. */
rug_status rugi_mass_list_add(rug_context *ctx, rugi_mass_list *list,
                              const rugi_mass_list *other);

/** The pairs of n masses in any order.
 *  @param out      NULL when none is above 0; else owned by the caller
 *  @param is_kept  0: masses may be overwritten, which takes less memory */
rug_status rugi_mass_list_of(rug_context *ctx, rug_mass_boxes **out, size_t *n_out,
                             uint64_t *masses, size_t n, int is_kept);

/** The number of boxes that have a mass. */
uint64_t rugi_mass_list_boxes(const rugi_mass_list *list);

static inline void rugi_mass_list_free(rug_context *ctx, rugi_mass_list *list)
{
    rug_context_release(ctx, list->boxes);
    rug_context_release(ctx, list->waiting);
    memset(list, 0, sizeof *list);
}

/** The boxes of one size, by mass. */
typedef struct rugi_mass_level {
    const rug_mass_boxes *boxes;
    size_t n;
    rug_mass_boxes *own; /* what is freed with the level; NULL: a list has them */
} rugi_mass_level;

struct rug_masses {
    rug_context *ctx;
    rugi_masses_plan plan;
    rugi_mass mass;
    rug_mass_of of;
    rug_foreground foreground;
    rugi_cover cover;
    rug_masses *inside; /* of the mask; NULL: none */
    const char *engine;
    uint64_t n_left_out, n_lost;
    /* total mass of pixels that were scanned before they were added */
    uint64_t n_measured;

    uint32_t *tables; /* [n_tables][plan.n_entries], one for each thread */
    size_t n_tables;
    uint64_t n_tabled; /* pixels counted since they were emptied, below 2^32 */
    /* [plan.n_counts]: what they held, from `counts_at` of a level on */
    uint64_t *counts;
    rugi_mass_list lists[RUGI_MASSES_FINE];
    rugi_sparse blocks;          /* masses (uint64_t) of whole blocks */
    rugi_partial_blocks partial; /* masses of pixels in blocks that are not whole */

    int is_points;
    uint64_t point_shape[RUG_POINTS_MAX_AXES];
    uint64_t point_boxes[RUGI_MASSES_LEVELS]; /* of the bounding box, by level */
    uint64_t n_points;

    rug_masses_facts facts; /* of the last rug_masses_get_facts() */
    int is_finished;        /* the levels are those of all masses that were added */
    rugi_mass_level levels[RUGI_MASSES_LEVELS];
};

/** Pixels that are added. */
typedef struct rugi_masses_part {
    rug_image pixels, mask; /* 3D views; mask.data NULL: none */
    rugi_box place;         /* in the whole image */
} rugi_masses_part;

/** Whole blocks of a part, for an engine. */
typedef struct rugi_masses_job {
    rug_masses *masses;
    const rugi_masses_part *part;
    rugi_box blocks; /* first and end of each axis, in blocks */
} rugi_masses_job;

/** The masses of n pixels of a part as a row of a kind.
 *  @param at        the first pixel, z y x, in the whole image
 *  @param n, n_row  pixels, and masses of the row; those behind the pixels are 0
 *  @param slot      memory for the row
 *  @param scratch   RUGI_MASSES_SCRATCH bytes
 *  @return the row: the slot, or where the pixels lie if they are such a row already */
const void *rugi_masses_row(const rugi_mass *mass, rugi_masses_kind kind,
                            const rugi_masses_part *part, const size_t at[3], size_t n,
                            size_t n_row, void *slot, void *scratch);

/** The longest row, and the scratch memory for one. */
#define RUGI_MASSES_ROW     ((size_t)8192)
#define RUGI_MASSES_SCRATCH (2 * RUGI_MASSES_ROW * sizeof(uint64_t) + RUGI_MASSES_ROW)

/** Adds what the tables of another state hold to the counts. */
void rugi_masses_add_tables(rug_masses *masses, const rug_masses *other);

/** Adds what the tables hold to the counts, and empties them. */
static inline void rugi_masses_drain(rug_masses *m)
{
    rugi_masses_add_tables(m, m);
    if (m->n_tables > 0)
        memset(m->tables, 0, m->n_tables * m->plan.n_entries * sizeof *m->tables);
    m->n_tabled = 0;
}

/** The engine of the processor; job is a rugi_masses_job. */
rug_status rugi_masses_cpu(rug_context *ctx, void *job);

/** Counts whole blocks by an engine. */
typedef rug_status rugi_masses_run_fn(rug_context *ctx, rugi_masses_job *job);

/** Adds a part that is checked: no pixel below 0, and a total that 63 bits hold.
 *  @param run  for the blocks that it holds whole */
rug_status rugi_masses_add_part(rug_context *ctx, rug_masses *masses,
                                const rugi_masses_part *part, rugi_masses_run_fn *run);

/** Adds the blocks of another state that are not whole there. */
rug_status rugi_masses_merge_partial(rug_context *ctx, rug_masses *masses,
                                     const rug_masses *other);

/** Makes the levels, unless they are up to date.
 *  @return RUG_OK, RUG_E_ARG (pixels are missing), RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_masses_finish(rug_context *ctx, rug_masses *masses);

#endif
