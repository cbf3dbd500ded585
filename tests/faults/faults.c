/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Runs a command again and again, each time with another fault of shim.c, and says which run did not
 * end as it must:
 *
 *     faults [--runs N] SHIM WORK alloc|alloc-from|thread|thread-from COMMAND [ARGUMENT ...]
 *
 * At most N runs (none: as many as there are events), spread over all events and at the last ones. Each
 * runs in the folder WORK/out, which is empty at its begin. It must end by itself, soon, and
 *   with status 0: standard output and files are those of a run without a fault;
 *   with status 1: there is a line on stderr, no temporary file, and each file is whole, though a
 *     table may lack rows.
 * Some libraries do not stand it that memory runs out: excuses[] names them. A run that a signal ends
 * in one of them is no failure. The last run must go on to no fault. */

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_MAX     65536
#define PATH_SIZE    4096
#define FILES_MAX    64
#define SECONDS      10 /* that a run may take */
#define STATUS_ABORT (-1)
#define STATUS_LATE  (-2)

/* A file that a run left, by its content. */
typedef struct left {
    char name[256];
    uint64_t hash;
} left;

typedef struct result {
    int status; /* of the exit, or below 0 */
    uint64_t out;
    char err[TEXT_MAX];
    left files[FILES_MAX];
    int n_files;
} result;

typedef struct job {
    const char *shim, *kind;
    char work[PATH_SIZE];
    char **command;
    result expected;
    unsigned long n_events, n_excused, n_failures, n_runs;
} job;

static void die(const char *what)
{
    fprintf(stderr, "faults: %s: %s\n", what, strerror(errno));
    exit(2);
}

static const char *path_of(const job *j, const char *name)
{
    static char path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", j->work, name);
    return path;
}

/* FNV-1a of what a file holds; up to n - 1 bytes of it come as text. */
static uint64_t read_file(const char *path, char *text, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;
    size_t at = 0;
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        die(path);
    for (int c = getc(in); c != EOF; c = getc(in)) {
        h = (h ^ (unsigned char)c) * 0x100000001b3u;
        if (at + 1 < n)
            text[at++] = (char)c;
    }
    if (n > 0)
        text[at] = '\0';
    fclose(in);
    return h;
}

/* Lists what lies in the folder of the run, or removes it. */
static void scan(const job *j, result *r)
{
    DIR *folder = opendir(path_of(j, "out"));
    if (folder == NULL)
        die(j->work);
    for (struct dirent *e = readdir(folder); e != NULL; e = readdir(folder)) {
        char path[PATH_SIZE];
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "out/%s", e->d_name);
        if (r == NULL) {
            unlink(path_of(j, path));
        } else if (r->n_files < FILES_MAX) {
            left *f = &r->files[r->n_files++];
            snprintf(f->name, sizeof f->name, "%s", e->d_name);
            f->hash = read_file(path_of(j, path), NULL, 0);
        }
    }
    closedir(folder);
}

static int redirect(int to, const char *path, int flags)
{
    int file = open(path, flags, 0666);
    return file >= 0 && dup2(file, to) == to ? close(file) : -1;
}

static void run_child(const job *j, const char *fault)
{
    const int written = O_WRONLY | O_CREAT | O_TRUNC;
    if (redirect(1, path_of(j, "stdout"), written) != 0 ||
        redirect(2, path_of(j, "stderr"), written) != 0 ||
        redirect(0, "/dev/null", O_RDONLY) != 0)
        _exit(98);
    setenv("RUGOSE_FAULT_COUNT", path_of(j, "count"), 1);
    setenv("RUGOSE_FAULT", fault, 1);
    setenv("LD_PRELOAD", j->shim, 1);
    if (chdir(path_of(j, "out")) == 0)
        execv(j->command[0], j->command);
    _exit(98);
}

/* Waits for a child, which is ended when it takes too long. */
static int await(pid_t child)
{
    int status, is_late = 0;
    for (int ms = 0; waitpid(child, &status, WNOHANG) == 0; ms++) {
        usleep(1000);
        if (ms == SECONDS * 1000 && (is_late = 1))
            kill(child, SIGABRT);
        if (ms == SECONDS * 1000 + 1000)
            kill(child, SIGKILL);
    }
    if (is_late)
        return STATUS_LATE;
    return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_ABORT;
}

static void run(const job *j, const char *fault, result *r)
{
    scan(j, NULL);
    unlink(path_of(j, "count"));
    pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child == 0)
        run_child(j, fault);
    memset(r, 0, sizeof *r);
    r->status = await(child);
    r->out = read_file(path_of(j, "stdout"), NULL, 0);
    read_file(path_of(j, "stderr"), r->err, sizeof r->err);
    scan(j, r);
}

static const left *find(const result *r, const char *name)
{
    for (int i = 0; i < r->n_files; i++)
        if (strcmp(r->files[i].name, name) == 0)
            return &r->files[i];
    return NULL;
}

/* Whether a file may differ: a table or a file of parts where an image failed; a page, which says how long all took; TIFF, which
 * libtiff compresses by zlib where there is no memory for libdeflate; and WebP, whose resolution libexif
 * leaves out. */
static int may_differ(const char *name, int status)
{
    const char *dot = strrchr(name, '.');
    if (dot == NULL)
        return 0;
    return strcmp(dot, ".tif") == 0 || strcmp(dot, ".webp") == 0 ||
           strcmp(dot, ".html") == 0 ||
           (status == 1 && (strcmp(dot, ".csv") == 0 || strcmp(dot, ".json") == 0 ||
                            strcmp(dot, ".rgs") == 0));
}

/* Whether a file is what a table that was stopped leaves to go on from. */
static int is_part(const char *name, int status)
{
    static const char *const endings[] = {".part", ".part.log"};
    for (int i = 0; i < 2 && status == 1; i++) {
        size_t n = strlen(endings[i]);
        if (strlen(name) > n && strcmp(name + strlen(name) - n, endings[i]) == 0)
            return 1;
    }
    return 0;
}

/* @return NULL, or what is wrong with the files */
static const char *judge_files(const result *is, const result *expected)
{
    for (int i = 0; i < is->n_files; i++) {
        const left *other = find(expected, is->files[i].name);
        if (other == NULL && is_part(is->files[i].name, is->status))
            continue;
        if (other == NULL)
            return "left a file that has no business here";
        if (other->hash != is->files[i].hash && !may_differ(other->name, is->status))
            return "left a file that is not whole";
    }
    return is->status == 0 && is->n_files != expected->n_files ? "wrote too few files"
                                                               : NULL;
}

/* GLib aborts, or waits for itself while it tries to say so, and libvips is made of it and of ORC; C++
 * throws what C does not catch; the parser of json-c 0.16 does not look whether it has a copy of a name, and
 * OpenSSL 3 not whether its first context could be made. */
static const char *const excuses[] = {
    "fault in libglib-2.0.so", "fault in libgobject-2.0.so",
    "fault in libvips.so",     "fault in liborc-0.4.so",
    "fault in libstdc++.so",   "fault in libjson-c.so",
    "fault in libcrypto.so",   NULL};

/* Likewise the loader, where C++ needs a place for what is in the program once, and a thread one for its
 * own variables. */
static int is_excused(const result *r)
{
    if (r->status == 127 && (strstr(r->err, "out of memory\n") != NULL ||
                             strstr(r->err, "memory for thread-local data") != NULL))
        return 1;
    for (int i = 0; excuses[i] != NULL; i++)
        if (strstr(r->err, excuses[i]) != NULL)
            return r->status == STATUS_ABORT || r->status == STATUS_LATE;
    return 0;
}

/* @return NULL, or what is wrong */
static const char *judge(const result *is, const result *expected)
{
    if (is->status == STATUS_LATE)
        return "did not end";
    if (is->status == STATUS_ABORT)
        return "was ended by a signal";
    if (is->status != expected->status && is->status != 1)
        return "ended with another status";
    if (is->status == 0 && is->out != expected->out)
        return "succeeded with other output";
    if (is->status == 1 && is->err[0] == '\0')
        return "failed without a word";
    return judge_files(is, expected);
}

static void show(const job *j, const char *fault, const char *problem, const result *r)
{
    printf("%s:", fault);
    for (int i = 0; j->command[i] != NULL; i++)
        printf(" %s", j->command[i]);
    printf(" %s", problem);
    if (r->status >= 0)
        printf(" (status %d)", r->status);
    printf("\n%s", r->err);
    for (int i = 0; i < r->n_files; i++)
        printf("  left: %s\n", r->files[i].name);
    fflush(stdout);
}

static void run_faulty(job *j, unsigned long n)
{
    static result r;
    char fault[64];
    snprintf(fault, sizeof fault, "%s:%lu", j->kind, n);
    run(j, fault, &r);
    j->n_runs++;
    if (is_excused(&r)) {
        j->n_excused++;
        return;
    }
    const char *problem = judge(&r, &j->expected);
    if (problem == NULL)
        return;
    j->n_failures++;
    show(j, fault, problem, &r);
}

/* The run without a fault, which also counts. */
static void run_whole(job *j)
{
    unsigned long n_allocations, n_threads;
    run(j, "", &j->expected);
    FILE *in = fopen(path_of(j, "count"), "r");
    if (in == NULL || fscanf(in, "%lu %lu", &n_allocations, &n_threads) != 2)
        die("the run without a fault counted nothing");
    fclose(in);
    if (j->expected.status != 0) {
        show(j, "no fault", "failed", &j->expected);
        exit(1);
    }
    j->n_events = strncmp(j->kind, "alloc", 5) == 0 ? n_allocations : n_threads;
}

/* Of the points 1 to n the i-th of n_runs: the last ones, where tables are written, and others between. */
static unsigned long point(unsigned long i, unsigned long n_runs, unsigned long n)
{
    int is_late = n_runs > 3 && i + 2 >= n_runs;
    return n_runs == n ? i : is_late ? n - (n_runs - i) : i * n / n_runs;
}

int main(int argc, char **argv)
{
    static job j;
    unsigned long n_most = ULONG_MAX;
    int at = 1;
    if (argc > 2 && strcmp(argv[1], "--runs") == 0) {
        n_most = strtoul(argv[2], NULL, 10);
        at = 3;
    }
    if (argc < at + 4 || n_most == 0) {
        fputs("usage: faults [--runs N] SHIM WORK KIND COMMAND [ARGUMENT ...]\n", stderr);
        return 2;
    }
    j.shim = argv[at];
    j.kind = argv[at + 2];
    j.command = argv + at + 3;
    if (snprintf(j.work, sizeof j.work, "%s", argv[at + 1]) >= (int)sizeof j.work)
        die("the name of the folder is too long");
    mkdir(j.work, 0777);
    mkdir(path_of(&j, "out"), 0777);
    run_whole(&j);
    /* one more than there are events, which must be as the run without a fault */
    unsigned long n = j.n_events + 1, n_runs = n < n_most ? n : n_most;
    for (unsigned long i = 1; i <= n_runs; i++)
        run_faulty(&j, point(i, n_runs, n));
    printf("%s %s: %lu events, %lu runs, %lu ended in a library, %lu failures\n", j.kind,
           j.command[1], j.n_events, j.n_runs, j.n_excused, j.n_failures);
    return j.n_failures > 0;
}
