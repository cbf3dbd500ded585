/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The panel of fractal coding: how small, how close, and what a detail looks like when it is decoded larger. */
"use strict";

rugose.panels.push((function () {
  const { h, show, pieces, pictures } = rugose;
  const NAME = "compress";
  const DETAIL = 96; /* pixels of a side of the detail */
  const TIMES = 4;   /* how many times larger it is decoded */

  /* ---- Numbers ---- */

  function closeness(psnr) {
    if (psnr === null) return "No pixel differs.";
    return psnr >= 40 ? "Hardly anyone sees a difference at 40 dB." : psnr >= 30 ? "Differences are seen at a close look below 40 dB."
      : "Differences are plain below 30 dB.";
  }

  function numbersOf(row) {
    const word = (name) => rugose.words.column(NAME, name);
    return pieces.numbers([
      { id: "bytes", name: "bytes", value: show(row.bytes), says: show(row.ratio, 3) + " times smaller than the pixels.", word: word("ratio") },
      { id: "bpp", name: "bits per pixel", value: show(row.bpp, 3), says: "The pixels have 8 or 16 for each colour.", word: word("bpp") },
      { id: "psnr", name: "PSNR", value: row.psnr === null ? "undefined" : show(row.psnr, 4) + "\u00a0dB", says: closeness(row.psnr), word: word("psnr") },
      { id: "ssim", name: "SSIM", value: show(row.ssim, 4), says: "How alike both look, by structure: 1 for equal images.", word: word("ssim") },
    ]);
  }

  /* ---- Pictures ---- */

  const rangeOf = (facts) => (facts.dtype === "u8" ? [0, 255] : [facts.range.min, facts.range.max]);

  /* The part of pixels around a place, of a side of n: {values, shape}. */
  function cut({ data, shape }, [row, column], n) {
    const [ny, nx] = shape, height = Math.min(n, ny), width = Math.min(n, nx);
    const first = (at, side, all) => Math.max(0, Math.min(all - side, Math.round(at - side / 2)));
    const y0 = first(row, height, ny), x0 = first(column, width, nx), values = new Float32Array(height * width);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) values[y * width + x] = data[(y0 + y) * nx + x0 + x];
    return { values, shape: [height, width], first: [y0, x0] };
  }

  /* A detail enlarged plainly, and decoded larger. */
  async function detail(state, place) {
    const { result, facts, at } = state, { decoded, stream } = result.extra, key = JSON.stringify([facts.id, at, result.rows[0].row.bytes]);
    if (key === state.detailKey) return;
    state.detailKey = key;
    const small = cut(decoded, at, DETAIL);
    const large = await rugose.engine.decode(stream, { scale: TIMES, first: small.first, shape: small.shape }, { key: "detail" });
    if (!large || state.detailKey !== key) return;
    const range = rangeOf(facts), picture = (values, shape, alt) => pictures.grey(values, shape, range, { "aria-label": alt });
    place.replaceChildren(pictures.compare(picture(small.values, small.shape, "A detail, each pixel enlarged"),
      picture(large.data, large.shape, "The same detail, decoded at four times the size"),
      ["each pixel enlarged", "decoded " + TIMES + " times larger"]));
  }

  async function both(state, place, pick) {
    const { result, facts } = state, { decoded } = result.extra, [ny, nx] = decoded.shape;
    const original = await rugose.engine.picture(facts.id, { width: nx, height: ny }, { key: "original" });
    if (!original || state.result !== result) return;
    const range = rangeOf(facts), figure = pictures.compare(
      pictures.grey(original.values, [original.height, original.width], range, { "aria-label": "The original" }),
      pictures.grey(decoded.data, decoded.shape, range, { "aria-label": "What was decoded" }), ["the original", "what was decoded"]);
    const frames = figure.querySelector(".frames");
    frames.addEventListener("dblclick", (event) => {
      const r = frames.getBoundingClientRect();
      pick([(event.clientY - r.top) / r.height * ny, (event.clientX - r.left) / r.width * nx]);
    });
    place.replaceChildren(figure);
  }

  /* ---- The panel ---- */

  function placeFields(state, pick) {
    const field = (index, title) => h("label", { class: "field" }, title + " ", h("input", { type: "number", min: 0, step: 8, size: 5,
      value: Math.round(state.at[index]), "data-name": "detail-" + index, onchange: (event) => {
        const at = [...state.at];
        at[index] = Number(event.target.value) || 0;
        pick(at);
      } }));
    return h("div", { class: "controls" }, field(0, "Detail at row"), field(1, "column"));
  }

  function draw(state, result, facts) {
    const { row } = result.rows[0] || {}, { extra = {} } = result;
    if (!row) return {};
    const notes = pieces.warningsOf(result.rows);
    if (state.facts !== facts || !state.at) state.at = extra.decoded ? extra.decoded.shape.map((n) => n / 2) : null;
    Object.assign(state, { result, facts });
    if (!extra.decoded) return { head: [numbersOf(row)], notes };
    const whole = h("div"), close = h("div"), controls = h("div"), fail = (e) => close.replaceChildren(h("p", { class: "notice" }, e.message));
    const pick = (at) => {
      state.at = at;
      controls.replaceChildren(placeFields(state, pick));
      detail(state, close).catch(fail);
    };
    state.detailKey = "";
    both(state, whole, pick).catch(fail);
    pick(state.at);
    const save = rugose.saveButton("Save .rfi", facts.name.replace(/^.*\//, "").replace(/\.[^.]*$/, "") + ".rfi", () => extra.stream);
    return { head: [numbersOf(row)], notes, figures: [whole, h("div", {}, controls, close)], rest: [h("div", { class: "controls" }, save,
      h("span", { class: "small soft" }, "The stream; rugose decompress --scale decodes it at any size. Double click on the picture to move the detail."))] };
  }

  function controls(app) {
    const said = h("output", { class: "small" });
    const quality = pieces.field(app, NAME, { name: "quality", title: "Quality", kind: "range", min: 1, max: 100, step: 1,
      word: "From 1, smallest, to 100, closest.", read: (value) => value || "50", synced: (input) => { said.textContent = input.value; },
      live: (input) => { said.textContent = input.value; } });
    quality.append(said);
    return [quality,
      pieces.field(app, NAME, { name: "residual", title: "Residual", choices: [["", "on"], ["off", "off: transforms alone"]],
        word: "Whether the stream also codes what the transforms miss. Off is a pure fractal code." })];
  }

  return {
    name: NAME, command: NAME, title: "Compression", options: { quality: null, residual: null },
    accepts: (facts) => facts.kind !== "points" && facts.shape.length === 2 && /^u(8|16)$/.test(facts.dtype) ||
      "Images of 8 or 16 bits are coded; this is none.",
    lead: "Fractal coding writes an image as copies of its own parts: each block is a larger block, shrunk, turned and dimmed. So it can be " +
      "decoded at any size, and invents detail that looks alike at every scale.",
    make(element, app) {
      const state = { at: null, detailKey: "" };
      return pieces.panel(element, { controls: controls(app), draw: (...args) => draw(state, ...args) });
    },
  };
})());
