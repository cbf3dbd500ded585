/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The functions of GLib. */

#include "glib_library.h"

rugi_glib_library rugi_glib;

rug_status rugi_glib_load(rug_context *ctx, const char *path)
{
    static const char *const symbols[] = {RUGI_GLIB_FUNCTIONS(RUGI_LIBRARY_SYMBOL) NULL};
    static const rugi_library library = {"GLib", RUGI_GLIB_FILE, "libglib2.0-0", symbols,
                                         &rugi_glib};
    return rugi_library_load(ctx, &library, path);
}
