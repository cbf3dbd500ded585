/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Names of files that are made from those of images. */

#include "file_names.h"
#include "io/base/disk.h"
#include <ctype.h>
#include <rugose/io.h>
#include <stdio.h>
#include <string.h>

/* A part behind a name: "[page=2]", "[label=3]", "[plane=xy]", "[files=9]".
 * @return where it begins, or NULL */
static const char *find_part(const char *name, size_t n)
{
    static const char *const keys[] = {"[page=", "[label=", "[plane=", "[files="};
    size_t at = n > 0 ? n - 1 : 0;
    if (n == 0 || name[at] != ']')
        return NULL;
    while (at > 0 && isalnum((unsigned char)name[at - 1])) /* its value */
        at--;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        size_t n_key = strlen(keys[i]);
        if (at >= n_key && strncmp(name + at - n_key, keys[i], n_key) == 0)
            return name + at - n_key;
    }
    return NULL;
}

cli_name cli_split_name(const char *name)
{
    char path[CLI_PATH_MAX];
    const char *parts = name + strlen(name), *part;
    while ((part = find_part(name, (size_t)(parts - name))) != NULL)
        parts = part;
    snprintf(path, sizeof path, "%.*s", (int)(parts - name), name);
    size_t n_file = rugi_array_file(path), n = n_file > 0 ? n_file : strlen(path), begin;
    while (n > 1 && path[n - 1] == '/') /* of a folder */
        n--;
    for (begin = n; begin > 0 && path[begin - 1] != '/';)
        begin--;
    return (cli_name){name + begin, n - begin, n_file > 0 ? name + n_file + 1 : NULL,
                      parts};
}

/* The name of an array in a file behind that of the file. */
static void add_array(char *out, size_t size, const cli_name *name)
{
    const char *array = name->array + (name->array[0] == '/');
    size_t n = strlen(out);
    snprintf(out + n, size - n, "_%.*s", (int)(name->parts - array), array);
    for (char *at = out + n; *at != '\0'; at++)
        *at = *at == '/' ? '_' : *at;
}

/* "[page=2][label=3]" as "_page2_label3"; how many files there are is no name. */
static void add_parts(char *out, size_t size, const char *part)
{
    for (; *part == '['; part += strcspn(part, "]") + 1) {
        size_t n = strlen(out), n_key = strcspn(part, "=");
        if (strncmp(part, "[files", 6) != 0)
            snprintf(out + n, size - n, "_%.*s%.*s", (int)n_key - 1, part + 1,
                     (int)(strcspn(part, "]") - n_key - 1), part + n_key + 1);
    }
}

/* The image's name without folders and ending; behind it that of an array in a file, the page and
 * the label. */
static void short_name(char *out, size_t size, const char *name)
{
    const cli_name split = cli_split_name(name);
    snprintf(out, size, "%.*s", (int)split.n_base, split.base);
    char *dot = strrchr(out, '.');
    if (dot != NULL && dot != out)
        *dot = '\0';
    if (split.array != NULL)
        add_array(out, size, &split);
    add_parts(out, size, split.parts);
}

/* The image's folder as it was given. */
static void folder_name(char *out, size_t size, const char *path)
{
    size_t n = rugi_array_file(path);
    for (n = n > 0 ? n : strlen(path); n > 0 && path[n - 1] != '/';)
        n--;
    snprintf(out, size, "%.*s", n > 1 ? (int)n - 1 : 1, n > 0 ? path : ".");
}

int cli_put_name(char path[CLI_PATH_MAX], const char *asked, const char *image,
                 const char *suffix)
{
    char name[CLI_PATH_MAX], folder[CLI_PATH_MAX];
    size_t n = 0;
    short_name(name, sizeof name, image);
    folder_name(folder, sizeof folder, image);
    for (path[0] = '\0'; *asked != '\0' && n < CLI_PATH_MAX;) {
        char *at = path + n;
        size_t rest = CLI_PATH_MAX - n;
        if (strncmp(asked, "{}", 2) == 0) {
            n += (size_t)snprintf(at, rest, "%s%s", name, suffix);
            asked += 2;
        } else if (strncmp(asked, "{dir}", 5) == 0) {
            n += (size_t)snprintf(at, rest, "%s", folder);
            asked += 5;
        } else {
            n += (size_t)snprintf(at, rest, "%c", *asked++);
        }
    }
    return n < CLI_PATH_MAX;
}
