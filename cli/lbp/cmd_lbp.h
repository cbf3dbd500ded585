/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files of `rugose lbp` share. */

#ifndef CLI_CMD_LBP_H
#define CLI_CMD_LBP_H

#include "draw/draw.h"
#include "lbp_coding.h"

/** Choices of --planes; counted from 1 they are those of rug_lbp_planes and "all". */
#define CLI_LBP_PLANES     "xy|xz|yz|all"
#define CLI_LBP_PLANES_ALL 4
/** Planes of a volume. */
#define CLI_LBP_N_PLANES 3

/** Values of its own options. */
typedef struct cli_lbp_values {
    cli_lbp_coding coding;
    const char *cuts;
    int normalize;
    const char *map;
    const char *plot;
    const char *mask;
    const char *labels;
    int planes; /* -1: not given */
} cli_lbp_values;

/** The command's state over its images. */
typedef struct cli_lbp_job {
    cli_lbp_values values;
    cli_lbp_plan plan;
    double *cuts;         /* owned */
    uint32_t n_cuts;      /* of each operator */
    int planes;           /* 0: none asked; 1..3; CLI_LBP_PLANES_ALL */
    uint32_t n_bins;      /* of the operator that has most */
    const char **columns; /* ended by NULL; owned */
    char *bin_names;      /* of the columns of bins, each of CLI_LBP_BIN_NAME; owned */
    cli_outputs maps;     /* names written so far */
    cli_plots plots;
} cli_lbp_job;

/** Bytes of "bin_65535" with its end, and more. */
#define CLI_LBP_BIN_NAME 16

/** Measures one image; user is the job. */
rug_status cli_lbp_image(cli_run *run, const cli_image *image, void *user);

/** Measures an image in parts.
 *  @param state  of all planes, for cli_lbp_free_parts(); NULL: another run or process goes on */
rug_status cli_lbp_measure_parts(cli_run *run, const cli_image *image,
                                 const cli_lbp_job *job, cli_labels *labels,
                                 void **state);

/** The result of plane i of those that were asked for. */
rug_status cli_lbp_finish_parts(cli_run *run, const void *state, size_t i,
                                rug_lbp_result **out);
void cli_lbp_free_parts(void *state);

#endif
