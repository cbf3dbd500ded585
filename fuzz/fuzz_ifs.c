/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: streams of fractal coding, as they are and with lengths and checksums put
 * right, so that what lies behind these is reached. What is accepted decodes to the same
 * picture on the portable code. */

#include "fuzz_file.h"
#include <rugose/ifs.h>
#include <string.h>

/* The headers, by FORMAT.md: of versions 1 and 2, and of version 3. */
enum { FIXED = 17, PLANE = 11, CRC = 4 };
enum { PATCHES_FIXED = 16, PATCHES_PLANE = 4, PATCHES_PART = 8 };

/* Pixels that a picture may have, and which inputs are decoded by the portable code, too: few for a
 * fuzzer, whose inputs are many. */
#ifdef RUGOSE_FUZZER
#define PIXELS_MAX     (1u << 11)
#define COMPARED_EVERY 4
#else
#define PIXELS_MAX     (1u << 15)
#define COMPARED_EVERY 1
#endif

static void put(uint8_t *at, size_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static size_t number(const uint8_t *at, int n)
{
    size_t value = 0;
    for (int i = 0; i < n; i++)
        value |= (size_t)at[i] << 8 * i;
    return value;
}

/* Parts have the bytes that they say as long as there are some, the last one what is left; the small
 * picture is mended, too. */
static void mend_patches(uint8_t *bytes, size_t n)
{
    if (n < PATCHES_FIXED)
        return;
    memcpy(bytes, "\x8aRFI\3", 5);
    size_t side = 64 * number(bytes + 12, 2), nx = number(bytes + 8, 2);
    size_t ny = number(bytes + 10, 2), flags = bytes[5];
    side = side > 0 ? side : 1;
    size_t n_parts = (flags >> 5 & 1) + (flags >> 6 & 1) + (flags >> 7 & 1) +
                     ((nx + side - 1) / side) * ((ny + side - 1) / side);
    size_t at = PATCHES_FIXED + PATCHES_PLANE * (flags & 1 ? 0 : flags & 4 ? 3 : 1);
    size_t header = at + PATCHES_PART * n_parts, from = header + CRC;
    size_t preview = (flags >> 6 & 1) + (flags >> 7 & 1);
    if (n_parts == 0 || from > n)
        return;
    for (size_t i = 0; i < n_parts; i++, at += PATCHES_PART) {
        size_t part = number(bytes + at, 4);
        if (part > n - from || i + 1 == n_parts)
            part = n - from;
        if (i == preview && (flags & 32) != 0)
            mend_patches(bytes + from, part);
        put(bytes + at, part);
        put(bytes + at + 4, fuzz_crc(bytes + from, part));
        from += part;
    }
    put(bytes + header, fuzz_crc(bytes, header));
}

/* The last plane gets what the others leave. */
static void mend(uint8_t *bytes, size_t n)
{
    if (n < FIXED)
        return;
    if (bytes[4] == 3) {
        mend_patches(bytes, n);
        return;
    }
    size_t n_planes = bytes[5] & 4 ? 3 : 1, at = FIXED + PLANE * n_planes + CRC;
    if (n < at)
        return;
    memcpy(bytes, "\x8aRFI", 4);
    bytes[4] = bytes[5] & 64 ? 2 : 1; /* whether domains wrap around */
    for (size_t i = 0; i < n_planes; i++) {
        uint8_t *plane = bytes + FIXED + PLANE * i;
        size_t part = i + 1 == n_planes ? n - at : (n - at) / (n_planes - i);
        put(plane + 3, part);
        put(plane + 7, fuzz_crc(bytes + at, part));
        at += part;
    }
    size_t header = FIXED + PLANE * n_planes;
    put(bytes + header, fuzz_crc(bytes, header));
}

static rug_status see_frame(void *user, uint32_t iteration,
                            const rug_ifs_picture *picture)
{
    if (picture->pixels == NULL || picture->nx == 0)
        abort();
    *(uint32_t *)user = iteration;
    return RUG_OK;
}

static rug_status see_transform(void *user, const rug_ifs_transform *t)
{
    if (t->symmetry > 7 || !(t->s >= -1 && t->s <= 1) || t->size == 0)
        abort();
    ++*(size_t *)user;
    return RUG_OK;
}

static void check_error(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK && status != RUG_E_FORMAT && status != RUG_E_ARG)
        abort();
    fuzz_check_error(ctx, status);
}

/* Sometimes what is there of a stream that is cut off, sometimes a region. */
static void choose_part(rug_ifs_decode_options *o, const uint8_t *bytes, size_t n)
{
    uint32_t choice = fuzz_choice(bytes, n);
    o->partial = choice / 8 % 2 != 0;
    if (choice / 16 % 4 != 0 || n < 12)
        return;
    uint32_t nx = (uint32_t)number(bytes + 8, 2), ny = (uint32_t)number(bytes + 10, 2);
    o->crop_x = choice / 64 % (nx + 1);
    o->crop_y = choice / 256 % (ny + 1);
    o->crop_nx = 1 + choice / 1024 % (nx - o->crop_x + 1);
    o->crop_ny = 1 + choice / 4096 % (ny - o->crop_y + 1);
}

static void decode(rug_context *ctx, const uint8_t *bytes, size_t n)
{
    static const double scales[4] = {1, 0.37, 1.6, 3};
    rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
    rug_ifs_picture picture[2] = {RUG_IFS_PICTURE_INIT, RUG_IFS_PICTURE_INIT};
    rug_status status[2];
    uint32_t last = 0;
    int n_ways = fuzz_choice(bytes, n) % COMPARED_EVERY == 0 ? 2 : 1;
    o.scale = scales[n % 4];
    o.pixels_max = PIXELS_MAX;
    o.iterations = n > 4 && bytes[4] == 3 ? 0 : 3;
    choose_part(&o, bytes, n);
    for (int i = 0; i < n_ways; i++) {
        rug_context_set_cpu_level(ctx, i == 0 ? RUG_CPU_MAX : RUG_CPU_REF);
        o.frame = i == 1 && n % 3 == 0 && o.iterations > 0 ? see_frame : NULL;
        o.user = &last;
        status[i] = rug_ifs_decompress(ctx, &picture[i], bytes, n, &o);
        check_error(ctx, status[i]);
    }
    if (status[0] != status[n_ways - 1])
        abort();
    if (status[0] == RUG_OK) {
        size_t pixel = picture[0].dtype == RUG_U16 ? 2 : 1;
        size_t size =
            (size_t)picture[0].nx * picture[0].ny * pixel * (size_t)picture[0].n_planes;
        if (memcmp(picture[0].pixels, picture[n_ways - 1].pixels, size) != 0)
            abort();
    }
    for (int i = 0; i < 2; i++)
        rug_ifs_picture_free(ctx, &picture[i]);
}

/* Errors against an image of one value. */
static void measure(rug_context *ctx, const rug_ifs_info *info, const uint8_t *bytes,
                    size_t n)
{
    static const uint16_t pixel = 1000;
    const size_t shape[2] = {info->ny, info->nx};
    rug_image planes[RUG_IFS_PLANES_MAX];
    size_t n_transforms = 0;
    for (int i = 0; i < info->n_planes; i++) {
        if (rug_image_view(ctx, &planes[i], &pixel, info->depth == 8 ? RUG_U8 : RUG_U16,
                           2, shape) != RUG_OK)
            abort();
        planes[i].stride[0] = planes[i].stride[1] = 0;
    }
    check_error(ctx,
                rug_ifs_measure_transforms(ctx, bytes, n, PIXELS_MAX, planes,
                                           info->n_planes, see_transform, &n_transforms));
}

static void use(rug_context *ctx, const uint8_t *bytes, size_t n)
{
    rug_ifs_info info = RUG_IFS_INFO_INIT;
    size_t n_transforms = 0;
    rug_status status = rug_ifs_read_info(ctx, &info, bytes, n);
    check_error(ctx, status);
    if (status == RUG_OK)
        measure(ctx, &info, bytes, n);
    check_error(ctx, rug_ifs_read_transforms(ctx, bytes, n, PIXELS_MAX, see_transform,
                                             &n_transforms));
    rug_ifs_notes notes = RUG_IFS_NOTES_INIT;
    check_error(ctx, rug_ifs_read_notes(ctx, &notes, bytes, n));
    fuzz_look(notes.icc, notes.icc_size);
    decode(ctx, bytes, n);
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
