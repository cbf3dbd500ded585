/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The current image: its pixels in grey, what is set in orange, outlines of labels, and over it the boxes of one
 * size. What is set is computed here from the picture's values, so that it follows a slider at once. */
"use strict";

rugose.view = (function () {
  const { h, paint, rules } = rugose;
  const MOST_SIDE = 1024;     /* of a picture, in pixels, so that it is painted within a frame */
  const MOST_UNEQUAL = 20;    /* spacings that differ by more are not shown as they are */
  const LEAST_BOX = 4;        /* pixels of the screen a side of a box that is drawn; smaller ones are what is set */
  const AXES = { 2: ["y", "x"], 3: ["z", "y", "x"] };
  let current = null;

  const isVolume = (facts) => facts.kind === "image" && facts.shape.length === 3;

  /* The two axes of the image that are seen, the slower first. */
  const axesOf = ({ shape }, axis) => [0, 1, 2].slice(0, shape.length).filter((a) => shape.length < 3 || a !== axis);

  /* Width over height of a picture, with the spacing of its pixels. */
  function aspectOf(facts, axes, picture) {
    const [y, x] = axes.map((a) => (facts.spacing || [])[a] || 0), ratio = y > 0 && x > 0 ? x / y : 1;
    const isFair = ratio < MOST_UNEQUAL && ratio > 1 / MOST_UNEQUAL;
    const [rows, columns] = axes.length === 2 ? axes.map((a) => facts.shape[a]) : [picture.height, picture.width];
    return (columns / rows) * (isFair ? ratio : 1);
  }

  function make(element, app) {
    const pixels = h("canvas", { role: "img", id: "picture" }),
      over = h("canvas", { class: "over", "aria-hidden": "true" });
    const read = h("p", { class: "pixel small", "data-name": "pixel", hidden: true }),
      stage = h("div", { class: "stage" }, pixels, over, read);
    const trouble = h("p", { class: "small doubtful", hidden: true });
    const slice = h("input", { type: "range", min: 0, step: 1, id: "slice", oninput: () => moveSlice(true),
      onchange: () => moveSlice(false) });
    const axis = h("select", { id: "axis", onchange: () => app.set({ axis: Number(axis.value), slice: null }) });
    const sliceField = h("label", { class: "field slice" }, "Slice ", slice),
      axisField = h("label", { class: "field" }, "across ", axis);
    const isOver = h("input", { type: "checkbox", id: "overlay", checked: true, onchange: () => repaint() });
    const opacity = h("input", { type: "range", id: "opacity", min: 0, max: 1, step: 0.05, value: 1,
      oninput: () => repaint(), "aria-label": "Opacity of the foreground" });
    const overField = h("span", { class: "field overlay" }, h("label", {}, isOver, " Overlay "), opacity);
    const whole = h("select", { id: "contrast", onchange: () => regrey() },
      h("option", { value: "most" }, "98 % of values"), h("option", { value: "all" }, "all values"));
    const wholeField = h("label", { class: "field",
      title: "Which values are spread from black to white: all, or those between the 1st and 99th percentile" },
    "Contrast ", whole);
    const volume = h("div", { class: "controls volume" }, sliceField, axisField);
    const s = { facts: null, picture: null, levels: null, greys: null, labels: null, inside: null, count: null,
      rule: null, hasBoxes: false, asked: 0, key: "", size: 0, frame: 0 };

    element.append(h("figure", { class: "view" }, stage, trouble), volume,
      h("div", { class: "controls shown" }, overField, wholeField));

    /* ---- What is seen ---- */

    const facts = () => app.current(), axisNow = () => app.state.axis;
    const sliceNow = (f) => (app.state.slice === null ? Math.floor(f.shape[axisNow()] / 2)
      : Math.min(app.state.slice, f.shape[axisNow()] - 1));

    /* Pixels that the picture should have, twice as many as the screen shows. */
    function sizeNow() {
      const side = Math.round(2 * Math.max(200, stage.parentElement.clientWidth) * (devicePixelRatio || 1));
      return Math.min(MOST_SIDE, side);
    }

    /* Labels and mask that go with an image. */
    const othersOf = (f) => rugose.agenda.others(f, app.panel(app.state.command) || {});

    async function load() {
      const f = facts(), asked = ++s.asked;
      if (!f) return clear();
      const size = sizeNow(), where = isVolume(f) ? { slice: sliceNow(f), axis: axisNow() } : {};
      const of = (id, key) => rugose.engine.picture(id, { width: size, height: size, ...where }, { key });
      const { labels, mask } = othersOf(f), other = (id, key) => (id === null ? null : of(id, key).catch(() => null));
      try {
        const [picture, labelled, inside] = await Promise.all([of(f.id, "picture"), other(labels, "picture of labels"),
          other(mask, "picture of the mask")]);
        if (asked !== s.asked || !picture) return;
        const fits = (p) => (p && p.width === picture.width && p.height === picture.height ? p.values : null);
        Object.assign(s, { facts: f, picture, labels: fits(labelled), inside: fits(inside), size });
        place(f);
        if (f.kind === "image") prepare();
        regrey();
      } catch (e) {
        if (asked !== s.asked) return;
        if (e.name === "Stopped") s.key = "";
        else clear("The picture cannot be shown: " + e.message);
      }
    }

    function clear(text = "") {
      Object.assign(s, { facts: null, picture: null, greys: null });
      pixels.width = over.width = 1;
      stage.hidden = true;
      volume.hidden = true;
      trouble.textContent = text;
      trouble.hidden = text === "";
    }

    function place(f) {
      const axes = axesOf(f, axisNow()), isDeep = isVolume(f);
      const aspect = aspectOf(f, axes, s.picture);
      stage.hidden = false;
      trouble.hidden = true;
      stage.style.setProperty("--aspect", aspect);
      stage.classList.toggle("coarse", s.picture.width < stage.clientWidth * (devicePixelRatio || 1));
      [pixels.width, pixels.height] = [s.picture.width, s.picture.height];
      volume.hidden = !isDeep;
      if (isDeep) placeSlices(f);
      read.hidden = true;
    }

    function placeSlices(f) {
      const n = f.shape[axisNow()], at = sliceNow(f), names = AXES[3];
      if (axis.children.length === 0) axis.append(...names.map((name, i) => h("option", { value: i }, name)));
      axis.value = axisNow();
      slice.max = n - 1;
      slice.value = at;
      slice.setAttribute("aria-valuetext", "slice " + (at + 1) + " of " + n + " across " + names[axisNow()]);
    }

    function moveSlice(isLive) {
      app.set({ slice: Number(slice.value) }, isLive ? { live: true } : {});
    }

    /* ---- Painting ---- */

    /* The rule by which pixels are set now, or null. */
    function ruleNow() {
      const { foreground } = app.optionsOf(app.state.command);
      if (!s.facts || s.facts.kind !== "image" || !foreground) return null;
      return rules.resolved(foreground, rugose.texts.firstRow(app, s.facts)) ||
        (s.rule && s.ruleOf === s.facts.id ? s.rule : null);
    }

    function prepare() {
      const { values, width, height } = s.picture;
      s.levels = paint.levels(values, width);
      s.isSet = new Uint8Array(s.levels.values.length);
      s.image = new ImageData(width, height);
      s.out = new Uint32Array(s.image.data.buffer);
    }

    function regrey() {
      if (!s.picture) return;
      if (s.facts.kind === "points") return drawPoints();
      s.greys = paint.greys(s.levels, paint.rangeOf(s.picture.values, whole.value === "all"));
      repaint();
    }

    /* Points as dots, the first axis to the right, the second upwards. */
    function drawPoints() {
      const { values, width: n, height } = s.picture;
      const [x, y] = [0, Math.min(1, n - 1)].map((axis) => pointScale(values, n, axis));
      const side = Math.min(MOST_SIDE, sizeNow()), range = Math.max(x.range, y.range, 1e-300),
        context = pixels.getContext("2d");
      const scale = (side - 12) / range, r = height > 2000 ? 1 : 2;
      [pixels.width, pixels.height] = [Math.max(24, x.range * scale + 12), Math.max(24, y.range * scale + 12)];
      stage.style.setProperty("--aspect", pixels.width / pixels.height);
      context.fillStyle = getComputedStyle(pixels).getPropertyValue("--text");
      for (let i = 0; i < height; i++)
        context.fillRect(6 + (values[i * n + x.axis] - x.least) * scale - r,
          pixels.height - 6 - (values[i * n + y.axis] - y.least) * scale - r, 2 * r, 2 * r);
      overField.hidden = wholeField.hidden = true;
      pixels.setAttribute("aria-label", s.facts.name + ": " + rugose.texts.image(s.facts));
    }

    function pointScale(values, n, axis) {
      const list = values.filter((v, i) => i % n === axis && Number.isFinite(v)), [least, most] = d3.extent(list);
      return { axis, least: least || 0, range: (most - least) || 0 };
    }

    /** Paints in the next frame. */
    function repaint() {
      if (!s.frame) s.frame = requestAnimationFrame(draw);
    }

    function draw() {
      s.frame = 0;
      if (!s.picture || s.facts.kind === "points") return;
      const rule = ruleNow();
      wholeField.hidden = false;
      [s.rule, s.ruleOf] = [rule, s.facts.id];
      overField.hidden = rule === null;
      if (rule) rules.mark(s.isSet, s.levels.values, rule);
      else s.isSet.fill(0);
      paint.pixels(s.out, s.levels.index, s.greys, s.isSet, isOver.checked ? Number(opacity.value) : 0, s.inside);
      if (s.labels) paint.outlines(s.out, s.picture.width, paint.marks(s.levels.index, s.isSet, s.inside), s.labels);
      pixels.getContext("2d").putImageData(s.image, 0, 0);
      pixels.setAttribute("aria-label", s.facts.name + ": " + rugose.texts.image(s.facts) +
        (rule && isOver.checked ? "; in orange the foreground, " + rules.words(rule) : "") +
        (s.labels ? "; labels outlined in blue" : ""));
      drawBoxes();
    }

    /* ---- Boxes of one size ---- */

    /* The side of a box and how far its grid begins before the picture, in pixels of the picture. */
    function gridOf(c, axes) {
      const f = s.facts, unit = c.size_unit ? axes.map((a) => f.spacing[a]) : [1, 1];
      const shifts = typeof c.shift === "string" ? c.shift.split("x").map(Number) : f.shape.map(() => 0);
      const scale = [s.picture.height / f.shape[axes[0]], s.picture.width / f.shape[axes[1]]];
      return { side: [0, 1].map((i) => c.size / unit[i] * scale[i]),
        shift: [0, 1].map((i) => shifts[axes[i]] * scale[i]) };
    }

    function drawBoxes() {
      const f = s.facts, unit = s.count && s.count.size_unit;
      const isShown = s.count !== null && s.rule !== null && (!unit || unit === f.spacing_unit);
      if (!isShown && !s.hasBoxes) return;
      s.hasBoxes = isShown;
      const ratio = devicePixelRatio || 1, context = over.getContext("2d");
      [over.width, over.height] = [stage.clientWidth, stage.clientHeight].map((v) => Math.round(v * ratio));
      if (!isShown) return;
      const axes = axesOf(f, axisNow()), grid = gridOf(s.count, axes),
        zoom = [over.height / s.picture.height, over.width / s.picture.width];
      const [height, width] = [0, 1].map((i) => grid.side[i] * zoom[i]), top = -grid.shift[0] * zoom[0],
        left = -grid.shift[1] * zoom[1];
      if (Math.min(width, height) < LEAST_BOX * ratio) return;
      context.fillStyle = context.strokeStyle = getComputedStyle(over).getPropertyValue("--accent");
      const set = paint.marks(s.levels.index, s.isSet, s.inside);
      context.lineWidth = Math.max(1, ratio);
      context.beginPath();
      for (const [row, column] of paint.boxes(set, s.picture.width, grid.side, grid.shift))
        context.rect(left + column * width, top + row * height, width, height);
      context.globalAlpha = 0.16;
      context.fill();
      context.globalAlpha = 1;
      context.stroke();
    }

    /* ---- Reading values ---- */

    function point(event) {
      if (!s.picture || s.facts.kind !== "image") return;
      const box = stage.getBoundingClientRect(), axes = axesOf(s.facts, axisNow());
      const share = [(event.clientY - box.top) / box.height, (event.clientX - box.left) / box.width];
      if (share.some((v) => v < 0 || v >= 1)) return;
      const at = axes.map((a, i) => Math.floor(share[i] * s.facts.shape[a])), names = AXES[s.facts.shape.length];
      const value = s.picture.values[Math.floor(share[0] * s.picture.height) * s.picture.width +
        Math.floor(share[1] * s.picture.width)];
      read.hidden = false;
      read.textContent = axes.map((a, i) => names[a] + " " + at[i]).reverse().join(", ") + ": " +
        (Number.isNaN(value) ? "no data" : rugose.show(value));
    }

    stage.addEventListener("pointermove", point);
    stage.addEventListener("pointerleave", () => { read.hidden = true; });
    new ResizeObserver(() => {
      if (s.picture && sizeNow() > 1.4 * s.size) load();
      else repaint();
    }).observe(stage);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", regrey);

    /* A slider may be ahead of the picture: only what it stands at last is asked for. */
    function changed() {
      const f = facts(), others = f && othersOf(f);
      const key = f && [f.id, axisNow(), isVolume(f) ? sliceNow(f) : "", others.labels, others.mask].join("\n");
      if (key === s.key) return repaint();
      s.key = key;
      load();
    }

    for (const event of ["images", "current", "command", "options", "view", "result"]) app.on(event, changed);
    clear();
    changed();
    current = {
      showBoxes(count, words) {
        s.count = count;
        read.hidden = count === null;
        read.textContent = words;
        repaint();
      },
      reveal: () => stage.scrollIntoView({ block: "nearest" }),
    };
    return current;
  }

  return {
    make,
    /** Shows the boxes of a size over the image. @param count  what a result says of the size; null: none */
    showBoxes: (count, words = "") => current && current.showBoxes(count, words),
    /** Moves the image into the window, as far as it is outside. */
    reveal: () => current && current.reveal(),
  };
})();
