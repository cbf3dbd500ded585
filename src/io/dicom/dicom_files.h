/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which files are DICOM, and those of a folder. */

#ifndef RUGI_DICOM_FILES_H
#define RUGI_DICOM_FILES_H

#include <rugose/context.h>
#include <stddef.h>

/** Whether a file is DICOM, by its first n bytes: its magic stands behind 128 bytes that may be anything, or
 *  it begins with attributes right away, in their order, of which one is a UID of DICOM. */
int rugi_dicom_is_head(const unsigned char *head, size_t n);

/** Whether a path is a folder of which most files are DICOM; names that begin with a dot and folders
 *  in it do not count. */
int rugi_dicom_is_folder(const char *path);

/** Lists the DICOM files of a folder, and warns of others.
 *  @param paths  n of them, in the order of their bytes; to be released by rugi_dicom_end_scan(),
 *                also after a failure
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO */
rug_status rugi_dicom_scan(rug_context *ctx, char ***paths, size_t *n,
                           const char *folder);

static inline void rugi_dicom_end_scan(rug_context *ctx, char **paths, size_t n)
{
    for (size_t i = 0; i < n; i++)
        rug_context_release(ctx, paths[i]);
    rug_context_release(ctx, paths);
}

#endif
