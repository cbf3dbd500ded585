/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The walk over the blocks of a part. */

#include "partial_blocks.h"
#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/image/image_internal.h"
#include "core/image/number.h"
#include "core/image/predicate.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

rug_status rugi_parts_differ(rug_context *ctx, const char *what, const char *given,
                             const char *expected)
{
    return rug_context_fail(ctx, RUG_E_ARG,
                            "merge: %s %s given, %s expected; begin both with the same "
                            "image and options",
                            what, given, expected);
}

rug_status rugi_parts_check_number(rug_context *ctx, const char *what, int64_t given,
                                   int64_t expected)
{
    char a[24], b[24];
    if (given == expected)
        return RUG_OK;
    snprintf(a, sizeof a, "%" PRId64, given);
    snprintf(b, sizeof b, "%" PRId64, expected);
    return rugi_parts_differ(ctx, what, a, b);
}

rug_status rugi_parts_check_real(rug_context *ctx, const char *what, double given,
                                 double expected)
{
    char a[RUGI_REAL_TEXT_MAX], b[RUGI_REAL_TEXT_MAX];
    if (given <= expected && given >= expected)
        return RUG_OK;
    rugi_format_real(a, given);
    rugi_format_real(b, expected);
    return rugi_parts_differ(ctx, what, a, b);
}

static int rules_match(rug_foreground a, rug_foreground b)
{
    if (a.kind != b.kind)
        return 0;
    if (rugi_rule_take(NULL, &a, a) != RUG_OK || rugi_rule_take(NULL, &b, b) != RUG_OK)
        return 0;
    return a.kind < RUG_FOREGROUND_ABOVE ||
           (a.value <= b.value && a.value >= b.value && a.rest == b.rest);
}

/* As 3x200x100. */
static void format_shape(char text[80], const rugi_parts_whole *whole)
{
    int n = 0;
    for (int a = 3 - whole->n_axes; a < 3; a++)
        n += snprintf(text + n, 80 - (size_t)n, "%s%zu", n > 0 ? "x" : "",
                      whole->shape[a]);
}

rug_status rugi_parts_check_same(rug_context *ctx, const rugi_parts_whole *given,
                                 const rugi_parts_whole *expected)
{
    char a[80], b[80];
    format_shape(a, given);
    format_shape(b, expected);
    if (strcmp(a, b) != 0)
        return rugi_parts_differ(ctx, "image of", a, b);
    if (given->has_mask != expected->has_mask)
        return rugi_parts_differ(ctx, "mask:", given->has_mask ? "one" : "none",
                                 expected->has_mask ? "one" : "none");
    if (rules_match(given->rule, expected->rule))
        return RUG_OK;
    rug_foreground_format(a, given->rule);
    rug_foreground_format(b, expected->rule);
    return rugi_parts_differ(ctx, "foreground", a, b);
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

/* Whether a part has its own pixels along an axis, and what surrounds them. */
static rug_status check_own(rug_context *ctx, const rugi_box *own, const rugi_box *place,
                            int a, int axis, size_t n, size_t reach)
{
    size_t from = own->first[a] - rugi_smaller(own->first[a], reach);
    size_t end = n - own->end[a] > reach ? own->end[a] + reach : n;
    if (place->first[a] <= from && place->end[a] >= end)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "part with pixels %zu..%zu along axis %d given, %zu..%zu "
        "expected: %zu..%zu are counted, and what they are measured by "
        "reaches %zu pixels to each side",
        place->first[a], place->end[a] - 1, axis, from, end - 1, own->first[a],
        own->end[a] - 1, reach);
}

rug_status rugi_part_own(rug_context *ctx, rugi_box *own, const rugi_box *place,
                         int n_axes, const size_t shape[3], const size_t *own_first,
                         const size_t *own_shape, const size_t reach[3])
{
    rug_status status = RUG_OK;
    *own = *place;
    for (int axis = 0; axis < n_axes && status == RUG_OK; axis++) {
        int a = axis + 3 - n_axes;
        size_t end = place->end[a];
        size_t first = own_first != NULL ? own_first[axis] : place->first[a];
        size_t n = own_shape != NULL ? own_shape[axis] : end > first ? end - first : 0;
        if (first < place->first[a] || first >= end || n == 0 || n > end - first)
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "%zu pixels from pixel %zu on along axis %d are to be "
                "counted, but the part has pixels %zu..%zu",
                n, first, axis, place->first[a], end - 1);
        own->first[a] = first;
        own->end[a] = first + n;
        status = check_own(ctx, own, place, a, axis, shape[a], reach[a]);
    }
    return status;
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
                               const unsigned bits[3], size_t n_words,
                               const rugi_cover *cover)
{
    blocks->n_words = n_words;
    blocks->cover = cover;
    for (int a = 0; a < 3; a++) {
        blocks->shape[a] = shape[a];
        blocks->bits[a] = bits[a];
        blocks->n_blocks[a] = ((shape[a] - 1) >> bits[a]) + 1;
    }
    rugi_sparse_begin(&blocks->waiting, blocks->n_blocks, 0, n_words * sizeof(uint64_t));
}

void rugi_partial_blocks_free(rug_context *ctx, rugi_partial_blocks *blocks)
{
    rugi_sparse_free(ctx, &blocks->waiting);
}

rugi_box rugi_partial_blocks_block(const rugi_partial_blocks *blocks, size_t block)
{
    rugi_box one;
    rugi_sparse_place(&blocks->waiting, block, one.first);
    for (int a = 0; a < 3; a++)
        one.end[a] = one.first[a] + 1;
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

static int is_empty(const void *block, size_t n_bytes)
{
    const char *bytes = block; /* of pixels of any type */
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, n_bytes - 1) == 0;
}

/* Counts a block once all its pixels have come, and forgets one without any. */
static rug_status count_if_whole(const walk *w, size_t block)
{
    rugi_sparse *waiting = &w->blocks->waiting;
    uint64_t *words = rugi_sparse_find(waiting, block);
    rugi_box pixels = rugi_partial_blocks_block(w->blocks, block);
    rug_status status = RUG_OK;
    int is_done = !w->blocks->keeps_zeros && is_empty(words, waiting->item_bytes);
    if (w->counter->count != NULL && rugi_partial_blocks_is_whole(w->blocks, &pixels)) {
        size_t at[3];
        rugi_sparse_place(waiting, block, at);
        status = w->counter->count(w->ctx, w->job, at, words);
        is_done = 1;
    }
    if (is_done)
        rugi_sparse_close(w->ctx, waiting, block);
    return status;
}

/* Takes the pixels of a box that lie in one block. */
static rug_status fill_block(const walk *w, const rugi_box *rest, const size_t at[3])
{
    size_t block = rugi_sparse_tile(&w->blocks->waiting, at);
    uint64_t *words = rugi_sparse_open(w->ctx, &w->blocks->waiting, block);
    rugi_box all = rugi_partial_blocks_block(w->blocks, block), pixels;
    if (words == NULL)
        return RUG_E_NOMEM;
    rugi_box_intersect(&pixels, &all, rest);
    w->counter->fill(w->job, words, all.first, &pixels);
    return count_if_whole(w, block);
}

/* Takes a box of pixels whose blocks the part does not hold whole. */
static rug_status add_rest(const walk *w, const rugi_box *rest)
{
    size_t at[3], end[3];
    rug_status status = w->counter->begin(w->ctx, w->job, rest);
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
    if (counter->count_whole == NULL || !whole_blocks(blocks, &whole, part))
        return add_rest(&w, part);
    rugi_box inner = rugi_partial_blocks_pixels(blocks, &whole);
    rug_status status = counter->count_whole(ctx, job, &whole);
    return status == RUG_OK ? add_rests(&w, part, &inner) : status;
}

rug_status rugi_partial_blocks_merge(rug_context *ctx, rugi_partial_blocks *blocks,
                                     const rugi_partial_blocks *other,
                                     const rugi_block_counter *counter, void *job)
{
    const walk w = {ctx, blocks, counter, job};
    size_t *waiting, n;
    rug_status status = rugi_sparse_merge(ctx, &blocks->waiting, &other->waiting);
    if (status == RUG_OK)
        status = rugi_sparse_list(ctx, &waiting, &n, &blocks->waiting);
    if (status != RUG_OK)
        return status;
    for (size_t i = 0; i < n && status == RUG_OK; i++)
        status = count_if_whole(&w, waiting[i]);
    rug_context_release(ctx, waiting);
    return status;
}
