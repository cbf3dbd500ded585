/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The DICOM files of a folder, known by their magic. */

#ifndef RUGI_DICOM_FILES_H
#define RUGI_DICOM_FILES_H

#include <rugose/context.h>

/** Whether a path is a folder of which most files are DICOM; names that begin with a dot and folders
 *  in it do not count. */
int rugi_dicom_is_folder(const char *path);

/** Lists the DICOM files of a folder, and warns of others.
 *  @param paths  n of them, in the order of their bytes; to be released by rugi_dicom_end_scan(),
 *                also after a failure
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO */
rug_status rugi_dicom_scan(rug_context *ctx, char ***paths, size_t *n,
                           const char *folder);

void rugi_dicom_end_scan(rug_context *ctx, char **paths, size_t n);

#endif
