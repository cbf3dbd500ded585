/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Parses ImageJ's "key=value" lines, and OME-XML (the 2016-06 schema, first Image only) with GLib,
 * which is loaded for it. Numbers are read with the decimal point in any locale. It opens no file. */

#include "tiff_text.h"
#include "io/base/library.h"
#include "io/base/text.h"
#include <glib.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a word of ImageJ's that count, with its end. */
#define WORD_MAX 256

/* ---- GLib ---- */

#define GLIB_FUNCTIONS(X)               \
    X(g_free)                           \
    X(g_utf8_make_valid)                \
    X(g_markup_parse_context_new)       \
    X(g_markup_parse_context_parse)     \
    X(g_markup_parse_context_end_parse) \
    X(g_markup_parse_context_free)

/* The functions, under their own names. */
static struct {
    GLIB_FUNCTIONS(RUGI_LIBRARY_MEMBER)
} glib;

static rug_status load_glib(rug_context *ctx, const char *path)
{
    static const char *const symbols[] = {GLIB_FUNCTIONS(RUGI_LIBRARY_SYMBOL) NULL};
    static const rugi_library library = {"GLib", RUGI_GLIB_FILE, "libglib2.0-0", symbols,
                                         &glib};
    return rugi_library_load(ctx, &library, path);
}

/* ---- Values ---- */

/* Copies a text, or as much of it as there is room for. */
static void copy(char *to, const char *text, size_t size)
{
    size_t n = strnlen(text, size - 1);
    memcpy(to, text, n);
    to[n] = '\0';
}

int rugi_normalise_unit(char unit[RUGI_UNIT_MAX], double *factor)
{
    static const struct {
        const char *written;
        const char *unit;
        double factor;
    } units[] = {{"um", "um", 1},
                 {"micron", "um", 1},
                 {"microns", "um", 1},
                 {"micrometer", "um", 1},
                 {"micrometre", "um", 1},
                 {"\xc2\xb5m", "um", 1}, /* micro sign */
                 {"\xce\xbcm", "um", 1}, /* Greek mu */
                 {"\xb5m", "um", 1},     /* micro sign in Latin-1 */
                 {"\\u00B5m", "um", 1},  /* as ImageJ escapes it */
                 {"nm", "nm", 1},
                 {"mm", "mm", 1},
                 {"cm", "mm", 10},
                 {"inch", "mm", 25.4},
                 {"in", "mm", 25.4},
                 {"m", "m", 1},
                 {"\xc3\x85", "nm", 0.1}, /* angstrom */
                 {"\xe2\x84\xab", "nm", 0.1}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (rugi_same_letters(unit, units[i].written, RUGI_UNIT_MAX)) {
            copy(unit, units[i].unit, RUGI_UNIT_MAX);
            *factor = units[i].factor;
            return 1;
        }
    return 0;
}

/** A count of at least 1; 1 for what is none. */
static int read_count(const char *text)
{
    long long n = strtoll(text, NULL, 10);
    return n >= 1 && n <= INT_MAX ? (int)n : 1;
}

static double read_length(const char *text)
{
    return fabs(rugi_leading_real(text));
}

/* ---- ImageJ ---- */

/* "zct" → "XYZCT": the axis whose pages follow each other comes first. What is no order of the three
 * axes is noted. */
static void read_order(rugi_tiff_text *out, const char *value)
{
    static const char *const orders[] = {"czt", "ctz", "zct", "ztc", "tcz", "tzc"};
    static const char *const ours[] = {"XYCZT", "XYCTZ", "XYZCT",
                                       "XYZTC", "XYTCZ", "XYTZC"};
    for (size_t i = 0; i < 6; i++)
        if (rugi_same_letters(value, orders[i], 4)) {
            memcpy(out->order, ours[i], sizeof out->order);
            return;
        }
    out->has_own_order = 1;
}

static void read_imagej_line(rugi_tiff_text *out, int *n_images, const char *key,
                             const char *value)
{
    if (strcmp(key, "images") == 0)
        *n_images = read_count(value);
    else if (strcmp(key, "channels") == 0)
        out->n_channels = read_count(value);
    else if (strcmp(key, "slices") == 0)
        out->n_slices = read_count(value);
    else if (strcmp(key, "frames") == 0)
        out->n_times = read_count(value);
    else if (strcmp(key, "order") == 0)
        read_order(out, value);
    else if (strcmp(key, "spacing") == 0)
        out->spacing[0] = read_length(value);
    else if (strcmp(key, "unit") == 0)
        copy(out->unit, value, sizeof out->unit);
}

/* Copies the text from one place to another without the blanks around it. */
static void copy_word(char word[WORD_MAX], const char *begin, const char *end)
{
    while (begin < end && strchr(RUGI_BLANKS, *begin) != NULL)
        begin++;
    while (begin < end && strchr(RUGI_BLANKS, end[-1]) != NULL)
        end--;
    size_t n = (size_t)(end - begin) < WORD_MAX ? (size_t)(end - begin) : WORD_MAX - 1;
    memcpy(word, begin, n);
    word[n] = '\0';
}

static void parse_imagej(rugi_tiff_text *out, const char *text)
{
    int n_images = 1;
    char key[WORD_MAX], value[WORD_MAX];
    for (const char *line = text; *line != '\0';) {
        const char *end = line + strcspn(line, "\n");
        const char *equals = memchr(line, '=', (size_t)(end - line));
        if (equals != NULL) {
            copy_word(key, line, equals);
            copy_word(value, equals + 1, end);
            read_imagej_line(out, &n_images, key, value);
        }
        line = end + (*end != '\0');
    }
    if (out->n_channels == 1 && out->n_slices == 1 && out->n_times == 1)
        out->n_slices = n_images; /* a plain stack */
}

/* ---- OME-XML ---- */

/** What the OME-XML parser carries along. */
typedef struct ome {
    rugi_tiff_text *out;
    int n_pixels;  /* Pixels elements so far; the first one counts */
    int n_samples; /* colours of one page */
    char units[3][RUGI_UNIT_MAX];
} ome;

/** The value of an attribute, or NULL. */
static const char *attribute(const char **names, const char **values, const char *name)
{
    for (size_t i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return values[i];
    return NULL;
}

static void read_pixels(ome *o, const char **names, const char **values)
{
    static const char *const sizes[3] = {"PhysicalSizeZ", "PhysicalSizeY",
                                         "PhysicalSizeX"};
    static const char *const units[3] = {"PhysicalSizeZUnit", "PhysicalSizeYUnit",
                                         "PhysicalSizeXUnit"};
    const char *value = attribute(names, values, "DimensionOrder");
    copy(o->out->order, value != NULL ? value : "XYCZT", sizeof o->out->order);
    o->out->n_channels =
        (value = attribute(names, values, "SizeC")) ? read_count(value) : 1;
    o->out->n_slices =
        (value = attribute(names, values, "SizeZ")) ? read_count(value) : 1;
    o->out->n_times = (value = attribute(names, values, "SizeT")) ? read_count(value) : 1;
    for (int i = 0; i < 3; i++) {
        value = attribute(names, values, sizes[i]);
        o->out->spacing[i] = value != NULL ? read_length(value) : 0;
        value = attribute(names, values, units[i]);
        copy(o->units[i], value != NULL ? value : "um", RUGI_UNIT_MAX);
    }
}

static size_t index_of(const char **names, const char **values, const char *name)
{
    const char *value = attribute(names, values, name);
    long long n = value != NULL ? strtoll(value, NULL, 10) : 0;
    return n > 0 && n <= INT_MAX ? (size_t)n : 0;
}

/** TiffData says which page is which plane; what differs from the plain order is
 *  noted. */
static void read_tiff_data(ome *o, const char **names, const char **values)
{
    size_t page = index_of(names, values, "IFD");
    size_t z = index_of(names, values, "FirstZ");
    size_t c = index_of(names, values, "FirstC");
    size_t t = index_of(names, values, "FirstT");
    if (o->n_samples > 1)
        c /= (size_t)o->n_samples;
    if (rugi_tiff_page_of(o->out, z, c, t) != page)
        o->out->has_own_order = 1;
}

static void start_element(GMarkupParseContext *context, const char *element,
                          const char **names, const char **values, gpointer user,
                          GError **error)
{
    ome *o = user;
    (void)context;
    (void)error;
    const char *colon = strchr(element, ':'); /* <OME:Pixels> is <Pixels> */
    const char *name = colon != NULL ? colon + 1 : element;
    int is_pixels = strcmp(name, "Pixels") == 0;
    o->n_pixels += is_pixels;
    if (o->n_pixels != 1)
        return;
    if (is_pixels)
        read_pixels(o, names, values);
    else if (strcmp(name, "TiffData") == 0)
        read_tiff_data(o, names, values);
    else if (strcmp(name, "Channel") == 0) {
        const char *samples = attribute(names, values, "SamplesPerPixel");
        int n = samples != NULL ? read_count(samples) : 1;
        if (n > 1 && o->out->n_channels % n == 0 && o->n_samples == 1) {
            o->n_samples = n; /* SizeC counts the colours of a page as channels */
            o->out->n_channels /= n;
        }
    }
}

static int is_order(const char *order)
{
    return strlen(order) == 5 && strncmp(order, "XY", 2) == 0 &&
           strchr(order, 'Z') != NULL && strchr(order, 'C') != NULL &&
           strchr(order, 'T') != NULL;
}

/** The power of ten of a normalised unit in metres. */
static int power_of(const char *unit)
{
    return unit[1] == '\0' ? 0 : unit[0] == 'm' ? -3 : unit[0] == 'u' ? -6 : -9;
}

/** Brings the three spacings to one unit, that of x. */
static void unify_units(ome *o)
{
    double factors[3] = {1, 1, 1};
    if (!rugi_normalise_unit(o->units[2], &factors[2])) {
        memset(o->out->spacing, 0,
               sizeof o->out->spacing); /* "pixel", "reference frame" */
        return;
    }
    for (int i = 0; i < 2; i++) {
        int power = 0;
        if (!rugi_normalise_unit(o->units[i], &factors[i]))
            factors[i] = 0;
        else
            power = power_of(o->units[i]) - power_of(o->units[2]);
        factors[i] =
            power >= 0 ? factors[i] * pow(10, power) : factors[i] / pow(10, -power);
    }
    for (int i = 0; i < 3; i++)
        o->out->spacing[i] *= factors[i];
    copy(o->out->unit, o->units[2], sizeof o->out->unit);
}

/** @return nonzero when the text is OME-XML with a Pixels element */
static int parse_ome(rugi_tiff_text *out, const char *text)
{
    static const GMarkupParser parser = {.start_element = start_element};
    ome o = {.out = out, .n_samples = 1};
    char *valid = glib.g_utf8_make_valid(text, -1); /* Latin-1 micro signs happen */
    GMarkupParseContext *context = glib.g_markup_parse_context_new(&parser, 0, &o, NULL);
    int good =
        glib.g_markup_parse_context_parse(context, valid, (gssize)strlen(valid), NULL) &&
        glib.g_markup_parse_context_end_parse(context, NULL);
    glib.g_markup_parse_context_free(context);
    glib.g_free(valid);
    if (!good || o.n_pixels == 0 || !is_order(out->order))
        return 0;
    unify_units(&o);
    return 1;
}

static void clear(rugi_tiff_text *out)
{
    memset(out, 0, sizeof *out);
    out->writer = RUGI_TIFF_PLAIN;
    out->n_channels = out->n_slices = out->n_times = 1;
    memcpy(out->order, "XYCZT", 6);
}

rug_status rugi_tiff_parse_text(rug_context *ctx, rugi_tiff_text *out, const char *text,
                                const char *path)
{
    clear(out);
    if (strncmp(text, "ImageJ=", 7) == 0) {
        parse_imagej(out, text);
        out->writer = RUGI_TIFF_IMAGEJ;
    } else if (strstr(text, "<OME") != NULL || strstr(text, ":OME") != NULL) {
        rug_status status = load_glib(ctx, path);
        if (status != RUG_OK)
            return status;
        if (!parse_ome(out, text)) {
            clear(out);
            out->has_own_order = 1;
        }
        out->writer = RUGI_TIFF_OME;
    }
    return RUG_OK;
}
