/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* GDAL knows how a system of coordinates becomes the keys of GeoTIFF. It writes them here, into a file of one
 * pixel in memory, from which they are taken. They are made when they are needed, since it has to look
 * systems up in a database. */

#include "gdal_place.h"
#include <stdio.h>
#include <string.h>
#include <tiff.h>

/** Writes the file of one pixel. @return its bytes, for VSIFree(); NULL: it cannot be written */
static unsigned char *write_tiff(const rugi_georeference *from, size_t *n_bytes)
{
    char name[64];
    const char *const options[] = {"PROFILE=GeoTIFF", "ENDIANNESS=NATIVE", NULL};
    double transform[6];
    vsi_l_offset n = 0;
    memcpy(transform, from->transform, sizeof transform);
    snprintf(name, sizeof name, "/vsimem/rugose-%p.tif", (void *)name);
    GDALDriverH driver = rugi_gdal.GDALGetDriverByName("GTiff");
    GDALDatasetH tiff = driver == NULL ? NULL
                                       : rugi_gdal.GDALCreate(driver, name, 1, 1, 1,
                                                              GDT_Byte, (char **)options);
    if (tiff == NULL)
        return NULL;
    int is_told =
        rugi_gdal.GDALSetGeoTransform(tiff, transform) == CE_None &&
        (from->crs[0] == '\0' || rugi_gdal.GDALSetProjection(tiff, from->crs) == CE_None);
    rugi_gdal.GDALClose(tiff);
    unsigned char *bytes = rugi_gdal.VSIGetMemFileBuffer(name, &n, 1);
    *n_bytes = (size_t)n;
    if (is_told)
        return bytes;
    rugi_gdal.VSIFree(bytes);
    return NULL;
}

/** What the first directory of a classic TIFF file in the byte order of this machine says of a tag. */
static rugi_place_tag find_tag(unsigned char *bytes, size_t n_bytes, int which)
{
    static const struct {
        uint32_t tag;
        TIFFDataType type;
    } tags[RUGI_PLACE_TAGS] = {RUGI_PLACE_TAG_LIST};
    const rugi_place_tag none = {NULL, 0};
    uint16_t n = 0, is[2];
    uint32_t at = 0, has[2];
    if (n_bytes >= 8)
        memcpy(&at, bytes + 4, sizeof at);
    if (at >= 8 && at + sizeof n <= n_bytes)
        memcpy(&n, bytes + at, sizeof n);
    for (at += 2; n > 0 && at + 12 <= n_bytes; n--, at += 12) {
        memcpy(is, bytes + at, sizeof is);
        memcpy(has, bytes + at + 4, sizeof has);
        size_t size = rugi_place_bytes(which, has[0]);
        size_t begin = size > 4 ? has[1] : at + 8;
        if (is[0] == tags[which].tag && is[1] == tags[which].type)
            return begin + size <= n_bytes ? (rugi_place_tag){bytes + begin, has[0]}
                                           : none;
    }
    return none;
}

rug_status rugi_gdal_make_place(rug_context *ctx, rugi_place **out, const rug_file *file)
{
    rugi_place_tag found[RUGI_PLACE_TAGS];
    rugi_gdal_stay stay;
    size_t n_bytes = 0;
    *out = NULL;
    rugi_gdal_enter(&stay, "GTiff");
    unsigned char *bytes = write_tiff(file->georeference, &n_bytes);
    rugi_gdal_leave(&stay);
    if (bytes == NULL) {
        rug_context_warn(ctx,
                         "%s: where it lies on Earth is not written, for the installed "
                         "GDAL cannot say it in GeoTIFF: %s",
                         file->path,
                         stay.text[0] != '\0' ? stay.text : "no reason given");
        return RUG_OK;
    }
    for (int i = 0; i < RUGI_PLACE_TAGS; i++)
        found[i] = find_tag(bytes, n_bytes, i);
    rug_status status = rugi_place_keep(ctx, out, found, file->path);
    rugi_gdal.VSIFree(bytes);
    return status;
}
