/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What came of an input that a worker did, until it is its turn: also as bytes, where that was done by
 * another process of a team. */

#ifndef CLI_KEPT_H
#define CLI_KEPT_H

#include "cli.h"

/** One input of a worker. All zero: none. */
typedef struct cli_kept {
    cli_run run;
    char *text; /**< that it printed; owned */
    size_t n_text;
    int is_cut;          /**< there was no memory for all of it */
    atomic_int permille; /**< of its work */
    int is_done;
} cli_kept;

/** Begins to keep what a run does that is made for one input: its text and its rows.
 *  @return whether there is memory */
int cli_keep(cli_kept *k);

/** Ends it: the text is whole. */
static inline void cli_end_kept(cli_kept *k)
{
    if (k->run.err == NULL || rugi_close_text(k->run.err, &k->text))
        return;
    k->is_cut = 1;
    k->n_text = 0;
}

/** Puts what was kept where it belongs. */
void cli_put_kept(cli_run *whole, cli_kept *k);

void cli_free_kept(cli_kept *k);

/** As bytes. @return what to free with free(); NULL: there is no memory */
char *cli_save_kept(const cli_kept *k, size_t *n);

/** From such bytes, which begin with the input, an uint64_t.
 *  @param model  what the run of an input begins as
 *  @return whether there was memory for all of it */
int cli_load_kept(cli_kept *k, const cli_run *model, const void *bytes, size_t n);

#endif
