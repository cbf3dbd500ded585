/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files of parts: memory, bytes, and one of several. */

#include "part_file.h"
#include "core/state/state.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Files above that are refused: no state is so large. */
#define FILE_BYTES_MAX ((uint64_t)1 << 40)

/* How states begin (docs/states.md). */
#define BEGINNING       "\x89RGS"
#define BEGINNING_BYTES 4

static rug_status no_memory(rug_context *ctx)
{
    return rug_context_fail(ctx, RUG_E_NOMEM, "no memory for what was found in parts");
}

/* ---- Memory ---- */

void cli_part_entry_free(cli_part_entry *entry)
{
    for (size_t i = 0; i < entry->n_states; i++) {
        free(entry->states[i].kind);
        free(entry->states[i].bytes);
    }
    free(entry->states);
    free(entry->parts);
    free(entry->failure);
    *entry = (cli_part_entry){.parts = NULL};
}

static void free_image(cli_part_image *image)
{
    for (size_t i = 0; i < image->n_entries; i++)
        cli_part_entry_free(&image->entries[i]);
    free(image->entries);
    free(image->name);
}

void cli_part_file_free(cli_part_file *file)
{
    for (size_t i = 0; i < file->n_images; i++)
        free_image(&file->images[i]);
    for (size_t i = 0; i < file->n_words; i++)
        free(file->words[i]);
    free(file->images);
    free(file->words);
    free(file->command);
    free(file->parts);
    *file = (cli_part_file){.path = file->path};
}

/* Room for one item more. @return NULL: there is none, and all stays as it is */
static void *grow(void *items, size_t n, size_t size)
{
    if ((n & (n - 1)) != 0) /* the capacity is a power of two */
        return items;
    return realloc(items, (n > 0 ? 2 * n : 1) * size);
}

rug_status cli_part_entry_add(rug_context *ctx, cli_part_entry *entry, const char *kind,
                              const uint8_t *bytes, size_t n)
{
    cli_part_state *more = grow(entry->states, entry->n_states, sizeof *more);
    if (more == NULL)
        return no_memory(ctx);
    entry->states = more;
    cli_part_state state = {strdup(kind), malloc(n > 0 ? n : 1), n};
    if (state.kind == NULL || state.bytes == NULL) {
        free(state.kind);
        free(state.bytes);
        return no_memory(ctx);
    }
    memcpy(state.bytes, bytes, n);
    more[entry->n_states++] = state;
    return RUG_OK;
}

/* The first image that does not stand before that number. */
static size_t place_of(const cli_part_file *file, uint64_t input, uint64_t page)
{
    size_t low = 0, high = file->n_images;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const cli_part_image *i = &file->images[middle];
        if (i->input < input || (i->input == input && i->page < page))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

cli_part_image *cli_part_file_find(const cli_part_file *file, uint64_t input,
                                   uint64_t page)
{
    size_t at = place_of(file, input, page);
    cli_part_image *image = at < file->n_images ? &file->images[at] : NULL;
    return image != NULL && image->input == input && image->page == page ? image : NULL;
}

static cli_part_image *find_or_begin(cli_part_file *file, uint64_t input, uint64_t page,
                                     const char *name)
{
    size_t at = place_of(file, input, page);
    cli_part_image *image = cli_part_file_find(file, input, page);
    if (image != NULL)
        return image;
    cli_part_image *more = grow(file->images, file->n_images, sizeof *more);
    char *copied = strdup(name);
    file->images = more != NULL ? more : file->images;
    if (more == NULL || copied == NULL) {
        free(copied);
        return NULL;
    }
    memmove(&more[at + 1], &more[at], (file->n_images - at) * sizeof *more);
    more[at] = (cli_part_image){.input = input, .page = page, .name = copied};
    file->n_images++;
    return &more[at];
}

rug_status cli_part_file_add(rug_context *ctx, cli_part_file *file, uint64_t input,
                             uint64_t page, const char *name, cli_part_entry *entry)
{
    cli_part_image *image = find_or_begin(file, input, page, name);
    cli_part_entry *more =
        image != NULL ? grow(image->entries, image->n_entries, sizeof *more) : NULL;
    if (more == NULL) {
        cli_part_entry_free(entry);
        return no_memory(ctx);
    }
    size_t at = image->n_entries++;
    image->entries = more;
    for (; at > 0 && more[at - 1].parts[0] > entry->parts[0]; at--)
        more[at] = more[at - 1];
    more[at] = *entry;
    *entry = (cli_part_entry){.parts = NULL};
    return RUG_OK;
}

size_t cli_part_list(char text[CLI_PART_LIST_MAX], const uint8_t *marks, uint32_t n,
                     uint8_t mark)
{
    size_t at = 0, n_marked = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < n; i++)
        if (marks[i] == mark && n_marked++ < 8)
            at += (size_t)snprintf(text + at, CLI_PART_LIST_MAX - at, "%s%" PRIu32,
                                   n_marked > 1 ? ", " : "", i + 1);
    if (n_marked > 8)
        snprintf(text + at, CLI_PART_LIST_MAX - at, " and %zu more", n_marked - 8);
    return n_marked;
}

/* ---- Writing ---- */

static void put_text(rugi_state_writer *w, const char *text)
{
    rugi_state_put_block(w, text, strlen(text));
}

static void put_parts(rugi_state_writer *w, const uint32_t *parts, size_t n)
{
    uint32_t next = 0;
    rugi_state_put(w, n);
    for (size_t i = 0; i < n; i++) {
        rugi_state_put(w, parts[i] - next);
        next = parts[i] + 1;
    }
}

static void put_entry(rugi_state_writer *w, const cli_part_entry *e)
{
    put_parts(w, e->parts, e->n_parts);
    rugi_state_put(w, e->failure != NULL);
    if (e->failure != NULL) {
        put_text(w, e->failure);
        return;
    }
    rugi_state_put(w, e->n_bytes);
    rugi_state_put(w, e->dtype);
    rugi_state_put(w, (uint64_t)e->ndim);
    for (int a = 0; a < e->ndim; a++)
        rugi_state_put(w, e->shape[a]);
    rugi_state_put(w, e->n_states);
    for (size_t i = 0; i < e->n_states; i++) {
        put_text(w, e->states[i].kind);
        rugi_state_put_block(w, e->states[i].bytes, e->states[i].n);
    }
}

static void put_image(rugi_state_writer *w, const cli_part_image *image)
{
    rugi_state_put(w, image->input);
    rugi_state_put(w, image->page);
    put_text(w, image->name);
    rugi_state_put(w, image->n_entries);
    for (size_t i = 0; i < image->n_entries; i++)
        put_entry(w, &image->entries[i]);
}

rug_status cli_part_file_write(rug_context *ctx, const cli_part_file *file,
                               const char *path)
{
    rugi_state_writer w = rugi_state_begin(ctx, RUGI_STATE_RUN);
    uint8_t *bytes = NULL;
    size_t n = 0;
    rugi_state_put(&w, CLI_PART_FILE);
    put_text(&w, file->command);
    rugi_state_put(&w, file->n_words);
    for (size_t i = 0; i < file->n_words; i++)
        put_text(&w, file->words[i]);
    rugi_state_put(&w, file->n);
    put_parts(&w, file->parts, file->n_parts);
    rugi_state_put(&w, file->n_images);
    for (size_t i = 0; i < file->n_images; i++)
        put_image(&w, &file->images[i]);
    rug_status status = rugi_state_end(&w, &bytes, &n);
    if (status == RUG_OK)
        status = rug_bytes_write(ctx, path, bytes, n);
    rug_context_release(ctx, bytes);
    return status;
}

/* ---- Reading ---- */

static void note_memory(rugi_state_reader *r, const void *block)
{
    if (block == NULL && r->status == RUG_OK)
        r->status = no_memory(r->ctx);
}

/* @return owned; NULL after a failure */
static char *get_text(rugi_state_reader *r)
{
    size_t n;
    const uint8_t *block = rugi_state_get_block(r, &n);
    if (block == NULL)
        return NULL;
    if (memchr(block, '\0', n) != NULL) {
        rugi_state_refuse(r, "a text ends too early");
        return NULL;
    }
    char *text = malloc(n + 1);
    note_memory(r, text);
    if (text != NULL) {
        memcpy(text, block, n);
        text[n] = '\0';
    }
    return text;
}

/* A number of things, each of which has so many bytes at least. */
static size_t get_number(rugi_state_reader *r, size_t n_bytes, const char *what)
{
    return (size_t)rugi_state_get_below(r, (uint64_t)(r->end - r->at) / n_bytes, what);
}

/* Parts of all n, ascending. */
static size_t get_parts(rugi_state_reader *r, uint32_t **out, uint32_t n)
{
    size_t n_parts = get_number(r, 1, "number of parts");
    uint64_t next = 0;
    *out = malloc((n_parts > 0 ? n_parts : 1) * sizeof **out);
    note_memory(r, *out);
    if (n_parts > n)
        rugi_state_refuse(r, "more parts are listed than there are");
    for (size_t i = 0; i < n_parts && r->status == RUG_OK; i++) {
        next += rugi_state_get_below(r, n - n_parts + i - next, "part");
        (*out)[i] = (uint32_t)next++;
    }
    if (n_parts == 0)
        rugi_state_refuse(r, "it has no part");
    return r->status == RUG_OK ? n_parts : 0;
}

static void get_states(rugi_state_reader *r, cli_part_entry *e)
{
    size_t n = get_number(r, 2, "number of states"), n_bytes;
    for (size_t i = 0; i < n && r->status == RUG_OK; i++) {
        char *kind = get_text(r);
        const uint8_t *bytes = rugi_state_get_block(r, &n_bytes);
        if (r->status == RUG_OK)
            r->status = cli_part_entry_add(r->ctx, e, kind, bytes, n_bytes);
        free(kind);
    }
}

static void get_entry(rugi_state_reader *r, cli_part_entry *e, uint32_t n)
{
    e->n_parts = get_parts(r, &e->parts, n);
    if (rugi_state_get_below(r, 1, "whether it failed")) {
        e->failure = get_text(r);
        return;
    }
    e->n_bytes = rugi_state_get(r);
    e->dtype = (rug_dtype)rugi_state_get_below(r, RUG_F64, "dtype");
    e->ndim = (int)rugi_state_get_below(r, RUG_MAX_AXES, "number of axes");
    for (int a = 0; a < e->ndim; a++)
        e->shape[a] = (size_t)rugi_state_get_below(r, SIZE_MAX, "size");
    get_states(r, e);
}

/* The entry is checked when it is used. */
static void get_image(rugi_state_reader *r, cli_part_file *file)
{
    uint64_t input = rugi_state_get(r), page = rugi_state_get(r);
    char *name = get_text(r);
    size_t n = get_number(r, 3, "number of entries");
    if (r->status == RUG_OK && place_of(file, input, page) < file->n_images)
        rugi_state_refuse(r, "images are not in order");
    if (n == 0)
        rugi_state_refuse(r, "an image has no entry");
    for (size_t i = 0; i < n && r->status == RUG_OK; i++) {
        cli_part_entry e = {.parts = NULL};
        get_entry(r, &e, file->n);
        if (r->status == RUG_OK)
            r->status = cli_part_file_add(r->ctx, file, input, page, name, &e);
        cli_part_entry_free(&e);
    }
    free(name);
}

static void get_words(rugi_state_reader *r, cli_part_file *file)
{
    size_t n = get_number(r, 1, "number of words");
    file->words = calloc(n + 1, sizeof *file->words);
    note_memory(r, file->words);
    while (file->n_words < n && r->status == RUG_OK) {
        file->words[file->n_words] = get_text(r);
        file->n_words += r->status == RUG_OK;
    }
}

static rug_status get_file(rug_context *ctx, cli_part_file *file, const uint8_t *bytes,
                           size_t n)
{
    rugi_state_reader r = rugi_state_open(ctx, bytes, n, RUGI_STATE_RUN);
    if (rugi_state_get(&r) != CLI_PART_FILE)
        rugi_state_refuse(&r, "it is no file of parts");
    file->command = get_text(&r);
    get_words(&r, file);
    file->n = (uint32_t)rugi_state_get_below(&r, CLI_PARTS_MAX, "number of parts");
    file->n_parts = get_parts(&r, &file->parts, file->n);
    size_t n_images = get_number(&r, 4, "number of images");
    for (size_t i = 0; i < n_images && r.status == RUG_OK; i++)
        get_image(&r, file);
    return rugi_state_close(&r);
}

rug_status cli_part_file_read(rug_context *ctx, cli_part_file *file, const char *path)
{
    uint8_t *bytes = NULL;
    size_t n = 0;
    char text[600];
    file->path = path;
    rug_status status = rug_bytes_read(ctx, &bytes, &n, path, FILE_BYTES_MAX);
    if (status != RUG_OK)
        return status;
    if (n < BEGINNING_BYTES || memcmp(bytes, BEGINNING, BEGINNING_BYTES) != 0) {
        rug_context_release(ctx, bytes);
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: is no file of parts; give one that --part or "
                                "'rugose merge' has written",
                                path);
    }
    status = get_file(ctx, file, bytes, n);
    rug_context_release(ctx, bytes);
    if (status == RUG_OK)
        return RUG_OK;
    snprintf(text, sizeof text, "%s", rug_context_error(ctx));
    return rug_context_fail(ctx, status, "%s: %s", path, text);
}

/* ---- One of several ---- */

static rug_status check_same(rug_context *ctx, const cli_part_file *file,
                             const cli_part_file *from)
{
    if (strcmp(file->command, from->command) != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%s is a part of 'rugose %s', but %s of 'rugose %s'",
                                from->path, from->command, file->path, file->command);
    if (file->n != from->n)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%s is one of %" PRIu32 " parts, but %s of %" PRIu32,
                                from->path, from->n, file->path, file->n);
    for (size_t i = 0; i < file->n_words || i < from->n_words; i++) {
        const char *a = i < file->n_words ? file->words[i] : "nothing more";
        const char *b = i < from->n_words ? from->words[i] : "nothing more";
        if (strcmp(a, b) != 0)
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "%s was measured with other arguments than %s: %s given, "
                "%s expected",
                from->path, file->path, b, a);
    }
    return RUG_OK;
}

/* The parts of both, ascending. */
static rug_status join_parts(rug_context *ctx, cli_part_file *file,
                             const cli_part_file *from)
{
    size_t n = file->n_parts + from->n_parts, i = 0, k = 0;
    uint32_t *all = malloc(n * sizeof *all);
    if (all == NULL)
        return no_memory(ctx);
    for (size_t at = 0; at < n; at++) {
        int is_left =
            i < file->n_parts && (k == from->n_parts || file->parts[i] <= from->parts[k]);
        all[at] = is_left ? file->parts[i++] : from->parts[k++];
        if (at == 0 || all[at] != all[at - 1])
            continue;
        uint32_t part = all[at];
        free(all);
        return rug_context_fail(ctx, RUG_E_ARG,
                                "part %" PRIu32 " of %" PRIu32
                                " is given twice, the second time in %s",
                                part + 1, file->n, from->path);
    }
    free(file->parts);
    file->parts = all;
    file->n_parts = n;
    return RUG_OK;
}

rug_status cli_part_file_join(rug_context *ctx, cli_part_file *file, cli_part_file *from)
{
    if (file->command == NULL) {
        *file = *from;
        *from = (cli_part_file){.path = from->path};
        return RUG_OK;
    }
    rug_status status = check_same(ctx, file, from);
    if (status == RUG_OK)
        status = join_parts(ctx, file, from);
    for (size_t i = 0; i < from->n_images && status == RUG_OK; i++) {
        cli_part_image *image = &from->images[i];
        const cli_part_image *own = cli_part_file_find(file, image->input, image->page);
        if (own != NULL && strcmp(own->name, image->name) != 0)
            status = rug_context_fail(ctx, RUG_E_ARG, "%s has %s where %s has %s",
                                      from->path, image->name, file->path, own->name);
        for (size_t k = 0; k < image->n_entries && status == RUG_OK; k++)
            status = cli_part_file_add(ctx, file, image->input, image->page, image->name,
                                       &image->entries[k]);
    }
    return status;
}
