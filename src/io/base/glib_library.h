/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* GLib where it is used without libvips: XML, texts that may be no UTF-8, checksums. */

#ifndef RUGI_GLIB_LIBRARY_H
#define RUGI_GLIB_LIBRARY_H

#include "library.h"
#include <glib.h>

/** Every function of GLib that is used. */
#define RUGI_GLIB_FUNCTIONS(X)          \
    X(g_free)                           \
    X(g_utf8_make_valid)                \
    X(g_markup_parse_context_new)       \
    X(g_markup_parse_context_parse)     \
    X(g_markup_parse_context_end_parse) \
    X(g_markup_parse_context_free)      \
    X(g_checksum_new)                   \
    X(g_checksum_update)                \
    X(g_checksum_get_string)            \
    X(g_checksum_free)

/** The functions, under their own names. */
typedef struct rugi_glib_library {
    RUGI_GLIB_FUNCTIONS(RUGI_LIBRARY_MEMBER)
} rugi_glib_library;

/** NULL until rugi_glib_load() has succeeded. */
extern rugi_glib_library rugi_glib;

/** Loads GLib. @return as rugi_library_load() */
rug_status rugi_glib_load(rug_context *ctx, const char *path);

#endif
