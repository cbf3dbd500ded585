/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The library beside the independent decoder: on stored streams, on new ones, and on damaged ones,
 * which both must refuse, or decode to the same pixels. */

#include "support.h"

#include "ifs_compress_support.h"
#include "independent.h"
#include <dirent.h>
#include <rugose/io.h>
#include <stdio.h>

enum { SIZE_MOST = 1 << 14 };

/* What became of a stream. */
typedef enum outcome { REFUSED, DECODED, TOO_LARGE } outcome;

/* Pixel i of a picture of the library. */
static unsigned pixel_at(const rug_ifs_picture *p, size_t i)
{
    return p->dtype == RUG_U16 ? ((const uint16_t *)p->pixels)[i]
                               : ((const uint8_t *)p->pixels)[i];
}

static void compare_pictures(const char *name, const rug_ifs_picture *ours,
                             const ind_picture *other)
{
    size_t n = (size_t)(other->nx * other->ny) * (size_t)other->n_planes, i = 0;
    if (ours->nx != other->nx || ours->ny != other->ny ||
        ours->n_planes != other->n_planes ||
        ours->dtype != (other->depth == 16 ? RUG_U16 : RUG_U8))
        fail_msg("%s: pictures differ in size or type", name);
    while (i < n && pixel_at(ours, i) == other->pixels[i])
        i++;
    if (i < n)
        fail_msg("%s at %u x %u: pixel %zu is %u, but %d by the independent decoder",
                 name, ours->nx, ours->ny, i, pixel_at(ours, i), other->pixels[i]);
}

/* By both; 0 x 0: as large as coded. `checksum`: that of the pixels, plane by plane, those of 16 bits
 * with the lowest byte first; NULL: not wanted. */
static outcome decode(rug_context *ctx, const char *name, const uint8_t *bytes,
                      size_t size, uint32_t nx, uint32_t ny, uint32_t *checksum)
{
    rug_ifs_picture ours = RUG_IFS_PICTURE_INIT;
    rug_ifs_decode_options opts = RUG_IFS_DECODE_OPTIONS_INIT;
    opts.nx = nx;
    opts.ny = ny;
    rug_status status = rug_ifs_decompress(ctx, &ours, bytes, size, &opts);
    if (status == RUG_E_ARG)
        return TOO_LARGE;
    ind_picture other;
    const char *wrong = ind_decode(&other, bytes, size, nx, ny);
    if ((status != RUG_OK) != (wrong != NULL))
        fail_msg("%s: the library says \"%s\", the independent decoder \"%s\"", name,
                 status == RUG_OK ? "fine" : rug_context_error(ctx),
                 wrong == NULL ? "fine" : wrong);
    if (wrong != NULL) {
        assert_int_equal(status, RUG_E_FORMAT);
        return REFUSED;
    }
    compare_pictures(name, &ours, &other);
    if (checksum != NULL)
        *checksum =
            ind_checksum(ours.pixels, (size_t)ours.nx * ours.ny * (size_t)ours.n_planes *
                                          (ours.dtype == RUG_U16 ? 2 : 1));
    rug_ifs_picture_free(ctx, &ours);
    free(other.pixels);
    return DECODED;
}

/* ---- Stored streams ---- */

static size_t read_stream(const char *name, uint8_t bytes[SIZE_MOST])
{
    char path[64];
    snprintf(path, sizeof path, "ifs/%s", name);
    FILE *in = fopen(test_data(path), "rb");
    assert_non_null(in);
    size_t n = fread(bytes, 1, SIZE_MOST, in);
    assert_true(n > 0 && n < SIZE_MOST);
    fclose(in);
    return n;
}

/* The stored streams by name; each is decoded at three sizes or more, to the stored checksums. */
static void test_stored(void **unused)
{
    (void)unused;
    rug_context *ctx = small_context();
    FILE *table = fopen(test_data("ifs/pixels.tsv"), "r");
    assert_non_null(table);
    char line[128], name[64];
    unsigned nx, ny, expected;
    int n = 0;
    while (fgets(line, sizeof line, table) != NULL) {
        if (sscanf(line, "%63s %u %u %x", name, &nx, &ny, &expected) != 4)
            continue;
        uint8_t bytes[SIZE_MOST];
        size_t size = read_stream(name, bytes);
        uint32_t checksum;
        assert_int_equal(decode(ctx, name, bytes, size, nx, ny, &checksum), DECODED);
        if (checksum != expected)
            fail_msg("%s at %u x %u: %08x", name, nx, ny, checksum);
        n++;
    }
    fclose(table);
    assert_true(n >= 60);
    rug_context_free(ctx);
}

/* ---- New streams ---- */

/* A part of camera.png in one or three planes, which lie a little apart. */
static picture part_of_camera(rug_context *ctx, size_t nx, size_t ny, int n_planes,
                              int depth)
{
    rug_file *file;
    assert_int_equal(rug_file_read(ctx, &file, test_data("camera.png"), NULL), RUG_OK);
    const rug_image *camera = rug_file_image(file);
    picture p = picture_new(nx, ny, n_planes, depth);
    size_t i = 0;
    for (int plane = 0; plane < n_planes; plane++)
        for (size_t y = 0; y < ny; y++)
            for (size_t x = 0; x < nx; x++)
                put_pixel(&p, i++,
                          (double)test_pixel(camera, 0, 90 + y + (size_t)plane,
                                             210 + x + 2 * (size_t)plane) /
                              255);
    rug_file_free(file);
    return p;
}

typedef struct case_of_options {
    size_t nx, ny;
    int n_planes, depth;
    rug_ifs_options opts;
} case_of_options;

#define OPTIONS(...)                                        \
    {                                                       \
        .struct_size = sizeof(rug_ifs_options), __VA_ARGS__ \
    }
#define CODED(quality, ...) OPTIONS(.target_value = (quality), __VA_ARGS__)
#define FIXED(...)          OPTIONS(RUG_IFS_FIXED, __VA_ARGS__)
#define OVERLAP(...)        OPTIONS(RUG_IFS_OVERLAP, __VA_ARGS__)

static const case_of_options new_cases[] = {
    {97, 61, 1, 8, CODED(50, .effort = 5)},
    {70, 75, 1, 8, CODED(90, .tune = RUG_IFS_TUNE_PSNR)},
    {32, 32, 1, 8, CODED(100, .effort = 9)},
    {1, 40, 1, 8, CODED(95, .effort = 2)},
    {50, 1, 2, 8, CODED(95, .effort = 3)},
    {1, 1, 3, 8, CODED(95, .effort = 1)},
    {64, 64, 3, 8, CODED(70, .chroma = RUG_IFS_CHROMA_420)},
    {65, 33, 4, 8, CODED(40, .progressive = 1)},
    {40, 64, 1, 16, CODED(85, .effort = 4)},
    {50, 43, 3, 16, CODED(75, .effort = 7)},
    {33, 70, 4, 16, CODED(60, .chroma = RUG_IFS_CHROMA_420, .chroma_quality = 90)},
    {270, 40, 3, 8, CODED(20, .chroma = RUG_IFS_CHROMA_420, .tile = 256)},
    {60, 70, 1, 8, CODED(50, .lossless = 1)},
    {50, 43, 4, 8, CODED(50, .lossless = 1)},
    {43, 50, 3, 16, CODED(50, .lossless = 1)},
    {30, 300, 2, 16, CODED(50, .lossless = 1, .tile = 256)},
    {97, 61, 1, 8, CODED(80, .version = 1, .without_residual = 1, .domain_step = 16)},
    {64, 50, 3, 8, CODED(60, .version = 1)},
    {61, 45, 1, 8, FIXED(.range_size = 5, .domain_step = 3)},
    {61, 45, 1, 8, FIXED(.range_size = 2, .domain_wrap = 1)},
    {64, 64, 3, 8, FIXED(.shadow_limit = 20)},
    {32, 40, 1, 8, FIXED(.range_size = 16, .domain_step = 1)},
    {40, 40, 1, 16, FIXED(.range_size = 7, .domain_wrap = 1)},
    {61, 45, 1, 8, OVERLAP(.domain_step = 4)},
    {33, 70, 3, 8, OVERLAP(.range_size = 10, .domain_wrap = 1)},
    {30, 30, 3, 16, OVERLAP(.range_size = 6, .scale_max = 0.4)},
};

static void test_new(void **unused)
{
    (void)unused;
    rug_context *ctx = small_context();
    for (size_t i = 0; i < sizeof new_cases / sizeof new_cases[0]; i++) {
        const case_of_options *c = &new_cases[i];
        picture p = part_of_camera(ctx, c->nx, c->ny, c->n_planes, c->depth);
        rug_ifs_stream s = must_compress(ctx, &p, &c->opts);
        uint32_t nx = (uint32_t)c->nx, ny = (uint32_t)c->ny;
        uint32_t sizes[][2] = {
            {0, 0}, {2 * nx, 2 * ny}, {3 * nx + nx / 2, 3 * ny}, {(nx + 1) / 2, ny}};
        char name[32];
        snprintf(name, sizeof name, "case %zu", i);
        for (int k = 0; k < 4; k++) {
            bool is_refused = c->opts.lossless && (k == 1 || k == 2);
            if (decode(ctx, name, s.bytes, s.size, sizes[k][0], sizes[k][1], NULL) !=
                (is_refused ? TOO_LARGE : DECODED))
                fail_msg("%s, size %d: %s", name, k, rug_context_error(ctx));
        }
        rug_ifs_stream_free(ctx, &s);
        picture_free(&p);
    }
    rug_context_free(ctx);
}

/* ---- Damaged streams ---- */

static void put_number(uint8_t *at, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(v >> 8 * i);
}

/* Bytes before the rows of a stream's parts, bytes of such a row, where its length stands in it, and how
 * many parts there are: those of planes before version 3. */
typedef struct layout {
    size_t first, row, length, n;
} layout;

static layout layout_of(const uint8_t *bytes)
{
    size_t flags = bytes[5], n_patches = flags & 1 ? 0 : flags & 4 ? 3 : 1;
    if (bytes[4] != 3)
        return (layout){17, 11, 3, flags & 4 ? 3 : 1};
    size_t side = 64 * (bytes[12] + 256 * (size_t)bytes[13]);
    size_t nx = bytes[8] + 256 * (size_t)bytes[9],
           ny = bytes[10] + 256 * (size_t)bytes[11];
    size_t n_tiles = side == 0 ? 0 : (nx + side - 1) / side * ((ny + side - 1) / side);
    size_t others = (flags >> 5 & 1) + (flags >> 6 & 1) + (flags >> 7 & 1);
    return (layout){16 + 4 * n_patches, 8, 0, others + n_tiles};
}

/* Bytes of the header. */
static size_t head_of(const uint8_t *bytes)
{
    layout l = layout_of(bytes);
    return l.first + l.row * l.n + 4;
}

/* Puts lengths and checksums right: the last part has what is left. */
static void mend(uint8_t *bytes, size_t size)
{
    layout l = layout_of(bytes);
    size_t at = head_of(bytes), end = at - 4;
    if (at > size)
        return;
    for (size_t p = 0; p < l.n; p++) {
        uint8_t *row = bytes + l.first + l.row * p + l.length;
        size_t n = (size_t)row[0] + 256 * (size_t)row[1];
        if (p + 1 == l.n || n > size - at)
            n = size - at;
        put_number(row, (uint32_t)n);
        put_number(row + 4, ind_checksum(bytes + at, n));
        at += n;
    }
    put_number(bytes + end, ind_checksum(bytes, end));
}

/* Changes a few bytes of the header, of the parts, or the length. */
static size_t damage(uint8_t *bytes, size_t size, uint64_t *rng)
{
    uint64_t kind = test_below(rng, 5);
    size_t head = head_of(bytes);
    if (kind == 0 || size <= head) { /* what may be valid there */
        static const uint8_t usual[] = {0, 1, 2, 3, 4, 5, 8, 32, 36, 52, 60, 64, 65, 255};
        uint64_t at = 5 + test_below(rng, 15);
        bytes[at] = usual[test_below(rng, sizeof usual)];
        if (at == 12 && bytes[4] != 3)
            bytes[13] = bytes[12];
    } else if (kind == 1) {
        size = head + test_below(rng, size - head + 1);
    } else if (kind == 2) { /* random decisions need bytes to read */
        for (size_t at = head + test_below(rng, size - head); at < SIZE_MOST / 4; at++)
            bytes[at] = (uint8_t)test_random(rng);
        size = size > SIZE_MOST / 4 ? size : SIZE_MOST / 4;
    } else {
        for (uint64_t n = test_below(rng, 4); n < 4; n++)
            bytes[head + test_below(rng, size - head)] = (uint8_t)test_random(rng);
    }
    if (test_below(rng, 16) > 0) {
        if (bytes[4] != 3)
            bytes[4] = bytes[5] & 64 ? 2 : 1;
        mend(bytes, size);
    }
    return size;
}

static const char *const to_damage[] = {
    "colour.rfi",
    "domains.rfi",
    "fixed.rfi",
    "overlap.rfi",
    "overlap_wrap.rfi",
    "v1/tree_fine.rfi",
    "v1/tree_pure.rfi",
    "v1/tree_row.rfi",
    "v1/tree_colour16.rfi",
    "v1/blocks_colour16.rfi",
    "v3/alpha.rfi",
    "v3/coarse.rfi",
    "v3/colour.rfi",
    "v3/exact_alpha16.rfi",
    "v3/exact_drawing.rfi",
    "v3/exact_gaps16.rfi",
    "v3/fine.rfi",
    "v3/grey16.rfi",
    "v3/halved.rfi",
    "v3/halved_tiles.rfi",
    "v3/narrow.rfi",
};

static void test_damaged(void **unused)
{
    (void)unused;
    rug_context *ctx = small_context();
    int outcomes[3] = {0};
    int n_cases = TEST_CASES(1000);
    uint64_t rng = test_seed(ctx, 60, n_cases);
    for (int i = 0; i < n_cases; i++) {
        uint8_t bytes[SIZE_MOST];
        const char *name =
            to_damage[(size_t)i % (sizeof to_damage / sizeof to_damage[0])];
        size_t size = read_stream(name, bytes);
        for (uint64_t n = test_below(&rng, 3); n < 3; n++)
            size = damage(bytes, size, &rng);
        char text[64];
        snprintf(text, sizeof text, "case %d of %s", i, name);
        rug_ifs_info info = RUG_IFS_INFO_INIT;
        uint32_t nx = 0, ny = 0;
        if (rug_ifs_read_info(ctx, &info, bytes, size) == RUG_OK) {
            if ((uint64_t)info.nx * info.ny > 1 << 15)
                continue; /* the slower decoder has better things to do */
            if (test_below(&rng, 8) == 0) {
                nx = (uint32_t)(info.nx + test_below(&rng, 2 * info.nx));
                ny = (uint32_t)(info.ny - test_below(&rng, info.ny / 2 + 1));
            }
        }
        outcomes[decode(ctx, text, bytes, size, nx, ny, NULL)]++;
    }
    print_message("%d refused, %d decoded, %d too large\n", outcomes[REFUSED],
                  outcomes[DECODED], outcomes[TOO_LARGE]);
    assert_true(outcomes[REFUSED] >= n_cases / 10 && outcomes[DECODED] >= n_cases / 10);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stored),
        cmocka_unit_test(test_new),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
