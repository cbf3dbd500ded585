/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Divides the wanted rows among threads, each with the file opened for itself, and keeps what
 * belongs to the next read. Rows go straight to their place where the file stores them as they
 * are wanted, else through a buffer of the thread. */

#include "tiff_pixels.h"
#include "io/base/parallel.h"
#include <stdio.h>
#include <string.h>

/* Bytes of a compressed strip above which it is decoded row by row. */
#define STRIP_BYTES ((size_t)8 << 20)

/* Bytes that a piece of the parallel loop has at least, decoded: some tenths of a millisecond. */
#define PIECE_BYTES ((size_t)256 << 10)

/* Memory of one thread. */
typedef struct seat {
    RUGI_OWN_LINES rugi_tiff_worker worker;
    size_t room_bytes;
} seat;

struct rugi_tiff_pixels {
    rugi_tiff_samples samples;
    int is_gray; /* the colour map, if there is one */
    seat *seats;
    size_t n_seats;
    unsigned char *kept; /* rows from `kept_top` to above `kept_end`, as pixels */
    size_t kept_top, kept_end, kept_bytes;
};

/* One read. */
typedef struct pass {
    const char *path;
    rugi_tiff_pixels *pixels;
    const rugi_tiff_rows *rows;
    size_t top;       /* the first row that is decoded */
    size_t end;       /* behind the last one that is wanted */
    size_t row_bytes; /* of pixels */
    size_t *begins;   /* the first piece of each page, and their number */
} pass;

/* ---- Seats ---- */

static void close_seats(rug_context *ctx, rugi_tiff_pixels *pixels)
{
    for (size_t i = 0; i < pixels->n_seats; i++) {
        rugi_tiff_close(&pixels->seats[i].worker.handle);
        rug_context_release(ctx, pixels->seats[i].worker.room);
    }
    rug_context_release(ctx, pixels->seats);
    pixels->seats = NULL;
    pixels->n_seats = 0;
}

/* Makes at least n seats, each with room. */
static rug_status make_seats(rug_context *ctx, rugi_tiff_pixels *pixels, size_t n,
                             size_t room_bytes, const char *path)
{
    if (n > pixels->n_seats) {
        close_seats(ctx, pixels);
        pixels->seats = rug_context_allocate(ctx, n, sizeof *pixels->seats, path);
        if (pixels->seats == NULL)
            return RUG_E_NOMEM;
        memset(pixels->seats, 0, n * sizeof *pixels->seats);
        pixels->n_seats = n;
    }
    for (seat *s = pixels->seats; s < pixels->seats + n; s++) {
        s->worker.differ = 0;
        if (s->room_bytes >= room_bytes)
            continue;
        rug_context_release(ctx, s->worker.room);
        s->room_bytes = 0;
        s->worker.room = rug_context_allocate(ctx, room_bytes, 1, path);
        if (s->worker.room == NULL)
            return RUG_E_NOMEM;
        s->room_bytes = room_bytes;
    }
    return RUG_OK;
}

/* Says what could not be decoded. */
static void describe(char *text, const pass *p, const rugi_tiff_worker *worker,
                     const rugi_tiff_page *page)
{
    const char *error = worker->handle.error;
    snprintf(text, RUGI_PIECE_TEXT,
             "%s: cannot be read: row %zu, column %zu of TIFF directory %d: %s", p->path,
             worker->row, worker->column, page->directory,
             error[0] != '\0' ? error : "damaged, or cut off");
}

/* ---- Rows to pixels ---- */

/* Nonzero when the rows of a strip are those of pixels. */
static int is_straight(const rugi_tiff_samples *samples, const rugi_tiff_blocks *blocks)
{
    return !samples->is_indexed && samples->packed.bits == 0 && samples->n_mixed == 1 &&
           samples->n_parts == 1 && !blocks->is_tiled;
}

/* Where the pixels of a row go: to what is wanted, or to what is kept; NULL = nowhere. */
static unsigned char *place(const pass *p, size_t page, size_t row)
{
    if (row < p->top)
        return NULL;
    if (row >= p->end)
        return p->pixels->kept + (row - p->end) * p->row_bytes;
    return p->rows->to + (page * p->rows->n + row - p->rows->top) * p->row_bytes;
}

/* Makes pixels of n rows in a worker's room, `cols` of them in each.
 *  @param step  bytes from one part of the pixels to the next */
static void take_rows(const pass *p, rugi_tiff_worker *worker, size_t page, size_t row,
                      size_t n, size_t cols, size_t row_bytes, size_t step)
{
    const rugi_tiff_samples *samples = &p->pixels->samples;
    unsigned char *room = worker->room + (step * (size_t)samples->n_parts + 63) / 64 * 64;
    size_t left = worker->column * rug_dtype_size(samples->bands.dtype);
    for (size_t y = 0; y < n; y++) {
        unsigned char *to = place(p, page, row + y);
        if (to != NULL)
            worker->differ |= rugi_tiff_take(samples, worker->table, to + left,
                                             worker->room + y * row_bytes, step, cols,
                                             p->rows->n * p->row_bytes, room);
    }
}

/* Bytes of a worker's room for some rows of a page: the parts, and bands beside each other. */
static size_t room_for(const pass *p, const rugi_tiff_page *page, size_t bytes)
{
    return bytes + 64 + rugi_tiff_room(&p->pixels->samples, page->width);
}

/* ---- Strips and tiles ---- */

/* Decodes a strip or tile, and makes pixels of it. @param index  of it in a plane */
static int take_block(const pass *p, rugi_tiff_worker *worker, size_t k,
                      const rugi_tiff_blocks *blocks, size_t index)
{
    const rugi_tiff_page *page = &p->rows->pages[k];
    const rugi_tiff_samples *samples = &p->pixels->samples;
    size_t row = index / blocks->across * blocks->height;
    size_t n = page->height - row < blocks->height ? page->height - row : blocks->height;
    size_t decoded = blocks->is_tiled ? blocks->height : n;
    size_t step = decoded * blocks->row_bytes;
    worker->row = row;
    worker->column = index % blocks->across * blocks->width;
    size_t cols = page->width - worker->column;
    if (is_straight(samples, blocks) && row >= p->top && row + n <= p->end) {
        unsigned char *to = place(p, k, row);
        if (!rugi_tiff_decode(worker, page, samples, blocks, 0, row, 0, n, to))
            return 0;
        rugi_tiff_invert(samples, to, n * page->width);
        return 1;
    }
    for (int part = 0; part < samples->n_parts; part++)
        if (!rugi_tiff_decode(worker, page, samples, blocks, part, row, worker->column,
                              decoded, worker->room + (size_t)part * step))
            return 0;
    take_rows(p, worker, k, row, n, cols < blocks->width ? cols : blocks->width,
              blocks->row_bytes, step);
    return 1;
}

/* How many blocks a piece has. */
static size_t group_of(const rugi_tiff_blocks *blocks)
{
    return blocks->bytes < PIECE_BYTES ? PIECE_BYTES / blocks->bytes : 1;
}

/* How many blocks of a page hold wanted rows. @param first  the first of them */
static size_t wanted_blocks(const pass *p, const rugi_tiff_blocks *blocks, size_t *first)
{
    size_t begin = p->top / blocks->height, end = (p->end - 1) / blocks->height + 1;
    *first = begin * blocks->across;
    return (end - begin) * blocks->across;
}

static int take_blocks(const pass *p, rugi_tiff_worker *worker, size_t page,
                       const rugi_tiff_blocks *blocks, size_t piece)
{
    size_t first, n = wanted_blocks(p, blocks, &first), group = group_of(blocks);
    size_t end = (piece + 1) * group < n ? (piece + 1) * group : n;
    for (size_t i = piece * group; i < end; i++)
        if (!take_block(p, worker, page, blocks, first + i))
            return 0;
    return 1;
}

/* ---- Plain strips ---- */

/* How many rows a piece has. */
static size_t rows_of(const rugi_tiff_blocks *blocks, int n_parts)
{
    size_t n = 4 * PIECE_BYTES / (blocks->row_bytes * (size_t)n_parts);
    return n > 0 ? n : 1;
}

static int take_plain(const pass *p, rugi_tiff_worker *worker, size_t k,
                      const rugi_tiff_blocks *blocks, size_t piece)
{
    const rugi_tiff_page *page = &p->rows->pages[k];
    const rugi_tiff_samples *samples = &p->pixels->samples;
    size_t most = rows_of(blocks, samples->n_parts), row = p->top + piece * most;
    size_t n = p->end - row < most ? p->end - row : most, step = n * blocks->row_bytes;
    worker->row = row;
    worker->column = 0;
    if (is_straight(samples, blocks)) {
        unsigned char *to = place(p, k, row);
        if (!rugi_tiff_decode(worker, page, samples, blocks, 0, row, 0, n, to))
            return 0;
        rugi_tiff_invert(samples, to, n * page->width);
        return 1;
    }
    for (int part = 0; part < samples->n_parts; part++)
        if (!rugi_tiff_decode(worker, page, samples, blocks, part, row, 0, n,
                              worker->room + (size_t)part * step))
            return 0;
    take_rows(p, worker, k, row, n, page->width, blocks->row_bytes, step);
    return 1;
}

/* ---- Large strips ----
 *
 * They are decoded on the calling thread, row by row, so that a slab of a file that is one strip
 * takes no more memory than its rows. */

static int goes_by_rows(const pass *p, const rugi_tiff_page *page,
                        const rugi_tiff_blocks *blocks)
{
    int all = p->rows->n == page->height && is_straight(&p->pixels->samples, blocks);
    return !blocks->is_tiled && !blocks->is_plain && !blocks->is_converted &&
           blocks->bytes > STRIP_BYTES && !all;
}

/* Goes to a page. @return as rugi_tiff_enter() */
static int enter(const pass *p, rugi_tiff_worker *worker, const rugi_tiff_page *page)
{
    const rugi_tiff_samples *samples = &p->pixels->samples;
    if (!rugi_tiff_enter(worker, p->path, page))
        return 0;
    if (!samples->is_indexed || samples->bands.n == 3 || worker->is_gray)
        return 1;
    snprintf(worker->handle.error, sizeof worker->handle.error,
             "this page has colours, the first one has none");
    return 0;
}

/* Takes one row; each of its parts has a worker. @return the one that failed, or NULL */
static rugi_tiff_worker *take_row(const pass *p, size_t k, const rugi_tiff_blocks *blocks,
                                  size_t row)
{
    const rugi_tiff_page *page = &p->rows->pages[k];
    const rugi_tiff_samples *samples = &p->pixels->samples;
    rugi_tiff_worker *first = &p->pixels->seats[0].worker;
    for (int part = 0; part < samples->n_parts; part++) {
        rugi_tiff_worker *worker = &p->pixels->seats[part].worker;
        worker->row = row;
        worker->column = 0;
        if (!enter(p, worker, page) ||
            !rugi_tiff_decode(worker, page, samples, blocks, part, row, 0, 1,
                              first->room + (size_t)part * blocks->row_bytes))
            return worker;
    }
    take_rows(p, first, k, row, 1, page->width, blocks->row_bytes, blocks->row_bytes);
    return NULL;
}

static rug_status take_large(rug_context *ctx, const pass *p, size_t k,
                             const rugi_tiff_blocks *blocks)
{
    char text[RUGI_PIECE_TEXT];
    size_t often = rows_of(blocks, p->pixels->samples.n_parts), n = p->end - p->top;
    rug_status status = RUG_OK;
    for (size_t y = 0; y < n && status == RUG_OK; y++) {
        rugi_tiff_worker *failed = take_row(p, k, blocks, p->top + y);
        if (failed != NULL) {
            describe(text, p, failed, &p->rows->pages[k]);
            return rug_context_fail(ctx, RUG_E_FORMAT, "%s", text);
        }
        if ((y + 1) % often == 0 || y + 1 == n)
            status = rug_context_step(ctx, ((double)k + (double)(y + 1) / (double)n) /
                                               (double)p->rows->n_pages);
    }
    return status;
}

/* ---- The loop ---- */

/* Works on a piece; as rugi_piece_fn. */
static rug_status work(void *shared, size_t piece, int thread, char *text)
{
    const pass *p = shared;
    rugi_tiff_worker *worker = &p->pixels->seats[thread].worker;
    rugi_tiff_blocks blocks;
    size_t low = 0, high = p->rows->n_pages;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(p->begins[middle] <= piece ? &low : &high) = middle;
    }
    const rugi_tiff_page *page = &p->rows->pages[low];
    worker->row = worker->column = 0;
    piece -= p->begins[low];
    if (enter(p, worker, page) && rugi_tiff_divide(&blocks, page, &p->pixels->samples) &&
        (blocks.is_plain ? take_plain(p, worker, low, &blocks, piece)
                         : take_blocks(p, worker, low, &blocks, piece)))
        return RUG_OK;
    describe(text, p, worker, page);
    return RUG_E_FORMAT;
}

/* Counts the pieces of each page, and the room that the largest needs.
 *  @param by_rows  set when a page has strips that are decoded row by row: all then are */
static rug_status plan(rug_context *ctx, pass *p, size_t *room, int *by_rows)
{
    rugi_tiff_blocks blocks;
    size_t first, n_parts = (size_t)p->pixels->samples.n_parts;
    for (size_t k = 0; k < p->rows->n_pages; k++) {
        const rugi_tiff_page *page = &p->rows->pages[k];
        if (!rugi_tiff_divide(&blocks, page, &p->pixels->samples))
            return rug_context_fail(
                ctx, RUG_E_FORMAT, "%s: tiles of %ux%u pixels are more than memory holds",
                p->path, page->block[0], page->block[1]);
        size_t group = group_of(&blocks), bytes = blocks.bytes;
        int straight = is_straight(&p->pixels->samples, &blocks);
        size_t n = (wanted_blocks(p, &blocks, &first) + group - 1) / group;
        if (blocks.is_plain) {
            group = rows_of(&blocks, p->pixels->samples.n_parts);
            n = (p->end - p->top + group - 1) / group;
            bytes = group * blocks.row_bytes * n_parts;
        }
        if (goes_by_rows(p, page, &blocks)) {
            *by_rows = 1;
            bytes = blocks.row_bytes * n_parts;
        }
        if (straight && (blocks.is_plain || p->rows->n == page->height))
            bytes = 0;
        bytes = room_for(p, page, bytes);
        *room = bytes > *room ? bytes : *room;
        p->begins[k + 1] = p->begins[k] + n;
    }
    return RUG_OK;
}

/* Makes room for the rows that come after the wanted ones in the last row of tiles or strips. */
static rug_status make_kept(rug_context *ctx, const pass *p)
{
    rugi_tiff_pixels *pixels = p->pixels;
    const rugi_tiff_page *page = &p->rows->pages[0];
    rugi_tiff_blocks blocks;
    pixels->kept_top = pixels->kept_end = 0;
    if (!rugi_tiff_divide(&blocks, page, &pixels->samples) || blocks.is_plain ||
        goes_by_rows(p, page, &blocks))
        return RUG_OK;
    size_t end = ((p->end - 1) / blocks.height + 1) * blocks.height;
    end = end < page->height ? end : page->height;
    size_t n_bytes = (end - p->end) * p->row_bytes;
    if (n_bytes > pixels->kept_bytes) {
        rug_context_release(ctx, pixels->kept);
        pixels->kept_bytes = 0;
        pixels->kept = rug_context_allocate(ctx, n_bytes, 1, p->path);
        if (pixels->kept == NULL)
            return RUG_E_NOMEM;
        pixels->kept_bytes = n_bytes;
    }
    pixels->kept_top = p->end;
    pixels->kept_end = end;
    return RUG_OK;
}

/* Copies the first rows from those that were kept. */
static void use_kept(pass *p)
{
    const rugi_tiff_pixels *pixels = p->pixels;
    if (p->top < pixels->kept_top || p->top >= pixels->kept_end)
        return;
    size_t end = p->end < pixels->kept_end ? p->end : pixels->kept_end;
    memcpy(p->rows->to, pixels->kept + (p->top - pixels->kept_top) * p->row_bytes,
           (end - p->top) * p->row_bytes);
    p->top = end;
}

/* Takes a page on the calling thread. */
static rug_status take_page(rug_context *ctx, pass *p, size_t k)
{
    rugi_tiff_blocks blocks;
    char text[RUGI_PIECE_TEXT];
    size_t n_pieces = p->begins[p->rows->n_pages];
    rug_status status = RUG_OK;
    rugi_tiff_divide(&blocks, &p->rows->pages[k], &p->pixels->samples);
    if (goes_by_rows(p, &p->rows->pages[k], &blocks))
        return take_large(ctx, p, k, &blocks);
    for (size_t i = p->begins[k]; i < p->begins[k + 1] && status == RUG_OK; i++) {
        if (work(p, i, 0, text) != RUG_OK)
            return rug_context_fail(ctx, RUG_E_FORMAT, "%s", text);
        status = rug_context_step(ctx, (double)(i + 1) / (double)n_pieces);
    }
    return status;
}

static rug_status run(rug_context *ctx, pass *p)
{
    size_t room = 0, n_pages = p->rows->n_pages;
    int by_rows = 0, n_seats = p->pixels->samples.n_parts;
    rug_status status = plan(ctx, p, &room, &by_rows);
    if (status == RUG_OK)
        status = make_kept(ctx, p);
    if (!by_rows)
        n_seats = rugi_loop_threads(ctx, p->begins[n_pages]);
    if (status == RUG_OK)
        status = make_seats(ctx, p->pixels, (size_t)n_seats, room, p->path);
    if (status == RUG_OK && !by_rows)
        return rugi_for_pieces(ctx, p->begins[n_pages], work, p);
    for (size_t k = 0; k < n_pages && status == RUG_OK; k++)
        status = take_page(ctx, p, k);
    return status;
}

rug_status rugi_tiff_pixels_read(rug_context *ctx, rug_file *file,
                                 rugi_tiff_pixels *pixels, const rugi_tiff_rows *rows)
{
    pass p = {.path = file->path,
              .pixels = pixels,
              .rows = rows,
              .top = rows->top,
              .end = rows->top + rows->n,
              .row_bytes =
                  rows->pages[0].width * rug_dtype_size(pixels->samples.bands.dtype)};
    if (rows->n_pages == 1)
        use_kept(&p);
    if (p.top == p.end)
        return rug_context_step(ctx, 1);
    p.begins = rug_context_allocate(ctx, rows->n_pages + 1, sizeof *p.begins, file->path);
    if (p.begins == NULL)
        return RUG_E_NOMEM;
    p.begins[0] = 0;
    rug_status status = run(ctx, &p);
    rug_context_release(ctx, p.begins);
    for (size_t i = 0; i < pixels->n_seats; i++)
        file->unequal |= pixels->seats[i].worker.differ;
    if (status != RUG_OK) {
        close_seats(ctx, pixels);
        pixels->kept_end = 0;
    }
    return status;
}

/* ---- Opening ---- */

/* Finds out whether a page with a colour map is grey. */
static rug_status look_at_table(rug_context *ctx, const rug_file *file,
                                rugi_tiff_pixels *pixels, const rugi_tiff_page *page)
{
    rug_status status = make_seats(ctx, pixels, 1, 0, file->path);
    if (status != RUG_OK || page->photometric != PHOTOMETRIC_PALETTE || page->as_indices)
        return status;
    rugi_tiff_worker *worker = &pixels->seats[0].worker;
    if (!rugi_tiff_enter(worker, file->path, page))
        return rug_context_fail(ctx, RUG_E_FORMAT, "%s: cannot be read: %s", file->path,
                                worker->handle.error);
    pixels->is_gray = worker->is_gray;
    return RUG_OK;
}

rug_status rugi_tiff_pixels_open(rug_context *ctx, rug_file *file, rugi_tiff_pixels **out,
                                 const rugi_tiff_page *page, int channel,
                                 rugi_bands *bands)
{
    rugi_tiff_pixels *pixels = rug_context_allocate(ctx, 1, sizeof *pixels, file->path);
    *out = NULL;
    if (pixels == NULL)
        return RUG_E_NOMEM;
    memset(pixels, 0, sizeof *pixels);
    rug_status status = look_at_table(ctx, file, pixels, page);
    if (status == RUG_OK)
        status =
            rugi_tiff_choose(ctx, file, &pixels->samples, page, pixels->is_gray, channel);
    *bands = pixels->samples.bands;
    if (status == RUG_OK)
        *out = pixels;
    else
        rugi_tiff_pixels_close(ctx, pixels);
    return status;
}

void rugi_tiff_pixels_close(rug_context *ctx, rugi_tiff_pixels *pixels)
{
    if (pixels == NULL)
        return;
    close_seats(ctx, pixels);
    rug_context_release(ctx, pixels->kept);
    rug_context_release(ctx, pixels);
}
