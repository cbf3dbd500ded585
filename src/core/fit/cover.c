/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Keeps account of the pixels that have come. Parts are few, or join to few boxes, so that
 * every box is compared with every other. */

#include "cover.h"
#include <string.h>

uint64_t rugi_box_pixels(const rugi_box *box)
{
    uint64_t n = 1;
    for (int a = 0; a < 3; a++)
        n *= box->end[a] - box->first[a];
    return n;
}

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

static rug_status make_room(rug_context *ctx, rugi_cover *cover, size_t more)
{
    if (more <= cover->room - cover->n)
        return RUG_OK;
    size_t room = 2 * cover->room + more + 16;
    rugi_box *boxes = rug_context_allocate(ctx, room, sizeof *boxes, "list of parts");
    if (boxes == NULL)
        return RUG_E_NOMEM;
    if (cover->n > 0)
        memcpy(boxes, cover->boxes, cover->n * sizeof *boxes);
    rug_context_release(ctx, cover->boxes);
    cover->boxes = boxes;
    cover->room = room;
    return RUG_OK;
}

static rug_status check_new(rug_context *ctx, const rugi_cover *cover,
                            const rugi_box *box)
{
    rugi_box both;
    for (size_t i = 0; i < cover->n; i++)
        if (rugi_box_intersect(&both, box, &cover->boxes[i]))
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "pixel %zu,%zu,%zu (z,y,x) comes a second time; every "
                "pixel is expected once",
                both.first[0], both.first[1], both.first[2]);
    return RUG_OK;
}

/* A box that is new, for which there is room. */
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
        status = make_room(ctx, cover, 1);
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
        status = make_room(ctx, cover, other->n);
    for (size_t i = 0; i < other->n && status == RUG_OK; i++)
        add_new(cover, other->boxes[i]);
    return status;
}

void rugi_cover_free(rug_context *ctx, rugi_cover *cover)
{
    rug_context_release(ctx, cover->boxes);
    memset(cover, 0, sizeof *cover);
}
