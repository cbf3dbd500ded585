/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The panel of local binary patterns: the histogram of codes, and where each lies. */
"use strict";

rugose.panels.push((function () {
  const { h, show, pieces, pictures } = rugose;
  const NAME = "lbp";

  /* ---- Codes ---- */

  /* What a code of riu2 looks like in the image, or null. */
  function meaning(code, row) {
    const p = row.points;
    if (row.method !== "riu2") return null;
    if (code > p) return "other: no plain spot, edge or corner";
    if (code === p) return "flat, or a dark spot";
    if (code === 0) return "a bright spot";
    if (Math.abs(code - p / 2) <= p / 8) return "an edge";
    return code < p / 2 ? "a bright corner or end of a line" : "a dark corner or end of a line";
  }

  const hasOther = (row) => row.method === "riu2" || row.method === "nri_uniform";
  const colourOf = (row) => (code) => pictures.codeColour(code, row.n_bins, hasOther(row));
  const nameOf = (code, row) => "code " + code + (meaning(code, row) ? " (" + meaning(code, row) + ")" : "");
  const percent = (share) => show(100 * share, 3) + "\u00a0%";

  function numbersOf(row) {
    const total = d3.sum(row.bins) || 1, best = row.bins.indexOf(d3.max(row.bins)), says = meaning(best, row);
    const share = (code) => percent(row.bins[code] / total);
    return pieces.numbers([
      { id: "best", name: "most frequent", value: "code " + best,
        says: share(best) + " of the pixels" + (says ? ": " + says + "." : ".") },
      hasOther(row) ? { id: "other", name: "other patterns", value: share(row.n_bins - 1),
        says: "Circles that change more than twice between darker and brighter: " +
          "noise, or texture finer than the circle." } : null,
      { id: "pixels", name: "pixels", value: show(row.pixels), says: "Counted in " + show(row.n_bins) + " bins.",
        word: rugose.words.column(NAME, "pixels") }]);
  }

  /* ---- The histogram, whose bars are chosen ---- */

  /* Lets bars be pointed at, chosen by a click, and by arrows. @param pick  called with a code, or null */
  function pickBars(svg, row, pick) {
    const bars = [...svg.querySelectorAll("rect.bar")];
    let held = null;
    const tell = (code) => {
      bars.forEach((bar, i) => bar.classList.toggle("faint", code !== null && i !== code));
      pick(code);
    };
    const hold = (code) => {
      held = code;
      tell(code);
    };
    bars.forEach((bar, code) => {
      bar.style.fill = colourOf(row)(code);
      bar.addEventListener("pointerenter", () => tell(code));
      bar.addEventListener("pointerleave", () => tell(held));
      bar.addEventListener("click", () => hold(code === held ? null : code));
    });
    svg.setAttribute("tabindex", "0");
    svg.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key], n = bars.length;
      if (event.key === "Escape") hold(null);
      if (!step) return;
      event.preventDefault();
      hold(held === null ? (step > 0 ? 0 : n - 1) : (held + step + n) % n);
      rugose.say(nameOf(held, row));
    });
  }

  function histogram(row, facts, width, pick) {
    const total = d3.sum(row.bins) || 1, values = row.bins.map((b) => b / total);
    const said = h("div", { class: "small", "data-name": "code" }, "\u00a0");
    const svg = rugose.charts.bars({ width, values, xLabel: "code", yLabel: "share of pixels",
      sentence: facts.name + ": histogram of patterns; left and right arrow choose a code" });
    pickBars(svg, row, (code) => {
      const isNone = code === null;
      said.textContent = isNone ? "\u00a0"
        : nameOf(code, row) + ": " + show(row.bins[code]) + " pixels, " + percent(values[code]);
      pick(code);
    });
    return h("figure", {}, svg, h("figcaption", {}, "Point at a bar to see where its pixels are.", said));
  }

  /* ---- The map ---- */

  function mapOf(result, row, facts) {
    const { map } = result.extra || {};
    if (!map) return null;
    const isReal = map.dtype[0] === "f";
    return pictures.map(map.data, map.shape, { alt: "The code of each pixel of " + facts.name,
      caption: "The code of each pixel.",
      colour: isReal ? null : colourOf(row), text: (v) => (isReal ? show(v, 5) : nameOf(v, row)) });
  }

  /* ---- The panel ---- */

  function draw(result, facts, width) {
    const { rows } = result, notes = pieces.warningsOf(rows);
    if (!rows.length) return {};
    const { row } = rows[0];
    const none = { name: "histogram", value: "none", says: "This method has too many codes to count." };
    const map = mapOf(result, row, facts), picture = map && map.element;
    if (!row.n_bins) return { head: [pieces.numbers([none])], notes, figures: [picture] };
    const highlight = (code) => map && map.highlight(code === null ? null : (v) => v === code);
    return { head: [numbersOf(row)], notes, figures: [histogram(row, facts, width.half, highlight), picture] };
  }

  const FIELDS = [
    { name: "lbp", title: "Circle",
      word: "How many samples there are, and how far from the pixel.", read: (value) => value || "8,1",
      choices: [["8,1", "8 at radius 1"], ["16,2", "16 at radius 2"],
        ["24,3", "24 at radius 3"], ["8,4", "8 at radius 4"]] },
    { name: "method", title: "Codes", read: (value) => value || "riu2", word: rugose.words.column(NAME, "method"),
      choices: [["riu2", "number of bright samples (riu2)"], ["nri_uniform", "with direction (nri_uniform)"],
        ["ror", "least rotation (ror)"], ["default", "the pattern itself"]] },
    { name: "border", title: "Border", choices: [["", "0 outside the image"], ["skip", "left out"]],
      word: "What becomes of pixels whose circle reaches outside the image." },
  ];

  return {
    name: NAME, command: NAME, title: "Patterns", options: { lbp: null, method: null, border: null }, takes: ["mask"],
    accepts: (facts) => (facts.kind === "image" && facts.shape.length === 2) ||
      "Patterns are measured here on 2-D images only; the program measures volumes, with --planes.",
    lead: "Each pixel is compared with a circle of neighbours: which are at least as bright? The answer is a code: " +
      "bright spot, edge, corner, dark spot. How often each occurs describes the texture, however bright the image is.",
    make: (element, app) => pieces.panel(element, { controls: FIELDS.map((o) => pieces.field(app, NAME, o)), draw }),
  };
})());
