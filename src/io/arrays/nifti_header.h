/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The headers of NIfTI-1 and NIfTI-2 as one struct in the machine's byte order. */

#ifndef RUGI_NIFTI_HEADER_H
#define RUGI_NIFTI_HEADER_H

#include <stddef.h>
#include <stdint.h>

/** Bytes of the longer header. */
#define RUGI_NIFTI_HEADER_MAX 540

/** What a header says, unchecked but for the magic. */
typedef struct rugi_nifti_header {
    int version;  /**< 1 or 2 */
    int is_pair;  /**< the pixels are in a second file */
    int swapped;  /**< the file has the other byte order */
    int datatype; /**< NIFTI_TYPE_* */
    int64_t dim[8];
    double pixdim[8];
    double vox_offset;
    double slope;
    double intercept;
    int xyzt_units;
} rugi_nifti_header;

/** Nonzero when bytes begin like a NIfTI header: its size in either byte order and, as
 *  far as there are bytes, its magic. */
int rugi_nifti_begins(const unsigned char *bytes, size_t n);

/** Takes a header apart. @return nonzero when n bytes hold a whole one */
int rugi_nifti_parse(rugi_nifti_header *out, const unsigned char *bytes, size_t n);

#endif
