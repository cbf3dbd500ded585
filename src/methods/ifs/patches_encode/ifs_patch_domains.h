/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Looking for the domains of a block. */

#ifndef RUGI_IFS_PATCH_DOMAINS_H
#define RUGI_IFS_PATCH_DOMAINS_H

#include "ifs_patch_encode.h"

/** The most domains that are found at once. */
#define RUGI_IFS_DOMAINS_FOUND 4

/** What a search works with. */
typedef struct rugi_ifs_domain_work {
    /* The block, less its mean, as each isometry asks for it: [isometries][side²]. */
    int16_t ranges[RUGI_IFS_ISOMETRIES * RUGI_IFS_PIXELS];
    int16_t domain[RUGI_IFS_PIXELS]; /* less its mean */
    int32_t halved[RUGI_IFS_PIXELS]; /* its sums of 2 x 2 */
} rugi_ifs_domain_work;

/** The domains that leave least of a block, the best first, among those around it that are decoded
 *  when it is, whatever the number of threads.
 *  @param original  [side²] the block
 *  @param begun     x, y and level of the patch
 *  @param found     is filled: kind, domain, symmetry, scale
 *  @param most      how many, up to RUGI_IFS_DOMAINS_FOUND
 *  @return how many there are */
int rugi_ifs_find_domains(const rugi_ifs_patch_encoder *e, rugi_ifs_domain_work *work,
                          const int16_t *original, const rugi_ifs_patch *begun,
                          rugi_ifs_patch *found, int most);

#endif
