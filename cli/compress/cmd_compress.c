/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose compress: images as fractal codes. This file is the command line; see compress_options.c for what
 * goes with what, compress_image.c for what is done with an image. */

#include "cmd_compress.h"

/* In the order of rug_ifs_partition and rug_ifs_search (after AUTO), rug_ifs_tune and rug_ifs_chroma. */
#define PARTITIONS "quadtree|fixed|overlap"
#define SEARCHES   "exhaustive|fast"
#define TUNES      "ssim|psnr"
#define CHROMAS    "444|420"

/* Options of some ways of coding. */
#define AIMED  CLI_COMPRESS_LOSSY | CLI_COMPRESS_VERSION_1 | CLI_COMPRESS_TRANSFORMS
#define FIRST  CLI_COMPRESS_VERSION_1 | CLI_COMPRESS_TRANSFORMS | CLI_COMPRESS_GRIDS
#define LATEST CLI_COMPRESS_LOSSY | CLI_COMPRESS_LOSSLESS

static const cli_option options[] = {
    CLI_RESULT_OPTION(cli_compress_values, "FILE.rfi",
                      "write the stream there; required unless several values are given"),
    {CLI_OPTION("quality", CLI_TEXT, "Q[,Q...]", cli_compress_values, targets[0]),
     .modes = AIMED,
     .help =
         "aim at a quality of 1..100 (default 50). Several values, such as 10,30,50, give a "
         "row each, and a stream each where the name of --output has '{quality}' in it"},
    {CLI_OPTION("bpp", CLI_TEXT, "B[,B...]", cli_compress_values, targets[1]),
     .also = "rate|bitrate", .modes = AIMED,
     .help =
         "aim at no more than B bits per pixel, counting the whole file; several values as with "
         "--quality, '{bpp}' in the name"},
    {CLI_OPTION("psnr", CLI_TEXT, "DB[,DB...]", cli_compress_values, targets[2]),
     .modes = AIMED,
     .help = "aim at a PSNR of at least DB decibels; several values as with --quality, "
             "'{psnr}' in the name"},
    {CLI_OPTION("effort", CLI_INT, "N", cli_compress_values, effort), .min = 1,
     .max = RUG_IFS_EFFORT_MAX, .also = "speed", .modes = CLI_COMPRESS_LOSSY,
     .help =
         "how long to look for the best code, from 1, fastest, to 9, smallest (default "
         "5); copies of larger blocks are tried from 7 on; decoding takes the same time"},
    {CLI_OPTION("tune", CLI_CHOICE, NULL, cli_compress_values, tune), .choices = TUNES,
     .modes = CLI_COMPRESS_LOSSY,
     .help =
         "what to keep best: ssim (default), structure, where smooth places get more of the "
         "bits, or psnr, the squared error alone"},
    {CLI_OPTION("chroma", CLI_CHOICE, NULL, cli_compress_values, chroma),
     .choices = CHROMAS, .also = "subsampling|yuv", .modes = CLI_COMPRESS_LOSSY,
     .help =
         "resolution of the colours: 444 (default), that of the image, or 420, half of it along "
         "each side"},
    {CLI_OPTION("chroma-quality", CLI_REAL, "Q", cli_compress_values, chroma_quality),
     .min = 1, .max = 100, .modes = CLI_COMPRESS_LOSSY,
     .help = "quality of the colours, 1..100 (default: follows from that of the image)"},
    {CLI_OPTION("lossless", CLI_FLAG, NULL, cli_compress_values, lossless),
     .also = "exact", .modes = LATEST,
     .help = "keep every pixel exactly, in as many bytes as that takes"},
    {CLI_OPTION("progressive", CLI_FLAG, NULL, cli_compress_values, progressive),
     .modes = CLI_COMPRESS_LOSSY,
     .help =
         "put a small picture first, from which 'rugose decompress --partial' fills what is "
         "missing when a stream is cut off; takes 2 to 10 % more bytes, more for small images"},
    {CLI_OPTION("tile", CLI_INT, "N", cli_compress_values, tile), .min = 256,
     .max = 65536, .also = "tile-size", .modes = LATEST,
     .help =
         "code tiles of N x N pixels, of which 'rugose decompress --crop' decodes only those "
         "that it needs: a multiple of 64, from 256 (default: 2048 for images of more than "
         "4096 x 4096 pixels, one tile for others)"},
    {CLI_OPTION("partition", CLI_CHOICE, NULL, cli_compress_values, partition),
     .choices = PARTITIONS,
     .help =
         "how the image is divided: quadtree (default; blocks of 32 to 4 pixels with a "
         "residual), fixed (one grid: Pedersen's simple) or overlap (four grids, half "
         "a block apart: Pedersen's quad)"},
    {CLI_OPTION("range-size", CLI_INT, "N", cli_compress_values, range_size), .min = 2,
     .max = 32,
     .help = "fixed and overlap: side of a block in pixels, 2..32 (default 8)"},
    {CLI_OPTION("domain-step", CLI_INT, "S", cli_compress_values, domain_step), .min = 1,
     .max = 1024, .modes = FIRST,
     .help =
         "pixels from one domain to the next, 1..1024, with quadtree a multiple of 4 (default: "
         "quadtree 4, else 8); not in streams of version 3"},
    {CLI_OPTION("residual", CLI_CHOICE, NULL, cli_compress_values, residual),
     .choices = "on|off", .modes = AIMED,
     .help = "quadtree: also code what the transforms miss (default on); off: a pure "
             "fractal code"},
    {CLI_OPTION("search", CLI_CHOICE, NULL, cli_compress_values, search),
     .choices = SEARCHES, .modes = FIRST,
     .help =
         "exhaustive: try every domain for every block (default of fixed and overlap); fast: "
         "only those near the block (quadtree only); not in streams of version 3, which have "
         "--effort"},
    {CLI_OPTION("scale-max", CLI_REAL, "S", cli_compress_values, scale_max), .min = 1e-6,
     .max = 1, .modes = FIRST,
     .help =
         "largest |s| of a transform, above 0, at most 1 (default 1); a quadtree rounds it down "
         "to a multiple of 1/8, so below 0.125 no domain can be used; not in streams of "
         "version 3"},
    {CLI_OPTION("shadow-limit", CLI_REAL, "V", cli_compress_values, shadow_limit),
     .min = 0, .max = 1073709056.25, .unit = "of squared grey levels",
     .help =
         "fixed and overlap: blocks whose variance is at most V squared grey levels are "
         "coded by their mean alone (default 0: blocks without any)"},
    {CLI_OPTION("domain-wrap", CLI_FLAG, NULL, cli_compress_values, domain_wrap),
     .help =
         "fixed and overlap: domains may also cross the right and lower edge and go on at "
         "the opposite one, as in Pedersen 2011 (without it they lie inside)"},
    {CLI_OPTION("stream-version", CLI_CHOICE, NULL, cli_compress_values, stream_version),
     .choices = "1|3",
     .help =
         "3 (default for a quadtree with a residual), or 1, which earlier releases read too and "
         "which is decoded in iterations"},
    CLI_NOTES_OPTIONS(cli_compress_values, notes, LATEST),
    CLI_CHANNEL_OPTION(cli_compress_values),
};

static const cli_example examples[] = {
    {"rugose compress camera.png -o camera.rfi", "quality 50; size and PSNR are printed"},
    {"rugose compress --bpp 0.5 -f csv -o 'coded/{}.rfi' photos/*.tif",
     "many images, each at half a bit per pixel"},
    {"rugose compress --quality 10,30,50 camera.png",
     "size and PSNR at three qualities; nothing is written"},
    {"rugose compress --lossless slide.tif -o slide.rfi", "every pixel as it is"},
    {"rugose compress --psnr 40 --channel 1 retina.png -o green.rfi",
     "one channel, at 40 dB"},
    {"rugose compress --partition overlap --range-size 4 --domain-step 4 a.png -o a.rfi",
     "a pure fractal code as in Pedersen 2011"},
    {NULL, NULL},
};

/* ---- The command line ---- */

/* A sweep has a column with the value that was asked for, and none of names where nothing is written. */
static void set_columns(cli_compress_job *job)
{
    static const char *const columns[] = {"image", "shape", "planes",  "output",
                                          "bytes", "bpp",   "ratio",   "input_bytes",
                                          "psnr",  "ssim",  "seconds", "status"};
    size_t n = 0;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        int is_name = strcmp(columns[i], "output") == 0;
        if (is_name && job->n_targets > 1)
            job->columns[n++] = cli_target_column(job);
        if (!is_name || job->values.output != NULL)
            job->columns[n++] = columns[i];
    }
    job->columns[n] = NULL;
}

static const char *check(cli_run *run, void *user)
{
    cli_compress_job *job = user;
    const char *problem = cli_check_coding(run, job);
    if (problem == NULL)
        problem = cli_check_stream_name(run, job);
    if (problem == NULL && job->values.notes.strip &&
        (job->values.notes.no_profile || cli_is_given(&run->words, "orientation")))
        problem =
            "--strip cannot be used with --orientation and --no-profile: it leaves out the "
            "profile, and turns pixels upright";
    set_columns(job);
    run->columns = job->columns;
    cli_ask_notes(run, &job->options, &job->values.notes);
    return problem != NULL ? problem : cli_keep_colours(run, job->values.channel);
}

/* ---- The run ---- */

static void free_job(void *user)
{
    cli_compress_job *job = user;
    cli_free_outputs(&job->outputs);
}

static int run_compress(int argc, char **argv)
{
    static const cli_actions actions = {.check = check,
                                        .describe = cli_describe_coding,
                                        .image = cli_compress_image,
                                        .free = free_job};
    cli_compress_job job = {.values = {.channel = -1,
                                       .residual = -1,
                                       .search = -1,
                                       .shadow_limit = -1,
                                       .stream_version = -1},
                            .options = RUG_IFS_OPTIONS_INIT};
    return cli_run_images(&cli_compress, argc, argv, &job.values, &job, &actions);
}

const cli_command cli_compress = {
    .name = "compress",
    .operands = "FILE|DIR...",
    .summary = "fractal coding: an image becomes a stream, to be decoded at any size",
    .also = "encode|ifs",
    .text =
        "Codes an image of 8 or 16 bits, grey or colour, from itself: each block is predicted "
        "from its neighbours, or is a shrunk, turned, scaled copy of a larger one, and what that "
        "misses is coded. Prints a row for each image: "
        "the bytes of its stream, how many times smaller that is than the pixels (ratio), "
        "and how much the decoded image differs from the original. Several values of "
        "--quality, --bpp or --psnr make a row each. The same image and options give the same "
        "bytes on every machine.",
    .takes_images = 1,
    CLI_OPTIONS(options),
    .examples = examples,
    .run = run_compress,
};
