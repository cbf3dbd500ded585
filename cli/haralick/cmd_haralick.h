/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files of `rugose haralick` share. */

#ifndef CLI_CMD_HARALICK_H
#define CLI_CMD_HARALICK_H

#include "draw/draw.h"
#include "shared/twin.h"

/** Choices, in the order of the library's enumerations. */
#define CLI_HARALICK_PAIRS     "inside|frame"
#define CLI_HARALICK_AGGREGATE "mean|none|range|merged"
#define CLI_HARALICK_SLICES    "none|mean|merged"
#define CLI_HARALICK_LOG       "2|e"
#define CLI_HARALICK_NAMES     "haralick|ibsi|pyradiomics"

/** Its ways of working as bits: with --window, with --pairs frame. */
#define CLI_HARALICK_MAPS  1u
#define CLI_HARALICK_FRAME 2u

/** Bins of floats when no levels are asked for. */
#define CLI_HARALICK_FLOAT_LEVELS 64

/** Values of its own options. */
typedef struct cli_haralick_values {
    const char *distances;
    const char *angles;
    int asymmetric;
    int pairs;
    int frame; /**< 0: not given */
    const char *levels;
    const char *range;
    const char *bin_width;
    const char *bin_origin;
    const char *resegment;
    int aggregate;
    int slices;
    int log;
    const char *features;
    int names;
    const char *mask;
    const char *labels;
    const char *window; /**< NULL: no maps */
    const char *map;
    const char *plot;
} cli_haralick_values;

/** Columns of the table at most, with the NULL that ends them. */
#define CLI_HARALICK_MAX_COLUMNS (RUG_GLCM_N_FEATURES + 9)

/** The command's state over its images. */
typedef struct cli_haralick_job {
    cli_haralick_values values;
    rug_glcm_options opts; /**< as asked; mask and labels are those of an image */
    uint32_t distances[RUG_GLCM_MAX_DISTANCES];
    rug_glcm_feature feature[RUG_GLCM_N_FEATURES]; /**< that are asked for */
    uint32_t n_features;
    const char *names[RUG_GLCM_N_FEATURES]; /**< of all features, as asked */
    const char *columns[CLI_HARALICK_MAX_COLUMNS];
    uint32_t window[2];          /**< rows and columns; 0: no maps */
    char problem[CLI_ERROR_MAX]; /**< with the command line */
    cli_outputs maps;
    cli_plots plots;
} cli_haralick_job;

/** A region with fewer grey levels than this is warned about. */
#define CLI_HARALICK_FEW 4

/** A summary of the rows of one image, for the warnings. */
typedef struct cli_haralick_tally {
    size_t n_regions;
    size_t n_few; /**< regions that have pixels, but fewer than CLI_HARALICK_FEW levels */
    size_t n_flat;     /**< regions that are flat, at least along one direction */
    size_t n_left_out; /**< regions without a pixel inside re-segmentation */
    uint64_t n_pixels, n_nan, n_clamped,
        n_outside; /**< of all regions; n_pixels: of all kinds but clamped */
    double bin_origin, bin_width; /**< of the last region that has pixels */
    uint32_t least_levels, most_levels;
    size_t n_empty[RUG_GLCM_MAX_DISTANCES];  /**< regions without pairs at a distance */
    size_t n_partly[RUG_GLCM_MAX_DISTANCES]; /**< with pairs in some directions alone */
    size_t n_small[RUG_GLCM_MAX_DISTANCES];  /**< of the empty: not larger than it */
    const char *engine;                      /**< of the last row; NULL: there is none */
    struct {
        uint64_t label;
        uint32_t distance, place; /**< the distance in work, and which one it is */
        uint32_t n, n_bare;       /**< rows of it, and those of them without pairs */
        int is_flat, is_small;
    } now; /**< the region in work */
} cli_haralick_tally;

/** Features of the rows of one image, for its plot. */
typedef struct cli_haralick_values_kept {
    size_t n, capacity;  /**< rows */
    double *features;    /**< [n][n_features of the job]; owned */
    uint32_t *distances; /**< [n]; owned */
} cli_haralick_values_kept;

/** What was measured of one image. */
typedef struct cli_haralick_found {
    rug_glcm_options opts; /**< as they were for it */
    cli_rows rows;
    cli_haralick_values_kept kept;
    cli_haralick_tally tally;
    cli_labels labels;
    double labels_seconds, map_seconds, measure_seconds;
    int is_left; /**< to another run or process, which goes on: there are no rows */
} cli_haralick_found;

/** What is not measured in parts. @return an error text, or NULL */
const char *cli_haralick_check_parts(const cli_haralick_values *values);

/** Measures an image in parts. Sets found->is_left. */
rug_status cli_haralick_in_parts(cli_run *run, const cli_image *image,
                                 cli_haralick_found *found, rug_glcm_row_fn fn,
                                 void *user);

/** Checks what is asked of maps. @return an error text, or NULL */
const char *cli_haralick_check_map(cli_run *run, const cli_haralick_job *job);

/** Measures one image, with all its labels; user is the job. */
rug_status cli_haralick_image(cli_run *run, const cli_image *image, void *user);

/** Prints what was read, warnings with numbers, and the times where they are asked. */
void cli_haralick_print(cli_run *run, const cli_haralick_job *job, const cli_image *image,
                        const cli_haralick_found *found);

/** The range of integers of 1 to 16 bits. */
static inline void cli_haralick_type_range(double range[2], rug_dtype dtype)
{
    static const double of_type[][2] = {
        {0, 1}, {0, 255}, {-128, 127}, {0, 65535}, {-32768, 32767}};
    range[0] = of_type[dtype][0];
    range[1] = of_type[dtype][1];
}

#endif
