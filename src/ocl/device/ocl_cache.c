/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A folder with one file per program: a head with the key, the size and a hash of what
 * follows, then the program as the driver made it. */

#define _XOPEN_SOURCE 700 /* mkstemp */
#include "ocl_cache.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Largest program that is read: a file beyond it is none of ours. */
#define PROGRAM_MAX ((uint64_t)256 << 20)

typedef struct head {
    char magic[16];
    uint64_t key[2];
    uint64_t n_bytes;
    uint64_t hash[2]; /* of the program */
} head;

static const char magic[16] = "rugose program\n";

void rugi_hash_add(uint64_t hash[2], const void *bytes, size_t n_bytes)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n_bytes; i++)
        for (int k = 0; k < 2; k++)
            hash[k] = (hash[k] ^ b[i]) * UINT64_C(0x100000001b3);
}

static head head_of(const uint64_t key[2], const unsigned char *bytes, size_t n_bytes)
{
    head h = {.key = {key[0], key[1]}, .n_bytes = n_bytes, .hash = RUGI_HASH_INIT};
    memcpy(h.magic, magic, sizeof h.magic);
    rugi_hash_add(h.hash, bytes, n_bytes);
    return h;
}

/* @return 0 when the path is too long */
static int path_of(char path[RUGI_CACHE_PATH_MAX], const char *folder,
                   const uint64_t key[2])
{
    int n =
        snprintf(path, RUGI_CACHE_PATH_MAX, "%s/%016" PRIx64 "%016" PRIx64 ".cl-program",
                 folder, key[0], key[1]);
    return n > 0 && n < RUGI_CACHE_PATH_MAX;
}

static int read_whole(int file, void *to, size_t n_bytes)
{
    unsigned char *at = to;
    while (n_bytes > 0) {
        ssize_t n = read(file, at, n_bytes);
        if (n <= 0)
            return 0;
        at += n;
        n_bytes -= (size_t)n;
    }
    return 1;
}

static int write_whole(int file, const void *from, size_t n_bytes)
{
    const unsigned char *at = from;
    while (n_bytes > 0) {
        ssize_t n = write(file, at, n_bytes);
        if (n <= 0)
            return 0;
        at += n;
        n_bytes -= (size_t)n;
    }
    return 1;
}

/* Reads the head of a regular file that is as long as the head says.
 * @return 0 when it is no file of this key */
static int read_head(int file, head *h, const uint64_t key[2])
{
    struct stat facts;
    return fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
           read_whole(file, h, sizeof *h) && memcmp(h->magic, magic, sizeof magic) == 0 &&
           h->key[0] == key[0] && h->key[1] == key[1] && h->n_bytes > 0 &&
           h->n_bytes <= PROGRAM_MAX && (uint64_t)facts.st_size == sizeof *h + h->n_bytes;
}

static rug_status read_program(rug_context *ctx, unsigned char **out, size_t *n_bytes,
                               int file, const uint64_t key[2])
{
    head h;
    if (!read_head(file, &h, key))
        return RUG_OK;
    size_t n = (size_t)h.n_bytes;
    unsigned char *bytes = rug_context_allocate(ctx, n, 1, "compiled program");
    if (bytes == NULL)
        return RUG_E_NOMEM;
    int is_whole = read_whole(file, bytes, n);
    if (is_whole) {
        head expected = head_of(key, bytes, n);
        is_whole = memcmp(expected.hash, h.hash, sizeof h.hash) == 0;
    }
    if (!is_whole) {
        rug_context_release(ctx, bytes);
        return RUG_OK;
    }
    *out = bytes;
    *n_bytes = n;
    return RUG_OK;
}

rug_status rugi_cache_read(rug_context *ctx, unsigned char **out, size_t *n_bytes,
                           const char *folder, const uint64_t key[2])
{
    char path[RUGI_CACHE_PATH_MAX];
    *out = NULL;
    *n_bytes = 0;
    if (folder == NULL || !path_of(path, folder, key))
        return RUG_OK;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe must not block */
    if (file < 0)
        return RUG_OK;
    rug_status status = read_program(ctx, out, n_bytes, file, key);
    close(file);
    return status;
}

/* Makes a folder and those above it, for this user alone. Failures show when a file is
 * made there. */
static void make_folder(const char *folder)
{
    char path[RUGI_CACHE_PATH_MAX];
    size_t n = strlen(folder);
    if (n == 0 || n >= sizeof path)
        return;
    memcpy(path, folder, n + 1);
    for (char *slash = strchr(path + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
}

void rugi_cache_write(const char *folder, const uint64_t key[2],
                      const unsigned char *bytes, size_t n_bytes)
{
    char path[RUGI_CACHE_PATH_MAX], temporary[RUGI_CACHE_PATH_MAX];
    if (folder == NULL || n_bytes == 0 || !path_of(path, folder, key))
        return;
    int n = snprintf(temporary, sizeof temporary, "%s/.program-XXXXXX", folder);
    if (n < 0 || (size_t)n >= sizeof temporary)
        return;
    make_folder(folder);
    int file = mkstemp(temporary);
    if (file < 0)
        return;
    head h = head_of(key, bytes, n_bytes);
    int is_whole = write_whole(file, &h, sizeof h) && write_whole(file, bytes, n_bytes);
    is_whole = close(file) == 0 && is_whole;
    if (!is_whole || rename(temporary, path) != 0)
        unlink(temporary);
}
