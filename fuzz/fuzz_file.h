/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the fuzz targets share: the input as a file, and an image read from it. */

#ifndef RUGOSE_FUZZ_FILE_H
#define RUGOSE_FUZZ_FILE_H

#include "tables/read_line.h"
#include <rugose/io.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static char fuzz_path[] = "/tmp/rugose-fuzz-XXXXXX";

static inline void fuzz_remove(void)
{
    unlink(fuzz_path);
}

/* Puts the input into the one file of this process. @return its path */
static inline const char *fuzz_write(const uint8_t *data, size_t n)
{
    static int file = -1;
    if (file < 0) {
        file = mkstemp(fuzz_path);
        atexit(fuzz_remove);
    }
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, n, 0) != (ssize_t)n)
        abort();
    return fuzz_path;
}

/* Reads a file in slabs of three layers, which may fail. */
static inline void fuzz_slabs(rug_context *ctx, const char *path,
                              const rug_read_options *opts)
{
    rug_file *file;
    rug_image slab;
    rug_status status = rug_file_open(ctx, &file, path, opts);
    if (status != RUG_OK)
        return;
    const rug_source *source = rug_file_source(file);
    for (size_t z = 0; z < source->shape[0] && status == RUG_OK; z += 3) {
        size_t n = source->shape[0] - z < 3 ? source->shape[0] - z : 3;
        status = source->read(ctx, source->user, &slab, z, n);
        if (status == RUG_OK && rug_image_pixels(&slab) == 0)
            abort();
    }
    rug_file_free(file);
}

/* Reads the input as an image with these options, whole and slab by slab, and looks at
 * every pixel. */
static inline void fuzz_read(const uint8_t *data, size_t n, const rug_read_options *opts)
{
    rug_context *ctx;
    rug_file *file;
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    if (rug_context_new(&ctx) != RUG_OK || rug_context_set_threads(ctx, 1) != RUG_OK)
        abort();
    if (rug_file_read(ctx, &file, fuzz_write(data, n), opts) == RUG_OK) {
        if (rug_image_measure_range(ctx, &range, rug_file_image(file)) != RUG_OK)
            abort();
        free(cli_file_read_line(file, NULL, &range, NULL));
        rug_file_free(file);
    } else if (rug_context_error(ctx)[0] == '\0')
        abort(); /* a failure without a word */
    fuzz_slabs(ctx, fuzz_path, opts);
    rug_context_free(ctx);
}

#endif
