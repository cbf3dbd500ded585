/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lists of box masses. Masses that wait are sorted in when they are as many as those
 * that are sorted, so that each is moved only a few times, however many there are. */

#include "mass_list.h"
#include "core/points/radix_sort.h"
#include <string.h>

/* Masses that wait before they are sorted in: 64 MB. */
#define FEW_WAITING ((size_t)1 << 23)

/* Masses are counted instead of sorted if the largest is below this many times their
 * number. */
#define COUNTED_SPREAD 4

static unsigned bit_length(uint64_t v)
{
    unsigned n = 0;
    for (; v != 0; v >>= 1)
        n++;
    return n;
}

static rug_mass_boxes *new_pairs(rug_context *ctx, size_t n)
{
    return rug_context_allocate(ctx, n, sizeof(rug_mass_boxes), "masses of boxes");
}

/* By a table: few masses are possible. */
static rug_status count_masses(rug_context *ctx, rug_mass_boxes **out, size_t *n_out,
                               const uint64_t *masses, size_t n, uint64_t largest)
{
    size_t n_counts = (size_t)largest + 1, used = 0;
    uint64_t *counts = rug_context_allocate(ctx, n_counts, sizeof *counts, "table");
    if (counts == NULL)
        return RUG_E_NOMEM;
    memset(counts, 0, n_counts * sizeof *counts);
    for (size_t i = 0; i < n; i++)
        counts[masses[i]]++;
    for (size_t m = 1; m < n_counts; m++)
        used += counts[m] > 0;
    *out = new_pairs(ctx, used);
    for (size_t m = 1; *out != NULL && m < n_counts; m++)
        if (counts[m] > 0)
            (*out)[(*n_out)++] = (rug_mass_boxes){m, counts[m]};
    rug_context_release(ctx, counts);
    return *out != NULL ? RUG_OK : RUG_E_NOMEM;
}

static rug_status sort_masses(rug_context *ctx, rug_mass_boxes **out, size_t *n_out,
                              uint64_t *masses, size_t n, uint64_t largest)
{
    uint64_t *scratch = rug_context_allocate(ctx, n, sizeof *scratch, "masses to sort");
    if (scratch == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_sort_u64(ctx, masses, scratch, n, bit_length(largest), NULL);
    rug_context_release(ctx, scratch);
    if (status != RUG_OK)
        return status;
    size_t used = 0;
    for (size_t i = 0; i < n; i++)
        used += masses[i] > 0 && (i == 0 || masses[i] != masses[i - 1]);
    *out = new_pairs(ctx, used);
    if (*out == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        if (masses[i] == 0)
            continue;
        if (*n_out > 0 && (*out)[*n_out - 1].mass == masses[i])
            (*out)[*n_out - 1].boxes++;
        else
            (*out)[(*n_out)++] = (rug_mass_boxes){masses[i], 1};
    }
    return RUG_OK;
}

rug_status rugi_mass_list_of(rug_context *ctx, rug_mass_boxes **out, size_t *n_out,
                             uint64_t *masses, size_t n)
{
    uint64_t largest = 0;
    *out = NULL;
    *n_out = 0;
    for (size_t i = 0; i < n; i++)
        largest = masses[i] > largest ? masses[i] : largest;
    if (largest == 0)
        return RUG_OK;
    if (largest / COUNTED_SPREAD <= n)
        return count_masses(ctx, out, n_out, masses, n, largest);
    return sort_masses(ctx, out, n_out, masses, n, largest);
}

/* Two sorted lists to one. @return its length */
static size_t merge(rug_mass_boxes *out, const rug_mass_boxes *a, size_t n_a,
                    const rug_mass_boxes *b, size_t n_b)
{
    size_t i = 0, j = 0, n = 0;
    while (i < n_a && j < n_b) {
        if (a[i].mass < b[j].mass)
            out[n++] = a[i++];
        else if (a[i].mass > b[j].mass)
            out[n++] = b[j++];
        else {
            out[n] = a[i++];
            out[n++].boxes += b[j++].boxes;
        }
    }
    while (i < n_a)
        out[n++] = a[i++];
    while (j < n_b)
        out[n++] = b[j++];
    return n;
}

/* Adds sorted pairs. */
static rug_status add_pairs(rug_context *ctx, rugi_mass_list *list,
                            const rug_mass_boxes *more, size_t n)
{
    if (n == 0)
        return RUG_OK;
    rug_mass_boxes *all = new_pairs(ctx, list->n + n);
    if (all == NULL)
        return RUG_E_NOMEM;
    list->n = merge(all, list->boxes, list->n, more, n);
    rug_context_release(ctx, list->boxes);
    list->boxes = all;
    return RUG_OK;
}

rug_status rugi_mass_list_sort(rug_context *ctx, rugi_mass_list *list)
{
    rug_mass_boxes *pairs;
    size_t n;
    rug_status status =
        rugi_mass_list_of(ctx, &pairs, &n, list->waiting, list->n_waiting);
    if (status == RUG_OK && list->n == 0) { /* the first become the list */
        rug_mass_boxes *none = list->boxes;
        list->boxes = pairs;
        list->n = n;
        pairs = none;
    } else if (status == RUG_OK) {
        status = add_pairs(ctx, list, pairs, n);
    }
    if (status == RUG_OK)
        list->n_waiting = 0;
    rug_context_release(ctx, pairs);
    return status;
}

/* A larger capacity, with what waits. */
static rug_status enlarge(rug_context *ctx, rugi_mass_list *list, size_t capacity)
{
    uint64_t *waiting = rug_context_allocate(ctx, capacity, sizeof *waiting, "masses");
    if (waiting == NULL)
        return RUG_E_NOMEM;
    if (list->n_waiting > 0)
        memcpy(waiting, list->waiting, list->n_waiting * sizeof *waiting);
    rug_context_release(ctx, list->waiting);
    list->waiting = waiting;
    list->capacity = capacity;
    return RUG_OK;
}

rug_status rugi_mass_list_reserve(rug_context *ctx, rugi_mass_list *list, size_t more)
{
    if (more <= list->capacity - list->n_waiting)
        return RUG_OK;
    size_t most = list->n > FEW_WAITING ? list->n : FEW_WAITING;
    if (list->n_waiting + more > most) {
        rug_status status = rugi_mass_list_sort(ctx, list);
        if (status != RUG_OK)
            return status;
    }
    size_t wanted = list->n_waiting + more;
    if (wanted <= list->capacity)
        return RUG_OK;
    size_t doubled = 2 * list->capacity < most ? 2 * list->capacity : most;
    return enlarge(ctx, list, wanted > doubled ? wanted : doubled);
}

uint64_t *rugi_mass_list_take(rugi_mass_list *list, size_t n)
{
    return list->waiting +
           atomic_fetch_add_explicit(&list->n_waiting, n, memory_order_relaxed);
}

rug_status rugi_mass_list_add(rug_context *ctx, rugi_mass_list *list,
                              const rugi_mass_list *other)
{
    rug_status status = rugi_mass_list_reserve(ctx, list, other->n_waiting);
    if (status != RUG_OK)
        return status;
    size_t n = other->n_waiting;
    if (n > 0)
        memcpy(rugi_mass_list_take(list, n), other->waiting, n * sizeof *other->waiting);
    return add_pairs(ctx, list, other->boxes, other->n);
}

uint64_t rugi_mass_list_boxes(const rugi_mass_list *list)
{
    uint64_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        n += list->boxes[i].boxes;
    for (size_t i = 0; i < list->n_waiting; i++)
        n += list->waiting[i] > 0;
    return n;
}

void rugi_mass_list_free(rug_context *ctx, rugi_mass_list *list)
{
    rug_context_release(ctx, list->boxes);
    rug_context_release(ctx, list->waiting);
    memset(list, 0, sizeof *list);
}
