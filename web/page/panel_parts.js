/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What panels are made of: controls that set an option and follow it, the result with its words, and a table that
 * is made when it is opened. */
"use strict";

rugose.parts = (function () {
  const { h } = rugose;
  
  /** A choice of an option's values: {element, follow()}. @param choices  [[value, text], ...]; null: not given */
  function choice(app, panel, option, title, choices, hint) {
    const set = () => app.set({ option: [panel, option, choices[select.selectedIndex][0]] });
    const select = h("select", { onchange: set, "data-name": option }, choices.map(([, text]) => h("option", {}, text)));
    return {
      element: h("label", { class: "field", title: hint || null }, title + " ", select),
      follow() {
        const value = app.optionsOf(panel)[option] || null, at = choices.findIndex((c) => c[0] === value);
        select.selectedIndex = at;
      },
    };
  }

  /** A text or a number of an option: {element, follow()}; an empty one is not given. */
  function entry(app, panel, option, title, attributes, hint) {
    const set = () => app.set({ option: [panel, option, input.value.trim() || null] });
    const input = h("input", { type: "text", onchange: set, "data-name": option, spellcheck: "false", autocomplete: "off", ...attributes });
    return {
      element: h("label", { class: "field", title: hint || null }, title + " ", input),
      follow() {
        const value = app.optionsOf(panel)[option];
        if (document.activeElement !== input) input.value = value === null || value === undefined ? "" : value;
      },
    };
  }

  /** Keeps controls at their options, whoever sets them. */
  function follow(app, controls) {
    const all = () => controls.forEach((c) => c.follow());
    for (const event of ["command", "options"]) app.on(event, all);
    all();
  }

  /** A part that opens, whose content is made anew with each result while it is open: {element, show(make)}; null:
   *  there is nothing to show. */
  function opening(title) {
    const body = h("div"), state = { make: null };
    const fill = () => element.open && state.make && body.replaceChildren(...[state.make()].flat().filter(Boolean));
    const element = h("details", { ontoggle: fill, hidden: true }, h("summary", {}, title), body);
    return {
      element,
      show(make) {
        state.make = make;
        element.hidden = make === null;
        fill();
      },
    };
  }

  /** The result in large: {element, headline, words, notes, fail(message), busy(isBusy)}; the
   *  first three are filled by replaceChildren(). */
  function answer() {
    const headline = h("p", { class: "headline answer" }), words = h("p", { class: "words" }), notes = h("div");
    const element = h("div", { class: "answer-box" }, headline, words, notes);
    return {
      element, headline, words, notes,
      fail(message) {
        headline.replaceChildren(h("span", { class: "doubtful" }, "Not measured"));
        words.replaceChildren(message);
        notes.replaceChildren();
      },
      busy: (isBusy) => element.setAttribute("aria-busy", String(isBusy)),
    };
  }

  /** The buttons for the range of a fit. @param set  called with null or "auto" */
  function fitButtons(set) {
    const button = (name, value, text, title) => h("button", { type: "button", "data-name": name, title, onclick: () => set(value, false) }, text);
    return h("div", { class: "controls" }, h("span", { class: "field" }, "Range of the fit ",
      button("fit-default", null, "Usual", "From the smallest boxes to a quarter of the shortest side"),
      button("fit-auto", "auto", "Steadiest", "The longest range in which the local slopes stay the same")));
  }

  /** Numbers with a sentence each: [[title, text, sentence], ...]. */
  function meanings(list) {
    return h("dl", { class: "meanings" }, list.filter(([, text]) => text !== null && text !== undefined).map(([title, text, sentence]) =>
      h("div", {}, h("dt", {}, title, " ", h("strong", {}, text)), h("dd", {}, sentence || ""))));
  }

  /** A choice of one of several rows, hidden where there is one: {element, show(titles), at()}. */
  function chooser(title, changed) {
    const select = h("select", { onchange: () => changed() }), element = h("label", { class: "field", hidden: true }, title + " ", select);
    let shown = "";
    return {
      element,
      at: () => Math.max(0, select.selectedIndex),
      show(titles) {
        element.hidden = titles.length < 2;
        if (titles.join("\n") === shown) return;
        shown = titles.join("\n");
        select.replaceChildren(...titles.map((text) => h("option", {}, text)));
      },
    };
  }

  return { choice, entry, follow, opening, answer, fitButtons, meanings, chooser };
})();
