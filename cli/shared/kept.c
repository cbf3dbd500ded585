/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What came of an input that a worker did, kept until it is its turn. As bytes it goes to a process of
 * the same program on a machine of the same kind, so numbers are those of memory. */

#include "tables/record_bytes.h"
#include "workers.h"
#include <stdlib.h>
#include <string.h>

#define N_REPORTS 4

static void list_reports(cli_run *run, cli_report **reports[N_REPORTS])
{
    reports[0] = &run->report;
    reports[1] = &run->second;
    reports[2] = &run->third;
    reports[3] = &run->html;
}

/* Its reports are for rows that will be moved to those of the run that it is made from. */
int cli_keep(cli_kept *k)
{
    static const char *const none[] = {NULL};
    cli_run *run = &k->run;
    cli_report **reports[N_REPORTS];
    run->err = open_memstream(&k->text, &k->n_text);
    int is_kept = run->err != NULL;
    list_reports(run, reports);
    for (int i = 0; i < N_REPORTS; i++) {
        if (*reports[i] == NULL)
            continue;
        *reports[i] = cli_report_new(none);
        is_kept &= *reports[i] != NULL;
    }
    if (run->report != NULL)
        cli_report_share(run->report, run->html);
    return is_kept;
}

static void take_failures(cli_run *whole, cli_run *run)
{
    size_t n = whole->n_told + run->n_told;
    whole->n_failures += run->n_failures;
    char **more = run->n_told > 0 ? realloc(whole->failures, n * sizeof *more) : NULL;
    if (more == NULL)
        return;
    whole->failures = more;
    memcpy(more + whole->n_told, run->failures, run->n_told * sizeof *run->failures);
    whole->n_told = n;
    run->n_told = 0;
}

void cli_put_kept(cli_run *whole, cli_kept *k)
{
    cli_report **to[N_REPORTS], **from[N_REPORTS];
    if (k->n_text > 0) {
        cli_clear_progress(whole);
        cli_print_kept(whole, &k->run, k->text, k->n_text);
    }
    list_reports(whole, to);
    list_reports(&k->run, from);
    for (int i = 0; i < N_REPORTS; i++)
        if (*to[i] != NULL && *from[i] != NULL)
            cli_report_take(*to[i], *from[i]);
    take_failures(whole, &k->run);
    if (k->is_cut) {
        const char *path = whole->inputs[whole->input].path;
        rug_context_fail(whole->ctx, RUG_E_NOMEM, "%s: no memory for messages", path);
        cli_fail(whole, rug_context_error(whole->ctx));
    }
}

void cli_free_kept(cli_kept *k)
{
    cli_report **reports[N_REPORTS];
    for (size_t i = 0; i < k->run.n_told; i++)
        free(k->run.failures[i]);
    free(k->run.failures);
    free(k->run.warned);
    list_reports(&k->run, reports);
    for (int i = 0; i < N_REPORTS; i++)
        cli_report_free(*reports[i]);
    free(k->text);
    memset(k, 0, sizeof *k);
}

/* ---- As bytes ---- */

/* What has a fixed size. */
typedef struct head {
    uint64_t input;
    int is_left, is_cut, page, n_pages;
    size_t n_text, n_warned, n_told, n_failures;
} head;

char *cli_save_kept(const cli_kept *k, size_t *n)
{
    cli_run run = k->run;
    head h = {.input = run.input,
              .is_left = run.is_left,
              .is_cut = k->is_cut,
              .page = run.page,
              .n_pages = run.n_pages,
              .n_text = k->n_text,
              .n_warned = run.n_warned,
              .n_told = run.n_told,
              .n_failures = run.n_failures};
    cli_report **reports[N_REPORTS];
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, n);
    if (out == NULL)
        return NULL;
    fwrite(&h, sizeof h, 1, out);
    fwrite(k->text, 1, k->n_text, out);
    fwrite(run.warned, sizeof *run.warned, run.n_warned, out);
    for (size_t i = 0; i < run.n_told; i++)
        fwrite(run.failures[i], 1, strlen(run.failures[i]) + 1, out);
    list_reports(&run, reports);
    for (int i = 0; i < N_REPORTS; i++)
        if (*reports[i] != NULL)
            cli_report_save(out, *reports[i]);
    int is_whole = run.aside == NULL || run.aside->save(out, &run, run.aside->user);
    if (rugi_close_text(out, &bytes) && is_whole)
        return bytes;
    free(bytes);
    return NULL;
}

/* Memory with the next bytes. @return NULL: there are none, or no memory, or too few bytes */
static void *take_block(cli_bytes *from, size_t n)
{
    void *block = n > 0 ? malloc(n) : NULL;
    if (block != NULL)
        cli_take_bytes(from, block, n);
    from->is_short |= n > 0 && block == NULL;
    return block;
}

static void load_failures(cli_run *run, cli_bytes *from, size_t n)
{
    run->failures = n > 0 ? calloc(n, sizeof *run->failures) : NULL;
    from->is_short |= n > 0 && run->failures == NULL;
    while (run->n_told < n && !from->is_short) {
        const unsigned char *end = memchr(from->at, '\0', (size_t)(from->end - from->at));
        size_t size = end != NULL ? (size_t)(end - from->at) + 1 : 0;
        run->failures[run->n_told] = take_block(from, size);
        from->is_short |= run->failures[run->n_told] == NULL;
        run->n_told += !from->is_short;
    }
}

int cli_load_kept(cli_kept *k, const cli_run *model, const void *bytes, size_t n)
{
    cli_bytes from = {.at = bytes, .end = (const unsigned char *)bytes + n};
    cli_run *run = &k->run;
    cli_report **reports[N_REPORTS];
    head h;
    cli_take_bytes(&from, &h, sizeof h);
    *run = *model;
    run->input = (size_t)h.input;
    from.is_short |= !cli_keep(k);
    cli_end_kept(k);
    free(k->text);
    k->text = take_block(&from, h.n_text);
    k->n_text = k->text != NULL ? h.n_text : 0;
    k->is_cut = h.is_cut;
    run->is_left = h.is_left;
    run->page = h.page;
    run->n_pages = h.n_pages;
    run->warned = take_block(&from, h.n_warned * sizeof *run->warned);
    run->n_warned = run->warned != NULL ? h.n_warned : 0;
    load_failures(run, &from, h.n_told);
    run->n_failures = h.n_failures;
    list_reports(run, reports);
    for (int i = 0; i < N_REPORTS; i++)
        if (*reports[i] != NULL)
            cli_report_load(*reports[i], &from);
    if (run->aside != NULL)
        run->aside->load(run, &from, run->aside->user);
    return !from.is_short;
}
