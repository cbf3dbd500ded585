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

static const uint8_t is_unused[] = {0, 0, 0, 0, 1, 1};
static const cli_plot_series box_series[] = {
    {.title = "used & <b>",
     .n = 6,
     .x = sizes,
     .y = counts,
     .is_hollow = is_unused,
     .hollow_title = "not used"},
    {.title = "fit", .style = CLI_PLOT_LINE, .n = 2, .x = line_x, .y = line_y}};
static const cli_plot_series slope_series[] = {
    {.style = CLI_PLOT_LINE_POINTS, .n = 6, .x = sizes, .y = slopes}};
static const cli_plot_panel panels[] = {
    {"box size", "nonempty boxes", CLI_PLOT_SIZES, 1, 2, box_series, .is_size = 1},
    {"box size", "local slope", CLI_PLOT_SIZES, 0, 1, slope_series, .is_size = 1}};

static cli_plot_sheet sheet_of(const char *title)
{
    return (cli_plot_sheet){.title = title, .n_panels = 2, .panels = panels};
}

static rug_status write_panel(rug_context *ctx, const char *path, const char *title,
                              const cli_plot_panel *panel)
{
    cli_plot_sheet sheet = {.title = title, .n_panels = 1, .panels = panel};

    return cli_plot_write(ctx, path, 1, &sheet);
}

static void plot(scratch *here, const char *name, const char *title)
{
    rug_context *ctx;

    assert_int_equal(rug_context_new(&ctx), RUG_OK);
    cli_plot_sheet sheet = sheet_of(title);
    if (cli_plot_write(ctx, scratch_path(here, name), 1, &sheet) != RUG_OK)
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
    assert_contains(script, "$panel1_series1 << END\n1 1000.5\n2 300\n\nEND\n");
    assert_contains(script, "$panel1_series1_hollow << END\n16 9\n32 3\nEND\n");
    assert_contains(script,
                    "$panel2_series1 << END\n1 1.75\n2 1.5\n8 1.25\n16 -0.5\nEND\n");
    assert_contains(script, "set label 2 \"pixel_1.tif\" at screen 0.5, screen ");
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
    assert_contains(
        script,
        "set ytics norotate enhanced ('10^{1}' 10, '10^{2}' 100, '10^{3}' 1000)\n");
    assert_contains(
        second,
        "set xtics norotate enhanced ('1' 1, '2' 2, '4' 4, '8' 8, '16' 16, '32' 32)\n");
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
        cli_plot_series series = {.style = CLI_PLOT_LINE, .n = 2, .x = x, .y = y};
        cli_plot_panel panel = {.log_x = 1, .log_y = 1, .n_series = 1, .series = &series};
        char expected[200], *script;

        assert_int_equal(write_panel(NULL, scratch_path(*state, "a.gp"), "t", &panel),
                         RUG_OK);
        script = scratch_read(*state, "a.gp", NULL);
        snprintf(expected, sizeof expected, "set ytics norotate enhanced %s\n",
                 known[i].tics);
        assert_contains(script, expected);
        assert_contains(
            script,
            "set xtics norotate enhanced ('1' 1, '4' 4, '16' 16, '64' 64, '256' 256, "
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
        const char *names[] = {text};
        cli_plot_panel many[] = {
            {text, text, 1, 1, 1, &series, .is_size = 1},
            {text, text, 0, 0, 1, &series, .has_subscript = 1},
            {text, text, 0, 0, 1, &series, .x_names = names, .n_x_names = 1},
        };
        cli_plot_sheet sheets[2];

        snprintf(text, sizeof text, outs[i], here->folder);
        series.title = series.hollow_title = text;
        for (int k = 0; k < 2; k++)
            sheets[k] = (cli_plot_sheet){.title = text,
                                         .part = text,
                                         .group = text,
                                         .summary = text,
                                         .mark = text,
                                         .note = text,
                                         .n_panels = 3,
                                         .panels = many,
                                         .unit = {text, 0.5}};
        assert_int_equal(cli_plot_write(NULL, scratch_path(here, "a.svg"), 2, sheets),
                         RUG_OK);
        assert_int_equal(cli_plot_write(NULL, scratch_path(here, "b.gp"), 1, sheets),
                         RUG_OK);
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
    static const cli_plot_series known[] = {
        {.title = "nan", .n = 2, .x = two, .y = nan_only},
        {.title = "none", .style = CLI_PLOT_LINE},
        {.title = "one", .n = 1, .x = one, .y = one},
        {.title = "noise", .style = CLI_PLOT_LINE, .n = 2, .x = two, .y = noise},
        {.title = "far", .style = CLI_PLOT_LINE, .n = 2, .x = two, .y = far},
        {.title = "apart", .style = CLI_PLOT_LINE, .n = 2, .x = two, .y = apart},
        {.title = "zero", .style = CLI_PLOT_LINE, .n = 2, .x = two, .y = zero},
        {.title = "bars", .style = CLI_PLOT_BARS, .n = 2, .x = two, .y = zero},
        {.title = "strip", .style = CLI_PLOT_STRIP, .n = 2, .x = two, .y = apart},
        {.title = "no bar", .n = 2, .x = two, .y = two, .low = nan_only, .high = far},
        {.title = "wide", .style = CLI_PLOT_LINE, .n = 2, .x = wide, .y = wide}};

    need_gnuplot();
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        for (int scales = 0; scales < 4; scales++) {
            cli_plot_panel panel = {.log_x = scales & 1,
                                    .log_y = scales >> 1,
                                    .n_series = 1,
                                    .series = &known[i]};

            if (write_panel(NULL, scratch_path(*state, "a.svg"), "odd", &panel) != RUG_OK)
                fail_msg("series \"%s\" with scales %d cannot be drawn", known[i].title,
                         scales);
        }
    }
}

/* ---- Several sheets ---- */

/* The script of sheets with one panel each. */
static char *script_of(scratch *here, size_t n, const cli_plot_sheet *sheets)
{
    assert_int_equal(cli_plot_write(NULL, scratch_path(here, "all.gp"), n, sheets),
                     RUG_OK);
    return scratch_read(here, "all.gp", NULL);
}

/* Sizes of all are in the unit that all have, else in pixels. */
static void sizes_are_in_their_unit(void **state)
{
    static const double x[] = {1, 2}, y[] = {4, 1};
    static const cli_plot_series series = {.n = 2, .x = x, .y = y};
    static const cli_plot_panel panel = {"box size", "boxes", CLI_PLOT_SIZES, 1,
                                         1,          &series, .is_size = 1};
    static const struct {
        cli_plot_unit units[2];
        const char *label, *first, *second;
    } known[] = {
        {{{"mm", 0.5}, {"mm", 0.5}}, "box size (mm; 1 pixel = 0.5 mm)", "0.5 4", "0.5 4"},
        {{{"mm", 0.5}, {"mm", 2}}, "box size (mm)", "0.5 4", "2 4"},
        {{{"mm", 0.5}, {"m", 0.5}}, "box size (pixels)", "1 4", "1 4"},
        {{{"mm", 0.5}, {NULL, 0}}, "box size (pixels)", "1 4", "1 4"},
        {{{NULL, 0}, {"mm", 0.5}}, "box size (pixels)", "1 4", "1 4"},
        {{{"mm", 0}, {"mm", 0}}, "box size (mm)", "1 4", "1 4"},
        {{{"mm", 0}, {"m", 0}}, "box size (in the unit of each)", "1 4", "1 4"}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        cli_plot_sheet sheets[] = {
            {.title = "a", .n_panels = 1, .panels = &panel, .unit = known[i].units[0]},
            {.title = "b", .n_panels = 1, .panels = &panel, .unit = known[i].units[1]}};
        char expected[200], *script = script_of(*state, 2, sheets);

        snprintf(expected, sizeof expected, "set xlabel \"%s\" noenhanced\n",
                 known[i].label);
        assert_contains(script, expected);
        snprintf(expected, sizeof expected, "$panel1_series1 << END\n%s\n",
                 known[i].first);
        assert_contains(script, expected);
        snprintf(expected, sizeof expected, "$panel1_series2 << END\n%s\n",
                 known[i].second);
        assert_contains(script, expected);
        free(script);
    }
}

/* Up to twelve have names; more are lines of one colour, whose number the key has. */
static void many_sheets_are_thin_lines(void **state)
{
    static const double x[] = {1, 2, 4}, y[] = {4, 1, 2};
    static const cli_plot_series series[] = {
        {.title = "used", .n = 3, .x = x, .y = y},
        {.title = "fit", .style = CLI_PLOT_LINE, .n = 2, .x = x, .y = y}};
    static const cli_plot_panel panel = {.n_series = 2, .series = series};
    cli_plot_sheet sheets[13];
    char *script;

    for (size_t i = 0; i < 13; i++)
        sheets[i] = (cli_plot_sheet){.title = i < 12 ? "a.png" : "b.png",
                                     .part = "label 3",
                                     .summary = "D = 1",
                                     .note = i == 1 ? "all is wrong" : NULL,
                                     .mark = i == 1 ? "wrong" : NULL,
                                     .n_panels = 1,
                                     .panels = &panel};
    script = script_of(*state, 12, sheets);
    assert_contains(script, "title \"label 3: D = 1\"");
    assert_contains(script, "title \"label 3: D = 1 (wrong)\"");
    assert_contains(script, "set label 2 \"a.png\" ");
    assert_contains(script, "$panel1_series24 using 1:2 with lines linewidth 1.75");
    assert_null(strstr(script, "curves"));
    free(script);
    script = script_of(*state, 13, sheets);
    assert_contains(script, "title \"13 curves\"");
    assert_contains(script, "\"1 of 13 say little or nothing: see the warnings\"");
    assert_contains(script, "$panel1_series25 using 1:2 with lines linewidth 0.5");
    assert_null(strstr(script, "$panel1_series26 using"));
    assert_null(strstr(script, "set label 2 \"a.png\" "));
    free(script);
}

static void bars_stand_side_by_side(void **state)
{
    static const double x[] = {0, 1}, y[] = {0.25, 0.75};
    static const cli_plot_series series = {
        .style = CLI_PLOT_BARS, .n = 2, .x = x, .y = y};
    static const cli_plot_panel panel = {.n_series = 1, .series = &series};
    static const cli_plot_sheet sheets[] = {
        {.title = "a", .n_panels = 1, .panels = &panel},
        {.title = "b", .n_panels = 1, .panels = &panel}};
    char *script = script_of(*state, 2, sheets);

    assert_contains(script, "$panel1_series1 << END\n-0.2 0.25\n0.8 0.75\nEND\n");
    assert_contains(script, "$panel1_series2 << END\n0.2 0.25\n1.2 0.75\nEND\n");
    assert_contains(script, "set boxwidth 0.4 absolute\n");
    assert_contains(script, "set yrange [0:");
    free(script);
}

/* Values of one group come together, and five have the box of their quartiles. */
static void strips_have_groups(void **state)
{
    static const double one[] = {8, 1, 4}, two[] = {2, 16}, lone[] = {7, NAN};
    static const cli_plot_series series[] = {
        {.style = CLI_PLOT_STRIP, .n = 3, .x = one, .y = one},
        {.style = CLI_PLOT_STRIP, .n = 2, .x = lone, .y = lone},
        {.style = CLI_PLOT_STRIP, .n = 2, .x = two, .y = two}};
    static const cli_plot_panel panels_of[] = {{.n_series = 1, .series = &series[0]},
                                               {.n_series = 1, .series = &series[1]},
                                               {.n_series = 1, .series = &series[2]}};
    static const cli_plot_sheet sheets[] = {
        {.title = "a", .group = "x", .n_panels = 1, .panels = &panels_of[0]},
        {.title = "b", .group = "y", .n_panels = 1, .panels = &panels_of[1]},
        {.title = "c", .group = "x", .n_panels = 1, .panels = &panels_of[2]}};
    char *script = script_of(*state, 3, sheets);

    assert_contains(script, "$panel1_series1 << END\n1 4 2 8\nEND\n");
    assert_contains(script, "\n2 7\nEND\n");
    assert_contains(script, "set xtics norotate (\"x\" 1, \"y\" 2) noenhanced\n");
    free(script);
}

static void tiles_have_shades_and_numbers(void **state)
{
    static const double x[] = {1, 2}, y[] = {1, 1}, number[] = {0, 12}, shade[] = {0, 1};
    static const char *const names[] = {"p", "q"};
    static const cli_plot_series series = {
        .style = CLI_PLOT_TILES, .n = 2, .x = x, .y = y, .low = number, .high = shade};
    static const cli_plot_panel panel = {.n_series = 1,
                                         .series = &series,
                                         .x_names = names,
                                         .y_names = names,
                                         .n_x_names = 2,
                                         .n_y_names = 2};
    static const cli_plot_sheet sheet = {.n_panels = 1, .panels = &panel};
    char *script = script_of(*state, 1, &sheet);

    assert_contains(script, "$panel1_series1 << END\n1 1 0 0 16777215 2105376\n"
                            "2 1 12 1 23190 16777215\nEND\n");
    assert_contains(script, "set yrange [2.5:0.5]\n");
    free(script);
    need_gnuplot();
    assert_int_equal(run_script(*state, "all.gp"), 0);
}

static void pdf_is_whole(void **state)
{
    char *picture;
    size_t n_bytes;

    need_gnuplot();
    plot(*state, "plot.pdf", "\xC2\xB5 \xCE\xB1 \xE2\x82\x82.tif");
    picture = scratch_read(*state, "plot.pdf", &n_bytes);
    assert_true(n_bytes > 5000);
    assert_memory_equal(picture, "%PDF-", 5);
    free(picture);
    assert_int_equal(scratch_count(*state), 1);
}

static void assert_plot_fails(scratch *here, const char *name, rug_status status,
                              const char *text)
{
    rug_context *ctx;
    cli_plot_sheet sheet = sheet_of("t");

    assert_int_equal(rug_context_new(&ctx), RUG_OK);
    assert_int_equal(cli_plot_write(ctx, scratch_path(here, name), 1, &sheet), status);
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
    cli_plot_series bad_style = {
        .style = (cli_plot_style)8, .n = 1, .x = sizes, .y = counts};
    cli_plot_series no_numbers = {.style = CLI_PLOT_LINE, .n = 1, .x = sizes};
    cli_plot_series no_ends = {.style = CLI_PLOT_TILES, .n = 1, .x = sizes, .y = sizes};
    cli_plot_panel panel = {.n_series = 1};
    cli_plot_sheet sheets[] = {sheet_of("t"), sheet_of("t")};

    assert_int_equal(cli_plot_write(NULL, path, 0, sheets), RUG_E_ARG);
    assert_int_equal(write_panel(NULL, path, "t", NULL), RUG_E_ARG);
    assert_int_equal(write_panel(NULL, path, "t", &panel), RUG_E_ARG);
    panel.series = &bad_style;
    assert_int_equal(write_panel(NULL, path, "t", &panel), RUG_E_ARG);
    panel.series = &no_numbers;
    assert_int_equal(write_panel(NULL, path, "t", &panel), RUG_E_ARG);
    panel.series = &no_ends;
    assert_int_equal(write_panel(NULL, path, "t", &panel), RUG_E_ARG);
    assert_int_equal(cli_plot_write(NULL, NULL, 1, sheets), RUG_E_ARG);
    sheets[1].n_panels = 1;
    assert_int_equal(cli_plot_write(NULL, path, 2, sheets), RUG_E_ARG);
    assert_plot_fails(*state, "a.eps", RUG_E_ARG,
                      "a.eps\" names no plot form: expected .svg");
    assert_plot_fails(*state, "svg", RUG_E_ARG, "expected .svg, .png, .pdf or .gp");
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
        WITH_SCRATCH(sizes_are_in_their_unit),
        WITH_SCRATCH(many_sheets_are_thin_lines),
        WITH_SCRATCH(bars_stand_side_by_side),
        WITH_SCRATCH(strips_have_groups),
        WITH_SCRATCH(tiles_have_shades_and_numbers),
        WITH_SCRATCH(pdf_is_whole),
        WITH_SCRATCH(missing_or_failing_gnuplot),
        WITH_SCRATCH(bad_arguments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
