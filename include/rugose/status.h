/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What every call that can fail returns. The text that belongs to a failure is kept in
 * the context: see rug_context_error() in <rugose/context.h>.
 *
 *     rug_status status = rug_context_set_threads(ctx, -1);
 *     if (status != RUG_OK)
 *         printf("%d is %s\n", (int)status, rug_status_name(status));
 *     // prints: 1 is RUG_E_ARG
 */

#ifndef RUGOSE_STATUS_H
#define RUGOSE_STATUS_H

#include <rugose/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Status codes. 0 is success; the numbers are never changed or reused. */
typedef enum rug_status {
    RUG_OK = 0,       /**< done */
    RUG_E_ARG = 1,    /**< an argument is invalid; nothing was done */
    RUG_E_NOMEM = 2,  /**< memory ran out, or a size does not fit an address */
    RUG_E_DEVICE = 3, /**< the requested device or engine is missing or failed */
    RUG_E_IO = 4,     /**< a file could not be opened, read or written */
    RUG_E_FORMAT = 5, /**< a file's content is damaged, cut off or not of its format */
    RUG_E_UNSUPPORTED = 6, /**< valid, but not something that this version handles */
    RUG_E_CANCELLED = 7    /**< the cancel callback asked to stop */
} rug_status;

/** The name of a status, such as "RUG_E_NOMEM". Static text; unknown values give
 *  "RUG_E_?". */
RUG_API const char *rug_status_name(rug_status status);

#ifdef __cplusplus
}
#endif

#endif
