/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Loads and starts libvips, keeps it silent, and opens files. It knows nothing of pages, colours or
 * values.
 *
 * vips_init() leaves the locale alone (checked with 8.14), and nothing here depends on
 * it. */

#include "vips_library.h"
#include "io/base/text.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

rugi_vips_library rugi_vips;

/** Drops what libvips and its modules would print; failures come back as error texts. */
static void drop_message(const gchar *domain, GLogLevelFlags level, const gchar *text,
                         gpointer user)
{
    (void)domain;
    (void)level;
    (void)text;
    (void)user;
}

static rug_status load_library(rug_context *ctx, const char *path)
{
    static const char *const symbols[] = {RUGI_VIPS_FUNCTIONS(RUGI_LIBRARY_SYMBOL) NULL};
    static const rugi_library library = {"libvips", RUGI_VIPS_FILE, "libvips42", symbols,
                                         &rugi_vips};
    return rugi_library_load(ctx, &library, path);
}

void rugi_vips_take_error(char text[RUGI_VIPS_TEXT_MAX], const char *otherwise)
{
    const char *from = rugi_vips.vips_error_buffer();
    from += strspn(from, RUGI_BLANKS);
    size_t n = strlen(from);
    while (n > 0 && strchr(RUGI_BLANKS, from[n - 1]) != NULL)
        n--;
    n = n < RUGI_VIPS_TEXT_MAX ? n : RUGI_VIPS_TEXT_MAX - 1;
    for (size_t i = 0; i < n; i++)
        text[i] = from[i] == '\n' ? ';' : from[i];
    text[n] = '\0';
    if (n == 0)
        snprintf(text, RUGI_VIPS_TEXT_MAX, "%s", otherwise);
    rugi_vips.vips_error_clear();
}

static int is_started;

static void start(void)
{
    rugi_vips.g_log_set_handler("VIPS",
                                G_LOG_LEVEL_WARNING | G_LOG_LEVEL_MESSAGE |
                                    G_LOG_LEVEL_INFO | G_LOG_LEVEL_DEBUG,
                                drop_message, NULL);
    is_started = rugi_vips.vips_init("rugose") == 0;
    rugi_vips.vips_cache_set_max(0); /* operations kept for reuse would keep files open */
    /* libvips takes libtiff's messages once it knows this class; until then they are
     * printed. */
    GType tiff = is_started ? rugi_vips.vips_type_find("VipsOperation", "tiffload") : 0;
    if (tiff != 0)
        rugi_vips.g_type_class_ref(tiff);
}

rug_status rugi_vips_start(rug_context *ctx, const char *path)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char text[RUGI_VIPS_TEXT_MAX];
    rug_status status = load_library(ctx, path);
    if (status != RUG_OK)
        return status;
    pthread_once(&once, start);
    rugi_vips_take_error(text, "it does not say why");
    if (!is_started)
        return rug_context_fail(ctx, RUG_E_IO, "%s: libvips cannot be started: %s", path,
                                text);
    rugi_vips.vips_concurrency_set(rug_context_threads(ctx));
    return RUG_OK;
}

unsigned rugi_vips_hush(void)
{
    return rugi_vips.g_log_set_handler("GLib-GObject", G_LOG_LEVEL_WARNING, drop_message,
                                       NULL);
}

void rugi_vips_unhush(unsigned hush)
{
    rugi_vips.g_log_remove_handler("GLib-GObject", hush);
}

/** Fails with what libvips has to say, as one line that names the file. */
static rug_status fail(rug_context *ctx, const rug_file *file, const char *doing)
{
    char text[RUGI_VIPS_TEXT_MAX];
    rugi_vips_take_error(text, "damaged, or cut off");
    return rug_context_fail(ctx, RUG_E_FORMAT, "%s: %s: %s", file->path, doing, text);
}

static void set_part(VipsOperation *load, const rug_file *file,
                     const rugi_vips_part *part)
{
    rugi_vips.g_object_set(load, "filename", file->path, "access", VIPS_ACCESS_SEQUENTIAL,
                           "fail_on", VIPS_FAIL_ON_ERROR, NULL);
    if (part->page > 0)
        rugi_vips.g_object_set(load, "page", part->page, NULL);
    if (part->n_pages > 1)
        rugi_vips.g_object_set(load, "n", part->n_pages, NULL);
    if (part->level > 0)
        rugi_vips.g_object_set(load, "level", part->level, NULL);
    if (part->subifd >= 0)
        rugi_vips.g_object_set(load, "subifd", part->subifd, NULL);
}

/** Opens a part whose pixels may be packed. */
static rug_status open_packed(rug_context *ctx, const rug_file *file,
                              const rugi_vips_part *part, VipsImage **out)
{
    VipsOperation *load = rugi_vips.vips_operation_new(part->loader);
    if (load == NULL)
        return fail(ctx, file, "cannot be opened");
    set_part(load, file, part);
    rug_status status = RUG_OK;
    guint quiet = rugi_vips.g_log_set_handler("GLib-GObject", G_LOG_LEVEL_WARNING,
                                              drop_message, NULL);
    int failed =
        rugi_vips.vips_cache_operation_buildp(&load) != 0; /* GObject prints sizes of 0 */
    rugi_vips.g_log_remove_handler("GLib-GObject", quiet);
    if (failed)
        status = fail(ctx, file, "cannot be read");
    else
        rugi_vips.g_object_get(load, "out", out, NULL);
    rugi_vips.vips_object_unref_outputs((VipsObject *)load);
    rugi_vips_release(load);
    return status;
}

rug_status rugi_vips_open(rug_context *ctx, const rug_file *file,
                          const rugi_vips_part *part, VipsImage **out)
{
    VipsImage *packed;
    *out = NULL;
    rug_status status = open_packed(ctx, file, part, &packed);
    if (status != RUG_OK)
        return status;
    if (rugi_vips.vips_image_decode(packed, out) != 0) {
        *out = NULL;
        status = fail(ctx, file, "cannot be read");
    }
    rugi_vips_release(packed);
    return status;
}

void rugi_vips_release(void *object)
{
    if (object != NULL)
        rugi_vips.g_object_unref(object);
}

gulong rugi_vips_connect(VipsImage *image, const char *signal, GCallback function,
                         void *user)
{
    return rugi_vips.g_signal_connect_data(image, signal, function, user, NULL,
                                           (GConnectFlags)0);
}
