/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Parallel loops: each task once, as many threads as the work pays for; and how many processors
 * there are, by the quotas of control groups. */

#include "support.h"

#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include <pthread.h>
#include <rugose/boxcount.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define N_TASKS 1000

/* ---- Loops ---- */

typedef struct seen {
    atomic_int times[N_TASKS];
    atomic_int most_thread;
    atomic_int n_elsewhere; /* tasks that another thread than the caller's ran */
    pthread_t caller;
} seen;

static void note_task(void *shared, size_t task, int thread)
{
    seen *s = shared;
    atomic_fetch_add(&s->times[task], 1);
    int most = atomic_load(&s->most_thread);
    while (thread > most && !atomic_compare_exchange_weak(&s->most_thread, &most, thread))
        ;
    if (!pthread_equal(pthread_self(), s->caller))
        atomic_fetch_add(&s->n_elsewhere, 1);
}

static rug_status run_loop(rug_context *ctx, seen *s, size_t n_tasks)
{
    memset(s, 0, sizeof *s);
    s->caller = pthread_self();
    return rugi_parallel_for(ctx, n_tasks, note_task, s);
}

static void every_task_runs_once(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static seen s;
    for (int n_threads = 1; n_threads <= 9; n_threads += 4) {
        assert_int_equal(rug_context_set_threads(ctx, n_threads), RUG_OK);
        assert_int_equal(run_loop(ctx, &s, N_TASKS), RUG_OK);
        for (size_t i = 0; i < N_TASKS; i++)
            assert_int_equal(s.times[i], 1);
        assert_true(s.most_thread < n_threads);
    }
    rug_context_free(ctx);
}

/* Who ran each task. */
typedef struct owners {
    atomic_int of[N_TASKS];
    atomic_size_t
        first_elsewhere; /* the first task of another thread than the caller's */
    atomic_int is_elsewhere;
} owners;

/* The first task ends when another thread has begun, or never will. */
static void own_task(void *shared, size_t task, int thread)
{
    owners *o = shared;
    atomic_store(&o->of[task], thread);
    if (thread != 0 && atomic_exchange(&o->is_elsewhere, 1) == 0)
        atomic_store(&o->first_elsewhere, task);
    for (int i = 0; task == 0 && i < 100000 && !atomic_load(&o->is_elsewhere); i++)
        rugi_yield();
}

/* Where there are many, a thread takes several neighbours at once, so that the counter of all threads is
 * not written for each of them; the last ones it takes one by one. */
static void neighbours_are_taken_at_once(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static owners o;
    const size_t last = 8 * 4; /* of each of 4 threads */
    assert_int_equal(rug_context_set_threads(ctx, 4), RUG_OK);
    assert_int_equal(rugi_parallel_for(ctx, N_TASKS, own_task, &o), RUG_OK);
    for (size_t i = 0; i + 2 * RUGI_TASKS_TAKEN * last < N_TASKS; i++)
        assert_int_equal(o.of[i], o.of[i - i % RUGI_TASKS_TAKEN]);
    assert_true(!o.is_elsewhere || o.of[0] != 0 ||
                o.first_elsewhere % RUGI_TASKS_TAKEN == 0);
    memset(&o, 0, sizeof o);
    assert_int_equal(rugi_parallel_for(ctx, last, own_task, &o), RUG_OK);
    assert_true(!o.is_elsewhere || o.of[0] != 0 || o.first_elsewhere < 4);
    rug_context_free(ctx);
}

/* What each thread has of its own in an array is alone in its cache lines. */
static void own_lines(void **state)
{
    (void)state;
    typedef struct one {
        RUGI_OWN_LINES char byte;
    } one;
    assert_int_equal(sizeof(one[3]), 3 * RUGI_ALIGNMENT);
    assert_int_equal(rugi_whole_lines(0), 0);
    assert_int_equal(rugi_whole_lines(1), RUGI_ALIGNMENT);
    assert_int_equal(rugi_whole_lines(RUGI_ALIGNMENT), RUGI_ALIGNMENT);
    assert_int_equal(rugi_whole_lines(RUGI_ALIGNMENT + 1), 2 * RUGI_ALIGNMENT);
}

static int threads_of(rug_context *ctx, double work)
{
    int outer = rugi_threads_enter(ctx, work), n = rug_context_threads(ctx);
    rugi_threads_leave(ctx, outer);
    return n;
}

static void work_pays_for_threads(void **state)
{
    (void)state;
    rug_context *ctx;
    assert_int_equal(rug_context_new(&ctx), RUG_OK);
    assert_int_equal(rug_context_set_threads(ctx, 8), RUG_OK);
    assert_int_equal(threads_of(ctx, 0), 1);
    assert_int_equal(threads_of(ctx, 0.99 * RUGI_WORK_OF_A_THREAD), 1);
    assert_int_equal(threads_of(ctx, RUGI_WORK_OF_A_THREAD), 2);
    assert_int_equal(threads_of(ctx, 6.5 * RUGI_WORK_OF_A_THREAD), 7);
    assert_int_equal(threads_of(ctx, 7 * RUGI_WORK_OF_A_THREAD), 8);
    assert_int_equal(threads_of(ctx, 1e300), 8);
    assert_int_equal(rug_context_threads(ctx), 8);
    /* what is within pays for no more than what is around it */
    int outer = rugi_threads_enter(ctx, RUGI_WORK_OF_A_THREAD);
    assert_int_equal(threads_of(ctx, 1e300), 2);
    assert_int_equal(rug_context_threads(ctx), 2);
    rugi_threads_leave(ctx, outer);
    assert_int_equal(rug_context_threads(ctx), 8);
    rug_context_free(ctx);
}

static void little_work_stays_on_the_calling_thread(void **state)
{
    (void)state;
    static seen s;
    rug_context *ctx;
    assert_int_equal(rug_context_new(&ctx), RUG_OK);
    assert_int_equal(rug_context_set_threads(ctx, 4), RUG_OK);
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, 1000, status, run_loop(ctx, &s, N_TASKS));
    assert_int_equal(status, RUG_OK);
    assert_int_equal(s.n_elsewhere, 0);
    assert_int_equal(rug_context_threads(ctx), 4);
    RUGI_WORK(ctx, 1000, status, RUG_E_NOMEM);
    assert_int_equal(status, RUG_E_NOMEM);
    RUGI_WORK(ctx, 1000, status, run_loop(ctx, &s, 1)); /* not after a failure */
    assert_int_equal(s.times[1], 1);
    assert_int_equal(rug_context_threads(ctx), 4);
    rug_context_free(ctx);
}

static void calls_leave_the_threads_as_they_were(void **state)
{
    (void)state;
    static const uint8_t pixels[64 * 64] = {1, 2, 3};
    static const size_t shape[2] = {64, 64};
    rug_context *ctx;
    rug_image image;
    rug_boxcount_result *result;
    assert_int_equal(rug_context_new(&ctx), RUG_OK);
    assert_int_equal(rug_context_set_threads(ctx, 5), RUG_OK);
    assert_int_equal(rug_image_view(ctx, &image, pixels, RUG_U8, 2, shape), RUG_OK);
    assert_int_equal(rug_boxcount(ctx, &result, &image, NULL), RUG_OK);
    assert_int_equal(rug_context_threads(ctx), 5);
    rug_boxcount_free(result);
    rug_context_free(ctx);
}

static int stop_late(void *user)
{
    return ++*(int *)user > 10;
}

static void cancelled_loops_stop(void **state)
{
    (void)state;
    static seen s;
    rug_context *ctx = test_context();
    for (int n_threads = 1; n_threads <= 4; n_threads += 3) {
        int n_asked = 0;
        assert_int_equal(rug_context_set_threads(ctx, n_threads), RUG_OK);
        rug_context_set_cancel(ctx, stop_late, &n_asked);
        /* the calling thread may have had few of the tasks when others have done all */
        rug_status status = run_loop(ctx, &s, N_TASKS);
        assert_true(status == RUG_E_CANCELLED || n_asked <= 10);
        assert_true(n_threads > 1 || status == RUG_E_CANCELLED);
    }
    rug_context_free(ctx);
}

static void keep_share(void *user, double share)
{
    double *last = user;
    assert_true(share >= *last && share <= 1);
    *last = share;
}

/* A task that ends when it is stopped; in it, maybe, a loop of a worker whose tasks are such. */
typedef struct endless {
    rug_context worker; /* .n_threads 0: the task itself waits */
    atomic_int n_begun, n_stopped;
    rug_status inner;
} endless;

static void wait_task(void *shared, size_t task, int thread)
{
    endless *e = shared;
    (void)task, (void)thread;
    atomic_fetch_add(&e->n_begun, 1);
    while (!rugi_must_stop())
        ;
    atomic_fetch_add(&e->n_stopped, 1);
}

static void wait_inside_task(void *shared, size_t task, int thread)
{
    endless *e = shared;
    rug_context worker = e->worker;
    (void)task, (void)thread;
    rug_status status = rugi_parallel_for(&worker, 3, wait_task, e);
    if (status != RUG_E_CANCELLED)
        e->inner = status;
}

static int at_the_fifth_look(void *user)
{
    return ++*(int *)user >= 5;
}

static void long_tasks_stop(void **state)
{
    (void)state;
    assert_int_equal(rugi_must_stop(), 0);
    for (int n_threads = 1; n_threads <= 3; n_threads++)
        for (int nested = 0; nested < 2; nested++) {
            rug_context *ctx = test_context();
            int looks = 0;
            assert_int_equal(rug_context_set_threads(ctx, n_threads), RUG_OK);
            rug_context_set_cancel(ctx, at_the_fifth_look, &looks);
            endless e = {.worker = rugi_context_for_worker(ctx),
                         .inner = RUG_E_CANCELLED};
            assert_int_equal(
                rugi_parallel_for(ctx, 100, nested ? wait_inside_task : wait_task, &e),
                RUG_E_CANCELLED);
            assert_true(looks >= 5 && looks < 8);
            assert_int_equal(e.inner, RUG_E_CANCELLED);
            assert_true(e.n_begun >= 1 && e.n_begun <= n_threads);
            assert_int_equal(e.n_stopped, e.n_begun);
            assert_int_equal(rugi_must_stop(), 0);
            rug_context_free(ctx);
        }
}

static void progress_rises_to_1(void **state)
{
    (void)state;
    static seen s;
    rug_context *ctx = test_context();
    for (int n_threads = 1; n_threads <= 4; n_threads++) {
        double last = 0;
        assert_int_equal(rug_context_set_threads(ctx, n_threads), RUG_OK);
        rug_context_set_progress(ctx, keep_share, &last);
        assert_int_equal(run_loop(ctx, &s, N_TASKS), RUG_OK);
        assert_true(last >= 1);
    }
    rug_context_free(ctx);
}

/* ---- Quotas ---- */

static char root[] = "/tmp/rugose_quota_XXXXXX";

static int make_root(void **state)
{
    (void)state;
    strcpy(root, "/tmp/rugose_quota_XXXXXX");
    return mkdtemp(root) == NULL;
}

static int remove_root(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

/* Writes a file below the root, and makes its folders. */
static void put(const char *path, const char *text)
{
    char all[1024];
    snprintf(all, sizeof all, "%s/%s", root, path);
    for (char *slash = strchr(all + strlen(root) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(all, 0700);
        *slash = '/';
    }
    FILE *file = fopen(all, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void no_groups_are_no_quota(void **state)
{
    (void)state;
    assert_int_equal(rugi_quota_processors(root, 8), 8);
    put("proc/self/cgroup", "");
    assert_int_equal(rugi_quota_processors(root, 8), 8);
    put("proc/self/cgroup", "0::/a/b\n");
    assert_int_equal(rugi_quota_processors(root, 8), 8);
    assert_true(rugi_processors() >= 1);
}

static void version_2_takes_the_least_of_all_above(void **state)
{
    (void)state;
    put("proc/self/cgroup", "0::/a/b\n");
    put("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    assert_int_equal(rugi_quota_processors(root, 8), 8);
    put("sys/fs/cgroup/a/b/cpu.max", "250000 100000\n"); /* 2.5, rounded up */
    assert_int_equal(rugi_quota_processors(root, 8), 3);
    assert_int_equal(rugi_quota_processors(root, 2), 2);
    put("sys/fs/cgroup/a/cpu.max", "200000 100000\n");
    assert_int_equal(rugi_quota_processors(root, 8), 2);
    put("sys/fs/cgroup/cpu.max", "1000 100000");
    assert_int_equal(rugi_quota_processors(root, 8), 1);
}

/* In a container the group that is named may not be mounted, but its own files are. */
static void groups_that_are_not_mounted(void **state)
{
    (void)state;
    put("sys/fs/cgroup/cpu.max", "400000 100000\n");
    put("proc/self/cgroup", "0::/docker/0123\n");
    assert_int_equal(rugi_quota_processors(root, 8), 4);
    put("proc/self/cgroup", "0::/../../other\n");
    assert_int_equal(rugi_quota_processors(root, 8), 4);
    put("proc/self/cgroup", "0::/");
    assert_int_equal(rugi_quota_processors(root, 8), 4);
}

static void version_1_has_two_files(void **state)
{
    (void)state;
    put("proc/self/cgroup", "9:memory:/m\n4:cpu,cpuacct:/batch\n0::/\n");
    put("sys/fs/cgroup/cpu/batch/cpu.cfs_period_us", "50000\n");
    put("sys/fs/cgroup/cpu/batch/cpu.cfs_quota_us", "-1\n");
    assert_int_equal(rugi_quota_processors(root, 8), 8);
    put("sys/fs/cgroup/cpu/batch/cpu.cfs_quota_us", "150000\n");
    assert_int_equal(rugi_quota_processors(root, 8), 3);
    put("proc/self/cgroup", "4:cpuacct,cpuset:/batch\n"); /* another controller */
    assert_int_equal(rugi_quota_processors(root, 8), 8);
    put("proc/self/cgroup", "4:cpuset,cpu:/batch\n");
    assert_int_equal(rugi_quota_processors(root, 8), 3);
}

static void broken_files_are_no_quota(void **state)
{
    (void)state;
    static const char *const values[] = {
        "",      "\n",  "100000",  "100000 ",       "100000 0", "0 100000",
        "-5 -5", "x y", "nan nan", "1e400 100000",  "inf 1",    "100000 -1",
        "  ",    "max", "max max", "-100000 100000"};
    put("proc/self/cgroup", "0::/a\n");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        put("sys/fs/cgroup/a/cpu.max", values[i]);
        assert_int_equal(rugi_quota_processors(root, 8), 8);
    }
    put("sys/fs/cgroup/a/cpu.max", "1 1e308\n");
    assert_int_equal(rugi_quota_processors(root, 8), 1);
    static const char *const lines[] = {":",    "::",  "0:",     "0::",   "x",
                                        "\n\n", ":::", "0:,:/a", "0:cpu", "4:cpu,:/a"};
    put("sys/fs/cgroup/a/cpu.max", "100000 100000\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        put("proc/self/cgroup", lines[i]);
        assert_int_equal(rugi_quota_processors(root, 8), 8);
    }
}

/* A path longer than any buffer, and lines behind it. */
static void long_lines(void **state)
{
    (void)state;
    size_t n = 20000;
    char *text = malloc(n + 32);
    assert_non_null(text);
    memcpy(text, "0::/", 4);
    memset(text + 4, 'p', n);
    strcpy(text + 4 + n, "\n0::/a\n");
    put("proc/self/cgroup", text);
    put("sys/fs/cgroup/a/cpu.max", "300000 100000\n");
    assert_int_equal(rugi_quota_processors(root, 8), 3);
    for (size_t i = 4; i < n; i += 2)
        text[i] = '/';
    put("proc/self/cgroup", text);
    assert_int_equal(rugi_quota_processors(root, 8), 3);
    assert_int_equal(rugi_quota_processors(text, 8), 8);
    free(text);
}

#define QUOTA_TEST(f) cmocka_unit_test_setup_teardown(f, make_root, remove_root)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once),
        cmocka_unit_test(neighbours_are_taken_at_once),
        cmocka_unit_test(own_lines),
        cmocka_unit_test(work_pays_for_threads),
        cmocka_unit_test(little_work_stays_on_the_calling_thread),
        cmocka_unit_test(calls_leave_the_threads_as_they_were),
        cmocka_unit_test(cancelled_loops_stop),
        cmocka_unit_test(long_tasks_stop),
        cmocka_unit_test(progress_rises_to_1),
        QUOTA_TEST(no_groups_are_no_quota),
        QUOTA_TEST(version_2_takes_the_least_of_all_above),
        QUOTA_TEST(groups_that_are_not_mounted),
        QUOTA_TEST(version_1_has_two_files),
        QUOTA_TEST(broken_files_are_no_quota),
        QUOTA_TEST(long_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
