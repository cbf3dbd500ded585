/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The sets of cells that bench_hou_study.c counts. */

#ifndef BENCH_HOU_MODELS_H
#define BENCH_HOU_MODELS_H

#include "boxcount/hou/boxcount_hou.h"
#include <rugose/rugose.h>

/** Room for a name, its end included. */
#define BENCH_NAME 160

/** A set of cells. */
typedef struct bench_model {
    char name[BENCH_NAME];
    rug_image volume; /* of bytes */
    rugi_packed_cells packed;
    size_t n;                 /* cells that are set */
    uint64_t *keys, *scratch; /* room for n */
    rugi_key_layout layout;
    rugi_key_kernels kernels;
    rug_boxcount_result *expected, *got; /* by the pyramid, and by the way in hand */
} bench_model;

/** Ends the program. */
void bench_fail(const char *what);

/** The Menger sponge of 243 cells a side; its memory is never freed. */
rug_image bench_menger(rug_context *ctx);

/** Makes a set of cells, those of a volume that are not 0; free it with
 *  bench_model_free(), before the volume. */
void bench_model_make(bench_model *m, rug_context *ctx, const char *name,
                      const rug_image *volume);
void bench_model_free(bench_model *m, rug_context *ctx);

/** The name of a file without folders and endings. */
void bench_model_name(char name[BENCH_NAME], const char *path);

#endif
