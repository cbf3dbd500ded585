/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The container of FORMAT.md, section 1. */

#include "independent.h"

static int64_t number_at(const uint8_t *bytes, int n)
{
    return n == 0 ? 0 : bytes[0] + 256 * number_at(bytes + 1, n - 1);
}

uint32_t ind_checksum(const uint8_t *bytes, size_t n)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? (crc >> 1) ^ 0xedb88320 : crc >> 1;
    }
    return crc ^ 0xffffffff;
}

static bool is_within(int64_t a, int64_t least, int64_t most)
{
    return a >= least && a <= most;
}

static const char *read_mode(ind_head *head, const uint8_t *bytes)
{
    int mode = bytes[5];
    head->partition = mode & 3;
    head->n_planes = mode & 4 ? 3 : 1;
    head->depth = mode & 8 ? 16 : 8;
    head->has_colour_transform = mode & 16;
    head->has_residual = mode & 32;
    head->wraps = mode & 64;
    bool trees = head->partition == IND_QUADTREE;
    if (head->partition == 3 || mode & 128)
        return "the mode is none";
    if (head->has_colour_transform && head->n_planes != 3)
        return "a colour transform of one plane";
    if ((head->has_residual && !trees) || (head->wraps && trees))
        return "the mode is not of this partition";
    if (bytes[4] != (head->wraps ? 2 : 1))
        return "another version";
    return NULL;
}

/* Bytes 6 to 16. */
static const char *read_sizes(ind_head *head, const uint8_t *bytes)
{
    bool trees = head->partition == IND_QUADTREE;
    head->iterations = bytes[6];
    head->deblocking = bytes[7] & 15;
    head->nx = number_at(bytes + 8, 2);
    head->ny = number_at(bytes + 10, 2);
    head->range_side = bytes[12];
    head->step = number_at(bytes + 14, 2);
    if (!is_within(head->iterations, 1, 64))
        return "the iterations are not 1..64";
    if (bytes[7] >> 4 != (trees ? 2 : 0) || (!trees && head->deblocking))
        return "deblocking or alignment is not of this partition";
    if (head->nx == 0 || head->ny == 0)
        return "a side is 0";
    if (trees ? bytes[12] != 4 || bytes[13] != 32
              : !is_within(bytes[12], 2, 32) || bytes[13] != bytes[12])
        return "the sides of ranges are not of this partition";
    if (head->partition == IND_OVERLAP && bytes[12] % 2)
        return "the side of ranges is odd";
    if (!is_within(head->step, 1, 1024) || (trees && head->step % 4))
        return "the step of domains is not of this partition";
    if (bytes[16] != (trees ? 3 : 6))
        return "the levels of s are not of this partition";
    int64_t side = trees ? 32 : head->range_side;
    head->padded_nx = (head->nx + side - 1) / side * side;
    head->padded_ny = (head->ny + side - 1) / side * side;
    return NULL;
}

/* The least bytes of a plane's payload. */
static int64_t least_payload(const ind_head *head)
{
    if (head->partition == IND_QUADTREE)
        return (head->padded_nx / 32 * (head->padded_ny / 32) + 15) / 16;
    int64_t ranges =
        head->padded_nx / head->range_side * (head->padded_ny / head->range_side);
    return head->partition == IND_OVERLAP ? 4 * ranges : ranges;
}

static const char *read_planes(ind_head *head, const uint8_t *bytes, size_t size)
{
    size_t at = (size_t)(17 + 11 * head->n_planes + 4);
    for (int p = 0; p < head->n_planes; p++) {
        const uint8_t *row = bytes + 17 + 11 * p;
        ind_plane_head *plane = &head->planes[p];
        plane->delta = number_at(row, 3);
        plane->depth = head->depth + (head->has_colour_transform && p > 0);
        plane->payload = bytes + at;
        plane->size = (size_t)number_at(row + 3, 4);
        if (plane->size > size - at)
            return "the file is too short";
        if (!is_within(plane->delta, 1, 1 << 20))
            return "delta is not 1..2^20";
        if ((int64_t)plane->size < least_payload(head))
            return "a payload is too short for its plane";
        if (ind_checksum(plane->payload, plane->size) != number_at(row + 7, 4))
            return "the checksum of a payload differs";
        at += plane->size;
    }
    return at == size ? NULL : "something follows the payloads";
}

const char *ind_read_head(ind_head *out, const uint8_t *bytes, size_t size)
{
    *out = (ind_head){0};
    if (size < 17 + 11 + 4 || number_at(bytes, 4) != 0x4946528a)
        return "not a stream";
    const char *wrong = read_mode(out, bytes);
    if (wrong)
        return wrong;
    size_t end = (size_t)(17 + 11 * out->n_planes);
    if (size < end + 4)
        return "the file is too short";
    if (ind_checksum(bytes, end) != number_at(bytes + end, 4))
        return "the checksum of the header differs";
    wrong = read_sizes(out, bytes);
    return wrong ? wrong : read_planes(out, bytes, size);
}
