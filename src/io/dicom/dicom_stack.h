/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The slices of a DICOM image: of one file, or of the files of a folder that are one series. */

#ifndef RUGI_DICOM_STACK_H
#define RUGI_DICOM_STACK_H

#include "dicom_client.h"
#include "io/base/reader.h"

/** One slice. */
typedef struct rugi_dicom_slice {
    size_t file;       /**< in the paths of the stack */
    uint64_t frame;    /**< of that file, */
    uint64_t n_frames; /**< which has so many */
    rugi_dicom_frame place;
    int64_t acquisition, instance; /**< of the file */
    double along;                  /**< the slices' normal, in mm; of unplaced ones 0 */
} rugi_dicom_slice;

/** What is read of DICOM. Zeroed, it is empty. */
typedef struct rugi_dicom_stack {
    char **paths; /**< owned, each by itself */
    size_t n_files;
    rugi_dicom_head head; /**< of the first file */
    rugi_dicom_slice
        *slices;     /**< owned; all volumes one after the other, each along the normal */
    size_t n_slices; /**< of one volume; unplaced: frames and files */
    size_t n_volumes; /**< at the same places: times, echoes */
    int is_placed;    /**< slices say where they lie */
    double step[3];   /**< from slice to slice, in mm; 0 where it is not known */
} rugi_dicom_stack;

/** Finds and sorts the slices of a file, or of a series in a folder.
 *  @param series  number or UID, or NULL
 *  @param stack   to be cleared, also after a failure
 *  @return RUG_OK, RUG_E_ARG (there are several series, or not that one), RUG_E_IO, RUG_E_NOMEM,
 *          RUG_E_FORMAT, RUG_E_CANCELLED */
rug_status rugi_dicom_find(rug_context *ctx, rugi_dicom_stack *stack,
                           const rug_file *file, const char *series);

void rugi_dicom_clear(rug_context *ctx, rugi_dicom_stack *stack);

#endif
