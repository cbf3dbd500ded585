/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Opens a TIFF file: a page, a resolution level of it, or all pages as a volume. Pixels are
 * decoded here; rare kinds of them come through libvips. */

#include "tiff_reader.h"
#include "io/vips/vips_pixels.h"
#include "tiff_check.h"
#include "tiff_pixels.h"
#include "tiff_text.h"
#include <string.h>

/* libvips finds a page by going through all before it, again for each page: more would take minutes. */
#define VIPS_SLICES_MAX 1000

/* An opened TIFF file. */
typedef struct tiff_job {
    rug_read_options opts;
    rugi_tiff_facts facts;
    rugi_tiff_text text;
    rugi_tiff_levels levels; /* of the page, or of the first slice */
    size_t *slices; /* the page of each slice, ascending; NULL for a page alone */
    size_t n_slices;
    rugi_tiff_page
        *slice_pages;      /* the asked level of each slice; NULL for a page alone */
    rugi_bands bands;      /* those of the asked level */
    rugi_tiff_pixels *own; /* NULL when pixels come through libvips */
    rugi_pixels pixels;    /* of the page, or of a run of pages below each other */
    size_t run_begin;      /* first page of the run */
    size_t run_pages;      /* 0 = no run is open */
} tiff_job;

/* ---- What pages and volumes have in common ---- */

/* The requested level, of the page or of the first slice. */
static const rugi_tiff_page *asked_level(const tiff_job *job)
{
    return &job->levels.levels[job->opts.level];
}

/* Finds the levels of a page, and checks the requested one.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_FORMAT */
static rug_status find_levels(rug_context *ctx, rug_file *file, tiff_job *job,
                              size_t page)
{
    file->facts.level = job->opts.level;
    rug_status status = rugi_tiff_read_levels(ctx, file, &job->facts, page, &job->levels);
    if (status != RUG_OK)
        return status;
    file->facts.n_levels = (int)job->levels.n_levels;
    return rugi_check_level(ctx, file, job->opts.level);
}

/** Unsigned values are inverted; in others "white is zero" has no agreed meaning. */
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

/* The size that pixels have on Earth is taken before any resolution, and goes with a distance of slices
 * in the same unit only. */
static void prefer_place(const rugi_tiff_levels *levels, double spacing[3],
                         char unit[RUGI_UNIT_MAX])
{
    if (!(levels->spacing[0] > 0) || !(levels->spacing[1] > 0))
        return;
    if (strcmp(unit, levels->unit) != 0)
        spacing[0] = 0;
    memcpy(spacing + 1, levels->spacing, sizeof levels->spacing);
    memcpy(unit, levels->unit, sizeof levels->unit);
}

static void set_spacing(rug_file *file, const tiff_job *job, const rugi_tiff_page *full)
{
    const rugi_tiff_page *level = asked_level(job);
    char unit[RUGI_UNIT_MAX];
    double spacing[3];
    find_spacing(&job->text, full, spacing, unit);
    prefer_place(&job->levels, spacing, unit);
    file->step[0] = (double)full->height / (double)level->height;
    file->step[1] = (double)full->width / (double)level->width;
    spacing[1] *= file->step[0];
    spacing[2] *= file->step[1];
    if (file->facts.n_planes > 1)
        spacing[0] = 0;
    rugi_file_set_spacing(file, file->image.ndim == 2 ? spacing + 1 : spacing, unit);
}

/* Fills orientation, white_is_zero, spacing and place of a file whose image is set.
 *  @param page  the page, or that of the first slice */
static void set_facts(rug_context *ctx, rug_file *file, tiff_job *job, size_t page)
{
    note_white(ctx, file, asked_level(job));
    rugi_file_set_orientation(file, asked_level(job)->orientation);
    if (asked_level(job)->compression == COMPRESSION_JPEG ||
        asked_level(job)->compression == COMPRESSION_OJPEG)
        file->facts.lossy = "JPEG-compressed TIFF";
    if (asked_level(job)->as_indices)
        file->facts.meaning = "palette indices";
    set_spacing(file, job, &job->facts.directories[job->facts.pages[page]]);
    if (job->levels.is_located && job->slices == NULL)
        rugi_file_set_affine(ctx, file, "GeoTIFF", NULL, job->levels.affine);
}

/* Says which part of the file a page or a run of pages is. */
static void set_part(tiff_job *job, const rugi_tiff_page *first, size_t n_pages)
{
    job->pixels.part =
        (rugi_vips_part){"tiffload", first->directory, (int)n_pages, 0, first->subifd};
}

/* Opens the part that is set for the first time through libvips, and chooses its bands.
 *  @param n_pages  in it
 *  @return RUG_OK, RUG_E_ARG, RUG_E_FORMAT, RUG_E_UNSUPPORTED */
static rug_status open_vips(rug_context *ctx, rug_file *file, tiff_job *job,
                            size_t n_pages, int channel)
{
    rugi_pixels *pixels = &job->pixels;
    const rugi_tiff_page *level = asked_level(job);
    rug_status status = rugi_vips_start(ctx, file->path);
    if (status != RUG_OK)
        return status;
    unsigned hush = rugi_vips_hush();
    status = rugi_vips_open(ctx, file, &pixels->part, &pixels->image);
    if (status == RUG_OK)
        status = rugi_pixels_begin(ctx, file, pixels, level->n_alpha, channel);
    rugi_vips_unhush(hush);
    if (status != RUG_OK || ((size_t)pixels->width == level->width &&
                             (size_t)pixels->height == level->height * n_pages))
        return status;
    return rug_context_fail(
        ctx, RUG_E_FORMAT, "%s: %zu x %ux%u pixels expected, but libvips sees %dx%d",
        file->path, n_pages, level->height, level->width, pixels->height, pixels->width);
}

/* Chooses the bands of the asked level.
 *  @param known    its pixels are decoded here
 *  @param n_pages  of the part that libvips is to open
 *  @return as open_vips() */
static rug_status choose_bands(rug_context *ctx, rug_file *file, tiff_job *job, int known,
                               size_t n_pages, int channel)
{
    if (known)
        return rugi_tiff_pixels_open(ctx, file, &job->own, asked_level(job), channel,
                                     &job->bands);
    if (asked_level(job)->photometric == PHOTOMETRIC_PALETTE &&
        asked_level(job)->as_indices)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: a palette whose indices are no unsigned integers: save "
            "them as grey values",
            file->path);
    rug_status status = open_vips(ctx, file, job, n_pages, channel);
    job->bands = job->pixels.bands;
    return status;
}

/* ---- Volumes ----
 *
 * Pages as slices; levels and masks are never slices. How pages are assigned to channels and
 * slices is taken from ImageJ and OME-XML descriptions. */

static const rugi_tiff_page *page_at(const tiff_job *job, size_t i)
{
    return &job->facts.directories[job->facts.pages[i]];
}

/** Where the asked level of page i lies; the other pages are laid out like the first
 * slice. */
static rugi_tiff_page level_at(const tiff_job *job, size_t i)
{
    size_t first = job->slices[0];
    const rugi_tiff_page *level = asked_level(job);
    const rugi_tiff_facts *facts = &job->facts;
    size_t behind = (size_t)level->directory - facts->pages[first];
    size_t directory = facts->pages[i] + behind;
    rugi_tiff_page page =
        facts->directories[directory < facts->n_directories ? directory : 0];
    if (level->subifd >= 0) { /* sub-directories are compared when they are read */
        uint64_t offset = page.offset;
        page = *level;
        page.directory = (int)directory;
        page.offset = offset;
    }
    return page;
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
    *believed = t->writer != RUGI_TIFF_PLAIN && fits && planes == job->facts.n_series;
    if (t->writer == RUGI_TIFF_IMAGEJ && !*believed && job->facts.n_pages == 1)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: an ImageJ stack of %" PRIu64
            " images, but the file holds one: cut off, or packed "
            "in a way that is not understood; save it as OME-TIFF or NIfTI",
            file->path, planes);
    if (t->n_times > 1)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: %d channels x %d slices x %d times (%s): pages of different "
            "times are not a volume; choose a page with --page",
            file->path, t->n_channels, t->n_slices, t->n_times, writer);
    if (t->has_own_order || (!*believed && t->n_channels > 1))
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: %s assigns the %zu pages to slices in a way that is not "
            "understood; choose a page with --page",
            file->path, writer, job->facts.n_series);
    if (t->writer != RUGI_TIFF_PLAIN && !*believed)
        rug_context_warn(ctx,
                         "%s: %s says %d slices, but there are %zu pages; all are taken",
                         file->path, writer, t->n_slices, job->facts.n_series);
    return RUG_OK;
}

/** Checks the channel that is asked of a stack whose channels are pages. */
static rug_status check_page_channel(rug_context *ctx, rug_file *file,
                                     const tiff_job *job)
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
 *  @param band_channel  the channel to read within a page */
static rug_status assign_slices(rug_context *ctx, rug_file *file, tiff_job *job,
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
    job->n_slices = by_page ? (size_t)t->n_slices : job->facts.n_series;
    job->slices =
        rug_context_allocate(ctx, job->n_slices, sizeof *job->slices, file->path);
    job->slice_pages =
        rug_context_allocate(ctx, job->n_slices, sizeof *job->slice_pages, file->path);
    if (job->slices == NULL || job->slice_pages == NULL)
        return RUG_E_NOMEM;
    *band_channel = by_page ? -1 : job->opts.channel;
    for (size_t z = 0; z < job->n_slices; z++)
        job->slices[z] =
            job->facts
                .series[by_page ? rugi_tiff_page_of(t, z, (size_t)job->opts.channel, 0)
                                : z];
    return RUG_OK;
}

/** All slices must have the size and type of the first. */
static rug_status check_slices(rug_context *ctx, const rug_file *file,
                               const tiff_job *job)
{
    const rugi_tiff_page *level = asked_level(job);
    size_t first = job->slices[0];
    for (size_t z = 0; z < job->n_slices; z++) {
        size_t i = job->slices[z];
        rugi_tiff_page page = level_at(job, i);
        if (rugi_tiff_same_pixels(level, &page) &&
            rugi_tiff_same_pixels(page_at(job, first), page_at(job, i)))
            continue;
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: page %zu (%ux%u, %d samples of %d bits, orientation %d) differs from page %zu "
            "(%ux%u, %d, %d, %d): not a volume; choose one with --page",
            file->path, i, page.height, page.width, page.samples, page.bits,
            page.orientation, first, level->height, level->width, level->samples,
            level->bits, level->orientation);
    }
    return rugi_tiff_check_page(ctx, file, level, job->n_slices);
}

/** How many pages from a slice's on libvips can read in one go: neighbours in the chain
 * that are laid out alike, ended by a slice. */
static size_t run_length(const tiff_job *job, size_t slice)
{
    size_t i = job->slices[slice], n = 1;
    rugi_tiff_page begin = level_at(job, i);
    size_t most = (VIPS_MAX_COORD - 1) / begin.height;
    for (size_t k = 1; k < most && slice + 1 < job->n_slices; k++) {
        rugi_tiff_page page = level_at(job, i + k);
        if (page.directory != begin.directory + (int)k ||
            !rugi_tiff_same_pixels(&begin, &page) ||
            !rugi_tiff_same_layout(&begin, &page))
            break;
        if (job->slices[slice + 1] == i + k) {
            slice++;
            n = k + 1;
        }
    }
    return n;
}

/** Chooses the run that begins with a slice. */
static void set_run(tiff_job *job, size_t slice)
{
    rugi_tiff_page begin = level_at(job, job->slices[slice]);
    job->run_begin = job->slices[slice];
    job->run_pages = run_length(job, slice);
    set_part(job, &begin, job->run_pages);
}

/* Opens the pages as slices of a volume. @return as rug_file_open() */
static rug_status open_volume(rug_context *ctx, rug_file *file, tiff_job *job)
{
    int channel;
    if (job->opts.page >= 0)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: page %d and a volume of all pages requested; one of them "
            "expected",
            file->path, job->opts.page);
    rug_status status = assign_slices(ctx, file, job, &channel);
    if (status == RUG_OK)
        status = find_levels(ctx, file, job, job->slices[0]);
    if (status == RUG_OK)
        status = check_slices(ctx, file, job);
    if (status != RUG_OK)
        return status;
    const rugi_tiff_page *level = asked_level(job);
    const size_t shape[3] = {job->n_slices, level->height, level->width};
    int known = 1;
    for (size_t z = 0; z < job->n_slices; z++) {
        job->slice_pages[z] = level_at(job, job->slices[z]);
        known = known && rugi_tiff_is_known(&job->slice_pages[z]);
    }
    if (!known && job->n_slices > VIPS_SLICES_MAX)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: %zu slices of a kind that is read by libvips (CIELAB, LogLuv and others); at "
            "most %d are: convert them to grey or RGB, or choose a page with --page",
            file->path, job->n_slices, VIPS_SLICES_MAX);
    if (!known)
        set_run(job, 0);
    status = choose_bands(ctx, file, job, known, known ? 1 : job->run_pages, channel);
    if (status == RUG_OK)
        status = rugi_file_set_image(ctx, file, job->bands.dtype, 3, shape);
    if (status != RUG_OK)
        return status;
    file->slabs.any_order = job->own != NULL;
    file->facts.page = -1;
    if (channel != job->opts.channel) { /* channels are pages */
        file->facts.n_channels = job->text.n_channels;
        file->facts.channel = job->opts.channel;
    }
    set_facts(ctx, file, job, job->slices[0]);
    return RUG_OK;
}

/** Opens the run that begins with a slice, unless the slice is still to come in the open
 * one. */
static rug_status enter_run(rug_context *ctx, rug_file *file, tiff_job *job, size_t slice)
{
    rugi_pixels *pixels = &job->pixels;
    size_t page = job->slices[slice];
    int inside = page >= job->run_begin && page - job->run_begin < job->run_pages;
    int is_new_pass = slice == 0 && pixels->next != 0;
    if (pixels->image != NULL && inside && !is_new_pass)
        return RUG_OK;
    set_run(job, slice);
    pixels->height = (int)(asked_level(job)->height * job->run_pages);
    return rugi_pixels_open(ctx, file, pixels);
}

/** How many slices from `slice` on, below `end`, stand below each other in the run. */
static size_t neighbours(const tiff_job *job, size_t slice, size_t end)
{
    size_t n = 1, behind = job->run_begin + job->run_pages;
    while (slice + n < end && job->slices[slice + n] == job->slices[slice] + n &&
           job->slices[slice + n] < behind)
        n++;
    return n;
}

/* Reads slices; as rugi_slabs.read. */
static rug_status read_slices(rug_context *ctx, rug_file *file, unsigned char *to,
                              size_t first, size_t n)
{
    tiff_job *job = file->slabs.state;
    size_t height = asked_level(job)->height, bytes = (size_t)file->image.stride[0];
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

/* ---- The reader ---- */

static rug_status open_page(rug_context *ctx, rug_file *file, tiff_job *job)
{
    size_t i = job->opts.page >= 0 ? (size_t)job->opts.page : job->facts.series[0];
    rug_status status = rugi_check_page(ctx, file, job->opts.page);
    if (status == RUG_OK)
        status = find_levels(ctx, file, job, i);
    if (status != RUG_OK)
        return status;
    file->facts.page = (int)i;
    const rugi_tiff_page *level = asked_level(job);
    set_part(job, level, 1);
    status = rugi_tiff_check_page(ctx, file, level, 1);
    if (status == RUG_OK)
        status = choose_bands(ctx, file, job, rugi_tiff_is_known(level), 1,
                              rugi_asked_channel(&job->opts));
    if (status == RUG_OK)
        status =
            rugi_bands_set_image(ctx, file, &job->bands, level->height, level->width);
    file->slabs.any_order = job->own != NULL && rugi_tiff_goes_back(level);
    if (status == RUG_OK)
        set_facts(ctx, file, job, i);
    return status;
}

/* Reads through libvips; as rugi_slabs.read. */
static rug_status read_vips(rug_context *ctx, rug_file *file, void *to, size_t first,
                            size_t n)
{
    tiff_job *job = file->slabs.state;
    rug_status status = rugi_vips_start(ctx, file->path);
    if (status != RUG_OK)
        return status;
    unsigned hush = rugi_vips_hush();
    if (job->slices != NULL)
        status = read_slices(ctx, file, to, first, n);
    else
        status = rugi_pixels_read_layers(ctx, file, &job->pixels, to, first, n);
    rugi_vips_unhush(hush);
    return status;
}

static rug_status read_tiff(rug_context *ctx, rug_file *file, void *to, size_t first,
                            size_t n)
{
    tiff_job *job = file->slabs.state;
    const rugi_tiff_page *level = asked_level(job);
    rugi_tiff_rows rows = {level, 1, first, n, to};
    if (job->own == NULL)
        return read_vips(ctx, file, to, first, n);
    if (job->slices != NULL)
        rows = (rugi_tiff_rows){job->slice_pages + first, n, 0, level->height, to};
    else if (file->facts.n_planes > 1) /* layers are planes, and all are wanted */
        rows.n = level->height;
    return rugi_tiff_pixels_read(ctx, file, job->own, &rows);
}

static void close_tiff(rug_context *ctx, void *state)
{
    tiff_job *job = state;
    if (job->pixels.image != NULL)
        rugi_pixels_close(&job->pixels);
    rugi_tiff_pixels_close(ctx, job->own);
    rug_context_release(ctx, job->slices);
    rug_context_release(ctx, job->slice_pages);
    rug_context_release(ctx, job->levels.levels);
    rugi_tiff_facts_free(ctx, &job->facts);
    rug_context_release(ctx, job);
}

/* Says when pages are left out since those of another size have more pixels. */
static void warn_of_others(rug_context *ctx, const rug_file *file, const tiff_job *job)
{
    const rugi_tiff_facts *facts = &job->facts;
    const rugi_tiff_page *first = page_at(job, facts->series[0]);
    size_t n_others = facts->n_pages - facts->n_series;
    int is_first = facts->series[0] == 0;
    if (n_others == 0 || (is_first && !job->opts.volume))
        return;
    rug_context_warn(
        ctx,
        "%s: %zu of its %zu pages have %ux%u pixels: %s; other sizes are left out, "
        "--page takes one",
        file->path, facts->n_series, facts->n_pages, first->height, first->width,
        job->opts.volume      ? "they are the slices"
        : facts->n_series > 1 ? "the first of them is read"
                              : "it is read");
}

/* Whether the pages of a file that nobody has asked about are slices. */
static int are_slices(const tiff_job *job)
{
    const rugi_tiff_facts *facts = &job->facts;
    const rugi_tiff_text *t = &job->text;
    int is_one = t->n_channels == 1 && t->n_times == 1 && !t->has_own_order;
    for (size_t i = 1; i < facts->n_series; i++)
        if (!rugi_tiff_same_pixels(page_at(job, facts->series[0]),
                                   page_at(job, facts->series[i])))
            return 0;
    return facts->n_series > 1 && is_one;
}

rug_status rugi_open_tiff(rug_context *ctx, rug_file *file, const rug_read_options *opts)
{
    tiff_job *job = rug_context_allocate(ctx, 1, sizeof *job, file->path);
    if (job == NULL)
        return RUG_E_NOMEM;
    memset(job, 0, sizeof *job);
    job->opts = *opts;
    file->slabs = (rugi_slabs){.read = read_tiff, .close = close_tiff, .state = job};
    if (rugi_has_ending(file->path, ".vsi"))
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: holds the previews of a VSI image, which lies in a folder beside it; convert it "
            "to OME-TIFF, for example with bfconvert",
            file->path);
    rug_status status = rugi_tiff_load(ctx, file->path);
    if (status == RUG_OK)
        status = rugi_tiff_read_facts(ctx, file, &job->facts, &job->text);
    if (status != RUG_OK)
        return status;
    file->facts.n_pages = (int)job->facts.n_pages;
    if (opts->volume == 2)
        job->opts.volume = are_slices(job);
    if (opts->page < 0)
        warn_of_others(ctx, file, job);
    return job->opts.volume ? open_volume(ctx, file, job) : open_page(ctx, file, job);
}
