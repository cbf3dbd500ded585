/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Programs and kernels: from the cache folder or the compiler, then kept in the device. */

#define _XOPEN_SOURCE 700 /* mkstemp */
#include "ocl_cache.h"
#include "ocl_state.h"
#include <assert.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- The cache: a folder with one file per program, which begins with a head: the key, the
 * size and a hash of what follows, the program as the driver made it ---- */

/* Largest program that is read: a larger file is not from here. */
#define PROGRAM_MAX ((uint64_t)256 << 20)

typedef struct head {
    char magic[16];
    uint64_t key[2];
    uint64_t n_bytes;
    uint64_t hash[2]; /* of the program */
} head;

static const char magic[16] = "rugose program\n";

void rugi_hash_add(uint64_t hash[2], const void *bytes, size_t n_bytes)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n_bytes; i++)
        for (int k = 0; k < 2; k++)
            hash[k] = (hash[k] ^ b[i]) * UINT64_C(0x100000001b3);
}

static head head_of(const uint64_t key[2], const unsigned char *bytes, size_t n_bytes)
{
    head h = {.key = {key[0], key[1]}, .n_bytes = n_bytes, .hash = RUGI_HASH_INIT};
    memcpy(h.magic, magic, sizeof h.magic);
    rugi_hash_add(h.hash, bytes, n_bytes);
    return h;
}

/* @return 0 when the path is too long */
static int path_of(char path[RUGI_CACHE_PATH_MAX], const char *folder,
                   const uint64_t key[2])
{
    int n =
        snprintf(path, RUGI_CACHE_PATH_MAX, "%s/%016" PRIx64 "%016" PRIx64 ".cl-program",
                 folder, key[0], key[1]);
    return n > 0 && n < RUGI_CACHE_PATH_MAX;
}

static int read_whole(int file, void *to, size_t n_bytes)
{
    unsigned char *at = to;
    while (n_bytes > 0) {
        ssize_t n = read(file, at, n_bytes);
        if (n <= 0)
            return 0;
        at += n;
        n_bytes -= (size_t)n;
    }
    return 1;
}

static int write_whole(int file, const void *from, size_t n_bytes)
{
    const unsigned char *at = from;
    while (n_bytes > 0) {
        ssize_t n = write(file, at, n_bytes);
        if (n <= 0)
            return 0;
        at += n;
        n_bytes -= (size_t)n;
    }
    return 1;
}

/* Reads the head of a regular file that is as long as the head says.
 * @return 0 when it is no file of this key */
static int read_head(int file, head *h, const uint64_t key[2])
{
    struct stat facts;
    return fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
           read_whole(file, h, sizeof *h) && memcmp(h->magic, magic, sizeof magic) == 0 &&
           h->key[0] == key[0] && h->key[1] == key[1] && h->n_bytes > 0 &&
           h->n_bytes <= PROGRAM_MAX && (uint64_t)facts.st_size == sizeof *h + h->n_bytes;
}

static rug_status read_program(rug_context *ctx, unsigned char **out, size_t *n_bytes,
                               int file, const uint64_t key[2])
{
    head h;
    if (!read_head(file, &h, key))
        return RUG_OK;
    size_t n = (size_t)h.n_bytes;
    unsigned char *bytes = rug_context_allocate(ctx, n, 1, "compiled program");
    if (bytes == NULL)
        return RUG_E_NOMEM;
    int is_whole = read_whole(file, bytes, n);
    if (is_whole) {
        head expected = head_of(key, bytes, n);
        is_whole = memcmp(expected.hash, h.hash, sizeof h.hash) == 0;
    }
    if (!is_whole) {
        rug_context_release(ctx, bytes);
        return RUG_OK;
    }
    *out = bytes;
    *n_bytes = n;
    return RUG_OK;
}

rug_status rugi_cache_read(rug_context *ctx, unsigned char **out, size_t *n_bytes,
                           const char *folder, const uint64_t key[2])
{
    char path[RUGI_CACHE_PATH_MAX];
    *out = NULL;
    *n_bytes = 0;
    if (folder == NULL || !path_of(path, folder, key))
        return RUG_OK;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe must not block */
    if (file < 0)
        return RUG_OK;
    rug_status status = read_program(ctx, out, n_bytes, file, key);
    close(file);
    return status;
}

/* Makes a folder and those above it, for this user alone. Failures show when a file is
 * made there. */
static void make_folder(const char *folder)
{
    char path[RUGI_CACHE_PATH_MAX];
    size_t n = strlen(folder);
    if (n == 0 || n >= sizeof path)
        return;
    memcpy(path, folder, n + 1);
    for (char *slash = strchr(path + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
}

void rugi_cache_write(const char *folder, const uint64_t key[2],
                      const unsigned char *bytes, size_t n_bytes)
{
    char path[RUGI_CACHE_PATH_MAX], temporary[RUGI_CACHE_PATH_MAX];
    if (folder == NULL || n_bytes == 0 || !path_of(path, folder, key))
        return;
    int n = snprintf(temporary, sizeof temporary, "%s/.program-XXXXXX", folder);
    if (n < 0 || (size_t)n >= sizeof temporary)
        return;
    make_folder(folder);
    int file = mkstemp(temporary);
    if (file < 0)
        return;
    head h = head_of(key, bytes, n_bytes);
    int is_whole = write_whole(file, &h, sizeof h) && write_whole(file, bytes, n_bytes);
    is_whole = close(file) == 0 && is_whole;
    if (!is_whole || rename(temporary, path) != 0)
        unlink(temporary);
}

/* ---- Programs and kernels ---- */

/* Bytes of the compiler's options, and of its messages that go into the error text. */
#define OPTIONS_MAX 1024
#define LOG_MAX     700

static const char no_contract[] = "#pragma OPENCL FP_CONTRACT OFF\n";

void rugi_ocl_free_programs(rugi_ocl *device)
{
    while (device->programs != NULL) {
        rugi_ocl_program *program = device->programs;
        device->programs = program->next;
        while (program->kernels != NULL) {
            rugi_ocl_kernel *kernel = program->kernels;
            program->kernels = kernel->next;
            device->cl->clReleaseKernel(kernel->id);
            rug_context_release(device->ctx, kernel);
        }
        device->cl->clReleaseProgram(program->id);
        rug_context_release(device->ctx, program);
    }
}

size_t rugi_ocl_kernel_group_max(const rugi_ocl_kernel *kernel)
{
    return kernel->group_max;
}

static void add_text(uint64_t key[2], const char *text)
{
    rugi_hash_add(key, text, strlen(text) + 1);
}

/* All that a compiled program depends on. */
static void key_of(uint64_t key[2], const rugi_ocl *device, const rugi_ocl_build *build,
                   const char *options)
{
    memcpy(key, (const uint64_t[2])RUGI_HASH_INIT, 2 * sizeof key[0]);
    add_text(key, device->entry->name);
    add_text(key, device->entry->driver);
    add_text(key, device->entry->version);
    add_text(key, device->entry->platform);
    add_text(key, device->entry->platform_version);
    add_text(key, options);
    add_text(key, build->no_contract ? no_contract : "");
    for (size_t i = 0; i < build->n_sources; i++) {
        add_text(key, build->sources[i]->name);
        rugi_hash_add(key, &build->sources[i]->n_bytes, sizeof(size_t));
        rugi_hash_add(key, build->sources[i]->text, build->sources[i]->n_bytes);
    }
}

static void add_piece(rugi_ocl_text *text, const char *piece, size_t size)
{
    text->pieces[text->n] = piece;
    text->sizes[text->n++] = size;
}

/* Each file begins with a line that makes the compiler name it in its messages. */
void rugi_ocl_build_text(rugi_ocl_text *text, const rugi_ocl_build *build)
{
    text->n = 0;
    if (build->no_contract)
        add_piece(text, no_contract, sizeof no_contract - 1);
    for (size_t i = 0; i < build->n_sources; i++) {
        snprintf(text->lines[i], sizeof text->lines[i], "\n#line 1 \"%.100s\"\n",
                 build->sources[i]->name);
        add_piece(text, text->lines[i], strlen(text->lines[i]));
        add_piece(text, build->sources[i]->text, build->sources[i]->n_bytes);
    }
}

static cl_program from_source(const rugi_ocl *device, const rugi_ocl_build *build,
                              cl_int *code)
{
    rugi_ocl_text text;
    rugi_ocl_build_text(&text, build);
    return device->cl->clCreateProgramWithSource(device->context, text.n, text.pieces,
                                                 text.sizes, code);
}

/* The error text: what was compiled, the error, and the beginning of what the compiler
 * says, where its first error stands. */
static rug_status fail_build(rug_context *ctx, const rugi_ocl *device, cl_program id,
                             const rugi_ocl_build *build, cl_int code)
{
    const char *file = build->sources[0]->name, *name = device->entry->name;
    size_t n = 0;
    device->cl->clGetProgramBuildInfo(id, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &n);
    char *log = n > 0 ? rug_context_allocate(ctx, n + 1, 1, "compiler's messages") : NULL;
    if (log == NULL)
        return rugi_ocl_fail(ctx, code, "compiling %s for %s", file, name);
    log[0] = '\0';
    device->cl->clGetProgramBuildInfo(id, device->id, CL_PROGRAM_BUILD_LOG, n, log, NULL);
    log[n] = '\0';
    rug_context_fail(ctx, RUG_E_DEVICE, "compiling %s for %.100s: %s (%d): %.*s", file,
                     name, rugi_ocl_error_name(code), (int)code, LOG_MAX, log);
    rug_context_release(ctx, log);
    return RUG_E_DEVICE;
}

static rug_status compile(rug_context *ctx, const rugi_ocl *device, cl_program *out,
                          const rugi_ocl_build *build, const char *options)
{
    cl_int code = CL_SUCCESS;
    cl_program id = from_source(device, build, &code);
    if (code != CL_SUCCESS)
        return rugi_ocl_fail(ctx, code, "loading %s", build->sources[0]->name);
    code = device->cl->clBuildProgram(id, 1, &device->id, options, NULL, NULL);
    if (code == CL_SUCCESS) {
        *out = id;
        return RUG_OK;
    }
    rug_status status = fail_build(ctx, device, id, build, code);
    device->cl->clReleaseProgram(id);
    return status;
}

/* NULL where the driver does not accept what it once gave: the program is compiled again. */
static cl_program from_bytes(const rugi_ocl *device, const unsigned char *bytes,
                             size_t n_bytes, const char *options)
{
    cl_int code = CL_SUCCESS, accepted = CL_SUCCESS;
    cl_program id = device->cl->clCreateProgramWithBinary(
        device->context, 1, &device->id, &n_bytes, &bytes, &accepted, &code);
    if (code != CL_SUCCESS)
        return NULL;
    if (accepted == CL_SUCCESS &&
        device->cl->clBuildProgram(id, 1, &device->id, options, NULL, NULL) == CL_SUCCESS)
        return id;
    device->cl->clReleaseProgram(id);
    return NULL;
}

static void save(rug_context *ctx, const rugi_ocl *device, cl_program id,
                 const uint64_t key[2])
{
    size_t n = 0;
    if (ctx->cache_folder == NULL ||
        device->cl->clGetProgramInfo(id, CL_PROGRAM_BINARY_SIZES, sizeof n, &n, NULL) !=
            CL_SUCCESS ||
        n == 0)
        return;
    unsigned char *bytes = rug_context_allocate(ctx, n, 1, "compiled program");
    if (bytes == NULL)
        return;
    if (device->cl->clGetProgramInfo(id, CL_PROGRAM_BINARIES, sizeof bytes, &bytes,
                                     NULL) == CL_SUCCESS)
        rugi_cache_write(ctx->cache_folder, key, bytes, n);
    rug_context_release(ctx, bytes);
}

static rug_status make_program(rug_context *ctx, const rugi_ocl *device, cl_program *out,
                               const rugi_ocl_build *build, const char *options,
                               const uint64_t key[2])
{
    unsigned char *bytes;
    size_t n_bytes;
    *out = NULL;
    rug_status status = rugi_cache_read(ctx, &bytes, &n_bytes, ctx->cache_folder, key);
    if (status == RUG_OK && bytes != NULL)
        *out = from_bytes(device, bytes, n_bytes, options);
    rug_context_release(ctx, bytes);
    if (status != RUG_OK || *out != NULL)
        return status;
    status = compile(ctx, device, out, build, options);
    if (status == RUG_OK)
        save(ctx, device, *out, key);
    return status;
}

static rug_status find_program(rug_context *ctx, rugi_ocl *device, rugi_ocl_program **out,
                               const rugi_ocl_build *build)
{
    char options[OPTIONS_MAX];
    uint64_t key[2];
    int n = snprintf(options, sizeof options, "-cl-std=CL1.2%s%s",
                     build->options != NULL ? " " : "",
                     build->options != NULL ? build->options : "");
    assert(n > 0 && (size_t)n < sizeof options);
    (void)n;
    key_of(key, device, build, options);
    for (rugi_ocl_program *p = device->programs; p != NULL; p = p->next)
        if (memcmp(p->key, key, sizeof key) == 0) {
            *out = p;
            return RUG_OK;
        }
    rugi_ocl_program *program =
        rug_context_allocate(ctx, 1, sizeof *program, "OpenCL program");
    if (program == NULL)
        return RUG_E_NOMEM;
    *program = (rugi_ocl_program){.key = {key[0], key[1]}, .next = device->programs};
    rug_status status = make_program(ctx, device, &program->id, build, options, key);
    if (status != RUG_OK) {
        rug_context_release(ctx, program);
        return status;
    }
    device->programs = program;
    *out = program;
    return RUG_OK;
}

static rug_status fill_kernel(rug_context *ctx, const rugi_ocl *device,
                              rugi_ocl_kernel *kernel, cl_program program)
{
    cl_int code = CL_SUCCESS;
    kernel->id = device->cl->clCreateKernel(program, kernel->name, &code);
    if (code != CL_SUCCESS) {
        kernel->id = NULL;
        return rugi_ocl_fail(ctx, code, "looking for kernel %s", kernel->name);
    }
    code = device->cl->clGetKernelInfo(kernel->id, CL_KERNEL_NUM_ARGS,
                                       sizeof kernel->n_args, &kernel->n_args, NULL);
    if (code == CL_SUCCESS)
        code = device->cl->clGetKernelWorkGroupInfo(
            kernel->id, device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof kernel->group_max,
            &kernel->group_max, NULL);
    return code == CL_SUCCESS
               ? RUG_OK
               : rugi_ocl_fail(ctx, code, "asking for facts of kernel %s", kernel->name);
}

rug_status rugi_ocl_kernel_get(rug_context *ctx, rugi_ocl *device, rugi_ocl_kernel **out,
                               const rugi_ocl_build *build, const char *name)
{
    rugi_ocl_program *program = NULL;
    assert(build->n_sources >= 1 && build->n_sources <= RUGI_OCL_SOURCES_MAX);
    *out = NULL;
    rug_status status = find_program(ctx, device, &program, build);
    if (status != RUG_OK)
        return status;
    for (rugi_ocl_kernel *k = program->kernels; k != NULL && *out == NULL; k = k->next)
        if (strcmp(k->name, name) == 0)
            *out = k;
    if (*out != NULL)
        return RUG_OK;
    rugi_ocl_kernel *kernel = rug_context_allocate(ctx, 1, sizeof *kernel, "kernel");
    if (kernel == NULL)
        return RUG_E_NOMEM;
    *kernel = (rugi_ocl_kernel){.next = program->kernels};
    assert(strlen(name) < sizeof kernel->name);
    memcpy(kernel->name, name, strlen(name) + 1);
    status = fill_kernel(ctx, device, kernel, program->id);
    if (status != RUG_OK) {
        if (kernel->id != NULL)
            device->cl->clReleaseKernel(kernel->id);
        rug_context_release(ctx, kernel);
        return status;
    }
    program->kernels = kernel;
    *out = kernel;
    return RUG_OK;
}
