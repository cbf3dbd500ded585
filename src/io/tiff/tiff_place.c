/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Tags of TIFF that libtiff does not know: where a page lies on Earth (GeoTIFF), and which value stands
 * for no data (GDAL); and what goes with a page besides its pixels. */

#include "core/image/number.h"
#include "io/base/file_notes.h"
#include "tiff_facts.h"
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values of a tag that this library does not know of at compile time. A program that has libtiff know
 * it, as GDAL does, may have said that its count has 16 bits, or that it comes without one.
 *  @return their number; 0: the tag is not there, or of another type */
static uint32_t read_tag(TIFF *tiff, uint32_t tag, TIFFDataType type, void **data)
{
    const TIFFField *field = rugi_tiff.TIFFFindField(tiff, tag, TIFF_ANY);
    uint32_t n = 0;
    uint16_t n_short = 0;
    int found = 0;
    *data = NULL;
    if (field == NULL || rugi_tiff.TIFFFieldDataType(field) != type)
        return 0;
    int is_long = rugi_tiff.TIFFFieldReadCount(field) == TIFF_VARIABLE2;
    if (rugi_tiff.TIFFFieldPassCount(field)) {
        found = is_long ? rugi_tiff.TIFFGetField(tiff, tag, &n, data)
                        : rugi_tiff.TIFFGetField(tiff, tag, &n_short, data);
    } else if (type == TIFF_ASCII) {
        found = rugi_tiff.TIFFGetField(tiff, tag, data);
        n = found && *data != NULL ? (uint32_t)strlen(*data) : 0;
    }
    return found && *data != NULL ? n + n_short : 0;
}

/* ---- Where it lies ---- */

static const struct {
    uint32_t tag;
    TIFFDataType type;
} tags[RUGI_PLACE_TAGS] = {RUGI_PLACE_TAG_LIST};

/* The tags of a page, as libtiff holds them. */
static void read_tags(TIFF *tiff, rugi_place_tag found[RUGI_PLACE_TAGS])
{
    for (int i = 0; i < RUGI_PLACE_TAGS; i++)
        found[i].count = read_tag(tiff, tags[i].tag, tags[i].type, &found[i].data);
}

/* The value of a key whose values are in a tag, 0 = in the keys themselves: these are a head and fours of key,
 * tag, count, value. NULL = not said. */
static const uint16_t *find_key(const rugi_place_tag *found, uint16_t key, uint32_t tag)
{
    const uint16_t *words = found[RUGI_KEYS].data;
    for (uint32_t i = 4; i + 4 <= found[RUGI_KEYS].count; i += 4)
        if (words[i] == key && words[i + 1] == tag)
            return &words[i + 3];
    return NULL;
}

/* The value of a key that is a code: 0 = not said. */
static int code_of(const rugi_place_tag *found, uint16_t key)
{
    const uint16_t *code = find_key(found, key, 0);
    return code != NULL ? *code : 0;
}

/* The value of a key that is a number: 0 = not said. */
static double number_of(const rugi_place_tag *found, uint16_t key)
{
    const uint16_t *at = find_key(found, key, tags[RUGI_NUMBERS].tag);
    const double *numbers = found[RUGI_NUMBERS].data;
    return at != NULL && *at < found[RUGI_NUMBERS].count ? numbers[*at] : 0;
}

/* Names the unit of the places (GeoTIFF 1.1, 7.4 and 7.5; codes of EPSG), by the key of the kind of
 * coordinates that there are: projected, degrees, or from the centre of the Earth.
 *  @param unit  "" where it is not known
 *  @return what lengths must be multiplied by */
static double find_unit(const rugi_place_tag *found, char unit[RUGI_UNIT_MAX])
{
    enum { MODEL_TYPE = 1024, IS_GEOGRAPHIC = 2, USER_DEFINED = 32767 };
    static const uint16_t unit_keys[] = {0, 3076, 2054, 2052};
    static const struct {
        int code, is_angle;
        const char *name;
    } units[] = {{9001, 0, "m"},     {9002, 0, "foot"},   {9003, 0, "US_survey_foot"},
                 {9036, 0, "km"},    {9101, 1, "radian"}, {9102, 1, "degree"},
                 {9122, 1, "degree"}};
    int model = code_of(found, MODEL_TYPE), is_angle = model == IS_GEOGRAPHIC;
    uint16_t key = model <= 3 ? unit_keys[model] : 0;
    int code = key > 0 ? code_of(found, key) : 0;
    double size = code == USER_DEFINED ? number_of(found, (uint16_t)(key + 1)) : 0;
    const char *name = "";
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (code == units[i].code && is_angle == units[i].is_angle)
            name = units[i].name;
    int is_own = isfinite(size) && size > 0; /* in metres, in radians */
    snprintf(unit, RUGI_UNIT_MAX, "%s", !is_own ? name : is_angle ? "degree" : "m");
    return !is_own ? 1 : is_angle ? size * 180 / acos(-1.0) : size;
}

/* Notes the sides of a pixel; nothing where they are not at right angles. */
static void find_spacing(const rugi_place_tag *found, rugi_tiff_levels *out)
{
    double side[2], across = 0;
    for (int a = 0; a < 2; a++)
        side[a] = hypot(hypot(out->affine[0][a], out->affine[1][a]), out->affine[2][a]);
    for (int i = 0; i < 3; i++)
        across += out->affine[i][0] * out->affine[i][1];
    if (!(fabs(across) <= 1e-6 * side[0] * side[1]))
        return;
    double factor = find_unit(found, out->unit);
    out->spacing[0] = side[1] * factor;
    out->spacing[1] = side[0] * factor;
}

/** Notes where a page lies (GeoTIFF 1.1, 7.2): by one point and the size of a pixel, or by a matrix; and
 * the size alone where there is no more. */
static void find_location(const rugi_place_tag *found, rugi_tiff_levels *out)
{
    enum { RASTER_TYPE = 1025, IS_POINT = 2 };
    const double *scale = found[RUGI_SCALE].data, *point = found[RUGI_TIEPOINTS].data;
    int has_scale = found[RUGI_SCALE].count >= 2;
    int has_point = has_scale && found[RUGI_TIEPOINTS].count >= 6;
    int has_matrix = found[RUGI_MATRIX].count == 16;
    double(*affine)[4] = out->affine;
    double half = code_of(found, RASTER_TYPE) == IS_POINT ? 0 : 0.5;
    out->is_located = has_point || has_matrix;
    if (has_matrix && !has_point)
        memcpy(affine, found[RUGI_MATRIX].data, sizeof out->affine);
    else if (has_scale) {
        affine[0][0] = scale[0];
        affine[1][1] = -scale[1];
        affine[0][3] = has_point ? point[3] - point[0] * scale[0] : 0;
        affine[1][3] = has_point ? point[4] + point[1] * scale[1] : 0;
    } else
        return;
    find_spacing(found, out);
    for (int i = 0; i < 3; i++)
        affine[i][3] += half * (affine[i][0] + affine[i][1]);
}

/* ---- No data ---- */

static void read_nodata(TIFF *tiff, rug_file *file)
{
    void *data;
    uint32_t n = read_tag(tiff, RUGI_TAG_NODATA, TIFF_ASCII, &data);
    const char *text = data;
    while (n > 0 && isspace((unsigned char)*text)) {
        text++;
        n--;
    }
    n = n > 0 ? (uint32_t)strnlen(text, n) : 0;
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        n--;
    if (n < RUGI_NODATA_MAX)
        snprintf(file->nodata_text, RUGI_NODATA_MAX, "%.*s", (int)n, n > 0 ? text : "");
    else /* no number */
        snprintf(file->nodata_text, RUGI_NODATA_MAX, "%.*s...", RUGI_NODATA_MAX - 4,
                 text);
}

/* The value that stands for no data, where unsigned samples are not read as they are: where white is 0
 * they are inverted, and of fewer than 8 bits spread over 0 to 255. */
static void fit_nodata(rug_context *ctx, rug_file *file, const rugi_tiff_page *page)
{
    double value;
    char *text = file->nodata_text;
    const uint64_t most = UINT64_MAX >> (64 - (page->bits & 63)) % 64;
    int is_white = page->photometric == PHOTOMETRIC_MINISWHITE;
    int is_palette = page->photometric == PHOTOMETRIC_PALETTE;
    if (text[0] == '\0' || page->as_indices || page->format != SAMPLEFORMAT_UINT ||
        !(is_palette || is_white || page->bits < 8))
        return;
    if (is_palette)
        rug_context_warn(ctx,
                         "%s: says that %s stands for no data, which is an index of its "
                         "palette; all pixels are read as their colours",
                         file->path, text);
    else if (rugi_parse_real(&value, text) && value >= 0 && value <= (double)most &&
             value <= floor(value)) {
        uint64_t v = value < 0x1p53 ? (uint64_t)value : strtoull(text, NULL, 10);
        v = is_white ? most - v : v;
        snprintf(text, RUGI_NODATA_MAX, "%" PRIu64, page->bits < 8 ? v * 255 / most : v);
        return;
    }
    if (is_palette || page->bits < 8)
        text[0] = '\0';
}

/** Makes the affine of a page that of a level: coarser pixels are larger, within the same edges. */
static void scale_affine(rugi_tiff_levels *out, size_t level)
{
    const rugi_tiff_page *full = &out->levels[0];
    if (level >= out->n_levels)
        return;
    const double larger[2] = {(double)full->width / (double)out->levels[level].width,
                              (double)full->height / (double)out->levels[level].height};
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 2; a++) {
            out->affine[i][3] += out->affine[i][a] * (larger[a] - 1) / 2;
            out->affine[i][a] *= larger[a];
        }
}

/* What goes with the pixels of a page. Its resolution is that of level 0. */
static rug_status read_notes(rug_context *ctx, rug_file *file, TIFF *tiff,
                             const rugi_tiff_page *page)
{
    uint32_t n = 0;
    const void *profile = NULL;
    const char *unit = page->unit == RESUNIT_INCH         ? "in"
                       : page->unit == RESUNIT_CENTIMETER ? "mm"
                                                          : NULL;
    double of_unit = page->unit == RESUNIT_CENTIMETER ? 10 : 1;
    if (page->n_alpha > 0)
        file->notes.alpha =
            page->is_premultiplied ? RUG_ALPHA_PREMULTIPLIED : RUG_ALPHA_STRAIGHT;
    if (!file->wants_notes)
        return RUG_OK;
    if (file->facts.level == 0)
        rugi_note_resolution(file, page->per_unit[0] / of_unit,
                             page->per_unit[1] / of_unit, unit);
    if (!rugi_tiff.TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &n, &profile))
        return RUG_OK;
    return rugi_keep_profile(ctx, file, profile, n);
}

rug_status rugi_tiff_read_place(rug_context *ctx, rug_file *file, TIFF *tiff,
                                rugi_tiff_levels *out)
{
    rugi_place_tag found[RUGI_PLACE_TAGS];
    read_tags(tiff, found);
    read_nodata(tiff, file);
    fit_nodata(ctx, file, &out->levels[0]);
    find_location(found, out);
    scale_affine(out, (size_t)file->facts.level);
    rug_status status = read_notes(ctx, file, tiff, &out->levels[0]);
    if (status != RUG_OK || file->place != NULL)
        return status;
    return rugi_place_keep(ctx, &file->place, found, file->path); /* for maps of it */
}
