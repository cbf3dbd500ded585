/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Loads and starts GDAL. What it is told holds for the calling thread alone, and only while it stays there: a
 * program that uses GDAL itself finds it as it left it. */

#include "gdal_library.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

rugi_gdal_library rugi_gdal;

/* Debian builds the HDF5 library without its own locks. */
static pthread_mutex_t hdf5 = PTHREAD_MUTEX_INITIALIZER;

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
    rugi_gdal.CPLPushErrorHandlerEx(take_message, stay);
    set(1);
}

void rugi_gdal_leave(const rugi_gdal_stay *stay)
{
    set(0);
    rugi_gdal.CPLPopErrorHandler();
    if (stay->is_alone)
        pthread_mutex_unlock(&hdf5);
}

static void start(void)
{
    rugi_gdal_stay stay;
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
    rug_status status = rugi_library_load(ctx, &library, path);
    if (status == RUG_OK)
        pthread_once(&once, start);
    return status;
}
