/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The portable kernels: the truth for the others. */

#include "dbc_range_tmpl.h"

RUGI_DBC_DEFINE_JOIN(join_1, uint8_t)
RUGI_DBC_DEFINE_JOIN(join_2, uint16_t)
RUGI_DBC_DEFINE_JOIN(join_4, uint32_t)
RUGI_DBC_DEFINE_JOIN(join_8, uint64_t)

#define DEFINE_REF(bytes)                                                             \
    static void ref_##bytes(const rugi_dbc_row *rows, int n_rows, size_t n, void *lo, \
                            void *hi, const rugi_dbc_step *step)                      \
    {                                                                                 \
        join_##bytes(rows, n_rows, n, lo, hi, step, 0);                               \
    }

DEFINE_REF(1)
DEFINE_REF(2)
DEFINE_REF(4)
DEFINE_REF(8)

void rugi_dbc_set_kernels_ref(rugi_dbc_kernels *kernels)
{
    *kernels = (rugi_dbc_kernels){.name = "cpu-ref"};
    kernels->join[1] = ref_1;
    kernels->join[2] = ref_2;
    kernels->join[4] = ref_4;
    kernels->join[8] = ref_8;
    kernels->widen_range = widen_range;
}
