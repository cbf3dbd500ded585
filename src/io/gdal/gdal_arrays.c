/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Goes through the groups of a file, and finds the image among its arrays: those of two or more axes of numbers
 * that are no bounds or coordinates of others (CF conventions 1.11, 5 and 7). Arrays that are the levels
 * of a pyramid are one image; those in a group called labels are not the image (NGFF 0.4). */

#include "gdal_arrays.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DEPTH_MAX   32   /* groups in groups: hard links of HDF5 may run in a circle */
#define ENTRIES_MAX 4096 /* arrays and pyramids that are looked at */
#define GROUPS_MAX  4096
#define PATH_BYTES  1024
#define ASIDE_MAX   2048
#define SHOWN_MAX   12 /* in an error text */

/* ---- Handles ---- */

int rugi_gdal_dtype(rug_dtype *out, GDALMDArrayH array)
{
    static const struct {
        GDALDataType type;
        rug_dtype dtype;
    } types[] = {
        {GDT_Byte, RUG_U8},
        {GDT_UInt16, RUG_U16},
        {GDT_Int16, RUG_I16},
        {GDT_UInt32, RUG_U32},
        {GDT_Int32, RUG_I32},
        {GDT_UInt64, RUG_U64},
        {GDT_Int64, RUG_I64},
        {GDT_Float32, RUG_F32},
        {GDT_Float64, RUG_F64},
#if GDAL_VERSION_NUM >= 3070000
        {GDT_Int8, RUG_I8},
#endif
    };
    GDALExtendedDataTypeH type = rugi_gdal.GDALMDArrayGetDataType(array);
    int is_number =
        type != NULL && rugi_gdal.GDALExtendedDataTypeGetClass(type) == GEDTC_NUMERIC;
    GDALDataType given =
        is_number ? rugi_gdal.GDALExtendedDataTypeGetNumericDataType(type) : GDT_Unknown;
    if (type != NULL)
        rugi_gdal.GDALExtendedDataTypeRelease(type);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].type == given) {
            *out = types[i].dtype;
            return 1;
        }
    return 0;
}

static GDALDatasetH open_dataset(const rugi_gdal_where *where, unsigned kind)
{
    /* a file in HDF5 that is called .nc is for the driver of NetCDF */
    const char *const drivers[] = {
        where->driver, strcmp(where->driver, "HDF5") == 0 ? "netCDF" : NULL, NULL};
    return rugi_gdal.GDALOpenEx(where->path,
                                kind | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, drivers,
                                NULL, NULL);
}

int rugi_gdal_open_handle(rugi_gdal_handle *out, const rugi_gdal_where *where)
{
    int is_band = where->array == NULL;
    GDALGroupH root = NULL;
    out->array = NULL;
    out->dataset =
        open_dataset(where, is_band ? GDAL_OF_RASTER : GDAL_OF_MULTIDIM_RASTER);
    if (out->dataset != NULL && is_band)
        out->array = rugi_gdal.GDALRasterBandAsMDArray(
            rugi_gdal.GDALGetRasterBand(out->dataset, where->band));
    else if (out->dataset != NULL)
        root = rugi_gdal.GDALDatasetGetRootGroup(out->dataset);
    if (root != NULL) {
        out->array = rugi_gdal.GDALGroupOpenMDArrayFromFullname(root, where->array, NULL);
        rugi_gdal.GDALGroupRelease(root);
    }
    if (out->array == NULL)
        rugi_gdal_close_handle(out);
    return out->array != NULL ? 0 : -1;
}

void rugi_gdal_close_handle(rugi_gdal_handle *handle)
{
    if (handle->array != NULL)
        rugi_gdal.GDALMDArrayRelease(handle->array);
    if (handle->dataset != NULL)
        rugi_gdal.GDALClose(handle->dataset);
    *handle = (rugi_gdal_handle){NULL, NULL};
}

rug_status rugi_gdal_say_unreadable(rug_context *ctx, const rug_file *file,
                                    const rugi_gdal_stay *stay)
{
    /* what is said of any file that no driver takes */
    int says_nothing =
        stay->text[0] == '\0' || strstr(stay->text, "not recognized as") != NULL;
    return rug_context_fail(ctx, RUG_E_FORMAT, "%s: cannot be read: %s", file->path,
                            says_nothing ? "damaged, cut off, or of a kind that the "
                                           "installed GDAL does not know"
                                         : stay->text);
}

rug_status rugi_gdal_set_path(rug_context *ctx, rugi_gdal_where *where,
                              const rug_file *file)
{
    const char *path = rugi_file_disk_path(file);
    size_t n = strlen(path) + 3;
    if (strncmp(path, "/vsi", 4) == 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%s: names that begin with /vsi are not opened, for they "
                                "stand for other things than files to GDAL",
                                file->path);
    where->path = rug_context_allocate(ctx, n, 1, file->path);
    if (where->path == NULL)
        return RUG_E_NOMEM;
    snprintf(where->path, n, "%s%s", path[0] == '/' ? "" : "./", path);
    return RUG_OK;
}

void rugi_gdal_free_where(rug_context *ctx, rugi_gdal_where *where)
{
    rug_context_release(ctx, where->path);
    rug_context_release(ctx, where->array);
    where->path = where->array = NULL;
}

/* ---- What there is ---- */

/** An array, or a group that is a pyramid. */
typedef struct entry {
    char *name;    /* owned; the full one */
    char kind[96]; /* "4x5x6 u16" */
    int is_image;
    int is_pyramid;
} entry;

typedef struct listing {
    rug_context *ctx;
    const rug_file *file;
    entry *items; /* owned */
    size_t n, capacity, n_groups;
    char aside[ASIDE_MAX]; /* names of bounds and coordinates, with blanks */
    rug_status status;
} listing;

static void free_listing(listing *list)
{
    for (size_t i = 0; i < list->n; i++)
        rug_context_release(list->ctx, list->items[i].name);
    rug_context_release(list->ctx, list->items);
}

/** @return the new entry, of which only the name is set; NULL: none, status says why or there are enough */
static entry *add(listing *list, const char *name)
{
    if (list->status != RUG_OK || list->n >= ENTRIES_MAX)
        return NULL;
    if (list->n == list->capacity) {
        size_t capacity = list->capacity > 0 ? 2 * list->capacity : 16;
        entry *more =
            rug_context_allocate(list->ctx, capacity, sizeof *more, list->file->path);
        if (more == NULL) {
            list->status = RUG_E_NOMEM;
            return NULL;
        }
        if (list->n > 0)
            memcpy(more, list->items, list->n * sizeof *more);
        rug_context_release(list->ctx, list->items);
        list->items = more;
        list->capacity = capacity;
    }
    entry *e = &list->items[list->n];
    memset(e, 0, sizeof *e);
    e->name = rug_context_allocate(list->ctx, strlen(name) + 1, 1, list->file->path);
    if (e->name == NULL) {
        list->status = RUG_E_NOMEM;
        return NULL;
    }
    strcpy(e->name, name);
    list->n++;
    return e;
}

/** Notes the names that an attribute lists. */
static void note_aside(listing *list, GDALMDArrayH array, const char *attribute)
{
    GDALAttributeH found = rugi_gdal.GDALMDArrayGetAttribute(array, attribute);
    const char *names = found != NULL ? rugi_gdal.GDALAttributeReadAsString(found) : NULL;
    size_t at = strlen(list->aside);
    if (names != NULL && at + strlen(names) + 2 < ASIDE_MAX)
        snprintf(list->aside + at, ASIDE_MAX - at, "%s ", names);
    if (found != NULL)
        rugi_gdal.GDALAttributeRelease(found);
}

static int is_aside(const listing *list, const char *name)
{
    const char *last = strrchr(name, '/') != NULL ? strrchr(name, '/') + 1 : name;
    size_t n = strlen(last);
    for (const char *at = list->aside; *at != '\0';) {
        size_t word = strcspn(at, " ");
        if (word == n && strncmp(at, last, n) == 0)
            return 1;
        at += word + strspn(at + word, " ");
    }
    return 0;
}

/** Describes an array. @return how many axes have more than one pixel */
static int describe(entry *e, GDALMDArrayH array)
{
    size_t n = 0, at = 0, size = sizeof e->kind;
    int n_long = 0;
    rug_dtype dtype;
    GDALDimensionH *axes = rugi_gdal.GDALMDArrayGetDimensions(array, &n);
    for (size_t i = 0; i < n; i++) {
        uint64_t pixels = rugi_gdal.GDALDimensionGetSize(axes[i]);
        n_long += pixels > 1;
        if (at < size)
            at += (size_t)snprintf(e->kind + at, size - at, "%s%" PRIu64,
                                   i > 0 ? "x" : "", pixels);
    }
    rugi_gdal.GDALReleaseDimensions(axes, n);
    int is_number = rugi_gdal_dtype(&dtype, array);
    if (at < size)
        snprintf(e->kind + at, size - at, "%s%s", n > 0 ? " " : "",
                 is_number ? rug_dtype_name(dtype) : "no real numbers");
    return is_number ? n_long : 0;
}

static void add_arrays(listing *list, GDALGroupH group, const char *path, int is_hidden)
{
    char name[PATH_BYTES];
    char **names = rugi_gdal.GDALGroupGetMDArrayNames(group, NULL);
    for (size_t i = 0; names != NULL && names[i] != NULL; i++) {
        GDALMDArrayH array = rugi_gdal.GDALGroupOpenMDArray(group, names[i], NULL);
        int n = snprintf(name, sizeof name, "%s/%s", path, names[i]);
        entry *e =
            array != NULL && n > 0 && (size_t)n < sizeof name ? add(list, name) : NULL;
        if (e != NULL) {
            e->is_image = describe(e, array) >= 2 && !is_hidden;
            note_aside(list, array, "bounds");
            note_aside(list, array, "coordinates");
        }
        if (array != NULL)
            rugi_gdal.GDALMDArrayRelease(array);
    }
    rugi_gdal.CSLDestroy(names);
}

/** Whether a group is a pyramid, and which.
 *  @return NULL, or what is wrong with it: static text */
static const char *read_pyramid(rugi_pyramid *out, GDALGroupH group)
{
    GDALAttributeH found = rugi_gdal.GDALGroupGetAttribute(group, "multiscales");
    const char *text = found != NULL ? rugi_gdal.GDALAttributeReadAsString(found) : NULL;
    const char *wrong =
        text != NULL ? rugi_axes_read_pyramid(out, text) : "there is none";
    if (found != NULL)
        rugi_gdal.GDALAttributeRelease(found);
    return wrong;
}

static int is_pyramid(GDALGroupH group)
{
    GDALAttributeH found = rugi_gdal.GDALGroupGetAttribute(group, "multiscales");
    if (found != NULL)
        rugi_gdal.GDALAttributeRelease(found);
    return found != NULL;
}

/* Where a walk is. */
typedef struct step {
    const char *path; /* of the group; "" = the root */
    int depth, are_labels;
} step;

static void walk(listing *list, GDALGroupH group, step at)
{
    char path[PATH_BYTES];
    int has_levels = is_pyramid(group);
    entry *e = has_levels ? add(list, at.path[0] != '\0' ? at.path : "/") : NULL;
    if (e != NULL) {
        e->is_pyramid = 1;
        e->is_image = !at.are_labels;
        snprintf(e->kind, sizeof e->kind, "a pyramid");
    }
    add_arrays(list, group, at.path, has_levels || at.are_labels);
    char **names = rugi_gdal.GDALGroupGetGroupNames(group, NULL);
    for (size_t i = 0; names != NULL && names[i] != NULL; i++) {
        int n = snprintf(path, sizeof path, "%s/%s", at.path, names[i]);
        if (n < 0 || (size_t)n >= sizeof path || at.depth >= DEPTH_MAX ||
            ++list->n_groups > GROUPS_MAX)
            break;
        GDALGroupH inner = rugi_gdal.GDALGroupOpenGroup(group, names[i], NULL);
        const step next = {path, at.depth + 1,
                           at.are_labels || strcmp(names[i], "labels") == 0};
        if (inner != NULL) {
            walk(list, inner, next);
            rugi_gdal.GDALGroupRelease(inner);
        }
    }
    rugi_gdal.CSLDestroy(names);
}

/* ---- Which one ---- */

/** The entries as text. @param images_only  those that may be the image */
static void show(const listing *list, int images_only, char *text, size_t size)
{
    size_t at = 0, n_shown = 0, n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < list->n; i++) {
        const entry *e = &list->items[i];
        n += !images_only || e->is_image;
        if ((images_only && !e->is_image) || n_shown == SHOWN_MAX ||
            at + strlen(e->name) + strlen(e->kind) + 40 > size)
            continue;
        at += (size_t)snprintf(text + at, size - at, "%s%s (%s)", n_shown > 0 ? ", " : "",
                               e->name, e->kind);
        n_shown++;
    }
    if (n_shown < n)
        snprintf(text + at, size - at, ", and %zu more", n - n_shown);
}

static int is_called(const entry *e, const char *name)
{
    return strcmp(e->name, name) == 0 ||
           (name[0] != '/' && strcmp(e->name + 1, name) == 0);
}

static rug_status choose(rug_context *ctx, const listing *list, const char *asked,
                         const entry **out)
{
    char text[900];
    const char *path = list->file->path;
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        const entry *e = &list->items[i];
        if (asked != NULL ? is_called(e, asked) : e->is_image) {
            *out = e;
            n++;
        }
    }
    if (n == 1 || (asked != NULL && n > 1))
        return RUG_OK;
    show(list, n > 1, text, sizeof text);
    if (list->n == 0)
        return rug_context_fail(
            ctx, RUG_E_FORMAT, "%s: holds no array that GDAL %s can read%s", path,
            rugi_gdal.GDALVersionInfo("RELEASE_NAME"),
            list->file->is_folder ? "; version 2 of Zarr expected" : "");
    if (asked != NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "%s: has no array '%s', but %s", path,
                                asked, text);
    if (n == 0)
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                "%s: holds no array that is an image by itself (two or "
                                "more axes of numbers); it has %s",
                                path, text);
    return rug_context_fail(ctx, RUG_E_ARG,
                            "%s: holds %zu arrays that may be the image: %s; choose one "
                            "with --dataset NAME, or FILE:NAME",
                            path, n, text);
}

/** Sets the array of a level of a pyramid. */
static rug_status choose_level(rug_context *ctx, rug_file *file, rugi_gdal_where *where,
                               const char *group, int level)
{
    size_t n = strlen(group) + RUGI_LEVEL_NAME_MAX + 2;
    file->facts.format = "ome-zarr";
    file->facts.n_levels = where->pyramid.n_levels;
    file->facts.level = level;
    rug_status status = rugi_check_level(ctx, file, level);
    if (status != RUG_OK)
        return status;
    where->array = rug_context_allocate(ctx, n, 1, file->path);
    if (where->array == NULL)
        return RUG_E_NOMEM;
    snprintf(where->array, n, "%s/%s", strcmp(group, "/") == 0 ? "" : group,
             where->pyramid.name[level]);
    return RUG_OK;
}

/** Opens the group of a pyramid, a full name. @return NULL: there is none */
static GDALGroupH open_group(GDALGroupH root, const char *name)
{
    char part[PATH_BYTES];
    GDALGroupH group = root;
    while (group != NULL && *name != '\0') {
        size_t n = strcspn(name, "/");
        if (n > 0) {
            snprintf(part, sizeof part, "%.*s", (int)n, name);
            GDALGroupH inner = rugi_gdal.GDALGroupOpenGroup(group, part, NULL);
            if (group != root)
                rugi_gdal.GDALGroupRelease(group);
            group = inner;
        }
        name += n + (name[n] == '/');
    }
    return group;
}

static rug_status take(rug_context *ctx, rug_file *file, rugi_gdal_where *where,
                       GDALGroupH root, const entry *e, int level)
{
    if (!e->is_pyramid) {
        where->array = rug_context_allocate(ctx, strlen(e->name) + 1, 1, file->path);
        if (where->array == NULL)
            return RUG_E_NOMEM;
        strcpy(where->array, e->name);
        return rugi_check_level(ctx, file, level);
    }
    GDALGroupH group = open_group(root, e->name);
    const char *wrong =
        group != NULL ? read_pyramid(&where->pyramid, group) : "its group is gone";
    if (group != NULL && group != root)
        rugi_gdal.GDALGroupRelease(group);
    where->is_pyramid = 1;
    if (wrong != NULL)
        return rug_context_fail(ctx, RUG_E_FORMAT, "%s: %s is no pyramid of OME-Zarr: %s",
                                file->path, e->name, wrong);
    return choose_level(ctx, file, where, e->name, level);
}

rug_status rugi_gdal_find(rug_context *ctx, rug_file *file, rugi_gdal_where *where,
                          const char *asked, int level, const rugi_gdal_stay *stay)
{
    listing list = {.ctx = ctx, .file = file, .status = RUG_OK};
    const entry *chosen = NULL;
    GDALDatasetH dataset = open_dataset(where, GDAL_OF_MULTIDIM_RASTER);
    GDALGroupH root = dataset != NULL ? rugi_gdal.GDALDatasetGetRootGroup(dataset) : NULL;
    if (root == NULL) {
        if (dataset != NULL)
            rugi_gdal.GDALClose(dataset);
        return rugi_gdal_say_unreadable(ctx, file, stay);
    }
    walk(&list, root, (step){"", 0, 0});
    for (size_t i = 0; i < list.n; i++)
        list.items[i].is_image =
            list.items[i].is_image && !is_aside(&list, list.items[i].name);
    rug_status status = list.status;
    if (status == RUG_OK)
        status = choose(ctx, &list, asked, &chosen);
    if (status == RUG_OK)
        status = take(ctx, file, where, root, chosen, level);
    free_listing(&list);
    rugi_gdal.GDALGroupRelease(root);
    rugi_gdal.GDALClose(dataset);
    return status;
}
