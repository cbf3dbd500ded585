/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files as bytes: opened for reading, read at once, summed up, and written so that they appear
 * under their name only when whole. It does not know what the bytes are. */

#define _POSIX_C_SOURCE 200809L
#include "reader.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <inttypes.h>
#include <limits.h>
#include <rugose/picture.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes that a checksum reads at once. */
#define SUM_CHUNK ((size_t)1 << 20)

#define MAX_LINKS     40   /* Linux gives up there as well */
#define MAX_TEMPORARY 1000 /* names that are tried */

/* ---- In ---- */

rug_status rugi_open_regular(rug_context *ctx, const char *path, FILE **stream,
                             uint64_t *n_bytes)
{
    struct stat info;
    *stream = NULL;
    if (stat(path, &info) != 0)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", path,
                                strerror(errno));
    if (S_ISDIR(info.st_mode))
        return rug_context_fail(ctx, RUG_E_IO, "%s: is a directory; give a file in it",
                                path);
    if (!S_ISREG(info.st_mode))
        return rug_context_fail(
            ctx, RUG_E_IO,
            "%s: is not a regular file but a pipe or a device; save it to a file", path);
    *stream = fopen(path, "rb");
    if (*stream == NULL)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", path,
                                strerror(errno));
    *n_bytes = (uint64_t)info.st_size;
    return RUG_OK;
}

static rug_status read_stream(rug_context *ctx, uint8_t *to, size_t n, FILE *stream,
                              const char *path)
{
    errno = 0;
    size_t got = fread(to, 1, n, stream);
    if (ferror(stream))
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", path,
                                strerror(errno));
    if (got < n || fgetc(stream) != EOF)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: changed while it was being read: %zu bytes expected",
                                path, n);
    return RUG_OK;
}

static rug_status check_length(rug_context *ctx, const char *path, uint64_t n,
                               uint64_t n_max)
{
    if (n == 0)
        return rug_context_fail(ctx, RUG_E_FORMAT, "%s: is empty (0 bytes)", path);
    if (n > n_max || n > SIZE_MAX)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: has %" PRIu64 " bytes, at most %" PRIu64 " expected",
                                path, n, n_max);
    return RUG_OK;
}

rug_status rug_bytes_read(rug_context *ctx, uint8_t **out, size_t *n, const char *path,
                          uint64_t n_max)
{
    FILE *stream;
    uint64_t n_bytes = 0;
    if (out != NULL)
        *out = NULL;
    if (n != NULL)
        *n = 0;
    if (ctx == NULL || out == NULL || n == NULL || path == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_bytes_read: NULL given");
    rug_status status = rugi_open_regular(ctx, path, &stream, &n_bytes);
    if (status != RUG_OK)
        return status;
    uint8_t *bytes = NULL;
    status = check_length(ctx, path, n_bytes, n_max);
    if (status == RUG_OK) {
        bytes = rug_context_allocate(ctx, (size_t)n_bytes, 1, path);
        status = bytes == NULL ? RUG_E_NOMEM
                               : read_stream(ctx, bytes, (size_t)n_bytes, stream, path);
    }
    fclose(stream);
    if (status != RUG_OK) {
        rug_context_release(ctx, bytes);
        return status;
    }
    *out = bytes;
    *n = (size_t)n_bytes;
    return RUG_OK;
}

/** Feeds a whole stream to a checksum. */
static rug_status sum_stream(rug_context *ctx, GChecksum *sum, FILE *stream,
                             const char *path, uint64_t n_bytes)
{
    unsigned char *chunk = rug_context_allocate(ctx, SUM_CHUNK, 1, path);
    if (chunk == NULL)
        return RUG_E_NOMEM;
    rug_status status = RUG_OK;
    uint64_t done = 0;
    size_t n;
    while (status == RUG_OK && (n = fread(chunk, 1, SUM_CHUNK, stream)) > 0) {
        g_checksum_update(sum, chunk, (gssize)n);
        done += n;
        status =
            rug_context_step(ctx, done < n_bytes ? (double)done / (double)n_bytes : 1);
    }
    if (status == RUG_OK && ferror(stream))
        status = rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", path,
                                  strerror(errno));
    rug_context_release(ctx, chunk);
    return status;
}

rug_status rug_file_sha256(rug_context *ctx, char out[RUG_SHA256_TEXT_MAX],
                           const char *path)
{
    if (out != NULL)
        out[0] = '\0';
    if (ctx == NULL || out == NULL || path == NULL)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "rug_file_sha256: NULL given for the context, the result or the path");
    FILE *stream;
    uint64_t n_bytes;
    rug_status status = rugi_open_regular(ctx, path, &stream, &n_bytes);
    if (status != RUG_OK)
        return status;
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    status = sum_stream(ctx, sum, stream, path, n_bytes);
    if (status == RUG_OK)
        g_strlcpy(out, g_checksum_get_string(sum), RUG_SHA256_TEXT_MAX);
    g_checksum_free(sum);
    fclose(stream);
    return status;
}

/* ---- Out ----
 *
 * Written beside the name and renamed at the end. Pipes and devices are written directly,
 * symbolic links are followed and stay links. A process that is killed leaves its temporary
 * file behind. */

struct rug_output {
    FILE *stream;    /* NULL once closed */
    char *path;      /* as the caller wrote it, for messages */
    char *target;    /* where symbolic links lead to */
    char *temporary; /* what is written now; NULL when that is the target itself */
};

/* Another name for an open descriptor. It may lead to a regular file (`> file`), which
 * must not be replaced behind the back of whoever opened it. */
static int is_descriptor(const char *path)
{
    return strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/dev/fd/", 8) == 0;
}

/* `name` in the folder of `path`, or `name` itself when that is absolute. */
static char *beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t n_folder = slash == NULL || name[0] == '/' ? 0 : (size_t)(slash - path) + 1;
    size_t n_name = strlen(name) + 1;
    char *joined = malloc(n_folder + n_name);

    if (joined == NULL)
        return NULL;
    memcpy(joined, path, n_folder);
    memcpy(joined + n_folder, name, n_name);
    return joined;
}

/* Where a chain of symbolic links ends; nothing need be there. NULL with errno on
 * failure. */
static char *follow_links(const char *path)
{
    char *at = strdup(path);

    for (int i = 0; at != NULL && i < MAX_LINKS; i++) {
        char link[PATH_MAX];
        ssize_t n = is_descriptor(at) ? -1 : readlink(at, link, sizeof link - 1);
        char *next;

        if (n < 0)
            return at;
        link[n] = '\0';
        next = beside(at, link);
        free(at);
        at = next;
    }
    if (at != NULL) {
        free(at);
        errno = ELOOP;
    }
    return NULL;
}

/* Makes a new file beside the target with the permissions that any new file gets;
 * mkstemp() would make it private. Returns its descriptor, or -1 with errno. */
static int create_beside(rug_output *output)
{
    int error = EEXIST;

    for (int i = 0; error == EEXIST && i < MAX_TEMPORARY; i++) {
        char name[64];
        int file;

        snprintf(name, sizeof name, ".rugose-%ld-%d.tmp", (long)getpid(), i);
        output->temporary = beside(output->target, name);
        if (output->temporary == NULL)
            return -1;
        file = open(output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0)
            return file;
        error = errno;
        free(output->temporary); /* not ours to remove */
        output->temporary = NULL;
    }
    errno = error;
    return -1;
}

/* @param old  the file to be replaced; NULL when there is none. Its permissions are kept,
 * and one that is write-protected stays. */
static void open_temporary(rug_output *output, const struct stat *old)
{
    int file;

    if (old != NULL && access(output->target, W_OK) != 0)
        return;
    file = create_beside(output);
    if (file < 0)
        return;
    if (old == NULL || fchmod(file, old->st_mode & 0777) == 0)
        output->stream = fdopen(file, "w+b");
    if (output->stream == NULL)
        close(file);
}

static void open_stream(rug_output *output)
{
    struct stat facts;
    int is_there = stat(output->target, &facts) == 0;

    if (is_descriptor(output->target) || (is_there && !S_ISREG(facts.st_mode)))
        output->stream = fopen(output->target, "ab");
    else
        open_temporary(output, is_there ? &facts : NULL);
}

static rug_status fail(rug_context *ctx, const char *path, int error)
{
    rug_status status = error == ENOMEM ? RUG_E_NOMEM : RUG_E_IO;

    return rug_context_fail(ctx, status, "cannot write %s: %s", path, strerror(error));
}

rug_status rug_output_open(rug_context *ctx, rug_output **out, const char *path)
{
    rug_output *output;
    int error;

    assert(out != NULL);
    *out = NULL;
    if (path == NULL || path[0] == '\0')
        return rug_context_fail(ctx, RUG_E_ARG, "no name was given for the output file");
    output = calloc(1, sizeof *output);
    if (output == NULL)
        return fail(ctx, path, ENOMEM);
    output->path = strdup(path);
    if (output->path != NULL)
        output->target = follow_links(path);
    if (output->target != NULL)
        open_stream(output);
    if (output->stream == NULL) {
        error = errno;
        rug_output_discard(output);
        return fail(ctx, path, error);
    }
    *out = output;
    return RUG_OK;
}

FILE *rug_output_stream(rug_output *output)
{
    return output->stream;
}

/* Some file systems cannot sync and say EINVAL; that is no loss of data. */
static int sync_stream(FILE *stream)
{
    return fsync(fileno(stream)) == 0 || errno == EINVAL ? 0 : -1;
}

/* Brings everything to the file and closes it. Returns 0 or an errno. */
static int close_stream(rug_output *output)
{
    FILE *stream = output->stream;
    int error = ferror(stream) ? EIO : 0;

    if (fflush(stream) != 0 || (output->temporary != NULL && sync_stream(stream) != 0))
        error = errno;
    output->stream = NULL;
    if (fclose(stream) != 0 && error == 0)
        error = errno;
    return error;
}

rug_status rug_output_commit(rug_context *ctx, rug_output *output)
{
    int error = close_stream(output);
    rug_status status = RUG_OK;

    if (error == 0 && output->temporary != NULL) {
        if (rename(output->temporary, output->target) != 0)
            error = errno;
    }
    if (error != 0)
        status = fail(ctx, output->path, error);
    if (error == 0) {
        free(output->temporary);
        output->temporary = NULL;
    }
    rug_output_discard(output);
    return status;
}

void rug_output_discard(rug_output *output)
{
    if (output == NULL)
        return;
    if (output->stream != NULL)
        fclose(output->stream);
    if (output->temporary != NULL)
        unlink(output->temporary);
    free(output->temporary);
    free(output->target);
    free(output->path);
    free(output);
}

rug_status rug_bytes_write(rug_context *ctx, const char *path, const uint8_t *bytes,
                           size_t n)
{
    rug_output *output;
    if (ctx == NULL || path == NULL || (bytes == NULL && n > 0))
        return rug_context_fail(ctx, RUG_E_ARG, "rug_bytes_write: NULL given");
    rug_status status = rug_output_open(ctx, &output, path);
    if (status != RUG_OK)
        return status;
    errno = 0;
    if (n == 0 || fwrite(bytes, 1, n, rug_output_stream(output)) == n)
        return rug_output_commit(ctx, output);
    status =
        rug_context_fail(ctx, RUG_E_IO, "cannot write %s: %s", path, strerror(errno));
    rug_output_discard(output);
    return status;
}
