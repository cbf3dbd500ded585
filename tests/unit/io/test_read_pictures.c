/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* PNG and PNM of every kind, pixel for pixel as libvips reads them; what is damaged, and what only looks
 * so. */

#define _XOPEN_SOURCE 700

#include "support.h"

#include "io_scratch.h"

#include "read_support.h"

#include "picture_support.h"

#include <inttypes.h>
#include <png.h>

/* ---- The same as libvips ---- */

/* Sample `band` of pixel i as libvips decoded it. */
static double sample(const unsigned char *decoded, VipsBandFormat format, size_t i)
{
    switch (format) {
    case VIPS_FORMAT_UCHAR: return decoded[i];
    case VIPS_FORMAT_USHORT: return ((const uint16_t *)(const void *)decoded)[i];
    case VIPS_FORMAT_UINT: return ((const uint32_t *)(const void *)decoded)[i];
    case VIPS_FORMAT_FLOAT: return (double)((const float *)(const void *)decoded)[i];
    default: fail_msg("format %d", (int)format); return 0;
    }
}

/* Luma by its definition. */
static double luma(double r, double g, double b, VipsBandFormat format)
{
    if (r <= g && r >= g && g <= b && g >= b)
        return r;
    double sum = 299 * r + 587 * g + 114 * b;
    return format == VIPS_FORMAT_FLOAT ? (double)(float)(sum / 1000)
                                       : (double)(((uint64_t)sum + 500) / 1000);
}

/* What is read of a file, beside what libvips decoded of it.
 *  @param upside_down  libvips leaves its rows in the order of the file */
typedef struct expected {
    const char *path;
    int width, height, bands, n_channels;
    VipsBandFormat format;
    unsigned char *decoded;
    int upside_down;
} expected;

/* @param channel  -1 = luma, or the only one; 100 + p: plane p of the colours */
static double expected_pixel(const expected *e, int channel, size_t y, size_t x)
{
    size_t row = e->upside_down ? (size_t)e->height - 1 - y : y;
    size_t i = (row * (size_t)e->width + x) * (size_t)e->bands;
    if (channel >= 100)
        return sample(e->decoded, e->format, i + (size_t)channel - 100);
    if (channel >= 0 || e->n_channels == 1)
        return sample(e->decoded, e->format, i + (size_t)(channel > 0 ? channel : 0));
    return luma(sample(e->decoded, e->format, i), sample(e->decoded, e->format, i + 1),
                sample(e->decoded, e->format, i + 2), e->format);
}

static void compare_channel(const expected *e, int channel)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.planes = channel >= 100;
    opts.channel = opts.planes ? -1 : channel;
    rug_file *file = must_read(e->path, &opts);
    const rug_file_facts *facts = rug_file_get_facts(file);
    int are_planes = opts.planes && e->n_channels == 3;
    assert_shape(file,
                 e->format == VIPS_FORMAT_UCHAR    ? RUG_U8
                 : e->format == VIPS_FORMAT_USHORT ? RUG_U16
                 : e->format == VIPS_FORMAT_UINT   ? RUG_U32
                                                   : RUG_F32,
                 are_planes ? 3 : 0, (size_t)e->height, (size_t)e->width);
    assert_int_equal(facts->n_channels, e->n_channels);
    assert_int_equal(facts->dropped_alpha, e->bands > e->n_channels);
    assert_int_equal(facts->n_planes, are_planes ? 3 : 1);
    assert_true(facts->n_pages == 1 && facts->n_levels == 1 && facts->page == 0);
    for (int p = 0; p < facts->n_planes; p++)
        for (size_t y = 0; y < (size_t)e->height; y++)
            for (size_t x = 0; x < (size_t)e->width; x++)
                assert_pixel(
                    file, (size_t)p, y, x,
                    expected_pixel(e, are_planes ? 100 + p : opts.channel, y, x));
    rug_file_free(file);
}

/* Reads a file in every way, and compares each with what libvips decodes. */
static void compare(const char *path, int upside_down)
{
    VipsImage *image = vips_image_new_from_file(path, NULL);
    size_t n;
    if (image == NULL)
        fail_msg("%s: %s", path, vips_error_buffer());
    expected e = {.path = path,
                  .width = vips_image_get_width(image),
                  .height = vips_image_get_height(image),
                  .bands = vips_image_get_bands(image),
                  .format = vips_image_get_format(image),
                  .upside_down = upside_down};
    e.n_channels = e.bands - (vips_image_hasalpha(image) ? 1 : 0);
    e.decoded = vips_image_write_to_memory(image, &n);
    assert_non_null(e.decoded);
    for (int channel = -1; channel < e.n_channels; channel++)
        compare_channel(&e, channel);
    compare_channel(&e, 100);
    g_free(e.decoded);
    g_object_unref(image);
}

static unsigned next_random(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33);
}

/* ---- PNG ---- */

typedef struct png_kind {
    int colour, depth, interlaced, transparent;
    uint32_t width, height;
} png_kind;

static void set_transparent(png_structp png, png_infop info, const png_kind *k)
{
    png_color_16 colour = {0, 1, 1, 1, 1};
    png_byte alphas[2] = {0, 128};
    if (k->colour == PNG_COLOR_TYPE_PALETTE)
        png_set_tRNS(png, info, alphas, 2, NULL);
    else
        png_set_tRNS(png, info, NULL, 0, &colour);
}

/* Writes random pixels, a fifth of them grey where there are colours. */
static const char *put_png(scratch *here, const png_kind *k)
{
    FILE *out = fopen(scratch_path(here, "a.png"), "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    assert_true(out != NULL && info != NULL);
    png_init_io(png, out);
    png_set_IHDR(png, info, k->width, k->height, k->depth, k->colour,
                 k->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, 0, 0);
    if (k->colour == PNG_COLOR_TYPE_PALETTE) {
        png_color palette[256];
        for (int i = 0; i < 256; i++)
            palette[i] = (png_color){(png_byte)next_random(), (png_byte)(i * 3),
                                     (png_byte)next_random()};
        png_set_PLTE(png, info, palette, 1 << k->depth);
    }
    png_set_pHYs(png, info, 3937, 2000, PNG_RESOLUTION_METER);
    if (k->transparent)
        set_transparent(png, info, k);
    png_write_info(png, info);
    size_t row = png_get_rowbytes(png, info);
    unsigned char *pixels = malloc(row * k->height);
    for (size_t i = 0; i < row * k->height; i++)
        pixels[i] = (unsigned char)(next_random() >> 8);
    int n_passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < n_passes; pass++)
        for (size_t y = 0; y < k->height; y++)
            png_write_row(png, pixels + y * row);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    free(pixels);
    fclose(out);
    return here->path;
}

static void compare_png(scratch *here, int colour, int depth)
{
    static const uint32_t sizes[][2] = {{1, 1}, {13, 9}, {2, 40}, {70, 5}};
    int may_be_transparent = (colour & PNG_COLOR_MASK_ALPHA) == 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int interlaced = 0; interlaced < 2; interlaced++)
            for (int transparent = 0; transparent <= may_be_transparent; transparent++) {
                const png_kind kind = {colour,      depth,       interlaced,
                                       transparent, sizes[i][0], sizes[i][1]};
                compare(put_png(here, &kind), 0);
            }
}

static void png_like_libvips(void **state)
{
    for (int depth = 1; depth <= 16; depth *= 2) {
        compare_png(*state, PNG_COLOR_TYPE_GRAY, depth);
        if (depth <= 8)
            compare_png(*state, PNG_COLOR_TYPE_PALETTE, depth);
        if (depth < 8)
            continue;
        compare_png(*state, PNG_COLOR_TYPE_RGB, depth);
        compare_png(*state, PNG_COLOR_TYPE_GRAY_ALPHA, depth);
        compare_png(*state, PNG_COLOR_TYPE_RGB_ALPHA, depth);
    }
}

/* Where a chunk of a PNG file begins, its length first. */
static size_t find_chunk(const unsigned char *bytes, size_t n, const char *name)
{
    for (size_t i = 4; i + 4 <= n; i++)
        if (memcmp(bytes + i, name, 4) == 0)
            return i - 4;
    fail_msg("no %s", name);
    return 0;
}

/* Damage to pixels fails; damage to what is not looked at does not. */
static void damaged_png(void **state)
{
    static const png_kind kinds[] = {{PNG_COLOR_TYPE_GRAY, 8, 0, 0, 60, 50},
                                     {PNG_COLOR_TYPE_RGB, 8, 1, 0, 60, 50}};
    scratch *here = *state;
    int kept = begin_silence(here);
    for (size_t i = 0; i < 2; i++) {
        size_t n;
        put_png(here, &kinds[i]);
        unsigned char *bytes = get_bytes(here->path, &n);
        size_t pixels = find_chunk(bytes, n, "IDAT"),
               other = find_chunk(bytes, n, "pHYs");
        bytes[pixels + 700] ^= 0x20;
        must_fail(put_bytes(here, "b.png", bytes, n), NULL, RUG_E_FORMAT,
                  i == 0 ? "damaged after " : "damaged in pass ");
        bytes[pixels + 700] ^= 0x20;
        must_fail(put_bytes(here, "b.png", bytes, pixels + 700), NULL, RUG_E_FORMAT,
                  i == 0 ? "cut off after " : "cut off in pass ");
        bytes[other + 9] ^= 1;
        rug_file_free(must_read(put_bytes(here, "b.png", bytes, n), NULL));
        bytes[20] ^= 1; /* the width */
        must_fail(put_bytes(here, "b.png", bytes, n), NULL, RUG_E_FORMAT,
                  "the PNG header is damaged: IHDR: CRC error");
        must_fail(put_bytes(here, "b.png", bytes, 30), NULL, RUG_E_FORMAT,
                  "cut off within the PNG header");
        free(bytes);
    }
    end_silence(here, kept);
}

/* An interlaced file has pixels of every row at its end. */
static void cut_png(void **state)
{
    static const png_kind kinds[] = {{PNG_COLOR_TYPE_GRAY, 16, 1, 0, 17, 12},
                                     {PNG_COLOR_TYPE_RGB_ALPHA, 8, 1, 0, 9, 12},
                                     {PNG_COLOR_TYPE_PALETTE, 4, 0, 1, 40, 30}};
    scratch *here = *state;
    int kept = begin_silence(here);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t n;
        free(get_bytes(put_png(here, &kinds[i]), &n));
        assert_true(cut_everywhere(here, "a.png", NULL, 1) > n - 40);
    }
    end_silence(here, kept);
}

/* ---- PNM ---- */

typedef struct pnm_kind {
    char kind;
    unsigned max;
    size_t width, height;
} pnm_kind;

static void put_sample(FILE *out, const pnm_kind *k, unsigned value)
{
    if (k->kind <= '3')
        fprintf(out, k->kind == '1' || value % 3 ? "%u " : "%u\n\t", value);
    else
        for (int bytes = k->max > 65535 ? 4 : k->max > 255 ? 2 : 1; bytes-- > 0;)
            putc((int)(value >> 8 * bytes & 255), out);
}

static const char *put_pnm(scratch *here, const pnm_kind *k)
{
    FILE *out = fopen(scratch_path(here, "a.pnm"), "wb");
    assert_non_null(out);
    int has_max = k->kind != '1' && k->kind != '4';
    size_t n = k->width * (k->kind == '3' || k->kind == '6' ? 3 : 1);
    fprintf(out, "P%c\n# a comment\n%zu %zu\n", k->kind, k->width, k->height);
    if (has_max)
        fprintf(out, "%u\n", k->max);
    for (size_t y = 0; y < k->height; y++)
        if (k->kind == '4')
            for (size_t x = 0; x < n; x += 8)
                putc((int)(next_random() & 255), out);
        else
            for (size_t x = 0; x < n; x++)
                put_sample(out, k, next_random() % (k->max + 1));
    fclose(out);
    return here->path;
}

static void pnm_like_libvips(void **state)
{
    static const unsigned most[] = {1, 15, 254, 255, 256, 4095, 65535, 70000, 2000000000};
    static const size_t sizes[][2] = {{1, 1}, {9, 7}, {40, 3}, {2, 300}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (char kind = '1'; kind <= '6'; kind++)
            for (size_t m = 0; m < sizeof most / sizeof most[0]; m++) {
                const pnm_kind k = {kind, most[m], sizes[i][0], sizes[i][1]};
                if ((kind != '1' && kind != '4') || m == 0)
                    compare(put_pnm(*state, &k), 0);
            }
}

/* Rows of PFM stand from bottom to top; the sign of the scale is the order of bytes. */
static void pfm_like_libvips(void **state)
{
    static const char *const scales[] = {"-1.0", "1", "-255", "2.5e0"};
    scratch *here = *state;
    for (size_t i = 0; i < 4; i++)
        for (int colours = 0; colours < 2; colours++) {
            FILE *out = fopen(scratch_path(here, "a.pfm"), "wb");
            assert_non_null(out);
            fprintf(out, "P%c\n5 11\n%s\n", colours ? 'F' : 'f', scales[i]);
            for (int n = 0; n < 5 * 11 * (colours ? 3 : 1); n++) {
                float value = (float)next_random() / 1e6f - 1000;
                unsigned char bytes[4];
                memcpy(bytes, &value, 4);
                for (int b = 0; b < 4; b++)
                    putc(bytes[*scales[i] == '-' ? b : 3 - b], out);
            }
            fclose(out);
            compare(here->path, 1);
        }
}

/* Text, and the pixels of one row that it means. */
typedef struct text_file {
    const char *bytes;
    size_t n;
    size_t width;
    double pixels[6];
} text_file;

#define TEXT(text) text, sizeof text - 1

/* Heads as various programs write them. */
static void pnm_heads(void **state)
{
    static const text_file files[] = {
        {TEXT("P5\n# a\n# b\n6 1\n255\n\1\2\3\4\5\6"), 6, {1, 2, 3, 4, 5, 6}},
        {TEXT("P5\n#\n#\n6\n# c\n1 # d\n# e\n255\n\1\2\3\4\5\6"), 6, {1, 2, 3, 4, 5, 6}},
        {TEXT("P5 2# a\n1\t255# b\n\1\2"), 2, {1, 2}},
        {TEXT("P5 2 1 255 \1\2"), 2, {1, 2}},
        {TEXT("P5 2 1 255 #\n"), 2, {'#', '\n'}},
        {TEXT("P5 2 1 255 #\n\1\2"), 2, {1, 2}},
        {TEXT("P5\r\n2 1\r\n255\r\n\1\2"), 2, {1, 2}},
        {TEXT("P5 2 1 255\n# b\n\1\2"), 2, {1, 2}},
        {TEXT("P5 2 1 255\n\1\2P5 2 1 255\n\3\4"), 2, {1, 2}},
        {TEXT("P5 2 1 9\n\1\200"), 2, {1, 128}},
        {TEXT("P1\n4 1\n0110\n"), 4, {255, 0, 0, 255}},
        {TEXT("P1 4 1 01# a comment\n10"), 4, {255, 0, 0, 255}},
        {TEXT("P2\n3 1 9\n1#\n2 # 7\n\n9"), 3, {1, 2, 9}},
        {TEXT("P2 2 1 255 007 8 more"), 2, {7, 8}},
        {TEXT("P4\n# a\n10 1\n\x2a\x40"), 6, {255, 255, 0, 255, 0, 255}},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        rug_file *file =
            must_read(put_bytes(*state, "a.pnm", files[i].bytes, files[i].n), NULL);
        for (size_t x = 0; x < files[i].width; x++)
            assert_pixel(file, 0, 0, x, files[i].pixels[x]);
        rug_file_free(file);
    }
}

static void malformed_pnm(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *text;
    } files[] = {
        {TEXT("P2\n2 2\n255\n1 2\n3 x\n"), "line 5: 'x' given, a number of 0 to 255"},
        {TEXT("P2\n2 2\n255\n1 2\n3 256\n"), "line 5: '256' given, a number of 0 to 255"},
        {TEXT("P2\n2 2\n255\n1 -2\n3 4\n"), "line 4: '-2' given"},
        {TEXT("P2\n# c\n2 2\n255\n1 2.5\n3 4\n"), "line 5: '2.5' given"},
        {TEXT("P2 2 1 255 1 99999999999999999999"), "'99999999999999999999' given"},
        {TEXT("P3 1 1 255 1 \377\1 3"), "given, a number of 0 to 255 expected"},
        {TEXT("P1\n4 1\n0120\n"), "line 3: '2' given, a number of 0 to 1"},
        {TEXT("P2 2 2 255 1 2 3   "), "cut off: 3 of 4 numbers"},
        {TEXT("P2 2 2 255 1"), "1 bytes of text are too few for 2x2 pixels"},
        {TEXT("P1 9 2 0101"), "cut off"},
        {TEXT("P5 2 2 0\n\1\2\3\4"), "width, height and largest value of 1"},
        {TEXT("P5 2 2 4294967296\n\1\2\3\4"), "largest value"},
        {TEXT("P5 2 2 25x\n\1\2\3\4"), "largest value"},
        {TEXT("P5 2 2"), "largest value"},
        {TEXT("P5 4294967295 4294967295 4294967295\n"), "PNM header is invalid"},
        {TEXT("P6 2 2 255\n\1\2\3\4"), "cut off: 4 of 12 bytes"},
        {TEXT("P4 9 2\n\1\2\3"), "cut off: 3 of 4 bytes"},
        {TEXT("Pf 1 1 0\n\1\2\3\4"), "a scale other than 0"},
        {TEXT("Pf 1 1 nan\n\1\2\3\4"), "a scale other than 0"},
        {TEXT("PF 1 1 1\n\1\2\3\4"), "cut off: 4 of 12 bytes"},
        {TEXT("P5"), "PNM header is invalid"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        must_fail(put_bytes(*state, "a.pnm", files[i].bytes, files[i].n), NULL,
                  RUG_E_FORMAT, files[i].text);
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.page = 1;
    must_fail(put_bytes(*state, "a.pnm", TEXT("P5 1 1 9\n\1")), &opts, RUG_E_ARG,
              "the pnm file has one page (0)");
    opts.page = -1;
    opts.volume = 1;
    must_fail(scratch_path(*state, "a.pnm"), &opts, RUG_E_ARG, "holds no volume");
}

/* Files that become shorter after they were opened, and between two slabs. */
static void shrinking(void **state)
{
    static const char *const heads[] = {"P5 64 4000 255\n", "P6 64 4000 255\n",
                                        "P4 512 4000\n", "PF 64 4000 -1\n",
                                        "P2 64 4000 9\n"};
    scratch *here = *state;
    size_t n = 64 * 4000 * 12 + 100;
    char *bytes = malloc(n);
    assert_non_null(bytes);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        rug_file *file;
        rug_image slab;
        for (size_t b = 0; b < n; b++)
            bytes[b] = b % 2 == 0 ? '7' : ' ';
        memcpy(bytes, heads[i], strlen(heads[i]));
        put_bytes(here, "a.pnm", bytes, n);
        assert_int_equal(rug_file_open(ctx, &file, here->path, NULL), RUG_OK);
        const rug_source *source = rug_file_source(file);
        assert_int_equal(source->read(ctx, source->user, &slab, 0, 2000), RUG_OK);
        assert_int_equal(truncate(here->path, 5000), 0);
        const char *text =
            i == 4 ? "cut off: " : "became shorter while it was being read";
        assert_failure(here->path, source->read(ctx, source->user, &slab, 2000, 2000),
                       RUG_E_FORMAT, text);
        assert_failure(here->path, rug_file_load(ctx, file), RUG_E_FORMAT, text);
        rug_file_free(file);
    }
    free(bytes);
}

int main(int argc, char **argv)
{
    (void)argc;
    if (VIPS_INIT(argv[0]) != 0)
        return 1;
    vips_cache_set_max(0); /* each file is opened, not what had its name before */
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(png_like_libvips), SCRATCH_TEST(damaged_png),
        SCRATCH_TEST(cut_png),          SCRATCH_TEST(pnm_like_libvips),
        SCRATCH_TEST(pfm_like_libvips), SCRATCH_TEST(pnm_heads),
        SCRATCH_TEST(malformed_pnm),    SCRATCH_TEST(shrinking),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
