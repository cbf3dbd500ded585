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

__constant sampler_t one_pixel =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

/* The pixels of an image and those around it. */
__kernel void look_around(__read_only image2d_t image, __global uint *out)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    int2 at = (int2)((int)x - 1, (int)y - 1);
    out[y * get_global_size(0) + x] = read_imageui(image, one_pixel, at).x;
}
