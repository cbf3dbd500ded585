/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lines on stderr that every command over images prints alike. */

#include "cli.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void cli_print_line(cli_run *run, char *line)
{
    cli_clear_progress(run);
    if (line != NULL)
        fprintf(stderr, "%s\n", line);
    free(line);
}

void cli_print_device_times(const cli_run *run)
{
    rug_device_times t;
    rug_devices_take_times(run->ctx, &t);
    if (t.n_kernels > 0)
        fprintf(stderr,
                ", device: upload %.3f ms of %.1f MB, %" PRIu64
                " kernels %.3f ms, download %.3f ms",
                t.upload_seconds * 1e3, (double)t.upload_bytes * 1e-6, t.n_kernels,
                t.kernel_seconds * 1e3, t.download_seconds * 1e3);
}
