/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence and local binary patterns. */

#include "caller.h"
#include <rugose/glcm_parts.h>
#include <rugose/lbp_parts.h>

/* Co-occurrence. */

static void set_glcm(void)
{
    static const uint32_t distances[] = {1, 3};
    PUT(distances, const uint32_t *, distances);
    PUT(n_distances, uint32_t, 2);
    PUT(directions, uint32_t, 3);
    PUT(asymmetric, int, 1);
    PUT(pairs, rug_glcm_pairs, RUG_GLCM_PAIRS_FRAME);
    PUT(levels, rug_glcm_levels, RUG_GLCM_LEVELS_COUNT);
    PUT(n_levels, uint32_t, 16);
    PUT(bin_width, double, 0);
    PUT(range, rug_glcm_range, RUG_GLCM_RANGE_GIVEN);
    PUT(range_lo, double, 1);
    PUT(range_hi, double, 250);
    PUT(aggregate, rug_glcm_aggregate, RUG_GLCM_AGGREGATE_NONE);
    PUT(slices, rug_glcm_slices, RUG_GLCM_SLICES_NONE);
    PUT(features, rug_glcm_features, RUG_GLCM_FEATURES_ALL);
    PUT(log_base, double, 2.718281828459045);
    PUT(mask, const rug_source *, &mask_source);
    PUT(labels, const rug_source *, &labels_source);
    PUT(origin, int, 0);
    PUT(resegment, int, 1);
    PUT(bin_origin, double, 0);
    PUT(resegment_lo, double, 20);
    PUT(resegment_hi, double, 240);
    PUT(frame, uint32_t, 4);
    PUT(unused, uint32_t, 0);
}

static rug_status take_row(void *user, const rug_glcm_row *row)
{
    (void)user;
    say(" %d/%d: %llu %.12g %.12g", (int)row->label, row->direction,
        (unsigned long long)row->pairs, row->features[0], row->features[8]);
    return RUG_OK;
}

static rug_status run_glcm(void *given, int is_broken)
{
    (void)is_broken;
    return rug_glcm(ctx, &image, given, take_row, NULL);
}

static rug_status run_glcm_source(void *given, int is_broken)
{
    (void)is_broken;
    return rug_glcm_source(ctx, &image_source, given, take_row, NULL);
}

static rug_status run_glcm_of_source(void *given, int is_broken)
{
    (void)is_broken;
    return rug_glcm_source(ctx, given, NULL, take_row, NULL);
}

/* Parts are of pairs inside. */
static void set_glcm_parts(void)
{
    set_glcm();
    PUT(pairs, rug_glcm_pairs, RUG_GLCM_PAIRS_INSIDE);
    PUT(frame, uint32_t, 0);
    PUT(mask, const rug_source *, NULL);
    PUT(labels, const rug_source *, NULL);
}

static rug_status finish_parts(rug_status status, rug_glcm_parts *parts)
{
    const size_t first[2] = {0, 0};
    if (status == RUG_OK)
        status = rug_glcm_parts_add(ctx, parts, &image, NULL, NULL, first, NULL, NULL);
    if (status == RUG_OK)
        status = rug_glcm_parts_finish(ctx, parts, take_row, NULL);
    rug_glcm_parts_free(parts);
    return status;
}

static rug_status run_glcm_parts(void *given, int is_broken)
{
    (void)is_broken;
    rug_glcm_parts *parts;
    say(" reach %zu", rug_glcm_reach(given));
    rug_status status =
        rug_glcm_parts_new(ctx, &parts, image.dtype, 2, image.shape, given, NULL);
    return finish_parts(status, parts);
}

static void set_range_of_parts(void)
{
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    rug_image_measure_range(ctx, &range, &image);
    PUT(min, double, range.min);
    PUT(max, double, range.max);
}

static rug_status run_glcm_parts_range(void *given, int is_broken)
{
    (void)is_broken;
    rug_glcm_parts *parts;
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    opts.levels = RUG_GLCM_LEVELS_COUNT;
    opts.n_levels = 8;
    rug_status status =
        rug_glcm_parts_new(ctx, &parts, image.dtype, 2, image.shape, &opts, given);
    return finish_parts(status, parts);
}

static rug_status run_glcm_check(void *given, int is_broken)
{
    (void)is_broken;
    return rug_glcm_check_options(ctx, given);
}

static rug_status take_map(void *user, const rug_glcm_map_rows *rows)
{
    (void)user;
    if (rows->first <= 32 && 32 < rows->first + rows->n)
        say(" %.12g", rows->values[(32 - rows->first) * rows->nx + 8]);
    return RUG_OK;
}

/* Maps are of symmetric pairs, without labels and frames. */
static void set_glcm_of_maps(void)
{
    set_glcm();
    PUT(asymmetric, int, 0);
    PUT(pairs, rug_glcm_pairs, RUG_GLCM_PAIRS_INSIDE);
    PUT(frame, uint32_t, 0);
    PUT(aggregate, rug_glcm_aggregate, RUG_GLCM_AGGREGATE_MEAN);
    PUT(features, rug_glcm_features, RUG_GLCM_FEATURES_14);
    PUT(n_distances, uint32_t, 1);
    PUT(labels, const rug_source *, NULL);
}

static void set_maps(void)
{
    static const rug_glcm_feature features[] = {RUG_GLCM_CONTRAST, RUG_GLCM_ENTROPY};
    PUT(window, uint32_t, 5);
    PUT(features, const rug_glcm_feature *, features);
    PUT(n_features, uint32_t, 2);
    PUT(rows, size_t, 3);
    PUT(columns, size_t, 5);
    PUT(leave_out, uint64_t, 1);
}

static rug_status run_glcm_of_maps(void *given, int is_broken)
{
    (void)is_broken;
    return rug_glcm_maps(ctx, &image, given, NULL, take_map, NULL);
}

static rug_status run_maps(void *given, int is_broken)
{
    (void)is_broken;
    return rug_glcm_maps(ctx, &image, NULL, given, take_map, NULL);
}

static rug_status run_glcm_of_maps_source(void *given, int is_broken)
{
    (void)is_broken;
    return rug_glcm_maps_source(ctx, &image_source, given, NULL, take_map, NULL);
}

static rug_status run_maps_source(void *given, int is_broken)
{
    (void)is_broken;
    return rug_glcm_maps_source(ctx, &image_source, NULL, given, take_map, NULL);
}

static rug_status run_maps_of_source(void *given, int is_broken)
{
    (void)is_broken;
    return rug_glcm_maps_source(ctx, given, NULL, NULL, take_map, NULL);
}

static rug_status run_glcm_of_maps_check(void *given, int is_broken)
{
    (void)is_broken;
    return rug_glcm_maps_check_options(ctx, given, NULL);
}

static rug_status run_maps_check(void *given, int is_broken)
{
    (void)is_broken;
    return rug_glcm_maps_check_options(ctx, NULL, given);
}

static rug_status take_matrix(void *user, const rug_glcm_matrix *m)
{
    (void)user;
    say(" %d/%d: %llu %llu", (int)m->label, m->direction, (unsigned long long)m->pairs,
        (unsigned long long)m->counts[0]);
    return RUG_OK;
}

static void set_matrices(void)
{
    set_glcm();
    PUT(features, rug_glcm_features, RUG_GLCM_FEATURES_14);
    PUT(log_base, double, 2);
}

static rug_status run_matrices(void *given, int is_broken)
{
    (void)is_broken;
    return rug_glcm_matrices(ctx, &image, given, take_matrix, NULL);
}

static rug_status run_matrices_at(void *given, int is_broken)
{
    static const int32_t offset[3] = {0, 1, 2};
    return rug_glcm_matrices_at(ctx, &image, is_broken ? NULL : &offset, 1, given,
                                take_matrix, NULL);
}

static void set_matrices_at(void)
{
    set_matrices();
    PUT(distances, const uint32_t *, NULL);
    PUT(n_distances, uint32_t, 0);
    PUT(directions, uint32_t, 0);
}

static void set_features(void)
{
    PUT(level_min, int64_t, 5);
    PUT(n_gray, uint64_t, 3);
    PUT(asymmetric, int, 1);
    PUT(features, rug_glcm_features, RUG_GLCM_FEATURES_ALL);
    PUT(log_base, double, 2.718281828459045);
}

static rug_status run_features(void *given, int is_broken)
{
    static const uint64_t counts[4] = {2, 1, 1, 4};
    double f[20] = {0};
    (void)is_broken;
    rug_status status = rug_glcm_matrix_features(ctx, f, 20, NULL, counts, 2, given);
    say(" %.12g %.12g %.12g", f[5], f[9], f[19]);
    return status;
}

/* Local binary patterns. */

static rug_status take_codes(void *user, const rug_lbp_rows *rows)
{
    const unsigned char *codes = rows->codes;
    say(" %s %d", user != NULL ? (const char *)user : "", codes[0]);
    return RUG_OK;
}

static void set_lbp(void)
{
    static const rug_lbp_operator operators[] = {{8, 1, NULL, 0}, {4, 2, NULL, 0}};
    PUT(operators, const rug_lbp_operator *, operators);
    PUT(n_operators, uint32_t, 2);
    PUT(method, rug_lbp_method, RUG_LBP_NRI_UNIFORM);
    PUT(interpolation, rug_lbp_interpolation, RUG_LBP_BILINEAR);
    PUT(border, rug_lbp_border, RUG_LBP_BORDER_SKIP);
    PUT(exact, rug_lbp_exact, RUG_LBP_EXACT_DECIMAL);
    PUT(planes, rug_lbp_planes, RUG_LBP_PLANES_NONE);
    PUT(mask, const rug_source *, &mask_source);
    PUT(labels, const rug_source *, &labels_source);
    PUT(map, rug_lbp_map_fn, take_codes);
    PUT(map_user, void *, (void *)"rows");
    PUT(leave_out_nan, uint32_t, 1);
    static const uint64_t origin[2] = {5000, 3};
    put("origin", origin, sizeof origin);
    PUT(unused, uint32_t, 0);
}

/* A model is of images as a whole. */
static void set_model(void)
{
    set_lbp();
    PUT(mask, const rug_source *, NULL);
    PUT(labels, const rug_source *, NULL);
    PUT(map, rug_lbp_map_fn, NULL);
    PUT(map_user, void *, NULL);
}

static rug_status finish_lbp(rug_status status, rug_lbp_result *result)
{
    for (size_t i = 0; status == RUG_OK && i < rug_lbp_get_facts(result)->n_histograms;
         i++) {
        const rug_lbp_histogram *histogram = rug_lbp_at(result, i);
        say(" %d: %llu in %d bins, %llu", (int)histogram->label,
            (unsigned long long)histogram->pixels, (int)histogram->n_bins,
            (unsigned long long)histogram->bins[0]);
    }
    rug_lbp_free(result);
    return status;
}

static rug_status run_lbp(void *given, int is_broken)
{
    (void)is_broken;
    rug_lbp_result *result;
    rug_status status = rug_lbp(ctx, &result, &image, given);
    return finish_lbp(status, result);
}

static rug_status run_lbp_source(void *given, int is_broken)
{
    (void)is_broken;
    rug_lbp_result *result;
    rug_status status = rug_lbp_source(ctx, &result, &image_source, given);
    return finish_lbp(status, result);
}

static rug_status run_lbp_of_source(void *given, int is_broken)
{
    (void)is_broken;
    rug_lbp_result *result;
    rug_status status = rug_lbp_source(ctx, &result, given, NULL);
    return finish_lbp(status, result);
}

/* An image in parts has no map, and labels come with the parts. */
static void set_lbp_parts(void)
{
    set_lbp();
    PUT(mask, const rug_source *, NULL);
    PUT(labels, const rug_source *, NULL);
    PUT(map, rug_lbp_map_fn, NULL);
    PUT(map_user, void *, NULL);
}

static rug_status run_lbp_parts(void *given, int is_broken)
{
    (void)is_broken;
    rug_lbp_parts *parts;
    rug_lbp_result *result = NULL;
    const size_t first[2] = {0, 0};
    rug_status status =
        rug_lbp_parts_new(ctx, &parts, image.dtype, 2, image.shape, given);
    if (status == RUG_OK)
        status = rug_lbp_parts_add(ctx, parts, &image, NULL, NULL, first, NULL, NULL);
    if (status == RUG_OK)
        status = rug_lbp_parts_finish(ctx, &result, parts);
    status = finish_lbp(status, result);
    rug_lbp_parts_free(parts);
    return status;
}

static rug_status run_lbp_reach(void *given, int is_broken)
{
    (void)is_broken;
    size_t reach = rug_lbp_reach(given);
    say("%d", (int)reach);
    return reach > 0 ? RUG_OK : RUG_E_ARG;
}

static rug_status run_lbp_check(void *given, int is_broken)
{
    (void)is_broken;
    return rug_lbp_check_options(ctx, given);
}

static rug_status run_lbp_dtype(void *given, int is_broken)
{
    (void)is_broken;
    rug_dtype dtype = RUG_BIT;
    rug_status status = rug_lbp_map_dtype(ctx, &dtype, given, 0);
    say("%s", rug_dtype_name(dtype));
    return status;
}

static rug_status finish_variances(rug_status status, rug_lbp_variances *variances)
{
    double cuts[3];
    uint32_t n_cuts = 0;
    if (status == RUG_OK)
        status = rug_lbp_variances_cuts(ctx, variances, 0, 4, cuts, &n_cuts);
    if (status == RUG_OK)
        say("%d cuts, %.12g", (int)n_cuts, cuts[0]);
    rug_lbp_variances_free(variances);
    return status;
}

static rug_status run_variances(void *given, int is_broken)
{
    (void)is_broken;
    rug_lbp_variances *variances;
    rug_status status = rug_lbp_variances_new(ctx, &variances, given);
    if (status == RUG_OK)
        status = rug_lbp_variances_add(ctx, variances, &image_source, NULL);
    return finish_variances(status, variances);
}

static rug_status run_variances_of_source(void *given, int is_broken)
{
    (void)is_broken;
    rug_lbp_variances *variances;
    must(rug_lbp_variances_new(ctx, &variances, NULL), "rug_lbp_variances_new");
    rug_status status = rug_lbp_variances_add(ctx, variances, given, NULL);
    return finish_variances(status, variances);
}

static rug_status run_variances_in_mask(void *given, int is_broken)
{
    (void)is_broken;
    rug_lbp_variances *variances;
    must(rug_lbp_variances_new(ctx, &variances, NULL), "rug_lbp_variances_new");
    rug_status status = rug_lbp_variances_add(ctx, variances, &image_source, given);
    return finish_variances(status, variances);
}

/* A model of two samples, and the result of an image. */
typedef struct trained {
    rug_lbp_model *model;
    rug_lbp_result *result;
    const uint64_t *bins;
} trained;

static trained train(void)
{
    trained all = {NULL, NULL, NULL};
    static uint64_t others[10];
    must(rug_lbp(ctx, &all.result, &image, NULL), "rug_lbp");
    all.bins = rug_lbp_at(all.result, 0)->bins;
    for (int i = 0; i < 10; i++)
        others[i] = all.bins[9 - i];
    must(rug_lbp_model_new(ctx, &all.model, NULL), "rug_lbp_model_new");
    must(rug_lbp_model_add(ctx, all.model, "one", "a", all.result), "rug_lbp_model_add");
    must(rug_lbp_model_add_bins(ctx, all.model, "other", "b", others),
         "rug_lbp_model_add_bins");
    return all;
}

static rug_status finish_trained(rug_status status, trained *all)
{
    rug_lbp_model_free(all->model);
    rug_lbp_free(all->result);
    return status;
}

static rug_status run_model_options(void *given, int is_broken)
{
    rug_lbp_model *model;
    must(rug_lbp_model_new(ctx, &model, NULL), "rug_lbp_model_new");
    rug_status status = rug_lbp_model_get_options(ctx, given, is_broken ? NULL : model);
    rug_lbp_model_free(model);
    return status;
}

static rug_status run_model(void *given, int is_broken)
{
    (void)is_broken;
    rug_lbp_model *model;
    rug_status status = rug_lbp_model_new(ctx, &model, given);
    if (status == RUG_OK)
        say("%d bins", (int)rug_lbp_model_n_bins(model));
    rug_lbp_model_free(model);
    return status;
}

static void set_classify(void)
{
    PUT(score, rug_lbp_score, RUG_LBP_G);
    PUT(nearest_sample, int, 1);
    PUT(alpha, double, 0.5);
}

static rug_status run_classify(void *given, int is_broken)
{
    (void)is_broken;
    trained all = train();
    rug_lbp_verdict verdict = RUG_LBP_VERDICT_INIT;
    rug_status status =
        rug_lbp_model_classify(ctx, &verdict, all.model, all.result, given);
    if (status == RUG_OK)
        say("%s, %.12g", verdict.predicted, verdict.score);
    return finish_trained(status, &all);
}

static rug_status run_classify_bins(void *given, int is_broken)
{
    (void)is_broken;
    trained all = train();
    rug_lbp_verdict verdict = RUG_LBP_VERDICT_INIT;
    rug_status status =
        rug_lbp_model_classify_bins(ctx, &verdict, all.model, all.bins, given);
    if (status == RUG_OK)
        say("%s, %.12g", verdict.predicted, verdict.score);
    return finish_trained(status, &all);
}

static rug_status run_verdict(void *given, int is_broken)
{
    trained all = train();
    rug_status status = rug_lbp_model_classify(ctx, given, is_broken ? NULL : all.model,
                                               all.result, NULL);
    return finish_trained(status, &all);
}

static rug_status run_verdict_bins(void *given, int is_broken)
{
    trained all = train();
    rug_status status = rug_lbp_model_classify_bins(
        ctx, given, is_broken ? NULL : all.model, all.bins, NULL);
    return finish_trained(status, &all);
}

const caller_use caller_textures[] = {
    {CALLER_OPTIONS, "rug_glcm", "rug_glcm_options", run_glcm, set_glcm, NULL},
    {CALLER_OPTIONS, "rug_glcm_source", "rug_glcm_options", run_glcm_source, set_glcm,
     NULL},
    {CALLER_VALUE, "rug_glcm_source", "rug_source", run_glcm_of_source, set_source, NULL},
    {CALLER_OPTIONS, "rug_glcm_check_options", "rug_glcm_options", run_glcm_check,
     set_glcm, NULL},
    {CALLER_OPTIONS, "rug_glcm_parts_new", "rug_glcm_options", run_glcm_parts,
     set_glcm_parts, NULL},
    {CALLER_OPTIONS, "rug_glcm_reach", "rug_glcm_options", run_glcm_parts, set_glcm_parts,
     NULL},
    {CALLER_VALUE, "rug_glcm_parts_new", "rug_image_range", run_glcm_parts_range,
     set_range_of_parts, NULL},
    {CALLER_OPTIONS, "rug_glcm_maps", "rug_glcm_options", run_glcm_of_maps,
     set_glcm_of_maps, NULL},
    {CALLER_OPTIONS, "rug_glcm_maps", "rug_glcm_maps_options", run_maps, set_maps, NULL},
    {CALLER_OPTIONS, "rug_glcm_maps_source", "rug_glcm_options", run_glcm_of_maps_source,
     set_glcm_of_maps, NULL},
    {CALLER_OPTIONS, "rug_glcm_maps_source", "rug_glcm_maps_options", run_maps_source,
     set_maps, NULL},
    {CALLER_VALUE, "rug_glcm_maps_source", "rug_source", run_maps_of_source, set_source,
     NULL},
    {CALLER_OPTIONS, "rug_glcm_maps_check_options", "rug_glcm_options",
     run_glcm_of_maps_check, set_glcm_of_maps, NULL},
    {CALLER_OPTIONS, "rug_glcm_maps_check_options", "rug_glcm_maps_options",
     run_maps_check, set_maps, NULL},
    {CALLER_OPTIONS, "rug_glcm_matrices", "rug_glcm_options", run_matrices, set_matrices,
     NULL},
    {CALLER_OPTIONS, "rug_glcm_matrices_at", "rug_glcm_options", run_matrices_at,
     set_matrices_at, NULL},
    {CALLER_OPTIONS, "rug_glcm_matrix_features", "rug_glcm_matrix_options", run_features,
     set_features, NULL},
    {CALLER_OPTIONS, "rug_lbp", "rug_lbp_options", run_lbp, set_lbp, NULL},
    {CALLER_OPTIONS, "rug_lbp_source", "rug_lbp_options", run_lbp_source, set_lbp, NULL},
    {CALLER_VALUE, "rug_lbp_source", "rug_source", run_lbp_of_source, set_source, NULL},
    {CALLER_OPTIONS, "rug_lbp_parts_new", "rug_lbp_options", run_lbp_parts, set_lbp_parts,
     NULL},
    {CALLER_OPTIONS, "rug_lbp_reach", "rug_lbp_options", run_lbp_reach, set_lbp, NULL},
    {CALLER_OPTIONS, "rug_lbp_check_options", "rug_lbp_options", run_lbp_check, set_lbp,
     NULL},
    {CALLER_OPTIONS, "rug_lbp_map_dtype", "rug_lbp_options", run_lbp_dtype, set_lbp,
     NULL},
    {CALLER_OPTIONS, "rug_lbp_model_new", "rug_lbp_options", run_model, set_model, NULL},
    {CALLER_RESULT, "rug_lbp_model_get_options", "rug_lbp_options", run_model_options,
     NULL, "operators"},
    {CALLER_OPTIONS, "rug_lbp_variances_new", "rug_lbp_options", run_variances, set_lbp,
     NULL},
    {CALLER_VALUE, "rug_lbp_variances_add", "rug_source", run_variances_of_source,
     set_source, NULL},
    {CALLER_VALUE, "rug_lbp_variances_add (mask)", "rug_source", run_variances_in_mask,
     set_source, NULL},
    {CALLER_OPTIONS, "rug_lbp_model_classify", "rug_lbp_classify_options", run_classify,
     set_classify, NULL},
    {CALLER_OPTIONS, "rug_lbp_model_classify_bins", "rug_lbp_classify_options",
     run_classify_bins, set_classify, NULL},
    {CALLER_RESULT, "rug_lbp_model_classify", "rug_lbp_verdict", run_verdict, NULL,
     "predicted second nearest"},
    {CALLER_RESULT, "rug_lbp_model_classify_bins", "rug_lbp_verdict", run_verdict_bins,
     NULL, "predicted second nearest"},
    {CALLER_OPTIONS, NULL, NULL, NULL, NULL, NULL},
};
