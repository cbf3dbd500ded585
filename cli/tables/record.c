/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Records: ordered names with values, kept as a json-c object. A memory failure marks the
 * record and every record it is put into; whoever writes the whole asks once. Nothing is
 * written here. */

#include "core/image/number.h"
#include "record_json.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

cli_record *cli_record_new(void)
{
    cli_record *record = calloc(1, sizeof *record);

    if (record == NULL)
        return NULL;
    record->object = json_object_new_object();
    if (record->object == NULL) {
        free(record);
        return NULL;
    }
    return record;
}

void cli_record_free(cli_record *record)
{
    if (record == NULL)
        return;
    json_object_put(record->object);
    free(record);
}

/* Puts a value, which may be JSON null; takes it over. */
static void put(cli_record *record, const char *name, json_object *value)
{
    assert(name != NULL);
    if (record == NULL) {
        json_object_put(value);
    } else if (json_object_object_add(record->object, name, value) != 0) {
        json_object_put(value);
        record->failed = 1;
    }
}

/* Puts a value that is NULL only when memory ran out. */
static void put_made(cli_record *record, const char *name, json_object *value)
{
    if (value != NULL)
        put(record, name, value);
    else if (record != NULL)
        record->failed = 1;
}

void cli_record_set_text(cli_record *record, const char *name, const char *value)
{
    if (value == NULL)
        put(record, name, NULL);
    else
        put_made(record, name, json_object_new_string(value));
}

void cli_record_set_integer(cli_record *record, const char *name, uint64_t value)
{
    put_made(record, name, json_object_new_uint64(value));
}

void cli_record_set_signed(cli_record *record, const char *name, int64_t value)
{
    put_made(record, name, json_object_new_int64(value));
}

void cli_record_set_bool(cli_record *record, const char *name, int value)
{
    put_made(record, name, json_object_new_boolean(value != 0));
}

/* In the shortest form; what is not finite is JSON null, which json-c has as NULL. Returns
 * whether there was memory. */
static int make_real(json_object **out, double value)
{
    char text[RUGI_REAL_TEXT_MAX];

    *out = NULL;
    if (!isfinite(value))
        return 1;
    rugi_format_real(text, value);
    *out = json_object_new_double_s(value, text);
    return *out != NULL;
}

void cli_record_set_real(cli_record *record, const char *name, double value)
{
    json_object *real;

    if (make_real(&real, value))
        put(record, name, real);
    else if (record != NULL)
        record->failed = 1;
}

/* Adds an item, which may be JSON null, to a list and takes it over. A list that is NULL
 * stays so; without memory it becomes so. */
static json_object *add_item(json_object *list, json_object *item, int is_made)
{
    if (list != NULL && is_made && json_object_array_add(list, item) == 0)
        return list;
    json_object_put(item);
    json_object_put(list);
    return NULL;
}

void cli_record_set_integers(cli_record *record, const char *name, const uint64_t *values,
                             size_t n)
{
    json_object *list = json_object_new_array();

    for (size_t i = 0; i < n && list != NULL; i++) {
        json_object *item = json_object_new_uint64(values[i]);
        list = add_item(list, item, item != NULL);
    }
    put_made(record, name, list);
}

void cli_record_set_reals(cli_record *record, const char *name, const double *values,
                          size_t n)
{
    json_object *list = json_object_new_array();

    for (size_t i = 0; i < n && list != NULL; i++) {
        json_object *item;
        int is_made = make_real(&item, values[i]);
        list = add_item(list, item, is_made);
    }
    put_made(record, name, list);
}

void cli_record_set_record(cli_record *record, const char *name, cli_record *child)
{
    put_made(record, name, cli_record_release(child));
}

/* The list under a name, made when there is none. NULL when out of memory. */
static json_object *list_at(cli_record *record, const char *name)
{
    json_object *list = NULL;

    if (json_object_object_get_ex(record->object, name, &list) &&
        json_object_is_type(list, json_type_array))
        return list;
    list = json_object_new_array();
    put_made(record, name, list);
    return record->failed ? NULL : list;
}

/* Takes an item over, which is NULL when memory ran out. */
static void append(cli_record *record, const char *name, json_object *item)
{
    json_object *list = NULL;

    if (record != NULL && item != NULL)
        list = list_at(record, name);
    if (list != NULL && json_object_array_add(list, item) == 0)
        return;
    json_object_put(item);
    if (record != NULL)
        record->failed = 1;
}

void cli_record_append(cli_record *record, const char *name, cli_record *child)
{
    append(record, name, cli_record_release(child));
}

void cli_record_add_text(cli_record *record, const char *name, const char *value)
{
    append(record, name, value != NULL ? json_object_new_string(value) : NULL);
}
