/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files of `rugose lacunarity` share. */

#ifndef CLI_CMD_LACUNARITY_H
#define CLI_CMD_LACUNARITY_H

#include "shared/option_values.h"

/** Choices of --boxes, in the order of rug_lacunarity_boxes. */
#define CLI_LACUNARITY_BOXES "gliding|fixed"

/** Values of its own options. */
typedef struct cli_lacunarity_values {
    const char *sizes;
    int boxes;
    const char *foreground;
    int gray;
    const char *mask;
    const char *labels;
    const char *plot;
} cli_lacunarity_values;

/** The command's state over its images. */
typedef struct cli_lacunarity_job {
    cli_lacunarity_values values;
    rug_foreground foreground; /**< as asked */
    cli_sizes sizes;
    cli_outputs plots;
} cli_lacunarity_job;

/** Rows of one image, kept until all of them are there. */
typedef struct cli_lacunarity_found {
    rug_lacunarity_options opts; /**< as they were for it */
    rug_lacunarity_result whole; /**< of the image; with labels of the last */
    rug_record **rows;           /**< owned until they are in the report */
    size_t n_rows, room;
    size_t n_labels;
    uint64_t n_left_out; /**< of all labels */
    char labels_digest[RUG_SHA256_TEXT_MAX];
    double threshold_seconds, measure_seconds;
} cli_lacunarity_found;

/** Reads the values of the options, and checks them before any image is read.
 *  @return an error text, or NULL */
const char *cli_lacunarity_check(cli_run *run, cli_lacunarity_job *job);

/** Puts all parameters into the head of the report. */
void cli_lacunarity_describe(cli_run *run, const cli_lacunarity_job *job);

/** The columns of the table, ended by NULL. */
extern const char *const cli_lacunarity_columns[];

/** Measures one image, with all its labels; user is the job. */
rug_status cli_lacunarity_image(cli_run *run, const cli_image *image, void *user);

/** Adds the rows of all sizes to what was found.
 *  @param region  NULL: the whole image, label 0 */
rug_status cli_lacunarity_add(cli_run *run, const cli_lacunarity_job *job,
                              const cli_image *image, cli_lacunarity_found *found,
                              const rug_region *region,
                              const rug_lacunarity_result *result);

/** Prints the read line, warnings with numbers, and the times where they are asked. */
void cli_lacunarity_tell(cli_run *run, const cli_lacunarity_job *job,
                         const cli_image *image, const cli_lacunarity_found *found);

/** Draws the log-log plot, where that is asked.
 *  @param name  of the image, and of the label where there is one */
rug_status cli_lacunarity_plot(cli_run *run, cli_lacunarity_job *job, const char *name,
                               const rug_lacunarity_result *result);

#endif
