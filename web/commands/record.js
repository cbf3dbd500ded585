/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The members that rows of all commands have: what was read of an image or of points (cli/shared/tables.c). */

import { nanOfFile } from "./doubts.js";
import { endsOf } from "./prepare.js";
import { real, shapeText, whole } from "./tables.js";

const exactly = (value) => (typeof value === "bigint" ? value : real(value));

/* What was read, with what only the pixels tell behind the dtype. */
function readOf({ image, range }) {
  const { format, dtype, ...others } = image.facts, [min, max] = endsOf(range).map(exactly);
  const found = { min, max, nan: nanOfFile(image, range.n_nan), infinite: whole(range.n_infinite) };
  Object.assign(found, { distinct: range.n_distinct, distinct_is_min: Boolean(range.distinct_is_min) });
  return { format, dtype, ...found, ...others, ...found };
}

/** A file that took part. */
export const fileOf = ({ name, sha256 }) => ({ image: name, sha256 });

/** Members that every row of an image begins with. */
export function imageRow(run) {
  const { image, mask } = run;
  const row = { image: image.name, shape: shapeText(image.shape), sha256: image.sha256, read: readOf(run) };
  if (mask) row.mask = fileOf(mask);
  return row;
}

/** Likewise of points. */
export function pointsRow({ image }) {
  return { image: image.name, sha256: image.sha256, read: image.facts };
}

/** Where a label lies: its bounding box's first pixel and its area. */
export function regionOf(region, ndim) {
  return { first: shapeText(Array.from(region.first).slice(3 - ndim)), area: whole(region.area) };
}
