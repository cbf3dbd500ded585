/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL library of the machine: its functions, found at run time. */

#ifndef RUGI_OCL_LIBRARY_H
#define RUGI_OCL_LIBRARY_H

#include <CL/cl.h>
#include <stddef.h>

/** Every function of OpenCL that is used. */
#define RUGI_OCL_FUNCTIONS(X)     \
    X(clGetPlatformIDs)           \
    X(clGetPlatformInfo)          \
    X(clGetDeviceIDs)             \
    X(clGetDeviceInfo)            \
    X(clCreateContext)            \
    X(clReleaseContext)           \
    X(clCreateCommandQueue)       \
    X(clReleaseCommandQueue)      \
    X(clCreateBuffer)             \
    X(clGetSupportedImageFormats) \
    X(clCreateImage)              \
    X(clReleaseMemObject)         \
    X(clCreateProgramWithSource)  \
    X(clCreateProgramWithBinary)  \
    X(clBuildProgram)             \
    X(clGetProgramBuildInfo)      \
    X(clGetProgramInfo)           \
    X(clReleaseProgram)           \
    X(clCreateKernel)             \
    X(clGetKernelInfo)            \
    X(clGetKernelWorkGroupInfo)   \
    X(clSetKernelArg)             \
    X(clReleaseKernel)            \
    X(clEnqueueWriteBuffer)       \
    X(clEnqueueWriteBufferRect)   \
    X(clEnqueueWriteImage)        \
    X(clEnqueueReadBuffer)        \
    X(clEnqueueFillBuffer)        \
    X(clEnqueueNDRangeKernel)     \
    X(clFlush)                    \
    X(clFinish)                   \
    X(clWaitForEvents)            \
    X(clGetEventInfo)             \
    X(clGetEventProfilingInfo)    \
    X(clReleaseEvent)

/** The functions, under their own names. */
typedef struct rugi_ocl_library {
#define RUGI_OCL_MEMBER(name) __typeof__(name) *name;
    RUGI_OCL_FUNCTIONS(RUGI_OCL_MEMBER)
#undef RUGI_OCL_MEMBER
} rugi_ocl_library;

/** Loads the library, which stays loaded: drivers do not survive being unloaded.
 *  @param reason  why it cannot be used, when the answer is 0
 *  @return 1, or 0 */
int rugi_ocl_load(rugi_ocl_library *out, char *reason, size_t n_reason);

#endif
