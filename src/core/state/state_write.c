/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Bytes of a state, in memory that grows. */

#include "core/context/crc.h"
#include "state_format.h"
#include <rugose/version.h>
#include <string.h>

/* Makes room for n bytes. @return where they go; NULL after a failure */
static uint8_t *take(rugi_state_writer *w, size_t n)
{
    if (w->status != RUG_OK)
        return NULL;
    if (n > w->capacity - w->n) {
        size_t capacity = 2 * w->capacity + n + 256;
        uint8_t *bytes = rug_context_allocate(w->ctx, capacity, 1, "state as bytes");
        if (bytes == NULL) {
            w->status = RUG_E_NOMEM;
            return NULL;
        }
        if (w->n > 0)
            memcpy(bytes, w->bytes, w->n);
        rug_context_release(w->ctx, w->bytes);
        w->bytes = bytes;
        w->capacity = capacity;
    }
    w->n += n;
    return w->bytes + w->n - n;
}

static void put_text(rugi_state_writer *w, const void *text, size_t n)
{
    uint8_t *to = take(w, n);
    if (to != NULL)
        memcpy(to, text, n);
}

void rugi_state_put_bytes(rugi_state_writer *w, uint64_t number, unsigned n_bytes)
{
    uint8_t *to = take(w, n_bytes);
    for (unsigned i = 0; to != NULL && i < n_bytes; i++)
        to[i] = (uint8_t)(number >> 8 * i);
}

void rugi_state_put(rugi_state_writer *w, uint64_t number)
{
    for (; number > 127; number >>= 7)
        rugi_state_put_bytes(w, (number & 127) | 128, 1);
    rugi_state_put_bytes(w, number, 1);
}

void rugi_state_put_block(rugi_state_writer *w, const void *bytes, size_t n)
{
    rugi_state_put(w, n);
    put_text(w, bytes, n);
}

rugi_state_writer rugi_state_begin(rug_context *ctx, rugi_state_method method)
{
    rugi_state_writer w = {.ctx = ctx};
    char version[RUGI_STATE_VERSION_BYTES] = {0};
    strncpy(version, rug_version(), sizeof version - 1);
    put_text(&w, RUGI_STATE_MAGIC, RUGI_STATE_MAGIC_BYTES);
    rugi_state_put_bytes(&w, RUGI_STATE_FORMAT, 4);
    rugi_state_put_bytes(&w, method, 4);
    rugi_state_put_bytes(&w, 0, 8); /* the length, when it is known */
    put_text(&w, version, sizeof version);
    return w;
}

rug_status rugi_state_end(rugi_state_writer *w, uint8_t **out, size_t *n)
{
    size_t length = w->n + RUGI_STATE_CRC_BYTES, all = w->n;
    if (w->status == RUG_OK) {
        w->n = RUGI_STATE_LENGTH_AT;
        rugi_state_put_bytes(w, length, 8);
        w->n = all;
        rugi_state_put_bytes(w, rugi_crc(w->bytes, all), RUGI_STATE_CRC_BYTES);
    }
    if (w->status != RUG_OK) {
        rug_context_release(w->ctx, w->bytes);
        return w->status;
    }
    *out = w->bytes;
    *n = w->n;
    return RUG_OK;
}

/* ---- What states have in common ---- */

void rugi_state_put_rule(rugi_state_writer *w, rug_foreground rule)
{
    uint64_t value = 0;
    rugi_state_put(w, rule.kind);
    if (rule.kind < RUG_FOREGROUND_ABOVE)
        return;
    rule.value += 0.0; /* -0 is 0 */
    memcpy(&value, &rule.value, sizeof value);
    rugi_state_put_bytes(w, value, 8);
    rugi_state_put_bytes(w, (uint64_t)rule.rest, 8);
}

void rugi_state_put_shape(rugi_state_writer *w, int n_axes, const size_t shape[3])
{
    rugi_state_put(w, (uint64_t)n_axes);
    for (int a = 3 - n_axes; a < 3; a++)
        rugi_state_put(w, shape[a]);
}

void rugi_state_put_cover(rugi_state_writer *w, int n_axes, const rugi_cover *cover)
{
    rugi_state_put(w, cover->n);
    for (size_t i = 0; i < cover->n; i++)
        for (int a = 3 - n_axes; a < 3; a++) {
            const rugi_box *box = &cover->boxes[i];
            rugi_state_put(w, box->first[a]);
            rugi_state_put(w, box->end[a] - box->first[a]);
        }
}

/* ---- Blocks that wait ---- */

/* The pixels of a block on their way. */
typedef struct block_pixels {
    rugi_state_writer *w;
    const void *pixels;
    unsigned width, n_bytes,
        n_bits; /* of a pixel here and there; bits that wait for a whole byte */
    uint64_t bits;
} block_pixels;

/* At most RUGI_STATE_RUN bits. */
static void put_bits(block_pixels *p, uint64_t bits, unsigned n)
{
    p->bits |= bits << p->n_bits;
    unsigned n_bytes = (p->n_bits + n) / 8;
    if (n_bytes > 0)
        rugi_state_put_bytes(p->w, p->bits, n_bytes);
    p->bits >>= 8 * n_bytes;
    p->n_bits = (p->n_bits + n) % 8;
}

static uint64_t pixel_at(const block_pixels *p, size_t i)
{
    switch (p->width) {
    case 8: return ((const uint8_t *)p->pixels)[i];
    case 16: return ((const uint16_t *)p->pixels)[i];
    case 32: return ((const uint32_t *)p->pixels)[i];
    default: return ((const uint64_t *)p->pixels)[i];
    }
}

static void put_run(void *user, size_t first, size_t n)
{
    block_pixels *p = user;
    const uint64_t *words = p->pixels;
    for (size_t i = first; i < first + n;) {
        unsigned step = p->width == 1 ? rugi_state_run(i, first + n) : 1;
        if (p->width == 1)
            put_bits(p, words[i / 64] >> i % 64 & (((uint64_t)1 << step) - 1), step);
        else if (p->n_bytes > 0)
            rugi_state_put_bytes(p->w, pixel_at(p, i), p->n_bytes);
        else
            put_bits(p, pixel_at(p, i), 1);
        i += step;
    }
}

void rugi_state_put_blocks(rugi_state_writer *w, const rugi_partial_blocks *blocks,
                           const rugi_cover *cover, unsigned n_bytes)
{
    size_t *waiting, n, next = 0;
    if (w->status == RUG_OK)
        w->status = rugi_sparse_list(w->ctx, &waiting, &n, &blocks->waiting);
    if (w->status != RUG_OK)
        return;
    rugi_state_put(w, n);
    for (size_t i = 0; i < n; i++) {
        block_pixels p = {.w = w,
                          .pixels = rugi_sparse_find(&blocks->waiting, waiting[i]),
                          .width = rugi_state_width(blocks),
                          .n_bytes = n_bytes};
        rugi_state_put(w, waiting[i] - next);
        next = waiting[i] + 1;
        rugi_state_each_run(blocks, cover, waiting[i], put_run, &p);
        if (p.n_bits > 0)
            rugi_state_put_bytes(w, p.bits, 1);
    }
    rug_context_release(w->ctx, waiting);
}
