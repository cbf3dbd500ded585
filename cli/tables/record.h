/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Records: names with values, in order; the rows of a report. */

#ifndef TABLES_RECORD_H
#define TABLES_RECORD_H

#include <stddef.h>
#include <stdint.h>

/** One row or one nested object: names with values, in the order in which they were set.
 *  Setting a name again replaces its value. Owned by the caller until it is added to
 *  something. Memory failures are remembered and reported when the report is written. A NULL
 *  record is ignored by every function here. */
typedef struct cli_record cli_record;

/** Makes an empty record; NULL when memory ran out. */
cli_record *cli_record_new(void);

/** Frees a record. NULL is allowed. */
void cli_record_free(cli_record *record);

/** Sets a text. A value of NULL is undefined: `nan` in tables, null in JSON. */
void cli_record_set_text(cli_record *record, const char *name, const char *value);

/** Sets a whole number, unsigned or signed, or a truth value. */
void cli_record_set_integer(cli_record *record, const char *name, uint64_t value);
void cli_record_set_signed(cli_record *record, const char *name, int64_t value);
void cli_record_set_bool(cli_record *record, const char *name, int value);

/** Sets a number. NaN and infinities become `nan` in tables and null in JSON. */
void cli_record_set_real(cli_record *record, const char *name, double value);

/** Sets the sum of a whole number and a rest, which may need all 64 bits. */
static inline void cli_record_set_exact(cli_record *record, const char *name,
                                        double value, int64_t rest)
{
    if (rest == 0)
        cli_record_set_real(record, name, value);
    else if (value < 0)
        cli_record_set_signed(record, name, (int64_t)value + rest);
    else
        cli_record_set_integer(record, name,
                               (value < 0x1p64 ? (uint64_t)value : 0) + (uint64_t)rest);
}

/** Sets a list of n numbers, for JSON; in tables it is `nan`, like everything nested. */
void cli_record_set_integers(cli_record *record, const char *name, const uint64_t *values,
                             size_t n);
void cli_record_set_reals(cli_record *record, const char *name, const double *values,
                          size_t n);

/** Appends a text to the list under a name, for JSON; in tables it is `nan`. */
void cli_record_add_text(cli_record *record, const char *name, const char *value);

/** Puts a child under a name; takes it over (also when it is NULL). */
void cli_record_set_record(cli_record *record, const char *name, cli_record *child);

/** Appends a child to the list under a name; takes it over (also when it is NULL). */
void cli_record_append(cli_record *record, const char *name, cli_record *child);

#endif
