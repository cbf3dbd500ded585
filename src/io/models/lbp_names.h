/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The words that a file of a texture model says things with; written and read alike. */

#ifndef RUGI_LBP_NAMES_H
#define RUGI_LBP_NAMES_H

#define RUGI_LBP_FORMAT_NAME "rugose lbp model"

/** Words in the order of their enums, each list ended by NULL. */
static const char *const rugi_lbp_methods[] = {"riu2",        "default", "ror",
                                               "nri_uniform", "var",     0};
static const char *const rugi_lbp_interpolations[] = {"bilinear", "nearest", 0};
static const char *const rugi_lbp_borders[] = {"zero", "skip", 0};
static const char *const rugi_lbp_exacts[] = {"skimage", "decimal", "float", 0};

#endif
