/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What goes with a picture besides its pixels, on its way from a file into a stream and out of it. */

#ifndef CLI_NOTES_H
#define CLI_NOTES_H

#include "notes_text.h"
#include "pictures.h"

/** Values of the options about it. */
typedef struct cli_notes_values {
    int orientation; /**< 0 keep, 1 apply */
    int no_profile, no_alpha;
    int strip; /**< nonzero: neither orientation, profile nor spacing */
} cli_notes_values;

/** Their options. @param member  of the values, a cli_notes_values */
#define CLI_NOTES_OPTIONS(values, member, MODES)                                        \
    {CLI_OPTION("orientation", CLI_CHOICE, NULL, values, member.orientation),           \
     .choices = "keep|apply", .also = "auto-orient", .modes = MODES,                    \
     .help = "where EXIF or TIFF says that pixels are stored turned or mirrored: keep " \
             "(default) codes them as stored, with the orientation in the stream; "     \
             "apply turns them upright"},                                               \
        {CLI_OPTION("no-profile", CLI_FLAG, NULL, values, member.no_profile),           \
         .also = "no-icc", .modes = MODES, .help = "leave out the colour profile"},     \
        {CLI_OPTION("strip", CLI_FLAG, NULL, values, member.strip),                     \
         .also = "no-metadata", .modes = MODES,                                         \
         .help = "leave out the colour profile and the distance of pixels, and turn "   \
                 "pixels upright; alpha stays"},                                        \
    {                                                                                   \
        CLI_OPTION("no-alpha", CLI_FLAG, NULL, values, member.no_alpha),                \
            .modes = MODES, .help = "leave out alpha, which is otherwise kept exactly"  \
    }

/** Puts them into the parameters. */
static inline void cli_describe_notes(cli_record *p, const cli_notes_values *v)
{
    int is_applied = v->orientation != 0 || v->strip;
    cli_record_set_text(p, "orientation", is_applied ? "apply" : "keep");
    cli_record_set_bool(p, "profile", !v->no_profile && !v->strip);
    cli_record_set_bool(p, "spacing", !v->strip);
    cli_record_set_bool(p, "alpha", !v->no_alpha);
}

/** Has images read with what goes with them.
 *  @param options  what streams will be, which says what they can carry */
void cli_ask_notes(cli_run *run, const rug_ifs_options *options,
                   const cli_notes_values *v);

/** What the stream of an image is to carry, and a warning of what it cannot.
 *  @param out  valid as long as the image
 *  @return a status */
rug_status cli_take_notes(cli_run *run, rug_ifs_notes *out, const cli_image *image,
                          const rug_ifs_options *options, const cli_notes_values *v);

/** Warns where only one of several pages is read, and none was asked for.
 *  @param done  such as "coded" */
void cli_warn_of_pages(cli_run *run, const cli_image *image, const char *done);

/** What a file says, as a stream would carry it.
 *  @param alpha  set to what its alpha is
 *  @return a status */
rug_status cli_file_notes(cli_run *run, rug_ifs_notes *out, rug_alpha *alpha,
                          const cli_image *image);

/** Whether the pixels of a stream are stored turned or mirrored, as those of the image were; so an
 *  image is to be read that it is compared with. @return 0 also where it cannot be read */
int cli_is_turned_stream(cli_run *run, const char *path);

/** What alpha of a stream is. */
static inline rug_alpha cli_stream_alpha(const cli_stream *stream)
{
    if (stream->info.n_planes % 2 != 0)
        return RUG_ALPHA_NONE;
    return stream->notes.premultiplied ? RUG_ALPHA_PREMULTIPLIED : RUG_ALPHA_STRAIGHT;
}

/** Writes a decoded picture with what its stream carries. Alpha is left out with a warning where the
 *  format of the name's ending has none.
 *  @param coded_ny, coded_nx  pixels of the coded image that became the picture */
rug_status cli_write_decoded(cli_run *run, const char *path, const cli_stream *stream,
                             const rug_ifs_picture *picture, uint32_t coded_ny,
                             uint32_t coded_nx);

#endif
