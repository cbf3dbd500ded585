/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Where a TIFF page lies on Earth (GeoTIFF 1.1), how far its pixels are apart, and which value stands for no data
 * (GDAL). */

import { FORMAT, PHOTOMETRIC, TAG } from "./tiff_tags.js";
import { normaliseUnit } from "./tiff_text.js";

const CENTIMETRE = 3, MODEL_TYPE = 1024, RASTER_TYPE = 1025, IS_GEOGRAPHIC = 2, IS_POINT = 2, USER_DEFINED = 32767;
const UNIT_KEYS = [0, 3076, 2054, 2052];

/* Codes of EPSG, and whether they are angles. */
const UNITS = {
  9001: ["m", false], 9002: ["foot", false], 9003: ["US_survey_foot", false], 9036: ["km", false],
  9101: ["radian", true], 9102: ["degree", true], 9122: ["degree", true],
};

/* Values of a tag of one type: 3 for 16-bit integers, 12 for doubles. */
function valuesOf(directory, tag, type) {
  return directory.entries.get(tag)?.type === type ? directory.values(tag) : [];
}

/* The keys are a head and fours of key, tag, count, value. */
function findKey(keys, key, tag) {
  for (let i = 4; i + 4 <= keys.length; i += 4)
    if (keys[i] === key && keys[i + 1] === tag)
      return keys[i + 3];
  return 0;
}

/* The unit of the places, by the key of the kind of coordinates; what lengths must be multiplied by. */
function unitOf(directory, keys) {
  const model = findKey(keys, MODEL_TYPE, 0), isAngle = model === IS_GEOGRAPHIC, key = UNIT_KEYS[model] ?? 0;
  const code = key > 0 ? findKey(keys, key, 0) : 0, numbers = valuesOf(directory, TAG.numbers, 12);
  const has = keys.some((value, i) => i >= 4 && i % 4 === 0 && value === key + 1 && keys[i + 1] === TAG.numbers);
  const size = code === USER_DEFINED && has ? numbers[findKey(keys, key + 1, TAG.numbers)] ?? 0 : 0;
  if (Number.isFinite(size) && size > 0) /* in metres, in radians */
    return isAngle ? ["degree", size * 180 / Math.acos(-1)] : ["m", size];
  const unit = UNITS[code];
  return [unit !== undefined && unit[1] === isAngle ? unit[0] : "", 1];
}

/* By one point and the size of a pixel, or by a matrix; the size alone where there is no more. */
function affineOf(directory) {
  const scale = valuesOf(directory, TAG.scale, 12), point = valuesOf(directory, TAG.points, 12);
  const matrix = valuesOf(directory, TAG.matrix, 12), hasScale = scale.length >= 2;
  const hasPoint = hasScale && point.length >= 6, hasMatrix = matrix.length === 16;
  if (hasMatrix && !hasPoint)
    return { isLocated: true, affine: [0, 4, 8].map((i) => matrix.slice(i, i + 4)) };
  if (!hasScale)
    return { isLocated: false, affine: null };
  const x = hasPoint ? point[3] - point[0] * scale[0] : 0, y = hasPoint ? point[4] + point[1] * scale[1] : 0;
  return { isLocated: hasPoint, affine: [[scale[0], 0, 0, x], [0, -scale[1], 0, y], [0, 0, 0, 0]] };
}

function sidesOf(affine) {
  const across = affine.reduce((sum, row) => sum + row[0] * row[1], 0);
  const sides = [0, 1].map((a) => Math.hypot(Math.hypot(affine[0][a], affine[1][a]), affine[2][a]));
  return Math.abs(across) <= 1e-6 * sides[0] * sides[1] ? sides : null;
}

/** Where a level of a page lies.
 *  @returns {{spacing: [y, x] of the full page or null, unit, affine: of columns, rows, 0, 1 or null}} */
export function locate(full, level) {
  const { isLocated, affine } = affineOf(full.directory), keys = valuesOf(full.directory, TAG.keys, 3);
  const sides = affine === null ? null : sidesOf(affine), half = findKey(keys, RASTER_TYPE, 0) === IS_POINT ? 0 : 0.5;
  const [unit, factor] = unitOf(full.directory, keys);
  for (const row of affine ?? []) {
    row[3] += half * (row[0] + row[1]);
    [full.width / level.width, full.height / level.height].forEach((larger, a) => {
      row[3] += row[a] * (larger - 1) / 2;
      row[a] *= larger;
    });
  }
  return {
    spacing: sides === null ? null : [sides[1] * factor, sides[0] * factor], unit: sides === null ? "" : unit,
    affine: isLocated ? affine : null,
  };
}

/* What the description says, else a resolution in centimetres. Those per inch are hints for printers. */
function resolutionOf(text, full) {
  const spacing = [...text.spacing], unit = normaliseUnit(text.unit);
  if (text.writer === "OME-XML")
    return { spacing, unit: text.unit };
  const isMetric = unit === null && full.unit === CENTIMETRE;
  const factor = unit !== null ? unit[1] : isMetric ? 10 : 0;
  spacing[0] *= unit === null ? 0 : unit[1];
  for (let i = 0; i < 2; i++)
    spacing[1 + i] = full.perUnit[i] > 0 ? factor / full.perUnit[i] : 0;
  return { spacing, unit: unit !== null ? unit[0] : isMetric ? "mm" : text.unit };
}

/** The distance of the pixels of a level, [z, y, x]; 0: not known. The size that pixels have on Earth comes before any
 *  resolution, and goes with a distance of slices in the same unit only. */
export function spacingOf(text, full, level, place) {
  const { spacing, unit } = resolutionOf(text, full), own = place.spacing;
  const isPlaced = own !== null && own[0] > 0 && own[1] > 0, [high, wide] = isPlaced ? own : spacing.slice(1);
  return {
    spacing: [
      isPlaced && unit !== place.unit ? 0 : spacing[0],
      high * (full.height / level.height), wide * (full.width / level.width)],
    unit: isPlaced ? place.unit : unit,
  };
}

/** The text of the value that stands for no data, as it is among the pixels that are read. */
export function nodataOf(page, warn) {
  const text = page.directory.text(TAG.nodata).trim(), { bits } = page, value = Number(text);
  const isWhite = page.photometric === PHOTOMETRIC.white, isPalette = page.photometric === PHOTOMETRIC.palette;
  if (text === "" || page.asIndices || page.format !== FORMAT.unsigned || !(isPalette || isWhite || bits < 8))
    return text;
  const most = 2n ** BigInt(bits) - 1n;
  if (isPalette)
    warn(`says that ${text} stands for no data, which is an index of its palette; all pixels are read as their ` +
      "colours");
  else if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) && value >= 0 && value <= Number(most) &&
    Number.isInteger(value)) {
    const stored = value < 2 ** 53 ? BigInt(value) : BigInt(/^\+?(\d+)/.exec(text)?.[1] ?? value);
    const shown = isWhite ? most - stored : stored;
    return String(bits < 8 ? shown * 255n / most : shown);
  }
  return isPalette || bits < 8 ? "" : text;
}
