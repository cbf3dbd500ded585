/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How the values of the current image are spread, and the rule by which pixels are set: chosen, typed, or dragged on
 * the histogram. It is the rule of all commands that have one. */
"use strict";

rugose.histogram = (function () {
  const { h, rules } = rugose;
  const HEIGHT = 128, LEFT = 10, RIGHT = 10, TOP = 8, BOTTOM = 22;
  const BINS = 256;          /* at most */
  const LEAST_BAR = 2;       /* pixels a bar is wide */
  const FEW_BARS = 8, WIDE_BAR = 8;
  const FINE = 256;          /* steps of the slider where values are not whole */

  const s = (name, attributes, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  const set = (element, attributes) => Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));

  function make(element, app) {
    const select = h("select", { id: "rule", onchange: () => choose(select.value) },
      rules.KINDS.map((kind) => h("option", { value: kind }, rules.TITLES[kind])));
    const value = h("input", { type: "number", id: "threshold", step: "any", onchange: () => typed() });
    const valueField = h("label", { class: "field number" }, h("span", { class: "unseen" }, "Value of the rule"), value);
    const isLog = h("input", { type: "checkbox", id: "log-counts", checked: true, onchange: () => redraw() });
    const bars = s("path", { class: "bars" }), lit = s("path", { class: "bars lit" }), axis = s("g", { class: "axis" });
    const clip = s("rect", { y: 0, height: HEIGHT }), line = s("line", { x1: 0, x2: 0, y1: 0, y2: HEIGHT - BOTTOM });
    const grip = s("g", { class: "handle", role: "slider", tabindex: 0, "aria-label": "Threshold", id: "threshold-line" },
      s("rect", { class: "reach", x: -16, width: 32, y: 0, height: HEIGHT }), line,
      s("rect", { class: "grip", x: -5, y: 18, width: 10, height: 30, rx: 4 }), s("path", { class: "ridges", d: "M-1.5,27v12M1.5,27v12" }));
    const svg = s("svg", { class: "levels", height: HEIGHT, role: "group", "aria-label": "Histogram of the values" },
      s("defs", {}, s("clipPath", { id: "lit-part" }, clip)), bars, lit, axis, grip);
    lit.setAttribute("clip-path", "url(#lit-part)");
    const said = h("p", { class: "small soft", "data-name": "rule" });
    const controls = h("div", { class: "controls rule" }, h("label", { class: "field" }, "Foreground ", select), valueField);
    const root = h("section", { class: "histogram", "aria-label": "Which pixels count" }, controls, svg, h("div", { class: "below" }, said,
      h("label", { class: "small" }, isLog, " log counts")));
    const state = { drawn: null, found: null, key: "", asked: 0, frame: 0, held: false, rule: null, sent: null };
    element.append(root);

    /* ---- The rule ---- */

    const option = () => app.optionsOf(app.state.command).foreground;

    /* Sets the rule of every command that has one, as one step. */
    function send(text, live) {
      const names = rugose.panels.map((p) => p.name).filter((name) => app.optionsOf(name).foreground);
      app.set({ options: names.map((name) => [name, "foreground", text]) }, { live });
    }

    const resultRow = () => rugose.texts.firstRow(app, app.current());
    const isWhole = () => state.found.isWhole;
    const half = () => (isWhole() ? 0.5 : 0);
    const step = () => (isWhole() ? 1 : (state.found.max - state.found.min) / FINE || 1);

    /* Where a threshold begins that was not chosen yet. */
    function startValue() {
      if (state.rule && state.rule.value !== null) return state.rule.value;
      const { min, max } = state.found || { min: 0, max: 1 };
      return isWhole() ? Math.ceil((min + max) / 2) : (min + max) / 2;
    }

    function choose(kind) {
      send(rules.text({ kind, value: rules.hasValue(kind) ? startValue() : null }), false);
    }

    function typed() {
      if (value.value === "" || !Number.isFinite(Number(value.value))) return changed();
      const { kind } = rules.parse(option());
      send(rules.text({ kind: rules.hasValue(kind) ? kind : "above", value: Number(value.value) }), false);
    }

    /* A dragged line keeps the side that counts. */
    function moveTo(at, isLive) {
      const { min, max } = state.found, by = step(), kind = state.rule ? state.rule.kind : "above";
      const near = isWhole() ? Math.round(at) : Number(at.toPrecision(6));
      const to = Math.min(kind === "label" || !isWhole() ? max : max + by, Math.max(min, near));
      const text = rules.text({ kind: rules.hasValue(kind) ? kind : "above", value: to });
      if (text + isLive === state.sent) return;
      state.sent = text + isLive;
      send(text, isLive);
    }

    /* ---- Drawing ---- */

    /* The ends of the axis: a bar stands over the whole numbers that it counts. */
    function domain() {
      const { min, max, width, counts } = state.found;
      if (isWhole()) return [min - 0.5, min - 0.5 + width * counts.length];
      return min === max ? [min - 0.5, max + 0.5] : [min, max];
    }

    const scale = () => d3.scaleLinear().domain(domain()).range([LEFT, Math.max(LEFT + 1, svg.clientWidth - RIGHT)]);

    function drawBars() {
      const { counts } = state.found, x = scale().range(), width = (x[1] - x[0]) / counts.length, most = d3.max(counts) || 1;
      const of = isLog.checked ? (n) => Math.log1p(n) / Math.log1p(most) : (n) => n / most, floor = HEIGHT - BOTTOM;
      const isSparse = counts.filter((n) => n > 0).length <= FEW_BARS;
      const wide = Math.max(isSparse ? WIDE_BAR : LEAST_BAR, width), left = x[0] + Math.min(0, width - wide) / 2;
      let d = "";
      counts.forEach((n, i) => {
        if (n > 0) d += "M" + (left + i * width).toFixed(2) + "," + floor + "v" + (-of(n) * (floor - TOP)).toFixed(1) + "h" + wide.toFixed(2) + "V" + floor + "Z";
      });
      set(bars, { d });
      set(lit, { d });
      const ticks = scale().ticks(Math.max(2, Math.round(svg.clientWidth / 90))).filter((v) => !isWhole() || Number.isInteger(v));
      d3.select(axis).attr("transform", "translate(0," + floor + ")").call(d3.axisBottom(scale()).tickValues(ticks)
        .tickFormat(rugose.show).tickSize(4).tickSizeOuter(0));
    }

    /* The part of the axis that is set, in pixels. */
    function litPart(x) {
      const [left, right] = x.range(), rule = state.rule;
      if (!rule) return [left, left];
      switch (rule.kind) {
        case "above": return [x(rule.value - half()), right];
        case "below": return [left, x(rule.value - half())];
        case "label": return [x(rule.value - step() / 2), x(rule.value + step() / 2)];
        default: return [left, right];
      }
    }

    /* The share of the pixels that are set, as the bins say. */
    function share() {
      const { counts, min, width } = state.found, all = d3.sum(counts) || 1, middle = isWhole() ? (width - 1) / 2 : width / 2;
      const set = rules.mark(new Uint8Array(counts.length), counts.map((_, i) => min + i * width + middle), state.rule);
      return d3.sum(counts, (n, i) => set[i] * n) / all;
    }

    function drawRule() {
      const x = scale(), [from, to] = litPart(x), rule = state.rule, hasLine = rule !== null && rules.hasValue(rule.kind);
      set(clip, { x: from, width: Math.max(0, to - from) });
      grip.toggleAttribute("hidden", !hasLine);
      if (hasLine) {
        const at = rule.kind === "label" ? x(rule.value) : rule.kind === "above" ? from : to, [left, right] = x.range();
        set(grip, { transform: "translate(" + Math.min(right, Math.max(left, at)) + ",0)", "aria-valuemin": state.found.min,
          "aria-valuemax": state.found.max, "aria-valuenow": rule.value,
          "aria-valuetext": rules.words(rule) + ", " + rugose.show(100 * share(), 3) + " % of the pixels" });
      }
    }

    /* What is chosen, what it means, and how much that is. */
    function say() {
      const rule = rules.parse(option()), row = resultRow(), isAuto = !rules.hasValue(rule.kind) && rule.kind !== "nonzero";
      const isWholeImage = row && row.foreground_share !== null && row.foreground_share !== undefined && row.label === undefined;
      const part = isWholeImage && !state.held ? row.foreground_share : state.rule ? share() : null;
      const much = part === null ? "" : ", " + rugose.show(100 * part, 3) + "\u00a0% of the pixels";
      said.textContent = state.rule ? (isAuto ? "Chosen: " : "Foreground: ") + rules.words(state.rule) + much + "." : "";
    }

    function draw() {
      state.frame = 0;
      if (!state.found || !svg.clientWidth) return;
      if (state.drawn !== state.found || state.width !== svg.clientWidth || state.log !== isLog.checked) {
        [state.drawn, state.width, state.log] = [state.found, svg.clientWidth, isLog.checked];
        svg.setAttribute("viewBox", "0 0 " + svg.clientWidth + " " + HEIGHT);
        drawBars();
      }
      drawRule();
      say();
    }

    function redraw() {
      if (!state.frame) state.frame = requestAnimationFrame(draw);
    }

    /* ---- What changes it ---- */

    const maskOf = (f) => rugose.agenda.others(f, app.panel(app.state.command)).mask;

    async function load(f) {
      const asked = ++state.asked;
      state.found = null;
      try {
        const found = await rugose.engine.histogram(f.id, BINS, { mask: maskOf(f) }, { key: "histogram" });
        if (asked !== state.asked || !found) return;
        state.found = { ...found, counts: Array.from(found.counts) };
        changed();
      } catch (e) {
        if (asked === state.asked) said.textContent = "The histogram cannot be shown: " + e.message;
      }
    }

    function changed() {
      const f = app.current(), isShown = f !== null && f.kind === "image" && Boolean(option());
      root.hidden = !isShown;
      if (!isShown) return;
      const key = f.id + "\n" + maskOf(f);
      if (key !== state.key) {
        state.key = key;
        state.rule = null;
        load(f);
        return;
      }
      const rule = rules.parse(option());
      state.rule = rules.resolved(option(), resultRow()) || state.rule;
      select.value = rule.kind;
      valueField.hidden = !rules.hasValue(rule.kind);
      if (document.activeElement !== value || state.held) value.value = rule.value === null ? "" : rule.value;
      redraw();
    }

    const valueAt = (event) => scale().invert(event.clientX - svg.getBoundingClientRect().left) + half();

    svg.addEventListener("pointerdown", (event) => {
      if (event.button || !state.found || event.clientY - svg.getBoundingClientRect().top > HEIGHT) return;
      event.preventDefault();
      grip.focus({ preventScroll: true });
      svg.setPointerCapture(event.pointerId);
      state.held = true;
      if (!grip.contains(event.target)) moveTo(valueAt(event), true);
    });
    svg.addEventListener("pointermove", (event) => { if (state.held) moveTo(valueAt(event), true); });
    for (const end of ["pointerup", "pointercancel"])
      svg.addEventListener(end, () => {
        if (!state.held) return;
        state.held = false;
        if (state.sent) send(option(), false);
        state.sent = null;
        changed();
      });
    grip.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
      const to = by ? startValue() + by * step() : { Home: state.found.min, End: state.found.max }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      state.sent = null;
      moveTo(to, false);
    });
    new ResizeObserver(redraw).observe(svg);
    for (const event of ["images", "current", "command", "options", "result"]) app.on(event, changed);
    changed();
    return {};
  }

  return { make };
})();
