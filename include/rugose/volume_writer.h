/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Writing bytes as a NIfTI volume, slab by slab as they are made, such as the foreground of an
 * image or the voxels of a mesh (rug_foreground_flags()). Part of librugose-io.
 *
 *     static const uint8_t voxels[2][3][4] = {{{0, 1, 1, 0}}};
 *     const size_t shape[3] = {2, 3, 4};
 *     char name[512];
 *     rug_image view;
 *     rug_source source = RUG_SOURCE_INIT;
 *     snprintf(name, sizeof name, "%s.nii", out_path);
 *     rug_status status = rug_image_view(ctx, &view, voxels, RUG_U8, 3, shape);
 *     if (status == RUG_OK)
 *         status = rug_volume_write(ctx, name, rug_source_of_image(&source, &view), NULL);
 *     puts(status == RUG_OK ? "written" : rug_context_error(ctx));
 *     // prints: written
 */

#ifndef RUGOSE_VOLUME_WRITER_H
#define RUGOSE_VOLUME_WRITER_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/file.h>
#include <rugose/source.h>
#include <rugose/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Writes a NIfTI-1 volume of UINT8 in one file, beside `path`, which gets its name when it is
 *  complete. It is NIfTI-2 where an axis has more than 32767 pixels, or 32-bit floats would move
 *  a pixel by more than 1/2000 of its size. An image becomes a volume of one slice.
 *
 *  The source is read in one pass, about 16 MB at once. Its spacing is written, in um where its
 *  unit is nm or angstrom, in mm where it is cm; the unit of another one is not stated. What is
 *  not known of it is the file's place, else 1.
 *  @param path    ends in .nii, or .nii.gz: then it is compressed
 *  @param source  of RUG_U8
 *  @param file    whose place (located_by, affine) becomes the sform, with code 2, of an image of
 *                 as many axes; NULL: none
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO, RUG_E_CANCELLED, RUG_E_UNSUPPORTED (no
 *          library that compresses), what the source returns */
RUG_API rug_status rug_volume_write(rug_context *ctx, const char *path,
                                    const rug_source *source, const rug_file *file);

#ifdef __cplusplus
}
#endif

#endif
