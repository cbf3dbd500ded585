/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose devices: the OpenCL devices of this machine, as --device names them. */

#include "shared/cli.h"
#include <stdio.h>
#include <string.h>

typedef struct devices_values {
    int format; /* cli_report_format; -1: not given */
    const char *output;
    int help;
} devices_values;

static const cli_option options[] = {
    CLI_FORMAT_OPTION(devices_values),
    CLI_OUTPUT_OPTION(devices_values),
    CLI_HELP_OPTION(devices_values),
};

static const char *const columns[] = {
    "index",        "name",      "platform",       "type",
    "auto",         "memory",    "max_allocation", "compute_units",
    "local_memory", "clock_mhz", "fp64",           "driver",
    "version",      NULL};

static const cli_example examples[] = {
    {"rugose devices", "the devices that --device opencl:N can name"},
    {"rugose devices -f json", "the same for programs, with the reason if there is none"},
    {NULL, NULL},
};

static void add_device(cli_report *report, const rug_device *d, size_t index)
{
    cli_record *row = cli_record_new();
    cli_record_set_integer(row, "index", index);
    cli_record_set_text(row, "name", d->name);
    cli_record_set_text(row, "platform", d->platform);
    cli_record_set_text(row, "type", rug_device_type_name(d->type));
    cli_record_set_text(row, "auto", d->is_auto ? "yes" : "no");
    cli_record_set_integer(row, "memory", d->memory);
    cli_record_set_integer(row, "max_allocation", d->max_allocation);
    cli_record_set_integer(row, "compute_units", d->compute_units);
    cli_record_set_integer(row, "local_memory", d->local_memory);
    cli_record_set_integer(row, "clock_mhz", d->clock_mhz);
    cli_record_set_text(row, "fp64", d->has_fp64 ? "yes" : "no");
    cli_record_set_text(row, "driver", d->driver);
    cli_record_set_text(row, "version", d->version);
    cli_record_set_bool(row, "usable", d->is_usable);
    cli_report_add(report, row);
}

/* A line for people says why the table is empty; JSON holds it too. */
static rug_status write_devices(rug_context *ctx, const devices_values *v,
                                cli_report_format format)
{
    rug_devices *devices;
    rug_status status = rug_devices_list(ctx, &devices);
    if (status != RUG_OK)
        return status;
    cli_report *report = cli_report_new(columns);
    cli_record *head = cli_report_head(report);
    cli_record_set_text(head, "program", "rugose");
    cli_record_set_text(head, "version", rug_version());
    cli_record_set_text(head, "command", "devices");
    cli_record_set_bool(head, "built_in", rug_devices_built_in());
    cli_record_set_text(head, "reason", rug_devices_reason(devices));
    for (size_t i = 0; i < rug_devices_count(devices); i++)
        add_device(report, rug_devices_at(devices, i), i);
    if (rug_devices_count(devices) == 0)
        cli_print(stderr, "rugose: %s\n", rug_devices_reason(devices));
    const char *path = v->output;
    if (path != NULL && strcmp(path, "-") == 0)
        path = NULL;
    status = cli_report_write(ctx, report, path, format);
    cli_report_free(report);
    rug_devices_free(devices);
    return status;
}

static int list_devices(rug_context *ctx, const devices_values *v)
{
    cli_report_format format = CLI_REPORT_TEXT;
    if (v->format >= 0)
        format = (cli_report_format)v->format;
    else if (v->output != NULL && strcmp(v->output, "-") != 0 &&
             cli_report_format_of(ctx, &format, v->output) != RUG_OK)
        return cli_usage_error(&cli_devices, rug_context_error(ctx));
    if (write_devices(ctx, v, format) == RUG_OK)
        return CLI_OK;
    if (v->output == NULL && cli_is_reader_gone())
        return CLI_UNREAD;
    cli_print(stderr, "rugose: %s\n", rug_context_error(ctx));
    return CLI_FAILED;
}

static int run_devices(int argc, char **argv)
{
    devices_values values = {.format = -1};
    int exit;
    if (!cli_start_simple(&cli_devices, argc, argv, &values, &values.help, &exit))
        return exit;
    rug_context *ctx = cli_new_context();
    if (ctx == NULL)
        return CLI_FAILED;
    int status = list_devices(ctx, &values);
    rug_context_free(ctx);
    return status;
}

const cli_command cli_devices = {
    .name = "devices",
    .operands = "",
    .summary = "the OpenCL devices of this machine",
    .also = "gpu|opencl",
    .text =
        "Lists the OpenCL devices that --device opencl:N can name; N is the index. "
        "--device opencl uses the device whose column `auto` says yes, the first GPU with "
        "OpenCL 1.2, a compiler and 1 GiB of memory; if there is none, the first device. "
        "--device auto may use that GPU for work on which a GPU is known to be faster; so "
        "far there is no such work, and auto always uses the processor. Memory is in "
        "bytes. If there is no device, the table is empty, a line on standard error says "
        "why, and the exit status is 0.",
    CLI_OPTIONS(options),
    .examples = examples,
    .run = run_devices,
};
