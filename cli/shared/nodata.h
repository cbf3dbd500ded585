/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images beside pixels that hold no data. */

#ifndef CLI_NODATA_H
#define CLI_NODATA_H

#include "cli.h"

/** How many of n pixels that are NaN are so in the file. */
static inline uint64_t cli_nan_of_file(const rug_file_facts *facts, uint64_t n)
{
    return facts->is_counted && n > facts->n_nan ? facts->n_nan : n;
}

/** Whether the values of an image are floats, not integers beside pixels that hold no data. */
static inline int cli_is_real(const cli_image *image)
{
    return image->facts->values == RUG_F32 || image->facts->values == RUG_F64;
}

/** Whether pixels of an image hold no data, as far as is known before it has been read. */
static inline int cli_lacks_data(const cli_image *image)
{
    const rug_file_facts *f = image->facts;
    return f->has_nodata && (!f->is_counted || f->n_nodata > 0);
}

#endif
