/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sizes with an odd part: the boxes of the odd size take the place of cells, so that
 * their keys give all its multiples by powers of two. A box is full when as many distinct
 * cells have its key as it has cells. */

#include "boxcount_hou_job.h"
#include "core/context/threads.h"
#include <string.h>

/* Keys of a task that selects. */
#define TASK_KEYS ((size_t)1 << 16)

/* The first keys of all runs of `length` equal keys. */
typedef struct selection {
    const void *from;
    void *to;
    size_t n, length, n_tasks;
    size_t *first; /* [n_tasks + 1]: where the keys of a task go */
} selection;

#define KEY         uint64_t
#define KEYED(name) name##_u64
#include "boxcount_hou_sizes_tmpl.h"
#undef KEY
#undef KEYED
#define KEY         rugi_u128
#define KEYED(name) name##_u128
#include "boxcount_hou_sizes_tmpl.h"
#undef KEY
#undef KEYED

/* Selects runs; s->to has room for all of them. */
static rug_status select_runs(const rugi_hou *h, selection *s, size_t *n_selected)
{
    rugi_task_fn count = h->is_wide ? count_runs_task_u128 : count_runs_task_u64;
    rugi_task_fn copy = h->is_wide ? copy_runs_task_u128 : copy_runs_task_u64;
    s->n_tasks = s->n / TASK_KEYS + 1;
    s->first = rug_context_allocate(h->ctx, s->n_tasks + 1, sizeof *s->first,
                                    "shares of the keys");
    if (s->first == NULL)
        return RUG_E_NOMEM;
    s->first[0] = 0;
    rug_status status = RUG_OK;
    RUGI_PHASE(h, 0, 0.5, status,
               rugi_parallel_for_timed(h->ctx, s->n_tasks, count, s, h->seconds));
    for (size_t t = 0; status == RUG_OK && t < s->n_tasks; t++)
        s->first[t + 1] += s->first[t];
    *n_selected = status == RUG_OK ? s->first[s->n_tasks] : 0;
    RUGI_PHASE(h, 0.5, 1, status,
               rugi_parallel_for_timed(h->ctx, s->n_tasks, copy, s, h->seconds));
    rug_context_release(h->ctx, s->first);
    return status;
}

/* The other sizes need each cell once. */
rug_status rugi_hou_keep_distinct(rugi_hou *h)
{
    size_t n;
    selection s = {.from = h->keys, .to = h->scratch, .n = h->n, .length = 1};
    rug_status status = select_runs(h, &s, &n);
    if (status != RUG_OK)
        return status;
    void *keys = h->scratch;
    h->scratch = h->keys;
    h->keys = keys;
    rugi_hou_set_tasks(h, n);
    return RUG_OK;
}

/* The counts of all sizes with an odd part. */
void rugi_hou_fill_sizes(rug_boxcount_result *result, uint64_t odd,
                         const rugi_key_layout *layout, const uint64_t *nonempty,
                         const uint64_t *full)
{
    for (uint32_t i = 0; i < result->n_sizes; i++) {
        rug_box_count *c = &result->counts[i];
        unsigned m = rugi_twos_of(c->size), bits = layout->box_bits[m];
        if (c->size >> m != odd)
            continue;
        c->nonempty = nonempty[bits];
        c->black = bits == m * (unsigned)layout->axes ? full[bits] : 0;
    }
}

size_t rugi_hou_cells_of_box(uint64_t size, int axes, size_t n)
{
    size_t cells = 1;
    for (int a = 0; a < axes; a++) {
        if (size > n / cells)
            return SIZE_MAX;
        cells *= (size_t)size;
    }
    return cells;
}

void rugi_hou_box_layout(rugi_key_layout *out, const rugi_cell_range *cells,
                         uint64_t size)
{
    rugi_cell_range boxes = *cells;
    for (int a = 0; a < boxes.axes; a++) {
        boxes.least[a] = rugi_box_place(boxes.least[a], cells->zero, size);
        boxes.most[a] = rugi_box_place(boxes.most[a], cells->zero, size);
    }
    boxes.zero = (uint64_t)1 << 63;
    rugi_key_layout_make(out, &boxes);
}

/* The full sets of boxes that are full themselves: as many equal keys as cells. */
static rug_status scan_black(const rugi_hou *h, rugi_key_counts *out)
{
    int axes = h->box_layout->axes;
    selection s = {.from = h->scratch,
                   .to = h->third,
                   .n = h->n,
                   .length = rugi_hou_cells_of_box(h->box_size, axes, h->n)};
    size_t n = 0;
    memset(out, 0, sizeof *out);
    if (s.length == SIZE_MAX)
        return RUG_OK;
    rug_status status = RUG_OK;
    RUGI_PHASE(h, 0, 0.5, status, select_runs(h, &s, &n));
    RUGI_PHASE(h, 0.5, 1, status, rugi_hou_scan(h, out, h->third, n, h->box_layout));
    return status;
}

static rug_status count_odd(rugi_hou *h, rug_boxcount_result *result, uint64_t odd)
{
    rugi_task_fn boxes = h->is_wide ? box_task_u128 : box_task_u64;
    rugi_key_layout layout;
    rugi_key_counts counts, black;
    rugi_hou_box_layout(&layout, &h->cells->range, odd);
    h->box_size = odd;
    h->box_layout = &layout;
    rug_status status = RUG_OK;
    RUGI_PHASE(h, 0, 0.2, status,
               rugi_parallel_for_timed(h->ctx, h->n_tasks, boxes, h, h->seconds));
    RUGI_PHASE(h, 0.2, 0.7, status,
               rugi_hou_sort(h, h->scratch, h->third, h->n, layout.bits));
    RUGI_PHASE(h, 0.7, 0.8, status, rugi_hou_scan(h, &counts, h->scratch, h->n, &layout));
    RUGI_PHASE(h, 0.8, 1, status, scan_black(h, &black));
    if (status == RUG_OK)
        rugi_hou_fill_sizes(result, odd, &layout, counts.nonempty, black.full);
    return status;
}

/* Whether an odd part above 1 comes at this size and not before. */
int rugi_hou_is_new_odd(const rug_boxcount_result *result, uint32_t i, uint64_t *odd)
{
    const rug_box_count *c = result->counts;
    *odd = c[i].size >> rugi_twos_of(c[i].size);
    for (uint32_t j = 0; j < i; j++)
        if (c[j].size >> rugi_twos_of(c[j].size) == *odd)
            return 0;
    return *odd > 1;
}

rug_status rugi_hou_count_odd_sizes(rugi_hou *h, rug_boxcount_result *result)
{
    h->third = rugi_hou_new_keys(h, h->n);
    rug_status status = h->third != NULL ? RUG_OK : RUG_E_NOMEM;
    for (uint32_t i = 0; i < result->n_sizes; i++) {
        uint64_t odd;
        double n_sizes = result->n_sizes;
        if (rugi_hou_is_new_odd(result, i, &odd))
            RUGI_PHASE(h, i / n_sizes, (i + 1) / n_sizes, status,
                       count_odd(h, result, odd));
    }
    return status;
}
