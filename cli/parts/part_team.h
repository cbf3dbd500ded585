/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images that the processes of a team measure together, each some layers. */

#ifndef CLI_PART_TEAM_H
#define CLI_PART_TEAM_H

#include "parts.h"

/** Sets run->parts where there is a team and fewer inputs than processes, unless an option needs the
 *  pixels of the whole image. */
rug_status cli_begin_team_parts(cli_run *run);

#endif
