/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Values of JSON as bytes: a letter for the type, then the value. Unlike in a text, numbers keep
 * their type, and reals the text that they are written with. */

#include "record_bytes.h"
#include <json-c/json.h>
#include <stdint.h>
#include <stdlib.h>

#define DEPTH_MAX 64

static void put(FILE *out, char type, const void *value, size_t n)
{
    fputc(type, out);
    fwrite(value, 1, n, out);
}

static void put_text(FILE *out, char type, const char *text, size_t n)
{
    put(out, type, &n, sizeof n);
    fwrite(text, 1, n, out);
}

static void save_number(FILE *out, json_object *value)
{
    double real = json_object_get_double(value);
    int64_t whole = json_object_get_int64(value);
    uint64_t positive = json_object_get_uint64(value);
    if (json_object_is_type(value, json_type_double)) {
        const char *text = json_object_to_json_string(value);
        put(out, 'r', &real, sizeof real);
        put_text(out, 's', text, text != NULL ? strlen(text) : 0);
    } else if (whole < 0) {
        put(out, 'i', &whole, sizeof whole);
    } else {
        put(out, 'u', &positive, sizeof positive);
    }
}

static void save_list(FILE *out, json_object *list)
{
    size_t n = json_object_array_length(list);
    put(out, 'a', &n, sizeof n);
    for (size_t i = 0; i < n; i++)
        cli_save_value(out, json_object_array_get_idx(list, i));
}

static void save_object(FILE *out, json_object *object)
{
    size_t n = (size_t)json_object_object_length(object);
    put(out, 'o', &n, sizeof n);
    json_object_object_foreach(object, name, member)
    {
        put_text(out, 's', name, strlen(name));
        cli_save_value(out, member);
    }
}

void cli_save_value(FILE *out, json_object *value)
{
    switch (json_object_get_type(value)) {
    case json_type_null: fputc('n', out); return;
    case json_type_boolean:
        fputc(json_object_get_boolean(value) ? 't' : 'f', out);
        return;
    case json_type_string:
        put_text(out, 's', json_object_get_string(value),
                 (size_t)json_object_get_string_len(value));
        return;
    case json_type_array: save_list(out, value); return;
    case json_type_object: save_object(out, value); return;
    default: save_number(out, value); return;
    }
}

static json_object *load(cli_bytes *bytes, int depth);

/* A text to free; NULL: it is short, or there is no memory. */
static char *load_text(cli_bytes *bytes, size_t *n)
{
    cli_take_bytes(bytes, n, sizeof *n);
    if (*n > (size_t)(bytes->end - bytes->at))
        bytes->is_short = 1;
    char *text = bytes->is_short ? NULL : malloc(*n + 1);
    if (text == NULL) {
        bytes->is_short = 1;
        return NULL;
    }
    cli_take_bytes(bytes, text, *n);
    text[*n] = '\0';
    return text;
}

static json_object *load_string(cli_bytes *bytes)
{
    size_t n;
    char *text = load_text(bytes, &n);
    json_object *out = text != NULL ? json_object_new_string_len(text, (int)n) : NULL;
    free(text);
    return out;
}

static json_object *load_real(cli_bytes *bytes)
{
    double value;
    char type;
    size_t n;
    cli_take_bytes(bytes, &value, sizeof value);
    cli_take_bytes(bytes, &type, 1);
    char *text = load_text(bytes, &n);
    json_object *out = text != NULL ? json_object_new_double_s(value, text) : NULL;
    free(text);
    return out;
}

static void load_items(cli_bytes *bytes, json_object *list, int depth)
{
    size_t n;
    cli_take_bytes(bytes, &n, sizeof n);
    for (size_t i = 0; i < n && !bytes->is_short; i++) {
        json_object *item = load(bytes, depth);
        if (!bytes->is_short && json_object_array_add(list, item) == 0)
            continue;
        json_object_put(item);
        bytes->is_short = 1;
    }
}

static void load_members(cli_bytes *bytes, json_object *object, int depth)
{
    size_t n, n_name;
    cli_take_bytes(bytes, &n, sizeof n);
    for (size_t i = 0; i < n && !bytes->is_short; i++) {
        char type;
        cli_take_bytes(bytes, &type, 1);
        char *name = load_text(bytes, &n_name);
        json_object *member = name != NULL ? load(bytes, depth) : NULL;
        if (bytes->is_short || json_object_object_add(object, name, member) != 0) {
            json_object_put(member);
            bytes->is_short = 1;
        }
        free(name);
    }
}

static json_object *load_number(cli_bytes *bytes, char type)
{
    int64_t value;
    uint64_t positive;
    cli_take_bytes(bytes, &value, sizeof value);
    memcpy(&positive, &value, sizeof positive);
    return type == 'i' ? json_object_new_int64(value) : json_object_new_uint64(positive);
}

static json_object *load_nested(cli_bytes *bytes, char type, int depth)
{
    json_object *out = type == 'a' ? json_object_new_array() : json_object_new_object();
    if (out != NULL && type == 'a')
        load_items(bytes, out, depth + 1);
    else if (out != NULL)
        load_members(bytes, out, depth + 1);
    return out;
}

static json_object *load(cli_bytes *bytes, int depth)
{
    json_object *out = NULL;
    char type;
    cli_take_bytes(bytes, &type, 1);
    switch (bytes->is_short || depth > DEPTH_MAX ? '\0' : type) {
    case 'n': return NULL;
    case 't':
    case 'f': out = json_object_new_boolean(type == 't'); break;
    case 's': out = load_string(bytes); break;
    case 'r': out = load_real(bytes); break;
    case 'i':
    case 'u': out = load_number(bytes, type); break;
    case 'a':
    case 'o': out = load_nested(bytes, type, depth); break;
    default: break;
    }
    if (out == NULL)
        bytes->is_short = 1;
    return out;
}

json_object *cli_load_value(cli_bytes *bytes)
{
    return load(bytes, 0);
}
