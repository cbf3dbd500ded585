/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The transforms of a stream as text, each with its collage error where the image is given. */

#include "cmd_decompress.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What goes with the transforms of one stream. */
typedef struct exporting {
    cli_run *run;
    const cli_stream *stream;
    rug_file *original; /* NULL: none */
    FILE *out;
} exporting;

/* Pixels of a range that lie in the image, along one axis. */
static uint32_t n_inside(const rug_ifs_info *info, uint32_t first, uint32_t size,
                         uint32_t n)
{
    uint32_t n_whole = (n + info->range_max - 1) / info->range_max * info->range_max;
    uint32_t n_found = 0;
    for (uint32_t i = 0; i < size; i++)
        n_found += (first + i) % n_whole < n;
    return n_found;
}

static void write_error(const exporting *e, const rug_ifs_transform *t)
{
    const rug_ifs_info *info = &e->stream->info;
    char text[RUGI_REAL_TEXT_MAX];
    double n = (double)n_inside(info, t->range_x, t->size, info->nx) *
               n_inside(info, t->range_y, t->size, info->ny);
    rugi_format_real(text, sqrt(t->error / n));
    fprintf(e->out, "\t%s", text);
}

/* Whether a domain ends behind n pixels, continued to whole ranges. */
static int crosses_edge(uint32_t from, uint32_t size, uint32_t n)
{
    return from + 2 * size > (n + size - 1) / size * size;
}

static rug_status write_transform(void *user, const rug_ifs_transform *t)
{
    const exporting *e = user;
    const rug_ifs_info *info = &e->stream->info;
    char s[RUGI_REAL_TEXT_MAX], mean[RUGI_REAL_TEXT_MAX];
    rugi_format_real(s, t->s);
    rugi_format_real(mean, t->mean);
    fprintf(e->out, "%u\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32, t->plane, t->range_x,
            t->range_y, t->size);
    if (t->has_domain)
        fprintf(e->out, "\t%" PRIu32 "\t%" PRIu32 "\t%u", t->domain_x, t->domain_y,
                t->symmetry);
    else
        fputs("\tnan\tnan\tnan", e->out);
    fprintf(e->out, "\t%s\t%s\t%s", s, mean,
            !t->has_domain ? "nan"
            : info->domain_wrap && (crosses_edge(t->domain_x, t->size, info->nx) ||
                                    crosses_edge(t->domain_y, t->size, info->ny))
                ? "1"
                : "0");
    if (e->original != NULL)
        write_error(e, t);
    putc('\n', e->out);
    return ferror(e->out) ? RUG_E_IO : RUG_OK;
}

/* Opens the image that was coded, as compress does. */
static rug_status open_original(exporting *e, char digest[CLI_SHA256_TEXT_MAX],
                                const cli_decompress_values *v)
{
    cli_run *run = e->run;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    if (v->original == NULL)
        return RUG_OK;
    opts.channel = v->channel;
    opts.planes = v->channel < 0;
    opts.nodata_as = RUG_NODATA_AS_STORED;
    opts.as_stored = e->stream->notes.orientation > 1;
    rug_status status = cli_open_file(run, &e->original, v->original, &opts);
    if (status == RUG_OK)
        status = rug_file_load(run->ctx, e->original);
    if (status != RUG_OK)
        return status;
    const cli_image image = {.file = e->original,
                             .path = v->original,
                             .pixels = rug_file_image(e->original),
                             .facts = rug_file_get_facts(e->original)};
    cli_print_read(run, &image, NULL);
    return cli_digest(run, digest, v->original);
}

static rug_status write_transforms(exporting *e, uint64_t pixels_max)
{
    rug_image planes[RUG_IFS_PLANES_MAX];
    const cli_stream *s = e->stream;
    rug_context *ctx = e->run->ctx;
    fputs("plane\trange_x\trange_y\tsize\tdomain_x\tdomain_y\tsymmetry\ts\tmean\twraps",
          e->out);
    fputs(e->original != NULL ? "\tcollage_error\n" : "\n", e->out);
    if (e->original == NULL)
        return rug_ifs_read_transforms(ctx, s->bytes, s->size, pixels_max,
                                       write_transform, e);
    int n_planes = rug_file_get_facts(e->original)->n_planes;
    for (int i = 0; i < n_planes; i++)
        planes[i] = rug_file_plane(e->original, i);
    return rug_ifs_measure_transforms(ctx, s->bytes, s->size, pixels_max, planes,
                                      n_planes, write_transform, e);
}

/* Writes the transforms of a stream to a file that is claimed. */
static rug_status write_export(exporting *e, const char *path, uint64_t pixels_max)
{
    rugi_output *output;
    rug_context *ctx = e->run->ctx;
    rug_status status = rugi_output_open(ctx, &output, path);
    if (status != RUG_OK)
        return status;
    e->out = rugi_output_stream(output);
    errno = 0;
    status = write_transforms(e, pixels_max);
    if (status == RUG_OK)
        return rugi_output_commit(ctx, output);
    if (ferror(e->out))
        status =
            rug_context_fail(ctx, RUG_E_IO, "cannot write %s: %s", path, strerror(errno));
    rugi_output_discard(output);
    return status;
}

rug_status cli_export_transforms(cli_run *run, cli_decompress_job *job,
                                 char digest[CLI_SHA256_TEXT_MAX],
                                 const cli_stream *stream)
{
    char path[CLI_PATH_MAX];
    exporting e = {.run = run, .stream = stream};
    if (job->values.export_ascii == NULL)
        return RUG_OK;
    rug_status status = cli_claim(run, &job->outputs, path, "export-ascii",
                                  job->values.export_ascii, stream->path, "");
    if (status == RUG_OK)
        status = open_original(&e, digest, &job->values);
    if (status == RUG_OK)
        status = write_export(&e, path, job->options.pixels_max);
    rug_file_free(e.original);
    return status;
}
