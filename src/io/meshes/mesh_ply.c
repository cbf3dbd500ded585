/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Meshes from PLY files (Turk 1994): a header names elements and their properties, numbers or
 * lists of them; the rows of the elements follow, as text or binary. */

#include "core/image/number.h"
#include "mesh.h"
#include <inttypes.h>
#include <string.h>

#define MOST_ELEMENTS   32
#define MOST_PROPERTIES 256 /* of all elements */

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
    char name[32];
    uint64_t n;
    int is_vertex, is_face;
    size_t begin, end; /* of its properties */
} element;

typedef struct ply {
    rugi_mesh *mesh;
    encoding encoding;
    int is_known; /* the encoding was stated */
    size_t n_elements, n_properties;
    element elements[MOST_ELEMENTS];
    property properties[MOST_PROPERTIES];
} ply;

static int claims(const rug_file *file)
{
    return file->n_head >= 4 && memcmp(file->head, "ply", 3) == 0 &&
           (file->head[3] == '\n' || file->head[3] == '\r');
}

/* ---- The header ---- */

static const number_type *find_type(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(name, types[i].name) == 0 || strcmp(name, types[i].sized_name) == 0)
            return &types[i];
    return NULL;
}

static role role_of(const element *e, const char *name, int is_list)
{
    if (e->is_vertex && !is_list && name[0] >= 'x' && name[0] <= 'z' && name[1] == '\0')
        return (role)(name[0] - 'x');
    int is_corners =
        strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0;
    return e->is_face && is_list && is_corners ? IS_CORNERS : IS_OTHER;
}

static rug_status bad_line(const ply *p, const char *word)
{
    return rugi_mesh_damaged(
        p->mesh, "line %" PRIu64 " of the PLY header is not understood: \"%.40s\"",
        p->mesh->line, word);
}

/* A whole number of at most 2^53. @return 0: it is none */
static int to_count(uint64_t *out, double value)
{
    if (!(value >= 0 && value <= 0x1p53))
        return 0;
    *out = (uint64_t)value;
    return (double)*out >= value;
}

static rug_status take_format(ply *p)
{
    static const char *const names[] = {"ascii", "binary_little_endian",
                                        "binary_big_endian"};
    char name[RUGI_WORD_MAX], version[RUGI_WORD_MAX];
    rugi_mesh_word(p->mesh, name, 0);
    rugi_mesh_word(p->mesh, version, 0);
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0 && strcmp(version, "1.0") == 0) {
            p->encoding = (encoding)i;
            p->is_known = 1;
            return RUG_OK;
        }
    return rug_context_fail(p->mesh->ctx, RUG_E_UNSUPPORTED,
                            "%s: PLY format \"%.40s %.10s\"; ascii, binary_little_endian "
                            "or binary_big_endian 1.0 expected",
                            p->mesh->path, name, version);
}

static rug_status take_element(ply *p)
{
    char name[RUGI_WORD_MAX], count[RUGI_WORD_MAX];
    double n;
    rugi_mesh_word(p->mesh, name, 0);
    if (p->n_elements == MOST_ELEMENTS)
        return bad_line(p, "too many elements");
    element *e = &p->elements[p->n_elements];
    if (rugi_mesh_word(p->mesh, count, 0) == 0 || !rugi_parse_real(&n, count) ||
        !to_count(&e->n, n))
        return bad_line(p, count);
    snprintf(e->name, sizeof e->name, "%.31s", name);
    e->is_vertex = strcmp(name, "vertex") == 0;
    e->is_face = strcmp(name, "face") == 0;
    e->begin = e->end = p->n_properties;
    p->n_elements++;
    return RUG_OK;
}

static rug_status take_property(ply *p)
{
    char word[RUGI_WORD_MAX];
    property new = {0};
    rugi_mesh_word(p->mesh, word, 0);
    if (p->n_elements == 0 || p->n_properties == MOST_PROPERTIES)
        return bad_line(p, word);
    element *e = &p->elements[p->n_elements - 1];
    int is_list = strcmp(word, "list") == 0;
    if (is_list) {
        rugi_mesh_word(p->mesh, word, 0);
        new.length = find_type(word);
        if (new.length == NULL || new.length->kind == 'f')
            return bad_line(p, word);
        rugi_mesh_word(p->mesh, word, 0);
    }
    new.type = find_type(word);
    if (new.type == NULL)
        return bad_line(p, word);
    if (rugi_mesh_word(p->mesh, word, 0) == 0)
        return bad_line(p, "property");
    new.role = role_of(e, word, is_list);
    if (new.role == IS_CORNERS &&new.type->kind == 'f')
        return bad_line(p, word);
    p->properties[p->n_properties++] = new;
    e->end = p->n_properties;
    return RUG_OK;
}

static rug_status take_header(ply *p)
{
    char word[RUGI_WORD_MAX];
    rug_status status = RUG_OK;
    while (status == RUG_OK && rugi_mesh_peek(p->mesh) != -1) {
        rugi_mesh_word(p->mesh, word, 0);
        int is_end = strcmp(word, "end_header") == 0;
        if (strcmp(word, "format") == 0)
            status = take_format(p);
        else if (strcmp(word, "element") == 0)
            status = take_element(p);
        else if (strcmp(word, "property") == 0)
            status = take_property(p);
        else if (strcmp(word, "comment") != 0 && strcmp(word, "obj_info") != 0 &&
                 strcmp(word, "ply") != 0 && word[0] != '\0' && !is_end)
            status = bad_line(p, word);
        rugi_mesh_end_line(p->mesh);
        if (is_end)
            return p->is_known ? RUG_OK : bad_line(p, "no format before end_header");
    }
    return status != RUG_OK ? status
                            : rugi_mesh_damaged(p->mesh, "the PLY header has no end");
}

/* A vertex has x, y and z once each, a face its corners. */
static rug_status check_element(const ply *p, const element *e)
{
    int n[IS_OTHER + 1] = {0};
    for (size_t i = e->begin; i < e->end; i++)
        n[p->properties[i].role]++;
    if (e->is_vertex && (n[IS_X] != 1 || n[IS_Y] != 1 || n[IS_Z] != 1))
        return rugi_mesh_damaged(p->mesh, "its vertices have not one x, y and z each");
    if (e->is_face && n[IS_CORNERS] != 1)
        return rugi_mesh_damaged(p->mesh, "its faces have no list vertex_indices");
    if (e->end == e->begin && e->n > 0)
        return rugi_mesh_damaged(p->mesh, "the element %s has no properties", e->name);
    return RUG_OK;
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

/* The next number; 0: the file ends, or there is something else.
 * @param out  NULL: it is passed over */
static int take_number(const ply *p, const number_type *type, double *out)
{
    if (p->encoding == ASCII) {
        char word[RUGI_WORD_MAX];
        return rugi_mesh_word(p->mesh, word, 1) > 0 &&
               (out == NULL || rugi_parse_real(out, word));
    }
    unsigned char bytes[8];
    uint64_t bits = 0;
    if (!rugi_mesh_take(p->mesh, bytes, type->size))
        return 0;
    for (size_t i = 0; i < type->size; i++)
        bits = bits << 8 | bytes[p->encoding == LITTLE ? type->size - 1 - i : i];
    if (out != NULL)
        *out = decode(type, bits);
    return 1;
}

static rug_status no_number(const ply *p, const element *e, uint64_t row)
{
    return rugi_mesh_damaged(p->mesh,
                             "it ends, or has something else than a finite number, in %s "
                             "%" PRIu64 " of %" PRIu64,
                             e->name, row + 1, e->n);
}

static rug_status take_list(const ply *p, const element *e, const property *list,
                            uint64_t row)
{
    double value;
    uint64_t n, vertex;
    uint32_t fan[2];
    rug_status status = RUG_OK;
    if (!take_number(p, list->length, &value))
        return no_number(p, e, row);
    if (!to_count(&n, value) || (list->role == IS_CORNERS && n < 3))
        return rugi_mesh_damaged(p->mesh, "a list of %g numbers in %s %" PRIu64 "%s",
                                 value, e->name, row + 1,
                                 list->role == IS_CORNERS ? "; 3 are needed" : "");
    for (size_t k = 0; status == RUG_OK && k < n; k++) {
        int is_corner = list->role == IS_CORNERS;
        if (!take_number(p, list->type, is_corner ? &value : NULL))
            return no_number(p, e, row);
        if (!is_corner)
            continue;
        status = to_count(&vertex, value)
                     ? rugi_mesh_add_corner(p->mesh, fan, k, vertex)
                     : rugi_mesh_damaged(p->mesh, "face %" PRIu64 " has vertex %g",
                                         row + 1, value);
    }
    return status;
}

static rug_status take_row(const ply *p, const element *e, uint64_t row)
{
    double values[3] = {0};
    for (size_t i = e->begin; i < e->end; i++) {
        const property *each = &p->properties[i];
        double *value = each->role < IS_CORNERS ? &values[each->role] : NULL;
        if (each->length != NULL) {
            rug_status status = take_list(p, e, each, row);
            if (status != RUG_OK)
                return status;
        } else if (!take_number(p, each->type, value)) {
            return no_number(p, e, row);
        }
    }
    return e->is_vertex ? rugi_mesh_add_vertex(p->mesh, values) : RUG_OK;
}

/* Behind the last row of text there may be blanks. */
static rug_status check_end(const ply *p)
{
    char word[RUGI_WORD_MAX];
    int is_more = p->encoding == ASCII ? rugi_mesh_word(p->mesh, word, 1) > 0
                                       : rugi_mesh_peek(p->mesh) != -1;
    if (p->mesh->status != RUG_OK || is_more)
        return rugi_mesh_damaged(p->mesh,
                                 "it goes on behind the last row that its header "
                                 "tells of");
    return RUG_OK;
}

static rug_status read_rows(ply *p)
{
    rug_status status = take_header(p);
    for (size_t i = 0; status == RUG_OK && i < p->n_elements; i++) {
        const element *e = &p->elements[i];
        status = check_element(p, e);
        for (uint64_t row = 0; status == RUG_OK && row < e->n; row++)
            status = take_row(p, e, row);
    }
    return status == RUG_OK ? check_end(p) : status;
}

static rug_status read_ply(rugi_mesh *mesh)
{
    ply *p = rug_context_allocate(mesh->ctx, 1, sizeof *p, mesh->path);
    if (p == NULL)
        return RUG_E_NOMEM;
    memset(p, 0, sizeof *p);
    p->mesh = mesh;
    rug_status status = read_rows(p);
    rug_context_release(mesh->ctx, p);
    return status;
}

const rugi_mesh_format rugi_ply = {"ply", claims, read_ply};
