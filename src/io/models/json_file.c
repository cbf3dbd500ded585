/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* JSON documents in files, through json-c. Files are hostile: every member is checked before it
 * is used, and what is wrong is said with its place. */

#include "json_file.h"
#include "io/base/disk.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 8

/* The bytes of a file. */
typedef struct bytes {
    char *text; /* owned */
    size_t n;
} bytes;

static rug_status out_of_memory(const rugi_json_file *j)
{
    return rug_context_fail(j->ctx, RUG_E_NOMEM, "%s: no memory for the JSON", j->path);
}

static const char *type_of(json_object *value)
{
    return json_type_to_name(json_object_get_type(value));
}

/* Reads all bytes, however many the file has, up to the limit. */
static rug_status read_stream(const rugi_json_file *j, bytes *b, FILE *in,
                              size_t max_bytes)
{
    for (size_t capacity = 0;;) {
        if (b->n == capacity) {
            capacity = capacity > 0 ? 2 * capacity : 65536;
            char *more = realloc(b->text, capacity);
            if (more == NULL)
                return out_of_memory(j);
            b->text = more;
        }
        size_t n = fread(b->text + b->n, 1, capacity - b->n, in);
        b->n += n;
        if (b->n > max_bytes)
            return rug_context_fail(j->ctx, RUG_E_FORMAT,
                                    "%s: more than %zu bytes, the limit", j->path,
                                    max_bytes);
        if (ferror(in))
            return rug_context_fail(j->ctx, RUG_E_IO, "%s: cannot be read: %s", j->path,
                                    strerror(errno));
        if (n == 0)
            return RUG_OK;
    }
}

static rug_status read_bytes(const rugi_json_file *j, bytes *b, size_t max_bytes)
{
    FILE *in;
    uint64_t n_bytes;
    rug_status status = rugi_open_regular(j->ctx, j->path, &in, &n_bytes);
    if (status != RUG_OK)
        return status;
    if (n_bytes > 0)
        status = read_stream(j, b, in, max_bytes);
    fclose(in);
    if (status == RUG_OK && b->n == 0)
        return rug_context_fail(j->ctx, RUG_E_FORMAT, "%s: is empty; JSON expected",
                                j->path);
    return status;
}

/* Whether only blanks stand behind the document. */
static int is_blank(const bytes *b, size_t from)
{
    while (from < b->n && b->text[from] != '\0' &&
           strchr(" \t\r\n", b->text[from]) != NULL)
        from++;
    return from == b->n;
}

static rug_status parse(rugi_json_file *j, const bytes *b)
{
    json_tokener *tokener = json_tokener_new_ex(MAX_DEPTH);
    if (tokener == NULL)
        return out_of_memory(j);
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    j->root = json_tokener_parse_ex(tokener, b->text, (int)b->n);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    size_t end = json_tokener_get_parse_end(tokener);
    json_tokener_free(tokener);
    if (error == json_tokener_continue)
        return rug_context_fail(j->ctx, RUG_E_FORMAT,
                                "%s: the JSON is cut off after %zu bytes", j->path, b->n);
    if (error == json_tokener_success && is_blank(b, end))
        return RUG_OK;
    return rug_context_fail(j->ctx, RUG_E_FORMAT, "%s: not JSON: %s at byte %zu", j->path,
                            error != json_tokener_success
                                ? json_tokener_error_desc(error)
                                : "more text after the document",
                            end);
}

/* Counts what begins an object, a list or a member, outside of texts. */
static rug_status check_nodes(const rugi_json_file *j, const bytes *b, size_t max_nodes)
{
    size_t n = 0;
    int in_text = 0;
    for (size_t i = 0; i < b->n; i++) {
        char c = b->text[i];
        if (c == '"')
            in_text = !in_text;
        else if (in_text)
            i += c == '\\'; /* what it escapes */
        else
            n += c == '{' || c == '[' || c == ':';
    }
    return n <= max_nodes
               ? RUG_OK
               : rug_context_fail(j->ctx, RUG_E_FORMAT,
                                  "%s: %zu objects, lists and members, at most %zu "
                                  "expected",
                                  j->path, n, max_nodes);
}

rug_status rugi_json_read(rugi_json_file *j, size_t max_bytes, size_t max_nodes)
{
    bytes b = {NULL, 0};
    j->root = NULL;
    rug_status status = read_bytes(j, &b, max_bytes);
    if (status == RUG_OK)
        status = check_nodes(j, &b, max_nodes);
    if (status == RUG_OK)
        status = parse(j, &b);
    free(b.text);
    if (status != RUG_OK) {
        json_object_put(j->root);
        j->root = NULL;
    }
    return status;
}

rug_status rugi_json_member(const rugi_json_file *j, json_object **out,
                            json_object *object, const char *where, const char *name,
                            json_type type)
{
    const char *dot = where[0] != '\0' ? "." : "";
    *out = NULL;
    if (!json_object_is_type(object, json_type_object))
        return rug_context_fail(
            j->ctx, RUG_E_FORMAT, "%s: %s is of type %s, object expected", j->path,
            where[0] != '\0' ? where : "the document", type_of(object));
    if (!json_object_object_get_ex(object, name, out))
        return rug_context_fail(j->ctx, RUG_E_FORMAT, "%s: %s%s%s is missing", j->path,
                                where, dot, name);
    if (!json_object_is_type(*out, type))
        return rug_context_fail(j->ctx, RUG_E_FORMAT,
                                "%s: %s%s%s is of type %s, %s expected", j->path, where,
                                dot, name, type_of(*out), json_type_to_name(type));
    if (type == json_type_string &&
        strlen(json_object_get_string(*out)) != (size_t)json_object_get_string_len(*out))
        return rug_context_fail(j->ctx, RUG_E_FORMAT, "%s: %s%s%s holds a zero byte",
                                j->path, where, dot, name);
    return RUG_OK;
}

rug_status rugi_json_number(const rugi_json_file *j, double *out, json_object *value,
                            const char *where)
{
    if (!json_object_is_type(value, json_type_double) &&
        !json_object_is_type(value, json_type_int))
        return rug_context_fail(j->ctx, RUG_E_FORMAT,
                                "%s: %s is of type %s, a number expected", j->path, where,
                                type_of(value));
    *out = json_object_get_double(value);
    return RUG_OK;
}
