/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the panels of a dimension are made of: the result with its words, the range of the fit, and parts that are
 * made when they are opened. */
"use strict";

rugose.parts = (function () {
  const { h, show } = rugose;

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
    const button = (name, value, text, title) => h("button", { type: "button", "data-name": name, title,
      onclick: () => set(value, false) }, text);
    return h("div", { class: "controls" }, h("span", { class: "field" }, "Range of the fit ",
      button("fit-default", null, "Default", "From the smallest boxes to a quarter of the shortest side"),
      button("fit-auto", "auto", "Automatic", "The longest range in which the local slopes hardly change")));
  }

  /** A dimension with its error in large. @param word  column -> its sentence */
  function headline(row, word) {
    const reason = rugose.reason(row);
    if (row.dimension === null) return ["D is ", h("strong", {}, "undefined"), reason ? " (" + reason + ")" : ""];
    const [value, error] = rugose.plusMinus(row.dimension, row.std_error).split("±").map((text) => text.trim());
    return [h("span", { title: word("dimension") }, "D\u00a0=\u00a0", h("strong", {}, value)),
      error ? h("span", { class: "error-of", title: word("std_error") }, " ±\u00a0" + error) : ""];
  }

  const isThere = (value) => value !== null && value !== undefined;

  /** What ± means, in words. */
  function errorWords(row, word) {
    if (row.dimension === null || !isThere(row.std_error)) return [];
    return [h("span", { class: "soft", title: word("std_error") },
      " ± is the standard error: the farther the points lie from the line, the larger it is.")];
  }

  /** The numbers of a fit in full, with a sentence each.
   *  @param more  others: [[title, text or null, sentence], ...] */
  function meanings(row, word, more) {
    const inFull = (value) => (isThere(value) ? String(value) : null), unit = row.size_unit ? " " + row.size_unit : "";
    const sizes = isThere(row.size_min) ? show(row.size_min) + " to " + show(row.size_max) + unit + " (" +
      row.n_sizes + ")" : null;
    const list = [["Dimension D", inFull(row.dimension) || "undefined", word("dimension")],
      ["Standard error", inFull(row.std_error), word("std_error")], ["r²", inFull(row.r_squared), word("r_squared")],
      ["Sizes of the fit", sizes, word("n_sizes")], ...more];
    return h("dl", { class: "meanings" }, list.filter(([, text]) => text !== null).map(([title, text, sentence]) =>
      h("div", {}, h("dt", {}, title, " ", h("strong", {}, text)), h("dd", {}, sentence))));
  }

  /** "; from here to the next size the slope is 1.8" of one of a row's counts, or "". */
  function slope(c) {
    return isThere(c.local_slope) ? "; from here to the next size the slope is " + show(c.local_slope, 4) : "";
  }

  /** A choice of one of several rows, hidden where there is one: {element, show(titles), at()}. */
  function chooser(title, changed) {
    const select = h("select", { onchange: () => changed() }),
      element = h("label", { class: "field", hidden: true }, title + " ", select);
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

  return { opening, answer, fitButtons, headline, errorWords, meanings, slope, chooser };
})();
