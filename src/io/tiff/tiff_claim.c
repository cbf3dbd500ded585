/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which files are read as TIFF: all but those that OpenSlide may know as whole slides. */

#include "tiff_library.h"
#include "tiff_reader.h"
#include <string.h>

static int has_magic(const rug_file *file)
{
    static const char magics[4][5] = {"II*\0", "MM\0*", "II+\0", "MM\0+"};
    for (int i = 0; i < 4; i++)
        if (file->n_head >= 4 && memcmp(file->head, magics[i], 4) == 0)
            return 1;
    return 0;
}

/* A text of the first directory. */
static const char *text_of(TIFF *tiff, uint32_t tag)
{
    const char *text = NULL;
    return rugi_tiff.TIFFGetField(tiff, tag, &text) && text != NULL ? text : "";
}

/* Whether n bytes hold a word. */
static int holds(const char *bytes, size_t n, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= n; i++)
        if (memcmp(bytes + i, word, length) == 0)
            return 1;
    return 0;
}

/* Whether a directory has what OpenSlide knows the scanners of Aperio, Leica, Philips, Trestle,
 * Ventana and Hamamatsu by. It looks closer than this. */
static int may_be_slide(TIFF *tiff)
{
    enum { NDPI_TAG = 65420 };
    uint32_t n = 0;
    const void *value = NULL;
    const char *description = text_of(tiff, TIFFTAG_IMAGEDESCRIPTION);
    const char *software = text_of(tiff, TIFFTAG_SOFTWARE);
    if (strncmp(description, "Aperio", 6) == 0 ||
        strstr(description, "www.leica-microsystems.com/scn") != NULL ||
        strncmp(software, "Philips", 7) == 0 || strncmp(software, "MedScan", 7) == 0)
        return 1;
    if (rugi_tiff.TIFFGetField(tiff, TIFFTAG_XMLPACKET, &n, &value) && value != NULL &&
        holds(value, n, "iScan"))
        return 1;
    return rugi_tiff.TIFFGetField(tiff, NDPI_TAG, &n, &value);
}

/* Leaves to libvips what may be a whole slide. */
static int claims(const rug_file *file)
{
    rugi_tiff_handle handle;
    if (!has_magic(file))
        return 0;
    if (rugi_tiff_load(file->ctx, file->path) != RUG_OK ||
        !rugi_tiff_open(&handle, -1, file->path, "rm"))
        return 1; /* opening it says why it cannot be read */
    int is_mine = !may_be_slide(handle.tiff);
    rugi_tiff_close(&handle);
    return is_mine;
}

static rug_status open_plain(rug_context *ctx, rug_file *file,
                             const rug_read_options *opts)
{
    file->facts.format = "tiff";
    return rugi_open_tiff(ctx, file, opts);
}

const rugi_reader rugi_tiff_reader = {claims, open_plain};
