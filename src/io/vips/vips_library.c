/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Starts libvips, keeps it silent, and opens files. It knows nothing of pages, colours or
 * values.
 *
 * vips_init() leaves the locale alone (checked with 8.14), and nothing here depends on
 * it. */

#include "vips_library.h"
#include <string.h>

/** Drops what libvips and its modules would print; failures come back as error texts. */
static void drop_message(const gchar *domain, GLogLevelFlags level, const gchar *text,
                         gpointer user)
{
    (void)domain;
    (void)level;
    (void)text;
    (void)user;
}

static void *start(void *unused)
{
    static int started;
    (void)unused;
    g_log_set_handler("VIPS",
                      G_LOG_LEVEL_WARNING | G_LOG_LEVEL_MESSAGE | G_LOG_LEVEL_INFO |
                          G_LOG_LEVEL_DEBUG,
                      drop_message, NULL);
    started = vips_init("rugose") == 0;
    vips_cache_set_max(0); /* operations kept for reuse would keep files open */
    /* libvips takes libtiff's messages once it knows this class; until then they are
     * printed. */
    GType tiff = started ? vips_type_find("VipsOperation", "tiffload") : 0;
    if (tiff != 0)
        g_type_class_ref(tiff);
    return &started;
}

rug_status rugi_vips_start(rug_context *ctx)
{
    static GOnce once = G_ONCE_INIT;
    const int *started = g_once(&once, start, NULL);
    if (!*started)
        return rug_context_fail(ctx, RUG_E_IO, "libvips cannot be started: %s",
                                vips_error_buffer());
    vips_error_clear();
    vips_concurrency_set(rug_context_threads(ctx));
    return RUG_OK;
}

unsigned rugi_vips_hush(void)
{
    return g_log_set_handler("GLib-GObject", G_LOG_LEVEL_WARNING, drop_message, NULL);
}

void rugi_vips_unhush(unsigned hush)
{
    g_log_remove_handler("GLib-GObject", hush);
}

static void set_part(VipsOperation *load, const rug_file *file,
                     const rugi_vips_part *part)
{
    g_object_set(load, "filename", file->path, "access", VIPS_ACCESS_SEQUENTIAL,
                 "fail_on", VIPS_FAIL_ON_ERROR, NULL);
    if (part->page > 0)
        g_object_set(load, "page", part->page, NULL);
    if (part->n_pages > 1)
        g_object_set(load, "n", part->n_pages, NULL);
    if (part->level > 0)
        g_object_set(load, "level", part->level, NULL);
    if (part->subifd >= 0)
        g_object_set(load, "subifd", part->subifd, NULL);
}

/** Opens a part whose pixels may be packed. */
static rug_status open_packed(rug_context *ctx, const rug_file *file,
                              const rugi_vips_part *part, VipsImage **out)
{
    VipsOperation *load = vips_operation_new(part->loader);
    if (load == NULL)
        return rugi_vips_fail(ctx, file, "cannot be opened");
    set_part(load, file, part);
    rug_status status = RUG_OK;
    guint quiet =
        g_log_set_handler("GLib-GObject", G_LOG_LEVEL_WARNING, drop_message, NULL);
    int failed = vips_cache_operation_buildp(&load) != 0; /* GObject prints sizes of 0 */
    g_log_remove_handler("GLib-GObject", quiet);
    if (failed)
        status = rugi_vips_fail(ctx, file, "cannot be read");
    else
        g_object_get(load, "out", out, NULL);
    vips_object_unref_outputs(VIPS_OBJECT(load));
    g_object_unref(load);
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
    if (vips_image_decode(packed, out) != 0) {
        *out = NULL;
        status = rugi_vips_fail(ctx, file, "cannot be read");
    }
    g_object_unref(packed);
    return status;
}

rug_status rugi_vips_fail(rug_context *ctx, const rug_file *file, const char *doing)
{
    char *text = g_strdup(vips_error_buffer());
    vips_error_clear();
    g_strstrip(text);
    for (char *c = text; *c != '\0'; c++)
        if (*c == '\n')
            *c = ';';
    rug_status status =
        rug_context_fail(ctx, RUG_E_FORMAT, "%s: %s: %s", file->path, doing,
                         *text != '\0' ? text : "damaged, or cut off");
    g_free(text);
    return status;
}
