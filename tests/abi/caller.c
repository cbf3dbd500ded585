/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Makes each call with structs of every length that a caller of another version could have: as the
 * headers have it, cut behind each member, longer, without a size. Every struct has a block of its own
 * of exactly its bytes, and bytes without a name hold rubbish.
 *
 *     caller IMAGE_FILE
 *
 * prints a line for each call with what came of it: `default` with the options left as they are, `old`
 * with all members set that the previous headers have, `all` with all members set. */

#include "caller.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct place {
    const char *type, *name;
    size_t offset, size;
} place;

typedef struct kind {
    const char *type;
    size_t size;
    const void *init;
} kind;

/* The headers that this file is compiled with. */
#define SIZED(type, init)
#define PLAIN(type)
#define VALUE(type, name)
#define MEMBER(type, name) \
    {#type, #name, offsetof(type, name), sizeof(((type *)0)->name)},
static const place places[] = {
#include "structs.inc"
};
#undef SIZED
#undef MEMBER
#define SIZED(type, init) {#type, sizeof(type), &(const type)init},
#define MEMBER(type, name)
static const kind kinds[] = {
#include "structs.inc"
};
#undef SIZED
#undef MEMBER
/* The previous ones. */
#define SIZED(type, init)
#define MEMBER(type, name) {#type, #name},
static const char *const had[][2] = {
#include "previous_structs.inc"
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define RUBBISH      0xA5
#define HUGE_SIZE    ((size_t)1 << 40)

/* Bytes behind each block that must stay as they are, where the address sanitizer does not watch them. */
#ifdef __SANITIZE_ADDRESS__
#define GUARD_BYTES ((size_t)0)
#else
#define GUARD_BYTES ((size_t)64)
#endif

/* How many bytes more than in these headers a struct may have that the library knows nothing of. */
#ifdef PREVIOUS_HEADERS
#define MOST_MORE ((size_t)0)
#else
#define MOST_MORE ((size_t)16)
#endif

rug_context *ctx;
rug_image image, mask, labels;
rug_points points;
rug_source image_source = RUG_SOURCE_INIT, mask_source = RUG_SOURCE_INIT,
           labels_source = RUG_SOURCE_INIT;
const char *file_path;
const uint64_t three_sizes[3] = {1, 2, 4};

static unsigned char image_pixels[64][64], mask_pixels[64][64], labels_pixels[64][64];
static int32_t coordinates[64][2];

static char line[8192];
static size_t line_length;
static const caller_use *use;
static const kind *this_kind;
static unsigned char *target; /* of put() */
static int sets_all;
static int failures;
static int n_put;

void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(line + line_length, sizeof line - line_length, format, arguments);
    va_end(arguments);
    if (n > 0 && (size_t)n < sizeof line - line_length)
        line_length += (size_t)n;
}

static void complain(const char *what, rug_status status)
{
    printf("FAILED %s(%s), %s: %s, %s\n", use->call, use->type, what,
           rug_status_name(status), rug_context_error(ctx));
    failures++;
}

void must(rug_status status, const char *what)
{
    if (status == RUG_OK)
        return;
    printf("FAILED %s: %s, %s\n", what, rug_status_name(status), rug_context_error(ctx));
    exit(1);
}

static const place *find(const char *type, const char *name)
{
    for (size_t i = 0; i < COUNT(places); i++)
        if (strcmp(places[i].type, type) == 0 && strcmp(places[i].name, name) == 0)
            return &places[i];
    return NULL;
}

static int is_old(const char *type, const char *name)
{
    for (size_t i = 0; i < COUNT(had); i++)
        if (strcmp(had[i][0], type) == 0 && strcmp(had[i][1], name) == 0)
            return 1;
    return 0;
}

void put(const char *member, const void *value, size_t size)
{
    n_put++;
    const place *at = find(use->type, member);
    if (at == NULL && !is_old(use->type, member))
        return; /* these are the previous headers */
    if (at == NULL || at->size != size) {
        printf("FAILED %s.%s: no such member of %zu bytes\n", use->type, member, size);
        exit(1);
    }
    if (sets_all || is_old(use->type, member))
        memcpy(target + at->offset, value, size);
}

/* Texts of enums: one for each value, "?" for numbers that are none. */
static void try_name(const char *name, const char *text, const char *unknown)
{
    printf("default %s is %s\n", name, text);
    if (strchr(text, '?') == NULL && strchr(unknown, '?') != NULL)
        return;
    printf("FAILED: %s is \"%s\", another number \"%s\"\n", name, text, unknown);
    failures++;
}

#undef SIZED
#undef MEMBER
#undef VALUE
#define SIZED(type, init)
#define MEMBER(type, name)
#define VALUE(type, name) try_name(#name, type##_name(name), type##_name((type)1000000));
static void try_names(void)
{
#include "structs.inc"
}

static unsigned char *block_of(size_t size)
{
    unsigned char *block = malloc(size + GUARD_BYTES);
    if (block == NULL)
        exit(1);
    memset(block, RUBBISH, size + GUARD_BYTES);
    return block;
}

static void release(unsigned char *block, size_t size)
{
    int is_whole = 1;
    for (size_t i = size; i < size + GUARD_BYTES; i++)
        is_whole &= block[i] == RUBBISH;
    if (!is_whole)
        complain("a byte behind the struct was written", RUG_OK);
    free(block);
}

/* A struct of `size` bytes, as its INIT macro begins it; bytes without a name hold rubbish, bytes behind
 * the struct of these headers are `rest`. */
static unsigned char *begin(size_t size, unsigned char rest)
{
    unsigned char *block = block_of(size);
    for (size_t i = 0; i < COUNT(places); i++)
        if (strcmp(places[i].type, use->type) == 0 &&
            places[i].offset + places[i].size <= size)
            memcpy(block + places[i].offset,
                   (const char *)this_kind->init + places[i].offset, places[i].size);
    for (size_t i = this_kind->size; i < size; i++)
        block[i] = rest;
    memcpy(block, &size, sizeof size);
    return block;
}

static rug_status run(void *given, int is_broken)
{
    line_length = 0;
    line[0] = '\0';
    return use->run(given, is_broken);
}

static int has_defaults(void)
{
    return use->role == CALLER_OPTIONS;
}

static void fill(unsigned char *block, int all)
{
    target = block;
    sets_all = all;
    use->set();
}

static void expect_refused(size_t size, size_t claimed, const char *what)
{
    unsigned char *block = begin(size, 0);
    if (use->role == CALLER_VALUE)
        fill(block, 0);
    memcpy(block, &claimed, sizeof claimed);
    rug_status status = run(block, 0);
    if (status != RUG_E_ARG || strstr(rug_context_error(ctx), use->type) == NULL)
        complain(what, status);
    release(block, size);
}

/* Structs as long as the headers say and longer ones. The line of the first is kept. */
static void try_whole(char *kept)
{
    for (size_t more = 0; more <= MOST_MORE; more += 8) {
        unsigned char *block = begin(this_kind->size + more, 0);
        if (use->role == CALLER_VALUE)
            fill(block, 0);
        rug_status status = run(block, 0);
        if (status != RUG_OK)
            complain(more ? "longer, nothing set there" : "whole", status);
        else if (more == 0)
            strcpy(kept, line);
        else if (strcmp(kept, line) != 0)
            complain("longer: another result", status);
        if (more > 0 && use->role != CALLER_RESULT) {
            block[this_kind->size + more - 1] = 1;
            status = run(block, 0);
            if (status != RUG_E_ARG || strstr(rug_context_error(ctx), use->type) == NULL)
                complain("longer, a byte set there", status);
        }
        release(block, this_kind->size + more);
    }
    const place *next = find(use->type, "next_member");
    if (next != NULL && use->role != CALLER_RESULT) {
        unsigned char *block = begin(this_kind->size, 0);
        if (use->role == CALLER_VALUE)
            fill(block, 0);
        size_t one = 1;
        memcpy(block + next->offset, &one, sizeof one);
        rug_status status = run(block, 0);
        if (status != RUG_E_ARG || strstr(rug_context_error(ctx), use->type) == NULL)
            complain("next_member set", status);
        release(block, this_kind->size);
    }
}

/* Structs that end where a member begins, as those of older headers. */
static void try_cut(const char *whole)
{
    for (size_t i = 0; i < COUNT(places); i++) {
        size_t size = places[i].offset;
        if (strcmp(places[i].type, use->type) != 0 || size <= sizeof(size_t))
            continue;
        unsigned char *block = begin(size, 0);
        rug_status status = run(block, 0);
        if (has_defaults() && status != RUG_OK)
            complain("cut", status);
        else if (has_defaults() && strcmp(whole, line) != 0)
            complain("cut: another result", status);
        release(block, size);
    }
}

static void try_options(void)
{
    static char whole[sizeof line];
    rug_status status = run(NULL, 0);
    if (has_defaults() && status != RUG_OK)
        complain("NULL", status);
    strcpy(whole, line);
    char of_null[sizeof line];
    strcpy(of_null, line);
    try_whole(whole);
    if (has_defaults() && strcmp(whole, of_null) != 0)
        complain("NULL differs from the INIT macro", status);
    printf("default %s(%s): %s\n", use->call, use->type, whole);
    try_cut(whole);
    for (int all = 0; all <= 1; all++) {
        unsigned char *block = begin(this_kind->size, 0);
        n_put = 0;
        fill(block, all);
        status = run(block, 0);
        if (status != RUG_OK)
            complain("set", status);
        printf("%s %s(%s): %s\n", all ? "all" : "old", use->call, use->type, line);
        release(block, this_kind->size);
    }
    int n_members = 0;
    for (size_t i = 0; i < COUNT(places); i++)
        n_members += strcmp(places[i].type, use->type) == 0 &&
                     strcmp(places[i].name, "next_member") != 0;
    if (has_defaults() && n_put < n_members - 1)
        complain("a member is not set by this caller", RUG_OK);
}

/* The members of a result in a block of some size are those of the whole one. */
static void compare(const unsigned char *whole, const unsigned char *block, size_t size)
{
    for (size_t i = 1; i < COUNT(places); i++) {
        const place *at = &places[i];
        if (strcmp(at->type, use->type) == 0 && at->offset > 0 &&
            at->offset + at->size <= size &&
            (use->differs == NULL || strstr(use->differs, at->name) == NULL) &&
            memcmp(whole + at->offset, block + at->offset, at->size) != 0)
            complain(at->name, RUG_OK);
    }
}

static void print_result(const unsigned char *block)
{
    printf("result %s(%s): %s", use->call, use->type, line);
    for (size_t i = 0; i < COUNT(places); i++) {
        const place *at = &places[i];
        if (strcmp(at->type, use->type) != 0 || at->offset == 0 ||
            !is_old(use->type, at->name) ||
            (use->differs != NULL && strstr(use->differs, at->name) != NULL))
            continue;
        uint64_t sum = 0;
        for (size_t k = 0; k < at->size; k++)
            sum = sum * 31 + block[at->offset + k];
        printf(" %s=%llx", at->name, (unsigned long long)sum);
    }
    printf("\n");
}

static void try_result(void)
{
    unsigned char *whole = begin(this_kind->size, 0);
    rug_status status = run(NULL, 0);
    if (status != RUG_E_ARG)
        complain("NULL", status);
    if ((status = run(whole, 0)) != RUG_OK)
        complain("whole", status);
    print_result(whole);
    const place *next = find(use->type, "next_member");
    if (next != NULL && whole[next->offset] != 0)
        complain("next_member is not 0", status);
    for (size_t i = 0; i < COUNT(places) + MOST_MORE / 8; i++) {
        size_t size = i < COUNT(places) ? places[i].offset
                                        : this_kind->size + 8 * (i + 1 - COUNT(places));
        if (i < COUNT(places) &&
            (strcmp(places[i].type, use->type) != 0 || size <= sizeof(size_t)))
            continue;
        unsigned char *block = begin(size, RUBBISH);
        if ((status = run(block, 0)) != RUG_OK)
            complain("another length", status);
        compare(whole, block, size);
        for (size_t k = this_kind->size; k < size; k++)
            if (block[k] != 0) {
                complain("longer: not 0 there", status);
                break;
            }
        release(block, size);
    }
    if (run(whole, 1) == RUG_OK)
        complain("a wrong argument is accepted", RUG_OK);
    for (size_t i = 0; i < COUNT(places); i++)
        for (size_t k = 0; k < places[i].size; k++)
            if (strcmp(places[i].type, use->type) == 0 && places[i].offset > 0 &&
                whole[places[i].offset + k] != 0) {
                complain("not zeroed after a failure", RUG_OK);
                k = places[i].size;
            }
    release(whole, this_kind->size);
}

static void try_use(void)
{
    this_kind = NULL;
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (strcmp(kinds[i].type, use->type) == 0)
            this_kind = &kinds[i];
    if (this_kind == NULL) {
        printf("FAILED %s: not in these headers\n", use->type);
        failures++;
        return;
    }
    expect_refused(this_kind->size, 0, "struct_size 0");
    expect_refused(this_kind->size, sizeof(size_t), "struct_size of nothing else");
    expect_refused(this_kind->size, HUGE_SIZE, "a huge struct_size");
    expect_refused(this_kind->size, SIZE_MAX, "the largest struct_size");
    if (use->role == CALLER_RESULT)
        try_result();
    else
        try_options();
}

static void prepare(void)
{
    const size_t shape[2] = {64, 64};
    for (unsigned y = 0; y < 64; y++) {
        for (unsigned x = 0; x < 64; x++) {
            image_pixels[y][x] =
                (unsigned char)((x & y) == 0 ? 255 - x : (x * y + 7 * y) % 200);
            mask_pixels[y][x] = y < 32;
            labels_pixels[y][x] = (unsigned char)(1 + x / 32);
        }
        coordinates[y][0] = (int32_t)(y * 37 % 64);
        coordinates[y][1] = (int32_t)(y * y % 64);
    }
    must(rug_context_new(&ctx), "rug_context_new");
    must(rug_context_set_threads(ctx, 2), "rug_context_set_threads");
    must(rug_image_view(ctx, &image, image_pixels, RUG_U8, 2, shape), "rug_image_view");
    must(rug_image_view(ctx, &mask, mask_pixels, RUG_U8, 2, shape), "rug_image_view");
    must(rug_image_view(ctx, &labels, labels_pixels, RUG_U8, 2, shape), "rug_image_view");
    rug_source_of_image(&image_source, &image);
    rug_source_of_image(&mask_source, &mask);
    rug_source_of_image(&labels_source, &labels);
    printf("default rug_source_layers: %d\n",
           (int)rug_source_layers(&image_source, 1024));
    points = (rug_points){.data = coordinates,
                          .dtype = RUG_I32,
                          .n = 64,
                          .ndim = 2,
                          .stride = {sizeof coordinates[0], sizeof coordinates[0][0]}};
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    file_path = argv[1];
    prepare();
    try_names();
    const caller_use *const lists[] = {caller_core, caller_boxes, caller_textures,
                                       caller_masses, caller_rest};
    for (size_t i = 0; i < COUNT(lists); i++)
        for (use = lists[i]; use->call != NULL; use++)
            try_use();
    rug_context_free(ctx);
    return failures == 0 ? 0 : 1;
}
