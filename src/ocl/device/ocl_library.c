/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Finds the OpenCL library and its functions. */

#define _GNU_SOURCE /* RTLD_NODELETE */
#include "ocl_library.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "libOpenCL.so.1"

/* What dlopen() says may hold a path and a newline; one line is kept. */
static void keep_reason(char *reason, size_t n_reason, const char *text)
{
    snprintf(reason, n_reason, "no OpenCL library: %s", text != NULL ? text : LIBRARY);
    reason[strcspn(reason, "\n")] = '\0';
}

int rugi_ocl_load(rugi_ocl_library *out, char *reason, size_t n_reason)
{
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == NULL) {
        keep_reason(reason, n_reason, dlerror());
        return 0;
    }
    const char *missing = NULL;
    void *found;
#define FIND(name)                             \
    found = dlsym(handle, #name);              \
    missing = found == NULL ? #name : missing; \
    memcpy(&out->name, &found, sizeof out->name);
    RUGI_OCL_FUNCTIONS(FIND)
#undef FIND
    dlclose(handle);
    if (missing == NULL)
        return 1;
    snprintf(reason, n_reason, "no OpenCL 1.2: %s lacks %s", LIBRARY, missing);
    return 0;
}
