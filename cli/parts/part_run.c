/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One run of several: what it finds goes to a file, or comes from the files of all parts. */

#include "part_run.h"
#include "part_team.h"
#include "part_words.h"
#include "part_work.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static cli_part_run *run_of(const cli_run *run)
{
    return run->parts->user;
}

/* ---- Entries ---- */

/* Copies the numbers of parts into an entry that has none. */
static rug_status set_parts(cli_run *run, cli_part_entry *e, const uint32_t *parts,
                            size_t n)
{
    if (e->parts != NULL)
        return RUG_OK;
    e->parts = malloc(n * sizeof *e->parts);
    if (e->parts == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "no memory for a part");
    memcpy(e->parts, parts, n * sizeof *e->parts);
    e->n_parts = n;
    return RUG_OK;
}

/* Sets what an entry says of the image, and which parts it has. */
static rug_status describe(cli_part_work *work)
{
    const cli_part_run *p = run_of(work->run);
    cli_part_entry *e = &work->entry;
    const rug_source *source = &work->image->source;
    e->n_bytes = cli_file_bytes(work->image->path);
    e->dtype = source->dtype;
    e->ndim = source->ndim;
    memcpy(e->shape, source->shape, sizeof e->shape);
    return p->in.n_parts > 0 ? set_parts(work->run, e, p->in.parts, p->in.n_parts)
                             : set_parts(work->run, e, &work->run->parts->own, 1);
}

/* Keeps a state for the file. */
static rug_status keep(cli_part_work *work, const cli_state_kind *kind, const void *state)
{
    rug_context *ctx = work->run->ctx;
    uint8_t *bytes = NULL;
    size_t n = 0;
    rug_status status = describe(work);
    if (status == RUG_OK)
        status = kind->save(ctx, &bytes, &n, state);
    if (status == RUG_OK)
        status = cli_part_entry_add(ctx, &work->entry, kind->name, bytes, n);
    rug_context_release(ctx, bytes);
    return status;
}

/* What cannot be kept makes the file one that is not written. */
static void add_to_file(cli_run *run, const char *name, cli_part_entry *entry)
{
    cli_part_run *p = run_of(run);
    pthread_mutex_lock(&p->lock);
    rug_status status = cli_part_file_add(run->ctx, &p->out, run->input,
                                          (uint64_t)run->page, name, entry);
    p->is_lost |= status != RUG_OK;
    pthread_mutex_unlock(&p->lock);
}

/* ---- Images that were measured ---- */

/* Whether an entry is of the image that was opened. */
static rug_status check_entry(cli_run *run, const cli_image *image,
                              const cli_part_entry *e)
{
    const rug_source *s = &image->source;
    char given[CLI_SHAPE_MAX], expected[CLI_SHAPE_MAX];
    uint64_t shapes[2][RUG_MAX_AXES];
    int is_same = e->ndim == s->ndim;
    for (int a = 0; a < RUG_MAX_AXES; a++) {
        shapes[0][a] = s->shape[a];
        shapes[1][a] = e->shape[a];
        is_same &= a >= s->ndim || s->shape[a] == e->shape[a];
    }
    cli_format_shape(given, s->ndim, shapes[0]);
    cli_format_shape(expected, e->ndim, shapes[1]);
    if (!is_same)
        return rug_context_fail(run->ctx, RUG_E_FORMAT,
                                "image of %s given, %s expected: its parts were measured "
                                "from another file",
                                given, expected);
    const uint64_t n_bytes = cli_file_bytes(image->path);
    if (n_bytes != e->n_bytes)
        return rug_context_fail(run->ctx, RUG_E_FORMAT,
                                "file of %" PRIu64 " bytes given, of %" PRIu64
                                " expected: its parts were measured from another file",
                                n_bytes, e->n_bytes);
    return s->dtype != e->dtype
               ? rug_context_fail(run->ctx, RUG_E_FORMAT,
                                  "pixels of %s given, of %s expected: its parts were "
                                  "measured from another file",
                                  rug_dtype_name(s->dtype), rug_dtype_name(e->dtype))
               : RUG_OK;
}

/* Marks the parts of an entry by a number. @return how many were not marked before */
static size_t mark(uint8_t *marks, const cli_part_entry *e, uint8_t number)
{
    size_t n = 0;
    for (size_t i = 0; i < e->n_parts; i++) {
        n += marks[e->parts[i]] == 0;
        marks[e->parts[i]] = number;
    }
    return n;
}

/* How the parts of an image are marked. */
enum { ABSENT, FOUND, FAILED };

/* Tells in which parts an image failed. @param why  in the first of them */
static rug_status fail_in_parts(cli_run *run, const uint8_t *marks, uint32_t n,
                                const char *why)
{
    char text[CLI_PART_LIST_MAX];
    size_t n_parts = cli_part_list(text, marks, n, FAILED);
    return rug_context_fail(run->ctx, RUG_E_ARG, "%s (part%s %s of %" PRIu32 ")", why,
                            n_parts == 1 ? "" : "s", text, n);
}

static rug_status check_marks(cli_run *run, const cli_image *image,
                              const cli_part_image *found, uint8_t *marks)
{
    const cli_part_file *in = &run_of(run)->in;
    const char *failure = NULL;
    char text[CLI_PART_LIST_MAX];
    size_t n_found = 0;
    rug_status status = RUG_OK;
    if (found != NULL && strcmp(found->name, image->name) != 0)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "%s was measured in its place; the inputs have changed",
                                found->name);
    for (size_t i = 0; found != NULL && i < found->n_entries; i++) {
        const cli_part_entry *e = &found->entries[i];
        n_found += mark(marks, e, e->failure != NULL ? FAILED : FOUND);
        failure = failure != NULL ? failure : e->failure;
    }
    if (failure != NULL)
        return fail_in_parts(run, marks, in->n, failure);
    for (size_t i = 0; found != NULL && i < found->n_entries && status == RUG_OK; i++)
        status = check_entry(run, image, &found->entries[i]);
    if (status != RUG_OK || n_found == in->n_parts)
        return status;
    for (uint32_t i = 0, k = 0; i < in->n; i++) /* which may not be given at all */
        if (k == in->n_parts || in->parts[k] != i)
            marks[i] = FOUND;
        else
            k++;
    cli_part_list(text, marks, in->n, ABSENT);
    return rug_context_fail(run->ctx, RUG_E_ARG,
                            "it was not measured in part %s of %" PRIu32, text, in->n);
}

/* Checks that an image was measured in all parts that are there. */
static rug_status check_image(cli_run *run, const cli_image *image,
                              const cli_part_image *found)
{
    uint8_t *marks = calloc(run_of(run)->in.n, 1);
    if (marks == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "no memory for parts");
    rug_status status = check_marks(run, image, found, marks);
    free(marks);
    return status;
}

/* Joins the states of some kind that an image has.
 * @param state  gets them; NULL: begins as the first of them */
static rug_status join_entries(cli_run *run, const cli_part_image *found,
                               const cli_state_kind *kind, void **state)
{
    rug_status status = RUG_OK;
    for (size_t i = 0; i < found->n_entries && status == RUG_OK; i++) {
        const cli_part_entry *e = &found->entries[i];
        const cli_part_state *s = NULL;
        void *part = NULL;
        for (size_t k = 0; k < e->n_states; k++)
            if (strcmp(e->states[k].kind, kind->name) == 0)
                s = &e->states[k];
        status = s != NULL ? kind->load(run->ctx, &part, s->bytes, s->n)
                           : rug_context_fail(run->ctx, RUG_E_FORMAT,
                                              "one of its parts has no state of '%s'",
                                              kind->name);
        if (status == RUG_OK && *state != NULL) {
            status = kind->merge(run->ctx, *state, part);
            kind->free(part);
        } else if (status == RUG_OK) {
            *state = part;
        }
    }
    return status;
}

static cli_part_image *image_in(const cli_run *run, const cli_part_file *file)
{
    return cli_part_file_find(file, run->input, (uint64_t)run->page);
}

/* What was found of the whole image is known before it is measured. */
static rug_status put_found(cli_run *run, cli_image *image)
{
    cli_part_image *found = image_in(run, &run_of(run)->in);
    void *state = NULL;
    rug_status status = check_image(run, image, found);
    if (found != NULL)
        found->is_used = 1;
    if (status == RUG_OK)
        status = join_entries(run, found, &cli_found_kind, &state);
    if (status == RUG_OK && state != NULL) {
        const cli_found *all = state;
        cli_part_work *work = cli_part_work_of(image);
        work->has_rule = all->has_rule;
        work->rule = all->rule;
        cli_put_found(work, image, all);
    }
    if (state != NULL)
        cli_found_kind.free(state);
    return status;
}

/* ---- What cli_parts does ---- */

static rug_status open_image(cli_run *run, cli_image *image)
{
    rug_status status = cli_open_in_parts(run, image);
    return status == RUG_OK && run_of(run)->in.command != NULL ? put_found(run, image)
                                                               : status;
}

/* From the files that are merged, or that of --values, whose images are found by their names. */
static rug_status find_values(cli_run *run, const cli_image *image, rug_values **out)
{
    const cli_part_run *p = run_of(run);
    const cli_part_image *found = NULL;
    void *state = NULL;
    *out = NULL;
    if (p->in.command != NULL)
        found = image_in(run, &p->in);
    else if (p->values.command == NULL)
        return RUG_OK;
    else if (image->mask_path != NULL)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "--values: those of %s are of all pixels, but it has a "
                                "mask; leave out --values",
                                image->name);
    for (size_t i = 0; found == NULL && i < p->values.n_images; i++)
        if (strcmp(p->values.images[i].name, image->name) == 0)
            found = &p->values.images[i];
    if (found == NULL)
        return rug_context_fail(run->ctx, RUG_E_ARG, "--values: %s has no values of it",
                                p->values.path);
    rug_status status = RUG_OK;
    for (size_t i = 0; i < found->n_entries && status == RUG_OK; i++)
        status =
            found->entries[i].failure == NULL
                ? check_entry(run, image, &found->entries[i])
                : rug_context_fail(run->ctx, RUG_E_ARG, "%s", found->entries[i].failure);
    if (status == RUG_OK)
        status = join_entries(run, found, &cli_values_kind, &state);
    if (status == RUG_OK)
        *out = state;
    else if (state != NULL)
        rug_values_free(state);
    return status;
}

static rug_status join(cli_run *run, const cli_image *image, const cli_state_kind *kind,
                       rug_status status, int for_all, void **state)
{
    const cli_part_run *p = run_of(run);
    (void)for_all;
    if (status == RUG_OK && p->in.command != NULL)
        status = join_entries(run, image_in(run, &p->in), kind, state);
    if (status != RUG_OK || run->parts->has_rows || *state == NULL)
        return status;
    status = keep(cli_part_work_of(image), kind, *state);
    kind->free(*state);
    *state = NULL;
    return status;
}

/* Tells which layers were measured here. */
static void tell(cli_run *run, const cli_image *image)
{
    const size_t n_layers = image->source.shape[0];
    size_t first, end;
    cli_part_layers(&first, &end, n_layers, run->parts->own, run->parts->n);
    if (run->common.quiet || run->parts->own == run->parts->n)
        return;
    cli_clear_progress(run);
    cli_print(run->err, "part %s of %s: ", run->common.part, image->name);
    if (first == end)
        cli_print(run->err, "nothing, as it has %zu %s%s\n", n_layers,
                  image->source.ndim == 3 ? "slice" : "row", n_layers == 1 ? "" : "s");
    else
        cli_print(run->err, "%s %zu..%zu of %zu\n",
                  image->source.ndim == 3 ? "slices" : "rows", first, end - 1, n_layers);
}

/* What an image has goes to the file; also where only its range was asked for. */
static void close_image(cli_run *run, cli_image *image, rug_status status)
{
    cli_part_work *work = cli_part_work_of(image);
    int is_kept = work != NULL && work->entry.n_parts > 0;
    if (status == RUG_OK && is_kept && !run->parts->has_rows && !run->is_left) {
        tell(run, image);
        add_to_file(run, image->name, &work->entry);
    }
    cli_close_in_parts(image);
}

/* An image that failed here, or in one of the files that are merged again. */
static void fail(cli_run *run, const char *name, const char *text)
{
    cli_part_run *p = run_of(run);
    cli_part_entry e = {.parts = NULL};
    size_t n = strlen(name);
    cli_part_image *old = p->in.command != NULL ? image_in(run, &p->in) : NULL;
    if (old != NULL)
        old->is_used = 1;
    if (run->parts->has_rows)
        return;
    if (strncmp(text, name, n) == 0 && strncmp(text + n, ": ", 2) == 0)
        text += n + 2;
    if (old != NULL) {
        for (size_t i = 0; i < old->n_entries; i++)
            add_to_file(run, old->name, &old->entries[i]);
        return;
    }
    e.failure = strdup(text);
    rug_status status = p->in.command != NULL
                            ? set_parts(run, &e, p->in.parts, p->in.n_parts)
                            : set_parts(run, &e, &run->parts->own, 1);
    if (status == RUG_OK && e.failure != NULL) {
        add_to_file(run, name, &e);
        return;
    }
    pthread_mutex_lock(&p->lock);
    p->is_lost = 1;
    pthread_mutex_unlock(&p->lock);
    cli_part_entry_free(&e);
}

/* Tells of images that were measured and are no inputs any more. @return 0, or -1: there are some */
static int check_used(cli_run *run)
{
    const cli_part_file *in = &run_of(run)->in;
    char text[CLI_NAME_MAX + 80];
    size_t n = 0;
    for (size_t i = 0; i < in->n_images && !run->writing.is_stopped; i++)
        if (!in->images[i].is_used && n++ == 0)
            snprintf(text, sizeof text, "%s was measured, but is no longer an input",
                     in->images[i].name);
    if (n > 0)
        cli_fail(run, text);
    return n > 0 ? -1 : 0;
}

static int end(cli_run *run)
{
    const cli_part_run *p = run_of(run);
    rug_status status = RUG_OK;
    if (check_used(run) != 0)
        return -1;
    if (run->parts->has_rows)
        return 0;
    if (p->is_lost)
        status =
            rug_context_fail(run->ctx, RUG_E_NOMEM,
                             "no memory for what was found, so that %s is not written",
                             run->common.output);
    else
        status = cli_part_file_write(run->ctx, &p->out, run->common.output);
    if (status != RUG_OK)
        cli_fail(run, rug_context_error(run->ctx));
    return status == RUG_OK ? 0 : -1;
}

static void free_parts(cli_parts *parts)
{
    cli_part_run *p = parts->user;
    cli_part_file_free(&p->in);
    cli_part_file_free(&p->out);
    cli_part_file_free(&p->values);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

/* ---- The beginning ---- */

static struct {
    cli_part_file *all; /* NULL: nothing is merged */
    int to_file;
} next_merge;

void cli_merge_next(cli_part_file *all, int to_file)
{
    next_merge.all = all;
    next_merge.to_file = to_file;
}

/* Keeps the words of the command line that all parts have. @return 0, or -1: no memory */
static int keep_words(const cli_run *run, cli_part_file *out)
{
    cli_option_set sets[CLI_N_OPTION_SETS];
    size_t n = 0, n_sets = cli_option_sets(run->command, sets, NULL, NULL, NULL);
    const char *const *words = run->line + 2;
    while (words[n] != NULL)
        n++;
    const cli_option **of = calloc(n + 1, sizeof *of);
    out->words = calloc(n + 1, sizeof *out->words);
    out->command = strdup(run->command->name);
    int bad = of == NULL || out->words == NULL || out->command == NULL;
    if (!bad)
        cli_part_classify(of, words, n, sets, n_sets);
    for (size_t i = 0; i < n && !bad; i++) {
        if (cli_part_option_of(of[i]) == CLI_OF_PART)
            continue;
        out->words[out->n_words] = strdup(words[i]);
        bad = out->words[out->n_words] == NULL;
        out->n_words += !bad;
    }
    free(of);
    return bad ? -1 : 0;
}

/* Options that a part has no use for. */
static const char *check_options(cli_run *run)
{
    if (run->common.list != NULL && strcmp(run->common.list, "-") == 0)
        return "--list -: parts need a list in a file, which 'rugose merge' reads again";
    for (size_t i = 0; i < run->words.n_given; i++) {
        const cli_option *o = run->words.given[i];
        cli_part_option belongs = cli_part_option_of(o);
        if (belongs == CLI_OF_MERGE)
            rug_context_fail(
                run->ctx, RUG_E_ARG,
                "--%s goes with 'rugose merge', which makes the tables of all "
                "parts",
                o->name);
        else if (belongs == CLI_OF_WHOLE)
            rug_context_fail(run->ctx, RUG_E_ARG,
                             "--%s and --part cannot be used together", o->name);
        else
            continue;
        return rug_context_error(run->ctx);
    }
    return NULL;
}

/* Reads K/N. @return an error text, or NULL */
static const char *read_part(cli_run *run, cli_parts *parts)
{
    static const char expected[] = "--part: K/N with 1 <= K <= N <= 65536 expected, such "
                                   "as 2/8";
    const char *text = run->common.part, *slash = strchr(text, '/');
    char word[16];
    int k, n;
    if (slash == NULL || slash - text >= (int)sizeof word)
        return expected;
    snprintf(word, sizeof word, "%.*s", (int)(slash - text), text);
    if (cli_parse_int(&n, slash + 1, 1, CLI_PARTS_MAX) != 0 ||
        cli_parse_int(&k, word, 1, n) != 0)
        return expected;
    parts->own = (uint32_t)k - 1;
    parts->n = (uint32_t)n;
    return NULL;
}

/* Reads the values of whole images, which must have been read as they are here. */
static const char *read_values(cli_run *run, cli_part_run *p)
{
    const char *path = run->common.values;
    char text[CLI_ERROR_MAX];
    rug_status status = cli_part_file_read(run->ctx, &p->values, path);
    if (status != RUG_OK)
        return rug_context_error(run->ctx);
    if (strcmp(p->values.command, "info") != 0)
        rug_context_fail(run->ctx, RUG_E_ARG,
                         "--values: %s is of 'rugose %s', but one of 'rugose info' is "
                         "expected",
                         path, p->values.command);
    else if (p->values.n_parts < p->values.n)
        rug_context_fail(run->ctx, RUG_E_ARG,
                         "--values: %s has %zu of %" PRIu32
                         " parts; 'rugose merge' makes one file of all",
                         path, p->values.n_parts, p->values.n);
    else {
        int found = cli_part_read_otherwise(
            text, run->command, (const char *const *)p->values.words, run->line + 2);
        if (found <= 0)
            return found == 0 ? NULL : cli_no_memory;
        rug_context_fail(run->ctx, RUG_E_ARG, "--values: %s was read otherwise, with %s",
                         path, text);
    }
    return rug_context_error(run->ctx);
}

static const char *begin_part(cli_run *run, cli_part_run *p)
{
    const char *problem = read_part(run, &p->parts);
    if (problem == NULL)
        problem = check_options(run);
    if (problem != NULL)
        return problem;
    if (run->common.output == NULL || !rugi_has_ending(run->common.output, ".rgs"))
        return "--part: --output FILE.rgs expected, for what is found of this part";
    p->out.n = p->parts.n;
    p->out.n_parts = 1;
    p->out.parts = malloc(sizeof *p->out.parts);
    if (p->out.parts == NULL || keep_words(run, &p->out) != 0)
        return cli_no_memory;
    p->out.parts[0] = p->parts.own;
    return run->common.values != NULL ? read_values(run, p) : NULL;
}

/* Goes on with what was read. */
static const char *begin_merge(cli_run *run, cli_part_run *p)
{
    p->in = *next_merge.all;
    *next_merge.all = (cli_part_file){.path = p->in.path};
    next_merge.all = NULL;
    p->parts.own = p->parts.n = p->in.n;
    p->parts.has_rows = !next_merge.to_file;
    if (p->parts.has_rows)
        return NULL;
    p->out.n = p->in.n;
    p->out.n_parts = p->in.n_parts;
    p->out.parts = malloc(p->in.n_parts * sizeof *p->out.parts);
    if (p->out.parts == NULL || keep_words(run, &p->out) != 0)
        return cli_no_memory;
    memcpy(p->out.parts, p->in.parts, p->in.n_parts * sizeof *p->out.parts);
    return NULL;
}

const char *cli_refuse_parts(cli_run *run, const char *why)
{
    if (why == NULL || !run->parts->is_team)
        return why;
    run->parts->free(run->parts);
    run->parts = NULL;
    return NULL;
}

const char *cli_begin_parts(cli_run *run)
{
    if (next_merge.all == NULL && run->common.part == NULL) {
        if (run->common.values != NULL)
            return "--values can only be used with --part";
        return run->common.output != NULL && rugi_has_ending(run->common.output, ".rgs")
                   ? "--output: a .rgs file is that of a part; give --part K/N, or a name "
                     "that ends in .csv, .json or .txt"
                   : cli_problem(run->ctx, cli_begin_team_parts(run));
    }
    cli_part_run *p = calloc(1, sizeof *p);
    if (p == NULL)
        return cli_no_memory;
    pthread_mutex_init(&p->lock, NULL);
    p->parts = (cli_parts){.is_alone = 1,
                           .open = open_image,
                           .values = find_values,
                           .join = join,
                           .close = close_image,
                           .fail = fail,
                           .end = end,
                           .free = free_parts,
                           .user = p};
    run->parts = &p->parts;
    return next_merge.all != NULL ? begin_merge(run, p) : begin_part(run, p);
}
