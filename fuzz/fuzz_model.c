/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: files of texture models. A model that is accepted can be used: it gives a
 * verdict on each of its own samples, and can be written. */

#include "fuzz_file.h"
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    rug_context *ctx = fuzz_context();
    rug_lbp_model *model;
    if (rug_lbp_model_read(ctx, &model, fuzz_write(data, n)) == RUG_OK) {
        use(ctx, model);
        rug_lbp_model_free(model);
    } else if (rug_context_error(ctx)[0] == '\0')
        abort();
    return 0;
}
