/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counting: the dimension, the counts against size with the range of the fit, and how they are counted. */
"use strict";

(function () {
  const { h, parts, pieces, show, texts, words } = rugose;
  const NAME = "boxcount";
  const DENSE = 1.25;      /* from one size to the next */
  const MOST_DENSE = 4096;

  const word = (column) => words.column("boxcount", column);

  /* Which boxes are counted: in a list, in a sentence, and where there are more of them. */
  const OF = {
    nonempty: ["hold foreground", "Boxes that hold foreground", "boxes are needed to cover the foreground"],
    black: ["are full", "Boxes that are full", "boxes are full"],
    gray: ["are at an edge", "Boxes at an edge of the foreground", "boxes lie at an edge"],
    white: ["are empty", "Boxes that are empty", "boxes are empty"],
  };
  const KNOWN = { 2: [[1, "a line"], [2, "a filled area"]], 3: [[1, "a line"], [2, "a surface"], [3, "a solid"]] };

  /* Sizes that lie close together, up to that which covers the image. */
  function dense(facts) {
    const longest = Math.min(MOST_DENSE, Math.max(...(facts.kind === "image" ? facts.shape : [1024])));
    const list = [1];
    for (let size = 1; size < longest; list.push(size)) size = Math.max(size + 1, Math.round(size * DENSE));
    return list.join(",");
  }

  const isDense = (text) => Boolean(text) && text.startsWith("1,2,3,4,5,6,8,10,13");

  function controls(app) {
    const field = (o) => pieces.field(app, NAME, o);
    const grid = field({ name: "grid", title: "Grid", word: word("grid"),
      choices: [["origin", "at the first pixel"], ["min", "best position"], ["mean", "mean of all"]] });
    const of = field({ name: "of", title: "Count boxes that",
      choices: Object.entries(OF).map(([name, [text]]) => [name, text]),
      word: "The boxes that the dimension is fitted to." });
    const pick = h("select", { "data-name": "sizes-kind", onchange: () => choose() },
      ["1, 2, 4, 8 …", "close together", "my own"].map((text) => h("option", {}, text)));
    const own = field({ name: "sizes", title: "My sizes", placeholder: "3,9,27 or 2..64:2",
      word: "A list, or a range with its step." });
    const unit = field({ name: "box-unit", title: "Boxes measured in",
      choices: [["", "pixels"], ["file", "units of the file"]],
      word: "Boxes in the units of the file are squares or cubes in space even where pixels are not." });
    const resolution = field({ name: "resolution", title: "Cells along the longest side", kind: "number", min: 2,
      placeholder: "1024",
      word: "Points are counted on a lattice with this many cells along the longest side of the box around them." });
    const set = (value) => app.set({ options: [[NAME, "sizes", value], [NAME, "fit", null]] });
    const choose = () => {
      if (pick.selectedIndex === 0) set(null);
      else if (pick.selectedIndex === 1) set(dense(app.current() || { kind: "points" }));
      own.hidden = pick.selectedIndex !== 2;
      if (!own.hidden) own.querySelector("input").focus();
    };
    const follow = () => {
      const { sizes } = app.optionsOf(NAME), isOwn = Boolean(sizes) && !isDense(sizes);
      if (document.activeElement === pick && pick.selectedIndex === 2) return;
      pick.selectedIndex = isOwn ? 2 : sizes ? 1 : 0;
      own.hidden = !isOwn;
    };
    app.on("options", follow);
    follow();
    const more = h("details", { class: "more-options" }, h("summary", {}, "More"), h("div", { class: "controls" },
      h("label", { class: "field" }, "Sizes ", pick), own, of, unit, resolution));
    return {
      grid, more,
      /* What an image can have; all of it where it could not be measured. */
      fitTo(facts) {
        if (!facts) {
          unit.hidden = resolution.hidden = false;
          return;
        }
        const spacing = facts.spacing || [], isPoints = facts.kind === "points";
        unit.hidden = isPoints || !facts.spacing_unit || !spacing.every((v) => v > 0);
        resolution.hidden = !isPoints;
      },
    };
  }

  /* Pixels that are not square make boxes that are not. */
  function spacingNote(facts, row) {
    const spacing = (facts.spacing || []).filter((v) => v > 0);
    if (row.size_unit || spacing.length < 2 || Math.max(...spacing) < 1.01 * Math.min(...spacing)) return null;
    const unit = facts.spacing_unit, shape = spacing.length > 2 ? "cubes" : "squares";
    return h("p", { class: "small soft" }, "A pixel measures " + spacing.map((v) => show(v, 4)).join(" × ") +
      (unit ? " " + unit : "") + ", so boxes of pixels are not " + shape + " in space." +
      (unit ? " Those measured in the units of the file are: choose them under “More”." : ""));
  }

  function make(element, app) {
    const answer = parts.answer(), part = parts.chooser("Label", () => draw()),
      state = { result: null, facts: null, isOld: false, row: null, shown: [] };
    const setFit = (value, live) => app.set({ option: [NAME, "fit", value] }, { live });
    /* Those of a label lie on a grid of its own, which the image does not show. */
    function point(i) {
      const shown = i === null || state.row.label !== undefined ? null : state.shown[i];
      rugose.view.showBoxes(shown ? shown.boxes : null, shown ? told(state.row, shown.boxes).split(";")[0] : "");
    }

    function watch() {
      rugose.view.reveal();
      plot.watch();
    }

    const plot = rugose.fitPlot.make({ fit: setFit, point }), options = controls(app), spaced = h("div");
    const numbers = parts.opening("What the numbers say"), counted = parts.opening("Counts at each size");
    const below = parts.fitButtons(setFit);
    below.prepend(h("button", { type: "button", "data-name": "watch", onclick: watch,
      title: "Shows the boxes of each size over the image, from the largest to the smallest" },
    "Show the boxes"));
    below.append(options.grid);
    element.append(answer.element, part.element, plot.element, below, spaced, options.more, numbers.element,
      counted.element);

    const nAxes = (row) => (row.shape || "x").split("x").length;
    const unitOf = (row) => row.size_unit || (state.facts.kind === "points" ? "cells" : "pixels");
    const ofNow = () => app.optionsOf(NAME).of || "nonempty";

    /* What a size says when it is pointed at. */
    function told(row, c) {
      const box = Array(nAxes(row)).fill(show(c.size)).join(" × ") + " " + unitOf(row), n = c[ofNow()];
      return "Boxes of " + box + ": " + show(n) + " of " + show(c.total) + " " + OF[ofNow()][0] + parts.slope(c) + ".";
    }

    function chart(row) {
      const counts = row.counts || [], axes = nAxes(row), unit = unitOf(row);
      const most = Math.max(...counts.map((c) => Number(c.total) || 1), 2); /* totals beyond 2^53 are BigInt */
      state.shown = counts.map((c) => ({ size: Number(c.size), count: Number(c[ofNow()]), slope: c.local_slope, used: c.used,
        boxes: { ...c, size_unit: row.size_unit || null } })).filter((p) => p.count > 0);
      return {
        points: state.shown,
        dimension: row.dimension, error: row.std_error, intercept: row.intercept, counts: [1, most], slopeStep: 0.5,
        references: (KNOWN[axes] || []).map(([y, text]) => ({ y, text })),
        xLabel: "box size (" + unit + ")", yLabel: "boxes", unit, told: (i) => told(row, state.shown[i].boxes),
        sentence: OF[ofNow()][1] + " against their size, both logarithmic, and local slopes below; dimension " +
          rugose.plusMinus(row.dimension, row.std_error),
      };
    }

    function foreground(row) {
      const isKnown = row.foreground !== "points" && row.foreground_share !== null;
      return ["Foreground", isKnown ? row.foreground + ", " + show(100 * row.foreground_share, 4) + "\u00a0%" : null,
        word("foreground_share")];
    }

    function draw() {
      const { result, facts } = state, entry = result.rows[part.at()] || result.rows[0];
      if (!entry) return;
      const row = state.row = entry.row, said = texts.dimension(row.dimension, OF[ofNow()][2], KNOWN[nAxes(row)] || []);
      answer.headline.replaceChildren(...parts.headline(row, word));
      answer.words.replaceChildren(...said, ...parts.errorWords(row, word));
      answer.notes.replaceChildren(...[texts.notes(result, row)].filter(Boolean));
      plot.element.hidden = false;
      plot.show(chart(row), state.isOld);
      spaced.replaceChildren(...[spacingNote(facts, row)].filter(Boolean));
      options.fitTo(facts);
      numbers.show(() => parts.meanings(row, word, [foreground(row)]));
      counted.show(() => rugose.kinds.countsTable(row));
    }

    return {
      show(result, facts, isOld) {
        Object.assign(state, { result, facts, isOld });
        part.show(result.rows.map((r) => String(r.row.label)));
        draw();
      },
      fail(message) {
        answer.fail(message);
        plot.element.hidden = true;
        for (const opening of [numbers, counted]) opening.show(null);
        point(null);
        options.fitTo(null);
      },
      busy: answer.busy,
    };
  }

  rugose.panels.push({
    name: NAME, command: "boxcount", title: "Box counting", make,
    lead: "Cover the foreground with boxes and count them; make the boxes smaller and count again. How fast their " +
      "number grows is the fractal dimension D.",
    accepts: () => true,
    only: { foreground: "image", "box-unit": "image", resolution: "points" },
    options: { foreground: "auto", grid: "origin", fit: null, of: "nonempty", sizes: null, "box-unit": null,
      resolution: null },
  });
})();
