/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Structs with a size, between a caller and a library of different versions. */

#include "sized.h"
#include "small.h"
#include <stdint.h>
#include <string.h>

/* A struct_size outside of these was never written by an INIT macro. */
#define SIZE_MIN       (sizeof(size_t) + 1)
#define SIZE_MAX_KNOWN ((size_t)1 << 16)

/* The size that a caller's struct begins with. */
static rug_status size_of(rug_context *ctx, size_t *size, const void *given,
                          const char *name)
{
    memcpy(size, given, sizeof *size);
    if (*size >= SIZE_MIN && *size <= SIZE_MAX_KNOWN)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_ARG,
                            "%s.struct_size is %zu, a size expected: start from the INIT "
                            "macro of the struct",
                            name, *size);
}

rug_status rugi_take(rug_context *ctx, void *own, const void *given, size_t size,
                     const char *name)
{
    if (given == NULL)
        return RUG_OK;
    size_t given_size;
    rug_status status = size_of(ctx, &given_size, given, name);
    if (status != RUG_OK)
        return status;
    const unsigned char *bytes = given;
    for (size_t i = size; i < given_size; i++)
        if (bytes[i] != 0)
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "%s: byte %zu is set, but this version of the library knows %zu bytes; a newer "
                "one is needed, or the member left at its default",
                name, i, size);
    memcpy((char *)own + sizeof size, bytes + sizeof size,
           rugi_smaller(size, given_size) - sizeof size);
    return RUG_OK;
}

rug_status rugi_clear(rug_context *ctx, void *given, const char *name)
{
    if (given == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "%s: NULL given", name);
    size_t size;
    rug_status status = size_of(ctx, &size, given, name);
    if (status == RUG_OK)
        memset((char *)given + sizeof size, 0, size - sizeof size);
    return status;
}

void rugi_give(void *given, const void *own, size_t size)
{
    size_t given_size;
    memcpy(&given_size, given, sizeof given_size);
    memcpy((char *)given + sizeof size, (const char *)own + sizeof size,
           rugi_smaller(size, given_size) - sizeof size);
}
