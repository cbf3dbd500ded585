/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Words of command lines. */

#include "part_words.h"
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
