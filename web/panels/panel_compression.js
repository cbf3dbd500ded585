/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The panel of fractal coding: how small, how close, and what a detail looks like when it is decoded larger. */
"use strict";

rugose.panels.push((function () {
  const { h, show, pieces, pictures } = rugose;
  const NAME = "compress";
  const DETAIL = 96;       /* pixels of a side of the detail */
  const MANY = 1 << 21;    /* pixels of an image that is decoded twice as large instead of four times */
  const SAVED =
    "rugose decompress reads it, with --scale at other sizes. Double-click the picture to move the detail.";

  /* ---- Numbers ---- */

  /* A rule of thumb for pictures of 8 bits. PSNR refers to the whole range of a type, which 16 bits seldom fill. */
  function closeness(psnr, dtype) {
    if (dtype === "u16") return "Refers to 65\u202f535, the largest value of 16 bits.";
    if (psnr >= 40) return "Above 40 dB differences are hardly visible.";
    return psnr >= 30 ? "Between 30 and 40 dB differences show at a close look." : "Below 30 dB differences are plain.";
  }

  function sizeWords(ratio) {
    return ratio >= 1 ? show(ratio, 3) + " times smaller than the pixels."
      : show(1 / ratio, 3) + " times as large as the pixels.";
  }

  function numbersOf(row, dtype) {
    const one = (name, title, value, says) =>
      ({ id: name, name: title, value, says, word: rugose.words.column(NAME, name) });
    const has = (name) => row[name] !== null, why = "Undefined: " + row.status + ".";
    const isEqual = row.status.startsWith("equal");
    return pieces.numbers([
      one("bytes", "bytes", show(row.bytes), sizeWords(row.ratio)),
      one("bpp", "bits per pixel", show(row.bpp, 3), "Uncompressed, a pixel has 8 or 16 for each channel."),
      one("psnr", "PSNR", has("psnr") ? show(row.psnr, 4) + "\u00a0dB" : "–",
        has("psnr") ? closeness(row.psnr, dtype) : isEqual ? "Undefined, as nothing differs." : why),
      one("ssim", "SSIM", has("ssim") ? show(row.ssim, 4) : "–",
        has("ssim") ? "How alike the two are in structure: 1 for equal images." : why),
    ]);
  }

  /* ---- Pictures ---- */

  /* Pixels as a canvas. */
  function canvasOf({ data, shape, planes, dtype }, label) {
    const n = shape[0] * shape[1], list = Array.from({ length: planes }, (_, k) => data.subarray(k * n, (k + 1) * n));
    return pictures.planes(list, shape, dtype === "u16" ? [0, 65535] : [0, 255], { "aria-label": label });
  }

  /* The part of pixels around a place, of a side of n at most. */
  function cut({ data, shape: [ny, nx], planes, dtype }, [row, column], n) {
    const height = Math.min(n, ny), width = Math.min(n, nx);
    const first = (at, side, all) => Math.max(0, Math.min(all - side, Math.round(at - side / 2)));
    const y0 = first(row, height, ny), x0 = first(column, width, nx);
    const part = new data.constructor(planes * height * width);
    for (let k = 0, i = 0; k < planes; k++)
      for (let y = y0; y < y0 + height; y++, i += width) {
        const at = (k * ny + y) * nx + x0;
        part.set(data.subarray(at, at + width), i);
      }
    return { data: part, shape: [height, width], planes, dtype, first: [y0, x0] };
  }

  /* A detail enlarged plainly, and decoded larger. */
  async function drawDetail(state) {
    const { result, at } = state, { decoded, stream } = result.extra, small = cut(decoded, at, DETAIL);
    const scale = decoded.shape[0] * decoded.shape[1] > MANY ? 2 : 4, how = "decoded " + scale + " times larger";
    const part = { scale, first: small.first, shape: small.shape };
    const large = await rugose.engine.decode(stream, part, { key: "detail" });
    if (!large || state.result !== result || state.at !== at) return;
    state.close.replaceChildren(pictures.compare(canvasOf(small, "A detail, each pixel enlarged"),
      canvasOf(large, "The same detail, " + how), ["each pixel enlarged", how]));
  }

  function drawWhole(state) {
    const { original, decoded } = state.result.extra, [ny, nx] = decoded.shape;
    const figure = pictures.compare(canvasOf(original, "The original"), canvasOf(decoded, "What was decoded"),
      ["the original", "as decoded"]);
    const frames = figure.querySelector(".frames");
    frames.addEventListener("dblclick", (event) => {
      const r = frames.getBoundingClientRect();
      pick(state, [(event.clientY - r.top) / r.height * ny, (event.clientX - r.left) / r.width * nx]);
    });
    return figure;
  }

  /* ---- Where the detail is ---- */

  function pick(state, at) {
    state.at = at;
    state.inputs.forEach((input, i) => { input.value = Math.round(at[i]); });
    rugose.agenda.during(() => drawDetail(state).catch((e) => pieces.trouble(state.close, e)));
  }

  function placeFields(state) {
    const changed = () => pick(state, state.inputs.map((input) => Number(input.value) || 0));
    state.inputs = ["row", "column"].map((name) =>
      h("input", { type: "number", min: 0, step: 8, "data-name": "detail-" + name, onchange: changed }));
    const [row, column] = state.inputs;
    return h("div", { class: "controls" }, h("label", { class: "field" }, "Detail at row ", row),
      h("label", { class: "field" }, "column ", column));
  }

  /* ---- The panel ---- */

  function draw(state, result, facts) {
    const { extra, rows } = result, { row } = rows[0] || {};
    if (!row) return {};
    const made = { head: [numbersOf(row, facts.dtype)], notes: pieces.warningsOf(rows) };
    if (!extra || !extra.decoded) return made;
    const isNew = state.facts !== facts, middle = extra.decoded.shape.map((n) => n / 2);
    Object.assign(state, { result, facts });
    const name = facts.name.replace(/^.*\//, "").replace(/\.[^.]*$/, "") + ".rfi";
    made.figures = [drawWhole(state), h("div", {}, state.close, state.fields)];
    made.rest = [h("div", { class: "controls" },
      rugose.saveButton("Save " + name, name, () => extra.stream, "application/octet-stream"),
      h("span", { class: "small soft" }, SAVED))];
    pick(state, isNew ? middle : [...state.at]);
    return made;
  }

  function controls(app) {
    const said = h("output", { class: "small" }), tell = (input) => { said.textContent = input.value; };
    const quality = pieces.field(app, NAME, { name: "quality", title: "Quality", kind: "range",
      min: 1, max: 100, step: 1,
      word: "From 1, smallest, to 100, closest.", read: (value) => value || "50", synced: tell, live: tell });
    quality.append(said);
    return [quality, pieces.field(app, NAME, { name: "residual", title: "Residual",
      choices: [["", "on"], ["off", "off: copies alone"]],
      word: "Whether what the copies miss is coded as well. Off: a pure fractal code." })];
  }

  const accepts = (facts) => (facts.kind === "image" && facts.shape.length === 2 && /^u(8|16)$/.test(facts.dtype)) ||
    "Only 2-D images of 8 or 16 bits can be coded, not volumes, points or other types of numbers.";

  return {
    name: NAME, command: NAME, title: "Compression", options: { quality: null, residual: null },
    takes: [], accepts,
    lead: "Fractal coding writes an image from its own parts: each block is predicted from its neighbours, or is a " +
      "larger block, shrunk, turned, and changed in brightness. So it can be decoded at any size; the detail between " +
      "the pixels is then invented from other parts.",
    make(element, app) {
      const state = { at: null, facts: null, result: null, close: h("div") };
      state.fields = placeFields(state);
      return pieces.panel(element, { controls: controls(app), draw: (...args) => draw(state, ...args) });
    },
  };
})());
