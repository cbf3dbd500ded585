/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Patches through the coder. The functions are one text for writing, reading, pricing and
 * learning, and are compiled for each of them. */

#include "core/context/context_internal.h"
#include "ifs/stream/ifs_coder_inline.h"
#include "ifs_patch_model.h"
#include <stdlib.h>
#include <string.h>

#define INLINE RUGI_IFS_INLINE

/* ---- The map ---- */

rug_status rugi_ifs_patch_map_new(rug_context *ctx, rugi_ifs_patch_map *map, uint32_t nx,
                                  uint32_t ny)
{
    static const char what[] = "map of a plane's patches";
    *map = (rugi_ifs_patch_map){.nx = nx / RUGI_IFS_LEAST, .ny = ny / RUGI_IFS_LEAST};
    map->pitch = map->nx;
    size_t n = map->pitch * map->ny;
    map->squares = rugi_allocate_zeros(ctx, n, sizeof *map->squares, what);
    map->offsets = rugi_allocate_zeros(ctx, n / 64, sizeof *map->offsets, what);
    return map->squares != NULL && map->offsets != NULL ? RUG_OK : RUG_E_NOMEM;
}

rugi_ifs_patch_map rugi_ifs_patch_map_part(const rugi_ifs_patch_map *map, uint32_t x,
                                           uint32_t y, uint32_t nx, uint32_t ny)
{
    rugi_ifs_patch_map part = *map;
    part.nx = nx / RUGI_IFS_LEAST;
    part.ny = ny / RUGI_IFS_LEAST;
    part.squares += y / RUGI_IFS_LEAST * map->pitch + x / RUGI_IFS_LEAST;
    part.offsets += y / RUGI_IFS_BLOCK * (map->pitch / 8) + x / RUGI_IFS_BLOCK;
    return part;
}

void rugi_ifs_patch_map_free(rug_context *ctx, rugi_ifs_patch_map *map)
{
    rug_context_release(ctx, map->squares);
    rug_context_release(ctx, map->offsets);
    map->squares = NULL;
    map->offsets = NULL;
}

void rugi_ifs_patch_enter(rugi_ifs_patch_map *map, const rugi_ifs_patch *patch)
{
    unsigned n = rugi_ifs_side(patch->level) / RUGI_IFS_LEAST;
    int is_luma = patch->kind == RUGI_IFS_LUMA;
    const rugi_ifs_patch_square square = {patch->level, patch->kind,
                                          is_luma ? patch->k != 0 : patch->angle,
                                          patch->n_coefs > 0};
    rugi_ifs_patch_square *row =
        map->squares + patch->y / RUGI_IFS_LEAST * map->pitch + patch->x / RUGI_IFS_LEAST;
    for (unsigned y = 0; y < n; y++, row += map->pitch)
        for (unsigned x = 0; x < n; x++)
            row[x] = square;
}

size_t rugi_ifs_patch_model_bytes(void)
{
    return sizeof(rugi_ifs_patch_model);
}

void rugi_ifs_patch_model_begin(rugi_ifs_patch_model *model, int has_luma)
{
    rugi_ifs_bit *bits = (rugi_ifs_bit *)(void *)model;
    for (size_t i = 0; i < RUGI_IFS_PATCH_BITS; i++) {
        uint16_t start = rugi_ifs_patch_start[has_luma != 0][i], chance = start & 0xfff0;
        bits[i] = (rugi_ifs_bit){chance, chance, (uint16_t)((1u << (start & 15)) - 2)};
    }
}

/* ---- Around ---- */

static unsigned finer_by(const rugi_ifs_patch_square *square, unsigned level)
{
    unsigned finer = square != NULL && square->level > level ? square->level - level : 0;
    return finer < 2 ? finer : 2;
}

void rugi_ifs_patch_look_around(rugi_ifs_patch_around *out,
                                const rugi_ifs_patch_coding *c, uint32_t x, uint32_t y,
                                unsigned level)
{
    const rugi_ifs_patch_map *map = c->map;
    const rugi_ifs_patch_square *here =
        map->squares + y / RUGI_IFS_LEAST * map->pitch + x / RUGI_IFS_LEAST;
    out->left = x > 0 ? here - 1 : NULL;
    out->above = y > 0 ? here - map->pitch : NULL;
    out->before = NULL;
    if (c->before != NULL) {
        unsigned halved = c->frame->before_halved;
        uint32_t sx = x / RUGI_IFS_LEAST << halved, sy = y / RUGI_IFS_LEAST << halved;
        if (sx < c->before->nx && sy < c->before->ny)
            out->before = c->before->squares + sy * c->before->pitch + sx;
    }
    out->finer = finer_by(out->left, level) + finer_by(out->above, level);
    out->coded = (unsigned)(out->left != NULL && out->left->is_coded) +
                 (unsigned)(out->above != NULL && out->above->is_coded);
}

/* ---- Coefficients ---- */

/* Of each coefficient, how large those of higher frequencies about it are: what one that is coded adds
 * to those before it. Two rows and columns of nobody lie before them. */
#define OUTSIDE 2
#define PITCH   (RUGI_IFS_BLOCK + OUTSIDE)
typedef uint8_t sums_around[PITCH * PITCH];

INLINE void add_size(uint8_t *sum, ptrdiff_t pitch, uint32_t size)
{
    uint8_t seen = (uint8_t)(size < RUGI_IFS_SIZE_SEEN ? size : RUGI_IFS_SIZE_SEEN);
    sum[-1] = (uint8_t)(sum[-1] + 2 * seen);
    sum[-pitch] = (uint8_t)(sum[-pitch] + 2 * seen);
    sum[-pitch - 1] = (uint8_t)(sum[-pitch - 1] + seen);
    sum[-2] = (uint8_t)(sum[-2] + seen);
    sum[-2 * pitch] = (uint8_t)(sum[-2 * pitch] + seen);
}

INLINE int32_t code_size(rugi_ifs_coder *coder, rugi_ifs_patch_model *m, unsigned band,
                         rugi_ifs_sum_class class, int32_t q, unsigned is_odd,
                         rugi_ifs_coding as)
{
    unsigned wide =
        band < RUGI_IFS_PATCH_WIDE_BANDS ? band : RUGI_IFS_PATCH_WIDE_BANDS - 1;
    uint32_t size = rugi_ifs_magnitude_of(q);
    if (rugi_ifs_bit_as(coder, &m->is_not_1[wide][class.of_1], size > 1, as))
        size = 2 + rugi_ifs_number_as(coder, m->size[wide][class.of_size],
                                      RUGI_IFS_SIZE_UNARY, size - 2, as);
    else
        size = 1;
    int32_t value = (int32_t)(2 * size - is_odd);
    return rugi_ifs_raw_as(coder, q < 0, as) ? -value : value;
}

/* The coefficients of a patch from the last one down. */
INLINE void code_values(rugi_ifs_coder *coder, rugi_ifs_patch_model *m,
                        rugi_ifs_patch *patch, rugi_ifs_coding as)
{
    sums_around around;
    const unsigned level = patch->level, log2_side = 5 - level;
    const uint16_t *zigzag = rugi_ifs_zigzag(level);
    unsigned side = 1u << log2_side, pitch = side + OUTSIDE, state = 0;
    unsigned n_places = 0, i = patch->n_coefs, last = i - 1;
    memset(around, 0, pitch * pitch);
    for (unsigned band = rugi_ifs_patch_band(last) + 1; band-- > 0;)
        while (i > rugi_ifs_patch_bands[band]) {
            unsigned at = zigzag[--i], y = at >> log2_side;
            uint8_t *sum = around + at + OUTSIDE * (y + 1 + pitch);
            rugi_ifs_sum_class class = rugi_ifs_sum_classes[*sum];
            int32_t q = as == RUGI_IFS_READ ? 0 : patch->coefs[at];
            rugi_ifs_bit *is_not_0 =
                &m->is_not_0[rugi_ifs_quantiser_of(state)][level / 2][band][class.of_0];
            if (i != last && !rugi_ifs_bit_as(coder, is_not_0, q != 0, as)) {
                state = rugi_ifs_next_state(state, 0);
                continue;
            }
            q = code_size(coder, m, band, class, q, rugi_ifs_is_odd(state), as);
            uint32_t size = rugi_ifs_magnitude_of(q);
            state = rugi_ifs_next_state(state, size);
            add_size(sum, (ptrdiff_t)pitch, size);
            if (as == RUGI_IFS_READ) {
                patch->coefs[at] = q;
                if (patch->places != NULL)
                    patch->places[n_places++] = (uint16_t)at;
            }
        }
    patch->n_places = (uint16_t)n_places;
}

INLINE void code_coefs(const rugi_ifs_patch_coding *c,
                       const rugi_ifs_patch_around *around, rugi_ifs_patch *patch,
                       rugi_ifs_coding as)
{
    unsigned level = patch->level, side = rugi_ifs_side(level);
    unsigned copied = rugi_ifs_is_copied(patch->kind);
    rugi_ifs_patch_model *m = c->model;
    unsigned before = around->before != NULL && around->before->is_coded;
    if (!rugi_ifs_bit_as(c->coder, &m->has_coefs[level][copied][around->coded][before],
                         patch->n_coefs > 0, as)) {
        patch->n_coefs = 0;
        return;
    }
    uint32_t n = 1 + rugi_ifs_number_as(c->coder, m->last[level][copied],
                                        RUGI_IFS_LAST_UNARY, patch->n_coefs - 1u, as);
    if (n > side * side) {
        c->coder->failed = 1;
        n = side * side;
    }
    patch->n_coefs = (uint16_t)n;
    if (as != RUGI_IFS_READ) {
        code_values(c->coder, m, patch, as);
        return;
    }
    rugi_ifs_coder coder = *c->coder; /* that lives in registers */
    code_values(&coder, m, patch, as);
    *c->coder = coder;
}

/* ---- Predictions ---- */

/* Directions that are likely: those of the neighbours, then those beside them. */
static void guess_angles(const rugi_ifs_patch_around *around,
                         uint8_t guesses[RUGI_IFS_ANGLES_GUESSED])
{
    const rugi_ifs_patch_square *a = around->left, *b = around->above;
    int first = a != NULL && a->kind == RUGI_IFS_ANGLE ? a->angle : -1;
    int second = b != NULL && b->kind == RUGI_IFS_ANGLE ? b->angle : -1;
    if (first < 0) {
        first = second;
        second = -1;
    }
    if (first < 0) {
        guesses[0] = RUGI_IFS_VERTICAL;
        guesses[1] = RUGI_IFS_HORIZONTAL;
        guesses[2] = RUGI_IFS_ANGLES - 1;
        return;
    }
    guesses[0] = (uint8_t)first;
    if (second >= 0 && second != first) {
        guesses[1] = (uint8_t)second;
        int between = (first + second) / 2;
        while (between == first || between == second)
            between = (between + 1) % RUGI_IFS_ANGLES;
        guesses[2] = (uint8_t)between;
        return;
    }
    guesses[1] = (uint8_t)((first + RUGI_IFS_ANGLES - 1) % RUGI_IFS_ANGLES);
    guesses[2] = (uint8_t)((first + 1) % RUGI_IFS_ANGLES);
}

INLINE void code_angle(const rugi_ifs_patch_coding *c,
                       const rugi_ifs_patch_around *around, rugi_ifs_patch *patch,
                       rugi_ifs_coding as)
{
    uint8_t guesses[RUGI_IFS_ANGLES_GUESSED];
    unsigned known =
        (unsigned)(around->left != NULL && around->left->kind == RUGI_IFS_ANGLE) +
        (unsigned)(around->above != NULL && around->above->kind == RUGI_IFS_ANGLE);
    guess_angles(around, guesses);
    for (unsigned i = 0; i < RUGI_IFS_ANGLES_GUESSED; i++)
        if (rugi_ifs_bit_as(c->coder, &c->model->guessed[i][known],
                            patch->angle == guesses[i], as)) {
            patch->angle = guesses[i];
            return;
        }
    patch->angle = (uint8_t)rugi_ifs_tree_as(c->coder, c->model->angle[patch->level / 2],
                                             5, patch->angle, as);
}

INLINE int code_scale(const rugi_ifs_patch_coding *c, const rugi_ifs_patch *patch,
                      rugi_ifs_coding as)
{
    uint32_t t = patch->k > 0 ? (uint32_t)patch->k - 1 : (uint32_t)(7 - patch->k);
    t = rugi_ifs_tree_as(c->coder,
                         c->model->scale[patch->kind == RUGI_IFS_LUMA][patch->level / 2],
                         RUGI_IFS_SCALE_BITS, t, as);
    return t < 8 ? (int)t + 1 : 7 - (int)t;
}

/* 0: the slope that fits its edges. The map keeps of it whether it is coded. */
INLINE int code_luma_scale(const rugi_ifs_patch_coding *c,
                           const rugi_ifs_patch_around *around,
                           const rugi_ifs_patch *patch, rugi_ifs_coding as)
{
    const rugi_ifs_patch_square *beside[2] = {around->left, around->above};
    unsigned n = 0;
    for (unsigned i = 0; i < 2; i++)
        n += beside[i] != NULL && beside[i]->kind == RUGI_IFS_LUMA && !beside[i]->angle;
    if (rugi_ifs_bit_as(c->coder, &c->model->is_fitted[n][patch->level], patch->k == 0,
                        as))
        return 0;
    return code_scale(c, patch, as);
}

/* A signed number of units from the patch to its domain. */
INLINE int64_t code_distance(const rugi_ifs_patch_coding *c, rugi_ifs_bit *bits,
                             int64_t distance, rugi_ifs_coding as)
{
    uint32_t size = (uint32_t)(distance < 0 ? -distance : distance);
    size = rugi_ifs_number_as(c->coder, bits + 1, RUGI_IFS_PLACE_UNARY, size, as);
    if (size == 0)
        return 0;
    return rugi_ifs_bit_as(c->coder, bits, distance < 0, as) ? -(int64_t)size
                                                             : (int64_t)size;
}

INLINE void code_domain(const rugi_ifs_patch_coding *c, rugi_ifs_patch *patch,
                        rugi_ifs_coding as)
{
    int64_t side = rugi_ifs_side(patch->level), unit = RUGI_IFS_DOMAIN_UNIT;
    int64_t x = (int64_t)patch->x - side / 2, y = (int64_t)patch->y - 2 * side;
    int64_t dx = code_distance(c, c->model->place[0][patch->level],
                               ((int64_t)patch->domain_x - x) / unit, as);
    int64_t dy = code_distance(c, c->model->place[1][patch->level],
                               ((int64_t)patch->domain_y - y) / unit, as);
    if (as == RUGI_IFS_READ) {
        x += dx * unit;
        y += dy * unit;
        if (!rugi_ifs_is_decoded(c->frame, patch, x, y)) {
            c->coder->failed = 1;
            patch->kind = RUGI_IFS_FLAT_KIND;
            return;
        }
        patch->domain_x = (uint32_t)x;
        patch->domain_y = (uint32_t)y;
    }
    patch->symmetry =
        (uint8_t)rugi_ifs_tree_as(c->coder, c->model->symmetry, 3, patch->symmetry, as);
    patch->k = (int8_t)code_scale(c, patch, as);
}

/* Whether a patch is of a kind, in the context of how many of its neighbours are. */
INLINE int is_kind(const rugi_ifs_patch_coding *c, const rugi_ifs_patch_around *around,
                   const rugi_ifs_patch *patch, unsigned question, unsigned kind,
                   rugi_ifs_coding as)
{
    unsigned n = (unsigned)(around->left != NULL && around->left->kind == kind) +
                 (unsigned)(around->above != NULL && around->above->kind == kind);
    return rugi_ifs_bit_as(c->coder, &c->model->kind[question][patch->level][n],
                           patch->kind == kind, as);
}

INLINE void code_kind(const rugi_ifs_patch_coding *c, const rugi_ifs_patch_around *around,
                      rugi_ifs_patch *patch, rugi_ifs_coding as)
{
    static const uint8_t asked[RUGI_IFS_KIND_QUESTIONS] = {
        RUGI_IFS_LUMA, RUGI_IFS_ANGLE, RUGI_IFS_PLANAR, RUGI_IFS_FLAT_KIND,
        RUGI_IFS_MEDIAN};
    for (unsigned i = c->frame->has_luma ? 0 : 1; i < RUGI_IFS_KIND_QUESTIONS; i++)
        if (is_kind(c, around, patch, i, asked[i], as)) {
            patch->kind = asked[i];
            return;
        }
    patch->kind = RUGI_IFS_DOMAIN;
}

INLINE void code_patch(const rugi_ifs_patch_coding *c, rugi_ifs_patch *patch,
                       rugi_ifs_coding as)
{
    rugi_ifs_patch_around around;
    rugi_ifs_patch_look_around(&around, c, patch->x, patch->y, patch->level);
    code_kind(c, &around, patch, as);
    if (patch->kind == RUGI_IFS_ANGLE)
        code_angle(c, &around, patch, as);
    else if (patch->kind == RUGI_IFS_DOMAIN)
        code_domain(c, patch, as);
    else if (patch->kind == RUGI_IFS_LUMA)
        patch->k = (int8_t)code_luma_scale(c, &around, patch, as);
    code_coefs(c, &around, patch, as);
}

/* ---- What is called ---- */

void rugi_ifs_code_patch(const rugi_ifs_patch_coding *c, rugi_ifs_patch *patch)
{
    switch (c->coder->coding) {
    case RUGI_IFS_READ: code_patch(c, patch, RUGI_IFS_READ); break;
    case RUGI_IFS_WRITE: code_patch(c, patch, RUGI_IFS_WRITE); break;
    case RUGI_IFS_LEARN: code_patch(c, patch, RUGI_IFS_LEARN); break;
    default: code_patch(c, patch, RUGI_IFS_PRICE); break;
    }
}

int rugi_ifs_code_patch_split(const rugi_ifs_patch_coding *c, uint32_t x, uint32_t y,
                              unsigned level, int split)
{
    rugi_ifs_patch_around around;
    rugi_ifs_patch_look_around(&around, c, x, y, level);
    unsigned before = around.before == NULL ? 0 : around.before->level <= level ? 1 : 2;
    return rugi_ifs_code_bit(c->coder, &c->model->split[before][level][around.finer],
                             split);
}

int rugi_ifs_code_offset(const rugi_ifs_patch_coding *c, uint32_t column, uint32_t row,
                         int offset)
{
    const int8_t *here = c->map->offsets + row * (c->map->pitch / 8) + column;
    int expected = column > 0 ? here[-1]
                   : row > 0  ? here[-(ptrdiff_t)c->map->pitch / 8]
                              : 0;
    int rest = offset - expected;
    uint32_t size =
        rugi_ifs_code_number(c->coder, c->model->offset + 1, 2, (uint32_t)abs(rest));
    int most = 2 * RUGI_IFS_OFFSET_MAX;
    if (size > (uint32_t)most) {
        c->coder->failed = 1;
        size = 0;
    }
    rest = (int)size;
    if (size > 0 && rugi_ifs_code_bit(c->coder, c->model->offset, offset < expected))
        rest = -rest;
    offset = expected + rest;
    if (abs(offset) > RUGI_IFS_OFFSET_MAX) {
        c->coder->failed = 1;
        offset = 0;
    }
    return offset;
}
