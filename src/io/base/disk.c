/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files on disk: opened for reading, and written so that they appear under their name only when
 * whole. It does not know what they hold. */

#define _POSIX_C_SOURCE 200809L
#include "disk.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
        return rug_context_fail(ctx, errno == ENOMEM ? RUG_E_NOMEM : RUG_E_IO,
                                "%s: cannot be opened: %s", path, strerror(errno));
    *n_bytes = (uint64_t)info.st_size;
    return RUG_OK;
}

size_t rugi_array_file(const char *path)
{
    struct stat info;
    char file[PATH_MAX];
    if (strchr(path, ':') == NULL || stat(path, &info) == 0)
        return 0;
    for (size_t n = strlen(path); n-- > 1;)
        if (path[n] == ':' && path[n + 1] != '\0' && n < sizeof file) {
            memcpy(file, path, n);
            file[n] = '\0';
            if (stat(file, &info) == 0)
                return n;
        }
    return 0;
}

int rugi_is_zarr(const char *path)
{
    static const char *const names[] = {".zarray", ".zgroup", "zarr.json"};
    struct stat info;
    char name[PATH_MAX];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        int n = snprintf(name, sizeof name, "%s/%s", path, names[i]);
        if (n > 0 && (size_t)n < sizeof name && stat(name, &info) == 0 &&
            S_ISREG(info.st_mode))
            return 1;
    }
    return 0;
}

/* ---- Out ----
 *
 * Written beside the name and renamed at the end. Pipes and devices are written directly,
 * symbolic links are followed and stay links. A process that is killed leaves its temporary
 * file behind. */

struct rugi_output {
    FILE *stream;    /* NULL once closed */
    char *path;      /* as the caller wrote it, for messages */
    char *target;    /* where symbolic links lead to */
    char *temporary; /* what is written now; NULL when that is the target itself */
    int is_part;     /* it stays when the output is discarded */
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
static int create_beside(rugi_output *output)
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

/* Takes a file for this process alone, and cuts it. Where files cannot be locked it goes without.
 * @return 0, or -1 with errno: EBUSY where another process has it, or had it and gave it its name */
static int take_part(const char *path, int file, uint64_t at)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat facts, named;

    if (fcntl(file, F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN)) {
        errno = EBUSY;
        return -1;
    }
    if (fstat(file, &facts) != 0)
        return -1;
    if (!S_ISREG(facts.st_mode)) {
        errno = EEXIST;
        return -1;
    }
    if (stat(path, &named) != 0 || named.st_ino != facts.st_ino ||
        named.st_dev != facts.st_dev || (uint64_t)facts.st_size < at) {
        errno = EBUSY;
        return -1;
    }
    if (ftruncate(file, (off_t)at) != 0)
        return -1;
    return lseek(file, (off_t)at, SEEK_SET) < 0 ? -1 : 0;
}

/* Opens the ".part" of the target. Returns its descriptor, or -1 with errno. */
static int open_part(rugi_output *output, uint64_t at)
{
    size_t size = strlen(output->target) + sizeof ".part";
    int file;

    output->temporary = malloc(size);
    if (output->temporary == NULL)
        return -1;
    snprintf(output->temporary, size, "%s.part", output->target);
    file = open(output->temporary,
                O_RDWR | O_NOFOLLOW | O_CLOEXEC | (at == 0 ? O_CREAT : 0), 0666);
    if (file < 0 && at > 0 && errno == ENOENT)
        errno = EBUSY; /* another process gave it its name */
    if (file >= 0 && take_part(output->temporary, file, at) != 0) {
        int error = errno;

        close(file);
        errno = error;
        return -1;
    }
    return file;
}

/* @param old  the file to be replaced; NULL when there is none. Its permissions are kept,
 * and one that is write-protected stays. */
static void open_temporary(rugi_output *output, const struct stat *old, uint64_t at)
{
    int file;

    if (old != NULL && access(output->target, W_OK) != 0)
        return;
    file = output->is_part ? open_part(output, at) : create_beside(output);
    if (file < 0)
        return;
    if (old == NULL || fchmod(file, old->st_mode & 0777) == 0)
        output->stream = fdopen(file, "w+b");
    if (output->stream == NULL)
        close(file);
}

static void open_stream(rugi_output *output, uint64_t at)
{
    struct stat facts;
    int is_there = stat(output->target, &facts) == 0;

    if (is_descriptor(output->target) || (is_there && !S_ISREG(facts.st_mode)))
        output->stream = fopen(output->target, "ab");
    else
        open_temporary(output, is_there ? &facts : NULL, at);
}

static rug_status fail(rug_context *ctx, const char *path, int error)
{
    rug_status status = error == ENOMEM ? RUG_E_NOMEM : RUG_E_IO;

    return rug_context_fail(ctx, status, "cannot write %s: %s", path, strerror(error));
}

rug_status rugi_output_open_part(rug_context *ctx, rugi_output **out, const char *path,
                                 rugi_part *part)
{
    rugi_output *output;
    int error;

    assert(out != NULL);
    *out = NULL;
    if (path == NULL || path[0] == '\0')
        return rug_context_fail(ctx, RUG_E_ARG, "no name was given for the output file");
    output = calloc(1, sizeof *output);
    if (output == NULL)
        return fail(ctx, path, ENOMEM);
    output->is_part = part != NULL;
    output->path = strdup(path);
    if (output->path != NULL)
        output->target = follow_links(path);
    if (output->target != NULL)
        open_stream(output, part != NULL ? part->at : 0);
    if (output->stream == NULL) {
        error = errno;
        rugi_output_discard(output);
        if (part != NULL && error == EBUSY)
            return rug_context_fail(
                ctx, RUG_E_IO, "cannot write %s: another run writes %s.part", path, path);
        return fail(ctx, path, error);
    }
    if (part != NULL)
        part->is_part = output->temporary != NULL;
    *out = output;
    return RUG_OK;
}

FILE *rugi_output_stream(rugi_output *output)
{
    return output->stream;
}

/* Some file systems cannot sync and say EINVAL; that is no loss of data. */
static int sync_stream(FILE *stream)
{
    return fsync(fileno(stream)) == 0 || errno == EINVAL ? 0 : -1;
}

/* Brings everything to the file. Returns 0 or an errno. */
static int flush_stream(const rugi_output *output)
{
    FILE *stream = output->stream;
    int error = ferror(stream) ? EIO : 0;

    if (fflush(stream) != 0 || (output->temporary != NULL && sync_stream(stream) != 0))
        error = errno;
    return error;
}

/* Closes the file. Returns an error that was there before, 0 or an errno. */
static int close_stream(rugi_output *output, int error)
{
    FILE *stream = output->stream;

    output->stream = NULL;
    return fclose(stream) != 0 && error == 0 ? errno : error;
}

static int give_name(const rugi_output *output, int error)
{
    if (error != 0 || output->temporary == NULL)
        return error;
    return rename(output->temporary, output->target) != 0 ? errno : 0;
}

/* A part has its name before it is closed, since that gives up its lock. */
rug_status rugi_output_commit(rug_context *ctx, rugi_output *output)
{
    int error = flush_stream(output);
    rug_status status = RUG_OK;

    if (output->is_part)
        error = close_stream(output, give_name(output, error));
    else
        error = give_name(output, close_stream(output, error));
    if (error != 0)
        status = fail(ctx, output->path, error);
    if (error == 0) {
        free(output->temporary);
        output->temporary = NULL;
    }
    rugi_output_discard(output);
    return status;
}

void rugi_output_discard(rugi_output *output)
{
    if (output == NULL)
        return;
    if (output->stream != NULL)
        fclose(output->stream);
    if (output->temporary != NULL && !output->is_part)
        unlink(output->temporary);
    free(output->temporary);
    free(output->target);
    free(output->path);
    free(output);
}

/* ---- Names ---- */

int rugi_path_is_points(const char *path)
{
    static const char *const endings[] = {".csv", ".tsv", ".txt", ".xyz"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (rugi_has_ending(path, endings[i]))
            return 1;
    return 0;
}
