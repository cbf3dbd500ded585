/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The page of a run. Its rows are those of the report; here is what only it has. */

#include "page.h"
#include "cli.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_page_name(const char *path)
{
    return rugi_has_ending(path, ".html") || rugi_has_ending(path, ".htm");
}

const char *cli_check_page(cli_run *run)
{
    const char *path = run->common.report;
    if (path == NULL)
        return NULL;
    if (cli_page.behind == NULL) {
        rug_context_fail(run->ctx, RUG_E_ARG,
                         "--report: this build of rugose lacks the libraries of a page; "
                         "install %s and build it again",
                         cli_page.libraries);
        return rug_context_error(run->ctx);
    }
    if (strcmp(path, "-") == 0)
        return cli_is_stdout(run->common.output)
                   ? "--report -: the table goes to standard output; give a file"
                   : NULL;
    if (!is_page_name(path))
        return "--report: a name that ends in .html or .htm expected";
    if (cli_is_input(run, path))
        return "--report: the file is an input";
    return run->common.output != NULL && cli_same_path(path, run->common.output)
               ? "--report and --output name the same file"
               : NULL;
}

void cli_begin_page(cli_run *run)
{
    if (run->report == NULL)
        return;
    if (run->html == NULL) {
        cli_fail(run, "no memory for the page");
        return;
    }
    cli_report_share(run->report, run->html);
    cli_report_share_head(run->report);
    for (size_t i = 0; i < run->n_warnings; i++)
        run->warnings[i].is_of_run = 1; /* what came before has no row */
    cli_record *head = cli_report_head(run->html);
    for (size_t i = 0; run->line[i] != NULL; i++)
        cli_record_add_text(head, "command_line", run->line[i]);
}

/* A warning, with the number of the other images that have such a one. */
static void add_warning(cli_record *head, const cli_warnings *k)
{
    static const char prefix[] = "rugose: warning: ";
    size_t n = strlen(k->first), n_images = k->n_shown + k->n_more;
    char *text = malloc(n + 60);
    if (text != NULL) {
        int is_named = strncmp(k->first, prefix, sizeof prefix - 1) == 0;
        int at =
            snprintf(text, n + 1, "%s", k->first + (is_named ? sizeof prefix - 1 : 0));
        if (n_images > 1)
            snprintf(text + at, 60, " ... and %zu more image%s", n_images - 1,
                     n_images == 2 ? "" : "s");
    }
    cli_record_add_text(head, "warnings", text);
    free(text);
}

/* "cpu, 4 threads" */
static void set_engine(const cli_run *run, cli_record *head)
{
    const char *name = run->device_name != NULL ? run->device_name : run->common.device;
    int n = rug_context_threads(run->ctx);
    char text[300];
    snprintf(text, sizeof text, "%.200s, %d thread%s", name != NULL ? name : "cpu", n,
             n == 1 ? "" : "s");
    cli_record_set_text(head, "engine", text);
}

void cli_fill_page(cli_run *run)
{
    if (run->html == NULL)
        return;
    cli_report_share_head(run->report);
    cli_record *head = cli_report_head(run->html);
    cli_record_set_integer(head, "inputs", run->n_inputs);
    cli_record_set_integers(head, "failures", NULL, 0);
    for (size_t i = 0; i < run->n_told; i++)
        cli_record_add_text(head, "failures", run->failures[i]);
    cli_record_set_integers(head, "warnings", NULL, 0);
    for (size_t i = 0; i < run->n_warnings; i++)
        if (run->warnings[i].is_of_run && run->warnings[i].first != NULL)
            add_warning(head, &run->warnings[i]);
    cli_record_set_real(head, "seconds", round(1e3 * (cli_now() - run->started)) / 1e3);
    set_engine(run, head);
}

/* ---- Pictures ---- */

static char *encode(const unsigned char *bytes, size_t n)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = malloc((n + 2) / 3 * 4 + 1), *at = text;
    for (size_t i = 0; i < n && text != NULL; i += 3) {
        unsigned long group = (unsigned long)bytes[i] << 16 |
                              (unsigned long)(i + 1 < n ? bytes[i + 1] : 0) << 8 |
                              (i + 2 < n ? bytes[i + 2] : 0);
        *at++ = digits[group >> 18];
        *at++ = digits[group >> 12 & 63];
        *at++ = i + 1 < n ? digits[group >> 6 & 63] : '=';
        *at++ = i + 2 < n ? digits[group & 63] : '=';
    }
    if (text != NULL)
        *at = '\0';
    return text;
}

void cli_add_picture(cli_run *run, const cli_page_picture *picture)
{
    char *png = encode(picture->png, picture->n);
    cli_record *entry = cli_record_new(), *r = cli_record_new();
    cli_record_set_text(r, "image", picture->image);
    cli_record_set_text(r, "kind", picture->kind);
    cli_record_set_text(r, "alt", picture->alt);
    cli_record_set_text(r, "png", png);
    cli_record_set_record(entry, CLI_PICTURE, png != NULL ? r : NULL);
    if (png == NULL)
        cli_record_free(r);
    cli_report_add(run->html, entry);
    free(png);
}

/* Of all pictures of a page, as PNG; base64 takes a third more. */
#define PICTURES_BYTES ((size_t)10 << 20)

size_t cli_picture_bytes(const cli_run *run)
{
    size_t n_pages =
        run->n_pages > 1 && cli_is_every_page(run) ? (size_t)run->n_pages : 1;
    size_t n = PICTURES_BYTES / n_pages / run->n_inputs;
    return run->html != NULL ? n : 0;
}

/* The smallest side that shows anything. */
#define SIDE_MIN 48

/* Bits of a byte of a pixel that a picture is hoped to need, as that of a photograph does, and that it
 * never needs more than; bytes of the file beside them, most of them a palette. */
#define FEW_BITS   4.0
#define MOST_BITS  8.5
#define HEAD_BYTES 900

static size_t side_of(double n_pixels)
{
    double side = sqrt(n_pixels);
    return side < SIDE_MIN        ? SIDE_MIN
           : side > CLI_PAGE_SIDE ? CLI_PAGE_SIDE
                                  : (size_t)side;
}

/* Encoding takes time by the pixels, so what is too large is not tried often. */
rug_status cli_fit_picture(cli_run *run, const cli_making *m)
{
    const double room = (double)cli_picture_bytes(run) / (m->is_half ? 2 : 1);
    const double bits = (m->is_costly ? MOST_BITS : FEW_BITS) * m->n_bytes;
    size_t n = 0, side = side_of(8 * fmax(room - HEAD_BYTES, 0) / bits);
    rug_status status = RUG_OK;
    int is_done = run->html == NULL;
    while (!is_done) {
        unsigned char *png = NULL;
        status = m->encode(run, m->of, side, &png, &n);
        int fits = status == RUG_OK && (double)n <= room;
        if (fits)
            cli_add_picture(run,
                            &(cli_page_picture){m->image, "overlay", m->alt, png, n});
        rug_context_release(run->ctx, png);
        is_done = status != RUG_OK || fits || side == SIDE_MIN;
        if (!is_done)
            side = side_of(0.9 * (double)side * (double)side * room / (double)n);
    }
    if (status != RUG_E_UNSUPPORTED)
        return status;
    cli_warn(run, "there is no picture of it on the page: %s",
             rug_context_error(run->ctx));
    return RUG_OK;
}
