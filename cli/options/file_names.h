/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Names of files that are made from those of images, where options hold "{}" and "{dir}". */

#ifndef RUGOSE_FILE_NAMES_H
#define RUGOSE_FILE_NAMES_H

#include <stddef.h>

/** Bytes of an output's name with its end. */
#define CLI_PATH_MAX 4300

/** What the name of an image in rows is made of. All but the folders. */
typedef struct cli_name {
    const char *base;  /**< the file behind its folders */
    size_t n_base;     /**< its bytes, without a '/' at the end of a folder */
    const char *array; /**< in the file; NULL: none is named */
    const char
        *parts; /**< behind the path: "[page=2]", "[files=9]", "[label=3]", "[plane=xy]";
                          its end, if it has none */
} cli_name;

cli_name cli_split_name(const char *name);

/** Puts the image's name without folders and ending where "{}" stands, and its folder where "{dir}"
 *  does. An array in a file, a page and a label follow the name: "cells_page2_label3".
 *  @param suffix  behind the name. @return 0: the result is too long */
int cli_put_name(char path[CLI_PATH_MAX], const char *asked, const char *image,
                 const char *suffix);

#endif
