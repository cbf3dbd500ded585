/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counting: the dimension, the counts against size with the range of the fit, and how they are counted. */
"use strict";

(function () {
  const { h, parts, show, texts, words } = rugose;
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
    while (list[list.length - 1] < longest) list.push(Math.max(list[list.length - 1] + 1, Math.round(list[list.length - 1] * DENSE)));
    return list.join(",");
  }

  const isDense = (text) => Boolean(text) && text.startsWith("1,2,3,4,5,6,8,10,13");

  function headline(row) {
    const reason = rugose.reason(row);
    if (row.dimension === null) return ["D is ", h("strong", {}, "undefined"), reason ? " (" + reason + ")" : ""];
    const [value, error] = rugose.plusMinus(row.dimension, row.std_error).split("±").map((text) => text.trim());
    return [h("span", { title: word("dimension") }, "D\u00a0=\u00a0", h("strong", {}, value)),
      error ? h("span", { class: "error-of", title: word("std_error") }, " ±\u00a0" + error) : ""];
  }

  /* What the numbers are, with their sentences. */
  function meanings(row) {
    const fit = row.size_min === null || row.size_min === undefined ? null
      : show(row.size_min) + " to " + show(row.size_max) + (row.size_unit ? " " + row.size_unit : "");
    const share = row.foreground_share === null || row.foreground_share === undefined ? null : show(100 * row.foreground_share, 4) + "\u00a0%";
    return parts.meanings([
      ["Dimension D", row.dimension === null ? "undefined" : String(row.dimension), word("dimension")],
      ["Standard error", row.std_error === null ? null : String(row.std_error), word("std_error")],
      ["r²", row.r_squared === null ? null : String(row.r_squared), word("r_squared")],
      ["Sizes of the fit", fit && fit + " (" + row.n_sizes + ")", word("n_sizes")],
      ["Foreground", row.foreground === "points" ? null : share && row.foreground + ", " + share, word("foreground_share")],
    ]);
  }

  function controls(app) {
    const known = [
      parts.choice(app, NAME, "grid", "Grid", [["origin", "at the first pixel"], ["min", "best position"], ["mean", "mean of all"]],
        word("grid")),
      parts.choice(app, NAME, "of", "Count boxes that", Object.entries(OF).map(([name, [text]]) => [name, text])),
    ];
    const pick = h("select", { "data-name": "sizes-kind", onchange: () => choose() },
      ["1, 2, 4, 8 …", "close together", "my own"].map((text) => h("option", {}, text)));
    const own = parts.entry(app, NAME, "sizes", "", { placeholder: "3,9,27 or 2..64:2", "aria-label": "Sizes of the boxes" });
    const unit = parts.choice(app, NAME, "box-unit", "Boxes measured in", [[null, "pixels"], ["file", "units of the file"]]);
    const resolution = parts.entry(app, NAME, "resolution", "Cells along the longest side", { type: "number", min: 2, placeholder: "1024" });
    const set = (value) => app.set({ options: [[NAME, "sizes", value], [NAME, "fit", null]] });
    const choose = () => {
      if (pick.selectedIndex === 0) set(null);
      else if (pick.selectedIndex === 1) set(dense(app.current() || { kind: "points" }));
      own.element.hidden = pick.selectedIndex !== 2;
      if (pick.selectedIndex === 2) own.element.querySelector("input").focus();
    };
    const sizes = {
      follow() {
        own.follow();
        const { sizes: text } = app.optionsOf(NAME), isOwn = text && !isDense(text);
        if (document.activeElement === pick && pick.selectedIndex === 2) return;
        pick.selectedIndex = isOwn ? 2 : text ? 1 : 0;
        own.element.hidden = !isOwn;
      },
    };
    parts.follow(app, [...known, sizes, unit, resolution]);
    const more = h("details", { class: "more-options" }, h("summary", {}, "More"), h("div", { class: "controls" },
      h("label", { class: "field" }, "Sizes ", pick), own.element, known[1].element, unit.element, resolution.element));
    return {
      grid: known[0].element, more,
      /* What an image can have; all of it where it could not be measured. */
      fitTo(facts) {
        if (!facts) {
          unit.element.hidden = resolution.element.hidden = false;
          return;
        }
        const spacing = facts.spacing || [], isPoints = facts.kind === "points";
        unit.element.hidden = isPoints || !facts.spacing_unit || !spacing.every((v) => v > 0);
        resolution.element.hidden = !isPoints;
      },
    };
  }

  /* Voxels that are not cubes make boxes that are not. */
  function spacingNote(facts, row) {
    const spacing = (facts.spacing || []).filter((v) => v > 0);
    if (row.size_unit || spacing.length < 2 || Math.max(...spacing) < 1.01 * Math.min(...spacing)) return null;
    const unit = facts.spacing_unit ? " " + facts.spacing_unit : "";
    return h("p", { class: "small soft" }, "A pixel measures " + spacing.map((v) => show(v, 4)).join(" × ") + unit +
      ", so that boxes of pixels are not cubes in space. More: boxes measured in the units of the file are.");
  }

  function make(element, app) {
    const answer = parts.answer(), part = parts.chooser("Label", () => draw()), state = { result: null, facts: null, row: null, shown: [] };
    const setFit = (value, live) => app.set({ option: [NAME, "fit", value] }, { live });
    /* Those of a label lie on a grid of its own, which the image does not show. */
    const isOnGrid = (i) => i !== null && state.shown[i] && state.row.label === undefined;
    const point = (i) => rugose.view.showBoxes(isOnGrid(i) ? state.shown[i].boxes : null);
    const plot = rugose.fitPlot.make({ fit: setFit, point }), options = controls(app), spaced = h("div");
    const numbers = parts.opening("What the numbers say"), counted = parts.opening("Counts at each size");
    const below = parts.fitButtons(setFit);
    below.prepend(options.grid);
    element.append(answer.element, part.element, plot.element, below, spaced, options.more, numbers.element, counted.element);

    const nAxes = (row) => (row.shape || "x").split("x").length;
    const ofNow = () => app.optionsOf(NAME).of || "nonempty";

    /* What a size says when it is pointed at. */
    function told(row, c) {
      const unit = row.size_unit || (state.facts.kind === "points" ? "cells" : "pixels"), n = c[ofNow()];
      const slope = c.local_slope === null || c.local_slope === undefined ? "" : "; from here to the next size the slope is " + show(c.local_slope, 4);
      return "Boxes of " + Array(nAxes(row)).fill(show(c.size)).join(" × ") + " " + unit + ": " + show(n) + " of " + show(c.total) + " " +
        OF[ofNow()][0] + slope + ".";
    }

    function chart(row) {
      const counts = row.counts || [], axes = nAxes(row), unit = row.size_unit || (state.facts.kind === "points" ? "cells" : "pixels");
      const most = Math.max(...counts.map((c) => c.total || 1), 2);
      state.shown = counts.map((c) => ({ size: c.size, count: c[ofNow()], slope: c.local_slope, used: c.used,
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

    function draw() {
      const { result, facts } = state, entry = result.rows[part.at()] || result.rows[0];
      if (!entry) return;
      const row = state.row = entry.row, said = texts.dimension(row.dimension, OF[ofNow()][2], KNOWN[nAxes(row)] || []);
      answer.headline.replaceChildren(...headline(row).flat());
      answer.words.replaceChildren(...said);
      answer.notes.replaceChildren(...[texts.notes(result, row)].filter(Boolean));
      plot.element.hidden = false;
      plot.show(chart(row));
      spaced.replaceChildren(...[spacingNote(facts, row)].filter(Boolean));
      options.fitTo(facts);
      numbers.show(() => meanings(row));
      counted.show(() => rugose.kinds.countsTable(row));
    }

    return {
      show(result, facts) {
        Object.assign(state, { result, facts });
        part.show(result.rows.map((r) => String(r.row.label)));
        draw();
      },
      fail(message) {
        answer.fail(message);
        plot.element.hidden = true;
        for (const part of [numbers, counted]) part.show(null);
        options.fitTo(null);
      },
      busy: answer.busy,
    };
  }

  rugose.panels.push({
    name: NAME, command: "boxcount", title: "Box counting", make,
    lead: "Cover the foreground with boxes and count them, make the boxes smaller and count again. How fast their number " +
      "grows is the fractal dimension D.",
    accepts: () => true,
    only: { foreground: "image", "box-unit": "image", resolution: "points" },
    options: { foreground: "auto", grid: "origin", fit: null, of: "nonempty", sizes: null, "box-unit": null, resolution: null },
  });
})();
