/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which channel of a pixel is read, or the luma of red, green and blue; and what an image may be asked for. */

import { ARRAYS, fail, isReal } from "./bytes.js";

/** Chosen where no channel is: the Rec. 601 luma of three colours. */
export const LUMA = -1;

/** Fails where a page, level or channel is asked that is not there.
 *  @param what  "page", "level", "channel" */
export function checkCount(what, asked, count, format) {
  if (asked < count)
    return;
  if (count === 1)
    fail(`${what} ${asked} requested, but the ${format} file has one ${what} (0)`);
  fail(`${what} ${asked} requested, but the ${format} file has ${count} (0..${count - 1})`);
}

/** Fails where more is asked of a file than a flat picture of one page has. */
export function checkFlat(asked, format, nPages = 1) {
  if (asked.volume)
    fail(`a ${format} file holds no volume; TIFF (its pages), NIfTI and npy do`);
  checkCount("page", asked.page, nPages, format);
  checkCount("level", asked.level, 1, format);
}

/** Chooses a channel, or luma.
 *  @param bands  {n: bands of a pixel, nAlpha: of them at the end, isColour: the first three are red, green, blue}
 *  @returns {{chosen, channel, channels, dropped_alpha}}  chosen: the band, or LUMA */
export function chooseBand(bands, asked, format) {
  const channels = bands.n - bands.nAlpha, isColour = channels === 3 && bands.isColour;
  if (asked.channel < 0 && channels > 1 && !isColour)
    fail(`${channels} channels that are not red, green and blue; choose one with --channel 0..${channels - 1}`);
  checkCount("channel", asked.channel, channels, format);
  const chosen = asked.channel >= 0 ? asked.channel : isColour ? LUMA : 0;
  return { chosen, channel: chosen, channels, dropped_alpha: bands.nAlpha > 0 };
}

/* Colours that are equal are copied: a sum of doubles could differ from them in the last bit. */
function numberLuma(to, at, from, begin, n, step, isInteger) {
  let differ = false;
  const half = isInteger ? 500 : 0;
  for (let i = 0, k = begin; i < n; i++, k += step) {
    const r = from[k], g = from[k + 1], b = from[k + 2];
    if ((r === g && g === b) || (r !== r && g !== g && b !== b)) {
      to[at + i] = r;
      continue;
    }
    const luma = (299 * r + 587 * g + 114 * b + half) / 1000;
    to[at + i] = isInteger ? Math.floor(luma) : luma;
    differ = true;
  }
  return differ;
}

function longLuma(to, at, from, begin, n, step) {
  let differ = false;
  for (let i = 0, k = begin; i < n; i++, k += step) {
    const r = from[k], g = from[k + 1], b = from[k + 2];
    const sum = 299n * r + 587n * g + 114n * b + 500n;
    const isEqual = r === g && g === b;
    to[at + i] = isEqual ? r : sum >= 0n ? sum / 1000n : -((999n - sum) / 1000n);
    differ = differ || !isEqual;
  }
  return differ;
}

/** Makes n pixels of bands that stand beside each other.
 *  @param at, begin  where they go, and where the first band of the first of them is
 *  @param step       bands of a pixel
 *  @returns whether colours differ, of luma */
export function takeBands(to, at, from, begin, n, step, chosen, dtype) {
  if (chosen === LUMA && dtype[1] === "6" && !isReal(dtype))
    return longLuma(to, at, from, begin, n, step);
  if (chosen === LUMA)
    return numberLuma(to, at, from, begin, n, step, !isReal(dtype));
  if (step === 1)
    to.set(from.subarray(begin, begin + n), at);
  else
    for (let i = 0, k = begin + chosen; i < n; i++, k += step)
      to[at + i] = from[k];
  return false;
}

/* ---- Turning ----
 *
 * EXIF (tag 274, as TIFF) numbers the ways in which a picture is stored: which side of it the first row and the
 * first column are. */

const swapsAxes = (orientation) => orientation >= 5;
const reversesRows = (orientation) => [3, 4, 6, 7].includes(orientation);
const reversesColumns = (orientation) => [2, 3, 7, 8].includes(orientation);

/** Brings the layers of an image upright.
 *  @param {{shape, spacing, data, dtype}} image  data is replaced, shape and spacing too where axes are exchanged */
export function turnImage(image, orientation) {
  const [height, width] = image.shape.slice(-2), n = height * width;
  const row = reversesRows(orientation) ? -width : width, column = reversesColumns(orientation) ? -1 : 1;
  const first = (row < 0 ? (height - 1) * width : 0) + (column < 0 ? width - 1 : 0);
  const swaps = swapsAxes(orientation), [high, wide] = swaps ? [width, height] : [height, width];
  const [down, right] = swaps ? [column, row] : [row, column];
  const layer = new ARRAYS[image.dtype](n);
  for (let begin = 0; begin < image.data.length; begin += n) {
    layer.set(image.data.subarray(begin, begin + n));
    for (let y = 0, to = begin; y < high; y++)
      for (let x = 0, from = first + y * down; x < wide; x++, from += right)
        image.data[to++] = layer[from];
  }
  if (swaps) {
    image.shape = [...image.shape.slice(0, -2), high, wide];
    image.spacing = [...image.spacing.slice(0, -2), image.spacing.at(-1), image.spacing.at(-2)];
  }
}

/** The place of an image that is turned. @param affine  rows of the columns of axes, slowest first, then origin */
export function turnAffine(affine, orientation, nAxes, height, width) {
  const y = nAxes - 2;
  for (const row of affine) {
    let [down, right] = [row[y], row[y + 1]];
    if (reversesRows(orientation)) {
      row[3] += down * (height - 1);
      down = -down;
    }
    if (reversesColumns(orientation)) {
      row[3] += right * (width - 1);
      right = -right;
    }
    [row[y], row[y + 1]] = swapsAxes(orientation) ? [right, down] : [down, right];
  }
}
