/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From a header to an opened file: which axes are space, channels and pages, what is asked of
 * them, and where the volume lies. It knows no format. */

#include "volume.h"
#include <inttypes.h>
#include <limits.h>
#include <string.h>

/** Channels that can be asked for. */
#define CHANNELS_MAX 65536

/** What the axes are. */
typedef struct arrangement {
    int space[3]; /* axes of space, fastest first, */
    int n_space;  /* 2 or 3 */
    uint64_t n_pages, n_channels;
    rugi_volume_part part;
} arrangement;

static int count_space(const rugi_volume *v)
{
    int n = 0;
    for (int i = 0; i < v->n_axes; i++)
        n += v->axis[i].kind == RUGI_AXIS_SPACE;
    return n;
}

/** Beyond three axes of space those of one pixel are none, and the slowest is of pages. */
static void leave_three(rugi_volume *v)
{
    int n = count_space(v);
    for (int i = v->n_axes - 1; i >= 0 && n > 3; i--)
        if (v->axis[i].kind == RUGI_AXIS_SPACE && v->axis[i].size == 1) {
            v->axis[i].kind = RUGI_AXIS_PAGES;
            n--;
        }
    for (int i = v->n_axes - 1; i >= 0 && n == 4; i--)
        if (v->axis[i].size > 1) {
            if (v->axis[i].kind == RUGI_AXIS_SPACE)
                v->axis[i].kind = RUGI_AXIS_PAGES;
            break;
        }
}

/** Whether no axis that is slower has more than one value. */
static int is_slowest(const rugi_volume *v, int axis)
{
    for (int i = axis + 1; i < v->n_axes; i++)
        if (v->axis[i].size > 1)
            return 0;
    return 1;
}

/** Finds out which axis is what. */
static rug_status arrange(rug_context *ctx, const rug_file *file, rugi_volume *v,
                          arrangement *a)
{
    uint64_t n = 1;
    int fits = 1, n_others = 0;
    leave_three(v);
    *a = (arrangement){.n_pages = 1, .n_channels = 1, .part.block = 1};
    for (int i = 0; i < v->n_axes; i++) {
        const rugi_volume_axis *axis = &v->axis[i];
        if (axis->kind == RUGI_AXIS_SPACE) {
            if (a->n_space < 3)
                a->space[a->n_space] = i;
            a->n_space++;
        } else if (axis->size > 1 && axis->kind == RUGI_AXIS_PAGES && is_slowest(v, i)) {
            a->n_pages = axis->size;
        } else if (axis->size > 1) {
            a->n_channels = axis->size;
            a->part.block = n;
            n_others++;
        }
        fits = fits && rugi_multiply(&n, n, axis->size);
    }
    uint64_t n_bytes;
    a->part.n_stored = n;
    if (a->n_space < 2 || a->n_space > 3 || n_others > 1)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: the %s file has %d axes, %d of them of space%s; 2 (image) or 3 (volume) of "
            "space, one of channels and one of pages expected",
            file->path, file->facts.format, v->n_axes, a->n_space,
            n_others > 1 ? " and several of channels" : "");
    if (!fits || !rugi_multiply(&n_bytes, n, 8) || n_bytes > PTRDIFF_MAX)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: the %s header promises more pixels than an address can count",
            file->path, file->facts.format);
    return RUG_OK;
}

/** Whether luma can be made of the channels, or planes. */
static int has_luma(const rugi_volume *v, const arrangement *a)
{
    return v->is_colour && a->part.block == 1;
}

static rug_status check_asked(rug_context *ctx, rug_file *file, const rugi_volume *v,
                              const rug_read_options *opts, arrangement *a)
{
    if (a->n_pages > INT_MAX || a->n_channels > CHANNELS_MAX)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED, "%s: the %s file has more %s than can be numbered",
            file->path, file->facts.format, a->n_pages > INT_MAX ? "pages" : "channels");
    file->facts.n_pages = (int)a->n_pages;
    file->facts.page = opts->page > 0 ? opts->page : 0;
    a->part.bands =
        (rugi_bands){.dtype = rugi_coding_dtype(&v->coding), .n = (int)a->n_channels};
    int n_alpha = v->n_alpha > 0 && a->n_channels == 4;
    rug_status status = rugi_check_page(ctx, file, opts->page);
    if (status == RUG_OK)
        status = rugi_check_level(ctx, file, opts->level);
    if (status == RUG_OK)
        status = rugi_bands_choose(ctx, file, &a->part.bands, n_alpha, has_luma(v, a),
                                   rugi_asked_channel(opts));
    a->part.first = a->part.n_stored / a->n_pages *
                    (uint64_t)(status == RUG_OK ? file->facts.page : 0);
    return status;
}

/** Whether each of n files holds whole layers of some axis. */
static int are_divided(const rugi_volume *v, size_t n)
{
    uint64_t layers = 1;
    for (int i = v->n_axes - 1; i >= 0; i--) {
        if (n > 0 && layers <= n && n % layers == 0 &&
            v->axis[i].size % (n / layers) == 0)
            return 1;
        if (!rugi_multiply(&layers, layers, v->axis[i].size))
            return 0;
    }
    return n > 0 && layers == n;
}

static rug_status check_files(rug_context *ctx, const rug_file *file,
                              const rugi_volume *v)
{
    if (!v->files.are_others || are_divided(v, v->files.n))
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "%s: names %zu file%s of pixels, into which its axes cannot "
                            "be divided",
                            file->path, v->files.n, v->files.n == 1 ? "" : "s");
}

static rug_status set_image(rug_context *ctx, rug_file *file, const rugi_volume *v,
                            const arrangement *a, int as_volume)
{
    size_t shape[3] = {1, 1, 1};
    for (int k = 0; k < a->n_space; k++)
        shape[2 - k] = (size_t)v->axis[a->space[k]].size;
    int flat = shape[0] == 1 && !as_volume;
    if (file->facts.n_planes > 1 && !flat)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: a volume in colours; choose a channel with --channel 0..2", file->path);
    if (file->facts.n_planes > 1)
        return rugi_bands_set_image(ctx, file, &a->part.bands, shape[1], shape[2]);
    return rugi_file_set_image(ctx, file, rugi_coding_dtype(&v->coding), flat ? 2 : 3,
                               flat ? shape + 1 : shape);
}

static void set_place(rug_context *ctx, rug_file *file, const rugi_volume *v,
                      const arrangement *a)
{
    double spacing[3] = {0, 0, 0}, affine[3][4];
    memset(affine, 0, sizeof affine);
    for (int k = 0; k < a->n_space; k++) {
        spacing[2 - k] = v->axis[a->space[k]].spacing;
        for (int i = 0; i < 3; i++)
            affine[i][k] = v->axis[a->space[k]].step[i];
    }
    for (int i = 0; i < 3; i++)
        affine[i][3] = v->origin[i];
    rugi_file_set_spacing(file, spacing + 3 - file->image.ndim, v->unit);
    if (v->located_by != NULL &&
        (a->n_space >= file->image.ndim || file->facts.n_planes > 1))
        rugi_file_set_affine(ctx, file, v->located_by, v->affine_unit, affine);
}

rug_status rugi_volume_open(rug_context *ctx, rug_file *file,
                            const rug_read_options *opts, rugi_volume *v)
{
    arrangement a;
    rug_status status = arrange(ctx, file, v, &a);
    if (status == RUG_OK)
        status = check_asked(ctx, file, v, opts, &a);
    if (status == RUG_OK)
        status = check_files(ctx, file, v);
    if (status == RUG_OK)
        status = set_image(ctx, file, v, &a, opts->volume);
    if (status != RUG_OK)
        return status;
    set_place(ctx, file, v, &a);
    file->facts.slope = v->coding.slope;
    file->facts.intercept = v->coding.intercept;
    return rugi_volume_stream(ctx, file, v, &a.part);
}
