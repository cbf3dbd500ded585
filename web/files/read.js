/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Bytes of a file to pixels or points, as the program reads them: docs/formats.md has the rules. The content of a file
 * decides its format, not its name. There is no page here, and no network: it runs in a worker, and in Node. */

import { FileError, fail, wholeOf } from "./bytes.js";
import { turnAffine, turnImage } from "./bands.js";
import { markNodata } from "./nodata.js";
import { claimsNifti, readNifti } from "./read_nifti.js";
import { claimsNpy, readNpy } from "./read_npy.js";
import { claimsGif, claimsJpeg, claimsWebp, readPicture } from "./read_picture.js";
import { claimsPng, readPng } from "./read_png.js";
import { readPoints } from "./read_points.js";
import { readTiff } from "./read_tiff.js";
import { findStranger, isText } from "./strangers.js";
import { claimsTiff } from "./tiff_tags.js";

export { FileError };

const HEAD = 4096, POINT_NAME = /\.(csv|tsv|txt|xyz)$/i;
const OPTIONS = ["page", "level", "channel", "volume", "indices", "nodata", "points", "columns", "skip_rows", "decode"];

function pictureReader(format) {
  return (bytes, asked, warn, decode) => readPicture(bytes, asked, format, warn, decode);
}

/* Readers by the first bytes, in the order in which they are asked. */
const READERS = [
  { claims: claimsNpy, read: readNpy },
  { claims: claimsNifti, read: readNifti },
  { claims: claimsPng, read: readPng },
  { claims: claimsTiff, read: readTiff },
  { claims: claimsJpeg, read: pictureReader("jpeg") },
  { claims: claimsGif, read: pictureReader("gif") },
  { claims: claimsWebp, read: pictureReader("webp") },
];

/* ---- What is asked ---- */

function takeNumber(options, name, otherwise) {
  const given = options[name] ?? "", n = given === "" ? otherwise : wholeOf(String(given));
  return n >= 0 || given === "" ? n
    : fail(`--${name.replace("_", "-")} '${given}' given; a whole number from 0 expected`);
}

function takeOptions(options) {
  for (const name of Object.keys(options))
    if (!OPTIONS.includes(name))
      fail(`reading has no option '${name}'; ${OPTIONS.join(", ")} expected`);
  return {
    page: takeNumber(options, "page", -1), level: takeNumber(options, "level", 0),
    channel: takeNumber(options, "channel", -1), volume: options.volume ?? null, indices: options.indices === true,
    nodata: options.nodata ?? null, columns: options.columns ?? null, skipRows: takeNumber(options, "skip_rows", 0),
  };
}

/* ---- Points ---- */

function finishPoints(name, points, bytes, warnings) {
  const facts = { format: points.format, dtype: points.dtype, points: points.n, comment_lines: points.comment_lines,
    header: points.header };
  if (points.columns !== null)
    facts.columns = points.columns;
  if (points.left_out !== null)
    facts.left_out = points.left_out;
  Object.assign(facts, { whole: points.whole, axes: points.axes });
  return { kind: "points", name, data: points.data, dtype: points.dtype, n_points: points.n, n_axes: points.nAxes,
    n_bytes: bytes.length, has_elements: points.has_elements, facts, warnings };
}

/* ---- Images ---- */

/* The place with the columns of axes in the order of the shape, slowest first, then the origin; null where it is
 * none. */
function orderPlace(place, nAxes, warn) {
  if (place === null || place === undefined)
    return null;
  if (!areAxes(place.affine, nAxes)) {
    warn(`where it lies is not known: its ${place.by} is not finite, or has axes that are parallel or of no length`);
    return null;
  }
  const affine = place.affine.map((row) => {
    const columns = [0, 0, 0, row[3]];
    for (let a = 0; a < nAxes; a++)
      columns[a] = row[nAxes - 1 - a];
    return columns;
  });
  return { ...place, affine };
}

/* Whether the first n columns are steps along axes: finite, and none is parallel to those before. */
function areAxes(affine, n) {
  const base = [], dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  for (let a = 0; a < n; a++) {
    let v = affine.map((row) => row[a]), length = Math.sqrt(dot(v, v));
    if (!Number.isFinite(length) || !(length > 0))
      return false;
    v = v.map((x) => x / length);
    for (const b of base) {
      const along = dot(v, b);
      v = v.map((x, i) => x - along * b[i]);
    }
    length = Math.sqrt(dot(v, v));
    if (!(length > 1e-6))
      return false;
    base.push(v.map((x) => x / length));
  }
  return affine.every((row) => Number.isFinite(row[3]));
}

function setSpacing(image) {
  const spacing = (image.spacing ?? image.shape.map(() => 0)).map((d) => (Number.isFinite(d) && d > 0 ? d : 0));
  image.spacing = spacing;
  image.spacing_unit = spacing.some((d) => d > 0) ? image.spacing_unit ?? null : null;
}

/* The members of `read` of the program's JSON, in its order. What only a measurement of the pixels tells is null. */
function factsOf(image, stored, nodata, turned) {
  const facts = { format: image.format, dtype: stored, min: null, max: null, nan: null, infinite: null, distinct: null,
    distinct_is_min: null }, axes = ["z", "y", "x"].slice(-image.shape.length), spacing = {};
  if (nodata.value !== null)
    Object.assign(facts, { nodata: nodata.value, nodata_pixels: nodata.n });
  axes.forEach((axis, i) => { spacing[axis] = image.spacing[i] > 0 ? image.spacing[i] : null; });
  const { page = 0, pages = 1, level = 0, levels = 1, channel = 0, channels = 1 } = image;
  Object.assign(facts, {
    spacing: { ...spacing, unit: image.spacing_unit }, page, pages, level, levels, channel, channels,
    equal_channels: channel < 0 && !image.differ, dropped_alpha: image.dropped_alpha ?? false,
    white_is_zero: image.white_is_zero ?? false,
  });
  if (turned !== 1)
    facts.orientation = turned;
  return Object.assign(facts, { slope: image.slope ?? 1, intercept: image.intercept ?? 0 });
}

function finishImage(name, image, bytes, asked, warnings) {
  const warn = (text) => warnings.push(text), orientation = image.orientation ?? 1;
  const [height, width] = image.shape.slice(-2);
  setSpacing(image);
  image.place = orderPlace(image.place, image.shape.length, warn);
  if (orientation !== 1)
    turnImage(image, orientation);
  if (orientation !== 1 && image.place !== null)
    turnAffine(image.place.affine, orientation, image.shape.length, height, width);
  const nodata = markNodata(image, asked.nodata, warn), stored = image.dtype;
  return {
    kind: "image", name, data: nodata.data, dtype: nodata.dtype, shape: image.shape, spacing: image.spacing,
    spacing_unit: image.spacing_unit, nodata: nodata.value, n_bytes: bytes.length,
    facts: factsOf({ ...image, level: asked.level }, stored, nodata, orientation),
    n_nan: nodata.value === null ? null : nodata.nNan, lossy: image.lossy ?? null, meaning: image.meaning ?? null,
    place: image.place, warnings,
  };
}

/* ---- The file ---- */

function refuse(bytes) {
  const stranger = findStranger(bytes);
  if (stranger !== null)
    fail(`cannot be read: it looks like ${stranger.name}; ${stranger.advice}`);
  fail("is not an image that is read in a browser: convert a picture to PNG or TIFF, a volume to NIfTI or npy");
}

async function readContent(name, bytes, options, warnings) {
  const head = bytes.subarray(0, HEAD), warn = (text) => warnings.push(text), asked = takeOptions(options);
  if (bytes.length === 0)
    fail("is empty (0 bytes)");
  const reader = READERS.find((r) => r.claims(head)), isArray = reader?.read === readNpy;
  if (reader !== undefined && !(options.points && isArray))
    return finishImage(name, await reader.read(bytes, asked, warn, options.decode), bytes, asked, warnings);
  const areNamed = options.points || POINT_NAME.test(name);
  if (!isArray && !areNamed && (findStranger(bytes) !== null || !isText(head)))
    refuse(bytes);
  if (asked.page >= 0 || asked.channel >= 0 || asked.level > 0 || asked.volume)
    fail("points have no pages, channels or levels; leave out --page, --volume, --channel and --level");
  return finishPoints(name, takePoints(bytes, asked, isArray, areNamed, warn), bytes, warnings);
}

/* A text that is none of points is no fault of its lines, unless it says that it is. */
function takePoints(bytes, asked, isArray, areNamed, warn) {
  try {
    return readPoints(bytes, asked, isArray, warn);
  } catch (error) {
    if (error instanceof FileError && !isArray && !areNamed)
      fail(`cannot be read: it looks like text, and not like points: ${error.message}`);
    throw error;
  }
}

/** Reads a file: an image, or points as text.
 *  @param {string} name  whose ending says of texts that they are points
 *  @param {Uint8Array} bytes  all of it
 *  @param options  as of the program, numbers also as text: page, level, channel, volume (true: one volume or none),
 *    nodata ("none" or a number), columns, skip_rows; points: an .npy array is points; indices: palettes are indices,
 *    as those of masks and label images; decode: async (bytes, mime) -> {width, height, rgba}, the browser's decoder,
 *    which leaves colours and alpha as they are stored
 *  @returns {Promise<object>} {kind: "image", name, data, dtype, shape, spacing, spacing_unit, nodata, n_bytes, facts,
 *    n_nan, lossy, meaning, place, warnings}: pixels without data are NaN, and facts.dtype is then the type of the
 *    file; or {kind: "points", name, data, dtype, n_points, n_axes, n_bytes, has_elements, facts, warnings}
 *  @throws {FileError} whose message begins without the name */
export async function read(name, bytes, options = {}) {
  try {
    return await readContent(name, bytes, options, []);
  } catch (error) {
    if (error instanceof RangeError && /allocat|array (buffer )?length|memory/i.test(error.message))
      fail(`takes more memory than a browser gives (${bytes.length} bytes in the file); the program reads such files`);
    throw error;
  }
}
