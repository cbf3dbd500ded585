/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* `rugose lacunarity`: how unevenly mass is spread. */

import {
  RESAMPLE, foregroundText, sayRead, takeLabels, warnOfLabels, warnOfLeftOut, warnOfShare, warnOfSpacing, warnOfValues,
} from "./doubts.js";
import { fixed, formatReal } from "./number.js";
import { checkExclusive, formatForeground } from "./options.js";
import { countTwin, resolveForeground } from "./prepare.js";
import { fileOf, regionOf } from "./record.js";
import { reals, whole } from "./tables.js";

const table = [
  { name: "sizes", kind: "sizes", value: "LIST|A..B[:STEP]", unset: "default" },
  { name: "boxes", kind: "choice", choices: "gliding|fixed" },
  { name: "foreground", kind: "foreground", value: "RULE", also: "threshold|thresh|cutoff" },
  { name: "gray", kind: "flag" },
  { name: "mask", kind: "text", value: "FILE" },
  { name: "labels", kind: "text", value: "FILE" },
];

const columns = ["image", "label", "size", "lacunarity", "mean", "variance", "positions", "mean_lacunarity", "status"];

/* ---- Rows ---- */

/* The mean over the sizes that have one. */
function meanOf(sizes) {
  let n = 0, sum = 0;
  for (const { lacunarity } of sizes)
    if (!Number.isNaN(lacunarity)) {
      sum += lacunarity;
      n++;
    }
  return n > 0 ? sum / n : NaN;
}

function detailsOf(run, region, facts) {
  const row = {};
  if (run.labels) row.labels = fileOf(run.labels);
  if (region) row.region = regionOf(region, run.image.shape.length);
  return Object.assign(row, {
    mass: run.values.gray ? "grey values" : formatForeground(facts.foreground), pixels: facts.n_pixels,
    pixels_with_mass: facts.n_set, left_out: facts.n_left_out, unit_exponent: facts.unit_exponent, engine: facts.engine,
  });
}

function addRows(run, found, region, { facts, at: sizes }) {
  const mean = meanOf(sizes), details = detailsOf(run, region, facts);
  for (const size of sizes)
    run.add(reals({
      ...run.row(), label: region ? whole(region.label) : 0, size: whole(size.size), lacunarity: size.lacunarity,
      mean: size.mean, variance: size.variance, positions: size.positions, mean_lacunarity: mean, status: size.status,
      ...details,
    }));
  found.nLeftOut += Number(facts.n_left_out);
  run.engine = facts.engine;
}

/* ---- What is said ---- */

const shareOf = (facts) => (facts.n_pixels > 0 ? Number(facts.n_set) / Number(facts.n_pixels) : NaN);

/* @param facts  of the whole image; null: of labels */
function formatMass(run, found, facts) {
  const { gray, foreground } = run.values;
  if (!facts) {
    const rule = gray ? "mass = grey values" : "foreground " + formatForeground(found.opts.foreground);
    return `${rule}, ${found.nLabels} label${found.nLabels === 1 ? "" : "s"}`;
  }
  if (!gray) return foregroundText(run, foreground, facts.foreground, shareOf(facts), facts.n_pixels);
  return `mass = grey values, above 0 in ${fixed(shareOf(facts) * 100, 1)} % of ${facts.n_pixels} pixels` +
    (run.mask ? " inside the mask" : "");
}

/* Sizes without a number. */
function warnOfSizes(run, sizes) {
  const without = sizes.filter((size) => size.status === "no boxes");
  if (without.length > 0)
    run.warn(`at ${without.length} of ${sizes.length} sizes, from ${without[0].size} on, no box lies wholly inside`);
}

function warnOfMass(run, facts) {
  if (!run.values.gray) warnOfShare(run, run.values.foreground, shareOf(facts), facts.n_pixels);
  else if (facts.n_pixels == 0) run.warn("the mask is empty");
  else if (facts.n_set == 0) run.warn("no pixel has a mass");
}

/* How a mask of the image itself leaves out the pixels that hold no data. */
function formatOwnMask(run) {
  const { range } = run, nodata = run.image.facts.nodata ?? NaN;
  const isAbove = nodata > range.max, isBelow = nodata < range.min;
  const isTold = !run.given.has("nodata") || Number.isNaN(nodata);
  if (!isAbove && !isBelow && !isTold) return "";
  const value = isAbove || isBelow ? nodata : Math.floor(range.max) + 1;
  return `, which may be the image itself with --mask-${isBelow ? "above" : "below"} ${formatReal(value)}`;
}

/* Holes are what is measured, and pixels without data look like some, unless a mask leaves out the boxes that
 * hold one. */
function warnOfNodata(run, found) {
  const { range } = run, { facts, nNan } = run.image;
  if (!facts.nodata_pixels || found.nLeftOut <= nNan) return;
  const nInfinite = run.values.gray ? Number(range.n_infinite) : 0;
  const n = found.nLeftOut - nNan - nInfinite;
  if (n <= 0 || !Number.isFinite(range.max)) return;
  const hold = n === 1 ? " holds" : "s hold", are = n === 1 ? "is measured as a hole" : "are measured as holes";
  run.warn(`${n} pixel${hold} no data ` + (run.mask ? `inside the mask and ${are}; make it 0 there`
    : `and ${are}; leave out the boxes that hold one with --mask FILE${formatOwnMask(run)}`));
}

/* @param result  of the whole image; null: of labels, of which the table says it */
function tell(run, found, result) {
  const { gray, foreground } = run.values;
  sayRead(run, formatMass(run, found, result && result.facts));
  if (run.labels) warnOfLabels(run, run.labels, countTwin(run.labels), found.nLabels);
  if (gray) warnOfLeftOut(run, found.nLeftOut, "without mass");
  else warnOfValues(run, foreground);
  warnOfNodata(run, found);
  warnOfSpacing(run, RESAMPLE);
  if (!result) return;
  warnOfMass(run, result.facts);
  warnOfSizes(run, result.at);
}

/* ---- Measuring ---- */

function measureLabels(run, found) {
  const labels = takeLabels(run);
  for (const [region, result] of run.rugose.lacunarity_labels(run.image.pixels, labels, found.opts)) {
    found.nLabels++;
    addRows(run, found, region, result);
  }
  tell(run, found, null);
}

function measureWhole(run, found) {
  const result = run.rugose.lacunarity(run.image.pixels, found.opts);
  try {
    addRows(run, found, null, result);
    tell(run, found, result);
  } finally {
    result.free();
  }
}

function measure(run) {
  const { rugose, image, values } = run, opts = { boxes: values.boxes, is_gray: values.gray ? 1 : 0 };
  if (run.maskPixels) opts.mask = run.maskPixels;
  if (values.sizes.sizes.length > 0) opts.sizes = values.sizes.sizes;
  if (!values.gray) opts.foreground = resolveForeground(rugose, image, run.mask, run.inside, values.foreground);
  const found = { opts, nLabels: 0, nLeftOut: 0 };
  if (run.labels) measureLabels(run, found);
  else measureWhole(run, found);
}

/* ---- The command ---- */

/* With --gray there is no rule. */
function check(options) {
  checkExclusive(options, "gray", "foreground");
  return { mode: 1, instead: options.values.gray ? { foreground: null } : {} };
}

/** The command. */
export const lacunarity = {
  name: "lacunarity", options: table, takesMasks: true, check, columns: () => columns, measure,
};
