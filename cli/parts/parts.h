/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* An image that is measured in parts: by several runs whose files are merged, or by the processes of
 * one MPI job.
 *
 * A command that can sets `.in_parts = cli_begin_parts`, and measures so where run->parts is not
 * NULL:
 *
 *     status = cli_resolve_foreground(run, image, asked, &opts.foreground);
 *     if (run->parts != NULL)
 *         status = cli_measure_state(run, image, &kind, &opts, 0, &state);
 *     if (status != RUG_OK || state == NULL)
 *         return status; // nothing is printed and no row is added
 *
 * It goes on with the state as it does without parts. Nothing else of an image's pixels is there:
 * image->pixels->data is NULL. cli_image_range() is that of the whole image. */

#ifndef CLI_PARTS_H
#define CLI_PARTS_H

#include "shared/cli.h"

/** Where a slab of layers is. */
typedef struct cli_where {
    size_t first
        [RUG_MAX_AXES]; /**< the slab's first pixel in the whole image, slowest axis first */
    size_t own_first,
        own_end; /**< layers of the whole image that are counted; others that the slab
                                     has are their surroundings */
} cli_where;

/** How the state of a method is used: thin wrappers around calls of the library. */
struct cli_state_kind {
    const char *name; /**< in files: "boxcount" ... */
    /** @param opts  of cli_measure_state() */
    rug_status (*begin)(rug_context *ctx, void **state, const cli_image *image,
                        const void *opts);
    /** @param mask, labels  of the slab; NULL: the image has none */
    rug_status (*add)(rug_context *ctx, void *state, const rug_image *slab,
                      const rug_image *mask, const rug_image *labels,
                      const cli_where *where);
    rug_status (*merge)(rug_context *ctx, void *state, const void *other);
    rug_status (*save)(rug_context *ctx, uint8_t **bytes, size_t *n, const void *state);
    rug_status (*load)(rug_context *ctx, void **state, const uint8_t *bytes, size_t n);
    void (*free)(void *state);
};

/** What all kinds have in common, as static functions: those of the library with a state that has no
 *  type. @param TYPE  of the state */
#define CLI_STATE_CALLS(TYPE, MERGE, SAVE, LOAD, FREE)                                 \
    static rug_status merge_state(rug_context *ctx, void *state, const void *other)    \
    {                                                                                  \
        return MERGE(ctx, state, other);                                               \
    }                                                                                  \
    static rug_status save_state(rug_context *ctx, uint8_t **bytes, size_t *n,         \
                                 const void *state)                                    \
    {                                                                                  \
        return SAVE(ctx, bytes, n, state);                                             \
    }                                                                                  \
    static rug_status load_state(rug_context *ctx, void **state, const uint8_t *bytes, \
                                 size_t n)                                             \
    {                                                                                  \
        TYPE *loaded;                                                                  \
        rug_status status = LOAD(ctx, &loaded, bytes, n);                              \
        *state = loaded;                                                               \
        return status;                                                                 \
    }                                                                                  \
    static void free_state(void *state)                                                \
    {                                                                                  \
        FREE(state);                                                                   \
    }
/** The members of a kind that they are. */
#define CLI_STATE_MEMBERS \
    .merge = merge_state, .save = save_state, .load = load_state, .free = free_state

/** Sets run->parts where --part asks for it, or files of parts are merged; `in_parts` of commands.
 *  @return an error text, or NULL */
const char *cli_begin_parts(cli_run *run);

/** Measures an image as a state, where run->parts is not NULL. With labels image->labels is set, in a
 *  copy of the image.
 *  @param kind   NULL: its values alone; then the state is only NULL or not
 *  @param opts   for kind->begin()
 *  @param reach  layers before and behind a pixel's own that its value needs
 *  @param state  of the whole image, to be finished and freed by the caller; NULL: another run or
 *                process goes on with it, and there is nothing more to do, no row to add */
rug_status cli_measure_state(cli_run *run, const cli_image *image,
                             const cli_state_kind *kind, const void *opts, size_t reach,
                             void **state);

/** What cli_parts has to do, at least, when an image is opened and when it was measured. */
rug_status cli_open_in_parts(cli_run *run, cli_image *image);
void cli_close_in_parts(cli_image *image);

/** The rule in force: rug_source_resolve_foreground() of an image, also in parts. */
rug_status cli_resolve_foreground(cli_run *run, const cli_image *image,
                                  rug_foreground asked, rug_foreground *out);

/** The exponent of the unit of masses, which rug_masses_new() needs of floats, of an image in parts. */
rug_status cli_find_unit(cli_run *run, const cli_image *image, int *unit_exponent);

/** The engine for a row: states from files do not say theirs, and are gone on with here. */
static inline const char *cli_engine_of(const cli_run *run, const char *engine)
{
    static const char *const levels[] = {"cpu-ref", "cpu-avx2", "cpu-avx512"};
    return run->parts != NULL && strcmp(engine, "cpu") == 0
               ? levels[rug_context_cpu_level(run->ctx)]
               : engine;
}

#endif
