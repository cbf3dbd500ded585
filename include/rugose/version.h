/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The version of the headers and of the linked library. CMakeLists.txt reads the numbers
 * here.
 *
 *     int major = RUG_VERSION_MAJOR, minor = RUG_VERSION_MINOR, patch = RUG_VERSION_PATCH;
 *     char compiled[32];
 *     snprintf(compiled, sizeof compiled, "%d.%d.%d", major, minor, patch);
 *     printf("%s version\n", strcmp(compiled, rug_version()) == 0 ? "the same" : "another");
 *     // prints: the same version
 */

#ifndef RUGOSE_VERSION_H
#define RUGOSE_VERSION_H

#include <rugose/export.h>

#define RUG_VERSION_MAJOR 0
#define RUG_VERSION_MINOR 2
#define RUG_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the linked library, such as "0.2.0". Static text. Any result may change
 *  only together with this text. */
RUG_API const char *rug_version(void);

#ifdef __cplusplus
}
#endif

#endif
