/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The table of all images for the current panel, with what can be taken away from it: CSV, JSON, and the
 * command line. */
"use strict";

rugose.results = (function () {
  const { app, agenda, engine, h, plural } = rugose;
  const { state } = app;
  const EVERY_MS = 200;   /* between two drawings while images are measured, at least */
  const MOST_NAMES = 8;   /* in the command line as it is shown */
  const MOST_WARNED = 500; /* images that are listed with a warning */
  const OTHER_WAY = "measured with other labels, mask or options: choose it to see its rows";
  const byId = (id) => document.getElementById(id);
  const panel = () => app.panel(state.command);

  let table = null, made = "", timer = 0, took = 0, isLineDue = false;

  /* ---- What there is to show ---- */

  const isListed = (facts) => !agenda.isCompanion(facts) || facts.id === state.current;

  /* What is said of an image without rows: {text, isFailure}. */
  function noteOf(facts, entry) {
    if (entry && entry.message !== undefined) return { text: entry.message, isFailure: true };
    const why = facts.kind === null ? true : agenda.accepts(panel(), facts);
    return { text: why === true ? "not measured yet" : why, isFailure: false };
  }

  /* What rows of one table have in common: columns, labels and mask, and the options that only some images take. */
  function wayOf({ facts, entry }) {
    const p = panel(), only = p.only || {}, given = Object.entries(agenda.given(p.name, facts));
    const own = given.filter(([name, value]) => only[name] && value !== String(p.options[name]));
    return JSON.stringify([entry.result.columns, agenda.others(facts, p), own]);
  }

  /* The image whose columns and options the table has: the current one, as far as it has a result. */
  function leadOf(images) {
    const measured = images.filter(({ entry }) => entry && entry.result);
    return measured.find(({ id }) => id === state.current) || measured[0] || null;
  }

  /** {columns, rows, results, failures, lead}: all that is known with the options of now. */
  function collect() {
    const images = state.images.filter(isListed).map((facts) => ({ id: facts.id, name: facts.name, facts,
      entry: panel() && agenda.known(facts, panel()) }));
    const results = [], rows = [], failures = [], lead = leadOf(images), way = lead && wayOf(lead);
    rugose.shortenNames(images);
    for (const image of images) {
      const { entry } = image;
      if (entry && entry.result && wayOf(image) === way) {
        results.push({ image, result: entry.result });
        entry.result.rows.forEach((r) => rows.push({ ...r, image }));
      } else {
        const note = entry && entry.result ? { text: OTHER_WAY, isFailure: false } : noteOf(image.facts, entry);
        if (note.isFailure) failures.push({ image, text: note.text });
        rows.push({ cells: null, row: {}, image, note });
      }
    }
    const columns = lead ? lead.entry.result.columns : ["image"];
    for (const row of rows) if (!row.cells) row.cells = columns.map((_, c) => (c ? "nan" : row.image.name));
    return { columns, rows, results, failures, lead };
  }

  /* ---- The table ---- */

  function nameCell(row) {
    const isCurrent = row.image.id === state.current;
    const button = h("button", {
      type: "button", class: "link", title: row.image.name, "aria-current": isCurrent ? "true" : null,
      onclick: () => app.set({ current: row.image.id }),
    }, row.image.short);
    if (!row.note) return button;
    return h("span", { class: "with-note" }, button,
      h("span", { class: row.note.isFailure ? "doubtful" : "soft" }, row.note.text));
  }

  function cellContent(columns) {
    return (row, c, text, isNumber) => {
      if (c === 0) return nameCell(row);
      if (row.note) return "";
      const said = (name, title, shown) => h("span", { class: name, title }, shown);
      if (text === "nan") return said("undefined", rugose.reason(row.row), isNumber ? "undefined" : "none");
      if (columns[c] === "status" && text !== "ok") return said("doubtful", rugose.words.status(text), text);
      const short = isNumber ? rugose.short(text) : text;
      return h("span", { title: short === text ? null : text }, short);
    };
  }

  function filterBox() {
    const box = h("input", { type: "search", id: "filter", autocomplete: "off", spellcheck: "false",
      placeholder: "words, or dimension>1.5", oninput: () => table.filter(box.value) });
    return h("span", { class: "field" }, h("label", { for: "filter" }, "Filter"), box);
  }

  const text = (kind) => {
    const { results, lead } = collect();
    const bare = results.map(({ result }) => ({ ...result, extra: null }));
    return engine.text(kind, bare, panel().command, agenda.given(panel().name, lead && lead.facts));
  };
  const withId = (button, id) => Object.assign(button, { id });
  const saved = (kind, type) =>
    rugose.saveButton("Save " + kind.toUpperCase(), panel().name + "." + kind, () => text(kind), type);

  function controls() {
    const button = (id, label, onclick) => h("button", { type: "button", id, onclick }, label);
    const all = Object.assign(button("measure-all", "Measure all", agenda.all), { hidden: true, className: "main" });
    return h("div", { class: "controls" }, filterBox(), h("span", { id: "count", class: "count", role: "status" }), all,
      withId(rugose.copyButton("Copy CSV", () => text("csv")), "copy-csv"),
      saved("csv", "text/csv;charset=utf-8"), saved("json", "application/json"),
      button("remove-all", "Remove all", () => agenda.remove(state.images.map(({ id }) => id))));
  }

  function wordsOf(name) {
    const p = panel(), isGray = p && p.command === "boxcount" && app.optionsOf(p.name).gray;
    return p && rugose.words.column(p.command, name, isGray ? "gray" : null);
  }

  function make(data) {
    const words = (byId("filter") || {}).value || "";
    const caption = "All images: " + (panel() || {}).title;
    table = rugose.table.make({ columns: data.columns, rows: data.rows, caption, words: wordsOf,
      cell: cellContent(data.columns), changed: count });
    byId("results").replaceChildren(controls(), table.element, h("div", { id: "troubles" }));
    byId("filter").value = words;
    if (words) table.filter(words);
    table.measure();
  }

  let last = { rows: [] };
  function count(shown) {
    const total = plural(last.rows.length, "row");
    const isWhole = shown.length === last.rows.length;
    if (byId("count")) byId("count").textContent = isWhole ? total : rugose.count(shown.length) + " of " + total;
  }

  /* ---- What went wrong ---- */

  function warning(group) {
    const n = group.images.length;
    if (n === 1) return h("li", {}, group.images[0].image.short + ": " + group.text);
    const lineOf = ({ image, text: said }) => h("li", {}, image.short + ": " + said);
    const some = group.images.slice(0, MOST_WARNED).map(lineOf);
    return h("li", {}, group.text,
      rugose.details(plural(n, "image") + ", each with its numbers", () => h("ul", { tabindex: 0 }, some)));
  }

  function troubles({ results, failures }) {
    const rows = results.map(({ image, result }) => ({ row: { warnings: result.warnings || [] }, image }));
    const groups = rugose.groupWarnings({ rows }), list = byId("troubles");
    const part = (title, items) => (items.length ? [h("h3", {}, title), h("ul", { class: "troubles" }, items)] : []);
    list.replaceChildren(
      ...part(plural(failures.length, "failure"),
        failures.map((f) => h("li", { class: "failure" }, f.image.short + ": " + f.text))),
      ...part("Warnings", groups.map(warning)));
  }

  /* ---- The command line ---- */

  let line = "", said = Promise.resolve();
  async function command(data) {
    const p = panel(), images = data.results.map(({ image }) => image.name), others = {};
    byId("same").hidden = !images.length;
    if (!images.length) return;
    const { facts } = data.lead;
    for (const [name, id] of Object.entries(agenda.others(facts, p))) if (id !== null) others[name] = { name: app.find(id).name };
    const words = (names) => engine.words(p.command, agenda.given(p.name, facts), names, others);
    line = await words(images);
    const isLong = images.length > MOST_NAMES;
    byId("command-line").textContent = isLong ? (await words(images.slice(0, MOST_NAMES))) + " …" : line;
  }

  /* ---- Drawing ---- */

  function draw() {
    const began = performance.now();
    timer = 0;
    const data = collect(), key = state.command + "\n" + data.columns.join("\n");
    last = data;
    byId("all").hidden = state.images.length === 0;
    byId("results").classList.toggle("many", state.images.filter(isListed).length > 1);
    if (key !== made || !table) make(data);
    else table.replace(data.rows);
    made = key;
    count(table.shown());
    const n = agenda.waiting();
    byId("measure-all").hidden = n === 0;
    byId("measure-all").textContent = "Measure all " + rugose.count(n);
    byId("remove-all").hidden = state.images.length < 2;
    troubles(data);
    isLineDue = agenda.isBusy();
    if (!isLineDue) said = command(data).catch(() => {});
    took = performance.now() - began;
  }

  const later = () => { if (!timer) timer = setTimeout(draw, Math.max(EVERY_MS, 4 * took)); };

  function start() {
    for (const event of ["images", "current", "command", "options", "result", "failure", "stopped"])
      app.on(event, later);
    const copy = withId(rugose.copyButton("Copy the command", () => line), "copy-command");
    byId("same").querySelector(".command").append(copy);
    draw();
  }

  /** Draws what waits to be drawn. */
  async function settle() {
    if (timer || isLineDue) {
      clearTimeout(timer);
      draw();
    }
    await said;
  }

  return { start, settle };
})();
