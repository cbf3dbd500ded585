/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The panel of lacunarity: Λ against the size of the box. */
"use strict";

rugose.panels.push((function () {
  const { h, show, pieces } = rugose;
  const NAME = "lacunarity";
  const POWERS = "", DENSE = "1..64";

  /* Whether the first size says how many pixels are set. */
  const isOfSet = (row) => row.size === 1 && !/grey/.test(row.mass || "");

  /* What Λ says of the holes, in words. */
  function sayOf(list) {
    const [first] = list, last = list[list.length - 1], half = 1 + (first.lacunarity - 1) / 2;
    if (first.lacunarity - 1 < 1e-9) return "Λ is 1: every box holds the same.";
    const at = list.find((row) => row.lacunarity <= half);
    return "A set with " + show(100 / first.lacunarity, 3) + " % of its pixels filled has Λ = " + show(first.lacunarity, 4) +
      " at size 1, wherever they lie. " + (at && at !== first
      ? "Boxes of " + show(at.size) + " pixels have lost half of what is above 1: holes are about as large as that. Scattered " +
        "pixels would have lost it at 2."
      : "It has lost less than half of what is above 1 even in boxes of " + show(last.size) + " pixels: there are holes as large.");
  }

  function numbersOf(list) {
    const first = list[0], last = list[list.length - 1], middle = list[Math.floor(list.length / 2)];
    const word = rugose.words.column(NAME, NAME);
    const at = (row, says) => ({ id: "at-" + row.size, name: "Λ at size " + show(row.size), value: show(row.lacunarity, 4), says, word });
    return pieces.numbers([
      at(first, isOfSet(first) ? "1 / the share of pixels that are set."
        : "How uneven the smallest boxes are."),
      list.length > 2 ? at(middle, "How uneven the mass is that boxes of this size hold: variance / mean² + 1.") : null,
      list.length > 1 ? at(last, "The largest boxes see only the largest holes.") : null,
      Number.isFinite(first.mean_lacunarity) ? { id: "mean", name: "mean Λ", value: show(first.mean_lacunarity, 4),
        says: "Over these sizes; compare it only between images measured at the same sizes." } : null]);
  }

  function groupsOf(rows) {
    const groups = new Map();
    for (const r of rows) groups.set(r.row.label, [...(groups.get(r.row.label) || []), r]);
    return groups;
  }

  /* All labels in one frame. */
  function together(groups, facts, width) {
    const curves = [...groups].map(([label, rows]) => ({ title: "label " + label,
      points: rows.map(({ row }) => ({ x: row.size, y: row.lacunarity })) }));
    const sentence = facts.name + ": lacunarity of " + rugose.plural(curves.length, "label") + " against box size, both logarithmic";
    return h("figure", { class: "wide" }, rugose.charts.curves({ width, curves, logX: true, logY: true, xLabel: "box size (pixels)",
      yLabel: "Λ", sentence }), h("figcaption", {}, "A curve for each label; point at it for its number."));
  }

  function draw(app, result, facts, width) {
    const data = pieces.dataOf(app, result), kind = rugose.kinds.of(data), groups = groupsOf(data.rows);
    if (!data.rows.length) return {};
    const [first] = groups.values(), list = first.map((r) => r.row).filter((row) => Number.isFinite(row.lacunarity));
    const notes = pieces.warningsOf(data.rows), image = { ...data.image, short: facts.name };
    const details = rugose.details("Details", () => rugose.facts(kind.facts(first[0].row, data, first[0].cells, false)));
    if (groups.size > 1)
      return { head: [pieces.numbers([{ name: "labels", value: show(groups.size), says: "Each is an image by itself: its bounding box." }])],
        notes, figures: [together(groups, facts, width.all)], rest: [details] };
    const shown = kind.show(data, first, image, width.all), isTable = (e) => e.tagName === "DETAILS";
    return { head: list.length ? [numbersOf(list), h("p", { class: "lead", "data-name": "said" }, isOfSet(list[0]) ? sayOf(list) : "")]
      : [pieces.numbers([{ name: "Λ", value: "undefined", says: rugose.reason(first[0].row) || "" }])],
    notes, figures: shown.filter((e) => !isTable(e)), rest: [...shown.filter(isTable), details] };
  }

  function controls(app) {
    return [
      pieces.field(app, NAME, { name: "sizes", title: "Sizes", choices: [[POWERS, "1, 2, 4 … the whole image"], [DENSE, "all from 1 to 64"],
        ["3..99:4", "3, 7, 11 … 99"]], word: "The sides of the boxes, in pixels." }),
      pieces.field(app, NAME, { name: "boxes", title: "Boxes", choices: [["", "at every place (gliding)"], ["fixed", "side by side"]],
        word: "Gliding boxes lie at every position inside the image, fixed ones beside each other." }),
      pieces.field(app, NAME, { name: "gray", title: "grey values as mass", kind: "check",
        word: "The mass of a pixel is its grey value instead of 1 for each foreground pixel." }),
    ];
  }

  return {
    name: NAME, command: NAME, title: "Lacunarity", options: { foreground: "auto", sizes: null, boxes: null, gray: null },
    accepts: (facts) => facts.kind !== "points" || "Lacunarity is measured on images; these are points.",
    lead: "Two sets of the same dimension can look quite different: one fills space evenly, the other leaves large holes. A box glides " +
      "over the image; Λ is 1 where it always holds the same, and larger the more its mass varies.",
    make: (element, app) => pieces.panel(element, { controls: controls(app), draw: (...args) => draw(app, ...args) }),
  };
})());
