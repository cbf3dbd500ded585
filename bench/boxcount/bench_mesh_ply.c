/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Meshes from PLY files (Turk 1994): a header names elements and their properties, numbers or
 * lists of them; the rows of the elements follow, as text or binary. */

#include "bench_mesh.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PROPERTIES 64
#define LINE            256

typedef enum encoding { ASCII, LITTLE, BIG } encoding;

typedef struct number_type {
    const char *name, *sized_name;
    size_t size;
    char kind; /* i, u or f */
} number_type;

static const number_type types[] = {
    {"char", "int8", 1, 'i'},     {"uchar", "uint8", 1, 'u'},
    {"short", "int16", 2, 'i'},   {"ushort", "uint16", 2, 'u'},
    {"int", "int32", 4, 'i'},     {"uint", "uint32", 4, 'u'},
    {"float", "float32", 4, 'f'}, {"double", "float64", 8, 'f'},
};

/* What a property is for. */
typedef enum role { IS_X, IS_Y, IS_Z, IS_CORNERS, IS_OTHER } role;

typedef struct property {
    const number_type *length, *type; /* length: of a list, else NULL */
    role role;
} property;

typedef struct element {
    char name[LINE];
    unsigned long long n;
    int n_properties;
    property properties[MOST_PROPERTIES];
} element;

typedef struct reader {
    bench_mesh *mesh;
    char *error;
    const char *header, *at,
        *end; /* the next line of the header, the next row, the end */
    encoding encoding;
} reader;

/* ---- The header ---- */

/* The next line of the header; 0: none is left. */
static int take_line(const char **at, const char *end, char line[LINE])
{
    size_t n = 0;
    if (*at == end)
        return 0;
    for (; *at < end && **at != '\n'; (*at)++)
        if (n < LINE - 1 && **at != '\r')
            line[n++] = **at;
    line[n] = '\0';
    *at += *at < end;
    return 1;
}

static const number_type *find_type(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(name, types[i].name) == 0 || strcmp(name, types[i].sized_name) == 0)
            return &types[i];
    return NULL;
}

static role role_of(const element *e, const char *name, int is_list)
{
    int is_vertex = strcmp(e->name, "vertex") == 0 && !is_list;
    if (is_vertex && name[0] >= 'x' && name[0] <= 'z' && name[1] == '\0')
        return (role)(name[0] - 'x');
    int is_corners =
        strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0;
    return strcmp(e->name, "face") == 0 && is_list && is_corners ? IS_CORNERS : IS_OTHER;
}

static int take_property(reader *r, element *e, const char *line)
{
    char length[LINE], type[LINE], name[LINE];
    property p = {0};
    int is_list =
        sscanf(line, "property list %255s %255s %255s", length, type, name) == 3;
    if (!is_list && sscanf(line, "property %255s %255s", type, name) != 2)
        return bench_mesh_refuse(r->error, "the line \"%.40s\" in the header", line);
    p.type = find_type(type);
    p.length = is_list ? find_type(length) : NULL;
    p.role = role_of(e, name, is_list);
    if (p.type == NULL || (is_list && (p.length == NULL || p.length->kind == 'f')) ||
        (p.role == IS_CORNERS && p.type->kind == 'f'))
        return bench_mesh_refuse(r->error, "the line \"%.40s\" in the header", line);
    if (e->n_properties == MOST_PROPERTIES)
        return bench_mesh_refuse(r->error, "more than %d properties", MOST_PROPERTIES);
    e->properties[e->n_properties++] = p;
    return 1;
}

/* The next element with its properties: 1; 0: there is none; -1: refused. */
static int next_element(reader *r, element *e)
{
    char line[LINE];
    memset(e, 0, sizeof *e);
    for (const char *next = r->header; take_line(&next, r->end, line);) {
        int is_element = strncmp(line, "element ", 8) == 0;
        if ((is_element && e->name[0] != '\0') || strcmp(line, "end_header") == 0)
            return e->name[0] != '\0';
        r->header = next;
        if (is_element && (sscanf(line, "element %255s %llu", e->name, &e->n) != 2 ||
                           strchr(line, '-') != NULL))
            return bench_mesh_refuse(r->error, "the line \"%.40s\" in the header", line) -
                   1;
        if (strncmp(line, "property ", 9) == 0 && !take_property(r, e, line))
            return -1;
    }
    return 0;
}

static int take_format(reader *r)
{
    static const char *const names[] = {"ascii", "binary_little_endian",
                                        "binary_big_endian"};
    char line[LINE], name[LINE] = "", version[LINE] = "";
    int is_known = 0, is_ended = 0;
    for (r->at = r->header; !is_ended && take_line(&r->at, r->end, line);) {
        is_ended = strcmp(line, "end_header") == 0;
        if (sscanf(line, "format %255s %255s", name, version) != 2)
            continue;
        for (int i = 0; i < 3; i++)
            if (strcmp(name, names[i]) == 0 && strcmp(version, "1.0") == 0) {
                r->encoding = (encoding)i;
                is_known = 1;
            }
    }
    if (!is_ended)
        return bench_mesh_refuse(r->error, "no line \"end_header\"");
    return is_known ||
           bench_mesh_refuse(r->error,
                             "format \"%.40s %.10s\"; ascii, binary_little_endian or "
                             "binary_big_endian 1.0 is expected",
                             name, version);
}

/* ---- The rows ---- */

static double decode(const number_type *type, uint64_t bits)
{
    unsigned shift = (unsigned)(64 - 8 * type->size);
    if (type->kind == 'u')
        return (double)bits;
    if (type->kind == 'i')
        return (double)((int64_t)(bits << shift) / ((int64_t)1 << shift));
    if (type->size == 4) {
        uint32_t word = (uint32_t)bits;
        float value;
        memcpy(&value, &word, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The next number; 0: the file ends, or there is something else. */
static int take_number(reader *r, const number_type *type, double *out)
{
    if (r->encoding == ASCII) {
        char *end;
        *out = strtod(r->at, &end);
        int is_number = end != r->at;
        r->at = end;
        return is_number;
    }
    if ((size_t)(r->end - r->at) < type->size)
        return 0;
    uint64_t bits = 0;
    for (size_t i = 0; i < type->size; i++) {
        size_t k = r->encoding == LITTLE ? type->size - 1 - i : i;
        bits = bits << 8 | (uint8_t)r->at[k];
    }
    r->at += type->size;
    *out = decode(type, bits);
    return 1;
}

static int is_whole(double v, double most)
{
    return v >= 0 && v <= most && v == (double)(uint64_t)v;
}

static int is_cut(reader *r, const element *e, unsigned long long row)
{
    return bench_mesh_refuse(r->error, "it ends, or has no number, in %.20s %llu of %llu",
                             e->name, row + 1, e->n);
}

static int take_list(reader *r, const element *e, const property *p,
                     unsigned long long row)
{
    double n, v;
    uint32_t face[2];
    if (!take_number(r, p->length, &n))
        return is_cut(r, e, row);
    if (!is_whole(n, UINT32_MAX) || (p->role == IS_CORNERS && n < 3))
        return bench_mesh_refuse(r->error, "a list of %g numbers in %.20s %llu", n,
                                 e->name, row + 1);
    for (size_t k = 0; k < (size_t)n; k++) {
        if (!take_number(r, p->type, &v))
            return is_cut(r, e, row);
        if (p->role != IS_CORNERS)
            continue;
        if (!is_whole(v, UINT32_MAX))
            return bench_mesh_refuse(r->error, "vertex %g in face %llu", v, row + 1);
        if (!bench_mesh_add_corner(r->mesh, face, k, (uint32_t)v, r->error))
            return 0;
    }
    return 1;
}

static int take_row(reader *r, const element *e, unsigned long long row)
{
    double values[IS_OTHER + 1] = {0};
    for (int i = 0; i < e->n_properties; i++) {
        const property *p = &e->properties[i];
        if (p->length != NULL) {
            if (!take_list(r, e, p, row))
                return 0;
        } else if (!take_number(r, p->type, &values[p->role]))
            return is_cut(r, e, row);
    }
    return strcmp(e->name, "vertex") != 0 ||
           bench_mesh_add_vertex(r->mesh, values, r->error);
}

/* A vertex has x, y and z once each, a face its corners. */
static int check_element(reader *r, const element *e)
{
    int n[IS_OTHER + 1] = {0};
    for (int i = 0; i < e->n_properties; i++)
        n[e->properties[i].role]++;
    if (strcmp(e->name, "vertex") == 0 && (n[IS_X] != 1 || n[IS_Y] != 1 || n[IS_Z] != 1))
        return bench_mesh_refuse(r->error, "vertices without x, y and z");
    if (strcmp(e->name, "face") == 0 && n[IS_CORNERS] != 1)
        return bench_mesh_refuse(r->error, "faces without a list vertex_indices");
    return e->n_properties > 0 || e->n == 0 ||
           bench_mesh_refuse(r->error, "element %.20s without properties", e->name);
}

int bench_mesh_read_ply(bench_mesh *mesh, const char *text, size_t n, char *error)
{
    reader r = {.mesh = mesh, .error = error, .header = text, .end = text + n};
    element e;
    int status;
    if (!take_format(&r))
        return 0;
    while ((status = next_element(&r, &e)) > 0) {
        if (!check_element(&r, &e))
            return 0;
        for (unsigned long long row = 0; row < e.n; row++)
            if (!take_row(&r, &e, row))
                return 0;
    }
    return status == 0;
}
