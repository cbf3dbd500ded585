/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels of a picture as colours: greys, what is set in orange as --overlay draws it, outlines of labels, and the
 * boxes of a size. Nothing here knows the page. */
"use strict";

rugose.paint = (function () {
  const DARK = [140, 70, 0], BRIGHT = [255, 190, 60]; /* of what is set */
  const OUTLINE = [[0, 90, 200], [86, 180, 255]];     /* of labels: where nothing is set, and where something is */
  const DIM = 0.35;      /* of grey outside the mask */
  const NO_DATA = 102, HATCH = 128;
  const MOST_SAMPLES = 1 << 16;

  const isLittle = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
  const pack = (r, g, b) => (isLittle ? (255 << 24) | (b << 16) | (g << 8) | r : (r << 24) | (g << 16) | (b << 8) | 255) >>> 0;

  /** What becomes black and white: all values, or those between the percentiles 1 and 99 where there is
   *  something between them. @return [least, most]; [0, 1] where no value is finite */
  function rangeOf(values, isWhole) {
    const step = Math.max(1, Math.floor(values.length / MOST_SAMPLES)), some = [];
    let least = Infinity, most = -Infinity;
    for (let i = 0; i < values.length; i++) {
      const v = values[i];
      if (!Number.isFinite(v)) continue;
      if (v < least) least = v;
      if (v > most) most = v;
      if (i % step === 0) some.push(v);
    }
    if (least > most) return [0, 1];
    const sorted = Float32Array.from(some).sort(), at = (share) => sorted[Math.round(share * (sorted.length - 1))];
    const isTwo = sorted.every((v) => v === least || v === most);
    if (isWhole || isTwo) return [least, most];
    return at(0.01) < at(0.99) ? [at(0.01), at(0.99)] : [least, most];
  }

  /** Values as 0 (black) to 255 (white); what has none is hatched. */
  function greys(values, width, [least, most]) {
    const out = new Uint8Array(values.length), scale = most > least ? 255 / (most - least) : 0;
    for (let i = 0; i < out.length; i++) {
      const v = values[i];
      if (v !== v) out[i] = (Math.floor(i / width) + i % width) % 8 < 2 ? HATCH : NO_DATA;
      else if (scale === 0) out[i] = v > most ? 255 : v < least ? 0 : 128;
      else out[i] = Math.min(255, Math.max(0, (v - least) * scale + 0.5));
    }
    return out;
  }

  /* Colours of the greys. @param opacity  of what is set, 0: as if nothing were set */
  const palette = (opacity, light) => Array.from({ length: 256 }, (_, g) => pack(...DARK.map((dark, i) =>
    Math.floor(g * light * (1 - opacity) + opacity * (dark + (BRIGHT[i] - dark) * g / 255) + 0.5))));

  /** Makes what lies outside of a mask neither set nor not. @param set  as of rules.mark() */
  function mask(set, inside) {
    for (let i = 0; i < set.length; i++) if (inside[i] === 0 || inside[i] !== inside[i]) set[i] = 2;
  }

  /** Colours pixels. @param out  Uint32Array of RGBA; @param greys  as of greys(); @param set  0, 1, or 2: outside of
   *  the mask; @param opacity  of what is set, 0 to 1 */
  function pixels(out, greys, set, opacity) {
    const ink = Uint32Array.from([...palette(0, 1), ...palette(opacity, 1), ...palette(0, DIM)]);
    for (let i = 0; i < out.length; i++) out[i] = ink[(set[i] << 8) | greys[i]];
  }

  /** Draws the outlines of labels over colours. */
  function outlines(out, width, set, labels) {
    const height = out.length / width, ink = OUTLINE.map((c) => pack(...c));
    for (let y = 0, i = 0; y < height; y++)
      for (let x = 0; x < width; x++, i++) {
        const own = labels[i];
        if (!(own > 0)) continue;
        const isInner = y > 0 && x > 0 && y + 1 < height && x + 1 < width && labels[i - 1] === own &&
          labels[i + 1] === own && labels[i - width] === own && labels[i + width] === own;
        if (!isInner) out[i] = ink[set[i] === 1 ? 1 : 0];
      }
  }

  /** Boxes that hold a pixel that is set: [[row, column], ...] of boxes.
   *  @param set  of pixels, in rows of `width`; @param side  [rows, columns] of a box in pixels of the picture, with
   *    fractions; @param shift  how far the grid begins before the picture, in the same */
  function boxes(set, width, side, shift) {
    const height = set.length / width, row = (y) => Math.floor((y + 0.5 + shift[0]) / side[0]);
    const column = Int32Array.from({ length: width }, (_, x) => Math.floor((x + 0.5 + shift[1]) / side[1]));
    const n = column[width - 1] + 1, found = new Uint8Array(n * (row(height - 1) + 1)), list = [];
    for (let y = 0, i = 0; y < height; y++)
      for (let x = 0, first = n * row(y); x < width; x++, i++) if (set[i] === 1) found[first + column[x]] = 1;
    found.forEach((is, k) => { if (is) list.push([Math.floor(k / n), k % n]); });
    return list;
  }

  return { rangeOf, greys, mask, pixels, outlines, boxes };
})();
