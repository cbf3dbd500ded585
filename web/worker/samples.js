/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the page draws of pixels and points: a picture of at most so many values, and a histogram. */

const MOST_POINTS = 20000;

/* What gives the value of pixel i of an image of prepare(). Bits are packed by rows, the first the lowest. */
function reader({ pixels, shape, dtype }) {
  const data = pixels.data();
  if (dtype !== "bit") return (i) => Number(data[i]);
  const nx = shape[shape.length - 1], bytes = Math.ceil(nx / 8);
  return (i) => {
    const x = i % nx;
    return (data[((i - x) / nx) * bytes + (x >> 3)] >> (x & 7)) & 1;
  };
}

/* Points, thinned evenly where they are many. */
function cloud(points) {
  const data = points.data(), [n, ndim] = points.shape;
  const every = Math.max(1, Math.ceil(n / MOST_POINTS)), height = Math.ceil(n / every);
  const values = new Float32Array(height * ndim);
  for (let i = 0; i < height; i++)
    for (let a = 0; a < ndim; a++) values[i * ndim + a] = Number(data[i * every * ndim + a]);
  return { kind: "points", width: ndim, height, values, shape: [n, ndim] };
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
export function picture(image, { width = 512, height = 512, slice, axis }) {
  if (image.kind === "points") return cloud(image.points);
  const plane = planeOf(image.shape, axis, slice), valueAt = reader(image);
  const scale = Math.max(1, plane.columns / width, plane.rows / height);
  const nx = Math.max(1, Math.min(plane.columns, Math.round(plane.columns / scale)));
  const ny = Math.max(1, Math.min(plane.rows, Math.round(plane.rows / scale)));
  const values = new Float32Array(nx * ny), columns = new Float64Array(nx);
  const nearest = (i, n, all) => Math.min(all - 1, Math.floor(((i + 0.5) * all) / n));
  for (let x = 0; x < nx; x++) columns[x] = plane.column * nearest(x, nx, plane.columns);
  for (let y = 0; y < ny; y++) {
    const first = plane.first + plane.row * nearest(y, ny, plane.rows);
    for (let x = 0; x < nx; x++) values[y * nx + x] = valueAt(first + columns[x]);
  }
  return { kind: "image", width: nx, height: ny, values, shape: Array.from(image.shape) };
}

/** How finite values are spread: bin i holds those from min + i width on. Whole numbers have bins of whole widths, so
 *  that there may be fewer than nBins. @return {min, max, width, counts: Float64Array, isWhole} */
export function histogram(image, nBins, mask) {
  const valueAt = reader(image), isInside = mask ? reader(mask) : null;
  const { min, max } = Number.isNaN(image.range.min) ? { min: 0, max: 0 } : image.range, isWhole = !/^f/.test(image.facts.dtype || image.dtype);
  const width = isWhole ? Math.max(1, Math.ceil((max - min + 1) / nBins)) : (max - min) / nBins || 1;
  const n = isWhole ? Math.ceil((max - min + 1) / width) : nBins, counts = new Float64Array(n);
  for (let i = 0; i < image.nPixels; i++) {
    if (isInside && !isInside(i)) continue;
    const v = valueAt(i);
    if (v >= min && v <= max) counts[Math.min(n - 1, Math.floor((v - min) / width))]++;
  }
  return { min, max, width, counts, isWhole };
}
