/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which files are DICOM (PS3.10, 7.1, and PS3.5, 7.1), also such as lack the preamble and the magic. */

#include "dicom_files.h"
#include "io/base/disk.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Bytes of a file that it is known by. */
#define HEAD_BYTES 1024

/* ---- One file ---- */

/* An attribute: its tag, and where its value stands. */
typedef struct attribute {
    uint32_t tag;
    size_t begin, n;
} attribute;

static uint32_t number_at(const unsigned char *at, int n_bytes)
{
    uint32_t number = 0;
    for (int i = n_bytes; i-- > 0;)
        number = number << 8 | at[i];
    return number;
}

static int is_letter(unsigned char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Reads the attribute at a place, little-endian, with or without a type. @return whether there is one */
static int read_attribute(attribute *out, const unsigned char *head, size_t n, size_t at)
{
    static const char long_types[] = "OB OD OF OL OV OW SQ SV UC UN UR UT UV ";
    if (at > n || n - at < 12)
        return 0;
    const unsigned char *type = head + at + 4;
    out->tag = number_at(head + at, 2) << 16 | number_at(head + at + 2, 2);
    int has_type = is_letter(type[0]) && is_letter(type[1]), is_long = 0;
    for (const char *t = long_types; has_type && *t != '\0'; t += 3)
        is_long |= memcmp(t, type, 2) == 0;
    out->begin = at + (is_long ? 12 : 8);
    out->n = is_long    ? number_at(type + 4, 4)
             : has_type ? number_at(type + 2, 2)
                        : number_at(type, 4);
    return out->n % 2 == 0;
}

/* Whether attributes stand there from the first byte on: of the group 0002 or 0008, in their order, up to
 * one whose value is a UID of DICOM. */
static int begins_with_attributes(const unsigned char *head, size_t n)
{
    static const char uid[] = "1.2.840.10008.";
    attribute a = {0, 0, 0};
    for (uint32_t last = 0; read_attribute(&a, head, n, a.begin + a.n); last = a.tag) {
        uint32_t group = a.tag >> 16;
        if ((last != 0 && a.tag <= last) || (group != 2 && group != 8) || a.n > n)
            return 0;
        if (a.n >= sizeof uid - 1 && a.begin + a.n <= n &&
            memcmp(head + a.begin, uid, sizeof uid - 1) == 0)
            return 1;
    }
    return 0;
}

int rugi_dicom_is_head(const unsigned char *head, size_t n)
{
    return (n >= 132 && memcmp(head + 128, "DICM", 4) == 0) ||
           begins_with_attributes(head, n < HEAD_BYTES ? n : HEAD_BYTES);
}

/* What a path in a folder is. */
enum { NO_FILE, OTHER, DICOM };

static int kind_of(const char *path)
{
    unsigned char head[HEAD_BYTES];
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
        return NO_FILE;
    FILE *in = fopen(path, "rb");
    size_t n = in != NULL ? fread(head, 1, sizeof head, in) : 0;
    if (in != NULL)
        fclose(in);
    return rugi_dicom_is_head(head, n) ? DICOM : OTHER;
}

/* ---- Folders ---- */

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

/* Whether a name is that of another kind of image or table, which need not be opened to be counted. */
static int is_called_other(const char *name)
{
    static const char *const endings[] = {".tif", ".tiff", ".png", ".jpg",  ".jpeg",
                                          ".pgm", ".ppm",  ".pbm", ".gif",  ".webp",
                                          ".jp2", ".nii",  ".gz",  ".npy",  ".nrrd",
                                          ".mha", ".csv",  ".txt", ".json", ".svs"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (rugi_has_ending(name, endings[i]))
            return 1;
    return 0;
}

/* Counts the names of a folder that are shown. @param n_others  those of other files, by their names */
static size_t count_names(DIR *folder, size_t *n_others)
{
    size_t n = 0;
    *n_others = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (is_shown(entry)) {
            n++;
            *n_others += is_called_other(entry->d_name) ? 1u : 0u;
        }
    return n;
}

int rugi_dicom_is_folder(const char *path)
{
    char name[PATH_MAX];
    size_t n_of[3] = {0};
    DIR *folder = opendir(path);
    if (folder == NULL)
        return 0;
    size_t n_left = count_names(folder, &n_of[OTHER]) - n_of[OTHER];
    rewinddir(folder);
    for (struct dirent *entry; n_left > 0 && n_of[DICOM] + n_left > n_of[OTHER] &&
                               n_of[DICOM] <= n_of[OTHER] + n_left &&
                               (entry = readdir(folder)) != NULL;)
        if (is_shown(entry) && !is_called_other(entry->d_name)) {
            n_of[join(name, path, entry->d_name) ? kind_of(name) : NO_FILE]++;
            n_left--;
        }
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
