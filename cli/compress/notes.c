/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What goes with a picture besides its pixels: taken from a file, told, and given to a file. */

#include "notes.h"
#include "profile_name.h"
#include <rugose/picture.h>
#include <stdio.h>
#include <string.h>

void cli_describe_notes(cli_record *p, const cli_notes_values *v)
{
    cli_record_set_text(p, "orientation", v->orientation ? "apply" : "keep");
    cli_record_set_bool(p, "profile", !v->no_profile);
    cli_record_set_bool(p, "alpha", !v->no_alpha);
}

/* ---- From files ---- */

/* Streams before version 3 have no place for anything but pixels. */
static int can_carry(const rug_ifs_options *o)
{
    return o->partition == RUG_IFS_QUADTREE && !o->without_residual &&
           (o->version == 0 || o->version >= 3);
}

void cli_ask_notes(cli_run *run, const rug_ifs_options *options,
                   const cli_notes_values *v)
{
    cli_reading *r = &run->reading;
    int carries = can_carry(options);
    r->notes = 1;
    r->alpha = carries && !v->no_alpha;
    r->as_stored = carries && v->orientation == 0; /* else it would be lost */
}

static int is_unit(const char *unit)
{
    size_t n = strlen(unit);
    for (size_t i = 0; i < n; i++)
        if (unit[i] <= ' ' || unit[i] > '~')
            return 0;
    return n < RUG_IFS_UNIT_MAX;
}

/* One distance that is not known leaves the other without a use. */
static void take_spacing(rug_ifs_notes *out, const rug_file_notes *file)
{
    if (!(file->spacing[0] > 0 && file->spacing[1] > 0) ||
        (file->unit != NULL && !is_unit(file->unit)))
        return;
    memcpy(out->spacing, file->spacing, sizeof out->spacing);
    snprintf(out->unit, sizeof out->unit, "%s", file->unit != NULL ? file->unit : "");
}

rug_status cli_file_notes(cli_run *run, rug_ifs_notes *out, rug_alpha *alpha,
                          const cli_image *image)
{
    rug_file_notes file = RUG_FILE_NOTES_INIT;
    *out = (rug_ifs_notes)RUG_IFS_NOTES_INIT;
    rug_status status = rug_file_read_notes(run->ctx, &file, image->file);
    if (status != RUG_OK)
        return status;
    out->icc = file.icc;
    out->icc_size = file.icc_size;
    out->orientation = file.orientation;
    out->premultiplied = file.alpha == RUG_ALPHA_PREMULTIPLIED;
    take_spacing(out, &file);
    *alpha = file.alpha;
    return RUG_OK;
}

static void warn_of_loss(cli_run *run, const rug_ifs_notes *notes, rug_alpha alpha)
{
    char text[CLI_NOTES_TEXT_MAX];
    cli_notes_text(text, notes, 0, 1);
    if (text[0] == '\0' && alpha == RUG_ALPHA_NONE)
        return;
    cli_warn(run, "left out, since only streams of version 3 hold it: %s%s%s",
             alpha != RUG_ALPHA_NONE ? "alpha" : "",
             alpha != RUG_ALPHA_NONE && text[0] != '\0' ? ", " : "", text);
}

/* Whether a profile is one of colours of which only one is coded. */
static int is_of_more(const rug_ifs_notes *notes, const rug_file_facts *facts)
{
    return notes->icc_size > 0 && facts->channel >= 0 && facts->n_channels > 1;
}

rug_status cli_take_notes(cli_run *run, rug_ifs_notes *out, const cli_image *image,
                          const rug_ifs_options *options, const cli_notes_values *v)
{
    rug_alpha alpha;
    const rug_file_facts *facts = image->facts;
    rug_status status = cli_file_notes(run, out, &alpha, image);
    if (status != RUG_OK)
        return status;
    if (v->no_profile) {
        out->icc = NULL;
        out->icc_size = 0;
    }
    if (out->orientation == 1 && !facts->is_turned) /* as it is where nothing is said */
        out->orientation = 0;
    if (!can_carry(options)) {
        warn_of_loss(run, out, facts->dropped_alpha ? alpha : RUG_ALPHA_NONE);
        *out = (rug_ifs_notes)RUG_IFS_NOTES_INIT;
        return RUG_OK;
    }
    if (is_of_more(out, facts)) {
        cli_warn(run,
                 "the colour profile is left out: it is that of %d channels, of which "
                 "one is coded",
                 facts->n_channels);
        out->icc = NULL;
        out->icc_size = 0;
    }
    if (facts->dropped_alpha && !v->no_alpha)
        cli_warn(run, "alpha is left out");
    out->premultiplied = out->premultiplied && facts->n_planes % 2 == 0;
    return RUG_OK;
}

void cli_warn_of_pages(cli_run *run, const cli_image *image, const char *done)
{
    const rug_file_facts *f = image->facts;
    if (f->n_pages > 1 && run->reading.page == NULL && f->page >= 0)
        cli_warn(run, "only page %d of %d is %s; --page all takes every page", f->page,
                 f->n_pages, done);
}

/* ---- Told ---- */

static void add(char text[CLI_NOTES_TEXT_MAX], const char *more)
{
    size_t n = strlen(text);
    snprintf(text + n, CLI_NOTES_TEXT_MAX - n, "%s%s", n > 0 ? ", " : "", more);
}

/* "0.25x0.5", or once where both are one. */
static void format_pair(char text[2 * RUGI_REAL_TEXT_MAX], double rows, double columns)
{
    char other[RUGI_REAL_TEXT_MAX];
    rugi_format_real_short(text, rows);
    rugi_format_real_short(other, columns);
    if (strcmp(text, other) != 0)
        snprintf(text + strlen(text), RUGI_REAL_TEXT_MAX + 1, "x%s", other);
}

static void add_spacing(char text[CLI_NOTES_TEXT_MAX], const rug_ifs_notes *notes)
{
    char pair[2 * RUGI_REAL_TEXT_MAX], whole[2 * RUGI_REAL_TEXT_MAX + 40];
    const double *s = notes->spacing;
    if (!(s[0] > 0 && s[1] > 0))
        return;
    int is_inch = strcmp(notes->unit, "in") == 0;
    if (is_inch)
        format_pair(pair, 1 / s[0], 1 / s[1]);
    else if (notes->unit[0] != '\0')
        format_pair(pair, s[0], s[1]);
    else
        rugi_format_real_short(pair, s[0] / s[1]);
    if (notes->unit[0] == '\0')
        snprintf(whole, sizeof whole, "pixels %s times as high as wide", pair);
    else if (is_inch)
        snprintf(whole, sizeof whole, "%s dpi", pair);
    else
        snprintf(whole, sizeof whole, "spacing %s %s", pair, notes->unit);
    if (notes->unit[0] != '\0' || s[0] < s[1] || s[0] > s[1])
        add(text, whole);
}

void cli_notes_text(char text[CLI_NOTES_TEXT_MAX], const rug_ifs_notes *notes, int keeps,
                    int spacing)
{
    char name[CLI_PROFILE_NAME_MAX], part[CLI_PROFILE_NAME_MAX + 80];
    text[0] = '\0';
    if (notes->orientation > 1) {
        snprintf(part, sizeof part, "orientation %d%s", notes->orientation,
                 keeps ? " (kept)" : "");
        add(text, part);
    }
    if (notes->premultiplied)
        add(text, "colours multiplied by alpha");
    if (notes->icc_size > 0) {
        cli_profile_name(name, notes->icc, notes->icc_size);
        snprintf(part, sizeof part, "profile%s%s%s of %zu bytes",
                 name[0] != '\0' ? " '" : "", name, name[0] != '\0' ? "'" : "",
                 notes->icc_size);
        add(text, part);
    }
    if (spacing)
        add_spacing(text, notes);
}

const char *const cli_notes_columns[] = {
    "image",      "format", "shape",   "orientation",   "alpha",
    "pixel_size", "unit",   "profile", "profile_bytes", NULL};

void cli_set_notes(cli_record *row, const rug_ifs_notes *notes, rug_alpha alpha)
{
    char text[CLI_PROFILE_NAME_MAX + 2 * RUGI_REAL_TEXT_MAX];
    int has_spacing = notes->spacing[0] > 0 && notes->spacing[1] > 0;
    cli_record_set_signed(row, "orientation",
                          notes->orientation > 0 ? notes->orientation : 1);
    cli_record_set_text(row, "alpha", rug_alpha_name(alpha));
    if (has_spacing) {
        rugi_format_real_short(text, notes->spacing[0]);
        strcat(text, "x");
        rugi_format_real_short(text + strlen(text), notes->spacing[1]);
    }
    cli_record_set_text(row, "pixel_size", has_spacing ? text : NULL);
    cli_record_set_text(row, "unit", notes->unit[0] != '\0' ? notes->unit : NULL);
    cli_profile_name(text, notes->icc, notes->icc_size);
    cli_record_set_text(row, "profile", text[0] != '\0' ? text : NULL);
    cli_record_set_integer(row, "profile_bytes", notes->icc_size);
}

/* ---- Of streams ---- */

int cli_is_turned_stream(cli_run *run, const char *path)
{
    uint8_t *bytes = NULL;
    size_t n = 0;
    rug_ifs_notes notes = RUG_IFS_NOTES_INIT;
    if (!cli_is_stream(path) ||
        rug_bytes_read(run->ctx, &bytes, &n, path, CLI_STREAM_BYTES) != RUG_OK)
        return 0;
    int is_turned =
        rug_ifs_read_notes(run->ctx, &notes, bytes, n) == RUG_OK && notes.orientation > 1;
    rug_context_release(run->ctx, bytes);
    return is_turned;
}

rug_alpha cli_stream_alpha(const cli_stream *stream)
{
    if (stream->info.n_planes % 2 != 0)
        return RUG_ALPHA_NONE;
    return stream->notes.premultiplied ? RUG_ALPHA_PREMULTIPLIED : RUG_ALPHA_STRAIGHT;
}

/* ---- To files ---- */

/* Whether files of an ending hold alpha. */
static int holds_alpha(const char *path)
{
    return rugi_has_ending(path, ".png") || rugi_has_ending(path, ".tif") ||
           rugi_has_ending(path, ".tiff");
}

rug_status cli_write_decoded(cli_run *run, const char *path, const cli_stream *stream,
                             const rug_ifs_picture *picture, uint32_t coded_ny,
                             uint32_t coded_nx)
{
    rug_image planes[RUG_IFS_PLANES_MAX];
    const rug_ifs_notes *s = &stream->notes;
    int n_planes = picture->n_planes;
    rug_file_notes notes = RUG_FILE_NOTES_INIT;
    notes.icc = s->icc;
    notes.icc_size = s->icc_size;
    notes.orientation = s->orientation;
    notes.alpha = cli_stream_alpha(stream);
    notes.unit = s->unit[0] != '\0' ? s->unit : NULL;
    notes.spacing[0] = s->spacing[0] * coded_ny / picture->ny;
    notes.spacing[1] = s->spacing[1] * coded_nx / picture->nx;
    if (cli_n_colours(n_planes) < n_planes && !holds_alpha(path)) {
        cli_warn(run, "alpha is left out, which only .png and .tif files hold here");
        n_planes = cli_n_colours(n_planes);
    }
    rug_status status = cli_picture_planes(run, planes, picture);
    return status == RUG_OK
               ? rug_picture_write_notes(run->ctx, path, planes, n_planes, &notes)
               : status;
}
