/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What commands say of an input and warn of, word for word as the program does (cli/shared/doubts.c,
 * messages.c, twin.c, labels.c, batch.c, cli/tables/read_line.c). A run has warn(text), image, range,
 * mask and inside: see run.js. */

import { areOneFile, endsOf } from "./prepare.js";
import { exact, fixed, formatReal, formatShort, general } from "./number.js";
import { UsageError, formatForeground } from "./options.js";
import { shapeText } from "./tables.js";

const FEW_SIZES = 5;
const SHARE_HIGH = 0.5;
const SHARE_LOW = 0.001;
const NODATA_HIGH = 0.95;
const MANY_LABELS = 100;
const SHORT_RUN = 4;
const SLOPE_SPREAD = 0.1;
const R_SQUARED = 0.98;

const plural = (n) => (n == 1 ? "" : "s");

/* ---- What was read ---- */

const isCounted = (facts) => facts.nodata_pixels !== undefined && facts.nodata_pixels !== null;
const hasNodata = (facts) => facts.nodata !== undefined;
const nodataValue = (facts) => (facts.nodata === null ? NaN : facts.nodata);

/** NaN among n pixels that are so in the file. */
export const nanOfFile = (image, n) => (isCounted(image.facts) && n > image.nNan ? image.nNan : Number(n));

/** Whether the values are floats, not integers beside pixels that hold no data. */
export const isReal = (image) => image.facts.dtype === "f32" || image.facts.dtype === "f64";

/** Whether pixels of an image hold no data. */
export const lacksData = ({ facts }) => hasNodata(facts) && (!isCounted(facts) || facts.nodata_pixels > 0);

function rangeText(image, range) {
  const [min, max] = endsOf(range), nNan = nanOfFile(image, range.n_nan);
  let text = Number.isNaN(min) ? ", no finite value" : `, range ${formatReal(min)}..${formatReal(max)}`;
  if (nNan > 0) text += `, ${nNan} NaN`;
  if (range.n_infinite > 0) text += `, ${range.n_infinite} infinite`;
  return text;
}

function nodataText(facts) {
  const limit = facts.nodata_limit;
  return formatReal(nodataValue(facts)) + (limit !== undefined && limit !== null ? ".." + formatReal(limit) : "");
}

function nodataShare(image, isKept) {
  const { facts, nPixels } = image;
  if (!hasNodata(facts)) return "";
  const share = (100 * facts.nodata_pixels) / nPixels;
  const decimals = share >= 99.5 && facts.nodata_pixels < nPixels ? 3 : share > 0 && share < 9.5 ? 1 : 0;
  return `, nodata ${nodataText(facts)}` +
    (isCounted(facts) ? `: ${fixed(share, decimals)} % ${isKept ? "kept as stored" : "left out"}` : "");
}

function spacingText({ spacing, spacing_unit: unit }) {
  if (!spacing.some((d) => d > 0)) return "";
  return ", spacing " + spacing.map((d) => (d > 0 ? formatShort(d) : "?")).join("x") + (unit ? " " + unit : "");
}

function channelsText(f, keepsColours) {
  let text = "";
  const kept = keepsColours ? ", all kept" : "";
  if (f.channels > 1 && f.channel !== null && f.channel >= 0) text = `, channel ${f.channel} of ${f.channels}`;
  else if (f.channels > 1 && f.equal_channels) text = `, ${f.channels} equal channels${kept}`;
  else if (keepsColours) text = ", red, green and blue kept";
  else if (f.channels > 1) text = `, luma of ${f.channels} channels`;
  return text + (f.dropped_alpha ? ", alpha dropped" : "");
}

function factsText({ facts: f, meaning }, keepsColours) {
  let text = "";
  if (f.pages > 1 && f.page >= 0) text += `, page ${f.page} of ${f.pages}`;
  else if (f.pages > 1) text += `, pages as slices (--page takes one of ${f.pages})`;
  if (f.levels > 1) text += `, level ${f.level} of ${f.levels}`;
  text += channelsText(f, keepsColours);
  if (f.orientation !== undefined)
    text += `, turned as ${f.format === "tiff" ? "TIFF" : "EXIF"} asks (${f.orientation})`;
  if (meaning) text += `, ${meaning}`;
  if (f.white_is_zero) text += ", white-is-zero inverted";
  if (f.slope !== 1 || f.intercept !== 0) text += `, scaled by ${formatReal(f.slope)} + ${formatReal(f.intercept)}`;
  return text;
}

/* What stands behind "read NAME: ".
 *  @param range  null leaves it out
 *  @param extra  for the end; "" leaves it out
 *  @param how    {keepsNodata, keepsColours} */
function readLine(image, range, extra, how = {}) {
  const { facts } = image, files = facts.files > 1 ? `${facts.files} files, ` : "";
  return files + `${shapeText(image.shape)} ${facts.dtype}` + (range ? rangeText(image, range) : "") +
    nodataShare(image, how.keepsNodata) + spacingText(image) + factsText(image, how.keepsColours) +
    (extra ? ", " + extra : "");
}

const axisName = (axis) => (axis < 3 ? "xyz"[axis] : `axis ${axis + 1}`);

/** Likewise of points. */
export function readPointsLine({ nPoints, nAxes, hasElements, facts }, extra) {
  let text = `${nPoints} point${plural(nPoints)} in ${nAxes}D ${facts.dtype}`;
  facts.axes.forEach(({ min, max }, a) => {
    text += `, ${axisName(a)} ${formatShort(min ?? NaN)}..${formatShort(max ?? NaN)}`;
  });
  if (facts.columns !== undefined) text += `, from columns ${facts.columns}`;
  if (facts.left_out !== undefined) text += ` (left out: ${facts.left_out})`;
  if (facts.header) text += ", header skipped";
  if (hasElements) text += ", element symbols skipped";
  if (facts.comment_lines > 0) text += `, ${facts.comment_lines} comment line${plural(facts.comment_lines)}`;
  return text + (extra ? ", " + extra : "");
}

/** Warns where nearly nothing is left, where nothing has the value that was given, and where pixels
 *  without data are measured all the same.
 *  @param keepsNodata  the command takes them as they are stored */
export function warnOfNodata(run, keepsNodata = false) {
  const { facts, nPixels } = run.image;
  if (!isCounted(facts)) return;
  const n = facts.nodata_pixels, left = nPixels - n, value = nodataText(facts), asked = run.values.nodata;
  if (keepsNodata && n > 0)
    run.warn(`nodata ${value}: ${n} of ${nPixels} values stand for no data, and are taken as they are stored`);
  else if (!keepsNodata && left === 0) run.warn(`nodata ${value}: no pixel is left; --nodata none reads all`);
  else if (!keepsNodata && left < (1 - NODATA_HIGH) * nPixels)
    run.warn(`nodata ${value}: only ${left} of ${nPixels} pixels are left; --nodata none reads all`);
  else if (asked && asked !== "none" && n === 0 && !Number.isNaN(nodataValue(facts)))
    run.warn(`nodata ${value}: no pixel has this value`);
}

/** Sets what was read, and warns of nodata. */
export function sayRead(run, extra, how = {}) {
  run.read = readLine(run.image, run.range, extra, how);
  warnOfNodata(run, how.keepsNodata);
}

/* ---- Masks and labels ---- */

function valuesText(twin, image) {
  const text = isReal(image) ? formatShort : formatReal, more = twin.least.length < twin.distinct ? " ..." : "";
  const least = twin.least.map((v) => " " + text(typeof v === "bigint" ? v : v + 0));
  return `${twin.isMore ? "more than " : ""}${twin.distinct} value${plural(twin.distinct)}${least.join("")}${more}`;
}

function warnOfLossy(run, what, { name, lossy }, remedy) {
  run.warn(`the ${what} ${name} is a ${lossy} file, whose values are not exact: save it as PNG${remedy}`);
}

const SAY_INSIDE = "say what is inside with --mask-value V, --mask-above T or --mask-below T";

/* What was said while a file that goes with the image was read. */
const sayWarnings = (run, { name, warnings }) => warnings.forEach((text) => run.warn(`${name}: ${text}`));

/** Notes what was read of a mask, and warns of one that seems to be none. */
export function sayMask(run, twin) {
  const { mask, inside } = run;
  const isImage = areOneFile(mask, run.image);
  if (isImage && inside.kind === "nonzero") run.warn("image and mask are the same file");
  if (!isImage) sayWarnings(run, mask);
  const text = valuesText(twin, mask), share = (100 * twin.inside) / twin.pixels;
  const fractions = twin.hasFractions ? ", fractions" : "", all = twin.inside === twin.pixels;
  const turned = mask.turned ? ", " + mask.turned : "";
  const what = `inside ${fixed((twin.inside / twin.pixels) * 100, 1)} %, ${text}${turned}`;
  run.notes.push(`mask ${mask.name}: ` + readLine(mask.stored || mask, null, what));
  if (mask.lossy && inside.kind === "nonzero") warnOfLossy(run, "mask", mask, ", or give --mask-above T");
  if (inside.kind !== "nonzero") {
    if (all) run.warn(`every pixel is inside the mask ${mask.name} (${text})`);
  } else if (all) {
    run.warn(`the mask ${mask.name} has no 0, so every pixel is inside (${text}${fractions}): ${SAY_INSIDE}`);
  } else if (twin.distinct > 2 || twin.hasFractions) {
    run.warn(`the mask ${mask.name} has ${text}${fractions}; all but 0 are inside, ${fixed(share, 1)} % of the ` +
      `pixels: ${SAY_INSIDE}`);
  }
}

/** Takes the labels of a run: notes what was read of them. @return their pixels */
export function takeLabels(run) {
  const { image, labels, given } = run, { facts } = labels;
  const isImage = areOneFile(labels, image);
  if (isImage && !given.has("foreground")) run.warn("image and label image are the same file");
  if (!isImage) sayWarnings(run, labels);
  run.notes.push(`read ${labels.name}: ` + readLine(labels.stored || labels, null, labels.turned));
  if (labels.lossy) warnOfLossy(run, "label image", labels, "");
  if (facts.channels > 1 && !facts.equal_channels)
    throw new UsageError(`the label image has ${facts.channels} channels that differ; ` +
      "labels are numbers in one channel");
  return labels.pixels;
}

/** Warns of a label image without labels, and of one that seems to be none. */
export function warnOfLabels(run, labels, t, nLabels) {
  if (nLabels === 0) run.warn(`the label image ${labels.name} has no label other than 0`);
  const n = t.distinct - (t.set + t.nan < t.pixels ? 1 : 0);
  const areStrewn = t.set < SHORT_RUN * t.runs && t.touching > Math.floor(t.runs / 2);
  if (n < MANY_LABELS || (t.small <= Math.floor(n / 2) && !areStrewn)) return;
  run.warn(`the label image ${labels.name} has ${t.isMore ? "more than " : ""}${n} labels, ` +
    `${fixed((100 * t.small) / n, 1)} % of them with fewer than 5 pixels, in runs of ${fixed(t.set / t.runs, 2)} ` +
    "pixels on average: is it an image of grey values?");
}

/* ---- Foreground ---- */

function nameOfRule(range, asked, rule) {
  if (!["auto", "otsu", "otsu-dark"].includes(asked.kind)) return rule.kind;
  if (asked.kind === "otsu-dark") return "otsu-dark";
  return asked.kind === "auto" && range.n_distinct === 2 && !range.distinct_is_min ? "larger value" : "otsu";
}

/** The foreground for the read line: its share, how it was chosen, the pixels of the mask.
 *  @param share    0..1; NaN: not known
 *  @param nPixels  inside of the mask, where there is one */
export function foregroundText(run, asked, rule, share, nPixels) {
  const how = rule.kind === "nonzero" ? rule.kind
    : nameOfRule(run.range, asked, rule) + " " + formatReal(exact(rule.value, rule.rest));
  const percent = Number.isNaN(share) ? "nan" : fixed(share * 100, 1);
  return `foreground ${percent} % (${how})` + (run.mask ? ` of ${nPixels} pixels inside the mask` : "");
}

const OTHERS = {
  auto: ["otsu-dark", "dark"], otsu: ["otsu-dark", "dark"], above: ["below", "dark"], nonzero: ["label", "zero"],
  "otsu-dark": ["otsu", "bright"], below: ["above", "bright"],
};

/* The rule that takes the other pixels, and what it does. @return null: there is none */
function othersText(asked) {
  if (!OTHERS[asked.kind]) return null;
  const [kind, name] = OTHERS[asked.kind], rule = { kind, value: asked.kind === "nonzero" ? 0 : asked.value };
  return `--foreground ${formatForeground(rule)} takes the ${name} pixels`;
}

/** Warns of a mask without pixels, of a foreground that is nearly nothing or everything, and of one above
 *  half of the image, with the rule for the other pixels. */
export function warnOfShare(run, asked, share, nPixels) {
  const others = share < 1 ? othersText(asked) : null, percent = general(share * 100, 4);
  if (nPixels === 0) run.warn("the mask is empty");
  else if (share > SHARE_HIGH && others) run.warn(`foreground is ${percent} % of the image; ${others}`);
  else if (share > SHARE_HIGH || share < SHARE_LOW)
    run.warn(`foreground is ${percent} % of the image: is --foreground right?`);
}

/** Warns of a threshold that was found among floats, and of NaN. */
export function warnOfValues(run, asked) {
  const { image, range: r } = run;
  if (!isReal(image)) return;
  const nNan = nanOfFile(image, r.n_nan);
  if (r.n_distinct > 2 && asked.kind === "auto")
    run.warn(`values are not integers (${general(r.min)}..${general(r.max)}, ` +
      `${r.distinct_is_min ? "more than " : ""}${r.n_distinct} distinct), so Otsu's threshold is used; choose ` +
      "another with --foreground above=T or label=L");
  if (nNan > 0) run.warn(`${nNan} pixels are NaN and count as background`);
}

/** Warns of pixels that are not finite, but for those that hold no data.
 *  @param n     of both
 *  @param what  becomes of them */
export function warnOfLeftOut(run, n, what) {
  const { image, range } = run, own = isCounted(image.facts) ? image.nNan + Number(range.n_infinite) : Infinity;
  const left = Math.min(Number(n), own);
  if (left > 0) run.warn(`${left} NaN or infinite pixel${plural(left)} ${what}`);
}

/* ---- Spacing and sizes ---- */

export const RESAMPLE = "resample to equal spacing first";

/** The least and the largest distance of pixels where they are known along some axes and differ by more
 *  than a hundredth; else null. @param isIn  (index from the last axis: 0 is x) => whether it counts */
export function unequalSpacing({ spacing }, isIn = () => true) {
  const chosen = spacing.filter((d, a) => isIn(spacing.length - 1 - a));
  if (!chosen.every((d) => d > 0)) return null;
  const lo = Math.min(...chosen), hi = Math.max(...chosen);
  return hi > 1.01 * lo ? [lo, hi] : null;
}

/** Warns of pixels that are no cubes. @param remedy  what to do */
export function warnOfSpacing(run, remedy) {
  const [lo, hi] = unequalSpacing(run.image) || [];
  if (lo !== undefined)
    run.warn(`spacing is unequal (${general(lo)} to ${general(hi)}, ratio ${general(hi / lo, 3)}): boxes are cubes ` +
      `in pixels, not in space; ${remedy}`);
}

/* The shortest axis longer than a pixel; -1: there is none. */
function findThinnest(shape, pixelSize) {
  let thinnest = -1, least = Infinity;
  shape.forEach((n, a) => {
    const extent = n * (pixelSize ? Number(pixelSize[a]) : 1);
    if (n === 1 || extent >= least) return;
    least = extent;
    thinnest = a;
  });
  return thinnest;
}

/** Warns of a fit that takes boxes larger than an axis, unless its range was asked for.
 *  @param asked      the range of sizes of options.js
 *  @param pixelSize  sides of a pixel in the unit of sizes; null: 1
 *  @param sizeMax    of the fit */
export function warnOfThinAxis(run, asked, pixelSize, sizeMax) {
  const { shape, facts } = run.image, a = findThinnest(shape, pixelSize);
  if (a < 0 || (asked.text !== null && !asked.isAuto)) return;
  const side = pixelSize ? Number(pixelSize[a]) : 1, n = shape[a];
  if (Number(sizeMax) <= side * n) return;
  const arePictures = shape.length === 3 && facts.pages > 1;
  const name = "zyx"[3 - shape.length + a], most = general(Number(sizeMax) / side, 4);
  run.warn(`axis ${name} has ${n} pixels, and the fit takes boxes of up to ${most} of them, ` +
    `which measure the other ax${shape.length === 2 ? "is" : "es"} alone; ` +
    "choose sizes with --fit A..B" + (arePictures ? ", or take the pages as pictures with --page all" : ""));
}

/* ---- Fits ---- */

/** The options of a fit of a range of sizes. */
export const fitOptions = (asked) => ({ auto_range: asked.isAuto ? 1 : 0, size_min: asked.min, size_max: asked.max });

const isBelowDecade = (min, max) => Number(max) < 10 * Number(min);

/** Whether a fit covers so little that it says little. */
export const isShortFit = (n, min, max) => n < FEW_SIZES || isBelowDecade(min, max);

/** Warns of a fit without a scaling range, of none, and of a short one.
 *  @param fit    {status, n_sizes, size_min, size_max}
 *  @param range  its sizes as text, where they are not in pixels */
export function warnOfFit(run, fit, range = `${fit.size_min}..${fit.size_max}`) {
  const { status, n_sizes: n, size_min: min, size_max: max } = fit;
  if (status === "empty") return;
  if (status === "no scaling range")
    run.warn(`no three sizes have local slopes within ${general(SLOPE_SPREAD)} of each other; the three with the ` +
      "steadiest slopes were used");
  if (n === 0) run.warn("the range of the fit holds no size to fit; give --fit A..B");
  else if (isShortFit(n, min, max))
    run.warn(`the fit covers ${n} size${plural(n)} (${range})${isBelowDecade(min, max) ? ", less than a decade" : ""}`);
}

/** Warns of counts that lie on no line. */
export function warnOfLine(run, fit) {
  if (fit.r_squared < R_SQUARED)
    run.warn(`the counts do not lie on a line (R2 ${fixed(fit.r_squared, 3)}); look at the local slopes (--plot, or ` +
      "-f json)");
}
