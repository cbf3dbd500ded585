/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counts against size with local slopes, where the range of the fit is dragged by two handles, and where a size that
 * is pointed at is shown. The chart is drawn anew for each result; the handles stay, so that they can be held. */
"use strict";

rugose.fitPlot = (function () {
  const { h, charts, handles, show } = rugose;
  const { set, svg } = handles;
  const LEAST_WIDTH = 240, HEIGHT = 380, LOWER = 96;
  const REACH = 14;  /* pixels from a size to the handle beside it, at most */
  const LEAST = 3;   /* sizes in a fit */
  const STEP_MS = 900; /* that each size is shown while all are stepped through */
  const IDS = ["fit-min", "fit-max"], NAMES = ["Smallest size of the fit", "Largest size of the fit"];

  /** Makes a plot.
   *  @param o.fit  called with "A..B" or null (the default) and whether a handle is still held
   *  @param o.point  called with the index of the size that is pointed at, or null; may be missing
   *  @return {element, watch(), show(o, isOld)}: watch() points at one size after the other, or stops that; o as that of
   *    charts.scaling, with `unit` of sizes and `told(i)`, the words for a size that is pointed at; isOld: the range has
   *    been changed since, so that the handles stay where they are */
  function make(o) {
    const chart = h("div", { class: "drawn" }), range = svg("rect", { class: "range" });
    const cursor = svg("line", { class: "cursor" });
    const grips = IDS.map((id, i) => handles.make(NAMES[i], { "data-name": id }));
    const over = svg("svg", { class: "handles" }, range, cursor, ...grips);
    const area = h("div", { class: "plot" }, chart, over);
    const told = h("p", { class: "readout small soft", "data-name": "fit" });
    const element = h("figure", { class: "fit-plot" }, area, told);
    const state = { shown: null, place: null, ends: [0, 0], held: -1, at: -1, frame: 0, sent: "", timer: 0 };

    const sizes = () => state.shown.points.map((p) => p.size);
    const text = (ends) => sizes()[ends[0]] + ".." + sizes()[ends[1]];

    /* Where a handle stands: half-way to the size beside it. */
    function xOf(i) {
      const list = sizes(), at = state.place.x(list[state.ends[i]]), next = list[state.ends[i] + (i ? 1 : -1)];
      const reach = next === undefined ? REACH : Math.min(REACH, Math.abs(state.place.x(next) - at) / 2);
      return i ? Math.min(state.place.right, at + reach) : Math.max(state.place.left, at - reach);
    }

    function placeHandles() {
      if (!state.place) return;
      const { top, bottom } = state.place, list = sizes(), xs = [xOf(0), xOf(1)];
      set(range, { x: xs[0], width: Math.max(0, xs[1] - xs[0]), y: top, height: bottom - top });
      grips.forEach((grip, i) => {
        handles.place(grip, xs[i], { top, bottom, middle: top + (bottom - top) * 0.28 });
        set(grip, { "aria-valuemin": 0, "aria-valuemax": list.length - 1, "aria-valuenow": state.ends[i],
          "aria-valuetext": show(list[state.ends[i]]) + " " + state.shown.unit });
      });
    }

    function tell() {
      const list = sizes(), [a, b] = state.ends;
      if (state.at >= 0) {
        told.textContent = state.shown.told(state.at);
        return;
      }
      const how = o.point ? "; point at the plot to see the boxes of a size." : ".";
      told.textContent = "The line is fitted over sizes " + show(list[a]) + " to " + show(list[b]) + " " +
        state.shown.unit + ", " + (b - a + 1) + " of " + list.length + ". Drag the handles to change that" + how;
    }

    function draw() {
      state.frame = 0;
      area.hidden = told.hidden = !state.shown || state.shown.points.length === 0;
      if (area.hidden || !area.clientWidth) return;
      const width = Math.max(LEAST_WIDTH, Math.round(area.clientWidth - 16));
      const drawn = charts.scaling({ height: HEIGHT, lower: LOWER, ...state.shown, width });
      state.place = drawn.place;
      chart.replaceChildren(drawn);
      over.setAttribute("viewBox", "0 0 " + width + " " + (state.shown.height || HEIGHT));
      over.toggleAttribute("hidden", state.shown.points.length < LEAST);
      placeHandles();
      point(Math.min(state.at, state.shown.points.length - 1));
      if (o.point && state.at >= 0) o.point(state.at);
      tell();
    }

    function redraw() {
      if (!state.frame) state.frame = requestAnimationFrame(draw);
    }

    /* ---- Holding and pointing ---- */

    function nearest(event) {
      const box = over.getBoundingClientRect(), scale = over.viewBox.baseVal.width / box.width;
      const x = (event.clientX - box.left) * scale;
      const away = sizes().map((size) => Math.abs(state.place.x(size) - x));
      return away.indexOf(Math.min(...away));
    }

    /* Moves a handle to a size, at least LEAST sizes from the other one. */
    function move(i, to, isLive) {
      const last = sizes().length - 1, other = state.ends[1 - i];
      const at = i ? Math.min(last, Math.max(to, other + LEAST - 1)) : Math.max(0, Math.min(to, other - LEAST + 1));
      if (at < 0 || at > last) return;
      state.ends[i] = at;
      placeHandles();
      pointAt(-1);
      tell();
      send(isLive);
    }

    function send(isLive) {
      const key = text(state.ends) + isLive;
      if (key === state.sent) return;
      state.sent = key;
      o.fit(text(state.ends), isLive);
    }

    function point(i) {
      state.at = i;
      cursor.toggleAttribute("hidden", i < 0);
      if (i < 0 || !state.place) return;
      const x = state.place.x(sizes()[i]);
      set(cursor, { x1: x, x2: x, y1: state.place.top, y2: state.place.bottom });
    }

    function pointAt(i) {
      if (i === state.at) return;
      point(i);
      tell();
      if (o.point) o.point(i < 0 ? null : i);
    }

    grips.forEach((g, i) => {
      g.addEventListener("pointerdown", (event) => {
        if (event.button) return;
        event.preventDefault();
        g.focus();
        g.setPointerCapture(event.pointerId);
        state.held = i;
      });
      g.addEventListener("pointermove", (event) => {
        if (state.held === i) move(i, nearest(event), true);
      });
      for (const end of ["pointerup", "pointercancel"])
        g.addEventListener(end, () => {
          if (state.held !== i) return;
          state.held = -1;
          if (state.sent) send(false);
          state.sent = "";
        });
      g.addEventListener("keydown", (event) => {
        const by = { Home: -Infinity, End: Infinity }[event.key] || handles.steps(event.key);
        if (event.key === "Delete" || event.key === "Backspace") o.fit(null, false);
        else if (by) {
          state.sent = "";
          move(i, Math.min(sizes().length - 1, Math.max(0, state.ends[i] + by)), false);
        } else return;
        event.preventDefault();
      });
      g.addEventListener("focus", () => state.shown && pointAt(state.ends[i]));
      g.addEventListener("blur", () => pointAt(-1));
    });
    /* A finger chooses a size, and gives it back where it chooses it again. */
    function choose(event, isTap) {
      if (state.held >= 0 || !state.place) return;
      stop();
      pointAt(isTap && event.pointerType !== "mouse" && nearest(event) === state.at ? -1 : nearest(event));
    }

    /* ---- One size after the other ---- */

    function stop() {
      clearTimeout(state.timer);
      state.timer = 0;
    }

    /* From the largest boxes to the smallest. */
    function step(i) {
      stop();
      if (!state.shown || i >= state.shown.points.length) return;
      pointAt(i);
      if (i >= 0) state.timer = setTimeout(() => step(i - 1), STEP_MS);
    }

    over.addEventListener("pointermove", (event) => { if (event.pointerType === "mouse") choose(event, false); });
    over.addEventListener("click", (event) => choose(event, true));
    over.addEventListener("pointerleave", (event) => {
      if (state.held < 0 && event.pointerType === "mouse") pointAt(-1);
    });
    over.addEventListener("dblclick", () => o.fit(null, false));
    new ResizeObserver(redraw).observe(area);

    return {
      element,
      watch: () => (state.timer ? step(-1) : step(state.shown ? state.shown.points.length - 1 : -1)),
      show(shown, isOld = false) {
        const used = shown.points.map((p, i) => (p.used ? i : -1)).filter((i) => i >= 0), n = shown.points.length;
        state.shown = shown;
        const ends = used.length ? [used[0], used[used.length - 1]] : [0, Math.max(0, n - 1)];
        if ((state.held < 0 && !isOld) || state.ends[1] >= n) state.ends = ends;
        redraw();
      },
    };
  }

  return { make };
})();
