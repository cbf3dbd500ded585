/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What files are that no reader knows, by their first bytes: formats of microscopes, scanners, cameras
 * and drawings, archives, films, texts. Each comes with what makes a readable file of it. */

#include "strangers.h"
#include "io/base/disk.h"

/* Bytes at a place. */
#define BYTES(at, text)              \
    {                                \
        text, sizeof(text) - 1, (at) \
    }
#define NONE     \
    {            \
        "", 0, 0 \
    }

#define BY_BYTES(at, text, name, advice)          \
    {                                             \
        BYTES(at, text), NONE, NULL, name, advice \
    }
#define BY_TWO(at, text, at_2, text_2, name, advice)             \
    {                                                            \
        BYTES(at, text), BYTES(at_2, text_2), NULL, name, advice \
    }
#define BY_ENDING(at, text, ending, name, advice)   \
    {                                               \
        BYTES(at, text), NONE, ending, name, advice \
    }

#define TO_OME    "convert it to OME-TIFF, for example with bfconvert"
#define DEVELOP   "develop it to TIFF, for example with dcraw_emu -T"
#define DRAW      "draw it at the wanted resolution as PNG"
#define FROM_GEO  "convert it to GeoTIFF, for example with gdal_translate"
#define FROM_FILM "write its frames as PNG, for example with ffmpeg"
#define FROM_SPM  "export its heights as TIFF of floats, for example with Gwyddion"
#define FROM_XCT  "convert it to TIFF slices or NIfTI, for example with ImageJ"
#define FROM_ITK  "convert it to NIfTI, for example with SimpleITK"
#define TO_PNG    "convert it to PNG, for example with ImageMagick"
#define UNPACK    "unpack it first"
#define NO_IMAGE  "there is no image in it"

/* The first row that fits counts: more bytes stand before fewer. */
static const rugi_stranger strangers[] = {
    BY_BYTES(0, "MATLAB 5.0", "a MATLAB file",
             "save its array as .npy, for example with SciPy"),
    BY_BYTES(0, "MATLAB 7.3", "a MATLAB file",
             "save its array as .npy, for example with h5py"),

    /* Microscopes. */
    BY_BYTES(0, "ZISRAWFILE", "CZI", TO_OME),
    BY_BYTES(0, "\xda\xce\xbe\x0a", "ND2", TO_OME),
    BY_TWO(0, "\x70\0\0\0", 8, "\x2a", "LIF", TO_OME),
    BY_BYTES(
        0, "\xff\xfe[\0", "OIF or another list of settings",
        "convert the image that belongs to it to OME-TIFF, for example with bfconvert"),
    BY_BYTES(0, "SIS\0", "the tiles of a VSI image",
             "convert the .vsi file to OME-TIFF, for example with bfconvert"),
    BY_ENDING(0, "\xd0\xcf\x11\xe0", ".oib", "OIB", TO_OME),
    BY_ENDING(0, "\xd0\xcf\x11\xe0", ".zvi", "ZVI", TO_OME),
    BY_ENDING(0, "\xd0\xcf\x11\xe0", ".txm", "TXM", FROM_XCT),
    BY_BYTES(0, "\xd0\xcf\x11\xe0", "a compound document (such as OIB, ZVI or Thumbs.db)",
             "convert an image to OME-TIFF, for example with bfconvert"),
    BY_BYTES(2, "ics_version", "ICS", TO_OME),
    BY_TWO(0, "\0\0\0\3", 8, "\0\0\0", "Gatan's DM3",
           "convert it to TIFF, for example with bfconvert"),
    BY_TWO(0, "\0\0\0\4", 12, "\0\0\0", "Gatan's DM4",
           "convert it to TIFF, for example with bfconvert"),
    BY_BYTES(0, "II\x97\1", "SER of an electron microscope",
             "convert it to TIFF, for example with HyperSpy"),

    /* Surfaces. */
    BY_BYTES(0, "\\*File list", "Bruker's NanoScope (SPM)", FROM_SPM),
    BY_BYTES(0, "\\*Force file list", "Bruker's NanoScope (SPM)", FROM_SPM),
    BY_BYTES(0, "GWYP", "a Gwyddion file (SPM)", FROM_SPM),
    BY_BYTES(0, "GWYO", "a Gwyddion file (SPM)", FROM_SPM),
    BY_BYTES(0, "WSxM file", "WSxM (SPM)", FROM_SPM),
    BY_BYTES(0, "DIGITAL SURF", "a surface of Digital Surf", FROM_SPM),
    BY_BYTES(0, "DSCOMPRESSED", "a surface of Digital Surf", FROM_SPM),
    BY_BYTES(0, "aBCR-", "a surface as SDF", FROM_SPM),
    BY_BYTES(0, "bBCR-", "a surface as SDF", FROM_SPM),

    /* Scanners. */
    BY_BYTES(0, "\x5c\1\0\0", "Analyze 7.5",
             "convert it to NIfTI, for example with mri_convert"),
    BY_BYTES(0, "\0\0\1\x5c", "Analyze 7.5",
             "convert it to NIfTI, for example with mri_convert"),
    BY_BYTES(0, "# === DATA DESCRIPTION FILE", "Philips' PAR",
             "convert it to NIfTI, for example with dcm2niix"),
    BY_BYTES(0, "MATRIX7", "ECAT", "convert it to NIfTI, for example with nibabel"),
    BY_BYTES(0, "##TITLE=", "parameters of Bruker's ParaVision",
             "convert the scan to NIfTI, for example with brkraw"),
    BY_ENDING(0, "\x1f\x8b", ".mgz", "FreeSurfer's MGZ",
              "convert it to NIfTI, for example with mri_convert"),
    BY_ENDING(0, "\0\0\0\1", ".mgh", "FreeSurfer's MGH",
              "convert it to NIfTI, for example with mri_convert"),
    BY_BYTES(0, "CTDATA-HEADER_V1", "ISQ of a Scanco scanner", FROM_XCT),
    BY_BYTES(0, "AIMDATA_V030", "AIM of a Scanco scanner", FROM_XCT),
    BY_BYTES(0, "#INRIMAGE-4#{", "INRIMAGE", FROM_ITK),
    BY_BYTES(252, "\xef\xff\xe9\xb0", "GIPL", FROM_ITK),
    BY_BYTES(0, "# vtk DataFile", "VTK",
             "save its array as .npy, for example with PyVista"),
    BY_BYTES(0, "# AmiraMesh", "AmiraMesh", "export it as NIfTI or TIFF"),
    BY_BYTES(0, "# Avizo", "AmiraMesh", "export it as NIfTI or TIFF"),

    /* The Earth and the sky. */
    BY_BYTES(0, "NITF0", "NITF", FROM_GEO),
    BY_BYTES(0, "NSIF0", "NITF", FROM_GEO),
    BY_BYTES(0, "\x0e\3\x13\1", "HDF4", FROM_GEO),
    BY_BYTES(0, "RUU CROSS SYSTEM MAP", "PCRaster", FROM_GEO),
    BY_BYTES(0, "PDS_VERSION_ID", "PDS", FROM_GEO),
    BY_BYTES(0, "CCSD3ZF", "PDS", FROM_GEO),
    BY_BYTES(0, "LBLSIZE=", "VICAR", FROM_GEO),
    BY_BYTES(0, "DSAA", "a grid of Surfer", FROM_GEO),
    BY_BYTES(0, "DSBB", "a grid of Surfer", FROM_GEO),
    BY_BYTES(0, "DSRB", "a grid of Surfer", FROM_GEO),

    /* Cameras. */
    BY_BYTES(4, "ftypcrx", "a camera's raw file", DEVELOP),
    BY_BYTES(0, "FUJIFILMCCD-RAW", "a camera's raw file", DEVELOP),
    BY_BYTES(0, "IIRO", "a camera's raw file", DEVELOP),
    BY_BYTES(0, "IIRS", "a camera's raw file", DEVELOP),
    BY_BYTES(0, "MMOR", "a camera's raw file", DEVELOP),
    BY_BYTES(0, "IIU\0", "a camera's raw file", DEVELOP),
    BY_BYTES(6, "HEAPCCDR", "a camera's raw file", DEVELOP),
    BY_BYTES(0, "FOVb", "a camera's raw file", DEVELOP),
    BY_BYTES(0, "\0MRM", "a camera's raw file", DEVELOP),

    /* Pictures and drawings. */
    BY_TWO(0, "BM", 6, "\0\0\0\0", "BMP", TO_PNG),
    BY_BYTES(0, "8BPS", "a Photoshop document", "save it as TIFF"),
    BY_BYTES(0, "gimp xcf", "a GIMP document", "export it as TIFF"),
    BY_BYTES(0, "%PDF", "PDF", DRAW ", for example with pdftoppm"),
    BY_BYTES(0, "%!PS", "PostScript", DRAW ", for example with Ghostscript"),
    BY_BYTES(0, "\xc5\xd0\xd3\xc6", "EPS", DRAW ", for example with Ghostscript"),
    BY_BYTES(0, "<svg", "SVG", DRAW ", for example with rsvg-convert"),
    BY_BYTES(0, "<?xml", "XML",
             "a drawing (SVG) must be drawn as PNG first, for example with rsvg-convert"),
    BY_BYTES(0, "P7\n", "PAM", "convert it to PGM or PPM, for example with pamtopnm"),
    BY_BYTES(0, "II\xbc\1", "JPEG XR", TO_OME),
    BY_BYTES(0, "SDPX", "DPX", TO_PNG),
    BY_BYTES(0, "XPDS", "DPX", TO_PNG),
    BY_BYTES(0, "\x80\x2a\x5f\xd7", "Cineon", TO_PNG),
    BY_BYTES(0, "DDS ", "DDS", TO_PNG),
    BY_BYTES(0, "qoif", "QOI", TO_PNG),
    BY_BYTES(0, "\x59\xa6\x6a\x95", "a Sun raster", TO_PNG),
    BY_BYTES(0, "/* XPM */", "XPM", TO_PNG),
    BY_BYTES(0, "AT&TFORM", "DjVu", DRAW ", for example with ddjvu"),
    BY_TWO(0, "\0\0\1\0", 5, "\0", "an icon", TO_PNG),
    {NONE, NONE, ".tga", "TGA", TO_PNG},
    {NONE, NONE, ".pcx", "PCX", TO_PNG},

    /* Films. */
    BY_BYTES(4, "ftyp", "a film (MP4, MOV)", FROM_FILM),
    BY_BYTES(4, "moov", "a film (MOV)", FROM_FILM),
    BY_BYTES(4, "mdat", "a film (MOV)", FROM_FILM),
    BY_TWO(0, "RIFF", 8, "AVI ", "a film (AVI)", FROM_FILM),
    BY_BYTES(0, "\x1a\x45\xdf\xa3", "a film (MKV, WebM)", FROM_FILM),
    BY_BYTES(0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", "a film (WMV)", FROM_FILM),
    BY_BYTES(0, "\0\0\1\xba", "a film (MPEG)", FROM_FILM),
    BY_BYTES(0, "\0\0\1\xb3", "a film (MPEG)", FROM_FILM),
    BY_BYTES(0, "FLV\1", "a film (FLV)", FROM_FILM),
    BY_BYTES(0, "OggS", "a film (Ogg)", FROM_FILM),
    BY_BYTES(0, "LUCAM-RECORDER", "a film of a telescope (SER)", FROM_FILM),

    /* Archives. */
    BY_ENDING(0, "PK\3\4", ".npz", "NPZ",
              "save one of its arrays as .npy, for example with NumPy"),
    BY_BYTES(0, "PK\3\4", "a ZIP archive", UNPACK),
    BY_BYTES(0, "\x1f\x8b", "something compressed by gzip, but no NIfTI, or cut off",
             UNPACK),
    BY_BYTES(0, "BZh", "something compressed by bzip2", UNPACK),
    BY_BYTES(0, "\xfd\x37zXZ", "something compressed by xz", UNPACK),
    BY_BYTES(0, "\x28\xb5\x2f\xfd", "something compressed by zstd", UNPACK),
    BY_BYTES(0, "7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK),
    BY_BYTES(0, "Rar!\x1a\7", "a RAR archive", UNPACK),
    BY_BYTES(257, "ustar", "a tar archive", UNPACK),

    /* The rest. */
    BY_BYTES(0, "version https://git-lfs", "what Git LFS keeps in place of a file",
             "fetch the file, with git lfs pull"),
    BY_BYTES(0, "<!DOCTYPE html", "a web page",
             "it may stand in place of a file that was not downloaded"),
    BY_BYTES(0, "<!doctype html", "a web page",
             "it may stand in place of a file that was not downloaded"),
    BY_BYTES(0, "<html", "a web page",
             "it may stand in place of a file that was not downloaded"),
    BY_BYTES(0, "\177ELF", "a program or library", NO_IMAGE),
    BY_TWO(0, "MZ", 0x4e, "This program", "a program or library", NO_IMAGE),
    BY_BYTES(0, "SQLite format 3", "a database (SQLite)", NO_IMAGE)};

static const rugi_stranger text = {NONE, NONE, NULL, "text",
                                   "save numbers as .npy, for example with NumPy"};

/* Fewer bytes are no text, but the rest of a file. */
#define TEXT_LEAST 16

/* Whether the head has no control characters but those of lines. */
static int is_text(const rug_file *file)
{
    for (size_t i = 0; i < file->n_head; i++) {
        unsigned char c = file->head[i];
        if (c == 127 || (c < ' ' && (c < '\t' || c > '\r')))
            return 0;
    }
    return file->n_head >= TEXT_LEAST;
}

const rugi_stranger *rugi_find_stranger(const rug_file *file)
{
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++) {
        const rugi_stranger *row = &strangers[i];
        if (rugi_has_magic(file, &row->first) && rugi_has_magic(file, &row->second) &&
            (row->ending == NULL || rugi_has_ending(file->path, row->ending)))
            return row;
    }
    /* of points there is more to say */
    return is_text(file) && !rugi_path_is_points(file->path) ? &text : NULL;
}
