/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What bench_hou_study.c prints of a model beside its times. */

#ifndef BENCH_HOU_LOAD_H
#define BENCH_HOU_LOAD_H

#include "bench_hou_models.h"

/** Prints the dimensions of nonempty, black, gray and white boxes, as a comment. */
void bench_print_dimensions(const bench_model *m, rug_context *ctx);

/** Tables 1 and 2 of the paper: how long each of 2, 4, 8 and 16 threads works, keys, sort and
 *  scan of its share, with shares that are equal parts of the space, and equal numbers of cells.
 *  Each share is worked on alone, and its processor time is taken, so that the times mean
 *  something on few cores.
 *  @param ctx  with one thread */
void bench_print_load(bench_model *m, rug_context *ctx, int n_runs);

#endif
