/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose decompress: pictures from fractal codes. Its options, and its run. */

#include "cmd_decompress.h"
#include <math.h>

static const cli_option options[] = {
    CLI_RESULT_OPTION(cli_decompress_values, "FILE",
                      "write the picture there: .png, .tif, .pgm, .ppm, .pnm, .jpg or "
                      ".webp"),
    {.name = "scale",
     .kind = CLI_TEXT,
     .value = "K",
     .target = offsetof(cli_decompress_values, scale),
     .help = "decode K times as large, 0.25..16 (default 1)"},
    {.name = "size",
     .kind = CLI_TEXT,
     .value = "WxH",
     .target = offsetof(cli_decompress_values, size),
     .help =
         "decode to W pixels a row and H rows, each 0.25 to 16 times that of the image"},
    {.name = "iterations",
     .kind = CLI_INT,
     .value = "N",
     .min = 1,
     .max = 64,
     .target = offsetof(cli_decompress_values, iterations),
     .help = "iterations of the decoder, 1..64 (default: as the stream says)"},
    {.name = "frames",
     .kind = CLI_TEXT,
     .value = "PREFIX",
     .target = offsetof(cli_decompress_values, frames),
     .help = "write the picture after each iteration to PREFIX00.png (the start), "
             "PREFIX01.png ..."},
    {.name = "export-ascii",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_decompress_values, export_ascii),
     .help =
         "write the transforms there, one a line, with a head: plane, range_x, range_y, "
         "size, domain_x, domain_y, symmetry, s, mean, with tabs between them"},
    {.name = "max-pixels",
     .kind = CLI_TEXT,
     .value = "N",
     .target = offsetof(cli_decompress_values, max_pixels),
     .help =
         "refuse streams and pictures of more pixels, all planes together, or that are "
         "reduced from a plane of more (default 268435456)"},
};

static const cli_example examples[] = {
    {"rugose decompress camera.rfi -o camera.png", "the picture at its own size"},
    {"rugose decompress --scale 4 camera.rfi -o large.png", "four times as large"},
    {"rugose decompress -o 'pictures/{}.tif' coded/*.rfi", "many streams"},
    {"rugose decompress --frames frame- --export-ascii transforms.tsv camera.rfi",
     "how the picture comes to be, and of what"},
    {NULL, NULL},
};

static const char *const columns[] = {"image",        "coded_shape", "shape", "planes",
                                      "dtype",        "iterations",  "bytes", "output",
                                      "output_bytes", "seconds",     NULL};

static void describe(cli_run *run, const cli_decompress_job *job)
{
    const rug_ifs_decode_options *o = &job->options;
    rug_record *p = cli_describe_run(run);
    rug_record_set_text(p, "output", job->values.output);
    rug_record_set_real(p, "scale", o->nx == 0 ? o->scale : (double)NAN);
    rug_record_set_text(p, "size", job->values.size);
    rug_record_set_integer(p, "iterations", o->iterations);
    rug_record_set_text(p, "frames", job->values.frames);
    rug_record_set_text(p, "export_ascii", job->values.export_ascii);
    rug_record_set_integer(p, "max_pixels", o->pixels_max);
    rug_record_set_record(rug_report_head(run->report), "parameters", p);
}

static int run_decompress(int argc, char **argv)
{
    cli_decompress_job job = {.values = {.output = NULL}};
    cli_run run;
    int exit;
    if (!cli_start(&run, &cli_decompress, argc, argv, &job.values, &exit))
        return exit;
    const char *problem = cli_decompress_check(&run, &job);
    if (problem != NULL) {
        cli_usage_error(&cli_decompress, problem);
        cli_abandon(&run);
        return CLI_USAGE;
    }
    cli_set_columns(&run, columns);
    describe(&run, &job);
    cli_for_each_stream(&run, cli_decompress_stream, &job);
    cli_free_outputs(&job.outputs);
    return cli_finish(&run);
}

const cli_command cli_decompress = {
    .name = "decompress",
    .operands = "FILE.rfi...",
    .summary = "the picture of a stream, at any size",
    .text = "Decodes streams of 'rugose compress'. The picture has the size of the image "
            "that was coded unless another one is asked for; a larger one is smooth "
            "between the pixels of the small one, but holds no detail that the image did "
            "not. The same stream gives the same picture on every machine.",
    .takes_streams = 1,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run_decompress,
};
