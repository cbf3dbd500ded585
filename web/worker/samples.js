/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the page draws of pixels and points: a picture of at most so many values, and a histogram. */

const MOST_POINTS = 20000;

/* Pixels that the file names as without data are not drawn and not counted. */
const hasNodata = (input) => input.nodata !== null && input.nodata !== undefined;
const valueAt = (input, i) => {
  const value = input.data[i];
  return hasNodata(input) && value === input.nodata ? NaN : Number(value);
};

/* Points, thinned evenly where they are many. */
function cloud({ data, n_points, n_axes }) {
  const every = Math.max(1, Math.ceil(n_points / MOST_POINTS)), n = Math.ceil(n_points / every);
  const values = new Float32Array(n * n_axes);
  for (let i = 0; i < n; i++)
    for (let a = 0; a < n_axes; a++) values[i * n_axes + a] = Number(data[i * every * n_axes + a]);
  return { kind: "points", width: n_axes, height: n, values, shape: [n_points, n_axes] };
}

/* The plane of a volume: {rows, columns, first, row, column}, steps in pixels. */
function planeOf(shape, axis, slice) {
  if (shape.length === 1) return { rows: 1, columns: shape[0], first: 0, row: shape[0], column: 1 };
  if (shape.length === 2) return { rows: shape[0], columns: shape[1], first: 0, row: shape[1], column: 1 };
  const steps = [shape[1] * shape[2], shape[2], 1], at = axis >= 0 && axis < 3 ? axis : 0;
  const [a, b] = [0, 1, 2].filter((i) => i !== at), last = shape[at] - 1;
  const wanted = slice === null || slice === undefined ? Math.floor(shape[at] / 2) : slice;
  const first = steps[at] * Math.max(0, Math.min(last, wanted));
  return { rows: shape[a], columns: shape[b], first, row: steps[a], column: steps[b] };
}

/** An image of at most width x height values, the nearest of each place; of a volume a slice along an axis, the
 *  middle one by default. NaN: without data. Of points at most 20000, {kind: "points", values: [height][width]}.
 *  @return {kind, width, height, values: Float32Array, shape} */
export function picture(input, { width = 512, height = 512, slice, axis }) {
  if (input.kind === "points") return cloud(input);
  const plane = planeOf(input.shape, axis, slice);
  const scale = Math.max(1, plane.columns / width, plane.rows / height);
  const nx = Math.max(1, Math.min(plane.columns, Math.round(plane.columns / scale)));
  const ny = Math.max(1, Math.min(plane.rows, Math.round(plane.rows / scale)));
  const values = new Float32Array(nx * ny), columns = new Float64Array(nx);
  for (let x = 0; x < nx; x++) columns[x] = plane.column * Math.min(plane.columns - 1, Math.floor(((x + 0.5) * plane.columns) / nx));
  for (let y = 0; y < ny; y++) {
    const first = plane.first + plane.row * Math.min(plane.rows - 1, Math.floor(((y + 0.5) * plane.rows) / ny));
    for (let x = 0; x < nx; x++) values[y * nx + x] = valueAt(input, first + columns[x]);
  }
  return { kind: "image", width: nx, height: ny, values, shape: Array.from(input.shape) };
}

const isWholeType = (data) => !(data instanceof Float32Array || data instanceof Float64Array);

/* The least and the largest finite value. */
function extent(input) {
  let min = Infinity, max = -Infinity;
  for (let i = 0; i < input.data.length; i++) {
    const v = valueAt(input, i);
    if (v < min && v !== -Infinity) min = v;
    if (v > max && v !== Infinity) max = v;
  }
  return min <= max ? { min, max } : { min: 0, max: 0 };
}

/** How values are spread: bin i holds those from min + i width on. Whole numbers have bins of whole widths, so
 *  that there may be fewer than nBins. @return {min, max, width, counts: Float64Array, isWhole} */
export function histogram(entry, nBins, mask) {
  const { input } = entry;
  if (!entry.extent) entry.extent = extent(input);
  const { min, max } = entry.extent, isWhole = isWholeType(input.data);
  const width = isWhole ? Math.max(1, Math.ceil((max - min + 1) / nBins)) : (max - min) / nBins || 1;
  const n = isWhole ? Math.ceil((max - min + 1) / width) : nBins, counts = new Float64Array(n);
  for (let i = 0; i < input.data.length; i++) {
    if (mask && !(valueAt(mask, i) !== 0)) continue;
    const v = valueAt(input, i);
    if (v >= min && v <= max) counts[Math.min(n - 1, Math.floor((v - min) / width))]++;
  }
  return { min, max, width, counts, isWhole };
}
