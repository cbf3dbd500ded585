/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Plots: the script's exact numbers and tics, the pictures' content, hostile texts, and a
 * gnuplot that is missing or fails. What needs gnuplot says so and is skipped without it.
 */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"
#include "plots/plot.h"

#include <math.h>
#include <rugose/context.h>

static const double sizes[] = {1, 2, 4, 8, 16, 32};
static const double counts[] = {1000.5, 300, NAN, 0, 9, 3};
static const double slopes[] = {1.75, 1.5, HUGE_VAL, 1.25, -0.5, NAN};
static const double line_x[] = {1, 8};
static const double line_y[] = {1000, 20};

static const cli_plot_series box_series[] = {
    {"used & <b>", CLI_PLOT_POINTS, 4, sizes, counts},
    {"not used", CLI_PLOT_OPEN_POINTS, 2, sizes + 4, counts + 4},
    {"fit", CLI_PLOT_LINE, 2, line_x, line_y}};
static const cli_plot_series slope_series[] = {
    {NULL, CLI_PLOT_LINE_POINTS, 6, sizes, slopes}};
static const cli_plot_panel panels[] = {
    {"box size (pixels)", "nonempty boxes", 1, 1, 3, box_series},
    {"box size (pixels)", "local slope", 1, 0, 1, slope_series}};

static void plot(scratch *here, const char *name, const char *title)
{
    rug_context *ctx;

    assert_int_equal(rug_context_new(&ctx), RUG_OK);
    if (cli_plot_write(ctx, scratch_path(here, name), title, 2, panels) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    rug_context_free(ctx);
}

static void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" is not part of: %.200s", part, text);
}

/* Fails a test that needs gnuplot loudly, but not wrongly. */
static void need_gnuplot(void)
{
    if (system("gnuplot --version >/dev/null 2>&1") != 0) {
        print_message("SKIPPED: gnuplot is not installed\n");
        skip();
    }
}

/* Runs a script in its folder. */
static int run_script(const scratch *here, const char *name)
{
    char command[2 * SCRATCH_PATH_MAX];

    snprintf(command, sizeof command, "cd '%s' && gnuplot '%s' 2>/dev/null", here->folder,
             name);
    return system(command);
}

static void script_has_the_numbers(void **state)
{
    char *script;

    plot(*state, "plot.gp", "pixel_1.tif");
    script = scratch_read(*state, "plot.gp", NULL);
    assert_contains(script, "$panel1_series1 << END\n1 1000.5\n2 300\nEND\n");
    assert_contains(script, "$panel1_series2 << END\n16 9\n32 3\nEND\n");
    assert_contains(script,
                    "$panel2_series1 << END\n1 1.75\n2 1.5\n8 1.25\n16 -0.5\nEND\n");
    assert_contains(script, "set title \"pixel_1.tif\" noenhanced\n");
    assert_contains(script, "set output \"plot.svg\"\n");
    assert_contains(script, "title \"used & <b>\"");
    free(script);
}

static void script_has_the_axes(void **state)
{
    char *script, *second;

    plot(*state, "plot.gp", NULL);
    script = scratch_read(*state, "plot.gp", NULL);
    second = strstr(script, "using 1:2 with lines ");
    assert_non_null(second);
    assert_contains(script, "set logscale x\n");
    assert_contains(script, "set logscale y\n");
    assert_contains(script, "set ytics ('10^{1}' 10, '10^{2}' 100, '10^{3}' 1000)\n");
    assert_contains(second, "set xtics ('1' 1, '2' 2, '4' 4, '8' 8, '16' 16, '32' 32)\n");
    assert_contains(second, "set xlabel \"box size (pixels)\" noenhanced\n");
    assert_contains(second, "unset logscale y\n");
    assert_contains(second, "\"local slope\"");
    free(script);
}

/* Logarithmic axes from a fraction of a decade to many; a range never ends at the
 * outermost tic. */
static void script_has_fitting_tics(void **state)
{
    static const struct {
        double low, high;
        const char *tics;
    } known[] = {
        {9, 40, "('10' 10, '15' 15, '20' 20, '25' 25, '30' 30, '35' 35, '40' 40)"},
        {10, 15, "('10' 10, '11' 11, '12' 12, '13' 13, '14' 14, '15' 15)"},
        {0.21, 0.29, "('0.22' 0.22, '0.24' 0.24, '0.26' 0.26, '0.28' 0.28)"},
        {1.5, 60, "('2' 2, '5' 5, '10' 10, '20' 20, '50' 50)"},
        {0.003, 2, "('10^{-2}' 0.01, '10^{-1}' 0.1, '10^{0}' 1)"}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        double x[] = {1, 65536}, y[] = {known[i].low, known[i].high};
        cli_plot_series series = {NULL, CLI_PLOT_LINE, 2, x, y};
        cli_plot_panel panel = {"x", "y", 1, 1, 1, &series};
        char expected[200], *script;

        assert_int_equal(
            cli_plot_write(NULL, scratch_path(*state, "a.gp"), "t", 1, &panel), RUG_OK);
        script = scratch_read(*state, "a.gp", NULL);
        snprintf(expected, sizeof expected, "set ytics %s\n", known[i].tics);
        assert_contains(script, expected);
        assert_contains(script,
                        "set xtics ('1' 1, '4' 4, '16' 16, '64' 64, '256' 256, "
                        "'1024' 1024, '4096' 4096, '16384' 16384, '65536' 65536)\n");
        free(script);
    }
}

static void locale_changes_nothing(void **state)
{
    char *before;

    plot(*state, "plot.gp", "title");
    before = scratch_read(*state, "plot.gp", NULL);
    scratch_speak_german(*state);
    plot(*state, "plot.gp", "title");
    assert_file_holds(*state, "plot.gp", before);
    free(before);
}

static void script_runs(void **state)
{
    char *picture;

    need_gnuplot();
    plot(*state, "it's.gp", "pixel_1.tif");
    assert_int_equal(run_script(*state, "it'\\''s.gp"), 0);
    picture = scratch_read(*state, "it's.svg", NULL);
    assert_contains(picture, "pixel_1.tif");
    free(picture);
    assert_int_equal(scratch_count(*state), 2);
}

static void svg_has_the_texts(void **state)
{
    char *picture;

    need_gnuplot();
    plot(*state, "plot.SVG", "pixel_1.tif");
    picture = scratch_read(*state, "plot.SVG", NULL);
    assert_contains(picture, "<svg");
    assert_contains(picture, ">pixel_1.tif<");
    assert_contains(picture, ">nonempty boxes<");
    assert_contains(picture, ">local slope<");
    assert_contains(picture, ">box size (pixels)<");
    assert_contains(picture, ">used &amp; &lt;b");
    assert_contains(picture, ">not used<");
    assert_contains(picture, ">32<");
    assert_contains(picture, "</svg>");
    free(picture);
    assert_int_equal(scratch_count(*state), 1);
}

static void png_is_whole(void **state)
{
    static const unsigned char head[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A,
                                         '\n', 0,   0,   0,   13,   'I',  'H',
                                         'D',  'R', 0,   0,   5,    0xA0};
    char *picture;
    size_t n_bytes;

    need_gnuplot();
    plot(*state, "plot.png", "pixel_1.tif");
    picture = scratch_read(*state, "plot.png", &n_bytes);
    assert_true(n_bytes > 10000);
    assert_memory_equal(picture, head, sizeof head);
    assert_memory_equal(picture + n_bytes - 8, "IEND", 4);
    free(picture);
    assert_int_equal(scratch_count(*state), 1);
}

/* Every way out of a gnuplot string that its manual knows; each would leave a file
 * behind. */
static void hostile_texts_stay_texts(void **state)
{
    static const char *const outs[] = {"`touch '%s/hacked'`",
                                       "'; system 'touch %s/hacked'; set title '",
                                       "''; system 'touch %s/hacked' #",
                                       "\\\"; system \"touch %s/hacked\" #",
                                       "\"; system \"touch %s/hacked\"; set title \"",
                                       "x\nsystem 'touch %s/hacked'\n",
                                       "x\\",
                                       "x'\\\n`touch %s/hacked`",
                                       "\xFF\xC3`touch %s/hacked`",
                                       "@x `touch %s/hacked` %%s {/Bold a}_b^c # '' \\'"};
    scratch *here = *state;

    need_gnuplot();
    for (size_t i = 0; i < sizeof outs / sizeof outs[0]; i++) {
        char text[SCRATCH_PATH_MAX];
        cli_plot_series series = box_series[0];
        cli_plot_panel panel = {text, text, 1, 1, 1, &series};

        snprintf(text, sizeof text, outs[i], here->folder);
        series.title = text;
        assert_int_equal(
            cli_plot_write(NULL, scratch_path(here, "a.svg"), text, 1, &panel), RUG_OK);
        assert_int_equal(
            cli_plot_write(NULL, scratch_path(here, "b.gp"), text, 1, &panel), RUG_OK);
        assert_int_equal(run_script(here, "b.gp"), 0);
        assert_int_equal(scratch_count(here), 3);
    }
}

static void titles_show_as_they_are(void **state)
{
    char *picture;

    need_gnuplot();
    plot(*state, "plot.svg", "it's `a` \"b\" \\n {/Bold c}_d @e\nf \xC2\xB5\xFF");
    picture = scratch_read(*state, "plot.svg", NULL);
    assert_contains(picture, "it's `a` \"b\" \\n {/Bold c}_d @e f \xC2\xB5\xEF\xBF\xBD");
    free(picture);
}

/* Nothing to draw, one point, rounding noise, extremes: gnuplot refuses empty ranges. */
static void odd_ranges(void **state)
{
    static const double nan_only[] = {NAN, NAN}, one[] = {4}, two[] = {1, 2};
    static const double noise[] = {1.8927892607143721, 1.8927892607143724};
    static const double far[] = {1e-300, 1e300}, apart[] = {-1e249, 1e249},
                        zero[] = {0, 0};
    static const double wide[] = {1e-249, 1e249};
    static const cli_plot_series known[] = {{"nan", CLI_PLOT_POINTS, 2, two, nan_only},
                                            {"none", CLI_PLOT_LINE, 0, NULL, NULL},
                                            {"one", CLI_PLOT_POINTS, 1, one, one},
                                            {"noise", CLI_PLOT_LINE, 2, two, noise},
                                            {"far", CLI_PLOT_LINE, 2, two, far},
                                            {"apart", CLI_PLOT_LINE, 2, two, apart},
                                            {"zero", CLI_PLOT_LINE, 2, two, zero},
                                            {"wide", CLI_PLOT_LINE, 2, wide, wide}};

    need_gnuplot();
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        for (int scales = 0; scales < 4; scales++) {
            cli_plot_panel panel = {"x", "y", scales & 1, scales >> 1, 1, &known[i]};

            if (cli_plot_write(NULL, scratch_path(*state, "a.svg"), "odd", 1, &panel) !=
                RUG_OK)
                fail_msg("series \"%s\" with scales %d cannot be drawn", known[i].title,
                         scales);
        }
    }
}

static void assert_plot_fails(scratch *here, const char *name, rug_status status,
                              const char *text)
{
    rug_context *ctx;

    assert_int_equal(rug_context_new(&ctx), RUG_OK);
    assert_int_equal(cli_plot_write(ctx, scratch_path(here, name), "t", 2, panels),
                     status);
    assert_contains(rug_context_error(ctx), text);
    rug_context_free(ctx);
}

/* A folder of programs that holds nothing, or a gnuplot that always fails. */
static void missing_or_failing_gnuplot(void **state)
{
    scratch *here = *state;
    char *path = strdup(getenv("PATH"));
    int n_before;

    scratch_write(here, "old.svg", "old\n");
    setenv("PATH", here->folder, 1);
    assert_plot_fails(here, "new.svg", RUG_E_IO,
                      "gnuplot is not installed: apt-get install gnuplot-nox");
    scratch_write(here, "gnuplot",
                  "#!/bin/sh\necho half\necho ' out of ink' >&2\nexit 3\n");
    assert_int_equal(chmod(scratch_path(here, "gnuplot"), 0700), 0);
    n_before = scratch_count(here);
    assert_plot_fails(here, "old.svg", RUG_E_IO, "gnuplot failed: out of ink");
    assert_plot_fails(here, "new.png", RUG_E_IO, "gnuplot failed: out of ink");
    setenv("PATH", path, 1);
    assert_file_holds(here, "old.svg", "old\n");
    assert_int_equal(scratch_count(here), n_before);
    free(path);
}

static void bad_arguments(void **state)
{
    const char *path = scratch_path(*state, "a.gp");
    cli_plot_series bad_style = {"x", (cli_plot_style)4, 1, sizes, counts};
    cli_plot_series no_numbers = {"x", CLI_PLOT_LINE, 1, sizes, NULL};
    cli_plot_panel panel = {"x", "y", 0, 0, 1, NULL};

    assert_int_equal(cli_plot_write(NULL, path, "t", 0, panels), RUG_E_ARG);
    assert_int_equal(cli_plot_write(NULL, path, "t", 1, NULL), RUG_E_ARG);
    assert_int_equal(cli_plot_write(NULL, path, "t", 1, &panel), RUG_E_ARG);
    panel.series = &bad_style;
    assert_int_equal(cli_plot_write(NULL, path, "t", 1, &panel), RUG_E_ARG);
    panel.series = &no_numbers;
    assert_int_equal(cli_plot_write(NULL, path, "t", 1, &panel), RUG_E_ARG);
    assert_int_equal(cli_plot_write(NULL, NULL, "t", 2, panels), RUG_E_ARG);
    assert_plot_fails(*state, "a.pdf", RUG_E_ARG,
                      "a.pdf\" names no plot form: expected .svg");
    assert_plot_fails(*state, "svg", RUG_E_ARG, "expected .svg, .png or .gp");
    assert_plot_fails(*state, "no/a.gp", RUG_E_IO, "no/a.gp: No such file");
    assert_int_equal(scratch_count(*state), 0);
}

#define WITH_SCRATCH(test) \
    cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(script_has_the_numbers),
        WITH_SCRATCH(script_has_the_axes),
        WITH_SCRATCH(script_has_fitting_tics),
        WITH_SCRATCH(locale_changes_nothing),
        WITH_SCRATCH(script_runs),
        WITH_SCRATCH(svg_has_the_texts),
        WITH_SCRATCH(png_is_whole),
        WITH_SCRATCH(hostile_texts_stay_texts),
        WITH_SCRATCH(titles_show_as_they_are),
        WITH_SCRATCH(odd_ranges),
        WITH_SCRATCH(missing_or_failing_gnuplot),
        WITH_SCRATCH(bad_arguments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
