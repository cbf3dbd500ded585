/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The trees of FORMAT.md, section 3: from decisions to leaves. */

#include "independent.h"
#include <stdlib.h>

/* Every decision's probabilities, and nothing else. */
typedef struct contexts {
    ind_context split[3][5];
    ind_context has_domain[4][3];
    ind_context zone_1[4], zone_2[4];
    ind_context near[4][64];
    ind_context symmetry[3][8];
    ind_context scale[4][3][16];
    ind_context mean[2][4][IND_NUMBER(4)];
    ind_context has_coefficients[4][2][3];
    ind_context last[4][2][IND_NUMBER(2)];
    ind_context not_0[2][6][8];
    ind_context not_1[3][8];
    ind_context size[3][6][IND_NUMBER(6)];
} contexts;

typedef struct reader {
    ind_coder coder;
    contexts contexts;
    const ind_head *head;
    int64_t delta;
    int depth;
    int64_t nx, ny; /* padded */
    ind_leaf *
        *around; /* [ny / 4][nx / 4] the leaf that covers a square; NULL: none yet */
    ind_leaf *first, **end; /* a list */
} reader;

/* What is around a block. */
typedef struct surroundings {
    int finer, domains, coded;
    int64_t expected, contrast;
} surroundings;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The leaf that covers a pixel; NULL outside. */
static ind_leaf *leaf_at(const reader *r, int64_t y, int64_t x)
{
    if (x < 0 || y < 0)
        return NULL;
    return r->around[y / 4 * (r->nx / 4) + x / 4];
}

static void look_at(surroundings *s, const ind_leaf *leaf, int level)
{
    if (!leaf)
        return;
    s->finer += (int)ind_limit(leaf->level - level, 0, 2);
    s->domains += leaf->square.has_domain;
    s->coded += leaf->coefficients != NULL;
}

/* The mean of the means along an edge; (dy, dx) leads along it. */
static int64_t edge_mean(const reader *r, int64_t y, int64_t x, int dy, int dx,
                         int64_t side)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < side; i += 4)
        sum += leaf_at(r, y + i * dy, x + i * dx)->mean;
    return ind_floor(sum + side / 8, side / 4);
}

static surroundings look_around(const reader *r, int64_t y, int64_t x, int level)
{
    int64_t side = 32 >> level;
    surroundings s = {0, 0, 0, (int64_t)64 << (r->depth - 1), 0};
    const ind_leaf *left = leaf_at(r, y, x - 4), *above = leaf_at(r, y - 4, x);
    look_at(&s, left, level);
    look_at(&s, above, level);
    int64_t l = left ? edge_mean(r, y, x - 4, 1, 0, side) : 0;
    int64_t a = above ? edge_mean(r, y - 4, x, 0, 1, side) : 0;
    if (left && above) {
        int64_t c = leaf_at(r, y - 4, x - 4)->mean;
        s.expected = most(least(l, a), least(most(l, a), l + a - c));
        s.contrast = most(most(l, a), c) - least(least(l, a), c);
    } else if (left || above) {
        s.expected = left ? l : a;
    }
    return s;
}

/* The first pixel of a domain around the block, along one axis. */
static int64_t near_place(int64_t at, int64_t side, int64_t offset, int64_t n)
{
    return ind_limit(at - side / 2 + offset, 0, n - 2 * side) / 4 * 4;
}

static void read_domain(reader *r, ind_leaf *leaf)
{
    ind_square *square = &leaf->square;
    ind_coder *coder = &r->coder;
    contexts *c = &r->contexts;
    int level = leaf->level, zone = 0;
    int64_t side = square->side, row = 4, column = 4;
    if (ind_bit(coder, &c->zone_1[level]))
        zone = 1 + ind_bit(coder, &c->zone_2[level]);
    if (zone == 1) {
        int64_t near = ind_tree(coder, c->near[level], 6);
        row = near >> 3;
        column = near & 7;
    }
    if (zone == 2) {
        int64_t step = r->head->step;
        square->domain_x = step * ind_uniform(coder, (r->nx - 2 * side) / step + 1);
        square->domain_y = step * ind_uniform(coder, (r->ny - 2 * side) / step + 1);
    } else {
        int64_t unit = most(side / 4, 4);
        square->domain_x = near_place(square->x, side, (column - 4) * unit, r->nx);
        square->domain_y = near_place(square->y, side, (row - 4) * unit, r->ny);
    }
    square->symmetry = (int)ind_tree(coder, c->symmetry[zone], 3);
    int64_t t = ind_tree(coder, c->scale[level][zone], 4);
    square->k = t < 8 ? t + 1 : 7 - t;
}

static void read_mean(reader *r, ind_leaf *leaf, const surroundings *around)
{
    int64_t side = leaf->square.side;
    int64_t step =
        ind_limit((4 * r->delta + side / 2) / side, 2, (int64_t)1 << (r->depth + 1));
    int64_t e = ind_floor(around->expected + step / 2, step);
    int64_t a = around->contrast / step;
    int activity = a < 1 ? 0 : a < 3 ? 1 : a < 9 ? 2 : 3;
    int64_t n = ind_number(&r->coder, r->contexts.mean[leaf->level / 2][activity], 4);
    if (n > 0 && ind_raw(&r->coder, 1))
        n = -n;
    leaf->mean = (e + n) * step;
    if (leaf->mean != ind_clamp(leaf->mean, r->depth))
        r->coder.damaged = "a mean is out of range";
}

/* Walks the diagonals from the first one. */
void ind_zigzag(int64_t *y, int64_t *x, int64_t i, int64_t side)
{
    int64_t sum = 0;
    for (;; sum++) {
        int64_t length = sum < side ? sum + 1 : 2 * side - 1 - sum;
        if (i < length)
            break;
        i -= length;
    }
    int64_t smallest = most(0, sum - (side - 1)), largest = least(sum, side - 1);
    *y = sum % 2 ? smallest + i : largest - i;
    *x = sum - *y;
}

/* min(|q|, 15), 0 outside the block. */
static int64_t known(const int64_t *q, int64_t y, int64_t x, int64_t side)
{
    if (y >= side || x >= side)
        return 0;
    return least(llabs(q[y * side + x]), 15);
}

/* How many of the bounds a number reaches. */
static int reached(int64_t a, const int *bounds, int n)
{
    return n == 0 ? 0 : (a >= bounds[0]) + reached(a, bounds + 1, n - 1);
}

static int64_t read_coefficient(reader *r, int level, int64_t i, int64_t sum,
                                bool is_last)
{
    static const int bands[] = {3, 10, 28, 66, 150};
    static const int classes_0[] = {1, 2, 3, 5, 7, 10, 15};
    static const int classes_1[] = {1, 3, 5, 8, 12, 18, 30};
    static const int classes_size[] = {6, 11, 18, 28, 50};
    contexts *c = &r->contexts;
    int wide = reached(i, bands, 2);
    if (!is_last &&
        !ind_bit(&r->coder,
                 &c->not_0[level / 2][reached(i, bands, 5)][reached(sum, classes_0, 7)]))
        return 0;
    int64_t size = 1;
    if (ind_bit(&r->coder, &c->not_1[wide][reached(sum, classes_1, 7)]))
        size = 2 + ind_number(&r->coder, c->size[wide][reached(sum, classes_size, 5)], 6);
    return ind_raw(&r->coder, 1) ? -size : size;
}

static void read_coefficients(reader *r, ind_leaf *leaf, const surroundings *around)
{
    int level = leaf->level;
    int64_t side = leaf->square.side;
    bool has_domain = leaf->square.has_domain;
    contexts *c = &r->contexts;
    if (!ind_bit(&r->coder, &c->has_coefficients[level][has_domain][around->coded]))
        return;
    int64_t n = 1 + ind_number(&r->coder, c->last[level][has_domain], 2);
    if (n > side * side - 1)
        r->coder.damaged = "too many coefficients";
    int64_t *q = ind_alloc((size_t)(side * side), sizeof *q);
    leaf->coefficients = q;
    for (int64_t i = n; i >= 1 && !r->coder.damaged; i--) {
        int64_t y, x;
        ind_zigzag(&y, &x, i, side);
        int64_t sum = 2 * (known(q, y, x + 1, side) + known(q, y + 1, x, side)) +
                      known(q, y + 1, x + 1, side) + known(q, y, x + 2, side) +
                      known(q, y + 2, x, side);
        q[y * side + x] = read_coefficient(r, level, i, sum, i == n);
    }
}

static void read_leaf(reader *r, int64_t y, int64_t x, int level)
{
    int64_t side = 32 >> level;
    surroundings around = look_around(r, y, x, level);
    ind_leaf *leaf = ind_alloc(1, sizeof *leaf);
    *r->end = leaf;
    r->end = &leaf->next;
    leaf->level = level;
    leaf->square = (ind_square){.x = x, .y = y, .side = side};
    if (2 * side <= r->nx && 2 * side <= r->ny)
        leaf->square.has_domain =
            ind_bit(&r->coder, &r->contexts.has_domain[level][around.domains]);
    if (leaf->square.has_domain)
        read_domain(r, leaf);
    read_mean(r, leaf, &around);
    if (r->head->has_residual)
        read_coefficients(r, leaf, &around);
    for (int64_t i = 0; i < side; i += 4)
        for (int64_t j = 0; j < side; j += 4)
            r->around[(y + i) / 4 * (r->nx / 4) + (x + j) / 4] = leaf;
}

static void read_block(reader *r, int64_t y, int64_t x, int level)
{
    if (r->coder.damaged)
        return;
    int finer = look_around(r, y, x, level).finer;
    if (level == 3 || !ind_bit(&r->coder, &r->contexts.split[level][finer])) {
        read_leaf(r, y, x, level);
        return;
    }
    int64_t half = 16 >> level;
    read_block(r, y, x, level + 1);
    read_block(r, y, x + half, level + 1);
    read_block(r, y + half, x, level + 1);
    read_block(r, y + half, x + half, level + 1);
}

const char *ind_read_leaves(ind_leaf **out, const ind_head *head, int plane)
{
    const ind_plane_head *p = &head->planes[plane];
    reader *r = ind_alloc(1, sizeof *r);
    r->head = head;
    r->delta = p->delta;
    r->depth = p->depth;
    r->nx = head->padded_nx;
    r->ny = head->padded_ny;
    r->end = &r->first;
    r->around = ind_alloc((size_t)(r->nx / 4 * (r->ny / 4)), sizeof *r->around);
    ind_begin(&r->coder, p->payload, p->size);
    ind_begin_contexts(&r->contexts, sizeof r->contexts);
    for (int64_t y = 0; y < r->ny; y += 32)
        for (int64_t x = 0; x < r->nx; x += 32)
            read_block(r, y, x, 0);
    const char *damaged = r->coder.damaged;
    *out = r->first;
    if (damaged) {
        ind_free_leaves(r->first);
        *out = NULL;
    }
    free(r->around);
    free(r);
    return damaged;
}

void ind_free_leaves(ind_leaf *first)
{
    while (first) {
        ind_leaf *next = first->next;
        free(first->coefficients);
        free(first);
        first = next;
    }
}
