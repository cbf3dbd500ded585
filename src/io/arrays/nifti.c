/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads NIfTI-1 and NIfTI-2 files, plain or gzipped, one file or a pair of .hdr and .img. Slope,
 * intercept and spacing are honoured; pixels stay in the order of the file, and the facts say where it lies.
 * Colour, complex and 128-bit types are refused.
 *
 * Headers are taken apart with the structs of nifti_clib. That library's own reader is not used: it
 * goes by the file's name, silently sets bad axes and spacings to 1, and turns NaN into 0. */

#include "pixel_stream.h"
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <nifti1.h>
#include <nifti2.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

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
    int qform_code;
    int sform_code;
    double quaternion[3]; /* b, c, d */
    double offset[3];
    double sform[3][4]; /* from i, j, k, 1 to x, y, z */
} header_facts;

/** Reverses the bytes of n numbers. */
static void swap_numbers(void *numbers, size_t n, size_t size)
{
    unsigned char *at = numbers;
    for (size_t k = 0; k < n; k++, at += size)
        for (size_t i = 0; i < size / 2; i++) {
            unsigned char byte = at[i];
            at[i] = at[size - 1 - i];
            at[size - 1 - i] = byte;
        }
}

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
                swap_numbers(&size, 1, sizeof size);
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

#define SWAP_FIELD(field) swap_numbers(&(field), 1, sizeof(field))
#define SWAP_FIELDS(field) \
    swap_numbers(field, sizeof(field) / sizeof(field)[0], sizeof(field)[0])

/* Both headers have the same fields, of different types. */
#define TAKER(name, type)                                           \
    static void name(header_facts *out, const unsigned char *bytes) \
    {                                                               \
        type h;                                                     \
        memcpy(&h, bytes, sizeof h);                                \
        if (out->swapped) {                                         \
            SWAP_FIELDS(h.dim);                                     \
            SWAP_FIELDS(h.pixdim);                                  \
            SWAP_FIELD(h.datatype);                                 \
            SWAP_FIELD(h.vox_offset);                               \
            SWAP_FIELD(h.scl_slope);                                \
            SWAP_FIELD(h.scl_inter);                                \
            SWAP_FIELD(h.xyzt_units);                               \
            SWAP_FIELD(h.qform_code);                               \
            SWAP_FIELD(h.sform_code);                               \
            SWAP_FIELD(h.quatern_b);                                \
            SWAP_FIELD(h.quatern_c);                                \
            SWAP_FIELD(h.quatern_d);                                \
            SWAP_FIELD(h.qoffset_x);                                \
            SWAP_FIELD(h.qoffset_y);                                \
            SWAP_FIELD(h.qoffset_z);                                \
            SWAP_FIELDS(h.srow_x);                                  \
            SWAP_FIELDS(h.srow_y);                                  \
            SWAP_FIELDS(h.srow_z);                                  \
        }                                                           \
        for (int i = 0; i < 8; i++) {                               \
            out->dim[i] = h.dim[i];                                 \
            out->pixdim[i] = (double)h.pixdim[i];                   \
        }                                                           \
        out->is_pair = h.magic[1] == 'i';                           \
        out->datatype = h.datatype;                                 \
        out->vox_offset = (double)h.vox_offset;                     \
        out->slope = (double)h.scl_slope;                           \
        out->intercept = (double)h.scl_inter;                       \
        out->xyzt_units = h.xyzt_units;                             \
        out->qform_code = h.qform_code;                             \
        out->sform_code = h.sform_code;                             \
        out->quaternion[0] = (double)h.quatern_b;                   \
        out->quaternion[1] = (double)h.quatern_c;                   \
        out->quaternion[2] = (double)h.quatern_d;                   \
        out->offset[0] = (double)h.qoffset_x;                       \
        out->offset[1] = (double)h.qoffset_y;                       \
        out->offset[2] = (double)h.qoffset_z;                       \
        for (int i = 0; i < 4; i++) {                               \
            out->sform[0][i] = (double)h.srow_x[i];                 \
            out->sform[1][i] = (double)h.srow_y[i];                 \
            out->sform[2][i] = (double)h.srow_z[i];                 \
        }                                                           \
    }

TAKER(take_nifti1, nifti_1_header)
TAKER(take_nifti2, nifti_2_header)

/* Takes a header apart. @return nonzero when n bytes hold a whole one */
static int nifti_parse(header_facts *out, const unsigned char *bytes, size_t n)
{
    memset(out, 0, sizeof *out);
    if (!nifti_begins(bytes, n))
        return 0;
    out->version = header_version(bytes, &out->swapped);
    if (n < (out->version == 1 ? sizeof(nifti_1_header) : sizeof(nifti_2_header)))
        return 0;
    if (out->version == 1)
        take_nifti1(out, bytes);
    else
        take_nifti2(out, bytes);
    return 1;
}

/* ---- Where the pixels are ---- */

/** The largest offset that is believed; every such double is exact. */
#define OFFSET_MAX 9007199254740992.0

/** Unzips the beginning of a gzip stream: whether it is whole is seen when the pixels are read. */
static rug_status unzip_head(rug_context *ctx, const rug_file *file,
                             unsigned char out[HEADER_MAX], size_t *n)
{
    return rugi_gunzip_head(ctx, file->path, file->head, file->n_head, out, HEADER_MAX,
                            n);
}

/** Where the library that unzips is not there, the name tells, so that opening says so. */
static int claims(const rug_file *file)
{
    unsigned char unzipped[HEADER_MAX];
    size_t n;
    if (!rugi_is_gzip(file->head, file->n_head))
        return nifti_begins(file->head, file->n_head);
    if (unzip_head(file->ctx, file, unzipped, &n) == RUG_OK)
        return nifti_begins(unzipped, n);
    return rugi_has_ending(file->path, ".gz");
}

static rug_status read_header(rug_context *ctx, const rug_file *file,
                              header_facts *header)
{
    unsigned char unzipped[HEADER_MAX];
    const unsigned char *head = file->head;
    size_t n = file->n_head;
    if (rugi_is_gzip(head, n)) {
        rug_status status = unzip_head(ctx, file, unzipped, &n);
        if (status != RUG_OK)
            return status;
        head = unzipped;
    }
    if (nifti_parse(header, head, n))
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "%s: cut off: %zu of %d bytes of the NIfTI header are there",
                            file->path, n, header->version == 2 ? 540 : 348);
}

/** The length of a name without .hdr or .hdr.gz, 0 when it has no such ending. */
static size_t stem_length(const char *path)
{
    static const char *const endings[] = {".hdr", ".hdr.gz"};
    const size_t n = strlen(path);
    for (size_t i = 0; i < 2; i++) {
        size_t n_ending = strlen(endings[i]);
        if (n > n_ending && strcasecmp(path + n - n_ending, endings[i]) == 0)
            return n - n_ending;
    }
    return 0;
}

/** Finds the second file of a pair.
 *  @param path  where its name is put, as long as the file's and 8 bytes more */
static rug_status find_pair(rug_context *ctx, const rug_file *file,
                            rugi_pixel_place *pixels, char *path)
{
    static const char *const endings[] = {".img", ".img.gz"};
    const size_t n = stem_length(file->path);
    struct stat info;
    for (size_t i = 0; n > 0 && i < 2; i++) {
        memcpy(path + n, endings[i], strlen(endings[i]) + 1);
        if (stat(path, &info) == 0 && S_ISREG(info.st_mode)) {
            pixels->n_bytes = (uint64_t)info.st_size;
            return RUG_OK;
        }
    }
    return rug_context_fail(
        ctx, RUG_E_IO,
        "%s: the header of a NIfTI pair, but no .img or .img.gz of the same "
        "name is beside it",
        file->path);
}

static int begins_like_gzip(const char *path)
{
    unsigned char head[2];
    FILE *in = fopen(path, "rb");
    int answer = in != NULL && rugi_is_gzip(head, fread(head, 1, sizeof head, in));
    if (in != NULL)
        fclose(in);
    return answer;
}

/** Finds out where the pixels begin.
 *  @param pixels  its path is to be released, also after a failure */
static rug_status find_pixels(rug_context *ctx, const rug_file *file,
                              const header_facts *header, rugi_pixel_place *pixels)
{
    const size_t n = strlen(file->path) + 1;
    rug_status status = RUG_OK;
    char *path = rug_context_allocate(ctx, n + 8, 1, file->path);
    if (path == NULL)
        return RUG_E_NOMEM;
    memcpy(path, file->path, n);
    pixels->path = path;
    pixels->n_bytes = file->n_bytes;
    if (header->is_pair)
        status = find_pair(ctx, file, pixels, path);
    if (status != RUG_OK)
        return status;
    if (!(header->vox_offset >= 0 && header->vox_offset <= OFFSET_MAX))
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: vox_offset is %g, 0 or more expected", file->path,
                                header->vox_offset);
    pixels->packing = begins_like_gzip(path) ? RUGI_GZIP : RUGI_PLAIN;
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

/** The name of a type that is not read. */
static const char *type_name(int datatype)
{
    switch (datatype) {
    case DT_BINARY: return "BINARY";
    case NIFTI_TYPE_RGB24: return "RGB24";
    case NIFTI_TYPE_RGBA32: return "RGBA32";
    case NIFTI_TYPE_COMPLEX64: return "COMPLEX64";
    case NIFTI_TYPE_COMPLEX128: return "COMPLEX128";
    case NIFTI_TYPE_COMPLEX256: return "COMPLEX256";
    case NIFTI_TYPE_FLOAT128: return "FLOAT128";
    default: return "unknown";
    }
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
            file->path, header->datatype, type_name(header->datatype));
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
                            const rugi_pixel_coding *coding, rugi_pixel_place *pixels,
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
    rug_status status = rugi_check_length(ctx, pixels, volume);
    if (status != RUG_OK)
        return status;
    const size_t shape[3] = {(size_t)size[0], (size_t)size[1], (size_t)size[2]};
    int flat = size[0] == 1 && !as_volume;
    return rugi_file_set_image(ctx, file, rugi_coding_dtype(coding), flat ? 2 : 3,
                               flat ? shape + 1 : shape);
}

static const char *unit_name(const header_facts *header)
{
    switch (header->xyzt_units & 7) {
    case NIFTI_UNITS_METER: return "m";
    case NIFTI_UNITS_MM: return "mm";
    case NIFTI_UNITS_MICRON: return "um";
    default: return NULL;
    }
}

static void set_spacing(rug_file *file, const header_facts *header)
{
    const double spacing[3] = {fabs(header->pixdim[3]), fabs(header->pixdim[2]),
                               fabs(header->pixdim[1])};
    rugi_file_set_spacing(file, file->image.ndim == 2 ? spacing + 1 : spacing,
                          unit_name(header));
}

/** The affine of a quaternion, an offset and the spacing (nifti1.h, method 2). A distance that is not above 0
 * counts as 1, and an overlong quaternion as half a turn, as in nifti_clib. */
static void find_qform(double out[3][4], const header_facts *header)
{
    double b = header->quaternion[0], c = header->quaternion[1],
           d = header->quaternion[2], aa = 1 - (b * b + c * c + d * d), a = 0;
    if (aa < 1e-7) {
        double length = sqrt(b * b + c * c + d * d);
        b /= length;
        c /= length;
        d /= length;
    } else
        a = sqrt(aa);
    const double turned[3][3] = {
        {a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
        {2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)},
        {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c}};
    for (int k = 0; k < 3; k++) {
        double step = header->pixdim[1 + k] > 0 ? header->pixdim[1 + k] : 1;
        if (k == 2 && header->pixdim[0] < 0)
            step = -step;
        for (int i = 0; i < 3; i++)
            out[i][k] = turned[i][k] * step;
    }
    for (int i = 0; i < 3; i++)
        out[i][3] = header->offset[i];
}

/** Of the two that a header may have, sform is believed before qform; the spacing alone is no place. Where no
 * unit is stated, programs that write such files mean millimetres. */
static void set_affine(rug_context *ctx, rug_file *file, const header_facts *header)
{
    double affine[3][4];
    const char *unit = unit_name(header);
    if (header->sform_code > 0)
        memcpy(affine, header->sform, sizeof affine);
    else if (header->qform_code > 0)
        find_qform(affine, header);
    else
        return;
    rugi_file_set_affine(ctx, file, header->sform_code > 0 ? "sform" : "qform",
                         unit != NULL ? unit : "mm", affine);
}

static rug_status open_nifti(rug_context *ctx, rug_file *file,
                             const rug_read_options *opts)
{
    header_facts header;
    rugi_pixel_coding coding = {.slope = 1};
    rugi_pixel_place pixels = {0};
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
        set_affine(ctx, file, &header);
        file->facts.slope = coding.slope;
        file->facts.intercept = coding.intercept;
        status = rugi_stream_pixels(ctx, file, &coding, &pixels);
    }
    rug_context_release(ctx, (char *)(uintptr_t)pixels.path);
    return status;
}

const rugi_reader rugi_nifti_reader = {claims, open_nifti};
