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
  const SAVED_LOSSLESS = "rugose decompress reads it, and gives back every pixel.";

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

  function drawWhole(state, canPick) {
    const { original, decoded } = state.result.extra, [ny, nx] = decoded.shape;
    const figure = pictures.compare(canvasOf(original, "The original"), canvasOf(decoded, "What was decoded"),
      ["the original", "as decoded"]);
    const frames = figure.querySelector(".frames");
    if (canPick) frames.addEventListener("dblclick", (event) => {
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
    const isLossless = result.parameters.lossless;
    Object.assign(state, { result, facts });
    const name = facts.name.replace(/^.*\//, "").replace(/\.[^.]*$/, "") + ".rfi";
    made.figures = [drawWhole(state, !isLossless), isLossless ? null : h("div", {}, state.close, state.fields)];
    made.rest = [h("div", { class: "controls" },
      rugose.saveButton("Save " + name, name, () => extra.stream, "application/octet-stream"),
      h("span", { class: "small soft" }, isLossless ? SAVED_LOSSLESS : SAVED))];
    if (!isLossless) pick(state, isNew || !state.at ? middle : [...state.at]);
    return made;
  }

  /* ---- Controls ---- */

  /* How an image is coded: what the options of one way are to another. */
  const WAYS = [["", "close to the image"], ["lossless", "lossless"], ["off", "copies alone"]];
  const OF_LOSSY = ["effort", "tune", "chroma", "progressive"];

  function wayOf({ lossless, residual }) {
    return lossless ? "lossless" : residual === "off" ? "off" : "";
  }

  /* Options that do not go with a way are taken back. */
  function changeWay(way) {
    const gone = way === "lossless" ? ["quality", ...OF_LOSSY] : way === "off" ? OF_LOSSY : [];
    const all = { lossless: way === "lossless" || null, residual: way === "off" ? "off" : null };
    for (const name of gone) all[name] = null;
    return { options: Object.entries(all).map(([name, value]) => [NAME, name, value]) };
  }

  /* A slider with its value behind it. */
  function slider(app, o) {
    const said = h("output", { class: "small" }), tell = (input) => { said.textContent = input.value; };
    const made = pieces.field(app, NAME, { ...o, kind: "range", step: 1, read: (value) => value || o.otherwise,
      synced: tell, live: tell });
    made.append(said);
    return made;
  }

  const isColour = (facts) => Boolean(facts) && facts.read.channel === -1 && facts.read.channels === 3;

  function controls(app) {
    const field = (o) => pieces.field(app, NAME, o);
    const way = field({ name: "residual", title: "Code", choices: WAYS, read: () => wayOf(app.optionsOf(NAME)),
      change: changeWay, word: "Close to the image: blocks are predicted or copied, and what that misses is coded as " +
        "far as the quality asks. Lossless: every pixel exactly. Copies alone: a pure fractal code." });
    const quality = slider(app, { name: "quality", title: "Quality", min: 1, max: 100, otherwise: "50",
      word: "From 1, smallest, to 100, closest." });
    const effort = slider(app, { name: "effort", title: "Effort", min: 1, max: 9, otherwise: "5",
      word: "How long to look for the best code, from 1, fastest, to 9, smallest. Decoding is as fast either way." });
    const tune = field({ name: "tune", title: "What counts", choices: [["", "structure"], ["psnr", "squared error"]],
      word: "Structure, as eyes see it: smooth places get more of the bits. Squared error: what PSNR measures." });
    const chroma = field({ name: "chroma", title: "Colours", choices: [["", "full resolution"], ["420", "half"]],
      word: "Half: colours have half the resolution along each side, which eyes seldom miss." });
    const progressive = field({ name: "progressive", title: "Small picture first", kind: "check",
      write: (value) => value || null, word: "From which rugose decompress --partial fills what is missing when a " +
        "stream is cut off; takes 2 to 10 % more bytes, more for small images." });
    const follow = () => {
      const options = app.optionsOf(NAME), now = wayOf(options);
      quality.hidden = now === "lossless";
      for (const element of [effort, tune, chroma, progressive]) element.hidden = now !== "";
      if (!isColour(app.current()) && !options.chroma) chroma.hidden = true;
    };
    for (const event of ["current", "options"]) app.on(event, follow);
    follow();
    return [way, quality, effort, tune, chroma, progressive];
  }

  const accepts = (facts) => (facts.kind === "image" && facts.shape.length === 2 && /^u(8|16)$/.test(facts.dtype)) ||
    "Only 2-D images of 8 or 16 bits can be coded, not volumes, points or other types of numbers.";

  return {
    name: NAME, command: NAME, title: "Compression",
    options: { lossless: null, residual: null, quality: null, effort: null, tune: null, chroma: null, progressive: null },
    takes: [], accepts,
    lead: "Fractal coding writes an image from its own parts: each block is predicted from its neighbours, or is a " +
      "larger block, shrunk, turned, and changed in brightness. So it can be decoded at any size: a larger picture is " +
      "smoother, but holds no detail that the image did not.",
    make(element, app) {
      const state = { at: null, facts: null, result: null, close: h("div") };
      state.fields = placeFields(state);
      return pieces.panel(element, { controls: controls(app), draw: (...args) => draw(state, ...args) });
    },
  };
})());
