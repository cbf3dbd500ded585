/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The options that every command over images has. */

#include "cli.h"

const cli_option cli_reading_options[] = {
    {.name = "page",
     .kind = CLI_TEXT,
     .value = "N|all",
     .target = offsetof(cli_reading, page),
     .help = "page of a multi-page image or volume of a 4D file, from 0 (default 0); "
             "all: a row for each"},
    {.name = "volume",
     .kind = CLI_FLAG,
     .target = offsetof(cli_reading, volume),
     .help = "read the pages of a TIFF file as the slices of a volume"},
    {.name = "channel",
     .kind = CLI_INT,
     .value = "N",
     .min = 0,
     .max = 65535,
     .target = offsetof(cli_reading, channel),
     .help = "channel of a colour or multi-channel image, from 0 (default: Rec. 601 "
             "luma of three)"},
    {.name = "level",
     .kind = CLI_INT,
     .value = "N",
     .min = 0,
     .max = 63,
     .target = offsetof(cli_reading, level),
     .help = "resolution level of a pyramid or whole slide, 0 = full (default 0)"},
};
const size_t cli_n_reading_options =
    sizeof cli_reading_options / sizeof cli_reading_options[0];

const cli_option cli_common_options[] = {
    {.name = "format",
     .letter = 'f',
     .kind = CLI_CHOICE,
     .choices = "text|csv|json",
     .target = offsetof(cli_common, format),
     .help = "form of the output (default text, or what the ending of -o asks for)"},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_common, output),
     .help =
         "write there instead of standard output; .csv, .json or .txt choose the form"},
    {.name = "list",
     .kind = CLI_TEXT,
     .value = "FILE.csv",
     .target = offsetof(cli_common, list),
     .help = "take the images from the column `image` of a CSV file; paths are "
             "relative to it"},
    {.name = "threads",
     .kind = CLI_INT,
     .value = "N",
     .min = 1,
     .max = 4096,
     .target = offsetof(cli_common, threads),
     .help =
         "threads to use, 1..4096 (default: all processors); results never depend on it"},
    {.name = "device",
     .kind = CLI_TEXT,
     .value = "DEVICE",
     .target = offsetof(cli_common, device),
     .help = "cpu, auto, opencl or opencl:N of 'rugose devices' (default cpu)"},
    {.name = "quiet",
     .letter = 'q',
     .kind = CLI_FLAG,
     .target = offsetof(cli_common, quiet),
     .help = "do not print what was read; warnings and errors stay"},
    {.name = "verbose",
     .letter = 'v',
     .kind = CLI_FLAG,
     .target = offsetof(cli_common, verbose),
     .help = "print the time of each step"},
    {.name = "no-progress",
     .kind = CLI_FLAG,
     .target = offsetof(cli_common, no_progress),
     .help = "no progress line on a terminal"},
    {.name = "help",
     .letter = 'h',
     .kind = CLI_FLAG,
     .target = offsetof(cli_common, help),
     .help = "explain this command"},
};
const size_t cli_n_common_options =
    sizeof cli_common_options / sizeof cli_common_options[0];
