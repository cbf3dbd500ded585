/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Where an image and a mask or label image lie in space, if both files say so (cli/shared/geometry.c): on the
 * same grid, as they are or turned, or elsewhere, which is refused. */

import { formatReal, formatShort } from "./number.js";
import { UsageError } from "./options.js";
import { Kept, valuesOf } from "./prepare.js";

const EQUAL_PIXELS = 1e-3;
const ORDERS = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]];
const MILLIMETRES = new Map([["m", 1000], ["mm", 1], ["um", 0.001]]);
const AXES = [0, 1, 2];

/* ---- Grids: an image has a first axis of one pixel, as a volume has it ---- */

function gridOf({ shape, place }, scale = 1) {
  const added = 3 - shape.length, column = (i) => place.affine.map((row) => row[i] * scale);
  const step = AXES.map((a) => (a < added ? [0, 0, 0] : column(a - added)));
  return { added, step, shape: AXES.map((a) => (a < added ? 1 : shape[a - added])), origin: column(3) };
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const lengthOf = (v) => Math.sqrt(dot(v, v));
const cross = (a, b) => AXES.map((i) => a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);

/* The rows that turn a difference in space into one in pixels. An axis that was added goes straight up from
 * the image, with the smaller of both spacings. */
function invert(g) {
  const step = g.step.map((v) => [...v]);
  if (g.added) {
    const up = cross(step[1], step[2]), length = Math.sqrt(dot(up, up));
    const least = Math.sqrt(Math.min(dot(step[1], step[1]), dot(step[2], step[2])));
    step[0] = up.map((v) => v * (least / length));
  }
  return AXES.map((a) => {
    const row = cross(step[(a + 1) % 3], step[(a + 2) % 3]), volume = dot(row, step[a]);
    return row.map((v) => v / volume);
  });
}

/* ---- Fitting ---- */

/* The twin with its axes as they are to be taken. @return null: its shape is not the image's */
function takeAxes(twin, image, { axis, isReversed }) {
  const origin = [...twin.origin], step = [];
  for (const a of AXES) {
    const k = axis[a], last = twin.shape[k] - 1, own = twin.step[k];
    if (twin.shape[k] !== image.shape[a] || (isReversed[a] && twin.shape[k] === 1)) return null;
    step.push(own.map((v) => (isReversed[a] ? -v : v)));
    if (isReversed[a]) own.forEach((v, i) => (origin[i] += v * last));
  }
  return { step, origin };
}

const larger = (most, value) => (value <= most ? most : value); // NaN is kept, too

/* How far the corners of two grids of one shape are from each other, in pixels and in space. */
function compareCorners(rows, image, twin) {
  let pixels = 0, distance = 0;
  for (let corner = 0; corner < 8; corner++) {
    const difference = AXES.map((i) => twin.origin[i] - image.origin[i] + AXES.filter((a) => (corner >> a) & 1)
      .reduce((sum, a) => sum + (image.shape[a] - 1) * (twin.step[a][i] - image.step[a][i]), 0));
    distance = larger(distance, lengthOf(difference));
    for (const row of rows) pixels = larger(pixels, Math.abs(dot(row, difference)));
  }
  return { pixels, distance };
}

/* The way to take the twin's axes by which it comes closest to the image; of equals the one that changes least. */
function findFitting(image, twin) {
  const rows = invert(image);
  let best = null;
  for (const axis of ORDERS)
    for (let flips = 0; flips < 8; flips++) {
      const way = { axis, isReversed: AXES.map((a) => Boolean((flips >> (2 - a)) & 1)) };
      const turned = takeAxes(twin, image, way);
      if (!turned) continue;
      const found = { ...way, ...compareCorners(rows, image, turned) };
      if (found.pixels < EQUAL_PIXELS) return found;
      if (!best || found.pixels < best.pixels) best = found;
    }
  return best;
}

/* ---- Texts ---- */

/* Halves go away from 0, as in C. */
const rounded = (v) => (Math.sign(v) * Math.round(Math.abs(v) * 1e6)) / 1e6;
const tripleText = (v) => `(${v.map((x) => formatReal(rounded(x))).join(" ")})`;

function directionText(step) {
  const length = lengthOf(step), unit = step.map((v) => v / length);
  const i = unit.findIndex((v) => Math.abs(v) > 1 - 1e-9);
  return i >= 0 ? (unit[i] < 0 ? "-" : "+") + "xyz"[i] : tripleText(unit);
}

function gridText(image) {
  const g = gridOf(image), axes = AXES.slice(g.added), { unit, by } = image.place;
  return ` ${axes.map((a) => g.shape[a]).join("x")}, origin ${tripleText(g.origin)}, spacing ` +
    axes.map((a) => formatShort(lengthOf(g.step[a]))).join("x") + (unit ? ` ${unit}` : "") +
    `, directions ${axes.map((a) => directionText(g.step[a])).join(" ")} (${by})`;
}

function refuse(image, twin, what, found, areMillimetres) {
  let how = " than the image, and has another shape";
  if (found) {
    const pixels = formatShort(found.pixels), unit = areMillimetres ? " mm" : "";
    how = `, up to ${formatShort(found.distance)}${unit} (${pixels} pixel${pixels === "1" ? "" : "s"}) from the image`;
  }
  throw new UsageError(`the ${what} ${twin.name} lies elsewhere${how}; the image:${gridText(image)}; ` +
    `the ${what}:${gridText(twin)}; --ignore-geometry compares shapes alone`);
}

/* "turned: y and x exchanged, z flipped" */
function turnText({ axis, isReversed }) {
  const names = ["z", "y", "x"], moved = names.filter((name, a) => axis[a] !== a);
  const flipped = names.filter((name, a) => isReversed[a]);
  const order = moved.length === 2 ? `${moved[0]} and ${moved[1]} exchanged`
    : `axes ${axis.map((a) => names[a]).join(" ")} taken as z y x`;
  const last = flipped.length > 1 ? `${flipped.slice(0, -1).join(", ")} and ${flipped.at(-1)}` : flipped[0];
  return "turned: " + [...(moved.length ? [order] : []), ...(flipped.length ? [`${last} flipped`] : [])].join(", ");
}

/* ---- Turning ---- */

/* Pixels in the order of the image's. */
function turnValues(values, from, to, { axis, isReversed }) {
  const strides = [from[1] * from[2], from[2], 1], turned = new values.constructor(values.length);
  const step = axis.map((k, a) => (isReversed[a] ? -strides[k] : strides[k]));
  const first = AXES.reduce((sum, a) => sum + (isReversed[a] ? (to[a] - 1) * strides[axis[a]] : 0), 0);
  let at = 0;
  for (let z = 0; z < to[0]; z++)
    for (let y = 0; y < to[1]; y++)
      for (let x = 0, i = first + z * step[0] + y * step[1]; x < to[2]; x++, i += step[2]) turned[at++] = values[i];
  return turned;
}

function turn(rugose, image, twin, there, here, found, id) {
  const data = turnValues(valuesOf(twin), there.shape, here.shape, found);
  const dtype = twin.dtype === "bit" ? "u8" : twin.dtype, turned = isMoved(found) ? turnText(found) : "";
  const pixels = rugose.image(data, image.shape, { dtype }), kept = new Kept();
  const free = () => [kept, pixels].forEach((owner) => owner.free());
  return { ...twin, id, dtype, shape: image.shape, pixels, kept, free, stored: twin, turned };
}

const isMoved = ({ axis, isReversed }) => axis.some((k, a) => k !== a) || isReversed.includes(true);

/** A mask or label image as it lies on the grid of the image: itself, or turned, which is kept with it and has
 *  `stored`, itself, and `turned`, such as "turned: x flipped".
 *  @param what  it is, for the error text
 *  @return of prepare(); throws UsageError */
export function layTwin(rugose, image, twin, what) {
  if (!image.place || !twin.place) return twin;
  const scales = [image, twin].map(({ place }) => MILLIMETRES.get(place.unit) || 0);
  const areMillimetres = scales[0] > 0 && scales[1] > 0;
  const [here, there] = [image, twin].map((one, i) => gridOf(one, areMillimetres ? scales[i] : 1));
  const found = findFitting(here, there);
  if (!found || !(found.pixels < EQUAL_PIXELS)) refuse(image, twin, what, found, areMillimetres);
  if (!isMoved(found) && twin.shape.length === image.shape.length) return twin;
  const id = `${twin.id} turned ${image.shape} ${found.axis} ${found.isReversed}`;
  return twin.kept.get(id, () => turn(rugose, image, twin, there, here, found, id));
}
