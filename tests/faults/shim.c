/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A library to be preloaded, in which one allocation or the start of one thread fails, or all of them
 * from one on. Counted is what the program and all libraries ask for from the begin of main() on.
 *
 *     RUGOSE_FAULT=alloc:N       the N-th allocation fails; from 1
 *     RUGOSE_FAULT=alloc-from:N  so do all after it
 *     RUGOSE_FAULT=thread:N      the N-th pthread_create() fails
 *     RUGOSE_FAULT=thread-from:N so do all after it
 *     RUGOSE_FAULT_COUNT=FILE    "ALLOCATIONS THREADS" is written there at the end
 *     RUGOSE_FAULT_TRACE=1       the stack of what fails goes to stderr
 *
 * A signal that ends the program says in which library it came up: "fault in libfoo.so.1". The steady
 * clock stands still, so that tables with times are equal. Programs that are started from
 * there on are left alone. */

#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int main_fn(int, char **, char **);
typedef int start_fn(main_fn *, int, char **, main_fn *, void (*)(void), void (*)(void),
                     void *);
typedef int clock_fn(clockid_t, struct timespec *);
typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t n);
void *__libc_memalign(size_t alignment, size_t n);
start_fn __libc_start_main;

/* What happens to one kind of event. */
typedef struct fault {
    unsigned long at; /* 0: none fails */
    int is_lasting;
    atomic_ulong n; /* events so far */
} fault;

static fault allocations, threads;
static int is_counting, has_trace;
static char count_file[4096];
static main_fn *real_main;

static int fails(fault *f)
{
    if (!is_counting)
        return 0;
    unsigned long i = atomic_fetch_add(&f->n, 1) + 1;
    int is_hit = f->at > 0 && (i == f->at || (f->is_lasting && i > f->at));
    if (is_hit && has_trace) {
        void *stack[40];
        backtrace_symbols_fd(stack, backtrace(stack, 40), STDERR_FILENO);
    }
    return is_hit;
}

static void *refuse(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t n)
{
    return fails(&allocations) ? refuse() : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return fails(&allocations) ? refuse() : __libc_calloc(n, size);
}

void *realloc(void *block, size_t n)
{
    return fails(&allocations) ? refuse() : __libc_realloc(block, n);
}

void *reallocarray(void *block, size_t n, size_t size)
{
    if (size > 0 && n > SIZE_MAX / size)
        return refuse();
    return realloc(block, n * size);
}

void *memalign(size_t alignment, size_t n)
{
    return fails(&allocations) ? refuse() : __libc_memalign(alignment, n);
}

void *aligned_alloc(size_t alignment, size_t n)
{
    return memalign(alignment, n);
}

int posix_memalign(void **out, size_t alignment, size_t n)
{
    *out = memalign(alignment, n);
    return *out != NULL ? 0 : ENOMEM;
}

int pthread_create(pthread_t *out, const pthread_attr_t *attributes,
                   void *(*function)(void *), void *user)
{
    static create_fn *next;
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
    return fails(&threads) ? EAGAIN : next(out, attributes, function, user);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static clock_fn *next;
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    if (clock != CLOCK_MONOTONIC || !is_counting)
        return next(clock, now);
    *now = (struct timespec){.tv_sec = 1};
    return 0;
}

/* The first library of a stack that is neither this one nor of the system. */
static const char *guilty(void)
{
    void *stack[64];
    Dl_info own, found;
    int n = backtrace(stack, 64);
    dladdr((void *)(uintptr_t)guilty, &own);
    for (int i = 0; i < n; i++) {
        if (dladdr(stack[i], &found) == 0 || found.dli_fbase == own.dli_fbase ||
            strstr(found.dli_fname, "/libc.so") != NULL ||
            strstr(found.dli_fname, "/ld-linux") != NULL)
            continue;
        const char *slash = strrchr(found.dli_fname, '/');
        return slash != NULL ? slash + 1 : found.dli_fname;
    }
    return "?";
}

static void on_fault(int number)
{
    const char *name = guilty();
    if (write(STDERR_FILENO, "fault in ", 9) != 9 ||
        write(STDERR_FILENO, name, strlen(name)) < 0 ||
        write(STDERR_FILENO, "\n", 1) != 1)
        _exit(99);
    raise(number);
}

static void watch_signals(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
    static char room[1 << 16]; /* the stack may have none left */
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    const struct sigaction action = {.sa_handler = on_fault,
                                     .sa_flags = (int)SA_RESETHAND | SA_ONSTACK};
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
}

static void read_fault(fault *f, const char *text, const char *name)
{
    size_t n = strlen(name);
    if (text == NULL || strncmp(text, name, n) != 0)
        return;
    f->is_lasting = strncmp(text + n, "-from:", 6) == 0;
    f->at = strtoul(strchr(text, ':') + 1, NULL, 10);
}

static int counted_main(int argc, char **argv, char **environment)
{
    const char *asked = getenv("RUGOSE_FAULT"), *file = getenv("RUGOSE_FAULT_COUNT");
    void *stack[1];
    has_trace = getenv("RUGOSE_FAULT_TRACE") != NULL;
    backtrace(stack, 1); /* allocates the first time */
    watch_signals();
    read_fault(&allocations, asked, "alloc");
    read_fault(&threads, asked, "thread");
    if (file != NULL)
        snprintf(count_file, sizeof count_file, "%s", file);
    unsetenv("LD_PRELOAD");
    is_counting = 1;
    return real_main(argc, argv, environment);
}

int __libc_start_main(main_fn *function, int argc, char **argv, main_fn *init,
                      void (*fini)(void), void (*end)(void), void *stack)
{
    start_fn *next;
    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = function;
    return next(counted_main, argc, argv, init, fini, end, stack);
}

static __attribute__((destructor)) void write_counts(void)
{
    char text[64];
    is_counting = 0;
    if (count_file[0] == '\0')
        return;
    int file = open(count_file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int n = snprintf(text, sizeof text, "%lu %lu\n", atomic_load(&allocations.n),
                     atomic_load(&threads.n));
    if (file < 0 || write(file, text, (size_t)n) != n)
        _exit(99);
    close(file);
}
