/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The second library, librugose-io, in one include: files in and out. It depends on librugose,
 * libvips, libtiff, zlib, nifti_clib and json-c. Each header is a manual:
 *
 * <rugose/file.h>          images and volumes from files, whole or slab by slab
 * <rugose/point_file.h>    points from text and NumPy arrays
 * <rugose/bytes.h>         whole files as bytes
 * <rugose/picture.h>       pictures to PNG, JPEG, TIFF and others
 * <rugose/image_writer.h>  images and volumes to TIFF, row by row
 * <rugose/volume_writer.h> volumes of bytes to NIfTI, slab by slab
 * <rugose/lbp_file.h>      models of textures, as JSON
 *
 * Every file that is written gets its name when it is complete. Call this library from one thread
 * at a time. */

#ifndef RUGOSE_IO_H
#define RUGOSE_IO_H

#include <rugose/bytes.h>
#include <rugose/file.h>
#include <rugose/ifs_file.h>
#include <rugose/image_writer.h>
#include <rugose/lbp_file.h>
#include <rugose/picture.h>
#include <rugose/point_file.h>
#include <rugose/volume_writer.h>

#endif
