/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: files of parts of runs, as they are and with head, length and checksum put right. What is
 * accepted can be searched and written, and does not go together with itself. */

#include "fuzz_file.h"
#include "tables/part_file.h"
#include <string.h>

enum { METHOD = 12, LENGTH = 16, HEAD = 40, CRC = 4 };

static void put(uint8_t *at, uint64_t value, int n)
{
    for (int i = 0; i < n; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void mend(uint8_t *bytes, size_t n)
{
    if (n < HEAD + CRC)
        return;
    memcpy(bytes, "\x89RGS\r\n\x1a\n\1\0\0\0", METHOD);
    put(bytes + METHOD, 100, 4);
    put(bytes + LENGTH, n, 8);
    put(bytes + n - CRC, fuzz_crc(bytes, n - CRC), CRC);
}

static void check_parts(const uint32_t *parts, size_t n_parts, uint32_t n)
{
    for (size_t i = 0; i < n_parts; i++)
        if (parts[i] >= n || (i > 0 && parts[i] <= parts[i - 1]))
            abort();
}

static void use(rug_context *ctx, const uint8_t *bytes, size_t n)
{
    cli_part_file all = {.path = NULL}, one = {.path = NULL}, again = {.path = NULL};
    const char *path = fuzz_write(bytes, n);
    rug_status status = cli_part_file_read(ctx, &one, path);
    fuzz_check_error(ctx, status);
    if (status == RUG_OK)
        status = cli_part_file_read(ctx, &again, path);
    if (status == RUG_OK) {
        if (one.n_parts == 0 || one.n_parts > one.n ||
            cli_part_file_join(ctx, &all, &one) != RUG_OK ||
            cli_part_file_join(ctx, &all, &again) != RUG_E_ARG)
            abort();
        for (size_t i = 0; i < all.n_images; i++)
            if (cli_part_file_find(&all, all.images[i].input, all.images[i].page) !=
                &all.images[i])
                abort();
        check_parts(all.parts, all.n_parts, all.n);
        for (size_t i = 0; i < all.n_images; i++)
            for (size_t k = 0; k < all.images[i].n_entries; k++)
                check_parts(all.images[i].entries[k].parts,
                            all.images[i].entries[k].n_parts, all.n);
        if (cli_part_file_write(ctx, &all, "/dev/null") != RUG_OK)
            abort();
    }
    cli_part_file_free(&all);
    cli_part_file_free(&one);
    cli_part_file_free(&again);
}

FUZZ_MENDED_BY(mend)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    rug_context *ctx = fuzz_context();
    uint8_t *copy = malloc(n + 1);
    if (copy == NULL)
        abort();
    memcpy(copy, data, n);
    mend(copy, n);
    if (memcmp(copy, data, n) != 0)
        use(ctx, data, n);
    use(ctx, copy, n);
    free(copy);
    return 0;
}
