/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* PNM: PBM, PGM and PPM, raw and as text, and PFM. One parser finds size, largest value and the place of
 * the samples. Comments may stand anywhere before raw samples, and between those of text. Values are kept
 * as stored, whatever the largest; bits become 255 (0, white) and 0. Rows of PFM stand from bottom to
 * top. Of several pictures in a file the first is read. */

#include "core/image/number.h"
#include "io/arrays/pixel_stream.h"
#include "io/base/bands.h"
#include "picture_formats.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Bytes of rows that are read at once, unless a row has more. */
#define CHUNK ((size_t)1 << 18)

/* Characters of a number that are kept for error texts. */
#define WORD_MAX 32

/* Whether samples of several bytes are swapped: PNM has the high byte first, PFM either. */
#define IS_LITTLE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* What the header says, and how far the file has been read. */
typedef struct pnm_job {
    FILE *in;  /* NULL between passes */
    char kind; /* '1' to '6', 'f', 'F' */
    uint64_t width, height, max;
    rugi_bands bands;
    rugi_pixel_coding coding; /* of raw samples */
    uint64_t offset;          /* of the first sample */
    uint64_t stored_row;      /* bytes of a row's raw samples */
    size_t next;              /* rows that have been read in this pass */
    size_t line;              /* of text, from 1 */
    size_t first_line;        /* where samples begin */
    unsigned char *stored;    /* raw rows, some at once */
    void *row;                /* one row of interleaved bands */
} pnm_job;

static int is_text(const pnm_job *job)
{
    return job->kind >= '1' && job->kind <= '3';
}

static int is_float(const pnm_job *job)
{
    return job->kind == 'f' || job->kind == 'F';
}

/* ---- Words ---- */

static int is_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Takes a character; a comment is the end of its line. */
static int take_char(pnm_job *job)
{
    int c = getc_unlocked(job->in);
    if (c == '#')
        while (c != '\n' && c != EOF)
            c = getc_unlocked(job->in);
    if (c == '\n')
        job->line++;
    return c;
}

static int take_behind_blanks(pnm_job *job)
{
    int c = take_char(job);
    while (is_blank(c))
        c = take_char(job);
    return c;
}

/* Takes a word and the one character behind it.
 *  @param word  its first WORD_MAX - 1 characters, the unprintable ones as '?'
 *  @return its length; 0 at the end of the file */
static size_t take_word(pnm_job *job, char word[WORD_MAX])
{
    size_t n = 0;
    for (int c = take_behind_blanks(job); c != EOF && !is_blank(c);
         c = take_char(job), n++)
        if (n + 1 < WORD_MAX)
            word[n] = (char)(c > ' ' && c <= '~' ? c : '?');
    word[n + 1 < WORD_MAX ? n : WORD_MAX - 1] = '\0';
    return n;
}

/* Reads a word as a whole number. @return 0 when it is none, or larger than 32 bits hold */
static int parse_number(const char *word, uint64_t *number)
{
    uint64_t value = 0;
    if (*word == '\0')
        return 0;
    for (; *word >= '0' && *word <= '9'; word++) {
        value = value * 10 + (uint64_t)(*word - '0');
        if (value > UINT32_MAX)
            return 0;
    }
    *number = value;
    return *word == '\0';
}

/* ---- The header ---- */

/* Takes a number of at least 1. */
static int take_count(pnm_job *job, uint64_t *count)
{
    char word[WORD_MAX];
    size_t n = take_word(job, word);
    return n < WORD_MAX && parse_number(word, count) && *count > 0;
}

/* Takes the scale of PFM, whose sign is the order of bytes: below 0, the low one is the first. */
static int take_scale(pnm_job *job)
{
    char word[WORD_MAX];
    double scale = 0;
    size_t n = take_word(job, word);
    if (n >= WORD_MAX || !rugi_parse_real(&scale, word))
        return 0;
    job->coding.swap = (scale < 0) != IS_LITTLE;
    return scale < 0 || scale > 0;
}

static int take_header(pnm_job *job)
{
    if (getc_unlocked(job->in) != 'P')
        return 0;
    job->kind = (char)getc_unlocked(job->in);
    job->max = job->line = 1;
    job->coding.swap = IS_LITTLE;
    if (!take_count(job, &job->width) || !take_count(job, &job->height))
        return 0;
    if (is_float(job))
        return take_scale(job);
    return job->kind == '1' || job->kind == '4' || take_count(job, &job->max);
}

/* What the header means. @return 0 when there are more samples than can be counted */
static int set_layout(pnm_job *job, uint64_t *needed)
{
    rugi_bands *bands = &job->bands;
    bands->n = job->kind == '3' || job->kind == '6' || job->kind == 'F' ? 3 : 1;
    bands->dtype = is_float(job)      ? RUG_F32
                   : job->max > 65535 ? RUG_U32
                   : job->max > 255   ? RUG_U16
                                      : RUG_U8;
    job->coding.stored = bands->dtype;
    uint64_t n_samples = job->width * (uint64_t)bands->n;
    job->stored_row = n_samples * rug_dtype_size(bands->dtype);
    if (job->kind == '1')
        job->stored_row = n_samples;
    else if (is_text(job))
        job->stored_row = 2 * n_samples; /* a digit and a blank each */
    else if (job->kind == '4')
        job->stored_row = (n_samples + 7) / 8;
    return rugi_multiply(needed, job->stored_row, job->height);
}

/* Where the line ends that begins at the first sample, if nothing but blanks or a comment stands on it;
 * else 0. */
static uint64_t end_of_blank_line(const pnm_job *job)
{
    int c = getc_unlocked(job->in);
    while (c != '\n' && is_blank(c))
        c = getc_unlocked(job->in);
    if (c == '#')
        while (c != '\n' && c != EOF)
            c = getc_unlocked(job->in);
    return c == '\n' ? (uint64_t)ftello(job->in) : 0;
}

static rugi_pixel_place place_of(const rug_file *file, const pnm_job *job)
{
    return (rugi_pixel_place){
        .path = file->path, .n_bytes = file->n_bytes, .offset = job->offset};
}

/* Finds the place of the samples, and whether all of them can be there. Raw ones begin one character
 * behind the header. Some writers end its line otherwise, which shows by the size of the file. */
static rug_status find_samples(rug_context *ctx, const rug_file *file, pnm_job *job,
                               uint64_t needed)
{
    job->offset = (uint64_t)ftello(job->in);
    job->first_line = job->line;
    uint64_t there = job->offset < file->n_bytes ? file->n_bytes - job->offset : 0;
    if (is_text(job))
        needed -= job->kind != '1'; /* no blank need end the last one */
    else if (there > needed) {
        uint64_t end = end_of_blank_line(job);
        if (end != 0 && end + needed == file->n_bytes)
            job->offset = end;
    }
    if (there >= needed)
        return RUG_OK;
    if (is_text(job))
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: cut off: %" PRIu64
                                " bytes of text are too few for %" PRIu64 "x%" PRIu64
                                " pixels",
                                file->path, there, job->height, job->width);
    const rugi_pixel_place place = place_of(file, job);
    return rugi_check_length(ctx, &place, needed);
}

static rug_status read_header(rug_context *ctx, const rug_file *file, pnm_job *job)
{
    uint64_t n_bytes, needed;
    rug_status status = rugi_open_regular(ctx, file->path, &job->in, &n_bytes);
    if (status != RUG_OK)
        return status;
    if (take_header(job) && set_layout(job, &needed))
        status = find_samples(ctx, file, job, needed);
    else
        status = rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: the PNM header is invalid: width, height%s of 1 or more expected%s",
            file->path, is_float(job) ? "" : " and largest value",
            is_float(job) ? ", and a scale other than 0" : "");
    fclose(job->in);
    job->in = NULL;
    return status;
}

/* ---- Rows of text ---- */

/* Takes a sample and the character behind it; bits need no blanks between them.
 *  @return RUG_OK, RUG_E_FORMAT */
static rug_status take_sample(rug_context *ctx, const rug_file *file, pnm_job *job,
                              uint64_t index, uint64_t *sample)
{
    char word[WORD_MAX];
    int c = take_behind_blanks(job);
    size_t line = job->line, n = c != EOF;
    if (c != EOF && job->kind != '1') {
        ungetc(c, job->in);
        n = take_word(job, word);
    } else {
        word[0] = (char)(c > ' ' && c <= '~' ? c : '?');
        word[1] = '\0';
    }
    if (n == 0)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: cut off: %" PRIu64 " of %" PRIu64 " numbers of pixels are there",
            file->path, index, job->width * job->height * (uint64_t)job->bands.n);
    if (n < WORD_MAX && parse_number(word, sample) && *sample <= job->max)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "%s: line %zu: '%s' given, a number of 0 to %" PRIu64
                            " expected",
                            file->path, line, word, job->max);
}

static void store_sample(const pnm_job *job, size_t i, uint64_t sample)
{
    if (job->kind == '1')
        ((uint8_t *)job->row)[i] = sample != 0 ? 0 : 255;
    else if (job->bands.dtype == RUG_U8)
        ((uint8_t *)job->row)[i] = (uint8_t)sample;
    else if (job->bands.dtype == RUG_U16)
        ((uint16_t *)job->row)[i] = (uint16_t)sample;
    else
        ((uint32_t *)job->row)[i] = (uint32_t)sample;
}

/* Reads the samples of one row. */
static rug_status read_text(rug_context *ctx, const rug_file *file, pnm_job *job)
{
    size_t n = job->width * (size_t)job->bands.n;
    rug_status status = RUG_OK;
    for (size_t i = 0; i < n && status == RUG_OK; i++) {
        uint64_t sample = 0;
        status = take_sample(ctx, file, job, job->next * n + i, &sample);
        if (status == RUG_OK)
            store_sample(job, i, sample);
    }
    return status;
}

/* ---- Rows of raw samples ---- */

/* Reads n rows, which lie together; those of PFM in the order of the file. */
static rug_status read_stored(rug_context *ctx, const rug_file *file, pnm_job *job,
                              size_t n)
{
    uint64_t row = is_float(job) ? job->height - job->next - n : job->next;
    errno = 0;
    if (is_float(job) &&
        fseeko(job->in, (off_t)(job->offset + row * job->stored_row), SEEK_SET) != 0)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", file->path,
                                strerror(errno));
    if (fread(job->stored, job->stored_row, n, job->in) == n)
        return RUG_OK;
    if (ferror(job->in))
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", file->path,
                                strerror(errno));
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "%s: became shorter while it was being read: rows %" PRIu64
                            "..%" PRIu64 " of %" PRIu64 " expected",
                            file->path, row, row + n - 1, job->height);
}

/* Makes numbers of the machine of one row. */
static void unpack(const pnm_job *job, const unsigned char *from)
{
    size_t n = job->width * (size_t)job->bands.n;
    if (job->kind == '4')
        for (size_t i = 0; i < n; i++)
            ((uint8_t *)job->row)[i] = from[i / 8] >> (7 - i % 8) & 1 ? 0 : 255;
    else {
        memcpy(job->row, from, job->stored_row);
        rugi_decode_pixels(job->row, job->row, n, &job->coding);
    }
}

/* ---- The reader ---- */

static size_t step_rows(const pnm_job *job)
{
    size_t n = CHUNK / job->stored_row;
    return n < 1 ? 1 : n < job->height ? n : job->height;
}

static void end_pass(pnm_job *job)
{
    if (job->in != NULL)
        fclose(job->in);
    job->in = NULL;
    job->next = 0;
}

static rug_status begin_pass(rug_context *ctx, const rug_file *file, pnm_job *job)
{
    uint64_t n_bytes;
    end_pass(job);
    job->line = job->first_line;
    rug_status status = rugi_open_regular(ctx, file->path, &job->in, &n_bytes);
    if (status == RUG_OK && fseeko(job->in, (off_t)job->offset, SEEK_SET) != 0)
        status = rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", file->path,
                                  strerror(errno));
    return status;
}

/* Reads the next n rows.
 *  @param plane  bytes from one plane of colour to the next */
static rug_status read_rows(rug_context *ctx, rug_file *file, pnm_job *job,
                            unsigned char *to, size_t n, size_t plane)
{
    size_t pitch = job->width * rug_dtype_size(job->bands.dtype);
    rug_status status = is_text(job) ? RUG_OK : read_stored(ctx, file, job, n);
    for (size_t y = 0; y < n && status == RUG_OK; y++, to += pitch) {
        if (is_text(job))
            status = read_text(ctx, file, job);
        else
            unpack(job, job->stored + (is_float(job) ? n - 1 - y : y) * job->stored_row);
        if (status == RUG_OK &&
            rugi_bands_take(&job->bands, to, job->row, job->width, plane))
            file->unequal = 1;
        job->next += is_text(job) ? 1 : 0;
    }
    job->next += is_text(job) ? 0 : n;
    return status;
}

static rug_status read_pnm(rug_context *ctx, rug_file *file, void *to, size_t first,
                           size_t n)
{
    pnm_job *job = file->slabs.state;
    size_t pitch = job->width * rug_dtype_size(job->bands.dtype), step = step_rows(job);
    rug_status status = RUG_OK;
    if (file->slabs.whole_only)
        n = job->height;
    if (job->in == NULL || first == 0)
        status = begin_pass(ctx, file, job);
    for (size_t y = 0; y < n && status == RUG_OK; y += step) {
        size_t k = n - y < step ? n - y : step;
        status = read_rows(ctx, file, job, (unsigned char *)to + y * pitch, k, n * pitch);
        if (status == RUG_OK)
            status = rug_context_step(ctx, (double)(y + k) / (double)n);
    }
    if (status != RUG_OK || job->next == job->height)
        end_pass(job);
    return status;
}

static void close_pnm(rug_context *ctx, void *state)
{
    pnm_job *job = state;
    end_pass(job);
    rug_context_release(ctx, job->stored);
    rug_context_release(ctx, job->row);
    rug_context_release(ctx, job);
}

static int claims(const rug_file *file)
{
    return file->n_head >= 2 && file->head[0] == 'P' &&
           memchr("123456fF", file->head[1], 8) != NULL;
}

static rug_status allocate_rows(rug_context *ctx, const rug_file *file, pnm_job *job)
{
    if (!is_text(job)) {
        job->stored =
            rug_context_allocate(ctx, step_rows(job), job->stored_row, file->path);
        if (job->stored == NULL)
            return RUG_E_NOMEM;
    }
    job->row = rug_context_allocate(
        ctx, job->width, (size_t)job->bands.n * rug_dtype_size(job->bands.dtype),
        file->path);
    return job->row != NULL ? RUG_OK : RUG_E_NOMEM;
}

static rug_status open_pnm(rug_context *ctx, rug_file *file, const rug_read_options *opts)
{
    file->facts.format = "pnm";
    pnm_job *job = rug_context_allocate(ctx, 1, sizeof *job, file->path);
    if (job == NULL)
        return RUG_E_NOMEM;
    memset(job, 0, sizeof *job);
    file->slabs = (rugi_slabs){.read = read_pnm, .close = close_pnm, .state = job};
    rug_status status = rugi_check_flat(ctx, file, opts);
    if (status == RUG_OK)
        status = read_header(ctx, file, job);
    if (status == RUG_OK)
        status =
            rugi_bands_choose(ctx, file, &job->bands, 0, 1, rugi_asked_channel(opts));
    if (status == RUG_OK)
        status = rugi_bands_set_image(ctx, file, &job->bands, job->height, job->width);
    if (status == RUG_OK && job->kind != '5')
        return allocate_rows(ctx, file, job);
    if (status == RUG_OK) { /* raw PGM is as the arrays of other formats */
        const rugi_pixel_place place = place_of(file, job);
        file->slabs = (rugi_slabs){.state = NULL};
        status = rugi_stream_pixels(ctx, file, &job->coding, &place);
        close_pnm(ctx, job);
    }
    return status;
}

/* ---- Writing ---- */

/* Puts the high byte of each sample first. */
static void swap_samples(unsigned char *row, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint16_t sample;
        memcpy(&sample, row + 2 * i, 2);
        row[2 * i] = (unsigned char)(sample >> 8);
        row[2 * i + 1] = (unsigned char)sample;
    }
}

static rug_status write_pnm(rug_context *ctx, const char *path, FILE *out,
                            const rug_image *planes, int n_planes,
                            const rug_file_notes *notes, int is_quick)
{
    (void)notes;
    (void)is_quick;
    size_t height = planes->shape[0], width = planes->shape[1];
    size_t n = width * (size_t)n_planes, size = rug_dtype_size(planes->dtype);
    size_t step = n * size < CHUNK ? CHUNK / (n * size) : 1;
    unsigned char *row = rug_context_allocate(ctx, n, size, path);
    rug_status status = row != NULL ? RUG_OK : RUG_E_NOMEM;
    if (row != NULL)
        fprintf(out, "P%c\n%zu %zu\n%d\n", n_planes == 3 ? '6' : '5', width, height,
                size == 2 ? 65535 : 255);
    for (size_t y = 0; y < height && status == RUG_OK; y++) {
        rugi_weave_row(row, planes, n_planes, y);
        if (size == 2)
            swap_samples(row, n);
        if (fwrite(row, size, n, out) != n)
            break; /* the end of the output says why */
        if (y % step == 0 || y + 1 == height)
            status = rug_context_step(ctx, (double)(y + 1) / (double)height);
    }
    rug_context_release(ctx, row);
    return status;
}

const rugi_picture rugi_pnm = {{claims, open_pnm}, NULL, write_pnm, NULL};
