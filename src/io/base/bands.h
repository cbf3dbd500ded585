/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From rows of interleaved bands, as decoders deliver them, to pixels. */

#ifndef RUGI_BANDS_H
#define RUGI_BANDS_H

#include "reader.h"

/** Bands and channels that are no single one. */
#define RUGI_LUMA    (-1) /**< luma of the first three */
#define RUGI_COLOURS (-2) /**< the first three, as planes */

/** Which bands become pixels. */
typedef struct rugi_bands {
    rug_dtype dtype;
    int n;      /**< bands of a pixel, alpha included */
    int chosen; /**< the band that becomes the pixel, RUGI_LUMA or RUGI_COLOURS */
    int alpha;  /**< the band that becomes the plane behind the others; 0: none does */
} rugi_bands;

/** The channel that options ask for, as rugi_bands_choose() takes it. */
int rugi_asked_channel(const rug_read_options *opts);

/** Chooses the bands that become pixels, and fills the facts about channels.
 *  @param bands      dtype and n are given, chosen and alpha are set
 *  @param n_alpha    bands at the end that are alpha
 *  @param is_colour  the first three are red, green and blue, if three are not alpha
 *  @param channel    from 0; RUGI_LUMA = luma of a colour image; RUGI_COLOURS = its colours
 *  @return RUG_OK, RUG_E_ARG (no such channel, or one must be chosen) */
rug_status rugi_bands_choose(rug_context *ctx, rug_file *file, rugi_bands *bands,
                             int n_alpha, int is_colour, int channel);

/** For readers whose rows have alpha: keeps the first of its bands where the file is to be read so,
 *  behind rugi_bands_choose().
 *  @param n_alpha  as there
 *  @param channel  likewise */
void rugi_bands_keep_alpha(rug_file *file, rugi_bands *bands, int n_alpha, int channel);

/** Sets the image of an opened file: [ny][nx], or [n_planes][ny][nx] where planes are kept, which
 *  come all at once. @return as rugi_file_set_image() */
rug_status rugi_bands_set_image(rug_context *ctx, rug_file *file, const rugi_bands *bands,
                                size_t height, size_t width);

/** Makes pixels of a row's interleaved bands. Any thread may call it.
 *  @param to     n pixels, of the first plane where there are several
 *  @param from   n times bands->n values, aligned as their type
 *  @param plane  bytes from one plane to the next, where there are several
 *  @return 1 when the three colours of a pixel differ (RUGI_LUMA, RUGI_COLOURS), else 0 */
int rugi_bands_take(const rugi_bands *bands, void *to, const void *from, size_t n,
                    size_t plane);

#endif
