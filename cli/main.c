/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The program: knows the commands, finds the one that is asked for and runs it. */

#include "shared/cli.h"
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

int main(int argc, char **argv)
{
    take_write_errors();
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ); /* whole lines at a time */
    if (argc < 2) {
        cli_print(stderr, "rugose: no command is given; see 'rugose help'\n");
        return CLI_USAGE;
    }
    const cli_command *command = find_command(argv[1]);
    if (command == NULL)
        return cli_unknown_command(commands, argv[1]);
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
