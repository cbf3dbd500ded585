/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A call whose rows come in slabs of any thickness, strictly forwards. */

#ifndef RUGI_LBP_STREAM_H
#define RUGI_LBP_STREAM_H

#include "lbp_run.h"
#include <rugose/source.h>

/** The last rows that have been read, of the image or of the mask, and the first of the
 *  slab at hand. */
typedef struct rugi_lbp_seam {
    rug_image rows; /* its pixels are owned */
    size_t row_bytes;
} rugi_lbp_seam;

/** What the slabs of a source make. */
typedef struct rugi_lbp_stream {
    rugi_lbp_run run;
    size_t reach; /* rows above and below of a centre */
    size_t first; /* row of the image that is the first of the seams */
    size_t n;     /* rows of the seams */
    size_t next;  /* row that is to be coded next */
    rugi_lbp_seam image, mask;
} rugi_lbp_stream;

/** Begins a call.
 *  @param source   tells shape and dtype
 *  @param mask     the same of the mask, or NULL
 *  @param regions  the labels, or NULL
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM; end it in all cases */
rug_status rugi_lbp_stream_begin(rug_context *ctx, rugi_lbp_stream *stream,
                                 const rug_source *source, const rug_source *mask,
                                 const rug_regions *regions, const rug_lbp_options *opts);

/** Codes all rows that can be with the slab of row `first` on. A rugi_slab_fn. */
rug_status rugi_lbp_stream_add(rug_context *ctx, void *stream, const rug_image *slab,
                               const rug_image *mask, size_t first);

/** Frees what the stream has, but for the result of its run. */
void rugi_lbp_stream_end(rug_context *ctx, rugi_lbp_stream *stream);

/** All of that for a source, which is read once.
 *  @param out  the result on RUG_OK */
rug_status rugi_lbp_run_source(rug_context *ctx, rug_lbp_result **out,
                               const rug_source *source, const rug_source *mask,
                               const rug_regions *regions, const rug_lbp_options *opts);

#endif
