/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What main and the commands share: the command table, the common options, and the run of
 * one command with its context, messages and batch of inputs. */

#ifndef CLI_H
#define CLI_H

#include "core/image/number.h"
#include "in_parts.h"
#include "input.h"
#include "io/base/disk.h"
#include "options/common.h"
#include "options/file_names.h"
#include "page.h"
#include "plots/plot.h"
#include "rows.h"
#include "tables/checksum.h"
#include "tables/read_line.h"
#include "tables/report.h"
#include "tables/watch.h"
#include <rugose/io.h>
#include <rugose/rugose.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/types.h>

/** Exit statuses. */
typedef enum cli_exit {
    CLI_OK = 0,
    CLI_FAILED = 1,        /**< some input failed */
    CLI_USAGE = 2,         /**< the command line is wrong; nothing was done */
    CLI_HUNG_UP = 129,     /**< by SIGHUP */
    CLI_INTERRUPTED = 130, /**< by SIGINT or SIGTERM */
    CLI_UNREAD = 141       /**< whoever read standard output has left; as if by SIGPIPE */
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
    const char *also;     /**< "a|b": what others call it; or NULL */
    const char *text;     /**< a paragraph */
    int takes_images;     /**< the common and the reading options belong to it */
    const char
        *takes_files;  /**< the common options belong to it; its inputs are no images
                                  but such files: "stream"; or NULL */
    int takes_masks;   /**< an image may have a mask, from the column of a list too */
    int takes_labels;  /**< likewise a label image */
    int takes_nodata;  /**< pixels that hold no data are left out; else they are read as
                                 they are stored */
    int takes_classes; /**< so it may have a class; sub-folders of a folder are classes */
    int takes_overlay; /**< a picture of what was measured can be asked for */
    int is_whole; /**< its result is one of all inputs, which cannot be done in parts */
    int is_pair;  /**< its inputs are the two sides of one comparison, so failures are
                       not counted among them */
    const char *(*in_parts)(cli_run *run); /**< its images can be measured in parts: sets
                                                run->parts, see cli_begin_parts(); else NULL */
    const cli_option *options; /**< one with the name of a reading or common option takes
                                    its place */
    size_t n_options;
    const cli_example *examples;       /**< ended by a NULL line */
    int (*run)(int argc, char **argv); /**< words after the name; returns a cli_exit */
} cli_command;

/** The option table of a command. */
#define CLI_OPTIONS(table) .options = table, .n_options = sizeof table / sizeof table[0]

extern const cli_command cli_boxcount, cli_multifractal, cli_lacunarity, cli_lbp,
    cli_train, cli_classify, cli_haralick, cli_compress, cli_decompress, cli_upscale,
    cli_ifs, cli_compare, cli_merge, cli_info, cli_devices, cli_version, cli_help;

/** `rugose help` and `rugose merge`, which alone need all commands. @param commands  ended by NULL */
int cli_run_help(const cli_command *const *commands, int argc, char **argv);
int cli_run_merge(const cli_command *const *commands, int argc, char **argv);

/* ---- Options that commands share, help and errors of usage (usage.c) ---- */

/** The option sets of a command, with where their values go. @return how many */
#define CLI_N_OPTION_SETS 7
size_t cli_option_sets(const cli_command *command, cli_option_set sets[CLI_N_OPTION_SETS],
                       void *values, cli_common *common, cli_reading *reading);

/** Option i of a command, those that it shares with others behind its own.
 *  @param title  set to that of the option's set. @return NULL: there are no more */
const cli_option *cli_option_at(const cli_command *command, size_t i, const char **title);

/** Prints the help of one command. */
void cli_print_help(const cli_command *command);

/** A usage error: prints it with a pointer to the help. @return CLI_USAGE; CLI_FAILED of
 *  cli_no_memory, which is printed alone */
int cli_usage_error(const cli_command *command, const char *text);

/** A command by its name, or NULL. @param commands  ended by NULL */
const cli_command *cli_find_command(const cli_command *const *commands, const char *name);

/** Prints that there is no such command, and which may be meant. @return CLI_USAGE */
int cli_unknown_command(const cli_command *const *commands, const char *name);

/** Reads the command line of a command without inputs.
 *  @param asks_help  the value of --help
 *  @param exit       what to leave with when the answer is 0
 *  @return 1 to go on, 0 to leave */
int cli_start_simple(const cli_command *command, int argc, char **argv, void *values,
                     const int *asks_help, int *exit);

/* ---- A run over inputs (run.c) ---- */

/** A file that goes with an image pixel by pixel (twin.h). */
typedef struct cli_twin cli_twin;
typedef struct cli_labels cli_labels;

/** A warning that a worker keeps, in the text that it keeps. */
typedef struct cli_warned {
    uint64_t kind;
    off_t begin, end;
    size_t input;
    int page;
} cli_warned;

/** Warnings of one kind: of one format, whatever the numbers in it. */
typedef struct cli_warnings {
    uint64_t kind;
    size_t n_shown, n_more; /**< images whose warnings were printed, and further ones */
    int is_of_run;          /**< no row has it */
    size_t input;
    int page;    /**< the last image */
    char *first; /**< the first of them, for the end of the run; owned */
} cli_warnings;

typedef struct cli_run cli_run;

/** What comes of inputs besides what is in the run, and goes with it from process to process. */
typedef struct cli_aside {
    /** Takes what came of the input of a run out, as bytes, to a stream in memory.
     *  @return whether there was memory */
    int (*save)(FILE *out, const cli_run *run, void *user);
    /** Puts such bytes where it belongs; any thread may call it. */
    void (*load)(const cli_run *run, cli_bytes *bytes, void *user);
    void *user;
} cli_aside;

/** Inputs that are worked on side by side (workers.h). */
typedef struct cli_batch cli_batch;

/** One run of a command over images, or that of a worker over one of them. */
struct cli_run {
    const cli_command *command;
    void *values;      /**< of the command's own options */
    cli_words words;   /**< of the command line */
    const char **line; /**< all words, in their order, ended by NULL; owned */
    unsigned mode;     /**< the way of working, as a bit of `modes` in the option table */
    cli_common common;
    cli_reading reading;
    rug_nodata nodata;           /**< as it is read */
    rug_foreground nodata_value; /**< of VALUE: value and rest */
    rug_context *ctx;
    char *device_name; /**< of the OpenCL device that was asked for; NULL = none; owned */
    cli_list *list;    /**< owned; NULL: none is given */
    cli_input *inputs; /**< owned */
    size_t n_inputs;
    size_t shard, n_shards; /* which of them are its own, from 0; of 0: all */
    const char **slices;    /**< operands that make one volume, in order; owned */
    size_t n_slices;
    const char *mask;   /**< of every input that has none of its own; NULL = none */
    cli_inside inside;  /**< of every mask */
    const char *labels; /**< as asked, for every input; NULL = not asked */
    int has_labels;     /**< every input has a label image */
    const char *model;  /**< a model, or another file that is read; NULL = none */
    int needs_pixels;   /**< images must be in memory as a whole, however large */
    int heads_only;     /**< files are opened, but pixels neither read nor measured */
    int keeps_colours;  /**< red, green and blue stay, unless a channel is chosen */
    int is_flat;        /**< pages are pictures, also where they could be slices */
    int reads_points;   /**< every input is a set of points */
    rug_point_file_options
        point_options;      /**< which parts of them; its size is set when read */
    double read_share;      /**< of the work on an input that reading it is; 0: 0.8 */
    uint64_t large_bytes;   /**< of pixels: see CLI_LARGE_BYTES, which 0 stands for */
    cli_parts *parts;       /**< images are measured in parts; NULL: they are not */
    int one_by_one;         /**< inputs are not worked on side by side */
    cli_batch *batch;       /**< of whose inputs this run does one; NULL: all of them */
    int is_alone;           /**< all threads are for it */
    int is_left;            /**< the rest of the input is left to the run of the batch */
    int is_returned;        /**< all of the input is, and nothing is kept */
    const cli_aside *aside; /**< NULL: nothing */
    int stays_here; /**< what comes of inputs is not all in the run, so that no other
                               process may do them */
    atomic_int *permille; /**< where a worker notes its progress; NULL: it is shown */
    FILE *err;            /**< lines for people: stderr, or kept until it is their turn */
    size_t input;         /**< the one in work */
    int page, n_pages; /**< of it: the next, and how many there are as far as is known */
    const char *image; /**< its name in messages and rows; NULL between images */
    double phase_at,
        phase_share;  /**< the share of an input that the phase in work covers */
    double started;   /**< seconds of a steady clock */
    double redraw_at; /**< since then, when the progress line may be drawn again */
    int progress_shown;
    const char *const *columns;   /**< of the report, ended by NULL; set by the check of a
                                     command, or NULL: its work begins the report */
    cli_report *report;           /**< NULL: none is written */
    cli_report *second, *third;   /**< further tables of a command; NULL: not asked */
    cli_report *html;             /**< NULL: not asked */
    int has_details;              /**< rows have what JSON and pages show */
    struct cli_outputs *overlays; /**< those of --overlay; of all runs of a batch */
    cli_writing writing;          /**< how far they are written */
    int interrupted;              /**< by this signal; 0: not */
    int is_unread;                /**< whoever read standard output has left */
    cli_warned *warned;           /**< of a worker; owned */
    size_t n_warned;
    cli_warnings *warnings; /**< by kind; owned */
    size_t n_warnings;
    char **failures; /**< one line each; owned */
    size_t n_told;   /**< of them; fewer than there are where memory ran out */
    size_t n_failures;
};

/** An image that was opened, with its range unless only heads are read. Small ones are in memory; those above
 *  CLI_MEMORY_BYTES are read slab by slab, each time that they are needed. */
typedef struct cli_image {
    rug_file *file;
    const rug_image *pixels; /**< its data is NULL unless it is in memory */
    rug_source source;       /**< the same pixels, but for alpha, which is no data */
    rug_image colours;       /**< what it is of where alpha was kept */
    const rug_file_facts *facts;
    cli_watch *
        watch; /**< has the range inside the mask, see cli_image_range(); NULL: of heads only */
    const char *path; /**< of the file, or of the folder or the first file of a volume */
    /** Of the row: the path as the list has it, with [page=N] when every page is read, and
     *  [files=N] of a volume of several files. */
    const char *name;
    const char *mask_path; /**< NULL: there is no mask */
    cli_twin *twin;        /**< the mask's */
    rug_source mask;       /**< not set without a mask */
    void *in_parts; /**< of cli_open_in_parts(); NULL where it is not measured in parts */
    cli_labels *labels; /**< that are measured in parts with it; NULL: none */
    char digest[CLI_SHA256_TEXT_MAX], mask_digest[CLI_SHA256_TEXT_MAX]; /**< for JSON */
    double read_seconds;
} cli_image;

/** The range of an image. Of one that is not in memory it costs a pass, unless a method has read
 *  all of it. */
static inline const rug_image_range *cli_image_range(const cli_image *image)
{
    return cli_watch_range(image->watch);
}

/** The range for a rule that has to be found in it. Bits that are not in memory are not read for it: that
 *  1 is set is the same as any of the rules that their range may lead to. @return NULL: the rule is
 *  given */
static inline const rug_image_range *cli_range_for(const cli_image *image,
                                                   rug_foreground asked)
{
    static const rug_image_range of_bits = {
        .struct_size = sizeof of_bits, .max = 1, .n_distinct = 2};
    if (asked.kind == RUG_FOREGROUND_AUTO && image->pixels->dtype == RUG_BIT &&
        image->pixels->data == NULL)
        return &of_bits;
    int is_open = asked.kind == RUG_FOREGROUND_AUTO ||
                  asked.kind == RUG_FOREGROUND_OTSU ||
                  asked.kind == RUG_FOREGROUND_OTSU_DARK;
    return is_open ? cli_image_range(image) : NULL;
}

/** Decoded bytes above which an image is not kept in memory. */
#define CLI_MEMORY_BYTES ((uint64_t)512 << 20)

/** Bytes of the name of an image, and of one of its labels, with its end. */
#define CLI_NAME_MAX       4200
#define CLI_LABEL_NAME_MAX (CLI_NAME_MAX + 100)

/** Puts the number of a label behind the name of its image. */
static inline void cli_name_label(char name[CLI_LABEL_NAME_MAX], const char *image,
                                  uint64_t label)
{
    snprintf(name, CLI_LABEL_NAME_MAX, "%s[label=%llu]", image,
             (unsigned long long)label);
}

/** A set of points that was read. */
typedef struct cli_points {
    rug_point_file *file;
    const rug_points *points;
    const rug_point_facts *facts;
    const char *path; /**< as the list has it, for rows and messages */
    const cli_image
        *rows; /**< what they are to run->parts: an image of a row for each; NULL
                                where they are not measured in parts */
    char digest[CLI_SHA256_TEXT_MAX]; /**< for JSON */
    double read_seconds;
} cli_points;

/** Measures one image or one set of points and adds its rows to the report. @return a
 *  status; the text is in the context */
typedef rug_status (*cli_image_fn)(cli_run *run, const cli_image *image, void *job);
typedef rug_status (*cli_points_fn)(cli_run *run, const cli_points *points, void *job);

/** Puts the parameters of a command into a record. */
typedef void (*cli_describe_fn)(const cli_run *run, cli_record *p, const void *job);

/** What a command over inputs does, in this order. */
typedef struct cli_actions {
    const char *(*check)(cli_run *run, void *job); /**< before any input is read; sets
                                                        `columns`. @return an error text,
                                                        or NULL */
    cli_describe_fn describe;                      /**< NULL: as cli_describe_own() */
    cli_image_fn image;
    cli_points_fn points;                 /**< NULL: it has nothing to do with points */
    int (*work)(cli_run *run, void *job); /**< NULL: cli_for_each_input(); anything
                                                    but CLI_OK is printed already */
    /** Behind the last input, before the tables are ended; NULL: nothing. */
    void (*end)(cli_run *run, void *job);
    void (*free)(void *job); /**< also after an error; NULL: nothing */
} cli_actions;

/** Runs a command over its inputs.
 *  @param values  of its own options, with their defaults
 *  @param job     its state, which `values` is a part of
 *  @return a cli_exit */
int cli_run_images(const cli_command *command, int argc, char **argv, void *values,
                   void *job, const cli_actions *actions);

/* ---- Inputs (inputs.c, batch.c) ---- */

/** Puts operands and the rows of --list into the run. A folder stands for its images, in natural
 *  order: 2 before 10; for a command that takes classes for those in its sub-folders, whose names
 *  are the classes, if it has any. With --volume a folder is one input, and so are several files
 *  of one page each. A row of a list belongs to one shard as a whole, and is not looked at by others.
 *  @return 0, or -1 with a message printed */
int cli_collect_inputs(cli_run *run);

/** Opens the file of the input in work, or its mask or labels; with --volume also the slices that a
 *  path stands for. */
rug_status cli_open_file(cli_run *run, rug_file **out, const char *path,
                         const rug_read_options *opts);

/** Opens another level of the pyramid that an image is one of. */
rug_status cli_open_level(cli_run *run, rug_file **out, const cli_image *image,
                          int level);

/** The SHA-256 of a file, or of all slices one after the other, where rows have details; "" where
 *  not, because tables show none and it reads all of them.
 *  @return RUG_OK, also after a warning; RUG_E_NOMEM */
rug_status cli_digest(cli_run *run, char digest[CLI_SHA256_TEXT_MAX], const char *path);

/** Reads every input and gives every image to `measure`. Failures are printed and kept; the
 *  others go on.
 *  @param measure_points  NULL: the command has nothing to do with points */
void cli_for_each_input(cli_run *run, cli_image_fn measure, cli_points_fn measure_points,
                        void *job);

/** Whether --page all is given. */
int cli_is_every_page(const cli_run *run);

/* ---- Tables (tables.c) ---- */

/** "512x512", slowest axis first. */
#define CLI_SHAPE_MAX 240
void cli_format_shape(char text[CLI_SHAPE_MAX], int ndim, const uint64_t *shape);

/** Sets a column to such a text. */
void cli_set_shape(cli_record *row, const char *name, int ndim, const size_t *sizes);

/** Sets "min" and "max", exactly. */
static inline void cli_set_range(cli_record *record, const rug_image_range *range)
{
    cli_record_set_exact(record, "min", range->min, range->min_rest);
    cli_record_set_exact(record, "max", range->max, range->max_rest);
}

/** Sets `image`, and what the list carries for the input in work.
 *  @param name  of the image */
void cli_set_image(const cli_run *run, cli_record *row, const char *name);

/** A row with the columns and facts that every row of an image has: `image`, `shape`, and
 *  in JSON what was read. */
cli_record *cli_image_row(cli_run *run, const cli_image *image);

/** Likewise of a set of points; the shape is known later. */
cli_record *cli_points_row(cli_run *run, const cli_points *points);

/** Puts the bounding box's first pixel and the area of a label into a row, as "region". */
void cli_set_region(cli_record *row, const rug_region *region, int ndim);

/** Sets "sha256"; null for "". */
void cli_set_digest(cli_record *row, const char *digest);

/** Puts a file that took part into a JSON row.
 *  @param name  "mask", "labels" … */
void cli_add_file(cli_record *row, const char *name, const char *path,
                  const char *digest);

/** Rows of one image, kept until all of them are there. All zero: none. */
typedef struct cli_rows {
    cli_record **items; /**< owned */
    size_t n, capacity;
} cli_rows;

/** Keeps a row, which is taken over also after a failure. @return RUG_OK, RUG_E_NOMEM */
rug_status cli_keep_row(cli_run *run, cli_rows *rows, cli_record *row);

/** Puts the rows into the report, or drops them. */
void cli_end_rows(cli_run *run, cli_rows *rows, int keep);

/** Begins the report, with its parameters; the file is opened with the first input.
 *  @param columns   ended by NULL
 *  @param describe  NULL: as cli_describe_own()
 *  @return CLI_OK, or CLI_USAGE with a message printed: a column of the list has the name of one
 *          of the table */
int cli_begin_report(cli_run *run, const char *const *columns, cli_describe_fn describe,
                     const void *job);

/** Begins a second report: its columns, and behind `image` those that the list carries.
 *  @return as cli_begin_report() */
int cli_begin_table(cli_run *run, cli_report **out, const char *const *columns);

/** Puts the values of the command's own options into the parameters. */
void cli_describe_own(const cli_run *run, cli_record *p);

/* ---- Names of files (paths.c) ---- */

/** Names of files that were written so far. All zero: none. */
typedef struct cli_outputs {
    char **items; /**< owned */
    size_t n;
} cli_outputs;

/** Whether a path leads to a file that this run reads, an image or the list, also by
 *  another name: it must not be written. */
int cli_is_input(const cli_run *run, const char *path);

/** Whether two names lead to one file, which need not be there yet. */
int cli_same_path(const char *a, const char *b);

/** Bytes of a file on disk; 0 when it is none. */
uint64_t cli_file_bytes(const char *path);

/** Checks of the command line. All return an error text, or NULL. */

/** Not both of two options. */
const char *cli_check_exclusive(cli_run *run, const char *a, const char *b);

/** Names the word of a list that is wrong.
 *  @param word      where it begins; it ends at a comma
 *  @param expected  such as "numbers above 0, such as 10,50,200" */
const char *cli_refuse_word(cli_run *run, const char *option, const char *word,
                            const char *expected);

/** No option of another way of working; sets the run's mode.
 *  @param why  behind the option's name, such as "goes with --gray" */
const char *cli_check_mode(cli_run *run, unsigned mode, const char *why);

/** What commands with masks need: none of two kinds, and no output over an input. Sets what is
 *  inside, and gives each input its label image. */
const char *cli_check_masks(cli_run *run);

/** The name of a file that is written for each input.
 *  @param option  such as "output" */
const char *cli_check_result_name(cli_run *run, const char *option, const char *name);

/** --map FILE.tif; --plot FILE and --overlay FILE.png, which may be NULL.
 *  @param is_several  nonzero: there is more than one of each image, such as one of each label
 *  @param is_joined   set where there are several plots, but one name for all of them */
const char *cli_check_map_name(cli_run *run, const char *name, int is_several);
const char *cli_check_plot_name(cli_run *run, const char *name, int is_several,
                                int *is_joined);
const char *cli_check_overlay_name(cli_run *run, const char *name);

/** The name of a second report, which may be NULL: two must not go to one place; only
 *  tables for people may follow each other.
 *  @param option  such as "counts" */
const char *cli_check_second_report(cli_run *run, const char *option, const char *path);

/** Makes the name of an image's file and claims it: two images must not write over each
 *  other, and no output over an input.
 *  @param option  such as "plot", which also names what is written
 *  @param asked   in which "{}" stands for the image's name without folders and ending, and
 *                 the suffix, and "{dir}" for its folder
 *  @param image   its name, and that of the label where there is one */
rug_status cli_claim(cli_run *run, cli_outputs *outputs, char path[CLI_PATH_MAX],
                     const char *option, const char *asked, const char *image,
                     const char *suffix);
void cli_free_outputs(cli_outputs *outputs);

/* ---- Lines on stderr (messages.c) ---- */

/** Prints a line for people, or a part of one. What stands in it shows as rugi_utf8_show() has it, so
 *  that no name and no metadata moves the cursor or forges a line; only the end of line that the
 *  format ends with is one. All lines on stderr go through here. */
void cli_print(FILE *out, const char *format, ...) RUG_PRINTF(2, 3);

/** Seconds of a steady clock. */
double cli_now(void);

/** Which part of the input's work comes next, for the progress line: its share ends at
 *  `until`. */
void cli_phase(cli_run *run, double until);

/** The share of an input's work that reading it is. */
static inline double cli_read_share(const cli_run *run)
{
    return run->read_share > 0 ? run->read_share : 0.8;
}

/** Sets the input in work: its name for messages, and its share of progress. */
static inline void cli_begin_input(cli_run *run, const char *name)
{
    run->image = name;
    run->phase_at = run->phase_share = 0;
    cli_phase(run, cli_read_share(run));
}

/** The phase in work ends sooner than was said. */
void cli_shorten_phase(cli_run *run, double until);

/** Has its context tell a run of progress and warnings, and ask it whether to go on. The first
 *  time SIGINT, SIGTERM and SIGHUP begin to stop all runs; under nohup SIGHUP stays ignored. */
void cli_listen(cli_run *run);

/** Whether a write to standard output failed because nobody reads it any more, which is no error
 *  to tell: `rugose ... | head -n 1`. */
int cli_is_reader_gone(void);

/** Takes the progress line away before something else is printed. */
void cli_clear_progress(cli_run *run);

/** A warning about the image in work. Of one format only the first three images are named; how many
 *  more there are is said at the end. */
void cli_warn(cli_run *run, const char *format, ...) RUG_PRINTF(2, 3);

/** Prints what a worker kept, but for warnings of which there were enough. Both runs are of one
 *  batch. */
void cli_print_kept(cli_run *run, const cli_run *worker, const char *text, size_t n);

/** A path of the input in work, or a text that begins with one, as the list has it. */
const char *cli_as_listed(const cli_run *run, const char *text);

/** Ends an image, or a set of points or a stream: its rows get its warnings in JSON. */
void cli_end_image(cli_run *run);

/** Prints a failure and keeps it for the end of the run. */
void cli_fail(cli_run *run, const char *text);

/** Likewise the failure of an input, whose text is in the context, named by its path where
 *  the text does not begin so. */
void cli_fail_input(cli_run *run, const char *path, const char *name);

/** Prints a line that was made for it, and frees it. */
void cli_print_line(cli_run *run, char *line);

/** Prints what was read, unless --quiet, and warns where pixels without data leave little, or are
 *  measured all the same. @param extra  for the end of the line, or NULL */
void cli_print_read(cli_run *run, const cli_image *image, const char *extra);

/** Begins the line of times, where it is asked for. @return whether it is */
int cli_begin_times(const cli_run *run, const cli_image *image);

/** Ends it with the number of threads and what an OpenCL device did.
 *  @param engine  NULL: not known
 *  @param extra   behind the threads, or "" */
void cli_end_times(const cli_run *run, const char *engine, const char *extra);

/* What several commands say and warn of. */
#include "doubts.h"

#endif
