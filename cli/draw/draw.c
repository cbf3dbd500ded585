/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Plots of a run: drawn at once, or kept in the order of the inputs, whichever worker brings them,
 * until the last one is there. */

#include "draw.h"
#include "io/base/utf8.h"
#include "plots/plot_join.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Characters of a file's name in a title; the middle of longer ones is left out. */
#define NAME_MOST 40

struct cli_kept_sheet {
    cli_plot_sheet sheet;
    char *in_folder;     /* its title with the folder of the file; owned */
    cli_plot_pool pool;  /* of what it holds */
    size_t input, place; /* by which they are sorted */
    int page;
};

/* ---- Texts ---- */

/* Writes a name, with three dots for the middle of one that is too long. */
static void shorten(char out[CLI_TITLE_MAX], const char *name, size_t n_bytes)
{
    size_t n = 0, at = 0, to = 0;
    uint32_t code;
    for (size_t i = 0; i < n_bytes; n++)
        i += rugi_utf8_next(&code, name + i);
    for (size_t k = 0; at < n_bytes; k++) {
        size_t step = rugi_utf8_next(&code, name + at);
        int is_left_out = n > NAME_MOST && k >= NAME_MOST / 2 && k < n - NAME_MOST / 2;
        if (is_left_out && k == NAME_MOST / 2)
            to += (size_t)snprintf(out + to, CLI_TITLE_MAX - to, "\xE2\x80\xA6");
        if (!is_left_out && to + step < CLI_TITLE_MAX) {
            memcpy(out + to, name + at, step);
            to += step;
        }
        at += step;
    }
    out[to] = '\0';
}

/* "[page=2][label=3]" in words, in two texts: "cells.tif, page 2" and "label 3". */
static void make_title(char title[CLI_TITLE_MAX], char part[CLI_TITLE_MAX],
                       const char *name)
{
    const cli_name split = cli_split_name(name);
    const char *at = split.parts;
    size_t n_title = split.array != NULL ? (size_t)(at - split.base) : split.n_base;
    shorten(title, split.base, n_title);
    part[0] = '\0';
    while (*at == '[') {
        size_t n_key = strcspn(at, "="), n = strcspn(at, "]");
        int is_of_image = strncmp(at, "[page", 5) == 0 || strncmp(at, "[files", 6) == 0;
        char *to = is_of_image ? title : part;
        size_t used = strlen(to);
        const char *comma = used > 0 ? ", " : "";
        int n_value = (int)(n - n_key - 1);
        if (strncmp(at, "[files", 6) == 0)
            snprintf(to + used, CLI_TITLE_MAX - used, "%s%.*s files", comma, n_value,
                     at + n_key + 1);
        else
            snprintf(to + used, CLI_TITLE_MAX - used, "%s%.*s %.*s", comma,
                     (int)n_key - 1, at + 1, n_value, at + n_key + 1);
        at += n + 1;
    }
}

/* Micrometres, which files write without their letter. */
static const char *name_of_unit(const char *unit)
{
    int is_micro =
        unit != NULL && (strcmp(unit, "um") == 0 || strcmp(unit, "micron") == 0);
    return is_micro ? "\xC2\xB5m" : unit;
}

cli_plot_unit cli_unit_of(const rug_image *image)
{
    const double *d = image->spacing;
    cli_plot_unit pixels = {NULL, 0};
    if (image->spacing_unit == NULL || !(d[0] > 0) || !isfinite(d[0]))
        return pixels;
    for (int a = 1; a < image->ndim; a++)
        if (!(fabs(d[a] - d[0]) <= 1e-6 * d[0]))
            return pixels;
    return (cli_plot_unit){image->spacing_unit, d[0]};
}

/* ---- Sheets ---- */

/* Of what is kept, by whichever worker. */
static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;

/* The title with the folder in front that the file lies in. */
static char *put_in_folder(const char *name, const char *title)
{
    const char *base = cli_split_name(name).base, *at = base;
    while (at > name && at[-1] == '/')
        at--;
    while (at > name && at[-1] != '/')
        at--;
    size_t n_folder = (size_t)(base - at), n = n_folder + strlen(title) + 1;
    char *out = malloc(n);
    if (out != NULL)
        snprintf(out, n, "%.*s%s", (int)n_folder, at, title);
    return out;
}

static void free_kept(cli_kept_sheet *kept)
{
    if (kept == NULL)
        return;
    cli_plot_free_pool(&kept->pool);
    free(kept->in_folder);
    free(kept);
}

/* Puts a sheet behind the others, or frees it. @return whether there was memory */
static int put_behind(cli_plots *plots, cli_kept_sheet *kept)
{
    pthread_mutex_lock(&keeping);
    cli_kept_sheet **more = kept->in_folder != NULL
                                ? realloc(plots->sheets, (plots->n + 1) * sizeof *more)
                                : NULL;
    if (more != NULL) {
        kept->place = plots->n_ever++;
        plots->sheets = more;
        more[plots->n++] = kept;
    }
    pthread_mutex_unlock(&keeping);
    if (more == NULL)
        free_kept(kept);
    return more != NULL;
}

static rug_status keep(cli_run *run, cli_plots *plots, const char *name,
                       const cli_plot_sheet *sheet)
{
    cli_kept_sheet *kept = calloc(1, sizeof *kept);
    if (kept != NULL) {
        kept->input = run->input;
        kept->page = run->page;
        if (cli_plot_copy(&kept->pool, &kept->sheet, sheet))
            kept->in_folder = put_in_folder(name, sheet->title);
    }
    return kept != NULL && put_behind(plots, kept)
               ? RUG_OK
               : rug_context_fail(run->ctx, RUG_E_NOMEM, "--plot: out of memory");
}

rug_status cli_draw(cli_run *run, cli_plots *plots, const char *name,
                    const cli_plot_sheet *sheet)
{
    char path[CLI_PATH_MAX], title[CLI_TITLE_MAX], part[CLI_TITLE_MAX];
    cli_plot_sheet named = *sheet;
    if (plots->asked == NULL)
        return RUG_OK;
    if (sheet->title == NULL) {
        make_title(title, part, name);
        named.title = title;
        named.part = part[0] != '\0' ? part : NULL;
    }
    named.unit.name = name_of_unit(sheet->unit.name);
    if (plots->is_joined)
        return keep(run, plots, name, &named);
    rug_status status =
        cli_claim(run, &plots->outputs, path, "plot", plots->asked, name, "");
    return status == RUG_OK ? cli_plot_write(run->ctx, path, 1, &named) : status;
}

/* ---- Other processes ---- */

/* Writes a sheet, which is gone then. @return whether there was memory */
static int save_sheet(FILE *out, cli_kept_sheet *kept)
{
    cli_plot_pool pool = {.save = out};
    cli_plot_sheet copy;
    size_t n = strlen(kept->in_folder) + 1;
    fputc(1, out);
    fwrite(&kept->page, sizeof kept->page, 1, out);
    fwrite(&n, sizeof n, 1, out);
    fwrite(kept->in_folder, 1, n, out);
    int is_saved = cli_plot_copy(&pool, &copy, &kept->sheet);
    cli_plot_free_pool(&pool);
    free_kept(kept);
    return is_saved;
}

int cli_save_sheets(FILE *out, const cli_run *run, void *user)
{
    cli_plots *plots = user;
    size_t n = 0;
    int is_saved = 1;
    pthread_mutex_lock(&keeping);
    for (size_t i = 0; i < plots->n; i++)
        if (plots->sheets[i]->input == run->input)
            is_saved &= save_sheet(out, plots->sheets[i]);
        else
            plots->sheets[n++] = plots->sheets[i];
    plots->n = n;
    pthread_mutex_unlock(&keeping);
    fputc(0, out);
    return is_saved;
}

/* @return NULL: there is no memory */
static cli_kept_sheet *load_sheet(cli_bytes *bytes)
{
    cli_kept_sheet *kept = calloc(1, sizeof *kept);
    size_t n;
    if (kept == NULL)
        return NULL;
    cli_take_bytes(bytes, &kept->page, sizeof kept->page);
    cli_take_bytes(bytes, &n, sizeof n);
    kept->in_folder = !bytes->is_short ? malloc(n) : NULL;
    if (kept->in_folder != NULL)
        cli_take_bytes(bytes, kept->in_folder, n);
    kept->pool.load = bytes;
    if (kept->in_folder == NULL || bytes->is_short ||
        !cli_plot_copy(&kept->pool, &kept->sheet, NULL)) {
        free_kept(kept);
        return NULL;
    }
    kept->pool.load = NULL;
    return kept;
}

void cli_load_sheets(const cli_run *run, cli_bytes *bytes, void *user)
{
    char is_more;
    for (cli_take_bytes(bytes, &is_more, 1); is_more && !bytes->is_short;
         cli_take_bytes(bytes, &is_more, 1)) {
        cli_kept_sheet *kept = load_sheet(bytes);
        if (kept != NULL)
            kept->input = run->input;
        bytes->is_short |= kept == NULL || !put_behind(user, kept);
    }
}

rug_status cli_end_sheets(cli_run *run, cli_plots *plots, rug_status status)
{
    size_t n = 0;
    if (status == RUG_OK || !plots->is_joined)
        return status;
    pthread_mutex_lock(&keeping);
    for (size_t i = 0; i < plots->n; i++) {
        cli_kept_sheet *kept = plots->sheets[i];
        if (kept->input == run->input && kept->page == run->page)
            free_kept(kept);
        else
            plots->sheets[n++] = kept;
    }
    plots->n = n;
    pthread_mutex_unlock(&keeping);
    return status;
}

/* In the order of the inputs; of one they come in order. */
static int by_input(const void *a, const void *b)
{
    const cli_kept_sheet *x = *(cli_kept_sheet *const *)a,
                         *y = *(cli_kept_sheet *const *)b;
    if (x->input != y->input)
        return x->input < y->input ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static int by_title(const void *a, const void *b)
{
    const cli_kept_sheet *x = *(cli_kept_sheet *const *)a,
                         *y = *(cli_kept_sheet *const *)b;
    int order = strcmp(x->sheet.title, y->sheet.title);
    return order != 0 ? order : by_input(a, b);
}

/* Files of one name, in different folders, are told apart by them. */
static void tell_apart(cli_plots *plots)
{
    int are_alike = 0;
    qsort(plots->sheets, plots->n, sizeof(cli_kept_sheet *), by_title);
    for (size_t i = 1; i < plots->n; i++) {
        const cli_kept_sheet *a = plots->sheets[i - 1], *b = plots->sheets[i];
        are_alike |= a->input != b->input && strcmp(a->sheet.title, b->sheet.title) == 0;
    }
    for (size_t i = 0; are_alike && i < plots->n; i++)
        plots->sheets[i]->sheet.title = plots->sheets[i]->in_folder;
}

static rug_status draw_all(cli_run *run, cli_plots *plots)
{
    cli_plot_sheet *sheets = calloc(plots->n, sizeof *sheets);
    if (sheets == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "--plot: out of memory");
    tell_apart(plots);
    qsort(plots->sheets, plots->n, sizeof(cli_kept_sheet *), by_input);
    for (size_t i = 0; i < plots->n; i++)
        sheets[i] = plots->sheets[i]->sheet;
    rug_status status = cli_plot_write(run->ctx, plots->asked, plots->n, sheets);
    free(sheets);
    return status;
}

void cli_end_plots(cli_run *run, cli_plots *plots)
{
    if (!plots->is_joined || run->interrupted || run->writing.is_stopped)
        return;
    cli_clear_progress(run);
    if (plots->n == 0)
        cli_print(run->err,
                  "rugose: warning: --plot: there is nothing to draw, so %s is not "
                  "written\n",
                  plots->asked);
    else if (draw_all(run, plots) != RUG_OK)
        cli_fail(run, rug_context_error(run->ctx));
}

void cli_free_plots(cli_plots *plots)
{
    for (size_t i = 0; i < plots->n; i++)
        free_kept(plots->sheets[i]);
    free(plots->sheets);
    cli_free_outputs(&plots->outputs);
}
