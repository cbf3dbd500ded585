/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A process that reads DICOM, and the socket to it. One that is idle is kept for the next request; it
 * ends when this process does. It lies in a folder beside that of this library or program. */

#define _GNU_SOURCE /* dladdr1() */
#include "dicom_client.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Where it is installed, for programs that hold this library and lie elsewhere. */
#ifndef RUGI_LIBEXEC
#define RUGI_LIBEXEC "/usr/libexec/rugose"
#endif

/* How often it is asked whether to stop, in ms. */
#define PATIENCE 100

typedef struct server {
    pid_t process;
    int socket;
    double share; /* of the work of who asks */
} server;

/* Idle ones that are kept: as many as work at a time, in most runs. */
#define IDLE_MAX 16

static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;
static server idle[IDLE_MAX];
static size_t n_idle;

/* ---- The program ---- */

/* The file that this code was loaded from. @return whether it is known */
static int find_own(char path[PATH_MAX])
{
    Dl_info info;
    void *extra = NULL;
    if (dladdr1((const void *)idle, &info, &extra, RTLD_DL_LINKMAP) == 0 || extra == NULL)
        return 0;
    const char *name = ((const struct link_map *)extra)->l_name;
    return realpath(name[0] != '\0' ? name : "/proc/self/exe", path) != NULL;
}

/* Finds the program from there. @return whether it is there */
static int find_program(char path[PATH_MAX])
{
    static const char *const folders[] = {".", "../src", "../libexec/rugose",
                                          "../../libexec/rugose"};
    char own[PATH_MAX];
    int is_known = find_own(own);
    if (is_known)
        *strrchr(own, '/') = '\0';
    for (size_t i = 0; is_known && i < sizeof folders / sizeof folders[0]; i++) {
        int n = snprintf(path, PATH_MAX, "%s/%s/rugose-dicom", own, folders[i]);
        if (n > 0 && n < PATH_MAX && access(path, X_OK) == 0)
            return 1;
    }
    strcpy(path, RUGI_LIBEXEC "/rugose-dicom");
    return access(path, X_OK) == 0;
}

/* Starts it with a socket as its input and output. @return 0, or why not */
static int spawn(server *s, const char *program, int theirs)
{
    char *const arguments[] = {"rugose-dicom", NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    int why = posix_spawn_file_actions_init(&files);
    if (why != 0)
        return why;
    why = posix_spawnattr_init(&how);
    if (why == 0) {
        /* a group of its own: what a terminal sends is for those who asked */
        posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
        why = posix_spawn_file_actions_adddup2(&files, theirs, 0);
        if (why == 0)
            why = posix_spawn_file_actions_adddup2(&files, theirs, 1);
        if (why == 0)
            why = posix_spawn_file_actions_addopen(&files, 2, "/dev/null",
                                                   1 /* O_WRONLY */, 0);
        if (why == 0)
            why = posix_spawn(&s->process, program, &files, &how, arguments, environ);
        posix_spawnattr_destroy(&how);
    }
    posix_spawn_file_actions_destroy(&files);
    return why;
}

static void stop(server *s)
{
    if (s->socket < 0)
        return;
    close(s->socket);
    s->socket = -1;
    kill(s->process, SIGKILL);
    while (waitpid(s->process, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* ---- The socket ---- */

/* Waits until the socket is ready. @return RUG_OK, RUG_E_CANCELLED, RUG_E_IO */
static rug_status wait_for(rug_context *ctx, const server *s, short event)
{
    struct pollfd one = {.fd = s->socket, .events = event};
    for (;;) {
        int n = poll(&one, 1, PATIENCE);
        if (n > 0)
            return RUG_OK;
        if (n < 0 && errno != EINTR)
            return RUG_E_IO;
        if (rug_context_step(ctx, s->share) != RUG_OK)
            return RUG_E_CANCELLED;
    }
}

static rug_status send_bytes(rug_context *ctx, const server *s, const void *from,
                             size_t n)
{
    const char *at = from;
    while (n > 0) {
        rug_status status = wait_for(ctx, s, POLLOUT);
        if (status != RUG_OK)
            return status;
        ssize_t gone = send(s->socket, at, n, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (gone < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (gone <= 0)
            return RUG_E_IO;
        at += gone;
        n -= (size_t)gone;
    }
    return RUG_OK;
}

static rug_status receive(rug_context *ctx, const server *s, void *to, size_t n)
{
    char *at = to;
    while (n > 0) {
        rug_status status = wait_for(ctx, s, POLLIN);
        if (status != RUG_OK)
            return status;
        ssize_t came = recv(s->socket, at, n, MSG_DONTWAIT);
        if (came < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (came <= 0)
            return RUG_E_IO;
        at += came;
        n -= (size_t)came;
    }
    return RUG_OK;
}

/* ---- Requests ---- */

static rug_status start(rug_context *ctx, server *s, const char *path)
{
    char program[PATH_MAX];
    int sockets[2];
    rugi_dicom_answer hello = {0};
    if (!find_program(program))
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: is DICOM, for which rugose-dicom is needed, which is not "
            "installed: it is built where libgdcm-dev is; or convert it to "
            "NIfTI, for example with dcm2niix",
            path);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return rug_context_fail(ctx, RUG_E_IO, "%s: no socket to rugose-dicom: %s", path,
                                strerror(errno));
    int why = spawn(s, program, sockets[1]);
    close(sockets[1]);
    s->socket = sockets[0];
    if (why != 0) {
        close(s->socket);
        s->socket = -1;
        return rug_context_fail(ctx, RUG_E_IO, "%s: %s cannot be started: %s", path,
                                program, strerror(why));
    }
    rug_status status = receive(ctx, s, &hello, sizeof hello);
    if (status == RUG_OK && hello.code == RUGI_DICOM_VERSION)
        return RUG_OK;
    stop(s);
    if (status == RUG_E_CANCELLED)
        return status;
    return rug_context_fail(
        ctx, RUG_E_UNSUPPORTED,
        "%s: needs %s, which does not start, or is of another version; "
        "install libgdcm3.0",
        path, program);
}

/* Takes an idle one. @return whether there is one */
static int take_idle(server *s)
{
    pthread_mutex_lock(&keeping);
    int is_there = n_idle > 0;
    if (is_there)
        *s = idle[--n_idle];
    pthread_mutex_unlock(&keeping);
    return is_there;
}

static void give_back(server *s)
{
    pthread_mutex_lock(&keeping);
    int is_kept = n_idle < IDLE_MAX;
    if (is_kept)
        idle[n_idle++] = *s;
    pthread_mutex_unlock(&keeping);
    if (!is_kept)
        stop(s);
}

/* What an answer says. */
static rug_status check(rug_context *ctx, const char *path,
                        const rugi_dicom_answer *answer, uint64_t n_bytes)
{
    if (answer->code == RUGI_DICOM_OK && answer->n_bytes == n_bytes)
        return RUG_OK;
    if (answer->code == RUGI_DICOM_NO_MEMORY)
        return rug_context_fail(ctx, RUG_E_NOMEM, "%s: no memory to read it", path);
    if (answer->code == RUGI_DICOM_UNKNOWN)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: GDCM does not decode its pixels; convert it to NIfTI, for "
            "example with dcm2niix",
            path);
    return rug_context_fail(
        ctx, RUG_E_FORMAT, "%s: is damaged, or its pixels are not what the head promises",
        path);
}

/* Sends a request and receives the answer. @return RUG_E_IO: the program has ended */
static rug_status talk(rug_context *ctx, const server *s,
                       const rugi_dicom_request *request, const char *path,
                       rugi_dicom_answer *answer, void *to, size_t n_bytes)
{
    rug_status status = send_bytes(ctx, s, request, sizeof *request);
    if (status == RUG_OK)
        status = send_bytes(ctx, s, path, request->n_path);
    if (status == RUG_OK)
        status = receive(ctx, s, answer, sizeof *answer);
    if (status == RUG_OK && answer->n_bytes == n_bytes)
        status = receive(ctx, s, to, n_bytes);
    return status;
}

/* The program's folder is that in which it was started. @return whether there is room */
static int make_absolute(char out[2 * PATH_MAX], const char *path)
{
    out[0] = '\0';
    if (path[0] != '/' && getcwd(out, PATH_MAX) == NULL)
        return 0;
    size_t n = strlen(out);
    int more = snprintf(out + n, 2 * PATH_MAX - n, "%s%s", n > 0 ? "/" : "", path);
    return more > 0 && n + (size_t)more < 2 * PATH_MAX;
}

rug_status rugi_dicom_ask(rug_context *ctx, uint32_t what, const char *path, void *to,
                          uint64_t n, size_t size, double share)
{
    char whole[2 * PATH_MAX];
    server s;
    rugi_dicom_answer answer = {0};
    size_t n_bytes = (size_t)n * size;
    if (!make_absolute(whole, path))
        return rug_context_fail(ctx, RUG_E_IO, "%s: the name is too long", path);
    const rugi_dicom_request request = {what, (uint32_t)strlen(whole), n};
    rug_status status;
    int is_again = 0;
    do {
        int is_idle = !is_again && take_idle(&s);
        status = is_idle ? RUG_OK : start(ctx, &s, path);
        if (status != RUG_OK)
            return status;
        s.share = share;
        status = talk(ctx, &s, &request, whole, &answer, to, n_bytes);
        is_again = is_idle && status == RUG_E_IO; /* it may have ended before */
        if (is_again)
            stop(&s);
    } while (is_again);
    if (status == RUG_OK) {
        give_back(&s);
        return check(ctx, path, &answer, n_bytes);
    }
    stop(&s);
    if (status == RUG_E_CANCELLED)
        return status;
    return rug_context_fail(ctx, RUG_E_FORMAT, "%s: is damaged: GDCM gave up on it",
                            path);
}
