/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reports: rows with the same columns, as text, CSV, JSON or a page of HTML.
 *
 * cli_record (one row) -> cli_report (many rows) -> cli_report_write(), or while rows come
 * cli_report_open(), cli_report_flush() */

#ifndef TABLES_REPORT_H
#define TABLES_REPORT_H

#include "record.h"
#include "record_bytes.h"
#include <rugose/context.h>

/** Output forms. */
typedef enum cli_report_format {
    CLI_REPORT_TEXT = 0, /**< columns aligned for people */
    CLI_REPORT_CSV = 1,  /**< quoted as in RFC 4180, lines end in a line feed; an empty
                              text is "", a value that is undefined, missing or nested is
                              `nan` */
    CLI_REPORT_JSON = 2, /**< one document; undefined numbers are null */
    CLI_REPORT_PAGE = 3  /**< a page of HTML, see cli_page */
} cli_report_format;

/** Rows with the same columns, and a head for JSON. Opaque, owned by the caller. */
typedef struct cli_report cli_report;

/** The member of a row whose members are columns that a list carries. */
#define CLI_CARRIED "list"

/** The member of a row whose items are the columns "bin_0", "bin_1" … */
#define CLI_BINS "bins"

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

/** Writes the rows as bytes, to a stream in memory. */
void cli_report_save(FILE *out, const cli_report *report);

/** Sets the rows from such bytes. */
void cli_report_load(cli_report *report, cli_bytes *bytes);

/** Has each row that is added from now on be one of another report as well, with the warnings about
 *  its image. @param also  must not be freed before; NULL: none */
void cli_report_share(cli_report *report, cli_report *also);

/** Puts what the head of the other report lacks into it; in the end, as some is known late. */
void cli_report_share_head(cli_report *report);

/** The number of rows that are not written yet. */
size_t cli_report_rows(const cli_report *report);

/** Notes a warning about the image in work, for the JSON of its rows.
 *  @param warning  NULL: the image ends, and the rows that were added since the one before get the
 *                  list `warnings` */
void cli_report_note(cli_report *report, const char *warning);

/* ---- Written as it comes ---- */

/** How far a report is written. */
typedef struct cli_mark {
    uint64_t end;    /**< bytes */
    uint64_t hash;   /**< of these bytes, see cli_mark_hash() */
    uint64_t n_rows; /**< among them */
} cli_mark;

#define CLI_MARK_INIT             \
    {                             \
        0, 0xcbf29ce484222325u, 0 \
    }

/** Goes on with a hash (FNV-1a). */
static inline uint64_t cli_mark_hash(uint64_t hash, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return hash;
}

/** Begins to write a report whose head is filled; what the head gets later stands behind the rows.
 *  All but text go to a file with ".part" behind its name, which stays when the report is freed
 *  before its end. Text waits for all rows.
 *  @param path  a file; NULL = stdout
 *  @param at    where a part goes on that is there; NULL: it begins
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO */
rug_status cli_report_open(rug_context *ctx, cli_report *report, const char *path,
                           cli_report_format format, const cli_mark *at);

/** Writes the rows that were added and forgets them. After a failure nothing more is written, and a
 *  part holds what it did before.
 *  @param is_end  nonzero: writes what is left of the form, too, and gives a file its name
 *  @return as cli_report_open(); RUG_OK when an earlier failure was told */
rug_status cli_report_flush(rug_context *ctx, cli_report *report, int is_end);

/** The member of a row that is in JSON only, as it is long. */
#define CLI_MOMENTS "moments"

/** A member of a row of a page that makes it a picture and no row of the table: a record with the texts
 *  "image", which rows have too, "kind", "alt" and "png", base64. */
#define CLI_PICTURE "picture"

/** What this build has of a page: its bytes before and behind the data, which are a JSON object:
 *  "columns"; the members of the head that were there at the beginning; "entries", a list of
 *  {"cells", "row", "as_before"}, with the texts that a row has in CSV, unquoted, what it has in JSON but for
 *  CLI_MOMENTS, and the names of those of its members that are as in the row before, and of {"picture"};
 *  the other members of the head. */
typedef struct cli_page_text {
    const char *begin, *behind,
        *end;              /**< `behind` the data; NULL: it was built without */
    const char *libraries; /**< part of it, or the packages that were missing */
} cli_page_text;
extern const cli_page_text cli_page;

/** What a report says about its writing. */
typedef struct cli_written {
    int is_open, is_part; /**< to a file with ".part" behind its name */
    int is_lost;          /**< a write failed: no more are tried */
    cli_mark mark;
} cli_written;

/** How far a report is written. It is valid as long as the report. */
const cli_written *cli_report_written(const cli_report *report);

/* ---- Written at once ---- */

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
