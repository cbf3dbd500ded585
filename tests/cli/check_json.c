/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Checks that a file is one JSON document by the letter of the standard, and prints a
 * value of it: check_json FILE [KEY.0.KEY]. It does not know rugose. */

#include <json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct json_object *parse(const char *path)
{
    static char text[1 << 22];
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return NULL;
    size_t n = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    struct json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *root = json_tokener_parse_ex(tokener, text, (int)n);
    size_t end = json_tokener_get_parse_end(tokener);
    if (root == NULL || end + strspn(text + end, " \n") != n) {
        fprintf(stderr, "%s: no JSON document: %s at byte %zu of %zu\n", path,
                json_tokener_error_desc(json_tokener_get_error(tokener)), end, n);
        root = NULL;
    }
    json_tokener_free(tokener);
    return root;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3)
        return 2;
    struct json_object *root = parse(argv[1]), *at = root;
    if (root == NULL)
        return 1;
    for (char *key = argc == 3 ? strtok(argv[2], ".") : NULL; key != NULL;
         key = strtok(NULL, "."))
        if (json_object_is_type(at, json_type_array))
            at = json_object_array_get_idx(at, (size_t)strtoul(key, NULL, 10));
        else if (!json_object_object_get_ex(at, key, &at))
            return 1;
    if (argc == 3)
        puts(at != NULL ? json_object_get_string(at) : "null");
    json_object_put(root);
    return 0;
}
