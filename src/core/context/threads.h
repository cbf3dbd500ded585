/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Parallel loops. */

#ifndef RUGI_THREADS_H
#define RUGI_THREADS_H

#include <pthread.h>
#include <rugose/context.h>
#include <sched.h>
#include <stddef.h>

/** The most threads that a context may ask for. */
#define RUGI_MAX_THREADS 4096

/** Alignment of the library's memory: a cache line and the widest vector. */
#define RUGI_ALIGNMENT 64

/** Before the first member of what each thread has of its own in an array, and of what all threads
 *  write: no two of them share a cache line, which would go from one processor to another with
 *  every write. Memory is that of rug_context_allocate(). */
#define RUGI_OWN_LINES _Alignas(RUGI_ALIGNMENT)

/** So many bytes, and up to the end of the last cache line. */
static inline size_t rugi_whole_lines(size_t n_bytes)
{
    return (n_bytes + RUGI_ALIGNMENT - 1) / RUGI_ALIGNMENT * RUGI_ALIGNMENT;
}

/** Bytes of a thread's stack that suffice; a limit such as `ulimit -s` may give a new one fewer. */
#define RUGI_STACK_BYTES ((size_t)1 << 20)

/** Starts a thread, with a stack that suffices. @return 0, or an errno */
static inline int rugi_start_thread(pthread_t *out, void *(*function)(void *), void *user)
{
    pthread_attr_t attributes;
    size_t n_bytes = 0;
    int error = pthread_attr_init(&attributes);
    if (error != 0)
        return error;
    pthread_attr_getstacksize(&attributes, &n_bytes);
    if (n_bytes < RUGI_STACK_BYTES)
        pthread_attr_setstacksize(&attributes, RUGI_STACK_BYTES);
    error = pthread_create(out, &attributes, function, user);
    pthread_attr_destroy(&attributes);
    return error;
}

/** One task of a loop.
 *  @param shared  as handed to rugi_parallel_for()
 *  @param task    0..n_tasks-1, each once, in any order
 *  @param thread  0..n_threads-1; never two tasks at once with the same number */
typedef void (*rugi_task_fn)(void *shared, size_t task, int thread);

/** The number of processors that this process may use, 1..RUGI_MAX_THREADS: those that it may run
 *  on, or as many as the quotas of its control groups pay for, rounded up. */
int rugi_processors(void);

/** What the quotas of control groups, of both versions, leave of so many processors. Whatever
 *  cannot be read as one is no quota.
 *  @param root  the folder that has proc/self/cgroup and sys/fs/cgroup; "" for the system's
 *  @return 1..most */
int rugi_quota_processors(const char *root, int most);

/** Nanoseconds of work that pay for a thread more: to wake one takes up to 60 microseconds, and
 *  when it is done it waits awake for a while. */
#define RUGI_WORK_OF_A_THREAD 200e3

/** Until it is left, rug_context_threads() is no more than work pays for.
 *  @param nanoseconds  of one thread, about; not below 0
 *  @return for rugi_threads_leave() */
int rugi_threads_enter(rug_context *ctx, double nanoseconds);
void rugi_threads_leave(rug_context *ctx, int outer);

/** Does a step of a call with no more threads than its work pays for, unless an earlier step
 *  has failed. What the step allocates for each thread is not for other steps. */
#define RUGI_WORK(ctx, nanoseconds, status, call)              \
    do {                                                       \
        if ((status) == RUG_OK) {                              \
            int outer_ = rugi_threads_enter(ctx, nanoseconds); \
            (status) = (call);                                 \
            rugi_threads_leave(ctx, outer_);                   \
        }                                                      \
    } while (0)

/** The most tasks that a thread takes at once: what all threads write is written so much less often
 *  than there are tasks. */
#define RUGI_TASKS_TAKEN 8

/** How many threads a loop over n_tasks uses: never more than there are tasks. */
int rugi_loop_threads(const rug_context *ctx, size_t n_tasks);

/** Runs all tasks on at most rugi_loop_threads() threads, reports progress and stops between tasks
 *  when cancelled. Threads take them in their order, up to RUGI_TASKS_TAKEN neighbours at once where
 *  there are many. In a task it runs on the task's own thread.
 *  @return RUG_OK, RUG_E_CANCELLED (some tasks have not run) */
rug_status rugi_parallel_for(rug_context *ctx, size_t n_tasks, rugi_task_fn task,
                             void *shared);

/** Whether the loop that the running task is in was cancelled, or one around it, so that what the
 *  task makes is not needed: for tasks that take longer than some milliseconds, again and again. On
 *  the calling thread it asks for cancellation. The loop then returns RUG_E_CANCELLED.
 *  @return 0 outside of loops */
int rugi_must_stop(void);

/** The same for steps of a call that may be outside of loops: asks for cancellation, without
 *  progress.
 *  @return RUG_OK, RUG_E_CANCELLED */
rug_status rugi_look(rug_context *ctx);

/** Items of a list between two looks: some milliseconds of work. */
#define RUGI_LOOK_ITEMS ((size_t)1 << 20)

/** The end of the items from `first` on that come before the next look. */
static inline size_t rugi_look_end(size_t first, size_t n)
{
    return n - first > RUGI_LOOK_ITEMS ? first + RUGI_LOOK_ITEMS : n;
}

/** Lets other threads run, for a task that waits for what one of them is about to finish. */
static inline void rugi_yield(void)
{
    sched_yield();
}

/** rugi_parallel_for() that adds the processor time that each thread spends in tasks.
 *  @param seconds  [rug_context_threads()], or NULL */
rug_status rugi_parallel_for_timed(rug_context *ctx, size_t n_tasks, rugi_task_fn task,
                                   void *shared, double *seconds);

#endif
