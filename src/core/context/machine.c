/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What this machine has: processors, and the level of their instructions. */

#include "context_internal.h"
#include "threads.h"
#include <omp.h>

int rugi_processors(void)
{
    int n = omp_get_num_procs();
    return n < 1 ? 1 : n > RUGI_MAX_THREADS ? RUGI_MAX_THREADS : n;
}

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
    return RUG_CPU_REF;
}

#endif

const char *rug_cpu_level_name(rug_cpu_level level)
{
    static const char *const names[] = {"ref", "avx2", "avx512"};
    return (int)level >= RUG_CPU_REF && level <= RUG_CPU_MAX ? names[level] : "?";
}
