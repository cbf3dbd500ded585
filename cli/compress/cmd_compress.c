/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose compress: images as fractal codes. Its options, and its run. */

#include "cmd_compress.h"

static const cli_option options[] = {
    CLI_RESULT_OPTION(cli_compress_values, "FILE.rfi", "write the stream there"),
    {.name = "quality",
     .kind = CLI_TEXT,
     .value = "Q",
     .target = offsetof(cli_compress_values, quality),
     .help = "aim at a quality of 1..100 (default 50)"},
    {.name = "bpp",
     .kind = CLI_TEXT,
     .value = "B",
     .target = offsetof(cli_compress_values, bpp),
     .help = "aim at no more than B bits for each pixel, the whole file counted"},
    {.name = "psnr",
     .kind = CLI_TEXT,
     .value = "DB",
     .target = offsetof(cli_compress_values, psnr),
     .help = "aim at no less than DB decibels of the decoded image"},
    {.name = "partition",
     .kind = CLI_CHOICE,
     .choices = CLI_IFS_PARTITIONS,
     .target = offsetof(cli_compress_values, partition),
     .help =
         "how the image is cut: quadtree (default; blocks of 32 to 4 pixels with a "
         "residual), fixed (one grid: Pedersen's simple) or overlap (four grids, half "
         "a block apart: his quad)"},
    {.name = "range-size",
     .kind = CLI_INT,
     .value = "N",
     .min = 2,
     .max = 32,
     .target = offsetof(cli_compress_values, range_size),
     .help = "side of a block in pixels, 2..32, of fixed and overlap (default 8)"},
    {.name = "domain-step",
     .kind = CLI_INT,
     .value = "S",
     .min = 1,
     .max = 1024,
     .target = offsetof(cli_compress_values, domain_step),
     .help = "pixels from one domain to the next, 1..1024; of a quadtree a multiple of 4 "
             "(default: quadtree 4, else 8)"},
    {.name = "residual",
     .kind = CLI_CHOICE,
     .choices = "on|off",
     .target = offsetof(cli_compress_values, residual),
     .help = "of a quadtree: code what the transforms leave (default on); off: a pure "
             "fractal code"},
    {.name = "search",
     .kind = CLI_CHOICE,
     .choices = CLI_IFS_SEARCHES,
     .target = offsetof(cli_compress_values, search),
     .help = "exhaustive: look at every domain for every block (default of fixed and "
             "overlap); fast: near the block only (quadtree)"},
    {.name = "scale-max",
     .kind = CLI_TEXT,
     .value = "S",
     .target = offsetof(cli_compress_values, scale_max),
     .help =
         "largest |s| of a transform, above 0, at most 1 (default 1); a quadtree takes "
         "the next multiple of 1/8 below, so that less than 0.125 leaves no domain"},
    CLI_CHANNEL_OPTION(cli_compress_values),
};

static const cli_example examples[] = {
    {"rugose compress camera.png -o camera.rfi", "quality 50; size and PSNR are printed"},
    {"rugose compress --bpp 0.5 -f csv -o 'coded/{}.rfi' photos/*.tif",
     "many images, each at half a bit a pixel"},
    {"rugose compress --psnr 40 --channel 1 retina.png -o green.rfi",
     "one channel, at 40 dB"},
    {"rugose compress --partition overlap --range-size 4 --domain-step 4 a.png -o a.rfi",
     "a pure fractal code as in Pedersen 2011"},
    {NULL, NULL},
};

static const char *const columns[] = {
    "image",       "shape", "planes", "output",  "bytes",  "bpp", "ratio",
    "input_bytes", "psnr",  "ssim",   "seconds", "status", NULL};

static int run_compress(int argc, char **argv)
{
    cli_compress_job job = {.values = {.channel = -1, .residual = -1, .search = -1}};
    cli_run run;
    int exit;
    if (!cli_start(&run, &cli_compress, argc, argv, &job.values, &exit))
        return exit;
    const char *problem = cli_compress_check(&run, &job);
    if (problem != NULL) {
        cli_usage_error(&cli_compress, problem);
        cli_abandon(&run);
        return CLI_USAGE;
    }
    cli_set_columns(&run, columns);
    cli_compress_describe_run(&run, &job);
    cli_for_each_input(&run, cli_compress_image, NULL, &job);
    cli_free_outputs(&job.outputs);
    return cli_finish(&run);
}

const cli_command cli_compress = {
    .name = "compress",
    .operands = "FILE...",
    .summary = "fractal coding: an image becomes a stream, to be decoded at any size",
    .text =
        "Codes an image of 8 or 16 bits, grey or in colours, as transforms of itself: each "
        "block is a shrunk, turned, scaled copy of a larger one. A row for each image says "
        "how many bytes the file has, how many times smaller than the pixels that is "
        "(ratio), and how far the decoded image is from the given one. The same image and "
        "options give the same bytes on every machine.",
    .takes_images = 1,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run_compress,
};
