/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Opens a page of a TIFF file or a resolution level of it, and finds what pages and
 * volumes have in common: levels, spacing, white-is-zero. Pixels come through libvips. */

#include "tiff_reader.h"
#include "tiff_job.h"
#include <string.h>
#include <tiffio.h>

const rugi_tiff_page *rugi_tiff_asked_level(const rugi_tiff_job *job)
{
    return &job->levels.levels[job->opts.level];
}

rug_status rugi_tiff_find_levels(rug_context *ctx, rug_file *file, rugi_tiff_job *job,
                                 size_t page)
{
    rug_status status = rugi_tiff_read_levels(ctx, file, &job->facts, page, &job->levels);
    if (status != RUG_OK)
        return status;
    file->facts.n_levels = (int)job->levels.n_levels;
    file->facts.level = job->opts.level;
    return rugi_check_level(ctx, file, job->opts.level);
}

/** libvips inverts unsigned values; in others "white is zero" has no agreed meaning. */
static void note_white(rug_context *ctx, rug_file *file, const rugi_tiff_page *page)
{
    if (page->photometric != PHOTOMETRIC_MINISWHITE)
        return;
    if (page->format == SAMPLEFORMAT_UINT)
        file->facts.white_is_zero = 1;
    else
        rug_context_warn(
            ctx, "%s: says that white is 0, but its values are %s; they are kept",
            file->path, page->format == SAMPLEFORMAT_INT ? "signed" : "floating point");
}

/** What the file says about the distance of full-size pixels, slowest axis first.
 * Resolutions per inch are those of screens and printers: not believed. */
static void find_spacing(const rugi_tiff_text *text, const rugi_tiff_page *full,
                         double spacing[3], char unit[RUGI_UNIT_MAX])
{
    double factor = 10; /* from 1/cm to mm */
    memcpy(spacing, text->spacing, sizeof text->spacing);
    memcpy(unit, text->unit, sizeof text->unit);
    if (text->writer == RUGI_TIFF_OME)
        return;
    if (rugi_normalise_unit(unit, &factor))
        spacing[0] *= factor;
    else if (full->unit == RESUNIT_CENTIMETER) {
        spacing[0] = 0;
        memcpy(unit, "mm", 3);
    } else
        factor = spacing[0] = 0;
    for (int i = 0; i < 2; i++)
        spacing[1 + i] = full->per_unit[i] > 0 ? factor / full->per_unit[i] : 0;
}

static void set_spacing(rug_file *file, const rugi_tiff_job *job,
                        const rugi_tiff_page *full)
{
    const rugi_tiff_page *level = rugi_tiff_asked_level(job);
    char unit[RUGI_UNIT_MAX];
    double spacing[3];
    find_spacing(&job->text, full, spacing, unit);
    spacing[1] *= (double)full->height / (double)level->height;
    spacing[2] *= (double)full->width / (double)level->width;
    if (file->facts.n_planes > 1)
        spacing[0] = 0;
    rugi_file_set_spacing(file, file->image.ndim == 2 ? spacing + 1 : spacing, unit);
}

void rugi_tiff_set_facts(rug_context *ctx, rug_file *file, const rugi_tiff_job *job,
                         size_t page)
{
    note_white(ctx, file, rugi_tiff_asked_level(job));
    set_spacing(file, job, &job->facts.directories[job->facts.pages[page]]);
}

void rugi_tiff_set_part(rugi_tiff_job *job, const rugi_tiff_page *first, size_t n_pages)
{
    job->pixels.part =
        (rugi_vips_part){"tiffload", first->directory, (int)n_pages, 0, first->subifd};
}

rug_status rugi_tiff_open_first(rug_context *ctx, rug_file *file, rugi_tiff_job *job,
                                size_t n_pages, int channel)
{
    rugi_pixels *pixels = &job->pixels;
    const rugi_tiff_page *level = rugi_tiff_asked_level(job);
    rug_status status = rugi_vips_open(ctx, file, &pixels->part, &pixels->image);
    if (status == RUG_OK)
        status = rugi_pixels_begin(ctx, file, pixels, level->n_alpha, channel);
    if (status != RUG_OK || ((size_t)pixels->width == level->width &&
                             (size_t)pixels->height == level->height * n_pages))
        return status;
    return rug_context_fail(
        ctx, RUG_E_FORMAT, "%s: %zu x %ux%u pixels expected, but libvips sees %dx%d",
        file->path, n_pages, level->height, level->width, pixels->height, pixels->width);
}

static rug_status open_page(rug_context *ctx, rug_file *file, rugi_tiff_job *job)
{
    size_t i = job->opts.page > 0 ? (size_t)job->opts.page : 0;
    rug_status status = rugi_check_page(ctx, file, job->opts.page);
    if (status == RUG_OK)
        status = rugi_tiff_find_levels(ctx, file, job, i);
    if (status != RUG_OK)
        return status;
    file->facts.page = (int)i;
    const rugi_tiff_page *level = rugi_tiff_asked_level(job);
    rugi_tiff_set_part(job, level, 1);
    status = rugi_tiff_check_page(ctx, file, level, 1);
    if (status == RUG_OK)
        status = rugi_tiff_open_first(ctx, file, job, 1, rugi_asked_channel(&job->opts));
    if (status == RUG_OK)
        status = rugi_pixels_set_image(ctx, file, &job->pixels);
    if (status != RUG_OK)
        return status;
    rugi_tiff_set_facts(ctx, file, job, i);
    return RUG_OK;
}

static rug_status read_tiff(rug_context *ctx, rug_file *file, void *to, size_t first,
                            size_t n)
{
    rugi_tiff_job *job = file->slabs.state;
    rug_status status = rugi_vips_start(ctx);
    if (status != RUG_OK)
        return status;
    unsigned hush = rugi_vips_hush();
    if (job->slices != NULL)
        status = rugi_tiff_read_slices(ctx, file, to, first, n);
    else
        status = rugi_pixels_read_layers(ctx, file, &job->pixels, to, first, n);
    rugi_vips_unhush(hush);
    return status;
}

static void close_tiff(rug_context *ctx, void *state)
{
    rugi_tiff_job *job = state;
    rugi_pixels_close(&job->pixels);
    rug_context_release(ctx, job->slices);
    rug_context_release(ctx, job->levels.levels);
    rugi_tiff_facts_free(ctx, &job->facts);
    rug_context_release(ctx, job);
}

rug_status rugi_open_tiff(rug_context *ctx, rug_file *file, const rug_read_options *opts)
{
    rugi_tiff_job *job = rug_context_allocate(ctx, 1, sizeof *job, file->path);
    if (job == NULL)
        return RUG_E_NOMEM;
    memset(job, 0, sizeof *job);
    job->opts = *opts;
    file->slabs = (rugi_slabs){.read = read_tiff, .close = close_tiff, .state = job};
    rug_status status = rugi_tiff_read_facts(ctx, file, &job->facts);
    if (status != RUG_OK)
        return status;
    rugi_tiff_parse_text(&job->text, job->facts.description);
    file->facts.n_pages = (int)job->facts.n_pages;
    return opts->volume ? rugi_tiff_open_volume(ctx, file, job)
                        : open_page(ctx, file, job);
}
