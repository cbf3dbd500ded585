/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files behind ocl.h share: an opened device, its programs and its queue. */

#ifndef RUGI_OCL_STATE_H
#define RUGI_OCL_STATE_H

#include "ocl/list/device_list.h"
#include "ocl/list/ocl_library.h"
#include "ocl/ocl.h"

/** Commands that may be pending, before the queue is waited for and their times are taken. */
#define RUGI_OCL_PENDING_MAX 256

/** What a command does; the kinds that are timed. */
typedef enum rugi_ocl_kind {
    RUGI_OCL_UPLOAD,
    RUGI_OCL_KERNEL,
    RUGI_OCL_DOWNLOAD
} rugi_ocl_kind;

struct rugi_ocl_kernel {
    struct rugi_ocl_kernel *next;
    cl_kernel id;
    cl_uint n_args;
    size_t group_max;
    char name[64];
};

/** A built program with those of its kernels that were asked for. */
typedef struct rugi_ocl_program {
    struct rugi_ocl_program *next;
    uint64_t key[2];
    cl_program id;
    rugi_ocl_kernel *kernels;
} rugi_ocl_program;

struct rugi_ocl_buffer {
    cl_mem id;
    size_t n_bytes;
    size_t shape[2], pixel_size; /* of an image; of a buffer 0 */
};

struct rugi_ocl {
    rug_context *ctx;
    const rugi_ocl_library *cl;
    struct rugi_ocl_state *state; /* of the context */
    rug_devices *list;
    const rugi_device_entry *entry; /* of the list */
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    size_t group_max;
    int is_unified;
    char *extensions;
    uint64_t in_use; /* bytes of buffers */
    rugi_ocl_program *programs;
    uint64_t n_taken; /* commands that are not pending any more */
    size_t n_pending;
    cl_event pending[RUGI_OCL_PENDING_MAX];
    rugi_ocl_kind kinds[RUGI_OCL_PENDING_MAX];
    int is_broken; /* a command failed: what it still holds is not to be trusted */
};

/** What a context keeps of OpenCL. */
struct rugi_ocl_state {
    rugi_ocl *open;     /* NULL: none */
    rugi_device device; /* the choice that it is the answer to */
    int opencl_number;
    int is_refused; /* there is no device for `auto`, or it has failed */
    char refusal[RUGI_ERROR_MAX];
    rug_device_times times;
    rugi_ocl_library library;
};

/** Forgets the first n pending commands. */
void rugi_ocl_drop_pending(rugi_ocl *device, size_t n);

/** For `auto`, which does not ask again for a device that has failed: the context's error text
 *  is its answer from now on. */
void rugi_ocl_refuse(rug_context *ctx, struct rugi_ocl_state *state);

/** Frees the programs of a device. */
void rugi_ocl_free_programs(rugi_ocl *device);

#endif
