/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* ifs_independent STREAM.rfi OUT [SCALE|WxH]: decodes a stream to a PGM, PPM or, with alpha, PAM file. */

#include "independent.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void fail(const char *file, const char *what)
{
    fprintf(stderr, "ifs_independent: %s: %s\n", file, what);
    exit(1);
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail(path, "cannot be opened");
    size_t room = 1 << 16;
    uint8_t *bytes = malloc(room);
    *size = 0;
    for (size_t n; bytes && (n = fread(bytes + *size, 1, room - *size, file)) > 0;) {
        *size += n;
        if (*size == room)
            bytes = realloc(bytes, room *= 2);
    }
    if (!bytes || ferror(file))
        fail(path, "cannot be read");
    fclose(file);
    return bytes;
}

static void write_picture(const char *path, const ind_picture *picture)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        fail(path, "cannot be opened");
    int n_planes = picture->n_planes, white = picture->depth == 16 ? 65535 : 255;
    long long nx = picture->nx, ny = picture->ny;
    if (n_planes % 2 == 0)
        fprintf(file,
                "P7\nWIDTH %lld\nHEIGHT %lld\nDEPTH %d\nMAXVAL %d\nTUPLTYPE %s\nENDHDR\n",
                nx, ny, n_planes, white, n_planes == 4 ? "RGB_ALPHA" : "GRAYSCALE_ALPHA");
    else
        fprintf(file, "P%d\n%lld %lld\n%d\n", n_planes == 3 ? 6 : 5, nx, ny, white);
    int64_t n = picture->nx * picture->ny;
    for (int64_t i = 0; i < n; i++) {
        for (int p = 0; p < n_planes; p++) {
            int v = picture->pixels[p * n + i];
            if (picture->depth == 16)
                fputc(v >> 8, file);
            fputc(v & 255, file);
        }
    }
    if (fclose(file))
        fail(path, "cannot be written");
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: ifs_independent STREAM.rfi OUT [SCALE|WxH]\n");
        return 2;
    }
    size_t size;
    uint8_t *bytes = read_file(argv[1], &size);
    int64_t nx = 0, ny = 0;
    if (argc == 4) {
        char *end;
        nx = strtoll(argv[3], &end, 10);
        ny = *end == 'x' ? strtoll(end + 1, &end, 10) : 0;
        if (*end || nx < 1 || nx > 1 << 20 || ny < 0 || ny > 1 << 20)
            fail(argv[3], "not a scale or WxH");
        int64_t coded_nx, coded_ny;
        if (ny == 0 && !ind_read_size(&coded_nx, &coded_ny, bytes, size)) {
            ny = nx * coded_ny;
            nx = nx * coded_nx;
        }
    }
    ind_picture picture;
    const char *wrong = ind_decode(&picture, bytes, size, nx, ny);
    free(bytes);
    if (wrong)
        fail(argv[1], wrong);
    write_picture(argv[2], &picture);
    free(picture.pixels);
    return 0;
}
