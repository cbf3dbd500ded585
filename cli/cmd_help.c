/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose help: the overview, the manual page and the shell completion, made from the option
 * tables of all commands. */

#include "shared/cli.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct {
    int status;
    const char *meaning;
} statuses[] = {
    {CLI_OK, "Everything was done."},
    {CLI_FAILED, "Some input failed; it is named, and the others were done."},
    {CLI_USAGE, "The command line is wrong; nothing was done."},
    {CLI_HUNG_UP, "The run was ended by SIGHUP (not under nohup); as with 130."},
    {CLI_INTERRUPTED,
     "The run was interrupted (SIGINT or SIGTERM); --resume goes on from NAME.part."},
    {CLI_UNREAD, "Whoever read standard output has left; nothing is said."},
};
#define N_STATUSES (sizeof statuses / sizeof statuses[0])

static void print_overview(const cli_command *const *commands)
{
    printf(
        "rugose measures the roughness of images and volumes.\n\nUsage: rugose COMMAND "
        "[options] FILE...\n\nCommands:\n");
    for (; *commands != NULL; commands++)
        printf("  %-14s%s\n", (*commands)->name, (*commands)->summary);
    printf("\n'rugose help COMMAND' explains a command.\n\nExit status:\n");
    for (size_t i = 0; i < N_STATUSES; i++)
        printf("  %-5d%s\n", statuses[i].status, statuses[i].meaning);
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

static void print_man_option(const cli_option *o)
{
    char head[CLI_OPTION_MAX];
    cli_format_option(head, o);
    print_roff_lines(".TP\n.B", head);
    print_roff(o->help);
    putchar('\n');
}

static void print_man_command(const cli_command *c)
{
    const char *title;
    const cli_option *o;
    printf(".SH RUGOSE ");
    for (const char *p = c->name; *p != '\0'; p++)
        putchar(toupper((unsigned char)*p));
    printf("\n.B rugose %s\n[options]%s", c->name, *c->operands != '\0' ? " " : "");
    print_roff(c->operands);
    print_roff_lines("\n.PP", c->text);
    for (size_t i = 0; (o = cli_option_at(c, i, &title)) != NULL; i++)
        if (strcmp(title, "Common") != 0)
            print_man_option(o);
}

/* The options that all commands share, from one of them. */
static void print_man_common(const cli_command *c)
{
    const char *title;
    const cli_option *o;
    printf(".SH COMMON OPTIONS\n");
    for (size_t i = 0; (o = cli_option_at(c, i, &title)) != NULL; i++)
        if (strcmp(title, "Common") == 0)
            print_man_option(o);
}

static void print_man_examples(const cli_command *const *commands)
{
    const char *begin = ".nf"; /* a section begins a paragraph itself */
    for (; *commands != NULL; commands++)
        for (const cli_example *e = (*commands)->examples; e != NULL && e->line != NULL;
             e++) {
            print_roff_lines(begin, e->line);
            print_roff_lines(".fi", e->what);
            begin = ".PP\n.nf";
        }
}

static void print_man(const cli_command *const *commands)
{
    printf(".TH RUGOSE 1 \"\" \"rugose %s\" \"User Commands\"\n.SH NAME\nrugose \\- "
           "roughness of images and volumes\n.SH SYNOPSIS\n.B rugose\n.I "
           "COMMAND\n[options] FILE...\n",
           rug_version());
    print_roff_lines(".SH DESCRIPTION",
                     "Measures fractal dimension, texture and self-similarity of "
                     "images and volumes. Results go to standard output; what was read, "
                     "warnings and errors go to standard error.");
    for (size_t i = 0; commands[i] != NULL; i++)
        print_man_command(commands[i]);
    print_man_common(commands[0]);
    printf(".SH EXAMPLES\n");
    print_man_examples(commands);
    printf(".SH EXIT STATUS\n");
    for (size_t i = 0; i < N_STATUSES; i++)
        printf(".TP\n.B %d\n%s\n", statuses[i].status, statuses[i].meaning);
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
    const char *title;
    const cli_option *o;
    printf("    %s)\n        options=\"", c->name);
    for (size_t i = 0; (o = cli_option_at(c, i, &title)) != NULL; i++)
        printf("--%s ", o->name);
    printf("\"\n        case \"$before\" in\n");
    for (size_t i = 0; (o = cli_option_at(c, i, &title)) != NULL; i++)
        print_choices_case(o);
    printf("        esac ;;\n");
}

static void print_completion(const cli_command *const *commands)
{
    printf(
        "# bash completion for rugose; made by 'rugose help --completion'\n_rugose() {\n"
        "    local word=\"${COMP_WORDS[COMP_CWORD]}\" "
        "before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
        "    local options=\"\" commands=\"");
    for (size_t i = 0; commands[i] != NULL; i++)
        printf("%s ", commands[i]->name);
    printf(
        "\"\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "        COMPREPLY=($(compgen -W \"$commands\" -- \"$word\")); return\n    fi\n"
        "    case \"${COMP_WORDS[1]}\" in\n");
    for (size_t i = 0; commands[i] != NULL; i++)
        print_completion_command(commands[i]);
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
    {CLI_OPTION("man", CLI_FLAG, NULL, help_values, man),
     .help = "print the manual page (roff)"},
    {CLI_OPTION("completion", CLI_FLAG, NULL, help_values, completion),
     .help = "print the bash completion script"},
    CLI_HELP_OPTION(help_values),
};

int cli_run_help(const cli_command *const *commands, int argc, char **argv)
{
    help_values values = {0};
    cli_option_set set = {"Options", help_options,
                          sizeof help_options / sizeof help_options[0], &values};
    cli_words words;
    char error[CLI_ERROR_MAX];
    if (cli_parse(argc, argv, &set, 1, &words, error) != 0)
        return cli_usage_error(&cli_help, error);
    if (words.n_operands + (size_t)(values.man + values.completion + values.help) > 1)
        return cli_usage_error(&cli_help, "more than one topic is given");
    const char *name = words.n_operands == 1 ? words.operands[0] : NULL;
    const cli_command *command =
        name != NULL ? cli_find_command(commands, name) : &cli_help;
    if (command == NULL)
        return cli_unknown_command(commands, name);
    if (values.help || name != NULL)
        cli_print_help(command);
    else if (values.man)
        print_man(commands);
    else if (values.completion)
        print_completion(commands);
    else
        print_overview(commands);
    return CLI_OK;
}

const cli_command cli_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .summary = "explain rugose or one command",
    .text = "Without a command: the list of commands.",
    CLI_OPTIONS(help_options),
};
