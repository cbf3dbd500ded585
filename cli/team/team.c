/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How a process finds its team, by what mpirun and srun put into its environment, and the module that
 * speaks MPI. */

#define _GNU_SOURCE /* dup3 */
#include "team.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define MODULE "rugose-mpi.so"

cli_team cli_own_team;

/* A number of the environment; 0: it is not there. */
static int number_of(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? atoi(text) : 0;
}

/* How many processes were started together. Slurm tells it all steps, also those without MPI. */
static int find_size(void)
{
    const char *wish = getenv("RUGOSE_MPI");
    if (wish != NULL && strcmp(wish, "off") == 0)
        return 1;
    int size = number_of("OMPI_COMM_WORLD_SIZE");
    if (size == 0)
        size = number_of("PMI_SIZE");
    if (size == 0 && getenv("PMIX_RANK") != NULL)
        size = number_of("SLURM_STEP_NUM_TASKS");
    return size;
}

/* Loads the module that stands beside the program, or where it is installed. Modules of MPI find its
 * library by global names. */
static cli_carrier_begin_fn *load(void)
{
    static const char *const folders[] = {".", "../lib/rugose",
                                          "../" CLI_LIBDIR "/rugose"};
    char path[PATH_MAX + 100];
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[n > 0 ? n : 0] = '\0';
    char *end = strrchr(path, '/');
    void *module = NULL;
    for (size_t i = 0; i < 3 && end != NULL && module == NULL; i++) {
        snprintf(end + 1, sizeof path - (size_t)(end + 1 - path), "%s/" MODULE,
                 folders[i]);
        module = dlopen(path, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
    }
    cli_carrier_begin_fn *begin = NULL;
    void *symbol = module != NULL ? dlsym(module, CLI_CARRIER_BEGIN) : NULL;
    memcpy(&begin, &symbol, sizeof begin);
    return begin;
}

/* A helper prints nothing; what ends the job it tells all the same. */
static void be_silent(void)
{
    int told = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3),
        nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    cli_own_team.err = told >= 0 ? fdopen(told, "w") : NULL;
    if (cli_own_team.err != NULL)
        setvbuf(cli_own_team.err, NULL, _IOLBF, BUFSIZ);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

const char *cli_join_team(void)
{
    int size = find_size();
    if (size < 2)
        return NULL;
    cli_carrier_begin_fn *begin = load();
    if (begin == NULL && number_of("OMPI_COMM_WORLD_RANK") + number_of("PMI_RANK") +
                                 number_of("PMIX_RANK") >
                             0)
        be_silent();
    if (begin == NULL)
        return "this is one of several processes that were started together, but this build "
               "lacks MPI, or its library is not installed (libopenmpi3), so that each would "
               "do all of the work: build with -DRUGOSE_MPI=ON, start one process, or set "
               "RUGOSE_MPI=off where they share nothing";
    const cli_carrier *carrier = begin();
    if (carrier == NULL)
        return "MPI could not be started with threads";
    cli_own_team.carrier = carrier->size > 1 ? carrier : NULL;
    if (carrier->size != size)
        return "this is one of several processes that were started together, but not by the "
               "MPI that it was built with (Open MPI), which sees another number of them: use "
               "its mpirun, or set RUGOSE_MPI=off where they share nothing";
    cli_own_team.err = stderr;
    if (carrier->rank > 0)
        be_silent();
    return NULL;
}

int cli_leave_team(void)
{
    cli_team *team = &cli_own_team;
    cli_order order = {0};
    void *bytes;
    size_t n;
    if (team->carrier == NULL)
        return 0;
    if (team->carrier->rank == 0)
        cli_give_order(&order);
    while (team->carrier->rank > 0 && !team->is_over) {
        if (!cli_take_order(&order))
            cli_doze(1000);
        else if (order.is_work)
            return -1;
    }
    while (team->n_working > 0) {
        if (cli_take_result(&bytes, &n))
            free(bytes);
        else
            cli_doze(1000);
    }
    team->carrier->end();
    return 0;
}
