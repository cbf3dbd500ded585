/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files of `rugose compress` share. */

#ifndef CLI_CMD_COMPRESS_H
#define CLI_CMD_COMPRESS_H

#include "notes.h"

/** Ways of coding, as bits: a quadtree with a residual, a stream of version 3; the same without any
 *  loss; a quadtree with a residual as version 1; a quadtree of transforms alone; one grid or four. */
#define CLI_COMPRESS_LOSSY      1u
#define CLI_COMPRESS_LOSSLESS   2u
#define CLI_COMPRESS_VERSION_1  4u
#define CLI_COMPRESS_TRANSFORMS 8u
#define CLI_COMPRESS_GRIDS      16u

/** Most values of --quality, --bpp or --psnr, and the number of these options. */
#define CLI_COMPRESS_VALUES_MAX 64
#define CLI_COMPRESS_TARGETS    3

/** Values of its own options. */
typedef struct cli_compress_values {
    const char *output; /**< NULL: not given */
    int channel;        /**< -1: not given */
    const char *targets
        [CLI_COMPRESS_TARGETS]; /**< in the order of rug_ifs_target; NULL: not given */
    int partition;
    int range_size, domain_step; /**< 0: not given */
    int residual;                /**< -1: not given; 0 on, 1 off */
    int search;                  /**< -1: not given */
    double scale_max;            /**< 0: not given */
    double shadow_limit;         /**< -1: not given */
    int domain_wrap;
    int effort;            /**< 0: not given */
    int tune, chroma;      /**< as rug_ifs_tune and rug_ifs_chroma */
    double chroma_quality; /**< 0: not given */
    int lossless, progressive;
    int tile;           /**< 0: not given */
    int stream_version; /**< -1: not given; 0 version 1, 1 version 3 */
    cli_notes_values notes;
} cli_compress_values;

/** The command's state over its images. */
typedef struct cli_compress_job {
    cli_compress_values values;
    rug_ifs_options options; /**< target_value is that of the value in work */
    size_t n_targets;        /**< at least 1; above 1: a sweep, with a row for each */
    double targets[CLI_COMPRESS_VALUES_MAX];
    const char *columns[20];
    cli_outputs outputs; /**< names written so far */
} cli_compress_job;

/** Checks which options go with which, and puts them into the job. @return an error text, or NULL */
const char *cli_check_coding(cli_run *run, cli_compress_job *job);

/** Puts the parameters into a record. */
void cli_describe_coding(const cli_run *run, cli_record *p, const void *user);

/** "quadtree, quality 50", for the line of what was read. */
#define CLI_CODING_TEXT_MAX 320
void cli_coding_text(char text[CLI_CODING_TEXT_MAX], const cli_compress_job *job);

/* ---- Targets (compress_targets.c) ---- */

/** Reads the values of --quality, --bpp or --psnr. @return an error text, or NULL */
const char *cli_take_targets(cli_run *run, cli_compress_job *job);

/** What is coded towards: nothing without loss, and where the size follows from a grid. */
static inline int cli_has_target(const cli_compress_job *job)
{
    return job->options.partition == RUG_IFS_QUADTREE && !job->options.lossless;
}

/** The column of a sweep with the value that was asked for: "quality", "asked_bpp", "asked_psnr". */
const char *cli_target_column(const cli_compress_job *job);

/** Checks the name of the streams, for all values. @return an error text, or NULL */
const char *cli_check_stream_name(cli_run *run, const cli_compress_job *job);

/** Puts a value where "{quality}", "{bpp}" or "{psnr}" stands in the name of the streams; "{}" and "{dir}"
 *  stay. @return 0: the result is too long */
int cli_put_target(char name[CLI_PATH_MAX], const cli_compress_job *job, double value);

/* ---- One image (compress_image.c) ---- */

/** Codes an image, once for each value; user is the job. */
rug_status cli_compress_image(cli_run *run, const cli_image *image, void *user);

#endif
