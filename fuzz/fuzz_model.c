/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: JSON files, of texture models and of function systems. A model that is accepted
 * can be used: it gives a verdict on each of its own samples, and can be written. */

#include "fuzz_file.h"
#include <math.h>
#include <rugose/ifs_file.h>
#include <rugose/lbp_file.h>

static void use(rug_context *ctx, const rug_lbp_model *model)
{
    for (size_t i = 0; i < rug_lbp_model_n_samples(model); i++) {
        const rug_lbp_sample *sample = rug_lbp_model_sample(model, i);
        rug_lbp_verdict verdict = RUG_LBP_VERDICT_INIT;
        if (rug_lbp_model_classify_bins(ctx, &verdict, model, sample->bins, NULL) !=
                RUG_OK ||
            verdict.predicted == NULL)
            abort();
    }
    if (rug_lbp_model_n_classes(model) == 0 ||
        rug_lbp_model_write(ctx, model, "/dev/null") != RUG_OK)
        abort();
}

static void read_maps(rug_context *ctx, const char *path)
{
    rug_ifs_map *maps;
    size_t n;
    rug_status status = rug_ifs_maps_read(ctx, &maps, &n, path);
    if ((status == RUG_OK) != (maps != NULL) || (maps == NULL) != (n == 0) ||
        (status != RUG_OK && rug_context_error(ctx)[0] == '\0'))
        abort();
    for (size_t i = 0; i < 6 * n; i++)
        if (!isfinite((&maps->a)[i]))
            abort();
    rug_context_release(ctx, maps);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    rug_context *ctx = fuzz_context();
    const char *path = fuzz_write(data, n);
    rug_lbp_model *model;
    if (rug_lbp_model_read(ctx, &model, path) == RUG_OK) {
        use(ctx, model);
        rug_lbp_model_free(model);
    } else if (rug_context_error(ctx)[0] == '\0')
        abort();
    read_maps(ctx, path);
    return 0;
}
