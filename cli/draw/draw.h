/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What --plot asks for: a plot of each image and label, or, where the name holds no "{}", one of all
 * of them, drawn when the last one is there. */

#ifndef RUGOSE_DRAW_H
#define RUGOSE_DRAW_H

#include "shared/cli.h"

/** A sheet that waits for the others. */
typedef struct cli_kept_sheet cli_kept_sheet;

/** The plots of a run. All zero: none are asked for. */
typedef struct cli_plots {
    const char *asked; /**< NULL: none */
    int is_joined;     /**< one of all inputs */
    cli_outputs outputs;
    cli_kept_sheet **sheets; /**< of a joined plot; owned */
    size_t n, n_ever;        /**< kept now, and ever */
    cli_aside aside;         /**< sheets of other processes */
} cli_plots;

/** Bytes of the title of an image's plot. */
#define CLI_TITLE_MAX 400

/** What other processes keep of their inputs; see cli_aside. */
int cli_save_sheets(FILE *out, const cli_run *run, void *plots);
void cli_load_sheets(const cli_run *run, cli_bytes *bytes, void *plots);

/** The help of --plot. @param what  is drawn */
#define CLI_PLOT_HELP(what)                                                              \
    what                                                                                 \
        " (.svg, .png, .pdf; .gp keeps the gnuplot script); of several images '{}' in "  \
        "FILE stands for the image's name and '{dir}' for its folder, without them one " \
        "plot shows all"

/** Checks --plot, and whether it is one of all inputs.
 *  @param name        as asked; NULL: not at all
 *  @param is_several  nonzero: there is more than one plot of an input, such as one of each label
 *  @return an error text, or NULL */
static inline const char *cli_check_plots(cli_run *run, cli_plots *plots,
                                          const char *name, int is_several)
{
    plots->asked = name;
    plots->aside = (cli_aside){cli_save_sheets, cli_load_sheets, plots};
    const char *problem = cli_check_plot_name(run, name, is_several, &plots->is_joined);
    if (plots->is_joined)
        run->aside = &plots->aside;
    return problem;
}

/** The unit of an image's sizes: pixels, unless all sides of its pixels are equal and it says in
 *  which unit. */
cli_plot_unit cli_unit_of(const rug_image *image);

/** Draws a sheet, or keeps it for the plot of all. Without a title of its own it gets title and part from
 *  the name.
 *  @param name  of the image in rows; with "[label=N]" behind it where it is of a label, or
 *               "[plane=xy]" */
rug_status cli_draw(cli_run *run, cli_plots *plots, const char *name,
                    const cli_plot_sheet *sheet);

/** Ends the sheets of an image with several: unless it is RUG_OK, those are dropped that are kept.
 *  @return the status */
rug_status cli_end_sheets(cli_run *run, cli_plots *plots, rug_status status);

/** Draws the plot of all inputs, if that is asked for and the run came to its end. A failure is that
 *  of the run. */
void cli_end_plots(cli_run *run, cli_plots *plots);

void cli_free_plots(cli_plots *plots);

#endif
