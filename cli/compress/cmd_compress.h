/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files of `rugose compress` share. */

#ifndef CLI_CMD_COMPRESS_H
#define CLI_CMD_COMPRESS_H

#include "shared/pictures.h"

/** In the order of rug_ifs_partition and rug_ifs_search (after AUTO). */
#define CLI_IFS_PARTITIONS "quadtree|fixed|overlap"
#define CLI_IFS_SEARCHES   "exhaustive|fast"

/** Values of its own options. */
typedef struct cli_compress_values {
    const char *output;
    int channel; /* -1: not given */
    const char *quality, *bpp, *psnr;
    int partition;
    int range_size, domain_step; /* 0: not given */
    int residual;                /* -1: not given; 0 on, 1 off */
    int search;                  /* -1: not given */
    const char *scale_max;
} cli_compress_values;

/** The command's state over its images. */
typedef struct cli_compress_job {
    cli_compress_values values;
    rug_ifs_options options;
    cli_outputs outputs; /* names written so far */
} cli_compress_job;

/** Reads the values of the options, and checks them before any image is read.
 *  @return an error text, or NULL */
const char *cli_compress_check(cli_run *run, cli_compress_job *job);

/** Puts all parameters into the head of the report. */
void cli_compress_describe_run(cli_run *run, const cli_compress_job *job);

/** What is aimed at: "quality", "bpp", "psnr". */
const char *cli_compress_target_name(rug_ifs_target target);

/** Codes one image, writes its stream and adds its row; user is the job. */
rug_status cli_compress_image(cli_run *run, const cli_image *image, void *user);

#endif
