/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose lacunarity: how unevenly mass is spread. */

#include "draw/draw.h"
#include "overlay/overlay.h"
#include "parts/parts.h"
#include "shared/twin.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define EXTRA_MAX    (CLI_FOREGROUND_MAX + 64)
#define OWN_MASK_MAX (RUGI_REAL_TEXT_MAX + 64)

/* Values of its own options; choices in the order of rug_lacunarity_boxes. */
typedef struct lacunarity_values {
    cli_sizes sizes;
    int boxes;
    rug_foreground foreground;
    int gray;
    const char *mask;
    const char *labels;
    const char *plot;
} lacunarity_values;

/* The command's state over its images. */
typedef struct lacunarity_job {
    lacunarity_values values;
    cli_plots plots;
} lacunarity_job;

/* What was measured of one image. */
typedef struct found {
    rug_lacunarity_options opts; /* as they were for it */
    cli_rows rows;
    size_t n_labels;
    uint64_t n_left_out; /* of all labels */
    const char *engine;  /* NULL: nothing was measured */
    cli_labels labels;
    double threshold_seconds, measure_seconds;
} found;

static const cli_option options[] = {
    {CLI_OPTION("sizes", CLI_SIZES, "LIST|A..B[:STEP]", lacunarity_values, sizes),
     .unset = "default",
     .help = "box sizes in pixels, such as 3,9,27 or 2..64:2 (default: 1, 2, 4 ... up to "
             "the shortest axis)"},
    {CLI_OPTION("boxes", CLI_CHOICE, NULL, lacunarity_values, boxes),
     .choices = "gliding|fixed",
     .help = "where the boxes lie, always wholly inside the image: at every position "
             "(gliding, default), or side by side from the first pixel on (fixed)"},
    {CLI_OPTION("foreground", CLI_FOREGROUND, "RULE", lacunarity_values, foreground),
     .also = "threshold|thresh|cutoff",
     .help =
         "which pixels are set and have mass 1: auto (default), nonzero, otsu, otsu-dark, "
         "above=T, below=T or label=L, as in boxcount"},
    {CLI_OPTION("gray", CLI_FLAG, NULL, lacunarity_values, gray),
     .help = "the mass of a pixel is its grey value, which must not be negative"},
    {CLI_OPTION("mask", CLI_TEXT, "FILE", lacunarity_values, mask),
     .help = "image of the same shape; boxes that hold a pixel where it is 0 are not "
             "counted; a list may name one for each image"},
    {CLI_OPTION("labels", CLI_TEXT, "FILE", lacunarity_values, labels),
     .help =
         "label image of the same shape: rows for each label except 0, of its mass in "
         "its bounding box (default: the whole image is one region, label 0)"
         "; with several images '{}' in FILE stands for the image's name, or a list names one for each"},
    {CLI_OPTION("plot", CLI_TEXT, "FILE", lacunarity_values, plot), .is_unlisted = 1,
     .help = CLI_PLOT_HELP("draw lacunarity against size, both logarithmic")},
};

static const cli_example examples[] = {
    {"rugose lacunarity vessels.png", "one image: its foreground, gliding boxes"},
    {"rugose lacunarity --gray --sizes 2..64:2 -o lacunarity.csv slides/*.tif",
     "many grey images, to a CSV file"},
    {"rugose lacunarity --foreground above=100 --plot cell.svg cell.tif", "with a plot"},
    {"rugose lacunarity --labels cells_labels.png cells.tif", "rows for each cell"},
    {"rugose lacunarity --list images.csv -f json",
     "the images and masks of a list, with all details"},
    {NULL, NULL},
};

/* ---- Rows ---- */

static const char *const columns[] = {
    "image",     "label",           "size",   "lacunarity", "mean", "variance",
    "positions", "mean_lacunarity", "status", NULL};

/* The mean over the sizes that have one. */
static double mean_of(const rug_lacunarity_result *result)
{
    uint32_t n = 0;
    double sum = 0;
    for (uint32_t i = 0; i < rug_lacunarity_get_facts(result)->n_sizes; i++) {
        double lacunarity = rug_lacunarity_at(result, i)->lacunarity;
        if (!isnan(lacunarity)) {
            sum += lacunarity;
            n++;
        }
    }
    return n > 0 ? sum / n : (double)NAN;
}

static void add_json_details(const cli_run *run, cli_record *row,
                             const lacunarity_job *job, const found *f,
                             const rug_region *region, const rug_lacunarity_facts *facts)
{
    char rule[RUG_FOREGROUND_TEXT_MAX];
    rug_foreground_format(rule, facts->foreground);
    if (f->labels.path != NULL)
        cli_add_file(row, "labels", cli_as_listed(run, f->labels.path), f->labels.digest);
    if (region != NULL)
        cli_set_region(row, region, facts->ndim);
    cli_record_set_text(row, "mass", job->values.gray ? "grey values" : rule);
    cli_record_set_integer(row, "pixels", facts->n_pixels);
    cli_record_set_integer(row, "pixels_with_mass", facts->n_set);
    cli_record_set_integer(row, "left_out", facts->n_left_out);
    cli_record_set_signed(row, "unit_exponent", facts->unit_exponent);
    cli_record_set_text(row, "engine", facts->engine);
}

static cli_record *size_row(cli_run *run, const lacunarity_job *job,
                            const cli_image *image, const found *f,
                            const rug_region *region, const rug_lacunarity_facts *facts,
                            const rug_lacunarity_size *size, double mean)
{
    cli_record *row = cli_image_row(run, image);
    cli_record_set_integer(row, "label", region != NULL ? region->label : 0);
    cli_record_set_integer(row, "size", size->size);
    cli_record_set_real(row, "lacunarity", size->lacunarity);
    cli_record_set_real(row, "mean", size->mean);
    cli_record_set_real(row, "variance", size->variance);
    cli_record_set_integer(row, "positions", size->positions);
    cli_record_set_real(row, "mean_lacunarity", mean);
    cli_record_set_text(row, "status", rug_lacunarity_status_name(size->status));
    if (run->has_details)
        add_json_details(run, row, job, f, region, facts);
    return row;
}

static rug_status add(cli_run *run, const lacunarity_job *job, const cli_image *image,
                      found *f, const rug_region *region,
                      const rug_lacunarity_result *result)
{
    const rug_lacunarity_facts *facts = rug_lacunarity_get_facts(result);
    double mean = mean_of(result);
    rug_status status = RUG_OK;
    for (uint32_t i = 0; i < facts->n_sizes && status == RUG_OK; i++)
        status = cli_keep_row(run, &f->rows,
                              size_row(run, job, image, f, region, facts,
                                       rug_lacunarity_at(result, i), mean));
    f->engine = facts->engine;
    f->n_left_out += facts->n_left_out;
    return status;
}

/* ---- Lines on stderr ---- */

static double share_of(const rug_lacunarity_facts *r)
{
    return r->n_pixels > 0 ? (double)r->n_set / (double)r->n_pixels : (double)NAN;
}

static void format_mass(char text[EXTRA_MAX], const lacunarity_job *job,
                        const cli_image *image, const found *f,
                        const rug_lacunarity_facts *r)
{
    if (r == NULL) {
        char rule[RUG_FOREGROUND_TEXT_MAX] = "grey values";
        if (!job->values.gray)
            rug_foreground_format(rule, f->opts.foreground);
        snprintf(text, EXTRA_MAX, "%s%s, %zu label%s",
                 job->values.gray ? "mass = " : "foreground ", rule, f->n_labels,
                 f->n_labels == 1 ? "" : "s");
    } else if (job->values.gray) {
        snprintf(text, EXTRA_MAX,
                 "mass = grey values, above 0 in %.1f %% of %" PRIu64 " pixels%s",
                 share_of(r) * 100, r->n_pixels,
                 image->mask_path != NULL ? " inside the mask" : "");
    } else {
        cli_format_foreground(text, image, job->values.foreground, r->foreground,
                              share_of(r), r->n_pixels);
    }
}

/* Sizes without a number. */
static void warn_of_sizes(cli_run *run, const rug_lacunarity_result *result)
{
    const rug_lacunarity_facts *r = rug_lacunarity_get_facts(result);
    uint32_t n_without = 0;
    uint64_t first = 0;
    for (uint32_t i = 0; i < r->n_sizes; i++) {
        const rug_lacunarity_size *s = rug_lacunarity_at(result, i);
        if (s->status == RUG_LACUNARITY_NO_BOXES && n_without++ == 0)
            first = s->size;
    }
    if (n_without > 0)
        cli_warn(run,
                 "at %" PRIu32 " of %" PRIu32 " sizes, from %" PRIu64
                 " on, no box lies wholly inside",
                 n_without, r->n_sizes, first);
}

static void warn_of_mass(cli_run *run, const lacunarity_job *job,
                         const rug_lacunarity_facts *r)
{
    if (!job->values.gray)
        cli_warn_of_share(run, job->values.foreground, share_of(r), r->n_pixels);
    else if (r->n_pixels == 0)
        cli_warn(run, "the mask is empty");
    else if (r->n_set == 0)
        cli_warn(run, "no pixel has a mass");
}

/* How a mask of the image itself leaves out the pixels that hold no data: their value is beyond all
 * others, or the file says it, so that they are outside in a mask. "" where neither is so. */
static void format_own_mask(char text[OWN_MASK_MAX], const cli_run *run,
                            const cli_image *image)
{
    char value[RUGI_REAL_TEXT_MAX];
    const rug_file_facts *f = image->facts;
    const rug_image_range *range = cli_image_range(image);
    int is_above = f->nodata > range->max, is_below = f->nodata < range->min;
    int is_told = run->nodata != RUG_NODATA_VALUE || isnan(f->nodata);
    rugi_format_exact(value, f->nodata, f->nodata_rest);
    if (!is_above && !is_below)
        rugi_format_real(value, floor(range->max) + 1);
    text[0] = '\0';
    if (is_above || is_below || is_told)
        snprintf(text, OWN_MASK_MAX, ", which may be the image itself with --mask-%s %s",
                 is_below ? "above" : "below", value);
}

/* Holes are what is measured, and pixels without data look like some, unless a mask leaves out the
 * boxes that hold one. */
static void warn_of_nodata(cli_run *run, const lacunarity_job *job,
                           const cli_image *image, const found *f)
{
    char own_mask[OWN_MASK_MAX];
    const rug_file_facts *facts = image->facts;
    if (!facts->is_counted || facts->n_nodata == 0 || f->n_left_out <= facts->n_nan)
        return;
    uint64_t n_infinite = job->values.gray ? cli_image_range(image)->n_infinite : 0;
    uint64_t n = f->n_left_out - facts->n_nan;
    if (n <= n_infinite || !isfinite(cli_image_range(image)->max))
        return;
    n -= n_infinite;
    format_own_mask(own_mask, run, image);
    const char *hold = n == 1 ? " holds" : "s hold";
    const char *are = n == 1 ? "is measured as a hole" : "are measured as holes";
    if (image->mask_path != NULL)
        cli_warn(run,
                 "%" PRIu64 " pixel%s no data inside the mask and %s; make it 0 there", n,
                 hold, are);
    else
        cli_warn(run,
                 "%" PRIu64 " pixel%s no data and %s; leave out the boxes that hold one "
                 "with --mask FILE%s",
                 n, hold, are, own_mask);
}

/* @param result  of the whole image; NULL: of labels */
static void warn(cli_run *run, const lacunarity_job *job, const cli_image *image,
                 const found *f, const rug_lacunarity_result *result)
{
    cli_warn_of_labels(run, &f->labels, f->n_labels);
    if (job->values.gray)
        cli_warn_of_left_out(run, image, f->n_left_out, "without mass");
    else
        cli_warn_of_values(run, image, job->values.foreground);
    warn_of_nodata(run, job, image, f);
    cli_warn_of_spacing(run, image->pixels, CLI_RESAMPLE);
    if (result == NULL) /* the table says it of each label */
        return;
    warn_of_mass(run, job, rug_lacunarity_get_facts(result));
    warn_of_sizes(run, result);
}

/* @param result  of the whole image; NULL: of labels */
static void print(cli_run *run, const lacunarity_job *job, const cli_image *image,
                  const found *f, const rug_lacunarity_result *result)
{
    char extra[EXTRA_MAX];
    format_mass(extra, job, image, f, rug_lacunarity_get_facts(result));
    cli_print_read(run, image, extra);
    warn(run, job, image, f, result);
    if (!cli_begin_times(run, image))
        return;
    if (!job->values.gray)
        cli_print(run->err, ", threshold %.3f ms", f->threshold_seconds * 1e3);
    cli_print(run->err, ", lacunarity %.3f ms", f->measure_seconds * 1e3);
    cli_end_times(run, f->engine != NULL ? f->engine : "nothing to measure", "");
}

/* ---- The plot ---- */

static rug_status plot(cli_run *run, lacunarity_job *job, const cli_image *image,
                       const char *name, const rug_lacunarity_result *result)
{
    double size[RUG_LACUNARITY_MAX_SIZES], lacunarity[RUG_LACUNARITY_MAX_SIZES];
    char summary[64];
    if (job->plots.asked == NULL)
        return RUG_OK;
    uint32_t n_sizes = rug_lacunarity_get_facts(result)->n_sizes;
    for (uint32_t i = 0; i < n_sizes; i++) {
        const rug_lacunarity_size *s = rug_lacunarity_at(result, i);
        size[i] = (double)s->size;
        lacunarity[i] = s->lacunarity;
    }
    double mean = mean_of(result);
    snprintf(summary, sizeof summary, "mean \xCE\x9B = %.4f", mean);
    const cli_plot_series series[] = {{.title = summary,
                                       .style = CLI_PLOT_LINE_POINTS,
                                       .n = n_sizes,
                                       .x = size,
                                       .y = lacunarity}};
    const cli_plot_panel panels[] = {
        {"box size", "lacunarity \xCE\x9B", CLI_PLOT_SIZES, 1, 1, series, .is_size = 1}};
    const cli_plot_sheet sheet = {.summary = isnan(mean) ? "none" : summary,
                                  .note = isnan(mean) ? "no size has a lacunarity" : NULL,
                                  .n_panels = 1,
                                  .panels = panels,
                                  .unit = cli_unit_of(image->pixels)};
    return cli_draw(run, &job->plots, name, &sheet);
}

/* ---- Measuring ---- */

/* What the rows of labels are made from. */
typedef struct labelling {
    cli_run *run;
    lacunarity_job *job;
    const cli_image *image;
    found *f;
} labelling;

/* The options of an image, with the rule found in the range that is known already. */
static rug_status choose(cli_run *run, const lacunarity_job *job, const cli_image *image,
                         found *f)
{
    rug_lacunarity_options *o = &f->opts;
    double start = cli_now();
    *o = (rug_lacunarity_options)RUG_LACUNARITY_OPTIONS_INIT;
    o->boxes = (rug_lacunarity_boxes)job->values.boxes;
    o->is_gray = job->values.gray;
    o->sizes = job->values.sizes.n > 0 ? job->values.sizes.size : NULL;
    o->n_sizes = job->values.sizes.n;
    if (image->mask_path != NULL)
        o->mask = &image->mask;
    rug_status status = RUG_OK;
    if (!o->is_gray)
        status =
            cli_resolve_foreground(run, image, job->values.foreground, &o->foreground);
    f->threshold_seconds = cli_now() - start;
    return status;
}

static rug_status add_label(void *user, const rug_region *region,
                            const rug_lacunarity_result *result)
{
    labelling *l = user;
    char name[CLI_LABEL_NAME_MAX];
    l->f->n_labels++;
    rug_status status = add(l->run, l->job, l->image, l->f, region, result);
    if (status != RUG_OK)
        return status;
    cli_name_label(name, l->image->name, region->label);
    return plot(l->run, l->job, l->image, name, result);
}

static rug_status show(const labelling *l)
{
    const rug_foreground *rule = l->job->values.gray ? NULL : &l->f->opts.foreground;
    const rug_source *labels =
        l->f->labels.path != NULL ? &l->f->labels.twin.source : NULL;
    return cli_show_image(l->run, l->image, &(cli_shown){rule, labels});
}

static rug_status measure_labels(labelling *l)
{
    cli_labels *labels = &l->f->labels;
    rug_status status = cli_read_labels(l->run, labels, l->image);
    double start = cli_now();
    if (status == RUG_OK)
        status = rug_lacunarity_labels(l->run->ctx, l->image->pixels,
                                       &labels->twin.source, &l->f->opts, add_label, l);
    l->f->measure_seconds = cli_now() - start;
    if (status == RUG_OK)
        print(l->run, l->job, l->image, l->f, NULL);
    if (status == RUG_OK)
        status = show(l);
    return cli_end_labels(l->run, labels, status);
}

static rug_status begin_parts(rug_context *ctx, void **state, const cli_image *image,
                              const void *opts)
{
    rug_lacunarity_parts *parts;
    rug_status status = rug_lacunarity_parts_new(
        ctx, &parts, image->source.dtype, image->source.ndim, image->source.shape, opts);
    *state = parts;
    return status;
}

static rug_status add_part(rug_context *ctx, void *state, const rug_image *slab,
                           const rug_image *mask, const rug_image *labels,
                           const cli_where *where)
{
    (void)labels;
    return rug_lacunarity_parts_add(ctx, state, slab, mask, where->first);
}

CLI_STATE_CALLS(rug_lacunarity_parts, rug_lacunarity_merge, rug_lacunarity_parts_save,
                rug_lacunarity_parts_load, rug_lacunarity_parts_free)

/* @param out  NULL: another run or process goes on */
static rug_status measure_parts(const labelling *l, rug_lacunarity_result **out)
{
    static const cli_state_kind kind = {
        .name = "lacunarity", .begin = begin_parts, .add = add_part, CLI_STATE_MEMBERS};
    void *state;
    *out = NULL;
    rug_status status =
        cli_measure_state(l->run, l->image, &kind, &l->f->opts, 0, &state);
    if (state != NULL)
        status = rug_lacunarity_parts_finish(l->run->ctx, out, state);
    free_state(state);
    return status;
}

static rug_status measure_whole(labelling *l)
{
    rug_lacunarity_result *result;
    double start = cli_now();
    rug_status status =
        l->run->parts != NULL
            ? measure_parts(l, &result)
            : rug_lacunarity_source(l->run->ctx, &result, &l->image->source, &l->f->opts);
    l->f->measure_seconds = cli_now() - start;
    if (result == NULL)
        return status;
    if (status == RUG_OK)
        status = add(l->run, l->job, l->image, l->f, NULL, result);
    if (status == RUG_OK)
        status = plot(l->run, l->job, l->image, l->image->name, result);
    if (status == RUG_OK)
        print(l->run, l->job, l->image, l->f, result);
    if (status == RUG_OK)
        status = show(l);
    rug_lacunarity_free(result);
    return status;
}

static rug_status measure_image(cli_run *run, const cli_image *image, void *user)
{
    lacunarity_job *job = user;
    found f = {.n_labels = 0};
    labelling l = {run, job, image, &f};
    rug_status status = choose(run, job, image, &f);
    if (status == RUG_OK)
        status = run->has_labels ? measure_labels(&l) : measure_whole(&l);
    cli_end_rows(run, &f.rows, status == RUG_OK);
    return cli_end_sheets(run, &job->plots, status);
}

/* ---- The command ---- */

static const char *check(cli_run *run, void *user)
{
    lacunarity_job *job = user;
    const lacunarity_values *v = &job->values;
    run->mask = v->mask;
    run->labels = v->labels;
    run->columns = columns;
    const char *problem = cli_check_exclusive(run, "gray", "foreground");
    if (problem == NULL)
        problem = cli_check_masks(run);
    run->needs_pixels = run->has_labels;
    if (problem == NULL && run->parts != NULL && run->has_labels)
        problem = "--part cannot be used with labels";
    return problem != NULL ? problem
                           : cli_check_plots(run, &job->plots, v->plot, run->has_labels);
}

static void describe(const cli_run *run, cli_record *p, const void *user)
{
    const lacunarity_job *job = user;
    cli_describe_own(run, p);
    if (job->values.gray)
        cli_record_set_text(p, "foreground", NULL);
}

static void end_plots(cli_run *run, void *user)
{
    lacunarity_job *job = user;
    cli_end_plots(run, &job->plots);
}

static void free_job(void *user)
{
    lacunarity_job *job = user;
    cli_free_plots(&job->plots);
}

static int run_lacunarity(int argc, char **argv)
{
    static const cli_actions actions = {.check = check,
                                        .describe = describe,
                                        .image = measure_image,
                                        .end = end_plots,
                                        .free = free_job};
    lacunarity_job job = {.plots.n = 0};
    return cli_run_images(&cli_lacunarity, argc, argv, &job.values, &job, &actions);
}

const cli_command cli_lacunarity = {
    .name = "lacunarity",
    .operands = "FILE|DIR...",
    .summary = "lacunarity by gliding boxes: images, volumes, regions",
    .text =
        "Measures how unevenly mass is spread at each box size: the mean square of the mass "
        "of all boxes divided by the square of their mean mass, E[M^2] / E[M]^2, with "
        "population moments (Allain and Cloitre 1991). 1 means perfectly even; holes as "
        "large as the box make it larger.",
    .takes_images = 1,
    .takes_nodata = 1,
    .takes_masks = 1,
    .takes_overlay = 1,
    .takes_labels = 1,
    .in_parts = cli_begin_parts,
    CLI_OPTIONS(options),
    .examples = examples,
    .run = run_lacunarity,
};
