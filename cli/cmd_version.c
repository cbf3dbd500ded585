/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose version: the version, and what this build and this machine can do. */

#include "shared/cli.h"
#include <stdio.h>

typedef struct version_values {
    int help;
} version_values;

static const cli_option options[] = {
    {.name = "help",
     .letter = 'h',
     .kind = CLI_FLAG,
     .target = offsetof(version_values, help),
     .help = "explain this command"},
};

static void print_version(rug_context *ctx)
{
    printf("rugose %s\n", rug_version());
    printf("compiler: %s\n", __VERSION__);
    printf("processor level: %s, %d threads\n",
           rug_cpu_level_name(rug_context_cpu_level(ctx)), rug_context_threads(ctx));
    printf("engines: cpu%s\n",
           rug_devices_built_in() ? ", opencl" : " (built without OpenCL)");
    for (const char *const *format = rug_file_formats(); *format != NULL; format++)
        printf("reads: %s\n", *format);
}

static int run_version(int argc, char **argv)
{
    version_values values = {0};
    cli_option_set set = {"Options", options, sizeof options / sizeof options[0],
                          &values};
    cli_operands operands;
    char error[CLI_ERROR_MAX];
    if (cli_parse(argc, argv, &set, 1, &operands, error) != 0)
        return cli_usage_error(&cli_version, error);
    if (operands.n > 0)
        return cli_usage_error(&cli_version, "no operands expected");
    if (values.help) {
        cli_print_help(&cli_version);
        return CLI_OK;
    }
    rug_context *ctx;
    if (rug_context_new(&ctx) != RUG_OK)
        return CLI_FAILED;
    print_version(ctx);
    rug_context_free(ctx);
    return CLI_OK;
}

const cli_command cli_version = {
    .name = "version",
    .operands = "",
    .summary = "the version and what this build can do",
    .text = "Prints the version, the compiler, the processor level that is used, the "
            "engines and the file formats.",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .run = run_version,
};
