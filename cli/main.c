/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The program: finds the command and runs it. */

#include "shared/cli.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

const cli_command *const cli_commands[] = {
    &cli_boxcount, &cli_multifractal, &cli_lacunarity, &cli_lbp,        &cli_train,
    &cli_classify, &cli_haralick,     &cli_compress,   &cli_decompress, &cli_upscale,
    &cli_compare,  &cli_info,         &cli_devices,    &cli_version,    &cli_help,
};
const size_t cli_n_commands = sizeof cli_commands / sizeof cli_commands[0];

static const cli_command *find_command(const char *word)
{
    if (strcmp(word, "--version") == 0)
        return &cli_version;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return &cli_help;
    for (size_t i = 0; i < cli_n_commands; i++)
        if (strcmp(cli_commands[i]->name, word) == 0)
            return cli_commands[i];
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "rugose: a command is missing; see 'rugose help'\n");
        return CLI_USAGE;
    }
    const cli_command *command = find_command(argv[1]);
    if (command == NULL) {
        fprintf(stderr, "rugose: unknown command '%s'; see 'rugose help'\n", argv[1]);
        return CLI_USAGE;
    }
    int status = command->run(argc - 2, argv + 2);
    if (status == CLI_OK && (fflush(stdout) != 0 || ferror(stdout))) {
        fprintf(stderr, "rugose: cannot write standard output: %s\n", strerror(errno));
        return CLI_FAILED;
    }
    return status;
}
