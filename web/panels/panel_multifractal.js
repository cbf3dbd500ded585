/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The panel of multifractals: D of each order and f(α), or the exponent of each pixel. */
"use strict";

rugose.panels.push((function () {
  const { h, show, pieces } = rugose;
  const NAME = "multifractal", ORDERS = "-5..5:0.5";
  const FORM = /^(-?[\d.]+)\.\.(-?[\d.]+):([\d.]+)$/; /* of orders */

  /* ---- What a result says ---- */

  /* What the three dimensions say together, or null where they say nothing. */
  function sayOf(s, notes) {
    const fall = s.D0 - s.D2, slack = 2 * Math.hypot(s.D0_error || 0, s.D2_error || 0) + 1e-9;
    if (![s.D0, s.D1, s.D2].every(Number.isFinite)) return null;
    if (fall < -slack || notes.some((text) => text.startsWith("D rises")))
      return "D rises with the order, which cannot be where a power law holds: over these sizes there is none. " +
        "Choose another range of sizes.";
    if (fall <= slack)
      return "The three are equal within twice their errors: one dimension describes how the mass is spread.";
    return "D falls by " + show(fall, 2) + " from D₀ to D₂: the mass piles up in some places " +
      "and is thin in others. The more it falls, the less one dimension describes it.";
  }

  function ofMoments(rows) {
    const s = rows[0].row.summary || {}, said = sayOf(s, pieces.warningsOf(rows));
    const word = rugose.words.column(NAME, "D");
    const one = (i, says) => ({ id: "D" + i, name: "D" + "₀₁₂"[i],
      value: pieces.measured(s["D" + i], s["D" + i + "_error"], s), says, word });
    const width = Number.isFinite(s.width) ? { id: "width", name: "width of α", value: show(s.width, 4),
      says: "How wide the spectrum is: 0 where the same dimension holds everywhere." } : null;
    return [pieces.numbers([one(0, "How the places with any mass fill space: the box-counting dimension."),
      one(1, "How the bulk of the mass fills space: the information dimension."),
      one(2, "How pairs drawn from the mass cluster: the correlation dimension."), width]),
    said ? h("p", { class: "lead", "data-name": "said" }, said) : null];
  }

  function ofAlpha(rows, nAxes) {
    const best = rows.reduce((a, b) => ((b.row.f ?? -1) > (a.row.f ?? -1) ? b : a)).row;
    return [pieces.numbers([
      { id: "f", name: "largest f", value: pieces.measured(best.f, best.f_error, best),
        word: rugose.words.column(NAME, "f", "alpha"),
        says: "The dimension of the pixels with α " + show(best.alpha_min, 4) + " to " +
          show(best.alpha_max, 4) + "." },
      Number.isFinite(best.range_min) ? { id: "range", name: "α",
        value: show(best.range_min, 4) + " to " + show(best.range_max, 4),
        says: "How fast the values around a pixel add up as the window grows: " +
          nAxes + " where they are even, less at bright spots and lines." } : null,
    ])];
  }

  /* The map of exponents, where the result has one. */
  function mapOf(result, facts, { axis, slice }) {
    const { map } = result.extra || {};
    if (!map) return null;
    const { values, shape } = rugose.pictures.sliceOf(map.data, map.shape, axis, slice);
    return rugose.pictures.map(values, shape, { alt: "The exponent α of each pixel of " + facts.name,
      caption: "α of each pixel.",
      text: (v) => (Number.isFinite(v) ? "α = " + show(v, 5) : "no α") }).element;
  }

  function draw(app, result, facts, width) {
    const data = pieces.dataOf(app, result), { rows } = data;
    if (!rows.length) return {};
    const isAlpha = rows[0].row.slice !== undefined, kind = rugose.kinds.of(data), { row, cells } = rows[0];
    const charts = kind.show(data, rows, { ...data.image, short: facts.name }, width.half);
    return { head: isAlpha ? ofAlpha(rows, facts.shape.length) : ofMoments(rows), notes: pieces.warningsOf(rows),
      figures: isAlpha ? [mapOf(result, facts, app.state), h("div", {}, charts)] : charts,
      rest: [rugose.details("Details", () => rugose.facts(kind.facts(row, data, cells, false)))] };
  }

  /* ---- Controls ---- */

  const put = (name, value) => [NAME, name, value];

  /* What the other method does not take goes with it. */
  function choose(method) {
    return { options: method === "alpha" ? [put("method", method), put("q", null), put("foreground", null)]
      : [put("method", null), put("q", ORDERS)] };
  }

  /* One of the three numbers in the option q, "-5..5:0.5". */
  function orderField(app, index, title, word) {
    const parts = () => (FORM.exec(app.optionsOf(NAME).q || "") || FORM.exec(ORDERS)).slice(1);
    const write = (text) => {
      const list = parts();
      if (text) list[index] = text;
      return list[0] + ".." + list[1] + ":" + list[2];
    };
    return pieces.field(app, NAME, { name: "q", id: "q" + index, kind: "number", step: "any", title, word,
      read: () => parts()[index], write });
  }

  function controls(app) {
    const rule = () => app.optionsOf("boxcount").foreground || "auto";
    const orders = [
      orderField(app, 0, "q from",
        "The least order. Negative ones give weight to the emptiest boxes; stray pixels upset them."),
      orderField(app, 1, "to", "The largest order. Large ones give weight to the fullest boxes."),
      orderField(app, 2, "step", "From one order to the next."),
    ];
    const mass = pieces.field(app, NAME, { name: "foreground", title: "Mass",
      choices: [["gray", "grey values"], ["set", "foreground pixels"]],
      read: (value) => (value ? "set" : "gray"), write: (value) => (value === "set" ? rule() : null),
      word: "What a box holds: the sum of its grey values, or its number of foreground pixels." });
    const fit = pieces.field(app, NAME, { name: "fit", title: "Sizes of the fit", placeholder: "default",
      word: "Such as 4..64, or auto: the longest range in which the number of boxes has steady local slopes." });
    const method = pieces.field(app, NAME, { name: "method", title: "Method",
      read: (value) => value || "moments", change: choose,
      choices: [["moments", "moments of boxes"], ["alpha", "exponent of each pixel"]],
      word: "Moments: how Σ p^q of the boxes scales with their size, where p is a box's share of the mass. " +
        "Exponent: how the values around each pixel add up, with a map." });
    const resolution = pieces.field(app, NAME, { name: "resolution", title: "Cells along the longest side",
      kind: "number", min: 2, placeholder: "1024", word: "How finely the lattice divides the box around the points." });
    const follow = () => {
      const isPoints = (app.current() || {}).kind === "points";
      const isAlpha = !isPoints && app.optionsOf(NAME).method === "alpha";
      for (const element of orders) element.hidden = isAlpha;
      mass.hidden = isPoints || isAlpha;
      method.hidden = isPoints;
      resolution.hidden = !isPoints;
    };
    for (const event of ["current", "options"]) app.on(event, follow);
    follow();
    return [method, ...orders, mass, fit, resolution];
  }

  return {
    name: NAME, command: NAME, title: "Multifractal",
    options: { q: ORDERS, foreground: null, fit: null, method: null, resolution: null },
    takes: ["mask"], accepts: () => true, only: { method: "image", foreground: "image", resolution: "points" },
    lead: "Is the mass (grey values, or foreground) spread evenly, or does it pile up in some places and thin out in " +
      "others, in the same way at every size? Large orders q look at the fullest places, negative ones at the " +
      "emptiest. Where D is the same for all, one dimension is enough.",
    make(element, app) {
      const panel = pieces.panel(element, { controls: controls(app), draw: (...args) => draw(app, ...args) });
      app.on("view", panel.redraw);
      return panel;
    },
  };
})());
