/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Multifractals. */

#include "caller.h"
#include <rugose/alpha_parts.h>

static const rug_foreground nonzero = {.kind = RUG_FOREGROUND_NONZERO};

static void set_masses(void)
{
    PUT(of, rug_mass_of, RUG_MASS_OF_FOREGROUND);
    put("foreground", &nonzero, sizeof nonzero);
    PUT(mask, const rug_source *, &mask_source);
}

static void set_mass_parts(void)
{
    set_masses();
    PUT(mask, const rug_source *, NULL);
}

static rug_status finish_masses(rug_status status, rug_masses *masses)
{
    size_t n = 0;
    if (status == RUG_OK && rug_masses_boxes(ctx, masses, 0, &n) == NULL)
        status = RUG_E_NOMEM;
    if (status == RUG_OK)
        say("%d axes, %d boxes", rug_masses_get_facts(masses)->ndim, (int)n);
    rug_masses_free(masses);
    return status;
}

static rug_status run_masses(void *given, int is_broken)
{
    (void)is_broken;
    rug_masses *masses;
    rug_status status = rug_masses_measure(ctx, &masses, &image, given);
    return finish_masses(status, masses);
}

static rug_status run_masses_source(void *given, int is_broken)
{
    (void)is_broken;
    rug_masses *masses;
    rug_status status = rug_masses_measure_source(ctx, &masses, &image_source, given);
    return finish_masses(status, masses);
}

static rug_status run_masses_of_source(void *given, int is_broken)
{
    (void)is_broken;
    rug_masses *masses;
    rug_status status = rug_masses_measure_source(ctx, &masses, given, NULL);
    return finish_masses(status, masses);
}

static rug_status run_mass_parts(void *given, int is_broken)
{
    (void)is_broken;
    rug_masses *masses;
    const size_t first[2] = {0, 0};
    rug_status status = rug_masses_new(ctx, &masses, RUG_U8, 2, image.shape, 0, given);
    if (status == RUG_OK)
        status = rug_masses_add(ctx, masses, &image, NULL, first);
    return finish_masses(status, masses);
}

static void set_mass_points(void)
{
    PUT(spacing, double, 2);
    PUT(resolution, uint64_t, 0);
}

static rug_status run_mass_points(void *given, int is_broken)
{
    (void)is_broken;
    rug_masses *masses;
    rug_status status = rug_masses_measure_points(ctx, &masses, &points, given);
    return finish_masses(status, masses);
}

static void set_fit(void)
{
    PUT(auto_range, int, 0);
    PUT(size_min, uint64_t, 2);
    PUT(size_max, uint64_t, 32);
}

static rug_status run_multifractal(void *given, int is_broken)
{
    (void)is_broken;
    rug_masses *masses;
    rug_multifractal_result *result;
    const double q[] = {0, 2};
    must(rug_masses_measure(ctx, &masses, &image, NULL), "rug_masses_measure");
    rug_status status = rug_multifractal_fit(ctx, &result, masses, q, 2, given);
    if (status == RUG_OK)
        say("%.12g", rug_multifractal_at(result, 1)->dimension);
    rug_multifractal_free(result);
    rug_masses_free(masses);
    return status;
}

/* Exponents around pixels. */

static void set_alpha(void)
{
    PUT(measure, rug_alpha_measure, RUG_ALPHA_MAX);
    PUT(n_windows, uint32_t, 3);
    PUT(iso_tolerance, double, 1);
    PUT(n_slices, uint32_t, 8);
    PUT(alpha_min, double, 1);
    PUT(alpha_max, double, 3);
    PUT(mask, const rug_source *, &mask_source);
}

static float alpha_pixels[64 * 64];

static rug_status run_alpha(void *given, int is_broken)
{
    (void)is_broken;
    rug_status status = rug_alpha_map(ctx, alpha_pixels, &image, given);
    say("%.9g", (double)alpha_pixels[20 * 64 + 21]);
    return status;
}

static rug_status take_alpha(void *user, const rug_alpha_map_rows *rows)
{
    (void)user;
    if (rows->first <= 20 && 20 < rows->first + rows->n)
        say("%.9g", (double)rows->alpha[(20 - rows->first) * rows->nx + 21]);
    return RUG_OK;
}

static rug_status run_alpha_source(void *given, int is_broken)
{
    (void)is_broken;
    return rug_alpha_map_source(ctx, &image_source, given, take_alpha, NULL);
}

static rug_status run_alpha_of_source(void *given, int is_broken)
{
    (void)is_broken;
    return rug_alpha_map_source(ctx, given, NULL, take_alpha, NULL);
}

static rug_alpha_result *slices(rug_status *status, const rug_alpha_options *opts)
{
    rug_image map;
    rug_alpha_result *result;
    must(rug_alpha_map(ctx, alpha_pixels, &image, NULL), "rug_alpha_map");
    must(rug_image_view(ctx, &map, alpha_pixels, RUG_F32, 2, image.shape),
         "rug_image_view");
    *status = rug_alpha_slices(ctx, &result, &map, opts);
    return result;
}

static rug_status finish_slices(rug_status status, rug_alpha_result *result)
{
    for (uint32_t i = 0; status == RUG_OK && i < rug_alpha_get_facts(result)->n_slices;
         i++)
        say(" %llu", (unsigned long long)rug_alpha_at(result, i)->n_pixels);
    rug_alpha_free(result);
    return status;
}

static rug_status run_slices(void *given, int is_broken)
{
    (void)is_broken;
    rug_status status;
    rug_alpha_result *result = slices(&status, given);
    return finish_slices(status, result);
}

/* The mask comes with the parts. */
static void set_alpha_parts(void)
{
    set_alpha();
    PUT(mask, const rug_source *, NULL);
}

static rug_status run_alpha_parts(void *given, int is_broken)
{
    (void)is_broken;
    rug_alpha_parts *parts;
    rug_alpha_result *result = NULL;
    const size_t first[2] = {0, 0};
    rug_status status =
        rug_alpha_parts_new(ctx, &parts, image.dtype, 2, image.shape, given);
    if (status == RUG_OK)
        status = rug_alpha_parts_add(ctx, parts, &image, NULL, first, NULL, NULL);
    if (status == RUG_OK)
        status = rug_alpha_parts_finish(ctx, &result, parts);
    status = finish_slices(status, result);
    rug_alpha_parts_free(parts);
    return status;
}

static rug_status run_alpha_reach(void *given, int is_broken)
{
    (void)is_broken;
    size_t reach = rug_alpha_reach(given);
    say("%d", (int)reach);
    return reach > 0 ? RUG_OK : RUG_E_ARG;
}

static rug_status run_alpha_fit(void *given, int is_broken)
{
    (void)is_broken;
    rug_status status;
    rug_fit fit = RUG_FIT_INIT;
    rug_alpha_result *result = slices(&status, NULL);
    must(status, "rug_alpha_slices");
    status = rug_alpha_fit(ctx, &fit, result, 1, given);
    say("%.12g %s", fit.slope, rug_fit_status_name(fit.status));
    rug_alpha_free(result);
    return status;
}

static rug_status run_alpha_fit_out(void *given, int is_broken)
{
    rug_status status;
    rug_alpha_result *result = slices(&status, NULL);
    must(status, "rug_alpha_slices");
    status = rug_alpha_fit(ctx, given, is_broken ? NULL : result, 1, NULL);
    rug_alpha_free(result);
    return status;
}

const caller_use caller_masses[] = {
    {CALLER_OPTIONS, "rug_masses_measure", "rug_masses_options", run_masses, set_masses,
     NULL},
    {CALLER_OPTIONS, "rug_masses_measure_source", "rug_masses_options", run_masses_source,
     set_masses, NULL},
    {CALLER_VALUE, "rug_masses_measure_source", "rug_source", run_masses_of_source,
     set_source, NULL},
    {CALLER_OPTIONS, "rug_masses_new", "rug_masses_options", run_mass_parts,
     set_mass_parts, NULL},
    {CALLER_OPTIONS, "rug_masses_measure_points", "rug_masses_points_options",
     run_mass_points, set_mass_points, NULL},
    {CALLER_OPTIONS, "rug_multifractal_fit", "rug_fit_options", run_multifractal, set_fit,
     NULL},
    {CALLER_OPTIONS, "rug_alpha_map", "rug_alpha_options", run_alpha, set_alpha, NULL},
    {CALLER_OPTIONS, "rug_alpha_map_source", "rug_alpha_options", run_alpha_source,
     set_alpha, NULL},
    {CALLER_VALUE, "rug_alpha_map_source", "rug_source", run_alpha_of_source, set_source,
     NULL},
    {CALLER_OPTIONS, "rug_alpha_slices", "rug_alpha_options", run_slices, set_alpha,
     NULL},
    {CALLER_OPTIONS, "rug_alpha_parts_new", "rug_alpha_options", run_alpha_parts,
     set_alpha_parts, NULL},
    {CALLER_OPTIONS, "rug_alpha_reach", "rug_alpha_options", run_alpha_reach, set_alpha,
     NULL},
    {CALLER_OPTIONS, "rug_alpha_fit", "rug_fit_options", run_alpha_fit, set_fit, NULL},
    {CALLER_RESULT, "rug_alpha_fit", "rug_fit", run_alpha_fit_out, NULL, NULL},
    {CALLER_OPTIONS, NULL, NULL, NULL, NULL, NULL},
};
