/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counts in parts, as their files see them. */

#ifndef RUGI_DBC_PARTS_STATE_H
#define RUGI_DBC_PARTS_STATE_H

#include "core/blocks/partial_blocks.h"
#include "dbc_job.h"
#include <rugose/dbc_parts.h>

/** Whole blocks as items. Of one without pixels all bits are 0. */
typedef struct rugi_dbc_kept {
    uint64_t not_lo, hi; /* of its keys */
} rugi_dbc_kept;

struct rug_dbc_parts {
    rug_context *ctx;
    rug_dbc_options opts;  /* mask: only whether there is one */
    rug_image_range range; /* that the plan needs, of the whole */
    rug_dtype dtype;
    int ndim;
    size_t shape[3]; /* z y x; z = 1 for an image */
    rugi_dbc_plan plan;
    rugi_cover cover;
    rugi_partial_blocks pixels; /* as they are, bits as bytes; blocks of zeros too */
    rugi_partial_blocks inside; /* of a mask, bits */
    /* Of whole blocks. */
    rugi_sparse blocks; /* rugi_dbc_kept, one for each block */
    rugi_dbc_tallies tally;
    rugi_dbc_seen seen;
    const char *engine; /* that counted; NULL: none yet in this process */
};

/** Bytes that are kept of a pixel while it waits. */
static inline size_t rugi_dbc_pixel_bytes(const rug_dbc_parts *p)
{
    return rug_dtype_size(rugi_segment_dtype(p->dtype));
}

#endif
