/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose compare: how far two images are from each other, and how many bytes each takes. */

#include "notes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct compare_values {
    int channel;         /* -1: not given */
    double peak;         /* 0: not given */
    uint64_t max_pixels; /* 0: not given */
} compare_values;

typedef struct job {
    compare_values values;
    rug_quality_options opts;
} job;

/* One of the two. */
typedef struct side {
    const char *path;
    rug_file *file;          /* NULL for a stream */
    cli_stream stream;       /* zeroed for an image */
    rug_ifs_picture picture; /* of the stream */
    rug_image planes[RUG_IFS_PLANES_MAX];
    int n_planes;
    uint64_t bytes; /* on disk; 0: not those of one file */
    char digest[CLI_SHA256_TEXT_MAX];
} side;

static const cli_option options[] = {
    CLI_CHANNEL_OPTION(compare_values),
    {CLI_OPTION("peak", CLI_REAL, "L", compare_values, peak), .min = CLI_ABOVE_0,
     .unset = "",
     .help = "the range of values that PSNR and SSIM refer to, such as 4095 for 12 bits "
             "(default: that of the type, 255 or 65535; for floats the range of both "
             "images)"},
    CLI_MAX_PIXELS_OPTION(compare_values),
};

static const cli_example examples[] = {
    {"rugose compare camera.png camera.rfi",
     "the loss of a stream, and its bits per pixel"},
    {"rugose compare -f json original.tif restored.tif", "with checksums"},
    {NULL, NULL},
};

static const char *const columns[] = {
    "image", "other",     "shape",          "planes", "dtype", "mse",
    "psnr",  "ssim",      "max_difference", "peak",   "bytes", "other_bytes",
    "bpp",   "other_bpp", "status",         NULL};

static const char *check(cli_run *run, void *user)
{
    job *j = user;
    const cli_reading *r = &run->reading;
    int has_image = 0, has_stream = 0;
    if (j->values.peak > 0)
        j->opts.peak = j->values.peak;
    run->columns = columns;
    if (run->common.list != NULL)
        return "--list cannot be used here; two images expected";
    if (run->n_inputs != 2)
        return "two images expected";
    if (cli_is_every_page(run))
        return "--page all cannot be used here; one page of each image expected";
    run->keeps_colours = j->values.channel < 0 && !r->volume;
    for (size_t i = 0; i < run->n_inputs; i++)
        *(cli_is_stream(run->inputs[i].path) ? &has_stream : &has_image) = 1;
    if (!has_stream && j->values.max_pixels > 0)
        return "--max-pixels: neither file is a stream (.rfi)";
    if (!has_image && (r->page != NULL || r->volume || r->level > 0))
        return "streams have no pages and levels; leave out --page, --volume and --level";
    if (!has_image && (r->raw != NULL || r->matrix))
        return "streams say themselves what they hold; leave out --raw and --matrix";
    run->reading.channel = j->values.channel;
    return NULL;
}

static rug_status read_image(cli_run *run, side *s)
{
    const cli_reading *r = &run->reading;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    if (r->page != NULL)
        cli_parse_int(&opts.page, r->page, 0, 1 << 30);
    opts.volume = r->volume;
    opts.channel = r->channel;
    cli_set_reading(&opts, r);
    opts.planes = opts.alpha = run->keeps_colours;
    opts.nodata_as = RUG_NODATA_AS_STORED;
    rug_status status = cli_open_file(run, &s->file, s->path, &opts);
    if (status == RUG_OK)
        status = rug_file_load(run->ctx, s->file);
    if (status != RUG_OK)
        return status;
    s->n_planes = rug_file_get_facts(s->file)->n_planes;
    if (strcmp(rug_file_get_facts(s->file)->path, s->path) != 0)
        s->bytes = 0; /* a folder of slices */
    for (int i = 0; i < s->n_planes; i++)
        s->planes[i] = rug_file_plane(s->file, i);
    const cli_image image = {.file = s->file,
                             .path = s->path,
                             .pixels = rug_file_image(s->file),
                             .facts = rug_file_get_facts(s->file)};
    cli_print_read(run, &image, NULL);
    return cli_digest(run, s->digest, s->path);
}

/* Of a stream in colours one plane, where a channel is chosen. */
static rug_status choose_plane(cli_run *run, side *s)
{
    int channel = run->reading.channel;
    if (channel >= s->n_planes)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "%s: channel %d asked, but the stream has %d", s->path,
                                channel, s->n_planes);
    if (channel >= 0) {
        s->planes[0] = s->planes[channel];
        s->n_planes = 1;
    }
    return RUG_OK;
}

static rug_status read_stream(cli_run *run, side *s, uint64_t max_pixels)
{
    rug_ifs_decode_options opts = RUG_IFS_DECODE_OPTIONS_INIT;
    rug_status status = cli_read_stream(run, &s->stream, s->path);
    opts.pixels_max = max_pixels;
    if (status == RUG_OK)
        status = rug_ifs_decompress(run->ctx, &s->picture, s->stream.bytes,
                                    s->stream.size, &opts);
    if (status == RUG_OK)
        status = cli_picture_planes(run, s->planes, &s->picture);
    if (status != RUG_OK)
        return status;
    s->n_planes = s->picture.n_planes;
    memcpy(s->digest, s->stream.digest, sizeof s->digest);
    return choose_plane(run, s);
}

static rug_status read_side(cli_run *run, side *s, double until, uint64_t max_pixels)
{
    s->path = run->inputs[run->input].path;
    s->bytes = cli_file_bytes(s->path);
    run->image = s->path;
    cli_phase(run, until);
    rug_status status =
        cli_is_stream(s->path) ? read_stream(run, s, max_pixels) : read_image(run, s);
    if (status != RUG_OK && status != RUG_E_CANCELLED)
        cli_fail_input(run, s->path, s->path);
    run->image = NULL;
    return status;
}

static void free_side(cli_run *run, side *s)
{
    rug_file_free(s->file);
    rug_ifs_picture_free(run->ctx, &s->picture);
    cli_free_stream(run, &s->stream);
}

static void set_bytes(cli_record *row, const char *name, const side *s)
{
    if (s->bytes > 0)
        cli_record_set_integer(row, name, s->bytes);
    else
        cli_record_set_text(row, name, NULL);
}

static double bits_per_pixel(const side *s)
{
    if (s->bytes == 0)
        return (double)NAN;
    return 8 * (double)s->bytes / (double)rug_image_pixels(&s->planes[0]);
}

static int has_alpha(const side *s)
{
    return cli_n_colours(s->n_planes) < s->n_planes;
}

/* Whether alpha of both is not the same. Planes of one type and shape. */
static int alpha_differs(const side *a, const side *b)
{
    const rug_image *p = &a->planes[a->n_planes - 1], *q = &b->planes[b->n_planes - 1];
    size_t n = rug_dtype_size(p->dtype);
    for (size_t y = 0; y < p->shape[0]; y++)
        for (size_t x = 0; x < p->shape[1]; x++) {
            const char *at = (const char *)p->data + (ptrdiff_t)y * p->stride[0] +
                             (ptrdiff_t)x * p->stride[1];
            const char *other = (const char *)q->data + (ptrdiff_t)y * q->stride[0] +
                                (ptrdiff_t)x * q->stride[1];
            if (memcmp(at, other, n) != 0)
                return 1;
        }
    return 0;
}

/* "ok", or what the numbers need as an explanation: equal images have no PSNR, and alpha is not
 * among what they are of. */
static void set_status(cli_record *row, const side *a, const side *b,
                       const rug_quality_result *q)
{
    char text[160] = "";
    if (q->mse <= 0)
        strcat(text, "; equal");
    if (has_alpha(a) != has_alpha(b))
        strcat(text, "; only one has alpha");
    else if (has_alpha(a) && alpha_differs(a, b))
        strcat(text, "; alpha differs");
    if (q->status != RUG_QUALITY_OK)
        snprintf(text + strlen(text), sizeof text - strlen(text), "; %s",
                 rug_quality_status_name(q->status));
    cli_record_set_text(row, "status", text[0] != '\0' ? text + 2 : "ok");
}

static void add_row(cli_run *run, const side *a, const side *b,
                    const rug_quality_result *q)
{
    cli_record *row = cli_record_new();
    cli_record_set_text(row, "image", a->path);
    cli_record_set_text(row, "other", b->path);
    cli_set_shape(row, "shape", a->planes[0].ndim, a->planes[0].shape);
    cli_record_set_signed(row, "planes", a->n_planes);
    cli_record_set_text(row, "dtype", rug_dtype_name(a->planes[0].dtype));
    cli_record_set_real(row, "mse", q->mse);
    cli_record_set_real(row, "psnr", q->psnr);
    cli_record_set_real(row, "ssim", q->ssim);
    cli_record_set_real(row, "max_difference", q->max_difference);
    cli_record_set_real(row, "peak", q->peak);
    set_bytes(row, "bytes", a);
    set_bytes(row, "other_bytes", b);
    cli_record_set_real(row, "bpp", bits_per_pixel(a));
    cli_record_set_real(row, "other_bpp", bits_per_pixel(b));
    set_status(row, a, b, q);
    if (run->has_details) {
        cli_set_digest(row, a->digest);
        cli_add_file(row, "compared_with", b->path, b->digest);
    }
    cli_report_add(run->report, row);
}

static void fail(cli_run *run, const side *a, const side *b)
{
    char text[2 * CLI_PATH_MAX];
    snprintf(text, sizeof text, "%s and %s: %s", a->path, b->path,
             rug_context_error(run->ctx));
    cli_fail(run, text);
}

static void measure(cli_run *run, const side *a, const side *b,
                    const rug_quality_options *opts)
{
    rug_quality_result q = RUG_QUALITY_RESULT_INIT;
    rug_status status = RUG_OK;
    int n_colours = cli_n_colours(a->n_planes);
    if (n_colours != cli_n_colours(b->n_planes))
        status = rug_context_fail(
            run->ctx, RUG_E_ARG,
            "%s is grey, the other in colour; choose one channel with --channel",
            n_colours == 1 ? "the first" : "the second");
    if (status == RUG_OK)
        status = rug_quality(run->ctx, &q, a->planes, b->planes, n_colours, opts);
    if (status == RUG_OK)
        status = cli_show_pair(run, a->path, a->planes, b->planes, n_colours);
    if (status == RUG_OK)
        add_row(run, a, b, &q);
    else if (status != RUG_E_CANCELLED)
        fail(run, a, b);
}

static int is_text(const side *s)
{
    return s->file != NULL && strcmp(rug_file_get_facts(s->file)->format, "matrix") == 0;
}

static int compare(cli_run *run, void *user)
{
    const job *j = user;
    side a = {.picture = RUG_IFS_PICTURE_INIT}, b = a;
    for (size_t i = 0; i < run->n_inputs; i++)
        run->reading.as_stored |= cli_is_turned_stream(run, run->inputs[i].path);
    rug_status status = read_side(run, &a, 0.9, j->values.max_pixels);
    run->input = 1;
    run->phase_at = run->phase_share = 0;
    rug_status other = run->interrupted ? RUG_E_CANCELLED
                                        : read_side(run, &b, 0.5, j->values.max_pixels);
    cli_phase(run, 1);
    if (status == RUG_OK && other == RUG_OK) {
        if (run->reading.matrix && !is_text(&a) && !is_text(&b))
            cli_warn(run,
                     "neither file is a text, for which alone --matrix does something");
        measure(run, &a, &b, &j->opts);
    }
    cli_end_image(run);
    free_side(run, &a);
    free_side(run, &b);
    return CLI_OK;
}

static int run_compare(int argc, char **argv)
{
    static const cli_actions actions = {.check = check, .work = compare};
    job j = {.values.channel = -1, .opts = RUG_QUALITY_OPTIONS_INIT};
    return cli_run_images(&cli_compare, argc, argv, &j.values, &j, &actions);
}

const cli_command cli_compare = {
    .name = "compare",
    .operands = "FILE FILE",
    .summary = "how much two images differ: MSE, PSNR, SSIM, bytes",
    .also = "diff|psnr|ssim",
    .text =
        "Compares two images of the same shape and type; streams (.rfi) are decoded. Prints "
        "the mean squared error, PSNR in dB (nan for equal images, where it is infinite), "
        "mean SSIM (Wang et al. 2004, as computed by scikit-image with Gaussian weights), the "
        "largest difference, and for both files the bytes on disk and bits per pixel.",
    .takes_images = 1,
    .is_whole = 1,
    .is_pair = 1,
    CLI_OPTIONS(options),
    .examples = examples,
    .run = run_compare,
};
