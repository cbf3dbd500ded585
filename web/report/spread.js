/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* All results together: their curves in one frame, and how each number is spread. */
"use strict";

/** The width of a chart that has a line of its own. */
rugose.lineWidth = function () {
  return Math.max(260, Math.min(900, document.getElementById("main").clientWidth - 60));
};

rugose.spread = (function () {
  const { h, show, charts } = rugose;
  const MOST = 24;          /* charts that are shown at first */
  const MOST_CURVES = 300;
  const MOST_BINS = 64;
  const MOST_TICKS = 20;    /* values that are shown one by one */
  const MULTIPLE = 300;     /* the width of a small chart */

  /* Columns of settings and of places, whose spread says nothing. */
  const DULL = new Set(["label", "page", "channel", "level", "size_min", "size_max", "n_sizes", "planes", "peak", "distance",
    "angle", "points", "radius", "q", "slice", "size", "scale", "maps", "seconds", "output_bytes"]);

  const isNumber = (x) => typeof x === "number" && Number.isFinite(x);

  /* ---- What is spread: [{name, word, values: [{value, row}]}] ---- */

  function ofColumns(data, rows) {
    const columns = data.columns.map((name, c) => ({ name, c }));
    return columns.filter(({ name, c }) => !DULL.has(name) && rugose.table.isNumeric(rows, c)).map(({ name, c }) => ({
      name, word: name, values: rows.map((row) => ({ value: row.cells[c] === "nan" ? null : Number(row.cells[c]), row })),
    }));
  }

  function firstRows(rows) {
    const seen = new Set();
    return rows.filter((r) => !seen.has(r.image) && seen.add(r.image));
  }

  function ofSummaries(rows) {
    const first = firstRows(rows), of = (name, key, word) =>
      ({ name, word, values: first.map((row) => ({ value: row.row.summary[key], row })) });
    return [of("D₀", "D0", "D"), of("D₁", "D1", "D"), of("D₂", "D2", "D"), of("least α", "alpha_min"),
      of("largest α", "alpha_max"), of("width of α", "width")];
  }

  function ofSlices(rows) {
    const best = new Map(), first = firstRows(rows);
    for (const row of rows) {
      const before = best.get(row.image);
      if (row.row.f !== null && !(before && before.row.f >= row.row.f)) best.set(row.image, row);
    }
    return [
      { name: "largest f", word: "f", values: [...best.values()].map((row) => ({ value: row.row.f, row })) },
      { name: "least α", values: first.map((row) => ({ value: row.row.range_min, row })) },
      { name: "largest α", values: first.map((row) => ({ value: row.row.range_max, row })) },
    ];
  }

  function ofSizes(rows) {
    const at = new Map();
    for (const row of rows) {
      if (!at.has(row.row.size)) at.set(row.row.size, []);
      at.get(row.row.size).push({ value: row.row.lacunarity, row });
    }
    return [...at].sort((a, b) => a[0] - b[0])
      .map(([size, values]) => ({ name: "Λ at size " + show(size), word: "lacunarity", values }));
  }

  function shares(row) {
    const total = d3.sum(row.bins || []) || 1;
    return (row.bins || []).map((b) => b / total);
  }

  function ofBins(rows) {
    const all = rows.map((row) => ({ row, list: shares(row.row) })), n = d3.max(all, ({ list }) => list.length) || 0;
    return n > MOST_BINS ? [] : d3.range(n).map((i) => ({
      name: "share of code " + i, word: "bin_" + i,
      values: all.map(({ row, list }) => ({ value: i < list.length ? list[i] : null, row })),
    }));
  }

  function variables(data, rows) {
    switch (data.head.command) {
      case "multifractal": return rugose.variant(data) === "alpha" ? ofSlices(rows) : ofSummaries(rows);
      case "lacunarity": return ofSizes(rows);
      case "lbp": return ofBins(rows);
      default: return ofColumns(data, rows);
    }
  }

  /* Those that vary. */
  function varying(data, rows) {
    return variables(data, rows).filter(({ values }) => new Set(values.map((v) => v.value).filter(isNumber)).size > 1);
  }

  /* ---- Groups ---- */

  const CODES = new Set(["label", "distance", "angle", "points", "radius"]); /* numbers that name a group */
  const FIRST = ["class", "true", "folder", "angle", "distance"];            /* by which they are grouped at first */

  /* By what rows fall into 2 to 8 groups, such as a class of a list, or the folders of the images:
   * [{name, of: row -> text}]. */
  function groupings(data, rows) {
    const columns = data.columns.map((name, c) => ({ name, c }))
      .filter(({ name, c }) => name !== "shape" && name !== "output" && (CODES.has(name) || !rugose.table.isNumeric(rows, c)))
      .map(({ name, c }) => ({ name, of: (row) => (row.cells[c] === "nan" ? "none" : row.cells[c]) }));
    const folder = { name: "folder", of: (row) => (row.image ? row.image.short.split("/").slice(0, -1).join("/") || "." : "") };
    return [...columns, folder].filter(({ of }) => {
      const n = new Set(rows.map(of)).size;
      return n >= 2 && n <= 8 && n < rows.length;
    });
  }

  function grouped(values, by) {
    const groups = new Map();
    for (const { value, row } of values) {
      const name = by.of(row);
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(value);
    }
    return [...groups].sort((a, b) => (a[0] < b[0] ? -1 : 1)).map(([name, list]) => ({ name, values: list }));
  }

  /* ---- Small charts ---- */

  function chartOf(variable, values, by, sentence) {
    if (by) return charts.strips({ width: MULTIPLE, groups: grouped(variable.values, by), sentence });
    if (values.length <= MOST_TICKS) return charts.strips({ width: MULTIPLE, groups: [{ name: "", values }], sentence });
    return charts.histogram({ width: MULTIPLE, values, sentence });
  }

  function figure(data, variable, by) {
    const values = variable.values.map((v) => v.value).filter(isNumber), lost = variable.values.length - values.length;
    const range = "median " + show(d3.median(values), 4) + ", " + show(d3.min(values), 4) + " to " + show(d3.max(values), 4);
    const word = variable.word && rugose.words.column(data.head.command, variable.word, rugose.variant(data));
    const n = " (" + rugose.count(values.length) + (lost ? "; " + rugose.count(lost) + " undefined" : "") + ")";
    return h("figure", {}, h("h3", { title: word }, rugose.breakable(variable.name)),
      chartOf(variable, values, by, variable.name + ": " + range), h("figcaption", {}, range + n));
  }

  /** The section: {element, show(rows)}; null where nothing varies. */
  function distributions(data) {
    const first = varying(data, data.rows);
    if (first.length === 0) return null;
    const by = groupings(data, first[0].values.map((v) => v.row));
    const state = { rows: data.rows, by: by.find((g) => FIRST.includes(g.name)) || null, most: MOST };
    const grid = h("div", { class: "multiples" }), together = h("div"), more = h("div", { class: "more" });
    const choose = () => {
      state.by = by[select.selectedIndex - 1] || null;
      draw();
    };
    const select = h("select", { onchange: choose },
      h("option", {}, "nothing"), by.map((g) => h("option", { selected: g === state.by }, g.name)));
    const showAll = () => {
      state.most = Infinity;
      draw();
    };
    const draw = () => {
      const list = varying(data, state.rows), shown = list.slice(0, state.most), curves = allCurves(data, state.rows);
      together.replaceChildren(...(curves ? [curves] : []));
      grid.replaceChildren(...shown.map((variable) => figure(data, variable, state.by)));
      if (!shown.length) grid.append(h("p", { class: "soft" }, "No number varies among the results that the filter leaves."));
      more.replaceChildren();
      if (list.length > shown.length) more.append(h("button", { type: "button", onclick: showAll }, "Show all " + list.length));
    };
    const controls = by.length ? h("div", { class: "controls" }, h("label", { class: "field" }, "Group by ", select)) : null;
    const showRows = (rows) => {
      state.rows = rows;
      draw();
    };
    return { element: h("div", {}, controls, together, grid, more), show: showRows };
  }

  /* ---- Curves of all results ---- */

  function nameOf(data, row) {
    const part = rugose.partOf(data, row);
    return (row.image ? row.image.short : "") + (part ? ", " + part : "");
  }

  /* A curve for each row. */
  function ownCurves(data, rows, pointsOf) {
    return rows.slice(0, MOST_CURVES).map((row) => ({ title: nameOf(data, row), points: pointsOf(row.row) }));
  }

  /* A curve for all rows of an image, or of one of its labels, with a point for each. */
  function joinedCurves(rows, pointOf) {
    const list = new Map();
    for (const { row, image } of rows) {
      const title = image.short + (row.label ? ", label " + row.label : "");
      if (!list.has(title)) list.set(title, []);
      list.get(title).push(pointOf(row));
    }
    return [...list].map(([title, points]) => ({ title, points }));
  }

  /* What a command's curves are, or null. */
  function curvesOf(data, rows) {
    switch (data.head.command) {
      case "boxcount": return { what: "box counts", logX: true, logY: true, xLabel: "box size", yLabel: "boxes",
        curves: ownCurves(data, rows, (row) => (row.counts || []).map((c) => ({ x: c.size, y: rugose.kinds.countOf(data, c) }))) };
      case "lacunarity": return { what: "lacunarity", logX: true, logY: true, xLabel: "box size (pixels)", yLabel: "Λ",
        curves: joinedCurves(rows, (row) => ({ x: row.size, y: row.lacunarity })) };
      case "multifractal": return rugose.variant(data) === "alpha" ? null : { what: "generalised dimensions",
        xLabel: "order q", yLabel: "D_q", curves: joinedCurves(rows, (row) => ({ x: row.q, y: row.D })) };
      case "lbp": return { what: "histograms", xLabel: "code", yLabel: "share of pixels",
        curves: ownCurves(data, rows.filter(({ row }) => row.n_bins && row.n_bins <= MOST_BINS),
          (row) => shares(row).map((y, x) => ({ x, y }))) };
      default: return null;
    }
  }

  function allCurves(data, rows) {
    const o = curvesOf(data, rows);
    if (!o || o.curves.length < 2) return null;
    const curves = o.curves.slice(0, MOST_CURVES), isFew = curves.length <= charts.FEW;
    const sentence = "The " + o.what + " of " + rugose.count(curves.length) + " results in one frame";
    const key = (c, i) => h("span", {}, h("span", { class: "key curve" + i }), c.title);
    return h("figure", { class: "chart together" }, h("h3", {}, sentence),
      charts.curves({ ...o, curves, sentence, width: rugose.lineWidth() }),
      isFew ? h("p", { class: "keys small" }, curves.map(key)) : h("figcaption", {}, "Point at a curve for its name." +
        (rows.length > MOST_CURVES && curves.length === MOST_CURVES ? " These are the first " + MOST_CURVES + "." : "")));
  }

  return { distributions };
})();
