/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* `rugose multifractal`: its options, and how it goes on with --method moments or alpha. */

import { UsageError, checkExclusive, checkMode, parseRealRange, refuseWord } from "./options.js";
import { parseReal } from "./number.js";
import { measureAlpha, sliceColumns } from "./multifractal_alpha.js";
import { measureImage, measurePoints, orderColumns } from "./multifractal_orders.js";

const MAX_Q = 1024, Q_MAX = 1000, DEFAULT_Q = "-10..10:0.5";
const MOMENTS = 1, ALPHA = 2;

const table = [
  { name: "method", kind: "choice", choices: "moments|alpha" },
  { name: "fit", kind: "range", value: "A..B|auto", unset: "default" },
  { name: "mask", kind: "text", value: "FILE" },
  { name: "q", kind: "text", value: "LIST|A..B:STEP", unset: DEFAULT_Q, modes: MOMENTS },
  { name: "foreground", kind: "foreground", value: "RULE", also: "threshold|thresh|cutoff", unset: "", modes: MOMENTS },
  { name: "points", kind: "flag", modes: MOMENTS },
  { name: "columns", kind: "text", value: "LIST", modes: MOMENTS },
  { name: "skip-rows", kind: "count", value: "N", unit: "of rows", modes: MOMENTS },
  { name: "resolution", kind: "count", value: "N", min: 1, unit: "of cells or voxels", unset: "default" },
  { name: "spacing", kind: "real", value: "S", isAbove0: true, unset: "default", modes: MOMENTS },
  { name: "measure", kind: "choice", choices: "max|min|sum|iso", fallback: "sum", modes: ALPHA },
  { name: "windows", kind: "int", value: "N", min: 2, max: 16, fallback: 4, modes: ALPHA },
  { name: "iso-tolerance", kind: "real", value: "T", modes: ALPHA },
  { name: "slices", kind: "int", value: "N", min: 1, max: 1024, fallback: 64, modes: ALPHA },
  { name: "alpha-range", kind: "text", value: "A..B", unset: "default", modes: ALPHA },
  { name: "map", kind: "text", value: "FILE.tif", modes: ALPHA },
];

/* To the nearest whole number, of two to the even one. */
function nearest(value) {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

const refuseQ = (word) =>
  refuseWord("q", word, "orders from -1000 to 1000, such as -2,0,1,2.5, or A..B:STEP with A < B,");

/* Orders are decimals of nine digits behind the point at most, so that -1 + 20 * 0.1 is 1, the order that
 * has a formula of its own. */
function addOrder(orders, q, word) {
  q = nearest(q * 1e9) / 1e9 + 0;
  if (!(Math.abs(q) <= Q_MAX)) refuseQ(word);
  if (!orders.has(q) && orders.size === MAX_Q) throw new UsageError("--q: more than 1024 orders");
  orders.add(q);
}

function addSteps(orders, text) {
  const colon = text.indexOf(":");
  const range = colon >= 0 && colon < 128 ? parseRealRange(text.slice(0, colon)) : null;
  const step = range ? parseReal(text.slice(colon + 1)) : null;
  if (!(step > 0)) refuseQ(text);
  /* The last may lie a little behind B by rounding alone. */
  const last = Math.floor((range[1] - range[0]) / step * (1 + 1e-12));
  if (!(last < MAX_Q)) throw new UsageError("--q: more than 1024 orders");
  for (let i = 0; i <= last; i++) addOrder(orders, range[0] + i * step, text);
}

/* The orders of --q, ascending. */
function parseOrders(text) {
  const orders = new Set();
  if (text.includes("..")) addSteps(orders, text);
  else
    for (const word of text.split(",")) {
      const q = word.length < 64 ? parseReal(word) : null;
      if (q === null) refuseQ(word);
      addOrder(orders, q, word);
    }
  return Float64Array.from(orders).sort();
}

/* ---- The command ---- */

/* What --method alpha asks of the library. */
function alphaOptions({ values, given }) {
  if (values.fit.isAuto) throw new UsageError("--fit auto cannot be used with --method alpha; give two sizes A..B");
  if (given.has("iso-tolerance") && values.measure !== "iso")
    throw new UsageError("--iso-tolerance can only be used with --measure iso");
  const range = given.has("alpha-range") ? parseRealRange(values["alpha-range"]) : [0, 0];
  if (!range) throw new UsageError("--alpha-range: two numbers A..B with A < B expected");
  return {
    measure: values.measure, n_windows: values.windows, n_slices: values.slices, iso_tolerance: values["iso-tolerance"],
    alpha_min: range[0], alpha_max: range[1],
  };
}

function check(options) {
  const { values } = options, isAlpha = values.method === "alpha", mode = isAlpha ? ALPHA : MOMENTS;
  checkMode(options, mode, `can only be used with --method ${isAlpha ? "moments" : "alpha"}`);
  const more = values.resolution > 0 ? { resolution: values.resolution } : {};
  if (isAlpha) return { mode, more, job: { alpha: alphaOptions(options) } };
  const orders = parseOrders(values.q === null ? DEFAULT_Q : values.q);
  checkExclusive(options, "resolution", "spacing");
  return { mode, more, job: { orders } };
}

/** The command. */
export const multifractal = {
  name: "multifractal",
  options: table,
  takesMasks: true,
  check,
  columns: (options, others, job) => (job.alpha ? sliceColumns : orderColumns),
  measure: (run) => (run.job.alpha ? measureAlpha(run, run.job.alpha) : measureImage(run, run.job.orders)),
  measurePoints: (run) => measurePoints(run, run.job.orders),
};
