/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Kernels of test_ocl.c. */

#ifndef FACTOR
#define FACTOR 1
#endif

/* out[i] = in[i] * FACTOR + add, by way of local memory. */
__kernel void scale(__global const uint *in, __global uint *out, uint add,
                    __local uint *shared)
{
    size_t i = get_global_id(0);
    shared[get_local_id(0)] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = shared[get_local_id(0)] * FACTOR + add;
}

/* Multiply and add, which may be fused only where that is allowed. */
__kernel void multiply_add(__global const float *in, __global float *out)
{
    size_t i = get_global_id(0);
    out[i] = in[3 * i] * in[3 * i + 1] + in[3 * i + 2];
}
