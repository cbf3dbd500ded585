/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The batch: reads every input, page by page where asked, shows it to the command, and
 * keeps what failed. */

#include "cli.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 4200
/* The share of an input's work that reading takes, for the progress line. */
#define READ_SHARE  0.8
#define RANGE_SHARE 0.9

void cli_warn(cli_run *run, const char *format, ...)
{
    va_list arguments;
    cli_clear_progress(run);
    fprintf(stderr, "rugose: warning: %s%s", run->image != NULL ? run->image : "",
            run->image != NULL ? ": " : "");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void cli_fail_image(cli_run *run, const char *text)
{
    cli_clear_progress(run);
    fprintf(stderr, "rugose: %s\n", text);
    char **more = realloc(run->failures, (run->n_failures + 1) * sizeof *more);
    if (more == NULL)
        return;
    run->failures = more;
    run->failures[run->n_failures] = strdup(text);
    run->n_failures += run->failures[run->n_failures] != NULL;
}

void cli_format_shape(char text[CLI_SHAPE_MAX], int ndim, const size_t *shape)
{
    size_t n = 0;
    text[0] = '\0';
    for (int a = 0; a < ndim; a++)
        n += (size_t)snprintf(text + n, CLI_SHAPE_MAX - n, a > 0 ? "x%zu" : "%zu",
                              shape[a]);
}

static void describe_spacing(rug_record *read, const rug_image *img)
{
    static const char *const axes[] = {"z", "y", "x"};
    rug_record *spacing = rug_record_new();
    for (int a = 0; a < img->ndim; a++)
        rug_record_set_real(spacing, axes[3 - img->ndim + a],
                            img->spacing[a] > 0 ? img->spacing[a] : (double)NAN);
    rug_record_set_text(spacing, "unit", img->spacing_unit);
    rug_record_set_record(read, "spacing", spacing);
}

static rug_record *describe_read(const cli_image *image)
{
    const rug_file_facts *f = image->facts;
    rug_record *read = rug_record_new();
    rug_record_set_text(read, "format", f->format);
    rug_record_set_text(read, "dtype", rug_dtype_name(image->pixels->dtype));
    rug_record_set_real(read, "min", image->range.min);
    rug_record_set_real(read, "max", image->range.max);
    rug_record_set_integer(read, "nan", image->range.n_nan);
    rug_record_set_integer(read, "infinite", image->range.n_infinite);
    rug_record_set_integer(read, "distinct", image->range.n_distinct);
    rug_record_set_bool(read, "distinct_is_min", (int)image->range.distinct_is_min);
    describe_spacing(read, image->pixels);
    rug_record_set_signed(read, "page", f->page);
    rug_record_set_signed(read, "pages", f->n_pages);
    rug_record_set_signed(read, "level", f->level);
    rug_record_set_signed(read, "levels", f->n_levels);
    rug_record_set_signed(read, "channel", f->channel);
    rug_record_set_signed(read, "channels", f->n_channels);
    rug_record_set_bool(read, "equal_channels", f->equal_channels);
    rug_record_set_bool(read, "dropped_alpha", f->dropped_alpha);
    rug_record_set_bool(read, "white_is_zero", f->white_is_zero);
    rug_record_set_real(read, "slope", f->slope);
    rug_record_set_real(read, "intercept", f->intercept);
    return read;
}

void cli_describe_image(cli_run *run, rug_record *row, const cli_image *image)
{
    char shape[CLI_SHAPE_MAX], digest[RUG_SHA256_TEXT_MAX];
    cli_format_shape(shape, image->pixels->ndim, image->pixels->shape);
    rug_record_set_text(row, "image", image->name);
    rug_record_set_text(row, "shape", shape);
    if (run->common.format != RUG_REPORT_JSON)
        return; /* tables show no more, and the digest reads the whole file */
    if (rug_file_sha256(run->ctx, digest, image->path) == RUG_OK)
        rug_record_set_text(row, "sha256", digest);
    rug_record_set_record(row, "read", describe_read(image));
}

static rug_status measure_range(cli_run *run, cli_image *image)
{
    cli_phase(run, RANGE_SHARE);
    double t = cli_now();
    rug_status status = rug_image_measure_range(run->ctx, &image->range, image->pixels);
    image->range_seconds = cli_now() - t;
    cli_phase(run, 1.0);
    return status;
}

/* Reads one page of a file. @return its status; *n_pages is set on RUG_OK */
static rug_status do_page(cli_run *run, const char *path, int page, int every,
                          cli_image_fn measure, void *user, int *n_pages)
{
    char name[NAME_MAX_BYTES];
    snprintf(name, sizeof name, every ? "%s[page=%d]" : "%s", path, page);
    cli_image image = {.path = path, .name = name};
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.page = page;
    opts.volume = run->reading.volume;
    opts.channel = run->reading.channel;
    opts.level = run->reading.level;
    run->image = name;
    run->phase_at = run->phase_share = 0;
    cli_phase(run, READ_SHARE);
    double t = cli_now();
    rug_status status = rug_file_read(run->ctx, &image.file, path, &opts);
    image.read_seconds = cli_now() - t;
    if (status == RUG_OK) {
        image.pixels = rug_file_image(image.file);
        image.facts = rug_file_get_facts(image.file);
        *n_pages = image.facts->n_pages;
        status = measure_range(run, &image);
    }
    if (status == RUG_OK)
        status = measure(run, &image, user);
    if (status != RUG_OK && status != RUG_E_CANCELLED) {
        char text[NAME_MAX_BYTES + 1100];
        const char *error = rug_context_error(run->ctx);
        int named = strncmp(error, path, strlen(path)) == 0;
        snprintf(text, sizeof text, "%s%s%s", named ? "" : name, named ? "" : ": ",
                 error);
        cli_fail_image(run, text);
    }
    rug_file_free(image.file);
    run->image = NULL;
    return status;
}

static void do_input(cli_run *run, const char *path, cli_image_fn measure, void *user)
{
    const char *asked = run->reading.page;
    int page = -1, n_pages = 1, every = asked != NULL && strcmp(asked, "all") == 0;
    if (asked != NULL && !every)
        cli_parse_int(&page, asked, 0, 1 << 30);
    if (!every) {
        do_page(run, path, page, 0, measure, user, &n_pages);
        return;
    }
    for (page = 0; page < n_pages && !run->interrupted; page++)
        do_page(run, path, page, 1, measure, user,
                &n_pages); /* 1 page until one is read */
}

void cli_for_each_image(cli_run *run, cli_image_fn measure, void *user)
{
    for (run->input = 0; run->input < run->n_inputs && !run->interrupted; run->input++)
        do_input(run, run->inputs[run->input], measure, user);
}
