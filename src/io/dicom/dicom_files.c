/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which files of a folder are DICOM: those with its magic behind 128 bytes that may be anything. */

#include "dicom_files.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What a path in a folder is. */
enum { NO_FILE, OTHER, DICOM };

static int kind_of(const char *path)
{
    unsigned char head[132];
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
        return NO_FILE;
    FILE *in = fopen(path, "rb");
    int answer = in != NULL && fread(head, 1, sizeof head, in) == sizeof head &&
                         memcmp(head + 128, "DICM", 4) == 0
                     ? DICOM
                     : OTHER;
    if (in != NULL)
        fclose(in);
    return answer;
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Folder and name with a slash between them. @return whether there is room */
static int join(char path[PATH_MAX], const char *folder, const char *name)
{
    int n = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return n > 0 && n < PATH_MAX;
}

int rugi_dicom_is_folder(const char *path)
{
    char name[PATH_MAX];
    size_t n_of[3] = {0};
    DIR *folder = opendir(path);
    if (folder == NULL)
        return 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (is_shown(entry) && join(name, path, entry->d_name))
            n_of[kind_of(name)]++;
    closedir(folder);
    return n_of[DICOM] > n_of[OTHER];
}

static rug_status keep(rug_context *ctx, char **out, const char *path)
{
    size_t n = strlen(path) + 1;
    *out = rug_context_allocate(ctx, n, 1, path);
    if (*out == NULL)
        return RUG_E_NOMEM;
    memcpy(*out, path, n);
    return RUG_OK;
}

/* Takes the DICOM files of all entries. */
static rug_status take_files(rug_context *ctx, char **paths, size_t *n,
                             const char *folder, struct dirent **entries,
                             size_t n_entries)
{
    char path[PATH_MAX];
    const char *other = NULL;
    size_t n_others = 0;
    rug_status status = RUG_OK;
    for (size_t i = 0; i < n_entries && status == RUG_OK; i++) {
        int kind = join(path, folder, entries[i]->d_name) ? kind_of(path) : NO_FILE;
        if (kind == OTHER && n_others++ == 0)
            other = entries[i]->d_name;
        if (kind != DICOM)
            continue;
        status = keep(ctx, &paths[*n], path);
        *n += status == RUG_OK ? 1u : 0u;
    }
    if (status == RUG_OK && n_others > 0)
        rug_context_warn(ctx, "%s: %zu file%s no DICOM and not read, such as %s", folder,
                         n_others, n_others == 1 ? " is" : "s are", other);
    return status;
}

rug_status rugi_dicom_scan(rug_context *ctx, char ***paths, size_t *n, const char *folder)
{
    struct dirent **entries;
    *paths = NULL;
    *n = 0;
    int n_entries = scandir(folder, &entries, is_shown, alphasort);
    if (n_entries < 0)
        return rug_context_fail(ctx, errno == ENOMEM ? RUG_E_NOMEM : RUG_E_IO,
                                "%s: the folder cannot be read: %s", folder,
                                strerror(errno));
    *paths = rug_context_allocate(ctx, (size_t)n_entries + 1, sizeof **paths, folder);
    rug_status status = *paths != NULL ? RUG_OK : RUG_E_NOMEM;
    if (status == RUG_OK)
        status = take_files(ctx, *paths, n, folder, entries, (size_t)n_entries);
    for (int i = 0; i < n_entries; i++)
        free(entries[i]);
    free(entries);
    return status;
}

void rugi_dicom_end_scan(rug_context *ctx, char **paths, size_t n)
{
    for (size_t i = 0; i < n; i++)
        rug_context_release(ctx, paths[i]);
    rug_context_release(ctx, paths);
}
