/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of fractal coding on small pictures: the screen for a size with loops of
 * constant length and for an odd one, the collection of ties, and streams of all
 * partitions. */

#include "kernels.h"

#include "ifs/ifs_stream_support.h"

#include "ifs/ifs_search_support.h"
#include "ifs/stream/ifs_planes.h"

static void search(rug_context *device, rug_context *cpu, uint32_t size, int kind)
{
    enum { NY = 15, NX = 21, MOST = 100 };
    uint64_t rng = 3;
    rugi_ifs_plane plane = {new_picture(&rng, NY, NX, kind, 8), NX, NY};
    rugi_ifs_match expected[MOST], got[MOST];
    rugi_ifs_search_job job = {
        .image = &plane, .source = &plane, .size = size, .step = 2, .s_max = 1};
    rugi_ifs_place *places = new_places(&plane, size, 0, &job.n_ranges);
    assert_true(job.n_ranges <= MOST);
    job.ranges = places;
    job.matches = expected;
    assert_int_equal(rugi_ifs_search(cpu, &job), RUG_OK);
    job.matches = got;
    if (rugi_ifs_search(device, &job) != RUG_OK)
        fail_msg("%s", rug_context_error(device));
    assert_memory_equal(got, expected, job.n_ranges * sizeof *got);
    free(places);
    free(plane.pixels);
}

static void decode(rug_context *device, rug_context *cpu, unsigned header)
{
    rugi_ifs_header h = header_of(header);
    rug_ifs_stream s = random_stream(cpu, &h, 1);
    rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
    rug_ifs_picture expected = RUG_IFS_PICTURE_INIT, got = expected;
    o.iterations = 2;
    o.scale = 2;
    assert_int_equal(rug_ifs_decompress(cpu, &expected, s.bytes, s.size, &o), RUG_OK);
    if (rug_ifs_decompress(device, &got, s.bytes, s.size, &o) != RUG_OK)
        fail_msg("%s", rug_context_error(device));
    assert_memory_equal(got.pixels, expected.pixels,
                        (size_t)got.n_planes * got.nx * got.ny *
                            rug_dtype_size(got.dtype));
    rug_ifs_picture_free(cpu, &expected);
    rug_ifs_picture_free(device, &got);
    rug_ifs_stream_free(cpu, &s);
}

void run_kernels(rug_context *device)
{
    static const unsigned headers[] = {3, 7, 10};
    rug_context *cpu = test_context();
    search(device, cpu, 4, NOISE);
    search(device, cpu, 3, TWO_VALUES);
    search(device, cpu, 2, BLOCKS);
    for (int i = 0; i < 3; i++)
        decode(device, cpu, headers[i]);
    rug_context_free(cpu);
}
