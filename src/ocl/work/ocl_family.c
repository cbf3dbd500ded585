/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#include "ocl_family.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

static size_t n_sources(const rugi_ocl_family *family)
{
    size_t n = 0;
    while (n < sizeof family->sources / sizeof family->sources[0] &&
           family->sources[n] != NULL)
        n++;
    return n;
}

static int n_options(const rugi_ocl_family *family)
{
    int n = 0;
    while (n < RUGI_OCL_OPTIONS_MAX && family->options[n].name != NULL)
        n++;
    return n;
}

size_t rugi_ocl_family_size(const rugi_ocl_family *family)
{
    size_t size = 1;
    for (int i = 0; i < n_options(family); i++)
        size *= (size_t)family->options[i].n_values;
    return size;
}

int rugi_ocl_family_values(const rugi_ocl_family *family, size_t i,
                           int values[RUGI_OCL_OPTIONS_MAX])
{
    for (int k = 0; k < n_options(family); k++) {
        const size_t n = (size_t)family->options[k].n_values;
        values[k] = family->options[k].values[i % n];
        i /= n;
    }
    return family->has == NULL || family->has(values);
}

rugi_ocl_build rugi_ocl_family_build(const rugi_ocl_family *family, const int *values,
                                     const char *first, char text[RUGI_OCL_FAMILY_TEXT])
{
    int at = snprintf(text, RUGI_OCL_FAMILY_TEXT, "%s", first);
    for (int i = 0; i < n_options(family) && at < RUGI_OCL_FAMILY_TEXT; i++)
        at += snprintf(text + at, (size_t)(RUGI_OCL_FAMILY_TEXT - at), "%s-D%s=%d",
                       i > 0 ? " " : "", family->options[i].name, values[i]);
    assert(at < RUGI_OCL_FAMILY_TEXT);
    return (rugi_ocl_build){.sources = family->sources,
                            .n_sources = n_sources(family),
                            .options = text[0] != '\0' ? text : NULL,
                            .no_contract = family->no_contract};
}

static int has_values(const rugi_ocl_family *family, const int *values)
{
    int own[RUGI_OCL_OPTIONS_MAX];
    const size_t n = (size_t)n_options(family);
    for (size_t i = 0; i < rugi_ocl_family_size(family); i++)
        if (rugi_ocl_family_values(family, i, own) &&
            (n == 0 || memcmp(own, values, n * sizeof own[0]) == 0))
            return 1;
    return 0;
}

static int has_kernel(const rugi_ocl_family *family, const char *name)
{
    for (size_t i = 0; i < sizeof family->kernels / sizeof family->kernels[0]; i++)
        if (family->kernels[i] != NULL && strcmp(family->kernels[i], name) == 0)
            return 1;
    return 0;
}

rug_status rugi_ocl_family_program(rug_context *ctx, rugi_ocl_build *out,
                                   const rugi_ocl_family *family, const int *values,
                                   const char *name, const char *first,
                                   char text[RUGI_OCL_FAMILY_TEXT])
{
    *out = rugi_ocl_family_build(family, values, first, text);
    if (has_values(family, values) && has_kernel(family, name))
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_DEVICE,
                            "%s: kernel %s with '%s' is not one that is declared; use "
                            "device 'cpu'",
                            family->sources[0]->name, name, text);
}
