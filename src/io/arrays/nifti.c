/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads NIfTI-1 and NIfTI-2 files, plain or gzipped, one file or a pair of .hdr and .image. Slope,
 * intercept and spacing are honoured; orientation is not, pixels stay in the order of the file.
 * Colour, complex and 128-bit types are refused.
 *
 * Headers are taken apart with the structs and the byte swapping of nifti_clib. That library's
 * own reader is not used: it goes by the file's name, silently sets bad axes and spacings to
 * 1, and turns NaN into 0. */

#include "pixel_stream.h"
#include <glib.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <nifti2_io.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

/* Bytes of the longer header. */
#define HEADER_MAX 540

/* What a header says, unchecked but for the magic. */
typedef struct header_facts {
    int version;  /* 1 or 2 */
    int is_pair;  /* the pixels are in a second file */
    int swapped;  /* the file has the other byte order */
    int datatype; /* NIFTI_TYPE_* */
    int64_t dim[8];
    double pixdim[8];
    double vox_offset;
    double slope;
    double intercept;
    int xyzt_units;
} header_facts;

/** What the first four bytes say.
 *  @param swapped  1 when they are in the other byte order
 *  @return 1, 2, or 0 for no NIfTI header */
static int header_version(const unsigned char *bytes, int *swapped)
{
    static const int32_t sizes[2] = {sizeof(nifti_1_header), sizeof(nifti_2_header)};
    for (int i = 0; i < 2; i++)
        for (*swapped = 0; *swapped < 2; ++*swapped) {
            int32_t size = sizes[i];
            if (*swapped)
                nifti_swap_4bytes(1, &size);
            if (memcmp(bytes, &size, 4) == 0)
                return i + 1;
        }
    return 0;
}

static int has_magic(const unsigned char *magic, int version)
{
    const char *pair = version == 1 ? "ni1" : "ni2";
    const char *single = version == 1 ? "n+1" : "n+2";
    return memcmp(magic, pair, 4) == 0 || memcmp(magic, single, 4) == 0;
}

/* Nonzero when bytes begin like a NIfTI header: its size in either byte order and, as
 *  far as there are bytes, its magic. */
static int nifti_begins(const unsigned char *bytes, size_t n)
{
    int swapped;
    int version = n >= 4 ? header_version(bytes, &swapped) : 0;
    if (version == 0)
        return 0;
    size_t magic =
        version == 1 ? offsetof(nifti_1_header, magic) : offsetof(nifti_2_header, magic);
    return n < magic + 4 || has_magic(bytes + magic, version);
}

static void take_nifti1(header_facts *out, nifti_1_header *h)
{
    if (out->swapped)
        swap_nifti_header(h, 1);
    for (int i = 0; i < 8; i++) {
        out->dim[i] = h->dim[i];
        out->pixdim[i] = (double)h->pixdim[i];
    }
    out->is_pair = h->magic[1] == 'i';
    out->datatype = h->datatype;
    out->vox_offset = (double)h->vox_offset;
    out->slope = (double)h->scl_slope;
    out->intercept = (double)h->scl_inter;
    out->xyzt_units = h->xyzt_units;
}

static void take_nifti2(header_facts *out, nifti_2_header *h)
{
    if (out->swapped)
        swap_nifti_header(h, 2);
    for (int i = 0; i < 8; i++) {
        out->dim[i] = h->dim[i];
        out->pixdim[i] = h->pixdim[i];
    }
    out->is_pair = h->magic[1] == 'i';
    out->datatype = h->datatype;
    out->vox_offset = (double)h->vox_offset;
    out->slope = h->scl_slope;
    out->intercept = h->scl_inter;
    out->xyzt_units = h->xyzt_units;
}

/* Takes a header apart. @return nonzero when n bytes hold a whole one */
static int nifti_parse(header_facts *out, const unsigned char *bytes, size_t n)
{
    nifti_1_header one;
    nifti_2_header two;
    memset(out, 0, sizeof *out);
    if (!nifti_begins(bytes, n))
        return 0;
    out->version = header_version(bytes, &out->swapped);
    if (n < (out->version == 1 ? sizeof one : sizeof two))
        return 0;
    if (out->version == 1) {
        memcpy(&one, bytes, sizeof one);
        take_nifti1(out, &one);
    } else {
        memcpy(&two, bytes, sizeof two);
        take_nifti2(out, &two);
    }
    return 1;
}

/* ---- Where the pixels are ---- */

/** The largest offset that is believed; every such double is exact. */
#define OFFSET_MAX 9007199254740992.0

/** Where the pixels are. */
typedef struct place {
    char *path; /* owned; the file itself or its .image */
    uint64_t n_bytes;
    int gzipped;
    uint64_t offset;
} place;

static int is_gzip(const unsigned char *head, size_t n_head)
{
    return n_head >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

/** Unzips the beginning of a gzip stream. What comes before damage or a cut is kept:
 * whether the stream is whole is seen when the pixels are read.
 *  @return how many bytes there are in `out` */
static size_t unzip_head(const unsigned char *head, size_t n_head,
                         unsigned char out[HEADER_MAX])
{
    z_stream z = {.next_in = (unsigned char *)head, .avail_in = (uInt)n_head};
    if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK) /* 16: with a gzip head */
        return 0;
    z.next_out = out;
    z.avail_out = HEADER_MAX;
    inflate(&z, Z_SYNC_FLUSH);
    inflateEnd(&z);
    return HEADER_MAX - z.avail_out;
}

static int claims(const rug_file *file)
{
    unsigned char unzipped[HEADER_MAX];
    if (!is_gzip(file->head, file->n_head))
        return nifti_begins(file->head, file->n_head);
    size_t n = unzip_head(file->head, file->n_head, unzipped);
    return nifti_begins(unzipped, n);
}

static rug_status read_header(rug_context *ctx, const rug_file *file,
                              header_facts *header)
{
    unsigned char unzipped[HEADER_MAX];
    const unsigned char *head = file->head;
    size_t n = file->n_head;
    if (is_gzip(head, n)) {
        n = unzip_head(head, n, unzipped);
        head = unzipped;
    }
    if (nifti_parse(header, head, n))
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "%s: cut off: %zu of %d bytes of the NIfTI header are there",
                            file->path, n, header->version == 2 ? 540 : 348);
}

/** The path of the .image that belongs to a .hdr, "" when the name has no such ending.
 *  @param gz  ".gz" or "" */
static char *image_path(const char *path, const char *gz)
{
    char *lower = g_ascii_strdown(path, -1);
    size_t n = strlen(path);
    size_t ending = g_str_has_suffix(lower, ".hdr.gz") ? 7
                    : g_str_has_suffix(lower, ".hdr")  ? 4
                                                       : 0;
    char *stem = g_strndup(path, n - ending);
    char *image = ending != 0 ? g_strconcat(stem, ".img", gz, NULL) : g_strdup("");
    g_free(stem);
    g_free(lower);
    return image;
}

/** Finds the second file of a pair. */
static rug_status find_pair(rug_context *ctx, const rug_file *file, place *pixels)
{
    static const char *const endings[] = {"", ".gz"};
    struct stat info;
    for (size_t i = 0; i < 2; i++) {
        pixels->path = image_path(file->path, endings[i]);
        if (pixels->path[0] != '\0' && stat(pixels->path, &info) == 0 &&
            S_ISREG(info.st_mode)) {
            pixels->n_bytes = (uint64_t)info.st_size;
            return RUG_OK;
        }
        g_free(pixels->path);
        pixels->path = NULL;
    }
    return rug_context_fail(
        ctx, RUG_E_IO,
        "%s: the header of a NIfTI pair, but no .img or .img.gz of the same "
        "name is beside it",
        file->path);
}

/** Finds out where the pixels begin. */
static rug_status find_pixels(rug_context *ctx, const rug_file *file,
                              const header_facts *header, place *pixels)
{
    rug_status status = RUG_OK;
    if (header->is_pair)
        status = find_pair(ctx, file, pixels);
    else {
        pixels->path = g_strdup(file->path);
        pixels->n_bytes = file->n_bytes;
    }
    if (status != RUG_OK)
        return status;
    if (!(header->vox_offset >= 0 && header->vox_offset <= OFFSET_MAX))
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: vox_offset is %g, 0 or more expected", file->path,
                                header->vox_offset);
    unsigned char head[2];
    FILE *in = fopen(pixels->path, "rb");
    pixels->gzipped = in != NULL && is_gzip(head, fread(head, 1, sizeof head, in));
    if (in != NULL)
        fclose(in);
    pixels->offset = (uint64_t)header->vox_offset;
    uint64_t least = header->is_pair ? 0 : header->version == 1 ? 348 : 540;
    if (pixels->offset < least) /* 0 stands for "behind the header" */
        pixels->offset = least;
    return RUG_OK;
}

/* ---- What the header promises ---- */

/** Checks the axes.
 *  @param shape    sizes, slowest of the first three axes first
 *  @param n_pages  product of all further axes */
static rug_status check_axes(rug_context *ctx, const rug_file *file,
                             const header_facts *header, uint64_t shape[3],
                             uint64_t *n_pages)
{
    if (header->dim[0] < 1 || header->dim[0] > 7)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: the NIfTI header says %" PRId64
                                " axes, 1 to 7 expected",
                                file->path, header->dim[0]);
    int fits = 1;
    shape[0] = shape[1] = shape[2] = *n_pages = 1;
    for (int i = 1; i <= header->dim[0]; i++) {
        if (header->dim[i] < 1)
            return rug_context_fail(ctx, RUG_E_FORMAT,
                                    "%s: axis %d of the NIfTI file has %" PRId64
                                    " pixels, at least 1 expected",
                                    file->path, i, header->dim[i]);
        uint64_t size = (uint64_t)header->dim[i];
        if (i <= 3)
            shape[3 - i] = size;
        else
            fits = fits && rugi_multiply(n_pages, *n_pages, size);
    }
    if (!fits || *n_pages > INT_MAX)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: the NIfTI file has more volumes than can be numbered", file->path);
    return RUG_OK;
}

/** Finds out how the pixels are coded. Slope 0 and NaN mean no scaling (NIfTI-1,
 * scl_slope). */
static rug_status choose_coding(rug_context *ctx, const rug_file *file,
                                const header_facts *header, rugi_pixel_coding *coding)
{
    static const struct {
        int datatype;
        rug_dtype dtype;
    } types[] = {{NIFTI_TYPE_UINT8, RUG_U8},    {NIFTI_TYPE_INT8, RUG_I8},
                 {NIFTI_TYPE_UINT16, RUG_U16},  {NIFTI_TYPE_INT16, RUG_I16},
                 {NIFTI_TYPE_UINT32, RUG_U32},  {NIFTI_TYPE_INT32, RUG_I32},
                 {NIFTI_TYPE_UINT64, RUG_U64},  {NIFTI_TYPE_INT64, RUG_I64},
                 {NIFTI_TYPE_FLOAT32, RUG_F32}, {NIFTI_TYPE_FLOAT64, RUG_F64}};
    size_t i = 0;
    while (i < sizeof types / sizeof types[0] && types[i].datatype != header->datatype)
        i++;
    if (i == sizeof types / sizeof types[0])
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: NIfTI type %d (%s) is not supported; integers of 8 to 64 bits, "
            "FLOAT32 and FLOAT64 are",
            file->path, header->datatype, nifti_datatype_string(header->datatype));
    coding->stored = types[i].dtype;
    coding->swap = header->swapped;
    int given =
        isfinite(header->slope) && header->slope != 0 && isfinite(header->intercept);
    coding->slope = given ? header->slope : 1;
    coding->intercept = given ? header->intercept : 0;
    coding->scaled =
        coding->slope < 1 || coding->slope > 1 || fabs(coding->intercept) > 0;
    return RUG_OK;
}

static rug_status check_asked(rug_context *ctx, rug_file *file,
                              const rug_read_options *opts, uint64_t n_pages)
{
    file->facts.n_pages = (int)n_pages;
    file->facts.page = opts->page > 0 ? opts->page : 0;
    rug_status status = rugi_check_page(ctx, file, opts->page);
    if (status == RUG_OK)
        status = rugi_check_level(ctx, file, opts->level);
    if (status == RUG_OK)
        status = rugi_check_channel(ctx, file, opts->channel);
    return status;
}

/** Checks the size of what is promised against the file, and sets the view of one
 *  volume. */
static rug_status set_image(rug_context *ctx, rug_file *file,
                            const rugi_pixel_coding *coding, place *pixels,
                            const uint64_t size[3], int as_volume)
{
    uint64_t volume = rugi_coding_size(coding);
    uint64_t behind = 0;
    int fits = rugi_multiply(&volume, volume, size[0]) &&
               rugi_multiply(&volume, volume, size[1]) &&
               rugi_multiply(&volume, volume, size[2]) && volume <= PTRDIFF_MAX &&
               rugi_multiply(&behind, volume, (uint64_t)file->facts.page) &&
               behind <= INT64_MAX - pixels->offset;
    if (!fits)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: the NIfTI header promises more pixels than an address can count",
            file->path);
    pixels->offset += behind;
    rug_status status = rugi_check_length(ctx, pixels->path, pixels->n_bytes,
                                          pixels->gzipped, pixels->offset, volume);
    if (status != RUG_OK)
        return status;
    const size_t shape[3] = {(size_t)size[0], (size_t)size[1], (size_t)size[2]};
    int flat = size[0] == 1 && !as_volume;
    return rugi_file_set_image(ctx, file, rugi_coding_dtype(coding), flat ? 2 : 3,
                               flat ? shape + 1 : shape);
}

static void set_spacing(rug_file *file, const header_facts *header)
{
    const double spacing[3] = {fabs(header->pixdim[3]), fabs(header->pixdim[2]),
                               fabs(header->pixdim[1])};
    const char *unit = NULL;
    switch (header->xyzt_units & 7) {
    case NIFTI_UNITS_METER: unit = "m"; break;
    case NIFTI_UNITS_MM: unit = "mm"; break;
    case NIFTI_UNITS_MICRON: unit = "um"; break;
    default: break;
    }
    rugi_file_set_spacing(file, file->image.ndim == 2 ? spacing + 1 : spacing, unit);
}

static rug_status open_nifti(rug_context *ctx, rug_file *file,
                             const rug_read_options *opts)
{
    header_facts header;
    rugi_pixel_coding coding = {.slope = 1};
    place pixels = {NULL, 0, 0, 0};
    uint64_t shape[3], n_pages = 1;
    file->facts.format = "nifti";
    rug_status status = read_header(ctx, file, &header);
    if (status == RUG_OK)
        status = check_axes(ctx, file, &header, shape, &n_pages);
    if (status == RUG_OK)
        status = choose_coding(ctx, file, &header, &coding);
    if (status == RUG_OK)
        status = check_asked(ctx, file, opts, n_pages);
    if (status == RUG_OK)
        status = find_pixels(ctx, file, &header, &pixels);
    if (status == RUG_OK)
        status = set_image(ctx, file, &coding, &pixels, shape, opts->volume);
    if (status == RUG_OK) {
        set_spacing(file, &header);
        file->facts.slope = coding.slope;
        file->facts.intercept = coding.intercept;
        status = rugi_stream_pixels(ctx, file, &coding, pixels.path, pixels.offset);
    }
    g_free(pixels.path);
    return status;
}

const rugi_reader rugi_nifti_reader = {claims, open_nifti};
