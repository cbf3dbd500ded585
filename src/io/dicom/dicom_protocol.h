/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How the library talks to rugose-dicom, the program that knows GDCM. It is a process of its own, since
 * GDCM ends its process where a file is damaged in ways that it does not expect. Through a socket come
 * requests and go answers, as structs of one build; values are as the files have them, and what they
 * mean is said in dicom_reader.c. Attributes are those of DICOM PS3.3. */

#ifndef RUGI_DICOM_PROTOCOL_H
#define RUGI_DICOM_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

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
    int is_packed; /**< pixels are compressed: the file may be shorter than they are */
    int is_lossy;  /**< values are not exact */
    int is_of_detector;    /**< the spacing is that at the detector, not in the body */
    int has_padding;       /**< a value stands for no data, */
    int has_padding_limit; /**< or all from it to another one */
    int64_t padding, padding_limit;
    int64_t series_number, acquisition, instance;
    rugi_dicom_frame frame; /**< of a file of one frame, or what all have in common */
    char series[RUGI_DICOM_TEXT], modality[RUGI_DICOM_TEXT], description[RUGI_DICOM_TEXT];
    char photometric[RUGI_DICOM_TEXT];
} rugi_dicom_head;

/** What a request comes to. */
enum { RUGI_DICOM_OK, RUGI_DICOM_DAMAGED, RUGI_DICOM_NO_MEMORY, RUGI_DICOM_UNKNOWN };

/** What is asked. */
enum {
    RUGI_DICOM_HEAD,   /**< a head, without pixels: answered by a rugi_dicom_head */
    RUGI_DICOM_FRAMES, /**< where n frames lie: by n rugi_dicom_frame */
    RUGI_DICOM_PIXELS /**< all frames: by n bytes, rows of pixels of one sample or of red, green and
                            blue, in the byte order of this machine, of 8, 16 or 32 bits */
};

/** A request, before the path without its end. */
typedef struct rugi_dicom_request {
    uint32_t what, n_path;
    uint64_t n;
} rugi_dicom_request;

/** An answer, before its bytes. The program begins with one of its own accord. */
typedef struct rugi_dicom_answer {
    int32_t code; /**< at the beginning RUGI_DICOM_VERSION */
    uint32_t unused;
    uint64_t n_bytes; /**< 0 after a failure */
} rugi_dicom_answer;

/** Of structs that fit each other. */
#define RUGI_DICOM_VERSION ((int32_t)(0x100000 + sizeof(rugi_dicom_head)))

#endif
