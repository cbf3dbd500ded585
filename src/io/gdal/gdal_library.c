/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Loads and starts GDAL. What it is told holds for the calling thread alone, and only while it stays there: a
 * program that uses GDAL itself finds it as it left it. */

#include "gdal_library.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

rugi_gdal_library rugi_gdal;

/* The HDF5 library lets in one thread at a time, and some builds of it have no locks of their own. */
static pthread_mutex_t hdf5 = PTHREAD_MUTEX_INITIALIZER;

/* It prints what goes wrong, unless it is told otherwise; GDAL does not. Its own types: an error stack has 64
 * bits, 0 is that of the thread. */
int H5Eget_auto2(int64_t stack, void **function, void **data);
int H5Eset_auto2(int64_t stack, void *function, void *data);
int H5dont_atexit(void);

#define HDF5_FUNCTIONS(X) X(H5Eget_auto2) X(H5Eset_auto2) X(H5dont_atexit)

/* NULL where GDAL has no HDF5. */
static struct {
    HDF5_FUNCTIONS(RUGI_LIBRARY_MEMBER)
} messages;

/* No files beside the file are read unasked or written, nothing on the network, no plugins. */
static const char *const settings[][2] = {{"GDAL_PAM_ENABLED", "NO"},
                                          {"GDAL_DISABLE_READDIR_ON_OPEN", "TRUE"},
                                          {"CPL_VSIL_CURL_ALLOWED_FILENAME", "none"},
                                          {"GDAL_DRIVER_PATH", "disable"}};

static void set(int is_on)
{
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        rugi_gdal.CPLSetThreadLocalConfigOption(settings[i][0],
                                                is_on ? settings[i][1] : NULL);
}

/** Keeps the first failure, as one line. */
static void CPL_STDCALL take_message(CPLErr kind, CPLErrorNum number, const char *text)
{
    rugi_gdal_stay *stay = rugi_gdal.CPLGetErrorHandlerUserData();
    (void)number;
    if (kind < CE_Failure || stay->text[0] != '\0')
        return;
    snprintf(stay->text, sizeof stay->text, "%s", text);
    for (char *at = stay->text; *at != '\0'; at++)
        if (*at == '\n')
            *at = ';';
}

void rugi_gdal_enter(rugi_gdal_stay *stay, const char *driver)
{
    stay->text[0] = '\0';
    stay->is_alone = strcmp(driver, "HDF5") == 0 || strcmp(driver, "netCDF") == 0;
    if (stay->is_alone)
        pthread_mutex_lock(&hdf5);
    stay->is_hushed = stay->is_alone && messages.H5Eset_auto2 != NULL;
    if (stay->is_hushed) {
        messages.H5Eget_auto2(0, &stay->printer[0], &stay->printer[1]);
        messages.H5Eset_auto2(0, NULL, NULL);
    }
    rugi_gdal.CPLPushErrorHandlerEx(take_message, stay);
    set(1);
}

void rugi_gdal_leave(const rugi_gdal_stay *stay)
{
    set(0);
    rugi_gdal.CPLPopErrorHandler();
    if (stay->is_hushed)
        messages.H5Eset_auto2(0, stay->printer[0], stay->printer[1]);
    if (stay->is_alone)
        pthread_mutex_unlock(&hdf5);
}

static void start(void)
{
    rugi_gdal_stay stay;
    if (messages.H5dont_atexit != NULL) /* it prints what damaged files leave behind */
        messages.H5dont_atexit();
    rugi_gdal_enter(&stay, "HDF5");
    rugi_gdal.GDALAllRegister();
    rugi_gdal_leave(&stay);
}

rug_status rugi_gdal_start(rug_context *ctx, const char *path)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static const char *const symbols[] = {RUGI_GDAL_FUNCTIONS(RUGI_LIBRARY_SYMBOL) NULL};
    static const rugi_library library = {"GDAL", RUGI_GDAL_FILE, RUGI_GDAL_PACKAGE,
                                         symbols, &rugi_gdal};
    static const char *const hdf5_symbols[] = {HDF5_FUNCTIONS(RUGI_LIBRARY_SYMBOL) NULL};
    static const rugi_library of_gdal = {"HDF5", RUGI_GDAL_FILE, RUGI_GDAL_PACKAGE,
                                         hdf5_symbols, &messages};
    rug_status status = rugi_library_load(ctx, &library, path);
    if (status != RUG_OK)
        return status;
    rugi_library_load(ctx, &of_gdal, path); /* it goes without */
    pthread_once(&once, start);
    return RUG_OK;
}
