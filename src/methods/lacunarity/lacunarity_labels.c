/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The lacunarity of every label, one after the other: the masses of its pixels in a plane as
 * large as its bounding box. */

#include "core/context/context_internal.h"
#include "lacunarity_call.h"
#include <string.h>

/* The part of the work that comes before the first label. */
#define PREPARE_SHARE 0.3

/* Pixels whose masses are made at once. */
#define BLOCK 1024

typedef struct labelling {
    const rug_lacunarity_options *opts;
    rugi_mass mass;
    rugi_mass_facts facts;
    rug_foreground rule;
    rug_image pixels, inside; /* z y x; data NULL: no mask */
    rugi_predicate is_inside;
    rug_regions *regions;
    rugi_lacunarity_room *room;
    rug_lacunarity_result *result;
} labelling;

static void store(char *to, unsigned type, uint64_t mass)
{
    switch (type) {
    case 0: *(uint8_t *)to = (uint8_t)mass; break;
    case 1: *(uint16_t *)(void *)to = (uint16_t)mass; break;
    case 2: *(uint32_t *)(void *)to = (uint32_t)mass; break;
    default: *(uint64_t *)(void *)to = mass; break;
    }
}

/* The masses of n pixels of a label that lie side by side. */
static void add_pixels(const labelling *l, rugi_lacunarity_plane *plane, char *to,
                       const size_t at[3], size_t n)
{
    _Alignas(8) char pixels[BLOCK * sizeof(uint64_t)];
    uint64_t masses[BLOCK];
    uint8_t inside[BLOCK];
    memset(inside, 1, n);
    if (l->inside.data != NULL)
        rugi_predicate_flags(&l->is_inside, l->inside.dtype, inside,
                             rugi_image_segment(&l->inside, at, n, pixels), n);
    const void *v = rugi_image_segment(&l->pixels, at, n, pixels);
    rugi_mass_of_pixels(&l->mass, masses, v, n, inside);
    plane->n_left_out += rugi_mass_count_left_out(&l->mass, v, n, inside);
    for (size_t i = 0; i < n; i++) {
        store(to + (i << plane->masses.type), plane->masses.type, masses[i]);
        plane->n_pixels += inside[i];
        plane->n_set += masses[i] > 0;
    }
}

static void add_run(const labelling *l, rugi_lacunarity_plane *plane,
                    const rug_region *region, rug_region_run run)
{
    size_t row = (run.z - region->first[0]) * plane->n[1] + (run.y - region->first[1]);
    char *to = plane->masses.data + row * plane->masses.row_bytes;
    for (size_t done = 0; done < run.n; done += BLOCK) {
        size_t n = run.n - done < BLOCK ? run.n - done : BLOCK;
        const size_t at[3] = {run.z, run.y, run.x + done};
        add_pixels(l, plane, to + ((at[2] - region->first[2]) << plane->masses.type), at,
                   n);
    }
}

/* The mask in the bounding box. */
static void add_mask(const labelling *l, rugi_lacunarity_plane *plane,
                     const rug_region *region)
{
    _Alignas(8) char pixels[BLOCK * sizeof(uint64_t)];
    for (size_t row = 0; row < plane->n[0] * plane->n[1]; row++)
        for (size_t x = 0; x < plane->n[2]; x += BLOCK) {
            size_t n = plane->n[2] - x < BLOCK ? plane->n[2] - x : BLOCK;
            const size_t at[3] = {region->first[0] + row / plane->n[1],
                                  region->first[1] + row % plane->n[1],
                                  region->first[2] + x};
            char *to = plane->inside.data + row * plane->inside.row_bytes + x;
            rugi_predicate_flags(&l->is_inside, l->inside.dtype, (uint8_t *)to,
                                 rugi_image_segment(&l->inside, at, n, pixels), n);
        }
}

static rug_status make_plane(rug_context *ctx, const labelling *l,
                             rugi_lacunarity_plane *plane, size_t i)
{
    const rug_region *region = rug_regions_at(l->regions, i);
    size_t n_runs, n_rows = region->shape[0] * region->shape[1];
    const rug_region_run *runs = rug_regions_runs(l->regions, i, &n_runs);
    *plane =
        (rugi_lacunarity_plane){.total = l->facts.total, .largest = l->facts.largest};
    memcpy(plane->n, region->shape, sizeof plane->n);
    rug_status status =
        rugi_lacunarity_rows_new(ctx, &plane->masses, n_rows, plane->n[2],
                                 rugi_lacunarity_type_of(l->facts.largest));
    if (status == RUG_OK && l->inside.data != NULL)
        status = rugi_lacunarity_rows_new(ctx, &plane->inside, n_rows, plane->n[2], 0);
    if (status != RUG_OK)
        return status;
    memset(plane->masses.data, 0, n_rows * plane->masses.row_bytes);
    for (size_t k = 0; k < n_runs; k++)
        add_run(l, plane, region, runs[k]);
    if (l->inside.data != NULL)
        add_mask(l, plane, region);
    return RUG_OK;
}

static rug_status measure_label(rug_context *ctx, labelling *l, int ndim, size_t i,
                                rug_lacunarity_label_fn fn, void *user)
{
    const rug_region *region = rug_regions_at(l->regions, i);
    rug_lacunarity_result *out = l->result;
    rugi_lacunarity_plane plane;
    rug_status status = make_plane(ctx, l, &plane, i);
    out->ndim = ndim;
    out->foreground = l->rule;
    for (int a = 0; a < ndim; a++)
        out->shape[a] = region->shape[3 - ndim + a];
    if (status == RUG_OK)
        status =
            rugi_lacunarity_measure(ctx, out, l->room, &plane, l->opts, l->mass.exponent);
    rugi_lacunarity_plane_free(ctx, &plane);
    if (status == RUG_OK)
        status = fn(user, region, out);
    memset(out->sizes, 0, out->n_sizes * sizeof out->sizes[0]);
    return status;
}

static rug_status measure_labels(rug_context *ctx, labelling *l, int ndim,
                                 rug_lacunarity_label_fn fn, void *user)
{
    size_t n = rug_regions_count(l->regions);
    rug_status status = RUG_OK;
    for (size_t i = 0; i < n && status == RUG_OK; i++) {
        rugi_phase outer =
            rugi_phase_enter(ctx, (double)i / (double)n, (double)(i + 1) / (double)n);
        status = measure_label(ctx, l, ndim, i, fn, user);
        rugi_phase_leave(ctx, outer);
    }
    return status;
}

/* All that is done once for the whole image. */
static rug_status prepare(rug_context *ctx, labelling *l, const rug_image *img,
                          const rug_image *labels)
{
    const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0};
    const rug_image *mask = l->opts->mask;
    rugi_phase outer = rugi_phase_enter(ctx, 0, 0.5);
    rug_status status =
        rugi_lacunarity_masses(ctx, &l->mass, &l->facts, &l->rule, img, l->opts);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, 0.5, 1);
    if (status == RUG_OK)
        status = rug_regions_find(ctx, &l->regions, labels);
    rugi_phase_leave(ctx, outer);
    l->pixels = rugi_image_with_z(img);
    if (mask != NULL) {
        l->inside = rugi_image_with_z(mask);
        l->is_inside = rugi_predicate_make(mask->dtype, nonzero);
    }
    if (status != RUG_OK)
        return status;
    l->room = rug_context_allocate(ctx, 1, sizeof *l->room, "sizes of boxes");
    l->result = rug_context_allocate(ctx, 1, sizeof *l->result, "result of a label");
    if (l->room == NULL || l->result == NULL)
        return RUG_E_NOMEM;
    memset(l->result, 0, sizeof *l->result);
    return RUG_OK;
}

rug_status rug_lacunarity_labels(rug_context *ctx, const rug_image *img,
                                 const rug_image *labels,
                                 const rug_lacunarity_options *opts,
                                 rug_lacunarity_label_fn fn, void *user)
{
    static const rug_lacunarity_options defaults = RUG_LACUNARITY_OPTIONS_INIT;
    if (ctx == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lacunarity_labels: NULL given");
    labelling l = {.opts = opts != NULL ? opts : &defaults};
    rug_status status = rugi_lacunarity_check(ctx, img, l.opts);
    if (status == RUG_OK)
        status = rugi_image_check_twin(ctx, labels, "label image", img);
    if (status != RUG_OK)
        return status;
    rugi_phase outer = rugi_phase_enter(ctx, 0, PREPARE_SHARE);
    status = prepare(ctx, &l, img, labels);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, PREPARE_SHARE, 1);
    if (status == RUG_OK)
        status = measure_labels(ctx, &l, img->ndim, fn, user);
    rugi_phase_leave(ctx, outer);
    rug_context_release(ctx, l.result);
    rug_context_release(ctx, l.room);
    rug_regions_free(l.regions);
    return status;
}
