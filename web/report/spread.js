/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* All results together: curves, distributions, classes, rate and distortion. */
"use strict";

rugose.spread = (function () {
  const { h, show, charts } = rugose;
  const MOST = 24;          /* charts that are shown at first */
  const MOST_CURVES = 300;
  const MOST_TICKS = 20;    /* values that are shown one by one */
  const MULTIPLE = 300; /* the width of a small chart */

  /* Columns whose spread says nothing: of settings and of places. */
  const DULL = new Set(["label", "page", "channel", "level", "size_min", "size_max", "n_sizes", "planes", "peak", "distance", "angle", "points", "radius",
    "q", "slice", "size", "scale", "maps", "seconds", "output_bytes"]);

  /* The width of a chart that has a line of its own. */
  const wide = () => Math.max(260, Math.min(900, document.getElementById("main").clientWidth - 60));

  /* ---- Values ---- */

  /** What is spread: [{name, word, values: [{value, row}]}]. Of commands with many rows for an image each
   *  image has one value. */
  function variables(data, rows) {
    const command = data.head.command;
    if (command === "multifractal") return rows.length && rows[0].row.summary ? ofSummaries(rows) : ofSlices(rows);
    if (command === "lacunarity") return pivot(rows, "size", "lacunarity", "\u039b at size ");
    if (command === "lbp") return ofBins(data, rows);
    return ofColumns(data, rows);
  }

  function ofColumns(data, rows) {
    return data.columns.map((name, c) => ({ name, c })).filter(({ name, c }) => !DULL.has(name) && rugose.table.isNumeric(rows, c))
      .map(({ name, c }) => ({ name, word: name, values: rows.map((row) => ({ value: row.cells[c] === "nan" ? null : Number(row.cells[c]), row })) }));
  }

  function firstRows(rows) {
    const seen = new Set();
    return rows.filter((r) => !seen.has(r.image) && seen.add(r.image));
  }

  function ofSummaries(rows) {
    const first = firstRows(rows), names = { D0: "D\u2080", D1: "D\u2081", D2: "D\u2082", alpha_min: "least \u03b1", alpha_max: "largest \u03b1", width: "width of \u03b1" };
    return Object.entries(names).map(([key, name]) => ({ name, word: key === "D0" || key === "D1" || key === "D2" ? "D" : null, values: first.map((row) => ({ value: row.row.summary[key], row })) }));
  }

  function ofSlices(rows) {
    const best = new Map();
    for (const row of rows) if (row.row.f !== null && !(best.has(row.image) && best.get(row.image).row.f >= row.row.f)) best.set(row.image, row);
    return [{ name: "largest f", word: "f", values: [...best.values()].map((row) => ({ value: row.row.f, row })) },
      { name: "least \u03b1", values: firstRows(rows).map((row) => ({ value: row.row.range_min, row })) },
      { name: "largest \u03b1", values: firstRows(rows).map((row) => ({ value: row.row.range_max, row })) }];
  }

  function pivot(rows, key, value, title) {
    const at = new Map();
    for (const row of rows) {
      if (!at.has(row.row[key])) at.set(row.row[key], []);
      at.get(row.row[key]).push({ value: row.row[value], row });
    }
    return [...at].sort((a, b) => a[0] - b[0]).map(([k, values]) => ({ name: title + show(k), word: value, values }));
  }

  function ofBins(data, rows) {
    const n = d3.max(rows, (r) => (r.row.bins || []).length) || 0;
    const share = (row, i) => (row.row.bins && row.row.bins.length > i ? row.row.bins[i] / (d3.sum(row.row.bins) || 1) : null);
    return n > 64 ? [] : d3.range(n).map((i) => ({ name: "share of code " + i, word: "bin_" + i, values: rows.map((row) => ({ value: share(row, i), row })) }));
  }

  /** Those that vary. */
  function varying(list) {
    return list.filter((v) => new Set(v.values.map((x) => x.value).filter((x) => x !== null && x !== undefined && Number.isFinite(x))).size > 1);
  }

  /* ---- Groups ---- */

  const CODES = new Set(["label", "distance", "angle", "points", "radius"]); /* numbers that name a group */

  /** By what rows fall into 2 to 8 groups, such as a class of a list, or the folders of the images:
   *  [{name, of: row -> text}]. */
  function groupings(data, rows) {
    const columns = data.columns.map((name, c) => ({ name, c })).filter(({ name, c }) => !["shape", "output"].includes(name) &&
      (CODES.has(name) || !rugose.table.isNumeric(rows, c))).map(({ name, c }) => ({ name, of: (row) => (row.cells[c] === "nan" ? "none" : row.cells[c]) }));
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

  /* ---- Distributions ---- */

  function figure(data, variable, by) {
    const values = variable.values.map((v) => v.value).filter((v) => v !== null && v !== undefined && Number.isFinite(v));
    const lost = variable.values.length - values.length;
    const sentence = variable.name + ": median " + show(d3.median(values), 4) + ", " + show(d3.min(values), 4) + " to " + show(d3.max(values), 4) + ", " + rugose.plural(values.length, "value");
    const word = variable.word && rugose.words.column(data.head.command, variable.word, rugose.variant(data));
    return h("figure", {}, h("h3", { title: word }, variable.name),
      by ? charts.strips({ width: MULTIPLE, groups: grouped(variable.values, by), sentence })
        : values.length <= MOST_TICKS ? charts.strips({ width: MULTIPLE, groups: [{ name: "", values }], sentence }) : charts.histogram({ width: MULTIPLE, values, sentence }),
      h("figcaption", {}, "median " + show(d3.median(values), 4) + ", " + show(d3.min(values), 4) + " to " + show(d3.max(values), 4) +
        " (" + rugose.count(values.length) + (lost ? "; " + rugose.count(lost) + " undefined" : "") + ")"));
  }

  /** The section's inside: {element, show(rows)}; null where nothing could ever vary. */
  function distributions(data) {
    const first = varying(variables(data, data.rows));
    if (first.length === 0) return null;
    const by = groupings(data, first[0].values.map((v) => v.row)), state = { rows: data.rows, by: null, most: MOST };
    const start = by.find((g) => ["class", "true", "folder", "angle", "distance"].includes(g.name)) || null;
    state.by = start;
    const grid = h("div", { class: "multiples" }), together = h("div", {}), more = h("div", { class: "more" });
    const select = h("select", { onchange: () => { state.by = by[select.selectedIndex - 1] || null; draw(); } },
      h("option", {}, "nothing"), by.map((g) => h("option", { selected: g === start }, g.name)));
    const draw = () => {
      const list = varying(variables(data, state.rows)), shown = list.slice(0, state.most);
      grid.replaceChildren(...shown.map((v) => figure(data, v, state.by)));
      if (!shown.length) grid.append(h("p", { class: "soft" }, "Of the results that the filter leaves no number varies."));
      const curves = allCurves(data, state.rows);
      together.replaceChildren(...(curves ? [curves] : []));
      more.replaceChildren(...(list.length > shown.length ? [h("button", { type: "button", onclick: () => { state.most = Infinity; draw(); } }, "Show all " + list.length)] : []));
    };
    const controls = by.length ? h("div", { class: "controls" }, h("label", { class: "field" }, "Group by ", select)) : null;
    return { element: h("div", {}, controls, together, grid, more), show(rows) { state.rows = rows; draw(); } };
  }

  /* ---- Curves of all images ---- */

  function allCurves(data, rows) {
    const command = data.head.command, list = new Map();
    const add = (row, point, name) => { if (!list.has(name)) list.set(name, []); list.get(name).push(point); };
    const o = { logX: true, logY: true };
    if (command === "boxcount") {
      for (const row of rows.slice(0, MOST_CURVES)) (row.row.counts || []).forEach((c) => add(row, { x: c.size, y: c.boxes_by_area || c.nonempty }, nameOf(data, row)));
      Object.assign(o, { xLabel: "box size", yLabel: "boxes", what: "box counts" });
    } else if (command === "lacunarity") {
      for (const row of rows) if (row.row.lacunarity !== null) add(row, { x: row.row.size, y: row.row.lacunarity }, row.image.short + (row.row.label ? ", label " + row.row.label : ""));
      Object.assign(o, { xLabel: "box size (pixels)", yLabel: "\u039b", what: "lacunarity" });
    } else if (command === "multifractal" && rows.length && rows[0].row.summary) {
      for (const row of rows) if (row.row.D !== null) add(row, { x: row.row.q, y: row.row.D }, row.image.short);
      Object.assign(o, { logX: false, logY: false, xLabel: "order q", yLabel: "D_q", what: "generalised dimensions" });
    } else if (command === "lbp") {
      for (const row of rows.slice(0, MOST_CURVES)) if (row.row.n_bins && row.row.n_bins <= 64) row.row.bins.forEach((b, i) => add(row, { x: i, y: b / (d3.sum(row.row.bins) || 1) }, nameOf(data, row)));
      Object.assign(o, { logX: false, logY: false, xLabel: "code", yLabel: "share of pixels", what: "histograms" });
    }
    const curves = [...list].slice(0, MOST_CURVES).map(([title, points]) => ({ title, points }));
    if (curves.length < 2) return null;
    const sentence = "The " + o.what + " of " + rugose.count(curves.length) + " results in one frame";
    return h("figure", { class: "chart together" }, h("h3", {}, sentence), charts.curves({ ...o, curves, sentence, width: wide() }),
      curves.length <= charts.FEW ? h("p", { class: "keys small" }, curves.map((c, i) => h("span", {}, h("span", { class: "key curve" + i }), c.title))) : null,
      h("figcaption", {}, (curves.length <= charts.FEW ? "" : "Point at a curve for its name.") + (list.size > MOST_CURVES ? " The first " + MOST_CURVES + " of " + rugose.count(list.size) + "." : "")));
  }

  function nameOf(data, row) {
    const part = rugose.partOf(data, row);
    return (row.image ? row.image.short : "") + (part ? ", " + part : "");
  }

  /* ---- Classes ---- */

  /** {names, counts: names x names + none, right, total} of the rows with a true class, or null. */
  function confusionOf(rows) {
    const known = rows.filter((r) => r.row.true !== null && r.row.true !== undefined);
    if (!known.length) return null;
    const names = [...new Set(known.flatMap((r) => [r.row.true, r.row.predicted]).filter((n) => n !== null))].sort();
    const hasNone = known.some((r) => r.row.predicted === null), columns = hasNone ? [...names, null] : names;
    const counts = names.map((t) => columns.map((p) => known.filter((r) => r.row.true === t && r.row.predicted === p).length));
    return { names, columns, counts, right: known.filter((r) => r.row.true === r.row.predicted).length, total: known.length };
  }

  function confusionTable(c) {
    const percent = (a, b) => (b ? Math.round((1000 * a) / b) / 10 + " %" : "\u2013");
    return h("div", { class: "confusion plain", tabindex: 0, role: "region", "aria-label": "Confusion matrix" }, h("table", {},
      h("caption", { class: "unseen" }, "Confusion matrix: rows are true classes, columns predicted ones"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "true"), c.columns.map((n) => h("th", { scope: "col", class: "number" }, n === null ? "none" : n)), h("th", { scope: "col", class: "number" }, "recall"))),
      h("tbody", {}, c.names.map((name, i) => h("tr", {}, h("th", { scope: "row" }, name),
        c.counts[i].map((n, k) => h("td", { class: c.columns[k] === name ? "right" : n ? "wrong" : null }, String(n))),
        h("td", {}, percent(c.counts[i][i], d3.sum(c.counts[i]))))))));
  }

  function doubtfulImages(data, rows, open) {
    const isWrong = (r) => r.row.true !== null && r.row.true !== r.row.predicted;
    const order = rows.filter((r) => r.row.predicted !== undefined).slice()
      .sort((a, b) => isWrong(b) - isWrong(a) || (a.row.margin === null) - (b.row.margin === null) || a.row.margin - b.row.margin).slice(0, 12);
    return h("ol", { class: "doubts" }, order.map((r) => h("li", {}, rugose.picture(r.image, ["overlay"], { alt: "" }),
      h("div", {}, h("a", { href: "#image-" + r.image.index, onclick: (e) => { e.preventDefault(); open(r.image); } }, r.image.short),
        h("br"), r.row.predicted === null ? "no prediction" : r.row.predicted, isWrong(r) ? h("span", { class: "doubtful" }, " wrong: it is " + r.row.true) : null,
        h("br"), h("span", { class: "soft" }, r.row.second === null ? "" : "second " + r.row.second + ", margin " + show(r.row.margin, 4))))));
  }

  function classes(data, open) {
    const c = confusionOf(data.rows);
    return h("div", { class: "pair" },
      c ? h("div", {}, h("h3", {}, rugose.count(c.right) + " of " + rugose.count(c.total) + " right"), h("p", { class: "small soft" }, "Rows are true classes, columns predicted ones."), confusionTable(c)) : h("p", { class: "soft" }, "The true classes are not known: put the images of each class in a folder, or name the classes in a list."),
      h("div", {}, h("h3", {}, "The most doubtful images"), h("p", { class: "small soft" }, "Wrong ones first, then those with the smallest margin."), doubtfulImages(data, data.rows, open)));
  }

  function rateDistortion(data) {
    const points = data.rows.filter((r) => r.row.psnr !== null && r.row.bpp !== null).map((r) => ({ x: r.row.bpp, y: r.row.psnr, name: r.image.short }));
    if (!points.length) return null;
    return h("figure", { class: "chart together" }, charts.scatter({ points, width: wide(), xLabel: "bits per pixel", yLabel: "PSNR (dB)",
      sentence: "PSNR against bits per pixel of " + rugose.plural(points.length, "image") }), h("figcaption", {}, "Each point is an image. Up and to the left is better."));
  }

  return { distributions, classes, rateDistortion };
})();
