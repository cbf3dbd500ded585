/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Loads libtiff, and opens files whose messages stay with them: nothing is printed, and threads do
 * not get each other's. */

#include "tiff_library.h"
#include <stdio.h>
#include <string.h>

rugi_tiff_library rugi_tiff;

rug_status rugi_tiff_load(rug_context *ctx, const char *path)
{
    static const char *const symbols[] = {RUGI_TIFF_FUNCTIONS(RUGI_LIBRARY_SYMBOL) NULL};
    static const rugi_library library = {"libtiff", RUGI_TIFF_FILE, "libtiff6", symbols,
                                         &rugi_tiff};
    return rugi_library_load(ctx, &library, path);
}

/* Keeps the first error: those that follow are its consequences. Answers that nobody else is to be
 * told. */
static int keep_error(TIFF *tiff, void *user, const char *module, const char *format,
                      va_list values)
{
    rugi_tiff_handle *handle = user;
    (void)tiff;
    (void)module;
    if (handle->error[0] == '\0')
        vsnprintf(handle->error, sizeof handle->error, format, values);
    return 1;
}

/* What libtiff warns of, such as tags that it does not know, spoils no pixels; but libjpeg only warns
 * where rows are missing or cannot be decoded. */
static int tells_of_damage(const char *text)
{
    static const char *const words[] = {"remature end of", "bad Huffman code",
                                        "instead of RST", "Inconsistent progression"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(text, words[i]) != NULL)
            return 1;
    return 0;
}

/* Keeps a warning that is an error. */
static int judge_warning(TIFF *tiff, void *user, const char *module, const char *format,
                         va_list values)
{
    char text[RUGI_TIFF_TEXT];
    rugi_tiff_handle *handle = user;
    (void)tiff;
    (void)module;
    vsnprintf(text, sizeof text, format, values);
    if (tells_of_damage(text) && handle->error[0] == '\0')
        memcpy(handle->error, text, sizeof text);
    return 1;
}

int rugi_tiff_open(rugi_tiff_handle *handle, int file, const char *path, const char *mode)
{
    TIFFOpenOptions *options = rugi_tiff.TIFFOpenOptionsAlloc();
    handle->tiff = NULL;
    handle->error[0] = '\0';
    if (options == NULL)
        return 0;
    rugi_tiff.TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, handle);
    rugi_tiff.TIFFOpenOptionsSetWarningHandlerExtR(options, judge_warning, handle);
    handle->tiff = file < 0 ? rugi_tiff.TIFFOpenExt(path, mode, options)
                            : rugi_tiff.TIFFFdOpenExt(file, path, mode, options);
    rugi_tiff.TIFFOpenOptionsFree(options);
    return handle->tiff != NULL;
}

void rugi_tiff_close(rugi_tiff_handle *handle)
{
    if (handle->tiff != NULL)
        rugi_tiff.TIFFClose(handle->tiff);
    handle->tiff = NULL;
}
