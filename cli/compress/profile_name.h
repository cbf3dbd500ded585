/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a colour profile calls itself. */

#ifndef CLI_PROFILE_NAME_H
#define CLI_PROFILE_NAME_H

#include <stddef.h>
#include <stdint.h>

/** Bytes of a name with its end; longer ones are cut. */
#define CLI_PROFILE_NAME_MAX 80

/** Reads the name, in ASCII, with '?' for other letters. @param name  "" where there is none */
void cli_profile_name(char name[CLI_PROFILE_NAME_MAX], const uint8_t *icc, size_t n);

#endif
