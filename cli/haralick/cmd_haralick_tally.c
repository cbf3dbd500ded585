/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the rows of an image tell together, for the warnings of `rugose haralick`: how many
 * regions are flat, have few levels, or have no pairs. */

#include "cmd_haralick.h"
#include <string.h>

/* The rows of one region at one distance are complete. */
static void end_distance(cli_haralick_tally *t)
{
    if (t->now.n == 0)
        return;
    if (t->now.n_bare == t->now.n) {
        t->n_empty[t->now.place]++;
        t->n_small[t->now.place] += t->now.is_small ? 1u : 0u;
    } else if (t->now.n_bare > 0) {
        t->n_partly[t->now.place]++;
    }
    t->now.n = t->now.n_bare = 0;
    t->now.place++;
}

static void end_region(cli_haralick_tally *t)
{
    end_distance(t);
    t->n_flat += t->now.is_flat ? 1u : 0u;
}

static void begin_region(cli_haralick_tally *t, const rug_glcm_row *row)
{
    if (t->n_regions == 0 || row->levels < t->least_levels)
        t->least_levels = row->levels;
    if (row->levels > t->most_levels)
        t->most_levels = row->levels;
    t->n_few += row->area > 0 && row->levels < CLI_HARALICK_FEW ? 1u : 0u;
    t->n_pixels += row->area + row->n_nan;
    t->n_nan += row->n_nan;
    t->n_clamped += row->n_clamped;
    t->n_regions++;
    memset(&t->now, 0, sizeof t->now);
    t->now.label = row->label;
    t->now.distance = row->distance;
}

static int is_small(const rug_glcm_row *row)
{
    for (int a = 0; a < 3; a++)
        if (row->shape[a] > row->distance)
            return 0;
    return 1;
}

void cli_haralick_count(cli_haralick_tally *t, const rug_glcm_row *row)
{
    if (t->n_regions == 0 || row->label != t->now.label) {
        end_region(t);
        begin_region(t, row);
    } else if (row->distance != t->now.distance) {
        end_distance(t);
        t->now.distance = row->distance;
    }
    t->now.n++;
    t->now.n_bare += row->pairs == 0 ? 1u : 0u;
    t->now.is_flat |= strcmp(row->status, "flat") == 0;
    t->now.is_small = is_small(row);
    t->engine = row->engine;
}

void cli_haralick_end_count(cli_haralick_tally *t)
{
    end_region(t);
}
