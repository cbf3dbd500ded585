/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The walk over an engine table: what each device choice runs, and what is reported. */

#include "support.h"

#include "core/context/engine.h"
#include "memory_support.h"
#include <stdio.h>

typedef struct job {
    rug_status gpu_answer;
    int gpu_pays;
    int n_gpu, n_cpu;
} job;

typedef struct told {
    int n;
    char text[256];
} told;

static rug_status run_gpu(rug_context *ctx, void *user)
{
    job *j = user;
    j->n_gpu++;
    return j->gpu_answer == RUG_OK ? RUG_OK
                                   : rug_context_fail(ctx, j->gpu_answer, "gone");
}

static rug_status run_cpu(rug_context *ctx, void *user)
{
    (void)ctx;
    ((job *)user)->n_cpu++;
    return RUG_OK;
}

static int pays(rug_context *ctx, const void *user)
{
    (void)ctx;
    return ((const job *)user)->gpu_pays;
}

static const rugi_engine table[] = {
    {"opencl", RUGI_DEVICE_OPENCL, run_gpu, pays},
    {"cpu", RUGI_DEVICE_CPU, run_cpu, NULL},
};

static void keep(void *user, const char *text)
{
    told *t = user;
    t->n++;
    snprintf(t->text, sizeof t->text, "%s", text);
}

static void assert_run(rug_context *ctx, const char *device, job j, rug_status status,
                       int n_gpu, int n_cpu)
{
    assert_int_equal(rug_context_set_device(ctx, device), RUG_OK);
    assert_int_equal(rugi_engine_run(ctx, table, 2, &j), status);
    assert_int_equal(j.n_gpu, n_gpu);
    assert_int_equal(j.n_cpu, n_cpu);
}

static void the_choice_decides(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    told t = {0};
    rug_context_set_warn(ctx, keep, &t);
    assert_run(ctx, "cpu", (job){.gpu_pays = 1}, RUG_OK, 0, 1);
    assert_run(ctx, "auto", (job){.gpu_pays = 1}, RUG_OK, 1, 0);
    assert_run(ctx, "auto", (job){.gpu_pays = 0}, RUG_OK, 0, 1);
    assert_run(ctx, "opencl", (job){.gpu_pays = 0}, RUG_OK, 1, 0); /* it was asked for */
    assert_run(ctx, "opencl:3", (job){.gpu_pays = 0}, RUG_OK, 1, 0);
    assert_int_equal(t.n, 0);
    rug_context_free(ctx);
}

static void a_named_device_fails_honestly(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    told t = {0};
    rug_context_set_warn(ctx, keep, &t);
    job j = {.gpu_answer = RUG_E_DEVICE};
    assert_run(ctx, "opencl:0", j, RUG_E_DEVICE, 1, 0);
    assert_string_equal(rug_context_error(ctx), "gone");
    assert_int_equal(t.n, 0);
    rug_context_free(ctx);
}

/* One line, however many images there are; another choice tells again. */
static void auto_falls_back_and_tells_once(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    told t = {0};
    job j = {.gpu_answer = RUG_E_DEVICE, .gpu_pays = 1};
    rug_context_set_warn(ctx, keep, &t);
    assert_int_equal(rug_context_set_device(ctx, "auto"), RUG_OK);
    for (int i = 1; i <= 3; i++) {
        assert_int_equal(rugi_engine_run(ctx, table, 2, &j), RUG_OK);
        assert_int_equal(j.n_cpu, i);
        assert_int_equal(t.n, 1);
    }
    assert_string_equal(t.text, "engine opencl failed (gone); going on with cpu");
    assert_run(ctx, "auto", j, RUG_OK, 4, 4);
    assert_int_equal(t.n, 2);
    rug_context_free(ctx);
}

/* Only a device's failure is a reason to try another. */
static void other_failures_are_final(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    assert_run(ctx, "auto", (job){.gpu_answer = RUG_E_NOMEM, .gpu_pays = 1}, RUG_E_NOMEM,
               1, 0);
    assert_run(ctx, "auto", (job){.gpu_answer = RUG_E_CANCELLED, .gpu_pays = 1},
               RUG_E_CANCELLED, 1, 0);
    rug_context_free(ctx);
}

static void work_without_the_engine(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    job j = {0};
    assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
    assert_int_equal(rugi_engine_run(ctx, table + 1, 1, &j), RUG_E_DEVICE);
    assert_int_equal(j.n_cpu, 0);
    assert_non_null(strstr(rug_context_error(ctx), "no OpenCL engine"));
    assert_int_equal(rugi_engine_cpu_only(ctx, "sorting"), RUG_E_DEVICE);
    assert_non_null(strstr(rug_context_error(ctx), "sorting"));
    assert_int_equal(rug_context_set_device(ctx, "auto"), RUG_OK);
    assert_int_equal(rugi_engine_cpu_only(ctx, "sorting"), RUG_OK);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_choice_decides),
        cmocka_unit_test(a_named_device_fails_honestly),
        cmocka_unit_test(auto_falls_back_and_tells_once),
        cmocka_unit_test(other_failures_are_final),
        cmocka_unit_test(work_without_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
