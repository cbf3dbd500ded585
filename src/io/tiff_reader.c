/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads a page of a TIFF file, a resolution level of it, or the pages as slices of a
 * volume; pixels come through libvips. Levels and masks are never slices. How pages are
 * assigned to channels and slices is taken from ImageJ and OME-XML descriptions. */

#include "tiff_reader.h"
#include "tiff_facts.h"
#include "tiff_text.h"
#include "vips_library.h"
#include "vips_pixels.h"
#include <string.h>
#include <tiffio.h>

/** A TIFF file that is being read. */
typedef struct tiff_job {
    const rug_read_options *opts;
    rugi_tiff_facts facts;
    rugi_tiff_text text;
    rugi_tiff_levels levels; /* of the page, or of the first slice */
    ptrdiff_t *slices;       /* slice of each page, -1 = none; NULL for a page alone */
    size_t n_slices;
} tiff_job;

static const rugi_tiff_page *page_at(const tiff_job *job, size_t i)
{
    return &job->facts.directories[job->facts.pages[i]];
}

/** The level that is asked, of the page or of the first slice. */
static const rugi_tiff_page *asked_level(const tiff_job *job)
{
    return &job->levels.levels[job->opts->level];
}

/** Where the asked level of page i lies; the other pages are laid out like the first
 * slice. */
static rugi_tiff_page level_at(const tiff_job *job, size_t first, size_t i)
{
    const rugi_tiff_page *level = asked_level(job);
    const rugi_tiff_facts *facts = &job->facts;
    size_t behind = (size_t)level->directory - facts->pages[first];
    size_t directory = facts->pages[i] + behind;
    rugi_tiff_page page =
        facts->directories[directory < facts->n_directories ? directory : 0];
    if (level->subifd >= 0) { /* libvips compares the sub-directories */
        page = *level;
        page.directory = (int)directory;
    }
    return page;
}

static int same_pixels(const rugi_tiff_page *a, const rugi_tiff_page *b)
{
    return a->width == b->width && a->height == b->height && a->bits == b->bits &&
           a->samples == b->samples && a->format == b->format &&
           a->photometric == b->photometric && a->n_alpha == b->n_alpha &&
           a->is_reduced == b->is_reduced;
}

static int same_layout(const rugi_tiff_page *a, const rugi_tiff_page *b)
{
    return a->compression == b->compression && a->block[0] == b->block[0] &&
           a->block[1] == b->block[1] && a->is_planar == b->is_planar &&
           a->orientation == b->orientation;
}

static rug_status find_levels(rug_context *ctx, rug_file *file, tiff_job *job,
                              size_t page)
{
    rug_status status = rugi_tiff_read_levels(ctx, file, &job->facts, page, &job->levels);
    if (status != RUG_OK)
        return status;
    file->facts.n_levels = (int)job->levels.n_levels;
    file->facts.level = job->opts->level;
    return rugi_check_level(ctx, file, job->opts->level);
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

static void set_spacing(rug_file *file, const tiff_job *job, const rugi_tiff_page *full)
{
    const rugi_tiff_page *level = asked_level(job);
    char unit[RUGI_UNIT_MAX];
    double spacing[3];
    find_spacing(&job->text, full, spacing, unit);
    spacing[1] *= (double)full->height / (double)level->height;
    spacing[2] *= (double)full->width / (double)level->width;
    rugi_file_set_spacing(file, file->image.ndim == 2 ? spacing + 1 : spacing, unit);
}

/** Opens pages that follow each other, and chooses their bands. */
static rug_status open_run(rug_context *ctx, rug_file *file, const rugi_tiff_page *first,
                           size_t n_pages, int channel, VipsImage **image,
                           rugi_bands *bands)
{
    const rugi_vips_part part = {"tiffload", first->directory, (int)n_pages, 0,
                                 first->subifd};
    rug_status status = rugi_vips_open(ctx, file, &part, image);
    if (status != RUG_OK)
        return status;
    VipsImage *decoded;
    if (vips_image_decode(*image, &decoded) != 0) /* CIELAB and LogLuv come packed */
        return rugi_vips_fail(ctx, file, "cannot be read");
    g_object_unref(*image);
    *image = decoded;
    return rugi_choose_bands(ctx, file, decoded, first->n_alpha, channel, bands);
}

static rug_status read_page(rug_context *ctx, rug_file *file, tiff_job *job)
{
    size_t i = job->opts->page > 0 ? (size_t)job->opts->page : 0;
    VipsImage *image = NULL;
    rugi_bands bands;
    rug_status status = rugi_check_page(ctx, file, job->opts->page);
    if (status == RUG_OK)
        status = find_levels(ctx, file, job, i);
    if (status != RUG_OK)
        return status;
    file->facts.page = (int)i;
    const rugi_tiff_page *level = asked_level(job);
    const size_t shape[2] = {level->height, level->width};
    const rugi_rows rows = {level->height, NULL, 0, 1};
    status = rugi_tiff_check_page(ctx, file, level, 1);
    if (status == RUG_OK)
        status = open_run(ctx, file, level, 1, job->opts->channel, &image, &bands);
    if (status == RUG_OK)
        status = rugi_file_make_cells(ctx, file, bands.dtype, 2, shape);
    if (status == RUG_OK)
        status = rugi_pull_pixels(ctx, file, image, &bands, &rows);
    if (status == RUG_OK) {
        note_white(ctx, file, level);
        set_spacing(file, job, page_at(job, i));
    }
    VIPS_UNREF(image);
    return status;
}

/** Checks what ImageJ or OME-XML say about the pages.
 *  @param believed  0 when they say nothing that can be used */
static rug_status check_text(rug_context *ctx, const rug_file *file, const tiff_job *job,
                             int *believed)
{
    const rugi_tiff_text *t = &job->text;
    const char *writer = t->writer == RUGI_TIFF_OME ? "OME-XML" : "ImageJ";
    uint64_t planes = 1;
    int fits = rugi_multiply(&planes, (uint64_t)t->n_channels, (uint64_t)t->n_slices) &&
               rugi_multiply(&planes, planes, (uint64_t)t->n_times);
    *believed = t->writer != RUGI_TIFF_PLAIN && fits && planes == job->facts.n_pages;
    if (t->writer == RUGI_TIFF_IMAGEJ && !*believed && job->facts.n_pages == 1)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: an ImageJ stack whose slices have no pages of their own (as "
            "for more than 4 GiB); save it as OME-TIFF or NIfTI",
            file->path);
    if (t->n_times > 1)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: %d channels x %d slices x %d times (%s): pages of different "
            "times are no volume; choose a page with --page",
            file->path, t->n_channels, t->n_slices, t->n_times, writer);
    if (t->has_own_order || (!*believed && t->n_channels > 1))
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: %s assigns the %zu pages to slices in a way that is not "
            "understood; choose a page with --page",
            file->path, writer, job->facts.n_pages);
    if (t->writer != RUGI_TIFF_PLAIN && !*believed)
        rug_context_warn(ctx,
                         "%s: %s says %d slices, but there are %zu pages; all are taken",
                         file->path, writer, t->n_slices, job->facts.n_pages);
    return RUG_OK;
}

/** Checks the channel that is asked of a stack whose channels are pages. */
static rug_status check_page_channel(rug_context *ctx, rug_file *file,
                                     const tiff_job *job)
{
    const rugi_tiff_text *t = &job->text;
    file->facts.n_channels = t->n_channels;
    if (job->opts->channel >= 0)
        return rugi_check_channel(ctx, file, job->opts->channel);
    return rug_context_fail(
        ctx, RUG_E_ARG, "%s: %d channels x %d slices: choose one with --channel 0..%d",
        file->path, t->n_channels, t->n_slices, t->n_channels - 1);
}

/** Decides which page is which slice.
 *  @param band_channel  the channel to be taken within a page */
static rug_status assign_slices(rug_context *ctx, rug_file *file, tiff_job *job,
                                int *band_channel)
{
    const rugi_tiff_text *t = &job->text;
    size_t n = job->facts.n_pages;
    int believed;
    rug_status status = check_text(ctx, file, job, &believed);
    int by_page = believed && t->n_channels > 1;
    if (status == RUG_OK && by_page)
        status = check_page_channel(ctx, file, job);
    if (status != RUG_OK)
        return status;
    job->slices = rug_context_allocate(ctx, n, sizeof *job->slices, file->path);
    if (job->slices == NULL)
        return RUG_E_NOMEM;
    *band_channel = by_page ? -1 : job->opts->channel;
    job->n_slices = by_page ? (size_t)t->n_slices : n;
    for (size_t i = 0; i < n; i++)
        job->slices[i] = by_page ? -1 : (ptrdiff_t)i;
    for (size_t z = 0; by_page && z < job->n_slices; z++)
        job->slices[rugi_tiff_page_of(t, z, (size_t)job->opts->channel, 0)] =
            (ptrdiff_t)z;
    return RUG_OK;
}

/** All slices must have the size and type of the first. */
static rug_status check_slices(rug_context *ctx, const rug_file *file,
                               const tiff_job *job, size_t first)
{
    const rugi_tiff_page *level = asked_level(job);
    for (size_t i = 0; i < job->facts.n_pages; i++) {
        rugi_tiff_page page = level_at(job, first, i);
        if (job->slices[i] < 0 || (same_pixels(level, &page) &&
                                   same_pixels(page_at(job, first), page_at(job, i))))
            continue;
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: page %zu (%ux%u, %d samples of %d bits) differs from page %zu "
            "(%ux%u, %d samples of %d bits): no volume; choose with --page",
            file->path, i, page.height, page.width, page.samples, page.bits, first,
            level->height, level->width, level->samples, level->bits);
    }
    return rugi_tiff_check_page(ctx, file, level, job->n_slices);
}

/** How many pages from i on libvips can read in one go: neighbours in the chain that are
 * laid out alike, ended by a slice. */
static size_t run_length(const tiff_job *job, size_t first, size_t i)
{
    rugi_tiff_page begin = level_at(job, first, i);
    size_t most = (VIPS_MAX_COORD - 1) / begin.height;
    size_t n = 1;
    for (size_t k = 1; k < most && i + k < job->facts.n_pages; k++) {
        rugi_tiff_page page = level_at(job, first, i + k);
        if (page.directory != begin.directory + (int)k || !same_pixels(&begin, &page) ||
            !same_layout(&begin, &page))
            break;
        if (job->slices[i + k] >= 0)
            n = k + 1;
    }
    return n;
}

/** Reads the slices among n pages from i on. The first run gives the file its cells. */
static rug_status read_run(rug_context *ctx, rug_file *file, const tiff_job *job,
                           size_t first, size_t i, size_t n, int channel)
{
    rugi_tiff_page begin = level_at(job, first, i);
    const size_t shape[3] = {job->n_slices, begin.height, begin.width};
    double all = (double)job->facts.n_pages;
    const rugi_rows rows = {begin.height, job->slices + i, (double)i / all,
                            (double)(i + n) / all};
    VipsImage *image = NULL;
    rugi_bands bands;
    int equal = file->cells == NULL || file->facts.equal_channels;
    rug_status status = open_run(ctx, file, &begin, n, channel, &image, &bands);
    if (status == RUG_OK && file->cells == NULL)
        status = rugi_file_make_cells(ctx, file, bands.dtype, 3, shape);
    file->facts.equal_channels = file->facts.equal_channels && equal;
    if (status == RUG_OK)
        status = rugi_pull_pixels(ctx, file, image, &bands, &rows);
    VIPS_UNREF(image);
    return status;
}

static rug_status read_slices(rug_context *ctx, rug_file *file, const tiff_job *job,
                              size_t first, int channel)
{
    rug_status status = check_slices(ctx, file, job, first);
    for (size_t i = first; i < job->facts.n_pages && status == RUG_OK;) {
        size_t n = job->slices[i] < 0 ? 1 : run_length(job, first, i);
        if (job->slices[i] >= 0)
            status = read_run(ctx, file, job, first, i, n, channel);
        i += n;
    }
    return status;
}

static rug_status read_volume(rug_context *ctx, rug_file *file, tiff_job *job)
{
    int channel;
    size_t first = 0;
    if (job->opts->page >= 0)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: page %d and a volume of all pages are asked; one of them "
            "expected",
            file->path, job->opts->page);
    rug_status status = assign_slices(ctx, file, job, &channel);
    if (status != RUG_OK)
        return status;
    while (job->slices[first] < 0)
        first++;
    status = find_levels(ctx, file, job, first);
    if (status == RUG_OK)
        status = read_slices(ctx, file, job, first, channel);
    if (status != RUG_OK)
        return status;
    file->facts.page = -1;
    if (channel != job->opts->channel) { /* channels are pages */
        file->facts.n_channels = job->text.n_channels;
        file->facts.channel = job->opts->channel;
    }
    note_white(ctx, file, asked_level(job));
    set_spacing(file, job, page_at(job, first));
    return RUG_OK;
}

rug_status rugi_read_tiff(rug_context *ctx, rug_file *file, const rug_read_options *opts)
{
    tiff_job job = {.opts = opts};
    rug_status status = rugi_tiff_read_facts(ctx, file, &job.facts);
    if (status != RUG_OK)
        return status;
    rugi_tiff_parse_text(&job.text, job.facts.description);
    file->facts.n_pages = (int)job.facts.n_pages;
    status = opts->volume ? read_volume(ctx, file, &job) : read_page(ctx, file, &job);
    rug_context_release(ctx, job.slices);
    rug_context_release(ctx, job.levels.levels);
    rugi_tiff_facts_free(ctx, &job.facts);
    return status;
}
