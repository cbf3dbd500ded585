/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads a command line by its option tables, and describes what it held. Knows no option
 * itself. */

#include "option.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct parser {
    const cli_option_set *sets;
    size_t n_sets;
    cli_words *words;
    char *error;
} parser;

static int fail(parser *p, const char *format, const char *a, const char *b)
{
    snprintf(p->error, CLI_ERROR_MAX, format, a, b);
    return -1;
}

/* ---- The nearest word ---- */

#define WORD_MAX 32

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to change, add, leave out or swap with the next one. */
static size_t edit_distance(const char *a, size_t n_a, const char *b)
{
    size_t d[WORD_MAX][WORD_MAX], n_b = strlen(b);
    if (n_a >= WORD_MAX || n_b >= WORD_MAX)
        return WORD_MAX;
    for (size_t i = 0; i <= n_a; i++)
        for (size_t k = 0; k <= n_b; k++) {
            d[i][k] = i == 0 ? k : i;
            if (i == 0 || k == 0)
                continue;
            d[i][k] = smaller(smaller(d[i - 1][k], d[i][k - 1]) + 1,
                              d[i - 1][k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                d[i][k] = smaller(d[i][k], d[i - 2][k - 2] + 1);
        }
    return d[n_a][n_b];
}

/* One wrong letter of a short word is enough; of others two, or a third. */
static size_t most_wrong(size_t n)
{
    return n < 4 ? 1 : n < 9 ? 2 : n / 3;
}

/* The beginning of a word, which is as good as one wrong letter. */
#define BEGINNING 3

void cli_guess_try(cli_guess *guess, const char *candidate)
{
    size_t distance = edit_distance(guess->word, guess->n, candidate);
    if (guess->n >= BEGINNING && distance > 1 &&
        strncmp(guess->word, candidate, guess->n) == 0)
        distance = 1;
    if (distance > most_wrong(guess->n) || distance >= guess->n ||
        (guess->best != NULL && distance >= guess->distance))
        return;
    guess->best = candidate;
    guess->distance = distance;
}

/* ---- Values ---- */

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

int cli_parse_real_range(double *lo, double *hi, const char *text)
{
    char low[64];
    const char *dots = strstr(text, "..");
    if (dots == NULL || (size_t)(dots - text) >= sizeof low)
        return 0;
    snprintf(low, sizeof low, "%.*s", (int)(dots - text), text);
    return rugi_parse_real(lo, low) && rugi_parse_real(hi, dots + 2) && *lo < *hi;
}

/* Digits only, from 1 to 2^63. @return where the number ends, or NULL */
static const char *parse_size(uint64_t *size, const char *text)
{
    *size = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (*size > (RUG_BOXCOUNT_SIZE_MAX - digit) / 10)
            return NULL;
        *size = *size * 10 + digit;
    }
    return at > text && *size > 0 ? at : NULL;
}

/* "A..B", the first not above the second. @return where it ends, or NULL */
static const char *parse_ends(uint64_t *lo, uint64_t *hi, const char *text)
{
    const char *at = parse_size(lo, text);
    if (at == NULL || strncmp(at, "..", 2) != 0)
        return NULL;
    at = parse_size(hi, at + 2);
    return at != NULL && *lo <= *hi ? at : NULL;
}

static int parse_range(cli_range *range, const char *text)
{
    *range = (cli_range){.text = text, .is_auto = strcmp(text, "auto") == 0};
    if (range->is_auto)
        return 1;
    const char *end = parse_ends(&range->min, &range->max, text);
    return end != NULL && *end == '\0';
}

/* "A..B" or "A..B:STEP". @return -1: it is neither; 0: too many; 1 */
static int parse_steps(cli_sizes *sizes, const char *text)
{
    uint64_t lo, hi, step = 1;
    const char *end = parse_ends(&lo, &hi, text);
    if (end != NULL && *end == ':')
        end = parse_size(&step, end + 1);
    if (end == NULL || *end != '\0')
        return -1;
    if ((hi - lo) / step >= RUG_BOXCOUNT_MAX_SIZES)
        return 0;
    for (uint64_t i = 0; i <= (hi - lo) / step; i++)
        sizes->size[sizes->n++] = lo + i * step;
    return 1;
}

/* Puts a size in its place, once. @return 0: there are too many */
static int add_size(cli_sizes *sizes, uint64_t size)
{
    uint32_t at = sizes->n;
    while (at > 0 && sizes->size[at - 1] >= size)
        at--;
    if (at < sizes->n && sizes->size[at] == size)
        return 1;
    if (sizes->n == RUG_BOXCOUNT_MAX_SIZES)
        return 0;
    memmove(&sizes->size[at + 1], &sizes->size[at],
            (sizes->n - at) * sizeof sizes->size[0]);
    sizes->size[at] = size;
    sizes->n++;
    return 1;
}

static int parse_sizes(cli_sizes *sizes, const char *text)
{
    sizes->text = text;
    int are_steps = parse_steps(sizes, text);
    if (are_steps >= 0)
        return are_steps;
    for (const char *at = text;; at++) {
        uint64_t size;
        at = parse_size(&size, at);
        if (at == NULL || (*at != ',' && *at != '\0') || !add_size(sizes, size))
            return 0;
        if (*at == '\0')
            return 1;
    }
}

/* Whether a text looks like sizes that are no whole numbers. */
static int are_fractions(const cli_option *o, const char *text)
{
    const char *point = strchr(text, '.');
    while (point != NULL && strncmp(point, "..", 2) == 0)
        point = strchr(point + 2, '.');
    return o->takes_fractions && point != NULL && strstr(text, "...") == NULL &&
           text[strspn(text, "0123456789.,:")] == '\0';
}

static int keep_sizes(cli_sizes *sizes, const cli_option *o, const char *text)
{
    *sizes = (cli_sizes){.text = text, .has_fractions = are_fractions(o, text)};
    return sizes->has_fractions;
}

static int keep_range(cli_range *range, const cli_option *o, const char *text)
{
    *range = (cli_range){.text = text, .has_fractions = are_fractions(o, text)};
    return range->has_fractions;
}

static int is_within(const cli_option *o, double value)
{
    return value >= o->min && (o->max <= 0 || value <= o->max);
}

static int parse_real(double *value, const cli_option *o, const char *text)
{
    return rugi_parse_real(value, text) && is_within(o, *value);
}

/* Digits, or a number such as 1e6 that is whole. */
static int parse_count(uint64_t *value, const cli_option *o, const char *text)
{
    const char *end = parse_size(value, text);
    double real;
    if (end != NULL && *end == '\0')
        return is_within(o, (double)*value);
    if (!rugi_parse_real(&real, text) || !is_within(o, real) || real > 0x1p53 ||
        real != floor(real))
        return 0;
    *value = (uint64_t)real;
    return 1;
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

/* The nearest of "a|b|c". */
static void guess_choice(cli_guess *guess, char meant[CLI_CHOICE_MAX],
                         const char *choices)
{
    int n = 1;
    for (const char *at = choices; *at != '\0'; at++)
        n += *at == '|';
    for (int i = 0; i < n; i++) {
        char name[CLI_CHOICE_MAX];
        cli_choice_name(name, choices, i);
        cli_guess_try(guess, name);
        if (guess->best == name)
            guess->best = strcpy(meant, name);
    }
}

/* "a number above 0, at most 1024", "a whole number of pixels from 1"; a least value that is
 * nearly 0 is not shown. */
static void format_number(char *text, size_t size, const cli_option *o)
{
    int is_above = o->min > 0 && o->min < 1e-3;
    int n = snprintf(text, size, "a%s number%s%s %s ",
                     o->kind == CLI_REAL ? "" : " whole", o->unit != NULL ? " " : "",
                     o->unit != NULL ? o->unit : "", is_above ? "above" : "from");
    n += snprintf(text + n, size - (size_t)n, "%.15g", is_above ? 0 : o->min);
    if (o->max > 0)
        snprintf(text + n, size - (size_t)n, is_above ? ", at most %.15g" : " to %.15g",
                 o->max);
}

static int refuse(parser *p, const cli_option *o, const char *given)
{
    char text[160];
    const char *expected = text;
    switch (o->kind) {
    case CLI_CHOICE: snprintf(text, sizeof text, "one of %s", o->choices); break;
    case CLI_SIZES:
        expected = "up to 1024 sizes such as 3,9,27, or A..B or A..B:STEP with "
                   "1 <= A <= B <= 2^63";
        break;
    case CLI_RANGE: expected = "'auto' or two sizes A..B with 1 <= A <= B <= 2^63"; break;
    case CLI_FOREGROUND:
        expected =
            "auto, nonzero, otsu, otsu-dark, above=T, below=T or label=L (T and L are numbers)";
        break;
    default: format_number(text, sizeof text, o); break;
    }
    cli_guess guess = {given, strlen(given), NULL, 0};
    char meant[CLI_CHOICE_MAX] = "";
    if (o->kind == CLI_CHOICE)
        guess_choice(&guess, meant, o->choices);
    snprintf(p->error, CLI_ERROR_MAX, "--%s: '%s' given, %s expected%s%s%s", o->name,
             given, expected, guess.best != NULL ? " (did you mean " : "", meant,
             guess.best != NULL ? "?)" : "");
    return -1;
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
    int is_good = 1;
    switch (o->kind) {
    case CLI_FLAG: *(int *)target = 1; break;
    case CLI_TEXT: *(const char **)target = text; break;
    case CLI_TEXTS: return store_one_more(p, o, target, text);
    case CLI_INT:
        is_good = cli_parse_int(target, text, (int)o->min, (int)o->max) == 0;
        break;
    case CLI_COUNT: is_good = parse_count(target, o, text); break;
    case CLI_REAL: is_good = parse_real(target, o, text); break;
    case CLI_CHOICE: {
        int place = find_choice(o->choices, text);
        is_good = place >= 0;
        *(int *)target = place;
        break;
    }
    case CLI_SIZES:
        is_good = parse_sizes(target, text) || keep_sizes(target, o, text);
        break;
    case CLI_RANGE:
        is_good = parse_range(target, text) || keep_range(target, o, text);
        break;
    case CLI_FOREGROUND:
        is_good = rug_foreground_parse(NULL, target, text) == RUG_OK;
        break;
    }
    return is_good ? 0 : refuse(p, o, text);
}

/* ---- Words ---- */

/* The option that a word of other programs stands for, where that is nearer than the best so far. */
static const cli_option *guess_also(const parser *p, cli_guess *guess)
{
    const cli_option *found = NULL;
    for (size_t s = 0; s < p->n_sets; s++)
        for (size_t i = 0; i < p->sets[s].n; i++) {
            const cli_option *o = &p->sets[s].options[i];
            size_t before = guess->best != NULL ? guess->distance : WORD_MAX;
            cli_guess_try_words(guess, o->also, o->name);
            if (guess->best != NULL && guess->distance < before)
                found = o;
        }
    return found;
}

static int fail_unknown(parser *p, const char *word, size_t n)
{
    cli_guess guess = {word + 2, n, NULL, 0};
    for (size_t s = 0; s < p->n_sets; s++)
        for (size_t i = 0; i < p->sets[s].n; i++)
            cli_guess_try(&guess, p->sets[s].options[i].name);
    const cli_option *also = guess_also(p, &guess);
    if (guess.best == NULL)
        return fail(p, "unknown option %s%s", word, "");
    return fail(p,
                also != NULL && also->kind == CLI_FOREGROUND
                    ? "unknown option %s (did you mean --%s above=T?)"
                    : "unknown option %s (did you mean --%s?)",
                word, guess.best);
}

static int mark_given(parser *p, const cli_option *o)
{
    cli_words *w = p->words;
    for (size_t i = 0; i < w->n_given; i++)
        if (w->given[i] == o)
            return o->kind == CLI_TEXTS ? 0
                                        : fail(p, "--%s is given twice%s", o->name, "");
    if (w->n_given == CLI_MAX_GIVEN)
        return fail(p, "too many options%s%s", "", "");
    w->given[w->n_given++] = o;
    return 0;
}

int cli_is_given(const cli_words *words, const char *name)
{
    for (size_t i = 0; i < words->n_given; i++)
        if (strcmp(words->given[i]->name, name) == 0)
            return 1;
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
        return fail_unknown(p, word, n);
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
              cli_words *words, char error[CLI_ERROR_MAX])
{
    parser p = {.sets = sets, .n_sets = n_sets, .words = words, .error = error};
    int only_operands = 0;
    *words = (cli_words){.operands = argv};
    for (int i = 0; i < argc;) {
        char *word = argv[i];
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        int used = 1;
        if (only_operands || word[0] != '-' || word[1] == '\0')
            argv[words->n_operands++] = word;
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

/* ---- Parameters ---- */

static void describe_choice(cli_record *p, const char *name, const char *choices,
                            int value)
{
    char text[CLI_CHOICE_MAX];
    if (value >= 0)
        cli_choice_name(text, choices, value);
    cli_record_set_text(p, name, value >= 0 ? text : NULL);
}

static void describe_rule(cli_record *p, const char *name, rug_foreground rule)
{
    char text[RUG_FOREGROUND_TEXT_MAX];
    rug_foreground_format(text, rule);
    cli_record_set_text(p, name, text);
}

static void describe_texts(cli_record *p, const char *name, const cli_texts *texts)
{
    for (size_t i = 0; i < texts->n; i++) {
        cli_record *r = cli_record_new();
        cli_record_set_text(r, "text", texts->items[i]);
        cli_record_append(p, name, r);
    }
}

static void describe_value(cli_record *p, const char *name, const cli_option *o,
                           const void *value)
{
    switch (o->kind) {
    case CLI_FLAG: cli_record_set_bool(p, name, *(const int *)value); break;
    case CLI_INT: cli_record_set_signed(p, name, *(const int *)value); break;
    case CLI_COUNT: cli_record_set_integer(p, name, *(const uint64_t *)value); break;
    case CLI_REAL: cli_record_set_real(p, name, *(const double *)value); break;
    case CLI_CHOICE: describe_choice(p, name, o->choices, *(const int *)value); break;
    case CLI_FOREGROUND: describe_rule(p, name, *(const rug_foreground *)value); break;
    case CLI_SIZES: cli_record_set_text(p, name, ((const cli_sizes *)value)->text); break;
    case CLI_RANGE: cli_record_set_text(p, name, ((const cli_range *)value)->text); break;
    case CLI_TEXT: cli_record_set_text(p, name, *(const char *const *)value); break;
    case CLI_TEXTS: describe_texts(p, name, value); break;
    }
}

static void describe_option(cli_record *p, const cli_option *o, const void *values,
                            const cli_words *words)
{
    char name[CLI_CHOICE_MAX];
    snprintf(name, sizeof name, "%s", o->name);
    for (char *at = name; *at != '\0'; at++)
        *at = *at == '-' ? '_' : *at;
    if (o->unset != NULL && !cli_is_given(words, o->name))
        cli_record_set_text(p, name, *o->unset != '\0' ? o->unset : NULL);
    else
        describe_value(p, name, o, (const char *)values + o->target);
}

static int is_given_here(const cli_words *words, const cli_option *o)
{
    for (size_t i = 0; i < words->n_given; i++)
        if (words->given[i] == o)
            return 1;
    return 0;
}

void cli_describe_options(cli_record *p, const cli_option *options, size_t n,
                          const void *values, const cli_words *words, unsigned mode)
{
    for (size_t i = 0; i < n; i++) {
        const cli_option *o = &options[i];
        int is_asked = mode == CLI_MODE_GIVEN
                           ? !o->is_free && is_given_here(words, o)
                           : !o->is_unlisted && (o->modes == 0 || o->modes & mode);
        if (is_asked)
            describe_option(p, o, values, words);
    }
}
