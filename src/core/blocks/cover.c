/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The account of the pixels that have come. Parts are few, or join to few boxes, so that
 * every box is compared with every other. */

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

static rug_status reserve(rug_context *ctx, rugi_cover *cover, size_t more)
{
    if (more <= cover->capacity - cover->n)
        return RUG_OK;
    size_t capacity = 2 * cover->capacity + more + 16;
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

static rug_status check_new(rug_context *ctx, const rugi_cover *cover,
                            const rugi_box *box)
{
    rugi_box both;
    for (size_t i = 0; i < cover->n; i++)
        if (rugi_box_intersect(&both, box, &cover->boxes[i]))
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "pixel %zu,%zu,%zu (z,y,x) was added before; every "
                                    "pixel is expected once",
                                    both.first[0], both.first[1], both.first[2]);
    return RUG_OK;
}

/* Adds a box that is new; the capacity is enough. */
static void add_new(rugi_cover *cover, rugi_box box)
{
    cover->n_pixels += rugi_box_pixels(&box);
    for (size_t i = 0; i < cover->n;)
        if (join(&box, &cover->boxes[i])) {
            cover->boxes[i] = cover->boxes[--cover->n];
            i = 0; /* the larger box may touch those that were passed by */
        } else {
            i++;
        }
    cover->boxes[cover->n++] = box;
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
    for (size_t i = 0; i < cover->n; i++)
        if (rugi_box_intersect(&both, box, &cover->boxes[i]))
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
    rug_status status = reserve(c->ctx, c->out, 1);
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
