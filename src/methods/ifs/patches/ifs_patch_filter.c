/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Planes are filtered by rows of roots, from one memory into another. */

#include "ifs_patch_filter.h"
#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include <string.h>

static const char what[] = "filters of a picture";

rug_status rugi_ifs_plane_filters_begin(rug_context *ctx, rugi_ifs_plane_filters *f,
                                        const rugi_ifs_tiled *t)
{
    memset(f, 0, sizeof *f);
    for (int i = 0; i < rugi_ifs_patch_planes(t); i++) {
        unsigned halved = i > 0 ? t->halved : 0;
        f->nx[i] = rugi_ifs_whole_roots((t->nx + halved) >> halved) / RUGI_IFS_BLOCK;
        f->ny[i] = rugi_ifs_whole_roots((t->ny + halved) >> halved) / RUGI_IFS_BLOCK;
        f->on[i] = rugi_allocate_zeros(ctx, (size_t)f->nx[i] * f->ny[i], 1, what);
        if (f->on[i] == NULL)
            return RUG_E_NOMEM;
    }
    return RUG_OK;
}

void rugi_ifs_plane_filters_end(rug_context *ctx, rugi_ifs_plane_filters *f)
{
    for (int i = 0; i < RUGI_IFS_PATCH_PLANES; i++)
        rug_context_release(ctx, f->on[i]);
    memset(f, 0, sizeof *f);
}

void rugi_ifs_code_plane_filters(rugi_ifs_coder *coder, rugi_ifs_plane_filters *f,
                                 const rugi_ifs_tiled *t)
{
    for (int i = 0; i < rugi_ifs_patch_planes(t); i++)
        rugi_ifs_code_filters(coder, &f->filters[i], f->on[i], f->nx[i], f->ny[i]);
}

rugi_ifs_unfiltered rugi_ifs_unfiltered_of(const rugi_ifs_region *r, int plane)
{
    const rugi_ifs_region_plane *p = &r->planes[plane];
    return (rugi_ifs_unfiltered){.pixels = p->samples,
                                 .pitch = p->pitch,
                                 .nx = p->nx << r->octave,
                                 .ny = p->ny << r->octave,
                                 .octave = r->octave,
                                 .least = RUGI_IFS_SAMPLE_LEAST,
                                 .most = RUGI_IFS_SAMPLE_MOST};
}

/* One plane at work. */
typedef struct filtering {
    rugi_ifs_filter_kernels kernels;
    rugi_ifs_unfiltered plane;
    const rugi_ifs_filters *filters;
    const uint8_t *on; /* of the roots of the region */
    int16_t *out;
} filtering;

static void filter_task(void *shared, size_t row, int thread)
{
    const filtering *f = shared;
    uint32_t n = (uint32_t)RUGI_IFS_BLOCK << f->plane.octave;
    (void)thread;
    rugi_ifs_filter_rows(&f->kernels, f->out, &f->plane, (uint32_t)row * n,
                         (uint32_t)(row + 1) * n, f->filters, f->on);
}

/* Which roots of the region are filtered. */
static uint8_t *on_of_region(rug_context *ctx, const rugi_ifs_region *r, int plane,
                             const rugi_ifs_plane_filters *filters)
{
    const rugi_ifs_region_plane *p = &r->planes[plane];
    size_t nx = p->nx / RUGI_IFS_BLOCK, ny = p->ny / RUGI_IFS_BLOCK;
    size_t x = (r->x >> p->halved) / RUGI_IFS_BLOCK,
           y = (r->y >> p->halved) / RUGI_IFS_BLOCK;
    uint8_t *on = rug_context_allocate(ctx, nx * ny, 1, what);
    for (size_t i = 0; on != NULL && i < ny; i++)
        memcpy(on + i * nx, filters->on[plane] + (y + i) * filters->nx[plane] + x, nx);
    return on;
}

rug_status rugi_ifs_filter_plane(rug_context *ctx, rugi_ifs_region *r, int plane,
                                 const rugi_ifs_plane_filters *filters)
{
    rugi_ifs_region_plane *p = &r->planes[plane];
    filtering f = {.plane = rugi_ifs_unfiltered_of(r, plane),
                   .filters = &filters->filters[plane]};
    if (f.filters->n_filters == 0)
        return RUG_OK;
    rugi_ifs_set_filter_kernels(&f.kernels, rug_context_cpu_level(ctx));
    uint8_t *on = on_of_region(ctx, r, plane, filters);
    f.on = on;
    f.out = rug_context_allocate(ctx, p->pitch * ((size_t)p->ny << r->octave),
                                 sizeof *f.out, what);
    rug_status status = RUG_E_NOMEM;
    if (on != NULL && f.out != NULL)
        status = rugi_parallel_for(ctx, p->ny / RUGI_IFS_BLOCK, filter_task, &f);
    rug_context_release(ctx, on);
    if (status != RUG_OK) {
        rug_context_release(ctx, f.out);
        return status;
    }
    rug_context_release(ctx, p->samples);
    p->samples = f.out;
    return RUG_OK;
}
