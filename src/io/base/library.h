/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Libraries of formats that are loaded when a file needs them: a program starts without those of the
 * formats that it does not meet, and runs where they are not installed. */

#ifndef RUGI_LIBRARY_H
#define RUGI_LIBRARY_H

#include <rugose/context.h>

/** One library. Its functions are a struct of pointers in the order of the names, both made from one
 *  list, FUNCTIONS(X), which calls X(name) for each function. */
typedef struct rugi_library {
    const char *name;    /**< "libtiff" */
    const char *file;    /**< "libtiff.so.6": that of the headers it was compiled with */
    const char *package; /**< of Debian, "libtiff6" */
    const char *const *symbols; /**< names of the functions, ended by NULL */
    void *functions; /**< a struct of pointers to them; all NULL until it is loaded */
} rugi_library;

/** The members of the struct of functions. */
#define RUGI_LIBRARY_MEMBER(name) __typeof__(name) *name;

/** The names of the functions. */
#define RUGI_LIBRARY_SYMBOL(name) #name,

/** Loads a library unless it is loaded. It stays until the process ends, since what it has started
 *  may go on. Any thread may call it.
 *  @param path  the file that needs it, for the error text
 *  @return RUG_OK; RUG_E_UNSUPPORTED, which names the package, when it is not installed */
rug_status rugi_library_load(rug_context *ctx, const rugi_library *library,
                             const char *path);

#endif
