/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The panel of lacunarity: Λ against the size of the box. */
"use strict";

rugose.panels.push((function () {
  const { h, show, pieces } = rugose;
  const NAME = "lacunarity";

  /* ---- Words ---- */

  /* Whether the first size says how many pixels are set. */
  const isOfSet = (row) => row.size === 1 && row.mass !== "grey values";

  /* What Λ says of gaps, and of clumps. */
  function sayOf(list) {
    const first = list[0], last = list[list.length - 1], half = 1 + (first.lacunarity - 1) / 2;
    if (first.lacunarity - 1 < 1e-9) return "Λ is 1: every box holds the same.";
    const start = show(100 / first.lacunarity, 3) + " % of the pixels are set, so Λ is " + show(first.lacunarity, 4) +
      " at size 1, wherever they lie. ";
    const at = list.find((row) => row.lacunarity <= half);
    if (!at) return start + "Even at size " + show(last.size) + " more than half of the excess over 1 is left: " +
      "there are gaps or clumps as large as that.";
    return start + "At size " + show(at.size) + " half of the excess over 1 is gone" + (at.size > 2
      ? ": gaps or clumps are about as large as that. For scattered pixels it would be gone at size 2."
      : ", as for scattered pixels: there are no large gaps.");
  }

  function numbersOf(list) {
    const first = list[0], last = list[list.length - 1], middle = list[Math.floor(list.length / 2)];
    const word = rugose.words.column(NAME, NAME), mean = first.mean_lacunarity;
    const at = (row, says) => ({ id: "at-" + row.size, name: "Λ at size " + show(row.size),
      value: show(row.lacunarity, 4), says, word });
    return pieces.numbers([
      at(first, isOfSet(first) ? "1 / the share of pixels that are set." : "How uneven the smallest boxes are."),
      list.length > 2 ? at(middle, "How uneven the mass of these boxes is: 1 + variance / mean².") : null,
      list.length > 1 ? at(last, "The largest boxes see only the largest gaps.") : null,
      Number.isFinite(mean) ? { id: "mean", name: "mean Λ", value: show(mean, 4),
        word: rugose.words.column(NAME, "mean_lacunarity"),
        says: "Over these sizes; compare it only between images measured at the same sizes." } : null]);
  }

  /* ---- The panel ---- */

  function groupsOf(rows) {
    const groups = new Map();
    for (const r of rows) groups.set(r.row.label, [...(groups.get(r.row.label) || []), r]);
    return groups;
  }

  /* All labels in one frame. */
  function together(groups, facts, width) {
    const curves = [...groups].map(([label, rows]) => ({ title: "label " + label,
      points: rows.map(({ row }) => ({ x: row.size, y: row.lacunarity })) }));
    const sentence = facts.name + ": lacunarity of " + rugose.plural(curves.length, "label") +
      " against box size, both logarithmic";
    const chart = rugose.charts.curves({ width, curves, logX: true, logY: true,
      xLabel: "box size (pixels)", yLabel: "Λ", sentence });
    return h("figure", { class: "wide" }, chart,
      h("figcaption", {}, "A curve for each label; point at it for its number."));
  }

  function headOf(row, list) {
    if (!list.length) return [pieces.numbers([{ name: "Λ", value: "undefined", says: rugose.reason(row) || "" }])];
    return [numbersOf(list), isOfSet(list[0]) ? h("p", { class: "lead", "data-name": "said" }, sayOf(list)) : null];
  }

  function draw(app, result, facts, width) {
    const data = pieces.dataOf(app, result), kind = rugose.kinds.of(data), groups = groupsOf(data.rows);
    if (!data.rows.length) return {};
    const [first] = groups.values(), { row, cells } = first[0], notes = pieces.warningsOf(data.rows);
    const details = rugose.details("Details", () => rugose.facts(kind.facts(row, data, cells, false)));
    if (groups.size > 1) {
      const head = pieces.numbers([{ id: "labels", name: "labels", value: show(groups.size),
        says: "Each is measured as an image of its own: its bounding box." }]);
      return { head: [head], notes, figures: [together(groups, facts, width.all)], rest: [details] };
    }
    const shown = kind.show(data, first, { ...data.image, short: facts.name }, width.all);
    const list = first.map((r) => r.row).filter((r) => Number.isFinite(r.lacunarity));
    shown[0].classList.add("wide");
    return { head: headOf(row, list), notes, figures: [shown[0]], rest: [...shown.slice(1), details] };
  }

  const FIELDS = [
    { name: "sizes", title: "Sizes", choices: [["", "1, 2, 4 … the whole image"], ["1..64", "all from 1 to 64"],
      ["3..99:4", "3, 7, 11 … 99"]], word: "The sides of the boxes, in pixels." },
    { name: "boxes", title: "Boxes", choices: [["", "at every place (gliding)"], ["fixed", "side by side"]],
      word: "Gliding boxes lie at every position inside the image, fixed ones beside each other." },
  ];

  function controls(app) {
    const rule = () => app.optionsOf("boxcount").foreground || "auto", put = (name, value) => [NAME, name, value];
    return [...FIELDS, { name: "gray", title: "Mass", read: (value) => (value ? "gray" : ""),
      choices: [["", "foreground pixels"], ["gray", "grey values"]],
      change: (value) => ({ options: [put("gray", value ? true : null), put("foreground", value ? null : rule())] }),
      word: "What a box holds: its number of foreground pixels, or the sum of its grey values." }]
      .map((o) => pieces.field(app, NAME, o));
  }

  return {
    name: NAME, command: NAME, title: "Lacunarity",
    options: { foreground: "auto", sizes: null, boxes: null, gray: null },
    accepts: (facts) => facts.kind === "image" || "Lacunarity is measured on images and volumes; these are points.",
    lead: "Two sets of the same dimension can look quite different: one fills space evenly, the other leaves large " +
      "gaps. A box glides over the image: Λ is 1 if it always holds the same mass, and larger the more that varies.",
    make: (element, app) => pieces.panel(element, { controls: controls(app), draw: (...args) => draw(app, ...args) }),
  };
})());
