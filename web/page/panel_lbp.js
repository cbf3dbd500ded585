/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The panel of local binary patterns: the histogram of codes, and where each lies. */
"use strict";

rugose.panels.push((function () {
  const { h, show, pieces, pictures } = rugose;
  const NAME = "lbp";

  /* ---- Codes ---- */

  /* What a code of riu2 looks like in the image. */
  function meaning(code, row) {
    const p = row.points;
    if (row.method !== "riu2") return null;
    if (code > p) return "other: no plain spot, edge or corner";
    if (code === p) return "flat, or a dark spot";
    if (code === 0) return "a bright spot";
    if (Math.abs(code - p / 2) <= p / 8) return "an edge";
    return code < p / 2 ? "a bright corner or line end" : "a dark corner or line end";
  }

  const hasOther = (row) => row.method === "riu2" || row.method === "nri_uniform";
  const colourOf = (row) => (code) => pictures.codeColour(code, row.n_bins, hasOther(row));
  const nameOf = (code, row) => "code " + code + (meaning(code, row) ? " (" + meaning(code, row) + ")" : "");
  const percent = (share) => show(100 * share, 3) + "\u00a0%";

  function numbersOf(row) {
    const total = d3.sum(row.bins) || 1, best = row.bins.indexOf(d3.max(row.bins)), other = row.bins[row.n_bins - 1] / total;
    const says = meaning(best, row);
    return pieces.numbers([
      { id: "best", name: "most frequent", value: "code " + best, says: percent(row.bins[best] / total) + " of the pixels" +
        (says ? ": " + says + "." : ".") },
      hasOther(row) ? { id: "other", name: "other patterns", value: percent(other), says: "Pixels whose circle changes more than " +
        "twice between darker and brighter: noise, or texture finer than the circle." } : null,
      { id: "pixels", name: "pixels", value: show(row.pixels), says: "Counted in " + row.n_bins + " bins.",
        word: rugose.words.column(NAME, "pixels") }]);
  }

  /* ---- The histogram, whose bars are chosen ---- */

  /* Lets bars be pointed at, chosen by a click, and by arrows. @param pick  called with a code, or null */
  function pickBars(svg, row, pick) {
    const bars = [...svg.querySelectorAll("rect.bar")];
    const state = { held: null };
    const tell = (code) => {
      bars.forEach((bar, i) => bar.classList.toggle("faint", code !== null && i !== code));
      pick(code);
    };
    const hold = (code) => {
      state.held = code === state.held ? null : code;
      tell(state.held);
    };
    bars.forEach((bar, code) => {
      bar.style.fill = colourOf(row)(code);
      bar.addEventListener("pointerenter", () => tell(code));
      bar.addEventListener("pointerleave", () => tell(state.held));
      bar.addEventListener("click", () => hold(code));
    });
    svg.setAttribute("tabindex", "0");
    svg.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (event.key === "Escape") hold(state.held);
      if (!step) return;
      event.preventDefault();
      state.held = state.held === null ? (step > 0 ? 0 : bars.length - 1) : (state.held + step + bars.length) % bars.length;
      tell(state.held);
      rugose.say(nameOf(state.held, row));
    });
  }

  function histogram(row, facts, width, pick) {
    const total = d3.sum(row.bins) || 1, values = row.bins.map((b) => b / total);
    const said = h("div", { class: "small", "data-name": "code" }, "\u00a0");
    const svg = rugose.charts.bars({ width, values, xLabel: "code", yLabel: "share of pixels",
      sentence: facts.name + ": histogram of patterns; left and right arrow choose a code" });
    pickBars(svg, row, (code) => {
      said.textContent = code === null ? "\u00a0" : nameOf(code, row) + ": " + show(row.bins[code]) + " pixels, " + percent(values[code]);
      pick(code);
    });
    return h("figure", { "data-name": "histogram" }, svg, h("figcaption", {}, "Point at a bar to see where its pixels are.", said));
  }

  /* ---- The map ---- */

  function mapOf(result, row, facts, slice) {
    const { map } = result.extra || {};
    if (!map) return null;
    const { values, shape } = pictures.sliceOf(map.data, map.shape, slice);
    const isReal = map.dtype[0] === "f";
    return rugose.mapPicture(values, shape, { alt: "The code of each pixel of " + facts.name,
      colour: isReal ? null : colourOf(row), text: (v) => (isReal ? show(v, 5) : nameOf(v, row)), caption: "The code of each pixel." });
  }

  /* Where the map goes: it is measured when the histogram is shown, and again when the codes change. */
  function mapHolder(app) {
    const state = { key: "", map: null, element: h("div") };
    const measure = async (facts, options, row, key) => {
      state.element.setAttribute("aria-busy", "true");
      try {
        const result = await rugose.engine.measure(facts.id, NAME, { ...options, map: "codes.tif" }, { key: "map" });
        if (state.key !== key) return;
        state.map = mapOf(result, row, facts, app.state.slice);
        state.element.replaceChildren(...(state.map ? [state.map.element] : []));
      } catch (error) {
        if (state.key === key) state.element.replaceChildren(h("p", { class: "notice" }, error.message));
      } finally {
        if (state.key === key) state.element.removeAttribute("aria-busy");
      }
    };
    return {
      /* The element, in which the map will be. */
      of(facts, row) {
        const options = rugose.agenda.given(NAME), key = JSON.stringify([facts.id, options, app.state.slice]);
        if (key !== state.key) {
          state.key = key;
          measure(facts, options, row, key);
        }
        return state.element;
      },
      highlight: (code) => state.map && state.map.highlight(code === null ? null : (v) => v === code),
    };
  }

  function draw(app, map, result, facts, width) {
    const { rows } = result, row = rows.length ? rows[0].row : null;
    if (!row) return {};
    if (!row.n_bins) return { head: [pieces.numbers([{ name: "histogram", value: "none", says: "Its codes are too many, or it has no pixels." }])],
      notes: pieces.warningsOf(rows), figures: [map.of(facts, row)] };
    return { head: [numbersOf(row)], notes: pieces.warningsOf(rows),
      figures: [histogram(row, facts, width.half, map.highlight), map.of(facts, row)] };
  }

  /* ---- Controls ---- */

  function controls(app) {
    const operator = { name: "lbp", title: "Circle", word: "How many samples, and how far from the pixel.",
      choices: [["8,1", "8 at radius 1"], ["16,2", "16 at radius 2"], ["24,3", "24 at radius 3"], ["8,4", "8 at radius 4"]],
      read: (value) => value || "8,1" };
    return [
      pieces.field(app, NAME, operator),
      pieces.field(app, NAME, { name: "method", title: "Codes", read: (value) => value || "riu2",
        choices: [["riu2", "number of bright samples (riu2)"], ["nri_uniform", "with direction (nri_uniform)"],
          ["ror", "least rotation (ror)"], ["default", "the pattern itself"]], word: rugose.words.column(NAME, "method") }),
      pieces.field(app, NAME, { name: "border", title: "Border", choices: [["", "0 outside the image"], ["skip", "left out"]],
        word: "Pixels whose circle reaches outside the image." }),
    ];
  }

  return {
    name: NAME, command: NAME, title: "Local patterns", options: { lbp: null, method: null, border: null },
    accepts: (facts) => facts.kind !== "points" || "Patterns are those of images; these are points.",
    lead: "Each pixel is compared with a circle of neighbours: which are at least as bright? The answer is a code: bright spot, edge, " +
      "corner, dark spot. How often each occurs describes a texture, whatever the light.",
    make(element, app) {
      const map = mapHolder(app);
      return pieces.panel(element, { controls: controls(app), draw: (...args) => draw(app, map, ...args) });
    },
  };
})());
