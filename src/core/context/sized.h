/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Structs that cross the interface with their size, so that a caller and a library of different
 * versions understand each other (docs/abi.md). New members come at the end, and 0 is their
 * default: the part that both know is copied, the library's defaults stand for what an older
 * caller leaves out, and what a newer caller adds must be 0 here.
 *
 *     rug_dbc_options o = RUG_DBC_OPTIONS_INIT;
 *     rug_status status = RUGI_TAKE(ctx, &o, opts, "rug_dbc_options");
 *     ...
 *     RUGI_GIVE(out, &found);
 */

#ifndef RUGI_SIZED_H
#define RUGI_SIZED_H

#include <rugose/context.h>
#include <stddef.h>

/** Takes a struct that a caller fills.
 *  @param own    ours, with the defaults and its struct_size; what the caller's has replaces them
 *  @param given  the caller's; NULL: the defaults stay
 *  @param size   of ours
 *  @param name   of the struct, for the error text
 *  @return RUG_OK, RUG_E_ARG (no struct_size, or a member set that this version does not know) */
rug_status rugi_take(rug_context *ctx, void *own, const void *given, size_t size,
                     const char *name);
#define RUGI_TAKE(ctx, own, given, name) rugi_take(ctx, own, given, sizeof *(own), name)

/** Begins a struct that the library fills in the caller's memory: all but its size becomes 0.
 *  @return RUG_OK, RUG_E_ARG (NULL, or no struct_size) */
rug_status rugi_clear(rug_context *ctx, void *given, const char *name);

/** Fills such a struct, after rugi_clear(): as much of ours as it has room for.
 *  @param own  ours; its struct_size is not copied */
void rugi_give(void *given, const void *own, size_t size);
#define RUGI_GIVE(given, own) rugi_give(given, own, sizeof *(own))

#endif
