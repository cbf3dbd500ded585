/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What kernels share whose groups have ITEMS items, a power of two up to 256. Barriers
 * stand outside of loops: drivers for processors have hung where they did not. */

#define GROUP __attribute__((reqd_work_group_size(ITEMS, 1, 1)))

/* Where pixel i lies in local memory, so that items that read every 2nd, 4th ... 32nd pixel
 * do not wait for each other's banks. */
#define PADDED(i) ((i) + ((i) >> 5))

/* Local memory of GROUP_SUMS. */
#define N_SUMS (2 * ITEMS)

/* Adds what lies 1, 2 and 3 times `far` items before. */
static uint sum_behind(__local const uint *sums, uint item, uint far)
{
    uint sum = item >= far ? sums[item - far] : 0;
    if (item >= 2 * far)
        sum += sums[item - 2 * far];
    if (item >= 3 * far)
        sum += sums[item - 3 * far];
    return sum;
}

/* Leaves in sums[i] what items 0 .. i have together: four steps with two halves of memory
 * in turn, each of which makes the sums four times as long. All items go through it, with
 * a barrier since the last time. A macro, because compilers for processors have broken on
 * barriers in functions. */
#define GROUP_SUMS(sums, item, value)                 \
    {                                                 \
        uint sum_ = (value);                          \
        (sums)[item] = sum_;                          \
        barrier(CLK_LOCAL_MEM_FENCE);                 \
        sum_ += sum_behind(sums, item, 1);            \
        (sums)[ITEMS + (item)] = sum_;                \
        barrier(CLK_LOCAL_MEM_FENCE);                 \
        sum_ += sum_behind((sums) + ITEMS, item, 4);  \
        (sums)[item] = sum_;                          \
        barrier(CLK_LOCAL_MEM_FENCE);                 \
        sum_ += sum_behind(sums, item, 16);           \
        (sums)[ITEMS + (item)] = sum_;                \
        barrier(CLK_LOCAL_MEM_FENCE);                 \
        sum_ += sum_behind((sums) + ITEMS, item, 64); \
        (sums)[item] = sum_;                          \
        barrier(CLK_LOCAL_MEM_FENCE);                 \
    }

/* What the items before have together, after GROUP_SUMS. */
static uint sum_before(__local const uint *sums, uint item)
{
    return item > 0 ? sums[item - 1] : 0;
}
