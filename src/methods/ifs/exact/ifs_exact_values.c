/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The list is the least value, the largest, and, when it pays, how many values are used and
 * how many are not, by turns. */

#include "ifs_exact_values.h"
#include "core/context/context_internal.h"
#include <string.h>

static const char what[] = "values of an exact plane of fractal coding";

/* A gap costs about as much as so many pixels gain whose value is beside it. */
#define GAP_PAYS 12

void rugi_ifs_values_free(rug_context *ctx, rugi_ifs_values *v)
{
    rug_context_release(ctx, v->of);
    rug_context_release(ctx, v->number);
    memset(v, 0, sizeof *v);
}

/* Whether it pays to leave out the values that are not used. Of a gap those pixels gain that
 * are as near to it as their values are to each other otherwise. */
static int gaps_pay(const uint32_t *counts, int32_t n)
{
    uint64_t gain = 0, gaps = 0;
    for (int32_t i = 1; i < n; i++) {
        if (counts[i] == 0 || counts[i - 1] != 0)
            continue;
        int32_t k = i - 1;
        while (counts[k] == 0)
            k--;
        gain += (uint64_t)counts[i] + counts[k];
        gaps++;
    }
    return gain > 2 * GAP_PAYS * gaps + 64;
}

static rug_status number_values(rug_context *ctx, rugi_ifs_values *v,
                                const uint32_t *counts)
{
    const size_t span = (size_t)(v->high - v->low) + 1;
    v->of = rug_context_allocate(ctx, span, sizeof *v->of, what);
    v->number = rug_context_allocate(ctx, span, sizeof *v->number, what);
    if (v->of == NULL || v->number == NULL)
        return RUG_E_NOMEM;
    v->n = 0;
    for (size_t i = 0; i < span; i++) {
        v->number[i] = v->n;
        if (counts[i] > 0)
            v->of[v->n++] = v->low + (int32_t)i;
    }
    return RUG_OK;
}

rug_status rugi_ifs_values_find(rug_context *ctx, rugi_ifs_values *out,
                                const int32_t *pixels, size_t n, unsigned depth)
{
    rug_status status = RUG_OK;
    memset(out, 0, sizeof *out);
    uint32_t *counts = rugi_allocate_zeros(ctx, (size_t)1 << depth, sizeof *counts, what);
    if (counts == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < n; i++)
        counts[pixels[i]]++;
    out->high = (1 << depth) - 1;
    while (counts[out->low] == 0)
        out->low++;
    while (counts[out->high] == 0)
        out->high--;
    out->n = out->high - out->low + 1;
    if (gaps_pay(counts + out->low, out->n))
        status = number_values(ctx, out, counts + out->low);
    rug_context_release(ctx, counts);
    return status;
}

/* Whether value low + at is used, when writing. */
static int is_used(const rugi_ifs_values *v, int32_t at)
{
    return v->of[v->number[at]] == v->low + at;
}

/* Lengths of one kind: values that are used, or those that are not. */
typedef struct lengths {
    rugi_ifs_bit again, number[4 + RUGI_IFS_GOLOMB];
    uint32_t last;
} lengths;

static uint32_t code_again(lengths *l, rugi_ifs_coder *coder, uint32_t length)
{
    if (rugi_ifs_code_bit(coder, &l->again, length == l->last))
        return l->last;
    return rugi_ifs_code_number(coder, l->number, 4, length);
}

/* A length from 0 on; what is priced teaches, too. */
static uint32_t code_length(lengths *l, rugi_ifs_coder *coder, uint32_t length)
{
    rugi_ifs_coder learn = {.coding = RUGI_IFS_LEARN};
    length = code_again(l, coder, length);
    if (coder->coding == RUGI_IFS_PRICE)
        (void)code_again(l, &learn, length);
    l->last = length;
    return length;
}

static void code_list(rugi_ifs_values *v, rugi_ifs_coder *coder)
{
    lengths kinds[2] = {0};
    const int reads = coder->coding == RUGI_IFS_READ;
    const int32_t span = v->high - v->low + 1;
    int32_t n = 0;
    for (int i = 0; i < 2; i++) {
        rugi_ifs_bits_begin(&kinds[i].again, 1);
        rugi_ifs_bits_begin(kinds[i].number, 4 + RUGI_IFS_GOLOMB);
    }
    for (int32_t at = 0, used = 1; at < span; used = !used) {
        int32_t length = 1;
        while (!reads && at + length < span && is_used(v, at + length) == used)
            length++;
        const uint32_t more = code_length(&kinds[used], coder, (uint32_t)length - 1);
        if (more >= (uint32_t)(span - at))
            coder->failed = 1;
        length = coder->failed ? span - at : (int32_t)more + 1;
        for (int32_t i = 0; reads && used && i < length; i++)
            v->of[n++] = v->low + at + i;
        at += length;
    }
    v->n = reads ? n : v->n;
}

rug_status rugi_ifs_values_code(rug_context *ctx, rugi_ifs_values *v,
                                rugi_ifs_coder *coder, unsigned depth)
{
    const uint32_t all = 1u << depth;
    v->low = (int32_t)rugi_ifs_code_uniform(coder, all, (uint32_t)v->low);
    v->high = v->low + (int32_t)rugi_ifs_code_uniform(coder, all - (uint32_t)v->low,
                                                      (uint32_t)(v->high - v->low));
    const uint32_t span = (uint32_t)(v->high - v->low) + 1;
    const int has_list = span > 2 && rugi_ifs_code_raw(coder, 1, v->of != NULL) == 1;
    if (coder->coding == RUGI_IFS_READ) {
        v->n = (int32_t)span;
        if (has_list)
            v->of = rug_context_allocate(ctx, span, sizeof *v->of, what);
        if (has_list && v->of == NULL)
            return RUG_E_NOMEM;
    }
    if (has_list)
        code_list(v, coder);
    return RUG_OK;
}
