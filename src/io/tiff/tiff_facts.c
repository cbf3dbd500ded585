/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Walks TIFF directories with libtiff and notes what libvips does not report: which are
 * reduced copies, masks, alpha or white-is-zero. It reads no pixels and no descriptions.
 */

#include "tiff_facts.h"
#include "io/vips/vips_library.h"
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <tiffio.h>

/** Counts the alpha samples at the end; samples of unknown meaning are data. */
static int count_alpha(TIFF *tiff)
{
    uint16_t n = 0;
    const uint16_t *types = NULL;
    int n_alpha = 0;
    if (!TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &n, &types))
        return 0;
    while (n_alpha < n && types[n - 1 - n_alpha] != EXTRASAMPLE_UNSPECIFIED)
        n_alpha++;
    return n_alpha;
}

static void read_resolution(TIFF *tiff, rugi_tiff_page *page)
{
    float x = 0, y = 0;
    uint16_t unit = RESUNIT_NONE;
    TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x);
    TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
    page->per_unit[0] = (double)y;
    page->per_unit[1] = (double)x;
    page->unit = unit;
}

static void read_layout(TIFF *tiff, rugi_tiff_page *page)
{
    uint16_t planar = PLANARCONFIG_CONTIG, orientation = ORIENTATION_TOPLEFT;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planar);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
    if (TIFFIsTiled(tiff)) {
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &page->block[0]);
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &page->block[1]);
    } else
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &page->block[0]);
    page->is_planar = planar == PLANARCONFIG_SEPARATE;
    page->orientation = orientation;
}

/** Notes the directory that libtiff stands at. */
static void read_page(TIFF *tiff, rugi_tiff_page *page, int directory, int subifd)
{
    uint16_t bits = 1, samples = 1, format = SAMPLEFORMAT_UINT,
             photometric = PHOTOMETRIC_MINISBLACK;
    uint16_t compression = COMPRESSION_NONE;
    uint32_t kind = 0;
    memset(page, 0, sizeof *page);
    page->directory = directory;
    page->subifd = subifd;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &page->width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &page->height);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
    TIFFGetField(tiff, TIFFTAG_SUBFILETYPE, &kind);
    page->bits = bits;
    page->samples = samples;
    page->format = format == SAMPLEFORMAT_VOID ? SAMPLEFORMAT_UINT : format;
    page->photometric = photometric;
    page->compression = compression;
    page->n_alpha = count_alpha(tiff);
    page->is_reduced = (kind & FILETYPE_REDUCEDIMAGE) != 0;
    page->is_mask = (kind & FILETYPE_MASK) != 0;
    read_resolution(tiff, page);
    read_layout(tiff, page);
}

/** Appends a page to an array whose capacity is 2^k - 1.
 *  @return the new page, or NULL with an error text */
static rugi_tiff_page *append_page(rug_context *ctx, rugi_tiff_page **pages, size_t *n,
                                   const char *path)
{
    if ((*n & (*n + 1)) == 0) {
        rugi_tiff_page *wider =
            rug_context_allocate(ctx, 2 * *n + 1, sizeof *wider, path);
        if (wider == NULL)
            return NULL;
        if (*n != 0)
            memcpy(wider, *pages, *n * sizeof *wider);
        rug_context_release(ctx, *pages);
        *pages = wider;
    }
    return &(*pages)[(*n)++];
}

/** Opens without mapping into memory, so that a file that shrinks is an error and no
 * crash. */
static rug_status open_tiff(rug_context *ctx, const rug_file *file, TIFF **tiff)
{
    *tiff = TIFFOpen(file->path, "rm");
    if (*tiff == NULL)
        return rugi_vips_fail(ctx, file, "is no readable TIFF file");
    return RUG_OK;
}

static rug_status read_chain(rug_context *ctx, const rug_file *file, TIFF *tiff,
                             rugi_tiff_facts *out)
{
    for (int n = 0; n < INT_MAX; n++) {
        rugi_tiff_page *page =
            append_page(ctx, &out->directories, &out->n_directories, file->path);
        if (page == NULL)
            return RUG_E_NOMEM;
        read_page(tiff, page, n, -1);
        if (TIFFLastDirectory(tiff))
            break;
        if (!TIFFReadDirectory(tiff))
            return rugi_vips_fail(ctx, file,
                                  "a TIFF directory is damaged, or the file is cut off");
    }
    return RUG_OK;
}

static rug_status copy_description(rug_context *ctx, const rug_file *file, TIFF *tiff,
                                   rugi_tiff_facts *out)
{
    const char *text = "";
    TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text);
    size_t n = strlen(text) + 1;
    out->description = rug_context_allocate(ctx, n, 1, file->path);
    if (out->description == NULL)
        return RUG_E_NOMEM;
    memcpy(out->description, text, n);
    return RUG_OK;
}

/** Lists the directories that are pages; when all are copies or masks, the first is
 *  one. */
static rug_status list_pages(rug_context *ctx, const rug_file *file, rugi_tiff_facts *out)
{
    out->pages =
        rug_context_allocate(ctx, out->n_directories, sizeof *out->pages, file->path);
    if (out->pages == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < out->n_directories; i++)
        if (!out->directories[i].is_reduced && !out->directories[i].is_mask)
            out->pages[out->n_pages++] = i;
    if (out->n_pages == 0)
        out->pages[out->n_pages++] = 0;
    return RUG_OK;
}

rug_status rugi_tiff_read_facts(rug_context *ctx, const rug_file *file,
                                rugi_tiff_facts *out)
{
    TIFF *tiff;
    memset(out, 0, sizeof *out);
    rug_status status = open_tiff(ctx, file, &tiff);
    if (status != RUG_OK)
        return status;
    status = copy_description(ctx, file, tiff, out);
    if (status == RUG_OK)
        status = read_chain(ctx, file, tiff, out);
    if (status == RUG_OK)
        status = list_pages(ctx, file, out);
    TIFFClose(tiff);
    if (status != RUG_OK)
        rugi_tiff_facts_free(ctx, out);
    return status;
}

/** Appends the reduced sub-directories of a page. */
static rug_status read_sub_levels(rug_context *ctx, const rug_file *file, TIFF *tiff,
                                  int directory, rugi_tiff_levels *out)
{
    uint16_t n = 0;
    const uint64_t *offsets = NULL;
    if (!TIFFSetDirectory(tiff, (tdir_t)directory) ||
        !TIFFGetField(tiff, TIFFTAG_SUBIFD, &n, &offsets) || n == 0)
        return RUG_OK;
    uint64_t *kept = rug_context_allocate(ctx, n, sizeof *kept, file->path);
    if (kept == NULL)
        return RUG_E_NOMEM;
    memcpy(kept, offsets,
           n * sizeof *kept); /* libtiff's own go with the next directory */
    rug_status status = RUG_OK;
    for (int i = 0; i < n && status == RUG_OK; i++) {
        rugi_tiff_page sub, *level;
        if (!TIFFSetSubDirectory(tiff, kept[i]))
            continue;
        read_page(tiff, &sub, directory, i);
        if (!sub.is_reduced || sub.is_mask)
            continue;
        level = append_page(ctx, &out->levels, &out->n_levels, file->path);
        if (level == NULL)
            status = RUG_E_NOMEM;
        else
            *level = sub;
    }
    rug_context_release(ctx, kept);
    return status;
}

/** Appends the reduced directories between a page and the next one. */
static rug_status list_chain_levels(rug_context *ctx, const rug_file *file,
                                    const rugi_tiff_facts *facts, size_t directory,
                                    rugi_tiff_levels *out)
{
    for (size_t i = directory + 1; i < facts->n_directories; i++) {
        if (facts->directories[i].is_mask)
            continue;
        if (!facts->directories[i].is_reduced)
            break;
        rugi_tiff_page *level =
            append_page(ctx, &out->levels, &out->n_levels, file->path);
        if (level == NULL)
            return RUG_E_NOMEM;
        *level = facts->directories[i];
    }
    return RUG_OK;
}

rug_status rugi_tiff_read_levels(rug_context *ctx, const rug_file *file,
                                 const rugi_tiff_facts *facts, size_t page,
                                 rugi_tiff_levels *out)
{
    TIFF *tiff;
    size_t directory = facts->pages[page];
    memset(out, 0, sizeof *out);
    rug_status status = open_tiff(ctx, file, &tiff);
    if (status != RUG_OK)
        return status;
    rugi_tiff_page *full = append_page(ctx, &out->levels, &out->n_levels, file->path);
    if (full == NULL)
        status = RUG_E_NOMEM;
    else {
        *full = facts->directories[directory];
        status = read_sub_levels(ctx, file, tiff, (int)directory, out);
    }
    if (status == RUG_OK)
        status = list_chain_levels(ctx, file, facts, directory, out);
    TIFFClose(tiff);
    rugi_vips.vips_error_clear();
    if (status != RUG_OK) {
        rug_context_release(ctx, out->levels);
        memset(out, 0, sizeof *out);
    }
    return status;
}
