/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The range coder of FORMAT.md, section 2. */

#include "independent.h"

/* The next byte; zeros beyond the end, of which a whole stream needs four at most. */
static uint64_t next_byte(ind_coder *coder)
{
    size_t at = coder->at++;
    if (at < coder->size)
        return coder->bytes[at];
    if (at >= coder->size + 4)
        coder->damaged = "the payload is too short";
    return 0;
}

void ind_begin(ind_coder *coder, const uint8_t *bytes, size_t size)
{
    *coder = (ind_coder){bytes, size, 0, 0xffffffff, 0, NULL};
    for (int i = 0; i < 4; i++)
        coder->code = coder->code * 256 + next_byte(coder);
}

void ind_begin_contexts(void *contexts, size_t size)
{
    ind_context *context = contexts;
    for (size_t i = 0; i < size / sizeof *context; i++)
        context[i] = (ind_context){32768, 32768, 0};
}

static void after_a_decision(ind_coder *coder)
{
    while (coder->range < 1 << 24) {
        coder->range *= 256;
        coder->code = (coder->code * 256 + next_byte(coder)) & 0xffffffff;
    }
}

static int floor_log2(int64_t n)
{
    return n < 2 ? 0 : 1 + floor_log2(n / 2);
}

static void learn(ind_context *context, int bit)
{
    int n = floor_log2(context->seen + 2);
    int m = n < 5 ? n : 5;
    if (bit) {
        context->fast -= context->fast >> m;
        context->slow -= context->slow >> n;
    } else {
        context->fast += (65535 - context->fast) >> m;
        context->slow += (65535 - context->slow) >> n;
    }
    if (context->seen < 254)
        context->seen++;
}

int ind_decide(ind_coder *coder, int64_t chance)
{
    if (coder->damaged)
        return 0;
    uint64_t split = (coder->range * (uint64_t)chance) >> 16;
    int bit = coder->code >= split;
    if (bit) {
        coder->code -= split;
        coder->range -= split;
    } else {
        coder->range = split;
    }
    after_a_decision(coder);
    return bit;
}

int ind_bit(ind_coder *coder, ind_context *context)
{
    int bit =
        ind_decide(coder, ind_limit((context->fast + context->slow) >> 1, 64, 65472));
    learn(context, bit);
    return bit;
}

/* One of n parts of the range, each w wide. */
static int64_t part(ind_coder *coder, uint64_t w, int64_t n)
{
    if (coder->damaged)
        return 0;
    uint64_t v = coder->code / w;
    if (v >= (uint64_t)n) {
        coder->damaged = "a number is too large";
        return 0;
    }
    coder->code -= v * w;
    coder->range = w;
    after_a_decision(coder);
    return (int64_t)v;
}

int64_t ind_raw(ind_coder *coder, int n)
{
    if (n == 0)
        return 0;
    int k = n < 16 ? n : 16;
    int64_t high = part(coder, coder->range >> k, (int64_t)1 << k);
    int64_t low = ind_raw(coder, n - k);
    return (high << (n - k)) + low;
}

int64_t ind_uniform(ind_coder *coder, int64_t n)
{
    if (n == 1)
        return 0;
    if (n <= 65536)
        return part(coder, coder->range / (uint64_t)n, n);
    int64_t v = 65536 * ind_uniform(coder, (n - 1) / 65536 + 1);
    v += ind_raw(coder, 16);
    if (v >= n) {
        coder->damaged = "a number is too large";
        return 0;
    }
    return v;
}

int64_t ind_tree(ind_coder *coder, ind_context *contexts, int n)
{
    int64_t t = 1;
    for (int i = 0; i < n; i++)
        t = 2 * t + ind_bit(coder, &contexts[t]);
    return t - ((int64_t)1 << n);
}

int64_t ind_number(ind_coder *coder, ind_context *contexts, int u)
{
    for (int i = 0; i < u; i++)
        if (!ind_bit(coder, &contexts[i]))
            return i;
    ind_context *e = contexts + u;
    int n = 0;
    while (n < 28 && ind_bit(coder, &e[n < 12 ? n : 12]))
        n++;
    if (n == 0)
        return u;
    int64_t h = ind_bit(coder, &e[13 + (n < 9 ? n : 9) - 1]);
    int64_t l = ind_raw(coder, n - 1);
    return u - 1 + (2 + h) * ((int64_t)1 << (n - 1)) + l;
}
