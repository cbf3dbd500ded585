/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The loops over keys for sizes with an odd part, for one type of key: KEY is the type,
 * KEYED(name) names a function of it. Included by boxcount_hou.c once for each
 * type. */

/* The keys of the boxes that hold some cells, from the keys of the cells. */
static void KEYED(box_task)(void *shared, size_t task, int thread)
{
    const rugi_hou *h = shared;
    uint64_t *places = h->places + (size_t)thread * h->places_step;
    size_t end = rugi_share_begin(h->n, h->n_tasks, task + 1);
    for (size_t i = rugi_share_begin(h->n, h->n_tasks, task); i < end;
         i += RUGI_CELLS_BLOCK) {
        size_t n = end - i < RUGI_CELLS_BLOCK ? end - i : RUGI_CELLS_BLOCK;
        h->kernels.KEYED(decode)(h->layout, (const KEY *)h->keys + i, n, places);
        for (int a = 0; a < h->layout->axes; a++)
            for (size_t j = 0; j < n; j++) {
                uint64_t *place = &places[(size_t)a * RUGI_CELLS_BLOCK + j];
                *place = rugi_box_place(*place, h->cells->range.zero, h->box_size);
            }
        h->kernels.KEYED(encode)(h->box_layout, places, n, (KEY *)h->scratch + i);
    }
}

/* Whether a run of so many equal keys begins here. */
static inline int KEYED(is_run)(const KEY *keys, size_t n, size_t i, size_t length)
{
    return (i == 0 || keys[i] != keys[i - 1]) && length <= n - i &&
           keys[i + length - 1] == keys[i];
}

static void KEYED(count_runs_task)(void *shared, size_t task, int thread)
{
    const selection *s = shared;
    (void)thread;
    size_t count = 0, end = rugi_share_begin(s->n, s->n_tasks, task + 1);
    for (size_t i = rugi_share_begin(s->n, s->n_tasks, task); i < end; i++)
        count += (size_t)KEYED(is_run)(s->from, s->n, i, s->length);
    s->first[task + 1] = count;
}

static void KEYED(copy_runs_task)(void *shared, size_t task, int thread)
{
    const selection *s = shared;
    (void)thread;
    const KEY *from = s->from;
    KEY *to = (KEY *)s->to + s->first[task];
    size_t end = rugi_share_begin(s->n, s->n_tasks, task + 1);
    for (size_t i = rugi_share_begin(s->n, s->n_tasks, task); i < end; i++)
        if (KEYED(is_run)(from, s->n, i, s->length))
            *to++ = from[i];
}
