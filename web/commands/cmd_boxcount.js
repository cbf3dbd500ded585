/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* boxcount: images, labels, points, and grey values with --gray (cli/boxcount). Counts are kept with the
 * image, so that another range of the fit counts nothing again. */

import { findLengths, hasLengths, readLengths } from "./box_lengths.js";
import {
  RESAMPLE, fitOptions, foregroundText, isReal, isShortFit, readPointsLine, sayRead, takeLabels, warnOfFit,
  warnOfLabels, warnOfLeftOut, warnOfLine, warnOfShare, warnOfSpacing, warnOfThinAxis, warnOfValues,
} from "./doubts.js";
import { formatShort } from "./number.js";
import { UsageError, checkExclusive, checkMode, formatForeground } from "./options.js";
import { countTwin, resolveForeground } from "./prepare.js";
import { fileOf, regionOf } from "./record.js";
import { real, shapeText, whole } from "./tables.js";

const SET = 1;
const GRAY = 2;
const TOO_MANY = 2n ** 64n - 1n;

const OPTIONS = [
  { name: "foreground", kind: "foreground", value: "RULE", also: "threshold|thresh|cutoff", modes: SET },
  { name: "sizes", kind: "sizes", value: "LIST|A..B[:STEP]", unset: "default", modes: SET, fractions: true },
  { name: "box-unit", kind: "text", value: "UNIT", unset: "pixel", modes: SET },
  { name: "grid", kind: "choice", choices: "origin|min|mean", modes: SET },
  { name: "fit", kind: "range", value: "A..B|auto", unset: "default", fractions: true },
  { name: "of", kind: "choice", choices: "nonempty|black|gray|white", modes: SET },
  { name: "method", kind: "choice", choices: "auto|pyramid|window|hou|atomic|local", modes: SET },
  { name: "mask", kind: "text", value: "FILE" },
  { name: "labels", kind: "text", value: "FILE", modes: SET },
  { name: "points", kind: "flag", modes: SET },
  { name: "columns", kind: "text", value: "LIST", modes: SET },
  { name: "skip-rows", kind: "count", value: "N", unit: "of rows", modes: SET },
  { name: "resolution", kind: "count", value: "N", min: 1, unit: "of cells or voxels", unset: "default" },
  { name: "spacing", kind: "real", value: "S", isAbove0: true, unset: "default", modes: SET },
  { name: "gray", kind: "flag", modes: GRAY },
  { name: "levels", kind: "real", value: "G", isAbove0: true, unit: "of grey levels", unset: "default", modes: GRAY },
  { name: "anchor", kind: "choice", choices: "zero|min", modes: GRAY },
];

/* ---- Columns and checks ---- */

const GRAY_COLUMNS = [
  "image", "shape", "levels", "dimension", "std_error", "r_squared", "size_min", "size_max", "n_sizes", "method",
  "engine", "status",
];

function columns({ values }, others) {
  if (values.gray) return GRAY_COLUMNS;
  return [
    "image", ...(others.labels ? ["label"] : []), "shape", "foreground", "foreground_share", "dimension", "std_error",
    "r_squared", "size_min", "size_max", "n_sizes", ...(hasLengths(values) ? ["size_unit"] : []), "grid", "method",
    "engine", "status",
  ];
}

/* Sizes, grid and method that do not go together, as the library says it. */
function checkMethod(rugose, { method, grid, sizes, ...values }) {
  const own = sizes.sizes.length ? { sizes: sizes.sizes } : {};
  rugose.boxcount_check_options({ method, grid, ...(hasLengths(values) ? { pixel_size: [1, 1] } : own) });
}

function check(options, others, rugose) {
  const { values } = options, mode = values.gray ? GRAY : SET;
  readLengths(values);
  checkMode(options, mode, values.gray ? "cannot be used with --gray" : "can only be used with --gray");
  if (values.gray && others.labels) throw new UsageError("column 'labels': labels cannot be used with --gray");
  checkExclusive(options, "resolution", "spacing");
  if (rugose) checkMethod(rugose, values);
  return { mode, more: values.resolution > 0 ? { resolution: values.resolution } : {} };
}

/* ---- Counting ---- */

const keyOf = (value) => JSON.stringify(value, (name, v) => (typeof v === "bigint" ? v.toString() + "n" : v));

/* The options of a count. */
function countOptions(run, rule, lengths) {
  const { values, maskPixels: mask } = run, sizes = lengths ? lengths.sizes : values.sizes.sizes;
  const opts = { foreground: rule, method: values.method, grid: values.grid };
  if (sizes.length) opts.sizes = sizes;
  if (lengths) opts.pixel_size = lengths.pixelSize;
  return mask ? { ...opts, mask } : opts;
}

/* Counts once for each set of options. */
function keep(run, what, opts, count) {
  const { mask, ...others } = opts;
  const inside = mask ? [run.mask.id, run.inside.kind, run.inside.values] : 0;
  return run.image.kept.get(what + keyOf([others, inside]), count);
}

function fitOf(run, counts, lengths) {
  const range = fitOptions(run.values.fit);
  if (lengths) Object.assign(range, { size_min: lengths.fitMin, size_max: lengths.fitMax });
  return run.rugose.boxcount_fit(counts, run.values.of, range);
}

/* ---- Rows ---- */

const isTooMany = (n) => BigInt(n) === TOO_MANY;
const boxes = (n) => (isTooMany(n) ? null : whole(n));

function shareOf({ n_pixels: n, n_set: set }) {
  return isTooMany(n) || Number(n) === 0 ? NaN : Number(set) / Number(n);
}

function meansOf(p) {
  return {
    total: real(p.mean_total), nonempty: real(p.mean_nonempty), black: real(p.mean_black),
    gray: real(p.mean_nonempty - p.mean_black), white: real(p.mean_total - p.mean_nonempty),
  };
}

function countsOf(c) {
  const [nonempty, black, gray] = [c.nonempty, c.black, c.gray].map(whole);
  return { total: boxes(c.total), nonempty, black, gray, white: boxes(c.white) };
}

function positionsOf(p, ndim) {
  const shift = shapeText(Array.from(p.shift).slice(0, ndim));
  return { shift, least: whole(p.least), mean: real(p.mean_nonempty), most: whole(p.most) };
}

function sizeRow(found, i) {
  const { counts, lengths, fit } = found, { facts, positions } = counts, c = counts.at[i];
  const size = lengths ? { size: real(lengths.lengthOf(c.size)), size_unit: lengths.unit } : { size: whole(c.size) };
  const own = facts.grid === "mean" ? meansOf(positions[i]) : countsOf(c);
  return { ...size, ...own, ...(positions ? positionsOf(positions[i], facts.ndim) : {}), ...fittedOf(fit, i) };
}

/* What the fit made of size i. */
const fittedOf = (fit, i) => ({ local_slope: real(fit.local_slope[i]), used: Boolean(fit.used[i]) });

function fitMembers(fit, lengths) {
  const size = lengths ? (n) => real(lengths.lengthOf(n)) : whole;
  const members = {
    dimension: real(fit.slope), std_error: real(fit.std_error), r_squared: real(fit.r_squared),
    size_min: size(fit.size_min), size_max: size(fit.size_max), n_sizes: fit.n_sizes,
  };
  return lengths ? { ...members, size_unit: lengths.unit } : members;
}

/* ln(count) of the line at a size of 1. */
const interceptOf = ({ fit, lengths }) => fit.intercept - fit.slope * (lengths ? Math.log(lengths.parts) : 0);

function addRow(run, row, found) {
  const { counts, fit, lengths, region } = found, { facts } = counts;
  row.shape = shapeText(Array.from(facts.shape).slice(0, facts.ndim));
  if (region) row.label = whole(region.label);
  row.foreground = found.isPoints ? "points" : formatForeground(facts.foreground);
  row.foreground_share = real(shareOf(facts));
  Object.assign(row, fitMembers(fit, lengths), { grid: facts.grid, method: facts.method });
  Object.assign(row, { engine: facts.engine, status: fit.status });
  run.engine = facts.engine;
  if (region) row.region = regionOf(region, facts.ndim);
  row.foreground_pixels = whole(facts.n_set);
  row.pixels = boxes(facts.n_pixels);
  row.intercept = real(interceptOf(found));
  if (counts.at.length) row.counts = counts.at.map((c, i) => sizeRow(found, i));
  run.add(row);
}

/* ---- Doubts ---- */

/* The sizes of a fit, where they are lengths. */
function rangeText({ fit, lengths }) {
  if (!lengths) return undefined;
  const [min, max] = [fit.size_min, fit.size_max].map((size) => formatShort(lengths.lengthOf(size)));
  return `${min}..${max} ${lengths.unit || "unit of the file"}`;
}

function warnOfBoxes(run, found) {
  const { fit } = found, asked = run.values.fit, isDefault = asked.isAuto || (asked.min === 0 && asked.max === 0);
  warnOfLine(run, fit);
  if (isDefault && fit.n_sizes === 0 && fit.status === "too few sizes") {
    run.warn("no size says anything: at each one box holds everything, or nearly every point or pixel has a box of " +
      "its own");
    return;
  }
  const areFew = fit.status === "no scaling range" && fit.n_sizes < 3;
  if (areFew)
    run.warn("fewer than three sizes are left after leaving out those at which every box holds foreground or one box " +
      "holds everything");
  warnOfFit(run, areFew ? { ...fit, status: "ok" } : fit, rangeText(found));
}

function warnOfImage(run) {
  warnOfValues(run, run.values.foreground);
  if (!hasLengths(run.values)) warnOfSpacing(run, "--box-unit file takes cubes in space");
}

function sayImage(run, found) {
  const { facts } = found.counts, share = shareOf(facts), asked = run.values.foreground;
  sayRead(run, foregroundText(run, asked, facts.foreground, share, facts.n_pixels));
  warnOfShare(run, asked, share, facts.n_pixels);
  warnOfImage(run);
  warnOfBoxes(run, found);
  warnOfThinAxis(run, run.values.fit, found.lengths ? found.lengths.pixelSize : null, found.fit.size_max);
}

function sayLabels(run, rule, nLabels, nShort) {
  sayRead(run, `foreground ${formatForeground(rule)}, ${nLabels} label${nLabels === 1 ? "" : "s"}`);
  warnOfImage(run);
  warnOfLabels(run, run.labels, countTwin(run.labels), nLabels);
  if (nShort > 0) run.warn(`the fits of ${nShort} of ${nLabels} labels cover fewer than 5 sizes or less than a decade`);
}

/* ---- Images ---- */

function measureLabels(run, opts, lengths) {
  const { rugose, image, labels } = run, pixels = takeLabels(run);
  let n = 0, nShort = 0;
  rugose.boxcount_labels(image.pixels, pixels, opts, (region, counts) => {
    const fit = fitOf(run, counts, lengths), row = run.row();
    n++;
    if (fit.status !== "empty" && isShortFit(fit.n_sizes, fit.size_min, fit.size_max)) nShort++;
    row.labels = fileOf(labels);
    addRow(run, row, { counts, fit, lengths, region });
  });
  sayLabels(run, opts.foreground, n, nShort);
}

function measure(run) {
  const { rugose, image, values, mask, inside } = run;
  if (values.spacing > 0) throw new UsageError("--spacing can only be used with points");
  if (given(run, "columns") || values["skip-rows"] > 0)
    throw new UsageError("--columns and --skip-rows can only be used with points; add --points for an array of them");
  if (values.gray) return measureGray(run);
  const asked = readLengths(values), lengths = asked && findLengths(image, values["box-unit"], asked);
  const rule = resolveForeground(rugose, image, mask, inside, values.foreground);
  const opts = countOptions(run, rule, lengths);
  if (run.labels) return measureLabels(run, opts, lengths);
  const counts = keep(run, "boxcount", opts, () => rugose.boxcount(image.pixels, opts));
  const found = { counts, lengths, fit: fitOf(run, counts, lengths) };
  sayImage(run, found);
  return addRow(run, run.row(), found);
}

const given = (run, name) => run.given.has(name);

/* ---- Points ---- */

function measurePoints(run) {
  const { rugose, image, values } = run;
  if (values.gray) throw new UsageError("points have no grey values; leave out --gray");
  if (given(run, "foreground") || run.labels)
    throw new UsageError("points have no foreground and no labels; leave out --foreground and --labels");
  if (hasLengths(values))
    throw new UsageError("points have no pixels; leave out --box-unit, and give the side of lattice cells with " +
      "--spacing");
  const opts = { spacing: values.spacing, resolution: values.resolution, method: values.method, grid: values.grid };
  if (values.sizes.sizes.length) opts.sizes = values.sizes.sizes;
  const counts = keep(run, "points", opts, () => rugose.boxcount_points(image.points, opts));
  const { facts } = counts, found = { counts, lengths: null, isPoints: true, fit: fitOf(run, counts, null) };
  const shape = shapeText(Array.from(facts.shape).slice(0, facts.ndim));
  run.read = readPointsLine(image, `${facts.n_set} of ${shape} lattice cells set`);
  warnOfBoxes(run, found);
  addRow(run, run.row(), found);
}

/* ---- Grey values ---- */

/* A surface has a dimension of 2 to 3, one over a volume of 3 to 4. */
function warnOfDimension(run, fit, least) {
  if (fit.slope < least || fit.slope > least + 1)
    run.warn(`the dimension ${formatShort(fit.slope)} lies outside of ${least}..${least + 1}, the bounds of grey ` +
      `values over ${least === 2 ? "an image" : "a volume"}; look at the sizes (--counts, --plot) and fit others ` +
      "(--fit A..B)");
}

function grayOptions(run) {
  const { values, image, maskPixels: mask } = run;
  const opts = { levels: values.levels, anchor: values.anchor, values: isReal(image) ? "bit" : image.facts.dtype };
  return mask ? { ...opts, mask } : opts;
}

function grayRow(c, fit, i) {
  const [size, blocks, all] = [c.size, c.blocks, c.boxes].map(whole), byArea = real(c.boxes_by_area);
  return { size, height: real(c.height), blocks, boxes: all, boxes_by_area: byArea, ...fittedOf(fit, i) };
}

function sayGray(run, facts, fit) {
  sayRead(run, `${formatShort(facts.levels)} grey levels from ${formatShort(facts.base)}`);
  if (Number(facts.n_pixels) === 0) run.warn("the mask is empty");
  warnOfLeftOut(run, facts.n_left_out, "left out");
  warnOfSpacing(run, RESAMPLE);
  warnOfThinAxis(run, run.values.fit, null, fit.size_max);
  warnOfFit(run, fit);
  warnOfDimension(run, fit, facts.ndim);
}

function measureGray(run) {
  const { rugose, image } = run, opts = grayOptions(run);
  const counts = keep(run, "dbc", opts, () => rugose.dbc(image.pixels, opts));
  const { facts } = counts, fit = rugose.dbc_fit(counts, fitOptions(run.values.fit)), row = run.row();
  sayGray(run, facts, fit);
  Object.assign(row, { levels: real(facts.levels) }, fitMembers(fit, null));
  Object.assign(row, { method: "differential", engine: facts.engine, status: fit.status });
  Object.assign(row, { pixels: whole(facts.n_pixels), left_out: whole(facts.n_left_out) });
  Object.assign(row, { base: real(facts.base), intercept: real(fit.intercept) });
  if (counts.at.length) row.counts = counts.at.map((c, i) => grayRow(c, fit, i));
  run.engine = facts.engine;
  run.add(row);
}

/** The command. */
export const boxcount = {
  name: "boxcount", options: OPTIONS, takesMasks: true, columns, check, measure, measurePoints,
};
