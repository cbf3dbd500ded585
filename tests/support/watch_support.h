/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Watching the progress of a call, and stopping it. Include it after support.h. */

#ifndef RUGOSE_WATCH_SUPPORT_H
#define RUGOSE_WATCH_SUPPORT_H

typedef struct watch {
    int n_calls, n_backwards;
    double last;
    int cancel_at; /* the call of progress, from 1, after which it stops; 0 = never */
} watch;

static inline void see_progress(void *user, double share)
{
    watch *w = user;
    w->n_calls++;
    w->n_backwards += share < w->last || share > 1;
    w->last = share;
}

static inline int see_cancel(void *user)
{
    const watch *w = user;
    return w->cancel_at != 0 && w->n_calls >= w->cancel_at;
}

/* Lets so many questions whether to stop be answered with no, and counts them. */
typedef struct countdown {
    int left, n_calls;
} countdown;

static inline int stop_at(void *user)
{
    countdown *c = user;
    c->n_calls++;
    return c->left-- <= 0;
}

#endif
