/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What every command says about itself: the options that all commands over images share, the
 * help of a command, and errors of usage. */

#include "cli.h"
#include <stdio.h>
#include <string.h>

/* ---- Options that commands share ---- */

static const cli_option reading_options[] = {
    {CLI_OPTION("page", CLI_TEXT, "N|all", cli_reading, page),
     .help =
         "page of a multi-page image, or volume of a 4D file, from 0; all: every page, with "
         "rows of its own (default: pages of one shape are slices of a volume, unless the file "
         "says that they are channels or times; then, and for pictures, page 0)"},
    {CLI_OPTION("volume", CLI_FLAG, NULL, cli_reading, volume),
     .help =
         "read one volume, or fail: its slices are the pages of a TIFF file, the images of a "
         "folder, or several files of one page each, in natural order (2 before 10)"},
    {CLI_OPTION("channel", CLI_INT, "N", cli_reading, channel), .min = 0, .max = 65535,
     .help = "channel of a colour or multi-channel image, from 0 (default: the Rec. 601 "
             "luma of red, green and blue)"},
    {CLI_OPTION("level", CLI_INT, "N", cli_reading, level), .min = 0, .max = 63,
     .help = "resolution level of an image pyramid or whole slide; 0 is full resolution "
             "(default 0)"},
    {CLI_OPTION("raw", CLI_TEXT, "DTYPE,SHAPE[,...]", cli_reading, raw),
     .help =
         "the files have no header: u8|i8|u16|i16|u32|i32|u64|i64|f16|f32|f64, the shape, slowest "
         "axis first, then offset=N bytes before the pixels (default 0), and big or little, the "
         "byte order (default little); such as u16,40x512x512,offset=512,big; not for masks and "
         "labels"},
    {CLI_OPTION("matrix", CLI_FLAG, NULL, cli_reading, matrix),
     .help =
         "texts of numbers, such as .csv and .tsv, are images, masks or labels, a row a line"},
    {CLI_OPTION("dataset", CLI_TEXT, "NAME", cli_reading, dataset),
     .help =
         "array of a file that holds several (HDF5, NetCDF, Zarr); FILE:NAME says the same "
         "(default: the only one that is an image)"},
    {CLI_OPTION("series", CLI_TEXT, "N|UID", cli_reading, series),
     .help =
         "series of a folder of DICOM files, by number from 1 or by UID (default: the "
         "only one)"},
    {CLI_OPTION("resolution", CLI_COUNT, "N", cli_reading, resolution), .min = 1,
     .unit = "of voxels",
     .help =
         "meshes (PLY, STL, OBJ) are read as the voxels that their surface touches, in a cube of N "
         "voxels a side, of which their longest side spans all but two"},
    {CLI_OPTION("solid", CLI_FLAG, NULL, cli_reading, solid),
     .help =
         "meshes: the voxels whose centres are inside instead; the mesh should be closed"},
};

static const cli_option nodata_options[] = {
    {CLI_OPTION("nodata", CLI_TEXT, "V|none", cli_reading, nodata),
     .help =
         "pixels of value V hold no data and are left out, as NaN is; none: all are data "
         "(default: the value that the file names, if any)"},
};

static const cli_option mask_options[] = {
    {CLI_OPTION("mask-value", CLI_TEXT, "V[,V...]", cli_reading, mask_value),
     .help =
         "pixels of these values are inside a mask (default: those that are neither 0 nor "
         "NaN)"},
    {CLI_OPTION("mask-above", CLI_TEXT, "T", cli_reading, mask_above),
     .help = "pixels of at least T are inside a mask"},
    {CLI_OPTION("mask-below", CLI_TEXT, "T", cli_reading, mask_below),
     .help = "pixels below T are inside a mask"},
    {CLI_OPTION("ignore-geometry", CLI_FLAG, NULL, cli_reading, ignore_geometry),
     .help =
         "compare the shapes of image and mask or labels alone, also where both files say "
         "where they lie"},
};

static const cli_option overlay_options[] = {
    {CLI_OPTION("overlay", CLI_TEXT, "FILE.png", cli_common, overlay), .is_unlisted = 1,
     .also = "preview|thumbnail|quicklook",
     .help =
         "draw what was measured: the image in grey, what was counted in orange, outside "
         "the mask dimmed, labels outlined; of a volume three slices through its middle; "
         "with several images '{}' in FILE stands for the image's name, '{dir}' for its "
         "folder"},
};

static const cli_option parts_options[] = {
    {CLI_OPTION("part", CLI_TEXT, "K/N", cli_common, part), .is_unlisted = 1,
     .help =
         "measure the K-th of N parts of each image, cut in layers (rows; slices of a volume), and "
         "write what was found to -o FILE.rgs; 'rugose merge' makes the table of all N files"},
    {CLI_OPTION("values", CLI_TEXT, "FILE.rgs", cli_common, values), .is_unlisted = 1,
     .help =
         "with --part: the values of the whole images, from 'rugose info --part' and 'rugose merge'; "
         "without it each part reads all of an image whose threshold or range is found in its "
         "values"},
};

static const cli_option common_options[] = {
    CLI_FORMAT_OPTION(cli_common),
    CLI_OUTPUT_OPTION(cli_common),
    {CLI_OPTION("report", CLI_TEXT, "FILE.html", cli_common, report),
     .help =
         "write a page there, too, to be opened in a browser: what went wrong, the table, each "
         "image with its plots, and how all was made; one file, which loads nothing"},
    {CLI_OPTION("list", CLI_TEXT, "FILE.csv", cli_common, list), .is_free = 1,
     .help =
         "take the images from the column `image` of a CSV file (- for standard input), with "
         "`mask`, `labels` and `class` where the command uses them; paths are relative to it; "
         "other columns are carried to the tables"},
    {CLI_OPTION("resume", CLI_FLAG, NULL, cli_common, resume), .is_free = 1,
     .help =
         "go on with a table (-o, CSV or JSON) whose run was stopped, from the inputs that "
         "NAME.part holds; with the same command line"},
    {CLI_OPTION("shard", CLI_TEXT, "K/N", cli_common, shard),
     .help = "take every N-th input from the K-th, for N runs on several machines"},
    {CLI_OPTION("threads", CLI_INT, "N", cli_common, threads), .is_free = 1,
     .also = "jobs|cores", .min = 1, .max = 4096,
     .help =
         "number of threads, 1..4096 (default: all processors); results do not depend "
         "on it"},
    {CLI_OPTION("device", CLI_TEXT, "DEVICE", cli_common, device),
     .help =
         "cpu, auto, opencl, or opencl:N as listed by 'rugose devices' (default cpu)"},
    {.name = "quiet",
     .letter = 'q',
     .kind = CLI_FLAG,
     .target = offsetof(cli_common, quiet),
     .is_free = 1,
     .help = "do not print what was read; warnings and errors are still printed"},
    {.name = "verbose",
     .letter = 'v',
     .kind = CLI_FLAG,
     .target = offsetof(cli_common, verbose),
     .is_free = 1,
     .help = "print the time of each step"},
    {CLI_OPTION("no-progress", CLI_FLAG, NULL, cli_common, no_progress), .is_free = 1,
     .help = "do not show the progress line on a terminal"},
    CLI_HELP_OPTION(cli_common),
};

#define N(table) (sizeof table / sizeof table[0])

size_t cli_option_sets(const cli_command *c, cli_option_set sets[CLI_N_OPTION_SETS],
                       void *values, cli_common *common, cli_reading *reading)
{
    size_t n = 0;
    if (c->n_options > 0)
        sets[n++] = (cli_option_set){"Options", c->options, c->n_options, values};
    if (c->takes_images)
        sets[n++] =
            (cli_option_set){"Reading", reading_options, N(reading_options), reading};
    if (c->takes_nodata)
        sets[n++] =
            (cli_option_set){"Reading", nodata_options, N(nodata_options), reading};
    if (c->takes_masks)
        sets[n++] = (cli_option_set){"Masks", mask_options, N(mask_options), reading};
    if (c->takes_overlay)
        sets[n++] =
            (cli_option_set){"Picture", overlay_options, N(overlay_options), common};
    if (c->in_parts != NULL)
        sets[n++] = (cli_option_set){"Parts", parts_options, N(parts_options), common};
    if (c->takes_images || c->takes_files != NULL)
        sets[n++] = (cli_option_set){"Common", common_options, N(common_options), common};
    return n;
}

/* Whether an option of the command's own takes the place of another. */
static int is_replaced(const cli_command *c, const cli_option *option)
{
    for (size_t i = 0; i < c->n_options; i++)
        if (&c->options[i] != option && strcmp(c->options[i].name, option->name) == 0)
            return 1;
    return 0;
}

const cli_option *cli_option_at(const cli_command *c, size_t i, const char **title)
{
    cli_option_set sets[CLI_N_OPTION_SETS];
    size_t n_sets = cli_option_sets(c, sets, NULL, NULL, NULL);
    for (size_t s = 0; s < n_sets; s++)
        for (size_t k = 0; k < sets[s].n; k++) {
            *title = sets[s].title;
            if (!is_replaced(c, &sets[s].options[k]) && i-- == 0)
                return &sets[s].options[k];
        }
    return NULL;
}

/* ---- Help ---- */

#define WIDTH  90 /* columns of a terminal that help is made for */
#define INDENT 26 /* where an option's help begins */

/* Prints a text from column `at` on, broken at blanks, later lines indented by
 * `indent`. */
static void print_wrapped(const char *text, size_t at, size_t indent)
{
    for (int first = 1; *text != '\0'; first = 0) {
        size_t n = strcspn(text, " ");
        if (!first && at + 1 + n > WIDTH) {
            printf("\n%*s", (int)indent, "");
            at = indent;
        } else if (!first) {
            putchar(' ');
            at++;
        }
        printf("%.*s", (int)n, text);
        at += n;
        text += n + (text[n] == ' ');
    }
    putchar('\n');
}

static void print_option(const cli_option *o)
{
    char head[CLI_OPTION_MAX];
    cli_format_option(head, o);
    int n = printf("  %s", head);
    if (n + 2 > INDENT)
        printf("\n%*s", INDENT, "");
    else
        printf("%*s", INDENT - n, "");
    print_wrapped(o->help, INDENT, INDENT);
}

void cli_print_help(const cli_command *c)
{
    printf("rugose %s: %s\n\nUsage: rugose %s %s%s%s\n\n", c->name, c->summary, c->name,
           c->n_options > 0 || c->takes_images || c->takes_files != NULL ? "[options]"
                                                                         : "",
           *c->operands ? " " : "", c->operands);
    print_wrapped(c->text, 0, 0);
    const char *title, *last = "";
    const cli_option *o;
    for (size_t i = 0; (o = cli_option_at(c, i, &title)) != NULL; i++, last = title) {
        if (strcmp(title, last) != 0)
            printf("\n%s:\n", title);
        print_option(o);
    }
    if (c->examples != NULL)
        printf("\nExamples:\n");
    for (const cli_example *e = c->examples; e != NULL && e->line != NULL; e++)
        printf("  %s\n      %s\n", e->line, e->what);
}

/* ---- Errors of usage ---- */

int cli_usage_error(const cli_command *command, const char *text)
{
    int is_help = strcmp(command->name, "help") == 0;
    if (text == cli_no_memory) {
        cli_print(stderr, "rugose: %s\n", text);
        return CLI_FAILED;
    }
    cli_print(stderr, "rugose: %s; see 'rugose help%s%s'\n", text, is_help ? "" : " ",
              is_help ? "" : command->name);
    return CLI_USAGE;
}

const cli_command *cli_find_command(const cli_command *const *commands, const char *name)
{
    while (*commands != NULL && strcmp((*commands)->name, name) != 0)
        commands++;
    return *commands;
}

int cli_unknown_command(const cli_command *const *commands, const char *name)
{
    cli_guess guess = {name, strlen(name), NULL, 0};
    for (; *commands != NULL; commands++) {
        cli_guess_try(&guess, (*commands)->name);
        cli_guess_try_words(&guess, (*commands)->also, (*commands)->name);
    }
    cli_print(stderr, "rugose: unknown command '%s'%s%s%s; see 'rugose help'\n", name,
              guess.best != NULL ? " (did you mean '" : "",
              guess.best != NULL ? guess.best : "", guess.best != NULL ? "'?)" : "");
    return CLI_USAGE;
}

int cli_start_simple(const cli_command *command, int argc, char **argv, void *values,
                     const int *asks_help, int *exit)
{
    cli_option_set set = {"Options", command->options, command->n_options, values};
    cli_words words;
    char error[CLI_ERROR_MAX];
    *exit = CLI_OK;
    if (cli_parse(argc, argv, &set, 1, &words, error) != 0)
        *exit = cli_usage_error(command, error);
    else if (words.n_operands > 0)
        *exit = cli_usage_error(command, "no operands expected");
    else if (*asks_help)
        cli_print_help(command);
    return *exit == CLI_OK && !*asks_help;
}
