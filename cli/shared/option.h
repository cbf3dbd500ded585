/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Option tables. Each option is described once; parsing, --help, the manual page and the
 * shell completion are made from the description. */

#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include <stddef.h>

/** What an option's value is, and what its target in the values struct is. */
typedef enum cli_kind {
    CLI_FLAG,   /**< no value; int, 1 when given */
    CLI_TEXT,   /**< const char *, NULL when not given */
    CLI_INT,    /**< int within [min, max] */
    CLI_CHOICE, /**< int, the place of the value in `choices` */
    CLI_TEXTS,  /**< cli_texts; the option may be given several times */
} cli_kind;

/** Most values of one option that may be given several times. */
#define CLI_TEXTS_MAX 64

/** All values of such an option, in their order. */
typedef struct cli_texts {
    const char *items[CLI_TEXTS_MAX];
    size_t n;
} cli_texts;

/** One option. */
typedef struct cli_option {
    const char *name; /**< without dashes */
    char letter;      /**< short form; 0 = none */
    cli_kind kind;
    const char *value;   /**< the value's name in help, such as FILE; NULL for flags */
    const char *choices; /**< CLI_CHOICE: "text|csv|json" */
    int min, max;        /**< CLI_INT */
    size_t target;       /**< offset in the values struct */
    const char *help;    /**< meaning, unit, range, default; no newline */
} cli_option;

/** Options of one origin with the struct that their values go to. */
typedef struct cli_option_set {
    const char *title; /**< heading in help */
    const cli_option *options;
    size_t n;
    void *values;
} cli_option_set;

/** What a command line held besides options. */
typedef struct cli_operands {
    char **items; /**< into argv */
    size_t n;
} cli_operands;

/** Longest error text. */
#define CLI_ERROR_MAX 512

/** Reads options and operands; options may stand anywhere, "--" ends them, none but
 *  CLI_TEXTS may be given twice.
 *  @param argv      argc words after the command's name; reordered: operands come to the
 *                   front
 *  @param error     filled on failure: what was given, what was expected
 *  @return 0, or -1 */
int cli_parse(int argc, char **argv, const cli_option_set *sets, size_t n_sets,
              cli_operands *operands, char error[CLI_ERROR_MAX]);

/** Bytes of a choice's name with its end. */
#define CLI_CHOICE_MAX 32

/** The i-th word of "a|b|c", as CLI_CHOICE counts them. */
void cli_choice_name(char name[CLI_CHOICE_MAX], const char *choices, int i);

/** Reads a whole text as a decimal integer within [min, max]. @return 0, or -1 */
int cli_parse_int(int *value, const char *text, int min, int max);

#endif
