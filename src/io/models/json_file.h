/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* JSON documents in files, through json-c. Files are hostile: every member is checked before it
 * is used, and what is wrong is said with its place. */

#ifndef RUGI_JSON_FILE_H
#define RUGI_JSON_FILE_H

#include <json-c/json.h>
#include <rugose/context.h>
#include <stddef.h>

/** A document, for messages with its file. */
typedef struct rugi_json_file {
    rug_context *ctx;
    const char *path;
    json_object *root; /* to be released with json_object_put(); NULL on failure */
} rugi_json_file;

/** Reads a document; j->ctx and j->path are set.
 *  @param max_bytes  of the file, below 2^31
 *  @param max_nodes  objects, lists and members: they take many times the memory of their
 *                    text
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT (no JSON, cut off, too large) */
rug_status rugi_json_read(rugi_json_file *j, size_t max_bytes, size_t max_nodes);

/** A member of an object.
 *  @param where  names the object; "" is the document itself
 *  @return RUG_OK, RUG_E_FORMAT (the object is none, or has no such member, or that is of
 *          another type or a text with a zero byte) */
rug_status rugi_json_member(const rugi_json_file *j, json_object **out,
                            json_object *object, const char *where, const char *name,
                            json_type type);

/** A number that may be written as an integer.
 *  @param where  names the value
 *  @return RUG_OK, RUG_E_FORMAT */
rug_status rugi_json_number(const rugi_json_file *j, double *out, json_object *value,
                            const char *where);

#endif
