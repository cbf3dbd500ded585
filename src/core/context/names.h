/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The text functions of enums. */

#ifndef RUGI_NAMES_H
#define RUGI_NAMES_H

/** The name of an enum's value in an array of texts; "?" for other numbers. */
#define RUGI_NAME(names, value)                                                       \
    ((unsigned)(value) < sizeof(names) / sizeof *(names) ? (names)[(unsigned)(value)] \
                                                         : "?")

#endif
