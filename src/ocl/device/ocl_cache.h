/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Compiled programs in files, from one process to the next. Knows no OpenCL. */

#ifndef RUGI_OCL_CACHE_H
#define RUGI_OCL_CACHE_H

#include <rugose/context.h>
#include <stddef.h>
#include <stdint.h>

/** The first state of rugi_hash_add(). */
#define RUGI_HASH_INIT                                             \
    {                                                              \
        UINT64_C(0xcbf29ce484222325), UINT64_C(0x6c62272e07bb0142) \
    }

/** Adds bytes to a hash of 128 bits: FNV-1a (Fowler, Noll, Vo; RFC 9923) of 64 bits from
 *  two starts. It distinguishes programs and detects damage; it protects against nothing else. */
void rugi_hash_add(uint64_t hash[2], const void *bytes, size_t n_bytes);

/** Bytes of a cached file's path, the end included; longer ones are not cached. */
#define RUGI_CACHE_PATH_MAX 4096

/** Reads what was kept under a key.
 *  @param out     to be released; NULL when there is nothing, or something else than was
 *                 kept: damaged, cut off, of another key
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_cache_read(rug_context *ctx, unsigned char **out, size_t *n_bytes,
                           const char *folder, const uint64_t key[2]);

/** Keeps bytes under a key; the file appears whole or not at all. A folder that cannot be
 *  made or written is no error: the next process compiles again. */
void rugi_cache_write(const char *folder, const uint64_t key[2],
                      const unsigned char *bytes, size_t n_bytes);

#endif
