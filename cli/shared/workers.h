/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Inputs side by side: small ones each by a worker, a large one alone by all threads of the run.
 *
 * A worker has a run of its own for each input, a copy of the whole run with another context;
 * what it prints, its rows and its failures are kept there until all earlier inputs are done.
 * So whatever handles an input changes nothing but its run; what all inputs share it changes in
 * turn, see cli_await_turn().
 *
 * Where the program is one of a team (team.h) its processes share the inputs: all call
 * cli_do_inputs(), and what comes of it is in the run of process 0. That of a helper is interrupted
 * then, so that it ends. */

#ifndef CLI_WORKERS_H
#define CLI_WORKERS_H

#include "cli.h"

/** Bytes of pixels above which an input is large: then threads gain more within the image, and
 *  several images at once would take much memory. */
#define CLI_LARGE_BYTES ((uint64_t)16 << 20)

/** Does one input, run->input, from run->page on. */
typedef void (*cli_input_fn)(cli_run *run, void *work);

/** Does all inputs. Everything that comes of them comes in their order, as if they were done
 *  one by one. */
void cli_do_inputs(cli_run *run, cli_input_fn do_input, void *work);

/** Waits until earlier inputs are done. In a team it gives back an input that any other concerns: all
 *  such inputs are done by process 0 in their order.
 *  @param concerns  says of one whether to wait for it; NULL: for all of them, so that no two
 *                   inputs are behind this call at once
 *  @return RUG_OK, RUG_E_CANCELLED */
rug_status cli_await_turn(cli_run *run,
                          int (*concerns)(const cli_run *run, size_t earlier));

/** Leaves the rest of a worker's input, from run->page on, to the whole run. To be called before
 *  anything is added to a report; nothing happens where it is the whole run. */
static inline void cli_leave(cli_run *run)
{
    run->is_left = run->batch != NULL && !run->is_alone;
}

/** Leaves it if its pixels take this many bytes and that is much. @return whether it is left */
static inline int cli_is_left(cli_run *run, uint64_t n_bytes)
{
    if (n_bytes > (run->large_bytes > 0 ? run->large_bytes : CLI_LARGE_BYTES))
        cli_leave(run);
    return run->is_left;
}

/* ---- What is kept of an input (kept.c) ---- */

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
