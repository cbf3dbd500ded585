/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Twins: files that go with an image pixel by pixel, masks and label images. Their values are
 * counted while they are read for the first time, so that a file that is not what it was taken
 * for is noticed. */

#ifndef CLI_TWIN_H
#define CLI_TWIN_H

#include "cli.h"

/** Distinct values that are told apart. */
#define CLI_TWIN_MAX_DISTINCT ((size_t)1 << 20)

/** A value that occurs: value + rest is exact, as in rug_foreground. */
typedef struct cli_twin_value {
    double value;
    int64_t rest;
    uint64_t n; /**< pixels; 0: the place is free */
} cli_twin_value;

/** Bytes of what a turn is called, with its end. */
#define CLI_TURN_MAX 96

/** How a twin is turned to lie as its image does. */
typedef struct cli_turn {
    int is_needed;
    int ndim; /**< of the image */
    /** The twin's axis that becomes each of the image's; -1: none, as that has one pixel. */
    int axis[RUG_MAX_AXES];
    int is_reversed[RUG_MAX_AXES]; /**< for each axis of the image */
    int keeps_layers;              /**< layers stay layers, in their order */
    char text[CLI_TURN_MAX];       /**< "turned: x flipped"; "" where nothing moves */
} cli_turn;

/** Finds out whether a twin lies where its image lies, if both files say so.
 *  @param what  the twin is, for the error text
 *  @return RUG_OK, RUG_E_ARG (it lies elsewhere), RUG_E_NOMEM */
rug_status cli_find_turn(cli_run *run, cli_turn *turn, const rug_file *image,
                         const rug_file *twin, const char *what);

/** A twin. Begin with all zero. */
struct cli_twin {
    rug_file *file;
    const char *path;  /**< as it was given */
    rug_source source; /**< of the twin; as long as the twin, which must not move */
    rug_source given;  /**< of the file, turned to lie as the image does */
    rug_source stored; /**< of the file, where slabs are turned */
    cli_turn turn;
    rug_image turned;            /**< all of it, where it is in memory */
    const cli_inside *inside;    /**< of a mask, which pixels are inside; NULL: no mask */
    const rug_file_facts *facts; /**< of the file, or what is known better */
    int is_part;     /**< its image is measured in parts, and counted are only layers */
    int is_own;      /**< that are read while this is set */
    int is_known;    /**< all layers were seen, and what follows is that of all */
    size_t n_layers; /**< seen so far */
    uint64_t n_pixels, n_nan, n_inside;
    uint64_t n_set, n_runs; /**< pixels that are not 0, and runs of equal ones in rows */
    uint64_t n_touching;    /**< runs right behind another one */
    int is_behind_run;
    cli_twin_value *values; /**< by hash; owned */
    size_t n_distinct, capacity;
    int is_more;        /**< there are more than n_distinct distinct values */
    int has_fractions;  /**< some are no whole numbers */
    size_t n_small;     /**< values but 0 that few pixels have, see CLI_SMALL_LABEL */
    char text[256];     /**< "2 values 0 255" */
    uint8_t *flags;     /**< 1 inside, 0 outside; owned; NULL unless a rule asks for it */
    unsigned char *row; /**< a row in order; owned */
    rug_image view;     /**< of the flags */
};

/** A label of fewer pixels is small. */
#define CLI_SMALL_LABEL 5

/** Opens a twin, the same page of it where it has several and whatever channel of the image was
 *  asked for, its own value. One that lies elsewhere than the image is refused; one whose axes have
 *  another order or direction is turned, which takes memory for all of it unless its layers stay in
 *  their order.
 *  @param twin       to be freed also after a failure
 *  @param image      that it is the twin of
 *  @param in_memory  nonzero: it is read, so that its values are known; -1: as its size says */
rug_status cli_open_twin(cli_run *run, cli_twin *twin, const char *path,
                         const rug_file *image, int page, int in_memory);
void cli_free_twin(cli_twin *twin);

/** Adds what was counted of another part. */
void cli_twin_add(cli_twin *twin, const cli_twin *part);

/** Sets what was counted of all parts. */
void cli_twin_set(cli_twin *twin, const cli_twin *all);

/** Prints what was read, unless --quiet, and warns of values that are not exact. */
void cli_tell_twin(cli_run *run, const cli_twin *twin);

/** The labels of one image. Begin with all zero. */
struct cli_labels {
    cli_twin twin;
    const char *path; /**< NULL: there are none */
    char digest[CLI_SHA256_TEXT_MAX];
};

/** Opens the label image of the input in work, where it has one, and prints what was read. A small
 *  one is in memory. Channels that differ are refused.
 *  @param labels  to be ended also after a failure */
rug_status cli_read_labels(cli_run *run, cli_labels *labels, const cli_image *image);

/** Frees labels. @param status  of measuring. @return it; the text about a pixel that is no label
 *  names the file */
rug_status cli_end_labels(cli_run *run, cli_labels *labels, rug_status status);

/** Warns of a label image without labels, and of one that seems to be none. */
void cli_warn_of_labels(cli_run *run, const cli_labels *labels, size_t n_labels);

#endif
