/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What `rugose haralick` says of an image: what was read, and warnings with numbers. */

import { sayRead, unequalSpacing, warnOfLabels, warnOfLeftOut } from "./doubts.js";
import { FEW } from "./haralick_tally.js";
import { general } from "./number.js";
import { countTwin } from "./prepare.js";

/* Data that fill less of their range than this have too few levels. */
const FILLED = 0.25;
const ALL_DIRECTIONS = { 2: 4, 3: 13 };

const TYPE_RANGES = { bit: [0, 1], u8: [0, 255], i8: [-128, 127], u16: [0, 65535], i16: [-32768, 32767] };

/** The range of integers of 1 to 16 bits; undefined of other types. */
export const typeRange = (dtype) => TYPE_RANGES[dtype];

const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

/* ---- What was read ---- */

/* The range that one set of bins divides, the same for all regions; null: there is none. */
function commonRange(run, opts, tally) {
  if (opts.levels !== "count" || opts.range === "roi") return null;
  if (opts.range === "image" && opts.resegment)
    return [tally.binOrigin, tally.binOrigin + tally.binWidth * opts.n_levels];
  if (opts.range === "given") return [opts.range_lo, opts.range_hi];
  return opts.range === "type" ? typeRange(run.image.facts.dtype) : [run.range.min, run.range.max];
}

/* "32 levels of 0..4095", and how many of them occur. */
function formatLevels(run, opts, tally) {
  const { leastLevels, mostLevels } = tally, range = commonRange(run, opts, tally);
  const used = leastLevels === mostLevels ? leastLevels : `${leastLevels} to ${mostLevels}`;
  if (mostLevels === 0) return "no grey level occurs";
  if (opts.levels === "exact") return `exact grey levels, ${used} occur`;
  if (opts.levels === "width") return `levels of width ${general(opts.bin_width)}, ${used} occur`;
  if (range) return `${opts.n_levels} levels of ${general(range[0])}..${general(range[1])}, ${used} occur`;
  return `${opts.n_levels} levels of each region's range, ${used} occur`;
}

/* "-1000..400", "..400" */
function formatKept(opts) {
  const [lo, hi] = [opts.resegment_lo, opts.resegment_hi].map((end) => (Number.isFinite(end) ? general(end) : ""));
  return lo + ".." + hi;
}

function formatRead(run, opts, tally) {
  const labels = run.labels ? plural(tally.nRegions, "label") + ", " : "";
  const outside = opts.resegment
    ? `, ${tally.nOutside} of ${tally.nPixels} pixels outside ${formatKept(opts)} left out` : "";
  return labels + formatLevels(run, opts, tally) + outside;
}

/* ---- Warnings ---- */

/* "3 of 25 labels", or the only region there is. */
function formatRegions(run, n, tally) {
  if (run.labels) return `${n} of ${plural(tally.nRegions, "label")}`;
  return run.mask ? "the mask" : "the image";
}

/* The places of the axes along which the chosen directions go, z y x. */
function axesInUse(run, opts) {
  const nAxes = run.image.shape.length;
  const n = ALL_DIRECTIONS[opts.slices !== "none" ? 2 : nAxes], axes = [false, false, false];
  for (let k = 0; k < n; k++) {
    if (opts.directions && !(opts.directions >> k & 1)) continue;
    run.rugose.glcm_direction(nAxes, k).forEach((step, a) => {
      axes[a] ||= step !== 0;
    });
  }
  return axes;
}

function warnOfSpacing(run, opts) {
  const axes = axesInUse(run, opts), ends = unequalSpacing(run.image, (a) => axes[2 - a]);
  if (!ends) return;
  const [lo, hi] = ends, isVolume = run.image.shape.length === 3;
  run.warn(`spacing is unequal (${general(lo)} to ${general(hi)}, ratio ${general(hi / lo, 3)}): distances are in ` +
    "pixels, so directions differ in length; resample to equal spacing" +
    (isVolume && opts.slices === "none" ? ", or measure slice by slice (--slices)" : ""));
}

/* What the range of a camera would be, whose numbers are stored in 16 bits. */
function formatAdvice(run) {
  const bits = run.image.facts.dtype === "u16" && [10, 12, 14].find((n) => run.range.max < 2 ** n);
  return bits ? `give --range 0..${2 ** bits - 1} if the data have ${bits} bits` : "give --range LO..HI";
}

/* Data in a small part of the range that is cut into bins. */
function warnOfRange(run, opts, tally) {
  const range = opts.range === "image" ? null : commonRange(run, opts, tally);
  if (!range) return;
  let least = run.range.min, most = run.range.max;
  if (opts.resegment) [least, most] = [Math.max(least, opts.resegment_lo), Math.min(most, opts.resegment_hi)];
  const lo = Math.max(least, range[0]), hi = Math.min(most, range[1]);
  const share = (hi / 2 - lo / 2) / (range[1] / 2 - range[0] / 2);
  if (!(hi > lo) || share >= FILLED) return;
  const values = `${general(least)}..${general(most)}`, whole = `${general(range[0])}..${general(range[1])}`;
  run.warn(`values ${values} fill ${general(share * 100, 3)} % of the range ${whole}, about ` +
    `${Math.ceil(share * opts.n_levels)} of ${opts.n_levels} levels: ${formatAdvice(run)}`);
}

/* Values that are as the ends of what is given. */
function warnOfClamped(run, opts, tally) {
  const n = tally.nClamped;
  if (n === 0) return;
  if (opts.range === "given") {
    const lo = opts.origin === "given" ? Math.max(opts.range_lo, opts.bin_origin) : opts.range_lo;
    run.warn(`pixels outside the range ${general(lo)}..${general(opts.range_hi)}, counted at its nearest end: ${n}`);
  } else run.warn(`pixels below ${general(opts.bin_origin)}, counted in the first bin: ${n}`);
}

/* The features that have no value without variance; "": none is asked for. */
function formatUndefined(job) {
  return [2, 11, 13].filter((f) => job.features.includes(f)).map((f) => job.names[f]).join(", ");
}

function warnOfLevels(run, job, opts, tally) {
  const { range } = run, undefinedNames = formatUndefined(job);
  if (tally.nFew > 0 && opts.levels !== "exact") {
    if (!range.distinct_is_min && range.n_distinct < FEW)
      run.warn(`the image has only ${plural(range.n_distinct, "different value")}`);
    else
      run.warn(`fewer than ${FEW} grey levels are left after binning in ${formatRegions(run, tally.nFew, tally)}: ` +
        "use more levels or a narrower range to keep the texture");
  }
  if (tally.nFlat > 0 && undefinedNames !== "")
    run.warn(`no variance in ${formatRegions(run, tally.nFlat, tally)} along at least one direction; ` +
      "undefined (nan): " + undefinedNames);
}

function warnOfPairs(run, opts, tally) {
  const distances = opts.distances ? Array.from(opts.distances) : [1];
  distances.forEach((distance, i) => {
    const nEmpty = tally.nEmpty[i] || 0, nPartly = tally.nPartly[i] || 0, nSmall = tally.nSmall[i] || 0;
    const small = nSmall === 0 ? "" : ` (${run.labels ? nSmall + " " : ""}no larger than the distance)`;
    if (nEmpty > 0)
      run.warn(`no pairs at distance ${distance} in ${formatRegions(run, nEmpty, tally)}${small}`);
    if (nPartly > 0)
      run.warn(`no pairs at distance ${distance} along some directions in ${formatRegions(run, nPartly, tally)}`);
  });
}

/** Says what was read, and warns. @param opts  as they were for the image */
export function tell(run, job, opts, tally) {
  sayRead(run, formatRead(run, opts, tally));
  if (run.labels) warnOfLabels(run, run.labels, countTwin(run.labels), tally.nRegions);
  if (run.mask && tally.nPixels === 0)
    run.warn(`the mask leaves no pixel of ${run.labels ? "any label" : "the image"}`);
  warnOfLeftOut(run, tally.nNan, "left out of all pairs");
  warnOfClamped(run, opts, tally);
  warnOfRange(run, opts, tally);
  if (tally.nLeftOut > 0)
    run.warn(`no pixel has a value in ${formatKept(opts)} in ${formatRegions(run, tally.nLeftOut, tally)}`);
  warnOfLevels(run, job, opts, tally);
  warnOfSpacing(run, opts);
  warnOfPairs(run, opts, tally);
}
