/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Words of command lines: which belong to a part, and which to the table of all parts. */

#ifndef CLI_PART_WORDS_H
#define CLI_PART_WORDS_H

#include "shared/cli.h"

/** Options by what they belong to. */
typedef enum cli_part_option {
    CLI_OF_RUN,   /**< what is measured, and how: the same in all parts */
    CLI_OF_PART,  /**< a part, or the merging of parts, which each have their own */
    CLI_OF_MERGE, /**< tables and plots */
    CLI_OF_WHOLE  /**< the pixels of the whole image: none in parts */
} cli_part_option;

/** What an option belongs to. @param option  NULL: no option */
cli_part_option cli_part_option_of(const cli_option *option);

/** Finds the option of each word, be it its name or its value.
 *  @param of  [n]: NULL for operands, and for what is no option of the sets */
void cli_part_classify(const cli_option **of, const char *const *words, size_t n,
                       const cli_option_set *sets, size_t n_sets);

/** Finds an option of reading images that two command lines give otherwise, or only one of them.
 *  @param given, expected  words, ended by NULL, of a command that reads images
 *  @return 0: there is none; 1: a text has both; -1: there is no memory */
int cli_part_read_otherwise(char text[CLI_ERROR_MAX], const cli_command *command,
                            const char *const *given, const char *const *expected);

#endif
