/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_EXPORT_H
#define RUGOSE_EXPORT_H

#if defined(RUG_STATIC) || !defined(__GNUC__)
#define RUG_API
#else
#define RUG_API __attribute__((visibility("default")))
#endif

#ifdef __GNUC__
#define RUG_PRINTF(format_index, first_argument) \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define RUG_PRINTF(format_index, first_argument)
#endif

#endif
