/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the examples in the public headers have around them. */

#ifndef TESTS_EXAMPLES_H
#define TESTS_EXAMPLES_H

#include <inttypes.h>
#include <math.h>
#include <rugose/io.h>
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern rug_context *ctx;
extern rug_image image;      /* 256 x 256 u8: Sierpinski's triangle, 0 and 255 */
extern rug_image grey;       /* 64 x 64 u8: (x*x + 3*y*y + x*y) % 251 */
extern rug_image labels;     /* 256 x 256 u8: 1..4 by quadrant */
extern rug_image mask;       /* 256 x 256 u8: 1 in the left half, else 0 */
extern rug_image volume;     /* 16 x 16 x 16 u8: 1 where x & y & z is 0, else 0 */
extern rug_points points;    /* 1000 x 2 f64: (i * 37) % 1000, (i * i) % 1000 */
extern const char *path;     /* a photograph, 512 x 512 u8 */
extern const char *out_path; /* a name for a new file, without an ending */

#endif
