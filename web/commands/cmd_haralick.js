/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* `rugose haralick`: features of grey-level co-occurrence. Its options, its rows and its maps. */

import { isReal, lacksData, takeLabels } from "./doubts.js";
import { beginTally, countRow, endTally } from "./haralick_tally.js";
import { tell, typeRange } from "./haralick_words.js";
import { parseReal } from "./number.js";
import { UsageError, checkExclusive, guess, parseRealRange, refuseWord } from "./options.js";
import { fileOf } from "./record.js";
import { reals, whole } from "./tables.js";

const MAX_DISTANCES = 64, MAX_DISTANCE = 32767, MAX_SPAN = 65536, N_FEATURES = 26;
const DIRECTIONS_2D = 4, DIRECTIONS_3D = 13, FLOAT_LEVELS = 64, E = 2.718281828459045;
const MAPS = 1, FRAME = 2;

const table = [
  { name: "distances", kind: "text", value: "LIST", unset: "1" },
  { name: "angles", kind: "text", value: "all|LIST", unset: "all" },
  { name: "asymmetric", kind: "flag" },
  { name: "pairs", kind: "choice", choices: "inside|frame" },
  { name: "frame", kind: "int", value: "N", min: 1, max: MAX_DISTANCE, fallback: 0, unset: "distance", modes: FRAME },
  { name: "levels", kind: "text", value: "exact|N", also: "bins|n-bins|bin-count", unset: "default" },
  { name: "range", kind: "text", value: "RANGE", unset: "default" },
  { name: "bin-width", kind: "text", value: "W" },
  { name: "bin-origin", kind: "text", value: "min|zero|V" },
  { name: "resegment", kind: "text", value: "LO..HI", also: "resegmentation|re-segment|resegment-range" },
  { name: "aggregate", kind: "choice", choices: "mean|none|range|merged", also: "weighting-norm" },
  { name: "slices", kind: "choice", choices: "none|mean|merged", also: "force-2d" },
  { name: "log", kind: "choice", choices: "2|e" },
  { name: "features", kind: "text", value: "14|13|all|LIST" },
  { name: "names", kind: "choice", choices: "haralick|ibsi|pyradiomics" },
  { name: "mask", kind: "text", value: "FILE" },
  { name: "labels", kind: "text", value: "FILE" },
  { name: "window", kind: "text", value: "W|HxW", modes: MAPS },
  { name: "map", kind: "text", value: "FILE.tif", modes: MAPS },
];

/* ---- The command line ---- */

/* A whole number from 1 to `most` of digits alone; null where a text is none. */
function parseCount(text, most) {
  const value = /^[0-9]+$/.test(text) ? Number(text) : 0;
  return value > 0 && value <= most ? value : null;
}

function refuse(option, given, expected) {
  throw new UsageError(`--${option}: '${given.slice(0, 64)}' given, ${expected} expected`);
}

function parseDistances(text) {
  const distances = new Set();
  for (const word of text.split(",")) {
    const distance = parseCount(word, MAX_DISTANCE);
    if (distance === null) refuseWord("distances", word, "whole numbers from 1 to 32767, such as 1,2,5,");
    distances.add(distance);
    if (distances.size > MAX_DISTANCES) throw new UsageError("--distances: more than 64 distances");
  }
  return Uint32Array.from(distances).sort();
}

/* Names the word that is no direction; names of volumes hold commas themselves. */
function refuseAngle(text) {
  const words = text.split(",");
  const word = words.slice(0, text.startsWith("z") ? 3 : 1).join(",").slice(0, 63);
  refuse("angles", word, "'all' or some of 0,45,90,135, in volumes also of z+1,y-1,x-1 ... z+1,y+1,x+1,");
}

/* The directions as bits; 0: all. */
function parseAngles(rugose, text) {
  if (text === "all") return 0;
  const names = Array.from({ length: DIRECTIONS_3D }, (_, k) => rugose.glcm_direction_name(k));
  let bits = 0, rest = text;
  for (;;) {
    const k = names.findIndex((name) => rest === name || rest.startsWith(name + ","));
    if (k < 0) refuseAngle(rest);
    bits |= 1 << k;
    if (rest === names[k]) return bits;
    rest = rest.slice(names[k].length + 1);
  }
}

/* Whether a frame has a use, and room for all distances. */
function parseFrame({ values }, opts) {
  const { frame } = values, most = opts.distances ? opts.distances[opts.distances.length - 1] : 1;
  if (frame > 0 && opts.pairs !== "frame") throw new UsageError("--frame can only be used with --pairs frame");
  if (frame > 0 && frame < most)
    throw new UsageError(`--frame: ${frame} given, at least the distance ${most} expected`);
  opts.frame = frame;
}

function parseLevels({ values, given }, opts) {
  if (given.has("bin-width")) {
    opts.levels = "width";
    opts.bin_width = parseReal(values["bin-width"]);
    if (!(opts.bin_width > 0)) throw new UsageError("--bin-width: a number above 0 expected");
  } else if (values.levels === "exact") opts.levels = "exact";
  else if (given.has("levels")) {
    opts.levels = "count";
    opts.n_levels = parseCount(values.levels, MAX_SPAN);
    if (!(opts.n_levels > 1)) throw new UsageError("--levels: 'exact' or a number of bins from 2 to 65536 expected");
  }
}

function parseRange({ values, given }, opts) {
  const { range } = values;
  if (!given.has("range")) return;
  if (opts.levels === "exact")
    throw new UsageError("--range: exact levels have no bins; give --levels N or --bin-width W with it");
  if (opts.levels === "auto") throw new UsageError("--range: give --levels N or --bin-width W with it");
  if (["type", "image", "roi"].includes(range)) {
    opts.range = range;
    return;
  }
  const ends = parseRealRange(range);
  if (!ends) throw new UsageError("--range: type, image, roi or LO..HI with LO < HI expected");
  Object.assign(opts, { range: "given", range_lo: ends[0], range_hi: ends[1] });
}

function parseOrigin({ values, given }, opts) {
  const text = values["bin-origin"];
  if (!given.has("bin-origin")) return;
  if (opts.levels !== "width") throw new UsageError("--bin-origin can only be used with --bin-width");
  opts.origin = text === "min" || text === "zero" ? text : "given";
  if (opts.origin !== "given") return;
  opts.bin_origin = parseReal(text);
  if (opts.bin_origin === null) refuse("bin-origin", text, "min, zero or a number");
}

/* "LO..HI", "LO.." or "..HI" */
function parseResegment({ values, given }, opts) {
  const text = values.resegment;
  if (!given.has("resegment")) return;
  const at = text.indexOf(".."), [low, high] = [text.slice(0, at), text.slice(at + 2)];
  const lo = low === "" ? -Infinity : parseReal(low), hi = high === "" ? Infinity : parseReal(high);
  const isGood = at >= 0 && at < 64 && lo !== null && hi !== null && (low !== "" || high !== "") && lo < hi;
  if (!isGood) refuse("resegment", text, "LO..HI with LO < HI, LO.. or ..HI, such as -1000..400,");
  Object.assign(opts, { resegment: 1, resegment_lo: lo, resegment_hi: hi });
}

/* "7", or "3x7": rows and columns; null where there are no maps. */
function parseWindow({ values, given }) {
  const text = values.window;
  if (!given.has("window")) return null;
  const sides = text.split("x").map((word) => parseCount(word, 255));
  if (sides.length > 2 || sides.some((side) => side === null || side < 3 || side % 2 === 0))
    refuse("window", text, "an odd number from 3 to 255, or rows and columns such as 3x7,");
  return [sides[0], sides[sides.length - 1]];
}

/* What features are called, as asked. Names that others do not have stay ours. */
function namesOf(rugose, names) {
  const call = { ibsi: "glcm_feature_ibsi", pyradiomics: "glcm_feature_pyradiomics" }[names];
  return Array.from({ length: N_FEATURES }, (_, f) => (call && rugose[call](f)) || rugose.glcm_feature_name(f));
}

function refuseFeature(word, names, own) {
  const meant = guess(word, names.flatMap((name, f) => [[name, name], [own[f], own[f]]]));
  const hint = meant ? ` (did you mean ${meant}?)` : "";
  throw new UsageError(`--features: '${word.slice(0, 64)}' given${hint}, 13, 14, 'all' or ` +
    "names of columns expected, such as contrast,entropy");
}

/* The features that are asked for, by number. */
function parseFeatures(rugose, text, names) {
  const first = (n) => Array.from({ length: n }, (_, f) => f);
  const known = { 13: 13, 14: 14, all: N_FEATURES }[text];
  if (known) return first(known);
  const own = first(N_FEATURES).map((f) => rugose.glcm_feature_name(f)), features = new Set();
  for (const word of text.split(",")) {
    const f = first(N_FEATURES).find((f) => own[f] === word || names[f] === word);
    if (f === undefined) refuseFeature(word, names, own);
    features.add(f);
  }
  return [...features];
}

/* The fewest that the library can be asked for. */
function leastFeatures(features) {
  const most = Math.max(...features);
  return most > 13 ? "all" : most === 13 ? "14" : "13";
}

/* What the library is asked for, which features are shown, and what they are called. */
function check(options, others, rugose) {
  const { values, given } = options;
  const opts = {
    asymmetric: values.asymmetric ? 1 : 0, pairs: values.pairs, aggregate: values.aggregate, slices: values.slices,
    log_base: values.log === "e" ? E : 2, levels: "auto",
  };
  if (given.has("distances")) opts.distances = parseDistances(values.distances);
  parseFrame(options, opts);
  if (given.has("angles")) opts.directions = parseAngles(rugose, values.angles);
  checkExclusive(options, "bin-width", "levels");
  parseLevels(options, opts);
  parseRange(options, opts);
  parseOrigin(options, opts);
  parseResegment(options, opts);
  const window = parseWindow(options), text = values.features ?? (window ? "13" : "14");
  const names = namesOf(rugose, values.names), features = parseFeatures(rugose, text, names);
  opts.features = leastFeatures(features);
  if (opts.slices !== "none" && (opts.directions || 0) >> DIRECTIONS_2D !== 0)
    throw new UsageError("--slices: the directions within a slice are 0, 45, 90 and 135");
  rugose.glcm_check_options(opts);
  const job = { opts, window, features, names };
  checkMap(rugose, options, job);
  const mode = (window ? MAPS : 0) | (opts.pairs === "frame" ? FRAME : 0);
  return { mode, instead: describe(values, job, text), job };
}

/* Parameters that are not as they were given. */
function describe({ window }, job, features) {
  return job.window && !window.includes("x") ? { features, window: job.window[0] } : { features };
}

function columns(options, others, job) {
  const features = job.features.map((f) => job.names[f]);
  return ["image", "label", "area", "distance", "angle", "pairs", "levels", ...features, "status"];
}

/* ---- Maps ---- */

/* The options as maps take them: which features is a list of its own. */
const mapOptions = (opts) => ({ ...opts, features: "14" });

const mapsOf = (rugose, job) =>
  ({ rows: job.window[0], columns: job.window[1], features: job.features.map((f) => rugose.glcm_feature_name(f)) });

function checkMap(rugose, { given }, job) {
  if ((job.window !== null) !== given.has("map"))
    throw new UsageError("--window W and --map FILE.tif must be used together");
  if (job.window === null) return;
  if (given.has("labels")) throw new UsageError("--labels cannot be used with --map; --mask leaves pixels out");
  rugose.glcm_maps_check_options(mapOptions(job.opts), mapsOf(rugose, job));
}

/* A map of each feature, as 32-bit floats. */
function makeMaps(run, job, opts) {
  const { image } = run, [ny, nx] = image.shape;
  const maps = job.features.map((f) =>
    ({ feature: job.names[f], data: new Float32Array(ny * nx), shape: image.shape, dtype: "f32" }));
  const wanted = { ...mapsOf(run.rugose, job), leave_out: lacksData(image) ? 1 : 0 };
  run.rugose.glcm_maps(image.pixels, mapOptions(opts), wanted, (rows) =>
    maps[rows.map].data.set(rows.values, rows.first * nx));
  Object.assign(run.extra, { map: maps[0], maps });
}

/* ---- Rows ---- */

const AXES = ["z", "y", "x"];

/* The offset of a direction, in pixels. */
function offsetOf(run, nAxes, row) {
  const step = run.rugose.glcm_direction(nAxes, row.direction), offset = {};
  for (let a = 3 - nAxes; a < 3; a++) offset[AXES[a]] = step[a] * row.distance;
  return offset;
}

function detailsOf(run, row) {
  const nAxes = run.image.shape.length, details = {};
  if (run.labels) details.labels = fileOf(run.labels);
  details.region = reals({
    first: Array.from(row.first).slice(3 - nAxes).join("x"), shape: Array.from(row.shape).slice(3 - nAxes).join("x"),
    not_finite: row.n_nan, clamped: row.n_clamped, outside: row.n_outside, bin_origin: row.bin_origin,
    bin_width: row.bin_width,
  });
  if (row.direction >= 0) details.offset = offsetOf(run, nAxes, row);
  details.engine = row.engine;
  return details;
}

function rowOf(run, job, found) {
  const { rugose } = run, row = run.row();
  Object.assign(row, {
    label: whole(found.label), area: found.area, distance: found.distance,
    angle: found.direction >= 0 ? rugose.glcm_direction_name(found.direction) : job.opts.aggregate, pairs: found.pairs,
    levels: found.levels,
  });
  for (const f of job.features) row[job.names[f]] = found.features[f];
  row.status = found.status;
  return reals(Object.assign(row, detailsOf(run, found)));
}

/* ---- Measuring ---- */

/* What the options ask for and this image cannot have. */
function checkImage(run, job) {
  const { image } = run, { opts } = job, isFlat = image.shape.length === 2, { dtype } = image.facts;
  if (!isFlat && job.window) throw new UsageError("--window is for images, but this is a volume");
  if (isFlat && opts.slices !== "none") throw new UsageError("--slices is for volumes, but this is an image");
  if (isFlat && (opts.directions || 0) >> DIRECTIONS_2D !== 0)
    throw new UsageError("--angles: an image has only the directions 0, 45, 90 and 135");
  if (isReal(image) && opts.levels === "exact")
    throw new UsageError(`--levels exact is for integers, but the pixels are ${dtype}: give --levels N or ` +
      "--bin-width W");
  if (opts.range === "type" && !typeRange(dtype))
    throw new UsageError(`--range type is for integers of up to 16 bits, but the pixels are ${dtype}: give --range ` +
      "image, roi or LO..HI");
}

/* What is left to the image: its mask, and what the defaults are for its type. */
function choose(run, job) {
  const { image } = run, opts = { ...job.opts };
  if (run.maskPixels) opts.mask = run.maskPixels;
  if (run.labels) opts.labels = takeLabels(run);
  if (opts.levels === "auto" && isReal(image)) Object.assign(opts, { levels: "count", n_levels: FLOAT_LEVELS });
  else if (opts.levels === "auto") opts.levels = "exact";
  if (opts.levels === "count" && !opts.range) opts.range = "image";
  if (opts.range === "type" && image.dtype !== image.facts.dtype) {
    /* Integers that are floats beside pixels without data. */
    const [range_lo, range_hi] = typeRange(image.facts.dtype);
    Object.assign(opts, { range: "given", range_lo, range_hi });
  }
  return opts;
}

function measure(run) {
  const { job } = run;
  checkImage(run, job);
  const opts = choose(run, job), tally = beginTally();
  if (job.window) makeMaps(run, job, opts);
  for (const row of run.rugose.glcm(run.image.pixels, opts)) {
    countRow(tally, row);
    run.add(rowOf(run, job, row));
    run.engine = row.engine;
  }
  endTally(tally);
  tell(run, job, opts, tally);
}

/** The command. */
export const haralick = { name: "haralick", options: table, takesMasks: true, check, columns, measure };
