/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_MULTIFRACTAL_H
#define RUGOSE_MULTIFRACTAL_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/fit.h>
#include <rugose/foreground.h>
#include <rugose/image.h>
#include <rugose/points.h>
#include <rugose/source.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rug_masses rug_masses;

typedef enum rug_mass_of {
    RUG_MASS_OF_GRAY = 0,
    RUG_MASS_OF_FOREGROUND = 1,
} rug_mass_of;

RUG_API const char *rug_mass_of_name(rug_mass_of of);

typedef struct rug_masses_options {
    size_t struct_size;
    rug_mass_of of;

    rug_foreground foreground;
} rug_masses_options;

#define RUG_MASSES_OPTIONS_INIT                                                  {                                                                            sizeof(rug_masses_options), RUG_MASS_OF_GRAY, RUG_FOREGROUND_INIT }

RUG_API rug_status rug_masses_measure(rug_context *ctx, rug_masses **out,
                                      const rug_image *image,
                                      const rug_masses_options *opts);

RUG_API rug_status rug_masses_measure_source(rug_context *ctx, rug_masses **out,
                                             const rug_source *source,
                                             const rug_masses_options *opts);

typedef struct rug_masses_points_options {
    size_t struct_size;
    double spacing;
} rug_masses_points_options;

#define RUG_MASSES_POINTS_OPTIONS_INIT           {                                            sizeof(rug_masses_points_options), 0 }

RUG_API rug_status rug_masses_measure_points(rug_context *ctx, rug_masses **out,
                                             const rug_points *points,
                                             const rug_masses_points_options *opts);

RUG_API rug_status rug_masses_new(rug_context *ctx, rug_masses **out, rug_dtype dtype,
                                  int ndim, const size_t *shape, int unit_exponent,
                                  const rug_masses_options *opts);

RUG_API rug_status rug_masses_add(rug_context *ctx, rug_masses *masses,
                                  const rug_image *part, const rug_image *mask,
                                  const size_t *first);

RUG_API rug_status rug_masses_merge(rug_context *ctx, rug_masses *masses,
                                    const rug_masses *other);

RUG_API void rug_masses_free(rug_masses *masses);

typedef struct rug_masses_facts {
    int ndim;

    uint64_t shape[RUG_POINTS_MAX_AXES];
    uint64_t n_pixels;
    uint64_t n_set;
    uint64_t n_left_out;
    uint64_t n_lost;
    uint64_t total;
    int unit_exponent;
    rug_foreground foreground;
    rug_mass_of of;
    uint32_t n_sizes;
    int is_whole;
    const char *engine;
} rug_masses_facts;

RUG_API const rug_masses_facts *rug_masses_get_facts(rug_masses *masses);

typedef struct rug_mass_boxes {
    uint64_t mass;
    uint64_t boxes;
} rug_mass_boxes;

RUG_API const rug_mass_boxes *rug_masses_boxes(rug_context *ctx, rug_masses *masses,
                                               uint32_t level, size_t *n);

typedef struct rug_moments {

    double z;

    double log_z;
    double p_log_p;
    double mu_log_p;
    double mu_log_mu;
} rug_moments;

RUG_API rug_status rug_multifractal_moments(rug_context *ctx, rug_moments *out,
                                            rug_masses *masses, const double *q,
                                            size_t n_q);

#define RUG_MULTIFRACTAL_Q_MAX 1000.0

#define RUG_MULTIFRACTAL_NEAR_EMPTY 1e-4

typedef struct rug_multifractal_order {
    double q;
    double tau, tau_error;
    double dimension, dimension_error;
    double alpha, alpha_error;
    double f, f_error;
    double r_squared;

    double near_empty;
    rug_fit_status status;
} rug_multifractal_order;

typedef struct rug_multifractal_facts {
    size_t n_orders;
    uint64_t size_min, size_max;
    uint32_t n_sizes;
    rug_fit_status status;
} rug_multifractal_facts;

typedef struct rug_multifractal_result rug_multifractal_result;

RUG_API rug_status rug_multifractal_fit(rug_context *ctx, rug_multifractal_result **out,
                                        rug_masses *masses, const double *q, size_t n_q,
                                        const rug_fit_options *opts);

RUG_API void rug_multifractal_free(rug_multifractal_result *result);

RUG_API const rug_multifractal_facts *
rug_multifractal_get_facts(const rug_multifractal_result *result);

RUG_API const rug_multifractal_order *
rug_multifractal_at(const rug_multifractal_result *result, size_t i);

#ifdef __cplusplus
}
#endif

#endif
