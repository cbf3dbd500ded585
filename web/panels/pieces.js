/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the panels are made of: their frame, large numbers with a sentence each, and controls that stand for an
 * option of a command. */
"use strict";

rugose.pieces = (function () {
  const { h } = rugose;

  /* ---- Results ---- */

  /** A result in the form that rugose.kinds reads. */
  function dataOf(app, result) {
    const image = { name: "", short: "", pictures: {}, rows: [] };
    const rows = result.rows.map(({ cells, row }, index) => ({ cells, row, index, image }));
    if (rows.length && rows[0].row.image !== undefined) image.name = image.short = rows[0].row.image;
    const parameters = rugose.agenda.given(app.state.command, app.current());
    return { head: { command: result.command, parameters }, columns: result.columns, rows, image };
  }

  /** Large numbers in a row: [{name, value, says, word}]; those that are null are left out. word: a title. */
  function numbers(list) {
    const found = list.filter(Boolean);
    const text = (o) => o.name + " " + [o.value].flat().map((part) => part.textContent || part).join("");
    const dl = h("dl", { class: "numbers" }, found.map((o) => h("div", { title: o.word, "data-name": o.id },
      h("dt", {}, o.name), h("dd", { class: "value" }, o.value), h("dd", { class: "says" }, o.says))));
    return h("div", {}, h("p", { class: "headline unseen" }, found.map(text).join(", ")), dl);
  }

  /** A value, large, with its error, small; why, where there is none. */
  function measured(value, error, row) {
    if (value === null || value === undefined) return "undefined" + (rugose.reason(row) ? " (" + row.status + ")" : "");
    if (error === null || error === undefined) return rugose.show(value, 5);
    const [text, spread] = rugose.plusMinus(value, error).split("±").map((part) => part.trim());
    return [text, h("span", { class: "error" }, " ±\u00a0" + spread)];
  }

  /** The warnings of some rows, each once. */
  function warningsOf(rows) {
    return [...new Set(rows.flatMap(({ row }) => row.warnings || []))];
  }

  /* ---- The frame of a panel ---- */

  /** Whether an element is wide enough for two charts, and the width of each. */
  function widths(element) {
    const all = Math.max(240, element.clientWidth), isPair = all >= 664; /* .figures has two columns */
    return { all: Math.min(all, 900), half: isPair ? Math.min(640, Math.floor((all - 24) / 2)) : all };
  }

  const list = (items) => (items || []).flat().filter(Boolean);

  /** The frame: numbers, warnings, figures, controls, details, from the top down.
   *  @param o.controls  elements that stay; o.draw(result, facts, widths) -> {head, notes, figures, rest}: lists of
   *    elements, notes of texts; drawn again when the width changes
   *  @return what a panel is made of, and redraw() */
  function panel(element, o) {
    const said = h("p", { class: "notice", hidden: true }), head = h("div"), notes = h("ul", { class: "notes" });
    const figures = h("div", { class: "figures" }), rest = h("div");
    let last = null, width = 0;
    element.append(said, head, notes, figures, h("div", { class: "controls options" }, o.controls), rest);

    function draw() {
      width = element.clientWidth;
      const made = o.draw(last.result, last.facts, widths(element));
      head.replaceChildren(...list(made.head));
      notes.replaceChildren(...list(made.notes).map((text) => h("li", {}, text, rugose.texts.remedy(text))));
      notes.hidden = !notes.children.length;
      figures.replaceChildren(...list(made.figures));
      rest.replaceChildren(...list(made.rest));
    }

    new ResizeObserver(() => {
      if (last && element.clientWidth && Math.abs(element.clientWidth - width) > 8) draw();
    }).observe(element);

    return {
      /* Where the panel is not seen, it is drawn once it has a width. */
      redraw() {
        if (last && element.clientWidth) draw();
        else width = 0;
      },
      show(result, facts) {
        last = { result, facts };
        said.hidden = true;
        draw();
      },
      fail(message) {
        last = null;
        said.replaceChildren("Not measured: " + message);
        said.hidden = false;
        for (const filled of [head, notes, figures, rest]) filled.replaceChildren();
      },
      busy(isBusy) {
        element.setAttribute("aria-busy", String(Boolean(isBusy)));
      },
    };
  }

  /* ---- Maps ---- */

  /** Says in a place why nothing is there. */
  function trouble(place, error) {
    place.replaceChildren(h("p", { class: "notice" }, error.name === "Stopped" ? "Stopped." : error.message));
  }

  /** Measures a map behind the result, and puts it into a place.
   *  @param measure  gives the promise of a result with extra.map; @param o.make  map -> an element
   *  @param o.isDue  whether it is still wanted; o.stopped  called where a person has stopped it */
  async function measureMap(place, measure, o) {
    place.setAttribute("aria-busy", "true");
    await rugose.agenda.during(async () => {
      try {
        const result = await measure();
        if (result && o.isDue()) place.replaceChildren(o.make(result.extra.map));
      } catch (error) {
        if (!o.isDue()) return;
        trouble(place, error);
        if (error.name === "Stopped") o.stopped();
      }
    });
    if (o.isDue()) place.removeAttribute("aria-busy");
  }

  /* ---- Controls ---- */

  /* The element of a control, by its kind. */
  function inputOf(o) {
    if (o.choices) return h("select", {}, o.choices.map(([value, text]) => h("option", { value }, text)));
    if (o.kind === "check") return h("input", { type: "checkbox" });
    const { min, max, step, placeholder } = o;
    const type = o.kind || "text";
    return h("input", { type, min, max, step, placeholder, spellcheck: "false", autocomplete: "off" });
  }

  const valueIn = (input) => (input.type === "checkbox" ? input.checked : input.value.trim());

  function put(input, value) {
    if (input.type === "checkbox") input.checked = value === true;
    else if (document.activeElement !== input || input.value.trim() !== value) input.value = value;
  }

  /** A control for an option of a command; it follows undo.
   *  @param o.name  of the option; o.title  what stands before it; o.word  its sentence
   *  @param o.choices  [[value, text]]; o.kind  "check", "number", "range", or a text
   *  @param o.read  value of the option -> of the control; o.write  back; null leaves the option out
   *  @param o.change  value of the control -> what app.set() takes, where more than one option changes */
  function field(app, command, o) {
    const input = inputOf(o), read = o.read || ((value) => value), write = o.write || ((value) => value || null);
    const given = () => app.optionsOf(command)[o.name];
    const isCheck = input.type === "checkbox", sync = () => {
      const value = read(given());
      put(input, isCheck ? value === true : value === undefined || value === null ? "" : String(value));
      if (o.synced) o.synced(input);
    };
    input.dataset.name = command + "-" + (o.id || o.name);
    const change = o.change || ((value) => ({ option: [command, o.name, write(value)] }));
    input.addEventListener("change", () => app.set(change(valueIn(input))));
    if (o.live) input.addEventListener("input", () => o.live(input));
    app.on("options", sync);
    sync();
    const words = isCheck ? [input, " " + o.title] : [o.title + " ", input];
    return h("label", { class: isCheck ? "tick" : "field", title: o.word }, words);
  }

  return { dataOf, numbers, measured, warningsOf, panel, trouble, measureMap, field };
})();
