/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What is known of an input before it is measured: its pixels in the module's memory, the range of their
 * values, the SHA-256 of its file. What is costly is kept with the image, so that a threshold or a range
 * of sizes that is dragged does not read all pixels again. */

import { exact } from "./number.js";

const MOST_KEPT = 8;
const MOST_DISTINCT = 2 ** 20;
const SMALL_LABEL = 5;

async function sha256(bytes) {
  const subtle = globalThis.crypto && globalThis.crypto.subtle;
  if (!bytes || !subtle) return null;
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What was made of an image by a key. What C owns is freed with the oldest, and with the image. */
export class Kept {
  #items = new Map();

  get(key, make) {
    let item = this.#items.get(key);
    if (item === undefined) item = make();
    this.#items.delete(key);
    this.#items.set(key, item);
    if (this.#items.size > MOST_KEPT) this.#drop(this.#items.keys().next().value);
    return item;
  }

  #drop(key) {
    const item = this.#items.get(key);
    this.#items.delete(key);
    if (item && typeof item.free === "function") item.free();
  }

  free() {
    for (const key of [...this.#items.keys()]) this.#drop(key);
  }
}

function freeAll(...owners) {
  for (const owner of owners) owner.free();
}

let nextId = 1;

/** Prepares what web/files has read.
 *  @param bytes  of the file, for its SHA-256; without them it is null
 *  @return an image or points, both with id, kind, name, facts, sha256, nBytes, warnings, kept, free():
 *    {meaning, lossy, place, shape, dtype, spacing, spacing_unit, pixels, range, nPixels, nNan}
 *    {points, nPoints, nAxes, hasElements}
 *  dtype is that of the pixels in memory, facts.dtype that of the values in the file: integers beside
 *  pixels that hold no data are floats in memory. nNan: pixels that are NaN in the file. */
export async function prepare(rugose, input, bytes = input.bytes) {
  const kept = new Kept(), { kind, name, facts } = input, common = { id: nextId++, kind, name, facts, kept };
  common.sha256 = input.sha256 !== undefined ? input.sha256 : await sha256(bytes);
  Object.assign(common, { nBytes: input.n_bytes || 0, warnings: input.warnings || [] });
  Object.assign(common, { meaning: input.meaning || null, lossy: input.lossy || null, place: input.place || null });
  if (input.kind === "points") {
    const points = rugose.points(input.data, [input.n_points, input.n_axes]);
    const { n_points: nPoints, n_axes: nAxes, has_elements: hasElements } = input;
    return { ...common, points, nPoints, nAxes, hasElements, free: () => freeAll(kept, points) };
  }
  const { shape, dtype } = input, spacing = shape.map((n, a) => (input.spacing && input.spacing[a]) || 0);
  const unit = input.spacing_unit || null;
  const pixels = rugose.image(input.data, shape, { dtype, spacing, spacing_unit: unit });
  const range = measure(rugose, pixels), nPixels = shape.reduce((a, b) => a * b, 1), free = () => freeAll(kept, pixels);
  Object.assign(common, { shape, dtype, spacing, spacing_unit: unit, pixels, range, nPixels, free });
  return { ...common, nNan: input.n_nan ?? Number(range.n_nan) };
}

/* The range of pixels, which are given back where it fails. */
function measure(rugose, pixels) {
  try {
    return rugose.image_measure_range(pixels);
  } catch (error) {
    pixels.free();
    throw error;
  }
}

/* ---- Masks and labels ---- */

/** Whether two were read from one file: one may be read as labels. */
export function areOneFile(a, b) {
  return a.id === b.id || (a.name === b.name && a.sha256 !== null && a.sha256 === b.sha256);
}

/** Pixels one by one, also of packed bits. */
export function valuesOf(image) {
  const data = image.pixels.data();
  if (image.dtype !== "bit") return data;
  const nx = image.shape[image.shape.length - 1], bytes = Math.ceil(nx / 8), values = new Uint8Array(image.nPixels);
  for (let i = 0; i < values.length; i++) {
    const x = i % nx, row = (i - x) / nx;
    values[i] = (data[row * bytes + (x >> 3)] >> (x & 7)) & 1;
  }
  return values;
}

/** A label image in which pixels without data are 0, which is no label. */
export function zeroNodata(rugose, labels) {
  if (!labels.facts.nodata_pixels || labels.nNan > 0) return labels;
  return labels.kept.get("zeros", () => {
    const values = valuesOf(labels).map((v) => (Number.isNaN(v) ? 0 : v)), kept = new Kept();
    const pixels = rugose.image(values, labels.shape, { dtype: labels.dtype });
    return { ...labels, pixels, kept, id: `${labels.id} zeros`, stored: labels, free: () => freeAll(kept, pixels) };
  });
}

/** What is inside of a mask: {kind: "nonzero"|"values"|"above"|"below", values: [Number or BigInt]}. */
export const NONZERO = { kind: "nonzero", values: [] };

const INSIDE = {
  nonzero: () => (v) => v != 0,
  values: (values) => (v) => values.some((value) => value == v),
  above: ([bound]) => (v) => v >= bound,
  below: ([bound]) => (v) => v < bound,
};

/* Counts runs of equal values along rows. */
function countRuns(values, nx, inside) {
  const t = { pixels: values.length, nan: 0, inside: 0, set: 0, runs: 0, touching: 0, isMore: false };
  const found = new Map();
  for (let row = 0; row < values.length; row += nx) {
    let isBehindRun = false;
    for (let i = row, end; i < row + nx; i = end) {
      const value = values[i];
      for (end = i + 1; end < row + nx && values[end] === value;) end++;
      const n = end - i, isNan = value !== value, isSet = !isNan && value != 0;
      if (isNan) t.nan += n;
      if (!isNan && inside(value)) t.inside += n;
      if (isSet) {
        t.set += n;
        t.runs++;
        if (isBehindRun) t.touching++;
      }
      isBehindRun = isSet;
      if (isNan) continue;
      const before = found.get(value);
      if (before === undefined && found.size === MOST_DISTINCT) t.isMore = true;
      else found.set(value, (before || 0) + n);
    }
  }
  return { t, found };
}

/** The values of a mask or a label image: {pixels, nan, inside, set, runs, touching, isMore, hasFractions,
 *  distinct, small, least: [first five values]}. */
export function countTwin(image, inside = NONZERO) {
  return image.kept.get("twin " + keyOf(image, inside), () => {
    const nx = image.shape[image.shape.length - 1];
    const { t, found } = countRuns(valuesOf(image), nx, INSIDE[inside.kind](inside.values));
    Object.assign(t, { distinct: found.size, small: 0, hasFractions: false });
    for (const [value, n] of found) {
      if (n < SMALL_LABEL && value != 0) t.small++;
      if (typeof value === "number" && Number.isFinite(value) && !Number.isInteger(value)) t.hasFractions = true;
    }
    t.least = [...found.keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).slice(0, 5);
    return t;
  });
}

function insideFlags(mask, inside) {
  const values = valuesOf(mask), is = INSIDE[inside.kind](inside.values), flags = new Uint8Array(values.length);
  for (let i = 0; i < flags.length; i++) flags[i] = values[i] === values[i] && is(values[i]) ? 1 : 0;
  return flags;
}

const keyOf = (mask, inside) => mask.id + " " + inside.kind + " " + inside.values.map(String).join();

/** The mask as the library takes it: what is 0 or NaN is outside. It is kept with the mask. */
export function maskPixels(rugose, mask, inside) {
  if (inside.kind === "nonzero") return mask.pixels;
  return mask.kept.get("flags " + keyOf(mask, inside), () =>
    rugose.image(insideFlags(mask, inside), mask.shape, { dtype: "u8" }));
}

/* The pixels inside of a mask, one after the other. @return null: there are none, or the shapes differ */
function pixelsInside(rugose, image, mask, inside) {
  const flags = insideFlags(mask, inside), values = valuesOf(image), n = flags.reduce((a, b) => a + b, 0);
  if (n === 0 || flags.length !== values.length) return null;
  const taken = new values.constructor(n);
  for (let i = 0, at = 0; i < flags.length; i++) if (flags[i]) taken[at++] = values[i];
  return rugose.image(taken, [1, n], { dtype: image.dtype === "bit" ? "u8" : image.dtype });
}

const NOTHING = {
  min: NaN, max: NaN, n_nan: 0, n_infinite: 0, n_distinct: 0, distinct_is_min: 0, min_rest: 0, max_rest: 0,
};

/* Gives `use` the pixels that count. */
function withPixels(rugose, image, mask, inside, use) {
  if (!mask) return use(image.pixels);
  const pixels = pixelsInside(rugose, image, mask, inside);
  if (!pixels) return use(null);
  try {
    return use(pixels);
  } finally {
    pixels.free();
  }
}

/** The range of the values of an image, inside of a mask where there is one. */
export function rangeOf(rugose, image, mask, inside) {
  if (!mask) return image.range;
  return image.kept.get("range " + keyOf(mask, inside), () =>
    withPixels(rugose, image, mask, inside, (pixels) => (pixels ? rugose.image_measure_range(pixels) : NOTHING)));
}

/* A whole number that no double holds, as the library takes it. */
function split(value) {
  const nearest = Number(value);
  return { value: nearest, rest: typeof value === "bigint" ? value - BigInt(nearest) : 0 };
}

const isOpen = (rule) => ["auto", "otsu", "otsu-dark"].includes(rule.kind);

/** A rule of foreground that does not depend on the image: {kind, value, rest}. */
export function resolveForeground(rugose, image, mask, inside, asked) {
  if (!isOpen(asked)) return { kind: asked.kind, ...split(asked.value) };
  return image.kept.get("rule " + asked.kind + (mask ? keyOf(mask, inside) : ""), () =>
    withPixels(rugose, image, mask, inside, (pixels) => (pixels ? rugose.foreground_resolve(pixels, null, asked.kind)
      : { kind: asked.kind === "otsu-dark" ? "label" : "nonzero", value: 0, rest: 0 })));
}

/** The least and the largest value of a range, exactly. */
export const endsOf = (range) => [exact(range.min, range.min_rest), exact(range.max, range.max_rest)];
