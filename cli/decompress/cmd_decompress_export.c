/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The transforms of a stream as text, one a line. */

#include "cmd_decompress.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static rug_status write_transform(void *user, const rug_ifs_transform *t)
{
    FILE *out = user;
    char s[RUG_REAL_TEXT_MAX], mean[RUG_REAL_TEXT_MAX];
    rug_format_real(s, t->s);
    rug_format_real(mean, t->mean);
    fprintf(out, "%u\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32, t->plane, t->range_x,
            t->range_y, t->size);
    if (t->has_domain)
        fprintf(out, "\t%" PRIu32 "\t%" PRIu32 "\t%u", t->domain_x, t->domain_y,
                t->symmetry);
    else
        fputs("\tnan\tnan\tnan", out);
    fprintf(out, "\t%s\t%s\n", s, mean);
    return ferror(out) ? RUG_E_IO : RUG_OK;
}

rug_status cli_decompress_export(cli_run *run, cli_decompress_job *job,
                                 const cli_stream *stream)
{
    static const char head[] = "plane\trange_x\trange_y\tsize\tdomain_x\tdomain_y\t"
                               "symmetry\ts\tmean\n";
    char path[CLI_PATH_MAX];
    rug_output *output;
    if (job->values.export_ascii == NULL)
        return RUG_OK;
    rug_status status = cli_claim_result(run, &job->outputs, path, "export-ascii",
                                         job->values.export_ascii, stream->path);
    if (status == RUG_OK)
        status = rug_output_open(run->ctx, &output, path);
    if (status != RUG_OK)
        return status;
    FILE *out = rug_output_stream(output);
    errno = 0;
    fputs(head, out);
    status = rug_ifs_read_transforms(run->ctx, stream->bytes, stream->size,
                                     job->options.pixels_max, write_transform, out);
    if (status == RUG_OK)
        return rug_output_commit(run->ctx, output);
    if (ferror(out))
        status = rug_context_fail(run->ctx, RUG_E_IO, "cannot write %s: %s", path,
                                  strerror(errno));
    rug_output_discard(output);
    return status;
}
