/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels of a picture as colours: greys, what is set in orange as --overlay draws it, outlines of labels, and the
 * boxes of a size. Values become levels once, so that each frame looks up a colour for each pixel and no more.
 * Nothing here knows the page. */
"use strict";

rugose.paint = (function () {
  const DARK = [140, 70, 0], BRIGHT = [255, 190, 60]; /* of what is set */
  const OUTLINE = [[0, 90, 200], [86, 180, 255]];     /* of labels: where nothing is set, and where something is */
  const DIM = 0.35;      /* of grey outside the mask */
  const NO_DATA = 102, HATCH = 128;
  const MOST_SAMPLES = 1 << 16;
  const MOST_LEVELS = 65000;

  const isLittle = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
  const packed = (a, b, c, d) => ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const pack = (r, g, b) => (isLittle ? packed(255, b, g, r) : packed(r, g, b, 255));

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

  /** Values as levels: {index: Uint16Array, the level of each, values: Float64Array, the value of each level}. Whole
   *  numbers have their own where they are not too far apart, others share steps of the range, each of the value of
   *  one of its pixels. The last four are what is infinite, and what has no value: plain, and where hatches run.
   *  @param width  of a row */
  function levels(values, width) {
    const n = values.length, index = new Uint16Array(n);
    let least = Infinity, most = -Infinity, isWhole = true;
    for (let i = 0; i < n; i++) {
      const v = values[i];
      if (v - v !== 0) continue;
      if (v < least) least = v;
      if (v > most) most = v;
      isWhole = isWhole && v === Math.floor(v);
    }
    if (least > most) least = most = 0;
    const step = isWhole && most - least < MOST_LEVELS ? 1 : (most - least) / (MOST_LEVELS - 1) || 1;
    const last = Math.round((most - least) / step), row = (i) => Math.floor(i / width) + i % width;
    const list = new Float64Array(last + 5);
    for (let i = 0; i < n; i++) {
      const v = values[i];
      index[i] = v - v === 0 ? (v - least) / step + 0.5 : last + (v < 0 ? 1 : v > 0 ? 2 : row(i) % 8 < 2 ? 4 : 3);
      list[index[i]] = v;
    }
    list.set([-Infinity, Infinity, NaN, NaN], last + 1);
    return { index, values: list };
  }

  /** The grey of each level, 0 (black) to 255 (white). */
  function greys({ values }, [least, most]) {
    const scale = most > least ? 255 / (most - least) : 0, n = values.length;
    const flat = (v) => (v > most ? 255 : v < least ? 0 : 128);
    const grey = (v) => (scale ? Math.min(255, Math.max(0, Math.floor((v - least) * scale + 0.5))) : flat(v));
    return Uint8Array.from(values, (v, k) => (v === v ? grey(v) : k === n - 1 ? HATCH : NO_DATA));
  }

  /* The colour of a grey. @param opacity  of what is set, 0: as if it were not */
  const colour = (g, opacity, light) => pack(...DARK.map((dark, i) =>
    Math.floor(g * light * (1 - opacity) + opacity * (dark + (BRIGHT[i] - dark) * g / 255) + 0.5)));

  /** Colours pixels. @param out  Uint32Array of RGBA; @param index  the level of each; @param greys, set  of each
   *  level; @param opacity  of what is set, 0 to 1; @param inside  values of a mask, or null */
  function pixels(out, index, greys, set, opacity, inside) {
    const ink = Uint32Array.from(greys, (g, k) => colour(g, set[k] ? opacity : 0, 1));
    for (let i = 0; i < out.length; i++) out[i] = ink[index[i]];
    if (!inside) return;
    const dim = Uint32Array.from(greys, (g) => colour(g, 0, DIM));
    for (let i = 0; i < out.length; i++) if (isOut(inside[i])) out[i] = dim[index[i]];
  }

  const isOut = (v) => v === 0 || v !== v;

  /** Which pixels are set: 1, else 0; those outside of the mask are not. */
  function marks(index, set, inside) {
    return Uint8Array.from(index, (k, i) => (set[k] && !(inside && isOut(inside[i])) ? 1 : 0));
  }

  /** Draws the outlines of labels over colours. @param set  as of marks() */
  function outlines(out, width, set, labels) {
    const height = out.length / width, ink = OUTLINE.map((c) => pack(...c));
    for (let y = 0, i = 0; y < height; y++)
      for (let x = 0; x < width; x++, i++) {
        const own = labels[i];
        if (!(own > 0)) continue;
        const isInner = y > 0 && x > 0 && y + 1 < height && x + 1 < width && labels[i - 1] === own &&
          labels[i + 1] === own && labels[i - width] === own && labels[i + width] === own;
        if (!isInner) out[i] = ink[set[i]];
      }
  }

  /** Boxes that hold a pixel that is set: [[row, column], ...] of boxes.
   *  @param set  as of marks(), in rows of `width`; @param side  [rows, columns] of a box in pixels of the picture, with
   *    fractions; @param shift  how far the grid begins before the picture, in the same */
  function boxes(set, width, side, shift) {
    const height = set.length / width, row = (y) => Math.floor((y + 0.5 + shift[0]) / side[0]);
    const column = Int32Array.from({ length: width }, (_, x) => Math.floor((x + 0.5 + shift[1]) / side[1]));
    const n = column[width - 1] + 1, found = new Uint8Array(n * (row(height - 1) + 1)), list = [];
    for (let y = 0, i = 0; y < height; y++)
      for (let x = 0, first = n * row(y); x < width; x++, i++) if (set[i]) found[first + column[x]] = 1;
    found.forEach((is, k) => { if (is) list.push([Math.floor(k / n), k % n]); });
    return list;
  }

  return { rangeOf, levels, greys, pixels, marks, outlines, boxes };
})();
