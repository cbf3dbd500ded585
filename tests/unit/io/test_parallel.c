/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Loops over the pieces of a file. */

#include "io/base/parallel.h"
#include "support.h"
#include "watch_support.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define N_PIECES 500

typedef struct work {
    atomic_int seen[N_PIECES];
    atomic_int busy[8]; /* threads */
    atomic_int wrong;   /* two pieces at once with a thread's number, or a text */
    size_t fails_from;  /* this piece and every third after it fail */
} work;

static rug_status do_piece(void *shared, size_t piece, int thread, char *text)
{
    work *w = shared;
    if (atomic_fetch_add(&w->busy[thread], 1) != 0 || text[0] != '\0')
        w->wrong = 1;
    atomic_fetch_add(&w->seen[piece], 1);
    atomic_fetch_sub(&w->busy[thread], 1);
    if (piece < w->fails_from || (piece - w->fails_from) % 3 != 0)
        return RUG_OK;
    snprintf(text, RUGI_PIECE_TEXT, "piece %zu", piece);
    return RUG_E_FORMAT;
}

static void each_piece_once(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    for (int threads = 1; threads <= 8; threads++)
        for (size_t n = 0; n <= N_PIECES; n += n < 10 ? 1 : 490) {
            work w = {.fails_from = SIZE_MAX};
            watch seen = {0};
            assert_int_equal(rug_context_set_threads(ctx, threads), RUG_OK);
            rug_context_set_progress(ctx, see_progress, &seen);
            assert_int_equal(rugi_for_pieces(ctx, n, do_piece, &w), RUG_OK);
            for (size_t i = 0; i < N_PIECES; i++)
                assert_int_equal(w.seen[i], i < n);
            assert_int_equal(w.wrong, 0);
            assert_int_equal(seen.n_backwards, 0);
            assert_true(seen.last >= 1);
        }
    rug_context_free(ctx);
}

static void the_first_failure_is_reported(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    for (int threads = 1; threads <= 8; threads++)
        for (size_t first = 0; first < N_PIECES; first += 33) {
            work w = {.fails_from = first};
            char expected[32];
            snprintf(expected, sizeof expected, "piece %zu", first);
            assert_int_equal(rug_context_set_threads(ctx, threads), RUG_OK);
            assert_int_equal(rugi_for_pieces(ctx, N_PIECES, do_piece, &w), RUG_E_FORMAT);
            assert_string_equal(rug_context_error(ctx), expected);
            assert_int_equal(w.wrong, 0);
            for (size_t i = 0; i <= first; i++)
                assert_int_equal(w.seen[i], 1);
            if (threads == 1)
                for (size_t i = first + 1; i < N_PIECES; i++)
                    assert_int_equal(w.seen[i], 0);
        }
    rug_context_free(ctx);
}

static pthread_t caller;
static atomic_int others_asked;

static int caller_asks(void *user)
{
    if (!pthread_equal(caller, pthread_self()))
        others_asked = 1;
    return stop_at(user);
}

static void stops_when_cancelled(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    caller = pthread_self();
    for (int threads = 1; threads <= 8; threads++)
        for (int left = 0; left < 4; left++) {
            work w = {.fails_from = SIZE_MAX};
            countdown c = {.left = left};
            assert_int_equal(rug_context_set_threads(ctx, threads), RUG_OK);
            rug_context_set_cancel(ctx, caller_asks, &c);
            rug_status status = rugi_for_pieces(ctx, N_PIECES, do_piece, &w);
            /* The others may leave nothing to the calling thread but the last question. */
            assert_int_equal(status, c.n_calls > left ? RUG_E_CANCELLED : RUG_OK);
            if (threads == 1)
                for (size_t i = 0; i < N_PIECES; i++)
                    assert_int_equal(w.seen[i], i <= (size_t)left);
        }
    assert_int_equal(others_asked, 0);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_piece_once),
        cmocka_unit_test(the_first_failure_is_reported),
        cmocka_unit_test(stops_when_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
