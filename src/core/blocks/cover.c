/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The account of the pixels that have come. Few boxes are all compared with each other; of many
 * those that can meet a box are found by the cells that they begin in: a box that is no longer
 * than a cell begins in the cell of a pixel of its own or in the one before. */

#include "cover.h"
#include "core/context/threads.h"
#include <stdlib.h>
#include <string.h>

int rugi_box_intersect(rugi_box *out, const rugi_box *a, const rugi_box *b)
{
    for (int i = 0; i < 3; i++) {
        out->first[i] = a->first[i] > b->first[i] ? a->first[i] : b->first[i];
        out->end[i] = a->end[i] < b->end[i] ? a->end[i] : b->end[i];
        if (out->first[i] >= out->end[i])
            return 0;
    }
    return 1;
}

/* Makes one box of two that touch with a whole face. @return 0 when they do not */
static int join(rugi_box *box, const rugi_box *other)
{
    int axis = -1;
    for (int a = 0; a < 3; a++) {
        if (box->first[a] == other->first[a] && box->end[a] == other->end[a])
            continue;
        int touch = box->end[a] == other->first[a] || other->end[a] == box->first[a];
        if (axis >= 0 || !touch)
            return 0;
        axis = a;
    }
    if (axis < 0)
        return 0;
    if (other->first[axis] < box->first[axis])
        box->first[axis] = other->first[axis];
    else
        box->end[axis] = other->end[axis];
    return 1;
}

/* ---- Where boxes are ---- */

/* Up to so many boxes are looked through without chains. */
#define FEW 16

/* Sides of cells, as powers of two. With more of them fewer boxes would begin in a cell, but a long
 * box would have more cells to look at. */
#define LEAST_BITS 5
#define STEP       4
#define MOST_BITS  (8 * sizeof(size_t) - 1)

static unsigned char bits_of(size_t length)
{
    size_t bits = LEAST_BITS;
    while (bits < MOST_BITS && (size_t)1 << bits < length)
        bits = bits + STEP < MOST_BITS ? bits + STEP : MOST_BITS;
    return (unsigned char)bits;
}

static rugi_box_kind kind_of(const rugi_box *box)
{
    rugi_box_kind kind = {.n = 1};
    for (int a = 0; a < 3; a++)
        kind.bits[a] = bits_of(box->end[a] - box->first[a]);
    return kind;
}

static int is_kind(const rugi_box_kind *a, const rugi_box_kind *b)
{
    return memcmp(a->bits, b->bits, sizeof a->bits) == 0;
}

/* The chain of a cell of boxes of a kind. */
static size_t *chain_of(const rugi_cover *cover, const rugi_box_kind *kind,
                        const size_t cell[3])
{
    uint64_t hash = 0;
    for (int a = 0; a < 3; a++)
        hash = (hash ^ ((uint64_t)cell[a] << 6) ^ kind->bits[a]) * 0x9e3779b97f4a7c15u;
    return &cover->chains[hash >> 32 & (cover->n_chains - 1)];
}

/* The chain that a box is in, or is to be in. */
static size_t *chain_of_box(const rugi_cover *cover, size_t i)
{
    const rugi_box *box = &cover->boxes[i];
    rugi_box_kind kind = kind_of(box);
    size_t cell[3];
    for (int a = 0; a < 3; a++)
        cell[a] = box->first[a] >> kind.bits[a];
    return chain_of(cover, &kind, cell);
}

static void count_kind(rugi_cover *cover, const rugi_box *box, int is_new)
{
    rugi_box_kind kind = kind_of(box), *k = cover->kinds;
    while (k < cover->kinds + cover->n_kinds && !is_kind(k, &kind))
        k++;
    if (k == cover->kinds + cover->n_kinds)
        cover->kinds[cover->n_kinds++] = kind;
    else if (is_new)
        k->n++;
    else if (--k->n == 0)
        *k = cover->kinds[--cover->n_kinds];
}

static void link_box(rugi_cover *cover, size_t i)
{
    size_t *chain = chain_of_box(cover, i);
    cover->next[i] = *chain;
    *chain = i + 1;
    count_kind(cover, &cover->boxes[i], 1);
}

static void unlink_box(rugi_cover *cover, size_t i)
{
    size_t *at = chain_of_box(cover, i);
    while (*at != i + 1)
        at = &cover->next[*at - 1];
    *at = cover->next[i];
    count_kind(cover, &cover->boxes[i], 0);
}

/* Takes a box out; the last one gets its place. */
static void remove_box(rugi_cover *cover, size_t i)
{
    size_t last = cover->n - 1;
    if (cover->chains != NULL) {
        unlink_box(cover, i);
        if (i < last)
            unlink_box(cover, last);
    }
    cover->boxes[i] = cover->boxes[last];
    cover->n = last;
    if (cover->chains != NULL && i < last)
        link_box(cover, i);
}

static void put_new(rugi_cover *cover, const rugi_box *box)
{
    cover->boxes[cover->n++] = *box;
    if (cover->chains != NULL)
        link_box(cover, cover->n - 1);
}

static void free_chains(rug_context *ctx, rugi_cover *cover)
{
    rug_context_release(ctx, cover->chains);
    rug_context_release(ctx, cover->next);
    rug_context_release(ctx, cover->kinds);
    cover->chains = cover->next = NULL;
    cover->kinds = NULL;
    cover->n_chains = cover->n_kinds = 0;
}

rug_status rugi_cover_index(rug_context *ctx, rugi_cover *cover)
{
    size_t n = cover->capacity, n_chains = FEW;
    free_chains(ctx, cover);
    if (n <= FEW)
        return RUG_OK;
    while (n_chains < n)
        n_chains *= 2;
    cover->n_chains = n_chains;
    cover->next = rug_context_allocate(ctx, n, sizeof *cover->next, "list of parts");
    cover->kinds = rug_context_allocate(ctx, n, sizeof *cover->kinds, "list of parts");
    cover->chains =
        rug_context_allocate(ctx, n_chains, sizeof *cover->chains, "list of parts");
    if (cover->next == NULL || cover->kinds == NULL || cover->chains == NULL) {
        free_chains(ctx, cover);
        return RUG_E_NOMEM;
    }
    memset(cover->chains, 0, n_chains * sizeof *cover->chains);
    for (size_t i = 0; i < cover->n; i++)
        link_box(cover, i);
    return RUG_OK;
}

/* Boxes that may meet another one, one after the other. */
typedef struct search {
    const rugi_cover *cover;
    const rugi_box *box;
    int is_linear;
    size_t next; /* 1 + the next box of the chain; linear: of all */
    size_t kind; /* of the cells */
    size_t first[3], last[3],
        at[3]; /* cells: the first and the last, and the one at hand */
} search;

/* How many cells of a kind can have boxes that meet the one that is searched for. */
static double set_cells(search *s, size_t kind)
{
    double n = 1;
    s->kind = kind;
    for (int a = 0; a < 3; a++) {
        unsigned bits = s->cover->kinds[kind].bits[a];
        size_t reach = ((size_t)1 << bits) - 1, from = s->box->first[a];
        s->first[a] = s->at[a] = (from > reach ? from - reach : 0) >> bits;
        s->last[a] = (s->box->end[a] - 1) >> bits;
        n *= (double)(s->last[a] - s->first[a] + 1);
    }
    return n;
}

static void begin_cell(search *s)
{
    s->next = *chain_of(s->cover, &s->cover->kinds[s->kind], s->at);
}

static search search_for(const rugi_cover *cover, const rugi_box *box)
{
    search s = {.cover = cover, .box = box, .is_linear = 1};
    double n = 0;
    if (cover->chains == NULL || cover->n <= FEW)
        return s;
    for (size_t k = 0; k < cover->n_kinds; k++)
        n += set_cells(&s, k);
    s.is_linear = n > (double)cover->n;
    if (!s.is_linear) {
        set_cells(&s, 0);
        begin_cell(&s);
    }
    return s;
}

/* The next cell, or the first one of the next kind. @return 0 when there is none */
static int next_cell(search *s)
{
    for (int a = 2; a >= 0; a--) {
        if (s->at[a] < s->last[a]) {
            s->at[a]++;
            return 1;
        }
        s->at[a] = s->first[a];
    }
    if (s->kind + 1 == s->cover->n_kinds)
        return 0;
    set_cells(s, s->kind + 1);
    return 1;
}

/* Whether a box of the chain begins in the cell at hand. */
static int is_of_cell(const search *s, const rugi_box *box)
{
    rugi_box_kind kind = kind_of(box);
    int is_of = is_kind(&kind, &s->cover->kinds[s->kind]);
    for (int a = 0; a < 3 && is_of; a++)
        is_of = box->first[a] >> kind.bits[a] == s->at[a];
    return is_of;
}

/* The next box, once each. @return NULL when there is none */
static const rugi_box *next_box(search *s)
{
    const rugi_cover *cover = s->cover;
    if (s->is_linear)
        return s->next < cover->n ? &cover->boxes[s->next++] : NULL;
    for (;;) {
        while (s->next != 0) {
            const rugi_box *box = &cover->boxes[s->next - 1];
            s->next = cover->next[s->next - 1];
            if (is_of_cell(s, box))
                return box;
        }
        if (!next_cell(s))
            return NULL;
        begin_cell(s);
    }
}

/* ---- What has come ---- */

/* Makes room for more boxes, which are in no chain yet. */
static rug_status reserve_boxes(rug_context *ctx, rugi_cover *cover, size_t more)
{
    size_t capacity = 2 * cover->capacity + more + 16;
    if (more <= cover->capacity - cover->n)
        return RUG_OK;
    rugi_box *boxes = rug_context_allocate(ctx, capacity, sizeof *boxes, "list of parts");
    if (boxes == NULL)
        return RUG_E_NOMEM;
    if (cover->n > 0)
        memcpy(boxes, cover->boxes, cover->n * sizeof *boxes);
    rug_context_release(ctx, cover->boxes);
    cover->boxes = boxes;
    cover->capacity = capacity;
    return RUG_OK;
}

static rug_status reserve(rug_context *ctx, rugi_cover *cover, size_t more)
{
    size_t before = cover->capacity;
    rug_status status = reserve_boxes(ctx, cover, more);
    return status == RUG_OK && cover->capacity > before ? rugi_cover_index(ctx, cover)
                                                        : status;
}

static rug_status check_new(rug_context *ctx, const rugi_cover *cover,
                            const rugi_box *box)
{
    rugi_box both;
    search s = search_for(cover, box);
    for (const rugi_box *old = next_box(&s); old != NULL; old = next_box(&s))
        if (rugi_box_intersect(&both, box, old))
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "pixel %zu,%zu,%zu (z,y,x) was added before; every "
                                    "pixel is expected once",
                                    both.first[0], both.first[1], both.first[2]);
    return RUG_OK;
}

/* Joins a box with one of the cover, which is taken out. @return 0 when there is none */
static int join_one(rugi_cover *cover, rugi_box *box)
{
    rugi_box around = *box;
    for (int a = 0; a < 3; a++) {
        around.first[a] -= around.first[a] > 0;
        around.end[a]++;
    }
    search s = search_for(cover, &around);
    for (const rugi_box *old = next_box(&s); old != NULL; old = next_box(&s))
        if (join(box, old)) {
            remove_box(cover, (size_t)(old - cover->boxes));
            return 1;
        }
    return 0;
}

/* Adds a box that is new; the capacity is enough. */
static void add_new(rugi_cover *cover, rugi_box box)
{
    cover->n_pixels += rugi_box_pixels(&box);
    while (join_one(cover, &box)) /* the larger box may touch those that were passed by */
        ;
    put_new(cover, &box);
}

rug_status rugi_cover_add(rug_context *ctx, rugi_cover *cover, rugi_box box)
{
    rug_status status = check_new(ctx, cover, &box);
    if (status == RUG_OK)
        status = reserve(ctx, cover, 1);
    if (status == RUG_OK)
        add_new(cover, box);
    return status;
}

rug_status rugi_cover_merge(rug_context *ctx, rugi_cover *cover, const rugi_cover *other)
{
    rug_status status = RUG_OK;
    for (size_t i = 0; i < other->n && status == RUG_OK; i++)
        status = check_new(ctx, cover, &other->boxes[i]);
    if (status == RUG_OK)
        status = reserve(ctx, cover, other->n);
    for (size_t i = 0; i < other->n && status == RUG_OK; i++)
        add_new(cover, other->boxes[i]);
    return status;
}

void rugi_cover_free(rug_context *ctx, rugi_cover *cover)
{
    free_chains(ctx, cover);
    rug_context_release(ctx, cover->boxes);
    memset(cover, 0, sizeof *cover);
}

rug_status rugi_cover_check_whole(rug_context *ctx, const rugi_cover *cover,
                                  const size_t shape[3], const char *what)
{
    uint64_t n_pixels = (uint64_t)shape[0] * shape[1] * shape[2];
    if (cover->n_pixels == n_pixels)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG, "%s: %llu of %llu pixels were added; all are expected", what,
        (unsigned long long)cover->n_pixels, (unsigned long long)n_pixels);
}

uint64_t rugi_cover_pixels(const rugi_cover *cover, const rugi_box *box)
{
    uint64_t n = 0;
    rugi_box both;
    search s = search_for(cover, box);
    for (const rugi_box *old = next_box(&s); old != NULL; old = next_box(&s))
        if (rugi_box_intersect(&both, box, old))
            n += rugi_box_pixels(&both);
    return n;
}

/* ---- In an order of their own ----
 *
 * The image is cut along z wherever a box begins or ends, each layer along y, each row
 * along x; layers and rows that touch and hold the same become one. */

/* The boxes that come of it. */
typedef struct cutting {
    rug_context *ctx;
    rugi_cover *out;
    size_t most;
} cutting;

static int compare(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b)
{
    return compare(*(const size_t *)a, *(const size_t *)b);
}

static int by_z(const void *a, const void *b)
{
    return compare(((const rugi_box *)a)->first[0], ((const rugi_box *)b)->first[0]);
}

static int by_y(const void *a, const void *b)
{
    return compare(((const rugi_box *)a)->first[1], ((const rugi_box *)b)->first[1]);
}

static int by_x(const void *a, const void *b)
{
    return compare(((const rugi_box *)a)->first[2], ((const rugi_box *)b)->first[2]);
}

/* Makes longer boxes of the last ones, if those before are the same but for their place
 * along the axis, and touch them.
 *  @param first, middle  where those before and the last ones begin
 *  @return whether it did */
static int extend(rugi_cover *out, size_t first, size_t middle, int axis)
{
    size_t n = middle - first;
    if (n == 0 || n != out->n - middle)
        return 0;
    for (size_t i = 0; i < n; i++) {
        rugi_box a = out->boxes[first + i], b = out->boxes[middle + i];
        if (a.end[axis] != b.first[axis])
            return 0;
        a.end[axis] = b.end[axis];
        b.first[axis] = a.first[axis];
        if (memcmp(&a, &b, sizeof a) != 0)
            return 0;
    }
    for (size_t i = 0; i < n; i++)
        out->boxes[first + i].end[axis] = out->boxes[middle + i].end[axis];
    out->n = middle;
    return 1;
}

static rug_status put_box(const cutting *c, const rugi_box *box, size_t n_active)
{
    if (n_active > 1)
        return rug_context_fail(c->ctx, RUG_E_ARG,
                                "parts overlap at pixel %zu,%zu,%zu (z,y,x); every pixel "
                                "is expected once",
                                box->first[0], box->first[1], box->first[2]);
    if (c->out->n >= c->most)
        return rug_context_fail(c->ctx, RUG_E_ARG, "more than %zu boxes make the parts",
                                c->most);
    rug_status status = reserve_boxes(c->ctx, c->out, 1);
    if (status == RUG_OK)
        c->out->boxes[c->out->n++] = *box;
    return status;
}

static rug_status cut(const cutting *c, const rugi_box *boxes, size_t n, int axis,
                      rugi_box band);

/* Goes along the axis from cut to cut.
 *  @param sorted  n boxes, ascending along the axis
 *  @param cuts    2 n places, ascending
 *  @param active  memory for n boxes: those that reach from a cut to the next one */
static rug_status sweep(const cutting *c, const rugi_box *sorted, const size_t *cuts,
                        rugi_box *active, size_t n, int axis, rugi_box band)
{
    size_t before = c->out->n, n_active = 0, next = 0;
    rug_status status = RUG_OK;
    for (size_t i = 0; i + 1 < 2 * n && status == RUG_OK; i++) {
        size_t start = c->out->n, n_left = 0;
        if (cuts[i] == cuts[i + 1])
            continue;
        for (size_t k = 0; k < n_active; k++)
            if (active[k].end[axis] > cuts[i])
                active[n_left++] = active[k];
        for (n_active = n_left; next < n && sorted[next].first[axis] == cuts[i]; next++)
            active[n_active++] = sorted[next];
        band.first[axis] = cuts[i];
        band.end[axis] = cuts[i + 1];
        if (n_active > 0)
            status = axis < 2 ? cut(c, active, n_active, axis + 1, band)
                              : put_box(c, &band, n_active);
        if (status == RUG_OK && !extend(c->out, before, start, axis))
            before = start;
    }
    return status;
}

/* Cuts what a band has of some boxes. */
static rug_status cut(const cutting *c, const rugi_box *boxes, size_t n, int axis,
                      rugi_box band)
{
    static int (*const by_first[3])(const void *, const void *) = {by_z, by_y, by_x};
    size_t *cuts = rug_context_allocate(c->ctx, 2 * n, sizeof *cuts, "list of cuts");
    rugi_box *sorted =
        rug_context_allocate(c->ctx, 2 * n, sizeof *sorted, "list of parts");
    rug_status status = cuts != NULL && sorted != NULL ? rugi_look(c->ctx) : RUG_E_NOMEM;
    if (status == RUG_OK) {
        memcpy(sorted, boxes, n * sizeof *sorted);
        for (size_t i = 0; i < n; i++) {
            cuts[2 * i] = boxes[i].first[axis];
            cuts[2 * i + 1] = boxes[i].end[axis];
        }
        qsort(cuts, 2 * n, sizeof *cuts, by_place);
        qsort(sorted, n, sizeof *sorted, by_first[axis]);
        status = sweep(c, sorted, cuts, sorted + n, n, axis, band);
    }
    rug_context_release(c->ctx, sorted);
    rug_context_release(c->ctx, cuts);
    return status;
}

rug_status rugi_cover_sorted(rug_context *ctx, rugi_cover *out, const rugi_cover *cover,
                             size_t most)
{
    static const rugi_box none;
    const cutting c = {ctx, out, most};
    *out = (rugi_cover){.n_pixels = cover->n_pixels};
    return cover->n > 0 ? cut(&c, cover->boxes, cover->n, 0, none) : RUG_OK;
}

/* ---- Of a sorted cover ---- */

/* The first of boxes low .. high - 1 that ends behind a place, or begins there or behind it. */
static size_t first_behind(const rugi_cover *sorted, size_t low, size_t high, int axis,
                           size_t place, int begins)
{
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const rugi_box *box = &sorted->boxes[middle];
        if (begins ? box->first[axis] >= place : box->end[axis] > place)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The boxes are equal along the axes before. */
static void each_along(const rugi_cover *sorted, size_t low, size_t high, int axis,
                       const rugi_box *box, rugi_cover_fn *fn, void *user)
{
    rugi_box both;
    size_t i = first_behind(sorted, low, high, axis, box->first[axis], 0);
    while (i < high && sorted->boxes[i].first[axis] < box->end[axis]) {
        size_t end = first_behind(sorted, i, high, axis, sorted->boxes[i].end[axis], 1);
        if (axis < 2)
            each_along(sorted, i, end, axis + 1, box, fn, user);
        else if (rugi_box_intersect(&both, box, &sorted->boxes[i]))
            fn(user, &both);
        i = end;
    }
}

void rugi_cover_each(const rugi_cover *sorted, const rugi_box *box, rugi_cover_fn *fn,
                     void *user)
{
    each_along(sorted, 0, sorted->n, 0, box, fn, user);
}
