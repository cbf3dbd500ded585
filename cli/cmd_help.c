/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Help, the manual page and the shell completion, all made from the option tables. */

#include "shared/cli.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define WIDTH  90 /* columns of a terminal that help is made for */
#define INDENT 26 /* where an option's help begins */

/* The option sets of a command, for printing: no values. */
static size_t sets_of(const cli_command *c, cli_option_set sets[3])
{
    size_t n = 0;
    if (c->n_options > 0)
        sets[n++] = (cli_option_set){"Options", c->options, c->n_options, NULL};
    if (c->takes_images)
        sets[n++] =
            (cli_option_set){"Reading", cli_reading_options, cli_n_reading_options, NULL};
    if (c->takes_images || c->takes_streams)
        sets[n++] =
            (cli_option_set){"Common", cli_common_options, cli_n_common_options, NULL};
    return n;
}

/* Whether an option of the command's own takes the place of one of a set. */
static int is_replaced(const cli_command *c, const cli_option_set *set,
                       const cli_option *option)
{
    for (size_t i = 0; i < c->n_options && set->options != c->options; i++)
        if (strcmp(c->options[i].name, option->name) == 0)
            return 1;
    return 0;
}

/* Prints a text from column `at` on, broken at blanks, later lines indented by
 * `indent`. */
static void print_wrapped(const char *text, size_t at, size_t indent)
{
    for (int first = 1; *text != '\0'; first = 0) {
        size_t n = strcspn(text, " ");
        if (!first && at + 1 + n > WIDTH) {
            printf("\n%*s", (int)indent, "");
            at = indent;
        } else if (!first) {
            putchar(' ');
            at++;
        }
        printf("%.*s", (int)n, text);
        at += n;
        text += n + (text[n] == ' ');
    }
    putchar('\n');
}

/* "-f, --format text|csv|json" */
static void format_option(char *text, size_t size, const cli_option *o)
{
    const char *value = o->kind == CLI_CHOICE ? o->choices : o->value;
    if (o->letter != 0)
        snprintf(text, size, "-%c, --%s%s%s", o->letter, o->name, value ? " " : "",
                 value ? value : "");
    else
        snprintf(text, size, "--%s%s%s", o->name, value ? " " : "", value ? value : "");
}

static void print_option(const cli_option *o)
{
    char head[160];
    format_option(head, sizeof head, o);
    int n = printf("  %s", head);
    if (n + 2 > INDENT)
        printf("\n%*s", INDENT, "");
    else
        printf("%*s", INDENT - n, "");
    print_wrapped(o->help, INDENT, INDENT);
}

void cli_print_help(const cli_command *c)
{
    printf("rugose %s: %s\n\nUsage: rugose %s %s%s%s\n\n", c->name, c->summary, c->name,
           c->n_options > 0 || c->takes_images || c->takes_streams ? "[options]" : "",
           *c->operands ? " " : "", c->operands);
    print_wrapped(c->text, 0, 0);
    cli_option_set sets[3];
    size_t n_sets = sets_of(c, sets);
    for (size_t s = 0; s < n_sets; s++) {
        printf("\n%s:\n", sets[s].title);
        for (size_t i = 0; i < sets[s].n; i++)
            if (!is_replaced(c, &sets[s], &sets[s].options[i]))
                print_option(&sets[s].options[i]);
    }
    if (c->examples != NULL)
        printf("\nExamples:\n");
    for (const cli_example *e = c->examples; e != NULL && e->line != NULL; e++)
        printf("  %s\n      %s\n", e->line, e->what);
}

static void print_overview(void)
{
    printf(
        "rugose measures the roughness of images and volumes.\n\nUsage: rugose COMMAND "
        "[options] FILE...\n\nCommands:\n");
    for (size_t i = 0; i < cli_n_commands; i++)
        printf("  %-14s%s\n", cli_commands[i]->name, cli_commands[i]->summary);
    printf("\n'rugose help COMMAND' explains one. Exit status: 0 all done, 1 some input "
           "failed,\n"
           "2 the command line is wrong.\n");
}

/* Text for roff: dashes and backslashes escaped, no line begins with a control
 * character. */
static void print_roff(const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (; *text != '\0'; text++)
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
}

static void print_roff_lines(const char *macro, const char *text)
{
    printf("%s\n", macro);
    print_roff(text);
    putchar('\n');
}

static void print_man_command(const cli_command *c)
{
    printf(".SH RUGOSE ");
    for (const char *p = c->name; *p != '\0'; p++)
        putchar(toupper((unsigned char)*p));
    printf("\n.B rugose %s\n", c->name);
    print_roff(c->operands);
    print_roff_lines("\n.PP", c->text);
    cli_option_set sets[3];
    size_t n_sets = sets_of(c, sets);
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = 0; sets[s].options != cli_common_options && i < sets[s].n; i++) {
            char head[160];
            if (is_replaced(c, &sets[s], &sets[s].options[i]))
                continue;
            format_option(head, sizeof head, &sets[s].options[i]);
            print_roff_lines(".TP\n.B", head);
            print_roff(sets[s].options[i].help);
            putchar('\n');
        }
    for (const cli_example *e = c->examples; e != NULL && e->line != NULL; e++) {
        print_roff_lines(".PP\n.nf", e->line);
        print_roff_lines(".fi", e->what);
    }
}

static void print_man(void)
{
    printf(".TH RUGOSE 1 \"\" \"rugose %s\" \"User Commands\"\n.SH NAME\nrugose \\- "
           "roughness of images and volumes\n.SH SYNOPSIS\n.B rugose\n.I "
           "COMMAND\n[options] FILE...\n",
           rug_version());
    print_roff_lines(".SH DESCRIPTION",
                     "Measures fractal dimension, texture and self-similarity of "
                     "images and volumes. Results go to standard output, what was read "
                     "and warnings to standard error.");
    for (size_t i = 0; i < cli_n_commands; i++)
        print_man_command(cli_commands[i]);
    printf(".SH COMMON OPTIONS\n");
    for (size_t i = 0; i < cli_n_common_options; i++) {
        char head[160];
        format_option(head, sizeof head, &cli_common_options[i]);
        print_roff_lines(".TP\n.B", head);
        print_roff(cli_common_options[i].help);
        putchar('\n');
    }
    print_roff_lines(".SH EXIT STATUS",
                     "0: all done. 1: some input failed; each is named and the others "
                     "were done. 2: the command line is wrong.");
}

/* Shell words for an option's values, when they are known. */
static void print_choices_case(const cli_option *o)
{
    if (o->kind != CLI_CHOICE)
        return;
    printf("        --%s", o->name);
    if (o->letter != 0)
        printf("|-%c", o->letter);
    printf(") COMPREPLY=($(compgen -W \"");
    for (const char *p = o->choices; *p != '\0'; p++)
        putchar(*p == '|' ? ' ' : *p);
    printf("\" -- \"$word\")); return ;;\n");
}

static void print_completion_command(const cli_command *c)
{
    cli_option_set sets[3];
    size_t n_sets = sets_of(c, sets);
    printf("    %s)\n        options=\"", c->name);
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = 0; i < sets[s].n; i++)
            if (!is_replaced(c, &sets[s], &sets[s].options[i]))
                printf("--%s ", sets[s].options[i].name);
    printf("\"\n        case \"$before\" in\n");
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = 0; i < sets[s].n; i++)
            print_choices_case(&sets[s].options[i]);
    printf("        esac ;;\n");
}

static void print_completion(void)
{
    printf(
        "# bash completion for rugose; made by 'rugose help --completion'\n_rugose() {\n"
        "    local word=\"${COMP_WORDS[COMP_CWORD]}\" "
        "before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
        "    local options=\"\" commands=\"");
    for (size_t i = 0; i < cli_n_commands; i++)
        printf("%s ", cli_commands[i]->name);
    printf(
        "\"\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "        COMPREPLY=($(compgen -W \"$commands\" -- \"$word\")); return\n    fi\n"
        "    case \"${COMP_WORDS[1]}\" in\n");
    for (size_t i = 0; i < cli_n_commands; i++)
        print_completion_command(cli_commands[i]);
    printf("    esac\n    [ \"${COMP_WORDS[1]}\" = help ] && [[ \"$word\" != -* ]] &&\n"
           "        { COMPREPLY=($(compgen -W \"$commands\" -- \"$word\")); return; }\n"
           "    case \"$word\" in\n"
           "        -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
           "        *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n    esac\n}\n"
           "complete -o filenames -F _rugose rugose\n");
}

typedef struct help_values {
    int man, completion, help;
} help_values;

static const cli_option help_options[] = {
    {.name = "man",
     .kind = CLI_FLAG,
     .target = offsetof(help_values, man),
     .help = "print the manual page (roff)"},
    {.name = "completion",
     .kind = CLI_FLAG,
     .target = offsetof(help_values, completion),
     .help = "print the bash completion script"},
    {.name = "help",
     .letter = 'h',
     .kind = CLI_FLAG,
     .target = offsetof(help_values, help),
     .help = "explain this command"},
};

static int run_help(int argc, char **argv)
{
    help_values values = {0};
    cli_option_set set = {"Options", help_options,
                          sizeof help_options / sizeof help_options[0], &values};
    cli_operands operands;
    char error[CLI_ERROR_MAX];
    if (cli_parse(argc, argv, &set, 1, &operands, error) != 0)
        return cli_usage_error(&cli_help, error);
    if (operands.n + (size_t)(values.man + values.completion + values.help) > 1)
        return cli_usage_error(&cli_help, "more than one thing is asked for");
    if (values.help)
        cli_print_help(&cli_help);
    else if (values.man)
        print_man();
    else if (values.completion)
        print_completion();
    else if (operands.n == 0)
        print_overview();
    for (size_t i = 0; i < cli_n_commands && operands.n == 1; i++)
        if (strcmp(operands.items[0], cli_commands[i]->name) == 0) {
            cli_print_help(cli_commands[i]);
            return CLI_OK;
        }
    if (operands.n == 1) {
        snprintf(error, sizeof error, "unknown command '%s'", operands.items[0]);
        return cli_usage_error(&cli_help, error);
    }
    return CLI_OK;
}

const cli_command cli_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .summary = "explain rugose or one command",
    .text = "Without a command: the list of commands.",
    .options = help_options,
    .n_options = sizeof help_options / sizeof help_options[0],
    .run = run_help,
};
