/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Parses ImageJ's "key=value" lines and OME-XML (the 2016-06 schema, first Image only).
 * Numbers are read with the decimal point in any locale. It opens no file. */

#include "tiff_text.h"
#include <glib.h>
#include <limits.h>
#include <math.h>
#include <string.h>

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
        if (g_ascii_strcasecmp(unit, units[i].written) == 0) {
            g_strlcpy(unit, units[i].unit, RUGI_UNIT_MAX);
            *factor = units[i].factor;
            return 1;
        }
    return 0;
}

/** A count of at least 1; 1 for what is none. */
static int read_count(const char *text)
{
    gint64 n = g_ascii_strtoll(text, NULL, 10);
    return n >= 1 && n <= INT_MAX ? (int)n : 1;
}

static double read_length(const char *text)
{
    double value = fabs(g_ascii_strtod(text, NULL));
    return isfinite(value) ? value : 0;
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
    else if (strcmp(key, "spacing") == 0)
        out->spacing[0] = read_length(value);
    else if (strcmp(key, "unit") == 0)
        g_strlcpy(out->unit, value, sizeof out->unit);
}

static void parse_imagej(rugi_tiff_text *out, const char *text)
{
    int n_images = 1;
    gchar **lines = g_strsplit(text, "\n", -1);
    for (gchar **line = lines; *line != NULL; line++) {
        char *equals = strchr(*line, '=');
        if (equals == NULL)
            continue;
        *equals = '\0';
        read_imagej_line(out, &n_images, g_strstrip(*line), g_strstrip(equals + 1));
    }
    g_strfreev(lines);
    if (out->n_channels == 1 && out->n_slices == 1 && out->n_times == 1)
        out->n_slices = n_images; /* a plain stack */
}

/** What the OME-XML parser carries along. */
typedef struct ome {
    rugi_tiff_text *out;
    int n_pixels;  /* Pixels elements so far; the first one counts */
    int n_samples; /* colours of one page */
    char units[3][RUGI_UNIT_MAX];
} ome;

/** The value of an attribute, or NULL. */
static const char *attribute(const gchar **names, const gchar **values, const char *name)
{
    for (size_t i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return values[i];
    return NULL;
}

static void read_pixels(ome *o, const gchar **names, const gchar **values)
{
    static const char *const sizes[3] = {"PhysicalSizeZ", "PhysicalSizeY",
                                         "PhysicalSizeX"};
    static const char *const units[3] = {"PhysicalSizeZUnit", "PhysicalSizeYUnit",
                                         "PhysicalSizeXUnit"};
    const char *value = attribute(names, values, "DimensionOrder");
    g_strlcpy(o->out->order, value != NULL ? value : "XYCZT", sizeof o->out->order);
    o->out->n_channels =
        (value = attribute(names, values, "SizeC")) ? read_count(value) : 1;
    o->out->n_slices =
        (value = attribute(names, values, "SizeZ")) ? read_count(value) : 1;
    o->out->n_times = (value = attribute(names, values, "SizeT")) ? read_count(value) : 1;
    for (int i = 0; i < 3; i++) {
        value = attribute(names, values, sizes[i]);
        o->out->spacing[i] = value != NULL ? read_length(value) : 0;
        value = attribute(names, values, units[i]);
        g_strlcpy(o->units[i], value != NULL ? value : "um", RUGI_UNIT_MAX);
    }
}

static size_t index_of(const gchar **names, const gchar **values, const char *name)
{
    const char *value = attribute(names, values, name);
    gint64 n = value != NULL ? g_ascii_strtoll(value, NULL, 10) : 0;
    return n > 0 && n <= INT_MAX ? (size_t)n : 0;
}

/** TiffData says which page is which plane; what differs from the plain order is
 *  noted. */
static void read_tiff_data(ome *o, const gchar **names, const gchar **values)
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

static void start_element(GMarkupParseContext *context, const gchar *element,
                          const gchar **names, const gchar **values, gpointer user,
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
    g_strlcpy(o->out->unit, o->units[2], sizeof o->out->unit);
}

/** @return nonzero when the text is OME-XML with a Pixels element */
static int parse_ome(rugi_tiff_text *out, const char *text)
{
    static const GMarkupParser parser = {.start_element = start_element};
    ome o = {.out = out, .n_samples = 1};
    char *valid = g_utf8_make_valid(text, -1); /* Latin-1 micro signs happen */
    GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, &o, NULL);
    int good =
        g_markup_parse_context_parse(context, valid, (gssize)strlen(valid), NULL) &&
        g_markup_parse_context_end_parse(context, NULL);
    g_markup_parse_context_free(context);
    g_free(valid);
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

void rugi_tiff_parse_text(rugi_tiff_text *out, const char *text)
{
    clear(out);
    if (strncmp(text, "ImageJ=", 7) == 0) {
        parse_imagej(out, text);
        out->writer = RUGI_TIFF_IMAGEJ;
    } else if (strstr(text, "<OME") != NULL || strstr(text, ":OME") != NULL) {
        if (!parse_ome(out, text)) {
            clear(out);
            out->has_own_order = 1;
        }
        out->writer = RUGI_TIFF_OME;
    }
}
