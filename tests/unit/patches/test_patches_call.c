/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Calls of fractal coding by version 3: options, targets, notes, transforms, failing memory, the same
 * bytes on every CPU level and number of threads. */

#include "support.h"

#include "../ifs/ifs_compress_support.h"
#include "memory_support.h"
#include "patches_support.h"
#include "watch_support.h"
#include <limits.h>

/* ---- Options ---- */

static void refused(const rug_ifs_options *opts, const char *why)
{
    picture p = picture_of(RAMP, 20, 20, 3, 8);
    rug_context *ctx = small_context();
    rug_ifs_stream stream = {(uint8_t *)p.pixels, 7};
    assert_int_equal(rug_ifs_compress(ctx, &stream, p.views, 3, opts), RUG_E_ARG);
    assert_null(stream.bytes);
    if (strstr(rug_context_error(ctx), why) == NULL)
        fail_msg("'%s' does not say '%s'", rug_context_error(ctx), why);
    assert_int_equal(rug_ifs_check_options(ctx, opts), RUG_E_ARG);
    rug_context_free(ctx);
    picture_free(&p);
}

#define REFUSED(field, value, why)                   \
    do {                                             \
        rug_ifs_options opts = RUG_IFS_OPTIONS_INIT; \
        opts.field = value;                          \
        refused(&opts, why);                         \
    } while (0)

static void refused_options(void **state)
{
    (void)state;
    REFUSED(version, 2, "the version is 2");
    REFUSED(version, 4, "the version is 4");
    REFUSED(effort, 10, "the effort is 10");
    REFUSED(tune, (rug_ifs_tune)2, "tune for is 2");
    REFUSED(chroma, (rug_ifs_chroma)2, "the chroma is 2");
    REFUSED(chroma_quality, 0.5, "the quality of chroma is 0.5");
    REFUSED(chroma_quality, 101, "the quality of chroma is 101");
    REFUSED(chroma_quality, NAN, "the quality of chroma is");
    REFUSED(tile, 192, "the tile is 192");
    REFUSED(tile, 300, "the tile is 300");
    REFUSED(tile, 65600, "the tile is 65600");
    REFUSED(domain_step, 4, "a domain step is given for a stream of version 3");
    REFUSED(scale_max, 0.5, "a largest scale is given");
    REFUSED(search, RUG_IFS_SEARCH_FAST, "a search is given");
    REFUSED(unused2, 1, "unused");
    REFUSED(target_value, 0.5, "the quality is 0.5");
}

static void refused_without_loss(void **state)
{
    (void)state;
    rug_ifs_options o = RUG_IFS_OPTIONS_INIT;
    o.lossless = 1;
    o.effort = 3;
    refused(&o, "an effort is asked for with lossless coding");
    o.effort = 0;
    o.progressive = 1;
    refused(&o, "a small picture (progressive) is asked for with lossless coding");
    o.progressive = 0;
    o.chroma = RUG_IFS_CHROMA_420;
    refused(&o, "chroma 420 is asked for with lossless coding");
    o.chroma = RUG_IFS_CHROMA_444;
    o.target = RUG_IFS_TARGET_RATE;
    refused(&o, "a target is asked for with lossless coding");
}

static void refused_of_earlier_versions(void **state)
{
    (void)state;
    rug_ifs_notes notes = RUG_IFS_NOTES_INIT;
    rug_ifs_options o = RUG_IFS_OPTIONS_INIT;
    o.version = 1;
    o.effort = 3;
    refused(&o, "an effort is asked for, which only streams of version 3 have");
    o.effort = 0;
    o.tile = 256;
    refused(&o, "a tile is asked for");
    o.tile = 0;
    o.partition = RUG_IFS_FIXED;
    o.lossless = 1;
    refused(&o, "lossless coding is asked for");
    o.lossless = 0;
    o.version = 3;
    refused(&o, "the version is 3");
    o.version = 0;
    notes.orientation = 3;
    o.notes = &notes;
    refused(&o, "notes are given");
    notes.orientation = 9;
    o.partition = RUG_IFS_QUADTREE;
    refused(&o, "orientation");
}

/* Decoding asks for nothing that version 3 has not. */
static void refused_decoding(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    picture p = picture_of(RAMP, 40, 30, 1, 8);
    rug_ifs_stream s = must_compress(ctx, &p, NULL);
    rug_ifs_picture out = RUG_IFS_PICTURE_INIT;
    rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
    o.iterations = 3;
    assert_int_equal(rug_ifs_decompress(ctx, &out, s.bytes, s.size, &o), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "decoded in one pass"));
    o.iterations = 0;
    o.unused = 1;
    assert_int_equal(rug_ifs_decompress(ctx, &out, s.bytes, s.size, &o), RUG_E_ARG);
    rug_ifs_stream_free(ctx, &s);
    picture_free(&p);
    rug_context_free(ctx);
}

/* ---- Targets ---- */

static void quality_is_monotone(void **state)
{
    (void)state;
    check_qualities((rug_ifs_options)RUG_IFS_OPTIONS_INIT);
}

static void targets_hold(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    const double rates[] = {1.2, 2, 5}, psnrs[] = {25, 33, 44};
    for (int n_planes = 1; n_planes <= 3; n_planes += 2)
        for (int i = 0; i < 3; i += TEST_STEP(2)) {
            picture p = picture_of(EDGES, 96, 70, n_planes, i == 2 ? 16 : 8);
            rug_ifs_options o = RUG_IFS_OPTIONS_INIT;
            double bits;
            o.effort = 1;
            o.target = RUG_IFS_TARGET_RATE;
            o.target_value = rates[i] * n_planes;
            psnr_by(ctx, &p, &o, &bits);
            if (!(bits <= o.target_value && bits > 0.85 * o.target_value))
                fail_msg("%g bpp wanted, %g got", o.target_value, bits);
            o.target = RUG_IFS_TARGET_PSNR;
            o.target_value = psnrs[i];
            double psnr = psnr_by(ctx, &p, &o, NULL);
            if (!(psnr >= psnrs[i] && psnr < psnrs[i] + 1.5))
                fail_msg("%g dB wanted, %g got", psnrs[i], psnr);
            picture_free(&p);
        }
    rug_context_free(ctx);
}

/* Flat images are exact and small, whatever the quality, and every size comes back. */
static void flat_and_small_images(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{1, 1},   {1, 90},  {90, 1},
                                      {31, 33}, {64, 32}, {70, 45}};
    rug_context *ctx = small_context();
    for (size_t i = 0; i < 6; i++)
        for (int n_planes = 1; n_planes <= 4; n_planes += TEST_STEP(2))
            for (int kind = FLAT; kind <= RAMP; kind++) {
                picture p =
                    picture_of(kind, sizes[i][0], sizes[i][1], n_planes, i % 2 ? 16 : 8);
                rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
                opts.target_value = kind == FLAT ? 5 : 60;
                opts.chroma =
                    i % 3 == 0 && n_planes > 2 ? RUG_IFS_CHROMA_420 : RUG_IFS_CHROMA_444;
                double psnr = psnr_by(ctx, &p, &opts, NULL);
                if (!(kind == FLAT ? isinf(psnr) : psnr > 30))
                    fail_msg("%zu x %zu, %d planes, kind %d: %g dB", p.nx, p.ny, n_planes,
                             kind, psnr);
                picture_free(&p);
            }
    rug_context_free(ctx);
}

/* ---- Notes and transforms ---- */

static void notes_survive(void **state)
{
    (void)state;
    static const uint8_t profile[] = {'p', 'r', 'o', 'f'};
    rug_ifs_notes notes = {sizeof notes, profile, 4, {0.5, 0.25}, "um", 6, 1};
    rug_context *ctx = small_context();
    picture p = picture_of(RAMP, 40, 30, 3, 8);
    for (int lossless = 0; lossless < 2; lossless++) {
        rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
        rug_ifs_notes got = RUG_IFS_NOTES_INIT;
        opts.notes = &notes;
        opts.lossless = lossless;
        rug_ifs_stream with = must_compress(ctx, &p, &opts);
        opts.notes = NULL;
        rug_ifs_stream without = must_compress(ctx, &p, &opts);
        assert_int_equal(rug_ifs_read_notes(ctx, &got, with.bytes, with.size), RUG_OK);
        assert_true(got.orientation == 6 && got.premultiplied == 1 && got.icc_size == 4);
        assert_true(got.spacing[0] == 0.5 && got.spacing[1] == 0.25);
        assert_memory_equal(got.icc, profile, 4);
        assert_string_equal(got.unit, "um");
        rug_ifs_picture a = must_decompress(ctx, &with),
                        b = must_decompress(ctx, &without);
        assert_memory_equal(a.pixels, b.pixels, 40 * 30 * 3);
        got = (rug_ifs_notes)RUG_IFS_NOTES_INIT;
        assert_int_equal(rug_ifs_read_notes(ctx, &got, without.bytes, without.size),
                         RUG_OK);
        assert_true(got.icc == NULL && got.orientation == 0);
        rug_ifs_picture_free(ctx, &a);
        rug_ifs_picture_free(ctx, &b);
        rug_ifs_stream_free(ctx, &with);
        rug_ifs_stream_free(ctx, &without);
    }
    picture_free(&p);
    rug_context_free(ctx);
}

typedef struct seen {
    size_t n, n_domains, n_errors, stop_at;
    uint64_t area[3];
} seen;

static rug_status see(void *user, const rug_ifs_transform *t)
{
    seen *s = user;
    assert_true(t->size >= 4 && t->size <= 32 && t->symmetry < 8 && fabs(t->s) <= 1);
    assert_true(t->has_domain || t->s == 0);
    s->area[t->plane] += (uint64_t)t->size * t->size;
    s->n_domains += t->has_domain;
    s->n_errors += t->error >= 0; /* not NaN */
    return ++s->n == s->stop_at ? RUG_E_IO : RUG_OK;
}

/* Patches cover each plane once; measured against the image they say how far their means are from it. */
static void patches_as_transforms(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    picture p = picture_of(WEDGES, 300, 70, 3, 8);
    for (int halved = 0; halved < 2; halved++) {
        rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
        opts.effort = 1;
        opts.tile = 256;
        opts.chroma = halved ? RUG_IFS_CHROMA_420 : RUG_IFS_CHROMA_444;
        rug_ifs_stream s = must_compress(ctx, &p, &opts);
        seen read = {0}, measured = {0}, stopped = {.stop_at = 3};
        assert_int_equal(rug_ifs_read_transforms(ctx, s.bytes, s.size, 0, see, &read),
                         RUG_OK);
        assert_int_equal(read.n_errors, 0);
        assert_int_equal(read.area[0], 320 * 96);
        for (int i = 1; i < 3; i++) /* of 420 both tiles are padded */
            assert_int_equal(read.area[i], halved ? (128 + 32) * 64 : 320 * 96);
        assert_int_equal(rug_ifs_measure_transforms(ctx, s.bytes, s.size, 0, p.views, 3,
                                                    see, &measured),
                         RUG_OK);
        assert_int_equal(measured.n, read.n);
        assert_true(2 * measured.n_errors > measured.n);
        assert_int_equal(rug_ifs_read_transforms(ctx, s.bytes, s.size, 0, see, &stopped),
                         RUG_E_IO);
        assert_int_equal(stopped.n, 3);
        rug_ifs_stream_free(ctx, &s);
    }
    picture_free(&p);
    rug_context_free(ctx);
}

/* ---- Memory, progress ---- */

/* Nothing is kept, and nothing lost, wherever memory fails, coding and decoding. */
static void failing_memory(void **state)
{
    (void)state;
    picture p = picture_of(EDGES, 40, 34, 4, 8);
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
    rug_context *plain = small_context();
    rug_status status = RUG_E_NOMEM;
    opts.effort = 1;
    opts.progressive = 1;
    o.scale = 1.5;
    rug_ifs_stream whole = must_compress(plain, &p, &opts);
    size_t n = 0;
    for (int is_decoding = 0; is_decoding < 2; is_decoding++, status = RUG_E_NOMEM)
        for (n = 0; status != RUG_OK && n < 600; n++) {
            memory m = {.fail_at = n + 1};
            rug_context *ctx = small_context();
            memory_hook(ctx, &m);
            rug_ifs_stream stream = {NULL, 0};
            rug_ifs_picture out = RUG_IFS_PICTURE_INIT;
            status = is_decoding
                         ? rug_ifs_decompress(ctx, &out, whole.bytes, whole.size, &o)
                         : rug_ifs_compress(ctx, &stream, p.views, 4, &opts);
            assert_true(status == RUG_OK || status == RUG_E_NOMEM);
            assert_true(status == RUG_OK || rug_context_error(ctx)[0] != '\0');
            assert_true(status == RUG_OK || (out.pixels == NULL && stream.bytes == NULL));
            rug_ifs_stream_free(ctx, &stream);
            rug_ifs_picture_free(ctx, &out);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            rug_context_free(ctx);
        }
    assert_in_range(n, 20, 599);
    rug_ifs_stream_free(plain, &whole);
    rug_context_free(plain);
    picture_free(&p);
}

static void progress_and_cancelling(void **state)
{
    (void)state;
    picture p = picture_of(EDGES, 150, 130, 3, 8);
    rug_context *ctx = small_context();
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    opts.effort = 1;
    countdown all = {.left = INT_MAX};
    watch shown = {0};
    rug_context_set_cancel(ctx, stop_at, &all);
    rug_context_set_progress(ctx, see_progress, &shown);
    rug_ifs_stream stream = must_compress(ctx, &p, &opts), none;
    if (shown.n_backwards > 0 || !(shown.last > 0.9) || all.n_calls < 10)
        fail_msg("%d, %g, %d", shown.n_backwards, shown.last, all.n_calls);
    rug_context_set_progress(ctx, NULL, NULL);
    for (int i = 0; i < 5; i++) {
        countdown some = {.left = i * all.n_calls / 5};
        rug_context_set_cancel(ctx, stop_at, &some);
        assert_int_equal(rug_ifs_compress(ctx, &none, p.views, 3, &opts),
                         RUG_E_CANCELLED);
        assert_null(none.bytes);
    }
    for (int i = 0; i < 4; i++) {
        countdown some = {.left = i};
        rug_ifs_picture out = RUG_IFS_PICTURE_INIT;
        rug_context_set_cancel(ctx, stop_at, &some);
        assert_int_equal(rug_ifs_decompress(ctx, &out, stream.bytes, stream.size, NULL),
                         RUG_E_CANCELLED);
        assert_null(out.pixels);
    }
    rug_context_set_cancel(ctx, NULL, NULL);
    rug_ifs_stream_free(ctx, &stream);
    rug_context_free(ctx);
    picture_free(&p);
}

/* ---- The same bytes everywhere ---- */

static void at_all_levels(const picture *p, const rug_ifs_options *opts, const char *what)
{
    rug_context *first = test_context();
    assert_int_equal(rug_context_set_threads(first, 1), RUG_OK);
    assert_int_equal(rug_context_set_cpu_level(first, RUG_CPU_REF), RUG_OK);
    rug_ifs_stream expected = must_compress(first, p, opts);
    rug_ifs_picture decoded = must_decompress(first, &expected);
    for (int level = TEST_RACES(RUG_CPU_MAX, RUG_CPU_REF); level <= RUG_CPU_MAX;
         level++) {
        int threads = level == RUG_CPU_MAX ? 4 : 2;
        rug_context *ctx = test_context();
        assert_int_equal(rug_context_set_threads(ctx, threads), RUG_OK);
        assert_int_equal(rug_context_set_cpu_level(ctx, (rug_cpu_level)level), RUG_OK);
        rug_ifs_stream got = must_compress(ctx, p, opts);
        if (got.size != expected.size || memcmp(got.bytes, expected.bytes, got.size) != 0)
            fail_msg("%s: other bytes at level %d (%zu, %zu)", what, level, got.size,
                     expected.size);
        rug_ifs_picture out = must_decompress(ctx, &got);
        assert_memory_equal(out.pixels, decoded.pixels,
                            p->nx * p->ny * (size_t)(p->n_planes * p->depth / 8));
        rug_ifs_picture_free(ctx, &out);
        rug_ifs_stream_free(ctx, &got);
        rug_context_free(ctx);
    }
    rug_ifs_picture_free(first, &decoded);
    rug_ifs_stream_free(first, &expected);
    rug_context_free(first);
}

static void same_bytes_everywhere(void **state)
{
    (void)state;
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    picture grey = picture_of(EDGES, 170, 130, 1, 8);
    at_all_levels(&grey, NULL, "grey");
    opts.target = RUG_IFS_TARGET_PSNR;
    opts.target_value = 35;
    opts.tune = RUG_IFS_TUNE_PSNR;
    opts.effort = 2;
    at_all_levels(&grey, &opts, "a PSNR");
    picture_free(&grey);
    picture colours = picture_of(WEDGES, 300, 70, 4, 16);
    opts = (rug_ifs_options)RUG_IFS_OPTIONS_INIT;
    opts.effort = 1;
    opts.chroma = RUG_IFS_CHROMA_420;
    opts.progressive = 1;
    opts.tile = 256;
    at_all_levels(&colours, &opts, "tiles of colours with alpha");
    picture_free(&colours);
    picture domains = picture_of(WEDGES, 96, 64, 3, 8);
    opts = (rug_ifs_options)RUG_IFS_OPTIONS_INIT;
    opts.effort = 9;
    at_all_levels(&domains, &opts, "the largest effort");
    picture_free(&domains);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_options),
        cmocka_unit_test(refused_without_loss),
        cmocka_unit_test(refused_of_earlier_versions),
        cmocka_unit_test(refused_decoding),
        cmocka_unit_test(quality_is_monotone),
        cmocka_unit_test(targets_hold),
        cmocka_unit_test(flat_and_small_images),
        cmocka_unit_test(notes_survive),
        cmocka_unit_test(patches_as_transforms),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(progress_and_cancelling),
        cmocka_unit_test(same_bytes_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
