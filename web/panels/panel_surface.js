/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The grey values as a surface over the image, by differential box counting, with a small picture of that surface. */
"use strict";

(function () {
  const { h, parts, pieces, show, texts, words } = rugose;
  const NAME = "surface";
  const LINES = 90;      /* of the picture, from back to front */
  const POINTS = 360;    /* along a line, at most */
  const HEIGHT = 0.15;   /* of the surface, as a share of its width */

  const word = (column) => words.column("boxcount", column, "gray");

  /* ---- The picture ---- */

  /* Draws values as a surface seen from above the front edge: each line hides what lies behind it. */
  function drawSurface(canvas, { values, width, height }) {
    const context = canvas.getContext("2d"), style = getComputedStyle(canvas),
      [least, most] = rugose.paint.rangeOf(values, true);
    const w = canvas.width, lift = HEIGHT * w, depth = canvas.height - lift - 4, span = most > least ? most - least : 1;
    context.clearRect(0, 0, w, canvas.height);
    context.lineWidth = Math.max(1, w / 700);
    context.fillStyle = style.getPropertyValue("--page");
    context.strokeStyle = style.getPropertyValue("--accent");
    const n = Math.min(LINES, height);
    for (let y = 0; y < n; y++) {
      const row = Math.floor((y + 0.5) * height / n), near = n > 1 ? y / (n - 1) : 1, half = w * (0.32 + 0.17 * near),
        base = lift + depth * near;
      context.beginPath();
      for (let x = 0; x < width; x++) {
        const v = values[row * width + x], at = w / 2 + half * (2 * x / Math.max(1, width - 1) - 1);
        context.lineTo(at, base - (Number.isFinite(v) ? (v - least) / span : 0) * lift * (0.65 + 0.35 * near));
      }
      context.globalAlpha = 0.3 + 0.7 * near;
      context.stroke();
      context.globalAlpha = 1;
      context.lineTo(w / 2 + half, base + 4);
      context.lineTo(w / 2 - half, base + 4);
      context.fill();
    }
  }

  function surfacePicture(app) {
    const canvas = h("canvas", { role: "img", "aria-label": "The grey values as a surface: bright pixels are high" });
    const element = h("figure", { class: "surface" }, canvas,
      h("figcaption", {}, "Bright pixels are high, dark ones low."));
    const state = { key: "", picture: null };
    const draw = () => {
      if (!state.picture || !element.clientWidth) return;
      const w = Math.round(element.clientWidth * (devicePixelRatio || 1));
      [canvas.width, canvas.height] = [w, Math.round(0.4 * w)];
      drawSurface(canvas, state.picture);
    };
    async function load() {
      const facts = app.current(), key = facts && facts.id + " " + app.state.axis + " " + app.state.slice;
      if (!facts || app.state.command !== NAME || facts.kind !== "image" || key === state.key) return;
      state.key = key;
      const where = facts.shape.length === 3 ? { axis: app.state.axis, slice: app.state.slice } : {};
      try {
        const picture = await rugose.engine.picture(facts.id, { width: POINTS, height: POINTS, ...where },
          { key: "surface" });
        if (picture && key === state.key) Object.assign(state, { picture });
      } catch (e) {
        state.picture = null;
      }
      element.hidden = state.picture === null;
      draw();
    }
    for (const event of ["current", "command", "view"]) app.on(event, load);
    new ResizeObserver(draw).observe(element);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
    load();
    return element;
  }

  /* ---- The panel ---- */

  const nAxes = (row) => (row.shape || "x").split("x").length + 1;
  const known = (row) => (nAxes(row) === 3 ? [[2, "a flat surface"], [3, "the roughest"]]
    : [[3, "a flat volume"], [4, "the roughest"]]);

  function told(c) {
    return "Boxes " + show(c.size) + " pixels wide and " + show(c.height, 4) + " grey levels high: " + show(c.boxes) +
      " cover the surface" + parts.slope(c) + ".";
  }

  function chart(row) {
    const shown = (row.counts || []).map((c) => ({ size: c.size,
      count: c.boxes_by_area === undefined ? c.boxes : c.boxes_by_area,
      slope: c.local_slope, used: c.used, boxes: c })).filter((p) => p.count > 0);
    return {
      points: shown, dimension: row.dimension, error: row.std_error, intercept: row.intercept, slopeStep: 0.25,
      references: known(row).map(([y, text]) => ({ y, text })),
      xLabel: "box size (pixels)", yLabel: "boxes", unit: "pixels",
      told: (i) => told(shown[i].boxes),
      sentence: "boxes that cover the surface against their size, both logarithmic, and local slopes below; " +
        "dimension " + rugose.plusMinus(row.dimension, row.std_error),
    };
  }

  function make(element, app) {
    const answer = parts.answer(), setFit = (value, live) => app.set({ option: [NAME, "fit", value] }, { live });
    const plot = rugose.fitPlot.make({ fit: setFit });
    const levels = pieces.field(app, NAME, { name: "levels", title: "Grey levels", kind: "number", min: 2,
      placeholder: "automatic", word: word("levels") });
    const anchor = pieces.field(app, NAME, { name: "anchor", title: "Heights are measured from",
      choices: [["zero", "the least possible value"], ["min", "the darkest pixel"]],
      word: "Measured from the darkest pixel, a constant added to the image changes nothing. Images of other than " +
        "8 bits are measured so by default." });
    const numbers = parts.opening("What the numbers say"), counted = parts.opening("Counts at each size");
    element.append(answer.element, plot.element, parts.fitButtons(setFit), surfacePicture(app),
      h("details", {}, h("summary", {}, "More"), h("div", { class: "controls" }, levels, anchor)),
      numbers.element, counted.element);
    return {
      show(result, facts, isOld) {
        const row = result.rows[0].row;
        answer.headline.replaceChildren(...parts.headline(row, word));
        const said = texts.dimension(row.dimension, "boxes are needed to cover the surface", known(row));
        answer.words.replaceChildren(...said, ...parts.errorWords(row, word));
        answer.notes.replaceChildren(...[texts.notes(result, row)].filter(Boolean));
        plot.element.hidden = false;
        plot.show(chart(row), isOld);
        numbers.show(() => parts.meanings(row, word, [["Grey levels", row.levels === null ? null : show(row.levels),
          word("levels")]]));
        counted.show(() => rugose.kinds.countsTable(row));
      },
      fail(message) {
        answer.fail(message);
        plot.element.hidden = true;
        for (const opening of [numbers, counted]) opening.show(null);
      },
      busy: answer.busy,
    };
  }

  rugose.panels.push({
    name: NAME, command: "boxcount", title: "Surface", make, takes: ["mask"],
    lead: "Take the grey values as heights, so that the image is a landscape, and count the boxes that cover it. " +
      "D is 2 for a smooth landscape and approaches 3 for one that is rough everywhere. No threshold is needed.",
    accepts: (facts) => facts.kind === "image" || "Points have no grey values, so there is no surface to measure.",
    options: { gray: true, fit: null, levels: null, anchor: "zero" },
  });
})();
