/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The walk over the blocks of a part, and the account of the pixels that have come.
 * Parts are few, or join to few boxes, so that every box is compared with every other. */

#include "partial_blocks.h"
#include "core/context/context_internal.h"
#include "core/image/image_internal.h"
#include "core/image/predicate.h"
#include <math.h>
#include <string.h>

/* The pixels that two boxes share. @return 0 when there are none */
static int intersect(rugi_box *out, const rugi_box *a, const rugi_box *b)
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
        if (intersect(&both, box, &cover->boxes[i]))
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

/* ---- Parts ---- */

rug_status rugi_parts_check_rule(rug_context *ctx, rug_foreground rule, const char *what)
{
    if (rugi_rule_is_open(rule) || (unsigned)rule.kind > RUG_FOREGROUND_LABEL)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: foreground kind %d given; nonzero, above, below or label expected, as "
            "a part does not show the whole image (rug_foreground_resolve() finds the "
            "rule)",
            what, (int)rule.kind);
    return rugi_rule_take(ctx, &rule, rule);
}

int rugi_rules_match(rug_foreground a, rug_foreground b)
{
    if (a.kind != b.kind)
        return 0;
    if (rugi_rule_take(NULL, &a, a) != RUG_OK || rugi_rule_take(NULL, &b, b) != RUG_OK)
        return 0;
    return a.kind < RUG_FOREGROUND_ABOVE ||
           (a.value <= b.value && a.value >= b.value && a.rest == b.rest);
}

/* Where a part lies, checked against the whole. */
static rug_status place_part(rug_context *ctx, rugi_box *place, int n_axes,
                             const size_t shape[3], const rug_image *part,
                             const size_t *first)
{
    int added = 3 - n_axes;
    if (part->ndim != n_axes)
        return rug_context_fail(ctx, RUG_E_ARG, "part of %d axes given, %d expected",
                                part->ndim, n_axes);
    for (int a = 0; a < 3; a++) {
        size_t n = a >= added ? part->shape[a - added] : 1;
        place->first[a] = a >= added ? first[a - added] : 0;
        if (place->first[a] > shape[a] || n > shape[a] - place->first[a])
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "part of %zu pixels from pixel %zu on along axis %d "
                                    "given, but the image has %zu",
                                    n, place->first[a], a - added, shape[a]);
        place->end[a] = place->first[a] + n;
    }
    return RUG_OK;
}

rug_status rugi_part_check(rug_context *ctx, rugi_box *place, int n_axes,
                           const size_t shape[3], const rug_image *part,
                           const rug_image *mask, int has_mask, const size_t *first)
{
    rug_status status = rugi_image_check(ctx, part);
    if (status == RUG_OK && (mask != NULL) != has_mask)
        status = rug_context_fail(ctx, RUG_E_ARG, "part %s a mask given, %s expected",
                                  mask != NULL ? "with" : "without",
                                  has_mask ? "one" : "none");
    if (status == RUG_OK && mask != NULL)
        status = rugi_image_check_twin(ctx, mask, "mask", part);
    return status == RUG_OK ? place_part(ctx, place, n_axes, shape, part, first) : status;
}

/* ---- Blocks ---- */

/* One call: what is the same for all blocks that it visits. */
typedef struct walk {
    rug_context *ctx;
    rugi_partial_blocks *blocks;
    const rugi_block_counter *counter;
    void *job;
} walk;

void rugi_partial_blocks_begin(rugi_partial_blocks *blocks, const size_t shape[3],
                               const unsigned bits[3], size_t n_words)
{
    blocks->n_words = n_words;
    blocks->waiting = NULL;
    for (int a = 0; a < 3; a++) {
        blocks->shape[a] = shape[a];
        blocks->bits[a] = bits[a];
        blocks->n_blocks[a] = ((shape[a] - 1) >> bits[a]) + 1;
    }
}

size_t rugi_partial_blocks_n(const rugi_partial_blocks *blocks)
{
    /* No more than pixels, which an address can count. */
    return blocks->n_blocks[0] * blocks->n_blocks[1] * blocks->n_blocks[2];
}

void rugi_partial_blocks_free(rug_context *ctx, rugi_partial_blocks *blocks)
{
    size_t n = rugi_partial_blocks_n(blocks);
    for (size_t i = 0; blocks->waiting != NULL && i < n; i++)
        rug_context_release(ctx, blocks->waiting[i]);
    rug_context_release(ctx, blocks->waiting);
    blocks->waiting = NULL;
}

/* The pixels of a block that the image has. */
static rugi_box block_pixels(const rugi_partial_blocks *blocks, const size_t at[3])
{
    rugi_box one = {{at[0], at[1], at[2]}, {at[0] + 1, at[1] + 1, at[2] + 1}};
    return rugi_partial_blocks_pixels(blocks, &one);
}

/* The blocks that a part holds whole. @return 0 when there are none */
static int whole_blocks(const rugi_partial_blocks *blocks, rugi_box *out,
                        const rugi_box *part)
{
    for (int a = 0; a < 3; a++) {
        size_t side = (size_t)1 << blocks->bits[a];
        out->first[a] = (part->first[a] + side - 1) / side;
        out->end[a] =
            part->end[a] == blocks->shape[a] ? blocks->n_blocks[a] : part->end[a] / side;
        if (out->first[a] >= out->end[a])
            return 0;
    }
    return 1;
}

static rugi_partial_block **slot_of(const rugi_partial_blocks *blocks, const size_t at[3])
{
    const size_t *n = blocks->n_blocks;
    return &blocks->waiting[(at[0] * n[1] + at[1]) * n[2] + at[2]];
}

static rug_status open_all(rug_context *ctx, rugi_partial_blocks *blocks)
{
    size_t n = rugi_partial_blocks_n(blocks);
    if (blocks->waiting != NULL)
        return RUG_OK;
    blocks->waiting =
        rug_context_allocate(ctx, n, sizeof *blocks->waiting, "partial blocks");
    if (blocks->waiting == NULL)
        return RUG_E_NOMEM;
    memset(blocks->waiting, 0, n * sizeof *blocks->waiting);
    return RUG_OK;
}

static rugi_partial_block *open_block(const walk *w, const size_t at[3])
{
    rugi_partial_block **slot = slot_of(w->blocks, at);
    size_t n_bytes = sizeof **slot + w->blocks->n_words * sizeof(uint64_t);
    if (*slot != NULL)
        return *slot;
    *slot = rug_context_allocate(w->ctx, 1, n_bytes, "pixels of a block");
    if (*slot != NULL)
        memset(*slot, 0, n_bytes);
    return *slot;
}

/* Counts a block once all its pixels have come. */
static rug_status count_if_whole(const walk *w, const size_t at[3])
{
    rugi_partial_block **slot = slot_of(w->blocks, at);
    rugi_box pixels = block_pixels(w->blocks, at);
    if ((*slot)->n_pixels < rugi_box_pixels(&pixels))
        return RUG_OK;
    rug_status status = w->counter->count(w->ctx, w->job, at, (*slot)->words);
    rug_context_release(w->ctx, *slot);
    *slot = NULL;
    return status;
}

/* Takes the pixels of a box that lie in one block. */
static rug_status fill_block(const walk *w, const rugi_box *rest, const size_t at[3])
{
    rugi_partial_block *block = open_block(w, at);
    rugi_box all = block_pixels(w->blocks, at), pixels;
    if (block == NULL)
        return RUG_E_NOMEM;
    intersect(&pixels, &all, rest);
    w->counter->fill(w->job, block->words, all.first, &pixels);
    block->n_pixels += rugi_box_pixels(&pixels);
    return count_if_whole(w, at);
}

/* Takes a box of pixels whose blocks the part does not hold whole. */
static rug_status add_rest(const walk *w, const rugi_box *rest)
{
    size_t at[3], end[3];
    rug_status status = open_all(w->ctx, w->blocks);
    if (status == RUG_OK)
        status = w->counter->begin(w->ctx, w->job, rest);
    for (int a = 0; a < 3; a++)
        end[a] = ((rest->end[a] - 1) >> w->blocks->bits[a]) + 1;
    for (at[0] = rest->first[0] >> w->blocks->bits[0]; at[0] < end[0]; at[0]++)
        for (at[1] = rest->first[1] >> w->blocks->bits[1]; at[1] < end[1]; at[1]++)
            for (at[2] = rest->first[2] >> w->blocks->bits[2]; at[2] < end[2]; at[2]++)
                if (status == RUG_OK)
                    status = fill_block(w, rest, at);
    return status;
}

/* Takes what lies before or behind `inner` on each axis. */
static rug_status add_rests(const walk *w, const rugi_box *part, const rugi_box *inner)
{
    rug_status status = RUG_OK;
    rugi_box left = *part;
    for (int k = 0; k < 6 && status == RUG_OK; k++) {
        int axis = k / 2;
        rugi_box rest = left;
        if (k % 2 == 0)
            rest.end[axis] = left.first[axis] = inner->first[axis];
        else
            rest.first[axis] = left.end[axis] = inner->end[axis];
        if (rest.first[axis] < rest.end[axis])
            status = add_rest(w, &rest);
    }
    return status;
}

rug_status rugi_partial_blocks_add(rug_context *ctx, rugi_partial_blocks *blocks,
                                   const rugi_box *part,
                                   const rugi_block_counter *counter, void *job)
{
    const walk w = {ctx, blocks, counter, job};
    rugi_box whole;
    if (!whole_blocks(blocks, &whole, part))
        return add_rest(&w, part);
    rugi_box inner = rugi_partial_blocks_pixels(blocks, &whole);
    rug_status status = counter->count_whole(ctx, job, &whole);
    return status == RUG_OK ? add_rests(&w, part, &inner) : status;
}

/* A pixel comes once, and is 0 where it has not come. */
static rug_status merge_block(const walk *w, const rugi_partial_block *other,
                              const size_t at[3])
{
    rugi_partial_block *block = open_block(w, at);
    if (block == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < w->blocks->n_words; i++)
        block->words[i] |= other->words[i];
    block->n_pixels += other->n_pixels;
    return count_if_whole(w, at);
}

rug_status rugi_partial_blocks_merge(rug_context *ctx, rugi_partial_blocks *blocks,
                                     const rugi_partial_blocks *other,
                                     const rugi_block_counter *counter, void *job)
{
    const walk w = {ctx, blocks, counter, job};
    const size_t *n = blocks->n_blocks;
    if (other->waiting == NULL)
        return RUG_OK;
    rug_status status = open_all(ctx, blocks);
    size_t at[3];
    for (at[0] = 0; at[0] < n[0]; at[0]++)
        for (at[1] = 0; at[1] < n[1]; at[1]++)
            for (at[2] = 0; at[2] < n[2] && status == RUG_OK; at[2]++)
                if (*slot_of(other, at) != NULL)
                    status = merge_block(&w, *slot_of(other, at), at);
    return status;
}
