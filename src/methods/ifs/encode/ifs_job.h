/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A call to compress, checked and resolved once, and what comes out of it. */

#ifndef RUGI_IFS_JOB_H
#define RUGI_IFS_JOB_H

#include "core/context/context_internal.h"
#include "ifs/stream/ifs_container.h"
#include <rugose/ifs.h>

/** The scale s is k / 8. */
#define RUGI_IFS_K_MAX 8

/** How thoroughly to search for the best code of a plane. */
typedef struct rugi_ifs_effort {
    double lambda_factor; /* lambda = factor delta² */
    int k_max;            /* largest |k| */
    int with_grid;        /* search the grid of the frame's step for domains */
    int with_all;         /* also for ranges that are nearly flat */
    int n_passes;         /* from the second on domains are those that will be decoded */
} rugi_ifs_effort;

/** Work whose progress nobody needs to see: it stays at `share` of the phase.
 *  @return what rugi_phase_leave() takes */
static inline rugi_phase rugi_ifs_quiet(rug_context *ctx, double share)
{
    return rugi_phase_enter(ctx, share, share);
}

/** What a call is to do; everything below only reads it. */
typedef struct rugi_ifs_job {
    const rug_image *planes; /* [n_planes] the caller's, U8 or U16, of one shape */
    int n_planes;            /* 1, or 3: red, green and blue */
    unsigned depth;          /* of a pixel: 8 or 16 */
    uint32_t nx, ny;
    rug_ifs_partition partition;
    rug_ifs_target target;
    double target_value;
    uint32_t range_size;  /* FIXED, OVERLAP; QUADTREE: 0 */
    uint32_t domain_step; /* QUADTREE: 0 for what suits the image */
    double scale_max;
    double shadow_limit; /* FIXED, OVERLAP, as in rugi_ifs_settings */
    int wraps;           /* likewise */
    int has_residual;
    rugi_ifs_effort effort;
    /* version 3: */
    int is_tiled;   /* it is one */
    int has_alpha;  /* a plane behind the others, not counted by n_planes */
    unsigned level; /* of effort, 1..9 */
    rug_ifs_tune tune;
    unsigned halved;       /* 1: planes of colour have half as many samples a side */
    double chroma_quality; /* 0: follows the target */
    int is_lossless, is_progressive;
    uint32_t tile; /* side of tiles, in pixels */
    int is_preview; /* the small picture of a progressive stream: decoders do not finish it */
    unsigned bits;       /* of values, of a preview */
    uint32_t minimum;    /* of values, of a preview */
    rug_ifs_notes notes; /* version 3 only */
} rugi_ifs_job;

/** Begins a job with its options, checked. @return RUG_OK, RUG_E_ARG */
rug_status rugi_ifs_job_begin(rug_context *ctx, rugi_ifs_job *job,
                              const rug_ifs_options *opts);
/** Completes it with the planes of an image. @return RUG_OK, RUG_E_ARG */
rug_status rugi_ifs_job_take(rug_context *ctx, rugi_ifs_job *job, const rug_image *planes,
                             int n_planes);

/** An image as it was coded. */
typedef struct rugi_ifs_coded {
    rugi_ifs_header header;
    rugi_ifs_coder planes[RUG_IFS_PLANES_MAX]; /* bytes of each */
    uint64_t n_bytes;                          /* of the whole stream */
    double squared_error; /* of all pixels of the decoded image; QUADTREE only */
} rugi_ifs_coded;

void rugi_ifs_coded_free(rug_context *ctx, rugi_ifs_coded *coded);

/** Codes an image by QUADTREE as the job's target asks for.
 *  @param coded  filled on RUG_OK, zeroed otherwise; rugi_ifs_coded_free() */
rug_status rugi_ifs_compress_tree(rug_context *ctx, rugi_ifs_coded *coded,
                                  const rugi_ifs_job *job);

/** Codes an image by FIXED or OVERLAP, in the same way. */
rug_status rugi_ifs_compress_blocks(rug_context *ctx, rugi_ifs_coded *coded,
                                    const rugi_ifs_job *job);

#endif
