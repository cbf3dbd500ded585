/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How a report is written in each form: what comes before its rows, rows, what comes behind. */

#ifndef TABLES_REPORT_FORMS_H
#define TABLES_REPORT_FORMS_H

#include "report.h"
#include <json-c/json.h>
#include <stdio.h>

/** What is written. Everything is borrowed. */
typedef struct cli_sheet {
    size_t n_columns;
    char *const *columns;
    json_object *head; /**< of JSON and pages */
    size_t n_head;     /**< its members that stand before the rows */
    json_object *rows; /**< an array of objects */
    uint64_t n_before; /**< rows that were written before them */
} cli_sheet;

/** One of the steps. Whether the stream took it is for the caller to ask.
 *  @return RUG_OK, RUG_E_NOMEM */
typedef rug_status (*cli_form_step)(FILE *stream, const cli_sheet *sheet);

/** A form. Steps that are NULL write nothing; one without `rows` needs all of them at the end. */
typedef struct cli_form {
    cli_form_step begin, rows, end;
} cli_form;

#define CLI_N_FORMS 4

/** By cli_report_format. */
extern const cli_form cli_forms[CLI_N_FORMS];

#endif
