/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A table that sorts, filters, and holds only those rows in the page that are in view. */
"use strict";

rugose.table = (function () {
  const h = rugose.h;
  const collator = new Intl.Collator("en", { numeric: true });
  const AT_ONCE = 200; /* rows that are all drawn; of more, those in view */
  const WIDE = 14;     /* columns beyond which paper is turned */
  const AROUND = 30;   /* rows drawn before and after the view */

  /** Whether a column holds numbers: all of its cells but nan do, and one at least. */
  function isNumeric(rows, c) {
    let found = false;
    for (const row of rows) {
      const text = row.cells[c];
      if (text === "nan") continue;
      if (text === "" || !Number.isFinite(Number(text))) return false;
      found = true;
    }
    return found;
  }

  /* Undefined values come last in both directions. */
  function comparer(c, numeric, sign) {
    if (!numeric) return (a, b) => sign * collator.compare(a.cells[c], b.cells[c]);
    return (a, b) => {
      const x = Number(a.cells[c]), y = Number(b.cells[c]);
      if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
      return sign * (x - y);
    };
  }

  /* One word of a filter: "dimension>1.5" where that is a column, else a part of any cell. */
  function tester(word, columns) {
    const parts = /^(.+?)(<=|>=|<|>|=)(.*)$/.exec(word);
    const c = parts ? columns.findIndex((name) => name.toLowerCase() === parts[1]) : -1;
    if (c < 0) return (row) => (row.text || (row.text = row.cells.join("\n").toLowerCase())).includes(word);
    const limit = Number(parts[3]), isNumber = parts[3] !== "" && !Number.isNaN(limit);
    return (row) => {
      const text = row.cells[c], x = Number(text);
      switch (parts[2]) {
        case "<": return x < limit;
        case ">": return x > limit;
        case "<=": return x <= limit;
        case ">=": return x >= limit;
        default: return isNumber ? x === limit : text.toLowerCase() === parts[3];
      }
    };
  }

  /** The rows that a filter leaves: words that must all be found. */
  function filter(rows, columns, text) {
    const tests = text.toLowerCase().split(/\s+/).filter(Boolean).map((word) => tester(word, columns));
    return tests.length ? rows.filter((row) => tests.every((test) => test(row))) : rows;
  }

  /** Makes a table.
   *  @param options.columns  names; @param options.rows  objects with `cells`, texts, one for each
   *  @param options.caption  for screen readers; @param options.words  name -> a sentence
   *  @param options.cell  (row, c, text, isNumber) -> element or text of a cell; may be missing
   *  @param options.changed  called with the rows shown, after each change
   *  @return {element, numeric, filter(text), replace(rows), shown(), measure(), all(isWhole)}: numeric tells for each
   *    column whether it holds numbers, replace() shows other rows in the same order, measure() is called once the table
   *    is in the page, all() draws all rows, for printing */
  function make(options) {
    const { columns } = options;
    let { rows } = options;
    const numeric = columns.map((_, c) => isNumeric(rows, c));
    const state = { rows, shown: rows, sort: -1, sign: 1, words: "", first: 0, end: 0, height: 0 };
    const body = h("tbody"), heads = columns.map((name, c) => headCell(name, c));
    const table = h("table", { "aria-rowcount": rows.length + 1, "aria-colcount": columns.length },
      h("caption", { class: "unseen" }, options.caption), h("thead", {}, h("tr", {}, heads)), body);
    const element = h("div", { class: columns.length > WIDE ? "scroll wide" : "scroll", tabindex: 0, role: "region",
      "aria-label": options.caption }, table);

    function headCell(name, c) {
      const word = (options.words && options.words(name)) || null;
      return h("th", { scope: "col", class: numeric[c] ? "number" : null, "aria-sort": "none" },
        h("button", { type: "button", title: word, onclick: () => sortBy(c) }, name),
        h("span", { class: "printed" }, rugose.breakable(name)));
    }

    function sortBy(c) {
      if (state.sort !== c) [state.sort, state.sign] = [c, 1];
      else if (state.sign === 1) state.sign = -1;
      else state.sort = -1;
      const direction = state.sign === 1 ? "ascending" : "descending";
      heads.forEach((head, i) => head.setAttribute("aria-sort", i === state.sort ? direction : "none"));
      rugose.say("Sorted " + (state.sort < 0 ? "in the order of the run" : "by " + columns[c] + ", " + direction));
      update();
    }

    function update() {
      const left = filter(rows, columns, state.words);
      state.shown = state.sort < 0 ? left : left.slice().sort(comparer(state.sort, numeric[state.sort], state.sign));
      table.setAttribute("aria-rowcount", state.shown.length + 1);
      element.scrollTop = 0;
      draw(true);
      if (options.changed) options.changed(state.shown);
    }

    function replace(other) {
      rows = other;
      columns.forEach((_, c) => {
        numeric[c] = isNumeric(rows, c);
        heads[c].className = numeric[c] ? "number" : "";
      });
      const at = element.scrollTop;
      update();
      element.scrollTop = at;
    }

    function cellOf(row, c) {
      const text = row.cells[c];
      const content = options.cell ? options.cell(row, c, text, numeric[c]) : text;
      if (c === 0) return h("th", { scope: "row", title: text.length > 24 ? text : null }, content);
      return h("td", { class: numeric[c] ? "number" : "text", title: !numeric[c] && text.length > 30 ? text : null }, content);
    }

    function rowOf(row, i) {
      return h("tr", { "aria-rowindex": i + 2, class: i % 2 ? "even" : null }, columns.map((_, c) => cellOf(row, c)));
    }

    /* Keeps the width of the columns while rows come and go. */
    function sizer() {
      const longest = columns.map((_, c) => rows.reduce((a, b) => (b.cells[c].length > a.cells[c].length ? b : a)));
      return h("tr", { class: "sizer", "aria-hidden": "true" }, columns.map((_, c) => {
        const cell = cellOf(longest[c], c);
        cell.querySelectorAll("a").forEach((a) => a.setAttribute("tabindex", -1));
        return cell;
      }));
    }

    function space(n) {
      return h("tr", { class: "space", "aria-hidden": "true" },
        h("td", { colspan: columns.length, style: "height:" + n * state.height + "px" }));
    }

    /* What has the focus in a row, as far as it is there again after `change`. */
    function keepFocus(change) {
      const old = document.activeElement, row = body.contains(old) && old.closest("tr").getAttribute("aria-rowindex");
      change();
      if (!row) return;
      const alike = [...body.querySelectorAll("tr[aria-rowindex] " + old.localName)].filter((e) => e.textContent === old.textContent);
      const again = alike.find((e) => e.closest("tr").getAttribute("aria-rowindex") === row) || alike[0];
      if (again) again.focus({ preventScroll: true });
    }

    function draw(isNew) {
      const n = state.shown.length, isLong = n > AT_ONCE && !state.isWhole;
      let first = 0, end = n;
      if (isLong) {
        const at = state.height ? Math.floor(element.scrollTop / state.height) : 0;
        const view = state.height ? Math.ceil((element.clientHeight || 600) / state.height) : 20;
        first = Math.max(0, at - AROUND);
        first -= first % 2;
        end = Math.min(n, at + view + AROUND);
        if (!isNew && first === state.first && end === state.end) return;
      }
      [state.first, state.end] = [first, end];
      keepFocus(() => body.replaceChildren(...(isLong ? [sizer(), space(first)] : []),
        ...state.shown.slice(first, end).map((row, i) => rowOf(row, first + i)), ...(isLong ? [space(n - end)] : [])));
      if (isLong && !state.height) measure();
    }

    /** Learns the height of a row, once the table is in the page. */
    function measure() {
      if (state.shown.length <= AT_ONCE) return;
      const row = body.querySelector("tr[aria-rowindex]");
      state.height = row ? row.getBoundingClientRect().height : 0;
      if (state.height) draw(true);
    }

    let isAwaited = false;
    element.addEventListener("scroll", () => {
      if (isAwaited) return;
      isAwaited = true;
      requestAnimationFrame(() => { isAwaited = false; draw(false); });
    }, { passive: true });

    draw(true);
    return {
      element,
      numeric,
      filter(text) { state.words = text; update(); },
      replace,
      shown: () => state.shown,
      measure,
      all(isWhole) { state.isWhole = isWhole; draw(true); },
    };
  }

  return { make, isNumeric };
})();
