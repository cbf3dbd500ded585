/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Volumes whose slices are files of their own. All of them are opened once, to see that they fit
 * each other; pixels are read one file after the other, so that neither memory nor open files grow
 * with their number. The files are read in a context of their own, which turns the progress of one
 * into that of all, and warns once of what many of them say. */

#include "core/context/sized.h"
#include "io/base/reader.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Spacings that differ by less are equal: files round them. */
#define SAME_SPACING 1e-6

#define WARNING_MAX 1024

typedef struct slices_job {
    rug_read_options opts; /* of each file */
    char **paths;          /* owned, with the texts behind it */
    size_t n;
    rug_context *outer; /* of the call in work */
    rug_context *own;   /* files are read in it */
    size_t at;          /* the slice in work, */
    size_t begin, end;  /* and those of the call */
    int is_cancelled;
    int n_warnings; /* while the files are opened; after that they are not said again */
    char warning[WARNING_MAX]; /* the first of them */
    double spacing[2];         /* of rows and columns; 0 = not known, or they differ */
    char unit[RUGI_UNIT_MAX];
} slices_job;

/* ---- A context for the files ---- */

static void take_progress(void *user, double share)
{
    slices_job *job = user;
    double done = (double)(job->at - job->begin) + share;
    if (rug_context_step(job->outer, done / (double)(job->end - job->begin)) != RUG_OK)
        job->is_cancelled = 1;
}

static int is_cancelled(void *user)
{
    return ((const slices_job *)user)->is_cancelled;
}

static void take_warning(void *user, const char *text)
{
    slices_job *job = user;
    if (job->n_warnings++ == 0)
        snprintf(job->warning, sizeof job->warning, "%s", text);
}

static void say_warnings(rug_context *ctx, const slices_job *job)
{
    if (job->n_warnings == 1)
        rug_context_warn(ctx, "%s", job->warning);
    else if (job->n_warnings > 1)
        rug_context_warn(ctx, "%s ... and %d more warnings about its slices",
                         job->warning, job->n_warnings - 1);
}

static rug_status make_context(rug_context *ctx, slices_job *job)
{
    rug_status status = rug_context_new(&job->own);
    if (status == RUG_OK)
        status = rug_context_set_threads(job->own, rug_context_threads(ctx));
    if (status != RUG_OK)
        return rug_context_fail(ctx, status, "no memory for the slices of a volume");
    rug_context_set_progress(job->own, take_progress, job);
    rug_context_set_cancel(job->own, is_cancelled, job);
    rug_context_set_warn(job->own, take_warning, job);
    return RUG_OK;
}

/* ---- One slice ---- */

static void format_kind(char text[120], const rug_file *slice)
{
    const rug_image *image = &slice->shown;
    int n = snprintf(text, 120, "%zux%zu %s", image->shape[0], image->shape[1],
                     rug_dtype_name(image->dtype));
    if (slice->facts.n_channels > 1)
        snprintf(text + n, 120 - (size_t)n, " of %d channels", slice->facts.n_channels);
}

/* Whether a file is one image. */
static rug_status check_one(rug_context *ctx, const slices_job *job,
                            const rug_file *slice)
{
    const rug_image *image = &slice->shown;
    if (image->ndim != 2)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: is a volume itself, of %zux%zux%zu; a slice is an image of two axes",
            slice->path, image->shape[0], image->shape[1], image->shape[2]);
    if (strcmp(slice->facts.format, "dicom") == 0)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: is DICOM, whose slices are sorted by where they lie; give "
            "the folder of the series instead",
            slice->path);
    if (slice->facts.n_pages > 1 && job->opts.page < 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%s: has %d pages; a slice is a file of one page",
                                slice->path, slice->facts.n_pages);
    return RUG_OK;
}

/* Whether a slice is of the same kind as another one. */
static rug_status check_same(rug_context *ctx, const rug_file *slice,
                             const rug_file *first)
{
    const rug_image *a = &slice->shown, *b = &first->shown;
    char text[120], expected[120];
    if (a->shape[0] == b->shape[0] && a->shape[1] == b->shape[1] &&
        a->dtype == b->dtype && slice->facts.n_channels == first->facts.n_channels)
        return RUG_OK;
    format_kind(text, slice);
    format_kind(expected, first);
    return rug_context_fail(ctx, RUG_E_ARG,
                            "%s: is %s, but the first slice, %s, is %s; slices of one "
                            "shape, type and number of channels expected",
                            slice->path, text, first->path, expected);
}

/* Opens slice z. What its context says of a failure goes to the other one. */
static rug_status open_slice(rug_context *ctx, slices_job *job, rug_file **out, size_t z)
{
    job->outer = ctx;
    job->at = z;
    rug_status status = rug_file_open(job->own, out, job->paths[z], &job->opts);
    if (status != RUG_OK)
        return rug_context_fail(ctx, status, "%s", rug_context_error(job->own));
    status = check_one(ctx, job, *out);
    if (status != RUG_OK) {
        rug_file_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- Opening ---- */

/* Copies the paths into one block. */
static rug_status copy_paths(rug_context *ctx, slices_job *job, const char *const *paths,
                             size_t n)
{
    size_t n_bytes = n * sizeof *job->paths;
    for (size_t i = 0; i < n; i++)
        n_bytes += strlen(paths[i]) + 1;
    job->paths = rug_context_allocate(ctx, n_bytes, 1, "names of the slices");
    if (job->paths == NULL)
        return RUG_E_NOMEM;
    char *at = (char *)(job->paths + n);
    for (size_t i = 0; i < n; i++) {
        size_t n_text = strlen(paths[i]) + 1;
        job->paths[i] = memcpy(at, paths[i], n_text);
        at += n_text;
    }
    job->n = n;
    return RUG_OK;
}

/* Keeps the spacing of the first slice, */
static void keep_spacing(slices_job *job, const rug_file *slice)
{
    memcpy(job->spacing, slice->shown.spacing, sizeof job->spacing);
    memcpy(job->unit, slice->unit, sizeof job->unit);
}

/* of which is left what the others have, too. */
static void join_spacing(slices_job *job, const rug_file *slice)
{
    for (int a = 0; a < 2; a++) {
        double is = slice->shown.spacing[a], was = job->spacing[a];
        if (strcmp(slice->unit, job->unit) != 0 || fabs(is - was) > SAME_SPACING * was)
            job->spacing[a] = 0;
    }
}

/* The facts of a volume are those of its first slice. */
static rug_status take_first(rug_context *ctx, rug_file *file, const rug_file *first)
{
    slices_job *job = file->slabs.state;
    const size_t shape[3] = {job->n, first->shown.shape[0], first->shown.shape[1]};
    const char *path = file->facts.path;
    file->facts = first->facts;
    file->facts.path = path;
    file->facts.page = -1;
    file->facts.n_files = job->n;
    file->facts.located_by = file->facts.affine_unit = NULL;
    memset(file->facts.affine, 0, sizeof file->facts.affine);
    file->is_colour = first->is_colour;
    memcpy(file->meaning, first->meaning, sizeof file->meaning);
    if (first->facts.meaning == first->meaning)
        file->facts.meaning = file->meaning;
    keep_spacing(job, first);
    return rugi_file_set_image(ctx, file, first->shown.dtype, 3, shape);
}

/* Opens all slices but the first, and compares them with it. */
static rug_status check_others(rug_context *ctx, rug_file *file, const rug_file *first)
{
    slices_job *job = file->slabs.state;
    rug_status status = RUG_OK;
    for (size_t z = 1; status == RUG_OK && z < job->n; z++) {
        rug_file *slice = NULL;
        status = open_slice(ctx, job, &slice, z);
        if (status == RUG_OK)
            status = check_same(ctx, slice, first);
        if (status == RUG_OK) {
            join_spacing(job, slice);
            file->facts.dropped_alpha |= slice->facts.dropped_alpha;
            file->facts.white_is_zero |= slice->facts.white_is_zero;
            status = rug_context_step(ctx, (double)z / (double)job->n);
        }
        rug_file_free(slice);
    }
    return status;
}

/* ---- Pixels ---- */

/* Copies a slice that is in memory; .npy may have its columns one after the other. */
static void copy_pixels(unsigned char *to, const rug_image *slice)
{
    size_t n_bytes = rug_dtype_size(slice->dtype), row = slice->shape[1] * n_bytes;
    const unsigned char *from = slice->data;
    int has_rows = slice->stride[1] == (ptrdiff_t)n_bytes;
    for (size_t y = 0; y < slice->shape[0]; y++, to += row, from += slice->stride[0])
        if (has_rows)
            memcpy(to, from, row);
        else
            for (size_t x = 0; x < slice->shape[1]; x++)
                memcpy(to + x * n_bytes, from + (ptrdiff_t)x * slice->stride[1], n_bytes);
}

/* A file may have been written anew since it was opened. */
static rug_status check_unchanged(rug_context *ctx, const rug_file *file,
                                  const rug_file *slice)
{
    const rug_image *a = &slice->shown, *b = &file->image;
    return a->shape[0] == b->shape[1] && a->shape[1] == b->shape[2] &&
                   a->dtype == b->dtype
               ? RUG_OK
               : rug_context_fail(ctx, RUG_E_FORMAT,
                                  "%s: is another image than when it was opened",
                                  slice->path);
}

static rug_status read_slice(rug_context *ctx, rug_file *file, unsigned char *to,
                             size_t z)
{
    slices_job *job = file->slabs.state;
    rug_file *slice = NULL;
    rug_status status = open_slice(ctx, job, &slice, z);
    if (status == RUG_OK)
        status = check_unchanged(ctx, file, slice);
    if (status == RUG_OK && (status = rug_file_load(job->own, slice)) != RUG_OK)
        rug_context_fail(ctx, status, "%s", rug_context_error(job->own));
    if (status == RUG_OK) {
        copy_pixels(to, &slice->shown);
        file->unequal |= slice->unequal;
        file->nodata.n += slice->facts.n_nodata;
        file->nodata.n_nan += slice->facts.n_nan;
    }
    rug_file_free(slice);
    return status;
}

static rug_status read_slices(rug_context *ctx, rug_file *file, void *to, size_t first,
                              size_t n)
{
    slices_job *job = file->slabs.state;
    size_t n_bytes = (size_t)file->image.stride[0];
    rug_status status = RUG_OK;
    job->begin = first;
    job->end = first + n;
    job->is_cancelled = 0;
    for (size_t z = first; status == RUG_OK && z < first + n; z++)
        status = read_slice(ctx, file, (unsigned char *)to + (z - first) * n_bytes, z);
    return status;
}

static void close_slices(rug_context *ctx, void *state)
{
    slices_job *job = state;
    rug_context_release(ctx, job->paths);
    rug_context_free(job->own);
    rug_context_release(ctx, job);
}

/* What is asked of a volume of slices. */
typedef struct asked {
    const char *const *paths;
    size_t n;
    rug_read_options opts;
} asked;

static rug_status open_slices(rug_context *ctx, rug_file *file, const void *user)
{
    const asked *a = user;
    slices_job *job = rug_context_allocate(ctx, 1, sizeof *job, file->path);
    rug_file *first = NULL;
    if (job == NULL)
        return RUG_E_NOMEM;
    *job = (slices_job){.opts = a->opts, .end = a->n};
    file->slabs = (rugi_slabs){
        .read = read_slices, .close = close_slices, .state = job, .any_order = 1};
    rug_status status = copy_paths(ctx, job, a->paths, a->n);
    if (status == RUG_OK)
        status = make_context(ctx, job);
    if (status == RUG_OK)
        status = open_slice(ctx, job, &first, 0);
    if (status == RUG_OK)
        status = take_first(ctx, file, first);
    if (status == RUG_OK)
        status = check_others(ctx, file, first);
    rug_file_free(first);
    if (status != RUG_OK)
        return status;
    const double spacing[3] = {0, job->spacing[0], job->spacing[1]};
    rugi_file_set_spacing(file, spacing, job->unit);
    file->shown = file->image;
    say_warnings(ctx, job);
    return RUG_OK;
}

static rug_status check_arguments(rug_context *ctx, const asked *a)
{
    if (a->n == 0)
        return rug_context_fail(
            ctx, RUG_E_ARG, "rug_file_open_slices: 0 files given, at least 1 expected");
    for (size_t i = 0; i < a->n; i++)
        if (a->paths[i] == NULL)
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "rug_file_open_slices: NULL given for path %zu", i);
    if (a->opts.volume != 0 || a->opts.planes != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%s: a slice is neither a volume nor planes of colour; 0 "
                                "expected for both",
                                a->paths[0]);
    return RUG_OK;
}

rug_status rug_file_open_slices(rug_context *ctx, rug_file **out,
                                const char *const *paths, size_t n,
                                const rug_read_options *opts)
{
    asked a = {paths, n, RUG_READ_OPTIONS_INIT};
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || paths == NULL)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "rug_file_open_slices: NULL given for the context, the result or the paths");
    rug_status status = RUGI_TAKE(ctx, &a.opts, opts, "rug_read_options");
    if (status == RUG_OK)
        status = check_arguments(ctx, &a);
    return status == RUG_OK ? rugi_file_make(ctx, out, paths[0], open_slices, &a)
                            : status;
}
