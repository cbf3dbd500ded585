/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a cli_record is made of, for the report that takes records in. */

#ifndef TABLES_RECORD_JSON_H
#define TABLES_RECORD_JSON_H

#include "record.h"
#include <json-c/json.h>

struct cli_record {
    json_object *object; /* never NULL; undefined numbers are JSON null */
    int failed;          /* 1: memory ran out and something is missing */
};

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
