/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels of an image as a row of masses of a kind: where they lie, if they already are
 * that, else copied. */

#include "core/image/image_internal.h"
#include "masses_state.h"
#include <string.h>

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
    static const size_t sizes[RUGI_MASSES_KINDS] = {1, 1, 2, 8};
    size_t local[3];
    for (int a = 0; a < 3; a++)
        local[a] = at[a] - part->place.first[a];
    const void *pixels = rugi_image_segment(&part->pixels, local, n, scratch);
    int is_plain = kind == RUGI_MASSES_U8 || kind == RUGI_MASSES_U16;
    if (is_plain && pixels != scratch && n == n_row && part->mask.data == NULL)
        return pixels;
    convert(mass, kind, pixels, n, slot);
    if (part->mask.data != NULL)
        apply_mask(&part->mask, local, n, sizes[kind], slot,
                   (char *)scratch + RUGI_MASSES_ROW * sizeof(uint64_t));
    memset((char *)slot + n * sizes[kind], 0, (n_row - n) * sizes[kind]);
    return slot;
}
