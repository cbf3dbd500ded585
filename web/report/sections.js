/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The sections of words and tables: what went wrong, the results, how it was made, the columns. */
"use strict";

/** Which of two tables a command has written: "gray", "alpha", or null. */
rugose.variant = function (data) {
  const p = data.head.parameters || {};
  return p.gray && data.head.command === "boxcount" ? "gray" : data.head.command === "multifractal" && p.method === "alpha" ? "alpha" : null;
};

rugose.sections = (function () {
  const { h, count, plural } = rugose;
  const MOST_NAMED = 500;

  const wordsOf = (data) => (name) => rugose.words.column(data.head.command, name, rugose.variant(data)) || (isCarried(data, name) ? "From the list of images." : null);

  function isCarried(data, name) {
    return data.rows.some((r) => r.row && r.row.list && Object.prototype.hasOwnProperty.call(r.row.list, name));
  }

  /* ---- What went wrong ---- */

  function named(image, text, open) {
    if (!image) return h("li", {}, text);
    return h("li", {}, h("a", { href: "#image-" + image.index, onclick: (e) => { e.preventDefault(); open(image); } }, image.short), ": ", text);
  }

  function warning(group, open) {
    const n = group.images.length, one = group.images[0];
    if (n === 1) return h("li", {}, h("ul", {}, named(one.image, one.text, open)));
    const make = () => h("ul", { tabindex: 0 }, group.images.slice(0, MOST_NAMED).map(({ image, text }) => named(image, text, open)),
      n > MOST_NAMED ? h("li", {}, "\u2026 and " + count(n - MOST_NAMED) + " more") : null);
    return h("li", {}, group.text, rugose.details(plural(n, "image") + ", each with its numbers", make));
  }

  function doubtfulResults(data) {
    const c = data.columns.indexOf("status"), found = new Map();
    if (c >= 0) for (const row of data.rows) if (row.cells[c] !== "ok" && row.cells[c] !== "nan") found.set(row.cells[c], (found.get(row.cells[c]) || 0) + 1);
    return [...found].map(([status, n]) => h("li", {}, plural(n, "result") + ": \u201c" + status + "\u201d" + (rugose.words.status(status) ? ", " + rugose.words.status(status) : "") + "."));
  }

  /** What went wrong: failures, then warnings, then results in doubt. */
  function troubles(data, open) {
    const failures = data.head.failures || [], groups = rugose.groupWarnings(data), doubts = doubtfulResults(data);
    const ofRun = (data.head.warnings || []).map((line) => h("li", {}, line));
    if (!failures.length && !ofRun.length && !groups.length && !doubts.length) return h("p", { class: "fine" }, "Nothing. Every input was processed, without a warning.");
    return h("div", {},
      failures.length ? [h("h3", {}, plural(failures.length, "input") + " failed"), h("ul", { class: "troubles" }, failures.map((line) => h("li", { class: "failure" }, line)))] : null,
      groups.length || ofRun.length ? [h("h3", {}, "Warnings"), h("ul", { class: "troubles" }, ofRun, groups.map((g) => warning(g, open)))] : null,
      doubts.length ? [h("h3", {}, "Results in doubt"), h("ul", { class: "troubles" }, doubts)] : null);
  }

  /* ---- Results ---- */

  function cellContent(data, open) {
    const status = data.columns.indexOf("status"), image = data.columns.indexOf("image");
    return (row, c, text, isNumber) => {
      if (text === "nan") return isNumber && !data.columns[c].startsWith("bin_") ? h("span", { class: "undefined", title: rugose.reason(row.row) ? "undefined: " + rugose.reason(row.row) : null }, "undefined") : h("span", { class: "undefined" }, "none");
      if (c === image && row.image) return h("a", { href: "#image-" + row.image.index, title: row.image.name, onclick: (e) => { e.preventDefault(); open(row.image); } }, row.image.short);
      if (c === status && text !== "ok") return h("span", { class: "doubtful", title: rugose.words.status(text) }, text);
      return isNumber ? h("span", { title: rugose.short(text) === text ? null : text }, rugose.short(text)) : text;
    };
  }

  /** The table with its controls: {element, table}. @param changed  called with the rows that are shown */
  function results(data, open, changed) {
    const caption = "Results of rugose " + data.head.command, total = data.rows.length, said = h("span", { class: "count", role: "status" });
    const tell = (rows) => { said.textContent = rows.length === total ? plural(total, "row") : count(rows.length) + " of " + plural(total, "row"); };
    const table = rugose.table.make({ columns: data.columns, rows: data.rows, caption, words: wordsOf(data), cell: cellContent(data, open), changed: (rows) => { tell(rows); changed(rows); } });
    const csv = () => rugose.csv(data.columns, table.shown().map((row) => row.cells));
    let wait;
    const box = h("input", { type: "search", id: "filter", autocomplete: "off", spellcheck: "false", placeholder: "words, or " + exampleFilter(data, table),
      oninput: () => { clearTimeout(wait); wait = setTimeout(() => table.filter(box.value), 120); } });
    tell(data.rows);
    return { table, element: h("div", {},
      h("div", { class: "controls" }, h("span", { class: "field" }, h("label", { for: "filter" }, "Filter"), box), said, rugose.copyButton("Copy as CSV", csv), rugose.saveButton("Save as CSV", data.head.command + ".csv", csv)),
      table.element) };
  }

  function exampleFilter(data, table) {
    const c = data.columns.findIndex((name, i) => table.numeric[i] && ["dimension", "lacunarity", "D", "psnr", "margin", "contrast"].includes(name));
    const k = c >= 0 ? c : data.columns.findIndex((_, i) => table.numeric[i] && data.rows.some((r) => r.cells[i] !== data.rows[0].cells[i]));
    const values = k < 0 ? [] : data.rows.map((r) => Number(r.cells[k])).filter(Number.isFinite);
    return values.length ? data.columns[k] + ">" + Number(d3.median(values).toPrecision(2)) : "part of a name";
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
    const add = (name, sha, role) => { if (name !== undefined && !found.has(name)) found.set(name, { cells: [name, role, sha || "nan"] }); };
    for (const { row } of data.rows) {
      if (!row) continue;
      if (row.image !== undefined) add(row.image, row.sha256, "image");
      for (const [key, value] of Object.entries(row)) if (value && typeof value === "object" && value.sha256) add(value.image || value.file, value.sha256, key.replace(/_/g, " "));
    }
    return [...found.values()];
  }

  function made(data) {
    const head = data.head, line = head.command_line && shell(head.command_line), files = inputs(data);
    const engines = [...new Set(data.rows.map((r) => r.row && (r.row.engine || (r.row.summary || {}).engine)).filter(Boolean))];
    const known = ["program", "version", "command", "parameters", "command_line", "columns", "entries", "failures", "warnings", "seconds", "engine"];
    const rest = Object.entries(head).filter(([k]) => !known.includes(k)).map(([k, v]) => [k.replace(/_/g, " "), optionText(v)]);
    return h("div", {},
      line ? h("div", { class: "command" }, h("code", { id: "command-line" }, line), rugose.copyButton("Copy the command", () => line)) : null,
      h("div", { class: "made" },
        h("div", {}, h("h3", {}, "Run"), rugose.facts([["program", head.program + " " + head.version], ["engine", head.engine || engines.join(", ") || null], ["kernels", head.engine && engines.length ? engines.join(", ") : null],
          ["time", head.seconds === undefined ? null : rugose.seconds(head.seconds)], ...rest])),
        h("div", {}, h("h3", {}, "Options"), rugose.facts(Object.entries(head.parameters || {}).map(([k, v]) => [k.replace(/_/g, "-"), optionText(v)])))),
      files.length ? [h("h3", {}, "Inputs"), inputTable(files)] : null);
  }

  function inputTable(files) {
    const table = rugose.table.make({ columns: ["file", "role", "SHA-256"], rows: files, caption: "Inputs with their checksums",
      cell: (row, c, text) => (c === 2 && text === "nan" ? "not computed" : c === 2 ? h("code", {}, text) : text) });
    rugose.tables.push(table);
    return h("div", {}, h("div", { class: "controls" }, rugose.copyButton("Copy checksums", () => files.map((f) => f.cells[2] + "  " + f.cells[0] + "\n").join(""))), table.element);
  }

  /* ---- Columns ---- */

  function legend(data) {
    const words = wordsOf(data), bins = data.columns.filter((n) => /^bin_\d+$/.test(n));
    const names = data.columns.filter((n) => !/^bin_\d+$/.test(n));
    const entries = names.map((name) => [name, words(name)]);
    if (bins.length) entries.push([bins.length > 1 ? bins[0] + " \u2026 " + bins[bins.length - 1] : bins[0], "How many pixels have code 0, 1, 2 \u2026; with --normalize their share."]);
    return h("dl", { class: "legend" }, entries.map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, text || "A column of this run."))));
  }

  return { troubles, results, made, legend };
})();
