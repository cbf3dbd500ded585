/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The order of names that people expect. */

#ifndef CLI_NATURAL_H
#define CLI_NATURAL_H

#include <string.h>

/** Compares numbers of any length, and moves behind them. */
static inline int cli_compare_numbers(const char **a, const char **b)
{
    static const char digits[] = "0123456789";
    *a += strspn(*a, "0");
    *b += strspn(*b, "0");
    size_t n_a = strspn(*a, digits), n_b = strspn(*b, digits);
    int order = n_a != n_b ? (n_a < n_b ? -1 : 1) : strncmp(*a, *b, n_a);
    *a += n_a;
    *b += n_b;
    return order;
}

/** Natural order: 2 before 10. What differs in zeros before numbers alone is in the order of
 * bytes. */
static inline int cli_compare_naturally(const char *a, const char *b)
{
    const char *p = a, *q = b;
    while (*p != '\0' && *q != '\0') {
        if (*p >= '0' && *p <= '9' && *q >= '0' && *q <= '9') {
            int order = cli_compare_numbers(&p, &q);
            if (order != 0)
                return order;
        } else if (*p != *q) {
            break;
        } else {
            p++;
            q++;
        }
    }
    return *p != *q ? ((unsigned char)*p < (unsigned char)*q ? -1 : 1) : strcmp(a, b);
}

#endif
