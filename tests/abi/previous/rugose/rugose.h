/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_RUGOSE_H
#define RUGOSE_RUGOSE_H

#include <rugose/boxcount.h>
#include <rugose/boxcount_labels.h>
#include <rugose/boxcount_parts.h>
#include <rugose/context.h>
#include <rugose/dbc.h>
#include <rugose/devices.h>
#include <rugose/fit.h>
#include <rugose/foreground.h>
#include <rugose/glcm.h>
#include <rugose/glcm_maps.h>
#include <rugose/glcm_matrix.h>
#include <rugose/ifs.h>
#include <rugose/ifs_draw.h>
#include <rugose/ifs_paper.h>
#include <rugose/image.h>
#include <rugose/lacunarity.h>
#include <rugose/lbp.h>
#include <rugose/lbp_model.h>
#include <rugose/multifractal.h>
#include <rugose/multifractal_alpha.h>
#include <rugose/points.h>
#include <rugose/quality.h>
#include <rugose/regions.h>
#include <rugose/source.h>
#include <rugose/status.h>
#include <rugose/values.h>
#include <rugose/version.h>

#endif
