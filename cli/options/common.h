/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The options that commands share: their values, and rows of option tables that several have. */

#ifndef CLI_COMMON_H
#define CLI_COMMON_H

#include "option.h"

/** Values of the common options. */
typedef struct cli_common {
    int format; /**< cli_report_format; -1: not given */
    const char *output;
    const char *report; /**< NULL: no page is asked for */
    const char *list;
    int threads; /**< 0 = all */
    const char *device;
    int quiet;
    int verbose;
    int no_progress;
    int resume;
    const char *shard;   /**< "K/N" */
    const char *part;    /**< "K/N" */
    const char *values;  /**< NULL: not given */
    const char *overlay; /**< NULL: not given */
    int help;
} cli_common;

/** Values of the reading options. */
typedef struct cli_reading {
    const char *page; /**< a number or "all" */
    int volume;
    int channel;                                      /**< -1: not given */
    int level;                                        /**< 0: full resolution */
    const char *nodata;                               /**< NULL: not given */
    const char *mask_value, *mask_above, *mask_below; /**< NULL: not given */
    int ignore_geometry;                /**< where masks and labels lie is not compared */
    const char *raw, *dataset, *series; /**< as of rug_read_options; NULL: not given */
    uint64_t resolution;                /**< 0: not given */
    int solid, matrix;
    /** What commands ask for, as of rug_read_options: what goes with pictures besides pixels. */
    int as_stored, alpha, notes;
} cli_reading;

/** What the options say of every file, but page, volume and channel. */
static inline void cli_set_reading(rug_read_options *opts, const cli_reading *reading)
{
    opts->level = reading->level;
    opts->raw = reading->raw;
    opts->dataset = reading->dataset;
    opts->series = reading->series;
    opts->resolution = reading->resolution;
    opts->solid = reading->solid;
    opts->matrix = reading->matrix;
    opts->as_stored = reading->as_stored != 0;
    opts->alpha = reading->alpha;
    opts->notes = reading->notes;
}

/** Rows of option tables. @param type  of the values, with members of these names */
#define CLI_FORMAT_OPTION(type)                                                          \
    {                                                                                    \
        .name = "format", .letter = 'f', .kind = CLI_CHOICE, .choices = "text|csv|json", \
        .target = offsetof(type, format),                                                \
        .help = "form of the table (default text, or as the ending of -o says)"          \
    }
#define CLI_OUTPUT_OPTION(type)                                                     \
    {                                                                               \
        .name = "output", .letter = 'o', .kind = CLI_TEXT, .value = "FILE",         \
        .target = offsetof(type, output), .is_free = 1,                             \
        .help = "write the table there instead of to standard output; .csv, .json " \
                "or .txt choose its form"                                           \
    }
#define CLI_COLUMNS_OPTION(type)                                                           \
    CLI_OPTION("columns", CLI_TEXT, "LIST", type, columns),                                \
        .help =                                                                            \
            "points: the columns that are coordinates, by name or number, such as x,y or " \
            "2,3 (default: those that a header calls x, y, z, else all, if they are at "   \
            "most three)"
#define CLI_SKIP_ROWS_OPTION(type)                            \
    CLI_OPTION("skip-rows", CLI_COUNT, "N", type, skip_rows), \
        .unit = "of rows",                                    \
        .help = "points: first lines of a text that are passed over (default 0)"
#define CLI_HELP_OPTION(type)                                                            \
    {                                                                                    \
        .name = "help", .letter = 'h', .kind = CLI_FLAG, .target = offsetof(type, help), \
        .help = "explain this command"                                                   \
    }

#endif
