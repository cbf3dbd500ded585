/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counts against size with local slopes, where the range of the fit is dragged by two handles, and where a size that
 * is pointed at is shown. The chart is drawn anew for each result; the handles stay, so that they can be held. */
"use strict";

rugose.fitPlot = (function () {
  const { h, charts, show } = rugose;
  const LEAST_WIDTH = 240, HEIGHT = 380, LOWER = 96;
  const REACH = 14;  /* pixels from a size to the handle beside it, at most */
  const LEAST = 3;   /* sizes in a fit */
  const NAMES = ["Smallest size of the fit", "Largest size of the fit"];

  const s = (name, attributes, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  function handle(i) {
    return s("g", { class: "handle", role: "slider", tabindex: 0, "aria-label": NAMES[i], "data-name": i ? "fit-max" : "fit-min" },
      s("rect", { class: "reach", x: -16, width: 32 }), s("line", { x1: 0, x2: 0 }),
      s("rect", { class: "grip", x: -5, width: 10, height: 30, rx: 4 }),
      s("path", { class: "ridges", d: "M-1.5,-6v12M1.5,-6v12" }));
  }

  /** Makes a plot.
   *  @param o.fit  called with "A..B" or null (the default) and whether a handle is still held
   *  @param o.point  called with the index of the size that is pointed at, or null; may be missing
   *  @return {element, show(o)}: o as that of charts.scaling, with `unit`, `what` ("boxes that hold foreground") and
   *    `told(i)`, the words for a size that is pointed at */
  function make(o) {
    const chart = h("div", { class: "drawn" }), range = s("rect", { class: "range" }), cursor = s("line", { class: "cursor" });
    const handles = [handle(0), handle(1)], over = s("svg", { class: "handles" }, range, cursor, ...handles);
    const area = h("div", { class: "plot" }, chart, over), told = h("p", { class: "readout small soft", "data-name": "fit" });
    const element = h("figure", { class: "fit-plot" }, area, told);
    const state = { shown: null, place: null, ends: [0, 0], held: -1, at: -1, frame: 0, sent: "" };

    const sizes = () => state.shown.points.map((p) => p.size);
    const text = (ends) => sizes()[ends[0]] + ".." + sizes()[ends[1]];

    /* Where a handle stands: half-way to the size beside it. */
    function xOf(i) {
      const list = sizes(), at = state.place.x(list[state.ends[i]]), next = list[state.ends[i] + (i ? 1 : -1)];
      const reach = next === undefined ? REACH : Math.min(REACH, Math.abs(state.place.x(next) - at) / 2);
      return at + (i ? reach : -reach);
    }

    function placeHandles() {
      const { top, bottom } = state.place, list = sizes(), unit = state.shown.unit, xs = [xOf(0), xOf(1)];
      for (const [key, value] of Object.entries({ x: xs[0], width: Math.max(0, xs[1] - xs[0]), y: top, height: bottom - top }))
        range.setAttribute(key, value);
      handles.forEach((g, i) => {
        const [reach, line, grip, ridges] = g.children, middle = top + (bottom - top) * 0.28;
        g.setAttribute("transform", "translate(" + xs[i] + ",0)");
        reach.setAttribute("y", top);
        reach.setAttribute("height", bottom - top);
        line.setAttribute("y1", top);
        line.setAttribute("y2", bottom);
        grip.setAttribute("y", middle - 15);
        ridges.setAttribute("transform", "translate(0," + middle + ")");
        g.setAttribute("aria-valuemin", 0);
        g.setAttribute("aria-valuemax", list.length - 1);
        g.setAttribute("aria-valuenow", state.ends[i]);
        g.setAttribute("aria-valuetext", show(list[state.ends[i]]) + " " + unit);
      });
    }

    function tell() {
      const list = sizes(), [a, b] = state.ends;
      told.textContent = state.at >= 0 ? state.shown.told(state.at)
        : "The line is fitted over sizes " + show(list[a]) + " to " + show(list[b]) + " " + state.shown.unit + ", " + (b - a + 1) +
          " of " + list.length + ". Drag the handles to change that" + (o.point ? "; point at the plot to see the boxes of a size." : ".");
    }

    function draw() {
      state.frame = 0;
      area.hidden = told.hidden = !state.shown || state.shown.points.length === 0;
      if (area.hidden || !area.clientWidth) return;
      const width = Math.max(LEAST_WIDTH, Math.round(area.clientWidth - 16));
      const svg = charts.scaling({ height: HEIGHT, lower: LOWER, ...state.shown, width });
      state.place = svg.place;
      chart.replaceChildren(svg);
      over.setAttribute("viewBox", "0 0 " + width + " " + (state.shown.height || HEIGHT));
      over.toggleAttribute("hidden", state.shown.points.length < LEAST);
      placeHandles();
      point(Math.min(state.at, state.shown.points.length - 1));
      tell();
    }

    function redraw() {
      if (!state.frame) state.frame = requestAnimationFrame(draw);
    }

    /* ---- Holding and pointing ---- */

    function nearest(event) {
      const box = over.getBoundingClientRect(), x = (event.clientX - box.left) * (over.viewBox.baseVal.width / box.width);
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
      if (i < 0) return;
      const x = state.place.x(sizes()[i]);
      for (const [key, value] of Object.entries({ x1: x, x2: x, y1: state.place.top, y2: state.place.bottom }))
        cursor.setAttribute(key, value);
    }

    function pointAt(i) {
      if (i === state.at) return;
      point(i);
      tell();
      if (o.point) o.point(i < 0 ? null : i);
    }

    handles.forEach((g, i) => {
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
        const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -1000, End: 1000 }[event.key];
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
    over.addEventListener("pointermove", (event) => {
      if (state.held < 0 && state.shown && state.place) pointAt(nearest(event));
    });
    over.addEventListener("pointerleave", () => { if (state.held < 0) pointAt(-1); });
    over.addEventListener("dblclick", () => o.fit(null, false));
    new ResizeObserver(redraw).observe(area);

    return {
      element,
      show(shown) {
        const used = shown.points.map((p, i) => (p.used ? i : -1)).filter((i) => i >= 0);
        state.shown = shown;
        if (state.held < 0) state.ends = used.length ? [used[0], used[used.length - 1]] : [0, Math.max(0, shown.points.length - 1)];
        redraw();
      },
    };
  }

  return { make };
})();
