/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The program gnuplot. */

#ifndef RUGOSE_GNUPLOT_H
#define RUGOSE_GNUPLOT_H

#include <rugose/io.h>
#include <stdio.h>

/** Runs a script and waits for the end.
 *  @param picture  takes gnuplot's standard output; nothing may be buffered in it
 *  @param script   a file, read from its beginning
 *  @return RUG_OK, RUG_E_IO (gnuplot is missing or failed), RUG_E_NOMEM */
rug_status rugi_gnuplot_run(rug_context *ctx, FILE *picture, FILE *script);

#endif
