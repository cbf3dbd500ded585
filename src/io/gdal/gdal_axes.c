/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What axes are, by their names, by ilastik's axistags and by the multiscales of OME-Zarr (NGFF 0.4,
 * https://ngff.openmicroscopy.org/0.4). */

#include "gdal_axes.h"
#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* How deep texts are nested that are read. */
#define JSON_DEPTH 16

/* ---- JSON ---- */

/** @return to be released with json_object_put(); NULL for no JSON */
static json_object *parse(const char *text)
{
    json_tokener *tokener = json_tokener_new_ex(JSON_DEPTH);
    size_t n = strlen(text) + 1;
    if (tokener == NULL || n > INT32_MAX) {
        json_tokener_free(tokener);
        return NULL;
    }
    json_object *root = json_tokener_parse_ex(tokener, text, (int)n);
    if (json_tokener_get_error(tokener) != json_tokener_success) {
        json_object_put(root);
        root = NULL;
    }
    json_tokener_free(tokener);
    return root;
}

/** A member of an object that has a type, or NULL. */
static json_object *member(json_object *object, const char *name, json_type type)
{
    json_object *value;
    return json_object_is_type(object, json_type_object) &&
                   json_object_object_get_ex(object, name, &value) &&
                   json_object_is_type(value, type)
               ? value
               : NULL;
}

/** An element of a list, or NULL. */
static json_object *element(json_object *list, size_t i)
{
    return list != NULL && i < json_object_array_length(list)
               ? json_object_array_get_idx(list, i)
               : NULL;
}

static size_t length(json_object *list)
{
    return list != NULL ? json_object_array_length(list) : 0;
}

/** A text, or "". */
static const char *text_of(json_object *value)
{
    return json_object_is_type(value, json_type_string) ? json_object_get_string(value)
                                                        : "";
}

/* ---- Names ---- */

char rugi_axes_kind(const char *name)
{
    static const struct {
        const char *name;
        char kind;
    } kinds[] = {{"t", 't'},         {"time", 't'}, {"c", 'c'},   {"channel", 'c'},
                 {"channels", 'c'},  {"band", 'c'}, {"x", 's'},   {"y", 's'},
                 {"z", 's'},         {"lat", 's'},  {"lon", 's'}, {"latitude", 's'},
                 {"longitude", 's'}, {"depth", 's'}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcasecmp(name, kinds[i].name) == 0)
            return kinds[i].kind;
    return 0;
}

static void set_name(rugi_axis *axis, const char *name)
{
    snprintf(axis->name, sizeof axis->name, "%s", name);
    axis->kind = rugi_axes_kind(name);
}

/** The short form of a unit of length of UDUNITS, as OME-Zarr names them; others stay. */
static void set_unit(rugi_axis *axis, const char *unit)
{
    static const char *const units[][2] = {{"micrometer", "um"}, {"nanometer", "nm"},
                                           {"millimeter", "mm"}, {"centimeter", "cm"},
                                           {"meter", "m"},       {"angstrom", "A"}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i][0]) == 0)
            unit = units[i][1];
    if (strlen(unit) < sizeof axis->unit)
        snprintf(axis->unit, sizeof axis->unit, "%s", unit);
}

/* ---- ilastik ---- */

void rugi_axes_read_tags(rugi_axes *axes, const char *text)
{
    json_object *root = parse(text);
    json_object *list = member(root, "axes", json_type_array);
    if (list != NULL && length(list) == (size_t)axes->n)
        for (int i = 0; i < axes->n; i++)
            set_name(&axes->axis[i],
                     text_of(member(element(list, (size_t)i), "key", json_type_string)));
    json_object_put(root);
}

/* ---- OME-Zarr ---- */

/** Axes are objects with name, type and unit; texts in 0.3; before that always t, c, z, y, x. */
static void read_axes(rugi_pyramid *out, json_object *list)
{
    size_t n = length(list);
    out->n_axes = n <= RUGI_AXES_MAX ? (int)n : 0;
    for (int i = 0; i < out->n_axes; i++) {
        json_object *axis = element(list, (size_t)i);
        json_object *name = member(axis, "name", json_type_string);
        const char *type = text_of(member(axis, "type", json_type_string));
        set_name(&out->axis[i], text_of(name != NULL ? name : axis));
        if (type[0] != '\0')
            out->axis[i].kind = strcmp(type, "space") == 0     ? 's'
                                : strcmp(type, "time") == 0    ? 't'
                                : strcmp(type, "channel") == 0 ? 'c'
                                                               : 0;
        set_unit(&out->axis[i], text_of(member(axis, "unit", json_type_string)));
    }
    for (int i = 0; list == NULL && i < 5; i++) {
        const char name[2] = {"tczyx"[i], '\0'};
        set_name(&out->axis[i], name);
        out->n_axes = 5;
    }
}

/** Multiplies scales by those of a list of transformations. */
static void apply_scales(double scale[RUGI_AXES_MAX], json_object *transformations)
{
    for (size_t i = 0; i < length(transformations); i++) {
        json_object *list = member(element(transformations, i), "scale", json_type_array);
        for (size_t a = 0; a < RUGI_AXES_MAX && a < length(list); a++) {
            double factor = json_object_get_double(element(list, a));
            scale[a] = scale[a] > 0 ? scale[a] * factor : factor;
        }
    }
}

static const char *read_levels(rugi_pyramid *out, json_object *multiscale)
{
    json_object *list = member(multiscale, "datasets", json_type_array);
    size_t n = length(list);
    if (n < 1 || n > RUGI_LEVELS_MAX)
        return "its multiscales have no datasets, or more than 32";
    for (size_t i = 0; i < n; i++) {
        json_object *level = element(list, i);
        const char *name = text_of(member(level, "path", json_type_string));
        if (name[0] == '\0' || strlen(name) >= RUGI_LEVEL_NAME_MAX)
            return "a dataset of its multiscales has no path, or a long one";
        snprintf(out->name[i], RUGI_LEVEL_NAME_MAX, "%s", name);
        apply_scales(out->scale[i],
                     member(level, "coordinateTransformations", json_type_array));
        apply_scales(out->scale[i],
                     member(multiscale, "coordinateTransformations", json_type_array));
    }
    out->n_levels = (int)n;
    return NULL;
}

const char *rugi_axes_read_pyramid(rugi_pyramid *out, const char *text)
{
    memset(out, 0, sizeof *out);
    json_object *root = parse(text);
    json_object *first =
        json_object_is_type(root, json_type_array) ? element(root, 0) : NULL;
    const char *wrong = "its multiscales are no list of objects";
    if (json_object_is_type(first, json_type_object)) {
        read_axes(out, member(first, "axes", json_type_array));
        wrong = read_levels(out, first);
    }
    json_object_put(root);
    return wrong;
}

/* ---- The image ---- */

/** "2 x 3 x 512 x 512 (t, c, y, x)" without blanks around the sign. */
static void describe(char *text, size_t size, const rugi_axes *axes)
{
    size_t at = 0;
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < axes->n && at < size; i++) {
            const char *name = axes->axis[i].name[0] != '\0' ? axes->axis[i].name : "?";
            int n = part == 0
                        ? snprintf(text + at, size - at, "%s%" PRIu64, i > 0 ? "x" : "",
                                   axes->axis[i].size)
                        : snprintf(text + at, size - at, "%s%s%s", i > 0 ? ", " : " (",
                                   name, i == axes->n - 1 ? ")" : "");
            at += (size_t)n;
        }
}

/** The only axis of a kind with more than one pixel. @return -1: there is none, -2: there are several */
static int find_kind(const rugi_axes *axes, char kind)
{
    int found = -1;
    for (int i = 0; i < axes->n; i++)
        if (axes->axis[i].kind == kind && axes->axis[i].size > 1)
            found = found == -1 ? i : -2;
    return found;
}

/** Puts those axes into `left` that are not taken and, of one pixel, not of another kind than space. */
static int list_left(const rugi_axes *axes, int left[RUGI_AXES_MAX])
{
    int n = 0;
    for (int i = 0; i < axes->n; i++) {
        char kind = axes->axis[i].kind;
        int is_other = kind == 't' || kind == 'c';
        if (i != axes->page && i != axes->channel && !(is_other && axes->n > 2))
            left[n++] = i;
    }
    return n;
}

/** Leaves out axes of one pixel, slowest first, until `most` are left. */
static int drop_single(const rugi_axes *axes, int left[RUGI_AXES_MAX], int n, int most)
{
    for (int i = 0; i < n && n > most;)
        if (axes->axis[left[i]].size == 1)
            memmove(&left[i], &left[i + 1], (size_t)(--n - i) * sizeof left[0]);
        else
            i++;
    return n;
}

rug_status rugi_axes_choose(rug_context *ctx, const rug_file *file, rugi_axes *axes,
                            int as_volume)
{
    int left[RUGI_AXES_MAX];
    char text[256] = "";
    axes->page = axes->n > 2 ? find_kind(axes, 't') : -1;
    axes->channel = axes->n > 2 ? find_kind(axes, 'c') : -1;
    int n = drop_single(axes, left, list_left(axes, left), RUG_MAX_AXES);
    if (n == RUG_MAX_AXES + 1 && axes->page == -1) { /* one that nothing is said of */
        axes->page = left[0];
        memmove(&left[0], &left[1], (size_t)--n * sizeof left[0]);
    }
    int is_flat = n == 3 && axes->axis[left[0]].size == 1 &&
                  (axes->n > 3 || axes->axis[left[0]].kind != 0) && !as_volume;
    if (n < 2 || n > RUG_MAX_AXES || axes->page == -2 || axes->channel == -2) {
        describe(text, sizeof text, axes);
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: the array is %s; 2 (image) or 3 (volume) axes expected, besides one of "
            "channels, one of times and those of size 1",
            file->path, text);
    }
    axes->n_space = n - is_flat;
    memcpy(axes->space, left + is_flat, (size_t)axes->n_space * sizeof left[0]);
    return RUG_OK;
}
