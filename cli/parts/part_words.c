/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Words of command lines. */

#include "part_words.h"
#include <stdlib.h>
#include <string.h>

/* Whether a name is one of "a|b|c". */
static int is_among(const char *name, const char *names)
{
    size_t n = strlen(name);
    for (const char *at = names; (at = strstr(at, name)) != NULL; at += n)
        if ((at == names || at[-1] == '|') && (at[n] == '\0' || at[n] == '|'))
            return 1;
    return 0;
}

cli_part_option cli_part_option_of(const cli_option *option)
{
    if (option == NULL)
        return CLI_OF_RUN;
    if (is_among(option->name,
                 "part|values|output|threads|quiet|verbose|no-progress|help"))
        return CLI_OF_PART;
    if (is_among(option->name, "format|counts|plot|moments|summary"))
        return CLI_OF_MERGE;
    return is_among(option->name, "report|resume|overlay|map|save-volume|device")
               ? CLI_OF_WHOLE
               : CLI_OF_RUN;
}

/* @param name  of n bytes; NULL: by its letter */
static const cli_option *find(const cli_option_set *sets, size_t n_sets, const char *name,
                              size_t n, char letter)
{
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = 0; i < sets[s].n; i++) {
            const cli_option *o = &sets[s].options[i];
            if (name != NULL ? strlen(o->name) == n && strncmp(o->name, name, n) == 0
                             : o->letter == letter)
                return o;
        }
    return NULL;
}

/* The option of a word that begins with a dash; of several letters the last one.
 * @param takes_next  set: its value is the next word */
static const cli_option *option_of(const char *word, const cli_option_set *sets,
                                   size_t n_sets, int *takes_next)
{
    const cli_option *o = NULL;
    *takes_next = 0;
    if (word[1] == '-') {
        size_t n = strcspn(word + 2, "=");
        o = find(sets, n_sets, word + 2, n, 0);
        *takes_next = o != NULL && o->kind != CLI_FLAG && word[2 + n] == '\0';
        return o;
    }
    for (const char *at = word + 1; *at != '\0'; at++) {
        o = find(sets, n_sets, NULL, 0, *at);
        if (o == NULL || o->kind != CLI_FLAG) {
            *takes_next = o != NULL && at[1] == '\0';
            return o;
        }
    }
    return o;
}

void cli_part_classify(const cli_option **of, const char *const *words, size_t n,
                       const cli_option_set *sets, size_t n_sets)
{
    int only_operands = 0, takes_next;
    for (size_t i = 0; i < n; i++) {
        of[i] = NULL;
        if (only_operands || words[i][0] != '-' || words[i][1] == '\0')
            continue;
        only_operands = strcmp(words[i], "--") == 0;
        if (only_operands)
            continue;
        of[i] = option_of(words[i], sets, n_sets, &takes_next);
        if (takes_next && i + 1 < n) {
            of[i + 1] = of[i];
            i++;
        }
    }
}

/* ---- How images are read ---- */

/* The value of an option among words; of a flag the word. @return NULL: it is not given */
static const char *value_of(const char *const *words, const cli_option *const *of,
                            const char *name)
{
    size_t i = 0;
    while (words[i] != NULL && (of[i] == NULL || strcmp(of[i]->name, name) != 0))
        i++;
    if (words[i] == NULL)
        return NULL;
    const char *is = strncmp(words[i], "--", 2) == 0 ? strchr(words[i], '=') : NULL;
    if (is != NULL)
        return is + 1;
    return words[i + 1] != NULL && of[i + 1] == of[i] ? words[i + 1] : words[i];
}

/* Finds the options of words that end with NULL. @return owned; NULL: there is no memory */
static const cli_option **classify(const char *const *words, const cli_option_set *sets,
                                   size_t n_sets)
{
    size_t n = 0;
    while (words[n] != NULL)
        n++;
    const cli_option **of = calloc(n + 1, sizeof *of);
    if (of != NULL)
        cli_part_classify(of, words, n, sets, n_sets);
    return of;
}

static int differ(char text[CLI_ERROR_MAX], const char *name, const char *a,
                  const char *b)
{
    if ((a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0))
        return 0;
    snprintf(text, CLI_ERROR_MAX, "--%s: %s given, %s expected", name,
             a != NULL ? a : "nothing", b != NULL ? b : "nothing");
    return 1;
}

int cli_part_read_otherwise(char text[CLI_ERROR_MAX], const cli_command *command,
                            const char *const *given, const char *const *expected)
{
    cli_option_set sets[CLI_N_OPTION_SETS];
    size_t n = cli_option_sets(command, sets, NULL, NULL, NULL);
    const cli_option **a = classify(given, sets, n), **b = classify(expected, sets, n);
    int found = a != NULL && b != NULL ? 0 : -1;
    for (size_t s = 0; s < n && found == 0; s++)
        for (size_t i = 0; strcmp(sets[s].title, "Reading") == 0 && i < sets[s].n; i++)
            if (found == 0)
                found = differ(text, sets[s].options[i].name,
                               value_of(given, a, sets[s].options[i].name),
                               value_of(expected, b, sets[s].options[i].name));
    free(a);
    free(b);
    return found;
}
