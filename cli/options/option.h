/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Option tables. Each option is described once; parsing, --help, the manual page, the shell
 * completion and the parameters of a report are made from the description. */

#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include "core/image/number.h"
#include "tables/record.h"
#include <float.h>
#include <rugose/io.h>
#include <rugose/rugose.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/** What an option's value is, and what its target in the values struct is. */
typedef enum cli_kind {
    CLI_FLAG,       /**< no value; int, 1 when given */
    CLI_TEXT,       /**< const char *, NULL when not given */
    CLI_TEXTS,      /**< cli_texts; the option may be given several times */
    CLI_INT,        /**< int within [min, max] */
    CLI_COUNT,      /**< uint64_t within [min, max] */
    CLI_REAL,       /**< double within [min, max] */
    CLI_CHOICE,     /**< int, the place of the value in `choices` */
    CLI_SIZES,      /**< cli_sizes: "3,9,27", "A..B" or "A..B:STEP" */
    CLI_RANGE,      /**< cli_range: "auto" or "A..B" */
    CLI_FOREGROUND, /**< rug_foreground */
} cli_kind;

/** As the least value of CLI_REAL: every number above 0. */
#define CLI_ABOVE_0 DBL_TRUE_MIN

/** Most values of one option that may be given several times. */
#define CLI_TEXTS_MAX 64

/** All values of such an option, in their order. */
typedef struct cli_texts {
    const char *items[CLI_TEXTS_MAX];
    size_t n;
} cli_texts;

/** Box sizes, sorted, each once; n = 0: the default. */
typedef struct cli_sizes {
    const char *text;
    int has_fractions; /**< then n is 0: who takes fractions reads the text */
    uint32_t n;
    uint64_t size[RUG_BOXCOUNT_MAX_SIZES];
} cli_sizes;

/** The range of sizes of a fit as asked; both ends 0: the default. */
typedef struct cli_range {
    const char *text;
    int is_auto;
    int has_fractions; /**< likewise */
    uint64_t min, max;
} cli_range;

/** One option. */
typedef struct cli_option {
    const char *name; /**< without dashes */
    char letter;      /**< short form; 0 = none */
    cli_kind kind;
    const char *value;   /**< the value's name in help, such as FILE; NULL for flags */
    const char *choices; /**< CLI_CHOICE: "text|csv|json" */
    double min, max;     /**< of numbers; max 0: there is no most */
    const char *unit;    /**< of CLI_REAL and CLI_COUNT in errors, such as "of pixels" */
    size_t target;       /**< offset in the values struct */
    const char *unset;   /**< what the parameters say when the option is not given; ""
                              is null; NULL: the value, whose default the struct holds */
    int takes_fractions; /**< CLI_SIZES and CLI_RANGE: another option asks for them */
    unsigned modes;      /**< ways of working that it belongs to, as bits; 0: all */
    int is_unlisted;     /**< it is not part of the parameters */
    int is_free;         /**< no result depends on it */
    const char *also;    /**< "a|b": what others call it, for who tries that; or NULL */
    const char *help;    /**< meaning, unit, range, default; no newline */
} cli_option;

/** What every row of a table says: the names of the option and of its value, and where in a
 *  struct of `type` the value goes. */
#define CLI_OPTION(NAME, KIND, VALUE, type, member) \
    .name = NAME, .kind = KIND, .value = VALUE, .target = offsetof(type, member)

/** Options of one origin with the struct that their values go to. */
typedef struct cli_option_set {
    const char *title; /**< heading in help */
    const cli_option *options;
    size_t n;
    void *values;
} cli_option_set;

/** Most different options on one command line. */
#define CLI_MAX_GIVEN 64

/** What a command line held: words that are no options, and which options. */
typedef struct cli_words {
    char **operands; /**< into argv */
    size_t n_operands;
    const cli_option *given[CLI_MAX_GIVEN];
    size_t n_given;
} cli_words;

/** Longest error text. */
#define CLI_ERROR_MAX 512

/** Reads options and operands; options may stand anywhere, "--" ends them, none but
 *  CLI_TEXTS may be given twice.
 *  @param argv      argc words after the command's name; reordered: operands come to the
 *                   front
 *  @param error     filled on failure: what was given, what was expected
 *  @return 0, or -1 */
int cli_parse(int argc, char **argv, const cli_option_set *sets, size_t n_sets,
              cli_words *words, char error[CLI_ERROR_MAX]);

/** Whether an option was given. @param name  without dashes */
int cli_is_given(const cli_words *words, const char *name);

/** As a mode: the options that were given, listed or not, but for those that no result depends on. */
#define CLI_MODE_GIVEN (~0u)

/** Puts the values of options into a record, by their names with _ for -.
 *  @param mode  the way of working, as a bit; options of other ways are left out */
void cli_describe_options(cli_record *p, const cli_option *options, size_t n,
                          const void *values, const cli_words *words, unsigned mode);

/** Bytes of a choice's name with its end. */
#define CLI_CHOICE_MAX 32

/** The i-th word of "a|b|c", as CLI_CHOICE counts them. */
void cli_choice_name(char name[CLI_CHOICE_MAX], const char *choices, int i);

/** Reads a whole text as a decimal integer within [min, max]. @return 0, or -1 */
int cli_parse_int(int *value, const char *text, int min, int max);

/** Reads "LO..HI", finite numbers with LO < HI. @return nonzero when it is that */
int cli_parse_real_range(double *lo, double *hi, const char *text);

/** "-f, --format text|csv|json" */
#define CLI_OPTION_MAX 160
static inline void cli_format_option(char text[CLI_OPTION_MAX], const cli_option *o)
{
    const char *value = o->kind == CLI_CHOICE ? o->choices : o->value;
    char letter[8] = "";
    if (o->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(text, CLI_OPTION_MAX, "%s--%s%s%s", letter, o->name,
             value != NULL ? " " : "", value != NULL ? value : "");
}

/** The word nearest to a misspelt or shortened one. Begin with the word alone. */
typedef struct cli_guess {
    const char *word;
    size_t n;         /**< its bytes */
    const char *best; /**< NULL: none is near */
    size_t distance;
} cli_guess;

/** Tries one more candidate. */
void cli_guess_try(cli_guess *guess, const char *candidate);

/** Tries all words of "a|b|c".
 *  @param words  NULL: there are none
 *  @param meant  what the best is then */
static inline void cli_guess_try_words(cli_guess *guess, const char *words,
                                       const char *meant)
{
    while (words != NULL && *words != '\0') {
        char word[CLI_CHOICE_MAX];
        size_t n = strcspn(words, "|");
        snprintf(word, sizeof word, "%.*s", (int)n, words);
        cli_guess_try(guess, word);
        if (guess->best == word)
            guess->best = meant;
        words += n + (words[n] == '|');
    }
}

/** The text of a check that fails because there is no memory: no fault of the command line's. */
extern const char cli_no_memory[];

/** The text of a check that the library does. @return NULL: it is RUG_OK */
static inline const char *cli_problem(const rug_context *ctx, rug_status status)
{
    if (status == RUG_E_NOMEM)
        return cli_no_memory;
    return status != RUG_OK ? rug_context_error(ctx) : NULL;
}

/** Makes a context. @return NULL: there is no memory, which is printed */
rug_context *cli_new_context(void);

#endif
