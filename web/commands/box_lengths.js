/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* --box-unit: sizes of boxes as lengths (cli/boxcount/boxcount_lengths.c). The smallest side of a pixel is
 * divided into parts, the fewest of which all sides and sizes are multiples; the library counts in them. */

import { formatShort, parseReal } from "./number.js";
import { UsageError } from "./options.js";

const PRECISION = 1e-6;
const RATIO_MAX = 1e12;
const MAX_SIZES = 1024;

/* ---- What is asked for ---- */

/** Whether sizes are lengths. */
export const hasLengths = (values) => values["box-unit"] !== null && values["box-unit"] !== "pixel";

function parseLength(text) {
  const length = text.length < 64 ? parseReal(text) : null;
  return length !== null && length > 0 ? length : null;
}

/* "A..B" */
function parseEnds(text) {
  const at = text.indexOf("..");
  const ends = at < 0 ? [null, null] : [parseLength(text.slice(0, at)), parseLength(text.slice(at + 2))];
  return ends[0] !== null && ends[1] !== null && ends[0] <= ends[1] ? ends : null;
}

/* Puts a length in its place; one that could be as many parts as another is the same. @return whether there was room */
function addLength(lengths, length) {
  let at = lengths.length;
  while (at > 0 && lengths[at - 1] > length * (1 + 3 * PRECISION)) at--;
  if (at > 0 && lengths[at - 1] > length * (1 - 3 * PRECISION)) return true;
  if (lengths.length === MAX_SIZES) return false;
  lengths.splice(at, 0, length);
  return true;
}

/* "A..B" or "A..B:STEP". @return undefined: it is neither; null: too many */
function parseSteps(text) {
  const [, range, by = "1"] = /^([^:,]*)(?::([^:,]*))?$/.exec(text) || [];
  const ends = range === undefined ? null : parseEnds(range), step = parseLength(by), lengths = [];
  if (!ends || step === null) return undefined;
  const n = Math.floor(((ends[1] - ends[0]) / step) * (1 + PRECISION)) + 1;
  if (!(n <= MAX_SIZES)) return null;
  for (let i = 0; i < n; i++) addLength(lengths, ends[0] + i * step);
  return lengths;
}

function parseLengths(text) {
  const steps = parseSteps(text), lengths = [];
  if (steps !== undefined) return steps;
  for (const word of text.split(",")) {
    const length = parseLength(word);
    if (length === null || !addLength(lengths, length)) return null;
  }
  return lengths;
}

function refuse(name, given, expected) {
  throw new UsageError(`--${name}: '${given}' given, ${expected}`);
}

/** Reads the sizes that go with --box-unit. @return null: sizes are in pixels; {lengths, fitMin, fitMax} */
export function readLengths({ sizes, fit, "box-unit": unit }) {
  if (!hasLengths({ "box-unit": unit })) {
    for (const [name, value] of [["sizes", sizes], ["fit", fit]])
      if (value.hasFractions)
        refuse(name, value.text, "whole numbers of pixels expected; fractions go with --box-unit");
    return null;
  }
  if (unit === "") refuse("box-unit", "", "a unit such as um, or 'file' expected");
  const lengths = sizes.text === null ? [] : parseLengths(sizes.text);
  if (!lengths)
    refuse("sizes", sizes.text,
      "up to 1024 lengths above 0 such as 0.5,1,2, or A..B or A..B:STEP with A <= B expected");
  const ends = fit.text === null || fit.isAuto ? [0, 0] : parseEnds(fit.text);
  if (!ends) refuse("fit", fit.text, "'auto' or two lengths A..B with 0 < A <= B expected");
  return { lengths, fitMin: ends[0], fitMax: ends[1] };
}

/* ---- Units ---- */

const POWERS = {
  pm: -12, angstrom: -10, "\u00c5": -10, nm: -9, um: -6, micron: -6, microns: -6, mm: -3, "\u00b5m": -6, "\u03bcm": -6,
  cm: -2, dm: -1, m: 0, km: 3,
};
const powerOf = (unit) => (Object.hasOwn(POWERS, unit) ? POWERS[unit] : null);

/* The power of ten by which lengths of the image are turned into the unit. */
function findPower(unit, ofFile) {
  if (unit === "file" || unit === ofFile) return 0;
  if (ofFile === null)
    throw new UsageError(`boxes in ${unit} are asked for, but the file says the spacing of its pixels without a ` +
      "unit; --box-unit file takes it as it is");
  const to = powerOf(unit), from = powerOf(ofFile);
  if (to === null || from === null)
    throw new UsageError(`boxes in '${unit}' are asked for, but the file says the spacing of its pixels in ` +
      `'${ofFile}'; use --box-unit file, or a metric unit where the file has one`);
  return from - to;
}

/* The shortest decimal that reads back to a number of single precision. */
function undoSingle(value) {
  if (Math.fround(value) !== value) return value;
  for (let digits = 6; digits < 9; digits++) {
    const shorter = Number(value.toExponential(digits - 1));
    if (Math.fround(shorter) === value) return shorter;
  }
  return value;
}

const powerOfTen = (n) => Number("1e" + n);

function sidesOf({ shape, spacing, spacing_unit: ofFile }, unit) {
  const lacking = spacing.findIndex((d) => !(d > 0));
  if (lacking >= 0)
    throw new UsageError("boxes in a unit of length are asked for, but the file does not say the spacing of its " +
      `pixels on axis ${"zyx"[3 - shape.length + lacking]}; leave out --box-unit, or write it into the file ` +
      "(as NIfTI, ImageJ's TIFF and OME-TIFF hold it)");
  const power = findPower(unit, ofFile);
  return spacing.map(undoSingle).map((d) => (power < 0 ? d / powerOfTen(-power) : d * powerOfTen(power)));
}

/* ---- Parts ---- */

function checkSizes(lengths, smallest, largest) {
  const hi = lengths.length ? lengths[lengths.length - 1] : largest;
  if (hi > RATIO_MAX * smallest || largest > RATIO_MAX * smallest)
    throw new UsageError(`a length of ${formatShort(Math.max(hi, largest))} is given, beside pixels of side ` +
      `${formatShort(smallest)}; at most 10^12 times as long expected`);
  if (lengths.length && !(lengths[0] > largest * (1 - PRECISION)))
    throw new UsageError(`box size ${formatShort(lengths[0])} given, at least ${formatShort(largest)} expected, the ` +
      "largest side of a pixel in this unit: smaller boxes would lie between pixels and hold none");
}

function isMultiple(ratio, nParts) {
  const n = ratio * nParts;
  return Math.abs(n - Math.round(n)) <= PRECISION * n;
}

/* The least number of parts; at a half of 1 / PRECISION any ratio is a multiple of one. */
function findParts(ratios) {
  let nParts = 1;
  while (!ratios.every((ratio) => isMultiple(ratio, nParts))) nParts++;
  return nParts;
}

const toWhole = (value) => (Number.isSafeInteger(value) ? value : BigInt(value));

/** How the pixels of an image are divided: {unit, parts: in the unit, pixelSize, sizes, fitMin, fitMax,
 *  lengthOf(size): a size of boxes as a length}. @param asked  of readLengths() */
export function findLengths(image, unit, asked) {
  const sides = sidesOf(image, unit), smallest = Math.min(...sides), pixel = Math.max(...sides);
  checkSizes(asked.lengths, smallest, pixel);
  const parts = findParts([...sides, ...asked.lengths].map((length) => length / smallest)) / smallest;
  const inParts = sides.map((side) => Math.round(side * parts)), largest = Math.max(...inParts);
  const sizes = asked.lengths.map((length) => Math.max(Math.round(length * parts), largest));
  const longest = RATIO_MAX * smallest;
  let fitMin = 0, fitMax = 0;
  if (asked.fitMax > 0) {
    fitMin = Math.ceil(Math.min(asked.fitMin, longest) * parts * (1 - PRECISION));
    fitMax = Math.floor(Math.min(asked.fitMax, longest) * parts * (1 + PRECISION)) || 1;
  }
  const lengthOf = (size) => {
    const i = sizes.findIndex((own) => own === Number(size));
    return i >= 0 ? asked.lengths[i] : pixel * Number(BigInt(size) / BigInt(largest));
  };
  return {
    unit: unit === "file" ? image.spacing_unit : unit, parts, lengthOf,
    pixelSize: inParts.map(toWhole), sizes: sizes.map(toWhole), fitMin: toWhole(fitMin), fitMax: toWhole(fitMax),
  };
}
