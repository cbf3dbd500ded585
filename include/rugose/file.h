/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images and volumes from files. Part of librugose-io.
 *
 *     rug_file *file;
 *     rug_status status = rug_file_read(ctx, &file, path, NULL);
 *     if (status != RUG_OK)
 *         return status;
 *     const rug_image *photo = rug_file_image(file);
 *     const rug_file_facts *facts = rug_file_get_facts(file);
 *     printf("%s: %zux%zu %s\n", facts->format, photo->shape[0], photo->shape[1],
 *            rug_dtype_name(photo->dtype));
 *     rug_file_free(file);
 *     // prints: png: 512x512 u8
 *
 * An image larger than memory is opened instead, and given to a method as a source:
 * rug_file_open(), rug_file_source(), rug_boxcount_source() ... */

#ifndef RUGOSE_FILE_H
#define RUGOSE_FILE_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/image.h>
#include <rugose/source.h>
#include <rugose/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which value of an image says that a pixel holds no data. The numbers are never changed. */
typedef enum rug_nodata {
    RUG_NODATA_OF_FILE = 0, /**< the one that the file names: GDAL's tag 42113 of TIFF,
                                  _FillValue or missing_value of arrays, padding of DICOM */
    RUG_NODATA_NONE = 1,    /**< none: all pixels are read as they are */
    RUG_NODATA_VALUE = 2    /**< the one of the options */
} rug_nodata;

/** What becomes of pixels that hold no data. The numbers are never changed. */
typedef enum rug_nodata_as {
    /** They are NaN, which no method measures. Integers that can have the value become floats
     *  that hold them exactly: f32 of 8 and 16 bits, f64 of 32 and 64 bits. */
    RUG_NODATA_AS_NAN = 0,
    RUG_NODATA_AS_STORED = 1, /**< they stay as they are, and are counted */
    RUG_NODATA_AS_ZERO = 2    /**< they are 0, which in a label image is no label */
} rug_nodata_as;

/** "of file", "none", "value"; "NaN", "stored", "zero"; "?" for other numbers. Static text. */
RUG_API const char *rug_nodata_name(rug_nodata nodata);
RUG_API const char *rug_nodata_as_name(rug_nodata_as as);

/** How alpha goes with colours. The numbers are never changed. */
typedef enum rug_alpha {
    RUG_ALPHA_NONE = 0,     /**< there is none */
    RUG_ALPHA_STRAIGHT = 1, /**< colours are as they are where it is full */
    RUG_ALPHA_PREMULTIPLIED =
        2 /**< colours were multiplied by it: TIFF's associated alpha */
} rug_alpha;

/** "none", "straight", "premultiplied"; "?" for other numbers. Static text. */
RUG_API const char *rug_alpha_name(rug_alpha alpha);

/** How a file is to be read. */
typedef struct rug_read_options {
    size_t struct_size; /**< sizeof(rug_read_options); set by the INIT macro */
    /** Page of a multi-page image, or volume of a 4D file, from 0; -1 = the first
     *  (default). */
    int page;
    /** 1: all pages of a TIFF file are the slices of one volume; not together with a page.
     *  2: so where the file has several pages and does not say that they are channels or
     *  times; else, and where a page or planes are asked, as 0. Default 0. */
    int volume;
    /** Channel of a colour or multi-channel image, from 0; -1 = Rec. 601 luma of a colour
     *  image (default); RUG_CHANNEL_INDICES. */
    int channel;
    /** Resolution level of a pyramid, 0 = full (default). */
    int level;
    /** Nonzero: red, green and blue of a colour image are kept, as planes [3][ny][nx] for
     *  rug_file_plane(); other images are read as without it. Not together with a channel or
     *  a volume. Default 0. */
    int planes;
    /** Nonzero: pixels stay in the order in which they are stored, also where EXIF or TIFF
     *  say that they are turned or mirrored to be shown. Default 0: they are turned. */
    uint64_t as_stored;
    /** For NODATA_VALUE: the sum of both, as in rug_foreground, so that 64-bit integers may have all
     *  their digits. Compared after white-is-zero is inverted and a slope applied; with floats
     *  after it is rounded to their type. A value that the type cannot hold is that of no
     *  pixel. */
    double nodata_value;
    int64_t nodata_rest;
    rug_nodata nodata;       /**< default OF_FILE */
    rug_nodata_as nodata_as; /**< default AS_NAN */
    /** How the pixels of a file lie that does not say it: "DTYPE,SHAPE[,offset=N][,big|little]", as
     *  in "u16,40x512x512,offset=512,big": u8, i8 to u64, i64, f16, f32 or f64; 2 or 3 sizes,
     *  slowest axis first; bytes before the pixels (default 0), byte order (default little; not of
     *  u8 and i8). See rug_raw_parse(). NULL (default): files say it themselves. This and the two
     *  below are texts of the caller, there as long as the file. */
    const char *raw;
    /** The array to read of a file that holds several (HDF5, NetCDF, Zarr), by the name that the
     *  error text lists, with or without the slash that it begins with; NULL (default): the only one that is
     *  an image, or the one that the path names: "FILE:NAME". Other files are refused with it. */
    const char *dataset;
    /** The series to read of a folder of DICOM files that has several, by its number or UID; NULL
     *  (default): the only one. */
    const char *series;
    /** Voxels a side of the cube that a mesh becomes, 3 to 1048576; the longest side of the box
     *  around the mesh spans all of them but two. 0 (default): meshes are refused. Files that are
     *  no meshes are refused with it. */
    uint64_t resolution;
    /** Of meshes, nonzero: the voxels whose centres are inside; 0 (default): those that the
     *  surface touches. */
    int solid;
    /** Nonzero: a text of numbers is an image of 2 axes, a row a line; files that other readers
     *  know by their first bytes are read by these. 0 (default): texts are refused. Not with raw. */
    int matrix;
    /** Nonzero: together with planes, alpha is kept as the plane behind the others, of PNG, TIFF and
     *  what libvips reads; other images are read as without it. 0 (default): it is left out. */
    int alpha;
    /** Nonzero: profile and resolution of the file are kept for rug_file_read_notes(). Default 0. */
    int notes;
} rug_read_options;

/** A channel: the indices of a TIFF or PNG image that has a palette, not their colours, as programs for
 *  labels write them; of other images as -1. */
#define RUG_CHANNEL_INDICES (-2)

/** The defaults. */
#define RUG_READ_OPTIONS_INIT                                                   \
    {                                                                           \
        sizeof(rug_read_options), -1, 0, -1, 0, 0, 0, 0, 0, RUG_NODATA_OF_FILE, \
            RUG_NODATA_AS_NAN, NULL, NULL, NULL, 0, 0, 0, 0, 0                  \
    }

/** What a file holds and how it was read. */
typedef struct rug_file_facts {
    const char *path;   /**< as it was given */
    const char *format; /**< "tiff", "png", "nifti", "npy" …; static text */
    int n_pages;        /**< pages that are not reduced copies; 1 for a single image */
    int page;           /**< the page that was read; -1 when all became a volume */
    int n_levels;       /**< resolution levels of a pyramid; 1 for none */
    int level;          /**< the level that was read */
    int n_channels;     /**< channels that are data; alpha is not counted */
    int channel; /**< the channel that was read, 0 if there is but one; -1 = luma of
                             three, or all three where n_planes is 3 */
    int equal_channels; /**< 1: all three colour channels were equal everywhere; known
                             once all pixels have been read, 0 before */
    int dropped_alpha;  /**< 1: an alpha channel was left out */
    int white_is_zero;  /**< 1: the file stores white as 0; values were inverted */
    double slope;       /**< values were multiplied by this; 1 = kept as stored */
    double intercept;   /**< then this was added; 0 = kept as stored */
    int n_planes;       /**< 3: red, green and blue were kept; 4 and 2: they or grey, and
                             alpha behind them; else 1 */
    /** What says where the image lies in space: "sform" or "qform" of NIfTI, "NRRD",
     *  "MetaImage", "MRC", "DICOM", "GeoTIFF", "geotransform" of other rasters, "coordinates" of
     *  arrays, "mesh"; NULL: nothing does. Static text. */
    const char *located_by;
    /** The unit of that space, such as "mm"; NULL: not said. Static text. */
    const char *affine_unit;
    /** Where it lies: the centre of the pixel of index i[0], i[1] ... (as in its shape, slowest
     *  axis first) is at x, y, z with affine[0], [1], [2] of them being affine[k][0] i[0] +
     *  affine[k][1] i[1] + ... + affine[k][3]. Columns of axes that it does not have, and all
     *  of it where located_by is NULL, are 0. Of planes of colour it is that of one. */
    double affine[3][RUG_MAX_AXES + 1];
    /** How EXIF and TIFF number the orientation that the file states, 1 to 8; 1 = upright, or
     *  not stated. */
    int orientation;
    int is_turned;  /**< 1: pixels, spacing and affine were turned by it, to be upright */
    size_t n_files; /**< files that are the slices of a volume; 1 of any other image */
    /** The value of pixels that hold no data, with nodata_rest; as it is among the pixels. */
    double nodata;
    int64_t nodata_rest;
    uint64_t n_nodata; /**< pixels that have it; known once all pixels have been read, 0
                            before */
    uint64_t n_nan;    /**< pixels that are NaN in the file; known likewise */
    int has_nodata;    /**< 1: there is such a value */
    int is_counted;    /**< 1: all pixels have been read, and both numbers are known */
    rug_nodata_as nodata_as; /**< what becomes of pixels that hold no data */
    /** The dtype that the image would have without NODATA_AS_NAN: that of the integers where it
     *  made floats of them. */
    rug_dtype values;
    /** What the pixels are: "palette indices", "surface of a mesh", "inside of a mesh"; how they
     *  are stored, where only the caller knows: "raw u16 big-endian, offset 512", "text matrix";
     *  NULL: nothing unusual. Valid as long as the file. */
    const char *meaning;
    /** What a file is whose values are not exact, where that can be known: "JPEG", "WebP",
     *  "JPEG 2000", "JPEG-compressed TIFF", "DICOM"; NULL: not known to be one. Static text. */
    const char *lossy;
    /** All values from nodata to this one hold no data (a padding range of DICOM); it may be less.
     *  That of nodata where it is the only one. */
    double nodata_limit;
    size_t pass_first;    /**< the layer at which the last pass over the pixels began */
    size_t pass_layers;   /**< the layers that it has read; 0: none yet */
    uint64_t pass_nodata; /**< what n_nodata and n_nan count, in these layers */
    uint64_t pass_nan;
    int channels_differ; /**< 1: the three colour channels were seen to differ somewhere */
    int unused;
} rug_file_facts;

/** An opened file. Opaque, owned by the caller. */
typedef struct rug_file rug_file;

/** Opens a file, or a folder that is one image (a DICOM series), to find out what it holds; its pixels are read later, by rug_file_load()
 *  or slab by slab through rug_file_source(). Refuses what rug_file_read() refuses, except
 *  for faults that show only while pixels are decoded. Arguments and errors are those of
 *  rug_file_read(). */
RUG_API rug_status rug_file_open(rug_context *ctx, rug_file **out, const char *path,
                                 const rug_read_options *opts);

/** Opens a volume whose slices are files of their own, in the given order: [n][ny][nx]. They are
 *  images of one page, shape, type and number of channels. All files are opened, one after the
 *  other, and again whenever a slab is read; memory is that of one slice besides the slab. The
 *  facts are those of the first file, but for page (-1) and n_files; the spacing along the slowest
 *  axis is not known, those of the others where all files agree.
 *  @param out    the file; NULL on failure. It is used like any other
 *  @param paths  [n], copied; the file is known by the first one
 *  @param n      at least 1
 *  @param opts   page, channel and level of each file, volume and planes 0; NULL = defaults
 *  @return as rug_file_read(); RUG_E_ARG also for a file that does not go with the first one, or
 *          is a volume itself */
RUG_API rug_status rug_file_open_slices(rug_context *ctx, rug_file **out,
                                        const char *const *paths, size_t n,
                                        const rug_read_options *opts);

/** Whether a file is an image, by its first bytes, or is called one by the ending of its name; or a
 *  folder is one, as that of a DICOM series.
 *  What is damaged is an image, and rug_file_open() says what is wrong with it.
 *  @param out  1 or 0
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO (another folder, a pipe, a file that cannot be
 *          opened; not where the name has answered) */
RUG_API rug_status rug_file_is_image(rug_context *ctx, int *out, const char *path);

/** Reads a layout, as rug_read_options.raw has it, without a file.
 *  @param out     an image without data: its dtype (f16 is read as f32) and shape; zeroed on
 *                 failure; NULL: it is only checked
 *  @param layout  such as "u16,40x512x512,offset=512,big"
 *  @return RUG_OK, RUG_E_ARG (the text says which part is wrong, and what is expected) */
RUG_API rug_status rug_raw_parse(rug_context *ctx, rug_image *out, const char *layout);

/** Decodes all pixels of an opened file, so that rug_file_image() has data; does nothing if
 *  it has. The last slab of rug_file_source() is no longer valid.
 *  @param ctx  the context that opened the file
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT, RUG_E_CANCELLED; after
 *          a failure the file is open as before */
RUG_API rug_status rug_file_load(rug_context *ctx, rug_file *file);

/** Reads a file, as rug_file_open() and rug_file_load() do: PNG, JPEG, TIFF (also BigTIFF
 *  and OME-TIFF), PNM, whole slides and the other formats of rug_file_formats(); NIfTI-1
 *  and -2 (.nii, .nii.gz); NumPy .npy (2 or 3 axes, any order and byte order); arrays in HDF5,
 *  NetCDF and folders of Zarr, rasters of maps, by GDAL; DICOM by GDCM; meshes (PLY, STL, OBJ) as
 *  volumes of RUG_BIT. The content
 *  decides, not the name. Values are kept as stored: 12 bits in 16 stay 0..4095, signed stay signed,
 *  float stay float; half floats become f32. Pixels that hold no data become NaN, see
 *  rug_nodata_as.
 *  @param out   the file; NULL on failure
 *  @param path  UTF-8 or whatever bytes the file system uses; "FILE:NAME" is an array in a file,
 *               unless there is a file of that name
 *  @param opts  NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (also an option that does not fit the file: a page, level or
 *          channel that it does not have, or a channel that has to be chosen), RUG_E_NOMEM,
 *          RUG_E_IO, RUG_E_FORMAT, RUG_E_UNSUPPORTED, RUG_E_CANCELLED; the error text
 *          names the file */
RUG_API rug_status rug_file_read(rug_context *ctx, rug_file **out, const char *path,
                                 const rug_read_options *opts);

/** Frees a file and its pixels; before its context. NULL is allowed. */
RUG_API void rug_file_free(rug_file *file);

/** The pixels; valid as long as the file. The view's data is NULL until the file is loaded;
 *  everything else is known once it is open. */
RUG_API const rug_image *rug_file_image(const rug_file *file);

/** One plane, [ny][nx], of a file whose colours were kept: 0 red, 1 green, 2 blue; alpha is the last
 *  one where it was kept. Plane 0 of any other file is its image. Valid as long as the file.
 *  @param plane  below n_planes of its facts */
RUG_API rug_image rug_file_plane(const rug_file *file, int plane);

/** The largest colour profile that is kept, in bytes. */
#define RUG_FILE_PROFILE_MAX ((size_t)4 << 20)

/** What goes with a picture besides its pixels, to be read from one file and written to another. */
typedef struct rug_file_notes {
    size_t struct_size; /**< sizeof(rug_file_notes); set by the INIT macro */
    /** A colour profile (ICC.1), whose content is not looked at; NULL (default): none. */
    const uint8_t *icc;
    size_t icc_size; /**< its bytes, at most RUG_FILE_PROFILE_MAX */
    /** From row to row and from column to column, above 0; 0 (default): not known. */
    double spacing[2];
    /** Of the spacing: "nm", "um", "mm", "m", or "in" as printers and screens have it; NULL (default):
     *  only the ratio of both is known. */
    const char *unit;
    /** How the pixels are stored, 1 to 8 as EXIF and TIFF number it; 0 (default), 1: upright. */
    int orientation;
    rug_alpha alpha; /**< default NONE */
} rug_file_notes;

/** Nothing is known. */
#define RUG_FILE_NOTES_INIT                                              \
    {                                                                    \
        sizeof(rug_file_notes), NULL, 0, {0, 0}, NULL, 0, RUG_ALPHA_NONE \
    }

/** What a file says besides pixels: its profile (PNG, TIFF, JPEG, WebP and others of libvips), how its
 *  pixels are stored, whether it has alpha, kept or not, and the distance of pixels: that of the
 *  image, rug_image.spacing, where it is known, else the resolution for printers and screens, which
 *  nothing is measured with. It goes with the pixels as they are handed out: what was turned is
 *  upright. A profile that is larger or damaged is left out, which a warning says when the file is
 *  opened.
 *  @param out   begun with RUG_FILE_NOTES_INIT; filled on RUG_OK, zeroed otherwise; its profile and
 *               its unit are valid as long as the file
 *  @param file  opened; its profile and resolution are known if notes was set in its
 *               rug_read_options
 *  @return RUG_OK, RUG_E_ARG */
RUG_API rug_status rug_file_read_notes(rug_context *ctx, rug_file_notes *out,
                                       const rug_file *file);

/** How many bytes the decoded pixels take. */
RUG_API uint64_t rug_file_bytes(const rug_file *file);

/** The pixels slab by slab, for a file that is larger than memory; valid as long as the
 *  file, and read with the context that opened it. Each pass decodes the file again until it
 *  is loaded; from then on this is the source of an image in memory. The first read loads a
 *  .npy file in Fortran order, whose slowest axis is its last, and colours that are kept. A
 *  failed read ends the pass.
 *
 *  Where any_order of the source is set, a pass may begin at any layer, and reads only its own. It is
 *  set for npy, raw files, NIfTI, NRRD, MetaImage and MRC that are not packed; for TIFF, but for a
 *  page that is one strip, compressed or of YCbCr, and kinds that libvips reads; for arrays; for
 *  slices in files of their own, DICOM's too; and for the surface of a mesh. It is not for others,
 *  nor for what is turned by more than mirroring.
 *
 *  Memory in addition to the slab: about 1 MB for npy, NIfTI, NRRD, MetaImage and MRC; all
 *  frames of a file for DICOM; a row of chunks for arrays (64 MB for HDF5); two or three rows of tiles
 *  or strips for images, or the whole image where no part can be decoded alone (interlaced
 *  PNG, HEIF) or it is turned, which takes the same again for a moment; rows that are only
 *  mirrored, slices of a volume and TIFF that is upside down come in parts. */
RUG_API const rug_source *rug_file_source(rug_file *file);

/** How it was read; valid as long as the file. */
RUG_API const rug_file_facts *rug_file_get_facts(const rug_file *file);

/** The formats that rug_file_read() and rug_point_file_read() know, one line of text
 *  each, ended by NULL. */
RUG_API const char *const *rug_file_formats(void);

#ifdef __cplusplus
}
#endif

#endif
