/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Takes NIfTI headers apart with the structs and the byte swapping of nifti_clib. The
 * library's own reader is not used: it goes by the file's name, sets bad axes and
 * spacings to 1 in silence, and turns NaN into 0. */

#include "nifti_header.h"
#include <nifti2_io.h>
#include <string.h>

/** What the first four bytes say.
 *  @param swapped  1 when they are in the other byte order
 *  @return 1, 2, or 0 for no NIfTI header */
static int header_version(const unsigned char *bytes, int *swapped)
{
    static const int32_t sizes[2] = {sizeof(nifti_1_header), sizeof(nifti_2_header)};
    for (int i = 0; i < 2; i++)
        for (*swapped = 0; *swapped < 2; ++*swapped) {
            int32_t size = sizes[i];
            if (*swapped)
                nifti_swap_4bytes(1, &size);
            if (memcmp(bytes, &size, 4) == 0)
                return i + 1;
        }
    return 0;
}

static int has_magic(const unsigned char *magic, int version)
{
    const char *pair = version == 1 ? "ni1" : "ni2";
    const char *single = version == 1 ? "n+1" : "n+2";
    return memcmp(magic, pair, 4) == 0 || memcmp(magic, single, 4) == 0;
}

int rugi_nifti_begins(const unsigned char *bytes, size_t n)
{
    int swapped;
    int version = n >= 4 ? header_version(bytes, &swapped) : 0;
    if (version == 0)
        return 0;
    size_t magic =
        version == 1 ? offsetof(nifti_1_header, magic) : offsetof(nifti_2_header, magic);
    return n < magic + 4 || has_magic(bytes + magic, version);
}

static void take_nifti1(rugi_nifti_header *out, nifti_1_header *h)
{
    if (out->swapped)
        swap_nifti_header(h, 1);
    for (int i = 0; i < 8; i++) {
        out->dim[i] = h->dim[i];
        out->pixdim[i] = (double)h->pixdim[i];
    }
    out->is_pair = h->magic[1] == 'i';
    out->datatype = h->datatype;
    out->vox_offset = (double)h->vox_offset;
    out->slope = (double)h->scl_slope;
    out->intercept = (double)h->scl_inter;
    out->xyzt_units = h->xyzt_units;
}

static void take_nifti2(rugi_nifti_header *out, nifti_2_header *h)
{
    if (out->swapped)
        swap_nifti_header(h, 2);
    for (int i = 0; i < 8; i++) {
        out->dim[i] = h->dim[i];
        out->pixdim[i] = h->pixdim[i];
    }
    out->is_pair = h->magic[1] == 'i';
    out->datatype = h->datatype;
    out->vox_offset = (double)h->vox_offset;
    out->slope = h->scl_slope;
    out->intercept = h->scl_inter;
    out->xyzt_units = h->xyzt_units;
}

int rugi_nifti_parse(rugi_nifti_header *out, const unsigned char *bytes, size_t n)
{
    nifti_1_header one;
    nifti_2_header two;
    memset(out, 0, sizeof *out);
    if (!rugi_nifti_begins(bytes, n))
        return 0;
    out->version = header_version(bytes, &out->swapped);
    if (n < (out->version == 1 ? sizeof one : sizeof two))
        return 0;
    if (out->version == 1) {
        memcpy(&one, bytes, sizeof one);
        take_nifti1(out, &one);
    } else {
        memcpy(&two, bytes, sizeof two);
        take_nifti2(out, &two);
    }
    return 1;
}
