/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a cli_record is made of, for the report that takes records in. */

#ifndef TABLES_RECORD_JSON_H
#define TABLES_RECORD_JSON_H

#include "record.h"
#include <errno.h>
#include <json-c/json.h>

struct cli_record {
    json_object *object; /* never NULL; undefined numbers are JSON null */
    int failed;          /* 1: memory ran out and something is missing */
};

/** The text of a value in a form of json-c's, which is valid as long as the value. json-c leaves out
 *  what it has no memory for and does not say so, but malloc() does.
 *  @return NULL: there is no memory */
static inline const char *cli_json_text(json_object *value, int form)
{
    errno = 0;
    const char *text = json_object_to_json_string_ext(value, form);
    return errno == ENOMEM ? NULL : text;
}

/** Frees a record and hands out its object.
 *  @return NULL when the record is NULL or incomplete */
static inline json_object *cli_record_release(cli_record *record)
{
    json_object *object = NULL;

    if (record != NULL && !record->failed)
        object = json_object_get(record->object);
    cli_record_free(record);
    return object;
}

#endif
