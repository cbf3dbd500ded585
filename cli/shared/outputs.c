/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Names of files that are written for each image. */

#include "cli.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The image's name without folders and ending. */
static void short_name(char *out, size_t size, const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(out, size, "%s", slash != NULL ? slash + 1 : path);
    char *dot = strrchr(out, '.');
    if (dot != NULL && dot != out && strchr(dot, '[') == NULL)
        *dot = '\0';
}

int cli_expand_name(char path[CLI_PATH_MAX], const char *asked, const char *image,
                    const char *suffix)
{
    char name[CLI_PATH_MAX];
    const char *braces = strstr(asked, "{}");
    short_name(name, sizeof name, image);
    int n = braces == NULL
                ? snprintf(path, CLI_PATH_MAX, "%s", asked)
                : snprintf(path, CLI_PATH_MAX, "%.*s%s%s%s", (int)(braces - asked), asked,
                           name, suffix, braces + 2);
    return n >= 0 && n < CLI_PATH_MAX ? 0 : -1;
}

const char *cli_check_map_name(const cli_run *run, const char *name, int is_several)
{
    const char *dot = strrchr(name, '.'), *page = run->reading.page;
    if (dot == NULL || (strcasecmp(dot, ".tif") != 0 && strcasecmp(dot, ".tiff") != 0))
        return "--map: a name that ends in .tif or .tiff expected";
    is_several |= run->n_inputs > 1 || (page != NULL && strcmp(page, "all") == 0);
    if (strstr(name, "{}") == NULL && is_several)
        return "--map: several maps need '{}' in the name, such as 'map-{}.tif'";
    if (run->common.output != NULL && cli_same_path(name, run->common.output))
        return "--map and --output name the same file";
    return cli_is_input(run, name) ? "--map: the file is an input" : NULL;
}

const char *cli_check_plot_name(const cli_run *run, const char *name, int is_several)
{
    const char *page = run->reading.page;
    if (name == NULL)
        return NULL;
    if (rug_plot_check_name(run->ctx, name) != RUG_OK)
        return rug_context_error(run->ctx);
    is_several |= run->n_inputs > 1 || (page != NULL && strcmp(page, "all") == 0);
    if (strstr(name, "{}") == NULL && is_several)
        return "--plot: several images or labels need '{}' in the name, such as "
               "'plot-{}.svg'";
    return cli_is_input(run, name) ? "--plot: the file is an input" : NULL;
}

static const char *refuse(cli_run *run, const char *option, const char *why)
{
    rug_context_fail(run->ctx, RUG_E_ARG, "--%s%s", option, why);
    return rug_context_error(run->ctx);
}

const char *cli_check_second_report(cli_run *run, const char *option, const char *path)
{
    const char *output = run->common.output != NULL ? run->common.output : "-";
    int is_stdout = path != NULL && strcmp(path, "-") == 0;
    rug_report_format format;
    if (path == NULL)
        return NULL;
    if (cli_is_input(run, path))
        return refuse(run, option, ": the file is an input");
    if (!is_stdout && rug_report_format_of(run->ctx, &format, path) != RUG_OK)
        return rug_context_error(run->ctx);
    if (!cli_same_path(path, output))
        return NULL;
    if (!is_stdout)
        return refuse(run, option, " and --output name the same file");
    return run->common.format == RUG_REPORT_TEXT
               ? NULL
               : refuse(run, option,
                        " -: the results go to standard output already; give --output or "
                        "a file");
}

rug_status cli_claim_output(cli_run *run, cli_outputs *outputs, const char *option,
                            const char *path)
{
    if (cli_is_input(run, path))
        return rug_context_fail(run->ctx, RUG_E_ARG, "--%s: %s is an input", option,
                                path);
    if (run->common.output != NULL && cli_same_path(path, run->common.output))
        return rug_context_fail(run->ctx, RUG_E_ARG, "--%s: %s is the --output", option,
                                path);
    for (size_t i = 0; i < outputs->n; i++)
        if (strcmp(outputs->items[i], path) == 0)
            return rug_context_fail(run->ctx, RUG_E_ARG,
                                    "--%s: %s is an output of this run already", option,
                                    path);
    char **more = realloc(outputs->items, (outputs->n + 1) * sizeof *more);
    if (more == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "--%s: memory is out", option);
    outputs->items = more;
    more[outputs->n] = strdup(path);
    if (more[outputs->n] == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "--%s: memory is out", option);
    outputs->n++;
    return RUG_OK;
}

rug_status cli_claim_plot(cli_run *run, cli_outputs *outputs, char path[CLI_PATH_MAX],
                          const char *asked, const char *image)
{
    if (cli_expand_name(path, asked, image, "") != 0)
        return rug_context_fail(run->ctx, RUG_E_ARG, "--plot: the name is too long");
    return cli_claim_output(run, outputs, "plot", path);
}

void cli_free_outputs(cli_outputs *outputs)
{
    for (size_t i = 0; i < outputs->n; i++)
        free(outputs->items[i]);
    free(outputs->items);
}
