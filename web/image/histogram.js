/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How the values of the current image are spread, and the rule by which pixels are set: chosen, typed, or dragged on
 * the histogram. It is the rule of all commands that have one. */
"use strict";

rugose.histogram = (function () {
  const { h, handles, rules } = rugose;
  const { set, svg } = handles;
  const HEIGHT = 128, LEFT = 10, RIGHT = 10, TOP = 8, BOTTOM = 22;
  const PLACE = { top: 0, bottom: HEIGHT - BOTTOM, middle: 33 };
  const BINS = 256;          /* at most */
  const LEAST_BAR = 2;       /* pixels a bar is wide */
  const FEW_BARS = 8, WIDE_BAR = 8;
  const FINE = 256;          /* steps of the slider where values are not whole */

  function make(element, app) {
    const select = h("select", { id: "rule", onchange: () => choose(select.value) },
      rules.KINDS.map((kind) => h("option", { value: kind }, rules.TITLES[kind])));
    const value = h("input", { type: "number", id: "threshold", step: "any", onchange: () => typed() });
    const valueField = h("label", { class: "field number" }, h("span", { class: "unseen" }, "Value of the rule"),
      value);
    const isLog = h("input", { type: "checkbox", id: "log-counts", checked: true, onchange: () => redraw() });
    const bars = svg("path", { class: "bars" }), lit = svg("path", { class: "bars lit" });
    const axis = svg("g", { class: "axis" }), clip = svg("rect", { y: 0, height: HEIGHT });
    const grip = handles.make("Threshold", { id: "threshold-line" });
    const chart = svg("svg", { class: "levels", height: HEIGHT, role: "group", "aria-label": "Histogram of values" },
      svg("defs", {}, svg("clipPath", { id: "lit-part" }, clip)), bars, lit, axis, grip);
    lit.setAttribute("clip-path", "url(#lit-part)");
    const said = h("p", { class: "small soft", "data-name": "rule" });
    const ruleField = h("label", { class: "field" }, "Foreground ", select);
    const below = h("div", { class: "below" }, said, h("label", { class: "small" }, isLog, " log counts"));
    const root = h("section", { class: "histogram", "aria-label": "Which pixels are foreground" },
      h("div", { class: "controls rule" }, ruleField, valueField), chart, below);
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
      if (!state.found) return;
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

    const scale = () => d3.scaleLinear().domain(domain()).range([LEFT, Math.max(LEFT + 1, chart.clientWidth - RIGHT)]);

    function drawBars() {
      const { counts } = state.found, most = d3.max(counts) || 1, x = scale().range();
      const width = (x[1] - x[0]) / counts.length;
      const of = isLog.checked ? (n) => Math.log1p(n) / Math.log1p(most) : (n) => n / most, floor = HEIGHT - BOTTOM;
      const isSparse = counts.filter((n) => n > 0).length <= FEW_BARS;
      const wide = Math.max(isSparse ? WIDE_BAR : LEAST_BAR, width), left = x[0] + Math.min(0, width - wide) / 2;
      let d = "";
      counts.forEach((n, i) => {
        if (n > 0) d += "M" + (left + i * width).toFixed(2) + "," + floor + "v" + (-of(n) * (floor - TOP)).toFixed(1) +
          "h" + wide.toFixed(2) + "V" + floor + "Z";
      });
      set(bars, { d });
      set(lit, { d });
      const ticks = scale().ticks(Math.max(2, Math.round(chart.clientWidth / 90)))
        .filter((v) => !isWhole() || Number.isInteger(v));
      d3.select(axis).attr("transform", "translate(0," + floor + ")").call(d3.axisBottom(scale()).tickValues(ticks)
        .tickFormat((v) => rugose.show(v)).tickSize(4).tickSizeOuter(0));
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
      const { counts, min, width } = state.found, middle = isWhole() ? (width - 1) / 2 : width / 2;
      const middles = counts.map((_, i) => min + i * width + middle);
      const isSet = rules.mark(new Uint8Array(counts.length), middles, state.rule);
      return d3.sum(counts, (n, i) => isSet[i] * n) / (d3.sum(counts) || 1);
    }

    function drawRule() {
      const x = scale(), [from, to] = litPart(x), { rule } = state;
      const hasLine = rule !== null && rules.hasValue(rule.kind);
      set(clip, { x: from, width: Math.max(0, to - from) });
      grip.toggleAttribute("hidden", !hasLine);
      if (hasLine) {
        const at = rule.kind === "label" ? x(rule.value) : rule.kind === "above" ? from : to, [left, right] = x.range();
        handles.place(grip, Math.min(right, Math.max(left, at)), PLACE);
        set(grip, { "aria-valuemin": state.found.min, "aria-valuemax": state.found.max, "aria-valuenow": rule.value,
          "aria-valuetext": rules.words(rule) + ", " + rugose.show(100 * share(), 3) + " % of the pixels" });
      }
    }

    /* What is chosen, and how many pixels that sets. */
    function say() {
      const { kind } = rules.parse(option()), row = resultRow(), isAuto = !rules.hasValue(kind) && kind !== "nonzero";
      said.textContent = "";
      if (!state.rule) return;
      const isKnown = row && typeof row.foreground_share === "number" && row.label === undefined && !state.held;
      const part = isKnown ? row.foreground_share : share();
      said.textContent = (isAuto ? "Chosen: " : "Foreground: ") + rules.words(state.rule) + ", " +
        rugose.show(100 * part, 3) + "\u00a0% of the pixels.";
    }

    function draw() {
      state.frame = 0;
      if (!state.found || !chart.clientWidth) return;
      if (state.drawn !== state.found || state.width !== chart.clientWidth || state.log !== isLog.checked) {
        [state.drawn, state.width, state.log] = [state.found, chart.clientWidth, isLog.checked];
        chart.setAttribute("viewBox", "0 0 " + chart.clientWidth + " " + HEIGHT);
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
      root.setAttribute("aria-busy", "true");
      try {
        const found = await rugose.engine.histogram(f.id, BINS, { mask: maskOf(f) }, { key: "histogram" });
        if (asked !== state.asked || !found) return;
        state.found = { ...found, counts: Array.from(found.counts) };
        changed();
      } catch (e) {
        if (asked !== state.asked) return;
        if (e.name === "Stopped") state.key = "";
        else said.textContent = "The histogram cannot be shown: " + e.message;
      } finally {
        if (asked === state.asked) root.removeAttribute("aria-busy");
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

    const valueAt = (event) => scale().invert(event.clientX - chart.getBoundingClientRect().left) + half();

    chart.addEventListener("pointerdown", (event) => {
      if (event.button || !state.found || event.clientY - chart.getBoundingClientRect().top > HEIGHT) return;
      event.preventDefault();
      grip.focus({ preventScroll: true });
      chart.setPointerCapture(event.pointerId);
      state.held = true;
      if (!grip.contains(event.target)) moveTo(valueAt(event), true);
    });
    chart.addEventListener("pointermove", (event) => { if (state.held) moveTo(valueAt(event), true); });
    for (const end of ["pointerup", "pointercancel"])
      chart.addEventListener(end, () => {
        if (!state.held) return;
        state.held = false;
        if (state.sent) send(option(), false);
        state.sent = null;
        changed();
      });
    grip.addEventListener("keydown", (event) => {
      if (!state.found) return;
      const by = handles.steps(event.key);
      const to = by ? startValue() + by * step() : { Home: state.found.min, End: state.found.max }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      state.sent = null;
      moveTo(to, false);
    });
    new ResizeObserver(redraw).observe(chart);
    for (const event of ["images", "current", "command", "options", "result"]) app.on(event, changed);
    changed();
  }

  return { make };
})();
