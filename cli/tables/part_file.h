/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files of parts (docs/states.md): what was found of some parts of the images of a run. */

#ifndef TABLES_PART_FILE_H
#define TABLES_PART_FILE_H

#include <rugose/bytes.h>
#include <rugose/context.h>
#include <rugose/image.h>
#include <stddef.h>
#include <stdint.h>

/** The first number of states of method 100: a file of parts, and what reading finds out. */
enum { CLI_PART_FILE, CLI_PART_FOUND };

/** Parts of one run at most. */
#define CLI_PARTS_MAX 65536

/** The bytes of a state of some kind. */
typedef struct cli_part_state {
    char *kind;     /**< owned */
    uint8_t *bytes; /**< owned */
    size_t n;
} cli_part_state;

/** What was found of an image in some parts. */
typedef struct cli_part_entry {
    uint32_t *parts; /**< from 0, ascending; owned */
    size_t n_parts;
    char *failure;    /**< why there is nothing else; owned, or NULL */
    uint64_t n_bytes; /**< of its file */
    rug_dtype dtype;
    int ndim;
    size_t shape[RUG_MAX_AXES];
    cli_part_state *states; /**< owned */
    size_t n_states;
} cli_part_entry;

/** One image: an input, or a page of it. */
typedef struct cli_part_image {
    uint64_t input, page;    /**< by their number */
    char *name;              /**< owned */
    cli_part_entry *entries; /**< owned */
    size_t n_entries;
    int is_used; /**< a run has come to it; not in files */
} cli_part_image;

/** All that a file holds. Begin with all zero. */
typedef struct cli_part_file {
    const char *path; /**< for error texts */
    char *command;    /**< owned */
    char **
        words; /**< of the command line, without those that each part has its own of; owned */
    size_t n_words;
    uint32_t n;      /**< parts of the run */
    uint32_t *parts; /**< those that are here, from 0, ascending; owned */
    size_t n_parts;
    cli_part_image *images; /**< by input and page; owned */
    size_t n_images;
} cli_part_file;

/** Reads a file. @param file  to be freed also after a failure */
rug_status cli_part_file_read(rug_context *ctx, cli_part_file *file, const char *path);

/** Writes a file, which gets its name when it is whole. */
rug_status cli_part_file_write(rug_context *ctx, const cli_part_file *file,
                               const char *path);

void cli_part_file_free(cli_part_file *file);

/** Moves all that is in `from` into `file`, which is empty or of the same command.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_ARG: they are of different runs, or both have a part; the text
 *          has both values */
rug_status cli_part_file_join(rug_context *ctx, cli_part_file *file, cli_part_file *from);

/** The image of that number, NULL: there is none. */
cli_part_image *cli_part_file_find(const cli_part_file *file, uint64_t input,
                                   uint64_t page);

/** Adds an entry to an image, which may be new; it and what it owns are taken over, also after a
 *  failure. @return RUG_OK, RUG_E_NOMEM */
rug_status cli_part_file_add(rug_context *ctx, cli_part_file *file, uint64_t input,
                             uint64_t page, const char *name, cli_part_entry *entry);

void cli_part_entry_free(cli_part_entry *entry);

/** Adds a state to an entry; copied. */
rug_status cli_part_entry_add(rug_context *ctx, cli_part_entry *entry, const char *kind,
                              const uint8_t *bytes, size_t n);

/** "3, 7", from 1 on, at most eight of them: the parts of all n that are marked so. @return how many
 *  there are */
#define CLI_PART_LIST_MAX 128
size_t cli_part_list(char text[CLI_PART_LIST_MAX], const uint8_t *marks, uint32_t n,
                     uint8_t mark);

#endif
