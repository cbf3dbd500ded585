/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Orders that are fitted. Include it after support.h. */

#ifndef RUGOSE_ORDERS_SUPPORT_H
#define RUGOSE_ORDERS_SUPPORT_H

/* Fits orders and keeps them; returns what they have in common. */
static inline rug_multifractal_facts fit_orders(rug_context *ctx,
                                                rug_multifractal_order *out,
                                                rug_masses *masses, const double *q,
                                                size_t n_q, const rug_fit_options *opts)
{
    rug_multifractal_result *result;
    if (rug_multifractal_fit(ctx, &result, masses, q, n_q, opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    rug_multifractal_facts facts = *rug_multifractal_get_facts(result);
    assert_int_equal(facts.n_orders, n_q);
    for (size_t i = 0; i < n_q; i++)
        out[i] = *rug_multifractal_at(result, i);
    assert_null(rug_multifractal_at(result, n_q));
    rug_multifractal_free(result);
    return facts;
}

#endif
