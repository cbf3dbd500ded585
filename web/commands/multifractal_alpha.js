/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* `rugose multifractal --method alpha`: the exponent of each pixel, and the dimension of slices of it. */

import { RESAMPLE, sayRead, warnOfFit, warnOfSpacing } from "./doubts.js";
import { general } from "./number.js";
import { reals } from "./tables.js";

export const sliceColumns = ["image", "slice", "alpha_min", "alpha_max", "pixels", "f", "f_error", "r_squared",
  "size_min", "size_max", "status"];

/* The fit of the slice with the largest f; null: none has one. */
function largestF(fits) {
  let best = null;
  for (const fit of fits) if (!Number.isNaN(fit.slope) && (!best || fit.slope > best.slope)) best = fit;
  return best;
}

function warnOfSlices(run, facts, best) {
  const { n_undefined, n_outside, n_pixels } = facts;
  if (n_undefined > 0)
    run.warn(`${n_undefined} of ${n_pixels} pixels have no alpha: a window around them holds nothing above 0, or a ` +
      "pixel that is negative (unless --measure iso), NaN or infinite");
  if (n_outside > 0)
    run.warn(`${n_outside} of ${n_pixels} pixels have an alpha outside ${general(facts.alpha_min)}..` +
      `${general(facts.alpha_max)} and are in no slice`);
  if (!best) run.warn("no slice has a dimension");
  else warnOfFit(run, best);
}

function tell(run, found) {
  const { facts } = found, n = facts.n_slices;
  sayRead(run, Number.isNaN(facts.alpha_min) ? "no pixel has an alpha"
    : `alpha ${general(facts.alpha_min)}..${general(facts.alpha_max)} in ${n} slice${n === 1 ? "" : "s"}`);
  warnOfSlices(run, facts, largestF(found.fits));
  warnOfSpacing(run, RESAMPLE);
}

function sliceRow(run, found, i) {
  const { rugose } = run, { facts, result } = found;
  const slice = result.at[i], fit = found.fits[i];
  const sizes = Array.from({ length: facts.n_sizes }, (_, level) => level);
  return reals({
    ...run.row(),
    slice: i, alpha_min: slice.alpha_min, alpha_max: slice.alpha_max, pixels: slice.n_pixels, f: fit.slope,
    f_error: fit.std_error, r_squared: fit.r_squared, size_min: fit.size_min, size_max: fit.size_max,
    status: fit.status, engine: found.engine, slices_engine: facts.engine,
    range_min: facts.alpha_min, range_max: facts.alpha_max,
    pixels_of_image: facts.n_pixels, undefined: facts.n_undefined, outside: facts.n_outside,
    counts: sizes.map((level) => ({ size: 2 ** level, boxes: rugose.alpha_boxes(result, i, level) })),
  });
}

function cut(run, map, opts) {
  const { rugose, image } = run, { fit } = run.values;
  const engine = run.engine = rugose.engine(), view = rugose.image(map, image.shape, { dtype: "f32" });
  try {
    const result = rugose.alpha_slices(view, opts), { facts } = result;
    const fits = Array.from({ length: facts.n_slices }, (_, i) =>
      rugose.alpha_fit(result, i, { size_min: fit.min, size_max: fit.max }));
    return { engine, result, facts, fits };
  } finally {
    view.free();
  }
}

/** Measures an image. @param options  for the library, as asked. @return what the page shows: the map */
export function measureAlpha(run, options) {
  const opts = run.maskPixels ? { ...options, mask: run.maskPixels } : options;
  const map = run.rugose.alpha_map(run.image.pixels, opts);
  const found = cut(run, map, opts);
  try {
    tell(run, found);
    found.fits.forEach((fit, i) => run.add(sliceRow(run, found, i)));
  } finally {
    found.result.free();
  }
  run.extra.map = { data: map, shape: run.image.shape, dtype: "f32" };
}
