/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Walks TIFF directories with libtiff and notes how each stores its pixels, and which are reduced
 * copies or masks; then lists the pages, and the largest series of them. It reads no pixels. */

#include "tiff_facts.h"
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Notes the alpha samples at the end; samples of unknown meaning are data. */
static void read_alpha(TIFF *tiff, rugi_tiff_page *page)
{
    uint16_t n = 0;
    const uint16_t *types = NULL;
    if (!rugi_tiff.TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &n, &types))
        return;
    while (page->n_alpha < n && types[n - 1 - page->n_alpha] != EXTRASAMPLE_UNSPECIFIED)
        page->n_alpha++;
    page->is_premultiplied =
        page->n_alpha > 0 && types[n - page->n_alpha] == EXTRASAMPLE_ASSOCALPHA;
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
    uint16_t n_subs = 0;
    const uint64_t *subs = NULL;
    page->has_subs =
        rugi_tiff.TIFFGetField(tiff, TIFFTAG_SUBIFD, &n_subs, &subs) && n_subs > 0;
    page->is_planar = planar == PLANARCONFIG_SEPARATE;
    page->orientation = orientation;
    page->is_reversed = order == FILLORDER_LSB2MSB;
}

static void read_subsampling(TIFF *tiff, rugi_tiff_page *page)
{
    uint16_t across = 0, down = 0;
    if (page->photometric != PHOTOMETRIC_YCBCR)
        return;
    rugi_tiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_YCBCRSUBSAMPLING, &across, &down);
    page->subsampling[0] = across;
    page->subsampling[1] = down;
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
    read_subsampling(tiff, page);
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

/* ---- The chain ----
 *
 * Where directories are is followed here. libtiff compares the place of each with those of all before
 * it, which takes seconds for many; told where to go, it does not. */

/** More would be a file made to keep its reader busy. */
#define DIRECTORIES_MAX 1048576

/** Reads a number of n bytes in the file's order. @return 0 when the file ends before it */
static int read_number(const rug_file *file, TIFF *tiff, uint64_t offset, unsigned n,
                       uint64_t *out)
{
    unsigned char bytes[8];
    *out = 0;
    if (offset > file->n_bytes || file->n_bytes - offset < n ||
        pread(rugi_tiff.TIFFFileno(tiff), bytes, n, (off_t)offset) != (ssize_t)n)
        return 0;
    for (unsigned i = 0; i < n; i++)
        *out = *out << 8 | bytes[file->head[0] == 'I' ? n - 1 - i : i];
    return 1;
}

/** Finds the directory behind the one at an offset; 0 = that is the last.
 *  @return 0 when the file ends before it says so */
static int find_next(const rug_file *file, TIFF *tiff, uint64_t offset, uint64_t *next)
{
    int is_big = file->head[2] == '+' || file->head[3] == '+';
    unsigned size = is_big ? 8 : 2, entry = is_big ? 20 : 12;
    uint64_t n;
    return read_number(file, tiff, offset, size, &n) && n <= file->n_bytes / entry &&
           read_number(file, tiff, offset + size + n * entry, is_big ? 8 : 4, next);
}

static rug_status read_directory(rug_context *ctx, const rug_file *file, TIFF *tiff,
                                 rugi_tiff_facts *out)
{
    int n = (int)out->n_directories;
    rugi_tiff_page *page =
        append_page(ctx, &out->directories, &out->n_directories, file->path);
    if (page == NULL)
        return RUG_E_NOMEM;
    rugi_tiff_read_page(tiff, page);
    page->directory = n;
    page->as_indices = file->as_indices && page->photometric == PHOTOMETRIC_PALETTE;
    return RUG_OK;
}

/** A circle is noticed by a mark that moves on after 1, 2, 4 ... directories (Brent 1980). */
static rug_status read_chain(rug_context *ctx, const rug_file *file,
                             rugi_tiff_handle *handle, rugi_tiff_facts *out)
{
    static const char damage[] = "a TIFF directory is damaged, or the file is cut off";
    TIFF *tiff = handle->tiff;
    uint64_t at = rugi_tiff.TIFFCurrentDirOffset(tiff), mark = at, next;
    rug_status status = read_directory(ctx, file, tiff, out);
    for (size_t n = 1, lap = 2; status == RUG_OK; n++, at = next) {
        if (!find_next(file, tiff, at, &next))
            return fail(ctx, file, handle, damage);
        if (next == 0)
            break;
        if (next == mark || n == DIRECTORIES_MAX)
            return rug_context_fail(ctx, RUG_E_FORMAT,
                                    "%s: a TIFF directory is damaged: %s", file->path,
                                    next == mark ? "it leads back to one before it"
                                                 : "there are more than 1048576 of them");
        if (!rugi_tiff.TIFFSetSubDirectory(tiff, next))
            return fail(ctx, file, handle, damage);
        status = read_directory(ctx, file, tiff, out);
        if (n == lap) {
            mark = next;
            lap *= 2;
        }
    }
    return status;
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

/* ---- Stacks of one directory ----
 *
 * ImageJ writes stacks of more than 4 GiB so: the samples of all slices stand one after the other
 * behind those of the first, whose directory is the only one. */

/* Whether the rows of a page stand in the file as they are, one after the other.
 *  @param n_bytes  of them */
static int is_contiguous(TIFF *tiff, const rugi_tiff_page *page, uint64_t *n_bytes)
{
    uint64_t row = ((uint64_t)page->bits * (uint64_t)page->samples * page->width + 7) / 8;
    if (page->compression != COMPRESSION_NONE || page->block[0] == 0 ||
        page->block[1] != 0 || page->is_reversed || page->bits > 64 ||
        (page->is_planar && page->samples > 1) ||
        !rugi_multiply(n_bytes, row, page->height))
        return 0;
    uint64_t begin = rugi_tiff.TIFFGetStrileOffset(tiff, 0);
    for (uint32_t y = 0, i = 0; page->block[0] < page->height - y;
         i++, y += page->block[0])
        if (rugi_tiff.TIFFGetStrileOffset(tiff, i + 1) !=
            begin + row * ((uint64_t)y + page->block[0]))
            return 0;
    return *n_bytes > 0 && begin > 0;
}

/* How many slices an ImageJ stack has behind its only directory; 1 = it is no such stack, or they are
 * not all there.
 *  @param n_bytes  of each */
static size_t hidden_slices(const rug_file *file, TIFF *tiff, const rugi_tiff_page *page,
                            const rugi_tiff_text *text, uint64_t *n_bytes)
{
    uint64_t n = 0, all;
    if (text->writer != RUGI_TIFF_IMAGEJ ||
        !rugi_multiply(&n, (uint64_t)text->n_channels, (uint64_t)text->n_slices) ||
        !rugi_multiply(&n, n, (uint64_t)text->n_times) || n > INT_MAX ||
        !is_contiguous(tiff, page, n_bytes) || !rugi_multiply(&all, n, *n_bytes))
        return 1;
    uint64_t begin = rugi_tiff.TIFFGetStrileOffset(tiff, 0);
    return begin <= file->n_bytes && all <= file->n_bytes - begin ? (size_t)n : 1;
}

static rug_status add_hidden_slices(rug_context *ctx, const rug_file *file, TIFF *tiff,
                                    const rugi_tiff_text *text, rugi_tiff_facts *out)
{
    const rugi_tiff_page first = out->directories[0];
    uint64_t n_bytes = 0;
    if (out->n_directories != 1 || !rugi_tiff.TIFFSetSubDirectory(tiff, first.offset))
        return RUG_OK;
    size_t n = hidden_slices(file, tiff, &first, text, &n_bytes);
    if (n == 1 && text->writer == RUGI_TIFF_IMAGEJ &&
        (text->n_channels > 1 || text->n_slices > 1 || text->n_times > 1))
        rug_context_warn(
            ctx,
            "%s: ImageJ says %d channels x %d slices x %d times, but the file holds "
            "one page",
            file->path, text->n_channels, text->n_slices, text->n_times);
    for (size_t i = 1; i < n; i++) {
        rugi_tiff_page *page =
            append_page(ctx, &out->directories, &out->n_directories, file->path);
        if (page == NULL)
            return RUG_E_NOMEM;
        *page = first;
        page->directory = (int)i; /* as if it had one */
        page->shift = i * n_bytes;
    }
    return RUG_OK;
}

/* ---- Pages and series ---- */

/** Lists the directories that are pages; when all are copies or masks, the first is one, unless it is
 * the small picture of an image that is not in the chain. */
static rug_status list_pages(rug_context *ctx, const rug_file *file, rugi_tiff_facts *out)
{
    out->pages =
        rug_context_allocate(ctx, out->n_directories, sizeof *out->pages, file->path);
    if (out->pages == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < out->n_directories; i++)
        if (!out->directories[i].is_reduced && !out->directories[i].is_mask)
            out->pages[out->n_pages++] = i;
    if (out->n_pages == 0 && out->directories[0].has_subs)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: holds a preview of %ux%u pixels, and an image that is not read, such as that of "
            "a camera's raw file; convert it to TIFF",
            file->path, out->directories[0].height, out->directories[0].width);
    if (out->n_pages == 0)
        out->pages[out->n_pages++] = 0;
    return RUG_OK;
}

static const rugi_tiff_page *page_of(const rugi_tiff_facts *facts, size_t i)
{
    return &facts->directories[facts->pages[i]];
}

/** The first page of the series that has the most pixels; of equals the first. */
static size_t largest_series(const rugi_tiff_facts *facts)
{
    enum { MOST = 64 };
    size_t firsts[MOST], n = 0, best = 0;
    double pixels[MOST];
    for (size_t i = 0, k = 0; i < facts->n_pages; i++) {
        const rugi_tiff_page *page = page_of(facts, i);
        if (n == 0 || !rugi_tiff_same_pixels(page_of(facts, firsts[k]), page))
            for (k = 0; k < n && !rugi_tiff_same_pixels(page_of(facts, firsts[k]), page);)
                k++;
        if (k == MOST) {
            k = 0;
            continue;
        }
        if (k == n) {
            firsts[n] = i;
            pixels[n++] = 0;
        }
        pixels[k] += (double)page->width * (double)page->height;
    }
    for (size_t k = 1; k < n; k++)
        if (pixels[k] > pixels[best])
            best = k;
    return firsts[best];
}

/** Chooses the largest series. Pages of its size and another type are left in it: they are no preview,
 * and no volume. */
static rug_status list_series(rug_context *ctx, const rug_file *file,
                              rugi_tiff_facts *out)
{
    const rugi_tiff_page *first = page_of(out, largest_series(out));
    out->series =
        rug_context_allocate(ctx, out->n_pages, sizeof *out->series, file->path);
    if (out->series == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < out->n_pages; i++)
        if (page_of(out, i)->width == first->width &&
            page_of(out, i)->height == first->height)
            out->series[out->n_series++] = i;
    return RUG_OK;
}

/* ---- Long chains are kept ----
 *
 * A run over all pages opens the file for each of them, and should not go through all directories each
 * time. So the facts of the last file that has many are kept, until another such file is read. */

#define KEPT_LEAST 64 /* directories */

struct rugi_tiff_kept {
    struct stat info; /* of the file, to know it again */
    int as_indices;
    rugi_tiff_facts facts; /* owned */
    size_t n_users;        /* files that are open, and one for being the last */
};

static struct rugi_tiff_kept *last_kept;
static pthread_mutex_t kept_mutex = PTHREAD_MUTEX_INITIALIZER;

static int is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
           a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
           a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/** Takes a user away; the mutex is held. */
static void drop(struct rugi_tiff_kept *kept)
{
    if (kept == NULL || --kept->n_users > 0)
        return;
    free(kept->facts.directories);
    free(kept->facts.pages);
    free(kept->facts.series);
    free(kept->facts.description);
    free(kept);
}

/** Takes the facts of a file that are kept. @return 0: they are not */
static int take_kept(const rug_file *file, const struct stat *info, rugi_tiff_facts *out)
{
    pthread_mutex_lock(&kept_mutex);
    struct rugi_tiff_kept *kept = last_kept;
    int found = kept != NULL && kept->as_indices == file->as_indices &&
                is_same_file(&kept->info, info);
    if (found) {
        kept->n_users++;
        *out = kept->facts;
        out->kept = kept;
    }
    pthread_mutex_unlock(&kept_mutex);
    return found;
}

static void *copy_of(const void *from, size_t n)
{
    void *to = malloc(n);
    if (to != NULL)
        memcpy(to, from, n);
    return to;
}

/** Keeps facts, unless there is no memory for that. */
static void keep(const rug_file *file, const struct stat *info,
                 const rugi_tiff_facts *facts)
{
    struct rugi_tiff_kept *kept = calloc(1, sizeof *kept);
    if (kept == NULL)
        return;
    *kept = (struct rugi_tiff_kept){*info, file->as_indices, *facts, 1};
    rugi_tiff_facts *f = &kept->facts;
    f->directories = copy_of(f->directories, f->n_directories * sizeof *f->directories);
    f->pages = copy_of(f->pages, f->n_pages * sizeof *f->pages);
    f->series = copy_of(f->series, f->n_series * sizeof *f->series);
    f->description = copy_of(f->description, strlen(f->description) + 1);
    pthread_mutex_lock(&kept_mutex);
    if (f->directories != NULL && f->pages != NULL && f->series != NULL &&
        f->description != NULL) {
        drop(last_kept);
        last_kept = kept;
    } else
        drop(kept);
    pthread_mutex_unlock(&kept_mutex);
}

void rugi_tiff_facts_free(rug_context *ctx, rugi_tiff_facts *facts)
{
    if (facts->kept != NULL) {
        pthread_mutex_lock(&kept_mutex);
        drop(facts->kept);
        pthread_mutex_unlock(&kept_mutex);
    } else {
        rug_context_release(ctx, facts->directories);
        rug_context_release(ctx, facts->pages);
        rug_context_release(ctx, facts->series);
        rug_context_release(ctx, facts->description);
    }
    memset(facts, 0, sizeof *facts);
}

/* ---- All of it ---- */

static rug_status walk(rug_context *ctx, const rug_file *file, rugi_tiff_handle *handle,
                       rugi_tiff_facts *out, rugi_tiff_text *text)
{
    rug_status status = copy_description(ctx, file, handle->tiff, out);
    if (status == RUG_OK)
        status = rugi_tiff_parse_text(ctx, text, out->description, file->path);
    if (status == RUG_OK)
        status = read_chain(ctx, file, handle, out);
    if (status == RUG_OK)
        status = add_hidden_slices(ctx, file, handle->tiff, text, out);
    if (status == RUG_OK)
        status = list_pages(ctx, file, out);
    return status == RUG_OK ? list_series(ctx, file, out) : status;
}

rug_status rugi_tiff_read_facts(rug_context *ctx, const rug_file *file,
                                rugi_tiff_facts *out, rugi_tiff_text *text)
{
    rugi_tiff_handle handle;
    struct stat info;
    memset(out, 0, sizeof *out);
    rug_status status = open_tiff(ctx, file, &handle);
    if (status != RUG_OK)
        return status;
    int is_known = fstat(rugi_tiff.TIFFFileno(handle.tiff), &info) == 0;
    if (is_known && take_kept(file, &info, out))
        status = rugi_tiff_parse_text(ctx, text, out->description, file->path);
    else
        status = walk(ctx, file, &handle, out, text);
    if (status == RUG_OK && is_known && out->kept == NULL &&
        out->n_directories >= KEPT_LEAST)
        keep(file, &info, out);
    rugi_tiff_close(&handle);
    if (status != RUG_OK)
        rugi_tiff_facts_free(ctx, out);
    return status;
}

/* ---- Levels ---- */

/** Appends the reduced sub-directories of a page at which libtiff stands. */
static rug_status read_sub_levels(rug_context *ctx, const rug_file *file, TIFF *tiff,
                                  const rugi_tiff_page *page, rugi_tiff_levels *out)
{
    uint16_t n = 0;
    const uint64_t *offsets = NULL;
    if (!rugi_tiff.TIFFGetField(tiff, TIFFTAG_SUBIFD, &n, &offsets) || n == 0)
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
        sub.as_indices = page->as_indices;
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

rug_status rugi_tiff_read_levels(rug_context *ctx, rug_file *file,
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
        if (rugi_tiff.TIFFSetSubDirectory(handle.tiff, full->offset))
            status = read_sub_levels(ctx, file, handle.tiff,
                                     &facts->directories[directory], out);
    }
    if (status == RUG_OK)
        status = list_chain_levels(ctx, file, facts, directory, out);
    if (status == RUG_OK &&
        rugi_tiff.TIFFSetSubDirectory(handle.tiff, facts->directories[directory].offset))
        status = rugi_tiff_read_place(ctx, file, handle.tiff, out);
    rugi_tiff_close(&handle);
    if (status != RUG_OK) {
        rug_context_release(ctx, out->levels);
        memset(out, 0, sizeof *out);
    }
    return status;
}
