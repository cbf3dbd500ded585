/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The opened file, the row of the format table, and what the format readers share. A reader
 * knows one family of formats; it never opens a file that it did not claim. */

#ifndef RUGI_READER_H
#define RUGI_READER_H

#include "disk.h"
#include <rugose/file.h>

/** Bytes of a file that a reader may judge by. */
#define RUGI_HEAD_MAX 4096

/** Bytes of a unit's name with its end. */
#define RUGI_UNIT_MAX 16

/** How many bytes one byte of a deflate stream can stand for at most. */
#define RUGI_DEFLATE_MAX 1032u

/** How the pixels of an opened file are read; filled by its reader. */
typedef struct rugi_slabs {
    /** Decodes the layers first .. first + n - 1 of the slowest axis, without padding.
     *  Layers come in the order of rug_source_read_fn; after a failure they begin at 0
     *  again. Reports progress from 0 to 1 in each call.
     *  @param to  n layers of the file's image */
    rug_status (*read)(rug_context *ctx, rug_file *file, void *to, size_t first,
                       size_t n);
    void (*close)(rug_context *ctx, void *state); /**< frees the state */
    void *state;                                  /**< the reader's own */
    int whole_only; /**< the file stores another axis as the slowest: only all layers at
                       once, in the order of the image's strides */
} rugi_slabs;

struct rug_file {
    rug_context *ctx; /* whose memory the file uses */
    char *path;
    uint64_t n_bytes;          /* of the file on disk */
    const unsigned char *head; /* its first n_head bytes, at most RUGI_HEAD_MAX; only
                                  while it is being read */
    size_t n_head;
    void *pixels;    /* all of them; NULL until the file is loaded */
    rug_image image; /* zeroed until rugi_file_set_image(); without data until loaded */
    rug_file_facts facts;
    char unit[RUGI_UNIT_MAX]; /* what image.spacing_unit points to */
    rugi_slabs slabs;         /* zeroed once the file is loaded */
    rug_source source;
    size_t next;       /* the layer that may be read besides 0 */
    void *slab;        /* where slabs are decoded to */
    size_t slab_bytes; /* its size */
    int as_indices;    /* of a palette, not its colours */
    int is_colour;     /* three channels become luma, or are kept */
    int unequal;       /* the three were seen to differ */
};

/** One row of the format table. */
typedef struct rugi_reader {
    /** Nonzero when the content is one of this reader's formats; from the head. */
    int (*claims)(const rug_file *file);
    /** Fills facts, image and slabs of a file whose path, n_bytes and head are set. Reads
     *  no pixels. What slabs hold is closed after a failure, too. */
    rug_status (*open)(rug_context *ctx, rug_file *file, const rug_read_options *opts);
} rugi_reader;

extern const rugi_reader rugi_npy_reader;
extern const rugi_reader rugi_nifti_reader;
extern const rugi_reader rugi_tiff_reader; /* whole slides are for the next */
extern const rugi_reader rugi_vips_reader; /* claims everything: the last row */

/** Sets the view of pixels in C order, which are not there yet.
 *  @param shape  ndim sizes, slowest first, each at least 1
 *  @return RUG_OK, RUG_E_NOMEM (more than an address can count; the text names the file)
 */
rug_status rugi_file_set_image(rug_context *ctx, rug_file *file, rug_dtype dtype,
                               int ndim, const size_t *shape);

/** Sets the distance between pixels, slowest axis first. Values that are not positive
 *  and finite become 0 = unknown; a unit that is NULL, "" or too long is left out. */
void rugi_file_set_spacing(rug_file *file, const double *spacing, const char *unit);

/** Warns when a file says that its pixels are to be turned or mirrored to be shown: they stay as they are
 *  stored. @param orientation  as EXIF and TIFF number it; 1 = upright */
void rugi_warn_of_turn(rug_context *ctx, const rug_file *file, int orientation);

/** Multiplies two sizes. @return nonzero when the product fits */
int rugi_multiply(uint64_t *out, uint64_t a, uint64_t b);

/** Fails when a page, a level or a channel is requested that the file does not have. The facts
 *  say how many there are. @return RUG_OK, RUG_E_ARG */
rug_status rugi_check_page(rug_context *ctx, const rug_file *file, int page);
rug_status rugi_check_level(rug_context *ctx, const rug_file *file, int level);
rug_status rugi_check_channel(rug_context *ctx, const rug_file *file, int channel);

/** For files of one flat picture: fails when a volume, or another page or level is requested.
 *  @return RUG_OK, RUG_E_ARG */
rug_status rugi_check_flat(rug_context *ctx, const rug_file *file,
                           const rug_read_options *opts);

#endif
