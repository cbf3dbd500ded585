/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Streams of random trees and blocks, without an encoder. Include it after
 * ifs_tree_support.h. */

#ifndef RUGOSE_IFS_STREAM_SUPPORT_H
#define RUGOSE_IFS_STREAM_SUPPORT_H

#include "ifs/stream/ifs_container.h"

/* Random blocks; free them with rugi_ifs_blocks_free(). */
static inline void random_blocks(rug_context *ctx, rugi_ifs_blocks *b,
                                 const rugi_ifs_block_frame *f, uint64_t *state)
{
    assert_int_equal(rugi_ifs_blocks_new(ctx, b, f), RUG_OK);
    int fits = 2 * f->size <= f->nx && 2 * f->size <= f->ny;
    for (size_t i = 0; i < b->n; i++) {
        rugi_ifs_block *block = &b->blocks[i];
        block->mean = (int32_t)test_below(state, (4u << f->depth) - 3);
        if (!fits || test_below(state, 4) == 0)
            continue;
        block->k = (int8_t)((int)test_below(state, 129) - 64);
        if (block->k == 0)
            continue;
        block->symmetry = (uint8_t)test_below(state, 8);
        uint32_t n_x = (f->nx - 2 * f->size) / f->step + 1;
        uint32_t n_y = (f->ny - 2 * f->size) / f->step + 1;
        block->domain_x = (uint32_t)test_below(state, n_x) * f->step;
        block->domain_y = (uint32_t)test_below(state, n_y) * f->step;
    }
}

static inline void write_random_plane(rug_context *ctx, rugi_ifs_coder *c,
                                      const rugi_ifs_header *h, int plane,
                                      uint64_t *state)
{
    rugi_ifs_write_begin(c, ctx);
    if (h->partition == RUG_IFS_QUADTREE) {
        tree_rule rule = {rugi_ifs_frame_of(h, plane), 9, 8, 6, 4, test_random(state)};
        rugi_ifs_tree tree;
        random_tree(&tree, &rule);
        assert_int_equal(rugi_ifs_write_tree(ctx, c, &tree), RUG_OK);
        free_random_tree(&tree);
    } else {
        rugi_ifs_block_frame frame = rugi_ifs_block_frame_of(h, plane);
        rugi_ifs_blocks blocks;
        random_blocks(ctx, &blocks, &frame, state);
        rugi_ifs_write_blocks(c, &blocks);
        rugi_ifs_blocks_free(ctx, &blocks);
    }
    rugi_ifs_write_end(c);
    assert_false(c->failed);
}

/* Free it with rug_ifs_stream_free(). */
static inline rug_ifs_stream random_stream(rug_context *ctx, const rugi_ifs_header *h,
                                           uint64_t seed)
{
    rug_ifs_stream out;
    rugi_ifs_coder c[RUG_IFS_PLANES_MAX];
    rugi_ifs_part parts[RUG_IFS_PLANES_MAX];
    size_t n[RUG_IFS_PLANES_MAX] = {0};
    for (int i = 0; i < h->n_planes; i++) {
        write_random_plane(ctx, &c[i], h, i, &seed);
        parts[i] = (rugi_ifs_part){c[i].bytes, c[i].n_bytes, 0};
        n[i] = c[i].n_bytes;
    }
    assert_int_equal(rugi_ifs_container_write(ctx, &out, h, parts), RUG_OK);
    assert_int_equal(out.size, rugi_ifs_container_size(h, n));
    for (int i = 0; i < h->n_planes; i++)
        rug_context_release(ctx, c[i].bytes);
    return out;
}

/* Headers of all kinds. */
#define N_HEADERS 9
static inline rugi_ifs_header header_of(unsigned i)
{
    static const rugi_ifs_header headers[N_HEADERS] = {
        {RUG_IFS_QUADTREE, 1, 8, 0, 1, 70, 45, 0, 4, 5, 4, {160}},
        {RUG_IFS_QUADTREE, 3, 8, 1, 1, 64, 64, 0, 8, 3, 0, {160, 320, 320}},
        {RUG_IFS_QUADTREE, 1, 16, 0, 0, 1, 1, 0, 1024, 1, 15, {1 << 20}},
        {RUG_IFS_QUADTREE, 3, 16, 1, 1, 33, 1, 0, 4, 2, 2, {4000, 1, 9000}},
        {RUG_IFS_QUADTREE, 3, 8, 0, 0, 17, 96, 0, 12, 64, 0, {33, 34, 35}},
        {RUG_IFS_FIXED, 1, 8, 0, 0, 61, 37, 8, 1, 4, 0, {1}},
        {RUG_IFS_OVERLAP, 1, 8, 0, 0, 40, 30, 6, 3, 3, 0, {1}},
        {RUG_IFS_FIXED, 3, 16, 1, 0, 7, 5, 3, 1024, 2, 0, {1, 1, 1}},
        {RUG_IFS_OVERLAP, 3, 8, 1, 0, 64, 65, 32, 5, 6, 0, {1, 1, 1}},
    };
    return headers[i];
}

/* A picture's checksum. */
static inline uint32_t crc_of(const rug_ifs_picture *p)
{
    return rugi_ifs_crc(p->pixels, (size_t)p->nx * p->ny * (size_t)p->n_planes *
                                       (p->dtype == RUG_U16 ? 2 : 1));
}

/* Puts right checksums into a stream that was changed on purpose. */
static inline void mend_stream(uint8_t *bytes, size_t size)
{
    size_t n_planes = bytes[5] & 4 ? 3 : 1, at = 17 + 11 * n_planes + 4;
    for (size_t i = 0; i < n_planes; i++) {
        uint8_t *plane = bytes + 17 + 11 * i;
        size_t n = plane[3] | (size_t)plane[4] << 8 | (size_t)plane[5] << 16;
        if (plane[6] != 0 || at + n > size)
            break;
        uint32_t crc = rugi_ifs_crc(bytes + at, n);
        for (int k = 0; k < 4; k++)
            plane[7 + k] = (uint8_t)(crc >> 8 * k);
        at += n;
    }
    uint8_t *end = bytes + 17 + 11 * n_planes;
    if (17 + 11 * n_planes + 4 > size)
        return;
    uint32_t crc = rugi_ifs_crc(bytes, (size_t)(end - bytes));
    for (int k = 0; k < 4; k++)
        end[k] = (uint8_t)(crc >> 8 * k);
}

#endif
