/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* libvips as the readers use it: loaded and started when a file needs it, silenced, and asked by
 * content. Nothing calls it, GObject or GLib but through the table here. */

#ifndef RUGI_VIPS_LIBRARY_H
#define RUGI_VIPS_LIBRARY_H

#include "io/base/library.h"
#include "io/base/reader.h"
#include <vips/vips.h>

/** Every function of libvips, and of GObject and GLib below it, that is used. */
#define RUGI_VIPS_FUNCTIONS(X)       \
    X(vips_init)                     \
    X(vips_cache_set_max)            \
    X(vips_concurrency_set)          \
    X(vips_type_find)                \
    X(vips_error_buffer)             \
    X(vips_error_clear)              \
    X(vips_foreign_is_a)             \
    X(vips_operation_new)            \
    X(vips_cache_operation_buildp)   \
    X(vips_object_unref_outputs)     \
    X(vips_image_decode)             \
    X(vips_image_get_bands)          \
    X(vips_image_get_blob)           \
    X(vips_image_get_format)         \
    X(vips_image_get_height)         \
    X(vips_image_get_width)          \
    X(vips_image_get_xres)           \
    X(vips_image_get_yres)           \
    X(vips_image_get_int)            \
    X(vips_image_get_n_pages)        \
    X(vips_image_get_string)         \
    X(vips_image_get_typeof)         \
    X(vips_image_hasalpha)           \
    X(vips_image_set_blob_copy)      \
    X(vips_image_set_int)            \
    X(vips_image_set_kill)           \
    X(vips_image_set_progress)       \
    X(vips_image_set_string)         \
    X(vips_image_get_interpretation) \
    X(vips_image_new_from_memory)    \
    X(vips_image_write_to_target)    \
    X(vips_region_new)               \
    X(vips_region_prepare)           \
    X(vips_sink_disc)                \
    X(vips_copy)                     \
    X(vips_target_new_to_memory)     \
    X(vips_blob_get)                 \
    X(vips_area_unref)               \
    X(g_log_set_handler)             \
    X(g_log_remove_handler)          \
    X(g_object_get)                  \
    X(g_object_set)                  \
    X(g_object_unref)                \
    X(g_signal_connect_data)         \
    X(g_signal_handler_disconnect)   \
    X(g_type_class_ref)              \
    X(g_intern_string)

/** The functions, under their own names. */
typedef struct rugi_vips_library {
    RUGI_VIPS_FUNCTIONS(RUGI_LIBRARY_MEMBER)
} rugi_vips_library;

/** NULL until rugi_vips_start() has succeeded. */
extern rugi_vips_library rugi_vips;

/** Which part of a file libvips is to open. 0 or -1 leave an option alone, so that
 *  loaders without it work. */
typedef struct rugi_vips_part {
    const char *loader; /**< such as "gifload" */
    int page;           /**< first page, from 0 */
    int n_pages;        /**< pages below each other; at least 1 */
    int level;          /**< of a whole slide, from 0 */
    int subifd;         /**< of a TIFF page; -1 = the page itself */
} rugi_vips_part;

/** Loads and starts libvips once.
 *  @param path  the file that needs it, for the error text
 *  @return RUG_OK, RUG_E_UNSUPPORTED (not installed), RUG_E_IO (not in a usable state) */
rug_status rugi_vips_start(rug_context *ctx, const char *path);

/** Keeps GObject from printing warnings about broken files, such as widths of 0.
 *  @return what rugi_vips_unhush() needs */
unsigned rugi_vips_hush(void);
void rugi_vips_unhush(unsigned hush);

/** Opens a part of a file for reading from top to bottom; pixels are read later. Packed
 *  ones (Radiance, CIELAB, LogLuv) become plain.
 *  @param out  to be released with rugi_vips_release()
 *  @return RUG_OK, RUG_E_FORMAT */
rug_status rugi_vips_open(rug_context *ctx, const rug_file *file,
                          const rugi_vips_part *part, VipsImage **out);

/** Releases an object of libvips; nothing happens when it is NULL. */
void rugi_vips_release(void *object);

/** Connects a function to a signal; g_signal_handler_disconnect() ends that.
 *  @param user  the last thing that it is given */
gulong rugi_vips_connect(VipsImage *image, const char *signal, GCallback function,
                         void *user);

/** Bytes of an error text of libvips with its end. */
#define RUGI_VIPS_TEXT_MAX 1024

/** Takes what libvips has to say about a failure, as one line.
 *  @param otherwise  the text when that is nothing */
void rugi_vips_take_error(char text[RUGI_VIPS_TEXT_MAX], const char *otherwise);

#endif
