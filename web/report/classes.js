/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What only one command has: the classes of classify, rate and distortion of compress. */
"use strict";

rugose.classes = (function () {
  const { h, count, show } = rugose;
  const MOST_DOUBTFUL = 12;

  const isKnown = (row) => row.true !== null && row.true !== undefined;
  const isWrong = (row) => isKnown(row) && row.true !== row.predicted;

  /** {names, columns, at(true, predicted), right, total} of the rows with a true class, or null where none has
   *  one. The last column is null where there are images without a prediction. */
  function confusionOf(rows) {
    const known = rows.map((r) => r.row).filter(isKnown), counts = new Map();
    if (!known.length) return null;
    const key = (truth, predicted) => JSON.stringify([truth, predicted]);
    for (const row of known) counts.set(key(row.true, row.predicted), (counts.get(key(row.true, row.predicted)) || 0) + 1);
    const names = [...new Set(known.flatMap((row) => [row.true, row.predicted]).filter((name) => name !== null))].sort();
    return {
      names, columns: known.some((row) => row.predicted === null) ? [...names, null] : names,
      at: (truth, predicted) => counts.get(key(truth, predicted)) || 0,
      right: known.filter((row) => !isWrong(row)).length, total: known.length,
    };
  }

  function confusionRow(c, name) {
    const cells = c.columns.map((predicted) => ({ n: c.at(name, predicted), isRight: predicted === name }));
    const all = d3.sum(cells, (cell) => cell.n), right = c.at(name, name);
    return h("tr", {}, h("th", { scope: "row" }, name),
      cells.map(({ n, isRight }) => h("td", { class: isRight ? "right" : n ? "wrong" : null }, String(n))),
      h("td", {}, all ? Math.round((1000 * right) / all) / 10 + " %" : "–"));
  }

  function confusionTable(c) {
    const head = (text) => h("th", { scope: "col", class: "number" }, text);
    return h("div", { class: "confusion plain", tabindex: 0, role: "region", "aria-label": "Confusion matrix" },
      h("table", {}, h("caption", { class: "unseen" }, "Confusion matrix: rows are true classes, columns predicted ones"),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "true"),
          c.columns.map((name) => head(name === null ? "none" : name)), head("recall"))),
        h("tbody", {}, c.names.map((name) => confusionRow(c, name)))));
  }

  /* Wrong ones first, then by margin; those without any come last. */
  function byDoubt({ row: a }, { row: b }) {
    return isWrong(b) - isWrong(a) || (a.margin === null) - (b.margin === null) || a.margin - b.margin;
  }

  function doubtful({ row, image }, open) {
    return h("li", {}, rugose.picture(image, ["overlay"], { alt: "" }),
      h("div", {}, rugose.link(image, open), h("br"),
        row.predicted === null ? "no prediction" : row.predicted, isWrong(row) ? [" ", rugose.wrong(row)] : null, h("br"),
        row.second === null ? null : h("span", { class: "soft" }, "second " + row.second + ", margin " + show(row.margin, 4))));
  }

  /** The section of classify. */
  function classes(data, open) {
    const c = confusionOf(data.rows), first = data.rows.slice().sort(byDoubt).slice(0, MOST_DOUBTFUL);
    const matrix = c ? [h("h3", {}, count(c.right) + " of " + count(c.total) + " right"),
      h("p", { class: "small soft" }, "Rows are true classes, columns predicted ones."), confusionTable(c)]
      : h("p", { class: "soft" }, "The true classes are not known: put the images of each class in a folder, or name " +
        "the classes in a list.");
    return h("div", { class: "pair" }, h("div", {}, matrix),
      h("div", {}, h("h3", {}, "The most doubtful images"),
        h("p", { class: "small soft" }, "Wrong ones first, then those with the smallest margin."),
        h("ol", { class: "doubts" }, first.map((row) => doubtful(row, open)))));
  }

  /* What was asked for, where an image is coded several times. */
  const ASKED = ["quality", "asked_bpp", "asked_psnr"];

  function nameOf(row, image) {
    const asked = ASKED.find((column) => row[column] !== undefined);
    return asked ? `${image.short}, ${show(row[asked])}` : image.short;
  }

  /** The section of compress, or null where no image has both numbers. */
  function rateDistortion(data) {
    const points = data.rows.filter(({ row }) => row.psnr !== null && row.bpp !== null)
      .map(({ row, image }) => ({ x: row.bpp, y: row.psnr, name: nameOf(row, image) }));
    if (!points.length) return null;
    const what = ASKED.some((column) => data.columns.includes(column)) ? "stream" : "image";
    const sentence = "PSNR against bits per pixel of " + rugose.plural(points.length, what);
    return h("figure", { class: "chart together" },
      rugose.charts.scatter({ points, width: rugose.lineWidth(), xLabel: "bits per pixel", yLabel: "PSNR (dB)", sentence }),
      h("figcaption", {}, `Each point is ${what === "image" ? "an" : "a"} ${what}. Up and to the left is better.`));
  }

  return { classes, rateDistortion };
})();
