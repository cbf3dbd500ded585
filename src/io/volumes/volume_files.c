/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The names of the files that hold a volume's values. */

#include "io/base/text.h"
#include "volume.h"
#include <inttypes.h>
#include <string.h>

/** Files of a volume. */
#define FILES_MAX ((size_t)1 << 17)

/** Bytes of a name with its folder and its end; the system allows 4096. */
#define NAME_MAX_BYTES ((size_t)8192)

/** Numbers in names. */
#define NUMBER_MAX ((int64_t)1 << 40)

/** Makes a block larger, keeping what is in it. @return 0, or -1 and nothing changed */
static int grow(rug_context *ctx, void *block, size_t used, size_t size, const char *path)
{
    void *old, *more = rug_context_allocate(ctx, size, 1, path);
    if (more == NULL)
        return -1;
    memcpy(&old, block, sizeof old);
    if (used > 0)
        memcpy(more, old, used);
    rug_context_release(ctx, old);
    memcpy(block, &more, sizeof more);
    return 0;
}

/** Makes room for one more name of n bytes. */
static rug_status make_room(rug_context *ctx, rugi_volume_files *f, size_t n,
                            const char *path)
{
    if (f->n >= FILES_MAX)
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                "%s: names more than %zu files of pixels", path,
                                FILES_MAX);
    if ((f->n & (f->n - 1)) == 0 && /* the capacity is a power of two */
        grow(ctx, &f->at, f->n * sizeof *f->at, (f->n > 0 ? 2 * f->n : 1) * sizeof *f->at,
             path) != 0)
        return RUG_E_NOMEM;
    if (f->room - f->used >= n)
        return RUG_OK;
    size_t room = 2 * f->room + n;
    if (grow(ctx, &f->names, f->used, room, path) != 0)
        return RUG_E_NOMEM;
    f->room = room;
    return RUG_OK;
}

static rug_status add_file(rug_context *ctx, rugi_volume_files *f, const char *path,
                           const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t n_folder = slash == NULL || name[0] == '/' ? 0 : (size_t)(slash - path) + 1;
    size_t n_name = strlen(name) + 1;
    if (n_name == 1 || n_folder + n_name > NAME_MAX_BYTES)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: the name of its file of pixels is %s", path,
                                n_name == 1 ? "empty" : "longer than any file's");
    rug_status status = make_room(ctx, f, n_folder + n_name, path);
    if (status != RUG_OK)
        return status;
    memcpy(f->names + f->used, path, n_folder);
    memcpy(f->names + f->used + n_folder, name, n_name);
    f->at[f->n++] = f->used;
    f->used += n_folder + n_name;
    return RUG_OK;
}

/* ---- Patterns ---- */

/** A name with a number in it. */
typedef struct pattern {
    const char *text;
    size_t n;              /* bytes of the text */
    size_t number, behind; /* where the number's place begins and what follows it */
    int width, has_zeros;
} pattern;

/** Finds the place of the number, such as "%03d". @return 0: there is none, or more than one */
static int find_number(pattern *p)
{
    const char *percent = memchr(p->text, '%', p->n);
    if (percent == NULL ||
        memchr(percent + 1, '%', p->n - (size_t)(percent + 1 - p->text)))
        return 0;
    const char *c = percent + 1;
    p->number = (size_t)(percent - p->text);
    p->has_zeros = *c == '0';
    p->width = 0;
    while (*c >= '0' && *c <= '9' && p->width < 100)
        p->width = 10 * p->width + (*c++ - '0');
    p->behind = (size_t)(c - p->text) + 1;
    return p->width < 100 && p->behind <= p->n && strchr("diu", *c) != NULL && *c != '\0';
}

/** Takes the last number off a text. @return 0: its last word is no number */
static int take_last(const char *text, size_t *n, int64_t *value)
{
    size_t end = *n, begin;
    while (end > 0 && strchr(RUGI_BLANKS, text[end - 1]) != NULL)
        end--;
    for (begin = end; begin > 0 && strchr(RUGI_BLANKS, text[begin - 1]) == NULL;)
        begin--;
    const char *at = text + begin;
    if (begin == end || !rugi_take_integer(&at, value) || at != text + end ||
        *value > NUMBER_MAX || *value < -NUMBER_MAX)
        return 0;
    while (begin > 0 && strchr(RUGI_BLANKS, text[begin - 1]) != NULL)
        begin--;
    *n = begin;
    return 1;
}

/** Takes a pattern apart. @return 0: it is none */
static int parse_pattern(pattern *p, int64_t range[3], const char *text)
{
    int64_t numbers[4];
    size_t n = strlen(text), n_numbers = 0;
    while (n_numbers < 4 && take_last(text, &n, &numbers[n_numbers]))
        n_numbers++;
    *p = (pattern){.text = text, .n = n};
    if (n_numbers < 3 || !find_number(p))
        return 0;
    for (size_t i = 0; i < 3; i++)
        range[i] = numbers[n_numbers - 1 - i];
    return range[2] != 0 && (range[2] > 0) == (range[1] >= range[0]);
}

static rug_status add_pattern(rug_context *ctx, rugi_volume_files *f, const char *path,
                              const char *text)
{
    pattern p;
    int64_t range[3];
    char name[NAME_MAX_BYTES];
    if (!parse_pattern(&p, range, text) || p.n + 128 > sizeof name)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: '%.200s' names no files of pixels; a name with one number and its range "
            "expected, such as 'slice%%03d.raw 1 20 1'",
            path, text);
    rug_status status = RUG_OK;
    for (int64_t i = range[0];
         status == RUG_OK && (range[2] > 0 ? i <= range[1] : i >= range[1]);
         i += range[2]) {
        size_t n = p.number;
        memcpy(name, text, n);
        n += (size_t)snprintf(name + n, sizeof name - n,
                              p.has_zeros ? "%0*" PRId64 : "%*" PRId64, p.width, i);
        memcpy(name + n, text + p.behind, p.n - p.behind);
        name[n + p.n - p.behind] = '\0';
        status = add_file(ctx, f, path, name);
    }
    return status;
}

/* ---- Both ---- */

/** The lines that follow are names. */
static rug_status add_list(rug_context *ctx, rugi_volume_files *f, rugi_lines *lines)
{
    int got = 1;
    rug_status status = rugi_lines_next(ctx, lines, &got);
    while (status == RUG_OK && got) {
        if (lines->line[0] != '\0')
            status = add_file(ctx, f, lines->path, lines->line);
        if (status == RUG_OK)
            status = rugi_lines_next(ctx, lines, &got);
    }
    return status;
}

rug_status rugi_volume_name_files(rug_context *ctx, rugi_volume_files *f,
                                  rugi_lines *lines, const char *value)
{
    f->are_others = 1;
    if (strncmp(value, "LIST", 4) == 0 && (value[4] == '\0' || value[4] == ' '))
        return add_list(ctx, f, lines);
    return strchr(value, '%') != NULL ? add_pattern(ctx, f, lines->path, value)
                                      : add_file(ctx, f, lines->path, value);
}

void rugi_volume_free(rug_context *ctx, rugi_volume *volume)
{
    rug_context_release(ctx, volume->files.names);
    rug_context_release(ctx, volume->files.at);
    volume->files.names = NULL;
    volume->files.at = NULL;
}
