/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Checks the data of a page of --report, and compares its rows with tables of the same run:
 * check_page PAGE.html [TABLE.csv|TABLE.json]... Prints what the page holds, but for the rows. It does not
 * know rugose. */

#define _POSIX_C_SOURCE 200809L
#include <json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATA_BEGIN "<script type=\"application/json\" id=\"rugose-data\">\n"
#define DATA_END   "</script>"

static int n_wrong;

static void wrong(const char *path, const char *what)
{
    printf("%s: %s\n", path, what);
    n_wrong++;
}

/* The bytes of a file, terminated; "" for one that is not there. */
static char *read_bytes(const char *path)
{
    FILE *in = fopen(path, "rb");
    long n = 0;
    if (in != NULL && fseek(in, 0, SEEK_END) == 0)
        n = ftell(in);
    char *text = calloc((size_t)n + 1, 1);
    if (text == NULL || in == NULL)
        exit(2);
    rewind(in);
    if (fread(text, 1, (size_t)n, in) != (size_t)n)
        exit(2);
    fclose(in);
    return text;
}

static struct json_object *parse(const char *path, const char *text)
{
    struct json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *root =
        json_tokener_parse_ex(tokener, text, (int)strlen(text) + 1);
    if (root == NULL)
        wrong(path, json_tokener_error_desc(json_tokener_get_error(tokener)));
    json_tokener_free(tokener);
    return root;
}

/* The data: nothing in it may begin or end an element. */
static struct json_object *read_page(const char *path)
{
    char *text = read_bytes(path), *data = strstr(text, DATA_BEGIN), *end = NULL;
    struct json_object *root = NULL;
    if (data != NULL)
        end = strstr(data + strlen(DATA_BEGIN), DATA_END);
    if (data == NULL || end == NULL) {
        wrong(path, "there are no data");
    } else {
        data += strlen(DATA_BEGIN);
        *end = '\0';
        if (strpbrk(data, "<>&") != NULL)
            wrong(path, "there is markup in the data");
        if (strstr(data, "\xe2\x80\xa8") != NULL || strstr(data, "\xe2\x80\xa9") != NULL)
            wrong(path, "U+2028 or U+2029 is not escaped");
        root = parse(path, data);
    }
    free(text);
    return root;
}

static struct json_object *member(struct json_object *object, const char *name)
{
    struct json_object *value = NULL;
    json_object_object_get_ex(object, name, &value);
    return value;
}

static size_t length(struct json_object *list)
{
    return json_object_is_type(list, json_type_array) ? json_object_array_length(list)
                                                      : 0;
}

/* Base64 digits to the 24 first bytes of a PNG file, which hold its size. */
static void print_picture(const char *path, struct json_object *picture)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *text = json_object_get_string(member(picture, "png"));
    unsigned char b[24] = {0};
    size_t n = text != NULL ? strlen(text) : 0;
    for (size_t i = 0; i < 8 && n > 32; i++) {
        unsigned long group = 0;
        for (size_t k = 0; k < 4; k++) {
            const char *digit = strchr(digits, text[4 * i + k]);
            group = group << 6 | (unsigned long)(digit != NULL ? digit - digits : 0);
        }
        for (size_t k = 0; k < 3; k++)
            b[3 * i + k] = (unsigned char)(group >> (16 - 8 * k));
    }
    if (n % 4 != 0 || memcmp(b, "\x89PNG\r\n\x1a\n", 8) != 0)
        wrong(path, "a picture is no PNG");
    printf("%s of %s, %dx%d: %s\n", json_object_get_string(member(picture, "kind")),
           json_object_get_string(member(picture, "image")), b[18] << 8 | b[19],
           b[22] << 8 | b[23], json_object_get_string(member(picture, "alt")));
}

/* ---- Rows ---- */

/* The next entry that is a row; NULL behind the last. */
static struct json_object *next_row(struct json_object *entries, size_t *at)
{
    while (*at < length(entries)) {
        struct json_object *entry = json_object_array_get_idx(entries, (*at)++);
        if (member(entry, "row") != NULL)
            return entry;
    }
    return NULL;
}

/* Gives a row the members that it has from the one before. */
static void complete(struct json_object *entry, struct json_object *before)
{
    struct json_object *names = member(entry, "as_before");
    for (size_t i = 0; i < length(names); i++) {
        const char *name = json_object_get_string(json_object_array_get_idx(names, i));
        json_object_object_add(member(entry, "row"), name,
                               json_object_get(member(member(before, "row"), name)));
    }
}

/* Moments are in JSON only. */
static struct json_object *expected(struct json_object *results, size_t i)
{
    struct json_object *row = json_object_array_get_idx(results, i);
    json_object_object_del(row, "moments");
    return row;
}

static void compare_json(const char *path, struct json_object *page)
{
    char *text = read_bytes(path);
    struct json_object *table = parse(path, text), *row;
    struct json_object *results = member(table, "results");
    size_t at = 0, n = 0;
    for (; (row = next_row(member(page, "entries"), &at)) != NULL; n++)
        if (n >= length(results) ||
            !json_object_equal(member(row, "row"), expected(results, n)))
            wrong(path, "a row differs");
    if (n != length(results) ||
        !json_object_equal(member(table, "parameters"), member(page, "parameters")))
        wrong(path, "the number of rows, or the parameters differ");
    printf("%s: %zu rows\n", path, n);
    json_object_put(table);
    free(text);
}

/* As RFC 4180 has it; an empty text is quoted. */
static void put_line(FILE *out, struct json_object *texts)
{
    for (size_t i = 0; i < length(texts); i++) {
        const char *text = json_object_get_string(json_object_array_get_idx(texts, i));
        int is_quoted = text[0] == '\0' || strpbrk(text, ",\"\r\n") != NULL;
        fputs(i > 0 ? "," : "", out);
        fputs(is_quoted ? "\"" : "", out);
        for (; *text != '\0'; text++)
            fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
        fputs(is_quoted ? "\"" : "", out);
    }
    fputc('\n', out);
}

static void compare_csv(const char *path, struct json_object *page)
{
    char *text = read_bytes(path), *made = NULL;
    size_t n_made, at = 0, n = 0;
    struct json_object *row;
    FILE *out = open_memstream(&made, &n_made);
    put_line(out, member(page, "columns"));
    for (; (row = next_row(member(page, "entries"), &at)) != NULL; n++)
        put_line(out, member(row, "cells"));
    fclose(out);
    if (strcmp(text, made) != 0)
        wrong(path, "the cells differ");
    printf("%s: %zu rows\n", path, n);
    free(text);
    free(made);
}

static void print_texts(struct json_object *page, const char *name)
{
    struct json_object *list = member(page, name);
    for (size_t i = 0; i < length(list); i++)
        printf("%s: %s\n", name,
               json_object_get_string(json_object_array_get_idx(list, i)));
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    struct json_object *page = read_page(argv[1]), *entries = member(page, "entries");
    if (page == NULL || !json_object_is_type(entries, json_type_array))
        return 1;
    print_texts(page, "failures");
    print_texts(page, "warnings");
    struct json_object *before = NULL, *row;
    for (size_t at = 0; (row = next_row(entries, &at)) != NULL; before = row)
        complete(row, before);
    for (size_t i = 0; i < length(entries); i++) {
        struct json_object *entry = json_object_array_get_idx(entries, i);
        if (member(entry, "picture") != NULL)
            print_picture(argv[1], member(entry, "picture"));
        else if (member(entry, "cells") == NULL || member(entry, "row") == NULL)
            wrong(argv[1], "an entry is neither a row nor a picture");
    }
    for (int i = 2; i < argc; i++) {
        const char *dot = strrchr(argv[i], '.');
        if (dot != NULL && strcmp(dot, ".json") == 0)
            compare_json(argv[i], page);
        else
            compare_csv(argv[i], page);
    }
    json_object_put(page);
    return n_wrong > 0;
}
