/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The sets of cells that bench_hou_study.c counts. */

#ifndef BENCH_HOU_MODELS_H
#define BENCH_HOU_MODELS_H

#include "boxcount_cells.h"
#include <rugose/rugose.h>

/** Room for a name, its end included. */
#define BENCH_NAME 160

/** A set of cells. */
typedef struct bench_model {
    char name[BENCH_NAME];
    size_t n;
    uint32_t (*at)[3];        /* z y x, in the order of the volume */
    uint64_t *keys, *scratch; /* room for n */
    rugi_cells cells;
    rugi_key_layout layout;
    rugi_key_leaf leaf;
    rug_boxcount_result expected, got; /* by one thread, and by the way in hand */
} bench_model;

/** Ends the program. */
void bench_fail(const char *what);

/** Makes a set of cells; free it with bench_model_free().
 *  @param img  of bytes, whose foreground is not 0; NULL: the Menger sponge of 243 cells a
 *              side */
void bench_model_make(bench_model *m, rug_context *ctx, const char *name,
                      const rug_image *img);
void bench_model_free(bench_model *m);

/** The name of a file without folders and endings. */
void bench_model_name(char name[BENCH_NAME], const char *path);

#endif
