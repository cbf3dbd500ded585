/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose merge: the files of all parts to the table of the command that measured them. It runs that
 * command with the words of the parts, which then takes from the files what it would have measured. */

#include "part_run.h"
#include "part_words.h"
#include "parts.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    CLI_FORMAT_OPTION(cli_common),
    {.name = "output",
     .letter = 'o',
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_common, output),
     .is_free = 1,
     .help =
         "write the table there instead of to standard output; .csv, .json or .txt choose "
         "its form; .rgs: write the parts that are given, which need not be all, to one file"},
    {CLI_OPTION("threads", CLI_INT, "N", cli_common, threads), .min = 1, .max = 4096,
     .help = "number of threads, 1..4096 (default: all processors)"},
    {.name = "quiet",
     .letter = 'q',
     .kind = CLI_FLAG,
     .target = offsetof(cli_common, quiet),
     .help = "do not print what was read; warnings and errors are still printed"},
    {.name = "verbose",
     .letter = 'v',
     .kind = CLI_FLAG,
     .target = offsetof(cli_common, verbose),
     .help = "print the time of each step"},
    {CLI_OPTION("no-progress", CLI_FLAG, NULL, cli_common, no_progress),
     .help = "do not show the progress line on a terminal"},
    CLI_HELP_OPTION(cli_common),
};

static const cli_example examples[] = {
    {"rugose boxcount --part 2/8 big.tif -o part-2.rgs",
     "measure the second of eight parts; the others likewise, on other machines"},
    {"rugose merge part-*.rgs -o table.csv", "the table, as of one run over big.tif"},
    {"rugose merge part-*.rgs --counts counts.csv --plot plot.svg",
     "with other tables and plots of the command"},
    {"rugose merge part-1.rgs part-2.rgs -o half.rgs", "one file of several parts"},
    {NULL, NULL},
};

/* A command line in work. */
typedef struct merging {
    const cli_command *command; /* that measured */
    cli_part_file all;
    char **argv; /* its words, and those that are given here; owned, but not its items */
    int argc;
    const char *output; /* NULL: not given */
    int to_file;
    cli_option taken[CLI_MAX_GIVEN]; /* options that can be given here */
} merging;

static int fail(const char *text)
{
    cli_print(stderr, "rugose: %s\n", text);
    return CLI_FAILED;
}

/* The first file of a part on the command line, which says what the other words may be. */
static const char *first_file(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        size_t n = strlen(argv[i]);
        int is_letters = n > 1 && argv[i][0] == '-' && argv[i][1] != '-';
        if ((is_letters && argv[i][n - 1] == 'o') || strcmp(argv[i], "--output") == 0)
            i++; /* the next word is what is written */
        else if (argv[i][0] != '-' && rugi_has_ending(argv[i], ".rgs"))
            return argv[i];
    }
    return NULL;
}

/* The options that merging takes: those of tables and plots of a command. */
static int takes(const cli_option *o)
{
    return cli_part_option_of(o) == CLI_OF_MERGE ||
           (cli_part_option_of(o) == CLI_OF_PART && strcmp(o->name, "part") != 0 &&
            strcmp(o->name, "values") != 0);
}

/* Finds options of the command's own among the words, in their order, and operands.
 * @return CLI_OK, or an error that was printed */
static int read_words(merging *m, int argc, char **argv, cli_words *words)
{
    static struct values {
        union {
            max_align_t align;
            char bytes[1 << 16];
        } all;
        const char *output;
    } values; /* of all nobody reads any: the command reads its words itself */
    cli_option_set set = {"Options", m->taken, 0, &values};
    char error[CLI_ERROR_MAX];
    const char *title;
    const cli_option *o;
    for (size_t i = 0; (o = cli_option_at(m->command, i, &title)) != NULL; i++)
        if (takes(o) && set.n < CLI_MAX_GIVEN && o->target < sizeof values.all / 2) {
            m->taken[set.n] = *o;
            if (strcmp(o->name, "output") == 0)
                m->taken[set.n].target = offsetof(struct values, output);
            set.n++;
        }
    if (cli_parse(argc, argv, &set, 1, words, error) != 0)
        return cli_usage_error(&cli_merge, error);
    m->output = values.output;
    return CLI_OK;
}

/* Reads all files. @return CLI_OK, or an error that was printed */
static int read_files(rug_context *ctx, merging *m, const cli_words *words)
{
    rug_status status = RUG_OK;
    for (size_t i = 0; i < words->n_operands && status == RUG_OK; i++) {
        cli_part_file one = {.path = NULL};
        status = cli_part_file_read(ctx, &one, words->operands[i]);
        if (status == RUG_OK)
            status = cli_part_file_join(ctx, &m->all, &one);
        cli_part_file_free(&one);
    }
    return status == RUG_OK ? CLI_OK : fail(rug_context_error(ctx));
}

/* Whether all parts are there. */
static int check_whole(const merging *m)
{
    const cli_part_file *all = &m->all;
    char list[CLI_PART_LIST_MAX];
    uint8_t *marks = calloc(all->n, 1);
    if (marks == NULL)
        return fail(cli_no_memory);
    for (size_t i = 0; i < all->n_parts; i++)
        marks[all->parts[i]] = 1;
    size_t n = cli_part_list(list, marks, all->n, 0);
    free(marks);
    if (n == 0 || m->to_file)
        return CLI_OK;
    cli_print(stderr, "rugose: part%s %s of %" PRIu32 " %s missing\n", n == 1 ? "" : "s",
              list, all->n, n == 1 ? "is" : "are");
    return CLI_FAILED;
}

/* A file must not say what is written where. */
static int check_words(const merging *m)
{
    cli_option_set sets[CLI_N_OPTION_SETS];
    const cli_part_file *all = &m->all;
    size_t n = cli_option_sets(m->command, sets, NULL, NULL, NULL), i = 0;
    const cli_option **of = calloc(all->n_words + 1, sizeof *of);
    if (of == NULL)
        return fail(cli_no_memory);
    cli_part_classify(of, (const char *const *)all->words, all->n_words, sets, n);
    while (i < all->n_words && cli_part_option_of(of[i]) == CLI_OF_RUN)
        i++;
    free(of);
    if (i == all->n_words)
        return CLI_OK;
    cli_print(stderr, "rugose: %s: '%s' is no argument of a part\n", all->path,
              all->words[i]);
    return CLI_FAILED;
}

/* Puts the words together: options that are given here, then all of the parts.
 * @param given  as they were given, before they were read */
static int join_words(merging *m, char *const *given, int n_given)
{
    cli_option_set sets[CLI_N_OPTION_SETS];
    size_t n = cli_option_sets(m->command, sets, NULL, NULL, NULL);
    const cli_option **of = calloc((size_t)n_given + 1, sizeof *of);
    m->argv = calloc((size_t)n_given + m->all.n_words + 1, sizeof *m->argv);
    if (of == NULL || m->argv == NULL) {
        free(of);
        return fail(cli_no_memory);
    }
    cli_part_classify(of, (const char *const *)given, (size_t)n_given, sets, n);
    for (int i = 0; i < n_given; i++)
        if (of[i] != NULL)
            m->argv[m->argc++] = given[i];
    for (size_t i = 0; i < m->all.n_words; i++)
        m->argv[m->argc++] = m->all.words[i];
    free(of);
    return CLI_OK;
}

/* Whether a file of parts is to be written, and no table. No file that is read may be. */
static int check_output(merging *m, const cli_words *words)
{
    char text[CLI_ERROR_MAX];
    m->to_file = m->output != NULL && rugi_has_ending(m->output, ".rgs");
    for (size_t i = 0; m->to_file && i < words->n_given; i++)
        if (cli_part_option_of(words->given[i]) == CLI_OF_MERGE) {
            snprintf(text, sizeof text, "--%s has no effect where a .rgs file is written",
                     words->given[i]->name);
            return cli_usage_error(&cli_merge, text);
        }
    for (size_t i = 0; m->output != NULL && i < words->n_operands; i++)
        if (cli_same_path(m->output, words->operands[i]))
            return cli_usage_error(&cli_merge, "--output: the file is an input");
    return CLI_OK;
}

static int run_command(merging *m, char *const *given, int n)
{
    char **words = m->all.words;
    size_t n_words = m->all.n_words;
    int exit = join_words(m, given, n);
    if (exit != CLI_OK)
        return exit;
    m->all.words = NULL; /* which the command line needs until it has run */
    m->all.n_words = 0;
    cli_merge_next(&m->all, m->to_file);
    exit = m->command->run(m->argc, m->argv);
    for (size_t i = 0; i < n_words; i++)
        free(words[i]);
    free(words);
    return exit;
}

static int merge(rug_context *ctx, const cli_command *const *commands, merging *m,
                 const char *first, int argc, char **argv)
{
    cli_part_file head = {.path = NULL};
    cli_words words;
    char **given = calloc((size_t)argc + 1, sizeof *given);
    if (given == NULL)
        return fail(cli_no_memory);
    memcpy(given, argv, (size_t)argc * sizeof *given);
    int exit = CLI_OK;
    if (cli_part_file_read(ctx, &head, first) != RUG_OK)
        exit = fail(rug_context_error(ctx));
    else
        m->command = cli_find_command(commands, head.command);
    if (exit == CLI_OK && (m->command == NULL || m->command->in_parts == NULL)) {
        cli_print(stderr, "rugose: %s: parts of '%s', which does not measure in parts\n",
                  first, head.command);
        exit = CLI_FAILED;
    }
    cli_part_file_free(&head);
    if (exit == CLI_OK)
        exit = read_words(m, argc, argv, &words);
    if (exit == CLI_OK && cli_is_given(&words, "help")) {
        free(given);
        cli_print_help(&cli_merge);
        return CLI_OK;
    }
    if (exit == CLI_OK)
        exit = check_output(m, &words);
    if (exit == CLI_OK)
        exit = read_files(ctx, m, &words);
    if (exit == CLI_OK)
        exit = check_whole(m);
    if (exit == CLI_OK)
        exit = check_words(m);
    if (exit == CLI_OK)
        exit = run_command(m, given, argc);
    free(given);
    return exit;
}

/* Without a file only help can be meant. */
static int run_alone(int argc, char **argv)
{
    cli_common values = {.format = -1};
    cli_option_set set = {"Options", options, sizeof options / sizeof options[0],
                          &values};
    cli_words words;
    char error[CLI_ERROR_MAX];
    if (cli_parse(argc, argv, &set, 1, &words, error) != 0)
        return cli_usage_error(&cli_merge, error);
    if (values.help) {
        cli_print_help(&cli_merge);
        return CLI_OK;
    }
    return cli_usage_error(&cli_merge, "no FILE.rgs is given");
}

int cli_run_merge(const cli_command *const *commands, int argc, char **argv)
{
    merging m = {.argc = 0};
    const char *first = first_file(argc, argv);
    if (first == NULL)
        return run_alone(argc, argv);
    rug_context *ctx = cli_new_context();
    if (ctx == NULL)
        return CLI_FAILED;
    int exit = merge(ctx, commands, &m, first, argc, argv);
    cli_part_file_free(&m.all);
    free(m.argv);
    rug_context_free(ctx);
    return exit;
}

const cli_command cli_merge = {
    .name = "merge",
    .operands = "FILE.rgs...",
    .summary = "the table of images that were measured in parts",
    .also = "join|reduce|gather",
    .text =
        "Makes the table of images that were measured in parts, with --part, by several runs "
        "or machines: it is that of one run, bit for bit. All parts are needed, and so are "
        "the images, under the names that the parts were given; only their heads are read. "
        "Options of the command about tables and plots are given here: --format, --counts, "
        "--plot, --moments, --summary.",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
};
