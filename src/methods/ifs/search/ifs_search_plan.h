/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The exact search: of all domains and 8 isometries, the one that leaves a range the
 * least squared error. What is searched, and what every engine needs to know of it:
 * domains and ranges that have variance, each domain once, those of large norms first,
 * and the bounds of rounding. */

#ifndef RUGI_IFS_SEARCH_PLAN_H
#define RUGI_IFS_SEARCH_PLAN_H

#include "core/context/threads.h"
#include <rugose/context.h>
#include <stddef.h>
#include <stdint.h>

/** One plane, continued by its last row and column to whole ranges or blocks. */
typedef struct rugi_ifs_plane {
    uint16_t *pixels;
    size_t nx, ny; /* pixels a row without padding between rows; rows */
} rugi_ifs_plane;

/** Where a range of the job's size lies. */
typedef struct rugi_ifs_place {
    uint32_t x, y;
} rugi_ifs_place;

/** What was found for one range. With n = size², r the range's pixels and d the domain's,
 *  each the sum of 2 x 2 pixels of the source, under the isometry:
 *  cross = sum (n r - sum r)(d - mean d) = n sum r d - sum r sum d, exactly. */
typedef struct rugi_ifs_match {
    uint32_t x, y;    /* the domain's first pixel */
    uint8_t symmetry; /* as in rug_ifs_transform */
    uint8_t found;    /* 0: a flat range, or no domain with variance */
    int64_t cross;    /* n sum r d - sum r sum d */
    uint64_t norm2;   /* n sum d² - (sum d)² */
    double s;     /* of the mean of 2 x 2 pixels: 4 cross / norm2, clamped to ±s_max */
    double error; /* sum of squared errors of the range with s and the best mean */
} rugi_ifs_match;

/** Ranges that are searched for at once, unless a job asks for another number. */
#define RUGI_IFS_BATCH 32768

/** About how many bytes a range takes while it is searched for: matches, keys, and pixels in
 *  the basis, shrunk too. */
static inline size_t rugi_ifs_range_bytes(size_t size)
{
    return 240 + 6 * size * size;
}

/** Takes the matches of n ranges, from `first` on. */
typedef void (*rugi_ifs_matches_fn)(void *user, const rugi_ifs_match *matches,
                                    size_t first, size_t n);

/** One search. */
typedef struct rugi_ifs_search_job {
    /* of the ranges; OVERLAP: ranges wrap around its edges */
    const rugi_ifs_plane *image;
    const rugi_ifs_plane *source; /* of the domains */
    uint32_t size;                /* of a range, 2..32 */
    uint32_t step; /* domains begin at multiples of it, wholly inside of the source */
    double s_max;  /* above 0, at most 1; rounded down to a multiple of 2^-28 */
    const rugi_ifs_place *ranges;
    size_t n_ranges;
    rugi_ifs_match *matches; /* [n_ranges]; with `take`: [RUGI_IFS_BATCH] or [batch] */
    const char *engine;      /* what ran */
    size_t batch;            /* ranges that are searched for at once; 0: RUGI_IFS_BATCH */
    /* NULL, or called after each batch, whose matches begin at the first of `matches` */
    rugi_ifs_matches_fn take;
    void *user;
    double shadow_limit; /* ranges with no more variance get no domain */
} rugi_ifs_search_job;

/* ---- The basis ---- */

/* An orthonormal basis in which isometries do next to nothing: they change signs, and exchange
 * the two halves of pairs. */

/** Blocks that are changed, and domains that are compared, at once. */
#define RUGI_IFS_LANES 16

/** How many coefficients of each kind there are; they follow one another in this order. */
typedef struct rugi_ifs_basis {
    uint32_t size, n; /* side of a block, its pixels: also the coefficients */
    uint32_t n_a1;    /* no isometry changes them */
    uint32_t n_b1;    /* sign: transposing */
    uint32_t n_b2;    /* sign: each reflection about an axis */
    uint32_t n_a2;    /* sign: all of the reflections */
    uint32_t n_pairs; /* odd along x, odd along y: reflections change the sign of one,
                         transposing exchanges them */
} rugi_ifs_basis;

/** @param size  2..32, even or odd */
static inline rugi_ifs_basis rugi_ifs_basis_of(uint32_t size)
{
    const uint32_t h = size / 2, odd = size % 2;
    return (rugi_ifs_basis){.size = size,
                            .n = size * size,
                            .n_a1 = h * (h + 1) / 2 + odd * (h + 1),
                            .n_b1 = h * (h - 1) / 2 + odd * h,
                            .n_b2 = h * (h + 1) / 2,
                            .n_a2 = h * (h - 1) / 2,
                            .n_pairs = h * h + odd * h};
}

/* ---- The plan ---- */

/** Pixels of the largest range. */
#define RUGI_IFS_PIXELS_MAX 1024

/** s_max is rounded down to a multiple of 2^-28, so that clamped gains are compared
 *  exactly. */
#define RUGI_IFS_S_BITS 28

/** One range with variance. */
typedef struct rugi_ifs_range {
    uint32_t number; /* in the job */
    uint64_t sum;
    uint64_t norm2; /* n sum r² - (sum r)² */
} rugi_ifs_range;

/** A search for a batch of ranges. All memory is the plan's. */
typedef struct rugi_ifs_search_plan {
    const rugi_ifs_search_job *job;
    rugi_ifs_basis basis;
    uint64_t s_top; /* s_max in 2^-RUGI_IFS_S_BITS */
    double shadow;  /* the shadow limit as a squared norm */
    /* [RUGI_IFS_ISOMETRIES] rugi_ifs_isometry_place() of every pixel */
    uint16_t (*place)[RUGI_IFS_PIXELS_MAX];
    /* of 2 x 2 pixels: at every place [source ny - 1][source nx - 1], or of an even step
     * at the even ones alone [source ny / 2][source nx / 2] */
    uint32_t *sums;
    size_t row;     /* of sums: from one of its rows to the next */
    size_t spread;  /* from one sum of a domain to the next: 2, or 1 of an even step */
    size_t grid_nx; /* domains of a row of the grid */
    size_t grid_ny;
    /* [n_domains] numbers on the grid; norms fall. Of domains that differ by a
     * constant the first one alone */
    uint32_t *domains;
    float *caps; /* [n_domains, up to whole tiles] s_max times the norm, in grey; 0
                          behind the end */
    size_t n_domains;
    size_t first, n_batch;  /* of the job's ranges, those of this batch */
    rugi_ifs_range *ranges; /* [n_ranges] of the batch; norms rise */
    size_t n_ranges;
    double margin; /* a score of the screen is off by at most so much, times the squared
                      norm of the range */
} rugi_ifs_search_plan;

/** Plans the batch that begins at range `first` of the job. That of 0 is the first one;
 *  others go on with its domains.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED; free it in all cases */
rug_status rugi_ifs_search_plan_make(rug_context *ctx, rugi_ifs_search_plan *plan,
                                     const rugi_ifs_search_job *job, size_t first);
void rugi_ifs_search_plan_free(rug_context *ctx, rugi_ifs_search_plan *plan);

/** The sums of 2 x 2 pixels that a domain of the grid consists of, row by row. */
static inline void rugi_ifs_domain_pixels(const rugi_ifs_search_plan *plan,
                                          uint32_t domain, uint32_t *out)
{
    const size_t size = plan->basis.size, spread = plan->spread;
    const size_t step = plan->job->step * spread / 2;
    const uint32_t *in = plan->sums + domain / plan->grid_nx * step * plan->row +
                         domain % plan->grid_nx * step;
    for (size_t y = 0; y < size; y++, in += spread * plan->row)
        for (size_t x = 0; x < size; x++)
            *out++ = in[spread * x];
}

/** The pixels of a range of the job, row by row. */
static inline void rugi_ifs_range_pixels(const rugi_ifs_search_job *job, uint32_t number,
                                         uint32_t *out)
{
    const rugi_ifs_plane *image = job->image;
    const rugi_ifs_place at = job->ranges[number];
    for (size_t y = 0; y < job->size; y++) {
        const uint16_t *row = image->pixels + (at.y + y) % image->ny * image->nx;
        size_t from = at.x % image->nx;
        for (size_t x = 0; x < job->size; x++) {
            *out++ = row[from];
            from = from + 1 < image->nx ? from + 1 : 0;
        }
    }
}

/** What a thread works in while it changes blocks to the basis: too much for a stack. */
typedef struct rugi_ifs_lanes {
    RUGI_OWN_LINES double pixels[RUGI_IFS_PIXELS_MAX * RUGI_IFS_LANES];
    double halved[RUGI_IFS_PIXELS_MAX / 4 * RUGI_IFS_LANES];
    float block[RUGI_IFS_PIXELS_MAX * RUGI_IFS_LANES];
    float shrunk[RUGI_IFS_PIXELS_MAX / 2 * RUGI_IFS_LANES];
} rugi_ifs_lanes;

/** RUGI_IFS_LANES domains of the list from `first` on, in the basis, of norm 1; 0 behind the
 *  end of the list.
 *  @param out    [n][RUGI_IFS_LANES]
 *  @param lanes  whose pixels are used */
void rugi_ifs_make_tile(const rugi_ifs_search_plan *plan, float *out, size_t first,
                        rugi_ifs_lanes *lanes);

/** RUGI_IFS_LANES ranges of the list from `first` on, in the basis; 0 behind the end.
 *  @param out    [n][RUGI_IFS_LANES]
 *  @param lanes  likewise */
void rugi_ifs_make_ranges(const rugi_ifs_search_plan *plan, float *out, size_t first,
                          rugi_ifs_lanes *lanes);

#endif
