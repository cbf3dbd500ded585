/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose decompress: pictures from fractal codes, the picture after each iteration, and the
 * transforms of a stream as text. */

#include "pictures.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <rugose/picture.h>
#include <stdio.h>
#include <string.h>

#define ITERATIONS_MAX 64

/* Values of its own options. */
typedef struct decompress_values {
    const char *output;
    double scale;
    const char *size;
    uint64_t max_pixels; /* 0: not given */
    int iterations;      /* 0: not given */
    const char *frames;
    const char *export_ascii;
    const char *original;
    int channel; /* -1: not given */
} decompress_values;

/* The command's state over its streams. */
typedef struct decompress_job {
    decompress_values values;
    rug_ifs_decode_options options;
    cli_outputs outputs; /* names written so far, of all kinds */
} decompress_job;

static const cli_option options[] = {
    CLI_RESULT_OPTION(decompress_values, "FILE",
                      "write the picture there: .png, .tif, .pgm, .ppm, .pnm, .jpg or "
                      ".webp"),
    {CLI_OPTION("scale", CLI_REAL, "K", decompress_values, scale), .min = 0.25, .max = 16,
     .help = "decode at K times the size, 0.25..16 (default 1)"},
    {CLI_OPTION("size", CLI_TEXT, "WxH", decompress_values, size),
     .help = "decode to W x H pixels, each side 0.25 to 16 times that of the image"},
    {CLI_OPTION("iterations", CLI_INT, "N", decompress_values, iterations), .min = 1,
     .max = ITERATIONS_MAX,
     .help = "iterations of the decoder, 1..64 (default: as set in the stream)"},
    {CLI_OPTION("frames", CLI_TEXT, "PREFIX", decompress_values, frames),
     .help = "write the picture after each iteration to PREFIX00.png (the start), "
             "PREFIX01.png ..."},
    {CLI_OPTION("export-ascii", CLI_TEXT, "FILE", decompress_values, export_ascii),
     .help =
         "write the transforms there, one per line, below a header: plane, range_x, range_y, "
         "size, domain_x, domain_y, symmetry, s, mean, wraps (whether the domain goes on at "
         "the opposite edge), separated by tabs"},
    {CLI_OPTION("original", CLI_TEXT, "IMAGE", decompress_values, original),
     .help =
         "the image that was coded: --export-ascii has a column more, collage_error, how "
         "far each transform, applied to it, is from the range, in grey levels (root mean "
         "square)"},
    {CLI_OPTION("channel", CLI_INT, "N", decompress_values, channel), .min = 0,
     .max = 65535, .unset = "",
     .help =
         "the channel of --original that was coded, from 0 (default: red, green and blue "
         "of a colour image)"},
    CLI_MAX_PIXELS_OPTION(decompress_values),
};

static const cli_example examples[] = {
    {"rugose decompress camera.rfi -o camera.png", "the picture at its own size"},
    {"rugose decompress --scale 4 camera.rfi -o large.png", "four times as large"},
    {"rugose decompress -o 'pictures/{}.tif' coded/*.rfi", "many streams"},
    {"rugose decompress --export-ascii t.tsv --original camera.png camera.rfi",
     "the transforms, each with how far it is from the image"},
    {"rugose decompress --frames frame- --export-ascii transforms.tsv camera.rfi",
     "the picture after each iteration, and the transforms"},
    {NULL, NULL},
};

static const char *const columns[] = {"image",        "coded_shape", "shape", "planes",
                                      "dtype",        "iterations",  "bytes", "output",
                                      "output_bytes", "seconds",     NULL};

/* ---- The command line ---- */

/* Something must be asked for, and every option must have a use. */
static const char *check_wishes(const cli_run *run, const decompress_values *v)
{
    if (v->output == NULL && v->frames == NULL && v->export_ascii == NULL)
        return "--output FILE is missing";
    if (v->output == NULL && v->frames == NULL &&
        (cli_is_given(&run->words, "scale") || v->size != NULL || v->iterations > 0))
        return "--scale, --size and --iterations need --output FILE";
    if (v->original != NULL && v->export_ascii == NULL)
        return "--original needs --export-ascii FILE";
    if (v->original != NULL && run->n_inputs != 1)
        return "--original is the image of one stream, but several are given";
    if (v->original == NULL && v->channel >= 0)
        return "--channel needs --original IMAGE";
    return NULL;
}

/* Whether a name is that of a frame that may be written. */
static int is_frame(const decompress_values *v, const char *name)
{
    char frame[CLI_PATH_MAX];
    int n = v->iterations > 0 ? v->iterations : ITERATIONS_MAX;
    for (int i = 0; v->frames != NULL && name != NULL && i <= n; i++) {
        snprintf(frame, sizeof frame, "%s%02d.png", v->frames, i);
        if (cli_same_path(frame, name))
            return 1;
    }
    return 0;
}

static const char *check_names(cli_run *run, const decompress_values *v)
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

static const char *check(cli_run *run, void *user)
{
    decompress_job *job = user;
    const decompress_values *v = &job->values;
    rug_ifs_decode_options *o = &job->options;
    o->iterations = (uint32_t)v->iterations;
    o->scale = v->scale;
    o->pixels_max = v->max_pixels;
    run->columns = columns;
    run->model = v->original;
    run->one_by_one =
        (v->output != NULL) + (v->frames != NULL) + (v->export_ascii != NULL) > 1;
    const char *problem = check_wishes(run, v);
    if (problem == NULL)
        problem = cli_check_exclusive(run, "scale", "size");
    if (problem == NULL && v->size != NULL)
        problem = cli_parse_size(&o->nx, &o->ny, v->size, 16 * RUG_IFS_SIDE_MAX);
    return problem != NULL ? problem : check_names(run, v);
}

static void describe(const cli_run *run, cli_record *p, const void *user)
{
    const decompress_job *job = user;
    cli_describe_own(run, p);
    if (job->values.size != NULL)
        cli_record_set_real(p, "scale", (double)NAN);
}

/* ---- Transforms ---- */

/* What goes with the transforms of one stream. */
typedef struct exporting {
    cli_run *run;
    const cli_stream *stream;
    rug_file *original; /* NULL: none */
    FILE *out;
} exporting;

/* Pixels of a range that lie in the image, along one axis. */
static uint32_t n_inside(const rug_ifs_info *info, uint32_t first, uint32_t size,
                         uint32_t n)
{
    uint32_t n_whole = (n + info->range_max - 1) / info->range_max * info->range_max;
    uint32_t n_found = 0;
    for (uint32_t i = 0; i < size; i++)
        n_found += (first + i) % n_whole < n;
    return n_found;
}

static void write_error(const exporting *e, const rug_ifs_transform *t)
{
    const rug_ifs_info *info = &e->stream->info;
    char text[RUGI_REAL_TEXT_MAX];
    double n = (double)n_inside(info, t->range_x, t->size, info->nx) *
               n_inside(info, t->range_y, t->size, info->ny);
    rugi_format_real(text, sqrt(t->error / n));
    fprintf(e->out, "\t%s", text);
}

/* Whether a domain ends behind n pixels, continued to whole ranges. */
static int crosses_edge(uint32_t from, uint32_t size, uint32_t n)
{
    return from + 2 * size > (n + size - 1) / size * size;
}

static rug_status write_transform(void *user, const rug_ifs_transform *t)
{
    const exporting *e = user;
    const rug_ifs_info *info = &e->stream->info;
    char s[RUGI_REAL_TEXT_MAX], mean[RUGI_REAL_TEXT_MAX];
    rugi_format_real(s, t->s);
    rugi_format_real(mean, t->mean);
    fprintf(e->out, "%u\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32, t->plane, t->range_x,
            t->range_y, t->size);
    if (t->has_domain)
        fprintf(e->out, "\t%" PRIu32 "\t%" PRIu32 "\t%u", t->domain_x, t->domain_y,
                t->symmetry);
    else
        fputs("\tnan\tnan\tnan", e->out);
    fprintf(e->out, "\t%s\t%s\t%s", s, mean,
            !t->has_domain ? "nan"
            : info->domain_wrap && (crosses_edge(t->domain_x, t->size, info->nx) ||
                                    crosses_edge(t->domain_y, t->size, info->ny))
                ? "1"
                : "0");
    if (e->original != NULL)
        write_error(e, t);
    putc('\n', e->out);
    return ferror(e->out) ? RUG_E_IO : RUG_OK;
}

/* Opens the image that was coded, as compress does. */
static rug_status open_original(exporting *e, char digest[CLI_SHA256_TEXT_MAX],
                                const decompress_values *v)
{
    cli_run *run = e->run;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    if (v->original == NULL)
        return RUG_OK;
    opts.channel = v->channel;
    opts.planes = v->channel < 0;
    opts.nodata_as = RUG_NODATA_AS_STORED;
    rug_status status = cli_open_file(run, &e->original, v->original, &opts);
    if (status == RUG_OK)
        status = rug_file_load(run->ctx, e->original);
    if (status != RUG_OK)
        return status;
    const cli_image image = {.file = e->original,
                             .path = v->original,
                             .pixels = rug_file_image(e->original),
                             .facts = rug_file_get_facts(e->original)};
    cli_print_read(run, &image, NULL);
    return cli_digest(run, digest, v->original);
}

static rug_status write_transforms(exporting *e, uint64_t pixels_max)
{
    rug_image planes[RUG_IFS_PLANES_MAX];
    const cli_stream *s = e->stream;
    rug_context *ctx = e->run->ctx;
    fputs("plane\trange_x\trange_y\tsize\tdomain_x\tdomain_y\tsymmetry\ts\tmean\twraps",
          e->out);
    fputs(e->original != NULL ? "\tcollage_error\n" : "\n", e->out);
    if (e->original == NULL)
        return rug_ifs_read_transforms(ctx, s->bytes, s->size, pixels_max,
                                       write_transform, e);
    int n_planes = rug_file_get_facts(e->original)->n_planes;
    for (int i = 0; i < n_planes; i++)
        planes[i] = rug_file_plane(e->original, i);
    return rug_ifs_measure_transforms(ctx, s->bytes, s->size, pixels_max, planes,
                                      n_planes, write_transform, e);
}

/* Writes the transforms of a stream to a file that is claimed. */
static rug_status write_export(exporting *e, const char *path, uint64_t pixels_max)
{
    rugi_output *output;
    rug_context *ctx = e->run->ctx;
    rug_status status = rugi_output_open(ctx, &output, path);
    if (status != RUG_OK)
        return status;
    e->out = rugi_output_stream(output);
    errno = 0;
    status = write_transforms(e, pixels_max);
    if (status == RUG_OK)
        return rugi_output_commit(ctx, output);
    if (ferror(e->out))
        status =
            rug_context_fail(ctx, RUG_E_IO, "cannot write %s: %s", path, strerror(errno));
    rugi_output_discard(output);
    return status;
}

/* Writes the transforms of a stream, where they are asked for.
 * @param digest  of the original */
static rug_status export(cli_run *run, decompress_job *job,
                         char digest[CLI_SHA256_TEXT_MAX], const cli_stream *stream)
{
    char path[CLI_PATH_MAX];
    exporting e = {.run = run, .stream = stream};
    if (job->values.export_ascii == NULL)
        return RUG_OK;
    rug_status status = cli_claim(run, &job->outputs, path, "export-ascii",
                                  job->values.export_ascii, stream->path, "");
    if (status == RUG_OK)
        status = open_original(&e, digest, &job->values);
    if (status == RUG_OK)
        status = write_export(&e, path, job->options.pixels_max);
    rug_file_free(e.original);
    return status;
}

/* ---- The picture ---- */

/* The share of the work on a stream until it is decoded. */
#define DECODED_SHARE 0.7

/* What goes with one stream. */
typedef struct decoding {
    cli_run *run;
    decompress_job *job;
    const cli_stream *stream;
    char path[CLI_PATH_MAX];          /* of the picture; "" without */
    char digest[CLI_SHA256_TEXT_MAX]; /* of the original */
    rug_ifs_picture picture;
    double seconds;
} decoding;

static rug_status write_picture(cli_run *run, const char *path,
                                const rug_ifs_picture *picture)
{
    rug_image planes[RUG_IFS_PLANES_MAX];
    rug_status status = cli_picture_planes(run, planes, picture);
    return status == RUG_OK ? rug_picture_write(run->ctx, path, planes, picture->n_planes)
                            : status;
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
    status = write_picture(d->run, path, picture);
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
        status = write_picture(d->run, d->path, &d->picture);
    return status;
}

static void set_picture(cli_record *row, const decoding *d)
{
    const rug_ifs_info *info = &d->stream->info;
    uint32_t asked = d->job->options.iterations;
    cli_set_size(row, "shape", d->picture.ny, d->picture.nx);
    cli_record_set_text(row, "dtype", rug_dtype_name(d->picture.dtype));
    cli_record_set_integer(row, "iterations", asked > 0 ? asked : info->iterations);
    if (d->path[0] != '\0') {
        cli_record_set_text(row, "output", d->path);
        cli_record_set_integer(row, "output_bytes", cli_file_bytes(d->path));
    }
    cli_record_set_real(row, "seconds", d->seconds);
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
    return status == RUG_OK
               ? cli_show_picture(d->run, d->stream->path, planes, d->picture.n_planes,
                                  "the decoded picture", 0)
               : status;
}

static rug_status decompress_stream(cli_run *run, const cli_stream *stream, void *user)
{
    decompress_job *job = user;
    const decompress_values *v = &job->values;
    decoding d = {.run = run,
                  .job = job,
                  .stream = stream,
                  .path = "",
                  .picture = RUG_IFS_PICTURE_INIT};
    rug_status status = RUG_OK;
    if (v->output != NULL)
        status =
            cli_claim(run, &job->outputs, d.path, "output", v->output, stream->path, "");
    if (status == RUG_OK)
        status = export(run, job, d.digest, stream);
    if (status == RUG_OK && (v->output != NULL || v->frames != NULL))
        status = decode(&d);
    if (status == RUG_OK && d.picture.pixels != NULL)
        status = show(&d);
    if (status == RUG_OK)
        add_row(run, &d);
    rug_ifs_picture_free(run->ctx, &d.picture);
    return status;
}

/* ---- The run ---- */

static int work(cli_run *run, void *user)
{
    decompress_job *job = user;
    cli_for_each_stream(run, decompress_stream, job);
    cli_free_outputs(&job->outputs);
    return CLI_OK;
}

static int run_decompress(int argc, char **argv)
{
    static const cli_actions actions = {
        .check = check, .describe = describe, .work = work};
    decompress_job job = {.values = {.scale = 1, .channel = -1},
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
