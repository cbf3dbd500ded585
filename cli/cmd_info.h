/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files of `rugose info` share. */

#ifndef CLI_CMD_INFO_H
#define CLI_CMD_INFO_H

#include "shared/pictures.h"

/** Whether the inputs are streams: by their names all of them, or none.
 *  @return an error text, or NULL */
const char *cli_info_check_streams(const cli_run *run, int are_points, int *are_streams);

/** The table of streams: sets the columns and shows every input. */
void cli_info_streams(cli_run *run);

#endif
