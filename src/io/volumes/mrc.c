/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads MRC and CCP4 maps, plain or gzipped: a header of 1024 bytes, an extended one that is
 * passed over, and the values (MRC2014: Cheng et al. 2015, J. Struct. Biol. 192:146;
 * https://www.ccpem.ac.uk/mrc_format/mrc2014.php). Axes stay in the order of the file; which of
 * them is x, y or z is part of the geometry, as with NIfTI. */

#include "volume.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define HEADER ((size_t)1024)

/** Words of four bytes, numbered from 1 as by the definition. */
enum {
    NX = 1,
    MODE = 4,
    NX_START = 5,
    MX = 8,
    CELL = 11,
    ANGLES = 14,
    MAP_C = 17,
    SPACE_GROUP = 23,
    N_EXTENDED = 24,
    IMOD_STAMP = 39,
    IMOD_FLAGS = 40,
    ORIGIN = 50,
    MAP_WORD = 53,
    MACHINE = 54
};

/** "IMOD" in the words that IMOD adds; of its flags, whether bytes are signed. */
#define IMOD        1146047817
#define IMOD_SIGNED 1

/** Words of a header in the order of this machine. */
typedef struct mrc_header {
    const unsigned char *bytes; /* HEADER */
    int is_big;
} mrc_header;

static uint32_t word(const mrc_header *h, int i)
{
    const unsigned char *b = h->bytes + 4 * (i - 1);
    return h->is_big
               ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
               : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

static int32_t integer(const mrc_header *h, int i)
{
    return (int32_t)word(h, i);
}

static double real(const mrc_header *h, int i)
{
    uint32_t bits = word(h, i);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* ---- Whether it is one ---- */

static int has_map_word(const mrc_header *h)
{
    return memcmp(h->bytes + 4 * (MAP_WORD - 1), "MAP", 3) == 0;
}

/** Whether columns, rows and sections are x, y and z in some order. */
static int has_axes(const mrc_header *h)
{
    int seen = 0;
    for (int k = 0; k < 3; k++) {
        int32_t axis = integer(h, MAP_C + k);
        seen |= axis >= 1 && axis <= 3 ? 1 << axis : 0;
    }
    return seen == 14;
}

/** Headers from before 2000 have no word that says what they are: everything in them must be
 *  possible. */
static int is_possible(const mrc_header *h)
{
    int possible = 1;
    for (int k = 0; k < 3; k++) {
        int32_t n = integer(h, MX + k);
        double cell = real(h, CELL + k), angle = real(h, ANGLES + k);
        possible &=
            n >= 0 && n < 1 << 20 && cell >= 0 && cell < 1e9 && angle >= 0 && angle < 180;
    }
    return possible && has_axes(h);
}

/** Whether a header makes sense in its byte order. */
static int is_sane(const mrc_header *h)
{
    for (int k = 0; k < 3; k++)
        if (integer(h, NX + k) < 1)
            return 0;
    int32_t mode = integer(h, MODE);
    return mode >= 0 && mode < 256 && (has_map_word(h) || is_possible(h));
}

/** Finds out the byte order. The machine stamp is believed where the header makes sense by it;
 *  without one the order by which there are fewer columns is.
 *  @return 0: it is no such header */
static int find_order(mrc_header *h, const unsigned char *bytes, size_t n)
{
    if (n < HEADER)
        return 0;
    const int stamp = bytes[4 * (MACHINE - 1)];
    mrc_header big = {bytes, 1}, little = {bytes, 0};
    const int can_be_big = is_sane(&big), can_be_little = is_sane(&little);
    const int prefers_big = stamp == 0x11   ? 1
                            : stamp == 0x44 ? 0
                                            : integer(&big, NX) < integer(&little, NX);
    *h = can_be_big && (prefers_big || !can_be_little) ? big : little;
    return can_be_big || can_be_little;
}

/** Takes the first bytes of a file, unzipped.
 *  @param unzipped  HEADER bytes
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_UNSUPPORTED (no library that unzips) */
static rug_status take_head(const rug_file *file, unsigned char *unzipped,
                            const unsigned char **head, size_t *n)
{
    *head = file->head;
    *n = file->n_head;
    if (!rugi_is_gzip(file->head, file->n_head))
        return RUG_OK;
    *head = unzipped;
    return rugi_gunzip_head(file->ctx, file->path, file->head, file->n_head, unzipped,
                            HEADER, n);
}

static int claims(const rug_file *file)
{
    unsigned char unzipped[HEADER];
    const unsigned char *head;
    mrc_header h;
    size_t n;
    return take_head(file, unzipped, &head, &n) == RUG_OK && find_order(&h, head, n);
}

/* ---- What it holds ---- */

/** Bytes are signed, but for IMOD's where its flags do not say so. */
static int has_signed_bytes(const mrc_header *h)
{
    return integer(h, IMOD_STAMP) != IMOD || (integer(h, IMOD_FLAGS) & IMOD_SIGNED) != 0;
}

static rug_status choose_coding(rug_context *ctx, const rug_file *file,
                                const mrc_header *h, rugi_pixel_coding *coding)
{
    static const struct {
        int mode;
        rug_dtype dtype;
        int is_half;
    } modes[] = {{0, RUG_I8, 0},
                 {1, RUG_I16, 0},
                 {2, RUG_F32, 0},
                 {6, RUG_U16, 0},
                 {12, RUG_F32, 1}};
    const int is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    const int32_t mode = integer(h, MODE);
    *coding = (rugi_pixel_coding){.slope = 1, .swap = h->is_big != is_big};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (modes[i].mode == mode) {
            coding->stored = mode == 0 && !has_signed_bytes(h) ? RUG_U8 : modes[i].dtype;
            coding->is_half = modes[i].is_half;
            return RUG_OK;
        }
    return rug_context_fail(
        ctx, RUG_E_UNSUPPORTED,
        "%s: MRC mode %" PRId32 "%s is not supported; 0, 1, 2, 6 and 12 are", file->path,
        mode,
        mode == 3 || mode == 4 ? " (complex values, which have no order)"
        : mode == 16           ? " (colours)"
        : mode == 101          ? " (4 bits)"
                               : "");
}

/** Which axis of the cell the columns, rows or sections run along. */
static int cell_axis(const mrc_header *h, int k)
{
    return has_axes(h) ? integer(h, MAP_C + k) - 1 : k;
}

/** Sections are images that do not belong together, or volumes of some, where the header says
 *  so. */
static void set_axes(const mrc_header *h, const rug_read_options *opts, rugi_volume *v)
{
    const int32_t group = integer(h, SPACE_GROUP), mz = integer(h, MX + 2),
                  nz = integer(h, NX + 2);
    for (int k = 0; k < 3; k++) {
        int32_t m = integer(h, MX + cell_axis(h, k));
        double cell = real(h, CELL + cell_axis(h, k));
        v->axis[v->n_axes++] =
            (rugi_volume_axis){.size = (uint64_t)integer(h, NX + k),
                               .spacing = m > 0 && cell > 0 ? cell / m : 0};
    }
    v->unit = "angstrom";
    if (group == 0 && mz == 1 && nz > 1 && !opts->volume)
        v->axis[2].kind = RUGI_AXIS_PAGES;
    if (group < 401 || group > 630 || mz < 1 || nz % mz != 0 || nz == mz)
        return;
    v->axis[2].size = (uint64_t)mz;
    v->axis[v->n_axes++] =
        (rugi_volume_axis){.size = (uint64_t)(nz / mz), .kind = RUGI_AXIS_PAGES};
}

/** The directions of the axes of a cell: x along the first, y in the plane of the first two. */
static void find_cell(double out[3][3], const mrc_header *h)
{
    double cosine[3];
    for (int i = 0; i < 3; i++) {
        double angle = real(h, ANGLES + i);
        int is_right = !(angle > 0 && angle < 180) || (angle >= 90 && angle <= 90);
        cosine[i] = is_right ? 0 : cos(angle * (3.14159265358979323846 / 180));
    }
    const double sine = sqrt(1 - cosine[2] * cosine[2]);
    const double y = (cosine[0] - cosine[1] * cosine[2]) / sine;
    const double cell[3][3] = {{1, 0, 0},
                               {cosine[2], sine, 0},
                               {cosine[1], y, sqrt(1 - cosine[1] * cosine[1] - y * y)}};
    memcpy(out, cell, sizeof cell);
}

/** Where the header has an origin it counts, else the number of the first column, row and
 *  section. */
static void set_place(const mrc_header *h, rugi_volume *v)
{
    double cell[3][3];
    int has_origin = 0;
    find_cell(cell, h);
    for (int k = 0; k < 3; k++) {
        if (!(v->axis[k].spacing > 0) || v->axis[k].kind != RUGI_AXIS_SPACE)
            return;
        v->origin[k] = real(h, ORIGIN + k);
        has_origin |= v->origin[k] < 0 || v->origin[k] > 0;
        for (int i = 0; i < 3; i++)
            v->axis[k].step[i] = v->axis[k].spacing * cell[cell_axis(h, k)][i];
    }
    for (int k = 0; k < 3 && !has_origin; k++)
        for (int i = 0; i < 3; i++)
            v->origin[i] += integer(h, NX_START + k) * v->axis[k].step[i];
    v->located_by = "MRC";
    v->affine_unit = "angstrom";
}

static rug_status open_mrc(rug_context *ctx, rug_file *file, const rug_read_options *opts)
{
    unsigned char unzipped[HEADER];
    const unsigned char *head;
    mrc_header h;
    rugi_volume volume = {.n_axes = 0};
    size_t n;
    file->facts.format = "mrc";
    rug_status status = take_head(file, unzipped, &head, &n);
    if (status != RUG_OK)
        return status;
    if (!find_order(&h, head, n) || integer(&h, N_EXTENDED) < 0)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: the MRC header says that it is followed by a negative "
            "number of bytes",
            file->path);
    status = choose_coding(ctx, file, &h, &volume.coding);
    if (status != RUG_OK)
        return status;
    set_axes(&h, opts, &volume);
    set_place(&h, &volume);
    volume.files.packing =
        rugi_is_gzip(file->head, file->n_head) ? RUGI_GZIP : RUGI_PLAIN;
    volume.files.n_unpacked = HEADER + (uint64_t)integer(&h, N_EXTENDED);
    status = rugi_volume_open(ctx, file, opts, &volume);
    rugi_volume_free(ctx, &volume);
    return status;
}

const rugi_reader rugi_mrc_reader = {claims, open_mrc};
