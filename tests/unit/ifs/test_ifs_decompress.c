/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Streams to pictures: sizes, colours, iterations, limits. */

#include "support.h"

#include "ifs/decode/ifs_decode.h"
#include "ifs/decode/ifs_picture.h"
#include "ifs_naive_support.h"
#include "ifs_stream_support.h"
#include "memory_support.h"

/* A plane of a stream at a size, in 1/64 of a grey level. */
static int32_t *naive_plane_of(rug_context *ctx, const rugi_ifs_header *h,
                               const rugi_ifs_part *part, int plane, int iterations,
                               int nx, int ny)
{
    int octave = 0;
    naive_plane p;
    while ((int)h->nx << octave < nx || (int)h->ny << octave < ny)
        octave++;
    if (h->partition == RUG_IFS_QUADTREE) {
        rugi_ifs_tree tree;
        rugi_ifs_frame f = rugi_ifs_frame_of(h, plane);
        assert_int_equal(
            rugi_ifs_read_tree(ctx, &tree, &f, part->bytes, part->n, SIZE_MAX), RUG_OK);
        p = naive_decode(&tree, iterations, octave, h->deblock);
        rugi_ifs_tree_free(ctx, &tree);
    } else {
        rugi_ifs_blocks b;
        rugi_ifs_block_frame f = rugi_ifs_block_frame_of(h, plane);
        assert_int_equal(rugi_ifs_read_blocks(ctx, &b, &f, part->bytes, part->n), RUG_OK);
        p = naive_blocks_decode(&b, iterations, octave);
        rugi_ifs_blocks_free(ctx, &b);
    }
    int32_t *out = malloc(sizeof *out * (size_t)(nx * ny));
    naive_resize(out, nx, ny, p.at, p.nx, (int)h->nx << octave, (int)h->ny << octave);
    free(p.at);
    return out;
}

static int pixel_of(const rug_ifs_picture *p, int plane, int i)
{
    size_t at = (size_t)plane * p->nx * p->ny + (size_t)i;
    return p->dtype == RUG_U16 ? ((const uint16_t *)p->pixels)[at]
                               : ((const uint8_t *)p->pixels)[at];
}

static int limit(int64_t v, int most)
{
    return v < 0 ? 0 : v > most ? most : (int)v;
}

static void check_picture(rug_context *ctx, const rug_ifs_stream *s, int iterations,
                          const rug_ifs_picture *p)
{
    rugi_ifs_header h;
    rugi_ifs_part parts[RUG_IFS_PLANES_MAX];
    int32_t *planes[3] = {NULL, NULL, NULL};
    int nx = (int)p->nx, ny = (int)p->ny;
    assert_int_equal(rugi_ifs_container_read(ctx, &h, parts, s->bytes, s->size), RUG_OK);
    assert_int_equal(p->n_planes, h.n_planes);
    assert_int_equal(p->dtype, h.depth == 16 ? RUG_U16 : RUG_U8);
    for (int i = 0; i < h.n_planes; i++)
        planes[i] = naive_plane_of(ctx, &h, &parts[i], i, iterations, nx, ny);
    int most = (1 << h.depth) - 1;
    for (int at = 0; at < nx * ny; at++) {
        int64_t g[3] = {0}, c[3];
        for (int i = 0; i < h.n_planes; i++)
            g[i] = limit(naive_floor(planes[i][at] + 32, 64),
                         h.is_ycocg && i > 0 ? 2 * most + 1 : most);
        memcpy(c, g, sizeof c);
        if (h.is_ycocg) {
            int64_t co = g[1] - most - 1, cg = g[2] - most - 1;
            int64_t t = g[0] - naive_floor(cg, 2);
            c[1] = cg + t;
            c[2] = t - naive_floor(co, 2);
            c[0] = c[2] + co;
        }
        for (int i = 0; i < h.n_planes; i++)
            if (pixel_of(p, i, at) != limit(c[i], most))
                fail_msg("plane %d, pixel %d of %d x %d: %d, %d expected", i, at, nx, ny,
                         pixel_of(p, i, at), limit(c[i], most));
    }
    for (int i = 0; i < 3; i++)
        free(planes[i]);
}

/* Sizes by number or scale, at every CPU level and number of threads. */
static void check_size(rug_context *ctx, const rug_ifs_stream *s, int iterations,
                       const rug_ifs_decode_options *o, uint32_t nx, uint32_t ny)
{
    rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
    uint32_t crc = 0;
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++)
        for (int threads = 1; threads <= 4; threads += 3) {
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            rug_context_set_threads(ctx, threads);
            assert_int_equal(rug_ifs_decompress(ctx, &p, s->bytes, s->size, o), RUG_OK);
            assert_int_equal(p.nx, nx);
            assert_int_equal(p.ny, ny);
            if (level == RUG_CPU_REF && threads == 1) {
                check_picture(ctx, s, iterations, &p);
                crc = crc_of(&p);
            }
            assert_int_equal(crc_of(&p), crc);
            rug_ifs_picture_free(ctx, &p);
            assert_null(p.pixels);
        }
}

/* P67, P68: the size of the image, unless asked otherwise. */
static void test_sizes(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    for (unsigned i = 0; i < N_HEADERS; i++) {
        rugi_ifs_header h = header_of(i);
        rug_ifs_stream s = random_stream(ctx, &h, 60 + i);
        rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
        check_size(ctx, &s, (int)h.iterations, &o, h.nx, h.ny);
        o.iterations = 2;
        o.scale = 2;
        check_size(ctx, &s, 2, &o, 2 * h.nx, 2 * h.ny);
        o.scale = 0.4;
        uint32_t nx = (uint32_t)(h.nx * 0.4 + 0.5), ny = (uint32_t)(h.ny * 0.4 + 0.5);
        check_size(ctx, &s, 2, &o, nx > 0 ? nx : 1, ny > 0 ? ny : 1);
        o.nx = h.nx + h.nx / 3 + 1;
        o.ny = (h.ny + 1) / 2;
        check_size(ctx, &s, 2, &o, o.nx, o.ny);
        rug_ifs_stream_free(ctx, &s);
    }
    rug_context_free(ctx);
}

static void test_large(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    static const unsigned some[] = {2, 3, 7, 10};
    for (unsigned i = 0; i < 4; i++) {
        rugi_ifs_header h = header_of(some[i]);
        rug_ifs_stream s = random_stream(ctx, &h, 80 + i);
        rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
        rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
        o.scale = 16;
        assert_int_equal(rug_ifs_decompress(ctx, &p, s.bytes, s.size, &o), RUG_OK);
        assert_int_equal(p.nx, 16 * h.nx);
        if (h.partition == RUG_IFS_FIXED)
            check_picture(ctx, &s, (int)h.iterations, &p);
        rug_ifs_picture_free(ctx, &p);
        rug_ifs_stream_free(ctx, &s);
    }
    rug_context_free(ctx);
}

typedef struct frames {
    rug_context *ctx;
    const rug_ifs_stream *stream;
    uint32_t n, stop_at, last_crc;
} frames;

static rug_status see(void *user, uint32_t iteration, const rug_ifs_picture *p)
{
    frames *f = user;
    assert_int_equal(iteration, f->n);
    if (iteration < 3)
        check_picture(f->ctx, f->stream, (int)iteration, p);
    f->last_crc = crc_of(p);
    return f->n++ == f->stop_at ? RUG_E_IO : RUG_OK;
}

static void test_frames(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    static const unsigned some[] = {0, 1, 6, 8, 9};
    for (unsigned i = 0; i < 5; i++) {
        rugi_ifs_header h = header_of(some[i]);
        rug_ifs_stream s = random_stream(ctx, &h, 90 + i);
        rug_ifs_picture p = RUG_IFS_PICTURE_INIT, plain = p;
        frames f = {test_context(), &s, 0, 1000, 0};
        rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
        o.frame = see;
        o.user = &f;
        assert_int_equal(rug_ifs_decompress(ctx, &p, s.bytes, s.size, &o), RUG_OK);
        assert_int_equal(f.n, h.iterations + 1);
        assert_int_equal(rug_ifs_decompress(ctx, &plain, s.bytes, s.size, NULL), RUG_OK);
        assert_int_equal(crc_of(&p), crc_of(&plain));
        assert_int_equal(crc_of(&p), f.last_crc);
        rug_ifs_picture_free(ctx, &p);
        rug_ifs_picture_free(ctx, &plain);
        f.n = 0;
        f.stop_at = 1;
        assert_int_equal(rug_ifs_decompress(ctx, &p, s.bytes, s.size, &o), RUG_E_IO);
        assert_int_equal(f.n, 2);
        assert_null(p.pixels);
        rug_ifs_stream_free(ctx, &s);
        rug_context_free(f.ctx);
    }
    rug_context_free(ctx);
}

static void refuse(rug_context *ctx, const rug_ifs_stream *s,
                   const rug_ifs_decode_options *o, const char *text)
{
    rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
    assert_int_equal(rug_ifs_decompress(ctx, &p, s->bytes, s->size, o), RUG_E_ARG);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("'%s' expected in '%s'", text, rug_context_error(ctx));
    assert_null(p.pixels);
}

static void test_options(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    rugi_ifs_header h = header_of(1);
    rug_ifs_stream s = random_stream(ctx, &h, 7);
    const rug_ifs_decode_options defaults = RUG_IFS_DECODE_OPTIONS_INIT;
    static const double scales[] = {0.24, 16.1, 0, -1, NAN, INFINITY};
    for (int i = 0; i < 6; i++) {
        rug_ifs_decode_options o = defaults;
        o.scale = scales[i];
        refuse(ctx, &s, &o, "0.25..16 expected");
    }
    rug_ifs_decode_options o = defaults;
    o.nx = 64;
    refuse(ctx, &s, &o, "both sides");
    o.ny = 15;
    refuse(ctx, &s, &o, "16..1024 x 16..1024");
    o.ny = 1025;
    refuse(ctx, &s, &o, "16..1024 x 16..1024");
    o = defaults;
    o.iterations = 65;
    refuse(ctx, &s, &o, "65 iterations");
    o = defaults;
    o.pixels_max = 3 * 64 * 64 - 1;
    refuse(ctx, &s, &o, "12288 in all");
    o.pixels_max = 3 * 128 * 128 - 1;
    o.scale = 2;
    refuse(ctx, &s, &o, "128 x 128 pixels");
    o = defaults;
    o.nx = 1024;
    o.ny = 16;
    o.pixels_max = (1 << 20) - 1;
    refuse(ctx, &s, &o, "planes of 1024 x 1024 pixels"); /* what it is reduced from */
    o = defaults;
    o.struct_size = 8;
    refuse(ctx, &s, &o, "struct_size");
    rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
    assert_int_equal(rug_context_set_device(ctx, "opencl:900"), RUG_OK);
    assert_int_equal(rug_ifs_decompress(ctx, &p, s.bytes, s.size, NULL), RUG_E_DEVICE);
    assert_int_equal(rug_context_set_device(ctx, "auto"), RUG_OK);
    assert_int_equal(rug_ifs_decompress(ctx, &p, s.bytes, s.size, NULL), RUG_OK);
    assert_string_equal(rug_context_engine(ctx), "cpu");
    rug_ifs_picture_free(ctx, &p);
    assert_true(p.struct_size == sizeof p && p.pixels == NULL && p.nx == 0);
    p.struct_size = 0;
    assert_int_equal(rug_ifs_decompress(ctx, &p, s.bytes, s.size, NULL), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "rug_ifs_picture"));
    p.struct_size = sizeof p;
    assert_int_equal(rug_ifs_decompress(NULL, &p, s.bytes, s.size, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_decompress(ctx, NULL, s.bytes, s.size, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_decompress(ctx, &p, NULL, 9, NULL), RUG_E_ARG);
    rug_ifs_stream_free(ctx, &s);
    rug_ifs_picture_free(ctx, NULL);
    rug_context_free(ctx);
}

static int cancel_after(void *user)
{
    int *left = user;
    return (*left)-- <= 0;
}

static void test_cancel(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    rug_context_set_threads(ctx, 1);
    static const unsigned some[] = {1, 8};
    for (unsigned i = 0; i < 2; i++) {
        rugi_ifs_header h = header_of(some[i]);
        rug_ifs_stream s = random_stream(ctx, &h, 8);
        rug_status status = RUG_E_CANCELLED;
        int n = 0;
        for (; status != RUG_OK && n < 3000; n += 1 + n / 8) {
            int left = n;
            rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
            rug_context_set_cancel(ctx, cancel_after, &left);
            status = rug_ifs_decompress(ctx, &p, s.bytes, s.size, NULL);
            assert_true(status == RUG_OK || status == RUG_E_CANCELLED);
            assert_true((p.pixels != NULL) == (status == RUG_OK));
            rug_context_set_cancel(ctx, NULL, NULL);
            rug_ifs_picture_free(ctx, &p);
        }
        assert_true(status == RUG_OK && n > 20);
        rug_ifs_stream_free(ctx, &s);
    }
    rug_context_free(ctx);
}

typedef struct progress {
    double last;
    int n, n_back;
} progress;

static void see_progress(void *user, double share)
{
    progress *p = user;
    p->n_back += share < p->last;
    p->n++;
    p->last = share;
}

static rug_status ignore(void *user, uint32_t iteration, const rug_ifs_picture *picture)
{
    (void)user;
    (void)iteration;
    return picture->pixels != NULL ? RUG_OK : RUG_E_IO;
}

static void test_progress(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    for (unsigned i = 0; i < N_HEADERS; i++)
        for (int seen = 0; seen < 2; seen++) {
            rugi_ifs_header h = header_of(i);
            rug_ifs_stream s = random_stream(ctx, &h, 8);
            rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
            rug_ifs_picture picture = RUG_IFS_PICTURE_INIT;
            progress p = {0};
            o.scale = 1.3;
            o.frame = seen ? ignore : NULL;
            rug_context_set_progress(ctx, see_progress, &p);
            assert_int_equal(rug_ifs_decompress(ctx, &picture, s.bytes, s.size, &o),
                             RUG_OK);
            rug_context_set_progress(ctx, NULL, NULL);
            assert_int_equal(p.n_back, 0);
            assert_true(p.n > 2 && p.last == 1);
            rug_ifs_picture_free(ctx, &picture);
            rug_ifs_stream_free(ctx, &s);
        }
    rug_context_free(ctx);
}

static void test_no_memory(void **unused)
{
    (void)unused;
    rug_context *plain = test_context();
    for (unsigned i = 0; i < N_HEADERS; i++) {
        rugi_ifs_header h = header_of(i);
        h.iterations = 1;
        rug_ifs_stream s = random_stream(plain, &h, 9);
        rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
        rug_status status = RUG_E_NOMEM;
        o.scale = 1.5;
        size_t fail_at = 1;
        for (; status != RUG_OK && fail_at < 200; fail_at++) {
            memory m = {.fail_at = fail_at};
            rug_context *ctx = test_context();
            rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
            memory_hook(ctx, &m);
            status = rug_ifs_decompress(ctx, &p, s.bytes, s.size, &o);
            assert_true(status == RUG_OK || status == RUG_E_NOMEM);
            assert_true((p.pixels != NULL) == (status == RUG_OK));
            rug_ifs_picture_free(ctx, &p);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            rug_context_free(ctx);
        }
        assert_true(status == RUG_OK && fail_at > 8);
        rug_ifs_stream_free(plain, &s);
    }
    rug_context_free(plain);
}

/* Colours come back as they were. */
static void test_colours(void **unused)
{
    (void)unused;
    for (int r = 0; r < 256; r += 15)
        for (int g = 0; g < 256; g += 3)
            for (int b = 0; b < 256; b += 5) {
                int32_t c[3] = {r, g, b};
                rugi_ifs_to_ycocg(c, 8);
                assert_true(c[0] >= 0 && c[0] < 256 && c[1] >= 0 && c[1] < 512);
                assert_true(c[2] >= 0 && c[2] < 512);
                rugi_ifs_from_ycocg(c, 8);
                assert_true(c[0] == r && c[1] == g && c[2] == b);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),     cmocka_unit_test(test_large),
        cmocka_unit_test(test_frames),    cmocka_unit_test(test_options),
        cmocka_unit_test(test_cancel),    cmocka_unit_test(test_progress),
        cmocka_unit_test(test_no_memory), cmocka_unit_test(test_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
