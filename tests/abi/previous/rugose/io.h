/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

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
