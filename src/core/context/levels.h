/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The levels of processors that kernels are written for: `ref`, portable C, is the truth; `avx2`
 * and `avx512`, in WebAssembly `wasm`, overlay what they do faster. A level is compiled alone with
 * its flags (cmake/rooms.cmake), so that nothing of it runs on a processor without it. */

#ifndef RUGI_LEVELS_H
#define RUGI_LEVELS_H

#include <rugose/context.h>

/** Declares the kernels of a job at each level, `void NAME_ref(type *)`, `NAME_avx2()` and
 *  `NAME_avx512()`, which set the functions that they have; and `NAME(kernels, level)`, which
 *  calls those up to a level; in WebAssembly the same of `NAME_wasm()`. */
#ifdef RUGI_HAVE_X86_KERNELS
#define RUGI_KERNEL_LEVELS(name, type)                          \
    void name##_ref(type *kernels);                             \
    void name##_avx2(type *kernels);                            \
    void name##_avx512(type *kernels);                          \
    static inline void name(type *kernels, rug_cpu_level level) \
    {                                                           \
        name##_ref(kernels);                                    \
        if (level >= RUG_CPU_AVX2)                              \
            name##_avx2(kernels);                               \
        if (level >= RUG_CPU_AVX512)                            \
            name##_avx512(kernels);                             \
    }
/** The same for kernels without a version above AVX2. */
#define RUGI_KERNEL_LEVELS_AVX2(name, type)                     \
    void name##_ref(type *kernels);                             \
    void name##_avx2(type *kernels);                            \
    static inline void name(type *kernels, rug_cpu_level level) \
    {                                                           \
        name##_ref(kernels);                                    \
        if (level >= RUG_CPU_AVX2)                              \
            name##_avx2(kernels);                               \
    }
/** The same for kernels without a version for WebAssembly. */
#define RUGI_KERNEL_LEVELS_X86(name, type) RUGI_KERNEL_LEVELS(name, type)
#else
#define RUGI_KERNEL_LEVELS_X86(name, type)                      \
    void name##_ref(type *kernels);                             \
    static inline void name(type *kernels, rug_cpu_level level) \
    {                                                           \
        (void)level;                                            \
        name##_ref(kernels);                                    \
    }
#define RUGI_KERNEL_LEVELS_AVX2(name, type) RUGI_KERNEL_LEVELS_X86(name, type)
#ifdef RUGI_HAVE_WASM_KERNELS
#define RUGI_KERNEL_LEVELS(name, type)                          \
    void name##_ref(type *kernels);                             \
    void name##_wasm(type *kernels);                            \
    static inline void name(type *kernels, rug_cpu_level level) \
    {                                                           \
        name##_ref(kernels);                                    \
        if (level >= RUG_CPU_WASM)                              \
            name##_wasm(kernels);                               \
    }
#else
#define RUGI_KERNEL_LEVELS(name, type) RUGI_KERNEL_LEVELS_X86(name, type)
#endif
#endif

/** NAME_LEVEL of the level that a file `*_simd.c` is compiled for. */
#define RUGI_AT_LEVEL(name)          RUGI_JOIN_LEVEL(name, RUGI_LEVEL)
#define RUGI_JOIN_LEVEL(name, level) RUGI_JOIN_WORDS(name, level)
#define RUGI_JOIN_WORDS(name, level) name##_##level

/** The bytes of a vector at the level of such a file, for #if; 0 at level ref. */
#define RUGI_VECTOR_BYTES           RUGI_AT_LEVEL(RUGI_VECTOR_BYTES_AT)
#define RUGI_VECTOR_BYTES_AT_ref    0
#define RUGI_VECTOR_BYTES_AT_wasm   16
#define RUGI_VECTOR_BYTES_AT_avx2   32
#define RUGI_VECTOR_BYTES_AT_avx512 64

/** "cpu-avx2": the engine's name in results. */
#define RUGI_LEVEL_ENGINE       "cpu-" RUGI_WORD_TEXT(RUGI_LEVEL)
#define RUGI_WORD_TEXT(word)    RUGI_LITERAL_TEXT(word)
#define RUGI_LITERAL_TEXT(word) #word

#endif
