/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The opened file, the row of the format table, and what the format readers share. A reader
 * knows one family of formats; it never opens a file that it did not claim. */

#ifndef RUGI_READER_H
#define RUGI_READER_H

#include "disk.h"
#include "place.h"
#include <rugose/file.h>

/** Bytes of a file that a reader may judge by. */
#define RUGI_HEAD_MAX 4096

/** Bytes of a unit's name with its end. */
#define RUGI_UNIT_MAX 16

/** Bytes of the text that says what pixels are, with its end. */
#define RUGI_MEANING_MAX 80

/** Bytes of the text of a value that stands for no data, with its end. */
#define RUGI_NODATA_MAX 64

/** How many bytes one byte of a deflate stream can stand for at most. */
#define RUGI_DEFLATE_MAX 1032u

/** How the pixels of an opened file are read; filled by its reader. */
typedef struct rugi_slabs {
    /** Decodes the layers first .. first + n - 1 of the slowest axis, without padding.
     *  Layers come in the order of rug_source_read_fn; after a failure a pass begins
     *  again. Reports progress from 0 to 1 in each call.
     *  @param to  n layers of the file's image */
    rug_status (*read)(rug_context *ctx, rug_file *file, void *to, size_t first,
                       size_t n);
    void (*close)(rug_context *ctx, void *state); /**< frees the state */
    void *state;                                  /**< the reader's own */
    int whole_only; /**< the file stores another axis as the slowest: only all layers at
                       once, in the order of the image's strides */
    int any_order;  /**< layers may come in any order */
    int at_once;    /**< but whichever come, all are decoded */
} rugi_slabs;

/** Which pixels of a file hold no data, and what becomes of them. */
typedef struct rugi_nodata {
    int is_sought; /* some pixels may: their type can have the value */
    int is_nan;    /* NaN is the value */
    rug_nodata_as as;
    uint64_t bits[2]; /* of the least and the largest value, of integers */
    double real[2];   /* them, of floats, rounded to their type; NaN: no pixel has them */
    uint64_t n, n_nan; /* seen in this pass: pixels of the values, others that are NaN */
} rugi_nodata;

struct rug_file {
    rug_context *ctx; /* whose memory the file uses */
    char *path;
    char *
        at_disk; /* the file that is read, where its path is more or other; NULL: it is the path */
    char *array_name;          /* behind it, as "FILE:NAME" says; NULL: nothing */
    int is_folder;             /* the path is a folder that is one image */
    uint64_t n_bytes;          /* of the file on disk */
    const unsigned char *head; /* its first n_head bytes, at most RUGI_HEAD_MAX; only
                                  while it is being read */
    size_t n_head;
    void *pixels;    /* all of them; NULL until the file is loaded */
    rug_image image; /* as the reader decodes it, without data; zeroed until
                        rugi_file_set_image() */
    rug_image shown; /* as it is handed out; without data until loaded */
    rug_file_facts facts;
    char nodata_text[RUGI_NODATA_MAX]; /* what the file says; "" = nothing */
    double nodata_limit;  /* all values from that to this one hold no data, */
    int has_nodata_limit; /* where there is one */
    rugi_nodata nodata;
    rugi_place *place; /* what the file says by GeoTIFF's tags; NULL = nothing */
    rugi_georeference *georeference; /* what it says otherwise; NULL = nothing */
    double step[2]; /* rows and columns of the place for one of the image, >= 1 */
    char unit[RUGI_UNIT_MAX]; /* what image.spacing_unit points to */
    char
        meaning[RUGI_MEANING_MAX]; /* what facts.meaning points to, unless it is static */
    rugi_slabs slabs;              /* zeroed once the file is loaded */
    rug_source source;
    size_t next;          /* the layer that goes on with the pass in work */
    void *slab;           /* where slabs are decoded to */
    size_t slab_bytes;    /* its size */
    int wants_alpha;      /* as a plane behind the others */
    int wants_notes;      /* what is noted below */
    rug_file_notes notes; /* as the file states them; its orientation is in the facts */
    void *profile;        /* what notes.icc points to; NULL: none */
    int as_indices;       /* of a palette, not its colours */
    int is_colour;        /* three channels become luma, or are kept */
    int unequal;          /* the three were seen to differ */
    int turns;            /* layers are turned when they are decoded */
    size_t n_layers;      /* as the reader delivers them, before they are turned */
};

/** One row of the format table. */
typedef struct rugi_reader {
    /** Nonzero when the content is one of this reader's formats; from the head. Negative: nothing
     *  speaks for it, and the reader says so when it is opened. NULL: only who asks can know. */
    int (*claims)(const rug_file *file);
    /** Fills facts, image and slabs of a file whose path, n_bytes and head are set. Reads
     *  no pixels. What slabs hold is closed after a failure, too. */
    rug_status (*open)(rug_context *ctx, rug_file *file, const rug_read_options *opts);
} rugi_reader;

extern const rugi_reader rugi_array_reader; /* HDF5, NetCDF, Zarr */
extern const rugi_reader rugi_npy_reader;
extern const rugi_reader rugi_nifti_reader;
extern const rugi_reader rugi_nrrd_reader;
extern const rugi_reader rugi_metaimage_reader;
extern const rugi_reader rugi_mrc_reader;
extern const rugi_reader rugi_mesh_reader;
extern const rugi_reader rugi_dicom_reader;  /* of folders, too */
extern const rugi_reader rugi_tiff_reader;   /* whole slides are for the next */
extern const rugi_reader rugi_raster_reader; /* of maps */
extern const rugi_reader rugi_vips_reader;   /* claims everything: the last row */

/** For what the caller says of a file. */
extern const rugi_reader rugi_raw_reader; /* rug_read_options.raw */
extern const rugi_reader
    rugi_matrix_reader; /* rug_read_options.matrix, which it refuses to be
                                                without; claims what begins with numbers */

/** Fills an opened file. What its slabs hold is closed after a failure, too.
 *  @param user  what is asked */
typedef rug_status (*rugi_open_fn)(rug_context *ctx, rug_file *file, const void *user);

/** Makes a file, to be filled by a function.
 *  @param out   set on success only
 *  @param path  which the file is known by */
rug_status rugi_file_make(rug_context *ctx, rug_file **out, const char *path,
                          rugi_open_fn open, const void *user);

/** Sets the view of pixels in C order, which are not there yet.
 *  @param shape  ndim sizes, slowest first, each at least 1
 *  @return RUG_OK, RUG_E_NOMEM (more than an address can count; the text names the file)
 */
rug_status rugi_file_set_image(rug_context *ctx, rug_file *file, rug_dtype dtype,
                               int ndim, const size_t *shape);

/** Sets the distance between pixels, slowest axis first. Values that are not positive
 *  and finite become 0 = unknown; a unit that is NULL, "" or too long is left out. */
void rugi_file_set_spacing(rug_file *file, const double *spacing, const char *unit);

/** Notes how EXIF or TIFF say that the pixels are stored, by which they will be turned; what is
 *  none of 1 to 8 is 1, upright. */
static inline void rugi_file_set_orientation(rug_file *file, int orientation)
{
    file->facts.orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
}

/** Notes where the image, which is set, lies in space. A warning says when that is no place: not
 *  finite, or with axes that are parallel or of no length.
 *  @param by, unit  as in rug_file_facts
 *  @param affine    as there, but the fastest axis is in column 0, and so on */
void rugi_file_set_affine(rug_context *ctx, rug_file *file, const char *by,
                          const char *unit, double affine[3][4]);

/** The file or folder that is read. */
static inline const char *rugi_file_disk_path(const rug_file *file)
{
    return file->at_disk != NULL ? file->at_disk : file->path;
}

/** Multiplies two sizes. @return nonzero when the product fits */
int rugi_multiply(uint64_t *out, uint64_t a, uint64_t b);

/** Fails when a page, a level or a channel is requested that the file does not have. The facts
 *  say how many there are. @return RUG_OK, RUG_E_ARG */
rug_status rugi_check_page(rug_context *ctx, const rug_file *file, int page);
rug_status rugi_check_level(rug_context *ctx, const rug_file *file, int level);
rug_status rugi_check_channel(rug_context *ctx, const rug_file *file, int channel);

/** For files of one array: fails when another page, level or channel is requested, or a volume
 *  of fewer than three axes.
 *  @return RUG_OK, RUG_E_ARG */
rug_status rugi_check_array(rug_context *ctx, const rug_file *file,
                            const rug_read_options *opts, int ndim);

/** For files of one flat picture: fails when a volume, or another page or level is requested.
 *  @return RUG_OK, RUG_E_ARG */
rug_status rugi_check_flat(rug_context *ctx, const rug_file *file,
                           const rug_read_options *opts);

#endif
