/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose version: the version, and what this build and this machine can do. */

#include "shared/cli.h"
#include <stdio.h>

typedef struct version_values {
    int help;
} version_values;

static const cli_option options[] = {CLI_HELP_OPTION(version_values)};

static void print_version(rug_context *ctx)
{
    printf("rugose %s\n", rug_version());
    printf("compiler: %s\n", __VERSION__);
    printf("processor level: %s, %d threads\n",
           rug_cpu_level_name(rug_context_cpu_level(ctx)), rug_context_threads(ctx));
    printf("engines: cpu%s\n",
           rug_devices_built_in() ? ", opencl" : " (built without OpenCL)");
    printf(cli_page.behind != NULL ? "reports: HTML, with %s\n"
                                   : "reports: none (built without %s)\n",
           cli_page.libraries);
    for (const char *const *format = rug_file_formats(); *format != NULL; format++)
        printf("reads: %s\n", *format);
}

static int run_version(int argc, char **argv)
{
    version_values values = {0};
    int exit;
    if (!cli_start_simple(&cli_version, argc, argv, &values, &values.help, &exit))
        return exit;
    rug_context *ctx = cli_new_context();
    if (ctx == NULL)
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
    CLI_OPTIONS(options),
    .run = run_version,
};
