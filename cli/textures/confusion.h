/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* True classes against predicted ones: accuracy, and the confusion matrix. */

#ifndef CLI_CONFUSION_H
#define CLI_CONFUSION_H

#include "shared/cli.h"
#include <rugose/lbp_model.h>

/** Counts of images; rows are true classes: those of the model, then others as they
 *  come. */
typedef struct cli_confusion {
    const rug_lbp_model *model;
    char **others; /**< true classes that the model lacks; owned */
    size_t n_others;
    uint64_t *counts; /**< [true][n_classes + 1], the last: no prediction; owned */
} cli_confusion;

/** Begins with zeros. @return 0, or -1: memory is out */
int cli_confusion_begin(cli_confusion *c, const rug_lbp_model *model);
void cli_confusion_free(cli_confusion *c);

/** Counts an image. @param predicted  text of the model, or NULL. @return 0, or -1 */
int cli_confusion_add(cli_confusion *c, const char *truth, const char *predicted);

/** Prints the accuracy, of all and of each class, where any truth is known, and puts it
 *  into the head of the report. */
void cli_confusion_tell(cli_run *run, const cli_confusion *c);

/** The matrix: the column "true/predicted", one for each class, and "(none)".
 *  @return NULL when memory is out */
rug_report *cli_confusion_report(const cli_confusion *c);

#endif
