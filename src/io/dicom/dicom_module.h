/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the module that knows GDCM tells of DICOM files: heads and pixels. It is a library of its own,
 * in C++, which is loaded when a file needs it; nothing of GDCM and no exception leaves it. Values are
 * as they are stored: what they mean is said in dicom_reader.c. Attributes are those of DICOM PS3.3. */

#ifndef RUGI_DICOM_MODULE_H
#define RUGI_DICOM_MODULE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a text with its end. */
#define RUGI_DICOM_TEXT 256

/** Where one frame lies and what its values mean. What is not said is 0. */
typedef struct rugi_dicom_frame {
    double position
        [3]; /**< of the centre of its first pixel, in mm: to the left, to the back, up */
    double orientation[6]; /**< along a row, then down a column */
    double spacing[2];     /**< from row to row and from column to column, in mm */
    double slope, intercept;
    int has_position, has_orientation, has_slope;
} rugi_dicom_frame;

/** What the head of a file says. */
typedef struct rugi_dicom_head {
    uint64_t n_rows, n_columns, n_frames;
    uint32_t n_samples; /**< of a pixel */
    uint32_t bits_allocated, bits_stored, high_bit;
    int is_signed;
    int is_palette;       /**< samples are indices of colours */
    int is_white_at_zero; /**< MONOCHROME1 */
    int is_lossy;         /**< values are not exact */
    int is_of_detector;   /**< the spacing is that at the detector, not in the body */
    int has_padding;      /**< a value stands for no data */
    int64_t padding;
    int64_t series_number, acquisition, instance;
    rugi_dicom_frame frame; /**< of a file of one frame, or what all have in common */
    char series[RUGI_DICOM_TEXT], modality[RUGI_DICOM_TEXT], description[RUGI_DICOM_TEXT];
    char photometric[RUGI_DICOM_TEXT];
} rugi_dicom_head;

/** What a call came to. */
enum { RUGI_DICOM_OK, RUGI_DICOM_DAMAGED, RUGI_DICOM_NO_MEMORY, RUGI_DICOM_UNKNOWN };

/** Reads a head, without pixels.
 *  @return OK, DAMAGED, NO_MEMORY */
__attribute__((visibility("default"))) int rugi_dicom_read_head(const char *path,
                                                                rugi_dicom_head *head);

/** Reads where the frames of a file lie.
 *  @param frames  n; what all have in common is set already
 *  @return OK, DAMAGED (also when there are others), NO_MEMORY */
__attribute__((visibility("default"))) int
rugi_dicom_read_frames(const char *path, rugi_dicom_frame *frames, uint64_t n);

/** Decodes all frames: rows of pixels of one sample or of red, green and blue, in the byte order of
 *  this machine, of 8, 16 or 32 bits.
 *  @param n_bytes  of all frames, as the head promises them
 *  @return OK, DAMAGED (also when there are more or fewer bytes), NO_MEMORY, UNKNOWN (a transfer
 *          syntax that GDCM does not decode) */
__attribute__((visibility("default"))) int
rugi_dicom_decode(const char *path, void *pixels, size_t n_bytes);

#ifdef __cplusplus
}
#endif

#endif
