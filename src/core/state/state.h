/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* States as bytes (docs/states.md): a head, numbers, and a checksum. A writer and a reader keep
 * their first failure, so that callers look only once, at the end. Bytes that are read may
 * hold anything: what is behind them may be allocated for, and no more. */

#ifndef RUGI_STATE_H
#define RUGI_STATE_H

#include "core/blocks/partial_blocks.h"

/** What a state is of. The numbers never change. */
typedef enum rugi_state_method {
    RUGI_STATE_BOXCOUNT = 1,
    RUGI_STATE_MASSES = 2,
    RUGI_STATE_LACUNARITY = 3,
    RUGI_STATE_VALUES = 4,
    RUGI_STATE_DBC = 5,
    RUGI_STATE_RUN = 100, /* parts of runs, which the program writes */
} rugi_state_method;

/* ---- Writing ---- */

typedef struct rugi_state_writer {
    rug_context *ctx;
    rug_status status;
    uint8_t *bytes;
    size_t n, capacity;
} rugi_state_writer;

/** Begins a state. */
rugi_state_writer rugi_state_begin(rug_context *ctx, rugi_state_method method);

/** A number, seven bits in a byte. */
void rugi_state_put(rugi_state_writer *w, uint64_t number);

/** A number below 256^n_bytes, in so many bytes. */
void rugi_state_put_bytes(rugi_state_writer *w, uint64_t number, unsigned n_bytes);

/** So many bytes, behind their number. */
void rugi_state_put_block(rugi_state_writer *w, const void *bytes, size_t n);

/** A rule, resolved. */
void rugi_state_put_rule(rugi_state_writer *w, rug_foreground rule);

/** Axes and shape.
 *  @param shape  z y x */
void rugi_state_put_shape(rugi_state_writer *w, int n_axes, const size_t shape[3]);

/** The pixels that have come.
 *  @param cover  sorted */
void rugi_state_put_cover(rugi_state_writer *w, int n_axes, const rugi_cover *cover);

/** Blocks that wait.
 *  @param cover    sorted
 *  @param n_bytes  of a pixel in the bytes, at most as many as in blocks; 0: a bit */
void rugi_state_put_blocks(rugi_state_writer *w, const rugi_partial_blocks *blocks,
                           const rugi_cover *cover, unsigned n_bytes);

/** Ends a state.
 *  @param out  NULL on failure; else for rug_context_release()
 *  @return the first failure */
rug_status rugi_state_end(rugi_state_writer *w, uint8_t **out, size_t *n);

/* ---- Reading ---- */

typedef struct rugi_state_reader {
    rug_context *ctx;
    rug_status status;
    const uint8_t *at, *end;
} rugi_state_reader;

/** Checks head and checksum.
 *  @param bytes  stay until reading ends */
rugi_state_reader rugi_state_open(rug_context *ctx, const uint8_t *bytes, size_t n,
                                  rugi_state_method method);

/** Notes that the bytes contradict themselves, unless something has failed before.
 *  @param what  what is wrong */
void rugi_state_refuse(rugi_state_reader *r, const char *what);

/** Notes how a step went, unless something has failed before. What a caller could have done
 *  wrong, the bytes did. */
void rugi_state_note(rugi_state_reader *r, rug_status status);

/** Looks for cancellation now and then, before the block of that number in a list. */
void rugi_state_look(rugi_state_reader *r, size_t block);

/** A number; 0 after a failure. */
uint64_t rugi_state_get(rugi_state_reader *r);

/** A number that is at most `most`.
 *  @param what  is called in the error text */
uint64_t rugi_state_get_below(rugi_state_reader *r, uint64_t most, const char *what);

uint64_t rugi_state_get_bytes(rugi_state_reader *r, unsigned n_bytes);

/** Bytes behind their number, which stay where they are. @return NULL after a failure */
const uint8_t *rugi_state_get_block(rugi_state_reader *r, size_t *n);
rug_foreground rugi_state_get_rule(rugi_state_reader *r);

/** @param shape  n_axes numbers, slowest first
 *  @return the axes; 2 after a failure */
int rugi_state_get_shape(rugi_state_reader *r, size_t shape[3]);

/** Fills an empty cover, sorted.
 *  @param shape  z y x */
void rugi_state_get_cover(rugi_state_reader *r, int n_axes, const size_t shape[3],
                          rugi_cover *cover);

/** Adds to blocks of which none waits, and whose cover is that of rugi_state_get_cover().
 *  @param n_bytes  as for rugi_state_put_blocks()
 *  @param most     what a pixel may be
 *  @param is_kept  blocks may be whole */
void rugi_state_get_blocks(rugi_state_reader *r, rugi_partial_blocks *blocks,
                           unsigned n_bytes, uint64_t most, int is_kept);

/** Ends reading. @return the first failure, or RUG_E_FORMAT when bytes are left */
rug_status rugi_state_close(rugi_state_reader *r);

#endif
