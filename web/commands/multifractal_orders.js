/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* `rugose multifractal --method moments`: the masses of boxes, their moments, and the fits of all orders. */

import {
  RESAMPLE, fitOptions, foregroundText, readPointsLine, sayRead, warnOfFit, warnOfLeftOut, warnOfShare, warnOfSpacing,
  warnOfThinAxis, warnOfValues,
} from "./doubts.js";
import { fixed, general } from "./number.js";
import { formatForeground, UsageError } from "./options.js";
import { resolveForeground } from "./prepare.js";
import { reals, shapeText, whole } from "./tables.js";

export const orderColumns = ["image", "q", "tau", "tau_error", "D", "D_error", "alpha", "f", "r_squared", "size_min",
  "size_max", "near_empty", "status"];

/* What rounding may add to a slope, and below which share of the mean mass a box is nearly empty. */
const ROUNDING = 1e-6, NEAR_EMPTY = 1e-4;
const MAIN = [0, 1, 2], Q_MAX = 1000;

const shareOf = (part, whole) => (whole > 0 ? Number(part) / Number(whole) : NaN);
const errorOf = (error) => (Number.isNaN(error) ? 0 : error);

/* ---- Warnings ---- */

function formatGray(run, facts) {
  const share = fixed(shareOf(facts.n_set, facts.n_pixels) * 100, 1);
  return `mass = grey values, above 0 in ${share} % of ${facts.n_pixels} pixels${run.mask ? " inside the mask" : ""}`;
}

function warnOfGray(run, facts) {
  warnOfLeftOut(run, facts.n_left_out, "without mass");
  if (facts.n_lost > 0) run.warn(`${facts.n_lost} pixels above 0 are too small beside the total to have a mass`);
  if (facts.n_pixels == 0) run.warn("the mask is empty");
  else if (facts.n_set == 0) run.warn("no pixel has a mass");
}

/* Orders whose Z is that of a few boxes that hold next to nothing. */
function warnOfNearEmpty(run, found) {
  const orders = found.orders.filter((order) => order.status === "near-empty boxes");
  if (orders.length === 0) return;
  const least = orders[0], most = orders[orders.length - 1];
  const which = orders.length > 1
    ? `${orders.length} orders from q = ${general(least.q)} to ${general(most.q)}` : `order q = ${general(most.q)}`;
  run.warn(`${which}: boxes with less than ${general(NEAR_EMPTY)} of the mean mass make up to ` +
    `${fixed(most.near_empty * 100, 1)} % of Z (at q = ${general(most.q)}), so D, alpha and f describe those boxes`);
}

/* How far f of an order is below 0 or above D0, beyond its errors. */
function excessOf(order, support) {
  const above = order.f - support.dimension - errorOf(support.dimension_error);
  const most = Number.isNaN(above) ? -order.f : Number.isNaN(order.f) ? above : Math.max(above, -order.f);
  return most - errorOf(order.f_error) - ROUNDING;
}

/* 0 <= f <= D0, but for the errors: beyond them the fit is not that of a multifractal. */
function warnOfF(run, found) {
  const support = found.main[0];
  let worst = null, excess = 0, n = 0;
  for (const order of found.orders) {
    const beyond = excessOf(order, support);
    if (beyond > 0) n++;
    if (beyond > excess) [excess, worst] = [beyond, order];
  }
  if (worst)
    run.warn(`f(alpha) is below 0 or above D0 at ${n} order${n === 1 ? "" : "s"}; the worst is q = ` +
      `${general(worst.q)} with f = ${general(worst.f, 5)} +- ${general(worst.f_error, 2)} (D0 = ` +
      `${general(support.dimension, 5)} +- ${general(support.dimension_error, 2)})`);
}

/* The orders from q on between which D rises most, errors taken away; null where it does not. */
function findRise(orders, q) {
  let lowest = null, most = 0, ends = null;
  for (const order of orders) {
    if (Number.isNaN(order.dimension) || order.q < q) continue;
    if (lowest) {
      const rise = order.dimension - errorOf(order.dimension_error) - lowest.dimension -
        errorOf(lowest.dimension_error) - ROUNDING;
      if (rise > most) [most, ends] = [rise, [lowest, order]];
    }
    if (!lowest || order.dimension < lowest.dimension) lowest = order;
  }
  return ends;
}

/* D must not rise with q, but for the errors. Orders from 0 on come first: they are those to rely on. */
function warnOfRise(run, found) {
  const ends = findRise(found.orders, 0) || findRise(found.orders, -Q_MAX);
  if (!ends) return;
  const [from, to] = ends.map((order) =>
    `${general(order.dimension, 5)} +- ${general(order.dimension_error, 2)} at q = ${general(order.q)}`);
  run.warn(`D rises with q, from ${from} to ${to}, which is impossible for a multifractal: no single power law holds ` +
    "over the sizes of the fit; check the sums (--moments FILE) and choose a range (--fit A..B)");
}

function warnOfOrders(run, found) {
  warnOfFit(run, found.fit);
  warnOfNearEmpty(run, found);
  warnOfF(run, found);
  warnOfRise(run, found);
}

function tellImage(run, found) {
  const { facts } = found, { foreground, fit } = run.values;
  const share = shareOf(facts.n_set, facts.n_pixels), isGray = facts.of === "grey values";
  sayRead(run, isGray ? formatGray(run, facts)
    : foregroundText(run, foreground, facts.foreground, share, facts.n_pixels));
  if (isGray) warnOfGray(run, facts);
  else {
    warnOfShare(run, foreground, share, facts.n_pixels);
    warnOfValues(run, foreground);
  }
  warnOfSpacing(run, RESAMPLE);
  warnOfThinAxis(run, fit, null, found.fit.size_max);
  warnOfOrders(run, found);
}

function tellPoints(run, found) {
  const { shape, n_set, total } = found.facts;
  run.read = readPointsLine(run.image, `${n_set} of ${shapeText(shape)} lattice cells hold ${total} points`);
  warnOfOrders(run, found);
}

/* ---- Rows ---- */

function alphaSpan(orders) {
  const all = orders.map((order) => order.alpha).filter((alpha) => !Number.isNaN(alpha));
  return all.length > 0 ? [Math.min(...all), Math.max(...all)] : [NaN, NaN];
}

function massOf(found) {
  if (found.isPoints) return "points";
  return found.facts.of === "foreground" ? formatForeground(found.facts.foreground) : "grey values";
}

/* What every row says of an image. */
function summaryOf(found) {
  const { facts, fit } = found, [least, most] = alphaSpan(found.orders);
  const summary = { mass: massOf(found) };
  found.main.forEach((order, i) => {
    summary["D" + i] = order.dimension;
    summary[`D${i}_error`] = order.dimension_error;
  });
  return reals(Object.assign(summary, {
    alpha_min: least, alpha_max: most, width: most - least, size_min: fit.size_min, size_max: fit.size_max,
    engine: facts.engine, status: fit.status, pixels: facts.n_pixels, pixels_with_mass: facts.n_set,
    left_out: facts.n_left_out, lost: facts.n_lost, total: whole(facts.total), unit_exponent: facts.unit_exponent,
  }));
}

/* Z, where a double holds it in full. */
const isNormal = (value) => Number.isFinite(value) && Math.abs(value) >= 2 ** -1022;
const shownZ = (moments, boxes) => (boxes == 0 || isNormal(moments.z) ? moments.z : NaN);

const momentOf = (found, moments, level) => reals({
  size: 2 ** level, boxes: found.boxes[level], Z: shownZ(moments, found.boxes[level]), ln_Z: moments.log_z,
  p_ln_p: moments.p_log_p, mu_ln_p: moments.mu_log_p, mu_ln_mu: moments.mu_log_mu,
});

function orderRow(run, found, order, i) {
  const { fit } = found;
  const row = run.row();
  row.shape = shapeText(found.facts.shape);
  return reals(Object.assign(row, {
    q: order.q, tau: order.tau, tau_error: order.tau_error, D: order.dimension, D_error: order.dimension_error,
    alpha: order.alpha, f: order.f, r_squared: order.r_squared, size_min: fit.size_min, size_max: fit.size_max,
    near_empty: order.near_empty, status: order.status, alpha_error: order.alpha_error, f_error: order.f_error,
    summary: summaryOf(found),
    moments: found.moments[i].map((moments, level) => momentOf(found, moments, level)),
  }));
}

/* ---- Measuring ---- */

function countBoxes(run, masses, nSizes) {
  return Array.from({ length: nSizes }, (_, level) =>
    (run.rugose.masses_boxes(masses, level) || []).reduce((sum, { boxes }) => sum + Number(boxes), 0));
}

/* All orders with those of the summary behind them, over the same sizes. */
function fitOrders(run, masses, orders, isPoints) {
  const { rugose } = run, { facts } = masses;
  const result = rugose.multifractal_fit(masses, Float64Array.from([...orders, ...MAIN]), fitOptions(run.values.fit));
  run.engine = facts.engine;
  try {
    const all = Array.from(result.at);
    return {
      isPoints, facts, fit: result.facts, orders: all.slice(0, orders.length), main: all.slice(orders.length),
      moments: rugose.multifractal_moments(masses, orders), boxes: countBoxes(run, masses, facts.n_sizes),
    };
  } finally {
    result.free();
  }
}

function addOrders(run, found) {
  found.orders.forEach((order, i) => run.add(orderRow(run, found, order, i)));
}

/** Measures an image. @param orders  ascending */
export function measureImage(run, orders) {
  const { rugose, image, values, mask, inside } = run;
  if (run.given.has("columns") || values["skip-rows"] > 0)
    throw new UsageError("--columns and --skip-rows can only be used with points; add --points for an array of them");
  if (values.spacing > 0) throw new UsageError("--spacing can only be used with points");
  const opts = run.maskPixels ? { mask: run.maskPixels } : {};
  if (run.given.has("foreground"))
    Object.assign(opts, {
      of: "foreground", foreground: resolveForeground(rugose, image, mask, inside, values.foreground),
    });
  const masses = rugose.masses_measure(image.pixels, opts);
  try {
    const found = fitOrders(run, masses, orders, false);
    tellImage(run, found);
    addOrders(run, found);
  } finally {
    masses.free();
  }
}

/** Measures a set of points: the mass of a lattice cell is the number of points in it. */
export function measurePoints(run, orders) {
  const { rugose, image, values } = run;
  if (!orders) throw new UsageError("--method alpha takes images, and these are points");
  if (run.given.has("foreground")) throw new UsageError("points have no foreground; leave out --foreground");
  const masses = rugose.masses_measure_points(image.points, { spacing: values.spacing, resolution: values.resolution });
  try {
    const found = fitOrders(run, masses, orders, true);
    tellPoints(run, found);
    addOrders(run, found);
  } finally {
    masses.free();
  }
}
