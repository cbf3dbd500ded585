/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Parallel loops over the pieces of a file: blocks of bytes, tiles, strips. */

#ifndef RUGI_PARALLEL_H
#define RUGI_PARALLEL_H

#include "core/context/threads.h"

/** Bytes of a piece's error text with its end. */
#define RUGI_PIECE_TEXT 1024

/** Works on one piece. It runs on any thread, and so uses neither the context nor what other
 *  pieces change.
 *  @param shared  as handed to rugi_for_pieces()
 *  @param piece   0..n_pieces-1, each once; they begin in this order
 *  @param thread  0..rugi_loop_threads()-1; never two pieces at once with the same number
 *  @param text    RUGI_PIECE_TEXT bytes, "" at first: what is wrong, after a failure
 *  @return RUG_OK, or what the loop is to return */
typedef rug_status (*rugi_piece_fn)(void *shared, size_t piece, int thread, char *text);

/** Works on all pieces on rugi_loop_threads() threads. The calling thread is one of them, and it
 *  alone reports progress and asks whether to stop. After a failure no later piece begins; the
 *  first piece that failed is reported, whatever the number of threads.
 *  @return RUG_OK, RUG_E_CANCELLED, what the function returned */
rug_status rugi_for_pieces(rug_context *ctx, size_t n_pieces, rugi_piece_fn fn,
                           void *shared);

#endif
