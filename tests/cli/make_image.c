/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Makes small image files for the tests of the program:
 *
 *     make_image FILE.tif|FILE.npy|FILE.nii [KEY=VALUE ...]
 *
 * shape=8x8 or 2x8x8 (in a TIFF the first of three is pages);
 * dtype=bit|u8|u16|i16|f32|f64, in npy also u64|i64;
 * fill=full|sierpinski|menger|steps|ramp|checker|layers|outline|noise|blocks, within the
 * side=N pixels of each axis from first=0 on (of y and x), as low=0 and high=1 (ramp: from low to
 * high; blocks: three labels 1, 2 and 7 in a row of blocks 10 pixels wide, low between them);
 * nan=N first pixels; values=0,1,nan,... instead of a fill: all pixels, rows one by one;
 * flip=x, xy ... stores axes in the other direction. promise=SHAPE is what the header of npy and nii
 * says instead. TIFF: order=II|MM, white=0|1, orientation=1..8, map=X,Y,SIZE (GeoTIFF: the outer
 * corner of the first pixel, and the side of one), unit=CODE (of the map: 9001 metre, 9102 degree ...),
 * nodata=TEXT (GDAL's tag), place=1 (GeoTIFF's: pixels of 10, of no unit), dpi=N, profile=NAME (a colour
 * profile of that name, of grey), alpha=1 (behind each pixel its complement; associated) or 2 (not). NIfTI: spacing=SHAPE, slope, inter, affine=12 numbers (sform, row by row). It does
 * not know rugose. */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

typedef struct job {
    const char *path, *fill, *dtype, *order, *values, *flip, *nodata, *profile;
    int ndim, n_promised;
    double shape[3], promise[3], spacing[3]; /* the last ndim, slowest first */
    double side, first, low, high, nan, white, slope, inter, orientation, place, unit,
        dpi, alpha;
    double affine[12], map[3];
    int n_affine, n_map;
} job;

static void fail(const char *what, const char *about)
{
    fprintf(stderr, "make_image: %s: %s\n", about, what);
    exit(1);
}

/* "2x8x8" into the last places of a triple. Returns how many there are. */
static int parse_sizes(double sizes[3], const char *text)
{
    double found[3];
    int n = 0;
    sizes[0] = sizes[1] = sizes[2] = 1;
    while (n < 3 && *text != '\0') {
        char word[32] = "";
        size_t length = strcspn(text, "x"); /* strtod would take 0x8 for hexadecimal */
        memcpy(word, text, length < sizeof word ? length : sizeof word - 1);
        found[n++] = strtod(word, NULL);
        text += length + (text[length] == 'x');
    }
    for (int i = 0; i < n; i++)
        sizes[3 - n + i] = found[i];
    return n;
}

/* Numbers separated by commas. @return how many there are, at most n */
static int parse_list(double *out, int n, const char *text)
{
    int found = 0;
    for (char *end; found < n && *text != '\0'; text = end + (*end == ',')) {
        out[found++] = strtod(text, &end);
        if (end == text)
            fail("numbers expected", text);
    }
    return found;
}

static void parse_word(job *j, const char *word)
{
    const struct {
        const char *name;
        double *value;
    } numbers[] = {
        {"side", &j->side},   {"first", &j->first}, {"low", &j->low},
        {"high", &j->high},   {"nan", &j->nan},     {"white", &j->white},
        {"slope", &j->slope}, {"inter", &j->inter}, {"orientation", &j->orientation},
        {"dpi", &j->dpi},     {"alpha", &j->alpha}, {"place", &j->place},
        {"unit", &j->unit}};
    const char *value = strchr(word, '=');
    if (value == NULL)
        fail("KEY=VALUE expected", word);
    size_t n = (size_t)(value++ - word);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strncmp(word, numbers[i].name, n) == 0 && numbers[i].name[n] == '\0') {
            *numbers[i].value = strtod(value, NULL);
            return;
        }
    if (strncmp(word, "shape=", 6) == 0)
        j->ndim = parse_sizes(j->shape, value);
    else if (strncmp(word, "promise=", 8) == 0)
        j->n_promised = parse_sizes(j->promise, value);
    else if (strncmp(word, "spacing=", 8) == 0)
        parse_sizes(j->spacing, value);
    else if (strncmp(word, "affine=", 7) == 0)
        j->n_affine = parse_list(j->affine, 12, value);
    else if (strncmp(word, "map=", 4) == 0)
        j->n_map = parse_list(j->map, 3, value);
    else if (strncmp(word, "flip=", 5) == 0)
        j->flip = value;
    else if (strncmp(word, "fill=", 5) == 0)
        j->fill = value;
    else if (strncmp(word, "values=", 7) == 0)
        j->values = value;
    else if (strncmp(word, "dtype=", 6) == 0)
        j->dtype = value;
    else if (strncmp(word, "order=", 6) == 0)
        j->order = value;
    else if (strncmp(word, "nodata=", 7) == 0)
        j->nodata = value;
    else if (strncmp(word, "profile=", 8) == 0)
        j->profile = value;
    else
        fail("unknown key", word);
}

/* A Menger sponge, in 2D a Sierpinski carpet: at no digit of base 3 are two axes 1. */
static int is_menger(const int at[3])
{
    for (int k = 1; k < 2187; k *= 3) {
        int ones = 0;
        for (int a = 0; a < 3; a++)
            ones += at[a] / k % 3 == 1;
        if (ones > 1)
            return 0;
    }
    return 1;
}

static double pixel(const job *j, const int place[3])
{
    static uint32_t noise = 12345;
    static const double labels[] = {1, 2, 7};
    const char *f = j->fill;
    int is_set = 1;
    const int first = (int)j->first,
              at[3] = {place[0], place[1] - first, place[2] - first};
    for (int a = 0; a < 3; a++)
        if (at[a] >= j->side || at[a] < 0)
            return j->low;
    if (strcmp(f, "sierpinski") == 0)
        is_set = (at[1] & at[2]) == 0;
    else if (strcmp(f, "menger") == 0)
        is_set = is_menger(at);
    else if (strcmp(f, "steps") == 0) /* page z has z + 1 columns */
        is_set = at[2] <= at[0];
    else if (strcmp(f, "checker") == 0)
        is_set = (at[0] + at[1] + at[2]) % 2 == 0;
    else if (strcmp(f, "layers") == 0)
        is_set = at[0] % 2 == 0;
    else if (strcmp(f, "outline") == 0)
        is_set = at[1] == 0 || at[2] == 0 || at[1] == j->side - 1 || at[2] == j->side - 1;
    else if (strcmp(f, "noise") == 0)
        is_set = (noise = noise * 1664525u + 1013904223u) >> 31 != 0;
    else if (strcmp(f, "ramp") == 0)
        return j->low + (j->high - j->low) * (at[1] * j->shape[2] + at[2]) /
                            (j->shape[1] * j->shape[2] - 1);
    else if (strcmp(f, "blocks") == 0)
        return at[2] % 10 < 8 ? labels[at[2] / 10 % 3] : j->low;
    else if (strcmp(f, "full") != 0)
        fail("unknown fill", f);
    return is_set ? j->high : j->low;
}

/* The next of the values that are listed; 64 bits are exact. */
static long double next_value(job *j)
{
    char *end;
    long double v = strtold(j->values, &end);
    if (end == j->values)
        fail("a value for each pixel expected", j->values);
    j->values = end + (*end == ',');
    return v;
}

static size_t pixel_bytes(const job *j)
{
    return (size_t)strtol(j->dtype + 1, NULL, 10) / 8;
}

/* Writes a value in the machine's order; a bit takes a byte here. */
static void store(const job *j, unsigned char *out, long double value)
{
    if (strcmp(j->dtype, "u64") == 0) {
        uint64_t whole = (uint64_t)value;
        memcpy(out, &whole, 8);
        return;
    }
    if (strcmp(j->dtype, "i64") == 0) {
        int64_t whole = (int64_t)value;
        memcpy(out, &whole, 8);
        return;
    }
    double v = (double)value;
    float f = (float)v;
    if (strcmp(j->dtype, "u16") == 0)
        memcpy(out, &(uint16_t){(uint16_t)v}, 2);
    else if (strcmp(j->dtype, "i16") == 0)
        memcpy(out, &(int16_t){(int16_t)v}, 2);
    else if (strcmp(j->dtype, "f32") == 0)
        memcpy(out, &f, 4);
    else if (strcmp(j->dtype, "f64") == 0)
        memcpy(out, &v, 8);
    else
        *out = (unsigned char)v;
}

static long double choose_pixel(job *j, const int place[3])
{
    if (j->values != NULL)
        return next_value(j);
    return j->nan-- > 0 ? (double)NAN : pixel(j, place);
}

/* Where a pixel is stored. */
static size_t place_of(const job *j, int z, int y, int x)
{
    int at[3] = {z, y, x};
    for (int a = 0; a < 3; a++)
        if (strchr(j->flip, "zyx"[a]) != NULL)
            at[a] = (int)j->shape[a] - 1 - at[a];
    return ((size_t)at[0] * (size_t)j->shape[1] + (size_t)at[1]) * (size_t)j->shape[2] +
           (size_t)at[2];
}

static unsigned char *make_pixels(job *j, size_t *n_bytes)
{
    size_t size = pixel_bytes(j) > 0 ? pixel_bytes(j) : 1;
    *n_bytes = (size_t)(j->shape[0] * j->shape[1] * j->shape[2]) * size;
    unsigned char *pixels = calloc(*n_bytes + 1, 1);
    if (pixels == NULL)
        fail("no memory", j->path);
    for (int z = 0; z < j->shape[0]; z++)
        for (int y = 0; y < j->shape[1]; y++)
            for (int x = 0; x < j->shape[2]; x++)
                store(j, pixels + place_of(j, z, y, x) * size,
                      choose_pixel(j, (const int[3]){z, y, x}));
    if (j->values != NULL && *j->values != '\0')
        fail("fewer values expected", j->values);
    return pixels;
}

static void write_row(const job *j, TIFF *tiff, const unsigned char *row, uint32_t y)
{
    unsigned char line[8 * 4096] = {0};
    size_t n = (size_t)j->shape[2];
    if (TIFFScanlineSize(tiff) > (tmsize_t)sizeof line)
        fail("too wide", j->path);
    if (j->alpha > 0)
        for (size_t i = 0, size = pixel_bytes(j); i < n * size; i++) {
            line[i / size * 2 * size + i % size] = row[i];
            line[i / size * 2 * size + size + i % size] = (unsigned char)~row[i];
        }
    else if (strcmp(j->dtype, "bit") != 0)
        memcpy(line, row, n * pixel_bytes(j));
    else
        for (size_t x = 0; x < n; x++)
            line[x / 8] |=
                (unsigned char)((row[x] != 0) != (j->white > 0) ? 128 >> x % 8 : 0);
    TIFFWriteScanline(tiff, line, y, 0);
}

/* Tags that libtiff does not know: GDAL's, and GeoTIFF's size of a pixel, the place of one point of
 * the picture, and keys. */
static void set_geo_tags(const job *j, TIFF *tiff)
{
    static char name[] = "geo";
    static const TIFFFieldInfo fields[] = {
        {42113, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, name},
        {33550, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, name},
        {33922, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, name},
        {34735, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, name}};
    const int is_angle = j->unit > 9100, has_unit = j->unit > 0;
    const uint16_t keys[] = {1,
                             1,
                             0,
                             has_unit ? 3 : 1,
                             1025,
                             0,
                             1,
                             1,
                             1024,
                             0,
                             1,
                             is_angle ? 2 : 1,
                             is_angle ? 2054 : 3076,
                             0,
                             1,
                             (uint16_t)j->unit};
    double side = j->n_map > 0 ? j->map[2] : 10;
    const double scale[3] = {side, side, 0};
    const double tie[6] = {
        0, 0, 0, j->n_map > 0 ? j->map[0] : 500000, j->n_map > 0 ? j->map[1] : 4000000,
        0};
    TIFFMergeFieldInfo(tiff, fields, sizeof fields / sizeof fields[0]);
    if (j->nodata != NULL)
        TIFFSetField(tiff, 42113, j->nodata);
    if (j->n_map == 0 && !(j->place > 0))
        return;
    TIFFSetField(tiff, 33550, 3, scale);
    TIFFSetField(tiff, 33922, 6, tie);
    if (j->place > 0 || has_unit)
        TIFFSetField(tiff, 34735, has_unit ? 16 : 8, keys);
}

/* A profile that has a head and its name (ICC.1:2022, 7.2 and 9.2.41, as of version 2). */
static void set_profile(const job *j, TIFF *tiff)
{
    enum { NAME = 156, TAIL = 80 };
    unsigned char icc[NAME + 64 + TAIL] = {0};
    size_t n = strlen(j->profile) + 1, size = NAME + n + TAIL;
    if (n > 64)
        fail("a shorter name expected", j->profile);
    icc[2] = (unsigned char)(size >> 8);
    icc[3] = (unsigned char)size;
    icc[8] = 2;
    memcpy(icc + 12, "mntrGRAYXYZ ", 12);
    memcpy(icc + 36, "acsp", 4);
    icc[131] = 1; /* one tag, 12 bytes behind its name */
    memcpy(icc + 132, "desc\0\0\0\x90", 8);
    icc[143] = (unsigned char)(12 + n + TAIL);
    memcpy(icc + 144, "desc", 4);
    icc[155] = (unsigned char)n;
    memcpy(icc + NAME, j->profile, n);
    TIFFSetField(tiff, TIFFTAG_ICCPROFILE, (uint32_t)size, icc);
}

/* What goes with the pixels. */
static void set_notes(const job *j, TIFF *tiff)
{
    const uint16_t alpha = j->alpha > 1 ? EXTRASAMPLE_UNASSALPHA : EXTRASAMPLE_ASSOCALPHA;
    if (j->orientation > 1)
        TIFFSetField(tiff, TIFFTAG_ORIENTATION, (int)j->orientation);
    if (j->profile != NULL)
        set_profile(j, tiff);
    if (j->dpi > 0) {
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, j->dpi);
        TIFFSetField(tiff, TIFFTAG_YRESOLUTION, j->dpi);
        TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
    }
    if (j->alpha > 0) {
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 2);
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &alpha);
    }
}

static void write_tiff(const job *j, const unsigned char *pixels)
{
    size_t size = pixel_bytes(j) > 0 ? pixel_bytes(j) : 1;
    TIFF *tiff = TIFFOpen(j->path, strcmp(j->order, "MM") == 0 ? "wb" : "wl");
    if (tiff == NULL)
        fail("cannot be written", j->path);
    for (int z = 0; z < j->shape[0]; z++) {
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)j->shape[2]);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)j->shape[1]);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, pixel_bytes(j) > 0 ? 8 * (int)size : 1);
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT,
                     j->dtype[0] == 'f'   ? SAMPLEFORMAT_IEEEFP
                     : j->dtype[0] == 'i' ? SAMPLEFORMAT_INT
                                          : SAMPLEFORMAT_UINT);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                     j->white > 0 ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_MINISBLACK);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 8);
        set_notes(j, tiff);
        set_geo_tags(j, tiff);
        for (uint32_t y = 0; y < j->shape[1]; y++, pixels += (size_t)j->shape[2] * size)
            write_row(j, tiff, pixels, y);
        TIFFWriteDirectory(tiff);
    }
    TIFFClose(tiff);
}

static void write_file(const job *j, const void *head, size_t n_head,
                       const unsigned char *pixels, size_t n_bytes)
{
    FILE *out = fopen(j->path, "wb");
    if (out == NULL || fwrite(head, 1, n_head, out) != n_head ||
        fwrite(pixels, 1, n_bytes, out) != n_bytes || fclose(out) != 0)
        fail("cannot be written", j->path);
}

static void write_npy(const job *j, const unsigned char *pixels, size_t n_bytes)
{
    char head[129];
    int n = j->n_promised;
    memcpy(head, "\x93NUMPY\1\0\x76\0", 10); /* 118 bytes follow, 128 in all */
    int used =
        snprintf(head + 10, 118, "{'descr': '<%s', 'fortran_order': False, 'shape': (",
                 strcmp(j->dtype, "f32") == 0   ? "f4"
                 : strcmp(j->dtype, "f64") == 0 ? "f8"
                 : strcmp(j->dtype, "u16") == 0 ? "u2"
                 : strcmp(j->dtype, "i16") == 0 ? "i2"
                 : strcmp(j->dtype, "u64") == 0 ? "u8"
                 : strcmp(j->dtype, "i64") == 0 ? "i8"
                                                : "u1");
    for (int a = 3 - n; a < 3; a++)
        used += snprintf(head + 10 + used, (size_t)(118 - used), "%.0f, ", j->promise[a]);
    used += snprintf(head + 10 + used, (size_t)(118 - used), "), }");
    memset(head + 10 + used, ' ', (size_t)(118 - used));
    head[127] = '\n';
    write_file(j, head, 128, pixels, n_bytes);
}

static void put_short(unsigned char *head, size_t at, double value)
{
    int16_t v = (int16_t)value;
    memcpy(head + at, &v, 2);
}

static void put_float(unsigned char *head, size_t at, double value)
{
    float v = (float)value;
    memcpy(head + at, &v, 4);
}

/* The fields of NIfTI-1 that matter (nifti1.h). */
static void write_nifti(const job *j, const unsigned char *pixels, size_t n_bytes)
{
    unsigned char head[352] = {0};
    int32_t size = 348;
    memcpy(head, &size, 4);
    put_short(head, 40, 3);
    for (int a = 0; a < 3; a++) {
        put_short(head, 42 + 2 * (size_t)a, j->promise[2 - a]);
        put_float(head, 80 + 4 * (size_t)a, j->spacing[2 - a]);
    }
    put_short(head, 70,
              strcmp(j->dtype, "f32") == 0   ? 16
              : strcmp(j->dtype, "f64") == 0 ? 64
              : strcmp(j->dtype, "i16") == 0 ? 4
              : strcmp(j->dtype, "u16") == 0 ? 512
                                             : 2);
    put_short(head, 72, 8 * (double)pixel_bytes(j));
    put_float(head, 108, 352);
    put_float(head, 112, j->slope);
    put_float(head, 116, j->inter);
    head[123] = 2; /* mm */
    put_short(head, 254, j->n_affine > 0);
    for (int i = 0; i < j->n_affine; i++)
        put_float(head, 280 + 4 * (size_t)i, j->affine[i]);
    memcpy(head + 344, "n+1", 4);
    write_file(j, head, sizeof head, pixels, n_bytes);
}

int main(int argc, char **argv)
{
    job j = {.fill = "full",
             .dtype = "u8",
             .order = "II",
             .ndim = 2,
             .side = 1e9,
             .high = 1,
             .slope = 1,
             .orientation = 1,
             .flip = "",
             .shape = {1, 8, 8},
             .spacing = {1, 1, 1}};
    if (argc < 2)
        fail("a file name expected", "usage");
    j.path = argv[1];
    for (int i = 2; i < argc; i++)
        parse_word(&j, argv[i]);
    if (j.n_promised == 0) {
        memcpy(j.promise, j.shape, sizeof j.promise);
        j.n_promised = j.ndim;
    }
    size_t n_bytes;
    unsigned char *pixels = make_pixels(&j, &n_bytes);
    const char *ending = strrchr(j.path, '.');
    if (ending != NULL && strcmp(ending, ".tif") == 0)
        write_tiff(&j, pixels);
    else if (ending != NULL && strcmp(ending, ".npy") == 0)
        write_npy(&j, pixels, n_bytes);
    else if (ending != NULL && strcmp(ending, ".nii") == 0)
        write_nifti(&j, pixels, n_bytes);
    else
        fail(".tif, .npy or .nii expected", j.path);
    free(pixels);
    return 0;
}
