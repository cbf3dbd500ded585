/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* FORMAT.md, section 9: from decisions to patches. */

#include "independent_v3.h"
#include <stdlib.h>

/* A sign, and the number behind it. */
typedef struct with_sign {
    ind_context sign, number[IND_NUMBER(2)];
} with_sign;

/* Every decision's probabilities in the order of their table, and nothing else. */
typedef struct contexts {
    with_sign offset;
    ind_context split[3][3][5];
    ind_context kind[5][4][3];
    ind_context guess[3][3];
    ind_context angle[2][32];
    ind_context symmetry[8];
    ind_context scale[2][2][16];
    with_sign place[2][4];
    ind_context has_coefficients[4][2][3][2];
    ind_context last[4][2][IND_NUMBER(2)];
    ind_context not_0[3][2][7][8];
    ind_context not_1[4][8];
    ind_context size[4][6][IND_NUMBER(6)];
    ind_context fitted[3][4];
} contexts;

enum { N_CONTEXTS = sizeof(contexts) / sizeof(ind_context) };

/* The table of the specification, which is no part of the library's code. */
static const uint16_t start[2][N_CONTEXTS] = {
#include "independent_start.inc"

    typedef struct reader{ind_coder coder;
contexts contexts;
ind_patches *patches;
const ind_patches *before;
int64_t before_scale; /* samples of the plane before, along a side of one of this plane */
bool is_colour;
int64_t delta;
int64_t step; /* of the root */
int64_t n;    /* patches so far */
ind_patch **end;
}
reader;

static void begin_contexts(contexts *c, bool is_colour)
{
    ind_context *context = (ind_context *)c;
    for (int i = 0; i < N_CONTEXTS; i++) {
        int64_t t = start[is_colour][i];
        context[i] = (ind_context){t - t % 16, t - t % 16, (1 << t % 16) - 2};
    }
}

ind_patch *ind_patch_at(const ind_patches *patches, int64_t y, int64_t x)
{
    if (y < 0 || x < 0 || y >= patches->ny || x >= patches->nx)
        return NULL;
    return patches->at[y / 4 * (patches->nx / 4) + x / 4];
}

/* A number with a sign. */
static int64_t read_signed(ind_coder *coder, with_sign *c)
{
    int64_t n = ind_number(coder, c->number, 2);
    return n > 0 && ind_bit(coder, &c->sign) ? -n : n;
}

/* What is around a block. */
typedef struct surroundings {
    const ind_patch *left, *above, *before;
} surroundings;

static surroundings look_around(const reader *r, int64_t y, int64_t x)
{
    surroundings s = {ind_patch_at(r->patches, y, x - 1),
                      ind_patch_at(r->patches, y - 1, x), NULL};
    if (r->before)
        s.before = ind_patch_at(r->before, y * r->before_scale, x * r->before_scale);
    return s;
}

static int is_kind(const ind_patch *patch, int kind)
{
    return patch && patch->kind == kind;
}

static int has_some(const ind_patch *patch)
{
    return patch && patch->coefficients;
}

/* Whether the slope of a patch follows from its edges. */
static int is_fitted(const ind_patch *patch)
{
    return is_kind(patch, IND_LUMA) && patch->k == 0;
}

static int64_t finer(const ind_patch *patch, int level)
{
    return patch ? ind_limit(patch->level - level, 0, 2) : 0;
}

static int read_kind(reader *r, const surroundings *s, int level)
{
    for (int kind = r->is_colour ? IND_LUMA : IND_ANGLE; kind < IND_DOMAIN; kind++) {
        int alike = is_kind(s->left, kind) + is_kind(s->above, kind);
        if (ind_bit(&r->coder, &r->contexts.kind[kind][level][alike]))
            return kind;
    }
    return IND_DOMAIN;
}

static void guess_angles(int guesses[3], const surroundings *s)
{
    bool left = is_kind(s->left, IND_ANGLE), above = is_kind(s->above, IND_ANGLE);
    int a = left ? s->left->angle : above ? s->above->angle : 23;
    guesses[0] = a;
    guesses[1] = left || above ? (a + 31) % 32 : 7;
    guesses[2] = left || above ? (a + 1) % 32 : 31;
    if (left && above && s->above->angle != a) {
        int b = s->above->angle, c = (a + b) / 2;
        while (c == a || c == b)
            c = (c + 1) % 32;
        guesses[1] = b;
        guesses[2] = c;
    }
}

static int read_angle(reader *r, const surroundings *s, int level)
{
    int guesses[3], alike = is_kind(s->left, IND_ANGLE) + is_kind(s->above, IND_ANGLE);
    guess_angles(guesses, s);
    for (int i = 0; i < 3; i++)
        if (ind_bit(&r->coder, &r->contexts.guess[i][alike]))
            return guesses[i];
    return (int)ind_tree(&r->coder, r->contexts.angle[level / 2], 5);
}

static void read_scale(reader *r, ind_patch *patch)
{
    ind_context *tree = r->contexts.scale[patch->kind == IND_LUMA][patch->level / 2];
    int64_t t = ind_tree(&r->coder, tree, 4);
    patch->k = t < 8 ? t + 1 : 7 - t;
}

static void read_domain(reader *r, ind_patch *patch)
{
    int64_t side = patch->side;
    int64_t n_x = read_signed(&r->coder, &r->contexts.place[0][patch->level]);
    int64_t n_y = read_signed(&r->coder, &r->contexts.place[1][patch->level]);
    patch->domain_x = patch->x - side / 2 + 2 * n_x;
    patch->domain_y = patch->y - 2 * side + 2 * n_y;
    int64_t last_x = patch->domain_x + 2 * side - 1,
            last_y = patch->domain_y + 2 * side - 1;
    if (patch->domain_x < 0 || patch->domain_y < 0 ||
        !ind_patch_at(r->patches, last_y, last_x))
        r->coder.damaged = "a domain was not decoded before";
    patch->symmetry = (int)ind_tree(&r->coder, r->contexts.symmetry, 3);
    read_scale(r, patch);
}

/* min(m, 15), 0 outside the block. */
static int64_t known(const int64_t *m, int64_t y, int64_t x, int64_t side)
{
    if (y >= side || x >= side)
        return 0;
    return ind_limit(m[y * side + x], 0, 15);
}

/* How many of the bounds a number reaches. */
static int reached(int64_t a, const int *bounds, int n)
{
    return n == 0 ? 0 : (a >= bounds[0]) + reached(a, bounds + 1, n - 1);
}

/* The magnitude of coefficient i. */
static int64_t read_size(reader *r, int level, int64_t i, int64_t sum, int quantiser,
                         bool is_last)
{
    static const int bands[] = {1, 3, 10, 28, 66, 150};
    static const int classes_0[] = {1, 2, 3, 5, 7, 10, 15};
    static const int classes_1[] = {1, 3, 5, 8, 12, 18, 30};
    static const int classes_size[] = {6, 11, 18, 28, 50};
    contexts *c = &r->contexts;
    ind_context *not_0 =
        &c->not_0[quantiser][level / 2][reached(i, bands, 6)][reached(sum, classes_0, 7)];
    int wide = reached(i, bands, 3);
    if (!is_last && !ind_bit(&r->coder, not_0))
        return 0;
    if (!ind_bit(&r->coder, &c->not_1[wide][reached(sum, classes_1, 7)]))
        return 1;
    return 2 + ind_number(&r->coder, c->size[wide][reached(sum, classes_size, 5)], 6);
}

static void read_coefficients(reader *r, ind_patch *patch, const surroundings *s)
{
    static const int after[2][8] = {{0, 5, 1, 6, 2, 4, 3, 7}, {2, 7, 3, 4, 0, 6, 1, 5}};
    contexts *c = &r->contexts;
    int level = patch->level, state = 0;
    int copied = patch->kind == IND_DOMAIN || patch->kind == IND_LUMA;
    int coded = has_some(s->left) + has_some(s->above);
    int64_t side = patch->side;
    if (!ind_bit(&r->coder,
                 &c->has_coefficients[level][copied][coded][has_some(s->before)]))
        return;
    int64_t n = 1 + ind_number(&r->coder, c->last[level][copied], 2);
    if (n > side * side)
        r->coder.damaged = "too many coefficients";
    int64_t *q = ind_alloc((size_t)(side * side), sizeof *q);
    int64_t *m = ind_alloc((size_t)(side * side), sizeof *m);
    patch->coefficients = q;
    for (int64_t i = n - 1; i >= 0 && !r->coder.damaged; i--) {
        int64_t y, x;
        ind_zigzag(&y, &x, i, side);
        int64_t sum = 2 * (known(m, y, x + 1, side) + known(m, y + 1, x, side)) +
                      known(m, y + 1, x + 1, side) + known(m, y, x + 2, side) +
                      known(m, y + 2, x, side);
        int quantiser = state % 2 == 0 ? 0 : state % 4 == 1 ? 1 : 2;
        int64_t size = read_size(r, level, i, sum, quantiser, i == n - 1);
        m[y * side + x] = size;
        if (size > 0) {
            int64_t steps = 2 * size - state % 2;
            q[y * side + x] = ind_raw(&r->coder, 1) ? -steps : steps;
        }
        state = after[size % 2][state];
    }
    free(m);
}

static void read_patch(reader *r, int64_t y, int64_t x, int level)
{
    surroundings s = look_around(r, y, x);
    ind_patch *patch = ind_alloc(1, sizeof *patch);
    *r->end = patch;
    r->end = &patch->next;
    patch->x = x;
    patch->y = y;
    patch->side = 32 >> level;
    patch->level = level;
    patch->order = r->n++;
    patch->step = r->step;
    patch->kind = read_kind(r, &s, level);
    if (patch->kind == IND_ANGLE)
        patch->angle = read_angle(r, &s, level);
    if (patch->kind == IND_DOMAIN)
        read_domain(r, patch);
    int fitted = is_fitted(s.left) + is_fitted(s.above);
    if (patch->kind == IND_LUMA &&
        !ind_bit(&r->coder, &r->contexts.fitted[fitted][level]))
        read_scale(r, patch);
    read_coefficients(r, patch, &s);
    for (int64_t i = y; i < y + patch->side; i += 4)
        for (int64_t j = x; j < x + patch->side; j += 4)
            r->patches->at[i / 4 * (r->patches->nx / 4) + j / 4] = patch;
}

static void read_block(reader *r, int64_t y, int64_t x, int level)
{
    if (r->coder.damaged)
        return;
    surroundings s = look_around(r, y, x);
    int deeper = !s.before ? 0 : s.before->level > level ? 2 : 1;
    int64_t fine = finer(s.left, level) + finer(s.above, level);
    if (level == 3 || !ind_bit(&r->coder, &r->contexts.split[deeper][level][fine])) {
        read_patch(r, y, x, level);
        return;
    }
    int64_t half = 16 >> level;
    read_block(r, y, x, level + 1);
    read_block(r, y, x + half, level + 1);
    read_block(r, y + half, x, level + 1);
    read_block(r, y + half, x + half, level + 1);
}

/* The offset of a root, and its step. */
static int64_t read_offset(reader *r, int64_t expected)
{
    static const int64_t m[] = {4096, 4598, 5161, 5793, 6502, 7298};
    int64_t difference = read_signed(&r->coder, &r->contexts.offset);
    int64_t offset = expected + difference, sixths = ind_floor(offset, 6);
    if (llabs(difference) > 36 || offset < -18 || offset > 18) {
        r->coder.damaged = "an offset is too large";
        return 0;
    }
    r->step = ind_shift(r->delta * m[offset - 6 * sixths], (int)sixths - 12);
    if (r->step < 1)
        r->step = 1;
    return offset;
}

static void read_roots(reader *r, bool has_offsets)
{
    int64_t first = 0;
    for (int64_t y = 0; y < r->patches->ny; y += 32) {
        int64_t expected = first;
        for (int64_t x = 0; x < r->patches->nx; x += 32) {
            if (has_offsets)
                expected = read_offset(r, expected);
            if (x == 0)
                first = expected;
            read_block(r, y, x, 0);
        }
    }
}

const char *ind_read_patches(ind_patches *out, const ind_head_v3 *head, int plane,
                             int64_t ny, int64_t nx, ind_bytes payload,
                             const ind_patches *before)
{
    int64_t halves = head->is_halved && plane > 0 ? 2 : 1;
    reader *r = ind_alloc(1, sizeof *r);
    *out = (ind_patches){.nx = ((nx + halves - 1) / halves + 31) / 32 * 32,
                         .ny = ((ny + halves - 1) / halves + 31) / 32 * 32,
                         .depth = ind_depth_of(head, plane)};
    out->at = ind_alloc((size_t)(out->nx / 4 * (out->ny / 4)), sizeof *out->at);
    r->patches = out;
    r->before = before;
    r->before_scale = plane == 1 ? halves : 1;
    r->is_colour = plane > 0;
    r->delta = head->delta[plane];
    r->step = r->delta;
    r->end = &out->first;
    ind_begin(&r->coder, payload.bytes, payload.size);
    begin_contexts(&r->contexts, r->is_colour);
    read_roots(r, head->has_offsets[plane]);
    const char *damaged = r->coder.damaged;
    free(r);
    return damaged;
}

void ind_free_patches(ind_patches *patches)
{
    for (ind_patch *patch = patches->first; patch;) {
        ind_patch *next = patch->next;
        free(patch->coefficients);
        free(patch);
        patch = next;
    }
    free(patches->at);
    *patches = (ind_patches){0};
}
