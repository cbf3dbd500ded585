/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Walks TIFF directories with libtiff and notes how each stores its pixels, and which are reduced
 * copies or masks. It reads no pixels and understands no descriptions. */

#include "tiff_facts.h"
#include <inttypes.h>
#include <limits.h>
#include <string.h>

/** Notes the alpha samples at the end; samples of unknown meaning are data. */
static void read_alpha(TIFF *tiff, rugi_tiff_page *page)
{
    uint16_t n = 0;
    const uint16_t *types = NULL;
    if (!rugi_tiff.TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &n, &types))
        return;
    while (page->n_alpha < n && types[n - 1 - page->n_alpha] != EXTRASAMPLE_UNSPECIFIED)
        page->n_alpha++;
}

static void read_resolution(TIFF *tiff, rugi_tiff_page *page)
{
    float x = 0, y = 0;
    uint16_t unit = RESUNIT_NONE;
    rugi_tiff.TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x);
    rugi_tiff.TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y);
    rugi_tiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
    page->per_unit[0] = (double)y;
    page->per_unit[1] = (double)x;
    page->unit = unit;
}

static void read_layout(TIFF *tiff, rugi_tiff_page *page)
{
    uint16_t planar = PLANARCONFIG_CONTIG, orientation = ORIENTATION_TOPLEFT;
    uint16_t order = FILLORDER_MSB2LSB;
    rugi_tiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planar);
    rugi_tiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
    rugi_tiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_FILLORDER, &order);
    if (rugi_tiff.TIFFIsTiled(tiff)) {
        rugi_tiff.TIFFGetField(tiff, TIFFTAG_TILELENGTH, &page->block[0]);
        rugi_tiff.TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &page->block[1]);
    } else
        rugi_tiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &page->block[0]);
    page->is_planar = planar == PLANARCONFIG_SEPARATE;
    page->orientation = orientation;
    page->is_reversed = order == FILLORDER_LSB2MSB;
}

void rugi_tiff_read_page(TIFF *tiff, rugi_tiff_page *page)
{
    uint16_t bits = 1, samples = 1, format = SAMPLEFORMAT_UINT,
             photometric = PHOTOMETRIC_MINISBLACK;
    uint16_t compression = COMPRESSION_NONE;
    uint32_t kind = 0;
    memset(page, 0, sizeof *page);
    page->subifd = -1;
    page->offset = rugi_tiff.TIFFCurrentDirOffset(tiff);
    rugi_tiff.TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &page->width);
    rugi_tiff.TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &page->height);
    rugi_tiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    rugi_tiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
    rugi_tiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
    rugi_tiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
    rugi_tiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
    rugi_tiff.TIFFGetField(tiff, TIFFTAG_SUBFILETYPE, &kind);
    page->bits = bits;
    page->samples = samples;
    page->format = format == SAMPLEFORMAT_VOID ? SAMPLEFORMAT_UINT : format;
    page->photometric = photometric;
    page->compression = compression;
    if (rugi_tiff_is_log(page)) { /* it is decoded to luminance */
        page->bits = 32;
        page->format = SAMPLEFORMAT_IEEEFP;
    }
    read_alpha(tiff, page);
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

static rug_status fail(rug_context *ctx, const rug_file *file,
                       const rugi_tiff_handle *handle, const char *what)
{
    return rug_context_fail(ctx, RUG_E_FORMAT, "%s: %s: %s", file->path, what,
                            handle->error[0] != '\0' ? handle->error
                                                     : "damaged, or cut off");
}

static rug_status open_tiff(rug_context *ctx, const rug_file *file,
                            rugi_tiff_handle *handle)
{
    if (!rugi_tiff_open(handle, -1, file->path, "rm"))
        return fail(ctx, file, handle, "is no readable TIFF file");
    return RUG_OK;
}

static rug_status read_chain(rug_context *ctx, const rug_file *file,
                             rugi_tiff_handle *handle, rugi_tiff_facts *out)
{
    TIFF *tiff = handle->tiff;
    for (int n = 0; n < INT_MAX; n++) {
        rugi_tiff_page *page =
            append_page(ctx, &out->directories, &out->n_directories, file->path);
        if (page == NULL)
            return RUG_E_NOMEM;
        rugi_tiff_read_page(tiff, page);
        page->directory = n;
        if (rugi_tiff.TIFFLastDirectory(tiff))
            break;
        if (!rugi_tiff.TIFFReadDirectory(tiff))
            return fail(ctx, file, handle,
                        "a TIFF directory is damaged, or the file is cut off");
    }
    return RUG_OK;
}

static rug_status copy_description(rug_context *ctx, const rug_file *file, TIFF *tiff,
                                   rugi_tiff_facts *out)
{
    const char *text = "";
    rugi_tiff.TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text);
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
    rugi_tiff_handle handle;
    memset(out, 0, sizeof *out);
    rug_status status = open_tiff(ctx, file, &handle);
    if (status != RUG_OK)
        return status;
    status = copy_description(ctx, file, handle.tiff, out);
    if (status == RUG_OK)
        status = read_chain(ctx, file, &handle, out);
    if (status == RUG_OK)
        status = list_pages(ctx, file, out);
    rugi_tiff_close(&handle);
    if (status != RUG_OK)
        rugi_tiff_facts_free(ctx, out);
    return status;
}

/** Appends the reduced sub-directories of a page. */
static rug_status read_sub_levels(rug_context *ctx, const rug_file *file, TIFF *tiff,
                                  const rugi_tiff_page *page, rugi_tiff_levels *out)
{
    uint16_t n = 0;
    const uint64_t *offsets = NULL;
    if (!rugi_tiff.TIFFSetSubDirectory(tiff, page->offset) ||
        !rugi_tiff.TIFFGetField(tiff, TIFFTAG_SUBIFD, &n, &offsets) || n == 0)
        return RUG_OK;
    uint64_t *kept = rug_context_allocate(ctx, n, sizeof *kept, file->path);
    if (kept == NULL)
        return RUG_E_NOMEM;
    memcpy(kept, offsets,
           n * sizeof *kept); /* libtiff's own go with the next directory */
    rug_status status = RUG_OK;
    for (int i = 0; i < n && status == RUG_OK; i++) {
        rugi_tiff_page sub, *level;
        if (!rugi_tiff.TIFFSetSubDirectory(tiff, kept[i]))
            continue;
        rugi_tiff_read_page(tiff, &sub);
        sub.directory = page->directory;
        sub.offset = page->offset;
        sub.subifd = i;
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
    rugi_tiff_handle handle;
    size_t directory = facts->pages[page];
    memset(out, 0, sizeof *out);
    rug_status status = open_tiff(ctx, file, &handle);
    if (status != RUG_OK)
        return status;
    rugi_tiff_page *full = append_page(ctx, &out->levels, &out->n_levels, file->path);
    if (full == NULL)
        status = RUG_E_NOMEM;
    else {
        *full = facts->directories[directory];
        status =
            read_sub_levels(ctx, file, handle.tiff, &facts->directories[directory], out);
    }
    if (status == RUG_OK)
        status = list_chain_levels(ctx, file, facts, directory, out);
    rugi_tiff_close(&handle);
    if (status != RUG_OK) {
        rug_context_release(ctx, out->levels);
        memset(out, 0, sizeof *out);
    }
    return status;
}
