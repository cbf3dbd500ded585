/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* P69: streams that were stored once decode to the same pixels for ever, on every
 * platform, at every CPU level. */

#include "support.h"

#include "ifs/stream/ifs_container.h"
#include <stdio.h>
#include <stdlib.h>

static size_t read_file(const char *name, uint8_t *bytes, size_t room)
{
    FILE *in = fopen(test_data(name), "rb");
    assert_non_null(in);
    size_t n = fread(bytes, 1, room, in);
    assert_int_equal(fclose(in), 0);
    return n;
}

static uint32_t decode(rug_context *ctx, const uint8_t *bytes, size_t n, double scale)
{
    rug_ifs_picture p;
    rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
    o.scale = scale;
    assert_int_equal(rug_ifs_decompress(ctx, &p, bytes, n, &o), RUG_OK);
    uint32_t crc = rugi_ifs_crc(p.pixels, (size_t)p.nx * p.ny * (size_t)p.n_planes);
    rug_ifs_picture_free(ctx, &p);
    return crc;
}

static void test_stored(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        uint32_t plain, twice, less; /* CRC-32 of the pixels */
    } stored[] = {
        {"ifs/colour.rfi", 0x3e729910, 0xc227804f, 0x41abb375},
        {"ifs/domains.rfi", 0x163ca817, 0x1cd87f95, 0x0b6711b5},
        {"ifs/fixed.rfi", 0x80e07c6b, 0x06b5c97a, 0x813e1c78},
        {"ifs/overlap.rfi", 0xc1abdd66, 0x115c606d, 0x80b3d213},
    };
    uint8_t bytes[4096];
    rug_context *ctx = test_context();
    for (size_t i = 0; i < sizeof stored / sizeof stored[0]; i++)
        for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
            size_t n = read_file(stored[i].name, bytes, sizeof bytes);
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            uint32_t plain = decode(ctx, bytes, n, 1), twice = decode(ctx, bytes, n, 2);
            uint32_t less = decode(ctx, bytes, n, 0.6);
            if (plain != stored[i].plain || twice != stored[i].twice ||
                less != stored[i].less)
                fail_msg("%s: %08x %08x %08x", stored[i].name, plain, twice, less);
        }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stored)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
