/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fractal coding: an image as a partitioned iterated function system (PIFS), in which each
 * block (range) is a copy of a larger one (domain) of the same image: shrunk, under one of the
 * eight isometries of the square, with its contrast scaled (Jacquin 1992; Pedersen 2011). The
 * stream can be decoded at any resolution.
 *
 *     rug_ifs_stream stream;
 *     rug_ifs_picture picture = RUG_IFS_PICTURE_INIT;
 *     rug_status status = rug_ifs_compress(ctx, &stream, &grey, 1, NULL);
 *     if (status == RUG_OK)
 *         status = rug_ifs_decompress(ctx, &picture, stream.bytes, stream.size, NULL);
 *     if (status == RUG_OK)
 *         printf("%d bytes for %d x %d pixels\n", (int)stream.size, (int)picture.ny,
 *                (int)picture.nx);
 *     rug_ifs_picture_free(ctx, &picture);
 *     rug_ifs_stream_free(ctx, &stream);
 *     // prints: 1711 bytes for 64 x 64 pixels
 *
 * The stream is specified in src/methods/ifs/FORMAT.md. */

#ifndef RUGOSE_IFS_H
#define RUGOSE_IFS_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The longest side of an image that can be coded, in pixels. */
#define RUG_IFS_SIDE_MAX 65535

/** Planes of an image: grey, or red, green and blue; and alpha behind these, or not. */
#define RUG_IFS_PLANES_MAX 4

/** How an image is cut into ranges. The numbers are never changed. */
typedef enum rug_ifs_partition {
    RUG_IFS_QUADTREE = 0, /**< blocks of 32 to 4 pixels a side, chosen by rate and
                               distortion, with a residual */
    RUG_IFS_FIXED = 1,    /**< one grid of blocks: Pedersen's "simple" */
    RUG_IFS_OVERLAP = 2   /**< four grids, half a block apart, that wrap around the image;
                               each pixel is the mean of four: Pedersen's "quad" */
} rug_ifs_partition;

/** How hard to look for domains. The numbers are never changed. */
typedef enum rug_ifs_search {
    /** QUADTREE: near the block and on the grid, for blocks that are not nearly flat;
     *  FIXED and OVERLAP: EXHAUSTIVE. */
    RUG_IFS_SEARCH_AUTO = 0,
    RUG_IFS_SEARCH_EXHAUSTIVE = 1, /**< all domains of the grid, for every block, and
                                        more scales: a little better, slower */
    RUG_IFS_SEARCH_FAST = 2        /**< near the block only; QUADTREE only */
} rug_ifs_search;

/** What to keep best. The numbers are never changed. */
typedef enum rug_ifs_tune {
    RUG_IFS_TUNE_SSIM =
        0, /**< structure: smooth places get more of the bits, busy ones, which hide
                                errors, fewer */
    RUG_IFS_TUNE_PSNR = 1 /**< the squared error alone */
} rug_ifs_tune;

/** Pixels of the planes of colour. The numbers are never changed. */
typedef enum rug_ifs_chroma {
    RUG_IFS_CHROMA_444 = 0, /**< as many as the image has */
    RUG_IFS_CHROMA_420 = 1  /**< half as many along each side: means of 2 x 2 */
} rug_ifs_chroma;

/** What is aimed at. The numbers are never changed. */
typedef enum rug_ifs_target {
    RUG_IFS_TARGET_QUALITY = 0, /**< a quality of 1..100: the quantiser step Δ is
                                     26 * 2^((50 - quality) / 22) grey levels of 8 bits up to
                                     50, 26 * 2^((50 - quality) / 10) above; 50 is about as
                                     far from the image as JPEG's 50. Grey pixels of 16 bits count
                                     as having only the bits that the largest value needs.
                                     In version 3 Δ is 5/4 of that, and all pixels of 16 bits
                                     count as having the bits that largest - smallest needs */
    /** At most this many bits per pixel of the image, counting the whole stream, and usually
     *  less than 1 % fewer; found by trials, which before version 3 begin with FAST. */
    RUG_IFS_TARGET_RATE = 1,
    RUG_IFS_TARGET_PSNR = 2 /**< at least this many dB for the decoded image, and usually
                                     less than 0.1 more; found in the same way */
} rug_ifs_target;

/** Texts of the enums; "?" for other numbers. Static.
 *  "quadtree", "fixed", "overlap" */
RUG_API const char *rug_ifs_partition_name(rug_ifs_partition partition);
/** "auto", "exhaustive", "fast" */
RUG_API const char *rug_ifs_search_name(rug_ifs_search search);
/** "quality", "bpp" (bits per pixel), "psnr" */
RUG_API const char *rug_ifs_target_name(rug_ifs_target target);
/** "ssim", "psnr" */
RUG_API const char *rug_ifs_tune_name(rug_ifs_tune tune);
/** "444", "420" */
RUG_API const char *rug_ifs_chroma_name(rug_ifs_chroma chroma);

/** Effort: 1 is fastest, 9 smallest. */
#define RUG_IFS_EFFORT_DEFAULT 5
#define RUG_IFS_EFFORT_MAX     9

/** The largest colour profile that a stream carries, in bytes, and the room for the name of a unit with
 *  its end. */
#define RUG_IFS_PROFILE_MAX ((size_t)4 << 20)
#define RUG_IFS_UNIT_MAX    16

/** What goes with an image besides its pixels. A stream carries it as it is told; nothing of it
 *  changes a pixel. */
typedef struct rug_ifs_notes {
    size_t struct_size; /**< sizeof(rug_ifs_notes); set by the INIT macro */
    /** A colour profile (ICC.1), whose content is not looked at; NULL (default): none. Borrowed. */
    const uint8_t *icc;
    size_t icc_size; /**< its bytes, at most RUG_IFS_PROFILE_MAX */
    /** From row to row and from column to column, finite and above 0; 0 (default): not known. */
    double spacing[2];
    /** Of the spacing, printable ASCII such as "mm" or "in"; "" (default): only the ratio of both is
     *  known. */
    char unit[RUG_IFS_UNIT_MAX];
    /** How the pixels are stored, 1..8 as EXIF and TIFF number it; 0 (default): not said. */
    int orientation;
    int premultiplied; /**< nonzero: colours were multiplied by alpha; default 0 */
} rug_ifs_notes;

/** Nothing is known. */
#define RUG_IFS_NOTES_INIT                               \
    {                                                    \
        sizeof(rug_ifs_notes), NULL, 0, {0, 0}, "", 0, 0 \
    }

/** Options of rug_ifs_compress(). */
typedef struct rug_ifs_options {
    size_t struct_size;          /**< sizeof(rug_ifs_options); set by the INIT macro */
    rug_ifs_partition partition; /**< default QUADTREE */
    rug_ifs_target target;       /**< default QUALITY; QUADTREE only */
    double target_value;         /**< quality, bits per pixel or dB (default 50) */
    /** FIXED, OVERLAP: side of a range in pixels, 2..32, OVERLAP: even; 0 (default): 8.
     *  QUADTREE: must be 0 */
    uint32_t range_size;
    uint32_t
        domain_step; /**< before version 3: pixels from one domain to the next, 1..1024;
                                     QUADTREE: a multiple of 4. 0 (default): for QUADTREE 4, or the next
                                     multiple that leaves at most 2^15 domains (not with
                                     EXHAUSTIVE); else 8 */
    int without_residual;  /**< nonzero: QUADTREE of transforms only, a pure PIFS */
    rug_ifs_search search; /**< before version 3; default AUTO */
    double
        scale_max; /**< before version 3: largest |s|, above 0 and at most 1; 0 (default): 1.
                                     QUADTREE: rounded down to a multiple of 1/8 */
    double shadow_limit; /**< FIXED, OVERLAP: ranges whose variance (mean squared distance
                                     from their mean, in squared grey levels) is at most
                                     this are coded by their mean alone; from 0 on. 0
                                     (default): those without any variance */
    int domain_wrap;     /**< nonzero: FIXED and OVERLAP also take domains that cross the
                                     right or lower edge of the plane (padded to whole
                                     ranges) and go on at the opposite one, as in Pedersen
                                     (2011); default 0: domains lie inside */
    uint32_t unused;     /**< 0 */

    /* QUADTREE with a residual, whose streams have version 3, unless another is asked for: */
    uint32_t
        version; /**< 0 (default): 3 for a QUADTREE with a residual, else 1, or 2 with
                                domain_wrap; 1: one before 3, which earlier releases read, and
                                in which nothing below can be said; 3 */
    uint32_t
        effort; /**< 1..9: how long to look for the best code; from 7 on also for domains,
                                with 9 up to 48 pixels around. 0 (default): 5 */
    rug_ifs_tune tune;     /**< default SSIM */
    rug_ifs_chroma chroma; /**< default 444; images of colour only */
    double
        chroma_quality; /**< that of the planes of colour, 1..100; 0 (default): follows the
                                target */
    int lossless;    /**< nonzero: every pixel exactly; no target, effort, tune, chroma or
                                progressive */
    int progressive; /**< nonzero: a small picture first, which fills what is missing when
                                a stream is cut off; 2 to 10 % more bytes, more for small
                                images */
    uint32_t tile; /**< side of the tiles, which are coded on their own: a multiple of 64,
                                256..65536. 0 (default): 2048 for images of more than 4096 x 4096
                                pixels, for others the whole image */
    uint32_t unused2;           /**< 0 */
    const rug_ifs_notes *notes; /**< kept in the stream; NULL (default): none */
} rug_ifs_options;

/** The defaults. */
#define RUG_IFS_OPTIONS_INIT                                                            \
    {                                                                                   \
        sizeof(rug_ifs_options), RUG_IFS_QUADTREE, RUG_IFS_TARGET_QUALITY, 50, 0, 0, 0, \
            RUG_IFS_SEARCH_AUTO, 0, 0, 0, 0, 0, 0, RUG_IFS_TUNE_SSIM,                   \
            RUG_IFS_CHROMA_444, 0, 0, 0, 0, 0, NULL                                     \
    }

/** A coded image. */
typedef struct rug_ifs_stream {
    uint8_t *bytes; /**< owned; rug_ifs_stream_free() */
    size_t size;
} rug_ifs_stream;

/** Codes an image. The same image and options give the same bytes on every engine and
 *  number of threads.
 *  @param out       filled on RUG_OK, zeroed otherwise
 *  @param planes    1 (grey) or 3 (red, green, blue) views of one shape, [ny][nx], U8 or
 *                   U16, any strides, sides of 1..RUG_IFS_SIDE_MAX; 2 or 4 with alpha as the last
 *                   one, which is coded exactly (version 3 only)
 *  @param n_planes  1..4
 *  @param opts      NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (also for a target that cannot be reached: the text says what
 *          can be), RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_ifs_compress(rug_context *ctx, rug_ifs_stream *out,
                                    const rug_image *planes, int n_planes,
                                    const rug_ifs_options *opts);

/** Checks options on their own, before there is an image.
 *  @return RUG_OK, RUG_E_ARG */
RUG_API rug_status rug_ifs_check_options(rug_context *ctx, const rug_ifs_options *opts);

/** Frees a stream and zeroes it. NULL is allowed. */
RUG_API void rug_ifs_stream_free(rug_context *ctx, rug_ifs_stream *stream);

/** What the header of a stream says. */
typedef struct rug_ifs_info {
    size_t struct_size; /**< sizeof(rug_ifs_info); set by the INIT macro */
    uint32_t version;   /**< of the format */
    uint32_t nx, ny;    /**< pixels a row, rows */
    int n_planes;       /**< 1..4, alpha included */
    int depth;          /**< bits of a pixel: 8 or 16 */
    rug_ifs_partition partition;
    uint32_t range_min, range_max; /**< sides of ranges, in pixels */
    uint32_t domain_step;
    int has_residual;
    double quantiser_step; /**< Δ of the residual; 0 without */
    uint32_t iterations;   /**< of the decoder, by default */
    int is_deblocked;
    uint64_t bytes; /**< of the stream, header included */
    int domain_wrap; /**< nonzero: domains may cross an edge of the padded plane and go on at
                        the opposite one */
    uint32_t unused; /**< 0 */
    int has_alpha;   /**< nonzero: the last plane is alpha */
    int is_lossless; /**< nonzero: pixels are those of the image; it has no ranges */
    rug_ifs_chroma chroma;
    int has_preview;           /**< nonzero: a small picture comes first (progressive) */
    uint32_t tile_nx, tile_ny; /**< of all tiles but those at the right and lower edge */
    uint32_t value_min,
        value_max; /**< bounds of the image's pixels; before version 3 those of the type */
} rug_ifs_info;

/** Info to be filled. */
#define RUG_IFS_INFO_INIT                                                                \
    {                                                                                    \
        sizeof(rug_ifs_info), 0, 0, 0, 0, 0, RUG_IFS_QUADTREE, 0, 0, 0, 0, 0.0, 0, 0, 0, \
            0, 0, 0, 0, RUG_IFS_CHROMA_444, 0, 0, 0, 0, 0                                \
    }

/** Reads the header, and checks it against the size of the stream; one of version 3 may be cut off
 *  behind its header.
 *  @param out  begun with RUG_IFS_INFO_INIT; filled on RUG_OK, zeroed otherwise
 *  @return RUG_OK, RUG_E_ARG, RUG_E_FORMAT (not a stream of rugose, damaged, or of a later
 *          version) */
RUG_API rug_status rug_ifs_read_info(rug_context *ctx, rug_ifs_info *out,
                                     const uint8_t *bytes, size_t size);

/** Reads what a stream carries besides pixels; before version 3 nothing.
 *  @param out  begun with RUG_IFS_NOTES_INIT; filled on RUG_OK, zeroed otherwise; its profile lies in
 *              the bytes
 *  @return RUG_OK, RUG_E_ARG, RUG_E_FORMAT (as rug_ifs_read_info(), or the notes are damaged) */
RUG_API rug_status rug_ifs_read_notes(rug_context *ctx, rug_ifs_notes *out,
                                      const uint8_t *bytes, size_t size);

/** A decoded image. */
typedef struct rug_ifs_picture {
    size_t struct_size; /**< sizeof(rug_ifs_picture); set by the INIT macro */
    void *pixels;       /**< [n_planes][ny][nx], without padding; owned;
                           rug_ifs_picture_free() */
    rug_dtype dtype;    /**< U8 or U16 */
    int n_planes; /**< 1 grey, 2 grey and alpha, 3 red, green and blue, 4 these and alpha */
    uint32_t nx, ny; /**< pixels a row, rows */
    double
        share; /**< of the coded pixels that were decoded, 0..1: below 1 of a stream that
                             is cut off */
} rug_ifs_picture;

/** A picture to be filled. */
#define RUG_IFS_PICTURE_INIT                               \
    {                                                      \
        sizeof(rug_ifs_picture), NULL, RUG_BIT, 0, 0, 0, 0 \
    }

/** Is called with the picture after each iteration of the decoder, at the wanted size. The
 *  picture is valid until it returns.
 *  @param iteration  0: the start; then 1, 2, …
 *  @return RUG_OK; anything else ends the decoding, which returns it */
typedef rug_status (*rug_ifs_frame_fn)(void *user, uint32_t iteration,
                                       const rug_ifs_picture *picture);

/** The most pixels that a decoder makes by default: as many as the stream can be trusted with.
 *  A coded image may have RUG_IFS_PICTURE_BYTES_DEFAULT bytes of pixels, or
 *  RUG_IFS_PIXELS_OF_BYTE_DEFAULT pixels for each byte of its stream if that is more, in all
 *  planes together; a picture of another size 2^28 pixels, or as many as are coded. */
#define RUG_IFS_PIXELS_DEFAULT         ((uint64_t)0)
#define RUG_IFS_PICTURE_BYTES_DEFAULT  ((uint64_t)300000000)
#define RUG_IFS_PIXELS_OF_BYTE_DEFAULT ((uint64_t)4096)

/** Options of rug_ifs_decompress(). */
typedef struct rug_ifs_decode_options {
    size_t struct_size; /**< sizeof(rug_ifs_decode_options); set by the INIT macro */
    double scale;       /**< 0.25..16 times the coded size (default 1), each side rounded
                              to the nearest pixel, at least 1 */
    uint32_t nx, ny;    /**< the wanted size; both 0 (default): by scale. Each 0.25..16
                              times that of the image */
    uint32_t
        iterations; /**< 0 (default): as the stream says; 1..64. Streams of version 3 have
                              none: 0 */
    uint64_t pixels_max; /**< the most pixels of the coded image and of the picture (all
                             planes together), and of the padded plane, 1, 2, 4, 8 or 16
                             times as large as coded, that the picture is reduced from.
                             Default RUG_IFS_PIXELS_DEFAULT, with which the blocks of a plane
                             may take 64 MiB of memory and 1 KiB for each of its bytes */
    rug_ifs_frame_fn
        frame;  /**< called after each iteration; NULL (default): not. Streams of version
                               3 have no iterations: refused */
    void *user; /**< handed to frame */
    /** The region to decode, in pixels of the coded image; scale and size are those of the region.
     *  All four 0 (default): all of it. Of a stream of version 3 only the tiles that it and the 32
     *  pixels around it touch are decoded. */
    uint32_t crop_x, crop_y, crop_nx, crop_ny;
    int partial; /**< nonzero: of a stream of version 3 that is cut off, what is there. The rest
                          comes from its small picture, if it has one, or is grey (black in a
                          lossless stream), and its alpha opaque */
    uint32_t unused; /**< 0 */
} rug_ifs_decode_options;

/** The defaults. */
#define RUG_IFS_DECODE_OPTIONS_INIT                                                     \
    {                                                                                   \
        sizeof(rug_ifs_decode_options), 1, 0, 0, 0, RUG_IFS_PIXELS_DEFAULT, NULL, NULL, \
            0, 0, 0, 0, 0, 0                                                            \
    }

/** Decodes a stream: the same pixels on every engine, number of threads and machine.
 *  @param out   begun with RUG_IFS_PICTURE_INIT; filled on RUG_OK, zeroed otherwise
 *  @return RUG_OK, RUG_E_ARG (also for more pixels than pixels_max), RUG_E_FORMAT,
 *          RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED, or what frame returned */
RUG_API rug_status rug_ifs_decompress(rug_context *ctx, rug_ifs_picture *out,
                                      const uint8_t *bytes, size_t size,
                                      const rug_ifs_decode_options *opts);

/** Frees the pixels of a picture, and zeroes all but its size. NULL is allowed. */
RUG_API void rug_ifs_picture_free(rug_context *ctx, rug_ifs_picture *picture);

/** One transform: pixel = mean + s (domain - mean of the domain), the domain shrunk to
 *  the range by means of 2 x 2 pixels, under an isometry. */
typedef struct rug_ifs_transform {
    uint32_t range_x, range_y; /**< the range's first pixel */
    uint32_t size;             /**< side of the range; the domain's is twice that */
    /** The domain's first pixel. What crosses the right or lower edge of the plane, padded to
     *  whole ranges, goes on at the opposite one; only with domain_wrap. */
    uint32_t domain_x, domain_y;
    uint8_t plane;
    uint8_t symmetry; /**< the isometry of the shrunk domain: 0 none, 1 rotated by 90
                           degrees to the left, 2 by 180, 3 by 270, 4 left and right
                           exchanged, 5 up and down, 6 transposed, 7 transposed about the
                           other diagonal */
    uint8_t
        has_domain; /**< 0: a block of its mean alone, with s = 0; in version 3 one that is
                           predicted in another way */
    double s;       /**< -scale_max .. scale_max */
    double mean;    /**< of the range; 2^depth is added in the planes Co and Cg */
    double error;   /**< sum of squared errors of the range (collage error); NaN when
                             read from a stream without the image */
} rug_ifs_transform;

/** Is called with one transform. @return RUG_OK; anything else ends the reading, which
 *  returns it */
typedef rug_status (*rug_ifs_transform_fn)(void *user,
                                           const rug_ifs_transform *transform);

/** Reads the transforms of a stream, in its order.
 *  @param pixels_max  the most pixels of the coded image, as in rug_ifs_decode_options
 *  @return RUG_OK, what fn returned, RUG_E_ARG, RUG_E_FORMAT, RUG_E_NOMEM */
RUG_API rug_status rug_ifs_read_transforms(rug_context *ctx, const uint8_t *bytes,
                                           size_t size, uint64_t pixels_max,
                                           rug_ifs_transform_fn fn, void *user);

/** Likewise, with the error of each transform, as quantised, applied to the image that was coded:
 *  the sum over the pixels of its range that lie in the image, of the plane as it is coded (Y, Co
 *  and Cg of a quadtree in colours). A domain that crosses the image's edge is continued by its
 *  last row and column. NaN for a range that lies outside altogether.
 *  @param planes  [n_planes] the image, as for rug_ifs_compress(), of the stream's size and type
 *  @return as rug_ifs_read_transforms(); RUG_E_ARG also for an image of another kind */
RUG_API rug_status rug_ifs_measure_transforms(rug_context *ctx, const uint8_t *bytes,
                                              size_t size, uint64_t pixels_max,
                                              const rug_image *planes, int n_planes,
                                              rug_ifs_transform_fn fn, void *user);

#ifdef __cplusplus
}
#endif

#endif
