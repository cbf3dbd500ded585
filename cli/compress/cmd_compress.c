/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose compress: images as fractal codes. Each is coded, decoded again to say how good it is,
 * and written as a stream. */

#include "pictures.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* In the order of rug_ifs_partition and rug_ifs_search (after AUTO). */
#define CLI_IFS_PARTITIONS "quadtree|fixed|overlap"
#define CLI_IFS_SEARCHES   "exhaustive|fast"

/* Values of its own options. */
typedef struct compress_values {
    const char *output;
    int channel; /* -1: not given */
    double quality, bpp, psnr;
    int partition;
    int range_size, domain_step; /* 0: not given */
    int residual;                /* -1: not given; 0 on, 1 off */
    int search;                  /* -1: not given */
    double scale_max;            /* 0: not given */
    double shadow_limit;         /* -1: not given */
    int domain_wrap;
} compress_values;

/* The command's state over its images. */
typedef struct compress_job {
    compress_values values;
    rug_ifs_options options;
    cli_outputs outputs; /* names written so far */
} compress_job;

static const cli_option options[] = {
    CLI_RESULT_OPTION(compress_values, "FILE.rfi", "write the stream there (required)"),
    {CLI_OPTION("quality", CLI_REAL, "Q", compress_values, quality), .min = 1, .max = 100,
     .help = "aim at a quality of 1..100 (default 50)"},
    {CLI_OPTION("bpp", CLI_REAL, "B", compress_values, bpp), .min = 1e-6, .max = 1000,
     .unit = "of bits per pixel",
     .help =
         "aim at no more than B bits per pixel of the image, counting the whole file"},
    {CLI_OPTION("psnr", CLI_REAL, "DB", compress_values, psnr), .min = 1, .max = 200,
     .unit = "of dB",
     .help = "aim at a PSNR of the decoded image of at least DB decibels"},
    {CLI_OPTION("partition", CLI_CHOICE, NULL, compress_values, partition),
     .choices = CLI_IFS_PARTITIONS,
     .help =
         "how the image is divided: quadtree (default; blocks of 32 to 4 pixels with a "
         "residual), fixed (one grid: Pedersen's simple) or overlap (four grids, half "
         "a block apart: Pedersen's quad)"},
    {CLI_OPTION("range-size", CLI_INT, "N", compress_values, range_size), .min = 2,
     .max = 32,
     .help = "fixed and overlap: side of a block in pixels, 2..32 (default 8)"},
    {CLI_OPTION("domain-step", CLI_INT, "S", compress_values, domain_step), .min = 1,
     .max = 1024,
     .help = "pixels from one domain to the next, 1..1024; with quadtree a multiple of 4 "
             "(default: quadtree 4, else 8)"},
    {CLI_OPTION("residual", CLI_CHOICE, NULL, compress_values, residual),
     .choices = "on|off",
     .help = "quadtree: also code what the transforms miss (default on); off: a pure "
             "fractal code"},
    {CLI_OPTION("search", CLI_CHOICE, NULL, compress_values, search),
     .choices = CLI_IFS_SEARCHES,
     .help = "exhaustive: try every domain for every block (default of fixed and "
             "overlap); fast: only those near the block (quadtree)"},
    {CLI_OPTION("scale-max", CLI_REAL, "S", compress_values, scale_max), .min = 1e-6,
     .max = 1,
     .help =
         "largest |s| of a transform, above 0, at most 1 (default 1); a quadtree rounds it "
         "down to a multiple of 1/8, so below 0.125 no domain can be used"},
    {CLI_OPTION("shadow-limit", CLI_REAL, "V", compress_values, shadow_limit), .min = 0,
     .max = 1073709056.25, .unit = "of squared grey levels",
     .help =
         "fixed and overlap: blocks whose variance is at most V squared grey levels are "
         "coded by their mean alone (default 0: blocks without any)"},
    {CLI_OPTION("domain-wrap", CLI_FLAG, NULL, compress_values, domain_wrap),
     .help =
         "fixed and overlap: domains may also cross the right and lower edge and go on at "
         "the opposite one, as in Pedersen 2011 (without it they lie inside)"},
    CLI_CHANNEL_OPTION(compress_values),
};

static const cli_example examples[] = {
    {"rugose compress camera.png -o camera.rfi", "quality 50; size and PSNR are printed"},
    {"rugose compress --bpp 0.5 -f csv -o 'coded/{}.rfi' photos/*.tif",
     "many images, each at half a bit per pixel"},
    {"rugose compress --psnr 40 --channel 1 retina.png -o green.rfi",
     "one channel, at 40 dB"},
    {"rugose compress --partition overlap --range-size 4 --domain-step 4 a.png -o a.rfi",
     "a pure fractal code as in Pedersen 2011"},
    {NULL, NULL},
};

static const char *const columns[] = {
    "image",       "shape", "planes", "output",  "bytes",  "bpp", "ratio",
    "input_bytes", "psnr",  "ssim",   "seconds", "status", NULL};

/* ---- The command line ---- */

static const char *choose_target(cli_run *run, compress_job *job)
{
    const compress_values *v = &job->values;
    const double asked[] = {v->quality, v->bpp, v->psnr};
    rug_ifs_options *o = &job->options;
    int n = 0;
    for (int i = 0; i < 3; i++)
        if (cli_is_given(&run->words, rug_ifs_target_name((rug_ifs_target)i))) {
            o->target = (rug_ifs_target)i;
            o->target_value = asked[i];
            n++;
        }
    if (n > 1)
        return "only one of --quality, --bpp and --psnr can be used";
    return n > 0 && o->partition != RUG_IFS_QUADTREE
               ? "--quality, --bpp and --psnr can only be used with --partition quadtree; "
                 "the size of the others follows from --range-size and --domain-step"
               : NULL;
}

/* Options that go with one way of dividing only. */
static const char *check_partition(const compress_job *job)
{
    const compress_values *v = &job->values;
    int is_quadtree = job->options.partition == RUG_IFS_QUADTREE;
    if (is_quadtree && v->range_size > 0)
        return "--range-size can only be used with --partition fixed or overlap; a quadtree "
               "chooses the sizes of its ranges itself";
    if (is_quadtree && v->domain_step % 4 != 0)
        return "--domain-step: a multiple of 4 expected with --partition quadtree";
    if (job->options.partition == RUG_IFS_OVERLAP && v->range_size % 2 != 0)
        return "--range-size: an even number expected with --partition overlap";
    if (is_quadtree && v->shadow_limit >= 0)
        return "--shadow-limit can only be used with --partition fixed or overlap; a quadtree "
               "weighs what a domain costs itself";
    if (is_quadtree && v->domain_wrap)
        return "--domain-wrap can only be used with --partition fixed or overlap; the domains "
               "of a quadtree lie inside the image";
    if (!is_quadtree && v->residual >= 0)
        return "--residual can only be used with --partition quadtree";
    if (!is_quadtree && v->search >= 0 && v->search + 1 == RUG_IFS_SEARCH_FAST)
        return "--search fast can only be used with --partition quadtree; the others try every "
               "domain";
    return NULL;
}

static const char *check_output(cli_run *run, const char *output)
{
    if (output == NULL)
        return "--output FILE.rfi is missing";
    if (!cli_is_stream(output))
        return "--output: a name that ends in .rfi expected";
    return cli_check_result_name(run, "output", output);
}

static const char *check(cli_run *run, void *user)
{
    compress_job *job = user;
    const compress_values *v = &job->values;
    rug_ifs_options *o = &job->options;
    o->partition = (rug_ifs_partition)v->partition;
    o->range_size = (uint32_t)v->range_size;
    o->domain_step = (uint32_t)v->domain_step;
    o->without_residual = v->residual == 1;
    o->search = (rug_ifs_search)(v->search + 1);
    if (v->shadow_limit > 0)
        o->shadow_limit = v->shadow_limit;
    o->domain_wrap = v->domain_wrap;
    if (v->scale_max > 0)
        o->scale_max = v->scale_max;
    run->columns = columns;
    const char *problem = choose_target(run, job);
    if (problem == NULL)
        problem = check_partition(job);
    if (problem == NULL && rug_ifs_check_options(run->ctx, o) != RUG_OK)
        problem = rug_context_error(run->ctx);
    if (problem == NULL)
        problem = check_output(run, v->output);
    return problem != NULL ? problem : cli_keep_colours(run, v->channel);
}

static void describe(const cli_run *run, cli_record *p, const void *user)
{
    const compress_job *job = user;
    const rug_ifs_options *o = &job->options;
    int is_quadtree = o->partition == RUG_IFS_QUADTREE;
    (void)run;
    cli_record_set_text(p, "output", job->values.output);
    cli_record_set_text(p, "partition", rug_ifs_partition_name(o->partition));
    cli_record_set_text(p, "target", is_quadtree ? rug_ifs_target_name(o->target) : NULL);
    cli_record_set_real(p, "target_value", is_quadtree ? o->target_value : (double)NAN);
    cli_record_set_integer(p, "range_size", o->range_size);
    cli_record_set_integer(p, "domain_step", o->domain_step);
    cli_record_set_bool(p, "residual", is_quadtree && !o->without_residual);
    cli_record_set_text(p, "search", rug_ifs_search_name(o->search));
    cli_record_set_real(p, "scale_max", o->scale_max > 0 ? o->scale_max : 1);
    cli_record_set_real(p, "shadow_limit", o->shadow_limit);
    cli_record_set_bool(p, "domain_wrap", o->domain_wrap);
}

/* ---- One image ---- */

/* The share of the work on an image until it is coded. */
#define CODED_SHARE 0.95

/* What goes with one image. */
typedef struct coding {
    rug_image planes[RUG_IFS_PLANES_MAX];
    int n_planes;
    char path[CLI_PATH_MAX]; /* of the stream */
    rugi_output *output;     /* to there; NULL once it is written */
    rug_ifs_stream stream;
    rug_quality_result quality;
    double seconds;      /* of coding */
    uint64_t raw_bytes;  /* of the pixels */
    uint64_t file_bytes; /* of the image's file */
} coding;

static void print_read(cli_run *run, const compress_job *job, const cli_image *image)
{
    const rug_ifs_options *o = &job->options;
    char text[160], value[RUGI_REAL_TEXT_MAX];
    rugi_format_real_short(value, o->target_value);
    if (o->partition == RUG_IFS_QUADTREE)
        snprintf(text, sizeof text, "quadtree%s, %s %s",
                 o->without_residual ? " without residual" : "",
                 rug_ifs_target_name(o->target), value);
    else
        snprintf(text, sizeof text, "%s%s", rug_ifs_partition_name(o->partition),
                 o->domain_wrap ? ", domains wrap around" : "");
    cli_print_read(run, image, text);
}

/* Pictures are compared by the processor, whatever device codes them. */
static rug_status compare_here(cli_run *run, coding *c, const rug_image *decoded)
{
    const char *device = run->common.device;
    c->quality = (rug_quality_result)RUG_QUALITY_RESULT_INIT;
    rug_status status = rug_context_set_device(run->ctx, "cpu");
    if (status == RUG_OK)
        status =
            rug_quality(run->ctx, &c->quality, c->planes, decoded, c->n_planes, NULL);
    if (device != NULL) /* which was a valid one before */
        rug_context_set_device(run->ctx, device);
    return status;
}

/* How far the decoded picture is from the image. */
static rug_status measure_quality(cli_run *run, coding *c)
{
    rug_ifs_picture picture = RUG_IFS_PICTURE_INIT;
    rug_image decoded[RUG_IFS_PLANES_MAX];
    rug_ifs_decode_options opts = RUG_IFS_DECODE_OPTIONS_INIT;
    rug_status status =
        rug_ifs_decompress(run->ctx, &picture, c->stream.bytes, c->stream.size, &opts);
    if (status == RUG_E_ARG) {
        opts.pixels_max = (uint64_t)c->planes[0].shape[0] * c->planes[0].shape[1] *
                          (uint64_t)c->n_planes;
        cli_warn(
            run,
            "the stream of %zu bytes is so small for its pixels that decompress and compare "
            "need --max-pixels %" PRIu64 " or more",
            c->stream.size, opts.pixels_max);
        status = rug_ifs_decompress(run->ctx, &picture, c->stream.bytes, c->stream.size,
                                    &opts);
    }
    if (status != RUG_OK)
        return status;
    status = cli_picture_planes(run, decoded, &picture);
    if (status == RUG_OK)
        status = compare_here(run, c, decoded);
    if (status == RUG_OK)
        status =
            cli_show_picture(run, run->image, c->planes, c->n_planes, "the image", 1);
    if (status == RUG_OK)
        status = cli_show_pair(run, run->image, c->planes, decoded, c->n_planes);
    rug_ifs_picture_free(run->ctx, &picture);
    return status;
}

/* "ok", or what the numbers need as an explanation. */
static void set_status(cli_record *row, const coding *c)
{
    char text[160] = "";
    if (!(c->quality.mse > 0))
        strcat(text, "; equal");
    if (c->stream.size > c->raw_bytes)
        strcat(text, "; larger than the pixels");
    if (c->file_bytes > 0 && c->stream.size > c->file_bytes)
        strcat(text, "; larger than the file");
    if (c->quality.status != RUG_QUALITY_OK)
        snprintf(text + strlen(text), sizeof text - strlen(text), "; %s",
                 rug_quality_status_name(c->quality.status));
    cli_record_set_text(row, "status", text[0] != '\0' ? text + 2 : "ok");
}

static void warn_size(cli_run *run, const coding *c)
{
    if (c->stream.size > c->raw_bytes)
        cli_warn(run,
                 "the stream of %zu bytes is larger than the pixels, %" PRIu64 " bytes",
                 c->stream.size, c->raw_bytes);
    else if (c->file_bytes > 0 && c->stream.size > c->file_bytes)
        cli_warn(run,
                 "the stream of %zu bytes is larger than the file, %" PRIu64 " bytes",
                 c->stream.size, c->file_bytes);
}

static void add_row(cli_run *run, const cli_image *image, const coding *c)
{
    uint64_t ny = c->planes[0].shape[0], nx = c->planes[0].shape[1], n = c->stream.size;
    cli_record *row = cli_image_row(run, image);
    cli_record_set_signed(row, "planes", c->n_planes);
    cli_record_set_text(row, "output", c->path);
    cli_record_set_integer(row, "bytes", n);
    cli_record_set_real(row, "bpp", cli_bits_per_pixel(n, ny, nx));
    cli_record_set_real(row, "ratio", (double)c->raw_bytes / (double)n);
    cli_record_set_integer(row, "input_bytes", c->file_bytes);
    cli_record_set_real(row, "psnr", c->quality.psnr);
    cli_record_set_real(row, "ssim", c->quality.ssim);
    cli_record_set_real(row, "seconds", c->seconds);
    set_status(row, c);
    cli_report_add(run->report, row);
}

static void print_times(const cli_run *run, const cli_image *image, const coding *c,
                        double decode_seconds)
{
    if (!cli_begin_times(run, image))
        return;
    cli_print(run->err, ", code %.3f ms, decode and compare %.3f ms", c->seconds * 1e3,
              decode_seconds * 1e3);
    cli_end_times(run, NULL, "");
}

static rug_status code(cli_run *run, const compress_job *job, const cli_image *image,
                       coding *c)
{
    double start = cli_now();
    cli_shorten_phase(run, CODED_SHARE);
    rug_status status =
        rug_ifs_compress(run->ctx, &c->stream, c->planes, c->n_planes, &job->options);
    c->seconds = cli_now() - start;
    if (status != RUG_OK)
        return status;
    c->raw_bytes = rug_file_bytes(image->file);
    c->file_bytes = cli_file_bytes(image->path);
    start = cli_now();
    cli_phase(run, 1);
    status = measure_quality(run, c);
    if (status == RUG_OK)
        print_times(run, image, c, cli_now() - start);
    return status;
}

/* The file was opened before the image was coded, so that a place where nothing can be
 * written fails at once. */
static rug_status write_stream(cli_run *run, coding *c)
{
    rugi_output *output = c->output;
    c->output = NULL;
    errno = 0;
    if (fwrite(c->stream.bytes, 1, c->stream.size, rugi_output_stream(output)) ==
        c->stream.size)
        return rugi_output_commit(run->ctx, output);
    rug_status status = rug_context_fail(run->ctx, RUG_E_IO, "cannot write %s: %s",
                                         c->path, strerror(errno));
    rugi_output_discard(output);
    return status;
}

static rug_status compress_image(cli_run *run, const cli_image *image, void *user)
{
    compress_job *job = user;
    coding c = {.n_planes = 0};
    rug_status status = cli_image_planes(run, c.planes, &c.n_planes, image);
    if (status == RUG_OK)
        status = cli_claim(run, &job->outputs, c.path, "output", job->values.output,
                           image->name, "");
    if (status == RUG_OK)
        status = rugi_output_open(run->ctx, &c.output, c.path);
    if (status != RUG_OK)
        return status;
    print_read(run, job, image);
    status = code(run, job, image, &c);
    if (status == RUG_OK)
        status = write_stream(run, &c);
    if (status == RUG_OK) {
        warn_size(run, &c);
        add_row(run, image, &c);
    }
    rugi_output_discard(c.output);
    rug_ifs_stream_free(run->ctx, &c.stream);
    return status;
}

/* ---- The run ---- */

static void free_job(void *user)
{
    compress_job *job = user;
    cli_free_outputs(&job->outputs);
}

static int run_compress(int argc, char **argv)
{
    static const cli_actions actions = {
        .check = check, .describe = describe, .image = compress_image, .free = free_job};
    compress_job job = {
        .values = {.channel = -1, .residual = -1, .search = -1, .shadow_limit = -1},
        .options = RUG_IFS_OPTIONS_INIT};
    return cli_run_images(&cli_compress, argc, argv, &job.values, &job, &actions);
}

const cli_command cli_compress = {
    .name = "compress",
    .operands = "FILE|DIR...",
    .summary = "fractal coding: an image becomes a stream, to be decoded at any size",
    .also = "encode|ifs",
    .text =
        "Codes an image of 8 or 16 bits, grey or colour, as transforms of itself: each "
        "block is a shrunk, turned, scaled copy of a larger one. Prints a row for each image: "
        "the bytes of its stream, how many times smaller that is than the pixels (ratio), "
        "and how much the decoded image differs from the original. The same image and "
        "options give the same bytes on every machine.",
    .takes_images = 1,
    CLI_OPTIONS(options),
    .examples = examples,
    .run = run_compress,
};
