/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Names of status codes. */

#include <rugose/status.h>

const char *rug_status_name(rug_status status)
{
    switch (status) {
    case RUG_OK: return "RUG_OK";
    case RUG_E_ARG: return "RUG_E_ARG";
    case RUG_E_NOMEM: return "RUG_E_NOMEM";
    case RUG_E_DEVICE: return "RUG_E_DEVICE";
    case RUG_E_IO: return "RUG_E_IO";
    case RUG_E_FORMAT: return "RUG_E_FORMAT";
    case RUG_E_UNSUPPORTED: return "RUG_E_UNSUPPORTED";
    case RUG_E_CANCELLED: return "RUG_E_CANCELLED";
    }
    return "RUG_E_?";
}
