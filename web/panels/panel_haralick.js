/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The panel of co-occurrence: features of the image, of each label, and around each pixel. */
"use strict";

rugose.panels.push((function () {
  const { h, show, pieces } = rugose;
  const NAME = "haralick";
  const AT_ONCE = 300000; /* pixels of an image whose map is drawn without being asked for */
  const LABEL_PIXELS = 1024; /* of a side of the picture of labels, at most */
  const PLACES = new Set(["image", "shape", "label", "area", "distance", "angle", "pairs", "levels", "status"]);

  /* The first numbers, for those who have never heard of them. */
  const FIRST = [
    ["contrast", "How much neighbours differ: the mean squared difference of their levels."],
    ["correlation", "How well a pixel predicts its neighbour (linearly): 1 fully, 0 not at all."],
    ["entropy", "How varied the pairs are, in bits: higher for a more irregular texture."],
    ["angular_second_moment", "How uniform it is: 1 where all pairs are the same."],
  ];

  const wordOf = (name) => rugose.words.column(NAME, name);
  const titleOf = (name) => name.replace(/_/g, " ");
  const featuresOf = (columns) => columns.filter((name) => !PLACES.has(name));
  const option = (value, text, isChosen) => h("option", { value, selected: isChosen }, text);

  /* ---- One region ---- */

  function valueOf(row, name, digits) {
    if (row[name] === null) return "undefined" + (rugose.reason(row) ? " (" + row.status + ")" : "");
    return show(row[name], digits);
  }

  function numbersOf(row) {
    const found = FIRST.filter(([name]) => row[name] !== undefined);
    return pieces.numbers(found.map(([name, says]) =>
      ({ id: name, name: titleOf(name), value: valueOf(row, name, 4), says, word: wordOf(name) })));
  }

  function featureTable(columns, row) {
    const caption = "Features of co-occurrence", head = (text, name) => h("th", { scope: "col", class: name }, text);
    const line = (name) => h("tr", {}, h("th", { scope: "row" }, titleOf(name)),
      h("td", { class: "number", "data-name": "feature-" + name }, valueOf(row, name, 6)),
      h("td", { class: "says" }, wordOf(name) || ""));
    return h("div", { class: "plain features", tabindex: 0, role: "region", "aria-label": caption },
      h("table", {}, h("caption", { class: "unseen" }, caption),
        h("thead", {}, h("tr", {}, head("feature"), head("value", "number"), head("what it says"))),
        h("tbody", {}, featuresOf(columns).map(line))));
  }

  /* ---- Labels ---- */

  /* The labels of the second file, each in the colour of its feature. */
  async function labelPicture(app, result, name, place) {
    const found = new Map(result.rows.map(({ row }) => [row.label, row[name] === null ? NaN : row[name]]));
    const { labels, slice, axis } = app.state, size = { width: LABEL_PIXELS, height: LABEL_PIXELS, slice, axis };
    const picture = labels === null ? null : await rugose.engine.picture(labels, size, { key: "labels" });
    if (!picture) return;
    const values = Float32Array.from(picture.values, (label) => (found.has(label) ? found.get(label) : NaN));
    place.replaceChildren(rugose.pictures.map(values, [picture.height, picture.width], {
      alt: "The labels in the colours of their " + titleOf(name),
      caption: "Each label in the colour of its " + titleOf(name) + ".",
      text: (v) => (Number.isNaN(v) ? "no label" : titleOf(name) + " " + show(v, 5)),
    }).element);
  }

  function labels(app, state, result) {
    const place = h("div");
    const draw = () => labelPicture(app, result, state.colour, place).catch((e) => pieces.trouble(place, e));
    const choose = () => {
      state.colour = select.value;
      draw();
    };
    const select = h("select", { "data-name": "label-feature", onchange: choose },
      featuresOf(result.columns).map((name) => option(name, titleOf(name), name === state.colour)));
    draw();
    const head = pieces.numbers([{ id: "labels", name: "labels", value: show(result.rows.length),
      says: "Each has a row in the table of all images." }]);
    const chooser = h("div", { class: "controls" }, h("label", { class: "field" }, "Colour by ", select));
    return { head: [head], figures: [h("div", { class: "wide" }, chooser, place)] };
  }

  /* ---- The map ---- */

  /* Which map is drawn: {elements, feature(), options()}. */
  function mapChoice(changed) {
    const choice = (name, list, chosen) =>
      h("select", { "data-name": "map-" + name, onchange: changed },
        list.map(([value, text]) => option(value, text, value === chosen)));
    const features = rugose.words.names(NAME).filter((name) => !PLACES.has(name)).map((name) => [name, titleOf(name)]);
    const feature = choice("feature", features, "contrast");
    const window = choice("window", [7, 11, 15, 21, 31].map((n) => [n, n + " × " + n + " pixels"]));
    const levels = choice("levels", [16, 32, 64].map((n) => [n, n]), 32);
    const label = (title, select) => h("label", { class: "field" }, title + " ", select);
    return {
      elements: [label("Map of", feature), label("around each pixel", window), label("grey levels", levels)],
      feature: () => feature.value,
      options: () => ({ features: feature.value, window: window.value, levels: levels.value, range: "image",
        map: feature.value + ".tif" }),
    };
  }

  /* The choice of a map, and the map; it is kept while results are drawn again. */
  function mapBox() {
    const state = { key: "", facts: null, isWanted: false }, choice = mapChoice(() => go(true));
    const button = h("button", { type: "button", "data-name": "map-draw", onclick: () => go(true) }, "Draw the map");
    const place = h("div", { "data-name": "map" });
    const element = h("div", { class: "wide" }, h("div", { class: "controls" }, choice.elements, button), place);

    const optionsOf = () => {
      const { aggregate: _, ...options } = rugose.agenda.given(NAME, state.facts);
      return { ...options, ...choice.options() };
    };

    /* Draws the map where it is small, or was asked for. */
    function go(isAsked) {
      const { facts } = state, options = optionsOf(), key = JSON.stringify([facts.id, options]);
      const isSmall = facts.shape.reduce((a, b) => a * b, 1) <= AT_ONCE, name = choice.feature();
      if (isAsked) state.isWanted = true;
      button.hidden = isSmall || state.isWanted;
      if (key === state.key || !(isSmall || state.isWanted)) return;
      state.key = key;
      pieces.measureMap(place, () => rugose.engine.measure(facts.id, NAME, options, { key: "map" }), {
        isDue: () => state.key === key,
        stopped: () => Object.assign(state, { key: "", isWanted: false }) && (button.hidden = false),
        make: ({ data, shape }) => rugose.pictures.map(data, shape, {
          alt: "The " + titleOf(name) + " around each pixel of " + facts.name,
          caption: titleOf(name) + ": " + (wordOf(name) || "") }).element,
      });
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
    if (rows.some(({ row }) => row.label > 0)) return { notes, ...labels(app, state, result) };
    const { row } = rows[0], counted = show(row.pairs) + " pairs of pixels, " + show(row.levels) + " grey levels.";
    return { head: [numbersOf(row)], notes, figures: [state.map.of(facts)],
      rest: [featureTable(columns, row), h("p", { class: "small soft" }, counted)] };
  }

  const FIELDS = [
    { name: "distances", title: "Distance",
      choices: [["", "1 pixel"], ["2", "2 pixels"], ["4", "4 pixels"], ["8", "8 pixels"]],
      word: "How far the two pixels of a pair lie apart." },
    { name: "levels", title: "Grey levels",
      choices: [["", "as they are (real numbers: 64)"], ["16", "16"], ["32", "32"], ["64", "64"],
        ["256", "256"]],
      word: "Into how many steps the values are divided. Only features with the same levels can be compared." },
    { name: "aggregate", title: "Directions", choices: [["", "mean of all"], ["merged", "all counted together"],
      ["range", "largest minus smallest"]], word: "How the directions of the pairs are combined." },
    { name: "features", title: "more features", kind: "check", read: (value) => value === "all",
      write: (isAll) => (isAll ? "all" : null),
      word: "Those of the Image Biomarker Standardisation Initiative (IBSI) that Haralick et al. did not define." },
  ];

  return {
    name: NAME, command: NAME, title: "Co-occurrence",
    options: { distances: null, levels: null, aggregate: null, features: null },
    accepts: (facts) => facts.kind === "image" || "Co-occurrence is measured on images and volumes; these are points.",
    lead: "How often do any two grey levels lie side by side? In a smooth image neighbours are alike, in a rough " +
      "one they differ. Haralick's features sum this up; labels from a second file give them for each cell or region.",
    make(element, app) {
      const state = { colour: "contrast", map: mapBox() }, controls = FIELDS.map((o) => pieces.field(app, NAME, o));
      const panel = pieces.panel(element, { controls, draw: (...args) => draw(app, state, ...args) });
      app.on("view", panel.redraw);
      return panel;
    },
  };
})());
