/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sheets of several images as one, and sheets that are kept until all are there. */

#ifndef RUGOSE_PLOT_JOIN_H
#define RUGOSE_PLOT_JOIN_H

#include "plot.h"
#include "tables/record_bytes.h"

/** Memory that is freed all at once. All zero: none. */
typedef struct cli_plot_pool {
    void *blocks;  /**< owned */
    int is_failed; /**< there was no memory for one */
    FILE *save;    /**< what is copied is written there, as bytes, too; NULL: it is not */
    cli_bytes *load; /**< what is copied comes from such bytes; NULL: from a sheet */
} cli_plot_pool;

void cli_plot_free_pool(cli_plot_pool *pool);

/** Copies a sheet with all that it holds. @param sheet  not looked at where it comes from bytes. @return whether there was memory */
int cli_plot_copy(cli_plot_pool *pool, cli_plot_sheet *out, const cli_plot_sheet *sheet);

/** Makes one sheet of several, as it is drawn: sizes in their unit, bars side by side, values of
 *  strips by group. A sheet alone is made ready in the same way.
 *  @param pool  holds what is new; the rest is that of the sheets
 *  @return RUG_OK, RUG_E_ARG (their panels differ), RUG_E_NOMEM */
rug_status cli_plot_join(rug_context *ctx, cli_plot_pool *pool, cli_plot_sheet *out,
                         size_t n, const cli_plot_sheet *sheets);

#endif
