/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The screen of the exact search: how much domains lessen the squared errors of four ranges
 * at once, all symmetries together (ifs_kernels.h has the formula). Ranges are vectors of
 * four, and lie in local memory; each item has domains of its own. A product may be fused
 * with a sum or not: the host's margin holds for both. Compiled behind ocl_group.cl; SIZE is
 * that of a range where loops are to have constant length, and 0 else. Loops are unrolled a
 * little: compilers that unroll them whole read all ranges before the loop over domains, into
 * more registers than there are. */

#define LANES 16 /* domains of a tile */
#define PARTS 16 /* of a group, which are joined first */

#if SIZE > 0 /* even */
#define HALF    (SIZE / 2)
#define N_A1    (HALF * (HALF + 1) / 2)
#define N_B1    (HALF * (HALF - 1) / 2)
#define N_B2    N_A1
#define N_A2    N_B1
#define N_PAIRS (HALF * HALF)
#else
#define N_A1    counts.s0
#define N_B1    counts.s1
#define N_B2    counts.s2
#define N_A2    counts.s3
#define N_PAIRS counts.s4
#endif

/* Sums of products of n coefficients of one kind. */
static float4 products(__local const float4 *ranges, __global const float *domain, uint n)
{
    float4 sum = (float4)(0.0f);
#pragma unroll 4
    for (uint k = 0; k < n; k++)
        sum += ranges[k] * domain[k * LANES];
    return sum;
}

/* The scores of a domain. */
static float4 score_of(__local const float4 *ranges, __global const float *domain,
                       float cap, uint8 counts)
{
    const uint b1 = N_A1, b2 = b1 + N_B1, a2 = b2 + N_B2, pairs = a2 + N_A2;
    const float4 sum_a1 = products(ranges, domain, N_A1);
    const float4 sum_b1 = products(ranges + b1, domain + b1 * LANES, N_B1);
    const float4 sum_b2 = products(ranges + b2, domain + b2 * LANES, N_B2);
    const float4 sum_a2 = products(ranges + a2, domain + a2 * LANES, N_A2);
    float4 pp = (float4)(0.0f), qq = pp, pq = pp, qp = pp;
    ranges += pairs;
    domain += pairs * LANES;
#pragma unroll 2
    for (uint k = 0; k < 2 * N_PAIRS; k += 2) {
        const float p = domain[k * LANES], q = domain[(k + 1) * LANES];
        pp += ranges[k] * p;
        pq += ranges[k] * q;
        qp += ranges[k + 1] * p;
        qq += ranges[k + 1] * q;
    }
    const float4 x1 = sum_a1 + sum_b1, y1 = sum_a1 - sum_b1;
    const float4 x2 = sum_b2 + sum_a2, y2 = sum_b2 - sum_a2;
    const float4 m = fmax(
        fmax(fabs(x1 + x2) + fabs(pp + qq), fabs(x1 - x2) + fabs(pp - qq)),
        fmax(fabs(y1 + y2) + fabs(pq + qp), fabs(y1 - y2) + fabs(pq - qp)));
    const float4 t = fmin(m, (float4)(cap));
    return t * (m + m - t);
}

/* Joins what two sets of domains have for a range. */
static void join(float *best, float *second, uint *number, float other_best,
                 float other_second, uint other)
{
    *second = fmax(fmax(*second, other_second), fmin(*best, other_best));
    if (other_best > *best || (other_best == *best && other < *number))
        *number = other;
    *best = fmax(*best, other_best);
}

/* The best domain of each of four ranges in a chunk of a block, and the score of the second
 * best. One group for each chunk and group of ranges, ranges first.
 * @param tiles, caps  of the block, as of rugi_ifs_screen
 * @param ranges       [group][n]
 * @param needs        [group] chunks whose largest cap is lower are of no interest
 * @param n            groups of ranges, domains, domains of a chunk, coefficients
 * @param counts       of kinds of coefficients
 * @param scores       [chunk][group][2] best and second best; -1: there is none
 * @param numbers      [chunk][group] of the best ones, of the lowest of several */
__kernel GROUP void ifs_screen(__global const float *tiles, __global const float *caps,
                               __global const float4 *ranges,
                               __global const float4 *needs, uint4 n, uint8 counts,
                               __local float4 *range, __global float4 *scores,
                               __global uint4 *numbers)
{
    __local float bests[4 * ITEMS], seconds[4 * ITEMS];
    __local uint places[4 * ITEMS];
    __local float part_bests[4 * PARTS], part_seconds[4 * PARTS];
    __local uint part_places[4 * PARTS];
    const uint item = get_local_id(0), id = get_group_id(0);
    const uint group = id % n.x, first = id / n.x * n.z;
    const uint end = all(isgreater(needs[group], (float4)(caps[first])))
                         ? first
                         : min(first + n.z, n.y);
    for (uint k = item; k < n.w; k += ITEMS)
        range[k] = ranges[(ulong)group * n.w + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 best = (float4)(-1.0f), second = best;
    uint4 number = (uint4)(0);
    for (uint d = first + item; d < end; d += ITEMS) {
        const ulong at = (ulong)(d / LANES) * n.w * LANES + d % LANES;
        const float4 score = score_of(range, tiles + at, caps[d], counts);
        number = select(number, (uint4)(d), isgreater(score, best));
        second = fmax(second, fmin(score, best));
        best = fmax(best, score);
    }
    vstore4(best, item, bests);
    vstore4(second, item, seconds);
    vstore4(number, item, places);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = item; k < 4 * PARTS; k += ITEMS) {
        float a = -1.0f, b = -1.0f;
        uint at = 0;
        for (uint i = k; i < 4 * ITEMS; i += 4 * PARTS)
            join(&a, &b, &at, bests[i], seconds[i], places[i]);
        part_bests[k] = a;
        part_seconds[k] = b;
        part_places[k] = at;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = item; k < 4; k += ITEMS) {
        float a = -1.0f, b = -1.0f;
        uint at = 0;
        for (uint i = k; i < 4 * PARTS; i += 4)
            join(&a, &b, &at, part_bests[i], part_seconds[i], part_places[i]);
        ((__global float *)scores)[(ulong)id * 8 + k] = a;
        ((__global float *)scores)[(ulong)id * 8 + 4 + k] = b;
        ((__global uint *)numbers)[(ulong)id * 4 + k] = at;
    }
}

/* All domains of a chunk whose score reaches the floor of a range. One group for each job,
 * which is four ranges and a chunk.
 * @param ranges  [job][n]
 * @param floors  [job]
 * @param chunks  [job]
 * @param n       room for hits, domains, domains of a chunk, coefficients
 * @param hits    4 job + range and domain, in any order
 * @param n_hits  how many there are, also those that found no room; 0 before */
__kernel GROUP void ifs_collect(__global const float *tiles, __global const float *caps,
                                __global const float4 *ranges,
                                __global const float4 *floors,
                                __global const uint *chunks, uint4 n, uint8 counts,
                                __local float4 *range, __global uint2 *hits,
                                volatile __global uint *n_hits)
{
    const uint item = get_local_id(0), job = get_group_id(0);
    const uint first = chunks[job] * n.z, end = min(first + n.z, n.y);
    const float4 floors_here = floors[job];
    for (uint k = item; k < n.w; k += ITEMS)
        range[k] = ranges[(ulong)job * n.w + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = first + item; d < end; d += ITEMS) {
        const ulong at = (ulong)(d / LANES) * n.w * LANES + d % LANES;
        const float4 score = score_of(range, tiles + at, caps[d], counts);
        const uint4 is_hit = as_uint4(isgreaterequal(score, floors_here));
        const uint flags =
            (is_hit.x & 1) | (is_hit.y & 2) | (is_hit.z & 4) | (is_hit.w & 8);
        for (uint k = 0; k < 4; k++)
            if (flags >> k & 1) {
                const uint to = atomic_inc(n_hits);
                if (to < n.x)
                    hits[to] = (uint2)(4 * job + k, d);
            }
    }
}
