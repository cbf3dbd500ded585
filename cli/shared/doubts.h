/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What several commands say of an image, and when they doubt it; a part of cli.h. */

#ifndef CLI_DOUBTS_H
#define CLI_DOUBTS_H

#include "options/option.h"
#include <math.h>
#include <rugose/rugose.h>

typedef struct cli_run cli_run;
typedef struct cli_image cli_image;

/** The foreground for the read line: its share, how it was chosen, the pixels of the mask.
 *  @param asked, rule  as the command line has it, and what it came to
 *  @param share        of the pixels, 0..1; NaN: not known
 *  @param n_pixels      inside of the mask, where there is one */
#define CLI_FOREGROUND_MAX 200
void cli_format_foreground(char text[CLI_FOREGROUND_MAX], const cli_image *image,
                           rug_foreground asked, rug_foreground rule, double share,
                           uint64_t n_pixels);

/** Warns of a mask without pixels, of a foreground that is nearly nothing or everything, and of
 *  one above half of the image, with the rule for the other pixels.
 *  @param asked  the rule of the command line */
void cli_warn_of_share(cli_run *run, rug_foreground asked, double share,
                       uint64_t n_pixels);

/** Warns of a threshold that was found among floats, and of NaN. */
void cli_warn_of_values(cli_run *run, const cli_image *image, rug_foreground asked);

/** Bits of axes: 2 of x, 1 of y, 0 of z. */
#define CLI_ALL_AXES 7u

/** Whether the distances between pixels are known along some axes, and differ by more than a
 *  hundredth.
 *  @param lo, hi  the least and the largest, where they do
 *  @param axes    those that count */
static inline int cli_is_unequal(double *lo, double *hi, const rug_image *img,
                                 unsigned axes)
{
    *lo = (double)INFINITY;
    *hi = 0;
    for (int a = 0; a < img->ndim; a++) {
        if (!(axes >> (3 - img->ndim + a) & 1))
            continue;
        if (!(img->spacing[a] > 0))
            return 0;
        *lo = fmin(*lo, img->spacing[a]);
        *hi = fmax(*hi, img->spacing[a]);
    }
    return *hi > 1.01 * *lo;
}

/** Warns of pixels that are no cubes.
 *  @param remedy  what to do */
void cli_warn_of_spacing(cli_run *run, const rug_image *img, const char *remedy);
#define CLI_RESAMPLE "resample to equal spacing first"

/** Warns of a fit that takes boxes larger than an axis, unless its range was asked for.
 *  @param pixel_size  sides of a pixel in the unit of sizes; NULL: 1
 *  @param size_max    of the fit */
void cli_warn_of_thin_axis(cli_run *run, const cli_image *image, const cli_range *asked,
                           const uint64_t *pixel_size, uint64_t size_max);

/** Warns of pixels that are not finite, but for those that hold no data.
 *  @param n     of both
 *  @param what  becomes of them */
void cli_warn_of_left_out(cli_run *run, const cli_image *image, uint64_t n,
                          const char *what);

/** A range of sizes as asked. */
static inline rug_fit_options cli_fit_options(const cli_range *asked)
{
    rug_fit_options range = RUG_FIT_OPTIONS_INIT;
    range.auto_range = asked->is_auto;
    range.size_min = asked->min;
    range.size_max = asked->max;
    return range;
}

/** A fit over fewer sizes says little. */
#define CLI_FEW_SIZES 5
/** So does one whose largest size is less than ten times the least. */
static inline int cli_is_below_decade(uint64_t size_min, uint64_t size_max)
{
    return size_max < 10 * size_min;
}
/** Whether a fit covers so little that it says little. */
static inline int cli_is_short_fit(uint32_t n_sizes, uint64_t size_min, uint64_t size_max)
{
    return n_sizes < CLI_FEW_SIZES || cli_is_below_decade(size_min, size_max);
}

/** Warns of a fit without a scaling range, of none, and of a short one.
 *  @param status  of the fit
 *  @param range   its sizes as text, where they are not in pixels; or NULL */
void cli_warn_of_fit(cli_run *run, rug_fit_status status, uint32_t n_sizes,
                     uint64_t size_min, uint64_t size_max, const char *range);

#endif
