/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads the maps of an iterated function system: {"maps": [[a, b, c, d, e, f], ...]}. */

#include "json_file.h"
#include <math.h>
#include <rugose/ifs_file.h>
#include <stdio.h>
#include <string.h>

/* The document, its list and its maps, with room for what is wrong. */
#define MAX_NODES ((size_t)10 * RUG_IFS_MAPS_MAX)

static rug_status check_members(const rugi_json_file *j)
{
    if (!json_object_is_type(j->root, json_type_object))
        return RUG_OK; /* which the first member that is asked for says */
    json_object_object_foreach(j->root, name, value)
    {
        (void)value;
        if (strcmp(name, "maps") != 0)
            return rug_context_fail(j->ctx, RUG_E_FORMAT,
                                    "%s: unknown member '%.40s'; only maps expected",
                                    j->path, name);
    }
    return RUG_OK;
}

static rug_status read_map(const rugi_json_file *j, rug_ifs_map *out, json_object *map,
                           size_t i)
{
    double *const numbers[6] = {&out->a, &out->b, &out->c, &out->d, &out->e, &out->f};
    char where[64];
    if (!json_object_is_type(map, json_type_array) || json_object_array_length(map) != 6)
        return rug_context_fail(j->ctx, RUG_E_FORMAT,
                                "%s: maps[%zu]: a list of six numbers a, b, c, d, e, f "
                                "expected",
                                j->path, i);
    for (size_t k = 0; k < 6; k++) {
        snprintf(where, sizeof where, "maps[%zu][%zu]", i, k);
        rug_status status =
            rugi_json_number(j, numbers[k], json_object_array_get_idx(map, k), where);
        if (status == RUG_OK && !isfinite(*numbers[k]))
            status = rug_context_fail(j->ctx, RUG_E_FORMAT,
                                      "%s: %s is not finite; a finite number expected",
                                      j->path, where);
        if (status != RUG_OK)
            return status;
    }
    return RUG_OK;
}

static rug_status read_maps(const rugi_json_file *j, rug_ifs_map **out, size_t *n)
{
    json_object *maps;
    rug_status status = check_members(j);
    if (status == RUG_OK)
        status = rugi_json_member(j, &maps, j->root, "", "maps", json_type_array);
    if (status != RUG_OK)
        return status;
    *n = json_object_array_length(maps);
    if (*n < 1 || *n > RUG_IFS_MAPS_MAX)
        return rug_context_fail(j->ctx, RUG_E_FORMAT,
                                "%s: maps: %zu maps found, 1..%d expected", j->path, *n,
                                RUG_IFS_MAPS_MAX);
    *out = rug_context_allocate(j->ctx, *n, sizeof **out, "maps");
    if (*out == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < *n && status == RUG_OK; i++)
        status = read_map(j, &(*out)[i], json_object_array_get_idx(maps, i), i);
    return status;
}

rug_status rug_ifs_maps_read(rug_context *ctx, rug_ifs_map **out, size_t *n,
                             const char *path)
{
    rugi_json_file json = {.ctx = ctx, .path = path};
    if (out != NULL)
        *out = NULL;
    if (n != NULL)
        *n = 0;
    if (ctx == NULL || out == NULL || n == NULL || path == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_ifs_maps_read: NULL given");
    rug_status status = rugi_json_read(&json, RUG_IFS_MAPS_MAX_BYTES, MAX_NODES);
    if (status == RUG_OK)
        status = read_maps(&json, out, n);
    json_object_put(json.root);
    if (status != RUG_OK) {
        rug_context_release(ctx, *out);
        *out = NULL;
        *n = 0;
    }
    return status;
}
