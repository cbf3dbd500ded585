/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#include "soak_images.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64 (Steele, Lea and Flood 2014). */
static uint64_t next_bits(soak_random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

unsigned soak_draw(soak_random *random, unsigned n)
{
    return (unsigned)((next_bits(random) >> 32) * n >> 32);
}

static unsigned draw_size(soak_random *random)
{
    return soak_draw(random, 8) == 0 ? 1 : 1 + soak_draw(random, 30);
}

soak_shape soak_draw_shape(soak_random *random)
{
    soak_shape shape = {.ndim = soak_draw(random, 5) == 0 ? 3 : 2};
    for (int a = 0; a < shape.ndim; a++)
        shape.sizes[a] = draw_size(random);
    if (shape.ndim == 3)
        shape.sizes[0] = 1 + shape.sizes[0] / 4;
    return shape;
}

static size_t count(const soak_shape *shape)
{
    size_t n = 1;
    for (int a = 0; a < shape->ndim; a++)
        n *= shape->sizes[a];
    return n;
}

static FILE *open_file(const char *path)
{
    FILE *out = fopen(path, "wb");
    if (out == NULL) {
        perror(path);
        exit(2);
    }
    return out;
}

/* ---- npy ---- */

typedef enum value_kind { UNSIGNED, SIGNED, REAL, HALF } value_kind;

static const struct {
    const char *name;
    value_kind kind;
    size_t size;
} types[] = {{"|b1", UNSIGNED, 1}, {"|u1", UNSIGNED, 1}, {"|i1", SIGNED, 1},
             {"<u2", UNSIGNED, 2}, {"<i2", SIGNED, 2},   {"<u4", UNSIGNED, 4},
             {"<i4", SIGNED, 4},   {"<u8", UNSIGNED, 8}, {"<i8", SIGNED, 8},
             {"<f2", HALF, 2},     {"<f4", REAL, 4},     {"<f8", REAL, 8}};

#define N_TYPES   ((unsigned)(sizeof types / sizeof *types))
#define TYPE_BOOL 0
#define TYPE_U8   1

static void put_head(FILE *out, const char *type, const soak_shape *shape)
{
    char text[128], sizes[64] = "";
    for (int a = 0; a < shape->ndim; a++)
        snprintf(sizes + strlen(sizes), sizeof sizes - strlen(sizes), "%s%u",
                 a > 0 ? ", " : "", shape->sizes[a]);
    int n =
        snprintf(text, sizeof text,
                 "{'descr': '%s', 'fortran_order': False, 'shape': (%s)}", type, sizes);
    fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, out); /* 118 bytes follow */
    fprintf(out, "%s%*s\n", text, 117 - n, "");
}

/* Puts a whole number, or one that only floats have. */
static void put_value(FILE *out, unsigned type, double value)
{
    unsigned char bytes[8];
    float single = (float)value;
    if (types[type].kind != REAL)
        memcpy(bytes, &(int64_t){(int64_t)value}, sizeof(int64_t));
    else if (types[type].size == 8)
        memcpy(bytes, &value, sizeof value);
    else
        memcpy(bytes, &single, sizeof single);
    fwrite(bytes, 1, types[type].size, out);
}

static void put_bits(soak_random *random, FILE *out, unsigned type)
{
    uint64_t bits = next_bits(random);
    if (type == TYPE_BOOL)
        bits &= 1;
    fwrite(&bits, 1, types[type].size, out);
}

/* The least and the largest numbers of a type, and those that are none. */
static void put_extreme(soak_random *random, FILE *out, unsigned type)
{
    static const double reals[] = {NAN,    INFINITY, -INFINITY, -0.0,
                                   1e-310, 1e300,    -1e300,    0.1};
    uint64_t bits = soak_draw(random, 2) == 0 ? UINT64_MAX : 0;
    uint64_t top = UINT64_C(1) << (8 * types[type].size - 1);
    if (types[type].kind == REAL) {
        put_value(out, type, reals[soak_draw(random, 8)]);
        return;
    }
    if (types[type].kind == SIGNED)
        bits ^= top;
    if (type == TYPE_BOOL)
        bits &= 1;
    fwrite(&bits, 1, types[type].size, out);
}

static void put_pixels(soak_random *random, FILE *out, unsigned type, size_t n)
{
    enum { BITS, LEVELS, FLAT, RAMP, SPARSE, EXTREMES, MIXED, N_CONTENTS };
    unsigned content = soak_draw(random, N_CONTENTS);
    unsigned n_levels = 1 + soak_draw(random, 9);
    int is_plain = type != TYPE_BOOL && types[type].kind != HALF;
    int first = is_plain && types[type].kind != UNSIGNED ? -4 : 0;
    double step = types[type].kind == REAL ? 0.25 : 1;
    for (size_t i = 0; i < n; i++) {
        double level = (double)first + step * (double)soak_draw(random, n_levels);
        if (content == BITS || !is_plain)
            put_bits(random, out, type);
        else if (content == EXTREMES || (content == MIXED && soak_draw(random, 4) == 0))
            put_extreme(random, out, type);
        else if (content == RAMP)
            put_value(out, type, (double)first + (double)(i % 100));
        else if (content == FLAT)
            put_value(out, type, n_levels);
        else if (content == SPARSE)
            put_value(out, type, soak_draw(random, 50) == 0);
        else
            put_value(out, type, level);
    }
}

void soak_write_image(soak_random *random, const char *path, const soak_shape *shape)
{
    FILE *out = open_file(path);
    unsigned type = soak_draw(random, N_TYPES);
    put_head(out, types[type].name, shape);
    put_pixels(random, out, type, count(shape));
    fclose(out);
}

void soak_write_levels(soak_random *random, const char *path, const soak_shape *shape,
                       unsigned n)
{
    FILE *out = open_file(path);
    unsigned most = soak_draw(random, 10) == 0 ? 1 : n;
    put_head(out, types[TYPE_U8].name, shape);
    for (size_t i = count(shape); i > 0; i--)
        fputc((int)soak_draw(random, most), out);
    fclose(out);
}

/* ---- Others ---- */

void soak_write_pnm(soak_random *random, const char *path, const soak_shape *shape)
{
    FILE *out = open_file(path);
    int is_colour = soak_draw(random, 2) == 0, is_wide = soak_draw(random, 3) == 0;
    unsigned n_levels = 1 + soak_draw(random, 256);
    size_t n = (size_t)shape->sizes[0] * shape->sizes[1] * (is_colour ? 3 : 1);
    fprintf(out, "P%d\n%u %u\n%d\n", is_colour ? 6 : 5, shape->sizes[1], shape->sizes[0],
            is_wide ? 65535 : 255);
    for (size_t i = 0; i < n; i++) {
        if (is_wide)
            fputc((int)soak_draw(random, 256), out);
        fputc((int)soak_draw(random, n_levels), out);
    }
    fclose(out);
}

void soak_write_points(soak_random *random, const char *path)
{
    FILE *out = open_file(path);
    unsigned n_columns = 1 + soak_draw(random, 4), n = soak_draw(random, 41);
    int has_fractions = soak_draw(random, 2) == 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned c = 0; c < n_columns; c++)
            fprintf(out, has_fractions ? "%.3f%c" : "%.0f%c",
                    ((double)soak_draw(random, 64) - 20) * 1.37,
                    c + 1 < n_columns ? ',' : '\n');
    fclose(out);
}
