/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Points in memory, and what the parts of their reader share. */

#ifndef RUGI_POINT_STORE_H
#define RUGI_POINT_STORE_H

#include "io/base/reader.h"
#include <rugose/point_file.h>

struct rug_point_file {
    rug_context *ctx; /* whose memory the file uses */
    char *path;
    uint64_t n_bytes;  /* of the file on disk */
    void *coordinates; /* what points.data lies in */
    rug_points points;
    rug_point_facts facts;
    int is_guess;                     /* nothing says that its columns are coordinates */
    char columns[300], left_out[600]; /* what the facts of these names point to */
};

/** Reads points as text: fills coordinates, points and facts but for min, max and
 *  all_whole of a file whose path and n_bytes are set.
 *  @param in  at its beginning
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT, RUG_E_CANCELLED */
rug_status rugi_read_point_text(rug_context *ctx, rug_point_file *file, FILE *in,
                                const rug_point_file_options *opts);

#endif
