/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a run has that measures its images in parts: which part is its own, and who brings the parts
 * together; a part of cli.h. parts/parts.h is for commands. */

#ifndef CLI_IN_PARTS_H
#define CLI_IN_PARTS_H

#include <rugose/rugose.h>
#include <rugose/values.h>

typedef struct cli_run cli_run;
typedef struct cli_image cli_image;
typedef struct cli_state_kind cli_state_kind;

/** The layers of an image that are in part `own` of n, from 0: cut at multiples of 64 layers, of
 *  32, 16 ... where there are fewer of these than parts. Where there are fewer layers than parts some
 *  are empty; and so is part n, that of who has none. */
static inline void cli_part_layers(size_t *first, size_t *end, size_t n_layers,
                                   uint32_t own, uint32_t n)
{
    size_t unit = 64;
    *first = *end = n_layers;
    if (own >= n)
        return;
    while (unit > 1 && (n_layers - 1) / unit + 1 < n)
        unit /= 2;
    size_t n_units = (n_layers - 1) / unit + 1, each = n_units / n, more = n_units % n;
    size_t at = own * each + (own < more ? own : more);
    size_t behind = at + each + (own < more ? 1 : 0);
    *first = at < n_units ? at * unit : n_layers;
    *end = behind < n_units ? behind * unit : n_layers;
}

/** How the images of a run are measured in parts. */
typedef struct cli_parts {
    uint32_t own, n; /**< the part of this process, from 0; n: none */
    int is_alone; /**< the others are not there while this one measures: values of the whole
                          image that are needed first are read here */
    int is_team;  /**< the processes of a team measure together */
    int has_rows; /**< the run has tables, with rows of some images at least */
    /** An image was opened; called before anything is printed of it. */
    rug_status (*open)(cli_run *run, cli_image *image);
    /** The values of the whole image, where they are known before it is measured, else NULL; to be
     *  freed. NULL: they never are */
    rug_status (*values)(cli_run *run, const cli_image *image, rug_values **out);
    /** Brings together what was found of an image: all processes call it with the same kinds in the
     *  same order.
     *  @param status   of measuring; the text is in the context
     *  @param for_all  every process gets the result
     *  @param state    what was found here, NULL after a failure; becomes that of the whole image, or
     *                  NULL where another process or run goes on with it. Who calls frees it
     *  @return status, or why it failed elsewhere */
    rug_status (*join)(cli_run *run, const cli_image *image, const cli_state_kind *kind,
                       rug_status status, int for_all, void **state);
    /** It was measured. @param status  of all that was done */
    void (*close)(cli_run *run, cli_image *image, rug_status status);
    /** An image failed here, which was told. NULL: nothing to do */
    void (*fail)(cli_run *run, const char *name, const char *text);
    /** Behind the last image, where there are no rows: writes what was found. @return 0, or -1 with a
     *  failure told. NULL: nothing to do */
    int (*end)(cli_run *run);
    void (*free)(struct cli_parts *parts); /**< NULL: nothing to do */
    void *user;
} cli_parts;

#endif
