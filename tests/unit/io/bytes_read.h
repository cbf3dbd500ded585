/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How many bytes it takes to read some layers of a file. Include it after read_support.h. */

#ifndef RUGOSE_BYTES_READ_H
#define RUGOSE_BYTES_READ_H

#include "read_support.h"

/* What finding out what a file holds may cost, and asking the system. */
#define HEAD_BYTES ((size_t)64 << 10)

/* Bytes that this process has read so far; skips the test where the system does not say. */
static inline size_t bytes_read(void)
{
    unsigned long long n = 0;
    FILE *in = fopen("/proc/self/io", "r");
    if (in == NULL || fscanf(in, "rchar: %llu", &n) != 1) {
        if (in != NULL)
            fclose(in);
        skip();
    }
    fclose(in);
    return (size_t)n;
}

/* Opens a file and reads n layers from `first` on, in two slabs where that many are there: this
 * takes at most so many bytes. Returns the file, whose last slab is in *slab. */
static inline rug_file *read_within(const char *path, const rug_read_options *opts,
                                    size_t first, size_t n, size_t most, rug_image *slab)
{
    rug_file *file = NULL;
    size_t half = n / 2, before = bytes_read();
    if (rug_file_open(ctx, &file, path, opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    const rug_source *source = rug_file_source(file);
    assert_int_equal(source->any_order, 1);
    if (half > 0)
        assert_int_equal(source->read(ctx, source->user, slab, first, half), RUG_OK);
    assert_int_equal(source->read(ctx, source->user, slab, first + half, n - half),
                     RUG_OK);
    size_t took = bytes_read() - before;
    if (took > most + HEAD_BYTES)
        fail_msg("%s: layers %zu..%zu took %zu bytes, at most %zu expected", path, first,
                 first + n - 1, took, most + HEAD_BYTES);
    return file;
}

#endif
