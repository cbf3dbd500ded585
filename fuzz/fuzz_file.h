/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the fuzz targets share: one context for all inputs, the input as a file in memory, choices made
 * of the input, CRC-32, and an image read from the file. */

#ifndef RUGOSE_FUZZ_FILE_H
#define RUGOSE_FUZZ_FILE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create() */
#endif

#include "tables/read_line.h"
#include <rugose/io.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* A target whose format has checksums mends them after each change, else little but the checks of
 * checksums would be reached. */
#ifdef RUGOSE_FUZZER
size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t n_max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t n_max, unsigned seed);

#define FUZZ_MENDED_BY(mend)                                                             \
    size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t n_max, unsigned seed) \
    {                                                                                    \
        n = LLVMFuzzerMutate(data, n, n_max);                                            \
        if (seed % 16 != 0)                                                              \
            mend(data, n);                                                               \
        return n;                                                                        \
    }
#else
#define FUZZ_MENDED_BY(mend)
#endif

/* The context of all inputs: one thread. */
static inline rug_context *fuzz_context(void)
{
    static rug_context *ctx;
    if (ctx == NULL &&
        (rug_context_new(&ctx) != RUG_OK || rug_context_set_threads(ctx, 1) != RUG_OK))
        abort();
    return ctx;
}

/* Puts the input into the one file of this process, which is in memory. @return its path */
static inline const char *fuzz_write(const uint8_t *data, size_t n)
{
    static char path[32];
    static int file = -1;
    if (file < 0) {
        file = memfd_create("rugose-fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, n, 0) != (ssize_t)n)
        abort();
    return path;
}

/* A number that follows from the input, to choose options by. */
static inline uint32_t fuzz_choice(const uint8_t *data, size_t n)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ data[i]) * 16777619u;
    return hash ^ hash >> 15;
}

/* CRC-32 as in PNG, gzip and streams of fractal coding. */
static inline uint32_t fuzz_crc(const uint8_t *bytes, size_t n)
{
    static uint32_t table[256];
    uint32_t crc = UINT32_MAX;
    for (uint32_t i = 0; table[255] == 0 && i < 256; i++) {
        table[i] = i;
        for (int k = 0; k < 8; k++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
    }
    for (size_t i = 0; i < n; i++)
        crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 255];
    return ~crc;
}

/* Reads bytes that are said to be there. */
static inline void fuzz_look(const uint8_t *bytes, size_t n)
{
    static volatile uint32_t seen;
    seen = seen ^ fuzz_crc(bytes, n);
}

/* A failure has a text. */
static inline void fuzz_check_error(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK && rug_context_error(ctx)[0] == '\0')
        abort();
}

/* Reads a file in slabs of three layers, which may fail; before that the last layer, where it may be
 * the first that is read. */
static inline void fuzz_slabs(rug_context *ctx, const char *path,
                              const rug_read_options *opts)
{
    rug_file *file;
    rug_image slab;
    rug_status status = rug_file_open(ctx, &file, path, opts);
    fuzz_check_error(ctx, status);
    if (status != RUG_OK)
        return;
    const rug_source *source = rug_file_source(file);
    if (source->any_order)
        fuzz_check_error(ctx,
                         source->read(ctx, source->user, &slab, source->shape[0] - 1, 1));
    for (size_t z = 0; z < source->shape[0] && status == RUG_OK; z += 3) {
        size_t n = source->shape[0] - z < 3 ? source->shape[0] - z : 3;
        status = source->read(ctx, source->user, &slab, z, n);
        fuzz_check_error(ctx, status);
        if (status == RUG_OK && rug_image_pixels(&slab) == 0)
            abort();
    }
    rug_file_free(file);
}

/* Reads the input as an image with these options, and looks at every pixel; every third input slab by
 * slab. */
static inline void fuzz_read(const uint8_t *data, size_t n, const rug_read_options *opts)
{
    rug_context *ctx = fuzz_context();
    rug_file *file;
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    rug_file_notes notes = RUG_FILE_NOTES_INIT;
    const char *path = fuzz_write(data, n);
    if (fuzz_choice(data, n) % 3 == 0) {
        fuzz_slabs(ctx, path, opts);
        return;
    }
    rug_status status = rug_file_read(ctx, &file, path, opts);
    fuzz_check_error(ctx, status);
    if (status != RUG_OK)
        return;
    if (rug_image_measure_range(ctx, &range, rug_file_image(file)) != RUG_OK)
        abort();
    if (rug_file_read_notes(ctx, &notes, file) != RUG_OK ||
        (notes.icc == NULL) != (notes.icc_size == 0))
        abort();
    fuzz_look(notes.icc, notes.icc_size);
    free(cli_file_read_line(file, rug_file_get_facts(file), NULL, &range, NULL));
    rug_file_free(file);
}

#endif
