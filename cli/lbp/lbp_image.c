/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One image that is coded by local binary patterns: coding it, and what is told of it. */

#include "lbp_coding.h"
#include <inttypes.h>
#include <stdio.h>

/* The read line names operators as far as they fit. */
#define EXTRA_MAX 640

rug_status cli_lbp_check_image(cli_run *run, const cli_image *image)
{
    if (image->pixels->ndim == 2)
        return RUG_OK;
    return rug_context_fail(run->ctx, RUG_E_ARG,
                            "a volume of %zux%zux%zu pixels; textures are learnt from "
                            "images: save its slices as images",
                            image->pixels->shape[0], image->pixels->shape[1],
                            image->pixels->shape[2]);
}

rug_status cli_lbp_code(cli_run *run, rug_lbp_result **out, const cli_image *image,
                        const rug_lbp_options *opts, double *seconds)
{
    double start = cli_now();
    rug_lbp_options with = *opts;
    rug_status status;
    *out = NULL;
    if (image->pixels->data == NULL) {
        status = rug_lbp_source(run->ctx, out, &image->source,
                                image->mask_path != NULL ? &image->mask : NULL, &with);
    } else {
        if (image->mask_path != NULL)
            with.mask = rug_file_image(image->mask_file);
        status = rug_lbp(run->ctx, out, image->pixels, &with);
    }
    *seconds += cli_now() - start;
    return status;
}

void cli_lbp_tell(cli_run *run, const cli_image *image, const rug_lbp_options *opts,
                  const char *extra)
{
    char text[EXTRA_MAX], all[EXTRA_MAX + 80];
    if (run->common.quiet)
        return;
    cli_lbp_format(text, sizeof text, opts);
    snprintf(all, sizeof all, "%s%s%s", text, extra != NULL ? ", " : "",
             extra != NULL ? extra : "");
    cli_print_line(run, rug_file_read_line(image->file, &image->range, all));
}

static int is_float(rug_dtype dtype)
{
    return dtype == RUG_F32 || dtype == RUG_F64;
}

void cli_lbp_warn_values(cli_run *run, const cli_image *image,
                         const rug_lbp_options *opts)
{
    const rug_image_range *r = &image->range;
    if (is_float(image->pixels->dtype) && opts->method != RUG_LBP_VAR &&
        opts->interpolation == RUG_LBP_BILINEAR && opts->exact == RUG_LBP_EXACT_SKIMAGE)
        cli_warn(run,
                 "values are %s: where a sample should equal its centre, rounding "
                 "decides; --exact decimal keeps flat parts flat",
                 rug_dtype_name(image->pixels->dtype));
    if (r->n_nan == 0)
        return;
    int has_variance = opts->method == RUG_LBP_VAR || opts->operators[0].n_cuts > 0;
    cli_warn(run, "%" PRIu64 " pixels are NaN; %s", r->n_nan,
             has_variance ? "circles that touch them have no variance and are not counted"
                          : "bits of samples beside them, and all bits of their own "
                            "patterns, are 0");
}

void cli_lbp_warn_empty(cli_run *run, const cli_image *image, const rug_lbp_options *opts,
                        const rug_lbp_result *result)
{
    for (size_t i = 0; i < rug_lbp_count(result); i++) {
        const rug_lbp_histogram *h = rug_lbp_at(result, i);
        if (h->n_bins == 0 || h->pixels > 0)
            continue;
        const rug_lbp_operator *op = &opts->operators[h->op];
        cli_warn(
            run, "no pixel has a code of (%" PRIu32 ", %g)%s", op->points, op->radius,
            image->mask_path != NULL ? ": is the mask right?"
            : opts->border == RUG_LBP_BORDER_SKIP
                ? ": with --border skip the whole circle must lie inside of the image"
                : ": the variance of every pixel is NaN");
    }
}

void cli_lbp_tell_times(const cli_run *run, const cli_image *image, double code_seconds,
                        const char *engine)
{
    if (!run->common.verbose)
        return;
    fprintf(stderr, "time %s: read %.3f ms, range %.3f ms, code %.3f ms (%s, %d threads)",
            image->name, image->read_seconds * 1e3, image->range_seconds * 1e3,
            code_seconds * 1e3, engine, rug_context_threads(run->ctx));
    cli_print_device_times(run);
    fputc('\n', stderr);
}
