/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What main and the commands share: the command table, the common options, and the run of
 * one command with its context, messages and batch of inputs. */

#ifndef CLI_H
#define CLI_H

#include "option.h"
#include <rugose/io.h>
#include <rugose/rugose.h>

/** Exit statuses. */
typedef enum cli_exit {
    CLI_OK = 0,
    CLI_FAILED = 1, /**< some input failed */
    CLI_USAGE = 2,  /**< the command line is wrong; nothing was done */
    CLI_INTERRUPTED = 130
} cli_exit;

/** A command line to copy, with what it does. */
typedef struct cli_example {
    const char *line;
    const char *what;
} cli_example;

/** One command. */
typedef struct cli_command {
    const char *name;
    const char *operands; /**< such as "FILE..." */
    const char *summary;  /**< half a line */
    const char *text;     /**< a paragraph */
    int takes_images;     /**< the common and the reading options belong to it */
    int takes_streams;    /**< the common options belong to it; its inputs are streams */
    int takes_masks;      /**< an image may have a mask, from the column of a list too */
    int takes_classes; /**< so it may have a class; sub-folders of a folder are classes */
    const cli_option *options; /**< one with the name of a reading or common option takes
                                    its place */
    size_t n_options;
    const cli_example *examples;       /**< ended by a NULL line */
    int (*run)(int argc, char **argv); /**< words after the name; returns a cli_exit */
} cli_command;

/** All commands, in the order of the help. */
extern const cli_command *const cli_commands[];
extern const size_t cli_n_commands;

extern const cli_command cli_boxcount, cli_multifractal, cli_lacunarity, cli_lbp,
    cli_train, cli_classify, cli_haralick, cli_compress, cli_decompress, cli_upscale,
    cli_compare, cli_info, cli_devices, cli_version, cli_help;

/** Values of the common options. */
typedef struct cli_common {
    int format; /**< rug_report_format; -1: not given */
    const char *output;
    const char *list;
    int threads; /**< 0 = all */
    const char *device;
    int quiet;
    int verbose;
    int no_progress;
    int help;
} cli_common;

/** Values of the reading options. */
typedef struct cli_reading {
    const char *page; /**< a number or "all" */
    int volume;
    int channel; /**< -1: not given */
    int level;   /**< 0: full resolution */
} cli_reading;

/** The tables of both, for help. */
extern const cli_option cli_common_options[], cli_reading_options[];
extern const size_t cli_n_common_options, cli_n_reading_options;

/** One input. All texts are owned. */
typedef struct cli_input {
    char *path;
    char *mask;       /**< the path of its own mask, or NULL */
    char *class_name; /**< NULL: not known, or of no use to the command */
} cli_input;

/** One run of a command over images. */
typedef struct cli_run {
    const cli_command *command;
    cli_common common;
    cli_reading reading;
    rug_context *ctx;
    char *device_name; /**< of the OpenCL device that was asked for; NULL = none; owned */
    cli_input *inputs; /**< owned */
    size_t n_inputs;
    const char *mask;   /**< of every input that has none of its own; NULL = none */
    const char *labels; /**< the label image of every input; NULL = none */
    const char *model;  /**< a model that is read; NULL = none */
    int needs_pixels;   /**< images must be in memory as a whole, however large */
    int keeps_colours;  /**< red, green and blue stay, unless a channel is chosen */
    int reads_points;   /**< every input is a set of points */
    double read_share;  /**< of the work on an input that reading it is; 0: 0.8 */
    size_t input;       /**< the one in work */
    const char *image;  /**< its name in messages and rows; NULL between images */
    double phase_at,
        phase_share; /**< the share of an input that the phase in work covers */
    double started;  /**< seconds of a steady clock */
    int progress_shown;
    rug_report *report; /**< NULL: none is written */
    int interrupted;
    char **failures; /**< one line each; owned */
    size_t n_failures;
} cli_run;

/** An image that was opened, with its range. Small ones are in memory; those above
 *  CLI_MEMORY_BYTES are read slab by slab, each time that they are looked at. */
typedef struct cli_image {
    rug_file *file;
    const rug_image *pixels; /**< its data is NULL unless it is in memory */
    rug_source source;       /**< the same pixels */
    const rug_file_facts *facts;
    rug_image_range range; /**< inside the mask */
    const char *path;      /**< of the file */
    const char *name; /**< of the row: the path, with [page=N] when every page is read */
    const char *mask_path; /**< NULL: there is no mask */
    rug_file *mask_file;
    rug_source mask; /**< not set without a mask */
    char digest[RUG_SHA256_TEXT_MAX], mask_digest[RUG_SHA256_TEXT_MAX]; /**< for JSON */
    double read_seconds, range_seconds;
} cli_image;

/** Decoded bytes above which an image is not kept in memory. */
#define CLI_MEMORY_BYTES ((uint64_t)512 << 20)

/** A set of points that was read. */
typedef struct cli_points {
    rug_point_file *file;
    const rug_points *points;
    const rug_point_facts *facts;
    const char *path;
    char digest[RUG_SHA256_TEXT_MAX]; /**< for JSON */
    double read_seconds;
} cli_points;

/** Reads the command line, makes the context and collects the inputs.
 *  @param values   of the command's own options
 *  @param exit     set when the answer is 0: what to leave with (help was asked, usage
 *                  error)
 *  @return 1 to go on, 0 to leave; call cli_finish() only after 1 */
int cli_start(cli_run *run, const cli_command *command, int argc, char **argv,
              void *values, int *exit);

/** Puts operands and the rows of --list into the run. For a command that takes classes a
 *  folder stands for the files in its sub-folders, whose names are the classes, or else for
 *  its own files, of no class; by name, in bytes. @return 0, or -1 with a message printed */
int cli_collect_inputs(cli_run *run, const cli_operands *operands);
void cli_free_inputs(cli_run *run);

/** Begins the report; before anything is put into it.
 *  @param columns  ended by NULL */
void cli_set_columns(cli_run *run, const char *const *columns);

/** Measures one image or one set of points and adds its row to the report. @return a
 *  status; the text is in the context */
typedef rug_status (*cli_image_fn)(cli_run *run, const cli_image *image, void *user);
typedef rug_status (*cli_points_fn)(cli_run *run, const cli_points *points, void *user);

/** Reads every input and shows every image to `measure`. Failures are told and kept; the
 *  others go on.
 *  @param measure_points  NULL: the command has nothing to do with points */
void cli_for_each_input(cli_run *run, cli_image_fn measure, cli_points_fn measure_points,
                        void *user);

/** Sets the input in work: its name for messages, and its share of progress. */
void cli_begin_input(cli_run *run, const char *name);

/** Keeps the failure of an input, whose text is in the context, named by its path where
 *  the text does not begin so. */
void cli_fail_input(cli_run *run, const char *path, const char *name);

/** Reads an image that goes with another pixel by pixel, such as a mask, into memory where
 *  it is to be, and tells what was read: the same page of it where it has several, and
 *  whatever channel of the image was asked for, its own value.
 *  @param out   the file, to be freed also after a failure
 *  @param page  -1: the first
 *  @return a status; the text is in the context */
rug_status cli_read_twin(cli_run *run, rug_file **out, const char *path, int page,
                         int in_memory);

/** Whether a path leads to a file that this run reads, an image or the list, also by
 *  another name: it must not be written. */
int cli_is_input(const cli_run *run, const char *path);

/** Whether two names lead to one file, which need not be there yet. */
int cli_same_path(const char *a, const char *b);

/** Sets version and command in the head of the report. @return a new record with the
 *  parameters that every command has, to be completed and set as "parameters" */
rug_record *cli_describe_run(cli_run *run);

/** Frees a run without writing anything. */
void cli_abandon(cli_run *run);

/** Writes the report, sums up the failures and frees the run. @return a cli_exit */
int cli_finish(cli_run *run);

/** A usage error: prints it with a pointer to the help. @return CLI_USAGE */
int cli_usage_error(const cli_command *command, const char *text);

/** Which part of the input's work comes next, for the progress line: its share ends at
 *  `until`. */
void cli_phase(cli_run *run, double until);
/** The phase in work ends sooner than it was said. */
void cli_shorten_phase(cli_run *run, double until);

/** A line on stderr: a warning about the image in work. */
void cli_warn(cli_run *run, const char *format, ...) RUG_PRINTF(2, 3);

/** Keeps a failure of the image in work and prints it. */
void cli_fail_image(cli_run *run, const char *text);

/** Sets the columns and facts that every row of an image has: `image`, `shape`, and in
 *  JSON what was read. */
void cli_describe_image(cli_run *run, rug_record *row, const cli_image *image);

/** The SHA-256 of a file where the report is JSON; "" where not, because tables show none
 *  and it reads the whole file. */
void cli_digest(cli_run *run, char digest[RUG_SHA256_TEXT_MAX], const char *path);

/** Puts a file that took part into a JSON row.
 *  @param name  "mask", "labels" … */
void cli_add_file(rug_record *row, const char *name, const char *path,
                  const char *digest);

/** Likewise of a set of points; the shape is known later. */
void cli_describe_points(cli_run *run, rug_record *row, const cli_points *points);

/** "512x512", slowest axis first. */
#define CLI_SHAPE_MAX 240
void cli_format_shape(char text[CLI_SHAPE_MAX], int ndim, const uint64_t *shape);

/** Reads the label image that goes with an image, into memory, and tells it. Colours that
 *  differ are refused.
 *  @param out  to be freed also after a failure */
rug_status cli_read_labels(cli_run *run, rug_file **out, const char *path, int page);

/** Prints a line that was made for it, such as a read line, and frees it. */
void cli_print_line(cli_run *run, char *line);

/** Goes on with the line of times: what an OpenCL device did, by its own clock. */
void cli_print_device_times(const cli_run *run);

/** The foreground for the read line: its share, how it was chosen, the pixels of the mask.
 *  @param asked, rule  as the command line has it, and what it came to
 *  @param share        of the pixels, 0..1; NaN: not known
 *  @param n_pixels      inside of the mask, where there is one */
#define CLI_FOREGROUND_MAX 200
void cli_format_foreground(char text[CLI_FOREGROUND_MAX], const cli_image *image,
                           rug_foreground asked, rug_foreground rule, double share,
                           uint64_t n_pixels);

/** Warns of a mask without pixels, and of a foreground that is nearly nothing or nearly
 *  everything. */
void cli_warn_of_share(cli_run *run, double share, uint64_t n_pixels);

/** Warns of a threshold that was found among floats, and of NaN. */
void cli_warn_of_values(cli_run *run, const cli_image *image, rug_foreground asked);

/** Warns of pixels that are no cubes. */
void cli_warn_of_spacing(cli_run *run, const rug_image *img);

/** A fit over fewer sizes says little. */
#define CLI_FEW_SIZES 5
/** Whether a fit covers so little that it says little, and the warning of it. */
int cli_is_short_fit(uint32_t n_sizes, uint64_t size_min, uint64_t size_max);
void cli_warn_of_short_fit(cli_run *run, uint32_t n_sizes, uint64_t size_min,
                           uint64_t size_max);

/** Bytes of an output's name with its end. */
#define CLI_PATH_MAX 4300

/** Names of files that were written so far. All zero: none. */
typedef struct cli_outputs {
    char **items; /**< owned */
    size_t n;
} cli_outputs;

/** Puts the image's name, without folders and ending, and a suffix for "{}" in a name.
 *  @return 0, or -1: too long */
int cli_expand_name(char path[CLI_PATH_MAX], const char *asked, const char *image,
                    const char *suffix);

/** Checks the name of a second report: two must not go to one place; only tables for
 *  people may follow each other.
 *  @param option  such as "counts"
 *  @param path    NULL: not asked for. @return an error text, or NULL */
const char *cli_check_second_report(cli_run *run, const char *option, const char *path);

/** Checks --map FILE.tif before any image is read.
 *  @param is_several  nonzero: there is more than one map of each image
 *  @return an error text, or NULL */
const char *cli_check_map_name(const cli_run *run, const char *name, int is_several);

/** Checks --plot FILE likewise; NULL is not asked for.
 *  @param is_several  nonzero: an image has several plots
 *  @return an error text, or NULL */
const char *cli_check_plot_name(const cli_run *run, const char *name, int is_several);

/** Claims a name: two images must not write over each other, and no output over an input.
 *  @param option  such as "plot", which also names what is written */
rug_status cli_claim_output(cli_run *run, cli_outputs *outputs, const char *option,
                            const char *path);
/** Makes and claims the name of an image's plot.
 *  @param image  its name, and that of the label where there is one */
rug_status cli_claim_plot(cli_run *run, cli_outputs *outputs, char path[CLI_PATH_MAX],
                          const char *asked, const char *image);
void cli_free_outputs(cli_outputs *outputs);

/** Seconds of a steady clock. */
double cli_now(void);

/** Writes a report to a file, or to stdout for "-", in the form that the file's ending or
 *  else the run's format asks for. */
rug_status cli_write_report(cli_run *run, const rug_report *report, const char *path);

/** Progress callback of the context; user is the run. */
void cli_progress(void *run, double share);
/** Takes the progress line away before something else is printed. */
void cli_clear_progress(cli_run *run);
/** The progress line: "12 of 300  4 %  about 2:10 left". */
#define CLI_PROGRESS_MAX 80
void cli_format_progress(char text[CLI_PROGRESS_MAX], size_t input, size_t n_inputs,
                         double share, double elapsed);

/** Prints help of one command. */
void cli_print_help(const cli_command *command);

#endif
