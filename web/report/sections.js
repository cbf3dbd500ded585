/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The sections of words and tables: what went wrong, the results, how it was made, the columns. */
"use strict";

rugose.sections = (function () {
  const { h, count, plural } = rugose;
  const MOST_NAMED = 500;

  const wordsOf = (data) => (name) => rugose.words.column(data.head.command, name, rugose.variant(data)) ||
    (isCarried(data, name) ? "From the list of images." : null);

  function isCarried(data, name) {
    return data.rows.some((r) => r.row && r.row.list && Object.prototype.hasOwnProperty.call(r.row.list, name));
  }

  /* ---- What went wrong ---- */

  function named(image, text, open) {
    return h("li", {}, image ? [rugose.link(image, open), ": "] : null, text);
  }

  function warning(group, open) {
    const n = group.images.length, one = group.images[0];
    if (n === 1) return h("li", {}, h("ul", {}, named(one.image, one.text, open)));
    const some = group.images.slice(0, MOST_NAMED);
    const make = () => h("ul", { tabindex: 0 }, some.map(({ image, text }) => named(image, text, open)),
      n > MOST_NAMED ? h("li", {}, "… and " + count(n - MOST_NAMED) + " more") : null);
    return h("li", {}, group.text, rugose.details(plural(n, "image") + ", each with its numbers", make));
  }

  function doubtfulResults(data) {
    const c = data.columns.indexOf("status"), found = new Map();
    const list = c < 0 ? [] : data.rows.map((row) => row.cells[c]).filter((status) => status !== "ok" && status !== "nan");
    for (const status of list) found.set(status, (found.get(status) || 0) + 1);
    const words = (status) => (rugose.words.status(status) ? ", " + rugose.words.status(status) : "");
    return [...found].map(([status, n]) => h("li", {}, plural(n, "result") + ": “" + status + "”" + words(status) + "."));
  }

  /** What went wrong: failures, then warnings, then results in doubt. */
  function troubles(data, open) {
    const failures = data.head.failures || [], groups = rugose.groupWarnings(data), doubts = doubtfulResults(data);
    const ofRun = (data.head.warnings || []).map((line) => h("li", {}, line));
    const part = (title, items) => (items.length ? [h("h3", {}, title), h("ul", { class: "troubles" }, items)] : null);
    if (!failures.length && !ofRun.length && !groups.length && !doubts.length)
      return h("p", { class: "fine" }, "Nothing. Every input was processed, without a warning.");
    return h("div", {},
      part(plural(failures.length, "failure"), failures.map((line) => h("li", { class: "failure" }, line))),
      part("Warnings", [...ofRun, ...groups.map((group) => warning(group, open))]), part("Results in doubt", doubts));
  }

  /* ---- Results ---- */

  function undefinedCell(row, name, isNumber) {
    if (!isNumber || name.startsWith("bin_")) return h("span", { class: "undefined" }, "none");
    const reason = rugose.reason(row.row);
    return h("span", { class: "undefined", title: reason ? "undefined: " + reason : null }, "undefined");
  }

  function cellContent(data, open) {
    return (row, c, text, isNumber) => {
      const name = data.columns[c], short = rugose.short(text);
      if (text === "nan") return undefinedCell(row, name, isNumber);
      if (name === "image" && row.image) return rugose.link(row.image, open, { title: row.image.name });
      if (name === "status" && text !== "ok") return h("span", { class: "doubtful", title: rugose.words.status(text) }, text);
      return isNumber ? h("span", { title: short === text ? null : text }, short) : text;
    };
  }

  function filterBox(data, table) {
    let wait;
    const filter = () => {
      clearTimeout(wait);
      wait = setTimeout(() => table.filter(box.value), 120);
    };
    const box = h("input", { type: "search", id: "filter", autocomplete: "off", spellcheck: "false",
      placeholder: "words, or " + exampleFilter(data, table), oninput: filter });
    return h("span", { class: "field" }, h("label", { for: "filter" }, "Filter"), box);
  }

  /** The table with its controls: {element, table}. @param changed  called with the rows that are shown */
  function results(data, open, changed) {
    const total = plural(data.rows.length, "row"), said = h("span", { class: "count", role: "status" }, total);
    const tell = (rows) => {
      said.textContent = rows.length === data.rows.length ? total : count(rows.length) + " of " + total;
      changed(rows);
    };
    const table = rugose.table.make({ columns: data.columns, rows: data.rows, caption: "Results of rugose " + data.head.command,
      words: wordsOf(data), cell: cellContent(data, open), changed: tell });
    const csv = () => rugose.csv(data.columns, table.shown().map((row) => row.cells));
    const controls = h("div", { class: "controls" }, filterBox(data, table), said, rugose.copyButton("Copy as CSV", csv),
      rugose.saveButton("Save as CSV", data.head.command + ".csv", csv));
    return { table, element: h("div", {}, controls, table.element) };
  }

  /* A comparison that says something about these data. */
  function exampleFilter(data, table) {
    const main = ["dimension", "lacunarity", "D", "psnr", "margin", "contrast"];
    const varies = (c) => data.rows.some((row) => row.cells[c] !== data.rows[0].cells[c]);
    const numeric = data.columns.map((name, c) => ({ name, c })).filter(({ c }) => table.numeric[c]);
    const found = numeric.find(({ name }) => main.includes(name)) || numeric.find(({ c }) => varies(c));
    if (!found) return "part of a name";
    const middle = d3.median(data.rows.map((row) => Number(row.cells[found.c])).filter(Number.isFinite));
    return found.name + ">" + Number(middle.toPrecision(2));
  }

  /* ---- How it was made ---- */

  /** A command line as a shell takes it. */
  function shell(words) {
    return words.map((w) => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(w) ? w : "'" + w.replace(/'/g, "'\\''") + "'")).join(" ");
  }

  function optionText(value) {
    if (value === null) return "none";
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (Array.isArray(value)) return value.length ? value.map(optionText).join("; ") : "none";
    if (typeof value === "object") return Object.entries(value).map(([k, v]) => k + " " + optionText(v)).join(", ");
    return String(value);
  }

  /** The files that were read, with their checksums: the images, their masks, labels and companions. */
  function inputs(data) {
    const found = new Map();
    const add = (name, sha, role) => {
      if (name !== undefined && !found.has(name)) found.set(name, { cells: [name, role, sha || "nan"] });
    };
    for (const row of data.rows.map((r) => r.row).filter(Boolean)) {
      add(row.image, row.sha256, "image");
      for (const [key, value] of Object.entries(row))
        if (value && value.sha256) add(value.image || value.file, value.sha256, key.replace(/_/g, " "));
    }
    return [...found.values()];
  }

  /* Members of the data that have a place of their own on the page. */
  const PLACED = new Set(["program", "version", "command", "parameters", "command_line", "columns", "entries", "failures",
    "warnings", "seconds", "engine"]);

  function runFacts(data) {
    const head = data.head, used = data.rows.map(({ row }) => row && (row.engine || (row.summary || {}).engine));
    const rest = Object.entries(head).filter(([name]) => !PLACED.has(name));
    return rugose.facts([["program", head.program + " " + head.version], ["engine", head.engine || null],
      ["kernels", [...new Set(used.filter(Boolean))].join(", ") || null],
      ["time", head.seconds === undefined ? null : rugose.seconds(head.seconds)],
      ...rest.map(([name, value]) => [name.replace(/_/g, " "), optionText(value)])]);
  }

  function made(data) {
    const line = data.head.command_line && shell(data.head.command_line), files = inputs(data);
    const options = Object.entries(data.head.parameters || {});
    return h("div", {},
      line ? h("div", { class: "command" }, h("code", { id: "command-line" }, line),
        rugose.copyButton("Copy the command", () => line)) : null,
      h("div", { class: "made" }, h("div", {}, h("h3", {}, "Run"), runFacts(data)),
        h("div", {}, h("h3", {}, "Options"), rugose.facts(options.map(([name, value]) => [name.replace(/_/g, "-"), optionText(value)])))),
      files.length ? [h("h3", {}, "Inputs"), inputTable(files)] : null);
  }

  function inputTable(files) {
    const sum = (text) => (text === "nan" ? "not computed" : h("code", {}, text));
    const table = rugose.table.make({ columns: ["file", "role", "SHA-256"], rows: files, caption: "Inputs with their checksums",
      cell: (row, c, text) => (c === 2 ? sum(text) : text) });
    const lines = () => files.map(({ cells }) => cells[2] + "  " + cells[0] + "\n").join("");
    rugose.tables.push(table);
    return h("div", {}, h("div", { class: "controls" }, rugose.copyButton("Copy checksums", lines)), table.element);
  }

  /* ---- Columns ---- */

  function legend(data) {
    const words = wordsOf(data), isBin = (name) => /^bin_\d+$/.test(name), bins = data.columns.filter(isBin);
    const entries = data.columns.filter((name) => !isBin(name)).map((name) => [name, words(name)]);
    if (bins.length)
      entries.push([bins[0] + " … " + bins[bins.length - 1], "How many pixels have code 0, 1, 2 …; with " +
        "--normalize their share."]);
    return h("dl", { class: "legend" }, entries.map(([name, text]) =>
      h("div", {}, h("dt", {}, name), h("dd", {}, text || "A column of this run."))));
  }

  return { troubles, results, made, legend };
})();
