/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Volumes of bytes as NIfTI files, read slab by slab from a source, and compressed by ISA-L. Headers are filled with the
 * structs of nifti_clib, in the machine's byte order. */

#include "core/context/sized.h"
#include "io/base/disk.h"
#include "io/base/library.h"
#include <errno.h>
#include <float.h>
#include <isa-l/igzip_lib.h>
#include <math.h>
#include <nifti1.h>
#include <nifti2.h>
#include <rugose/volume_writer.h>
#include <stdint.h>
#include <string.h>

/* Bytes of a slab that is read at once, and of what is compressed at once, about. */
#define SLAB_BYTES   ((size_t)16 << 20)
#define OUTPUT_BYTES ((size_t)256 << 10)

/* Bytes that ISA-L, which counts in 32 bits, gets at once, at most. */
#define MOST_BYTES ((size_t)1 << 30)

/* Pixels of an axis of NIfTI-1, at most. */
#define NIFTI1_MOST 32767

/* How far a pixel may be from its place, as a part of its size. */
#define NIFTI1_SHIFT 5e-4

/* Of 0 to 3. Longer searches gain little among runs of 0 and 1. */
#define LEVEL 1

#define FUNCTIONS(X) X(isal_deflate_init) X(isal_deflate)

static struct {
    FUNCTIONS(RUGI_LIBRARY_MEMBER)
} isal;

static const char *const symbols[] = {FUNCTIONS(RUGI_LIBRARY_SYMBOL) NULL};

static const rugi_library library = {"ISA-L", RUGI_ISAL_FILE, "libisal2", symbols, &isal};

/* What compresses. */
typedef struct deflating {
    struct isal_zstream isal;
    unsigned char level[ISAL_DEF_LVL1_DEFAULT], output[OUTPUT_BYTES];
} deflating;

typedef struct volume_writer {
    const char *path;
    rug_source source;
    rugi_output *output;
    deflating *state;   /* NULL: nothing is compressed; owned */
    unsigned char *row; /* of pixels that do not lie side by side; owned */
} volume_writer;

/* Where the pixels lie, along x, y and z. */
typedef struct geometry {
    int64_t size[3];
    double spacing[3];
    double sform[3][4];
    int has_sform;
    int unit; /* NIFTI_UNITS_* */
} geometry;

/* ---- Geometry ---- */

typedef struct length_unit {
    const char *name;
    int unit;
    double micrometres;
} length_unit;

/* @return NULL: none of length, or not known */
static const length_unit *find_unit(const char *name)
{
    static const length_unit units[] = {
        {"m", NIFTI_UNITS_METER, 1e6},    {"cm", NIFTI_UNITS_MM, 1e4},
        {"mm", NIFTI_UNITS_MM, 1e3},      {"um", NIFTI_UNITS_MICRON, 1},
        {"nm", NIFTI_UNITS_MICRON, 1e-3}, {"angstrom", NIFTI_UNITS_MICRON, 1e-4}};
    for (size_t i = 0; name != NULL && i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    return NULL;
}

/* What makes lengths of a unit those that a header states, where both are known. */
static double factor(const length_unit *from, const length_unit *to)
{
    if (from == NULL || to == NULL)
        return 1;
    return from->micrometres / (to->unit == NIFTI_UNITS_METER ? 1e6
                                : to->unit == NIFTI_UNITS_MM  ? 1e3
                                                              : 1);
}

static int is_length(double v)
{
    return isfinite(v) && v > 0;
}

static double column_length(const geometry *g, int k)
{
    return hypot(hypot(g->sform[0][k], g->sform[1][k]), g->sform[2][k]);
}

/* Further slices of an image lie straight above it, the smaller side of a pixel apart. */
static void add_slices(geometry *g)
{
    const double side[2] = {column_length(g, 0), column_length(g, 1)};
    double up[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        up[i] = g->sform[j][0] / side[0] * (g->sform[k][1] / side[1]) -
                g->sform[k][0] / side[0] * (g->sform[j][1] / side[1]);
    }
    double length = hypot(hypot(up[0], up[1]), up[2]);
    for (int i = 0; i < 3; i++)
        g->sform[i][2] = up[i] / length * fmin(side[0], side[1]);
}

static void take_place(geometry *g, const rug_file_facts *facts, int ndim, double by)
{
    g->has_sform = 1;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < ndim; k++)
            g->sform[i][k] = by * facts->affine[i][ndim - 1 - k];
        g->sform[i][3] = by * facts->affine[i][3];
    }
    if (ndim < 3)
        add_slices(g);
}

/* A header states one unit for the spacing and the place. Where only that of the spacing is known, the spacing is
 * that of the place.
 * @param facts  of the file that says where the pixels lie; NULL: none does */
static geometry find_geometry(const rug_source *s, const rug_file_facts *facts)
{
    geometry g = {.unit = NIFTI_UNITS_UNKNOWN};
    int is_spaced = 0;
    for (int a = 0; a < s->ndim; a++)
        is_spaced |= is_length(s->spacing[a]);
    const length_unit *own = is_spaced ? find_unit(s->spacing_unit) : NULL;
    const length_unit *place = facts != NULL ? find_unit(facts->affine_unit) : NULL;
    if (facts != NULL && own != NULL && place == NULL)
        is_spaced = 0;
    const length_unit *unit = is_spaced ? own : place;
    if (unit != NULL)
        g.unit = unit->unit;
    if (facts != NULL)
        take_place(&g, facts, s->ndim, factor(place, unit));
    for (int k = 0; k < 3; k++) {
        int a = s->ndim - 1 - k;
        g.size[k] = a >= 0 ? (int64_t)s->shape[a] : 1;
        g.spacing[k] = a >= 0 && is_spaced ? s->spacing[a] * factor(own, unit) : 0;
        if (!is_length(g.spacing[k]))
            g.spacing[k] = facts != NULL ? column_length(&g, k) : 1;
    }
    return g;
}

/* ---- The header ---- */

/* How far a number is from the nearest float. */
static double float_error(double v)
{
    return fabs(v) <= (double)FLT_MAX ? fabs(v - (double)(float)v) : (double)INFINITY;
}

/* Whether the header of NIfTI-1 holds what there is to say, in 16 bits and floats. */
static int fits_nifti1(const geometry *g)
{
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        if (g->size[k] > NIFTI1_MOST || g->spacing[k] < (double)FLT_MIN ||
            g->spacing[k] > (double)FLT_MAX)
            return 0;
        least = fmin(least, column_length(g, k));
    }
    for (int i = 0; i < 3 && g->has_sform; i++) {
        double shift = float_error(g->sform[i][3]);
        for (int k = 0; k < 3; k++)
            shift += float_error(g->sform[i][k]) * (double)(g->size[k] - 1);
        if (!(shift <= NIFTI1_SHIFT * least))
            return 0;
    }
    return 1;
}

/* The longer header, and no extensions behind it. */
#define HEADER_MAX (sizeof(nifti_2_header) + 4)

/* Both headers have the same fields, of different types. */
#define FILLER(fill, type, magic_text)                                    \
    static size_t fill(unsigned char out[HEADER_MAX], const geometry *g)  \
    {                                                                     \
        static const char magic[] = magic_text;                           \
        type h;                                                           \
        memset(&h, 0, sizeof h);                                          \
        memcpy(h.magic, magic, sizeof h.magic);                           \
        h.sizeof_hdr = (int)sizeof h;                                     \
        h.vox_offset = (__typeof__(h.vox_offset))(sizeof h + 4);          \
        h.datatype = NIFTI_TYPE_UINT8;                                    \
        h.bitpix = 8;                                                     \
        h.scl_slope = 1;                                                  \
        h.xyzt_units = (__typeof__(h.xyzt_units))g->unit;                 \
        h.sform_code = g->has_sform ? NIFTI_XFORM_ALIGNED_ANAT : 0;       \
        h.dim[0] = 3;                                                     \
        for (int i = 1; i < 8; i++)                                       \
            h.dim[i] = i <= 3 ? (__typeof__(h.dim[0]))g->size[i - 1] : 1; \
        h.pixdim[0] = 1;                                                  \
        for (int k = 0; k < 3; k++)                                       \
            h.pixdim[1 + k] = (__typeof__(h.pixdim[0]))g->spacing[k];     \
        for (int k = 0; k < 4; k++) {                                     \
            h.srow_x[k] = (__typeof__(h.srow_x[0]))g->sform[0][k];        \
            h.srow_y[k] = (__typeof__(h.srow_y[0]))g->sform[1][k];        \
            h.srow_z[k] = (__typeof__(h.srow_z[0]))g->sform[2][k];        \
        }                                                                 \
        memset(out, 0, HEADER_MAX);                                       \
        memcpy(out, &h, sizeof h);                                        \
        return sizeof h + 4;                                              \
    }

FILLER(fill_nifti1, nifti_1_header, "n+1")
FILLER(fill_nifti2, nifti_2_header, "n+2\0\r\n\032\n")

/* ---- Bytes ---- */

static rug_status put_plain(rug_context *ctx, volume_writer *w, const unsigned char *from,
                            size_t n)
{
    errno = 0;
    return fwrite(from, 1, n, rugi_output_stream(w->output)) == n
               ? RUG_OK
               : rug_context_fail(ctx, RUG_E_IO, "cannot write %s: %s", w->path,
                                  strerror(errno));
}

/* @param n  at most MOST_BYTES */
static rug_status put_packed(rug_context *ctx, volume_writer *w,
                             const unsigned char *from, size_t n, int is_last)
{
    struct isal_zstream *s = &w->state->isal;
    s->next_in = (unsigned char *)(uintptr_t)from;
    s->avail_in = (uint32_t)n;
    s->end_of_stream = is_last != 0;
    rug_status status = RUG_OK;
    do {
        s->next_out = w->state->output;
        s->avail_out = OUTPUT_BYTES;
        if (isal.isal_deflate(s) != COMP_OK)
            return rug_context_fail(ctx, RUG_E_IO,
                                    "cannot write %s: %s cannot compress it", w->path,
                                    library.name);
        status = put_plain(ctx, w, w->state->output, OUTPUT_BYTES - s->avail_out);
    } while (status == RUG_OK && s->avail_out == 0);
    return status;
}

/* @param is_last  nothing comes behind it */
static rug_status put(rug_context *ctx, volume_writer *w, const unsigned char *from,
                      size_t n, int is_last)
{
    if (w->state == NULL)
        return put_plain(ctx, w, from, n);
    rug_status status = RUG_OK;
    for (size_t done = 0; status == RUG_OK && done < n; done += MOST_BYTES) {
        size_t here = n - done < MOST_BYTES ? n - done : MOST_BYTES;
        status = put_packed(ctx, w, from + done, here, is_last && done + here == n);
    }
    return status;
}

/* ---- Pixels ---- */

static size_t columns(const volume_writer *w)
{
    return w->source.shape[w->source.ndim - 1];
}

/* A row whose pixels lie side by side, or are brought there. */
static const unsigned char *take_row(volume_writer *w, const unsigned char *from,
                                     ptrdiff_t step)
{
    if (step == 1)
        return from;
    for (size_t x = 0; x < columns(w); x++)
        w->row[x] = from[(ptrdiff_t)x * step];
    return w->row;
}

/* Writes n layers. @param is_last  they end the volume */
static rug_status put_slab(rug_context *ctx, volume_writer *w, const rug_image *slab,
                           int is_last)
{
    const size_t nz = slab->ndim == 3 ? slab->shape[0] : 1;
    const size_t ny = slab->shape[slab->ndim - 2], nx = columns(w);
    const ptrdiff_t *step = slab->stride + slab->ndim - 2;
    rug_status status = RUG_OK;
    if (step[1] == 1 && step[0] == (ptrdiff_t)nx &&
        (nz == 1 || slab->stride[0] == (ptrdiff_t)(nx * ny)))
        return put(ctx, w, slab->data, nz * ny * nx, is_last);
    for (size_t z = 0; z < nz; z++)
        for (size_t y = 0; y < ny && status == RUG_OK; y++) {
            const unsigned char *row = (const unsigned char *)slab->data +
                                       (ptrdiff_t)y * step[0] +
                                       (nz > 1 ? (ptrdiff_t)z * slab->stride[0] : 0);
            status = put(ctx, w, take_row(w, row, step[1]), nx,
                         is_last && z + 1 == nz && y + 1 == ny);
        }
    return status;
}

/* Whether a slab is the one that was asked for. */
static int is_asked(const volume_writer *w, const rug_image *slab, size_t n)
{
    int is_same = slab->data != NULL && slab->dtype == RUG_U8 &&
                  slab->ndim == w->source.ndim && slab->shape[0] == n;
    for (int a = 1; is_same && a < slab->ndim; a++)
        is_same = slab->shape[a] == w->source.shape[a];
    return is_same;
}

static rug_status put_pixels(rug_context *ctx, volume_writer *w)
{
    const rug_source *s = &w->source;
    const size_t most = rug_source_layers(s, SLAB_BYTES), n_all = s->shape[0];
    rug_status status = RUG_OK;
    for (size_t first = 0; status == RUG_OK && first < n_all; first += most) {
        size_t n = n_all - first < most ? n_all - first : most;
        rug_image slab = {.ndim = 0};
        status = s->read(ctx, s->user, &slab, first, n);
        if (status == RUG_OK && !is_asked(w, &slab, n))
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "cannot write %s: the source gave another slab than "
                                    "was asked for",
                                    w->path);
        if (status == RUG_OK)
            status = put_slab(ctx, w, &slab, first + n == n_all);
        if (status == RUG_OK)
            status = rug_context_step(ctx, (double)(first + n) / (double)n_all);
    }
    return status;
}

/* ---- The file ---- */

/* @return whether the name says that the file is compressed; -1: it is no name of NIfTI */
static int is_packed(const char *path)
{
    const size_t n = strlen(path);
    if (rugi_has_ending(path, ".nii"))
        return 0;
    return n > 7 && strcasecmp(path + n - 7, ".nii.gz") == 0 ? 1 : -1;
}

static rug_status check(rug_context *ctx, const volume_writer *w, const rug_file *file)
{
    const rug_source *s = &w->source;
    if (is_packed(w->path) < 0)
        return rug_context_fail(
            ctx, RUG_E_ARG, "%s: a name that ends in .nii or .nii.gz expected", w->path);
    if (s->dtype != RUG_U8 || (s->ndim != 2 && s->ndim != 3) || s->read == NULL)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "cannot write %s: %d axes of dtype %s given, 2 or 3 of u8 "
            "expected",
            w->path, s->ndim, rug_dtype_name(s->dtype));
    for (int a = 0; a < s->ndim; a++)
        if (s->shape[a] < 1 || s->shape[a] > PTRDIFF_MAX)
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "cannot write %s: an axis of %zu pixels given",
                                    w->path, s->shape[a]);
    if (file != NULL && rug_file_plane(file, 0).ndim != s->ndim)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "cannot write %s: %d axes given, but the file that says "
                                "where they lie has %d",
                                w->path, s->ndim, rug_file_plane(file, 0).ndim);
    return RUG_OK;
}

static rug_status begin_packing(rug_context *ctx, volume_writer *w)
{
    rug_status status = rugi_library_load(ctx, &library, w->path);
    if (status != RUG_OK)
        return status;
    w->state = rug_context_allocate(ctx, 1, sizeof *w->state, w->path);
    if (w->state == NULL)
        return RUG_E_NOMEM;
    struct isal_zstream *s = &w->state->isal;
    isal.isal_deflate_init(s);
    s->gzip_flag = IGZIP_GZIP;
    s->level = LEVEL;
    s->level_buf = w->state->level;
    s->level_buf_size = sizeof w->state->level;
    return RUG_OK;
}

static rug_status begin(rug_context *ctx, volume_writer *w)
{
    w->row = rug_context_allocate(ctx, columns(w), 1, w->path);
    rug_status status = w->row != NULL ? RUG_OK : RUG_E_NOMEM;
    if (status == RUG_OK && is_packed(w->path))
        status = begin_packing(ctx, w);
    return status == RUG_OK ? rugi_output_open(ctx, &w->output, w->path) : status;
}

static rug_status put_header(rug_context *ctx, volume_writer *w, const rug_file *file)
{
    unsigned char header[HEADER_MAX];
    const rug_file_facts *facts = file != NULL ? rug_file_get_facts(file) : NULL;
    if (facts != NULL && facts->located_by == NULL)
        facts = NULL;
    geometry g = find_geometry(&w->source, facts);
    size_t n = fits_nifti1(&g) ? fill_nifti1(header, &g) : fill_nifti2(header, &g);
    return put(ctx, w, header, n, 0);
}

rug_status rug_volume_write(rug_context *ctx, const char *path, const rug_source *source,
                            const rug_file *file)
{
    volume_writer w = {.path = path, .source = RUG_SOURCE_INIT};
    if (ctx == NULL || path == NULL || source == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_volume_write: NULL given");
    rug_status status = RUGI_TAKE(ctx, &w.source, source, "rug_source");
    if (status == RUG_OK)
        status = check(ctx, &w, file);
    if (status == RUG_OK)
        status = begin(ctx, &w);
    if (status == RUG_OK)
        status = put_header(ctx, &w, file);
    if (status == RUG_OK)
        status = put_pixels(ctx, &w);
    if (status == RUG_OK)
        status = rugi_output_commit(ctx, w.output);
    else
        rugi_output_discard(w.output);
    rug_context_release(ctx, w.row);
    rug_context_release(ctx, w.state);
    return status;
}
