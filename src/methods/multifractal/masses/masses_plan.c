/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The numbers of a mass pyramid, and pixels of any dtype as the rows of masses that engines
 * take. */

#include "masses_plan.h"
#include "core/context/small.h"
#include "core/fit/scaling.h"
#include "core/image/image_internal.h"
#include "masses_state.h"
#include <string.h>

/* Tables beyond this miss the caches at every step. */
#define TABLE_MAX ((size_t)1 << 20)

/* Tables of up to so many entries come four side by side. */
#define FEW_ENTRIES 4096

/* A table of pairs is worth the adding up of its entries from so many pixels on. */
#define PAIRED_PIXELS 0x1p20

/* Bytes of a row that is worked on at once: with the rows made of it, it stays in the
 * first-level cache. */
#define PIECE_BYTES 8192

/* Boxes of a level, with those that the edge cuts. */
static double boxes_of(const rugi_masses_plan *p, unsigned level)
{
    double n = 1;
    for (int a = 3 - p->n_axes; a < 3; a++)
        n *= (double)(((p->shape[a] - 1) >> level) + 1);
    return n;
}

/* The largest mass of a pixel that its dtype allows; 0: too large for tables. */
static size_t largest_of(const rugi_mass *mass)
{
    if (mass->is_binary)
        return 1;
    switch (mass->dtype) {
    case RUG_BIT: return 1;
    case RUG_U8: return UINT8_MAX;
    case RUG_I8: return INT8_MAX;
    case RUG_U16: return UINT16_MAX;
    case RUG_I16: return INT16_MAX;
    default: return 0;
    }
}

/* A table where few masses are possible, and boxes are enough to fill it. */
static void plan_tables(rugi_masses_plan *p, const rugi_mass *mass)
{
    size_t largest = largest_of(mass);
    for (unsigned level = 0; level < p->block_level && level < p->n_levels; level++) {
        size_t size = (largest << (unsigned)p->n_axes * level) + 1;
        if (largest == 0 || size > TABLE_MAX ||
            (double)size > 4 * boxes_of(p, level) + 256)
            continue;
        rugi_masses_table *t = &p->tables[level];
        *t = (rugi_masses_table){
            .size = size, .at = p->n_entries, .counts_at = p->n_counts};
        t->is_paired = level == 0 && p->kind == RUGI_MASSES_U8 &&
                       boxes_of(p, level) >= PAIRED_PIXELS;
        t->step = size <= FEW_ENTRIES && !t->is_paired ? size : 0;
        p->n_entries += rugi_masses_entries(t);
        p->n_counts += size;
    }
}

static rugi_masses_kind kind_of(const rugi_mass *mass)
{
    if (mass->is_binary || mass->dtype == RUG_BIT)
        return RUGI_MASSES_FLAGS;
    return mass->dtype == RUG_U8    ? RUGI_MASSES_U8
           : mass->dtype == RUG_U16 ? RUGI_MASSES_U16
                                    : RUGI_MASSES_WIDE;
}

rugi_masses_plan rugi_masses_plan_make(int ndim, const size_t *shape,
                                       const rugi_mass *mass)
{
    rugi_masses_plan p = {.n_axes = ndim, .shape = {1, 1, 1}, .kind = kind_of(mass)};
    size_t longest = 1;
    p.group = ndim == 3 ? 4 : 2;
    p.block_level = ndim == 3 ? 3 : 4;
    p.piece = PIECE_BYTES / rugi_masses_kind_size(p.kind);
    for (int a = 0; a < ndim; a++) {
        p.shape[3 - ndim + a] = shape[a];
        longest = rugi_larger(shape[a], longest);
    }
    p.n_levels = rugi_scaling_n_dyadic(longest);
    for (int a = 0; a < 3; a++) {
        p.block_bits[a] = a >= 3 - ndim ? p.block_level : 0;
        p.n_blocks[a] = ((p.shape[a] - 1) >> p.block_bits[a]) + 1;
    }
    plan_tables(&p, mass);
    return p;
}

/* ---- Rows ---- */

static const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0};

/* Pixels to masses in the slot. */
static void convert(const rugi_mass *mass, rugi_masses_kind kind, const void *pixels,
                    size_t n, void *slot)
{
    if (kind == RUGI_MASSES_WIDE) {
        rugi_mass_of_pixels(mass, slot, pixels, n, NULL);
    } else if (kind == RUGI_MASSES_FLAGS) {
        rugi_predicate gray = {0};
        if (!mass->is_binary)
            gray = rugi_predicate_make(RUG_BIT, nonzero);
        rugi_predicate_flags(mass->is_binary ? &mass->predicate : &gray, mass->dtype,
                             slot, pixels, n);
    } else {
        memcpy(slot, pixels, n * rug_dtype_size(mass->dtype));
    }
}

#define CLEAR(type)                \
    for (size_t i = 0; i < n; i++) \
    ((type *)slot)[i] = inside[i] ? ((type *)slot)[i] : 0

/* Takes the mass from pixels outside of the mask. */
static void apply_mask(const rug_image *mask, const size_t at[3], size_t n, size_t size,
                       void *slot, char *scratch)
{
    uint8_t *inside = (uint8_t *)scratch + RUGI_MASSES_ROW * sizeof(uint64_t);
    const void *pixels = rugi_image_segment(mask, at, n, scratch);
    rugi_predicate p = rugi_predicate_make(mask->dtype, nonzero);
    rugi_predicate_flags(&p, mask->dtype, inside, pixels, n);
    switch (size) {
    case 1: CLEAR(uint8_t); break;
    case 2: CLEAR(uint16_t); break;
    default: CLEAR(uint64_t); break;
    }
}

const void *rugi_masses_row(const rugi_mass *mass, rugi_masses_kind kind,
                            const rugi_masses_part *part, const size_t at[3], size_t n,
                            size_t n_row, void *slot, void *scratch)
{
    size_t local[3], size = rugi_masses_kind_size(kind);
    for (int a = 0; a < 3; a++)
        local[a] = at[a] - part->place.first[a];
    const void *pixels = rugi_image_segment(&part->pixels, local, n, scratch);
    int is_plain = kind == RUGI_MASSES_U8 || kind == RUGI_MASSES_U16;
    if (is_plain && pixels != scratch && n == n_row && part->mask.data == NULL)
        return pixels;
    convert(mass, kind, pixels, n, slot);
    if (part->mask.data != NULL)
        apply_mask(&part->mask, local, n, size, slot,
                   (char *)scratch + RUGI_MASSES_ROW * sizeof(uint64_t));
    memset((char *)slot + n * size, 0, (n_row - n) * size);
    return slot;
}
