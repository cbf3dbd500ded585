/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How images are coded by local binary patterns: the options that `lbp` and `train` share,
 * and what these two and `classify` print about an image that was coded. */

#ifndef CLI_LBP_CODING_H
#define CLI_LBP_CODING_H

#include "shared/cli.h"
#include <inttypes.h>
#include <stdio.h>

/** Choices in the order of rug_lbp_method, rug_lbp_interpolation, rug_lbp_border and
 *  rug_lbp_exact. */
#define CLI_LBP_METHOD        "riu2|default|ror|nri_uniform|var"
#define CLI_LBP_INTERPOLATION "bilinear|nearest|hardware"
#define CLI_LBP_BORDER        "zero|skip"
#define CLI_LBP_EXACT         "skimage|decimal|float"

/** Values of the options. */
typedef struct cli_lbp_coding {
    cli_texts lbp;
    int points;
    double radius;
    int method, interpolation, border, exact;
} cli_lbp_coding;

/** The defaults: one operator of 8 points on a circle of radius 1. */
#define CLI_LBP_CODING_INIT      \
    {                            \
        .points = 8, .radius = 1 \
    }

/** The rows of an option table.
 *  @param type  of the command's values, with a member `coding` */
#define CLI_LBP_CODING_OPTIONS(type)                                                        \
    {CLI_OPTION("points", CLI_INT, "P", type, coding.points), .min = 1,                     \
     .max = RUG_LBP_MAX_POINTS, .is_unlisted = 1,                                           \
     .help = "samples on the circle, 1..32 (default 8)"},                                   \
        {CLI_OPTION("radius", CLI_REAL, "R", type, coding.radius), .min = CLI_ABOVE_0,      \
         .max = RUG_LBP_MAX_RADIUS, .is_unlisted = 1,                                       \
         .help = "radius of the circle in pixels, up to 1024 (default 1)"},                 \
        {CLI_OPTION("lbp", CLI_TEXTS, "P,R", type, coding.lbp), .is_unlisted = 1,           \
         .help =                                                                            \
             "points and radius of one operator, such as 16,2; may be given up to 16 "      \
             "times"},                                                                      \
        {CLI_OPTION("method", CLI_CHOICE, NULL, type, coding.method),                       \
         .choices = CLI_LBP_METHOD, .is_unlisted = 1,                                       \
         .help =                                                                            \
             "how a pattern becomes a code: riu2 (default; rotation-invariant uniform, "    \
             "P + 2 bins), default (the pattern itself, 2^P bins), ror (its least "         \
             "rotation, 36 bins for 8 points), nri_uniform (a bin for each uniform "        \
             "pattern, 59 bins for 8 points), var (the variance of the samples)"},          \
        {CLI_OPTION("interpolation", CLI_CHOICE, NULL, type, coding.interpolation),         \
         .choices = CLI_LBP_INTERPOLATION, .is_unlisted = 1,                                \
         .help =                                                                            \
             "samples between pixels: bilinear (default), the nearest pixel, or hardware: " \
             "as the texture units of an OpenCL device interpolate (--device opencl), "     \
             "whose codes differ from device to device"},                                   \
        {CLI_OPTION("border", CLI_CHOICE, NULL, type, coding.border),                       \
         .choices = CLI_LBP_BORDER, .is_unlisted = 1,                                       \
         .help =                                                                            \
             "pixels near the border: zero (default; pixels outside are 0), skip (only "    \
             "pixels whose samples all lie inside have a code)"},                           \
    {                                                                                       \
        CLI_OPTION("exact", CLI_CHOICE, NULL, type, coding.exact),                          \
            .choices = CLI_LBP_EXACT, .is_unlisted = 1,                                     \
            .help =                                                                         \
                "arithmetic of the samples: skimage (default; its codes, bit for bit), "    \
                "decimal (ties of integers decided without rounding), float (single "       \
                "precision, the fastest); each gives the same codes on every machine, "     \
                "but for --interpolation hardware"                                          \
    }

/** Operators and options for the library. */
typedef struct cli_lbp_plan {
    rug_lbp_operator op[RUG_LBP_MAX_OPERATORS];
    rug_lbp_options options; /* points to op */
} cli_lbp_plan;

/** Reads the values. What the library alone can judge is not checked.
 *  @return an error text, or NULL */
const char *cli_lbp_parse(cli_run *run, cli_lbp_plan *plan, const cli_lbp_coding *coding);

/** An operator without a histogram, or NULL: the text says why and what to do. */
const char *cli_lbp_check_bins(cli_run *run, const rug_lbp_options *opts);

/** Puts operators, method and the rest into parameters. */
void cli_lbp_describe(cli_record *p, const rug_lbp_options *opts);

/** "riu2 (8, 1) 10 bins, (16, 2) 18 bins"; cut off when it does not fit. */
static inline void cli_lbp_format(char *text, size_t size, const rug_lbp_options *opts)
{
    int n = snprintf(text, size, "%s", rug_lbp_method_name(opts->method));
    size_t at = (size_t)n;
    for (uint32_t i = 0; i < opts->n_operators && at < size; i++) {
        const rug_lbp_operator *op = &opts->operators[i];
        uint32_t n_bins = rug_lbp_n_bins(opts->method, op);
        char bins[16] = "no";
        if (n_bins > 0)
            snprintf(bins, sizeof bins, "%" PRIu32, n_bins);
        n = snprintf(text + at, size - at, "%s (%" PRIu32 ", %g) %s bins",
                     i > 0 ? "," : "", op->points, op->radius, bins);
        at += (size_t)n;
    }
}

/** Refuses a volume where only images will do. */
rug_status cli_lbp_check_image(cli_run *run, const cli_image *image);

/** Codes an image, in memory or slab by slab, inside of its mask.
 *  @param out  NULL on failure */
rug_status cli_lbp_code(cli_run *run, rug_lbp_result **out, const cli_image *image,
                        const rug_lbp_options *opts, double *seconds);

/** Prints what was read. @param extra  after operators and bins; NULL = nothing */
void cli_lbp_print(cli_run *run, const cli_image *image, const rug_lbp_options *opts,
                   const char *extra);

/** Warns of values that make codes doubtful. */
void cli_lbp_warn_values(cli_run *run, const cli_image *image,
                         const rug_lbp_options *opts);

/** Warns of an operator that has coded no pixel of the image. */
void cli_lbp_warn_empty(cli_run *run, const cli_image *image, const rug_lbp_options *opts,
                        const rug_lbp_result *result);

/** Prints the times where they are asked. */
void cli_lbp_print_times(const cli_run *run, const cli_image *image, double code_seconds,
                         const char *engine);

#endif
