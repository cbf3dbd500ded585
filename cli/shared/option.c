/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads a command line by its option tables. Knows no option itself. */

#include "option.h"
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_GIVEN 64 /* different options on one command line */

typedef struct parser {
    const cli_option_set *sets;
    size_t n_sets;
    const cli_option *given[MAX_GIVEN];
    size_t n_given;
    char *error;
} parser;

static int fail(parser *p, const char *format, const char *a, const char *b)
{
    snprintf(p->error, CLI_ERROR_MAX, format, a, b);
    return -1;
}

int cli_parse_int(int *value, const char *text, int min, int max)
{
    char *end;
    errno = 0;
    long v = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || v < min || v > max ||
        isspace((unsigned char)*text))
        return -1;
    *value = (int)v;
    return 0;
}

/* The place of a word in "a|b|c", or -1. */
static int find_choice(const char *choices, const char *word)
{
    size_t n = strlen(word);
    for (int i = 0;; i++) {
        size_t length = strcspn(choices, "|");
        if (length == n && strncmp(choices, word, n) == 0)
            return i;
        if (choices[length] == '\0')
            return -1;
        choices += length + 1;
    }
}

void cli_choice_name(char name[CLI_CHOICE_MAX], const char *choices, int i)
{
    for (; i > 0; i--)
        choices += strcspn(choices, "|") + 1;
    snprintf(name, CLI_CHOICE_MAX, "%.*s", (int)strcspn(choices, "|"), choices);
}

static int store_one_more(parser *p, const cli_option *o, cli_texts *texts,
                          const char *text)
{
    if (texts->n == CLI_TEXTS_MAX)
        return fail(p, "--%s is given too often%s", o->name, "");
    texts->items[texts->n++] = text;
    return 0;
}

static int store(parser *p, const cli_option *o, void *values, const char *text)
{
    void *target = (char *)values + o->target;
    char expected[64];
    switch (o->kind) {
    case CLI_FLAG: *(int *)target = 1; return 0;
    case CLI_TEXT: *(const char **)target = text; return 0;
    case CLI_TEXTS: return store_one_more(p, o, target, text);
    case CLI_INT:
        if (cli_parse_int(target, text, o->min, o->max) == 0)
            return 0;
        snprintf(expected, sizeof expected, "a whole number from %d to %d", o->min,
                 o->max);
        snprintf(p->error, CLI_ERROR_MAX, "--%s: '%s' given, %s expected", o->name, text,
                 expected);
        return -1;
    case CLI_CHOICE:
        *(int *)target = find_choice(o->choices, text);
        if (*(int *)target >= 0)
            return 0;
        snprintf(p->error, CLI_ERROR_MAX, "--%s: '%s' given, one of %s expected", o->name,
                 text, o->choices);
        return -1;
    }
    return -1;
}

static int mark_given(parser *p, const cli_option *o)
{
    for (size_t i = 0; i < p->n_given; i++)
        if (p->given[i] == o)
            return o->kind == CLI_TEXTS ? 0
                                        : fail(p, "--%s is given twice%s", o->name, "");
    if (p->n_given == MAX_GIVEN)
        return fail(p, "too many options%s%s", "", "");
    p->given[p->n_given++] = o;
    return 0;
}

/* Finds an option by its name of n bytes, or by its letter when name is NULL. */
static const cli_option *find(const parser *p, const char *name, size_t n, char letter,
                              void **values)
{
    for (size_t s = 0; s < p->n_sets; s++)
        for (size_t i = 0; i < p->sets[s].n; i++) {
            const cli_option *o = &p->sets[s].options[i];
            int hit = name != NULL
                          ? strlen(o->name) == n && strncmp(o->name, name, n) == 0
                          : o->letter == letter;
            if (hit) {
                *values = p->sets[s].values;
                return o;
            }
        }
    return NULL;
}

/* Takes an option whose value is `attached`, or else the next word. Returns how many
 * words were used, or -1. */
static int take(parser *p, const cli_option *o, void *values, const char *attached,
                const char *next)
{
    if (mark_given(p, o) != 0)
        return -1;
    if (o->kind == CLI_FLAG) {
        if (attached != NULL)
            return fail(p, "--%s takes no value, '%s' given", o->name, attached);
        return store(p, o, values, NULL) == 0 ? 1 : -1;
    }
    const char *text = attached != NULL ? attached : next;
    if (text == NULL)
        return fail(p, "--%s needs a value: %s", o->name,
                    o->kind == CLI_CHOICE ? o->choices : o->value);
    if (store(p, o, values, text) != 0)
        return -1;
    return attached != NULL ? 1 : 2;
}

static int take_long(parser *p, const char *word, const char *next)
{
    const char *name = word + 2, *equals = strchr(name, '=');
    size_t n = equals != NULL ? (size_t)(equals - name) : strlen(name);
    void *values = NULL;
    const cli_option *o = find(p, name, n, 0, &values);
    if (o == NULL)
        return fail(p, "unknown option %s%s", word, "");
    return take(p, o, values, equals != NULL ? equals + 1 : NULL, next);
}

/* "-v", "-qv" for flags, "-f csv" or "-fcsv" for a value. */
static int take_short(parser *p, const char *word, const char *next)
{
    for (const char *at = word + 1; *at != '\0'; at++) {
        void *values = NULL;
        const cli_option *o = find(p, NULL, 0, *at, &values);
        if (o == NULL)
            return fail(p, "unknown option %s%s", word, "");
        if (o->kind != CLI_FLAG)
            return take(p, o, values, at[1] != '\0' ? at + 1 : NULL, next);
        if (take(p, o, values, NULL, NULL) < 0)
            return -1;
    }
    return 1;
}

int cli_parse(int argc, char **argv, const cli_option_set *sets, size_t n_sets,
              cli_operands *operands, char error[CLI_ERROR_MAX])
{
    parser p = {.sets = sets, .n_sets = n_sets, .error = error};
    int only_operands = 0;
    operands->items = argv;
    operands->n = 0;
    for (int i = 0; i < argc;) {
        char *word = argv[i];
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        int used = 1;
        if (only_operands || word[0] != '-' || word[1] == '\0')
            argv[operands->n++] = word;
        else if (strcmp(word, "--") == 0)
            only_operands = 1;
        else
            used =
                word[1] == '-' ? take_long(&p, word, next) : take_short(&p, word, next);
        if (used < 0)
            return -1;
        i += used;
    }
    return 0;
}
