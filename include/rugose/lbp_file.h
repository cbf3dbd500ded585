/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files of texture models, part of librugose-io. They are JSON, for people and programs to
 * read; docs/formats.md describes them.
 *
 *     char name[512];
 *     rug_lbp_result *result = NULL;
 *     rug_lbp_model *model = NULL, *copy = NULL;
 *     snprintf(name, sizeof name, "%s.json", out_path);
 *     rug_status status = rug_lbp_model_new(ctx, &model, NULL);
 *     if (status == RUG_OK)
 *         status = rug_lbp(ctx, &result, &grey, NULL);
 *     if (status == RUG_OK)
 *         status = rug_lbp_model_add(ctx, model, "waves", "grey.png", result);
 *     if (status == RUG_OK)
 *         status = rug_lbp_model_write(ctx, model, name);
 *     if (status == RUG_OK)
 *         status = rug_lbp_model_read(ctx, &copy, name);
 *     if (status == RUG_OK)
 *         puts(rug_lbp_model_class(copy, 0));
 *     rug_lbp_free(result);
 *     rug_lbp_model_free(model);
 *     rug_lbp_model_free(copy);
 *     // prints: waves
 */

#ifndef RUGOSE_LBP_FILE_H
#define RUGOSE_LBP_FILE_H

#include <rugose/lbp_model.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the format that is written, and the newest that is read. */
#define RUG_LBP_MODEL_FORMAT 1

/** The largest file of a model, in bytes. Reading one takes up to 40 times as much memory. */
#define RUG_LBP_MODEL_MAX_BYTES ((size_t)64 << 20)

/** The most objects, lists and members of a file. A sample has 5, plus one for each
 *  operator. */
#define RUG_LBP_MODEL_MAX_NODES ((size_t)1 << 21)

/** Writes a model.
 *  @param model  with at least one sample; names of classes are UTF-8
 *  @param path   a file, written beside its final name and renamed when complete
 *  @return RUG_OK, RUG_E_ARG (no sample, not UTF-8, more than RUG_LBP_MODEL_MAX_BYTES or
 *          RUG_LBP_MODEL_MAX_NODES), RUG_E_NOMEM, RUG_E_IO */
RUG_API rug_status rug_lbp_model_write(rug_context *ctx, const rug_lbp_model *model,
                                       const char *path);

/** Reads a model. Everything is checked: a model that was read is safe to use, whatever the
 *  file holds.
 *  @param out  NULL on failure; free it with rug_lbp_model_free(), before its context
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT (not a model, or a damaged
 *          one), RUG_E_UNSUPPORTED (a newer format); the error text names the file and the
 *          place in it, what was found there and what was expected */
RUG_API rug_status rug_lbp_model_read(rug_context *ctx, rug_lbp_model **out,
                                      const char *path);

#ifdef __cplusplus
}
#endif

#endif
