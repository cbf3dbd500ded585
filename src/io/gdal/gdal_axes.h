/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The axes of an array of any number of them: which are those of an image, which count channels and pages. It
 * knows no library of formats. */

#ifndef RUGI_GDAL_AXES_H
#define RUGI_GDAL_AXES_H

#include "io/base/reader.h"

/** The most axes of an array that is read. */
#define RUGI_AXES_MAX 16

/** The most levels of a pyramid that are known, and bytes of their names with the end. */
#define RUGI_LEVELS_MAX     32
#define RUGI_LEVEL_NAME_MAX 128

/** One axis. */
typedef struct rugi_axis {
    char name[32]; /**< "" = not said */
    char kind;     /**< 's' space, 't' time, 'c' channel; 0 = not said */
    uint64_t size;
    double spacing; /**< 0 = not known */
    double first;   /**< the place of the first pixel, if is_placed */
    int is_placed;  /**< the places of all pixels are known, with a step of either sign */
    double step;    /**< it */
    char unit[RUGI_UNIT_MAX]; /**< "" = not said */
} rugi_axis;

/** All axes of an array, slowest first, and which of them an image is made of. */
typedef struct rugi_axes {
    int n;
    rugi_axis axis[RUGI_AXES_MAX];
    int n_space;
    int space[RUG_MAX_AXES]; /**< the axes of the image, slowest first */
    int page, channel;       /**< those that count pages and channels; -1 = none */
} rugi_axes;

/** A pyramid, by OME-Zarr (versions 0.1 to 0.4). */
typedef struct rugi_pyramid {
    int n_levels;
    char name[RUGI_LEVELS_MAX][RUGI_LEVEL_NAME_MAX];
    int n_axes;                                   /**< 0 = not said */
    rugi_axis axis[RUGI_AXES_MAX];                /**< without sizes and spacings */
    double scale[RUGI_LEVELS_MAX][RUGI_AXES_MAX]; /**< of levels; 0 = not said */
} rugi_pyramid;

/** What the name of an axis says that it is, in any case of letters: as rugi_axis.kind. */
char rugi_axes_kind(const char *name);

/** Reads the value of the attribute "multiscales". @return NULL, or what is wrong: static text */
const char *rugi_axes_read_pyramid(rugi_pyramid *out, const char *json);

/** Gives axes the names and kinds of ilastik's attribute "axistags"; one that does not fit leaves them as
 *  they are. */
void rugi_axes_read_tags(rugi_axes *axes, const char *json);

/** Chooses the axes of the image, and those of channels and pages.
 *  @return RUG_OK, RUG_E_UNSUPPORTED: it has too many or too few */
rug_status rugi_axes_choose(rug_context *ctx, const rug_file *file, rugi_axes *axes,
                            int as_volume);

#endif
