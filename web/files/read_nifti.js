/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* NIfTI-1 and NIfTI-2, plain or gzipped, in one file. Slope, intercept and spacing are honoured; pixels stay in the
 * order of the file. */

import { allocate, decodePixels, fail, hasBytes, product, sizeOf, viewOf } from "./bytes.js";
import { checkCount } from "./bands.js";
import { DEFLATE_MAX, gunzipHead, inflate, isGzip } from "./inflate.js";

const HEAD_BYTES = { 1: 348, 2: 540 }, MAGIC_AT = { 1: 344, 2: 4 }, OFFSET_MAX = 2 ** 53;

/* Codes of types (nifti1.h), and the names of those that are not read. */
const TYPES = {
  2: "u8", 256: "i8", 512: "u16", 4: "i16", 768: "u32", 8: "i32", 1280: "u64", 1024: "i64", 16: "f32", 64: "f64",
};
const OTHERS = {
  1: "BINARY", 128: "RGB24", 2304: "RGBA32", 32: "COMPLEX64", 1792: "COMPLEX128", 2048: "COMPLEX256", 1536: "FLOAT128",
};
const UNITS = { 1: "m", 2: "mm", 3: "um" };

/* ---- The header ---- */

/* @returns {version, isLittle}, or null where bytes begin as no header */
function versionOf(bytes) {
  if (bytes.length < 4)
    return null;
  const view = viewOf(bytes);
  for (const version of [1, 2])
    for (const isLittle of [true, false])
      if (view.getInt32(0, isLittle) === HEAD_BYTES[version])
        return { version, isLittle };
  return null;
}

function begins(bytes) {
  const found = versionOf(bytes), at = MAGIC_AT[found?.version];
  return found !== null && (bytes.length < at + 4 ||
    ["n+", "ni"].some((magic) => hasBytes(bytes, at, `${magic}${found.version}\0`)));
}

function headOf(bytes) {
  return isGzip(bytes) ? gunzipHead(bytes, 540) : bytes.subarray(0, 540);
}

export function claimsNifti(head) {
  return begins(headOf(head));
}

/* Where the fields stand, of version 1 and 2. */
function fieldsOf(view, { version, isLittle }) {
  const isFirst = version === 1;
  const short = (at) => view.getInt16(at, isLittle), int = (at) => view.getInt32(at, isLittle);
  const long = (at) => Number(view.getBigInt64(at, isLittle));
  const real = isFirst ? (at) => view.getFloat32(at, isLittle) : (at) => view.getFloat64(at, isLittle);
  const many = (take, at, n, step) => Array.from({ length: n }, (_, i) => take(at + i * step));
  const size = isFirst ? 4 : 8, [quaternion, offset, rows] = isFirst ? [256, 268, 280] : [352, 376, 400];
  return {
    dim: isFirst ? many(short, 40, 8, 2) : many(long, 16, 8, 8),
    datatype: short(isFirst ? 70 : 12),
    pixdim: many(real, isFirst ? 76 : 104, 8, size),
    begin: isFirst ? real(108) : long(168),
    slope: real(isFirst ? 112 : 176), intercept: real(isFirst ? 116 : 184),
    units: isFirst ? view.getUint8(123) : int(500),
    qform: isFirst ? short(252) : int(344), sform: isFirst ? short(254) : int(348),
    quaternion: many(real, quaternion, 3, size), offset: many(real, offset, 3, size),
    rows: [0, 1, 2].map((i) => many(real, rows + 4 * i * size, 4, size)),
  };
}

function readHead(bytes) {
  const head = headOf(bytes), found = versionOf(head), n = HEAD_BYTES[found.version];
  if (head.length < n)
    fail(`cut off: ${head.length} of ${n} bytes of the NIfTI header are there`);
  if (head[MAGIC_AT[found.version] + 1] === 0x69)
    fail("the header of a NIfTI pair, whose pixels are in an .img file beside it; a page in a browser sees one file: " +
      "join them to .nii, or use the program");
  return { ...found, ...fieldsOf(viewOf(head), found) };
}

/* ---- What it promises ---- */

function checkAxes(head) {
  const n = head.dim[0], shape = [1, 1, 1];
  if (!(n >= 1 && n <= 7))
    fail(`the NIfTI header says ${n} axes, 1 to 7 expected`);
  let pages = 1;
  for (let i = 1; i <= n; i++) {
    if (head.dim[i] < 1)
      fail(`axis ${i} of the NIfTI file has ${head.dim[i]} pixels, at least 1 expected`);
    if (i <= 3)
      shape[3 - i] = head.dim[i];
    else
      pages *= head.dim[i];
  }
  if (pages > 2 ** 31 - 1)
    fail("the NIfTI file has more volumes than can be numbered");
  return { shape, pages };
}

/* Slope 0 and NaN mean no scaling (NIfTI-1, scl_slope). */
function codingOf(head) {
  const stored = TYPES[head.datatype];
  if (stored === undefined)
    fail(`NIfTI type ${head.datatype} (${OTHERS[head.datatype] ?? "unknown"}) is not supported; integers of 8 to 64 ` +
      "bits, FLOAT32 and FLOAT64 are");
  const isGiven = Number.isFinite(head.slope) && head.slope !== 0 && Number.isFinite(head.intercept);
  return { stored, isBig: !head.isLittle, slope: isGiven ? head.slope : 1, intercept: isGiven ? head.intercept : 0 };
}

/* The bytes of one volume. */
async function takePixels(bytes, head, n, page) {
  if (!(head.begin >= 0 && head.begin <= OFFSET_MAX))
    fail(`vox_offset is ${head.begin}, 0 or more expected`);
  const begin = Math.max(Math.trunc(head.begin), HEAD_BYTES[head.version]) + page * n;
  if (!isGzip(bytes)) {
    if (begin + n > bytes.length)
      fail(`cut off: ${Math.max(0, bytes.length - begin)} of ${n} bytes of pixels are there`);
    return bytes.subarray(begin, begin + n);
  }
  if (begin + n > DEFLATE_MAX * bytes.length)
    fail(`the header promises ${n} bytes of pixels, more than a gzip file of ${bytes.length} bytes can hold`);
  const all = allocate("u8", begin + n);
  await inflate(bytes, all, "gzip", "its pixels");
  return all.subarray(begin);
}

/* ---- Where it lies ---- */

/* The affine of a quaternion, an offset and the spacing (nifti1.h, method 2). A distance that is not above 0 counts as
 * 1, and an overlong quaternion as half a turn, as in nifti_clib. */
function qformOf(head) {
  let [b, c, d] = head.quaternion, a = 0;
  const aa = 1 - (b * b + c * c + d * d), length = Math.sqrt(b * b + c * c + d * d);
  if (aa < 1e-7)
    [b, c, d] = [b / length, c / length, d / length];
  else
    a = Math.sqrt(aa);
  const turned = [
    [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
    [2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)],
    [2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c]];
  const steps = [1, 2, 3].map((k) => (head.pixdim[k] > 0 ? head.pixdim[k] : 1));
  steps[2] *= head.pixdim[0] < 0 ? -1 : 1;
  return turned.map((row, i) => [...row.map((value, k) => value * steps[k]), head.offset[i]]);
}

/* Of the two that a header may have, sform is believed before qform. Where no unit is stated, programs that write such
 * files mean millimetres. */
function placeOf(head, unit) {
  if (head.sform <= 0 && head.qform <= 0)
    return null;
  const isSform = head.sform > 0;
  return { by: isSform ? "sform" : "qform", unit: unit ?? "mm", affine: isSform ? head.rows : qformOf(head) };
}

/* ---- The file ---- */

export async function readNifti(bytes, asked) {
  const head = readHead(bytes), { shape: all, pages } = checkAxes(head), coding = codingOf(head);
  checkCount("page", asked.page, pages, "nifti");
  checkCount("level", asked.level, 1, "nifti");
  checkCount("channel", asked.channel, 1, "nifti");
  const page = Math.max(0, asked.page), n = product([...all, sizeOf(coding.stored)], "NIfTI header");
  if (!Number.isSafeInteger(n * (page + 1)))
    fail("the NIfTI header promises more pixels than an address can count");
  const { dtype, data } = decodePixels(await takePixels(bytes, head, n, page), coding);
  const isFlat = all[0] === 1 && !asked.volume, unit = UNITS[head.units & 7] ?? null;
  const spacing = [3, 2, 1].map((i) => Math.abs(head.pixdim[i]));
  return {
    format: "nifti", data, dtype, shape: isFlat ? all.slice(1) : all,
    spacing: isFlat ? spacing.slice(1) : spacing, spacing_unit: unit, place: placeOf(head, unit),
    page, pages, slope: coding.slope, intercept: coding.intercept,
  };
}
