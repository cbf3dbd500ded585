/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the commands of fractal coding share: images as planes, and streams as inputs. */

#ifndef CLI_PICTURES_H
#define CLI_PICTURES_H

#include "shared/cli.h"

/** Bytes of a stream at most: 2^28 pixels of 16 bits, and more than any coder adds. */
#define CLI_STREAM_BYTES ((uint64_t)1 << 30)

/** `--output` of a command that writes a file for each input; takes the place of the common
 *  one, so that the table goes to standard output. */
#define CLI_RESULT_OPTION(values, NAME, HELP)                                           \
    {                                                                                   \
        .name = "output", .letter = 'o', .kind = CLI_TEXT, .value = NAME,               \
        .target = offsetof(values, output),                                             \
        .help = HELP "; '{}' stands for the image's name, '{dir}' for its folder; the " \
                     "table of results goes to standard output"                         \
    }

/** `--channel` of a command that keeps colours; the value is to be copied to the run. */
#define CLI_CHANNEL_OPTION(values)                                                     \
    {                                                                                  \
        .name = "channel", .kind = CLI_INT, .value = "N", .min = 0, .max = 65535,      \
        .target = offsetof(values, channel), .is_unlisted = 1,                         \
        .help =                                                                        \
            "take one channel, from 0, as a grey image (default: red, green and blue " \
            "of a colour image)"                                                       \
    }

/** `--max-pixels` of a command that decodes streams. */
#define CLI_MAX_PIXELS_OPTION(values)                                                 \
    {                                                                                 \
        .name = "max-pixels", .kind = CLI_COUNT, .value = "N", .min = 1, .max = 1e15, \
        .target = offsetof(values, max_pixels), .unset = "",                          \
        .help =                                                                       \
            "decode up to N pixels of a stream (.rfi), in all planes together, also " \
            "where it is suspiciously small for them (default: 300 MB of pixels, or " \
            "4096 pixels for each byte of the stream)"                                \
    }

/** The planes of an image in memory, whose colours were kept.
 *  @return RUG_OK, RUG_E_ARG (a volume) */
rug_status cli_image_planes(cli_run *run, rug_image planes[RUG_IFS_PLANES_MAX],
                            int *n_planes, const cli_image *image);

/** The planes of a decoded picture. */
rug_status cli_picture_planes(cli_run *run, rug_image planes[RUG_IFS_PLANES_MAX],
                              const rug_ifs_picture *picture);

/** Planes without alpha, which is the last one of 2 or 4. */
static inline int cli_n_colours(int n_planes)
{
    return n_planes - (n_planes % 2 == 0);
}

/** Sets a run up for images whose colours are kept. @param channel  -1: not given
 *  @return an error text, or NULL */
const char *cli_keep_colours(cli_run *run, int channel);

/** Adds a picture to the page of a run, reduced to what there is room for. Nothing happens without a page, or
 *  where pixels are neither of 8 nor of 16 bits.
 *  @param image     the name of the row
 *  @param alt       what it shows
 *  @param has_pair  cli_show_pair() follows, which takes half of the room */
rug_status cli_show_picture(cli_run *run, const char *image, const rug_image *planes,
                            int n_planes, const char *alt, int has_pair);

/** Likewise the same part of two pictures of one shape, where there is most to see. */
rug_status cli_show_pair(cli_run *run, const char *image, const rug_image *original,
                         const rug_image *decoded, int n_planes);

/** Bits of each pixel. */
double cli_bits_per_pixel(uint64_t bytes, uint64_t ny, uint64_t nx);

/** Sets a column to "512x512", rows first. */
void cli_set_size(cli_record *row, const char *name, size_t ny, size_t nx);

/** Reads `--size WxH`, sides of 1..max. @return an error text, or NULL */
const char *cli_parse_size(uint32_t *nx, uint32_t *ny, const char *text, int max);

/** A stream that was read. */
typedef struct cli_stream {
    const char *path;
    uint8_t *bytes;
    size_t size;
    rug_ifs_info info;
    rug_ifs_notes notes;              /**< nothing where they are damaged */
    char digest[CLI_SHA256_TEXT_MAX]; /**< for JSON */
    double read_seconds;
} cli_stream;

/** Whether a name says that a file is a stream: it ends in .rfi, in any case. */
int cli_is_stream(const char *path);

/** Reads a stream and its header, and prints what was read.
 *  @param out    to be freed with cli_free_stream() also after a failure */
rug_status cli_read_stream(cli_run *run, cli_stream *out, const char *path);
static inline void cli_free_stream(cli_run *run, cli_stream *stream)
{
    rug_context_release(run->ctx, stream->bytes);
    stream->bytes = NULL;
}

typedef rug_status (*cli_stream_fn)(cli_run *run, const cli_stream *stream, void *user);

/** Reads every input as a stream and shows it; as cli_for_each_input(). */
void cli_for_each_stream(cli_run *run, cli_stream_fn measure, void *user);

/** Whether a stream is decoded iteration by iteration; those of version 3 are in one pass. */
static inline int cli_has_iterations(const rug_ifs_info *info)
{
    return info->version < 3;
}

/** Sets the column `iterations`; null where there are none. */
void cli_set_iterations(cli_record *r, const rug_ifs_info *info, uint32_t n);

/** Puts what the header of a stream says about its coding into a record. */
void cli_set_stream(cli_record *record, const rug_ifs_info *info);

#endif
