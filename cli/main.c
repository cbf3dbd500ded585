/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The program: knows the commands, finds the one that is asked for and runs it. */

#include "shared/cli.h"
#include "team/team.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const cli_command *const commands[] = {
    &cli_boxcount, &cli_multifractal, &cli_lacunarity,
    &cli_lbp,      &cli_train,        &cli_classify,
    &cli_haralick, &cli_compress,     &cli_decompress,
    &cli_upscale,  &cli_ifs,          &cli_compare,
    &cli_merge,    &cli_info,         &cli_devices,
    &cli_version,  &cli_help,         NULL,
};

static const cli_command *find_command(const char *word)
{
    if (strcmp(word, "--version") == 0)
        return &cli_version;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return &cli_help;
    return cli_find_command(commands, word);
}

static void go_on(int signal)
{
    (void)signal;
}

/* Writing to a pipe that nobody reads, or above the limit of a file's size, then fails as other
 * writing does, and what was half written goes away. Programs that this one starts get the usual
 * signals, as they would not if these were ignored. */
static void take_write_errors(void)
{
    struct sigaction action = {.sa_handler = go_on};
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
}

/* Only a run over inputs is for all processes of a team. */
static int run_words(int argc, char **argv)
{
    if (argc < 2) {
        cli_print(stderr, "rugose: no command is given; see 'rugose help'\n");
        return CLI_USAGE;
    }
    const cli_command *command = find_command(argv[1]);
    if (command == NULL)
        return cli_unknown_command(commands, argv[1]);
    if (cli_is_helper() && !command->takes_images && command->takes_files == NULL)
        return CLI_OK;
    int status = command == &cli_help    ? cli_run_help(commands, argc - 2, argv + 2)
                 : command == &cli_merge ? cli_run_merge(commands, argc - 2, argv + 2)
                                         : command->run(argc - 2, argv + 2);
    if (status == CLI_OK && (fflush(stdout) != 0 || ferror(stdout))) {
        if (cli_is_reader_gone())
            return CLI_UNREAD;
        cli_print(stderr, "rugose: cannot write standard output: %s\n", strerror(errno));
        return CLI_FAILED;
    }
    return status;
}

/* A helper that did not come to its inputs, when process 0 did, ends the job. */
int main(int argc, char **argv)
{
    take_write_errors();
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ); /* whole lines at a time */
    const char *problem = cli_join_team();
    if (problem != NULL) {
        cli_print(stderr, "rugose: %s\n", problem);
        return CLI_FAILED;
    }
    int is_helper = cli_is_helper(), status = run_words(argc, argv);
    if (cli_leave_team() != 0) {
        cli_print(
            cli_own_team.err,
            "rugose: process %d could not begin what process 0 does: try the command "
            "on its machine alone\n",
            cli_own_team.carrier->rank);
        cli_own_team.carrier->abort(CLI_FAILED);
    }
    return is_helper ? CLI_OK : status;
}
