/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What goes with a picture besides its pixels: taken from a file, and given to one. */

#include "notes.h"
#include <rugose/picture.h>
#include <stdio.h>
#include <string.h>

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
    r->as_stored =
        carries && v->orientation == 0 && !v->strip; /* else it would be lost */
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
    cli_warn(run, "left out, as only streams of version 3 hold it: %s%s%s",
             alpha != RUG_ALPHA_NONE ? "alpha" : "",
             alpha != RUG_ALPHA_NONE && text[0] != '\0' ? ", " : "", text);
}

/* Whether a profile is one of colours of which only one is coded. */
static int is_of_more(const rug_ifs_notes *notes, const rug_file_facts *facts)
{
    return notes->icc_size > 0 && facts->channel >= 0 && facts->n_channels > 1;
}

/* What options ask for. */
static void leave_out(rug_ifs_notes *out, const cli_notes_values *v)
{
    if (v->no_profile || v->strip) {
        out->icc = NULL;
        out->icc_size = 0;
    }
    if (v->strip) {
        out->spacing[0] = out->spacing[1] = 0;
        out->unit[0] = '\0';
        out->orientation = 0;
    }
}

rug_status cli_take_notes(cli_run *run, rug_ifs_notes *out, const cli_image *image,
                          const rug_ifs_options *options, const cli_notes_values *v)
{
    rug_alpha alpha;
    const rug_file_facts *facts = image->facts;
    rug_status status = cli_file_notes(run, out, &alpha, image);
    if (status != RUG_OK)
        return status;
    leave_out(out, v);
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
        cli_warn(
            run,
            "alpha is left out: of the formats written here only PNG and TIFF hold it");
        n_planes = cli_n_colours(n_planes);
    }
    rug_status status = cli_picture_planes(run, planes, picture);
    return status == RUG_OK
               ? rug_picture_write_notes(run->ctx, path, planes, n_planes, &notes)
               : status;
}
