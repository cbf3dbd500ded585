/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What `rugose haralick` prints on stderr: what was read, warnings with numbers, and times. */

#include "cmd_haralick.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- What was read ---- */

#define TEXT_MAX 200
/* Data that fill less of their range than this have too few levels. */
#define FILLED 0.25

/* The range that one set of bins divides, the same for all regions. @return 0: there is
 * none */
static int common_range(double range[2], const cli_image *image,
                        const cli_haralick_found *found)
{
    const rug_glcm_options *o = &found->opts;
    const cli_haralick_tally *t = &found->tally;
    if (o->levels != RUG_GLCM_LEVELS_COUNT || o->range == RUG_GLCM_RANGE_ROI)
        return 0;
    if (o->range == RUG_GLCM_RANGE_IMAGE && o->resegment) {
        range[0] = t->bin_origin;
        range[1] = t->bin_origin + t->bin_width * o->n_levels;
        return 1;
    }
    range[0] = cli_image_range(image)->min;
    range[1] = cli_image_range(image)->max;
    if (o->range == RUG_GLCM_RANGE_GIVEN) {
        range[0] = o->range_lo;
        range[1] = o->range_hi;
    } else if (o->range == RUG_GLCM_RANGE_TYPE) {
        cli_haralick_type_range(range, image->facts->values);
    }
    return 1;
}

/* "32 levels of 0..4095", and how many of them occur. */
static void format_levels(char text[TEXT_MAX], const cli_image *image,
                          const cli_haralick_found *found)
{
    const rug_glcm_options *o = &found->opts;
    const cli_haralick_tally *t = &found->tally;
    double range[2];
    char used[48];
    snprintf(used, sizeof used,
             t->least_levels == t->most_levels ? "%" PRIu32 : "%" PRIu32 " to %" PRIu32,
             t->least_levels, t->most_levels);
    if (t->least_levels == 0 && t->most_levels == 0)
        snprintf(text, TEXT_MAX, "no grey level occurs");
    else if (o->levels == RUG_GLCM_LEVELS_EXACT)
        snprintf(text, TEXT_MAX, "exact grey levels, %s occur", used);
    else if (o->levels == RUG_GLCM_LEVELS_WIDTH)
        snprintf(text, TEXT_MAX, "levels of width %.6g, %s occur", o->bin_width, used);
    else if (common_range(range, image, found))
        snprintf(text, TEXT_MAX, "%" PRIu32 " levels of %.6g..%.6g, %s occur",
                 o->n_levels, range[0], range[1], used);
    else
        snprintf(text, TEXT_MAX, "%" PRIu32 " levels of each region's range, %s occur",
                 o->n_levels, used);
}

/* "-1000..400", "..400" */
static const char *format_kept(char text[TEXT_MAX], const rug_glcm_options *o)
{
    int n = 0;
    if (isfinite(o->resegment_lo))
        n = snprintf(text, TEXT_MAX, "%.6g", o->resegment_lo);
    n += snprintf(text + n, TEXT_MAX - (size_t)n, "..");
    if (isfinite(o->resegment_hi))
        snprintf(text + n, TEXT_MAX - (size_t)n, "%.6g", o->resegment_hi);
    return text;
}

static void print_read_line(cli_run *run, const cli_image *image,
                            const cli_haralick_found *found)
{
    char levels[TEXT_MAX], kept[TEXT_MAX], extra[3 * TEXT_MAX];
    const cli_haralick_tally *t = &found->tally;
    size_t n = t->n_regions, used = 0;
    format_levels(levels, image, found);
    if (found->labels.path != NULL)
        used =
            (size_t)snprintf(extra, sizeof extra, "%zu label%s, ", n, n == 1 ? "" : "s");
    used += (size_t)snprintf(extra + used, sizeof extra - used, "%s", levels);
    if (found->opts.resegment)
        snprintf(extra + used, sizeof extra - used,
                 ", %" PRIu64 " of %" PRIu64 " pixels outside %s left out", t->n_outside,
                 t->n_pixels, format_kept(kept, &found->opts));
    cli_print_read(run, image, extra);
}

/* "3 of 25 labels", or the only region there is. */
static const char *format_regions(char text[TEXT_MAX], const cli_haralick_found *found,
                                  const cli_image *image, size_t n, size_t of)
{
    if (found->labels.path != NULL)
        snprintf(text, TEXT_MAX, "%zu of %zu label%s", n, of, of == 1 ? "" : "s");
    else
        snprintf(text, TEXT_MAX, image->mask_path != NULL ? "the mask" : "the image");
    return text;
}

/* The axes along which the chosen directions go. */
static unsigned axes_in_use(cli_run *run, const rug_image *img, const rug_glcm_options *o)
{
    int flat = img->ndim == 2 || o->slices != RUG_GLCM_SLICES_NONE;
    uint32_t n = flat ? RUG_GLCM_DIRECTIONS_2D : RUG_GLCM_DIRECTIONS_3D;
    unsigned axes = 0;
    for (uint32_t k = 0; k < n; k++) {
        int step[3];
        if (o->directions != 0 && !(o->directions >> k & 1))
            continue;
        rug_glcm_direction(run->ctx, step, img->ndim, k);
        for (int a = 0; a < 3; a++)
            axes |= step[a] != 0 ? 1u << a : 0u;
    }
    return axes;
}

static void warn_of_spacing(cli_run *run, const rug_image *img, const rug_glcm_options *o)
{
    double lo, hi;
    if (cli_is_unequal(&lo, &hi, img, axes_in_use(run, img, o)))
        cli_warn(run,
                 "spacing is unequal (%g to %g, ratio %.3g): distances are in pixels, so "
                 "directions differ in length; resample to equal spacing%s",
                 lo, hi, hi / lo,
                 img->ndim == 3 && o->slices == RUG_GLCM_SLICES_NONE
                     ? ", or measure slice by slice (--slices)"
                     : "");
}

/* What the range of a camera would be, whose numbers are stored in 16 bits. */
static void format_advice(char text[TEXT_MAX], const cli_image *image)
{
    static const unsigned bits[] = {10, 12, 14};
    snprintf(text, TEXT_MAX, "give --range LO..HI");
    for (size_t i = 0; i < 3 && image->facts->values == RUG_U16; i++)
        if (cli_image_range(image)->max < (double)(1u << bits[i])) {
            snprintf(text, TEXT_MAX, "give --range 0..%u if the data have %u bits",
                     (1u << bits[i]) - 1, bits[i]);
            return;
        }
}

/* Data in a small part of the range that is cut into bins. */
static void warn_of_range(cli_run *run, const cli_image *image,
                          const cli_haralick_found *found)
{
    const rug_glcm_options *o = &found->opts;
    double range[2];
    char advice[TEXT_MAX];
    if (o->range == RUG_GLCM_RANGE_IMAGE || !common_range(range, image, found))
        return;
    double least = cli_image_range(image)->min, most = cli_image_range(image)->max;
    if (o->resegment) {
        least = fmax(least, o->resegment_lo);
        most = fmin(most, o->resegment_hi);
    }
    double lo = fmax(least, range[0]), hi = fmin(most, range[1]);
    double share = (hi / 2 - lo / 2) / (range[1] / 2 - range[0] / 2); /* of any size */
    if (!(hi > lo) || share >= FILLED)
        return;
    format_advice(advice, image);
    cli_warn(run,
             "values %.6g..%.6g fill %.3g %% of the range %.6g..%.6g, about %.0f of "
             "%" PRIu32 " levels: %s",
             least, most, share * 100, range[0], range[1], ceil(share * o->n_levels),
             o->n_levels, advice);
}

/* Values that are as the ends of what is given. */
static void warn_of_clamped(cli_run *run, const cli_haralick_found *found)
{
    const rug_glcm_options *o = &found->opts;
    uint64_t n = found->tally.n_clamped;
    if (n == 0)
        return;
    if (o->range == RUG_GLCM_RANGE_GIVEN)
        cli_warn(
            run,
            "pixels outside the range %.6g..%.6g, counted at its nearest end: %" PRIu64,
            fmax(o->range_lo,
                 o->origin == RUG_GLCM_ORIGIN_GIVEN ? o->bin_origin : o->range_lo),
            o->range_hi, n);
    else
        cli_warn(run, "pixels below %.6g, counted in the first bin: %" PRIu64,
                 o->bin_origin, n);
}

static void warn_of_values(cli_run *run, const cli_image *image,
                           const cli_haralick_found *found)
{
    const cli_haralick_tally *t = &found->tally;
    cli_warn_of_left_out(run, image, t->n_nan, "left out of all pairs");
    warn_of_clamped(run, found);
    warn_of_range(run, image, found);
}

/* Regions of which nothing is left; their rows have no pairs. */
static void warn_of_resegment(cli_run *run, const cli_image *image,
                              const cli_haralick_found *found)
{
    const cli_haralick_tally *t = &found->tally;
    char regions[TEXT_MAX], kept[TEXT_MAX];
    if (t->n_left_out > 0)
        cli_warn(run, "no pixel has a value in %s in %s", format_kept(kept, &found->opts),
                 format_regions(regions, found, image, t->n_left_out, t->n_regions));
}

static int has(const cli_haralick_job *job, rug_glcm_feature feature)
{
    for (uint32_t i = 0; i < job->n_features; i++)
        if (job->feature[i] == feature)
            return 1;
    return 0;
}

/* The features that have no value without variance. @return 0: none is asked for */
static int format_undefined(char text[TEXT_MAX], const cli_haralick_job *job)
{
    static const rug_glcm_feature all[] = {RUG_GLCM_CORRELATION,
                                           RUG_GLCM_INFO_CORRELATION_1,
                                           RUG_GLCM_MAX_CORRELATION_COEFFICIENT};
    int n = 0;
    text[0] = '\0';
    for (int i = 0; i < 3; i++)
        if (has(job, all[i]))
            n += snprintf(text + n, TEXT_MAX - (size_t)n, "%s%s", n > 0 ? ", " : "",
                          job->names[all[i]]);
    return n > 0;
}

static void warn_of_levels(cli_run *run, const cli_haralick_job *job,
                           const cli_image *image, const cli_haralick_found *found)
{
    const cli_haralick_tally *t = &found->tally;
    char regions[TEXT_MAX], undefined[TEXT_MAX];
    int is_binned = t->n_few > 0 && found->opts.levels != RUG_GLCM_LEVELS_EXACT;
    const rug_image_range *r = is_binned ? cli_image_range(image) : NULL;
    if (is_binned && !r->distinct_is_min && r->n_distinct < CLI_HARALICK_FEW)
        cli_warn(run, "the image has only %" PRIu32 " different value%s", r->n_distinct,
                 r->n_distinct == 1 ? "" : "s");
    else if (is_binned)
        cli_warn(
            run,
            "fewer than %d grey levels are left after binning in %s: use more levels "
            "or a narrower range to keep the texture",
            CLI_HARALICK_FEW,
            format_regions(regions, found, image, t->n_few, t->n_regions));
    if (t->n_flat > 0 && format_undefined(undefined, job))
        cli_warn(
            run, "no variance in %s along at least one direction; undefined (nan): %s",
            format_regions(regions, found, image, t->n_flat, t->n_regions), undefined);
}

static void warn_of_pairs(cli_run *run, const cli_haralick_job *job,
                          const cli_image *image, const cli_haralick_found *found)
{
    const cli_haralick_tally *t = &found->tally;
    uint32_t n = job->opts.n_distances > 0 ? job->opts.n_distances : 1;
    char regions[TEXT_MAX], small[TEXT_MAX] = "";
    for (uint32_t i = 0; i < n; i++) {
        uint32_t d = job->opts.n_distances > 0 ? job->distances[i] : 1;
        if (t->n_small[i] > 0 && found->labels.path != NULL)
            snprintf(small, sizeof small, " (%zu no larger than the distance)",
                     t->n_small[i]);
        else if (t->n_small[i] > 0)
            snprintf(small, sizeof small, " (no larger than the distance)");
        if (t->n_empty[i] > 0)
            cli_warn(run, "no pairs at distance %" PRIu32 " in %s%s", d,
                     format_regions(regions, found, image, t->n_empty[i], t->n_regions),
                     small);
        if (t->n_partly[i] > 0)
            cli_warn(run, "no pairs at distance %" PRIu32 " along some directions in %s",
                     d,
                     format_regions(regions, found, image, t->n_partly[i], t->n_regions));
        small[0] = '\0';
    }
}

static void print_times(const cli_run *run, const cli_image *image,
                        const cli_haralick_found *found)
{
    const char *engine = found->tally.engine;
    if (!cli_begin_times(run, image))
        return;
    if (found->opts.labels != NULL)
        cli_print(run->err, ", labels %.3f ms", found->labels_seconds * 1e3);
    if (found->map_seconds > 0)
        cli_print(run->err, ", maps %.3f ms", found->map_seconds * 1e3);
    cli_print(run->err, ", count %.3f ms", found->measure_seconds * 1e3);
    cli_end_times(run, engine != NULL ? engine : "nothing to count", "");
}

void cli_haralick_print(cli_run *run, const cli_haralick_job *job, const cli_image *image,
                        const cli_haralick_found *found)
{
    print_read_line(run, image, found);
    cli_warn_of_labels(run, &found->labels, found->tally.n_regions);
    if (image->mask_path != NULL && found->tally.n_pixels == 0)
        cli_warn(run, "the mask leaves no pixel of %s",
                 found->labels.path != NULL ? "any label" : "the image");
    warn_of_values(run, image, found);
    warn_of_resegment(run, image, found);
    warn_of_levels(run, job, image, found);
    warn_of_spacing(run, image->pixels, &found->opts);
    warn_of_pairs(run, job, image, found);
    print_times(run, image, found);
}
