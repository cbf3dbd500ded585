/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The result of differential box counting, which callers see through functions only. */

#ifndef RUGI_DBC_RESULT_H
#define RUGI_DBC_RESULT_H

#include <rugose/dbc.h>

struct rug_dbc_result {
    rug_context *ctx; /* whose memory it is */
    rug_dbc_facts facts;
    rug_dbc_size sizes[RUG_DBC_MAX_SIZES]; /* facts.n_sizes of them */
};

#endif
