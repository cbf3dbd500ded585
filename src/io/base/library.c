/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Loading of libraries. All functions are found at once, so that a library too old is refused before
 * it is used; and those that libraries need of each other, for the loader ends the process where
 * there is no memory to find one later. */

#define _GNU_SOURCE /* RTLD_NODELETE */
#include "library.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

/* Finds all functions. @return the name of one that is missing, or NULL */
static const char *find_functions(void *handle, const rugi_library *library)
{
    for (size_t i = 0; library->symbols[i] != NULL; i++)
        if (dlsym(handle, library->symbols[i]) == NULL)
            return library->symbols[i];
    for (size_t i = 0; library->symbols[i] != NULL; i++) {
        void *found = dlsym(handle, library->symbols[i]);
        memcpy((char *)library->functions + i * sizeof found, &found, sizeof found);
    }
    return NULL;
}

static rug_status load(rug_context *ctx, const rugi_library *library, const char *path)
{
    errno = 0;
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == NULL && errno == ENOMEM)
        return rug_context_fail(ctx, RUG_E_NOMEM, "%s: no memory for %s, which it needs",
                                path, library->name);
    if (handle == NULL) {
        const char *reason = dlerror();
        if (reason == NULL)
            reason = library->file;
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                "%s: needs %s, which cannot be loaded; install %s (%.*s)",
                                path, library->name, library->package,
                                (int)strcspn(reason, "\n"), reason);
    }
    const char *missing = find_functions(handle, library);
    dlclose(handle);
    if (missing == NULL)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_UNSUPPORTED,
        "%s: needs %s, but that of this system has no %s; install another %s", path,
        library->name, missing, library->package);
}

rug_status rugi_library_load(rug_context *ctx, const rugi_library *library,
                             const char *path)
{
    void *first;
    rug_status status = RUG_OK;
    pthread_mutex_lock(&loading);
    memcpy(&first, library->functions, sizeof first);
    if (first == NULL)
        status = load(ctx, library, path);
    pthread_mutex_unlock(&loading);
    return status;
}
