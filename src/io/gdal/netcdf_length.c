/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How long a classic NetCDF file must be, by its head (the NetCDF classic format specification,
 * https://docs.unidata.ucar.edu/netcdf-c/current/file_format_specifications.html): the library reads what is
 * missing as zeros. */

#include "netcdf_length.h"
#include "io/base/reader.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Names, dimensions and attributes are at most so many. */
#define COUNT_MAX ((uint64_t)1 << 24)

enum { DIMENSIONS = 10, VARIABLES = 11, ATTRIBUTES = 12 };

/* The head, read from front to back. */
typedef struct head {
    FILE *in;
    int wide;   /* bytes of counts: 4, or 8 in version 5 */
    int offset; /* bytes of offsets: 4, or 8 in versions 2 and 5 */
    int is_bad; /* it is cut off, or no such head */
    uint64_t n_records;
    uint64_t end;         /* behind the last value */
    uint64_t n_layers;    /* variables of which each record has a part, */
    uint64_t layer;       /* the bytes of all such parts, filled up to fours, */
    uint64_t lone;        /* those of the last one as they are, */
    uint64_t last;        /* and where the parts of the first record end */
    uint64_t sizes[1024]; /* of dimensions */
    uint64_t n_sizes;
} head;

/** A number of so many bytes, most significant first. */
static uint64_t number(head *h, int n)
{
    unsigned char bytes[8];
    uint64_t value = 0;
    if (h->is_bad || fread(bytes, 1, (size_t)n, h->in) != (size_t)n) {
        h->is_bad = 1;
        return 0;
    }
    for (int i = 0; i < n; i++)
        value = value << 8 | bytes[i];
    return value;
}

/** A count, which a head of a sane length can hold. */
static uint64_t count(head *h)
{
    uint64_t n = number(h, h->wide);
    h->is_bad |= n > COUNT_MAX;
    return h->is_bad ? 0 : n;
}

/** Skips bytes, which are filled up to fours. */
static void skip(head *h, uint64_t n)
{
    if (!h->is_bad && fseek(h->in, (long)((n + 3) / 4 * 4), SEEK_CUR) != 0)
        h->is_bad = 1;
}

/** The head of a list. @return how many elements it has */
static uint64_t list(head *h, uint64_t tag)
{
    uint64_t found = number(h, 4), n = count(h);
    h->is_bad |= found != tag && (found != 0 || n != 0);
    return h->is_bad ? 0 : n;
}

/** Bytes of a value of a type. */
static uint64_t type_size(uint64_t type)
{
    static const unsigned char sizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    return type < sizeof sizes ? sizes[type] : 0;
}

static void read_dimensions(head *h)
{
    uint64_t n = list(h, DIMENSIONS);
    h->is_bad |= n > sizeof h->sizes / sizeof h->sizes[0];
    for (uint64_t i = 0; i < n && !h->is_bad; i++) {
        skip(h, count(h));
        h->sizes[i] = number(h, h->wide);
    }
    h->n_sizes = h->is_bad ? 0 : n;
}

static void read_attributes(head *h)
{
    uint64_t n = list(h, ATTRIBUTES);
    for (uint64_t i = 0; i < n && !h->is_bad; i++) {
        skip(h, count(h));
        uint64_t size = type_size(number(h, 4));
        skip(h, count(h) * size);
    }
}

/** Notes where a variable ends. */
static void add_variable(head *h, uint64_t n_bytes, uint64_t begin, int is_layer)
{
    uint64_t *end = is_layer ? &h->last : &h->end;
    if (h->is_bad || begin > (uint64_t)INT64_MAX / 2) {
        h->is_bad = 1;
        return;
    }
    if (begin + n_bytes > *end)
        *end = begin + n_bytes;
    if (is_layer) {
        h->layer += (n_bytes + 3) / 4 * 4;
        h->lone = n_bytes;
        h->n_layers++;
    }
}

static void read_variable(head *h)
{
    uint64_t bytes = 1;
    int is_layer = 0;
    skip(h, count(h));
    uint64_t n_axes = count(h);
    for (uint64_t i = 0; i < n_axes && !h->is_bad; i++) {
        uint64_t axis = number(h, h->wide), size = axis < h->n_sizes ? h->sizes[axis] : 0;
        if (i == 0 && axis < h->n_sizes && size == 0)
            is_layer = 1;
        else if (size != 0 && bytes > (uint64_t)INT64_MAX / 1024 / size)
            h->is_bad = 1;
        else
            bytes *= size;
    }
    read_attributes(h);
    bytes *= type_size(number(h, 4));
    number(h, h->wide); /* its size, which may be too large for it to say */
    add_variable(h, bytes, number(h, h->offset), is_layer);
}

/** Adds the records. Parts of a lone variable are not filled up to fours; a file that is still written does not
 * say how many there are. */
static void add_records(head *h)
{
    uint64_t step = h->n_layers == 1 ? h->lone : h->layer, bytes;
    int is_open = h->n_records == (h->wide == 8 ? UINT64_MAX : UINT32_MAX);
    if (h->n_layers == 0 || h->n_records == 0 || is_open)
        return;
    if (!rugi_multiply(&bytes, step, h->n_records - 1) || bytes > INT64_MAX - h->last)
        h->is_bad = 1;
    else if (h->last + bytes > h->end)
        h->end = h->last + bytes;
}

uint64_t rugi_netcdf_length(FILE *in)
{
    unsigned char magic[4];
    head h = {.in = in};
    h.is_bad = fread(magic, 1, 4, in) != 4;
    h.wide = !h.is_bad && magic[3] == 5 ? 8 : 4;
    h.offset = !h.is_bad && magic[3] == 1 ? 4 : 8;
    h.n_records = number(&h, h.wide);
    read_dimensions(&h);
    read_attributes(&h);
    uint64_t n = list(&h, VARIABLES);
    for (uint64_t i = 0; i < n && !h.is_bad; i++)
        read_variable(&h);
    add_records(&h);
    return h.is_bad ? UINT64_MAX : h.end;
}
