/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* `rugose lbp`: histograms and maps of local binary patterns. */

import { isReal, lacksData, nanOfFile, sayRead, takeLabels, warnOfLabels } from "./doubts.js";
import { general, parseReal } from "./number.js";
import { UsageError, checkExclusive, refuseWord } from "./options.js";
import { countTwin } from "./prepare.js";
import { fileOf } from "./record.js";
import { reals, whole } from "./tables.js";

const MAX_POINTS = 32, MAX_RADIUS = 1024, MAX_OPERATORS = 16, MAX_BINS = 65536;
const PLANES = ["xy", "xz", "yz"];

const table = [
  { name: "points", kind: "int", value: "P", min: 1, max: MAX_POINTS, fallback: 8, isUnlisted: true },
  { name: "radius", kind: "real", value: "R", isAbove0: true, max: MAX_RADIUS, fallback: 1, isUnlisted: true },
  { name: "lbp", kind: "texts", value: "P,R", isUnlisted: true },
  { name: "method", kind: "choice", choices: "riu2|default|ror|nri_uniform|var", isUnlisted: true },
  { name: "interpolation", kind: "choice", choices: "bilinear|nearest|hardware", isUnlisted: true },
  { name: "border", kind: "choice", choices: "zero|skip", isUnlisted: true },
  { name: "exact", kind: "choice", choices: "skimage|decimal|float", isUnlisted: true },
  { name: "cuts", kind: "text", value: "LIST", isUnlisted: true },
  { name: "normalize", kind: "flag" },
  { name: "planes", kind: "choice", choices: "xy|xz|yz|all", unset: "" },
  { name: "mask", kind: "text", value: "FILE" },
  { name: "labels", kind: "text", value: "FILE" },
  { name: "map", kind: "text", value: "FILE.tif" },
];

/* ---- The command line ---- */

const BAD_OPERATOR = "--lbp: points and radius P,R expected, such as 16,2, with P from 1 to 32 and R above 0, at " +
  "most 1024";

/* "16,2" */
function parseOperator(text) {
  const comma = text.indexOf(","), word = text.slice(0, Math.max(comma, 0));
  const points = word.length < 8 && /^[-+]?[0-9]+$/.test(word) ? Number(word) : 0;
  const radius = parseReal(text.slice(comma + 1));
  if (!(points >= 1 && points <= MAX_POINTS && radius > 0 && radius <= MAX_RADIUS)) throw new UsageError(BAD_OPERATOR);
  return { points, radius };
}

function parseOperators(options) {
  const { lbp, points, radius } = options.values;
  checkExclusive(options, "lbp", "points");
  checkExclusive(options, "lbp", "radius");
  if (lbp.length === 0) return [{ points, radius }];
  if (lbp.length > MAX_OPERATORS) throw new UsageError("--lbp: at most 16 operators expected");
  const operators = lbp.map(parseOperator);
  operators.forEach((a, i) => {
    if (operators.slice(0, i).some((b) => a.points === b.points && a.radius === b.radius))
      throw new UsageError("--lbp: the same operator is given twice");
  });
  return operators;
}

/* The cuts of every operator, ascending, each once. */
function parseCuts(text) {
  const cuts = text.split(",").map((word) => {
    const cut = parseReal(word);
    if (!(cut > 0)) refuseWord("cuts", word, "numbers above 0, such as 10,50,200,");
    return cut;
  });
  return Float64Array.from(new Set(cuts)).sort();
}

const greatestDivisor = (a, b) => (b === 0 ? a : greatestDivisor(b, a % b));

/* How many bins there would be. ROR: patterns that differ by more than a rotation (Burnside). */
function binsWanted(rugose, method, operator) {
  const { points } = operator;
  let n = Number(rugose.lbp_n_codes(method, points));
  if (method === "ror") {
    n = 0;
    for (let k = 1; k <= points; k++) n += 2 ** greatestDivisor(points, k);
    n /= points;
  }
  return n * ((operator.cuts ? operator.cuts.length : 0) + 1);
}

/* Without a map there must be a histogram. */
function checkBins(rugose, { given }, { plan, nBins }) {
  const { method, operators } = plan;
  if (given.has("map")) return;
  if (method === "var" && !given.has("cuts"))
    throw new UsageError("--method var needs the cuts between its bins, such as --cuts 10,50,200; or write the " +
      "variances with --map FILE.tif");
  operators.forEach((operator, i) => {
    if (nBins[i] > 0) return;
    throw new UsageError(`method ${method} with ${operator.points} points has ` +
      `${binsWanted(rugose, method, operator)} bins, more than ${MAX_BINS}: use fewer points, or riu2 or ` +
      "nri_uniform; or write the codes with --map FILE.tif");
  });
}

/* The parameters that say how images are coded. */
function describeCoding({ plan, nBins }) {
  const { operators, ...coding } = plan;
  const described = operators.map(({ points, radius, cuts }, i) =>
    ({ points, radius, bins: nBins[i], cuts: Array.from(cuts || []) }));
  return { operators: described, ...coding };
}

function check(options, others, rugose) {
  const { values, given } = options, operators = parseOperators(options);
  if (given.has("cuts")) {
    const cuts = parseCuts(values.cuts);
    for (const operator of operators) operator.cuts = cuts;
  }
  const { method, interpolation, border, exact } = values;
  const plan = { operators, method, interpolation, border, exact };
  rugose.lbp_check_options(plan);
  const job = { plan, nBins: operators.map((operator) => rugose.lbp_n_bins(method, operator)) };
  checkBins(rugose, options, job);
  return { mode: 1, before: describeCoding(job), job };
}

function columns({ given }, others, { nBins }) {
  const bins = Array.from({ length: Math.max(...nBins) }, (_, b) => "bin_" + b);
  const parts = ["plane", "label"].filter((name) => given.has(name + "s"));
  return ["image", ...parts, "points", "radius", "method", "pixels", ...bins];
}

/* ---- Rows ---- */

const nBinsOf = ({ bins }) => (bins ? bins.length : 0);

/* Bins as shares of all pixels where they are asked for. */
function binsOf(run, histogram) {
  const bins = Array.from(histogram.bins || []);
  if (!run.values.normalize) return bins;
  return bins.map((n) => (histogram.pixels > 0 ? Number(n) / Number(histogram.pixels) : NaN));
}

function histogramRow(run, job, plane, facts, histogram) {
  const operator = job.plan.operators[histogram.op], row = run.row();
  if (run.labels) row.labels = fileOf(run.labels);
  if (plane !== "none") row.plane = plane;
  if (run.labels) row.label = whole(histogram.label);
  return reals(Object.assign(row, {
    points: operator.points, radius: operator.radius, method: job.plan.method,
    pixels: nBinsOf(histogram) > 0 ? histogram.pixels : NaN, engine: facts.engine, n_bins: nBinsOf(histogram),
    bins: binsOf(run, histogram),
  }));
}

/* ---- What is said ---- */

function formatPlan(job) {
  const operators = job.plan.operators.map(({ points, radius }, i) =>
    ` (${points}, ${general(radius)}) ${job.nBins[i] > 0 ? job.nBins[i] : "no"} bins`);
  return (job.plan.method + operators.join(",")).slice(0, 639);
}

function warnOfValues(run, job) {
  const { plan } = job, { image } = run;
  if (isReal(image) && plan.method !== "var" && plan.interpolation === "bilinear" && plan.exact === "skimage")
    run.warn(`values are ${image.dtype}: rounding decides whether a sample equals its centre; --exact decimal keeps ` +
      "flat areas flat");
  const n = isReal(image) ? nanOfFile(image, run.range.n_nan) : 0;
  if (n === 0) return;
  const hasVariance = plan.method === "var" || plan.operators[0].cuts;
  run.warn(`${n} pixels are NaN; ` + (hasVariance ? "circles that touch them have no variance and are not counted"
    : lacksData(image) ? "circles that touch them are not counted"
      : "the bits of samples next to them, and all bits of their own patterns, are 0"));
}

/* Warns of an operator that has coded no pixel of the image. */
function warnOfEmpty(run, job, histograms) {
  for (const histogram of histograms) {
    const { points, radius } = job.plan.operators[histogram.op], name = `(${points}, ${general(radius)})`;
    if (nBinsOf(histogram) === 0)
      run.warn(`${name} has no histogram, and pixels is nan: ` + (job.plan.method === "var"
        ? "variances have no bins without --cuts" : "so many points have more codes than a histogram may have bins"));
    if (nBinsOf(histogram) === 0 || histogram.pixels > 0) continue;
    run.warn(`no pixel has a code of ${name}` + (run.mask ? ": is the mask right?"
      : job.plan.border === "skip" ? ": with --border skip the whole circle must lie inside the image"
        : lacksData(run.image) ? ": all circles touch pixels without data" : ": the variance of every pixel is NaN"));
  }
}

function tell(run, job, nLabels) {
  const labels = run.labels ? `, ${nLabels} label${nLabels === 1 ? "" : "s"}` : "";
  sayRead(run, formatPlan(job) + labels);
  warnOfValues(run, job);
  if (run.labels) warnOfLabels(run, run.labels, countTwin(run.labels), nLabels);
}

/* ---- Measuring ---- */

function checkPlanes(run) {
  const { shape } = run.image, isGiven = run.given.has("planes");
  if (shape.length === 3 && !isGiven)
    throw new UsageError(`a volume of ${shape.join("x")} pixels: patterns are measured on planes; choose --planes xy ` +
      "(its slices), xz, yz or all (three histograms: LBP-TOP), or one page of a TIFF file with --page");
  if (shape.length === 2 && isGiven)
    throw new UsageError("an image has no planes; leave out --planes, or read pages as a volume with --volume");
}

const ARRAYS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };
const AXES = { none: [0, 1], xy: [0, 1, 2], xz: [1, 0, 2], yz: [2, 0, 1] };

/* An array for the codes of each operator, and the function that fills it. */
function beginMaps(run, plane, opts) {
  const shape = AXES[plane].map((axis) => run.image.shape[axis]), n = shape.reduce((a, b) => a * b);
  const maps = opts.operators.map(({ points, radius }, i) => {
    const dtype = run.rugose.lbp_map_dtype(opts, i);
    const n_codes = Number(run.rugose.lbp_n_codes(opts.method, points));
    return { plane, points, radius, n_codes, dtype, shape, data: new ARRAYS[dtype](n) };
  });
  opts.map = ({ op, slice, first, nx, codes }) => {
    const at = (slice * shape[shape.length - 2] + first) * nx;
    maps[op].data.set(codes, at);
  };
  return maps;
}

function measurePlane(run, job, plane, labels) {
  const { rugose, image } = run, opts = { ...job.plan, planes: plane, leave_out_nan: lacksData(image) ? 1 : 0 };
  if (run.maskPixels) opts.mask = run.maskPixels;
  if (labels) opts.labels = labels;
  const maps = beginMaps(run, plane, opts), result = rugose.lbp(image.pixels, opts);
  try {
    for (const histogram of result.at) run.add(histogramRow(run, job, plane, result.facts, histogram));
    if (run.engine === null) tell(run, job, result.facts.n_labels);
    run.engine = result.facts.engine;
    if (!labels) warnOfEmpty(run, job, result.at);
  } finally {
    result.free();
  }
  return maps;
}

function measure(run) {
  const { planes } = run.values;
  checkPlanes(run);
  const asked = !run.given.has("planes") ? ["none"] : planes === "all" ? PLANES : [planes];
  const labels = run.labels ? takeLabels(run) : null;
  const maps = asked.flatMap((plane) => measurePlane(run, run.job, plane, labels));
  Object.assign(run.extra, { map: maps[0], maps });
}

/** The command. */
export const lbp = { name: "lbp", options: table, takesMasks: true, check, columns, measure };
