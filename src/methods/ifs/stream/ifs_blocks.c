/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Blocks of one size through the coder. */

#include "ifs_blocks.h"
#include <string.h>

#define SCALE_BITS 6 /* of |k| - 1 */

/* Blocks between questions for cancellation. */
#define STRIDE 4096

static const char what[] = "blocks of fractal coding";

typedef struct block_model {
    rugi_ifs_bit has_domain[2]; /* by that of the block before */
    rugi_ifs_bit sign, scale[1 << SCALE_BITS];
} block_model;

static void place(rugi_ifs_blocks *b)
{
    const rugi_ifs_block_frame *f = &b->frame;
    size_t at = 0;
    for (uint32_t grid = 0; grid < rugi_ifs_block_grids(f); grid++)
        for (uint32_t y = 0; y < f->ny; y += f->size)
            for (uint32_t x = 0; x < f->nx; x += f->size) {
                b->blocks[at].x = x + grid % 2 * f->size / 2;
                b->blocks[at++].y = y + grid / 2 * f->size / 2;
            }
}

rug_status rugi_ifs_blocks_new(rug_context *ctx, rugi_ifs_blocks *b,
                               const rugi_ifs_block_frame *frame)
{
    memset(b, 0, sizeof *b);
    b->frame = *frame;
    b->n = rugi_ifs_blocks_of_grid(frame) * rugi_ifs_block_grids(frame);
    b->blocks = rug_context_allocate(ctx, b->n, sizeof *b->blocks, what);
    if (b->blocks == NULL) {
        memset(b, 0, sizeof *b);
        return RUG_E_NOMEM;
    }
    memset(b->blocks, 0, b->n * sizeof *b->blocks);
    place(b);
    return RUG_OK;
}

void rugi_ifs_blocks_free(rug_context *ctx, rugi_ifs_blocks *b)
{
    rug_context_release(ctx, b->blocks);
    memset(b, 0, sizeof *b);
}

static void code_domain(rugi_ifs_coder *c, block_model *m, const rugi_ifs_block_frame *f,
                        rugi_ifs_block *b)
{
    uint32_t places_x = (f->nx - 2 * f->size) / f->step + 1;
    uint32_t places_y = (f->ny - 2 * f->size) / f->step + 1;
    b->domain_x = rugi_ifs_code_uniform(c, places_x, b->domain_x / f->step) * f->step;
    b->domain_y = rugi_ifs_code_uniform(c, places_y, b->domain_y / f->step) * f->step;
    b->symmetry = (uint8_t)rugi_ifs_code_raw(c, 3, b->symmetry);
    int is_negative = rugi_ifs_code_bit(c, &m->sign, b->k < 0);
    uint32_t size = (uint32_t)(b->k < 0 ? -b->k : b->k) - 1;
    size = rugi_ifs_code_tree(c, m->scale, SCALE_BITS, size) + 1;
    b->k = (int8_t)(is_negative ? -(int)size : (int)size);
}

static void code_block(rugi_ifs_coder *c, block_model *m, const rugi_ifs_block_frame *f,
                       rugi_ifs_block *b, int *before)
{
    int has_domain = 0;
    if (2 * f->size <= f->nx && 2 * f->size <= f->ny)
        has_domain = rugi_ifs_code_bit(c, &m->has_domain[*before], b->k != 0);
    *before = has_domain;
    if (has_domain)
        code_domain(c, m, f, b);
    uint32_t n_means = RUGI_IFS_BLOCK_MEANS * ((1u << f->depth) - 1) + 1;
    b->mean = (int32_t)rugi_ifs_code_uniform(c, n_means, (uint32_t)b->mean);
}

static void begin(block_model *m)
{
    rugi_ifs_bits_begin((rugi_ifs_bit *)(void *)m, sizeof *m / sizeof(rugi_ifs_bit));
}

void rugi_ifs_write_blocks(rugi_ifs_coder *c, const rugi_ifs_blocks *b)
{
    block_model m;
    int before = 0;
    begin(&m);
    for (size_t i = 0; i < b->n; i++) {
        rugi_ifs_block block = b->blocks[i];
        code_block(c, &m, &b->frame, &block, &before);
    }
}

rug_status rugi_ifs_read_blocks(rug_context *ctx, rugi_ifs_blocks *b,
                                const rugi_ifs_block_frame *frame, const uint8_t *bytes,
                                size_t n)
{
    rugi_ifs_coder c;
    block_model m;
    int before = 0;
    rug_status status = rugi_ifs_blocks_new(ctx, b, frame);
    size_t i = 0;
    begin(&m);
    rugi_ifs_read_begin(&c, bytes, n);
    for (; i < b->n && status == RUG_OK && !c.failed; i++) {
        code_block(&c, &m, frame, &b->blocks[i], &before);
        if (i % STRIDE == STRIDE - 1)
            status = rug_context_step(ctx, (double)i / (double)b->n);
    }
    if (status == RUG_OK && c.failed)
        status =
            rug_context_fail(ctx, RUG_E_FORMAT,
                             "a plane of %u x %u pixels in %zu bytes is damaged after "
                             "%zu of %zu blocks: the stream cannot be read, make it "
                             "again",
                             frame->nx, frame->ny, n, i, b->n);
    if (status != RUG_OK)
        rugi_ifs_blocks_free(ctx, b);
    return status;
}
