/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The page of a run, --report FILE.html: one more report, that gets the rows of the first, pictures, and in
 * the end what went wrong. */

#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include <rugose/context.h>
#include <stddef.h>

typedef struct cli_run cli_run;

/** Checks the name, when all other names are checked. @return an error text, or NULL */
const char *cli_check_page(cli_run *run);

/** Begins the page behind the first report, whose head is filled, with a table of the same columns. */
void cli_begin_page(cli_run *run);

/** Puts what is known in the end into its head. */
void cli_fill_page(cli_run *run);

/** A picture for the page. */
typedef struct cli_page_picture {
    const char *image; /**< of the row */
    const char *kind;  /**< "overlay", "original" or "decoded" */
    const char *alt;   /**< what it shows, for who does not see it */
    const unsigned char *png;
    size_t n; /**< bytes */
} cli_page_picture;

/** Adds a picture; the image may fail afterwards. */
void cli_add_picture(cli_run *run, const cli_page_picture *picture);

/** Pixels of the longest side of a picture on the page. */
#define CLI_PAGE_SIDE 384

/** How a picture is made that may have any size. */
typedef struct cli_making {
    const char *image, *alt;
    /** @param limit  pixels of its longest side
     *  @param png    to be released with rug_context_release() */
    rug_status (*encode)(cli_run *run, const void *of, size_t limit, unsigned char **png,
                         size_t *n);
    const void *of;
    int is_costly; /**< so that it is made once, and smaller than there may be room for */
    int is_half;   /**< other pictures of the image take half of the bytes */
    int n_bytes; /**< of a pixel: 3 in colours, of which there may be more than 256; else 1 */
} cli_making;

/** Adds a picture of kind "overlay" to the page, reduced to what there is room for. Nothing happens without
 *  a page; a picture that cannot be encoded is warned of. */
rug_status cli_fit_picture(cli_run *run, const cli_making *making);

/** Bytes that the pictures of the image in work may take together, so that a page of many images opens
 *  soon; 0: there is no page. */
size_t cli_picture_bytes(const cli_run *run);

#endif
