/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What callbacks of the library need beside the library: functions of C that call those of rugose.js. */

#define _GNU_SOURCE /* pthread_getattr_np */
#include <pthread.h>
#include <rugose/rugose.h>
#include <stdint.h>

#define FROM_JS(name) __attribute__((import_module("rugose"), import_name(#name)))

/** Hands two things that are lent to the callback of a number. @return a rug_status */
FROM_JS(call) int rugose_call(uintptr_t callback, uintptr_t first, uintptr_t second);
FROM_JS(progress) void rugose_progress(double share);
FROM_JS(cancel) int rugose_cancel(void);
FROM_JS(warn) void rugose_warn(const char *text);

uintptr_t rugose_callback(int n_arguments);
void rugose_listen(rug_context *ctx, int to_progress, int to_cancel);
uintptr_t rugose_stack(pthread_t thread);

static rug_status call_with_one(void *user, const void *given)
{
    return (rug_status)rugose_call((uintptr_t)user, (uintptr_t)given, 0);
}

/* The first may be a number, such as that of an iteration. */
static rug_status call_with_two(void *user, uintptr_t first, const void *second)
{
    return (rug_status)rugose_call((uintptr_t)user, first, (uintptr_t)second);
}

/** The address of a callback for functions that hand it so many things beside its user. */
uintptr_t rugose_callback(int n_arguments)
{
    return n_arguments == 1 ? (uintptr_t)call_with_one : (uintptr_t)call_with_two;
}

static void progress(void *user, double share)
{
    (void)user;
    rugose_progress(share);
}

static int cancel(void *user)
{
    (void)user;
    return rugose_cancel();
}

static void warn(void *user, const char *text)
{
    (void)user;
    rugose_warn(text);
}

/** What of a call's doings rugose.js wants to hear, beside its warnings. */
void rugose_listen(rug_context *ctx, int to_progress, int to_cancel)
{
    rug_context_set_warn(ctx, warn, NULL);
    rug_context_set_progress(ctx, to_progress ? progress : NULL, NULL);
    rug_context_set_cancel(ctx, to_cancel ? cancel : NULL, NULL);
}

/** The upper end of the stack of a thread that begins. */
uintptr_t rugose_stack(pthread_t thread)
{
    pthread_attr_t attributes;
    void *begin = NULL;
    size_t n_bytes = 0;
    pthread_getattr_np(thread, &attributes);
    pthread_attr_getstack(&attributes, &begin, &n_bytes);
    return (uintptr_t)begin + n_bytes;
}
