/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What this machine has: processors, and the level of their instructions. */

#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "context_internal.h"
#include "threads.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Processors ---- */

/* Bytes of a path of a control group that is followed. */
#define PATH_MAX_BYTES 4096

/* Reads the first line of a file, without its end. @return whether there is one that fits */
static int read_line(char *line, size_t n_bytes, const char *folder, const char *name)
{
    char path[2 * PATH_MAX_BYTES];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path)
        return 0;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    int has_line = fgets(line, (int)n_bytes, file) != NULL;
    fclose(file);
    line[has_line ? strcspn(line, "\n") : 0] = '\0';
    return has_line;
}

/* The processors of so many microseconds of processor time in a period, rounded up.
 * @param quota  digits; anything else: no limit
 * @return at most `most` */
static int share_of(const char *quota, const char *period, int most)
{
    char *end_quota, *end_period;
    double q = strtod(quota, &end_quota), p = strtod(period, &end_period);
    if (end_quota == quota || end_period == period || !(q > 0) || !(p > 0))
        return most;
    double n = q / p;
    return n > most - 1 ? most : n > (int)n ? (int)n + 1 : (int)n;
}

/* What a group's own folder says; that of version 2 has cpu.max, of version 1 two files. */
static int quota_of_folder(const char *folder, int most)
{
    char quota[64], period[64];
    if (read_line(quota, sizeof quota, folder, "cpu.max")) {
        char *space = strchr(quota, ' ');
        return space != NULL ? share_of(quota, space, most) : most;
    }
    if (read_line(quota, sizeof quota, folder, "cpu.cfs_quota_us") &&
        read_line(period, sizeof period, folder, "cpu.cfs_period_us"))
        return share_of(quota, period, most);
    return most;
}

/* The least of a group and all above it. @param path  of the group, below the mount */
static int quota_of_group(const char *mount, const char *path, int most)
{
    char folder[2 * PATH_MAX_BYTES];
    size_t n_mount = strlen(mount);
    if (strstr(path, "/..") != NULL) /* outside of what is mounted */
        path = "";
    if ((size_t)snprintf(folder, sizeof folder, "%s%s", mount, path) >= sizeof folder)
        return most;
    for (;;) {
        most = quota_of_folder(folder, most);
        char *slash = strrchr(folder + n_mount, '/');
        if (slash == NULL)
            return most;
        *slash = '\0';
    }
}

/* Whether a list with commas has "cpu". */
static int has_cpu(const char *controllers, size_t n)
{
    for (const char *at = controllers, *end = at + n; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        size_t n_word = (size_t)((comma != NULL ? comma : end) - at);
        if (n_word == 3 && memcmp(at, "cpu", 3) == 0)
            return 1;
        at += n_word + 1;
    }
    return 0;
}

/* A line such as "0::/user.slice" (version 2) or "4:cpu,cpuacct:/batch" (version 1). */
static int quota_of_line(const char *root, const char *line, int most)
{
    char mount[PATH_MAX_BYTES];
    const char *controllers = strchr(line, ':');
    const char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (path == NULL)
        return most;
    size_t n = (size_t)(path - controllers - 1);
    if (n > 0 && !has_cpu(controllers + 1, n))
        return most;
    int n_mount =
        snprintf(mount, sizeof mount, "%s/sys/fs/cgroup%s", root, n > 0 ? "/cpu" : "");
    return (size_t)n_mount < sizeof mount ? quota_of_group(mount, path + 1, most) : most;
}

int rugi_quota_processors(const char *root, int most)
{
    char path[PATH_MAX_BYTES], line[PATH_MAX_BYTES];
    if ((size_t)snprintf(path, sizeof path, "%s/proc/self/cgroup", root) >= sizeof path)
        return most;
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        size_t n = strcspn(line, "\n");
        if (line[n] != '\n') /* cut, or the last one */
            n = feof(file) ? n : 0;
        line[n] = '\0';
        most = quota_of_line(root, line, most);
    }
    if (file != NULL)
        fclose(file);
    return most;
}

/* Those that this process may run on. */
static long usable_processors(void)
{
#ifdef __linux__
    cpu_set_t set; /* too small for very large machines, of which all are taken */
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
#endif
    return sysconf(_SC_NPROCESSORS_ONLN);
}

int rugi_processors(void)
{
    long most = usable_processors();
    int n = (int)(most < RUGI_MAX_THREADS ? most : RUGI_MAX_THREADS);
    n = n < 1 ? 1 : n;
    return rugi_quota_processors("", n);
}

/* ---- Instructions ---- */

/* The names of levels, and the level of machines other than those of x86. */
#ifdef RUGI_HAVE_WASM_KERNELS
#define LEVEL_NAMES     "ref", "wasm", "?"
#define LEVEL_ELSEWHERE RUG_CPU_WASM
#else
#define LEVEL_NAMES     "ref", "avx2", "avx512"
#define LEVEL_ELSEWHERE RUG_CPU_REF
#endif

/* The highest level that this processor and operating system can run. A level is all or
 * nothing, so that its kernels need no finer tests. */
#if defined(__x86_64__) || defined(__i386__)

rug_cpu_level rugi_cpu_level(void)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2") ||
        !__builtin_cpu_supports("popcnt"))
        return RUG_CPU_REF;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl") ||
        !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512vbmi2") ||
        !__builtin_cpu_supports("avx512vpopcntdq"))
        return RUG_CPU_AVX2;
    return RUG_CPU_AVX512;
}

#else

rug_cpu_level rugi_cpu_level(void)
{
    return LEVEL_ELSEWHERE;
}

#endif

const char *rug_cpu_level_name(rug_cpu_level level)
{
    static const char *const names[] = {LEVEL_NAMES};
    return (int)level >= RUG_CPU_REF && level <= RUG_CPU_MAX ? names[level] : "?";
}
