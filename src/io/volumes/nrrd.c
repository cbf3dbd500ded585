/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads NRRD headers (versions 1 to 5), with the values behind them or in files of their own, by
 * the definition at https://teem.sourceforge.net/nrrd/format.html. Of what an axis may be, kinds
 * that hold several values of one pixel are channels, and times and lists pages. Fields that
 * change no value are passed over. */

#include "io/base/text.h"
#include "io/tiff/tiff_text.h"
#include "volume.h"
#include <math.h>
#include <string.h>

/** Axes of the space that a header may speak of. */
#define SPACE_MAX 4

/** What an axis of unknown kind is, is seen at the end. */
typedef enum nrrd_kind { KIND_UNKNOWN, KIND_SPACE, KIND_LIST, KIND_VALUES } nrrd_kind;

typedef struct nrrd_axis {
    nrrd_kind kind;
    double spacing; /* NaN: not said */
    int has_direction;
    double direction[SPACE_MAX];
    char unit[RUGI_UNIT_MAX]; /* "" = not said */
} nrrd_axis;

/** What a header says. */
typedef struct nrrd_header {
    rugi_lines lines;
    rugi_volume *volume;
    int n_axes; /* 0 = not said, as of all below */
    int has_sizes, has_type, has_encoding, has_directions, has_origin;
    int endian; /* 1 little, 2 big */
    int64_t byte_skip;
    nrrd_axis axis[RUGI_VOLUME_AXES];
    int n_space; /* axes of the space */
    const double
        *to_right; /* of the space: what makes x, y, z of it; NULL: it has no such axes */
    double origin[SPACE_MAX];
    char space_unit[RUGI_UNIT_MAX];
} nrrd_header;

/** Refuses the value of a field. */
static rug_status refuse(rug_context *ctx, const nrrd_header *h, const char *field,
                         const char *value, const char *expected)
{
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "%s: line %zu of the NRRD header: %s is '%.80s', %s expected",
                            h->lines.path, h->lines.number, field, value, expected);
}

/** Whether a word is one of several, which stand between bars, in any case. */
static int is_one_of(const char *word, const char *names)
{
    const size_t n = strlen(word);
    for (const char *at = names; at != NULL; at = strchr(at, '|')) {
        at += *at == '|';
        if (strcspn(at, "|") == n && rugi_same_letters(word, at, n))
            return 1;
    }
    return 0;
}

/** One field of the header. */
typedef rug_status (*nrrd_field)(rug_context *ctx, nrrd_header *h, const char *value);

/* ---- Fields of the whole ---- */

static rug_status take_dimension(rug_context *ctx, nrrd_header *h, const char *value)
{
    const char *at = value;
    int64_t n;
    if (!rugi_take_integer(&at, &n) || *at != '\0' || n < 1 || n > RUGI_VOLUME_AXES)
        return refuse(ctx, h, "dimension", value, "1 to 16");
    if (h->n_axes != 0) /* sizes may have been given for as many as were said before */
        return refuse(ctx, h, "second dimension", value, "one");
    h->n_axes = (int)n;
    for (int i = 0; i < h->n_axes; i++)
        h->axis[i].spacing = (double)NAN;
    return RUG_OK;
}

static rug_status take_type(rug_context *ctx, nrrd_header *h, const char *value)
{
    static const struct {
        rug_dtype dtype;
        const char *names;
    } types[] = {
        {RUG_I8, "int8|int8_t|signed char"},
        {RUG_U8, "uint8|uint8_t|uchar|unsigned char"},
        {RUG_I16, "int16|int16_t|short|short int|signed short|signed short int"},
        {RUG_U16, "uint16|uint16_t|ushort|unsigned short|unsigned short int"},
        {RUG_I32, "int32|int32_t|int|signed int"},
        {RUG_U32, "uint32|uint32_t|uint|unsigned int"},
        {RUG_I64, "int64|int64_t|longlong|long long|long long int|signed long long|"
                  "signed long long int"},
        {RUG_U64, "uint64|uint64_t|ulonglong|unsigned long long|unsigned long long int"},
        {RUG_F32, "float"},
        {RUG_F64, "double"}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (is_one_of(value, types[i].names)) {
            h->volume->coding.stored = types[i].dtype;
            h->has_type = 1;
            return RUG_OK;
        }
    return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                            "%s: NRRD type '%.40s' is not supported; integers of 8 to 64 "
                            "bits, float and double are",
                            h->lines.path, value);
}

static rug_status take_encoding(rug_context *ctx, nrrd_header *h, const char *value)
{
    static const struct {
        const char *names;
        rugi_packing packing;
        int is_text;
    } encodings[] = {{"raw", RUGI_PLAIN, 0},
                     {"txt|text|ascii", RUGI_PLAIN, 1},
                     {"gz|gzip", RUGI_GZIP, 0},
                     {"bz2|bzip2", RUGI_BZIP2, 0}};
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++)
        if (is_one_of(value, encodings[i].names)) {
            h->volume->files.packing = encodings[i].packing;
            h->volume->files.is_text = encodings[i].is_text;
            h->has_encoding = 1;
            return RUG_OK;
        }
    return rug_context_fail(
        ctx, RUG_E_UNSUPPORTED,
        "%s: NRRD encoding '%.40s' is not supported; raw, text, gzip and "
        "bzip2 are",
        h->lines.path, value);
}

static rug_status take_endian(rug_context *ctx, nrrd_header *h, const char *value)
{
    h->endian = rugi_same_word(value, "little") ? 1
                : rugi_same_word(value, "big")  ? 2
                                                : 0;
    return h->endian != 0 ? RUG_OK : refuse(ctx, h, "endian", value, "'little' or 'big'");
}

static rug_status take_line_skip(rug_context *ctx, nrrd_header *h, const char *value)
{
    const char *at = value;
    int64_t n;
    if (!rugi_take_integer(&at, &n) || *at != '\0' || n < 0)
        return refuse(ctx, h, "line skip", value, "0 or more");
    h->volume->files.n_lines = (uint64_t)n;
    return RUG_OK;
}

static rug_status take_byte_skip(rug_context *ctx, nrrd_header *h, const char *value)
{
    const char *at = value;
    return rugi_take_integer(&at, &h->byte_skip) && *at == '\0'
               ? RUG_OK
               : refuse(ctx, h, "byte skip", value, "a whole number");
}

static rug_status take_data_file(rug_context *ctx, nrrd_header *h, const char *value)
{
    if (h->volume->files.are_others)
        return refuse(ctx, h, "data file", value, "one such line");
    return rugi_volume_name_files(ctx, &h->volume->files, &h->lines, value);
}

/* ---- Fields of axes ---- */

static rug_status take_sizes(rug_context *ctx, nrrd_header *h, const char *value)
{
    const char *at = value;
    int64_t n;
    for (int i = 0; i < h->n_axes; i++) {
        if (!rugi_take_integer(&at, &n) || n < 1)
            return refuse(ctx, h, "sizes", value, "a number of at least 1 for each axis");
        h->volume->axis[i].size = (uint64_t)n;
    }
    h->has_sizes = *at == '\0';
    return h->has_sizes ? RUG_OK
                        : refuse(ctx, h, "sizes", value, "as many numbers as axes");
}

static rug_status take_spacings(rug_context *ctx, nrrd_header *h, const char *value)
{
    const char *at = value;
    for (int i = 0; i < h->n_axes; i++)
        if (!rugi_take_real(&at, &h->axis[i].spacing))
            return refuse(ctx, h, "spacings", value, "a number for each axis");
    return RUG_OK;
}

/** Takes a word, or a text in quotes. @return 0: there is none */
static int take_word(const char **at, char *word, size_t size)
{
    const char *begin = *at + strspn(*at, RUGI_BLANKS);
    int is_quoted = *begin == '"';
    begin += is_quoted;
    size_t n = strcspn(begin, is_quoted ? "\"" : RUGI_BLANKS);
    if ((n == 0 && !is_quoted) || (is_quoted && begin[n] != '"'))
        return 0;
    size_t kept = n < size ? n : size - 1;
    memcpy(word, begin, kept);
    word[kept] = '\0';
    *at = begin + n + is_quoted;
    return 1;
}

static nrrd_kind find_kind(const char *word)
{
    return is_one_of(word, "domain|space") ? KIND_SPACE
           : is_one_of(word, "time|list")  ? KIND_LIST
           : is_one_of(word, "none|???")   ? KIND_UNKNOWN
                                           : KIND_VALUES;
}

static rug_status take_kinds(rug_context *ctx, nrrd_header *h, const char *value)
{
    const char *at = value;
    char word[32];
    for (int i = 0; i < h->n_axes; i++) {
        if (!take_word(&at, word, sizeof word))
            return refuse(ctx, h, "kinds", value, "a word for each axis");
        if (rugi_same_word(word, "complex"))
            return rug_context_fail(
                ctx, RUG_E_UNSUPPORTED,
                "%s: complex values have no order; store a magnitude or one part",
                h->lines.path);
        h->axis[i].kind = find_kind(word);
        h->volume->n_alpha = rugi_same_word(word, "RGBA-color") ? 1 : h->volume->n_alpha;
        if (rugi_same_word(word, "RGB-color") || rugi_same_word(word, "RGBA-color"))
            h->volume->is_colour = 1;
    }
    return RUG_OK;
}

static rug_status take_units(rug_context *ctx, nrrd_header *h, const char *value)
{
    const char *at = value;
    for (int i = 0; i < h->n_axes; i++)
        if (!take_word(&at, h->axis[i].unit, RUGI_UNIT_MAX))
            return refuse(ctx, h, "units", value, "a text in quotes for each axis");
    return RUG_OK;
}

/* ---- Fields of space ---- */

/** What makes x to the right, y to the front and z upwards of each space that has these axes. */
static const double ras[3] = {1, 1, 1}, las[3] = {-1, 1, 1}, lps[3] = {-1, -1, 1};

static rug_status take_space(rug_context *ctx, nrrd_header *h, const char *value)
{
    static const struct {
        const char *names;
        int n;
        const double *to_right;
    } spaces[] = {{"right-anterior-superior|RAS", 3, ras},
                  {"left-anterior-superior|LAS", 3, las},
                  {"left-posterior-superior|LPS", 3, lps},
                  {"scanner-xyz|3D-right-handed|3D-left-handed", 3, NULL},
                  {"right-anterior-superior-time|RAST|left-anterior-superior-time|LAST|"
                   "left-posterior-superior-time|LPST|scanner-xyz-time|"
                   "3D-right-handed-time|3D-left-handed-time",
                   4, NULL}};
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (is_one_of(value, spaces[i].names)) {
            h->n_space = spaces[i].n;
            h->to_right = spaces[i].to_right;
            return RUG_OK;
        }
    return refuse(ctx, h, "space", value, "a space of NRRD, such as 'LPS',");
}

static rug_status take_space_dimension(rug_context *ctx, nrrd_header *h,
                                       const char *value)
{
    const char *at = value;
    int64_t n;
    if (!rugi_take_integer(&at, &n) || *at != '\0' || n < 1 || n > SPACE_MAX)
        return refuse(ctx, h, "space dimension", value, "1 to 4");
    h->n_space = (int)n;
    return RUG_OK;
}

/** Takes a vector such as "(1,0,0)". @return 0: there is none of as many axes as the space */
static int take_vector(const nrrd_header *h, const char **at, double v[SPACE_MAX])
{
    const char *c = *at + strspn(*at, RUGI_BLANKS);
    if (h->n_space == 0 || *c++ != '(')
        return 0;
    for (int i = 0; i < h->n_space; i++) {
        if (!rugi_take_real(&c, &v[i]))
            return 0;
        c += strspn(c, RUGI_BLANKS);
        if (*c++ != (i + 1 < h->n_space ? ',' : ')'))
            return 0;
    }
    *at = c;
    return 1;
}

static rug_status take_directions(rug_context *ctx, nrrd_header *h, const char *value)
{
    const char *at = value;
    char word[8];
    for (int i = 0; i < h->n_axes; i++) {
        const char *next = at;
        h->axis[i].has_direction = take_vector(h, &at, h->axis[i].direction);
        if (h->axis[i].has_direction)
            continue;
        if (!take_word(&next, word, sizeof word) || !rugi_same_word(word, "none"))
            return refuse(ctx, h, "space directions", value,
                          "a vector of the space or 'none' for each axis");
        at = next;
    }
    h->has_directions = 1;
    return RUG_OK;
}

static rug_status take_origin(rug_context *ctx, nrrd_header *h, const char *value)
{
    const char *at = value;
    h->has_origin = take_vector(h, &at, h->origin);
    return h->has_origin ? RUG_OK
                         : refuse(ctx, h, "space origin", value, "a vector of the space");
}

static rug_status take_space_units(rug_context *ctx, nrrd_header *h, const char *value)
{
    const char *at = value;
    char unit[RUGI_UNIT_MAX];
    int n = h->n_space < 3 ? h->n_space : 3; /* the fourth is time */
    for (int i = 0; i < n; i++) {
        if (!take_word(&at, unit, sizeof unit))
            return refuse(ctx, h, "space units", value,
                          "a text in quotes for each axis of the space");
        if (i == 0)
            memcpy(h->space_unit, unit, sizeof unit);
        else if (strcmp(unit, h->space_unit) != 0)
            h->space_unit[0] = '\0';
    }
    return RUG_OK;
}

/* ---- The header ---- */

static rug_status take_field(rug_context *ctx, nrrd_header *h, const char *name,
                             const char *value)
{
    static const struct {
        const char *names;
        nrrd_field take;
        int needs_axes; /* how many there are */
    } fields[] = {{"dimension", take_dimension, 0},
                  {"type", take_type, 0},
                  {"encoding", take_encoding, 0},
                  {"endian", take_endian, 0},
                  {"line skip|lineskip", take_line_skip, 0},
                  {"byte skip|byteskip", take_byte_skip, 0},
                  {"data file|datafile", take_data_file, 0},
                  {"sizes", take_sizes, 1},
                  {"spacings", take_spacings, 1},
                  {"kinds", take_kinds, 1},
                  {"units", take_units, 1},
                  {"space", take_space, 0},
                  {"space dimension", take_space_dimension, 0},
                  {"space directions", take_directions, 1},
                  {"space origin", take_origin, 0},
                  {"space units", take_space_units, 0}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (is_one_of(name, fields[i].names)) {
            if (fields[i].needs_axes && h->n_axes == 0)
                return rug_context_fail(
                    ctx, RUG_E_FORMAT,
                    "%s: line %zu of the NRRD header: %s stands before dimension",
                    h->lines.path, h->lines.number, name);
            return fields[i].take(ctx, h, value);
        }
    return RUG_OK;
}

/** Takes a line: a field, or a key with ":=" or a comment, which are passed over. */
static rug_status take_line(rug_context *ctx, nrrd_header *h)
{
    char *line = h->lines.line, *colon = strchr(line, ':');
    if (line[0] == '#' || (colon != NULL && colon[1] == '='))
        return RUG_OK;
    if (colon == NULL || h->lines.is_cut)
        return rug_context_fail(
            ctx, RUG_E_FORMAT, "%s: line %zu of the NRRD header is %s", h->lines.path,
            h->lines.number, colon == NULL ? "no field" : "longer than any field");
    *colon = '\0';
    return take_field(ctx, h, line, colon + 1 + strspn(colon + 1, RUGI_BLANKS));
}

/** Reads all lines, up to an empty one. */
static rug_status read_lines(rug_context *ctx, nrrd_header *h)
{
    int got = 1, ended = 0;
    rug_status status = rugi_lines_next(ctx, &h->lines, &got);
    while (status == RUG_OK && !ended) {
        status = rugi_lines_next(ctx, &h->lines, &got);
        ended = !got || h->lines.line[0] == '\0';
        if (status == RUG_OK && !ended)
            status = take_line(ctx, h);
    }
    if (status == RUG_OK && !got && !h->volume->files.are_others)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: cut off: no empty line ends its NRRD header",
                                h->lines.path);
    h->volume->files.n_before = h->volume->files.are_others ? 0 : h->lines.at;
    return status;
}

/** Checks that what must be there is. */
static rug_status check_fields(rug_context *ctx, const nrrd_header *h)
{
    const char *missing = NULL;
    int wide = rugi_coding_size(&h->volume->coding) > 1;
    if (h->n_axes == 0)
        missing = "dimension";
    else if (!h->has_sizes)
        missing = "sizes";
    else if (!h->has_type)
        missing = "type";
    else if (!h->has_encoding)
        missing = "encoding";
    else if (wide && !h->volume->files.is_text && h->endian == 0)
        missing = "endian";
    if (missing != NULL)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: the NRRD header does not say '%s'", h->lines.path,
                                missing);
    if (h->byte_skip < 0 &&
        (h->volume->files.packing != RUGI_PLAIN || h->volume->files.is_text))
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: byte skip is %lld, which goes with raw values only; 0 "
            "or more expected",
            h->lines.path, (long long)h->byte_skip);
    return RUG_OK;
}

/* ---- From fields to axes ---- */

static double length(const double *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

static rugi_axis_kind kind_of(const nrrd_header *h, const nrrd_axis *axis)
{
    if (axis->kind == KIND_VALUES)
        return RUGI_AXIS_CHANNELS;
    if (axis->kind == KIND_LIST || (h->has_directions && !axis->has_direction))
        return RUGI_AXIS_PAGES;
    return RUGI_AXIS_SPACE;
}

/** The unit of all axes of space, in the house's form. @return what lengths are multiplied by */
static double find_unit(nrrd_header *h)
{
    char *unit = h->space_unit;
    double factor = 1;
    int n = 0;
    for (int i = 0; !h->has_directions && i < h->n_axes; i++)
        if (h->volume->axis[i].kind == RUGI_AXIS_SPACE) {
            if (n++ == 0)
                memcpy(unit, h->axis[i].unit, RUGI_UNIT_MAX);
            else if (strcmp(unit, h->axis[i].unit) != 0)
                unit[0] = '\0';
        }
    if (!rugi_normalise_unit(unit, &factor))
        factor = 1;
    h->volume->unit = unit[0] != '\0' ? unit : NULL;
    return factor;
}

/** Where no unit is stated, programs that write places of patients mean millimetres. */
static void set_place(nrrd_header *h, double factor)
{
    rugi_volume *v = h->volume;
    if (h->to_right == NULL || h->n_space != 3 || !h->has_directions || !h->has_origin)
        return;
    for (int i = 0; i < h->n_axes; i++)
        if (v->axis[i].kind == RUGI_AXIS_SPACE)
            for (int k = 0; k < 3; k++)
                v->axis[i].step[k] = factor * h->to_right[k] * h->axis[i].direction[k];
    for (int k = 0; k < 3; k++)
        v->origin[k] = factor * h->to_right[k] * h->origin[k];
    v->located_by = "NRRD";
    v->affine_unit = v->unit == NULL              ? "mm"
                     : strcmp(v->unit, "m") == 0  ? "m"
                     : strcmp(v->unit, "um") == 0 ? "um"
                     : strcmp(v->unit, "nm") == 0 ? "nm"
                     : strcmp(v->unit, "mm") == 0 ? "mm"
                                                  : NULL;
}

static void set_volume(nrrd_header *h)
{
    rugi_volume *v = h->volume;
    const int is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    v->n_axes = h->n_axes;
    v->coding.swap = !v->files.is_text && h->endian == (is_big ? 1 : 2);
    v->coding.slope = 1;
    v->files.from_end = h->byte_skip < 0;
    v->files.n_unpacked =
        h->byte_skip < 0 ? (uint64_t)(-1 - h->byte_skip) : (uint64_t)h->byte_skip;
    for (int i = 0; i < h->n_axes; i++)
        v->axis[i].kind = kind_of(h, &h->axis[i]);
    const double factor = find_unit(h);
    for (int i = 0; i < h->n_axes; i++) {
        const nrrd_axis *axis = &h->axis[i];
        v->axis[i].spacing =
            factor * (axis->has_direction ? length(axis->direction, h->n_space)
                                          : fabs(axis->spacing));
    }
    set_place(h, factor);
}

/* ---- The reader ---- */

static int claims(const rug_file *file)
{
    return file->n_head >= 8 && memcmp(file->head, "NRRD000", 7) == 0;
}

static rug_status check_version(rug_context *ctx, const rug_file *file)
{
    int version = file->head[7];
    if (version >= '1' && version <= '5')
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                            "%s: its NRRD version is not known; versions 1 to 5 are",
                            file->path);
}

static rug_status open_nrrd(rug_context *ctx, rug_file *file,
                            const rug_read_options *opts)
{
    rugi_volume volume = {.n_axes = 0};
    nrrd_header h = {.volume = &volume};
    file->facts.format = "nrrd";
    rug_status status = check_version(ctx, file);
    if (status == RUG_OK)
        status = rugi_lines_open(ctx, &h.lines, file->path);
    if (status == RUG_OK)
        status = read_lines(ctx, &h);
    if (status == RUG_OK)
        status = check_fields(ctx, &h);
    if (status == RUG_OK) {
        set_volume(&h);
        status = rugi_volume_open(ctx, file, opts, &volume);
    }
    rugi_lines_close(ctx, &h.lines);
    rugi_volume_free(ctx, &volume);
    return status;
}

const rugi_reader rugi_nrrd_reader = {claims, open_nrrd};
