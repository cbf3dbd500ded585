/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The engine of the processor: tiles of bands of layers to threads. */

#include "core/context/threads.h"
#include "dbc_tile.h"
#include <string.h>

/* What is kept from slab to slab. */
typedef struct processor {
    rugi_dbc_kernels kernels;
    int is_thin; /* slabs end within blocks of layers: each tile has a worker, that keeps the rest */
    size_t n_workers, n_bands;
    char *memory;
    rugi_dbc_worker workers[];
} processor;

static size_t tiles_of(const rugi_dbc_plan *plan)
{
    return plan->tiles[0] * plan->tiles[1];
}

static rug_status begin(rug_context *ctx, rugi_dbc_job *job)
{
    size_t n_layers = job->slab.shape[0], n_tiles = tiles_of(job->plan);
    int is_thin = n_layers < job->plan->shape[0] && n_layers % RUGI_DBC_BLOCK > 0;
    size_t n_tasks = ((n_layers - 1) / RUGI_DBC_BLOCK + 1) * n_tiles;
    size_t n = is_thin ? n_tiles : (size_t)rugi_loop_threads(ctx, n_tasks);
    size_t n_bytes = rugi_dbc_worker_bytes(job);
    processor *p = rug_context_allocate(ctx, 1, sizeof *p + n * sizeof p->workers[0],
                                        "workers of box counting");
    if (p == NULL)
        return RUG_E_NOMEM;
    memset(p, 0, sizeof *p);
    p->memory = rug_context_allocate(ctx, n, n_bytes, "layers of boxes");
    if (p->memory == NULL) {
        rug_context_release(ctx, p);
        return RUG_E_NOMEM;
    }
    rugi_dbc_set_kernels(&p->kernels, rug_context_cpu_level(ctx));
    p->is_thin = is_thin;
    p->n_workers = n;
    for (size_t t = 0; t < n; t++)
        rugi_dbc_worker_init(&p->workers[t], job, &p->kernels, p->memory + t * n_bytes);
    job->processor = p;
    return RUG_OK;
}

static void add_band(void *shared, size_t task, int thread)
{
    rugi_dbc_job *job = shared;
    processor *p = job->processor;
    size_t n_tiles = tiles_of(job->plan), tile = task % n_tiles;
    size_t end = job->first + job->slab.shape[0];
    size_t from = job->first + task / n_tiles * RUGI_DBC_BLOCK;
    size_t to = end - from < RUGI_DBC_BLOCK ? end : from + RUGI_DBC_BLOCK;
    rugi_dbc_worker *w = &p->workers[p->is_thin ? tile : (size_t)thread];
    rugi_dbc_worker_add(w, tile, from, p->is_thin ? end : to);
}

static void take_tallies(rugi_dbc_job *job, processor *p)
{
    for (size_t t = 0; t < p->n_workers; t++) {
        rugi_dbc_worker *w = &p->workers[t];
        for (uint32_t m = 1; m <= RUGI_DBC_BLOCK_LEVEL; m++) {
            job->tally[m].blocks += w->tally[m].blocks;
            job->tally[m].beyond += w->tally[m].beyond;
        }
        job->pixels.n_pixels += w->pixels.n_pixels;
        job->pixels.n_left_out += w->pixels.n_left_out;
        memset(w->tally, 0, sizeof w->tally);
        memset(&w->pixels, 0, sizeof w->pixels);
    }
}

rug_status rugi_dbc_cpu(rug_context *ctx, void *user)
{
    rugi_dbc_job *job = user;
    rug_status status = job->processor == NULL ? begin(ctx, job) : RUG_OK;
    if (status != RUG_OK)
        return status;
    processor *p = job->processor;
    size_t n_bands = p->is_thin ? 1 : (job->slab.shape[0] - 1) / RUGI_DBC_BLOCK + 1;
    status = rugi_parallel_for(ctx, n_bands * tiles_of(job->plan), add_band, job);
    if (status == RUG_OK)
        take_tallies(job, p);
    job->engine = p->kernels.name;
    return status;
}

void rugi_dbc_cpu_end(rug_context *ctx, rugi_dbc_job *job)
{
    processor *p = job->processor;
    if (p != NULL)
        rug_context_release(ctx, p->memory);
    rug_context_release(ctx, p);
    job->processor = NULL;
}
