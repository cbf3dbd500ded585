/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fractal streams on an OpenCL device: the same pictures as the processor makes, and the
 * same streams. */

#include "support.h"

#include "ifs/stream/ifs_planes.h"
#include "ifs_stream_support.h"
#include "memory_support.h"
#include "ocl_support.h"
#include <stdio.h>

/* A stream decoded by the processor and by the device. */
static void check(rug_context *cpu, rug_context *device, const rug_ifs_stream *s,
                  const rug_ifs_decode_options *o, const char *text)
{
    rug_ifs_picture expected = RUG_IFS_PICTURE_INIT, got = expected;
    assert_int_equal(rug_ifs_decompress(cpu, &expected, s->bytes, s->size, o), RUG_OK);
    if (rug_ifs_decompress(device, &got, s->bytes, s->size, o) != RUG_OK)
        fail_msg("%s: %s", text, rug_context_error(device));
    assert_int_equal(got.nx, expected.nx);
    assert_int_equal(got.ny, expected.ny);
    const size_t n = (size_t)got.nx * got.ny * (size_t)got.n_planes;
    if (memcmp(got.pixels, expected.pixels, n * rug_dtype_size(got.dtype)) != 0)
        fail_msg("%s: pictures differ", text);
    rug_ifs_picture_free(cpu, &expected);
    rug_ifs_picture_free(device, &got);
}

static void all_streams(void **state)
{
    (void)state;
    rug_context *device = ocl_context(), *cpu = test_context();
    for (unsigned i = 0; i < N_HEADERS; i++) {
        rugi_ifs_header h = header_of(i);
        rug_ifs_stream s = random_stream(cpu, &h, 160 + i);
        rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
        char text[64];
        snprintf(text, sizeof text, "header %u", i);
        check(cpu, device, &s, &o, text);
        o.iterations = 3;
        o.scale = 1.7;
        check(cpu, device, &s, &o, text);
        o.scale = i % 3 == 0 ? 4 : 0.4;
        check(cpu, device, &s, &o, text);
        rug_ifs_stream_free(cpu, &s);
    }
    rug_context_free(cpu);
    rug_context_free(device);
}

static void all_octaves(void **state)
{
    (void)state;
    static const unsigned some[] = {2, 3, 7, 10};
    rug_context *device = ocl_context(), *cpu = test_context();
    for (unsigned i = 0; i < 4; i++) {
        rugi_ifs_header h = header_of(some[i]);
        rug_ifs_stream s = random_stream(cpu, &h, 180 + i);
        rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
        o.scale = 16;
        check(cpu, device, &s, &o, "16 times as large");
        rug_ifs_stream_free(cpu, &s);
    }
    rug_context_free(cpu);
    rug_context_free(device);
}

/* Frames of a decoding, one behind the other. */
typedef struct frames {
    uint8_t *pixels;
    size_t n;
} frames;

static rug_status keep(void *user, uint32_t iteration, const rug_ifs_picture *p)
{
    frames *f = user;
    const size_t n =
        (size_t)p->nx * p->ny * (size_t)p->n_planes * rug_dtype_size(p->dtype);
    assert_int_equal(f->n, iteration * n);
    f->pixels = realloc(f->pixels, f->n + n);
    assert_non_null(f->pixels);
    memcpy(f->pixels + f->n, p->pixels, n);
    f->n += n;
    return RUG_OK;
}

static void all_frames(void **state)
{
    (void)state;
    rug_context *device = ocl_context(), *cpu = test_context();
    for (unsigned i = 0; i < N_HEADERS; i++) {
        rugi_ifs_header h = header_of(i);
        rug_ifs_stream s = random_stream(cpu, &h, 200 + i);
        frames kept[2] = {{NULL, 0}, {NULL, 0}};
        for (int k = 0; k < 2; k++) {
            rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
            rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
            o.iterations = 2;
            o.frame = keep;
            o.user = &kept[k];
            rug_context *ctx = k == 0 ? cpu : device;
            assert_int_equal(rug_ifs_decompress(ctx, &p, s.bytes, s.size, &o), RUG_OK);
            assert_string_equal(rug_context_engine(ctx), k == 0 ? "cpu" : "opencl:0");
            rug_ifs_picture_free(ctx, &p);
        }
        assert_int_equal(kept[0].n, kept[1].n);
        assert_memory_equal(kept[0].pixels, kept[1].pixels, kept[0].n);
        free(kept[0].pixels);
        free(kept[1].pixels);
        rug_ifs_stream_free(cpu, &s);
    }
    rug_context_free(cpu);
    rug_context_free(device);
}

/* A smooth picture with a little noise, of either dtype. */
static void fill(void *pixels, rug_dtype dtype, size_t ny, size_t nx)
{
    uint64_t rng = 7;
    for (size_t y = 0; y < ny; y++)
        for (size_t x = 0; x < nx; x++) {
            const unsigned v = (unsigned)(100 + (x * x / 9 + y * x / 7 + 3 * y) % 90 +
                                          test_below(&rng, 5));
            if (dtype == RUG_U8)
                ((uint8_t *)pixels)[y * nx + x] = (uint8_t)v;
            else
                ((uint16_t *)pixels)[y * nx + x] = (uint16_t)(v * 251);
        }
}

static void same_streams(void **state)
{
    (void)state;
    enum { NY = 45, NX = 70 };
    static uint16_t pixels[NY * NX];
    static const rug_ifs_partition partitions[] = {RUG_IFS_QUADTREE, RUG_IFS_FIXED,
                                                   RUG_IFS_OVERLAP};
    rug_context *device = ocl_context(), *cpu = test_context();
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            const rug_dtype dtype = k == 0 ? RUG_U8 : RUG_U16;
            rug_image img;
            rug_ifs_stream expected, got;
            rug_ifs_options o = RUG_IFS_OPTIONS_INIT;
            o.version = 1;
            o.partition = partitions[i];
            if (i > 0)
                o.range_size = i == 1 ? 5 : 4;
            o.domain_wrap = i > 0 && k == 0;
            fill(pixels, dtype, NY, NX);
            assert_int_equal(
                rug_image_view(cpu, &img, pixels, dtype, 2, (size_t[]){NY, NX}), RUG_OK);
            assert_int_equal(rug_ifs_compress(cpu, &expected, &img, 1, &o), RUG_OK);
            if (rug_ifs_compress(device, &got, &img, 1, &o) != RUG_OK)
                fail_msg("%s", rug_context_error(device));
            assert_string_equal(rug_context_engine(device), "opencl:0");
            assert_true(strncmp(rug_context_engine(cpu), "cpu-", 4) == 0);
            assert_int_equal(got.size, expected.size);
            assert_memory_equal(got.bytes, expected.bytes, got.size);
            rug_ifs_stream_free(cpu, &expected);
            rug_ifs_stream_free(device, &got);
        }
    rug_context_free(cpu);
    rug_context_free(device);
}

static void same_enlargement(void **state)
{
    (void)state;
    enum { NY = 21, NX = 34 };
    static uint8_t pixels[NY * NX];
    rug_context *device = ocl_context(), *cpu = test_context();
    rug_image img;
    rug_ifs_picture expected = RUG_IFS_PICTURE_INIT, got = expected;
    fill(pixels, RUG_U8, NY, NX);
    assert_int_equal(rug_image_view(cpu, &img, pixels, RUG_U8, 2, (size_t[]){NY, NX}),
                     RUG_OK);
    assert_int_equal(rug_ifs_upscale(cpu, &expected, &img, 1, NULL), RUG_OK);
    assert_int_equal(rug_ifs_upscale(device, &got, &img, 1, NULL), RUG_OK);
    assert_memory_equal(got.pixels, expected.pixels, (size_t)got.nx * got.ny);
    rug_ifs_picture_free(cpu, &expected);
    rug_ifs_picture_free(device, &got);
    rug_context_free(cpu);
    rug_context_free(device);
}

static void failing_memory(void **state)
{
    (void)state;
    rug_context *cpu = test_context();
    rug_context_free(ocl_context());
    for (unsigned i = 0; i < 2; i++) {
        rugi_ifs_header h = header_of(i == 0 ? 0 : 7);
        rug_ifs_stream s = random_stream(cpu, &h, 220 + i);
        rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
        rug_status status = RUG_E_NOMEM;
        o.scale = 2;
        for (size_t at = 1; status != RUG_OK; at++) {
            memory m = {.fail_at = at};
            rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
            rug_context *device = ocl_context();
            memory_hook(device, &m);
            status = rug_ifs_decompress(device, &p, s.bytes, s.size, &o);
            if (status == RUG_OK)
                assert_in_range(at, 20, 300);
            else
                assert_int_equal(status, RUG_E_NOMEM);
            rug_ifs_picture_free(device, &p);
            rug_context_free(device);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
        }
        rug_ifs_stream_free(cpu, &s);
    }
    rug_context_free(cpu);
}

static int see_cancel(void *user)
{
    int *left = user;
    return (*left)-- <= 0;
}

static void cancelling(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    for (unsigned i = 0; i < N_HEADERS; i += 7) {
        rugi_ifs_header h = header_of(i);
        rug_ifs_stream s = random_stream(device, &h, 240 + i);
        rug_status status = RUG_E_CANCELLED;
        for (int n = 0; status != RUG_OK; n += 1 + n / 8) {
            int left = n;
            rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
            rug_context_set_cancel(device, see_cancel, &left);
            status = rug_ifs_decompress(device, &p, s.bytes, s.size, NULL);
            if (status == RUG_OK)
                assert_true(n > 10);
            else
                assert_int_equal(status, RUG_E_CANCELLED);
            rug_ifs_picture_free(device, &p);
        }
        rug_context_set_cancel(device, NULL, NULL);
        rug_ifs_stream_free(device, &s);
    }
    rug_context_free(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_streams),      cmocka_unit_test(all_octaves),
        cmocka_unit_test(all_frames),       cmocka_unit_test(same_streams),
        cmocka_unit_test(same_enlargement), cmocka_unit_test(failing_memory),
        cmocka_unit_test(cancelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
