/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The pages of a TIFF file as slices of a volume. Levels and masks are never slices. How
 * pages are assigned to channels and slices is taken from ImageJ and OME-XML
 * descriptions. */

#include "tiff_job.h"

static const rugi_tiff_page *page_at(const rugi_tiff_job *job, size_t i)
{
    return &job->facts.directories[job->facts.pages[i]];
}

/** Where the asked level of page i lies; the other pages are laid out like the first
 * slice. */
static rugi_tiff_page level_at(const rugi_tiff_job *job, size_t i)
{
    size_t first = job->slices[0];
    const rugi_tiff_page *level = rugi_tiff_asked_level(job);
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

/** Checks what ImageJ or OME-XML say about the pages.
 *  @param believed  0 when they say nothing that can be used */
static rug_status check_text(rug_context *ctx, const rug_file *file,
                             const rugi_tiff_job *job, int *believed)
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
                                     const rugi_tiff_job *job)
{
    const rugi_tiff_text *t = &job->text;
    file->facts.n_channels = t->n_channels;
    if (job->opts.channel >= 0)
        return rugi_check_channel(ctx, file, job->opts.channel);
    return rug_context_fail(
        ctx, RUG_E_ARG, "%s: %d channels x %d slices: choose one with --channel 0..%d",
        file->path, t->n_channels, t->n_slices, t->n_channels - 1);
}

/** Decides which page is which slice.
 *  @param band_channel  the channel to be taken within a page */
static rug_status assign_slices(rug_context *ctx, rug_file *file, rugi_tiff_job *job,
                                int *band_channel)
{
    const rugi_tiff_text *t = &job->text;
    int believed;
    rug_status status = check_text(ctx, file, job, &believed);
    int by_page = believed && t->n_channels > 1;
    if (status == RUG_OK && by_page)
        status = check_page_channel(ctx, file, job);
    if (status != RUG_OK)
        return status;
    job->n_slices = by_page ? (size_t)t->n_slices : job->facts.n_pages;
    job->slices =
        rug_context_allocate(ctx, job->n_slices, sizeof *job->slices, file->path);
    if (job->slices == NULL)
        return RUG_E_NOMEM;
    *band_channel = by_page ? -1 : job->opts.channel;
    for (size_t z = 0; z < job->n_slices; z++)
        job->slices[z] =
            by_page ? rugi_tiff_page_of(t, z, (size_t)job->opts.channel, 0) : z;
    return RUG_OK;
}

/** All slices must have the size and type of the first. */
static rug_status check_slices(rug_context *ctx, const rug_file *file,
                               const rugi_tiff_job *job)
{
    const rugi_tiff_page *level = rugi_tiff_asked_level(job);
    size_t first = job->slices[0];
    for (size_t z = 0; z < job->n_slices; z++) {
        size_t i = job->slices[z];
        rugi_tiff_page page = level_at(job, i);
        if (same_pixels(level, &page) &&
            same_pixels(page_at(job, first), page_at(job, i)))
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

/** How many pages from a slice's on libvips can read in one go: neighbours in the chain
 * that are laid out alike, ended by a slice. */
static size_t run_length(const rugi_tiff_job *job, size_t slice)
{
    size_t i = job->slices[slice], n = 1;
    rugi_tiff_page begin = level_at(job, i);
    size_t most = (VIPS_MAX_COORD - 1) / begin.height;
    for (size_t k = 1; k < most && slice + 1 < job->n_slices; k++) {
        rugi_tiff_page page = level_at(job, i + k);
        if (page.directory != begin.directory + (int)k || !same_pixels(&begin, &page) ||
            !same_layout(&begin, &page))
            break;
        if (job->slices[slice + 1] == i + k) {
            slice++;
            n = k + 1;
        }
    }
    return n;
}

/** Chooses the run that begins with a slice. */
static void set_run(rugi_tiff_job *job, size_t slice)
{
    rugi_tiff_page begin = level_at(job, job->slices[slice]);
    job->run_begin = job->slices[slice];
    job->run_pages = run_length(job, slice);
    rugi_tiff_set_part(job, &begin, job->run_pages);
}

rug_status rugi_tiff_open_volume(rug_context *ctx, rug_file *file, rugi_tiff_job *job)
{
    int channel;
    if (job->opts.page >= 0)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: page %d and a volume of all pages are asked; one of them "
            "expected",
            file->path, job->opts.page);
    rug_status status = assign_slices(ctx, file, job, &channel);
    if (status == RUG_OK)
        status = rugi_tiff_find_levels(ctx, file, job, job->slices[0]);
    if (status == RUG_OK)
        status = check_slices(ctx, file, job);
    if (status != RUG_OK)
        return status;
    const rugi_tiff_page *level = rugi_tiff_asked_level(job);
    const size_t shape[3] = {job->n_slices, level->height, level->width};
    set_run(job, 0);
    status = rugi_tiff_open_first(ctx, file, job, job->run_pages, channel);
    if (status == RUG_OK)
        status = rugi_file_set_image(ctx, file, job->pixels.bands.dtype, 3, shape);
    if (status != RUG_OK)
        return status;
    file->facts.page = -1;
    if (channel != job->opts.channel) { /* channels are pages */
        file->facts.n_channels = job->text.n_channels;
        file->facts.channel = job->opts.channel;
    }
    rugi_tiff_set_facts(ctx, file, job, job->slices[0]);
    return RUG_OK;
}

/** Opens the run that begins with a slice, unless the slice is still to come in the open
 * one. */
static rug_status enter_run(rug_context *ctx, rug_file *file, rugi_tiff_job *job,
                            size_t slice)
{
    rugi_pixels *pixels = &job->pixels;
    size_t page = job->slices[slice];
    int inside = page >= job->run_begin && page - job->run_begin < job->run_pages;
    int is_new_pass = slice == 0 && pixels->next != 0;
    if (pixels->image != NULL && inside && !is_new_pass)
        return RUG_OK;
    set_run(job, slice);
    pixels->height = (int)(rugi_tiff_asked_level(job)->height * job->run_pages);
    return rugi_pixels_open(ctx, file, pixels);
}

/** How many slices from `slice` on, below `end`, stand below each other in the run. */
static size_t neighbours(const rugi_tiff_job *job, size_t slice, size_t end)
{
    size_t n = 1, behind = job->run_begin + job->run_pages;
    while (slice + n < end && job->slices[slice + n] == job->slices[slice] + n &&
           job->slices[slice + n] < behind)
        n++;
    return n;
}

rug_status rugi_tiff_read_slices(rug_context *ctx, rug_file *file, unsigned char *to,
                                 size_t first, size_t n)
{
    rugi_tiff_job *job = file->slabs.state;
    size_t height = rugi_tiff_asked_level(job)->height,
           bytes = (size_t)file->image.stride[0];
    rug_status status = RUG_OK;
    for (size_t z = first; status == RUG_OK && z < first + n;) {
        if ((status = enter_run(ctx, file, job, z)) != RUG_OK)
            break;
        size_t k = neighbours(job, z, first + n);
        const rugi_rows rows = {(job->slices[z] - job->run_begin) * height, k * height,
                                to + (z - first) * bytes, (double)(z - first) / (double)n,
                                (double)(z - first + k) / (double)n};
        status = rugi_pixels_read(ctx, file, &job->pixels, &rows);
        z += k;
    }
    return status;
}
