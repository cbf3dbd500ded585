/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Buffers and images of a device below the public calls: sizes, places, rows, pieces, and the times
 * of what moves. */

#include "support.h"

#include "ocl_probe_support.h"

/* More commands than are kept waiting. */
static void times_add_up(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    rugi_ocl *device = open_device(ctx);
    uint32_t out[N];
    for (int i = 0; i < 100; i++)
        run_scale(ctx, device, NULL, 1, out);
    rug_device_times t = *rugi_ocl_times(device), taken = RUG_DEVICE_TIMES_INIT;
    assert_true(t.upload_seconds > 0 && t.upload_seconds < 60);
    assert_true(t.kernel_seconds > 0 && t.kernel_seconds < 60);
    assert_true(t.download_seconds > 0 && t.download_seconds < 60);
    assert_int_equal(t.n_kernels, 100);
    assert_int_equal(t.upload_bytes, 100 * 4 * N);
    assert_int_equal(t.download_bytes, 100 * 4 * N);
    rug_devices_take_times(ctx, &taken);
    assert_memory_equal(&taken, &t, sizeof t);
    rug_devices_take_times(ctx, &taken);
    assert_int_equal(taken.n_kernels, 0);
    assert_true(taken.kernel_seconds == 0);
    rug_context_free(ctx);
}

static void many_commands_at_once(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    rug_context *ctx = ocl_context();
    rugi_ocl *device = open_device(ctx);
    rugi_ocl_buffer *buffer;
    static uint32_t in[MANY], out[MANY];
    assert_int_equal(
        rugi_ocl_buffer_new(ctx, device, &buffer, MANY, 4, RUGI_OCL_READ_WRITE, "many"),
        RUG_OK);
    for (uint32_t i = 0; i < MANY; i++) {
        in[i] = 7 * i;
        assert_int_equal(rugi_ocl_write(ctx, device, buffer, 4 * i, &in[i], 4), RUG_OK);
    }
    assert_int_equal(rugi_ocl_read(ctx, device, buffer, 0, out, sizeof out), RUG_OK);
    assert_memory_equal(in, out, sizeof in);
    assert_int_equal(rugi_ocl_times(device)->upload_bytes, sizeof in);
    rugi_ocl_buffer_free(device, buffer);
    rug_context_free(ctx);
}

/* What is behind a mark goes on; what is before it is there, with its times. */
static void waiting_for_a_mark(void **state)
{
    (void)state;
    enum { MANY = 300 }; /* more commands than are kept waiting */
    rug_context *ctx = ocl_context();
    rugi_ocl *device = open_device(ctx);
    rugi_ocl_buffer *buffer;
    static uint32_t in[MANY], out[MANY];
    uint64_t marks[MANY];
    assert_int_equal(
        rugi_ocl_buffer_new(ctx, device, &buffer, MANY, 4, RUGI_OCL_READ_WRITE, "marks"),
        RUG_OK);
    for (uint32_t i = 0; i < MANY; i++) {
        in[i] = 3 * i + 1;
        assert_int_equal(rugi_ocl_write(ctx, device, buffer, 4 * i, &in[i], 4), RUG_OK);
        assert_int_equal(rugi_ocl_read_later(ctx, device, buffer, 4 * i, &out[i], 4),
                         RUG_OK);
        marks[i] = rugi_ocl_mark(device);
    }
    for (uint32_t i = MANY - 40; i < MANY; i += 10) {
        assert_int_equal(rugi_ocl_wait_for(ctx, device, marks[i]), RUG_OK);
        assert_memory_equal(in, out, 4 * (i + 1));
    }
    assert_int_equal(rugi_ocl_wait_for(ctx, device, marks[0]), RUG_OK);
    assert_int_equal(rugi_ocl_wait(ctx, device), RUG_OK);
    assert_int_equal(rugi_ocl_mark(device), marks[MANY - 1]);
    assert_memory_equal(in, out, sizeof in);
    assert_int_equal(rugi_ocl_times(device)->download_bytes, sizeof in);
    assert_true(rugi_ocl_times(device)->download_seconds > 0);
    assert_int_equal(rugi_ocl_read_later(ctx, device, buffer, 4, out, sizeof out),
                     RUG_E_DEVICE);
    rugi_ocl_buffer_free(device, buffer);
    rug_context_free(ctx);
}

static void rows_and_zeros(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    rugi_ocl *device = open_device(ctx);
    rugi_ocl_buffer *buffer;
    uint8_t in[4][10], out[32];
    memset(in, 9, sizeof in);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 7; x++)
            in[y][x] = (uint8_t)(10 * y + x);
    assert_int_equal(
        rugi_ocl_buffer_new(ctx, device, &buffer, 32, 1, RUGI_OCL_READ_WRITE, "rows"),
        RUG_OK);
    assert_int_equal(rugi_ocl_zero(ctx, device, buffer, 0, 32), RUG_OK);
    assert_int_equal(rugi_ocl_write_rows(ctx, device, buffer, 2, in, 4, 7, 10), RUG_OK);
    assert_int_equal(rugi_ocl_read(ctx, device, buffer, 0, out, 32), RUG_OK);
    for (int i = 0; i < 32; i++) {
        int inside = i >= 2 && i < 30;
        assert_int_equal(out[i], inside ? 10 * ((i - 2) / 7) + (i - 2) % 7 : 0);
    }
    assert_int_equal(rugi_ocl_zero(ctx, device, buffer, 4, 8), RUG_OK);
    assert_int_equal(rugi_ocl_read(ctx, device, buffer, 3, out, 10), RUG_OK);
    assert_int_equal(out[0], 1);
    assert_int_equal(out[1] | out[8], 0);
    assert_int_equal(out[9], 13);
    rugi_ocl_buffer_free(device, buffer);
    rug_context_free(ctx);
}

static void wrapped_memory(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    rugi_ocl *device = open_device(ctx);
    rugi_ocl_buffer *buffer;
    uint32_t *in = rug_context_allocate(ctx, N, 4, "pixels"), out[N];
    assert_non_null(in);
    for (uint32_t i = 0; i < N; i++)
        in[i] = 3 * i;
    assert_int_equal(rugi_ocl_buffer_wrap(ctx, device, &buffer, in, N, 4, "pixels"),
                     RUG_OK);
    assert_int_equal(rugi_ocl_read(ctx, device, buffer, 0, out, sizeof out), RUG_OK);
    assert_scaled(out, 3, 0);
    rugi_ocl_buffer_free(device, buffer);
    rug_context_release(ctx, in);
    rug_context_free(ctx);
}

/* Refused before the driver is asked, and the device goes on. */
static void sizes_are_refused(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    rugi_ocl *device = open_device(ctx);
    const rug_device *f = rugi_ocl_facts(device);
    rugi_ocl_buffer *buffer;
    uint32_t out[N];
    char bytes[16] = "";
    assert_int_equal(rugi_ocl_buffer_new(ctx, device, &buffer, SIZE_MAX / 2, 4,
                                         RUGI_OCL_READ, "pixels"),
                     RUG_E_DEVICE);
    assert_null(buffer);
    assert_error_part(ctx, "pixels: ");
    assert_error_part(ctx, "address space");
    assert_int_equal(rugi_ocl_buffer_new(ctx, device, &buffer,
                                         (size_t)f->max_allocation + 1, 1, RUGI_OCL_READ,
                                         "pixels"),
                     RUG_E_DEVICE);
    assert_error_part(ctx, "at most");
    assert_int_equal(
        rugi_ocl_buffer_new(ctx, device, &buffer, 0, 4, RUGI_OCL_READ_WRITE, "nothing"),
        RUG_OK);
    rugi_ocl_buffer_free(device, buffer);
    assert_int_equal(
        rugi_ocl_buffer_new(ctx, device, &buffer, 16, 1, RUGI_OCL_READ_WRITE, "pixels"),
        RUG_OK);
    assert_int_equal(rugi_ocl_write(ctx, device, buffer, 1, bytes, 16), RUG_E_DEVICE);
    assert_int_equal(rugi_ocl_write(ctx, device, buffer, SIZE_MAX, bytes, 16),
                     RUG_E_DEVICE);
    assert_int_equal(rugi_ocl_read(ctx, device, buffer, 17, bytes, 0), RUG_E_DEVICE);
    assert_int_equal(rugi_ocl_write_rows(ctx, device, buffer, 0, bytes, SIZE_MAX, 4, 8),
                     RUG_E_DEVICE);
    assert_int_equal(rugi_ocl_zero(ctx, device, buffer, 16, 4), RUG_E_DEVICE);
    rugi_ocl_buffer_free(device, buffer);
    assert_ptr_equal(open_device(ctx), device);
    run_scale(ctx, device, NULL, 2, out);
    assert_scaled(out, 1, 2);
    rug_context_free(ctx);
}

static void pieces(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    rugi_ocl *device = open_device(ctx);
    const rug_device *f = rugi_ocl_facts(device);
    size_t one = rugi_ocl_piece_max(device, 1, 0);
    size_t four = rugi_ocl_piece_max(device, 4, 0);
    assert_true(one > 0 && one % 4096 == 0 && one <= f->max_allocation);
    assert_true(four > 0 && four <= one && 4 * (uint64_t)four <= f->memory / 4 * 3);
    assert_int_equal(rugi_ocl_piece_max(device, 1, f->memory), 0);
    assert_int_equal(rugi_ocl_piece_max(device, 1, UINT64_MAX), 0);
    assert_int_equal(rugi_ocl_piece_max(device, 1, f->memory / 4 * 3), 0);
    rugi_ocl_buffer *buffer;
    size_t many = rugi_ocl_piece_max(device, 64, 0);
    assert_int_equal(
        rugi_ocl_buffer_new(ctx, device, &buffer, 1 << 20, 1, RUGI_OCL_READ, "pixels"),
        RUG_OK);
    if (many < f->max_allocation) /* what is in use counts */
        assert_true(rugi_ocl_piece_max(device, 64, 0) < many);
    rugi_ocl_buffer_free(device, buffer);
    assert_int_equal(rugi_ocl_piece_max(device, 64, 0), many);
    rug_context_free(ctx);
}

/* Rows of an image lie apart; around it all is 0. */
static void images(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    rugi_ocl *device = open_device(ctx);
    rugi_ocl_buffer *image, *out;
    rugi_ocl_kernel *kernel = get_kernel(ctx, device, NULL, "look_around");
    uint16_t in[3][10];
    uint32_t seen[5][9];
    const size_t shape[2] = {3, 7}, items[2] = {9, 5}, uploaded = 2 * 3 * 7;
    size_t most[2];
    for (int i = 0; i < 30; i++)
        in[i / 10][i % 10] = (uint16_t)(60000 + i);
    rugi_ocl_image_max(device, most, RUG_U16, 0);
    if (most[0] == 0) {
        print_message("LEFT OUT: the device has no images\n");
        rug_context_free(ctx);
        skip();
    }
    assert_true(most[0] >= 8192 && most[1] >= 8192);
    assert_int_equal(rugi_ocl_image_new(ctx, device, &image, shape, RUG_U16, 0, "pixels"),
                     RUG_OK);
    assert_int_equal(rugi_ocl_buffer_new(ctx, device, &out, 45, 4, RUGI_OCL_WRITE, "out"),
                     RUG_OK);
    assert_int_equal(rugi_ocl_write_image(ctx, device, image, in, sizeof in[0]), RUG_OK);
    assert_int_equal(rugi_ocl_times(device)->upload_bytes, uploaded);
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(image), rugi_ocl_arg_buffer(out)};
    assert_int_equal(rugi_ocl_run(ctx, device, kernel, args, 2, 2, items, NULL), RUG_OK);
    assert_int_equal(rugi_ocl_read(ctx, device, out, 0, seen, sizeof seen), RUG_OK);
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 9; x++) {
            int is_inside = y >= 1 && y <= 3 && x >= 1 && x <= 7;
            assert_int_equal(seen[y][x], is_inside ? in[y - 1][x - 1] : 0);
        }
    rugi_ocl_buffer_free(device, image);
    rugi_ocl_buffer_free(device, out);
    rug_context_free(ctx);
}

static void images_are_refused(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    rugi_ocl *device = open_device(ctx);
    rugi_ocl_buffer *image;
    size_t most[2] = {1, 1};
    rugi_ocl_image_max(device, most, RUG_F64, 0);
    assert_int_equal(most[0] | most[1], 0);
    rugi_ocl_image_max(device, most, RUG_I16, 1);
    assert_int_equal(most[0] | most[1], 0);
    assert_int_equal(
        rugi_ocl_image_new(ctx, device, &image, (size_t[]){1, 1}, RUG_F64, 0, "pixels"),
        RUG_E_DEVICE);
    assert_null(image);
    assert_error_part(ctx, "pixels: an image of 1x1 f64");
    assert_int_equal(rugi_ocl_image_new(ctx, device, &image,
                                        (size_t[]){SIZE_MAX, SIZE_MAX}, RUG_U8, 0,
                                        "pixels"),
                     RUG_E_DEVICE);
    assert_error_part(ctx, "takes at most");
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_add_up),
        cmocka_unit_test(many_commands_at_once),
        cmocka_unit_test(waiting_for_a_mark),
        cmocka_unit_test(rows_and_zeros),
        cmocka_unit_test(wrapped_memory),
        cmocka_unit_test(sizes_are_refused),
        cmocka_unit_test(pieces),
        cmocka_unit_test(images),
        cmocka_unit_test(images_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
