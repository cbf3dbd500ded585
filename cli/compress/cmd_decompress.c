/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose decompress: pictures from fractal codes, and the picture after each iteration. Transforms as text
 * are in decompress_transforms.c. */

#include "cmd_decompress.h"
#include "notes.h"
#include <inttypes.h>
#include <math.h>
#include <rugose/picture.h>
#include <stdio.h>
#include <string.h>

static const cli_option options[] = {
    CLI_RESULT_OPTION(cli_decompress_values, "FILE",
                      "write the picture there: .png, .tif, .pgm, .ppm, .pnm, .jpg or "
                      ".webp"),
    {CLI_OPTION("scale", CLI_REAL, "K", cli_decompress_values, scale), .min = 0.25,
     .max = 16, .help = "decode at K times the size, 0.25..16 (default 1)"},
    {CLI_OPTION("size", CLI_TEXT, "WxH", cli_decompress_values, size),
     .help = "decode to W x H pixels, each side 0.25 to 16 times that of the image"},
    {CLI_OPTION("crop", CLI_TEXT, "X,Y,W,H", cli_decompress_values, crop),
     .help =
         "decode the region of W x H pixels of the coded image whose first pixel is in column "
         "X, row Y, from 0; --scale and --size are those of the region"},
    {CLI_OPTION("partial", CLI_FLAG, NULL, cli_decompress_values, partial),
     .help = "of a stream that is cut off, decode what is there; the rest comes from its "
             "small picture, if it has one, or is grey (black in a lossless one)"},
    {CLI_OPTION("iterations", CLI_INT, "N", cli_decompress_values, iterations), .min = 1,
     .max = CLI_ITERATIONS_MAX,
     .help =
         "iterations of the decoder, 1..64 (default: as set in the stream); streams of "
         "version 3 have none"},
    {CLI_OPTION("frames", CLI_TEXT, "PREFIX", cli_decompress_values, frames),
     .help = "write the picture after each iteration to PREFIX00.png (the start), "
             "PREFIX01.png ...; streams of version 3 have no iterations"},
    {CLI_OPTION("export-ascii", CLI_TEXT, "FILE", cli_decompress_values, export_ascii),
     .help =
         "write the transforms there, one per line, below a header: plane, range_x, range_y, "
         "size, domain_x, domain_y, symmetry, s, mean, wraps (whether the domain goes on at "
         "the opposite edge), separated by tabs"},
    {CLI_OPTION("original", CLI_TEXT, "IMAGE", cli_decompress_values, original),
     .help =
         "the image that was coded: --export-ascii has a column more, collage_error, how "
         "far each transform, applied to it, is from the range, in grey levels (root mean "
         "square)"},
    {CLI_OPTION("channel", CLI_INT, "N", cli_decompress_values, channel), .min = 0,
     .max = 65535, .unset = "",
     .help =
         "the channel of --original that was coded, from 0 (default: red, green and blue "
         "of a colour image)"},
    CLI_MAX_PIXELS_OPTION(cli_decompress_values),
};

static const cli_example examples[] = {
    {"rugose decompress camera.rfi -o camera.png", "the picture at its own size"},
    {"rugose decompress --scale 4 camera.rfi -o large.png", "four times as large"},
    {"rugose decompress --crop 1024,512,256,256 slide.rfi -o part.png",
     "a region alone; of a large image only the tiles it touches are decoded"},
    {"rugose decompress -o 'pictures/{}.tif' coded/*.rfi", "many streams"},
    {"rugose decompress --export-ascii t.tsv --original camera.png camera.rfi",
     "the transforms, each with how far it is from the image"},
    {"rugose decompress --frames frame- --export-ascii transforms.tsv camera.rfi",
     "the picture after each iteration, and the transforms"},
    {NULL, NULL},
};

static const char *const columns[] = {"image",        "coded_shape", "shape",  "planes",
                                      "dtype",        "iterations",  "bytes",  "output",
                                      "output_bytes", "seconds",     "status", NULL};

/* ---- The command line ---- */

/* Something must be asked for, and every option must have a use. */
static const char *check_wishes(const cli_run *run, const cli_decompress_values *v)
{
    if (v->output == NULL && v->frames == NULL && v->export_ascii == NULL)
        return "--output FILE is missing";
    if (v->output == NULL && v->frames == NULL &&
        (cli_is_given(&run->words, "scale") || v->size != NULL || v->crop != NULL ||
         v->partial || v->iterations > 0))
        return "--scale, --size, --crop, --partial and --iterations need --output FILE";
    if (v->original != NULL && v->export_ascii == NULL)
        return "--original needs --export-ascii FILE";
    if (v->original != NULL && run->n_inputs != 1)
        return "--original is the image of one stream, but several are given";
    if (v->original == NULL && v->channel >= 0)
        return "--channel needs --original IMAGE";
    return NULL;
}

/* Whether a name is that of a frame that may be written. */
static int is_frame(const cli_decompress_values *v, const char *name)
{
    char frame[CLI_PATH_MAX];
    int n = v->iterations > 0 ? v->iterations : CLI_ITERATIONS_MAX;
    for (int i = 0; v->frames != NULL && name != NULL && i <= n; i++) {
        snprintf(frame, sizeof frame, "%s%02d.png", v->frames, i);
        if (cli_same_path(frame, name))
            return 1;
    }
    return 0;
}

static const char *check_names(cli_run *run, const cli_decompress_values *v)
{
    const char *problem = NULL;
    if (v->output != NULL)
        problem = cli_check_result_name(run, "output", v->output);
    if (problem == NULL && v->output != NULL)
        problem = cli_problem(run->ctx, rug_picture_check_name(run->ctx, v->output));
    if (problem == NULL && v->frames != NULL)
        problem = cli_check_result_name(run, "frames", v->frames);
    if (problem == NULL && v->export_ascii != NULL)
        problem = cli_check_result_name(run, "export-ascii", v->export_ascii);
    if (problem == NULL && v->output != NULL && v->export_ascii != NULL &&
        cli_same_path(v->output, v->export_ascii))
        problem = "--output and --export-ascii name the same file";
    if (problem == NULL && is_frame(v, v->output))
        problem = "--output names one of the --frames";
    if (problem == NULL && is_frame(v, v->export_ascii))
        problem = "--export-ascii names one of the --frames";
    return problem;
}

/* "X,Y,W,H"; whether it lies in an image is known when that is read. */
static const char *parse_crop(rug_ifs_decode_options *o, const char *text)
{
    int value[4];
    const char *at = text;
    for (int i = 0; i < 4; i++) {
        char word[16];
        size_t n = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", n < sizeof word ? (int)n : 0, at);
        if (cli_parse_int(&value[i], word, i < 2 ? 0 : 1, RUG_IFS_SIDE_MAX) != 0 ||
            (at[n] == ',') != (i < 3))
            return "--crop: column and row of the first pixel, from 0, then width and height "
                   "expected, such as 100,50,640,480";
        at += n + 1;
    }
    o->crop_x = (uint32_t)value[0];
    o->crop_y = (uint32_t)value[1];
    o->crop_nx = (uint32_t)value[2];
    o->crop_ny = (uint32_t)value[3];
    return NULL;
}

static const char *check(cli_run *run, void *user)
{
    cli_decompress_job *job = user;
    const cli_decompress_values *v = &job->values;
    rug_ifs_decode_options *o = &job->options;
    o->iterations = (uint32_t)v->iterations;
    o->scale = v->scale;
    o->pixels_max = v->max_pixels;
    o->partial = v->partial;
    run->columns = columns;
    run->model = v->original;
    run->one_by_one =
        (v->output != NULL) + (v->frames != NULL) + (v->export_ascii != NULL) > 1;
    const char *problem = check_wishes(run, v);
    if (problem == NULL)
        problem = cli_check_exclusive(run, "scale", "size");
    if (problem == NULL && v->size != NULL)
        problem = cli_parse_size(&o->nx, &o->ny, v->size, 16 * RUG_IFS_SIDE_MAX);
    if (problem == NULL && v->crop != NULL)
        problem = parse_crop(o, v->crop);
    return problem != NULL ? problem : check_names(run, v);
}

static void describe(const cli_run *run, cli_record *p, const void *user)
{
    const cli_decompress_job *job = user;
    cli_describe_own(run, p);
    if (job->values.size != NULL)
        cli_record_set_real(p, "scale", (double)NAN);
}

/* ---- The picture ---- */

/* The share of the work on a stream until it is decoded. */
#define DECODED_SHARE 0.7

/* What goes with one stream. */
typedef struct decoding {
    cli_run *run;
    cli_decompress_job *job;
    const cli_stream *stream;
    char path[CLI_PATH_MAX];          /* of the picture; "" without */
    char digest[CLI_SHA256_TEXT_MAX]; /* of the original */
    rug_ifs_picture picture;
    double seconds;
} decoding;

static rug_status write_picture(const decoding *d, const char *path,
                                const rug_ifs_picture *picture)
{
    const rug_ifs_decode_options *o = &d->job->options;
    const rug_ifs_info *info = &d->stream->info;
    return cli_write_decoded(d->run, path, d->stream, picture,
                             o->crop_ny > 0 ? o->crop_ny : info->ny,
                             o->crop_nx > 0 ? o->crop_nx : info->nx);
}

/* Writing a frame is no progress of the decoder. */
static rug_status write_frame(void *user, uint32_t iteration,
                              const rug_ifs_picture *picture)
{
    decoding *d = user;
    char asked[CLI_PATH_MAX], path[CLI_PATH_MAX];
    int n = snprintf(asked, sizeof asked, "%s%02" PRIu32 ".png", d->job->values.frames,
                     iteration);
    if (n >= (int)sizeof asked)
        return rug_context_fail(d->run->ctx, RUG_E_ARG, "--frames: the name is too long");
    rug_status status =
        cli_claim(d->run, &d->job->outputs, path, "frames", asked, d->stream->path, "");
    if (status != RUG_OK)
        return status;
    rug_context_set_progress(d->run->ctx, NULL, NULL);
    status = write_picture(d, path, picture);
    cli_listen(d->run);
    return status;
}

static rug_status decode(decoding *d)
{
    rug_ifs_decode_options opts = d->job->options;
    double start = cli_now();
    if (d->job->values.frames != NULL) {
        opts.frame = write_frame;
        opts.user = d;
    }
    cli_shorten_phase(d->run, DECODED_SHARE);
    rug_status status = rug_ifs_decompress(d->run->ctx, &d->picture, d->stream->bytes,
                                           d->stream->size, &opts);
    d->seconds = cli_now() - start;
    cli_phase(d->run, 1);
    if (status == RUG_OK && d->path[0] != '\0')
        status = write_picture(d, d->path, &d->picture);
    return status;
}

static void set_picture(cli_record *row, const decoding *d)
{
    const rug_ifs_info *info = &d->stream->info;
    uint32_t asked = d->job->options.iterations;
    cli_set_size(row, "shape", d->picture.ny, d->picture.nx);
    cli_record_set_text(row, "dtype", rug_dtype_name(d->picture.dtype));
    cli_set_iterations(row, info, asked > 0 ? asked : info->iterations);
    if (d->path[0] != '\0') {
        cli_record_set_text(row, "output", d->path);
        cli_record_set_integer(row, "output_bytes", cli_file_bytes(d->path));
    }
    cli_record_set_real(row, "seconds", d->seconds);
}

/* How much of a stream was there, rounded so that a part is never 0 or all of it. */
static void format_share(char text[16], double share)
{
    double percent = floor(share * 1000) / 10;
    snprintf(text, 16, "%.1f %%", share > 0 && percent < 0.1 ? 0.1 : percent);
}

/* Streams before version 3 are decoded as a whole or not at all. */
static int is_whole(const decoding *d)
{
    return d->picture.pixels == NULL || cli_has_iterations(&d->stream->info) ||
           d->picture.share >= 1;
}

static void set_status(cli_record *row, const decoding *d)
{
    char share[16], text[64];
    format_share(share, d->picture.share);
    snprintf(text, sizeof text, "cut off: %s decoded", share);
    cli_record_set_text(row, "status", is_whole(d) ? "ok" : text);
}

static void warn_of_rest(const decoding *d)
{
    char share[16];
    if (is_whole(d))
        return;
    format_share(share, d->picture.share);
    cli_warn(d->run, "the stream is cut off: %s of the pixels are decoded, the rest %s",
             share,
             d->stream->info.has_preview   ? "comes from its small picture"
             : d->stream->info.is_lossless ? "is black"
                                           : "is grey");
}

static void add_row(cli_run *run, const decoding *d)
{
    const rug_ifs_info *info = &d->stream->info;
    cli_record *row = cli_record_new();
    cli_set_image(run, row, d->stream->path);
    cli_set_size(row, "coded_shape", info->ny, info->nx);
    cli_record_set_signed(row, "planes", info->n_planes);
    cli_record_set_integer(row, "bytes", info->bytes);
    if (d->picture.pixels != NULL)
        set_picture(row, d);
    set_status(row, d);
    if (run->has_details) {
        cli_set_digest(row, d->stream->digest);
        cli_record *coding = cli_record_new();
        cli_record_set_integer(coding, "version", info->version);
        cli_set_stream(coding, info);
        cli_record_set_record(row, "stream", coding);
        if (d->job->values.original != NULL)
            cli_add_file(row, "original", d->job->values.original, d->digest);
    }
    cli_report_add(run->report, row);
    if (run->common.verbose)
        cli_print(run->err, "time %s: read %.3f ms, decode %.3f ms (%d threads)\n",
                  d->stream->path, d->stream->read_seconds * 1e3, d->seconds * 1e3,
                  rug_context_threads(run->ctx));
}

static rug_status show(const decoding *d)
{
    rug_image planes[RUG_IFS_PLANES_MAX];
    rug_status status = cli_picture_planes(d->run, planes, &d->picture);
    return status == RUG_OK ? cli_show_picture(d->run, d->stream->path, planes,
                                               cli_n_colours(d->picture.n_planes),
                                               "the decoded picture", 0)
                            : status;
}

/* What a stream must have for what is asked of it. */
static rug_status check_stream(cli_run *run, const cli_decompress_values *v,
                               const rug_ifs_info *info)
{
    if (v->export_ascii != NULL && info->is_lossless)
        return rug_context_fail(
            run->ctx, RUG_E_ARG,
            "--export-ascii: a lossless stream has pixels, not transforms");
    if (v->partial && info->version < 3)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "--partial: a stream of version %" PRIu32
                                " is decoded whole or not at all; leave it out",
                                info->version);
    const char *option = v->frames != NULL ? "frames" : "iterations";
    if (cli_has_iterations(info) || (v->frames == NULL && v->iterations == 0))
        return RUG_OK;
    return rug_context_fail(
        run->ctx, RUG_E_ARG,
        "--%s: a stream of version %" PRIu32
        " is decoded in one pass; those of 'rugose compress' with --stream-version 1, "
        "--residual off, or --partition fixed or overlap have iterations",
        option, info->version);
}

static rug_status decompress_stream(cli_run *run, const cli_stream *stream, void *user)
{
    cli_decompress_job *job = user;
    const cli_decompress_values *v = &job->values;
    decoding d = {.run = run,
                  .job = job,
                  .stream = stream,
                  .path = "",
                  .picture = RUG_IFS_PICTURE_INIT};
    rug_status status = check_stream(run, v, &stream->info);
    if (status == RUG_OK && v->output != NULL)
        status =
            cli_claim(run, &job->outputs, d.path, "output", v->output, stream->path, "");
    if (status == RUG_OK)
        status = cli_export_transforms(run, job, d.digest, stream);
    if (status == RUG_OK && (v->output != NULL || v->frames != NULL))
        status = decode(&d);
    if (status == RUG_OK && d.picture.pixels != NULL)
        status = show(&d);
    if (status == RUG_OK) {
        warn_of_rest(&d);
        add_row(run, &d);
    }
    rug_ifs_picture_free(run->ctx, &d.picture);
    return status;
}

/* ---- The run ---- */

static int work(cli_run *run, void *user)
{
    cli_decompress_job *job = user;
    cli_for_each_stream(run, decompress_stream, job);
    cli_free_outputs(&job->outputs);
    return CLI_OK;
}

static int run_decompress(int argc, char **argv)
{
    static const cli_actions actions = {
        .check = check, .describe = describe, .work = work};
    cli_decompress_job job = {.values = {.scale = 1, .channel = -1},
                              .options = RUG_IFS_DECODE_OPTIONS_INIT};
    return cli_run_images(&cli_decompress, argc, argv, &job.values, &job, &actions);
}

const cli_command cli_decompress = {
    .name = "decompress",
    .operands = "FILE.rfi...",
    .summary = "pictures from fractal codes, at any size",
    .also = "decode",
    .text = "Decodes streams of 'rugose compress'. The picture has the size of the coded "
            "image unless another size is asked for; a larger picture is smoother, but "
            "holds no detail that the image did not. The same stream gives the same "
            "picture on every machine.",
    .takes_files = "stream",
    CLI_OPTIONS(options),
    .examples = examples,
    .run = run_decompress,
};
