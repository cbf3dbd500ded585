/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The exact search on an OpenCL device against that of the processor: the same bytes of
 * matches, however the work is cut. */

#include "support.h"

#include "ifs/search/ifs_search_engine.h"
#include "ifs/search_opencl/ifs_search_opencl.h"
#include "ifs_search_support.h"
#include "memory_support.h"
#include "ocl_support.h"
#include "watch_support.h"
#include <stdio.h>

#define SEED 20111028

typedef struct search_case {
    size_t ny, nx;
    uint32_t size, step, shift;
    int kind;
    unsigned bits;
    double s_max;
    int is_striped; /* all rows are the first one */
} search_case;

static rugi_ifs_search_job make_job(const search_case *c, rugi_ifs_plane *plane,
                                    uint64_t *rng)
{
    *plane =
        (rugi_ifs_plane){new_picture(rng, c->ny, c->nx, c->kind, c->bits), c->nx, c->ny};
    for (size_t y = 1; y < c->ny && c->is_striped; y++)
        memcpy(plane->pixels + y * c->nx, plane->pixels, c->nx * sizeof *plane->pixels);
    rugi_ifs_search_job job = {.image = plane,
                               .source = plane,
                               .size = c->size,
                               .step = c->step,
                               .s_max = c->s_max};
    job.ranges = new_places(plane, c->size, c->shift, &job.n_ranges);
    job.matches = calloc(job.n_ranges + 1, sizeof *job.matches);
    assert_non_null(job.matches);
    return job;
}

static void free_job(rugi_ifs_search_job *job)
{
    free(job->matches);
    free((void *)job->ranges);
    free(job->image->pixels);
}

/* A search by the engine itself. @return its status; matches as of rugi_ifs_search() */
static rug_status search_by(rug_context *device, rugi_ifs_search_job *job,
                            const rugi_ifs_search_cut *cut)
{
    rugi_ifs_search_plan plan;
    rug_status status = rugi_ifs_search_plan_make(device, &plan, job, 0);
    if (status == RUG_OK)
        rugi_ifs_finish(&plan, NULL);
    if (status == RUG_OK && plan.n_ranges > 0 && plan.n_domains > 0) {
        rugi_ifs_best *best = calloc(plan.n_ranges, sizeof *best);
        assert_non_null(best);
        rugi_ifs_search_task task = {&plan, best, NULL};
        status = rugi_ifs_search_opencl_by(device, &task, cut);
        if (status == RUG_OK)
            rugi_ifs_finish(&plan, best);
        for (size_t i = 0; i < plan.n_ranges && status != RUG_OK; i++)
            assert_int_equal(best[i].found, 0); /* as before */
        free(best);
    }
    rugi_ifs_search_plan_free(device, &plan);
    return status;
}

/* The processor's matches in the job, and what the device makes of it. */
static void check(rug_context *cpu, rug_context *device, const search_case *c,
                  const rugi_ifs_search_cut *cut, uint64_t *rng)
{
    rugi_ifs_plane plane;
    rugi_ifs_search_job job = make_job(c, &plane, rng), on_device = job;
    on_device.matches = calloc(job.n_ranges + 1, sizeof *job.matches);
    assert_non_null(on_device.matches);
    assert_int_equal(rugi_ifs_search(cpu, &job), RUG_OK);
    if ((cut != NULL ? search_by(device, &on_device, cut)
                     : rugi_ifs_search(device, &on_device)) != RUG_OK)
        fail_msg("%s", rug_context_error(device));
    for (size_t i = 0; i < job.n_ranges; i++)
        if (memcmp(&job.matches[i], &on_device.matches[i], sizeof *job.matches) != 0)
            fail_msg("%zux%zu size %u step %u kind %d bits %u: range %zu has domain "
                     "(%u, %u) symmetry %u, not (%u, %u) %u",
                     c->ny, c->nx, c->size, c->step, c->kind, c->bits, i,
                     on_device.matches[i].x, on_device.matches[i].y,
                     on_device.matches[i].symmetry, job.matches[i].x, job.matches[i].y,
                     job.matches[i].symmetry);
    free(on_device.matches);
    free_job(&job);
}

/* All sizes, even and odd; ranges that go round the edges, as those of OVERLAP do. */
static void all_sizes(void **state)
{
    (void)state;
    rug_context *device = ocl_context(), *cpu = test_context();
    uint64_t rng = SEED;
    for (uint32_t size = 2; size <= 32; size++) {
        size_t side = 2 * size + 3 + 16 / size;
        search_case c = {side, side + 3, size, 1 + size / 8, size / 2, WAVES, 8, 0.5, 0};
        if (size % 2 == 0)
            c = (search_case){side, side + 3, size, 1 + size / 8, 0, NOISE, 16, 1, 0};
        check(cpu, device, &c, NULL, &rng);
    }
    rug_context_free(cpu);
    rug_context_free(device);
}

/* Pictures full of ties, steps, scales, 8 and 16 bits. */
static void all_kinds(void **state)
{
    (void)state;
    rug_context *device = ocl_context(), *cpu = test_context();
    uint64_t rng = SEED + 1;
    for (int kind = 0; kind < N_KINDS; kind++)
        for (uint32_t size = 2; size <= 8; size += size < 4 ? 1 : 4) {
            search_case c = {27, 32,   size, 1 + size % 3,
                             0,  kind, 8,    0.25 * (1 + (kind + (int)size) % 4),
                             0};
            check(cpu, device, &c, NULL, &rng);
            c.bits = 16;
            check(cpu, device, &c, NULL, &rng);
        }
    rug_context_free(cpu);
    rug_context_free(device);
}

/* Many blocks and batches, chunks that are not whole, and hits that find no room. */
static void all_cuts(void **state)
{
    (void)state;
    static const rugi_ifs_search_cut cuts[] = {
        {1, 1, 1}, {5000, 3, 1}, {40000, 0, 0}, {70000, 2, 1}, {0, 1, 0}};
    rug_context *device = ocl_context(), *cpu = test_context();
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++)
        for (int kind = 0; kind < N_KINDS; kind++) {
            uint64_t rng = SEED + 2;
            search_case c = {40, 37, i % 2 == 0 ? 4 : 2, 1, 0, kind, 8, 1, 0};
            if (cuts[i].block_bytes == 1)
                c.step = 3;
            check(cpu, device, &c, &cuts[i], &rng);
        }
    rug_context_free(cpu);
    rug_context_free(device);
}

/* In stripes nearly all domains are as good as each other: there are many more hits than
 * there is room for. */
static void all_the_same(void **state)
{
    (void)state;
    static const rugi_ifs_search_cut cut = {0, 0, 1};
    const search_case c = {4, 600, 2, 1, 0, NOISE, 16, 1, 1};
    rug_context *device = ocl_context(), *cpu = test_context();
    uint64_t rng = SEED + 5;
    check(cpu, device, &c, &cut, &rng);
    rug_context_free(cpu);
    rug_context_free(device);
}

static void failing_memory(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    rug_context_free(device);
    static const rugi_ifs_search_cut cut = {4096, 2, 0};
    const search_case c = {20, 20, 4, 1, 0, NOISE, 8, 1, 0};
    uint64_t rng = SEED + 3;
    rugi_ifs_plane plane;
    rugi_ifs_search_job job = make_job(&c, &plane, &rng);
    rug_status status = RUG_E_NOMEM;
    size_t n_fails = 0;
    while (status != RUG_OK) {
        memory m = {.fail_at = n_fails + 1};
        device = ocl_context();
        memory_hook(device, &m);
        status = search_by(device, &job, &cut);
        if (status != RUG_OK) {
            assert_int_equal(status, RUG_E_NOMEM);
            n_fails++;
        }
        rug_context_free(device);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
    }
    assert_in_range(n_fails, 30, 200);
    free_job(&job);
}

static void progress_and_cancelling(void **state)
{
    (void)state;
    static const rugi_ifs_search_cut cut = {4096, 2, 0};
    const search_case c = {24, 24, 4, 1, 0, NOISE, 8, 1, 0};
    uint64_t rng = SEED + 4;
    rugi_ifs_plane plane;
    rug_context *device = ocl_context();
    rugi_ifs_search_job job = make_job(&c, &plane, &rng);
    int n_calls = 1;
    for (int cancel_at = 0; cancel_at < n_calls; cancel_at += 1 + n_calls / 15) {
        watch w = {.cancel_at = cancel_at};
        rug_context_set_threads(device, 1);
        rug_context_set_progress(device, see_progress, &w);
        rug_context_set_cancel(device, see_cancel, &w);
        assert_int_equal(search_by(device, &job, &cut),
                         cancel_at ? RUG_E_CANCELLED : RUG_OK);
        if (cancel_at == 0)
            n_calls = w.n_calls;
    }
    assert_true(n_calls > 60);
    watch w = {.cancel_at = 0};
    rug_context_set_progress(device, see_progress, &w);
    rug_context_set_cancel(device, NULL, NULL);
    assert_int_equal(rugi_ifs_search(device, &job), RUG_OK);
    assert_int_equal(w.n_backwards, 0);
    assert_true(w.last > 0.999);
    assert_string_equal(job.engine, "opencl:0");
    free_job(&job);
    rug_context_free(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sizes),      cmocka_unit_test(all_kinds),
        cmocka_unit_test(all_cuts),       cmocka_unit_test(all_the_same),
        cmocka_unit_test(failing_memory), cmocka_unit_test(progress_and_cancelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
