/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads DICOM: a file, or a folder whose files are one series. Slope and intercept of each slice are
 * applied (CT becomes Hounsfield units), MONOCHROME1 is inverted, and padding holds no data. Space is
 * that of NIfTI: x to the right, y to the front, z up, where DICOM has the first two the other way
 * round. Frames of one file are decoded together, files one by one. */

#include "dicom_files.h"
#include "dicom_stack.h"
#include "io/arrays/pixel_coding.h"
#include "io/base/bands.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct dicom_job {
    rugi_dicom_stack stack;
    const rugi_dicom_slice *slices; /* of the image that is read */
    rugi_bands bands;
    int is_scaled;        /* values become floats */
    size_t n_frame_bytes; /* of one decoded frame */
    void *decoded;        /* all frames of a file, */
    size_t decoded_bytes; /* room for so many, */
    size_t file;          /* and which; SIZE_MAX: none */
    void *row;            /* of samples */
    double share;         /* of a call's slices that are read */
} dicom_job;

/* ---- Pixels ---- */

/* Has the frames of a slice's file decoded. */
static rug_status decode_file(rug_context *ctx, const rug_file *file, dicom_job *job,
                              const rugi_dicom_slice *slice)
{
    uint64_t n_bytes;
    if (job->file == slice->file)
        return RUG_OK;
    job->file = SIZE_MAX;
    if (!rugi_multiply(&n_bytes, slice->n_frames, job->n_frame_bytes) ||
        n_bytes > PTRDIFF_MAX)
        return rug_context_fail(ctx, RUG_E_NOMEM,
                                "%s: more pixels than an address can count", file->path);
    if (n_bytes > job->decoded_bytes) {
        rug_context_release(ctx, job->decoded);
        job->decoded_bytes = 0;
        job->decoded = rug_context_allocate(ctx, (size_t)n_bytes, 1, file->path);
        if (job->decoded == NULL)
            return RUG_E_NOMEM;
        job->decoded_bytes = (size_t)n_bytes;
    }
    rug_status status =
        rugi_dicom_ask(ctx, RUGI_DICOM_PIXELS, job->stack.paths[slice->file],
                       job->decoded, n_bytes, 1, job->share);
    if (status == RUG_OK)
        job->file = slice->file;
    return status;
}

/* Bits above those that are stored may hold anything. */
#define TRIM(type, wide)                                                        \
    do {                                                                        \
        type *v = row;                                                          \
        for (size_t i = 0; i < n; i++)                                          \
            v[i] = (type)((type)((wide)v[i] << unused) >> unused) ^ (type)flip; \
    } while (0)

/* Makes n samples what they stand for: of as many bits as are stored, black at zero. */
static void clean(void *row, size_t n, const rugi_dicom_head *head, rug_dtype dtype)
{
    unsigned unused = head->bits_allocated - head->bits_stored;
    uint32_t flip = !head->is_white_at_zero ? 0
                    : head->is_signed       ? UINT32_MAX
                                            : UINT32_MAX >> (32 - head->bits_stored);
    if (unused == 0 && flip == 0)
        return;
    switch (dtype) {
    case RUG_U8: TRIM(uint8_t, unsigned); break;
    case RUG_I8: TRIM(int8_t, unsigned); break;
    case RUG_U16: TRIM(uint16_t, unsigned); break;
    case RUG_I16: TRIM(int16_t, unsigned); break;
    case RUG_U32: TRIM(uint32_t, uint32_t); break;
    default: TRIM(int32_t, uint32_t); break;
    }
}

/* Makes pixels of a row. @param plane  bytes from one colour to the next, where they are kept */
static void take_row(rug_file *file, dicom_job *job, const rugi_dicom_slice *slice,
                     void *to, const unsigned char *from, size_t plane)
{
    const rugi_dicom_head *head = &job->stack.head;
    size_t n = (size_t)head->n_columns, n_samples = n * (size_t)job->bands.n;
    memcpy(job->row, from, n_samples * rug_dtype_size(job->bands.dtype));
    clean(job->row, n_samples, head, job->bands.dtype);
    rugi_pixel_coding coding = {.stored = job->bands.dtype,
                                .scaled = job->is_scaled,
                                .slope = slice->place.has_slope ? slice->place.slope : 1,
                                .intercept = slice->place.intercept};
    if (job->is_scaled)
        rugi_decode_pixels(to, job->row, n, &coding);
    else
        file->unequal |= rugi_bands_take(&job->bands, to, job->row, n, plane);
}

/* Rows first .. first + n - 1 of a slice. */
static rug_status read_rows(rug_context *ctx, rug_file *file,
                            const rugi_dicom_slice *slice, unsigned char *to,
                            size_t first, size_t n)
{
    dicom_job *job = file->slabs.state;
    rug_status status = decode_file(ctx, file, job, slice);
    if (status != RUG_OK)
        return status;
    size_t n_rows = (size_t)job->stack.head.n_rows, row = job->n_frame_bytes / n_rows;
    const unsigned char *from = (const unsigned char *)job->decoded +
                                (size_t)slice->frame * job->n_frame_bytes + first * row;
    size_t width = (size_t)job->stack.head.n_columns;
    size_t n_bytes = width * rug_dtype_size(file->image.dtype);
    for (size_t y = 0; y < n; y++)
        take_row(file, job, slice, to + y * n_bytes, from + y * row, n_rows * n_bytes);
    return RUG_OK;
}

/* Slices of a volume, or rows of an image; with planes of colour all rows. */
static rug_status read_layers(rug_context *ctx, rug_file *file, void *to, size_t first,
                              size_t n)
{
    dicom_job *job = file->slabs.state;
    size_t n_rows = (size_t)job->stack.head.n_rows;
    job->share = 0;
    if (file->facts.n_planes > 1)
        return read_rows(ctx, file, job->slices, to, 0, n_rows);
    if (file->image.ndim == 2)
        return read_rows(ctx, file, job->slices, to, first, n);
    rug_status status = RUG_OK;
    for (size_t z = 0; status == RUG_OK && z < n; z++) {
        job->share = (double)z / (double)n;
        unsigned char *slice = (unsigned char *)to + z * (size_t)file->image.stride[0];
        status = read_rows(ctx, file, &job->slices[first + z], slice, 0, n_rows);
        if (status == RUG_OK)
            status = rug_context_step(ctx, (double)(z + 1) / (double)n);
    }
    return status;
}

static void close_dicom(rug_context *ctx, void *state)
{
    dicom_job *job = state;
    rugi_dicom_clear(ctx, &job->stack);
    rug_context_release(ctx, job->decoded);
    rug_context_release(ctx, job->row);
    rug_context_release(ctx, job);
}

/* ---- Opening ---- */

static rug_status choose_type(rug_context *ctx, const rug_file *file, dicom_job *job)
{
    const rugi_dicom_head *h = &job->stack.head;
    int is_known = h->bits_allocated == 8 || h->bits_allocated == 16 ||
                   (h->bits_allocated == 32 && h->n_samples == 1);
    int is_plain = h->bits_stored >= 1 && h->bits_stored <= h->bits_allocated &&
                   h->high_bit + 1 == h->bits_stored;
    int is_grey = h->is_white_at_zero || strcmp(h->photometric, "MONOCHROME2") == 0;
    if (!is_known || !is_plain || (h->n_samples != 1 && h->n_samples != 3) ||
        (h->n_samples == 1 && !is_grey && !h->is_palette))
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: %u sample%s of %u bits in %u, highest bit %u, %s; grey of 8, 16 or 32 bits "
            "and colours of 8 or 16 expected; convert it to NIfTI, for example with dcm2niix",
            file->path, h->n_samples, h->n_samples == 1 ? "" : "s", h->bits_stored,
            h->bits_allocated, h->high_bit,
            h->photometric[0] != '\0' ? h->photometric : "no photometric interpretation");
    job->bands.n = h->is_palette ? 3 : (int)h->n_samples;
    job->bands.dtype = h->is_palette             ? RUG_U8
                       : h->bits_allocated == 8  ? (h->is_signed ? RUG_I8 : RUG_U8)
                       : h->bits_allocated == 16 ? (h->is_signed ? RUG_I16 : RUG_U16)
                       : h->is_signed            ? RUG_I32
                                                 : RUG_U32;
    return RUG_OK;
}

/* The values of frames that become floats, which have to be of one kind. */
static rug_status choose_scale(rug_context *ctx, rug_file *file, dicom_job *job, size_t n)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < n && job->bands.n == 1; i++) {
        const rugi_dicom_frame *f = &job->slices[i].place;
        double slope = f->has_slope ? f->slope : 1;
        if (!isfinite(slope) || fabs(slope) <= 0 || !isfinite(f->intercept))
            return rug_context_fail(ctx, RUG_E_FORMAT,
                                    "%s: rescale slope %g and intercept %g, finite ones "
                                    "expected, the slope not 0",
                                    file->path, slope, f->intercept);
        job->is_scaled |= slope < 1 || slope > 1 || fabs(f->intercept) > 0;
        least = fmin(least, slope);
        most = fmax(most, slope);
    }
    if (least < most)
        rug_context_warn(ctx, "%s: slices have slopes of their own, %.6g to %.6g",
                         file->path, least, most);
    if (!job->is_scaled)
        return RUG_OK;
    const rugi_dicom_frame *first = &job->slices[0].place;
    file->facts.slope = first->has_slope ? first->slope : 1;
    file->facts.intercept = first->intercept;
    return RUG_OK;
}

/* Chooses what is read: one volume of several, one frame of those that lie nowhere, or all.
 * @param n  slices of it */
static rug_status choose_slices(rug_context *ctx, rug_file *file, dicom_job *job,
                                const rug_read_options *opts, size_t *n)
{
    const rugi_dicom_stack *s = &job->stack;
    int are_frames = !s->is_placed && s->n_files == 1 && s->n_slices > 1;
    size_t n_pages = are_frames ? s->n_slices : s->n_volumes;
    if (n_pages > INT_MAX)
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                "%s: more frames than can be numbered", file->path);
    file->facts.n_pages = (int)n_pages;
    file->facts.page = opts->page > 0 ? opts->page : 0;
    rug_status status = rugi_check_page(ctx, file, opts->page);
    if (status == RUG_OK)
        status = rugi_check_level(ctx, file, opts->level);
    int is_one = are_frames && opts->volume != 1;
    *n = is_one ? 1 : s->n_slices;
    if (are_frames && !is_one)
        file->facts.page = -1;
    job->slices = s->slices + (file->facts.page > 0
                                   ? (size_t)file->facts.page * (is_one ? 1 : s->n_slices)
                                   : 0);
    file->facts.n_files = s->n_files;
    return status;
}

/* Sets the image: of two axes, unless slices lie one behind the other. */
static rug_status set_image(rug_context *ctx, rug_file *file, dicom_job *job, size_t n,
                            int as_volume)
{
    const rugi_dicom_head *h = &job->stack.head;
    const size_t shape[3] = {n, (size_t)h->n_rows, (size_t)h->n_columns};
    int is_flat = n == 1 && !as_volume;
    if (is_flat && !job->is_scaled)
        return rugi_bands_set_image(ctx, file, &job->bands, shape[1], shape[2]);
    if (file->facts.n_planes > 1)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: a volume in colours; choose a channel with --channel 0..2", file->path);
    const rugi_pixel_coding coding = {.stored = job->bands.dtype,
                                      .scaled = job->is_scaled};
    return rugi_file_set_image(ctx, file, rugi_coding_dtype(&coding), is_flat ? 2 : 3,
                               is_flat ? shape + 1 : shape);
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Where it lies, if it says so. Columns go along rows of the image, x and y change their sign. */
static void set_place(rug_context *ctx, rug_file *file, const dicom_job *job)
{
    const rugi_dicom_frame *f = &job->slices[0].place;
    const double *step = job->stack.step;
    const double spacing[3] = {length_of(step), f->spacing[0], f->spacing[1]};
    rugi_file_set_spacing(file, file->image.ndim == 2 ? spacing + 1 : spacing, "mm");
    if (!job->stack.is_placed || !(f->spacing[0] > 0 && f->spacing[1] > 0))
        return;
    double affine[3][4];
    for (int i = 0; i < 3; i++) {
        double sign = i < 2 ? -1 : 1;
        affine[i][0] = sign * f->orientation[i] * f->spacing[1];
        affine[i][1] = sign * f->orientation[3 + i] * f->spacing[0];
        affine[i][2] = sign * step[i];
        affine[i][3] = sign * f->position[i];
    }
    rugi_file_set_affine(ctx, file, "DICOM", "mm", affine);
}

/* A stored value as it is among the pixels. */
static double value_of(const rug_file *file, const rugi_dicom_head *h, int64_t stored)
{
    double value = (double)stored;
    if (h->is_white_at_zero)
        value = (h->is_signed ? -1 : ldexp(1, (int)h->bits_stored) - 1) - value;
    return value * file->facts.slope + file->facts.intercept;
}

/* The value of padding, or all from one to another. */
static void set_padding(rug_file *file, const dicom_job *job)
{
    const rugi_dicom_head *h = &job->stack.head;
    if (!h->has_padding || job->bands.n > 1)
        return;
    snprintf(file->nodata_text, sizeof file->nodata_text, "%.17g",
             value_of(file, h, h->padding));
    file->has_nodata_limit = h->has_padding_limit;
    file->nodata_limit = value_of(file, h, h->padding_limit);
}

static rug_status prepare(rug_context *ctx, rug_file *file, dicom_job *job,
                          const rug_read_options *opts)
{
    const rugi_dicom_head *h = &job->stack.head;
    size_t n = 0;
    job->n_frame_bytes =
        (size_t)h->n_rows * (size_t)h->n_columns * (size_t)job->bands.n *
        rug_dtype_size(job->bands.dtype); /* at most 65535 x 65535 x 12 */
    rug_status status = choose_slices(ctx, file, job, opts, &n);
    if (status == RUG_OK)
        status =
            rugi_bands_choose(ctx, file, &job->bands, 0, 1, rugi_asked_channel(opts));
    if (status == RUG_OK)
        status = choose_scale(ctx, file, job, n);
    if (status == RUG_OK)
        status = set_image(ctx, file, job, n, opts->volume == 1);
    if (status != RUG_OK)
        return status;
    file->facts.white_is_zero = h->is_white_at_zero;
    file->facts.lossy = h->is_lossy ? "DICOM" : NULL;
    file->slabs.any_order = 1;
    file->slabs.at_once = file->image.ndim == 2 || job->slices->n_frames > 1;
    set_place(ctx, file, job);
    set_padding(file, job);
    if (h->is_of_detector)
        rug_context_warn(
            ctx,
            "%s: the spacing is that at the detector, %.6g x %.6g mm; in the "
            "body it is smaller",
            file->path, h->frame.spacing[0], h->frame.spacing[1]);
    job->row = rug_context_allocate(ctx, (size_t)h->n_columns * (size_t)job->bands.n, 4,
                                    file->path);
    return job->row != NULL ? RUG_OK : RUG_E_NOMEM;
}

/* Folders of arrays are claimed before. */
static int claims(const rug_file *file)
{
    return file->is_folder || rugi_dicom_is_head(file->head, file->n_head);
}

static rug_status open_dicom(rug_context *ctx, rug_file *file,
                             const rug_read_options *opts)
{
    file->facts.format = "dicom";
    dicom_job *job = rug_context_allocate(ctx, 1, sizeof *job, file->path);
    if (job == NULL)
        return RUG_E_NOMEM;
    *job = (dicom_job){.file = SIZE_MAX};
    file->slabs = (rugi_slabs){.read = read_layers, .close = close_dicom, .state = job};
    rug_status status = rugi_dicom_find(ctx, &job->stack, file, opts->series);
    if (status == RUG_OK)
        status = choose_type(ctx, file, job);
    return status == RUG_OK ? prepare(ctx, file, job, opts) : status;
}

const rugi_reader rugi_dicom_reader = {claims, open_dicom};
