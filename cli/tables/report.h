/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reports: rows with the same columns, as text, CSV or JSON.
 *
 * cli_record (one row) -> cli_report (many rows) -> cli_report_write() */

#ifndef TABLES_REPORT_H
#define TABLES_REPORT_H

#include "record.h"
#include <rugose/context.h>

/** Output forms. */
typedef enum cli_report_format {
    CLI_REPORT_TEXT = 0, /**< columns aligned for people */
    CLI_REPORT_CSV = 1,  /**< quoted as in RFC 4180, lines end in a line feed; an empty
                              text is "", a value that is undefined, missing or nested is
                              `nan` */
    CLI_REPORT_JSON = 2  /**< one document; undefined numbers are null */
} cli_report_format;

/** Rows with the same columns, and a head for JSON. Opaque, owned by the caller. */
typedef struct cli_report cli_report;

/** The member of a row whose members are columns that a list carries. */
#define CLI_CARRIED "list"

/** Makes an empty report.
 *  @param columns  names, in order, ended by NULL; copied. Text and CSV show only these,
 *                  JSON shows everything that the rows hold
 *  @return NULL when memory ran out */
cli_report *cli_report_new(const char *const *columns);

/** Frees a report and its rows. NULL is allowed. */
void cli_report_free(cli_report *report);

/** The head of the JSON document, to be filled by the caller; owned by the report. */
cli_record *cli_report_head(cli_report *report);

/** Adds a row and takes it over (a NULL row marks the report as incomplete). A column that
 *  the row lacks is `nan`. */
void cli_report_add(cli_report *report, cli_record *row);

/** Moves all rows of a report to the end of another. */
void cli_report_take(cli_report *report, cli_report *from);

/** The number of rows. */
size_t cli_report_rows(const cli_report *report);

/** Writes a report.
 *  @param path  a file, written beside its final name and renamed when whole; NULL =
 *               stdout
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO */
rug_status cli_report_write(rug_context *ctx, const cli_report *report, const char *path,
                            cli_report_format format);

/** The form that belongs to a file's ending: .csv, .json, .txt (any case).
 *  @param out   the form; zeroed on failure
 *  @return RUG_OK, RUG_E_ARG (another ending) */
rug_status cli_report_format_of(rug_context *ctx, cli_report_format *out,
                                const char *path);

#endif
