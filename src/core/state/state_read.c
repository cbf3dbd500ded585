/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading a state, each number of which is checked where it is read. */

#include "core/context/context_internal.h"
#include "core/context/crc.h"
#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include "state_format.h"
#include <string.h>

void rugi_state_refuse(rugi_state_reader *r, const char *what)
{
    if (r->status == RUG_OK)
        r->status =
            rug_context_fail(r->ctx, RUG_E_FORMAT, "state: %s; save it again", what);
}

void rugi_state_note(rugi_state_reader *r, rug_status status)
{
    char text[RUGI_ERROR_MAX];
    if (r->status != RUG_OK)
        return;
    r->status = status;
    if (status != RUG_E_ARG)
        return;
    memcpy(text, rug_context_error(r->ctx), sizeof text - 1);
    text[sizeof text - 1] = '\0';
    r->status = rug_context_fail(r->ctx, RUG_E_FORMAT, "state: %s", text);
}

/* Blocks between two looks for cancellation: each goes over all parts. */
#define LOOK_BLOCKS 64

void rugi_state_look(rugi_state_reader *r, size_t block)
{
    if (r->status == RUG_OK && block % LOOK_BLOCKS == 0)
        r->status = rugi_look(r->ctx);
}

/* The next n bytes; NULL when there are none. */
static const uint8_t *take(rugi_state_reader *r, size_t n)
{
    if (r->status == RUG_OK && n > (size_t)(r->end - r->at))
        rugi_state_refuse(r, "it ends too early");
    if (r->status != RUG_OK)
        return NULL;
    r->at += n;
    return r->at - n;
}

uint64_t rugi_state_get_bytes(rugi_state_reader *r, unsigned n_bytes)
{
    const uint8_t *from = take(r, n_bytes);
    uint64_t number = 0;
    for (unsigned i = 0; from != NULL && i < n_bytes; i++)
        number |= (uint64_t)from[i] << 8 * i;
    return number;
}

uint64_t rugi_state_get(rugi_state_reader *r)
{
    uint64_t number = 0;
    for (unsigned shift = 0; r->status == RUG_OK; shift += 7) {
        uint64_t byte = rugi_state_get_bytes(r, 1);
        int is_too_large = shift == 63 && byte > 1, has_zeros = shift > 0 && byte == 0;
        if (is_too_large || has_zeros)
            rugi_state_refuse(r, "a number has more bytes than it needs");
        number |= (byte & 127) << shift;
        if (byte < 128)
            break;
    }
    return r->status == RUG_OK ? number : 0;
}

uint64_t rugi_state_get_below(rugi_state_reader *r, uint64_t most, const char *what)
{
    uint64_t number = rugi_state_get(r);
    if (r->status == RUG_OK && number > most)
        r->status = rug_context_fail(
            r->ctx, RUG_E_FORMAT, "state: %s %llu given, at most %llu expected", what,
            (unsigned long long)number, (unsigned long long)most);
    return r->status == RUG_OK ? number : 0;
}

const uint8_t *rugi_state_get_block(rugi_state_reader *r, size_t *n)
{
    *n = (size_t)rugi_state_get_below(r, SIZE_MAX, "number of bytes");
    const uint8_t *block = take(r, *n);
    if (block == NULL)
        *n = 0;
    return block;
}

/* ---- The head ---- */

static const char *name_of(uint64_t method)
{
    static const char *const names[] = {
        [RUGI_STATE_BOXCOUNT] = "box counts",
        [RUGI_STATE_MASSES] = "masses",
        [RUGI_STATE_LACUNARITY] = "lacunarity",
        [RUGI_STATE_VALUES] = "values",
        [RUGI_STATE_DBC] = "differential box counts",
        [RUGI_STATE_LBP] = "local binary patterns",
        [RUGI_STATE_GLCM] = "co-occurrence",
        [RUGI_STATE_ALPHA] = "alpha",
        [RUGI_STATE_POINTS] = "points",
    };
    if (method == RUGI_STATE_RUN)
        return "parts of a run";
    int is_known = method < sizeof names / sizeof *names && names[method] != NULL;
    return is_known ? names[method] : "?";
}

static void check_method(rugi_state_reader *r, uint64_t given, rugi_state_method method)
{
    if (r->status == RUG_OK && given != method)
        r->status =
            rug_context_fail(r->ctx, RUG_E_FORMAT, "state of %s given, of %s expected",
                             name_of(given), name_of(method));
}

static void check_format(rugi_state_reader *r, uint64_t given)
{
    if (given != RUGI_STATE_FORMAT)
        r->status = rug_context_fail(r->ctx, RUG_E_FORMAT,
                                     "state: format %llu given, %d expected; save it "
                                     "again with this version",
                                     (unsigned long long)given, RUGI_STATE_FORMAT);
}

/* Head, length and checksum of n bytes, at least those of the head. */
static void check_head(rugi_state_reader *r, const uint8_t *bytes, size_t n,
                       rugi_state_method method)
{
    if (memcmp(take(r, RUGI_STATE_MAGIC_BYTES), RUGI_STATE_MAGIC,
               RUGI_STATE_MAGIC_BYTES) != 0) {
        rugi_state_refuse(r, "the bytes are not a state");
        return;
    }
    check_format(r, rugi_state_get_bytes(r, 4));
    uint64_t given = rugi_state_get_bytes(r, 4), length = rugi_state_get_bytes(r, 8);
    if (r->status == RUG_OK && length != n)
        r->status = rug_context_fail(r->ctx, RUG_E_FORMAT,
                                     "state: %zu bytes given, %llu expected; save it "
                                     "again",
                                     n, (unsigned long long)length);
    take(r, RUGI_STATE_VERSION_BYTES);
    rugi_state_reader crc = *r;
    crc.at = r->end;
    crc.end = bytes + n;
    if (r->status == RUG_OK && rugi_state_get_bytes(&crc, RUGI_STATE_CRC_BYTES) !=
                                   rugi_crc(bytes, n - RUGI_STATE_CRC_BYTES))
        rugi_state_refuse(r, "the bytes are damaged");
    check_method(r, given, method);
}

rugi_state_reader rugi_state_open(rug_context *ctx, const uint8_t *bytes, size_t n,
                                  rugi_state_method method)
{
    rugi_state_reader r = {.ctx = ctx, .at = bytes, .end = bytes};
    if (n < RUGI_STATE_HEAD_BYTES + RUGI_STATE_CRC_BYTES) {
        rugi_state_refuse(&r, "the bytes are not a state, or are cut off");
        return r;
    }
    r.end = bytes + n - RUGI_STATE_CRC_BYTES;
    check_head(&r, bytes, n, method);
    return r;
}

rug_status rugi_state_close(rugi_state_reader *r)
{
    if (r->at != r->end)
        rugi_state_refuse(r, "bytes follow behind its end");
    return r->status;
}

/* ---- What states have in common ---- */

rug_foreground rugi_state_get_rule(rugi_state_reader *r)
{
    rug_foreground rule = {RUG_FOREGROUND_NONZERO, 0, 0};
    rule.kind = (rug_foreground_kind)rugi_state_get_below(r, RUG_FOREGROUND_LABEL,
                                                          "kind of foreground");
    if (rule.kind < RUG_FOREGROUND_ABOVE)
        return rule;
    uint64_t value = rugi_state_get_bytes(r, 8), rest = rugi_state_get_bytes(r, 8);
    memcpy(&rule.value, &value, sizeof rule.value);
    memcpy(&rule.rest, &rest, sizeof rule.rest);
    return rule;
}

int rugi_state_get_shape(rugi_state_reader *r, size_t shape[3])
{
    int n_axes = (int)rugi_state_get_below(r, RUG_MAX_AXES, "number of axes");
    for (int a = 0; a < 3; a++)
        shape[a] = a < n_axes ? (size_t)rugi_state_get_below(r, SIZE_MAX, "size") : 1;
    if (r->status == RUG_OK)
        rugi_state_note(r, rugi_shape_check(r->ctx, n_axes, shape));
    return r->status == RUG_OK ? n_axes : 2;
}

/* One box. */
static void get_box(rugi_state_reader *r, int n_axes, const size_t shape[3],
                    rugi_box *box)
{
    *box = (rugi_box){{0, 0, 0}, {1, 1, 1}};
    for (int a = 3 - n_axes; a < 3; a++) {
        size_t first = (size_t)rugi_state_get_below(r, shape[a] - 1, "first pixel");
        size_t n = (size_t)rugi_state_get_below(r, shape[a] - first, "length of a part");
        if (n == 0)
            rugi_state_refuse(r, "a part is empty");
        box->first[a] = first;
        box->end[a] = first + n;
    }
}

/* Whether a box that follows another one has the same pixels along an axis, or those behind. */
static int follows(const rugi_box *before, const rugi_box *box)
{
    int a = 0;
    while (a < 3 && box->first[a] == before->first[a] && box->end[a] == before->end[a])
        a++;
    return a < 3 && box->first[a] >= before->end[a];
}

/* Boxes that are sorted do not overlap either. Those that follow each other are cut in few steps. */
static void check_sorted(rugi_state_reader *r, const rugi_cover *cover)
{
    rugi_cover sorted = {.n = 0};
    int is_row = 1;
    for (size_t i = 1; i < cover->n; i++)
        is_row &= follows(&cover->boxes[i - 1], &cover->boxes[i]);
    rug_status status =
        is_row ? rugi_cover_sorted(r->ctx, &sorted, cover, cover->n) : RUG_OK;
    if (status == RUG_OK &&
        (sorted.n != cover->n ||
         memcmp(sorted.boxes, cover->boxes, cover->n * sizeof *cover->boxes) != 0))
        rugi_state_refuse(r, "the parts are not sorted");
    rugi_state_note(r, status);
    rugi_cover_free(r->ctx, &sorted);
}

void rugi_state_get_cover(rugi_state_reader *r, int n_axes, const size_t shape[3],
                          rugi_cover *cover)
{
    uint64_t most = (uint64_t)(r->end - r->at) / (2 * (unsigned)n_axes);
    size_t n = (size_t)rugi_state_get_below(r, most, "number of parts");
    if (r->status != RUG_OK || n == 0)
        return;
    cover->boxes = rug_context_allocate(r->ctx, n, sizeof *cover->boxes, "list of parts");
    if (cover->boxes == NULL) {
        r->status = RUG_E_NOMEM;
        return;
    }
    cover->n = cover->capacity = n;
    for (size_t i = 0; i < n; i++)
        get_box(r, n_axes, shape, &cover->boxes[i]);
    if (r->status == RUG_OK)
        check_sorted(r, cover);
    for (size_t i = 0; i < n && r->status == RUG_OK; i++)
        cover->n_pixels += rugi_box_pixels(&cover->boxes[i]);
    if (r->status == RUG_OK)
        r->status = rugi_cover_index(r->ctx, cover);
}

/* ---- Blocks that wait ---- */

typedef struct block_pixels {
    rugi_state_reader *r;
    void *pixels;
    uint64_t most;
    int has_any;
    unsigned width, n_bytes,
        n_bits; /* of a pixel here and there; bits that are left of those read */
    uint64_t bits;
} block_pixels;

/* At most RUGI_STATE_RUN bits. */
static uint64_t get_bits(block_pixels *p, unsigned n)
{
    for (; p->n_bits < n; p->n_bits += 8)
        p->bits |= rugi_state_get_bytes(p->r, 1) << p->n_bits;
    uint64_t bits = p->bits & (((uint64_t)1 << n) - 1);
    p->bits >>= n;
    p->n_bits -= n;
    return bits;
}

static void set_pixel(const block_pixels *p, size_t i, uint64_t pixel)
{
    switch (p->width) {
    case 8: ((uint8_t *)p->pixels)[i] = (uint8_t)pixel; break;
    case 16: ((uint16_t *)p->pixels)[i] = (uint16_t)pixel; break;
    case 32: ((uint32_t *)p->pixels)[i] = (uint32_t)pixel; break;
    default: ((uint64_t *)p->pixels)[i] = pixel; break;
    }
}

static void get_run(void *user, size_t first, size_t n)
{
    block_pixels *p = user;
    uint64_t *words = p->pixels;
    for (size_t i = first; i < first + n && p->r->status == RUG_OK;) {
        unsigned step = p->width == 1 ? rugi_state_run(i, first + n) : 1;
        uint64_t pixels =
            p->n_bytes > 0 ? rugi_state_get_bytes(p->r, p->n_bytes) : get_bits(p, step);
        p->has_any |= pixels > 0;
        if (p->width == 1)
            words[i / 64] |= pixels << i % 64;
        else if (pixels > p->most)
            rugi_state_refuse(p->r, "a pixel is larger than its type");
        else
            set_pixel(p, i, pixels);
        i += step;
    }
}

/* The pixels of one block, as many as have come. */
static void get_block(rugi_state_reader *r, rugi_partial_blocks *blocks, size_t block,
                      unsigned n_bytes, uint64_t most, int is_kept)
{
    rugi_box all = rugi_partial_blocks_block(blocks, block);
    uint64_t n = rugi_cover_pixels(blocks->cover, &all);
    block_pixels p = {
        .r = r, .n_bytes = n_bytes, .most = most, .width = rugi_state_width(blocks)};
    if (n == 0 || (!is_kept && n == rugi_box_pixels(&all)))
        rugi_state_refuse(r, "a block waits of which nothing or all has come");
    else if ((n_bytes > 0 ? n : n / 8) > (uint64_t)(r->end - r->at))
        rugi_state_refuse(r, "it ends too early");
    if (r->status != RUG_OK)
        return;
    p.pixels = rugi_sparse_open(r->ctx, &blocks->waiting, block);
    if (p.pixels == NULL) {
        r->status = RUG_E_NOMEM;
        return;
    }
    rugi_state_each_run(blocks, blocks->cover, block, get_run, &p);
    if (p.bits != 0 || (!p.has_any && !blocks->keeps_zeros))
        rugi_state_refuse(r, "a block waits without pixels, or has bits behind the last");
}

void rugi_state_get_blocks(rugi_state_reader *r, rugi_partial_blocks *blocks,
                           unsigned n_bytes, uint64_t most, int is_kept)
{
    size_t all = rugi_partial_blocks_n(blocks), block = 0;
    size_t n = (size_t)rugi_state_get_below(r, all, "number of blocks");
    for (size_t i = 0; i < n && r->status == RUG_OK; i++) {
        size_t left = all - block;
        rugi_state_look(r, i);
        if (left == 0)
            rugi_state_refuse(r, "more blocks are listed than there are");
        else
            block += (size_t)rugi_state_get_below(r, left - 1, "place of a block");
        if (r->status == RUG_OK)
            get_block(r, blocks, block++, n_bytes, most, is_kept);
    }
}
