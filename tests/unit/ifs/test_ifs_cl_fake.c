/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fractal coding on a device that fails at each of its calls, by a library of OpenCL
 * that is made up (support/fake_opencl.c, which CMake puts before the machine's). Its
 * kernels find nothing and fill nothing. */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "ifs/stream/ifs_planes.h"
#include "ifs_search_support.h"
#include "ifs_stream_support.h"
#include "memory_support.h"
#include "ocl_support.h"

#define SIDE 24

static void pretend(const char *failure)
{
    setenv("FAKE_OPENCL", "gpu:8192", 1);
    setenv("FAKE_OPENCL_FAIL", failure, 1);
    setenv("FAKE_OPENCL_GROUP", "256", 1);
    setenv(
        "FAKE_OPENCL_ARGS",
        "ifs_screen=9 ifs_collect=10 ifs_means=7 ifs_tree_pixels=14 ifs_block_pixels=11",
        1);
}

static rug_status search(rug_context *ctx, const rugi_ifs_plane *plane, uint32_t size)
{
    static rugi_ifs_match matches[SIDE * SIDE];
    rugi_ifs_search_job job = {.image = plane,
                               .source = plane,
                               .size = size,
                               .step = 1,
                               .s_max = 1,
                               .matches = matches};
    rugi_ifs_place *places = new_places(plane, size, 0, &job.n_ranges);
    job.ranges = places;
    rug_status status = rugi_ifs_search(ctx, &job);
    free(places);
    return status;
}

/* What is done with a device: 0, a search; 1 and 2, the decoding of a tree and of
 * blocks. */
static rug_status work(rug_context *ctx, int what, const rugi_ifs_plane *plane,
                       const rug_ifs_stream streams[2])
{
    rug_ifs_picture picture;
    rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
    o.scale = 2;
    if (what == 0)
        return search(ctx, plane, 4);
    const rug_ifs_stream *s = &streams[what - 1];
    rug_status status = rug_ifs_decompress(ctx, &picture, s->bytes, s->size, &o);
    if (status != RUG_OK)
        assert_null(picture.pixels);
    rug_ifs_picture_free(ctx, &picture);
    return status;
}

/* Nothing is left behind, whatever happens. */
static void check(int what, const char *device, const rugi_ifs_plane *plane,
                  const rug_ifs_stream streams[2], const char *failure,
                  rug_status expected)
{
    memory m = {.fail_at = 0};
    rug_context *ctx = test_context();
    memory_hook(ctx, &m);
    pretend(failure);
    assert_int_equal(rug_context_set_device(ctx, device), RUG_OK);
    rug_status status = work(ctx, what, plane, streams);
    if (status != expected)
        fail_msg("work %d, %s, %s: status %d", what, device, failure, status);
    if (status != RUG_OK)
        assert_error_part(ctx, strchr(failure, '=') + 1);
    rug_context_free(ctx);
    assert_int_equal(m.n_live, 0);
    assert_int_equal(m.n_wrong, 0);
}

static void fails_at_each_call(void **state)
{
    (void)state;
    static const struct {
        const char *failure;
        int of_search_alone;
    } calls[] = {
        {"clCreateContext=-6", 0},      {"clCreateProgramWithSource=-6", 0},
        {"clBuildProgram=-11", 0},      {"clCreateKernel=-46", 0},
        {"clSetKernelArg=-51", 0},      {"clCreateBuffer=-4", 0},
        {"clEnqueueWriteBuffer=-4", 0}, {"clEnqueueNDRangeKernel=-54", 0},
        {"clEnqueueReadBuffer=-5", 0},  {"event=-14", 0},
        {"clWaitForEvents=-14", 1},
    };
    uint64_t rng = 5;
    rugi_ifs_plane plane = {new_picture(&rng, SIDE, SIDE, NOISE, 8), SIDE, SIDE};
    rug_context *cpu = test_context();
    const rugi_ifs_header headers[2] = {header_of(0), header_of(6)};
    rug_ifs_stream streams[2] = {random_stream(cpu, &headers[0], 1),
                                 random_stream(cpu, &headers[1], 2)};
    for (int what = 0; what < 3; what++) {
        check(what, "opencl", &plane, streams, "", RUG_OK);
        for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
            const int is_spared = what > 0 && calls[k].of_search_alone;
            check(what, "opencl", &plane, streams, calls[k].failure,
                  is_spared ? RUG_OK : RUG_E_DEVICE);
            /* `auto` takes no device */
            check(what, "auto", &plane, streams, calls[k].failure, RUG_OK);
        }
    }
    for (int i = 0; i < 2; i++)
        rug_ifs_stream_free(cpu, &streams[i]);
    rug_context_free(cpu);
    free(plane.pixels);
}

/* Groups of one item do the same work. */
static void small_groups(void **state)
{
    (void)state;
    uint64_t rng = 6;
    rugi_ifs_plane plane = {new_picture(&rng, SIDE, SIDE, NOISE, 8), SIDE, SIDE};
    rug_context *ctx = test_context();
    pretend("");
    setenv("FAKE_OPENCL_GROUP", "1", 1);
    assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
    assert_int_equal(search(ctx, &plane, 3), RUG_OK);
    rug_context_free(ctx);
    free(plane.pixels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fails_at_each_call),
        cmocka_unit_test(small_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
