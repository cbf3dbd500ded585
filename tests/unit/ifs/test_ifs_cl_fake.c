/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fractal coding on a device that fails at each of its calls, by a library of OpenCL that is
 * made up (support/fake_opencl.c, which CMake puts before the machine's). Its kernels find
 * nothing and fill nothing. */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "ifs_stream_support.h"

#include "fake_support.h"
#include "ifs/stream/ifs_planes.h"
#include "ifs_search_support.h"

#define SIDE 24

static void make_device(const char *group)
{
    fake_devices("gpu:8192",
                 "ifs_screen=9 ifs_collect=10 ifs_means=7 ifs_tree_pixels=14 "
                 "ifs_block_pixels=11",
                 group);
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

static rug_status search_plane(rug_context *ctx, const void *plane)
{
    return search(ctx, plane, 4);
}

static rug_status decode(rug_context *ctx, const void *stream)
{
    const rug_ifs_stream *s = stream;
    rug_ifs_picture picture = RUG_IFS_PICTURE_INIT;
    rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
    o.scale = 2;
    rug_status status = rug_ifs_decompress(ctx, &picture, s->bytes, s->size, &o);
    if (status != RUG_OK)
        assert_null(picture.pixels);
    rug_ifs_picture_free(ctx, &picture);
    return status;
}

static void fails_at_each_call(void **state)
{
    (void)state;
    uint64_t rng = 5;
    rugi_ifs_plane plane = {new_picture(&rng, SIDE, SIDE, NOISE, 8), SIDE, SIDE};
    rug_context *cpu = test_context();
    const rugi_ifs_header headers[2] = {header_of(0), header_of(6)}; /* tree, blocks */
    make_device("256");
    fake_fail_each(FAKE_WRITE | FAKE_READ | FAKE_AWAIT, 1, search_plane, &plane);
    for (unsigned i = 0; i < 2; i++) {
        rug_ifs_stream stream = random_stream(cpu, &headers[i], 1 + i);
        fake_fail_each(FAKE_WRITE | FAKE_READ, 1, decode, &stream);
        rug_ifs_stream_free(cpu, &stream);
    }
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
    make_device("1");
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
