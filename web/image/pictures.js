/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Values as pictures: a map of codes or of a feature with its legend, grey pixels, and two pictures behind a
 * dragged edge. The palette is viridis, as d3 has it: it grows lighter from end to end, and people who are
 * colour-blind can read it. */
"use strict";

rugose.pictures = (function () {
  const { h, show } = rugose;
  const MOST = 1024;   /* pixels of a side that are drawn; the values under the pointer are those of all */
  const SHADES = 256;
  const FAINT = 36;    /* opacity of what is not pointed at, of 255 */

  /* ---- Colours ---- */

  /* A colour as a pixel of ImageData, whose bytes are red, green, blue, opacity. */
  function pixelOf(text) {
    const { r, g, b } = d3.rgb(text);
    return new Uint32Array(new Uint8Array([r, g, b, 255]).buffer)[0];
  }

  const shades = Uint32Array.from({ length: SHADES }, (_, i) => pixelOf(d3.interpolateViridis(i / (SHADES - 1))));
  const shadeOf = (t) => shades[Math.round(Math.min(1, Math.max(0, t)) * (SHADES - 1))];

  /** The colour of a code among n; the last one is grey where it stands for all other patterns. */
  function codeColour(code, n, hasOther) {
    const last = hasOther ? n - 1 : n;
    return code >= last ? "#8c9198" : d3.interpolateViridis(last > 1 ? code / (last - 1) : 0.5);
  }

  /* The same pixel, faint. */
  const faint = (() => {
    const bytes = new Uint8Array(4), word = new Uint32Array(bytes.buffer);
    return (pixel) => {
      word[0] = pixel;
      bytes[3] = FAINT;
      return word[0];
    };
  })();

  /* ---- Values ---- */

  /** One slice of a volume along an axis, the middle one by default, or an image itself:
   *  {values, shape: [rows, columns]}. */
  function sliceOf(values, shape, axis, slice) {
    if (shape.length === 2) return { values, shape };
    const steps = [shape[1] * shape[2], shape[2], 1], [a, b] = [0, 1, 2].filter((i) => i !== axis);
    const wanted = slice === null ? Math.floor(shape[axis] / 2) : slice;
    const first = steps[axis] * Math.min(shape[axis] - 1, wanted), found = new values.constructor(shape[a] * shape[b]);
    for (let y = 0, i = 0; y < shape[a]; y++)
      for (let x = 0; x < shape[b]; x++, i++) found[i] = values[first + y * steps[a] + x * steps[b]];
    return { values: found, shape: [shape[a], shape[b]] };
  }

  /* How many pixels of a picture are drawn: {width, height}. */
  function drawnSize([ny, nx]) {
    const times = Math.min(1, MOST / Math.max(nx, ny));
    return { width: Math.max(1, Math.round(nx * times)), height: Math.max(1, Math.round(ny * times)) };
  }

  /* Draws values on a canvas, the nearest for each of its pixels. @param colour  (value, index) -> pixel */
  function paint(canvas, values, [ny, nx], colour) {
    const { width, height } = drawnSize([ny, nx]);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const context = canvas.getContext("2d"), image = context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const columns = Uint32Array.from({ length: width }, (_, x) => Math.min(nx - 1, Math.floor((x + 0.5) * nx / width)));
    for (let y = 0, i = 0; y < height; y++) {
      const row = Math.min(ny - 1, Math.floor((y + 0.5) * ny / height)) * nx;
      for (let x = 0; x < width; x++, i++) pixels[i] = colour(values[row + columns[x]], row + columns[x]);
    }
    context.putImageData(image, 0, 0);
  }

  /* A canvas that is as large as the page leaves it room for. */
  function canvasFor(shape, attributes) {
    const [ny, nx] = shape, isCoarse = Math.max(nx, ny) < 400;
    return h("canvas", { class: isCoarse ? "coarse" : null, ...attributes });
  }

  const ratioOf = (canvas) => "--ratio: " + (canvas.width / canvas.height).toFixed(4);

  /** Planes of pixels on a canvas: one is grey, three are red, green and blue. @param range  of black and white */
  function planes(list, shape, [low, high], attributes) {
    const canvas = canvasFor(shape, { role: "img", ...attributes });
    const [red, green, blue] = list.length === 3 ? list : Array(3).fill(list[0]);
    const bytes = new Uint8Array(4), word = new Uint32Array(bytes.buffer), scale = 255 / (high - low || 1);
    const light = (v) => Math.round(Math.min(255, Math.max(0, (v - low) * scale)));
    bytes[3] = 255;
    paint(canvas, { length: red.length }, shape, (_, i) => {
      [bytes[0], bytes[1], bytes[2]] = [light(red[i]), light(green[i]), light(blue[i])];
      return word[0];
    });
    return canvas;
  }

  /* ---- A map ---- */

  /* From the least colour to the greatest, with their values. */
  function legend([low, high], o) {
    const bar = h("canvas", { width: SHADES, height: 1, "aria-hidden": "true" });
    paint(bar, Float32Array.from({ length: SHADES }, (_, i) => i / (SHADES - 1)), [1, SHADES], shadeOf);
    const text = (value, sign) => (o.isCut ? sign + "\u00a0" : "") + show(value, 3);
    return h("div", { class: "shades" }, h("span", {}, text(low, "≤")), bar, h("span", {}, text(high, "≥")));
  }

  /* Tells the value under the pointer, or under a mark that arrows move. */
  function readout(canvas, mark, tell, shape) {
    const [ny, nx] = shape, at = { x: Math.floor(nx / 2), y: Math.floor(ny / 2) };
    const go = (x, y) => {
      Object.assign(at, { x: Math.min(nx - 1, Math.max(0, x)), y: Math.min(ny - 1, Math.max(0, y)) });
      tell(at.x, at.y);
    };
    const show = (isShown) => {
      mark.hidden = !isShown;
      mark.style.left = 100 * (at.x + 0.5) / nx + "%";
      mark.style.top = 100 * (at.y + 0.5) / ny + "%";
    };
    canvas.addEventListener("pointermove", (event) => {
      const r = canvas.getBoundingClientRect();
      go(Math.floor((event.clientX - r.left) / r.width * nx), Math.floor((event.clientY - r.top) / r.height * ny));
      show(false);
    });
    canvas.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      const n = event.shiftKey ? Math.max(1, Math.round(nx / 10)) : 1;
      go(at.x + n * step[0], at.y + n * step[1]);
      show(true);
    });
    canvas.addEventListener("blur", () => show(false));
  }

  /** A map with its legend; pointing at it, or arrows, tell its values.
   *  @param values  typed array; @param shape  [rows, columns]
   *  @param o.alt  a sentence; o.range  [least, greatest]: default that of 98 % of them
   *  @param o.colour  value -> a colour, instead of shades with a legend; o.text  value -> its words
   *  @param o.caption  below the picture
   *  @return {element, canvas, highlight(test)}: test is of values, null shows all */
  function map(values, shape, o) {
    const range = o.range || rugose.paint.rangeOf(values), span = range[1] - range[0];
    const canvas = canvasFor(shape, { tabindex: 0, role: "img", "aria-label": o.alt });
    const mark = h("span", { class: "at", hidden: true, "aria-hidden": "true" });
    const said = h("output", { class: "small", "data-name": "value" }, "\u00a0");
    const known = new Map();
    const own = (v) => known.get(v) || known.set(v, pixelOf(o.colour(v))).get(v);
    const shade = (v) => shadeOf(span > 0 ? (v - range[0]) / span : 0.5);
    const colour = (v) => (Number.isNaN(v) ? 0 : o.colour ? own(v) : shade(v));
    const text = o.text || ((v) => (Number.isNaN(v) ? "undefined" : show(v, 5)));
    const chosen = (test) => (v) => (test(v) ? colour(v) : faint(colour(v)));
    const draw = (test) => paint(canvas, values, shape, test ? chosen(test) : colour);
    const tell = (x, y) => { said.textContent = "row " + y + ", column " + x + ": " + text(values[y * shape[1] + x]); };
    draw(null);
    readout(canvas, mark, tell, shape);
    const element = h("figure", { class: "map" }, h("div", { class: "frames", style: ratioOf(canvas) }, canvas, mark),
      o.colour ? null : legend(range, { isCut: !o.range }), h("figcaption", {}, o.caption || null, h("div", {}, said)));
    return { element, canvas, highlight: draw };
  }

  /* ---- Two pictures ---- */

  /** One picture over another, with an edge that is dragged. @param words  [left, right] */
  function compare(left, right, words) {
    right.classList.add("over");
    const edge = h("span", { class: "edge", "aria-hidden": "true" });
    const frames = h("div", { class: "frames", style: ratioOf(left) }, left, right, edge);
    const slider = h("input", { type: "range", min: 0, max: 100, value: 50,
      "aria-label": "Edge between the two pictures, in percent from the left", oninput: () => cut(slider.value) });
    const cut = (percent) => {
      slider.value = percent;
      frames.style.setProperty("--cut", percent + "%");
    };
    const follow = (event) => {
      const r = frames.getBoundingClientRect();
      cut(Math.min(100, Math.max(0, 100 * (event.clientX - r.left) / r.width)).toFixed(1));
    };
    frames.addEventListener("pointerdown", (event) => {
      frames.setPointerCapture(event.pointerId);
      follow(event);
    });
    frames.addEventListener("pointermove", (event) => event.buttons && follow(event));
    return h("figure", { class: "compare" }, frames, slider,
      h("figcaption", {}, "Left: " + words[0] + "; right: " + words[1] + ". Drag the edge."));
  }

  return { codeColour, sliceOf, planes, map, compare };
})();
