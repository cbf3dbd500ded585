/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The domains of a block: of all places within reach and all isometries, those whose scaled copy
 * leaves the least squared error (Jacquin 1992), means left aside. */

#include "ifs_patch_domains.h"
#include <math.h>

/* Samples are compared without these last bits, so that the kernel's products fit. */
#define SHIFT 5

/* One search at work. */
typedef struct search {
    const rugi_ifs_patch_encoder *e;
    rugi_ifs_domain_work *work;
    rugi_ifs_patch patch;
    rugi_ifs_patch *found;
    float gains[RUGI_IFS_DOMAINS_FOUND]; /* squared error that each takes away */
    int n, most;
} search;

static void read_ranges(search *s, const int16_t *original)
{
    size_t side = rugi_ifs_side(s->patch.level), n = side * side;
    int32_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += original[i];
    int32_t mean = sum / (int32_t)n;
    for (unsigned g = 0; g < RUGI_IFS_ISOMETRIES; g++) {
        const uint16_t *place = s->e->tables->place[s->patch.level][g];
        for (size_t i = 0; i < n; i++)
            s->work->ranges[g * n + place[i]] = (int16_t)((original[i] - mean) >> SHIFT);
    }
}

/* @return its squares, added up */
static int64_t read_domain(search *s, uint32_t x, uint32_t y)
{
    const rugi_ifs_patch_plane *plane = &s->e->plane;
    size_t side = rugi_ifs_side(s->patch.level), n = side * side, pitch = plane->pitch;
    const int16_t *a = plane->samples + y * pitch + x;
    int32_t *halved = s->work->halved, sum = 0;
    int16_t *domain = s->work->domain;
    int64_t squares = 0;
    for (size_t i = 0; i < side; i++, a += 2 * pitch, halved += side)
        for (size_t k = 0; k < side; k++) {
            halved[k] = a[2 * k] + a[2 * k + 1] + a[pitch + 2 * k] + a[pitch + 2 * k + 1];
            sum += halved[k];
        }
    int32_t mean = sum / (int32_t)n;
    for (size_t i = 0; i < n; i++) {
        domain[i] = (int16_t)((s->work->halved[i] - mean) >> (SHIFT + 2));
        squares += domain[i] * domain[i];
    }
    return squares;
}

/* Whether all of a domain is decoded when the patch is, by any number of threads: of the rows of
 * roots above, as much as rows that follow each other RUGI_IFS_WAVE_LAG apart leave. */
static int is_there(const search *s, int64_t x, int64_t y)
{
    int64_t side = 2 * (int64_t)rugi_ifs_side(s->patch.level);
    if (!rugi_ifs_is_decoded(&s->e->plane.frame, &s->patch, x, y))
        return 0;
    int64_t row = s->patch.y / RUGI_IFS_BLOCK, column = s->patch.x / RUGI_IFS_BLOCK;
    int64_t last_row = (y + side - 1) / RUGI_IFS_BLOCK,
            last_column = (x + side - 1) / RUGI_IFS_BLOCK;
    return last_row == row || last_column < column + RUGI_IFS_WAVE_LAG * (row - last_row);
}

static void offer(search *s, float gain)
{
    int at = s->n < s->most ? s->n++ : s->most;
    if (at == s->most && !(gain > s->gains[--at]))
        return;
    for (; at > 0 && gain > s->gains[at - 1]; at--) {
        s->gains[at] = s->gains[at - 1];
        s->found[at] = s->found[at - 1];
    }
    s->gains[at] = gain;
    s->found[at] = s->patch;
}

static void try_place(search *s, uint32_t x, uint32_t y)
{
    size_t side = rugi_ifs_side(s->patch.level);
    int32_t cross[RUGI_IFS_ISOMETRIES];
    float squares = (float)read_domain(s, x, y);
    if (!(squares > 0))
        return;
    s->e->tables->forward.cross(cross, s->work->ranges, s->work->domain, side * side);
    s->patch.domain_x = x;
    s->patch.domain_y = y;
    for (unsigned g = 0; g < RUGI_IFS_ISOMETRIES; g++) {
        float best = 8 * (float)cross[g] / squares;
        int k = (int)floorf((best > 8 ? 8 : best < -8 ? -8 : best) + 0.5f);
        if (k == 0)
            continue;
        s->patch.k = (int8_t)k;
        s->patch.symmetry = (uint8_t)g;
        float scale = (float)k / 8;
        offer(s, scale * (2 * (float)cross[g] - scale * squares));
    }
}

int rugi_ifs_find_domains(const rugi_ifs_patch_encoder *e, rugi_ifs_domain_work *work,
                          const int16_t *original, const rugi_ifs_patch *begun,
                          rugi_ifs_patch *found, int most)
{
    search s = {.e = e, .work = work, .patch = *begun, .found = found, .most = most};
    int64_t side = rugi_ifs_side(begun->level), reach = e->effort.domain_reach;
    int64_t x = (int64_t)begun->x - side / 2, y = (int64_t)begun->y - 2 * side;
    s.patch.kind = RUGI_IFS_DOMAIN;
    read_ranges(&s, original);
    for (int64_t i = -reach; i <= reach; i++)
        for (int64_t k = -reach; k <= reach; k++) {
            int64_t at_x = x + k * RUGI_IFS_DOMAIN_UNIT,
                    at_y = y + i * RUGI_IFS_DOMAIN_UNIT;
            if (is_there(&s, at_x, at_y))
                try_place(&s, (uint32_t)at_x, (uint32_t)at_y);
        }
    return s.n;
}
