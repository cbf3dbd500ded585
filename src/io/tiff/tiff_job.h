/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* An opened TIFF file: what the reader of pages and that of volumes share. */

#ifndef RUGI_TIFF_JOB_H
#define RUGI_TIFF_JOB_H

#include "tiff_facts.h"
#include "tiff_text.h"
#include "io/vips/vips_pixels.h"

/** An opened TIFF file. */
typedef struct rugi_tiff_job {
    rug_read_options opts;
    rugi_tiff_facts facts;
    rugi_tiff_text text;
    rugi_tiff_levels levels; /* of the page, or of the first slice */
    size_t *slices; /* the page of each slice, ascending; NULL for a page alone */
    size_t n_slices;
    rugi_pixels pixels; /* of the page, or of a run of pages below each other */
    size_t run_begin;   /* first page of the run */
    size_t run_pages;   /* 0 = no run is open */
} rugi_tiff_job;

/** The level that is asked, of the page or of the first slice. */
const rugi_tiff_page *rugi_tiff_asked_level(const rugi_tiff_job *job);

/** Finds the levels of a page, and checks the one that is asked.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_FORMAT */
rug_status rugi_tiff_find_levels(rug_context *ctx, rug_file *file, rugi_tiff_job *job,
                                 size_t page);

/** Says which part of the file a page or a run of pages is. */
void rugi_tiff_set_part(rugi_tiff_job *job, const rugi_tiff_page *first, size_t n_pages);

/** Opens the part that is set for the first time, and chooses its bands.
 *  @param n_pages  in it
 *  @return RUG_OK, RUG_E_ARG, RUG_E_FORMAT, RUG_E_UNSUPPORTED */
rug_status rugi_tiff_open_first(rug_context *ctx, rug_file *file, rugi_tiff_job *job,
                                size_t n_pages, int channel);

/** Fills white_is_zero and the spacing of a file whose image is set.
 *  @param page  the page, or that of the first slice */
void rugi_tiff_set_facts(rug_context *ctx, rug_file *file, const rugi_tiff_job *job,
                         size_t page);

/** Opens the pages as slices of a volume. @return as rug_file_open() */
rug_status rugi_tiff_open_volume(rug_context *ctx, rug_file *file, rugi_tiff_job *job);

/** Reads slices; as rugi_slabs.read. */
rug_status rugi_tiff_read_slices(rug_context *ctx, rug_file *file, unsigned char *to,
                                 size_t first, size_t n);

#endif
