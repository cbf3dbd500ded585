/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The panel of co-occurrence: features of the image, of each label, and around each pixel. */
"use strict";

rugose.panels.push((function () {
  const { h, show, pieces, pictures } = rugose;
  const NAME = "haralick";
  const AT_ONCE = 300000; /* pixels of an image whose map is drawn without being asked for */
  const PLACES = new Set(["image", "shape", "label", "area", "distance", "angle", "pairs", "levels", "status"]);

  /* The first numbers, for those who have never heard of them. */
  const FIRST = [
    ["contrast", "How much neighbours differ: the mean squared difference of their levels."],
    ["correlation", "How well a pixel tells its neighbour: 1 entirely, 0 not at all."],
    ["entropy", "How many different pairs of neighbours there are, in bits: larger for rougher texture."],
    ["angular_second_moment", "How uniform it is: 1 where all pairs are the same."],
  ];

  const wordOf = (name) => rugose.words.column(NAME, name);
  const titleOf = (name) => name.replace(/_/g, " ");
  const featuresOf = (columns) => columns.filter((name) => !PLACES.has(name));

  /* ---- One region ---- */

  function numbersOf(row) {
    const undefinedFor = () => "undefined" + (rugose.reason(row) ? " (" + row.status + ")" : "");
    return pieces.numbers(FIRST.filter(([name]) => row[name] !== undefined).map(([name, says]) => ({
      id: name, name: titleOf(name), value: row[name] === null ? undefinedFor() : show(row[name], 4), says, word: wordOf(name) })));
  }

  function featureTable(columns, row) {
    const names = featuresOf(columns), caption = "Features of co-occurrence";
    const line = (name) => h("tr", {}, h("th", { scope: "row" }, titleOf(name)),
      h("td", { class: "number", "data-name": "feature-" + name }, row[name] === null ? "undefined" : show(row[name])),
      h("td", { class: "says" }, wordOf(name) || ""));
    return h("div", { class: "plain features", tabindex: 0, role: "region", "aria-label": caption },
      h("table", {}, h("caption", { class: "unseen" }, caption),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "feature"), h("th", { scope: "col", class: "number" }, "value"),
          h("th", { scope: "col" }, "what it says"))), h("tbody", {}, names.map(line))));
  }

  /* ---- Labels ---- */

  /* The labels of the second file, each in the colour of its feature. */
  async function labelPicture(app, result, name, place) {
    const valueOf = new Map(result.rows.map(({ row }) => [row.label, row[name] === null ? NaN : row[name]]));
    const picture = await rugose.engine.picture(app.state.labels, { width: 1024, height: 1024, slice: app.state.slice,
      axis: app.state.axis }, { key: "labels" });
    if (!picture) return;
    const values = Float32Array.from(picture.values, (label) => (valueOf.has(label) ? valueOf.get(label) : NaN));
    const range = d3.extent([...valueOf.values()].filter(Number.isFinite));
    const { element } = rugose.mapPicture(values, [picture.height, picture.width], { range: range[0] === undefined ? [0, 1] : range,
      alt: "The labels in the colours of their " + titleOf(name), caption: "Each label in the colour of its " + titleOf(name) + "." });
    place.replaceChildren(element);
  }

  function labels(app, state, result) {
    const features = featuresOf(result.columns), place = h("div");
    const draw = () => labelPicture(app, result, state.colour, place).catch((e) => place.replaceChildren(h("p", { class: "notice" }, e.message)));
    const select = h("select", { "data-name": "label-feature", onchange: () => {
      state.colour = select.value;
      draw();
    } }, features.map((name) => h("option", { value: name, selected: name === state.colour }, titleOf(name))));
    const table = rugose.table.make({ columns: result.columns, rows: result.rows, caption: "A row for each label", words: wordOf });
    draw();
    requestAnimationFrame(() => table.measure());
    return { figures: [h("div", {}, h("div", { class: "controls" }, h("label", { class: "field" }, "Colour by ", select)), place)],
      rest: [table.element] };
  }

  /* ---- The map ---- */

  /* The choice of a map, and the map; it is kept while results are drawn again. */
  function mapBox(app) {
    const choice = (name, title, list) => {
      const select = h("select", { "data-name": "map-" + name, onchange: () => go(true) }, list.map(([value, text]) => h("option", { value }, text)));
      return { select, element: h("label", { class: "field" }, title + " ", select) };
    };
    const feature = choice("feature", "Map of", rugose.words.names(NAME).filter((name) => !PLACES.has(name)).map((name) => [name, titleOf(name)]));
    const window = choice("window", "around each pixel", [7, 11, 15, 21, 31].map((n) => [n, n + " × " + n + " pixels"]));
    const levels = choice("levels", "grey levels", [16, 32, 64].map((n) => [n, n]));
    levels.select.value = "32";
    feature.select.value = "contrast";
    const button = h("button", { type: "button", "data-name": "map-draw", onclick: () => go(true) }, "Draw the map");
    const place = h("div"), element = h("div", {}, h("div", { class: "controls" }, feature.element, window.element, levels.element, button), place);
    const state = { key: "", facts: null, isWanted: false };

    const optionsOf = () => {
      const { aggregate: _, ...options } = rugose.agenda.given(NAME);
      return { ...options, features: feature.select.value, window: window.select.value, levels: levels.select.value, range: "image",
        map: feature.select.value + ".tif" };
    };

    async function measure(facts, options, key) {
      place.setAttribute("aria-busy", "true");
      try {
        const result = await rugose.engine.measure(facts.id, NAME, options, { key: "map" });
        if (result && state.key === key) fill(result.extra.map, facts);
      } catch (error) {
        if (state.key === key) place.replaceChildren(h("p", { class: "notice" }, error.message));
      } finally {
        if (state.key === key) place.removeAttribute("aria-busy");
      }
    }

    function fill({ data, shape }, facts) {
      const name = titleOf(feature.select.value);
      place.replaceChildren(rugose.mapPicture(data, shape, { alt: "The " + name + " around each pixel of " + facts.name,
        caption: name + ": " + (wordOf(feature.select.value) || "") }).element);
    }

    /* Draws the map where it is small, or was asked for. */
    function go(isAsked) {
      const { facts } = state, key = JSON.stringify([facts.id, optionsOf()]);
      const isSmall = facts.shape.reduce((a, b) => a * b, 1) <= AT_ONCE;
      if (isAsked) state.isWanted = true;
      button.hidden = isSmall || state.isWanted;
      if (key === state.key || !(isSmall || state.isWanted)) return;
      state.key = key;
      measure(facts, optionsOf(), key);
    }

    return {
      of(facts) {
        if (facts.shape.length > 2) return null;
        if (!state.facts || state.facts.id !== facts.id) {
          Object.assign(state, { facts, isWanted: false, key: "" });
          place.replaceChildren();
        }
        go(false);
        return element;
      },
    };
  }

  /* ---- The panel ---- */

  function draw(app, state, result, facts) {
    const { rows, columns } = result, notes = pieces.warningsOf(rows);
    if (!rows.length) return {};
    if (rows.some(({ row }) => row.label > 0)) {
      const head = pieces.numbers([{ id: "labels", name: "labels", value: show(rows.length), says: "A row of features for each." }]);
      return { head: [head], notes, ...labels(app, state, result) };
    }
    const { row } = rows[0];
    return { head: [numbersOf(row)], notes, figures: [state.map.of(facts), featureTable(columns, row)],
      rest: [h("p", { class: "small soft" }, show(row.pairs) + " pairs of pixels, " + show(row.levels) + " grey levels.")] };
  }

  function controls(app) {
    return [
      pieces.field(app, NAME, { name: "distances", title: "Distance", choices: [["", "1 pixel"], ["2", "2 pixels"], ["4", "4 pixels"],
        ["8", "8 pixels"]], word: "How far the two pixels of a pair lie apart." }),
      pieces.field(app, NAME, { name: "levels", title: "Grey levels", choices: [["", "as they are; 64 of real numbers"], ["exact", "as they are"],
        ["16", "16"], ["32", "32"], ["64", "64"], ["256", "256"]], word: "Into how many steps the values are divided. Features of images can be " +
        "compared only with the same levels." }),
      pieces.field(app, NAME, { name: "aggregate", title: "Directions", choices: [["", "mean of all"], ["merged", "all counted together"],
        ["range", "largest less least"]], word: "How the four directions of the pairs are combined." }),
      pieces.field(app, NAME, { name: "features", title: "all features of IBSI", kind: "check", read: (value) => value === "all",
        write: (isAll) => (isAll ? "all" : null), word: "Also those that Haralick et al. did not have." }),
    ];
  }

  return {
    name: NAME, command: NAME, title: "Co-occurrence", options: { distances: null, levels: null, aggregate: null, features: null },
    accepts: (facts) => facts.kind !== "points" || "Co-occurrence is measured on images; these are points.",
    lead: "How often do grey levels i and j lie side by side? Smooth images have alike neighbours, rough ones do not. Haralick's features " +
      "sum that up; a second file with labels gives them for each cell or region.",
    make(element, app) {
      const state = { colour: "contrast", map: mapBox(app) };
      return pieces.panel(element, { controls: controls(app), draw: (...args) => draw(app, state, ...args) });
    },
  };
})());
