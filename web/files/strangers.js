/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What files are that are not read in a browser, by their first bytes, and what makes a readable file of them. */

import { hasBytes } from "./bytes.js";

const PROGRAM = "the program reads it: use that, or convert it to TIFF, NIfTI or npy";
const TO_OME = "convert it to OME-TIFF, for example with bfconvert", UNPACK = "unpack it first";
const FILM = "write its frames as PNG, for example with ffmpeg", NO_IMAGE = "there is no image in it";
const HEIGHTS = "export its heights as TIFF of floats, for example with Gwyddion";
const DRAW = "draw it at the wanted resolution as PNG";

/* Where bytes stand, which, what that is, what to do; and what stands at the beginning. */
const STRANGERS = [
  [128, "DICM", "DICOM", PROGRAM],
  [0, "\x89HDF\r\n\x1a\n", "HDF5 or NetCDF", PROGRAM],
  [0, "CDF\x01", "NetCDF", PROGRAM], [0, "CDF\x02", "NetCDF", PROGRAM], [0, "CDF\x05", "NetCDF", PROGRAM],
  [0, "NRRD000", "NRRD", PROGRAM],
  [0, "ObjectType", "MetaImage", PROGRAM], [0, "NDims", "MetaImage", PROGRAM],
  [208, "MAP ", "MRC", PROGRAM],
  [0, "P1\n", "PNM", PROGRAM], [0, "P2\n", "PNM", PROGRAM], [0, "P3\n", "PNM", PROGRAM], [0, "P4\n", "PNM", PROGRAM],
  [0, "P5\n", "PNM", PROGRAM], [0, "P6\n", "PNM", PROGRAM], [0, "Pf\n", "PFM", PROGRAM], [0, "PF\n", "PFM", PROGRAM],
  [0, "ply\n", "a mesh (PLY)", PROGRAM], [0, "solid ", "a mesh (STL)", PROGRAM],
  [0, "GRIB", "GRIB", PROGRAM], [0, "EHFA_HEADER_TAG", "ERDAS Imagine", PROGRAM],
  [0, "ENVI", "the header of ENVI", PROGRAM],
  [0, "\0\0\0\x0cjP  ", "JPEG 2000", PROGRAM], [0, "\xff\x4f\xff\x51", "JPEG 2000", PROGRAM],
  [0, "\0\0\0\x0cJXL ", "JPEG XL", PROGRAM], [0, "\xff\x0a", "JPEG XL", PROGRAM],
  [4, "ftypheic", "HEIF", PROGRAM], [4, "ftypheix", "HEIF", PROGRAM], [4, "ftypmif1", "HEIF", PROGRAM],
  [4, "ftypavif", "AVIF", PROGRAM],
  [0, "\x76\x2f\x31\x01", "OpenEXR", PROGRAM], [0, "SIMPLE  =", "FITS", PROGRAM],
  [0, "#?RADIANCE", "Radiance", PROGRAM],
  [0, "RGFI", "a stream of 'rugose compress'", "decode it with 'rugose decompress'"],
  [0, "MATLAB ", "a MATLAB file", "save its array as .npy, for example with SciPy"],
  [0, "ZISRAWFILE", "CZI", TO_OME], [0, "\xda\xce\xbe\x0a", "ND2", TO_OME], [0, "\x70\0\0\0", "LIF", TO_OME],
  [0, "\xd0\xcf\x11\xe0", "a compound document (such as OIB or ZVI)", TO_OME], [2, "ics_version", "ICS", TO_OME],
  [0, "\\*File list", "Bruker's NanoScope (SPM)", HEIGHTS], [0, "GWYP", "a Gwyddion file (SPM)", HEIGHTS],
  [0, "WSxM file", "WSxM (SPM)", HEIGHTS], [0, "DIGITAL SURF", "a surface of Digital Surf", HEIGHTS],
  [0, "\x5c\x01\0\0", "Analyze 7.5", "convert it to NIfTI, for example with mri_convert"],
  [0, "\0\0\x01\x5c", "Analyze 7.5", "convert it to NIfTI, for example with mri_convert"],
  [0, "# vtk DataFile", "VTK", "save its array as .npy, for example with PyVista"],
  [0, "# AmiraMesh", "AmiraMesh", "export it as NIfTI or TIFF"],
  [6, "\0\0\0\0", "BMP", "convert it to PNG, for example with ImageMagick", "BM"],
  [0, "8BPS", "a Photoshop document", "save it as TIFF"], [0, "gimp xcf", "a GIMP document", "export it as TIFF"],
  [0, "%PDF", "PDF", `${DRAW}, for example with pdftoppm`],
  [0, "%!PS", "PostScript", `${DRAW}, for example with Ghostscript`],
  [0, "<svg", "SVG", `${DRAW}, for example with rsvg-convert`],
  [0, "<?xml", "XML", "a drawing (SVG) must be drawn as PNG first, for example with rsvg-convert"],
  [0, "P7\n", "PAM", "convert it to PGM or PPM, for example with pamtopnm"],
  [4, "ftyp", "a film (MP4, MOV)", FILM], [8, "AVI ", "a film (AVI)", FILM],
  [0, "\x1a\x45\xdf\xa3", "a film (MKV, WebM)", FILM],
  [0, "PK\x03\x04", "a ZIP archive (such as NPZ or a workbook)", UNPACK],
  [0, "\x1f\x8b", "something compressed by gzip, but no NIfTI, or cut off", UNPACK],
  [0, "BZh", "something compressed by bzip2", UNPACK], [0, "\xfd7zXZ", "something compressed by xz", UNPACK],
  [0, "\x28\xb5\x2f\xfd", "something compressed by zstd", UNPACK], [0, "7z\xbc\xaf", "a 7z archive", UNPACK],
  [257, "ustar", "a tar archive", UNPACK],
  [0, "version https://git-lfs", "what Git LFS keeps in place of a file", "fetch the file, with git lfs pull"],
  [0, "<!DOCTYPE html", "a web page", "it may stand in place of a file that was not downloaded"],
  [0, "<!doctype html", "a web page", "it may stand in place of a file that was not downloaded"],
  [0, "<html", "a web page", "it may stand in place of a file that was not downloaded"],
  [0, "\x7fELF", "a program or library", NO_IMAGE], [0, "SQLite format 3", "a database (SQLite)", NO_IMAGE],
];

/** What a file is. @returns {{name, advice}}, or null */
export function findStranger(bytes) {
  const row = STRANGERS.find(([at, magic, , , begin = ""]) => hasBytes(bytes, at, magic) && hasBytes(bytes, 0, begin));
  return row === undefined ? null : { name: row[2], advice: row[3] };
}

/** Whether bytes have no control characters but those of lines. */
export function isText(head) {
  return head.length > 0 && head.every((c) => c !== 127 && (c >= 32 || (c >= 9 && c <= 13)));
}
