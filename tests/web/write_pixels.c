/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Writes what the library reads, for tests of other readers:
 *
 *     write_pixels PAGE CHANNEL IMAGE...
 *     write_pixels points FILE...
 *
 * For each file a line with its type, the slowest axis first, such as `u8 512 512` or `f64 3698 2`, then as
 * many numbers, in the order of the machine. For a file that is not read the line is `- MESSAGE`. PAGE -1: the
 * default; CHANNEL -1: luma, -2: indices of palettes. */

#include <rugose/io.h>
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rug_context *ctx;

/* Numbers that lie with any strides; as many as `shape` says. */
static void write_numbers(const void *data, rug_dtype dtype, int ndim,
                          const size_t *shape, const ptrdiff_t *stride)
{
    size_t size = rug_dtype_size(dtype), at[RUG_MAX_AXES] = {0}, n = 1;
    printf("%s", rug_dtype_name(dtype));
    for (int a = 0; a < ndim; a++) {
        printf(" %zu", shape[a]);
        n *= shape[a];
    }
    putchar('\n');
    for (size_t i = 0; i < n; i++) {
        const char *number = data;
        for (int a = 0; a < ndim; a++)
            number += (ptrdiff_t)at[a] * stride[a];
        fwrite(number, size, 1, stdout);
        for (int a = ndim - 1; a >= 0 && ++at[a] == shape[a]; a--)
            at[a] = 0;
    }
}

static void write_image(const char *path, int page, int channel)
{
    rug_file *file = NULL;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.page = page;
    opts.channel = channel;
    opts.volume = 2;
    if (rug_file_read(ctx, &file, path, &opts) != RUG_OK) {
        printf("- %s\n", rug_context_error(ctx));
        return;
    }
    const rug_image *image = rug_file_image(file);
    write_numbers(image->data, image->dtype, image->ndim, image->shape, image->stride);
    rug_file_free(file);
}

static void write_points(const char *path)
{
    rug_point_file *file = NULL;
    if (rug_point_file_read(ctx, &file, path) != RUG_OK) {
        printf("- %s\n", rug_context_error(ctx));
        return;
    }
    const rug_points *points = rug_point_file_points(file);
    const size_t shape[2] = {(size_t)points->n, (size_t)points->ndim};
    write_numbers(points->data, points->dtype, 2, shape, points->stride);
    rug_point_file_free(file);
}

int main(int argc, char **argv)
{
    int are_points = argc > 1 && strcmp(argv[1], "points") == 0;
    if (argc < 3 || rug_context_new(&ctx) != RUG_OK)
        return 2;
    for (int i = are_points ? 2 : 3; i < argc; i++)
        if (are_points)
            write_points(argv[i]);
        else
            write_image(argv[i], atoi(argv[1]), atoi(argv[2]));
    rug_context_free(ctx);
    return 0;
}
