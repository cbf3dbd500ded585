/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a file of a texture model says that it is; written and read alike. The words of its
 * options are the names of their enums. */

#ifndef RUGI_LBP_NAMES_H
#define RUGI_LBP_NAMES_H

#define RUGI_LBP_FORMAT_NAME "rugose lbp model"

#endif
